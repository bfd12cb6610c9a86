//! What holds in the initial state: fluents, relations, legal moves.

use std::collections::BTreeMap;

use crate::gdl::{Game, Keyword, Keywords, Reasoner, RoleId, State, Tabled, Vocabulary};
use crate::limits::Limits;
use crate::serve::lsp::sheet::Owner;
use crate::serve::lsp::sheet::knowledge::text::text;
use crate::syntax::Notation;
use crate::term::{Functor, PredicateSet, TermId};
use crate::workbench::WorkbenchError;

/// Instances of one relation or fluent that are kept as texts.
const MAX_KEPT: usize = 2000;

/// The instances of something that hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Their number.
    pub count: usize,
    /// The first ones, in order of discovery.
    pub texts: Vec<String>,
}

impl Truth {
    /// Whether an instance, in the text of its term, holds, or is legal for some role; none if too many do to know.
    pub fn holds(&self, instance: &str) -> Option<bool> {
        let is_meant = |text: &String| {
            // Legal moves are kept with their roles: `white: (mark 1 1)`.
            let of_role = text.strip_suffix(instance);
            of_role.is_some_and(|role| role.is_empty() || role.ends_with(": "))
        };
        let is_there = self.texts.iter().any(is_meant);
        // What is not among the texts is false only if all instances have one.
        (is_there || self.count == self.texts.len()).then_some(is_there)
    }
}

/// The initial state and what follows from it.
#[derive(Clone, Debug, Default)]
pub struct Start {
    truths: BTreeMap<(Owner, String, u32), Truth>,
}

impl Start {
    /// The instances of a relation or fluent that hold, or of a move that are legal, each with its role.
    pub fn of(&self, owner: Owner, name: &str, arity: u32) -> Option<&Truth> {
        self.truths.get(&(owner, name.to_owned(), arity))
    }
}

/// Evaluates the initial state.
pub(super) fn collect(
    game: &Game,
    vocabulary: &mut Vocabulary,
    notation: Notation,
    limits: &Limits,
) -> Result<Start, WorkbenchError> {
    let mut tabled = game.tabled(vocabulary, limits.clone())?;
    let state = tabled.initial_state(vocabulary)?;
    let mut collector = TruthCollector {
        vocabulary,
        notation,
        start: Start::default(),
    };
    for fluent in state.fluents() {
        let term = collector.vocabulary.fluent_term(fluent);
        collector.add(Owner::Fluent, term, None);
    }
    let mut moves = Vec::new();
    for (number, &role) in game.roles().iter().enumerate() {
        let role_id = RoleId(number as u32);
        tabled.legal_moves(collector.vocabulary, &state, role_id, &mut moves)?;
        for &mv in &moves {
            let term = collector.vocabulary.move_term(mv);
            collector.add(Owner::Move, term, Some(role));
        }
    }
    collector.relations(game, &mut tabled, &state)?;
    Ok(collector.start)
}

struct TruthCollector<'v> {
    vocabulary: &'v mut Vocabulary,
    notation: Notation,
    start: Start,
}

impl TruthCollector<'_> {
    /// Adds a term under its name, with the role whose move it is.
    fn add(&mut self, owner: Owner, term: TermId, role: Option<TermId>) {
        let store = self.vocabulary.store();
        let (name, arity) = match store.functor(term) {
            Some(functor) => (store.name(functor.symbol).to_owned(), functor.arity),
            None => (text(store, term, self.notation), 0),
        };
        let truth = self.start.truths.entry((owner, name, arity)).or_default();
        truth.count += 1;
        if truth.texts.len() < MAX_KEPT {
            let shown = text(store, term, self.notation);
            truth.texts.push(match role {
                Some(role) => format!("{}: {shown}", text(store, role, self.notation)),
                None => shown,
            });
        }
    }

    /// Adds what holds of the relations that do not depend on a joint move.
    fn relations(
        &mut self,
        game: &Game,
        tabled: &mut Tabled,
        state: &State,
    ) -> Result<(), WorkbenchError> {
        let keywords = Keywords::of(self.vocabulary.store_mut());
        let store = self.vocabulary.store();
        let heads = game.clauses().iter().map(|clause| clause.head);
        let mut seen = PredicateSet::default();
        let mut predicates: Vec<Functor> = heads.filter_map(|head| store.functor(head)).collect();
        predicates.retain(|&predicate| seen.insert(predicate));
        // These are about the next state or about all states, or were added as moves.
        let unasked = [
            Keyword::Init,
            Keyword::Next,
            Keyword::Legal,
            Keyword::Base,
            Keyword::Input,
        ];
        for predicate in predicates {
            let keyword = keywords.predicate(predicate);
            if keyword.is_some_and(|keyword| unasked.contains(&keyword)) {
                continue;
            }
            let answers = tabled.answers_in(self.vocabulary, state, predicate)?;
            let name = self.vocabulary.store().name(predicate.symbol).to_owned();
            let key = (Owner::Atom, name, predicate.arity);
            // A relation of which nothing holds is one, too.
            self.start.truths.entry(key).or_default();
            for answer in answers {
                let atom = match predicate.arity {
                    0 => self.vocabulary.store_mut().atom(predicate.symbol),
                    _ => self
                        .vocabulary
                        .store_mut()
                        .compound(predicate.symbol, &answer),
                };
                self.add(Owner::Atom, atom, None);
            }
        }
        Ok(())
    }
}
