//! The command line against bad input: a clear word for each kind, and the documented exit code.
//!
//! 0 done, 1 negative answer, 2 limit reached, 3 bad input, 4 internal error.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::collection::sample_games;

/// No input may keep the program busy for longer than this, on a slow machine that does other
/// things as well; without that it takes a tenth.
const PATIENCE: Duration = Duration::from_secs(60);

const DEEP: usize = 1_000_000;

/// A game that ends after a move; more rules can be put behind it.
const GAME: &str = "(role r) (init (f a)) (<= (legal r (go b)) (true (f a)))
(<= (next (f ?x)) (does r (go ?x))) (<= terminal (true (f b))) (<= (goal r 50) (true (f b)))\n";

fn flux(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// What a run left behind.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

fn finish(mut command: Command) -> Run {
    let start = Instant::now();
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let run = Run {
        code: status.code(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    };
    let seconds = start.elapsed();
    assert!(seconds < PATIENCE, "{command:?} took {seconds:?}");
    assert!(!run.err.contains("panicked"), "{command:?}: {}", run.err);
    assert!(
        run.err.len() < 50_000,
        "{command:?}: {} bytes of messages",
        run.err.len()
    );
    run
}

fn run(arguments: &[&str]) -> Run {
    finish(flux(arguments))
}

/// Runs and compares the exit code and a part of the messages.
#[track_caller]
fn expect(arguments: &[&str], code: i32, message: &str) -> Run {
    let run = run(arguments);
    assert_eq!(run.code, Some(code), "{arguments:?}\n{}", run.err);
    assert!(run.err.contains(message), "{arguments:?}\n{}", run.err);
    run
}

/// Files that vanish with the value.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// The one JSON value that was printed.
#[track_caller]
fn json(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out))
}

const COMMANDS: [&str; 4] = ["check", "fmt", "playout", "trace"];

#[test]
fn files_that_are_no_text() {
    let folder = Folder::new();
    let root = folder.0.path().to_str().unwrap().to_owned();
    let cases = [
        (root.clone(), "is a directory"),
        (format!("{root}/missing.kif"), "cannot read"),
        (folder.file("empty.kif", ""), "is empty"),
        (folder.file("blank.kif", " \n\t\r\n"), "is empty"),
        (folder.file("mark.kif", "\u{FEFF}"), "is empty"),
        (
            folder.file("latin.kif", b"(role r)\n(p \xE4)"),
            "latin.kif:2:4 is not text: the byte 0xE4",
        ),
        (
            folder.file("cut.kif", "(role \u{20AC})".as_bytes().split_at(8).0),
            "cut.kif:1:7 is not text: the byte 0xE2",
        ),
        (folder.file("elf.kif", b"\x7FELF\x02\x01\xFF\0\0"), "UTF-8"),
    ];
    for (file, message) in &cases {
        for command in COMMANDS {
            expect(&[command, file], 3, message);
        }
    }
    for command in COMMANDS {
        expect(&[command, "-"], 3, "is empty");
    }
    // Text after all, but none of the language.
    let zeros = folder.file("zeros.kif", vec![0; 100_000]);
    for command in COMMANDS {
        assert_eq!(run(&[command, &zeros]).code, Some(3));
    }
}

#[test]
fn parentheses_without_end() {
    let folder = Folder::new();
    let huge = folder.file("huge.kif", "(".repeat(100_000_000));
    for command in COMMANDS {
        assert_eq!(run(&[command, &huge]).code, Some(3), "{command}");
    }
    let run = run(&["check", "--format", "json", &huge]);
    assert_eq!(json(&run)["ok"], false);
}

#[test]
fn deep_terms() {
    let folder = Folder::new();
    let deep = "(s ".repeat(DEEP) + "z" + &")".repeat(DEEP);
    let term = folder.file("term.kif", format!("{GAME}(init (f {deep}))\n(p {deep})\n"));
    for command in ["check", "fmt", "trace", "playout"] {
        let run = run(&[command, &term]);
        assert_eq!(run.code, Some(0), "{command}: {}", run.err);
    }
    let infix = run(&["fmt", "--to", "infix", &term]);
    assert_eq!(infix.code, Some(0));
    let lists = folder.file("lists.kif", "(".repeat(DEEP) + "p" + &")".repeat(DEEP));
    let negations = "(not ".repeat(DEEP) + "(p a)" + &")".repeat(DEEP);
    let denied = folder.file("denied.kif", format!("{GAME}(p a)\n(<= q {negations})\n"));
    let branches = "(or (p b) ".repeat(DEEP) + "(p a)" + &")".repeat(DEEP);
    let split = folder.file("split.kif", format!("{GAME}(p a)\n(<= q {branches})\n"));
    for file in [&lists, &denied, &split] {
        for command in ["check", "fmt", "trace", "playout"] {
            let run = run(&[command, file]);
            assert!(
                matches!(run.code, Some(0 | 3)),
                "{command}: {:?} {}",
                run.code,
                run.err
            );
        }
    }
}

