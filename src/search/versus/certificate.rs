//! Certificates: strategies that prove what a role can force, and what the others can keep it from, and their check.
//!
//! A strategy says what its side does in each state to which it leads and where its side has a choice. The check plays
//! it against every answer of the other side, by the rules alone, whatever way the strategy was found.
//! A strategy for *at least v* must also come to an end, so that no state may come again on a play; one for *at most
//! v* need not, since a play without end is worth less than any payoff.

use rustc_hash::FxHashMap;

use crate::gdl::{MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary};
use crate::search::versus::worth::Worth;

/// What is claimed of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It can force so much.
    AtLeast(Worth),
    /// The others can keep it from more.
    AtMost(Worth),
}

/// How a claim comes true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The role of whose payoff something is claimed.
    pub role: RoleId,
    /// What is claimed.
    pub claim: Claim,
    /// What the side does.
    pub moves: StrategyMoves,
}

/// What a side does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyMoves {
    /// The moves of its roles, in order of roles, by state; states in which it has no choice may be missing.
    ByState(Vec<(State, Vec<MoveId>)>),
    /// Of a side of one role against another one: the move that it begins with, if that matters, and after moves of the
    /// other role its answer. Where there is none, or it is not legal, the side makes any move.
    Replies {
        /// The first move.
        opening: Option<MoveId>,
        /// Moves of the other role, each with the answer.
        replies: Vec<(MoveId, MoveId)>,
    },
    /// Roles of the side that make one and the same move whenever it is legal; they and the others make any otherwise.
    Constant(Vec<(RoleId, MoveId)>),
}

/// A state on a play, with the move of the other role that is to be answered, if one is.
type Position = (State, Option<MoveId>);

/// Why a strategy proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refutation {
    /// It does not say what to do in a state to which it leads.
    Missing(State),
    /// It has a move that is not legal.
    Illegal(State, RoleId, MoveId),
    /// It comes to an end that is not worth what is claimed.
    Worse(State),
    /// It may come back to a state, so that it need not end.
    Endless(State),
    /// It comes to a state that is no end, and some role has no move.
    Stuck(State),
}

/// Why a check came to no result, or to a bad one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unchecked {
    /// The strategy is not one.
    Refuted(Refutation),
    /// The reasoner was stopped or failed.
    Reasoner(ReasonerError),
}

impl From<ReasonerError> for Unchecked {
    fn from(error: ReasonerError) -> Self {
        Unchecked::Reasoner(error)
    }
}

impl Strategy {
    /// The roles of the side whose strategy it is, among so many.
    pub fn side(&self, roles: usize) -> Vec<RoleId> {
        side((self.role, self.claim), roles)
    }
}

/// The roles of the side by which a claim about a role comes true, among so many.
pub(super) fn side((role, claim): (RoleId, Claim), roles: usize) -> Vec<RoleId> {
    let all = (0..roles as u32).map(RoleId);
    let is_own = |other: &RoleId| match claim {
        Claim::AtLeast(_) => *other == role,
        Claim::AtMost(_) => *other != role,
    };
    all.filter(is_own).collect()
}

/// What a state on the current play has still to be tried against.
struct PlayFrame {
    position: Position,
    left: Vec<Position>,
}

/// Plays a strategy from a state against all answers; gives the number of states that it leads to.
///
/// # Errors
/// [`Unchecked`].
pub fn check<R: Reasoner>(
    reasoner: &mut R,
    vocabulary: &mut Vocabulary,
    start: &State,
    (strategy, roles): (&Strategy, usize),
) -> Result<u64, Unchecked> {
    let mut replay = StrategyPlay::new(reasoner, strategy, roles);
    // By state, whether it is on the current play.
    let mut met: FxHashMap<Position, bool> = FxHashMap::default();
    let position = (start.clone(), None);
    let mut path = vec![PlayFrame {
        left: replay.answers(vocabulary, &position, true)?,
        position: position.clone(),
    }];
    met.insert(position, true);
    while let Some(frame) = path.last_mut() {
        let Some(next) = frame.left.pop() else {
            met.insert(std::mem::take(&mut frame.position), false);
            path.pop();
            continue;
        };
        match (met.get(&next), strategy.claim) {
            (None, _) => {}
            // A state on the current play again is a cycle, on which the play need not end. A state that was left
            // has been tried against everything.
            (Some(true), Claim::AtLeast(_)) => {
                return Err(Unchecked::Refuted(Refutation::Endless(next.0)));
            }
            (Some(_), _) => continue,
        }
        met.insert(next.clone(), true);
        path.push(PlayFrame {
            left: replay.answers(vocabulary, &next, false)?,
            position: next,
        });
    }
    Ok(met.len() as u64)
}

/// A strategy that is played by the rules.
struct StrategyPlay<'s, R> {
    reasoner: &'s mut R,
    strategy: &'s Strategy,
    /// By state, the moves of the side.
    choices: FxHashMap<&'s State, &'s Vec<MoveId>>,
    /// By move of the other role, the answer.
    replies: FxHashMap<MoveId, MoveId>,
    side: Vec<RoleId>,
    roles: usize,
}

