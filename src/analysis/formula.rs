//! Formulas over concepts, and an order in which they can be evaluated.

/// A formula over concepts and atoms above them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// Always or never.
    Constant(bool),
    /// A concept, by place.
    Concept(usize),
    /// An atom above the concepts, by place.
    Atom(usize),
    /// The opposite.
    Not(Box<Formula>),
    /// All of these.
    All(Vec<Formula>),
    /// One of these.
    Any(Vec<Formula>),
}

/// The atoms, each after those that its formula speaks of. None calls itself.
pub(super) fn callees_first<'f>(
    count: usize,
    formula: impl Fn(usize) -> &'f Formula,
) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_placed = vec![false; count];
    for root in 0..count {
        // Depth first with a stack: an atom is placed when it is met a second time, its callees having been placed
        // since.
        let mut pending = vec![(root, false)];
        while let Some((atom, is_done)) = pending.pop() {
            if is_placed[atom] {
                continue;
            }
            if is_done {
                is_placed[atom] = true;
                order.push(atom);
                continue;
            }
            pending.push((atom, true));
            let mut formulas = vec![formula(atom)];
            while let Some(formula) = formulas.pop() {
                match formula {
                    Formula::Atom(called) => pending.push((*called, false)),
                    Formula::Not(inner) => formulas.push(inner),
                    Formula::All(parts) | Formula::Any(parts) => formulas.extend(parts),
                    Formula::Constant(_) | Formula::Concept(_) => {}
                }
            }
        }
    }
    order
}
