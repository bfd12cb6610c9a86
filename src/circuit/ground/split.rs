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
//! pays. A part whose conditions do not bind all that connects it, because they negate something, is a *test*: it
//! can be cut out if its rules derive only what somebody asks for (see `demand`).

use rustc_hash::FxHashSet;

use crate::circuit::ground::parts::Parts;
use crate::term::{Clause, Literal, PredicateSet, Store, TermId};

type Variables = FxHashSet<u32>;

/// A way to split a rule: the conditions of the part and the variables that connect it.
struct Cut {
    inside: Vec<usize>,
    interface: Vec<u32>,
    /// Whether the part binds all its variables by itself.
    safe: bool,
}

/// How rules are split.
pub(super) struct Split<'s> {
    /// How the names of parts begin.
    pub(super) name: &'static str,
    /// Whether a condition may become part of another rule.
    pub(super) may_move: &'s dyn Fn(&Store, TermId) -> bool,
    /// Whether conditions that only bind variables may become part of another rule with those that need them.
    /// Circuits share less then.
    pub(super) guarded: bool,
    /// Parts that do not bind their variables by themselves, if there may be such: they are tests, and have to be
    /// restricted to what somebody asks for.
    pub(super) tests: Option<&'s mut PredicateSet>,
}

impl<'s> Split<'s> {
    /// Parts with such names that bind their variables by themselves.
    pub(super) fn named(name: &'static str, may_move: &'s dyn Fn(&Store, TermId) -> bool) -> Self {
        Self {
            name,
            may_move,
            guarded: true,
            tests: None,
        }
    }

    /// Splits rules; the rules of the parts come last.
    pub(super) fn rules(mut self, store: &mut Store, rules: Vec<Clause>) -> Vec<Clause> {
        let mut parts = Parts::named(self.name);
        let mut whole: Vec<Clause> = Vec::with_capacity(rules.len());
        for rule in rules {
            let rule = self.reduce(&mut parts, store, rule);
            whole.push(rule);
        }
        // Parts are reduced as well, which may append further ones.
        let mut at = 0;
        while at < parts.rules.len() {
            let rule = parts.rules[at].clone();
            parts.rules[at] = self.reduce(&mut parts, store, rule);
            at += 1;
        }
        whole.append(&mut parts.rules);
        whole
    }

    /// Cuts parts out of a rule while that pays.
    fn reduce(&mut self, parts: &mut Parts, store: &mut Store, mut rule: Clause) -> Clause {
        while let Some(cut) = self.cut(store, &rule) {
            let inside: Vec<TermId> = cut.inside.iter().map(|&at| rule.body[at]).collect();
            let call = parts.call(store, &cut.interface, vec![inside], &rule.origin);
            if let (false, Some(tests), Some(part)) =
                (cut.safe, &mut self.tests, store.functor(call))
            {
                tests.insert(part);
            }
            let mut outside: Vec<TermId> = Vec::new();
            // The call stands where the first of its conditions stood.
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

    /// The cut that binds the fewest variables together, among those that pay.
    fn cut(&self, store: &Store, rule: &Clause) -> Option<Cut> {
        let body = self.body(store, rule);
        let mut inner: Vec<u32> = body.conditions.iter().flatten().copied().collect();
        inner.sort_unstable();
        inner.dedup();
        inner.retain(|variable| !body.head.contains(variable));
        // Bucket elimination with the min-width heuristic: of all variables that can be eliminated, the one that
        // ties fewest others together.
        let cuts = inner
            .into_iter()
            .filter_map(|variable| body.around(variable));
        let cuts = cuts.filter(|(_, cut)| cut.safe || self.tests.is_some());
        let least = cuts.min_by_key(|(size, _)| *size);
        least.map(|(_, cut)| cut)
    }

    fn body(&self, store: &Store, rule: &Clause) -> Body {
        let body = rule.body.iter();
        let variables = |literal: &TermId| store.variables(*literal).into_iter().collect();
        let is_test = |atom: TermId| {
            let tests = self.tests.as_ref().zip(store.functor(atom));
            tests.is_some_and(|(tests, functor)| tests.contains(&functor))
        };
        let binds = |&literal: &TermId| matches!(Literal::of(store, literal), Literal::Call(atom) if !is_test(atom));
        Body {
            guarded: self.guarded,
            head: variables(&rule.head),
            conditions: body.clone().map(variables).collect(),
            movable: body
                .clone()
                .map(|&literal| (self.may_move)(store, literal))
                .collect(),
            binding: body.map(binds).collect(),
        }
    }
}

/// The variables of a rule.
struct Body {
    /// See [`Split::guarded`].
    guarded: bool,
    head: Variables,
    /// Of each condition.
    conditions: Vec<Variables>,
    /// Whether a condition may become part of another rule.
    movable: Vec<bool>,
    /// Whether a condition binds its variables.
    binding: Vec<bool>,
}

impl Body {
    /// The cut that eliminates a variable, with the number of variables that it binds together; nothing if
    /// it does not pay.
    fn around(&self, variable: u32) -> Option<(usize, Cut)> {
        let places = 0..self.conditions.len();
        let inside: Vec<usize> = places
            .clone()
            .filter(|&at| self.conditions[at].contains(&variable))
            .collect();
        // Around `m` in the example: does(R, mark(M,N)) and apart(X,Y,M,N) are inside; X and Y also occur outside
        // and are the interface.
        let within = self.variables(&inside);
        let inside = self.guarded(inside, &within);
        let outside: Vec<usize> = places.filter(|at| !inside.contains(at)).collect();
        let mut beyond = self.variables(&outside);
        beyond.extend(&self.head);
        let mut interface: Vec<u32> = within.intersection(&beyond).copied().collect();
        interface.sort_unstable();
        // It pays if what is left has variables that the part does not see; otherwise the rest would be as wide as
        // before.
        let pays = beyond.len() > interface.len() && !outside.is_empty();
        let may_move = inside.iter().all(|&at| self.movable[at]);
        let safe = self.bound(&inside).is_superset(&within);
        let around = self.bound(&outside);
        // A test needs its interface bound from outside.
        let known = safe || interface.iter().all(|variable| around.contains(variable));
        (pays && may_move && known).then(|| {
            let cut = Cut {
                inside,
                interface,
                safe,
            };
            (within.len(), cut)
        })
    }

    /// Conditions with those that bind the variables which they do not bind themselves, if there are such that
    /// bring no others; else they alone.
    fn guarded(&self, inside: Vec<usize>, within: &Variables) -> Vec<usize> {
        let bound = self.bound(&inside);
        // A condition such as `index(X)` that only binds may come along, as it costs nothing to repeat it.
        let guards = |&at: &usize| {
            let variables = &self.conditions[at];
            let adds = variables.is_subset(within) && !variables.is_subset(&bound);
            self.guarded && self.binding[at] && adds
        };
        let places = 0..self.conditions.len();
        let guarded: Vec<usize> = places
            .filter(|at| inside.contains(at) || guards(at))
            .collect();
        if self.bound(&guarded).is_superset(within) {
            guarded
        } else {
            inside
        }
    }

    fn variables(&self, places: &[usize]) -> Variables {
        let each = places.iter().flat_map(|&at| &self.conditions[at]);
        each.copied().collect()
    }

    /// The variables that some conditions bind.
    fn bound(&self, places: &[usize]) -> Variables {
        let binding = places.iter().filter(|&&at| self.binding[at]);
        let each = binding.flat_map(|&at| &self.conditions[at]);
        each.copied().collect()
    }
}
