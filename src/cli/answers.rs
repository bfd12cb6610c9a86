//! Answers to questions, one at a time, and what programs write meanwhile.

use std::rc::Rc;

use indexmap::IndexSet;

use crate::cli::failure::Failure;
use crate::limits::StopReason;
use crate::prolog::{Exception, Output, Solution, Solutions, Truth};
use crate::syntax::Notation;
use crate::term::Prefix;
use crate::workbench::{backtrace_in_words, exception_in_words};

/// One answer: the variables with their values, and whether it is true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bindings {
    pub(super) values: Vec<(String, String)>,
    pub(super) is_undefined: bool,
}

/// What asking gives next.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    Answer(Bindings),
    Exhausted,
    /// An exception, in words, and the calls that led to it.
    Exception(String),
    Halt(i64),
    Stopped(StopReason),
}

/// A question being answered.
pub(super) struct Answers<'k> {
    pub(super) solutions: Solutions<'k>,
    pub(super) output: StandardOutput,
    pub(super) notation: Notation,
    /// The relations of a game are sets: an answer is given once, however often it is found.
    pub(super) given: Option<IndexSet<Bindings>>,
}

/// Standard output, for programs; records whether the last line is open.
#[derive(Clone, Default)]
pub(super) struct StandardOutput {
    in_line: Rc<std::cell::Cell<bool>>,
}

impl StandardOutput {
    /// Ends a line that a program has begun.
    pub(super) fn fresh_line(&self) -> Result<(), Failure> {
        if self.in_line.replace(false) {
            crate::cli::output::line("")
        } else {
            Ok(())
        }
    }
}

impl Output for StandardOutput {
    fn write(&mut self, text: &str) {
        if !text.is_empty() {
            self.in_line.set(!text.ends_with('\n'));
        }
        // A program that writes into a closed pipe cannot do anything about it.
        let _ = crate::cli::output::text(text);
    }

    fn write_error(&mut self, text: &str) {
        let _ = crate::cli::output::error_text(text);
    }
}

impl Answers<'_> {
    /// The next answer that is not one of those before.
    pub(super) fn next_reply(&mut self) -> Reply {
        loop {
            let answer = match self.solutions.next_solution() {
                Solution::Answer(answer) => answer,
                Solution::Exhausted => return Reply::Exhausted,
                Solution::Exception(exception) => return self.exception(&exception),
                Solution::Halt(code) => return Reply::Halt(code),
                Solution::Stopped(reason) => return Reply::Stopped(reason),
            };
            let mut values = Vec::new();
            for binding in answer.bindings {
                if binding.is_free {
                    continue;
                }
                let value = match self.notation {
                    Notation::Prefix => {
                        let store = self.solutions.machine().store();
                        Prefix::new(store, binding.term).to_string()
                    }
                    // Questions in infix may be more than GDL has, and so may their answers.
                    Notation::Infix | Notation::Prolog => binding.text,
                };
                values.push((binding.name, value));
            }
            let bindings = Bindings {
                values,
                is_undefined: answer.truth == Truth::Undefined,
            };
            let is_new = self
                .given
                .as_mut()
                .is_none_or(|given| given.insert(bindings.clone()));
            if is_new {
                return Reply::Answer(bindings);
            }
        }
    }

    /// Ends a line that a program has begun to write.
    pub(super) fn fresh_line(&self) -> Result<(), Failure> {
        self.output.fresh_line()
    }

    /// Whether nothing is left to try.
    pub(super) fn is_last(&self) -> bool {
        self.solutions.is_last()
    }

    /// Steps made so far.
    pub(super) fn steps(&self) -> u64 {
        self.solutions.steps()
    }

    fn exception(&mut self, exception: &Exception) -> Reply {
        let machine = self.solutions.machine();
        let mut message = exception_in_words(machine, exception);
        for line in backtrace_in_words(machine) {
            message.push_str("\n  ");
            message.push_str(&line);
        }
        Reply::Exception(message)
    }
}

impl Bindings {
    /// `X = a, Y = b`, or `true`.
    pub(super) fn text(&self, notation: Notation) -> String {
        let mark = match notation {
            Notation::Prefix => "?",
            Notation::Infix | Notation::Prolog => "",
        };
        let pairs = self.values.iter();
        let pairs: Vec<String> = pairs
            .map(|(name, value)| format!("{mark}{name} = {value}"))
            .collect();
        match (pairs.is_empty(), self.is_undefined) {
            (true, true) => "undefined".to_owned(),
            (true, false) => "true".to_owned(),
            (false, true) => format!("{} (undefined)", pairs.join(", ")),
            (false, false) => pairs.join(", "),
        }
    }
}
