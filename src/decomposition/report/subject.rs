//! What is reported on: a decomposition, and what its numbers stand for.

use crate::circuit::Circuit;
use crate::decomposition::part::Part;
use crate::decomposition::whole::Decomposition;
use crate::term::Store;

/// A decomposition with what its numbers stand for.
#[derive(Clone, Copy, Debug)]
pub struct DecomposedGame<'a> {
    /// The name of the game.
    pub title: &'a str,
    /// What was found.
    pub found: &'a Decomposition,
    /// The circuit that it was found in.
    pub circuit: &'a Circuit,
    /// The names of the roles.
    pub roles: &'a [String],
    /// The terms of fluents and moves.
    pub store: &'a Store,
}

impl DecomposedGame<'_> {
    /// The fluents of some variables, by place in the circuit.
    pub(in crate::decomposition) fn fluents(&self, variables: &[usize]) -> Vec<usize> {
        let variables = variables.iter();
        let fluents = variables.flat_map(|&variable| &self.found.variables[variable].fluents);
        let mut fluents: Vec<usize> = fluents.copied().collect();
        fluents.sort_unstable();
        fluents
    }

    /// The roles that have a move in a part, with the number of local moves.
    pub(super) fn movers<'s>(&'s self, part: &'s Part) -> impl Iterator<Item = (&'s str, usize)> {
        let moves = self.roles.iter().zip(&part.moves);
        let movers = moves.map(|(role, own)| (role.as_str(), own.classes.len()));
        movers.filter(|&(_, moves)| moves > 0)
    }
}
