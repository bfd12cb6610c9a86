//! The instances of rules in the order in which joins find them, each once.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;

use crate::circuit::ground::program::{GroundLiteral, Rules};
use crate::circuit::ground::relation::AtomId;
use crate::circuit::grouped::{Grouped, range};
use crate::term::{Places, Tag};

/// Instances of rules.
#[derive(Debug, Default)]
pub(super) struct Instances {
    heads: Vec<AtomId>,
    /// Where the conditions of each end.
    ends: Vec<u32>,
    conditions: Vec<GroundLiteral>,
    /// Those that may be found again, by content.
    known: Places,
}

impl Instances {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    /// Takes in an instance that no other join finds.
    pub(super) fn push(&mut self, head: AtomId, conditions: &[GroundLiteral]) {
        self.heads.push(head);
        self.conditions.extend_from_slice(conditions);
        self.ends.push(self.conditions.len() as u32);
    }

    /// Takes in an instance, unless it was found before.
    pub(super) fn insert(&mut self, head: AtomId, conditions: &[GroundLiteral]) {
        let tag = tag(head, conditions);
        let is = |other: usize| self.get(other) == (head, conditions);
        if self.known.find(tag, is).is_none() {
            self.known.insert(tag, self.len());
            self.push(head, conditions);
        }
    }

    fn get(&self, instance: usize) -> (AtomId, &[GroundLiteral]) {
        let conditions = &self.conditions[range(&self.ends, instance)];
        (self.heads[instance], conditions)
    }

    /// The instances as rules of so many atoms, those of each atom in the order in which they were found.
    pub(super) fn by_head(&self, atoms: usize) -> Rules {
        let heads = self.heads.iter().zip(0..);
        // Stable: grouped by head, in the order of discovery within.
        let order = Grouped::new(
            atoms,
            heads.map(|(&head, instance)| (head.index(), instance)),
        );
        let mut rules = Rules {
            of: order.ends,
            heads: Vec::with_capacity(self.len()),
            ends: Vec::with_capacity(self.len()),
            conditions: Vec::with_capacity(self.conditions.len()),
        };
        for instance in order.items {
            let (head, conditions) = self.get(instance as usize);
            rules.heads.push(head);
            rules.conditions.extend_from_slice(conditions);
            rules.ends.push(rules.conditions.len() as u32);
        }
        rules
    }
}

fn tag(head: AtomId, conditions: &[GroundLiteral]) -> Tag {
    let mut hasher = FxBuildHasher.build_hasher();
    head.hash(&mut hasher);
    conditions
        .iter()
        .for_each(|literal| literal.hash(&mut hasher));
    Tag::of(hasher.finish())
}
