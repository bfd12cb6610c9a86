//! Proofs that axioms give the successors of the rules: they are found for games, they are not found for
//! wrong axioms, and they say what enumerating all states says.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flux::analysis::{
    Comparison, Doubt, Exactness, ExactnessEffort, ExactnessVerdict, prove_exact,
};
use flux::circuit::Circuit;
use flux::circuit::ground::{self, GroundError};
use flux::fluent::{Bounds, Coverage, Difference, GameAxioms, progression, translate, verify};
use flux::gdl::{Game, MoveId, Reasoner, RoleId, RuleSheet, State, Vocabulary};
use flux::limits::{Limits, StopReason};
use flux::syntax::{Source, detect};
use flux::term::{Case, Store, TermId};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::collection::{material, root, sample_games};
use crate::fluent_laws::holds;
use crate::random_game::{random_game, text};

/// Random games looked at if nobody says otherwise.
const CASES: u64 = 200;

/// Fluents of random games all of whose states are enumerated.
const MAX_FLUENTS: usize = 9;

/// Games of others that are proved here; all kinds of invariants are used.
const OTHERS: [&str; 7] = [
    "base/ticTacToe",
    "dresden/buttons",
    "base/blocks",
    "base/knightsTour",
    "base/connectFour",
    "base/eightPuzzle",
    "base/nim4",
];

