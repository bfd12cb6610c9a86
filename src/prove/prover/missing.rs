//! Rules that apply in no play and moves that are legal in none, in the words of the rules.

use crate::prove::application::word;
use crate::prove::cover::CoverItem;
use crate::prove::finding::Missing;
use crate::prove::prover::prepare::Prover;
use crate::term::{Prefix, Store, Substitution, TermId};

/// Characters of a rule that are shown.
const MAX_TEXT: usize = 100;

impl Prover {
    /// A target that no play reaches, in the words of the rules.
    pub(super) fn missing(&self, cover: usize, store: &Store) -> Missing {
        let source = self.game.source();
        let line = |clause: usize| {
            let span = self.game.clauses()[clause].origin.span;
            source.position(span.start).line
        };
        match self.covers[cover].item {
            CoverItem::Rule(clause) => {
                let text = source.slice(self.game.clauses()[clause].origin.span);
                let words: Vec<&str> = text.split_whitespace().collect();
                let text = words.join(" ");
                let shown: String = text.chars().take(MAX_TEXT).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                Missing {
                    line: Some(line(clause)),
                    text: shown + more,
                }
            }
            CoverItem::Move(role, place) => {
                let mv = self.circuit.moves[role][place].term;
                let role = self.game.roles()[role];
                let mut clauses = self.game.clauses().iter();
                // By the head alone: why the body never holds is what the reader has to find out.
                let first = clauses.position(|clause| {
                    let gives = |given: [TermId; 2]| {
                        let mut unifier = Substitution::default();
                        let mut pairs = store.arguments(clause.head).iter().zip(given);
                        pairs.all(|(&own, given)| unifier.unify(store, own, given))
                    };
                    word(store, clause) == "legal" && gives([role, mv])
                });
                let (role, mv) = (Prefix::new(store, role), Prefix::new(store, mv));
                Missing {
                    line: first.map(line),
                    text: format!("{role}: {mv}"),
                }
            }
        }
    }
}
