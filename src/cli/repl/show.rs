//! How results look: terms in a notation, lists in columns, lines with a little colour.

use std::cmp::Ordering;

use anstyle::{AnsiColor, Effects, Style};

use crate::syntax::Notation;
use crate::term::{Infix, Literal, Prefix, Store, TermId};

/// For what stands out: names of roles, headings.
pub(super) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// For what is said in passing.
pub(super) const FAINT: Style = Style::new().effects(Effects::DIMMED);
/// For `true` and for payoffs.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// For `false`.
pub(super) const BAD: Style = AnsiColor::Red.on_default();
/// For `undefined` and everything unfinished.
pub(super) const OPEN: Style = AnsiColor::Yellow.on_default();

/// Width of lines where the terminal does not tell its own.
pub(super) const WIDTH: usize = 80;

/// Spaces in front of the entries of a list.
const INDENT: &str = "  ";

/// A text in a style; streams that are no terminal drop the style.
pub(super) fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A ground term in a notation.
pub(in crate::cli) fn term(store: &Store, term: TermId, notation: Notation) -> String {
    match notation {
        Notation::Prefix => Prefix::new(store, term).to_string(),
        Notation::Infix | Notation::Prolog => Infix::new(store, term).to_string(),
    }
}

/// A condition of a rule in a notation: infix with its connectives as they are written there.
pub(super) fn literal(store: &Store, id: TermId, notation: Notation) -> String {
    if notation == Notation::Prefix {
        return Prefix::new(store, id).to_string();
    }
    // Connectives are nested no deeper than the engine allows.
    let all = |parts: &[TermId], sign: &str| {
        let parts = parts.iter().map(|&part| literal(store, part, notation));
        parts.collect::<Vec<String>>().join(sign)
    };
    match Literal::of(store, id) {
        Literal::Call(atom) => Infix::new(store, atom).to_string(),
        Literal::Distinct(left, right) => format!(
            "{} \\= {}",
            Infix::new(store, left),
            Infix::new(store, right)
        ),
        Literal::And(parts) => all(parts, ", "),
        Literal::Or(parts) => format!("({})", all(parts, " | ")),
        Literal::Not(inner) => match Literal::of(store, inner) {
            Literal::And(_) | Literal::Distinct(..) | Literal::Not(_) => {
                format!("not ({})", literal(store, inner, notation))
            }
            Literal::Call(_) | Literal::Or(_) => format!("not {}", literal(store, inner, notation)),
        },
    }
}

/// Terms in the order in which people count: `step(9)` before `step(10)`.
pub(super) fn sorted(
    store: &Store,
    terms: impl IntoIterator<Item = TermId>,
    notation: Notation,
) -> Vec<String> {
    let texts = terms.into_iter().map(|id| term(store, id, notation));
    let mut texts: Vec<String> = texts.collect();
    texts.sort_by(|left, right| natural(left, right));
    texts
}

/// Compares texts, runs of digits by their values.
pub(super) fn natural(left: &str, right: &str) -> Ordering {
    let (mut one, mut other) = (left, right);
    loop {
        let (first, second) = (number(one), number(other));
        if !first.is_empty() && !second.is_empty() {
            let by_value = value(first).cmp(&value(second));
            if by_value != Ordering::Equal {
                return by_value;
            }
            (one, other) = (&one[first.len()..], &other[second.len()..]);
            continue;
        }
        let (mut ones, mut others) = (one.chars(), other.chars());
        match (ones.next(), others.next()) {
            // Texts of equal value, such as 9 and 09, are still in an order.
            (None, None) => return left.cmp(right),
            (x, y) if x == y => (one, other) = (ones.as_str(), others.as_str()),
            (x, y) => return x.cmp(&y),
        }
    }
}

/// The digits at the beginning.
fn number(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

/// What orders numbers of any length: the number of digits, then the digits.
fn value(digits: &str) -> (usize, &str) {
    let digits = digits.trim_start_matches('0');
    (digits.len(), digits)
}

/// Entries side by side, to be read column by column, each line indented.
pub(super) fn columns(entries: &[String], width: usize) -> Vec<String> {
    let longest = entries.iter().map(|entry| entry.chars().count()).max();
    let cell = longest.unwrap_or(0) + INDENT.len();
    let across = (width.saturating_sub(INDENT.len()) / cell.max(1)).max(1);
    let rows = entries.len().div_ceil(across);
    let line = |row: usize| {
        let in_row = entries.iter().skip(row).step_by(rows);
        let padded: String = in_row.map(|entry| format!("{entry:cell$}")).collect();
        format!("{INDENT}{}", padded.trim_end())
    };
    (0..rows).map(line).collect()
}

/// `1 move`, `2 moves`.
pub(in crate::cli) fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_by_value() {
        let mut texts = ["c 10", "c 9", "b", "c 09", "c", "c 9 x"];
        texts.sort_by(|left, right| natural(left, right));
        assert_eq!(texts, ["b", "c", "c 09", "c 9", "c 9 x", "c 10"]);
    }

    #[test]
    fn columns_fill_the_width() {
        let entries: Vec<String> = ["a", "bb", "c", "d", "e"].map(str::to_owned).into();
        assert_eq!(columns(&entries, 12), ["  a   d", "  bb  e", "  c"]);
        assert_eq!(columns(&entries, 1).len(), 5);
        assert!(columns(&[], 10).is_empty());
    }
}
