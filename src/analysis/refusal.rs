//! Why atoms of a game cannot be told apart into formulas.

use crate::term::TermId;

/// Why the upper part of a call graph cannot be told apart into concepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The atom speaks of several subgames and calls itself.
    Recursion(TermId),
    /// The atom has a variable whose values cannot be listed.
    Variable(TermId),
    /// The rules for the atom have too many instances.
    Instances(TermId),
    /// There are too many atoms above the concepts.
    Atoms(TermId),
}
