//! The language server, as editors meet it: the program itself over its standard input and output.
//!
//! Cases are scripts in `tests/lsp`, see [`script`]; what is wrong with messages, not with sheets, is tested here.

mod client;
mod edits;
mod script;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use client::Client;

#[test]
fn scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lsp");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    let _guard = settings.bind_to_scope();
    let entries = std::fs::read_dir(&folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|it| it == "txt"))
        .collect();
    paths.sort();
    assert_ne!(paths, [] as [PathBuf; 0]);
    for path in paths {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let shown = script::run(&std::fs::read_to_string(&path).unwrap());
        insta::assert_snapshot!(stem, shown);
    }
}

#[test]
fn requests_before_initialize_are_refused() {
    let mut client = Client::start();
    let answer = client.ask("textDocument/hover", json!({}));
    assert_eq!(answer["error"]["code"], -32002);
    // A notification is dropped.
    client.tell("textDocument/didOpen", json!({}));
    client.initialize();
    assert_eq!(client.ask("initialize", json!({}))["error"]["code"], -32600);
    client.shut_down();
}

#[test]
fn the_exit_code_says_if_the_client_shut_down_first() {
    let mut client = Client::start();
    client.initialize();
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), 1);
    let mut client = Client::start();
    client.initialize();
    client.ask("shutdown", Value::Null);
    let answer = client.ask("textDocument/hover", json!({}));
    assert_eq!(answer["error"]["code"], -32600);
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), 0);
    // The stream ends in the middle of a message.
    let mut client = Client::start();
    client.send_bytes(b"Content-Length: 100\r\n\r\n{");
    assert_eq!(client.end(), 1);
}

#[test]
fn what_is_no_message_is_answered_and_the_next_one_is_understood() {
    let mut client = Client::start();
    client.initialize();
    for broken in [
        "Content-Length: 3\r\n\r\n{{{",
        "Content-Length: 2\r\n\r\n[]",
        "no header at all\n",
        "Content-Length: many\r\n",
    ] {
        client.send_bytes(broken.as_bytes());
        let answer = client.next();
        assert_eq!(answer["error"]["code"], -32700, "{broken}: {answer}");
        assert_eq!(answer["id"], Value::Null);
    }
    // Nested deeper than any reader goes.
    let deep = format!("{{\"params\":{}", "[".repeat(1_000_000));
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{deep}", deep.len()).as_bytes());
    assert_eq!(client.next()["error"]["code"], -32700);
    assert_eq!(client.ask("no/such", json!({}))["error"]["code"], -32601);
    let answer = client.ask("textDocument/hover", json!({"position": 7}));
    assert_eq!(answer["error"]["code"], -32602);
    client.shut_down();
}

#[test]
fn places_and_documents_that_are_not_there_have_no_answers() {
    let mut client = Client::start();
    client.initialize();
    let nowhere =
        json!({"textDocument": {"uri": "file:///other"}, "position": {"line": 0, "character": 0}});
    assert_eq!(
        client.ask("textDocument/hover", nowhere)["error"]["code"],
        -32602
    );
    client.open("file:///sheet.gdl", "(role r😀)\n");
    for (line, character) in [
        (9, 0),
        (0, 99),
        (4_294_967_295_u32, 4_294_967_295_u32),
        (1, 0),
    ] {
        let place = json!({"line": line, "character": character});
        let parameters = json!({"textDocument": {"uri": client.uri}, "position": place});
        let answer = client.ask("textDocument/hover", parameters);
        assert_eq!(answer, Value::Null, "{line}:{character}");
    }
    // In the middle of a pair of surrogates: the character before counts.
    let place = json!({"line": 0, "character": 8});
    let parameters = json!({"textDocument": {"uri": client.uri}, "position": place});
    let answer = client.ask("textDocument/hover", parameters);
    assert_eq!(answer["range"]["end"]["character"], 9);
    // An edit in the wrong order of places, in a document that is open and in one that is not.
    for uri in ["file:///sheet.gdl", "file:///other"] {
        let range =
            json!({"start": {"line": 5, "character": 0}, "end": {"line": 0, "character": 0}});
        let change = json!({"range": range, "text": "(role s)"});
        let document = json!({"uri": uri, "version": 2});
        client.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [change]}),
        );
    }
    let symbols = client.ask(
        "textDocument/documentSymbol",
        json!({"textDocument": {"uri": client.uri}}),
    );
    assert_eq!(symbols.as_array().unwrap().len(), 2, "{symbols}");
    client.shut_down();
}

