//! Reads prefix GDL: the actions of `grammar/kif.lalrpop` and the run over a text.
//!
//! The builder reports a fault where its production is reduced and goes on with a stand-in node.
//! A stand-in is remembered, so that what contains it is not reported a second time, and so is a
//! list that was never closed: nothing is said about its shape, which is not known.

use lalrpop_util::lalrpop_mod;

use crate::syntax::codes::{
    BAD_HEAD, EMPTY_LIST, INNER_RULE, LIST_AS_NAME, NAMELESS_VARIABLE, NOT_A_SENTENCE,
    RULE_WITHOUT_HEAD, STRAY_ARROW, VARIABLE_AS_NAME,
};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::faults::{Faults, shorten};
use crate::syntax::kif_stream::{KifStream, Outcome};
use crate::syntax::span::{Source, Span};
use crate::syntax::tree::{Document, Name, Node, NodeId, Notation, Sentence, SentenceKind};

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
    "/kif.rs"
);

/// Reads a rule sheet.
pub(crate) fn read_sheet(source: &Source) -> (Document, Faults) {
    let parser = grammar::SheetParser::new();
    let (document, faults, ()) = read(source, |builder, stream| {
        // The one error there is: the stream stopped early, and says why.
        let _ = parser.parse(builder, stream);
    });
    (document, faults)
}

/// Reads terms in a row; gives them in order.
pub(crate) fn read_terms(source: &Source) -> (Document, Faults, Vec<NodeId>) {
    let parser = grammar::TermsParser::new();
    read(source, |builder, stream| {
        let _ = parser.parse(builder, stream);
        std::mem::take(&mut builder.scratch)
    })
}

/// Runs the parser, and once more where parentheses turn out to be unclosed.
///
/// The grammar derives every balanced sequence of tokens, so the parser itself fails only where
/// the stream stopped early, and then the stream has the reason.
fn read<'s, T>(
    source: &'s Source,
    parse: impl Fn(&mut SheetBuilder<'s>, &mut KifStream<'_>) -> T,
) -> (Document, Faults, T) {
    let run = |unmatched: Option<&[u32]>| {
        let mut stream = KifStream::new(source.text(), unmatched);
        let mut builder = SheetBuilder::new(source.text());
        let result = parse(&mut builder, &mut stream);
        let (outcome, comments, mut faults) = stream.finish();
        faults.append(builder.faults);
        builder.document.place_comments(source, &comments);
        (outcome, (builder.document, faults, result))
    };
    let (outcome, first) = run(None);
    match outcome {
        Outcome::Complete | Outcome::TooDeep => first,
        // Which parenthesis lacks its partner is known at the end of the text only. So a text with a fault is read twice,
        // one without is read once.
        Outcome::Unbalanced(unmatched) => {
            drop(first);
            run(Some(&unmatched)).1
        }
    }
}

/// Where the children of a list start on the builder's stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListMark(usize);

/// Whether a list was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Closed {
    /// By its parenthesis.
    Yes,
    /// Only by the token stream; this was reported there.
    No,
}

/// Start and end of a piece of text.
type Place = (u32, u32);

/// Builds the document.
pub(crate) struct SheetBuilder<'s> {
    text: &'s str,
    document: Document,
    /// Children of the lists that are open, innermost last.
    scratch: Vec<NodeId>,
    faults: Faults,
    /// Stand-ins, in order of their ids, with the place of their fault in `faults`.
    stand_ins: Vec<(NodeId, Option<usize>)>,
    /// Number of stand-ins and unclosed lists when the last sentence ended.
    spoiled_before: usize,
    spoiled: usize,
}

impl<'s> SheetBuilder<'s> {
    fn new(text: &'s str) -> Self {
        let mut document = Document {
            notation: Some(Notation::Prefix),
            ..Document::default()
        };
        // Rule sheets have about one node in five bytes.
        document.nodes.reserve(text.len() / 6);
        document.spans.reserve(text.len() / 6);
        document.children.reserve(text.len() / 8);
        Self {
            text,
            document,
            scratch: Vec::new(),
            faults: Faults::default(),
            stand_ins: Vec::new(),
            spoiled_before: 0,
            spoiled: 0,
        }
    }

    pub(crate) fn mark(&self) -> ListMark {
        ListMark(self.scratch.len())
    }

    pub(crate) fn push(&mut self, items: ListMark, term: NodeId) -> ListMark {
        self.scratch.push(term);
        items
    }

    pub(crate) fn word(&mut self, start: u32, end: u32) -> NodeId {
        let span = Span::new(start, end);
        let node = match canonical_integer(self.slice(span)) {
            Some(value) => Node::Integer(value),
            None => Node::Symbol(Name::Written(span)),
        };
        self.document.add(node, span)
    }

