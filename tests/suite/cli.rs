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
    let file = moves(
        "behind_the_end",
        "{\"robot\": \"(u c a)\"}\n{\"robot\": \"(s b c)\"}\n{\"robot\": \"(s a b)\"}\n{\"robot\": \"(u a b)\"}\n",
    );
    let arguments = ["query", BLOCKS, "terminal", "--moves", &file];
    check(
        &arguments,
        3,
        "",
        "behind_the_end.jsonl:4: the game is over before this move",
    );
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

/// One true answer is all that can be said of a condition without variables, however many proofs it has.
#[test]
fn conditions_without_variables_have_one_answer() {
    let ask = |goal| ["query", BLOCKS, goal, "--max-steps", "1000"];
    check(&ask("repeat"), 0, "true\n", "");
    check(&ask("repeat, fail ; true"), 2, "", "limit of 1000 steps");
    check(&ask("undefined ; true"), 0, "undefined\ntrue\n", "");
}

#[test]
fn a_taken_port_is_told_with_a_way_out() {
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    let port = address.port().to_string();
    let message = format!("{address} is taken by another program; --port chooses another one");
    check(&["explore", "--port", &port], 3, "", &message);
}

#[cfg(unix)]
#[test]
fn requests_that_cannot_be_read_are_input() {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .arg("serve")
        .stdin(std::fs::File::open(env!("CARGO_MANIFEST_DIR")).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("cannot read -: "), "{message}");
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

/// An exception is shown where it was thrown, with the calls that led there.
#[test]
fn exceptions_have_a_backtrace() {
    let program = "tests/run/backtrace.pl";
    let calls = "main: expected an arithmetic function, found a/0
  in check/1, tests/run/backtrace.pl:9:9
  called from check/1, tests/run/backtrace.pl:14:5
  called from go/1, tests/run/backtrace.pl:4:10
  called from go/1, tests/run/backtrace.pl:5:29, 3 times
  called from main/0, tests/run/backtrace.pl:2:9
";
    check(&["run", program, "-g", "main"], 3, "1\n", calls);
    // A recursion is one line, however deep; who catches an exception hears nothing of it.
    let deep = "deep(100000): there is no predicate missing/0; did you mean listing/0?
  in deep/1, tests/run/backtrace.pl:17:12
  called from deep/1, tests/run/backtrace.pl:18:24, 100000 times
";
    check(&["run", program, "-g", "deep(100000)"], 3, "", deep);
    check(&["run", program, "-g", "caught"], 0, "caught\n", "");
    let raised = flux(&["run", "tests/run/raised.pl"]);
    assert_eq!(raised.status.code(), Some(3));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../run");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("raised", String::from_utf8_lossy(&raised.stderr)));
}

/// With `--format json` everything on standard output is JSON, one value a line, failures too.
#[test]
fn failures_are_json_as_well() {
    let limits = ["--max-seconds", "30"];
    let commands: [&[&str]; 10] = [
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
        &["solve"],
        &["playout", BLOCKS, "--engine", "steam"],
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

/// A file with this text.
fn file(name: &str, text: &str) -> String {
    let file = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, text).unwrap();
    file
}

/// The output of a command that succeeds.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = flux(arguments);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{err}");
    String::from_utf8(output.stdout).unwrap()
}

/// One axiom a role, an equivalence for what is negated, and one notation of goal values.
#[test]
fn goal_axioms_leave_nothing_open() {
    let text = printed(&["translate", "kb/games/tic_tac_toe.gdl"]).replace("\n     ", "");
    let latex = printed(&["translate", "kb/games/tic_tac_toe.gdl", "--to", "latex"]);
    for role in ["Xplayer", "Oplayer"] {
        let axioms = text.lines().filter(|line| {
            line.trim_start().starts_with("Terminal(z) ⊃")
                && line.contains(&format!("Goal({role}, z) = 100"))
        });
        let axioms: Vec<&str> = axioms.collect();
        assert_eq!(axioms.len(), 1, "{text}");
        assert_eq!(
            axioms[0].matches("Goal(").count(),
            axioms[0].matches(role).count()
        );
        assert!(latex.contains(&format!("\\mathit{{Goal}}(\\mathit{{{role}}}, z) = 100")));
    }
    assert!(text.contains("Line(x, z) ≡ "), "{text}");
    assert!(latex.contains("\\mathit{Line}(x, z) \\equiv "));
    assert!(!text.contains("⊃ Line(u"), "{text}");
    let json = printed(&["translate", "kb/games/tic_tac_toe.gdl", "--to", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    for goal in json["goals"].as_array().unwrap() {
        assert!(goal["value"].is_u64(), "{goal}");
        assert!(
            ["xplayer", "oplayer"].contains(&goal["role"].as_str().unwrap()),
            "{goal}"
        );
    }
    let called = "(role a) (role b) (init p) (legal a x) (legal b x) (<= (next q) (true p)) (<= terminal (true q))
        (next_best 1) (<= (goal a 100) (not (goal b 100))) (<= (goal b 100) (true p)) (<= (goal b 0) (not (true p)))";
    let text = printed(&["translate", &file("called.kif", called)]);
    assert!(
        text.contains("Goal(B, z) ≠ 100 ∧ Goal(A, z) = 100"),
        "{text}"
    );
}

/// Whoever can never win is named, and the rule that should pay; limits are for plays alone.
#[test]
fn plays_are_checked_within_limits() {
    let rules = "(role white) (role black) (init (turn 1))
        (legal white go) (legal black go)
        (<= (next (turn 2)) (true (turn 1)))
        (<= terminal (true (turn 2)))
        (goal white 100)
        (<= (goal black 100) (true (turn 1)))
        (<= (goal black 0) (true (turn 2)))";
    let unfair = file("unfair.kif", rules);
    let said = printed(&["check", "--play", &unfair]);
    assert!(said.contains("unfair.kif:6:9"), "{said}");
    assert!(
        said.contains("no play leads to an end that is worth 100 for black"),
        "{said}"
    );
    let in_a_step = ["check", "--play", "--max-steps", "1", &unfair];
    let output = flux(&in_a_step);
    let said = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(said, format!("{unfair}: ok (10 rules)\n"));
    assert_eq!(
        err,
        "plays were not looked at any further: limit of 1 steps reached; --max-steps allows for more\n"
    );
}

#[test]
fn a_proof_of_nothing_says_so() {
    let stuck = "(role white) (role black) (init (p a)) (<= (legal white go) (true (p b)))
        (<= (legal black go) (true (p b))) (<= (next (p c)) (does white go)) (<= terminal (true (p c)))
        (goal white 100) (goal black 0)";
    let stuck = file("vacuous.kif", stuck);
    assert!(printed(&["translate", &stuck, "--verify"]).starts_with("proved, but of nothing"));
    let json = printed(&["translate", &stuck, "--verify", "--to", "json"]);
    assert!(json.contains("\"vacuous\":true"), "{json}");
    let blocks = printed(&["translate", BLOCKS, "--verify", "--to", "json"]);
    assert!(blocks.contains("\"vacuous\":false"), "{blocks}");
}

#[test]
fn tables_that_are_left_out_are_told_with_their_role() {
    let switches: Vec<char> = "abcdefg".chars().collect();
    let mut rules = "(role robot) (init (left 9)) (<= terminal (true (left 0)))".to_owned();
    for n in 0..9 {
        rules += &format!("(succ {n} {})", n + 1);
    }
    rules += "(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))";
    let mut all_on = String::new();
    for s in &switches {
        rules += &format!(
            "(init (off {s})) (<= (legal robot (press {s})) (true (off {s})))
             (<= (next (on {s})) (does robot (press {s}))) (<= (next (on {s})) (true (on {s})))
             (<= (next (off {s})) (true (off {s})) (not (does robot (press {s}))))"
        );
        all_on += &format!("(true (on {s}))");
    }
    rules += &format!(
        "(<= (goal robot 100) {all_on}) (<= (goal robot 0) (not (done))) (<= (done) {all_on})"
    );
    let text = printed(&[
        "analyze",
        &file("switches.kif", &rules),
        "--level",
        "ground",
    ]);
    assert!(text.contains("The goal values of robot by "), "{text}");
    assert!(
        text.contains("rows, too many to be shown; --format json has them"),
        "{text}"
    );
}

/// What the sheet says of itself is what is found, and why it is otherwise for the definitions.
#[test]
fn nim_is_four_games_for_one_command_and_one_for_the_other() {
    let analysis = printed(&["analyze", "kb/games/nim.gdl"]);
    assert!(
        analysis.contains("It is one game: every action reads or changes control/1."),
        "{analysis}"
    );
    let hint = "this game consists of 4 games: flux decompose shows them";
    assert!(analysis.contains(hint), "{analysis}");
    let parts = printed(&["decompose", "kb/games/nim.gdl"]);
    assert!(parts.starts_with("nim consists of 4 games"), "{parts}");
}

#[test]
fn algorithms_for_several_players_are_refused_for_one() {
    for algorithm in ["proof", "alpha-beta", "retrograde", "layers", "parts"] {
        let reason =
            "alpha-beta, retrograde, layers, parts and replies are for games of several players";
        check(&["solve", BLOCKS, "--algorithm", algorithm], 3, "", reason);
    }
}

#[test]
fn games_of_chance_and_hidden_information_are_told() {
    let rules =
        "(role robot) (role random) (init (coin up)) (legal robot wait) (legal random (toss up))
        (legal random (toss down)) (<= (next (coin ?s)) (does random (toss ?s)))
        (<= terminal (true (coin down))) (goal robot 100) (goal random 0)";
    let hidden = "(<= (sees robot ?s) (does random (toss ?s)))";
    let own = "(<= (sees robot ?s) (true (coin ?s))) (<= terminal (sees robot left))";
    let chance = file("chance.kif", rules);
    let hidden = file(
        "hidden.kif",
        &format!("{} {hidden}", rules.replace("random", "dealer"))
            .replace("does random", "does dealer"),
    );
    let own = file(
        "own.kif",
        &format!("{} {own}", rules.replace("random", "dealer")),
    );
    for (game, code) in [(&chance, "G0701"), (&hidden, "G0702")] {
        assert!(printed(&["check", game]).contains(code));
        let refused = flux(&["solve", game, "--format", "json"]);
        assert_eq!(refused.status.code(), Some(3));
        let message = String::from_utf8(refused.stdout).unwrap();
        assert!(message.contains(code), "{message}");
        printed(&["playout", game, "-n", "5"]);
    }
    assert!(!printed(&["check", &own]).contains("G07"));
    printed(&["solve", &own]);
}

/// The ground game plays as the game does, and helpers have names of their own.
#[test]
fn ground_rules_can_be_read_back() {
    let taken = "(role r) (init (at 1)) (part_1 1 2) (part_1 2 3) (part 9) (step 1) (step 2)
        (<= (legal r (go ?y)) (true (at ?x)) (part_1 ?x ?y)) (<= (next (at ?y)) (does r (go ?y)))
        (<= (next (seen ?x)) (true (at ?x)) (step ?y) (part_1 ?y ?z) (not (true (seen ?z))))
        (<= terminal (true (at 3))) (<= (goal r 100) (true (at 3))) (<= (goal r 0) (not (true (at 3))))";
    let taken = file("taken.kif", taken);
    let games = [
        "nim",
        "hanoi",
        "tic_tac_toe",
        "joint_tic_tac_toe",
        "blocks_world",
        "roshambo",
        "connect_four",
    ];
    let games = games.map(|game| format!("kb/games/{game}.gdl"));
    for (number, game) in games.iter().chain([&taken]).enumerate() {
        let ground = file(
            &format!("ground{number}.kif"),
            &printed(&["ground", game, "--rules"]),
        );
        let moves = file(&format!("ground{number}.jsonl"), &moves_of_a_play(game));
        let trace = |game: &str| printed(&["trace", game, "--moves", &moves]);
        assert_eq!(trace(game), trace(&ground), "{game}");
    }
}

/// The picture of a board in README.md is what its command draws.
#[test]
fn a_trace_draws_its_last_state() {
    let picture = std::env::temp_dir().join(format!("flux_board_{}.svg", std::process::id()));
    let file = picture.to_str().unwrap();
    let moves = "docs/connect_four.jsonl";
    let game = "kb/games/connect_four.gdl";
    let printed = printed(&["trace", game, "--moves", moves, "--svg", file]);
    let drawn = std::fs::read_to_string(&picture).unwrap();
    std::fs::remove_file(&picture).unwrap();
    assert_eq!(printed.lines().count(), 10);
    assert_eq!(drawn, include_str!("../../docs/pictures/board.svg"));
    let output = flux(&["trace", game, "--svg", "no/such/folder/board.svg"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("cannot write no/such/folder/board.svg"),
        "{message}"
    );
}

/// The joint moves of a play until its end, at most twenty.
fn moves_of_a_play(game: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flux"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["trace", game, "--moves", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut moves = String::new();
    for step in 0..20 {
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let state: serde_json::Value = serde_json::from_str(&line).unwrap();
        if state["terminal"] == true {
            break;
        }
        let choose = |(role, legal): (&String, &serde_json::Value)| {
            let legal = legal.as_array().unwrap();
            (role.clone(), legal[(step * 7 + 3) % legal.len()].clone())
        };
        let legal = state["legal"].as_object().unwrap();
        let joint: serde_json::Map<String, serde_json::Value> = legal.iter().map(choose).collect();
        let joint = serde_json::Value::from(joint).to_string();
        writeln!(input, "{joint}").unwrap();
        moves += &format!("{joint}\n");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
    moves
}

/// The header of the sheet says that twenty moves do.
#[test]
fn a_shortest_plan_is_found_and_proved() {
    let solve = |more: &[&str]| -> serde_json::Value {
        let arguments = [
            &["solve", "kb/games/eight_puzzle.gdl", "--format", "json"],
            more,
        ]
        .concat();
        serde_json::from_str(&printed(&arguments)).unwrap()
    };
    let shortest = solve(&["--shortest"]);
    assert_eq!(shortest["plan"].as_array().unwrap().len(), 20);
    assert_eq!(
        (&shortest["value"], &shortest["shortest"]),
        (&100.into(), &true.into())
    );
    assert_eq!(shortest["verified"], true);
    let text = printed(&["solve", "kb/games/eight_puzzle.gdl"]);
    assert!(text.starts_with("best value 100: "), "{text}");
    check(
        &["solve", "kb/games/nim.gdl", "--shortest"],
        3,
        "",
        "--shortest is for games of one player",
    );
}

/// No move of a plan can be left out.
#[test]
fn plans_do_not_wait_in_vain() {
    let waiting = "(role r) (init (at 0)) (init (fuel 9)) (succ 0 1) (succ 1 2) (succ 2 3)
        (legal r wait) (<= (legal r go) (true (at ?x)) (succ ?x ?y)) (legal r (light a)) (legal r (light b))
        (<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?x)) (not (does r go)) (true (at ?x)))
        (<= (next (lit ?l)) (does r (light ?l))) (<= (next (lit ?l)) (true (lit ?l)))
        (<= terminal (true (at 3)) (true (lit a))) (<= (goal r 100) (true (at 3)) (true (lit a)) (true (lit b)))
        (<= (goal r 10) (not (true (lit b))))";
    needs_all_its_moves(&file("waiting.kif", waiting), "r");
    needs_all_its_moves("kb/games/incredible.gdl", "robot");
    needs_all_its_moves(BLOCKS, "robot");
}

/// Here the plan of one part waited for the end of another.
#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn plans_of_others_do_not_wait_in_vain() {
    let game = crate::collection::material("games").join("base/incredible.kif");
    needs_all_its_moves(game.to_str().unwrap(), "robot");
}

/// A plan loses its value with any of its moves.
fn needs_all_its_moves(game: &str, role: &str) {
    let report: serde_json::Value =
        serde_json::from_str(&printed(&["solve", game, "--format", "json"])).unwrap();
    let plan = report["plan"].as_array().unwrap().iter();
    let plan: Vec<&str> = plan.map(|mv| mv.as_str().unwrap()).collect();
    for left_out in 0..plan.len() {
        let mut shorter = plan.clone();
        shorter.remove(left_out);
        let lines = shorter
            .iter()
            .map(|mv| format!("{{\"{role}\":\"{mv}\"}}\n"));
        let name = format!("shorter_than{}.jsonl", game.replace('/', "_"));
        let moves = file(&name, &lines.collect::<String>());
        let output = flux(&["trace", game, "--moves", &moves]);
        let out = String::from_utf8(output.stdout).unwrap();
        let last: serde_json::Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
        let reaches = output.status.success() && last["goals"][role] == report["value"];
        assert!(!reaches, "{game}: move {left_out} of {plan:?} is needless");
    }
}

#[test]
fn the_length_of_a_series_is_kept() {
    let start = std::time::Instant::now();
    let arguments = [
        "playout",
        "kb/games/connect_four.gdl",
        "--seconds",
        "1",
        "--engine",
    ];
    for engine in ["tabled", "circuit"] {
        printed(&[&arguments[..], &[engine]].concat());
    }
    assert!(
        start.elapsed().as_secs_f64() < 12.0,
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn the_same_seed_gives_the_same_at_any_number_of_threads() {
    let report = |threads: &str, engine: &str| {
        let fixed = [
            "playout",
            "kb/games/nim.gdl",
            "-n",
            "300",
            "--seed",
            "7",
            "--format",
            "json",
        ];
        let out = printed(&[&fixed[..], &["--threads", threads, "--engine", engine]].concat());
        let mut report: serde_json::Value = serde_json::from_str(&out).unwrap();
        for name in ["seconds", "setup_seconds", "states_per_second"] {
            report[name] = serde_json::Value::Null;
        }
        report
    };
    for engine in ["tabled", "fluent", "circuit"] {
        assert_eq!(report("1", engine), report("3", engine), "{engine}");
    }
}

#[test]
fn shells_and_manuals_know_all_commands() {
    let help = printed(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 12, "{help}");
    let manual = printed(&["man"]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    for command in commands.iter().filter(|&&command| command != "help") {
        assert!(manual.contains(command), "{command}");
        assert!(
            printed(&["man", command]).contains(".SH OPTIONS"),
            "{command}"
        );
    }
    check(&["man", "fly"], 3, "", "there is no command fly");
}

#[test]
fn colours_are_as_asked_for() {
    let colours = |when: &str| {
        let output = flux(&["check", "docs/broken.kif", "--color", when]);
        String::from_utf8(output.stdout).unwrap().contains('\u{1b}')
    };
    assert!(colours("always"));
    assert!(!colours("never"));
    assert!(!colours("auto"));
    let failing = flux(&["query", BLOCKS, "foo(", "--color", "always"]);
    assert!(
        String::from_utf8(failing.stderr)
            .unwrap()
            .contains('\u{1b}')
    );
}

/// Pictures that can be read: alike nodes as one, depth cut with a count, and a word about it.
#[test]
fn pictures_are_of_a_size_that_can_be_read() {
    let effects = [
        "analyze",
        "kb/games/connect_four.gdl",
        "--level",
        "ground",
        "--view",
        "effects",
        "--format",
        "dot",
    ];
    let nodes = |more: &[&str]| {
        let output = flux(&[&effects[..], more].concat());
        let out = String::from_utf8(output.stdout).unwrap();
        let count = out.lines().filter(|line| line.contains(", shape=")).count();
        (count, out, String::from_utf8(output.stderr).unwrap())
    };
    let (all, _, silence) = nodes(&["--max-nodes", "0"]);
    assert_eq!(silence, "");
    assert!(all > 80, "{all}");
    let (few, picture, said) = nodes(&["--max-nodes", "40"]);
    assert!(few <= 40, "{few}");
    assert!(picture.contains(" × "), "{picture}");
    assert!(
        said.contains(&format!("the picture shows {few} of {all} nodes")),
        "{said}"
    );
    let (flat, picture, said) = nodes(&["--max-nodes", "0", "--depth", "0"]);
    assert!(flat < all && picture.contains(" more\""), "{picture}");
    assert!(said.contains("are hidden"), "{said}");
    let (some, picture, _) = nodes(&["--max-nodes", "0", "--only", "disc(1,1"]);
    assert!(some < all && picture.contains("disc(1,1"));
}

#[test]
fn what_is_added_is_green_and_has_a_plus() {
    let svg = printed(&["analyze", BLOCKS, "--format", "svg"]);
    let line = |name: &str| {
        let end = format!("marker-end=\"url(#arrow-{name})\"");
        svg.lines()
            .find(|line| line.contains(&end))
            .unwrap()
            .to_owned()
    };
    assert!(line("plus").contains("#1d6b3a"));
    assert!(line("minus").contains("#b02a1e"));
    for sign in [">+</text>", ">−</text>"] {
        assert!(svg.contains(sign), "{sign}");
    }
}

/// The dialogue speaks of its own settings, and a search that was stopped leaves its plan.
#[test]
fn limits_of_the_dialogue_are_settings() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flux"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["repl", "kb/games/eight_puzzle.gdl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, ":set seconds 0.000001\n:solve").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(":set seconds S allows for more"), "{said}");
    assert!(!said.contains("--max"), "{said}");
}
