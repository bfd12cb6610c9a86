//! Texts that were loaded into a machine.

use rustc_hash::FxHashMap;

use crate::syntax::{OperatorTable, Source};
use crate::term::SymbolId;

/// The loaded texts of a machine.
#[derive(Debug)]
pub(crate) struct Consulted {
    pub(crate) operators: OperatorTable,
    /// The library is being loaded.
    pub(crate) is_library: bool,
    /// Some text is being loaded.
    pub(crate) is_loading: bool,
    /// Number of texts that are being loaded, each by a directive of the one before.
    pub(crate) nesting: u32,
    pub(crate) sources: Vec<Source>,
    /// The predicates of libraries that are not loaded, by name and arity, each with the number of its library; none until
    /// one is asked for.
    pub(crate) unloaded: Option<FxHashMap<(SymbolId, usize), usize>>,
    /// The code with which a directive asked to halt.
    pub(crate) halt: Option<i64>,
    /// Some program had an `initialization/1` directive.
    pub(crate) has_initialization: bool,
}

impl Default for Consulted {
    fn default() -> Self {
        Self {
            operators: OperatorTable::prolog(),
            is_library: false,
            is_loading: false,
            nesting: 0,
            sources: Vec::new(),
            unloaded: None,
            halt: None,
            has_initialization: false,
        }
    }
}
