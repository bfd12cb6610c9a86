//! The relations of a game as predicates of a FLUX program: their names, what they depend on, and
//! which of them are tabled.
//!
//! A table has the whole state in its key, which costs more than most answers; so only relations
//! that depend on themselves have one.
//!
//! The rules of a game speak of the state by `true` and of the moves by `does`; the predicates of a
//! program are handed both. A relation gets the arguments that it needs, and no others:
//!
//! ```text
//! succ(U,V)    open      true(cell(X,Y,b))       supported(X) under does(R,drop(X))
//! succ(U,V)    open(Z)   holds(cell(X,Y,b), Z)   supported(X, Joint, Z)
//! ```

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::prolog::Machine;
use crate::term::{Clause, DependencyGraph, Functor, Store};

/// What a predicate of the program is handed besides the arguments of its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extra {
    Nothing,
    State,
    /// The joint move and the state.
    MovesAndState,
}

impl Extra {
    fn arity(self) -> u32 {
        match self {
            Extra::Nothing => 0,
            Extra::State => 1,
            Extra::MovesAndState => 2,
        }
    }
}

/// A relation as a predicate of the program.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub(super) name: String,
    pub(super) extra: Extra,
    pub(super) arity: u32,
    /// It depends on itself; plain resolution need not end.
    pub(super) is_tabled: bool,
    /// The program's own definition takes the place of one that systems come with.
    pub(super) replaces_another: bool,
}

/// The predicates of a program.
#[derive(Clone, Debug)]
pub(super) struct Relations {
    predicates: IndexMap<Functor, Predicate, FxBuildHasher>,
}

/// The words of the language that are predicates of every program.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProgramWords {
    pub(super) role: Functor,
    pub(super) state: Functor,
    pub(super) moves: Functor,
    pub(super) legal: Functor,
    pub(super) next: Functor,
    pub(super) terminal: Functor,
    pub(super) goal: Functor,
}

impl ProgramWords {
    pub(super) fn of(store: &mut Store) -> Self {
        let mut functor = |name: &str, arity| Functor {
            symbol: store.symbol(name),
            arity,
        };
        Self {
            role: functor("role", 1),
            state: functor("true", 1),
            moves: functor("does", 2),
            legal: functor("legal", 2),
            next: functor("next", 1),
            terminal: functor("terminal", 0),
            goal: functor("goal", 2),
        }
    }
}

/// Predicates of the kernel, of the interface, and of libraries that programs call.
const RESERVED: [(&str, u32); 18] = [
    ("abolish_all_tables", 0),
    ("goal", 3),
    ("holds", 2),
    ("holds", 3),
    ("init", 1),
    ("legal", 3),
    ("member", 2),
    ("memberchk", 2),
    ("minus", 3),
    ("negative_effect", 3),
    ("plus", 3),
    ("positive_effect", 3),
    ("poss", 2),
    ("poss", 3),
    ("role", 1),
    ("state_update", 3),
    ("terminal", 1),
    ("update", 4),
];

/// A helper of the kernel, and predicates by which SWI-Prolog lets programs change how it works.
const HOOKS: [(&str, u32); 8] = [
    ("exception", 3),
    ("expand_term", 2),
    ("goal_expansion", 2),
    ("goal_expansion", 4),
    ("portray", 1),
    ("term_expansion", 2),
    ("term_expansion", 4),
    ("without", 3),
];

