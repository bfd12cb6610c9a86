//! A game in the browser: one page, served on the loopback address by the program itself.
//!
//! The page speaks the protocol of [`protocol`](crate::serve::protocol): a request is the body of a `POST`, its messages
//! are the lines of the answer. Everything else that is served is one of the files of [`assets`], which are part of the
//! program, so that no path that a client names is ever opened.
//!
//! ```text
//! GET  /            the page, and its scripts and styles          needs nothing
//! POST /api/open    a session, and the sheet to begin with        needs the key
//! POST /api/ask     a request of the protocol, in a session       needs the key
//! POST /api/close   the end of a session                          needs the key
//! ```
//!
//! Who may ask is decided by [`guard`]. A tab has a session of its own ([`sessions`]), so that tabs do not move each
//! other's games.

mod ask;
mod assets;
mod guard;
mod key;
mod sessions;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::serve::page::guard::Guard;
use crate::serve::page::key::Key;
use crate::serve::page::sessions::Sessions;
use crate::serve::session::Opening;

/// Bytes of a request: the largest sheets have a hundredth of it.
const LARGEST_REQUEST: usize = 32 << 20;

/// A page that can be served.
#[derive(Debug)]
pub struct Page {
    listener: TcpListener,
    address: SocketAddr,
    key: Key,
}

impl Page {
    /// Takes a port of the loopback address, any that is free for 0, and makes a key.
    ///
    /// # Errors
    /// If the port is taken, or the system has no random numbers.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        // What tokio demands of a listener that it takes over.
        listener.set_nonblocking(true)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            key: Key::random()?,
        })
    }

    /// Where the page is. The key is behind the `#`, which browsers do not send.
    pub fn link(&self) -> String {
        format!("http://{}/#key={}", self.address, self.key.text())
    }

    /// Serves until the program ends. Memory, in bytes, is that of the whole program.
    ///
    /// # Errors
    /// If the system refuses what servers need.
    pub fn serve(self, opening: Option<Opening>, memory: usize) -> io::Result<()> {
        let guard = Arc::new(Guard::new(self.address, self.key));
        let sessions = Arc::new(Sessions::new(opening, memory));
        let pages = Router::new()
            .fallback(get(assets::file))
            .route("/api/open", post(ask::open))
            .route("/api/ask", post(ask::ask))
            .route("/api/close", post(ask::close))
            .with_state(sessions)
            .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
            // The last layer is the outermost one: requests are refused before their bodies are read.
            .layer(from_fn_with_state(guard, guard::check));
        // One thread is enough: answers are found by the threads of the sessions.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            axum::serve(listener, pages).await
        })
    }
}
