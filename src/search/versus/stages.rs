//! Values of mixed strategies: every state of a game of two roles with a constant sum is a matrix game, the *stage*,
//! whose entries are the values of the states that follow.
//!
//! Where no state can come again, stages are solved from the last to the first; then the value is exact, and the
//! mixtures of all stages together force it on average, whatever the other role does.
//!
//! Where two roles can be exchanged and nothing else changes, neither can force more than the other, so that each gets half
//! of a constant sum: by what is proved of the rules, without a search, and without the strategies.
//!
//! Sources: Kuhn, Extensive games and the problem of information, 1953; Everett, Recursive games, 1957; Gale,
//! Kuhn, Tucker, On symmetric games, 1950.

use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::FxBuildHasher;

use crate::gdl::{Expansion, Expansions, MoveId, Reasoner};
use crate::limits::{StopFlag, StopReason};
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::graph::{NodeId, Shape, StateGraph};
use crate::search::versus::matrix::{MatrixSolution, Rational, solve};

/// A move with how often it is drawn.
type WeightedMove = (MoveId, Rational);

/// What two roles get if they draw their moves by chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mixed {
    /// By role, what it forces on average.
    pub values: Vec<Rational>,
    /// By role, the moves that it draws at the start, each with its probability; empty if the values follow from the
    /// symmetry of the rules alone.
    pub strategies: Vec<Vec<WeightedMove>>,
}

impl Mixed {
    /// What two roles get that can be exchanged, if payoffs have this sum.
    pub(super) fn of_equals(sum: u32) -> Self {
        let half = Rational::new(BigInt::from(sum), BigInt::from(2));
        Self {
            values: vec![half.clone(), half],
            strategies: Vec::new(),
        }
    }
}

/// The value of the start of a graph without cycles, all of whose ends have the same sum; none if there is a play without
/// value.
///
/// # Errors
/// [`Halt`] if a limit is reached.
pub(super) fn mixed<R: Reasoner>(
    graph: &StateGraph,
    sum: u32,
    arena: &mut Arena<'_, R>,
) -> Result<Option<Mixed>, Halt> {
    let mut numbers: IndexSet<Rational, FxBuildHasher> = IndexSet::default();
    let mut values = vec![0u32; graph.len()];
    for node in graph.nodes().rev() {
        arena.meter.poll()?;
        let known = (&numbers, &values[..]);
        let Some(value) = value(graph, node, known, &arena.meter.limits.stop)? else {
            return Ok(None);
        };
        values[node.index()] = numbers.insert_full(value).0 as u32;
    }
    let first = numbers[values[StateGraph::START.index()] as usize].clone();
    let second = Rational::from_integer(BigInt::from(sum)) - &first;
    let values = |node: NodeId| numbers[values[node.index()] as usize].clone();
    let strategies = strategies(graph, &values, arena)?;
    Ok(Some(Mixed {
        values: vec![first, second],
        strategies,
    }))
}

/// What a node is worth to the first role, given the later ones.
fn value(
    graph: &StateGraph,
    node: NodeId,
    (numbers, values): (&IndexSet<Rational, FxBuildHasher>, &[u32]),
    stop: &StopFlag,
) -> Result<Option<Rational>, StopReason> {
    let choices = match graph.shape(node) {
        Shape::End(payoffs) => {
            let value = payoffs.first().and_then(|worth| worth.value());
            return Ok(value.map(|value| Rational::from_integer(BigInt::from(value.0))));
        }
        Shape::Choices(choices) => choices,
    };
    let entries = graph
        .edges(node)
        .iter()
        .map(|&next| &numbers[values[next.index()] as usize]);
    Ok(match choices[..] {
        // Who alone has a choice takes the best; a matrix game only where both have one.
        [_, 1] => entries.max().cloned(),
        [1, _] => entries.min().cloned(),
        [_, columns] if columns > 0 => {
            let entries: Vec<Rational> = entries.cloned().collect();
            let rows: Vec<Vec<Rational>> =
                entries.chunks(columns).map(<[Rational]>::to_vec).collect();
            solve(&rows, stop)?.map(|solution| solution.value)
        }
        _ => None,
    })
}

/// The mixtures of both roles at the start.
fn strategies<R: Reasoner>(
    graph: &StateGraph,
    value: &dyn Fn(NodeId) -> Rational,
    arena: &mut Arena<'_, R>,
) -> Result<Vec<Vec<WeightedMove>>, Halt> {
    let start = arena.setting.start.clone();
    let mut expansions = Expansions::new(arena.setting.roles);
    arena.expand(std::slice::from_ref(&start), &mut expansions)?;
    let mut moves: [Vec<MoveId>; 2] = [Vec::new(), Vec::new()];
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    if let Some(Expansion::Successors(successors)) = expansions.iter().next() {
        for (joint, next) in successors.iter() {
            for (own, mv) in moves.iter_mut().zip(joint) {
                if !own.contains(mv) {
                    own.push(*mv);
                }
            }
            // The second role's move changes first, so that entries come row by row.
            let row = moves[0].len() - 1;
            rows.resize(row + 1, Vec::new());
            rows[row].extend(graph.find(next).map(value));
        }
    }
    let solution = solve(&rows, &arena.meter.limits.stop)?;
    let Some(MatrixSolution { rows, columns, .. }) = solution else {
        return Ok(Vec::new());
    };
    let [first, second] = moves;
    let drawn = |moves: Vec<MoveId>, parts: Vec<Rational>| {
        let parts = moves.into_iter().zip(parts);
        parts
            .filter(|(_, part)| *part != Rational::default())
            .collect()
    };
    Ok(vec![drawn(first, rows), drawn(second, columns)])
}
