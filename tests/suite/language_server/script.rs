//! Cases of the language server as scripts: texts, edits and requests, and what is answered.
//!
//! ```text
//! ; a comment                      says what the case shows
//! open kb/games/nim.gdl            opens a file of the project
//! text                             opens the lines up to `end`
//! edit "old" => "new"              replaces the first occurrence
//! type "text" at "be|fore"         types it, one character a message, where the bar is
//! settle                           waits for all that the server finds out by itself
//! diagnostics                      shows what was published
//! hover "(ce|ll"                   asks at the bar in the first such place; `#2` behind it: in the second
//! rename "(ce|ll" "square"         carries out what is answered, and shows the text that comes of it
//! take "cell" at "(tr|"            the same with the proposal of this label
//! actions "(ce|ll"                 the titles of what mends the place; `fix` carries out the first one
//! lenses                           the lines above definitions: place, text, command
//! calls "(ce|ll"                   what calls the thing at the bar, and what it calls, as far as there is more
//! command "flux.why" ["goal"]      carries out a command for the document, with more arguments as JSON
//! format                           the same; `format "|(p" "q)|"`: of a range
//! ```

use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, position};
use super::edits;

/// Runs a script; gives its lines, each with what it shows.
pub(super) fn run(script: &str) -> String {
    let mut client = Client::start();
    client.initialize();
    let mut shown = String::new();
    let mut lines = script.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        if command == "text" {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "end").collect();
            client.open("file:///sheet.gdl", &(text.join("\n") + "\n"));
            continue;
        }
        if let Some(answer) = carry_out(&mut client, command, rest) {
            shown += &format!("> {line}\n{}\n\n", show(&client, answer));
        }
    }
    client.shut_down();
    shown
}

/// Carries out one line; gives what is to be shown of it.
fn carry_out(client: &mut Client, command: &str, rest: &str) -> Option<Value> {
    match command {
        "open" => {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(rest);
            client.open("file:///sheet.gdl", &std::fs::read_to_string(path).unwrap());
            return None;
        }
        "edit" => {
            let (old, new) = rest.split_once(" => ").unwrap();
            let (old, new) = (unquote(old), unquote(new));
            let start = client.text.find(&old).unwrap();
            client.edit(start, start + old.len(), &new);
            return None;
        }
        "type" => {
            let (text, place) = rest.split_once(" at ").unwrap();
            let mut at = offset(&client.text, place);
            for character in unquote(text).chars() {
                client.edit(at, at, &character.to_string());
                at += character.len_utf8();
            }
            return None;
        }
        "settle" => {
            client.settle();
            return None;
        }
        "calls" => return Some(calls(client, rest)),
        "rename" | "format" | "take" | "fix" => return Some(change(client, command, rest)),
        "diagnostics" => return client.published.as_ref().map(|(_, found)| found.clone()),
        _ => {}
    }
    Some(request(client, command, rest))
}

