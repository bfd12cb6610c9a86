//! What a machine knows of the texts that were loaded into it.

use crate::syntax::{OperatorTable, Source};

/// What a machine knows about loaded texts.
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
            halt: None,
            has_initialization: false,
        }
    }
}
