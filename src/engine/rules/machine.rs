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
//! meets complete tables when no atom depends on its own negation; when one does, it is reported. Only procedures of one recursive component
//! ever wait for each other: the frame of one clause is then all there is to save, because every
//! procedure of a recursive component is tabled. The oldest table that others wait for, the
//! leader, feeds answers to consumers until none is left, and completes them all.
//!
//! Source: \[CW96\], restricted to stratified programs with ground answers. DIVERGENCE: a clause
//! whose outputs are known is left as soon as the rest of its body has succeeded once, since
//! further successes give the same answer.

use crate::engine::limits::{Limits, StopReason};
use crate::engine::rules::EvaluationError;
use crate::engine::rules::code::{
    Address, Code, Lifetime, Mode, Operand, Output, Place, Procedure, ProcedureNumber, Register,
    Run, Scan, Step,
};
use crate::engine::rules::relation::{Relation, Row};
use crate::engine::rules::table::{Consumer, Entry, TableId, Tables};
use crate::term::{Functor, Store, TermId};

/// Steps between two looks at the stop flag and the memory in use.
const POLL_INTERVAL: u64 = 1 << 12;

/// Takes the place of a frame number where there is none.
const NO_FRAME: u32 = u32::MAX;

/// Calls of a tabled procedure after which its share of hits decides whether tabling pays.
const TRIAL_CALLS: u32 = 512;

/// A call answered from its table in fewer than one of so many cases is not worth tabling.
const WORTHWHILE_SHARE: u32 = 4;

/// Whom the outputs of a clause go to.
#[derive(Clone, Copy, Debug)]
enum Receiver {
    /// The caller's registers.
    Caller {
        frame: u32,
        resume: Address,
        out: Run,
    },
    /// As before, and the caller wants only one answer: forget alternatives above this height.
    CallerOnce {
        frame: u32,
        resume: Address,
        height: u32,
    },
    /// A table.
    Table(TableId),
    /// Whoever asked the machine.
    Query,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    base: u32,
    size: u32,
    receiver: Receiver,
}

/// What to do when everything after an alternative has failed.
#[derive(Clone, Copy, Debug)]
enum Alternative {
    /// Take the next row of a bucket.
    Rows { scan: u32, bucket: u32, next: u32 },
    /// Take the next answer of a complete table.
    Answers { table: TableId, next: u32, out: Run },
    /// Try the next clause; the inputs lie on top of the registers.
    Clauses {
        procedure: ProcedureNumber,
        choice: ClauseChoice,
        next: u32,
        receiver: Receiver,
    },
    /// Go on at the resume address.
    Fork,
    /// The clauses of a new table are exhausted.
    Generator { table: TableId, out: Run },
    /// Feed the consumer with the next answer.
    Consume { table: TableId, consumer: u32 },
    /// The query has no further answer.
    Bottom,
}

/// Which clauses of a procedure a call tries.
#[derive(Clone, Copy, Debug)]
enum ClauseChoice {
    All,
    Value(TermId),
    Others,
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    alternative: Alternative,
    frame: u32,
    resume: Address,
    frames: u32,
    registers: u32,
}

/// A table whose clauses run or whose consumers are fed.
#[derive(Clone, Copy, Debug)]
struct Active {
    depth: u32,
    /// The least depth of a table that something above this one waits for.
    link: u32,
    /// Where the search for work among the incomplete tables goes on.
    cursor: u32,
}

/// The stacks of the machine, kept between queries for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Stacks {
    registers: Vec<TermId>,
    frames: Vec<Frame>,
    choices: Vec<Choice>,
    incomplete: Vec<TableId>,
    active: Vec<Active>,
    buffer: Buffer,
    answer: Buffer,
}

/// A few terms on their way from one place to another; resizing writes no memory.
#[derive(Clone, Debug, Default)]
struct Buffer {
    room: Vec<TermId>,
    len: usize,
}

impl Buffer {
    fn cells(&self) -> &[TermId] {
        &self.room[..self.len]
    }

    fn resize(&mut self, len: usize) -> &mut [TermId] {
        if len > self.room.len() {
            self.room.resize(len, TermId::from_index(0));
        }
        self.len = len;
        &mut self.room[..len]
    }
}

impl Stacks {
    fn clear(&mut self) {
        self.registers.clear();
        self.frames.clear();
        self.choices.clear();
        self.incomplete.clear();
        self.active.clear();
    }

