//! How the legal moves of a role are made of those in the parts.

use crate::circuit::sat::{Answer, Literal, Solver};
use crate::decomposition::assemble::Part;
use crate::decomposition::certificate::Prover;
use crate::decomposition::copies::{Copy, fluents};

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
    /// Neither; with local moves, by part and class, that are legal together but do not join, if it is a
    /// product otherwise.
    Mixed(Vec<(usize, usize)>),
    /// The solver gave up on whether it is a product.
    Open,
}

impl Legality {
    pub(super) fn of(prover: &mut Prover<'_>, parts: &[Part], role: usize) -> Self {
        let movable: Vec<usize> = (0..parts.len())
            .filter(|&part| !parts[part].moves[role].classes.is_empty())
            .collect();
        if movable.len() < 2 {
            return movable
                .first()
                .map_or(Legality::Idle, |&part| Legality::Single(part));
        }
        // By move, its local moves.
        let mut locals: Vec<Vec<(usize, usize)>> =
            vec![Vec::new(); prover.circuit.moves[role].len()];
        for &part in &movable {
            for (class, moves) in parts[part].moves[role].classes.iter().enumerate() {
                moves.iter().for_each(|&mv| locals[mv].push((part, class)));
            }
        }
        if locals.iter().all(|local| local.len() <= 1) {
            return Legality::Sum;
        }
        match locals.iter().all(|local| local.len() == movable.len()) {
            true => join(prover, parts, role, &movable, &locals),
            false => Legality::Mixed(Vec::new()),
        }
    }
}

/// Whether in every state each choice of local moves, one a part, that are legal in the parts is a legal move.
fn join(
    prover: &mut Prover<'_>,
    parts: &[Part],
    role: usize,
    movable: &[usize],
    locals: &[Vec<(usize, usize)>],
) -> Legality {
    let circuit = prover.circuit;
    let steps = prover.account.steps.min(MAX_ASSIGNMENTS);
    let mut solver = Solver::for_large_conflicts(prover.stop.clone(), steps);
    let state = fluents(circuit, &mut solver, |_| None);
    let mut copy = Copy::new(circuit, prover.invariants, &mut solver, state);
    let is_over = copy.literal(circuit, &mut solver, circuit.terminal);
    solver.require([!is_over]);
    // One local move of each part that is offered, …
    let mut chosen: Vec<Vec<Literal>> = vec![Vec::new(); parts.len()];
    for &part in movable {
        for class in &parts[part].moves[role].classes {
            let legal = class.iter().map(|&mv| circuit.moves[role][mv].legal);
            let offered = copy.any(circuit, &mut solver, legal);
            let choice = solver.variable();
            solver.require([!choice, offered]);
            chosen[part].push(choice);
        }
        solver.require(chosen[part].iter().copied());
    }
    // … that no legal move consists of.
    for (mv, local) in circuit.moves[role].iter().zip(locals) {
        let legal = copy.literal(circuit, &mut solver, mv.legal);
        let consists = local.iter().map(|&(part, class)| !chosen[part][class]);
        solver.require(consists.chain([!legal]).collect::<Vec<_>>());
    }
    let answer = solver.ask(&[]);
    prover.account.questions += 1;
    prover.account.steps = prover.account.steps.saturating_sub(solver.spent());
    match answer {
        Answer::Unsatisfiable => Legality::Product,
        Answer::Stopped(_) => Legality::Open,
        Answer::Satisfiable => {
            let unjoined = movable.iter().filter_map(|&part| {
                let class = chosen[part].iter().position(|&choice| solver.value(choice));
                class.map(|class| (part, class))
            });
            Legality::Mixed(unjoined.collect())
        }
    }
}
