//! Reads Prolog text clause by clause.
//!
//! A directive takes effect between two clauses and may define operators, so whoever loads a
//! program reads one clause, acts on it, and reads the next with the table as it is then.
//! [`PrologReader`] is that loop's source; [`read_program`] is the loop for those who only want the
//! tree, and obeys `:- op(...)` alone.

use lalrpop_util::lalrpop_mod;

use crate::syntax::balance::balance;
use crate::syntax::codes::{BAD_OPERATOR, EXPECTED_OPERATOR, EXPECTED_TERM, MISSING_END};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::faults::{Faults, no_term};
use crate::syntax::operators::{MAX_PRIORITY, OperatorTable, OperatorType};
use crate::syntax::precedence::{TermExtent, resolve};
use crate::syntax::prolog_items::{Item, SharedNames, TermBuilder};
use crate::syntax::prolog_tokens::{Chunk, Chunks, Dialect};
use crate::syntax::span::{Source, Span};
use crate::syntax::tree::{Children, Document, Node, NodeId, Notation, Sentence, SentenceKind};

lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::unwrap_used,
        clippy::panic,
        clippy::wildcard_enum_match_arm,
        unused,
        missing_docs,
        unreachable_pub,
        reason = "generated code"
    )]
    grammar,
    "/prolog.rs"
);

pub(crate) use grammar::ClauseParser;

/// Reads the clauses of a text one after the other into one document.
///
/// # Examples
/// ```
/// use flux::syntax::{OperatorTable, OperatorType, PrologReader, Source};
///
/// let source = Source::new("example", "p :- q. r === s.");
/// let mut operators = OperatorTable::prolog();
/// let mut reader = PrologReader::new(&source);
/// assert!(matches!(reader.next(&mut operators), Some(Ok(_))));
/// operators.add(700, OperatorType::Xfx, "===");
/// assert!(matches!(reader.next(&mut operators), Some(Ok(_))));
/// assert!(reader.next(&mut operators).is_none());
/// ```
pub struct PrologReader<'s> {
    source: &'s Source,
    chunks: Chunks<'s>,
    document: Document,
    shared: SharedNames,
    /// Kept between clauses for its memory.
    items: Vec<Item>,
    parser: ClauseParser,
    end: EndOfClause,
}

/// Whether the last clause of a text needs its final dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndOfClause {
    Required,
    Optional,
}

impl<'s> PrologReader<'s> {
    /// A reader at the beginning of a text.
    pub fn new(source: &'s Source) -> Self {
        Self::at(source, 0)
    }

    /// A reader of what follows `offset`, at which a clause should begin; for streams that are
    /// read with `read_term/2`.
    pub fn at(source: &'s Source, offset: u32) -> Self {
        Self {
            source,
            chunks: Chunks::new(source.text(), offset, Dialect::Prolog),
            document: Document {
                notation: Some(Notation::Prolog),
                ..Document::default()
            },
            shared: SharedNames::default(),
            items: Vec::new(),
            parser: ClauseParser::new(),
            end: EndOfClause::Required,
        }
    }

    /// Reads what follows as the standard has it, and nothing beyond, or as SWI-Prolog does: the flag
    /// `iso`. Strict text has no operators as operands without brackets, no arguments of a priority
    /// above 999, no back quotes, and only the standard's numbers and escape sequences.
    ///
    /// # Examples
    /// ```
    /// use flux::syntax::{OperatorTable, PrologReader, Source};
    ///
    /// let source = Source::new("example", "p(a :- b). p(- = -). p([-], - 1).");
    /// let mut operators = OperatorTable::prolog();
    /// let mut reader = PrologReader::new(&source);
    /// reader.set_strict(true);
    /// assert!(matches!(reader.next(&mut operators), Some(Err(_))));
    /// assert!(matches!(reader.next(&mut operators), Some(Err(_))));
    /// assert!(matches!(reader.next(&mut operators), Some(Ok(_))));
    /// ```
    pub fn set_strict(&mut self, strict: bool) {
        self.chunks.dialect = if strict {
            Dialect::IsoProlog
        } else {
            Dialect::Prolog
        };
    }

    /// The next clause as a sentence of [`PrologReader::document`]; `None` at the end of the text.
    /// A clause with faults gives the first of them, and reading goes on behind it.
    pub fn next(&mut self, operators: &mut OperatorTable) -> Option<Result<Sentence, Diagnostic>> {
        let (read, span) = self.read(operators)?;
        Some(read.map(|node| self.sentence(node, span)).map_err(first))
    }

