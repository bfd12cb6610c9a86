//! A new machine: the built-in predicates are entered and the library is loaded.

use crate::prolog::builtin;
use crate::prolog::state::machine::Machine;
use crate::syntax::Source;

const LIBRARY: &str = include_str!("../../kb/library.pl");

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine {
    /// A machine that knows the built-in predicates and the library, and nothing else.
    pub fn new() -> Self {
        let mut machine = Self::bare();
        machine.load_library();
        machine
    }

    /// A machine with the built-in predicates only.
    pub(crate) fn bare() -> Self {
        let mut machine = Self::without_predicates(builtin::functions(), builtin::tests());
        builtin::define(&mut machine);
        machine
    }

    fn load_library(&mut self) {
        self.consulted.is_library = true;
        let faults = self.consult(&Source::new("library", LIBRARY));
        debug_assert!(faults.is_empty(), "the library has faults: {faults:?}");
        self.consulted.is_library = false;
        for predicate in &mut self.database.predicates {
            predicate.is_system |= predicate.live > 0;
        }
    }
}
