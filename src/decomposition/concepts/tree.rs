//! Sets of parts as a tree.

use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxBuildHasher;

/// Different supports that are put in order.
const MAX_SUPPORTS: usize = 20_000;

/// Sets of which none overlap: each two are disjoint, or one is in the other.
pub(super) struct Tree {
    /// All but the whole.
    sets: Vec<FixedBitSet>,
    /// Whether sets that overlap make up the whole.
    pub(super) overlaps: bool,
}

/// Whether two sets have something in common, and each something of its own.
fn overlap(one: &FixedBitSet, other: &FixedBitSet) -> bool {
    !one.is_disjoint(other) && !one.is_subset(other) && !other.is_subset(one)
}

impl Tree {
    /// The tree of the sets inside of a whole, where those that overlap are put together; none if there are
    /// too many.
    pub(super) fn of(sets: Vec<FixedBitSet>, whole: &FixedBitSet) -> Option<Self> {
        if sets.len() > MAX_SUPPORTS {
            return None;
        }
        // {a,b}, {b,c}, {d} in the whole {a,b,c,d,e} become {a,b,c} and {d}; e is a child by itself.
        let is_inner = |set: &FixedBitSet| !set.is_clear() && set != whole;
        let sets: Vec<FixedBitSet> = sets.into_iter().filter(is_inner).collect();
        // Overlapping sets are joined as they are, not as the unions that some order makes of them: a set that lies
        // in the union of two others may overlap both.
        let mut together: UnionFind<usize> = UnionFind::new(sets.len());
        for one in 0..sets.len() {
            for other in 0..one {
                if !together.equiv(one, other) && overlap(&sets[one], &sets[other]) {
                    together.union(one, other);
                }
            }
        }
        let mut unions: IndexMap<usize, FixedBitSet, FxBuildHasher> = IndexMap::default();
        for (number, set) in sets.iter().enumerate() {
            let union = unions.entry(together.find(number));
            union.or_default().union_with(set);
        }
        // Sets that overlap may make up what is a set by itself, too.
        let mut unions: IndexSet<FixedBitSet, FxBuildHasher> = unions.into_values().collect();
        let overlaps = unions.shift_remove(whole);
        Some(Self {
            sets: unions.into_iter().collect(),
            overlaps,
        })
    }

    /// The largest sets inside of one, and each of what is in none of them by itself.
    pub(super) fn children(&self, whole: &FixedBitSet) -> Vec<FixedBitSet> {
        let is_inside = |set: &&FixedBitSet| set.is_subset(whole) && *set != whole;
        let inside: Vec<&FixedBitSet> = self.sets.iter().filter(is_inside).collect();
        let is_largest = |set: &&FixedBitSet| {
            let mut others = inside.iter().filter(|other| *other != set);
            !others.any(|other| set.is_subset(other))
        };
        let mut children: Vec<FixedBitSet> =
            inside.iter().copied().filter(is_largest).cloned().collect();
        for part in whole.ones() {
            if !children.iter().any(|child| child.contains(part)) {
                let mut single = FixedBitSet::with_capacity(whole.len());
                single.insert(part);
                children.push(single);
            }
        }
        children.sort_by_key(|child| child.minimum());
        children
    }
}
