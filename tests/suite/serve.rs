//! The protocol of `flux serve`, spoken as another program does: scripts, walks beside `flux trace`, and what is wrong
//! or comes at the wrong time.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::collection::sample_games;
use crate::schemas::{faults, flux};

/// A running server.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(game: Option<&str>) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_flux"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("serve")
            .args(game)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            input,
            output,
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next message that does not merely say how far work is.
    fn message(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "no message");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message.get("progress").is_none() {
                return message;
            }
        }
    }

    fn ask(&mut self, line: &str) -> Value {
        self.send(line);
        self.message()
    }

    /// The result of a request that can be done.
    fn result(&mut self, request: &Value) -> Value {
        let message = self.ask(&request.to_string());
        assert!(message.get("result").is_some(), "{request}: {message}");
        message["result"].clone()
    }

    /// Ends the input; gives the exit code.
    fn end(mut self) -> Option<i32> {
        self.input.take();
        self.child.wait().unwrap().code()
    }
}

/// A script: a comment that begins with the game, `-` for none, then requests, each answered before the next is sent.
#[test]
fn scripts() {
    let schema: Value = serde_json::from_str(&flux(&["schema", "serve-message"])).unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_suffix("");
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../serve");
    settings.bind(|| {
        insta::glob!("../serve", "*.jsonl", |path| {
            let text = std::fs::read_to_string(path).unwrap();
            let (comment, requests) = text.split_once('\n').unwrap();
            let (game, _) = comment.strip_prefix("# ").unwrap().split_once(':').unwrap();
            let mut server = Server::start(Some(game).filter(|&game| game != "-"));
            let mut told = String::new();
            for request in requests.lines() {
                let mut message = server.ask(request);
                let faults = faults(&schema, &schema, &message, "$");
                assert!(faults.is_empty(), "{request}: {faults:?}");
                if let Some(seconds) = message.pointer_mut("/result/seconds") {
                    *seconds = json!("some");
                }
                told += &format!("{request}\n{}\n\n", readable(&message));
            }
            assert_eq!(server.end(), Some(0));
            let name = path.file_stem().unwrap().to_str().unwrap();
            insta::assert_snapshot!(name, told);
        });
    });
}

/// JSON with one member of the result a line.
fn readable(message: &Value) -> String {
    let Some(Value::Object(result)) = message.get("result") else {
        return message.to_string();
    };
    let members = result.iter().map(|(name, value)| {
        let items = value
            .as_array()
            .filter(|items| items.iter().any(Value::is_object));
        let Some(items) = items else {
            return format!("  {name}: {value}");
        };
        let items = items.iter().map(|item| format!("\n      {item}"));
        format!("  {name}: [{}\n  ]", items.collect::<String>())
    });
    members.collect::<Vec<String>>().join("\n")
}

/// What `state` says at every step is what `flux trace` prints, and the effects are the changes.
#[test]
fn walks_are_those_of_trace() {
    let folder = tempfile::tempdir().unwrap();
    for game in sample_games() {
        let game = game.to_str().unwrap();
        let mut server = Server::start(Some(game));
        let mut visited = vec![server.result(&json!({"id": 0, "request": "state"}))];
        let mut made = String::new();
        for seed in 0..30 {
            let last = visited.last().unwrap();
            if last["terminal"] == true {
                break;
            }
            let random = json!({"id": 1, "request": "random", "seed": seed});
            let next = server.result(&random);
            let moves = next["moves"].clone();
            let effects = json!({"id": 2, "request": "effects", "moves": moves, "at": last["at"]});
            agree(&server.result(&effects), &next["changes"], game);
            made += &format!("{moves}\n");
            visited.push(next);
        }
        let file = folder.path().join("moves");
        std::fs::write(&file, made).unwrap();
        let traced = flux(&["trace", game, "--moves", file.to_str().unwrap()]);
        let traced: Vec<Value> = traced
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(traced.len(), visited.len(), "{game}");
        for (traced, visited) in traced.iter().zip(&visited) {
            for (name, value) in traced.as_object().unwrap() {
                assert_eq!(value, &visited[name], "{game}: {name}");
            }
        }
        assert_eq!(server.end(), Some(0));
    }
}

/// The effects of a move are what differs between the states before and after it.
#[track_caller]
fn agree(effects: &Value, changes: &Value, game: &str) {
    for (sign, name) in [("-", "gone"), ("+", "come")] {
        let of_sign = effects["changes"].as_array().unwrap().iter();
        let fluents = of_sign.filter(|change| change["sign"] == sign);
        let fluents: Vec<Value> = fluents.map(|change| change["fluent"].clone()).collect();
        assert_eq!(Value::Array(fluents), changes[name], "{game}: {name}");
    }
}

#[test]
fn work_is_cancelled_and_the_session_goes_on() {
    let mut server = Server::start(Some("kb/games/connect_four.gdl"));
    server.send(r#"{"id":"long","request":"playout","playouts":4000000000000}"#);
    server.send(r#"{"id":"later","request":"state"}"#);
    server.send(r#"{"id":"long","request":"state"}"#);
    let twice = server.message();
    assert_eq!(twice["error"]["code"], "id-in-use");
    server.send(r#"{"id":"stop later","request":"cancel","target":"later"}"#);
    assert_eq!(server.message()["result"]["cancelled"], true);
    // The queue is as it was: the long request is worked on, or about to be.
    let progress = {
        let mut line = String::new();
        server.output.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()
    };
    assert_eq!(progress["id"], "long");
    assert!(progress["progress"]["stage"].is_string());
    server.send(r#"{"id":"stop","request":"cancel","target":"long"}"#);
    let mut seen = vec![server.message(), server.message(), server.message()];
    seen.sort_by_key(|message| message["id"].to_string());
    assert_eq!(seen[0]["error"]["code"], "cancelled", "{seen:?}");
    assert_eq!(seen[1]["id"], "long");
    assert_eq!(seen[1]["result"]["stopped"], "cancelled");
    assert_eq!(seen[2]["result"]["cancelled"], true);
    let state = server.ask(r#"{"id":"long","request":"state"}"#);
    assert_eq!(state["result"]["step"], 0);
    let limited =
        server.ask(r#"{"id":1,"request":"playout","playouts":4000000000000,"max_seconds":0.1}"#);
    assert_eq!(limited["result"]["stopped"], "time limit reached");
    assert_eq!(server.end(), Some(0));
}

/// Whoever reads the answers goes away in the middle of the work.
#[test]
fn a_closed_pipe_ends_the_server() {
    let mut server = Server::start(Some("kb/games/nim.gdl"));
    server.ask(r#"{"id":1,"request":"state"}"#);
    let Server {
        mut child,
        input,
        output,
    } = server;
    drop(output);
    let mut input = input.unwrap();
    for id in 0..1000 {
        if writeln!(input, r#"{{"id":{id},"request":"state"}}"#).is_err() {
            break;
        }
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_game_that_cannot_be_played_is_refused_at_the_start() {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(["serve", "docs/broken.kif"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
    assert!(!output.stderr.is_empty());
}
