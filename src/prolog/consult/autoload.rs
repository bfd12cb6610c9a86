//! Libraries that are loaded when a program first calls one of their predicates.
//!
//! Each text begins with the predicates that it is called by, `:- module(Name, [Name/Arity, ...])`, and has clauses only: no
//! directives and no grammar rules, since it is loaded while a program runs. Its private predicates have names that
//! begin with `$`. A predicate that the program has under a name of the library stays the program's own; inside the
//! library the name means that of the library.

use rustc_hash::FxHashMap;

use crate::prolog::consult::load::Load;
use crate::prolog::program::instruction::PredicateId;
use crate::prolog::state::machine::Machine;
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::syntax::{OperatorTable, PrologReader, SentenceKind, Source};
use crate::term::SymbolId;

const LIBRARIES: &[(&str, &str)] = &[
    (
        "aggregate",
        include_str!("../../../kb/library/aggregate.pl"),
    ),
    ("assoc", include_str!("../../../kb/library/assoc.pl")),
    ("control", include_str!("../../../kb/library/control.pl")),
    ("dates", include_str!("../../../kb/library/dates.pl")),
    (
        "debugging",
        include_str!("../../../kb/library/debugging.pl"),
    ),
    (
        "expansion",
        include_str!("../../../kb/library/expansion.pl"),
    ),
    ("files", include_str!("../../../kb/library/files.pl")),
    ("grammars", include_str!("../../../kb/library/grammars.pl")),
    ("graphs", include_str!("../../../kb/library/graphs.pl")),
    (
        "hashtables",
        include_str!("../../../kb/library/hashtables.pl"),
    ),
    ("heaps", include_str!("../../../kb/library/heaps.pl")),
    (
        "intercept",
        include_str!("../../../kb/library/intercept.pl"),
    ),
    ("lambda", include_str!("../../../kb/library/lambda.pl")),
    ("lists", include_str!("../../../kb/library/lists.pl")),
    ("main", include_str!("../../../kb/library/main.pl")),
    ("messages", include_str!("../../../kb/library/messages.pl")),
    ("nb_sets", include_str!("../../../kb/library/nb_sets.pl")),
    ("options", include_str!("../../../kb/library/options.pl")),
    ("random", include_str!("../../../kb/library/random.pl")),
    ("rbtrees", include_str!("../../../kb/library/rbtrees.pl")),
    ("reading", include_str!("../../../kb/library/reading.pl")),
    ("records", include_str!("../../../kb/library/records.pl")),
    (
        "sequences",
        include_str!("../../../kb/library/sequences.pl"),
    ),
    ("strings", include_str!("../../../kb/library/strings.pl")),
    ("terms", include_str!("../../../kb/library/terms.pl")),
    ("utf8", include_str!("../../../kb/library/utf8.pl")),
    (
        "varnumbers",
        include_str!("../../../kb/library/varnumbers.pl"),
    ),
];

/// Name and arity of a predicate.
type PredicateKey = (SymbolId, usize);

impl Machine {
    /// Loads the library of an unknown predicate; says whether there is one that was not loaded.
    pub(in crate::prolog) fn autoload(&mut self, name: SymbolId, arity: usize) -> bool {
        if self.consulted.unloaded.is_none() {
            let mut exports = FxHashMap::default();
            for (place, (_, text)) in LIBRARIES.iter().enumerate() {
                let keys = self.exports_of(&Source::new("library", *text));
                exports.extend(keys.into_iter().map(|key| (key, place)));
            }
            self.consulted.unloaded = Some(exports);
        }
        let exports = self.consulted.unloaded.as_mut();
        let found = exports.and_then(|exports| {
            let place = *exports.get(&(name, arity))?;
            let own = exports.extract_if(|_, &mut of| of == place);
            Some((place, own.map(|(key, _)| key).collect::<Vec<_>>()))
        });
        let Some((place, own)) = found else {
            return false;
        };
        let (name, text) = LIBRARIES[place];
        self.load_clauses(&Source::new(format!("library({name})"), text), &own);
        true
    }

