//! Plays that are led to a target, 256 at once: each move is the best of a few that were drawn.
//!
//! How far a state is from a condition is read off its gates: a conjunction is as far as all of its inputs together, a
//! disjunction as the nearest of them, a fluent one or nothing. Ends that are no targets are as far as can be, so that
//! plays also come to what long plays alone show: full boards, last steps of a counter.
//!
//! ```text
//! ¬black(1,1) ∧ ¬black(1,2) ∧ … ∧ ¬black(8,8)      is as far as there are black pieces
//! ```
//!
//! Source: goals as fuzzy formulas are those of Schiffel, Thielscher, Fluxplayer: A Successful General Game Player, AAAI
//! 2007; sums and minima, instead of products, those of the additive heuristic (Bonet, Geffner, Planning as Heuristic
//! Search, AIJ 2001).

use rustc_hash::FxHashMap;

use crate::circuit::invariants::{LANES, Row, start};
use crate::circuit::lanes::{and, any, bit, lanes, none, or, set_bit, without};
use crate::circuit::{Circuit, Gate, Probe, Signal};
use crate::limits::StopFlag;
use crate::prove::finding::Play;
use crate::prove::relaxed::RelaxedDistance;
use crate::prove::target::Target;

/// Moves that are drawn for each state, in rounds of 256 plays: few make plays that differ, many find what is rare.
const DRAWN: [usize; 2] = [4, 16];

/// Moves below which plays are too short to be led anywhere.
const LEAST_LENGTH: usize = 8;

/// How many times as much plays may take that are led by distances over several moves.
const RELAXED: usize = 10;

/// What is not to be reached.
const FAR: u16 = u16::MAX;

/// A number for each lane.
type LaneDistances = [u16; LANES];

/// How far the gates of a condition are from being true, and from being false.
struct Distance<'c> {
    circuit: &'c Circuit,
    /// By gate of a move: its role, and its place.
    moves: FxHashMap<usize, (usize, usize)>,
    /// The gates of the condition, inputs first.
    cone: Vec<usize>,
    /// By place: the inputs of each gate, by place, and whether they are inverted.
    inputs: Vec<Vec<(usize, bool)>>,
    /// By place: from false, from true.
    from: Vec<[LaneDistances; 2]>,
}

/// The moves that are made in lanes: by role, by lane, the place of the move.
type DrawnMoves = Vec<[u32; LANES]>;

/// What might be done in all lanes, and where it leads.
struct Drawn {
    made: DrawnMoves,
    next: Vec<Row>,
}

/// What to do in all lanes.
enum Best {
    /// One of what was drawn, by number, reaches the target in a lane.
    Hit(usize, usize),
    /// By lane, the number of what was drawn.
    Moves(Box<[usize; LANES]>),
}

/// What states are compared by.
struct Measure<'m, 'c> {
    distance: &'m mut Distance<'c>,
    /// Says how far a state is, if it is there; otherwise the gates of the condition do.
    relaxed: Option<&'m mut RelaxedDistance>,
}

/// What plays are led with.
pub(super) struct Guide<'g> {
    pub(super) circuit: &'g Circuit,
    pub(super) probe: &'g mut Probe,
    /// Operations, of 256 lanes each, that plays to a target may take.
    pub(super) operations: usize,
    /// Moves of a play.
    pub(super) length: usize,
    pub(super) stop: &'g StopFlag,
}

