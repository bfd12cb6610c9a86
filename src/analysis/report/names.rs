//! How fluents, actions and atoms are called in reports.

use crate::analysis::refusal::Refusal;
use crate::term::{Infix, Store, Term, TermId};

/// The name of a node for programs: `cell/3` for all instances of a function, `noop/0` for a
/// constant, `cell(1,_,_)` for some instances.
pub(in crate::analysis) fn indicator(store: &Store, pattern: TermId) -> String {
    match store.functor(pattern) {
        Some(functor) if functor.arity == 0 => format!("{}/0", node(store, pattern)),
        Some(_) | None => node(store, pattern),
    }
}

/// The name of a node for people: `cell/3` for all instances of a function, `noop` for a constant,
/// `cell(1,_,_)` for some instances.
pub(in crate::analysis) fn node(store: &Store, pattern: TermId) -> String {
    let arguments = store.arguments(pattern);
    let is_variable = |&argument: &TermId| matches!(store.view(argument), Term::Variable(_));
    match store.functor(pattern) {
        Some(functor) if functor.arity > 0 && arguments.iter().all(is_variable) => {
            format!("{}/{}", store.name(functor.symbol), functor.arity)
        }
        _ => atom(store, pattern),
    }
}

/// An atom in infix notation, with `_` for variables that occur once.
pub(in crate::analysis) fn atom(store: &Store, atom: TermId) -> String {
    let text = Infix::new(store, atom).to_string();
    let mut shown = text.clone();
    for variable in store.variables(atom) {
        let name = format!("_{variable}");
        let occurrences = text
            .split(|character: char| !character.is_alphanumeric() && character != '_')
            .filter(|word| *word == name);
        if occurrences.count() == 1 {
            shown = replace_word(&shown, &name, "_");
        }
    }
    shown
}

/// Why there are no concepts.
pub(super) fn refusal(refusal: Refusal, store: &Store) -> String {
    match refusal {
        Refusal::Recursion(met) => format!(
            "{} speaks of several subgames and calls itself",
            atom(store, met)
        ),
        Refusal::Variable(met) => format!(
            "the values of a variable of {} cannot be listed",
            atom(store, met)
        ),
        Refusal::Instances(met) => {
            format!("the rules of {} have too many instances", atom(store, met))
        }
        Refusal::Atoms(met) => format!("there are too many atoms in front of {}", atom(store, met)),
    }
}

/// The text with one word replaced.
fn replace_word(text: &str, word: &str, by: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(word) {
        let (before, behind) = rest.split_at(place);
        let behind = &behind[word.len()..];
        shown.push_str(before);
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let is_word = !behind.starts_with(is_part) && !before.ends_with(is_part);
        shown.push_str(if is_word { by } else { word });
        rest = behind;
    }
    shown + rest
}

/// The names of some nodes, for people.
pub(in crate::analysis) fn nodes(
    store: &Store,
    patterns: impl Iterator<Item = TermId>,
) -> Vec<String> {
    patterns.map(|pattern| node(store, pattern)).collect()
}

/// The names of some nodes, for programs.
pub(in crate::analysis) fn indicators(
    store: &Store,
    patterns: impl Iterator<Item = TermId>,
) -> Vec<String> {
    patterns.map(|pattern| indicator(store, pattern)).collect()
}
