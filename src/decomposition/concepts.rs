//! What end, payoffs and phases ask of the parts: which parts they need together, and which not at all.
//!
//! The states of a set of parts fall into *classes* that nothing else tells apart: its local concept. Candidates
//! for such sets are the supports of gates. Supports that overlap, as the lines of a board do, belong together;
//! what is left is a tree, as that of modular decomposition (Möhring, Radermacher, Substitution decomposition for
//! discrete structures, 1984).
//!
//! ```text
//! win₁ ∧ win₂                    {a₁ … i₁, a₂ … i₂}
//! ├ line ∨ line ∨ …              ├ {a₁ … i₁}   its lines overlap
//! └ line ∨ line ∨ …              └ {a₂ … i₂}
//! ```
//!
//! A set is split into those below only if each of them is like a game (otherwise a board falls into cells: what
//! Hufschmitt, Vittaut, Méhat 2016 call over-decomposition):
//!
//! - it tells few things: there are few classes;
//! - where sets overlap, it keeps to itself at least as much information as it tells: the square of the number of
//!   classes is at most that of the states.
//!
//! The whole is split if it may be. Sets that are needed together for a part of it are split further only if there
//! is less to look at: the states of each set by itself, and the combinations of classes. Of the levels of the tree
//! the one is taken where these are fewest.

use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashSet;

use crate::circuit::invariants::{LANES, Plays, Row, crossed, ended, options, reached};
use crate::circuit::lanes::{Lanes, and};
use crate::decomposition::model::Model;
use crate::decomposition::phases::Phases;
use crate::decomposition::supports::Supports;

/// Different supports that are compared with each other.
const MAX_SUPPORTS: usize = 20_000;

/// Classes of states of a part that is a game of its own. Boards that are won by a line have 3 to 5; what is left of
/// one without its centre has 11, one without a column 20 and more.
const MAX_CLASSES: f64 = 8.0;

/// Contexts in which states of a part are compared.
const CONTEXTS: usize = 64;

/// Parts that end, payoffs and phases need together, by number; parts that nothing depends on are in none.
pub(super) fn groups(
    model: &mut Model,
    plays: &Plays,
    parts: &[Vec<usize>],
    phases: Option<&Phases>,
) -> Vec<Vec<usize>> {
    let supports = Supports::of(model, parts, phases);
    let whole = Set {
        parts: supports.needed,
        overlaps: false,
    };
    if supports.sets.len() > MAX_SUPPORTS {
        return vec![whole.parts.ones().collect()];
    }
    let mut sizes = Sizes {
        model,
        plays,
        parts,
        phases,
    };
    let level = best_level(&tree(&supports.sets, whole), &mut sizes);
    level.iter().map(|set| set.parts.ones().collect()).collect()
}

/// Parts that are needed together.
#[derive(Clone)]
struct Set {
    parts: FixedBitSet,
    /// Whether it is made of supports that overlap.
    overlaps: bool,
}

/// The supports, those that overlap put together, and the whole: each two are disjoint, or one is in the other.
///
/// A support overlaps with several others put together if and only if it overlaps with one of them, so that
/// the order does not matter.
fn tree(supports: &[FixedBitSet], whole: Set) -> Vec<Set> {
    let mut joined = UnionFind::new(supports.len());
    for (number, one) in supports.iter().enumerate() {
        for (earlier, other) in supports[..number].iter().enumerate() {
            if !joined.equiv(number, earlier) && overlap(one, other) {
                joined.union(number, earlier);
            }
        }
    }
    let mut sets: Vec<Option<Set>> = vec![None; supports.len()];
    for (number, support) in supports.iter().enumerate() {
        match &mut sets[joined.find_mut(number)] {
            Some(set) => {
                set.parts.union_with(support);
                set.overlaps = true;
            }
            set @ None => {
                *set = Some(Set {
                    parts: support.clone(),
                    overlaps: false,
                });
            }
        }
    }
    let mut tree: Vec<Set> = vec![whole];
    for set in sets.into_iter().flatten() {
        match tree.iter_mut().find(|other| other.parts == set.parts) {
            Some(other) => other.overlaps |= set.overlaps,
            None => tree.push(set),
        }
    }
    tree
}

fn overlap(one: &FixedBitSet, other: &FixedBitSet) -> bool {
    !one.is_disjoint(other) && !one.is_subset(other) && !other.is_subset(one)
}

/// The largest sets inside of one, and each of what is in none of them by itself.
fn children(tree: &[Set], of: &Set) -> Vec<Set> {
    let is_inside = |set: &&Set| set.parts != of.parts && set.parts.is_subset(&of.parts);
    let mut inside: Vec<&Set> = tree.iter().filter(is_inside).collect();
    inside.sort_by_key(|set| std::cmp::Reverse(set.parts.count_ones(..)));
    let mut children: Vec<Set> = Vec::new();
    for set in inside {
        if children
            .iter()
            .all(|child| child.parts.is_disjoint(&set.parts))
        {
            children.push(set.clone());
        }
    }
    for part in of.parts.ones() {
        if !children.iter().any(|child| child.parts.contains(part)) {
            let mut parts = FixedBitSet::with_capacity(of.parts.len());
            parts.insert(part);
            children.push(Set {
                parts,
                overlaps: false,
            });
        }
    }
    children.sort_by_key(|child| child.parts.minimum());
    children
}

