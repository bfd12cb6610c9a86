//! Straight-line code: in which order gates are evaluated, and where their values are kept.
//!
//! Gates are evaluated in three phases, each only if somebody needs it: what decides which moves are
//! legal and whether the game is over; payoffs, for games that are; the next state. Within a phase
//! gates of one level, none of which depends on another, and of one form follow each other, so that
//! one tight loop evaluates all of them; what they give is written to consecutive slots.

use crate::circuit::assemble::Circuit;
use crate::circuit::blocks::{Blocks, STRAIGHT};
use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::narrow::narrow;

/// Where a value is kept.
pub(super) type Slot = u32;

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

/// When a gate is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    State = 0,
    Goals = 1,
    Next = 2,
}

const PHASES: [Phase; 3] = [Phase::State, Phase::Goals, Phase::Next];

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

impl Phase {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Code {
    /// The code of a circuit. Fluents on which neither moves nor goals nor the end depend are left out,
    /// unless `everything` is asked for.
    pub(super) fn of(circuit: &Circuit, everything: bool) -> Self {
        let needs = needs(circuit, everything);
        let needed: Vec<bool> = needs.iter().map(|&needs| needs != 0).collect();
        let circuit = narrow(circuit, &needed, MAX_INPUTS);
        let mut writer = Writer::new(&circuit, everything);
        writer.sources();
        for phase in PHASES {
            writer.write(phase);
        }
        writer.finish()
    }
}

/// For each gate, the phases that need it, as bits.
fn needs(circuit: &Circuit, everything: bool) -> Vec<u8> {
    let mut needs = vec![0; circuit.gates.len()];
    let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
    let state: Vec<Signal> = legal.chain([circuit.terminal]).collect();
    mark(&circuit.gates, &mut needs, state, Phase::State);
    let goals = circuit.goals.iter().flatten().map(|payoff| payoff.signal);
    mark(&circuit.gates, &mut needs, goals.collect(), Phase::Goals);
    loop {
        let mut more: Vec<Signal> = Vec::new();
        for fluent in &circuit.fluents {
            let (held, next) = (fluent.holds.gate(), fluent.next.gate());
            let matters = held != 0 && (everything || needs[held] != 0);
            if matters {
                needs[held] |= Phase::State.bit();
                if next != 0 && needs[next] & Phase::Next.bit() == 0 {
                    more.push(fluent.next);
                }
            }
        }
        if more.is_empty() {
            return needs;
        }
        mark(&circuit.gates, &mut needs, more, Phase::Next);
    }
}

fn mark(gates: &Gates, needs: &mut [u8], signals: Vec<Signal>, phase: Phase) {
    let mut open: Vec<usize> = signals.into_iter().map(Signal::gate).collect();
    while let Some(gate) = open.pop() {
        if needs[gate] & phase.bit() != 0 {
            continue;
        }
        needs[gate] |= phase.bit();
        open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
        if let Gate::Variable(number, _) = gates.gate(gate) {
            let looped = &gates.loops()[number as usize];
            open.extend(&looped.variables);
            open.extend(looped.definitions.iter().map(|signal| signal.gate()));
        }
    }
}

/// Writes the code of a circuit of narrow gates all of which are needed.
struct Writer<'c> {
    circuit: &'c Circuit,
    gates: &'c Gates,
    needs: Vec<u8>,
    blocks: Blocks,
    slot: Vec<Slot>,
    code: Code,
}

impl<'c> Writer<'c> {
    fn new(circuit: &'c Circuit, everything: bool) -> Self {
        Self {
            circuit,
            gates: &circuit.gates,
            needs: needs(circuit, everything),
            blocks: Blocks::of(&circuit.gates),
            slot: vec![0; circuit.gates.len()],
            code: Code {
                slots: 1,
                ..Code::default()
            },
        }
    }

