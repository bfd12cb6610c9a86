//! What a person at a terminal sees of work that takes long: how far it is, what was best so far, and what is left
//! of it after Ctrl-C.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use rexpect::session::{PtySession, spawn_command};

/// Milliseconds after which a test gives up waiting.
const PATIENCE: u64 = 60_000;

/// Flips of two neighbours in a row leave the number of those that are on even, so that nobody finds the one that the
/// goal asks for, and whoever does not see why has half a billion states to look at.
fn parity() -> PathBuf {
    let mut text = String::new();
    for place in 1..30 {
        writeln!(text, "(next_to {place} {})", place + 1).unwrap();
    }
    text += "
        (role robot)
        (legal robot stop)
        (<= (legal robot (flip ?x ?y)) (next_to ?x ?y))
        (<= (turned ?x) (does robot (flip ?x ?y)))
        (<= (turned ?y) (does robot (flip ?x ?y)))
        (<= (next (on ?x)) (true (on ?x)) (not (turned ?x)))
        (<= (next (on ?x)) (turned ?x) (not (true (on ?x))))
        (<= (next done) (does robot stop))
        (<= terminal (true done))
        (<= two (true (on ?x)) (true (on ?y)) (distinct ?x ?y))
        (<= one (true (on ?x)) (not two))
        (<= (goal robot 100) one)
        (<= (goal robot 50) (not one))";
    file("parity.kif", &text)
}

/// A relation with eight million instances of its rule.
fn many_instances() -> PathBuf {
    let mut text = String::new();
    for number in 0..200 {
        writeln!(text, "(number {number})").unwrap();
    }
    text += "
        (role robot)
        (<= (legal robot (mark ?x ?y)) (number ?x) (number ?y))
        (<= (next (marked ?x ?y)) (true (marked ?x ?y)))
        (<= (next (marked ?x ?y)) (does robot (mark ?x ?y)))
        (<= (path ?x ?z) (true (marked ?x ?y)) (true (marked ?y ?z)))
        (<= terminal (path ?x ?x))
        (<= (goal robot 100) (path 0 1))
        (<= (goal robot 0) (not (path 0 1)))";
    file("many_instances.kif", &text)
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn at_a_terminal(arguments: &[&str]) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
    let history = concat!(env!("CARGO_TARGET_TMPDIR"), "/history-terminal");
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("TERM", "xterm")
        .env("FLUX_HISTORY", history)
        .args(arguments);
    spawn_command(command, Some(PATIENCE)).unwrap()
}

#[test]
fn long_work_says_how_far_it_is() {
    let (parity, many) = (parity(), many_instances());
    let (parity, many) = (parity.to_str().unwrap(), many.to_str().unwrap());
    for (arguments, shown) in [
        (
            &["solve", parity][..],
            "searching: [0-9]+ states, best value 50",
        ),
        (
            &["solve", "kb/games/connect_four.gdl"],
            "searching: [0-9]+ states",
        ),
        (
            &[
                "playout",
                "kb/games/connect_four.gdl",
                "--engine",
                "tabled",
                "-n",
                "100000",
            ],
            "playing: [0-9]+ of 100000 playouts",
        ),
        (&["ground", many], "grounding: [0-9]+ instances of rules"),
        (&["translate", "--verify", many], "grounding|proving"),
    ] {
        let mut session = at_a_terminal(arguments);
        session.exp_regex(shown).unwrap();
    }
}

#[test]
fn a_search_that_is_interrupted_leaves_its_plan() {
    let parity = parity();
    let mut session = at_a_terminal(&["repl", parity.to_str().unwrap()]);
    session.exp_string("?- ").unwrap();
    session.send_line(":solve").unwrap();
    session.exp_string("best value 50").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("value 50, the best so far").unwrap();
    session.exp_regex("1.{0,8} stop").unwrap();
    session.exp_string("interrupted").unwrap();
    session.exp_string("?- ").unwrap();
    session.send_line("(legal robot stop)").unwrap();
    session.exp_string("true").unwrap();
}

/// The time that somebody takes to ask for the next answer is not the program's.
#[test]
fn thinking_is_not_counted() {
    let mut session = at_a_terminal(&["repl"]);
    session.exp_string("?- ").unwrap();
    session.send_line("member(X, [1, 2]).").unwrap();
    session.exp_string("X = 1").unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    session.send(";").unwrap();
    session.flush().unwrap();
    session.exp_string("(2 answers)").unwrap();
    session.exp_string("?- ").unwrap();
    session.send_line(":stats").unwrap();
    session
        .exp_regex("last query: 2 answers, [0-9]+ steps?, 0\\.[0-9]+ s")
        .unwrap();
}
