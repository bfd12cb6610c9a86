//! Properties of games: reports in words and JSON, `tests/prove/<game>.<form>.snap`; small games at random, where
//! every method has to agree with looking at all states; what papers say of well-known games.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use flux::circuit::Circuit;
use flux::gdl::{Game, RuleSheet, Vocabulary};
use flux::limits::Limits;
use flux::prove::{
    self, Application, Finding, GroundedGame, Missing, ProofEffort, PropertyKind, PropertyQuestion,
    Prover, TemporalFormula, Verdict,
};
use flux::syntax::{Notation, Source};
use flux::term::{Case, Store};
use serde_json::Value;

use crate::collection::{material, root};
use crate::random_game::{random_game, text};

fn run(game: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flux"));
    command
        .arg("prove")
        .arg(game)
        .args(options)
        .output()
        .unwrap()
}

fn said(output: Output) -> String {
    String::from_utf8(output.stdout).unwrap()
}

fn sample(name: &str) -> std::path::PathBuf {
    root().join("kb/games").join(name).with_extension("gdl")
}

fn snapshots() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/prove"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    settings
}

/// The report for programs, without the time that it took.
fn report(game: &Path, options: &[&str]) -> Value {
    let options = [options, &["--format", "json"]].concat();
    let mut report: Value = serde_json::from_str(&said(run(game, &options))).unwrap();
    for finding in report.as_array_mut().unwrap() {
        let seconds = finding.as_object_mut().unwrap().remove("seconds");
        assert!(seconds.is_some_and(|seconds| seconds.is_number()));
    }
    report
}

#[test]
fn properties_of_sample_games() {
    let _guard = snapshots().bind_to_scope();
    for name in [
        "tic_tac_toe",
        "nim",
        "roshambo",
        "step_counter",
        "blocks_world",
        "lights_out",
    ] {
        insta::assert_snapshot!(format!("{name}.text"), said(run(&sample(name), &[])));
    }
    insta::assert_json_snapshot!("nim.json", report(&sample("nim"), &[]));
}

/// Without looking at states one by one: invariants and measures, confirmed.
#[test]
fn proofs_without_exhaustion() {
    let _guard = snapshots().bind_to_scope();
    let options = ["--max-states", "0"];
    for name in ["tic_tac_toe", "hanoi", "eight_puzzle"] {
        insta::assert_snapshot!(format!("{name}.proofs"), said(run(&sample(name), &options)));
    }
}

/// Two players fill a row of their own at the same time. Neither is stuck, as both rows are full at the same time: that there
/// are as many marks in one as in the other follows from no clauses over a few fluents.
const TWO_ROWS: &str = "
    (role one) (role other)
    (cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6)
    (cell 7) (cell 8) (cell 9) (cell 10) (cell 11) (cell 12)
    (<= (base (mark ?role ?cell)) (role ?role) (cell ?cell))
    (<= (input ?role (put ?cell)) (role ?role) (cell ?cell))
    (<= (free ?role ?cell) (role ?role) (cell ?cell) (not (true (mark ?role ?cell))))
    (<= (legal ?role (put ?cell)) (free ?role ?cell))
    (<= (next (mark ?role ?cell)) (does ?role (put ?cell)))
    (<= (next (mark ?role ?cell)) (true (mark ?role ?cell)))
    (<= open (free ?role ?cell))
    (<= terminal (not open))
    (<= (goal ?role 50) (role ?role))
";

#[test]
fn numbers_of_fluents_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("two_rows.kif");
    std::fs::write(&game, TWO_ROWS).unwrap();
    let report = report(&game, &["playable", "--max-states", "0"]);
    let finding = &report[0];
    assert_eq!(finding["verdict"], "proved");
    assert_eq!(finding["confirmed"], true);
    let reason = finding["invariant"][0].as_str().unwrap();
    assert!(
        reason.starts_with("as many of (true (mark one 1)),"),
        "{reason}"
    );
}

