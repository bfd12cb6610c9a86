//! Reading: cases in `tests/syntax`, broken texts in `tests/syntax/errors`, hostile texts.
//!
//! The notation of a case is told by its extension: `.kif` prefix, `.gdl` infix, `.pl` Prolog. The
//! snapshot of a case of GDL is its text in both notations, that of a Prolog program its clauses
//! without operators; the snapshot of a broken text is the rendered messages.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use flux::cli::render::{Style, render};
use flux::syntax::{
    Code, Diagnostic, MAX_SYNTAX_DIAGNOSTICS, Notation, OperatorTable, SYNTAX_CODES, Source, parse,
    parse_term, print,
};

use crate::collection::material;

#[test]
fn accepted() {
    insta::glob!("../syntax", "*.{kif,gdl,pl}", |path| check_case(
        path,
        |source, notation| {
            let parsed = parse(source, notation);
            assert_eq!(parsed.diagnostics, [], "{}", source.name());
            let show = |target| print(&parsed.document, source, target);
            match notation {
                Notation::Prolog => show(Notation::Prolog),
                Notation::Prefix | Notation::Infix => format!(
                    "{}\n----- infix\n{}",
                    show(Notation::Prefix),
                    show(Notation::Infix)
                ),
            }
        }
    ));
}

/// Two cases of one name would share a snapshot.
#[test]
fn cases_have_names_of_their_own() {
    for folder in ["tests/syntax", "tests/syntax/errors"] {
        let mut stems = BTreeSet::new();
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap()
        {
            let path = entry.unwrap().path();
            if path.is_file() && path.extension().is_none_or(|extension| extension != "snap") {
                let stem = path.file_stem().unwrap().to_owned();
                assert!(stems.insert(stem), "{}", path.display());
            }
        }
    }
}

#[test]
fn rejected() {
    insta::glob!("../syntax/errors", "*.{kif,gdl,pl}", |path| check_case(
        path,
        |source, notation| {
            let diagnostics = parse(source, notation).diagnostics;
            assert_ne!(diagnostics, [], "{} should be rejected", source.name());
            rendered(source, &diagnostics)
        }
    ));
}

/// Compares what `show` makes of a case with the snapshot beside it.
fn check_case(path: &Path, show: impl Fn(&Source, Notation) -> String) {
    let file = path.file_name().unwrap().to_str().unwrap();
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let source = Source::from_bytes(file, std::fs::read(path).unwrap()).unwrap();
    assert!(
        source.text().contains(file),
        "{file} should begin with its name"
    );
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(stem, show(&source, notation_of(path))));
}

fn notation_of(path: &Path) -> Notation {
    match path.extension().unwrap().to_str().unwrap() {
        "kif" => Notation::Prefix,
        "gdl" => Notation::Infix,
        _ => Notation::Prolog,
    }
}

fn rendered(source: &Source, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        writeln!(text, "{}\n", render(source, diagnostic, Style::Plain)).unwrap();
    }
    text
}

/// Faults of the material's `invalid` that are faults of syntax: file, code, and where.
const INVALID: &[(&str, &str, (u32, u32))] = &[
    ("gdlval_badparens1", "S0001", (1, 5)),
    ("gdlval_badparens2", "S0002", (1, 9)),
    ("gdlval_badparens3", "S0002", (2, 7)),
    ("gdlval_badparens4", "S0004", (1, 4)),
    ("gdlval_badparens5", "S0004", (1, 3)),
    ("own_empty_list", "S0003", (7, 1)),
    ("own_list_as_relation", "S0004", (7, 13)),
    ("own_unbalanced_close", "S0002", (7, 29)),
    ("own_variable_as_relation", "S0005", (7, 13)),
    ("own_variable_toplevel", "S0006", (7, 1)),
];

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn faults_of_the_collection_are_found_where_they_are() {
    let entries = std::fs::read_dir(material("invalid")).unwrap();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "kif") {
            continue;
        }
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let source = Source::from_bytes(stem, std::fs::read(&path).unwrap()).unwrap();
        let found = parse(&source, Notation::Prefix).diagnostics;
        let first = found.first().map(|fault| {
            let position = source.position(fault.span.start);
            (fault.code.to_string(), (position.line, position.column))
        });
        let expected = INVALID
            .iter()
            .find(|(name, _, _)| *name == stem)
            .map(|(_, code, place)| ((*code).to_owned(), *place));
        assert_eq!(first, expected, "{stem}");
    }
}

/// The table of codes is documentation, so its examples must show what they say.
#[test]
fn every_code_has_an_example_that_shows_it() {
    for described in SYNTAX_CODES {
        if ["S0013", "S0014", "S0099"].contains(&described.code.0) {
            continue; // too large for a table
        }
        let source = Source::new("example", described.example);
        let shown = [Notation::Prefix, Notation::Infix, Notation::Prolog]
            .into_iter()
            .any(|notation| {
                let faults = parse(&source, notation).diagnostics;
                faults.len() == 1 && faults[0].code == described.code
            });
        assert!(shown, "{}", described.code);
    }
}

