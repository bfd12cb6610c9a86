//! Requests of the protocol, each the body of a `POST`, its messages the lines of the answer.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::serve::page::sessions::{PageSession, Sessions};
use crate::serve::protocol::{Id, Message, Request, read};

/// The header with the name of a session.
const SESSION: &str = "x-flux-session";

/// Begins a session, and gives the sheet that the program was started with.
pub(super) async fn open(State(sessions): State<Arc<Sessions>>) -> Response {
    let opening = sessions.opening();
    match sessions.begin() {
        Ok(session) => Json(json!({
            "session": session,
            "name": opening.map(|opening| &opening.name),
            "text": opening.map(|opening| &opening.text),
        }))
        .into_response(),
        Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    }
}

/// Ends a session.
pub(super) async fn close(State(sessions): State<Arc<Sessions>>, headers: HeaderMap) -> StatusCode {
    sessions.end(name(&headers));
    StatusCode::NO_CONTENT
}

/// Answers a request in a session.
pub(super) async fn ask(
    State(sessions): State<Arc<Sessions>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(session) = sessions.find(name(&headers)) else {
        return (StatusCode::NOT_FOUND, "there is no such session").into_response();
    };
    let request = match read(&body) {
        Ok(request) => request,
        Err(fault) => return (StatusCode::BAD_REQUEST, Json(fault)).into_response(),
    };
    let followed = follow(session, request);
    let kind = [(CONTENT_TYPE, "application/x-ndjson")];
    (kind, Body::from_stream(lines_of(followed))).into_response()
}

/// Hands a request to the worker of a session.
fn follow(session: Arc<PageSession>, request: Request) -> Followed {
    // Unbounded, so that work never waits for a slow reader: some three messages a second, and the answer.
    let (lines, written) = unbounded_channel();
    let id = request.id.clone();
    if let Some(worker) = session.worker() {
        worker.take(
            request,
            Box::new(move |message| {
                // The reader of the messages may be gone; then they are of no use.
                let _ = lines.send(line(&message));
            }),
        );
    }
    Followed {
        session,
        id,
        written,
    }
}

fn name(headers: &HeaderMap) -> &str {
    let name = headers.get(SESSION);
    // A missing header becomes the empty name, which no session has.
    name.and_then(|name| name.to_str().ok()).unwrap_or_default()
}

fn line(message: &Message) -> Bytes {
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line.into()
}

/// A request whose messages are read; when the reader is gone, it is cancelled.
struct Followed {
    session: Arc<PageSession>,
    id: Id,
    /// Closed behind the last message, when the worker has dropped the reply.
    written: UnboundedReceiver<Bytes>,
}

fn lines_of(followed: Followed) -> impl Stream<Item = Result<Bytes, Infallible>> {
    unfold(followed, |mut followed| async {
        let line = followed.written.recv().await;
        line.map(|line| (Ok(line), followed))
    })
}

impl Drop for Followed {
    fn drop(&mut self) {
        // The body of an answer is dropped with its connection, which is how a reader that has left is noticed.
        // Behind the last message the id may be that of another request: one that was there before, and for which this one
        // was refused, or a later one.
        if let (false, Some(worker)) = (self.written.is_closed(), self.session.worker()) {
            worker.cancel(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn ask(session: &Arc<PageSession>, request: &str) -> Followed {
        let request = read(request.as_bytes());
        let request =
            request.unwrap_or_else(|_| unreachable!("the requests of the test are whole"));
        follow(session.clone(), request)
    }

    /// The last message about a request.
    fn last(mut followed: Followed) -> String {
        let mut last = Bytes::new();
        while let Some(line) = followed.written.blocking_recv() {
            last = line;
        }
        String::from_utf8_lossy(&last).into_owned()
    }

    #[test]
    fn a_reader_that_leaves_cancels_its_own_request_alone() -> io::Result<()> {
        let sessions = Sessions::new(None, usize::MAX);
        let name = sessions.begin()?;
        let session = sessions.find(&name).ok_or(io::ErrorKind::NotFound)?;
        let rules = "(role r) (init f) (legal r m) (<= (next f) (true f)) (<= terminal (not (true f))) (goal r 50)";
        let load = json!({"id": 1, "request": "load", "text": rules});
        let loaded = last(ask(&session, &load.to_string()));
        assert!(loaded.contains("roles"), "{loaded}");
        let long = ask(
            &session,
            r#"{"id":2,"request":"playout","playouts":4000000000000}"#,
        );
        let waits = ask(&session, r#"{"id":3,"request":"state"}"#);
        let refused = ask(&session, r#"{"id":3,"request":"legal"}"#);
        drop(refused);
        // The reader of this one leaves, and the request behind it has its turn.
        drop(long);
        let answer = last(waits);
        assert!(answer.contains("result"), "{answer}");
        Ok(())
    }
}
