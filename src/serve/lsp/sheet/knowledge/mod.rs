//! What takes longer than a keystroke: what is wrong with the meaning of a text, and what follows from it.
//!
//! A [`Study`] goes through one version of a text step by step; each result is a value that names things by their texts,
//! so that it can be sent to another thread and kept while the next version is studied.

mod effects;
mod start;
mod study;
mod text;
mod values;

use std::sync::Arc;

pub use effects::Effects;
pub use start::{Start, Truth};
pub use study::{Study, diagnose};
pub(in crate::serve::lsp::sheet) use text::text as term_text;
pub use values::{Domains, Values};

/// What is known of a text, or of one of its earlier versions.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// Which terms can stand where.
    pub domains: Option<Arc<Domains>>,
    /// What holds in the initial state.
    pub start: Option<Arc<Start>>,
    /// What the moves change.
    pub effects: Option<Arc<Effects>>,
}

/// A relation or function by its name, in lower case, and the number of its arguments.
pub type Signature = (String, u32);
