//! Unification, comparison, and terms taken apart and put together.

use std::cmp::Ordering;

use num_traits::{Signed, Zero};

use super::definition::Builtin;
use super::definition::Effect::{Binds, Tests};
use crate::prolog::program::instruction::{Comparison, TypeTest};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, GROUND, REF, STR};
use crate::prolog::terms::error::{self, Outcome};
use crate::prolog::terms::heap::{TermView, Undo};

pub(super) const BUILTINS: &[Builtin] = &[
    ("=", 2, Binds, |m| Ok(m.heap.unify(m.x[0], m.x[1]))),
    ("\\=", 2, Tests, |m| Ok(!can_unify(m, m.x[0], m.x[1]))),
    ("unify_with_occurs_check", 2, Binds, |m| {
        Ok(m.heap.unify_with_occurs_check(m.x[0], m.x[1]))
    }),
    ("==", 2, Tests, |m| order(m, Comparison::Equal)),
    ("\\==", 2, Tests, |m| order(m, Comparison::Unequal)),
    ("@<", 2, Tests, |m| order(m, Comparison::Less)),
    ("@>", 2, Tests, |m| order(m, Comparison::Greater)),
    ("@=<", 2, Tests, |m| order(m, Comparison::LessEqual)),
    ("@>=", 2, Tests, |m| order(m, Comparison::GreaterEqual)),
    ("distinct", 2, Tests, |m| order(m, Comparison::Unequal)),
    ("?=", 2, Tests, |m| {
        Ok(m.heap.compare(m.x[0], m.x[1]) == Ordering::Equal || !can_unify(m, m.x[0], m.x[1]))
    }),
    ("=@=", 2, Tests, |m| Ok(m.heap.is_variant(m.x[0], m.x[1]))),
    ("\\=@=", 2, Tests, |m| {
        Ok(!m.heap.is_variant(m.x[0], m.x[1]))
    }),
    ("compare", 3, Binds, compare),
    ("var", 1, Tests, |m| Ok(m.holds(TypeTest::Var, m.x[0]))),
    (
        "nonvar",
        1,
        Tests,
        |m| Ok(m.holds(TypeTest::Nonvar, m.x[0])),
    ),
    ("atom", 1, Tests, |m| Ok(m.holds(TypeTest::Atom, m.x[0]))),
    (
        "atomic",
        1,
        Tests,
        |m| Ok(m.holds(TypeTest::Atomic, m.x[0])),
    ),
    ("integer", 1, Tests, |m| {
        Ok(m.holds(TypeTest::Integer, m.x[0]))
    }),
    ("float", 1, Tests, |m| Ok(m.holds(TypeTest::Float, m.x[0]))),
    (
        "number",
        1,
        Tests,
        |m| Ok(m.holds(TypeTest::Number, m.x[0])),
    ),
    ("compound", 1, Tests, |m| {
        Ok(m.holds(TypeTest::Compound, m.x[0]))
    }),
    ("callable", 1, Tests, |m| {
        Ok(m.holds(TypeTest::Callable, m.x[0]))
    }),
    ("is_list", 1, Tests, |m| {
        Ok(m.holds(TypeTest::IsList, m.x[0]))
    }),
    (
        "string",
        1,
        Tests,
        |m| Ok(m.holds(TypeTest::String, m.x[0])),
    ),
    (
        "ground",
        1,
        Tests,
        |m| Ok(m.holds(TypeTest::Ground, m.x[0])),
    ),
    ("acyclic_term", 1, Tests, |m| Ok(m.heap.is_acyclic(m.x[0]))),
    ("cyclic_term", 1, Tests, |m| Ok(!m.heap.is_acyclic(m.x[0]))),
    ("functor", 3, Binds, functor),
    ("arg", 3, Binds, argument),
    ("=..", 2, Binds, univ),
    ("copy_term", 2, Binds, |m| {
        let copy = m.heap.copy(m.x[0]);
        m.unify_arg(1, copy)
    }),
    ("term_variables", 2, Binds, |m| {
        m.check_partial_list(1)?;
        let variables = m.heap.variables(&[m.x[0]]);
        let list = m.heap.list(&variables);
        m.unify_arg(1, list)
    }),
    ("term_singletons", 2, Binds, |m| {
        let once = m.heap.singletons(m.x[0]);
        let list = m.heap.list(&once);
        m.unify_arg(1, list)
    }),
    ("unifiable", 3, Binds, unifiable),
    ("numbervars", 3, Binds, number_variables),
    ("setarg", 3, Binds, set_argument),
    ("nb_setarg", 3, Binds, set_argument_for_good),
    ("is", 2, Binds, |m| {
        let value = m.evaluate_cell(m.x[1])?;
        m.unify_arg(0, value)
    }),
    ("=:=", 2, Tests, |m| numbers(m, Comparison::Equal)),
    ("=\\=", 2, Tests, |m| numbers(m, Comparison::Unequal)),
    ("<", 2, Tests, |m| numbers(m, Comparison::Less)),
    (">", 2, Tests, |m| numbers(m, Comparison::Greater)),
    ("=<", 2, Tests, |m| numbers(m, Comparison::LessEqual)),
    (">=", 2, Tests, |m| numbers(m, Comparison::GreaterEqual)),
    ("succ", 2, Binds, successor),
    ("plus", 3, Binds, plus),
    ("true", 0, Tests, |_| Ok(true)),
    ("otherwise", 0, Tests, |_| Ok(true)),
    ("fail", 0, Tests, |_| Ok(false)),
    ("false", 0, Tests, |_| Ok(false)),
    ("throw", 1, Binds, throw),
    ("halt", 0, Binds, |_| Err(error::Interruption::Halt(0))),
    ("halt", 1, Binds, |m| {
        let code = m.integer_arg(0)?;
        Err(error::Interruption::Halt(code))
    }),
];

