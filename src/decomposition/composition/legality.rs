//! How the legal moves of a role are made of those in the parts.
//!
//! Parts in which some move acts together are a cluster. In the end each move must be one in all parts of one
//! cluster, and whatever is legal in these can be chosen together; parts for which that does not hold belong
//! together.

use petgraph::unionfind::UnionFind;

use crate::circuit::sat::{Answer, Literal, Solver};
use crate::decomposition::certificate::Prover;
use crate::decomposition::copies::{CircuitCopy, fluents};
use crate::decomposition::local::LocalMoves;

/// Assignments that the solver may infer for the question whether local moves join.
const MAX_ASSIGNMENTS: u64 = 10_000_000;

/// How the legal moves of a role are made of those in the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Legality {
    /// It has no choice in any part.
    Idle,
    /// It moves in one part only.
    Single(usize),
    /// Each move is one in one part.
    Sum,
    /// Each move is one in all its parts, and what is legal in them can be chosen together.
    Product,
    /// Each move is one in some of its parts, and what is legal in these can be chosen together.
    SumOfProducts,
    /// The solver gave up on whether what is legal can be chosen together.
    Open,
}

impl Legality {
    /// The legality of a role with these local moves, by part.
    pub(super) fn of(prover: &mut Prover<'_>, moves: &[&LocalMoves], role: usize) -> Self {
        let movable: Vec<usize> = movable(moves).collect();
        if movable.len() < 2 {
            let part = movable.first();
            return part.map_or(Legality::Idle, |&part| Legality::Single(part));
        }
        let clusters = clusters(moves);
        if clusters.iter().all(|cluster| cluster.len() == 1) {
            return Legality::Sum;
        }
        for cluster in &clusters {
            if join(prover, moves, role, cluster) != Some(true) {
                return Legality::Open;
            }
        }
        match clusters.len() {
            1 => Legality::Product,
            _ => Legality::SumOfProducts,
        }
    }
}

/// Parts of which not all that is legal can be chosen together by a role, as few as may be.
pub(in crate::decomposition) fn unjoined(
    prover: &mut Prover<'_>,
    moves: &[&LocalMoves],
    role: usize,
) -> Option<Vec<usize>> {
    let clusters = clusters(moves).into_iter();
    let mut larger = clusters.filter(|cluster| cluster.len() > 1);
    let mut needed = larger.find(|cluster| join(prover, moves, role, cluster) == Some(false))?;
    for part in needed.clone() {
        let fewer: Vec<usize> = needed.iter().copied().filter(|&one| one != part).collect();
        if fewer.len() > 1 && join(prover, moves, role, &fewer) == Some(false) {
            needed = fewer;
        }
    }
    Some(needed)
}

/// Parts with local moves.
fn movable(moves: &[&LocalMoves]) -> impl Iterator<Item = usize> {
    (0..moves.len()).filter(|&part| !moves[part].classes.is_empty())
}

/// Parts with local moves, by whether a move is one in both.
fn clusters(moves: &[&LocalMoves]) -> Vec<Vec<usize>> {
    let mut joined = UnionFind::new(moves.len());
    let mut first: Vec<Option<usize>> = Vec::new();
    for part in movable(moves) {
        for &mv in moves[part].classes.iter().flatten() {
            first.resize(first.len().max(mv + 1), None);
            let first = *first[mv].get_or_insert(part);
            joined.union(first, part);
        }
    }
    let mut clusters: Vec<Vec<usize>> = vec![Vec::new(); moves.len()];
    for part in movable(moves) {
        clusters[joined.find(part)].push(part);
    }
    clusters.retain(|cluster| !cluster.is_empty());
    clusters
}

/// Whether in every state each choice of local moves, one in each of some parts, that are legal there is a legal
/// move; none if the solver gives up.
fn join(
    prover: &mut Prover<'_>,
    moves: &[&LocalMoves],
    role: usize,
    parts: &[usize],
) -> Option<bool> {
    let circuit = prover.circuit;
    let mut solver = Solver::for_large_conflicts(prover.stop.clone(), 0);
    let state = fluents(circuit, &mut solver, |_| None);
    let mut copy = CircuitCopy::new(circuit, prover.invariants, &mut solver, state);
    let is_over = copy.literal(circuit, &mut solver, circuit.terminal);
    solver.require([!is_over]);
    // One local move of each part that is legal there, …
    let mut chosen: Vec<Vec<Literal>> = vec![Vec::new(); circuit.moves[role].len()];
    for &part in parts {
        let mut choices = Vec::new();
        for class in &moves[part].classes {
            let legal = class.iter().map(|&mv| circuit.moves[role][mv].legal);
            let offered = copy.any(circuit, &mut solver, legal);
            let choice = solver.variable();
            solver.require([!choice, offered]);
            class.iter().for_each(|&mv| chosen[mv].push(choice));
            choices.push(choice);
        }
        solver.require(choices);
    }
    // … that no legal move consists of.
    for (mv, chosen) in circuit.moves[role].iter().zip(chosen) {
        if chosen.len() == parts.len() {
            let legal = copy.literal(circuit, &mut solver, mv.legal);
            solver.require(chosen.into_iter().map(|choice| !choice).chain([!legal]));
        }
    }
    match prover.account.ask(&mut solver, &[], MAX_ASSIGNMENTS) {
        Answer::Unsatisfiable => Some(true),
        Answer::Satisfiable => Some(false),
        Answer::Stopped(_) => None,
    }
}
