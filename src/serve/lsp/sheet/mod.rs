//! A rule sheet in an editor, and what can be asked of it.
//!
//! A [`Sheet`] is one version of a text with all that one reading tells. What has to be evaluated comes from
//! [`Knowledge`], which may be that of an older version: it names things and has no places, so that it stays useful while
//! its text is edited. Answers are in places of the text, [`Span`](crate::syntax::Span)s; the protocol makes lines and columns of them.

mod calls;
mod completion;
mod definition;
mod folding;
mod format;
mod hints;
mod hover;
mod knowledge;
mod lenses;
mod lines;
mod occurrence;
mod outline;
mod references;
mod rename;
mod subject;
mod tokens;
mod version;

pub use calls::{Call, callable, definition_of, incoming, outgoing};
pub use completion::{Completion, CompletionKind, Completions, Piece, completions};
pub use definition::{Definition, definitions};
pub use folding::{Fold, FoldKind, folds};
pub use format::{formatted, formatted_range};
pub use hints::{Hint, hints};
pub use hover::{Hover, hover};
pub use knowledge::{
    Domains, Effects, Knowledge, Signature, Start, Study, Truth, Values, diagnose,
};
pub use lenses::{Action, Lens, lenses};
pub use lines::{LineColumn, Lines};
pub use occurrence::{
    Entity, EntityId, EntityKind, Occurrence, Occurrences, Owner, RulePart, Slot, Usage,
};
pub use outline::{Symbol, outline};
pub use references::{Access, Declarations, highlights, references};
pub use rename::{RenameError, renamable, rename};
pub use subject::{Definable, Subject, SymbolKind, definable, subject};
pub use tokens::{Token, TokenKind, tokens};
pub use version::{MAX_TEXT, Sheet};
