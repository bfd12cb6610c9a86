//! The body of a clause as a tree of goals.
//!
//! Constructs nest at most [`MAX_DEPTH`] deep here, so walks over the tree may recurse; what is
//! nested deeper is called as a term at run time, transparent to cuts.

use crate::prolog::program::compile::compiler::{CompileError, Compiler};
use crate::prolog::program::instruction::{BuiltinId, Comparison, PredicateId, TypeTest};
use crate::prolog::program::predicate::PredicateKind;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, REF};

const MAX_DEPTH: usize = 40;

/// One goal of a body.
#[derive(Debug)]
pub(crate) enum BodyGoal {
    Call(PredicateId, Cell),
    Builtin(BuiltinId, Cell),
    /// A built-in that binds nothing.
    TestBuiltin(BuiltinId, Cell),
    Unify(Cell, Cell),
    Cut,
    Fail,
    Test(TypeTest, Cell),
    CompareTerms(Comparison, Cell, Cell),
    CompareNumbers(Comparison, Cell, Cell),
    Is(Cell, Cell),
    If(IfThenElse),
    Or(Vec<Vec<BodyGoal>>),
    Not(Vec<BodyGoal>),
    /// Calls a body that is nested too deep to be compiled.
    Transparent(Cell),
}

/// `condition -> then ; otherwise`, or with `*->`.
#[derive(Debug)]
pub(crate) struct IfThenElse {
    pub(crate) condition: Vec<BodyGoal>,
    pub(crate) then: Vec<BodyGoal>,
    pub(crate) otherwise: Vec<BodyGoal>,
    /// `*->`: all solutions of the condition.
    pub(crate) soft: bool,
}

