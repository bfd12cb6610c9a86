//! The REPL: transcripts through a pipe (`tests/repl/*.txt`), and a person at a terminal.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::collection::files;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// What a session prints, on both streams in order, and its exit code. The first line of the
/// input may name files to start with: `# files: a.gdl b.pl`.
fn transcript(input: &str) -> String {
    let files = input
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("# files:"))
        .unwrap_or("");
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
    command
        .current_dir(ROOT)
        .args(["repl", "--echo", "--max-seconds", "60"])
        .args(files.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(writer.try_clone().unwrap())
        .stderr(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let feeder = std::thread::spawn(move || {
        // A session that ends early leaves the rest unread.
        let _ = stdin.write_all(input.as_bytes());
    });
    let text = std::io::read_to_string(&mut reader).unwrap();
    feeder.join().unwrap();
    let code = child.wait().unwrap().code();
    format!("{text}----- exit {}\n", code.unwrap())
}

#[test]
fn transcripts() {
    let folder = Path::new(ROOT).join("tests/repl");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    let _guard = settings.bind_to_scope();
    let cases = files(&folder, "txt");
    assert!(!cases.is_empty());
    for path in cases {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let input = std::fs::read_to_string(&path).unwrap();
        insta::assert_snapshot!(name, transcript(&input));
    }
}

#[test]
fn exit_codes_tell_how_it_went() {
    for (input, code) in [
        ("", 0),
        ("true.\n", 0),
        ("fail.\n", 1),
        ("fail.\ntrue.\n", 0),
        ("p(\ntrue.\n", 3),
        (":nonsense\ntrue.\n", 3),
        (":set steps 100\nrepeat, fail.\n", 2),
        (":set steps 100\n:why repeat, fail\n", 2),
        (":load kb/games/blocks_world.gdl\n:solve\n", 0),
        ("fail.\n:load kb/games/blocks_world.gdl\n:solve\n", 0),
        (":load tests/repl/endless.gdl\n:solve\n", 1),
        (":load tests/repl/endless.gdl\n:why-edge go -> a(+)\n", 1),
        (":load tests/repl/endless.gdl\n:why-edge a\n", 3),
        ("halt.\nfail.\n", 0),
        ("halt(5).\n", 5),
        ("% a comment\n\nfail.\n:quit\ntrue.\n", 1),
        ("X = 1", 0),
    ] {
        let transcript = transcript(input);
        let last = format!("----- exit {code}\n");
        assert!(transcript.ends_with(&last), "{input:?}\n{transcript}");
    }
}

/// No colours, no prompts: what is printed is answers alone.
#[test]
fn a_pipe_gets_plain_text() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
    let mut child = command
        .args(["repl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"X = 1 ; X = 2.\nfail.\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "X = 1\nX = 2\n(2 answers)\nfalse\n");
}

#[cfg(unix)]
mod terminal {
    use super::*;
    use rexpect::session::{PtySession, spawn_command};

    /// Milliseconds after which a test gives up waiting.
    const PATIENCE: u64 = 60_000;

    const TAB: &str = "\t";
    const UP: &str = "\x1b[A";
    const CTRL_RIGHT: &str = "\x1b[1;5C";
    const KEYPAD_DOWN: &str = "\x1bOB";
    const ESCAPE: &str = "\x1b";

    fn start(files: &[&str], history: &Path) -> PtySession {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
        command
            .current_dir(ROOT)
            .env("TERM", "xterm")
            .env("FLUX_HISTORY", history)
            .arg("repl")
            .args(files);
        let mut session = spawn_command(command, Some(PATIENCE)).unwrap();
        session.exp_string("?- ").unwrap();
        session
    }

    fn press(session: &mut PtySession, keys: &str) {
        session.send(keys).unwrap();
        session.flush().unwrap();
    }

    fn history_of(test: &str) -> std::path::PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let file = folder.join(format!("history-{test}-{}", std::process::id()));
        let _ = std::fs::remove_file(&file);
        file
    }

    /// Types a line, and waits until it is asked for the next.
    fn enter(session: &mut PtySession, line: &str, expected: &str) {
        press(session, line);
        press(session, "\r");
        session.exp_string(expected).unwrap();
        session.exp_string("?- ").unwrap();
    }

    #[test]
    fn answers_come_one_at_a_time() {
        let history = history_of("answers");
        let mut session = start(&["kb/games/blocks_world.gdl"], &history);
        press(&mut session, "(legal robot ?m)\r");
        session.exp_string("?m = (s b c)").unwrap();
        press(&mut session, ";");
        session.exp_string("?m = (u c a)").unwrap();
        session.exp_string("(2 answers)").unwrap();
        session.exp_string("?- ").unwrap();
        // Enter stops after the first answer.
        press(&mut session, "succ(X, Y)\r");
        session.exp_string("X = 1, Y = 2").unwrap();
        press(&mut session, "\r");
        session.exp_string("?- ").unwrap();
        // `a` prints all.
        press(&mut session, "succ(X, Y)\r");
        session.exp_string("X = 1, Y = 2").unwrap();
        press(&mut session, "a");
        session.exp_string("X = 3, Y = 4").unwrap();
        session.exp_string("(3 answers)").unwrap();
        session.exp_string("?- ").unwrap();
        press(&mut session, ":quit\r");
        session.exp_eof().unwrap();
        std::fs::remove_file(history).unwrap();
    }

    /// Keys of several bytes mean nothing after an answer, and leave nothing for the next prompt.
    #[test]
    fn arrows_after_an_answer_are_passed_over() {
        let history = history_of("arrows");
        let mut session = start(&[], &history);
        press(&mut session, "X = 1 ; X = 2 ; X = 3.\r");
        for (answer, keys) in [("X = 1", [UP, CTRL_RIGHT]), ("X = 2", [KEYPAD_DOWN, UP])] {
            session.exp_string(&format!("{answer} ")).unwrap();
            for key in keys {
                press(&mut session, key);
            }
            press(&mut session, ";");
        }
        session.exp_string("X = 3").unwrap();
        session.exp_string("?- ").unwrap();
        // Escape alone ends the answers.
        press(&mut session, "X = 4 ; X = 5.\r");
        session.exp_string("X = 4 ").unwrap();
        press(&mut session, ESCAPE);
        session.exp_string("?- ").unwrap();
        enter(&mut session, "X = 6.", "X = 6");
        press(&mut session, ":quit\r");
        session.exp_eof().unwrap();
        std::fs::remove_file(history).unwrap();
    }

    #[test]
    fn lines_are_edited() {
        let history = history_of("editing");
        let mut session = start(&["kb/games/blocks_world.gdl"], &history);
        // Completion of a predicate, a command and a move.
        press(&mut session, &format!("termi{TAB}\r"));
        session.exp_string("terminal").unwrap();
        session.exp_string("false").unwrap();
        session.exp_string("?- ").unwrap();
        press(&mut session, &format!(":goa{TAB}\r"));
        session.exp_string("the game is not over").unwrap();
        session.exp_string("?- ").unwrap();
        press(&mut session, &format!(":do (u{TAB}\r"));
        session.exp_string("step 1:").unwrap();
        session.exp_string("?- ").unwrap();
        // A query of several lines.
        press(&mut session, "(true\r");
        press(&mut session, "(step ?x))\r");
        session.exp_string("?x = 2").unwrap();
        session.exp_string("(1 answer)").unwrap();
        session.exp_string("?- ").unwrap();
        // The line before, again.
        enter(&mut session, "succ(1, 2)", "true");
        press(&mut session, &format!("{UP}\r"));
        session.exp_string("true").unwrap();
        session.exp_string("?- ").unwrap();
        session.send_control('d').unwrap();
        session.exp_eof().unwrap();
        // And in the next session.
        let mut session = start(&["kb/games/blocks_world.gdl"], &history);
        press(&mut session, &format!("{UP}\r"));
        session.exp_string("true").unwrap();
        session.exp_string("?- ").unwrap();
        press(&mut session, ":quit\r");
        session.exp_eof().unwrap();
        std::fs::remove_file(history).unwrap();
    }

    #[test]
    fn endless_queries_are_stopped() {
        let history = history_of("endless");
        let mut session = start(&["tests/repl/prolog.pl"], &history);
        for endless in ["repeat, fail.", "count(X), X < 0."] {
            press(&mut session, &format!("{endless}\r"));
            std::thread::sleep(std::time::Duration::from_millis(500));
            session.send_control('c').unwrap();
            session.exp_string("interrupted").unwrap();
            session.exp_string("?- ").unwrap();
        }
        // At the prompt, Ctrl-C gives the line up.
        press(&mut session, "fail, fa");
        session.send_control('c').unwrap();
        session.exp_string("?- ").unwrap();
        press(&mut session, "edge(b, X).\r");
        session.exp_string("X = c").unwrap();
        session.exp_string("(1 answer)").unwrap();
        session.exp_string("?- ").unwrap();
        press(&mut session, "halt.\r");
        session.exp_eof().unwrap();
        std::fs::remove_file(history).unwrap();
    }
}
