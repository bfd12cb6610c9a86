//! Any text as prefix GDL: parse, print, parse again.
#![no_main]

#[path = "../../tests/suite/laws.rs"]
#[allow(dead_code, unreachable_pub)]
mod laws;

use flux::syntax::Notation;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    assert_eq!(laws::syntax_laws(text, Notation::Prefix), Ok(()));
});
