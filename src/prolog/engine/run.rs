//! The main loop: one instruction after the other.
//!
//! `s` points to the next argument of the structure in work; `write` says whether it is being
//! built or matched. Both are local, all other state is the machine's.

use std::cmp::Ordering;

use crate::prolog::engine::matching::Cursor;
use crate::prolog::program::instruction::{BACKTRACK, Comparison, Instruction, Pc, TypeTest, X};
use crate::prolog::state::choice::Alternative;
use crate::prolog::state::frame::FrameKind;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, GROUND, INT, LIST, STR};
use crate::prolog::terms::error::Interruption;

/// Goes on where a call says, or hands an interruption to a catch.
macro_rules! follow {
    ($self:ident, $pc:ident, $call:expr) => {
        match $call {
            Ok(next) => $pc = next,
            Err(interruption) => match $self.interrupted(interruption, $pc) {
                Ok(next) => $pc = next,
                Err(interruption) => return interruption,
            },
        }
    };
}

/// After a cut: runs the cleanups that it has made due.
macro_rules! cleaned {
    ($self:ident, $pc:ident) => {
        if $self.cleanups.are_due() {
            follow!($self, $pc, $self.after_cut($pc));
        }
    };
}

/// Goes on with the arguments of a structure, or backtracks if there is none.
macro_rules! enter {
    ($pc:ident, $cursor:ident, $found:expr) => {
        match $found {
            Some(found) => $cursor = found,
            None => $pc = BACKTRACK,
        }
    };
}

/// Backtracks, or goes to the given address, unless the condition holds.
macro_rules! require {
    ($pc:ident, $holds:expr) => {
        if !$holds {
            $pc = BACKTRACK;
        }
    };
    ($pc:ident, $holds:expr, $otherwise:expr) => {
        if !$holds {
            $pc = $otherwise;
        }
    };
}

