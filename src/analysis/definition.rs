//! Potential effects and preconditions by the definitions on the rules: the second derivation.
//!
//! The dependency graph is read off the axioms, for which a lot was proved. Here the definitions are
//! taken by their words. A fluent function is a potential positive effect of an action if a rule that
//! is no frame axiom is compatible with it, and a potential negative effect unless one frame axiom by
//! itself keeps all its instances. Compatible means consistent if each role has one move, different
//! names mean different things, and facts are what they are:
//!
//! ```text
//! next(cell(Y)) ← does(robot, move), true(cell(X)), adjacent(X, Y)      compatible with move, not grab
//! ```
//!
//! What the axioms say is among that, which a test holds for every game; what the definitions say
//! beyond is potential in form only.
//!
//! Source: \[GST09, Definitions 2 and 3\]. DIVERGENCE: the papers have one player. With more, a rule
//! that speaks of the moves of some roles is compatible with whatever the others do; they are not
//! made its cause.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::call_graph::{CallGraph, CallNode};
use crate::analysis::facts::Facts;
use crate::analysis::link::{DependencyKind, each_once};
use crate::analysis::reading::{AtomKind, Reading};
use crate::analysis::structure::Structure;
use crate::fluent::{Condition, GameAxioms, Support, Supports};
use crate::gdl::Keyword;
use crate::term::{Substitution, Term, TermId, calls, rename};

/// A relation between a fluent and an action, by place.
pub type Related = (DependencyKind, usize, usize);

/// What is related, with the rules by which it was found first.
type Found = FxHashMap<Related, Vec<usize>>;

/// An action of one role.
#[derive(Clone, Copy)]
struct Actor {
    role: TermId,
    action: usize,
    /// Variables are numbered from 0.
    pattern: TermId,
}

/// The second derivation, for the nodes of a structure at the level of symbols.
pub(super) struct Definitions<'d, 'a> {
    pub(super) reading: &'d mut Reading<'a>,
    pub(super) facts: &'d mut Facts<'a>,
    pub(super) structure: &'d Structure,
    pub(super) roles: &'d [TermId],
}

impl Definitions<'_, '_> {
    /// All that the definitions relate.
    pub(super) fn related(&mut self, axioms: &GameAxioms) -> Found {
        let actors = self.actors();
        let mut found = Found::default();
        for supports in &axioms.supports {
            if let Some(fluent) = self.structure.fluent(self.reading.store, supports.pattern) {
                let effects = self.effects(supports, fluent, &actors);
                self.preconditions_of_next(supports, &effects, &mut found);
                for (related, rules) in effects {
                    found.entry(related).or_insert(rules);
                }
            }
        }
        for actor in &actors {
            self.preconditions_of_legal(actor, &mut found);
        }
        found
    }

    fn actors(&self) -> Vec<Actor> {
        let actions = self.structure.actions.iter().enumerate();
        let actors = actions.flat_map(|(action, node)| {
            node.roles.iter().map(move |&role| Actor {
                role: self.roles[role],
                action,
                pattern: node.pattern,
            })
        });
        actors.collect()
    }

    /// \[GST09, Definition 2\] for one fluent function.
    fn effects(
        &mut self,
        supports: &Supports,
        fluent: usize,
        actors: &[Actor],
    ) -> Vec<(Related, Vec<usize>)> {
        let mut found = Vec::new();
        let is_folded = !supports.folded.is_empty();
        let (frames, rest): (Vec<&Support>, Vec<&Support>) = supports
            .supports
            .iter()
            .partition(|support| support.is_frame);
        // Frame axioms keep the fluent, all other rules add it.
        let keeping = each_once(frames.iter().map(|frame| frame.clause));
        for actor in actors {
            let adds = |definitions: &mut Self, support: &Support| {
                definitions.concerns(&[support], actor) && definitions.is_compatible(support, actor)
            };
            let adding = rest.iter().find(|support| adds(self, support));
            // Rules with too many alternatives to be told apart (folded ones) may add and take away under any action.
            if is_folded || adding.is_some() {
                let rules = adding.map_or(supports.folded.clone(), |support| vec![support.clause]);
                found.push((
                    (DependencyKind::PositiveEffect, fluent, actor.action),
                    rules,
                ));
            }
            // One frame axiom alone must keep all instances: that two together do is beyond the definition.
            let is_kept = frames.iter().any(|frame| self.keeps(frame, actor));
            if is_folded || (self.concerns(&frames, actor) && !is_kept) {
                let related = (DependencyKind::NegativeEffect, fluent, actor.action);
                found.push((related, keeping.clone()));
            }
        }
        found
    }

