//! How the fluents of a part are called in reports.

use std::collections::BTreeMap;

use crate::decomposition::report::subject::DecomposedGame;
use crate::term::{Infix, TermId};

impl DecomposedGame<'_> {
    /// A fluent, by place in the circuit.
    pub(super) fn fluent(&self, place: usize) -> String {
        Infix::new(self.store, self.circuit.fluents[place].term).to_string()
    }

    /// Some fluents by function, arguments that all have in common as they are and `_` for the others:
    /// `cell(1,_,_)` for `cell(1,1,b)`, `cell(1,2,x)`, …
    pub(super) fn patterns(&self, fluents: &[usize]) -> Vec<String> {
        let mut by_function: BTreeMap<(String, u32), Vec<TermId>> = BTreeMap::new();
        for &place in fluents {
            let term = self.circuit.fluents[place].term;
            let name = match self.store.functor(term) {
                Some(functor) => (self.store.name(functor.symbol).to_owned(), functor.arity),
                None => (self.fluent(place), 0),
            };
            by_function.entry(name).or_default().push(term);
        }
        let patterns = by_function.into_iter();
        let patterns = patterns.map(|((name, arity), terms)| match arity {
            0 => name,
            _ => format!("{name}({})", self.common(arity as usize, &terms).join(",")),
        });
        patterns.collect()
    }

    /// The arguments that some terms of one function have in common.
    fn common(&self, arity: usize, terms: &[TermId]) -> Vec<String> {
        let arguments = |&term: &TermId| self.store.arguments(term);
        let common = (0..arity).map(|place| {
            let mut values = terms.iter().map(|term| arguments(term)[place]);
            match values.next() {
                Some(first) if values.all(|value| value == first) => {
                    Infix::new(self.store, first).to_string()
                }
                _ => "_".to_owned(),
            }
        });
        common.collect()
    }
}
