//! Diagnostics as data, for programs.

use serde::Serialize;

use crate::syntax::diagnostic::{Diagnostic, Severity};
use crate::syntax::span::{Source, Span};

/// A diagnostic as `flux check --format json` gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DiagnosticJson {
    /// `null` if the text could not be read at all.
    code: Option<String>,
    severity: String,
    message: String,
    help: Option<String>,
    /// `null` if the text could not be read at all.
    span: Option<SpanJson>,
    /// Changes that mend it, each by itself.
    fixes: Vec<FixJson>,
}

/// A change that mends what a diagnostic is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FixJson {
    /// What it does, as an order: `write cell`.
    title: String,
    /// The place to be replaced; empty to insert.
    span: SpanJson,
    /// What is to stand there.
    text: String,
}

/// A place as people count: lines and columns from 1, the end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SpanJson {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl SpanJson {
    /// A place in a text.
    pub fn of(source: &Source, span: Span) -> Self {
        let (start, end) = (source.position(span.start), source.position(span.end));
        Self {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

impl DiagnosticJson {
    /// A diagnostic of a text.
    pub fn of(source: &Source, diagnostic: &Diagnostic) -> Self {
        Self {
            code: Some(diagnostic.code.to_string()),
            severity: diagnostic.severity.to_string(),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            span: Some(SpanJson::of(source, diagnostic.span)),
            fixes: fixes(source, diagnostic),
        }
    }

    /// Why a text could not be read at all.
    pub fn unreadable(message: &str) -> Self {
        Self {
            code: None,
            severity: Severity::Error.to_string(),
            message: message.to_owned(),
            help: None,
            span: None,
            fixes: Vec::new(),
        }
    }
}

fn fixes(source: &Source, diagnostic: &Diagnostic) -> Vec<FixJson> {
    let fixes = diagnostic.fixes.iter().map(|fix| FixJson {
        title: fix.title.clone(),
        span: SpanJson::of(source, fix.replacement.span),
        text: fix.replacement.text.clone(),
    });
    fixes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Notation, parse};

    #[test]
    fn json_counts_from_one() {
        let source = Source::new("json", "(p)\n(ä ())");
        let diagnostics = parse(&source, Notation::Prefix).diagnostics;
        let json = DiagnosticJson::of(&source, &diagnostics[0]);
        let place = SpanJson {
            line: 2,
            column: 4,
            end_line: 2,
            end_column: 6,
        };
        assert_eq!(
            (json.code.as_deref(), json.span),
            (Some("S0003"), Some(place))
        );
    }
}
