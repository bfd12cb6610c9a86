//! All predicates of the machine itself: deterministic functions and control predicates.

use crate::prolog::builtin::definition::{Builtin, Effect};
use crate::prolog::builtin::{
    assert, atoms, character_types, characters, declare, format, lists, proof, read, state,
    streams, terms, write,
};
use crate::prolog::program::instruction::BuiltinId;
use crate::prolog::program::predicate::{Control, PredicateKind};
use crate::prolog::state::machine::{Function, Machine};

/// All built-in predicates; their places are their numbers.
fn all() -> impl Iterator<Item = &'static Builtin> {
    [
        terms::BUILTINS,
        atoms::BUILTINS,
        assert::BUILTINS,
        declare::BUILTINS,
        lists::BUILTINS,
        state::BUILTINS,
        write::BUILTINS,
        format::BUILTINS,
        read::BUILTINS,
        proof::BUILTINS,
        streams::BUILTINS,
        characters::BUILTINS,
        character_types::BUILTINS,
    ]
    .into_iter()
    .flatten()
}

/// For each built-in whether it only tests.
pub(in crate::prolog) fn tests() -> Vec<bool> {
    all().map(|row| row.2 == Effect::Tests).collect()
}

/// The functions, by number.
pub(in crate::prolog) fn functions() -> Vec<Function> {
    all().map(|row| row.3).collect()
}

const CONTROLS: &[(&str, usize, Control)] = &[
    (",", 2, Control::Construct),
    (";", 2, Control::Construct),
    ("|", 2, Control::Construct),
    ("->", 2, Control::Construct),
    ("*->", 2, Control::Construct),
    ("!", 0, Control::Construct),
    ("\\+", 1, Control::Not),
    ("not", 1, Control::Not),
    ("tnot", 1, Control::Not),
    ("not_exists", 1, Control::Not),
    ("$findall", 3, Control::Findall),
    ("catch", 3, Control::Catch),
    ("undefined", 0, Control::Undefined),
    ("$call_cut", 2, Control::CallWithCut),
    ("$call_cleanup", 2, Control::Cleanup),
    ("$clause_scan", 4, Control::ClauseScan),
];

/// Enters the built-in predicates into a new machine.
pub(in crate::prolog) fn define(machine: &mut Machine) {
    for (number, row) in all().enumerate() {
        let kind = PredicateKind::Builtin(BuiltinId(number as u16));
        define_one(machine, row.0, row.1, kind);
    }
    for &(name, arity, control) in CONTROLS {
        define_one(machine, name, arity, PredicateKind::Control(control));
    }
}

fn define_one(machine: &mut Machine, name: &str, arity: usize, kind: PredicateKind) {
    let name = machine.heap.store.symbol(name);
    let id = machine.database.predicate(name, arity);
    let predicate = machine.database.get_mut(id);
    predicate.kind = kind;
    predicate.is_system = true;
}