#[test]
fn sample_games_are_proved() {
    let mut used = 0;
    for path in sample_games() {
        let mut subject = Subject::read(&path);
        let found = subject.prove();
        assert_eq!(
            found.verdict,
            ExactnessVerdict::Proved,
            "{}",
            path.display()
        );
        let tally = found.tally;
        assert_eq!(tally.proved(), tally.fluents, "{}", path.display());
        assert!(tally.fluents > 0 && tally.used <= tally.invariants);
        used += tally.used;
    }
    assert!(used > 20, "only {used} invariants were of use");
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn games_of_others_are_proved() {
    for name in OTHERS {
        let mut subject = Subject::of_others(name);
        assert_eq!(subject.prove().verdict, ExactnessVerdict::Proved, "{name}");
    }
}

/// What a proof assumes of states and moves is so along playouts; so it is about them.
#[test]
fn proofs_are_about_all_that_playouts_visit() {
    sample_games().iter().for_each(|path| admit_playout(path));
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn proofs_are_about_what_playouts_of_games_of_others_visit() {
    let others = OTHERS.iter().map(|name| path_of_others(name));
    others.for_each(|path| admit_playout(&path));
}

fn admit_playout(path: &Path) {
    let mut subject = Subject::read(path);
    let mut comparison = subject.comparison(&ExactnessEffort::default()).unwrap();
    let mut rules = subject.rules();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut state = rules.initial_state(&mut subject.vocabulary).unwrap();
    let mut made = 0;
    while let Some(legal) = subject.legal(&mut rules, &state) {
        let draw = |moves: &Vec<MoveId>| moves[random.random_range(0..moves.len())];
        let joint_move: Vec<MoveId> = legal.iter().map(draw).collect();
        let vocabulary = &mut subject.vocabulary;
        assert!(
            comparison.admits(vocabulary, &state, &joint_move),
            "{}: move {made}",
            path.display()
        );
        state = rules.successor(vocabulary, &state, &joint_move).unwrap();
        made += 1;
        if made == 60 {
            break;
        }
    }
    assert!(made > 0, "{}", path.display());
}

/// Without one of the effects there is a state that shows it.
#[test]
fn a_missing_effect_is_found() {
    for name in ["blocks_world", "tic_tac_toe", "best_buttons_and_lights"] {
        let mut subject = Subject::read(&sample_game(name));
        let effects = subject.axioms.effects.clone();
        for at in 0..effects.len() {
            subject.axioms.effects = effects.clone();
            let effect = subject.axioms.effects.remove(at);
            let ExactnessVerdict::Refuted(difference) = subject.prove().verdict else {
                panic!("{name}: nobody misses effect {at}");
            };
            let store = subject.vocabulary.store();
            let function = store.functor(effect.fluent);
            let mut differ = difference.missing().chain(difference.extra());
            let shows = differ.any(|fluent| {
                let fluent = subject.vocabulary.fluent_term(fluent);
                subject.vocabulary.store().functor(fluent) == function
            });
            assert!(shows, "{name}: effect {at} shows in other fluents");
            subject.check(&difference);
        }
    }
}

/// An effect too many shows as well.
#[test]
fn a_wrong_effect_is_found() {
    let mut subject = Subject::read(&sample_game("blocks_world"));
    let wrong = subject.axioms.effects[0].clone();
    for at in 0..subject.axioms.effects.len() {
        let mut axioms = subject.axioms.clone();
        axioms.effects[at].conditions.clear();
        axioms.effects[at].fluent = axioms.initial[0];
        if axioms.effects[at].sign != wrong.sign {
            continue;
        }
        let right = std::mem::replace(&mut subject.axioms, axioms);
        let ExactnessVerdict::Refuted(difference) = subject.prove().verdict else {
            panic!("effect {at} may be anything");
        };
        subject.check(&difference);
        subject.axioms = right;
    }
}

/// Axioms that are exact because of invariants are not proved without them: the state that is found is
/// none that can be reached.
#[test]
fn invariants_are_needed() {
    let mut subject = Subject::read(&sample_game("blocks_world"));
    subject.axioms.constraints.clear();
    let ExactnessVerdict::Refuted(difference) = subject.prove().verdict else {
        panic!("proved without invariants");
    };
    subject.check(&difference);
    let mut rules = subject.rules();
    let limits = Limits::default();
    let (game, vocabulary) = (&subject.game, &mut subject.vocabulary);
    let mut by_axioms = progression(game, &subject.axioms, vocabulary, &limits).unwrap();
    let bounds = Bounds::default();
    let outcome = verify(&mut rules, &mut by_axioms, vocabulary, 1, &bounds).unwrap();
    assert_eq!(outcome.coverage, Coverage::Exhausted);
    assert_eq!(outcome.difference, None);
}

/// Atoms that depend on each other are the same for both sides.
#[test]
fn circles_of_atoms_do_not_stand_in_the_way() {
    let rules = "(role r) (init (edge a b)) (init (edge c d)) (init (edge d c))
        (node a) (node b) (node c) (node d)
        (<= (legal r (link ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y) (not (true (edge ?x ?y))))
        (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (cut ?x ?y)))
        (<= (next (edge ?x ?y)) (does r (link ?x ?y)))
        (<= (next closed) (does r (link ?x ?y)) (path ?y ?x))
        (<= (cut ?x ?y) (true (edge ?x ?y)) (does r (link ?y ?z)) (path ?z ?x))
        (<= (path ?x ?y) (true (edge ?x ?y)))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= terminal (true closed)) (goal r 100)";
    let mut subject = Subject::of(rules).unwrap();
    let found = subject.prove();
    assert_eq!(found.verdict, ExactnessVerdict::Proved);
    let mut lost = false;
    let effects = subject.axioms.effects.clone();
    for at in 0..effects.len() {
        subject.axioms.effects = effects.clone();
        subject.axioms.effects.remove(at);
        match subject.prove().verdict {
            ExactnessVerdict::Refuted(difference) => {
                subject.check(&difference);
                lost = true;
            }
            // Some path may be a path without edges to the search, which is found out.
            ExactnessVerdict::Undecided(Doubt::Unconfirmed { .. }) => {}
            other @ (ExactnessVerdict::Proved | ExactnessVerdict::Undecided(_)) => {
                panic!("effect {at}: {other:?}")
            }
        }
    }
    assert!(lost);
}

/// On small games all states can be enumerated, right axioms and wrong ones: the verdict is what comes
/// of that.
#[test]
fn verdicts_are_what_enumeration_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (mut proved, mut refuted, mut undecided) = (0, 0, 0);
    for seed in 0..number("FLUX_LAW_CASES").unwrap_or(CASES) {
        let Some(mut subject) = Subject::of(&text(&random_game(seed))) else {
            continue;
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let effects = subject.axioms.effects.len();
        if seed % 2 == 1 && effects > 0 {
            let at = random.random_range(0..effects);
            match random.random_range(0..3) {
                0 => subject.axioms.constraints.clear(),
                1 => drop(subject.axioms.effects.remove(at)),
                _ => drop(subject.axioms.effects[at].conditions.pop()),
            }
        }
        let Some(differs) = subject.enumerate() else {
            continue;
        };
        match subject.prove().verdict {
            ExactnessVerdict::Proved => {
                assert!(!differs, "seed {seed}: proved what is not so");
                proved += 1;
            }
            ExactnessVerdict::Refuted(difference) => {
                assert!(differs, "seed {seed}: refuted what is so");
                subject.check(&difference);
                refuted += 1;
            }
            ExactnessVerdict::Undecided(doubt) => {
                eprintln!("seed {seed}: {doubt}");
                undecided += 1;
            }
        }
    }
    eprintln!("{proved} proved, {refuted} refuted, {undecided} undecided");
    assert!(proved > 20 && refuted > 5, "{proved} and {refuted}");
    assert!(10 * undecided <= proved, "{undecided} undecided");
}

#[test]
fn limits_are_reasons() {
    let mut subject = Subject::read(&sample_game("connect_four"));
    let few = ExactnessEffort {
        max_rules: 10,
        ..ExactnessEffort::default()
    };
    let large = subject.comparison(&few).err();
    let reasons = [
        GroundError::TooLarge { limit: 10 },
        GroundError::TooMuchWork,
    ];
    let reasons = reasons.map(|reason| Some(Doubt::Ground(reason)));
    assert!(reasons.contains(&large), "{large:?}");
    // Fluents that are alike as circuits need no step of SAT; nine of tic-tac-toe do.
    let mut subject = Subject::read(&sample_game("tic_tac_toe"));
    let short = ExactnessEffort {
        steps: 0,
        ..ExactnessEffort::default()
    };
    let found = subject.prove_within(&short);
    let reason = Doubt::Stopped(StopReason::StepLimit(0));
    assert_eq!(found.verdict, ExactnessVerdict::Undecided(reason));
    subject.limits.stop.raise(StopReason::TimeLimit);
    assert!(matches!(
        subject.prove().verdict,
        ExactnessVerdict::Undecided(_)
    ));
}

#[test]
fn programs_are_told_in_json() {
    let output = flux(&[
        "translate",
        "kb/games/blocks_world.gdl",
        "--verify",
        "--to",
        "json",
    ]);
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["verdict"], "proved");
    assert_eq!(answer["reason"], Value::Null);
    assert_eq!(answer["counterexample"], Value::Null);
    assert_eq!(answer["comparison"], Value::Null);
    let proved = answer["alike"].as_u64().unwrap() + answer["by_sat"].as_u64().unwrap();
    assert_eq!(answer["fluents"].as_u64(), Some(proved));
}

