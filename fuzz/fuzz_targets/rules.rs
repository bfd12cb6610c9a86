//! Any text as the rules of a game: validate, prepare, play a few moves.
#![no_main]

#[path = "../../tests/suite/laws.rs"]
#[allow(dead_code, unreachable_pub)]
mod laws;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    assert_eq!(laws::game_laws(text), Ok(()), "{text}");
});
