//! The rules under validation, as all checks see them: terms together with the places where they
//! were written.
//!
//! Clauses carry the places of their heads and conditions only. A check that points at a
//! single variable walks term and tree side by side: lowering keeps the order of arguments, so the
//! n-th argument of a term was written at the n-th child of its node.

use strsim::osa_distance;

use crate::gdl::keyword::{Keyword, Keywords};
use crate::syntax::{Document, Name, Node, NodeId, Source, Span};
use crate::term::{Clause, DependencyGraph, Functor, Literal, Store, Term, TermId};

/// How many characters of the text a message quotes.
const QUOTE_LENGTH: usize = 60;

/// A term and where it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) term: TermId,
    pub(super) node: NodeId,
}

/// The rules under validation.
pub(super) struct Sheet<'a> {
    pub(super) store: &'a Store,
    pub(super) source: &'a Source,
    pub(super) document: &'a Document,
    pub(super) clauses: &'a [Clause],
    pub(super) keywords: &'a Keywords,
    pub(super) graph: DependencyGraph,
}

impl<'a> Sheet<'a> {
    /// Where a node stands.
    pub(super) fn span(&self, place: Place) -> Span {
        self.document.span(place.node)
    }

    /// Where the name of an atom or compound stands; the whole node for others.
    pub(super) fn name_span(&self, place: Place) -> Span {
        match self.document.node(place.node) {
            Node::Symbol(Name::Written(span))
            | Node::Compound {
                functor: Name::Written(span),
                ..
            } => span,
            Node::Symbol(Name::Decoded(_))
            | Node::Compound {
                functor: Name::Decoded(_),
                ..
            }
            | Node::Variable(_)
            | Node::Integer(_)
            | Node::Float(_)
            | Node::Big(_)
            | Node::Text(_) => self.span(place),
        }
    }

    /// What was written at a place, on one line and shortened.
    pub(super) fn quote(&self, place: Place) -> String {
        self.quote_span(self.span(place))
    }

    /// What was written under a span, on one line and shortened.
    pub(super) fn quote_span(&self, span: Span) -> String {
        let mut quote = String::new();
        let mut length = 0;
        for word in self.source.slice(span).split_whitespace() {
            if !quote.is_empty() {
                quote.push(' ');
            }
            for character in word.chars() {
                if length == QUOTE_LENGTH {
                    quote.push('…');
                    return quote;
                }
                quote.push(character);
                length += 1;
            }
            length += 1;
        }
        quote
    }

