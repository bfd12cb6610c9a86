//! Witnesses by a solver, among all states that satisfy the invariants.

use crate::circuit::Circuit;
use crate::circuit::invariants::Account;
use crate::decomposition::twin::Twin;
use crate::decomposition::whole::Decomposition;
use crate::decomposition::why::{Difference, Influence, Witness};
use crate::limits::StopFlag;

/// Assignments that the solver may infer.
const MAX_ASSIGNMENTS: u64 = 2_000_000;

/// States in which one variable has an influence on what the other is next, or on what is legal; none if there are none,
/// or if the solver gives up.
pub(super) fn witness(
    circuit: &Circuit,
    found: &Decomposition,
    influence: Influence,
    stop: &StopFlag,
) -> Option<Witness> {
    let [changed, different] =
        [influence.from, influence.to].map(|variable| &found.variables[variable].fluents);
    let is_common = |place: usize| !changed.contains(&place);
    let mut account = Account {
        steps: MAX_ASSIGNMENTS,
        questions: 0,
    };
    let mut twin = Twin::new(circuit, found.premises.invariants.all(), is_common, stop);
    twin.require_one_move();
    twin.require_legal_moves();
    twin.require_same_moves();
    twin.require_different_next(different.iter().copied());
    if !twin.exists(&[], &mut account).ok()? {
        return None;
    }
    let held = |state: &[bool], fluents: &mut dyn Iterator<Item = usize>| {
        fluents.filter(|&place| state[place]).collect()
    };
    let [one, other] = twin.states();
    let next = twin.next(different);
    let [after_one, after_other] = next.map(|holds| {
        let fluents = different.iter().zip(holds);
        let held = fluents.filter(|(_, holds)| *holds).map(|(&place, _)| place);
        held.collect()
    });
    Some(Witness {
        state: held(&one, &mut (0..circuit.fluents.len())),
        changed: held(&other, &mut changed.iter().copied()),
        difference: Difference::Next {
            joint_move: twin.joint_move(),
            one: after_one,
            other: after_other,
        },
    })
}
