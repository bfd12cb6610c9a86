//! Leaves: the fluents and moves that a condition depends on, through all relations between.
//!
//! A leaf is found together with the instance of the condition for which it matters, so that it is
//! seen which arguments go together:
//!
//! ```text
//! (<= (open ?b) (true (cell ?b ?x ?y blank)))       open(B) depends on cell(B,_,_,blank)
//! ```
//!
//! This is the call graph of the condition, \[GST09, Definition 1\], with the unifiers kept.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::analysis::call_graph::{CallGraph, CallNode};
use crate::analysis::reading::{AtomKind, Reading};
use crate::term::{Substitution, TermId, rename};

/// Pairs of an instance of a condition and an atom below it; where there are more, it is only said
/// which atoms are below.
const MAX_PAIRS: usize = 1000;

/// A fluent or move that a condition depends on.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) atom: AtomKind,
    /// The rules on the way to it.
    pub(super) rules: Vec<usize>,
    /// Whether the leaf is a move, and the condition cannot hold unless this one is made or another
    /// that it depends on.
    pub(super) is_asked_for: bool,
    /// What the variables of the condition must be for the leaf to matter.
    pub(super) when: Substitution,
}

/// A leaf below an atom: both share their variables.
#[derive(Clone, Debug)]
struct Below {
    /// The instance of the atom.
    of: TermId,
    leaf: TermId,
    rules: Vec<usize>,
}

/// What atoms depend on, kept by atom.
#[derive(Default)]
pub(super) struct Leaves {
    known: FxHashMap<TermId, Vec<Below>>,
}

impl Leaves {
    /// The fluents and moves that an atom depends on, if variables are what is `given`. Variables that
    /// do not occur in the atom have numbers from `fresh` on, which is raised above them.
    pub(super) fn of_atom(
        &mut self,
        reading: &mut Reading<'_>,
        atom: TermId,
        given: &Substitution,
        fresh: &mut u32,
    ) -> Vec<Leaf> {
        let atom = given.apply(reading.store, atom);
        match reading.atom(atom) {
            AtomKind::Fact => return Vec::new(),
            kind @ (AtomKind::Fluent(_) | AtomKind::Move(..)) => {
                return vec![Leaf {
                    atom: kind,
                    rules: Vec::new(),
                    is_asked_for: true,
                    when: given.clone(),
                }];
            }
            AtomKind::Defined(_) => {}
        }
        let is_asked_for = reading.asks_for_move(atom);
        let leaves = self.below(reading, atom).into_iter().filter_map(|below| {
            // Renamed apart for each use, as they are kept in canonical variables.
            let offset = *fresh;
            let of = rename(reading.store, below.of, offset);
            let leaf = rename(reading.store, below.leaf, offset);
            let bound = reading.store.variable_bound(of);
            *fresh = bound.max(reading.store.variable_bound(leaf)).max(offset);
            let mut when = given.clone();
            if !when.unify(reading.store, atom, of) {
                return None;
            }
            let leaf = when.apply(reading.store, leaf);
            Some(Leaf {
                atom: reading.atom(leaf),
                rules: below.rules,
                is_asked_for,
                when,
            })
        });
        leaves.collect()
    }

    fn below(&mut self, reading: &mut Reading<'_>, atom: TermId) -> Vec<Below> {
        let canonical = reading.canonical(atom);
        let known = self.known.entry(canonical);
        known.or_insert_with(|| below(reading, canonical)).clone()
    }
}

/// The leaves below an atom whose variables are numbered from 0.
fn below(reading: &mut Reading<'_>, atom: TermId) -> Vec<Below> {
    related(reading, atom).unwrap_or_else(|| unrelated(reading, atom))
}

/// Pairs of an instance of the atom asked about and an atom below it, each with the pair and the
/// rule by which it was met.
type Pairs = IndexMap<(TermId, TermId), Option<(usize, usize)>, FxBuildHasher>;

/// The leaves with the instances for which they matter; nothing if that are too many.
fn related(reading: &mut Reading<'_>, atom: TermId) -> Option<Vec<Below>> {
    let mut pairs = Pairs::default();
    // SLD resolution over pairs: the instance of the atom asked about, and the atom that is reached.
    pairs.insert((atom, atom), None);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((&(of, current), _)) = pairs.get_index(at) {
        match reading.atom(current) {
            AtomKind::Fact => {}
            AtomKind::Fluent(_) | AtomKind::Move(..) => found.push(Below {
                of,
                leaf: current,
                rules: way(&pairs, at),
            }),
            AtomKind::Defined(functor) => {
                for rule in reading.definition(functor).to_vec() {
                    for pair in reading.resolve(rule, of, current) {
                        // Breadth first: the way by which a pair is met first is a shortest one.
                        pairs.entry(pair).or_insert(Some((at, rule)));
                    }
                }
                if pairs.len() > MAX_PAIRS {
                    return None;
                }
            }
        }
        at += 1;
    }
    Some(found)
}

fn way(pairs: &Pairs, mut at: usize) -> Vec<usize> {
    let mut rules = Vec::new();
    while let Some((before, rule)) = pairs[at] {
        rules.push(rule);
        at = before;
    }
    rules.reverse();
    rules
}

/// The leaves of the call graph, for whatever instance.
fn unrelated(reading: &mut Reading<'_>, atom: TermId) -> Vec<Below> {
    let graph = CallGraph::of(reading, atom);
    let ways = graph.ways();
    let offset = reading.store.variable_bound(atom);
    let mut found = Vec::new();
    for (place, &leaf) in graph.atoms.iter().enumerate() {
        if matches!(reading.atom(leaf), AtomKind::Fluent(_) | AtomKind::Move(..)) {
            let way = ways.to(CallNode(place as u32));
            found.push(Below {
                of: atom,
                // It shares no variable with the atom: which instances go together is not known here.
                leaf: rename(reading.store, leaf, offset),
                rules: way.iter().map(|call| call.rule).collect(),
            });
        }
    }
    found
}
