//! A sample of states from random playouts: how often each fluent holds.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::Signal;
use crate::circuit::incremental::network::Network;
use crate::circuit::incremental::values::Values;
use crate::circuit::schedule::Phase;
use crate::gdl::{FluentId, State};

/// States of the sample.
const STATES: u32 = 256;

/// What holds in less than one of so many states is rare.
const RARE: u32 = 4;

/// How often fluents hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Frequencies {
    /// Number of states.
    pub(super) states: u32,
    /// By gate of a fluent, in how many of them it held.
    pub(super) held: Vec<u32>,
}

impl Frequencies {
    /// In how many states a fluent, or its inverse, held.
    pub(super) fn of(&self, signal: Signal) -> u32 {
        let held = self.held[signal.gate()];
        if signal.is_inverted() {
            self.states - held
        } else {
            held
        }
    }

    /// In how many states one of some held, at most.
    pub(super) fn sum(&self, signals: &[Signal]) -> u32 {
        signals.iter().map(|&signal| self.of(signal)).sum()
    }

    /// Whether it is rare that one of some holds.
    pub(super) fn are_rare(&self, signals: &[Signal]) -> bool {
        RARE * self.sum(signals) < self.states
    }
}

/// How often fluents hold in random play.
pub(super) fn sample_frequencies(
    circuit: &Circuit,
    network: &Network,
    fluents: &[FluentId],
) -> Frequencies {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut frequencies = Frequencies {
        states: STATES,
        held: vec![0; circuit.gates.len()],
    };
    let named = circuit.fluents.iter().zip(fluents);
    let initial: State = named
        .filter(|(fluent, _)| fluent.initial)
        .map(|(_, &id)| id)
        .collect();
    let mut values = Values::new(network);
    let mut state = initial.clone();
    let mut made: Vec<Option<u32>> = vec![None; circuit.moves.len()];
    for _ in 0..STATES {
        values.enter(network, &state);
        // What holds is counted before it is known whether the state is an end, which counts like any other.
        values.propagate(network, Phase::State);
        for (fluent, &id) in circuit.fluents.iter().zip(fluents) {
            frequencies.held[fluent.holds.gate()] += u32::from(state.contains(id));
        }
        let mut is_over = values.is_terminal(network);
        for (role, made) in made.iter_mut().enumerate() {
            let legal: Vec<usize> = values.legal(network, role).collect();
            is_over |= legal.is_empty();
            // The move of the step before is taken back, even where the play begins anew.
            if let Some(place) = made.take() {
                values.set_move(network, role, place, false);
            }
            if !is_over {
                let place = legal[random.random_range(0..legal.len())] as u32;
                values.set_move(network, role, place, true);
                *made = Some(place);
            }
        }
        state = if is_over {
            initial.clone()
        } else {
            values.propagate(network, Phase::Next);
            State::of_words(values.next(network).to_vec())
        };
    }
    frequencies
}
