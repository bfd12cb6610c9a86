//! The tree of a text: what was written, with the place of every part, and no meaning yet.
//!
//! Nodes live in one arena and name their children by index. Nothing here is a tree of boxes:
//! a text nested a million deep is built, walked and dropped without recursion.
//!
//! Both notations of GDL give the same tree: a conjunction is the list of a sentence's body, and
//! `not`, `or`, `and`, `distinct` are compounds of these names, so that one lowering serves both.
//! Prolog text keeps its operators as compounds (`,`/2, `;`/2, `->`/2, `\+`/1, ...).

use std::borrow::Cow;

use crate::syntax::span::{Source, Span};

/// Index of a node in its [`Document`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

/// The name of a symbol or variable: mostly a piece of the source, taken without a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// The text under this span.
    Written(Span),
    /// An entry of the document's table of texts that differ from what is written (unquoted
    /// atoms, `not` for `\+`).
    Decoded(u32),
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// `?x` in prefix, `X` in infix notation; the name is without the question mark.
    Variable(Name),
    /// A symbol without arguments.
    Symbol(Name),
    /// A number without fraction that fits 64 bits, in canonical decimal form.
    Integer(i64),
    /// A number without fraction beyond 64 bits, in canonical decimal form (Prolog only).
    Big(Name),
    /// A number with fraction (Prolog only).
    Float(f64),
    /// Text in double quotes (Prolog only).
    Text(Name),
    /// A symbol with arguments.
    Compound {
        /// The symbol.
        functor: Name,
        /// Range of the arguments in the arena of children.
        arguments: Children,
    },
}

/// A range of the arena of children of a [`Document`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Children {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Children {
    /// Number of children.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// How a sentence was written, as far as printing and messages must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentenceKind {
    /// A head alone.
    Fact,
    /// `(<= head body...)` or `head :- body`; the body may be empty.
    Rule,
    /// `:- goal` (Prolog only); the head is the goal, the body empty.
    Directive,
}

/// A fact, rule or directive.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// How it was written.
    pub kind: SentenceKind,
    /// The head; the goal of a directive.
    pub head: NodeId,
    /// The conditions, in order.
    pub body: Children,
    /// From the first to the last character, the final dot included.
    pub span: Span,
}

/// Where a comment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommentPlace {
    /// On a line of its own.
    OwnLine,
    /// Behind something else on the same line.
    EndOfLine,
}

/// A comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The text with its comment sign, without the end of line.
    pub span: Span,
    /// Number of sentences that end in front of it; a comment inside of a sentence counts as one
    /// before it.
    pub before_sentence: u32,
    /// Whether anything precedes it on its line.
    pub place: CommentPlace,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `(<= (next (on ?x ?y)) (does robot (s ?x ?y)))`
    Prefix,
    /// `next(on(X,Y)) :- does(robot, s(X,Y)).`
    Infix,
    /// ISO Prolog text.
    Prolog,
}

/// All sentences of one text.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub(crate) nodes: Vec<Node>,
    pub(crate) spans: Vec<Span>,
    pub(crate) children: Vec<NodeId>,
    pub(crate) texts: Vec<String>,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) notation: Option<Notation>,
}

impl Document {
    /// The sentences in textual order.
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// The notation of the text; `None` for a document that was not read from a text.
    pub fn notation(&self) -> Option<Notation> {
        self.notation
    }

    /// The comments, in textual order.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// What a node is.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Where a node stands.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    /// The nodes of a range of children.
    pub fn children(&self, range: Children) -> &[NodeId] {
        &self.children[range.start as usize..range.end as usize]
    }

    /// The arguments of a compound; none for all other nodes.
    pub fn arguments(&self, id: NodeId) -> &[NodeId] {
        match self.node(id) {
            Node::Compound { arguments, .. } => self.children(arguments),
            Node::Variable(_)
            | Node::Symbol(_)
            | Node::Integer(_)
            | Node::Float(_)
            | Node::Big(_)
            | Node::Text(_) => &[],
        }
    }

    /// The text of a name.
    pub fn name<'a>(&'a self, source: &'a Source, name: Name) -> &'a str {
        match name {
            Name::Written(span) => source.slice(span),
            Name::Decoded(index) => &self.texts[index as usize],
        }
    }

    /// Name of a symbol or of a compound's functor, as a person reads it; empty for other nodes.
    pub fn functor<'a>(&'a self, source: &'a Source, id: NodeId) -> Cow<'a, str> {
        match self.node(id) {
            Node::Symbol(name) | Node::Compound { functor: name, .. } => {
                Cow::Borrowed(self.name(source, name))
            }
            Node::Integer(value) => Cow::Owned(value.to_string()),
            Node::Variable(_) | Node::Float(_) | Node::Big(_) | Node::Text(_) => Cow::Borrowed(""),
        }
    }

    /// Puts the comments at `spans` in their places; to be called when all sentences are there.
    pub(crate) fn place_comments(&mut self, source: &Source, spans: &[Span]) {
        let place = |span: &Span| {
            let before = self
                .sentences
                // A comment inside of a sentence belongs to that one.
                .partition_point(|sentence| sentence.span.end <= span.start);
            // Only layout in front of it: the line is its own.
            let before_on_line = source.text()[..span.start as usize]
                .trim_end_matches([' ', '\t', '\u{B}', '\u{C}', '\u{FEFF}']);
            Comment {
                span: *span,
                before_sentence: before as u32,
                place: if before_on_line.is_empty() || before_on_line.ends_with(['\n', '\r']) {
                    CommentPlace::OwnLine
                } else {
                    CommentPlace::EndOfLine
                },
            }
        };
        self.comments = spans.iter().map(place).collect();
    }

    /// Adds a node.
    pub(crate) fn add(&mut self, node: Node, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.spans.push(span);
        id
    }

    /// Adds a range of children.
    pub(crate) fn add_children(&mut self, children: &[NodeId]) -> Children {
        let start = self.children.len() as u32;
        self.children.extend_from_slice(children);
        Children {
            start,
            end: self.children.len() as u32,
        }
    }

    /// Adds a text that differs from what is written.
    pub(crate) fn add_text(&mut self, text: impl Into<String>) -> Name {
        self.texts.push(text.into());
        Name::Decoded(self.texts.len() as u32 - 1)
    }
}
