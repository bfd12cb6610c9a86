//! What end and payoffs ask of the parts: which parts they need together, and which not at all.
//!
//! A set of parts is a *module* if end and payoffs depend on it through few classes of its states only: its
//! local concept. Candidates are the supports of gates. Supports that overlap, as the lines of a board do,
//! belong together; what is left is a tree, as that of modular decomposition (Möhring, Radermacher,
//! Substitution decomposition for discrete structures, 1984).
//!
//! ```text
//! win₁ ∧ win₂                    {a₁ … i₁, a₂ … i₂}
//! ├ line ∨ line ∨ …              ├ {a₁ … i₁}   its lines overlap
//! └ line ∨ line ∨ …              └ {a₂ … i₂}
//! ```
//!
//! A set is split into those below only if these have few classes: otherwise a board falls into cells (what
//! Hufschmitt, Vittaut, Méhat 2016 call over-decomposition).

mod classes;
mod supports;
mod tree;

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::Row;
use crate::decomposition::concepts::classes::StateClasses;
use crate::decomposition::concepts::supports::Supports;
use crate::decomposition::concepts::tree::Tree;
use crate::decomposition::model::Model;
use crate::decomposition::phases::Phases;

/// Classes of states that end and payoffs tell apart, of a part that is a game of its own. Boards that are won by
/// a line have 3 to 9; what is left of one without a column has 20 and more.
const MAX_CLASSES: usize = 12;

/// Classes up to which a set is looked at: states of parts that do not go together in any play have more of them.
const MAX_CLASSES_OF_MODULE: usize = 16;

/// Up to one in so many cells of a board may be taken for something else.
const SHARE_OF_OTHERS: usize = 4;

/// Two states that differ in a part only, of which end, payoffs or phase are different.
pub(super) struct Witness {
    /// The part, by number.
    pub(super) part: usize,
    /// The fluents, by place.
    pub(super) states: [Vec<bool>; 2],
}

/// Which parts end, payoffs and phases need together.
pub(super) struct Grouping {
    /// Each with its parts, by number. Parts that nothing depends on are in none.
    pub(super) groups: Vec<Vec<usize>>,
    /// What was not told apart in the sample of the parts that the gates need.
    pub(super) unseen: Unseen,
}

/// Parts with two states of theirs; with none of all.
pub(super) type Unseen = Vec<(usize, Option<[Vec<bool>; 2]>)>;

/// Puts parts together that end, payoffs and phases need together; witnesses show where parts matter that rarely do.
pub(super) fn group(
    model: &mut Model,
    parts: &[Vec<usize>],
    phases: Option<&Phases>,
    witnesses: &[Witness],
) -> Grouping {
    let supports = Supports::of(model, parts, phases);
    let classes = StateClasses::new(model, parts, &supports, phases, witnesses);
    let mut concepts = Concepts::new(classes, parts.len());
    let groups = concepts.groups(&supports, phases.is_some());
    let groups = groups.unwrap_or_else(|| vec![supports.needed.clone()]);
    let mut unseen = Vec::new();
    for part in supports.needed.ones() {
        if concepts.of_part[part] < 2 {
            unseen.push((part, None));
        } else {
            let pairs = concepts.classes.alike(part).into_iter();
            unseen.extend(pairs.map(|pair| (part, Some(pair))));
        }
    }
    Grouping {
        groups: groups.iter().map(|group| group.ones().collect()).collect(),
        unseen,
    }
}

/// What end and payoffs know of sets of parts.
struct Concepts<'m, 'c> {
    classes: StateClasses<'m, 'c>,
    /// By part, the classes of its states.
    of_part: Vec<usize>,
    /// States in which parts are in all that end and payoffs know of them.
    mixed: Vec<Row>,
    /// Sets of which end and payoffs know less than of the parts and modules in it one by one, with the number of their
    /// classes; small ones come first.
    modules: Vec<(FixedBitSet, usize)>,
}

impl<'m, 'c> Concepts<'m, 'c> {
    fn new(mut classes: StateClasses<'m, 'c>, parts: usize) -> Self {
        let mixed = classes.mixed();
        let of_part = (0..parts).map(|part| classes.count([part], &mixed, usize::MAX));
        let of_part = of_part.collect();
        Self {
            classes,
            of_part,
            mixed,
            modules: Vec::new(),
        }
    }

    /// The groups of parts that are games of their own; none if all that is needed is one.
    fn groups(&mut self, supports: &Supports, is_series: bool) -> Option<Vec<FixedBitSet>> {
        let whole = &supports.needed;
        let mut sets = supports.sets.clone();
        sets.sort_by_key(|set| set.count_ones(..));
        for set in sets {
            self.learn(set);
        }
        let modules = self.modules.iter().map(|(set, _)| set.clone());
        let tree = Tree::of(modules.collect(), whole)?;
        let children = self.strong(&tree, tree.children(whole));
        let is_worth = children.len() > 1 && self.is_worth_splitting(&supports.sets, &children)?;
        if !is_series {
            return is_worth.then_some(children);
        }
        // The phases of a series are one level of the tree; below them are the games of a phase.
        let children = if is_worth {
            children
        } else {
            vec![whole.clone()]
        };
        let mut groups = Vec::new();
        for child in children {
            let below = self.strong(&tree, tree.children(&child));
            if below.len() > 1 && self.is_worth_splitting(&supports.sets, &below)? {
                groups.extend(below);
            } else {
                groups.push(child);
            }
        }
        Some(groups)
    }

