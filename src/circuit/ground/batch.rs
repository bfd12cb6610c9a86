//! Bindings of a rule that a join has found, before they are instances.
//!
//! An instance has an atom for its head and one for each negated condition. They are looked up by their columns, in
//! tables that fit in no cache; what a batch asks for is looked up together, so that memory is waited for once.

use crate::circuit::ground::catalogue::Catalogue;
use crate::circuit::ground::join::Join;
use crate::circuit::ground::program::GroundLiteral;
use crate::circuit::ground::relation::{AtomId, Relation};
use crate::circuit::ground::rule::{Rule, Template};
use crate::term::{Store, TermId};

/// Bindings of a full batch.
const MOST: usize = 64;

/// Bindings of one rule, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Batch {
    bindings: Vec<Binding>,
    /// What is used of `bindings`, whose memory is used again and again.
    len: usize,
    /// Their heads.
    pub(super) head: Atoms,
    /// What they negate, for each negated condition of the rule that depends on the state.
    pub(super) negated: Vec<Atoms>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Binding {
    /// What the slots of the rule are bound to.
    pub(super) slots: Vec<TermId>,
    /// What is asked of the state and not negated.
    pub(super) literals: Vec<GroundLiteral>,
}

/// For each binding of a batch an atom of one relation: its columns, and its row if there was one.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms {
    columns: Vec<TermId>,
    rows: Vec<Option<usize>>,
}

impl Batch {
    /// Takes in what a join is bound to.
    pub(super) fn take(&mut self, catalogue: &Catalogue, rule: &Rule, join: &Join<'_>) {
        // Bindings are kept with their vectors, and written over by the next batch.
        if self.len == self.bindings.len() {
            self.bindings.push(Binding::default());
        }
        let binding = &mut self.bindings[self.len];
        self.len += 1;
        binding.slots.clone_from(&join.slots);
        binding.literals.clear();
        for (condition, row) in join.rows() {
            let positive = &rule.positive[condition];
            let view = &catalogue.relations[positive.relation.index()].views[positive.view];
            let atom = view.atom(row);
            if atom != AtomId::NONE {
                let literal = GroundLiteral::new(positive.face.of(atom), false);
                binding.literals.push(literal);
            }
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.len == MOST
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn bindings(&self) -> &[Binding] {
        &self.bindings[..self.len]
    }

    /// Looks up the atoms of all bindings.
    pub(super) fn look_up(&mut self, store: &mut Store, rule: &Rule, relations: &[Relation]) {
        let bindings = &self.bindings[..self.len];
        let head = &relations[rule.head.index()];
        self.head.look_up(store, bindings, &rule.columns, head);
        self.negated
            .resize_with(rule.negated().count(), Atoms::default);
        for (atoms, negative) in self.negated.iter_mut().zip(rule.negated()) {
            let relation = &relations[negative.relation.index()];
            atoms.look_up(store, bindings, &negative.columns, relation);
        }
    }
}

impl Atoms {
    fn look_up(
        &mut self,
        store: &mut Store,
        bindings: &[Binding],
        templates: &[Template],
        relation: &Relation,
    ) {
        let mut stack = Vec::new();
        self.columns.clear();
        for binding in bindings {
            for template in templates {
                let column = template.build(store, &binding.slots, &mut stack);
                self.columns.push(column);
            }
        }
        self.rows = relation.rows_of(&self.columns, bindings.len());
    }

    /// The columns of a binding's atom, and its row if there was one when it was looked up.
    pub(super) fn of(&self, binding: usize) -> (&[TermId], Option<usize>) {
        let arity = self.columns.len() / self.rows.len();
        let columns = &self.columns[binding * arity..(binding + 1) * arity];
        (columns, self.rows[binding])
    }
}
