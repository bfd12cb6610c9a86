//! States in order of discovery, each with the move that led to it.

use crate::gdl::{MoveId, State, States};
use crate::search::plan::outcome::Plan;

/// How a state was first reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// The state before, by place.
    pub(super) from: usize,
    pub(super) mv: MoveId,
}

/// Distinct states with the ways to them.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    states: States,
    /// How all but the first were reached.
    arrivals: Vec<Arrival>,
}

impl Tree {
    /// The tree of one state.
    pub(super) fn new(root: &State) -> Self {
        Self {
            states: States::of(root),
            arrivals: Vec::new(),
        }
    }

    /// Adds a state; gives its place, and whether it is new.
    pub(super) fn insert(&mut self, state: &State, arrival: Arrival) -> (usize, bool) {
        let (place, is_new) = self.states.insert(state);
        // Place n has arrival n − 1, as the root has none.
        self.arrivals.extend(is_new.then_some(arrival));
        (place, is_new)
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Says of each of many states whether it is known.
    pub(super) fn look_up(&self, states: &[State], known: &mut Vec<bool>) {
        self.states.look_up(states, known);
    }

    /// Replaces `states` by those from a place on, at most so many.
    pub(super) fn get_many(&self, from: usize, most: usize, states: &mut Vec<State>) {
        self.states.get_many(from, most, states);
    }

    pub(super) fn state(&self, place: usize) -> Option<State> {
        self.states.get(place)
    }

    /// The moves from the root to a state.
    pub(super) fn plan(&self, place: usize) -> Plan {
        let mut plan = Plan::new();
        let mut at = place;
        while let Some(arrival) = at.checked_sub(1).and_then(|at| self.arrivals.get(at)) {
            plan.push(arrival.mv);
            at = arrival.from;
        }
        plan.reverse();
        plan
    }
}
