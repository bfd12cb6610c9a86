//! What README.md shows is what the program prints.
//!
//! Every block marked `console` is run line by line, as a shell would, in the folder of the
//! project; what follows a command is what it prints on both streams. `[..]` stands for text that
//! differs from run to run, such as times.

use std::path::Path;
use std::process::Command;

#[test]
fn every_command_shown_prints_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md")).unwrap();
    let shown = commands(&text);
    assert!(shown.len() >= 8, "only {} commands found", shown.len());
    for (command, expected) in shown {
        let printed = run(root, &command);
        assert!(
            matches(expected.trim_end(), printed.trim_end()),
            "$ {command}\n--- README.md shows\n{expected}\n--- the program prints\n{printed}"
        );
    }
}

#[test]
fn gaps_match_any_text_within_a_line() {
    assert!(matches(
        "10 states in [..] s: done",
        "10 states in 0.25 s: done"
    ));
    assert!(!matches(
        "10 states in [..] s: done",
        "11 states in 0.25 s: done"
    ));
    assert!(!matches("a[..]b", "a\nb"));
}

/// The commands of all console blocks with what is shown behind each.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            commands.push((command.to_owned(), String::new()));
        } else if let Some((_, output)) = commands.last_mut().filter(|_| inside) {
            *output += line;
            *output += "\n";
        }
    }
    commands
}

fn run(root: &Path, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_flux"));
    let folder = binary.parent().unwrap().to_str().unwrap();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(root)
        .env("PATH", path)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn matches(expected: &str, printed: &str) -> bool {
    let (mut expected, mut printed) = (expected.lines(), printed.lines());
    loop {
        match (expected.next(), printed.next()) {
            (None, None) => return true,
            (Some(expected), Some(printed)) if line_matches(expected, printed) => {}
            _ => return false,
        }
    }
}

fn line_matches(expected: &str, printed: &str) -> bool {
    let mut parts = expected.split("[..]");
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = printed.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}
