//! Hash-consed terms: every distinct term exists once, and equality is equality of ids.
//!
//! Rules are evaluated by comparing, hashing and copying terms; with one id a term each of these
//! is one word, however large the term. Terms are built bottom-up from terms that exist, so a
//! deep term needs no recursion to build, compare or drop. Variables are terms too, numbered
//! within their clause from 0, which makes variants that are numbered in order of occurrence
//! equal by id.
//!
//! Example: `f(a, X)` is `store.compound(f, &[store.atom(a), store.variable(0)])`.

use std::hash::{BuildHasher, Hash, Hasher};

use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::term::places::{Places, Tag};
use crate::term::symbol::{SymbolId, Symbols};

/// A term of a [`Store`]. Ids are dense, from 0, in order of creation; a term's arguments have
/// smaller ids than the term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The term with this index; meaningful only for indices obtained from [`TermId::index`].
    pub fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

/// What a term is, one level deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term<'s> {
    /// The n-th variable of its clause.
    Variable(u32),
    /// A symbol without arguments.
    Atom(SymbolId),
    /// A whole number of 64 bits.
    Integer(i64),
    /// A whole number beyond 64 bits, as its decimal digits behind its sign (Prolog only).
    Big(SymbolId),
    /// A number with fraction (Prolog only).
    Float(f64),
    /// Text in double quotes (Prolog only).
    Text(SymbolId),
    /// A functor with at least one argument.
    Compound(SymbolId, &'s [TermId]),
}

/// Name and number of arguments of a predicate or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Functor {
    /// The name.
    pub symbol: SymbolId,
    /// The number of arguments.
    pub arity: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Head {
    Variable(u32),
    Atom(SymbolId),
    Integer(i64),
    Big(SymbolId),
    /// The bits of the number; all NaN are one.
    Float(u64),
    Text(SymbolId),
    Compound(SymbolId),
}

#[derive(Clone, Copy, Debug)]
struct StoredTerm {
    head: Head,
    /// Where the arguments start in `Store::arguments`.
    start: u32,
    arity: u32,
    /// One more than the largest variable number in the term; 0 for a ground term.
    variables: u32,
}

/// All terms in use, with their symbols.
#[derive(Clone, Debug, Default)]
pub struct Store {
    symbols: Symbols,
    entries: Vec<StoredTerm>,
    arguments: Vec<TermId>,
    /// Ids by content.
    places: Places,
}

impl Store {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// The table of names.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The id of a name.
    pub fn symbol(&mut self, name: &str) -> SymbolId {
        self.symbols.intern(name)
    }

    /// The name behind a symbol.
    pub fn name(&self, symbol: SymbolId) -> &str {
        self.symbols.name(symbol)
    }

    /// Number of terms; ids run from 0 to this.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The variable with this number.
    pub fn variable(&mut self, number: u32) -> TermId {
        self.intern(Head::Variable(number), &[])
    }

    /// The symbol as a term.
    pub fn atom(&mut self, symbol: SymbolId) -> TermId {
        self.intern(Head::Atom(symbol), &[])
    }

    /// The symbol of this name as a term.
    pub fn constant(&mut self, name: &str) -> TermId {
        let symbol = self.symbol(name);
        self.atom(symbol)
    }

    /// A whole number as a term.
    pub fn integer(&mut self, value: i64) -> TermId {
        self.intern(Head::Integer(value), &[])
    }

    /// A whole number beyond 64 bits as a term, from its decimal digits: `-` in front of a negative one, no zero in
    /// front of the digits.
    pub fn big_integer(&mut self, digits: SymbolId) -> TermId {
        self.intern(Head::Big(digits), &[])
    }

    /// A number with fraction as a term.
    pub fn float(&mut self, value: f64) -> TermId {
        // Equal ids are equal terms, so that NaN, which differs from itself, must have one form of its many.
        let bits = if value.is_nan() {
            f64::NAN.to_bits()
        } else {
            value.to_bits()
        };
        self.intern(Head::Float(bits), &[])
    }

    /// Text in double quotes as a term.
    pub fn text(&mut self, symbol: SymbolId) -> TermId {
        self.intern(Head::Text(symbol), &[])
    }

    /// A functor with arguments; without arguments it is the atom.
    pub fn compound(&mut self, symbol: SymbolId, arguments: &[TermId]) -> TermId {
        if arguments.is_empty() {
            // `p` and `p()` are one term.
            return self.atom(symbol);
        }
        self.intern(Head::Compound(symbol), arguments)
    }

    /// The compound with these parts, if it exists.
    pub fn find_compound(&self, symbol: SymbolId, arguments: &[TermId]) -> Option<TermId> {
        let head = if arguments.is_empty() {
            Head::Atom(symbol)
        } else {
            Head::Compound(symbol)
        };
        self.find(tag(head, arguments), head, arguments)
    }

