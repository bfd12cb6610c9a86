//! Event-driven simulation: what the next state becomes when one move is made instead of another.
//!
//! A move decides about few fluents, so that of 100,000 gates a few hundred change their value. A change of a value is an
//! event; it schedules the operations that read the value, which are evaluated in the order of the code, and are
//! events themselves where their results change. A loop is evaluated as a whole.

use crate::circuit::code::{Code, Segment, Slot};
use crate::circuit::grouped::Grouped;
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::Lanes;
use crate::circuit::simulate::machine::{conjunction, least_fixpoint};

/// What is evaluated at once.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// An operation: its run, and the slot of its result.
    Operation(u32, Slot),
    /// The cells of a loop, by range.
    Loop(u32, u32),
}

/// The events of the phase that computes the next state.
pub(super) struct Events {
    /// In the order of the code.
    steps: Vec<Step>,
    /// By slot, the steps that read it; for loops, from outside.
    readers: Grouped<u32>,
    /// By slot, the places of the fluents that are next what is kept there, or the inverse.
    fluents: Grouped<u32>,
    agenda: Agenda,
}

impl Events {
    /// Who reads what in a code.
    pub(super) fn new(code: &Code) -> Self {
        let steps = steps(code);
        let reads = (0..).zip(&steps).flat_map(|(number, step)| {
            let read = read(code, step).into_iter();
            read.map(move |slot| (slot.index(), number))
        });
        let reads: Vec<(usize, u32)> = reads.collect();
        let registers = code.registers.iter();
        let fluents = registers.map(|register| (register.next.slot.index(), register.fluent));
        Self {
            agenda: Agenda::new(steps.len()),
            steps,
            readers: Grouped::new(code.slots, reads.iter().copied()),
            fluents: Grouped::new(code.slots, fluents),
        }
    }

    /// Gives a slot another value. Fluents whose next value that changes are added to a list.
    pub(super) fn set<const W: usize>(
        &mut self,
        values: &mut [Lanes<W>],
        slot: Slot,
        value: Lanes<W>,
        changed: &mut Vec<u32>,
    ) {
        let old = std::mem::replace(&mut values[slot.index()], value);
        if old == value {
            return;
        }
        changed.extend(self.fluents.of(slot.index()));
        for &step in self.readers.of(slot.index()) {
            self.agenda.insert(step);
        }
    }

    /// Evaluates what is scheduled, until nothing is; a fluent may change twice.
    pub(super) fn settle<const W: usize>(
        &mut self,
        code: &Code,
        values: &mut [Lanes<W>],
        changed: &mut Vec<u32>,
    ) {
        // Steps schedule later ones only, so that each is evaluated at most once.
        let mut first = 0;
        while let Some(step) = self.agenda.take(first) {
            first = step;
            match self.steps[step as usize] {
                Step::Operation(run, slot) => {
                    let value = conjunction(code, run as usize, slot, values);
                    self.set(values, slot, value, changed);
                }
                Step::Loop(start, end) => {
                    let written = written(code, start, end);
                    let old: Vec<(Slot, Lanes<W>)> = written
                        .into_iter()
                        .map(|slot| (slot, values[slot.index()]))
                        .collect();
                    least_fixpoint(code, &code.cells[start as usize..end as usize], values);
                    for (slot, old) in old {
                        let new = std::mem::replace(&mut values[slot.index()], old);
                        self.set(values, slot, new, changed);
                    }
                }
            }
        }
    }
}

/// Steps to evaluate, a bit a step, with a bit for each word that is not 0.
struct Agenda {
    words: Vec<u64>,
    filled: Vec<u64>,
}

impl Agenda {
    fn new(steps: usize) -> Self {
        let words = steps.div_ceil(64);
        Self {
            words: vec![0; words],
            filled: vec![0; words.div_ceil(64)],
        }
    }

    #[inline]
    fn insert(&mut self, step: u32) {
        let word = step as usize / 64;
        self.words[word] |= 1 << (step % 64);
        self.filled[word / 64] |= 1 << (word % 64);
    }

    /// Takes the first step, none of which comes before the one given.
    #[inline]
    fn take(&mut self, from: u32) -> Option<u32> {
        let from = from as usize / (64 * 64);
        let filled = self
            .filled
            .get(from..)?
            .iter()
            .position(|&word| word != 0)?;
        let word = (from + filled) * 64 + self.filled[from + filled].trailing_zeros() as usize;
        let bits = &mut self.words[word];
        let step = word as u32 * 64 + bits.trailing_zeros();
        // Clears the lowest bit.
        *bits &= *bits - 1;
        if *bits == 0 {
            self.filled[word / 64] &= !(1 << (word % 64));
        }
        Some(step)
    }
}

/// The steps of the phase, in order.
fn steps(code: &Code) -> Vec<Step> {
    let mut steps = Vec::new();
    for segment in &code.segments[Phase::Next as usize] {
        match *segment {
            Segment::Runs(start, end) => {
                for run in start..end {
                    let slots = code.results(run as usize);
                    steps.extend(slots.map(|slot| Step::Operation(run, slot)));
                }
            }
            Segment::Loop(start, end) => steps.push(Step::Loop(start, end)),
        }
    }
    steps
}

/// The slots that a step reads and does not write.
fn read(code: &Code, step: &Step) -> Vec<Slot> {
    match *step {
        Step::Operation(run, slot) => code.inputs_of(run as usize, slot).to_vec(),
        Step::Loop(start, end) => {
            let written = written(code, start, end);
            let mut all: Vec<Slot> = Vec::new();
            for cell in &code.cells[start as usize..end as usize] {
                all.push(cell.definition.slot);
                for run in cell.runs.0..cell.runs.1 {
                    for slot in code.results(run as usize) {
                        all.extend(code.inputs_of(run as usize, slot));
                    }
                }
            }
            all.sort_unstable_by_key(|slot| slot.index());
            all.dedup();
            let is_written = |slot: &Slot| {
                let found = written.binary_search_by_key(&slot.index(), |own| own.index());
                found.is_ok()
            };
            all.retain(|slot| !is_written(slot));
            all
        }
    }
}

/// The slots that a loop writes, ascending.
fn written(code: &Code, start: u32, end: u32) -> Vec<Slot> {
    let cells = &code.cells[start as usize..end as usize];
    let variables = cells.iter().map(|cell| cell.variable);
    let runs = cells.iter().flat_map(|cell| cell.runs.0..cell.runs.1);
    let results = runs.flat_map(|run| code.results(run as usize));
    let mut all: Vec<Slot> = variables.chain(results).collect();
    all.sort_unstable_by_key(|slot| slot.index());
    all
}
