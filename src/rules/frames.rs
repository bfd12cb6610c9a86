//! Frames of the machine: clauses are started, hand their answers on, and give their memory back.
//!
//! A frame is a stretch of registers, the inputs of the call first. Frames lie on a stack that open
//! alternatives protect by its height, as in Prolog: the memory of a finished clause is given back
//! unless some alternative may return into it.

use crate::rules::code::{CodeAddress, Procedure, ProcedureId, Run};
use crate::rules::machine::{Compile, Machine, Next};
use crate::rules::stacks::{Alternative, Choice, ClauseChoice, Frame, NO_FRAME, Receiver, Stacks};
use crate::term::TermId;

impl<C: Compile> Machine<'_, C> {
    /// Starts on the clauses of a procedure; the inputs are in the buffer.
    #[inline]
    pub(super) fn enter(&mut self, number: ProcedureId, receiver: Receiver) -> Next {
        let base = self.stacks.registers.len() as u32;
        // The inputs become the first registers of the frame. They stay on top of the stack while clauses are left
        // to try, where `next_clause` finds them.
        let Stacks {
            registers, buffer, ..
        } = &mut *self.stacks;
        registers.extend_from_slice(buffer.cells());
        let procedure = &self.procedures[number.index()];
        let choice = match &procedure.switch {
            None => ClauseChoice::All,
            Some(switch) => {
                // First-argument indexing, on the argument with the most constants: `legal(red, M)` tries the
                // clauses for red and those with a variable there.
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
            // No clause fits: the inputs are taken back as well.
            self.stacks.registers.truncate(base as usize);
            return Next::Fail;
        };
        // The frame number is not used: the next clause gets a frame of its own.
        if more {
            let clauses = Alternative::Clauses {
                procedure: number,
                choice,
                next: 1,
                receiver,
            };
            self.push_choice(clauses, NO_FRAME, CodeAddress::START);
        }
        self.start_clause(number, first, base, receiver)
    }

    #[inline]
    fn start_clause(
        &mut self,
        number: ProcedureId,
        clause: u32,
        base: u32,
        receiver: Receiver,
    ) -> Next {
        let clause = self.procedures[number.index()].clauses[clause as usize];
        self.stacks
            // Registers of the clause follow the inputs and hold garbage; a plan writes each before it reads it.
            .registers
            .resize((base + clause.registers) as usize, TermId::from_index(0));
        self.stacks.frames.push(Frame {
            base,
            size: clause.registers,
            receiver,
        });
        Next::At(self.stacks.frames.len() as u32 - 1, clause.start)
    }

    #[inline]
    pub(super) fn done(&mut self, frame: u32, base: u32, results: Run) -> Next {
        match self.stacks.frames[frame as usize].receiver {
            Receiver::Caller {
                frame: caller,
                resume,
                out,
            } => {
                // The outputs go straight into the caller's registers, before the frame below may be given back.
                self.copy_out(base, results, caller, out);
                self.drop_frame(frame, base);
                Next::At(caller, resume)
            }
            Receiver::CallerOnce {
                frame: caller,
                resume,
                height,
            } => {
                // A call without outputs has one answer: open alternatives of its clauses are forgotten.
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
                // The buffer is handed over and not copied: the next query writes over it.
                let Stacks { answer, buffer, .. } = &mut *self.stacks;
                std::mem::swap(answer, buffer);
                Next::Answer
            }
        }
    }

    #[inline]
    fn copy_out(&mut self, base: u32, results: Run, caller: u32, out: Run) {
        let to = self.stacks.frames[caller as usize].base;
        let results = self.code.operands(results);
        for output in self.code.outputs(out) {
            let value = self.value(base, results[output.column as usize]);
            self.stacks.registers[(to + output.register.0) as usize] = value;
        }
    }

    /// Gives the memory of a frame back if no alternative needs it.
    #[inline]
    fn drop_frame(&mut self, frame: u32, base: u32) {
        // An alternative records how high frames and registers were. What lies below that is needed to resume it.
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

    #[inline]
    pub(super) fn restore(&mut self, choice: &Choice) {
        self.stacks.frames.truncate(choice.frames as usize);
        self.stacks.registers.truncate(choice.registers as usize);
    }

    #[inline]
    pub(super) fn next_clause(
        &mut self,
        top: usize,
        number: ProcedureId,
        choice: ClauseChoice,
        next: u32,
        receiver: Receiver,
    ) -> Next {
        let procedure = &self.procedures[number.index()];
        let (clause, more) = nth_clause(procedure, choice, next);
        // `restore` has cut the registers to the inputs of this call.
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
}

/// The n-th clause of a choice, and whether there are more behind it.
#[inline]
fn nth_clause(procedure: &Procedure, choice: ClauseChoice, n: u32) -> (Option<u32>, bool) {
    let chosen: &[u32] = match (choice, &procedure.switch) {
        // Facts are clause 0 where there are any, see `switch` in the compiler.
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
