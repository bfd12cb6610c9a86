//! Terms as text, in either notation of GDL.

use std::fmt;

use crate::syntax::{needs_quotes, quote};
use crate::term::store::{Store, Term, TermId};
use crate::term::symbol::SymbolId;

/// Shows a term in prefix notation with single spaces: `(cell 1 ?x b)`. Variables have the names
/// given, `?v0`, `?v1`, ... where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Prefix<'s> {
    store: &'s Store,
    term: TermId,
    variables: &'s [SymbolId],
}

impl<'s> Prefix<'s> {
    /// A ground term, or one whose variables need no names.
    pub fn new(store: &'s Store, term: TermId) -> Self {
        Self {
            store,
            term,
            variables: &[],
        }
    }

    /// A term of a clause with these names of variables.
    pub fn with_variables(store: &'s Store, term: TermId, variables: &'s [SymbolId]) -> Self {
        Self {
            store,
            term,
            variables,
        }
    }
}

/// Shows a term in infix notation: `cell(1,X,b)`, with quotes where Prolog needs them, so that it
/// can be read back. Variables have the names given, `_0`, `_1`, ... where there is none.
#[derive(Clone, Copy, Debug)]
pub struct Infix<'s> {
    store: &'s Store,
    term: TermId,
    variables: &'s [SymbolId],
}

impl<'s> Infix<'s> {
    /// A ground term, or one whose variables need no names.
    pub fn new(store: &'s Store, term: TermId) -> Self {
        Self::with_variables(store, term, &[])
    }

    /// A term of a clause with these names of variables.
    pub fn with_variables(store: &'s Store, term: TermId, variables: &'s [SymbolId]) -> Self {
        Self {
            store,
            term,
            variables,
        }
    }

    /// The rest of a list behind one of its elements.
    fn tail(&self, f: &mut fmt::Formatter<'_>, term: TermId, tasks: &mut Vec<Task>) -> fmt::Result {
        match self.store.view(term) {
            Term::Compound(symbol, &[head, tail]) if self.store.name(symbol) == LIST => {
                tasks.push(Task::Tail(tail));
                tasks.push(Task::Term(head));
                f.write_str(",")
            }
            Term::Atom(symbol) if self.store.name(symbol) == "[]" => f.write_str("]"),
            Term::Variable(_)
            | Term::Atom(_)
            | Term::Integer(_)
            | Term::Float(_)
            | Term::Big(_)
            | Term::Text(_)
            | Term::Compound(..) => {
                tasks.push(Task::Text("]"));
                tasks.push(Task::Term(term));
                f.write_str("|")
            }
        }
    }

    fn symbol(&self, f: &mut fmt::Formatter<'_>, symbol: SymbolId) -> fmt::Result {
        let name = self.store.name(symbol);
        if needs_quotes(name) {
            f.write_str(&quote(name))
        } else {
            f.write_str(name)
        }
    }
}

/// The functor of a list of Prolog.
const LIST: &str = "[|]";

/// What is left to write.
enum Task {
    Term(TermId),
    /// What follows an element of a list.
    Tail(TermId),
    /// Text between terms.
    Text(&'static str),
}

impl fmt::Display for Infix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tasks = vec![Task::Term(self.term)];
        while let Some(task) = tasks.pop() {
            let term = match task {
                Task::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Task::Tail(term) => {
                    self.tail(f, term, &mut tasks)?;
                    continue;
                }
                Task::Term(term) => term,
            };
            match self.store.view(term) {
                Term::Variable(number) => match self.variables.get(number as usize) {
                    Some(&name) => f.write_str(self.store.name(name))?,
                    None => write!(f, "_{number}")?,
                },
                Term::Atom(symbol) => self.symbol(f, symbol)?,
                Term::Integer(value) => write!(f, "{value}")?,
                // With its fraction, as in `1.0`: `1` would be read back as an integer.
                Term::Float(value) => write!(f, "{value:?}")?,
                Term::Big(digits) => f.write_str(self.store.name(digits))?,
                Term::Text(symbol) => write!(f, "{:?}", self.store.name(symbol))?,
                Term::Compound(symbol, &[head, tail]) if self.store.name(symbol) == LIST => {
                    f.write_str("[")?;
                    tasks.push(Task::Tail(tail));
                    tasks.push(Task::Term(head));
                }
                Term::Compound(symbol, arguments) => {
                    self.symbol(f, symbol)?;
                    f.write_str("(")?;
                    tasks.push(Task::Text(")"));
                    for (index, &argument) in arguments.iter().enumerate().rev() {
                        tasks.push(Task::Term(argument));
                        if index > 0 {
                            tasks.push(Task::Text(","));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tasks = vec![Task::Term(self.term)];
        while let Some(task) = tasks.pop() {
            let term = match task {
                Task::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Task::Term(term) | Task::Tail(term) => term,
            };
            match self.store.view(term) {
                Term::Variable(number) => match self.variables.get(number as usize) {
                    Some(&name) => write!(f, "?{}", self.store.name(name))?,
                    None => write!(f, "?v{number}")?,
                },
                Term::Atom(symbol) => f.write_str(self.store.name(symbol))?,
                Term::Integer(value) => write!(f, "{value}")?,
                Term::Float(value) => write!(f, "{value:?}")?,
                Term::Big(digits) => f.write_str(self.store.name(digits))?,
                Term::Text(symbol) => write!(f, "{:?}", self.store.name(symbol))?,
                Term::Compound(symbol, arguments) => {
                    write!(f, "({}", self.store.name(symbol))?;
                    tasks.push(Task::Text(")"));
                    for &argument in arguments.iter().rev() {
                        tasks.push(Task::Term(argument));
                        tasks.push(Task::Text(" "));
                    }
                }
            }
        }
        Ok(())
    }
}
