//! What the words of a text mean: every occurrence of a keyword, relation, function, constant and variable, with what it
//! is there for.
//!
//! Atoms of relations and terms never meet, so that a relation `cell` and a fluent `cell` are two things; but a fluent, a
//! move and any other term of one name and number of arguments may, and are one:
//!
//! ```text
//! (<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)) (true (cell ?m ?n b)))
//!      keyword  │       └ constant, third argument of a fluent
//!               └ function, a fluent of the next state
//! ```

use std::borrow::Cow;

use indexmap::IndexSet;
use logos::Logos;
use rustc_hash::FxBuildHasher;

use crate::gdl::Keyword;
use crate::syntax::lexer::PrologToken;
use crate::syntax::{Document, Name, Node, NodeId, Source, Span};
use crate::term::{SymbolId, Symbols};

/// A thing that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entity {
    /// What kind of thing it is.
    pub kind: EntityKind,
    /// Its name, in lower case but for variables, whose case counts.
    pub name: SymbolId,
    /// The number of its arguments.
    pub arity: u32,
}

/// What kind of thing has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntityKind {
    /// A reserved word.
    Keyword(Keyword),
    /// A relation of the game.
    Relation,
    /// A function or constant: a fluent, a move, a role, a value.
    Function,
    /// A variable of the sentence with this number.
    Variable(u32),
}

/// Index of an [`Entity`] of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(u32);

impl EntityId {
    /// The number of the thing, by first occurrence.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// What a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Usage {
    /// An atom: of the head, or a condition.
    Atom,
    /// The fluent of `init`, `next`, `true` or `base`.
    Fluent(Keyword),
    /// The move of `legal`, `does` or `input`.
    Move(Keyword),
    /// The role of `role`, `legal`, `does`, `goal` or `input`.
    Role(Keyword),
    /// Anything else.
    Argument,
}

/// In which part of a sentence something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RulePart {
    /// The head.
    Head,
    /// A condition that is not negated.
    Positive,
    /// A negation, or `distinct`.
    Negative,
}

/// Whose argument something is; fluents and moves of one name are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// A relation or keyword.
    Atom,
    /// A fluent.
    Fluent,
    /// A move.
    Move,
    /// Another term.
    Term,
}

/// A place for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// What the owner is.
    pub owner: Owner,
    /// The relation or function.
    pub entity: EntityId,
    /// The number of the argument, from 0.
    pub index: u32,
}

/// A name in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Where the name stands, without arguments.
    pub span: Span,
    /// Where it stands with its arguments.
    pub whole: Span,
    /// The same in the tree.
    pub node: NodeId,
    /// What it names.
    pub entity: EntityId,
    /// What it is there for.
    pub usage: Usage,
    /// In which part of the sentence it is.
    pub part: RulePart,
    /// The number of the sentence.
    pub sentence: u32,
    /// Whose argument it is.
    pub slot: Option<Slot>,
}

/// All names of a text.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    symbols: Symbols,
    entities: IndexSet<Entity, FxBuildHasher>,
    /// In the order of the text.
    all: Vec<Occurrence>,
    /// Numbers of occurrences by their things, those of one thing in the order of the text.
    by_entity: Vec<u32>,
    /// Where those of each thing begin, and the end.
    starts: Vec<u32>,
}

/// A node that is yet to be looked at.
#[derive(Clone, Copy)]
struct Open {
    node: NodeId,
    usage: Usage,
    part: RulePart,
    slot: Option<Slot>,
}

impl Occurrences {
    /// Finds the names of a document. Linear in its size, but for sorting.
    pub fn of(document: &Document, source: &Source) -> Self {
        let mut found = Self::default();
        for number in 0..document.sentences().len() as u32 {
            found.sentence(document, source, number);
        }
        // Infix operators stand behind their first argument.
        found.all.sort_by_key(|one| one.span);
        found.group();
        found
    }

    /// Groups the occurrences by their things.
    fn group(&mut self) {
        let mut starts = vec![0; self.entities.len() + 1];
        // Counting sort: how many each thing has, where those of each begin, and each into the next place of its thing.
        for one in &self.all {
            starts[one.entity.number() + 1] += 1;
        }
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut next = starts.clone();
        self.by_entity = vec![0; self.all.len()];
        for (at, one) in self.all.iter().enumerate() {
            let place: &mut u32 = &mut next[one.entity.number()];
            self.by_entity[*place as usize] = at as u32;
            *place += 1;
        }
        self.starts = starts;
    }

    /// All names, in the order of the text.
    pub fn all(&self) -> &[Occurrence] {
        &self.all
    }

    /// What an id stands for.
    pub fn entity(&self, id: EntityId) -> Entity {
        self.entities[id.0 as usize]
    }