    /// The name of a functor.
    pub(super) fn name(&self, functor: Functor) -> &'a str {
        self.store.name(functor.symbol)
    }

    /// The arguments of a term with their places.
    pub(super) fn arguments(&self, place: Place) -> impl DoubleEndedIterator<Item = Place> + 'a {
        let (store, document) = (self.store, self.document);
        let terms = store.arguments(place.term).iter();
        let nodes = document.arguments(place.node).iter();
        terms.zip(nodes).map(|(&term, &node)| Place { term, node })
    }

    /// The head of a clause.
    pub(super) fn head(&self, clause: &Clause) -> Place {
        Place {
            term: clause.head,
            node: clause.origin.head,
        }
    }

    /// The conditions of a clause.
    pub(super) fn body<'c>(
        &self,
        clause: &'c Clause,
    ) -> impl DoubleEndedIterator<Item = Place> + use<'c> {
        let nodes = clause.origin.body.iter();
        let places = clause.body.iter().zip(nodes);
        places.map(|(&term, &node)| Place { term, node })
    }

    /// All conditions of a clause, and their parts down to atoms and `distinct`, each before its
    /// parts, in the order of the text.
    pub(super) fn conditions(&self, clause: &Clause) -> Vec<Place> {
        let mut found = Vec::new();
        let mut stack: Vec<Place> = self.body(clause).rev().collect();
        while let Some(place) = stack.pop() {
            found.push(place);
            match self.literal(place) {
                Literal::Not(_) | Literal::Or(_) | Literal::And(_) => {
                    stack.extend(self.arguments(place).rev());
                }
                Literal::Distinct(..) | Literal::Call(_) => {}
            }
        }
        found
    }

    /// The calls of a clause: its conditions without connectives and `distinct`.
    pub(super) fn calls(&self, clause: &Clause) -> Vec<Place> {
        let mut found = self.conditions(clause);
        found.retain(|&condition| matches!(self.literal(condition), Literal::Call(_)));
        found
    }

    /// The place of a called atom in a clause; the whole condition if it is not found.
    pub(super) fn call_place(&self, clause: &Clause, position: usize, atom: TermId) -> Place {
        let whole = Place {
            term: clause.body[position],
            node: clause.origin.body[position],
        };
        let mut stack = vec![whole];
        while let Some(place) = stack.pop() {
            match self.literal(place) {
                Literal::Call(term) if term == atom => return place,
                Literal::Not(_) | Literal::Or(_) | Literal::And(_) => {
                    stack.extend(self.arguments(place).rev());
                }
                Literal::Call(_) | Literal::Distinct(..) => {}
            }
        }
        whole
    }

    /// A condition read off its term.
    pub(super) fn literal(&self, place: Place) -> Literal<'a> {
        Literal::of(self.store, place.term)
    }

    /// All parts of a term, itself first, in the order of the text.
    pub(super) fn subterms(&self, root: Place) -> Vec<Place> {
        let mut found = Vec::new();
        let mut stack = vec![root];
        while let Some(place) = stack.pop() {
            found.push(place);
            stack.extend(self.arguments(place).rev());
        }
        found
    }

    /// Where a variable occurs first in a term.
    pub(super) fn occurrence(&self, root: Place, variable: u32) -> Option<Place> {
        let mut stack = vec![root];
        while let Some(place) = stack.pop() {
            if self.store.view(place.term) == Term::Variable(variable) {
                return Some(place);
            }
            // Where all variables have smaller numbers it is not to be found: ground terms are not gone through.
            if self.store.variable_bound(place.term) > variable {
                stack.extend(self.arguments(place).rev());
            }
        }
        None
    }

    /// The reserved word that the head of a clause defines, if any.
    pub(super) fn defined_keyword(&self, clause: &Clause) -> Option<Keyword> {
        self.keywords.predicate(self.store.functor(clause.head)?)
    }

    /// The place of the first sentence, or of the start of the text if there is none.
    pub(super) fn first_sentence(&self) -> Span {
        let first = self.clauses.first();
        first.map_or(Span::new(0, 0), |clause| clause.origin.span)
    }
}

/// `a`, `b` and `c`, each in backquotes.
pub(super) fn enumeration(words: &[&str], conjunction: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} {conjunction} {last}", others.join(", ")),
    }
}

/// How many steps of a chain of relations a message names and points to.
pub(super) const STEPS_SHOWN: usize = 8;

/// ` through `a`, `b`` for a chain of relations, abridged if it is long; nothing for no chain.
pub(super) fn through(names: &[&str]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = names
        .iter()
        .take(STEPS_SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    let rest = match names.len() - shown.len() {
        0 => String::new(),
        1 => " and one more".to_owned(),
        others => format!(" and {others} more"),
    };
    format!(" through {}{rest}", shown.join(", "))
}

/// The candidate that is most like a mistyped name, if one is like it.
pub(crate) fn similar<'n>(
    name: &str,
    candidates: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    // One slip in three characters is a typing error; more is another word.
    let tolerance = (name.chars().count() / 3).max(1);
    let scored = candidates
        // Names of one character are one slip apart from each other, all of them.
        .filter(|candidate| *candidate != name && candidate.chars().count() > 1)
        .map(|candidate| (osa_distance(name, candidate), candidate));
    let best = scored.min_by_key(|&(score, _)| score)?;
    (best.0 <= tolerance && name.chars().count() > 1).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_near() {
        assert_eq!(similar("clel", ["cell"].into_iter()), Some("cell"));
        assert_eq!(similar("suc", ["succ", "p"].into_iter()), Some("succ"));
        assert_eq!(similar("p", ["q"].into_iter()), None);
        assert_eq!(enumeration(&["a", "b", "c"], "and"), "`a`, `b` and `c`");
    }
}
