//! Maintenance: keeping the answers of some predicates as rows while the state changes.
//!
//! A move changes few fluents, so most of what followed from the state before still follows. A
//! maintained predicate is a relation, a *view*, with the number of derivations of each of its
//! rows. When a row changes, the plans of all places where it stands in a body find the
//! derivations gained or lost; a row without derivations left is absent, and absence and presence
//! are passed on to the views above:
//!
//! ```text
//! occupied(X,Y) :- cell(X,Y,P)          cell(1,1,w) goes, cell(1,1,b) comes
//! free(X,Y) :- at(X,Y), not occupied(X,Y)
//!   occupied(1,1): 1 - 1 + 1 derivations: unchanged, so nothing happens to free(1,1)
//! ```
//!
//! Views are brought up to date callees first, so that each row is passed on at most once for a
//! change of state, except in recursive components, see [`propagate`]. To the rest of the
//! evaluator a view is a relation like any other: predicates that are not maintained look it up.
//!
//! Source: \[GMS93\], the counting algorithm. DIVERGENCE: rows are passed on one by one rather than in sets;
//! the relations are then at every moment the old ones or the new ones but for one row, so that no
//! copy of the old ones is needed.

mod conditions;
mod plans;
mod propagate;

use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::rules::code::{Procedure, RelationNumber};
use crate::rules::maintenance::conditions::{Condition, Conjunction};
use crate::rules::maintenance::plans::{Address, Place, Plans, Target};
pub(super) use crate::rules::maintenance::propagate::Halt;
use crate::rules::maintenance::propagate::Propagation;
use crate::rules::plan::Planner;
use crate::rules::program::{Predicate, Program};
use crate::rules::relation::{Relation, Row};
use crate::term::{Clause, Functor, Store, TermId};

/// Why a predicate is not maintained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// It depends on the moves made.
    #[error("it depends on the moves made")]
    Moves,
    /// It calls a predicate that is neither maintained nor known once and for all.
    #[error("it calls a predicate that is not kept as facts")]
    Callee(Functor),
    /// The `or` of a rule multiply to too many branches.
    #[error("a rule has too many `or`")]
    TooManyBranches,
    /// A rule denies a conjunction with variables of its own.
    #[error("a rule denies a conjunction that has variables of its own")]
    NestedDenial,
    /// It depends on its own negation.
    #[error("it depends on its own negation")]
    NegativeRecursion,
    /// It has too many answers.
    #[error("it has too many answers")]
    TooManyRows,
    /// A change of state takes too much work.
    #[error("a change of state takes too much work")]
    TooMuchWork,
}

/// A predicate with the reason for which it is not maintained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{obstacle}")]
pub struct Unmaintained {
    /// The predicate.
    pub predicate: Functor,
    /// The reason.
    pub obstacle: Obstacle,
}

/// The answers of a predicate, or of a projection that stands for a negation.
#[derive(Clone, Debug)]
struct View {
    predicate: Functor,
    relation: RelationNumber,
    /// Whether the predicate depends on itself.
    recursive: bool,
    /// By row: the number of derivations from the rows that are present. While a change is passed
    /// on it may be too small for a moment, when a row stands in a body both affirmed and negated.
    derivations: Vec<i32>,
    /// By row: the number of those that use no row of the own recursive component.
    grounds: Vec<i32>,
    /// By row: whether it stands in `touched`.
    is_touched: Vec<bool>,
    /// By row: whether it stands in `weakened`.
    is_weakened: Vec<bool>,
    /// Rows whose derivations have changed since they were last looked at.
    touched: Vec<Row>,
    /// Rows that have lost a derivation since they were last looked at; in recursive views only.
    weakened: Vec<Row>,
}

/// The places where a relation stands in bodies.
#[derive(Clone, Debug, Default)]
struct Occurrences {
    places: Vec<Place>,
    /// By row, once it has changed: which of the places can match it.
    by_row: Vec<Option<Box<[u32]>>>,
}

/// The views of a program.
#[derive(Clone, Debug)]
pub(super) struct Maintenance {
    views: Vec<View>,
    /// The views of each recursive component, callees first.
    components: Vec<Vec<u32>>,
    conjunctions: Vec<(Conjunction, Target)>,
    plans: Plans,
    /// By relation.
    occurrences: Vec<Occurrences>,
    propagation: Propagation,
    /// What the predicates were before.
    originals: Vec<(Functor, Predicate)>,
}

/// The parts of the evaluator that building views works on.
pub(super) struct Site<'s> {
    pub(super) store: &'s Store,
    pub(super) program: &'s mut Program,
    pub(super) relations: &'s mut Vec<Relation>,
    pub(super) procedures: &'s mut Vec<Procedure>,
    /// Relations that are no longer in use.
    pub(super) spare: &'s mut Vec<RelationNumber>,
}

