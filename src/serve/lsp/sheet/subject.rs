//! What a sentence is about: the relation of its head, or what a reserved word there says something of.
//!
//! ```text
//! (<= (next (cell ?m ?n x)) …)   the fluent cell/3, by the reserved word next
//! (<= (line ?x) …)               the relation line/1
//! (<= terminal …)                the reserved word terminal
//! ```

use crate::gdl::Keyword;
use crate::serve::lsp::sheet::{EntityId, EntityKind, Occurrence, Owner, Sheet, Usage};
use crate::syntax::Span;

/// What a sentence is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// The name with which the head begins.
    first: &'s Occurrence,
    /// The reserved word that it is.
    keyword: Option<Keyword>,
    /// The fluent, move or role of the reserved word.
    of: Option<&'s Occurrence>,
}

/// What kind of thing a symbol of the outline is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A role.
    Role,
    /// A fluent, at the start or later.
    Fluent,
    /// A move.
    Move,
    /// `goal` or `terminal`.
    End,
    /// A relation of the game.
    Relation,
    /// One sentence of an entry.
    Sentence,
}

/// Something that rules define and that conditions ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Definable {
    /// A relation or reserved word, a fluent, or a move.
    pub owner: Owner,
    /// Its name and number of arguments.
    pub entity: EntityId,
}

/// What a sentence is about; nothing if its head has no name.
pub fn subject(sheet: &Sheet, sentence: u32) -> Option<Subject<'_>> {
    let start = sheet.head_start(sentence);
    let span = Span::new(start, sheet.sentence(sentence).span.end.max(start));
    let mut head = sheet.occurrences().within(span).iter();
    let first = head.next()?;
    let EntityKind::Keyword(keyword) = sheet.occurrences().entity(first.entity).kind else {
        return Some(Subject {
            first,
            keyword: None,
            of: None,
        });
    };
    Some(Subject {
        first,
        keyword: Some(keyword),
        of: head.find(|one| is_subject(keyword, one)),
    })
}

/// Whether a name is what a reserved word is about.
fn is_subject(keyword: Keyword, one: &Occurrence) -> bool {
    match one.usage {
        Usage::Fluent(of) | Usage::Move(of) => of == keyword,
        Usage::Role(of) => of == keyword && matches!(keyword, Keyword::Role | Keyword::Goal),
        Usage::Atom | Usage::Argument => false,
    }
}

impl Subject<'_> {
    /// Whether another sentence says something of the same thing in the same words.
    pub fn is_same(&self, other: &Self) -> bool {
        let of = |subject: &Self| subject.of.map(|of| of.entity);
        self.first.entity == other.first.entity && of(self) == of(other)
    }

    /// What it is called, such as `next cell/3`.
    pub fn name(&self, sheet: &Sheet) -> String {
        let first = sheet.signature(self.first.entity);
        match self.of {
            Some(of) => format!("{first} {}", sheet.signature(of.entity)),
            None => first,
        }
    }

    /// The place of its name.
    pub fn selection(&self) -> Span {
        self.of.map_or(self.first.span, |of| of.span)
    }

    /// What kind of thing it is.
    pub fn kind(&self) -> SymbolKind {
        match self.keyword {
            None => SymbolKind::Relation,
            Some(Keyword::Init | Keyword::Next | Keyword::Base) => SymbolKind::Fluent,
            Some(Keyword::Legal | Keyword::Input) => SymbolKind::Move,
            Some(Keyword::Role) => SymbolKind::Role,
            Some(
                Keyword::True
                | Keyword::Does
                | Keyword::Goal
                | Keyword::Terminal
                | Keyword::Distinct
                | Keyword::Not
                | Keyword::Or
                | Keyword::And
                | Keyword::If,
            ) => SymbolKind::End,
        }
    }

    /// What the sentence defines: the fluent of `init` and `next`, the move of `legal`, else what its head begins with.
    /// Nothing if it is a hint, that is of `base` or `input`.
    pub fn defines(&self) -> Option<Definable> {
        if matches!(self.keyword, Some(Keyword::Base | Keyword::Input)) {
            return None;
        }
        let (owner, entity) = match self.of.map(|of| (of.usage, of.entity)) {
            Some((Usage::Fluent(_), entity)) => (Owner::Fluent, entity),
            Some((Usage::Move(_), entity)) => (Owner::Move, entity),
            _ => (Owner::Atom, self.first.entity),
        };
        Some(Definable { owner, entity })
    }
}

/// What a name in a sentence stands for that rules can define; nothing for arguments, roles and connectives.
pub fn definable(sheet: &Sheet, one: &Occurrence) -> Option<Definable> {
    let owner = match (one.usage, sheet.occurrences().entity(one.entity).kind) {
        (_, EntityKind::Variable(_)) => return None,
        (Usage::Fluent(_), _) => Owner::Fluent,
        (Usage::Move(_), _) => Owner::Move,
        (Usage::Atom, EntityKind::Relation) => Owner::Atom,
        (Usage::Atom, EntityKind::Keyword(Keyword::Terminal | Keyword::Goal | Keyword::Role)) => {
            Owner::Atom
        }
        _ => return None,
    };
    Some(Definable {
        owner,
        entity: one.entity,
    })
}
