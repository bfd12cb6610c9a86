//! The machine: runs compiled rules with explicit stacks for frames and open alternatives.
//!
//! Calls work as in Prolog, with two differences. Terms are ground, so that there is no
//! unification and no trail. And calls of tabled procedures are answered from tables:
//!
//! ```text
//! path(a,Y)  new: generator, its clauses run and add answers to the table
//!     └─ path(a,Z), edge(Z,Y)   same call, table incomplete: the clause becomes a consumer;
//!                               its frame waits in the table for the answers to come
//! ```
//!
//! A table is completed before its answers go to its caller (local scheduling), so negation always
//! meets complete tables when no atom depends on its own negation; when one does, it is reported.
//! Only procedures of one recursive component ever wait for each other: the frame of one clause is
//! then all there is to save, because every procedure of a recursive component is tabled. The oldest
//! table that others wait for, the leader, feeds answers to consumers until none is left, and
//! completes them all.
//!
//! Source: \[CW96\], restricted to stratified programs with ground answers. DIVERGENCE: a clause
//! whose outputs are known is left as soon as the rest of its body has succeeded once, since
//! further successes give the same answer.

use crate::limits::{Limits, StopReason};
use crate::rules::code::{
    Code, CodeAddress, CodeStep, Lifetime, Operand, Procedure, ProcedureId, Register, Run, Scan,
};
use crate::rules::error::EvaluationError;
use crate::rules::relation::{Relation, RowId};
use crate::rules::stacks::{Alternative, Choice, NO_FRAME, Receiver, Stacks};
use crate::rules::table::Tables;
use crate::term::{Functor, Store, TermId};

/// Steps between two looks at the stop flag and the memory in use.
const POLL_INTERVAL: u64 = 1 << 12;

/// Makes the code of a procedure that is called for the first time.
pub(super) trait Compile {
    /// False if it would be too large.
    fn compile(
        &mut self,
        store: &Store,
        code: &mut Code,
        procedures: &mut Vec<Procedure>,
        relations: &mut Vec<Relation>,
        number: ProcedureId,
    ) -> bool;
}

/// What making a term counts as, in steps.
const BUILD_STEPS: u64 = 2;

/// The parts that one evaluation works on.
pub(super) struct Machine<'m, C> {
    pub(super) store: &'m mut Store,
    pub(super) code: &'m mut Code,
    pub(super) procedures: &'m mut Vec<Procedure>,
    pub(super) relations: &'m mut Vec<Relation>,
    pub(super) tables: &'m mut Tables,
    pub(super) stacks: &'m mut Stacks,
    pub(super) compiler: &'m mut C,
    pub(super) limits: &'m Limits,
    pub(super) steps: &'m mut u64,
}

/// Where the machine goes on after a step.
pub(super) enum Next {
    /// At the next step of the clause.
    Step,
    At(u32, CodeAddress),
    Fail,
    Answer,
    /// A negation of this predicate waits for its own outcome.
    Loop(Functor),
    /// The code of this predicate would be too large.
    TooLarge(Functor),
}

