//! Names that a solver reads: what is an identifier stays, all else gets a name that no symbol of the game has.

use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::gdl::answer_sets::relations::Relations;
use crate::gdl::keyword::Keywords;
use crate::syntax::infix_names;
use crate::term::{Clause, Functor, Literal, Store, SymbolId, Term, TermId};

/// What the program defines beside the rules of the game: its constant, and relations.
const RESERVED: [&str; 7] = [
    "moves", "time", "goes_on", "playing", "end", "over", "several",
];

/// The variable of the time.
const TIME: &str = "T";

/// A relation of the program: its name in the game, and its arguments there.
type Relation = (Functor, bool);

/// How the program calls what the game has.
pub(super) struct SolverNames {
    reserved: [String; RESERVED.len()],
    /// Functions whose name is no identifier.
    functions: IndexMap<SymbolId, String, FxBuildHasher>,
    /// Relations that cannot keep their name; those with a time have an argument more.
    relations: IndexMap<Relation, String, FxBuildHasher>,
    /// The old name of everything that got another one, and the new one.
    renamed: Vec<(String, String)>,
}

impl SolverNames {
    pub(super) fn of(
        store: &Store,
        keywords: &Keywords,
        clauses: &[Clause],
        relations: &Relations,
    ) -> Self {
        let symbols = symbols(store, clauses);
        let mut taken: IndexSet<String, FxBuildHasher> = IndexSet::default();
        taken.extend(symbols.keys().map(|&symbol| store.name(symbol).to_owned()));
        let reserved = RESERVED.map(|name| fresh(name, &mut taken));
        let mut names = Self {
            reserved,
            functions: IndexMap::default(),
            relations: IndexMap::default(),
            renamed: Vec::new(),
        };
        for (&symbol, &is_function) in &symbols {
            let name = store.name(symbol);
            if is_function && !is_identifier(name) {
                let other = fresh(&escaped(name), &mut taken);
                names.functions.insert(symbol, other);
            }
        }
        // A relation with a time could meet one of the same name without, and one argument more.
        let mut heads: IndexSet<(String, u32), FxBuildHasher> = IndexSet::default();
        for &relation in &relations.needed {
            let is_timed = relations.timed.contains(&relation);
            let arity = relation.arity + u32::from(is_timed);
            // `p/2` with a time and `p/3` without would both be `p/3`.
            let own = names.function(store, relation.symbol).to_owned();
            let is_keyword = keywords.predicate(relation).is_some();
            if !heads.insert((own.clone(), arity)) && !is_keyword {
                let other = fresh(&own, &mut taken);
                names.relations.insert((relation, is_timed), other);
            }
        }
        for (&symbol, other) in &names.functions {
            names
                .renamed
                .push((store.name(symbol).to_owned(), other.clone()));
        }
        for (&(relation, _), other) in &names.relations {
            let own = format!("{}/{}", store.name(relation.symbol), relation.arity);
            names.renamed.push((own, other.clone()));
        }
        names
    }

    /// The program's own names: its constant, then time, goes_on, playing, end, over, several.
    pub(super) fn reserved(&self) -> [&str; RESERVED.len()] {
        self.reserved.each_ref().map(String::as_str)
    }

    /// Comment lines that say what is called otherwise; empty if nothing is.
    pub(super) fn renamed(&self) -> String {
        let lines = self.renamed.iter();
        let lines = lines.map(|(old, new)| format!("% {new} is {old} in the rules of the game.\n"));
        lines.collect()
    }

    /// Names for the variables of a clause, by number.
    pub(super) fn variables<'n>(&self, written: impl Iterator<Item = &'n str>) -> Vec<String> {
        infix_names(written, &[TIME, "_"])
    }

    /// What a symbol is called in front of arguments.
    pub(super) fn function<'a>(&'a self, store: &'a Store, symbol: SymbolId) -> &'a str {
        let other = self.functions.get(&symbol);
        other.map_or_else(|| store.name(symbol), String::as_str)
    }

    /// What a relation is called.
    pub(super) fn relation<'a>(
        &'a self,
        store: &'a Store,
        relation: Functor,
        is_timed: bool,
    ) -> &'a str {
        let other = self.relations.get(&(relation, is_timed));
        other.map_or_else(|| self.function(store, relation.symbol), String::as_str)
    }

    /// Writes terms as arguments, with the time behind them if there is one.
    pub(super) fn arguments(
        &self,
        store: &Store,
        terms: &[TermId],
        variables: &[String],
        time: Option<&str>,
    ) -> String {
        if terms.is_empty() && time.is_none() {
            return String::new();
        }
        let mut text = String::from("(");
        // A stack: what is written last is pushed first.
        let mut tasks = vec![Piece::Text(")")];
        tasks.extend(time.map(Piece::Text));
        if time.is_some() && !terms.is_empty() {
            tasks.push(Piece::Text(","));
        }
        push_list(terms, &mut tasks);
        while let Some(task) = tasks.pop() {
            let term = match task {
                Piece::Text(piece) => {
                    text.push_str(piece);
                    continue;
                }
                Piece::Term(term) => term,
            };
            match store.view(term) {
                Term::Variable(number) => text.push_str(&variables[number as usize]),
                Term::Compound(symbol, arguments) => {
                    text.push_str(self.function(store, symbol));
                    text.push('(');
                    tasks.push(Piece::Text(")"));
                    push_list(arguments, &mut tasks);
                }
                Term::Atom(symbol) | Term::Text(symbol) | Term::Big(symbol) => {
                    constant(store.name(symbol), &mut text)
                }
                Term::Integer(value) => integer(value, &mut text),
                Term::Float(value) => constant(&format!("{value:?}"), &mut text),
            }
        }
        text
    }
}

