//! What all steps of a decomposition work on: circuit, proved variables, samples, classes of moves.

use fixedbitset::FixedBitSet;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::Plays;
use crate::circuit::invariants::Sources;
use crate::circuit::invariants::Variable;
use crate::circuit::invariants::{Sample, crossed, reached};
use crate::circuit::lanes::{inverted_if, none};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::classes::{self, Classes};
use crate::limits::{StopFlag, StopReason};

/// Operations, of one word each, that sampling a dependence of every variable may take.
const OPERATIONS: usize = 4_000_000_000;

/// Samples at least, whatever they cost.
const MIN_SAMPLES: usize = 2;

/// Samples at most.
const MAX_SAMPLES: usize = 8;

/// Samples from which classes of moves are made.
const CLASS_SAMPLES: usize = 2;

/// A game, seen through samples.
pub(super) struct Model<'c> {
    pub(super) circuit: &'c Circuit,
    pub(super) variables: Vec<Variable>,
    /// By variable, those other ones whose next values are computed from it.
    pub(super) readers: Vec<FixedBitSet>,
    pub(super) samples: Vec<Sample>,
    /// By role and variable.
    pub(super) classes: Vec<Vec<Classes>>,
    /// By variable, whether what it is next depends on the joint move.
    pub(super) movable: Vec<bool>,
    pub(super) probe: Probe,
    pub(super) random: Xoshiro256PlusPlus,
    pub(super) stop: StopFlag,
}

impl<'c> Model<'c> {
    /// Draws the samples and classifies the moves.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(super) fn new(
        circuit: &'c Circuit,
        sources: &Sources,
        variables: Vec<Variable>,
        plays: &Plays,
        mut probe: Probe,
        mut random: Xoshiro256PlusPlus,
        stop: StopFlag,
    ) -> Result<Self, StopReason> {
        let each = probe.operations().max(1) * variables.len().max(1) * 8;
        let count = (OPERATIONS / each).clamp(MIN_SAMPLES, MAX_SAMPLES);
        let mut samples = Vec::new();
        for number in 0..count {
            let mut state = reached(plays, &mut random);
            if number % 2 == 1 {
                let other = reached(plays, &mut random);
                state = crossed(&variables, &state, &other, &mut random);
            }
            samples.push(Sample::of(circuit, &mut probe, state, &mut random));
        }
        stop.poll()?;
        let few = &samples[..CLASS_SAMPLES.min(samples.len())];
        let classes = classes::of_variables(circuit, &mut probe, &variables, few);
        let movable = classes::movable(circuit, &mut probe, &variables, &samples, &mut random);
        Ok(Self {
            circuit,
            readers: sources.readers(&variables),
            variables,
            samples,
            classes,
            movable,
            probe,
            random,
            stop,
        })
    }

    /// Tells moves apart that were taken for alike for some variables, by what they do in a state in which they are
    /// legal; whether there were such.
    pub(super) fn tell_apart(&mut self, variables: &[usize], state: &[bool]) -> bool {
        let row = |&holds: &bool| inverted_if(none(), holds);
        let state = state.iter().map(row).collect();
        let sample = Sample::of(self.circuit, &mut self.probe, state, &mut self.random);
        let (circuit, probe) = (self.circuit, &mut self.probe);
        classes::refine(
            circuit,
            probe,
            (&self.variables, variables),
            &sample,
            &mut self.classes,
        )
    }

    /// The other variables from which the next value of one is computed.
    pub(super) fn sources_of(&self, variable: usize) -> impl Iterator<Item = usize> {
        let readers = self.readers.iter().enumerate();
        let sources = readers.filter(move |(_, readers)| readers.contains(variable));
        sources.map(|(source, _)| source)
    }

    /// Number of roles.
    pub(super) fn roles(&self) -> usize {
        self.circuit.moves.len()
    }
}
