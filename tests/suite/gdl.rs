//! Games: messages about their rules, the table of codes, and domains.
//!
//! Cases of messages are in `tests/gdl/errors`, of domains in `tests/gdl/domains`; `.kif` is prefix
//! notation, `.gdl` infix. The collections beside the project, where there are any, are compared
//! with `tests/gdl/invalid.tsv` and `tests/gdl/warnings.tsv`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use flux::cli::render::{Style, render};
use flux::gdl::{Domains, FAULTS, Fault, Keywords, RuleSheet, Size};
use flux::syntax::{Diagnostic, Notation, SYNTAX_CODES, Severity, Source, detect};
use flux::term::{Case, Store};

use crate::collection::{games_below, material};

#[test]
fn rejected() {
    check("gdl/errors", |source| {
        let sheet = read(source, detect(source));
        assert_ne!(sheet.diagnostics, [], "{}", source.name());
        let messages = sheet.diagnostics.iter();
        let messages: Vec<String> = messages
            .map(|one| render(source, one, Style::Plain))
            .collect();
        messages.join("\n\n")
    });
}

#[test]
fn domains() {
    check("gdl/domains", |source| {
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, source, detect(source), Case::Fold);
        assert!(!sheet.has_errors(), "{}", source.name());
        let keywords = Keywords::of(&mut store);
        let domains = Domains::of(&store, &keywords, &sheet.clauses);
        domains.display(&store).to_string()
    });
}

