//! Where the games are that tests play.

use std::path::{Path, PathBuf};

/// The sample games, in the order of their names.
pub(crate) fn sample_games() -> Vec<PathBuf> {
    let games = files(&root().join("kb/games"), "gdl");
    assert!(games.len() >= 19, "only {} sample games found", games.len());
    games
}

/// The folder of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder with an extension, in the order of their names; none, and a word about it, if
/// there is no such folder.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("skipped: there is no {}", folder.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

/// The rule sheets in a folder and below it, in the order of their paths; none if there is no such folder.
pub(crate) fn games_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "gdl" || e == "kif") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
