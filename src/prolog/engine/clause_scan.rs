//! Enumeration of clauses as terms, for `clause/2` and `retract/1`, in the logical update view [ISO, 7.5.4]: a call
//! sees the clauses that there were when it began, also those that are retracted meanwhile.

use crate::prolog::program::instruction::{BACKTRACK, ClauseId, Pc};
use crate::prolog::program::key::{Key, key_of};
use crate::prolog::program::predicate::Predicate;
use crate::prolog::state::choice::{Alternative, ClauseScan};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption};

impl Machine {
    /// `$clause_scan(Head, Body, Operation, Reference)`: the clauses that unify, one after the other. Operation is
    /// `access` or `modify`.
    pub(in crate::prolog) fn start_clause_scan(&mut self) -> Result<Pc, Interruption> {
        let head = self.strip_module(self.x[0]);
        if head.tag() == REF {
            return Err(error::instantiation(&mut self.heap));
        }
        let Some((name, arity)) = self.heap.functor(head) else {
            return Err(error::type_error(&mut self.heap, "callable", head));
        };
        let operation = self.atom_arg(2)?;
        let modifies = self.heap.name(operation) == "modify";
        let Some(id) = self.database.find(name, arity) else {
            return Ok(BACKTRACK);
        };
        if let Some((operation, kind)) = forbidden(self.database.get(id), modifies) {
            let culprit = error::indicator(&mut self.heap, name, arity);
            let heap = &mut self.heap;
            return Err(error::permission_error(heap, operation, kind, culprit));
        }
        let arguments = self.heap.arguments(head);
        let chain = self.database.select(&self.heap, id, &arguments);
        let (cells, store) = (&self.heap.cells, &self.heap.store);
        let first = arguments.first();
        let scan = ClauseScan {
            chain,
            position: self.database.chains[chain.0 as usize].start(),
            key: first.map_or(Key::VARIABLE, |&first| key_of(cells, store, first)),
        };
        let kept = [head, self.x[1], self.x[3]];
        // The view is fixed here: clauses asserted or retracted by later goals do not change what this call enumerates.
        let generation = self.database.generation;
        let Some((clause, next)) = self.scanned(scan, generation) else {
            return Ok(BACKTRACK);
        };
        // As with calls, the last clause is taken without a choice point.
        if let Some(next) = next {
            self.push_choice_saving(Alternative::Scan(next), &kept);
        }
        Ok(self.unify_clause(clause, kept))
    }

    /// The next clause of an enumeration, whose choice point goes with its last one.
    #[inline(never)]
    pub(in crate::prolog) fn next_scanned(
        &mut self,
        scan: ClauseScan,
        generation: u64,
        kept: [Cell; 3],
    ) -> Pc {
        let found = self.scanned(scan, generation);
        match (found, self.choices.last_mut()) {
            (Some((_, Some(next))), Some(top)) => top.alternative = Alternative::Scan(next),
            _ => self.pop_choice(),
        }
        match found {
            Some((clause, _)) => self.unify_clause(clause, kept),
            None => BACKTRACK,
        }
    }

    /// The clause at a place or behind it that a call of this generation sees, and the place of the next one.
    fn scanned(&self, scan: ClauseScan, generation: u64) -> Option<(ClauseId, Option<ClauseScan>)> {
        // Clauses of all predicates are enumerated as those of dynamic ones are called.
        let (found, entry) = self.matching(scan, true, generation)?;
        let next = self.matching(found.behind(), true, generation);
        Some((entry.clause, next.map(|(next, _)| next)))
    }

    /// Unifies a clause with head, body and reference.
    fn unify_clause(&mut self, clause: ClauseId, [head, body, reference]: [Cell; 3]) -> Pc {
        // Taken out for the copy, since heap and database are parts of one machine.
        let record = std::mem::take(&mut self.database.clauses[clause.0 as usize].term);
        let start = self.heap.replay(&record);
        self.database.clauses[clause.0 as usize].term = record;
        let (own_head, own_body) = (self.heap.cells[start], self.heap.cells[start + 1]);
        let own_reference = self.clause_reference(clause);
        let unifies = self.heap.unify(head, own_head)
            && self.heap.unify(body, own_body)
            && self.heap.unify(reference, own_reference);
        if unifies { self.cp } else { BACKTRACK }
    }
}

/// The permission that is missing to read or change the clauses of a predicate, if any.
fn forbidden(predicate: &Predicate, modifies: bool) -> Option<(&'static str, &'static str)> {
    if predicate.is_dynamic {
        return None;
    }
    match (predicate.is_system, modifies) {
        (true, true) => Some(("modify", "static_procedure")),
        (true, false) => Some(("access", "private_procedure")),
        (false, true) if predicate.live > 0 => Some(("modify", "static_procedure")),
        (false, _) => None,
    }
}
