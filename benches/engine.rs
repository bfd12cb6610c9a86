//! How fast the engine's parts are: `cargo bench --bench engine`.
//!
//! States a second in random playouts of the sample games on the tabled reasoner, terms a second
//! in the store, and the time that whole Prolog programs take.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark that cannot run has nothing to measure"
)]

use std::path::{Path, PathBuf};

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use flux::gdl::{Game, Playouts, RuleSheet, Vocabulary};
use flux::limits::Limits;
use flux::prolog::Machine;
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};

/// Playouts in one measurement.
const PLAYOUTS: u64 = 50;

/// Terms in one measurement.
const TERMS: i64 = 10_000;

fn main() {
    divan::main();
}

fn file(path: &str) -> (String, String) {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path.display().to_string(), text)
}

#[divan::bench(args = ["tic_tac_toe", "connect_four", "eight_puzzle", "hanoi", "incredible", "nim"])]
fn playouts(bencher: Bencher<'_, '_>, game: &str) {
    let (name, text) = file(&format!("kb/games/{game}.gdl"));
    let source = Source::new(name, text);
    let (mut store, limits) = (Store::new(), Limits::default());
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
    let mut vocabulary = Vocabulary::new(store);
    let mut reasoner = game.tabled(&mut vocabulary, limits).unwrap();
    let roles = game.roles().len() as u32;
    let mut play = || {
        let mut playouts = Playouts::new(&mut reasoner, &mut vocabulary, roles, 1, 1000).unwrap();
        for number in 0..PLAYOUTS {
            black_box(
                playouts
                    .run(&mut reasoner, &mut vocabulary, number)
                    .unwrap(),
            );
        }
        playouts.states
    };
    let states = play();
    bencher.counter(ItemsCount::new(states)).bench_local(play);
}

#[divan::bench(args = [1, 3, 6])]
fn find_terms(bencher: Bencher<'_, '_>, arity: i64) {
    let mut store = Store::new();
    let functor = store.symbol("f");
    bencher
        .counter(ItemsCount::new(TERMS as u64))
        .bench_local(|| {
            for number in 0..TERMS {
                let arguments: Vec<_> = (0..arity)
                    .map(|position| store.integer(number / (position + 1) % 97))
                    .collect();
                black_box(store.compound(functor, &arguments));
            }
        });
}

#[divan::bench(sample_count = 3, args = ["nrev", "tc_chain", "tc_cycle", "tc_right_cycle", "same_generation", "mutual_recursion"])]
fn programs(bencher: Bencher<'_, '_>, program: &str) {
    let (name, text) = file(&format!("benches/programs/{program}.pl"));
    let source = Source::new(name, text);
    bencher.bench_local(|| {
        let mut machine = Machine::new();
        assert!(machine.consult(&source).is_empty());
        let mut solutions = machine.query("main", Limits::default()).unwrap();
        black_box(solutions.next_solution())
    });
}
