//! Predicates that stand for conditions of rules.
//!
//! ```text
//! p(X) ← q(X), r(X,Y), s(Y)            p(X) ← q(X), part(X)        part(X) ← r(X,Y), s(Y)
//! p(X) ← q(X,Y), (r(X,Z) or s(X,Z))    p(X) ← q(X,Y), either(X)    either(X) ← r(X,Z)   either(X) ← s(X,Z)
//! ```

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::term::{Clause, Functor, Origin, Store, TermId};

/// Predicates that stand for conditions; equal ones are one predicate.
#[derive(Debug)]
pub(super) struct Parts {
    /// By the bodies of the rules, in which the variables of the head are the first ones.
    predicates: IndexMap<(u32, Vec<Vec<TermId>>), Functor, FxBuildHasher>,
    /// The rules.
    pub(super) rules: Vec<Clause>,
    /// How their names begin.
    name: &'static str,
}

impl Parts {
    pub(super) fn named(name: &'static str) -> Self {
        Self {
            predicates: IndexMap::default(),
            rules: Vec::new(),
            name,
        }
    }

    /// The call that stands for a choice between some bodies, which share these variables with what is
    /// around them.
    pub(super) fn call(
        &mut self,
        store: &mut Store,
        interface: &[u32],
        bodies: Vec<Vec<TermId>>,
        origin: &Origin,
    ) -> TermId {
        let interface: Vec<TermId> = interface.iter().map(|&v| store.variable(v)).collect();
        let head = store.symbol("part");
        let head = store.compound(head, &interface);
        let bodies = bodies.into_iter();
        // Renumbered from the interface on: equal conditions of different rules become one predicate.
        let bodies: Vec<Vec<TermId>> = bodies
            .map(|body| Clause::of(store, head, body).body)
            .collect();
        let arity = interface.len() as u32;
        let known = self.predicates.len();
        let entry = self.predicates.entry((arity, bodies.clone()));
        let functor = *entry.or_insert_with(|| Functor {
            // No rule can name a predicate with a blank; who prints it gives it a name.
            symbol: store.symbol(&format!("{} {}", self.name, known + 1)),
            arity,
        });
        if self.predicates.len() > known {
            let arguments: Vec<TermId> = (0..arity).map(|v| store.variable(v)).collect();
            let head = store.compound(functor.symbol, &arguments);
            for body in bodies {
                self.rules.push(Clause {
                    origin: origin.clone(),
                    ..Clause::of(store, head, body)
                });
            }
        }
        store.compound(functor.symbol, &interface)
    }
}
