//! Straight-line code: in which order gates are evaluated, and where their values are kept.
//!
//! Within a phase gates of one level, none of which depends on another, and of one form follow each
//! other, so that one tight loop evaluates all of them; what they give is written to consecutive slots.

use rustc_hash::FxHashSet;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::narrow::narrow;
use crate::circuit::schedule::{PHASES, Part, Phase, Schedule, needed};

/// Where a value is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slot(u32);

impl Slot {
    /// The slot that is never written, and false.
    pub(super) const FALSE: Self = Self(0);

    #[inline]
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The slot as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A signal in terms of slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wire {
    pub(super) slot: Slot,
    pub(super) inverted: bool,
}

/// Gates with more inputs are made of several operations.
pub(super) const MAX_INPUTS: usize = 4;

/// Conjunctions of the same form: so many inputs, of which the last so many are inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    pub(super) inputs: u8,
    pub(super) inverted: u8,
}

/// Operations of one form that do not depend on each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) form: Form,
    /// The slot of the first one's result; the others follow.
    pub(super) first: Slot,
    /// Where the slots of the inputs are in [`Code::inputs`].
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A variable of a loop with the operations of its definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) runs: (u32, u32),
    pub(super) variable: Slot,
    pub(super) definition: Wire,
}

/// Something to evaluate: runs, or the cells of a loop until nothing changes, by range.
#[derive(Clone, Copy, Debug)]
pub(super) enum Segment {
    Runs(u32, u32),
    Loop(u32, u32),
}

/// A fluent on which play depends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register {
    /// Its place in the circuit.
    pub(super) fluent: u32,
    pub(super) slot: Slot,
    pub(super) next: Wire,
    pub(super) initial: bool,
}

/// A move that may be legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// Its place among the moves of its role.
    pub(super) mv: u32,
    pub(super) legal: Wire,
    /// Where it is said that the move is made.
    pub(super) made: Slot,
}

/// The code of a circuit.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) slots: usize,
    pub(super) inputs: Vec<Slot>,
    pub(super) runs: Vec<Run>,
    pub(super) cells: Vec<Cell>,
    pub(super) segments: [Vec<Segment>; 3],
    pub(super) registers: Vec<Register>,
    /// For each role, its moves.
    pub(super) moves: Vec<Vec<Choice>>,
    pub(super) terminal: Wire,
    /// For each role, the payoffs by place in the circuit.
    pub(super) goals: Vec<Vec<Wire>>,
    /// Operations in all.
    pub(super) operations: usize,
}

impl Code {
    /// The code of a circuit. Fluents on which neither moves nor goals nor the end depend are left out,
    /// unless `everything` is asked for.
    pub(super) fn of(circuit: &Circuit, everything: bool) -> Self {
        // First narrow gates: the machine has loops for two to four inputs.
        let circuit = narrow(circuit, &needed(circuit, everything), MAX_INPUTS);
        let mut writer = CodeWriter::new(&circuit, Schedule::of(&circuit, everything));
        writer.sources();
        for phase in PHASES {
            writer.write(phase);
        }
        writer.finish()
    }

    /// The slots of the results of a run.
    pub(super) fn results(&self, run: usize) -> impl Iterator<Item = Slot> + use<> {
        let Run {
            form,
            first,
            start,
            end,
        } = self.runs[run];
        let operations = (end - start) / u32::from(form.inputs);
        (first.0..first.0 + operations).map(Slot)
    }

    /// The slots that an operation of a run reads; its result is kept in the one given.
    pub(super) fn inputs_of(&self, run: usize, result: Slot) -> &[Slot] {
        let Run {
            form, first, start, ..
        } = self.runs[run];
        let inputs = usize::from(form.inputs);
        let start = start as usize + (result.0 - first.0) as usize * inputs;
        &self.inputs[start..start + inputs]
    }

