//! When gates are evaluated.
//!
//! There are three phases, each only for who needs it: what decides which moves are legal and whether
//! the game is over; payoffs, for games that are; the next state. What payoffs and the next state both
//! need belongs to the first phase. Within a phase inputs come first, and loops stand where what they
//! depend on is known.

use crate::circuit::assemble::Circuit;
use crate::circuit::blocks::{Blocks, STRAIGHT};
use crate::circuit::gates::{Gate, Gates, Signal};

/// When a gate is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    State = 0,
    Goals = 1,
    Next = 2,
}

pub(super) const PHASES: [Phase; 3] = [Phase::State, Phase::Goals, Phase::Next];

impl Phase {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Something to evaluate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Gates that stand in no loop, inputs first.
    Gates(Vec<usize>),
    /// A loop, by number.
    Loop(usize),
}

/// What is evaluated when.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// By gate, the phases that need it, as bits.
    needs: Vec<u8>,
    blocks: Blocks,
}

impl Schedule {
    /// The schedule of a circuit; see [`needed`] for `everything`.
    pub(super) fn of(circuit: &Circuit, everything: bool) -> Self {
        Self {
            needs: needs(circuit, everything),
            blocks: Blocks::of(&circuit.gates),
        }
    }

    /// Whether some phase needs a gate.
    pub(super) fn is_needed(&self, gate: usize) -> bool {
        self.needs[gate] != 0
    }

    /// The phase in which a gate is evaluated.
    pub(super) fn phase(&self, gate: usize) -> Option<Phase> {
        // Needed by payoffs and by the next state, it is evaluated once, before either.
        let has = |phase: Phase| self.needs[gate] & phase.bit() != 0;
        if has(Phase::State) || has(Phase::Goals) && has(Phase::Next) {
            Some(Phase::State)
        } else if has(Phase::Goals) {
            Some(Phase::Goals)
        } else {
            has(Phase::Next).then_some(Phase::Next)
        }
    }

    /// The loop that a gate stands in.
    pub(super) fn block(&self, gate: usize) -> Option<usize> {
        let block = self.blocks.block[gate];
        (block != STRAIGHT).then_some(block as usize)
    }

    /// What a phase evaluates, stage by stage, what is in no loop before the loops.
    pub(super) fn parts(&self, gates: &Gates, phase: Phase) -> Vec<Part> {
        let mut places: Vec<(u32, u32, usize)> = Vec::new();
        for gate in 1..gates.len() {
            let is_straight = gates.gate(gate) == Gate::And && self.block(gate).is_none();
            if is_straight && self.phase(gate) == Some(phase) {
                // (stage, block, gate): the order of evaluation. Straight gates of a stage have the greatest block
                // number, which `wrapping_add` brings to the front.
                places.push((self.blocks.stage[gate], STRAIGHT, gate));
            }
        }
        for (number, looped) in gates.loops().iter().enumerate() {
            let first = looped.variables.first();
            if first.is_some_and(|&first| self.phase(first) == Some(phase)) {
                places.push((self.blocks.loops[number].stage, number as u32, 0));
            }
        }
        // In a stage the loops come last.
        places.sort_by_key(|&(stage, block, gate)| (stage, block.wrapping_add(1), gate));
        let parts = places.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1));
        let parts = parts.map(|part| match part[0].1 {
            STRAIGHT => Part::Gates(part.iter().map(|&(_, _, gate)| gate).collect()),
            number => Part::Loop(number as usize),
        });
        parts.collect()
    }
}

/// The gates that some phase needs. Fluents on which neither moves nor goals nor the end depend are left
/// out, unless `everything` is asked for.
pub(super) fn needed(circuit: &Circuit, everything: bool) -> Vec<bool> {
    let needs = needs(circuit, everything).into_iter();
    needs.map(|phases| phases != 0).collect()
}

/// For each gate, the phases that need it, as bits.
fn needs(circuit: &Circuit, everything: bool) -> Vec<u8> {
    let mut needs = vec![0; circuit.gates.len()];
    let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
    let state: Vec<Signal> = legal.chain([circuit.terminal]).collect();
    mark(&circuit.gates, &mut needs, state, Phase::State);
    let goals = circuit.goals.iter().flatten().map(|payoff| payoff.signal);
    mark(&circuit.gates, &mut needs, goals.collect(), Phase::Goals);
    // A fluent matters if something needed reads it; then its next state is needed, which may read others. A
    // fixpoint over fluents, at most one round for each.
    loop {
        let mut more: Vec<Signal> = Vec::new();
        for fluent in &circuit.fluents {
            let (held, next) = (fluent.holds.gate(), fluent.next.gate());
            let matters = held != 0 && (everything || needs[held] != 0);
            if matters {
                needs[held] |= Phase::State.bit();
                if next != 0 && needs[next] & Phase::Next.bit() == 0 {
                    more.push(fluent.next);
                }
            }
        }
        if more.is_empty() {
            return needs;
        }
        mark(&circuit.gates, &mut needs, more, Phase::Next);
    }
}

fn mark(gates: &Gates, needs: &mut [u8], signals: Vec<Signal>, phase: Phase) {
    let mut open: Vec<usize> = signals.into_iter().map(Signal::gate).collect();
    while let Some(gate) = open.pop() {
        if needs[gate] & phase.bit() != 0 {
            continue;
        }
        needs[gate] |= phase.bit();
        open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
        // One variable of a loop needs all of them, as they are evaluated together.
        if let Gate::Variable(number, _) = gates.gate(gate) {
            let looped = &gates.loops()[number as usize];
            open.extend(&looped.variables);
            open.extend(looped.definitions.iter().map(|signal| signal.gate()));
        }
    }
}
