//! Goals and constructs.

use crate::prolog::program::compile::compiler::{CompileError, Compiler, CutTarget};
use crate::prolog::program::compile::emit::TermShape;
use crate::prolog::program::compile::goal::{BodyGoal, IfThenElse};
use crate::prolog::program::instruction::{BACKTRACK, Instruction, Pc, X};
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};

/// The registers of all variables, to go back to at another branch.
struct Registers {
    variables: Vec<(bool, Option<X>)>,
    owners: Vec<Option<usize>>,
    next_free: usize,
}

impl Compiler<'_> {
    /// The code of a whole clause: its environment, if it needs one, head and body.
    pub(super) fn clause_code(
        &mut self,
        arguments: &[Cell],
        goals: &[BodyGoal],
    ) -> Result<(), CompileError> {
        if self.needs_environment {
            self.code.push(Instruction::Allocate(self.slots));
        }
        self.pending_from = 0;
        for (position, &argument) in arguments.iter().enumerate() {
            // The register is in use until its argument has been looked at.
            self.pending_from = position + 1;
            self.head_argument(argument, position as X)?;
        }
        // From here on arguments of the head are owned by variables like any other register.
        self.pending_from = 256;
        self.conjunction(goals, true, CutTarget::Clause)
    }

    /// Goals in order. `last` says that the clause ends behind them; then the code returns.
    pub(super) fn conjunction(
        &mut self,
        goals: &[BodyGoal],
        last: bool,
        cut: CutTarget,
    ) -> Result<(), CompileError> {
        for (position, goal) in goals.iter().enumerate() {
            let is_last = last && position + 1 == goals.len();
            self.goal_code(goal, is_last, cut)?;
        }
        if goals.is_empty() && last {
            self.end_clause();
        }
        Ok(())
    }

    fn end_clause(&mut self) {
        if self.needs_environment {
            self.code.push(Instruction::Deallocate);
        }
        self.code.push(Instruction::Proceed);
    }

    fn goal_code(
        &mut self,
        goal: &BodyGoal,
        last: bool,
        cut: CutTarget,
    ) -> Result<(), CompileError> {
        match goal {
            BodyGoal::Call(predicate, cell) => {
                self.call_arguments(*cell)?;
                self.forget_registers();
                if last {
                    if self.needs_environment {
                        self.code.push(Instruction::Deallocate);
                    }
                    self.code.push(Instruction::Execute(*predicate));
                } else {
                    self.code.push(Instruction::Call(*predicate));
                }
                return Ok(());
            }
            BodyGoal::If(construct) => return self.if_code(construct, last, cut),
            BodyGoal::Or(branches) => return self.or_code(branches, last, cut),
            BodyGoal::Not(inner) => self.not_code(inner)?,
            BodyGoal::Transparent(cell) => {
                self.evict(0)?;
                self.put(*cell, 0)?;
                self.forget_registers();
                self.code.push(match cut {
                    CutTarget::Clause => Instruction::CallTransparent,
                    CutTarget::Condition(slot) => Instruction::CallTransparentAbove(slot),
                });
            }
            BodyGoal::Builtin(id, cell) => {
                self.builtin_arguments(*cell)?;
                self.select_argument(*cell);
                self.code.push(Instruction::Builtin(*id));
            }
            BodyGoal::Cut => self.cut_code(cut),
            BodyGoal::Fail => self.code.push(Instruction::Fail),
            BodyGoal::Unify(left, right) => self.unify_code(*left, *right)?,
            BodyGoal::Is(target, expression) => self.is_code(*target, *expression)?,
            BodyGoal::Test(..)
            | BodyGoal::TestBuiltin(..)
            | BodyGoal::CompareTerms(..)
            | BodyGoal::CompareNumbers(..) => self.test_code(goal, BACKTRACK)?,
        }
        if last {
            self.end_clause();
        }
        Ok(())
    }

    /// In front of `arg/3` with a result that occurs first: the instruction for the common case, in which no variable is
    /// made and bound.
    ///
    /// ```text
    /// PutVariableX(2) Builtin(arg)  ->  ArgumentX(end) PutVariableX(2) Builtin(arg) end:
    /// ```
    fn select_argument(&mut self, goal: Cell) {
        let Some((functor, _)) = self.clause.compound(goal) else {
            return;
        };
        if functor != Cell::functor(atoms::ARG, 3) {
            return;
        }
        // Behind the two instructions that follow.
        let done = self.here() + 2;
        let selects = if let Some(Instruction::PutVariableX(2)) = self.code.last() {
            Instruction::ArgumentX(done)
        } else if let Some(&Instruction::PutVariableY(y, 2)) = self.code.last() {
            Instruction::ArgumentY(y, done)
        } else {
            return;
        };
        self.code.insert(self.code.len() - 1, selects);
    }

    fn cut_code(&mut self, cut: CutTarget) {
        self.code.push(match cut {
            CutTarget::Clause if self.needs_environment => Instruction::Cut,
            CutTarget::Clause => Instruction::NeckCut,
            CutTarget::Condition(slot) => Instruction::CutAbove(slot),
        });
    }

    /// A call clobbers all registers.
    fn forget_registers(&mut self) {
        self.owners.fill(None);
        self.next_free = self.first_free;
    }

    pub(super) fn test_code(&mut self, goal: &BodyGoal, otherwise: Pc) -> Result<(), CompileError> {
        let mark = self.next_free;
        match goal {
            BodyGoal::Test(test, cell) => {
                let register = self.operand_register(*cell)?;
                self.code
                    .push(Instruction::Test(*test, register, otherwise));
            }
            BodyGoal::TestBuiltin(id, cell) => {
                self.builtin_arguments(*cell)?;
                self.code.push(Instruction::TestBuiltin(*id, otherwise));
                // Variables may have moved out of the way.
                return Ok(());
            }
            BodyGoal::CompareTerms(relation, left, right) => {
                let left = self.operand_register(*left)?;
                let right = self.operand_register(*right)?;
                self.code
                    .push(Instruction::CompareTerms(*relation, left, right, otherwise));
            }
            BodyGoal::CompareNumbers(relation, left, right) => {
                self.compare_numbers(*relation, *left, *right, otherwise)?;
            }
            BodyGoal::Call(..)
            | BodyGoal::Builtin(..)
            | BodyGoal::Unify(..)
            | BodyGoal::Cut
            | BodyGoal::Fail
            | BodyGoal::Is(..)
            | BodyGoal::If(_)
            | BodyGoal::Or(_)
            | BodyGoal::Not(_)
            | BodyGoal::Transparent(_) => {}
        }
        self.release(mark);
        Ok(())
    }

    /// Gives scratch registers back, down to those that variables live in.
    pub(super) fn release(&mut self, mark: usize) {
        while self.next_free > mark && self.owners[self.next_free - 1].is_none() {
            self.next_free -= 1;
        }
    }

    fn unify_code(&mut self, left: Cell, right: Cell) -> Result<(), CompileError> {
        let (left, right) = if left.tag() != REF && right.tag() == REF {
            (right, left)
        } else {
            (left, right)
        };
        let mark = self.next_free;
        if left.tag() == REF {
            self.unify_variable(left, right)?;
        } else if self.clause.is_ground(left) && self.clause.is_ground(right) {
            if !self.same_constant(left, right) {
                self.code.push(Instruction::Fail);
            }
        } else {
            let scratch = self.fresh_register()?;
            self.put(left, scratch)?;
            self.get(right, scratch)?;
        }
        self.release(mark);
        Ok(())
    }

    fn unify_variable(&mut self, left: Cell, right: Cell) -> Result<(), CompileError> {
        let number = self.number(left);
        // `X = Y` with Y new: made first, so that one of both has a value to be put.
        if let TermShape::Variable(other) = self.shape(right)
            && (other == number || !self.variables[other].seen)
        {
            if !self.variables[other].seen {
                self.initialize(other)?;
            }
            if other == number {
                self.consume(number);
                self.consume(number);
                return Ok(());
            }
        }
        // `X = f(X)`: X must exist before the structure that contains it.
        if !self.variables[number].seen && self.occurs(number, right) {
            self.initialize(number)?;
        }
        let variable = self.variables[number];
        if variable.seen {
            let register = self.operand_register(left)?;
            return self.get(right, register);
        }
        self.consume(number);
        if variable.permanent {
            let register = self.operand_register(right)?;
            self.variables[number].seen = true;
            self.code
                .push(Instruction::GetVariableY(variable.slot, register));
            return Ok(());
        }
        if self.variables[number].remaining == 0 && right.tag() == REF {
            let other = self.number(right);
            self.consume(other);
            return Ok(());
        }
        // Built in a register of its own first: the hinted one may hold a part of the term.
        let register = self.fresh_register()?;
        self.put(right, register)?;
        self.own(number, register);
        Ok(())
    }

    fn save(&self) -> Registers {
        Registers {
            variables: self
                .variables
                .iter()
                .map(|variable| (variable.seen, variable.register))
                .collect(),
            owners: self.owners.clone(),
            next_free: self.next_free,
        }
    }

    fn restore(&mut self, saved: &Registers) {
        for (variable, &(seen, register)) in self.variables.iter_mut().zip(&saved.variables) {
            variable.seen = seen;
            variable.register = register;
        }
        self.owners.clone_from(&saved.owners);
        self.next_free = saved.next_free;
    }

    /// Prepares branches: variables that one of them shares with the rest are made now, and
    /// variables leave the argument registers if code follows that expects them where they are.
    fn before_branches(
        &mut self,
        branches: &[&[&[BodyGoal]]],
        last: bool,
    ) -> Result<(), CompileError> {
        let mut shared = Vec::new();
        for branch in branches {
            let mut counts = Vec::new();
            for goals in *branch {
                self.count_in(goals, &mut counts);
            }
            for (number, &count) in counts.iter().enumerate() {
                let variable = &self.variables[number];
                // More occurrences than in this branch: another branch, or what follows, must find the same variable.
                if count > 0 && !variable.seen && variable.remaining > count {
                    shared.push(number);
                }
            }
        }
        shared.sort_unstable();
        shared.dedup();
        for number in shared {
            self.initialize(number)?;
        }
        if !last {
            for register in 0..self.first_free {
                self.evict(register as X)?;
            }
        }
        Ok(())
    }

    fn patch(&mut self, positions: &[usize], target: Pc) {
        for &position in positions {
            if let Some(to) = self.code[position].target_mut() {
                *to = target;
            }
        }
    }

    /// Tests in order; gives the positions of the instructions that jump when one fails.
    fn simple_condition(&mut self, goals: &[BodyGoal]) -> Result<Vec<usize>, CompileError> {
        let mut jumps = Vec::new();
        for goal in goals {
            // Any address other than BACKTRACK: it is patched.
            self.test_code(goal, Pc::MAX)?;
            jumps.push(self.code.len() - 1);
        }
        Ok(jumps)
    }

    /// After one branch: return, or jump behind all of them (the position to patch).
    fn end_branch(&mut self, last: bool) -> Option<usize> {
        if last {
            return None;
        }
        // The end of the construct is not known yet; the jump is patched.
        self.code.push(Instruction::Jump(BACKTRACK));
        Some(self.code.len() - 1)
    }

    fn if_code(
        &mut self,
        construct: &IfThenElse,
        last: bool,
        cut: CutTarget,
    ) -> Result<(), CompileError> {
        let IfThenElse {
            condition,
            then,
            otherwise,
            soft,
        } = construct;
        let simple = Self::is_simple(condition);
        self.before_branches(&[&[condition, then], &[otherwise]], last)?;
        let failures;
        let saved;
        if simple {
            self.before_tests(condition)?;
            saved = self.save();
            failures = self.simple_condition(condition)?;
        } else {
            saved = self.save();
            let slot = self.take_level();
            self.code.push(Instruction::GetLevel(slot));
            self.code.push(Instruction::Try(BACKTRACK, true));
            failures = vec![self.code.len() - 1];
            self.conjunction(condition, false, CutTarget::Condition(slot))?;
            self.code.push(if *soft {
                Instruction::SoftCut(slot)
            } else {
                Instruction::CutTo(slot)
            });
        }
        self.conjunction(then, last, cut)?;
        let end = self.end_branch(last);
        let target = self.here();
        self.patch(&failures, target);
        self.restore(&saved);
        self.conjunction(otherwise, last, cut)?;
        self.restore(&saved);
        let target = self.here();
        self.patch(end.as_slice(), target);
        Ok(())
    }

    /// Tests that call a built-in move variables out of its argument registers; that must have
    /// happened before any test jumps.
    fn before_tests(&mut self, condition: &[BodyGoal]) -> Result<(), CompileError> {
        let clobbers = condition
            .iter()
            .any(|goal| matches!(goal, BodyGoal::TestBuiltin(..)));
        let mut counts = Vec::new();
        self.count_in(condition, &mut counts);
        for (number, &count) in counts.iter().enumerate() {
            if count > 0 && !self.variables[number].seen {
                self.initialize(number)?;
            }
        }
        if clobbers {
            for register in 0..self.first_free {
                self.evict(register as X)?;
            }
        }
        Ok(())
    }

    fn or_code(
        &mut self,
        branches: &[Vec<BodyGoal>],
        last: bool,
        cut: CutTarget,
    ) -> Result<(), CompileError> {
        let parts: Vec<[&[BodyGoal]; 1]> =
            branches.iter().map(|goals| [goals.as_slice()]).collect();
        let views: Vec<&[&[BodyGoal]]> = parts.iter().map(<[&[BodyGoal]; 1]>::as_slice).collect();
        self.before_branches(&views, last)?;
        let saved = self.save();
        let mut ends = Vec::new();
        for (position, branch) in branches.iter().enumerate() {
            let is_final = position + 1 == branches.len();
            // Each branch but the last one is tried under a choice point that leads to the next.
            let attempt = self.code.len();
            if !is_final {
                self.code.push(Instruction::Try(BACKTRACK, false));
            }
            self.conjunction(branch, last, cut)?;
            if !is_final {
                ends.extend(self.end_branch(last));
                let target = self.here();
                self.patch(&[attempt], target);
            }
            self.restore(&saved);
        }
        let target = self.here();
        self.patch(&ends, target);
        Ok(())
    }

    fn not_code(&mut self, inner: &[BodyGoal]) -> Result<(), CompileError> {
        self.before_branches(&[&[inner]], false)?;
        if Self::is_simple(inner) {
            self.before_tests(inner)?;
            let saved = self.save();
            let failures = self.simple_condition(inner)?;
            self.code.push(Instruction::Fail);
            let target = self.here();
            self.patch(&failures, target);
            self.restore(&saved);
            return Ok(());
        }
        let saved = self.save();
        let slot = self.take_level();
        self.code.push(Instruction::GetLevel(slot));
        self.code.push(Instruction::Try(BACKTRACK, true));
        // Negation as failure: if the goal succeeds, its choice points go and the clause fails; if it fails, the choice
        // point leads behind the construct.
        let attempt = self.code.len() - 1;
        self.conjunction(inner, false, CutTarget::Condition(slot))?;
        self.code.push(Instruction::CutTo(slot));
        self.code.push(Instruction::Fail);
        let target = self.here();
        self.patch(&[attempt], target);
        self.restore(&saved);
        Ok(())
    }

    /// The slot of the next condition that needs one.
    fn take_level(&mut self) -> u16 {
        let slot = self.levels_used;
        self.levels_used += 1;
        slot
    }
}
