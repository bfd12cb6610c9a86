//! Links between fluents and actions, read off the axioms: the raw material of every dependency
//! graph, whatever its level of detail.
//!
//! A state update axiom says which fluents an action adds and takes away; a precondition axiom,
//! and the conditions of a state update axiom, which fluents it reads, directly or through
//! relations that the rules define. An effect of every joint move is one of every action.
//!
//! Source: \[G07, Algorithm 3.1\], steps 2 and 3; the potential effects and preconditions of
//! \[GST09, Definitions 2 and 3\].

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::analysis::facts::Facts;
use crate::analysis::leaves::{Leaf, Leaves};
use crate::analysis::reading::{AtomKind, Reading};
use crate::analysis::tautology::without_tautologies;
use crate::fluent::{Alternative, Condition, Effect, GameAxioms, Sign};
use crate::term::{Store, Substitution, Term, TermId, map_variables};

/// What a fluent and an action have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DependencyKind {
    /// The fluent is a potential precondition of the action, \[GST09, Definition 3\].
    Precondition,
    /// The fluent is a potential positive effect of the action, \[GST09, Definition 2\].
    PositiveEffect,
    /// The fluent is a potential negative effect of the action, \[GST09, Definition 2\].
    NegativeEffect,
}

impl From<Sign> for DependencyKind {
    fn from(sign: Sign) -> Self {
        match sign {
            Sign::Negative => DependencyKind::NegativeEffect,
            Sign::Positive => DependencyKind::PositiveEffect,
        }
    }
}

/// A fluent and an action have to do with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) relation: DependencyKind,
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
    /// Fluents that change whatever is done, each with one that a condition of the change reads.
    pub(super) sources: Vec<(TermId, TermId)>,
    /// Preconditions that make no difference, see [`without_tautologies`].
    pub(super) tautologies: Vec<Link>,
}

impl Links {
    /// Reads the links off the axioms of a game.
    pub(super) fn of<'a>(
        reading: &mut Reading<'a>,
        facts: &mut Facts<'a>,
        axioms: &GameAxioms,
    ) -> Self {
        let bound = variable_bound(reading.store, axioms);
        let mut reader = Reader {
            bound,
            fresh: bound,
            leaves: Leaves::default(),
            reading,
            facts,
        };
        let mut links = Links::default();
        // What an action asks for is told before what its effects depend on.
        for axiom in &axioms.preconditions {
            let (kept, dropped) = without_tautologies(&axiom.alternatives);
            links
                .links
                .extend(reader.preconditions(axiom.action, &kept));
            links
                .tautologies
                .extend(reader.preconditions(axiom.action, &dropped));
        }
        for effect in &axioms.effects {
            if reader.may_be(&effect.conditions) {
                links.add_effect(&mut reader, effect);
            }
        }
        links
    }

    fn add_effect(&mut self, reader: &mut Reader<'_, '_>, effect: &Effect) {
        let mut looked_at = Vec::new();
        let mut causes: IndexSet<Option<TermId>, FxBuildHasher> = IndexSet::default();
        let mut asks_for_move = !effect.moves.is_empty();
        for leaf in reader.leaves(&effect.conditions) {
            match leaf.atom {
                // That a fluent which goes was there is no condition of its going.
                AtomKind::Fluent(fluent) if fluent == effect.fluent => {}
                AtomKind::Fluent(fluent) => looked_at.push((fluent, leaf)),
                AtomKind::Move(_, mv) => {
                    let moves = reader.values(mv, &effect.conditions);
                    causes.extend(moves.into_iter().map(Some));
                    asks_for_move |= leaf.is_asked_for;
                }
                AtomKind::Fact | AtomKind::Defined(_) => {}
            }
        }
        // Where no move is asked for, whoever does not make one brings the effect about.
        causes.extend((!asks_for_move && !causes.is_empty()).then_some(None));
        causes.extend(effect.moves.iter().map(|&(_, mv)| Some(mv)));
        let equalities = reader.equalities(&effect.conditions);
        let store = &mut *reader.reading.store;
        // Nobody's move is asked for, so that the effect comes with every joint move.
        if causes.is_empty() {
            for (fluent, leaf) in &looked_at {
                self.sources
                    .push((leaf.when.apply(store, effect.fluent), *fluent));
            }
            causes.insert(None);
        }
        // [G07, Algorithm 3.1]: the effect is linked as in step 3d, what its conditions read as in step 3b.
        for action in causes {
            self.links.push(Link {
                relation: effect.sign.into(),
                fluent: equalities.apply(store, effect.fluent),
                action: action.map(|action| equalities.apply(store, action)),
                rules: each_once(effect.clauses.iter().copied()),
            });
            for (fluent, leaf) in &looked_at {
                self.links.push(Link {
                    relation: DependencyKind::Precondition,
                    fluent: *fluent,
                    action: action.map(|action| leaf.when.apply(store, action)),
                    rules: each_once(effect.clauses.iter().chain(&leaf.rules).copied()),
                });
            }
        }
    }
}

/// Rules in their order; a rule with several branches or instances may have been met for each.
pub(super) fn each_once(rules: impl Iterator<Item = usize>) -> Vec<usize> {
    let rules: IndexSet<usize, FxBuildHasher> = rules.collect();
    rules.into_iter().collect()
}

/// Values of a variable that are listed.
const MAX_VALUES: usize = 20_000;