impl Machine {
    /// Runs from an address until something interrupts: an answer, the end, an exception.
    ///
    /// One `match` over all instructions, although it is long: program counter and cursor stay in registers of the
    /// processor from one instruction to the next, which they would not if arms were functions that change both.
    pub(in crate::prolog) fn run(&mut self, start: Pc) -> Interruption {
        let mut pc = start;
        let mut cursor = Cursor { s: 0, write: false };
        loop {
            // The only dispatch. Each arm either falls through to the next instruction or changes `pc`; what can
            // fail goes to [`BACKTRACK`], the address of `Fail`. Instructions are matched where they lie: of a copy the
            // operands of all variants are read in front of the jump, which makes programs a tenth slower.
            let address = pc as usize;
            pc += 1;
            match self.database.code[address] {
                // Head arguments. First occurrences in registers need no instruction: the argument stays where it is.
                Instruction::GetVariableY(y, a) => {
                    let value = self.register(a);
                    self.set_slot(usize::from(y), value);
                }
                Instruction::GetVariablesY(y, a, other_y, other_a) => {
                    let (value, other) = (self.register(a), self.register(other_a));
                    self.set_slot(usize::from(y), value);
                    self.set_slot(usize::from(other_y), other);
                }
                Instruction::GetValueX(x, a) => {
                    let (left, right) = (self.register(x), self.register(a));
                    // A failed unification is no error: the trail undoes what it bound.
                    require!(pc, self.heap.unify(left, right));
                }
                Instruction::GetValueY(y, a) => {
                    let (left, right) = (self.slot(usize::from(y)), self.register(a));
                    require!(pc, self.heap.unify(left, right));
                }
                // An unbound argument is bound, a bound one compared: the same instruction in both modes.
                Instruction::GetConstant(a, constant) => {
                    let cell = self.register(a);
                    require!(pc, self.match_constant(cell, constant));
                }
                Instruction::GetList(a) => {
                    let cell = self.register(a);
                    enter!(pc, cursor, self.match_list(cell));
                }
                Instruction::GetStructure(a, functor) => {
                    let cell = self.register(a);
                    enter!(pc, cursor, self.match_structure(cell, functor));
                }
                // `[X|Xs]` with both variables new, the most common head of a recursive predicate, in one dispatch.
                Instruction::GetListVariables(a, head, tail) => {
                    let cell = self.register(a);
                    if let Some((first, rest)) = self.match_list_variables(cell) {
                        self.x[usize::from(head)] = first;
                        self.x[usize::from(tail)] = rest;
                    } else {
                        pc = BACKTRACK;
                    }
                }
                Instruction::GetListValue(a, head, tail) => {
                    let (cell, value) = (self.register(a), self.register(head));
                    if let Some(rest) = self.match_list_value(cell, value) {
                        self.x[usize::from(tail)] = rest;
                    } else {
                        pc = BACKTRACK;
                    }
                }
                // Arguments of the structure in work, read or built according to the cursor.
                Instruction::UnifyVariableX(x) => {
                    let value = self.next_argument(&mut cursor);
                    self.x[usize::from(x)] = value;
                }
                Instruction::UnifyVariablesX(x, other) => {
                    self.x[usize::from(x)] = self.next_argument(&mut cursor);
                    self.x[usize::from(other)] = self.next_argument(&mut cursor);
                }
                Instruction::UnifyVariableY(y) => {
                    let value = self.next_argument(&mut cursor);
                    self.set_slot(usize::from(y), value);
                }
                Instruction::UnifyValueX(x) => {
                    let value = self.register(x);
                    require!(pc, self.unify_argument(value, &mut cursor));
                }
                Instruction::UnifyValueY(y) => {
                    let value = self.slot(usize::from(y));
                    require!(pc, self.unify_argument(value, &mut cursor));
                }
                Instruction::UnifyConstant(constant) => {
                    // Write mode: the argument's place was reserved when the structure was begun.
                    if cursor.write {
                        self.heap.cells[cursor.s] = constant;
                    } else {
                        let cell = self.heap.cells[cursor.s];
                        require!(pc, self.match_constant(cell, constant));
                    }
                    cursor.s += 1;
                }
                Instruction::UnifyVoid(count) => {
                    if cursor.write {
                        for index in cursor.s..cursor.s + count as usize {
                            // A void argument is a variable that refers to itself.
                            self.heap.cells[index] = Cell::reference(index);
                        }
                    }
                    cursor.s += count as usize;
                }
                // Nested structures: the rest of the outer one is put aside, depth first.
                Instruction::UnifyList => {
                    self.outer.push((cursor.s + 1, cursor.write));
                    enter!(pc, cursor, self.enter_list(cursor));
                }
                Instruction::UnifyStructure(functor) => {
                    self.outer.push((cursor.s + 1, cursor.write));
                    enter!(pc, cursor, self.enter_structure(functor, cursor));
                }
                // As last argument the outer structure is done with, so that nothing is put aside.
                Instruction::UnifyTailList => enter!(pc, cursor, self.enter_list(cursor)),
                Instruction::UnifyTailStructure(functor) => {
                    enter!(pc, cursor, self.enter_structure(functor, cursor));
                }
                Instruction::UnifyPop => {
                    if let Some((s, write)) = self.outer.pop() {
                        cursor = Cursor { s, write };
                    }
                }
                // Arguments of a call.
                Instruction::Move(to, from) => self.x[usize::from(to)] = self.register(from),
                Instruction::Moves(to, from, other_to, other_from) => {
                    self.x[usize::from(to)] = self.register(from);
                    // The second may move what the first has put there.
                    self.x[usize::from(other_to)] = self.register(other_from);
                }
                Instruction::PutVariableX(x) => self.x[usize::from(x)] = self.heap.variable(),
                Instruction::PutVariableY(y, x) => {
                    let variable = self.heap.variable();
                    self.x[usize::from(x)] = variable;
                    self.set_slot(usize::from(y), variable);
                }
                Instruction::InitializeY(y) => {
                    let variable = self.heap.variable();
                    self.set_slot(usize::from(y), variable);
                }
                Instruction::PutValueY(y, x) => self.x[usize::from(x)] = self.slot(usize::from(y)),
                Instruction::PutValuesY(y, x, other_y, other_x) => {
                    self.x[usize::from(x)] = self.slot(usize::from(y));
                    self.x[usize::from(other_x)] = self.slot(usize::from(other_y));
                }
                Instruction::PutConstant(x, constant) => self.x[usize::from(x)] = constant,
                Instruction::PutNumber(x, id) => self.x[usize::from(x)] = self.heap.cell_of(id),
                Instruction::PutList(x) => {
                    cursor = self.new_list();
                    self.x[usize::from(x)] = Cell::list(cursor.s);
                }
                Instruction::PutStructure(x, functor) => {
                    cursor = self.new_structure(functor);
                    self.x[usize::from(x)] = Cell::structure(cursor.s - 1);
                }
                Instruction::Allocate(size) => {
                    self.allocate(usize::from(size), FrameKind::Plain);
                }
                Instruction::Deallocate => self.deallocate(),
                Instruction::Call(predicate) => {
                    // The continuation: where `Proceed` of the callee goes. `Execute`, the last call, leaves it as
                    // it is.
                    self.cp = pc;
                    follow!(self, pc, self.call_predicate(predicate));
                }
                Instruction::Execute(predicate) => {
                    follow!(self, pc, self.call_predicate(predicate));
                }
                Instruction::DeallocateExecute(predicate) => {
                    self.deallocate();
                    follow!(self, pc, self.call_predicate(predicate));
                }
                // Return. The environment, if there was one, is given up already.
                Instruction::Proceed => pc = self.cp,
                Instruction::DeallocateProceed => {
                    self.deallocate();
                    pc = self.cp;
                }
                Instruction::Builtin(id) => match self.builtin(id) {
                    Ok(true) => {}
                    Ok(false) => pc = BACKTRACK,
                    Err(Interruption::Positions) => follow!(self, pc, self.start_positions(pc)),
                    Err(interruption) => follow!(self, pc, Err(interruption)),
                },
                Instruction::ArgumentX(done) => {
                    if let Some(value) = self.selected_argument() {
                        self.x[2] = value;
                        pc = done;
                    }
                }
                Instruction::ArgumentY(y, done) => {
                    if let Some(value) = self.selected_argument() {
                        self.set_slot(usize::from(y), value);
                        pc = done;
                    }
                }
                Instruction::TestBuiltin(id, otherwise) => match self.builtin(id) {
                    Ok(true) => {}
                    Ok(false) => pc = otherwise,
                    Err(interruption) => follow!(self, pc, Err(interruption)),
                },
                Instruction::Jump(target) => pc = target,
                Instruction::Fail => {
                    // A unification given up in the middle leaves outer structures behind.
                    self.outer.clear();
                    follow!(self, pc, self.backtrack());
                }
                Instruction::NeckCut => {
                    // Cut heights are numbers of choice points at entry: `b0` in the neck, slot 2 of the
                    // environment later.
                    self.cut_to(self.b0);
                    cleaned!(self, pc);
                }
                Instruction::Cut => {
                    let height = self.stack[self.e + 2].bits() as usize;
                    self.cut_to(height);
                    cleaned!(self, pc);
                }
                // A condition keeps the height of the choice points in a slot, since calls in it overwrite `b0`.
                Instruction::GetLevel(y) => {
                    let height = Cell::mark(self.choices.len() as u64);
                    self.set_slot(usize::from(y), height);
                }
                Instruction::Try(target, condition) => self.try_branch(target, condition),
                Instruction::CutTo(y) => {
                    let height = self.slot(usize::from(y)).mark_value() as usize;
                    self.cut_to(height);
                    cleaned!(self, pc);
                }
                Instruction::CutAbove(y) => {
                    let height = self.slot(usize::from(y)).mark_value() as usize;
                    // The condition's own choice point stays, for `*->` to mark it dead.
                    self.cut_to(height + 1);
                    cleaned!(self, pc);
                }
                Instruction::SoftCut(y) => {
                    let height = self.slot(usize::from(y)).mark_value() as usize;
                    // `*->`: the else branch goes, further solutions of the condition stay.
                    self.soft_cut(height);
                }
                Instruction::CallTransparent => {
                    self.cp = pc;
                    // `call/1` in a clause body is transparent to the cut of that clause.
                    let cut = self.stack[self.e + 2].bits() as usize;
                    follow!(self, pc, self.call_goal(self.x[0], cut));
                }
                Instruction::CallTransparentAbove(y) => {
                    self.cp = pc;
                    let cut = self.slot(usize::from(y)).mark_value() as usize + 1;
                    follow!(self, pc, self.call_goal(self.x[0], cut));
                }
                // Tests and comparisons carry the address of the else branch, `BACKTRACK` if there is none: a condition of
                // them needs no choice point.
                Instruction::Test(test, x, otherwise) => {
                    let cell = self.register(x);
                    match self.test(test, cell) {
                        Ok(holds) => require!(pc, holds, otherwise),
                        Err(interruption) => follow!(self, pc, Err(interruption)),
                    }
                }
                Instruction::CompareTerms(relation, left, right, otherwise) => {
                    let (left, right) = (self.register(left), self.register(right));
                    match self.compare_fast(relation, left, right) {
                        Ok(holds) => require!(pc, holds, otherwise),
                        Err(interruption) => follow!(self, pc, Err(interruption)),
                    }
                }
                Instruction::CompareNumbers(relation, left, right, otherwise) => {
                    let (left, right) = (self.register(left), self.register(right));
                    let (left, right) = (self.heap.deref(left), self.heap.deref(right));
                    // Small integers are compared without evaluating; everything else goes to the slow path.
                    if left.tag() == INT && right.tag() == INT {
                        let order = left.small_value().cmp(&right.small_value());
                        require!(pc, relation.holds(order), otherwise);
                    } else {
                        match self.values_relate(relation, left, right) {
                            Ok(holds) => require!(pc, holds, otherwise),
                            Err(interruption) => follow!(self, pc, Err(interruption)),
                        }
                    }
                }
                Instruction::CompareNumber(relation, left, constant, otherwise) => {
                    let left = self.heap.deref(self.register(left));
                    if left.tag() == INT {
                        let order = left.small_value().cmp(&i64::from(constant));
                        require!(pc, relation.holds(order), otherwise);
                    } else {
                        let constant = Cell::small(i64::from(constant));
                        match self.values_relate(relation, left, constant) {
                            Ok(holds) => require!(pc, holds, otherwise),
                            Err(interruption) => follow!(self, pc, Err(interruption)),
                        }
                    }
                }
                Instruction::Arithmetic(operation, target, left, right) => {
                    let (left, right) = (self.register(left), self.register(right));
                    match self.operate(operation, left, right) {
                        Ok(value) => self.x[usize::from(target)] = value,
                        Err(interruption) => follow!(self, pc, Err(interruption)),
                    }
                }
                Instruction::ArithmeticConstant(operation, target, left, constant) => {
                    let left = self.register(left);
                    match self.operate(operation, left, Cell::small(i64::from(constant))) {
                        Ok(value) => self.x[usize::from(target)] = value,
                        Err(interruption) => follow!(self, pc, Err(interruption)),
                    }
                }
                Instruction::Evaluate(target, source) => {
                    let source = self.register(source);
                    match self.evaluate_cell(source) {
                        Ok(value) => self.x[usize::from(target)] = value,
                        Err(interruption) => follow!(self, pc, Err(interruption)),
                    }
                }
                // From here on the stubs: what success of a goal means that the machine itself has started.
                Instruction::QueryDone => return Interruption::Answer,
                Instruction::PopCatch => pc = self.pop_catch(),
                Instruction::CollectSolution => {
                    self.collect_solution();
                    pc = BACKTRACK;
                }
                Instruction::AnswerFound => {
                    follow!(self, pc, self.answer_found());
                }
                Instruction::ContinueConjunction => {
                    follow!(self, pc, self.continue_conjunction());
                }
                Instruction::CommitThen => follow!(self, pc, self.commit_then(false)),
                Instruction::SoftThen => follow!(self, pc, self.commit_then(true)),
                // The goal of a negation has a solution: the negation fails, unless the solution is undefined.
                Instruction::NegationSucceeded => {
                    self.negation_succeeded();
                    pc = BACKTRACK;
                }
                Instruction::CleanupGoalSucceeded => {
                    follow!(self, pc, self.cleanup_goal_succeeded());
                }
                Instruction::UnifySlots => pc = self.unify_slots(),
                Instruction::Aggregated => pc = self.aggregated(),
                Instruction::ResumeGoal => {
                    // Control predicates leave the goal that they call to the loop: calls nested in terms do not nest in Rust.
                    let (goal, cut) = self.pending;
                    follow!(self, pc, self.call_goal(goal, cut));
                }
            }
        }
    }

