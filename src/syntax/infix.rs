//! Reads infix GDL: Prolog's terms, brought to the tree that prefix text gives.
//!
//! A chunk may hold several sentences, since the final dot may be absent: a term that follows a
//! complete one on a new line begins the next. Every sentence is read as a term and then changed
//! in place; afterwards nothing tells which notation it came from:
//!
//! ```text
//! p(X) :- q(X,_) & (~r(X) | X \= a)        a :-/2 term with operators
//! p(X)    q(X,_1)    or(not(r(X)), distinct(X,a))
//! ```
//!
//! Source: [GT14] for the notation.

use std::collections::HashSet;

use crate::syntax::balance::balance;
use crate::syntax::codes::{
    BAD_HEAD, CONDITION_IN_TERM, EXPECTED_TERM, NOT_INFIX_GDL, UNSPEAKABLE,
};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::faults::{Faults, shorten};
use crate::syntax::kif::canonical_integer;
use crate::syntax::operators::OperatorTable;
use crate::syntax::precedence::{TermExtent, resolve};
use crate::syntax::prolog::{ClauseParser, itemize};
use crate::syntax::prolog_faults::visible;
use crate::syntax::prolog_items::{SharedNames, TermBuilder};
use crate::syntax::prolog_tokens::{Chunk, Chunks, Dialect, in_column_1};
use crate::syntax::quote::is_speakable;
use crate::syntax::span::{Source, Span};
use crate::syntax::tree::{
    Children, Document, Name, Node, NodeId, Notation, Sentence, SentenceKind,
};

/// Reads a rule sheet.
pub(crate) fn read_sheet(source: &Source) -> (Document, Faults) {
    let (document, faults, _) = read(source, |normalizer, root, span| {
        normalizer.sentence(root, span);
    });
    (document, faults)
}

/// Reads goals in a row; gives them in order.
pub(crate) fn read_terms(source: &Source) -> (Document, Faults, Vec<NodeId>) {
    read(source, |normalizer, root, _| {
        let goals = normalizer.conjunction(root);
        normalizer.walk(goals.iter().map(|&goal| (goal, Context::Condition)));
        normalizer.goals.extend(goals);
    })
}

fn read(
    source: &Source,
    mut each: impl FnMut(&mut Normalizer<'_>, NodeId, Span),
) -> (Document, Faults, Vec<NodeId>) {
    let operators = OperatorTable::infix_gdl();
    let parser = ClauseParser::new();
    let mut chunks = Chunks::new(source.text(), 0, Dialect::InfixGdl);
    let mut document = Document {
        notation: Some(Notation::Infix),
        ..Document::default()
    };
    let mut faults = Faults::default();
    let mut shared = SharedNames::default();
    let mut words = Words::default();
    let mut goals = Vec::new();
    while let Some(mut chunk) = chunks.next(&mut faults) {
        if chunk.spoiled {
            continue;
        }
        balance(source.text(), Dialect::InfixGdl, &mut chunk, &mut faults);
        let mut builder = TermBuilder {
            text: source.text(),
            dialect: Dialect::InfixGdl,
            operators: &operators,
            document: &mut document,
            shared: &mut shared,
            faults: &mut faults,
            items: Vec::new(),
            groups: Vec::new(),
        };
        itemize(&parser, &chunk, &mut builder);
        for (root, span) in split(&mut builder, &chunk) {
            let mut normalizer = Normalizer {
                source,
                document: &mut document,
                faults: &mut faults,
                words: &mut words,
                anonymous: Vec::new(),
                named: Vec::new(),
                goals: Vec::new(),
            };
            each(&mut normalizer, root, span);
            goals.append(&mut normalizer.goals);
        }
    }
    faults.drop_echoes(source);
    let comments = std::mem::take(&mut chunks.comments);
    document.place_comments(source, &comments);
    (document, faults, goals)
}

/// The terms of a chunk that are without fault, with their places.
fn split(builder: &mut TermBuilder<'_, '_>, chunk: &Chunk) -> Vec<(NodeId, Span)> {
    let mut terms = Vec::new();
    let count = builder.items.len();
    let mut at = 0;
    while at < count {
        let start = builder.items[at].span;
        let term = match builder.slice(start) {
            ":-" | "?-" => Err(Box::new(directive(start))),
            _ => resolve(builder, at..count, TermExtent::Sentences),
        };
        match term {
            Ok(resolved) => {
                at += resolved.used;
                let mut span = start.to(builder.items[at - 1].span);
                if let (true, Some(end)) = (at == count, chunk.end) {
                    span = span.to(end);
                }
                // A sentence with a fault in it is not given on: its rest may mean anything.
                if !builder.faults.any_within(span) {
                    terms.push((resolved.node, span));
                }
            }
            Err(fault) => {
                // The next sentence probably begins in column 1.
                // Resynchronisation: at least one item further, and behind the fault.
                let behind = fault.span.start;
                builder.faults.push(*fault);
                at += 1;
                while at < count {
                    let start = builder.items[at].span.start;
                    if start > behind && in_column_1(builder.text, start) {
                        break;
                    }
                    at += 1;
                }
            }
        }
    }
    if let (0, Some(end)) = (count, chunk.end) {
        builder.faults.push(
            Diagnostic::error(
                EXPECTED_TERM,
                end,
                "expected a sentence, found only its end",
            )
            .with_label("nothing stands before this"),
        );
    }
    terms
}

/// What a node is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    /// The body of a rule, or what `not`, `or` and `and` apply to there.
    Condition,
    /// The head of a sentence.
    Head,
    /// Anything else.
    Term,
}

