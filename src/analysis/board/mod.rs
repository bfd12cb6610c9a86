//! Boards: which fluents say what is on the cells of a board, found by their structure.
//!
//! Nothing in the rules says that a game has a board, and no name does; but a board shows. Two arguments of a fluent are
//! coordinates if their values, or those that they have in some states, are ordered ([`order`]). They are the coordinates
//! of its board if, together with at most one argument that tells several boards apart, they decide what else stands in
//! the fluent ([`find`]):
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
mod shape;

use crate::gdl::{Domains, Flow, Game, Keywords};
use crate::term::{Store, TermId};

pub use occupied::Occupied;
pub use shape::{Board, Layer, Named, Naming};

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
