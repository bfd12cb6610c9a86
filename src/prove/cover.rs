//! What some play should do: apply each rule, make each move legal.
//!
//! Each rule and each move is a target of its own, and there are thousands: random plays reach most of them, at most
//! one play is kept for each, and methods that cost more are for the rest.

use crate::circuit::invariants::Row;
use crate::circuit::{Circuit, Fluent, Payoff, Probe, Signal};
use crate::gdl::Game;
use crate::prove::application::{Application, depending_on_moves, word};
use crate::prove::target::Target;
use crate::term::{Store, TermId};

/// What a target is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CoverItem {
    /// A move, by role and place.
    Move(usize, usize),
    /// A rule, by place among the clauses of the game.
    Rule(usize),
}

/// A target that some play should reach.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) item: CoverItem,
    /// A state or a move.
    pub(super) target: Target,
    /// Where to read whether it is reached: among payoffs for a state, among fluents for a move.
    pub(super) place: usize,
}

impl Cover {
    /// The lanes in which the target is reached, by a probe that has scored states or made moves. Targets of states are
    /// payoffs behind the first signals, those of moves fluents behind the first ones.
    pub(super) fn row(&self, probe: &Probe, [signals, fluents]: [usize; 2]) -> Row {
        if is_of_moves(&self.target) {
            probe.next(fluents + self.place)
        } else {
            probe.payoff(0, signals + self.place)
        }
    }
}

/// The targets that stand for moves, before the end.
pub(super) fn moves(circuit: &mut Circuit, role: Option<usize>) -> Vec<(CoverItem, Target)> {
    let mut all = Vec::new();
    for own in 0..circuit.moves.len() {
        if role.is_some_and(|role| role != own) {
            continue;
        }
        for place in 0..circuit.moves[own].len() {
            let legal = circuit.moves[own][place].legal;
            let signal = circuit.gates.and(&mut vec![legal, !circuit.terminal]);
            all.push((CoverItem::Move(own, place), Target::State(signal)));
        }
    }
    all
}

/// The targets that stand for rules. What a rule says of the next state, or of legal moves, matters before the end.
pub(super) fn rules(
    circuit: &mut Circuit,
    applications: &[Application],
    game: &Game,
    store: &Store,
) -> Vec<(CoverItem, Target)> {
    let depends = depending_on_moves(circuit);
    let all = applications.iter().map(|application| {
        let Application { clause, signal } = *application;
        // A rule that depends on the move applies with a legal joint move, and so before the end.
        let target = if depends[signal.gate()] {
            Target::Move(signal)
        } else if matches!(word(store, &game.clauses()[clause]), "next" | "legal") {
            // At an end such rules may apply, but what they say means nothing any more.
            Target::State(circuit.gates.and(&mut vec![signal, !circuit.terminal]))
        } else {
            Target::State(signal)
        };
        (CoverItem::Rule(clause), target)
    });
    all.collect()
}

/// All targets that some play should reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Covers {
    pub(super) all: Vec<Cover>,
}

impl Covers {
    /// Adds targets to signals that are watched already; gives their numbers.
    pub(super) fn extend(&mut self, targets: Vec<(CoverItem, Target)>) -> std::ops::Range<usize> {
        let start = self.all.len();
        // Targets of states and of moves are numbered apart: the first are read as payoffs, the others as fluents.
        let mut places = [0, 0];
        for cover in &self.all {
            places[usize::from(is_of_moves(&cover.target))] += 1;
        }
        for (item, target) in targets {
            let next = &mut places[usize::from(is_of_moves(&target))];
            let place = *next;
            *next += 1;
            self.all.push(Cover {
                item,
                target,
                place,
            });
        }
        start..self.all.len()
    }

    /// Adds what is watched of states to the payoffs of the first role.
    pub(super) fn watched(&self, circuit: &mut Circuit) {
        let states = self.all.iter().filter_map(|cover| match &cover.target {
            Target::State(signal) => Some(*signal),
            Target::Step(_) | Target::Move(_) => None,
        });
        // No goal value is asked for, so that any term will do.
        let payoffs = states.map(|signal| Payoff {
            term: TermId::from_index(0),
            value: None,
            signal,
        });
        circuit.goals[0].extend(payoffs);
    }

    /// The same circuit with what is watched of moves as fluents that are next if it is so.
    pub(super) fn probed(&self, circuit: &Circuit) -> Circuit {
        let mut circuit = circuit.clone();
        for cover in &self.all {
            if let Target::Move(signal) = cover.target {
                let number = circuit.fluents.len() as u32;
                let holds = circuit.gates.fluent(number);
                circuit.fluents.push(Fluent {
                    term: TermId::from_index(0),
                    initial: false,
                    holds,
                    next: signal,
                });
            }
        }
        circuit
    }
}

/// Whether a target is about moves.
pub(super) fn is_of_moves(target: &Target) -> bool {
    matches!(target, Target::Move(_))
}

/// A constant target is reached by every play, or by none.
pub(super) fn is_never(target: &Target) -> bool {
    match target {
        Target::State(signal) | Target::Move(signal) => *signal == Signal::FALSE,
        Target::Step(pairs) => pairs.is_empty(),
    }
}
