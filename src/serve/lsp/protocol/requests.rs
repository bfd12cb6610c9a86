//! Requests about documents: parameters in, the function of the sheet, its answer in places of the protocol.

use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request::{self as ask, Request as Asked};
use lsp_types::{
    DocumentSymbolResponse, GotoDefinitionResponse, HoverContents, MarkupContent, MarkupKind,
    TextDocumentPositionParams,
};

use crate::serve::lsp::protocol::capabilities::Client;
use crate::serve::lsp::protocol::convert;
use crate::serve::lsp::protocol::documents::{Document, Documents};
use crate::serve::lsp::sheet::{definitions, hover, outline};

/// Why there is no answer.
struct Refusal {
    code: ErrorCode,
    why: String,
}

type Answer<R> = Result<<R as Asked>::Result, Refusal>;

/// Answers a request.
pub(super) fn answer(documents: &mut Documents, client: &Client, request: Request) -> Response {
    match request.method.as_str() {
        ask::HoverRequest::METHOD => with::<ask::HoverRequest>(request, |it| {
            on_hover(documents, it.text_document_position_params)
        }),
        ask::GotoDefinition::METHOD => with::<ask::GotoDefinition>(request, |it| {
            on_definition(documents, it.text_document_position_params)
        }),
        ask::DocumentSymbolRequest::METHOD => with::<ask::DocumentSymbolRequest>(request, |it| {
            on_outline(documents, client, &it.text_document.uri)
        }),
        _ => {
            let why = format!("there is no request {}", request.method);
            Response::new_err(request.id, ErrorCode::MethodNotFound as i32, why)
        }
    }
}

/// Reads the parameters of a request and answers it.
fn with<R: Asked>(request: Request, answer: impl FnOnce(R::Params) -> Answer<R>) -> Response {
    let parameters = serde_json::from_value(request.params);
    let parameters = parameters.map_err(|error| Refusal {
        code: ErrorCode::InvalidParams,
        why: error.to_string(),
    });
    match parameters.and_then(answer) {
        Ok(result) => Response::new_ok(request.id, result),
        Err(refusal) => Response::new_err(request.id, refusal.code as i32, refusal.why),
    }
}

fn document<'d>(
    documents: &'d mut Documents,
    uri: &lsp_types::Uri,
) -> Result<&'d mut Document, Refusal> {
    documents.find(uri.as_str()).ok_or_else(|| Refusal {
        code: ErrorCode::InvalidParams,
        why: format!("{} is not open", uri.as_str()),
    })
}

fn on_hover(
    documents: &mut Documents,
    at: TextDocumentPositionParams,
) -> Answer<ask::HoverRequest> {
    let (sheet, knowledge) = document(documents, &at.text_document.uri)?.parts();
    let found = hover(sheet, knowledge, convert::offset(sheet, at.position));
    Ok(found.map(|found| lsp_types::Hover {
        range: Some(convert::range(sheet, found.span)),
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: found.markdown,
        }),
    }))
}

fn on_definition(
    documents: &mut Documents,
    at: TextDocumentPositionParams,
) -> Answer<ask::GotoDefinition> {
    let uri = at.text_document.uri;
    let sheet = document(documents, &uri)?.sheet();
    let found = definitions(sheet, convert::offset(sheet, at.position));
    let locations = found
        .iter()
        .map(|one| convert::location(sheet, &uri, one.name));
    Ok(Some(GotoDefinitionResponse::Array(locations.collect())))
}

fn on_outline(
    documents: &mut Documents,
    client: &Client,
    uri: &lsp_types::Uri,
) -> Answer<ask::DocumentSymbolRequest> {
    let sheet = document(documents, uri)?.sheet();
    let symbols = outline(sheet);
    let symbols = symbols.iter();
    Ok(Some(match client.nests_symbols {
        true => DocumentSymbolResponse::Nested(
            symbols
                .map(|one| convert::document_symbol(sheet, one))
                .collect(),
        ),
        false => DocumentSymbolResponse::Flat(
            symbols
                .map(|one| convert::symbol_information(sheet, uri, one))
                .collect(),
        ),
    }))
}
