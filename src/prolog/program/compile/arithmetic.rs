//! Inline arithmetic: expressions over the common operations become register instructions.
//!
//! Anything else (functions, deep expressions) is built as a term and evaluated as one.

use crate::prolog::program::compile::compiler::{CompileError, Compiler};
use crate::prolog::program::instruction::{Comparison, Instruction, Pc, X};
use crate::prolog::terms::cell::{Cell, REF};
use crate::prolog::terms::operations::Operation;

/// Expressions nested deeper are evaluated as terms.
const MAX_DEPTH: usize = 16;

impl Compiler<'_> {
    pub(super) fn is_code(&mut self, target: Cell, expression: Cell) -> Result<(), CompileError> {
        let mark = self.next_free;
        if target.tag() == REF {
            let number = self.number(target);
            let variable = self.variables[number];
            // `X is E` with X new: the value goes to its register without a unification.
            if !variable.seen && !variable.permanent && !self.occurs(number, expression) {
                self.evaluate_into_variable(number, expression)?;
                self.release(mark);
                return Ok(());
            }
            if !variable.seen && self.occurs(number, expression) {
                self.initialize(number)?;
            }
        }
        let result = self.fresh_register()?;
        self.evaluate(expression, result, 0)?;
        self.get(target, result)?;
        self.release(mark);
        Ok(())
    }

    fn evaluate_into_variable(
        &mut self,
        number: usize,
        expression: Cell,
    ) -> Result<(), CompileError> {
        // Computed aside, then placed: the operands may still live in the hinted register.
        let scratch = self.fresh_register()?;
        let start = self.code.len();
        self.evaluate(expression, scratch, 0)?;
        self.consume(number);
        let register = self.place_variable(number)?;
        if let Some(
            Instruction::Arithmetic(_, to, _, _)
            | Instruction::ArithmeticConstant(_, to, _, _)
            | Instruction::Evaluate(to, _)
            | Instruction::PutConstant(to, _),
        ) = self.code.last_mut()
            // The last instruction can write to the place itself: one move less.
            && *to == scratch
        {
            *to = register;
        } else {
            debug_assert!(self.code.len() > start);
            self.code.push(Instruction::Move(register, scratch));
        }
        Ok(())
    }

    /// Code that leaves the value of an expression in `target`.
    fn evaluate(&mut self, cell: Cell, target: X, depth: usize) -> Result<(), CompileError> {
        if Self::small_operand(cell).is_some() {
            self.code.push(Instruction::PutConstant(target, cell));
            return Ok(());
        }
        if depth < MAX_DEPTH
            && let Some((operation, left, right)) = self.operation(cell)
        {
            let left = self.operand(left, depth)?;
            if let Some(constant) = Self::small_operand(right) {
                self.code.push(Instruction::ArithmeticConstant(
                    operation, target, left, constant,
                ));
                return Ok(());
            }
            let right = self.operand(right, depth)?;
            self.code
                .push(Instruction::Arithmetic(operation, target, left, right));
            return Ok(());
        }
        let source = self.operand_register(cell)?;
        self.code.push(Instruction::Evaluate(target, source));
        Ok(())
    }

    /// The register of an operand: of a variable its own (it may hold an expression; the
    /// instructions evaluate their operands), of an expression a scratch register.
    fn operand(&mut self, cell: Cell, depth: usize) -> Result<X, CompileError> {
        if cell.tag() == REF {
            return self.operand_register(cell);
        }
        let scratch = self.fresh_register()?;
        self.evaluate(cell, scratch, depth + 1)?;
        Ok(scratch)
    }

    fn operation(&self, cell: Cell) -> Option<(Operation, Cell, Cell)> {
        let (functor, first) = self.clause.compound(cell)?;
        if functor.arity() != 2 {
            return None;
        }
        let operation = match self.store.name(functor.symbol()) {
            "+" => Operation::Add,
            "-" => Operation::Subtract,
            "*" => Operation::Multiply,
            "//" => Operation::IntDivide,
            "mod" => Operation::Modulo,
            "rem" => Operation::Remainder,
            "/" => Operation::Divide,
            "/\\" => Operation::And,
            "\\/" => Operation::Or,
            "<<" => Operation::ShiftLeft,
            ">>" => Operation::ShiftRight,
            "min" => Operation::Minimum,
            "max" => Operation::Maximum,
            "xor" => Operation::Xor,
            "div" => Operation::Divided,
            "**" => Operation::Power,
            "^" => Operation::PowerInteger,
            _ => return None,
        };
        Some((operation, self.clause.at(first), self.clause.at(first + 1)))
    }

    pub(super) fn compare_numbers(
        &mut self,
        relation: Comparison,
        left: Cell,
        right: Cell,
        otherwise: Pc,
    ) -> Result<(), CompileError> {
        let left = self.operand(left, 0)?;
        if let Some(constant) = Self::small_operand(right) {
            self.code.push(Instruction::CompareNumber(
                relation, left, constant, otherwise,
            ));
            return Ok(());
        }
        let right = self.operand(right, 0)?;
        self.code.push(Instruction::CompareNumbers(
            relation, left, right, otherwise,
        ));
        Ok(())
    }
}
