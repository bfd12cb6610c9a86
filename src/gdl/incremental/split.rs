//! Splitting rules: what changes with every move apart from the rest of a body.
//!
//! In games in turns the legal moves depend on who is to move, and so all of them change with each
//! move. What they depend on besides changes little. So a body is split in two, and the part that
//! lasts can be maintained:
//!
//! ```text
//! legal(P, move(X,Y)) :- control(P), cell(X,P), adjacent(X,Y), not cell(Y,P)
//! legal(P, M) :- control(P), stable(P, M)
//! stable(P, move(X,Y)) :- cell(X,P), adjacent(X,Y), not cell(Y,P)
//! ```
//!
//! The terms of moves belong to the part, so that they need not be made for every state anew.
//!
//! This is the split by control fluents that the player Galvanise is known for, for rules in place
//! of circuits.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::term::{
    Clause, DependencyGraph, Functor, Literal, PredicateSet, Store, SymbolId, Term, TermId, calls,
};

/// A part is worth a predicate of its own from this number of conditions on, if it makes no terms.
const WORTHWHILE_CONDITIONS: usize = 2;

/// The game's predicates of state and moves, with what is known of them.
pub(super) struct Nature<'n> {
    pub(super) graph: &'n DependencyGraph,
    pub(super) state: Functor,
    pub(super) moves: Functor,
    /// Functors of fluents none of which outlasts a move.
    pub(super) volatile: &'n FxHashSet<Functor>,
}

/// A rule in two.
#[derive(Clone, Debug)]
pub(super) struct Split {
    /// The rule that it was, by index.
    pub(super) clause: usize,
    /// The predicate of the part that lasts.
    pub(super) part: Functor,
    whole: Clause,
    stable: Clause,
}

/// The rules with some of them split.
pub(super) fn apply<'s>(
    clauses: &[Clause],
    splits: impl IntoIterator<Item = &'s Split>,
) -> Vec<Clause> {
    let mut clauses = clauses.to_vec();
    for split in splits {
        clauses[split.clause] = split.whole.clone();
        // Behind all rules, so that the numbers of those that stay are the numbers by which splits name them.
        clauses.push(split.stable.clone());
    }
    clauses
}

/// All rules that can be split, each as its two parts.
pub(super) fn splits(store: &mut Store, clauses: &[Clause], nature: &Nature<'_>) -> Vec<Split> {
    let dependents = nature.graph.dependents([nature.state]);
    let movers = nature.graph.dependents([nature.moves]);
    let mut found = Vec::new();
    for (number, clause) in clauses.iter().enumerate() {
        // Only what depends on the state, on no move, and not on itself.
        let splittable = store.functor(clause.head).is_some_and(|head| {
            dependents.contains(&head)
                && !movers.contains(&head)
                && !nature.graph.is_recursive(head)
        });
        if splittable && let Some(stable) = stable(store, clause, nature, &dependents) {
            found.push(split(store, clause, number, &stable));
        }
    }
    found
}

/// A body with what is known of its conditions.
struct Body<'b> {
    store: &'b Store,
    clause: &'b Clause,
    nature: &'b Nature<'b>,
    /// Predicates that depend on the state.
    dynamic: &'b PredicateSet,
}

/// The positions in the body of the part that lasts, if there is one.
fn stable(
    store: &Store,
    clause: &Clause,
    nature: &Nature<'_>,
    dynamic: &PredicateSet,
) -> Option<Vec<usize>> {
    let conditions = Body {
        store,
        clause,
        nature,
        dynamic,
    };
    let body = &clause.body;
    if !body.iter().any(|&literal| conditions.is_volatile(literal)) {
        return None;
    }
    let persists = |at: &usize| !conditions.is_volatile(body[*at]);
    let persistent: Vec<usize> = (0..body.len()).filter(persists).collect();
    let part = conditions.bound_by_itself(conditions.related_to_state(persistent));
    let mut binders = part.iter().filter(|&&at| binds(store, body[at]));
    // Without a binder on the state the part would be static, and is evaluated once anyway.
    let is_dynamic = binders.any(|&at| conditions.is_dynamic(body[at]));
    let makes_terms = store.arguments(clause.head).iter().any(|&argument| {
        !store.is_ground(argument) && !matches!(store.view(argument), Term::Variable(_))
    });
    (is_dynamic && (makes_terms || part.len() >= WORTHWHILE_CONDITIONS)).then_some(part)
}

