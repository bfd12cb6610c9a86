//! The states that were visited.

use crate::gdl::{MoveId, State};

/// States that a session keeps.
const MOST: usize = 200_000;

/// A state and the way to it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) state: State,
    /// The state before and the joint move made there; none for the initial state.
    pub(super) by: Option<(usize, Vec<MoveId>)>,
    /// The number of joint moves made.
    pub(super) step: usize,
    /// The visited states after this one, in the order in which they were visited first.
    pub(super) after: Vec<usize>,
}

/// All states that were visited, by number, and the one where the session stands.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    pub(super) at: usize,
}

impl Tree {
    pub(super) fn new(initial: State) -> Self {
        let node = Node {
            state: initial,
            by: None,
            step: 0,
            after: Vec::new(),
        };
        Self {
            nodes: vec![node],
            at: 0,
        }
    }

    pub(super) fn get(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// The state after a joint move, if it was made before.
    pub(super) fn after(&self, at: usize, moves: &[MoveId]) -> Option<usize> {
        // Few branches leave one state, so that they are looked through one by one.
        let after = self.nodes[at].after.iter().copied();
        let mut made = after.filter(|&next| {
            let by = self.nodes[next].by.as_ref();
            by.is_some_and(|(_, made)| made == moves)
        });
        made.next()
    }

    /// Adds a state; none if there are too many.
    pub(super) fn add(&mut self, at: usize, moves: Vec<MoveId>, state: State) -> Option<usize> {
        let number = self.nodes.len();
        if number >= MOST {
            return None;
        }
        let step = self.nodes[at].step + 1;
        self.nodes.push(Node {
            state,
            by: Some((at, moves)),
            step,
            after: Vec::new(),
        });
        self.nodes[at].after.push(number);
        Some(number)
    }
}
