//! Emitted FLUX programs: what they say, and that they play as the rules do.
//!
//! A game is played by `flux trace`; its program is then asked about every state on the way, in
//! `flux run` and, where it is installed, in SWI-Prolog: the same text for both.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::collection::{files, root, sample_games, swi_prolog};

/// Joint moves made in each game.
const MOVES: usize = 12;

/// Compares the answers of a program with a trace; prints `agreed` or the first difference.
const DRIVER: &str = r"
same(Xs, Ys) :- sort(Xs, S), sort(Ys, S).
must(Goal, _) :- call(Goal), !.
must(_, What) :- write(differs(What)), nl, halt(1).
replay([], _).
replay([step(State, Legal, Terminal, Goals, Joint)|Steps], Z) :-
    must(same(State, Z), state(State, Z)),
    must(( length(State, N), length(Z, N) ), duplicates(Z)),
    ( terminal(Z) -> Ends = true ; Ends = false ),
    must(Ends == Terminal, terminal(State)),
    forall(member(R-Ms, Legal),
           ( findall(M, poss(R, M, Z), Found), must(same(Ms, Found), poss(R, Ms, Found)) )),
    forall(member(R-V, Goals),
           ( findall(W, goal(R, W, Z), Ws), must(same([V], Ws), goal(R, V, Ws)) )),
    replay_rest(Steps, Z, Joint).
replay_rest([], _, _).
replay_rest([Step|Steps], Z, Joint) :-
    findall(Z2, state_update(Z, Joint, Z2), Zs),
    must(Zs = [_|_], no_successor(Joint)),
    Zs = [Z1|Others],
    forall(member(Other, Others), must(same(Other, Z1), two_successors(Joint))),
    must(bare_agrees(Z, Joint, Z1), bare(Joint)),
    replay([Step|Steps], Z1).
bare_agrees(Z, [does(R, M)], Z1) :- !, poss(M, Z), poss(R, M, Z), state_update(Z, M, Z2), same(Z2, Z1).
bare_agrees(_, _, _).
main :- init(Z), trace_of_game(Steps), replay(Steps, Z), write(agreed), nl.
";

#[test]
fn programs_of_sample_games() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/fluent"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    let _guard = settings.bind_to_scope();
    for game in ["blocks_world", "incredible", "tic_tac_toe", "two_graphs"] {
        let path = root().join(format!("kb/games/{game}.gdl"));
        insta::assert_snapshot!(format!("{game}_flux"), program(&path));
    }
}

#[test]
fn programs_play_as_the_rules_do() {
    let mut games = sample_games();
    games.extend(files(&root().join("tests/fluent/laws"), "gdl"));
    for game in games {
        let text = sources(&game).join("\n");
        assert_eq!(run_here(&text), "agreed\n", "{}", game.display());
    }
}

#[test]
#[ignore = "needs SWI-Prolog: cargo test -- --ignored"]
fn programs_play_the_same_in_swi_prolog() {
    for game in sample_games() {
        let output = run_in_swi_prolog(&sources(&game));
        assert_eq!(output, "agreed\n", "{}", game.display());
    }
}

/// The kernel, the program of a game, and a trace as a fact with what compares them.
fn sources(game: &Path) -> [String; 3] {
    let kernel = std::fs::read_to_string(root().join("kb/flux.pl")).unwrap();
    [kernel, program(game), format!("{}\n{DRIVER}", trace(game))]
}

fn program(game: &Path) -> String {
    flux(&["translate", path(game), "--to", "flux"])
}

