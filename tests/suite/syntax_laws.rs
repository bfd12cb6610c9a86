//! Laws of reading and printing, on random documents and on the collection of games.

use flux::syntax::{Notation, PrintOptions, Source, detect, parse, print, print_with};
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::prop_oneof;
use proptest::test_runner::Config;

use crate::collection::{material, sample_games};
use crate::laws::{read_everything, round_trip};

fn config() -> Config {
    Config {
        cases: 256,
        failure_persistence: None,
        ..Config::default()
    }
}

/// Terms of prefix notation, with odd names.
fn prefix_term() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        "[a-z][a-z0-9_]{0,3}",
        "[!-'*-:<->@-~][!-'*-:<-~]{0,4}",
        Just("not".to_owned()),
        Just("or".to_owned()),
        Just("and".to_owned()),
        Just("distinct".to_owned()),
        Just("true".to_owned()),
        Just("é".to_owned()),
    ]
    .prop_filter("a rule", |name| name != "<=");
    let leaf = prop_oneof![name.clone(), "-?[0-9]{1,20}", "\\?[a-zA-Z_0-9+?]{1,2}",];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        (name.clone(), proptest::collection::vec(inner, 0..4))
            .prop_map(|(name, arguments)| format!("({name} {})", arguments.join(" ")))
    })
}

fn prefix_sentence() -> impl Strategy<Value = String> {
    let head = prefix_term().prop_filter("an atom", |term| !term.starts_with('?'));
    let body = proptest::collection::vec(prefix_term(), 0..4);
    let gap = prop_oneof![
        Just("\n"),
        Just("\n\n\n"),
        Just(" "),
        Just("\r\r\n"),
        Just(" ;; end\r"),
        Just("\n; own line ( \"\n\n"),
    ];
    (head, body, any::<bool>(), gap).prop_map(|(head, body, rule, gap)| {
        if rule {
            format!("(<= {head}{gap}{}){gap}", body.join(gap))
        } else {
            format!("{head}{gap}")
        }
    })
}

fn prefix_document() -> impl Strategy<Value = String> {
    proptest::collection::vec(prefix_sentence(), 0..6).prop_map(|sentences| sentences.concat())
}

fn infix_term() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        "[a-z][a-zA-Z0-9_]{0,3}",
        Just("'a+b'".to_owned()),
        Just("'it''s'".to_owned()),
        Just("not".to_owned()),
        Just("or".to_owned()),
        Just("'\\x41\\'".to_owned()),
    ];
    let leaf = prop_oneof![name.clone(), "-?[1-9][0-9]{0,3}", "[A-Z_][a-z0-9_]{0,2}",];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        (name.clone(), proptest::collection::vec(inner, 1..4))
            .prop_map(|(name, arguments)| format!("{name}({})", arguments.join(",")))
    })
}

fn infix_condition() -> impl Strategy<Value = String> {
    let atom = infix_term().prop_filter("an atom", |term| {
        !term.starts_with(|c: char| c.is_uppercase() || c == '_' || c == '-' || c.is_numeric())
    });
    let leaf = prop_oneof![
        atom,
        (infix_term(), infix_term()).prop_map(|(left, right)| format!("{left} \\= {right}")),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| format!("~({inner})")),
            inner.clone().prop_map(|inner| format!("not ({inner})")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} | {r})")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} & {r})")),
            (inner.clone(), inner).prop_map(|(l, r)| format!("or({l}, ({r}))")),
        ]
    })
}