/// Sends a request by its short name.
fn request(client: &mut Client, command: &str, rest: &str) -> Value {
    let document = json!({"uri": client.uri});
    let whole =
        json!({"start": {"line": 0, "character": 0}, "end": {"line": 1_000_000, "character": 0}});
    let of_document = |method: &str| (method.to_owned(), json!({"textDocument": document}));
    let (method, parameters) = match command {
        "symbols" => of_document("textDocument/documentSymbol"),
        "folds" => of_document("textDocument/foldingRange"),
        "hover" | "definition" | "documentHighlight" | "prepareRename" | "completion" => {
            let method = format!("textDocument/{command}");
            (method, client.at(offset(&client.text, rest)))
        }
        "references" | "uses" => {
            let mut parameters = client.at(offset(&client.text, rest));
            parameters["context"] = json!({"includeDeclaration": command == "references"});
            ("textDocument/references".to_owned(), parameters)
        }
        "tokens" => of_document("textDocument/semanticTokens/full"),
        "actions" => (
            "textDocument/codeAction".to_owned(),
            actions_at(client, rest),
        ),
        "workspace" => (
            "workspace/symbol".to_owned(),
            json!({"query": unquote(rest)}),
        ),
        "hints" => {
            let parameters = json!({"textDocument": document, "range": whole});
            ("textDocument/inlayHint".to_owned(), parameters)
        }
        "lenses" => of_document("textDocument/codeLens"),
        "command" => {
            let (name, arguments) = rest.split_once(' ').unwrap();
            let arguments: Value = serde_json::from_str(arguments).unwrap();
            let mut all = vec![json!(client.uri)];
            all.extend(arguments.as_array().unwrap().iter().cloned());
            let parameters = json!({"command": unquote(name), "arguments": all});
            ("workspace/executeCommand".to_owned(), parameters)
        }
        other => panic!("there is no command {other}"),
    };
    let answer = client.ask(&method, parameters);
    match command {
        "tokens" => edits::tokens(client, &answer),
        "lenses" => edits::lenses(&answer),
        "actions" => {
            let titles = answer.as_array().unwrap().iter();
            titles.map(|action| action["title"].clone()).collect()
        }
        _ => answer,
    }
}

/// The thing at a place, what calls it and what it calls, each with the places of the calls.
fn calls(client: &mut Client, place: &str) -> Value {
    let at = client.at(offset(&client.text, place));
    let items = client.ask("textDocument/prepareCallHierarchy", at);
    let Some(item) = items.get(0).cloned() else {
        return items;
    };
    let mut shown = json!({"of": edits::called(&item, &Value::Null)});
    for (direction, other) in [("incoming", "from"), ("outgoing", "to")] {
        let method = format!("callHierarchy/{direction}Calls");
        let calls = client.ask(&method, json!({"item": item}));
        let calls = calls.as_array().unwrap().iter();
        shown[direction] = calls
            .map(|call| edits::called(&call[other], &call["fromRanges"]))
            .collect();
    }
    shown
}

/// The parameters that ask for what mends a place.
fn actions_at(client: &Client, place: &str) -> Value {
    let mut parameters = client.at(offset(&client.text, place));
    let position = parameters["position"].take();
    parameters["range"] = json!({"start": position, "end": position});
    parameters["context"] = json!({"diagnostics": []});
    parameters
}

/// Carries out what is answered to a request for changes: the text, or why there are none.
fn change(client: &mut Client, command: &str, rest: &str) -> Value {
    let document = json!({"uri": client.uri});
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let edits = match command {
        "fix" => {
            let parameters = actions_at(client, rest);
            let actions = client.ask("textDocument/codeAction", parameters);
            actions[0]["edit"]["documentChanges"][0]["edits"].clone()
        }
        "take" => {
            let (label, place) = rest.split_once(" at ").unwrap();
            let parameters = client.at(offset(&client.text, place));
            let items = client.ask("textDocument/completion", parameters);
            let label = unquote(label);
            let items = items.as_array().unwrap();
            let item = items.iter().find(|item| item["label"] == json!(label));
            json!([item.unwrap_or_else(|| panic!("{label} is not proposed"))["textEdit"]])
        }
        "rename" => {
            let (place, name) = rest.split_once("\" \"").unwrap();
            let (place, name) = (format!("{place}\""), format!("\"{name}"));
            let mut parameters = client.at(offset(&client.text, &place));
            parameters["newName"] = json!(unquote(&name));
            let answer = client.ask("textDocument/rename", parameters);
            if answer.get("error").is_some() {
                return answer;
            }
            let change = &answer["documentChanges"][0];
            assert_eq!(change["textDocument"]["uri"], json!(client.uri));
            assert_eq!(change["textDocument"]["version"], json!(client.version()));
            change["edits"].clone()
        }
        _ if rest.is_empty() => client.ask(
            "textDocument/formatting",
            json!({"textDocument": document, "options": options}),
        ),
        _ => {
            let (start, end) = rest.split_once("\" \"").unwrap();
            let start = offset(&client.text, &format!("{start}\""));
            let end = offset(&client.text, &format!("\"{end}"));
            let range =
                json!({"start": position(&client.text, start), "end": position(&client.text, end)});
            client.ask(
                "textDocument/rangeFormatting",
                json!({"textDocument": document, "range": range, "options": options}),
            )
        }
    };
    let Some(changes) = edits.as_array().filter(|changes| !changes.is_empty()) else {
        return edits;
    };
    edits::apply(client, changes);
    json!({"text": client.text.clone()})
}

