//! Why there is no text to find faults in. A fault at a place of a text is a
//! [`Diagnostic`](crate::syntax::Diagnostic) instead.

/// Why a text cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// Places are 32 bits wide.
    #[error("text of {bytes} bytes is larger than 4 GiB")]
    TooLarge {
        /// Size of the text.
        bytes: u64,
    },
    /// The text is not UTF-8.
    #[error("invalid UTF-8 at byte {offset} (line {line})")]
    InvalidUtf8 {
        /// Offset of the first byte that is not part of a character.
        offset: u64,
        /// Its line, from 1.
        line: u64,
    },
}
