//! The instructions of the machine.
//!
//! They are those of the WAM [AK91]: `Get` for head arguments, `Put` for arguments of a call,
//! `Unify` for arguments of structures in either direction. Nested structures are written depth
//! first with a stack of what is left to do, so no registers are needed for them, and the last
//! argument needs no stack either: a list of any length is built in constant space.
//! Arithmetic, type tests and comparisons carry the address to go to when they fail, so that an
//! if-then-else over them makes no choice point.

use std::cmp::Ordering;

use crate::prolog::terms::cell::{Cell, Kinds};
use crate::prolog::terms::operations::Operation;
use crate::term::TermId;

/// A register for arguments and short-lived variables, the X of [AK91].
///
/// Numbers of registers and slots are operands and no types of their own: the compiler allocates them by counting, and
/// the machine does nothing with them but index, once for each instruction.
pub(crate) type X = u8;
/// A slot of the environment, the Y of [AK91].
pub(crate) type Y = u16;
/// An address in the code.
///
/// A word: clauses are compiled from address 0 and relocated, the machine counts it up, and frames keep it in a cell of
/// the stack.
pub(crate) type Pc = u32;
/// Failing means backtracking.
pub(crate) const BACKTRACK: Pc = 0;

/// A predicate of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PredicateId(pub(crate) u32);

/// A clause of the database. Numbers are used again after a clause is gone for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClauseId(pub(crate) u32);

/// A deterministic built-in predicate, by its place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BuiltinId(pub(crate) u16);

/// Type tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeTest {
    Var,
    Nonvar,
    Atom,
    Atomic,
    Integer,
    Float,
    Number,
    Compound,
    Callable,
    IsList,
    String,
    Ground,
}

impl TypeTest {
    /// The kinds of cells that pass; none for the tests that look into a term.
    #[inline(always)]
    pub(crate) const fn kinds(self) -> Option<Kinds> {
        const NUMBER: Kinds = Kinds::INTEGER.union(Kinds::FLOAT);
        const ATOMIC: Kinds = NUMBER.union(Kinds::ATOM).union(Kinds::TEXT);
        Some(match self {
            Self::Var => Kinds::VARIABLE,
            Self::Nonvar => ATOMIC.union(Kinds::COMPOUND),
            Self::Atom => Kinds::ATOM,
            Self::Atomic => ATOMIC,
            Self::Integer => Kinds::INTEGER,
            Self::Float => Kinds::FLOAT,
            Self::Number => NUMBER,
            Self::Compound => Kinds::COMPOUND,
            Self::Callable => Kinds::COMPOUND.union(Kinds::ATOM),
            Self::String => Kinds::TEXT,
            Self::IsList | Self::Ground => return None,
        })
    }
}

/// Comparison of numbers or, in `CompareTerms`, of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    /// Whether it holds of two things in this order.
    #[inline(always)]
    pub(crate) fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order == Ordering::Equal,
            Self::Unequal => order != Ordering::Equal,
            Self::Less => order == Ordering::Less,
            Self::LessEqual => order != Ordering::Greater,
            Self::Greater => order == Ordering::Greater,
            Self::GreaterEqual => order != Ordering::Less,
        }
    }
}

/// One step of a clause.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    // Head arguments.
    GetVariableY(Y, X),
    /// Two of them, one after the other; so are all that are named in the plural.
    GetVariablesY(Y, X, Y, X),
    GetValueX(X, X),
    GetValueY(Y, X),
    GetConstant(X, Cell),
    GetList(X),
    GetStructure(X, Cell),
    /// A list whose head and tail are variables that occur for the first time.
    GetListVariables(X, X, X),
    /// The same, but the head has a value.
    GetListValue(X, X, X),
    // Arguments of structures.
    UnifyVariableX(X),
    UnifyVariablesX(X, X),
    UnifyVariableY(Y),
    UnifyValueX(X),
    UnifyValueY(Y),
    UnifyConstant(Cell),
    UnifyVoid(u32),
    /// A list, or a structure, as an argument that is not the last one.
    UnifyList,
    UnifyStructure(Cell),
    /// The same as last argument.
    UnifyTailList,
    UnifyTailStructure(Cell),
    /// Back to the arguments behind the last `UnifyList` or `UnifyStructure`.
    UnifyPop,
    // Arguments of calls.
    Move(X, X),
    Moves(X, X, X, X),
    PutVariableX(X),
    PutVariableY(Y, X),
    /// A fresh variable in a slot.
    InitializeY(Y),
    PutValueY(Y, X),
    PutValuesY(Y, X, Y, X),
    PutConstant(X, Cell),
    /// A float or large integer, kept in the store, into a register.
    PutNumber(X, TermId),
    PutList(X),
    PutStructure(X, Cell),
    // Control.
    Allocate(Y),
    Deallocate,
    Call(PredicateId),
    Execute(PredicateId),
    DeallocateExecute(PredicateId),
    Proceed,
    DeallocateProceed,
    /// Calls a deterministic built-in with its arguments in the first registers.
    Builtin(BuiltinId),
    /// `arg/3` whose result is a first occurrence, in register 2 or a slot: goes to the address if the other two
    /// arguments are as nearly always, else to the built-in, which follows.
    ArgumentX(Pc),
    ArgumentY(Y, Pc),
    /// The same as a test: no bindings, and somewhere to go on failure.
    TestBuiltin(BuiltinId, Pc),
    Jump(Pc),
    Fail,
    /// Cuts to the height at the call of this clause, before or after its environment is made.
    NeckCut,
    Cut,
    /// Saves the height of the stack of choice points.
    GetLevel(Y),
    /// Makes a choice point that goes on at the address; the flag says that it guards a condition.
    Try(Pc, bool),
    CutTo(Y),
    /// Cuts to the height above that choice point: a cut inside a condition, which leaves the else branch.
    CutAbove(Y),
    SoftCut(Y),
    /// Calls the term in the first register, with cuts reaching this clause.
    CallTransparent,
    /// The same inside a condition, with cuts reaching the condition whose height is in the slot.
    CallTransparentAbove(Y),
    // Tests and arithmetic.
    Test(TypeTest, X, Pc),
    CompareTerms(Comparison, X, X, Pc),
    CompareNumbers(Comparison, X, X, Pc),
    CompareNumber(Comparison, X, i32, Pc),
    /// Target, operands.
    Arithmetic(Operation, X, X, X),
    ArithmeticConstant(Operation, X, X, i32),
    /// Evaluates the term of the second register into the first.
    Evaluate(X, X),
    // Ends of goals that the machine itself started.
    QueryDone,
    PopCatch,
    CollectSolution,
    AnswerFound,
    ContinueConjunction,
    CommitThen,
    SoftThen,
    NegationSucceeded,
    /// Calls the goal that a control predicate has left to call.
    ResumeGoal,
    /// Ends of calls of tabled predicates with aggregated arguments.
    UnifySlots,
    Aggregated,
    CleanupGoalSucceeded,
}

impl Instruction {
    /// The address that it may go to.
    pub(crate) fn target_mut(&mut self) -> Option<&mut Pc> {
        if let Instruction::Jump(to)
        | Instruction::Try(to, _)
        | Instruction::ArgumentX(to)
        | Instruction::ArgumentY(_, to)
        | Instruction::Test(_, _, to)
        | Instruction::TestBuiltin(_, to)
        | Instruction::CompareTerms(_, _, _, to)
        | Instruction::CompareNumbers(_, _, _, to)
        | Instruction::CompareNumber(_, _, _, to) = self
        {
            Some(to)
        } else {
            None
        }
    }
}
