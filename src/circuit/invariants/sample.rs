//! Samples of states and joint moves, 256 at once.
//!
//! A sample is drawn from the product of the variables' domains, near the states that plays reach: half of
//! them are such states, the others take each variable from one of two. The definitions of dependence quantify over
//! all of the product, of which what plays reach is a part.

use rand::{Rng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::circuit::invariants::plays::{LANES, Plays, Row, WORDS};
use crate::circuit::invariants::variable::Variable;
use crate::circuit::lanes::{
    and, bit, count, inverted_if, lanes, none, nth, or, set_bit, without, xor,
};
use crate::circuit::{Circuit, Probe};

/// No move.
pub(crate) const NO_MOVE: u32 = u32::MAX;

/// The move of each role in each lane.
#[derive(Clone)]
pub(crate) struct Joint(pub(crate) Vec<[u32; LANES]>);

/// States, what is legal in them, and a joint move with the states after it.
pub(crate) struct Sample {
    pub(crate) state: Vec<Row>,
    /// Lanes in which the game is not over and every role can move.
    pub(crate) open: Row,
    /// By role and move.
    pub(crate) legal: Vec<Vec<Row>>,
    pub(crate) joint: Joint,
    /// The fluents after the joint move.
    pub(crate) next: Vec<Row>,
}

impl Sample {
    /// The sample of some states, with joint moves by chance.
    pub(crate) fn of(
        circuit: &Circuit,
        probe: &mut Probe,
        state: Vec<Row>,
        random: &mut Xoshiro256PlusPlus,
    ) -> Self {
        let (open, legal) = options(circuit, probe, &state);
        let joint = Joint::pick(&legal, open, random);
        let next = joint.lead(circuit, probe);
        Self {
            state,
            open,
            legal,
            joint,
            next,
        }
    }
}

/// Enters states; where the game is open, and what is legal.
pub(crate) fn options(circuit: &Circuit, probe: &mut Probe, state: &[Row]) -> (Row, Vec<Vec<Row>>) {
    probe.enter(state);
    let mut open = inverted_if(probe.terminal(), true);
    let roles = circuit.moves.iter().enumerate();
    let legal: Vec<Vec<Row>> = roles
        .map(|(role, moves)| (0..moves.len()).map(|mv| probe.legal(role, mv)).collect())
        .collect();
    for own in &legal {
        open = and(open, own.iter().fold(none(), |some, &row| or(some, row)));
    }
    (open, legal)
}

impl Joint {
    /// A legal move of each role in each of some lanes, by chance.
    pub(crate) fn pick(legal: &[Vec<Row>], open: Row, random: &mut Xoshiro256PlusPlus) -> Self {
        let moves = legal.iter().map(|own| pick(own, open, random));
        Self(moves.collect())
    }

    /// Makes the moves in the states that were entered last; the fluents after them.
    pub(crate) fn lead(&self, circuit: &Circuit, probe: &mut Probe) -> Vec<Row> {
        for (role, moves) in self.0.iter().enumerate() {
            probe.clear(role);
            // Of thousands of moves few are made, often one in all lanes.
            let mut rows: FxHashMap<u32, Row> = FxHashMap::default();
            for (lane, &mv) in moves.iter().enumerate().filter(|&(_, &mv)| mv != NO_MOVE) {
                set_bit(rows.entry(mv).or_insert(none()), lane, true);
            }
            for (mv, row) in rows {
                probe.make(role, mv as usize, row);
            }
        }
        probe.step();
        (0..circuit.fluents.len())
            .map(|place| probe.next(place))
            .collect()
    }
}

/// One of the rows that are true in a lane, for each of some lanes.
fn pick(rows: &[Row], among: Row, random: &mut Xoshiro256PlusPlus) -> [u32; LANES] {
    let mut chosen = [NO_MOVE; LANES];
    let mut seen = [0u32; LANES];
    for (number, &row) in rows.iter().enumerate() {
        for lane in lanes(and(row, among)) {
            seen[lane] += 1;
            // Reservoir sampling: the k-th candidate replaces the choice with probability 1/k.
            if seen[lane] == 1 || random.random_range(0..seen[lane]) == 0 {
                chosen[lane] = number as u32;
            }
        }
    }
    chosen
}

/// States of plays from which play goes on, drawn by chance.
pub(crate) fn reached(plays: &Plays, random: &mut Xoshiro256PlusPlus) -> Vec<Row> {
    drawn(plays, &plays.goes_on, random)
}

/// States in which plays end, drawn by chance.
pub(crate) fn ended(plays: &Plays, random: &mut Xoshiro256PlusPlus) -> Vec<Row> {
    let rows = plays.reached.iter().zip(&plays.goes_on);
    let ends: Vec<Row> = rows
        .map(|(&reached, &goes_on)| without(reached, goes_on))
        .collect();
    drawn(plays, &ends, random)
}

/// States of plays at some times, each with its lanes.
fn drawn(plays: &Plays, among: &[Row], random: &mut Xoshiro256PlusPlus) -> Vec<Row> {
    let times: Vec<usize> = (0..among.len())
        .filter(|&time| among[time] != none())
        .collect();
    let mut sources = [(0, 0); LANES];
    for source in &mut sources {
        let Some(&time) = times.get(random.random_range(0..times.len().max(1))) else {
            continue;
        };
        // One of the lanes that go on, each as likely as any other.
        let going = count(among[time]) as usize;
        let lane = nth(among[time], random.random_range(0..going));
        *source = (time, lane.unwrap_or(0));
    }
    let width = plays.states[0].len();
    let mut state = vec![none(); width];
    for (lane, &(time, from)) in sources.iter().enumerate() {
        for (row, reached) in state.iter_mut().zip(&plays.states[time]) {
            set_bit(row, lane, bit(reached, from));
        }
    }
    state
}

/// States that take the fluents of each block from one of two.
pub(crate) fn crossed(
    blocks: &[Vec<usize>],
    one: &[Row],
    other: &[Row],
    random: &mut Xoshiro256PlusPlus,
) -> Vec<Row> {
    let mut state = one.to_vec();
    for block in blocks {
        let from_other: Row = std::array::from_fn(|_| random.next_u64());
        for &fluent in block {
            state[fluent] = or(
                without(one[fluent], from_other),
                and(other[fluent], from_other),
            );
        }
    }
    state
}

/// Changes one variable to another value in some states.
pub(crate) fn change(
    variable: &Variable,
    state: &mut [Row],
    among: Row,
    random: &mut Xoshiro256PlusPlus,
) {
    let Variable { fluents, .. } = variable;
    if let [fluent] = fluents[..] {
        state[fluent] = xor(state[fluent], among);
        return;
    }
    for lane in lanes(among) {
        let held = fluents.iter().position(|&fluent| bit(&state[fluent], lane));
        let old = held.unwrap_or(fluents.len());
        let values = variable.values();
        let new = (old + 1 + random.random_range(0..values.max(2) - 1)) % values;
        for (value, &fluent) in fluents.iter().enumerate() {
            set_bit(&mut state[fluent], lane, value == new);
        }
    }
}

/// The lanes of a row, as a set of words.
pub(crate) const ALL: Row = [u64::MAX; WORDS];
