//! A hash table of places alone: where something may lie of which a part of the hash is known.
//!
//! Grounding looks up every atom that it derives, and search every state that it computes, in tables that fit in no
//! cache; what counts is how many looks at memory this takes. Here it is one: an entry has place and part of the
//! hash in one word, and lies in the order of these parts, so that the next ones that come into question are its
//! neighbours, and growing goes through both tables from one end to the other.

/// Bits of an entry that are the place, counted from one, so that no entry is zero; those above are the tag.
const PLACE_BITS: u32 = 34;

/// Bits of a tag.
const TAG_BITS: u32 = u64::BITS - PLACE_BITS;

/// The binary logarithm of the fewest slots.
const FEWEST: u32 = 6;

/// The part of a hash that is kept; all of its bits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag(u64);

impl Tag {
    pub(crate) fn of(hash: u64) -> Self {
        Self(hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> PLACE_BITS)
    }
}

/// A place with its tag, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry(u64);

impl Entry {
    const NONE: Self = Self(0);

    fn new(tag: Tag, place: usize) -> Self {
        Self(tag.0 << PLACE_BITS | (place as u64 + 1))
    }

    fn tag(self) -> Tag {
        Tag(self.0 >> PLACE_BITS)
    }

    fn place(self) -> usize {
        ((self.0 & ((1 << PLACE_BITS) - 1)) - 1) as usize
    }
}

/// Places by tag; several may have the same.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Entries, as many as a power of two; one lies in its tag's slot or, where that is taken, in the next that is not.
    slots: Vec<u64>,
    len: usize,
}

impl Default for Places {
    fn default() -> Self {
        Self {
            slots: vec![Entry::NONE.0; 1 << FEWEST],
            len: 0,
        }
    }
}

impl Places {
    /// Memory that it takes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.slots[..])
    }

    /// The first place with a tag that is the right one.
    pub(crate) fn find(&self, tag: Tag, is_right: impl Fn(usize) -> bool) -> Option<usize> {
        let slot = self.slot(tag);
        self.find_from(slot, self.entry(slot), tag, is_right)
    }

    /// The first place with each tag. Memory is waited for only once, since no slot has to be known before the next
    /// one is looked at.
    pub(crate) fn first_of_each(&self, tags: &[Tag]) -> Vec<Option<usize>> {
        let entries = tags.iter().map(|&tag| self.entry(self.slot(tag)));
        let entries: Vec<Entry> = entries.collect();
        let found = tags.iter().zip(entries);
        let found = found.map(|(&tag, entry)| self.find_from(self.slot(tag), entry, tag, |_| true));
        found.collect()
    }

    /// Goes on from a slot, whose entry is given, until the right place or an empty slot is found.
    fn find_from(
        &self,
        mut slot: usize,
        mut entry: Entry,
        tag: Tag,
        is_right: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        // Linear probing: an empty slot ends the run in which the tag could lie.
        while entry != Entry::NONE {
            if entry.tag() == tag && is_right(entry.place()) {
                return Some(entry.place());
            }
            slot = self.after(slot);
            entry = self.entry(slot);
        }
        None
    }

    /// Adds a place that is not there.
    pub(crate) fn insert(&mut self, tag: Tag, place: usize) {
        // A third stays empty, so that an empty slot is never far.
        if self.len * 3 >= self.slots.len() * 2 {
            let twice = vec![Entry::NONE.0; self.slots.len() * 2];
            let entries = std::mem::replace(&mut self.slots, twice)
                .into_iter()
                .map(Entry);
            entries
                // Entries come in the order of their tags and go to slots in that order: both tables are read and written from
                // one end to the other.
                .filter(|&entry| entry != Entry::NONE)
                .for_each(|entry| self.put(entry));
        }
        self.put(Entry::new(tag, place));
        self.len += 1;
    }

    fn put(&mut self, entry: Entry) {
        let mut slot = self.slot(entry.tag());
        while self.entry(slot) != Entry::NONE {
            slot = self.after(slot);
        }
        self.slots[slot] = entry.0;
    }

    fn entry(&self, slot: usize) -> Entry {
        Entry(self.slots[slot])
    }

    /// Where a tag belongs: slots are in the order of tags.
    fn slot(&self, tag: Tag) -> usize {
        let bits = self.slots.len().trailing_zeros();
        if bits <= TAG_BITS {
            (tag.0 >> (TAG_BITS - bits)) as usize
        } else {
            // More slots than tags: each tag begins at a slot of its own, with some behind it that no tag begins at.
            (tag.0 << (bits - TAG_BITS)) as usize
        }
    }

    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a list, with so few tags that many places share one and slots run over at the end of the table.
        #[test]
        fn places_are_found_by_tag(tags in prop::collection::vec((0u64..8, 0u64..4), 0..300)) {
            let tags = tags.into_iter().map(|(high, low)| Tag(high << (TAG_BITS - 3) | low));
            let tags: Vec<Tag> = tags.chain([Tag((1 << TAG_BITS) - 1); 3]).collect();
            let mut places = Places::default();
            for (place, &tag) in tags.iter().enumerate() {
                places.insert(tag, place);
            }
            for (place, &tag) in tags.iter().enumerate() {
                prop_assert_eq!(places.find(tag, |found| found == place), Some(place));
                prop_assert_eq!(places.find(tag, |_| false), None);
            }
            prop_assert_eq!(places.find(Tag(9), |_| true), None);
            let found = places.first_of_each(&tags);
            for (&tag, place) in tags.iter().zip(found) {
                prop_assert_eq!(place.map(|place| tags[place]), Some(tag));
            }
        }
    }
}
