//! What interrupts the machine, and the error terms of [ISO 7.12].

use crate::limits::StopReason;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::heap::Heap;
use crate::prolog::terms::record::Record;
use crate::term::SymbolId;

/// Why a step did not simply go on.
#[derive(Debug)]
pub(crate) enum Interruption {
    /// An exception: the ball of `throw/1`.
    Throw(Record),
    /// `halt/1`.
    Halt(i64),
    /// A limit was reached.
    Limit(StopReason),
    /// The query found an answer.
    Answer,
    /// The query has no more answers.
    Exhausted,
    /// The position of `arg/3` is unbound: it has a solution for each argument.
    Positions,
}

/// The result of a deterministic built-in: whether it holds.
pub(crate) type Outcome = Result<bool, Interruption>;

fn error(heap: &mut Heap, formal: Cell) -> Interruption {
    let context = heap.variable();
    let ball = heap.compound(atoms::ERROR, &[formal, context]);
    Interruption::Throw(heap.record(&[ball]))
}

/// An argument is not instantiated enough.
pub(crate) fn instantiation(heap: &mut Heap) -> Interruption {
    error(heap, Cell::atom(atoms::INSTANTIATION_ERROR))
}

fn binary(heap: &mut Heap, name: SymbolId, what: &str, culprit: Cell) -> Interruption {
    let what = heap.atom(what);
    let formal = heap.compound(name, &[what, culprit]);
    error(heap, formal)
}

/// An argument that must be a variable is none.
pub(crate) fn uninstantiation(heap: &mut Heap, culprit: Cell) -> Interruption {
    let name = heap.store.symbol("uninstantiation_error");
    let formal = heap.compound(name, &[culprit]);
    error(heap, formal)
}

/// The culprit is not of the type; a variable is not instantiated enough instead.
pub(crate) fn type_error(heap: &mut Heap, expected: &str, culprit: Cell) -> Interruption {
    let culprit = heap.deref(culprit);
    if culprit.is_ref() {
        return instantiation(heap);
    }
    binary(heap, atoms::TYPE_ERROR, expected, culprit)
}

/// The culprit is of the type but not in the domain.
pub(crate) fn domain_error(heap: &mut Heap, domain: &str, culprit: Cell) -> Interruption {
    binary(heap, atoms::DOMAIN_ERROR, domain, culprit)
}

/// There is no more of this resource.
pub(crate) fn resource_error(heap: &mut Heap, resource: &str) -> Interruption {
    let name = heap.store.symbol("resource_error");
    let resource = heap.atom(resource);
    let formal = heap.compound(name, &[resource]);
    error(heap, formal)
}

/// Something of this kind does not exist.
pub(crate) fn existence_error(heap: &mut Heap, kind: &str, culprit: Cell) -> Interruption {
    binary(heap, atoms::EXISTENCE_ERROR, kind, culprit)
}

/// There is no such procedure.
pub(crate) fn unknown_procedure(heap: &mut Heap, name: SymbolId, arity: usize) -> Interruption {
    let indicator = indicator(heap, name, arity);
    binary(heap, atoms::EXISTENCE_ERROR, "procedure", indicator)
}

/// `name/arity`.
pub(crate) fn indicator(heap: &mut Heap, name: SymbolId, arity: usize) -> Cell {
    let arity = heap.integer(arity as i64);
    heap.compound(atoms::SLASH, &[Cell::atom(name), arity])
}

/// A predicate that programs may not change.
pub(crate) fn static_procedure(heap: &mut Heap, name: SymbolId, arity: usize) -> Interruption {
    let culprit = indicator(heap, name, arity);
    permission_error(heap, "modify", "static_procedure", culprit)
}

/// The operation is not allowed.
pub(crate) fn permission_error(
    heap: &mut Heap,
    operation: &str,
    kind: &str,
    culprit: Cell,
) -> Interruption {
    let operation = heap.atom(operation);
    let kind = heap.atom(kind);
    let formal = heap.compound(atoms::PERMISSION_ERROR, &[operation, kind, culprit]);
    error(heap, formal)
}

fn unary(heap: &mut Heap, name: SymbolId, what: &str) -> Interruption {
    let what = heap.atom(what);
    let formal = heap.compound(name, &[what]);
    error(heap, formal)
}

/// Arithmetic has no value here: `zero_divisor`, `int_overflow`, `float_overflow`, `undefined`.
pub(crate) fn evaluation_error(heap: &mut Heap, what: &str) -> Interruption {
    unary(heap, atoms::EVALUATION_ERROR, what)
}

/// A bound of the machine: `max_arity`, `character_code`.
pub(crate) fn representation_error(heap: &mut Heap, what: &str) -> Interruption {
    unary(heap, atoms::REPRESENTATION_ERROR, what)
}

/// The text is not a term.
pub(crate) fn syntax_error(heap: &mut Heap, message: &str) -> Interruption {
    unary(heap, atoms::SYNTAX_ERROR, message)
}

impl Heap {
    /// # Errors
    /// If a loop was ended by a limit since the query began, or by a cyclic term: its result is of no use.
    #[inline(always)]
    pub(crate) fn stopped(&mut self) -> Result<(), Interruption> {
        if self.meter.stopped.is_none() && !self.meter.met_cycle {
            return Ok(());
        }
        Err(self.why_stopped())
    }

    #[cold]
    fn why_stopped(&mut self) -> Interruption {
        self.meter.met_cycle = false;
        match self.meter.stopped {
            None => representation_error(self, "cyclic_term"),
            Some(reason) => Interruption::Limit(reason),
        }
    }
}
