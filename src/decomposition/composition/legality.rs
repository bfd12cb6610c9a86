//! How the legal moves of a role are made of those in the parts.
//!
//! Two parts go together if a move does something in both, else they exclude each other. What is chosen is one part of a
//! sum and all parts of a product, as far as sums and products can be nested:
//!
//! ```text
//! (a₁ + a₂) × b      a₁ and a₂ exclude each other, b goes together with both
//! ```
//!
//! In the end whatever is legal in the parts that are chosen must be a legal move; parts for which that does not
//! hold belong together.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

use crate::circuit::sat::{Answer, Literal, Solver};
use crate::decomposition::certificate::IndependenceProver;
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
    /// Sums and products of several levels.
    Nested,
    /// The solver gave up on whether what is legal can be chosen together.
    Open,
}

impl Legality {
    /// The legality of a role with these local moves, by part.
    pub(super) fn of(
        prover: &mut IndependenceProver<'_>,
        moves: &[&LocalMoves],
        role: usize,
    ) -> Self {
        let movable: Vec<usize> = movable(moves).collect();
        if movable.len() < 2 {
            let part = movable.first();
            return part.map_or(Legality::Idle, |&part| Legality::Single(part));
        }
        let choice = ChoiceTree::among(moves, &movable);
        let form = choice.form();
        // Of a sum nothing is to be asked: a class is offered by a legal move of its own, which is the whole choice.
        if form == Legality::Sum || join(prover, moves, role, &choice) == Some(Ok(())) {
            form
        } else {
            Legality::Open
        }
    }
}

/// What is chosen at once: sums and products of parts.
#[derive(Debug, PartialEq, Eq)]
struct ChoiceTree {
    /// The whole first, each other one after the one that it is in.
    nodes: Vec<ChoiceNode>,
}

#[derive(Debug, PartialEq, Eq)]
enum ChoiceNode {
    Part(usize),
    /// One of some nodes.
    Sum(Vec<usize>),
    /// All of some nodes.
    Product(Vec<usize>),
}

impl ChoiceTree {
    /// The choice among some parts; those that are neither a sum nor a product count as one.
    fn among(moves: &[&LocalMoves], parts: &[usize]) -> Self {
        let active = active(moves);
        let go_together = |one: usize, other: usize| !active[one].is_disjoint(&active[other]);
        // A set for each node, in the order of nodes; sets without a node yet are at the end. Parts of a set that no
        // chain of common moves connects are apart (a sum); those that no chain of exclusions connects go together
        // (a product). At most one of both splits a set: a graph or its complement is connected.
        let mut sets: Vec<Vec<usize>> = vec![parts.to_vec()];
        let mut nodes = Vec::new();
        while let Some(set) = sets.get(nodes.len()).cloned() {
            let below = |sets: &mut Vec<Vec<usize>>, groups: Vec<Vec<usize>>| {
                let first = sets.len();
                sets.extend(groups);
                (first..sets.len()).collect()
            };
            let node = if let [part] = set[..] {
                ChoiceNode::Part(part)
            } else {
                let apart = connected(&set, go_together);
                if apart.len() > 1 {
                    ChoiceNode::Sum(below(&mut sets, apart))
                } else {
                    let factors = connected(&set, |one, other| !go_together(one, other));
                    // Neither, as where a goes with b, b with c and c with d alone: a product of the single parts, of
                    // which the solver says whether it is one.
                    let factors = match factors.len() {
                        1 => set.iter().map(|&part| vec![part]).collect(),
                        _ => factors,
                    };
                    ChoiceNode::Product(below(&mut sets, factors))
                }
            };
            nodes.push(node);
        }
        Self { nodes }
    }

    fn form(&self) -> Legality {
        let is_part = |nodes: &[usize]| {
            let mut nodes = nodes.iter();
            nodes.all(|&node| matches!(self.nodes[node], ChoiceNode::Part(_)))
        };
        match &self.nodes[..] {
            [ChoiceNode::Sum(terms), ..] if is_part(terms) => Legality::Sum,
            [ChoiceNode::Product(factors), ..] if is_part(factors) => Legality::Product,
            [ChoiceNode::Sum(terms), ..]
                if terms.iter().all(|&term| match &self.nodes[term] {
                    ChoiceNode::Part(_) => true,
                    ChoiceNode::Product(factors) => is_part(factors),
                    ChoiceNode::Sum(_) => false,
                }) =>
            {
                Legality::SumOfProducts
            }
            _ => Legality::Nested,
        }
    }
}

/// By part, the moves that do something of their own in it.
fn active(moves: &[&LocalMoves]) -> Vec<FixedBitSet> {
    let sets = moves.iter().map(|own| {
        let last = own.active().max();
        let mut set = FixedBitSet::with_capacity(last.map_or(0, |last| last + 1));
        set.extend(own.active());
        set
    });
    sets.collect()
}

