//! Passing changes on: from fluents to the views, callees first.
//!
//! A row of a view is present while it has derivations. In a recursive component that is not
//! enough, as rows may derive each other in a circle. There, a row that loses a derivation is
//! taken away unless it has one from below the component, with all that is derived from it; then
//! those rows that still have derivations, now from rows that stayed, come back:
//!
//! ```text
//! reach(a). reach(Y) :- reach(X), edge(X,Y).     edge(a,b) goes; edge(b,c) edge(c,b) stay
//!   reach(b) loses one of two derivations: away, and with it reach(c); neither has any left
//! ```
//!
//! Source: \[HMH18\], delete and rederive with counts.

use crate::limits::Limits;
use crate::rules::code::{Operand, Register, RelationId, Run};
use crate::rules::maintenance::obstacle::{Obstacle, Unmaintained};
use crate::rules::maintenance::plans::{Address, PlanStep, Plans};
use crate::rules::maintenance::views::{Maintenance, Occurrences, View};
use crate::rules::maintenance::workspace::{Cursor, Workspace};
use crate::rules::relation::{Relation, Row};
use crate::term::{Functor, Store, TermId};

/// Rows that a view may ever have.
const MAX_ROWS: usize = 100_000;

/// What a change of a row costs besides its plans, in steps: it moves in and out of indexes.
const CHANGE_STEPS: u64 = 2;

/// What the start of a plan costs, in steps.
const PLAN_STEPS: u64 = 1;

/// What a derivation costs, in steps: its row is looked up by content.
const DERIVATION_STEPS: u64 = 1;

/// Steps of work between two looks at the stop flag.
const POLL_INTERVAL: u64 = 1 << 14;

/// Why a change was not passed on to its end. The views are of no use then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Halt {
    /// This predicate should not be maintained.
    Refused(Unmaintained),
    /// Somebody raised the stop flag.
    Stopped,
}

/// Whether a row comes or goes, or a derivation of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Gain,
    Loss,
}

/// A row that has changed.
#[derive(Clone, Copy, Debug)]
struct Delta {
    row: Row,
    direction: Direction,
}

impl Maintenance {
    /// Steps of plans made so far.
    pub(in crate::rules) fn work(&self) -> u64 {
        self.workspace.work
    }

    /// Allows so much work until this is called again.
    pub(in crate::rules) fn allow(&mut self, work: u64) {
        let Workspace {
            work: done,
            allowed,
            pause,
            ..
        } = &mut self.workspace;
        *allowed = done.saturating_add(work);
        *pause = (*done + POLL_INTERVAL).min(*allowed);
    }

    /// Fills the views with what holds when no fluent does, by the plans made for that.
    pub(in crate::rules) fn start(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        wholes: Vec<Address>,
        limits: &Limits,
    ) -> Result<(), Halt> {
        // No row has changed: these plans join everything, and no look-up passes over a row with this number.
        let delta = Delta {
            row: Row::MAX,
            direction: Direction::Gain,
        };
        self.reserve();
        for start in wholes {
            self.apply_delta_rule(store, relations, start, delta, limits)?;
        }
        self.propagate(store, relations, limits)
    }

    /// Makes a row of a relation present or absent and notes what gains or loses derivations.
    pub(in crate::rules) fn change(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        (relation, row, present): (RelationId, Row, bool),
        limits: &Limits,
    ) -> Result<(), Halt> {
        // Invariant while the plans run: the changed row is present, whether it comes or goes. Derivations gained
        // and lost are found by the same plans then, over the same rows, and `past_delta` alone decides which
        // places see the row.
        if present {
            relations[relation.index()].insert(row);
        }
        self.workspace.work += CHANGE_STEPS;
        // By number and not by iterator: the plans below need all of `self`.
        let count = self.matching(relations, relation, row);
        for number in 0..count {
            let occurrences = &self.occurrences[relation.index()];
            let Some(places) = &occurrences.by_row[row as usize] else {
                break;
            };
            let place = &occurrences.places[places[number] as usize];
            let cells = relations[relation.index()].cells(row);
            for output in self.plans.outputs(place.out) {
                self.workspace.registers[output.register.0 as usize] =
                    cells[output.column as usize];
            }
            // A row that comes under a negation takes derivations away: `free(1,1)` loses its one when
            // `occupied(1,1)` comes.
            let direction = if present == place.positive {
                Direction::Gain
            } else {
                Direction::Loss
            };
            let (start, delta) = (place.start, Delta { row, direction });
            self.apply_delta_rule(store, relations, start, delta, limits)?;
        }
        if !present {
            relations[relation.index()].remove(row);
        }
        Ok(())
    }

    /// The number of places that can match a row; which they are is noted for it.
    fn matching(&mut self, relations: &[Relation], relation: RelationId, row: Row) -> usize {
        let Some(Occurrences { places, by_row }) = self.occurrences.get_mut(relation.index())
        else {
            return 0;
        };
        if places.is_empty() {
            return 0;
        }
        if by_row.len() <= row as usize {
            by_row.resize(row as usize + 1, None);
        }
        by_row[row as usize]
            // `cell(1,1,w)` can match `true(cell(X,Y,w))` and not `true(cell(X,Y,b))`: found out once for each row.
            .get_or_insert_with(|| {
                let cells = relations[relation.index()].cells(row);
                let matching = places.iter().enumerate().filter(|(_, place)| {
                    let mut constants = place.constants.iter();
                    constants.all(|&(column, term)| cells[column] == term)
                });
                matching.map(|(number, _)| number as u32).collect()
            })
            .len()
    }

