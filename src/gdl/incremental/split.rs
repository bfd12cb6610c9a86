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

use rustc_hash::FxHashSet;

use crate::term::{Clause, DependencyGraph, Functor, Literal, Store, Term, TermId};

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

/// The positions in the body of the part that lasts, if there is one.
fn stable(
    store: &Store,
    clause: &Clause,
    nature: &Nature<'_>,
    dynamic: &crate::term::PredicateSet,
) -> Option<Vec<usize>> {
    let is_volatile = |literal: TermId| {
        crate::term::calls(store, literal).iter().any(|call| {
            store.functor(call.atom) == Some(nature.state)
                && store
                    .functor(store.arguments(call.atom)[0])
                    .is_some_and(|fluent| nature.volatile.contains(&fluent))
        })
    };
    let is_dynamic = |literal: TermId| {
        let calls = crate::term::calls(store, literal);
        let mut called = calls.iter().filter_map(|call| store.functor(call.atom));
        called.any(|functor| dynamic.contains(&functor))
    };
    let body = &clause.body;
    if !body.iter().any(|&literal| is_volatile(literal)) {
        return None;
    }
    let lasts = |at: &usize| !is_volatile(body[*at]);
    let mut part: Vec<usize> = (0..body.len()).filter(lasts).collect();
    // What shares no variable with a condition on the state has no business in the part.
    // `core`: the variables of conditions on the state. A static condition such as `role(P)` alone would multiply
    // the part's rows for nothing.
    let core = part.iter().filter(|&&at| is_dynamic(body[at]));
    let core: FxHashSet<u32> = core.flat_map(|&at| store.variables(body[at])).collect();
    part.retain(|&at| {
        let mut variables = store.variables(body[at]).into_iter();
        is_dynamic(body[at]) || variables.any(|variable| core.contains(&variable))
    });
    // Nor has what needs variables that only the rest binds.
    loop {
        // Dropping a condition can unbind variables of others, such as those of a `not`: repeated until nothing is
        // dropped.
        let bound = part.iter().filter(|&&at| binds(store, body[at]));
        let bound: FxHashSet<u32> = bound.flat_map(|&at| store.variables(body[at])).collect();
        let before = part.len();
        let all = part.clone();
        part.retain(|&at| {
            // A variable that occurs nowhere else is local to its negation and needs no binding.
            let others = (0..body.len()).filter(|&other| other != at);
            let others = others.flat_map(|other| store.variables(body[other]));
            let outside: FxHashSet<u32> = others.chain(store.variables(clause.head)).collect();
            binds(store, body[at])
                || store
                    .variables(body[at])
                    .iter()
                    .all(|variable| bound.contains(variable) || !outside.contains(variable))
        });
        if part.len() == before {
            break;
        }
        debug_assert!(part.len() < all.len());
    }
    let mut binders = part.iter().filter(|&&at| binds(store, body[at]));
    // Without a binder on the state the part would be static, and is evaluated once anyway.
    let dynamic = binders.any(|&at| is_dynamic(body[at]));
    let makes_terms = store.arguments(clause.head).iter().any(|&argument| {
        !store.is_ground(argument) && !matches!(store.view(argument), Term::Variable(_))
    });
    (dynamic && (makes_terms || part.len() >= WORTHWHILE_CONDITIONS)).then_some(part)
}

/// Whether a condition binds all of its variables.
fn binds(store: &Store, literal: TermId) -> bool {
    matches!(Literal::of(store, literal), Literal::Call(_))
}

fn split(store: &mut Store, clause: &Clause, number: usize, stable: &[usize]) -> Split {
    let body = &clause.body;
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (at, &literal) in body.iter().enumerate() {
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
    let mut needed: Vec<u32> = Vec::new();
    // Terms of the head that the part makes, each with the variable that stands for it in the rule.
    let mut made: Vec<(TermId, TermId)> = Vec::new();
    let mut variables = clause.variables.clone();
    let mut head = store.arguments(clause.head).to_vec();
    for argument in &mut head {
        // `move(X,Y)` with X and Y of the part: the term is made there, and the rule gets a variable for it.
        let of_part = |variable: &u32| inner.contains(variable);
        let is_variable = matches!(store.view(*argument), Term::Variable(_));
        if !is_variable
            && !store.is_ground(*argument)
            && store.variables(*argument).iter().all(of_part)
        {
            let variable = store.variable(variables.len() as u32);
            variables.push(store.symbol("made"));
            made.push((*argument, variable));
            *argument = variable;
        } else {
            needed.extend(store.variables(*argument));
        }
    }
    // Handed over is what the rest of the rule needs of the part's variables.
    needed.extend(outside.iter().flat_map(|&literal| store.variables(literal)));
    let mut shared: Vec<u32> = Vec::new();
    for variable in needed {
        if inner.contains(&variable) && !shared.contains(&variable) {
            shared.push(variable);
        }
    }
    let shared = shared.iter().map(|&variable| store.variable(variable));
    let shared: Vec<TermId> = shared.collect();
    let arguments = |made: Vec<TermId>| -> Vec<TermId> { [&shared[..], &made].concat() };
    // A name that no game can write.
    let symbol = store.symbol(&format!("rule {number} stable"));
    let part = arguments(made.iter().map(|&(term, _)| term).collect());
    let call = arguments(made.iter().map(|&(_, variable)| variable).collect());
    outside.push(store.compound(symbol, &call));
    let name = store.functor(clause.head).map(|head| head.symbol);
    Split {
        clause: number,
        part: Functor {
            symbol,
            arity: part.len() as u32,
        },
        whole: Clause {
            head: name.map_or(clause.head, |name| store.compound(name, &head)),
            body: outside,
            variables,
            ..clause.clone()
        },
        stable: Clause {
            head: store.compound(symbol, &part),
            body: inside,
            ..clause.clone()
        },
    }
}
