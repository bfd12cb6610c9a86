//! What a search for values found.

use crate::gdl::MoveId;
use crate::search::halt::Halt;
use crate::search::versus::arena::ForcingFault;
use crate::search::versus::certificate::Strategy;
use crate::search::versus::kind::Kind;
use crate::search::versus::replies::{ConstantStrategy, ReplyStrategy};
use crate::search::versus::stages::Mixed;
use crate::search::versus::tally::Tally;
use crate::search::versus::value_table::ValueTable;
use crate::search::versus::worth::{Bounds, Worth};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForcingAlgorithm {
    /// All reachable states and proof-number search in turns, with growing budgets.
    Auto,
    /// All reachable states: layer by layer, or by retrograde analysis where there are no layers.
    Strong,
    /// All reachable states as a graph, backwards.
    Retrograde,
    /// All reachable states, layer by layer.
    Layers,
    /// Proof-number search of the first state.
    Proof,
    /// Depth-first search of the first state, with alpha-beta windows and a transposition table.
    AlphaBeta,
    /// The parts of a sum, each by itself.
    Parts,
    /// Strategies of roles that make one and the same move each, and of two roles that answer each move by a fixed one, without
    /// a search.
    Replies,
}

impl ForcingAlgorithm {
    /// The name of the algorithm.
    pub fn name(self) -> &'static str {
        match self {
            ForcingAlgorithm::Auto => "auto",
            ForcingAlgorithm::Strong => "strong",
            ForcingAlgorithm::Retrograde => "retrograde analysis",
            ForcingAlgorithm::Layers => "backward induction by layers",
            ForcingAlgorithm::Proof => "proof-number search",
            ForcingAlgorithm::AlphaBeta => "alpha-beta search",
            ForcingAlgorithm::Parts => "values of parts",
            ForcingAlgorithm::Replies => "fixed answers",
        }
    }
}

/// Why a search could not decide everything, though no limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A search of the start alone does not decide plays that may go on for ever.
    Cycles,
    /// Alpha-beta search is for games with a circuit in which at most one role has a choice at a time.
    Unsuited,
    /// There are more states than nodes can be numbered.
    TooLarge,
    /// It is not proved to be a sum of parts in which whoever cannot move loses.
    NoParts,
    /// No measure grows by one with each move, several roles choose at once, or there is no circuit.
    NoLayers,
    /// No strategies of fixed answers were found that decide it.
    NoReplies,
}

/// What a search for values found.
#[derive(Clone, Debug)]
pub struct ForcingOutcome {
    /// By role: what it can force for certain, at least; and what the others can keep it from exceeding, even if it
    /// sees their choice where several roles choose at the same moment.
    pub bounds: Vec<Bounds>,
    /// Whether the lower bound of every role is all that it can force for certain.
    pub is_forced: bool,
    /// What sort of game it is.
    pub kind: Kind,
    /// What each role gets under backward induction, where that may be more than it can force, and a state cannot come
    /// again.
    pub induced: Option<Vec<Worth>>,
    /// What two roles with a constant sum get by mixed strategies, where pure ones leave it open.
    pub mixed: Option<Mixed>,
    /// Strategies of fixed answers, found without a search, that prove bounds.
    pub replies: Vec<ReplyStrategy>,
    /// Strategies of constant moves, found without a search, that prove bounds.
    pub constants: Vec<ConstantStrategy>,
    /// Joint moves from the start in which every role forces what it can; none if it was not found.
    pub line: Option<Vec<Vec<MoveId>>>,
    /// Whether the line comes to an end of the game.
    pub line_ends: bool,
    /// Numbers of states, if all were solved.
    pub tally: Option<Tally>,
    /// States that were expanded.
    pub states: u64,
    /// Which algorithm had the last word.
    pub algorithm: ForcingAlgorithm,
    /// What is wrong with the rules.
    pub faults: Vec<ForcingFault>,
    /// Strategies that prove the bounds, if they were asked for and found.
    pub strategies: Vec<Strategy>,
    /// What all reachable states are worth, if it was asked for and they were solved.
    pub table: Option<ValueTable>,
    /// Why not everything was decided, though no limit was reached.
    pub gap: Option<Gap>,
    /// Why the search ended before it was done, if it did.
    pub halt: Option<Halt>,
}

impl ForcingOutcome {
    /// Nothing is known, of a game without roles.
    pub(super) fn unknown() -> Self {
        Self {
            bounds: Vec::new(),
            is_forced: false,
            kind: Kind {
                is_turn_taking: true,
                sum: None,
                is_proved: false,
            },
            induced: None,
            mixed: None,
            replies: Vec::new(),
            constants: Vec::new(),
            line: None,
            line_ends: false,
            tally: None,
            states: 0,
            algorithm: ForcingAlgorithm::Strong,
            faults: Vec::new(),
            strategies: Vec::new(),
            table: None,
            gap: None,
            halt: None,
        }
    }

    /// What a table says of a state.
    pub fn of_table(table: &ValueTable, bounds: &[Bounds]) -> Self {
        Self::of_known(table.kind(), bounds)
    }

    /// What is known of a state of such a game, without a search.
    pub fn of_known(kind: Kind, bounds: &[Bounds]) -> Self {
        Self {
            bounds: bounds.to_vec(),
            is_forced: true,
            kind,
            ..Self::unknown()
        }
    }

    /// Whether what each role can force is known exactly; and where two roles with a constant sum choose at the same
    /// moment, what they can force by chance.
    pub fn is_exact(&self) -> bool {
        let is_of_chance = self.bounds.len() == 2 && self.kind.sum.is_some();
        let do_meet = self.bounds.iter().all(|bounds| bounds.is_exact());
        do_meet || self.mixed.is_some() || self.is_forced && !is_of_chance
    }
}
