//! Compiling the terms of a clause: building what is bound, matching what is not.

use crate::rules::clause_code::ClauseCompiler;
use crate::rules::code::{CodeStep, Operand, Output, Register, Run};
use crate::term::{Term, TermId};

impl ClauseCompiler<'_, '_> {
    /// Registers for the terms that a look-up or call gives, and what has to be matched then.
    pub(super) fn outputs(&mut self, terms: &[Option<TermId>]) -> (Run, Vec<(Register, TermId)>) {
        let mut matches = Vec::new();
        let mut outputs = Vec::new();
        for (column, &term) in terms.iter().enumerate() {
            let register = term.map_or(Register::NONE, |term| self.output(term, &mut matches));
            if register != Register::NONE {
                outputs.push(Output {
                    column: column as u32,
                    register,
                });
            }
        }
        (self.code.add_outputs(&outputs), matches)
    }

    pub(super) fn output(
        &mut self,
        term: TermId,
        matches: &mut Vec<(Register, TermId)>,
    ) -> Register {
        if let Term::Variable(number) = self.planner.store.view(term)
            && !self.bound[number as usize]
        {
            // A variable that occurs nowhere else needs no register.
            if self.occurrences[number as usize] == 1 {
                return Register::NONE;
            }
            self.bound[number as usize] = true;
            return self.home(number);
        }
        let register = self.fresh();
        matches.push((register, term));
        register
    }

    /// Matches given terms with patterns, binding the variables of the patterns.
    pub(super) fn matches(&mut self, mut todo: Vec<(Register, TermId)>) {
        // A stack, where the plans of maintenance use a queue: the order of matching is free.
        while let Some((register, pattern)) = todo.pop() {
            if self.planner.is_bound(pattern, &self.bound) {
                let left = Operand::Register(register);
                let right = self.operand(pattern);
                self.code.steps.push(CodeStep::Compare {
                    left,
                    right,
                    positive: true,
                });
                continue;
            }
            let Some(functor) = self.planner.store.functor(pattern) else {
                unreachable!("an unbound variable never waits to be matched");
            };
            let arguments: Vec<Option<TermId>> = self
                .planner
                .store
                .arguments(pattern)
                .iter()
                .copied()
                .map(Some)
                .collect();
            let (out, more) = self.outputs(&arguments);
            let term = Operand::Register(register);
            self.code.steps.push(CodeStep::Match { term, functor, out });
            todo.extend(more);
        }
    }

    /// An argument of the head that the caller gives in a register.
    pub(super) fn take(&mut self, register: Register, argument: TermId) {
        match self.planner.store.view(argument) {
            Term::Variable(number) if !self.bound[number as usize] => {
                self.bound[number as usize] = true;
                self.homes[number as usize] = Some(register);
            }
            Term::Variable(_)
            | Term::Atom(_)
            | Term::Integer(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Compound(..) => self.matches(vec![(register, argument)]),
        }
    }

    /// Where the value of a bound term is; builds compounds.
    pub(super) fn operand(&mut self, term: TermId) -> Operand {
        enum Task {
            Visit(TermId),
            Build(TermId),
        }
        let store = self.planner.store;
        // Post-order with an explicit stack: the arguments' operands lie on top when their term is built.
        let mut tasks = vec![Task::Visit(term)];
        let mut values: Vec<Operand> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(term) if store.is_ground(term) => values.push(Operand::Constant(term)),
                Task::Visit(term) => {
                    if let Some(&register) = self.found.get(&term) {
                        values.push(Operand::Register(register));
                    } else if let Term::Variable(number) = store.view(term) {
                        let home = self.home(number);
                        values.push(Operand::Register(home));
                    } else {
                        tasks.push(Task::Build(term));
                        tasks.extend(
                            store
                                .arguments(term)
                                .iter()
                                .rev()
                                .map(|&argument| Task::Visit(argument)),
                        );
                    }
                }
                Task::Build(term) => {
                    let Term::Compound(symbol, arguments) = store.view(term) else {
                        unreachable!("only compounds are built");
                    };
                    let arguments = values.split_off(values.len() - arguments.len());
                    let arguments = self.code.add_operands(&arguments);
                    let into = self.fresh();
                    self.code.steps.push(CodeStep::Build {
                        symbol,
                        arguments,
                        into,
                    });
                    values.push(Operand::Register(into));
                }
            }
        }
        values
            .pop()
            .unwrap_or_else(|| unreachable!("the walk leaves the value of its root"))
    }

    pub(super) fn home(&mut self, number: u32) -> Register {
        if let Some(register) = self.homes[number as usize] {
            return register;
        }
        let register = self.fresh();
        self.homes[number as usize] = Some(register);
        register
    }

    pub(super) fn fresh(&mut self) -> Register {
        self.registers += 1;
        Register(self.registers - 1)
    }
}
