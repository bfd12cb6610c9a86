//! What all steps of a decomposition work on.

use rustc_hash::FxHashSet;

use crate::circuit::invariants::Account;
use crate::decomposition::certificate::IndependenceProver;
use crate::decomposition::classes::{Classes, of_part};
use crate::decomposition::invariants::StateInvariants;
use crate::decomposition::local::{self, LocalMoves};
use crate::decomposition::model::Model;
use crate::decomposition::phases::Phases;

/// A decomposition on its way.
pub(super) struct Assembly<'c> {
    pub(super) model: Model<'c>,
    pub(super) invariants: StateInvariants,
    /// Fluents, by place, that hold in no play, but after moves from states that satisfy the invariants.
    pub(super) gained: FxHashSet<usize>,
    pub(super) account: Account,
    /// Claims of independence that the solver gave up on.
    pub(super) undecided: usize,
}

impl Assembly<'_> {
    /// A prover with what is left of the account; what it leaves has to be taken back.
    pub(super) fn prover<'m>(
        &'m self,
        phases: Option<&'m Phases>,
        is_context: &'m [bool],
    ) -> IndependenceProver<'m> {
        IndependenceProver {
            circuit: self.model.circuit,
            variables: &self.model.variables,
            invariants: &self.invariants,
            phases,
            is_context,
            stop: &self.model.stop,
            account: self.account,
        }
    }

    /// By part and role, the local moves.
    pub(super) fn local_moves(&self, parts: &[Vec<usize>]) -> Vec<Vec<LocalMoves>> {
        let mut moves = vec![Vec::new(); parts.len()];
        for of_role in &self.model.classes {
            let classes: Vec<Classes> = parts.iter().map(|part| of_part(of_role, part)).collect();
            for (moves, local) in moves.iter_mut().zip(local::by_part(&classes)) {
                moves.push(local);
            }
        }
        moves
    }
}
