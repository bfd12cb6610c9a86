//! `flux query` and `flux run` as programs see them: output, messages, exit codes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

const BLOCKS: &str = "kb/games/blocks_world.gdl";

fn flux(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flux"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs a command; compares the exit code and standard output, and looks for words in the messages.
fn check(arguments: &[&str], code: i32, stdout: &str, stderr: &str) {
    let output = flux(arguments);
    let out = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(out, stdout, "{arguments:?}\n{err}");
    assert!(err.contains(stderr), "{arguments:?}\n{err}");
    assert!(err.is_empty() || !stderr.is_empty(), "{arguments:?}\n{err}");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{err}");
}

/// A file of moves with this text.
fn moves(name: &str, text: &str) -> String {
    let file = format!("{}/{name}.jsonl", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn answers_are_in_the_notation_of_the_query() {
    let infix = "R = robot, M = s(b,c)\nR = robot, M = u(c,a)\n";
    check(&["query", BLOCKS, "legal(R, M)"], 0, infix, "");
    let prefix = "?r = robot, ?m = (s b c)\n?r = robot, ?m = (u c a)\n";
    check(&["query", BLOCKS, "(legal ?r ?m)"], 0, prefix, "");
    check(&["query", BLOCKS, "not terminal"], 0, "true\n", "");
    check(&["query", BLOCKS, "terminal"], 1, "false\n", "");
}

#[test]
fn answers_as_json() {
    let json = |goal: &str, more: &[&str], code, expected: &str| {
        let arguments = [&["query", BLOCKS, goal, "--format", "json"], more].concat();
        check(&arguments, code, &format!("{expected}\n"), "");
    };
    json(
        "(legal robot ?m)",
        &[],
        0,
        r#"{"answers":[{"m":"(s b c)"},{"m":"(u c a)"}],"complete":true}"#,
    );
    json(
        "legal(robot, M)",
        &["--limit", "1"],
        2,
        r#"{"answers":[{"M":"s(b,c)"}],"complete":false}"#,
    );
    let both = r#"{"answers":[{"M":"s(b,c)"},{"M":"u(c,a)"}],"complete":true}"#;
    json("legal(robot, M)", &["--limit", "2"], 0, both);
    json("terminal", &[], 1, r#"{"answers":[],"complete":true}"#);
    json(
        "not terminal",
        &[],
        0,
        r#"{"answers":[{}],"complete":true}"#,
    );
}

#[test]
fn moves_lead_to_other_states() {
    let file = moves(
        "two",
        "{\"robot\": \"(u c a)\"}\n{\"robot\": \"(s b c)\"}\n",
    );
    let arguments = ["query", BLOCKS, "true(on(X, Y))", "--moves", &file];
    check(&arguments, 0, "X = b, Y = c\n", "");
    let file = moves("illegal", "{\"robot\": \"(u a c)\"}\n");
    let arguments = ["query", BLOCKS, "terminal", "--moves", &file];
    check(&arguments, 3, "", "(u a c) is not legal for robot");
    let arguments = ["query", BLOCKS, "terminal", "--moves", "no/such/file"];
    check(&arguments, 3, "", "cannot read no/such/file");
}

#[test]
fn a_joint_move_decides_what_comes_next() {
    let tic_tac_toe = "kb/games/tic_tac_toe.gdl";
    let query = |goal: &str, joint_move: &str, code, stdout: &str, stderr: &str| {
        let arguments = ["query", tic_tac_toe, goal, "--do", joint_move];
        check(&arguments, code, stdout, stderr);
    };
    let next = "next(cell(X, Y, x)), does(oplayer, M)";
    let answer = "X = 2, Y = 2, M = noop\n";
    for joint_move in [
        "mark(2,2)",
        "mark(2,2) noop",
        "mark(2,2), noop",
        "oplayer: noop mark(2,2)",
        "XPLAYER: (MARK 2 2)",
        "(mark 2 2) (noop)",
    ] {
        query(next, joint_move, 0, answer, "");
    }
    let to_state = [
        "query",
        tic_tac_toe,
        "(next (control ?r))",
        "--do",
        "(mark 1 1)",
    ];
    check(&to_state, 0, "?r = oplayer\n", "");
    for (joint_move, fault) in [
        (
            "nobody: noop",
            "--do: there is no role nobody; the roles are xplayer, oplayer",
        ),
        ("mark(9,9)", "--do: mark(9,9) is not legal for xplayer"),
        ("noop noop noop", "--do: 3 moves given for 2 roles"),
        ("mark(X,1)", "--do: mark(X,1) is not a move"),
        (
            "oplayer: noop",
            "--do: no move given for xplayer, which has 9 legal moves",
        ),
        (
            "oplayer: noop oplayer: noop",
            "--do: more than one move given for oplayer",
        ),
        (
            "",
            "--do: no move given for xplayer, which has 9 legal moves",
        ),
    ] {
        query("next(F)", joint_move, 3, "", fault);
    }
    let none = ["query", tic_tac_toe, "next(F)"];
    check(&none, 0, "F = control(oplayer)\n", "no joint move is given");
}

#[test]
fn answers_are_written_as_people_write_terms() {
    let query = |goal: &str, stdout: &str| check(&["query", BLOCKS, goal], 0, stdout, "");
    query("X = 1-2", "X = 1-2\n");
    query("findall(X-Y, true(on(X,Y)), L)", "L = [c-a]\n");
    query(
        "X = [a, 'b c', f(-1), -(1), {d, e}]",
        "X = [a,'b c',f(-1),- 1,{d,e}]\n",
    );
    query(
        "X = (a :- b, \\+ c), Y = 1 + 2 * 3",
        "X = (a:-b,\\+c), Y = 1+2*3\n",
    );
    query(
        "X = [table(a), public, dynamic]",
        "X = [table(a),public,dynamic]\n",
    );
    query("X = f(Y, Z), Z = g(W)", "X = f(Y,g(W)), Z = g(W)\n");
    check(
        &["query", BLOCKS, "(= ?x (on a b))"],
        0,
        "?x = (on a b)\n",
        "",
    );
}

#[test]
fn a_rule_too_large_to_ask_about_is_told_with_its_place() {
    let arguments: Vec<String> = (0..250).map(|n| n.to_string()).collect();
    let text = format!(
        "(role r)\n(init p)\n(legal r a)\n(<= (next q) (true p))\n(goal r 100)\n\
         (<= terminal (wide {0}))\n(wide {0})\n",
        arguments.join(" ")
    );
    let file = format!("{}/wide.kif", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, text).unwrap();
    check(
        &["query", &file, "terminal"],
        3,
        "",
        "wide.kif:6: this rule has too many arguments",
    );
}

#[test]
fn faults_of_queries_are_told() {
    check(&["query", BLOCKS, "legal(R, M"], 3, "", "never closed");
    check(&["query", BLOCKS, "(legal ?r"], 3, "", "never closed");
    check(&["query", BLOCKS, ""], 3, "", "expected a term");
    check(&["query", BLOCKS, "X"], 3, "", "not a goal");
    check(
        &["query", BLOCKS, "lega(R, M)"],
        3,
        "",
        "did you mean legal/2?",
    );
    check(&["query", BLOCKS, "X is 1/0"], 3, "", "division by zero");
    check(&["query", "no/such/game", "terminal"], 3, "", "cannot read");
    check(
        &["query", BLOCKS, "repeat, fail", "--max-steps", "1000"],
        2,
        "",
        "limit of 1000 steps",
    );
    check(
        &["query", BLOCKS, "repeat, fail", "--max-seconds", "0.2"],
        2,
        "",
        "time limit",
    );
}

#[test]
fn programs_run() {
    let program = "tests/run/program.pl";
    let hello = |rest: &str| format!("hello, world\n{rest}");
    check(&["run", program], 0, &hello(""), "");
    check(&["run", program, "-g", "ok"], 0, &hello("ok\n"), "");
    check(
        &["run", program, "-g", "ok", "-g", "ok"],
        0,
        &hello("ok\nok\n"),
        "",
    );
    check(
        &["run", program, "-g", "no"],
        1,
        &hello("trying"),
        "goal fails: no",
    );
    check(&["run", program, "-g", "wrong"], 3, &hello(""), "foo/0");
    check(
        &["run", program, "-g", "nothing"],
        3,
        &hello(""),
        "there is no predicate nothing/0",
    );
    check(&["run", program, "-g", "stop"], 9, &hello("stopping\n"), "");
    check(
        &["run", program, "-g", "ok("],
        3,
        &hello(""),
        "never closed",
    );
    let endless = ["run", program, "-g", "endless", "--max-steps", "10000"];
    check(&endless, 2, &hello(""), "limit of 10000 steps");
    check(&["run", "tests/run/main.pl"], 0, "main\n", "");
    check(&["run", "tests/run/main.pl", "-g", "true"], 0, "", "");
    check(&["run", "tests/run/broken.pl"], 3, "", "broken.pl:3:2");
    check(
        &["run", "no/such/file.pl"],
        3,
        "",
        "cannot read no/such/file.pl",
    );
}

/// With `--format json` everything on standard output is JSON, one value a line, failures too.
#[test]
fn failures_are_json_as_well() {
    let limits = ["--max-seconds", "30"];
    let commands: [&[&str]; 8] = [
        &["query", BLOCKS, "foo("],
        &["query", BLOCKS, "no_such_relation(X)"],
        &["query", "no/such.gdl", "true"],
        &["solve", "no/such.gdl"],
        &["solve", "docs/broken.kif"],
        &[
            "solve",
            "kb/games/eight_puzzle.gdl",
            "--max-states",
            "10",
            "--algorithm",
            "direct",
        ],
        &["playout", "docs/broken.kif"],
        &["ground", "kb/games/connect_four.gdl", "--max-rules", "10"],
    ];
    for command in commands {
        let output = flux(&[command, &["--format", "json"], &limits].concat());
        let out = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<serde_json::Value> = out
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|_| panic!("{command:?}: {line}"))
            })
            .collect();
        assert_eq!(lines.len(), 1, "{command:?}: {out}");
        if let Some(error) = lines[0].get("error").filter(|error| error.is_object()) {
            assert_eq!(error["code"].as_i64(), output.status.code().map(i64::from));
        }
    }
}

/// A program that plays move by move gets its answer before it says its next move.
#[test]
fn moves_on_standard_input_are_answered_at_once() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flux"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["trace", BLOCKS, "--moves", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut step = |number: u64| {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let state: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(state["step"], number, "{line}");
    };
    step(0);
    // In either notation.
    for (number, mv) in [(1, "(u c a)"), (2, "s(b, c)")] {
        writeln!(input, "{{\"robot\": \"{mv}\"}}").unwrap();
        step(number);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}