    /// Makes room for the registers of the plans.
    pub(super) fn reserve(&mut self) {
        let registers = &mut self.workspace.registers;
        if registers.len() < self.plans.registers as usize {
            registers.resize(self.plans.registers as usize, TermId::from_index(0));
        }
    }

    /// Brings all views up to date.
    pub(in crate::rules) fn propagate(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        limits: &Limits,
    ) -> Result<(), Halt> {
        // Components are in topological order. What a view sees of the ones below is new already, and it is passed
        // on in the order in which `change` was called for it: each row at most once.
        for component in 0..self.components.len() {
            let first = self.components[component].first();
            if first.is_some_and(|&view| self.views[view as usize].recursive) {
                // Delete, then rederive. The first sweep takes away every row that lost a derivation and has none
                // from below the component: too many, for it may have had another one inside. The second brings
                // back those whose count is still positive.
                self.sweep(store, relations, component, false, limits)?;
                self.sweep(store, relations, component, true, limits)?;
            } else if let Some(&view) = first {
                self.refresh(store, relations, view, limits)?;
            }
        }
        Ok(())
    }

    /// Brings a view that is not recursive up to date.
    fn refresh(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        view: u32,
        limits: &Limits,
    ) -> Result<(), Halt> {
        let View {
            relation, touched, ..
        } = &mut self.views[view as usize];
        let relation = *relation;
        let mut rows = std::mem::take(touched);
        for row in rows.drain(..) {
            // The mark goes before the row is passed on: what that gives to this row again is a new entry.
            let entry = &mut self.views[view as usize];
            entry.is_touched[row as usize] = false;
            let present = entry.derivations[row as usize] > 0;
            // A row touched twice whose counts cancel, `1 - 1 + 1`, is dropped here.
            if present != relations[relation.index()].is_present(row) {
                self.change(store, relations, (relation, row, present), limits)?;
            }
        }
        // The room is kept for the next time.
        self.views[view as usize].touched = rows;
        Ok(())
    }

    /// In a recursive component, brings in rows that have derivations, or takes away those that lost
    /// one and may have none but from themselves.
    fn sweep(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        component: usize,
        comes: bool,
        limits: &Limits,
    ) -> Result<(), Halt> {
        // A fixpoint: what one member's rows lose or gain can touch any other member of the component.
        let mut again = true;
        while std::mem::take(&mut again) {
            for member in 0..self.components[component].len() {
                let view = self.components[component][member] as usize;
                while let Some(row) = self.views[view].next(comes) {
                    again = true;
                    let entry = &self.views[view];
                    let relation = entry.relation;
                    // Between note and now the row may have got another support from below, or may have come and
                    // gone.
                    if entry.is_due(row, comes)
                        && relations[relation.index()].is_present(row) != comes
                    {
                        self.change(store, relations, (relation, row, comes), limits)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a plan; the registers of the changed row are bound.
    fn apply_delta_rule(
        &mut self,
        store: &mut Store,
        relations: &mut [Relation],
        start: Address,
        delta: Delta,
        limits: &Limits,
    ) -> Result<(), Halt> {
        let Self {
            plans,
            views,
            workspace,
            ..
        } = self;
        let mut run = PlanRun {
            store,
            relations,
            plans,
            views,
            workspace,
            delta,
            limits,
        };
        run.derivations(start)
    }
}

/// One run of a plan.
struct PlanRun<'r> {
    store: &'r mut Store,
    relations: &'r mut [Relation],
    plans: &'r Plans,
    views: &'r mut [View],
    workspace: &'r mut Workspace,
    delta: Delta,
    limits: &'r Limits,
}

impl PlanRun<'_> {
    /// Finds all ways through the plan. Whole: the loop is the join, one arm a step.
    fn derivations(&mut self, start: Address) -> Result<(), Halt> {
        let mut address = start;
        self.workspace.work += PLAN_STEPS;
        loop {
            self.workspace.work += 1;
            // Counted at the step, compared at the pause: the loop pays one comparison for stop flag and budget.
            if self.workspace.work >= self.workspace.pause {
                self.poll(address)?;
            }
            let go_on = match self.plans.steps[address as usize] {
                PlanStep::Scan(scan) => self.scan(scan, address + 1),
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
                address += 1;
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
    fn scan(&mut self, number: u32, resume: Address) -> bool {
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

    fn retreat(&mut self) -> Option<Address> {
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
        let row_index = row as usize;
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

    fn poll(&mut self, address: Address) -> Result<(), Halt> {
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
        let rest = &self.plans.steps[address as usize..];
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

impl View {
    /// Makes room for a row.
    fn admit(&mut self, row: Row) {
        let len = row as usize + 1;
        if self.derivations.len() < len {
            self.derivations.resize(len, 0);
            self.grounds.resize(len, 0);
            self.is_touched.resize(len, false);
            self.is_weakened.resize(len, false);
        }
    }
    /// A row that may come, or one that may go, and has not been looked at since it changed.
    fn next(&mut self, comes: bool) -> Option<Row> {
        let (rows, marks) = if comes {
            (&mut self.touched, &mut self.is_touched)
        } else {
            (&mut self.weakened, &mut self.is_weakened)
        };
        // Taken off the list before it is passed on: another loss of the same row then counts as new.
        let row = rows.pop()?;
        marks[row as usize] = false;
        Some(row)
    }

    /// Whether the derivations of a row say that it should come, or should go.
    fn is_due(&self, row: Row, comes: bool) -> bool {
        if comes {
            self.derivations[row as usize] > 0
        } else {
            self.grounds[row as usize] == 0
        }
    }
}
