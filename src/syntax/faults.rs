//! The collector of a text's faults, which keeps their number bounded, and faults that several
//! notations have in common.

use crate::syntax::codes::{Code, EXPECTED_TERM, RUBBISH, TOO_LARGE, TOO_MANY};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::span::{Source, Span};

/// How many faults of one text are shown; a text with more is probably not of this notation.
pub const MAX_SYNTAX_DIAGNOSTICS: usize = 100;

/// How deep parentheses may be nested. Reading takes about 100 bytes a level, so this bounds the
/// memory that a hostile text can ask for; rule sheets in the wild stay below 50.
pub const MAX_DEPTH: usize = 4_000_000;

/// Faults in order of discovery, of which at most [`MAX_SYNTAX_DIAGNOSTICS`] are kept.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    kept: Vec<Diagnostic>,
    total: usize,
}

impl Faults {
    /// Adds a fault; gives its index if it is kept.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) -> Option<usize> {
        self.total += 1;
        if self.kept.len() == MAX_SYNTAX_DIAGNOSTICS {
            return None;
        }
        self.kept.push(diagnostic);
        Some(self.kept.len() - 1)
    }

    /// Exchanges a fault for one that says more.
    pub(crate) fn replace(&mut self, index: usize, diagnostic: Diagnostic) {
        if let Some(kept) = self.kept.get_mut(index) {
            *kept = diagnostic;
        }
    }

    /// The code of a fault that is kept.
    pub(crate) fn code(&self, index: usize) -> Option<Code> {
        self.kept.get(index).map(|kept| kept.code)
    }

    /// How many there were, kept or not.
    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// Whether a fault that is kept begins within `span`.
    pub(crate) fn any_within(&self, span: Span) -> bool {
        self.kept
            .iter()
            .any(|fault| (span.start..span.end).contains(&fault.span.start))
    }

    /// Drops what was said about lines with rubbish in them but for the rubbish.
    pub(crate) fn drop_echoes(&mut self, source: &Source) {
        let line = |fault: &Diagnostic| source.line(fault.span);
        let lines: Vec<u32> = self
            .kept
            .iter()
            .filter(|fault| fault.code == RUBBISH)
            .map(line)
            .collect();
        if !lines.is_empty() {
            let before = self.kept.len();
            self.kept
                .retain(|fault| fault.code == RUBBISH || !lines.contains(&line(fault)));
            self.total -= before - self.kept.len();
        }
    }

    /// Adds the faults of another collector.
    pub(crate) fn append(&mut self, other: Faults) {
        self.total += other.total;
        self.kept.extend(other.kept);
    }

    /// The faults in textual order; where some were left out, a last one says so.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|diagnostic| diagnostic.span);
        // Collectors that were put together may have kept more than one alone.
        self.kept.truncate(MAX_SYNTAX_DIAGNOSTICS);
        let left_out = self.total - self.kept.len();
        if let (Some(last), true) = (self.kept.last(), left_out > 0) {
            let note = too_many(last.span, left_out);
            self.kept.push(note);
        }
        self.kept
    }
}

/// The beginning of a text, for messages. The text may be long, and there may be many.
pub(crate) fn shorten(text: &str) -> &str {
    const SHOWN: usize = 30;
    let end = text
        .char_indices()
        .enumerate()
        .find(|&(count, (_, character))| count == SHOWN || matches!(character, '\n' | '\r'))
        .map_or(text.len(), |(_, (end, _))| end);
    &text[..end]
}

/// The fault of a text of `bytes` bytes, if it is too large for places of 32 bits.
pub(crate) fn too_large(bytes: usize) -> Option<Diagnostic> {
    (bytes > u32::MAX as usize).then(|| {
        Diagnostic::error(
            TOO_LARGE,
            Span::default(),
            format!("text of {bytes} bytes is larger than 4 GiB"),
        )
    })
}

/// The fault of a text that should be a term and contains nothing.
pub(crate) fn no_term(source: &Source) -> Diagnostic {
    let end = source.text().len() as u32;
    Diagnostic::error(
        EXPECTED_TERM,
        Span::new(end, end),
        "expected a term, found nothing",
    )
}

fn too_many(span: Span, left_out: usize) -> Diagnostic {
    Diagnostic::error(
        TOO_MANY,
        span,
        format!("too many errors: {left_out} more are not shown"),
    )
    .with_label("the last error that is shown")
    .with_help("is this text of the notation that it is read as?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_capped() {
        let mut faults = Faults::default();
        for start in 0..1000 {
            faults.push(Diagnostic::error(RUBBISH, Span::new(start, start + 1), "x"));
        }
        let shown = faults.finish();
        assert_eq!(shown.len(), MAX_SYNTAX_DIAGNOSTICS + 1);
        assert_eq!(shown.last().map(|last| last.code), Some(TOO_MANY));
    }
}
