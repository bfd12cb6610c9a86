//! The analysis as people and programs read it.

mod json;
pub(super) mod names;
mod text;

pub use json::{AnalysisReport, json};
pub use text::text;

use crate::analysis::refusal::Refusal;
use crate::term::Store;

/// Why there are no concepts.
fn refusal(refusal: Refusal, store: &Store) -> String {
    match refusal {
        Refusal::Recursion(atom) => format!(
            "{} speaks of several subgames and calls itself",
            names::atom(store, atom)
        ),
        Refusal::Variable(atom) => format!(
            "the values of a variable of {} cannot be listed",
            names::atom(store, atom)
        ),
        Refusal::Instances(atom) => {
            format!(
                "the rules of {} have too many instances",
                names::atom(store, atom)
            )
        }
        Refusal::Atoms(atom) => format!(
            "there are too many atoms in front of {}",
            names::atom(store, atom)
        ),
    }
}