impl Guide<'_> {
    /// A play to a target, if some of the plays come to it; targets of steps are not led to.
    pub(super) fn to(&mut self, target: &Target) -> Option<Play> {
        let (signal, is_of_moves) = match target {
            Target::State(signal) => (*signal, false),
            Target::Move(signal) => (*signal, true),
            Target::Step(_) => return None,
        };
        let mut distance = Distance::new(self.circuit, signal);
        let moves: usize = self.circuit.moves.iter().map(Vec::len).sum();
        // A move that is drawn and the look at its state, and both distances of each gate of the condition, from those of
        // its inputs.
        let step = 2 * self.probe.operations()
            + 4 * moves
            + 16 * self.circuit.fluents.len()
            + 32 * (distance.cone.len() + distance.edges());
        let target = (signal, is_of_moves);
        let found = self.rounds((&mut distance, None), target, (self.operations, step));
        if found.is_some() {
            return found;
        }
        // What is so many moves away that the gates of the condition alone do not show the way to it.
        let mut relaxed = RelaxedDistance::new(self.circuit, signal)?;
        let step = step + relaxed.operations();
        let operations = RELAXED.saturating_mul(self.operations);
        self.rounds(
            (&mut distance, Some(&mut relaxed)),
            target,
            (operations, step),
        )
    }

    /// Rounds of plays with so many operations, of which the look at a move takes some.
    fn rounds(
        &mut self,
        (distance, mut relaxed): (&mut Distance<'_>, Option<&mut RelaxedDistance>),
        target: (Signal, bool),
        (operations, step): (usize, usize),
    ) -> Option<Play> {
        let share = operations / DRAWN.len();
        DRAWN.into_iter().find_map(|drawn| {
            let length = (share / (drawn * step).max(1)).min(self.length);
            if length < LEAST_LENGTH {
                return None;
            }
            let mut measure = Measure {
                distance,
                relaxed: relaxed.as_deref_mut(),
            };
            self.round(&mut measure, target, (drawn, length))
        })
    }

    /// Plays of some length at most, with so many moves drawn for each state.
    fn round(
        &mut self,
        measure: &mut Measure<'_, '_>,
        target: (Signal, bool),
        (drawn, length): (usize, usize),
    ) -> Option<Play> {
        let mut state = start(self.circuit);
        let mut alive: Row = [u64::MAX; 4];
        let mut made: Vec<DrawnMoves> = Vec::new();
        while made.len() < length && self.stop.raised().is_none() {
            self.probe.enter(&state);
            alive = without(alive, self.probe.terminal());
            let drawn = self.draw(drawn, &mut alive);
            if !any(alive) {
                return None;
            }
            match self.best(measure, target, (&state, alive), &drawn) {
                Best::Hit(number, lane) => {
                    made.push(drawn[number].made.clone());
                    return Some(self.play(&made, lane));
                }
                Best::Moves(best) => {
                    made.push(self.made(&drawn, &best));
                    state = reached(&drawn, &best, alive);
                }
            }
        }
        None
    }

    /// The best of the moves that were drawn, in each lane.
    fn best(
        &mut self,
        measure: &mut Measure<'_, '_>,
        (target, is_of_moves): (Signal, bool),
        (state, alive): (&[Row], Row),
        drawn: &[Drawn],
    ) -> Best {
        let mut best = Box::new([0; LANES]);
        let mut least = [FAR; LANES];
        for (number, Drawn { made, next }) in drawn.iter().enumerate() {
            // Of a target of moves, what it asks of the state alone: in the next state any move may be made.
            let mut far = measure.distance.of(target, next, None);
            let hit = if is_of_moves {
                measure.distance.of(target, state, Some(made))
            } else {
                far
            };
            if let Some(lane) = lanes(alive).find(|&lane| hit[lane] == 0) {
                return Best::Hit(number, lane);
            }
            if let Some(relaxed) = &mut measure.relaxed {
                far = relaxed.of(next);
            }
            self.probe.enter(next);
            let over = self.probe.terminal();
            for lane in lanes(alive) {
                let far = if bit(&over, lane) { FAR } else { far[lane] };
                // Some lanes are led less strictly, as they choose among fewer moves: of 4 drawn lane 0 takes the first,
                // lane 1 the better one of two, lane 3 the best of all.
                if number <= lane % drawn.len() && far < least[lane] {
                    (best[lane], least[lane]) = (number, far);
                }
            }
        }
        Best::Moves(best)
    }

    fn made(&self, drawn: &[Drawn], best: &[usize; LANES]) -> DrawnMoves {
        let roles = 0..self.circuit.moves.len();
        let made = roles.map(|role| std::array::from_fn(|lane| drawn[best[lane]].made[role][lane]));
        made.collect()
    }

    /// Joint moves by chance from the states that were entered; lanes in which some role has none are over.
    fn draw(&mut self, number: usize, alive: &mut Row) -> Vec<Drawn> {
        let drawn = (0..number).map(|_| {
            for role in 0..self.circuit.moves.len() {
                *alive = self.probe.choose(role, *alive);
            }
            let roles = self.circuit.moves.iter().enumerate();
            let made = roles.map(|(role, moves)| {
                let mut made = [0; LANES];
                for mv in 0..moves.len() {
                    lanes(self.probe.made(role, mv)).for_each(|lane| made[lane] = mv as u32);
                }
                made
            });
            let made = made.collect();
            self.probe.step();
            let fluents = 0..self.circuit.fluents.len();
            let next = fluents.map(|fluent| self.probe.next(fluent)).collect();
            Drawn { made, next }
        });
        drawn.collect()
    }

    fn play(&self, made: &[DrawnMoves], lane: usize) -> Play {
        let moves = made.iter().map(|made| {
            let roles = made.iter().zip(&self.circuit.moves);
            roles
                .map(|(made, own)| own[made[lane] as usize].term)
                .collect()
        });
        Play {
            moves: moves.collect(),
            repeats: None,
        }
    }
}

