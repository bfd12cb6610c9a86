//! Which variables must survive a call, and where calls want them.

use crate::prolog::program::compile::compiler::{ClauseVariable, CompileError, Compiler};
use crate::prolog::program::compile::goal::{BodyGoal, IfThenElse};
use crate::prolog::program::instruction::X;
use crate::prolog::terms::cell::{Cell, REF};

/// Where a walk over goals stands.
#[derive(Clone, Copy)]
struct GoalPlace {
    chunk: u32,
    /// Nothing follows: a call here needs no environment.
    tail: bool,
}

impl Compiler<'_> {
    /// Counts occurrences, finds chunks, and gives permanent variables their slots.
    pub(super) fn analyse(
        &mut self,
        arguments: &[Cell],
        goals: &[BodyGoal],
    ) -> Result<(), CompileError> {
        if arguments.len() > 240 {
            return Err(CompileError::TooComplex);
        }
        self.head_arity = arguments.len();
        self.first_free = arguments.len();
        for &argument in arguments {
            self.occurrences(argument, 0);
        }
        // Chunk 0 is the head with the goals up to the first call.
        self.walk(goals, 0, true);
        if self.first_free > 240 {
            return Err(CompileError::TooComplex);
        }
        // Scratch registers lie above the arguments of all calls, so that putting an argument clobbers none.
        self.next_free = self.first_free;
        // The first slots are the heights of conditions, counted during the walk; variables come behind them.
        let mut slots = u32::from(self.slots);
        for variable in &mut self.variables {
            if variable.permanent {
                variable.slot = slots as u16;
                slots += 1;
            }
        }
        if slots > 60_000 {
            return Err(CompileError::TooComplex);
        }
        self.slots = slots as u16;
        self.needs_environment |= slots > 0;
        Ok(())
    }

    fn fresh_chunk(&mut self) -> u32 {
        self.chunks += 1;
        self.chunks
    }

    fn walk(&mut self, goals: &[BodyGoal], chunk: u32, tail: bool) -> u32 {
        let mut chunk = chunk;
        for (position, goal) in goals.iter().enumerate() {
            let tail = tail && position + 1 == goals.len();
            chunk = self.walk_goal(goal, GoalPlace { chunk, tail });
        }
        chunk
    }

    /// The chunk behind a goal that begins in the chunk of `place`.
    fn walk_goal(&mut self, goal: &BodyGoal, place: GoalPlace) -> u32 {
        let chunk = place.chunk;
        match goal {
            BodyGoal::Call(_, cell) => {
                self.hints(*cell, chunk);
                self.occurrences(*cell, chunk);
                self.has_calls = true;
                // The last call needs no environment if nothing else does: its continuation is that of the clause.
                self.needs_environment |= !place.tail;
                self.fresh_chunk()
            }
            BodyGoal::Transparent(cell) => {
                self.occurrences(*cell, chunk);
                self.has_calls = true;
                self.needs_environment = true;
                // The term to call goes to the first register.
                self.first_free = self.first_free.max(1);
                self.fresh_chunk()
            }
            BodyGoal::Builtin(_, cell) | BodyGoal::TestBuiltin(_, cell) => {
                let arity = self.arity(*cell);
                self.first_free = self.first_free.max(arity);
                self.occurrences(*cell, chunk);
                chunk
            }
            BodyGoal::Unify(left, right)
            | BodyGoal::CompareTerms(_, left, right)
            | BodyGoal::CompareNumbers(_, left, right)
            | BodyGoal::Is(left, right) => {
                self.occurrences(*left, chunk);
                self.occurrences(*right, chunk);
                chunk
            }
            BodyGoal::Test(_, cell) => {
                self.occurrences(*cell, chunk);
                chunk
            }
            BodyGoal::Cut | BodyGoal::Fail => chunk,
            BodyGoal::If(construct) => self.walk_if(construct, place),
            BodyGoal::Or(branches) => self.walk_or(branches, place),
            BodyGoal::Not(inner) => self.walk_not(inner, chunk),
        }
    }

    /// Only the first branch continues the chunk: the others are entered by backtracking, when
    /// registers hold the arguments of calls in the branch before.
    fn walk_or(&mut self, branches: &[Vec<BodyGoal>], place: GoalPlace) -> u32 {
        for (position, branch) in branches.iter().enumerate() {
            let start = if position == 0 {
                place.chunk
            } else {
                self.fresh_chunk()
            };
            self.walk(branch, start, place.tail);
        }
        self.fresh_chunk()
    }

    fn walk_not(&mut self, inner: &[BodyGoal], chunk: u32) -> u32 {
        if Self::is_simple(inner) {
            return self.walk(inner, chunk, false);
        }
        self.level_slot();
        self.walk(inner, chunk, false);
        self.fresh_chunk()
    }

    fn walk_if(&mut self, construct: &IfThenElse, place: GoalPlace) -> u32 {
        let IfThenElse {
            condition,
            then,
            otherwise,
            ..
        } = construct;
        let chunk = place.chunk;
        if Self::is_simple(condition) {
            self.walk(condition, chunk, false);
            let after_then = self.walk(then, chunk, place.tail);
            let after_else = self.walk(otherwise, chunk, place.tail);
            // Without a call in either branch the chunk goes on behind the construct: `p(X) :- X > 0 -> Y = a ; Y = b`.
            return if after_then == chunk && after_else == chunk {
                chunk
            } else {
                self.fresh_chunk()
            };
        }
        self.level_slot();
        let inner = self.walk(condition, chunk, false);
        self.walk(then, inner, place.tail);
        // The else branch is entered by backtracking, when the registers of the condition are gone.
        let other = self.fresh_chunk();
        self.walk(otherwise, other, place.tail);
        self.fresh_chunk()
    }

    /// Room for the height of the choice points at a condition. Slots are given to conditions in
    /// the order in which they are met, which is the order of emission.
    fn level_slot(&mut self) {
        self.slots += 1;
        self.needs_environment = true;
    }

    /// Whether a condition consists of tests only: no bindings, no calls.
    pub(super) fn is_simple(goals: &[BodyGoal]) -> bool {
        !goals.is_empty()
            && goals.iter().all(|goal| {
                matches!(
                    goal,
                    BodyGoal::Test(..)
                        | BodyGoal::TestBuiltin(..)
                        | BodyGoal::CompareTerms(..)
                        | BodyGoal::CompareNumbers(..)
                )
            })
    }

    fn arity(&self, cell: Cell) -> usize {
        self.clause
            .compound(cell)
            .map_or(usize::from(cell.tag() == REF), |(functor, _)| {
                functor.arity()
            })
    }

    /// Arguments of a call that are variables want to be in that register.
    fn hints(&mut self, cell: Cell, chunk: u32) {
        let arity = self.arity(cell);
        self.first_free = self.first_free.max(arity);
        let Some((_, first)) = self.clause.compound(cell) else {
            return;
        };
        for position in 0..arity {
            let argument = self.clause.at(first + position);
            if argument.tag() == REF && position < 256 {
                let number = self.number(argument);
                let variable = &mut self.variables[number];
                // A variable of an earlier chunk lives in a slot, and is put where it is needed.
                if variable.chunk.is_none_or(|first| first == chunk) {
                    variable.hint.get_or_insert(position as X);
                }
            }
        }
    }

    /// The number of a variable.
    pub(super) fn number(&mut self, cell: Cell) -> usize {
        let next = self.variables.len();
        let number = *self.numbers.entry(cell.index()).or_insert(next);
        if number == next {
            self.variables.push(ClauseVariable::default());
        }
        number
    }

    fn occurrences(&mut self, root: Cell, chunk: u32) {
        let mut stack = vec![root];
        while let Some(cell) = stack.pop() {
            if cell.tag() == REF {
                let number = self.number(cell);
                let all = self.all_permanent;
                let variable = &mut self.variables[number];
                variable.remaining += 1;
                // Permanent: it occurs in two chunks, so that its value must survive the call between them [AK91].
                let first = *variable.chunk.get_or_insert(chunk);
                variable.permanent |= first != chunk || all;
            } else if !self.clause.is_ground(cell)
                && let Some((functor, first)) = self.clause.compound(cell)
            {
                let last = first + functor.arity();
                stack.extend((first..last).rev().map(|index| self.clause.at(index)));
            }
        }
    }

    /// How often each variable occurs in goals.
    pub(super) fn count_in(&mut self, goals: &[BodyGoal], counts: &mut Vec<u32>) {
        for goal in goals {
            match goal {
                BodyGoal::Call(_, cell)
                | BodyGoal::Transparent(cell)
                | BodyGoal::Builtin(_, cell)
                | BodyGoal::TestBuiltin(_, cell)
                | BodyGoal::Test(_, cell) => self.count_term(*cell, counts),
                BodyGoal::Unify(left, right)
                | BodyGoal::CompareTerms(_, left, right)
                | BodyGoal::CompareNumbers(_, left, right)
                | BodyGoal::Is(left, right) => {
                    self.count_term(*left, counts);
                    self.count_term(*right, counts);
                }
                BodyGoal::Cut | BodyGoal::Fail => {}
                BodyGoal::If(construct) => {
                    self.count_in(&construct.condition, counts);
                    self.count_in(&construct.then, counts);
                    self.count_in(&construct.otherwise, counts);
                }
                BodyGoal::Or(branches) => {
                    for branch in branches {
                        self.count_in(branch, counts);
                    }
                }
                BodyGoal::Not(inner) => self.count_in(inner, counts),
            }
        }
    }

    pub(super) fn count_term(&mut self, root: Cell, counts: &mut Vec<u32>) {
        let mut stack = vec![root];
        while let Some(cell) = stack.pop() {
            if cell.tag() == REF {
                let number = self.number(cell);
                if counts.len() <= number {
                    counts.resize(number + 1, 0);
                }
                counts[number] += 1;
            } else if !self.clause.is_ground(cell)
                && let Some((functor, first)) = self.clause.compound(cell)
            {
                let last = first + functor.arity();
                stack.extend((first..last).map(|index| self.clause.at(index)));
            }
        }
    }
}
