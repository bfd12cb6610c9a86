//! Findings as text and as JSON.

use indexmap::IndexMap;
use serde::Serialize;

use crate::prove::finding::{Finding, Missing, Play, Verdict};
use crate::term::{Prefix, Store};

/// Clauses of an invariant that are shown to people.
const MAX_CLAUSES: usize = 5;

/// Rules or moves that no play has that are shown to people.
const MAX_MISSING: usize = 10;

/// A finding, for programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", schemars(deny_unknown_fields))]
pub struct FindingJson {
    property: String,
    /// `proved`, `refuted` or `open`.
    verdict: &'static str,
    /// `plays`, `exhaustion`, `induction`, `reachability`, `ranking`, `permutation` or `search`; `null` if it is open.
    method: Option<&'static str>,
    /// Moves of the witness, moves of the longest play at most, or moves up to which nothing refutes it.
    bound: Option<u64>,
    /// The role for which it is refuted, where that is known and there is no witness.
    role: Option<String>,
    /// Joint moves, by role.
    witness: Option<Vec<IndexMap<String, String>>>,
    /// The state, by number of moves made, that the witness comes back to.
    repeats: Option<usize>,
    /// The invariant, clause by clause, beside that of groups of fluents.
    invariant: Vec<String>,
    /// Rules that apply in no play, or moves that are legal in none, as far as that was found out.
    missing: Vec<MissingJson>,
    /// Rules or moves of which it is open whether some play has them.
    undecided: Vec<MissingJson>,
    /// Whether other code says so too: the rules, or a checker of invariants.
    confirmed: bool,
    seconds: f64,
}

/// A rule or a move that no play has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", schemars(deny_unknown_fields))]
struct MissingJson {
    /// The line of the rule, or of the first rule that gives such moves.
    line: Option<u32>,
    /// The rule, or the role and the move: `white: (mark 1 1)`.
    text: String,
}

/// A finding on a property, as JSON.
pub fn json(
    property: &str,
    finding: &Finding,
    roles: &[String],
    store: &Store,
    seconds: f64,
) -> FindingJson {
    let witness = finding.witness.as_ref();
    let text = |term| Prefix::new(store, term).to_string();
    FindingJson {
        property: property.to_owned(),
        verdict: finding.verdict.name(),
        method: finding.method.map(|method| method.name()),
        bound: finding.bound,
        role: finding.role.and_then(|role| roles.get(role).cloned()),
        witness: witness.map(|play| {
            let joint = play.moves.iter().map(|joint| {
                let moves = joint.iter().map(|&mv| text(mv));
                roles.iter().cloned().zip(moves).collect()
            });
            joint.collect()
        }),
        repeats: witness.and_then(|play| play.repeats),
        invariant: finding.reasons.clone(),
        missing: all(&finding.missing),
        undecided: all(&finding.undecided),
        confirmed: finding.confirmed,
        seconds,
    }
}

fn all(missing: &[Missing]) -> Vec<MissingJson> {
    let all = missing.iter().map(|missing| MissingJson {
        line: missing.line,
        text: missing.text.clone(),
    });
    all.collect()
}

/// A finding on a property, in words.
pub fn text(property: &str, finding: &Finding, roles: &[String], store: &Store) -> String {
    let mut text = format!("{property}: {}", finding.verdict.name());
    if let Some(role) = finding.role.and_then(|role| roles.get(role)) {
        text += &format!(" for {role}");
    }
    if let Some(method) = finding.method {
        text += &format!(" by {}", method.name());
    }
    if let Some(bound) = bound(finding) {
        text += &format!(" ({bound})");
    }
    text.push('\n');
    if let Some(play) = &finding.witness {
        text += &play_text(play, roles, store);
    }
    for reason in finding.reasons.iter().take(MAX_CLAUSES) {
        text += &format!("    in all states {reason}\n");
    }
    match finding.reasons.len().saturating_sub(MAX_CLAUSES) {
        0 => {}
        more => text += &format!("    and {more} clauses more\n"),
    }
    text += &missing_text("", &finding.missing);
    text += &missing_text("undecided: ", &finding.undecided);
    text
}

/// Rules or moves, one a line.
fn missing_text(what: &str, missing: &[Missing]) -> String {
    let mut text = String::new();
    for missing in missing.iter().take(MAX_MISSING) {
        let line = missing.line.map(|line| format!("line {line}: "));
        text += &format!("    {what}{}{}\n", line.unwrap_or_default(), missing.text);
    }
    match missing.len().saturating_sub(MAX_MISSING) {
        0 => {}
        more => text += &format!("    {what}and {more} more\n"),
    }
    text
}

fn bound(finding: &Finding) -> Option<String> {
    let moves = |number: u64| match number {
        1 => "1 move".to_owned(),
        _ => format!("{number} moves"),
    };
    let bound = moves(finding.bound?);
    Some(match (finding.verdict, &finding.witness) {
        (Verdict::Open, _) => format!("not within {bound}"),
        (_, Some(_)) => format!("a play of {bound}"),
        (_, None) => format!("at most {bound}"),
    })
}

/// The moves of a play, a joint move a line.
fn play_text(play: &Play, roles: &[String], store: &Store) -> String {
    let mut text = String::new();
    for (number, joint) in play.moves.iter().enumerate() {
        let moves: Vec<String> = (joint.iter().zip(roles))
            .map(|(&mv, role)| format!("{role}: {}", Prefix::new(store, mv)))
            .collect();
        text += &format!("    {}. {}\n", number + 1, moves.join(", "));
    }
    if let Some(first) = play.repeats {
        text += &match first {
            0 => "    and is back at the start\n".to_owned(),
            _ => format!("    and is back where it was after move {first}\n"),
        };
    }
    text
}
