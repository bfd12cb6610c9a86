//! Planning tasks: what they say, and that their plays are the plays of the game. The text itself is read again and
//! played beside the rules, by an evaluator of PDDL that knows nothing of how it came about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use flux::gdl::GoalValue;
use flux::workbench::{Workbench, WorkbenchError};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::collection::{files, games_below, material, root, sample_games};
use crate::random_game::{Expression, random_game, read, text};

/// Plays of each game, and moves of a play at most.
const PLAYS: u64 = 12;
const MOVES: usize = 40;

#[test]
fn tasks_of_games() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    settings.set_snapshot_path(root().join("tests/planning"));
    let _guard = settings.bind_to_scope();
    let mut games = files(&root().join("tests/planning"), "gdl");
    games.push(root().join("kb/games/blocks_world.gdl"));
    for game in games {
        let (code, task, _) = flux(&["translate", game.to_str().unwrap(), "--to", "pddl"]);
        assert_eq!(code, 0);
        insta::assert_snapshot!(game.file_stem().unwrap().to_str().unwrap(), task);
    }
}

#[test]
fn tasks_play_as_the_rules_do() {
    let mut games = files(&root().join("tests/planning"), "gdl");
    games.extend(sample_games());
    let played = games
        .iter()
        .filter(|game| agrees(&std::fs::read_to_string(game).unwrap(), game));
    assert!(played.count() >= 13);
}

#[test]
fn tasks_of_random_games_play_as_the_rules_do() {
    let mut played = 0;
    for seed in 0..600 {
        let name = format!("seed {seed}");
        played += usize::from(agrees(&text(&random_game(seed)), Path::new(&name)));
    }
    assert!(played >= 90, "only {played} games");
}

#[test]
#[ignore = "needs rule sheets of others: FLUX_MATERIAL=<folder> cargo test -- --ignored"]
fn tasks_of_the_collection_play_as_the_rules_do() {
    let mut played = 0;
    for game in games_below(&material("games")) {
        let text = String::from_utf8_lossy(&std::fs::read(&game).unwrap()).into_owned();
        played += usize::from(agrees(&text, &game));
    }
    assert!(played >= 80, "only {played} games of one role");
}

#[test]
fn games_that_are_no_tasks_are_refused() {
    let game = "kb/games/tic_tac_toe.gdl";
    let (code, _, message) = flux(&["translate", game, "--to", "pddl"]);
    assert_eq!(code, 3);
    assert!(
        message.contains("a plan is for one role, and this game has 2"),
        "{message}"
    );
    let game = "kb/games/blocks_world.gdl";
    let (code, _, message) = flux(&["translate", game, "--to", "pddl", "--goal", "50"]);
    assert_eq!(code, 3);
    assert!(
        message.contains("no end of the game has goal value 50; there are: 100 0"),
        "{message}"
    );
    let (code, _, message) = flux(&["translate", game, "--goal", "50"]);
    assert_eq!(
        (code, message.contains("--to pddl")),
        (3, true),
        "{message}"
    );
    let aimless = "(role r) (init a) (legal r m) (<= (next b) (does r m)) (<= terminal (true b)) (<= (goal r 100) (true c))";
    let mut aimless = Workbench::read(aimless).unwrap();
    let refused = aimless.planning_task("aimless");
    assert!(
        matches!(refused, Err(WorkbenchError::Planning(_))),
        "{refused:?}"
    );
}

