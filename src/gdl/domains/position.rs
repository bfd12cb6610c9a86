//! Places at which terms stand.

use crate::gdl::keyword::{Keyword, Keywords};
use crate::term::Functor;

/// A place at which terms stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// The fluents: the argument of `true`, `init` and `next`.
    Fluents,
    /// The moves: the second argument of `legal` and `does`.
    Moves,
    /// An argument, from 0, of any other relation. The first arguments of `legal` and `does` are
    /// one position, that of `legal`.
    Argument(Functor, u32),
}

impl Position {
    /// The position of an argument, from 0, of an atom.
    pub fn of(keywords: &Keywords, predicate: Functor, index: u32) -> Self {
        match (keywords.predicate(predicate), index) {
            (Some(Keyword::True | Keyword::Init | Keyword::Next), 0) => Position::Fluents,
            (Some(Keyword::Legal | Keyword::Does), 1) => Position::Moves,
            (Some(Keyword::Does), 0) => Position::Argument(keywords.functor(Keyword::Legal), index),
            _ => Position::Argument(predicate, index),
        }
    }
}
