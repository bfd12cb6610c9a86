//! Things in one list, group after group.

use std::ops::Range;

/// Things by the number of the group that they belong to.
#[derive(Clone, Debug)]
pub(in crate::circuit) struct Grouped<T> {
    /// Where each group ends.
    pub(in crate::circuit) ends: Vec<u32>,
    pub(in crate::circuit) items: Vec<T>,
}

impl<T: Clone + Default> Grouped<T> {
    /// So many groups; things keep their order within each.
    pub(in crate::circuit) fn new(
        groups: usize,
        items: impl Iterator<Item = (usize, T)> + Clone,
    ) -> Self {
        let mut ends = vec![0; groups];
        // Counting sort: sizes, then starts, then each item to the next place of its group.
        items.clone().for_each(|(group, _)| ends[group] += 1);
        let mut end = 0;
        let mut next: Vec<u32> = Vec::with_capacity(groups);
        for size in &mut ends {
            next.push(end);
            end += *size;
            *size = end;
        }
        let mut grouped = vec![T::default(); end as usize];
        for (group, item) in items {
            grouped[next[group] as usize] = item;
            next[group] += 1;
        }
        Self {
            ends,
            items: grouped,
        }
    }

    pub(in crate::circuit) fn of(&self, group: usize) -> &[T] {
        &self.items[range(&self.ends, group)]
    }
}

/// A range among those that end at these places, one behind the other.
pub(in crate::circuit) fn range(ends: &[u32], place: usize) -> Range<usize> {
    let start = match place {
        0 => 0,
        _ => ends[place - 1],
    };
    start as usize..ends[place] as usize
}
