//! What roles force by fixed answers to each move of the other one, or by one and the same move, proved without a search.

use std::sync::Arc;

use crate::circuit::Circuit;
use crate::gdl::{MoveId, Reasoner, RoleId};
use crate::prove::{ConstantCandidates, ForcedPayoff, ReplyGame, ReplyRules, best_replies};
use crate::search::versus::arena::Arena;
use crate::search::versus::assured::SMALL_EFFORT;
use crate::search::versus::certificate::Claim;
use crate::search::versus::start::StartBounds;
use crate::search::versus::worth::{Bounds, Worth};

/// What a role forces, and how: it answers each move of the other role by a fixed one, and makes any legal move where that
/// one is not legal, or where there is nothing to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplyStrategy {
    /// The role.
    pub role: RoleId,
    /// What it gets at least.
    pub at_least: Worth,
    /// The move that it begins with; none if it may begin with any.
    pub opening: Option<MoveId>,
    /// Moves of the other role, each with the answer.
    pub replies: Vec<(MoveId, MoveId)>,
}

/// What roles achieve by making one and the same move each whenever it is legal: for a role itself, or for the others, who
/// keep it from more.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConstantStrategy {
    /// The role whose payoff is bounded.
    pub role: RoleId,
    /// What it gets.
    pub claim: Claim,
    /// The roles that keep to a move, and these moves.
    pub moves: Vec<(RoleId, MoveId)>,
}

/// What two roles force by fixed answers, if every play pays both; tightens what is known of the start.
pub(super) fn replies<R: Reasoner>(
    arena: &mut Arena<'_, R>,
    sum: Option<u32>,
    start: &mut StartBounds,
) -> Vec<ReplyStrategy> {
    let Some(circuit) = arena.setting.circuit.clone() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for role in 0..2 {
        let game = reply_game(arena, &circuit);
        let Bounds { at_least, at_most } = start.bounds()[role];
        let Some(most) = at_most.value() else {
            continue;
        };
        let forced = best_replies(game, (role, 1 - role), (at_least.value(), most));
        let Some(ForcedPayoff { value, rules }) = forced else {
            continue;
        };
        let bounds = Bounds {
            at_least: Worth::of(value),
            at_most: Worth::MOST,
        };
        start.claim(role, Claim::AtLeast(bounds.at_least));
        if let Some(sum) = sum {
            start.mirror(role, (bounds, sum));
        }
        let ReplyRules { opening, replies } = rules;
        let mut id =
            |role: usize, place: usize| arena.vocabulary.mv(circuit.moves[role][place].term);
        let opening = opening.map(|place| id(role, place));
        let replies = replies.into_iter();
        found.push(ReplyStrategy {
            role: RoleId(role as u32),
            at_least: Worth::of(value),
            opening,
            replies: replies
                .map(|(mv, reply)| (id(1 - role, mv), id(role, reply)))
                .collect(),
        });
    }
    found
}

/// What roles force by constant moves, if every play pays all; tightens what is known of the start.
pub(super) fn constants<R: Reasoner>(
    arena: &mut Arena<'_, R>,
    start: &mut StartBounds,
) -> Vec<ConstantStrategy> {
    let Some(circuit) = arena.setting.circuit.clone() else {
        return Vec::new();
    };
    let candidates = ConstantCandidates::of(reply_game(arena, &circuit));
    let mut found = Vec::new();
    for role in 0..start.roles() {
        let game = reply_game(arena, &circuit);
        let Bounds { at_least, at_most } = start.bounds()[role];
        if at_least == at_most {
            continue;
        }
        let forced = candidates.forced(game, role, at_least.value());
        let forced = forced.map(|payoff| (Claim::AtLeast(Worth::of(payoff.value)), payoff.moves));
        let kept = at_most.value();
        let kept = kept.and_then(|known| candidates.kept_to(game, role, known));
        let kept = kept.map(|payoff| (Claim::AtMost(Worth::of(payoff.value)), payoff.moves));
        for (claim, moves) in forced.into_iter().chain(kept) {
            start.claim(role, claim);
            let moves = moves.iter().enumerate();
            let moves = moves.filter_map(|(role, &place)| Some((role, place?)));
            let moves = moves.map(|(role, place)| {
                let mv = arena.vocabulary.mv(circuit.moves[role][place].term);
                (RoleId(role as u32), mv)
            });
            found.push(ConstantStrategy {
                role: RoleId(role as u32),
                claim,
                moves: moves.collect(),
            });
        }
    }
    found
}

fn reply_game<'g, R: Reasoner>(
    arena: &'g Arena<'_, R>,
    circuit: &'g Arc<Circuit>,
) -> ReplyGame<'g> {
    ReplyGame {
        circuit,
        effort: SMALL_EFFORT,
        stop: &arena.setting.limits.stop,
    }
}