    #[inline(always)]
    fn register(&self, x: X) -> Cell {
        self.x[usize::from(x)]
    }

    #[inline(never)]
    fn try_branch(&mut self, target: Pc, condition: bool) {
        self.push_choice(if condition {
            Alternative::Condition(target)
        } else {
            Alternative::Code(target)
        });
    }

    /// The argument of the structure in register 1 at the position in register 0, if it is a small number in range and
    /// the structure lies on the heap: what `arg/3` is nearly always asked for.
    #[inline(always)]
    pub(in crate::prolog) fn selected_argument(&self) -> Option<Cell> {
        let (position, term) = (self.heap.deref(self.x[0]), self.heap.deref(self.x[1]));
        if position.tag() != INT || term.tag() != STR {
            return None;
        }
        let functor = self.heap.cells[term.index()];
        let position = usize::try_from(position.small_value()).ok()?;
        (1..=functor.arity())
            .contains(&position)
            .then(|| self.heap.argument(term.index(), position))
    }

    /// Whether a term passes a type test: decided by its tag, or by a walk that a limit may end.
    #[inline(always)]
    fn test(&mut self, test: TypeTest, cell: Cell) -> Result<bool, Interruption> {
        let cell = self.heap.deref(cell);
        match test.kinds() {
            Some(kinds) => Ok(kinds.contains(cell)),
            None => {
                let holds = self.walk_test(test, cell);
                self.heap.stopped().map(|()| holds)
            }
        }
    }

