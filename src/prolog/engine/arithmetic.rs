//! Evaluation of expressions: walks over terms, and instructions for single operations.
//!
//! What the operations give is the business of [`crate::prolog::terms::number`]; here it becomes a cell,
//! or the error term that says why there is no value.

use num_bigint::{BigInt, BigUint};
use num_traits::Signed;
use rand::RngExt;
use rand::distr::Open01;

use crate::prolog::program::instruction::Comparison;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{BIG, Cell, FLOAT, INT};
use crate::prolog::terms::error::{self, Interruption};
use crate::prolog::terms::heap::TermView;
use crate::prolog::terms::number::{ArithmeticFault, ArithmeticResult, Number, compare};
use crate::prolog::terms::operations::{Operation, apply, binary, modulo};
use crate::term::SymbolId;

use Number::{Big, Float, Integer};

/// What is left to do in an expression.
enum ExpressionStep {
    Visit(Cell),
    Apply(SymbolId, usize),
}

impl Machine {
    /// An operation with an instruction of its own.
    #[inline(always)]
    pub(in crate::prolog) fn operate(
        &mut self,
        operation: Operation,
        left: Cell,
        right: Cell,
    ) -> Result<Cell, Interruption> {
        let left = self.heap.deref(left);
        let right = self.heap.deref(right);
        if left.tag() == INT && right.tag() == INT {
            let (a, b) = (left.small_value(), right.small_value());
            // Sums and differences of 61-bit numbers fit 64 bits.
            let small = match operation {
                Operation::Add => Cell::try_small(a + b),
                Operation::Subtract => Cell::try_small(a - b),
                Operation::Multiply => a.checked_mul(b).and_then(Cell::try_small),
                Operation::IntDivide if b != 0 => Cell::try_small(a / b),
                Operation::Modulo if b != 0 => Some(Cell::small(modulo(a, b))),
                Operation::IntDivide
                | Operation::Modulo
                | Operation::Remainder
                | Operation::Divide
                | Operation::And
                | Operation::Or
                | Operation::ShiftLeft
                | Operation::ShiftRight
                | Operation::Minimum
                | Operation::Maximum
                | Operation::Xor
                | Operation::Divided
                | Operation::Power
                | Operation::PowerInteger => None,
            };
            if let Some(cell) = small {
                return Ok(cell);
            }
        }
        self.operate_slowly(operation, left, right)
    }

    fn operate_slowly(
        &mut self,
        operation: Operation,
        left: Cell,
        right: Cell,
    ) -> Result<Cell, Interruption> {
        let left = self.number(left)?;
        let right = self.number(right)?;
        let value = binary(operation, &left, &right);
        self.finish(value)
    }

    /// The value of an expression, as a cell.
    #[inline]
    pub(in crate::prolog) fn evaluate_cell(&mut self, cell: Cell) -> Result<Cell, Interruption> {
        let cell = self.heap.deref(cell);
        if matches!(cell.tag(), INT | BIG | FLOAT) {
            return Ok(cell);
        }
        let value = self.number(cell)?;
        Ok(self.number_cell(value))
    }

    /// Whether the values of two expressions are related. What is not a number has no order: only `=\=` holds of it.
    #[inline(never)]
    pub(in crate::prolog) fn values_relate(
        &mut self,
        relation: Comparison,
        left: Cell,
        right: Cell,
    ) -> Result<bool, Interruption> {
        let left = self.number(left)?;
        let right = self.number(right)?;
        let order = compare(&left, &right);
        Ok(order.map_or(relation == Comparison::Unequal, |order| {
            relation.holds(order)
        }))
    }

    pub(crate) fn number_cell(&mut self, value: Number) -> Cell {
        match value {
            Integer(value) => self.heap.integer(value),
            Big(value) => self.heap.big_integer(&value),
            Float(value) => self.heap.float(value),
        }
    }

    fn finish(&mut self, value: ArithmeticResult) -> Result<Cell, Interruption> {
        match value {
            Ok(value) => Ok(self.number_cell(value)),
            Err(fault) => Err(self.fault(fault)),
        }
    }

    fn fault(&mut self, fault: ArithmeticFault) -> Interruption {
        let heap = &mut self.heap;
        match fault {
            ArithmeticFault::TooLarge => error::resource_error(heap, "memory"),
            ArithmeticFault::FloatOverflow => error::evaluation_error(heap, "float_overflow"),
            ArithmeticFault::ZeroDivisor => error::evaluation_error(heap, "zero_divisor"),
            ArithmeticFault::Undefined => error::evaluation_error(heap, "undefined"),
            ArithmeticFault::NeedsInteger(value) => {
                let culprit = self.number_cell(value);
                error::type_error(&mut self.heap, "integer", culprit)
            }
            ArithmeticFault::NeedsFloat(value) => {
                let culprit = self.number_cell(value);
                error::type_error(&mut self.heap, "float", culprit)
            }
            ArithmeticFault::OutOf(domain, value) => {
                let culprit = self.number_cell(value);
                error::domain_error(&mut self.heap, domain, culprit)
            }
        }
    }

