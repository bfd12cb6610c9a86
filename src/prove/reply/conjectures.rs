//! What seems to hold of all states while a role keeps to its answers: what each fluent that the other role gains is
//! answered by.
//!
//! ```text
//! cell(3,1,red) ∧ ¬cell(3,2,black) → last(drop(3))       no state has cell(3,2,red)
//! cell(3,2,black) → cell(3,1,red)
//! ```

use std::ops::Range;

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::{Plays, Row};
use crate::circuit::lanes::{and, any, inverted_if, without};
use crate::circuit::{Circuit, Probe};
use crate::prove::invariant::Cube;

/// Fluents of a game of which answers are looked for.
const MOST_FLUENTS: usize = 500;

/// Cubes of three literals that are tried.
const MOST_CUBES: usize = 20_000;

/// Cubes that no state of random plays is in; some fluents tell what the other role did last, those after them whether the game
/// has begun.
pub(super) fn conjectures(circuit: &Circuit, last: Range<usize>, probe: &mut Probe) -> Vec<Cube> {
    if circuit.fluents.len() > MOST_FLUENTS {
        return Vec::new();
    }
    let Range { start: from, end } = last;
    let plays = Plays::record(circuit, probe);
    let mut cubes: Vec<Cube> = (0..from).map(|place| vec![(place, true)]).collect();
    let implied = implied(&plays, circuit.fluents.len());
    cubes.extend(
        implied
            .iter()
            .map(|&[one, other]| vec![(one, true), (other, false)]),
    );
    cubes.extend(excluded(&plays, from));
    cubes.extend(after_moves(&implied, (from, end), circuit.fluents.len()));
    for fluent in 0..from {
        let Some(answer) = Answered::of(&plays, fluent, (from, end)) else {
            continue;
        };
        for other in answer.held.ones() {
            let last = answer.last.ones();
            cubes.extend(last.map(|last| vec![(fluent, true), (other, false), (last, false)]));
        }
    }
    for cube in &mut cubes {
        cube.sort_unstable();
    }
    cubes.retain(|cube| !is_met(&plays, cube));
    cubes
}

/// Pairs of fluents of which the first, which some play has, is never without the second: stones rest on others, and who
/// was last is not to move.
fn implied(plays: &Plays, fluents: usize) -> Vec<[usize; 2]> {
    let had = (0..fluents).filter(|&one| is_met(plays, &[(one, true)]));
    let pairs = had.flat_map(|one| (0..fluents).map(move |other| [one, other]));
    let pairs = pairs
        .filter(|&[one, other]| one != other && !is_met(plays, &[(one, true), (other, false)]));
    pairs.collect()
}

/// Pairs of fluents, the first of which some play has, that may exclude each other.
fn excluded(plays: &Plays, fluents: usize) -> Vec<Cube> {
    let had = (0..fluents).filter(|&one| is_met(plays, &[(one, true)]));
    let pairs = had.flat_map(|one| (one + 1..fluents).map(move |other| [one, other]));
    let cubes = pairs.map(|pair| pair.map(|fluent| (fluent, true)).to_vec());
    cubes.collect()
}

/// What may be so after a move of the other role: a fluent that kept the move from being legal does not hold, of two that
/// come one after the other the move sets the second, and some move was made, once the game has begun.
fn after_moves(implied: &[[usize; 2]], (from, end): (usize, usize), fluents: usize) -> Vec<Cube> {
    let mut cubes: Vec<Cube> = Vec::new();
    for last in from..end {
        cubes.extend((0..last).map(|other| vec![(other, true), (last, true)]));
        if implied.len() * (end - from) > MOST_CUBES {
            continue;
        }
        let own = implied.iter().filter(|pair| !pair.contains(&last));
        cubes.extend(own.map(|&[one, other]| vec![(one, false), (other, true), (last, true)]));
    }
    cubes.extend((0..from).map(|fluent| {
        let none = (from..end).map(|last| (last, false));
        let begun = (end..fluents).map(|begun| (begun, true));
        let own = std::iter::once((fluent, true));
        own.chain(none).chain(begun).collect()
    }));
    cubes
}

/// What happens whenever a fluent is gained.
struct Answered {
    /// Fluents that tell of the move with which it is gained.
    last: FixedBitSet,
    /// Fluents that hold after the next move.
    held: FixedBitSet,
}

impl Answered {
    /// None if the fluent is never gained.
    fn of(plays: &Plays, fluent: usize, (from, end): (usize, usize)) -> Option<Self> {
        let mut answered = Self {
            last: (from..end).collect(),
            held: (0..from).collect(),
        };
        let mut is_gained = false;
        for (time, states) in plays.states.windows(2).enumerate() {
            let gained = and(gain(states, fluent), plays.reached[time + 1]);
            if !any(gained) {
                continue;
            }
            is_gained = true;
            let keeps = |row: Row| !any(without(gained, row));
            let lasts: Vec<usize> = answered
                .last
                .ones()
                .filter(|&last| keeps(states[1][last]))
                .collect();
            answered.last = lasts.into_iter().collect();
            let (Some(states), Some(&reached)) = (
                plays.states.get(time + 1..time + 3),
                plays.reached.get(time + 2),
            ) else {
                continue;
            };
            let gained = and(gained, reached);
            let keeps = |other: &usize| !any(without(gained, states[1][*other]));
            let others: Vec<usize> = answered.held.ones().filter(keeps).collect();
            answered.held = others.into_iter().collect();
        }
        is_gained.then_some(answered)
    }
}

/// The plays in which a fluent comes to hold from one state to the next.
fn gain(states: &[Vec<Row>], fluent: usize) -> Row {
    without(states[1][fluent], states[0][fluent])
}

/// Whether some play comes to a state of a cube.
fn is_met(plays: &Plays, cube: &[(usize, bool)]) -> bool {
    let mut states = plays.states.iter().zip(&plays.reached);
    states.any(|(state, &reached)| {
        let all = cube.iter().fold(reached, |all, &(place, holds)| {
            and(all, inverted_if(state[place], !holds))
        });
        any(all)
    })
}