    /// The slots before this one are all that is written before payoffs and the next state are.
    pub(super) fn end_of_state(&self) -> usize {
        let runs = self.segments[Phase::State as usize]
            .iter()
            .map(|segment| match *segment {
                Segment::Runs(_, end) => end,
                Segment::Loop(start, end) => {
                    let cells = self.cells[start as usize..end as usize].iter();
                    cells.map(|cell| cell.runs.1).max().unwrap_or(0)
                }
            });
        // Slots are given to sources first, and then phase by phase and run by run.
        let next = runs.max().unwrap_or(0);
        self.runs
            .get(next as usize)
            .map_or(self.slots, |run| run.first.index())
    }
}

/// Writes the code of a circuit of narrow gates all of which are needed.
struct CodeWriter<'c> {
    circuit: &'c Circuit,
    gates: &'c Gates,
    schedule: Schedule,
    slot: Vec<Slot>,
    /// Levels of the gates of the segment that is being written, and 0 of all others.
    level: Vec<u32>,
    code: Code,
}

impl<'c> CodeWriter<'c> {
    fn new(circuit: &'c Circuit, schedule: Schedule) -> Self {
        Self {
            circuit,
            gates: &circuit.gates,
            schedule,
            slot: vec![Slot::FALSE; circuit.gates.len()],
            level: vec![0; circuit.gates.len()],
            code: Code {
                // [`Slot::FALSE`].
                slots: 1,
                ..Code::default()
            },
        }
    }

    fn take(&mut self) -> Slot {
        self.code.slots += 1;
        Slot::from_index(self.code.slots - 1)
    }

    /// Gives slots to fluents, moves and variables.
    fn sources(&mut self) {
        // Values that are kept from step to step come first.
        for gate in 1..self.gates.len() {
            let is_source = matches!(self.gates.gate(gate), Gate::Fluent(_) | Gate::Variable(..));
            if is_source && self.schedule.is_needed(gate) {
                self.slot[gate] = self.take();
            }
        }
        for role in 0..self.circuit.moves.len() {
            let mut options = Vec::new();
            for (at, mv) in self.circuit.moves[role].iter().enumerate() {
                if mv.legal != Signal::FALSE {
                    // A move that may be legal has a place to be made in, even if nothing depends on it.
                    let made = self.take();
                    if mv.made.gate() != 0 {
                        self.slot[mv.made.gate()] = made;
                    }
                    options.push(Choice {
                        mv: at as u32,
                        legal: Wire::default(),
                        made,
                    });
                }
            }
            self.code.moves.push(options);
        }
    }

    /// Writes the code of a phase.
    fn write(&mut self, phase: Phase) {
        for part in self.schedule.parts(self.gates, phase) {
            let segment = match part {
                Part::Gates(gates) => self.straight(&gates),
                Part::Loop(number) => self.looped(number),
            };
            self.code.segments[phase as usize].push(segment);
        }
    }

    fn wire(&self, signal: Signal) -> Wire {
        Wire {
            slot: self.slot[signal.gate()],
            inverted: signal.is_inverted(),
        }
    }