/// Predicates that SWI-Prolog keeps to itself and this project's machine does not have.
const SWI_PROLOG: [(&str, u32); 42] = [
    ("at_end_of_stream", 0),
    ("at_end_of_stream", 1),
    ("char_conversion", 2),
    ("close", 1),
    ("close", 2),
    ("current_char_conversion", 2),
    ("current_input", 1),
    ("current_output", 1),
    ("get_byte", 1),
    ("get_byte", 2),
    ("get_char", 1),
    ("get_char", 2),
    ("get_code", 1),
    ("get_code", 2),
    ("message_queue_create", 2),
    ("message_queue_destroy", 1),
    ("mutex_create", 2),
    ("mutex_destroy", 1),
    ("mutex_lock", 1),
    ("mutex_trylock", 1),
    ("mutex_unlock", 1),
    ("numbervars", 3),
    ("open", 3),
    ("open", 4),
    ("peek_byte", 1),
    ("peek_byte", 2),
    ("peek_char", 1),
    ("peek_char", 2),
    ("peek_code", 1),
    ("peek_code", 2),
    ("phrase", 2),
    ("phrase", 3),
    ("put_byte", 1),
    ("put_byte", 2),
    ("put_char", 1),
    ("put_char", 2),
    ("read_term", 3),
    ("set_input", 1),
    ("set_output", 1),
    ("set_stream_position", 2),
    ("stream_property", 2),
    ("write_term", 3),
];

/// What precedes the name of a relation that the program has another meaning for.
const OWN: &str = "game_";

impl Relations {
    /// Names the relations that `clauses` define and call.
    pub(super) fn of(store: &Store, words: &ProgramWords, clauses: &[Clause]) -> Self {
        let graph = DependencyGraph::of(store, clauses);
        let of_moves = graph.dependents([words.moves, words.next]);
        let of_state = graph.dependents([words.state, words.legal, words.terminal, words.goal]);
        let mut names = FreeNames::new();
        let mut predicates = IndexMap::default();
        for &predicate in graph.predicates() {
            let is_question = [words.legal, words.terminal, words.goal].contains(&predicate);
            // What players ask is about a state, even where the rules of a game ask it of no state.
            let extra = if is_question {
                Extra::State
            } else if of_moves.contains(&predicate) {
                Extra::MovesAndState
            } else if of_state.contains(&predicate) {
                Extra::State
            } else {
                Extra::Nothing
            };
            let arity = predicate.arity + extra.arity();
            let name = store.name(predicate.symbol);
            let name = if is_question || predicate == words.role {
                name.to_owned()
            } else {
                names.choose(name, arity)
            };
            let named = Predicate {
                extra,
                arity,
                is_tabled: graph.is_recursive(predicate),
                replaces_another: names.is_of_system(&name, arity),
                name,
            };
            predicates.insert(predicate, named);
        }
        Self { predicates }
    }

    /// The predicate for a relation.
    pub(super) fn get(&self, relation: Functor) -> Option<&Predicate> {
        self.predicates.get(&relation)
    }

    /// All relations with their predicates, in order of first occurrence.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Functor, &Predicate)> {
        self.predicates
            .iter()
            .map(|(&relation, predicate)| (relation, predicate))
    }
}

/// Chooses names that mean nothing else.
struct FreeNames {
    machine: Machine,
    /// Names with their arity that are in use.
    taken: FxHashSet<(String, u32)>,
}

impl FreeNames {
    fn new() -> Self {
        let reserved = RESERVED.iter().chain(&HOOKS).chain(&SWI_PROLOG);
        Self {
            machine: Machine::new(),
            taken: reserved
                .map(|&(name, arity)| (name.to_owned(), arity))
                .collect(),
        }
    }

    /// The name itself, or the next one after it that is free.
    fn choose(&mut self, wanted: &str, arity: u32) -> String {
        let mut name = wanted.to_owned();
        while self.is_taken(&name, arity) {
            name.insert_str(0, OWN);
        }
        self.taken.insert((name.clone(), arity));
        name
    }

    /// Whether systems come with a predicate of this name.
    fn is_of_system(&mut self, name: &str, arity: u32) -> bool {
        let symbol = self.machine.store_mut().symbol(name);
        self.machine.is_system(Functor { symbol, arity })
    }

    fn is_taken(&mut self, name: &str, arity: u32) -> bool {
        let symbol = self.machine.store_mut().symbol(name);
        !self.machine.may_define(Functor { symbol, arity })
            || self.taken.contains(&(name.to_owned(), arity))
    }
}
