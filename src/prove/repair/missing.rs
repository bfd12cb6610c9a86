//! Rules that a sheet may lack: frame rules, moves for a role that is stuck, goal values.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use crate::gdl::{Reasoner, RoleId};
use crate::limits::Limits;
use crate::prove::application::word;
use crate::prove::finding::{Finding, Play};
use crate::prove::repair::sheet::RepairError;
use crate::prove::repair::writer::CandidateWriter;
use crate::syntax::Notation;
use crate::term::{Clause, Functor, Term, TermId};

/// Fluents of a state in which a role is stuck that may be the reason for which it waits.
const MAX_REASONS: usize = 30;

impl CandidateWriter<'_> {
    /// A frame rule for each sort of fluent that has none.
    pub(super) fn frames(&mut self) {
        let store = self.trial.vocabulary.store();
        let subject = |atom: TermId| {
            let inner = store.arguments(atom).first()?;
            store.functor(*inner)
        };
        // Sorts of fluents with the last rule that mentions them, behind which a frame rule is written.
        let mut fluents: IndexMap<Functor, Clause> = IndexMap::new();
        let mut framed: BTreeSet<Functor> = BTreeSet::new();
        for clause in self.trial.game.clauses() {
            let is_next = word(store, clause) == "next";
            if let Some(functor) = subject(clause.head)
                && (is_next || word(store, clause) == "init")
            {
                fluents.insert(functor, clause.clone());
                // A frame rule gives a fluent because it held.
                let inner = store.arguments(clause.head)[0];
                let keeps = |&literal: &TermId| store.arguments(literal).first() == Some(&inner);
                if is_next && clause.body.iter().any(keeps) {
                    framed.insert(functor);
                }
            }
        }
        for (functor, last) in fluents {
            if framed.contains(&functor) {
                continue;
            }
            let name = store.name(functor.symbol).to_owned();
            let variables = (1..=functor.arity).map(|number| match self.trial.notation {
                Notation::Prefix => format!("?x{number}"),
                Notation::Infix | Notation::Prolog => format!("X{number}"),
            });
            let fluent = self.compound(&name, &variables.collect::<Vec<_>>());
            let [next, held] =
                ["next", "true"].map(|word| self.compound(word, std::slice::from_ref(&fluent)));
            let rule = self.rule(&next, std::slice::from_ref(&held));
            self.add_rule(2, &last, &rule);
            self.frames_beside_moves(functor, &last, [&next, &held]);
        }
    }

    /// Frame rules for fluents that moves set: what a move does not set stays. Of a rule `next(heap(H,N)) ← does(P,
    /// leave(H,N))` one or two of the arguments that the move shares tell which fluents it sets.
    fn frames_beside_moves(&mut self, functor: Functor, last: &Clause, [next, held]: [&str; 2]) {
        let store = self.trial.vocabulary.store();
        let mut rules: IndexSet<String> = IndexSet::new();
        for clause in self.clauses("next") {
            let fluent = store.arguments(clause.head)[0];
            let is_does = |&&literal: &&TermId| {
                let functor = store.functor(literal);
                functor.is_some_and(|functor| store.name(functor.symbol) == "does")
            };
            let Some(&does) = clause.body.iter().find(is_does) else {
                continue;
            };
            if store.functor(fluent) != Some(functor) {
                continue;
            }
            // Of next(heap(H,N)) ← does(P, leave(H,N)) both H and N are shared: distinct(X1,H), distinct(X2,N), and
            // one of both.
            let made = store.variables(does);
            let shared = store.arguments(fluent).iter().enumerate();
            let shared = shared.filter(|(_, argument)| {
                matches!(store.view(**argument), Term::Variable(number) if made.contains(&number))
            });
            let apart: Vec<String> = shared
                .map(|(place, &argument)| {
                    let own = match self.trial.notation {
                        Notation::Prefix => format!("?x{}", place + 1),
                        Notation::Infix | Notation::Prolog => format!("X{}", place + 1),
                    };
                    let other = self.text(argument, &clause.variables);
                    self.compound("distinct", &[own, other])
                })
                .collect();
            let does = self.text(does, &clause.variables);
            for (place, one) in apart.iter().enumerate() {
                let mut rule = |condition: String| {
                    let body = [held.to_owned(), does.clone(), condition];
                    rules.insert(self.rule(next, &body));
                };
                rule(one.clone());
                for other in &apart[place + 1..] {
                    rule(self.compound("or", &[one.clone(), other.clone()]));
                }
            }
        }
        for rule in rules {
            self.add_rule(2, last, &rule);
        }
    }

    /// The state at the end of a play.
    fn end(&self, play: &Play) -> Result<(Vec<TermId>, Vec<usize>), RepairError> {
        let mut vocabulary = self.trial.vocabulary.clone();
        let limits = Limits::default();
        let mut tabled = self.trial.game.tabled(&mut vocabulary, limits)?;
        let mut state = tabled.initial_state(&mut vocabulary)?;
        for joint in &play.moves {
            let moves: Vec<_> = joint.iter().map(|&term| vocabulary.mv(term)).collect();
            state = tabled.successor(&mut vocabulary, &state, &moves)?;
        }
        let mut stuck = Vec::new();
        let mut legal = Vec::new();
        for role in 0..self.trial.game.roles().len() {
            let number = RoleId(role as u32);
            tabled.legal_moves(&mut vocabulary, &state, number, &mut legal)?;
            if legal.is_empty() {
                stuck.push(role);
            }
        }
        let fluents = state.fluents();
        let fluents = fluents.map(|fluent| vocabulary.fluent_term(fluent));
        Ok((fluents.collect(), stuck))
    }

    /// Moves for roles that have none at the end of a play: to wait, while something holds or always.
    pub(super) fn moves_for_stuck(&mut self, finding: &Finding) -> Result<(), RepairError> {
        let Some(play) = &finding.witness else {
            return Ok(());
        };
        let (fluents, stuck) = self.end(play)?;
        let legal = self.clauses("legal");
        let Some(last) = legal.last().cloned() else {
            return Ok(());
        };
        let store = self.trial.vocabulary.store();
        // The move without arguments that the sheet has already is most likely what it calls waiting.
        let mut waits = legal.iter().filter_map(|clause| {
            let mv = *store.arguments(clause.head).get(1)?;
            match store.view(mv) {
                Term::Atom(symbol) => Some(store.name(symbol).to_owned()),
                Term::Variable(_)
                | Term::Integer(_)
                | Term::Big(_)
                | Term::Float(_)
                | Term::Text(_)
                | Term::Compound(..) => None,
            }
        });
        let wait = waits.next_back().unwrap_or_else(|| "noop".to_owned());
        self.exchanged(&legal);
        for role in stuck {
            let role = self.text(self.trial.game.roles()[role], &[]);
            let head = self.compound("legal", &[role, wait.clone()]);
            // One of the fluents says whose turn it is, and waiting is for as long as that holds.
            for &fluent in fluents.iter().take(MAX_REASONS) {
                let held = self.text(fluent, &[]);
                let held = self.compound("true", &[held]);
                let rule = self.rule(&head, &[held]);
                self.add_rule(2, &last, &rule);
            }
            let fact = self.rule(&head, &[]);
            self.add_rule(3, &last, &fact);
        }
        Ok(())
    }

    /// Rules of one role for another, with the names of both exchanged.
    fn exchanged(&mut self, clauses: &[Clause]) {
        let names = self.trial.roles();
        for clause in clauses {
            let source = self
                .trial
                .game
                .source()
                .slice(clause.origin.span)
                .to_owned();
            for one in 0..names.len() {
                for other in one + 1..names.len() {
                    let words = [names[one].as_str(), names[other].as_str()];
                    if let Some(text) = with_words_exchanged(&source, words) {
                        self.add_rule(2, clause, &text);
                    }
                }
            }
        }
    }

    /// Goal values where a role has none: what other roles have, and 0 where nothing else is said.
    pub(super) fn goals(&mut self) {
        let goals = self.clauses("goal");
        self.exchanged(&goals);
        let store = self.trial.vocabulary.store();
        let mut of_role: IndexMap<TermId, Vec<Clause>> = IndexMap::new();
        for clause in &goals {
            if let Some(&role) = store.arguments(clause.head).first() {
                of_role.entry(role).or_default().push(clause.clone());
            }
        }
        for (role, own) in of_role {
            // Where each rule of the role has one ground condition, a rule for all other states is their negations.
            let single = own.iter().map(|clause| match clause.body[..] {
                [only] if store.variables(only).is_empty() => Some(only),
                _ => None,
            });
            let Some(single) = single.collect::<Option<Vec<TermId>>>() else {
                continue;
            };
            let negated = single.iter().map(|&only| self.negated(only, &[]));
            let negated: Vec<String> = negated.collect();
            // Lost, drawn, won.
            for value in ["0", "50", "100"] {
                let head = self.compound("goal", &[self.text(role, &[]), value.to_owned()]);
                let rule = self.rule(&head, &negated);
                if let Some(last) = own.last() {
                    self.add_rule(2, last, &rule);
                }
            }
        }
    }
}

/// A text in which two words stand for each other; none if it has neither.
fn with_words_exchanged(text: &str, [one, other]: [&str; 2]) -> Option<String> {
    let mut changed = String::with_capacity(text.len());
    let mut is_changed = false;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '?';
    // Word by word, so that `x` is not found in `next`; what is between words stays as it is.
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (between, from) = rest.split_at(start);
        let end = from.find(|c| !is_word(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        changed.push_str(between);
        changed.push_str(match word {
            word if word == one => other,
            word if word == other => one,
            word => word,
        });
        is_changed |= word == one || word == other;
        rest = after;
    }
    changed.push_str(rest);
    is_changed.then_some(changed)
}
