//! Plans are as good as exhaustive search says they are, on random games made of subgames; and what
//! people read of them, on sample games.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use flux::analysis::analyze;
use flux::circuit::{Circuit, ground};
use flux::fluent::{progression, translate};
use flux::gdl::{Game, GoalValue, Reasoner, RuleSheet, Vocabulary};
use flux::limits::Limits;
use flux::search::plan::{
    Decomposition, PlanAlgorithm, PlanOutcome, PlanSetting, Problem, Remark, Replay, UNDIVIDED,
    highest_value, replay, solve,
};
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use towers::Task;

use crate::collection::{files, root, sample_games};

/// Rules that the picture of `docs/solving.md` is made from.
#[path = "../../examples/scaling/rules.rs"]
mod towers;

/// Random games; `FLUX_COMPOSED_GAMES` sets another number.
const GAMES: u64 = 120;

/// Computed states after which an algorithm that need not end is stopped.
const MAX_STATES: u64 = 20_000;

#[test]
fn plans_for_composed_games_are_the_best() {
    let games = std::env::var("FLUX_COMPOSED_GAMES").ok();
    let games = games.and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    let (mut taken_apart, mut proved, mut planned) = (0, 0, 0);
    for seed in 0..games {
        let rules = composed_game(seed);
        let best = outcome(&rules, PlanAlgorithm::Direct);
        assert!(
            best.proof.is_some(),
            "{seed}: exhaustion is no proof\n{rules}"
        );
        let deepest = outcome(&rules, PlanAlgorithm::Deepening);
        assert_eq!(deepest.value, best.value, "{seed}: deepening\n{rules}");
        let auto = outcome(&rules, PlanAlgorithm::Auto);
        assert_eq!(auto.value, best.value, "{seed}: auto\n{rules}");
        assert!(auto.proof.is_some(), "{seed}: auto proves nothing\n{rules}");
        taken_apart += u64::from(auto.remarks.is_empty());
        let concept = outcome(&rules, PlanAlgorithm::Concept);
        assert!(concept.value <= best.value, "{seed}: concept\n{rules}");
        if concept.proof.is_some() {
            proved += 1;
            assert_eq!(concept.value, best.value, "{seed}: concept\n{rules}");
        }
        let plan = outcome(&rules, PlanAlgorithm::Plan);
        assert_eq!(plan.value, best.value, "{seed}: plan\n{rules}");
        planned += u64::from(plan.proof.is_some());
        let greedy = outcome(&rules, PlanAlgorithm::Greedy);
        assert!(greedy.value <= best.value, "{seed}: greedy\n{rules}");
        if greedy.proof.is_some() {
            assert_eq!(greedy.value, best.value, "{seed}: greedy\n{rules}");
        }
    }
    assert!(
        taken_apart * 10 >= games * 9,
        "{taken_apart} of {games} taken apart"
    );
    assert!(
        proved * 4 >= games * 3,
        "concept proves {proved} of {games}"
    );
    assert!(planned * 2 >= games, "planning proves {planned} of {games}");
}

/// Random products and series, taken apart at once.
#[test]
fn plans_for_products_and_series_are_the_best() {
    let games = std::env::var("FLUX_COMPOSED_GAMES").ok();
    let games = games.and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    for (play, remark) in [
        (Play::Together, Remark::Together),
        (Play::InTurn, Remark::InTurn),
    ] {
        let (mut divided, mut cheaper) = (0, 0);
        for seed in 0..games {
            let rules = played_game(seed, play);
            let best = outcome(&rules, PlanAlgorithm::Direct);
            let auto = outcome_after(&rules, PlanAlgorithm::Auto, 0);
            assert_eq!(auto.value, best.value, "{seed}, {play:?}: auto\n{rules}");
            assert!(auto.proof.is_some(), "{seed}, {play:?}: no proof\n{rules}");
            divided += u64::from(auto.remarks.contains(&remark));
            cheaper += u64::from(auto.counts.total() < best.counts.total());
        }
        assert!(
            divided * 10 >= games && cheaper > 0,
            "{play:?}: {divided} of {games} divided, {cheaper} cheaper"
        );
    }
}

/// Neither where the highest value is had, nor where that has to be ruled out: of sixteen towers there
/// are more combinations than anybody looks at.
#[test]
fn subgames_together_cost_what_they_cost_apart() {
    for task in Task::BOTH {
        let alone = outcome(&towers::rules(task, 1), PlanAlgorithm::Auto).counts;
        for towers in [2, 16] {
            let name = task.name();
            let together = outcome(&towers::rules(task, towers), PlanAlgorithm::Auto);
            assert!(together.proof.is_some(), "{name}, {towers}: no proof");
            assert_eq!(together.remarks, [], "{name}, {towers}");
            let states = together.counts.total();
            assert!(
                states <= alone.total() * towers as u64,
                "{name}, {towers}: {states} states, {} for one",
                alone.total()
            );
            let best = match task {
                Task::All => GoalValue(100),
                Task::TooLittleTime => GoalValue(50),
            };
            assert_eq!(together.value, Some(best), "{name}, {towers}");
        }
    }
}

