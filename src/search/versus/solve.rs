//! Which algorithm is tried when: turns with growing budgets of states, never of time.

use crate::gdl::Reasoner;
use crate::limits::{StopFlag, StopReason};
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::certificate::{Claim, Strategy};
use crate::search::versus::graph::{Node, StateGraph};
use crate::search::versus::induction::payoffs;
use crate::search::versus::kind::Kind;
use crate::search::versus::known::{Known, Source};
use crate::search::versus::layers::{Growth, Layered, layers};
use crate::search::versus::line::{known_line, main_line};
use crate::search::versus::outcome::{Algorithm, Gap, Outcome};
use crate::search::versus::packed_algorithm::{PackedAlgorithm, on_packed};
use crate::search::versus::question::First;
use crate::search::versus::retrograde::evaluate;
use crate::search::versus::solution::Solution;
use crate::search::versus::stages::mixed;
use crate::search::versus::start::StartBounds;
use crate::search::versus::strategy::strategy;
use crate::search::versus::sum::Sum;
use crate::search::versus::tally::Tally;
use crate::search::versus::value_table::ValueTable;
use crate::search::versus::weak::{TurnResult, WeakAlgorithm, WeakSearch};
use crate::search::versus::worth::{Bounds, Worth, snapped};

/// States of a game of which all are looked at before anything else is tried.
const SMALL: u64 = 25_000;

/// States of the first turn; most small games have fewer.
const FIRST_TURN: u64 = 25_000;

/// Layers may have so many times as many states, since they are found in so much less time.
const LAYERS_SHARE: u64 = 32;

/// The graph may grow by so many times as many, since its states are expanded in batches.
const GRAPH_SHARE: u64 = 8;

/// The same where several roles choose at once: there are so many joint moves that batches matter most.
const JOINT_GRAPH_SHARE: u64 = 64;

/// States beyond which layers are given up where the start alone may still be decided; they would take gigabytes.
const MOST_IN_LAYERS: u64 = 400_000_000;

/// How much larger each turn is than the one before.
const GROWTH: u64 = 4;

/// Nodes that the graph has room for.
const MOST_NODES: usize = u32::MAX as usize - 1;

/// Finds what each role can force from the start.
///
/// Every role has bounds, that is what was proved before a limit was reached, if one was.
pub fn solve<R: Reasoner>(mut arena: Arena<'_, R>, algorithm: Algorithm) -> Outcome {
    let roles = arena.setting.roles;
    let graph = || StateGraph::new(&arena.setting.start, roles);
    let values = arena.setting.values.iter().copied().map(Worth::of);
    let values: Vec<Worth> = values.collect();
    let mut search = GameSearch {
        start: StartBounds::new(roles, &values),
        all: graph(),
        from: 0,
        weak: WeakSearch::new(graph(), roles, &values),
        values,
        layers: PackedAlgorithm::Unknown,
        sum: SumStatus::Unknown,
        solution: None,
        // As long as nothing is decided, that is what was tried.
        algorithm: if algorithm == Algorithm::AlphaBeta {
            Algorithm::AlphaBeta
        } else {
            Algorithm::Proof
        },
    };
    let done = search.run(&mut arena, algorithm);
    let done = done.and_then(|gap| {
        search.weak_line(&mut arena)?;
        Ok(gap)
    });
    let strategies = match (&done, arena.setting.is_certified) {
        (Ok(_), true) => search.strategies(&mut arena),
        (Ok(_), false) | (Err(_), _) => Ok(Vec::new()),
    };
    let table = match (&done, arena.setting.is_tabled) {
        (Ok(_), true) => search.table(&arena.setting.limits.stop),
        (Ok(_), false) | (Err(_), _) => Ok(None),
    };
    let mut outcome = match strategies {
        Ok(strategies) => search.outcome(arena, done, strategies),
        Err(halt) => search.outcome(arena, Err(halt), Vec::new()),
    };
    match table {
        Ok(table) => outcome.table = table,
        Err(reason) => outcome.halt = outcome.halt.or(Some(reason.into())),
    }
    outcome
}

/// What is known of a game.
struct GameSearch {
    /// The payoffs that are possible, ascending.
    values: Vec<Worth>,
    /// The states reached, in order of discovery.
    all: StateGraph,
    /// The first of them that is not expanded.
    from: Node,
    weak: WeakSearch,
    layers: PackedAlgorithm<dyn Layered>,
    sum: SumStatus,
    start: StartBounds,
    /// What all states are worth to each role, if that is known.
    solution: Option<Solution>,
    algorithm: Algorithm,
}

