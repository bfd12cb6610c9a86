//! The circuit under one move: what the next state is computed from if that move is made and no other.
//!
//! Almost all gates do not see which move it is. They are made once, for no move at all; for each move those behind it
//! are made anew:
//!
//! ```text
//! next(cell(1,1,b)) = cell(1,1,b) ∧ ¬mark(1,1)      no move: cell(1,1,b)      mark(1,1): false
//! ```

use fixedbitset::FixedBitSet;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Loop, Signal};
use crate::circuit::grouped::Grouped;

/// A circuit of one role, seen under one move after the other.
pub(super) struct Cofactors<'c> {
    circuit: &'c Circuit,
    /// Fluents that hold in no state.
    never: FixedBitSet,
    /// The gates of all cofactors, without moves.
    pub(super) gates: Gates,
    /// By gate of the circuit, what it is if no move is made.
    idle: Vec<Signal>,
    /// By gate of the circuit, what it is if the move is made; [`Signal::NONE`] where that is the same.
    made: Vec<Signal>,
    /// The gates with an entry in `made`, ascending.
    cone: Vec<usize>,
    /// By gate of the circuit, the gates that read it.
    readers: Grouped<u32>,
}

impl<'c> Cofactors<'c> {
    /// The circuit without a move, and without the fluents that never hold.
    pub(super) fn new(circuit: &'c Circuit, never: FixedBitSet) -> Self {
        let number = circuit.gates.len();
        let mut cofactors = Self {
            circuit,
            never,
            gates: Gates::default(),
            idle: vec![Signal::NONE; number],
            made: vec![Signal::NONE; number],
            cone: (0..number).collect(),
            readers: readers(&circuit.gates),
        };
        cofactors.evaluate(None);
        std::mem::swap(&mut cofactors.idle, &mut cofactors.made);
        cofactors.cone.clear();
        cofactors
    }

    /// Makes a move instead of the one before.
    pub(super) fn make(&mut self, mv: Signal) {
        for gate in self.cone.drain(..) {
            self.made[gate] = Signal::NONE;
        }
        // What reads something that the move changes may change.
        let mut seen = FixedBitSet::with_capacity(self.circuit.gates.len());
        let mut open = vec![mv.gate()];
        while let Some(gate) = open.pop() {
            if !seen.put(gate) {
                open.extend(self.readers.of(gate).iter().map(|&reader| reader as usize));
            }
        }
        self.cone = seen.ones().collect();
        self.evaluate(Some(mv.gate()));
    }

    /// What a signal of the circuit is under the move.
    pub(super) fn under_move(&self, signal: Signal) -> Signal {
        let made = self.made[signal.gate()];
        let own = match made {
            Signal::NONE => self.idle[signal.gate()],
            made => made,
        };
        own.inverted_if(signal.is_inverted())
    }

    /// What a signal of the circuit is if no move is made, as all that is asked of states alone.
    pub(super) fn without_move(&self, signal: Signal) -> Signal {
        self.idle[signal.gate()].inverted_if(signal.is_inverted())
    }

    /// Makes the gates of the cone anew, inputs first.
    fn evaluate(&mut self, mv: Option<usize>) {
        let circuit = self.circuit;
        // By loop of the circuit, the one that takes its place.
        let mut loops: Vec<Option<usize>> = vec![None; circuit.gates.loops().len()];
        let mut inputs = Vec::new();
        for at in 0..self.cone.len() {
            let gate = self.cone[at];
            self.made[gate] = match circuit.gates.gate(gate) {
                Gate::False => Signal::FALSE,
                Gate::Fluent(place) if self.never.contains(place as usize) => Signal::FALSE,
                fluent @ Gate::Fluent(_) => self.gates.source(fluent),
                Gate::Move(..) if mv == Some(gate) => Signal::TRUE,
                Gate::Move(..) => Signal::FALSE,
                Gate::Variable(number, at) => self.variable(&mut loops[number as usize], at),
                Gate::And => {
                    let old = circuit.gates.inputs(gate).iter();
                    inputs.extend(old.map(|&input| self.under_move(input)));
                    let signal = self.gates.and(&mut inputs);
                    inputs.clear();
                    signal
                }
            };
        }
        // Definitions come behind the variables, and close the loops.
        for (old, new) in circuit.gates.loops().iter().zip(loops) {
            if let Some(new) = new {
                let definitions = old.definitions.iter();
                let definitions = definitions.map(|&definition| self.under_move(definition));
                self.gates.loops[new].definitions = definitions.collect();
            }
        }
    }

    /// A variable of a new loop; variables of a loop come in their order.
    fn variable(&mut self, new: &mut Option<usize>, at: u32) -> Signal {
        let number = *new.get_or_insert_with(|| {
            self.gates.loops.push(Loop::default());
            self.gates.loops.len() - 1
        });
        let signal = self.gates.source(Gate::Variable(number as u32, at));
        self.gates.loops[number].variables.push(signal.gate());
        signal
    }
}

/// By gate, the gates that read it. A loop is made anew as a whole: whatever defines one of its variables is read by the
/// first, and the first by all others.
fn readers(gates: &Gates) -> Grouped<u32> {
    let inputs = (0..gates.len()).flat_map(|gate| {
        let inputs = gates.inputs(gate).iter();
        inputs.map(move |input| (input.gate(), gate as u32))
    });
    let loops = gates.loops().iter().flat_map(|own| {
        let first = own.variables.first().copied().unwrap_or_default();
        let definitions = own.definitions.iter();
        let closing = definitions.map(move |definition| (definition.gate(), first as u32));
        let others = own.variables.iter().skip(1);
        closing.chain(others.map(move |&variable| (first, variable as u32)))
    });
    Grouped::new(gates.len(), inputs.chain(loops))
}
