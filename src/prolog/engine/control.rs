//! Choice points, environments, and the calls that change them.
//!
//! Choice points protect the environments below the height that the stack had when they were made
//! [AK91]. A control predicate is a pair of them: success of its goal runs into the stub that is the
//! continuation of its environment (see [`crate::prolog::state::frame`]), failure is the business of its choice point.

use crate::prolog::program::instruction::Pc;
use crate::prolog::state::backtrace::RunningCode;
use crate::prolog::state::choice::{Alternative, ChoicePoint};
use crate::prolog::state::frame::{FRAME_HEADER, FrameKind, stub};
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::{Cell, INT};
use crate::prolog::terms::error::Interruption;

impl Machine {
    // ---- Environments -------------------------------------------------------------------------

    /// The end of the environments in use.
    #[inline(always)]
    pub(in crate::prolog) fn top(&self) -> usize {
        // An environment below the newest choice point may be needed again after backtracking, so new ones are made
        // above the height that it records, even if the current environment lies lower [AK91].
        let floor = match self.choices.last() {
            Some(choice) => choice.top as usize,
            None => 0,
        };
        if self.e >= floor {
            self.e + FRAME_HEADER + self.frame_size(self.e)
        } else {
            floor
        }
    }

    #[inline(always)]
    pub(in crate::prolog) fn frame_size(&self, frame: usize) -> usize {
        // The second word of an environment: 32 bits of continuation, 24 of size, 7 of kind; bit 63 belongs to the
        // garbage collector.
        (self.stack[frame + 1].bits() >> 32) as usize & 0xFF_FFFF
    }

    #[inline(always)]
    pub(in crate::prolog) fn frame_cp(&self, frame: usize) -> Pc {
        self.stack[frame + 1].bits() as Pc
    }

    #[inline(always)]
    pub(in crate::prolog) fn frame_previous(&self, frame: usize) -> usize {
        self.stack[frame].bits() as usize
    }

    pub(in crate::prolog) fn frame_kind(&self, frame: usize) -> FrameKind {
        match self.stack[frame + 1].bits() >> 56 {
            0 => FrameKind::Plain,
            1 => FrameKind::Catch,
            2 => FrameKind::Generator,
            3 => FrameKind::Query,
            _ => FrameKind::Barrier,
        }
    }

    /// Makes an environment with `size` slots current.
    #[inline(always)]
    pub(in crate::prolog) fn allocate(&mut self, size: usize, kind: FrameKind) {
        let frame = self.top();
        let end = frame + FRAME_HEADER + size;
        if self.stack.len() < end {
            self.stack.resize(end.next_power_of_two(), Cell::ZERO);
        }
        // `cp` is the return address of the call whose clause allocates, since no call has been made in between.
        let word = u64::from(self.cp) | (size as u64) << 32 | (kind as u64) << 56;
        self.stack[frame] = Cell::from_bits(self.e as u64);
        self.stack[frame + 1] = Cell::from_bits(word);
        self.stack[frame + 2] = Cell::from_bits(self.b0 as u64);
        // Slots are cleared for the collector and for suspension, which read all of them.
        self.stack[frame + FRAME_HEADER..end].fill(Cell::ZERO);
        self.e = frame;
    }

    /// Gives the current environment up.
    #[inline(always)]
    pub(in crate::prolog) fn deallocate(&mut self) {
        // Nothing is popped: the stack has no top of its own, see `top`.
        self.cp = self.frame_cp(self.e);
        self.e = self.frame_previous(self.e);
    }

    #[inline(always)]
    pub(in crate::prolog) fn slot(&self, position: usize) -> Cell {
        self.stack[self.e + FRAME_HEADER + position]
    }

    #[inline(always)]
    pub(in crate::prolog) fn set_slot(&mut self, position: usize, value: Cell) {
        let index = self.e + FRAME_HEADER + position;
        self.stack[index] = value;
    }

    // ---- Choice points ------------------------------------------------------------------------

    #[inline(always)]
    pub(in crate::prolog) fn push_choice(&mut self, alternative: Alternative) {
        let choice = ChoicePoint {
            alternative,
            e: self.e as u32,
            cp: self.cp,
            b0: self.b0 as u32,
            trail: self.heap.trail.len() as u32,
            heap: self.heap.cells.len() as u32,
            top: self.top() as u32,
            saved: self.saved.len() as u32,
            delays: self.delays,
            // The logical update view: clauses added from now on are invisible to the alternatives of this call.
            generation: self.database.generation,
        };
        self.choices.push(choice);
        // Cells made after this vanish with the heap on backtracking, so that their bindings need no trail.
        self.heap.barrier = self.heap.cells.len();
    }

