//! The states of a game in few bits: how they are packed, and what search needs to know of them besides.

use std::rc::Rc;
use std::sync::Arc;

use crate::circuit::Circuit;
use crate::circuit::invariants::{Variable, proved_variables};
use crate::circuit::packing::{Group, Packing, changing};
use crate::circuit::sat::Requirement;
use crate::circuit::symmetry::symmetries;
use crate::gdl::{FluentId, State, Vocabulary};
use crate::limits::{StopFlag, StopReason};
use crate::search::versus::codes::Code;

/// Gates of a circuit for whose states it pays to be packed.
const MOST_GATES: usize = 100_000;

/// Assignments that the solver may infer to prove the variables.
const ASSIGNMENTS: u64 = 50_000_000;

/// A game whose states are packed.
#[derive(Clone, Debug)]
pub(super) struct PackedGame {
    pub(super) circuit: Arc<Circuit>,
    pub(super) packing: Packing,
    /// By place in the circuit.
    fluents: Vec<FluentId>,
    /// Fluents that always hold.
    always: State,
}

impl PackedGame {
    /// Packs the states of a game by its proved variables.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(super) fn new(
        circuit: &Arc<Circuit>,
        vocabulary: &mut Vocabulary,
        stop: &StopFlag,
    ) -> Result<Self, StopReason> {
        let (variables, never) = variables(circuit, stop)?;
        let mut is_left = vec![false; circuit.fluents.len()];
        // What changes and is in no proved variable becomes a group of its own, of one bit.
        changing(circuit).for_each(|place| is_left[place] = true);
        never.iter().for_each(|&place| is_left[place] = false);
        let mut groups = Vec::new();
        for variable in variables {
            variable
                .fluents
                .iter()
                .for_each(|&place| is_left[place] = false);
            groups.push(Group {
                fluents: variable.fluents,
                is_exact: variable.is_exact,
            });
        }
        let left = (0..is_left.len()).filter(|&place| is_left[place]);
        groups.extend(left.map(|place| Group {
            fluents: vec![place],
            is_exact: false,
        }));
        let fluents = circuit.fluents.iter();
        let fluents: Vec<FluentId> = fluents.map(|own| vocabulary.fluent(own.term)).collect();
        let always = circuit.fluents.iter().zip(&fluents);
        let always = always.filter(|(fluent, _)| fluent.holds.constant() == Some(true));
        Ok(Self {
            circuit: Arc::clone(circuit),
            packing: Packing::new(groups),
            always: always.map(|(_, &id)| id).collect(),
            fluents,
        })
    }

    /// The code of a state that can be reached.
    pub(super) fn pack<const W: usize>(&self, state: &State) -> Code<W> {
        self.packing
            .pack(|place| state.contains(self.fluents[place]))
    }

    /// The state of a code.
    pub(super) fn unpack<const W: usize>(&self, code: &Code<W>) -> State {
        let held = self.packing.unpack(code).into_iter();
        let held: State = held.map(|place| self.fluents[place]).collect();
        held.union(&self.always)
    }
}

/// The states of a game in few bits, and the symmetries of its rules, as the fluent by place that becomes of each.
pub(super) type PackedStates = Rc<(PackedGame, Vec<Vec<usize>>)>;

/// Packs the states of a game, if its circuit is not too large.
pub(super) fn packed_states(
    circuit: &Arc<Circuit>,
    vocabulary: &mut Vocabulary,
    stop: &StopFlag,
) -> Option<PackedStates> {
    if circuit.gates.len() > MOST_GATES {
        return None;
    }
    // What keeps states from being packed does not keep the game from being solved.
    let game = PackedGame::new(circuit, vocabulary, stop).ok()?;
    Some(Rc::new((game, symmetries(circuit, stop))))
}

/// Disjoint groups of fluents of which at most one holds in any reachable state, and fluents that hold in none; all
/// proved.
fn variables(
    circuit: &Circuit,
    stop: &StopFlag,
) -> Result<(Vec<Variable>, Vec<usize>), StopReason> {
    let proved = proved_variables(circuit, stop, ASSIGNMENTS)?;
    let never = proved.requirements.iter().filter_map(|known| match known {
        Requirement::Never(place) => Some(*place),
        Requirement::AtMostOne(_)
        | Requirement::NotBoth(..)
        | Requirement::Some(_)
        | Requirement::Linear(_) => None,
    });
    let never = never.collect();
    Ok((proved.variables, never))
}
