//! Replays inputs that fuzzing found worth keeping: `tests/fuzz/<target>/*`, see `fuzz/README.md`.
//!
//! The laws are those of the fuzz targets themselves ([`crate::laws`]).

use std::path::Path;

use flux::syntax::Notation;

use crate::laws::{game_laws, syntax_laws};

#[test]
fn prefix() {
    replay("prefix", |text| syntax_laws(text, Notation::Prefix));
}

#[test]
fn infix() {
    replay("infix", |text| syntax_laws(text, Notation::Infix));
}

#[test]
fn prolog() {
    replay("prolog", |text| syntax_laws(text, Notation::Prolog));
}

#[test]
fn rules() {
    replay("rules", game_laws);
}

/// Checks the laws on every input of a target.
fn replay(target: &str, laws: impl Fn(&str) -> Result<(), String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fuzz")
        .join(target);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let text = String::from_utf8(std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(laws(&text), Ok(()), "{}", path.display());
    }
}