    /// Writes gates level by level and form by form.
    fn straight(&mut self, gates: &[usize]) -> Segment {
        // Level: longest way from the sources of the segment. Gates of one level are independent, whatever their order;
        // sorted by form they make few and long runs.
        let start = self.code.runs.len() as u32;
        let mut order: Vec<(u32, Form, usize)> = Vec::with_capacity(gates.len());
        for &gate in gates {
            let below = self
                .gates
                .inputs(gate)
                .iter()
                .map(|input| self.level[input.gate()]);
            self.level[gate] = below.max().unwrap_or(0) + 1;
            order.push((self.level[gate], self.form(gate), gate));
        }
        order.sort_unstable();
        for run in order.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let gates: Vec<usize> = run.iter().map(|&(_, _, gate)| gate).collect();
            self.run(run[0].1, &gates);
        }
        // Inputs from other segments count as level 0.
        gates.iter().for_each(|&gate| self.level[gate] = 0);
        Segment::Runs(start, self.code.runs.len() as u32)
    }

    fn form(&self, gate: usize) -> Form {
        let inputs = self.gates.inputs(gate);
        let inverted = inputs.iter().filter(|input| input.is_inverted()).count();
        Form {
            inputs: inputs.len() as u8,
            inverted: inverted as u8,
        }
    }

    fn run(&mut self, form: Form, gates: &[usize]) {
        let first = Slot::from_index(self.code.slots);
        let start = self.code.inputs.len() as u32;
        for &gate in gates {
            self.slot[gate] = self.take();
            let inputs = self.gates.inputs(gate).iter();
            // Straight inputs first, inverted ones behind them: the form says where the border is.
            let (straight, inverted): (Vec<&Signal>, Vec<&Signal>) =
                inputs.partition(|input| !input.is_inverted());
            for input in straight.into_iter().chain(inverted) {
                self.code.inputs.push(self.slot[input.gate()]);
            }
        }
        let end = self.code.inputs.len() as u32;
        self.code.runs.push(Run {
            form,
            first,
            start,
            end,
        });
        self.code.operations += gates.len();
    }

    /// Writes the cells of a loop: each gate before the first variable that needs it.
    fn looped(&mut self, number: usize) -> Segment {
        let gates = self.gates;
        let looped = &gates.loops()[number];
        let start = self.code.cells.len() as u32;
        let mut written = FxHashSet::default();
        for (&variable, &definition) in looped.variables.iter().zip(&looped.definitions) {
            let runs = self.code.runs.len() as u32;
            let mut own: Vec<usize> = Vec::new();
            // The gates of a loop that this variable needs and that no earlier one has written. Each is a run of
            // its own, as it may depend on the one before.
            let mut open = vec![definition.gate()];
            while let Some(gate) = open.pop() {
                let inside = self.schedule.block(gate) == Some(number);
                if inside && gates.gate(gate) == Gate::And && written.insert(gate) {
                    own.push(gate);
                    open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
                }
            }
            // Numbers of gates ascend along dependencies.
            own.sort_unstable();
            for gate in own {
                self.run(self.form(gate), &[gate]);
            }
            self.code.cells.push(Cell {
                runs: (runs, self.code.runs.len() as u32),
                variable: self.slot[variable],
                definition: self.wire(definition),
            });
        }
        Segment::Loop(start, self.code.cells.len() as u32)
    }

    fn finish(mut self) -> Code {
        for gate in 1..self.gates.len() {
            // A move that is never legal is never made, as the first slot says.
            let is_move = matches!(self.gates.gate(gate), Gate::Move(..));
            debug_assert!(
                is_move || self.slot[gate] != Slot::FALSE || !self.schedule.is_needed(gate)
            );
        }
        for (place, fluent) in self.circuit.fluents.iter().enumerate() {
            if fluent.holds.gate() != 0 {
                let register = Register {
                    fluent: place as u32,
                    slot: self.slot[fluent.holds.gate()],
                    next: self.wire(fluent.next),
                    initial: fluent.initial,
                };
                self.code.registers.push(register);
            }
        }
        // Legality is only known now, when all gates have slots.
        for role in 0..self.code.moves.len() {
            for at in 0..self.code.moves[role].len() {
                let mv = self.code.moves[role][at].mv;
                let legal = self.circuit.moves[role][mv as usize].legal;
                self.code.moves[role][at].legal = self.wire(legal);
            }
        }
        self.code.terminal = self.wire(self.circuit.terminal);
        let goals = self.circuit.goals.iter();
        self.code.goals = goals
            .map(|payoffs| {
                payoffs
                    .iter()
                    .map(|payoff| self.wire(payoff.signal))
                    .collect()
            })
            .collect();
        self.code
    }
}