/// Parts that are connected by a relation.
fn connected(parts: &[usize], relation: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut joined = UnionFind::new(parts.len());
    for (place, &one) in parts.iter().enumerate() {
        for (earlier, &other) in parts[..place].iter().enumerate() {
            if !joined.equiv(place, earlier) && relation(one, other) {
                joined.union(place, earlier);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for (place, &part) in parts.iter().enumerate() {
        groups[joined.find(place)].push(part);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Parts of which not all that is legal can be chosen together by a role.
pub(in crate::decomposition) struct Unjoined {
    /// As few as may be.
    pub(in crate::decomposition) parts: Vec<usize>,
    /// The fluents, by place, of a state in which it cannot.
    pub(in crate::decomposition) state: Vec<bool>,
}

/// The parts of which not all that is legal can be chosen together by a role, if there are some.
pub(in crate::decomposition) fn unjoined(
    prover: &mut IndependenceProver<'_>,
    moves: &[&LocalMoves],
    role: usize,
) -> Option<Unjoined> {
    let mut state = Vec::new();
    let mut fails = |parts: &[usize]| {
        let choice = ChoiceTree::among(moves, parts);
        if choice.form() == Legality::Sum {
            return false;
        }
        let joined = join(prover, moves, role, &choice);
        if let Some(Err(counterexample)) = joined {
            state = counterexample;
            return true;
        }
        false
    };
    let mut needed: Vec<usize> = movable(moves).collect();
    if needed.len() < 2 || !fails(&needed) {
        return None;
    }
    // Each part is left out once, for good if the others still cannot be joined.
    for part in needed.clone() {
        let fewer: Vec<usize> = needed.iter().copied().filter(|&one| one != part).collect();
        if fewer.len() > 1 && fails(&fewer) {
            needed = fewer;
        }
    }
    Some(Unjoined {
        parts: needed,
        state,
    })
}

/// Parts with local moves.
fn movable(moves: &[&LocalMoves]) -> impl Iterator<Item = usize> {
    (0..moves.len()).filter(|&part| !moves[part].classes.is_empty())
}

/// Whether in every state each choice of local moves that are legal in their parts is a legal move, else a state in
/// which one is not; none if the solver gives up.
fn join(
    prover: &mut IndependenceProver<'_>,
    moves: &[&LocalMoves],
    role: usize,
    choice: &ChoiceTree,
) -> Option<Result<(), Vec<bool>>> {
    // The lossless join of [GT14, section 14.4], its second step. DIVERGENCE: there each class of a part must have a
    // move in common with each of another one; here only classes that are legal in the same state.
    let circuit = prover.circuit;
    let mut solver = Solver::for_large_conflicts(prover.stop.clone(), 0);
    let state = fluents(circuit, &mut solver, |_| None);
    let mut copy = CircuitCopy::new(circuit, prover.invariants.all(), &mut solver, state);
    let is_over = copy.literal(circuit, &mut solver, circuit.terminal);
    solver.require([!is_over]);
    // One local move, legal there, in each part that is chosen …
    let mut missed: Vec<Vec<Literal>> = vec![Vec::new(); circuit.moves[role].len()];
    for (part, chosen) in chosen_parts(choice, &mut solver) {
        let own = moves[part];
        // A move that acts in a part which is not chosen is another one.
        own.active().for_each(|mv| missed[mv].push(!chosen));
        let mut choices = vec![!chosen];
        for (number, class) in own.classes.iter().enumerate() {
            let legal = class.iter().map(|&mv| circuit.moves[role][mv].legal);
            let offered = copy.any(circuit, &mut solver, legal);
            // Moves of the class are missed where the part is chosen, and another class in it.
            let [choice, misses] = [(); 2].map(|()| solver.variable());
            solver.require([!choice, offered]);
            solver.require([!misses, chosen]);
            solver.require([!misses, !choice]);
            class.iter().for_each(|&mv| missed[mv].push(misses));
            if own.idle == Some(number) {
                // What is made elsewhere does nothing here, either.
                own.elsewhere.iter().for_each(|&mv| missed[mv].push(misses));
            }
            choices.push(choice);
        }
        if own.idle.is_none() {
            own.elsewhere.iter().for_each(|&mv| missed[mv].push(chosen));
        }
        solver.require(choices);
    }
    // … that no legal move consists of.
    for (mv, missed) in circuit.moves[role].iter().zip(missed) {
        let legal = copy.literal(circuit, &mut solver, mv.legal);
        solver.require(missed.into_iter().chain([!legal]));
    }
    match prover.account.ask(&mut solver, &[], MAX_ASSIGNMENTS) {
        Answer::Unsatisfiable => Some(Ok(())),
        Answer::Satisfiable => Some(Err(copy.state(&solver))),
        Answer::Stopped(_) => None,
    }
}

/// The parts of a choice, each with a literal that is true if it is chosen.
fn chosen_parts(choice: &ChoiceTree, solver: &mut Solver) -> Vec<(usize, Literal)> {
    let chosen: Vec<Literal> = choice.nodes.iter().map(|_| solver.variable()).collect();
    solver.require([chosen[0]]);
    let mut parts = Vec::new();
    for (node, &is_chosen) in choice.nodes.iter().zip(&chosen) {
        match node {
            ChoiceNode::Part(part) => parts.push((*part, is_chosen)),
            ChoiceNode::Product(factors) => {
                for &factor in factors {
                    solver.require([!is_chosen, chosen[factor]]);
                    solver.require([is_chosen, !chosen[factor]]);
                }
            }
            ChoiceNode::Sum(terms) => {
                solver.require(terms.iter().map(|&term| chosen[term]).chain([!is_chosen]));
                for (place, &term) in terms.iter().enumerate() {
                    solver.require([is_chosen, !chosen[term]]);
                    for &other in &terms[..place] {
                        solver.require([!chosen[term], !chosen[other]]);
                    }
                }
            }
        }
    }
    parts
}
