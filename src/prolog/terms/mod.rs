//! Terms on the heap of the machine, and the walks over them.
//!
//! ```text
//! cell       words, and what their tags mean    atoms     symbols with a fixed number
//! number     integers and floats               operations  on numbers
//! meter      limits of walks                   lexical   atoms and numbers as text
//! workspace  stacks of walks                    heap      cells, bindings and their trail
//! rational   walks that end on cyclic terms     record    copies outside the heap
//! intern     terms as ids of the store          unify, compare, write
//! error      what interrupts the machine, and error terms
//! ```

pub(super) mod atoms;
pub(super) mod cell;
pub(super) mod compare;
pub(super) mod error;
pub(super) mod heap;
pub(super) mod intern;
pub(super) mod lexical;
pub(super) mod meter;
pub(super) mod number;
pub(super) mod operations;
pub(super) mod rational;
pub(super) mod record;
pub(super) mod unify;
pub(super) mod workspace;
pub(super) mod write;
