//! Answers as the protocol has them: spans become lines and columns, kinds become numbers.

use std::collections::HashMap;

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DocumentChanges, Location, NumberOrString,
    OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range, TextDocumentEdit, TextEdit,
    Uri, WorkspaceEdit,
};

use crate::serve::lsp::protocol::client::Client;
use crate::serve::lsp::sheet::{self, LineColumn, Sheet, Symbol};
use crate::syntax::{Diagnostic, Replacement, Severity, Span};

/// The source that diagnostics name.
const SOURCE: &str = "flux";

/// A place of the protocol as an offset.
pub(super) fn offset(sheet: &Sheet, position: Position) -> u32 {
    let place = LineColumn {
        line: position.line,
        column: position.character,
    };
    sheet.lines().offset(sheet.text(), place)
}

/// An offset as a place of the protocol.
pub(super) fn position(sheet: &Sheet, offset: u32) -> Position {
    let place = sheet.lines().place(sheet.text(), offset);
    Position::new(place.line, place.column)
}

/// A span as a range of the protocol.
pub(super) fn range(sheet: &Sheet, span: Span) -> Range {
    Range::new(position(sheet, span.start), position(sheet, span.end))
}

/// A span of a document as a location.
pub(super) fn location(sheet: &Sheet, uri: &Uri, span: Span) -> Location {
    Location::new(uri.clone(), range(sheet, span))
}

/// Changes of a text.
pub(super) fn text_edits(sheet: &Sheet, changes: &[Replacement]) -> Vec<TextEdit> {
    let edits = changes
        .iter()
        .map(|one| TextEdit::new(range(sheet, one.span), one.text.clone()));
    edits.collect()
}

/// Changes of one document, with the version that they are meant for if the client takes it.
pub(super) fn workspace_edit(
    client: &Client,
    uri: &Uri,
    version: i32,
    edits: Vec<TextEdit>,
) -> WorkspaceEdit {
    // The older form names no version: the client applies such edits to whatever text it has.
    if !client.takes_versions {
        return WorkspaceEdit::new(HashMap::from([(uri.clone(), edits)]));
    }
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            uri: uri.clone(),
            version: Some(version),
        },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    };
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![edit])),
        ..WorkspaceEdit::default()
    }
}

/// What is wrong with a text: message, label and help in one, since editors show one text.
pub(super) fn diagnostic(sheet: &Sheet, uri: &Uri, one: &Diagnostic) -> lsp_types::Diagnostic {
    let mut message = one.message.clone();
    if !one.label.is_empty() {
        message += &format!(": {}", one.label);
    }
    if let Some(help) = &one.help {
        message += &format!("\nhelp: {help}");
    }
    // Places without a text are underlined in a terminal; the protocol demands a message of each.
    let related = one.related.iter().filter(|label| !label.text.is_empty());
    let related: Vec<DiagnosticRelatedInformation> = related
        .map(|label| DiagnosticRelatedInformation {
            location: location(sheet, uri, label.span),
            message: label.text.clone(),
        })
        .collect();
    lsp_types::Diagnostic {
        range: range(sheet, one.span),
        severity: Some(match one.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(one.code.to_string())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..lsp_types::Diagnostic::default()
    }
}

/// The kind of an entry of the outline.
fn symbol_kind(kind: sheet::SymbolKind) -> lsp_types::SymbolKind {
    use lsp_types::SymbolKind as Kind;
    match kind {
        sheet::SymbolKind::Role => Kind::CLASS,
        sheet::SymbolKind::Fluent => Kind::FIELD,
        sheet::SymbolKind::Move => Kind::METHOD,
        sheet::SymbolKind::End => Kind::EVENT,
        sheet::SymbolKind::Relation => Kind::FUNCTION,
        sheet::SymbolKind::Sentence => Kind::STRING,
    }
}

/// An entry of the outline with what is in it.
#[expect(deprecated, reason = "the field that says so must be given")]
pub(super) fn document_symbol(sheet: &Sheet, symbol: &Symbol) -> lsp_types::DocumentSymbol {
    // Not deeper than two levels: sentences have no parts.
    let children = symbol.sentences.iter();
    let children: Vec<_> = children.map(|one| document_symbol(sheet, one)).collect();
    lsp_types::DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.detail.clone()).filter(|detail| !detail.is_empty()),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range(sheet, symbol.span),
        // The protocol demands that this lies in the range.
        selection_range: range(sheet, symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

/// An entry of the outline for a list.
#[expect(deprecated, reason = "the field that says so must be given")]
pub(super) fn symbol_information(
    sheet: &Sheet,
    uri: &Uri,
    symbol: &Symbol,
) -> lsp_types::SymbolInformation {
    lsp_types::SymbolInformation {
        name: symbol.name.clone(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: location(sheet, uri, symbol.span),
        container_name: None,
    }
}