/// What is left to write.
enum Piece<'t> {
    Term(TermId),
    Text(&'t str),
}

/// Puts terms with commas between them on the stack of what is left to write.
fn push_list(terms: &[TermId], tasks: &mut Vec<Piece<'_>>) {
    for (index, &term) in terms.iter().enumerate().rev() {
        tasks.push(Piece::Term(term));
        if index > 0 {
            tasks.push(Piece::Text(","));
        }
    }
}

/// Integers of solvers have 32 bits; larger ones are names.
fn integer(value: i64, text: &mut String) {
    match i32::try_from(value) {
        Ok(value) => text.push_str(&value.to_string()),
        Err(_) => constant(&value.to_string(), text),
    }
}

/// Names that are no identifiers are strings, which differ from all identifiers.
fn constant(name: &str, text: &mut String) {
    if is_identifier(name) {
        text.push_str(name);
        return;
    }
    text.push('"');
    for character in name.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            other => text.push(other),
        }
    }
    text.push('"');
}

/// All symbols of the atoms of the clauses, in order of discovery, each with whether it stands in front of arguments
/// or is a relation.
fn symbols(store: &Store, clauses: &[Clause]) -> IndexMap<SymbolId, bool, FxBuildHasher> {
    let mut symbols = IndexMap::default();
    let mut note = |term: TermId, is_atom: bool| {
        if let Some(functor) = store.functor(term) {
            *symbols.entry(functor.symbol).or_default() |= is_atom || functor.arity > 0;
        }
    };
    let mut seen: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
    let mut open: Vec<TermId> = Vec::new();
    for clause in clauses {
        for (atom, is_atom) in atoms(store, clause) {
            note(atom, is_atom);
            open.extend(store.arguments(atom).iter().rev());
        }
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                note(term, false);
                open.extend(store.arguments(term).iter().rev());
            }
        }
    }
    symbols
}

/// The head of a clause, the atoms of its body, and the terms that it compares, which are no atoms.
fn atoms(store: &Store, clause: &Clause) -> Vec<(TermId, bool)> {
    let mut found = vec![(clause.head, true)];
    let mut open: Vec<TermId> = clause.body.iter().rev().copied().collect();
    while let Some(term) = open.pop() {
        match Literal::of(store, term) {
            Literal::Not(inner) => open.push(inner),
            Literal::And(parts) | Literal::Or(parts) => open.extend(parts.iter().rev()),
            Literal::Distinct(one, other) => found.extend([(one, false), (other, false)]),
            Literal::Call(atom) => found.push((atom, true)),
        }
    }
    found
}

/// Whether a solver reads a name as a constant or function: `not` is its own.
fn is_identifier(name: &str) -> bool {
    let mut characters = name.trim_start_matches('_').chars();
    let first = characters.next();
    first.is_some_and(|first| first.is_ascii_lowercase())
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name != "not"
}

/// An identifier that reminds of a name: what may not stand in one becomes its code point.
fn escaped(name: &str) -> String {
    let mut other = String::from("s_");
    for character in name.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => other.push(character),
            odd => {
                // Writing to a string cannot fail.
                let _ = write!(other, "_{:x}_", odd as u32);
            }
        }
    }
    other
}

/// The name, or the first of it with a number that is not taken; it is then.
fn fresh(name: &str, taken: &mut IndexSet<String, FxBuildHasher>) -> String {
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    let free = candidates.find(|candidate| !taken.contains(candidate));
    let free = free.unwrap_or_else(|| unreachable!("there are more numbers than names"));
    taken.insert(free.clone());
    free
}