#[test]
fn many_rules() {
    let folder = Folder::new();
    let facts: String = (0..200_000).map(|n| format!("(p {n} a{n})\n")).collect();
    let facts = folder.file("facts.kif", GAME.to_owned() + &facts);
    expect(&["playout", "-n", "1", &facts], 0, "");
    let chain: String = (0..20_000)
        .map(|n| format!("(<= (p{} ?x) (p{n} ?x) (p0 ?x))\n", n + 1))
        .collect();
    let chain = folder.file("chain.kif", format!("{GAME}(p0 a)\n{chain}"));
    expect(&["playout", "-n", "1", &chain], 0, "");
    let ring: String = (0..5_000)
        .map(|n| format!("(<= (p{} ?x) (p{n} ?x))\n", (n + 1) % 5_000))
        .collect();
    let ring = folder.file("ring.kif", format!("{GAME}(p0 a)\n{ring}"));
    expect(&["playout", "-n", "1", &ring], 0, "");
    let body: String = (0..50_000).map(|n| format!("(q a{n} ?x)\n")).collect();
    let body = format!("{GAME}(q a a)\n(<= (legal r ?x) (true (f c)) {body})\n");
    let body = folder.file("body.kif", body);
    expect(&["playout", "-n", "1", &body], 0, "");
    let chain: String = (0..5_000)
        .map(|n| format!("(q ?x{n} ?x{}) (not (q ?x{n} b))\n", n + 1))
        .collect();
    let chain = format!("{GAME}(q a a)\n(<= (legal r ?x0) (true (f c)) {chain})\n");
    let chain = folder.file("joined.kif", chain);
    expect(&["playout", "-n", "1", &chain], 0, "");
}

/// Each pair of `or` shares a variable that only one branch binds, so that the rest of the rule
/// stands behind each branch: twice the code for each pair.
#[test]
fn rules_that_multiply() {
    let folder = Folder::new();
    let pairs = |count: usize| -> String {
        (0..count)
            .map(|n| format!("(or (p ?x{n}) q) (or (p ?x{n}) q)\n"))
            .collect()
    };
    for (count, code, message) in [(6, 0, ""), (60, 3, "too many `or` that share variables")] {
        let rule = format!("(<= (legal r hop) {})", pairs(count));
        let game = format!("{GAME}(p a) q\n{rule}\n");
        let game = folder.file("pairs.kif", game);
        expect(&["playout", "-n", "1", &game], code, message);
        expect(&["trace", &game], code, message);
    }
}

#[test]
fn keywords_in_odd_places() {
    let folder = Folder::new();
    for (number, rule) in [
        "(role)",
        "(<= role p)",
        "(true (f a))",
        "(<= (does r (go a)) (true (f a)))",
        "(<= (init (f ?x)) (true (f ?x)))",
        "(<= (p (next ?x)) (true ?x) (next ?x))",
        "(<= (distinct a b) p)",
        "(<= p (not))",
        "(<= p (<= q r))",
        "(<= (not p) q)",
        "(<= terminal (does r (go b)))",
        "(<= p ?x)",
        "(<= (?p a) (q a))",
        "(legal r)",
        "(goal r 50 50)",
        "(terminal a)",
    ]
    .iter()
    .enumerate()
    {
        let file = folder.file(&format!("odd{number}.kif"), format!("{GAME}{rule}\n"));
        let check = run(&["check", "--format", "json", &file]);
        let verdict = json(&check);
        let messages = verdict["diagnostics"].as_array().unwrap();
        assert!(!messages.is_empty(), "{rule}: nothing is said of it");
        let playout = run(&["playout", "-n", "1", &file]);
        if verdict["ok"].as_bool().unwrap() {
            assert_eq!((check.code, playout.code), (Some(0), Some(0)), "{rule}")
        } else {
            assert_eq!((check.code, playout.code), (Some(3), Some(3)), "{rule}")
        }
    }
}

