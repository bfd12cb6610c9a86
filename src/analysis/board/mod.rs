//! Boards: which fluents say what is on the cells of a board, found by their structure.
//!
//! Nothing in the rules says that a game has a board, and no name does; but a board shows. Two arguments of a fluent are
//! coordinates if their values have an order ([`order`]), and they are the coordinates of its board if, together with at
//! most one argument that tells several boards apart, they decide what else stands in the fluent ([`find`]):
//!
//! ```text
//! (cell 1 3 x) (cell 2 3 b) …     1 2 3 and 1 2 3 are ordered, a cell has one content: a board of three by three
//! (queen 2 5)                     both are ordered: a board with a mark
//! (heap 1 7) (heap 2 4)           every first value has one second value: a function, which a table shows
//! (on a b)                        no order: a table
//! ```
//!
//! Which moves are about which cells is read off the values that can stand in them ([`naming`]).

mod find;
mod naming;
mod occupied;
mod order;

use crate::gdl::{Domains, Flow, Game, Keywords};
use crate::term::{Functor, Store, TermId};

pub use naming::{Named, Naming};
pub use occupied::Occupied;

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

/// The boards of a game. `samples` are the fluents of some states, the initial one first: what a cell decides there is
/// taken for what it always decides, which is right or a matter of looks.
pub fn boards(game: &Game, store: &mut Store, samples: &[Vec<TermId>]) -> Vec<Board> {
    let keywords = Keywords::of(store);
    let domains = Domains::of(store, &keywords, game.clauses());
    let flow = Flow::of(store, &keywords, game.clauses());
    let chains = order::chains(store, game.clauses());
    let layers = find::layers(store, &domains, &chains, samples);
    let mut boards = find::join(layers);
    for board in &mut boards {
        find::describe(store, &domains, samples.first(), board);
        board.namings = naming::namings(&domains, &flow, board);
    }
    boards
}
