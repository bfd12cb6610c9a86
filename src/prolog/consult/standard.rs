//! Which predicates of the system a program may replace: all but those of the standard.

use crate::prolog::program::instruction::PredicateId;
use crate::prolog::state::machine::Machine;
use crate::term::SymbolId;

impl Machine {
    /// Lets a program define or declare a predicate that is part of the library, or built in
    /// without being part of the standard: the program's own takes its place.
    pub(in crate::prolog) fn take_over(&mut self, name: SymbolId, arity: usize) {
        if self.consulted.is_library {
            return;
        }
        let Some(id) = self.database.find(name, arity) else {
            return;
        };
        if !self.is_replaceable(id) {
            return;
        }
        self.database.shadow(&mut self.heap.store, id);
    }

    /// Whether a predicate is the system's, and a program may have one of its own in its place: all but those of the
    /// standard.
    pub(in crate::prolog) fn is_replaceable(&self, id: PredicateId) -> bool {
        let predicate = self.database.get(id);
        predicate.is_system && {
            let name = self.heap.name(predicate.name);
            !name.starts_with('$') && !STANDARD.contains(&(name, predicate.arity))
        }
    }
}

/// The predicates of the standard, with those of its corrigenda, and the control constructs of tabling. Programs may not
/// replace them; of all others of the system they may have their own.
const STANDARD: &[(&str, usize)] = &[
    // Control.
    ("true", 0),
    ("fail", 0),
    ("false", 0),
    ("call", 1),
    ("call", 2),
    ("call", 3),
    ("call", 4),
    ("call", 5),
    ("call", 6),
    ("call", 7),
    ("call", 8),
    ("!", 0),
    (",", 2),
    (";", 2),
    ("|", 2),
    ("->", 2),
    ("*->", 2),
    ("catch", 3),
    ("throw", 1),
    ("\\+", 1),
    ("once", 1),
    ("repeat", 0),
    ("halt", 0),
    ("halt", 1),
    (":", 2),
    ("table", 1),
    ("tnot", 1),
    ("undefined", 0),
    // Terms.
    ("=", 2),
    ("\\=", 2),
    ("unify_with_occurs_check", 2),
    ("subsumes_term", 2),
    ("var", 1),
    ("nonvar", 1),
    ("atom", 1),
    ("number", 1),
    ("integer", 1),
    ("float", 1),
    ("atomic", 1),
    ("compound", 1),
    ("callable", 1),
    ("ground", 1),
    ("is_list", 1),
    ("@=<", 2),
    ("@<", 2),
    ("@>", 2),
    ("@>=", 2),
    ("==", 2),
    ("\\==", 2),
    ("compare", 3),
    ("functor", 3),
    ("arg", 3),
    ("=..", 2),
    ("copy_term", 2),
    ("term_variables", 2),
    // Arithmetic.
    ("is", 2),
    ("=:=", 2),
    ("=\\=", 2),
    ("<", 2),
    ("=<", 2),
    (">", 2),
    (">=", 2),
    // Clauses and solutions.
    ("clause", 2),
    ("current_predicate", 1),
    ("asserta", 1),
    ("assertz", 1),
    ("retract", 1),
    ("retractall", 1),
    ("abolish", 1),
    ("findall", 3),
    ("bagof", 3),
    ("setof", 3),
    ("^", 2),
    ("sort", 2),
    ("keysort", 2),
    // Text.
    ("atom_length", 2),
    ("atom_concat", 3),
    ("sub_atom", 5),
    ("atom_chars", 2),
    ("atom_codes", 2),
    ("char_code", 2),
    ("number_chars", 2),
    ("number_codes", 2),
    // Streams, operators, flags.
    ("current_input", 1),
    ("current_output", 1),
    ("set_input", 1),
    ("set_output", 1),
    ("open", 3),
    ("open", 4),
    ("close", 1),
    ("close", 2),
    ("flush_output", 0),
    ("flush_output", 1),
    ("stream_property", 2),
    ("at_end_of_stream", 0),
    ("at_end_of_stream", 1),
    ("set_stream_position", 2),
    ("get_char", 1),
    ("get_char", 2),
    ("peek_char", 1),
    ("peek_char", 2),
    ("put_char", 1),
    ("put_char", 2),
    ("nl", 0),
    ("nl", 1),
    ("get_code", 1),
    ("get_code", 2),
    ("peek_code", 1),
    ("peek_code", 2),
    ("put_code", 1),
    ("put_code", 2),
    ("get_byte", 1),
    ("get_byte", 2),
    ("peek_byte", 1),
    ("peek_byte", 2),
    ("put_byte", 1),
    ("put_byte", 2),
    ("read_term", 2),
    ("read_term", 3),
    ("read", 1),
    ("read", 2),
    ("write_term", 2),
    ("write_term", 3),
    ("write", 1),
    ("write", 2),
    ("writeq", 1),
    ("writeq", 2),
    ("write_canonical", 1),
    ("write_canonical", 2),
    ("op", 3),
    ("current_op", 3),
    ("char_conversion", 2),
    ("current_char_conversion", 2),
    ("set_prolog_flag", 2),
    ("current_prolog_flag", 2),
    // Grammars.
    ("phrase", 2),
    ("phrase", 3),
];
