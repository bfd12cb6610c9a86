//! The faults that this layer finds: the table of diagnostic codes, the collector that keeps their
//! number bounded, and the errors that stop a text from being looked at at all.
//!
//! A fault at a place of a text is a [`Diagnostic`] with a code of [`SYNTAX_CODES`]. What has no
//! place in a text (because there is no text yet) is a [`SyntaxError`].

use crate::syntax::diagnostic::{Code, Diagnostic};
use crate::syntax::span::{Source, Span};

/// What a diagnostic code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeDescription {
    /// The code, as diagnostics carry it.
    pub code: Code,
    /// The fault in a few words.
    pub title: &'static str,
    /// The shortest text that has the fault.
    pub example: &'static str,
}

macro_rules! syntax_codes {
    ($($name:ident $code:literal $title:literal $example:literal)*) => {
        $(#[doc = $title] pub(crate) const $name: Code = Code($code);)*

        /// All codes of this layer, in order.
        pub const SYNTAX_CODES: &[CodeDescription] = &[
            $(CodeDescription { code: $name, title: $title, example: $example },)*
        ];
    };
}

syntax_codes! {
    UNCLOSED "S0001" "unclosed parenthesis or bracket" "(role robot"
    EXTRA_CLOSE "S0002" "closing parenthesis or bracket without an opening one" "(role robot))"
    EMPTY_LIST "S0003" "empty list" "()"
    LIST_AS_NAME "S0004" "list as the name of a relation" "((f) ?x)"
    VARIABLE_AS_NAME "S0005" "variable as the name of a relation" "(?x 1)"
    NOT_A_SENTENCE "S0006" "something that is not a sentence" "?x"
    STRAY_ARROW "S0007" "`<=` that does not begin a rule" "(p <= q)"
    INNER_RULE "S0008" "rule inside of another sentence" "(p (<= q r))"
    RULE_WITHOUT_HEAD "S0009" "rule without a head" "(<=)"
    BAD_HEAD "S0010" "head of a rule that is not an atom" "(<= ?x p)"
    RUBBISH "S0011" "character that no text of this notation contains" "(p \0)"
    NAMELESS_VARIABLE "S0012" "variable without a name" "(p ?)"
    TOO_DEEP "S0013" "parentheses nested too deeply" "((((((...))))))"
    TOO_LARGE "S0014" "text too large" "more than 4 GiB"
    EXPECTED_OPERATOR "S0020" "term where an operator was expected" "p :- q r."
    EXPECTED_TERM "S0021" "term missing" "p :- ."
    MISMATCH "S0022" "bracket closed by one of another kind" "p(a]."
    UNCLOSED_QUOTE "S0023" "unclosed quote" "p('a)."
    UNCLOSED_COMMENT "S0024" "unclosed block comment" "/* p."
    BAD_ESCAPE "S0025" "unknown escape sequence" "p('\\q')."
    BAD_NUMBER "S0026" "number that cannot be represented" "p(99999999999999999999)."
    OPERATOR_CLASH "S0027" "operators that do not combine" "a = b = c."
    MISSING_END "S0028" "clause without final dot" "p :- q"
    NOT_INFIX_GDL "S0029" "Prolog that is not part of infix GDL" "p([a])."
    CONDITION_IN_TERM "S0030" "condition inside of a term" "p(a & b)."
    BAD_OPERATOR "S0031" "operator definition that is not one" ":- op(1201, xfx, foo)."
    UNSPEAKABLE "S0032" "symbol that the Game Description Language cannot spell" "p('a b')."
    TOO_MANY "S0099" "more faults than are shown" "a binary file"
}

/// How many faults of one text are shown; a text with more is probably not of this notation.
pub const MAX_SYNTAX_DIAGNOSTICS: usize = 100;

/// How deep parentheses may be nested. Reading takes about 100 bytes a level, so this bounds the
/// memory that a hostile text can ask for; rule sheets in the wild stay below 50.
pub const MAX_DEPTH: usize = 4_000_000;

/// Why a text cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SyntaxError {
    /// Places are 32 bits wide.
    #[error("text of {bytes} bytes is larger than 4 GiB")]
    TooLarge {
        /// Size of the text.
        bytes: u64,
    },
    /// The text is not UTF-8.
    #[error("invalid UTF-8 at byte {offset} (line {line})")]
    InvalidUtf8 {
        /// Offset of the first byte that is not part of a character.
        offset: u64,
        /// Its line, from 1.
        line: u64,
    },
}

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
    fn codes_are_sorted_and_distinct() {
        assert!(
            SYNTAX_CODES
                .windows(2)
                .all(|pair| pair[0].code < pair[1].code)
        );
    }

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
