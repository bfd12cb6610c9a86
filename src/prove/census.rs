//! All states once more, by the rules: what looking at all states said is confirmed by code that shares nothing with it.
//!
//! States are counted breadth first by tabled resolution, which is independent of circuits, and every state and every
//! joint move is asked what the property says, in the words of the rules. That is some thousand times slower than lanes,
//! so that it is done where states are few.

use indexmap::IndexSet;

use crate::gdl::{MoveId, Reasoner, ReasonerError, RoleId, State, Tabled, Vocabulary};

/// Steps of evaluation that a census may take.
const MAX_STEPS: u64 = 20_000_000;

/// States that may be counted.
const MAX_STATES: usize = 5_000;

/// Joint moves that may be counted.
const MAX_MOVES: usize = 30_000;

/// All states that plays reach, and all joint moves.
pub(super) struct Census {
    pub(super) states: IndexSet<State>,
    /// By state, its joint moves and where they lead; none at ends, and where a role is stuck.
    pub(super) moves: Vec<Vec<(Vec<MoveId>, usize)>>,
    pub(super) ends: Vec<bool>,
}

impl Census {
    /// Counts all states; nothing if they are too many.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub(super) fn take(
        tabled: &mut Tabled,
        vocabulary: &mut Vocabulary,
        roles: usize,
    ) -> Result<Option<Self>, ReasonerError> {
        let start = tabled.initial_state(vocabulary)?;
        let mut census = Self {
            states: IndexSet::from([start]),
            moves: Vec::new(),
            ends: Vec::new(),
        };
        // The reasoner counts from its beginning, with what was asked of it before.
        let most = tabled.work() + MAX_STEPS;
        let mut counted = 0;
        // The set is the queue as well: states in the order in which they were found, those behind `moves` still to do.
        while let Some(state) = census.states.get_index(census.moves.len()).cloned() {
            let is_end = tabled.is_terminal(vocabulary, &state)?;
            let mut own = Vec::new();
            if !is_end {
                let Some(joint) = joint_moves(tabled, vocabulary, &state, roles)? else {
                    return Ok(None);
                };
                for joint in joint {
                    let next = tabled.successor(vocabulary, &state, &joint)?;
                    own.push((joint, census.states.insert_full(next).0));
                }
            }
            counted += own.len();
            census.moves.push(own);
            census.ends.push(is_end);
            let is_many = census.states.len() > MAX_STATES || counted > MAX_MOVES;
            if is_many || tabled.work() > most {
                return Ok(None);
            }
        }
        Ok(Some(census))
    }

    /// Moves of the longest play; none if a play can come to a state twice.
    ///
    /// A state is done when all states that it leads to are: `(state, joint moves looked at)` lie on a stack.
    pub(super) fn longest(&self) -> Option<u64> {
        let mut lengths: Vec<Option<u64>> = vec![None; self.moves.len()];
        let mut is_open = vec![false; self.moves.len()];
        let mut stack = vec![(0, 0)];
        is_open[0] = true;
        while let Some((state, looked)) = stack.pop() {
            match self.moves[state].get(looked) {
                None => {
                    let after = self.moves[state].iter();
                    let after = after.filter_map(|&(_, to)| lengths[to]);
                    lengths[state] = Some(after.max().map_or(0, |longest| longest + 1));
                    is_open[state] = false;
                }
                Some(&(_, to)) => {
                    // A state on the way that leads here again is one of a cycle.
                    stack.push((state, looked + 1));
                    if is_open[to] {
                        return None;
                    }
                    if lengths[to].is_none() {
                        is_open[to] = true;
                        stack.push((to, 0));
                    }
                }
            }
        }
        lengths[0]
    }

    /// Whether a role can force, whatever the others do, that a play comes to one of some states.
    pub(super) fn can_force(&self, role: usize, wanted: &[bool]) -> bool {
        // The least fixpoint: what is wanted, and states with a move after which all joint moves lead into it.
        let mut won = wanted.to_vec();
        loop {
            let before = won.iter().filter(|&&won| won).count();
            for state in (0..won.len()).rev() {
                let own = &self.moves[state];
                // A move of the role is safe if each joint move with it leads to a state that is won.
                let is_safe = |mv: MoveId| {
                    let mut joint = own.iter().filter(|(moves, _)| moves[role] == mv);
                    joint.all(|&(_, to)| won[to])
                };
                won[state] = won[state] || own.iter().any(|(moves, _)| is_safe(moves[role]));
            }
            if won.iter().filter(|&&won| won).count() == before {
                return won[0];
            }
        }
    }
}

/// All joint moves of a state, the last role's move changing first; nothing if they are too many.
fn joint_moves(
    tabled: &mut Tabled,
    vocabulary: &mut Vocabulary,
    state: &State,
    roles: usize,
) -> Result<Option<Vec<Vec<MoveId>>>, ReasonerError> {
    let mut joint: Vec<Vec<MoveId>> = vec![Vec::new()];
    let mut legal = Vec::new();
    for role in 0..roles {
        tabled.legal_moves(vocabulary, state, RoleId(role as u32), &mut legal)?;
        let longer = joint
            .iter()
            .flat_map(|start| legal.iter().map(move |&mv| [&start[..], &[mv]].concat()));
        joint = longer.collect();
        if joint.len() > MAX_MOVES {
            return Ok(None);
        }
    }
    Ok(Some(joint))
}
