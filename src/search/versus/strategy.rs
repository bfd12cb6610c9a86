//! Strategies taken from what is known of states, frontier by frontier.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::gdl::{Expansion, Expansions, MoveId, Reasoner, RoleId, State};
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::certificate::{Claim, Strategy, StrategyMoves, side};
use crate::search::versus::worth::{Bounds, Worth};

/// What is known of a state about a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knowledge {
    pub(super) bounds: Bounds,
    /// Moves that force what is known lead to lower ranks, so that they come to an end; zero if nothing is known of it.
    pub(super) rank: u32,
}

impl Knowledge {
    /// Nothing.
    pub(super) const NONE: Self = Self {
        bounds: Bounds::OPEN,
        rank: 0,
    };

    /// What an end is worth.
    pub(super) fn exactly(worth: Worth) -> Self {
        Self {
            bounds: Bounds::exactly(worth),
            rank: 0,
        }
    }
}

/// Knows of states.
pub(super) trait Oracle {
    /// What is known of each of some states about a role.
    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge>;
}

/// A joint move with the state that it leads to, by place among those that were reached.
struct Edge {
    own: Vec<MoveId>,
    to: usize,
}

/// The strategy of a side by which a claim comes true; none if too little is known.
///
/// # Errors
/// [`Halt`] if a limit is reached.
pub(super) fn strategy<R: Reasoner>(
    arena: &mut Arena<'_, R>,
    oracle: &mut dyn Oracle,
    (role, claim): (usize, Claim),
) -> Result<Option<Strategy>, Halt> {
    let role_id = RoleId(role as u32);
    let side = side((role_id, claim), arena.setting.roles);
    let mut choices = Vec::new();
    let mut states: IndexSet<State, FxBuildHasher> = IndexSet::default();
    states.insert(arena.setting.start.clone());
    let mut from = 0;
    while from < states.len() {
        let frontier: Vec<State> = states.iter().skip(from).cloned().collect();
        from = states.len();
        let (edges, mut reached) = expand(arena, &frontier, &side)?;
        let successors = reached.len();
        reached.extend(frontier.iter().cloned());
        // Asked for successors and frontier at once, so that lanes are full.
        let known = oracle.know(role, &reached);
        let (after, here) = known.split_at(successors);
        for ((state, edges), here) in frontier.iter().zip(&edges).zip(here) {
            let Some(choice) = choose(edges, claim, (after, *here)) else {
                return Ok(None);
            };
            let Some(choice) = choice else {
                continue;
            };
            // A state in which the side has one choice need not be in the strategy.
            if edges.iter().any(|edge| edge.own != choice) {
                choices.push((state.clone(), choice.clone()));
            }
            let chosen = edges.iter().filter(|edge| edge.own == choice);
            states.extend(chosen.map(|edge| reached[edge.to].clone()));
        }
    }
    Ok(Some(Strategy {
        role: role_id,
        claim,
        moves: StrategyMoves::ByState(choices),
    }))
}

/// What a side can do in each of some states, and all states that follow.
fn expand<R: Reasoner>(
    arena: &mut Arena<'_, R>,
    frontier: &[State],
    side: &[RoleId],
) -> Result<(Vec<Vec<Edge>>, Vec<State>), Halt> {
    let mut expansions = Expansions::new(arena.setting.roles);
    let (mut all, mut reached) = (Vec::with_capacity(frontier.len()), Vec::new());
    while all.len() < frontier.len() {
        let rest = &frontier[all.len()..];
        let batch = arena.batch().clamp(1, rest.len());
        arena.expand(&rest[..batch], &mut expansions)?;
        for expansion in expansions.iter() {
            let mut edges = Vec::new();
            if let Expansion::Successors(successors) = expansion {
                for (joint, next) in successors.iter() {
                    edges.push(Edge {
                        own: side.iter().map(|role| joint[role.0 as usize]).collect(),
                        to: reached.len(),
                    });
                    reached.push(next.clone());
                }
            }
            all.push(edges);
        }
    }
    Ok((all, reached))
}

/// The first choice all of whose answers are as claimed; nothing to choose at an end, and none if there is no such.
#[expect(
    clippy::option_option,
    reason = "no choice is good, and there is nothing to choose, are two things"
)]
fn choose(
    edges: &[Edge],
    claim: Claim,
    (after, here): (&[Knowledge], Knowledge),
) -> Option<Option<Vec<MoveId>>> {
    if edges.is_empty() {
        return Some(None);
    }
    let is_good = |edge: &Edge| {
        let next = &after[edge.to];
        match claim {
            Claim::AtLeast(least) => {
                // What grows is the payoff that is known, or else the play comes nearer to what was known first.
                next.bounds.at_least >= least
                    && (here.rank == 0
                        || next.rank < here.rank
                        || next.bounds.at_least > here.bounds.at_least)
            }
            Claim::AtMost(most) => next.bounds.at_most <= most,
        }
    };
    let mut choices = edges.iter().map(|edge| &edge.own);
    let good = choices.find(|own| edges.iter().filter(|edge| edge.own == **own).all(is_good));
    good.map(|own| Some(own.clone()))
}
