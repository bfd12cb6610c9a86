//! A game as samples show it: circuit, proved variables, states and joint moves, classes of moves.

use fixedbitset::FixedBitSet;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{Link, Plays, Sample, Trial, Variable, crossed, linked, reached};
use crate::circuit::lanes::{inverted_if, none};
use crate::circuit::{Circuit, Probe};
use crate::decomposition::classes::{Classes, differs};
use crate::decomposition::effects::MoveEffects;
use crate::limits::{StopFlag, StopReason};

/// Operations, of one word each, that sampling a dependence of every variable may take.
const OPERATIONS: usize = 4_000_000_000;

/// Samples at least, whatever they cost.
const MIN_SAMPLES: usize = 2;

/// Samples at most.
const MAX_SAMPLES: usize = 8;

/// Samples at most from which classes of moves are made.
pub(super) const MAX_CLASS_SAMPLES: usize = 4;

/// Operations, of one word each, that making every move in all states of more than the fewest samples may take.
const CLASS_OPERATIONS: usize = 200_000_000;

/// Operations, of one word each, that telling moves apart in counterexamples may take.
const TELLING_OPERATIONS: usize = 4_000_000_000;

/// A game, seen through samples.
pub(super) struct Model<'c> {
    pub(super) circuit: &'c Circuit,
    pub(super) variables: Vec<Variable>,
    /// The fluents, by place, of variables that can be chosen apart from each other: linked ones together.
    pub(super) blocks: Vec<Vec<usize>>,
    /// By variable, those other ones whose next values are computed from it.
    pub(super) readers: Vec<FixedBitSet>,
    pub(super) samples: Vec<Sample>,
    /// By role and variable.
    pub(super) classes: Vec<Vec<Classes>>,
    /// By variable, whether what it is next depends on the joint move.
    pub(super) movable: Vec<bool>,
    /// The plays near which the states of the samples are.
    pub(super) plays: Plays,
    pub(super) probe: Probe,
    pub(super) random: Xoshiro256PlusPlus,
    pub(super) stop: StopFlag,
    /// Operations that telling moves apart may take yet.
    telling: usize,
}

impl<'c> Model<'c> {
    /// Draws the samples and classifies the moves.
    ///
    /// # Errors
    /// [`StopReason`] from outside.
    pub(super) fn new(
        circuit: &'c Circuit,
        trial: Trial<'_>,
        (variables, links): (Vec<Variable>, &[Link]),
        stop: &StopFlag,
    ) -> Result<Self, StopReason> {
        let Trial {
            sources,
            plays,
            mut probe,
            mut random,
            ..
        } = trial;
        // A variable is varied for its dependents, once more with phases, and for what is legal: about eight evaluations.
        let each = probe.operations().max(1) * variables.len().max(1) * 8;
        let count = (OPERATIONS / each).clamp(MIN_SAMPLES, MAX_SAMPLES);
        let blocks = linked(&variables, links);
        let mut samples = Vec::new();
        for number in 0..count {
            let mut state = reached(&plays, &mut random);
            // Every other sample is of states that plays need not reach, but as far as is known may.
            if number % 2 == 1 {
                let other = reached(&plays, &mut random);
                state = crossed(&blocks, &state, &other, &mut random);
            }
            samples.push(Sample::of(circuit, &mut probe, state, &mut random));
        }
        stop.poll()?;
        let moves: usize = circuit.moves.iter().map(Vec::len).sum();
        let class_samples = (CLASS_OPERATIONS / (probe.operations() * moves).max(1))
            .clamp(MIN_SAMPLES, MAX_CLASS_SAMPLES);
        let mut effects = MoveEffects {
            circuit,
            probe: &mut probe,
            variables: &variables,
            samples: &samples[..class_samples.min(samples.len())],
        };
        let classes = effects.classes();
        // For the classes every move is made in every state, which few samples have to do for; six joint moves a state
        // are cheap enough for all.
        effects.samples = &samples;
        let movable = effects.movable(&mut random);
        Ok(Self {
            circuit,
            readers: sources.readers(&variables),
            variables,
            blocks,
            samples,
            classes,
            movable,
            plays,
            probe,
            random,
            stop: stop.clone(),
            telling: TELLING_OPERATIONS,
        })
    }

    /// Tells moves apart that were taken for alike for some variables, by what they do in a state in which they are
    /// legal; whether there were such, none if that took too much.
    pub(super) fn tell_apart(&mut self, variables: &[usize], state: &[bool]) -> bool {
        let moves: usize = self.circuit.moves.iter().map(Vec::len).sum();
        let Some(left) = self.telling.checked_sub(moves * self.probe.operations()) else {
            return false;
        };
        self.telling = left;
        let row = |&holds: &bool| inverted_if(none(), holds);
        let state = state.iter().map(row).collect();
        let sample = Sample::of(self.circuit, &mut self.probe, state, &mut self.random);
        let mut effects = MoveEffects {
            circuit: self.circuit,
            probe: &mut self.probe,
            variables: &self.variables,
            samples: std::slice::from_ref(&sample),
        };
        effects.refine(variables, &mut self.classes)
    }

    /// The other variables from which the next value of one is computed.
    pub(super) fn sources_of(&self, variable: usize) -> impl Iterator<Item = usize> {
        let readers = self.readers.iter().enumerate();
        let sources = readers.filter(move |(_, readers)| readers.contains(variable));
        sources.map(|(source, _)| source)
    }

    /// Whether a variable is the same after all moves of the samples.
    pub(super) fn never_changes(&self, variable: usize) -> bool {
        let variable = &self.variables[variable];
        let mut samples = self.samples.iter();
        samples.all(|sample| differs(variable, &sample.state, &sample.next, sample.open) == none())
    }

    /// Number of roles.
    pub(super) fn roles(&self) -> usize {
        self.circuit.moves.len()
    }
}
