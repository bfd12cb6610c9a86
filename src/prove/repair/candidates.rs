//! Changes that may repair a sheet, small ones first.
//!
//! ```text
//! 1  names: what warnings and lints propose to write          3  conditions dropped where the fault shows, constants
//! 2  rules that are missing: a frame rule, a move for a role     changed, a condition more where two goal values meet
//!    that is stuck, a goal value where there is none          4  conditions dropped elsewhere, rules dropped
//! ```

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use crate::gdl::Reasoner;
use crate::prove::application::word;
use crate::prove::finding::{Finding, Play};
use crate::prove::property::{Property, PropertyKind};
use crate::prove::repair::RepairError;
use crate::prove::repair::trial::SheetTrial;
use crate::syntax::{NodeId, Notation, Replacement, Span};
use crate::term::{Clause, Functor, Infix, Prefix, SymbolId, Term, TermId};

/// Fluents of a state in which a role is stuck that may be the reason for which it waits.
const MAX_REASONS: usize = 30;

/// A change that may repair a sheet.
#[derive(Clone, Debug)]
pub(super) struct RepairCandidate {
    pub(super) what: String,
    pub(super) edits: Vec<Replacement>,
    cost: u32,
}

impl RepairCandidate {
    /// The text after the change.
    pub(super) fn applied(&self, text: &str) -> String {
        let mut edits: Vec<&Replacement> = self.edits.iter().collect();
        edits.sort_by_key(|edit| edit.span.start);
        let mut changed = String::with_capacity(text.len());
        let mut at = 0;
        for edit in edits {
            changed.push_str(&text[at..edit.span.start as usize]);
            changed.push_str(&edit.text);
            at = edit.span.end as usize;
        }
        changed + &text[at..]
    }
}

/// All candidates for some refuted properties.
pub(super) fn all(
    trial: &SheetTrial<'_>,
    faults: &[(Property, &Finding)],
) -> Result<Vec<RepairCandidate>, RepairError> {
    let mut writer = CandidateWriter {
        trial,
        found: Vec::new(),
    };
    writer.names();
    writer.frames();
    for &(property, finding) in faults {
        match property.kind {
            PropertyKind::Playable => writer.moves_for_stuck(finding)?,
            PropertyKind::GoalsDefined => writer.goals(),
            PropertyKind::GoalsUnique => writer.apart(),
            PropertyKind::Terminates
            | PropertyKind::GoalsBounded
            | PropertyKind::WeaklyWinnable
            | PropertyKind::StronglyWinnable
            | PropertyKind::TurnTaking
            | PropertyKind::ZeroSum
            | PropertyKind::ConstantSum
            | PropertyKind::Monotonic
            | PropertyKind::Acyclic
            | PropertyKind::RulesApply
            | PropertyKind::MovesLegal
            | PropertyKind::Symmetric => {}
        }
    }
    let words: BTreeSet<&str> = faults
        .iter()
        .flat_map(|(property, _)| at_fault(*property))
        .collect();
    writer.conditions(&words);
    writer.constants(&words);
    let mut found = writer.found;
    found.sort_by_key(|candidate| candidate.cost);
    Ok(found)
}

/// The words whose rules a fault shows in.
fn at_fault(property: Property) -> Vec<&'static str> {
    match property.kind {
        PropertyKind::Playable | PropertyKind::TurnTaking | PropertyKind::MovesLegal => {
            vec!["legal"]
        }
        PropertyKind::Terminates | PropertyKind::Acyclic => vec!["terminal", "next"],
        PropertyKind::RulesApply | PropertyKind::Symmetric => {
            vec!["legal", "terminal", "goal", "next"]
        }
        PropertyKind::GoalsDefined
        | PropertyKind::GoalsUnique
        | PropertyKind::GoalsBounded
        | PropertyKind::WeaklyWinnable
        | PropertyKind::StronglyWinnable
        | PropertyKind::ZeroSum
        | PropertyKind::ConstantSum
        | PropertyKind::Monotonic => vec!["goal", "terminal"],
    }
}

struct CandidateWriter<'t> {
    trial: &'t SheetTrial<'t>,
    found: Vec<RepairCandidate>,
}

