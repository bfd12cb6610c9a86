//! Loading programs given as text.
//!
//! ```text
//! load         the state of one load, codes of its diagnostics
//! trees        trees to terms              standard     what a program may define
//! files        directives that load texts  directive    directives that run goals
//! conditional  if/1 to endif/0             sentences    the load itself
//! autoload     libraries, when called         expansion    sentences that are translated first
//! ```

mod autoload;
mod conditional;
mod directive;
mod expansion;
mod files;
mod load;
mod sentences;
mod standard;
mod trees;

pub use load::{DIRECTIVE_FAILED, DIRECTIVE_RAISED, DIRECTIVE_STOPPED, DISCONTIGUOUS, NOT_LOADED};
pub(super) use trees::VariableNames;
