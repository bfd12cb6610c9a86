//! Successors by rules of change: the old state without what ends, and with what begins.
//!
//! Most changes of a move depend on nothing but the move, and most fluents change nothing by
//! themselves. What was found out about a move or a fluent is kept for the life of the reasoner, so
//! that only what depends on the rest of the state is asked again in each state.

use smallvec::SmallVec;

use crate::gdl::changes::{Cause, Change, Fixed, KnownChanges, MoveChanges};
use crate::gdl::error::ReasonerError;
use crate::gdl::state::State;
use crate::gdl::tabled::Tabled;
use crate::gdl::vocabulary::{FluentId, MoveId, Vocabulary};
use crate::term::TermId;

impl Tabled {
    /// The state with what ends taken from it, and with what begins.
    pub(super) fn progress(
        &mut self,
        vocabulary: &mut Vocabulary,
        known: &mut KnownChanges,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        self.ends.clear();
        self.begins.clear();
        // Three sources of change: fluents by themselves and moves by themselves, both remembered, and what depends
        // on the rest of the state, which is asked.
        self.progress_fluents(vocabulary, known, state)?;
        // Where every change is known beforehand, the rules need not know of the moves.
        // What depends on more than one fluent or one move is asked in each state.
        let mut asked = !known.of(Cause::Always).is_empty();
        for (role, &mv) in joint_move.iter().enumerate() {
            // Asked once for each move in the life of the reasoner: fixed changes do not depend on the state.
            if known.of_move(role, mv).is_none() {
                self.set_moves(vocabulary, joint_move);
                let changes = self.changes_of_move(vocabulary, known, role, mv)?;
                known.insert_move(role, mv, changes);
            }
            if let Some(changes) = known.of_move(role, mv) {
                self.ends.extend(&changes.fixed.ends);
                self.begins.extend(&changes.fixed.begins);
                asked |= !changes.asked.is_empty();
            }
        }
        if asked {
            self.set_moves(vocabulary, joint_move);
            for &change in known.of(Cause::Always) {
                self.ask(vocabulary, change, &[])?;
            }
            let moves = joint_move.iter().enumerate();
            for changes in moves.filter_map(|(role, &mv)| known.of_move(role, mv)) {
                for &change in &changes.asked {
                    self.ask(vocabulary, change, &changes.arguments)?;
                }
            }
        }
        let mut next = state.clone();
        // Ends before begins: a fluent that is taken and given holds.
        next.remove_all(&self.ends);
        self.begins.iter().for_each(|&fluent| next.insert(fluent));
        Ok(next)
    }

    /// Collects what the fluents of a state change by themselves.
    fn progress_fluents(
        &mut self,
        vocabulary: &mut Vocabulary,
        known: &mut KnownChanges,
        state: &State,
    ) -> Result<(), ReasonerError> {
        let mut causes = std::mem::take(&mut self.causes);
        causes.clear();
        causes.extend(known.causes(state));
        for &fluent in &causes {
            if known.of_fluent(fluent).is_none() {
                let changes = self.changes_of_fluent(vocabulary, known, fluent)?;
                known.insert_fluent(fluent, changes);
            }
            if let Some(changes) = known.of_fluent(fluent) {
                self.ends.extend(&changes.ends);
                self.begins.extend(&changes.begins);
            }
        }
        self.causes = causes;
        Ok(())
    }

    /// Finds out what a fluent changes whatever else holds and whatever is done.
    fn changes_of_fluent(
        &mut self,
        vocabulary: &mut Vocabulary,
        known: &KnownChanges,
        fluent: FluentId,
    ) -> Result<Fixed, ReasonerError> {
        let term = vocabulary.fluent_term(fluent);
        let Some(functor) = vocabulary.store.functor(term) else {
            return Ok(Fixed::default());
        };
        let arguments = vocabulary.store.arguments(term).to_vec();
        let changes = known.of(Cause::Fluent(functor)).to_vec();
        self.ask_apart(vocabulary, &changes, &arguments)
    }

    /// Finds out what a role's move changes whatever the state is.
    fn changes_of_move(
        &mut self,
        vocabulary: &mut Vocabulary,
        known: &KnownChanges,
        role: usize,
        mv: MoveId,
    ) -> Result<MoveChanges, ReasonerError> {
        let term = vocabulary.move_term(mv);
        let functor = vocabulary.move_function(term);
        let arguments = vocabulary.store.arguments(term).to_vec();
        let changes = known.of(Cause::Move(role, functor)).iter();
        let (fixed, asked): (Vec<Change>, Vec<Change>) =
            changes.partition(|change| change.is_fixed);
        Ok(MoveChanges {
            fixed: self.ask_apart(vocabulary, &fixed, &arguments)?,
            asked,
            arguments,
        })
    }

    /// What some predicates of change have, apart from what was collected so far.
    fn ask_apart(
        &mut self,
        vocabulary: &mut Vocabulary,
        changes: &[Change],
        given: &[TermId],
    ) -> Result<Fixed, ReasonerError> {
        // The lists of the move under way are put aside and come back.
        let ends = std::mem::take(&mut self.ends);
        let begins = std::mem::take(&mut self.begins);
        let result = changes
            .iter()
            .try_for_each(|&change| self.ask(vocabulary, change, given));
        let found = Fixed {
            ends: std::mem::replace(&mut self.ends, ends),
            begins: std::mem::replace(&mut self.begins, begins),
        };
        result.map(|()| found)
    }

    /// Collects the fluents that a predicate of change has.
    fn ask(
        &mut self,
        vocabulary: &mut Vocabulary,
        change: Change,
        given: &[TermId],
    ) -> Result<(), ReasonerError> {
        let arguments: SmallVec<[Option<TermId>; 8]> =
            given.iter().copied().map(Some).chain([None]).collect();
        let found = if change.begins {
            &mut self.begins
        } else {
            &mut self.ends
        };
        // Fluents get their ids as they are found, while the store is in use.
        let Vocabulary { store, fluents, .. } = vocabulary;
        self.rules.solve(
            store,
            change.predicate,
            &arguments,
            &self.limits,
            &mut |_, answers| {
                found.extend(answers.iter().map(|&term| fluents.fluent(term)));
                true
            },
        )?;
        Ok(())
    }
}
