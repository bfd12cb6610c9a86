//! Which gates stand in a loop, and the order of loops and other gates.
//!
//! A gate stands in a loop if it depends on a variable of the loop and a definition of the loop depends
//! on it. Everything else is straight. A *stage* is what can be evaluated after so many loops, one
//! behind the other: straight gates of stage 0, then the loops that need only those, then straight gates
//! of stage 1, and so on.

use crate::circuit::gates::{Gate, Gates};

/// The block of gates that stand in no loop.
pub(super) const STRAIGHT: u32 = u32::MAX;

/// The gates of one loop.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopBlock {
    /// The stage after whose straight gates it is evaluated.
    pub(super) stage: u32,
}

/// Blocks and stages of the gates of a circuit.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// By gate, the loop that it stands in.
    pub(super) block: Vec<u32>,
    /// By gate that stands in none, its stage.
    pub(super) stage: Vec<u32>,
    pub(super) loops: Vec<LoopBlock>,
}

impl Blocks {
    pub(super) fn of(gates: &Gates) -> Self {
        let mut blocks = Self {
            block: vec![STRAIGHT; gates.len()],
            stage: vec![0; gates.len()],
            loops: vec![LoopBlock::default(); gates.loops().len()],
        };
        for number in 0..gates.loops().len() {
            blocks.find(gates, number);
        }
        // Stages rise along the order of gates, but for the definitions of a loop, which come behind its
        // variables; so the stages of loops are found one after the other, as they depend on each other.
        for _ in 0..=gates.loops().len() {
            if !blocks.raise_stages(gates) {
                break;
            }
        }
        blocks
    }

    /// Finds the gates of a loop.
    fn find(&mut self, gates: &Gates, number: usize) {
        let looped = &gates.loops()[number];
        let Some(&first) = looped.variables.iter().min() else {
            return;
        };
        let definitions = looped.definitions.iter().map(|signal| signal.gate());
        let last = definitions.chain(looped.variables.iter().copied()).max();
        let last = last.unwrap_or(first);
        let mut depends = vec![false; last + 1 - first];
        // Forward: what depends on a variable of the loop. Only gates from its first variable on can.
        for gate in first..=last {
            let own =
                matches!(gates.gate(gate), Gate::Variable(other, _) if other as usize == number);
            let inputs = gates.inputs(gate).iter().map(|input| input.gate());
            let mut inner = inputs.filter(|&input| input >= first);
            depends[gate - first] = own || inner.any(|input| depends[input - first]);
        }
        // Backward from the definitions, inside of that: what both depends on the loop and is depended on by it.
        let mut open: Vec<usize> = looped.variables.clone();
        open.extend(looped.definitions.iter().map(|signal| signal.gate()));
        while let Some(gate) = open.pop() {
            let inside = gate >= first && depends[gate - first];
            if inside && std::mem::replace(&mut self.block[gate], number as u32) == STRAIGHT {
                open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
            }
        }
    }

    /// Raises stages to what gates depend on; false if they stay.
    fn raise_stages(&mut self, gates: &Gates) -> bool {
        let mut changed = false;
        for gate in 1..gates.len() {
            let inputs = gates.inputs(gate).iter().map(|input| input.gate());
            match self.block[gate] {
                STRAIGHT => {
                    let stage = inputs.map(|input| self.behind(input)).max().unwrap_or(0);
                    // The greatest stage of an input that lies behind loops.
                    changed |= stage > self.stage[gate];
                    self.stage[gate] = stage;
                }
                number => {
                    let outer = inputs.filter(|&input| self.block[input] != number);
                    let stage = outer.map(|input| self.behind(input)).max().unwrap_or(0);
                    let block = &mut self.loops[number as usize];
                    changed |= stage > block.stage;
                    block.stage = block.stage.max(stage);
                }
            }
        }
        // A definition may be outside of its loop.
        for (number, looped) in gates.loops().iter().enumerate() {
            for definition in &looped.definitions {
                let gate = definition.gate();
                if self.block[gate] != number as u32 {
                    let stage = self.behind(gate);
                    changed |= stage > self.loops[number].stage;
                    self.loops[number].stage = self.loops[number].stage.max(stage);
                }
            }
        }
        changed
    }

    /// The stage of what depends on a gate.
    fn behind(&self, gate: usize) -> u32 {
        match self.block[gate] {
            STRAIGHT => self.stage[gate],
            number => self.loops[number as usize].stage + 1,
        }
    }
}
