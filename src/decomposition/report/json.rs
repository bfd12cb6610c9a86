//! A decomposition as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::decomposition::certify::Certificate;
use crate::decomposition::composition::{Legality, OutcomeForm};
use crate::decomposition::part::{Part, Proof, Use};
use crate::decomposition::report::{claims, subject::DecomposedGame};
use crate::decomposition::whole::Decomposition;
use crate::term::Prefix;

/// What a game is made of; the fields of the JSON form.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", schemars(rename = "Report"))]
pub struct DecompositionReport {
    parts: Vec<PartReport>,
    autonomous: Vec<AutonomousReport>,
    constant: Vec<String>,
    phases: Vec<String>,
    legality: &'static str,
    termination: &'static str,
    /// That of all roles if they have the same, else of each in their order, equal neighbours once; see `goals`.
    goal: String,
    /// By role.
    goals: BTreeMap<String, &'static str>,
    certified: bool,
    questions: usize,
    /// Claims that the solver gave up on, so that what they are about is taken together.
    undecided: usize,
    /// All claims, if they were checked anew.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    certificates: Vec<Certified>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Certified {
    claim: String,
    premises: Vec<String>,
    questions: usize,
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", schemars(rename = "Part"))]
struct PartReport {
    name: String,
    roles: Vec<String>,
    fluents: Vec<String>,
    moves: usize,
    phase: Option<String>,
    useful_for: Vec<&'static str>,
    useless: bool,
    certified: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", schemars(rename = "Autonomous"))]
struct AutonomousReport {
    fluents: Vec<String>,
    useful_for: Vec<&'static str>,
    useless: bool,
    certified: bool,
}

/// The report on a game that was decomposed in so many seconds, with the claims that were checked anew.
pub fn json(
    subject: &DecomposedGame<'_>,
    certificates: &[Certificate],
    seconds: f64,
) -> DecompositionReport {
    let found = subject.found;
    let parts = found.parts.iter().enumerate();
    let autonomous = found.autonomous.iter().map(|group| AutonomousReport {
        fluents: fluents(subject, &group.variables),
        useful_for: useful_for(group.useful),
        useless: group.useful.is_useless(),
        certified: group.proof != Proof::Open,
    });
    let phases = match found.phases {
        1 => 0..0,
        number => 0..number,
    };
    let goals = found.composition.goals.iter().map(OutcomeForm::name);
    DecompositionReport {
        parts: parts
            .map(|(number, one)| part(subject, number, one))
            .collect(),
        autonomous: autonomous.collect(),
        constant: fluents(subject, &found.constant),
        phases: phases.map(phase).collect(),
        legality: legality(found),
        termination: found.composition.termination.name(),
        goal: goal(&found.composition.goals),
        goals: subject.roles.iter().cloned().zip(goals).collect(),
        certified: found.is_certified(),
        questions: found.questions,
        undecided: found.undecided,
        certificates: certificates.iter().map(certified).collect(),
        seconds,
    }
}

fn certified(certificate: &Certificate) -> Certified {
    Certified {
        claim: claims::name(certificate.claim),
        premises: (certificate.premises.iter())
            .map(|&premise| claims::name(premise))
            .collect(),
        questions: certificate.questions,
        verdict: claims::verdict(certificate.verdict),
    }
}

/// Of the joint moves.
fn legality(found: &Decomposition) -> &'static str {
    let by_role = &found.composition.legality;
    let is = |form: fn(&Legality) -> bool| by_role.iter().any(form);
    let mut movable = by_role.iter().filter_map(|form| match form {
        Legality::Single(part) => Some(part),
        Legality::Idle
        | Legality::Sum
        | Legality::Product
        | Legality::SumOfProducts
        | Legality::Nested
        | Legality::Open => None,
    });
    let first = movable.next();
    // Roles with one part each, and not all the same one, move in several parts at once: together that is a product.
    let is_apart = movable.any(|part| Some(part) != first);
    let is_product = is_apart || is(|form| *form == Legality::Product);
    let is_sum = is(|form| *form == Legality::Sum);
    if found.phases > 1 {
        "series"
    } else if is(|form| *form == Legality::Open) {
        "open"
    } else if is(|form| matches!(form, Legality::SumOfProducts | Legality::Nested))
        || is_sum && is_product
    {
        "mixed"
    } else if is_product {
        "product"
    } else {
        "sum"
    }
}

fn goal(goals: &[OutcomeForm]) -> String {
    let mut names: Vec<&str> = goals.iter().map(OutcomeForm::name).collect();
    names.dedup();
    names.join(", ")
}

fn part(subject: &DecomposedGame<'_>, number: usize, part: &Part) -> PartReport {
    PartReport {
        name: format!("part{}", number + 1),
        roles: subject
            .movers(part)
            .map(|(role, _)| role.to_owned())
            .collect(),
        fluents: fluents(subject, &part.variables),
        moves: subject.movers(part).map(|(_, moves)| moves).sum(),
        phase: part.phase.map(phase),
        useful_for: useful_for(part.useful),
        useless: part.useful.is_useless(),
        certified: part.proof != Proof::Open,
    }
}

fn phase(number: usize) -> String {
    format!("phase{}", number + 1)
}

/// As prefix GDL, in order of their text.
fn fluents(subject: &DecomposedGame<'_>, variables: &[usize]) -> Vec<String> {
    let fluents = subject.fluents(variables).into_iter();
    let terms = fluents.map(|place| subject.circuit.fluents[place].term);
    let mut texts: Vec<String> = terms
        .map(|term| Prefix::new(subject.store, term).to_string())
        .collect();
    texts.sort_unstable();
    texts
}

fn useful_for(useful: Use) -> Vec<&'static str> {
    let uses = [
        (useful.payoffs, "goal"),
        (useful.end, "terminal"),
        (useful.phase, "phase"),
    ];
    let uses = uses.into_iter().filter(|&(is_used, _)| is_used);
    uses.map(|(_, name)| name).collect()
}