/// The level of the tree below the whole at which there is least to look at; of those, the first.
fn best_level(tree: &[Set], sizes: &mut Sizes<'_, '_>) -> Vec<Set> {
    let mut level: Vec<Set> = tree[..1].to_vec();
    let mut best = level.clone();
    let mut least = f64::INFINITY;
    loop {
        let mut below = Vec::new();
        for set in &level {
            let children = children(tree, set);
            match children.len() > 1 && sizes.are_games(&children, set.overlaps) {
                true => below.extend(children),
                false => below.push(set.clone()),
            }
        }
        if below.len() == level.len() {
            return best;
        }
        let cost = sizes.looked_at(&below);
        if cost < least {
            least = cost;
            best.clone_from(&below);
        }
        level = below;
    }
}

/// What sets of parts amount to.
struct Sizes<'s, 'c> {
    model: &'s mut Model<'c>,
    plays: &'s Plays,
    parts: &'s [Vec<usize>],
    phases: Option<&'s Phases>,
}

impl Sizes<'_, '_> {
    /// Whether each of some sets is like a game of its own.
    fn are_games(&mut self, sets: &[Set], overlap: bool) -> bool {
        sets.iter().all(|set| {
            let classes = self.classes(set);
            classes <= MAX_CLASSES.log2() && (!overlap || 2.0 * classes <= self.states(set))
        })
    }

    /// The states of each set by itself, and the combinations of classes; the logarithm of their number.
    fn looked_at(&mut self, sets: &[Set]) -> f64 {
        let mut terms: Vec<f64> = sets.iter().map(|set| self.states(set)).collect();
        terms.push(sets.iter().map(|set| self.classes(set)).sum());
        let largest = terms.iter().copied().fold(0.0, f64::max);
        let sum: f64 = terms.iter().map(|term| (term - largest).exp2()).sum();
        largest + sum.log2()
    }

    fn variables(&self, set: &Set) -> Vec<usize> {
        let parts = set.parts.ones();
        parts.flat_map(|part| self.parts[part].clone()).collect()
    }

    /// The logarithm of the number of states.
    fn states(&self, set: &Set) -> f64 {
        let variables = self.variables(set).into_iter();
        let values = variables.map(|variable| self.model.variables[variable].values() as f64);
        values.map(f64::log2).sum()
    }

    /// The logarithm of the number of classes of states in a sample.
    fn classes(&mut self, set: &Set) -> f64 {
        let variables = self.variables(set);
        let classes = classes(self.model, self.plays, self.phases, &variables);
        (classes as f64).log2()
    }
}

/// The classes of states of some variables in a sample that end, payoffs and phase tell apart.
fn classes(
    model: &mut Model,
    plays: &Plays,
    phases: Option<&Phases>,
    variables: &[usize],
) -> usize {
    let fluents = variables.iter();
    let fluents = fluents.flat_map(|&variable| model.variables[variable].fluents.clone());
    let fluents: Vec<usize> = fluents.collect();
    let one = reached(plays, &mut model.random);
    let other = reached(plays, &mut model.random);
    let own = crossed(&model.variables, &one, &other, &mut model.random);
    let mut seen: Vec<Row> = Vec::new();
    for number in 0..CONTEXTS {
        // The same context in all lanes, that of one lane.
        let around = around(model, plays, number);
        let mut state: Vec<Row> = around.iter().map(|row| spread(*row)).collect();
        for &fluent in &fluents {
            state[fluent] = own[fluent];
        }
        seen.extend(verdicts(model, phases, &state));
    }
    let lanes = (0..LANES).map(|lane| column(&seen, lane));
    lanes.collect::<FxHashSet<Vec<bool>>>().len()
}

/// A lane of some rows.
fn column(rows: &[Row], lane: usize) -> Vec<bool> {
    let bit = |row: &Row| row[lane / 64] >> (lane % 64) & 1 == 1;
    rows.iter().map(bit).collect()
}

/// States around a part: half of them from ends of plays, where a part is most likely to matter.
fn around(model: &mut Model, plays: &Plays, number: usize) -> Vec<Row> {
    match number % 2 {
        0 => ended(plays, &mut model.random),
        _ => {
            let one = reached(plays, &mut model.random);
            let other = reached(plays, &mut model.random);
            crossed(&model.variables, &one, &other, &mut model.random)
        }
    }
}

/// The first lane of a row in all lanes.
fn spread<const W: usize>(row: Lanes<W>) -> Lanes<W> {
    [0u64.wrapping_sub(row[0] & 1); W]
}

/// End, payoffs and phase of states; payoffs count where the game is over.
fn verdicts(model: &mut Model, phases: Option<&Phases>, state: &[Row]) -> Vec<Row> {
    let mut rows = match phases {
        Some(phases) => {
            let (_, legal) = options(model.circuit, &mut model.probe, state);
            phases.conditions(&legal)
        }
        None => {
            model.probe.enter(state);
            Vec::new()
        }
    };
    model.probe.score();
    let terminal = model.probe.terminal();
    rows.push(terminal);
    for (role, payoffs) in model.circuit.goals.iter().enumerate() {
        let each = 0..payoffs.len();
        rows.extend(each.map(|place| and(model.probe.payoff(role, place), terminal)));
    }
    rows
}
