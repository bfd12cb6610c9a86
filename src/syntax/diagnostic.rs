//! Messages about source text as values: what is wrong, where, and what to do about it.
//!
//! Every layer that finds fault with a text produces these; only `cli` renders them (for a
//! terminal, as plain text, or as JSON), so that tests compare values and colours stay outside.

use std::fmt;

use crate::syntax::codes::{Code, UNCLOSED_COMMENT};
use crate::syntax::quote::needs_quotes_in_infix;
use crate::syntax::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but is not what the definition of the language asks for.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// A second place that a message points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
}

/// A piece of a text and what is to stand there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The piece; empty to insert.
    pub span: Span,
    /// What is to stand there.
    pub text: String,
}

/// A change that mends what a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order: `write cell`.
    pub title: String,
    /// The change.
    pub replacement: Replacement,
}

/// One message about one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kind of fault.
    pub code: Code,
    /// Whether the text can still be used.
    pub severity: Severity,
    /// One lower-case sentence without final dot.
    pub message: String,
    /// The place that is at fault.
    pub span: Span,
    /// A few words under the excerpt; may be empty.
    pub label: String,
    /// Further places, such as the first definition that a second one contradicts.
    pub related: Vec<Label>,
    /// What the author of the text can do about it.
    pub help: Option<String>,
    /// Changes that the help speaks of, each of which does it alone.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// A message without labels and help.
    pub fn new(code: Code, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            span,
            label: String::new(),
            related: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// An error without labels and help.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, span, message)
    }

    /// A warning without labels and help.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, span, message)
    }

    /// Says a few words under the excerpt.
    #[must_use]
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says what can be done.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Proposes to write something else at a place.
    #[must_use]
    pub fn with_fix(mut self, span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        let title = if text.is_empty() {
            "remove it".to_owned()
        } else {
            format!("write `{text}`")
        };
        let replacement = Replacement { span, text };
        self.fixes.push(Fix { title, replacement });
        self
    }

    /// Proposes the name that is meant, if there is one that is like it, and if it is written alike in both notations.
    #[must_use]
    pub(crate) fn with_name(self, span: Span, nearest: Option<&str>) -> Self {
        match nearest {
            Some(name) if !needs_quotes_in_infix(name) => self.with_fix(span, name),
            Some(_) | None => self,
        }
    }

    /// Points to a second place.
    #[must_use]
    pub fn with_related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Whether the text cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Whether the text ends inside a block comment, so that more text may mend it.
    pub fn is_unclosed(&self) -> bool {
        self.code == UNCLOSED_COMMENT
    }
}
