//! What can be asked at a terminal: a Prolog machine with programs, and perhaps a game in one of its states; what
//! programs write goes to standard output.

use std::ops::{Deref, DerefMut};
use std::time::Instant;

use indexmap::IndexSet;

use crate::cli::answers::{Answers, StandardOutput};
use crate::cli::failure::Failure;
use crate::cli::input;
use crate::limits::Limits;
use crate::prolog::Machine;
use crate::syntax::{Diagnostic, Notation, Source};
use crate::workbench::{GameMachine, Query};

/// A machine and what it was told.
pub(super) struct Knowledge {
    asked: GameMachine,
    output: StandardOutput,
}

impl Deref for Knowledge {
    type Target = GameMachine;

    fn deref(&self) -> &GameMachine {
        &self.asked
    }
}

impl DerefMut for Knowledge {
    fn deref_mut(&mut self) -> &mut GameMachine {
        &mut self.asked
    }
}

impl Knowledge {
    /// Knows nothing but the library.
    pub(super) fn new() -> Self {
        let mut machine = Machine::new();
        let output = StandardOutput::default();
        machine.set_output(Box::new(output.clone()));
        machine.set_environment(Box::new(input::Files {
            start: Instant::now(),
        }));
        Self {
            asked: GameMachine::new(machine),
            output,
        }
    }

    /// Ends a line that a program has begun to write.
    pub(super) fn fresh_line(&self) -> Result<(), Failure> {
        self.output.fresh_line()
    }

    /// Loads a Prolog program; what is wrong with it comes back.
    pub(super) fn consult(&mut self, source: &Source, limits: &Limits) -> Vec<Diagnostic> {
        self.machine().consult_with(source, limits.clone())
    }

    /// Starts to answer a question.
    pub(super) fn answers(&mut self, query: &Query, limits: Limits) -> Answers<'_> {
        let given = self.has_game().then(IndexSet::new);
        Answers {
            output: self.output.clone(),
            solutions: self.asked.ask(query, limits),
            notation: query.notation(),
            given,
        }
    }

    /// Starts to answer a goal of Prolog in the syntax that the loaded programs have defined.
    pub(super) fn ask_prolog(
        &mut self,
        text: &str,
        limits: Limits,
    ) -> Result<Answers<'_>, Box<Diagnostic>> {
        Ok(Answers {
            output: self.output.clone(),
            solutions: self.asked.machine().query(text, limits).map_err(Box::new)?,
            notation: Notation::Prolog,
            given: None,
        })
    }
}
