//! The sessions of all tabs.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexMap;

use crate::serve::page::key::Key;
use crate::serve::session::Opening;
use crate::serve::worker::Worker;

/// Sessions that are kept; a tab has two, one to play and one that looks at what is typed.
const MOST: usize = 16;

/// Sessions by name; the one that was asked last is the last.
pub(super) struct Sessions {
    /// What a tab begins with.
    opening: Option<Opening>,
    memory: usize,
    open: Mutex<IndexMap<String, Arc<PageSession>>>,
}

/// A session that ends when its last holder drops it.
pub(super) struct PageSession {
    worker: Option<Worker>,
}

impl Sessions {
    pub(super) fn new(opening: Option<Opening>, memory: usize) -> Self {
        Self {
            opening,
            memory,
            open: Mutex::default(),
        }
    }

    pub(super) fn opening(&self) -> Option<&Opening> {
        self.opening.as_ref()
    }

    /// Begins a session without a game and gives its name. If there are too many, the one that was asked least recently
    /// ends.
    pub(super) fn begin(&self) -> io::Result<String> {
        // As hard to guess as the key, since a session is found by its name alone.
        let name = Key::random()?.text().to_owned();
        let session = PageSession {
            worker: Some(Worker::start(None, self.memory)),
        };
        let mut open = self.open();
        open.insert(name.clone(), Arc::new(session));
        if open.len() > MOST {
            // Quick although the lock is held: another thread waits for the worker of the session that ends.
            open.shift_remove_index(0);
        }
        Ok(name)
    }

    /// The session of this name, if it has not ended.
    pub(super) fn find(&self, name: &str) -> Option<Arc<PageSession>> {
        let mut open = self.open();
        let at = open.get_index_of(name)?;
        let last = open.len() - 1;
        open.move_index(at, last);
        open.last().map(|(_, session)| session.clone())
    }

    pub(super) fn end(&self, name: &str) {
        let ended = self.open().shift_remove(name);
        // A request may still hold the session; its work ends now, and not when the last holder is done.
        if let Some(worker) = ended.as_ref().and_then(|session| session.worker()) {
            worker.cancel_all();
        }
    }

    /// The map. It is never left half changed, whatever panicked.
    fn open(&self) -> MutexGuard<'_, IndexMap<String, Arc<PageSession>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PageSession {
    pub(super) fn worker(&self) -> Option<&Worker> {
        self.worker.as_ref()
    }
}

impl Drop for PageSession {
    /// The worker ends what it is at; that is waited for elsewhere, since here answers to others would wait too.
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            worker.cancel_all();
            std::thread::spawn(move || drop(worker));
        }
    }
}
