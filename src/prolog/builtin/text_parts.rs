//! Texts put together and taken apart: `atom_concat/3`, `sub_atom/5`, `split_string/4`,
//! `atomic_list_concat/3`.

use crate::prolog::builtin::text_form::{TextForm, make};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::error::{self, Interruption, Outcome};

/// `$atom_concat(A, B, C)` with A and B bound.
pub(super) fn concat(m: &mut Machine, form: TextForm) -> Outcome {
    let mut text = m.text_arg(0)?;
    let back = m.text_arg(1)?;
    append(m, &mut text, &back)?;
    let cell = make(m, &text, form)?;
    m.unify_arg(2, cell)
}

/// Appends to a text, as far as the limits allow: texts that are put together grow beyond all bounds in few steps.
fn append(m: &mut Machine, text: &mut String, part: &str) -> Result<(), Interruption> {
    // A round for each part, and for each cache line of it.
    let rounds = part.len() / 64 + 1;
    if !m.heap.may_go_on_for(rounds, text.len() + part.len()) {
        m.heap.stopped()?;
    }
    text.push_str(part);
    Ok(())
}

/// `$sub_atoms(Text, Before, Length, After, Sub, Solutions)`: all solutions of `sub_atom/5` as
/// `s(Before, Length, After, Sub)`, with those arguments that are bound respected. The positions are
/// enumerated by what is known.
pub(super) fn sub_texts(m: &mut Machine, form: TextForm) -> Outcome {
    let text: Vec<char> = m.text_arg(0)?.chars().collect();
    let total = text.len();
    let Some(known) = known_places(m, total)? else {
        return m.unify_arg(5, Cell::atom(atoms::NIL));
    };
    let sub = m.arg(4);
    let found = if sub.tag() == REF {
        positions(total, known)
    } else {
        let sub: Vec<char> = m.text_arg(4)?.chars().collect();
        occurrences(&text, &sub)
    };
    let functor = m.heap.store.symbol("s");
    let mut cells = Vec::new();
    for (before, length) in found {
        let after = total - before - length;
        if [Some(before), Some(length), Some(after)]
            .iter()
            .zip(&known)
            .any(|(found, known)| known.is_some() && found != known)
        {
            continue;
        }
        // A part that is given may be of another form than those found.
        let part = if sub.tag() == REF {
            let part: String = text[before..before + length].iter().collect();
            make(m, &part, form)?
        } else {
            sub
        };
        let numbers = [before, length, after].map(|number| Cell::small(number as i64));
        cells.push(
            m.heap
                .compound(functor, &[numbers[0], numbers[1], numbers[2], part]),
        );
    }
    let list = m.heap.list(&cells);
    m.unify_arg(5, list)
}

/// Those of before, length and after that are given; none if one of them is negative.
fn known_places(m: &mut Machine, total: usize) -> Result<Option<[Option<usize>; 3]>, Interruption> {
    let mut known = [None; 3];
    for (slot, value) in known.iter_mut().enumerate() {
        let cell = m.arg(slot + 1);
        if cell.tag() != REF {
            let number = m.as_nearest(cell)?;
            if number < 0 {
                return Ok(None);
            }
            // What lies behind the text is nowhere in it, however far; so sums of places do not overflow.
            *value = Some((number as usize).min(total + 1));
        }
    }
    Ok(Some(known))
}

/// Starts and length of a given part wherever it stands in a text.
fn occurrences(text: &[char], part: &[char]) -> Vec<(usize, usize)> {
    let Some(last) = text.len().checked_sub(part.len()) else {
        return Vec::new();
    };
    (0..=last)
        .filter(|&start| text[start..start + part.len()] == *part)
        .map(|start| (start, part.len()))
        .collect()
}

/// Starts and lengths of all parts of a text of `total` characters, as far as they are not known.
fn positions(total: usize, [before, length, after]: [Option<usize>; 3]) -> Vec<(usize, usize)> {
    let fits = |start: usize, length: usize| start + length <= total;
    match (before, length, after) {
        (Some(start), Some(length), _) if fits(start, length) => vec![(start, length)],
        (Some(start), None, Some(after)) if fits(start, after) => {
            vec![(start, total - start - after)]
        }
        (None, Some(length), Some(after)) if fits(length, after) => {
            vec![(total - length - after, length)]
        }
        (Some(start), None, None) if start <= total => {
            (0..=total - start).map(|length| (start, length)).collect()
        }
        (None, Some(length), None) if length <= total => {
            (0..=total - length).map(|start| (start, length)).collect()
        }
        (None, None, Some(after)) if after <= total => (0..=total - after)
            .map(|start| (start, total - after - start))
            .collect(),
        (None, None, None) => (0..=total)
            .flat_map(|start| (0..=total - start).map(move |length| (start, length)))
            .collect(),
        _ => Vec::new(),
    }
}

/// `split_string(Text, Separators, Padding, Parts)`
pub(super) fn split_string(m: &mut Machine) -> Outcome {
    let text = m.text_arg(0)?;
    let separators = m.text_arg(1)?;
    let padding = m.text_arg(2)?;
    let is_padding = |character| padding.contains(character);
    let mut rest = text.trim_matches(is_padding);
    let mut parts = Vec::new();
    loop {
        // Padding goes before a separator is looked for, so that adjacent separators that are padding count once.
        rest = rest.trim_start_matches(is_padding);
        let end = rest.find(|character| separators.contains(character));
        parts.push(rest[..end.unwrap_or(rest.len())].trim_end_matches(is_padding));
        let Some(end) = end else {
            break;
        };
        let separator = rest[end..].chars().next().map_or(0, char::len_utf8);
        rest = &rest[end + separator..];
    }
    let cells: Vec<Cell> = parts.into_iter().map(|part| m.heap.text(part)).collect();
    let list = m.heap.list(&cells);
    m.unify_arg(3, list)
}

/// `atomic_list_concat(List, Atom)`
pub(super) fn join_plain(m: &mut Machine) -> Outcome {
    let mut text = String::new();
    for element in m.list_arg(0)? {
        let part = m.as_text(element, "atomic")?;
        append(m, &mut text, &part)?;
    }
    let atom = m.heap.atom(&text);
    m.unify_arg(1, atom)
}

/// `atomic_list_concat(List, Separator, Atom)`: joins, or splits if the list is not known.
pub(super) fn join(m: &mut Machine) -> Outcome {
    let separator = m.text_arg(1)?;
    let (elements, rest) = m.heap.read_list(m.x[0]);
    let is_known =
        rest == Cell::atom(atoms::NIL) && elements.iter().all(|element| element.tag() != REF);
    if is_known {
        let mut text = String::new();
        for (position, element) in elements.into_iter().enumerate() {
            let part = m.as_text(element, "atomic")?;
            if position > 0 {
                append(m, &mut text, &separator)?;
            }
            append(m, &mut text, &part)?;
        }
        let atom = m.heap.atom(&text);
        return m.unify_arg(2, atom);
    }
    let whole = m.arg(2);
    if whole.tag() == REF {
        return Err(error::instantiation(&mut m.heap));
    }
    if separator.is_empty() {
        let culprit = m.arg(1);
        return Err(error::domain_error(&mut m.heap, "non_empty_atom", culprit));
    }
    let text = m.as_text(whole, "atomic")?;
    let cells: Vec<Cell> = text
        .split(separator.as_str())
        .map(|part| m.heap.atom(part))
        .collect();
    let list = m.heap.list(&cells);
    m.unify_arg(0, list)
}
