//! The invariants of the variables as an induction: the start has them, and no legal move leads out of them.

use crate::circuit::Circuit;
use crate::circuit::invariants::Account;
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::decomposition::certify::claim::CertificateVerdict;
use crate::limits::StopFlag;

/// Whether the start satisfies the invariants, and every state after a legal move from one that does.
pub(super) fn are_inductive(
    circuit: &Circuit,
    invariants: &[Requirement],
    stop: &StopFlag,
    account: &mut Account,
) -> CertificateVerdict {
    let fluents = circuit.fluents.iter();
    let initial: Vec<bool> = fluents.map(|fluent| fluent.initial).collect();
    if !invariants
        .iter()
        .all(|invariant| holds(invariant, &initial))
    {
        return CertificateVerdict::Fails;
    }
    let mut solver = Solver::new(stop.clone(), 0);
    let next = Transition::new(circuit, invariants, &mut solver).next;
    for invariant in invariants {
        for assumed in broken(invariant, &next, &mut solver) {
            match account.ask(&mut solver, &assumed, u64::MAX) {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable => return CertificateVerdict::Fails,
                Answer::Stopped(_) => return CertificateVerdict::Open,
            }
        }
    }
    CertificateVerdict::Holds
}

/// Whether an invariant holds in a state.
fn holds(invariant: &Requirement, state: &[bool]) -> bool {
    let count = |places: &[usize]| places.iter().filter(|&&place| state[place]).count();
    match invariant {
        Requirement::Never(place) => !state[*place],
        Requirement::AtMostOne(places) => count(places) < 2,
        Requirement::NotBoth(some, others) => count(some) == 0 || count(others) == 0,
        Requirement::Some(places) => count(places) > 0,
        Requirement::Linear(equation) => equation.holds(|place| state[place]),
    }
}

/// Assumptions of which one can be true if an invariant does not hold.
fn broken(invariant: &Requirement, next: &[Literal], solver: &mut Solver) -> Vec<Vec<Literal>> {
    let one_of = |solver: &mut Solver, places: &[usize]| {
        let some = solver.variable();
        let literals = places.iter().map(|&place| next[place]);
        solver.require(literals.chain([!some]));
        some
    };
    match invariant {
        Requirement::Never(place) => vec![vec![next[*place]]],
        Requirement::Some(places) => vec![places.iter().map(|&place| !next[place]).collect()],
        Requirement::NotBoth(some, others) => {
            vec![vec![one_of(solver, some), one_of(solver, others)]]
        }
        // Two of p1, p2, p3 hold if p2 and one of {p1} do, or p3 and one of {p1, p2}.
        Requirement::AtMostOne(places) => (1..places.len())
            .map(|place| vec![next[places[place]], one_of(solver, &places[..place])])
            .collect(),
        Requirement::Linear(equation) => {
            let broken = equation.broken(solver, next).into_iter();
            broken.map(|literal| vec![literal]).collect()
        }
    }
}
