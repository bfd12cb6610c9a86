//! Games side by side, solved part by part and as a whole: `cargo bench --bench sums` writes `docs/sums.tsv` and
//! `docs/sums.svg`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot run has nothing to measure"
)]

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use flux::circuit::{Circuit, Evaluator, ground};
use flux::gdl::{Game, Reasoner, RuleSheet, Vocabulary};
use flux::limits::Limits;
use flux::search::versus::{Arena, ForcingAlgorithm, ForcingOutcome, ForcingSetting, solve};
use flux::syntax::{Source, detect};
use flux::term::{Case, Store};
use plotters::prelude::*;

/// Copies of a game at most.
const COPIES: usize = 6;

/// States that may be expanded.
const STATES: u64 = 2_000_000;

/// What every game of the experiment has in common.
const COMMON: &str =
    "(role first) (role second) (other first second) (other second first) (init (control first))
    (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
    (<= (next (control ?p)) (true (control ?q)) (other ?q ?p))
    (<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (true (control ?q)) (other ?q ?p))
    (<= terminal (not can)) (<= can (true (control ?p)) (room ?p ?b ?x ?y))
    (<= (legal ?p (take ?b ?x ?y)) (true (control ?p)) (room ?p ?b ?x ?y))
";

/// The rules of so many copies of a game.
type Rules = fn(usize) -> String;

fn main() {
    let games: [(&str, Rules); 3] = [
        ("heaps of 7", heaps),
        ("rows of 7 pins", rows),
        ("boards of 3 by 3", boards),
    ];
    let mut table = "game\tcopies\talgorithm\tvalue\tstates\tseconds\n".to_owned();
    let mut curves = Vec::new();
    for (name, rules) in games {
        for (label, algorithm) in [
            ("parts", ForcingAlgorithm::Parts),
            ("whole", ForcingAlgorithm::Strong),
        ] {
            let mut curve: Vec<Point> = Vec::new();
            for copies in 1..=COPIES {
                let start = Instant::now();
                let outcome = solved(&rules(copies), algorithm);
                let seconds = start.elapsed().as_secs_f64();
                let is_solved = outcome.halt.is_none() && outcome.gap.is_none();
                let value = outcome.bounds[0].at_least.value().map(|value| value.0);
                let value = value.filter(|_| is_solved);
                let value = value.map_or("-".to_owned(), |value| value.to_string());
                let states = outcome.states;
                let row = format!("{name}\t{copies}\t{label}\t{value}\t{states}\t{seconds:.3}\n");
                print!("{row}");
                table += &row;
                match is_solved {
                    true => curve.push((copies as f64, states as f64, seconds)),
                    // One game alone is no sum; what is too large stays so with more copies.
                    false if copies > 1 => break,
                    false => {}
                }
            }
            curves.push((format!("{name}, {label}"), curve));
        }
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    std::fs::write(docs.join("sums.tsv"), table).unwrap();
    draw(&docs.join("sums.svg"), &curves);
}

/// Copies, states and seconds.
type Point = (f64, f64, f64);

/// States and seconds by number of copies, both on logarithmic scales.
fn draw(path: &Path, curves: &[(String, Vec<Point>)]) {
    let root = SVGBackend::new(path, (960, 420)).into_drawing_area();
    root.fill(&WHITE).unwrap();
    let panes = root.split_evenly((1, 2));
    let copies = 1.0..COPIES as f64 + 0.2;
    for (pane, (title, range, is_time)) in panes.iter().zip([
        ("expanded states", 1.0..1e8, false),
        ("seconds", 1e-3..1e2, true),
    ]) {
        let mut chart = ChartBuilder::on(pane)
            .caption(title, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(30)
            .y_label_area_size(60)
            .build_cartesian_2d(copies.clone(), range.log_scale())
            .unwrap();
        let mesh = &mut chart.configure_mesh();
        mesh.x_desc("copies").x_labels(COPIES).draw().unwrap();
        for (number, (label, curve)) in curves.iter().enumerate() {
            let color = Palette99::pick(number / 2);
            // What is solved as a whole is drawn thin, parts thick.
            let style = color.stroke_width(if number % 2 == 0 { 3 } else { 1 });
            let points = curve
                .iter()
                .map(|&(copies, states, seconds)| (copies, if is_time { seconds } else { states }));
            let points: Vec<(f64, f64)> = points.collect();
            let series = LineSeries::new(points, style).point_size(3);
            let series = chart.draw_series(series).unwrap();
            series
                .label(label.as_str())
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
        }
        if !is_time {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .border_style(BLACK)
                .background_style(WHITE)
                .draw()
                .unwrap();
        }
    }
    root.present().unwrap();
}

fn solved(rules: &str, algorithm: ForcingAlgorithm) -> ForcingOutcome {
    let source = Source::new("sum", rules.to_owned());
    let (mut store, limits) = (Store::new(), Limits::default());
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    assert!(!sheet.has_errors(), "{:?}", sheet.diagnostics);
    let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
    let mut vocabulary = Vocabulary::new(store);
    let store = vocabulary.store_mut();
    let program = ground::ground(&game, store, &limits, ground::MAX_RULES).unwrap();
    let circuit = Circuit::new(store, &program, game.roles().len()).unwrap();
    let circuit = Arc::new(circuit);
    let stop = limits.stop.clone();
    let mut reasoner = Evaluator::new(Arc::clone(&circuit), &mut vocabulary, stop);
    let start = reasoner.initial_state(&mut vocabulary).unwrap();
    let setting = ForcingSetting {
        states: Some(STATES),
        limits,
        ..ForcingSetting::new(&game, &mut vocabulary, start, Some(circuit))
    };
    solve(
        Arena::new(&mut reasoner, &mut vocabulary, setting),
        algorithm,
    )
}

/// Nim: heaps of seven.
fn heaps(copies: usize) -> String {
    let mut rules = COMMON.to_owned()
        + "(<= (room ?p ?b ?m ?n) (role ?p) (true (heap ?b ?m)) (less ?n ?m))
        (<= (touched ?b) (does ?p (take ?b ?m ?n)))
        (<= (next (heap ?b ?n)) (does ?p (take ?b ?m ?n)))
        (<= (next (heap ?b ?m)) (true (heap ?b ?m)) (not (touched ?b)))\n";
    for copy in 0..copies {
        writeln!(rules, "(init (heap b{copy} 7))").unwrap();
    }
    for more in 1..=7 {
        for less in 0..more {
            writeln!(rules, "(less {less} {more})").unwrap();
        }
    }
    rules
}

/// Rules of games in which cells are covered.
const COVER: &str = "(<= (covered ?b ?x) (does ?p (take ?b ?x ?y)))
    (<= (covered ?b ?y) (does ?p (take ?b ?x ?y)))
    (<= (next (free ?b ?x)) (true (free ?b ?x)) (not (covered ?b ?x)))
    (<= (room ?p ?b ?x ?y) (fits ?p ?x ?y) (true (free ?b ?x)) (true (free ?b ?y)))
";

/// Kayles: rows of seven pins, of which one or two that stand side by side are felled.
fn rows(copies: usize) -> String {
    let mut rules = COMMON.to_owned() + COVER;
    for pin in 1..=7 {
        let next = if pin < 7 { pin + 1 } else { pin };
        for other in [pin, next] {
            writeln!(
                rules,
                "(fits first {pin} {other}) (fits second {pin} {other})"
            )
            .unwrap();
        }
        for copy in 0..copies {
            writeln!(rules, "(init (free b{copy} {pin}))").unwrap();
        }
    }
    rules
}

/// Domineering: boards of three by three squares, on which the first player lays dominoes upright.
fn boards(copies: usize) -> String {
    let mut rules = COMMON.to_owned() + COVER;
    for x in 1..=3 {
        for y in 1..=3 {
            if y < 3 {
                writeln!(rules, "(fits first c{x}{y} c{x}{})", y + 1).unwrap();
            }
            if x < 3 {
                writeln!(rules, "(fits second c{x}{y} c{}{y})", x + 1).unwrap();
            }
            for copy in 0..copies {
                writeln!(rules, "(init (free b{copy} c{x}{y}))").unwrap();
            }
        }
    }
    rules
}
