//! Running a plan: all derivations that a changed row gains or loses at one place.

use crate::limits::Limits;
use crate::rules::code::{Operand, Register, Run};
use crate::rules::maintenance::obstacle::{Halt, Obstacle, Unmaintained};
use crate::rules::maintenance::plans::{PlanAddress, PlanStep, Plans};
use crate::rules::maintenance::views::View;
use crate::rules::maintenance::workspace::{Cursor, Workspace};
use crate::rules::relation::{Relation, RowId};
use crate::term::{Functor, Store, TermId};

/// Rows that a view may ever have.
const MAX_ROWS: usize = 100_000;

/// What the start of a plan costs, in steps.
const PLAN_STEPS: u64 = 1;

/// What a derivation costs, in steps: its row is looked up by content.
const DERIVATION_STEPS: u64 = 1;

/// Steps of work between two looks at the stop flag.
pub(super) const POLL_INTERVAL: u64 = 1 << 14;

/// Whether a row comes or goes, or a derivation of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Gain,
    Loss,
}

/// A row that has changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delta {
    pub(super) row: RowId,
    pub(super) direction: Direction,
}

/// One run of a plan.
pub(super) struct PlanRun<'r> {
    pub(super) store: &'r mut Store,
    pub(super) relations: &'r mut [Relation],
    pub(super) plans: &'r Plans,
    pub(super) views: &'r mut [View],
    pub(super) workspace: &'r mut Workspace,
    pub(super) delta: Delta,
    pub(super) limits: &'r Limits,
}

