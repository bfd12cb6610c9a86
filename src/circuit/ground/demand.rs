//! Rules that derive only what is asked for.
//!
//! Bottom up, a predicate gets all atoms that its rules can derive, and some predicates are asked for few
//! of them: a threat to any field with any piece taken off the board, asked for one king and one move.
//! Where that makes a game too large, the rules of such a predicate get one more condition, that the atom
//! is *wanted*, and there are rules that say what is:
//!
//! ```text
//! threat(F,G,P)        ← wanted threat(F,G,P), …
//! wanted threat(F,G,P) ← true(cell(F,G,king)), move(…, P)      from each rule that asks for threat(F,G,P)
//! ```
//!
//! This is the magic set transformation of deductive databases; what is wanted is not part of the ground
//! program. Where atoms that are wanted are as many as those that there are, each argument by itself is wanted:
//!
//! ```text
//! free(F,G,P) ← wanted free 2(P), …
//! ```

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::term::{self, Clause, Functor, Literal, PredicateSet, Sign, Store, SymbolId, TermId};

/// Rules of which some derive only what is wanted.
pub(super) struct Demand {
    /// The rules.
    pub(super) rules: Vec<Clause>,
    /// The rules that say what is wanted.
    pub(super) hints: Vec<Clause>,
}

/// The arguments by which predicates are restricted.
pub(super) type Known = IndexMap<Functor, Wanted, FxBuildHasher>;

/// The arguments by which a predicate is restricted.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// By position: those that are known whenever the predicate is asked for.
    pub(super) known: Vec<bool>,
    /// Whether it is each argument alone that is wanted, whatever the others are.
    pub(super) apart: bool,
}

impl Wanted {
    /// All arguments are known together: single atoms are asked for.
    pub(super) fn all_arguments(functor: Functor) -> Self {
        Self {
            known: vec![true; functor.arity as usize],
            apart: false,
        }
    }
}

/// What is known of conditions.
pub(super) struct Context<'c> {
    /// Whether a condition can be joined.
    pub(super) is_listed: &'c dyn Fn(&Store, TermId) -> bool,
    /// Predicates that do not bind variables.
    pub(super) tests: &'c PredicateSet,
}

/// A condition of a rule.
struct Call {
    condition: TermId,
    atom: TermId,
    /// The predicate, if it is restricted.
    restricted: Option<Functor>,
    /// Whether it binds no variables.
    is_test: bool,
}

impl Demand {
    /// Restricts predicates to what is wanted of some of their arguments.
    pub(super) fn of(
        store: &mut Store,
        rules: &[Clause],
        restricted: Known,
        context: &Context<'_>,
    ) -> Self {
        let known = known(store, rules, restricted, context);
        let mut demand = Self {
            rules: Vec::with_capacity(rules.len()),
            hints: Vec::new(),
        };
        // For each call in a rule: what is wanted of the callee is what the caller is wanted for, joined with the
        // conditions before the call (sideways information passing, left to right).
        for rule in rules {
            let calls = calls(store, rule, &known, context);
            let each = each_wanted(store, rule.head, &known);
            let own = match all_wanted(store, rule.head, &known) {
                Some(all) => vec![all],
                None => each.clone(),
            };
            for (place, call) in calls.iter().enumerate() {
                let before = before(&calls, place).map(|call| call.condition);
                let mut body: Vec<TermId> = own.iter().copied().chain(before).collect();
                // `distinct` only where its variables are bound by now.
                body.extend(tests(store, rule, &body));
                let mut hint = |store: &mut Store, head: TermId, body: Vec<TermId>| {
                    demand.hints.push(Clause {
                        origin: rule.origin.clone(),
                        ..Clause::of(store, head, body)
                    });
                };
                // Restricting each argument by itself takes fewer conditions: a variable from the smallest one that
                // binds it.
                let candidates: Vec<TermId> = each.iter().chain(&body).copied().collect();
                for head in each_wanted(store, call.atom, &known) {
                    let body = narrowest(store, head, &candidates);
                    hint(store, head, body);
                }
                if let Some(head) = all_wanted(store, call.atom, &known) {
                    hint(store, head, body);
                }
            }
            let mut rule = rule.clone();
            rule.body.splice(0..0, own);
            demand.rules.push(rule);
        }
        demand
    }
}

/// For each variable of an atom the one condition that binds it and the fewest others: more than what is wanted,
/// found with less work.
fn narrowest(store: &Store, atom: TermId, body: &[TermId]) -> Vec<TermId> {
    let mut kept: Vec<TermId> = Vec::new();
    for variable in store.variables(atom) {
        let binding = body.iter().copied().filter(|&condition| {
            matches!(Literal::of(store, condition), Literal::Call(_))
                && store.any_variable(condition, |other| other == variable)
        });
        if let Some(condition) = binding.min_by_key(|&condition| store.variables(condition).len())
            && !kept.contains(&condition)
        {
            kept.push(condition);
        }
    }
    kept
}

