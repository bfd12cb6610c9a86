//! How fast text is read and printed, in bytes a second: `cargo bench --bench parse`.
//!
//! The text is 10 MB of rules: a real rule sheet many times over if the collection of games lies
//! beside the project, else one made here.

use std::path::Path;
use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use flux::syntax::{Document, Notation, Source, parse, print};

const BYTES: usize = 10_000_000;

static PREFIX: LazyLock<Source> = LazyLock::new(|| {
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games/base/chess.kif");
    let rules = std::fs::read_to_string(real).unwrap_or_else(|_| made_up_rules());
    Source::new("bench", rules.repeat(BYTES / rules.len() + 1))
});

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| parse(&PREFIX, Notation::Prefix).document);

static INFIX: LazyLock<Source> =
    LazyLock::new(|| Source::new("bench", print(&DOCUMENT, &PREFIX, Notation::Infix)));

fn made_up_rules() -> String {
    let rule = |n: usize| {
        format!(
            "; rule {n}\n(<= (next (cell ?x ?y piece{n}))\n    (does ?player (move ?x{n} ?y ?z))\n    \
             (true (cell ?x ?y b))\n    (distinct ?x ?z))\n(succ {n} {})\n",
            n + 1
        )
    };
    (0..500).map(rule).collect()
}

fn main() {
    divan::main();
}

#[divan::bench]
fn read_prefix(bencher: Bencher<'_, '_>) {
    read(bencher, &PREFIX, Notation::Prefix);
}

#[divan::bench]
fn read_infix(bencher: Bencher<'_, '_>) {
    read(bencher, &INFIX, Notation::Infix);
}

#[divan::bench]
fn read_prolog(bencher: Bencher<'_, '_>) {
    read(bencher, &INFIX, Notation::Prolog);
}

#[divan::bench]
fn print_prefix(bencher: Bencher<'_, '_>) {
    write(bencher, Notation::Prefix);
}

#[divan::bench]
fn print_infix(bencher: Bencher<'_, '_>) {
    write(bencher, Notation::Infix);
}

fn read(bencher: Bencher<'_, '_>, source: &Source, notation: Notation) {
    bencher
        .counter(BytesCount::of_str(source.text()))
        .bench(|| parse(black_box(source), notation));
}

fn write(bencher: Bencher<'_, '_>, notation: Notation) {
    LazyLock::force(&DOCUMENT);
    bencher
        .counter(BytesCount::of_str(PREFIX.text()))
        .bench(|| print(black_box(&DOCUMENT), &PREFIX, notation));
}