fn can_unify(m: &mut Machine, left: Cell, right: Cell) -> bool {
    let mark = m.heap.trail.len();
    let barrier = std::mem::replace(&mut m.heap.barrier, usize::MAX);
    let unifies = m.heap.unify(left, right);
    m.heap.undo_to(mark);
    m.heap.barrier = barrier;
    unifies
}

/// `unifiable(X, Y, Unifier)`: the bindings `Variable = Value` that would make X and Y equal, the last one first.
fn unifiable(m: &mut Machine) -> Outcome {
    let mark = m.heap.trail.len();
    let barrier = std::mem::replace(&mut m.heap.barrier, usize::MAX);
    let unifies = m.heap.unify(m.x[0], m.x[1]);
    let bound: Vec<(Cell, Cell)> = m.heap.trail[mark..]
        .iter()
        .filter_map(|undo| match undo {
            Undo::Unbind(index) => {
                let index = *index as usize;
                Some((Cell::reference(index), m.heap.cells[index]))
            }
            Undo::Restore(..) | Undo::Global(..) => None,
        })
        .collect();
    m.heap.undo_to(mark);
    m.heap.barrier = barrier;
    if !unifies {
        return Ok(false);
    }
    let equations: Vec<Cell> = bound
        .into_iter()
        .rev()
        .map(|(variable, value)| m.heap.compound(atoms::EQUALS, &[variable, value]))
        .collect();
    let list = m.heap.list(&equations);
    m.unify_arg(2, list)
}

fn order(m: &mut Machine, relation: Comparison) -> Outcome {
    let order = m.heap.compare(m.x[0], m.x[1]);
    Ok(relation.holds(order))
}

fn numbers(m: &mut Machine, relation: Comparison) -> Outcome {
    m.values_relate(relation, m.x[0], m.x[1])
}

fn compare(m: &mut Machine) -> Outcome {
    let symbol = m.arg(0);
    if symbol.tag() != REF {
        let name = m.as_atom(symbol)?;
        if !matches!(m.heap.name(name), "<" | "=" | ">") {
            return Err(error::domain_error(&mut m.heap, "order", symbol));
        }
    }
    let name = match m.heap.compare(m.x[1], m.x[2]) {
        Ordering::Less => atoms::LESS,
        Ordering::Equal => atoms::EQUALS,
        Ordering::Greater => atoms::GREATER,
    };
    m.unify_arg(0, Cell::atom(name))
}