fn refuted<T>(refutation: Refutation) -> Result<T, Unchecked> {
    Err(Unchecked::Refuted(refutation))
}

impl<'s, R: Reasoner> StrategyPlay<'s, R> {
    fn new(reasoner: &'s mut R, strategy: &'s Strategy, roles: usize) -> Self {
        let (mut choices, mut replies) = (FxHashMap::default(), FxHashMap::default());
        match &strategy.moves {
            StrategyMoves::ByState(all) => {
                choices.extend(all.iter().map(|(state, moves)| (state, moves)));
            }
            StrategyMoves::Replies { replies: all, .. } => replies.extend(all.iter().copied()),
            StrategyMoves::Constant(_) => {}
        }
        Self {
            side: strategy.side(roles),
            choices,
            replies,
            strategy,
            roles,
            reasoner,
        }
    }

    /// Where a state may lead if the side follows its strategy; nothing at an end that is as claimed.
    fn answers(
        &mut self,
        vocabulary: &mut Vocabulary,
        (state, before): &Position,
        is_start: bool,
    ) -> Result<Vec<Position>, Unchecked> {
        if self.reasoner.is_terminal(vocabulary, state)? {
            self.require_worth(vocabulary, state)?;
            return Ok(Vec::new());
        }
        let mut legal = vec![Vec::new(); self.roles];
        for (role, moves) in (0u32..).zip(&mut legal) {
            self.reasoner
                .legal_moves(vocabulary, state, RoleId(role), moves)?;
        }
        // A play that cannot go on is worth less than any payoff: too little for the one claim, enough for the other.
        if legal.iter().any(Vec::is_empty) {
            return match self.strategy.claim {
                Claim::AtLeast(_) => refuted(Refutation::Stuck(state.clone())),
                Claim::AtMost(_) => Ok(Vec::new()),
            };
        }
        match &self.strategy.moves {
            StrategyMoves::ByState(_) => self.restrict(state, &mut legal)?,
            StrategyMoves::Constant(moves) => {
                for (role, mv) in moves {
                    keep_to(&mut legal[role.0 as usize], *mv);
                }
            }
            StrategyMoves::Replies { opening, .. } => {
                let answer = before.and_then(|before| self.replies.get(&before).copied());
                let opening = opening.filter(|_| is_start);
                if let (Some(mv), [role]) = (answer.or(opening), &self.side[..]) {
                    keep_to(&mut legal[role.0 as usize], mv);
                }
            }
        }
        self.successors(vocabulary, state, &legal)
    }

    /// Refutes the strategy if an end is not worth what is claimed.
    fn require_worth(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<(), Unchecked> {
        let goal = self.reasoner.goal(vocabulary, state, self.strategy.role)?;
        let worth = goal.value().map_or(Worth::NONE, Worth::of);
        let is_as_claimed = match self.strategy.claim {
            Claim::AtLeast(least) => worth >= least,
            Claim::AtMost(most) => worth <= most,
        };
        if is_as_claimed {
            Ok(())
        } else {
            refuted(Refutation::Worse(state.clone()))
        }
    }

    /// Leaves each role of the side its move of the strategy alone.
    fn restrict(&self, state: &State, legal: &mut [Vec<MoveId>]) -> Result<(), Unchecked> {
        let Some(moves) = self.choices.get(state) else {
            let mut own = self.side.iter().map(|role| &legal[role.0 as usize]);
            return if own.all(|moves| moves.len() == 1) {
                Ok(())
            } else {
                refuted(Refutation::Missing(state.clone()))
            };
        };
        for (&role, &mv) in self.side.iter().zip(*moves) {
            let own = &mut legal[role.0 as usize];
            if !own.contains(&mv) {
                return refuted(Refutation::Illegal(state.clone(), role, mv));
            }
            *own = vec![mv];
        }
        Ok(())
    }

    /// The states to which joint moves lead, each once.
    fn successors(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        legal: &[Vec<MoveId>],
    ) -> Result<Vec<Position>, Unchecked> {
        let number: usize = legal.iter().map(Vec::len).product();
        let mut answers = Vec::with_capacity(number);
        for joint in 0..number {
            // A number in mixed radix: with 2 and 3 moves, joint move 5 is move 1 of the first role (5 mod 2) and
            // move 2 of the second (5 div 2 mod 3).
            let mut stride = 1;
            let moves = legal.iter().map(|own| {
                let mv = own[joint / stride % own.len()];
                stride *= own.len();
                mv
            });
            let moves: Vec<MoveId> = moves.collect();
            let others = (0u32..).zip(&moves);
            let mut others = others.filter(|(role, _)| !self.side.contains(&RoleId(*role)));
            let answered = others.find(|(_, mv)| self.replies.contains_key(mv));
            let answered = answered.map(|(_, &mv)| mv);
            let next = self.reasoner.successor(vocabulary, state, &moves)?;
            answers.push((next, answered));
        }
        answers.sort_unstable();
        answers.dedup();
        Ok(answers)
    }
}

/// Leaves a move alone where it is legal.
fn keep_to(legal: &mut Vec<MoveId>, mv: MoveId) {
    if legal.contains(&mv) {
        *legal = vec![mv];
    }
}