    /// The next term up to a final dot, whatever it is; `None` at the end of the text.
    pub fn next_term(&mut self, operators: &OperatorTable) -> Option<Result<NodeId, Diagnostic>> {
        let (read, _) = self.read(operators)?;
        Some(read.map_err(first))
    }

    /// The offset behind the last clause that was read.
    pub fn offset(&self) -> u32 {
        self.chunks.offset()
    }

    /// The document that the clauses are in. Its list of sentences is empty: it is up to the
    /// caller which ones to keep.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The document that the clauses are in, with the comments of what was read.
    pub fn into_document(mut self) -> Document {
        let comments = std::mem::take(&mut self.chunks.comments);
        self.document.place_comments(self.source, &comments);
        self.document
    }

    /// Reads one chunk; gives its term, or its faults in textual order, and its place.
    fn read(
        &mut self,
        operators: &OperatorTable,
    ) -> Option<(Result<NodeId, Vec<Diagnostic>>, Span)> {
        let mut faults = Faults::default();
        let mut chunk = self.chunks.next(&mut faults)?;
        let span = span_of(&chunk);
        if !chunk.spoiled {
            balance(
                self.source.text(),
                self.chunks.dialect,
                &mut chunk,
                &mut faults,
            );
        }
        if chunk.spoiled || faults.total() > 0 {
            return Some((Err(faults.finish()), span));
        }
        if chunk.end.is_none() && self.end == EndOfClause::Required {
            return Some((Err(vec![missing_end(span)]), span));
        }
        let node = self.resolve(&chunk, operators, &mut faults);
        let result = match node {
            Some(node) if faults.total() == 0 => Ok(node),
            _ => Err(faults.finish()),
        };
        Some((result, span))
    }

    /// Reads the chunk's tokens as one term.
    fn resolve(
        &mut self,
        chunk: &Chunk,
        operators: &OperatorTable,
        faults: &mut Faults,
    ) -> Option<NodeId> {
        let mut builder = TermBuilder {
            text: self.source.text(),
            dialect: self.chunks.dialect,
            operators,
            document: &mut self.document,
            shared: &mut self.shared,
            faults,
            items: std::mem::take(&mut self.items),
            groups: Vec::new(),
        };
        // Those of the clause before are still there, for their memory.
        builder.items.clear();
        itemize(&self.parser, chunk, &mut builder);
        let all = 0..builder.items.len();
        let node = if all.is_empty() {
            Err(Box::new(empty_clause(chunk.end.unwrap_or_default())))
        } else {
            resolve(&mut builder, all, TermExtent::Whole)
        };
        self.items = std::mem::take(&mut builder.items);
        match node {
            Ok(resolved) => Some(resolved.node),
            Err(fault) => {
                faults.push(*fault);
                None
            }
        }
    }

    fn sentence(&mut self, node: NodeId, span: Span) -> Sentence {
        let mut sentence = Sentence {
            kind: SentenceKind::Fact,
            head: node,
            body: Children::default(),
            span,
        };
        let functor = self.document.functor(self.source, node);
        match (&*functor, self.document.arguments(node)) {
            (":-", &[head, body]) => {
                sentence.kind = SentenceKind::Rule;
                sentence.head = head;
                let conditions = conjunction(&self.document, self.source, body);
                sentence.body = self.document.add_children(&conditions);
            }
            // With one argument both are directives, as `:- dynamic p/1.`
            (":-" | "?-", &[goal]) => {
                sentence.kind = SentenceKind::Directive;
                sentence.head = goal;
            }
            _ => {}
        }
        sentence
    }
}

/// Runs the grammar over a chunk; the items are then with the builder. It derives every balanced
/// chunk, so it has no errors.
pub(crate) fn itemize(parser: &ClauseParser, chunk: &Chunk, builder: &mut TermBuilder<'_, '_>) {
    let tokens = chunk
        .tokens
        .iter()
        .map(|token| (token.span.start, token.kind, token.span.end));
    let parsed = parser.parse(builder, tokens);
    debug_assert!(parsed.is_ok(), "the grammar is total on balanced chunks");
}

/// Reads a whole program.
pub(crate) fn read_program(source: &Source) -> (Document, Faults) {
    let mut operators = OperatorTable::prolog();
    let mut reader = PrologReader::new(source);
    let mut faults = Faults::default();
    let mut sentences = Vec::new();
    while let Some((read, span)) = reader.read(&operators) {
        match read {
            Ok(node) => {
                let sentence = reader.sentence(node, span);
                if sentence.kind == SentenceKind::Directive {
                    obey(
                        &reader.document,
                        source,
                        sentence.head,
                        &mut operators,
                        &mut faults,
                    );
                }
                sentences.push(sentence);
            }
            Err(found) => {
                for fault in found {
                    faults.push(fault);
                }
            }
        }
    }
    reader.document.sentences = sentences;
    (reader.into_document(), faults)
}

