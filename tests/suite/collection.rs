//! Where the games are that tests play.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// A folder of material that does not belong to the repository: rule sheets of others. It stands below the
/// folder that `FLUX_MATERIAL` names. Tests that need it are ignored unless somebody asks for them.
///
/// # Panics
/// If there is no such folder, so that nothing passes without its subject.
pub(crate) fn material(folder: &str) -> PathBuf {
    let Some(all) = std::env::var_os("FLUX_MATERIAL") else {
        panic!("FLUX_MATERIAL names no folder of material");
    };
    // Tests run in the folder of the project.
    let path = root().join(all).join(folder);
    assert!(path.is_dir(), "there is no {}", path.display());
    say(&format!("with material: {}", path.display()));
    path
}

/// SWI-Prolog, for tests that are asked for.
///
/// # Panics
/// If it is not installed.
pub(crate) fn swi_prolog() -> Command {
    let version = Command::new("swipl").arg("--version").output();
    let version = version.expect("SWI-Prolog is not installed");
    say(&format!(
        "with {}",
        String::from_utf8_lossy(&version.stdout).trim()
    ));
    Command::new("swipl")
}

/// Says what a test stands on, also where the output of tests that pass is not shown.
fn say(text: &str) {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "{name}: {text}");
}

/// The files of a folder with an extension, in the order of their names.
///
/// # Panics
/// If there is no such folder.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

/// The rule sheets in a folder and below it, in the order of their paths.
///
/// # Panics
/// If there are none.
pub(crate) fn games_below(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "gdl" || e == "kif") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no rule sheets below {}", root.display());
    found
}
