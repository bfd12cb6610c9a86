//! The circuit says what the rules say: state by state, and in the statistics of playouts in lanes.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use flux::circuit::ground::{self, GroundError, Unnamed};
use flux::circuit::{Circuit, Evaluator, PlayoutBatch, PlayoutTally, SeriesControl, Simulator};
use flux::gdl::{
    Ending, Expansion, Expansions, Game, Goal, GoalValue, MoveId, Playouts, Reasoner,
    ReasonerError, RoleId, RuleSheet, State, Tabled, Vocabulary,
};
use flux::limits::{Limits, StopFlag, StopReason};
use flux::rules::EvaluationError;
use flux::syntax::{Source, detect};
use flux::term::{Case, Prefix, Store};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::collection::{files, material, root, sample_games};
use crate::random_game::{random_game, text};

/// Joint moves made in each playout that is compared.
const MOVES: usize = 40;

/// Random games looked at if nobody says otherwise.
const CASES: u64 = 150;

/// Every n-th game of the collection is looked at.
const STRIDE: usize = 19;

/// Joint moves that are made in states which are expanded as a batch.
const MAX_JOINT_MOVES: usize = 500;

/// Instances that a game of the collection may have here.
const MAX_RULES: usize = 200_000;

#[test]
fn sample_games_are_the_same_as_circuits() {
    for path in sample_games() {
        let mut case = Pair::read(&path).unwrap();
        for seed in 0..3 {
            case.compare(seed);
        }
    }
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn games_of_others_are_the_same_as_circuits() {
    let collection = material("games");
    let mut games = Vec::new();
    for source in ["base", "comp2006", "dresden", "libgdl", "stanford"] {
        games.extend(files(&collection.join(source), "kif"));
    }
    for path in games.iter().step_by(STRIDE) {
        match Pair::read(path) {
            Ok(mut case) => case.compare(1),
            Err(GroundError::TooLarge { .. }) => {}
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
}

#[test]
fn random_games_are_the_same_as_circuits() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let mut compared = 0;
    for seed in 0..number("FLUX_LAW_CASES").unwrap_or(CASES) {
        let rules = text(&random_game(seed));
        if let Some(mut case) = Pair::of(&format!("random game {seed}"), &rules) {
            case.compare(seed);
            compared += 1;
        }
    }
    assert!(compared > 50, "only {compared} games were valid");
}

/// Every payoff is as frequent in lanes as one at a time: both samples are from one distribution. The
/// seeds are fixed; of so many comparisons none should be further off than once in a million.
#[test]
fn playouts_in_lanes_have_the_same_payoffs_and_lengths() {
    const PLAYOUTS: u64 = 600;
    for path in sample_games() {
        let mut case = Pair::read(&path).unwrap();
        let roles = case.game.roles().len() as u32;
        let max_length = 1_000;
        let mut one = Sample::default();
        let mut playouts =
            Playouts::new(&mut case.rules, &mut case.vocabulary, roles, 7, max_length).unwrap();
        for number in 0..PLAYOUTS {
            let playout = playouts
                .run(&mut case.rules, &mut case.vocabulary, number)
                .unwrap();
            let value = match &playout.ending {
                Ending::Terminal(goals) => goals[0].value().map(|value| value.0),
                Ending::NoLegalMove(_) | Ending::TooLong => None,
            };
            one.add(playout.length as f64, value.map(f64::from));
        }
        let simulator = Simulator::new(case.circuit.clone(), &mut case.vocabulary);
        let many = lanes(&simulator, PLAYOUTS * 8, 11, 256, max_length);
        if many.fault.is_some() {
            continue;
        }
        let many = &many.statistics;
        assert_eq!(many.playouts(), PLAYOUTS * 8, "{}", path.display());
        let mean = many.payoffs[0].mean().unwrap_or_default();
        one.check(many.mean_length().unwrap_or_default(), mean, &path);
    }
}

/// A game that ends at once in half of its playouts and lasts for long in the others: were playouts counted
/// as they end, the short ones would be too many.
#[test]
fn short_playouts_are_not_favoured() {
    let rules = "(role r) (init (s 0)) (legal r a) (legal r b)
        (<= (next over) (true (s 0)) (does r a))
        (<= (next (s 1)) (true (s 0)) (does r b))
        (<= (next (s ?m)) (true (s ?n)) (succ ?n ?m) (distinct ?n 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
        (<= terminal (true over)) (<= terminal (true (s 8)))
        (<= (goal r 100) (true over)) (<= (goal r 0) (not (true over)))";
    let mut case = Pair::of("long or short", rules).unwrap();
    let simulator = Simulator::new(case.circuit.clone(), &mut case.vocabulary);
    let number = 100_000;
    let tally = lanes(&simulator, number, 3, 512, 100);
    let statistics = &tally.statistics;
    let payoffs = statistics.payoffs[0];
    assert_eq!((statistics.playouts(), payoffs.count), (number, number));
    let short = payoffs.sum as f64 / 100.0;
    assert_eq!(
        (payoffs.wins as f64, payoffs.losses),
        (short, number - payoffs.wins)
    );
    // Five standard deviations.
    let deviation = (number as f64 / 4.0).sqrt();
    assert!(
        (short - number as f64 / 2.0).abs() < 5.0 * deviation,
        "{short}"
    );
    // A short one makes one move and a long one eight.
    assert_eq!(
        statistics.length as f64,
        short + 8.0 * (number as f64 - short)
    );
    assert_eq!(tally.states, statistics.length + number);
}

#[test]
fn one_seed_one_result() {
    let path = root().join("kb/games/tic_tac_toe.gdl");
    let mut case = Pair::read(&path).unwrap();
    let simulator = Simulator::new(case.circuit.clone(), &mut case.vocabulary);
    let [one, again, other] = [5, 5, 6].map(|seed| lanes(&simulator, 3_000, seed, 256, 100));
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert!(one.fault.is_none());
}

#[test]
fn a_role_without_a_move_is_reported_with_the_state() {
    let rules = "(role r) (init (p 0)) (init (kept)) (<= (legal r go) (true (p 0)))
        (<= (next (p 1)) (true (p 0))) (<= (next kept) (true kept))
        (<= terminal (true (p 2))) (<= (goal r 0) (true (p 2)))";
    let mut case = Pair::of("stuck", rules).unwrap();
    let simulator = Simulator::new(case.circuit.clone(), &mut case.vocabulary);
    let (_, playout) = lanes(&simulator, 10, 0, 64, 100).fault.unwrap();
    assert_eq!(playout.ending, Ending::NoLegalMove(RoleId(0)));
    assert_eq!((playout.length, playout.last.len()), (1, 2));
}

#[test]
fn a_game_without_end_and_a_missing_payoff_are_reported() {
    let endless =
        "(role r) (init p) (legal r a) (<= (next p) (true p)) (<= terminal (not (true p)))
        (goal r 0)";
    let mut case = Pair::of("endless", endless).unwrap();
    let simulator = Simulator::new(case.circuit.clone(), &mut case.vocabulary);
    let (number, playout) = lanes(&simulator, 10, 0, 64, 17).fault.unwrap();
    assert_eq!((number, playout.ending), (0, Ending::TooLong));
    assert_eq!(playout.length, 17);
    let silent =
        "(role r) (init p) (legal r a) (<= terminal (not (true p))) (<= (goal r 1) (true p))";
    let mut case = Pair::of("silent", silent).unwrap();
    let simulator = Simulator::new(case.circuit.clone(), &mut case.vocabulary);
    let tally = lanes(&simulator, 10, 0, 64, 17);
    let found = &tally.statistics;
    assert_eq!((found.finished, found.undefined), (10, 10));
    assert_eq!(found.payoffs[0].count, 0);
    assert!(matches!(tally.fault.unwrap().1.ending, Ending::Terminal(_)));
}

/// A fault is shown with the state that it happened in, also if the series was ended before its time.
#[test]
fn a_fault_is_shown_after_a_stop() {
    let rules = "(role r) (init p) (legal r a) (legal r b)
        (<= (next seen) (does r a)) (<= (next seen) (true seen))
        (<= terminal (true seen)) (<= (goal r 100) (true p))";
    let mut case = Pair::of("silent", rules).unwrap();
    let simulator = Simulator::new(case.circuit.clone(), &mut case.vocabulary);
    let stop = StopFlag::default();
    stop.raise(StopReason::TimeLimit);
    let batch = PlayoutBatch {
        playouts: u64::MAX,
        seed: 5,
        max_length: 100,
    };
    let control = SeriesControl {
        stop,
        ..SeriesControl::default()
    };
    let tally = simulator.run(batch, 64, &control);
    assert_eq!(tally.statistics.playouts(), 64);
    let (_, playout) = tally.fault.unwrap();
    assert_eq!(playout.ending, Ending::Terminal(vec![Goal::Absent]));
    let seen = case.vocabulary.store_mut().constant("seen");
    let seen = case.vocabulary.fluent(seen);
    assert_eq!(playout.last.fluents().collect::<Vec<_>>(), vec![seen]);
}

#[test]
fn moves_that_deny_each_other_are_refused() {
    let rules = "(role r) (init p) (<= (legal r a) (true p) (not (legal r b)))
        (<= (legal r b) (true p) (not (legal r a))) (<= terminal (not (true p))) (goal r 0)";
    let mut store = Store::new();
    let source = Source::new("denial", rules);
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    let limits = Limits::default();
    let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
    let program = ground::ground(&game, &mut store, &limits, MAX_RULES).unwrap();
    let error = Circuit::new(&mut store, &program, 1).unwrap_err();
    assert!(matches!(error, EvaluationError::NegativeLoop { .. }));
}

#[test]
fn terms_that_grow_end_at_a_limit() {
    let rules = "(role r) (init (n z)) (legal r a) (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true (n (s z)))) (goal r 0)";
    let (game, mut vocabulary) = read("growing", rules).unwrap();
    let store = vocabulary.store_mut();
    let error = ground::ground(&game, store, &Limits::default(), 10_000).unwrap_err();
    assert_eq!(error, GroundError::TooLarge { limit: 10_000 });
}

#[test]
fn a_raised_flag_stops_playouts_of_one_state_at_a_time() {
    let path = root().join("kb/games/tic_tac_toe.gdl");
    let mut case = Pair::read(&path).unwrap();
    let stop = StopFlag::default();
    let circuit = Arc::clone(&case.circuit);
    let mut evaluator = Evaluator::new(circuit, &mut case.vocabulary, stop.clone());
    let mut playouts = Playouts::new(&mut evaluator, &mut case.vocabulary, 2, 7, 100).unwrap();
    assert!(
        playouts
            .run(&mut evaluator, &mut case.vocabulary, 0)
            .is_ok()
    );
    stop.raise(StopReason::TimeLimit);
    let error = playouts
        .run(&mut evaluator, &mut case.vocabulary, 1)
        .unwrap_err();
    assert_eq!(error, ReasonerError::Stopped(StopReason::TimeLimit));
}

/// Of a game that names some of its fluents and moves, the others are told; of one that names none, nothing.
#[test]
fn what_base_and_input_leave_out_is_told() {
    let rules = "(role p) (init (at 1)) (succ 1 2) (succ 2 3)
        (<= (next (at ?y)) (does p go) (true (at ?x)) (succ ?x ?y))
        (<= (legal p go) (true (at ?x)) (succ ?x ?y)) (legal p stay)
        (<= terminal (true (at 3))) (goal p 100)";
    let hints = "(<= (base (at ?x)) (succ ?x ?y)) (input p go)";
    for (text, count) in [(rules.to_owned(), 0), (format!("{rules} {hints}"), 1)] {
        let (game, mut vocabulary) = read("hints", &text).unwrap();
        let limits = Limits::default();
        let program = ground::ground(&game, vocabulary.store_mut(), &limits, 100).unwrap();
        let unnamed = Unnamed::of(&game, &mut vocabulary, &program, &limits).unwrap();
        let store = vocabulary.store();
        let shown = |term| Prefix::new(store, term).to_string();
        let fluents = unnamed.fluents.iter().map(|&fluent| shown(fluent));
        let moves = unnamed.moves.iter().map(|&(_, mv)| shown(mv));
        assert_eq!(fluents.collect::<Vec<_>>(), ["(at 3)"][..count]);
        assert_eq!(moves.collect::<Vec<_>>(), ["stay"][..count]);
    }
}

/// Atoms that ask for each other in a circle are those that follow, and no others.
#[test]
fn circles_of_atoms_have_their_least_model() {
    let rules = "(role r) (init (edge a b)) (init (edge c d)) (init (edge d c))
        (node a) (node b) (node c) (node d)
        (<= (legal r (link ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y) (not (true (edge ?x ?y))))
        (<= (next (edge ?x ?y)) (true (edge ?x ?y)))
        (<= (next (edge ?x ?y)) (does r (link ?x ?y)))
        (<= (path ?x ?y) (true (edge ?x ?y)))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= terminal (path a d))
        (<= (goal r 100) (path d b)) (<= (goal r 50) (not (path d b)))";
    let mut case = Pair::of("paths", rules).unwrap();
    assert!(!case.circuit.gates.loops().is_empty());
    for seed in 0..20 {
        case.compare(seed);
    }
}

fn lanes(
    simulator: &Simulator,
    playouts: u64,
    seed: u64,
    lanes: usize,
    max_length: u64,
) -> PlayoutTally {
    let batch = PlayoutBatch {
        playouts,
        seed,
        max_length,
    };
    simulator.run(batch, lanes, &SeriesControl::default())
}

/// Lengths and first payoffs of some playouts.
#[derive(Default)]
struct Sample {
    lengths: Vec<f64>,
    values: Vec<f64>,
}

impl Sample {
    fn add(&mut self, length: f64, value: Option<f64>) {
        self.lengths.push(length);
        self.values.extend(value);
    }

    fn check(&self, length: f64, value: f64, path: &Path) {
        for (sample, other) in [(&self.lengths, length), (&self.values, value)] {
            let number = sample.len() as f64;
            let mean = sample.iter().sum::<f64>() / number;
            let variance = sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (number - 1.0);
            // The other sample is eight times as large.
            let error = (variance / number * (1.0 + 1.0 / 8.0)).sqrt();
            let off = (mean - other).abs();
            assert!(
                off <= 5.0 * error + 1e-9,
                "{}: {mean}, {other}",
                path.display()
            );
        }
    }
}

/// A game with two reasoners.
struct Pair {
    name: String,
    game: Game,
    vocabulary: Vocabulary,
    rules: Tabled,
    circuit: Arc<Circuit>,
    evaluator: Evaluator,
}

impl Pair {
    fn read(path: &Path) -> Result<Self, GroundError> {
        let rules = std::fs::read_to_string(path).unwrap();
        let (game, vocabulary) = read("game", &rules).unwrap();
        Self::new(&path.display().to_string(), game, vocabulary)
    }

    fn of(name: &str, rules: &str) -> Option<Self> {
        let (game, vocabulary) = read("game", rules)?;
        Self::new(name, game, vocabulary).ok()
    }

    fn new(name: &str, game: Game, mut vocabulary: Vocabulary) -> Result<Self, GroundError> {
        let limits = Limits::default();
        let rules = game.tabled(&mut vocabulary, limits.clone()).unwrap();
        let store = vocabulary.store_mut();
        let program = ground::ground(&game, store, &limits, MAX_RULES)?;
        let circuit = Arc::new(Circuit::new(store, &program, game.roles().len())?);
        let evaluator = Evaluator::new(Arc::clone(&circuit), &mut vocabulary, StopFlag::default());
        Ok(Self {
            name: name.to_owned(),
            game,
            vocabulary,
            rules,
            circuit,
            evaluator,
        })
    }

    /// Plays at random and compares what the reasoners say of every state; then goes back, by other moves,
    /// so that states are not asked for in the order of a play.
    fn compare(&mut self, seed: u64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let vocabulary = &mut self.vocabulary;
        let mut state = self.rules.initial_state(vocabulary).unwrap();
        assert_eq!(self.evaluator.initial_state(vocabulary).unwrap(), state);
        let mut seen = Vec::new();
        for step in 0..MOVES {
            let next = self.compare_step(&state, step, &mut random);
            seen.push(state);
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
        for (step, state) in seen.iter().enumerate().rev() {
            self.compare_step(state, step, &mut random);
        }
        self.compare_batch(&seen);
    }

    /// Compares what comes after states, as a batch that fills no lane word evenly, with what the rules say of each.
    fn compare_batch(&mut self, seen: &[State]) {
        let mut joint_moves = 0;
        let few: Vec<State> = seen
            .iter()
            .take_while(|state| {
                joint_moves += self.joint_moves(state);
                joint_moves <= MAX_JOINT_MOVES
            })
            .cloned()
            .collect();
        let vocabulary = &mut self.vocabulary;
        let mut expected = Expansions::new(self.game.roles().len());
        self.rules.expand(vocabulary, &few, &mut expected).unwrap();
        let expected: Vec<_> = expected.iter().map(after).collect();
        let batch: Vec<State> = few
            .iter()
            .cycle()
            .take(7 * few.len() + 3)
            .cloned()
            .collect();
        let mut found = Expansions::new(self.game.roles().len());
        self.evaluator
            .expand(vocabulary, &batch, &mut found)
            .unwrap();
        assert_eq!(found.iter().count(), batch.len());
        for (place, found) in found.iter().map(after).enumerate() {
            assert_eq!(
                found,
                expected[place % few.len()],
                "{}, place {place}",
                self.name
            );
        }
    }

    /// The number of joint moves in a state.
    fn joint_moves(&mut self, state: &State) -> usize {
        let roles = (0..self.game.roles().len() as u32).map(RoleId);
        let mut moves = Vec::new();
        let numbers = roles.map(|role| {
            let (vocabulary, rules) = (&mut self.vocabulary, &mut self.rules);
            rules
                .legal_moves(vocabulary, state, role, &mut moves)
                .unwrap();
            moves.len()
        });
        numbers.product()
    }

    /// Compares a state and one that comes next, unless the game is over.
    fn compare_step(
        &mut self,
        state: &State,
        step: usize,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<State> {
        let (terminal, joint_move) = self.compare_state(state, step, random);
        let joint_move = joint_move.filter(|_| !terminal)?;
        let vocabulary = &mut self.vocabulary;
        let next = self.rules.successor(vocabulary, state, &joint_move);
        let other = self.evaluator.successor(vocabulary, state, &joint_move);
        assert_eq!(next, other, "{} after step {step}", self.name);
        next.ok()
    }

    /// Compares one state, and chooses a joint move if every role has one.
    fn compare_state(
        &mut self,
        state: &State,
        step: usize,
        random: &mut Xoshiro256PlusPlus,
    ) -> (bool, Option<Vec<MoveId>>) {
        let at = format!("{} in step {step}", self.name);
        let (rules, circuit) = (&mut self.rules, &mut self.evaluator);
        let vocabulary = &mut self.vocabulary;
        let terminal = rules.is_terminal(vocabulary, state).unwrap();
        assert_eq!(
            circuit.is_terminal(vocabulary, state).unwrap(),
            terminal,
            "{at}"
        );
        let mut joint_move = Vec::new();
        for role in (0..self.game.roles().len() as u32).map(RoleId) {
            let goal = rules.goal(vocabulary, state, role).unwrap();
            let other = circuit.goal(vocabulary, state, role).unwrap();
            assert_eq!(goal.value(), other.value(), "{at}");
            let (mut legal, mut others) = (Vec::new(), Vec::new());
            rules
                .legal_moves(vocabulary, state, role, &mut legal)
                .unwrap();
            circuit
                .legal_moves(vocabulary, state, role, &mut others)
                .unwrap();
            legal.sort_unstable();
            others.sort_unstable();
            assert_eq!(legal, others, "{at}");
            if !legal.is_empty() {
                joint_move.push(legal[random.random_range(0..legal.len())]);
            }
        }
        let all = joint_move.len() == self.game.roles().len();
        (terminal, all.then_some(joint_move))
    }
}

/// The payoffs at an end, or where the joint moves lead, in no order.
fn after(expansion: Expansion<'_>) -> (Vec<Option<GoalValue>>, BTreeMap<Vec<MoveId>, State>) {
    match expansion {
        Expansion::End(goals) => (goals.iter().map(Goal::value).collect(), BTreeMap::new()),
        Expansion::Successors(steps) => {
            let steps = steps
                .iter()
                .map(|(moves, next)| (moves.to_vec(), next.clone()));
            (Vec::new(), steps.collect())
        }
    }
}

/// A game with its terms, if its rules are valid.
fn read(name: &str, rules: &str) -> Option<(Game, Vocabulary)> {
    let source = Source::new(name, rules);
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    if sheet.has_errors() {
        return None;
    }
    let game = Game::new(&mut store, source, sheet.clauses, &Limits::default()).ok()?;
    Some((game, Vocabulary::new(store)))
}