/// A playout as the fact `trace_of_game(Steps)`.
fn trace(game: &Path) -> String {
    let mut moves = tempfile::NamedTempFile::new().unwrap();
    let mut text = String::new();
    for step in 0..=MOVES {
        let output = flux(&["trace", path(game), "--moves", path(moves.path())]);
        let state: Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
        let terminal = state["terminal"] == Value::Bool(true);
        let legal = state["legal"].as_object().unwrap();
        let is_stuck = legal
            .values()
            .any(|moves| moves == &Value::Array(Vec::new()));
        let choice = if terminal || is_stuck {
            Vec::new()
        } else {
            choose(&state["legal"], step)
        };
        let pairs = choice.iter();
        let joint = pairs.map(|(role, mv)| format!("does({},{})", prolog(role), prolog(mv)));
        let separator = if step > 0 { ",\n" } else { "" };
        write!(
            text,
            "{separator}step({}, {}, {terminal}, {}, [{}])",
            list(&state["state"]),
            by_role(&state["legal"], terminal),
            by_role(&state["goals"], false),
            joint.collect::<Vec<_>>().join(",")
        )
        .unwrap();
        if terminal || is_stuck {
            break;
        }
        let object = choice.into_iter().map(|(role, mv)| (role, Value::from(mv)));
        writeln!(moves, "{}", Value::Object(object.collect())).unwrap();
    }
    format!("trace_of_game([\n{text}]).\n")
}

/// A different choice at each step.
fn choose(legal: &Value, step: usize) -> Vec<(String, String)> {
    let roles = legal.as_object().unwrap().iter();
    let chosen = roles.map(|(role, moves)| {
        let moves = moves.as_array().unwrap();
        let mv = moves[(7 * step + 3) % moves.len()].as_str().unwrap();
        (role.clone(), mv.to_owned())
    });
    chosen.collect()
}

/// `{"r": [a, b]}` as `[r-[a,b]]`, `{"r": 50}` as `[r-50]`; in a terminal state no moves at all.
fn by_role(object: &Value, terminal: bool) -> String {
    let entries = object.as_object().into_iter().flatten();
    let entries = entries.map(|(role, value)| match value.is_array() {
        true if terminal => format!("{}-[]", prolog(role)),
        true => format!("{}-{}", prolog(role), list(value)),
        false => format!("{}-{value}", prolog(role)),
    });
    format!("[{}]", entries.collect::<Vec<_>>().join(", "))
}

fn list(terms: &Value) -> String {
    let terms = terms.as_array().unwrap().iter();
    let terms = terms.map(|term| prolog(term.as_str().unwrap()));
    format!("[{}]", terms.collect::<Vec<_>>().join(","))
}

/// A term in prefix notation, `(cell 1 1 b)`, as a term of Prolog.
fn prolog(term: &str) -> String {
    let spaced = term.replace('(', "( ").replace(')', " )");
    let mut text = String::new();
    let mut after_open = false;
    for token in spaced.split_whitespace() {
        match token {
            "(" => {
                separate(&mut text, after_open);
                after_open = true;
                continue;
            }
            ")" => text.push(')'),
            word => {
                separate(&mut text, after_open);
                text.push_str(&atom(word));
                if after_open {
                    text.push('(');
                }
            }
        }
        after_open = false;
    }
    text
}

/// A comma, unless a list of arguments or a compound has just begun.
fn separate(text: &mut String, after_open: bool) {
    if !after_open && !text.is_empty() && !text.ends_with('(') {
        text.push(',');
    }
}

fn atom(word: &str) -> String {
    if word.parse::<i64>().is_ok() || !flux::syntax::needs_quotes(word) {
        return word.to_owned();
    }
    flux::syntax::quote(word)
}

fn run_here(program: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(["run", "-", "-g", "main"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(program.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    format!("{}{errors}", String::from_utf8_lossy(&output.stdout))
}

fn run_in_swi_prolog(texts: &[String]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let paths = texts.iter().enumerate().map(|(number, text)| {
        let path = folder.path().join(format!("{number}.pl"));
        std::fs::write(&path, text).unwrap();
        path
    });
    let output = swi_prolog()
        .args(["-q", "-g", "main", "-t", "halt"])
        .args(paths)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    format!("{}{errors}", String::from_utf8_lossy(&output.stdout))
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn flux(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}
