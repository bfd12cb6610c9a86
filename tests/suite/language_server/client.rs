//! A client of the language server: the program itself, over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take before the test fails; answers take milliseconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server and the one document that is open in it.
pub(super) struct Client {
    server: Child,
    input: Option<ChildStdin>,
    arriving: Receiver<Value>,
    requests: i64,
    pub(super) uri: String,
    pub(super) text: String,
    version: i64,
    /// What was published last: version and diagnostics.
    pub(super) published: Option<(i64, Value)>,
    /// How often the server asked for a new look at inlay hints since the last change.
    refreshed: usize,
}

impl Client {
    /// Starts the program; nothing is said yet.
    pub(super) fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_flux"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        let (sender, arriving) = channel();
        thread::spawn(move || {
            let mut output = output;
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            input: server.stdin.take(),
            server,
            arriving,
            requests: 0,
            uri: String::new(),
            text: String::new(),
            version: 0,
            published: None,
            refreshed: 0,
        }
    }

    /// Introduces itself as a client that can do everything.
    pub(super) fn initialize(&mut self) -> Value {
        let capabilities = json!({
            "workspace": {
                "inlayHint": {"refreshSupport": true},
                "workspaceEdit": {"documentChanges": true},
            },
            "textDocument": {
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
                "completion": {"completionItem": {"snippetSupport": true}},
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
            },
        });
        let options = json!({"commands": ["flux.explore", "flux.solve", "flux.why"]});
        let answer = self.ask(
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options}),
        );
        self.tell("initialized", json!({}));
        answer
    }

    /// Sends bytes as they are.
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let framed = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        self.send_bytes(framed.as_bytes());
    }

    /// Sends a notification.
    pub(super) fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    /// Sends a request; gives its number.
    pub(super) fn request(&mut self, method: &str, parameters: Value) -> i64 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        id
    }

    /// Waits for the answer to a request: its result, or its error as `{"error": …}`.
    pub(super) fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.next();
            if message.get("id") == Some(&json!(id)) && message.get("method").is_none() {
                return match message.get("error") {
                    Some(error) => json!({"error": error}),
                    None => message["result"].clone(),
                };
            }
        }
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.request(method, parameters);
        self.answer(id)
    }

    /// The next message that is no request of the server; what it publishes is noted.
    pub(super) fn next(&mut self) -> Value {
        let message = self.arriving.recv_timeout(PATIENCE).unwrap();
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                let parameters = &message["params"];
                let version = parameters["version"].as_i64().unwrap_or(0);
                self.published = Some((version, parameters["diagnostics"].clone()));
            }
            Some("workspace/inlayHint/refresh") => {
                self.refreshed += 1;
                let id = message["id"].clone();
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": null}));
            }
            _ => {}
        }
        message
    }

    /// Opens a document.
    pub(super) fn open(&mut self, uri: &str, text: &str) {
        (self.uri, self.text) = (uri.to_owned(), text.to_owned());
        self.version = 1;
        self.forget();
        let item = json!({"uri": uri, "languageId": "gdl", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Replaces a range of bytes of the document.
    pub(super) fn edit(&mut self, start: usize, end: usize, new: &str) {
        let range = json!({"start": position(&self.text, start), "end": position(&self.text, end)});
        self.text.replace_range(start..end, new);
        self.version += 1;
        self.forget();
        let document = json!({"uri": self.uri, "version": self.version});
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [{"range": range, "text": new}]}),
        );
    }

    pub(super) fn version(&self) -> i64 {
        self.version
    }

    fn forget(&mut self) {
        self.published = None;
        self.refreshed = 0;
    }

    /// Waits until the present version was studied: there are diagnostics, and if there is no error among them,
    /// domains, the initial state and effects.
    pub(super) fn settle(&mut self) {
        loop {
            if let Some((version, diagnostics)) = &self.published
                && *version == self.version
            {
                let diagnostics = diagnostics.as_array().unwrap();
                let has_error = diagnostics.iter().any(|one| one["severity"] == 1);
                if has_error || self.refreshed >= 3 {
                    return;
                }
            }
            self.next();
        }
    }

    /// Waits until it is published what is wrong with the present version.
    pub(super) fn settle_diagnostics(&mut self) {
        while self.published.as_ref().map(|(version, _)| *version) != Some(self.version) {
            self.next();
        }
    }

    /// A place of the document as parameters.
    pub(super) fn at(&self, offset: usize) -> Value {
        json!({"textDocument": {"uri": self.uri}, "position": position(&self.text, offset)})
    }

    /// Closes the input, waits for the end and gives the exit code.
    pub(super) fn end(mut self) -> i32 {
        drop(self.input.take());
        let status = self.server.wait().unwrap();
        let mut errors = String::new();
        self.server
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        assert_eq!(errors, "", "the server wrote on standard error");
        status.code().unwrap()
    }

    /// Ends the session as the protocol demands.
    pub(super) fn shut_down(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.end(), 0);
    }
}

/// A byte offset as the protocol counts.
pub(super) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].encode_utf16().count();
    json!({"line": before.matches('\n').count(), "character": column})
}

/// What the protocol counts as a byte offset.
pub(super) fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let column = position["character"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    let rest = text[start..].char_indices();
    let mut before = rest.take_while(|(_, character)| {
        units += character.len_utf16();
        units <= column
    });
    let last = before.by_ref().last();
    start + last.map_or(0, |(at, character)| at + character.len_utf8())
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
