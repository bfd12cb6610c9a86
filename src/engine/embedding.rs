//! What programs that embed a machine ask it: whose a predicate is, what can be called, how a load
//! ended.

use crate::engine::machine::Machine;
use crate::term::{Functor, Store};

impl Machine {
    /// Whether a predicate belongs to the machine or its library.
    pub fn is_system(&self, predicate: Functor) -> bool {
        let found = self
            .database
            .find(predicate.symbol, predicate.arity as usize);
        found.is_some_and(|id| self.database.get(id).is_system)
    }

    /// The predicates that a query can call, in order of definition; names that begin with `$` are
    /// the machine's own affair.
    pub fn known_predicates(&self) -> impl Iterator<Item = Functor> {
        let store: &Store = &self.heap.store;
        let known = self.database.predicates.iter().filter(|p| p.is_known());
        known
            .map(|predicate| Functor {
                symbol: predicate.name,
                arity: predicate.arity as u32,
            })
            .filter(|functor| !store.name(functor.symbol).starts_with('$'))
    }

    /// The code with which a directive called `halt/1`, which also ended the loading; only once.
    pub fn take_halt(&mut self) -> Option<i64> {
        self.consulted.halt.take()
    }

    /// Whether some loaded program said what to run, with `initialization/1`.
    pub fn has_initialization(&self) -> bool {
        self.consulted.has_initialization
    }
}
