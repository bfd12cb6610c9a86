//! Links between fluents and actions, read off the axioms: the raw material of every dependency
//! graph, whatever its level of detail.
//!
//! A state update axiom says which fluents an action adds and takes away; a precondition axiom,
//! and the conditions of a state update axiom, which fluents it looks at, directly or through
//! relations that the rules define. An effect of every joint move is one of every action.
//!
//! Source: \[G07, Algorithm 3.1\], steps 2 and 3; the potential effects and preconditions of
//! \[GST09, Definitions 2 and 3\].

use rustc_hash::FxHashMap;

use crate::analysis::call_graph::{CallGraph, CallNode};
use crate::analysis::reading::{Atom, Reading};
use crate::analysis::tautology::without_tautologies;
use crate::fluent::{Alternative, Condition, Effect, GameAxioms, Sign};
use crate::term::{Sign as CallSign, TermId};

/// What a fluent and an action have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// The fluent is a potential precondition of the action, \[GST09, Definition 3\].
    Precondition,
    /// The fluent is a potential positive effect of the action, \[GST09, Definition 2\].
    PositiveEffect,
    /// The fluent is a potential negative effect of the action, \[GST09, Definition 2\].
    NegativeEffect,
}

impl From<Sign> for Relation {
    fn from(sign: Sign) -> Self {
        match sign {
            Sign::Negative => Relation::NegativeEffect,
            Sign::Positive => Relation::PositiveEffect,
        }
    }
}

/// A fluent and an action have to do with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) relation: Relation,
    pub(super) fluent: TermId,
    /// None: every action.
    pub(super) action: Option<TermId>,
    /// The rules that say so, by index: those of the axiom, then those on the way from it to the
    /// fluent.
    pub(super) rules: Vec<usize>,
}

/// All that the axioms link.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    pub(super) links: Vec<Link>,
    /// Fluents that change whatever is done, each with one that a condition of the change looks at.
    pub(super) sources: Vec<(TermId, TermId)>,
    /// Preconditions that make no difference, see [`without_tautologies`].
    pub(super) tautologies: Vec<Link>,
}

impl Links {
    /// Reads the links off the axioms of a game.
    pub(super) fn of(reading: &mut Reading<'_>, axioms: &GameAxioms) -> Self {
        let mut links = Links::default();
        let mut lookup = Lookup::default();
        for effect in &axioms.effects {
            links.add_effect(reading, &mut lookup, effect);
        }
        for axiom in &axioms.preconditions {
            let (kept, dropped) = without_tautologies(&axiom.alternatives);
            links.links.extend(preconditions(reading, &mut lookup, axiom.action, &kept));
            let idle = preconditions(reading, &mut lookup, axiom.action, &dropped);
            links.tautologies.extend(idle);
        }
        links
    }

    fn add_effect(&mut self, reading: &mut Reading<'_>, lookup: &mut Lookup, effect: &Effect) {
        let mut looked_at = Vec::new();
        let moves = effect.moves.iter();
        let mut causes: Vec<Option<TermId>> = moves.map(|&(_, mv)| Some(mv)).collect();
        for condition in &effect.conditions {
            for found in lookup.reached(reading, condition) {
                match found.atom {
                    // That a fluent which goes was there is no condition of its going.
                    Atom::Fluent(fluent) if fluent != effect.fluent => {
                        looked_at.push((fluent, found.rules));
                    }
                    Atom::Move(_, mv) => {
                        causes.push(Some(mv));
                        // Whoever does not make the move brings the effect about.
                        causes.extend((!found.is_positive).then_some(None));
                    }
                    Atom::Fluent(_) | Atom::Fact | Atom::Defined(_) => {}
                }
            }
        }
        if causes.is_empty() {
            let sources = looked_at.iter().map(|&(fluent, _)| (effect.fluent, fluent));
            self.sources.extend(sources);
            causes.push(None);
        }
        for action in causes {
            let link = |relation, fluent, way: &[usize]| Link {
                relation,
                fluent,
                action,
                rules: [&effect.clauses[..], way].concat(),
            };
            self.links.push(link(effect.sign.into(), effect.fluent, &[]));
            let conditions = looked_at.iter();
            self.links.extend(
                conditions.map(|(fluent, way)| link(Relation::Precondition, *fluent, way)),
            );
        }
    }
}

/// The fluents that the alternatives of a precondition axiom look at.
fn preconditions(
    reading: &mut Reading<'_>,
    lookup: &mut Lookup,
    action: TermId,
    alternatives: &[Alternative],
) -> Vec<Link> {
    let mut links = Vec::new();
    for alternative in alternatives {
        for condition in &alternative.conditions {
            for found in lookup.reached(reading, condition) {
                if let Atom::Fluent(fluent) = found.atom {
                    links.push(Link {
                        relation: Relation::Precondition,
                        fluent,
                        action: Some(action),
                        rules: [&[alternative.rule][..], &found.rules].concat(),
                    });
                }
            }
        }
    }
    links
}

/// A fluent or move that a condition depends on.
#[derive(Clone, Debug)]
struct Found {
    atom: Atom,
    /// The rules on the way to it.
    rules: Vec<usize>,
    /// Whether it is asked for under no negation.
    is_positive: bool,
}

/// What conditions depend on, kept by atom.
#[derive(Default)]
struct Lookup {
    known: FxHashMap<TermId, Vec<Found>>,
}

impl Lookup {
    /// The fluents and moves that a condition depends on.
    fn reached(&mut self, reading: &mut Reading<'_>, condition: &Condition) -> Vec<Found> {
        let mut all = Vec::new();
        condition.each_atom(&mut |atom| {
            let under_negation = *condition != Condition::Holds(atom);
            let found = self.below(reading, atom).into_iter().map(|found| Found {
                is_positive: found.is_positive && !under_negation,
                ..found
            });
            all.extend(found);
        });
        all
    }

    /// The fluents and moves that an atom depends on.
    fn below(&mut self, reading: &mut Reading<'_>, atom: TermId) -> Vec<Found> {
        match reading.atom(atom) {
            Atom::Fact => Vec::new(),
            kind @ (Atom::Fluent(_) | Atom::Move(..)) => vec![Found {
                atom: kind,
                rules: Vec::new(),
                is_positive: true,
            }],
            Atom::Defined(_) => {
                let canonical = reading.canonical(atom);
                if let Some(known) = self.known.get(&canonical) {
                    return known.clone();
                }
                let found = leaves(reading, canonical);
                self.known.insert(canonical, found.clone());
                found
            }
        }
    }
}

/// The fluents and moves at the end of the call graph of an atom.
fn leaves(reading: &mut Reading<'_>, atom: TermId) -> Vec<Found> {
    let graph = CallGraph::of(reading, &[atom]);
    let ways = graph.ways(CallNode(0));
    let mut found = Vec::new();
    for node in graph.below(CallNode(0)) {
        let kind = reading.atom(graph.atoms[node.index()]);
        if matches!(kind, Atom::Fluent(_) | Atom::Move(..)) {
            let way = ways.to(node);
            found.push(Found {
                atom: kind,
                is_positive: way.iter().all(|call| call.sign == CallSign::Positive),
                rules: way.iter().map(|call| call.rule).collect(),
            });
        }
    }
    found
}