/// One more than the largest number of a variable in the axioms.
fn variable_bound(store: &Store, axioms: &GameAxioms) -> u32 {
    let alternatives = axioms
        .preconditions
        .iter()
        .flat_map(|axiom| &axiom.alternatives);
    let conditions = alternatives.flat_map(|alternative| &alternative.conditions);
    let conditions = conditions.chain(axioms.effects.iter().flat_map(|effect| &effect.conditions));
    let bounds = conditions.map(|condition| condition.variable_bound(store));
    let actions = axioms.preconditions.iter().map(|axiom| axiom.action);
    let terms = actions.chain(axioms.effects.iter().flat_map(|effect| {
        let moves = effect.moves.iter().map(|&(_, mv)| mv);
        moves.chain([effect.fluent])
    }));
    let bounds = bounds.chain(terms.map(|term| store.variable_bound(term)));
    bounds.max().unwrap_or(0)
}

/// Reads conditions of axioms.
struct Reader<'r, 'a> {
    reading: &'r mut Reading<'a>,
    facts: &'r mut Facts<'a>,
    leaves: Leaves,
    /// No axiom has a variable from this number on.
    bound: u32,
    /// Variables from this number on are new.
    fresh: u32,
}

impl Reader<'_, '_> {
    /// The fluents and moves that conditions depend on.
    fn leaves(&mut self, conditions: &[Condition]) -> Vec<Leaf> {
        let equalities = self.equalities(conditions);
        let mut all = Vec::new();
        for (atom, is_alone) in self.atoms(conditions) {
            let found = self
                .leaves
                .of_atom(self.reading, atom, &equalities, &mut self.fresh);
            all.extend(found.into_iter().map(|leaf| Leaf {
                is_asked_for: leaf.is_asked_for && is_alone,
                ..leaf
            }));
        }
        all
    }

    /// The atoms of conditions, each once and with whether it is a condition itself. Variables that a
    /// condition quantifies are numbered anew in each atom: negations that were multiplied out repeat
    /// the same few atoms hundreds of times, in other names. Those that moves speak of keep their
    /// numbers, since a link may be between two atoms.
    fn atoms(&mut self, conditions: &[Condition]) -> IndexSet<(TermId, bool), FxBuildHasher> {
        let mut found = IndexSet::default();
        for condition in conditions {
            let is_alone = matches!(condition, Condition::Holds(_));
            let mut quantified = condition.quantified();
            condition.each_atom(&mut |atom| {
                if self.reading.is_of_moves(atom) {
                    let variables = self.reading.store.variables(atom);
                    variables.iter().for_each(|number| {
                        quantified.remove(number);
                    });
                }
            });
            condition.each_atom(&mut |atom| {
                found.insert((self.without_names(atom, &quantified), is_alone));
            });
        }
        found
    }

    /// An atom with some variables numbered anew in order of occurrence, as no axiom numbers any.
    fn without_names(&mut self, atom: TermId, variables: &FxHashSet<u32>) -> TermId {
        let first = self.bound;
        let mut next = first;
        let atom = map_variables(self.reading.store, atom, |store, number| {
            if !variables.contains(&number) {
                return store.variable(number);
            }
            next += 1;
            store.variable(next - 1)
        });
        self.fresh = self.fresh.max(next);
        atom
    }

    /// Whether each of the facts that conditions ask for can be had.
    fn may_be(&mut self, conditions: &[Condition]) -> bool {
        let equalities = self.equalities(conditions);
        conditions.iter().all(|condition| {
            let Condition::Holds(atom) = condition else {
                return true;
            };
            let atom = equalities.apply(self.reading.store, *atom);
            self.reading.atom(atom) != AtomKind::Fact
                || !self.facts.never_holds(self.reading.store, atom)
        })
    }

    /// The moves that a variable stands for, where a fact says so; otherwise the term itself.
    fn values(&mut self, mv: TermId, conditions: &[Condition]) -> Vec<TermId> {
        let equalities = self.equalities(conditions);
        let store = &mut *self.reading.store;
        let mv = equalities.apply(store, mv);
        if !matches!(store.view(mv), Term::Variable(_)) {
            return vec![mv];
        }
        for condition in conditions {
            let Condition::Holds(atom) = condition else {
                continue;
            };
            let atom = equalities.apply(self.reading.store, *atom);
            let store = &mut *self.reading.store;
            // Only a fact about the move lists which moves the variable can be.
            if !store.arguments(atom).contains(&mv) || self.reading.atom(atom) != AtomKind::Fact {
                continue;
            }
            let store = &mut *self.reading.store;
            if let Some(found) = self.facts.solutions(store, atom, MAX_VALUES) {
                let values = found.iter().map(|values| values.apply(store, mv));
                let values: IndexSet<TermId, FxBuildHasher> = values.collect();
                return values.into_iter().collect();
            }
        }
        vec![mv]
    }

    /// What conditions say that variables are.
    fn equalities(&self, conditions: &[Condition]) -> Substitution {
        let mut equalities = Substitution::default();
        for condition in conditions {
            if let Condition::Equal(left, right) = condition {
                // What cannot be equal holds in no state: the link says too much then.
                equalities.unify(self.reading.store, *left, *right);
            }
        }
        equalities
    }

    /// The fluents that the alternatives of a precondition axiom read.
    fn preconditions(&mut self, action: TermId, alternatives: &[Alternative]) -> Vec<Link> {
        let mut links = Vec::new();
        for alternative in alternatives {
            for leaf in self.leaves(&alternative.conditions) {
                // [G07, Algorithm 3.1, step 2b].
                if let AtomKind::Fluent(fluent) = leaf.atom {
                    links.push(Link {
                        relation: DependencyKind::Precondition,
                        fluent,
                        action: Some(leaf.when.apply(self.reading.store, action)),
                        rules: each_once([alternative.rule].into_iter().chain(leaf.rules)),
                    });
                }
            }
        }
        links
    }
}
