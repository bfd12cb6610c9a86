//! Plays that come back to a state, and the longest play if there are none.

use std::collections::VecDeque;

use crate::prove::graph::states::Graph;

impl Graph {
    /// The number of moves of the longest play; none if a play can come to a state twice.
    pub(in crate::prove) fn longest(&self) -> Option<u64> {
        // In topological order (Kahn): a state is done when all that lead to it are. States of cycles never are.
        let mut left = self.indegrees();
        let mut open: Vec<usize> = (0..self.len()).filter(|&state| left[state] == 0).collect();
        let mut longest = vec![0u64; self.len()];
        let mut done = 0;
        while let Some(state) = open.pop() {
            done += 1;
            for &to in self.successors(state) {
                let to = to as usize;
                longest[to] = longest[to].max(longest[state] + 1);
                left[to] -= 1;
                if left[to] == 0 {
                    open.push(to);
                }
            }
        }
        (done == self.len()).then(|| longest.into_iter().max().unwrap_or(0))
    }

    /// By state, the number of joint moves that lead to it.
    fn indegrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.len()];
        for &to in &self.successors {
            degrees[to as usize] += 1;
        }
        degrees
    }

    /// The states of a play that comes back to one of them, and the place of that.
    pub(in crate::prove) fn cycle(&self) -> Option<(Vec<usize>, usize)> {
        let is_left = self.between_cycles();
        let mut at = (0..self.len()).find(|&state| is_left[state])?;
        // Each state that is left leads to one that is: going on, some state is met again, which is on a cycle.
        let mut is_met = vec![false; self.len()];
        while !std::mem::replace(&mut is_met[at], true) {
            let mut successors = self.successors(at).iter();
            at = *successors.find(|&&to| is_left[to as usize])? as usize;
        }
        let path = self.path(at);
        let back = self.way_back(at)?;
        let place = path.len() - 1;
        Some(([path, back].concat(), place))
    }

    /// By state, whether it is on a cycle, or comes after one and before another.
    fn between_cycles(&self) -> Vec<bool> {
        let mut is_left = vec![true; self.len()];
        // What no cycle leads to is taken away, from the start on.
        take_away(&mut self.indegrees(), &mut is_left, |state| {
            self.successors(state)
        });
        // What leads to no cycle is taken away as well, backwards.
        let mut after: Vec<u32> = vec![0; self.len()];
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        // States that were not expanded lead nowhere as far as is known, and so are taken away.
        for state in (0..self.expanded()).filter(|&state| is_left[state]) {
            let to = self.successors(state).iter().map(|&to| to as usize);
            for to in to.filter(|&to| is_left[to]) {
                after[state] += 1;
                before[to].push(state as u32);
            }
        }
        take_away(&mut after, &mut is_left, |state| &before[state]);
        is_left
    }

    /// The states of the shortest way from a state back to itself, without the first one.
    fn way_back(&self, state: usize) -> Option<Vec<usize>> {
        let mut parents = vec![u32::MAX; self.len()];
        let mut open = VecDeque::from([state]);
        while let Some(from) = open.pop_front() {
            for &to in self.successors(from) {
                let to = to as usize;
                if to == state {
                    let mut way = vec![state];
                    let mut at = from;
                    while at != state {
                        way.push(at);
                        at = parents[at] as usize;
                    }
                    way.reverse();
                    return Some(way);
                }
                if parents[to] == u32::MAX {
                    parents[to] = from as u32;
                    open.push_back(to);
                }
            }
        }
        None
    }
}

/// Takes away states that nothing leads to any more, one after the other: those with the number 0. Each that goes
/// makes the numbers of its neighbours smaller.
fn take_away<'g>(
    numbers: &mut [u32],
    is_left: &mut [bool],
    neighbours: impl Fn(usize) -> &'g [u32],
) {
    let states = 0..numbers.len();
    let mut open: Vec<usize> = states
        .filter(|&state| is_left[state] && numbers[state] == 0)
        .collect();
    while let Some(state) = open.pop() {
        is_left[state] = false;
        for &other in neighbours(state) {
            let other = other as usize;
            numbers[other] -= 1;
            if numbers[other] == 0 {
                open.push(other);
            }
        }
    }
}
