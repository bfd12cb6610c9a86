//! Planning: in which order the conditions of a clause are asked.
//!
//! The order of a conjunction does not change its answers, only the work. Tests come as soon as
//! their variables are bound; of the conditions that bind variables, the one that is expected to
//! bind them in the fewest ways comes next; the author's order decides where nothing else does.
//! Negation and `distinct` wait for their variables, as GDL means them.

use crate::rules::code::{Procedure, RelationId};
use crate::rules::program::{FLUENTS, MOVES, Predicate, Program};
use crate::rules::relation::{Columns, Relation};
use crate::term::{Functor, Literal, Store, Term, TermId};

/// What a condition is expected to cost; the cheapest comes first.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Cost(f64);

impl Cost {
    /// Cannot be asked yet.
    pub(super) const NEVER: Cost = Cost(f64::INFINITY);
    /// Compares two terms.
    const COMPARISON: Cost = Cost(0.0);
    /// Looks one row up.
    const LOOK_UP: Cost = Cost(0.1);
    /// Evaluates rules, for one answer at most. Cheaper than to bind variables in several ways,
    /// dearer than to bind them in one.
    const EVALUATION: Cost = Cost(1.5);
    /// As before, under a negation.
    const NEGATION: Cost = Cost(1.6);
}

/// Answers expected of rules for each argument that they bind, if some argument is given.
const ANSWERS_PER_OUTPUT: f64 = 3.0;

/// As before, if no argument is given.
const ANSWERS_PER_FREE_OUTPUT: f64 = 8.0;

/// Rows expected of a relation that is empty now, for each column to bind.
pub(super) const ROWS_PER_UNKNOWN_COLUMN: f64 = 3.0;

/// What planning looks at.
pub(super) struct Planner<'p> {
    pub(super) store: &'p Store,
    pub(super) program: &'p mut Program,
    pub(super) relations: &'p mut Vec<Relation>,
    pub(super) procedures: &'p mut Vec<Procedure>,
}

impl Planner<'_> {
    /// The cost of asking `literal` next, where `bound` tells which variables are bound.
    pub(super) fn cost(&mut self, literal: TermId, bound: &[bool]) -> Cost {
        let all_bound = self.is_bound(literal, bound);
        match Literal::of(self.store, literal) {
            Literal::Distinct(..) if all_bound => Cost::COMPARISON,
            Literal::Distinct(..) => Cost::NEVER,
            Literal::Not(_) if !all_bound => Cost::NEVER,
            Literal::Not(inner) => self.negation(inner),
            Literal::Or(_) if all_bound => Cost::EVALUATION,
            Literal::Or(branches) => Cost(ANSWERS_PER_OUTPUT + branches.len() as f64),
            Literal::And(_) => Cost(ANSWERS_PER_OUTPUT),
            Literal::Call(atom) => self.call(atom, bound),
        }
    }

    fn negation(&mut self, inner: TermId) -> Cost {
        match Literal::of(self.store, inner) {
            Literal::Distinct(..) => Cost::COMPARISON,
            Literal::Call(atom) if self.relation_of(atom).is_some() => Cost::LOOK_UP,
            Literal::Call(_) | Literal::Not(_) | Literal::Or(_) | Literal::And(_) => Cost::NEGATION,
        }
    }

    fn call(&mut self, atom: TermId, bound: &[bool]) -> Cost {
        let Some((relation, row)) = self.relation_of(atom) else {
            return self.rules(atom, bound);
        };
        let arguments = self.store.arguments(row);
        let columns = if relation == FLUENTS {
            // A row of the relation of all fluents is one column: the fluent.
            vec![row]
        } else {
            arguments.to_vec()
        };
        let key = self.bound_columns(&columns, bound);
        let free = columns
            .iter()
            .filter(|&&column| !self.is_bound(column, bound))
            .count();
        if free == 0 {
            return Cost::LOOK_UP;
        }
        let relation = &mut self.relations[relation.index()];
        // Nothing is known of an empty relation: it may be empty in this state only. 3 for each open column.
        if relation.len() == 0 {
            return Cost(ROWS_PER_UNKNOWN_COLUMN.powi(free.min(20) as i32));
        }
        // Rows divided by buckets that are not empty: a board of 64 cells, asked by column, gives 8.
        Cost(relation.fan_out(key))
    }

    fn rules(&mut self, atom: TermId, bound: &[bool]) -> Cost {
        let arguments = self.store.arguments(atom);
        let free = arguments
            .iter()
            .filter(|&&argument| !self.is_bound(argument, bound))
            .count();
        let given = arguments.len() - free;
        match (free, given) {
            (0, _) => Cost::EVALUATION,
            (_, 0) => Cost(5.0 + ANSWERS_PER_FREE_OUTPUT * free as f64),
            (_, _) => Cost(1.0 + ANSWERS_PER_OUTPUT * free as f64),
        }
    }

    /// The relation that answers an atom by look-up, with the term whose arguments are its
    /// columns; for the relation of all fluents, with the fluent.
    pub(super) fn relation_of(&mut self, atom: TermId) -> Option<(RelationId, TermId)> {
        let functor = self.store.functor(atom)?;
        if functor == self.program.dynamic.state {
            let fluent = *self.store.arguments(atom).first()?;
            return Some(
                // The functor of the fluent selects a relation; `true(?f)` scans them all.
                match (self.store.view(fluent), self.store.functor(fluent)) {
                    (Term::Variable(_), _) | (_, None) => (FLUENTS, fluent),
                    (_, Some(functor)) => (
                        self.program.fluent_relation(self.relations, functor),
                        fluent,
                    ),
                },
            );
        }
        if functor == self.program.dynamic.moves {
            return Some((MOVES, atom));
        }
        match self.program.predicate(functor) {
            Some(Predicate::Facts(relation)) => Some((*relation, atom)),
            Some(Predicate::Rules { .. }) | None => None,
        }
    }

    /// The columns, of those that can be part of a key, whose terms are bound.
    pub(super) fn bound_columns(&self, columns: &[TermId], bound: &[bool]) -> Columns {
        let columns = columns.iter().enumerate();
        let bound = columns.filter(|&(_, &term)| self.is_bound(term, bound));
        Columns::of(bound.map(|(column, _)| column))
    }

    /// Whether all variables of a term are bound.
    pub(super) fn is_bound(&self, term: TermId, bound: &[bool]) -> bool {
        is_bound(self.store, term, bound)
    }

    /// Whether the predicate calls one of its own recursive component.
    pub(super) fn is_recursive(&self, functor: Functor) -> bool {
        matches!(
            self.program.predicate(functor),
            Some(Predicate::Rules {
                recursive: true,
                ..
            })
        )
    }
}

/// Whether all variables of a term are bound.
pub(super) fn is_bound(store: &Store, term: TermId, bound: &[bool]) -> bool {
    if store.is_ground(term) {
        return true;
    }
    if let Term::Variable(number) = store.view(term) {
        return bound[number as usize];
    }
    store
        .variables(term)
        .iter()
        .all(|&number| bound[number as usize])
}
