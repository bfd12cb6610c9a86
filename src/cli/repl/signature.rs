//! Actions by name and number of arguments.

use std::collections::BTreeSet;

use crate::cli::repl::show::term;
use crate::cli::repl::walk::Walk;
use crate::syntax::Notation;
use crate::term::{Functor, Store, Term, TermId};

/// The name of an action and its number of arguments.
pub(super) fn signature(store: &Store, action: TermId) -> (String, usize) {
    match store.view(action) {
        Term::Compound(symbol, arguments) => (store.name(symbol).to_owned(), arguments.len()),
        Term::Atom(_)
        | Term::Integer(_)
        | Term::Float(_)
        | Term::Big(_)
        | Term::Text(_)
        | Term::Variable(_) => (term(store, action, Notation::Prefix), 0),
    }
}

/// `mark/2`, `noop`
pub(super) fn signature_text(store: &Store, action: TermId) -> String {
    match signature(store, action) {
        (name, 0) => name,
        (name, arity) => format!("{name}/{arity}"),
    }
}

/// The names of the actions, for completion: those of the axioms, or what the rules of `legal` say
/// before there are axioms.
pub(super) fn action_names(walk: &Walk) -> BTreeSet<String> {
    let store = walk.store();
    let name = |action: TermId| signature(store, action).0;
    if let Some(axioms) = walk.known_axioms() {
        let preconditions = axioms.preconditions.iter();
        return preconditions.map(|axiom| name(axiom.action)).collect();
    }
    let heads = walk.game().clauses().iter().map(|clause| clause.head);
    let moves = heads.filter_map(|head| match (store.functor(head), store.arguments(head)) {
        (Some(Functor { symbol, .. }), &[_, mv]) if store.name(symbol) == "legal" => Some(mv),
        _ => None,
    });
    let named = moves.filter(|&mv| !matches!(store.view(mv), Term::Variable(_)));
    named.map(name).collect()
}