#[test]
fn plans_are_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let game = "kb/games/blocks_world.gdl";
    let (code, ..) = flux(&["translate", game, "--to", "pddl", "--out", out]);
    assert_eq!(code, 0);
    let mut written: Vec<String> = std::fs::read_dir(out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    assert_eq!(
        written,
        ["domain.pddl", "problem-0.pddl", "problem-100.pddl"]
    );
    let plan = |text: &str| {
        let file = folder.path().join("plan");
        std::fs::write(&file, text).unwrap();
        flux(&["trace", game, "--plan", file.to_str().unwrap()])
    };
    let (code, trace, _) = plan("(u-c-a)\n(s-b-c)\n(s-a-b)\n; cost = 3 (unit cost)\n");
    assert_eq!((code, trace.lines().count()), (0, 4));
    assert!(
        trace.ends_with("\"terminal\":true,\"goals\":{\"robot\":100}}\n"),
        "{trace}"
    );
    let (code, _, message) = plan("(u-c-a)\n(fly)\n");
    assert_eq!(
        (
            code,
            message.contains("line 2 of the plan: there is no action \"fly\"")
        ),
        (3, true),
        "{message}"
    );
    let (code, _, message) = plan("(s-a-b)\n");
    assert_eq!(
        (code, message.contains("(s a b) is not legal for robot")),
        (3, true),
        "{message}"
    );
}

/// Plays a game at random by its rules and by its task; says whether it is one of one role that has a task.
fn agrees(rules: &str, name: &Path) -> bool {
    let name = name.display();
    let Ok(mut game) = Workbench::read(rules) else {
        return false;
    };
    if game.roles().len() != 1 {
        return false;
    }
    let task = match game.planning_task("game") {
        Ok(task) => task,
        Err(error) => {
            assert!(
                error.is_limit() || error.to_string().contains("goal value"),
                "{name}: {error}"
            );
            return false;
        }
    };
    let role = game.roles()[0].clone();
    let domain = Domain::read(&task.domain());
    let problems: Vec<(GoalValue, Problem)> = task
        .values()
        .into_iter()
        .map(|value| (value, Problem::read(&task.problem(value).unwrap())))
        .collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..PLAYS {
        let mut state = game.initial_state().unwrap();
        let mut facts = problems[0].1.init.clone();
        for step in 0..MOVES {
            let is_over = game.is_terminal(&state).unwrap();
            let legal = game.legal_moves(&state, &role).unwrap();
            let expected: BTreeSet<&str> = legal
                .iter()
                .filter(|_| !is_over)
                .map(String::as_str)
                .collect();
            let truth = domain.derive(&facts);
            let possible: Vec<&str> = domain.possible(&truth);
            let plan = possible.join("\n");
            let found: BTreeSet<&str> = task.moves(&plan).unwrap().into_iter().collect();
            assert_eq!(found, expected, "{name}: step {step}");
            let value = is_over
                .then(|| game.goal_value(&state, &role).unwrap())
                .flatten();
            for (own, problem) in &problems {
                assert_eq!(
                    problem.is_reached(&truth),
                    value == Some(*own),
                    "{name}: step {step}, {own:?}"
                );
            }
            let Some(&action) = possible.get(random.random_range(0..possible.len().max(1))) else {
                break;
            };
            let mv = task.moves(action).unwrap()[0].to_owned();
            state = game.play(&state, &[&mv]).unwrap();
            facts = domain.apply(action, &facts, &truth);
        }
    }
    true
}

/// A literal: its atom, and whether it is to hold.
type Literal = (String, bool);

/// What of a domain is needed to play it.
struct Domain {
    /// By stratum, the rules of derived predicates.
    strata: Vec<Vec<(String, Vec<Literal>)>>,
    actions: BTreeMap<String, Action>,
}

struct Action {
    precondition: Vec<Literal>,
    effects: Vec<(Vec<Literal>, Literal)>,
}

struct Problem {
    init: BTreeSet<String>,
    goal: Vec<Literal>,
}

impl Problem {
    fn read(text: &str) -> Self {
        let mut problem = Self {
            init: BTreeSet::new(),
            goal: Vec::new(),
        };
        for part in read(text)[0].parts() {
            match part.name() {
                ":init" => problem
                    .init
                    .extend(part.parts()[1..].iter().map(|atom| atom.name().to_owned())),
                ":goal" => problem.goal = literals(&part.parts()[1]),
                _ => {}
            }
        }
        problem
    }

    fn is_reached(&self, truth: &BTreeSet<String>) -> bool {
        hold(&self.goal, truth)
    }
}