#[test]
fn formulas_are_proved_and_refuted() {
    let game = sample("tic_tac_toe");
    for (formula, code) in [
        (
            "(always (not (and (true (cell 1 1 x)) (true (cell 1 1 o)))))",
            0,
        ),
        (
            "(always (implies (true (cell 1 1 x)) (next (true (cell 1 1 x)))))",
            0,
        ),
        (
            "(always (implies (true (cell 1 1 b)) (next (true (cell 1 1 b)))))",
            1,
        ),
        ("(some (eventually (goal oplayer 100)))", 0),
        ("(eventually (goal xplayer 100))", 1),
        ("(eventually terminal)", 0),
        (
            "(until (true (cell 2 2 b)) (or terminal (not (true (cell 2 2 b)))))",
            0,
        ),
        ("(always (or terminal (some (eventually terminal))))", 0),
        (
            "(not (some (eventually (and (goal xplayer 100) (goal oplayer 100)))))",
            0,
        ),
    ] {
        let output = run(&game, &[formula]);
        assert_eq!(output.status.code(), Some(code), "{formula}: {output:?}");
    }
}

#[test]
fn what_is_no_property_is_said() {
    let game = sample("tic_tac_toe");
    for (property, message) in [
        ("terminate", "there is no property `terminate`"),
        (
            "playable:nobody",
            "there is no role `nobody`; the roles are xplayer, oplayer",
        ),
        (
            "terminates:xplayer",
            "a property of the game, not of a role",
        ),
        (
            "(always (true (cell 1 1 z)))",
            "column 9: no state has `(true (cell 1 1 z))`",
        ),
        (
            "(always terminal terminal)",
            "column 1: `(always terminal terminal)` is no formula",
        ),
        ("(always (true", "column"),
    ] {
        let output = run(&game, &[property]);
        assert_eq!(output.status.code(), Some(3), "{property}: {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(message), "{property}: {said}");
    }
}

#[test]
fn open_within_limits_is_exit_code_2() {
    let options = ["zero-sum", "--max-states", "0", "--max-seconds", "0"];
    let output = run(&sample("connect_four"), &options);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Each method finds out which rules and moves no play has.
#[test]
fn what_no_play_has_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.kif");
    let rules = "(role white) (role black)
(init (control white)) (init (square 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?r (go ?n)) (true (control ?r)) (true (square ?m)) (succ ?m ?n))
(<= (legal ?r (jump ?m)) (true (control ?r)) (true (square ?m)) (true (control white)) (true (control black)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (square ?n)) (does ?r (go ?n)))
(<= (next (square 1)) (does ?r (go 2)) (does ?r noop))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= won (true (square 4)) (true (control black)))
(<= lost (true (square 3)) (true (control black)))
(<= terminal (true (square 4)))
(<= (goal white 100) won) (<= (goal white 0) (not won))
(<= (goal black 0) won) (<= (goal black 100) lost)";
    std::fs::write(&game, rules).unwrap();
    let properties = [
        "rules-apply",
        "moves-legal",
        "moves-legal:black",
        "symmetric",
    ];
    let all = said(run(&game, &properties));
    let _guard = snapshots().bind_to_scope();
    insta::assert_snapshot!("missing.text", all);
    let blind = said(run(
        &game,
        &[&properties[..], &["--max-states", "0"]].concat(),
    ));
    assert_eq!(blind.replace("reachability", "exhaustion"), all);
}

/// A game and its circuit, of rules that can be played and grounded.
struct Ground {
    game: Game,
    circuit: Arc<Circuit>,
    rules: Vec<Application>,
    vocabulary: Vocabulary,
}

impl Ground {
    fn of(rules: &str) -> Option<Self> {
        let source = Source::new("game", rules);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, Notation::Prefix, Case::Fold);
        if sheet.has_errors() {
            return None;
        }
        let limits = Limits::default();
        let game = Game::new(&mut store, source, sheet.clauses, &limits).ok()?;
        let mut vocabulary = Vocabulary::new(store);
        let grounded = prove::ground(&game, &mut vocabulary, &limits, 100_000).ok()?;
        Some(Self {
            game,
            circuit: grounded.circuit,
            rules: grounded.rules,
            vocabulary,
        })
    }

    fn decide(&mut self, questions: &[PropertyQuestion], effort: ProofEffort) -> Vec<Finding> {
        let limits = Limits::default();
        let subject = GroundedGame {
            game: &self.game,
            circuit: &self.circuit,
            rules: &self.rules,
        };
        let mut prover =
            Prover::new(subject, questions, &mut self.vocabulary, effort, &limits).unwrap();
        let numbers = 0..questions.len();
        let findings = numbers.map(|number| prover.decide(number, &mut self.vocabulary).unwrap());
        findings.collect()
    }
}

