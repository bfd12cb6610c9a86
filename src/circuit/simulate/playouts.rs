//! Random playouts in lanes: a lane whose game is over starts the next one at once.
//!
//! All playouts that are started are played to their end and counted, long ones like short ones, and those
//! that get stuck or are cut as such. What comes of it depends on the seed and the number of lanes only.

use std::sync::Arc;

use crate::circuit::assemble::Circuit;
use crate::circuit::code::Code;
use crate::circuit::simulate::series::{
    PlayoutBatch, PlayoutFault, PlayoutTally, Series, SeriesControl,
};
use crate::gdl::{FluentId, Outcomes, Playout, State, Vocabulary};

/// Makes playouts of a game.
#[derive(Clone, Debug)]
pub struct Simulator {
    circuit: Arc<Circuit>,
    code: Code,
    /// The fluents of the circuit.
    fluents: Vec<FluentId>,
}

impl Simulator {
    /// Prepares a circuit.
    pub fn new(circuit: Arc<Circuit>, vocabulary: &mut Vocabulary) -> Self {
        let fluents = circuit.fluents.iter();
        Self {
            code: Code::of(&circuit, false),
            fluents: fluents
                .map(|fluent| vocabulary.fluent(fluent.term))
                .collect(),
            circuit,
        }
    }

    /// Operations that one step of all lanes takes at most.
    pub fn operations(&self) -> usize {
        self.code.operations
    }

    /// Makes playouts in so many lanes, a multiple of 64, up to 512, until somebody stops them.
    pub fn run(&self, batch: PlayoutBatch, lanes: usize, control: &SeriesControl) -> PlayoutTally {
        match lanes {
            0..=64 => self.play::<1>(batch, control),
            65..=256 => self.play::<4>(batch, control),
            _ => self.play::<8>(batch, control),
        }
    }

    /// The same in 512 lanes, with what came of each playout. Those that were never started have length 0.
    pub fn record(&self, batch: PlayoutBatch, control: &SeriesControl) -> (PlayoutTally, Outcomes) {
        let goals = &self.circuit.goals;
        let mut series = Series::<8>::new(&self.code, goals, batch, control);
        series.outcomes = Some(Outcomes::new(goals.len(), batch.playouts as usize));
        series.run(u64::MAX);
        (series.tally, series.outcomes.unwrap_or_default())
    }

    fn play<const W: usize>(&self, batch: PlayoutBatch, control: &SeriesControl) -> PlayoutTally {
        let goals = &self.circuit.goals;
        let mut series = Series::<W>::new(&self.code, goals, batch, control);
        // To the end of all playouts, or until the control ends it.
        series.run(u64::MAX);
        let mut tally = series.tally;
        if let Some(fault) = series.fault {
            // Fluents on which nothing depends are not simulated. The same choices lead to the same fault
            // with all of them.
            let code = Code::of(&self.circuit, true);
            let control = SeriesControl {
                end: control.end.clone(),
                ..SeriesControl::default()
            };
            let batch = PlayoutBatch {
                playouts: series.batch.playouts,
                ..batch
            };
            let mut again = Series::<W>::new(&code, goals, batch, &control);
            again.run(fault.step);
            tally.fault = Some(match again.fault {
                Some(again) if again.step == fault.step => self.shown(&code, again),
                // No time is left for that; what is simulated of the state is shown.
                Some(_) | None => self.shown(&self.code, fault),
            });
        }
        tally
    }

    fn shown(&self, code: &Code, fault: PlayoutFault) -> (u64, Playout) {
        let always = self.circuit.always();
        // Fluents that always hold have no register.
        let mut state: State = always.map(|place| self.fluents[place]).collect();
        for (register, _) in code
            .registers
            .iter()
            .zip(&fault.held)
            .filter(|(_, held)| **held)
        {
            state.insert(self.fluents[register.fluent as usize]);
        }
        let playout = Playout {
            length: fault.length,
            last: state,
            ending: fault.ending,
        };
        (fault.number, playout)
    }
}
