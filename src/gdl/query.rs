//! Questions about states: the instances of a condition that hold.
//!
//! The condition is the body of a rule of its own, so that all that rules can say can be asked:
//!
//! ```text
//! (and (true (cell ?x ?y b)) (not (goal ?r 100)))        asked(X,Y) ← true(cell(X,Y,b)), not goal(R,100)
//! ```
//!
//! Variables that stand under `not` alone are read as "there is no", as in rules, and have no values.

use crate::gdl::error::{GameError, ReasonerError};
use crate::gdl::state::State;
use crate::gdl::tabled::Tabled;
use crate::gdl::vocabulary::Vocabulary;
use crate::limits::Limits;
use crate::term::{Clause, Functor, Literal, Store, TermId};

/// A condition that can be asked of states.
#[derive(Clone, Debug)]
pub struct StateQuery {
    tabled: Tabled,
    predicate: Functor,
    /// The variables that have values, by number.
    variables: Vec<u32>,
}

impl StateQuery {
    pub(super) fn new(
        vocabulary: &mut Vocabulary,
        clauses: &[Clause],
        condition: TermId,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let store = vocabulary.store_mut();
        let variables = positive_variables(store, condition);
        let arguments: Vec<TermId> = variables.iter().map(|&v| store.variable(v)).collect();
        // No rule can name a predicate with a blank.
        let symbol = store.symbol("asked of state");
        let head = store.compound(symbol, &arguments);
        let rule = Clause::of(store, head, vec![condition]);
        let mut tabled = Tabled::new(
            store,
            [clauses, &[rule]].concat(),
            Vec::new(),
            limits.clone(),
        )?;
        tabled.materialize(store)?;
        Ok(Self {
            tabled,
            predicate: Functor {
                symbol,
                arity: variables.len() as u32,
            },
            variables,
        })
    }

    /// The numbers of the variables that have values, in order of first occurrence.
    pub fn variables(&self) -> &[u32] {
        &self.variables
    }

    /// The instances that hold in a state: for each, the values of the variables; each once, in order of discovery.
    /// One without values if the condition holds and has no variables.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    pub fn answers(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<Vec<Box<[TermId]>>, ReasonerError> {
        self.tabled.answers_in(vocabulary, state, self.predicate)
    }
}

/// The variables of a condition that stand under no `not`, each once.
fn positive_variables(store: &Store, condition: TermId) -> Vec<u32> {
    let mut found = Vec::new();
    let mut pending = vec![condition];
    while let Some(condition) = pending.pop() {
        match Literal::of(store, condition) {
            Literal::Call(atom) => {
                for variable in store.variables(atom) {
                    if !found.contains(&variable) {
                        found.push(variable);
                    }
                }
            }
            Literal::And(parts) | Literal::Or(parts) => pending.extend(parts.iter().rev()),
            Literal::Not(_) | Literal::Distinct(..) => {}
        }
    }
    found
}
