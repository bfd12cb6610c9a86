//! The life of a session: what the protocol demands of the order of messages.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::notification::{self as note, Notification as _};
use lsp_types::request::{self as ask, Request as _};
use lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, ExecuteCommandParams, InitializeParams, MessageType, NumberOrString,
    PublishDiagnosticsParams, ShowMessageParams,
};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::serve::lsp::protocol::capabilities;
use crate::serve::lsp::protocol::client::Client;
use crate::serve::lsp::protocol::documents::Documents;
use crate::serve::lsp::protocol::event::{Ending, Event};
use crate::serve::lsp::protocol::questions::{Questions, Told};
use crate::serve::lsp::protocol::study::{StudyFinding, StudyJob, StudyResult};
use crate::serve::lsp::protocol::transport::{Incoming, Outgoing};
use crate::serve::lsp::protocol::worker;
use crate::serve::lsp::protocol::{commands, convert, explained, requests};

/// How far a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The client has not introduced itself yet.
    New,
    Running,
    /// The client has asked for the end.
    ShutDown,
}

/// One client and its documents.
pub(super) struct EditorSession {
    stage: Stage,
    client: Client,
    documents: Documents,
    outbox: Sender<Outgoing>,
    jobs: Sender<StudyJob>,
    questions: Questions,
    /// Requests that wait and are not wanted any more.
    cancelled: HashSet<RequestId>,
    /// Requests of the server so far.
    asked: i32,
}

impl EditorSession {
    pub(super) fn new(outbox: Sender<Outgoing>, events: Sender<Event>) -> Self {
        Self {
            stage: Stage::New,
            client: Client::default(),
            documents: Documents::default(),
            outbox,
            jobs: worker::start(events.clone()),
            questions: Questions::new(events),
            cancelled: HashSet::new(),
            asked: 0,
        }
    }

    /// Remembers which of the requests that wait are cancelled by what came behind them.
    pub(super) fn note_cancelled(&mut self, events: &[Event]) {
        // Requests of earlier batches are answered by now, or are questions, which `notice` cancels.
        self.cancelled.clear();
        for event in events {
            if let Event::Incoming(Incoming::Message(Message::Notification(one))) = event
                && one.method == note::Cancel::METHOD
                && let Ok(CancelParams { id }) = serde_json::from_value(one.params.clone())
            {
                self.cancelled.insert(request_id(id));
            }
        }
    }

    /// Takes an event; says how the session ended if it did.
    pub(super) fn take(&mut self, event: Event) -> Option<Ending> {
        match event {
            Event::End => return Some(Ending::Abrupt),
            Event::Result(result) => self.learn(*result),
            Event::Told(message) => {
                if let Some(told) = self.questions.hear(*message) {
                    self.tell(told);
                }
            }
            Event::Incoming(Incoming::Unreadable(Some(id), why)) => {
                self.send(requests::refused(id, ErrorCode::InvalidRequest, why));
            }
            Event::Incoming(Incoming::Unreadable(None, why)) => {
                self.send(Outgoing::Unreadable(why));
            }
            Event::Incoming(Incoming::Message(Message::Request(request))) => {
                if let Some(answer) = self.answer(request) {
                    self.send(answer);
                }
            }
            // Answers to requests for a new look at hints and lenses, which have nothing to say.
            Event::Incoming(Incoming::Message(Message::Response(_))) => {}
            Event::Incoming(Incoming::Message(Message::Notification(one))) => {
                if one.method == note::Exit::METHOD {
                    // By the protocol exit without shutdown is an error: `flux lsp` ends with 1.
                    return Some(match self.stage {
                        Stage::ShutDown => Ending::Orderly,
                        Stage::New | Stage::Running => Ending::Abrupt,
                    });
                }
                // A message that the protocol does not have, or at a wrong time, is dropped, as it demands.
                if self.stage == Stage::Running {
                    self.notice(one);
                }
            }
        }
        None
    }

    /// Answers a request, unless it is a question that takes longer.
    fn answer(&mut self, request: Request) -> Option<Outgoing> {
        let id = request.id.clone();
        let refuse = |code, why: &str| requests::refused(id.clone(), code, why.to_owned());
        let is_first = request.method == ask::Initialize::METHOD;
        Some(match self.stage {
            Stage::New if is_first => self.initialize(request),
            Stage::New => refuse(
                ErrorCode::ServerNotInitialized,
                "the first request is initialize",
            ),
            Stage::ShutDown => refuse(ErrorCode::InvalidRequest, "the session was shut down"),
            Stage::Running if is_first => refuse(
                ErrorCode::InvalidRequest,
                "the session is initialized already",
            ),
            // A cancelled request is answered all the same: the protocol leaves none without an answer.
            Stage::Running if self.cancelled.contains(&id) => {
                refuse(ErrorCode::RequestCanceled, "cancelled")
            }
            Stage::Running if request.method == ask::Shutdown::METHOD => {
                self.stage = Stage::ShutDown;
                Outgoing::answer(id, serde_json::Value::Null)
            }
            Stage::Running if request.method == ask::ExecuteCommand::METHOD => {
                return self.execute(request);
            }
            Stage::Running => {
                let (documents, client) = (&mut self.documents, &self.client);
                // A fault of one answer leaves the documents as they are: answers read them.
                let answer = catch_unwind(AssertUnwindSafe(|| {
                    requests::answer(documents, client, request)
                }));
                answer.unwrap_or_else(|_| {
                    refuse(
                        ErrorCode::InternalError,
                        "this is a bug in flux; please report it",
                    )
                })
            }
        })
    }