impl Compiler<'_> {
    /// The goals of a body.
    pub(super) fn goals(
        &mut self,
        body: Cell,
        depth: usize,
    ) -> Result<Vec<BodyGoal>, CompileError> {
        let mut goals = Vec::new();
        let mut stack = vec![body];
        while let Some(cell) = stack.pop() {
            // Conjunctions are flattened from either side, without recursion: they may be as long as the program text.
            if let Some((left, right)) = self.binary(cell, atoms::COMMA) {
                stack.push(right);
                stack.push(left);
                continue;
            }
            if cell == Cell::atom(atoms::TRUE) {
                continue;
            }
            let goal = self.goal(cell, depth)?;
            goals.push(goal);
        }
        Ok(goals)
    }

    fn binary(&self, cell: Cell, name: crate::term::SymbolId) -> Option<(Cell, Cell)> {
        let (functor, first) = self.clause.compound(cell)?;
        (functor == Cell::functor(name, 2))
            .then(|| (self.clause.at(first), self.clause.at(first + 1)))
    }

    fn goal(&mut self, cell: Cell, depth: usize) -> Result<BodyGoal, CompileError> {
        if cell.tag() == REF {
            return Ok(self.call_variable(cell));
        }
        let Some((functor, first)) = self.clause.compound(cell) else {
            return self.atom_goal(cell);
        };
        let (name, arity) = (functor.symbol(), functor.arity());
        if self.is_construct(name, arity, first) {
            // Too deep to be compiled: called as a term, whose cuts still reach this clause.
            if depth >= MAX_DEPTH {
                return Ok(BodyGoal::Transparent(cell));
            }
            return self.construct(cell, depth);
        }
        if name == atoms::COLON && arity == 2 && self.clause.at(first).is_atom() {
            // Modules are not told apart.
            let inner = self.clause.at(first + 1);
            // One goal stays one goal; `m:(a, b)` is called as a term.
            let mut goals = self.goals(inner, depth + 1)?;
            return Ok(match goals.pop() {
                Some(goal) if goals.is_empty() => goal,
                _ => BodyGoal::Transparent(inner),
            });
        }
        if let Some(goal) = self.inline_goal(cell, functor, first) {
            return Ok(goal);
        }
        Ok(self.call(cell, name, arity))
    }

    fn atom_goal(&mut self, cell: Cell) -> Result<BodyGoal, CompileError> {
        if !cell.is_atom() {
            return Err(CompileError::NotCallable);
        }
        Ok(match cell.symbol() {
            atoms::CUT => BodyGoal::Cut,
            atoms::FAIL | atoms::FALSE => BodyGoal::Fail,
            name => self.call(cell, name, 0),
        })
    }

    /// `X` as a goal is `call(X)`. The cell is kept as it is: [`Compiler`] recognises calls of
    /// `call/1` whose term is the argument itself.
    fn call_variable(&mut self, cell: Cell) -> BodyGoal {
        let predicate = self.database.predicate(atoms::CALL, 1);
        BodyGoal::Call(predicate, cell)
    }

    fn call(&mut self, cell: Cell, name: crate::term::SymbolId, arity: usize) -> BodyGoal {
        let predicate = self.database.predicate(name, arity);
        // In-place changes would reach the ground terms that all calls of a clause share.
        self.mutates |= matches!(self.store.name(name), "setarg" | "nb_setarg");
        match self.database.predicates[predicate.0 as usize].kind {
            PredicateKind::Builtin(id) if self.database.is_test(id) => {
                BodyGoal::TestBuiltin(id, cell)
            }
            PredicateKind::Builtin(id) => BodyGoal::Builtin(id, cell),
            PredicateKind::User | PredicateKind::Control(_) => BodyGoal::Call(predicate, cell),
        }
    }

    fn is_construct(&self, name: crate::term::SymbolId, arity: usize, first: usize) -> bool {
        match (name, arity) {
            (atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW, 2) => true,
            // With tables about, a negation may have to be delayed: the machine decides when it
            // is called.
            (atoms::NOT_PROVABLE, 1) => {
                !self.database.has_tables && !self.has_variable_goal(self.clause.at(first))
            }
            _ => false,
        }
    }

    /// Whether a variable is one of several goals of this body.
    ///
    /// `\+ (a, B)` is `\+ call((a, B))`, and `call/1` converts its argument as a whole (ISO
    /// 7.6.2, 8.15.1): where B is bound to a number, `a` does not run. Compiled inline, it would.
    /// Alone, `\+ B`, there is nothing that could run before.
    fn has_variable_goal(&self, body: Cell) -> bool {
        let mut stack = vec![body];
        while let Some(cell) = stack.pop() {
            if cell.tag() == REF && cell != body {
                return true;
            }
            let Some((functor, first)) = self.clause.compound(cell) else {
                continue;
            };
            if let (
                atoms::COMMA | atoms::SEMICOLON | atoms::BAR | atoms::ARROW | atoms::SOFT_ARROW,
                2,
            ) = (functor.symbol(), functor.arity())
            {
                stack.push(self.clause.at(first));
                stack.push(self.clause.at(first + 1));
            }
        }
        false
    }

    fn construct(&mut self, cell: Cell, depth: usize) -> Result<BodyGoal, CompileError> {
        let Some((functor, first)) = self.clause.compound(cell) else {
            return Err(CompileError::NotCallable);
        };
        let depth = depth + 1;
        if functor.arity() == 1 {
            let inner = self.clause.at(first);
            self.inlines_negation = true;
            return Ok(BodyGoal::Not(self.goals(inner, depth)?));
        }
        let (left, right) = (self.clause.at(first), self.clause.at(first + 1));
        match functor.symbol() {
            atoms::ARROW => self.if_then_else((left, right), None, depth, false),
            atoms::SOFT_ARROW => self.if_then_else((left, right), None, depth, true),
            _ => {
                if let Some(parts) = self.binary(left, atoms::ARROW) {
                    self.if_then_else(parts, Some(right), depth, false)
                } else if let Some(parts) = self.binary(left, atoms::SOFT_ARROW) {
                    self.if_then_else(parts, Some(right), depth, true)
                } else {
                    self.disjunction(left, right, depth)
                }
            }
        }
    }

    fn if_then_else(
        &mut self,
        (condition, then): (Cell, Cell),
        otherwise: Option<Cell>,
        depth: usize,
        soft: bool,
    ) -> Result<BodyGoal, CompileError> {
        Ok(BodyGoal::If(IfThenElse {
            condition: self.goals(condition, depth)?,
            then: self.goals(then, depth)?,
            otherwise: match otherwise {
                Some(cell) => self.goals(cell, depth)?,
                None => vec![BodyGoal::Fail],
            },
            soft,
        }))
    }

    fn disjunction(
        &mut self,
        left: Cell,
        right: Cell,
        depth: usize,
    ) -> Result<BodyGoal, CompileError> {
        let mut branches = vec![self.goals(left, depth)?];
        // `a ; b ; c` nests to the right: branches side by side, not within each other.
        let mut rest = right;
        loop {
            let next = self
                .binary(rest, atoms::SEMICOLON)
                .or_else(|| self.binary(rest, atoms::BAR));
            match next {
                Some((left, right))
                    if self.binary(left, atoms::ARROW).is_none()
                        && self.binary(left, atoms::SOFT_ARROW).is_none() =>
                {
                    branches.push(self.goals(left, depth)?);
                    rest = right;
                }
                Some(_) | None => break,
            }
        }
        branches.push(self.goals(rest, depth)?);
        Ok(BodyGoal::Or(branches))
    }

    fn inline_goal(&self, cell: Cell, functor: Cell, first: usize) -> Option<BodyGoal> {
        let left = self.clause.at(first);
        if functor.arity() == 1 {
            let name = self.store.name(functor.symbol());
            return type_test(name).map(|test| BodyGoal::Test(test, left));
        }
        if functor.arity() != 2 {
            return None;
        }
        debug_assert!(self.clause.compound(cell).is_some());
        let right = self.clause.at(first + 1);
        Some(match functor.symbol() {
            atoms::EQUALS => BodyGoal::Unify(left, right),
            atoms::IS => BodyGoal::Is(left, right),
            name => {
                if let Some(relation) = number_relation(name) {
                    BodyGoal::CompareNumbers(relation, left, right)
                } else {
                    BodyGoal::CompareTerms(term_relation(name)?, left, right)
                }
            }
        })
    }
}

