//! Plays that come back to a state, and the longest play if there are none.

use std::collections::VecDeque;

use crate::prove::graph::states::Graph;

impl Graph {
    /// The number of moves of the longest play; none if a play can come to a state twice.
    pub(in crate::prove) fn longest(&self) -> Option<u64> {
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
        // Whoever goes on among the states that are left is on a cycle in the end.
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
        let mut left = self.indegrees();
        let mut is_left = vec![true; self.len()];
        let mut open: Vec<usize> = (0..self.len()).filter(|&state| left[state] == 0).collect();
        while let Some(state) = open.pop() {
            is_left[state] = false;
            for &to in self.successors(state) {
                left[to as usize] -= 1;
                if left[to as usize] == 0 {
                    open.push(to as usize);
                }
            }
        }
        // What leads to no cycle is taken away as well, backwards.
        let mut after: Vec<u32> = vec![0; self.len()];
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        for state in (0..self.expanded()).filter(|&state| is_left[state]) {
            for &to in self
                .successors(state)
                .iter()
                .filter(|&&to| is_left[to as usize])
            {
                after[state] += 1;
                before[to as usize].push(state as u32);
            }
        }
        let ends = (0..self.len()).filter(|&state| is_left[state] && after[state] == 0);
        let mut open: Vec<usize> = ends.collect();
        while let Some(state) = open.pop() {
            is_left[state] = false;
            for &from in &before[state] {
                after[from as usize] -= 1;
                if after[from as usize] == 0 {
                    open.push(from as usize);
                }
            }
        }
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
