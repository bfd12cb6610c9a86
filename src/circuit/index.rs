//! Which rules derive an atom, and which ask for it.

use crate::circuit::ground::GroundProgram;

/// The rules that have to do with each atom, ascending.
#[derive(Clone, Debug)]
pub(super) struct RuleIndex {
    ends: Vec<u32>,
    rules: Vec<u32>,
}

impl RuleIndex {
    /// The rules of which each atom is the head.
    pub(super) fn by_head(program: &GroundProgram) -> Self {
        let rules = 0..program.rules();
        Self::new(
            program,
            rules.map(|rule| (program.rule(rule).0, rule as u32)),
        )
    }

    /// The rules in whose conditions each atom occurs.
    pub(super) fn by_condition(program: &GroundProgram) -> Self {
        let rules = 0..program.rules();
        let pairs = rules.flat_map(|rule| {
            let conditions = program.rule(rule).1.iter();
            conditions.map(move |literal| (literal.atom(), rule as u32))
        });
        Self::new(program, pairs)
    }

    fn new(program: &GroundProgram, pairs: impl Iterator<Item = (usize, u32)> + Clone) -> Self {
        let mut ends = vec![0u32; program.atoms.len() + 1];
        pairs.clone().for_each(|(atom, _)| ends[atom + 1] += 1);
        for atom in 1..ends.len() {
            ends[atom] += ends[atom - 1];
        }
        let mut at = ends.clone();
        let mut rules = vec![0; ends.last().map_or(0, |&end| end as usize)];
        for (atom, rule) in pairs {
            rules[at[atom] as usize] = rule;
            at[atom] += 1;
        }
        Self { ends, rules }
    }

    pub(super) fn of(&self, atom: usize) -> &[u32] {
        &self.rules[self.ends[atom] as usize..self.ends[atom + 1] as usize]
    }
}