/// Verdicts without looking at all states, beside those of looking at all of them.
fn compare(seeds: std::ops::Range<u64>) -> [usize; 3] {
    let named = PropertyQuestion::all_named();
    let [mut games, mut decided, mut open] = [0; 3];
    for seed in seeds {
        let Some(mut ground) = Ground::of(&text(&random_game(seed))) else {
            continue;
        };
        let all = ProofEffort {
            states: 20_000,
            ..ProofEffort::default()
        };
        let blind = ProofEffort {
            states: 0,
            operations: 2_000_000,
            assignments: 200_000,
            ..ProofEffort::default()
        };
        let right = ground.decide(&named, all);
        let found = ground.decide(&named, blind);
        games += 1;
        for ((question, right), found) in named.iter().zip(right).zip(found) {
            let name = question.text(&[]);
            if right.verdict == Verdict::Open || found.verdict == Verdict::Open {
                open += 1;
                continue;
            }
            assert_eq!(
                found.verdict, right.verdict,
                "{name} of game {seed}: {found:?}"
            );
            decided += 1;
            // What no play has is listed as far as it was found out, and nothing else is.
            let mut missing = found.missing.iter();
            assert!(
                missing.all(|one| right.missing.contains(one)),
                "{name} of game {seed}: {:?}, not {:?}",
                found.missing,
                right.missing
            );
            let lengths = (found.bound, right.bound);
            if let (Verdict::Proved, PropertyKind::Terminates, (Some(most), Some(longest))) =
                (right.verdict, named_kind(question), lengths)
            {
                assert!(longest <= most, "game {seed}: {longest} moves, not {most}");
            }
        }
    }
    [games, decided, open]
}

fn named_kind(question: &PropertyQuestion) -> PropertyKind {
    match question {
        PropertyQuestion::Named(property) => property.kind,
        PropertyQuestion::Formula(_) => PropertyKind::Playable,
    }
}

/// Forty games, or as many as `FLUX_PROVED_GAMES` says.
#[test]
fn methods_agree_with_looking_at_all_states() {
    let all =
        std::env::var("FLUX_PROVED_GAMES").map_or(40, |games| games.parse::<usize>().unwrap());
    let [games, decided, open] = compare(0..all as u64);
    assert!(
        games * 4 >= all * 3 && decided > 5 * open,
        "{games} of {all} games, {decided} and {open}"
    );
}

/// What Schiffel, Thielscher (2009) and Haufe, Schiffel, Thielscher (2012) prove of games.
#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn what_papers_prove() {
    let games = material("games");
    for (game, [first, second], content) in [
        (
            "ticTacToe",
            ["xplayer", "oplayer"],
            ["cell 1 1 x", "cell 1 1 o"],
        ),
        (
            "connectFour",
            ["red", "black"],
            ["cell 1 1 red", "cell 1 1 black"],
        ),
        (
            "breakthrough",
            ["white", "black"],
            ["cellHolds 1 1 white", "cellHolds 1 1 black"],
        ),
        ("checkers", ["red", "black"], ["cell b 1 wp", "cell b 1 b"]),
    ] {
        let path = games.join("base").join(game).with_extension("kif");
        let [one, other] = [first, second].map(|role| format!("(true (control {role}))"));
        let [this, that] = content.map(|content| format!("(true ({content}))"));
        let options = [
            format!("(always (not (and {one} {other})))"),
            format!("(always (or {one} {other}))"),
            format!("(always (not (and {this} {that})))"),
            "turn-taking".to_owned(),
        ];
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let output = run(&path, &options);
        assert_eq!(output.status.code(), Some(0), "{game}: {output:?}");
    }
}

#[test]
fn formulas_remember_their_text() {
    let mut ground = Ground::of(&std::fs::read_to_string(sample("nim")).unwrap()).unwrap();
    let formula = TemporalFormula::parse(
        "(always  (not terminal))",
        &ground.circuit,
        ground.game.roles(),
        &mut ground.vocabulary,
    );
    assert_eq!(formula.unwrap().text(), "(always  (not terminal))");
}

/// Plays may be shorter than what is worth while.
#[test]
fn plays_are_as_short_as_they_are_asked_to_be() {
    let mut ground = Ground::of(&std::fs::read_to_string(sample("nim")).unwrap()).unwrap();
    let named = PropertyQuestion::all_named();
    for length in [0, 5] {
        let effort = ProofEffort {
            length,
            ..ProofEffort::default()
        };
        assert_eq!(ground.decide(&named, effort).len(), named.len());
    }
}

