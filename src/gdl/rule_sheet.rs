//! From a text to validated clauses: parse, lower, validate.

use crate::gdl::validate::{Extent, Rules, lint, validate};
use crate::syntax::{Code, Diagnostic, Document, Notation, Source, parse};
use crate::term::{Case, Clause, Lowering, Store};

/// What a comment starts with that leaves out warnings of the codes after it.
pub const ALLOW: &str = "flux: allow ";

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

    /// Adds what is odd about rules that have no errors: names that nothing asks for, conditions that never hold.
    pub fn lint(&mut self, store: &mut Store, source: &Source) {
        // Lints take the rules for well-formed: domains of unsafe rules, for one, would say nothing.
        if self.has_errors() {
            return;
        }
        let rules = Rules {
            source,
            document: &self.document,
            clauses: &self.clauses,
            extent: Extent::Whole,
        };
        let (found, left_out) = lint(store, rules).finish();
        self.diagnostics.extend(found);
        self.diagnostics
            .sort_by_key(|diagnostic| diagnostic.span.start);
        self.left_out.extend(left_out);
        self.left_out.sort_unstable();
    }

    /// Leaves out warnings of some codes.
    pub fn allow(&mut self, codes: &[String]) {
        let is_allowed = |code: Code| codes.iter().any(|one| one.eq_ignore_ascii_case(code.0));
        self.diagnostics
            .retain(|diagnostic| diagnostic.is_error() || !is_allowed(diagnostic.code));
        self.left_out.retain(|&(code, _)| !is_allowed(code));
    }

    /// Leaves out warnings of the codes that comments of the text name: `; flux: allow G0801, G0803`.
    pub fn allow_commented(&mut self, source: &Source) {
        let comments = source.text().lines().filter_map(|line| {
            let start = line.find([';', '%'])?;
            let (_, codes) = line[start..].split_once(ALLOW)?;
            Some(codes)
        });
        let codes = comments.flat_map(|codes| codes.split([',', ' ']));
        let codes = codes.map(|code| code.trim().to_owned());
        let codes: Vec<String> = codes.filter(|code| !code.is_empty()).collect();
        self.allow(&codes);
    }

    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
