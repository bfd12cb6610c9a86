//! What follows from the rules alone, asked for when it is needed.

use rustc_hash::FxHashSet;

use crate::gdl::{Keyword, Keywords};
use crate::limits::Limits;
use crate::rules::{Dynamic, Rules};
use crate::term::{Clause, Store, Substitution, TermId};

/// Steps that one question may take.
const MAX_STEPS: u64 = 1_000_000;

/// The evaluator of what never changes.
pub(super) struct Facts<'a> {
    rules: &'a [Clause],
    limits: Limits,
    evaluator: Option<Rules>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(rules: &'a [Clause], limits: &Limits) -> Self {
        Self {
            rules,
            limits: limits.clone(),
            evaluator: None,
        }
    }

    /// The values of the variables of an atom for which it is a fact, at most `most`; none if there
    /// are more, or if it takes too long to find them.
    pub(super) fn solutions(
        &mut self,
        store: &mut Store,
        atom: TermId,
        most: usize,
    ) -> Option<Vec<Substitution>> {
        let functor = store.functor(atom)?;
        let arguments = store.arguments(atom).to_vec();
        let given: Vec<Option<TermId>> = arguments
            .iter()
            .map(|&argument| store.is_ground(argument).then_some(argument))
            .collect();
        let open: Vec<TermId> = arguments
            .into_iter()
            .filter(|&argument| !store.is_ground(argument))
            .collect();
        let limits = Limits {
            steps: Some(MAX_STEPS),
            ..self.limits.clone()
        };
        let mut found: Vec<Substitution> = Vec::new();
        // An answer says what all variables are, so that different answers are different values.
        let mut seen: FxHashSet<Vec<TermId>> = FxHashSet::default();
        let evaluator = self.evaluator(store)?;
        let outcome = evaluator.solve(store, functor, &given, &limits, &mut |store, answer| {
            // An argument that is partly open, such as f(X), is matched with the answer.
            let mut unifier = Substitution::default();
            let mut pairs = open.iter().zip(answer);
            let fits = pairs.all(|(&open, &term)| unifier.unify(store, open, term));
            if fits && seen.insert(answer.to_vec()) {
                found.push(unifier);
            }
            // One answer more than `most` ends the search: that there are more is all that is told of them.
            found.len() <= most
        });
        (outcome.is_ok() && found.len() <= most).then_some(found)
    }

    /// Whether an atom is a fact for no values of its variables; no if that takes too long to say.
    pub(super) fn never_holds(&mut self, store: &mut Store, atom: TermId) -> bool {
        self.solutions(store, atom, 0)
            .is_some_and(|found| found.is_empty())
    }

    fn evaluator(&mut self, store: &mut Store) -> Option<&mut Rules> {
        if self.evaluator.is_none() {
            let keywords = Keywords::of(store);
            let dynamic = Dynamic {
                state: keywords.functor(Keyword::True),
                moves: keywords.functor(Keyword::Does),
            };
            let mut rules = Rules::new(store, self.rules.to_vec(), dynamic).ok()?;
            rules.materialize(store, &self.limits).ok()?;
            self.evaluator = Some(rules);
        }
        self.evaluator.as_mut()
    }
}
