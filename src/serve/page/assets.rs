//! The files of the page. They are part of the program; a name that is not in this table leads nowhere.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

const PAGE: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// A path, what is served there, and its text.
type Asset = (&'static str, &'static str, &'static str);

macro_rules! assets {
    ($($kind:ident $name:literal,)*) => {
        [$((concat!("/", $name), $kind, include_str!(concat!("assets/", $name))),)*]
    };
}

const ASSETS: &[Asset] = &assets![
    PAGE "index.html",
    STYLE "style.css",
    STYLE "board.css",
    STYLE "panels.css",
    PICTURE "icon.svg",
    SCRIPT "best.js",
    SCRIPT "board.js",
    SCRIPT "changes.js",
    SCRIPT "dom.js",
    SCRIPT "game.js",
    SCRIPT "history.js",
    SCRIPT "key.js",
    SCRIPT "keys.js",
    SCRIPT "link.js",
    SCRIPT "main.js",
    SCRIPT "moves.js",
    SCRIPT "picture.js",
    SCRIPT "pieces.js",
    SCRIPT "protocol.js",
    SCRIPT "query.js",
    SCRIPT "rule.js",
    SCRIPT "sheet.js",
    SCRIPT "steps.js",
    SCRIPT "structure.js",
    SCRIPT "tabs.js",
    SCRIPT "why.js",
    SCRIPT "work.js",
];

/// The file at the path of a request.
pub(super) async fn file(request: Request) -> Response {
    let path = match request.uri().path() {
        "/" => "/index.html",
        path => path,
    };
    match ASSETS.iter().find(|(name, ..)| *name == path) {
        Some(&(_, kind, text)) => ([(CONTENT_TYPE, kind)], text).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file").into_response(),
    }
}
