//! Games: what the reserved words mean, whether rules are well-formed, and how they are played.

mod keyword;

pub use keyword::{Keyword, KeywordClass, Keywords};
