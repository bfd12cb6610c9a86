//! What is left of conjectured variables when some move breaks them.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::invariants::variables::Conjecture;

/// A fluent that was thought never to hold and does, as the last steps of a counter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gained {
    /// By place.
    pub(crate) place: usize,
    /// The variable, by number, in which it takes the place of a value that is lost.
    pub(crate) group: Option<usize>,
}

/// What becomes of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Nothing is known against it.
    Kept,
    /// Two of its fluents hold.
    Broken,
    /// None of its fluents holds.
    Inexact,
}

/// What counterexamples show.
pub(crate) struct Weakening {
    pub(crate) gained: Vec<Gained>,
    /// By variable.
    pub(crate) fates: Vec<Fate>,
}

impl Weakening {
    /// Weakens a conjecture; whether there is anything to weaken.
    ///
    /// A variable that gains a value is left as it is otherwise: the counterexamples excluded that value.
    pub(crate) fn apply(self, conjecture: &mut Conjecture) -> bool {
        let mut changes = !self.gained.is_empty();
        let is_extended = are_extended(conjecture.variables.len(), &self.gained);
        let mut added = Vec::new();
        for &Gained { place, group } in &self.gained {
            conjecture.never.retain(|&never| never != place);
            conjecture.gained.insert(place);
            match group {
                Some(group) => {
                    conjecture.variables[group].fluents.push(place);
                    conjecture.extensions.insert(place);
                }
                None => added.push(Variable::boolean(place)),
            }
        }
        let variables = std::mem::take(&mut conjecture.variables).into_iter();
        for ((variable, fate), is_extended) in variables.zip(self.fates).zip(is_extended) {
            changes |= !is_extended && fate != Fate::Kept;
            match fate {
                Fate::Broken if !is_extended => {
                    added.extend(broken(variable, &conjecture.extensions));
                }
                Fate::Inexact if !is_extended => added.push(Variable {
                    is_exact: false,
                    ..variable
                }),
                Fate::Kept | Fate::Broken | Fate::Inexact => added.push(variable),
            }
        }
        for variable in &mut added {
            variable.fluents.sort_unstable();
        }
        added.sort_by(|one, other| one.fluents.cmp(&other.fluents));
        conjecture.variables = added;
        changes
    }
}

/// By variable, whether it gains a value.
pub(crate) fn are_extended(variables: usize, gained: &[Gained]) -> Vec<bool> {
    let mut is_extended = vec![false; variables];
    for group in gained.iter().filter_map(|gained| gained.group) {
        is_extended[group] = true;
    }
    is_extended
}

/// The groups, by number, that lose a member and gain none; with whether fluents hold now and next, by place.
pub(crate) fn lost_groups(
    variables: &[Variable],
    now: impl Fn(usize) -> bool,
    next: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let is_lost = |&number: &usize| {
        let fluents = &variables[number].fluents;
        fluents.iter().any(|&place| now(place)) && !fluents.iter().any(|&place| next(place))
    };
    (0..variables.len()).filter(is_lost).collect()
}

/// Of some groups, by number, the one with most members among the sources of a fluent.
fn nearest(sources: &FixedBitSet, variables: &[Variable], groups: &[usize]) -> Option<usize> {
    let shared = |&group: &usize| {
        let members = variables[group].fluents.iter();
        members.filter(|&&member| sources.contains(member)).count()
    };
    let related = groups.iter().filter(|group| shared(group) > 0);
    related
        .max_by_key(|group| (shared(group), Reverse(**group)))
        .copied()
}

/// Which variables gain fluents, by place, that hold together after a move by which some variables lose a value: the
/// nearest of these, and of several fluents that are nearest to the same the one that is computed from least. A step
/// counter gains its next step, and not the mark that is made at the same time.
pub(crate) fn gained_together(
    sources: &Sources,
    variables: &[Variable],
    lost: &[usize],
    places: &[usize],
) -> Vec<Gained> {
    let nearest = |place: usize| nearest(sources.of(place), variables, lost);
    let gained = places.iter().map(|&place| Gained {
        place,
        group: nearest(place),
    });
    let mut gained: Vec<Gained> = gained.collect();
    gained.sort_by_key(|&Gained { place, .. }| (sources.number(place), place));
    let mut taken = FxHashSet::default();
    for one in &mut gained {
        one.group = one.group.filter(|&group| taken.insert(group));
    }
    gained
}

/// What is left of a group of which two hold: the values that plays had, then single fluents.
fn broken(variable: Variable, extensions: &FxHashSet<usize>) -> Vec<Variable> {
    let (unseen, seen): (Vec<usize>, Vec<usize>) = variable
        .fluents
        .into_iter()
        .partition(|place| extensions.contains(place));
    let single = |fluents: Vec<usize>| fluents.into_iter().map(Variable::boolean);
    if unseen.is_empty() || seen.is_empty() {
        single(unseen).chain(single(seen)).collect()
    } else {
        let rest = Variable {
            fluents: seen,
            is_exact: false,
        };
        single(unseen).chain([rest]).collect()
    }
}