impl Domain {
    fn read(text: &str) -> Self {
        let mut rules = Vec::new();
        let mut actions = BTreeMap::new();
        for part in read(text)[0].parts() {
            match part.name() {
                ":derived" => {
                    let part = part.parts();
                    rules.push((part[1].name().to_owned(), literals(&part[2])));
                }
                ":action" => {
                    let part = part.parts();
                    let [_, Expression::Word(name), _, _, _, precondition, _, effect] = part else {
                        panic!("{part:?}")
                    };
                    let action = Action {
                        precondition: literals(precondition),
                        effects: effect.parts()[1..].iter().flat_map(effects).collect(),
                    };
                    assert!(
                        actions.insert(name.clone(), action).is_none(),
                        "two actions {name}"
                    );
                }
                _ => {}
            }
        }
        Self {
            strata: stratify(rules),
            actions,
        }
    }

    /// All that is true where facts are.
    fn derive(&self, facts: &BTreeSet<String>) -> BTreeSet<String> {
        let mut truth = facts.clone();
        for stratum in &self.strata {
            loop {
                let before = truth.len();
                for (head, body) in stratum {
                    if hold(body, &truth) {
                        truth.insert(head.clone());
                    }
                }
                if truth.len() == before {
                    break;
                }
            }
        }
        truth
    }

    fn possible(&self, truth: &BTreeSet<String>) -> Vec<&str> {
        let actions = self.actions.iter();
        let possible = actions.filter(|(_, action)| hold(&action.precondition, truth));
        possible.map(|(name, _)| name.as_str()).collect()
    }

    /// What is added is added even if it is deleted, too.
    fn apply(
        &self,
        name: &str,
        facts: &BTreeSet<String>,
        truth: &BTreeSet<String>,
    ) -> BTreeSet<String> {
        let effects = self.actions[name].effects.iter();
        let fired: Vec<&Literal> = effects
            .filter(|(condition, _)| hold(condition, truth))
            .map(|(_, own)| own)
            .collect();
        let mut next = facts.clone();
        fired
            .iter()
            .filter(|(_, adds)| !adds)
            .for_each(|(fact, _)| {
                next.remove(fact);
            });
        next.extend(
            fired
                .iter()
                .filter(|(_, adds)| *adds)
                .map(|(fact, _)| fact.clone()),
        );
        next
    }
}

/// Rules by strata: what is negated is derived before.
fn stratify(rules: Vec<(String, Vec<Literal>)>) -> Vec<Vec<(String, Vec<Literal>)>> {
    let mut level: BTreeMap<String, usize> =
        rules.iter().map(|(head, _)| (head.clone(), 0)).collect();
    let number = level.len();
    loop {
        let before = level.clone();
        for (head, body) in &rules {
            let below = body
                .iter()
                .filter_map(|(atom, holds)| Some(level.get(atom)? + usize::from(!holds)));
            let own = below.max().unwrap_or(0).max(level[head]);
            assert!(own <= number, "{head} depends on its negation");
            level.insert(head.clone(), own);
        }
        if level == before {
            break;
        }
    }
    let mut strata = vec![Vec::new(); level.values().max().map_or(0, |most| most + 1)];
    for rule in rules {
        strata[level[&rule.0]].push(rule);
    }
    strata
}

fn hold(literals: &[Literal], truth: &BTreeSet<String>) -> bool {
    literals
        .iter()
        .all(|(atom, holds)| truth.contains(atom) == *holds)
}

/// `(a)`, `(not (a))` or `(and …)`.
fn literals(condition: &Expression) -> Vec<Literal> {
    match condition.name() {
        "and" => condition.parts()[1..].iter().flat_map(literals).collect(),
        "not" => vec![(condition.parts()[1].name().to_owned(), false)],
        atom => vec![(atom.to_owned(), true)],
    }
}

fn effects(effect: &Expression) -> Vec<(Vec<Literal>, Literal)> {
    let (condition, own) = match effect.name() {
        "when" => (literals(&effect.parts()[1]), &effect.parts()[2]),
        _ => (Vec::new(), effect),
    };
    literals(own)
        .into_iter()
        .map(|own| (condition.clone(), own))
        .collect()
}

/// The exit code and what is printed, results and messages.
fn flux(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}
