//! Where things are and what they are.

use lsp_types::request as ask;
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, DocumentSymbolParams,
    DocumentSymbolResponse, GotoDefinitionParams, GotoDefinitionResponse, HoverContents,
    HoverParams, MarkupContent, MarkupKind, ReferenceParams, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};

use crate::serve::lsp::protocol::capabilities::Client;
use crate::serve::lsp::protocol::convert;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::requests::{Answer, document, place};
use crate::serve::lsp::sheet::{self, Access, Declarations, Symbol};

pub(super) fn hover(
    documents: &mut Documents,
    _: &Client,
    it: HoverParams,
) -> Answer<ask::HoverRequest> {
    let (document, offset) = place(documents, &it.text_document_position_params)?;
    let (sheet, knowledge) = document.parts();
    let found = sheet::hover(sheet, knowledge, offset);
    Ok(found.map(|found| lsp_types::Hover {
        range: Some(convert::range(sheet, found.span)),
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: found.markdown,
        }),
    }))
}

pub(super) fn definition(
    documents: &mut Documents,
    _: &Client,
    it: GotoDefinitionParams,
) -> Answer<ask::GotoDefinition> {
    let at = it.text_document_position_params;
    let (document, offset) = place(documents, &at)?;
    let sheet = document.sheet();
    let found = sheet::definitions(sheet, offset);
    let locations = found
        .iter()
        .map(|one| convert::location(sheet, &at.text_document.uri, one.name));
    Ok(Some(GotoDefinitionResponse::Array(locations.collect())))
}

pub(super) fn references(
    documents: &mut Documents,
    _: &Client,
    it: ReferenceParams,
) -> Answer<ask::References> {
    let at = it.text_document_position;
    let (document, offset) = place(documents, &at)?;
    let sheet = document.sheet();
    let declarations = match it.context.include_declaration {
        true => Declarations::Included,
        false => Declarations::Left,
    };
    let found = sheet::references(sheet, offset, declarations).into_iter();
    let locations = found.map(|span| convert::location(sheet, &at.text_document.uri, span));
    Ok(Some(locations.collect()))
}

pub(super) fn highlights(
    documents: &mut Documents,
    _: &Client,
    it: DocumentHighlightParams,
) -> Answer<ask::DocumentHighlightRequest> {
    let (document, offset) = place(documents, &it.text_document_position_params)?;
    let sheet = document.sheet();
    let found = sheet::highlights(sheet, offset).into_iter();
    let shown = found.map(|(span, access)| DocumentHighlight {
        range: convert::range(sheet, span),
        kind: Some(match access {
            Access::Write => DocumentHighlightKind::WRITE,
            Access::Read => DocumentHighlightKind::READ,
        }),
    });
    Ok(Some(shown.collect()))
}

pub(super) fn outline(
    documents: &mut Documents,
    client: &Client,
    it: DocumentSymbolParams,
) -> Answer<ask::DocumentSymbolRequest> {
    let uri = it.text_document.uri;
    let sheet = document(documents, &uri)?.sheet();
    let symbols = sheet::outline(sheet);
    let symbols = symbols.iter();
    Ok(Some(match client.nests_symbols {
        true => DocumentSymbolResponse::Nested(
            symbols
                .map(|one| convert::document_symbol(sheet, one))
                .collect(),
        ),
        false => DocumentSymbolResponse::Flat(
            symbols
                .map(|one| convert::symbol_information(sheet, &uri, one))
                .collect(),
        ),
    }))
}

/// The entries of all open documents: a sheet does not refer to others, so that those that are closed matter to nobody.
pub(super) fn workspace_symbols(
    documents: &mut Documents,
    _: &Client,
    it: WorkspaceSymbolParams,
) -> Answer<ask::WorkspaceSymbolRequest> {
    let wanted: Vec<char> = it.query.chars().flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    for document in documents.all() {
        let Ok(uri) = document.uri().parse::<lsp_types::Uri>() else {
            continue;
        };
        let sheet = document.sheet();
        let symbols = sheet::outline(sheet);
        let fitting = symbols.iter().filter(|one| contains(one, &wanted));
        found.extend(fitting.map(|one| convert::symbol_information(sheet, &uri, one)));
    }
    Ok(Some(WorkspaceSymbolResponse::Flat(found)))
}

/// Whether a name has the characters of a query in their order, with others between, as editors search.
fn contains(symbol: &Symbol, query: &[char]) -> bool {
    let mut wanted = query.iter().peekable();
    for character in symbol.name.chars().flat_map(char::to_lowercase) {
        wanted.next_if(|&&next| next == character);
    }
    wanted.peek().is_none()
}
