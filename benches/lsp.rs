//! How long an editor waits after a keystroke: `cargo bench --bench lsp`.
//!
//! A session of the language server as editors have one, over a pair of pipes, with the largest sheet of the collection
//! if that lies beside the project, else one of as many clauses made here. One character is typed in the middle of it,
//! ten a second; what is measured is the time from the notification of the change to the end of the answer to a request
//! behind it, while the new text is being studied. Fifty milliseconds is what nobody notices.

#![allow(
    clippy::unwrap_used,
    reason = "a benchmark that cannot run has nothing to measure"
)]

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use divan::Bencher;
use flux::serve::lsp::serve;
use serde_json::{Value, json};

/// Between two keystrokes.
const PAUSE: Duration = Duration::from_millis(100);

/// What is typed, character by character, and taken away again.
const TYPED: &str = "(<= (next (seen ?x)) (true (seen ?x)))";

const URI: &str = "file:///sheet.kif";

/// Requests that editors send while somebody types.
const REQUESTS: [&str; 11] = [
    "completion",
    "hover",
    "inlayHint",
    "codeAction",
    "codeLens",
    "documentHighlight",
    "foldingRange",
    "semanticTokens/full",
    "semanticTokens/full/delta",
    "documentSymbol",
    "prepareCallHierarchy",
];

static SHEET: LazyLock<String> = LazyLock::new(|| {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games");
    let largest = sheets(games)
        .into_iter()
        .max_by_key(|path| path.metadata().map_or(0, |it| it.len()));
    let read = largest.and_then(|path| std::fs::read_to_string(path).ok());
    read.unwrap_or_else(made_up_sheet)
});

fn main() {
    divan::main();
}

/// From one character to the answer to one request.
#[divan::bench(args = REQUESTS, sample_count = 40, sample_size = 1)]
fn keystroke(bencher: Bencher<'_, '_>, request: &str) {
    let mut editor = Editor::start(&SHEET);
    bencher
        .with_inputs(|| thread::sleep(PAUSE))
        .bench_local_values(|()| {
            editor.type_one();
            let id = editor.ask(request);
            editor.wait(id);
        });
}

/// From one character to the last answer, when an editor asks for everything at once.
#[divan::bench(sample_count = 40, sample_size = 1)]
fn keystroke_and_all_requests(bencher: Bencher<'_, '_>) {
    let mut editor = Editor::start(&SHEET);
    bencher
        .with_inputs(|| thread::sleep(PAUSE))
        .bench_local_values(|()| {
            editor.type_one();
            let last = REQUESTS.map(|request| editor.ask(request))[REQUESTS.len() - 1];
            editor.wait(last);
        });
}

fn sheets(folder: PathBuf) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "kif") {
                found.push(path);
            }
        }
    }
    found
}

fn made_up_sheet() -> String {
    let facts = (0..8000).map(|n| format!("(init (joined place{n} place{}))\n", n * 7 % 8000));
    let rules = (0..370).map(|n| {
        format!(
            "(<= (next (joined ?x place{n}))\n    (does robot (join ?x))\n    (true (joined ?x ?y)))\n"
        )
    });
    let game = "(role robot)\n(<= (legal robot (join ?x)) (true (joined ?x ?y)))\n\
                (<= terminal (true (joined ?x ?x)))\n(goal robot 50)\n";
    let all = std::iter::once(game.to_owned()).chain(facts).chain(rules);
    all.collect()
}

/// A client with one open document.
struct Editor {
    to_server: PipeWriter,
    from_server: BufReader<PipeReader>,
    requests: u64,
    version: u64,
    /// The line on which is typed, and how many characters stand there.
    line: u64,
    column: usize,
}

impl Editor {
    fn start(text: &str) -> Self {
        let (server_reads, to_server) = pipe().unwrap();
        let (from_server, server_writes) = pipe().unwrap();
        thread::spawn(move || serve(BufReader::new(server_reads), server_writes));
        let mut editor = Self {
            to_server,
            from_server: BufReader::new(from_server),
            requests: 0,
            version: 1,
            line: text.lines().count() as u64 / 2,
            column: 0,
        };
        let symbols = json!({"hierarchicalDocumentSymbolSupport": true});
        let capabilities = json!({"textDocument": {"documentSymbol": symbols}});
        let id = editor.request(
            "initialize",
            json!({"processId": null, "rootUri": null, "capabilities": capabilities}),
        );
        editor.wait(id);
        editor.notify("initialized", json!({}));
        let item = json!({"uri": URI, "languageId": "gdl", "version": 1, "text": text});
        editor.notify("textDocument/didOpen", json!({"textDocument": item}));
        // Studied once, as it is when somebody begins to type.
        editor.wait_for(|message| message["method"] == "textDocument/publishDiagnostics");
        editor.change(0, 0, "\n");
        editor
    }

    /// Types the next character; when all are there, takes them away.
    fn type_one(&mut self) {
        match TYPED.get(self.column..=self.column) {
            Some(character) => {
                self.change(self.column, self.column, character);
                self.column += 1;
            }
            None => {
                self.change(0, self.column, "");
                self.column = 0;
            }
        }
    }

    fn change(&mut self, from: usize, to: usize, text: &str) {
        self.version += 1;
        let range = json!({"start": self.place(from), "end": self.place(to)});
        let document = json!({"uri": URI, "version": self.version});
        let changes = json!([{"range": range, "text": text}]);
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
    }

    fn place(&self, column: usize) -> Value {
        json!({"line": self.line, "character": column})
    }

    /// Sends a request about the place behind what was typed, or the lines around it.
    fn ask(&mut self, request: &str) -> u64 {
        let seen = json!({
            "start": {"line": self.line.saturating_sub(30), "character": 0},
            "end": {"line": self.line + 30, "character": 0},
        });
        let parameters = json!({
            "textDocument": {"uri": URI},
            "position": self.place(self.column),
            "range": seen,
            "previousResultId": (self.version - 1).to_string(),
            "context": {"diagnostics": [], "triggerKind": 1},
        });
        self.request(&format!("textDocument/{request}"), parameters)
    }

    fn request(&mut self, method: &str, parameters: Value) -> u64 {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        id
    }

    fn notify(&mut self, method: &str, parameters: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": parameters}));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(
            self.to_server,
            "Content-Length: {}\r\n\r\n{text}",
            text.len()
        )
        .unwrap();
    }

    /// Waits for the whole answer to a request. Answers are told apart by their beginnings, so that reading them takes
    /// no time that an editor would spend elsewhere.
    fn wait(&mut self, id: u64) {
        let begins = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},");
        loop {
            let message = self.read();
            if let Some(rest) = message.strip_prefix(begins.as_bytes()) {
                let answer = String::from_utf8_lossy(rest);
                assert!(answer.starts_with("\"result\""), "request {id}: {answer}");
                return;
            }
        }
    }

    fn wait_for(&mut self, is_meant: impl Fn(&Value) -> bool) {
        while !is_meant(&serde_json::from_slice(&self.read()).unwrap()) {}
    }

    fn read(&mut self) -> Vec<u8> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from_server.read_line(&mut line).unwrap();
            match line.trim_end().split_once(": ") {
                Some((_, value)) => length = value.parse().unwrap(),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.from_server.read_exact(&mut body).unwrap();
        body
    }
}