#[test]
fn games_without_end() {
    let folder = Folder::new();
    let start = "(role r) (legal r go) (init a) (<= terminal (true end)) (goal r 50)\n";
    let still = folder.file("still.kif", format!("{start}(<= (next a) (true a))"));
    let growing = format!("{start}(<= (next (s ?x)) (true ?x))");
    let growing = folder.file("growing.kif", growing);
    let keeping = format!("{start}(<= (next (s ?x)) (true ?x)) (<= (next ?x) (true ?x))");
    let keeping = folder.file("keeping.kif", keeping);
    for file in [&still, &growing, &keeping] {
        let run = expect(
            &[
                "playout",
                "-n",
                "2",
                "--max-length",
                "300",
                "--format",
                "json",
                file,
            ],
            2,
            "--max-length",
        );
        let report = json(&run);
        assert!(report["fault"].as_str().unwrap().contains("--max-length"));
        assert_eq!(report["goals"]["r"], Value::Null);
        assert_eq!(
            (&report["playouts"], &report["cut"], &report["finished"]),
            (&2.into(), &2.into(), &0.into())
        );
    }
    expect(
        &["playout", "--max-length", "3", &growing],
        2,
        "did not end within 3 moves",
    );
    // Doubly exponential: the memory is full after six moves.
    let exploding = format!("{start}(<= (next (s ?x ?y)) (true ?x) (true ?y)) (init b)");
    let exploding = folder.file("exploding.kif", exploding);
    let arguments = ["playout", "--max-memory", "300", "--format", "json"];
    let run = expect(&[&arguments[..], &[&exploding]].concat(), 2, "--max-memory");
    assert!(json(&run)["fault"].as_str().unwrap().contains("memory"));
    let run = expect(
        &["playout", "--max-steps", "100000", &exploding],
        2,
        "limit of 100000 steps reached; --max-steps",
    );
    assert!(run.out.contains("0 playouts"));
    expect(
        &["playout", "--max-seconds", "0.2", "-n", "1000000", &still],
        2,
        "",
    );
}

#[test]
fn terms_too_large_to_write() {
    let folder = Folder::new();
    // Every move doubles the text, though not the memory, of the one fluent.
    let doubling = "(role r) (init a) (<= (next (f ?x ?x)) (true ?x)) (legal r go)
        (<= terminal (true end)) (goal r 50)\n";
    let game = folder.file("doubling.kif", doubling);
    let moves = folder.file("moves.jsonl", "{\"r\": \"go\"}\n".repeat(40));
    let run = expect(
        &["trace", &game, "--moves", &moves],
        2,
        "cannot be printed: (f (f",
    );
    assert!(run.out.lines().count() > 10);
    expect(&["playout", &game], 2, "--max-length");
    // A message that names the state shows the beginning of it.
    let numbers: String = (0..40).map(|n| format!("(succ {n} {})\n", n + 1)).collect();
    let stuck = "(role r) (init (t a)) (init (c 0)) (<= terminal (true end)) (goal r 50)
        (<= (next (t (f ?x ?x))) (true (t ?x))) (<= (legal r go) (true (c ?n)) (succ ?n ?m))
        (<= (next (c ?m)) (true (c ?n)) (succ ?n ?m))\n";
    let stuck = folder.file("stuck.kif", stuck.to_owned() + &numbers);
    let message = "r has no legal move after 40 moves, and the game is not over, in the state (c 40) (t (f (f";
    expect(&["playout", &stuck], 3, message);
}

/// Names of atoms are memory, too: texts that are put together double at each step.
#[test]
fn texts_that_double() {
    let folder = Folder::new();
    let program = "double(A) :- atom_concat(A, A, B), double(B).
        double_text(A) :- string_concat(A, A, B), double_text(B).
        join(A) :- atomic_list_concat([A, A], -, B), join(B).
        many(N) :- atom_concat(a_name_of_some_length_, N, _), M is N + 1, many(M).\n";
    let program = folder.file("double.pl", program);
    for goal in ["double(a)", "double_text(a)", "join(a)", "many(0)"] {
        expect(
            &["run", &program, "-g", goal, "--max-memory", "64"],
            2,
            "memory limit reached",
        );
    }
}

