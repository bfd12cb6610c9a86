//! Changes that a server answers, carried out as editors do.

use serde_json::Value;

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
    let written = match text == label {
        true => String::new(),
        false => format!(" → {text}"),
    };
    Some(format!("{kind} {label}{detail}{written}").replace('\n', "⏎"))
}
