//! What comes after many states: how search asks for a batch at once.
//!
//! What was found is kept in a few buffers that serve batch after batch, since a search that computes a state in
//! less than a microsecond cannot afford to allocate it.

use std::ops::Range;

use crate::gdl::goal::Goal;
use crate::gdl::state::State;
use crate::gdl::vocabulary::MoveId;
use crate::limits::StopReason;

/// Joint moves of a state beyond which it is not expanded: four roles with a hundred moves each have a hundred million.
const MOST_OF_A_STATE: u64 = 1 << 22;

/// Joint moves of all states that are expanded at once, if they are several; they take about 50 bytes each.
const MOST_OF_A_BATCH: u64 = 1 << 20;

/// What comes after one of the states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion<'e> {
    /// The game is over, with these payoffs, one a role.
    End(&'e [Goal]),
    /// Play goes on; there are no successors if some role has no legal move.
    Successors(Successors<'e>),
}

/// Joint moves and where they lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Successors<'e> {
    roles: usize,
    moves: &'e [MoveId],
    states: &'e [State],
}

impl<'e> Successors<'e> {
    /// Each joint move, one move a role, with the state that it leads to.
    pub fn iter(self) -> impl Iterator<Item = (&'e [MoveId], &'e State)> {
        self.moves.chunks_exact(self.roles.max(1)).zip(self.states)
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.states.is_empty()
    }
}

/// What comes after each of some states, or of the first of them where all would take too much room.
#[derive(Clone, Debug)]
pub struct Expansions {
    roles: usize,
    after: Vec<After>,
    /// The payoffs at the ends, one a role.
    goals: Vec<Goal>,
    /// The moves of joint moves, one a role.
    moves: Vec<MoveId>,
    /// Where joint moves lead; those beyond the number of joint moves are of batches before.
    states: Vec<State>,
    /// The number of joint moves.
    joint_moves: usize,
}

/// What comes after a state, by place.
#[derive(Clone, Debug)]
enum After {
    /// Payoffs.
    End(Range<usize>),
    /// Joint moves.
    Successors(Range<usize>),
}

impl Expansions {
    /// Nothing as yet, for a game of so many roles.
    pub fn new(roles: usize) -> Self {
        Self {
            roles,
            after: Vec::new(),
            goals: Vec::new(),
            moves: Vec::new(),
            states: Vec::new(),
            joint_moves: 0,
        }
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        self.after.clear();
        self.goals.clear();
        self.moves.clear();
        self.joint_moves = 0;
    }

    /// Forgets what comes after all but the first states.
    pub(crate) fn truncate(&mut self, states: usize) {
        self.after.truncate(states);
        // States of a batch before stay for their memory, so that only the count shrinks.
        let ends = self.after.iter().rev().filter_map(|after| match after {
            After::End(_) => None,
            After::Successors(range) => Some(range.end),
        });
        self.joint_moves = ends.max().unwrap_or(0);
        self.moves.truncate(self.joint_moves * self.roles);
    }

    /// The number of states of which it is known what comes after.
    pub fn len(&self) -> usize {
        self.after.len()
    }

    /// Whether there is no such state.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    /// What comes after each state, in the order in which they were asked for.
    pub fn iter(&self) -> impl Iterator<Item = Expansion<'_>> {
        self.after.iter().map(|after| match after {
            After::End(goals) => Expansion::End(&self.goals[goals.clone()]),
            After::Successors(range) => Expansion::Successors(Successors {
                roles: self.roles,
                moves: &self.moves[range.start * self.roles..range.end * self.roles],
                states: &self.states[range.clone()],
            }),
        })
    }

    /// All successors of all states, in order.
    pub fn successors(&self) -> &[State] {
        &self.states[..self.joint_moves]
    }

    /// Says of the next state that the game is over, with these payoffs.
    pub(crate) fn end(&mut self, goals: impl IntoIterator<Item = Goal>) {
        let start = self.goals.len();
        self.goals.extend(goals);
        self.after.push(After::End(start..self.goals.len()));
    }

    /// Says of the next state that these moves are legal, by role, and makes room for where all joint moves lead; the
    /// last role's move changes first. Says nothing, and returns false, if the states before it leave no room.
    ///
    /// # Errors
    /// [`StopReason::JointMoveLimit`] if there is no room for these moves alone; then nothing is said of the state.
    pub(crate) fn go_on(&mut self, legal: &[Vec<MoveId>]) -> Result<bool, StopReason> {
        let start = self.joint_moves;
        let number = joint_moves(legal);
        // A state alone may be larger than a batch: one at least is always expanded.
        if !self.after.is_empty() && number.saturating_add(start as u64) > MOST_OF_A_BATCH {
            return Ok(false);
        }
        if number > MOST_OF_A_STATE {
            return Err(StopReason::JointMoveLimit(number));
        }
        let number = number as usize;
        // Joint moves as numbers in a mixed radix, the last role as the lowest digit.
        for joint in 0..number {
            let first = self.moves.len();
            let mut left = joint;
            self.moves.extend(legal.iter().rev().map(|own| {
                let mv = own[left % own.len()];
                left /= own.len();
                mv
            }));
            self.moves[first..].reverse();
        }
        self.joint_moves += number;
        if self.states.len() < self.joint_moves {
            // Never shrunk: states of earlier batches are overwritten and keep their memory.
            self.states.resize_with(self.joint_moves, State::default);
        }
        self.after.push(After::Successors(start..self.joint_moves));
        Ok(true)
    }

    /// The joint moves of the states from a place on: the place of the state, the moves, and where they lead.
    pub(crate) fn steps_mut(
        &mut self,
        first: usize,
    ) -> impl Iterator<Item = (usize, &[MoveId], &mut State)> {
        let open = self.after.iter().enumerate().skip(first);
        let open = open.filter_map(|(place, after)| match after {
            After::End(_) => None,
            After::Successors(range) => Some((place, range)),
        });
        // Ends have no joint moves: the first state behind `first` that goes on says where theirs begin.
        let start = open
            .clone()
            .next()
            .map_or(self.joint_moves, |(_, range)| range.start);
        let from = open.flat_map(|(place, range)| range.clone().map(move |_| place));
        let joint = self.moves[start * self.roles..].chunks_exact(self.roles.max(1));
        let steps = from.zip(joint).zip(&mut self.states[start..]);
        steps.map(|((place, joint), next)| (place, joint, next))
    }
}

