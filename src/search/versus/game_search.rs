//! What a search has found out about a game so far, and a turn of each algorithm that finds out more.

use crate::gdl::{Reasoner, ReasonerError};
use crate::limits::{StopFlag, StopReason};
use crate::search::halt::Halt;
use crate::search::versus::arena::{Arena, ForcingSetting};
use crate::search::versus::graph::StateGraph;
use crate::search::versus::induction::payoffs;
use crate::search::versus::kind::Kind;
use crate::search::versus::known::{Known, Source};
use crate::search::versus::layers::{Growth, Layered, layers};
use crate::search::versus::line::{known_line, main_line};
use crate::search::versus::outcome::ForcingAlgorithm;
use crate::search::versus::packed_algorithm::{PackedAlgorithm, on_packed};
use crate::search::versus::question::First;
use crate::search::versus::retrograde::{NodeValues, evaluate};
use crate::search::versus::solution::Solution;
use crate::search::versus::stages::{Mixed, mixed};
use crate::search::versus::start::StartBounds;
use crate::search::versus::sum::Sum;
use crate::search::versus::tally::Tally;
use crate::search::versus::weak::{TurnResult, WeakAlgorithm, WeakSearch};
use crate::search::versus::worth::Worth;

/// Layers may have so many times as many states, since they are found in so much less time.
const LAYERS_SHARE: u64 = 32;

/// The graph may grow by so many times as many, since its states are expanded in batches.
const GRAPH_SHARE: u64 = 8;

/// The same where several roles choose at once: there are so many joint moves that batches matter more.
const JOINT_GRAPH_SHARE: u64 = 16;

/// Stages that are solved one by one even if the values at the start follow from a symmetry.
const FEW_STAGES: usize = 25_000;

/// States beyond which layers are given up where the start alone may still be decided; they would take gigabytes.
const MOST_IN_LAYERS: u64 = 400_000_000;

/// The part of memory that all states may take, in a graph or in layers, while the start alone may still be decided.
const PART_OF_ALL: u64 = 3;

/// Nodes that the graph has room for.
pub(super) const MOST_NODES: usize = u32::MAX as usize - 1;

/// States of the first turn; most small games have fewer.
pub(super) const FIRST_TURN: u64 = 25_000;

/// What is known of a game.
pub(super) struct GameSearch {
    /// The states reached, in order of discovery.
    pub(super) all: StateGraph,
    /// The index of the first of them that is not expanded.
    from: usize,
    pub(super) weak: WeakSearch,
    pub(super) layers: PackedAlgorithm<dyn Layered>,
    pub(super) sum: SumStatus,
    pub(super) start: StartBounds,
    /// What all states are worth to each role, if that is known.
    pub(super) solution: Option<Solution>,
    pub(super) algorithm: ForcingAlgorithm,
    /// There is no room for the graph: some state has too many joint moves, or all states take too much memory.
    pub(super) is_given_up: bool,
}

/// What is known of parts.
pub(super) enum SumStatus {
    /// Nobody looked as yet.
    Unknown,
    /// The values of all parts.
    Some(Box<Sum>),
    /// It is no sum of parts whose values are known.
    None,
}

impl GameSearch {
    /// Nothing is known yet.
    pub(super) fn new(setting: &ForcingSetting, algorithm: ForcingAlgorithm) -> Self {
        let values = setting.values.iter().copied().map(Worth::of);
        let graph = || StateGraph::new(&setting.start, setting.roles);
        Self {
            all: graph(),
            from: 0,
            weak: WeakSearch::new(graph(), setting.roles),
            layers: PackedAlgorithm::Unknown,
            sum: SumStatus::Unknown,
            is_given_up: false,
            start: StartBounds::new(setting.roles, values.collect()),
            solution: None,
            // As long as nothing is decided, that is what was tried.
            algorithm: if algorithm == ForcingAlgorithm::AlphaBeta {
                ForcingAlgorithm::AlphaBeta
            } else {
                ForcingAlgorithm::Proof
            },
        }
    }