/// Where rules have no ground form, states that can be reached are looked at.
#[test]
fn what_does_not_ground_is_compared() {
    let rules = "(role r) (init (n z)) (legal r a) (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true (n (s (s z))))) (goal r 0)";
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(rules.as_bytes()).unwrap();
    let path = file.path().to_str().unwrap();
    let arguments = ["translate", path, "--verify", "--max-rules", "5000"];
    assert_eq!(
        flux(&arguments),
        "not proved: rules and axioms cannot be made propositional: the rules have more than \
         5000 instances\n\
         2 successors of 3 states compared: the axioms agree with the rules in every reachable \
         state\n"
    );
    let answer = flux(&[&arguments[..], &["--to", "json"]].concat());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["verdict"], "undecided");
    assert!(answer["reason"].as_str().unwrap().contains("5000"));
    assert_eq!(answer["comparison"]["exhaustive"], true);
    assert_eq!(answer["comparison"]["difference"], Value::Null);
}

/// A game with its axioms.
struct Subject {
    game: Game,
    vocabulary: Vocabulary,
    axioms: GameAxioms,
    limits: Limits,
}

impl Subject {
    fn of(text: &str) -> Option<Self> {
        let source = Source::new("game", text);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
        if sheet.has_errors() {
            return None;
        }
        let limits = Limits::default();
        let bounded = Limits {
            steps: Some(2_000_000),
            ..Limits::default()
        };
        let game = Game::new(&mut store, source, sheet.clauses, &bounded).ok()?;
        let mut vocabulary = Vocabulary::new(store);
        let axioms = translate(&game, &mut vocabulary, &bounded).ok()?;
        Some(Self {
            game,
            vocabulary,
            axioms,
            limits,
        })
    }

    fn read(path: &Path) -> Self {
        Self::of(&std::fs::read_to_string(path).unwrap())
            .unwrap_or_else(|| panic!("{} is no game", path.display()))
    }

    fn of_others(name: &str) -> Self {
        Self::read(&path_of_others(name))
    }

    fn comparison(&mut self, effort: &ExactnessEffort) -> Result<Comparison, Doubt> {
        let vocabulary = &mut self.vocabulary;
        Comparison::new(&self.game, &self.axioms, vocabulary, &self.limits, effort)
    }

    fn prove(&mut self) -> Exactness {
        self.prove_within(&ExactnessEffort::default())
    }

    fn prove_within(&mut self, effort: &ExactnessEffort) -> Exactness {
        let vocabulary = &mut self.vocabulary;
        prove_exact(&self.game, &self.axioms, vocabulary, &self.limits, effort)
    }

    fn rules(&mut self) -> impl Reasoner + use<> {
        self.game
            .tabled(&mut self.vocabulary, self.limits.clone())
            .unwrap()
    }