    /// All things that have a name, in order of first occurrence.
    pub fn entities(&self) -> impl ExactSizeIterator<Item = (EntityId, Entity)> {
        let all = self.entities.iter().enumerate();
        all.map(|(number, &entity)| (EntityId(number as u32), entity))
    }

    /// The name of a thing; a variable's is without question mark.
    pub fn name(&self, id: EntityId) -> &str {
        self.symbols.name(self.entity(id).name)
    }

    /// The name at an offset; of two that touch there, the one that begins.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let behind = self.all.partition_point(|one| one.span.start <= offset);
        let last = self.all[..behind].last()?;
        (offset <= last.span.end).then_some(last)
    }

    /// All occurrences of a thing, in the order of the text.
    pub fn of_entity(&self, id: EntityId) -> impl Iterator<Item = &Occurrence> + Clone {
        let range = self.starts[id.number()]..self.starts[id.number() + 1];
        let places = &self.by_entity[range.start as usize..range.end as usize];
        places.iter().map(|&at| &self.all[at as usize])
    }

    /// The name in the text that a symbol is, if there is one.
    pub fn symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbols.find(name)
    }

    /// A thing of the text, if it is there.
    pub fn find(&self, entity: Entity) -> Option<EntityId> {
        let number = self.entities.get_index_of(&entity)?;
        Some(EntityId(number as u32))
    }

    /// The occurrences of a range of the text that begin in it.
    pub fn within(&self, span: Span) -> &[Occurrence] {
        let from = self.all.partition_point(|one| one.span.start < span.start);
        let to = self.all.partition_point(|one| one.span.start < span.end);
        &self.all[from..to.max(from)]
    }

    fn sentence(&mut self, document: &Document, source: &Source, number: u32) {
        let sentence = &document.sentences()[number as usize];
        let atom = |part| {
            move |node| Open {
                node,
                usage: Usage::Atom,
                part,
                slot: None,
            }
        };
        // A stack in place of recursion, its top the next node of the text: the head, then the conditions from left to right.
        let body = document.children(sentence.body).iter().rev().copied();
        let mut open: Vec<Open> = body.map(atom(RulePart::Positive)).collect();
        open.push(atom(RulePart::Head)(sentence.head));
        while let Some(one) = open.pop() {
            let Some(id) = self.note(document, source, number, one) else {
                continue;
            };
            let entity = self.entity(id);
            let arguments = document.arguments(one.node).iter().enumerate();
            open.extend(arguments.rev().map(|(index, &node)| {
                let (usage, part) = below(entity, one, index);
                // In (true (cell 1 2 x)) `cell` is an argument of an atom, and 1 one of a fluent.
                let owner = match one.usage {
                    Usage::Atom => Owner::Atom,
                    Usage::Fluent(_) => Owner::Fluent,
                    Usage::Move(_) => Owner::Move,
                    Usage::Role(_) | Usage::Argument => Owner::Term,
                };
                let slot = Some(Slot {
                    owner,
                    entity: id,
                    index: index as u32,
                });
                Open {
                    node,
                    usage,
                    part,
                    slot,
                }
            }));
        }
    }

    /// Adds the name of a node; none for what has none.
    fn note(
        &mut self,
        document: &Document,
        source: &Source,
        sentence: u32,
        open: Open,
    ) -> Option<EntityId> {
        let whole = document.span(open.node);
        let (name, span) = match document.node(open.node) {
            Node::Variable(name) => (Cow::Borrowed(document.name(source, name)), whole),
            Node::Symbol(name) | Node::Compound { functor: name, .. } => {
                let text = document.name(source, name);
                let span = match name {
                    Name::Written(span) => span,
                    // An operator of infix notation: `&`, `\+`, `:-`.
                    Name::Decoded(_) if keyword(text).is_some() => whole,
                    Name::Decoded(_) => quoted(source, whole).unwrap_or(whole),
                };
                (folded(text), span)
            }
            Node::Integer(value) => (Cow::Owned(value.to_string()), whole),
            Node::Float(_) | Node::Big(_) | Node::Text(_) => return None,
        };
        let arity = document.arguments(open.node).len() as u32;
        let kind = if matches!(document.node(open.node), Node::Variable(_)) {
            EntityKind::Variable(sentence)
        } else if open.usage != Usage::Atom {
            EntityKind::Function
        } else {
            keyword(&name).map_or(EntityKind::Relation, EntityKind::Keyword)
        };
        let name = self.symbols.intern(&name);
        let entity = Entity { kind, name, arity };
        let id = EntityId(self.entities.insert_full(entity).0 as u32);
        // A connective that is an operator, such as `\+`, has no name in the text.
        let is_operator = span == whole && arity > 0;
        if !is_operator {
            self.all.push(Occurrence {
                span,
                whole,
                node: open.node,
                entity: id,
                usage: open.usage,
                part: open.part,
                sentence,
                slot: open.slot,
            });
        }
        Some(id)
    }
}

