//! Views: the predicates that are maintained, and the plans that follow from their clauses.

use rustc_hash::FxHashSet;

use crate::rules::code::{Procedure, RelationId};
use crate::rules::maintenance::conditions::{self, Condition, Conjunction};
use crate::rules::maintenance::obstacle::{Obstacle, Unmaintained};
use crate::rules::maintenance::plan_compiler;
use crate::rules::maintenance::plans::{Occurrence, PlanAddress, Plans, Target};
use crate::rules::maintenance::workspace::Workspace;
use crate::rules::plan::Planner;
use crate::rules::program::{Predicate, Program};
use crate::rules::relation::{Relation, RowId};
use crate::term::{Clause, Functor, Store, TermId};

/// The answers of a predicate, or of a projection that stands for a negation.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) predicate: Functor,
    pub(super) relation: RelationId,
    /// Whether the predicate depends on itself.
    pub(super) recursive: bool,
    /// By row: the number of derivations from the rows that are present. While a change is passed
    /// on it may be too small for a moment, when a row stands in a body both affirmed and negated.
    pub(super) derivations: Vec<i32>,
    /// By row: the number of those that use no row of the own recursive component.
    pub(super) grounds: Vec<i32>,
    /// By row: whether it stands in `touched`.
    pub(super) is_touched: Vec<bool>,
    /// By row: whether it stands in `weakened`.
    pub(super) is_weakened: Vec<bool>,
    /// Rows whose derivations have changed since they were last looked at.
    pub(super) touched: Vec<RowId>,
    /// Rows that have lost a derivation since they were last looked at; in recursive views only.
    pub(super) weakened: Vec<RowId>,
}

/// The places where a relation stands in bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Occurrences {
    pub(super) places: Vec<Occurrence>,
    /// By row, once it has changed: which of the places can match it.
    pub(super) by_row: Vec<Option<Box<[u32]>>>,
}

/// The views of a program.
#[derive(Clone, Debug)]
pub(in crate::rules) struct Maintenance {
    pub(super) views: Vec<View>,
    /// The views of each recursive component, callees first.
    pub(super) components: Vec<Vec<u32>>,
    pub(super) conjunctions: Vec<(Conjunction, Target)>,
    pub(super) plans: Plans,
    /// By relation.
    pub(super) occurrences: Vec<Occurrences>,
    pub(super) workspace: Workspace,
    /// What the predicates were before.
    pub(super) originals: Vec<(Functor, Predicate)>,
}

/// A predicate whose place a view has taken.
struct Replaced {
    view: u32,
    /// Its rules, by number.
    clauses: Vec<usize>,
    /// The rows of its facts.
    facts: Vec<Vec<TermId>>,
}

/// The parts of the evaluator that building views works on.
pub(in crate::rules) struct Site<'s> {
    pub(in crate::rules) store: &'s Store,
    pub(in crate::rules) program: &'s mut Program,
    pub(in crate::rules) relations: &'s mut Vec<Relation>,
    pub(in crate::rules) procedures: &'s mut Vec<Procedure>,
    /// Relations that are no longer in use.
    pub(in crate::rules) spare: &'s mut Vec<RelationId>,
}

impl Site<'_> {
    fn relation(&mut self, arity: usize) -> RelationId {
        if let Some(spare) = self.spare.pop() {
            self.relations[spare.index()] = Relation::new(arity);
            return spare;
        }
        self.relations.push(Relation::new(arity));
        RelationId::of(self.relations.len() - 1)
    }
}

