//! Games: what the reserved words mean, whether rules are well-formed, and how they are played.

mod codes;
mod keyword;
mod stratify;
mod validate;

pub use codes::{FAULTS, Fault, fault};
pub use keyword::{Keyword, KeywordClass, Keywords};
pub use stratify::{CycleKind, NegativeCycle, Stratification};
pub use validate::{Extent, Rules, validate};