    /// What a term is, one level deep.
    pub fn view(&self, id: TermId) -> Term<'_> {
        let entry = &self.entries[id.index()];
        match entry.head {
            Head::Variable(number) => Term::Variable(number),
            Head::Atom(symbol) => Term::Atom(symbol),
            Head::Integer(value) => Term::Integer(value),
            Head::Big(digits) => Term::Big(digits),
            Head::Float(bits) => Term::Float(f64::from_bits(bits)),
            Head::Text(symbol) => Term::Text(symbol),
            Head::Compound(symbol) => Term::Compound(symbol, self.arguments(id)),
        }
    }

    /// The arguments of a compound; none for all other terms.
    pub fn arguments(&self, id: TermId) -> &[TermId] {
        let entry = &self.entries[id.index()];
        &self.arguments[entry.start as usize..(entry.start + entry.arity) as usize]
    }

    /// Name and arity of an atom or compound.
    pub fn functor(&self, id: TermId) -> Option<Functor> {
        let entry = &self.entries[id.index()];
        match entry.head {
            Head::Atom(symbol) | Head::Compound(symbol) => Some(Functor {
                symbol,
                arity: entry.arity,
            }),
            Head::Variable(_)
            | Head::Integer(_)
            | Head::Float(_)
            | Head::Big(_)
            | Head::Text(_) => None,
        }
    }

    /// Whether the term has no variable.
    pub fn is_ground(&self, id: TermId) -> bool {
        self.entries[id.index()].variables == 0
    }

    /// One more than the largest variable number in the term; 0 for a ground term.
    pub fn variable_bound(&self, id: TermId) -> u32 {
        self.entries[id.index()].variables
    }

    /// The numbers of the variables of a term, in order of first occurrence, each once.
    pub fn variables(&self, id: TermId) -> Vec<u32> {
        let mut found = Vec::new();
        self.any_variable(id, |number| {
            if !found.contains(&number) {
                found.push(number);
            }
            false
        });
        found
    }

    /// Whether a variable of a term passes a test, made in order of occurrence until one does.
    pub fn any_variable(&self, id: TermId, mut test: impl FnMut(u32) -> bool) -> bool {
        if self.is_ground(id) {
            return false;
        }
        // What is left of the arguments of the terms around.
        let mut open: SmallVec<[std::slice::Iter<'_, TermId>; 8]> = SmallVec::new();
        let mut term = id;
        loop {
            match self.view(term) {
                Term::Variable(number) if test(number) => return true,
                Term::Compound(_, arguments) => open.push(arguments.iter()),
                Term::Variable(_)
                | Term::Atom(_)
                | Term::Integer(_)
                | Term::Float(_)
                | Term::Big(_)
                | Term::Text(_) => {}
            }
            term = loop {
                let Some(arguments) = open.last_mut() else {
                    return false;
                };
                // Ground parts have no variables, and in a state most parts are ground.
                match arguments.find(|&&argument| !self.is_ground(argument)) {
                    Some(&argument) => break argument,
                    None => drop(open.pop()),
                }
            };
        }
    }

    fn find(&self, tag: Tag, head: Head, arguments: &[TermId]) -> Option<TermId> {
        let is = |place: usize| self.is(TermId(place as u32), head, arguments);
        self.places.find(tag, is).map(|place| TermId(place as u32))
    }

    #[inline]
    fn is(&self, id: TermId, head: Head, arguments: &[TermId]) -> bool {
        self.entries[id.index()].head == head && self.arguments(id) == arguments
    }

    fn intern(&mut self, head: Head, arguments: &[TermId]) -> TermId {
        let tag = tag(head, arguments);
        if let Some(id) = self.find(tag, head, arguments) {
            return id;
        }
        let id = TermId(self.entries.len() as u32);
        // Kept with the term, so that whether it is ground is one load.
        let inner = arguments
            .iter()
            .map(|&argument| self.variable_bound(argument))
            .max()
            .unwrap_or(0);
        let variables = if let Head::Variable(number) = head {
            number + 1
        } else {
            inner
        };
        // All arguments of all terms lie in one vector, in the order in which the terms were made.
        let start = self.arguments.len() as u32;
        self.arguments.extend_from_slice(arguments);
        self.entries.push(StoredTerm {
            head,
            start,
            arity: arguments.len() as u32,
            variables,
        });
        self.places.insert(tag, id.index());
        id
    }
}

fn tag(head: Head, arguments: &[TermId]) -> Tag {
    let mut hasher = FxBuildHasher.build_hasher();
    head.hash(&mut hasher);
    // Arguments are ids of terms that are unique already: their content need not be hashed again.
    for argument in arguments {
        hasher.write_u32(argument.0);
    }
    Tag::of(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one() {
        let mut store = Store::new();
        let (f, a, x) = (store.symbol("f"), store.constant("a"), store.variable(0));
        let one = store.compound(f, &[a, x]);
        let other = store.compound(f, &[a, x]);
        assert_eq!(one, other);
        assert!(!store.is_ground(one));
        assert_eq!(store.variables(one), vec![0]);
        assert_ne!(store.integer(1), store.constant("1"));
    }
}
