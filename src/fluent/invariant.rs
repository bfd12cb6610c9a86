//! Domain constraints as random play suggests them: the candidates of a proof by
//! [`induction`](crate::fluent::induction).
//!
//! Source: the guess-and-check of Houdini (Flanagan, Leino 2001); the use of such constraints is that
//! of \[RST14\].

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::fluent::constraint::Constraint;
use crate::fluent::support::Supports;
use crate::term::{Functor, Store, TermId};

/// Arguments of a fluent whose subsets are tried as keys.
const MAX_KEYED: u32 = 5;

/// Constants at one position that are tried one by one.
const MAX_CONSTANTS: usize = 24;

/// Fluent functions of which all pairs are tried for mutual exclusion.
const MAX_PAIRED: usize = 48;

/// Constraints that hold in all given states, which are sets of ground fluents: the guess.
pub(super) fn candidates(
    store: &Store,
    supports: &[Supports],
    states: &[Vec<TermId>],
) -> Vec<Constraint> {
    let functions: Vec<Functor> = supports
        .iter()
        .filter_map(|supports| store.functor(supports.pattern))
        .collect();
    let sorted: Vec<FxHashMap<Functor, Vec<TermId>>> = states
        .iter()
        .map(|state| by_function(store, state))
        .collect();
    let mut found = Vec::new();
    for &fluent in functions.iter().filter(|fluent| fluent.arity > 0) {
        found.extend(of_function(store, &sorted, fluent));
    }
    if functions.len() <= MAX_PAIRED {
        for (index, &one) in functions.iter().enumerate() {
            for &other in &functions[index + 1..] {
                found.extend(exclusive(store, &sorted, one, other));
            }
        }
    }
    found
}

/// The candidates that speak of one fluent function.
fn of_function(
    store: &Store,
    states: &[FxHashMap<Functor, Vec<TermId>>],
    fluent: Functor,
) -> Vec<Constraint> {
    // Smaller keys first, which are stronger; larger ones stay candidates in case the stronger one cannot be
    // proved.
    let functional = |key: &Vec<usize>| {
        let mut states = states.iter();
        states.all(|state| is_functional(store, state, fluent, key, None))
    };
    let functional: Vec<Vec<usize>> = keys(fluent.arity).into_iter().filter(functional).collect();
    let laws = functional.iter().map(|key| Constraint::Functional {
        fluent,
        key: key.clone(),
        only: None,
    });
    let mut found: Vec<Constraint> = laws.collect();
    found.extend(single(store, states, fluent));
    // Which keys always have an instance is only asked for keys that are functional: "exactly one" needs both.
    for key in functional.into_iter().chain([Vec::new()]) {
        let law = Constraint::Some { fluent, key };
        if !found.contains(&law) && stays(store, states, &law) {
            found.push(law);
        }
    }
    found
}

fn by_function(store: &Store, state: &[TermId]) -> FxHashMap<Functor, Vec<TermId>> {
    let mut sorted: FxHashMap<Functor, Vec<TermId>> = FxHashMap::default();
    for &fluent in state {
        if let Some(functor) = store.functor(fluent) {
            sorted.entry(functor).or_default().push(fluent);
        }
    }
    sorted
}

/// The constants of which at most one instance holds that has them at some position, where that is
/// not so of all.
fn single(
    store: &Store,
    states: &[FxHashMap<Functor, Vec<TermId>>],
    fluent: Functor,
) -> Vec<Constraint> {
    let mut found = Vec::new();
    // Where at most one instance holds at all, nothing is gained by one constant.
    if fluent.arity < 2
        || states
            .iter()
            .all(|state| is_functional(store, state, fluent, &[], None))
    {
        return found;
    }
    for at in 0..fluent.arity as usize {
        let whole = states
            .iter()
            .all(|state| is_functional(store, state, fluent, &[at], None));
        let mut constants: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        for state in states {
            let instances = state.get(&fluent).map_or(&[][..], Vec::as_slice);
            constants.extend(
                instances
                    .iter()
                    .map(|&instance| store.arguments(instance)[at]),
            );
        }
        if whole || constants.len() > MAX_CONSTANTS {
            continue;
        }
        for &term in &constants {
            let only = Some((at, term));
            if states
                .iter()
                .all(|state| is_functional(store, state, fluent, &[], only))
            {
                found.push(Constraint::Functional {
                    fluent,
                    key: Vec::new(),
                    only,
                });
            }
        }
    }
    found
}