#[test]
fn plans_for_sample_games() {
    let mut solved = 0;
    for game in sample_games() {
        let rules = std::fs::read_to_string(&game).unwrap();
        let roles = rules
            .lines()
            .filter(|line| line.starts_with("(role ") || line.starts_with("role("));
        // Games of several players are for `versus`.
        if roles.count() > 1 {
            continue;
        }
        let (text, exit) = solved_by_flux(&game, &[]);
        solved += 1;
        assert_eq!(exit, Some(0), "{text}");
        snapshot(&game, "", &text);
    }
    assert!(solved >= 10, "only {solved} sample games have one player");
}

#[test]
fn games_with_faults_are_solved_as_far_as_they_go() {
    for game in files(&root().join("tests/search"), "gdl") {
        for algorithm in ["auto", "direct"] {
            let (text, exit) = solved_by_flux(&game, &["--algorithm", algorithm]);
            let exit = exit.unwrap();
            snapshot(&game, algorithm, &format!("{text}exit code {exit}\n"));
        }
    }
}

#[test]
fn algorithms_of_the_papers_on_their_games() {
    for name in [
        "incredible",
        "two_graphs",
        "greedy_fails",
        "bad_terminals_maze",
    ] {
        let game = root().join(format!("kb/games/{name}.gdl"));
        for algorithm in ["concept", "greedy", "direct", "deepening"] {
            let (text, exit) = solved_by_flux(&game, &["--algorithm", algorithm]);
            assert_eq!(exit, Some(0), "{text}");
            snapshot(&game, algorithm, &text);
        }
    }
}

/// Sample games that are written as clauses, and games that show what is proved by it.
#[test]
fn plans_by_satisfiability() {
    let names = ["two_graphs", "bad_terminals_maze", "lights_out"];
    let mut games: Vec<PathBuf> = names
        .iter()
        .map(|name| root().join(format!("kb/games/{name}.gdl")))
        .collect();
    games.extend(files(&root().join("tests/search/plan"), "gdl"));
    for game in games {
        let (text, exit) = solved_by_flux(&game, &["--algorithm", "plan"]);
        assert_eq!(exit, Some(0), "{text}");
        snapshot(&game, "plan", &text);
    }
}

/// Most of a knight's ways end where no field is left, and nothing but that tells them apart.
#[test]
fn a_tour_among_dead_ends_is_found() {
    let game = root().join("tests/search/guided/knights_tour.gdl");
    let (text, exit) = solved_by_flux(&game, &["--max-states", "100000"]);
    assert_eq!(exit, Some(0), "{text}");
    assert!(text.contains("value 64"), "{text}");
}

#[test]
fn limits_leave_the_best_plan_so_far() {
    let game = root().join("kb/games/incredible.gdl");
    let (text, exit) = solved_by_flux(&game, &["--algorithm", "direct", "--max-states", "20000"]);
    assert_eq!(exit, Some(2), "{text}");
    snapshot(&game, "limit", &text);
}

#[test]
fn results_as_json_do_not_depend_on_the_reasoner() {
    for game in ["incredible", "blocks_world", "two_graphs"] {
        let game = root().join(format!("kb/games/{game}.gdl"));
        let report = |engine: &str| {
            let (text, _) = solved_by_flux(&game, &["--format", "json", "--engine", engine]);
            let mut report: Value = serde_json::from_str(&text).unwrap();
            let fields = report.as_object_mut().unwrap();
            fields.remove("seconds");
            fields.remove("engine");
            report
        };
        let fluent = report("fluent");
        assert_eq!(fluent["verified"], true);
        assert_eq!(fluent["optimal"], true);
        assert_eq!(fluent["value"], 100);
        assert_eq!(fluent["plan"], report("tabled")["plan"]);
        assert_eq!(fluent["states"], report("tabled")["states"]);
    }
}

/// What `flux solve` prints, on both streams, without times; and its exit code.
fn solved_by_flux(game: &Path, options: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .arg("solve")
        .arg(game)
        .args(options)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8(text).unwrap(), output.status.code())
}

/// Compares with `tests/search/<game>[.<what>].snap`.
fn snapshot(game: &Path, what: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/search"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    settings.add_filter(r"\d+\.\d+ s\n", "[seconds] s\n");
    let _guard = settings.bind_to_scope();
    let name = game.file_stem().unwrap().to_string_lossy().into_owned();
    let name = match what {
        "" => name,
        _ => format!("{name}.{what}"),
    };
    insta::assert_snapshot!(name, text);
}