impl Site<'_> {
    fn relation(&mut self, arity: usize) -> RelationNumber {
        if let Some(spare) = self.spare.pop() {
            self.relations[spare as usize] = Relation::new(arity);
            return spare;
        }
        self.relations.push(Relation::new(arity));
        self.relations.len() as RelationNumber - 1
    }
}

impl Maintenance {
    /// Makes views of some predicates, which call no others that depend on the state. All
    /// relations of the state are empty at this time.
    pub(super) fn new(
        site: &mut Site<'_>,
        predicates: &FxHashSet<Functor>,
    ) -> Result<Self, Unmaintained> {
        let mut maintenance = Self {
            views: Vec::new(),
            components: Vec::new(),
            conjunctions: Vec::new(),
            plans: Plans::default(),
            occurrences: Vec::new(),
            propagation: Propagation::default(),
            originals: Vec::new(),
        };
        let components = site.program.components.clone();
        // Callees first: the relations of a component exist before a body above it mentions them.
        for component in components {
            let members = component
                .iter()
                .filter(|member| predicates.contains(member));
            let members: Vec<Functor> = members.copied().collect();
            // All or nothing, since views refer to each other: what was made of the others so far is undone.
            if let Err(refusal) = maintenance.add_component(site, &members, predicates) {
                maintenance.dismantle(site);
                return Err(refusal);
            }
        }
        Ok(maintenance)
    }

    /// Makes the predicates what they were before.
    pub(super) fn dismantle(&mut self, site: &mut Site<'_>) {
        for (functor, original) in self.originals.drain(..) {
            site.program.restore(functor, original);
        }
        site.spare
            .extend(self.views.drain(..).map(|view| view.relation));
    }

    fn add_component(
        &mut self,
        site: &mut Site<'_>,
        members: &[Functor],
        predicates: &FxHashSet<Functor>,
    ) -> Result<(), Unmaintained> {
        let first = self.views.len() as u32;
        // Two passes. The first makes a relation for each member, so that in the second the clauses of the
        // component can refer to all of them, themselves included.
        let mut clauses: Vec<(u32, Vec<usize>, Vec<Vec<TermId>>)> = Vec::new();
        for &functor in members {
            let Some(original @ Predicate::Rules { .. }) = site.program.predicate(functor) else {
                continue;
            };
            let original = original.clone();
            let Predicate::Rules {
                clauses: numbers,
                facts,
                recursive,
                ..
            } = &original
            else {
                continue;
            };
            let relation = site.relation(functor.arity as usize);
            // Facts among the rules are derivations without conditions. Their relation stays with the original, for
            // the time after maintenance.
            let rows = facts.map_or_else(Vec::new, |facts| {
                let facts = &site.relations[facts as usize];
                let rows = 0..facts.known() as Row;
                rows.map(|row| facts.cells(row).to_vec()).collect()
            });
            clauses.push((self.views.len() as u32, numbers.clone(), rows));
            self.views.push(View::new(functor, relation, *recursive));
            site.program.set_facts(functor, relation);
            self.originals.push((functor, original));
        }
        let component: Vec<u32> = (first..self.views.len() as u32).collect();
        // What makes a derivation recursive: a row of one of these in the body.
        let own: Vec<RelationNumber> = self.views[first as usize..]
            .iter()
            .map(|view| view.relation)
            .collect();
        for (view, numbers, facts) in clauses {
            let predicate = self.views[view as usize].predicate;
            let refuse = |obstacle| Unmaintained {
                predicate,
                obstacle,
            };
            for number in numbers {
                let clause = site.program.clauses[number].clone();
                self.add_clause(site, view, &clause, &own, predicates)
                    .map_err(refuse)?;
            }
            for row in facts {
                let conjunction = Conjunction {
                    head: row,
                    conditions: Vec::new(),
                    variables: 0,
                };
                self.add_conjunction(view, conjunction, &own)
                    .map_err(refuse)?;
            }
        }
        self.components.push(component);
        Ok(())
    }