/// Compares what `show` makes of every case of a folder with the snapshot beside it.
fn check(area: &str, show: impl Fn(&Source) -> String) {
    let folder = tests().join(area);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    let _guard = settings.bind_to_scope();
    for path in games_below(&folder) {
        let source = source(&path);
        let stem = path.file_stem().unwrap().to_str().unwrap();
        insta::assert_snapshot!(stem, show(&source));
    }
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn source(path: &Path) -> Source {
    let name = path.file_name().unwrap().to_str().unwrap();
    Source::from_bytes(name, std::fs::read(path).unwrap()).unwrap()
}

fn read(source: &Source, notation: Notation) -> RuleSheet {
    RuleSheet::read(&mut Store::new(), source, notation, Case::Fold)
}

/// `line severity code` of each message.
fn summary(source: &Source, diagnostics: &[Diagnostic]) -> Vec<String> {
    let lines = diagnostics.iter().map(|diagnostic| {
        let line = source.line(diagnostic.span);
        format!("{line}\t{}\t{}", diagnostic.severity, diagnostic.code)
    });
    lines.collect()
}

/// A table of `tests/gdl`: rows by their first column, without the heading.
fn table(name: &str) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(tests().join("gdl").join(name)).unwrap();
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let (first, rest) = line.split_once('\t').unwrap();
        rows.entry(first.to_owned())
            .or_default()
            .push(rest.to_owned());
    }
    rows
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn every_broken_sheet_gets_its_messages_and_no_others() {
    let sheets = games_below(&material("invalid"));
    let expected = table("invalid.tsv");
    for path in &sheets {
        let source = source(path);
        let found = summary(&source, &read(&source, Notation::Prefix).diagnostics);
        let rows = expected.get(source.name()).cloned().unwrap_or_default();
        let rows: Vec<String> = rows.into_iter().filter(|row| row != "-\tok\t-").collect();
        assert_eq!(found, rows, "{}", source.name());
    }
    assert_eq!(sheets.len(), expected.len(), "rows without a sheet");
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn every_game_of_the_collection_is_playable() {
    let folder = material("games");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in games_below(&folder) {
        let source = source(&path);
        let sheet = read(&source, Notation::Prefix);
        assert!(!sheet.has_errors(), "{}", path.display());
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for diagnostic in &sheet.diagnostics {
            *counts.entry(diagnostic.code.0).or_default() += 1;
        }
        for (code, count) in counts {
            found
                .entry(name.clone())
                .or_default()
                .push(format!("{code}\t{count}"));
        }
    }
    assert_eq!(found, table("warnings.tsv"));
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn every_game_of_the_collection_has_finite_domains() {
    for path in games_below(&material("games")) {
        let source = source(&path);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, Notation::Prefix, Case::Fold);
        let keywords = Keywords::of(&mut store);
        let domains = Domains::of(&store, &keywords, &sheet.clauses);
        assert_ne!(
            domains.fluents().size(),
            Size::Unbounded,
            "{}",
            path.display()
        );
        assert_ne!(
            domains.moves().size(),
            Size::Unbounded,
            "{}",
            path.display()
        );
    }
}

#[test]
fn examples_have_their_fault_and_corrections_do_not() {
    let has = |fault: &Fault, text: &str| {
        // What would fill a page is abridged in the table.
        let (open, close) = ("(or ".repeat(300), ")".repeat(300));
        let text = text.replace("(or … q)", &format!("{open}q{close}"));
        let source = Source::new(fault.code.0, text);
        let mut store = Store::new();
        let mut sheet = RuleSheet::read(&mut store, &source, Notation::Prefix, Case::Fold);
        let diagnostics = sheet.diagnostics.clone();
        // Examples are no whole games; what they lack is no reason not to look at what they have.
        sheet.diagnostics.clear();
        sheet.lint(&mut store, &source);
        sheet.diagnostics.extend(diagnostics);
        let mut own = sheet
            .diagnostics
            .iter()
            .filter(|one| one.code == fault.code);
        own.any(|one| one.severity == fault.severity)
    };
    for fault in FAULTS {
        assert!(has(fault, fault.example), "{} is not found", fault.code);
        assert!(
            !has(fault, fault.corrected),
            "{} is still there",
            fault.code
        );
    }
}

/// A fluent and a move with one name have values of their own, and what `base` and `input` list need be neither
/// reached nor legal.
#[test]
fn values_are_those_of_fluents_or_of_moves() {
    let impossible = |condition: &str| {
        let text = format!(
            "(role r) (base (at a)) (base (at z)) (input r (at c)) (input r (at y)) (init (at a))
            (legal r (at c)) (<= (next (at b)) (does r (at ?x))) (<= terminal (true (at b)))
            (<= (goal r 100) {condition})"
        );
        let source = Source::new("game", text);
        let mut store = Store::new();
        let mut sheet = RuleSheet::read(&mut store, &source, Notation::Prefix, Case::Fold);
        sheet.lint(&mut store, &source);
        let codes = sheet.diagnostics.iter().map(|one| one.code.0);
        codes.filter(|&code| code == "G0804").count()
    };
    for (condition, number) in [
        ("(true (at b))", 0),
        ("(true (at c))", 1),
        ("(init (at a))", 0),
        ("(init (at c))", 1),
        ("(legal r (at c))", 0),
        ("(legal r (at a))", 1),
        ("(base (at z))", 0),
        ("(input r (at y))", 0),
    ] {
        assert_eq!(impossible(condition), number, "{condition}");
    }
}

#[test]
fn documentation_of_codes_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    let expected = documentation();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        found, expected,
        "run the tests with UPDATE_DOCS=1 to write it anew"
    );
}

/// The whole of `docs/diagnostics.md`.
fn documentation() -> String {
    let mut text = String::from(
        "# Diagnostics\n\n\
         What `flux check` tells about the rules of a game, by code. Rules with an error cannot be \
         played; rules with warnings are played, though other programs may refuse or misread them. \
         `flux check --explain CODE` prints the entry of a code. This page is made from the tables \
         in the source; a test compares them.\n\n\
         | code | severity | fault |\n|---|---|---|\n",
    );
    for entry in SYNTAX_CODES {
        writeln!(text, "| {} | error | {} |", entry.code, entry.title).unwrap();
    }
    for fault in FAULTS.iter().copied().chain(flux::prove::faults()) {
        writeln!(
            text,
            "| {} | {} | {} |",
            fault.code, fault.severity, fault.title
        )
        .unwrap();
    }
    text.push_str("\n## Syntax\n");
    for entry in SYNTAX_CODES {
        let (code, title) = (entry.code, entry.title);
        // One example is a character that no page should contain.
        let example = entry.example.replace('\0', "\\0");
        write!(text, "\n**{code}: {title}**\n\n```text\n{example}\n```\n").unwrap();
    }
    text.push_str("\n## Rules of games\n");
    for fault in FAULTS.iter().copied().chain(flux::prove::faults()) {
        let (code, severity, title) = (fault.code, fault.severity, fault.title);
        let (explanation, example, corrected) = (fault.explanation, fault.example, fault.corrected);
        write!(
            text,
            "\n**{code} ({severity}): {title}**\n\n{explanation}\n\n```text\n{example}\n```\n\n\
             corrected:\n\n```text\n{corrected}\n```\n"
        )
        .unwrap();
    }
    text
}