    pub(crate) fn variable(&mut self, start: u32, end: u32) -> NodeId {
        let span = Span::new(start, end);
        if end - start == 1 {
            let fault = Diagnostic::error(NAMELESS_VARIABLE, span, "variable without a name")
                .with_label("only a question mark")
                .with_help("write a name directly behind it, such as `?x`");
            return self.stand_in(span, Some(fault));
        }
        let name = Name::Written(Span::new(start + 1, end));
        self.document.add(Node::Variable(name), span)
    }

    pub(crate) fn compound(
        &mut self,
        list: Place,
        name: Place,
        items: ListMark,
        closed: Closed,
    ) -> NodeId {
        self.note_closed(closed);
        let span = Span::new(list.0, list.1);
        let name_span = Span::new(name.0, name.1);
        let functor = Name::Written(name_span);
        if self.scratch.len() > items.0 {
            // The children of this list are on top of those of the lists around it.
            let arguments = self.document.add_children(&self.scratch[items.0..]);
            self.scratch.truncate(items.0);
            return self
                .document
                .add(Node::Compound { functor, arguments }, span);
        }
        // `(p)` is `p`.
        match canonical_integer(self.slice(name_span)) {
            Some(value) => self.document.add(Node::Integer(value), span),
            None => self.document.add(Node::Symbol(functor), span),
        }
    }

    pub(crate) fn empty_list(&mut self, start: u32, closed: Closed, end: u32) -> NodeId {
        let fault = Diagnostic::error(EMPTY_LIST, Span::new(start, end), "empty list")
            .with_label("there is nothing between these parentheses")
            .with_help("remove it, or write the name of a relation or function into it");
        self.faulty_list(start, end, closed, fault)
    }

    pub(crate) fn variable_as_name(
        &mut self,
        list: Place,
        name: Place,
        items: ListMark,
        closed: Closed,
    ) -> NodeId {
        self.scratch.truncate(items.0);
        let span = Span::new(name.0, name.1);
        let written = shorten(self.slice(span));
        let message = format!("variable `{written}` as the name of a relation");
        let fault = Diagnostic::error(VARIABLE_AS_NAME, span, message)
            .with_label("a name must stand here")
            .with_help("variables stand for terms only, not for relations and functions");
        self.faulty_list(list.0, list.1, closed, fault)
    }

    pub(crate) fn list_as_name(
        &mut self,
        list: Place,
        head: NodeId,
        items: ListMark,
        closed: Closed,
    ) -> NodeId {
        self.scratch.truncate(items.0);
        let span = self.document.span(head);
        let fault = Diagnostic::error(LIST_AS_NAME, span, "list as the name of a relation")
            .with_label("a name must stand here")
            .with_help("the first thing in a list is its name; is there a `(` too many?");
        match self.stand_in_fault(head) {
            None => self.faulty_list(list.0, list.1, closed, fault),
            Some(earlier) => {
                // One fault, one message: the better one.
                if let Some(index) =
                    earlier.filter(|&index| self.faults.code(index) == Some(EMPTY_LIST))
                {
                    self.faults.replace(index, fault);
                }
                self.note_closed(closed);
                self.stand_in(Span::new(list.0, list.1), None)
            }
        }
    }

    pub(crate) fn arrow_as_term(&mut self, start: u32, end: u32) -> NodeId {
        let span = Span::new(start, end);
        self.stand_in(span, Some(stray_arrow(span)))
    }

    pub(crate) fn inner_rule(
        &mut self,
        start: u32,
        items: ListMark,
        closed: Closed,
        end: u32,
    ) -> NodeId {
        self.scratch.truncate(items.0);
        // Only `(<=` is marked: the rule may have many lines, and is not what is wrong.
        let arrow = Span::new(start, end.min(start + 3));
        let fault = Diagnostic::error(INNER_RULE, arrow, "rule inside of another sentence")
            .with_label("a rule begins here")
            .with_help("is a `)` missing at the end of the sentence before it?");
        self.faulty_list(start, end, closed, fault)
    }

    pub(crate) fn proposition(&mut self, start: u32, end: u32) {
        let span = Span::new(start, end);
        // A number on its own is the name of a proposition, as it is in `(5 a)`.
        let head = self.document.add(Node::Symbol(Name::Written(span)), span);
        self.sentence(SentenceKind::Fact, head, &[], span);
    }

    pub(crate) fn fact(&mut self, head: NodeId) {
        let span = self.document.span(head);
        let head = self.as_atom(head);
        self.sentence(SentenceKind::Fact, head, &[], span);
    }

