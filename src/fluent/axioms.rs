//! A game as a set of axioms: everything that the translation finds, as values.
//!
//! Terms share the variables of one store. In the axioms of an action its arguments are variables
//! of their own, the same in its precondition axiom, its state update axiom and its effects; all
//! other variables of a conjunction are existential.

use crate::fluent::condition::Conjunction;
use crate::fluent::constraint::Constraint;
use crate::fluent::effect::Effect;
use crate::fluent::support::Supports;
use crate::term::{Clause, Functor, TermId};

/// The axiomatization of a game, [G07, Definition 2.12].
#[derive(Clone, Debug)]
pub struct GameAxioms {
    /// The players; a role is named by its number in this list.
    pub roles: Vec<TermId>,
    /// Σ_init: what holds at the start, in the order of the rules.
    pub initial: Vec<TermId>,
    /// Σ_poss, by role, then by action.
    pub preconditions: Vec<PreconditionAxiom>,
    /// Σ_sua, by role, then by action; last what every joint move does. With one role that last
    /// part is in the axioms of its actions.
    pub updates: Vec<StateUpdateAxiom>,
    /// Effects of the moves of several roles together.
    pub joint: Vec<Effect>,
    /// The termination axiom: one of the conjunctions holds.
    pub termination: Vec<Alternative>,
    /// The goal value axioms, by role, then by rule.
    pub goals: Vec<GoalAxiom>,
    /// Σ_aux: the rules, by index, of relations that are none of the game's keywords, as far as
    /// the axioms call them.
    pub auxiliary: Vec<usize>,
    /// Σ_dc: what was proved of all reachable states.
    pub constraints: Vec<Constraint>,
    /// All effects, from which the updates were put together. They say all that the moves change.
    pub effects: Vec<Effect>,
    /// Relations of the rules that depend on the state and not on the moves.
    pub of_state: Vec<Functor>,
    /// Relations of the rules that depend on the moves.
    pub of_moves: Vec<Functor>,
    /// The rules of `next`, by fluent function, with the moves that they speak of in sight.
    pub supports: Vec<Supports>,
    /// All rules of the game; axioms refer to them by index.
    pub rules: Vec<Clause>,
}

/// Poss(A(x), z) ≡ one of the conjunctions holds, and z is not terminal, [G07, Definition 2.6].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreconditionAxiom {
    /// The role, by number.
    pub role: usize,
    /// The action with variables for its arguments.
    pub action: TermId,
    /// What must hold; the action is possible where one does.
    pub alternatives: Vec<Alternative>,
}

/// A conjunction and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// What must hold.
    pub conditions: Conjunction,
    /// The rule, by index.
    pub rule: usize,
}

/// What one action changes, or every joint move, [G07, Definition 2.7].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateUpdateAxiom {
    /// Role, by number, and action with variables for its arguments; none: every joint move.
    pub cause: Option<(usize, TermId)>,
    /// The cases; in every state exactly one applies.
    pub cases: Vec<Case>,
    /// Effects that are not in closed form: quantified over what the state holds, or under
    /// conditions too many to be told apart. They come in addition, whichever case applies.
    pub rest: Vec<Effect>,
}

/// State(Do(a, s)) = State(s) − `negative` + `positive`, where the conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What must hold in the state; nothing: it always applies.
    pub conditions: Conjunction,
    /// The fluents that go.
    pub negative: Vec<TermId>,
    /// The fluents that come.
    pub positive: Vec<TermId>,
    /// The rules it was read from, by index, ascending.
    pub rules: Vec<usize>,
}

/// Goal(role, z) = value where the conditions hold, [G07, Definition 2.11].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalAxiom {
    /// The role, by number.
    pub role: usize,
    /// The value: a number, or a variable of the conditions.
    pub value: TermId,
    /// What must hold.
    pub when: Alternative,
}

impl StateUpdateAxiom {
    /// Whether the axiom has the form of the definition: no effect is left over.
    pub fn is_closed(&self) -> bool {
        self.rest.is_empty()
    }
}
