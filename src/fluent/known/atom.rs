//! The atoms of a conjunction, each with the inferences that were made from it.

use crate::term::TermId;

/// An atom that holds, the steps that led to it, and what was inferred from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownAtom {
    pub(super) term: TermId,
    /// Steps from a stated condition; 0 is stated itself.
    pub(super) depth: u8,
    /// Whether what it implies was added.
    pub(super) explored: bool,
    /// What it was before variables were bound in a case, see [`assume_case`](super::Known::assume_case).
    pub(super) origin: TermId,
    /// Whether it holds in one case only.
    pub(super) is_of_case: bool,
    /// Whether it was compared with all others of which this is said too.
    pub(super) is_compared: bool,
    /// Whether the facts and the domains were asked what they leave it no choice for.
    pub(super) is_chosen: bool,
    /// Whether all that is negated was held against it.
    pub(super) is_admitted: bool,
}

impl KnownAtom {
    /// The atom as it is once more of its variables are bound: nothing has been inferred from it.
    pub(super) fn rewritten(self, term: TermId) -> Self {
        if term == self.term {
            self
        } else {
            Self {
                term,
                explored: false,
                is_compared: false,
                is_chosen: false,
                is_admitted: false,
                ..self
            }
        }
    }
}

/// Whether an atom, under the bindings, is among those that are known.
pub(super) fn holds(atoms: &[KnownAtom], atom: TermId) -> bool {
    atoms.iter().any(|known| known.term == atom)
}
