//! The token stream of prefix GDL: balanced, without comments, whatever the text is like.
//!
//! The parser sees only balanced parentheses: a `)` that closes nothing is reported here and
//! dropped, and for a `(` that is never closed a [`KifToken::MissingClose`] is inserted where its
//! sentence seems to end. That place is found in two steps. The first run over the text learns
//! which parentheses have no partner; most texts have none, and that was it. Otherwise a second
//! run ends a sentence whose parenthesis has no partner at the next sign of a new sentence: a
//! parenthesis in column 1, or a `(<=`.
//!
//! ```text
//! (<= (next (on ?x ?y))          this parenthesis has no partner,
//!     (does robot (s ?x ?y))
//! (init (clear a))               so the sentence ends before this line
//! ```

use logos::Lexer;

use crate::syntax::codes::{EXTRA_CLOSE, RUBBISH, TOO_DEEP, UNCLOSED};
use crate::syntax::diagnostic::Diagnostic;
use crate::syntax::faults::{Faults, MAX_DEPTH};
use crate::syntax::lexer::KifToken;
use crate::syntax::span::Span;

/// A token between its start and its end.
type Spanned = (u32, KifToken, u32);

/// What a run over a text came to.
pub(crate) enum Outcome {
    /// Every parenthesis has its partner, or was given one.
    Complete,
    /// The parentheses at these offsets have no partner; the run must be repeated knowing them.
    Unbalanced(Vec<u32>),
    /// The text was given up.
    TooDeep,
}

/// An iterator over the tokens of one text; give it to the parser by reference, then `finish`.
pub(crate) struct KifStream<'s> {
    text: &'s str,
    lexer: Lexer<'s, KifToken>,
    /// Offsets of parentheses without partner, sorted; `None` in the first run.
    unmatched: Option<&'s [u32]>,
    /// Offsets of the parentheses that are open.
    open: Vec<u32>,
    /// The sentence that is being read has no end of its own.
    sentence_unmatched: bool,
    /// Tokens to be inserted before the next one is read.
    missing: usize,
    /// A token that waits until `missing` is 0.
    held: Option<Spanned>,
    last_end: u32,
    /// A run of superfluous closing parentheses, not yet reported.
    extra: Option<(Span, usize)>,
    comments: Vec<Span>,
    faults: Faults,
    outcome: Outcome,
}

impl<'s> KifStream<'s> {
    /// The tokens of `text`; `unmatched` is what an earlier run found to be without partner.
    pub(crate) fn new(text: &'s str, unmatched: Option<&'s [u32]>) -> Self {
        Self {
            text,
            lexer: Lexer::new(text),
            unmatched,
            open: Vec::new(),
            sentence_unmatched: false,
            missing: 0,
            held: None,
            last_end: 0,
            extra: None,
            comments: Vec::new(),
            faults: Faults::default(),
            outcome: Outcome::Complete,
        }
    }

    /// How the run ended, the comments that were met, and the faults that were found.
    pub(crate) fn finish(mut self) -> (Outcome, Vec<Span>, Faults) {
        self.report_extra();
        (self.outcome, self.comments, self.faults)
    }

    fn read(&mut self) -> Option<Spanned> {
        if let Some(held) = self.held.take() {
            return Some(held);
        }
        let token = self.lexer.next()?.unwrap_or(KifToken::Rubbish);
        let range = self.lexer.span();
        Some((range.start as u32, token, range.end as u32))
    }

    /// An opening parenthesis: nests, unless it shows that the sentence before it lacks its end.
    fn opening(&mut self, start: u32, end: u32) -> Option<Spanned> {
        if self.open.is_empty() {
            // Known from the first run: this sentence is never closed, so it ends where the next one seems to begin.
            self.sentence_unmatched = self
                .unmatched
                .is_some_and(|unmatched| unmatched.binary_search(&start).is_ok());
        } else if self.sentence_unmatched && starts_sentence(self.text, start) {
            self.end_sentence();
            // The missing parentheses go first.
            self.held = Some((start, KifToken::Open, end));
            return None;
        }
        if self.open.len() == MAX_DEPTH {
            self.faults.push(too_deep(self.open[0]));
            self.outcome = Outcome::TooDeep;
            return None;
        }
        self.open.push(start);
        Some((start, KifToken::Open, end))
    }

    fn closing(&mut self, start: u32, end: u32) -> Option<Spanned> {
        if self.open.pop().is_some() {
            return Some((start, KifToken::Close, end));
        }
        let span = Span::new(start, end);
        // `)))` in a row is one fault.
        self.extra = Some(match self.extra {
            Some((run, count)) => (run.to(span), count + 1),
            None => (span, 1),
        });
        None
    }