    /// The same, with cells to keep.
    #[inline(always)]
    pub(in crate::prolog) fn push_choice_saving(
        &mut self,
        alternative: Alternative,
        cells: &[Cell],
    ) {
        self.push_choice(alternative);
        self.saved.extend_from_slice(cells);
    }

    /// Keeps the arguments of a call for the newest choice point.
    #[inline(always)]
    pub(in crate::prolog) fn save_arguments(&mut self, count: usize) {
        // Few are copied one by one: a call of `memcpy` takes longer.
        match self.x[..count] {
            [] => {}
            [a] => self.saved.push(a),
            [a, b] => self.saved.extend_from_slice(&[a, b]),
            [a, b, c] => self.saved.extend_from_slice(&[a, b, c]),
            [a, b, c, d] => self.saved.extend_from_slice(&[a, b, c, d]),
            ref all => self.saved.extend_from_slice(all),
        }
    }

    /// Puts the arguments kept from a place on back into their registers.
    #[inline(always)]
    pub(in crate::prolog) fn restore_arguments(&mut self, from: usize) {
        match self.saved[from..] {
            [] => {}
            [a] => self.x[0] = a,
            [a, b] => self.x[..2].copy_from_slice(&[a, b]),
            [a, b, c] => self.x[..3].copy_from_slice(&[a, b, c]),
            [a, b, c, d] => self.x[..4].copy_from_slice(&[a, b, c, d]),
            ref all => self.x[..all.len()].copy_from_slice(all),
        }
    }

    /// Removes choice points down to a height.
    #[inline(always)]
    pub(in crate::prolog) fn cut_to(&mut self, height: usize) {
        // Rare, and costs every other cut one comparison.
        if self.cleanups.are_waiting() && height < self.choices.len() {
            self.note_cut_cleanups(height);
        }
        if let Some(choice) = self.choices.get(height) {
            let saved = choice.saved as usize;
            self.choices.truncate(height);
            self.saved.truncate(saved);
            self.reset_barrier();
        }
    }

    #[inline(always)]
    pub(in crate::prolog) fn pop_choice(&mut self) {
        if let Some(choice) = self.choices.pop() {
            self.saved.truncate(choice.saved as usize);
        }
        self.reset_barrier();
    }

    #[inline(always)]
    pub(in crate::prolog) fn reset_barrier(&mut self) {
        self.heap.barrier = self.choices.last().map_or(0, |choice| choice.heap as usize);
    }

    /// Goes back to the state of a choice point, which stays.
    #[inline(always)]
    pub(in crate::prolog) fn restore(&mut self, choice: &ChoicePoint) {
        // First the bindings, then the cells: the trail may name cells that the truncation takes away.
        self.heap.undo_to(choice.trail as usize);
        self.heap.cells.truncate(choice.heap as usize);
        self.e = choice.e as usize;
        self.cp = choice.cp;
        self.b0 = choice.b0 as usize;
        self.delays = choice.delays;
    }

    /// A saved cell of the newest choice point.
    pub(in crate::prolog) fn saved_cell(&self, choice: &ChoicePoint, position: usize) -> Cell {
        self.saved[choice.saved as usize + position]
    }

