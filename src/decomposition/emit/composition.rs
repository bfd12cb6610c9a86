//! How the whole game comes from the sheets, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::circuit::Signal;
use crate::decomposition::emit::sheet::PartSheet;
use crate::decomposition::emit::sheet::{ELSEWHERE, called, concept};
use crate::decomposition::emit::surroundings::Surroundings;
use crate::decomposition::local_concepts::{ConceptCondition, ConceptOperand, LocalConcepts};
use crate::decomposition::report::DecomposedGame;
use crate::term::Prefix;

/// How states, moves, end and goal of a game come from its parts.
///
/// A condition is the name of a concept or of a formula, or that with `not ` before it. A concept is a predicate of the
/// sheet of its part; a formula holds if all of its conditions do.
#[derive(Debug, Serialize)]
pub struct CompositionReport {
    game: String,
    roles: Vec<String>,
    parts: Vec<PartReport>,
    /// What runs by itself: it is next as the condition says, whatever is moved.
    by_itself: BTreeMap<String, Timed>,
    /// By concept, the file whose rules define it.
    concepts: BTreeMap<String, String>,
    formulas: BTreeMap<String, Vec<String>>,
    /// By role, by move of the whole game.
    moves: BTreeMap<String, BTreeMap<String, MoveReport>>,
    terminal: String,
    /// By role, by goal value, when it is had at the end.
    goals: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Debug, Serialize)]
struct PartReport {
    sheet: String,
    /// The fluents that are its own; a sheet may have others, of what runs by itself.
    fluents: Vec<String>,
    phase: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Timed {
    initial: bool,
    /// Null where its sheet says what it is next, whatever the parts do.
    next: Option<String>,
}

#[derive(Debug, Serialize)]
struct MoveReport {
    /// When it is legal.
    legal: String,
    /// By part, the local move; null where the part stays as it is.
    parts: Vec<Option<String>>,
}

impl CompositionReport {
    /// The composition; none if a signal is no formula over concepts.
    pub(super) fn of(
        subject: &DecomposedGame<'_>,
        owners: &[Option<usize>],
        concepts: &LocalConcepts,
        places: &[Surroundings],
        sheets: &[PartSheet],
    ) -> Option<Self> {
        let circuit = subject.circuit;
        let text = |term| Prefix::new(subject.store, term).to_string();
        let condition = |signal: Signal| concepts.condition(signal).map(name);
        let parts = subject.found.parts.iter().zip(sheets);
        let parts = parts.enumerate().map(|(number, (part, sheet))| PartReport {
            sheet: sheet.name.clone(),
            fluents: (0..owners.len())
                .filter(|&place| owners[place] == Some(number))
                .map(|place| text(circuit.fluents[place].term))
                .collect(),
            phase: part.phase.map(|phase| phase + 1),
        });
        let mut by_itself = BTreeMap::new();
        for (fluent, _) in circuit
            .fluents
            .iter()
            .zip(owners)
            .filter(|(_, owner)| owner.is_none())
        {
            let timed = Timed {
                initial: fluent.initial,
                next: match subject.found.phases {
                    1 => None,
                    _ => Some(condition(fluent.next)?),
                },
            };
            by_itself.insert(text(fluent.term), timed);
        }
        let of_sheet = |part: Option<usize>| {
            let sheet = sheets.get(part.unwrap_or(subject.found.parts.len()));
            sheet.map_or_else(String::new, |sheet| sheet.name.clone())
        };
        let named = concepts.concepts().enumerate();
        let named = named.map(|(place, own)| (concept(place), of_sheet(own.part)));
        let formulas = concepts.conjunctions().iter().enumerate();
        let formulas = formulas.map(|(place, conditions)| {
            let conditions = conditions.iter().copied().map(name).collect();
            (formula(place), conditions)
        });
        let mut moves = BTreeMap::new();
        let mut goals = BTreeMap::new();
        for (number, role) in subject.roles.iter().enumerate() {
            let mut own = BTreeMap::new();
            for (place, mv) in circuit.moves[number].iter().enumerate() {
                let local = places
                    .iter()
                    .map(|around| local(subject, around, number, place));
                let report = MoveReport {
                    legal: condition(mv.legal)?,
                    parts: local.collect(),
                };
                own.insert(called(subject, number, place), report);
            }
            moves.insert(role.clone(), own);
            let mut had = BTreeMap::new();
            for payoff in &circuit.goals[number] {
                had.insert(text(payoff.term), condition(payoff.signal)?);
            }
            goals.insert(role.clone(), had);
        }
        Some(Self {
            game: subject.title.to_owned(),
            roles: subject.roles.to_vec(),
            parts: parts.collect(),
            by_itself,
            concepts: named.collect(),
            formulas: formulas.collect(),
            moves,
            terminal: condition(circuit.terminal)?,
            goals,
        })
    }
}

/// What a move of the whole game is in a part.
fn local(
    subject: &DecomposedGame<'_>,
    around: &Surroundings,
    role: usize,
    mv: usize,
) -> Option<String> {
    let choices = &around.choices[role];
    if choices.still.contains(&mv) {
        return None;
    }
    let mut classes = choices.moves.iter().zip(&choices.named);
    let class = classes.find(|(moves, _)| moves.contains(&mv));
    let named = class.map(|(_, &named)| called(subject, role, named));
    Some(named.unwrap_or_else(|| ELSEWHERE.to_owned()))
}

fn formula(place: usize) -> String {
    format!("formula{}", place + 1)
}

fn name(condition: ConceptCondition) -> String {
    let name = match condition.operand {
        ConceptOperand::Concept(place) => concept(place),
        ConceptOperand::Conjunction(place) => formula(place),
    };
    if condition.is_inverted {
        format!("not {name}")
    } else {
        name
    }
}
