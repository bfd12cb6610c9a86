//! Groups of fluents of which at most one holds: what is known of the others where one does.

use rustc_hash::FxHashMap;

use crate::circuit::gates::Signal;
use crate::circuit::planning::restrict::Assumed;

/// Fluents by the groups of which at most one holds.
pub(super) struct Groups {
    /// By place, the number of the group.
    of: FxHashMap<usize, usize>,
    members: Vec<Vec<usize>>,
    /// By place, its source among the gates.
    holds: Vec<Signal>,
}

impl Groups {
    pub(super) fn new(members: Vec<Vec<usize>>, holds: Vec<Signal>) -> Self {
        let numbered = members.iter().enumerate();
        let of =
            numbered.flat_map(|(number, group)| group.iter().map(move |&place| (place, number)));
        Self {
            of: of.collect(),
            members,
            holds,
        }
    }

    /// What is true if a fluent holds.
    pub(super) fn holds(&self, place: usize) -> Signal {
        self.holds[place]
    }

    /// Takes it that a fluent holds, so that the others of its group do not.
    pub(super) fn assume(&self, assumed: &mut Assumed, place: usize) {
        assumed.insert(self.holds[place]);
        if let Some(&group) = self.of.get(&place) {
            let others = self.members[group].iter().filter(|&&other| other != place);
            let others = others.filter(|&&other| self.holds[other].constant().is_none());
            others.for_each(|&other| assumed.insert(!self.holds[other]));
        }
    }
}
