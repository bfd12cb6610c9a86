//! Algorithms that need the states of a game to be packed, and are made when they are first needed.

use crate::gdl::Reasoner;
use crate::search::versus::arena::{Arena, ForcingSetting};
use crate::search::versus::packed::PackedGame;

/// An algorithm that needs states to be packed.
pub(super) enum PackedAlgorithm<A: ?Sized> {
    /// Nobody looked as yet.
    Unknown,
    /// What was found so far.
    Some(Box<A>),
    /// There are too many states.
    TooLarge,
    /// It is not for the game.
    None,
}

impl<A: ?Sized> PackedAlgorithm<A> {
    pub(super) fn get(&mut self) -> Option<&mut A> {
        match self {
            PackedAlgorithm::Some(algorithm) => Some(algorithm),
            PackedAlgorithm::Unknown | PackedAlgorithm::TooLarge | PackedAlgorithm::None => None,
        }
    }
}

/// An algorithm on packed states, if the game has a circuit and states are narrow enough.
pub(super) fn on_packed<R: Reasoner, A: ?Sized>(
    arena: &mut Arena<'_, R>,
    algorithm: impl FnOnce(PackedGame, &ForcingSetting, &[Vec<usize>]) -> Option<Box<A>>,
) -> PackedAlgorithm<A> {
    let Some(packed) = arena.packed() else {
        return PackedAlgorithm::None;
    };
    let (game, symmetries) = &*packed;
    let found = algorithm(game.clone(), &arena.setting, symmetries);
    found.map_or(PackedAlgorithm::None, PackedAlgorithm::Some)
}