/// How many clauses are left out stands behind those that are shown.
#[test]
fn clauses_that_are_left_out_are_counted_behind_the_others() {
    let missing = |text: &str| Missing {
        line: Some(7),
        text: text.to_owned(),
    };
    let finding = Finding {
        reasons: (1..=7).map(|number| format!("clause {number}")).collect(),
        missing: vec![missing("a rule")],
        undecided: vec![missing("another rule")],
        ..Finding::open(None)
    };
    let text = prove::text("rules-apply", &finding, &[], &Store::new());
    let lines: Vec<&str> = text.lines().skip(5).collect();
    let expected = [
        "    in all states clause 5",
        "    and 2 clauses more",
        "    line 7: a rule",
        "    undecided: line 7: another rule",
    ];
    assert_eq!(lines, expected, "{text}");
}

/// Games that old methods leave open: what is said of one property, without looking at states one by one.
fn of_one(rules: &str, kind: PropertyKind) -> Finding {
    let mut ground = Ground::of(rules).unwrap();
    let effort = ProofEffort {
        states: 0,
        ..ProofEffort::default()
    };
    let question = PropertyQuestion::Named(prove::Property::of_game(kind));
    ground.decide(&[question], effort).remove(0)
}

/// A cell is left and entered again, until an arrow is in it: the rank is that of the arrow.
#[test]
fn values_that_come_back_until_they_do_not_are_measures() {
    let rules = "
        (role robot) (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
        (init (in 1 robot))
        (<= (init (in ?x nothing)) (number ?x) (distinct ?x 1))
        (<= (legal robot (go ?x ?y)) (true (in ?x nothing)) (true (in ?y nothing)) (distinct ?x ?y))
        (<= (next (in ?x robot)) (does robot (go ?x ?y)))
        (<= (next (in ?y arrow)) (does robot (go ?x ?y)))
        (<= (next (in ?z arrow)) (true (in ?z arrow)))
        (<= (next (in ?z nothing)) (true (in ?z robot)))
        (<= (next (in ?z nothing)) (true (in ?z nothing)) (does robot (go ?x ?y)) (distinct ?z ?x) (distinct ?z ?y))
        (<= open (legal robot ?m))
        (<= terminal (not open))
        (goal robot 100)";
    let finding = of_one(rules, PropertyKind::Terminates);
    assert_eq!(
        (finding.verdict, finding.bound, finding.confirmed),
        (Verdict::Proved, Some(6), true),
        "{finding:?}"
    );
}

/// What only the start has is no step of the counter that begins there.
#[test]
fn flags_of_the_start_leave_step_counters_alone() {
    let steps = (1..30).map(|step| format!("(succ {step} {})", step + 1));
    let rules = format!(
        "(role robot) (init fire) (init (step 1)) {}
        (legal robot walk) (legal robot mark)
        (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
        (<= (next (marked ?t)) (does robot mark) (true (step ?s)) (succ ?s ?t))
        (<= (next (marked ?t)) (true (marked ?t)))
        (<= terminal (true (step 30)))
        (goal robot 100)",
        steps.collect::<String>()
    );
    let finding = of_one(&rules, PropertyKind::Terminates);
    assert_eq!(
        (finding.verdict, finding.bound),
        (Verdict::Proved, Some(29)),
        "{finding:?}"
    );
}

/// Two counters of three and of five values come to their last ones together after fourteen moves, whatever is done; no
/// single one of them grows. Of two and four values they do so never, if the last ones are an even and an odd number.
#[test]
fn counters_run_out_together() {
    let counters = |first: usize, second: usize, ends: [usize; 2]| {
        let values = |name: &str, number: usize| {
            let follows = (0..number).map(|value| {
                let next = (value + 1) % number;
                format!("(<= (next ({name} {next})) (true ({name} {value})))")
            });
            follows.collect::<String>()
        };
        format!(
            "(role robot) (init (a 0)) (init (b 0)) {} {}
            (legal robot push) (legal robot wait)
            (<= (next pushed) (does robot push)) (<= (next pushed) (true pushed) (true (a 0)))
            (<= terminal (true (a {})) (true (b {})))
            (<= (goal robot 100) (true pushed)) (<= (goal robot 0) (not (true pushed)))",
            values("a", first),
            values("b", second),
            ends[0],
            ends[1]
        )
    };
    let finding = of_one(&counters(3, 5, [2, 4]), PropertyKind::Terminates);
    assert_eq!(
        (finding.verdict, finding.bound, finding.confirmed),
        (Verdict::Proved, Some(14), true),
        "{finding:?}"
    );
    let finding = of_one(&counters(2, 4, [0, 3]), PropertyKind::Terminates);
    assert_eq!(finding.verdict, Verdict::Refuted, "{finding:?}");
}

/// Who can mark nothing passes; two passes in a row are the end.
#[test]
fn passes_are_no_way_to_go_on_for_ever() {
    let rules = "
        (role x) (role o) (init (control x))
        (of x 1) (of x 2) (of x 3) (of o 4)
        (<= (can ?r ?n) (of ?r ?n) (not (true (marked ?n))))
        (<= (can_some ?r) (can ?r ?n))
        (<= (legal ?r (mark ?n)) (true (control ?r)) (can ?r ?n))
        (<= (legal ?r pass) (true (control ?r)) (not (can_some ?r)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (next (marked ?n)) (does ?r (mark ?n)))
        (<= (next (marked ?n)) (true (marked ?n)))
        (<= (next (control x)) (true (control o)))
        (<= (next (control o)) (true (control x)))
        (<= terminal (not (can_some x)) (not (can_some o)))
        (<= (goal ?r 50) (role ?r))";
    let finding = of_one(rules, PropertyKind::Terminates);
    assert_eq!(
        (finding.verdict, finding.bound, finding.confirmed),
        (Verdict::Proved, Some(9), true),
        "{finding:?}"
    );
    // If nobody has to stop, nothing ends a play.
    let endless = rules.replace(
        "(<= terminal (not (can_some x)) (not (can_some o)))",
        "(<= terminal (true (control x)) (true (control o)))",
    );
    let finding = of_one(&endless, PropertyKind::Terminates);
    assert_eq!(finding.verdict, Verdict::Refuted, "{finding:?}");
}

/// Each move turns over all stones but the new one, which is of one colour or the other.
#[test]
fn stones_that_are_turned_over_stay_on_the_board() {
    let rules = "
        (role robot) (number 1) (number 2) (number 3) (number 4) (number 5)
        (other white black) (other black white)
        (<= (legal robot (put ?n ?c)) (number ?n) (other ?c ?d) (not (taken ?n)))
        (<= (taken ?n) (true (stone ?n ?c)))
        (<= (next (stone ?n ?c)) (does robot (put ?n ?c)))
        (<= (next (stone ?n ?c)) (true (stone ?n ?d)) (other ?c ?d))
        (<= open (number ?n) (not (taken ?n)))
        (<= terminal (not open))
        (goal robot 100)";
    let finding = of_one(rules, PropertyKind::Terminates);
    assert_eq!(
        (finding.verdict, finding.bound, finding.confirmed),
        (Verdict::Proved, Some(5), true),
        "{finding:?}"
    );
}

/// Marks that are alike must not be side by side: random plays end long before the board is full.
#[test]
fn plays_are_led_to_full_boards() {
    let rules = "
        (role x) (role o) (number 1) (number 2) (number 3) (number 4)
        (succ 1 2) (succ 2 3) (succ 3 4)
        (init (control x))
        (<= (init (cell ?a ?b blank)) (number ?a) (number ?b))
        (<= (legal ?r (mark ?a ?b)) (true (control ?r)) (true (cell ?a ?b blank)))
        (<= (legal x noop) (true (control o)))
        (<= (legal o noop) (true (control x)))
        (<= (next (control x)) (true (control o)))
        (<= (next (control o)) (true (control x)))
        (<= (next (cell ?a ?b ?r)) (does ?r (mark ?a ?b)))
        (<= (next (cell ?a ?b ?r)) (true (cell ?a ?b ?r)) (role ?r))
        (<= (next (cell ?a ?b blank)) (true (cell ?a ?b blank)) (not (marked ?a ?b)))
        (<= (marked ?a ?b) (does ?r (mark ?a ?b)))
        (<= lost (true (cell ?a ?b ?r)) (true (cell ?a ?c ?r)) (role ?r) (succ ?b ?c))
        (<= lost (true (cell ?b ?a ?r)) (true (cell ?c ?a ?r)) (role ?r) (succ ?b ?c))
        (<= open (true (cell ?a ?b blank)))
        (<= terminal lost)
        (<= terminal (not open))
        (<= (goal ?r 0) lost (true (control ?r)))
        (<= (goal ?r 100) lost (role ?r) (not (true (control ?r))))
        (<= (goal ?r 70) (role ?r) (not lost))";
    let finding = of_one(rules, PropertyKind::ConstantSum);
    assert_eq!(
        (finding.verdict, finding.bound, finding.confirmed),
        (Verdict::Refuted, Some(16), true),
        "{finding:?}"
    );
}

/// Rules that have too many products, and too many sums, to be multiplied out.
#[test]
fn roles_are_exchanged_in_rules_that_are_not_multiplied_out() {
    let odd = (2..12).map(|n| {
        let before = n - 1;
        format!(
            "(number {n})
            (<= (odd{n} ?r) (odd{before} ?r) (not (true (on ?r {n}))))
            (<= (odd{n} ?r) (role ?r) (not (odd{before} ?r)) (true (on ?r {n})))"
        )
    });
    let rules = format!(
        "(role left) (role right) (number 1) {}
        (<= (odd1 ?r) (true (on ?r 1)))
        (<= (legal ?r (push ?n)) (role ?r) (number ?n))
        (<= (next (on ?r ?n)) (does ?r (push ?n)))
        (<= (next (on ?r ?n)) (true (on ?r ?n)))
        (<= terminal (odd11 left) (odd11 right))
        (<= (goal ?r 100) (odd11 ?r))
        (<= (goal ?r 0) (role ?r) (not (odd11 ?r)))",
        odd.collect::<String>()
    );
    let finding = of_one(&rules, PropertyKind::Symmetric);
    assert_eq!(finding.verdict, Verdict::Proved, "{finding:?}");
    // Both are paid for what the right one does.
    let unfair = rules.replace(
        "(goal ?r 100) (odd11 ?r)",
        "(goal ?r 100) (role ?r) (odd11 right)",
    );
    let finding = of_one(&unfair, PropertyKind::Symmetric);
    assert_ne!(finding.verdict, Verdict::Proved, "{finding:?}");
}

/// What is odd is counted from the first number for one role and from the last for the other: the same function, of other
/// gates.
#[test]
fn roles_are_exchanged_in_rules_that_count_the_other_way() {
    let parity = |name: &str, role: &str, order: &[usize]| {
        let first = order[0];
        let others = order.windows(2).map(|pair| {
            let [before, n] = [pair[0], pair[1]];
            format!(
                "(<= ({name}{n}) ({name}{before}) (not (true (on {role} {n}))))
                (<= ({name}{n}) (not ({name}{before})) (true (on {role} {n})))"
            )
        });
        let others: String = others.collect();
        format!("(<= ({name}{first}) (true (on {role} {first}))) {others}")
    };
    let up: Vec<usize> = (1..=11).collect();
    let down: Vec<usize> = (1..=11).rev().collect();
    let numbers: String = up.iter().map(|n| format!("(number {n})")).collect();
    let rules = format!(
        "(role left) (role right) {numbers} {} {}
        (<= (legal ?r (push ?n)) (role ?r) (number ?n))
        (<= (next (on ?r ?n)) (does ?r (push ?n)))
        (<= (next (on ?r ?n)) (true (on ?r ?n)))
        (<= terminal (up11) (down1))
        (<= (goal left 100) (up11))
        (<= (goal left 0) (not (up11)))
        (<= (goal right 100) (down1))
        (<= (goal right 0) (not (down1)))",
        parity("up", "left", &up),
        parity("down", "right", &down)
    );
    let finding = of_one(&rules, PropertyKind::Symmetric);
    assert_eq!(finding.verdict, Verdict::Proved, "{finding:?}");
    // The end asks one role for the number without the last: other functions, though all others are exchanged.
    let uneven = rules.replace("terminal (up11) (down1)", "terminal (up10) (down1)");
    let finding = of_one(&uneven, PropertyKind::Symmetric);
    assert_ne!(finding.verdict, Verdict::Proved, "{finding:?}");
    // Nobody may push what one of the roles has pushed: that tells them apart, whatever is odd.
    let once = rules.replace(
        "(role ?r) (number ?n))\n        (<= (next (on ?r ?n)) (does",
        "(role ?r) (number ?n) (not (true (on left ?n))))\n        (<= (next (on ?r ?n)) (does",
    );
    assert_ne!(once, rules);
    let finding = of_one(&once, PropertyKind::Symmetric);
    assert_eq!(finding.verdict, Verdict::Refuted, "{finding:?}");
}

/// Which of two numbers is greater is said of the moves of both roles, each sum of which can be written in several ways.
#[test]
fn roles_are_exchanged_that_outbid_each_other() {
    let numbers = (0..6).map(|n| format!("(number {n})")).collect::<String>();
    let greater = (0..6).flat_map(|n| (0..n).map(move |m| format!("(greater {n} {m})")));
    let rules = format!(
        "(role left) (role right) {numbers} {}
        (init (has left 5)) (init (has right 5)) (init (points left 0)) (init (points right 0))
        (<= (legal ?r (bid ?n)) (true (has ?r ?m)) (atmost ?n ?m))
        (<= (atmost ?n ?m) (greater ?m ?n))
        (<= (atmost ?n ?n) (number ?n))
        (<= (next (has ?r ?m)) (does ?r (bid ?n)) (true (has ?r ?m)) (atmost ?n ?m))
        (<= (next (points left 1)) (does left (bid ?n)) (does right (bid ?m)) (greater ?n ?m))
        (<= (next (points right 1)) (does right (bid ?n)) (does left (bid ?m)) (greater ?n ?m))
        (<= (next (points left 0)) (does left (bid ?n)) (does right (bid ?m)) (atmost ?n ?m))
        (<= (next (points right 0)) (does right (bid ?n)) (does left (bid ?m)) (atmost ?n ?m))
        (<= terminal (true (points left 1)))
        (<= terminal (true (points right 1)))
        (<= (goal ?r 100) (true (points ?r 1)))
        (<= (goal ?r 0) (true (points ?r 0)))",
        greater.collect::<String>()
    );
    let finding = of_one(&rules, PropertyKind::Symmetric);
    assert_eq!(finding.verdict, Verdict::Proved, "{finding:?}");
    // Of equal bids one role has the point.
    let uneven = rules.replace(
        "(does left (bid ?n)) (does right (bid ?m)) (greater ?n ?m)",
        "(does left (bid ?n)) (does right (bid ?m)) (atmost ?m ?n)",
    );
    assert_ne!(uneven, rules);
    let finding = of_one(&uneven, PropertyKind::Symmetric);
    assert_ne!(finding.verdict, Verdict::Proved, "{finding:?}");
}

/// What a goal asks of one role depends on a fluent more than what it asks of the other.
#[test]
fn roles_differ_that_depend_on_other_numbers_of_fluents() {
    let rules = "
        (role left) (role right) (number 1) (number 2) (number 3)
        (<= (legal ?r (push ?n)) (role ?r) (number ?n))
        (<= (legal ?r wait) (role ?r))
        (<= (next (on ?r ?n)) (does ?r (push ?n)))
        (<= (next (on ?r ?n)) (true (on ?r ?n)) (not (off ?r)))
        (<= (off ?r) (does ?r wait))
        (<= terminal (true (on left 1)) (true (on right 1)))
        (<= (goal ?r 100) (even ?r))
        (<= (goal ?r 0) (role ?r) (not (even ?r)))
        (<= (even ?r) (role ?r) (not (true (on ?r 1))) (not (true (on ?r 2))))
        (<= (even ?r) (true (on ?r 1)) (true (on ?r 2)))";
    let finding = of_one(rules, PropertyKind::Symmetric);
    assert_eq!(finding.verdict, Verdict::Proved, "{finding:?}");
    let other = rules.replace(
        "(<= (even ?r) (true (on ?r 1)) (true (on ?r 2)))",
        "(<= (even right) (true (on right 1)) (true (on right 2)))
         (<= (even left) (true (on left 1)) (true (on left 2)) (true (on left 3)))",
    );
    assert_ne!(other, rules);
    let finding = of_one(&other, PropertyKind::Symmetric);
    assert_eq!(finding.verdict, Verdict::Refuted, "{finding:?}");
}

/// Two that leave a trail on a board, most of whose cells no random play comes to: where each is, is one of its cells, and not
/// the trail that it left.
#[test]
fn games_end_in_which_cells_that_were_left_cannot_be_entered() {
    let numbers = (0..10).map(|n| format!("(number {n})")).collect::<String>();
    let succ = (1..10).map(|n| format!("(succ {} {n})", n - 1));
    let rules = format!(
        "(role red) (role blue) {numbers} {}
        (init (at red 2 2)) (init (at blue 7 7))
        (<= (init (trail 0 ?n)) (number ?n)) (<= (init (trail 9 ?n)) (number ?n))
        (<= (init (trail ?n 0)) (number ?n)) (<= (init (trail ?n 9)) (number ?n))
        (direction up) (direction down) (direction left) (direction right)
        (<= (legal ?r ?d) (role ?r) (direction ?d))
        (<= (next (trail ?x ?y)) (true (trail ?x ?y)))
        (<= (next (trail ?x ?y)) (true (at ?r ?x ?y)))
        (<= (next (at ?r ?x ?b)) (does ?r up) (true (at ?r ?x ?a)) (succ ?a ?b))
        (<= (next (at ?r ?x ?a)) (does ?r down) (true (at ?r ?x ?b)) (succ ?a ?b))
        (<= (next (at ?r ?b ?y)) (does ?r right) (true (at ?r ?a ?y)) (succ ?a ?b))
        (<= (next (at ?r ?a ?y)) (does ?r left) (true (at ?r ?b ?y)) (succ ?a ?b))
        (<= (crashed ?r) (true (at ?r ?x ?y)) (true (trail ?x ?y)))
        (<= met (true (at red ?x ?y)) (true (at blue ?x ?y)))
        (<= terminal (crashed ?r))
        (<= terminal met)
        (<= (goal red 100) (crashed blue) (not (crashed red)))
        (<= (goal red 0) (crashed red) (not (crashed blue)))
        (<= (goal red 50) (crashed red) (crashed blue))
        (<= (goal red 50) met (not (crashed red)) (not (crashed blue)))
        (<= (goal blue 0) (crashed blue) (not (crashed red)))
        (<= (goal blue 100) (crashed red) (not (crashed blue)))
        (<= (goal blue 50) (crashed red) (crashed blue))
        (<= (goal blue 50) met (not (crashed red)) (not (crashed blue)))",
        succ.collect::<String>()
    );
    for kind in [
        PropertyKind::Terminates,
        PropertyKind::GoalsUnique,
        PropertyKind::ConstantSum,
    ] {
        let finding = of_one(&rules, kind);
        assert_eq!(
            (finding.verdict, finding.confirmed),
            (Verdict::Proved, true),
            "{finding:?}"
        );
    }
}

/// A puzzle's plan shows what random plays do not.
#[test]
fn plans_show_what_ends_differ_in() {
    let options = ["--max-states", "0", "constant-sum", "rules-apply"];
    let said = said(run(&sample("eight_puzzle"), &options));
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("constant-sum: refuted by search"),
        "{said}"
    );
    assert!(said.contains("rules-apply: proved by search"), "{said}");
}

/// Both roles choose among all cells: a state has 65,536 joint moves, and a batch of states sixteen million.
#[test]
fn many_joint_moves_do_not_leave_everything_open() {
    let cells = (1..17)
        .map(|cell| format!("(number {cell})"))
        .collect::<String>();
    let rules = format!(
        "(role x) (role o) {cells}
        (<= (init (cell ?b ?a blank)) (number ?a) (number ?b))
        (<= (legal ?r (mark ?b ?a)) (role ?r) (true (cell ?b ?a blank)))
        (<= (next (cell ?b ?a ?r)) (does ?r (mark ?b ?a)))
        (<= (next (cell ?b ?a ?r)) (true (cell ?b ?a ?r)) (role ?r))
        (<= (next (cell ?b ?a blank)) (true (cell ?b ?a blank)) (not (marked ?b ?a)))
        (<= (marked ?b ?a) (does ?r (mark ?b ?a)))
        (<= open (true (cell ?b ?a blank)))
        (<= terminal (not open))
        (<= (goal ?r 50) (role ?r))"
    );
    let mut ground = Ground::of(&rules).unwrap();
    let questions = [
        PropertyKind::Playable,
        PropertyKind::Terminates,
        PropertyKind::GoalsDefined,
    ];
    let questions = questions.map(|kind| PropertyQuestion::Named(prove::Property::of_game(kind)));
    let findings = ground.decide(&questions, ProofEffort::default());
    let verdicts: Vec<Verdict> = findings.iter().map(|finding| finding.verdict).collect();
    assert_eq!(verdicts, [Verdict::Proved; 3], "{findings:?}");
}
