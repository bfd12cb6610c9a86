//! Clauses: a head and a list of conditions over the terms of one store.

use rustc_hash::FxHashMap;

use crate::syntax::{NodeId, Span};
use crate::term::map_variables;
use crate::term::store::{Functor, Store, TermId};
use crate::term::symbol::SymbolId;

/// Where a clause was written: for messages only, no evaluation depends on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Index of the sentence in its document.
    pub sentence: u32,
    /// The whole sentence.
    pub span: Span,
    /// The node of the head.
    pub head: NodeId,
    /// The nodes of the conditions, in the order of [`Clause::body`].
    pub body: Vec<NodeId>,
}

/// A fact or rule. Its variables are the terms `Variable(0)` to `Variable(variables.len() - 1)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What follows: an atom or compound.
    pub head: TermId,
    /// The conditions, all of which must hold; see [`Literal`] for their forms.
    pub body: Vec<TermId>,
    /// The names of the variables, by number.
    pub variables: Vec<SymbolId>,
    /// Where it was written.
    pub origin: Origin,
}

impl Clause {
    /// A clause that nobody wrote. Its variables are numbered from 0 in order of occurrence.
    pub fn of(store: &mut Store, head: TermId, body: Vec<TermId>) -> Self {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut renumber = |store: &mut Store, term: TermId| {
            map_variables(store, term, |store, variable| {
                let next = numbers.len() as u32;
                let number = *numbers.entry(variable).or_insert(next);
                store.variable(number)
            })
        };
        let head = renumber(store, head);
        let body: Vec<TermId> = body.into_iter().map(|term| renumber(store, term)).collect();
        let names = 0..numbers.len();
        Clause {
            head,
            body,
            variables: names
                .map(|number| store.symbol(&format!("v{number}")))
                .collect(),
            origin: Origin {
                sentence: 0,
                span: Span::default(),
                head: NodeId(0),
                body: Vec::new(),
            },
        }
    }
}

/// A condition of a GDL rule, read off its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal<'s> {
    /// `not p`
    Not(TermId),
    /// `or` of its branches; none means false.
    Or(&'s [TermId]),
    /// `and` of its parts; none means true.
    And(&'s [TermId]),
    /// `distinct s t`
    Distinct(TermId, TermId),
    /// Any other atom or compound: a call of a predicate.
    Call(TermId),
}

impl<'s> Literal<'s> {
    /// Reads a condition. Connectives with a wrong number of arguments are read as calls.
    pub fn of(store: &'s Store, id: TermId) -> Self {
        let Some(Functor { symbol, .. }) = store.functor(id) else {
            return Literal::Call(id);
        };
        match (store.name(symbol), store.arguments(id)) {
            ("not", &[inner]) => Literal::Not(inner),
            ("or", branches) => Literal::Or(branches),
            ("and", parts) => Literal::And(parts),
            ("distinct", &[left, right]) => Literal::Distinct(left, right),
            _ => Literal::Call(id),
        }
    }
}