/// Cyclic terms: what has a result for them ends, and what must be finite refuses them. Both take no more steps than
/// for small finite terms.
#[test]
fn cyclic_terms() {
    let folder = Folder::new();
    let program = ":- dynamic q/1. :- table t/1. t(_). eq(X, Y) :- X == Y. same(X, X).
        choose(X, Y) :- ( X @< Y -> write(yes) ; write(no) ).
        closed(X) :- ( ground(X) -> write(yes) ; write(no) ).
        shared(0, leaf). shared(N, f(T, T)) :- N > 0, M is N - 1, shared(M, T).\n";
    let program = folder.file("cyclic.pl", program);
    let (holds, fails, refused, stopped) = (0, 1, 3, 2);
    for (code, goals) in [
        (
            holds,
            &[
                "X = f(X)",
                "X = f(X), write(X)",
                "X = f(X), write_canonical(X)",
                "X = f(X), format(\"~w\", [X])",
                "X = f(X), with_output_to(string(_), write(X))",
                "X = f(X), term_to_atom(X, _)",
                "X = f(X), copy_term(X, _)",
                "X = f(X), Y = f(Y), X == Y",
                "X = f(X), Y = f(Y), eq(X, Y)",
                "X = f(X), Y = f(Y), choose(X, Y)",
                "X = f(X), Y = f(Y), compare(=, X, Y)",
                "X = f(X), Y = f(Y), X = Y",
                "X = f(X), Y = f(Y), X =@= Y",
                "X = f(X), Y = f(Y), same(X, Y)",
                "X = f(X), Y = f(Y), unify_with_occurs_check(X, Y)",
                "X = f(X), Y = f(Y), sort([X, Y, X, Y], [_])",
                "X = f(X), nb_setval(key, X)",
                "X = f(X), findall(X, true, [X])",
                "X = f(X), bagof(X, true, _)",
                "X = f(X), term_variables(X, [])",
                "X = f(X), numbervars(X, 0, 0)",
                "X = f(X), ground(X)",
                "X = f(X), closed(X)",
                "X = f(X), catch(throw(X), Y, true), X == Y",
                "X = f(X), catch(atom_length(X, _), error(type_error(_, X), _), true)",
                "X = (X, true), catch(call(X), error(representation_error(cyclic_term), _), true)",
                "X = f(X, X), write(X)",
                "shared(40, _X), shared(40, _Y), _X == _Y",
            ][..],
        ),
        (
            fails,
            &[
                "X = f(X), Y = f(Y), X \\= Y",
                "X = [a|X], is_list(X)",
                "X = f(X), Y = g(Y), X = Y",
            ],
        ),
        (
            refused,
            &[
                "X = f(X), assertz(q(X))",
                "X = f(X), asserta((q(a) :- X))",
                "X = f(X), t(X)",
                "X = f(X), \\+ t(X)",
                "X = f(X), throw(X)",
                "X = 1 + X, _ is X",
                "X = 1 + X, X > 0",
                "X = (true, X), call(X)",
                "X = [a|X], length(X, _)",
                "X = [a|X], msort(X, _)",
                "X = [a|X], atomic_list_concat(X, _)",
                "X = [a|X], _ =.. X",
            ],
        ),
        (
            stopped,
            &[
                "X = m:X, catch(call(X), _, true)",
                "shared(60, X), write(X)",
            ],
        ),
    ] {
        for goal in goals {
            expect(
                &["run", &program, "-g", goal, "--max-steps", "500"],
                code,
                "",
            );
        }
    }
    // What is small in memory and endless on paper is ended by each of the limits.
    let endless = ["run", &program, "-g", "shared(60, X), write(X)"];
    let time = ["--max-seconds", "0.2"];
    expect(&[&endless[..], &time].concat(), 2, "time limit reached");
    let memory = ["--max-memory", "300"];
    expect(&[&endless[..], &memory].concat(), 2, "memory limit");
}

