//! Directives that load other texts: `ensure_loaded/1`, `consult/1`, `include/1`.

use crate::limits::Limits;
use crate::prolog::consult::load::{Load, NOT_LOADED};
use crate::prolog::program::instruction::ClauseId;
use crate::prolog::program::predicate::SourceId;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::syntax::{Diagnostic, Source, Span};

/// Texts that may load each other in a chain.
const MAX_NESTING: u32 = 64;

/// Texts to load.
pub(super) struct Files {
    names: Vec<String>,
    mode: FileMode,
}

/// How a text is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileMode {
    /// Unless it is loaded already.
    Once,
    /// In place of what was loaded under its name.
    Again,
    /// As a part of the text that names it.
    Included,
}

impl Machine {
    /// Runs a directive that loads other texts.
    pub(super) fn load_files(
        &mut self,
        load: &mut Load<'_>,
        files: Files,
        span: Span,
        limits: &Limits,
    ) {
        for name in files.names {
            let Some(source) = self.streams.environment.program(&name, load.source.name()) else {
                let message = format!("there is no program file `{name}`");
                let fault = Diagnostic::error(NOT_LOADED, span, message);
                load.diagnostics.push(fault);
                continue;
            };
            let mut loaded = self.consulted.sources.iter();
            // `ensure_loaded/1`: a text of this name is there.
            if files.mode == FileMode::Once && loaded.any(|known| known.name() == source.name()) {
                continue;
            }
            if self.consulted.nesting >= MAX_NESTING {
                let message = format!("more than {MAX_NESTING} texts load each other");
                load.diagnostics
                    .push(Diagnostic::error(NOT_LOADED, span, message));
                return;
            }
            self.consulted.nesting += 1;
            let faults = match files.mode {
                FileMode::Once | FileMode::Again => self.consult_with(&source, limits.clone()),
                FileMode::Included => self.include(load, &source, limits),
            };
            self.consulted.nesting -= 1;
            for fault in faults {
                let place = source.position(fault.span.start);
                let message = format!(
                    "{}:{}:{}: {}",
                    source.name(),
                    place.line,
                    place.column,
                    fault.message
                );
                let fault = Diagnostic::new(fault.code, fault.severity, span, message);
                load.diagnostics.push(fault);
            }
        }
    }

    /// Loads the sentences of a text as if they stood in the one that is being loaded.
    fn include(
        &mut self,
        load: &mut Load<'_>,
        source: &Source,
        limits: &Limits,
    ) -> Vec<Diagnostic> {
        let mut included = Load {
            source,
            id: self.add_source(source),
            diagnostics: Vec::new(),
            // An included text is a part of this one: its clauses continue the predicates begun here.
            defined: std::mem::take(&mut load.defined),
            last: load.last,
            initialization: std::mem::take(&mut load.initialization),
            branches: Vec::new(),
        };
        self.load_sentences(&mut included, limits);
        load.defined = included.defined;
        load.last = included.last;
        load.initialization = included.initialization;
        included.diagnostics
    }

    /// The files that a directive loads, if it does.
    pub(super) fn files_of(&mut self, goal: Cell) -> Option<Files> {
        let (name, arity) = self.heap.functor(goal)?;
        let (mode, argument) = match (self.heap.name(name), arity) {
            ("ensure_loaded", 1) => (FileMode::Once, self.heap.arguments(goal)[0]),
            ("consult", 1) => (FileMode::Again, self.heap.arguments(goal)[0]),
            ("include", 1) => (FileMode::Included, self.heap.arguments(goal)[0]),
            ("[|]", 2) => (FileMode::Again, goal),
            _ => return None,
        };
        let (mut files, rest) = self.heap.read_list(argument);
        if files.is_empty() && rest != Cell::atom(atoms::NIL) {
            files.push(argument);
        }
        // `library(lists)` is there anyway.
        let library = self.heap.store.symbol("library");
        files.retain(|&file| self.heap.unary(file, library).is_none());
        let names = files.into_iter().map(|file| self.term_text(file, false));
        Some(Files {
            names: names.collect(),
            mode,
        })
    }

    /// Keeps a text that clauses come from.
    pub(in crate::prolog) fn add_source(&mut self, source: &Source) -> SourceId {
        let id = SourceId(self.consulted.sources.len() as u32);
        self.consulted.sources.push(source.clone());
        id
    }

    /// Takes the clauses of an earlier text of this name out.
    pub(in crate::prolog) fn unload(&mut self, name: &str) {
        let old: Vec<SourceId> = self
            .consulted
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.name() == name)
            .map(|(index, _)| SourceId(index as u32))
            .collect();
        if old.is_empty() {
            return;
        }
        for number in 0..self.database.clauses.len() {
            let clause = ClauseId(number as u32);
            let origin = &self.database.clauses[number].origin;
            if origin
                .as_ref()
                .is_some_and(|origin| old.contains(&origin.source))
            {
                let predicate = self.database.clauses[number].predicate;
                self.database.erase(clause);
                self.database.compact(predicate);
            }
        }
    }
}
