//! From a text to validated clauses: parse, lower, validate.

use crate::gdl::validate::{Extent, Rules, validate};
use crate::syntax::{Code, Diagnostic, Document, Notation, Source, parse};
use crate::term::{Case, Clause, Lowering, Store};

/// A text as the rules of a game, with everything that is wrong with it.
#[derive(Clone, Debug)]
pub struct RuleSheet {
    /// The tree of the sentences without faults of syntax.
    pub document: Document,
    /// Their clauses, in the order of the text.
    pub clauses: Vec<Clause>,
    /// Faults of syntax and of meaning, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more warnings of a code there are than [`MOST_WARNINGS`](super::MOST_WARNINGS),
    /// which are all that `diagnostics` has; in order of the codes.
    pub left_out: Vec<(Code, usize)>,
}

impl RuleSheet {
    /// Reads a text and reports all that is wrong with it. Where sentences are left out because of
    /// their syntax, nothing is said of what the text lacks.
    pub fn read(store: &mut Store, source: &Source, notation: Notation, case: Case) -> Self {
        let parsed = parse(source, notation);
        let (document, mut diagnostics) = (parsed.document, parsed.diagnostics);
        let extent = if diagnostics.iter().any(Diagnostic::is_error) {
            Extent::Part
        } else {
            Extent::Whole
        };
        let mut lowering = Lowering::new(&document, source, case);
        let clauses = lowering.clauses(store);
        let rules = Rules {
            source,
            document: &document,
            clauses: &clauses,
            extent,
        };
        let (found, left_out) = validate(store, rules, lowering.clashes()).finish();
        diagnostics.extend(found);
        // Stable, so that of two messages about one place those of syntax come first.
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        Self {
            document,
            clauses,
            diagnostics,
            left_out,
        }
    }

    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
