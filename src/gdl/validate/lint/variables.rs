//! Variables that were mistyped, and constants that lost their question mark.

use rustc_hash::FxHashMap;
use strsim::osa_distance;

use crate::gdl::codes;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, Sheet};
use crate::syntax::Notation;
use crate::term::{Clause, Term, TermId};

/// Shorter names of variables are too much alike to tell a slip from a choice.
const MIN_LENGTH: usize = 4;

/// Reports names that are nearly those of others in the same rule.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    let uses = uses_of_constants(sheet);
    for clause in sheet.clauses {
        let parts = parts(sheet, clause);
        mistyped(sheet, &parts, found);
        unmarked(sheet, &parts, &uses, found);
    }
}

/// All terms of a clause with their places.
fn parts(sheet: &Sheet<'_>, clause: &Clause) -> Vec<Place> {
    let roots = [sheet.head(clause)].into_iter().chain(sheet.body(clause));
    roots.flat_map(|root| sheet.subterms(root)).collect()
}

/// The name of a variable, as it is written, without the question mark.
fn name<'s>(sheet: &'s Sheet<'_>, place: Place) -> Option<&'s str> {
    let is_variable = matches!(sheet.store.view(place.term), Term::Variable(_));
    let text = sheet.source.slice(sheet.span(place));
    is_variable.then(|| text.trim_start_matches('?'))
}

/// A variable that occurs once while one of nearly the same name occurs more often.
fn mistyped(sheet: &Sheet<'_>, parts: &[Place], found: &mut Findings) {
    let mut names: Vec<(&str, Place, usize)> = Vec::new();
    for &place in parts {
        if let Some(name) = name(sheet, place) {
            match names
                .iter_mut()
                .find(|(_, other, _)| other.term == place.term)
            {
                Some((_, _, count)) => *count += 1,
                None => names.push((name, place, 1)),
            }
        }
    }
    for &(name, place, _) in names.iter().filter(|&&(_, _, count)| count == 1) {
        let mut others = names.iter().filter(|(_, _, count)| *count > 1);
        let is_slip = |other: &str| {
            let is_long = name.chars().count() >= MIN_LENGTH;
            is_long
                && !other.is_empty()
                && osa_distance(name, other) == 1
                && !is_series(name, other)
        };
        let nearest = others.find(|(other, _, _)| is_slip(other));
        if let Some((nearest, _, _)) = nearest {
            found.push(
                codes::SINGLE_VARIABLE
                    .at(
                        sheet.span(place),
                        format!("the variable `?{name}` occurs once"),
                    )
                    .with_label("may be anything")
                    .with_help(format!("is `?{nearest}` meant?"))
                    .with_fix(sheet.span(place), marked(sheet, nearest)),
            );
        }
    }
}

/// A variable as the text writes it.
fn marked(sheet: &Sheet<'_>, name: &str) -> String {
    match sheet.document.notation() {
        Some(Notation::Prefix) | None => format!("?{name}"),
        Some(Notation::Infix | Notation::Prolog) => name.to_owned(),
    }
}

/// The variable with the name of a constant, as it is written.
fn variable_like<'s>(sheet: &'s Sheet<'_>, parts: &[Place], constant: &'s str) -> &'s str {
    let same = parts
        .iter()
        .find(|&&place| name(sheet, place).is_some_and(|name| name.eq_ignore_ascii_case(constant)));
    same.map_or(constant, |&place| sheet.source.slice(sheet.span(place)))
}

/// Whether two names differ in their last or first character alone, as those of a series do: `?row1` and `?row2`,
/// `?xpos` and `?ypos`, `?pos` and `?pos1`.
fn is_series(name: &str, other: &str) -> bool {
    let (one, two): (Vec<char>, Vec<char>) = (name.chars().collect(), other.chars().collect());
    let same_length = one.len() == two.len();
    let same_stem = one[..one.len() - 1] == two[..two.len() - 1];
    let same_rest = one[1..] == two[1..];
    let is_part = name.starts_with(other) || other.starts_with(name);
    same_length && (same_stem || same_rest) || is_part
}

/// By constant, in how many clauses it occurs as an argument.
fn uses_of_constants(sheet: &Sheet<'_>) -> FxHashMap<TermId, usize> {
    let mut uses = FxHashMap::default();
    for clause in sheet.clauses {
        let mut constants: Vec<TermId> = parts(sheet, clause)
            .iter()
            .map(|place| place.term)
            .collect();
        constants.sort_unstable();
        constants.dedup();
        for term in constants {
            *uses.entry(term).or_default() += 1;
        }
    }
    uses
}

/// A constant that occurs in one rule alone, with the name of a variable of the rule.
fn unmarked(
    sheet: &Sheet<'_>,
    parts: &[Place],
    uses: &FxHashMap<TermId, usize>,
    found: &mut Findings,
) {
    let variables: Vec<&str> = parts
        .iter()
        .filter_map(|&place| name(sheet, place))
        .collect();
    for &place in parts {
        let Term::Atom(symbol) = sheet.store.view(place.term) else {
            continue;
        };
        let constant = sheet.store.name(symbol);
        let is_named = variables
            .iter()
            .any(|name| name.eq_ignore_ascii_case(constant));
        if is_named && uses.get(&place.term) == Some(&1) {
            found.push_once(
                codes::UNMARKED_VARIABLE
                    .at(
                        sheet.span(place),
                        format!("`{constant}` is a constant beside the variable `?{constant}`"),
                    )
                    .with_label("occurs in no other rule")
                    .with_help(format!("is `?{constant}` meant?"))
                    .with_fix(sheet.span(place), variable_like(sheet, parts, constant)),
            );
        }
    }
}
