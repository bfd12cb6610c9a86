//! The main line: joint moves in which every role forces what it can.

use rustc_hash::FxHashSet;

use crate::gdl::{Expansion, Expansions, MoveId, Reasoner, State};
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::graph::{NodeId, Options, Shape, StateGraph};
use crate::search::versus::retrograde::NodeValues;
use crate::search::versus::strategy::Oracle;
use crate::search::versus::worth::Bounds;

/// Joint moves from the start of a solved graph to an end of the game, or until a state comes again.
///
/// Among moves that force the same, a role makes the one that was attracted first, so that what it can force is
/// reached; where there are no cycles, the first.
///
/// # Errors
/// [`Halt`] if a limit is reached.
pub(super) fn main_line<R: Reasoner>(
    graph: &StateGraph,
    values: &[NodeValues],
    arena: &mut Arena<'_, R>,
) -> Result<(Vec<Vec<MoveId>>, bool), Halt> {
    let mut line = Vec::new();
    let mut met = vec![false; graph.len()];
    let mut expansions = Expansions::new(values.len());
    let mut node = StateGraph::START;
    while !std::mem::replace(&mut met[node.index()], true) {
        let Shape::Choices(choices) = graph.shape(node) else {
            return Ok((line, true));
        };
        if graph.edges(node).is_empty() {
            break;
        }
        // Every role makes its best move against the first joint move of the others: the places of all of these add
        // up to the joint move that consists of them.
        let joint = values.iter().enumerate().map(|(role, values)| {
            let options = Options::of(choices, role);
            (best(graph.edges(node), options, values), options)
        });
        let joint: usize = joint.map(|(own, options)| options.join(own, 0)).sum();
        let next = graph.edges(node)[joint];
        let Some(state) = graph.state(node) else {
            break;
        };
        arena.expand(std::slice::from_ref(&state), &mut expansions)?;
        // Reasoners may order the moves of one state and of a batch differently: the state tells the move.
        let successors = expansions.iter().next();
        if let (Some(Expansion::Successors(successors)), Some(after)) =
            (successors, graph.state(next))
        {
            let joint = successors.iter().find(|&(_, state)| *state == after);
            line.extend(joint.map(|(joint, _)| joint.to_vec()));
        }
        node = next;
    }
    Ok((line, false))
}

/// Joint moves that a line may have.
const MOST: usize = 1_000;

/// Joint moves from the start in which every role makes the first move that keeps what it can force, as far as states
/// are known; and whether they come to an end.
///
/// # Errors
/// [`Halt`] if a limit is reached.
pub(super) fn known_line<R: Reasoner>(
    arena: &mut Arena<'_, R>,
    oracle: &mut dyn Oracle,
    bounds: &[Bounds],
) -> Result<(Vec<Vec<MoveId>>, bool), Halt> {
    let mut line: Vec<Vec<MoveId>> = Vec::new();
    let mut expansions = Expansions::new(bounds.len());
    let mut state = arena.setting.start.clone();
    let mut met = FxHashSet::default();
    while line.len() < MOST && met.insert(state.clone()) {
        arena.expand(std::slice::from_ref(&state), &mut expansions)?;
        let Some(Expansion::Successors(successors)) = expansions.iter().next() else {
            return Ok((line, true));
        };
        let (joints, states): (Vec<&[MoveId]>, Vec<State>) = successors
            .iter()
            .map(|(joint, state)| (joint, state.clone()))
            .unzip();
        // The role that chooses is the one whose moves differ.
        let mut roles = 0..bounds.len();
        let mover = roles.find(|&role| joints.iter().any(|joint| joint[role] != joints[0][role]));
        let role = mover.unwrap_or(0);
        let known = oracle.know(role, &states);
        let is_kept = |place: &usize| known[*place].bounds.at_least >= bounds[role].at_least;
        let Some(best) = (0..states.len()).find(is_kept) else {
            break;
        };
        line.push(joints[best].to_vec());
        state = states[best].clone();
    }
    Ok((line, false))
}

/// The move of a role that forces most.
fn best(edges: &[NodeId], options: Options, values: &NodeValues) -> usize {
    let forced = |own: usize| {
        let after = (0..options.others).map(|others| edges[options.join(own, others)].index());
        // What the role is left with if the others choose after it; of equal ones, what was attracted earlier comes
        // nearer to the end.
        let worst = after.map(|node| {
            let order = values.order.get(node).copied().unwrap_or(0);
            (values.worth[node], std::cmp::Reverse(order))
        });
        worst.min()
    };
    // The first of equally good moves, since `max_by_key` takes the last.
    (0..options.own)
        .rev()
        .max_by_key(|&own| forced(own))
        .unwrap_or(0)
}
