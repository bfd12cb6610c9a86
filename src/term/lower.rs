//! From trees to clauses: the one bridge between what was written and what it means.
//!
//! GDL calls symbols case-insensitive, so names are folded to lower case unless the caller asks
//! otherwise; where two spellings of one symbol meet, the second is reported.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::syntax::{Case, Document, Name, Node, NodeId, Sentence, SentenceKind, Source, Span};
use crate::term::clause::{Clause, Origin};
use crate::term::store::{Store, TermId};
use crate::term::symbol::SymbolId;

/// Two spellings of one symbol in one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpellingClash {
    /// The first occurrence of the first spelling.
    pub first: Span,
    /// The first occurrence of a spelling that differs.
    pub second: Span,
}

/// Lowers the sentences of one document.
pub struct Lowering<'d> {
    document: &'d Document,
    source: &'d Source,
    case: Case,
    /// First occurrence of every folded symbol that a span names.
    spellings: FxHashMap<SymbolId, Span>,
    clashes: IndexMap<SymbolId, SpellingClash, FxBuildHasher>,
    /// Variables of the current sentence by name; their index is their number.
    variables: IndexMap<SymbolId, (), FxBuildHasher>,
}

impl<'d> Lowering<'d> {
    /// Starts on a document.
    pub fn new(document: &'d Document, source: &'d Source, case: Case) -> Self {
        Self {
            document,
            source,
            case,
            spellings: FxHashMap::default(),
            clashes: IndexMap::default(),
            variables: IndexMap::default(),
        }
    }

    /// The clause of a fact or rule; of a directive, a clause whose head is the goal.
    pub fn clause(&mut self, store: &mut Store, index: usize, sentence: &Sentence) -> Clause {
        debug_assert!(sentence.kind == SentenceKind::Rule || sentence.body.is_empty());
        self.variables.clear();
        let document = self.document;
        let nodes = document.children(sentence.body);
        let head = self.term(store, sentence.head);
        let body = nodes.iter().map(|&node| self.term(store, node)).collect();
        Clause {
            head,
            body,
            variables: self.variables.keys().copied().collect(),
            origin: Origin {
                sentence: index as u32,
                span: sentence.span,
                head: sentence.head,
                body: nodes.to_vec(),
            },
        }
    }

    /// The clauses of all sentences, in order.
    pub fn clauses(&mut self, store: &mut Store) -> Vec<Clause> {
        let document = self.document;
        let sentences = document.sentences().iter().enumerate();
        sentences
            .map(|(index, sentence)| self.clause(store, index, sentence))
            .collect()
    }

    /// The term of one node; variables are shared with the terms lowered since the last
    /// [`Lowering::clause`].
    pub fn term(&mut self, store: &mut Store, root: NodeId) -> TermId {
        /// A step of the walk: look at a node, or build it from the terms of its arguments.
        enum LoweringStep {
            Visit(NodeId),
            Build(SymbolId, usize),
        }
        let document = self.document;
        let mut steps = vec![LoweringStep::Visit(root)];
        let mut built = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                LoweringStep::Visit(node) => match document.node(node) {
                    Node::Compound { functor, arguments } => {
                        let symbol = self.symbol(store, functor);
                        steps.push(LoweringStep::Build(symbol, arguments.len()));
                        steps.extend(
                            document
                                .children(arguments)
                                .iter()
                                .rev()
                                .map(|&child| LoweringStep::Visit(child)),
                        );
                    }
                    leaf @ (Node::Variable(_)
                    | Node::Symbol(_)
                    | Node::Integer(_)
                    | Node::Float(_)
                    | Node::Big(_)
                    | Node::Text(_)) => built.push(self.leaf(store, leaf)),
                },
                LoweringStep::Build(symbol, arity) => {
                    let term = store.compound(symbol, &built[built.len() - arity..]);
                    built.truncate(built.len() - arity);
                    built.push(term);
                }
            }
        }
        built
            .pop()
            .unwrap_or_else(|| unreachable!("the walk leaves the term of its root"))
    }

    /// Names of the variables lowered since the last [`Lowering::clause`], by number.
    pub fn variables(&self) -> Vec<SymbolId> {
        self.variables.keys().copied().collect()
    }

    /// The symbols that were met in two spellings, in order of discovery.
    pub fn clashes(&self) -> impl Iterator<Item = (SymbolId, &SpellingClash)> {
        self.clashes.iter().map(|(&symbol, clash)| (symbol, clash))
    }

    fn leaf(&mut self, store: &mut Store, node: Node) -> TermId {
        match node {
            Node::Variable(name) => {
                let symbol = store.symbol(self.document.name(self.source, name));
                let (number, _) = self.variables.insert_full(symbol, ());
                store.variable(number as u32)
            }
            Node::Symbol(name) | Node::Compound { functor: name, .. } => {
                let symbol = self.symbol(store, name);
                store.atom(symbol)
            }
            Node::Integer(value) => store.integer(value),
            Node::Float(value) => store.float(value),
            Node::Big(name) => {
                let digits = store.symbol(self.document.name(self.source, name));
                store.big_integer(digits)
            }
            Node::Text(name) => {
                let symbol = store.symbol(self.document.name(self.source, name));
                store.text(symbol)
            }
        }
    }

    fn symbol(&mut self, store: &mut Store, name: Name) -> SymbolId {
        let written = self.document.name(self.source, name);
        if self.case == Case::Keep {
            return store.symbol(written);
        }
        // Most names are in lower case already; only the others are copied to be folded.
        let symbol = if written
            .bytes()
            .any(|byte| !byte.is_ascii() || byte.is_ascii_uppercase())
        {
            store.symbol(&written.to_lowercase())
        } else {
            store.symbol(written)
        };
        // Other names are words of the reader, such as `not` for `~`, of which there are no two spellings.
        if let Name::Written(second) = name {
            let first = *self.spellings.entry(symbol).or_insert(second);
            if self.source.slice(first) != written {
                self.clashes
                    .entry(symbol)
                    .or_insert(SpellingClash { first, second });
            }
        }
        symbol
    }
}
