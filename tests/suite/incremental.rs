//! The reasoner that maintains predicates agrees with the one that evaluates them: in every state
//! of random playouts, on sample games and, where the collection is at hand, an even sample of it.

use std::collections::BTreeSet;
use std::path::Path;

use flux::gdl::{Game, Goal, Incremental, MoveId, Reasoner, RoleId, RuleSheet, State, Vocabulary};
use flux::limits::Limits;
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};

use crate::collection::{games_below, material};

/// Playouts of each game; each jumps back to the initial state.
const PLAYOUTS: u64 = 2;

/// Joint moves of a playout, at most.
const MOVES: u64 = 40;

/// Every n-th game of the collection is compared.
const STRIDE: usize = 16;

#[test]
fn maintained_sample_games_are_the_same_games() {
    let games = games_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("kb/games"));
    assert!(games.len() >= 19, "only {} sample games found", games.len());
    games.iter().for_each(|game| compare(game));
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn maintained_games_of_others_are_the_same_games() {
    let collection = material("games/base");
    // Another sample than that on which the two evaluators are compared.
    let games = games_below(&collection);
    games
        .iter()
        .skip(STRIDE / 2)
        .step_by(STRIDE)
        .for_each(|game| compare(game));
}

fn prepare(path: &Path) -> (Game, Vocabulary) {
    let name = path.file_name().unwrap().to_str().unwrap();
    let source = Source::from_bytes(name, std::fs::read(path).unwrap()).unwrap();
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    let game = Game::new(&mut store, source, sheet.clauses, &Limits::default()).unwrap();
    (game, Vocabulary::new(store))
}

/// What can be asked of a state.
#[derive(Debug, PartialEq)]
struct Answers {
    terminal: bool,
    legal: Vec<BTreeSet<MoveId>>,
    goals: Vec<Goal>,
}

fn answers<R: Reasoner>(
    reasoner: &mut R,
    vocabulary: &mut Vocabulary,
    roles: u32,
    state: &State,
) -> Answers {
    let mut legal = Vec::new();
    let mut goals = Vec::new();
    for role in (0..roles).map(RoleId) {
        let mut moves = Vec::new();
        reasoner
            .legal_moves(vocabulary, state, role, &mut moves)
            .unwrap();
        let set: BTreeSet<MoveId> = moves.iter().copied().collect();
        assert_eq!(set.len(), moves.len(), "moves are given once");
        legal.push(set);
        let mut goal = reasoner.goal(vocabulary, state, role).unwrap();
        if let Goal::Contradictory(values) = &mut goal {
            values.sort();
        }
        goals.push(goal);
    }
    Answers {
        terminal: reasoner.is_terminal(vocabulary, state).unwrap(),
        legal,
        goals,
    }
}

fn compare(path: &Path) {
    let (game, mut vocabulary) = prepare(path);
    let roles = game.roles().len() as u32;
    let mut tabled = game.tabled(&mut vocabulary, Limits::default()).unwrap();
    let mut incremental = game
        .incremental(&mut vocabulary, Limits::default())
        .unwrap();
    for playout in 0..PLAYOUTS {
        let mut state = tabled.initial_state(&mut vocabulary).unwrap();
        for step in 0..MOVES {
            let expected = answers(&mut tabled, &mut vocabulary, roles, &state);
            let found = answers(&mut incremental, &mut vocabulary, roles, &state);
            assert_eq!(found, expected, "{path:?} at step {step}");
            if expected.terminal {
                break;
            }
            let draw = |role: usize| (playout * MOVES + step) * 31 + role as u64;
            let joint_move: Option<Vec<MoveId>> = expected
                .legal
                .iter()
                .enumerate()
                .map(|(role, legal)| {
                    let legal: Vec<MoveId> = legal.iter().copied().collect();
                    vocabulary.choose(&legal, draw(role).wrapping_mul(0x9E37_79B9_7F4A_7C15))
                })
                .collect();
            let Some(joint_move) = joint_move else {
                break;
            };
            let next = tabled
                .successor(&mut vocabulary, &state, &joint_move)
                .unwrap();
            let same = incremental
                .successor(&mut vocabulary, &state, &joint_move)
                .unwrap();
            assert_eq!(next, same, "{path:?} behind step {step}");
            state = next;
        }
    }
    assert_same_choice(path, &incremental);
}

/// The same predicates are chosen each time.
fn assert_same_choice(path: &Path, first: &Incremental) {
    let (game, mut vocabulary) = prepare(path);
    let again = game
        .incremental(&mut vocabulary, Limits::default())
        .unwrap();
    assert_eq!(first.maintained(), again.maintained(), "{path:?}");
    assert_eq!(first.refusals(), again.refusals(), "{path:?}");
}