    /// The phase in which a gate is evaluated.
    fn phase(&self, gate: usize) -> Option<Phase> {
        let has = |phase: Phase| self.needs[gate] & phase.bit() != 0;
        if has(Phase::State) || has(Phase::Goals) && has(Phase::Next) {
            Some(Phase::State)
        } else if has(Phase::Goals) {
            Some(Phase::Goals)
        } else {
            has(Phase::Next).then_some(Phase::Next)
        }
    }

    fn take(&mut self) -> Slot {
        self.code.slots += 1;
        (self.code.slots - 1) as Slot
    }

    /// Gives slots to fluents, moves and variables.
    fn sources(&mut self) {
        for gate in 1..self.gates.len() {
            let is_source = matches!(self.gates.gate(gate), Gate::Fluent(_) | Gate::Variable(..));
            if is_source && self.needs[gate] != 0 {
                self.slot[gate] = self.take();
            }
        }
        for role in 0..self.circuit.moves.len() {
            let mut options = Vec::new();
            for (at, mv) in self.circuit.moves[role].iter().enumerate() {
                if mv.legal != Signal::FALSE {
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

    /// Writes the code of a phase: stage by stage, what is in no loop before the loops.
    fn write(&mut self, phase: Phase) {
        let mut parts: Vec<(u32, u32, usize)> = Vec::new();
        for gate in 1..self.gates.len() {
            let is_and = self.gates.gate(gate) == Gate::And;
            if is_and && self.phase(gate) == Some(phase) && self.blocks.block[gate] == STRAIGHT {
                parts.push((self.blocks.stage[gate], STRAIGHT, gate));
            }
        }
        for (number, looped) in self.gates.loops().iter().enumerate() {
            let first = looped.variables.first();
            if first.is_some_and(|&first| self.phase(first) == Some(phase)) {
                parts.push((self.blocks.loops[number].stage, number as u32, 0));
            }
        }
        // In a stage the loops come last.
        parts.sort_by_key(|&(stage, block, gate)| (stage, block.wrapping_add(1), gate));
        for part in parts.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let start = self.code.runs.len() as u32;
            let segment = match part[0].1 {
                STRAIGHT => {
                    let gates: Vec<usize> = part.iter().map(|&(_, _, gate)| gate).collect();
                    self.straight(&gates);
                    Segment::Runs(start, self.code.runs.len() as u32)
                }
                number => self.looped(number as usize),
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
    fn straight(&mut self, gates: &[usize]) {
        let mut level: Vec<u32> = vec![0; self.gates.len()];
        let mut order: Vec<(u32, Form, usize)> = Vec::with_capacity(gates.len());
        for &gate in gates {
            let below = self
                .gates
                .inputs(gate)
                .iter()
                .map(|input| level[input.gate()]);
            level[gate] = below.max().unwrap_or(0) + 1;
            order.push((level[gate], self.form(gate), gate));
        }
        order.sort_unstable();
        for run in order.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            let gates: Vec<usize> = run.iter().map(|&(_, _, gate)| gate).collect();
            self.run(run[0].1, &gates);
        }
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
        let first = self.code.slots as Slot;
        let start = self.code.inputs.len() as u32;
        for &gate in gates {
            self.slot[gate] = self.take();
            let inputs = self.gates.inputs(gate).iter();
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
        let mut written = vec![false; gates.len()];
        for (&variable, &definition) in looped.variables.iter().zip(&looped.definitions) {
            let runs = self.code.runs.len() as u32;
            let mut own: Vec<usize> = Vec::new();
            let mut open = vec![definition.gate()];
            while let Some(gate) = open.pop() {
                let inside = self.blocks.block[gate] == number as u32;
                if inside && gates.gate(gate) == Gate::And && !written[gate] {
                    written[gate] = true;
                    own.push(gate);
                    open.extend(gates.inputs(gate).iter().map(|input| input.gate()));
                }
            }
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
            let is_move = matches!(self.gates.gate(gate), Gate::Move(_));
            debug_assert!(is_move || self.slot[gate] != 0 || self.needs[gate] == 0);
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
