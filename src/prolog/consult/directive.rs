//! Directives: goals that a text runs while it is loaded.

use crate::limits::Limits;
use crate::prolog::consult::load::{DIRECTIVE_FAILED, DIRECTIVE_RAISED, DIRECTIVE_STOPPED, Load};
use crate::prolog::state::backtrace::CallSite;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::Interruption;
use crate::syntax::{Diagnostic, Span};

/// Calls of a backtrace that a diagnostic points to.
const MOST_CALLS: usize = 5;

impl Machine {
    pub(super) fn directive(
        &mut self,
        load: &mut Load<'_>,
        goal: Cell,
        span: Span,
        limits: &Limits,
    ) {
        let initialization = self.heap.store.symbol("initialization");
        let later = match self.heap.functor(goal) {
            Some((name, 1 | 2)) if name == initialization => {
                self.heap.arguments(goal).first().copied()
            }
            _ => None,
        };
        if let Some(goal) = later {
            // Run when the text is loaded, by when this heap is gone.
            let record = self.heap.record(&[goal]);
            load.initialization.push((record, span));
            self.consulted.has_initialization = true;
            return;
        }
        match self.files_of(goal) {
            Some(files) => self.load_files(load, files, span, limits),
            None => self.run_directive(load, goal, span, limits),
        }
    }

    pub(super) fn run_directive(
        &mut self,
        load: &mut Load<'_>,
        goal: Cell,
        span: Span,
        limits: &Limits,
    ) {
        match self.solve_once(goal, limits) {
            Ok(true) => {}
            Ok(false) => load.diagnostics.push(Diagnostic::warning(
                DIRECTIVE_FAILED,
                span,
                "directive failed",
            )),
            Err(fault) => self.report(load, span, &fault),
        }
    }

    pub(super) fn report(&mut self, load: &mut Load<'_>, span: Span, fault: &Interruption) {
        let diagnostic = match fault {
            Interruption::Throw(ball) => {
                let ball = self.heap.recall(ball);
                let text = self.term_text(ball, true);
                self.raised(load, span, format!("exception: {text}"))
            }
            Interruption::Halt(code) => {
                self.consulted.halt = Some(*code);
                return;
            }
            Interruption::Limit(reason) => {
                Diagnostic::error(DIRECTIVE_STOPPED, span, format!("directive: {reason}"))
            }
            Interruption::Answer | Interruption::Exhausted | Interruption::Positions => return,
        };
        load.diagnostics.push(diagnostic);
    }

    /// An exception of a directive: where it was thrown, as far as that is in this text, and which calls led there.
    fn raised(&self, load: &Load<'_>, directive: Span, message: String) -> Diagnostic {
        let own = |site: &CallSite| site.place.filter(|place| place.source == load.id);
        let places = self
            .backtrace
            .iter()
            .filter_map(|site| Some((site, own(site)?.span)));
        let mut calls = places.take(MOST_CALLS);
        let Some((site, span)) = calls.next() else {
            return Diagnostic::error(DIRECTIVE_RAISED, directive, message);
        };
        let name = |site: &CallSite| {
            let name = self.heap.store.name(site.predicate.symbol);
            format!("{name}/{}{}", site.predicate.arity, site.repetition())
        };
        let diagnostic = Diagnostic::error(DIRECTIVE_RAISED, span, message);
        let diagnostic = diagnostic.with_label(format!("in {}", name(site)));
        let diagnostic = calls.fold(diagnostic, |diagnostic, (site, span)| {
            diagnostic.with_related(span, format!("called from {}", name(site)))
        });
        diagnostic.with_related(directive, "called from this directive")
    }
}