#[test]
fn deep_and_wide_rules_are_checked_without_recursion() {
    const DEPTH: usize = 200_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    let texts = [
        format!("(<= p {})", nested("(not ", "q", ")")),
        format!("(<= p {})", nested("(or ", "q", ")")),
        format!("(p {})", nested("(f ", "a", ")")),
        format!("(<= (p {}) (p ?x))", nested("(f ", "?x", ")")),
        format!("(<= (p ?x) (p {}))", nested("(f ", "?x", ")")),
    ];
    for text in texts {
        let source = Source::new("deep", text);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, Notation::Prefix, Case::Fold);
        assert!(sheet.diagnostics.len() < 10);
        let keywords = Keywords::of(&mut store);
        let domains = Domains::of(&store, &keywords, &sheet.clauses);
        assert_eq!(domains.fluents().size(), Size::Finite(0));
    }
}

#[test]
fn messages_do_not_depend_on_the_run() {
    for path in games_below(&tests().join("gdl")) {
        let source = source(&path);
        let once = read(&source, detect(&source)).diagnostics;
        assert_eq!(once, read(&source, detect(&source)).diagnostics);
        let in_order = once
            .windows(2)
            .all(|pair| pair[0].span.start <= pair[1].span.start);
        assert!(in_order, "{}", source.name());
    }
}

#[test]
fn what_is_wrong_is_an_error_only_if_it_cannot_be_played() {
    let game = "(role r)\n(init p)\n(legal r a)\n(<= (next q) (true p))\n(goal r 100)\n";
    for (rest, severity) in [
        ("(<= terminal (true q))", None),
        (
            "(<= terminal (true q) (not (not (true p))))",
            Some(Severity::Warning),
        ),
        ("(<= terminal (true q) (or))", Some(Severity::Warning)),
        ("(<= terminal (not (true ?x)))", Some(Severity::Error)),
        ("(<= terminal (true ?x) ?x)", Some(Severity::Error)),
        ("(<= (terminal now) (true q))", Some(Severity::Error)),
    ] {
        let source = Source::new("game", format!("{game}{rest}"));
        let sheet = read(&source, Notation::Prefix);
        let worst = sheet.diagnostics.iter().map(|one| one.severity).min();
        assert_eq!(worst, severity, "{rest}");
    }
}

