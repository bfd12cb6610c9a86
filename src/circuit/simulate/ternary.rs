//! Ternary simulation: what may hold, and what must, in all states that can follow on some states.
//!
//! A signal is *true*, *false* or *unknown*. Two bits say which: whether it may be true, and whether it must be. A conjunction
//! may be true if all of its inputs may, and must be if all must; a negation may be true if its input need not be. From
//! exact states on, every move that may be legal may be made or not, and what may hold next is added to what may hold now,
//! until nothing changes. That is more than can be reached, so that what may not be true then never is: a
//! line with a piece of each colour is never had by anybody.
//!
//! ```text
//! tic-tac-toe, x | o | b:   (cell 1 x) true, (cell 2 o) true, (cell 3 x) unknown; (line x) false
//! ```
//!
//! A counter takes a round for each of its values. Fluents that are reached that late from the start are unknown from
//! the beginning, which costs little: what a counter says is not what keeps anybody from a goal.
//!
//! Ternary simulation finds constants and state sets in hardware verification; see [SB95].

use crate::circuit::code::{Cell, Code, Run, Segment, Slot, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::{Lanes, and, any, none, or, xor};

/// Words of a row: 256 lanes.
const WORDS: usize = 4;

/// Truth values in all lanes.
type Row = Lanes<WORDS>;

/// Rounds after which it is given up to look for all that may follow.
const ROUNDS: usize = 12;

/// Fluents that the start leads to after more rounds are unknown from the beginning.
const LATE: usize = 6;

/// Rounds from the start; games with longer counters are not looked at.
const MOST_ROUNDS: usize = 1000;

/// What a signal may and must be in all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ternary {
    may: Row,
    must: Row,
}

impl Ternary {
    const FALSE: Self = Self {
        may: [0; WORDS],
        must: [0; WORDS],
    };

    const UNKNOWN: Self = Self {
        may: [u64::MAX; WORDS],
        must: [0; WORDS],
    };

    const TRUE: Self = Self {
        may: [u64::MAX; WORDS],
        must: [u64::MAX; WORDS],
    };

    #[inline(always)]
    fn exactly(row: Row) -> Self {
        Self {
            may: row,
            must: row,
        }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self {
            may: and(self.may, other.may),
            must: and(self.must, other.must),
        }
    }

    #[inline(always)]
    fn not(self) -> Self {
        Self {
            may: self.must.map(|word| !word),
            must: self.may.map(|word| !word),
        }
    }

    /// What may be one or the other.
    fn join(self, other: Self) -> Self {
        Self {
            may: or(self.may, other.may),
            must: and(self.must, other.must),
        }
    }

    /// Where it differs.
    fn changed(self, other: Self) -> Row {
        or(xor(self.may, other.may), xor(self.must, other.must))
    }
}

/// What may follow on 256 states at once.
#[derive(Clone, Debug)]
pub(super) struct TernarySimulator {
    values: Vec<Ternary>,
    /// By register, whether it is unknown from the beginning.
    is_late: Vec<bool>,
    /// What registers may be next.
    next: Vec<Ternary>,
}

impl TernarySimulator {
    /// Prepares a circuit; none if too many rounds follow on its start.
    pub(super) fn new(code: &Code) -> Option<Self> {
        let mut simulator = Self {
            values: vec![Ternary::FALSE; code.slots],
            is_late: vec![false; code.registers.len()],
            next: Vec::new(),
        };
        for register in &code.registers {
            let initial = if register.initial {
                Ternary::TRUE
            } else {
                Ternary::FALSE
            };
            simulator.values[register.slot.index()] = initial;
        }
        for round in 0..MOST_ROUNDS {
            simulator.advance(code);
            let mut has_changed = false;
            for (place, register) in code.registers.iter().enumerate() {
                let own = &mut simulator.values[register.slot.index()];
                let joined = own.join(simulator.next[place]);
                if *own != joined {
                    *own = joined;
                    has_changed = true;
                    simulator.is_late[place] |= round >= LATE;
                }
            }
            if !has_changed {
                return Some(simulator);
            }
        }
        None
    }

