//! The agenda of propagation, a bit a node: nodes whose change is still to be propagated, and the output bits.

use crate::circuit::incremental::links::Node;

const BITS: Node = u64::BITS;

/// Bits of nodes. Those that are no outputs are taken in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Agenda {
    words: Vec<u64>,
}

impl Agenda {
    pub(super) fn new(words: Vec<u64>) -> Self {
        Self { words }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Puts a node on the agenda, or takes it off if it is there: what changes twice has not changed. For an
    /// output, inverts it.
    #[inline]
    pub(super) fn toggle(&mut self, node: Node) {
        self.toggle_if(node, true);
    }

    /// Toggles a node or does nothing, without a branch.
    #[inline]
    pub(super) fn toggle_if(&mut self, node: Node, condition: bool) {
        self.words[(node / BITS) as usize] ^= u64::from(condition) << (node % BITS);
    }

    /// Puts a node on the agenda.
    #[inline]
    pub(super) fn insert(&mut self, node: Node) {
        self.words[(node / BITS) as usize] |= 1 << (node % BITS);
    }

    /// Takes the first node from some node on that is enabled off the agenda, if it comes before `end`.
    #[inline]
    pub(super) fn take(&mut self, from: Node, end: Node, enabled: &[u64]) -> Option<Node> {
        // First set bit under the mask of what is enabled: disabled nodes keep their bit until they are enabled.
        if from >= end {
            return None;
        }
        let first = (from / BITS) as usize;
        let last = ((end - 1) / BITS) as usize;
        let mut mask = u64::MAX << (from % BITS);
        let words = self.words[first..=last]
            .iter_mut()
            .zip(&enabled[first..=last]);
        for (at, (word, enabled)) in words.enumerate() {
            let bits = *word & enabled & mask;
            if bits != 0 {
                let node = (first + at) as Node * BITS + bits.trailing_zeros();
                if node >= end {
                    return None;
                }
                *word ^= bits & bits.wrapping_neg();
                return Some(node);
            }
            mask = u64::MAX;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(agenda: &mut Agenda, start: Node, end: Node) -> Vec<Node> {
        let mut from = start;
        let next = || {
            let node = agenda.take(from, end, &[u64::MAX; 160])?;
            from = node + 1;
            Some(node)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn nodes_come_in_ascending_order_and_stay_within_bounds() {
        let mut agenda = Agenda::new(vec![0; 160]);
        for node in [9_000, 3, 64, 5_000, 63, 4_096] {
            agenda.toggle(node);
        }
        agenda.toggle(64);
        agenda.toggle(5_000);
        agenda.insert(5_000);
        assert_eq!(take(&mut agenda, 4, 5_000), [63, 4_096]);
        assert_eq!(take(&mut agenda, 0, 10_000), [3, 5_000, 9_000]);
        assert!(take(&mut agenda, 0, 10_000).is_empty());
    }
}