/// The type test of this name.
pub(crate) fn type_test(name: &str) -> Option<TypeTest> {
    Some(match name {
        "var" => TypeTest::Var,
        "nonvar" => TypeTest::Nonvar,
        "atom" => TypeTest::Atom,
        "atomic" => TypeTest::Atomic,
        "integer" => TypeTest::Integer,
        "float" => TypeTest::Float,
        "number" => TypeTest::Number,
        "compound" => TypeTest::Compound,
        "callable" => TypeTest::Callable,
        "is_list" => TypeTest::IsList,
        "string" => TypeTest::String,
        "ground" => TypeTest::Ground,
        _ => return None,
    })
}

/// The comparison of numbers of this name.
pub(crate) fn number_relation(name: crate::term::SymbolId) -> Option<Comparison> {
    Some(match name {
        atoms::ARITH_EQUAL => Comparison::Equal,
        atoms::ARITH_UNEQUAL => Comparison::Unequal,
        atoms::LESS => Comparison::Less,
        atoms::LESS_EQUAL => Comparison::LessEqual,
        atoms::GREATER => Comparison::Greater,
        atoms::GREATER_EQUAL => Comparison::GreaterEqual,
        _ => return None,
    })
}

/// The comparison of terms of this name.
pub(crate) fn term_relation(name: crate::term::SymbolId) -> Option<Comparison> {
    Some(match name {
        atoms::IDENTICAL => Comparison::Equal,
        atoms::NOT_IDENTICAL => Comparison::Unequal,
        atoms::TERM_LESS => Comparison::Less,
        atoms::TERM_LESS_EQUAL => Comparison::LessEqual,
        atoms::TERM_GREATER => Comparison::Greater,
        atoms::TERM_GREATER_EQUAL => Comparison::GreaterEqual,
        _ => return None,
    })
}
