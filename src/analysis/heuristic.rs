//! How far a state is from what is wanted: how many fluents must change for atoms to hold.
//!
//! Atoms are formulas over fluents. They are laid out in the order of evaluation, each part once, so
//! that one pass over a flat table answers for all of them:
//!
//! ```text
//! completed(bdftower) = on(d,f) ∧ on(b,d)        on(b,d) holds: 1 to be true, 0 to be false
//! ```
//!
//! What several conditions share counts as often as it is asked for, and conditions are thought of
//! as independent: the measure is no bound, it orders states.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::analysis::concept::Upper;
use crate::analysis::formula::Formula;
use crate::term::TermId;

/// How many fluents must change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Distance {
    /// For it to hold; 0 exactly if it does, [`u16::MAX`] if it never does.
    pub to_true: u16,
    /// For it not to hold; 0 exactly if it does not.
    pub to_false: u16,
}

/// A part of a formula; those that it speaks of come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum FormulaNode {
    Constant(bool),
    Leaf(u32),
    Not(u32),
    /// Of the parts that stand so far into [`Heuristic::parts`].
    All(u32, u32),
    Any(u32, u32),
}

/// Formulas over fluents, ready to be measured.
#[derive(Clone, Debug)]
pub struct Heuristic {
    leaves: Vec<TermId>,
    nodes: Vec<FormulaNode>,
    parts: Vec<u32>,
    /// For each atom that was asked for, its node.
    atoms: Vec<u32>,
}

/// Parts of all formulas together.
const MAX_PARTS: usize = 20_000;

/// Room for the distances of all parts.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Vec<Distance>);

impl Heuristic {
    /// The formulas of atoms; the atoms themselves if the formulas are too large to be measured
    /// often.
    pub(super) fn of(upper: &Upper, asked: &[(TermId, Formula)]) -> Self {
        let mut layout = Layout::new(upper.concepts.iter().copied().collect(), upper.atoms.len());
        for atom in upper.callees_first() {
            layout.atoms[atom] = layout.lay(&upper.atoms[atom]);
        }
        let asked_for = asked.iter().map(|(_, formula)| layout.lay(formula));
        let asked_for = asked_for.collect();
        layout.heuristic.atoms = asked_for;
        if layout.heuristic.parts.len() > MAX_PARTS {
            Self::plain(asked)
        } else {
            layout.heuristic
        }
    }

    /// Formulas of which each speaks only of those before it, and those that are asked for; none if they are too
    /// large to be measured often. `leaves` are the atoms that [`Formula::Concept`] stands for.
    pub fn of_formulas(
        leaves: Vec<TermId>,
        formulas: &[Formula],
        asked: &[Formula],
    ) -> Option<Self> {
        let mut layout = Layout::new(leaves, formulas.len());
        for (place, formula) in formulas.iter().enumerate() {
            layout.atoms[place] = layout.lay(formula);
        }
        let asked = asked.iter().map(|formula| layout.lay(formula));
        layout.heuristic.atoms = asked.collect();
        (layout.heuristic.parts.len() <= MAX_PARTS).then_some(layout.heuristic)
    }

    /// Every atom for itself.
    fn plain(asked: &[(TermId, Formula)]) -> Self {
        let places = 0..asked.len() as u32;
        Heuristic {
            leaves: asked.iter().map(|&(atom, _)| atom).collect(),
            nodes: places.clone().map(FormulaNode::Leaf).collect(),
            parts: Vec::new(),
            atoms: places.collect(),
        }
    }

    /// The atoms that must be known of a state.
    pub fn leaves(&self) -> &[TermId] {
        &self.leaves
    }

    /// Whether everything that was asked for is a leaf.
    pub fn is_plain(&self) -> bool {
        let mut nodes = self.atoms.iter().map(|&atom| self.nodes[atom as usize]);
        nodes.all(|node| matches!(node, FormulaNode::Leaf(_)))
    }

