//! Requests about documents: parameters in, the function of the sheet, its answer in places of the protocol.

mod calls;
mod editing;
mod lenses;
mod looking;
mod navigation;
mod view;

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::request::{self as ask, Request as Asked};

use crate::serve::lsp::protocol::capabilities::Client;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::requests::view::{OfDocument, View};
use crate::serve::lsp::protocol::transport::Outgoing;

/// Why there is no answer.
struct Refusal {
    code: ErrorCode,
    why: String,
}

type Answer<R> = Result<<R as Asked>::Result, Refusal>;

/// Answers a request.
pub(super) fn answer(documents: &mut Documents, client: &Client, request: Request) -> Outgoing {
    /// One row a request: the function gets the document that the parameters name, and the parameters.
    macro_rules! dispatch {
        ($($kind:ident => $function:path,)*) => {
            match request.method.as_str() {
                $(<ask::$kind as Asked>::METHOD => {
                    respond::<ask::$kind>(request, |it| {
                        let view = View::of(documents, client, it.uri())?;
                        $function(&view, it)
                    })
                })*
                // Of all documents.
                ask::WorkspaceSymbolRequest::METHOD => {
                    respond::<ask::WorkspaceSymbolRequest>(request, |it| {
                        navigation::workspace_symbols(documents, it)
                    })
                }
                _ => {
                    let why = format!("there is no request {}", request.method);
                    refused(request.id, ErrorCode::MethodNotFound, why)
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
        CallHierarchyPrepare => calls::prepare,
        CallHierarchyIncomingCalls => calls::incoming,
        CallHierarchyOutgoingCalls => calls::outgoing,
        Completion => editing::completion,
        PrepareRenameRequest => editing::prepare_rename,
        Rename => editing::rename,
        Formatting => editing::formatting,
        RangeFormatting => editing::range_formatting,
        CodeActionRequest => editing::fixes,
        FoldingRangeRequest => looking::folds,
        SemanticTokensFullRequest => looking::tokens,
        SemanticTokensFullDeltaRequest => looking::tokens_delta,
        SemanticTokensRangeRequest => looking::tokens_of_range,
        InlayHintRequest => looking::hints,
        CodeLensRequest => lenses::lenses,
    }
}

/// Reads the parameters of a request and answers it.
fn respond<R: Asked>(request: Request, answer: impl FnOnce(R::Params) -> Answer<R>) -> Outgoing
where
    R::Result: Send + 'static,
{
    let parameters = serde_json::from_value(request.params);
    let parameters = parameters.map_err(|error| Refusal {
        code: ErrorCode::InvalidParams,
        why: error.to_string(),
    });
    match parameters.and_then(answer) {
        Ok(result) => Outgoing::answer(request.id, result),
        Err(refusal) => refused(request.id, refusal.code, refusal.why),
    }
}

/// The answer to a request that cannot be answered otherwise.
pub(super) fn refused(id: RequestId, code: ErrorCode, why: String) -> Outgoing {
    Outgoing::Message(Response::new_err(id, code as i32, why).into())
}