fn infix_document() -> impl Strategy<Value = String> {
    let head = infix_term().prop_filter("an atom", |term| {
        term.starts_with(|c: char| c.is_lowercase()) && !term.starts_with("not")
    });
    let body = proptest::collection::vec(infix_condition(), 0..3);
    let end = prop_oneof![
        Just(".\n"),
        Just("\n"),
        Just(". % end\n\n"),
        Just(".\n/* block\n * two */\n"),
    ];
    let sentence = (head, body, end).prop_map(|(head, body, end)| {
        let text = if body.is_empty() {
            head
        } else {
            format!("{head} :- {}", body.join(" &\n  "))
        };
        // Without a dot, an operator at the end would take what follows as its operand.
        let end = if text.ends_with("not") { ".\n" } else { end };
        format!("{text}{end}")
    });
    proptest::collection::vec(sentence, 0..5).prop_map(|sentences| sentences.concat())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn prefix_documents_survive(text in prefix_document()) {
        let source = Source::new("random", text);
        for target in [Notation::Prefix, Notation::Infix] {
            let result = round_trip(&source, Notation::Prefix, target);
            prop_assert!(result.is_ok(), "{target:?} {}", result.unwrap_err());
        }
    }

    #[test]
    fn infix_documents_survive(text in infix_document()) {
        let source = Source::new("random", text);
        for target in [Notation::Prefix, Notation::Infix] {
            let result = round_trip(&source, Notation::Infix, target);
            prop_assert!(result.is_ok(), "{target:?} {}", result.unwrap_err());
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        read_everything(&text);
    }

    #[test]
    fn any_text_of_our_characters_is_read_or_refused(
        text in "[()\\[\\]{}a-cA-C0-3_?<=:\\-.,|;&~'\"`\\\\/*%+ \n\r\tx]{0,60}"
    ) {
        read_everything(&text);
    }

    #[test]
    fn faults_come_in_order_and_inside_of_the_text(text in "[()<=?a;\n \\[\\]'.,:-]{0,40}") {
        for notation in [Notation::Prefix, Notation::Infix, Notation::Prolog] {
            let source = Source::new("random", text.as_str());
            let faults = parse(&source, notation).diagnostics;
            prop_assert!(faults.is_sorted_by_key(|fault| fault.span.start));
            for fault in faults {
                prop_assert!(fault.span.start <= fault.span.end);
                prop_assert!(fault.span.end as usize <= text.len());
                prop_assert_eq!(source.text().get(fault.span.range()).is_some(), true);
            }
        }
    }
}

#[test]
fn case_is_kept_on_demand() {
    let source = Source::new("case", "(Role Robot)");
    let document = parse(&source, Notation::Prefix).document;
    let options = PrintOptions {
        notation: Notation::Prefix,
        case: flux::syntax::Case::Keep,
    };
    assert_eq!(print_with(&document, &source, options), "(Role Robot)\n");
    assert_eq!(
        print(&document, &source, Notation::Prefix),
        "(role robot)\n"
    );
}

#[test]
fn the_sample_games_are_read_and_survive() {
    for path in sample_games() {
        let bytes = std::fs::read(&path).unwrap();
        let source = Source::from_bytes(path.display().to_string(), bytes).unwrap();
        let notation = detect(&source);
        for target in [Notation::Prefix, Notation::Infix] {
            let result = round_trip(&source, notation, target);
            assert_eq!(result, Ok(()), "{}", path.display());
        }
    }
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn the_collection_is_read_and_survives() {
    let sources = std::fs::read_dir(material("games")).unwrap();
    let mut games = 0;
    for source in sources
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
    {
        for path in std::fs::read_dir(source)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.extension().is_none_or(|extension| extension != "kif") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let source = Source::from_bytes(path.display().to_string(), bytes).unwrap();
            assert_eq!(detect(&source), Notation::Prefix, "{}", path.display());
            for target in [Notation::Prefix, Notation::Infix] {
                let result = round_trip(&source, Notation::Prefix, target);
                assert_eq!(result, Ok(()), "{}", path.display());
            }
            let infix = print(
                &parse(&source, Notation::Prefix).document,
                &source,
                Notation::Infix,
            );
            assert_eq!(detect(&Source::new("infix", infix)), Notation::Infix);
            games += 1;
        }
    }
    assert!(games >= 320, "only {games} games");
}