    /// Whether supports speak of the moves of a role, or of nobody's.
    fn concerns(&self, supports: &[&Support], actor: &Actor) -> bool {
        let mut roles = Vec::new();
        for support in supports {
            for condition in &support.conditions {
                condition.each_atom(&mut |atom| {
                    if let AtomKind::Move(role, _) = self.reading.atom(atom) {
                        roles.push(role);
                    }
                });
            }
        }
        roles.is_empty() || roles.contains(&actor.role)
    }

    /// Whether the conditions of a support are consistent with an action.
    fn is_compatible(&mut self, support: &Support, actor: &Actor) -> bool {
        let pattern = self.shifted(support, actor.pattern);
        let Some(unifier) = self.unifier(support, actor.role, pattern) else {
            return false;
        };
        let store = &mut *self.reading.store;
        let made = unifier.apply(store, pattern);
        let conditions = support.conditions.iter();
        let conditions: Vec<Condition> = conditions
            .map(|condition| condition.apply(store, &unifier))
            .collect();
        conditions.iter().all(|condition| match condition {
            Condition::Holds(atom) => match self.reading.atom(*atom) {
                AtomKind::Fact => {
                    let solutions = self
                        .facts
                        .solutions(self.reading.store, *atom, MAX_SOLUTIONS);
                    // Not listed, because there are too many or it takes too long: the fact may hold.
                    solutions.is_none_or(|solutions| !solutions.is_empty())
                }
                AtomKind::Fluent(_) | AtomKind::Move(..) | AtomKind::Defined(_) => true,
            },
            // A negated condition contradicts a move that is made, or the same condition asked for.
            Condition::Fails(atom) => {
                // The same term only: `not does(r, mark(1, Y))` leaves other instances of `mark` possible.
                let is_made = self.reading.atom(*atom) == AtomKind::Move(actor.role, made);
                !is_made && !conditions.contains(&Condition::Holds(*atom))
            }
            Condition::Differ(pairs) => pairs.iter().any(|(left, right)| left != right),
            Condition::Equal(..) | Condition::None(..) => true,
        })
    }

    /// The action with variables that do not occur in a support.
    fn shifted(&mut self, support: &Support, pattern: TermId) -> TermId {
        let store = &mut *self.reading.store;
        let bounds = support.conditions.iter();
        let bounds = bounds.map(|condition| condition.variable_bound(store));
        let bound = bounds.max().unwrap_or(0);
        let bound = bound.max(store.variable_bound(support.fluent));
        rename(store, pattern, bound)
    }

    /// What makes the moves of a role in a support the action; nothing if they are others.
    fn unifier(&self, support: &Support, actor: TermId, action: TermId) -> Option<Substitution> {
        let mut unifier = Substitution::default();
        for condition in &support.conditions {
            if let Condition::Holds(atom) = *condition
                && let AtomKind::Move(role, mv) = self.reading.atom(atom)
                && role == actor
                && !unifier.unify(self.reading.store, mv, action)
            {
                return None;
            }
        }
        Some(unifier)
    }

    /// Whether a frame axiom by itself keeps all instances of its fluent where an action is done.
    fn keeps(&self, frame: &Support, actor: &Actor) -> bool {
        let store = &*self.reading.store;
        let mut used = store.variables(frame.fluent);
        if !is_most_general(store.arguments(frame.fluent), self.reading) {
            return false;
        }
        // [GST09, Definition 2]: true(φ(x)) ∧ does(p, α(y)) must imply the body for all x and y, so that a condition
        // on anything else spoils it.
        frame.conditions.iter().all(|condition| match condition {
            Condition::Holds(atom) => match self.reading.atom(*atom) {
                AtomKind::Fluent(fluent) => fluent == frame.fluent,
                AtomKind::Move(role, mv) => {
                    let variables = store.variables(mv);
                    // A variable shared with the fluent would restrict which instances the move keeps.
                    let is_fresh = variables.iter().all(|variable| !used.contains(variable));
                    used.extend(variables);
                    role == actor.role
                        && is_fresh
                        && store.functor(mv) == store.functor(actor.pattern)
                        && is_most_general(store.arguments(mv), self.reading)
                }
                AtomKind::Fact | AtomKind::Defined(_) => false,
            },
            // *Not another action* is true where this one is done.
            Condition::Fails(atom) => self.is_another(*atom, actor),
            Condition::None(_, inner) => inner.iter().any(|condition| match condition {
                Condition::Holds(atom) => self.is_another(*atom, actor),
                Condition::Fails(_)
                | Condition::Equal(..)
                | Condition::Differ(_)
                | Condition::None(..) => false,
            }),
            Condition::Equal(..) | Condition::Differ(_) => false,
        })
    }