/// Functors that operators are replaced by, made once for each document.
#[derive(Default)]
struct Words {
    not: Option<Name>,
    or: Option<Name>,
    and: Option<Name>,
    distinct: Option<Name>,
}

struct Normalizer<'d> {
    source: &'d Source,
    document: &'d mut Document,
    faults: &'d mut Faults,
    words: &'d mut Words,
    /// The variables `_` of the sentence.
    anonymous: Vec<NodeId>,
    /// The other variables of the sentence that begin with `_`.
    named: Vec<Span>,
    goals: Vec<NodeId>,
}

impl Normalizer<'_> {
    fn sentence(&mut self, root: NodeId, span: Span) {
        // Counted, kept or not: a sentence is sound if nothing was found in it.
        let faults_before = self.faults.total();
        let mut sentence = Sentence {
            kind: SentenceKind::Fact,
            head: root,
            body: Children::default(),
            span,
        };
        let mut conditions = Vec::new();
        if let (Some(":-" | "<=" | "?-"), arguments) =
            (self.operator(root), self.document.arguments(root))
        {
            let &[head, body] = arguments else {
                self.faults.push(directive(self.document.span(root)));
                return;
            };
            // `head :- body`, and `head <= body` as the textbook has it.
            sentence.kind = SentenceKind::Rule;
            sentence.head = head;
            conditions = self.conjunction(body);
        }
        self.check_head(sentence.head);
        let conditions_in_context = conditions.iter().map(|&id| (id, Context::Condition));
        self.walk(
            [(sentence.head, Context::Head)]
                .into_iter()
                .chain(conditions_in_context),
        );
        if self.faults.total() == faults_before {
            sentence.body = self.document.add_children(&conditions);
            self.document.sentences.push(sentence);
        }
    }

    /// A head is an atom; a number as the name of a proposition is one.
    fn check_head(&mut self, head: NodeId) {
        let span = self.document.span(head);
        match self.document.node(head) {
            Node::Integer(_) => {
                self.document.nodes[head.0 as usize] = Node::Symbol(Name::Written(span));
            }
            Node::Variable(_) => {
                self.faults.push(
                    Diagnostic::error(
                        BAD_HEAD,
                        span,
                        format!(
                            "variable `{}` as a fact or head",
                            shorten(self.source.slice(span))
                        ),
                    )
                    .with_label("an atom must stand here")
                    .with_help("names of relations begin with a lower-case letter"),
                );
            }
            Node::Symbol(_)
            | Node::Float(_)
            | Node::Big(_)
            | Node::Text(_)
            | Node::Compound { .. } => {}
        }
    }

    /// Normalizes everything below the given nodes, then names the anonymous variables.
    fn walk(&mut self, roots: impl Iterator<Item = (NodeId, Context)>) {
        let mut rest: Vec<(NodeId, Context)> = roots.collect();
        rest.reverse();
        while let Some((id, context)) = rest.pop() {
            match self.document.node(id) {
                Node::Compound { functor, .. } => {
                    let context = self.compound(id, functor, context);
                    let children = self.document.arguments(id);
                    rest.extend(children.iter().rev().map(|&child| (child, context)));
                }
                Node::Symbol(name) => self.symbol(id, name, context),
                Node::Variable(name) => self.variable(id, name),
                Node::Integer(_) | Node::Float(_) | Node::Big(_) | Node::Text(_) => {}
            }
        }
        self.name_anonymous();
    }

    /// Replaces an operator by its word; gives the context of the arguments.
    fn compound(&mut self, id: NodeId, functor: Name, context: Context) -> Context {
        let Some(operator) = self.operator(id) else {
            self.check_speakable(id, functor);
            // `not(p)` and `or(p, q)` written as compounds are connectives, too, and conditions stand in them.
            let logical = matches!(
                self.document.name(self.source, functor),
                "not" | "or" | "and"
            );
            return match context {
                Context::Condition if logical => Context::Condition,
                Context::Condition | Context::Head | Context::Term => Context::Term,
            };
        };
        let operator = operator.to_owned();
        if context != Context::Condition || matches!(&*operator, ":-" | "<=" | "?-") {
            let fault = condition_in_term(self.document.span(id), &operator);
            self.faults.push(fault);
            return Context::Term;
        }
        let document = &mut *self.document;
        let (word, text) = match &*operator {
            "~" | "\\+" => (&mut self.words.not, "not"),
            "|" | ";" => (&mut self.words.or, "or"),
            "\\=" => (&mut self.words.distinct, "distinct"),
            _ => (&mut self.words.and, "and"),
        };
        let word = *word.get_or_insert_with(|| document.add_text(text));
        let arguments = match text {
            // `a | b | c` is one disjunction of three, as in prefix notation.
            "or" => self.chain(id, &["|", ";"]),
            "and" => self.chain(id, &[",", "&"]),
            _ => self.document.arguments(id).to_vec(),
        };
        let arguments = self.document.add_children(&arguments);
        self.document.nodes[id.0 as usize] = Node::Compound {
            functor: word,
            arguments,
        };
        match text {
            "distinct" => Context::Term,
            _ => Context::Condition,
        }
    }

    fn symbol(&mut self, id: NodeId, name: Name, context: Context) {
        // In prefix notation a number is a number, whether it was quoted here or not.
        match canonical_integer(self.document.name(self.source, name)) {
            Some(value) if context != Context::Head => {
                self.document.nodes[id.0 as usize] = Node::Integer(value);
            }
            _ => self.check_speakable(id, name),
        }
    }

    fn variable(&mut self, id: NodeId, name: Name) {
        let span = self.document.span(id);
        match self.document.name(self.source, name) {
            "_" => self.anonymous.push(id),
            named if named.starts_with('_') => self.named.push(span),
            _ => {}
        }
    }

    /// Every `_` is a variable of its own, so it gets a name that the sentence does not have.
    fn name_anonymous(&mut self) {
        let source = self.source;
        // Names that the author gave to variables with an underscore.
        let named = std::mem::take(&mut self.named);
        let taken: HashSet<&str> = named.iter().map(|&span| source.slice(span)).collect();
        let mut number = 0_usize;
        for id in std::mem::take(&mut self.anonymous) {
            let name = loop {
                number += 1;
                let name = format!("_{number}");
                if !taken.contains(&*name) {
                    break name;
                }
            };
            let name = self.document.add_text(name);
            self.document.nodes[id.0 as usize] = Node::Variable(name);
        }
    }

    /// The name of the operator that built a compound; `None` for a functor with parentheses.
    fn operator(&self, id: NodeId) -> Option<&str> {
        let Node::Compound {
            functor: Name::Written(span),
            ..
        } = self.document.node(id)
        else {
            return None;
        };
        // A quoted functor follows its quote, with which the compound begins.
        let start = self.document.span(id).start;
        let first = self.source.text().as_bytes().get(start as usize);
        if start + 1 == span.start && first == Some(&b'\'') {
            return None;
        }
        let name = self.source.slice(span);
        // `not` is an operator and the word itself: nothing is to be replaced.
        let is_word = name.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        (!is_word).then_some(name)
    }

    /// The members of a conjunction, however it is grouped.
    fn conjunction(&self, body: NodeId) -> Vec<NodeId> {
        let mut goals = Vec::new();
        let mut rest = vec![body];
        while let Some(id) = rest.pop() {
            match (self.operator(id), self.document.arguments(id)) {
                (Some("," | "&"), &[left, right]) => rest.extend([right, left]),
                _ => goals.push(id),
            }
        }
        goals
    }

    /// The members of a chain of right-associative operators.
    fn chain(&self, id: NodeId, operators: &[&str]) -> Vec<NodeId> {
        let mut members = Vec::new();
        let mut rest = id;
        while let (Some(operator), &[left, right]) =
            (self.operator(rest), self.document.arguments(rest))
        {
            if !operators.contains(&operator) {
                break;
            }
            members.push(left);
            // To the right only: `(a | b) | c` keeps its inner disjunction.
            rest = right;
        }
        members.push(rest);
        members
    }

    fn check_speakable(&mut self, id: NodeId, name: Name) {
        let text = self.document.name(self.source, name);
        if !is_speakable(text) {
            let message = match text {
                "" => "the symbol without characters is not one of GDL".to_owned(),
                _ => format!("`{}` is not a symbol of GDL", visible(shorten(text))),
            };
            self.faults.push(
                Diagnostic::error(UNSPEAKABLE, self.document.span(id), message)
                    .with_label("cannot be written in prefix notation")
                    .with_help("use a name without white space, parentheses and semicolons"),
            );
        }
    }
}

fn directive(span: Span) -> Diagnostic {
    Diagnostic::error(NOT_INFIX_GDL, span, "a directive is not part of infix GDL")
        .with_label("a rule without head")
        .with_help("write the atom that the rule defines before `:-`")
}

fn condition_in_term(span: Span, operator: &str) -> Diagnostic {
    Diagnostic::error(
        CONDITION_IN_TERM,
        span,
        format!("`{operator}` outside of the body of a rule"),
    )
    .with_label("a term must stand here")
    .with_help("connectives apply to conditions, not to terms")
}