    fn add_clause(
        &mut self,
        site: &mut Site<'_>,
        view: u32,
        clause: &Clause,
        own: &[RelationNumber],
        predicates: &FxHashSet<Functor>,
    ) -> Result<(), Obstacle> {
        let mut projections: Vec<(Condition, Vec<TermId>, RelationNumber)> = Vec::new();
        let spare = &mut *site.spare;
        let mut planner = Planner {
            store: site.store,
            program: site.program,
            relations: site.relations,
            procedures: site.procedures,
        };
        let conjunctions = conditions::conjunctions(
            &mut planner,
            clause,
            &|functor| predicates.contains(&functor),
            &mut |planner, condition, columns| {
                // `not legal(P,M)` in two rules of a clause, after `or` was distributed, is one projection.
                let same = |known: &&(Condition, Vec<TermId>, RelationNumber)| {
                    (&known.0, &known.1) == (&condition, &columns)
                };
                let known = projections.iter().find(same);
                if let Some(&(.., relation)) = known {
                    return relation;
                }
                // A relation is reserved at once, since the body that refers to it is being made; its view follows
                // when the planner has given the evaluator back.
                let relation = spare.pop().unwrap_or(planner.relations.len() as u32);
                if relation as usize == planner.relations.len() {
                    planner.relations.push(Relation::default());
                }
                planner.relations[relation as usize] = Relation::new(columns.len());
                projections.push((condition, columns, relation));
                relation
            },
        );
        for (condition, columns, relation) in projections {
            let number = self.views.len() as u32;
            let predicate = self.views[view as usize].predicate;
            self.views.push(View::new(predicate, relation, false));
            // `p :- not p` through a projection. Counts have no meaning then: the row would come whenever it goes.
            if let Condition::Row { relation, .. } = &condition
                && own.contains(relation)
            {
                return Err(Obstacle::NegativeRecursion);
            }
            let conjunction = Conjunction {
                head: columns,
                conditions: vec![affirmed(condition)],
                // The variables of the projection are those of the clause, of which only the affirmed atom's occur.
                variables: clause.variables.len(),
            };
            self.add_conjunction(number, conjunction, &[])?;
            // A component of its own, pushed before that of the clause: it is brought up to date first.
            self.components.push(vec![number]);
        }
        for conjunction in conjunctions? {
            self.add_conjunction(view, conjunction, own)?;
        }
        Ok(())
    }

    fn add_conjunction(
        &mut self,
        view: u32,
        conjunction: Conjunction,
        own: &[RelationNumber],
    ) -> Result<(), Obstacle> {
        let mut recursive = false;
        for condition in &conjunction.conditions {
            if let Condition::Row {
                relation, positive, ..
            } = condition
                && own.contains(relation)
            {
                // Counting and rederiving both need that a row of the component only ever adds derivations inside
                // it.
                if !positive {
                    return Err(Obstacle::NegativeRecursion);
                }
                recursive = true;
            }
        }
        self.conjunctions
            .push((conjunction, Target { view, recursive }));
        Ok(())
    }

    /// The predicates that are maintained, callees first.
    pub(super) fn predicates(&self) -> impl Iterator<Item = Functor> {
        self.originals.iter().map(|(functor, _)| *functor)
    }

    /// Compiles all plans for the relations as they are now. Returns the plans that find what
    /// follows when nothing that changes is present.
    pub(super) fn compile(&mut self, planner: &mut Planner<'_>) -> Vec<Address> {
        self.plans = Plans::default();
        self.occurrences = Vec::new();
        for (conjunction, target) in &self.conjunctions {
            for (at, condition) in conjunction.conditions.iter().enumerate() {
                let Condition::Row {
                    relation,
                    dynamic: true,
                    ..
                } = condition
                else {
                    continue;
                };
                // A condition that never changes has no plan of its own: it is only joined.
                let place = plans::place(planner, &mut self.plans, conjunction, *target, at);
                let relation = *relation as usize;
                if relation >= self.occurrences.len() {
                    self.occurrences
                        .resize_with(relation + 1, Occurrences::default);
                }
                self.occurrences[relation].places.extend(place);
            }
        }
        // Everything starts from the empty state, whence each derivation arises when the last of its rows comes.
        // Left are those that no positive row that can change takes part in: facts, and bodies of negations.
        let timeless = self.conjunctions.iter().filter(|(conjunction, _)| {
            !conjunction.conditions.iter().any(|condition| {
                matches!(
                    condition,
                    Condition::Row {
                        positive: true,
                        dynamic: true,
                        ..
                    }
                )
            })
        });
        let plans = &mut self.plans;
        let wholes = timeless
            .map(|(conjunction, target)| plans::whole(planner, plans, conjunction, *target))
            .collect();
        self.reserve();
        wholes
    }
}

impl View {
    fn new(predicate: Functor, relation: RelationNumber, recursive: bool) -> Self {
        Self {
            predicate,
            relation,
            recursive,
            derivations: Vec::new(),
            grounds: Vec::new(),
            is_touched: Vec::new(),
            is_weakened: Vec::new(),
            touched: Vec::new(),
            weakened: Vec::new(),
        }
    }
}

fn affirmed(condition: Condition) -> Condition {
    match condition {
        Condition::Row {
            relation,
            columns,
            dynamic,
            ..
        } => Condition::Row {
            relation,
            columns,
            positive: true,
            dynamic,
        },
        Condition::Compare { .. } => condition,
    }
}