    /// Whether an atom is a move of the same role that is never the action.
    fn is_another(&self, atom: TermId, actor: &Actor) -> bool {
        let store = &*self.reading.store;
        matches!(self.reading.atom(atom), AtomKind::Move(role, mv)
            if role == actor.role
                && !matches!(store.view(mv), Term::Variable(_))
                && store.functor(mv) != store.functor(actor.pattern))
    }

    /// \[GST09, Definition 3\], its second part: what the rules for a fluent read that is an
    /// effect.
    fn preconditions_of_next(
        &mut self,
        supports: &Supports,
        effects: &[(Related, Vec<usize>)],
        found: &mut Found,
    ) {
        // A fluent, and the rules on the way to it.
        let mut fluents: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut add = |below: Vec<(usize, Vec<usize>)>, rule: usize| {
            for (fluent, way) in below {
                let rules = || each_once([rule].into_iter().chain(way));
                fluents.entry(fluent).or_insert_with(rules);
            }
        };
        // What is below an atom does not depend on the names of its variables.
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        for support in &supports.supports {
            for condition in &support.conditions {
                condition.each_atom(&mut |atom| {
                    if seen.insert(self.reading.canonical(atom)) {
                        add(self.fluents_below(atom), support.clause);
                    }
                });
            }
        }
        for &rule in &supports.folded {
            for &condition in &self.reading.rules[rule].body {
                for call in calls(self.reading.store, condition) {
                    add(self.fluents_below(call.atom), rule);
                }
            }
        }
        for &((_, _, action), _) in effects {
            for (&fluent, rules) in &fluents {
                let related = (DependencyKind::Precondition, fluent, action);
                found.entry(related).or_insert_with(|| rules.clone());
            }
        }
    }

    /// \[GST09, Definition 3\], its first part.
    fn preconditions_of_legal(&mut self, actor: &Actor, found: &mut Found) {
        let legal = self.reading.keywords.symbol(Keyword::Legal);
        let atom = self
            .reading
            .store
            .compound(legal, &[actor.role, actor.pattern]);
        for (fluent, rules) in self.fluents_below(atom) {
            let related = (DependencyKind::Precondition, fluent, actor.action);
            found.entry(related).or_insert(rules);
        }
    }

    /// The fluents in the call graph of an atom, by place, each with the rules on the way to it.
    fn fluents_below(&mut self, atom: TermId) -> Vec<(usize, Vec<usize>)> {
        if self.reading.atom(atom) == AtomKind::Fact {
            return Vec::new();
        }
        let graph = CallGraph::of(self.reading, atom);
        let ways = graph.ways();
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, &below) in graph.atoms.iter().enumerate() {
            let AtomKind::Fluent(fluent) = self.reading.atom(below) else {
                continue;
            };
            let way = ways.to(CallNode(place as u32)).into_iter();
            let rules = each_once(way.map(|call| call.rule));
            for fluent in self.structure.fluents_of(self.reading.store, fluent) {
                found.entry(fluent).or_insert_with(|| rules.clone());
            }
        }
        found.into_iter().collect()
    }
}

/// Facts that are looked for to know that there is one.
const MAX_SOLUTIONS: usize = 10_000;

/// Whether arguments are different variables.
fn is_most_general(arguments: &[TermId], reading: &Reading<'_>) -> bool {
    let mut seen = FxHashSet::default();
    arguments.iter().all(|&argument| {
        matches!(reading.store.view(argument), Term::Variable(_)) && seen.insert(argument)
    })
}
