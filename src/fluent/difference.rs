//! A state and a joint move of which the axioms say something else than the rules.

use std::fmt;

use rustc_hash::FxHashSet;

use crate::fluent::axioms::GameAxioms;
use crate::gdl::{FluentId, Game, Keyword, Keywords, MoveId, State, Vocabulary};
use crate::term::{Functor, Prefix, TermId};

/// A joint move of which the reasoners say different things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where the move is made.
    pub state: State,
    /// One move a role, in the order of roles.
    pub joint_move: Vec<MoveId>,
    /// The successor that the rules give.
    pub by_rules: State,
    /// The successor that the axioms give.
    pub by_axioms: State,
}

impl Difference {
    /// The fluents that the axioms should give and do not.
    pub fn missing(&self) -> impl Iterator<Item = FluentId> {
        only(&self.by_axioms, &self.by_rules)
    }

    /// The fluents that the axioms give and should not.
    pub fn extra(&self) -> impl Iterator<Item = FluentId> {
        only(&self.by_rules, &self.by_axioms)
    }

    /// The rules, by index, that speak of the fluents in question: those of `next` that may give
    /// them, and those from which an effect on them was read. Ascending.
    pub fn rules(&self, vocabulary: &mut Vocabulary, axioms: &GameAxioms) -> Vec<usize> {
        let next = Keywords::of(vocabulary.store_mut()).functor(Keyword::Next);
        let store = vocabulary.store();
        let fluents = self.missing().chain(self.extra());
        let wanted: FxHashSet<Option<Functor>> = fluents
            .map(|fluent| store.functor(vocabulary.fluent_term(fluent)))
            .collect();
        // A variable may stand for any fluent.
        let may_be = |fluent: TermId| match store.functor(fluent) {
            None => true,
            functor => wanted.contains(&functor),
        };
        let mut found: Vec<usize> = Vec::new();
        for (index, clause) in axioms.rules.iter().enumerate() {
            if store.functor(clause.head) == Some(next) && may_be(store.arguments(clause.head)[0]) {
                found.push(index);
            }
        }
        for effect in &axioms.effects {
            if may_be(effect.fluent) {
                found.extend(&effect.clauses);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The fluents of `other` that are not in `one`.
fn only<'s>(one: &'s State, other: &'s State) -> impl Iterator<Item = FluentId> + 's {
    let changes = one.changes(other).filter(|&(_, holds)| holds);
    changes.map(|(fluent, _)| fluent)
}

/// A difference in words; terms are in prefix notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The fluents of the state, in byte order, as in all lists of fluents here.
    pub state: Vec<String>,
    /// Roles and their moves, in the order of roles.
    pub joint_move: Vec<(String, String)>,
    /// The successor that the rules give.
    pub by_rules: Vec<String>,
    /// The successor that the axioms give.
    pub by_axioms: Vec<String>,
    /// What the axioms should give and do not.
    pub missing: Vec<String>,
    /// What the axioms give and should not.
    pub extra: Vec<String>,
    /// Line and text of the rules that it is about.
    pub rules: Vec<(u32, String)>,
}

impl Difference {
    /// The difference in words.
    pub fn written(
        &self,
        game: &Game,
        axioms: &GameAxioms,
        vocabulary: &mut Vocabulary,
    ) -> Written {
        let rules = self.rules(vocabulary, axioms);
        let store = vocabulary.store();
        let term = |term: TermId| Prefix::new(store, term).to_string();
        let fluents = |fluents: &mut dyn Iterator<Item = FluentId>| {
            let mut fluents: Vec<String> = fluents
                .map(|fluent| term(vocabulary.fluent_term(fluent)))
                .collect();
            fluents.sort_unstable();
            fluents
        };
        let moves = axioms.roles.iter().zip(&self.joint_move);
        let moves = moves.map(|(&role, &mv)| (term(role), term(vocabulary.move_term(mv))));
        let rules = rules.into_iter().map(|rule| {
            let span = axioms.rules[rule].origin.span;
            let source = game.source();
            let text: Vec<&str> = source.slice(span).split_whitespace().collect();
            (source.line(span), text.join(" "))
        });
        Written {
            state: fluents(&mut self.state.fluents()),
            joint_move: moves.collect(),
            by_rules: fluents(&mut self.by_rules.fluents()),
            by_axioms: fluents(&mut self.by_axioms.fluents()),
            missing: fluents(&mut self.missing()),
            extra: fluents(&mut self.extra()),
            rules: rules.collect(),
        }
    }
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.joint_move.iter();
        let moves: Vec<String> = moves.map(|(role, mv)| format!("{role}: {mv}")).collect();
        for (name, text) in [
            ("state", self.state.join(" ")),
            ("joint move", moves.join(", ")),
            ("by rules", self.by_rules.join(" ")),
            ("by axioms", self.by_axioms.join(" ")),
            ("missing", self.missing.join(" ")),
            ("extra", self.extra.join(" ")),
        ] {
            writeln!(f, "  {name:<11}{text}")?;
        }
        write!(f, "  rules")?;
        for (line, text) in &self.rules {
            write!(f, "\n    {line:>5}: {text}")?;
        }
        Ok(())
    }
}