    /// Carries out a command; one that takes long is answered later.
    fn execute(&mut self, request: Request) -> Option<Outgoing> {
        let refused = |why: String| {
            let id = request.id.clone();
            Some(requests::refused(id, ErrorCode::InvalidParams, why))
        };
        let parameters = match serde_json::from_value::<ExecuteCommandParams>(request.params) {
            Ok(parameters) => parameters,
            Err(error) => return refused(error.to_string()),
        };
        let why = match commands::why(parameters) {
            Ok(why) => why,
            Err(reason) => return refused(reason),
        };
        match self.documents.find(&why.uri) {
            Some(document) => {
                let text = document.text().to_owned();
                self.questions.ask(request.id, why, text);
            }
            None => return refused(format!("{} is not open", why.uri)),
        }
        None
    }

    /// Answers a question. Clients that do not say that they show explanations themselves are sent a message, too.
    fn tell(&self, told: Told) {
        let explained = match told.result {
            Ok(explained) => explained,
            Err((code, why)) => return self.send(requests::refused(told.id, code, why)),
        };
        let markdown = explained::markdown(&told.goal, &explained);
        if !self.client.carries_out(commands::WHY) {
            let message = ShowMessageParams {
                typ: MessageType::INFO,
                message: markdown.clone(),
            };
            self.send(Outgoing::notification(note::ShowMessage::METHOD, message));
        }
        let holds = explained.holds;
        let result = json!({"goal": told.goal, "holds": holds, "markdown": markdown});
        self.send(Outgoing::answer(told.id, result));
    }

    fn initialize(&mut self, request: Request) -> Outgoing {
        match serde_json::from_value::<InitializeParams>(request.params) {
            Ok(parameters) => {
                self.stage = Stage::Running;
                self.client = Client::of(&parameters);
                Outgoing::answer(request.id, capabilities::of_server())
            }
            Err(error) => {
                requests::refused(request.id, ErrorCode::InvalidParams, error.to_string())
            }
        }
    }

    /// Follows what happens to documents.
    fn notice(&mut self, one: Notification) {
        match one.method.as_str() {
            note::DidOpenTextDocument::METHOD => {
                if let Some(DidOpenTextDocumentParams { text_document: it }) = parameters(one) {
                    let job = self.documents.open(it.uri.as_str(), it.version, it.text);
                    self.study(job);
                }
            }
            note::DidChangeTextDocument::METHOD => {
                if let Some(it) = parameters::<DidChangeTextDocumentParams>(one) {
                    let (uri, version) = (it.text_document.uri.as_str(), it.text_document.version);
                    let job = self.documents.edit(uri, version, it.content_changes);
                    job.into_iter().for_each(|job| self.study(job));
                }
            }
            note::DidCloseTextDocument::METHOD => {
                if let Some(DidCloseTextDocumentParams { text_document: it }) = parameters(one)
                    && self.documents.close(it.uri.as_str())
                {
                    // The server owns the diagnostics that it has published; the client would go on showing them.
                    self.publish(PublishDiagnosticsParams::new(it.uri, Vec::new(), None));
                }
            }
            note::Cancel::METHOD => {
                // Requests that waited for their turn were marked before; this one may be a question.
                if let Some(CancelParams { id }) = parameters(one)
                    && let Some(told) = self.questions.cancel(&request_id(id))
                {
                    self.tell(told);
                }
            }
            // Others, such as `initialized` and `didSave`, ask for nothing.
            _ => {}
        }
    }

    fn study(&self, job: StudyJob) {
        // The workers live as long as the session.
        let _ = self.jobs.send(job);
    }

    /// Keeps what a worker has found out, and tells the client what it does not ask for.
    fn learn(&mut self, result: StudyResult) {
        let tells = matches!(result.found, StudyFinding::Diagnostics(_));
        let uri = result.uri.clone();
        let Some(document) = self.documents.learn(result) else {
            return;
        };
        if !tells {
            self.refresh();
            return;
        }
        let Ok(uri) = uri.parse::<lsp_types::Uri>() else {
            return;
        };
        let parts = document.parts();
        let shown = parts.diagnostics.iter();
        let shown = shown.map(|one| convert::diagnostic(parts.sheet, &uri, one));
        let (shown, version) = (shown.collect(), Some(parts.version));
        let published = PublishDiagnosticsParams::new(uri.clone(), shown, version);
        self.publish(published);
    }

    fn publish(&self, parameters: PublishDiagnosticsParams) {
        let method = note::PublishDiagnostics::METHOD;
        self.send(Outgoing::notification(method, parameters));
    }

    /// Asks the client to ask again for what depends on what is known.
    fn refresh(&mut self) {
        let hints = self
            .client
            .refreshes_hints
            .then_some(ask::InlayHintRefreshRequest::METHOD);
        let lenses = self
            .client
            .refreshes_lenses
            .then_some(ask::CodeLensRefresh::METHOD);
        for method in [hints, lenses].into_iter().flatten() {
            self.asked += 1;
            // Each side counts its own requests: ids of the server may equal ids of the client.
            let id = RequestId::from(self.asked);
            let request = Request::new(id, method.to_owned(), serde_json::Value::Null);
            self.send(Outgoing::Message(request.into()));
        }
    }

    fn send(&self, outgoing: Outgoing) {
        // A writer that has stopped means that the client has left.
        let _ = self.outbox.send(outgoing);
    }
}

/// The parameters of a notification, if they are what the protocol has.
fn parameters<P: DeserializeOwned>(one: Notification) -> Option<P> {
    serde_json::from_value(one.params).ok()
}

/// The id of a request, as a message about it has it.
fn request_id(id: NumberOrString) -> RequestId {
    match id {
        NumberOrString::Number(number) => RequestId::from(number),
        NumberOrString::String(text) => RequestId::from(text),
    }
}