#[test]
fn roles_without_moves() {
    let folder = Folder::new();
    let game = folder.file(
        "stuck.kif",
        "(role r) (role s) (init (step 1)) (legal r a) (<= (legal s a) (true (step 1)))
         (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 3))) (goal ?r 100)"
            .replace("(goal ?r 100)", "(goal r 100) (goal s 100)"),
    );
    let message =
        "s has no legal move after 1 move, and the game is not over, in the state (step 2)";
    let run = expect(&["playout", "--format", "json", &game], 3, message);
    assert_eq!(json(&run)["fault"], message);
    let run = expect(&["playout", "--threads", "3", &game], 3, message);
    assert!(run.out.contains("mean payoff of s: undefined"));
    // A role whose name is misspelled in its only rule has no move in any state.
    let game = folder.file(
        "never.kif",
        "(role r) (role s) (init (step 1)) (legal r a) (legal ss a)
         (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2))) (goal r 100) (goal s 100)",
    );
    for options in [&["--lanes", "1"][..], &["--engine", "tabled"], &[]] {
        let arguments = [&["playout", &game][..], options].concat();
        expect(&arguments, 3, "s has no legal move after 0 moves");
    }
}

#[test]
fn payoffs_that_are_none() {
    let folder = Folder::new();
    for (name, rules, message) in [
        (
            "contradiction",
            "(<= (goal r 60) (true (f b)))",
            "the payoffs of r contradict: 50 and 60 after 1 move, in the state (f b)",
        ),
        (
            "word",
            "(<= (goal r win) (true (f b)))",
            "the payoffs of r contradict: 50 and win",
        ),
    ] {
        let game = folder.file(name, format!("{GAME}{rules}"));
        let run = expect(&["playout", "--format", "json", &game], 0, message);
        let report = json(&run);
        assert_eq!(report["goals"]["r"], Value::Null);
        assert!(report["fault"].as_str().unwrap().contains(message));
        assert_eq!(report["playouts"], 100);
    }
    let moves = folder.file("moves.jsonl", "{\"r\": \"(go b)\"}\n");
    for (name, payoff, message) in [
        ("none", "(<= (goal r 50) (true (f c)))", "give r no payoff"),
        (
            "word",
            "(<= (goal r win) (true (f b)))",
            "is win, not a number",
        ),
        (
            "high",
            "(<= (goal r 101) (true (f b)))",
            "is 101, not a number",
        ),
        (
            "low",
            "(<= (goal r -1) (true (f b)))",
            "is -1, not a number",
        ),
        (
            "huge",
            "(<= (goal r 99999999999999999999) (true (f b)))",
            "is 99999999999999999999, not a number",
        ),
        (
            "zeros",
            "(<= (goal r 050) (true (f b)))",
            "is 050, not a number",
        ),
    ] {
        let game = GAME.replace("(<= (goal r 50) (true (f b)))", payoff);
        let game = folder.file(name, game);
        let check = run(&["check", &game]);
        if check.code == Some(3) {
            // Refused with all other commands as well.
            assert_eq!(run(&["playout", &game]).code, Some(3));
            continue;
        }
        let playout = expect(&["playout", "--format", "json", &game], 0, message);
        assert_eq!(json(&playout)["goals"]["r"], Value::Null);
        let trace = expect(&["trace", &game, "--moves", &moves], 0, message);
        let last: Value = serde_json::from_str(trace.out.lines().last().unwrap()).unwrap();
        assert_eq!(last["goals"]["r"], Value::Null);
    }
}

