//! Variables: groups of fluents of which at most one holds, found in plays.
//!
//! ```text
//! cell(1,1,b) | cell(1,1,x) | cell(1,1,o)      control(white) | control(black)      step(1) | … | step(7)
//! ```
//!
//! These are the multi-valued variables of Helmert, Concise finite-domain representations for PDDL planning
//! tasks, 2009, found by behaviour instead of by argument positions: a group grows by the fluent that is
//! gained when a member is lost, never gained otherwise, and never held together with one. What plays show
//! is a conjecture; [`crate::decomposition::induction`] proves it.

use fixedbitset::FixedBitSet;

use crate::circuit::lanes::{and, any, lanes, or, without};
use crate::circuit::{Circuit, Gate};
use crate::decomposition::plays::{LANES, Plays, Row};

/// Fluents of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The fluents, by place in the circuit, ascending.
    pub fluents: Vec<usize>,
    /// Whether one of them always holds.
    pub is_exact: bool,
}

impl Variable {
    /// A fluent that holds or does not.
    pub(super) fn boolean(fluent: usize) -> Self {
        Self {
            fluents: vec![fluent],
            is_exact: false,
        }
    }

    /// Number of values: which fluent holds, or none.
    pub fn values(&self) -> usize {
        self.fluents.len() + usize::from(!self.is_exact)
    }
}

/// What is conjectured of the fluents of a game.
pub(super) struct Conjecture {
    pub(super) variables: Vec<Variable>,
    /// Fluents that hold in no state that was seen.
    pub(super) never: Vec<usize>,
}

/// When a fluent is held, gained and lost; a bit a state of a play.
struct History {
    held: FixedBitSet,
    gained: FixedBitSet,
    lost: FixedBitSet,
}

/// Groups the fluents by what they do in plays.
pub(super) fn conjecture(circuit: &Circuit, plays: &Plays) -> Conjecture {
    let places = 0..circuit.fluents.len();
    let changes = |&place: &usize| circuit.fluents[place].holds.constant().is_none();
    let histories: Vec<History> = places.clone().map(|place| history(plays, place)).collect();
    let (seen, never): (Vec<usize>, Vec<usize>) = places
        .filter(changes)
        .partition(|&place| !histories[place].held.is_clear());
    let mut free: Vec<usize> = seen;
    // Groups start with what holds at the start: its losses show what takes its place.
    free.sort_by_key(|&place| (!circuit.fluents[place].initial, place));
    let mut variables = Vec::new();
    while let Some(&first) = free.first() {
        let fluents = group(circuit, &histories, first, &free);
        free.retain(|place| !fluents.contains(place));
        variables.push(Variable {
            is_exact: is_exact(plays, &fluents),
            fluents,
        });
    }
    variables.sort_by(|one, other| one.fluents.cmp(&other.fluents));
    Conjecture { variables, never }
}

fn history(plays: &Plays, place: usize) -> History {
    let bits = plays.len() * LANES;
    let mut history = History {
        held: FixedBitSet::with_capacity(bits),
        gained: FixedBitSet::with_capacity(bits),
        lost: FixedBitSet::with_capacity(bits),
    };
    let put = |set: &mut FixedBitSet, time: usize, row: Row| {
        set.extend(lanes(row).map(|lane| time * LANES + lane));
    };
    for (time, state) in plays.states.iter().enumerate() {
        put(&mut history.held, time, and(state[place], plays.reached[time]));
        if let Some(next) = plays.states.get(time + 1) {
            let moved = plays.goes_on[time];
            let (now, then) = (and(state[place], moved), and(next[place], moved));
            put(&mut history.gained, time, without(then, now));
            put(&mut history.lost, time, without(now, then));
        }
    }
    history
}

/// The group of a fluent among those that have none.
fn group(circuit: &Circuit, histories: &[History], first: usize, free: &[usize]) -> Vec<usize> {
    let mut members = vec![first];
    let mut held = histories[first].held.clone();
    let mut lost = histories[first].lost.clone();
    // Losses after which no member is gained yet.
    let mut open = lost.clone();
    open.difference_with(&histories[first].gained);
    while !open.is_clear() {
        let mut most = 0;
        let mut equals: Vec<usize> = Vec::new();
        for &place in free {
            let History {
                held: own, gained, ..
            } = &histories[place];
            let fits = !members.contains(&place) && gained.is_subset(&lost) && own.is_disjoint(&held);
            let gains = if fits { gained.intersection_count(&open) } else { 0 };
            if gains > 0 && gains >= most {
                if gains > most {
                    equals.clear();
                }
                most = gains;
                equals.push(place);
            }
        }
        // Of equals, one that follows from a member rather than one that only comes at the same time.
        let follows = |place: &&usize| depends_on_any(circuit, **place, &members);
        let caused = (equals.len() > 1).then(|| equals.iter().find(follows)).flatten();
        let Some(&chosen) = caused.or(equals.first()) else {
            break;
        };
        members.push(chosen);
        held.union_with(&histories[chosen].held);
        lost.union_with(&histories[chosen].lost);
        open.union_with(&histories[chosen].lost);
        for &member in &members {
            open.difference_with(&histories[member].gained);
        }
    }
    members.sort_unstable();
    members
}

/// Whether the gates of a fluent's next value reach one of some fluents.
fn depends_on_any(circuit: &Circuit, fluent: usize, others: &[usize]) -> bool {
    let mut seen = FixedBitSet::with_capacity(circuit.gates.len());
    let mut open = vec![circuit.fluents[fluent].next.gate()];
    while let Some(gate) = open.pop() {
        if seen.put(gate) {
            continue;
        }
        match circuit.gates.gate(gate) {
            Gate::Fluent(place) if others.contains(&(place as usize)) => return true,
            Gate::Variable(number, _) => {
                let definitions = &circuit.gates.loops()[number as usize].definitions;
                open.extend(definitions.iter().map(|signal| signal.gate()));
            }
            Gate::And => open.extend(circuit.gates.inputs(gate).iter().map(|input| input.gate())),
            Gate::False | Gate::Fluent(_) | Gate::Move(..) => {}
        }
    }
    false
}

/// Whether one of the fluents holds in every state of the plays.
fn is_exact(plays: &Plays, fluents: &[usize]) -> bool {
    plays.states.iter().zip(&plays.reached).all(|(state, &reached)| {
        let some = fluents.iter().fold([0; 4], |some, &fluent| {
            or(some, state[fluent])
        });
        !any(without(reached, some))
    })
}
