//! What a search found, and how much it proved.

use crate::gdl::{Goal, GoalValue, MoveId, State};
use crate::search::halt::Halt;

/// Moves in order.
pub type Plan = Vec<MoveId>;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanAlgorithm {
    /// Decomposition with search local searches; on to other ways where that does not do.
    Auto,
    /// Concept decomposition search as it was published, \[G07, Algorithm 5.1\].
    Concept,
    /// Greedy decomposition search, \[G07, Algorithm 4.1\].
    Greedy,
    /// Breadth-first without decomposition.
    Direct,
    /// Planning as satisfiability, and nothing else.
    Plan,
    /// Iterative deepening with a transposition table, without decomposition.
    Deepening,
}

impl PlanAlgorithm {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            PlanAlgorithm::Auto => "auto",
            PlanAlgorithm::Concept => "concept",
            PlanAlgorithm::Greedy => "greedy",
            PlanAlgorithm::Direct => "direct",
            PlanAlgorithm::Deepening => "deepening",
            PlanAlgorithm::Plan => "plan",
        }
    }
}

/// Computed states: calls of the successor function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Within single subgames.
    pub local: u64,
    /// In the whole game.
    pub global: u64,
}

impl Counts {
    /// All of them.
    pub fn total(self) -> u64 {
        self.local + self.global
    }
}

/// Why nothing better can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The rules name no higher value.
    Highest,
    /// All states were seen.
    AllStates,
    /// No state that satisfies the invariants has a higher value.
    NoState,
    /// No play is longer than those that were searched, and none of them ends better.
    AllPlays,
    /// All states of all subgames were seen, and all their combinations.
    AllSubgames,
}

/// Why a game was not taken apart, or not only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Parts of which every move is one in each were searched in step.
    Together,
    /// Parts that are played one after the other were searched so.
    InTurn,
    /// Goal and end are no formulas over local concepts.
    NoConcepts,
    /// The goal values or the end are not such that subgames can be won one after the other, so
    /// that greedy search need not find the best plan.
    NotOrdered,
    /// What changes by itself changes goal or end more than once.
    Clock,
    /// There is no circuit, or not one of gates alone.
    NoPlays,
    /// Plays were looked for as long as they can be written down.
    TooLong,
    /// The subgames were too large to see all of their states.
    TooLarge,
}

/// Something that the rules of a game should not allow, with the first state that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanFault {
    /// Nothing can be done, and the game is not over.
    NoLegalMove(State),
    /// The game is over and its value is not one number.
    NoValue(State, Goal),
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct PlanOutcome {
    /// How it was found.
    pub algorithm: PlanAlgorithm,
    /// The value of the best plan; none if no end with a value was found.
    pub value: Option<GoalValue>,
    /// The best plan.
    pub plan: Option<Plan>,
    /// Why no plan is better, if that is known.
    pub proof: Option<Proof>,
    /// Whether no plan of this value is proved to be shorter.
    pub is_shortest: bool,
    /// What it cost.
    pub counts: Counts,
    /// Why the search ended before it was done, if it did.
    pub halt: Option<Halt>,
    /// What the rules should not allow, at most one of each kind.
    pub faults: Vec<PlanFault>,
    /// What there is to know about how it went.
    pub remarks: Vec<Remark>,
}