#[test]
fn one_missing_parenthesis_is_one_fault() {
    let text = "(role r)\n(<= (p ?x) (q ?x)\n(<= (q ?x) (r ?x))\n()\n(init (a b\n(r 1)\n";
    let source = Source::new("test", text);
    let parsed = parse(&source, Notation::Prefix);
    let places: Vec<(Code, u32)> = parsed
        .diagnostics
        .iter()
        .map(|fault| (fault.code, source.line(fault.span)))
        .collect();
    assert_eq!(
        places,
        [(Code("S0001"), 2), (Code("S0003"), 4), (Code("S0001"), 5)]
    );
    assert_eq!(parsed.document.sentences().len(), 3);
}

#[test]
fn terms_are_read_alone() {
    let operators = OperatorTable::prolog();
    let read = |text: &str, notation| {
        let source = Source::new("query", text);
        parse_term(&source, notation, &operators)
            .map(|(document, node)| document.functor(&source, node).into_owned())
            .map_err(|faults| faults[0].code)
    };
    assert_eq!(read("(p ?x)", Notation::Prefix), Ok("p".to_owned()));
    assert_eq!(
        read("(p ?x) (q ?x)", Notation::Prefix),
        Ok("and".to_owned())
    );
    assert_eq!(read("5", Notation::Prefix), Ok("5".to_owned()));
    assert_eq!(read("p(X), ~q(X)", Notation::Infix), Ok("and".to_owned()));
    assert_eq!(read("p(X).", Notation::Infix), Ok("p".to_owned()));
    assert_eq!(read("X = f(Y), p", Notation::Prolog), Ok(",".to_owned()));
    assert_eq!(read("p.", Notation::Prolog), Ok("p".to_owned()));
    for notation in [Notation::Prefix, Notation::Infix, Notation::Prolog] {
        assert_eq!(read(" ", notation), Err(Code("S0021")));
    }
    assert_eq!(read("p. q.", Notation::Prolog), Err(Code("S0020")));
    assert_eq!(read("(p", Notation::Prefix), Err(Code("S0001")));
}

/// A text that nobody writes by hand is read or refused, quickly and with few words.
#[test]
fn hostile_texts() {
    const DEEP: usize = 1_000_000;
    let all = [Notation::Prefix, Notation::Infix, Notation::Prolog];
    let prolog_like = [Notation::Infix, Notation::Prolog];
    let closed = |open: &str, close: &str| open.repeat(DEEP) + "a" + &close.repeat(DEEP);
    let sound = [
        (closed("(p ", ")"), &all[..1]),
        (closed("p(", ")") + ".", &all[1..]),
        (closed("(", ")") + ".", &all[1..]),
        (closed("[", "]") + ".", &all[2..]),
        (
            "p :- ".to_owned() + &"\\+ ".repeat(DEEP) + "a.",
            &prolog_like,
        ),
        (
            "p :- ".to_owned() + &"a, ".repeat(DEEP) + "a.",
            &prolog_like,
        ),
        (closed("1 - (", ")") + ".", &all[2..]),
    ];
    for (text, notations) in &sound {
        for &notation in *notations {
            let source = Source::new("deep", text.as_str());
            let parsed = parse(&source, notation);
            assert_eq!(parsed.diagnostics, [], "{notation:?} {}", &text[..20]);
            let printed = print(&parsed.document, &source, notation);
            assert!(!printed.is_empty());
        }
    }
    let broken = [
        "(".repeat(DEEP),
        "(".repeat(10 * DEEP),
        ")".repeat(DEEP),
        "()".repeat(DEEP),
        "p(".repeat(DEEP),
        "[{(".repeat(DEEP),
        "\0 ".repeat(DEEP),
        "'\n".repeat(DEEP),
        "/*".repeat(DEEP),
        closed("(p ", ")") + ".",
        closed("p(,", ")") + ".",
        closed("(", "]"),
        "/**/ ".repeat(DEEP) + "(",
        "p(".to_owned() + &"_, _x, ".repeat(DEEP) + ".",
        "?".to_owned() + &"x".repeat(DEEP),
        "(?".to_owned() + &"x".repeat(DEEP) + " a)",
        "X".repeat(DEEP) + "(a) :- p.",
        "p 'a b".to_owned() + &"x".repeat(DEEP) + "' q.",
    ];
    for text in &broken {
        for notation in all {
            let source = Source::new("broken", text.as_str());
            let start = Instant::now();
            let diagnostics = parse(&source, notation).diagnostics;
            assert!(diagnostics.len() <= MAX_SYNTAX_DIAGNOSTICS + 1);
            for diagnostic in &diagnostics {
                let message = render(&source, diagnostic, Style::Plain);
                assert!(message.len() < 5000, "{notation:?} {message}");
            }
            assert!(start.elapsed() < Duration::from_secs(20));
        }
    }
}