impl CandidateWriter<'_> {
    fn push(&mut self, cost: u32, what: String, span: Span, text: String) {
        self.found.push(RepairCandidate {
            what,
            edits: vec![Replacement { span, text }],
            cost,
        });
    }

    /// A rule behind another one.
    fn add_rule(&mut self, cost: u32, after: &Clause, text: &str) {
        let end = after.origin.span.end;
        let what = format!("add {text}");
        self.push(cost, what, Span::new(end, end), format!("\n{text}"));
    }

    fn text(&self, term: TermId, variables: &[SymbolId]) -> String {
        let store = self.trial.vocabulary.store();
        match self.trial.notation {
            Notation::Prefix => Prefix::with_variables(store, term, variables).to_string(),
            Notation::Infix | Notation::Prolog => {
                Infix::with_variables(store, term, variables).to_string()
            }
        }
    }

    /// A compound of parts that are text already.
    fn compound(&self, name: &str, parts: &[String]) -> String {
        match self.trial.notation {
            _ if parts.is_empty() => name.to_owned(),
            Notation::Prefix => format!("({name} {})", parts.join(" ")),
            Notation::Infix | Notation::Prolog => format!("{name}({})", parts.join(", ")),
        }
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        match self.trial.notation {
            Notation::Prefix if body.is_empty() => head.to_owned(),
            Notation::Prefix => format!("(<= {head} {})", body.join(" ")),
            Notation::Infix | Notation::Prolog if body.is_empty() => format!("{head}."),
            Notation::Infix | Notation::Prolog => format!("{head} :- {}.", body.join(", ")),
        }
    }

    fn clauses(&self, name: &str) -> Vec<Clause> {
        let store = self.trial.vocabulary.store();
        let clauses = self.trial.game.clauses().iter();
        let own = clauses.filter(|clause| word(store, clause) == name);
        own.cloned().collect()
    }

    fn span(&self, node: NodeId) -> Span {
        self.trial.sheet.document.span(node)
    }

    /// What warnings and lints propose.
    fn names(&mut self) {
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

    /// A frame rule for each sort of fluent that has none.
    fn frames(&mut self) {
        let store = self.trial.vocabulary.store();
        let subject = |atom: TermId| {
            let inner = store.arguments(atom).first()?;
            store.functor(*inner)
        };
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
        let limits = crate::limits::Limits::default();
        let mut tabled = self.trial.game.tabled(&mut vocabulary, limits)?;
        let mut state = tabled.initial_state(&mut vocabulary)?;
        for joint in &play.moves {
            let moves: Vec<_> = joint.iter().map(|&term| vocabulary.mv(term)).collect();
            state = tabled.successor(&mut vocabulary, &state, &moves)?;
        }
        let mut stuck = Vec::new();
        let mut legal = Vec::new();
        for role in 0..self.trial.game.roles().len() {
            let number = crate::gdl::RoleId(role as u32);
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
    fn moves_for_stuck(&mut self, finding: &Finding) -> Result<(), RepairError> {
        let Some(play) = &finding.witness else {
            return Ok(());
        };
        let (fluents, stuck) = self.end(play)?;
        let legal = self.clauses("legal");
        let Some(last) = legal.last().cloned() else {
            return Ok(());
        };
        let store = self.trial.vocabulary.store();
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
    fn goals(&mut self) {
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
            let single = own.iter().map(|clause| match clause.body[..] {
                [only] if store.variables(only).is_empty() => Some(only),
                _ => None,
            });
            let Some(single) = single.collect::<Option<Vec<TermId>>>() else {
                continue;
            };
            let negated = single.iter().map(|&only| self.negated(only, &[]));
            let negated: Vec<String> = negated.collect();
            for value in ["0", "50", "100"] {
                let head = self.compound("goal", &[self.text(role, &[]), value.to_owned()]);
                let rule = self.rule(&head, &negated);
                if let Some(last) = own.last() {
                    self.add_rule(2, last, &rule);
                }
            }
        }
    }

    fn negated(&self, literal: TermId, variables: &[SymbolId]) -> String {
        let store = self.trial.vocabulary.store();
        let functor = store.functor(literal);
        match store.arguments(literal) {
            &[inner] if functor.is_some_and(|f| store.name(f.symbol) == "not") => {
                self.text(inner, variables)
            }
            _ => self.compound("not", &[self.text(literal, variables)]),
        }
    }

    /// Rules of goal values that apply together: one of them with what the other one asks for, negated.
    fn apart(&mut self) {
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
    fn conditions(&mut self, words: &BTreeSet<&str>) {
        for clause in self.trial.game.clauses().to_vec() {
            let store = self.trial.vocabulary.store();
            let is_at_fault = words.contains(word(store, &clause));
            let is_role = word(store, &clause) == "role";
            let span = clause.origin.span;
            let body = &clause.origin.body;
            for (place, &node) in body.iter().enumerate() {
                let own = self.span(node);
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
    fn constants(&mut self, words: &BTreeSet<&str>) {
        let store = self.trial.vocabulary.store();
        let document = &self.trial.sheet.document;
        let mut domains: IndexMap<(Functor, usize), IndexSet<TermId>> = IndexMap::new();
        let mut places: Vec<(NodeId, TermId, (Functor, usize), bool)> = Vec::new();
        for clause in self.trial.game.clauses() {
            let is_at_fault = words.contains(word(store, clause));
            let literals = clause.body.iter().zip(&clause.origin.body);
            let atoms = literals.chain([(&clause.head, &clause.origin.head)]);
            let mut open: Vec<(TermId, NodeId)> =
                atoms.map(|(&term, &node)| (term, node)).collect();
            while let Some((term, node)) = open.pop() {
                let Some(functor) = store.functor(term) else {
                    continue;
                };
                let arguments = store.arguments(term).iter().zip(document.arguments(node));
                for (place, (&argument, &node)) in arguments.enumerate() {
                    let key = (functor, place);
                    if matches!(store.view(argument), Term::Atom(_) | Term::Integer(_)) {
                        domains.entry(key).or_default().insert(argument);
                        if !clause.body.is_empty() {
                            places.push((node, argument, key, is_at_fault));
                        }
                    } else {
                        open.push((argument, node));
                    }
                }
            }
        }
        // Goal values are also those that the definition names.
        let mut changes: Vec<(u32, Span, String)> = Vec::new();
        for (node, constant, key, is_at_fault) in places {
            let is_value = store.name(key.0.symbol) == "goal" && key.1 == 1;
            let others = domains.get(&key).into_iter().flatten();
            let others = others.filter(|&&other| other != constant);
            let mut texts: IndexSet<String> = others.map(|&other| self.text(other, &[])).collect();
            if is_value {
                texts.extend(["100", "0"].map(str::to_owned));
            }
            let cost = if is_at_fault { 3 } else { 4 };
            let span = self.span(node);
            changes.extend(texts.into_iter().map(|text| (cost, span, text)));
        }
        for (cost, span, text) in changes {
            let old = self.trial.game.source().slice(span);
            let what = format!("write {text} for {old}");
            self.push(cost, what, span, text);
        }
    }
}

/// A text in which two words stand for each other; none if it has neither.
fn with_words_exchanged(text: &str, [one, other]: [&str; 2]) -> Option<String> {
    let mut changed = String::with_capacity(text.len());
    let mut is_changed = false;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '?';
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

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
