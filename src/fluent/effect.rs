//! Effects: what a joint move adds to the state and takes from it, and under which conditions.

use rustc_hash::FxHashSet;

use crate::fluent::condition::Conjunction;
use crate::term::{Store, Substitution, TermId};

/// Whether an effect adds or takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// The fluent does not hold next.
    Negative,
    /// The fluent holds next.
    Positive,
}

/// A change that a joint move makes to the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// Whether the fluent comes or goes.
    pub sign: Sign,
    /// What changes: all instances for which the conditions hold.
    pub fluent: TermId,
    /// The moves that bring it about: role, by number, and action. None: every joint move.
    pub moves: Vec<(usize, TermId)>,
    /// What must hold in the state. Variables that occur in no move are existential.
    pub conditions: Conjunction,
    /// The rules it was read from, by index.
    pub clauses: Vec<usize>,
}

impl Effect {
    /// The variables of the effect, each once.
    pub(super) fn variables(&self, store: &Store) -> Vec<u32> {
        let mut found = store.variables(self.fluent);
        let conditions = self.conditions.iter();
        found.extend(conditions.flat_map(|condition| condition.variables(store)));
        found.extend(self.moves.iter().flat_map(|&(_, mv)| store.variables(mv)));
        let mut seen = FxHashSet::default();
        found.retain(|&variable| seen.insert(variable));
        found
    }

    /// The effect with all bound variables replaced.
    pub(super) fn apply(&self, store: &mut Store, substitution: &Substitution) -> Effect {
        let moves = self.moves.iter();
        let moves = moves
            .map(|&(role, mv)| (role, substitution.apply(store, mv)))
            .collect();
        let conditions = self.conditions.iter();
        let conditions = conditions.map(|condition| condition.apply(store, substitution));
        Effect {
            sign: self.sign,
            conditions: conditions.collect(),
            fluent: substitution.apply(store, self.fluent),
            moves,
            clauses: self.clauses.clone(),
        }
    }
}
