//! What proofs must know of clauses, tables and delays.

use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::program::predicate::PredicateKind;
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::Truth;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Outcome};
use crate::term::TermId;

pub(super) const BUILTINS: &[Builtin] = &[
    ("$kind", 2, Binds, kind),
    ("$all_clauses", 2, Binds, all_clauses),
    ("$complete_answers", 2, Binds, complete_answers),
    ("$delayed", 1, Binds, |m| {
        let text = if m.delays == Cell::atom(crate::prolog::terms::atoms::NIL) {
            "true"
        } else {
            "undefined"
        };
        let truth = m.heap.atom(text);
        m.unify_arg(0, truth)
    }),
    ("$delay_count", 1, Binds, |m| {
        let (delays, _) = m.heap.read_list(m.delays);
        let count = m.heap.integer(delays.len() as i64);
        m.unify_arg(0, count)
    }),
    ("$delays_since", 2, Binds, delays_since),
];

/// `$delays_since(Count, Condition)`: the conjunction of what was assumed since there were so many
/// delays, the last one first as in SWI-Prolog; `true` if nothing was.
fn delays_since(m: &mut Machine) -> Outcome {
    let before = m.integer_arg(0)? as usize;
    let (delays, _) = m.heap.read_list(m.delays);
    let fresh = delays.len().saturating_sub(before);
    let literals: Vec<Cell> = delays[..fresh]
        .iter()
        .map(|&delay| m.delayed_literal(delay))
        .collect();
    let condition = m.conjunction(&literals);
    m.unify_arg(1, condition)
}

/// `$kind(Goal, Kind)`: `builtin`, `tabled` or `user`.
fn kind(m: &mut Machine) -> Outcome {
    let goal = m.strip_module(m.x[0]);
    let Some((name, arity)) = m.heap.functor(goal) else {
        return Err(error::type_error(&mut m.heap, "callable", goal));
    };
    let kind = match m.database.find(name, arity) {
        Some(id) => {
            let predicate = m.database.get(id);
            if predicate.is_system || predicate.kind != PredicateKind::User {
                "builtin"
            } else if predicate.table.is_some() {
                "tabled"
            } else {
                "user"
            }
        }
        None => "user",
    };
    let kind = m.heap.atom(kind);
    m.unify_arg(1, kind)
}

/// `$all_clauses(Head, References)`: whatever the predicate is.
fn all_clauses(m: &mut Machine) -> Outcome {
    let head = m.strip_module(m.x[0]);
    if head.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let mut cells = Vec::new();
    if let Some((name, arity)) = m.heap.functor(head)
        && let Some(id) = m.database.find(name, arity)
    {
        let arguments = m.heap.arguments(head);
        for clause in super::assert::matching_clauses(m, id, &arguments) {
            cells.push(m.clause_reference(clause));
        }
    }
    let list = m.heap.list(&cells);
    m.unify_arg(1, list)
}

/// `$complete_answers(Call, Answers)`: the answers of the complete table of a call as
/// `a(Instance, Stamp, Truth)`; fails if there is no such table.
fn complete_answers(m: &mut Machine) -> Outcome {
    let call = m.strip_module(m.x[0]);
    let mut variables = Vec::new();
    let id = m.heap.intern(call, &mut variables);
    let Some(&table) = m.tables.variants.get(&id) else {
        return Ok(false);
    };
    if !m.tables.get(table).is_complete {
        return Ok(false);
    }
    let answers: Vec<(TermId, u64, Truth)> = m
        .tables
        .get(table)
        .answers
        .iter()
        .filter(|(_, answer)| !answer.superseded)
        .map(|(&key, answer)| (key, answer.stamp, answer.truth()))
        .collect();
    let name = m.heap.store.symbol("a");
    let mut cells = Vec::new();
    for (key, stamp, truth) in answers {
        let instance = m.instance_of(id, key);
        let stamp = m.heap.integer(stamp as i64);
        let truth = m.heap.atom(match truth {
            Truth::True => "true",
            Truth::Undefined => "undefined",
        });
        cells.push(m.heap.compound(name, &[instance, stamp, truth]));
    }
    let list = m.heap.list(&cells);
    m.unify_arg(1, list)
}