/// What is known of parts.
enum SumStatus {
    /// Nobody looked as yet.
    Unknown,
    /// The values of all parts.
    Some(Box<Sum>),
    /// It is no sum of parts whose values are known.
    None,
}

impl GameSearch {
    /// Searches until everything is decided, or cannot be.
    fn run<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        algorithm: Algorithm,
    ) -> Result<Option<Gap>, Halt> {
        let (is_done, gap) = match algorithm {
            Algorithm::Auto => return self.turns(arena),
            Algorithm::Proof => return self.alone(arena, WeakAlgorithm::Proof),
            Algorithm::AlphaBeta => return self.alone(arena, WeakAlgorithm::AlphaBeta),
            Algorithm::Parts => (self.parts(arena)?, Gap::NoParts),
            Algorithm::Strong => (self.strong(arena, u64::MAX)?, Gap::TooLarge),
            Algorithm::Retrograde => (self.retrograde(arena, u64::MAX)?, Gap::TooLarge),
            Algorithm::Layers => {
                let growth = self.layered(arena, u64::MAX)?;
                (growth == Growth::Whole, Gap::NoLayers)
            }
        };
        Ok((!is_done).then_some(gap))
    }

    /// All algorithms in turns. The graph of all states, layers and tables are kept, so that a larger turn goes on
    /// where the last one ended.
    fn turns<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<Option<Gap>, Halt> {
        let mut budget = FIRST_TURN;
        let mut weak = vec![WeakAlgorithm::Proof, WeakAlgorithm::AlphaBeta];
        // Where states are few, all of them answer everything at once.
        if self.retrograde(arena, SMALL)? || self.parts(arena)? {
            return Ok(None);
        }
        // Where some measure grows, a search of the start comes to ends before it comes to so many states. Without one
        // it goes astray; and with more roles than two, all states tell more: what roles get under backward induction.
        let is_start_first = arena.setting.roles == 2 && self.has_layers(arena)?;
        loop {
            if !is_start_first && self.strong(arena, budget)? {
                return Ok(None);
            }
            for by in weak.clone() {
                match self.weak(arena, by, budget)? {
                    TurnResult::Decided => {
                        // Backward induction takes all states. What stops it leaves what is known.
                        if self.kind().needs_induction(arena.setting.roles) {
                            let _ = self.strong(arena, budget.saturating_mul(GROWTH));
                        }
                        return Ok(None);
                    }
                    TurnResult::Open => {}
                    TurnResult::Stuck(_) => weak.retain(|&other| other != by),
                }
            }
            if is_start_first && self.strong(arena, budget)? {
                return Ok(None);
            }
            if self.all.len() >= MOST_NODES {
                return Ok(Some(Gap::TooLarge));
            }
            budget = budget.saturating_mul(GROWTH);
        }
    }

    /// Whether some measure seems to grow with every move.
    fn has_layers<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<bool, Halt> {
        Ok(self.layered(arena, 0)? != Growth::Unsuited)
    }

    /// One algorithm for the start alone.
    fn alone<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        by: WeakAlgorithm,
    ) -> Result<Option<Gap>, Halt> {
        let mut budget = FIRST_TURN;
        loop {
            match self.weak(arena, by, budget)? {
                TurnResult::Decided => return Ok(None),
                TurnResult::Open => budget = budget.saturating_mul(GROWTH),
                TurnResult::Stuck(gap) => return Ok(Some(gap)),
            }
        }
    }

    /// Asks about the start, with a budget for each question.
    fn weak<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        by: WeakAlgorithm,
        budget: u64,
    ) -> Result<TurnResult, Halt> {
        let turn = self.weak.turn(arena, (by, budget), &mut self.start)?;
        if turn == TurnResult::Decided {
            self.algorithm = match by {
                WeakAlgorithm::Proof => Algorithm::Proof,
                WeakAlgorithm::AlphaBeta => Algorithm::AlphaBeta,
            };
        }
        Ok(turn)
    }

    /// Looks for parts, once; says whether they tell what the game is worth.
    fn parts<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<bool, Halt> {
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
            values: &self.values,
            assured: Worth::NONE,
            sum: None,
        };
        let line = known_line(arena, &mut oracle, &bounds)?;
        // With two roles that want opposite ends, what is best is what can be forced.
        self.solution = Some(Solution::of_line(kind, line));
        self.algorithm = Algorithm::Parts;
        Ok(true)
    }

    /// Looks at all states, as many as a budget allows; says whether the game is solved.
    fn strong<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>, budget: u64) -> Result<bool, Halt> {
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
            Growth::Open => Ok(false),
            Growth::Unsuited => {
                let share = if Kind::of(&self.all, false).is_turn_taking {
                    GRAPH_SHARE
                } else {
                    JOINT_GRAPH_SHARE
                };
                self.retrograde(arena, budget.saturating_mul(share))
            }
        }
    }

    /// Grows layers by a budget; evaluates them once they are whole.
    fn layered<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        budget: u64,
    ) -> Result<Growth, Halt> {
        if let PackedAlgorithm::Unknown = self.layers {
            self.layers = on_packed(arena, layers);
        }
        let layers = match &mut self.layers {
            PackedAlgorithm::Some(layers) => layers,
            PackedAlgorithm::TooLarge => return Ok(Growth::Open),
            PackedAlgorithm::Unknown | PackedAlgorithm::None => return Ok(Growth::Unsuited),
        };
        let growth = layers.grow(&mut arena.meter, budget)?;
        let census = match growth {
            Growth::Whole => layers.evaluate(&mut arena.meter)?,
            Growth::Open => return Ok(Growth::Open),
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
        self.algorithm = Algorithm::Layers;
        Ok(growth)
    }

    /// Grows the graph of all states by a budget; evaluates it once it is whole.
    fn retrograde<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        budget: u64,
    ) -> Result<bool, Halt> {
        let most = usize::try_from(budget).map_or(MOST_NODES, |most| most.min(MOST_NODES));
        if !self.all.grow(arena, (&mut self.from, most))? {
            return Ok(false);
        }
        let stop = arena.setting.limits.stop.clone();
        let kind = Kind::of(&self.all, true);
        let (mut at_least, mut at_most) = (Vec::new(), Vec::new());
        let roles = arena.setting.roles;
        for role in 0..roles {
            let values = evaluate(&self.all, role, First::Role, &stop)?;
            let (forced, mut answering) = (
                values.worth[StateGraph::START],
                values.worth[StateGraph::START],
            );
            at_least.push(values);
            // The two orders of choice differ only where several choose at once.
            if !kind.is_turn_taking {
                let values = evaluate(&self.all, role, First::Others, &stop)?;
                answering = values.worth[StateGraph::START];
                at_most.push(values);
            }
            self.start.set(role, (forced, answering));
        }
        let (line, line_ends) = main_line(&self.all, &at_least, arena)?;
        let is_induced = self.all.is_ascending() && kind.needs_induction(roles);
        let induced = is_induced.then(|| payoffs(&self.all)).flatten();
        let is_exact = self.start.bounds().iter().all(|bounds| bounds.is_exact());
        let mixed = match kind.sum {
            Some(sum) if roles == 2 && !is_exact && self.all.is_ascending() => {
                mixed(&self.all, sum, arena)?
            }
            Some(_) | None => None,
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
        self.algorithm = Algorithm::Retrograde;
        Ok(true)
    }

    /// The main line of a game of which the start alone was searched, where one role at a time chooses.
    fn weak_line<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<(), Halt> {
        let kind = self.kind();
        let bounds = self.start.bounds();
        let is_exact = bounds.iter().all(|bounds| bounds.is_exact());
        if self.solution.is_some() || !is_exact || !kind.is_turn_taking {
            return Ok(());
        }
        let mut oracle = self.weak.knowledge(self.by(), kind);
        let line = known_line(arena, &mut oracle, &bounds)?;
        self.solution = line.1.then(|| Solution::of_line(kind, line));
        Ok(())
    }

    /// Strategies for all bounds that say more than the rules do. Where two roles have a constant sum, those of one say
    /// all.
    fn strategies<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<Vec<Strategy>, Halt> {
        let kind = self.kind();
        let bounds = self.start.bounds();
        let is_told_by_one = bounds.len() == 2 && kind.is_turn_taking && kind.sum.is_some();
        let mut strategies = Vec::new();
        for (role, &bounds) in bounds.iter().enumerate() {
            let claims = self.claims(bounds);
            let mut found = 0;
            for &claim in &claims {
                let values = self.values.clone();
                let Some(source) = self.source((role, claim)) else {
                    continue;
                };
                let mut oracle = Known {
                    source,
                    values: &values,
                    assured: Worth::NONE,
                    sum: None,
                };
                let strategy = strategy(arena, &mut oracle, (role, claim))?;
                found += usize::from(strategy.is_some());
                strategies.extend(strategy);
            }
            if is_told_by_one && found == claims.len() {
                break;
            }
        }
        Ok(strategies)
    }

    /// What all states are worth, if all were solved.
    fn table(&mut self, stop: &StopFlag) -> Result<Option<ValueTable>, StopReason> {
        let kind = self.kind();
        let Some(solution) = &self.solution else {
            return Ok(None);
        };
        if !solution.at_least.is_empty() {
            let (at_least, at_most) = (&solution.at_least, &solution.at_most);
            let graph = &self.all;
            return ValueTable::of(kind, stop, |visit| {
                for node in 0..graph.len() {
                    let bounds = at_least.iter().enumerate().map(|(role, values)| {
                        let least = values.worth[node];
                        let most = at_most.get(role).map_or(least, |other| other.worth[node]);
                        Bounds {
                            at_least: least,
                            at_most: most,
                        }
                    });
                    let bounds: Vec<Bounds> = bounds.collect();
                    if let Some(state) = graph.state(node) {
                        visit(&state, &bounds);
                    }
                }
            });
        }
        match (self.algorithm, self.layers.get()) {
            (Algorithm::Layers, Some(layers)) => {
                ValueTable::of(kind, stop, |visit| layers.visit(visit))
            }
            (_, _) => Ok(None),
        }
    }

    /// What bounds claim beyond what the payoffs that are possible say.
    fn claims(&self, bounds: Bounds) -> Vec<Claim> {
        let lowest = self.values.first().copied().unwrap_or(Worth::NONE);
        let highest = self.values.last().copied().unwrap_or(Worth::MOST);
        let (least, most) = (bounds.at_least, snapped(&self.values, bounds.at_most));
        let claims = [
            (least > lowest).then_some(Claim::AtLeast(least)),
            (most < highest).then_some(Claim::AtMost(most)),
        ];
        claims.into_iter().flatten().collect()
    }

    /// What knows that a claim is true.
    fn source(&mut self, (role, claim): (usize, Claim)) -> Option<Source<'_>> {
        match self.algorithm {
            Algorithm::Proof | Algorithm::AlphaBeta | Algorithm::Auto => {
                return self.weak.source(role, claim);
            }
            Algorithm::Strong | Algorithm::Retrograde | Algorithm::Layers | Algorithm::Parts => {}
        }
        match (&self.solution, &mut self.sum, self.layers.get()) {
            (Some(known), _, _) if !known.at_least.is_empty() => {
                let (at_least, at_most) = (&known.at_least, &known.at_most);
                Some(Source::Graph(&self.all, at_least, at_most))
            }
            (Some(_), SumStatus::Some(sum), _) => Some(Source::Sum(sum)),
            (Some(_), _, Some(layers)) => Some(Source::Layers(layers)),
            (Some(_) | None, _, _) => None,
        }
    }

    fn kind(&self) -> Kind {
        match (&self.solution, self.algorithm) {
            (Some(solution), _) => solution.kind,
            (None, Algorithm::Retrograde) => Kind::of(&self.all, false),
            (None, _) => self.weak.kind(self.by()),
        }
    }

    /// The search of the start that had the last word, if one had.
    fn by(&self) -> WeakAlgorithm {
        match self.algorithm {
            Algorithm::AlphaBeta => WeakAlgorithm::AlphaBeta,
            Algorithm::Proof
            | Algorithm::Auto
            | Algorithm::Strong
            | Algorithm::Retrograde
            | Algorithm::Layers
            | Algorithm::Parts => WeakAlgorithm::Proof,
        }
    }

    fn outcome<R>(
        self,
        arena: Arena<'_, R>,
        done: Result<Option<Gap>, Halt>,
        strategies: Vec<Strategy>,
    ) -> Outcome {
        let kind = self.kind();
        Outcome {
            is_forced: self.start.is_forced(),
            bounds: self.start.bounds(),
            kind,
            line_ends: self.solution.as_ref().is_some_and(|known| known.line_ends),
            tally: self.solution.as_ref().and_then(|known| known.tally),
            induced: self
                .solution
                .as_ref()
                .and_then(|known| known.induced.clone()),
            mixed: self.solution.as_ref().and_then(|known| known.mixed.clone()),
            line: self.solution.map(|solution| solution.line),
            states: arena.meter.expanded,
            algorithm: self.algorithm,
            faults: arena.meter.faults,
            strategies,
            table: None,
            gap: done.as_ref().ok().copied().flatten(),
            halt: done.err(),
        }
    }
}
