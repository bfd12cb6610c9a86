//! The axioms of sample games, in words: `tests/fluent/<game>.text.snap` and `.latex.snap`.
//!
//! The games are those whose axioms the papers print or describe.

use std::path::Path;
use std::process::Command;

const GAMES: [&str; 6] = [
    "blocks_world",
    "incredible",
    "multiple_buttons_and_lights",
    "best_buttons_and_lights",
    "tic_tac_toe",
    "two_graphs",
];

#[test]
fn axioms_read_like_the_book() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root.join("tests/fluent"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.remove_input_file();
    let _guard = settings.bind_to_scope();
    for game in GAMES {
        for form in ["text", "latex"] {
            insta::assert_snapshot!(format!("{game}.{form}"), axioms(game, form));
        }
    }
}

#[test]
fn the_translation_is_deterministic() {
    for game in GAMES {
        assert_eq!(axioms(game, "json"), axioms(game, "json"), "{game}");
    }
}

/// What blocks world must come out as: Günther 2007, Example 2.2.
#[test]
fn blocks_world_is_the_example_of_the_book() {
    let text = axioms("blocks_world", "text").replace("\n     ", "");
    for axiom in [
        "Poss(S(x, y), z) ≡ Holds(Clear(x), z) ∧ Holds(Table(x), z) ∧ Holds(Clear(y), z) ∧ x ≠ y \
         ∧ ¬Terminal(z)",
        "Poss(U(x, y), z) ≡ Holds(Clear(x), z) ∧ Holds(On(x, y), z) ∧ ¬Terminal(z)",
        "Poss(S(x, y), s) ⊃ (∃u, v)(Holds(Step(u), s) ∧ Succ(u, v) ∧ State(Do(S(x, y), s)) = \
         State(s) − Table(x) ∘ Clear(y) ∘ Step(u) + On(x, y) ∘ Step(v))",
        "Poss(U(x, y), s) ⊃ (∃u, v)(Holds(Step(u), s) ∧ Succ(u, v) ∧ State(Do(U(x, y), s)) = \
         State(s) − On(x, y) ∘ Step(u) + Table(x) ∘ Clear(y) ∘ Step(v))",
        "Terminal(z) ≡ Holds(Step(4), z) ∨ (Holds(On(A, B), z) ∧ Holds(On(B, C), z))",
    ] {
        assert!(text.contains(axiom), "{axiom}\nis not in\n{text}");
    }
}

fn axioms(game: &str, form: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_flux"))
        .args(["translate", "--to", form])
        .arg(format!("kb/games/{game}.gdl"))
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}
