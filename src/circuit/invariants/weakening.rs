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
    pub(crate) fn apply(self, sources: &Sources, conjecture: &mut Conjecture) -> bool {
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
                    added.extend(broken(sources, variable, &conjecture.extensions));
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

/// Of some groups, by number, the one with most members among the sources of a fluent, and how many it has.
fn nearest(
    sources: &FixedBitSet,
    variables: &[Variable],
    groups: &[usize],
) -> Option<(usize, usize)> {
    let shared = |&group: &usize| {
        let members = variables[group].fluents.iter();
        let shared = members.filter(|&&member| sources.contains(member)).count();
        (group, shared)
    };
    let related = groups.iter().map(shared).filter(|&(_, shared)| shared > 0);
    related.max_by_key(|&(group, shared)| (shared, Reverse(group)))
}

/// Which variables gain fluents, by place, that hold together after a move by which some variables lose a value: the
/// nearest of these. Of several fluents that are nearest to the same, that which is computed from most of its values: the
/// position that is entered, and not the mark that is made where another was left; then the one that is computed from least: a
/// step counter gains its next step, and not the mark that is made at the same time.
pub(crate) fn gained_together(
    sources: &Sources,
    variables: &[Variable],
    lost: &[usize],
    places: &[usize],
) -> Vec<Gained> {
    let gained = places.iter().map(|&place| {
        let nearest = nearest(sources.of(place), variables, lost);
        let shared = nearest.map_or(0, |(_, shared)| shared);
        let group = nearest.map(|(group, _)| group);
        (Gained { place, group }, shared)
    });
    let mut gained: Vec<(Gained, usize)> = gained.collect();
    gained.sort_by_key(|&(Gained { place, .. }, shared)| {
        (Reverse(shared), sources.number(place), place)
    });
    let mut taken = FxHashSet::default();
    let gained = gained.into_iter().map(|(one, _)| Gained {
        group: one.group.filter(|&group| taken.insert(group)),
        ..one
    });
    gained.collect()
}

/// What is left of a group of which two hold: first without those that stay once they hold, if most others do not, as the marks
/// that a piece leaves where it was; then the values that plays had; then single fluents.
fn broken(sources: &Sources, variable: Variable, extensions: &FxHashSet<usize>) -> Vec<Variable> {
    let single = |fluents: Vec<usize>| fluents.into_iter().map(Variable::boolean);
    let fluents = variable.fluents.into_iter();
    let (marks, values): (Vec<usize>, Vec<usize>) =
        fluents.partition(|&place| sources.of(place).contains(place));
    if !marks.is_empty() && marks.len() < values.len() {
        let rest = Variable {
            fluents: values,
            is_exact: variable.is_exact,
        };
        return single(marks).chain([rest]).collect();
    }
    let fluents = marks.into_iter().chain(values);
    let (unseen, seen): (Vec<usize>, Vec<usize>) =
        fluents.partition(|place| extensions.contains(place));
    if unseen.is_empty() || seen.is_empty() {
        return single(unseen).chain(single(seen)).collect();
    }
    let rest = Variable {
        fluents: seen,
        is_exact: false,
    };
    single(unseen).chain([rest]).collect()
}
