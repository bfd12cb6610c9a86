//! What makes up a board: its coordinates, what stands on its cells, and which arguments of moves name them.

use crate::term::{Functor, TermId};

/// A board, with everything that is on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// What stands on its cells, the fluent that has contents first.
    pub layers: Vec<Layer>,
    /// The values of the first coordinate, in order.
    pub columns: Vec<TermId>,
    /// The values of the second coordinate, in order.
    pub rows: Vec<TermId>,
    /// The argument of the first layer that tells boards apart, with its values.
    pub plane: Option<(usize, Vec<TermId>)>,
    /// What can be on a cell, in order of first occurrence in the rules.
    pub pieces: Vec<TermId>,
    /// What is on most cells at the start.
    pub background: Option<TermId>,
    /// Which arguments of moves name cells.
    pub namings: Vec<Naming>,
}

/// A fluent whose instances are on the cells of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The fluent.
    pub fluent: Functor,
    /// The argument that is the column.
    pub column: usize,
    /// The argument that is the row.
    pub row: usize,
    /// The arguments that say what is there; none if the fluent itself does.
    pub contents: Vec<usize>,
}

/// What an argument, or two of them, name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A cell: the arguments that are its column and its row.
    Cell(usize, usize),
    /// A whole column.
    Column(usize),
    /// A whole row.
    Row(usize),
}

/// What a move names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// The move.
    pub mv: Functor,
    /// What its arguments name, from left to right.
    pub named: Vec<Named>,
}
