//! Terms of one store in another.

use rustc_hash::FxHashMap;

use crate::term::clause::Clause;
use crate::term::store::{Store, Term, TermId};

/// Brings terms from one store into another, each once.
#[derive(Debug, Default)]
pub struct Import {
    known: FxHashMap<TermId, TermId>,
}

impl Import {
    /// The term of `to` that equals a term of `from`; always the same two stores. Linear in the
    /// size of the term where it was not met before.
    pub fn term(&mut self, from: &Store, to: &mut Store, term: TermId) -> TermId {
        let mut stack = vec![term];
        while let Some(&next) = stack.last() {
            if self.known.contains_key(&next) {
                stack.pop();
                continue;
            }
            let arguments = from.arguments(next);
            // Arguments go first; the term stays below them on the stack and is met again when all are there.
            let missing = stack.len();
            stack.extend(arguments.iter().filter(|id| !self.known.contains_key(id)));
            if stack.len() > missing {
                continue;
            }
            let brought: Vec<TermId> = arguments.iter().map(|id| self.known[id]).collect();
            let copy = match from.view(next) {
                Term::Variable(number) => to.variable(number),
                Term::Integer(value) => to.integer(value),
                Term::Float(value) => to.float(value),
                Term::Big(digits) => {
                    let digits = to.symbol(from.name(digits));
                    to.big_integer(digits)
                }
                Term::Text(symbol) => {
                    let symbol = to.symbol(from.name(symbol));
                    to.text(symbol)
                }
                Term::Atom(symbol) | Term::Compound(symbol, _) => {
                    let symbol = to.symbol(from.name(symbol));
                    to.compound(symbol, &brought)
                }
            };
            self.known.insert(next, copy);
            stack.pop();
        }
        self.known[&term]
    }

    /// A clause with its terms in `to`.
    pub fn clause(&mut self, from: &Store, to: &mut Store, clause: &Clause) -> Clause {
        let names = clause.variables.iter();
        Clause {
            head: self.term(from, to, clause.head),
            body: clause
                .body
                .iter()
                .map(|&goal| self.term(from, to, goal))
                .collect(),
            variables: names.map(|&name| to.symbol(from.name(name))).collect(),
            origin: clause.origin.clone(),
        }
    }
}
