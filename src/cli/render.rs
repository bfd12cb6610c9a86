//! Diagnostics for people, as plain text or in colour.
//!
//! Only an excerpt of the source goes to the renderer: a text may be large and its lines long, and
//! the author of such a text needs the place and not all of it.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::syntax::{Diagnostic, Label, Severity, Source, Span};

/// For whom the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Without colours, for files, pipes and tests.
    Plain,
    /// With colours.
    Terminal,
}

/// Bytes of a line that are shown on either side of a place, if the line is long.
const LINE_CONTEXT: usize = 160;

/// Lines that are shown between two places of one message; farther ones get their own excerpt.
const LINES_BETWEEN: u32 = 40;

/// A diagnostic as text, without a line end behind it.
pub fn render(source: &Source, diagnostic: &Diagnostic, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Terminal => Renderer::styled().decor_style(DecorStyle::Ascii),
    };
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let primary = Label {
        span: diagnostic.span,
        text: diagnostic.label.clone(),
    };
    let (near, far): (Vec<&Label>, Vec<&Label>) = diagnostic
        .related
        .iter()
        .partition(|label| is_near(source, diagnostic.span, label.span));
    let code = diagnostic.code.to_string();
    let title = level.primary_title(&diagnostic.message).id(&code);
    let mut group = excerpt(Group::with_title(title), source, Some(&primary), &near);
    for label in far {
        group = excerpt(group, source, None, &[label]);
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// Whether two places fit into one excerpt.
fn is_near(source: &Source, first: Span, second: Span) -> bool {
    let lines = source.line(first).abs_diff(source.line(second));
    let bytes = first.to(second).range().len();
    // An excerpt shows all that lies between its places: few lines, none of them long.
    lines <= LINES_BETWEEN && bytes < LINE_CONTEXT * (lines as usize + 1)
}

fn origin(source: &Source, span: Span) -> Origin<'_> {
    let position = source.position(span.start);
    Origin::path(source.name())
        .line(position.line as usize)
        .char_column(position.column as usize)
}

/// Adds the lines of some places, with what is to be said about them.
fn excerpt<'l>(
    group: Group<'l>,
    source: &'l Source,
    primary: Option<&'l Label>,
    others: &[&'l Label],
) -> Group<'l> {
    let text = source.text();
    let all = primary.into_iter().chain(others.iter().copied());
    let covered = all
        .map(|label| shown(source, label.span))
        .reduce(Span::to)
        .unwrap_or_default();
    let start = line_start(text, covered.start as usize);
    let end = line_end(text, covered.end as usize);
    let annotations = primary
        .map(|label| (AnnotationKind::Primary, label))
        .into_iter()
        .chain(others.iter().map(|&label| (AnnotationKind::Context, label)))
        .map(|(kind, label)| {
            let range = shown(source, label.span).range();
            let range = range.start - start..range.end - start;
            let text = (!label.text.is_empty()).then_some(label.text.as_str());
            kind.span(range).label(text)
        });
    let snippet = Snippet::source(one_kind_of_line_end(&text[start..end]))
        .line_start(source.line(covered) as usize)
        .annotations(annotations);
    // The renderer counts columns from the beginning of the excerpt.
    if start == 0 || text[..start].ends_with(['\n', '\r']) {
        return group.element(snippet.path(source.name()));
    }
    group.element(origin(source, covered)).element(snippet)
}

/// The part of a place that is shown: the beginning of one that covers many lines or much text.
fn shown(source: &Source, span: Span) -> Span {
    let text = source.text();
    let start = floor(text, span.start as usize);
    let mut end = floor(text, (span.end as usize).min(start + 4 * LINE_CONTEXT));
    let lines = text[start..end].match_indices(['\n', '\r']);
    if let Some((line_break, _)) = lines.into_iter().nth(LINES_BETWEEN as usize) {
        end = start + line_break;
    }
    Span::new(start as u32, end.max(start) as u32)
}

fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn line_start(text: &str, offset: usize) -> usize {
    let from = floor(text, offset.saturating_sub(LINE_CONTEXT));
    text[from..offset]
        .rfind(['\n', '\r'])
        .map_or(from, |line_break| from + line_break + 1)
}

fn line_end(text: &str, offset: usize) -> usize {
    let to = floor(text, offset + LINE_CONTEXT);
    text[offset..to]
        .find(['\n', '\r'])
        .map_or(to, |line_break| offset + line_break)
}

/// The renderer ends lines at `\n` alone; places stay where they are.
fn one_kind_of_line_end(text: &str) -> String {
    text.replace("\r\n", " \n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Notation, parse};

    #[test]
    fn a_long_line_is_shown_in_part() {
        let text = format!("{}?x {}", "p ".repeat(100_000), "q ".repeat(100_000));
        let source = Source::new("long", text);
        let diagnostics = parse(&source, Notation::Prefix).diagnostics;
        let text = render(&source, &diagnostics[0], Style::Plain);
        assert!(text.len() < 1000, "{text}");
        assert!(text.contains("long:1:200001"), "{text}");
    }
}
