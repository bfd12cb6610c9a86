//! Who may ask, and what browsers are told about every answer.
//!
//! A server on the loopback address is reached by every page that the browser shows, and by names that somebody else
//! makes lead there. Three checks keep them out: `Host` is the address itself, so that no other name leads here;
//! `Origin`, where there is one, is the page itself; and what answers requests requires the key, which only the printed
//! link has.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::serve::page::key::Key;

/// The header with the key.
const KEY: &str = "x-flux-key";

/// What follows from a key alone lies below this.
const WITH_KEY: &str = "/api/";

/// Scripts, styles and requests are the program's own, scripts are files, and texts become markup in one place alone,
/// the one that copies pictures; nobody frames the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
    trusted-types drawing";

const HEADERS: [(&str, &str); 8] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("cache-control", "no-store"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), microphone=(), geolocation=()",
    ),
];

/// What is let in.
#[derive(Debug)]
pub(super) struct Guard {
    hosts: [String; 2],
    key: Key,
}

impl Guard {
    pub(super) fn new(address: SocketAddr, key: Key) -> Self {
        // The link has `127.0.0.1:PORT`; `localhost` is what people type.
        let hosts = [address.to_string(), format!("localhost:{}", address.port())];
        Self { hosts, key }
    }

    /// Why a request is refused.
    fn refusal(&self, request: &Request) -> Option<&'static str> {
        let headers = request.headers();
        // The first line may name a server, too: `GET http://host/path`. That name counts, and not `Host` (RFC 9112, 3.2.2).
        let named = request.uri().authority().map(|name| name.as_str());
        let is_ours = |name: &str| self.hosts.iter().any(|host| host == name);
        if !only(headers, HOST).is_some_and(is_ours) || !named.is_none_or(is_ours) {
            return Some("this server has another name");
        }
        // Loading the page and other programs send no `Origin`; what the latter may ask depends on the key.
        let is_own = |origin: &str| origin.strip_prefix("http://").is_some_and(is_ours);
        if headers.contains_key(ORIGIN) && !only(headers, ORIGIN).is_some_and(is_own) {
            return Some("another page asks");
        }
        let key = only(headers, HeaderName::from_static(KEY)).unwrap_or_default();
        let needs_key = request.uri().path().starts_with(WITH_KEY);
        if needs_key && !self.key.is(key.as_bytes()) {
            return Some(
                "the key is missing or wrong: it is in the link that flux explore printed",
            );
        }
        None
    }
}

/// The value of a header that comes once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    // Of two values programs differ in which one counts, so that neither does here.
    values.next().is_none().then_some(value)
}

/// Refuses a request, or hands it on.
pub(super) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.refusal(&request) {
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
        None => next.run(request).await,
    };
    // Refusals get the headers as well: a browser shows them as a page like any other.
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}
