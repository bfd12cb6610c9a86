//! The program: what each predicate is, before any of its clauses is compiled.

use rustc_hash::FxHashMap;

use crate::rules::code::{Lifetime, Procedure, ProcedureId, ProcedureMode, RelationId};
use crate::rules::error::RulesError;
use crate::rules::relation::{Columns, Relation, RowId};
use crate::term::{Clause, DependencyGraph, Functor, Literal, Store, TermId};

/// The predicates whose facts change: those of the state and those of the joint move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dynamic {
    /// `true/1` in GDL; its argument is a fluent.
    pub state: Functor,
    /// `does/2` in GDL.
    pub moves: Functor,
}

/// A fluent of [`crate::rules::Rules`]: its row in the relation of all fluents, so that fluents are numbered densely, from
/// 0, in the order in which they become known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FluentNumber(pub(super) RowId);

impl FluentNumber {
    /// No fluent.
    pub const NONE: Self = Self(RowId::NONE);
}

/// The relation of all fluents that were ever seen, one row each; the row is the number of
/// the fluent. It serves `true(?f)`, where the fluent's functor is not known.
pub(super) const FLUENTS: RelationId = RelationId::of(0);

/// The relation of the moves made.
pub(super) const MOVES: RelationId = RelationId::of(1);

/// What a predicate is.
#[derive(Clone, Debug)]
pub(super) enum Predicate {
    /// A set of facts that never changes.
    Facts(RelationId),
    /// Rules, and perhaps facts among them.
    Rules {
        clauses: Vec<usize>,
        facts: Option<RelationId>,
        recursive: bool,
        lifetime: Lifetime,
    },
}

/// Nested `or`, `and` and `not` may be this deep.
pub const MAX_NESTING: usize = 200;

/// Clauses, predicates, and the numbers of their relations and procedures.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) clauses: Vec<Clause>,
    pub(super) dynamic: Dynamic,
    predicates: FxHashMap<Functor, Predicate>,
    /// Relations of the fluents of one functor.
    fluents: FxHashMap<Functor, RelationId>,
    /// For each fluent ever seen, its row in the relation of its functor.
    homes: Vec<Option<(RelationId, RowId)>>,
    procedures: FxHashMap<(Functor, Columns), ProcedureId>,
    /// Predicates of each strongly connected component, callees first.
    pub(super) components: Vec<Vec<Functor>>,
}

impl Program {
    /// Sorts clauses into facts and rules.
    pub(super) fn new(
        store: &Store,
        clauses: Vec<Clause>,
        dynamic: Dynamic,
        relations: &mut Vec<Relation>,
    ) -> Result<Self, RulesError> {
        // The order of [`FLUENTS`] and [`MOVES`].
        relations.push(Relation::new(1));
        relations.push(Relation::new(dynamic.moves.arity as usize));
        let graph = DependencyGraph::of(store, &clauses);
        let mut program = Self {
            clauses,
            dynamic,
            predicates: FxHashMap::default(),
            fluents: FxHashMap::default(),
            homes: Vec::new(),
            procedures: FxHashMap::default(),
            components: graph.components().to_vec(),
        };
        program.define(store, &graph, relations);
        Ok(program)
    }

    /// Sorts the clauses by the predicate of their head: ground facts into relations, the others as rules.
    fn define(&mut self, store: &Store, graph: &DependencyGraph, relations: &mut Vec<Relation>) {
        let on_state = graph.dependents([self.dynamic.state]);
        let on_moves = graph.dependents([self.dynamic.moves]);
        // `does` changes most often: what depends on both belongs to the move.
        let lifetime = |functor: Functor| {
            if on_moves.contains(&functor) {
                Lifetime::Move
            } else if on_state.contains(&functor) {
                Lifetime::State
            } else {
                Lifetime::Game
            }
        };
        for (number, clause) in self.clauses.iter().enumerate() {
            let Some(functor) = store.functor(clause.head) else {
                continue;
            };
            let is_fact = clause.body.is_empty() && store.is_ground(clause.head);
            let predicate = self
                .predicates
                .entry(functor)
                .or_insert_with(|| Predicate::Rules {
                    clauses: Vec::new(),
                    facts: None,
                    recursive: graph.is_recursive(functor),
                    lifetime: lifetime(functor),
                });
            let Predicate::Rules { clauses, facts, .. } = predicate else {
                continue;
            };
            if is_fact {
                let relation = *facts.get_or_insert_with(|| {
                    relations.push(Relation::new(functor.arity as usize));
                    RelationId::of(relations.len() - 1)
                });
                let relation = &mut relations[relation.index()];
                let row = relation.row(store.arguments(clause.head), clause.head);
                relation.insert(row);
            } else {
                clauses.push(number);
            }
        }
        self.make_relations_of_facts();
    }