/// Reads one term; the final dot is optional.
///
/// # Errors
/// All faults, at least one.
pub(crate) fn read_term(
    source: &Source,
    operators: &OperatorTable,
) -> Result<(Document, NodeId), Vec<Diagnostic>> {
    let mut reader = PrologReader::new(source);
    reader.end = EndOfClause::Optional;
    let node = match reader.read(operators) {
        Some((read, _)) => read?,
        None => return Err(vec![no_term(source)]),
    };
    // A second chunk behind the term, even an empty one: `a. .`
    if let Some((_, span)) = reader.read(operators) {
        return Err(vec![
            Diagnostic::error(
                EXPECTED_OPERATOR,
                span,
                "expected one term, found another behind it",
            )
            .with_label("a complete term stands before this"),
        ]);
    }
    Ok((reader.into_document(), node))
}

/// The goals of a conjunction, in order; one goal if it is none.
pub(crate) fn conjunction(document: &Document, source: &Source, body: NodeId) -> Vec<NodeId> {
    let mut goals = Vec::new();
    let mut rest = vec![body];
    while let Some(goal) = rest.pop() {
        let is_conjunction = matches!(document.node(goal), Node::Compound { functor, .. } if document.name(source, functor) == ",");
        match document.arguments(goal) {
            // Either side may be a conjunction: `(a, b), c` has three goals.
            &[left, right] if is_conjunction => rest.extend([right, left]),
            _ => goals.push(goal),
        }
    }
    goals
}

/// Carries out the `op/3` goals of a directive.
fn obey(
    document: &Document,
    source: &Source,
    goal: NodeId,
    operators: &mut OperatorTable,
    faults: &mut Faults,
) {
    for goal in conjunction(document, source, goal) {
        let &[priority, kind, names] = document.arguments(goal) else {
            continue;
        };
        if document.functor(source, goal) != "op" {
            continue;
        }
        let kind = OperatorType::from_name(&document.functor(source, kind));
        let priority = match document.node(priority) {
            Node::Integer(value) => u16::try_from(value).ok(),
            Node::Variable(_)
            | Node::Symbol(_)
            | Node::Float(_)
            | Node::Big(_)
            | Node::Text(_)
            | Node::Compound { .. } => None,
        };
        match (priority.filter(|&priority| priority <= MAX_PRIORITY), kind) {
            (Some(priority), Some(kind)) => {
                for name in list_elements(document, source, names) {
                    operators.add(priority, kind, &document.functor(source, name));
                }
            }
            _ => {
                faults.push(bad_operator(document.span(goal)));
            }
        }
    }
}

/// The elements of a list; a symbol alone stands for the list of itself.
fn list_elements(document: &Document, source: &Source, list: NodeId) -> Vec<NodeId> {
    let mut elements = Vec::new();
    let mut rest = list;
    while let (&[element, tail], "[|]") =
        (document.arguments(rest), &*document.functor(source, rest))
    {
        elements.push(element);
        rest = tail;
    }
    if document.functor(source, rest) != "[]" {
        elements.push(rest);
    }
    elements
        .into_iter()
        .filter(|&element| matches!(document.node(element), Node::Symbol(_)))
        .collect()
}

fn span_of(chunk: &Chunk) -> Span {
    let end = chunk.end.or(chunk.tokens.last().map(|token| token.span));
    let end = end.unwrap_or_default();
    chunk.tokens.first().map_or(end, |first| first.span.to(end))
}

fn first(faults: Vec<Diagnostic>) -> Diagnostic {
    let nothing = || empty_clause(Span::default());
    faults.into_iter().next().unwrap_or_else(nothing)
}

fn missing_end(span: Span) -> Diagnostic {
    let last = Span::new(span.end.saturating_sub(1), span.end);
    Diagnostic::error(MISSING_END, last, "clause without final dot")
        .with_label("the text ends here")
        .with_related(
            Span::new(span.start, span.start + 1),
            "the clause begins here",
        )
        .with_help("add `.`")
}

fn empty_clause(span: Span) -> Diagnostic {
    Diagnostic::error(EXPECTED_TERM, span, "expected a clause, found only its end")
        .with_label("nothing stands before this")
}

fn bad_operator(span: Span) -> Diagnostic {
    Diagnostic::error(BAD_OPERATOR, span, "not an operator definition")
        .with_label("ignored")
        .with_help(
            "write `:- op(Priority, Type, Name)` with a priority of 0 to 1200 and one of the types \
             `xfx`, `xfy`, `yfx`, `fx`, `fy`, `xf`, `yf`",
        )
}
