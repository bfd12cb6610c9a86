//! Calls that are answered from tables: generators, consumers, completion.
//!
//! See [`crate::rules::machine`] for the idea. A table is either complete, or its clauses
//! run (its generator is among the open alternatives), or it waits with others for their leader,
//! the oldest table that any of them depends on, to find that no consumer has an answer left.

use crate::rules::code::{
    CodeAddress, CodeStep, Operand, Output, Procedure, ProcedureId, ProcedureMode, Register, Run,
};
use crate::rules::machine::{Compile, Machine, Next};
use crate::rules::stacks::{Active, Alternative, Choice, Frame, Receiver};
use crate::rules::table::{Consumer, Entry, TableId};
use crate::term::TermId;

/// Calls of a tabled procedure after which its share of hits decides whether tabling pays.
const TRIAL_CALLS: u32 = 512;

/// A call answered from its table in fewer than one of so many cases is not worth tabling.
const WORTHWHILE_SHARE: u32 = 4;

impl<C: Compile> Machine<'_, C> {
    #[inline]
    pub(super) fn call(
        &mut self,
        frame: u32,
        resume: CodeAddress,
        number: ProcedureId,
        inputs: Run,
        out: Run,
    ) -> Next {
        if !self.prepare(number) {
            return Next::TooLarge(self.procedures[number.index()].predicate);
        }
        let base = self.stacks.frames[frame as usize].base;
        self.load(base, inputs);
        let procedure = &self.procedures[number.index()];
        // Without a table the clauses run in place, as in Prolog.
        if procedure.mode == ProcedureMode::Inline {
            // A call without outputs asks only whether there is an answer.
            let receiver = match procedure.output_count {
                0 => Receiver::CallerOnce {
                    frame,
                    resume,
                    height: self.stacks.choices.len() as u32,
                },
                _ => Receiver::Caller { frame, resume, out },
            };
            return self.enter(number, receiver);
        }
        self.call_tabled(frame, resume, number, out)
    }

    /// Answers a call from its table, which is opened if there is none; the inputs are in the buffer.
    #[inline]
    fn call_tabled(
        &mut self,
        frame: u32,
        resume: CodeAddress,
        number: ProcedureId,
        out: Run,
    ) -> Next {
        let procedure = &mut self.procedures[number.index()];
        procedure.calls += 1;
        let (lifetime, width) = (procedure.lifetime, procedure.output_count);
        // Variant tabling: all calls with the same inputs share one table.
        match self
            .tables
            .open(lifetime, number, self.stacks.buffer.cells(), width)
        {
            Entry::Known(table) => {
                procedure.hits += 1;
                // An incomplete table has its generator below on the stack: the call is recursive.
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
    pub(super) fn call_for_query(&mut self, number: ProcedureId) -> Next {
        let procedure = &self.procedures[number.index()];
        let (lifetime, width) = (procedure.lifetime, procedure.output_count);
        let outputs: Vec<Output> = (0..width)
            .map(|column| Output {
                column,
                register: Register(column),
            })
            .collect();
        let results: Vec<Operand> = outputs
            .iter()
            .map(|output| Operand::Register(output.register))
            .collect();
        let out = self.code.add_outputs(&outputs);
        let results = self.code.add_operands(&results);
        // Code behind all procedures: the one step that hands an answer to the query.
        let resume = self.code.next_address();
        self.code.steps.push(CodeStep::Done { results });
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

    /// Adds the answer in the buffer to a table.
    pub(super) fn add_answer(&mut self, table: TableId) -> Next {
        let entry = self.tables.get_mut(table);
        entry.add(self.stacks.buffer.cells());
        // Only a table that nothing recursive depends on can end early: consumers of others may wait for it.
        if !self.stacks.buffer.cells().is_empty()
            || self.procedures[entry.procedure.index()].recursive
        {
            return Next::Fail;
        }
        // One answer is all that a call without outputs can have.
        entry.complete = true;
        // Cut to the generator: its other clauses and all that they left open are forgotten.
        let generator = entry.height as usize;
        let choice = self.stacks.choices[generator];
        self.stacks.choices.truncate(generator);
        self.restore(&choice);
        Next::At(choice.frame, choice.resume)
    }

    /// Opens a table and starts on the clauses that fill it; the inputs are in the buffer.
    pub(super) fn generate(
        &mut self,
        frame: u32,
        resume: CodeAddress,
        number: ProcedureId,
        table: TableId,
        out: Run,
    ) -> Next {
        let entry = self.tables.get_mut(table);
        entry.height = self.stacks.choices.len() as u32;
        if self.procedures[number.index()].recursive {
            let depth = self.stacks.incomplete.len() as u32;
            // Depth is the position on the stack of incomplete tables, the index of Tarjan's algorithm; link is its
            // low-link.
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
    pub(super) fn wait(
        &mut self,
        frame: u32,
        resume: CodeAddress,
        table: TableId,
        out: Run,
    ) -> Next {
        // A negation meets an incomplete table only if the atom depends on its own negation.
        if self.code.is_negated(resume) {
            let procedure = self.tables.get(table).procedure;
            return Next::Loop(self.procedures[procedure.index()].predicate);
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
        // The suspension is one frame, since every procedure of the component is tabled, and what called this
        // clause waits in the table of its own.
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
        // The table that is being filled depends on one at this depth: it is complete when that one is.
        if let Some(active) = self.stacks.active.last_mut() {
            active.link = active.link.min(depth);
        }
        Next::Fail
    }

    /// Gives the caller the answers of a complete table.
    pub(super) fn deliver(
        &mut self,
        frame: u32,
        resume: CodeAddress,
        table: TableId,
        out: Run,
    ) -> Next {
        // Answers of a complete table are read by number; a single one leaves no alternative behind.
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

    pub(super) fn bind_answer(&mut self, frame: u32, table: TableId, number: u32, out: Run) {
        let base = self.stacks.frames[frame as usize].base;
        let answer = self.tables.get(table).answer(number);
        for output in self.code.outputs(out) {
            self.stacks.registers[(base + output.register.0) as usize] =
                answer[output.column as usize];
        }
    }

    /// The clauses of a table are exhausted: complete it, feed consumers, or leave it to the leader.
    pub(super) fn exhausted(
        &mut self,
        choice: Choice,
        top: usize,
        table: TableId,
        out: Run,
    ) -> Next {
        let Choice { frame, resume, .. } = choice;
        let procedure = self.tables.get(table).procedure;
        // Nothing waits for a table that is not recursive: its clauses are exhausted, it has all answers.
        if !self.procedures[procedure.index()].recursive {
            self.tables.get_mut(table).complete = true;
            self.stacks.choices.truncate(top);
            return self.deliver(frame, resume, table, out);
        }
        let Some(&active) = self.stacks.active.last() else {
            unreachable!("a recursive generator is active until it is popped here");
        };
        // Not the leader: something above depends on an older table. Its caller becomes a consumer, and whatever
        // waits in its tables is fed by the leader.
        if active.link < active.depth {
            self.stacks.active.pop();
            if let Some(outer) = self.stacks.active.last_mut() {
                outer.link = outer.link.min(active.link);
            }
            self.stacks.choices.truncate(top);
            return self.wait(frame, resume, table, out);
        }
        // The leader feeds consumers one by one; what they derive may give others something to do.
        if let Some((table, consumer)) = self.work(active) {
            self.push_consumer(table, consumer);
            return self.feed(table, consumer);
        }
        // No consumer of the component has an unseen answer: the fixpoint is reached for all its tables.
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
    pub(super) fn work(&mut self, active: Active) -> Option<(TableId, u32)> {
        // Round robin: starting behind the last table served, so that no consumer of a growing table starves the
        // rest.
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
    pub(super) fn push_consumer(&mut self, table: TableId, consumer: u32) {
        let waiting = &self.tables.get(table).consumers[consumer as usize];
        let base = self.stacks.registers.len() as u32;
        let size = waiting.registers.len() as u32;
        let (resume, receiver) = (waiting.resume, Receiver::Table(waiting.owner));
        // The frame is copied, not moved: the consumer comes back with every further answer.
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
    pub(super) fn feed(&mut self, table: TableId, consumer: u32) -> Next {
        let entry = self.tables.get_mut(table);
        let count = entry.count;
        let waiting = &mut entry.consumers[consumer as usize];
        // Everything seen so far. New answers may still come; the leader looks again.
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

/// Decides from the trial calls whether tabling a procedure pays.
fn judge(procedure: &mut Procedure) {
    // Fewer than a quarter of the calls found their table: the table costs more than it saves.
    let rarely_hit = procedure.hits * WORTHWHILE_SHARE < procedure.calls;
    if procedure.may_be_inline && rarely_hit {
        procedure.mode = ProcedureMode::Inline;
    }
}
