//! A new machine: the built-in predicates are entered and the predicates that are written in Prolog are loaded.
//!
//! What has several solutions, or is easier said in Prolog than in Rust, is in `kb/system`. Names that begin with `$`
//! are the machine's own. What fewer programs need is loaded when it is called
//! (`consult/autoload.rs`).

use crate::prolog::builtin;
use crate::prolog::state::machine::Machine;
use crate::syntax::Source;

/// Name and text of each part.
const SYSTEM: &[(&str, &str)] = &[
    ("control", include_str!("../../kb/system/control.pl")),
    ("solutions", include_str!("../../kb/system/solutions.pl")),
    ("database", include_str!("../../kb/system/database.pl")),
    ("streams", include_str!("../../kb/system/streams.pl")),
    ("terms", include_str!("../../kb/system/terms.pl")),
    ("atoms", include_str!("../../kb/system/atoms.pl")),
    ("lists", include_str!("../../kb/system/lists.pl")),
    ("grammars", include_str!("../../kb/system/grammars.pl")),
    ("proofs", include_str!("../../kb/system/proofs.pl")),
];

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine {
    /// A machine with the built-in predicates and the library, and nothing else.
    pub fn new() -> Self {
        let mut machine = Self::bare();
        machine.load_system();
        machine
    }

    /// A machine with the built-in predicates only.
    pub(crate) fn bare() -> Self {
        let mut machine = Self::without_predicates(builtin::functions(), builtin::tests());
        builtin::define(&mut machine);
        machine
    }

    fn load_system(&mut self) {
        self.consulted.is_library = true;
        for (name, text) in SYSTEM {
            let faults = self.consult(&Source::new(format!("system({name})"), *text));
            debug_assert!(faults.is_empty(), "system({name}) has faults: {faults:?}");
        }
        self.consulted.is_library = false;
        for predicate in &mut self.database.predicates {
            predicate.is_system |= predicate.live > 0;
        }
    }
}
