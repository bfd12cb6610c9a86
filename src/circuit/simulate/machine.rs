//! Evaluates code in all lanes.
//!
//! The loops over gates are compiled for several kinds of processors; which of them serves is found out
//! when the program runs.

use crate::circuit::assemble::Payoff;
use crate::circuit::code::{Cell, Code, Form, Run, Segment, Slot, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::{Lanes, and, any, bit, inverted_if, none, or, xor};
use crate::gdl::Goal;

/// Evaluates a phase.
pub(in crate::circuit) fn evaluate<const W: usize>(
    code: &Code,
    phase: Phase,
    values: &mut [Lanes<W>],
) {
    for segment in &code.segments[phase as usize] {
        match *segment {
            Segment::Runs(start, end) => {
                let runs = &code.runs[start as usize..end as usize];
                evaluate_runs(code, runs, values);
            }
            Segment::Loop(start, end) => {
                least_fixpoint(code, &code.cells[start as usize..end as usize], values);
            }
        }
    }
}

/// Runs to evaluate, one after the other.
struct Runs<'r, const W: usize> {
    code: &'r Code,
    runs: &'r [Run],
    values: &'r mut [Lanes<W>],
}

impl<const W: usize> pulp::NullaryFnOnce for Runs<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for run in self.runs {
            evaluate_run(self.code, run, self.values);
        }
    }
}

#[inline(never)]
fn evaluate_runs<const W: usize>(code: &Code, runs: &[Run], values: &mut [Lanes<W>]) {
    pulp::Arch::new().dispatch(Runs { code, runs, values });
}

/// The value of a wire.
#[inline(always)]
pub(in crate::circuit) fn value<const W: usize>(values: &[Lanes<W>], wire: Wire) -> Lanes<W> {
    inverted_if(values[wire.slot.index()], wire.inverted)
}

/// What a role gets in a lane.
pub(super) fn payoff<const W: usize>(
    payoffs: &[Payoff],
    wires: &[Wire],
    values: &[Lanes<W>],
    lane: usize,
) -> Goal {
    let each = payoffs.iter().zip(wires);
    let had = each.filter(|&(_, &wire)| holds(values, wire, lane));
    Payoff::goal(had.map(|(payoff, _)| payoff))
}

/// Whether a wire is true in a lane.
pub(in crate::circuit) fn holds<const W: usize>(
    values: &[Lanes<W>],
    wire: Wire,
    lane: usize,
) -> bool {
    bit(&value(values, wire), lane)
}

/// The result of one operation of a run.
pub(super) fn conjunction<const W: usize>(
    code: &Code,
    run: usize,
    result: Slot,
    values: &[Lanes<W>],
) -> Lanes<W> {
    let Form { inputs, inverted } = code.runs[run].form;
    let straight = usize::from(inputs - inverted);
    let inputs = code.inputs_of(run, result).iter().enumerate();
    inputs.fold([u64::MAX; W], |all, (at, input)| {
        and(all, inverted_if(values[input.index()], at >= straight))
    })
}

/// Evaluates a loop: everything is false, and what follows from that is made true, until nothing does.
pub(super) fn least_fixpoint<const W: usize>(code: &Code, cells: &[Cell], values: &mut [Lanes<W>]) {
    // A least fixpoint by rounds. Sweeps run up and down in turn, since chains of atoms may be numbered either way: a
    // path of n squares reaches its fixpoint in two sweeps instead of n.
    for cell in cells {
        values[cell.variable.index()] = none();
    }
    loop {
        let mut changed = none();
        for cell in cells {
            changed = or(changed, update(code, cell, values));
        }
        // Only a sweep in the order of the gates sees all of them up to date.
        if !any(changed) {
            return;
        }
        for cell in cells.iter().rev() {
            update(code, cell, values);
        }
    }
}

/// Brings a variable up to date, and says where it changed.
fn update<const W: usize>(code: &Code, cell: &Cell, values: &mut [Lanes<W>]) -> Lanes<W> {
    let runs = &code.runs[cell.runs.0 as usize..cell.runs.1 as usize];
    evaluate_runs(code, runs, values);
    let next = value(values, cell.definition);
    let changed = xor(values[cell.variable.index()], next);
    values[cell.variable.index()] = next;
    changed
}

#[inline(always)]
fn evaluate_run<const W: usize>(code: &Code, run: &Run, values: &mut [Lanes<W>]) {
    let inputs = &code.inputs[run.start as usize..run.end as usize];
    // Results lie behind all inputs of the run, so that the slices do not overlap and the loop needs no checks.
    let (before, results) = values.split_at_mut(run.first.index());
    let Form {
        inputs: n,
        inverted,
    } = run.form;
    // One monomorphic loop for each form. More than half of the inputs inverted occurs for few gates, but every
    // combination must be there.
    match (n, inverted) {
        (2, 0) => conjunctions::<W, 2, 0>(before, results, inputs),
        (2, 1) => conjunctions::<W, 2, 1>(before, results, inputs),
        (2, 2) => conjunctions::<W, 2, 2>(before, results, inputs),
        (3, 0) => conjunctions::<W, 3, 0>(before, results, inputs),
        (3, 1) => conjunctions::<W, 3, 1>(before, results, inputs),
        (3, 2) => conjunctions::<W, 3, 2>(before, results, inputs),
        (3, 3) => conjunctions::<W, 3, 3>(before, results, inputs),
        (4, 0) => conjunctions::<W, 4, 0>(before, results, inputs),
        (4, 1) => conjunctions::<W, 4, 1>(before, results, inputs),
        (4, 2) => conjunctions::<W, 4, 2>(before, results, inputs),
        (4, 3) => conjunctions::<W, 4, 3>(before, results, inputs),
        (4, 4) => conjunctions::<W, 4, 4>(before, results, inputs),
        _ => unreachable!("gates have two to four inputs"),
    }
}

/// Conjunctions of N inputs of which the last I are inverted.
#[inline(always)]
fn conjunctions<const W: usize, const N: usize, const I: usize>(
    before: &[Lanes<W>],
    results: &mut [Lanes<W>],
    inputs: &[Slot],
) {
    for (result, inputs) in results.iter_mut().zip(inputs.chunks_exact(N)) {
        let mut all = [u64::MAX; W];
        for &input in &inputs[..N - I] {
            let input = &before[input.index()];
            for at in 0..W {
                all[at] &= input[at];
            }
        }
        for &input in &inputs[N - I..] {
            let input = &before[input.index()];
            for at in 0..W {
                all[at] &= !input[at];
            }
        }
        *result = all;
    }
}