fn functor(m: &mut Machine) -> Outcome {
    let term = m.arg(0);
    // The common case first.
    if term.tag() == STR {
        let functor = m.heap.cells[term.index()];
        let (name, arity) = (Cell::atom(functor.symbol()), functor.arity() as i64);
        return Ok(m.heap.unify(m.x[1], name) && m.heap.unify(m.x[2], Cell::small(arity)));
    }
    match m.heap.view(term) {
        TermView::Variable(_) => make_functor(m),
        TermView::Compound(name, arity, _) => {
            let arity = m.heap.integer(arity as i64);
            Ok(m.heap.unify(m.x[1], Cell::atom(name)) && m.heap.unify(m.x[2], arity))
        }
        TermView::Atom(_)
        | TermView::Text(_)
        | TermView::Integer(_)
        | TermView::Float(_)
        | TermView::Big(_) => {
            Ok(m.heap.unify(m.x[1], term) && m.heap.unify(m.x[2], Cell::small(0)))
        }
    }
}

fn make_functor(m: &mut Machine) -> Outcome {
    let (name, arity) = (m.arg(1), m.arg(2));
    if name.tag() == REF || arity.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let count = m.as_nearest(arity)?;
    if count == 0 {
        if m.holds(TypeTest::Compound, name) {
            return Err(error::type_error(&mut m.heap, "atomic", name));
        }
        return m.unify_arg(0, name);
    }
    if count < 0 {
        return Err(error::domain_error(
            &mut m.heap,
            "not_less_than_zero",
            arity,
        ));
    }
    if m.holds(TypeTest::Compound, name) {
        return Err(error::type_error(&mut m.heap, "atomic", name));
    }
    if !name.is_atom() {
        return Err(error::type_error(&mut m.heap, "atom", name));
    }
    if count > 1 << 23 {
        return Err(error::representation_error(&mut m.heap, "max_arity"));
    }
    let term = m.heap.compound_of_variables(name.symbol(), count as usize);
    m.unify_arg(0, term)
}

fn argument(m: &mut Machine) -> Outcome {
    // The common case first.
    if let Some(value) = m.selected_argument() {
        return m.unify_arg(2, value);
    }
    let (cell, term) = (m.arg(0), m.arg(1));
    // The standard asks for an error [ISO 8.5.2.3].
    if cell.tag() == REF && !m.flags.iso {
        return Err(error::Interruption::Positions);
    }
    let number = m.as_nearest(cell)?;
    let TermView::Compound(_, arity, first) = m.heap.view(term) else {
        return Err(error::type_error(&mut m.heap, "compound", term));
    };
    if number < 0 {
        let culprit = m.arg(0);
        return Err(error::domain_error(
            &mut m.heap,
            "not_less_than_zero",
            culprit,
        ));
    }
    if number < 1 || number > arity as i64 {
        return Ok(false);
    }
    let value = m.heap.argument(first, number as usize - 1);
    m.unify_arg(2, value)
}

fn univ(m: &mut Machine) -> Outcome {
    let term = m.arg(0);
    if term.tag() != REF {
        m.check_partial_list(1)?;
    }
    match m.heap.view(term) {
        TermView::Compound(name, _, _) => {
            let mut elements = vec![Cell::atom(name)];
            elements.extend(m.heap.arguments(term));
            let list = m.heap.list(&elements);
            m.unify_arg(1, list)
        }
        TermView::Variable(_) => univ_back(m),
        TermView::Atom(_)
        | TermView::Text(_)
        | TermView::Integer(_)
        | TermView::Float(_)
        | TermView::Big(_) => {
            let list = m.heap.list(&[term]);
            m.unify_arg(1, list)
        }
    }
}

fn univ_back(m: &mut Machine) -> Outcome {
    let elements = m.list_arg(1)?;
    let Some((&name, arguments)) = elements.split_first() else {
        let culprit = m.arg(1);
        return Err(error::domain_error(&mut m.heap, "non_empty_list", culprit));
    };
    if name.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    if arguments.is_empty() {
        if m.holds(TypeTest::Compound, name) {
            return Err(error::type_error(&mut m.heap, "atomic", name));
        }
        return m.unify_arg(0, name);
    }
    if !name.is_atom() {
        return Err(error::type_error(&mut m.heap, "atom", name));
    }
    let term = m.heap.compound(name.symbol(), arguments);
    m.unify_arg(0, term)
}