/// The states that some of what was drawn leads to.
fn reached(drawn: &[Drawn], best: &[usize; LANES], alive: Row) -> Vec<Row> {
    let mut chosen: Vec<Row> = vec![none(); drawn.len()];
    for lane in lanes(alive) {
        set_bit(&mut chosen[best[lane]], lane, true);
    }
    let fluents = drawn.first().map_or(0, |drawn| drawn.next.len());
    let state = (0..fluents).map(|place| {
        let next = drawn.iter().zip(&chosen);
        next.fold(none(), |all, (drawn, &lanes)| {
            or(all, and(drawn.next[place], lanes))
        })
    });
    state.collect()
}

impl<'c> Distance<'c> {
    fn new(circuit: &'c Circuit, condition: Signal) -> Self {
        let gates = &circuit.gates;
        // Gates below the condition, as far as conjunctions go; by number, so that inputs come first.
        let mut place: FxHashMap<usize, usize> = FxHashMap::default();
        let mut open = vec![condition.gate()];
        while let Some(gate) = open.pop() {
            if place.insert(gate, 0).is_none() && matches!(gates.gate(gate), Gate::And) {
                open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
            }
        }
        let mut cone: Vec<usize> = place.keys().copied().collect();
        cone.sort_unstable();
        for (number, gate) in cone.iter().enumerate() {
            place.insert(*gate, number);
        }
        let inputs = cone.iter().map(|&gate| {
            let inputs = gates.inputs(gate).iter();
            let places = inputs.map(|input| (place[&input.gate()], input.is_inverted()));
            places.collect()
        });
        Self {
            circuit,
            moves: circuit.moves_by_gate(),
            from: Vec::new(),
            inputs: inputs.collect(),
            cone,
        }
    }

    /// Number of inputs of all gates.
    fn edges(&self) -> usize {
        self.inputs.iter().map(Vec::len).sum()
    }

    /// How far some states, with the moves that are made or any, are from a condition, by lane; zero if it is true.
    fn of(&mut self, condition: Signal, state: &[Row], made: Option<&DrawnMoves>) -> LaneDistances {
        let gates = &self.circuit.gates;
        // A kilobyte each, for those that are asked.
        self.from.resize(self.cone.len(), [[0; LANES]; 2]);
        for (at, &gate) in self.cone.iter().enumerate() {
            let (before, from) = self.from.split_at_mut(at);
            from[0] = match gates.gate(gate) {
                Gate::False => [[0; LANES], [FAR; LANES]],
                Gate::Fluent(fluent) => either(|lane| bit(&state[fluent as usize], lane)),
                Gate::Move(..) => match (made, self.moves.get(&gate)) {
                    (Some(made), Some(&(role, mv))) => {
                        either(|lane| made[role][lane] as usize == mv)
                    }
                    (None, _) | (_, None) => [[0; LANES]; 2],
                },
                // What depends on itself is taken as it comes.
                Gate::Variable(..) => [[0; LANES]; 2],
                Gate::And => conjunction(&self.inputs[at], before),
            };
        }
        // The condition is above all gates that it is computed from.
        let from = self.from.last();
        from.map_or([FAR; LANES], |from| {
            from[usize::from(!condition.is_inverted())]
        })
    }
}

/// How far a conjunction is from being false, and from being true, given that of gates by place.
fn conjunction(inputs: &[(usize, bool)], from: &[[LaneDistances; 2]]) -> [LaneDistances; 2] {
    // To be true takes all inputs, the sum; to be false the nearest. a ∧ b ∧ ¬c where only a and c hold: b and c have
    // to change for it to be true (0 + 1 + 1), and nothing for it to be false.
    let (mut all, mut least) = ([0u16; LANES], [FAR; LANES]);
    for &(place, is_inverted) in inputs {
        let of_input = &from[place];
        let to_false = &of_input[usize::from(is_inverted)];
        let to_true = &of_input[usize::from(!is_inverted)];
        for (sum, far) in all.iter_mut().zip(to_true) {
            *sum = sum.saturating_add(*far);
        }
        for (least, far) in least.iter_mut().zip(to_false) {
            *least = (*far).min(*least);
        }
    }
    [least, all]
}

/// How far what holds in some lanes is from being false, and from being true.
fn either(holds: impl Fn(usize) -> bool) -> [LaneDistances; 2] {
    let to_false = std::array::from_fn(|lane| u16::from(holds(lane)));
    [to_false, to_false.map(|far| 1 - far)]
}
