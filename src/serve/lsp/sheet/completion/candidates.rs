//! What is proposed, by what must stand at a place.

use crate::gdl::{Keyword, KeywordClass};
use crate::serve::lsp::sheet::completion::context::{Context, Expected};
use crate::serve::lsp::sheet::completion::proposal::{Completion, CompletionKind, Piece};
use crate::serve::lsp::sheet::hover::meaning;
use crate::serve::lsp::sheet::occurrence::folded;
use crate::serve::lsp::sheet::{
    EntityId, EntityKind, Knowledge, Occurrence, RulePart, Sheet, Usage, Values,
};
use crate::syntax::quote::needs_quotes_in_infix;
use crate::syntax::{Notation, quote};

/// The most names of one kind that are proposed.
const MAX_PROPOSED: usize = 1000;

/// All proposals for a place.
pub(super) fn of(sheet: &Sheet, knowledge: &Knowledge, context: &Context<'_>) -> Vec<Completion> {
    let mut proposals = Proposals {
        sheet,
        context,
        all: Vec::new(),
    };
    match context.expected {
        Expected::Sentence => {
            proposals.keywords(|keyword| {
                keyword.class() == KeywordClass::Defined
                    || keyword == Keyword::If && sheet.notation() == Notation::Prefix
            });
            proposals.named(CompletionKind::Relation, |one| is_relation(sheet, one));
        }
        Expected::Atom(RulePart::Head) => {
            proposals.keywords(|keyword| keyword.class() == KeywordClass::Defined);
            proposals.named(CompletionKind::Relation, |one| is_relation(sheet, one));
        }
        Expected::Atom(RulePart::Positive | RulePart::Negative) => {
            // In infix notation a condition may begin with one: `X \= Y`.
            if sheet.notation() != Notation::Prefix {
                proposals.variables();
            }
            proposals.keywords(is_condition);
            proposals.named(CompletionKind::Relation, |one| is_relation(sheet, one));
        }
        Expected::Fluent => proposals.terms(CompletionKind::Fluent, is_fluent),
        Expected::Move => proposals.terms(CompletionKind::Move, is_move),
        Expected::Role => proposals.terms(CompletionKind::Role, is_role),
        Expected::Argument { owner, name, index } => {
            let domains = knowledge.domains.as_deref();
            // How many arguments there will be is not known yet.
            match domains.and_then(|one| one.at_any_arity(owner, &folded(name), index as u32)) {
                Some(values) => proposals.values(values),
                None => proposals.terms(CompletionKind::Constant, |usage| usage == Usage::Argument),
            }
        }
    }
    proposals.all
}

fn is_fluent(usage: Usage) -> bool {
    matches!(usage, Usage::Fluent(_))
}

fn is_move(usage: Usage) -> bool {
    matches!(usage, Usage::Move(_))
}

fn is_role(usage: Usage) -> bool {
    matches!(usage, Usage::Role(_))
}

/// Whether a reserved word can be a condition.
fn is_condition(keyword: Keyword) -> bool {
    match keyword {
        Keyword::True
        | Keyword::Does
        | Keyword::Not
        | Keyword::Or
        | Keyword::Distinct
        | Keyword::Role
        | Keyword::Legal
        | Keyword::Goal
        | Keyword::Terminal => true,
        Keyword::Init
        | Keyword::Next
        | Keyword::Base
        | Keyword::Input
        | Keyword::And
        | Keyword::If => false,
    }
}

fn is_relation(sheet: &Sheet, one: &Occurrence) -> bool {
    sheet.occurrences().entity(one.entity).kind == EntityKind::Relation
}

struct Proposals<'s> {
    sheet: &'s Sheet,
    context: &'s Context<'s>,
    all: Vec<Completion>,
}