/// The first version of a document that is opened again has another text than its first version before.
#[test]
fn a_document_opened_again_is_asked_about_as_it_is() {
    let mut client = Client::start();
    client.initialize();
    for fact in ["(init (on a))", "(init (off a))"] {
        let rules = "(role r) (legal r m) (<= terminal (true (on a))) (goal r 50)";
        client.open("file:///sheet.gdl", &format!("{fact} {rules}\n"));
        let parameters = json!({"command": "flux.why", "arguments": [client.uri, "terminal"]});
        let answer = client.ask("workspace/executeCommand", parameters);
        assert_eq!(answer["holds"], fact.contains("on"), "{answer}");
        let document = json!({"uri": client.uri});
        client.tell("textDocument/didClose", json!({"textDocument": document}));
    }
    client.shut_down();
}

/// A move with the effect that each of so many fluents is lost, and 10 lines of axioms more.
fn losing(fluents: usize) -> String {
    let rules = (1..=fluents).map(|number| {
        format!("(init f{number})\n(<= (next f{number}) (true f{number}) (does r keep))\n")
    });
    let rules: String = rules.collect();
    format!(
        "(role r)\n(legal r lose)\n(legal r keep)\n(<= terminal (not (true f1)))\n(goal r 0)\n{rules}"
    )
}

#[test]
fn axioms_are_cut_only_where_a_line_is_left_out() {
    let mut client = Client::start();
    client.initialize();
    for (fluents, lines, is_cut) in [(29, 39, false), (30, 40, false), (31, 41, true)] {
        client.open("file:///sheet.gdl", &losing(fluents));
        client.settle();
        let at = client.at(client.text.find("lose").unwrap());
        let hover = client.ask("textDocument/hover", at);
        let markdown = hover["contents"]["value"].as_str().unwrap();
        let (_, axioms) = markdown.split_once("```text\n").unwrap();
        let (axioms, _) = axioms.split_once("\n```").unwrap();
        assert_eq!(axioms.lines().count(), lines, "{axioms}");
        assert_eq!(axioms.ends_with('…'), is_cut, "{axioms}");
    }
    client.shut_down();
}

#[test]
fn sheets_of_any_depth_and_size_are_read() {
    let mut client = Client::start();
    client.initialize();
    let deep = format!("(role {}a{})", "(f ".repeat(200_000), ")".repeat(200_000));
    for text in [
        deep,
        "(".repeat(300_000),
        "(p a) ".repeat(100_000),
        "p(ä). ".repeat(100_000),
    ] {
        client.open("file:///sheet.gdl", &text);
        let document = json!({"uri": client.uri});
        let of_document = json!({"textDocument": document});
        let middle = client.at(text.len() / 6 * 3);
        let range =
            json!({"start": client.at(0)["position"], "end": client.at(text.len())["position"]});
        let of_range =
            json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
        for (method, parameters) in [
            ("hover", &middle),
            ("completion", &middle),
            ("documentHighlight", &middle),
            ("prepareCallHierarchy", &middle),
            ("documentSymbol", &of_document),
            ("semanticTokens/full", &of_document),
            ("foldingRange", &of_document),
            ("codeLens", &of_document),
            ("inlayHint", &of_range),
            ("codeAction", &of_range),
        ] {
            let answer = client.ask(&format!("textDocument/{method}"), parameters.clone());
            assert!(answer.get("error").is_none(), "{method}: {answer}");
        }
        // Typed at the end of the line, and studied to the end.
        client.edit(text.len(), text.len(), " ");
        client.settle_diagnostics();
    }
    client.shut_down();
}