impl<C: Compile> Machine<'_, C> {
    /// Gives `sink` every answer of a call, as the terms of the outputs in order of position,
    /// until it returns false. A call may give an answer more than once.
    pub(super) fn solve(
        &mut self,
        procedure: ProcedureId,
        inputs: &[TermId],
        sink: &mut dyn FnMut(&mut Store, &[TermId]) -> bool,
    ) -> Result<(), EvaluationError> {
        self.stacks.clear();
        self.push_choice(Alternative::Bottom, NO_FRAME, CodeAddress::START);
        let result = self.run(procedure, inputs, sink);
        // Whatever table is open when a stop ends the evaluation has some of its answers only.
        if result.is_err() {
            // Incomplete tables must not be taken for complete ones.
            self.tables.drop_from(Lifetime::Game);
        }
        self.stacks.clear();
        result
    }

    /// Calls a procedure and takes steps until no alternative is left. Whole, since frame, base and address are
    /// local to the loop: a function for each outcome would have to give all three back.
    fn run(
        &mut self,
        procedure: ProcedureId,
        inputs: &[TermId],
        sink: &mut dyn FnMut(&mut Store, &[TermId]) -> bool,
    ) -> Result<(), EvaluationError> {
        self.stacks
            .buffer
            .resize(inputs.len())
            .copy_from_slice(inputs);
        if !self.prepare(procedure) {
            let predicate = self.procedures[procedure.index()].predicate;
            return Err(EvaluationError::CodeTooLarge { predicate });
        }
        // The stack of a recursive procedure belongs to a table, since its clauses may have to wait as consumers.
        let mut next = if self.procedures[procedure.index()].recursive {
            // Recursive procedures are reached through their table only.
            self.call_for_query(procedure)
        } else {
            self.enter(procedure, Receiver::Query)
        };
        let (mut frame, mut base, mut address) = (0, 0, CodeAddress::START);
        // Steps are counted over all evaluations, so that short ones look at the stop flag as well.
        let last = self
            .limits
            .steps
            .map(|limit| self.steps.saturating_add(limit));
        let mut pause = self.pause(last);
        loop {
            match next {
                Next::Step => address = address.next(),
                Next::At(to, resume) => {
                    (frame, base, address) = (to, self.stacks.frames[to as usize].base, resume);
                }
                Next::Fail => {
                    match self.retreat() {
                        Some(resumed) => next = resumed,
                        None => return Ok(()),
                    }
                    continue;
                }
                Next::TooLarge(predicate) => {
                    return Err(EvaluationError::CodeTooLarge { predicate });
                }
                Next::Loop(predicate) => return Err(EvaluationError::NegativeLoop { predicate }),
                Next::Answer => {
                    if !sink(self.store, self.stacks.answer.cells()) {
                        return Ok(());
                    }
                    next = Next::Fail;
                    continue;
                }
            }
            // The one place where work is counted: every step of every clause passes here.
            *self.steps += 1;
            if *self.steps >= pause {
                self.poll(last)?;
                pause = self.pause(last);
            }
            next = self.step(frame, base, address);
        }
    }

    /// The step before which `poll` is due: at regular intervals, and behind the last one allowed.
    fn pause(&self, last: Option<u64>) -> u64 {
        let regular = (*self.steps / POLL_INTERVAL + 1) * POLL_INTERVAL;
        last.map_or(regular, |last| regular.min(last.saturating_add(1)))
    }

    fn poll(&mut self, last: Option<u64>) -> Result<(), EvaluationError> {
        self.limits.stop.poll()?;
        if let Some(limit) = self.limits.steps
            && last.is_some_and(|last| *self.steps > last)
        {
            return Err(StopReason::StepLimit(limit).into());
        }
        if self
            .limits
            .bytes
            .is_some_and(|limit| self.stacks.bytes() > limit)
        {
            return Err(StopReason::MemoryLimit.into());
        }
        Ok(())
    }

    /// Takes one step. One arm a step: what takes more than a few lines is a function of its own.
    #[inline]
    pub(super) fn step(&mut self, frame: u32, base: u32, address: CodeAddress) -> Next {
        // Steps are laid out in a row and succeed by going on to the next one; all others say where to go.
        let on = |go: bool| if go { Next::Step } else { Next::Fail };
        match self.code.steps[address.index()] {
            CodeStep::Scan(scan) => self.scan(frame, base, address.next(), scan),
            CodeStep::Test {
                relation,
                row,
                positive,
            } => {
                self.load(base, row);
                on(self.relations[relation.index()]
                    .find(self.stacks.buffer.cells())
                    .is_some()
                    == positive)
            }
            CodeStep::Compare {
                left,
                right,
                positive,
            } => on((self.value(base, left) == self.value(base, right)) == positive),
            CodeStep::Build {
                symbol,
                arguments,
                into,
            } => {
                // Counted for what it is worth: the term is looked up by content.
                *self.steps += BUILD_STEPS - 1;
                self.load(base, arguments);
                let term = self.store.compound(symbol, self.stacks.buffer.cells());
                self.stacks.registers[(base + into.0) as usize] = term;
                on(true)
            }
            CodeStep::Match { term, functor, out } => {
                on(self.destructure(base, term, functor, out))
            }
            CodeStep::Call {
                procedure,
                inputs,
                out,
            } => self.call(frame, address.next(), procedure, inputs, out),
            CodeStep::Fail => Next::Fail,
            CodeStep::Fork { otherwise } => {
                self.push_choice(Alternative::Fork, frame, otherwise);
                on(true)
            }
            CodeStep::Jump { to } => Next::At(frame, to),
            CodeStep::Negate { otherwise, mark } => {
                // `not g`: the mark is the height of the open alternatives. If g succeeds, `Refute` cuts back to the mark,
                // the alternative just pushed with it, and fails; if g fails, that alternative goes on behind it.
                self.set_mark(base, mark);
                self.push_choice(Alternative::Fork, frame, otherwise);
                on(true)
            }
            CodeStep::Refute { mark } => {
                self.cut_to_mark(base, mark);
                Next::Fail
            }
            // Mark and commit enclose what comes after the outputs are bound: one success of it is enough.
            CodeStep::Mark { mark } => {
                self.set_mark(base, mark);
                on(true)
            }
            CodeStep::Commit { mark } => {
                self.cut_to_mark(base, mark);
                on(true)
            }
            CodeStep::Done { results } => self.done(frame, base, results),
        }
    }

    pub(super) fn value(&self, base: u32, operand: Operand) -> TermId {
        match operand {
            Operand::Constant(term) => term,
            Operand::Register(register) => self.stacks.registers[(base + register.0) as usize],
        }
    }

    /// Copies the values of some operands to the buffer.
    #[inline(always)]
    pub(super) fn load(&mut self, base: u32, run: Run) {
        let Stacks {
            buffer, registers, ..
        } = &mut *self.stacks;
        let operands = self.code.operands(run);
        let frame = &registers[base as usize..];
        for (cell, operand) in buffer.resize(operands.len()).iter_mut().zip(operands) {
            *cell = match *operand {
                Operand::Constant(term) => term,
                Operand::Register(register) => frame[register.0 as usize],
            };
        }
    }

    fn set_mark(&mut self, base: u32, mark: Register) {
        // A height of a stack in a register for terms: marks never leave their frame, and are no terms.
        let height = self.stacks.choices.len();
        self.stacks.registers[(base + mark.0) as usize] = TermId::from_index(height);
    }

    fn cut_to_mark(&mut self, base: u32, mark: Register) {
        let height = self.stacks.registers[(base + mark.0) as usize].index();
        self.stacks.choices.truncate(height);
    }

    pub(super) fn push_choice(
        &mut self,
        alternative: Alternative,
        frame: u32,
        resume: CodeAddress,
    ) {
        self.stacks.choices.push(Choice {
            alternative,
            frame,
            resume,
            frames: self.stacks.frames.len() as u32,
            registers: self.stacks.registers.len() as u32,
        });
    }

    #[inline]
    fn scan(&mut self, frame: u32, base: u32, resume: CodeAddress, number: u32) -> Next {
        let Scan {
            relation,
            index,
            key,
            single_key,
            ..
        } = *self.code.scan(number);
        let bucket = match single_key {
            // One key column: the bucket stands at the index of the term, without hashing.
            Some(key) => {
                let key = self.value(base, key);
                self.relations[relation.index()].bucket_of_one(index, key)
            }
            None => {
                self.load(base, key);
                self.relations[relation.index()].bucket(index, self.stacks.buffer.cells())
            }
        };
        let Some(bucket) = bucket else {
            return Next::Fail;
        };
        let rows = self.relations[relation.index()].rows(index, bucket);
        let Some(&row) = rows.first() else {
            return Next::Fail;
        };
        // Invariant: an alternative on the stack has at least one row left. The last row is taken with the
        // alternative already gone, so that the frame can be given back when the clause ends.
        if rows.len() > 1 {
            self.push_choice(
                Alternative::Rows {
                    scan: number,
                    bucket,
                    next: 1,
                },
                frame,
                resume,
            );
        }
        self.bind_row(base, number, row);
        Next::Step
    }

    #[inline(always)]
    fn bind_row(&mut self, base: u32, number: u32, row: RowId) {
        let scan = self.code.scan(number);
        let relation = &self.relations[scan.relation.index()];
        let cells = relation.cells(row);
        let frame = &mut self.stacks.registers[base as usize..];
        for output in self.code.outputs(scan.out) {
            frame[output.register.0 as usize] = cells[output.column as usize];
        }
        // The term of the found row is known: the head need not build `cell(1,2,b)` again.
        if scan.term != Register::NONE {
            frame[scan.term.0 as usize] = relation.term(row);
        }
    }

    fn destructure(&mut self, base: u32, term: Operand, functor: Functor, out: Run) -> bool {
        let term = self.value(base, term);
        if self.store.functor(term) != Some(functor) {
            return false;
        }
        let arguments = self.store.arguments(term);
        for output in self.code.outputs(out) {
            self.stacks.registers[(base + output.register.0) as usize] =
                arguments[output.column as usize];
        }
        true
    }

    /// Compiles a procedure that has no code yet; false if the code would be too large.
    pub(super) fn prepare(&mut self, procedure: ProcedureId) -> bool {
        self.procedures[procedure.index()].compiled
            || self.compiler.compile(
                self.store,
                self.code,
                self.procedures,
                self.relations,
                procedure,
            )
    }

    /// Takes the newest open alternative; none if the query is exhausted. One arm an alternative; in all of them the
    /// alternative leaves the stack with the last thing that it has to offer.
    fn retreat(&mut self) -> Option<Next> {
        let choice = *self.stacks.choices.last()?;
        // Everything above the alternative is dropped; registers below it may have been overwritten, but only those
        // that its resume address writes anew.
        self.restore(&choice);
        let top = self.stacks.choices.len() - 1;
        let Choice { frame, resume, .. } = choice;
        Some(match choice.alternative {
            Alternative::Rows { scan, bucket, next } => {
                let Scan {
                    relation, index, ..
                } = *self.code.scan(scan);
                // The bucket cannot have changed: relations are constant while the machine runs.
                let rows = self.relations[relation.index()].rows(index, bucket);
                let row = rows[next as usize];
                if next as usize + 1 == rows.len() {
                    self.stacks.choices.truncate(top);
                } else if let Alternative::Rows { next, .. } =
                    &mut self.stacks.choices[top].alternative
                {
                    *next += 1;
                }
                let base = self.stacks.frames[frame as usize].base;
                self.bind_row(base, scan, row);
                Next::At(frame, resume)
            }
            Alternative::Answers { table, next, out } => {
                if next + 1 == self.tables.get(table).count {
                    self.stacks.choices.truncate(top);
                } else if let Alternative::Answers { next, .. } =
                    &mut self.stacks.choices[top].alternative
                {
                    *next += 1;
                }
                self.bind_answer(frame, table, next, out);
                Next::At(frame, resume)
            }
            Alternative::Clauses {
                procedure,
                choice,
                next,
                receiver,
            } => self.next_clause(top, procedure, choice, next, receiver),
            Alternative::Fork => {
                self.stacks.choices.truncate(top);
                Next::At(frame, resume)
            }
            Alternative::Generator { table, out } => self.exhausted(choice, top, table, out),
            Alternative::Consume { table, consumer } => self.feed(table, consumer),
            Alternative::Bottom => return None,
        })
    }
}
