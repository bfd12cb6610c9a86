//! Parameters: arguments that rules hand on, but do not choose.
//!
//! ```text
//! free(F,G,P) ← next(F,G), field(P)
//! free(F,G,P) ← next(F,H), true(cell(H,blank)), free(H,G,P)
//! ```
//!
//! Bottom up, such an argument takes every value of its kind, whatever somebody asks for.

use crate::circuit::ground::demand::{Known, Wanted};
use crate::term::{Clause, Functor, Literal, Store, Term, TermId};

/// The parameters of predicates, by position, for those that have some; `is_static` says what depends on no state.
pub(super) fn parameters(
    store: &Store,
    rules: &[Clause],
    is_static: &dyn Fn(Functor) -> bool,
) -> Known {
    let heads = rules.iter().filter_map(|rule| store.functor(rule.head));
    let mut known: Known = heads
        .map(|head| {
            let known = vec![false; head.arity as usize];
            (head, Wanted { known, apart: true })
        })
        .collect();
    // A least fixpoint: an argument is a parameter if all that its rule does with it is hand it to parameters, so
    // that one found may make others.
    let mut changed = true;
    while changed {
        changed = false;
        for rule in rules {
            let Some(functor) = store.functor(rule.head) else {
                continue;
            };
            for (place, &argument) in store.arguments(rule.head).iter().enumerate() {
                if !known[&functor].known[place]
                    && is_handed_on(store, (rule, argument), &known, is_static)
                {
                    known[&functor].known[place] = true;
                    changed = true;
                }
            }
        }
    }
    known.retain(|_, wanted| wanted.known.contains(&true));
    known
}

/// Whether nothing but what kind a variable is of, and what it differs from, is asked of it where a rule stands.
fn is_handed_on(
    store: &Store,
    (rule, argument): (&Clause, TermId),
    known: &Known,
    is_static: &dyn Fn(Functor) -> bool,
) -> bool {
    let Term::Variable(variable) = store.view(argument) else {
        return false;
    };
    let occurs = |term: TermId| store.any_variable(term, |other| other == variable);
    let conditions = rule
        .body
        .iter()
        .copied()
        .filter(|&condition| occurs(condition));
    let mut positive =
        conditions.filter(|&condition| matches!(Literal::of(store, condition), Literal::Call(_)));
    // A static condition on the variable alone says of what kind it is, and restricts nothing.
    positive.all(|atom| {
        let functor = store.functor(atom);
        match functor.and_then(|functor| known.get(&functor)) {
            Some(wanted) => {
                let mut arguments = store.arguments(atom).iter().zip(&wanted.known);
                arguments.all(|(&other, &handed_on)| !occurs(other) || handed_on)
            }
            None => store.variables(atom).len() == 1 && functor.is_some_and(is_static),
        }
    })
}