#[test]
fn moves_that_cannot_be_made() {
    let folder = Folder::new();
    let game = folder.file("game.kif", GAME);
    let deep = "(go ".repeat(DEEP) + "b" + &")".repeat(DEEP);
    for (number, (moves, message)) in [
        (
            "{\"r\": \"(go c)\"}".to_owned(),
            "1: (go c) is not legal for r",
        ),
        ("\n\n{\"r\": \"hop\"}".to_owned(), "3: hop is not legal"),
        ("{\"s\": \"(go b)\"}".to_owned(), "1: no move of r"),
        (
            "{\"r\": \"(go b)\", \"s\": \"(go b)\"}".to_owned(),
            "1: \"s\" is not a role of this game; there are: r",
        ),
        ("{}".to_owned(), "1: no move of r"),
        ("{\"r\": 5}".to_owned(), "1: the move of r is not in quotes"),
        ("{\"r\": \"(go b)\"".to_owned(), "1: not a JSON object"),
        ("go b".to_owned(), "1: not a JSON object"),
        ("[\"(go b)\"]".to_owned(), "1: not a JSON object"),
        ("[".repeat(DEEP), "1: not a JSON object"),
        ("{\"r\": \"(go ?x)\"}".to_owned(), "is not a ground term"),
        ("{\"r\": \"(go b\"}".to_owned(), "is not a ground term"),
        ("{\"r\": \"(go b) ; \"}".to_owned(), ""),
        ("{\"r\": \"\"}".to_owned(), "is not a ground term"),
        ("{\"r\": \"(go b) (go b)\"}".to_owned(), ":1: "),
        (format!("{{\"r\": \"{deep}\"}}"), "is not legal for r"),
        (
            "{\"r\": \"(go b)\"}\n{\"r\": \"(go b)\"}".to_owned(),
            "2: the game is over before this move",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.file(&format!("{number}.jsonl"), moves);
        let code = if message.is_empty() { 0 } else { 3 };
        let run = expect(&["trace", &game, "--moves", &file], code, message);
        for line in run.out.lines() {
            let _: Value = serde_json::from_str(line).unwrap();
        }
    }
    expect(
        &["trace", &game, "--moves", "missing.jsonl"],
        3,
        "cannot read",
    );
    let kept = folder.file(
        "kept.kif",
        GAME.replace("(go b)", "(Go b)")
            .replace("(go ?x)", "(Go ?x)"),
    );
    let moves = folder.file("kept.jsonl", "{\"r\": \"(Go b)\"}");
    expect(
        &["trace", "--case-sensitive", &kept, "--moves", &moves],
        0,
        "",
    );
}

#[test]
fn options_that_make_no_sense() {
    let folder = Folder::new();
    let game = folder.file("game.kif", GAME);
    for (arguments, message) in [
        (
            &["playout", "--seconds", "-1"][..],
            "-1 is not a length of time",
        ),
        (&["playout", "--seconds", "nan"], "is not a length of time"),
        (&["playout", "--seconds", "soon"], "--seconds"),
        (
            &["playout", "--max-seconds", "-5"],
            "is not a length of time",
        ),
        (&["playout", "--threads", "0"], "--threads"),
        (&["playout", "--threads", "1000000000"], "--threads"),
        (&["playout", "--number", "-3"], "-3"),
        (
            &["playout", "--number", "3", "--seconds", "3"],
            "cannot be used with",
        ),
        (&["playout", "--engine", "steam"], "tabled"),
        (&["playout", "--frobnicate"], "unexpected argument"),
        (&["check", "--format", "xml"], "json"),
        (&["play"], "unrecognized subcommand"),
    ] {
        let run = expect(&[arguments, &[game.as_str()]].concat(), 3, message);
        assert_eq!(run.out, "");
    }
    expect(&[], 3, "Usage");
    expect(&["playout"], 3, "Usage");
    expect(&["check"], 3, "Usage");
    assert!(expect(&["--help"], 0, "").out.contains("Usage"));
    assert!(expect(&["playout", "--help"], 0, "").out.contains("Usage"));
    assert!(expect(&["--version"], 0, "").out.starts_with("flux "));
    expect(&["playout", "-n", "0", &game], 0, "");
    expect(&["playout", "--seconds", "0", &game], 0, "");
}

#[cfg(unix)]
mod unix {
    use super::*;

    #[test]
    fn an_interrupt_ends_a_series_with_its_report() {
        let folder = Folder::new();
        let game = folder.file("game.kif", GAME);
        let mut child = flux(&["playout", "-n", "1000000000000", "--format", "json", &game])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(1));
        let kill = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let start = Instant::now();
        let status = child.wait().unwrap();
        assert!(start.elapsed() < Duration::from_secs(5));
        let (mut out, mut err) = (String::new(), String::new());
        child.stdout.unwrap().read_to_string(&mut out).unwrap();
        child.stderr.unwrap().read_to_string(&mut err).unwrap();
        assert_eq!(status.code(), Some(2), "{err}");
        assert!(err.contains("interrupted"), "{err}");
        let report: Value = serde_json::from_str(&out).unwrap();
        assert!(report["playouts"].as_u64().unwrap() > 0);
        assert_eq!(report["fault"], "interrupted");
    }

    #[test]
    fn a_reader_that_leaves_is_no_fault() {
        let folder = Folder::new();
        let game = folder.file("game.kif", GAME.to_owned() + &"(p a)\n".repeat(100_000));
        for command in COMMANDS {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let mut command = flux(&[command, &game]);
            let run = finish_with(command.stdout(writer));
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        }
    }

    /// The reader leaves when it has seen a part of a long output.
    #[test]
    fn a_reader_that_leaves_in_the_middle_is_no_fault() {
        let folder = Folder::new();
        let facts: String = (0..8_000).map(|n| format!("(p {n} a{n})\n")).collect();
        let rules = "(<= (legal r (take ?n)) (p ?n ?a)) (<= (next (f b)) (true (f a)))";
        let game = folder.file("long.kif", format!("{GAME}{facts}{rules}"));
        for arguments in [
            &["fmt", &game][..],
            &["trace", &game],
            &["query", &game, "(legal ?r ?m)"],
            &["query", &game, "(legal ?r ?m)", "--format", "json"],
            &["ground", &game, "--rules"],
            &["ground", &game, "--format", "dot"],
            &["translate", &game, "--to", "json"],
            &["schema", "analyze"],
        ] {
            let mut child = flux(arguments)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut some = [0; 100];
            child.stdout.take().unwrap().read_exact(&mut some).unwrap();
            let output = child.wait_with_output().unwrap();
            let err = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
            assert!(
                !err.contains("panicked") && !err.contains("error"),
                "{arguments:?}: {err}"
            );
        }
    }

    /// Whenever the program is killed, what stands under a final name is whole.
    #[test]
    fn a_kill_leaves_no_half_file() {
        let folder = Folder::new();
        let place = folder.0.path();
        let game = sample_games()[0].display().to_string();
        for number in 0..24 {
            let arguments: &[&str] = match number % 2 {
                0 => &["schema", "--out", "."],
                _ => &["decompose", &game, "--out", "."],
            };
            let mut child = flux(arguments)
                .current_dir(place)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(3 * number));
            child.kill().unwrap();
            child.wait().unwrap();
            for entry in std::fs::read_dir(place).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                let text = std::fs::read_to_string(&path).unwrap();
                if name.starts_with('.') {
                    std::fs::remove_file(&path).unwrap();
                } else if name.ends_with(".json") {
                    let _: Value = serde_json::from_str(&text).unwrap();
                } else {
                    assert!(
                        name.ends_with(".gdl") && text.ends_with('\n'),
                        "{name}: {text}"
                    );
                }
            }
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_leaves_no_file() {
        let folder = Folder::new();
        let missing = format!("{}/missing", folder.0.path().to_str().unwrap());
        // A name that cannot be is bad input; a disk that is full is not.
        expect(&["schema", "--out", &missing], 3, "cannot write");
        expect(&["schema", "--out", "/dev/full"], 3, "cannot write");
        let game = folder.file("game.kif", GAME);
        expect(&["trace", &game, "--svg", "/dev/full"], 4, "cannot write");
        assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let folder = Folder::new();
        let game = folder.file("game.kif", GAME);
        for arguments in [
            &["check", &game][..],
            &["fmt", &game],
            &["trace", &game],
            &["playout", &game],
            &["playout", "--format", "json", &game],
            &["query", &game, "(legal ?r ?m)"],
            &["query", &game, "(legal ?r ?m)", "--format", "json"],
            &["translate", &game],
            &["translate", &game, "--verify"],
            &["analyze", &game],
            &["analyze", &game, "--format", "svg"],
            &["ground", &game, "--rules"],
            &["solve", &game],
            &["decompose", &game],
            &["schema", "trace"],
            &["man"],
            &["completions", "bash"],
            &["--help"],
        ] {
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
            let mut command = flux(arguments);
            let run = finish_with(command.stdout(full.unwrap()));
            assert_eq!(run.code, Some(4), "{arguments:?}: {}", run.err);
            assert!(
                run.err.contains("No space left"),
                "{arguments:?}: {}",
                run.err
            );
        }
    }

    /// Runs with a standard output that is not looked at.
    fn finish_with(command: &mut Command) -> Run {
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!err.contains("panicked"), "{err}");
        Run {
            code: output.status.code(),
            out: String::new(),
            err,
        }
    }
}

#[test]
fn standard_input_is_a_file_like_others() {
    let mut child = flux(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(GAME.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}
