//! Games made up from bytes: the shape is always that of a game, so that every input gets as far as
//! the evaluator, which mutated text seldom does.
#![no_main]

#[path = "../../tests/suite/laws.rs"]
#[allow(dead_code, unreachable_pub)]
mod laws;

use std::fmt::Write as _;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = game(&mut Choices { bytes, at: 0 });
    assert_eq!(laws::game_laws(&text), Ok(()), "{text}");
});

/// Choices read off the input, byte for byte; all zero behind its end.
struct Choices<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Choices<'_> {
    fn of(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(byte) % count
    }

    fn left(&self) -> bool {
        self.at < self.bytes.len()
    }
}

const CONSTANTS: [&str; 6] = ["a", "b", "0", "100", "r", "s"];
const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?u"];
/// Predicates of the game with their numbers of arguments.
const DERIVED: [(&str, usize); 6] = [
    ("p", 1),
    ("q", 2),
    ("e", 2),
    ("t", 1),
    ("line", 3),
    ("open", 0),
];

fn game(choices: &mut Choices) -> String {
    let mut text = "(role r)\n".to_owned();
    if choices.of(3) == 0 {
        text.push_str("(role s)\n");
    }
    while choices.left() && text.len() < 4000 {
        rule(choices, &mut text);
    }
    // What every game must have.
    text.push_str("(init (f a))\n(p a)\n(q a b)\n(e a b)\n(t a)\n(line a b a)\n");
    text.push_str("(<= open (true (f a)))\n(<= (legal ?r (m a)) (role ?r) (true ?f))\n");
    text.push_str("(<= (next (f b)) (does r ?m))\n(<= (goal ?r 50) (role ?r))\n");
    text.push_str("(<= terminal (true (g b b)))\n");
    text
}

fn rule(choices: &mut Choices, text: &mut String) {
    let head = choices.of(12);
    let body = choices.of(5);
    text.push_str(if body > 0 { "(<= " } else { "" });
    match head {
        0 => wrap(text, "init", |text| fluent(choices, text)),
        1 | 2 => wrap(text, "next", |text| fluent(choices, text)),
        3 => wrap(text, "legal", |text| role_and(choices, text, mv)),
        4 => wrap(text, "goal", |text| role_and(choices, text, term)),
        5 if body > 0 => text.push_str("terminal"),
        _ => atom(choices, text),
    }
    for _ in 0..body {
        text.push(' ');
        condition(choices, text, 0);
    }
    text.push_str(if body > 0 { ")\n" } else { "\n" });
}

fn condition(choices: &mut Choices, text: &mut String, depth: usize) {
    match choices.of(if depth < 3 { 16 } else { 10 }) {
        0..=3 => atom(choices, text),
        4..=6 => wrap(text, "true", |text| fluent(choices, text)),
        7 => wrap(text, "does", |text| role_and(choices, text, mv)),
        8 => wrap(text, "role", |text| term(choices, text)),
        9 => wrap(text, "distinct", |text| {
            term(choices, text);
            text.push(' ');
            term(choices, text);
        }),
        10 | 11 => wrap(text, "not", |text| condition(choices, text, depth + 1)),
        12 | 13 => wrap(text, "or", |text| {
            for _ in 0..=choices.of(3) {
                text.push(' ');
                condition(choices, text, depth + 1);
            }
        }),
        14 => wrap(text, "and", |text| {
            for _ in 0..=choices.of(3) {
                text.push(' ');
                condition(choices, text, depth + 1);
            }
        }),
        _ => wrap(text, "true", |text| term(choices, text)),
    }
}

fn wrap(text: &mut String, name: &str, inside: impl FnOnce(&mut String)) {
    let _ = write!(text, "({name} ");
    inside(text);
    text.push(')');
}

fn role_and(choices: &mut Choices, text: &mut String, more: fn(&mut Choices, &mut String)) {
    text.push_str(["r", "s", "?r", "?x"][choices.of(4)]);
    text.push(' ');
    more(choices, text);
}

fn atom(choices: &mut Choices, text: &mut String) {
    let (name, arity) = DERIVED[choices.of(DERIVED.len())];
    compound(choices, text, name, arity);
}

fn fluent(choices: &mut Choices, text: &mut String) {
    let (name, arity) = [("f", 1), ("g", 2), ("h", 0)][choices.of(3)];
    compound(choices, text, name, arity);
}

fn mv(choices: &mut Choices, text: &mut String) {
    let (name, arity) = [("m", 1), ("noop", 0)][choices.of(2)];
    compound(choices, text, name, arity);
}

fn compound(choices: &mut Choices, text: &mut String, name: &str, arity: usize) {
    if arity == 0 {
        text.push_str(name);
        return;
    }
    wrap(text, name, |text| {
        for number in 0..arity {
            text.push_str(if number > 0 { " " } else { "" });
            term(choices, text);
        }
    });
}

fn term(choices: &mut Choices, text: &mut String) {
    match choices.of(10) {
        0..=5 => text.push_str(VARIABLES[choices.of(VARIABLES.len())]),
        6..=8 => text.push_str(CONSTANTS[choices.of(CONSTANTS.len())]),
        _ => wrap(text, "k", |text| {
            text.push_str(VARIABLES[choices.of(VARIABLES.len())]);
        }),
    }
}
