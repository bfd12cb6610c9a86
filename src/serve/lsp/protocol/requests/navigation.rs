//! Where things are and what they are.

use lsp_types::request as ask;
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, DocumentSymbolParams,
    DocumentSymbolResponse, GotoDefinitionParams, GotoDefinitionResponse, HoverContents,
    HoverParams, MarkupContent, MarkupKind, ReferenceParams, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};

use crate::serve::lsp::protocol::convert;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::requests::answer::Answer;
use crate::serve::lsp::protocol::requests::view::View;
use crate::serve::lsp::sheet::{self, Access, Declarations, Symbol};

pub(super) fn hover(view: &View<'_>, it: HoverParams) -> Answer<ask::HoverRequest> {
    let offset = view.offset(it.text_document_position_params.position);
    let found = sheet::hover(view.parts.sheet, view.parts.knowledge, offset);
    Ok(found.map(|found| lsp_types::Hover {
        range: Some(view.range(found.span)),
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: found.markdown,
        }),
    }))
}

pub(super) fn definition(view: &View<'_>, it: GotoDefinitionParams) -> Answer<ask::GotoDefinition> {
    let offset = view.offset(it.text_document_position_params.position);
    let found = sheet::definitions(view.parts.sheet, offset);
    let locations = found.iter().map(|one| view.location(one.name));
    Ok(Some(GotoDefinitionResponse::Array(locations.collect())))
}

pub(super) fn references(view: &View<'_>, it: ReferenceParams) -> Answer<ask::References> {
    let offset = view.offset(it.text_document_position.position);
    let declarations = if it.context.include_declaration {
        Declarations::Included
    } else {
        Declarations::Left
    };
    let found = sheet::references(view.parts.sheet, offset, declarations);
    let locations = found.into_iter().map(|span| view.location(span));
    Ok(Some(locations.collect()))
}

pub(super) fn highlights(
    view: &View<'_>,
    it: DocumentHighlightParams,
) -> Answer<ask::DocumentHighlightRequest> {
    let offset = view.offset(it.text_document_position_params.position);
    let found = sheet::highlights(view.parts.sheet, offset).into_iter();
    let shown = found.map(|(span, access)| DocumentHighlight {
        range: view.range(span),
        kind: Some(match access {
            Access::Write => DocumentHighlightKind::WRITE,
            Access::Read => DocumentHighlightKind::READ,
        }),
    });
    Ok(Some(shown.collect()))
}

pub(super) fn outline(
    view: &View<'_>,
    _: DocumentSymbolParams,
) -> Answer<ask::DocumentSymbolRequest> {
    let sheet = view.parts.sheet;
    let symbols = sheet::outline(sheet);
    let symbols = symbols.iter();
    Ok(Some(if view.client.nests_symbols {
        DocumentSymbolResponse::Nested(
            symbols
                .map(|one| convert::document_symbol(sheet, one))
                .collect(),
        )
    } else {
        DocumentSymbolResponse::Flat(
            symbols
                .map(|one| convert::symbol_information(sheet, &view.uri, one))
                .collect(),
        )
    }))
}

/// The entries of all open documents: a sheet does not refer to others, so that those that are closed do not matter.
pub(super) fn workspace_symbols(
    documents: &mut Documents,
    it: WorkspaceSymbolParams,
) -> Answer<ask::WorkspaceSymbolRequest> {
    let wanted: Vec<char> = it.query.chars().flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    for document in documents.all() {
        let Ok(uri) = document.uri().parse::<lsp_types::Uri>() else {
            continue;
        };
        let sheet = document.parts().sheet;
        let symbols = sheet::outline(sheet);
        let fitting = symbols.iter().filter(|one| contains(one, &wanted));
        found.extend(fitting.map(|one| convert::symbol_information(sheet, &uri, one)));
    }
    Ok(Some(WorkspaceSymbolResponse::Flat(found)))
}

/// Whether a name has the characters of a query in their order, with others between, as editors search.
fn contains(symbol: &Symbol, query: &[char]) -> bool {
    let mut wanted = query.iter().peekable();
    // Taking the first character that fits finds the query if any choice does.
    for character in symbol.name.chars().flat_map(char::to_lowercase) {
        wanted.next_if(|&&next| next == character);
    }
    wanted.peek().is_none()
}