    /// A predicate of facts alone is a relation, and needs no procedure.
    fn make_relations_of_facts(&mut self) {
        for predicate in self.predicates.values_mut() {
            if let Predicate::Rules {
                clauses,
                facts: Some(relation),
                ..
            } = predicate
                && clauses.is_empty()
            {
                *predicate = Predicate::Facts(*relation);
            }
        }
    }

    pub(super) fn predicate(&self, functor: Functor) -> Option<&Predicate> {
        self.predicates.get(&functor)
    }

    /// Replaces the rules of a predicate by their answers.
    pub(super) fn set_facts(&mut self, functor: Functor, relation: RelationId) {
        self.predicates.insert(functor, Predicate::Facts(relation));
    }

    /// Makes a predicate what it was before [`Program::set_facts`].
    pub(super) fn restore(&mut self, functor: Functor, predicate: Predicate) {
        self.predicates.insert(functor, predicate);
    }

    /// Where a fluent stands in the relation of its functor.
    pub(super) fn home(&self, number: FluentNumber) -> Option<(RelationId, RowId)> {
        self.homes[number.0.index()]
    }

    /// Forgets which procedures there are; they are compiled anew when called.
    pub(super) fn forget_procedures(&mut self) {
        self.procedures.clear();
    }

    /// The procedure of a predicate defined by rules for a pattern of bound arguments.
    pub(super) fn procedure(
        &mut self,
        procedures: &mut Vec<Procedure>,
        predicate: Functor,
        inputs: Columns,
    ) -> ProcedureId {
        let (recursive, lifetime) = match self.predicates.get(&predicate) {
            Some(&Predicate::Rules {
                recursive,
                lifetime,
                ..
            }) => (recursive, lifetime),
            Some(Predicate::Facts(_)) | None => (false, Lifetime::Game),
        };
        *self
            .procedures
            .entry((predicate, inputs))
            .or_insert_with(|| {
                let input_count = inputs.len();
                procedures.push(Procedure {
                    predicate,
                    inputs,
                    input_count,
                    output_count: predicate.arity - input_count,
                    clauses: Vec::new(),
                    compiled: false,
                    mode: ProcedureMode::Tabled,
                    may_be_inline: false,
                    recursive,
                    lifetime,
                    switch: None,
                    calls: 0,
                    hits: 0,
                });
                ProcedureId::of(procedures.len() - 1)
            })
    }

    /// The relation of the fluents of one functor.
    pub(super) fn fluent_relation(
        &mut self,
        relations: &mut Vec<Relation>,
        functor: Functor,
    ) -> RelationId {
        *self.fluents.entry(functor).or_insert_with(|| {
            relations.push(Relation::new(functor.arity as usize));
            RelationId::of(relations.len() - 1)
        })
    }

    /// The number of a fluent, which is made known if it is new.
    pub(super) fn fluent(
        &mut self,
        store: &Store,
        relations: &mut Vec<Relation>,
        term: TermId,
    ) -> FluentNumber {
        // The row of a new fluent is the next one of the relation of all fluents, and therefore of `homes`.
        let row = relations[FLUENTS.index()].row(&[term], term);
        if row.index() == self.homes.len() {
            let home = store.functor(term).map(|functor| {
                let relation = self.fluent_relation(relations, functor);
                (
                    relation,
                    relations[relation.index()].row(store.arguments(term), term),
                )
            });
            self.homes.push(home);
        }
        FluentNumber(row)
    }

    /// Makes a known fluent true or false.
    pub(super) fn set_fluent(&self, relations: &mut [Relation], number: FluentNumber, holds: bool) {
        let mut set = |relation: RelationId, row: RowId| {
            let relation = &mut relations[relation.index()];
            if holds {
                relation.insert(row)
            } else {
                relation.remove(row)
            }
        };
        set(FLUENTS, number.0);
        if let Some((relation, row)) = self.home(number) {
            set(relation, row);
        }
    }
}

/// Refuses clauses with connectives nested so deep that walking them could exhaust the stack.
pub(super) fn check_nesting(
    store: &Store,
    clause: &Clause,
    number: usize,
) -> Result<(), RulesError> {
    let mut stack: Vec<(TermId, usize)> = clause.body.iter().map(|&literal| (literal, 0)).collect();
    while let Some((literal, depth)) = stack.pop() {
        if depth > MAX_NESTING {
            return Err(RulesError::NestedTooDeep {
                clause: number,
                limit: MAX_NESTING,
            });
        }
        match Literal::of(store, literal) {
            Literal::Not(inner) => stack.push((inner, depth + 1)),
            Literal::Or(parts) | Literal::And(parts) => {
                stack.extend(parts.iter().map(|&part| (part, depth + 1)))
            }
            Literal::Distinct(..) | Literal::Call(_) => {}
        }
    }
    Ok(())
}
