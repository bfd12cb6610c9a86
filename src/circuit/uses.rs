//! Which rules ask for an atom.

use crate::circuit::ground::GroundProgram;
use crate::circuit::grouped::Grouped;

/// The rules in whose conditions each atom occurs, ascending.
#[derive(Clone, Debug)]
pub(super) struct Uses(Grouped<Use>);

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
        let uses = (0..program.rules()).flat_map(|rule| {
            let conditions = program.rule(rule).1.iter();
            conditions.map(move |literal| {
                let sign = u32::from(literal.is_negated());
                (literal.atom(), Use((rule as u32) << 1 | sign))
            })
        });
        Self(Grouped::new(program.atoms.len(), uses))
    }

    pub(super) fn of(&self, atom: usize) -> &[Use] {
        self.0.of(atom)
    }
}