impl Body<'_> {
    /// Whether a condition asks for a fluent that does not outlast a move.
    fn is_volatile(&self, literal: TermId) -> bool {
        let store = self.store;
        calls(store, literal).iter().any(|call| {
            store.functor(call.atom) == Some(self.nature.state)
                && store
                    .functor(store.arguments(call.atom)[0])
                    .is_some_and(|fluent| self.nature.volatile.contains(&fluent))
        })
    }

    /// Whether a condition depends on the state.
    fn is_dynamic(&self, literal: TermId) -> bool {
        let calls = calls(self.store, literal);
        let mut called = calls
            .iter()
            .filter_map(|call| self.store.functor(call.atom));
        called.any(|functor| self.dynamic.contains(&functor))
    }

    /// Those conditions that share a variable with one on the state. A static condition such as
    /// `role(P)` alone would multiply the rows of the part for nothing.
    fn related_to_state(&self, mut part: Vec<usize>) -> Vec<usize> {
        let body = &self.clause.body;
        let of_state = part.iter().filter(|&&at| self.is_dynamic(body[at]));
        let of_state: FxHashSet<u32> = of_state
            .flat_map(|&at| self.store.variables(body[at]))
            .collect();
        part.retain(|&at| {
            let mut variables = self.store.variables(body[at]).into_iter();
            self.is_dynamic(body[at]) || variables.any(|variable| of_state.contains(&variable))
        });
        part
    }

    /// The largest part of these conditions that needs no variable which only the rest binds.
    fn bound_by_itself(&self, mut part: Vec<usize>) -> Vec<usize> {
        let (store, body) = (self.store, &self.clause.body);
        // Dropping a condition can unbind variables of others, such as those of a `not`: repeated
        // until nothing is dropped.
        loop {
            let bound = part.iter().filter(|&&at| binds(store, body[at]));
            let bound: FxHashSet<u32> = bound.flat_map(|&at| store.variables(body[at])).collect();
            let before = part.len();
            part.retain(|&at| {
                // A variable that occurs nowhere else is local to its negation and needs no binding.
                let others = (0..body.len()).filter(|&other| other != at);
                let others = others.flat_map(|other| store.variables(body[other]));
                let head = store.variables(self.clause.head);
                let outside: FxHashSet<u32> = others.chain(head).collect();
                let mut variables = store.variables(body[at]).into_iter();
                binds(store, body[at])
                    || variables
                        .all(|variable| bound.contains(&variable) || !outside.contains(&variable))
            });
            if part.len() == before {
                return part;
            }
        }
    }
}

/// Whether a condition binds all of its variables.
fn binds(store: &Store, literal: TermId) -> bool {
    matches!(Literal::of(store, literal), Literal::Call(_))
}

/// A rule in two, the part being the conditions at these positions.
fn split(store: &mut Store, clause: &Clause, number: usize, stable: &[usize]) -> Split {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (at, &literal) in clause.body.iter().enumerate() {
        if stable.contains(&at) {
            inside.push(literal)
        } else {
            outside.push(literal)
        }
    }
    // What the part binds: the only variables that it can hand to the rule.
    let inner: FxHashSet<u32> = inside
        .iter()
        .filter(|&&literal| binds(store, literal))
        .flat_map(|&literal| store.variables(literal))
        .collect();
    let head = SplitHead::of(store, clause, &inner);
    let shared = head.shared(store, &inner, &outside);
    let arguments =
        |made: Vec<TermId>| -> Vec<TermId> { [shared.as_slice(), made.as_slice()].concat() };
    // A name that no game can write.
    let symbol = store.symbol(&format!("rule {number} stable"));
    let part = arguments(head.made.iter().map(|&(term, _)| term).collect());
    let call = arguments(head.made.iter().map(|&(_, variable)| variable).collect());
    outside.push(store.compound(symbol, &call));
    let name = store.functor(clause.head).map(|head| head.symbol);
    Split {
        clause: number,
        part: Functor {
            symbol,
            arity: part.len() as u32,
        },
        whole: Clause {
            head: name.map_or(clause.head, |name| store.compound(name, &head.arguments)),
            body: outside,
            variables: head.variables,
            ..clause.clone()
        },
        stable: Clause {
            head: store.compound(symbol, &part),
            body: inside,
            ..clause.clone()
        },
    }
}

/// The head of a rule that is split.
struct SplitHead {
    arguments: Vec<TermId>,
    /// Terms that the part makes, each with the variable that stands for it in the rule.
    made: Vec<(TermId, TermId)>,
    /// The variables of the rule, with those that stand for terms.
    variables: Vec<SymbolId>,
    /// Variables of the arguments that the rule makes itself.
    needed: Vec<u32>,
}

impl SplitHead {
    /// `move(X,Y)` with X and Y of the part: the term is made there, and the rule gets a variable for it.
    fn of(store: &mut Store, clause: &Clause, inner: &FxHashSet<u32>) -> Self {
        let mut head = Self {
            arguments: store.arguments(clause.head).to_vec(),
            made: Vec::new(),
            variables: clause.variables.clone(),
            needed: Vec::new(),
        };
        for argument in &mut head.arguments {
            let is_variable = matches!(store.view(*argument), Term::Variable(_));
            let of_part = |variable: &u32| inner.contains(variable);
            if !is_variable
                && !store.is_ground(*argument)
                && store.variables(*argument).iter().all(of_part)
            {
                let variable = store.variable(head.variables.len() as u32);
                head.variables.push(store.symbol("made"));
                head.made.push((*argument, variable));
                *argument = variable;
            } else {
                head.needed.extend(store.variables(*argument));
            }
        }
        head
    }

    /// What the part hands over as it is: the variables that head and rest of the rule need of it, each once.
    fn shared(&self, store: &mut Store, inner: &FxHashSet<u32>, rest: &[TermId]) -> Vec<TermId> {
        let of_rest = rest.iter().flat_map(|&literal| store.variables(literal));
        let needed = self.needed.iter().copied().chain(of_rest);
        let shared: IndexSet<u32, FxBuildHasher> =
            needed.filter(|variable| inner.contains(variable)).collect();
        let shared = shared.into_iter();
        shared.map(|variable| store.variable(variable)).collect()
    }
}