    /// How far a state is from each atom that was asked for and from its opposite.
    pub fn measure<'s>(
        &'s self,
        leaf: &dyn Fn(usize) -> bool,
        scratch: &'s mut Scratch,
    ) -> impl Iterator<Item = Distance> + 's {
        let found = &mut scratch.0;
        found.clear();
        for &node in &self.nodes {
            let distance = match node {
                FormulaNode::Constant(value) => flag(value, u16::MAX),
                FormulaNode::Leaf(place) => flag(leaf(place as usize), 1),
                FormulaNode::Not(inner) => opposite(found[inner as usize]),
                FormulaNode::All(from, to) => self.all(found, from..to, false),
                // De Morgan: a ∨ b is ¬(¬a ∧ ¬b).
                FormulaNode::Any(from, to) => opposite(self.all(found, from..to, true)),
            };
            found.push(distance);
        }
        self.atoms.iter().map(|&atom| scratch.0[atom as usize])
    }

    /// The distance of a conjunction of parts, or of their opposites.
    fn all(&self, found: &[Distance], parts: Range<u32>, is_opposite: bool) -> Distance {
        let mut all = Distance {
            // A conjunction of nothing holds, and cannot be made not to.
            to_true: 0,
            to_false: u16::MAX,
        };
        // All parts must hold, so that distances add up; one that does not is enough for the opposite.
        for &part in &self.parts[parts.start as usize..parts.end as usize] {
            let mut part = found[part as usize];
            if is_opposite {
                part = opposite(part);
            }
            all.to_true = all.to_true.saturating_add(part.to_true);
            all.to_false = all.to_false.min(part.to_false);
        }
        all
    }
}

fn flag(holds: bool, far: u16) -> Distance {
    Distance {
        to_true: if holds { 0 } else { far },
        to_false: if holds { far } else { 0 },
    }
}

fn opposite(distance: Distance) -> Distance {
    Distance {
        to_true: distance.to_false,
        to_false: distance.to_true,
    }
}

/// A heuristic that is being laid out.
struct Layout {
    heuristic: Heuristic,
    /// The nodes without parts, each once.
    known: FxHashMap<FormulaNode, u32>,
    /// By atom of the upper part, its node.
    atoms: Vec<u32>,
}

impl Layout {
    /// Nothing yet, for so many atoms above the leaves.
    fn new(leaves: Vec<TermId>, atoms: usize) -> Self {
        Self {
            heuristic: Heuristic {
                leaves,
                nodes: Vec::new(),
                parts: Vec::new(),
                atoms: Vec::new(),
            },
            known: FxHashMap::default(),
            atoms: vec![0; atoms],
        }
    }

    /// Lays a formula out. Its depth is that of the connectives of one rule.
    fn lay(&mut self, formula: &Formula) -> u32 {
        let node = match formula {
            Formula::Constant(value) => FormulaNode::Constant(*value),
            Formula::Concept(place) => FormulaNode::Leaf(*place as u32),
            Formula::Atom(atom) => return self.atoms[*atom],
            Formula::Not(inner) => FormulaNode::Not(self.lay(inner)),
            Formula::All(parts) => match self.lay_parts(parts) {
                (from, to) if from + 1 == to => return self.heuristic.parts[from as usize],
                (from, to) => FormulaNode::All(from, to),
            },
            Formula::Any(parts) => match self.lay_parts(parts) {
                (from, to) if from + 1 == to => return self.heuristic.parts[from as usize],
                (from, to) => FormulaNode::Any(from, to),
            },
        };
        // Equal nodes are one; lists of parts are not compared, so that only nodes without parts can be equal.
        let nodes = &mut self.heuristic.nodes;
        *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        })
    }

    fn lay_parts(&mut self, parts: &[Formula]) -> (u32, u32) {
        let laid: Vec<u32> = parts.iter().map(|part| self.lay(part)).collect();
        // The parts are laid out first: their own lists come before this one, which has to be in one piece.
        let from = self.heuristic.parts.len() as u32;
        self.heuristic.parts.extend(laid);
        (from, self.heuristic.parts.len() as u32)
    }
}