impl PlanRun<'_> {
    /// Finds all ways through the plan. Whole: the loop is the join, one arm a step.
    pub(super) fn derivations(&mut self, start: PlanAddress) -> Result<(), Halt> {
        let mut address = start;
        self.workspace.work += PLAN_STEPS;
        loop {
            self.workspace.work += 1;
            // Counted at the step, compared at the pause: the loop pays one comparison for stop flag and budget.
            if self.workspace.work >= self.workspace.pause {
                self.poll(address)?;
            }
            let go_on = match self.plans.steps[address.index()] {
                PlanStep::Scan(scan) => self.scan(scan, address.next()),
                PlanStep::Test {
                    relation,
                    row,
                    positive,
                    past_delta,
                } => {
                    self.load(row);
                    let found = self.relations[relation.index()].find(&self.workspace.buffer);
                    // `p(X) :- q(X), q(X)` with `q(a)` changed: the plan of the first place finds the derivation,
                    // the plan of the second one must take `q(a)` for absent, or it would be counted twice.
                    let found = found.filter(|&row| !(past_delta && row == self.delta.row));
                    found.is_some() == positive
                }
                PlanStep::Compare {
                    left,
                    right,
                    positive,
                } => (self.value(left) == self.value(right)) == positive,
                PlanStep::Build {
                    symbol,
                    arguments,
                    into,
                } => {
                    self.load(arguments);
                    let term = self.store.compound(symbol, &self.workspace.buffer);
                    self.workspace.registers[into.0 as usize] = term;
                    true
                }
                PlanStep::Match { term, functor, out } => self.destructure(term, functor, out),
                PlanStep::Emit {
                    view,
                    row,
                    recursive,
                } => {
                    self.load(row);
                    self.emit(view, recursive)?;
                    false
                }
            };
            // Depth first over the join. A step that fails goes back to the newest scan with a row left, whose
            // registers are simply written again: there is no trail, as every register is written before it is
            // read.
            if go_on {
                address = address.next();
                continue;
            }
            match self.retreat() {
                Some(resume) => address = resume,
                None => return Ok(()),
            }
        }
    }

    #[inline(always)]
    fn destructure(&mut self, term: Operand, functor: Functor, out: Run) -> bool {
        let term = self.value(term);
        if self.store.functor(term) != Some(functor) {
            return false;
        }
        let arguments = self.store.arguments(term);
        for output in self.plans.outputs(out) {
            self.workspace.registers[output.register.0 as usize] =
                arguments[output.column as usize];
        }
        true
    }

    fn value(&self, operand: Operand) -> TermId {
        match operand {
            Operand::Constant(term) => term,
            Operand::Register(Register(register)) => self.workspace.registers[register as usize],
        }
    }

    fn load(&mut self, run: Run) {
        let Workspace {
            registers, buffer, ..
        } = &mut *self.workspace;
        buffer.clear();
        let operands = self.plans.operands(run).iter();
        buffer.extend(operands.map(|operand| match *operand {
            Operand::Constant(term) => term,
            Operand::Register(Register(register)) => registers[register as usize],
        }));
    }

    /// Starts a scan; false if it finds nothing.
    fn scan(&mut self, number: u32, resume: PlanAddress) -> bool {
        let scan = *self.plans.scan(number);
        let bucket = match scan.single_key {
            Some(key) => {
                let key = self.value(key);
                self.relations[scan.relation.index()].bucket_of_one(scan.index, key)
            }
            None => {
                self.load(scan.key);
                self.relations[scan.relation.index()].bucket(scan.index, &self.workspace.buffer)
            }
        };
        let Some(bucket) = bucket else {
            return false;
        };
        let cursor = Cursor {
            scan: number,
            resume,
            bucket,
            next: 0,
        };
        self.advance(cursor)
    }

    /// Binds the next row of a scan and leaves a cursor behind if there may be more of them.
    fn advance(&mut self, mut cursor: Cursor) -> bool {
        let scan = self.plans.scan(cursor.scan);
        let relation = &self.relations[scan.relation.index()];
        let rows = relation.rows(scan.index, cursor.bucket);
        loop {
            let Some(&row) = rows.get(cursor.next as usize) else {
                return false;
            };
            cursor.next += 1;
            // The place of the changed row comes earlier in the body and counts this derivation.
            if scan.past_delta && row == self.delta.row {
                continue;
            }
            let cells = relation.cells(row);
            for output in self.plans.outputs(scan.out) {
                self.workspace.registers[output.register.0 as usize] =
                    cells[output.column as usize];
            }
            // The last row leaves no cursor, so that a scan of one row never comes back.
            if (cursor.next as usize) < rows.len() {
                self.workspace.cursors.push(cursor);
            }
            return true;
        }
    }

    fn retreat(&mut self) -> Option<PlanAddress> {
        loop {
            let cursor = self.workspace.cursors.pop()?;
            self.workspace.work += 1;
            if self.advance(cursor) {
                return Some(cursor.resume);
            }
        }
    }

    /// Notes that the row in the buffer has gained or lost a derivation.
    fn emit(&mut self, number: u32, recursive: bool) -> Result<(), Halt> {
        let view = &mut self.views[number as usize];
        let relation = &mut self.relations[view.relation.index()];
        let cells = &self.workspace.buffer;
        // A row keeps its number and its counts when it goes, so that coming back costs a look-up.
        let row = match relation.known_row(cells) {
            Some(row) => row,
            None => {
                let term = self.store.compound(view.predicate.symbol, cells);
                relation.row(cells, term)
            }
        };
        view.admit(row);
        let row_index = row.index();
        match self.delta.direction {
            Direction::Gain => {
                view.derivations[row_index] += 1;
                // Two counts a row: all derivations, and those that need no row of the own component. The second
                // tells that a row cannot hang on a circle.
                view.grounds[row_index] += i32::from(!recursive);
            }
            Direction::Loss => {
                view.derivations[row_index] -= 1;
                view.grounds[row_index] -= i32::from(!recursive);
                // `reach(b)` of the module's example: it may still be derived, but perhaps only through itself.
                if view.recursive && !std::mem::replace(&mut view.is_weakened[row_index], true) {
                    view.weakened.push(row);
                }
            }
        }
        if !std::mem::replace(&mut view.is_touched[row_index], true) {
            view.touched.push(row);
        }
        self.workspace.work += DERIVATION_STEPS;
        if row_index < MAX_ROWS {
            return Ok(());
        }
        // The plan is left in the middle; the cursors of its scans must not be taken for those of the next one.
        self.workspace.cursors.clear();
        Err(Halt::Refused(Unmaintained {
            predicate: view.predicate,
            obstacle: Obstacle::TooManyRows,
        }))
    }

    fn poll(&mut self, address: PlanAddress) -> Result<(), Halt> {
        let Workspace {
            work,
            allowed,
            pause,
            cursors,
            ..
        } = &mut *self.workspace;
        *pause = (*work + POLL_INTERVAL).min(*allowed);
        if self.limits.stop.raised().is_some() {
            cursors.clear();
            return Err(Halt::Stopped);
        }
        if *work < *allowed {
            return Ok(());
        }
        cursors.clear();
        // The plan is blamed on the view that it would have derived rows of.
        let rest = &self.plans.steps[address.index()..];
        let view = rest.iter().find_map(|step| {
            if let PlanStep::Emit { view, .. } = step {
                Some(*view)
            } else {
                None
            }
        });
        let Some(view) = view else {
            unreachable!("every plan ends with a derivation");
        };
        Err(Halt::Refused(Unmaintained {
            predicate: self.views[view as usize].predicate,
            obstacle: Obstacle::TooMuchWork,
        }))
    }
}
