//! Answers to requests, and why there is none.

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::request::Request as Asked;

use crate::serve::lsp::protocol::transport::Outgoing;

/// Why there is no answer.
pub(super) struct Refusal {
    pub(super) code: ErrorCode,
    pub(super) why: String,
}

/// What a request is answered with.
pub(super) type Answer<R> = Result<<R as Asked>::Result, Refusal>;

/// Reads the parameters of a request and answers it.
pub(super) fn respond<R: Asked>(
    request: Request,
    answer: impl FnOnce(R::Params) -> Answer<R>,
) -> Outgoing
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
pub(in crate::serve::lsp::protocol) fn refused(
    id: RequestId,
    code: ErrorCode,
    why: String,
) -> Outgoing {
    Outgoing::Message(Response::new_err(id, code as i32, why).into())
}
