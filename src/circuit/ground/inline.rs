//! Negated predicates whose rules ask one thing each: the negation of them is the negation of each.
//!
//! ```text
//! safe(F,G) ← true(cell(F)), not threat(F,G)       threat(F,G) ← row(F), field(G)
//!                                                  threat(F,G) ← column(G), field(F)
//!
//! safe(F,G) ← true(cell(F)), not (row(F) and field(G)), not (column(G) and field(F))
//! ```
//!
//! The predicate, with more arguments than any of its parts, has no instances then. Conditions like `field` depend
//! on no state, so that it is known in every instance of the rule whether they hold.

use rustc_hash::FxHashSet;

use crate::circuit::ground::definitions::{Definitions, definitions};
use crate::term::{
    Clause, Functor, Literal, PredicateSet, Store, Substitution, Term, TermId, calls, rename,
};

/// A condition becomes so many at most.
const MAX_PARTS: usize = 8;

/// What atoms of a predicate are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The same in all states, and all known.
    Listed,
    /// Derived by rules, and nothing that a player of the game asks for.
    Derived,
    /// Something else that depends on the state.
    Asked,
    /// None of these.
    Other,
}

/// Inlines what can be inlined.
pub(super) fn inline(
    store: &mut Store,
    rules: Vec<Clause>,
    kind: &dyn Fn(Functor) -> Kind,
) -> Vec<Clause> {
    let mut definitions = definitions(store, &rules);
    definitions.retain(|&head, rules| {
        let mut each = rules.iter();
        kind(head) == Kind::Derived
            && rules.len() <= MAX_PARTS
            && each.all(|rule| asks_one_thing(store, rule, kind))
    });
    let mut asked = PredicateSet::default();
    let mut inlined: Vec<Clause> = Vec::with_capacity(rules.len());
    for rule in &rules {
        let mut body = Vec::with_capacity(rule.body.len());
        for &condition in &rule.body {
            match negated(store, condition, &definitions) {
                Some((atom, parts)) => {
                    let offset = rule.variables.len() as u32;
                    let each = parts.iter();
                    body.extend(each.map(|part| negation(store, atom, part, offset)));
                }
                None => body.push(condition),
            }
        }
        // A definition that is still asked for somewhere stays.
        for &condition in &body {
            let calls = calls(store, condition);
            asked.extend(calls.iter().filter_map(|call| store.functor(call.atom)));
        }
        inlined.push(Clause {
            body,
            ..rule.clone()
        });
    }
    let gone = |rule: &Clause| {
        let head = store.functor(rule.head);
        head.is_some_and(|head| definitions.contains_key(&head) && !asked.contains(&head))
    };
    inlined.retain(|rule| !gone(rule));
    inlined
}

/// Whether a rule has one condition that depends on the state, and binds no variables but those of its head,
/// which are all different.
fn asks_one_thing(store: &Store, rule: &Clause, kind: &dyn Fn(Functor) -> Kind) -> bool {
    let mut bound: FxHashSet<u32> = FxHashSet::default();
    let plain_head = store.arguments(rule.head).iter().all(|&argument| {
        matches!(store.view(argument), Term::Variable(variable) if bound.insert(variable))
    });
    let mut open = 0;
    // One dynamic condition, all others static and over head variables: its negation is a conjunction with one
    // literal to negate and guards.
    let plain_body = rule.body.iter().all(|&condition| {
        let atom = match Literal::of(store, condition) {
            Literal::Call(atom) => atom,
            Literal::Not(_) | Literal::And(_) | Literal::Or(_) | Literal::Distinct(..) => {
                return false;
            }
        };
        let kind = store.functor(atom).map_or(Kind::Other, kind);
        open += usize::from(kind != Kind::Listed);
        kind != Kind::Other && !store.any_variable(atom, |variable| !bound.contains(&variable))
    });
    plain_head && plain_body && open == 1
}

/// The atom of a negated condition, with the rules of its predicate if they can take its place.
fn negated<'d>(
    store: &Store,
    condition: TermId,
    definitions: &'d Definitions<'_>,
) -> Option<(TermId, &'d [&'d Clause])> {
    match Literal::of(store, condition) {
        Literal::Not(atom) => Some((atom, definitions.get(&store.functor(atom)?)?)),
        Literal::Call(_) | Literal::And(_) | Literal::Or(_) | Literal::Distinct(..) => None,
    }
}

/// That a rule of an atom does not apply.
fn negation(store: &mut Store, atom: TermId, rule: &Clause, offset: u32) -> TermId {
    let mut bound = Substitution::default();
    let head = rename(store, rule.head, offset);
    let unified = bound.unify(store, head, atom);
    debug_assert!(
        unified,
        "the head has no arguments but variables, each once"
    );
    let body = rule.body.iter();
    let mut body: Vec<TermId> = body
        .map(|&condition| {
            let condition = rename(store, condition, offset);
            bound.apply(store, condition)
        })
        .collect();
    body.dedup();
    let all = match body[..] {
        [one] => one,
        _ => {
            let and = store.symbol("and");
            store.compound(and, &body)
        }
    };
    let not = store.symbol("not");
    store.compound(not, &[all])
}