/// The number of joint moves.
fn joint_moves(legal: &[Vec<MoveId>]) -> u64 {
    if legal.iter().any(Vec::is_empty) {
        return 0;
    }
    let numbers = legal.iter().map(|own| own.len() as u64);
    numbers.fold(1, u64::saturating_mul)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(ids: &[usize]) -> Vec<MoveId> {
        ids.iter().map(|&id| MoveId::from_index(id)).collect()
    }

    #[test]
    fn joint_moves_are_the_product_of_what_is_legal() {
        let mut expansions = Expansions::new(2);
        for _ in 0..2 {
            expansions.clear();
            expansions.end([Goal::Absent, Goal::Absent]);
            for legal in [[&[0, 1][..], &[2, 3]], [&[0], &[]], [&[1], &[2]]] {
                assert_eq!(expansions.go_on(&legal.map(moves)), Ok(true));
            }
            let from: Vec<usize> = expansions.steps_mut(0).map(|(at, ..)| at).collect();
            assert_eq!(from, [1, 1, 1, 1, 3]);
            assert_eq!(expansions.steps_mut(2).count(), 1);
            assert_eq!(expansions.steps_mut(4).count(), 0);
            let shown: Vec<Vec<Vec<usize>>> = expansions.iter().map(shown).collect();
            let all = vec![vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3]];
            assert_eq!(shown, [vec![], all, vec![], vec![vec![1, 2]]]);
        }
    }

    #[test]
    fn a_state_with_too_many_joint_moves_is_refused() {
        let mut expansions = Expansions::new(4);
        let many = vec![moves(&(0..101).collect::<Vec<_>>()); 4];
        let refused = Err(StopReason::JointMoveLimit(104_060_401));
        assert_eq!(expansions.go_on(&many), refused);
        assert_eq!(expansions.iter().count(), 0);
        let stuck = [many[0].clone(), many[1].clone(), many[2].clone(), vec![]];
        assert_eq!(expansions.go_on(&stuck), Ok(true));
        assert!(expansions.successors().is_empty());
    }

    #[test]
    fn a_batch_ends_before_it_takes_too_much_room() {
        let mut expansions = Expansions::new(2);
        let many = vec![moves(&(0..1_000).collect::<Vec<_>>()); 2];
        assert_eq!(expansions.go_on(&many), Ok(true));
        assert_eq!(expansions.go_on(&many), Ok(false));
        assert_eq!(expansions.len(), 1);
        assert_eq!(expansions.successors().len(), 1_000_000);
        // What is too much for any batch is an error where it comes first.
        let too_many = vec![moves(&(0..3_000).collect::<Vec<_>>()); 2];
        assert_eq!(expansions.go_on(&too_many), Ok(false));
        expansions.clear();
        assert!(expansions.go_on(&too_many).is_err());
    }

    fn shown(expansion: Expansion<'_>) -> Vec<Vec<usize>> {
        match expansion {
            Expansion::End(_) => Vec::new(),
            Expansion::Successors(successors) => successors
                .iter()
                .map(|(joint, _)| joint.iter().map(|mv| mv.index()).collect())
                .collect(),
        }
    }
}
