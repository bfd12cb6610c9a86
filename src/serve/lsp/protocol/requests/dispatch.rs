//! Which function answers which request.

use lsp_server::{ErrorCode, Request};
use lsp_types::request::{self as ask, Request as Asked};

use crate::serve::lsp::protocol::client::Client;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::requests::answer::{refused, respond};
use crate::serve::lsp::protocol::requests::view::{OfDocument, View};
use crate::serve::lsp::protocol::requests::{calls, editing, lenses, looking, navigation};
use crate::serve::lsp::protocol::transport::Outgoing;

/// Answers a request. The table stays in one piece: a row a request.
pub(in crate::serve::lsp::protocol) fn answer(
    documents: &mut Documents,
    client: &Client,
    request: Request,
) -> Outgoing {
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
