//! What commands print as JSON is what their schemas say, and the published schemas are those of the program.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::collection::sample_games;

pub(crate) fn flux(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .output()
        .unwrap();
    assert_ne!(output.status.code(), Some(4), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// `flux schema --out docs/schemas` brings them up to date.
#[test]
fn published_schemas_are_those_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    flux(&["schema", "--out", folder.path().to_str().unwrap()]);
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
    let names = |folder: &Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    assert_eq!(names(&published), names(folder.path()));
    for name in names(&published) {
        let [here, there] = [&published, folder.path()]
            .map(|folder| std::fs::read_to_string(folder.join(&name)).unwrap());
        assert_eq!(here, there, "{name}: run flux schema --out docs/schemas");
    }
    let listed: BTreeSet<String> = flux(&["schema"])
        .lines()
        .map(|name| format!("{name}.json"))
        .collect();
    assert_eq!(listed, names(&published));
}

#[test]
fn outputs_are_as_described() {
    let folder = tempfile::tempdir().unwrap();
    let stuck = folder.path().join("stuck.kif");
    let rules =
        "(role r) (init (f a)) (<= (legal r go) (true (f b))) (<= (next (f ?x)) (true (f ?x)))
        (<= terminal (true (f c))) (goal r 50)";
    std::fs::write(&stuck, rules).unwrap();
    let stuck = stuck.to_str().unwrap();
    let games = sample_games();
    let games: Vec<&str> = games.iter().map(|path| path.to_str().unwrap()).collect();
    for game in games.into_iter().chain([stuck, "docs/broken.kif"]) {
        let is_readable = game != "docs/broken.kif";
        let name = |name: &'static str| if is_readable { name } else { "error" };
        matches("check", &["check", game, "--format", "json"]);
        matches(
            name("query"),
            &["query", game, "(legal ?r ?m)", "--format", "json"],
        );
        matches(
            name("playout"),
            &["playout", game, "-n", "3", "--format", "json"],
        );
        matches(name("translate"), &["translate", game, "--to", "json"]);
        matches(name("analyze"), &["analyze", game, "--format", "json"]);
        matches(name("ground"), &["ground", game, "--format", "json"]);
        if is_readable {
            matches("trace", &["trace", game]);
        }
    }
    matches("repair", &["repair", stuck, "--format", "json"]);
    let connect_four = "kb/games/connect_four.gdl";
    for game in [stuck, "kb/games/nim.gdl", "kb/games/two_graphs.gdl"] {
        matches("verify", &["translate", game, "--verify", "--to", "json"]);
        matches("decompose", &["decompose", game, "--format", "json"]);
        matches("prove", &["prove", game, "--format", "json"]);
    }
    for game in ["kb/games/incredible.gdl", "kb/games/two_graphs.gdl", stuck] {
        matches("solve", &["solve", game, "--shortest", "--format", "json"]);
    }
    matches(
        "solve-several",
        &["solve", "kb/games/nim.gdl", "--format", "json"],
    );
    let strong = ["solve", "kb/games/nim.gdl", "--strong", "--format", "json"];
    matches("solve-several", &strong);
    let limit = ["--max-rules", "10", "--format", "json"];
    matches("error", &[&["ground", connect_four][..], &limit].concat());
    matches(
        "error",
        &["query", connect_four, "lega(X)", "--format", "json"],
    );
}

/// Runs a command and holds every line that it prints against a schema.
#[track_caller]
fn matches(name: &str, command: &[&str]) {
    let schema: Value = serde_json::from_str(&flux(&["schema", name])).unwrap();
    let printed = flux(command);
    assert!(!printed.is_empty(), "{command:?}");
    for line in printed.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let faults = faults(&schema, &schema, &value, "$");
        assert!(
            faults.is_empty(),
            "{command:?}\n{}\n{line}",
            faults.join("\n")
        );
    }
}

/// What is wrong with a value, as far as schemas of this program go; members that a schema does not name are wrong.
pub(crate) fn faults(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let Some(rules) = schema.as_object() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if let Some(reference) = rules.get("$ref").and_then(Value::as_str) {
        let target = root.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        found.extend(faults(root, target, value, place));
    }
    if let Some(types) = rules.get("type") {
        let types = match types {
            Value::Array(types) => types.clone(),
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Object(_) => {
                vec![types.clone()]
            }
        };
        if !types
            .iter()
            .any(|name| has_type(value, name.as_str().unwrap()))
        {
            found.push(format!("{place}: {value} is not of type {types:?}"));
        }
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(schemas) = rules.get(choice).and_then(Value::as_array) {
            let fits = |schema: &&Value| faults(root, schema, value, place).is_empty();
            if !schemas.iter().any(|schema| fits(&schema)) {
                found.push(format!("{place}: {value} fits none of {choice}"));
            }
        }
    }
    if let Some(expected) = rules.get("const").filter(|&expected| expected != value) {
        found.push(format!("{place}: {value} is not {expected}"));
    }
    if let Some(names) = rules.get("enum").and_then(Value::as_array)
        && !names.contains(value)
    {
        found.push(format!("{place}: {value} is none of {names:?}"));
    }
    if let Some(bound) = rules.get("minimum").and_then(Value::as_f64)
        && value.as_f64().is_some_and(|number| number < bound)
    {
        found.push(format!("{place}: {value} is less than {bound}"));
    }
    match value {
        Value::Object(members) => {
            for name in rules
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                if !members.contains_key(name.as_str().unwrap()) {
                    found.push(format!("{place}: {name} is missing"));
                }
            }
            let properties = rules.get("properties").and_then(Value::as_object);
            let others = rules.get("additionalProperties");
            for (name, member) in members {
                let place = format!("{place}.{name}");
                match (properties.and_then(|known| known.get(name)), others) {
                    (Some(schema), _) => found.extend(faults(root, schema, member, &place)),
                    (None, Some(Value::Bool(false))) => found.push(format!("{place} is unknown")),
                    (None, Some(schema)) => found.extend(faults(root, schema, member, &place)),
                    (None, None) if properties.is_some() => {
                        found.push(format!("{place} is unknown"));
                    }
                    (None, None) => {}
                }
            }
        }
        Value::Array(items) => {
            let first = rules.get("prefixItems").and_then(Value::as_array);
            let rest = rules.get("items");
            for (number, item) in items.iter().enumerate() {
                let schema = first.and_then(|first| first.get(number)).or(rest);
                if let Some(schema) = schema {
                    found.extend(faults(root, schema, item, &format!("{place}[{number}]")));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type {other}"),
    }
}

/// A schema that forbids nothing would let everything pass.
#[test]
fn schemas_forbid_what_is_not_printed() {
    let schema: Value = serde_json::from_str(&flux(&["schema", "playout"])).unwrap();
    let printed = flux(&["playout", "kb/games/nim.gdl", "-n", "1", "--format", "json"]);
    let value: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(faults(&schema, &schema, &value, "$"), [""; 0]);
    for (name, wrong) in [
        ("playouts", "3".into()),
        ("more", Value::Null),
        ("lengths", Value::Null),
    ] {
        let mut value = value.clone();
        value[name] = wrong;
        assert_ne!(faults(&schema, &schema, &value, "$"), [""; 0], "{name}");
    }
    let mut value = value;
    value.as_object_mut().unwrap().remove("goals");
    assert_ne!(faults(&schema, &schema, &value, "$"), [""; 0]);
}
