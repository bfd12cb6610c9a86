//! Slips: names, constants and conditions that are written where others were meant.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use crate::prove::application::word;
use crate::prove::repair::writer::CandidateWriter;
use crate::syntax::{NodeId, Notation, Replacement, Span};
use crate::term::{Functor, Term, TermId};

impl CandidateWriter<'_> {
    /// What warnings and lints propose.
    pub(super) fn names(&mut self) {
        let fixes = self
            .trial
            .sheet
            .diagnostics
            .iter()
            .flat_map(|one| &one.fixes);
        for fix in fixes.cloned().collect::<Vec<_>>() {
            let Replacement { span, text } = fix.replacement;
            if !text.is_empty() {
                let old = self.trial.game.source().slice(span);
                let what = format!("write {text} for {old}");
                self.push(1, what, span, text);
            }
        }
    }

    /// Rules of goal values that apply together: one of them with what the other one asks for, negated.
    pub(super) fn apart(&mut self) {
        let goals = self.clauses("goal");
        let store = self.trial.vocabulary.store();
        for rule in &goals {
            for other in goals.iter().filter(|other| other.head != rule.head) {
                let ground = other.body.iter();
                let ground = ground.filter(|&&literal| store.variables(literal).is_empty());
                for &literal in ground.collect::<Vec<_>>() {
                    let condition = self.negated(literal, &[]);
                    let what = format!("add the condition {condition}");
                    match rule.origin.body.last() {
                        Some(&last) => {
                            let end = self.span(last).end;
                            let separator = match self.trial.notation {
                                Notation::Prefix => " ",
                                Notation::Infix | Notation::Prolog => ", ",
                            };
                            let text = format!("{separator}{condition}");
                            self.push(3, what, Span::new(end, end), text);
                        }
                        None => {
                            let head = self.text(rule.head, &rule.variables);
                            let text = self.rule(&head, &[condition]);
                            self.push(3, what, rule.origin.span, text);
                        }
                    }
                }
            }
        }
    }

    /// Rules with a condition less, and without any.
    pub(super) fn conditions(&mut self, words: &BTreeSet<&str>) {
        for clause in self.trial.game.clauses().to_vec() {
            let store = self.trial.vocabulary.store();
            let is_at_fault = words.contains(word(store, &clause));
            let is_role = word(store, &clause) == "role";
            let span = clause.origin.span;
            let body = &clause.origin.body;
            for (place, &node) in body.iter().enumerate() {
                let own = self.span(node);
                // With the separator before it, or for the first one that behind it; the only one stays.
                let dropped = match (place.checked_sub(1), body.get(place + 1)) {
                    (Some(before), _) => Span::new(self.span(body[before]).end, own.end),
                    (None, Some(&after)) => Span::new(own.start, self.span(after).start),
                    (None, None) => continue,
                };
                let literal = self.trial.game.source().slice(own).to_owned();
                let cost = if is_at_fault { 3 } else { 4 };
                let what = format!("drop the condition {}", one_line(&literal));
                self.push(cost, what, dropped, String::new());
            }
            if is_at_fault && !body.is_empty() && !is_role {
                let text = self.trial.game.source().slice(span).to_owned();
                self.push(4, format!("drop {}", one_line(&text)), span, String::new());
            }
        }
    }

    /// Constants, each for the others that stand at the same place of the same relation or fluent.
    pub(super) fn constants(&mut self, words: &BTreeSet<&str>) {
        let constants = self.constants_in_rules(words);
        let store = self.trial.vocabulary.store();
        let mut changes: Vec<(u32, Span, String)> = Vec::new();
        for constant in constants.replaceable {
            let others = constants.domains.get(&constant.place).into_iter().flatten();
            let others = others.filter(|&&other| other != constant.term);
            let mut texts: IndexSet<String> = others.map(|&other| self.text(other, &[])).collect();
            // Goal values are also those that the definition names.
            let (functor, argument) = constant.place;
            if store.name(functor.symbol) == "goal" && argument == 1 {
                texts.extend(["100", "0"].map(str::to_owned));
            }
            let cost = if constant.is_at_fault { 3 } else { 4 };
            let span = self.span(constant.node);
            changes.extend(texts.into_iter().map(|text| (cost, span, text)));
        }
        for (cost, span, text) in changes {
            let old = self.trial.game.source().slice(span);
            let what = format!("write {text} for {old}");
            self.push(cost, what, span, text);
        }
    }

    /// All constants of the rules, by where they stand.
    fn constants_in_rules(&self, words: &BTreeSet<&str>) -> Constants {
        let store = self.trial.vocabulary.store();
        let document = &self.trial.sheet.document;
        let mut constants = Constants::default();
        for clause in self.trial.game.clauses() {
            let is_at_fault = words.contains(word(store, clause));
            let literals = clause.body.iter().zip(&clause.origin.body);
            let atoms = literals.chain([(&clause.head, &clause.origin.head)]);
            // Terms and what was written for them are walked together.
            let mut open: Vec<(TermId, NodeId)> =
                atoms.map(|(&term, &node)| (term, node)).collect();
            while let Some((term, node)) = open.pop() {
                let Some(functor) = store.functor(term) else {
                    continue;
                };
                let arguments = store.arguments(term).iter().zip(document.arguments(node));
                for (argument, (&term, &node)) in arguments.enumerate() {
                    let place = (functor, argument);
                    if !matches!(store.view(term), Term::Atom(_) | Term::Integer(_)) {
                        open.push((term, node));
                        continue;
                    }
                    constants.domains.entry(place).or_default().insert(term);
                    // Facts say what constants there are, and are not changed themselves.
                    if !clause.body.is_empty() {
                        constants.replaceable.push(ConstantInRule {
                            node,
                            term,
                            place,
                            is_at_fault,
                        });
                    }
                }
            }
        }
        constants
    }
}

/// An argument of a relation, function or fluent.
type ArgumentPlace = (Functor, usize);

/// The constants of some rules.
#[derive(Default)]
struct Constants {
    /// By place, those that stand there somewhere.
    domains: IndexMap<ArgumentPlace, IndexSet<TermId>>,
    /// Those that may be slips.
    replaceable: Vec<ConstantInRule>,
}

/// A constant where it is written.
struct ConstantInRule {
    node: NodeId,
    term: TermId,
    place: ArgumentPlace,
    /// Whether the fault shows in the rule.
    is_at_fault: bool,
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
