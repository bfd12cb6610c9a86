//! Requests about documents: parameters in, the function of the sheet, its answer in places of the protocol.

mod editing;
mod looking;
mod navigation;

use lsp_server::{ErrorCode, Request, Response};
use lsp_types::TextDocumentPositionParams;
use lsp_types::request::{self as ask, Request as Asked};

use crate::serve::lsp::protocol::capabilities::Client;
use crate::serve::lsp::protocol::convert;
use crate::serve::lsp::protocol::documents::{Document, Documents};

/// Why there is no answer.
struct Refusal {
    code: ErrorCode,
    why: String,
}

type Answer<R> = Result<<R as Asked>::Result, Refusal>;

/// Answers a request.
pub(super) fn answer(documents: &mut Documents, client: &Client, request: Request) -> Response {
    /// One row a request: the function gets the documents, the client and the parameters.
    macro_rules! dispatch {
        ($($kind:ident => $function:path,)*) => {
            match request.method.as_str() {
                $(<ask::$kind as Asked>::METHOD => {
                    with::<ask::$kind>(request, |it| $function(documents, client, it))
                })*
                _ => {
                    let why = format!("there is no request {}", request.method);
                    Response::new_err(request.id, ErrorCode::MethodNotFound as i32, why)
                }
            }
        };
    }
    dispatch! {
        HoverRequest => navigation::hover,
        GotoDefinition => navigation::definition,
        References => navigation::references,
        DocumentHighlightRequest => navigation::highlights,
        DocumentSymbolRequest => navigation::outline,
        WorkspaceSymbolRequest => navigation::workspace_symbols,
        Completion => editing::completion,
        PrepareRenameRequest => editing::prepare_rename,
        Rename => editing::rename,
        Formatting => editing::formatting,
        RangeFormatting => editing::range_formatting,
        CodeActionRequest => editing::fixes,
        FoldingRangeRequest => looking::folds,
        SemanticTokensFullRequest => looking::tokens,
        InlayHintRequest => looking::hints,
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

/// The document of a place, and the place as an offset.
fn place<'d>(
    documents: &'d mut Documents,
    at: &TextDocumentPositionParams,
) -> Result<(&'d mut Document, u32), Refusal> {
    let document = document(documents, &at.text_document.uri)?;
    let offset = convert::offset(document.sheet(), at.position);
    Ok((document, offset))
}
