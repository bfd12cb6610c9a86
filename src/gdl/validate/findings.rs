//! What the checks have found: every error, and of each kind of warning as many as anyone looks at.
//!
//! A text that a program made may have the same oddity in millions of sentences, and as a message
//! each takes more memory than as a rule. The first ones of each code tell what is the matter; the
//! rest is counted. Errors are all kept: they have to go, one by one, before the game can be played.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::syntax::{Code, Diagnostic};

/// The most warnings of one code that are kept.
pub const MOST_WARNINGS: usize = 10_000;

/// Diagnostics in order of discovery.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    kept: Vec<Diagnostic>,
    /// How many warnings of each code there were, kept or not.
    warnings: BTreeMap<Code, usize>,
    /// The messages that are told once.
    told: FxHashSet<String>,
}

impl Findings {
    /// Adds a diagnostic, or counts it if there are enough like it.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if !diagnostic.is_error() {
            let number = self.warnings.entry(diagnostic.code).or_default();
            *number += 1;
            if *number > MOST_WARNINGS {
                return;
            }
        }
        self.kept.push(diagnostic);
    }

    /// Adds a diagnostic unless one of the same message was added so before.
    pub(super) fn push_once(&mut self, diagnostic: Diagnostic) {
        if self.told.insert(diagnostic.message.clone()) {
            self.push(diagnostic);
        }
    }

    /// Number of errors so far, plus that of the warnings that are kept.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether an error is among what was added since there were `before` of them.
    pub(super) fn has_error_since(&self, before: usize) -> bool {
        self.kept[before..].iter().any(Diagnostic::is_error)
    }

    /// What is kept, in the order of the text, errors first where two are at one place; and how
    /// many warnings of a code are not, in order of the codes.
    pub fn finish(mut self) -> (Vec<Diagnostic>, Vec<(Code, usize)>) {
        self.kept
            .sort_by_key(|one| (one.span.start, one.severity, one.code));
        let more = self.warnings.into_iter();
        let more = more.map(|(code, number)| (code, number.saturating_sub(MOST_WARNINGS)));
        (self.kept, more.filter(|&(_, more)| more > 0).collect())
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, diagnostics: T) {
        diagnostics.into_iter().for_each(|one| self.push(one));
    }
}
