//! What roles achieve by one and the same move whenever it is legal: who never leaves a square keeps others from it.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::Plays;
use crate::circuit::lanes::{any, without};
use crate::circuit::{Circuit, Probe, Signal};
use crate::gdl::GoalValue;
use crate::prove::ProofEffort;
use crate::prove::reply::game::{ReplyGame, end_without, values};

/// Choices of moves that are tried for each bound.
const MOST_CHOICES: usize = 8;

/// The part of the effort that may be made to show that one role is enough.
const ALONE: u64 = 10;

/// A move for some roles, by place, which they make whenever it is legal; the others make any.
pub(crate) type ConstantMoves = Vec<Option<usize>>;

/// What a role gets if some roles keep to constant moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConstantPayoff {
    pub(crate) value: GoalValue,
    pub(crate) moves: ConstantMoves,
}

/// Moves that were legal in all states of some plays, by role.
pub(crate) struct ConstantCandidates {
    moves: Vec<Vec<usize>>,
}

impl ConstantCandidates {
    /// Plays 256 games.
    pub(crate) fn of(game: ReplyGame<'_>) -> Self {
        let circuit = game.circuit;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(game.effort.seed);
        let mut probe = Probe::new(circuit, &mut random);
        let plays = Plays::record(circuit, &mut probe);
        let all = circuit.moves.iter().map(|moves| (0..moves.len()).collect());
        let mut left: Vec<Vec<usize>> = all.collect();
        for (state, &reached) in plays.states.iter().zip(&plays.reached) {
            probe.enter(state);
            let going = without(reached, probe.terminal());
            for (role, moves) in left.iter_mut().enumerate() {
                moves.retain(|&mv| !any(without(going, probe.legal(role, mv))));
            }
        }
        Self { moves: left }
    }

    /// The lowest value that the others are proved to keep a role to by constant moves, if it is less than another one.
    pub(crate) fn kept_to(
        &self,
        game: ReplyGame<'_>,
        role: usize,
        known: GoalValue,
    ) -> Option<ConstantPayoff> {
        let mut best: Option<ConstantPayoff> = None;
        for moves in self.against(role) {
            let known = best.as_ref().map_or(known, |best| best.value);
            let lower = values(game.circuit, role).into_iter();
            let lower = lower.filter(|&value| value < known);
            let bounds = lower.map(|most| (most, move |value: GoalValue| value <= most));
            best = proved(game, role, moves, bounds).or(best);
        }
        best.map(|best| alone(game, role, best))
    }

    /// Moves of all other roles that have some.
    fn against(&self, role: usize) -> Vec<ConstantMoves> {
        let most = self.moves.iter().map(Vec::len).max().unwrap_or(0);
        let choice = |number: usize| {
            let others = self.moves.iter().enumerate();
            let moves = others.map(|(other, moves)| {
                let own = moves.get(number).or(moves.last());
                own.copied().filter(|_| other != role)
            });
            moves.collect()
        };
        let mut choices: Vec<ConstantMoves> = (0..most.min(MOST_CHOICES)).map(choice).collect();
        choices.dedup();
        choices
    }

    /// The highest value that a role is proved to get by a constant move, if it is more than another one.
    pub(crate) fn forced(
        &self,
        game: ReplyGame<'_>,
        role: usize,
        known: Option<GoalValue>,
    ) -> Option<ConstantPayoff> {
        let mut best: Option<ConstantPayoff> = None;
        for &mv in self.moves[role].iter().take(MOST_CHOICES) {
            let mut moves = vec![None; game.circuit.moves.len()];
            moves[role] = Some(mv);
            let known = best.as_ref().map(|best| best.value).or(known);
            let higher = values(game.circuit, role).into_iter().rev();
            let higher = higher.filter(|&value| Some(value) > known);
            let bounds = higher.map(|least| (least, move |value: GoalValue| value >= least));
            best = proved(game, role, moves, bounds).or(best);
        }
        best
    }
}

/// What one of several roles achieves alone, if it is as much as all of them do and shown with less effort: that says more.
fn alone(game: ReplyGame<'_>, role: usize, found: ConstantPayoff) -> ConstantPayoff {
    let ConstantPayoff { value, moves } = &found;
    let others = (0..moves.len()).filter(|&other| moves[other].is_some());
    if others.clone().count() < 2 {
        return found;
    }
    let effort = ProofEffort {
        assignments: game.effort.assignments / ALONE,
        ..game.effort
    };
    let game = ReplyGame { effort, ..game };
    let mut alone = others.filter_map(|other| {
        let mut own = vec![None; moves.len()];
        own[other] = moves[other];
        let bound = (*value, |payoff: GoalValue| payoff <= *value);
        proved(game, role, own, std::iter::once(bound))
    });
    alone.next().unwrap_or(found)
}

/// The first of some bounds, the best ones first, that all payoffs of a role satisfy where roles keep to constant moves.
fn proved(
    game: ReplyGame<'_>,
    role: usize,
    moves: ConstantMoves,
    bounds: impl Iterator<Item = (GoalValue, impl Fn(GoalValue) -> bool)>,
) -> Option<ConstantPayoff> {
    let mut bounds = bounds.peekable();
    if moves.iter().all(Option::is_none) || bounds.peek().is_none() {
        return None;
    }
    let mut kept = kept(game.circuit, &moves);
    let bounds: Vec<(GoalValue, Signal)> = bounds
        .map(|(value, is_admitted)| (value, end_without(&mut kept, role, is_admitted)))
        .collect();
    let bad: Vec<Signal> = bounds.iter().map(|&(_, bad)| bad).collect();
    let reached = game.reached(&kept, &bad);
    // What satisfies a bound satisfies those after it.
    let best = reached.iter().position(|&is_reached| !is_reached)?;
    let (value, bad) = bounds[best];
    // Nothing is remembered of the moves of the others.
    let last = kept.fluents.len()..kept.fluents.len();
    let is_proved = game.is_unreachable(&Arc::new(kept), last, bad);
    is_proved.then_some(ConstantPayoff { value, moves })
}

/// The circuit in which roles keep to constant moves.
fn kept(circuit: &Circuit, moves: &[Option<usize>]) -> Circuit {
    let mut kept = circuit.clone();
    for (role, constant) in moves.iter().enumerate() {
        let Some(constant) = *constant else {
            continue;
        };
        let is_legal = circuit.moves[role][constant].legal;
        for (place, mv) in circuit.moves[role].iter().enumerate() {
            if place != constant {
                kept.moves[role][place].legal = kept.gates.and(&mut vec![mv.legal, !is_legal]);
            }
        }
    }
    kept
}
