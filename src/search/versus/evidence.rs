//! What proves the result of a search, and what can be kept of it: strategies and a table of values.

use crate::gdl::{Reasoner, RoleId};
use crate::limits::{StopFlag, StopReason};
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::certificate::{Claim, Strategy, StrategyMoves};
use crate::search::versus::game_search::{GameSearch, SumStatus};
use crate::search::versus::known::{Known, Source};
use crate::search::versus::outcome::ForcingAlgorithm;
use crate::search::versus::strategy::strategy;
use crate::search::versus::value_table::ValueTable;
use crate::search::versus::weak::WeakSearch;
use crate::search::versus::worth::{Bounds, Worth, snapped};

/// Strategies for all bounds that say more than the rules do. Where two roles have a constant sum, those of one say
/// all.
pub(super) fn strategies<R: Reasoner>(
    search: &mut GameSearch,
    arena: &mut Arena<'_, R>,
) -> Result<Vec<Strategy>, Halt> {
    let kind = search.kind();
    let bounds = search.start.bounds();
    let is_told_by_one = bounds.len() == 2 && kind.is_turn_taking && kind.sum.is_some();
    let values = search.start.values().to_vec();
    let mut strategies = Vec::new();
    // A bound that nothing known supports has no strategy, and the others are still given.
    for (role, &bounds) in bounds.iter().enumerate() {
        let claims = claims(&values, bounds);
        let mut found = 0;
        for &claim in &claims {
            let Some(source) = source(search, (role, claim)) else {
                let fixed = fixed(&search.weak, (role, claim));
                found += usize::from(fixed.is_some());
                strategies.extend(fixed);
                continue;
            };
            let mut oracle = Known {
                source,
                values: &values,
                assured: Worth::NONE,
                sum: None,
            };
            let strategy = strategy(arena, &mut oracle, (role, claim))?;
            found += usize::from(strategy.is_some());
            strategies.extend(strategy);
        }
        // 60 for one of two roles that share 100 is 40 for the other, by the same moves.
        if is_told_by_one && found == claims.len() {
            break;
        }
    }
    Ok(strategies)
}

/// What all states are worth, if all were solved.
pub(super) fn table(
    search: &mut GameSearch,
    stop: &StopFlag,
) -> Result<Option<ValueTable>, StopReason> {
    let kind = search.kind();
    let Some(solution) = &search.solution else {
        return Ok(None);
    };
    if !solution.at_least.is_empty() {
        let (at_least, at_most) = (&solution.at_least, &solution.at_most);
        let graph = &search.all;
        return ValueTable::of(kind, stop, |visit| {
            for node in graph.nodes() {
                let bounds = at_least.iter().enumerate().map(|(role, values)| {
                    let least = values.worth[node.index()];
                    // Where one role at a time chooses, the order of choice makes no difference.
                    let most = at_most
                        .get(role)
                        .map_or(least, |other| other.worth[node.index()]);
                    Bounds {
                        at_least: least,
                        at_most: most,
                    }
                });
                let bounds: Vec<Bounds> = bounds.collect();
                if let Some(state) = graph.state(node) {
                    visit(&state, &bounds);
                }
            }
        });
    }
    match (search.algorithm, search.layers.get()) {
        (ForcingAlgorithm::Layers, Some(layers)) => {
            ValueTable::of(kind, stop, |visit| layers.visit(visit))
        }
        (_, _) => Ok(None),
    }
}

/// What bounds claim beyond what the payoffs that are possible say.
fn claims(values: &[Worth], bounds: Bounds) -> Vec<Claim> {
    let lowest = values.first().copied().unwrap_or(Worth::NONE);
    let highest = values.last().copied().unwrap_or(Worth::MOST);
    let (least, most) = (bounds.at_least, snapped(values, bounds.at_most));
    // Every play that ends gives the lowest payoff, and none gives more than the highest: that needs no strategy.
    let claims = [
        (least > lowest).then_some(Claim::AtLeast(least)),
        (most < highest).then_some(Claim::AtMost(most)),
    ];
    claims.into_iter().flatten().collect()
}

/// A strategy of fixed answers or constant moves by which a claim comes true.
fn fixed(weak: &WeakSearch, (role, claim): (usize, Claim)) -> Option<Strategy> {
    let role = RoleId(role as u32);
    let mut replies = weak.replies().iter().filter(|found| found.role == role);
    let mut constants = weak.constants().iter().filter(|found| found.role == role);
    let by_replies = match claim {
        Claim::AtLeast(least) => replies.find(|found| found.at_least >= least),
        Claim::AtMost(_) => None,
    };
    let moves = match by_replies {
        Some(found) => StrategyMoves::Replies {
            opening: found.opening,
            replies: found.replies.clone(),
        },
        None => {
            let found = constants.find(|found| match (found.claim, claim) {
                (Claim::AtLeast(own), Claim::AtLeast(least)) => own >= least,
                (Claim::AtMost(own), Claim::AtMost(most)) => own <= most,
                (Claim::AtLeast(_), Claim::AtMost(_)) | (Claim::AtMost(_), Claim::AtLeast(_)) => {
                    false
                }
            });
            StrategyMoves::Constant(found?.moves.clone())
        }
    };
    Some(Strategy { role, claim, moves })
}

/// The source from which a claim is known to be true.
fn source(search: &mut GameSearch, (role, claim): (usize, Claim)) -> Option<Source<'_>> {
    match search.algorithm {
        ForcingAlgorithm::Proof | ForcingAlgorithm::AlphaBeta | ForcingAlgorithm::Auto => {
            return search.weak.source((role, claim), &search.start);
        }
        ForcingAlgorithm::Strong
        | ForcingAlgorithm::Retrograde
        | ForcingAlgorithm::Layers
        | ForcingAlgorithm::Parts
        | ForcingAlgorithm::Replies => {}
    }
    match (&search.solution, &mut search.sum, search.layers.get()) {
        (Some(known), _, _) if !known.at_least.is_empty() => {
            let (at_least, at_most) = (&known.at_least, &known.at_most);
            Some(Source::Graph(&search.all, at_least, at_most))
        }
        (Some(_), SumStatus::Some(sum), _) => Some(Source::Sum(sum)),
        (Some(_), _, Some(layers)) => Some(Source::Layers(layers)),
        (Some(_) | None, _, _) => None,
    }
}
