//! Arrows between layers run down only, as across the boundaries of crates:
//! `cli → serve → workbench → search → analysis → {fluent, circuit} → gdl → {rules, prolog} → term → syntax`.
//! Siblings do not know each other, and `limits` and `drawing` know no layer at all.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first, each with those that it may use beside itself.
const LAYERS: [(&str, &[&str]); 15] = [
    ("syntax", &[]),
    ("term", &["syntax"]),
    ("rules", &["syntax", "term"]),
    ("prolog", &["syntax", "term"]),
    ("gdl", &["syntax", "term", "rules", "prolog"]),
    ("circuit", &["syntax", "term", "rules", "prolog", "gdl"]),
    ("fluent", &["syntax", "term", "rules", "prolog", "gdl"]),
    ("drawing", &[]),
    (
        "analysis",
        &[
            "syntax", "term", "rules", "prolog", "gdl", "circuit", "fluent", "drawing",
        ],
    ),
    ("decomposition", &["term", "gdl", "circuit", "drawing"]),
    ("prove", &["syntax", "term", "gdl", "circuit"]),
    (
        "search",
        &[
            "syntax",
            "term",
            "rules",
            "prolog",
            "gdl",
            "circuit",
            "fluent",
            "drawing",
            "analysis",
            "decomposition",
            "prove",
        ],
    ),
    (
        "workbench",
        &[
            "syntax",
            "term",
            "rules",
            "prolog",
            "gdl",
            "circuit",
            "fluent",
            "drawing",
            "analysis",
            "decomposition",
            "prove",
            "search",
        ],
    ),
    (
        "serve",
        &[
            "syntax",
            "term",
            "rules",
            "prolog",
            "gdl",
            "circuit",
            "fluent",
            "drawing",
            "analysis",
            "decomposition",
            "prove",
            "search",
            "workbench",
        ],
    ),
    (
        "cli",
        &[
            "syntax",
            "term",
            "rules",
            "prolog",
            "gdl",
            "circuit",
            "fluent",
            "drawing",
            "analysis",
            "decomposition",
            "prove",
            "search",
            "workbench",
            "serve",
        ],
    ),
];

#[test]
fn every_layer_uses_only_those_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for (layer, below) in LAYERS {
        let files = rust_files(&root.join(layer));
        assert!(!files.is_empty(), "the layer {layer} has no files");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for used in layers_used(&text) {
                let is_known = used == "limits" || used == layer || below.contains(&used.as_str());
                if !is_known {
                    faults.push(format!("{} uses {used}", file.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_folder_of_the_source_is_a_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(
                LAYERS.iter().any(|(layer, _)| *layer == name),
                "{name} has no place in the order of layers"
            );
        }
    }
}

#[test]
fn all_forms_of_use_are_seen() {
    let used = |text: &str| layers_used(text).join(" ");
    assert_eq!(used("use crate::cli::output;"), "cli");
    assert_eq!(used("let x = crate::gdl::Game::new();"), "gdl");
    assert_eq!(
        used("use crate::{gdl::Game, term::{Store, TermId}};"),
        "gdl term"
    );
    assert_eq!(
        used("use crate::{\n    search,\n    rules as r,\n};"),
        "search rules"
    );
    assert_eq!(used("use super::super::fluent::Effect;"), "super::super");
    assert_eq!(used("pub(in crate::rules) fn f() {}"), "rules");
    assert_eq!(
        used("//! See [`crate::cli`]\n/// and crate::search::plan.\nfn f() {}"),
        ""
    );
    assert_eq!(used("// crate::cli is above"), "");
}

/// The layers that code names, each time it does; not those that comments link to.
fn layers_used(text: &str) -> Vec<String> {
    let lines = text.lines();
    let code: Vec<&str> = lines
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n");
    let mut used = Vec::new();
    if code.contains("super::super") {
        used.push("super::super".to_owned());
    }
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => used.extend(first_names(group)),
            None => used.extend(name(rest)),
        }
    }
    // `pub(crate)` and items of the root have names of their own.
    used.retain(|name| name == "super::super" || !name.starts_with(char::is_uppercase));
    used
}

/// The first name of each path of a group in braces, which is open.
fn first_names(group: &str) -> Vec<String> {
    let (mut names, mut depth, mut starts) = (Vec::new(), 0, true);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts = true,
            _ if starts && !character.is_whitespace() => {
                names.extend(name(&group[at..]));
                starts = false;
            }
            _ => {}
        }
    }
    names
}

/// The name that a text starts with.
fn name(text: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &text[..end.unwrap_or(text.len())];
    (!name.is_empty()).then(|| name.to_owned())
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