/// Solves a game; a plan that is found is played by the rules.
fn outcome(rules: &str, algorithm: PlanAlgorithm) -> PlanOutcome {
    outcome_after(rules, algorithm, UNDIVIDED)
}

/// The same where games are decomposed after so many computed states; for that, the circuit is needed.
fn outcome_after(rules: &str, algorithm: PlanAlgorithm, undivided: u64) -> PlanOutcome {
    let source = Source::new("composed", rules.to_owned());
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    assert!(!sheet.has_errors(), "{:?}\n{rules}", sheet.diagnostics);
    let limits = Limits::default();
    let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
    let mut vocabulary = Vocabulary::new(store);
    let axioms = translate(&game, &mut vocabulary, &limits).unwrap();
    let analysis = analyze(&axioms, vocabulary.store_mut(), None, &limits).unwrap();
    let decomposition =
        Decomposition::of(&game, &axioms, &analysis, &mut vocabulary, &limits).unwrap();
    let mut reasoner = progression(&game, &axioms, &mut vocabulary, &limits).unwrap();
    let circuit = (algorithm == PlanAlgorithm::Plan || undivided == 0).then(|| {
        let store = vocabulary.store_mut();
        let program = ground::ground(&game, store, &limits, ground::MAX_RULES).unwrap();
        Arc::new(Circuit::new(store, &program, 1).unwrap())
    });
    let setting = PlanSetting {
        start: reasoner.initial_state(&mut vocabulary).unwrap(),
        highest: highest_value(&game, vocabulary.store_mut()),
        states: (algorithm == PlanAlgorithm::Concept).then_some(MAX_STATES),
        undivided,
        limits: limits.clone(),
        circuit,
    };
    let start = setting.start.clone();
    let problem = Problem::new(&mut reasoner, &mut vocabulary, setting);
    let outcome = solve(problem, algorithm, decomposition);
    if let (Some(plan), Some(value)) = (&outcome.plan, outcome.value) {
        let mut rules_themselves = game.tabled(&mut vocabulary, limits).unwrap();
        let end = replay(&mut rules_themselves, &mut vocabulary, &start, plan).unwrap();
        assert_eq!(end, Replay::Ends(value), "{algorithm:?}: {plan:?}\n{rules}");
    }
    outcome
}

/// A token on a random graph; a concept is that it stands on one of some nodes.
struct Token {
    nodes: usize,
    arcs: Vec<(usize, usize)>,
    /// By concept, the nodes.
    concepts: Vec<Vec<usize>>,
}

impl Token {
    fn random(random: &mut Xoshiro256PlusPlus) -> Self {
        let nodes = random.random_range(2..=5);
        let arcs = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
        let density = random.random_range(20..60);
        let arcs = arcs.filter(|(from, to)| from != to && random.random_range(0..100) < density);
        let arcs = arcs.collect();
        let concepts = (0..random.random_range(1..=2)).map(|_| {
            let on: Vec<usize> = (0..nodes)
                .filter(|_| random.random_range(0..3) == 0)
                .collect();
            if on.is_empty() { vec![nodes - 1] } else { on }
        });
        Self {
            nodes,
            concepts: concepts.collect(),
            arcs,
        }
    }
}

impl Token {
    /// One that can go round, and has more states than are told apart.
    fn going_round(random: &mut Xoshiro256PlusPlus) -> Self {
        let nodes = random.random_range(8..=11);
        let round = (0..nodes).map(|from| (from, (from + 1) % nodes));
        let mut arcs: Vec<(usize, usize)> = round.collect();
        for from in 0..nodes {
            let to = random.random_range(0..nodes);
            if to != from && !arcs.contains(&(from, to)) && random.random_range(0..2) == 0 {
                arcs.push((from, to));
            }
        }
        let concepts = (0..random.random_range(1..=2)).map(|_| {
            let on = (1..nodes).filter(|_| random.random_range(0..4) == 0);
            let mut on: Vec<usize> = on.collect();
            if on.is_empty() {
                on.push(nodes - 1);
            }
            on
        });
        Self {
            nodes,
            concepts: concepts.collect(),
            arcs,
        }
    }
}

/// How the tokens of a game are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Play {
    /// One of them with each move.
    OneOf,
    /// All of them with each move.
    Together,
    /// One after the other has come to where its first concept holds.
    InTurn,
}

/// The rules of two to four tokens that share goal and end, perhaps with a step counter, perhaps
/// with moves that change nothing. In games with odd numbers each token ends the game by itself.
fn composed_game(seed: u64) -> String {
    played_game(seed, Play::OneOf)
}

