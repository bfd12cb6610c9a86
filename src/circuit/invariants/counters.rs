//! Counters: variables that gain a value in each round of the induction, and would need as many rounds as they have values.
//!
//! ```text
//! round 1    step(1) | … | step(40)    gains step(41)
//! round 5    step(1) | … | step(44)    gains step(45), and what is computed from its values: … | step(200)
//! ```

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variables::Conjecture;
use crate::circuit::invariants::weakening::Gained;

/// Values that a variable has gained before it gains all that it might.
const MIN_GAINED: usize = 4;

/// The values that counters will gain if they gain some now.
pub(super) fn gained_ahead(
    gained: &[Gained],
    sources: &Sources,
    conjecture: &Conjecture,
) -> Vec<Gained> {
    let mut counters = counters(gained, conjecture);
    let known: FixedBitSet = gained.iter().map(|gained| gained.place).collect();
    let never = conjecture.never.iter().copied();
    let mut open: Vec<usize> = never.filter(|&place| !known.contains(place)).collect();
    let mut ahead = Vec::new();
    let mut is_lenient = false;
    loop {
        let before = open.len();
        open.retain(|&place| {
            let of = sources.of(place);
            let mut related = counters
                .iter_mut()
                .filter(|counter| !counter.values.is_disjoint(of));
            // Where several counters are computed from each other, which of them it is a value of is not known.
            let (Some(counter), None) = (related.next(), related.next()) else {
                return true;
            };
            // What is computed from one value and from something else may be a mark: others tell first which values there are.
            let is_value = counter.values.intersection_count(of) > 1
                || of
                    .ones()
                    .all(|source| source == place || counter.values.contains(source));
            if !(counter.gains_ahead && (is_value || is_lenient)) {
                return true;
            }
            counter.values.grow_and_insert(place);
            ahead.push(Gained {
                place,
                group: Some(counter.group),
            });
            false
        });
        match (open.len() == before, is_lenient) {
            (true, true) => return ahead,
            (true, false) => is_lenient = true,
            (false, _) => {}
        }
    }
}

/// A variable that gains values that plays did not show.
struct Counter {
    /// The variable, by number.
    group: usize,
    /// Its fluents, those that it gains among them.
    values: FixedBitSet,
    /// Whether it has gained enough for more to be expected.
    gains_ahead: bool,
}

/// The variables that gain a value, or have gained one.
fn counters(gained: &[Gained], conjecture: &Conjecture) -> Vec<Counter> {
    let groups: BTreeSet<usize> = gained.iter().filter_map(|gained| gained.group).collect();
    let extensions = |group: usize| {
        let fluents = conjecture.variables[group].fluents.iter();
        let extensions = fluents.filter(|place| conjecture.extensions.contains(place));
        extensions.count()
    };
    let all = 0..conjecture.variables.len();
    let gaining = all.filter(|group| groups.contains(group) || extensions(*group) > 0);
    let counters = gaining.map(|group| {
        let mut values: FixedBitSet = conjecture.variables[group]
            .fluents
            .iter()
            .copied()
            .collect();
        let own = gained.iter().filter(|gained| gained.group == Some(group));
        own.for_each(|gained| values.grow_and_insert(gained.place));
        Counter {
            group,
            values,
            gains_ahead: groups.contains(&group) && extensions(group) >= MIN_GAINED,
        }
    });
    counters.collect()
}
