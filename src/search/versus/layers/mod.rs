//! The strong solution of games in which no state can come at two times: layer by layer, forwards and backwards.
//!
//! A layer has the states that are so many moves from the start. A [`measure`](super::measure) shows that no state is
//! in two layers, so that one layer at a time is worked on: forwards, a layer is expanded in batches and what
//! follows is sorted; backwards, it is expanded again, and what follows is looked up in a table of the next layer
//! alone. No edge is ever stored, and a layer that is not worked on takes two to four bytes a state.

mod accumulated;
mod census;
mod in_memory;
mod layer_game;

use crate::gdl::{MoveId, State, Vocabulary};
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingSetting, Meter};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::value_table::Visit;
use crate::search::versus::worth::Worth;

pub(super) use accumulated::Accumulated;
pub(super) use census::Census;
pub(super) use layer_game::LayerGame;

use in_memory::Layers;

/// States that are expanded at once.
pub(super) const BATCH: usize = 1024;

/// How far the layers have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// All reachable states are there.
    Whole,
    /// A budget is used up.
    Open,
    /// The next layer would take more memory than there is for it.
    TooLarge,
    /// The game has no layers, or several roles choose at once, or there are too many different payoffs.
    Unsuited,
}

/// Layers of states, whatever the width of their codes.
pub(super) trait Layered {
    /// Expands layers until there are so many states, or the next layer would take more than so many bytes.
    fn grow(&mut self, meter: &mut Meter, most: (u64, u64)) -> Result<Growth, Halt>;

    /// Evaluates all states, once all are there.
    fn evaluate(&mut self, meter: &mut Meter) -> Result<Option<Census>, Halt>;

    /// What the start is worth, once all states are evaluated.
    fn value(&self) -> &[Worth];

    /// What the start is worth under backward induction, once all states are evaluated.
    fn induced(&self) -> &[Worth];

    /// Joint moves from the start to the end in which everybody gets what can be forced.
    fn line(&mut self, vocabulary: &mut Vocabulary) -> Vec<Vec<MoveId>>;

    /// The payoffs that ends have.
    fn payoffs(&self) -> Vec<Vec<Worth>>;

    /// Shows all states with what they are worth, once they are evaluated.
    fn visit(&self, visit: &mut Visit<'_>);

    /// What is known of each of some states about a role, once all states are evaluated.
    fn know(&self, role: usize, states: &[State]) -> Vec<Knowledge>;
}

/// The layers of a game with its states packed; none if they are too wide, or no measure shows in which layer a state is.
pub(super) fn layers(
    game: PackedGame,
    setting: &ForcingSetting,
    symmetries: &[Vec<usize>],
) -> Option<Box<dyn Layered>> {
    let words = game.packing.words;
    let asked = (game, &setting.start, symmetries);
    match words {
        0..=1 => Some(Box::new(Layers::<1>::new(asked)?)),
        2 => Some(Box::new(Layers::<2>::new(asked)?)),
        3..=4 => Some(Box::new(Layers::<4>::new(asked)?)),
        _ => None,
    }
}
