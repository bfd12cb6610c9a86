//! States a second, evaluated and maintained: `cargo bench --bench panel -- GAME...`. The games
//! are rule sheets; without any, the sample games are played.
//!
//! First in random playouts, then when nothing but the terminal test and the legal moves is asked
//! for in the states of a few playouts, one after the other.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot run has nothing to measure"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flux::gdl::{Game, MoveId, Playouts, Reasoner, RoleId, RuleSheet, State, Vocabulary};
use flux::limits::Limits;
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How long each reasoner plays a game.
const TIME: Duration = Duration::from_millis(300);

/// States that questions are asked of.
const STATES: usize = 300;

/// Joint moves after which a playout is given up.
const MAX_LENGTH: u64 = 1000;

fn main() {
    let mut games: Vec<PathBuf> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    if games.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("kb/games");
        let entries = std::fs::read_dir(folder).unwrap();
        games.extend(entries.map(|entry| entry.unwrap().path()));
        games.sort();
    }
    println!(
        "{:<24} {:>10} {:>10} {:>6} {:>10} {:>10} {:>6} {:>8}",
        "game", "playouts", "maintained", "ratio", "questions", "maintained", "ratio", "setup/ms"
    );
    let (mut playouts, mut questions) = (0.0, 0.0);
    for path in &games {
        let (in_playouts, of_questions) = measure(path);
        playouts += in_playouts.ln() / games.len() as f64;
        questions += of_questions.ln() / games.len() as f64;
    }
    println!(
        "{:<24} {:>28.2} {:>28.2}",
        "geometric mean",
        playouts.exp(),
        questions.exp()
    );
}

/// How many times as fast playouts and questions are.
fn measure(path: &Path) -> (f64, f64) {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let source = Source::new(name.clone(), std::fs::read_to_string(path).unwrap());
    let (mut store, limits) = (Store::new(), Limits::default());
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
    let mut vocabulary = Vocabulary::new(store);
    let roles = game.roles().len() as u32;
    let mut tabled = game.tabled(&mut vocabulary, limits.clone()).unwrap();
    let states = states(&mut tabled, &mut vocabulary, roles);
    let asked = questions(&mut tabled, &mut vocabulary, roles, &states);
    let evaluated = speed(&mut tabled, &mut vocabulary, roles);
    let start = Instant::now();
    let mut incremental = game.incremental(&mut vocabulary, limits).unwrap();
    let setup = start.elapsed();
    let maintained = speed(&mut incremental, &mut vocabulary, roles);
    let asked_maintained = questions(&mut incremental, &mut vocabulary, roles, &states);
    let store = vocabulary.store();
    let views = incremental.maintained().into_iter();
    let views: Vec<&str> = views.map(|view| store.name(view.symbol)).collect();
    let refusals = incremental.refusals().iter();
    let refusals: Vec<String> = refusals
        .map(|refusal| format!("{}: {refusal}", store.name(refusal.predicate.symbol)))
        .collect();
    let ratios = (maintained / evaluated, asked_maintained / asked);
    println!(
        "{name:<24} {evaluated:>10.0} {maintained:>10.0} {:>6.2} {asked:>10.0} {asked_maintained:>10.0} {:>6.2} {:>8.1}  {} [{}]",
        ratios.0,
        ratios.1,
        setup.as_secs_f64() * 1e3,
        views.join(" "),
        refusals.join("; "),
    );
    ratios
}

/// The states of a few playouts, one playout after the other.
fn states<R: Reasoner>(reasoner: &mut R, vocabulary: &mut Vocabulary, roles: u32) -> Vec<State> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut states, mut moves) = (Vec::new(), Vec::new());
    while states.len() < STATES {
        let mut state = reasoner.initial_state(vocabulary).unwrap();
        states.push(state.clone());
        while !reasoner.is_terminal(vocabulary, &state).unwrap() && states.len() < STATES {
            let joint_move: Vec<MoveId> = (0..roles)
                .map(|role| {
                    let role = RoleId(role);
                    reasoner
                        .legal_moves(vocabulary, &state, role, &mut moves)
                        .unwrap();
                    vocabulary.choose(&moves, random.random()).unwrap()
                })
                .collect();
            state = reasoner.successor(vocabulary, &state, &joint_move).unwrap();
            states.push(state.clone());
        }
    }
    states
}

/// States a second in which the terminal test and the legal moves are asked for.
fn questions<R: Reasoner>(
    reasoner: &mut R,
    vocabulary: &mut Vocabulary,
    roles: u32,
    states: &[State],
) -> f64 {
    let mut moves = Vec::new();
    let (start, mut asked) = (Instant::now(), 0u32);
    while start.elapsed() < TIME {
        for state in states {
            asked += 1;
            if !reasoner.is_terminal(vocabulary, state).unwrap() {
                for role in (0..roles).map(RoleId) {
                    reasoner
                        .legal_moves(vocabulary, state, role, &mut moves)
                        .unwrap();
                }
            }
        }
    }
    f64::from(asked) / start.elapsed().as_secs_f64()
}

/// States a second in playouts.
fn speed<R: Reasoner>(reasoner: &mut R, vocabulary: &mut Vocabulary, roles: u32) -> f64 {
    let mut playouts = Playouts::new(reasoner, vocabulary, roles, 1, MAX_LENGTH).unwrap();
    playouts.run(reasoner, vocabulary, 0).unwrap();
    playouts.states = 0;
    let start = Instant::now();
    let mut number = 1;
    while start.elapsed() < TIME {
        playouts.run(reasoner, vocabulary, number).unwrap();
        number += 1;
    }
    playouts.states as f64 / start.elapsed().as_secs_f64()
}
