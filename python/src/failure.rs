//! Errors of the library as exceptions. Their classes are defined in Python, `flux/errors.py`, where they have several
//! bases and fields.

use std::any::Any;

use flux::syntax::{Diagnostic, Source};
use flux::workbench::{ErrorKind, WorkbenchError};
use pyo3::prelude::*;

/// A class of exceptions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    /// The rules are at fault.
    Rules,
    /// A move is none, or not legal.
    Move,
    /// A limit was reached.
    Limit,
    /// The game is not of the sort that the question is for.
    Unsuitable,
    /// The program is at fault.
    Internal,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Rules => "RuleError",
            Class::Move => "MoveError",
            Class::Limit => "LimitError",
            Class::Unsuitable => "UnsuitableError",
            Class::Internal => "InternalError",
        }
    }
}

/// An exception with a message.
pub(crate) fn exception(py: Python<'_>, class: Class, message: impl Into<String>) -> PyErr {
    let made = py
        .import("flux.errors")
        .and_then(|errors| errors.getattr(class.name()))
        .and_then(|class| class.call1((message.into(),)));
    made.map_or_else(|failure| failure, PyErr::from_value)
}

/// What the library says, as an exception.
pub(crate) fn failure(py: Python<'_>, error: &WorkbenchError) -> PyErr {
    let class = match error.kind() {
        ErrorKind::Limit => Class::Limit,
        ErrorKind::Text | ErrorKind::Move => Class::Move,
        ErrorKind::Unsuitable => Class::Unsuitable,
        ErrorKind::Unplayable | ErrorKind::Rules => Class::Rules,
    };
    exception(py, class, error.to_string())
}

/// The faults of rules, as an exception that has them all.
pub(crate) fn unplayable(py: Python<'_>, source: &Source, faults: &[Diagnostic]) -> PyErr {
    let made = faults
        .iter()
        .map(|fault| diagnostic(py, source, fault))
        .collect::<PyResult<Vec<_>>>()
        .and_then(|all| {
            let first = faults.iter().find(|fault| fault.is_error());
            let message = first.map_or_else(String::new, |first| {
                let place = source.position(first.span.start);
                format!("{}:{place}: {}", source.name(), first.message)
            });
            let class = py.import("flux.errors")?.getattr(Class::Rules.name())?;
            class.call1((message, all))
        });
    made.map_or_else(|failure| failure, PyErr::from_value)
}

/// A message about a place of a text, as `flux.errors.Diagnostic`.
pub(crate) fn diagnostic<'py>(
    py: Python<'py>,
    source: &Source,
    fault: &Diagnostic,
) -> PyResult<Bound<'py, PyAny>> {
    let start = source.position(fault.span.start);
    let end = source.position(fault.span.end);
    py.import("flux.errors")?.getattr("Diagnostic")?.call1((
        fault.code.to_string(),
        fault.severity.to_string(),
        &fault.message,
        fault.help.as_deref(),
        start.line,
        start.column,
        end.line,
        end.column,
    ))
}

/// What a panic said. A bug of the program is an exception like others, not the end of the interpreter.
pub(crate) fn panicked(py: Python<'_>, payload: &(dyn Any + Send)) -> PyErr {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "no message".to_owned());
    exception(py, Class::Internal, format!("internal error: {text}"))
}
