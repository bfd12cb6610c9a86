//! What roles force by answering each move of the other one by a fixed move of their own, proved without a search.

use crate::gdl::{MoveId, Reasoner, RoleId};
use crate::prove::{ForcedPayoff, ReplyGame, ReplyRules, best_replies};
use crate::search::versus::arena::Arena;
use crate::search::versus::assured::SMALL_EFFORT;
use crate::search::versus::question::First;
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
        let game = ReplyGame {
            circuit: &circuit,
            effort: SMALL_EFFORT,
            stop: &arena.setting.limits.stop,
        };
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
        start.tighten(role, First::Role, bounds);
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