    /// Notes a set if it is a module: if it has fewer classes than one of the modules and parts in it, or if their square
    /// is no more than what these would make. One of two lights has two classes, that both are lit has two; how many of
    /// two are lit has three, and is no reason to put them together.
    fn learn(&mut self, set: FixedBitSet) {
        if set.count_ones(..) < 2 || self.classes.is_exhausted() {
            return;
        }
        let mut rest = set.clone();
        let mut members = Vec::new();
        for (module, classes) in self.modules.iter().rev() {
            if module.is_subset(&rest) {
                rest.difference_with(module);
                members.push(*classes);
            }
        }
        members.extend(rest.ones().map(|part| self.of_part[part]));
        // Of a part that never mattered in the sample nothing is known.
        members.retain(|&classes| classes > 1);
        if members.len() < 2 {
            return;
        }
        let largest = members.iter().max().copied().unwrap_or(1);
        let most = few_of(&members).max(largest - 1);
        if let Some(classes) = self.at_most(&set, most) {
            self.modules.push((set, classes));
        }
    }

    /// The number of classes of a set, if there are no more than some number.
    fn at_most(&mut self, set: &FixedBitSet, most: usize) -> Option<usize> {
        let most = most.min(MAX_CLASSES_OF_MODULE);
        let found = self.classes.count(set.ones(), &self.mixed, most);
        (found <= most).then_some(found)
    }

    /// Takes sets apart of which a part goes together as well with what is outside: in a ∧ b ∧ c, written as (a ∧ b) ∧ c.
    fn strong(&mut self, tree: &Tree, mut children: Vec<FixedBitSet>) -> Vec<FixedBitSet> {
        let mut at = 0;
        while at < children.len() {
            if children[at].count_ones(..) > 1 && self.goes_together_outside(at, &children) {
                children.splice(at..=at, tree.children(&children[at]));
            } else {
                at += 1;
            }
        }
        children.sort_by_key(|child| child.minimum());
        children
    }

    fn goes_together_outside(&mut self, at: usize, children: &[FixedBitSet]) -> bool {
        // What never mattered in the sample, or in too many ways, says nothing.
        let range = 2..=MAX_CLASSES_OF_MODULE;
        for other in (0..children.len()).filter(|&other| other != at) {
            let known = self
                .classes
                .count(children[other].ones(), &self.mixed, *range.end());
            let parts = children[at]
                .ones()
                .filter(|&part| range.contains(&self.of_part[part]));
            for part in parts.filter(|_| range.contains(&known)).collect::<Vec<_>>() {
                if self.classes.is_exhausted() {
                    return false;
                }
                let mut both = children[other].clone();
                both.insert(part);
                let members = [self.of_part[part], known];
                if self.at_most(&both, few_of(&members)).is_some() {
                    return true;
                }
            }
        }
        false
    }

    /// Whether end and payoffs tell few classes of the states of each set of parts apart; none if there are too many sets.
    fn is_worth_splitting(
        &mut self,
        sets: &[FixedBitSet],
        children: &[FixedBitSet],
    ) -> Option<bool> {
        let overlaps = overlapping(sets, children)?;
        let own = self.classes.crossed();
        let counts = children.iter().map(|child| {
            let states = child.ones().map(|part| self.classes.reached(part));
            let states = states.fold(1usize, usize::saturating_mul);
            let parts: Vec<usize> = child.ones().collect();
            let classes = match parts[..] {
                [part] => self.of_part[part],
                _ => self.classes.count(parts.iter().copied(), &own, usize::MAX),
            };
            StateCount { states, classes }
        });
        let counts: Vec<StateCount> = counts.collect();
        // Cells that are marked once, and of which each state matters, are no games: what a board is made of. One beside
        // games is, such as the last match of a heap, if those are not what is left of a board. That each state of a cell
        // matters may not be seen of some of a large board.
        let is_cell = children.iter().zip(&counts).map(|(child, count)| {
            let mut parts = child.ones();
            count.classes >= count.states && parts.all(|part| self.classes.changes_once(part))
        });
        let cells = is_cell.filter(|is_cell| *is_cell).count();
        let is_of_sets = children.iter().any(|child| child.count_ones(..) > 1);
        let are_most = cells * SHARE_OF_OTHERS > children.len() * (SHARE_OF_OTHERS - 1);
        if are_most || cells > 0 && is_of_sets {
            return Some(false);
        }
        Some(counts.iter().all(|count| {
            // Where parts are needed in overlapping pairs, each must have fewer classes than states, too.
            count.classes <= MAX_CLASSES && (!overlaps || count.states > count.classes)
        }))
    }
}

/// How many states of some parts there are near plays, and how many classes of them end and payoffs tell apart.
#[derive(Clone, Copy, Debug)]
struct StateCount {
    states: usize,
    classes: usize,
}

/// Classes of a set that are few beside those of its members: their square is no more than what these make.
fn few_of(members: &[usize]) -> usize {
    let product = members
        .iter()
        .fold(1usize, |all, &classes| all.saturating_mul(classes));
    product.isqrt()
}

/// Whether sets that overlap make up the whole of some others; none if there are too many.
fn overlapping(sets: &[FixedBitSet], children: &[FixedBitSet]) -> Option<bool> {
    let lifted = sets.iter().map(|set| {
        let touched = children
            .iter()
            .enumerate()
            .filter(|(_, child)| !child.is_disjoint(set));
        let mut lifted = FixedBitSet::with_capacity(children.len());
        lifted.extend(touched.map(|(place, _)| place));
        lifted
    });
    let mut whole = FixedBitSet::with_capacity(children.len());
    whole.insert_range(..);
    Some(Tree::of(lifted.collect(), &whole)?.overlaps)
}