impl Maintenance {
    /// Makes views of some predicates, which call no others that depend on the state. All
    /// relations of the state are empty at this time.
    pub(in crate::rules) fn new(
        site: &mut Site<'_>,
        predicates: &FxHashSet<Functor>,
    ) -> Result<Self, Unmaintained> {
        let mut maintenance = Self {
            views: Vec::new(),
            components: Vec::new(),
            conjunctions: Vec::new(),
            plans: Plans::default(),
            occurrences: Vec::new(),
            workspace: Workspace::default(),
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
    pub(in crate::rules) fn dismantle(&mut self, site: &mut Site<'_>) {
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
        let mut replaced = Vec::new();
        for &functor in members {
            replaced.extend(self.replace(site, functor));
        }
        let component: Vec<u32> = (first..self.views.len() as u32).collect();
        // What makes a derivation recursive: a row of one of these in the body.
        let own: Vec<RelationId> = self.views[first as usize..]
            .iter()
            .map(|view| view.relation)
            .collect();
        for Replaced {
            view,
            clauses,
            facts,
        } in replaced
        {
            let predicate = self.views[view as usize].predicate;
            let refuse = |obstacle| Unmaintained {
                predicate,
                obstacle,
            };
            for number in clauses {
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

    /// Replaces the rules of a predicate by a view, which has no conjunctions yet; none if it has no rules.
    fn replace(&mut self, site: &mut Site<'_>, functor: Functor) -> Option<Replaced> {
        let original = site.program.predicate(functor)?.clone();
        let Predicate::Rules {
            clauses,
            facts,
            recursive,
            ..
        } = &original
        else {
            return None;
        };
        let relation = site.relation(functor.arity as usize);
        // Facts among the rules are derivations without conditions. Their relation stays with the original, for
        // the time after maintenance.
        let facts = facts.map_or_else(Vec::new, |facts| {
            let facts = &site.relations[facts.index()];
            let rows = facts.known_rows();
            rows.map(|row| facts.cells(row).to_vec()).collect()
        });
        let replaced = Replaced {
            view: self.views.len() as u32,
            clauses: clauses.clone(),
            facts,
        };
        self.views.push(View::new(functor, relation, *recursive));
        site.program.set_facts(functor, relation);
        self.originals.push((functor, original));
        Some(replaced)
    }

    /// Adds what a clause derives to a view. Whole: the closure that reserves relations for projections borrows the
    /// site as long as the clause is read, and the projections become views right behind it.
    fn add_clause(
        &mut self,
        site: &mut Site<'_>,
        view: u32,
        clause: &Clause,
        own: &[RelationId],
        predicates: &FxHashSet<Functor>,
    ) -> Result<(), Obstacle> {
        let mut projections: Vec<(Condition, Vec<TermId>, RelationId)> = Vec::new();
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
                let same = |known: &&(Condition, Vec<TermId>, RelationId)| {
                    (&known.0, &known.1) == (&condition, &columns)
                };
                let known = projections.iter().find(same);
                if let Some(&(.., relation)) = known {
                    return relation;
                }
                // A relation is reserved at once, since the body that refers to it is being made; its view follows
                // when the planner has given the evaluator back.
                let next = RelationId::of(planner.relations.len());
                let relation = spare.pop().unwrap_or(next);
                if relation == next {
                    planner.relations.push(Relation::default());
                }
                planner.relations[relation.index()] = Relation::new(columns.len());
                projections.push((condition, columns, relation));
                relation
            },
        );
        let predicate = self.views[view as usize].predicate;
        for (condition, columns, relation) in projections {
            // `p :- not p` through a projection. Counts have no meaning then: the row would come whenever it goes.
            let is_own =
                matches!(&condition, Condition::Row { relation, .. } if own.contains(relation));
            let projection = View::new(predicate, relation, false);
            let conjunction = Conjunction {
                head: columns,
                conditions: vec![affirmed(condition)],
                // The variables of the projection are those of the clause, of which only the affirmed atom's occur.
                variables: clause.variables.len(),
            };
            self.add_projection(projection, conjunction)?;
            if is_own {
                return Err(Obstacle::NegativeRecursion);
            }
        }
        for conjunction in conjunctions? {
            self.add_conjunction(view, conjunction, own)?;
        }
        Ok(())
    }

    /// A component of its own, pushed before that of the clause: it is brought up to date first.
    fn add_projection(
        &mut self,
        projection: View,
        conjunction: Conjunction,
    ) -> Result<(), Obstacle> {
        let number = self.views.len() as u32;
        self.views.push(projection);
        self.add_conjunction(number, conjunction, &[])?;
        self.components.push(vec![number]);
        Ok(())
    }

    fn add_conjunction(
        &mut self,
        view: u32,
        conjunction: Conjunction,
        own: &[RelationId],
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
    pub(in crate::rules) fn predicates(&self) -> impl Iterator<Item = Functor> {
        self.originals.iter().map(|(functor, _)| *functor)
    }

    /// Compiles all plans for the relations as they are now. Returns the plans that find what
    /// follows when nothing that changes is present.
    pub(in crate::rules) fn compile(&mut self, planner: &mut Planner<'_>) -> Vec<PlanAddress> {
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
                let place =
                    plan_compiler::place(planner, &mut self.plans, conjunction, *target, at);
                let relation = relation.index();
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
            .map(|(conjunction, target)| plan_compiler::whole(planner, plans, conjunction, *target))
            .collect();
        self.reserve();
        wholes
    }
}

impl View {
    fn new(predicate: Functor, relation: RelationId, recursive: bool) -> Self {
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

impl View {
    /// Makes room for a row.
    pub(super) fn admit(&mut self, row: RowId) {
        let len = row.index() + 1;
        if self.derivations.len() < len {
            self.derivations.resize(len, 0);
            self.grounds.resize(len, 0);
            self.is_touched.resize(len, false);
            self.is_weakened.resize(len, false);
        }
    }

    /// A row that may come, or one that may go, and has not been looked at since it changed.
    pub(super) fn next(&mut self, comes: bool) -> Option<RowId> {
        let (rows, marks) = if comes {
            (&mut self.touched, &mut self.is_touched)
        } else {
            (&mut self.weakened, &mut self.is_weakened)
        };
        // Taken off the list before it is passed on: another loss of the same row then counts as new.
        let row = rows.pop()?;
        marks[row.index()] = false;
        Some(row)
    }

    /// Whether the derivations of a row say that it should come, or should go.
    pub(super) fn is_due(&self, row: RowId, comes: bool) -> bool {
        if comes {
            self.derivations[row.index()] > 0
        } else {
            self.grounds[row.index()] == 0
        }
    }
}
