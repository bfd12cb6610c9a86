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
//! program.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::{self, Clause, Functor, Literal, PredicateSet, Sign, Store, TermId};

/// Rules of which some derive only what is wanted.
pub(super) struct Demand {
    /// The rules.
    pub(super) rules: Vec<Clause>,
    /// The rules that say what is wanted.
    pub(super) hints: Vec<Clause>,
}

/// The arguments that are known when a predicate is asked for, by position.
type Known = FxHashMap<Functor, Vec<bool>>;

/// A condition of a rule.
struct Call {
    condition: TermId,
    atom: TermId,
    /// The predicate, if it is restricted.
    restricted: Option<Functor>,
    negated: bool,
}

impl Demand {
    /// Restricts some predicates to what is wanted of them. `is_listed` says whether a condition can be
    /// joined.
    pub(super) fn of(
        store: &mut Store,
        rules: &[Clause],
        restricted: &PredicateSet,
        is_listed: &dyn Fn(&Store, TermId) -> bool,
    ) -> Self {
        let known = known(store, rules, restricted, is_listed);
        let mut demand = Self {
            rules: Vec::with_capacity(rules.len()),
            hints: Vec::new(),
        };
        for rule in rules {
            let calls = calls(store, rule, &known, is_listed);
            let own = wanted(store, rule.head, &known);
            for (place, call) in calls.iter().enumerate() {
                if let (Some(_), Some(head)) = (call.restricted, wanted(store, call.atom, &known)) {
                    let before = before(&calls, place).map(|call| call.condition);
                    let mut body: Vec<TermId> = own.into_iter().chain(before).collect();
                    body.extend(tests(store, rule, &body));
                    let hint = Clause {
                        origin: rule.origin.clone(),
                        ..Clause::of(store, head, body)
                    };
                    demand.hints.push(hint);
                }
            }
            let mut rule = rule.clone();
            rule.body.splice(0..0, own);
            demand.rules.push(rule);
        }
        demand
    }
}

/// The positive conditions that are joined before a call is looked at: those that are not restricted, then
/// the restricted ones in their order, then the negated ones.
fn before(calls: &[Call], place: usize) -> impl Iterator<Item = &Call> {
    let others = calls.iter().enumerate().filter(|(_, call)| !call.negated);
    let before = others.filter(move |&(other, call)| {
        call.restricted.is_none() || calls[place].negated || other < place
    });
    before.map(|(_, call)| call)
}

fn calls(
    store: &Store,
    rule: &Clause,
    known: &Known,
    is_listed: &dyn Fn(&Store, TermId) -> bool,
) -> Vec<Call> {
    let mut calls = Vec::new();
    let listed = rule.body.iter().copied();
    for condition in listed.filter(|&condition| is_listed(store, condition)) {
        for term::Call { atom, sign } in term::calls(store, condition) {
            let functor = store.functor(atom);
            calls.push(Call {
                condition,
                atom,
                restricted: functor.filter(|functor| known.contains_key(functor)),
                negated: sign == Sign::Negative,
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

/// That an atom of a restricted predicate is wanted.
fn wanted(store: &mut Store, atom: TermId, known: &Known) -> Option<TermId> {
    let functor = store.functor(atom)?;
    let known = known.get(&functor)?;
    let arguments = store.arguments(atom).iter().zip(known);
    let arguments: Vec<TermId> = arguments
        .filter(|(_, known)| **known)
        .map(|(&a, _)| a)
        .collect();
    // No rule can name a predicate with a blank.
    let name = format!("wanted {}/{}", store.name(functor.symbol), functor.arity);
    let symbol = store.symbol(&name);
    Some(store.compound(symbol, &arguments))
}

/// The positions that are known in every call of a predicate; none for predicates of which nothing is.
fn known(
    store: &Store,
    rules: &[Clause],
    restricted: &PredicateSet,
    is_listed: &dyn Fn(&Store, TermId) -> bool,
) -> Known {
    let all = restricted.iter();
    let mut known: Known = all.map(|&f| (f, vec![true; f.arity as usize])).collect();
    loop {
        let mut changed = false;
        for rule in rules {
            let calls = calls(store, rule, &known, is_listed);
            for (place, call) in calls.iter().enumerate() {
                let Some(functor) = call.restricted else {
                    continue;
                };
                let bound = bound(store, rule, &calls, place, &known);
                let is_open = |&argument: &TermId| {
                    store.any_variable(argument, |variable| !bound.contains(&variable))
                };
                let open: Vec<bool> = store.arguments(call.atom).iter().map(is_open).collect();
                if let Some(known) = known.get_mut(&functor) {
                    for (known, open) in known.iter_mut().zip(open) {
                        changed |= *known && open;
                        *known &= !open;
                    }
                }
            }
        }
        let count = known.len();
        known.retain(|_, positions| positions.contains(&true));
        if !changed && known.len() == count {
            return known;
        }
    }
}

/// The variables that are known when a call is looked at.
fn bound(
    store: &Store,
    rule: &Clause,
    calls: &[Call],
    place: usize,
    known: &Known,
) -> FxHashSet<u32> {
    let mut bound: FxHashSet<u32> = FxHashSet::default();
    let head = store
        .functor(rule.head)
        .and_then(|functor| known.get(&functor));
    if let Some(positions) = head {
        let arguments = store.arguments(rule.head).iter().zip(positions);
        for (&argument, _) in arguments.filter(|(_, known)| **known) {
            bound.extend(store.variables(argument));
        }
    }
    for call in before(calls, place) {
        bound.extend(store.variables(call.atom));
    }
    bound
}