    pub(crate) fn rule(&mut self, start: u32, items: ListMark, closed: Closed, end: u32) {
        let span = Span::new(start, end);
        self.note_closed(closed);
        let parts = self.scratch.split_off(items.0);
        // `(<=)`: if its parenthesis is missing, that was reported, and this follows from it.
        let Some((&head, body)) = parts.split_first() else {
            if closed == Closed::Yes {
                self.fault(
                    Diagnostic::error(RULE_WITHOUT_HEAD, span, "rule without a head")
                        .with_label("only `<=`")
                        .with_help("write the atom that the rule defines behind `<=`"),
                );
            }
            self.spoiled_before = self.spoiled;
            return;
        };
        if let Node::Variable(_) = self.document.node(head) {
            let at = self.document.span(head);
            let message = format!(
                "variable `{}` as the head of a rule",
                shorten(self.slice(at))
            );
            self.fault(
                Diagnostic::error(BAD_HEAD, at, message)
                    .with_label("an atom must stand here")
                    .with_help("a rule defines a relation: `(<= (p ?x) ...)` or `(<= p ...)`"),
            );
        }
        let head = self.as_atom(head);
        self.sentence(SentenceKind::Rule, head, body, span);
    }

    pub(crate) fn variable_as_sentence(&mut self, start: u32, end: u32) {
        let span = Span::new(start, end);
        let message = format!(
            "variable `{}` outside of a sentence",
            shorten(self.slice(span))
        );
        self.fault(
            Diagnostic::error(NOT_A_SENTENCE, span, message)
                .with_label("a fact or rule must stand here")
                .with_help("remove it; is a `)` too many before it?"),
        );
        self.spoiled_before = self.spoiled;
    }

    pub(crate) fn stray_arrow(&mut self, start: u32, end: u32) {
        self.fault(stray_arrow(Span::new(start, end)));
        self.spoiled_before = self.spoiled;
    }

    fn slice(&self, span: Span) -> &'s str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// A number as the name of a proposition.
    fn as_atom(&mut self, id: NodeId) -> NodeId {
        let Node::Integer(value) = self.document.node(id) else {
            return id;
        };
        let span = self.document.span(id);
        // The span may include parentheses and comments.
        let name = self.document.add_text(value.to_string());
        self.document.add(Node::Symbol(name), span)
    }

    /// Adds a sentence, unless there is a fault in it.
    fn sentence(&mut self, kind: SentenceKind, head: NodeId, body: &[NodeId], span: Span) {
        // Nothing was found in this sentence since the last one ended.
        if self.spoiled == self.spoiled_before {
            let body = self.document.add_children(body);
            self.document.sentences.push(Sentence {
                kind,
                head,
                body,
                span,
            });
        }
        self.spoiled_before = self.spoiled;
    }

    fn fault(&mut self, fault: Diagnostic) -> Option<usize> {
        self.spoiled += 1;
        self.faults.push(fault)
    }

    fn note_closed(&mut self, closed: Closed) {
        if closed == Closed::No {
            self.spoiled += 1;
        }
    }

    fn faulty_list(&mut self, start: u32, end: u32, closed: Closed, fault: Diagnostic) -> NodeId {
        self.note_closed(closed);
        let fault = (closed == Closed::Yes).then_some(fault);
        self.stand_in(Span::new(start, end), fault)
    }

    fn stand_in(&mut self, span: Span, fault: Option<Diagnostic>) -> NodeId {
        let index = fault.and_then(|fault| self.fault(fault));
        let id = self.document.add(Node::Symbol(Name::Written(span)), span);
        self.stand_ins.push((id, index));
        id
    }

    /// The fault for which a node stands in: `None` if the node is sound.
    fn stand_in_fault(&self, id: NodeId) -> Option<Option<usize>> {
        // Ids grow, so that the list is sorted.
        let position = self.stand_ins.binary_search_by_key(&id, |&(id, _)| id);
        position.ok().map(|position| self.stand_ins[position].1)
    }
}

fn stray_arrow(span: Span) -> Diagnostic {
    Diagnostic::error(STRAY_ARROW, span, "`<=` does not begin a rule here")
        .with_label("allowed only as the first thing in a sentence")
        .with_help("write `(<= head condition...)`")
}

/// The value of a decimal integer in canonical form: no leading zero or plus, not `-0`.
pub(crate) fn canonical_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    match digits {
        // `-0`, `007` and `+1` are symbols: a number has one spelling, or printing would change the text.
        [b'0'] if text.len() == 1 => Some(0),
        [b'1'..=b'9', ..] => text.parse().ok(),
        _ => None,
    }
}