/// The offset of the bar in a quoted piece of text.
fn offset(text: &str, place: &str) -> usize {
    let (quoted, number) = match place.rsplit_once(" #") {
        Some((quoted, number)) => (quoted, number.parse().unwrap()),
        None => (place, 1),
    };
    let piece = unquote(quoted);
    let bar = piece.find('|').unwrap();
    let piece = piece.replacen('|', "", 1);
    let found = text.match_indices(&piece).nth(number - 1);
    found.unwrap_or_else(|| panic!("no {place}")).0 + bar
}

fn unquote(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{text} is no text in quotes"))
}

/// An answer for people: ranges as `line:column-line:column`, counted from 1, and texts of many lines below their names.
fn show(client: &Client, answer: Value) -> String {
    let mut lines = Vec::new();
    write(client, &mut lines, 0, "", &answer);
    lines.join("\n")
}

fn write(client: &Client, lines: &mut Vec<String>, depth: usize, name: &str, value: &Value) {
    let indent = "  ".repeat(depth);
    let label = if name.is_empty() {
        String::new()
    } else {
        format!("{name}: ")
    };
    let proposal = edits::proposal(value);
    if let Some(short) = proposal.or_else(|| short(client, value)) {
        lines.push(format!("{indent}{label}{short}"));
        return;
    }
    match value {
        Value::Object(fields) => {
            if !name.is_empty() {
                lines.push(format!("{indent}{name}:"));
            }
            let depth = if name.is_empty() { depth } else { depth + 1 };
            for (name, value) in fields {
                write(client, lines, depth, name, value);
            }
        }
        Value::Array(items) => {
            if !name.is_empty() {
                lines.push(format!("{indent}{name}:"));
            }
            let depth = if name.is_empty() { depth } else { depth + 1 };
            for item in items {
                let mut inner = Vec::new();
                write(client, &mut inner, 0, "", item);
                for (number, line) in inner.iter().enumerate() {
                    let mark = if number == 0 { "- " } else { "  " };
                    lines.push(format!("{}{mark}{line}", "  ".repeat(depth)));
                }
            }
        }
        Value::String(text) => {
            lines.push(format!("{indent}{name}: |"));
            lines.extend(
                text.lines()
                    .map(|line| format!("{indent}  {line}").trim_end().to_owned()),
            );
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            lines.push(format!("{indent}{label}{value}"));
        }
    }
}

/// A value that fits on a line.
fn short(client: &Client, value: &Value) -> Option<String> {
    let place = |value: &Value| {
        let line = value.get("line")?.as_u64()?;
        Some(format!(
            "{}:{}",
            line + 1,
            value.get("character")?.as_u64()? + 1
        ))
    };
    match value {
        Value::String(text) if *text == client.uri => Some("this".to_owned()),
        Value::String(text) if !text.contains('\n') => Some(text.clone()),
        Value::Object(fields) if fields.len() == 2 && fields.contains_key("end") => Some(format!(
            "{}-{}",
            place(&value["start"])?,
            place(&value["end"])?
        )),
        Value::Object(fields) if fields.len() == 2 => place(value),
        Value::Array(items) if items.is_empty() => Some("none".to_owned()),
        Value::Object(_) | Value::Array(_) | Value::String(_) => None,
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
    }
}
