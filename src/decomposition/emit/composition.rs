//! How the whole game comes from the sheets, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::circuit::Signal;
use crate::decomposition::emit::divided::{DividedGame, ELSEWHERE, concept};
use crate::decomposition::emit::sheet::PartSheet;
use crate::decomposition::emit::surroundings::Surroundings;
use crate::decomposition::local_concepts::{ConceptCondition, ConceptOperand};

/// How states, moves, end and goal of a game come from its parts.
///
/// A condition is the name of a concept or of a formula, or that with `not ` before it. A concept is a predicate of the
/// sheet of its part; a formula holds if all of its conditions do.
#[derive(Debug, Serialize)]
pub struct CompositionReport {
    game: String,
    roles: Vec<String>,
    parts: Vec<PartEntry>,
    /// What runs by itself: it is next as the condition says, whatever is moved.
    by_itself: BTreeMap<String, ContextFluent>,
    /// By concept, the file whose rules define it.
    concepts: BTreeMap<String, String>,
    formulas: BTreeMap<String, Vec<String>>,
    /// By role, by move of the whole game.
    moves: BTreeMap<String, BTreeMap<String, MoveEntry>>,
    terminal: String,
    /// By role, by goal value, when it is had at the end.
    goals: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Debug, Serialize)]
struct PartEntry {
    sheet: String,
    /// The fluents that are its own; a sheet may have others, of what runs by itself.
    fluents: Vec<String>,
    phase: Option<usize>,
}

#[derive(Debug, Serialize)]
struct ContextFluent {
    initial: bool,
    /// Null where its sheet says what it is next, whatever the parts do.
    next: Option<String>,
}

#[derive(Debug, Serialize)]
struct MoveEntry {
    /// When it is legal.
    legal: String,
    /// By part, the local move; null where the part stays as it is.
    parts: Vec<Option<String>>,
}

impl CompositionReport {
    /// The composition; none if a signal is no formula over concepts.
    pub(super) fn of(
        game: &DividedGame<'_>,
        places: &[Surroundings],
        sheets: &[PartSheet],
    ) -> Option<Self> {
        let subject = game.subject;
        let mut moves = BTreeMap::new();
        let mut goals = BTreeMap::new();
        for (number, role) in subject.roles.iter().enumerate() {
            moves.insert(role.clone(), moves_of(game, places, number)?);
            goals.insert(role.clone(), goals_of(game, number)?);
        }
        Some(Self {
            game: subject.title.to_owned(),
            roles: subject.roles.to_vec(),
            parts: parts(game, sheets),
            by_itself: by_itself(game)?,
            concepts: concepts(game, sheets),
            formulas: formulas(game),
            moves,
            terminal: condition(game, game.circuit.terminal)?,
            goals,
        })
    }
}

/// By part, its sheet and its fluents.
fn parts(game: &DividedGame<'_>, sheets: &[PartSheet]) -> Vec<PartEntry> {
    let parts = game.found.parts.iter().zip(sheets).enumerate();
    let parts = parts.map(|(number, (part, sheet))| {
        let places = 0..game.owners.len();
        let own = places.filter(|&place| game.owners[place] == Some(number));
        PartEntry {
            sheet: sheet.name.clone(),
            fluents: own.map(|place| game.fluent(place)).collect(),
            phase: part.phase.map(|phase| phase + 1),
        }
    });
    parts.collect()
}

/// What is next of what runs by itself. Where there are phases, moves of all parts may decide that.
fn by_itself(game: &DividedGame<'_>) -> Option<BTreeMap<String, ContextFluent>> {
    let fluents = game.circuit.fluents.iter().zip(&game.owners);
    let fluents = fluents.filter(|(_, owner)| owner.is_none());
    let described = fluents.map(|(fluent, _)| {
        let entry = ContextFluent {
            initial: fluent.initial,
            next: match game.found.phases {
                1 => None,
                _ => Some(condition(game, fluent.next)?),
            },
        };
        Some((game.text(fluent.term), entry))
    });
    described.collect()
}

/// By concept, the file that defines it; the sheet of what runs by itself is behind those of the parts.
fn concepts(game: &DividedGame<'_>, sheets: &[PartSheet]) -> BTreeMap<String, String> {
    let file = |part: Option<usize>| {
        let sheet = sheets.get(part.unwrap_or(game.found.parts.len()));
        sheet.map_or_else(String::new, |sheet| sheet.name.clone())
    };
    let named = game.concepts.concepts().enumerate();
    let named = named.map(|(place, own)| (concept(place), file(own.part)));
    named.collect()
}

fn formulas(game: &DividedGame<'_>) -> BTreeMap<String, Vec<String>> {
    let formulas = game.concepts.conjunctions().iter().enumerate();
    let formulas = formulas.map(|(place, conditions)| {
        let conditions = conditions.iter().copied().map(name).collect();
        (formula(place), conditions)
    });
    formulas.collect()
}

/// By move of a role, when it is legal and what it is in each part.
fn moves_of(
    game: &DividedGame<'_>,
    places: &[Surroundings],
    role: usize,
) -> Option<BTreeMap<String, MoveEntry>> {
    let moves = game.circuit.moves[role].iter().enumerate();
    let described = moves.map(|(place, mv)| {
        let local = places.iter().map(|around| local(game, around, role, place));
        let entry = MoveEntry {
            legal: condition(game, mv.legal)?,
            parts: local.collect(),
        };
        Some((game.mv(role, place), entry))
    });
    described.collect()
}

/// By goal value of a role, when it is had.
fn goals_of(game: &DividedGame<'_>, role: usize) -> Option<BTreeMap<String, String>> {
    let payoffs = game.circuit.goals[role].iter();
    let described =
        payoffs.map(|payoff| Some((game.text(payoff.term), condition(game, payoff.signal)?)));
    described.collect()
}

/// The name of a signal that the whole game asks for.
fn condition(game: &DividedGame<'_>, signal: Signal) -> Option<String> {
    game.concepts.condition(signal).map(name)
}

/// What a move of the whole game is in a part.
fn local(game: &DividedGame<'_>, around: &Surroundings, role: usize, mv: usize) -> Option<String> {
    let choices = &around.choices[role];
    if choices.still.contains(&mv) {
        return None;
    }
    let local = choices.own.iter().find(|local| local.moves.contains(&mv));
    let name = local.map(|local| local.name(game, role));
    Some(name.unwrap_or_else(|| ELSEWHERE.to_owned()))
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
