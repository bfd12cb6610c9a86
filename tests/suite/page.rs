//! The server behind `flux explore`, asked over TCP as any program on this machine can: who is let in, what is answered,
//! and that nothing that is sent does harm.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

/// A running server.
struct Page {
    child: Child,
    host: String,
    key: String,
}

/// What is sent: a whole request, or bytes that may not be one.
enum Sent {
    Request,
    Anything,
}

/// What was answered.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Page {
    fn start(game: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_flux"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["explore", game])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut link = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut link).unwrap();
        let (address, key) = link.trim().split_once("/#key=").unwrap();
        Self {
            child,
            host: address.strip_prefix("http://").unwrap().to_owned(),
            key: key.to_owned(),
        }
    }

    /// Sends bytes; gives what comes until the server closes.
    fn send(&self, bytes: &[u8], sent: Sent) -> Option<Answer> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        // A server that has seen enough may close before everything is sent.
        let _ = stream.write_all(bytes);
        if let Sent::Anything = sent {
            // Nothing more comes; a server that waits for the rest is to know.
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        Some(Answer {
            status: head.split(' ').nth(1)?.parse().ok()?,
            head: head.to_lowercase(),
            body: body.to_owned(),
        })
    }

    fn ask(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut text = format!(
            "{line} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        self.send(format!("{text}\r\n{body}").as_bytes(), Sent::Request)
            .unwrap()
    }

    /// With everything that is wanted.
    fn post(&self, path: &str, session: &str, body: &str) -> Answer {
        let headers = [
            ("host", self.host.as_str()),
            ("x-flux-key", &self.key),
            ("x-flux-session", session),
        ];
        self.ask(&format!("POST {path}"), &headers, body)
    }

    fn open(&self) -> String {
        let answer = self.post("/api/open", "", "");
        assert_eq!(answer.status, 200);
        let opened: Value = serde_json::from_str(answer.body.trim()).unwrap();
        opened["session"].as_str().unwrap().to_owned()
    }

    /// The last message about a request.
    fn request(&self, session: &str, request: &Value) -> Value {
        let answer = self.post("/api/ask", session, &request.to_string());
        let mut lines = answer.body.lines().filter(|line| line.starts_with('{'));
        let last = lines
            .next_back()
            .unwrap_or_else(|| panic!("{}: {}", answer.status, answer.body));
        serde_json::from_str(last).unwrap()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_answer_has_the_headers_that_browsers_obey() {
    let page = Page::start("kb/games/tic_tac_toe.gdl");
    let host = [("host", page.host.as_str())];
    let paths = [
        "/",
        "/main.js",
        "/style.css",
        "/icon.svg",
        "/nothing",
        "/../Cargo.toml",
    ];
    for (path, status) in paths.into_iter().zip([200, 200, 200, 200, 404, 404]) {
        let answer = page.ask(&format!("GET {path}"), &host, "");
        assert_eq!(answer.status, status, "{path}");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self';",
            "x-content-type-options: nosniff",
            "cache-control: no-store",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
        ] {
            assert!(answer.head.contains(header), "{path}: {header}");
        }
        assert!(!answer.head.contains("unsafe"), "{path}");
    }
    let index = page.ask("GET /", &host, "").body;
    assert!(!index.contains("<script>") && !index.contains("style=") && !index.contains("http"));
}

#[test]
fn only_the_page_with_the_key_may_ask() {
    let page = Page::start("kb/games/tic_tac_toe.gdl");
    let (host, key) = (page.host.as_str(), page.key.as_str());
    let own = format!("http://{host}");
    let wrong = "0".repeat(key.len());
    let cases: [(&[(&str, &str)], u16); 9] = [
        (&[("host", host), ("x-flux-key", key)], 200),
        (
            &[("host", host), ("x-flux-key", key), ("origin", &own)],
            200,
        ),
        (&[("host", host)], 403),
        (&[("host", host), ("x-flux-key", &wrong)], 403),
        (
            &[("host", host), ("x-flux-key", key), ("x-flux-key", key)],
            403,
        ),
        (&[("host", "evil.example"), ("x-flux-key", key)], 403),
        (&[("x-flux-key", key)], 403),
        (
            &[
                ("host", host),
                ("x-flux-key", key),
                ("origin", "http://evil.example"),
            ],
            403,
        ),
        (
            &[("host", host), ("x-flux-key", key), ("origin", "null")],
            403,
        ),
    ];
    for (headers, status) in cases {
        let answer = page.ask("POST /api/open", headers, "");
        assert_eq!(answer.status, status, "{headers:?}");
    }
    let evil = [("host", "evil.example")];
    assert_eq!(page.ask("GET /", &evil, "").status, 403);
}

#[test]
fn requests_are_those_of_serve_and_bodies_are_bounded() {
    let page = Page::start("kb/games/tic_tac_toe.gdl");
    let session = page.open();
    assert_eq!(page.post("/api/ask", "none", "{}").status, 404);
    assert_eq!(page.post("/api/ask", &session, "no json").status, 400);
    let text = std::fs::read_to_string("kb/games/tic_tac_toe.gdl").unwrap();
    let loaded = page.request(&session, &json!({"id": 1, "request": "load", "text": text}));
    assert_eq!(loaded["result"]["roles"], json!(["xplayer", "oplayer"]));
    let board = page.request(&session, &json!({"id": 2, "request": "board"}));
    assert_eq!(
        board["result"]["boards"][0]["columns"],
        json!(["1", "2", "3"])
    );
    let headers = [
        ("host", page.host.as_str()),
        ("x-flux-key", &page.key),
        ("x-flux-session", &session),
    ];
    let large = "x".repeat(33 << 20);
    let answer = page.ask("POST /api/ask", &headers, &large);
    assert_eq!(answer.status, 413);
    assert_eq!(page.post("/api/close", &session, "").status, 204);
    assert_eq!(page.post("/api/ask", &session, "{}").status, 404);
}

#[test]
fn hostile_sheets_are_answered_as_text() {
    let page = Page::start("kb/games/tic_tac_toe.gdl");
    let session = page.open();
    let long = "a".repeat(1 << 20);
    for name in ["<script>alert`1`</script>", "&lt;'><svg/onload=x>", &long] {
        let text = format!(
            "(role r) (init (cell 1 1 {name})) (legal r {name}) (<= (next (cell 1 1 ?x)) (true (cell 1 1 ?x)))
             (<= terminal (true (cell 2 2 x))) (goal r 0)"
        );
        for request in [
            json!({"id": 1, "request": "load", "text": text}),
            json!({"id": 2, "request": "board"}),
            json!({"id": 3, "request": "random"}),
            json!({"id": 4, "request": "picture", "view": "domains"}),
        ] {
            let message = page.request(&session, &request);
            assert_ne!(message["error"]["code"], "internal", "{request}");
            let svg = message["result"]["svg"].as_str().unwrap_or_default();
            assert!(!svg.contains("<script") && !svg.contains("<svg/"));
        }
    }
}

#[test]
fn a_thousand_random_requests_do_no_harm() {
    let page = Page::start("kb/games/tic_tac_toe.gdl");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(28);
    let session = page.open();
    let lines = [
        "GET /",
        "POST /api/ask",
        "POST /api/open",
        "PUT /api/ask",
        "GET /../../etc/passwd",
        "OPTIONS *",
        "X",
    ];
    let bodies = [
        "{}",
        "[",
        "{\"id\":1,\"request\":\"state\"}",
        "{\"id\":1,\"request\":\"load\",\"text\":\"((((\"}",
        "{\"id\":1,\"request\":\"go\",\"at\":99999999}",
        "{\"id\":-1}",
        "null",
        "",
    ];
    for _ in 0..1000 {
        let mut text = format!(
            "{} HTTP/1.1\r\nhost: {}\r\nx-flux-key: {}\r\nx-flux-session: {session}\r\nconnection: close\r\n",
            lines[random.random_range(0..lines.len())],
            page.host,
            page.key
        );
        let body = bodies[random.random_range(0..bodies.len())];
        text += &format!("content-length: {}\r\n\r\n{body}", body.len());
        let mut bytes = text.into_bytes();
        for _ in 0..random.random_range(0..6) {
            let at = random.random_range(0..bytes.len());
            bytes[at] = random.random_range(0..=255);
        }
        bytes.truncate(random.random_range(1..=bytes.len()));
        if let Some(answer) = page.send(&bytes, Sent::Anything) {
            assert_ne!(answer.status, 500, "{}", String::from_utf8_lossy(&bytes));
        }
    }
    let session = page.open();
    let text = std::fs::read_to_string("kb/games/nim.gdl").unwrap();
    let loaded = page.request(&session, &json!({"id": 1, "request": "load", "text": text}));
    assert_eq!(loaded["result"]["name"], "game");
}