    /// The predicates that a library is called by.
    fn exports_of(&mut self, source: &Source) -> Vec<PredicateKey> {
        let mut operators = OperatorTable::prolog();
        let mut reader = PrologReader::new(source);
        let Some(Ok(header)) = reader.next(&mut operators) else {
            return Vec::new();
        };
        let top = self.heap.cells.len();
        let header = self.load_node(reader.document(), source, header.head, &mut Vec::new());
        let list = self.heap.arguments(header).get(1).copied();
        let (items, _) = self.heap.read_list(list.unwrap_or(Cell::atom(atoms::NIL)));
        let mut keys = Vec::new();
        for item in items {
            if let Some((name, arity)) = self.heap.binary(item, atoms::SLASH)
                && let Some((name, 0)) = self.heap.functor(name)
            {
                keys.push((name, self.heap.deref(arity).small_value() as usize));
            }
        }
        self.heap.cells.truncate(top);
        keys
    }

    /// Loads the clauses of a library while a program runs, which keeps its own predicates of these names.
    fn load_clauses(&mut self, source: &Source, names: &[PredicateKey]) {
        let own: Vec<(PredicateKey, PredicateId)> = names
            .iter()
            .filter_map(|&key| Some((key, self.database.find(key.0, key.1)?)))
            .filter(|&(_, id)| self.database.get(id).is_known())
            .collect();
        for (key, _) in &own {
            self.database.by_name.remove(key);
        }
        let id = self.add_source(source);
        let mut load = Load::new(source, id);
        let mut operators = OperatorTable::prolog();
        let mut reader = PrologReader::new(source);
        let was_library = std::mem::replace(&mut self.consulted.is_library, true);
        while let Some(sentence) = reader.next(&mut operators) {
            let Ok(sentence) = sentence else {
                debug_assert!(false, "{} has faults: {sentence:?}", source.name());
                continue;
            };
            if sentence.kind == SentenceKind::Directive {
                continue;
            }
            let top = self.heap.cells.len();
            let (document, mut names) = (reader.document(), Vec::new());
            let head = self.load_node(document, source, sentence.head, &mut names);
            self.load_rule(&mut load, document, &sentence, head, &mut names);
            self.heap.cells.truncate(top);
        }
        self.consulted.is_library = was_library;
        let faults = &load.diagnostics;
        debug_assert!(
            faults.is_empty(),
            "{} has faults: {faults:?}",
            source.name()
        );
        for &id in &load.defined {
            self.database.get_mut(id).is_system = true;
        }
        for (key, id) in own {
            self.database.by_name.insert(key, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_define_what_they_say_and_nothing_that_is_always_there() {
        for (name, text) in LIBRARIES {
            let mut machine = Machine::new();
            let source = Source::new(*name, *text);
            let exports = machine.exports_of(&source);
            assert!(!exports.is_empty(), "{name}");
            let is_known = |machine: &Machine, (symbol, arity)| {
                let found = machine.database.find(symbol, arity);
                found.is_some_and(|id| machine.database.get(id).is_known())
            };
            for &key in &exports {
                let text = machine.heap.name(key.0);
                assert!(!is_known(&machine, key), "{name}: {text} is there anyway");
            }
            let always = machine.database.predicates.len();
            machine.load_clauses(&source, &exports);
            for &key in &exports {
                let text = machine.heap.name(key.0);
                assert!(is_known(&machine, key), "{name}: there is no {text}");
            }
            // Everything else that it defines is private.
            for predicate in &machine.database.predicates[always..] {
                let key = (predicate.name, predicate.arity);
                let text = machine.heap.name(key.0);
                let is_private = text.starts_with('$') || predicate.live == 0;
                assert!(exports.contains(&key) || is_private, "{name}: {text}");
            }
        }
    }
}
