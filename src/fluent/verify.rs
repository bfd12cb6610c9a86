//! Whether axioms say of every move what the rules say.
//!
//! Two reasoners are asked for the same successors. Where few states can be reached, all are looked
//! at: then equality is proved. Otherwise random playouts lead to states, and in each of them every
//! joint move is tried, or as many as the bounds allow.

use std::collections::VecDeque;
use std::fmt;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::fluent::axioms::GameAxioms;
use crate::fluent::difference::{Difference, Written};
use crate::gdl::{Game, MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary, seed_of};

/// How much is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Reachable states up to which all of them are compared.
    pub states: usize,
    /// Transitions up to which all of them are compared.
    pub transitions: u64,
    /// Random playouts if there are more.
    pub playouts: u64,
    /// Joint moves after which a playout is given up.
    pub length: u64,
    /// Joint moves that are tried in one state of a playout.
    pub joint_moves: usize,
    /// Seed of the playouts.
    pub seed: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            states: 20_000,
            transitions: 200_000,
            playouts: 10,
            length: 1_000,
            joint_moves: 256,
            seed: 0,
        }
    }
}

/// Which of the reachable states were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    /// All, with all their joint moves, or all up to the first difference: without one, equality
    /// is proved.
    Exhausted,
    /// Those that so many random playouts visit.
    Sampled {
        /// Number of playouts.
        playouts: u64,
    },
}

/// The outcome of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Which states were compared.
    pub coverage: Coverage,
    /// Number of states, equal ones counted once, whose joint moves were tried.
    pub states: usize,
    /// Number of successors compared.
    pub transitions: u64,
    /// The first difference; the comparison ends there.
    pub difference: Option<Difference>,
}

/// Compares the successors of two reasoners, of which the first is right.
///
/// Exhaustively if `bounds` have room for all reachable states and their joint moves, else along
/// random playouts. States that are terminal have no successors; a state in which some role has no
/// legal move has none either. Costs two successors a transition.
///
/// # Errors
/// [`ReasonerError`] of either reasoner.
pub fn verify<R: Reasoner, A: Reasoner>(
    rules: &mut R,
    axioms: &mut A,
    vocabulary: &mut Vocabulary,
    roles: u32,
    bounds: &Bounds,
) -> Result<Verification, ReasonerError> {
    let mut comparison = StateComparison {
        rules,
        axioms,
        vocabulary,
        roles,
        bounds,
        known: FxHashSet::default(),
        transitions: 0,
        difference: None,
    };
    if comparison.exhaust()? {
        let states = comparison.known.len();
        return Ok(comparison.outcome(Coverage::Exhausted, states));
    }
    // States that were found and not compared count once a playout compares them.
    comparison.known.clear();
    comparison.transitions = 0;
    let mut playouts = 0;
    while playouts < bounds.playouts && comparison.difference.is_none() {
        comparison.playout(playouts)?;
        playouts += 1;
    }
    let states = comparison.known.len();
    Ok(comparison.outcome(Coverage::Sampled { playouts }, states))
}

struct StateComparison<'c, R, A> {
    rules: &'c mut R,
    axioms: &'c mut A,
    vocabulary: &'c mut Vocabulary,
    roles: u32,
    bounds: &'c Bounds,
    known: FxHashSet<State>,
    transitions: u64,
    difference: Option<Difference>,
}