    /// Fails: goes back to the newest choice point and takes its alternative.
    #[inline(never)]
    pub(in crate::prolog) fn backtrack(&mut self) -> Result<Pc, Interruption> {
        self.heap.stopped()?;
        let Some(&choice) = self.choices.last() else {
            return Err(Interruption::Exhausted);
        };
        self.restore(&choice);
        match choice.alternative {
            Alternative::Clauses { scan, dynamic } => {
                self.restore_arguments(choice.saved as usize);
                Ok(self.retry_clause(scan, dynamic, choice.generation))
            }
            // Branches of a clause share its environment: registers are not saved, the compiler keeps what they need in
            // slots.
            Alternative::Code(pc) | Alternative::Condition(pc) => {
                self.pop_choice();
                Ok(pc)
            }
            Alternative::Goal | Alternative::Otherwise => {
                let goal = self.saved_cell(&choice, 0);
                let cut = self.saved_cell(&choice, 1);
                self.pop_choice();
                Ok(self.goal_later(goal, cut.mark_value() as usize))
            }
            Alternative::Query => Err(Interruption::Exhausted),
            // The goal of the catch has failed, and so has the catch; a dead condition has nothing else to offer.
            Alternative::Catch | Alternative::Dead => {
                self.pop_choice();
                Ok(crate::prolog::program::instruction::BACKTRACK)
            }
            Alternative::Cleanup => self.cleanup_goal_failed(),
            Alternative::Scan(scan) => {
                let kept = [0, 1, 2].map(|position| self.saved_cell(&choice, position));
                Ok(self.next_scanned(scan, choice.generation, kept))
            }
            Alternative::Argument(position, next) => {
                Ok(self.next_position(position, next, choice.saved as usize))
            }
            Alternative::Findall => self.finish_findall(self.saved_cell(&choice, 0)),
            // Failure of the goal is success of the negation.
            Alternative::Negation(undefined) => {
                self.pop_choice();
                if undefined {
                    self.delay_undefined();
                }
                Ok(self.cp)
            }
            Alternative::Generator(table) => self.generator_exhausted(table, false),
            Alternative::NegatedGenerator(table) => self.generator_exhausted(table, true),
            Alternative::Answers(table, position) => {
                Ok(self.next_answer(table, position, self.saved_cell(&choice, 0)))
            }
            Alternative::Consumer(table, consumer) => {
                Ok(self.next_for_consumer(table, consumer, self.saved_cell(&choice, 0)))
            }
        }
    }

    // ---- Findall, catch, negation -------------------------------------------------------------

    /// `$findall(Template, Goal, List)`
    pub(in crate::prolog) fn start_findall(&mut self) -> Result<Pc, Interruption> {
        let (template, goal, list) = (self.x[0], self.x[1], self.x[2]);
        self.push_choice_saving(Alternative::Findall, &[list]);
        self.bags.push(Vec::new());
        self.allocate(2, FrameKind::Barrier);
        self.set_slot(0, template);
        self.set_slot(1, self.delays);
        self.cp = stub::COLLECT;
        self.opaque_goal(goal)
    }

    #[inline(never)]
    pub(in crate::prolog) fn collect_solution(&mut self) {
        let template = self.slot(0);
        // If a limit ends the copy, the failure that follows sees it.
        // Out of the heap: the next solution is found by backtracking, which takes this one away.
        let record = self.heap.record(&[template]);
        // Delays are a list that only grows: another list than at the start means that the solution assumes something.
        let conditional = self.delays != self.slot(1);
        if let Some(bag) = self.bags.last_mut() {
            bag.push((record, conditional));
        }
    }

    #[inline(never)]
    fn finish_findall(&mut self, target: Cell) -> Result<Pc, Interruption> {
        self.pop_choice();
        let bag = self.bags.pop().unwrap_or_default();
        let conditional = bag.iter().any(|&(_, undefined)| undefined);
        // Solutions go back in their order, so that the variables of earlier ones are older.
        let elements: Vec<Cell> = bag
            .iter()
            .map(|(record, _)| self.heap.recall(record))
            .collect();
        let list = self.heap.list(&elements);
        if conditional {
            self.delay_undefined();
        }
        if self.heap.unify(target, list) {
            Ok(self.cp)
        } else {
            Ok(crate::prolog::program::instruction::BACKTRACK)
        }
    }

    /// `catch(Goal, Catcher, Recovery)`
    pub(in crate::prolog) fn start_catch(&mut self) -> Result<Pc, Interruption> {
        let (goal, catcher, recovery) = (self.x[0], self.x[1], self.x[2]);
        let height = self.choices.len();
        let bags = Cell::mark(self.bags.len() as u64);
        self.push_choice_saving(Alternative::Catch, &[catcher, recovery, bags]);
        self.allocate(1, FrameKind::Catch);
        self.set_slot(0, Cell::mark(height as u64));
        self.cp = stub::POP_CATCH;
        self.opaque_goal(goal)
    }

    /// The goal of a catch has succeeded.
    #[inline(never)]
    pub(in crate::prolog) fn pop_catch(&mut self) -> Pc {
        let height = self.slot(0).mark_value() as usize;
        // Without newer choice points the goal cannot be backtracked into: the catch is over. Otherwise it stays, and
        // is active again when its goal is re-entered.
        let is_last = height + 1 == self.choices.len();
        if is_last && self.choices[height].alternative == Alternative::Catch {
            self.pop_choice();
        }
        self.deallocate();
        self.cp
    }

