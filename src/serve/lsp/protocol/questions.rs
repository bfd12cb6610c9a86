//! Questions about games that take longer than a keystroke, answered by the worker that answers other programs, too.
//!
//! One question is with the worker at a time. It is asked in two steps, the second of which is left out for a text that
//! the worker has:
//!
//! ```text
//! flux.why ──▶ load (the text) ──▶ why (the goal) ──▶ answer
//! ```

use std::collections::VecDeque;
use std::sync::mpsc::Sender;

use lsp_server::{ErrorCode, RequestId};

use crate::serve::lsp::protocol::commands::Why;
use crate::serve::lsp::protocol::event::Event;
use crate::serve::protocol::{Answer, Code, Explained, Failure, Id, Message, Request, Task};
use crate::serve::worker::Worker;

/// Seconds for each step of a question.
const SECONDS: f64 = 20.0;

/// Bytes of memory that the whole program may have while it answers one.
const MEMORY: usize = 4 << 30;

/// A question of the client.
#[derive(Clone, Debug)]
struct Question {
    id: RequestId,
    why: Why,
    /// The document as it was when the question was asked.
    text: String,
}

/// What is answered to a question.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) id: RequestId,
    pub(super) goal: String,
    /// The explanation, or the code of an error and its reason.
    pub(super) result: Result<Explained, (ErrorCode, String)>,
}

/// All questions that are not answered yet.
pub(super) struct Questions {
    /// Started with the first question.
    worker: Option<Worker>,
    events: Sender<Event>,
    /// The first one is with the worker.
    waiting: VecDeque<Question>,
    /// The number of the step that the worker is at.
    step: u64,
    /// The text that the worker has. Versions do not tell texts apart: they begin anew when a document is opened again.
    loaded: Option<String>,
}

impl Questions {
    pub(super) fn new(events: Sender<Event>) -> Self {
        Self {
            worker: None,
            events,
            waiting: VecDeque::new(),
            step: 0,
            loaded: None,
        }
    }

    /// Takes a question about a text.
    pub(super) fn ask(&mut self, id: RequestId, why: Why, text: String) {
        self.waiting.push_back(Question { id, why, text });
        if self.waiting.len() == 1 {
            self.begin();
        }
    }

    /// Gives a question up; it is answered with that.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Option<Told> {
        let at = self.waiting.iter().position(|one| one.id == *id)?;
        if at == 0 {
            // The worker answers when it has stopped.
            let worker = self.worker.as_ref()?;
            // The step may be done by now; then the question is answered, as the protocol allows.
            worker.cancel(&Id::Number(self.step));
            return None;
        }
        let question = self.waiting.remove(at)?;
        Some(Told {
            id: question.id,
            goal: question.why.goal,
            result: Err((ErrorCode::RequestCanceled, "cancelled".to_owned())),
        })
    }

    /// Takes what the worker says; gives the answer to the first question if that is what it is.
    pub(super) fn hear(&mut self, message: Message) -> Option<Told> {
        // One step is with the worker at a time: whatever it says is about the first question.
        let result = match message {
            Message::Progress { .. } => return None,
            Message::Error { error, .. } => {
                // A text that cannot be played leaves the game before in its place; after a fault of its own the worker
                // has forgotten that.
                if error.code == Code::Internal {
                    self.loaded = None;
                }
                Err(refusal(error))
            }
            Message::Result { result, .. } => {
                let Answer::Explained(explained) = *result else {
                    // The text was loaded.
                    let first = self.waiting.front()?;
                    self.loaded = Some(first.text.clone());
                    self.begin();
                    return None;
                };
                Ok(explained)
            }
        };
        let question = self.waiting.pop_front()?;
        self.begin();
        Some(Told {
            id: question.id,
            goal: question.why.goal,
            result,
        })
    }

    /// Hands the next step of the first question to the worker.
    fn begin(&mut self) {
        let Some(question) = self.waiting.front() else {
            return;
        };
        let task = if self.loaded.as_ref() == Some(&question.text) {
            Task::Why {
                goal: question.why.goal.clone(),
                at: None,
                moves: question.why.moves.clone(),
            }
        } else {
            Task::Load {
                text: question.text.clone(),
                name: question.why.uri.clone(),
            }
        };
        self.step += 1;
        let request = Request {
            id: Id::Number(self.step),
            max_seconds: Some(SECONDS),
            task,
        };
        let events = self.events.clone();
        let worker = self
            .worker
            .get_or_insert_with(|| Worker::start(None, MEMORY));
        worker.take(
            request,
            Box::new(move |message| {
                // Refused only if the session has ended.
                let _ = events.send(Event::Told(Box::new(message)));
            }),
        );
    }
}

impl Drop for Questions {
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            // Dropping the worker waits for the end of its work, which nobody reads any more.
            worker.cancel_all();
        }
    }
}

/// Why there is no explanation, as the protocol has it.
fn refusal(failure: Failure) -> (ErrorCode, String) {
    let code = match failure.code {
        Code::Cancelled => ErrorCode::RequestCanceled,
        Code::Internal => ErrorCode::InternalError,
        Code::Malformed
        | Code::IdInUse
        | Code::NoGame
        | Code::NotPlayable
        | Code::BadInput
        | Code::IllegalMove
        | Code::Limit => ErrorCode::RequestFailed,
    };
    (code, failure.message)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// Asks about a game in which `terminal` holds, and hears until that is answered.
    fn ask(questions: &mut Questions, events: &Receiver<Event>, id: i32) -> Option<Told> {
        let why = Why {
            uri: "file:///sheet.gdl".to_owned(),
            goal: "terminal".to_owned(),
            moves: None,
        };
        let text = "(role r) (init f) (legal r m) (<= terminal (true f)) (goal r 50)";
        questions.ask(RequestId::from(id), why, text.to_owned());
        hear(questions, events)
    }

    fn hear(questions: &mut Questions, events: &Receiver<Event>) -> Option<Told> {
        while let Ok(event) = events.recv() {
            if let Event::Told(message) = event
                && let Some(told) = questions.hear(*message)
            {
                return Some(told);
            }
        }
        None
    }

    /// The message of a worker that has forgotten its game.
    #[test]
    fn after_a_fault_of_the_worker_the_text_is_loaded_again() {
        let (sender, events) = channel();
        let mut questions = Questions::new(sender);
        assert!(ask(&mut questions, &events, 1).is_some_and(|told| told.result.is_ok()));
        assert!(questions.loaded.is_some());
        // Nothing waits that this could be the answer to.
        let told = questions.hear(Message::Error {
            id: None,
            error: Failure::new(Code::Internal, "a bug"),
        });
        assert!(told.is_none());
        assert_eq!(questions.loaded, None);
        assert!(ask(&mut questions, &events, 2).is_some_and(|told| told.result.is_ok()));
    }
}
