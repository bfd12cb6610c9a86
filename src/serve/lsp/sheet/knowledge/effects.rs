//! What the moves change: axioms of actions, and which rules are frame axioms.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::fluent::{BookStyle, GameAxioms, action_axioms, translate};
use crate::gdl::{Game, Vocabulary};
use crate::limits::Limits;
use crate::serve::lsp::sheet::knowledge::Signature;
use crate::serve::lsp::sheet::knowledge::text::text;
use crate::syntax::Notation;
use crate::term::{Store, TermId};
use crate::workbench::WorkbenchError;

/// What the moves of a game change.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    actions: BTreeMap<Signature, String>,
    /// By the text of a rule, the fluent that it keeps.
    frames: BTreeMap<String, String>,
}

impl Effects {
    /// The precondition and state update axioms of an action.
    pub fn of(&self, name: &str, arity: u32) -> Option<&str> {
        let axioms = self.actions.get(&(name.to_owned(), arity));
        axioms.map(String::as_str)
    }

    /// The fluent that a rule keeps as it is, if the rule, given as it is written, is a frame axiom.
    pub fn frame(&self, rule: &str) -> Option<&str> {
        self.frames.get(rule).map(String::as_str)
    }
}

/// Translates the game.
pub(super) fn collect(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Effects, WorkbenchError> {
    let axioms = translate(game, vocabulary, limits)?;
    let store = vocabulary.store();
    let mut found = Effects::default();
    for precondition in &axioms.preconditions {
        let signature = signature(store, precondition.action);
        // An action may have several preconditions; all its axioms are printed at the first one.
        if let Entry::Vacant(entry) = found.actions.entry(signature) {
            let is_meant = |action: TermId| self::signature(store, action) == *entry.key();
            let text = action_axioms(&axioms, store, BookStyle::Unicode, &is_meant);
            entry.insert(text.trim().to_owned());
        }
    }
    found.frames = frames(game, &axioms, store);
    Ok(found)
}

/// The rules of which every alternative keeps a fluent, by their texts.
fn frames(game: &Game, axioms: &GameAxioms, store: &Store) -> BTreeMap<String, String> {
    let mut frames = BTreeMap::new();
    let mut others: Vec<usize> = Vec::new();
    for supports in &axioms.supports {
        let (name, _) = signature(store, supports.pattern);
        for support in &supports.supports {
            if support.is_frame {
                frames.insert(support.clause, name.clone());
            } else {
                others.push(support.clause);
            }
        }
        others.extend(&supports.folded);
    }
    for other in others {
        frames.remove(&other);
    }
    // By text: the result outlives the version whose rules it would otherwise number.
    let by_text = frames.into_iter().filter_map(|(rule, name)| {
        let origin = &game.clauses().get(rule)?.origin;
        Some((game.source().slice(origin.span).to_owned(), name))
    });
    by_text.collect()
}

/// Name and number of arguments of a term.
fn signature(store: &Store, term: TermId) -> Signature {
    match store.functor(term) {
        Some(functor) => (store.name(functor.symbol).to_owned(), functor.arity),
        None => (text(store, term, Notation::Prefix), 0),
    }
}