    /// Whether a term passes a type test.
    #[inline(never)]
    pub(in crate::prolog) fn holds(&mut self, test: TypeTest, cell: Cell) -> bool {
        let cell = self.heap.deref(cell);
        match test.kinds() {
            Some(kinds) => kinds.contains(cell),
            None => self.walk_test(test, cell),
        }
    }

    /// The tests that look into a term.
    #[inline(never)]
    fn walk_test(&mut self, test: TypeTest, cell: Cell) -> bool {
        if test == TypeTest::Ground {
            return self.heap.is_ground(cell);
        }
        let (_, rest) = self.heap.read_list(cell);
        rest == Cell::atom(crate::prolog::terms::atoms::NIL)
    }

    #[inline(always)]
    fn compare_fast(
        &mut self,
        relation: Comparison,
        left: Cell,
        right: Cell,
    ) -> Result<bool, Interruption> {
        let left = self.heap.deref(left);
        let right = self.heap.deref(right);
        // Atoms and small integers differ from everything but themselves; only the order needs a comparison.
        let order = if left == right {
            Ordering::Equal
        } else if matches!(relation, Comparison::Equal | Comparison::Unequal)
            && (is_immediate(left) || is_immediate(right))
        {
            Ordering::Less
        } else {
            let order = self.heap.compare(left, right);
            self.heap.stopped()?;
            order
        };
        Ok(relation.holds(order))
    }
}

/// Whether a dereferenced cell differs from every other cell.
fn is_immediate(cell: Cell) -> bool {
    !matches!(cell.tag(), STR | LIST | GROUND | BIG | FLOAT)
}