fn number_variables(m: &mut Machine) -> Outcome {
    let start = m.integer_arg(1)?;
    let variables = m.heap.variables(&[m.x[0]]);
    let end = start + variables.len() as i64;
    for (offset, variable) in variables.into_iter().enumerate() {
        let number = m.heap.integer(start + offset as i64);
        let name = m.heap.compound(atoms::VAR, &[number]);
        m.heap.unify(variable, name);
    }
    let end = m.heap.integer(end);
    m.unify_arg(2, end)
}

/// The heap index of an argument that is to be changed; none if there is no such argument. A term
/// of the store is opened where it is bound, so that the change is seen.
fn changeable(m: &mut Machine) -> Result<Option<usize>, error::Interruption> {
    let number = m.integer_arg(0)?;
    let term = m.arg(1);
    let mut holder = m.x[1];
    while holder.tag() == REF && m.heap.cells[holder.index()].tag() == REF {
        let next = m.heap.cells[holder.index()];
        if next == holder {
            break;
        }
        holder = next;
    }
    let TermView::Compound(_, arity, first) = m.heap.view(term) else {
        return Err(error::type_error(&mut m.heap, "compound", term));
    };
    // For calls that were not seen when clauses were compiled, as of `call(nb_setarg, ...)`.
    m.database.enable_mutation(&mut m.heap.store);
    if term.tag() == GROUND && holder.tag() == REF {
        let opened = if m.heap.functor(term) == Some((atoms::DOT, 2)) {
            Cell::list(first)
        } else {
            Cell::structure(first - 1)
        };
        m.heap.assign(holder.index(), opened);
    }
    Ok((number >= 1 && number <= arity as i64).then(|| first + number as usize - 1))
}

fn set_argument(m: &mut Machine) -> Outcome {
    let Some(index) = changeable(m)? else {
        return Ok(false);
    };
    let value = m.arg(2);
    m.heap.assign(index, value);
    Ok(true)
}

fn set_argument_for_good(m: &mut Machine) -> Outcome {
    let Some(index) = changeable(m)? else {
        return Ok(false);
    };
    let value = m.heap.copy(m.x[2]);
    m.heap.stopped()?;
    m.heap.cells[index] = value;
    // The value is younger than choice points that the term outlives: backtracking must not take it away.
    let end = m.heap.cells.len() as u32;
    let mut choices = m.choices.iter_mut().rev();
    while let Some(choice) = choices.next().filter(|choice| choice.heap as usize > index) {
        choice.heap = end;
    }
    m.reset_barrier();
    Ok(true)
}

fn successor(m: &mut Machine) -> Outcome {
    let (low, high) = (m.arg(0), m.arg(1));
    if low.tag() == REF && high.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    let natural = |m: &mut Machine, cell| {
        let value = m.as_big_integer(cell)?;
        if value.is_negative() {
            return Err(error::domain_error(&mut m.heap, "not_less_than_zero", cell));
        }
        Ok(value)
    };
    if low.tag() == REF {
        let value = natural(m, high)?;
        if value.is_zero() {
            return Ok(false);
        }
        let value = m.heap.big_integer(&(value - 1));
        return m.unify_arg(0, value);
    }
    let value = natural(m, low)?;
    if high.tag() != REF {
        m.as_big_integer(high)?;
    }
    let next = m.heap.big_integer(&(value + 1));
    m.unify_arg(1, next)
}

fn plus(m: &mut Machine) -> Outcome {
    let unknown = (0..3).find(|&position| m.arg(position).tag() == REF);
    let value = |m: &mut Machine, position| {
        let cell = m.arg(position);
        m.as_big_integer(cell)
    };
    let result = match unknown {
        Some(0) => value(m, 2)? - value(m, 1)?,
        Some(1) => value(m, 2)? - value(m, 0)?,
        Some(_) | None => value(m, 0)? + value(m, 1)?,
    };
    let result = m.heap.big_integer(&result);
    m.unify_arg(unknown.unwrap_or(2), result)
}

fn throw(m: &mut Machine) -> Outcome {
    let ball = m.arg(0);
    if ball.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    Err(error::Interruption::Throw(m.heap.record(&[ball])))
}