/// What the arguments of something are there for.
fn below(entity: Entity, open: Open, index: usize) -> (Usage, RulePart) {
    let EntityKind::Keyword(keyword) = entity.kind else {
        return (Usage::Argument, open.part);
    };
    // A reserved word with a wrong number of arguments is a fault, and says nothing of them.
    if keyword.arity().is_none_or(|arity| arity == entity.arity) {
        argument_of(keyword, index, open.part)
    } else {
        (Usage::Argument, open.part)
    }
}

/// What an argument of a reserved word, which stands in a part of a sentence, is there for.
pub(super) fn argument_of(keyword: Keyword, index: usize, part: RulePart) -> (Usage, RulePart) {
    match (keyword, index) {
        (Keyword::Not, _) => (Usage::Atom, RulePart::Negative),
        (Keyword::Or | Keyword::And | Keyword::If, _) => (Usage::Atom, part),
        (Keyword::Distinct, _) => (Usage::Argument, RulePart::Negative),
        (Keyword::Init | Keyword::Next | Keyword::True | Keyword::Base, _) => {
            (Usage::Fluent(keyword), part)
        }
        (Keyword::Legal | Keyword::Does | Keyword::Input, 1) => (Usage::Move(keyword), part),
        (Keyword::Legal | Keyword::Does | Keyword::Input | Keyword::Goal | Keyword::Role, 0) => {
            (Usage::Role(keyword), part)
        }
        _ => (Usage::Argument, part),
    }
}

/// The name in quotes, with escapes in it, with which a compound begins; none if it is written otherwise.
fn quoted(source: &Source, whole: Span) -> Option<Span> {
    let text = source.slice(whole);
    if !text.starts_with('\'') {
        return None;
    }
    let mut lexer = PrologToken::lexer(text);
    let is_quoted = lexer.next() == Some(Ok(PrologToken::Quoted));
    let end = lexer.span().end;
    let is_functor = is_quoted && text[end..].starts_with('(');
    is_functor.then(|| Span::new(whole.start + 1, whole.start + end as u32 - 1))
}

/// The reserved word that a name is.
pub(super) fn keyword(name: &str) -> Option<Keyword> {
    Keyword::ALL
        .into_iter()
        .find(|keyword| keyword.name() == name)
}

/// A name as it is understood: in lower case.
pub(super) fn folded(name: &str) -> Cow<'_, str> {
    let is_plain = name
        .bytes()
        .all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_plain {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{detect, parse};

    /// `name usage part` of all names of a text.
    fn names(text: &str) -> Vec<String> {
        let source = Source::new("test", text);
        let document = parse(&source, detect(&source)).document;
        let found = Occurrences::of(&document, &source);
        let lines = found.all().iter().map(|one| {
            let name = source.slice(one.span);
            format!("{name} {:?} {:?}", one.usage, one.part)
        });
        lines.collect()
    }

    #[test]
    fn both_notations_have_the_same_names() {
        let prefix = names("(<= (next (cell ?m X)) (does r (mark ?m)) (not (p ?m)))");
        assert_eq!(
            prefix,
            [
                "next Atom Head",
                "cell Fluent(Next) Head",
                "?m Argument Head",
                "X Argument Head",
                "does Atom Positive",
                "r Role(Does) Positive",
                "mark Move(Does) Positive",
                "?m Argument Positive",
                "not Atom Positive",
                "p Atom Negative",
                "?m Argument Negative",
            ]
        );
        let infix = names("next(cell(M, x)) :- does(r, mark(M)), \\+ p(M).");
        assert_eq!(infix.len(), prefix.len() - 1, "{infix:?}");
        assert!(infix.contains(&"p Atom Negative".to_owned()));
    }

    #[test]
    fn a_relation_and_a_fluent_of_one_name_are_two_things() {
        let source = Source::new("test", "(<= (cell ?x) (true (cell ?x)))");
        let document = parse(&source, detect(&source)).document;
        let found = Occurrences::of(&document, &source);
        let cells: Vec<EntityId> = found
            .all()
            .iter()
            .filter(|one| found.name(one.entity) == "cell")
            .map(|one| one.entity)
            .collect();
        assert!(cells.len() == 2 && cells[0] != cells[1]);
        assert_eq!(found.at(5).map(|one| one.entity), Some(cells[0]));
        assert_eq!(found.at(0), None);
    }
}