/// Runs `flux check`; gives the exit code and what was printed.
fn flux_check(arguments: &[&str]) -> (i32, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_flux"));
    let output = command
        .arg("check")
        .args(arguments)
        .current_dir(tests().join("gdl"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text)
}

#[test]
fn the_command_tells_verdicts_by_its_exit_code() {
    let good = "domains/step_counter.kif";
    let bad = "errors/unsafe_branch.kif";
    let (code, text) = flux_check(&[good]);
    assert_eq!(
        (code, text.as_str()),
        (0, "domains/step_counter.kif: ok (11 rules)\n")
    );
    let (code, text) = flux_check(&[good, bad]);
    assert_eq!(code, 3);
    assert!(text.ends_with("errors/unsafe_branch.kif: not playable (7 rules, 1 error)\n"));
    assert_eq!(flux_check(&["errors/no_such_file.kif"]).0, 3);
    assert_eq!(flux_check(&["--explain", "G9999"]).0, 3);
    let (code, text) = flux_check(&["--explain", "g0302"]);
    assert_eq!(code, 0);
    assert!(text.starts_with("G0302 (error): "));
}

#[test]
fn the_command_writes_one_line_of_json_a_game() {
    let files = ["domains/step_counter.kif", "errors/unsafe_branch.kif"];
    let (_, text) = flux_check(&["--format", "json", files[0], files[1]]);
    let verdicts: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(verdicts.len(), 2);
    assert_eq!(verdicts[0]["ok"], true);
    assert_eq!(verdicts[1]["file"], files[1]);
    assert_eq!(verdicts[1]["ok"], false);
    let fault = &verdicts[1]["diagnostics"][0];
    assert_eq!(fault["code"], "G0302");
    assert_eq!(fault["span"]["line"], 4);
    assert_eq!(fault["span"]["end_column"], 17);
}

/// A game with this many facts that stand in it twice.
fn repetitive(name: &str, number: usize) -> String {
    let game = "(role r)\n(init p)\n(legal r a)\n(<= (next q) (true p))\n(goal r 100)\n\
                (<= terminal (true q) (n 0))\n";
    let facts = (0..number).map(|n| format!("(n {n})\n"));
    let facts: String = facts.collect();
    let file = format!("{}/{name}.kif", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, format!("{game}{facts}{facts}")).unwrap();
    file
}

#[test]
fn many_warnings_of_a_kind_are_shown_in_part() {
    let file = repetitive("repetitive", 250);
    let (code, text) = flux_check(&[&file]);
    assert_eq!(code, 0);
    assert_eq!(text.matches("warning[G0509]").count(), 100);
    let more = "150 more warnings G0509 (the same sentence twice); --format json lists all\n";
    assert!(text.contains(more), "{text}");
    assert!(text.ends_with("ok (506 rules, 250 warnings)\n"), "{text}");
    let (_, text) = flux_check(&["--format", "json", &file]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(verdict["diagnostics"].as_array().unwrap().len(), 250);
    assert_eq!(verdict["more"], serde_json::json!({}));
}

#[test]
fn countless_warnings_of_a_kind_are_counted() {
    let file = repetitive("countless", 10_050);
    let (_, text) = flux_check(&[&file]);
    let more = "9950 more warnings G0509 (the same sentence twice); \
                --format json lists the first 10000\n";
    assert!(text.contains(more), "{text}");
    assert!(text.ends_with("10050 warnings)\n"), "{text}");
    let (_, text) = flux_check(&["--format", "json", &file]);
    let verdict: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(verdict["diagnostics"].as_array().unwrap().len(), 10_000);
    assert_eq!(verdict["more"], serde_json::json!({"G0509": 50}));
}

#[test]
fn a_text_that_cannot_be_read_has_a_verdict_too() {
    let binary = format!("{}/binary.kif", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&binary, [b'(', 0xff, 0xfe, 0x00]).unwrap();
    let latin = format!("{}/latin.kif", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&latin, b"(role x)\n; f\xfcr alle\n").unwrap();
    let empty = format!("{}/empty.kif", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&empty, "\n").unwrap();
    for (file, words) in [
        ("errors/no_such_file.kif", "cannot read"),
        ("errors", "is a directory"),
        (
            binary.as_str(),
            "binary.kif:1:2 is not text: the byte 0xFF behind `(`",
        ),
        (
            latin.as_str(),
            "latin.kif:2:4 is not text: the byte 0xFC behind `; f` is not valid UTF-8; a text in Latin-1",
        ),
        (empty.as_str(), "is empty"),
    ] {
        let (code, text) = flux_check(&["--format", "json", file, "domains/step_counter.kif"]);
        assert_eq!(code, 3);
        let mut lines = text.lines();
        let verdict: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        assert_eq!(
            (&verdict["file"], &verdict["ok"]),
            (&file.into(), &false.into())
        );
        let fault = &verdict["diagnostics"][0];
        assert!(fault["message"].as_str().unwrap().contains(words), "{text}");
        assert_eq!(fault["severity"], "error");
        assert!(fault["code"].is_null() && fault["span"].is_null());
        assert!(lines.next().unwrap().contains("\"ok\":true"));
    }
}