/// Whether every key of the first state is in all states; not if it has none.
fn stays(store: &Store, states: &[FxHashMap<Functor, Vec<TermId>>], law: &Constraint) -> bool {
    let Constraint::Some { fluent, key } = law else {
        return false;
    };
    let project = |state: &FxHashMap<Functor, Vec<TermId>>| {
        let instances = state.get(fluent).map_or(&[][..], Vec::as_slice);
        instances
            .iter()
            .map(|&instance| {
                key.iter()
                    .map(|&at| store.arguments(instance)[at])
                    .collect()
            })
            .collect::<FxHashSet<Vec<TermId>>>()
    };
    let Some(start) = states.first().map(project) else {
        return false;
    };
    !start.is_empty() && states.iter().all(|state| start.is_subset(&project(state)))
}

/// Sets of positions that leave at least one out, smaller ones first.
fn keys(arity: u32) -> Vec<Vec<usize>> {
    let arity = arity as usize;
    let mut keys: Vec<Vec<usize>> = if arity as u32 <= MAX_KEYED {
        // Proper subsets: the whole set of positions as a key would say nothing.
        (0..(1u32 << arity) - 1)
            .map(|mask| (0..arity).filter(|at| mask >> at & 1 == 1).collect())
            .collect()
    } else {
        let rest = |left_out: usize| (0..arity).filter(|&at| at != left_out).collect();
        std::iter::once(Vec::new())
            .chain((0..arity).map(rest))
            .collect()
    };
    keys.sort_by_key(|key: &Vec<usize>| (key.len(), key.clone()));
    keys
}

fn is_functional(
    store: &Store,
    state: &FxHashMap<Functor, Vec<TermId>>,
    fluent: Functor,
    key: &[usize],
    only: Option<(usize, TermId)>,
) -> bool {
    let mut seen: FxHashSet<Vec<TermId>> = FxHashSet::default();
    let instances = state.get(&fluent).map_or(&[][..], Vec::as_slice);
    instances.iter().all(|&instance| {
        let arguments = store.arguments(instance);
        if only.is_some_and(|(at, term)| arguments[at] != term) {
            return true;
        }
        // Functional: no key twice.
        seen.insert(key.iter().map(|&at| arguments[at]).collect())
    })
}

/// Keys under which two functions exclude each other in all states; fluents that never hold are
/// left out, since nothing speaks for such a guess.
fn exclusive(
    store: &Store,
    states: &[FxHashMap<Functor, Vec<TermId>>],
    one: Functor,
    other: Functor,
) -> Vec<Constraint> {
    let occurs = |fluent| states.iter().any(|state| state.contains_key(&fluent));
    if !occurs(one) || !occurs(other) {
        return Vec::new();
    }
    let shared = one.arity.min(other.arity) as usize;
    let mut keys: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    // No key, one pair of positions, all positions in order.
    let cells =
        (0..one.arity as usize).flat_map(|i| (0..other.arity as usize).map(move |j| vec![(i, j)]));
    keys.extend(cells.take(9));
    if shared > 1 {
        keys.push((0..shared).map(|at| (at, at)).collect());
    }
    let mut found: Vec<Constraint> = Vec::new();
    for key in keys {
        let constraint = Constraint::Exclusive { one, other, key };
        let implied = found.iter().any(|known| implies(known, &constraint));
        if !implied
            && states
                .iter()
                .all(|state| is_exclusive(store, state, &constraint))
        {
            found.push(constraint);
        }
    }
    found
}

fn is_exclusive(
    store: &Store,
    state: &FxHashMap<Functor, Vec<TermId>>,
    constraint: &Constraint,
) -> bool {
    let Constraint::Exclusive { one, other, key } = constraint else {
        return true;
    };
    let project = |fluent: &Functor, side: fn(&(usize, usize)) -> usize| {
        let instances = state.get(fluent).map_or(&[][..], Vec::as_slice);
        instances
            .iter()
            .map(|&instance| {
                let arguments = store.arguments(instance);
                key.iter().map(|pair| arguments[side(pair)]).collect()
            })
            .collect::<FxHashSet<Vec<TermId>>>()
    };
    project(one, |pair| pair.0).is_disjoint(&project(other, |pair| pair.1))
}

/// Whether one constraint says at least as much as another.
pub(super) fn implies(stronger: &Constraint, weaker: &Constraint) -> bool {
    match (stronger, weaker) {
        (
            Constraint::Functional { fluent, key, only },
            Constraint::Functional {
                fluent: other,
                key: larger,
                only: narrower,
            },
        ) => {
            fluent == other
                && key.iter().all(|at| larger.contains(at))
                && (only.is_none() || only == narrower)
        }
        (
            Constraint::Exclusive { one, other, key },
            Constraint::Exclusive {
                one: first,
                other: second,
                key: larger,
            },
        ) => (one, other) == (first, second) && key.iter().all(|pair| larger.contains(pair)),
        _ => stronger == weaker,
    }
}
