//! Changes that a server answers, carried out as editors do.

use serde_json::{Value, json};

use super::client::{Client, offset};

/// Carries out changes, all of which are in places of the same text.
pub(super) fn apply(client: &mut Client, edits: &[Value]) {
    let place = |edit: &Value| {
        let range = &edit["range"];
        let start = offset(&client.text, &range["start"]);
        (start, offset(&client.text, &range["end"]))
    };
    let mut places: Vec<(usize, usize, String)> = edits
        .iter()
        .map(|edit| {
            let (start, end) = place(edit);
            let text = edit["newText"].as_str().unwrap();
            (start, end, text.to_owned())
        })
        .collect();
    places.sort_by_key(|&(start, ..)| start);
    for pair in places.windows(2) {
        assert!(pair[0].1 <= pair[1].0, "changes overlap: {pair:?}");
    }
    for (start, end, text) in places.into_iter().rev() {
        client.edit(start, end, &text);
    }
}

/// A proposal on one line: kind, label, what is said of it, what is written.
pub(super) fn proposal(value: &Value) -> Option<String> {
    let label = value.get("label")?.as_str()?;
    let edit = value.get("textEdit")?;
    let kind = match value["kind"].as_u64()? {
        2 => "move",
        3 => "relation",
        4 => "function",
        5 => "fluent",
        6 => "variable",
        7 => "role",
        12 => "constant",
        14 => "keyword",
        other => return Some(format!("kind {other}")),
    };
    let detail = value.get("detail").and_then(Value::as_str);
    let detail = detail.map_or(String::new(), |detail| format!(" ({detail})"));
    let text = edit["newText"].as_str()?;
    let written = if text == label {
        String::new()
    } else {
        format!(" → {text}")
    };
    Some(format!("{kind} {label}{detail}{written}").replace('\n', "⏎"))
}

/// The tokens of an answer: `line:column text kind`, with a mark where the name is defined.
pub(super) fn tokens(client: &Client, answer: &Value) -> Value {
    const KINDS: [&str; 9] = [
        "keyword", "relation", "fluent", "move", "role", "constant", "number", "variable",
        "comment",
    ];
    let data: Vec<u64> = answer["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_u64().unwrap())
        .collect();
    let (mut line, mut column) = (0, 0);
    let mut shown = Vec::new();
    for token in data.chunks(5) {
        column = match token[0] {
            0 => column + token[1],
            _ => token[1],
        };
        line += token[0];
        let at = |column: u64| offset(&client.text, &json!({"line": line, "character": column}));
        let text = &client.text[at(column)..at(column + token[2])];
        let mark = if token[4] == 1 { ", defined" } else { "" };
        let kind = KINDS[token[3] as usize];
        shown.push(format!("{}:{} {text} {kind}{mark}", line + 1, column + 1));
    }
    json!({"tokens": shown.join("\n")})
}

/// The lenses of an answer, one a line: `line:column text`, with the command and what it is given beside the document.
pub(super) fn lenses(answer: &Value) -> Value {
    let lenses = answer.as_array().unwrap().iter();
    let lines = lenses.map(|lens| {
        let command = &lens["command"];
        let start = place(&lens["range"]["start"]);
        let title = command["title"].as_str().unwrap();
        match command["command"].as_str().unwrap() {
            "" => format!("{start} {title}"),
            name => {
                let more = command["arguments"].as_array().unwrap().get(1);
                let more = more.map_or(String::new(), |goal| format!(" {goal}"));
                format!("{start} {title} → {name}{more}")
            }
        }
    });
    let lines: Vec<String> = lines.collect();
    json!({"lenses": lines.join("\n")})
}

/// An entry of the call hierarchy on one line, with the places of the calls.
pub(super) fn called(item: &Value, places: &Value) -> Value {
    let name = item["name"].as_str().unwrap();
    let detail = item["detail"].as_str().unwrap();
    let start = place(&item["selectionRange"]["start"]);
    let places = places.as_array().map_or(&[] as &[Value], Vec::as_slice);
    let places: Vec<String> = places.iter().map(|range| place(&range["start"])).collect();
    let places = if places.is_empty() {
        String::new()
    } else {
        format!(", called at {}", places.join(" "))
    };
    json!(format!("{detail} {name} at {start}{places}"))
}

/// `line:column` from 1.
fn place(position: &Value) -> String {
    let line = position["line"].as_u64().unwrap() + 1;
    let column = position["character"].as_u64().unwrap() + 1;
    format!("{line}:{column}")
}
