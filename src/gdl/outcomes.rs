//! How each of a series of playouts went, playout by playout: columns of numbers, for whoever computes with them.

use crate::gdl::goal::{Goal, GoalValue};
use crate::gdl::playout::{Ending, Playout};

/// How playouts went, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    roles: usize,
    /// Joint moves made.
    pub lengths: Vec<u64>,
    /// Whether a terminal state was reached.
    pub finished: Vec<bool>,
    /// What the roles got, playout by playout, one value a role; none in playouts that did not finish, and where the
    /// rules give no value or several.
    pub values: Vec<Option<GoalValue>>,
}

impl Outcomes {
    /// Of so many playouts for so many roles, none of which was made.
    pub fn new(roles: usize, playouts: usize) -> Self {
        Self {
            roles,
            lengths: vec![0; playouts],
            finished: vec![false; playouts],
            values: vec![None; playouts * roles],
        }
    }

    /// The number of playouts.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are no playouts.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Notes how a playout went.
    pub fn put(&mut self, number: usize, playout: &Playout) {
        match &playout.ending {
            Ending::Terminal(goals) => self.finish(number, playout.length, goals),
            Ending::NoLegalMove(_) | Ending::TooLong => self.give_up(number, playout.length),
        }
    }

    /// Notes that a playout reached a terminal state, and what it is worth.
    pub(crate) fn finish(&mut self, number: usize, length: u64, goals: &[Goal]) {
        self.lengths[number] = length;
        self.finished[number] = true;
        let values = &mut self.values[number * self.roles..][..self.roles];
        for (value, goal) in values.iter_mut().zip(goals) {
            *value = goal.value();
        }
    }

    /// Notes that a playout was given up.
    pub(crate) fn give_up(&mut self, number: usize, length: u64) {
        self.lengths[number] = length;
    }
}