    /// The legal moves of the roles; none if the game is over or a role has none.
    fn legal(&mut self, rules: &mut impl Reasoner, state: &State) -> Option<Vec<Vec<MoveId>>> {
        if rules.is_terminal(&mut self.vocabulary, state).unwrap() {
            return None;
        }
        let mut all = Vec::new();
        for role in (0..self.game.roles().len() as u32).map(RoleId) {
            let mut moves = Vec::new();
            let vocabulary = &mut self.vocabulary;
            rules
                .legal_moves(vocabulary, state, role, &mut moves)
                .unwrap();
            all.push(moves);
        }
        all.iter().all(|moves| !moves.is_empty()).then_some(all)
    }

    fn satisfies_invariants(&self, state: &State) -> bool {
        let fluents = state.fluents();
        let fluents: Vec<TermId> = fluents
            .map(|fluent| self.vocabulary.fluent_term(fluent))
            .collect();
        let store = self.vocabulary.store();
        let mut constraints = self.axioms.constraints.iter();
        constraints.all(|constraint| holds(store, constraint, &self.axioms.initial, &fluents))
    }

    /// A difference is what it says: a legal joint move in a state that satisfies the invariants, of which
    /// rules and axioms say different things.
    fn check(&mut self, difference: &Difference) {
        let mut rules = self.rules();
        let Difference {
            state, joint_move, ..
        } = difference;
        let legal = self.legal(&mut rules, state).unwrap();
        assert_eq!(legal.len(), joint_move.len());
        assert!(legal.iter().zip(joint_move).all(|(l, mv)| l.contains(mv)));
        assert!(self.satisfies_invariants(state));
        let vocabulary = &mut self.vocabulary;
        let mut axioms = progression(&self.game, &self.axioms, vocabulary, &self.limits).unwrap();
        let by_rules = rules.successor(vocabulary, state, joint_move).unwrap();
        let by_axioms = axioms.successor(vocabulary, state, joint_move).unwrap();
        assert_ne!(by_rules, by_axioms);
        assert_eq!(by_rules, difference.by_rules);
        assert_eq!(by_axioms, difference.by_axioms);
    }

    /// Whether rules and axioms differ in some state that satisfies the invariants; nothing if there are
    /// too many states. What a proof admits is compared with that on the way.
    fn enumerate(&mut self) -> Option<bool> {
        let store = self.vocabulary.store_mut();
        let program = ground::ground(&self.game, store, &self.limits, 20_000).ok()?;
        let circuit = Circuit::new(store, &program, self.game.roles().len()).ok()?;
        let known = |fluent: &&flux::circuit::Fluent| fluent.holds.constant().is_none();
        let open: Vec<TermId> = circuit
            .fluents
            .iter()
            .filter(known)
            .map(|f| f.term)
            .collect();
        if open.len() > MAX_FLUENTS {
            return None;
        }
        let always = circuit.fluents.iter();
        let always = always.filter(|fluent| fluent.holds.constant() == Some(true));
        let always: Vec<TermId> = always.map(|fluent| fluent.term).collect();
        let mut comparison = self.comparison(&ExactnessEffort::default()).ok()?;
        let mut rules = self.rules();
        let (game, limits) = (&self.game, &self.limits);
        let mut by_axioms = progression(game, &self.axioms, &mut self.vocabulary, limits).ok()?;
        let mut differs = false;
        for choice in 0..1u32 << open.len() {
            let chosen = open.iter().enumerate();
            let chosen = chosen.filter(|(at, _)| choice >> at & 1 == 1);
            let terms = chosen.map(|(_, &term)| term).chain(always.iter().copied());
            let state: State = terms.map(|term| self.vocabulary.fluent(term)).collect();
            let Some(legal) = self.legal(&mut rules, &state) else {
                continue;
            };
            let admitted = self.satisfies_invariants(&state);
            for joint_move in joint_moves(&legal) {
                let vocabulary = &mut self.vocabulary;
                let admits = comparison.admits(vocabulary, &state, &joint_move);
                assert_eq!(admits, admitted, "{:?}", self.game.source());
                if admitted {
                    let next = rules.successor(vocabulary, &state, &joint_move).ok()?;
                    let other = by_axioms.successor(vocabulary, &state, &joint_move).ok()?;
                    differs |= next != other;
                }
            }
        }
        Some(differs)
    }
}

/// All choices of one move a role.
fn joint_moves(legal: &[Vec<MoveId>]) -> Vec<Vec<MoveId>> {
    let mut all = vec![Vec::new()];
    for moves in legal {
        let longer = |start: &Vec<MoveId>| {
            let start = start.clone();
            moves.iter().map(move |&mv| [&start[..], &[mv]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// What the program prints.
fn flux(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn sample_game(name: &str) -> PathBuf {
    root().join(format!("kb/games/{name}.gdl"))
}

fn path_of_others(name: &str) -> PathBuf {
    material("games").join(format!("{name}.kif"))
}
