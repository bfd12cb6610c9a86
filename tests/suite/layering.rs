//! Arrows between layers run down only:
//! `cli → search → analysis → {fluent, circuit} → gdl → {rules, prolog} → term → syntax`.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers that exist so far, lowest first.
const LAYERS: [&str; 11] = [
    "syntax", "term", "rules", "prolog", "gdl", "circuit", "fluent", "drawing", "analysis",
    "search", "cli",
];

#[test]
fn no_module_reaches_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for (height, layer) in LAYERS.iter().enumerate() {
        let files = rust_files(&root.join(layer));
        assert!(!files.is_empty(), "the layer {layer} has no files");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            for upper in &LAYERS[height + 1..] {
                if mentions(&text, upper) {
                    faults.push(format!("{} uses crate::{upper}", file.display()));
                }
            }
            if text.contains("super::super") || text.contains("use crate::{") {
                faults.push(format!(
                    "{} names a module by a path that hides its layer",
                    file.display()
                ));
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
                LAYERS.contains(&name),
                "{name} has no place in the order of layers"
            );
        }
    }
}

#[test]
fn a_reach_up_is_noticed() {
    assert!(mentions("use crate::cli::output;", "cli"));
    assert!(mentions("let x = crate::gdl::Game::new();", "gdl"));
    assert!(!mentions("use crate::limits;", "gdl"));
}

/// Whether code, not a comment that links to documentation, names a layer.
fn mentions(text: &str, layer: &str) -> bool {
    let path = format!("crate::{layer}::");
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.into_iter().any(|line| line.contains(&path))
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
