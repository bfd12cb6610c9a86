//! Fluents that hold where plays begin and are never lost, by induction over moves: if all of them hold, no move
//! takes one away.

use fixedbitset::FixedBitSet;

use crate::circuit::assemble::Circuit;
use crate::circuit::sat::cardinality::Requirement;
use crate::circuit::sat::solver::{Answer, Literal, Solver};
use crate::circuit::sat::transition::Transition;
use crate::limits::StopReason;

/// The fluents of a state, by place, that all states have that come after it. States satisfy the invariants.
///
/// # Errors
/// [`StopReason`] if the solver may infer no more.
pub(crate) fn persistent_fluents(
    circuit: &Circuit,
    invariants: &[Requirement],
    start: &FixedBitSet,
    solver: &mut Solver,
) -> Result<FixedBitSet, StopReason> {
    let Transition { now, next } = Transition::new(circuit, invariants, solver);
    // Greatest fixpoint: from the fluents of the start, all that some move can take away are dropped. What the
    // model lost may be dropped at once, since the smaller set is assumed next.
    let mut persistent = start.clone();
    loop {
        let some_lost = solver.variable();
        let lost = persistent.ones().map(|place| !next[place]);
        solver.require(lost.chain([!some_lost]));
        let held = persistent.ones().map(|place| now[place]);
        let assumed: Vec<Literal> = held.chain([some_lost]).collect();
        match solver.ask(&assumed) {
            Answer::Unsatisfiable => return Ok(persistent),
            Answer::Satisfiable => persistent.intersect_with(&solver.held(&next)),
            Answer::Stopped(reason) => return Err(reason),
        }
        // The question is not asked again.
        solver.require([!some_lost]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::ground;
    use crate::circuit::sat::equivalence::read;
    use crate::limits::{Limits, StopFlag};
    use crate::term::{Prefix, Store};

    /// `a` is kept as long as `b`, which every move keeps; `c` is lost by a move, and `d` with it.
    const RULES: &str = "
        (role player) (init a) (init b) (init c) (init d)
        (legal player stay) (legal player leave)
        (<= (next a) (true a) (true b))
        (<= (next b) (true b) (does player stay))
        (<= (next b) (true b) (does player leave))
        (<= (next c) (true c) (does player stay))
        (<= (next d) (true d) (true c))
        (<= (next e) (does player leave))
        (<= terminal (true e) (not (true b)))
        (goal player 0)";

    #[test]
    fn fluents_that_no_move_takes_away_are_found() -> Result<(), Box<dyn std::error::Error>> {
        let mut store = Store::new();
        let game = read(&mut store, "persistent", RULES.as_bytes().to_vec())?;
        let program = ground::ground(&game, &mut store, &Limits::default(), 1_000)?;
        let circuit = Circuit::new(&mut store, &program, 1)?;
        let names = circuit.fluents.iter();
        let names = names.map(|fluent| Prefix::new(&store, fluent.term).to_string());
        let names: Vec<String> = names.collect();
        let start = (0..names.len()).filter(|&place| names[place] != "e");
        let start = start.collect();
        let mut solver = Solver::new(StopFlag::default(), 1_000_000);
        let persistent = persistent_fluents(&circuit, &[], &start, &mut solver);
        let persistent = persistent.map_err(|reason| format!("{reason:?}"))?;
        let persistent: Vec<&str> = persistent
            .ones()
            .map(|place| names[place].as_str())
            .collect();
        assert_eq!(persistent, ["a", "b"]);
        Ok(())
    }
}
