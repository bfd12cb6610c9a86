//! How far states are from a condition if nothing that is gained were lost again, 256 states at once.
//!
//! A gate is as far as in [`guided`](crate::prove::guided), but a fluent that does not hold is one move more than what
//! it takes to hold next, and a move as far as what it takes to be legal: a pawn that has eight rows before it is eight
//! moves from the last one, where the gates of the condition alone would say that one fluent is missing.
//!
//! ```text
//! cell(i,1,wp)    1 + next(cell(i,1,wp))    1 + legal(white, move(h,1,i,1))    1 + cell(h,1,wp)    …
//! ```
//!
//! Source: the additive heuristic of Bonet, Geffner, Planning as Heuristic Search, AIJ 2001, computed by fixed-point
//! iteration on the circuit.

use rustc_hash::FxHashMap;

use crate::circuit::invariants::{LANES, Row};
use crate::circuit::lanes::lanes;
use crate::circuit::{Circuit, Gate, Signal};

/// How far something is, by lane: what is farther than can be said is out of reach.
type LaneCosts = [u8; LANES];

/// Out of reach.
const FAR: u8 = u8::MAX;

/// Moves that are looked ahead.
const MAX_ROUNDS: usize = 24;

/// Gates of which more would take too long.
const MAX_GATES: usize = 20_000;

/// An input of a gate, by place, and whether it is inverted.
type Input = (usize, bool);

/// What a place gets its costs from.
enum Place {
    /// A fluent, and what makes it hold next.
    Fluent(usize, Input),
    /// A move is as far as what makes it legal.
    Move(Input),
    And(Vec<Input>),
    False,
    /// What depends on itself is taken as it comes.
    Free,
}

/// How far states are from a condition.
pub(super) struct RelaxedDistance {
    /// Inputs first, but for those of what is legal: fluents are as far as the round before says.
    places: Vec<Place>,
    /// By place: from false, from true.
    costs: Vec<[LaneCosts; 2]>,
    condition: Input,
}

impl RelaxedDistance {
    /// None if too much of the circuit belongs to it.
    pub(super) fn new(circuit: &Circuit, condition: Signal) -> Option<Self> {
        let gates = &circuit.gates;
        let moves = circuit.moves_by_gate();
        let legal_of = |gate: usize| {
            let mv = moves.get(&gate);
            mv.map_or(Signal::FALSE, |&(role, place)| {
                circuit.moves[role][place].legal
            })
        };
        let signals_of = |gate: usize| match gates.gate(gate) {
            Gate::Fluent(fluent) => vec![circuit.fluents[fluent as usize].next],
            Gate::Move(..) => vec![legal_of(gate)],
            Gate::And => gates.inputs(gate).to_vec(),
            Gate::False | Gate::Variable(..) => Vec::new(),
        };
        let mut place: FxHashMap<usize, usize> = FxHashMap::default();
        let mut open = vec![condition.gate()];
        while let Some(gate) = open.pop() {
            if place.insert(gate, 0).is_none() {
                open.extend(signals_of(gate).iter().map(|signal| signal.gate()));
            }
            if place.len() > MAX_GATES {
                return None;
            }
        }
        let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
        let legal = gates.cone(legal);
        // What is legal, then moves, then what they lead to: a round looks one move ahead.
        let stage = |gate: usize| match gates.gate(gate) {
            Gate::Move(..) => 1,
            Gate::And if !legal.contains(gate) => 2,
            Gate::Fluent(_) => 3,
            Gate::And | Gate::False | Gate::Variable(..) => 0,
        };
        let mut cone: Vec<usize> = place.keys().copied().collect();
        cone.sort_unstable_by_key(|&gate| (stage(gate), gate));
        for (number, gate) in cone.iter().enumerate() {
            place.insert(*gate, number);
        }
        let input = |signal: Signal| (place[&signal.gate()], signal.is_inverted());
        let places = cone.iter().map(|&gate| match gates.gate(gate) {
            Gate::Fluent(fluent) => {
                let fluent = fluent as usize;
                Place::Fluent(fluent, input(circuit.fluents[fluent].next))
            }
            Gate::Move(..) => Place::Move(input(legal_of(gate))),
            Gate::And => Place::And(gates.inputs(gate).iter().map(|&one| input(one)).collect()),
            Gate::False => Place::False,
            Gate::Variable(..) => Place::Free,
        });
        Some(Self {
            places: places.collect(),
            costs: vec![[[FAR; LANES]; 2]; cone.len()],
            condition: input(condition),
        })
    }

