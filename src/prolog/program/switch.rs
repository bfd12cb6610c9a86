//! Where a call begins: for the key of its first argument, the first clause that may match and the place of the next.
//!
//! Most predicates are static and have few clauses. What a call of such a predicate finds out by a scan, the first
//! clause and whether another one may match, depends on the key of the first argument alone; so it is found out once
//! for each key, when the predicate is first called:
//!
//! ```text
//! app([], L, L).                         unbound   -> clause 0, next 1
//! app([X|L], M, [X|N]) :- app(L, M, N).  []        -> clause 0          list -> clause 1
//!                                        otherwise -> no clause
//! ```
//!
//! Source: `switch_on_term` of [AK91], as a table beside the code.

use crate::prolog::program::chain::{Chain, ChainId};
use crate::prolog::program::instruction::{BACKTRACK, Pc};
use crate::prolog::program::key::Key;

/// What a call with some key does first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The code of the first clause that may match, [`BACKTRACK`] if there is none.
    pub(crate) code: Pc,
    /// The position of the next one in the chain.
    pub(crate) next: Option<i32>,
}

/// The starts of the calls of a predicate.
#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) chain: ChainId,
    pub(crate) arity: usize,
    /// Of a call whose first argument is unbound, or that has none.
    pub(crate) unbound: Start,
    /// By the keys of first arguments of clauses; empty if no clause has one.
    pub(crate) keys: Box<[(Key, Start)]>,
    /// Of a call with a key that no clause has: clauses with a variable there may match.
    pub(crate) otherwise: Start,
}

impl Switch {
    /// The switch of a predicate with these clauses.
    pub(crate) fn new(id: ChainId, chain: &Chain, arity: usize) -> Self {
        let mut keys: Vec<(Key, Start)> = Vec::new();
        for entry in chain.iter() {
            let is_known = keys.iter().any(|&(key, _)| key == entry.key);
            if entry.key != Key::VARIABLE && !is_known {
                keys.push((entry.key, start(chain, |key| entry.key.may_match(key))));
            }
        }
        Self {
            chain: id,
            arity,
            unbound: start(chain, |_| true),
            keys: keys.into_boxed_slice(),
            otherwise: start(chain, |key| key == Key::VARIABLE),
        }
    }

    /// The start of a call with this key.
    #[inline(always)]
    pub(crate) fn start(&self, key: Key) -> Start {
        if key == Key::VARIABLE {
            return self.unbound;
        }
        for &(candidate, start) in &self.keys {
            if candidate == key {
                return start;
            }
        }
        self.otherwise
    }
}

/// The first clause of a chain whose key passes a test, and the next one.
fn start(chain: &Chain, matches: impl Fn(Key) -> bool) -> Start {
    let places = chain.start()..chain.start() + chain.len() as i32;
    let mut found = places
        .filter_map(|position| chain.get(position).map(|entry| (position, entry)))
        .filter(|(_, entry)| matches(entry.key));
    let code = found.next().map_or(BACKTRACK, |(_, entry)| entry.code);
    let next = found.next().map(|(position, _)| position);
    Start { code, next }
}
