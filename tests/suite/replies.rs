//! Strategies of fixed answers: what they are proved to force is what a search of all states finds.

use std::fmt::Write as _;

use flux::search::versus::{Claim, ForcingAlgorithm, ForcingOutcome, Gap};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use crate::versus::{Kind, certify, outcome, solved_file};

/// Random games of lines on a few cells.
const GAMES: u64 = 60;

/// Two roles take cells by turns; a line of cells wins, or loses, and without one it is a draw.
fn lines(seed: u64) -> String {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let cells: u32 = random.random_range(5..=7);
    let (to_line, to_other) = if random.random_bool(0.5) {
        (100, 0)
    } else {
        (0, 100)
    };
    let mut rules = format!(
        "(role a) (role b) (init (control a))
        (<= (next (control a)) (true (control b)))
        (<= (next (control b)) (true (control a)))
        (<= (used ?c) (true (has ?c ?r)))
        (<= (open) (cell ?c) (not (used ?c)))
        (<= (legal ?r (take ?c)) (true (control ?r)) (cell ?c) (not (used ?c)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (next (has ?c ?r)) (does ?r (take ?c)))
        (<= (next (has ?c ?r)) (true (has ?c ?r)))
        (<= terminal (line ?r))
        (<= terminal (not (open)))
        (<= (goal ?r {to_line}) (role ?r) (line ?r))
        (<= (goal ?r {to_other}) (role ?r) (line ?other) (distinct ?r ?other))
        (<= (goal ?r 50) (role ?r) (not (line a)) (not (line b)))"
    );
    let mut all: Vec<u32> = (1..=cells).collect();
    for cell in &all {
        let _ = write!(rules, " (cell {cell})");
    }
    for _ in 0..random.random_range(1..=3) {
        all.shuffle(random);
        let held = all[..random.random_range(2..=4)].iter();
        let held: Vec<String> = held.map(|cell| format!("(true (has {cell} ?r))")).collect();
        let _ = write!(rules, " (<= (line ?r) (role ?r) {})", held.join(" "));
    }
    rules
}

/// What a search of all states finds, and what is found without one, which says no more.
fn whole_and_replies(seed: u64, rules: &str) -> [ForcingOutcome; 2] {
    let algorithms = [ForcingAlgorithm::Retrograde, ForcingAlgorithm::Replies];
    let [whole, replies] = algorithms.map(|algorithm| outcome(rules, algorithm, Kind::Circuit));
    for (bounds, exact) in replies.bounds.iter().zip(&whole.bounds) {
        assert!(bounds.at_least <= exact.at_least, "{seed}\n{rules}");
        assert!(bounds.at_most >= exact.at_most, "{seed}\n{rules}");
    }
    [whole, replies]
}

#[test]
fn answers_force_no_more_than_a_search_of_all_states() {
    let (mut decided, mut found, mut certified) = (0, 0, 0);
    for seed in 0..GAMES {
        let rules = lines(seed);
        let [whole, replies] = whole_and_replies(seed, &rules);
        for strategy in &replies.replies {
            let bounds = whole.bounds[strategy.role.0 as usize];
            assert!(strategy.at_least <= bounds.at_least, "{seed}\n{rules}");
        }
        found += replies.replies.len();
        certified += certify(&rules, (seed, ForcingAlgorithm::Replies));
        match replies.gap {
            None => {
                assert_eq!(replies.bounds, whole.bounds, "{seed}\n{rules}");
                decided += 1;
            }
            Some(gap) => assert_eq!(gap, Gap::NoReplies, "{seed}\n{rules}"),
        }
    }
    assert!(
        found > 0 && decided >= 30 && certified >= 30,
        "{found} strategies, {decided} of {GAMES} decided, {certified} certified"
    );
}

/// Two to four roles on a row of cells, each of which wants to be in one of two cells at the end, and goes to a free cell beside its own,
/// or stays.
fn seats(seed: u64) -> String {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let roles: u32 = random.random_range(2..=4);
    let cells: u32 = random.random_range(roles + 1..=6);
    let steps: u32 = random.random_range(2..=3);
    let mut rules = String::from(
        "(init (step 0))
        (<= (used ?c) (true (at ?r ?c)))
        (<= (legal ?r stay) (role ?r))
        (<= (legal ?r (go ?d)) (true (at ?r ?c)) (beside ?c ?d) (not (used ?d)))
        (<= (next (at ?r ?d)) (does ?r (go ?d)))
        (<= (next (at ?r ?c)) (true (at ?r ?c)) (does ?r stay))
        (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
        (<= (seated ?r) (wants ?r ?c) (true (at ?r ?c)))
        (<= (goal ?r 100) (seated ?r))
        (<= (goal ?r 0) (role ?r) (not (seated ?r)))",
    );
    let mut places: Vec<u32> = (1..=cells).collect();
    places.shuffle(random);
    for (role, place) in (0..roles).zip(places) {
        let _ = write!(rules, " (role r{role}) (init (at r{role} {place}))");
        for _ in 0..2 {
            let wanted = random.random_range(1..=cells);
            let _ = write!(rules, " (wants r{role} {wanted})");
        }
    }
    for cell in 1..cells {
        let next = cell + 1;
        let _ = write!(rules, " (beside {cell} {next}) (beside {next} {cell})");
    }
    for step in 0..steps {
        let _ = write!(rules, " (after {step} {})", step + 1);
    }
    let _ = write!(rules, " (<= terminal (true (step {steps})))");
    rules
}

#[test]
fn constant_moves_force_no_more_than_a_search_of_all_states() {
    let (mut decided, mut alone, mut together, mut certified) = (0, 0, 0, 0);
    for seed in 0..GAMES {
        let rules = seats(seed);
        let [whole, constant] = whole_and_replies(seed, &rules);
        for strategy in &constant.constants {
            let bounds = whole.bounds[strategy.role.0 as usize];
            match strategy.claim {
                Claim::AtLeast(least) => {
                    assert!(least <= bounds.at_least, "{seed}\n{rules}");
                    assert_eq!(strategy.moves.len(), 1, "{seed}\n{rules}");
                }
                Claim::AtMost(most) => assert!(most >= bounds.at_most, "{seed}\n{rules}"),
            }
            alone += usize::from(strategy.moves.len() == 1);
            together += usize::from(strategy.moves.len() > 1);
        }
        decided += usize::from(constant.gap.is_none());
        certified += certify(&rules, (seed, ForcingAlgorithm::Replies));
    }
    assert!(
        alone >= 30 && together > 0 && decided >= 10 && certified >= 30,
        "{alone} moves of one role, {together} of several, {decided} of {GAMES} decided, {certified} certified"
    );
}

/// A certificate says in one line what a side does in all states, and is refused where that is not enough.
#[test]
fn certificates_have_a_line_for_fixed_answers_and_constant_moves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.jsonl");
    let path = file.to_str().unwrap();
    let answers = (
        lines as fn(u64) -> String,
        json!({"replies": {"replies": {}}}),
    );
    let moves = (seats as fn(u64) -> String, json!({"constant": {}}));
    for (name, (rules, nothing)) in [("lines", answers), ("seats", moves)] {
        let game = folder.path().join(format!("{name}.kif"));
        let written = |seed: u64| {
            std::fs::write(&game, rules(seed)).unwrap();
            let options = ["--algorithm", "replies", "--certificate", path];
            solved_file(&game, &options);
            let certificate = std::fs::read_to_string(&file).unwrap();
            certificate.contains("\"fixed\"").then_some(certificate)
        };
        let refused = |seed: u64| {
            let certificate = written(seed)?;
            // Without them, any move is made; that may be enough.
            let mut header: Value = serde_json::from_str(&certificate).unwrap();
            header["claims"][0]["fixed"] = nothing.clone();
            std::fs::write(&file, header.to_string()).unwrap();
            let (text, exit) = solved_file(&game, &["--check", path]);
            std::fs::write(&file, &certificate).unwrap();
            let is_refused = text.contains("it may end otherwise");
            assert_eq!(exit, Some(i32::from(is_refused)), "{name}: {text}");
            is_refused.then_some(certificate)
        };
        let certificate = (0..GAMES).find_map(refused).unwrap();
        assert_eq!(certificate.lines().count(), 1, "{name}: {certificate}");
        let (text, exit) = solved_file(&game, &["--check", path]);
        assert_eq!(exit, Some(0), "{name}: {text}");
        assert!(text.contains(": proved in "), "{name}: {text}");
    }
}