    /// Operations of 256 truth values that it takes, at most: an input is added and compared in eight times as many bits.
    pub(super) fn operations(&self) -> usize {
        let inputs = self.places.iter().map(|place| match place {
            Place::And(inputs) => 2 * inputs.len(),
            Place::Fluent(..) | Place::Move(_) | Place::False | Place::Free => 2,
        });
        8 * MAX_ROUNDS * inputs.sum::<usize>()
    }

    /// How far some states are from the condition, by lane.
    pub(super) fn of(&mut self, state: &[Row]) -> [u16; LANES] {
        for (place, costs) in self.places.iter().zip(&mut self.costs) {
            *costs = match place {
                Place::Fluent(fluent, _) => at_first(&state[*fluent]),
                Place::False => [[0; LANES], [FAR; LANES]],
                Place::Free => [[0; LANES]; 2],
                Place::Move(_) | Place::And(_) => [[FAR; LANES]; 2],
            };
        }
        for _ in 0..MAX_ROUNDS {
            if !self.round() {
                break;
            }
        }
        let (at, is_inverted) = self.condition;
        self.costs[at][usize::from(!is_inverted)].map(|cost| match cost {
            FAR => u16::MAX - 1,
            cost => u16::from(cost),
        })
    }

    /// Looks one move farther ahead; says whether that makes something nearer.
    fn round(&mut self) -> bool {
        let mut is_changed = false;
        for at in 0..self.places.len() {
            let new = match &self.places[at] {
                Place::And(inputs) => conjunction(inputs, &self.costs),
                // Not to be made takes nothing: another move is.
                Place::Move((legal, is_inverted)) => {
                    let cost = self.costs[*legal][usize::from(!is_inverted)];
                    [[0; LANES], cost]
                }
                Place::Fluent(_, (next, is_inverted)) => {
                    let next = self.costs[*next];
                    let old = self.costs[at];
                    let after = |value: usize| {
                        let next = &next[value ^ usize::from(*is_inverted)];
                        let mut least = old[value];
                        for (least, &next) in least.iter_mut().zip(next) {
                            *least = (*least).min(next.saturating_add(1));
                        }
                        least
                    };
                    [after(0), after(1)]
                }
                Place::False | Place::Free => continue,
            };
            is_changed |= new != self.costs[at];
            self.costs[at] = new;
        }
        is_changed
    }
}

/// How far a conjunction is from being false, and from being true.
fn conjunction(inputs: &[Input], costs: &[[LaneCosts; 2]]) -> [LaneCosts; 2] {
    let (mut all, mut least) = ([0; LANES], [FAR; LANES]);
    for &(at, is_inverted) in inputs {
        let to_false = &costs[at][usize::from(is_inverted)];
        let to_true = &costs[at][usize::from(!is_inverted)];
        for (sum, &cost) in all.iter_mut().zip(to_true) {
            *sum = u8::saturating_add(*sum, cost);
        }
        for (least, &cost) in least.iter_mut().zip(to_false) {
            *least = u8::min(*least, cost);
        }
    }
    [least, all]
}

/// How far a fluent is from being false and from being true, without a move.
fn at_first(held: &Row) -> [LaneCosts; 2] {
    let mut costs = [[0; LANES], [FAR; LANES]];
    for lane in lanes(*held) {
        (costs[0][lane], costs[1][lane]) = (FAR, 0);
    }
    costs
}
