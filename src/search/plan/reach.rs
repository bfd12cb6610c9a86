//! What one subgame can be after so many moves in it.
//!
//! Layer by layer, the classes of states that some so many moves lead to. Where only a number of moves
//! matters that is possible at all, a class is met once, as early as it can be.

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::gdl::Reasoner;
use crate::search::halt::Halt;
use crate::search::plan::problem::Problem;
use crate::search::plan::product::{Quotient, StateClass};

/// Classes in all layers of one subgame.
const MAX_MET: usize = 20_000_000;

/// Numbers of moves.
pub(super) type Lengths = FixedBitSet;

/// The classes of one subgame by the number of moves made.
pub(super) struct Reach {
    /// Ascending.
    layers: Vec<Vec<StateClass>>,
    /// By evaluation, by its place, after how many moves it can be.
    pub(super) lengths: IndexMap<usize, Lengths, FxBuildHasher>,
}

impl Reach {
    /// What can be after at most so many moves; without a bound, each class as early as it can be.
    /// Nothing if that is too much.
    pub(super) fn of<R: Reasoner>(
        problem: &Problem<'_, R>,
        quotient: &Quotient,
        longest: Option<usize>,
    ) -> Result<Option<Self>, Halt> {
        let mut reach = Self {
            layers: Vec::new(),
            lengths: IndexMap::default(),
        };
        let mut seen = FixedBitSet::with_capacity(quotient.successors.len());
        let mut layer = vec![quotient.classes[0]];
        let mut met = 0;
        while !layer.is_empty() {
            problem.poll()?;
            met += layer.len();
            if met > MAX_MET {
                return Ok(None);
            }
            let length = reach.layers.len();
            for &class in &layer {
                let evaluation = quotient.evaluations[class.index()];
                let lengths = reach.lengths.entry(evaluation).or_default();
                lengths.grow_and_insert(length);
            }
            let mut next: Vec<StateClass> = Vec::new();
            if longest.is_none_or(|longest| length < longest) {
                let reached = layer
                    .iter()
                    .flat_map(|&class| &quotient.successors[class.index()]);
                next.extend(reached);
            }
            next.sort_unstable();
            next.dedup();
            // Without a bound on moves, a class is kept in the first layer that has it.
            if longest.is_none() {
                seen.extend(layer.iter().map(|class| class.index()));
                next.retain(|&class| !seen.contains(class.index()));
            }
            reach.layers.push(std::mem::replace(&mut layer, next));
        }
        Ok(Some(reach))
    }

    /// Classes that so many moves lead through, the first one left out, to one whose evaluation passes
    /// a test.
    pub(super) fn way(
        &self,
        quotient: &Quotient,
        length: usize,
        is_wanted: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<StateClass>> {
        let is_last = |class: &&StateClass| is_wanted(quotient.evaluations[class.index()]);
        let mut class = *self.layers.get(length)?.iter().find(is_last)?;
        let mut way = Vec::new();
        // Backwards through the layers: some class of the layer before leads here.
        for layer in self.layers[..length].iter().rev() {
            way.push(class);
            let leads = |before: &&StateClass| {
                let successors = &quotient.successors[before.index()];
                successors.binary_search(&class).is_ok()
            };
            class = *layer.iter().find(leads)?;
        }
        way.reverse();
        Some(way)
    }
}
