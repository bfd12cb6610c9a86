//! What a move does: conditional effects, read off the next state under it.
//!
//! A fluent that is next what it is now has no effect. Of others, `now` says what is left of the next value where the
//! fluent holds: it is deleted where that is false; and it is added where the next value is true. What the
//! precondition says, and that of a group of fluents at most one holds, makes conditions short:
//!
//! ```text
//! next(step(2)) = step(1)      when step(1): add step(2)      when step(2): delete step(2), since step(1) is false
//! ```

use fixedbitset::FixedBitSet;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::planning::conditions::{Alternatives, Conditions, TaskLiteral};
use crate::circuit::planning::groups::Groups;
use crate::circuit::planning::restrict::{Assumed, restrict};

/// A conditional effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) condition: Vec<TaskLiteral>,
    /// The fluent, by place in the circuit.
    pub(super) fact: usize,
    /// Whether it holds then.
    pub(super) adds: bool,
}

/// What effects are made of.
pub(super) struct Maker<'m> {
    pub(super) groups: &'m Groups,
    pub(super) conditions: &'m mut Conditions,
}

impl Maker<'_> {
    /// The effects on a fluent whose next value is a signal, where something is known.
    pub(super) fn effects(
        &mut self,
        gates: &mut Gates,
        place: usize,
        next: Signal,
        known: &Assumed,
    ) -> Vec<Effect> {
        let holds = self.groups.holds(place);
        let next = restrict(gates, next, known);
        if next == holds {
            return Vec::new();
        }
        let mut effects = Vec::new();
        let mut kept = Signal::TRUE;
        if known.value(holds) != Some(false) {
            let mut held = known.clone();
            self.groups.assume(&mut held, place);
            kept = restrict(gates, next, &held);
            let lost = !kept;
            for mut condition in self.cases(gates, lost) {
                if known.value(holds).is_none() {
                    condition.insert(0, self.conditions.literal(gates, holds));
                }
                effects.push(Effect {
                    condition,
                    fact: place,
                    adds: false,
                });
            }
        }
        if known.value(holds) != Some(true) {
            let mut absent = known.clone();
            absent.insert(!holds);
            let gained = restrict(gates, next, &absent);
            // Where the fluent holds, the next value may be another one: then it must not be added.
            let is_same = gained == next || kept == Signal::TRUE || known.value(holds).is_some();
            for mut condition in self.cases(gates, gained) {
                if !is_same {
                    condition.insert(0, self.conditions.literal(gates, !holds));
                }
                effects.push(Effect {
                    condition,
                    fact: place,
                    adds: true,
                });
            }
        }
        effects
    }

    fn cases(&mut self, gates: &Gates, signal: Signal) -> Alternatives {
        self.conditions.cases(gates, signal)
    }
}

/// An effect where something is known of single fluents; nothing if it has none then.
pub(super) fn where_known(
    effect: &Effect,
    holds: &dyn Fn(TaskLiteral) -> Option<bool>,
) -> Option<Effect> {
    let mut condition = Vec::new();
    for &literal in &effect.condition {
        match holds(literal) {
            Some(true) => {}
            Some(false) => return None,
            None => condition.push(literal),
        }
    }
    Some(Effect {
        condition,
        ..*effect
    })
}

/// The fluents, by place, on which legal moves, end and goal values ever depend.
pub(super) fn relevant(circuit: &Circuit) -> FixedBitSet {
    let moves = circuit.moves.iter().flatten().map(|mv| mv.legal);
    let goals = circuit.goals.iter().flatten().map(|payoff| payoff.signal);
    let asked = moves.chain(goals).chain([circuit.terminal]);
    let mut open: Vec<usize> = asked.map(Signal::gate).collect();
    let mut seen = FixedBitSet::with_capacity(circuit.gates.len());
    let mut found = FixedBitSet::with_capacity(circuit.fluents.len());
    let gates = &circuit.gates;
    while let Some(gate) = open.pop() {
        if seen.put(gate) {
            continue;
        }
        open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
        match gates.gate(gate) {
            Gate::Fluent(place) => {
                found.insert(place as usize);
                open.push(circuit.fluents[place as usize].next.gate());
            }
            Gate::Variable(number, at) => {
                open.push(gates.loops()[number as usize].definitions[at as usize].gate());
            }
            Gate::False | Gate::Move(..) | Gate::And => {}
        }
    }
    found
}
