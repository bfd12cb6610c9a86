//! Sets of states as conjunctions of literals over fluents, and what is known of all states.

use fixedbitset::FixedBitSet;

use crate::circuit::sat::{Literal, Requirement};

/// States that have some fluents and lack others: places of fluents, ascending, and whether they hold.
pub(super) type Cube = Vec<(usize, bool)>;

/// Whether a state is one of a cube.
pub(super) fn contains(cube: &Cube, state: &FixedBitSet) -> bool {
    cube.iter()
        .all(|&(place, holds)| state.contains(place) == holds)
}

/// The literals of a cube, given those of the fluents.
pub(super) fn literals(cube: &Cube, fluents: &[Literal]) -> Vec<Literal> {
    let literals = cube.iter();
    literals
        .map(|&(place, holds)| fluents[place].negated_if(!holds))
        .collect()
}

/// Whether a state satisfies a requirement.
pub(super) fn satisfies(requirement: &Requirement, state: &FixedBitSet) -> bool {
    let number = |places: &[usize]| {
        places
            .iter()
            .filter(|&&place| state.contains(place))
            .count()
    };
    match requirement {
        Requirement::Never(place) => !state.contains(*place),
        Requirement::AtMostOne(places) => number(places) <= 1,
        Requirement::NotBoth(some, others) => number(some) == 0 || number(others) == 0,
        Requirement::Some(places) => number(places) > 0,
        Requirement::Linear(equation) => equation.holds(|place| state.contains(place)),
    }
}