/// The same with tokens that are moved so.
fn played_game(seed: u64, play: Play) -> String {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let tokens: Vec<Token> = match play {
        Play::OneOf => (0..random.random_range(2..=4))
            .map(|_| Token::random(random))
            .collect(),
        Play::Together | Play::InTurn => (0..random.random_range(2..=3))
            .map(|_| Token::going_round(random))
            .collect(),
    };
    let may_wait = random.random_range(0..3) == 0 && play == Play::OneOf;
    let last_step = (random.random_range(0..3) > 0).then(|| random.random_range(3..=7));
    let mut rules = "(role player)\n".to_owned();
    let mut others: Vec<String> = (0..tokens.len())
        .map(|token| format!("(move{token} ?m)"))
        .collect();
    if may_wait {
        others.push("wait".to_owned());
        rules += "(legal player wait)\n";
    }
    if play == Play::Together {
        let all = |text: &dyn Fn(usize) -> String| -> String {
            (0..tokens.len()).map(text).collect::<Vec<_>>().join(" ")
        };
        rules += &format!(
            "(<= (legal player (move {})) {})\n",
            all(&|token| format!("?n{token}")),
            all(&|token| format!("(true (at{token} ?m{token})) (arc{token} ?m{token} ?n{token})"))
        );
    }
    let mut concepts = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        rules += &format!("(init (at{number} 0))\n");
        for (from, to) in &token.arcs {
            rules += &format!("(arc{number} {from} {to})\n");
        }
        if play == Play::Together {
            let places: Vec<String> = (0..tokens.len())
                .map(|token| format!("?n{token}"))
                .collect();
            rules += &format!(
                "(<= (next (at{number} ?n{number})) (does player (move {})))\n",
                places.join(" ")
            );
        } else {
            let turn = match (play, number) {
                (Play::InTurn, 1..) => format!("over{}", number - 1),
                _ => String::new(),
            };
            let on = match play {
                Play::InTurn => format!("(not over{number})"),
                Play::OneOf | Play::Together => String::new(),
            };
            rules += &format!(
                "(<= (legal player (move{number} ?n)) (true (at{number} ?m)) (arc{number} ?m ?n) {turn} {on})\n\
                 (<= (next (at{number} ?n)) (does player (move{number} ?n)))\n\
                 (<= over{number} concept{number}0)\n"
            );
            for (_, other) in others
                .iter()
                .enumerate()
                .filter(|&(place, _)| place != number)
            {
                rules += &format!(
                    "(<= (next (at{number} ?n)) (true (at{number} ?n)) (does player {other}))\n"
                );
            }
        }
        for (place, nodes) in token.concepts.iter().enumerate() {
            for node in nodes {
                rules += &format!("(<= concept{number}{place} (true (at{number} {node})))\n");
            }
            concepts.push((number, format!("concept{number}{place}")));
        }
        // A graph without arcs has no rule for them yet.
        rules += &format!("(arc{number} {} {})\n", token.nodes, token.nodes);
    }
    if let Some(last) = last_step {
        rules += "(init (step 1))\n(<= (next (step ?n)) (true (step ?m)) (successor ?m ?n))\n";
        for step in 1..last {
            rules += &format!("(successor {step} {})\n", step + 1);
        }
        rules += &format!("(<= terminal (true (step {last})))\n");
    }
    rules += &formula(random, "terminal", &concepts, seed % 2 == 1);
    rules += &formula(random, "good", &concepts, false);
    rules += &formula(random, "fair", &concepts, false);
    rules += "(<= (goal player 100) good)\n\
              (<= (goal player 50) fair (not good))\n\
              (<= (goal player 0) (not fair) (not good))\n";
    rules
}

/// Rules for a predicate: one to three conjunctions of concepts and their opposites, each perhaps of
/// one token only.
fn formula(
    random: &mut Xoshiro256PlusPlus,
    head: &str,
    concepts: &[(usize, String)],
    is_local: bool,
) -> String {
    let mut rules = String::new();
    for _ in 0..random.random_range(1..=3) {
        let token = concepts[random.random_range(0..concepts.len())].0;
        let concepts: Vec<&String> = concepts
            .iter()
            .filter(|&&(of, _)| !is_local || of == token)
            .map(|(_, concept)| concept)
            .collect();
        let literals = (0..random.random_range(1..=3)).map(|_| {
            let concept = concepts[random.random_range(0..concepts.len())];
            match random.random_range(0..4) {
                0 => format!("(not {concept})"),
                _ => concept.clone(),
            }
        });
        rules += &format!("(<= {head} {})\n", literals.collect::<Vec<_>>().join(" "));
    }
    rules
}
