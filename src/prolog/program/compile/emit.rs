//! Arguments of heads, calls and structures, and the registers they live in.

use crate::prolog::program::compile::compiler::{CompileError, Compiler};
use crate::prolog::program::instruction::{Instruction, X};
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, GROUND, LIST, REF, STR};

/// What is left to emit of the arguments of a structure.
enum StructureStep {
    /// An argument, and whether it is the last one.
    Argument(Cell, bool),
    Pop,
}

/// A term as the emitter distinguishes them.
pub(super) enum TermShape {
    /// A variable by number.
    Variable(usize),
    /// An immediate cell, or a ground term of the store.
    Constant(Cell),
    /// A float or large integer.
    Number(crate::term::TermId),
    List(usize),
    Structure(Cell, usize),
}

impl Compiler<'_> {
    pub(super) fn shape(&mut self, cell: Cell) -> TermShape {
        match cell.tag() {
            REF => TermShape::Variable(self.number(cell)),
            BIG | FLOAT => TermShape::Number(self.clause.intern(self.store, cell)),
            STR | LIST if self.clause.interns && self.clause.is_ground(cell) => {
                TermShape::Constant(Cell::ground(self.clause.intern(self.store, cell)))
            }
            LIST => TermShape::List(cell.index()),
            STR => TermShape::Structure(self.clause.record.cells[cell.index()], cell.index() + 1),
            _ => TermShape::Constant(cell),
        }
    }

    /// A register that no variable needs, above all argument registers.
    pub(super) fn fresh_register(&mut self) -> Result<X, CompileError> {
        let register = self.next_free;
        if register > 255 {
            return Err(CompileError::TooComplex);
        }
        self.next_free += 1;
        Ok(register as X)
    }

    fn is_free(&self, register: X) -> bool {
        let register = register as usize;
        // An argument of the head that has not been unified yet.
        if register >= self.pending_from && register < self.head_arity {
            return false;
        }
        match self.owners[register] {
            None => true,
            Some(owner) => {
                // Its owner has no occurrence left, or has moved away.
                self.variables[owner].remaining == 0
                    || self.variables[owner].register != Some(register as X)
            }
        }
    }

    /// Gives a temporary variable that occurs for the first time its register.
    pub(super) fn place_variable(&mut self, number: usize) -> Result<X, CompileError> {
        let hint = self.variables[number].hint;
        let register = match hint {
            // Straight to where the next call needs it, which saves a move: `p(f(Y)) :- q(Y)` reads Y into register 0.
            Some(register) if usize::from(register) >= self.reserved && self.is_free(register) => {
                register
            }
            Some(_) | None => self.fresh_register()?,
        };
        self.own(number, register);
        Ok(register)
    }

    pub(super) fn own(&mut self, number: usize, register: X) {
        self.owners[register as usize] = Some(number);
        self.variables[number].register = Some(register);
        self.variables[number].seen = true;
    }

    /// Counts an occurrence as emitted; says whether it was the only one of all.
    pub(super) fn consume(&mut self, number: usize) {
        let remaining = &mut self.variables[number].remaining;
        *remaining = remaining.saturating_sub(1);
    }

    /// Moves the variable away that lives in a register and is still needed.
    pub(super) fn evict(&mut self, register: X) -> Result<(), CompileError> {
        if self.is_free(register) {
            return Ok(());
        }
        if let Some(owner) = self.owners[register as usize] {
            let fresh = self.fresh_register()?;
            // `p(X, Y) :- q(Y, X)`: X leaves register 0 before Y is put there.
            self.code.push(Instruction::Move(fresh, register));
            self.own(owner, fresh);
        }
        self.owners[register as usize] = None;
        Ok(())
    }

    pub(super) fn head_argument(&mut self, cell: Cell, register: X) -> Result<(), CompileError> {
        if let TermShape::Variable(number) = self.shape(cell) {
            let variable = self.variables[number];
            if !variable.seen && !variable.permanent {
                self.consume(number);
                self.own(number, register);
                return Ok(());
            }
        }
        self.get(cell, register)
    }

    /// Unifies a term with the content of a register.
    pub(super) fn get(&mut self, cell: Cell, register: X) -> Result<(), CompileError> {
        match self.shape(cell) {
            TermShape::Variable(number) => self.get_variable(number, register)?,
            TermShape::Constant(constant) => {
                self.code.push(Instruction::GetConstant(register, constant));
            }
            TermShape::Number(id) => {
                let scratch = self.fresh_register()?;
                self.code.push(Instruction::PutNumber(scratch, id));
                self.code.push(Instruction::GetValueX(scratch, register));
            }
            TermShape::List(first) => {
                let start = self.code.len();
                self.code.push(Instruction::GetList(register));
                self.structure(first, 2)?;
                self.fuse_list(start);
            }
            TermShape::Structure(functor, first) => {
                self.code.push(Instruction::GetStructure(register, functor));
                self.structure(first, functor.arity())?;
            }
        }
        Ok(())
    }

    /// Makes one instruction of the most common lists in heads, `[X|Xs]`.
    fn fuse_list(&mut self, start: usize) {
        // `[X|Xs]` with X and Xs new, or with X known: the heads of most recursive predicates.
        let fused = match self.code[start..] {
            [
                Instruction::GetList(list),
                Instruction::UnifyVariableX(head),
                Instruction::UnifyVariableX(tail),
            ] => Instruction::GetListVariables(list, head, tail),
            [
                Instruction::GetList(list),
                Instruction::UnifyValueX(head),
                Instruction::UnifyVariableX(tail),
            ] => Instruction::GetListValue(list, head, tail),
            _ => return,
        };
        self.code.truncate(start);
        self.code.push(fused);
    }

    fn get_variable(&mut self, number: usize, register: X) -> Result<(), CompileError> {
        let variable = self.variables[number];
        self.consume(number);
        let instruction = match (variable.seen, variable.permanent) {
            (false, true) => {
                self.variables[number].seen = true;
                Instruction::GetVariableY(variable.slot, register)
            }
            (true, true) => Instruction::GetValueY(variable.slot, register),
            (false, false) => {
                let target = self.place_variable(number)?;
                Instruction::Move(target, register)
            }
            (true, false) => {
                Instruction::GetValueX(variable.register.unwrap_or(register), register)
            }
        };
        self.code.push(instruction);
        Ok(())
    }

    /// Puts a term into a register; the register's owner must have been moved away.
    pub(super) fn put(&mut self, cell: Cell, register: X) -> Result<(), CompileError> {
        match self.shape(cell) {
            TermShape::Variable(number) => self.put_variable(number, register),
            TermShape::Constant(constant) => {
                self.code.push(Instruction::PutConstant(register, constant));
            }
            TermShape::Number(id) => self.code.push(Instruction::PutNumber(register, id)),
            TermShape::List(first) => {
                self.code.push(Instruction::PutList(register));
                self.structure(first, 2)?;
            }
            TermShape::Structure(functor, first) => {
                self.code.push(Instruction::PutStructure(register, functor));
                self.structure(first, functor.arity())?;
            }
        }
        Ok(())
    }

    fn put_variable(&mut self, number: usize, register: X) {
        let variable = self.variables[number];
        self.consume(number);
        let instruction = match (variable.seen, variable.permanent) {
            (false, true) => {
                self.variables[number].seen = true;
                Instruction::PutVariableY(variable.slot, register)
            }
            (true, true) => Instruction::PutValueY(variable.slot, register),
            (false, false) => {
                self.own(number, register);
                Instruction::PutVariableX(register)
            }
            (true, false) => match variable.register {
                Some(source) if source != register => Instruction::Move(register, source),
                Some(_) | None => return,
            },
        };
        self.code.push(instruction);
    }

    /// The arguments of a structure, in either direction.
    fn structure(&mut self, first: usize, arity: usize) -> Result<(), CompileError> {
        let mut work = Vec::new();
        self.push_arguments(first, arity, &mut work);
        while let Some(item) = work.pop() {
            match item {
                // Behind a nested structure that was not the last argument: back to the outer one.
                StructureStep::Pop => self.code.push(Instruction::UnifyPop),
                StructureStep::Argument(cell, last) => {
                    self.structure_argument(cell, last, &mut work)?
                }
            }
        }
        Ok(())
    }

    fn push_arguments(&self, first: usize, arity: usize, work: &mut Vec<StructureStep>) {
        for position in (0..arity).rev() {
            let cell = self.clause.at(first + position);
            work.push(StructureStep::Argument(cell, position + 1 == arity));
        }
    }

    fn structure_argument(
        &mut self,
        cell: Cell,
        last: bool,
        work: &mut Vec<StructureStep>,
    ) -> Result<(), CompileError> {
        match self.shape(cell) {
            TermShape::Variable(number) => self.structure_variable(number)?,
            TermShape::Constant(constant) => {
                self.code.push(Instruction::UnifyConstant(constant));
            }
            TermShape::Number(id) => {
                let mark = self.next_free;
                let scratch = self.fresh_register()?;
                self.code.push(Instruction::PutNumber(scratch, id));
                self.code.push(Instruction::UnifyValueX(scratch));
                self.next_free = mark;
            }
            TermShape::List(first) => {
                self.code.push(if last {
                    Instruction::UnifyTailList
                } else {
                    work.push(StructureStep::Pop);
                    Instruction::UnifyList
                });
                self.push_arguments(first, 2, work);
            }
            TermShape::Structure(functor, first) => {
                self.code.push(if last {
                    Instruction::UnifyTailStructure(functor)
                } else {
                    work.push(StructureStep::Pop);
                    Instruction::UnifyStructure(functor)
                });
                self.push_arguments(first, functor.arity(), work);
            }
        }
        Ok(())
    }

    fn structure_variable(&mut self, number: usize) -> Result<(), CompileError> {
        let variable = self.variables[number];
        self.consume(number);
        let instruction = match (variable.seen, variable.permanent) {
            // The only occurrence: nobody asks for the value.
            (false, _) if variable.remaining == 1 => Instruction::UnifyVoid(1),
            (false, true) => {
                self.variables[number].seen = true;
                Instruction::UnifyVariableY(variable.slot)
            }
            (true, true) => Instruction::UnifyValueY(variable.slot),
            (false, false) => Instruction::UnifyVariableX(self.place_variable(number)?),
            (true, false) => Instruction::UnifyValueX(variable.register.unwrap_or(0)),
        };
        if let (Instruction::UnifyVoid(_), Some(Instruction::UnifyVoid(count))) =
            (instruction, self.code.last_mut())
        {
            // Runs of voids are one instruction: `f(_, _, _)`.
            *count += 1;
            return Ok(());
        }
        self.code.push(instruction);
        Ok(())
    }

    /// The arguments of a built-in into the first registers. A variable that occurs first inside one of them may be
    /// needed by a later call in the register of another one: `G =.. [_|As], w(As)` needs `As` where `G` is put.
    pub(super) fn builtin_arguments(&mut self, cell: Cell) -> Result<(), CompileError> {
        self.reserved = self
            .clause
            .compound(cell)
            .map_or(0, |(functor, _)| functor.arity());
        let put = self.call_arguments(cell);
        self.reserved = 0;
        put
    }

    /// The arguments of a call into the first registers.
    pub(super) fn call_arguments(&mut self, cell: Cell) -> Result<(), CompileError> {
        let Some((functor, first)) = self.clause.compound(cell) else {
            if cell.tag() == REF {
                // `call/1` of the variable itself.
                self.evict_other(cell, 0)?;
                self.put(cell, 0)?;
            }
            return Ok(());
        };
        for position in 0..functor.arity() {
            let argument = self.clause.at(first + position);
            self.evict_other(argument, position as X)?;
            self.put(argument, position as X)?;
        }
        Ok(())
    }

    /// Frees a register for an argument, unless the argument is what lives there.
    fn evict_other(&mut self, argument: Cell, register: X) -> Result<(), CompileError> {
        if argument.tag() == REF {
            let number = self.number(argument);
            let variable = &self.variables[number];
            if variable.seen && !variable.permanent && variable.register == Some(register) {
                return Ok(());
            }
        }
        self.evict(register)
    }

    /// The register in which the value of a variable or constant is, or is brought.
    pub(super) fn operand_register(&mut self, cell: Cell) -> Result<X, CompileError> {
        if let TermShape::Variable(number) = self.shape(cell) {
            let variable = self.variables[number];
            if variable.seen
                && !variable.permanent
                && let Some(register) = variable.register
            {
                self.consume(number);
                return Ok(register);
            }
            if !variable.seen && !variable.permanent {
                // Not where a later call needs it: the other operand may still live there.
                self.consume(number);
                let register = self.fresh_register()?;
                self.own(number, register);
                self.code.push(Instruction::PutVariableX(register));
                return Ok(register);
            }
        }
        let register = self.fresh_register()?;
        // Nor do variables that occur for the first time in this operand: `A @< f(A, B), q(B)` has A in B's register.
        let reserved = std::mem::replace(&mut self.reserved, usize::MAX);
        let put = self.put(cell, register);
        self.reserved = reserved;
        put?;
        Ok(register)
    }

    /// Makes the variables of a construct that it shares between branches, or with what follows.
    pub(super) fn initialize(&mut self, number: usize) -> Result<(), CompileError> {
        let variable = self.variables[number];
        if variable.permanent {
            self.variables[number].seen = true;
            self.code.push(Instruction::InitializeY(variable.slot));
        } else {
            let register = self.fresh_register()?;
            self.own(number, register);
            self.code.push(Instruction::PutVariableX(register));
        }
        Ok(())
    }

    /// A constant as an operand of arithmetic, if it is one.
    pub(super) fn small_operand(cell: Cell) -> Option<i32> {
        if cell.tag() == crate::prolog::terms::cell::INT {
            i32::try_from(cell.small_value()).ok()
        } else {
            None
        }
    }

    /// Whether two ground cells are the same term.
    pub(super) fn same_constant(&mut self, left: Cell, right: Cell) -> bool {
        debug_assert!(left.tag() != GROUND || left.index() < self.store.len());
        self.clause.intern(self.store, left) == self.clause.intern(self.store, right)
    }

    /// Whether a variable occurs in a term.
    pub(super) fn occurs(&mut self, number: usize, cell: Cell) -> bool {
        let mut counts = Vec::new();
        self.count_term(cell, &mut counts);
        counts.get(number).is_some_and(|&count| count > 0)
    }
}