    fn bytes(&self) -> usize {
        self.registers.len() * size_of::<TermId>()
            + self.frames.len() * size_of::<Frame>()
            + self.choices.len() * size_of::<Choice>()
    }
}

/// Makes the code of a procedure that is called for the first time.
pub(super) trait Compile {
    fn compile(
        &mut self,
        store: &Store,
        code: &mut Code,
        procedures: &mut Vec<Procedure>,
        relations: &mut Vec<Relation>,
        number: ProcedureNumber,
    );
}

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
enum Next {
    /// At the next step of the clause.
    Step,
    At(u32, Address),
    Fail,
    Answer,
    /// A denial of this predicate waits for its own outcome.
    Loop(Functor),
}

impl<C: Compile> Machine<'_, C> {
    /// Gives `sink` every answer of a call, as the terms of the outputs in order of position,
    /// until it returns false. A call may give an answer more than once.
    pub(super) fn solve(
        &mut self,
        procedure: ProcedureNumber,
        inputs: &[TermId],
        sink: &mut dyn FnMut(&mut Store, &[TermId]) -> bool,
    ) -> Result<(), EvaluationError> {
        self.stacks.clear();
        self.push_choice(Alternative::Bottom, NO_FRAME, 0);
        let result = self.run(procedure, inputs, sink);
        if result.is_err() {
            // Incomplete tables must not be taken for complete ones.
            self.tables.drop_from(Lifetime::Game);
        }
        self.stacks.clear();
        result
    }

    fn run(
        &mut self,
        procedure: ProcedureNumber,
        inputs: &[TermId],
        sink: &mut dyn FnMut(&mut Store, &[TermId]) -> bool,
    ) -> Result<(), EvaluationError> {
        self.stacks
            .buffer
            .resize(inputs.len())
            .copy_from_slice(inputs);
        self.prepare(procedure);
        let mut next = if self.procedures[procedure as usize].recursive {
            // Recursive procedures are reached through their table only.
            self.call_for_query(procedure)
        } else {
            self.enter(procedure, Receiver::Query)
        };
        let (mut frame, mut base, mut address) = (0, 0, 0);
        // Steps are counted over all evaluations, so that short ones look at the stop flag as well.
        let last = self
            .limits
            .steps
            .map(|limit| self.steps.saturating_add(limit));
        let mut pause = self.pause(last);
        loop {
            match next {
                Next::Step => address += 1,
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
                Next::Loop(predicate) => return Err(EvaluationError::NegativeLoop { predicate }),
                Next::Answer => {
                    if !sink(self.store, self.stacks.answer.cells()) {
                        return Ok(());
                    }
                    next = Next::Fail;
                    continue;
                }
            }
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
        if let Some(reason) = self.limits.stop.raised() {
            return Err(reason.into());
        }
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

    #[inline]
    fn step(&mut self, frame: u32, base: u32, address: Address) -> Next {
        let on = |go: bool| if go { Next::Step } else { Next::Fail };
        match self.code.steps[address as usize] {
            Step::Scan(scan) => self.scan(frame, base, address + 1, scan),
            Step::Test {
                relation,
                row,
                positive,
            } => {
                self.load(base, row);
                on(self.relations[relation as usize]
                    .find(self.stacks.buffer.cells())
                    .is_some()
                    == positive)
            }
            Step::Compare {
                left,
                right,
                positive,
            } => on((self.value(base, left) == self.value(base, right)) == positive),
            Step::Build {
                symbol,
                arguments,
                into,
            } => {
                self.load(base, arguments);
                let term = self.store.compound(symbol, self.stacks.buffer.cells());
                self.stacks.registers[(base + into.0) as usize] = term;
                on(true)
            }
            Step::Match { term, functor, out } => on(self.destructure(base, term, functor, out)),
            Step::Call {
                procedure,
                inputs,
                out,
            } => self.call(frame, address + 1, procedure, inputs, out),
            Step::Fail => Next::Fail,
            Step::Fork { otherwise } => {
                self.push_choice(Alternative::Fork, frame, otherwise);
                on(true)
            }
            Step::Jump { to } => Next::At(frame, to),
            Step::Deny { otherwise, mark } => {
                self.set_mark(base, mark);
                self.push_choice(Alternative::Fork, frame, otherwise);
                on(true)
            }
            Step::Refute { mark } => {
                self.cut_to_mark(base, mark);
                Next::Fail
            }
            Step::Mark { mark } => {
                self.set_mark(base, mark);
                on(true)
            }
            Step::Commit { mark } => {
                self.cut_to_mark(base, mark);
                on(true)
            }
            Step::Done { results } => self.done(frame, base, results),
        }
    }

    fn value(&self, base: u32, operand: Operand) -> TermId {
        match operand.place() {
            Place::Constant(term) => term,
            Place::Register(register) => self.stacks.registers[(base + register.0) as usize],
        }
    }

    /// Copies the values of some operands to the buffer.
    #[inline]
    fn load(&mut self, base: u32, run: Run) {
        let Stacks {
            buffer, registers, ..
        } = &mut *self.stacks;
        let operands = self.code.operands(run);
        for (cell, operand) in buffer.resize(operands.len()).iter_mut().zip(operands) {
            *cell = match operand.place() {
                Place::Constant(term) => term,
                Place::Register(register) => registers[(base + register.0) as usize],
            };
        }
    }

    fn set_mark(&mut self, base: u32, mark: Register) {
        let height = self.stacks.choices.len();
        self.stacks.registers[(base + mark.0) as usize] = TermId::from_index(height);
    }

    fn cut_to_mark(&mut self, base: u32, mark: Register) {
        let height = self.stacks.registers[(base + mark.0) as usize].index();
        self.stacks.choices.truncate(height);
    }

    fn push_choice(&mut self, alternative: Alternative, frame: u32, resume: Address) {
        self.stacks.choices.push(Choice {
            alternative,
            frame,
            resume,
            frames: self.stacks.frames.len() as u32,
            registers: self.stacks.registers.len() as u32,
        });
    }

    #[inline]
    fn scan(&mut self, frame: u32, base: u32, resume: Address, number: u32) -> Next {
        let scan = self.code.scan(number);
        self.load(base, scan.key);
        let relation = &self.relations[scan.relation as usize];
        let Some(bucket) = relation.bucket(scan.index, self.stacks.buffer.cells()) else {
            return Next::Fail;
        };
        let rows = relation.rows(scan.index, bucket);
        let Some(&row) = rows.first() else {
            return Next::Fail;
        };
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
        self.bind_row(base, scan, row);
        Next::Step
    }

    #[inline]
    fn bind_row(&mut self, base: u32, scan: Scan, row: Row) {
        let relation = &self.relations[scan.relation as usize];
        let cells = relation.cells(row);
        let registers = &mut self.stacks.registers;
        for output in self.code.outputs(scan.out) {
            registers[(base + output.register.0) as usize] = cells[output.column as usize];
        }
        if scan.term != Register::NONE {
            registers[(base + scan.term.0) as usize] = relation.term(row);
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

    fn prepare(&mut self, procedure: ProcedureNumber) {
        if !self.procedures[procedure as usize].compiled {
            self.compiler.compile(
                self.store,
                self.code,
                self.procedures,
                self.relations,
                procedure,
            );
        }
    }

    fn call(
        &mut self,
        frame: u32,
        resume: Address,
        number: ProcedureNumber,
        inputs: Run,
        out: Run,
    ) -> Next {
        self.prepare(number);
        let base = self.stacks.frames[frame as usize].base;
        self.load(base, inputs);
        let procedure = &mut self.procedures[number as usize];
        if procedure.mode == Mode::Inline {
            let receiver = if procedure.output_count == 0 {
                Receiver::CallerOnce {
                    frame,
                    resume,
                    height: self.stacks.choices.len() as u32,
                }
            } else {
                Receiver::Caller { frame, resume, out }
            };
            return self.enter(number, receiver);
        }
        procedure.calls += 1;
        let (lifetime, width) = (procedure.lifetime, procedure.output_count);
        match self
            .tables
            .open(lifetime, number, self.stacks.buffer.cells(), width)
        {
            Entry::Known(table) => {
                procedure.hits += 1;
                if self.tables.get(table).complete {
                    self.deliver(frame, resume, table, out)
                } else {
                    self.wait(frame, resume, table, out)
                }
            }
            Entry::New(table) => {
                if procedure.calls == TRIAL_CALLS {
                    judge(procedure);
                }
                self.generate(frame, resume, number, table, out)
            }
        }
    }

    /// Calls a recursive procedure through a frame that hands its outputs to the query.
    fn call_for_query(&mut self, number: ProcedureNumber) -> Next {
        let procedure = &self.procedures[number as usize];
        let (lifetime, width) = (procedure.lifetime, procedure.output_count);
        let outputs: Vec<Output> = (0..width)
            .map(|column| Output {
                column,
                register: Register(column),
            })
            .collect();
        let results: Vec<Operand> = outputs
            .iter()
            .map(|output| Operand::register(output.register))
            .collect();
        let out = self.code.add_outputs(&outputs);
        let results = self.code.add_operands(&results);
        let resume = self.code.next_address();
        self.code.steps.push(Step::Done { results });
        let base = self.stacks.registers.len() as u32;
        self.stacks
            .registers
            .resize(base as usize + width as usize, TermId::from_index(0));
        self.stacks.frames.push(Frame {
            base,
            size: width,
            receiver: Receiver::Query,
        });
        let frame = self.stacks.frames.len() as u32 - 1;
        match self
            .tables
            .open(lifetime, number, self.stacks.buffer.cells(), width)
        {
            Entry::Known(table) => self.deliver(frame, resume, table, out),
            Entry::New(table) => self.generate(frame, resume, number, table, out),
        }
    }

    /// Starts on the clauses of a procedure; the inputs are in the buffer.
    fn enter(&mut self, number: ProcedureNumber, receiver: Receiver) -> Next {
        let base = self.stacks.registers.len() as u32;
        let Stacks {
            registers, buffer, ..
        } = &mut *self.stacks;
        registers.extend_from_slice(buffer.cells());
        let procedure = &self.procedures[number as usize];
        let choice = match &procedure.switch {
            None => ClauseChoice::All,
            Some(switch) => {
                let value = self.stacks.buffer.cells()[switch.input as usize];
                if switch.by_value.contains_key(&value) {
                    ClauseChoice::Value(value)
                } else {
                    ClauseChoice::Others
                }
            }
        };
        let (first, more) = nth_clause(procedure, choice, 0);
        let Some(first) = first else {
            self.stacks.registers.truncate(base as usize);
            return Next::Fail;
        };
        if more {
            let clauses = Alternative::Clauses {
                procedure: number,
                choice,
                next: 1,
                receiver,
            };
            self.push_choice(clauses, NO_FRAME, 0);
        }
        self.start_clause(number, first, base, receiver)
    }

    fn start_clause(
        &mut self,
        number: ProcedureNumber,
        clause: u32,
        base: u32,
        receiver: Receiver,
    ) -> Next {
        let clause = self.procedures[number as usize].clauses[clause as usize];
        self.stacks
            .registers
            .resize((base + clause.registers) as usize, TermId::from_index(0));
        self.stacks.frames.push(Frame {
            base,
            size: clause.registers,
            receiver,
        });
        Next::At(self.stacks.frames.len() as u32 - 1, clause.start)
    }

    fn done(&mut self, frame: u32, base: u32, results: Run) -> Next {
        match self.stacks.frames[frame as usize].receiver {
            Receiver::Caller {
                frame: caller,
                resume,
                out,
            } => {
                self.copy_out(base, results, caller, out);
                self.drop_frame(frame, base);
                Next::At(caller, resume)
            }
            Receiver::CallerOnce {
                frame: caller,
                resume,
                height,
            } => {
                self.stacks.choices.truncate(height as usize);
                self.drop_frame(frame, base);
                Next::At(caller, resume)
            }
            Receiver::Table(table) => {
                self.load(base, results);
                self.add_answer(table)
            }
            Receiver::Query => {
                self.load(base, results);
                let Stacks { answer, buffer, .. } = &mut *self.stacks;
                std::mem::swap(answer, buffer);
                Next::Answer
            }
        }
    }

    fn copy_out(&mut self, base: u32, results: Run, caller: u32, out: Run) {
        let to = self.stacks.frames[caller as usize].base;
        let results = self.code.operands(results);
        for output in self.code.outputs(out) {
            let value = self.value(base, results[output.column as usize]);
            self.stacks.registers[(to + output.register.0) as usize] = value;
        }
    }

    /// Gives the memory of a frame back if no alternative needs it.
    fn drop_frame(&mut self, frame: u32, base: u32) {
        let (frames, registers) = self
            .stacks
            .choices
            .last()
            .map_or((0, 0), |choice| (choice.frames, choice.registers));
        if frame >= frames {
            self.stacks.frames.truncate(frame as usize);
            // The inputs for the next clause may lie on top of what the alternative keeps.
            self.stacks.registers.truncate(base.max(registers) as usize);
        }
    }

    /// Adds the answer in the buffer to a table.
    fn add_answer(&mut self, table: TableId) -> Next {
        let entry = self.tables.get_mut(table);
        entry.add(self.stacks.buffer.cells());
        if !self.stacks.buffer.cells().is_empty()
            || self.procedures[entry.procedure as usize].recursive
        {
            return Next::Fail;
        }
        // One answer is all that a call without outputs can have.
        entry.complete = true;
        let generator = entry.height as usize;
        let choice = self.stacks.choices[generator];
        self.stacks.choices.truncate(generator);
        self.restore(&choice);
        Next::At(choice.frame, choice.resume)
    }

    fn restore(&mut self, choice: &Choice) {
        self.stacks.frames.truncate(choice.frames as usize);
        self.stacks.registers.truncate(choice.registers as usize);
    }

    /// Opens a table and starts on the clauses that fill it; the inputs are in the buffer.
    fn generate(
        &mut self,
        frame: u32,
        resume: Address,
        number: ProcedureNumber,
        table: TableId,
        out: Run,
    ) -> Next {
        let entry = self.tables.get_mut(table);
        entry.height = self.stacks.choices.len() as u32;
        if self.procedures[number as usize].recursive {
            let depth = self.stacks.incomplete.len() as u32;
            entry.depth = depth;
            self.stacks.incomplete.push(table);
            self.stacks.active.push(Active {
                depth,
                link: depth,
                cursor: depth,
            });
        }
        self.push_choice(Alternative::Generator { table, out }, frame, resume);
        self.enter(number, Receiver::Table(table))
    }

    /// Lets a clause wait for the answers of an incomplete table.
    fn wait(&mut self, frame: u32, resume: Address, table: TableId, out: Run) -> Next {
        if self.code.is_denied(resume) {
            let procedure = self.tables.get(table).procedure;
            return Next::Loop(self.procedures[procedure as usize].predicate);
        }
        let Frame {
            base,
            size,
            receiver,
        } = self.stacks.frames[frame as usize];
        let Receiver::Table(owner) = receiver else {
            unreachable!(
                "only clauses of recursive procedures meet incomplete tables, and these are tabled"
            );
        };
        let registers = self.stacks.registers[base as usize..(base + size) as usize].into();
        let entry = self.tables.get_mut(table);
        entry.consumers.push(Consumer {
            owner,
            resume,
            out,
            registers,
            seen: 0,
        });
        let depth = entry.depth;
        if let Some(active) = self.stacks.active.last_mut() {
            active.link = active.link.min(depth);
        }
        Next::Fail
    }

    /// Gives the caller the answers of a complete table.
    fn deliver(&mut self, frame: u32, resume: Address, table: TableId, out: Run) -> Next {
        let count = self.tables.get(table).count;
        if count == 0 {
            return Next::Fail;
        }
        if count > 1 {
            self.push_choice(
                Alternative::Answers {
                    table,
                    next: 1,
                    out,
                },
                frame,
                resume,
            );
        }
        self.bind_answer(frame, table, 0, out);
        Next::At(frame, resume)
    }

    fn bind_answer(&mut self, frame: u32, table: TableId, number: u32, out: Run) {
        let base = self.stacks.frames[frame as usize].base;
        let answer = self.tables.get(table).answer(number);
        for output in self.code.outputs(out) {
            self.stacks.registers[(base + output.register.0) as usize] =
                answer[output.column as usize];
        }
    }

    /// Takes the newest open alternative; none if the query is exhausted.
    fn retreat(&mut self) -> Option<Next> {
        let choice = *self.stacks.choices.last()?;
        self.restore(&choice);
        let top = self.stacks.choices.len() - 1;
        let Choice { frame, resume, .. } = choice;
        Some(match choice.alternative {
            Alternative::Rows { scan, bucket, next } => {
                let scan = self.code.scan(scan);
                let rows = self.relations[scan.relation as usize].rows(scan.index, bucket);
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

    fn next_clause(
        &mut self,
        top: usize,
        number: ProcedureNumber,
        choice: ClauseChoice,
        next: u32,
        receiver: Receiver,
    ) -> Next {
        let procedure = &self.procedures[number as usize];
        let (clause, more) = nth_clause(procedure, choice, next);
        let base = self.stacks.registers.len() as u32 - procedure.input_count;
        if !more {
            self.stacks.choices.truncate(top);
        } else if let Alternative::Clauses { next, .. } = &mut self.stacks.choices[top].alternative
        {
            *next += 1;
        }
        match clause {
            Some(clause) => self.start_clause(number, clause, base, receiver),
            None => Next::Fail,
        }
    }

    /// The clauses of a table are exhausted: complete it, feed consumers, or leave it to the leader.
    fn exhausted(&mut self, choice: Choice, top: usize, table: TableId, out: Run) -> Next {
        let Choice { frame, resume, .. } = choice;
        let procedure = self.tables.get(table).procedure;
        if !self.procedures[procedure as usize].recursive {
            self.tables.get_mut(table).complete = true;
            self.stacks.choices.truncate(top);
            return self.deliver(frame, resume, table, out);
        }
        let Some(&active) = self.stacks.active.last() else {
            unreachable!("a recursive generator is active until it is popped here");
        };
        if active.link < active.depth {
            self.stacks.active.pop();
            if let Some(outer) = self.stacks.active.last_mut() {
                outer.link = outer.link.min(active.link);
            }
            self.stacks.choices.truncate(top);
            return self.wait(frame, resume, table, out);
        }
        if let Some((table, consumer)) = self.work(active) {
            self.push_consumer(table, consumer);
            return self.feed(table, consumer);
        }
        for &member in &self.stacks.incomplete[active.depth as usize..] {
            let member = self.tables.get_mut(member);
            member.complete = true;
            member.consumers = Vec::new();
        }
        self.stacks.incomplete.truncate(active.depth as usize);
        self.stacks.active.pop();
        self.stacks.choices.truncate(top);
        self.deliver(frame, resume, table, out)
    }

    /// A consumer above the leader that has not seen all answers; the search goes round.
    fn work(&mut self, active: Active) -> Option<(TableId, u32)> {
        let (low, high) = (active.depth, self.stacks.incomplete.len() as u32);
        let start = active.cursor.clamp(low, high);
        let round = (start..high).chain(low..start);
        for at in round {
            let id = self.stacks.incomplete[at as usize];
            let table = self.tables.get(id);
            if let Some(consumer) = table
                .consumers
                .iter()
                .position(|consumer| consumer.seen < table.count)
            {
                if let Some(active) = self.stacks.active.last_mut() {
                    active.cursor = at;
                }
                return Some((id, consumer as u32));
            }
        }
        None
    }

    /// Revives the frame of a consumer; the alternative above feeds it.
    fn push_consumer(&mut self, table: TableId, consumer: u32) {
        let waiting = &self.tables.get(table).consumers[consumer as usize];
        let base = self.stacks.registers.len() as u32;
        let size = waiting.registers.len() as u32;
        let (resume, receiver) = (waiting.resume, Receiver::Table(waiting.owner));
        self.stacks.registers.extend_from_slice(&waiting.registers);
        self.stacks.frames.push(Frame {
            base,
            size,
            receiver,
        });
        let frame = self.stacks.frames.len() as u32 - 1;
        self.push_choice(Alternative::Consume { table, consumer }, frame, resume);
    }

    /// Gives the consumer on top its next answer.
    fn feed(&mut self, table: TableId, consumer: u32) -> Next {
        let entry = self.tables.get_mut(table);
        let count = entry.count;
        let waiting = &mut entry.consumers[consumer as usize];
        if waiting.seen == count {
            self.stacks.choices.pop();
            return Next::Fail;
        }
        let (number, out, resume) = (waiting.seen, waiting.out, waiting.resume);
        waiting.seen += 1;
        let Some(frame) = self.stacks.choices.last().map(|choice| choice.frame) else {
            unreachable!("the consumer's alternative is on top");
        };
        self.bind_answer(frame, table, number, out);
        Next::At(frame, resume)
    }
}

/// The n-th clause of a choice, and whether there are more behind it.
fn nth_clause(procedure: &Procedure, choice: ClauseChoice, n: u32) -> (Option<u32>, bool) {
    let chosen: &[u32] = match (choice, &procedure.switch) {
        (ClauseChoice::All, _) | (_, None) => {
            let count = procedure.clauses.len() as u32;
            return ((n < count).then_some(n), n + 1 < count);
        }
        (ClauseChoice::Value(value), Some(switch)) => {
            switch.by_value.get(&value).map_or(&[], |list| list)
        }
        (ClauseChoice::Others, Some(switch)) => &switch.others,
    };
    (
        chosen.get(n as usize).copied(),
        (n as usize) + 1 < chosen.len(),
    )
}

/// Decides from the trial calls whether tabling a procedure pays.
fn judge(procedure: &mut Procedure) {
    let rarely_hit = procedure.hits * WORTHWHILE_SHARE < procedure.calls;
    if procedure.may_be_inline && rarely_hit {
        procedure.mode = Mode::Inline;
    }
}