    /// Whether some measure seems to grow with every move.
    pub(super) fn has_layers<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
    ) -> Result<bool, Halt> {
        Ok(self.layered(arena, 0)? != Growth::Unsuited)
    }

    /// Asks about the start, with a budget for each question.
    pub(super) fn weak<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        by: WeakAlgorithm,
        budget: u64,
    ) -> Result<TurnResult, Halt> {
        let turn = self.weak.turn(arena, (by, budget), &mut self.start)?;
        if turn == TurnResult::Decided {
            self.algorithm = match by {
                WeakAlgorithm::Proof => ForcingAlgorithm::Proof,
                WeakAlgorithm::AlphaBeta => ForcingAlgorithm::AlphaBeta,
            };
        }
        Ok(turn)
    }

    /// Looks for parts, once; says whether they tell what the game is worth.
    pub(super) fn parts<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<bool, Halt> {
        if let SumStatus::Unknown = self.sum {
            self.sum = match Sum::of(arena)? {
                Some(sum) => SumStatus::Some(Box::new(sum)),
                None => SumStatus::None,
            };
        }
        let SumStatus::Some(sum) = &mut self.sum else {
            return Ok(false);
        };
        let Some(bounds) = sum.bounds(&arena.setting.start) else {
            self.sum = SumStatus::None;
            return Ok(false);
        };
        for (role, own) in bounds.iter().enumerate() {
            self.start.set(role, (own.at_least, own.at_most));
        }
        let ends = sum.payoffs().map(|payoffs| payoffs.to_vec());
        let kind = Kind::turn_taking(&ends);
        let mut oracle = Known {
            source: Source::Sum(sum),
            values: self.start.values(),
            assured: Worth::NONE,
            sum: None,
        };
        let line = known_line(arena, &mut oracle, &bounds)?;
        // With two roles of opposite interests, what is best is what can be forced.
        self.solution = Some(Solution::of_line(kind, line));
        self.algorithm = ForcingAlgorithm::Parts;
        Ok(true)
    }

    /// Looks at all states, as many as a budget allows; says whether the game is solved.
    pub(super) fn strong<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        budget: u64,
    ) -> Result<bool, Halt> {
        // Small games are solved before their layers are found.
        if budget <= FIRST_TURN && self.retrograde(arena, budget)? {
            return Ok(true);
        }
        match self.layered(arena, budget.saturating_mul(LAYERS_SHARE))? {
            Growth::Whole => Ok(true),
            Growth::Open if budget > MOST_IN_LAYERS / LAYERS_SHARE => {
                self.layers = PackedAlgorithm::TooLarge;
                Ok(false)
            }
            Growth::Open | Growth::TooLarge => Ok(false),
            Growth::Unsuited => {
                let share = if Kind::of(&self.all, false).is_turn_taking {
                    GRAPH_SHARE
                } else {
                    JOINT_GRAPH_SHARE
                };
                let most = budget.saturating_mul(share);
                let room = match budget {
                    u64::MAX => u64::MAX,
                    _ => self.room(arena),
                };
                let is_done = self.retrograde(arena, most.min(room))?;
                if !is_done && room < most {
                    // The start alone may still be decided.
                    self.all = StateGraph::new(&arena.setting.start, arena.setting.roles);
                    self.is_given_up = true;
                }
                Ok(is_done)
            }
        }
    }

    /// Nodes that the graph may have where other algorithms need memory as well.
    fn room<R: Reasoner>(&self, arena: &Arena<'_, R>) -> u64 {
        let Some(bytes) = arena.setting.limits.bytes else {
            return u64::MAX;
        };
        let nodes = self.all.len() as u64;
        let a_node = (self.all.bytes() as u64).div_ceil(nodes);
        (bytes as u64 / PART_OF_ALL / a_node).max(nodes)
    }

    /// Grows layers by a budget; evaluates them once they are whole.
    pub(super) fn layered<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        budget: u64,
    ) -> Result<Growth, Halt> {
        if let PackedAlgorithm::Unknown = self.layers {
            self.layers = on_packed(arena, layers);
        }
        let layers = match &mut self.layers {
            PackedAlgorithm::Some(layers) => layers,
            PackedAlgorithm::TooLarge => return Ok(Growth::TooLarge),
            PackedAlgorithm::Unknown | PackedAlgorithm::None => return Ok(Growth::Unsuited),
        };
        // Who asks for all states alone has all the memory for them.
        let room = match (budget, arena.setting.limits.bytes) {
            (u64::MAX, _) | (_, None) => u64::MAX,
            (_, Some(bytes)) => bytes as u64 / PART_OF_ALL,
        };
        let growth = layers.grow(&mut arena.meter, (budget, room))?;
        // Layers that are not whole can be grown later; a measure that fails, or more vectors of worths than a byte
        // can number, ends them.
        let census = match growth {
            Growth::Whole => layers.evaluate(&mut arena.meter)?,
            Growth::Open => return Ok(Growth::Open),
            Growth::TooLarge => {
                self.layers = PackedAlgorithm::TooLarge;
                return Ok(Growth::TooLarge);
            }
            Growth::Unsuited => None,
        };
        let Some(census) = census else {
            self.layers = PackedAlgorithm::None;
            return Ok(Growth::Unsuited);
        };
        for (role, &worth) in layers.value().iter().enumerate() {
            self.start.set(role, (worth, worth));
        }
        let kind = Kind::turn_taking(&layers.payoffs());
        let needs_induction = kind.needs_induction(arena.setting.roles);
        self.solution = Some(Solution {
            tally: Some(Tally::of_census(&census)),
            induced: needs_induction.then(|| layers.induced().to_vec()),
            ..Solution::of_line(kind, (layers.line(arena.vocabulary), true))
        });
        self.algorithm = ForcingAlgorithm::Layers;
        Ok(growth)
    }

    /// Grows the graph of all states by a budget; evaluates it once it is whole.
    pub(super) fn retrograde<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        budget: u64,
    ) -> Result<bool, Halt> {
        let most = usize::try_from(budget).map_or(MOST_NODES, |most| most.min(MOST_NODES));
        if self.is_given_up || !self.grow(arena, most)? {
            return Ok(false);
        }
        let kind = Kind::of(&self.all, true);
        let roles = arena.setting.roles;
        let (at_least, at_most) = self.evaluate_graph(kind, roles, &arena.setting.limits.stop)?;
        let (line, line_ends) = main_line(&self.all, &at_least, arena)?;
        let is_induced = self.all.is_ascending() && kind.needs_induction(roles);
        let induced = is_induced.then(|| payoffs(&self.all)).flatten();
        let is_exact = self.start.bounds().iter().all(|bounds| bounds.is_exact());
        // Chance helps only where the bounds of pure choice leave a gap, and stages are solved one by one only where no
        // state comes again.
        let is_of_chance = roles == 2 && !is_exact && self.all.is_ascending();
        let mixed = match kind.sum.filter(|_| is_of_chance) {
            Some(sum) => self.stages(sum, arena)?,
            None => None,
        };
        self.solution = Some(Solution {
            tally: Some(Tally::of_values(&at_least)),
            kind,
            induced,
            mixed,
            line,
            line_ends,
            at_least,
            at_most,
        });
        self.algorithm = ForcingAlgorithm::Retrograde;
        Ok(true)
    }

    /// Grows the graph of all states to so many; says whether it is whole.
    fn grow<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>, most: usize) -> Result<bool, Halt> {
        match self.all.grow(arena, (&mut self.from, most)) {
            // Other algorithms need not make all joint moves of a state at once.
            Err(Halt::Reasoner(ReasonerError::Stopped(StopReason::JointMoveLimit(_)))) => {
                self.is_given_up = true;
                Ok(false)
            }
            grown => grown,
        }
    }

    /// What each role can force in all states of the graph, if it chooses first; and if the others do, where that makes
    /// a difference.
    fn evaluate_graph(
        &mut self,
        kind: Kind,
        roles: usize,
        stop: &StopFlag,
    ) -> Result<(Vec<NodeValues>, Vec<NodeValues>), StopReason> {
        let (mut at_least, mut at_most) = (Vec::new(), Vec::new());
        for role in 0..roles {
            let values = evaluate(&self.all, role, First::Role, stop)?;
            let forced = values.worth[StateGraph::START.index()];
            let mut answering = forced;
            at_least.push(values);
            // The two orders of choice differ only where several choose at once.
            if !kind.is_turn_taking {
                let values = evaluate(&self.all, role, First::Others, stop)?;
                answering = values.worth[StateGraph::START.index()];
                at_most.push(values);
            }
            self.start.set(role, (forced, answering));
        }
        Ok((at_least, at_most))
    }

    /// The main line of a game of which the start alone was searched, where one role at a time chooses.
    pub(super) fn weak_line<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<(), Halt> {
        let kind = self.kind();
        let bounds = self.start.bounds();
        let is_exact = bounds.iter().all(|bounds| bounds.is_exact());
        if self.solution.is_some() || !is_exact || !kind.is_turn_taking {
            return Ok(());
        }
        let by = self.by();
        let mut oracle = self.weak.knowledge(by, kind, &self.start);
        let line = known_line(arena, &mut oracle, &bounds)?;
        // A line that does not come to an end shows nothing.
        self.solution = line.1.then(|| Solution::of_line(kind, line));
        Ok(())
    }

    /// Whether the value of two roles with a constant sum that choose at once depends on mixed strategies, which take all
    /// states.
    pub(super) fn is_open_by_chance(&self) -> bool {
        let kind = self.kind();
        let bounds = self.start.bounds();
        let is_exact = bounds.iter().all(|bounds| bounds.is_exact());
        let is_opposed = bounds.len() == 2 && !kind.is_turn_taking && kind.sum.is_some();
        is_opposed && !is_exact && !self.is_given_up
    }

    /// What two roles get by chance, stage by stage, or where these are many by what is proved of the rules.
    fn stages<R: Reasoner>(
        &mut self,
        sum: u32,
        arena: &mut Arena<'_, R>,
    ) -> Result<Option<Mixed>, Halt> {
        // Fractions grow from stage to stage, so that many stages may take for ever.
        if self.all.len() > FEW_STAGES {
            self.weak.assure(arena, u64::MAX);
            if let Some(mixed) = self.weak.equals(Some(sum)) {
                return Ok(Some(mixed));
            }
        }
        mixed(&self.all, sum, arena)
    }

    /// What two roles get that can be exchanged at the start, where pure strategies leave it open.
    pub(super) fn equals(&self) -> Option<Mixed> {
        let bounds = self.start.bounds();
        let is_exact = bounds.iter().all(|bounds| bounds.is_exact());
        self.weak.equals(None).filter(|_| !is_exact)
    }

    /// Looks for what roles force by constant moves; says whether that decides the start.
    pub(super) fn constants<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> bool {
        self.weak.assure(arena, FIRST_TURN);
        self.weak.keep_constant(arena, &mut self.start);
        self.is_decided_by_replies()
    }

    /// Looks for what two roles force by fixed answers; says whether that decides the start.
    pub(super) fn replies<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> bool {
        self.weak.reply(arena, &mut self.start);
        self.is_decided_by_replies()
    }

    fn is_decided_by_replies(&mut self) -> bool {
        let bounds = self.start.bounds();
        let is_decided = bounds.iter().all(|bounds| bounds.is_exact());
        if is_decided {
            self.algorithm = ForcingAlgorithm::Replies;
        }
        is_decided
    }

    pub(super) fn kind(&self) -> Kind {
        match (&self.solution, self.algorithm) {
            (Some(solution), _) => solution.kind,
            (None, ForcingAlgorithm::Retrograde) => Kind::of(&self.all, false),
            (None, _) => self.weak.kind(self.by()),
        }
    }

    /// The search of the start that had the last word, if one had.
    fn by(&self) -> WeakAlgorithm {
        match self.algorithm {
            ForcingAlgorithm::AlphaBeta => WeakAlgorithm::AlphaBeta,
            ForcingAlgorithm::Proof
            | ForcingAlgorithm::Auto
            | ForcingAlgorithm::Strong
            | ForcingAlgorithm::Retrograde
            | ForcingAlgorithm::Layers
            | ForcingAlgorithm::Parts
            | ForcingAlgorithm::Replies => WeakAlgorithm::Proof,
        }
    }
}
