//! Rules split where their conditions hang together by few variables only.
//!
//! A rule is instantiated once for each way to bind its variables. Where a variable of the body
//! connects few conditions, those become a rule of their own, and the two bind their variables
//! independently of each other:
//!
//! ```text
//! next(cell(X,Y,P)) ← true(cell(X,Y,P)), does(R, mark(M,N)), apart(X,Y,M,N)
//!
//! next(cell(X,Y,P)) ← true(cell(X,Y,P)), part(X,Y)
//! part(X,Y)         ← does(R, mark(M,N)), apart(X,Y,M,N)
//! ```
//!
//! This is the elimination of variables of constraint processing, one variable at a time, where it
//! pays.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::term::{Clause, Functor, Literal, Store, TermId};

type Variables = FxHashSet<u32>;

/// Parts that rules were split into; equal ones are one predicate.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// By conditions, in which the variables of the head are the first ones.
    predicates: IndexMap<(u32, Vec<TermId>), Functor, FxBuildHasher>,
    /// The rules of the parts.
    rules: Vec<Clause>,
    /// How their names begin.
    name: &'static str,
}

/// A way to split a rule: the conditions of the part and the variables that connect it.
struct Cut {
    inside: Vec<usize>,
    interface: Vec<u32>,
}

impl Parts {
    /// Splits rules; the rules of the parts, whose names begin alike, come last. `may_move` says which
    /// conditions may become part of another rule.
    pub(super) fn split(
        store: &mut Store,
        rules: Vec<Clause>,
        name: &'static str,
        may_move: &dyn Fn(&Store, TermId) -> bool,
    ) -> Vec<Clause> {
        let mut parts = Parts {
            name,
            ..Parts::default()
        };
        let mut whole: Vec<Clause> = Vec::with_capacity(rules.len());
        for rule in rules {
            let rule = parts.reduce(store, rule, may_move);
            whole.push(rule);
        }
        let mut at = 0;
        while at < parts.rules.len() {
            let rule = parts.rules[at].clone();
            parts.rules[at] = parts.reduce(store, rule, may_move);
            at += 1;
        }
        whole.append(&mut parts.rules);
        whole
    }

    fn reduce(
        &mut self,
        store: &mut Store,
        mut rule: Clause,
        may_move: &dyn Fn(&Store, TermId) -> bool,
    ) -> Clause {
        while let Some(cut) = cut(store, &rule, may_move) {
            let call = self.part(store, &rule, &cut);
            let mut outside: Vec<TermId> = Vec::new();
            for (position, &literal) in rule.body.iter().enumerate() {
                if position == cut.inside[0] {
                    outside.push(call);
                } else if !cut.inside.contains(&position) {
                    outside.push(literal);
                }
            }
            rule.body = outside;
        }
        rule
    }

    /// The call of the part that is cut out of a rule.
    fn part(&mut self, store: &mut Store, rule: &Clause, cut: &Cut) -> TermId {
        let interface: Vec<TermId> = cut.interface.iter().map(|&v| store.variable(v)).collect();
        let inside: Vec<TermId> = cut.inside.iter().map(|&at| rule.body[at]).collect();
        let head = store.symbol("part");
        let head = store.compound(head, &interface);
        let numbered = Clause::of(store, head, inside);
        let arity = interface.len() as u32;
        let known = self.predicates.len();
        let key = (arity, numbered.body.clone());
        let functor = *self.predicates.entry(key).or_insert_with(|| Functor {
            // No rule can name a predicate with a blank.
            symbol: store.symbol(&format!("{} {}", self.name, known + 1)),
            arity,
        });
        if self.predicates.len() > known {
            let arguments: Vec<TermId> = (0..arity).map(|v| store.variable(v)).collect();
            let head = store.compound(functor.symbol, &arguments);
            let rule = Clause {
                origin: rule.origin.clone(),
                ..Clause::of(store, head, numbered.body)
            };
            self.rules.push(rule);
        }
        store.compound(functor.symbol, &interface)
    }
}

/// The cut that binds the fewest variables together, among those that pay.
fn cut(store: &Store, rule: &Clause, may_move: &dyn Fn(&Store, TermId) -> bool) -> Option<Cut> {
    let head: Variables = store.variables(rule.head).into_iter().collect();
    let conditions: Vec<Variables> = rule
        .body
        .iter()
        .map(|&literal| store.variables(literal).into_iter().collect())
        .collect();
    let mut inner: Vec<u32> = conditions.iter().flatten().copied().collect();
    inner.sort_unstable();
    inner.dedup();
    inner.retain(|variable| !head.contains(variable));
    let mut best: Option<(usize, Cut)> = None;
    for variable in inner {
        let is_inside = |at: &usize| conditions[*at].contains(&variable);
        let (inside, outside): (Vec<usize>, Vec<usize>) = (0..rule.body.len()).partition(is_inside);
        if !inside.iter().all(|&at| may_move(store, rule.body[at])) {
            continue;
        }
        let within: Variables = inside
            .iter()
            .flat_map(|&at| &conditions[at])
            .copied()
            .collect();
        let mut beyond: Variables = outside
            .iter()
            .flat_map(|&at| &conditions[at])
            .copied()
            .collect();
        beyond.extend(&head);
        let mut interface: Vec<u32> = within.intersection(&beyond).copied().collect();
        interface.sort_unstable();
        let pays = beyond.len() > interface.len() && !outside.is_empty();
        if pays && binds(store, rule, &inside, &within) {
            let size = within.len();
            if best.as_ref().is_none_or(|(least, _)| size < *least) {
                best = Some((size, Cut { inside, interface }));
            }
        }
    }
    best.map(|(_, cut)| cut)
}

/// Whether conditions that are not negated bind all variables.
fn binds(store: &Store, rule: &Clause, inside: &[usize], variables: &Variables) -> bool {
    let mut bound: Variables = Variables::default();
    for &at in inside {
        if let Literal::Call(atom) = Literal::of(store, rule.body[at]) {
            bound.extend(store.variables(atom));
        }
    }
    bound.is_superset(variables)
}
