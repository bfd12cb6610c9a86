//! Whether terms can be equal: by unification, under unique names, and by binding some variables alone.

use crate::term::{Store, Substitution, TermId};

/// A conjunction that never holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// Whether two terms differ whatever their variables stand for.
pub(super) fn differ(store: &Store, left: TermId, right: TermId) -> bool {
    !Substitution::default().unify(store, left, right)
}

/// Makes two terms equal by binding none but local variables.
pub(super) fn match_local(
    store: &Store,
    found: &mut Substitution,
    local: &[u32],
    (left, right): (TermId, TermId),
) -> bool {
    let mut open = Vec::new();
    found.solve(store, (left, right), local, &mut open) && open.is_empty()
}
