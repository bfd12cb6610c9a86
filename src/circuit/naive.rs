//! Random circuits: what lanes and counters make of them is what a naive evaluator does, each lane by itself.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::{Circuit, Fluent, Move, Payoff};
use crate::circuit::code::{Code, Wire};
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::incremental::{Network, Values};
use crate::circuit::schedule::PHASES;
use crate::circuit::simulate::Probe;
use crate::circuit::simulate::lanes::{Lanes, bit, none, set_bit};
use crate::circuit::simulate::machine::{evaluate, holds};
use crate::gdl::{FluentId, State, Vocabulary};
use crate::term::{Store, TermId};

/// Circuits that are tried.
const CASES: u64 = 60;

/// Words of a value in lanes.
const WORDS: usize = 2;

/// Fluents and moves of a circuit.
const FLUENTS: u32 = 12;
const MOVES: u32 = 5;

/// Adds random conjunctions to some signals, of which those in front are inputs far more often than others.
fn conjoin(
    gates: &mut Gates,
    mut pool: Vec<Signal>,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<Signal> {
    for _ in 0..random.random_range(20..300) {
        let mut inputs: Vec<Signal> = Vec::new();
        for _ in 0..random.random_range(2..7) {
            let last = pool.len() as f64;
            let place = (random.random::<f64>().powi(3) * last) as usize;
            inputs.push(pool[place].inverted_if(random.random()));
        }
        let gate = gates.and(&mut inputs);
        if gate.constant().is_none() {
            pool.push(gate);
        }
    }
    pool
}

/// A circuit of random conjunctions with one role.
fn random_circuit(terms: &[TermId], random: &mut Xoshiro256PlusPlus) -> Circuit {
    let mut gates = Gates::default();
    let fluents: Vec<Signal> = (0..FLUENTS)
        .map(|at| gates.source(Gate::Fluent(at)))
        .collect();
    let moves: Vec<Signal> = (0..MOVES).map(|at| gates.source_move(0, at)).collect();
    let sources = [fluents.as_slice(), moves.as_slice()].concat();
    let pool = conjoin(&mut gates, sources, random);
    let mut any = || pool[random.random_range(0..pool.len())].inverted_if(random.random());
    Circuit {
        fluents: (fluents.iter().zip(terms))
            .map(|(&holds, &term)| Fluent {
                term,
                initial: false,
                holds,
                next: any(),
            })
            .collect(),
        moves: vec![
            (moves.iter().zip(terms))
                .map(|(&made, &term)| Move {
                    term,
                    made,
                    legal: any(),
                })
                .collect(),
        ],
        terminal: any(),
        goals: vec![
            (terms.iter().take(2))
                .map(|&term| Payoff {
                    term,
                    value: None,
                    signal: any(),
                })
                .collect(),
        ],
        gates,
    }
}

/// A state, by fluent, and a move.
type Given = ([bool; FLUENTS as usize], usize);

/// Everything that is asked for, in order: next fluents, legal moves, payoffs, the end.
fn naive(circuit: &Circuit, (held, made): &Given) -> Vec<bool> {
    let mut values = vec![false; circuit.gates.len()];
    let is = |values: &[bool], signal: Signal| values[signal.gate()] != signal.is_inverted();
    for gate in 1..circuit.gates.len() {
        values[gate] = match circuit.gates.gate(gate) {
            Gate::Fluent(place) => held[place as usize],
            Gate::Move(_, place) => place as usize == *made,
            Gate::And => (circuit.gates.inputs(gate).iter()).all(|&input| is(&values, input)),
            Gate::False | Gate::Variable(..) => false,
        };
    }
    let next = circuit.fluents.iter().map(|fluent| fluent.next);
    let legal = circuit.moves[0].iter().map(|mv| mv.legal);
    let goals = circuit.goals[0].iter().map(|payoff| payoff.signal);
    let all = next.chain(legal).chain(goals).chain([circuit.terminal]);
    all.map(|signal| is(&values, signal)).collect()
}

/// What lanes say, one state and move a lane.
fn in_lanes(circuit: &Circuit, given: &[Given]) -> Vec<Vec<bool>> {
    let code = Code::of(circuit, true);
    let mut values: Vec<Lanes<WORDS>> = vec![none(); code.slots];
    for (lane, (held, made)) in given.iter().enumerate() {
        for register in &code.registers {
            let holds = held[register.fluent as usize];
            set_bit(&mut values[register.slot.index()], lane, holds);
        }
        set_bit(&mut values[code.moves[0][*made].made.index()], lane, true);
    }
    for phase in PHASES {
        evaluate(&code, phase, &mut values);
    }
    let next = code.registers.iter().map(|register| register.next);
    let legal = code.moves[0].iter().map(|choice| choice.legal);
    let goals = code.goals[0].iter().copied();
    let all: Vec<Wire> = next
        .chain(legal)
        .chain(goals)
        .chain([code.terminal])
        .collect();
    let lanes = 0..given.len();
    lanes
        .map(|lane| all.iter().map(|&wire| holds(&values, wire, lane)).collect())
        .collect()
}

/// What counters say, one state and move after the other.
fn one_by_one(circuit: &Circuit, ids: &[FluentId], given: &[Given]) -> Vec<Vec<bool>> {
    let network = Network::new(circuit, ids);
    let mut values = Values::new(&network);
    let mut before = None;
    let mut said = Vec::new();
    for &(held, made) in given {
        let fluents = ids.iter().zip(held).filter(|(_, held)| *held);
        let state: State = fluents.map(|(&id, _)| id).collect();
        values.enter(&network, &state);
        for (mv, is_made) in [(before.replace(made), false), (Some(made), true)] {
            if let Some(mv) = mv {
                values.set_move(&network, 0, mv as u32, is_made);
            }
        }
        for phase in PHASES {
            values.propagate(&network, phase);
        }
        let next = State::of_words(values.next(&network).to_vec());
        let mut all: Vec<bool> = ids.iter().map(|&id| next.contains(id)).collect();
        let legal: Vec<usize> = values.legal(&network, 0).collect();
        all.extend((0..MOVES as usize).map(|mv| legal.contains(&mv)));
        let had: Vec<usize> = values.goals(&network, 0).collect();
        all.extend((0..circuit.goals[0].len()).map(|goal| had.contains(&goal)));
        all.push(values.is_terminal(&network));
        said.push(all);
    }
    said
}

/// What is next after one move instead of another, by events: by move, for each state by fluent.
fn by_events(
    circuit: &Circuit,
    states: &[[bool; FLUENTS as usize]],
    moves: &[usize],
    random: &mut Xoshiro256PlusPlus,
) -> Vec<Vec<Vec<bool>>> {
    let mut probe = Probe::new(circuit, random);
    let mut rows = vec![none(); FLUENTS as usize];
    for (lane, state) in states.iter().enumerate() {
        for (row, &holds) in rows.iter_mut().zip(state) {
            set_bit(row, lane, holds);
        }
    }
    probe.enter(&rows);
    probe.clear(0);
    probe.step();
    let (mut made, mut changed) = (None, Vec::new());
    let mut after = Vec::new();
    for &mv in moves {
        let before: Vec<_> = (0..FLUENTS as usize)
            .map(|place| probe.next(place))
            .collect();
        changed.clear();
        probe.exchange(0, made.replace(mv), mv, &mut changed);
        let next: Vec<_> = (0..FLUENTS as usize)
            .map(|place| probe.next(place))
            .collect();
        let differ = (0..FLUENTS).filter(|&place| before[place as usize] != next[place as usize]);
        assert!(differ.into_iter().all(|place| changed.contains(&place)));
        let lanes = 0..states.len();
        let by_state = lanes.map(|lane| next.iter().map(|row| bit(row, lane)).collect());
        after.push(by_state.collect());
    }
    after
}

#[test]
fn random_circuits_are_followed_by_events() {
    let mut store = Store::new();
    let terms: Vec<TermId> = (0..i64::from(FLUENTS))
        .map(|at| store.integer(at))
        .collect();
    for seed in 0..CASES {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut circuit = random_circuit(&terms, random);
        // In games nothing but the next state depends on what is moved.
        let held = circuit.fluents[0].holds;
        circuit.terminal = held;
        circuit.moves[0].iter_mut().for_each(|mv| mv.legal = held);
        let goals = circuit.goals[0].iter_mut();
        goals.for_each(|payoff| payoff.signal = held);
        let states: Vec<[bool; FLUENTS as usize]> = (0..200).map(|_| random.random()).collect();
        let moves: Vec<usize> = (0..8)
            .map(|_| random.random_range(0..MOVES as usize))
            .collect();
        let after = by_events(&circuit, &states, &moves, random);
        for (&mv, after) in moves.iter().zip(after) {
            let expected = states.iter().map(|&state| {
                let mut all = naive(&circuit, &(state, mv));
                all.truncate(FLUENTS as usize);
                all
            });
            assert_eq!(
                after,
                expected.collect::<Vec<_>>(),
                "seed {seed}, move {mv}"
            );
        }
    }
}

#[test]
fn random_circuits_are_evaluated_lane_by_lane_and_change_by_change() {
    let mut store = Store::new();
    let terms: Vec<TermId> = (0..i64::from(FLUENTS))
        .map(|at| store.integer(at))
        .collect();
    let mut vocabulary = Vocabulary::new(store);
    let ids: Vec<FluentId> = terms.iter().map(|&term| vocabulary.fluent(term)).collect();
    for seed in 0..CASES {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let circuit = random_circuit(&terms, random);
        let given: Vec<Given> = (0..64 * WORDS)
            .map(|_| (random.random(), random.random_range(0..MOVES as usize)))
            .collect();
        let expected: Vec<Vec<bool>> = given.iter().map(|given| naive(&circuit, given)).collect();
        assert_eq!(in_lanes(&circuit, &given), expected, "seed {seed}");
        assert_eq!(one_by_one(&circuit, &ids, &given), expected, "seed {seed}");
    }
}