    /// The value of an expression.
    pub(crate) fn number(&mut self, root: Cell) -> Result<Number, Interruption> {
        let root = self.heap.deref(root);
        if let Some(value) = self.heap.number(root) {
            return Ok(value);
        }
        let mut steps = vec![ExpressionStep::Visit(root)];
        let mut values: Vec<Number> = Vec::new();
        let mut rounds = self.heap.rounds();
        while let Some(step) = steps.pop() {
            if self.heap.is_endless(&mut rounds, root) {
                return Err(error::type_error(&mut self.heap, "expression", root));
            }
            if !self
                .heap
                .may_go_on(steps.len() * size_of::<ExpressionStep>())
            {
                self.heap.stopped()?;
            }
            match step {
                ExpressionStep::Visit(cell) => {
                    self.visit_expression(cell, &mut steps, &mut values)?
                }
                ExpressionStep::Apply(name, arity) => {
                    let start = values.len() - arity;
                    let result = apply(self.heap.name(name), &values[start..])
                        .or_else(|| self.of_moment(name, &values[start..]).map(Ok));
                    values.truncate(start);
                    match result {
                        Some(Ok(value)) => values.push(value),
                        Some(Err(fault)) => return Err(self.fault(fault)),
                        None => return Err(self.not_evaluable(name, arity)),
                    }
                }
            }
        }
        Ok(values.pop().unwrap_or(Integer(0)))
    }

    /// What has another value each time: random numbers and clocks.
    fn of_moment(&mut self, name: SymbolId, arguments: &[Number]) -> Option<Number> {
        let environment = &mut self.streams.environment;
        Some(match (self.heap.name(name), arguments) {
            ("random", [Integer(end)]) if *end > 0 => Integer(self.random.random_range(0..*end)),
            ("random", [Big(end)]) if end.is_positive() => self.random_below(end),
            ("random_float", []) => Float(self.random.sample(Open01)),
            ("cputime", []) => Float(environment.elapsed().as_secs_f64()),
            ("realtime", []) => Integer(environment.now().as_secs() as i64),
            _ => return None,
        })
    }

    /// A random integer from 0 to below an end: the rest of 64 random bits more than the end has, so that no value is
    /// more frequent than another by more than one in 2^64.
    fn random_below(&mut self, end: &BigInt) -> Number {
        let digits = (end.bits() / 32 + 3) as usize;
        let random = (0..digits).map(|_| self.random.random::<u32>()).collect();
        Number::from(BigInt::from(BigUint::new(random)) % end)
    }

    fn visit_expression(
        &mut self,
        cell: Cell,
        steps: &mut Vec<ExpressionStep>,
        values: &mut Vec<Number>,
    ) -> Result<(), Interruption> {
        let cell = self.heap.deref(cell);
        if let Some(value) = self.heap.number(cell) {
            values.push(value);
            return Ok(());
        }
        match self.heap.view(cell) {
            TermView::Compound(atoms::DOT, 2, first)
                if self.heap.argument(first, 1) == Cell::atom(atoms::NIL) =>
            {
                steps.push(ExpressionStep::Visit(self.heap.argument(first, 0)));
            }
            TermView::Compound(name, arity, first) => {
                steps.push(ExpressionStep::Apply(name, arity));
                for position in (0..arity).rev() {
                    steps.push(ExpressionStep::Visit(self.heap.argument(first, position)));
                }
            }
            TermView::Atom(name) => steps.push(ExpressionStep::Apply(name, 0)),
            TermView::Text(name) => {
                let mut characters = self.heap.name(name).chars();
                match (characters.next(), characters.next()) {
                    (Some(character), None) => values.push(Integer(i64::from(character as u32))),
                    _ => return Err(error::type_error(&mut self.heap, "evaluable", cell)),
                }
            }
            TermView::Variable(_) => return Err(error::instantiation(&mut self.heap)),
            TermView::Integer(_) | TermView::Big(_) | TermView::Float(_) => {}
        }
        Ok(())
    }

    fn not_evaluable(&mut self, name: SymbolId, arity: usize) -> Interruption {
        let indicator = error::indicator(&mut self.heap, name, arity);
        error::type_error(&mut self.heap, "evaluable", indicator)
    }
}
