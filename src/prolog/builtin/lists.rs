//! Lists: length, sorting.

use std::cmp::Ordering;

use super::definition::Builtin;
use super::definition::Effect::Binds;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};
use crate::prolog::terms::heap::TermView;

pub(super) const BUILTINS: &[Builtin] = &[
    ("$skip_list", 3, Binds, |m| {
        let (elements, rest) = m.heap.read_list(m.x[0]);
        let length = m.heap.integer(elements.len() as i64);
        Ok(m.heap.unify(m.x[1], length) && m.heap.unify(m.x[2], rest))
    }),
    ("$fresh_list", 2, Binds, |m| {
        let length = m.integer_arg(0)?;
        let mut elements: Vec<Cell> = Vec::new();
        for _ in 0..length {
            if !m.heap.may_go_on(elements.len() * size_of::<Cell>()) {
                m.heap.stopped()?;
            }
            elements.push(m.heap.variable());
        }
        let list = m.heap.list(&elements);
        m.unify_arg(1, list)
    }),
    ("msort", 2, Binds, |m| sorted(m, 0, Duplicates::Keep, 0, 1)),
    ("sort", 2, Binds, |m| sorted(m, 0, Duplicates::Remove, 0, 1)),
    ("sort", 4, Binds, sort_by),
    ("keysort", 2, Binds, keysort),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duplicates {
    Keep,
    Remove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Ascending,
    Descending,
}

/// Sorts the list in one argument into another, by the whole terms or by one of their arguments.
fn sorted(m: &mut Machine, key: usize, duplicates: Duplicates, from: usize, to: usize) -> Outcome {
    let elements = m.list_arg(from)?;
    m.check_partial_list(to)?;
    let keyed = keyed(m, elements, key)?;
    let sorted = sort(m, keyed, duplicates, Direction::Ascending)?;
    let list = m.heap.list(&sorted);
    m.unify_arg(to, list)
}

/// Each element with its key: itself, or one of its arguments.
fn keyed(
    m: &mut Machine,
    elements: Vec<Cell>,
    key: usize,
) -> Result<Vec<(Cell, Cell)>, Interruption> {
    let mut pairs = Vec::with_capacity(elements.len());
    for element in elements {
        let value = if key == 0 {
            element
        } else {
            match m.heap.view(element) {
                TermView::Compound(_, arity, first) if key <= arity => {
                    m.heap.argument(first, key - 1)
                }
                TermView::Variable(_)
                | TermView::Atom(_)
                | TermView::Text(_)
                | TermView::Integer(_)
                | TermView::Float(_)
                | TermView::Big(_)
                | TermView::Compound(..) => {
                    return Err(error::type_error(&mut m.heap, "compound", element));
                }
            }
        };
        pairs.push((value, element));
    }
    Ok(pairs)
}

/// Sorts by the first of each pair; equal ones keep their order. The elements are the second.
///
/// The merge is our own because a limit may end a comparison, and the order that it then gives is
/// none: the sort of the standard library may panic on that.
fn sort(
    m: &mut Machine,
    pairs: Vec<(Cell, Cell)>,
    duplicates: Duplicates,
    direction: Direction,
) -> Result<Vec<Cell>, Interruption> {
    let after = match direction {
        Direction::Ascending => Ordering::Greater,
        Direction::Descending => Ordering::Less,
    };
    let mut from = pairs;
    let mut to = Vec::with_capacity(from.len());
    let mut width = 1;
    while width < from.len() {
        for block in from.chunks(2 * width) {
            let (mut left, mut right) = block.split_at(width.min(block.len()));
            while let (Some((l, rest_left)), Some((r, rest_right))) =
                (left.split_first(), right.split_first())
            {
                if m.heap.compare(l.0, r.0) == after {
                    to.push(*r);
                    right = rest_right;
                } else {
                    to.push(*l);
                    left = rest_left;
                }
            }
            to.extend_from_slice(left);
            to.extend_from_slice(right);
        }
        m.heap.stopped()?;
        std::mem::swap(&mut from, &mut to);
        to.clear();
        width *= 2;
    }
    if duplicates == Duplicates::Remove {
        from.dedup_by(|right, left| m.heap.compare(left.0, right.0) == Ordering::Equal);
    }
    Ok(from.into_iter().map(|(_, element)| element).collect())
}

fn sort_by(m: &mut Machine) -> Outcome {
    let key = m.integer_arg(0)?;
    if key < 0 {
        let culprit = m.arg(0);
        return Err(error::domain_error(
            &mut m.heap,
            "not_less_than_zero",
            culprit,
        ));
    }
    let name = m.atom_arg(1)?;
    let (duplicates, direction) = match m.heap.name(name) {
        "@<" => (Duplicates::Remove, Direction::Ascending),
        "@=<" => (Duplicates::Keep, Direction::Ascending),
        "@>" => (Duplicates::Remove, Direction::Descending),
        "@>=" => (Duplicates::Keep, Direction::Descending),
        _ => return Err(error::domain_error(&mut m.heap, "order", Cell::atom(name))),
    };
    let elements = m.list_arg(2)?;
    let pairs = keyed(m, elements, key as usize)?;
    let sorted = sort(m, pairs, duplicates, direction)?;
    let list = m.heap.list(&sorted);
    m.unify_arg(3, list)
}

fn keysort(m: &mut Machine) -> Outcome {
    let elements = m.list_arg(0)?;
    m.check_partial_list(1)?;
    let mut pairs = Vec::with_capacity(elements.len());
    for element in elements {
        if element.tag() == REF {
            return Err(error::instantiation(&mut m.heap));
        }
        let Some((key, _)) = m.heap.binary(element, atoms::MINUS) else {
            return Err(error::type_error(&mut m.heap, "pair", element));
        };
        pairs.push((key, element));
    }
    let (wanted, _) = m.heap.read_list(m.x[1]);
    for element in wanted {
        if element.tag() != REF && m.heap.functor(element) != Some((atoms::MINUS, 2)) {
            return Err(error::type_error(&mut m.heap, "pair", element));
        }
    }
    let sorted = sort(m, pairs, Duplicates::Keep, Direction::Ascending)?;
    let list = m.heap.list(&sorted);
    m.unify_arg(1, list)
}