/// The positive conditions that are joined before a call: those that are not restricted, then
/// the restricted ones in their order, then the tests.
fn before(calls: &[Call], place: usize) -> impl Iterator<Item = &Call> {
    let others = calls.iter().enumerate().filter(|(_, call)| !call.is_test);
    // A restricted predicate is joined late, when most of its arguments are known, and tests last of all.
    let before = others.filter(move |&(other, call)| {
        call.restricted.is_none() || calls[place].is_test || other < place
    });
    before.map(|(_, call)| call)
}

fn calls(store: &Store, rule: &Clause, known: &Known, context: &Context<'_>) -> Vec<Call> {
    let mut calls = Vec::new();
    let listed = rule.body.iter().copied();
    for condition in listed.filter(|&condition| (context.is_listed)(store, condition)) {
        for term::Call { atom, sign } in term::calls(store, condition) {
            let functor = store.functor(atom);
            calls.push(Call {
                condition,
                atom,
                restricted: functor.filter(|functor| known.contains_key(functor)),
                is_test: sign == Sign::Negative
                    || functor.is_some_and(|functor| context.tests.contains(&functor)),
            });
        }
    }
    calls
}

/// The conditions `distinct` of a rule whose variables some other conditions have.
fn tests(store: &Store, rule: &Clause, body: &[TermId]) -> Vec<TermId> {
    let variables = body
        .iter()
        .flat_map(|&condition| store.variables(condition));
    let variables: FxHashSet<u32> = variables.collect();
    let tests = rule.body.iter().copied();
    let tests = tests.filter(|&condition| {
        let is_test = matches!(Literal::of(store, condition), Literal::Distinct(..));
        is_test && !store.any_variable(condition, |variable| !variables.contains(&variable))
    });
    tests.collect()
}

/// That the known arguments are wanted together; nothing if the predicate is not restricted so.
fn all_wanted(store: &mut Store, atom: TermId, known: &Known) -> Option<TermId> {
    let wanted = known.get(&store.functor(atom)?)?;
    if wanted.apart {
        return None;
    }
    let arguments = store.arguments(atom).iter().zip(&wanted.known);
    let known: Vec<TermId> = arguments
        .filter(|(_, known)| **known)
        .map(|(&argument, _)| argument)
        .collect();
    let symbol = name(store, atom, "");
    Some(store.compound(symbol, &known))
}

/// That each of the known arguments is wanted, whatever the others are; nothing if the predicate is not restricted.
fn each_wanted(store: &mut Store, atom: TermId, known: &Known) -> Vec<TermId> {
    let functor = store.functor(atom);
    let Some(wanted) = functor.and_then(|functor| known.get(&functor)) else {
        return Vec::new();
    };
    let places = (0..wanted.known.len()).filter(|&place| wanted.known[place]);
    let each = places.map(|place| {
        let symbol = name(store, atom, &format!(" {place}"));
        let argument = store.arguments(atom)[place];
        store.compound(symbol, &[argument])
    });
    each.collect()
}

/// A name for what is wanted of a predicate. No rule can name a predicate with a blank.
fn name(store: &mut Store, atom: TermId, place: &str) -> SymbolId {
    let functor = store.functor(atom);
    let name = functor.map_or("", |functor| store.name(functor.symbol));
    let name = format!("wanted {name}/{}{place}", store.arguments(atom).len());
    store.symbol(&name)
}

/// The positions that are known in every call of a predicate; none for predicates of which nothing is.
fn known(store: &Store, rules: &[Clause], mut known: Known, context: &Context<'_>) -> Known {
    // Greatest fixpoint: all positions are taken for known, and lose that where some call leaves them open. Losing one
    // can open arguments of calls in its own rules.
    loop {
        let mut changed = false;
        for rule in rules {
            let calls = calls(store, rule, &known, context);
            for (place, call) in calls.iter().enumerate() {
                let Some(functor) = call.restricted else {
                    continue;
                };
                let bound = bound(store, rule, (&calls, place), &known);
                let is_open = |&argument: &TermId| {
                    store.any_variable(argument, |variable| !bound.contains(&variable))
                };
                let open: Vec<bool> = store.arguments(call.atom).iter().map(is_open).collect();
                if let Some(wanted) = known.get_mut(&functor) {
                    for (known, open) in wanted.known.iter_mut().zip(open) {
                        changed |= *known && open;
                        *known &= !open;
                    }
                }
            }
        }
        let count = known.len();
        known.retain(|_, wanted| wanted.known.contains(&true));
        if !changed && known.len() == count {
            return known;
        }
    }
}

/// The variables that are known when a call is made.
fn bound(
    store: &Store,
    rule: &Clause,
    (calls, place): (&[Call], usize),
    known: &Known,
) -> FxHashSet<u32> {
    let mut bound: FxHashSet<u32> = FxHashSet::default();
    let head = store
        .functor(rule.head)
        .and_then(|functor| known.get(&functor));
    if let Some(wanted) = head {
        let arguments = store.arguments(rule.head).iter().zip(&wanted.known);
        for (&argument, _) in arguments.filter(|(_, known)| **known) {
            bound.extend(store.variables(argument));
        }
    }
    for call in before(calls, place) {
        bound.extend(store.variables(call.atom));
    }
    bound
}