impl Proposals<'_> {
    fn variables(&mut self) {
        // Behind a parenthesis stands a name, which no variable can be.
        if self.context.is_behind_parenthesis {
            return;
        }
        for &name in &self.context.variables {
            self.all.push(Completion {
                label: name.to_owned(),
                kind: CompletionKind::Variable,
                detail: String::new(),
                pieces: vec![Piece::Text(name.to_owned())],
            });
        }
    }

    fn keywords(&mut self, is_meant: impl Fn(Keyword) -> bool) {
        for keyword in Keyword::ALL {
            if !is_meant(keyword) {
                continue;
            }
            // `(or condition ...)` gives the name `or` and one hole, `condition`.
            let usage = keyword.usage().trim_matches(['(', ')']);
            let mut holes = usage.split(' ').filter(|word| *word != "...");
            let name = holes.next().unwrap_or_default();
            let holes: Vec<String> = holes.map(|hole| self.hole(hole)).collect();
            self.add(CompletionKind::Keyword, name, &holes, meaning(keyword));
        }
    }

    /// The things of which some occurrence is meant, in the order of the text; not the word that is being written, if it
    /// is the only one.
    fn named(&mut self, kind: CompletionKind, is_meant: impl Fn(&Occurrence) -> bool) {
        let occurrences = self.sheet.occurrences();
        let mut seen = vec![false; occurrences.entities().len()];
        let mut count = 0;
        for one in occurrences.all() {
            let is_written = one.span == self.context.word;
            if is_written || seen[one.entity.number()] || !is_meant(one) {
                continue;
            }
            seen[one.entity.number()] = true;
            let entity = occurrences.entity(one.entity);
            // Variables of other sentences mean nothing here, and those of this one are proposed by themselves.
            if matches!(entity.kind, EntityKind::Variable(_)) || count == MAX_PROPOSED {
                continue;
            }
            count += 1;
            let kind = if kind == CompletionKind::Constant && entity.arity > 0 {
                CompletionKind::Function
            } else {
                kind
            };
            let holes = self.holes(one.entity, entity.arity);
            let signature = self.sheet.signature(one.entity);
            self.add(kind, occurrences.name(one.entity), &holes, &signature);
        }
    }

    /// The variables, and the things that are used in one way.
    fn terms(&mut self, kind: CompletionKind, is_meant: impl Fn(Usage) -> bool) {
        self.variables();
        self.named(kind, |one| is_meant(one.usage));
    }

    /// The variables, and the values of an argument: a function stands for all terms that it begins.
    fn values(&mut self, values: &Values) {
        self.variables();
        for (name, arity) in &values.signatures {
            if *arity == 0 {
                // Domains have constants as they are written, with quotes where they need them.
                let written = name.clone();
                self.add_written(CompletionKind::Constant, (name, written), &[], "");
            } else {
                let holes: Vec<String> = (0..*arity).map(|number| self.numbered(number)).collect();
                let signature = format!("{name}/{arity}");
                self.add(CompletionKind::Function, name, &holes, &signature);
            }
        }
    }

    fn add(&mut self, kind: CompletionKind, name: &str, holes: &[String], detail: &str) {
        let is_prefix = self.sheet.notation() == Notation::Prefix;
        // `12` is no name of infix notation, and needs no quotes all the same.
        let written = if !is_prefix && needs_quotes_in_infix(name) && !is_number(name) {
            quote(name)
        } else {
            name.to_owned()
        };
        self.add_written(kind, (name, written), holes, detail);
    }

    /// Adds what is shown by one text and written as another.
    fn add_written(
        &mut self,
        kind: CompletionKind,
        (label, written): (&str, String),
        holes: &[String],
        detail: &str,
    ) {
        let is_list = self.context.is_behind_parenthesis;
        if is_list && holes.is_empty() && kind == CompletionKind::Constant {
            // A constant has no parentheses.
            return;
        }
        let is_prefix = self.sheet.notation() == Notation::Prefix;
        let mut pieces = Vec::new();
        let text = |text: &str| Piece::Text(text.to_owned());
        // Where arguments follow already, only the name in front of them is replaced.
        if holes.is_empty() || self.context.has_arguments {
            pieces.push(Piece::Text(written));
        } else {
            let (open, between, close) = match (is_prefix, is_list) {
                (true, true) => (format!("{written} "), " ", ""),
                (true, false) => (format!("({written} "), " ", ")"),
                (false, _) => (format!("{written}("), ", ", ")"),
            };
            pieces.push(Piece::Text(open));
            for (number, hole) in holes.iter().enumerate() {
                if number > 0 {
                    pieces.push(text(between));
                }
                pieces.push(Piece::Hole(hole.clone()));
            }
            pieces.push(text(close));
        }
        self.all.push(Completion {
            label: label.to_owned(),
            kind,
            detail: detail.to_owned(),
            pieces,
        });
    }

    /// What stands in the holes of a pattern: the variables of the first occurrence that has variables in all places.
    fn holes(&self, id: EntityId, arity: u32) -> Vec<String> {
        let mut holes: Vec<String> = (0..arity).map(|number| self.numbered(number)).collect();
        let occurrences = self.sheet.occurrences();
        let named = occurrences
            .of_entity(id)
            .take(MAX_LOOKED_AT)
            .find_map(|one| {
                let inside = occurrences.within(one.whole).iter().take(MAX_LOOKED_AT);
                let arguments = inside.filter(|argument| {
                    argument.slot.is_some_and(|slot| slot.entity == id)
                        && matches!(
                            occurrences.entity(argument.entity).kind,
                            EntityKind::Variable(_)
                        )
                });
                let names = arguments.map(|argument| self.sheet.source().slice(argument.span));
                let names: Vec<String> = names.take(arity as usize).map(str::to_owned).collect();
                (names.len() == arity as usize).then_some(names)
            });
        if let Some(named) = named {
            holes = named;
        }
        holes
    }

    /// `?x1`, or `X1`.
    fn numbered(&self, number: u32) -> String {
        match self.sheet.notation() {
            Notation::Prefix => format!("?x{}", number + 1),
            Notation::Infix | Notation::Prolog => format!("X{}", number + 1),
        }
    }

    /// `?role` in the notation of the sheet.
    fn hole(&self, written: &str) -> String {
        match (self.sheet.notation(), written.strip_prefix('?')) {
            (Notation::Infix | Notation::Prolog, Some(name)) => {
                let mut characters = name.chars();
                let first = characters.next().map(|first| first.to_ascii_uppercase());
                first.into_iter().chain(characters).collect()
            }
            _ => written.to_owned(),
        }
    }
}

/// Occurrences of a name that are looked at for the names of its arguments, and names in each.
const MAX_LOOKED_AT: usize = 50;

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}