impl<R: Reasoner, A: Reasoner> StateComparison<'_, R, A> {
    fn outcome(self, coverage: Coverage, states: usize) -> Verification {
        Verification {
            coverage,
            states,
            transitions: self.transitions,
            difference: self.difference,
        }
    }

    /// Compares in all reachable states; whether that came to an end within the bounds.
    fn exhaust(&mut self) -> Result<bool, ReasonerError> {
        let initial = self.rules.initial_state(self.vocabulary)?;
        self.known.insert(initial.clone());
        let mut pending = VecDeque::from([initial]);
        while let Some(state) = pending.pop_front() {
            let legal = self.legal(&state)?;
            let left = self.bounds.transitions.saturating_sub(self.transitions);
            // Before any of them is compared: part of the joint moves of a state would prove nothing of it.
            if number(&legal) > u128::from(left) {
                return Ok(false);
            }
            for joint_move in JointMoves::new(&legal) {
                // With a difference nothing is left to be found, so that the search counts as complete.
                let Some(successor) = self.compare(&state, &joint_move)? else {
                    return Ok(true);
                };
                if !self.known.contains(&successor) {
                    if self.known.len() >= self.bounds.states {
                        return Ok(false);
                    }
                    self.known.insert(successor.clone());
                    pending.push_back(successor);
                }
            }
        }
        Ok(true)
    }

    /// Tries the joint moves of all states on one random way through the game.
    fn playout(&mut self, playout: u64) -> Result<(), ReasonerError> {
        let seed = seed_of(self.bounds.seed, playout);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = self.rules.initial_state(self.vocabulary)?;
        for _ in 0..self.bounds.length {
            let legal = self.legal(&state)?;
            if number(&legal) == 0 {
                return Ok(());
            }
            // A state that several playouts visit is tried once.
            if self.known.insert(state.clone()) && !self.try_all(&state, &legal, &mut random)? {
                return Ok(());
            }
            let joint_move = self.draw(&legal, &mut random);
            state = self.rules.successor(self.vocabulary, &state, &joint_move)?;
        }
        Ok(())
    }

    /// Tries the joint moves of a state, some of them if they are many; false at a difference.
    fn try_all(
        &mut self,
        state: &State,
        legal: &[Vec<MoveId>],
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<bool, ReasonerError> {
        // Few joint moves are tried one by one; of many, some are drawn, perhaps one of them twice.
        let few = number(legal) <= self.bounds.joint_moves as u128;
        let mut all = JointMoves::new(legal);
        for _ in 0..self.bounds.joint_moves {
            let joint_move = if few {
                match all.next() {
                    Some(joint_move) => joint_move,
                    None => break,
                }
            } else {
                self.draw(legal, random)
            };
            if self.compare(state, &joint_move)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn draw(&mut self, legal: &[Vec<MoveId>], random: &mut Xoshiro256PlusPlus) -> Vec<MoveId> {
        legal
            .iter()
            .filter_map(|moves| self.vocabulary.choose(moves, random.random()))
            .collect()
    }

    /// The legal moves of every role; none if the game is over.
    fn legal(&mut self, state: &State) -> Result<Vec<Vec<MoveId>>, ReasonerError> {
        let over = self.rules.is_terminal(self.vocabulary, state)?;
        let mut all = vec![Vec::new(); self.roles as usize];
        if !over {
            for (role, moves) in (0..self.roles).map(RoleId).zip(&mut all) {
                self.rules
                    .legal_moves(self.vocabulary, state, role, moves)?;
            }
        }
        Ok(all)
    }

    /// The successor of a joint move; none if the reasoners do not agree on it.
    fn compare(
        &mut self,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<Option<State>, ReasonerError> {
        let by_rules = self.rules.successor(self.vocabulary, state, joint_move)?;
        let by_axioms = self.axioms.successor(self.vocabulary, state, joint_move)?;
        self.transitions += 1;
        if by_rules == by_axioms {
            return Ok(Some(by_rules));
        }
        self.difference = Some(Difference {
            state: state.clone(),
            joint_move: joint_move.to_vec(),
            by_rules,
            by_axioms,
        });
        Ok(None)
    }
}

/// The number of joint moves; none if there are no roles or one has no legal move.
pub(super) fn number(legal: &[Vec<MoveId>]) -> u128 {
    let numbers = legal.iter().map(|moves| moves.len() as u128);
    match legal {
        [] => 0,
        _ => numbers.fold(1, u128::saturating_mul),
    }
}

/// All choices of one move a role, the last role's changing fastest.
pub(super) struct JointMoves<'m> {
    legal: &'m [Vec<MoveId>],
    /// The choice that comes next.
    choice: Option<Vec<usize>>,
}

impl<'m> JointMoves<'m> {
    pub(super) fn new(legal: &'m [Vec<MoveId>]) -> Self {
        let choice = (number(legal) > 0).then(|| vec![0; legal.len()]);
        Self { legal, choice }
    }
}

impl Iterator for JointMoves<'_> {
    type Item = Vec<MoveId>;

    fn next(&mut self) -> Option<Vec<MoveId>> {
        let mut choice = self.choice.take()?;
        let chosen = choice.iter().zip(self.legal);
        let joint_move = chosen.map(|(&at, moves)| moves[at]).collect();
        for role in (0..choice.len()).rev() {
            choice[role] += 1;
            if choice[role] < self.legal[role].len() {
                self.choice = Some(choice);
                break;
            }
            choice[role] = 0;
        }
        Some(joint_move)
    }
}

impl Verification {
    /// The outcome as a person reads it: what was compared, and the first difference with the
    /// rules it is about.
    pub fn report(
        &self,
        game: &Game,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
    ) -> impl fmt::Display + use<> {
        let difference = self.difference.as_ref();
        VerificationReport {
            verification: self.clone(),
            difference: difference.map(|found| found.written(game, axioms, vocabulary)),
        }
    }
}

struct VerificationReport {
    verification: Verification,
    difference: Option<Written>,
}

impl fmt::Display for VerificationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verification {
            coverage,
            states,
            transitions,
            ..
        } = self.verification;
        let compared = format!("{transitions} successors of {states} states compared");
        let Some(difference) = &self.difference else {
            return match coverage {
                Coverage::Exhausted => write!(
                    f,
                    "{compared}: the axioms agree with the rules in every reachable state"
                ),
                Coverage::Sampled { playouts } => write!(
                    f,
                    "{compared} along {playouts} random playouts: no difference found"
                ),
            };
        };
        write!(
            f,
            "{compared}: the axioms do not agree with the rules\n{difference}"
        )
    }
}