    /// Finds what may follow on states in some lanes, given what holds in them by slot; false if it takes too many rounds.
    pub(super) fn reach(&mut self, code: &Code, lanes: Row, state: impl Fn(Slot) -> Row) -> bool {
        for (register, &is_late) in code.registers.iter().zip(&self.is_late) {
            self.values[register.slot.index()] = if is_late {
                Ternary::UNKNOWN
            } else {
                Ternary::exactly(state(register.slot))
            };
        }
        for _ in 0..ROUNDS {
            self.advance(code);
            let mut changed = none();
            for (register, &next) in code.registers.iter().zip(&self.next) {
                let own = &mut self.values[register.slot.index()];
                let joined = own.join(next);
                changed = or(changed, own.changed(joined));
                *own = joined;
            }
            if !any(and(changed, lanes)) {
                evaluate(code, Phase::Goals, &mut self.values);
                return true;
            }
        }
        false
    }

    /// Where a signal may be true.
    pub(super) fn may(&self, wire: Wire) -> Row {
        value(&self.values, wire).may
    }

    /// Finds what registers may be next.
    fn advance(&mut self, code: &Code) {
        evaluate(code, Phase::State, &mut self.values);
        for choice in code.moves.iter().flatten() {
            let legal = value(&self.values, choice.legal).may;
            self.values[choice.made.index()] = Ternary {
                may: legal,
                must: none(),
            };
        }
        evaluate(code, Phase::Next, &mut self.values);
        self.next.clear();
        // A register may be next what another one is now, so that all are read before any is written.
        let next = code.registers.iter();
        self.next
            .extend(next.map(|register| value(&self.values, register.next)));
    }
}

#[inline(always)]
fn value(values: &[Ternary], wire: Wire) -> Ternary {
    let value = values[wire.slot.index()];
    if wire.inverted { value.not() } else { value }
}

/// Evaluates a phase.
fn evaluate(code: &Code, phase: Phase, values: &mut [Ternary]) {
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
struct Runs<'r> {
    code: &'r Code,
    runs: &'r [Run],
    values: &'r mut [Ternary],
}

impl pulp::NullaryFnOnce for Runs<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for run in self.runs {
            let inputs = &self.code.inputs[run.start as usize..run.end as usize];
            let number = usize::from(run.form.inputs);
            let plain = number - usize::from(run.form.inverted);
            let (before, results) = self.values.split_at_mut(run.first.index());
            for (result, inputs) in results.iter_mut().zip(inputs.chunks_exact(number)) {
                let mut all = Ternary::TRUE;
                for input in &inputs[..plain] {
                    all = all.and(before[input.index()]);
                }
                for input in &inputs[plain..] {
                    all = all.and(before[input.index()].not());
                }
                *result = all;
            }
        }
    }
}

#[inline(never)]
fn evaluate_runs(code: &Code, runs: &[Run], values: &mut [Ternary]) {
    pulp::Arch::new().dispatch(Runs { code, runs, values });
}

/// Evaluates a loop: nothing may be true, and what may follow from that is added, until nothing does. No loop goes through
/// a negation of its own variables, so that what may and what must be are least fixpoints both.
fn least_fixpoint(code: &Code, cells: &[Cell], values: &mut [Ternary]) {
    for cell in cells {
        values[cell.variable.index()] = Ternary::FALSE;
    }
    loop {
        let mut changed = none();
        for cell in cells {
            let runs = &code.runs[cell.runs.0 as usize..cell.runs.1 as usize];
            evaluate_runs(code, runs, values);
            let next = value(values, cell.definition);
            let own = &mut values[cell.variable.index()];
            changed = or(changed, own.changed(next));
            *own = next;
        }
        if !any(changed) {
            return;
        }
    }
}