    /// Plain negation as failure; the goal's solutions decide, undefined ones make it undefined.
    pub(in crate::prolog) fn start_negation(&mut self, goal: Cell) -> Result<Pc, Interruption> {
        let height = self.choices.len();
        self.push_choice(Alternative::Negation(false));
        self.allocate(2, FrameKind::Barrier);
        self.set_slot(0, Cell::mark(height as u64));
        self.set_slot(1, self.delays);
        self.cp = stub::NEGATION;
        self.opaque_goal(goal)
    }

    #[inline(never)]
    pub(in crate::prolog) fn negation_succeeded(&mut self) {
        let height = self.slot(0).mark_value() as usize;
        if self.delays == self.slot(1) {
            self.cut_to(height);
        } else if let Some(choice) = self.choices.get_mut(height) {
            // An undefined solution: others may decide; if none does, the negation is undefined.
            choice.alternative = Alternative::Negation(true);
        }
    }

    /// A condition succeeded: gives its else branch up and goes on with the then branch.
    #[inline(never)]
    pub(in crate::prolog) fn commit_then(&mut self, soft: bool) -> Result<Pc, Interruption> {
        let (then, cut, height) = (self.slot(0), self.slot(1), self.slot(2));
        let height = height.mark_value() as usize;
        if soft {
            self.soft_cut(height);
        } else {
            self.cut_to(height);
        }
        self.deallocate();
        if self.cleanups.are_due() {
            self.run_due_cleanups()?;
        }
        self.call_goal(then, cut.mark_value() as usize)
    }

    /// Removes one choice point, not those above it.
    #[inline(never)]
    pub(in crate::prolog) fn soft_cut(&mut self, height: usize) {
        if height + 1 == self.choices.len() {
            self.pop_choice();
        } else if let Some(choice) = self.choices.get_mut(height) {
            choice.alternative = Alternative::Dead;
        }
    }

    // ---- Exceptions ---------------------------------------------------------------------------

    /// Hands an interruption to the innermost active `catch/3`, or gives it back.
    #[inline(never)]
    pub(in crate::prolog) fn interrupted(
        &mut self,
        interruption: Interruption,
        pc: Pc,
    ) -> Result<Pc, Interruption> {
        let Interruption::Throw(ball) = interruption else {
            return Err(interruption);
        };
        self.heap.stopped()?;
        let mut running = RunningCode::new(pc, self.cp);
        // Catches are found through the environments, which say what is still running; a choice point of a catch may be
        // left from a goal that has exited.
        let mut frame = self.e;
        while frame != 0 && self.frame_kind(frame) != FrameKind::Query {
            running.returns_to(self.frame_cp(frame));
            if self.frame_kind(frame) == FrameKind::Catch {
                let height = self.stack[frame + FRAME_HEADER].mark_value() as usize;
                if let Some(&choice) = self.choices.get(height)
                    && choice.alternative == Alternative::Catch
                {
                    self.unwind_cleanups(height)?;
                    self.abandon_tables(height);
                    self.cut_to(height + 1);
                    self.restore(&choice);
                    let catcher = self.saved_cell(&choice, 0);
                    let recovery = self.saved_cell(&choice, 1);
                    let bags = self.saved_cell(&choice, 2).mark_value() as usize;
                    self.bags.truncate(bags);
                    self.pop_choice();
                    // The ball is built after the state of the catch is restored, or backtracking would take it away.
                    let term = self.heap.recall(&ball);
                    // Bindings of a catcher that does not match must be undone without a choice point: everything is trailed.
                    let mark = self.heap.trail.len();
                    let barrier = std::mem::replace(&mut self.heap.barrier, usize::MAX);
                    let caught = self.heap.unify(catcher, term);
                    self.heap.barrier = barrier;
                    if caught {
                        return self.opaque_goal(recovery);
                    }
                    self.heap.stopped()?;
                    self.heap.undo_to(mark);
                    frame = self.e;
                    continue;
                }
            }
            frame = self.frame_previous(frame);
        }
        let mut choices = self.choices.iter();
        let query = choices.rposition(|choice| choice.alternative == Alternative::Query);
        self.unwind_cleanups(query.unwrap_or(0))?;
        self.backtrace = self.call_sites(&running);
        Err(Interruption::Throw(ball))
    }

    /// A small integer in a slot.
    pub(in crate::prolog) fn slot_number(&self, position: usize) -> usize {
        let cell = self.slot(position);
        debug_assert_eq!(cell.tag(), INT);
        cell.small_value() as usize
    }
}
