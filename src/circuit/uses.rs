//! Which rules ask for an atom.

use crate::circuit::ground::GroundProgram;

/// The rules in whose conditions each atom occurs, ascending.
#[derive(Clone, Debug)]
pub(super) struct Uses {
    ends: Vec<u32>,
    uses: Vec<Use>,
}

/// A rule that asks for an atom.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Use(u32);

impl Use {
    /// The number of the rule.
    pub(super) fn rule(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the atom must be false.
    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Uses {
    pub(super) fn of_program(program: &GroundProgram) -> Self {
        let mut ends = vec![0u32; program.atoms.len() + 1];
        let conditions = program.conditions();
        conditions
            .iter()
            .for_each(|literal| ends[literal.atom() + 1] += 1);
        for atom in 1..ends.len() {
            ends[atom] += ends[atom - 1];
        }
        let mut next = ends.clone();
        let mut uses = vec![Use::default(); conditions.len()];
        for rule in 0..program.rules() {
            for literal in program.rule(rule).1 {
                let next = &mut next[literal.atom()];
                uses[*next as usize] = Use((rule as u32) << 1 | u32::from(literal.is_negated()));
                *next += 1;
            }
        }
        Self { ends, uses }
    }

    pub(super) fn of(&self, atom: usize) -> &[Use] {
        &self.uses[self.ends[atom] as usize..self.ends[atom + 1] as usize]
    }
}