    fn report_extra(&mut self) {
        if let Some((span, count)) = self.extra.take() {
            self.faults.push(extra_close(span, count));
        }
    }

    /// Reports that the sentence is never closed and has the missing parentheses inserted.
    fn end_sentence(&mut self) {
        if let (Some(&first), Some(&last)) = (self.open.first(), self.open.last()) {
            self.faults
                .push(unclosed(first, last, self.open.len(), self.last_end));
        }
        // One token for each list that is open, so that the parser reduces them all.
        self.missing = self.open.len();
        self.open.clear();
    }

    /// The end of the text; whether there are tokens to be inserted.
    fn end_of_text(&mut self) -> bool {
        if self.open.is_empty() {
            return false;
        }
        if self.unmatched.is_none() {
            // What is open at the end never had a partner. Nothing of this run is kept.
            self.outcome = Outcome::Unbalanced(std::mem::take(&mut self.open));
            return false;
        }
        self.end_sentence();
        true
    }
}

impl Iterator for KifStream<'_> {
    type Item = Spanned;

    fn next(&mut self) -> Option<Spanned> {
        loop {
            if self.missing > 0 {
                self.missing -= 1;
                return Some((self.last_end, KifToken::MissingClose, self.last_end));
            }
            let Some((start, token, end)) = self.read() else {
                if self.end_of_text() {
                    continue;
                }
                return None;
            };
            if token == KifToken::Comment {
                self.comments.push(Span::new(start, end));
                continue;
            }
            if token != KifToken::Close {
                self.report_extra();
            }
            let passed = match token {
                KifToken::Open => self.opening(start, end),
                KifToken::Close => self.closing(start, end),
                KifToken::Rubbish => {
                    self.faults.push(rubbish(self.text, Span::new(start, end)));
                    None
                }
                KifToken::If
                | KifToken::Variable
                | KifToken::Word
                | KifToken::Comment
                | KifToken::MissingClose => Some((start, token, end)),
            };
            if matches!(self.outcome, Outcome::TooDeep) {
                return None;
            }
            if passed.is_some() {
                self.last_end = end;
                return passed;
            }
        }
    }
}

/// Whether the parenthesis at `start` begins a sentence by its looks: in column 1, or as `(<=`.
fn starts_sentence(text: &str, start: u32) -> bool {
    let bytes = text.as_bytes();
    let start = start as usize;
    let column_1 = start == 0 || matches!(bytes[start - 1], b'\n' | b'\r');
    column_1 || bytes[start + 1..].trim_ascii_start().starts_with(b"<=")
}

fn unclosed(first: u32, last: u32, count: usize, end: u32) -> Diagnostic {
    let at = |offset| Span::new(offset, offset + 1);
    let message = match count {
        1 => "unclosed parenthesis".to_owned(),
        _ => format!("{count} unclosed parentheses"),
    };
    let help = match count {
        1..=8 => format!("add `{}` where the sentence should end", ")".repeat(count)),
        _ => format!("add {count} closing parentheses where the sentence should end"),
    };
    let mut diagnostic = Diagnostic::error(UNCLOSED, at(first), message)
        .with_label("this `(` is never closed")
        .with_help(help);
    if count > 1 {
        diagnostic = diagnostic.with_related(at(last), "nor is this one");
    }
    if end > last + 1 {
        let end = Span::new(end.saturating_sub(1), end);
        diagnostic = diagnostic.with_related(end, "the sentence seems to end here");
    }
    diagnostic
}

fn extra_close(span: Span, count: usize) -> Diagnostic {
    let (message, label) = match count {
        1 => ("unexpected closing parenthesis", "closes nothing"),
        _ => ("unexpected closing parentheses", "close nothing"),
    };
    let diagnostic = Diagnostic::error(EXTRA_CLOSE, span, message)
        .with_label(label)
        .with_help("remove it, or add the opening parenthesis that it should close");
    // Comments may stand between them.
    if count == span.range().len() {
        diagnostic.with_fix(span, "")
    } else {
        diagnostic
    }
}

fn too_deep(first: u32) -> Diagnostic {
    Diagnostic::error(
        TOO_DEEP,
        Span::new(first, first + 1),
        format!("parentheses are nested more than {MAX_DEPTH} deep"),
    )
    .with_label("the outermost of them")
    .with_help("close them; the rest of the text was not read")
}

fn rubbish(text: &str, span: Span) -> Diagnostic {
    let character = text
        .get(span.range())
        .and_then(|rubbish| rubbish.chars().next())
        .map_or(0, u32::from);
    Diagnostic::error(
        RUBBISH,
        span,
        format!("unexpected control character U+{character:04X}"),
    )
    .with_label("not part of any sentence")
    .with_help("remove it; is this a text file?")
}
