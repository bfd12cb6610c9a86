//! Which algorithm is tried when: turns with growing budgets of states, never of time.

use std::cmp::Ordering;

use crate::circuit::symmetry::symmetries;
use crate::gdl::{MoveId, Reasoner};
use crate::search::plan::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::certificate::{Claim, Strategy};
use crate::search::versus::graph::{Graph, Node};
use crate::search::versus::induction::payoffs;
use crate::search::versus::kind::Kind;
use crate::search::versus::known::{Known, Source};
use crate::search::versus::layers::{Census, Growth, Layered, layers};
use crate::search::versus::line::{known_line, main_line};
use crate::search::versus::outcome::{Algorithm, Gap, Outcome, Tally};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::proof::{Proofs, Question, Verdict};
use crate::search::versus::retrograde::{First, Values, evaluate};
use crate::search::versus::stages::{Mixed, mixed};
use crate::search::versus::strategy::strategy;
use crate::search::versus::sum::Sum;
use crate::search::versus::worth::{Bounds, Worth, snapped};

/// States that are looked at before it is asked whether the game is a sum of parts.
const BEFORE_PARTS: u64 = 10_000;

/// States of the first turn; most small games have fewer.
const FIRST_TURN: u64 = 200_000;

/// Proof-number search may expand so many times as many states for each question.
const PROOF_SHARE: u64 = 2;

/// Layers may have so many times as many states, since they are found in so much less time.
const LAYERS_SHARE: u64 = 64;

/// States beyond which layers are given up where proof-number search may still decide the game; they would take
/// gigabytes.
const MOST_IN_LAYERS: u64 = 400_000_000;

/// Gates of a circuit for whose states it pays to be packed.
const MOST_GATES: usize = 50_000;

/// How much larger each turn is than the one before.
const GROWTH: u64 = 8;

/// Nodes that the graph has room for.
const MOST_NODES: usize = u32::MAX as usize - 1;

/// Finds what each role can force from the start.
///
/// Every role has bounds, that is what was proved before a limit was reached, if one was.
pub fn solve<R: Reasoner>(mut arena: Arena<'_, R>, algorithm: Algorithm) -> Outcome {
    let roles = arena.setting.roles;
    let graph = || Graph::new(&arena.setting.start, roles);
    let mut search = Search {
        all: graph(),
        from: 0,
        proofs: Proofs::new(graph(), roles),
        is_simultaneous: false,
        layers: Layering::Unknown,
        sum: Parting::Unknown,
        bounds: vec![Bounds::OPEN; roles],
        solution: None,
        algorithm: Algorithm::Proof,
    };
    let done = search.run(&mut arena, algorithm);
    let strategies = match (&done, arena.setting.is_certified) {
        (Ok(_), true) => search.strategies(&mut arena),
        (Ok(_), false) | (Err(_), _) => Ok(Vec::new()),
    };
    match strategies {
        Ok(strategies) => search.outcome(arena, done, strategies),
        Err(halt) => search.outcome(arena, Err(halt), Vec::new()),
    }
}

/// What came of a turn of proof-number search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// Everything is decided.
    Decided,
    /// A larger budget may decide more.
    Open,
    /// No budget will.
    Stuck(Gap),
}

/// What is known of a game.
struct Search {
    /// The states reached, in order of discovery.
    all: Graph,
    /// The first of them that is not expanded.
    from: Node,
    proofs: Proofs,
    /// Proof-number search met a state in which several roles choose.
    is_simultaneous: bool,
    bounds: Vec<Bounds>,
    layers: Layering,
    sum: Parting,
    /// What all states are worth to each role, if that is known.
    solution: Option<Solution>,
    algorithm: Algorithm,
}

/// What is known of layers.
enum Layering {
    /// Nobody looked as yet.
    Unknown,
    /// The layers, as far as they are expanded.
    Some(Box<dyn Layered>),
    /// There are too many states in them.
    TooLarge,
    /// There are none.
    None,
}

/// What is known of parts.
enum Parting {
    /// Nobody looked as yet.
    Unknown,
    /// The values of all parts.
    Some(Box<Sum>),
    /// It is no sum of parts whose values are known.
    None,
}

/// A solution that says what any state is worth.
struct Solution {
    /// Numbers of states, if all were looked at.
    tally: Option<Tally>,
    kind: Kind,
    /// The payoffs under backward induction, where they may be others.
    induced: Option<Vec<Worth>>,
    /// What two roles get by chance, where that is more than what they can force for certain.
    mixed: Option<Mixed>,
    line: Vec<Vec<MoveId>>,
    line_ends: bool,
    /// By role, what all states of the graph are worth; empty if they were solved layer by layer.
    at_least: Vec<Values>,
    /// The same where others choose first; empty if that is the same.
    at_most: Vec<Values>,
}

impl Search {
    /// Takes turns until everything is decided, or cannot be.
    fn run<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        algorithm: Algorithm,
    ) -> Result<Option<Gap>, Halt> {
        let mut budget = FIRST_TURN;
        loop {
            let done = match algorithm {
                Algorithm::Auto => {
                    self.retrograde(arena, BEFORE_PARTS)?
                        || self.parts(arena)?
                        || self.strong(arena, budget)?
                }
                Algorithm::Parts => match self.parts(arena)? {
                    true => true,
                    false => return Ok(Some(Gap::NoParts)),
                },
                Algorithm::Strong => self.strong(arena, u64::MAX)?,
                Algorithm::Retrograde => self.retrograde(arena, u64::MAX)?,
                Algorithm::Layers => match self.layered(arena, u64::MAX)? {
                    Growth::Whole => true,
                    Growth::Open | Growth::Unsuited => return Ok(Some(Gap::NoLayers)),
                },
                Algorithm::Proof => false,
            };
            // The strong solution first: where the states are few it answers everything at once.
            if done {
                return Ok(None);
            }
            if self.all.len() >= MOST_NODES {
                return Ok(Some(Gap::TooLarge));
            }
            let gap = match self.weak(arena, budget.saturating_mul(PROOF_SHARE))? {
                Turn::Decided => {
                    self.algorithm = Algorithm::Proof;
                    return Ok(None);
                }
                Turn::Open => None,
                Turn::Stuck(gap) => Some(gap),
            };
            if algorithm == Algorithm::Proof && gap.is_some() {
                return Ok(gap);
            }
            // The graph of all states and the bounds are kept, so that a larger turn goes on where the last one ended.
            budget = budget.saturating_mul(GROWTH);
        }
    }

    /// Looks for parts, once; says whether they tell what the game is worth.
    fn parts<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<bool, Halt> {
        if let Parting::Unknown = self.sum {
            self.sum = match Sum::of(arena)? {
                Some(sum) => Parting::Some(Box::new(sum)),
                None => Parting::None,
            };
        }
        let Parting::Some(sum) = &mut self.sum else {
            return Ok(false);
        };
        let Some(bounds) = sum.bounds(&arena.setting.start) else {
            self.sum = Parting::None;
            return Ok(false);
        };
        self.bounds = bounds.to_vec();
        let ends = sum.payoffs().map(|payoffs| payoffs.to_vec());
        let kind = Kind::turn_taking(&ends);
        let mut oracle = Known {
            source: Source::Sum(sum),
            values: &[],
        };
        let (line, line_ends) = known_line(arena, &mut oracle, &bounds)?;
        self.solution = Some(Solution {
            tally: None,
            kind,
            // With two roles that want opposite ends, what is best is what can be forced.
            induced: None,
            mixed: None,
            line,
            line_ends,
            at_least: Vec::new(),
            at_most: Vec::new(),
        });
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
                self.layers = Layering::TooLarge;
                Ok(false)
            }
            Growth::Open => Ok(false),
            Growth::Unsuited => self.retrograde(arena, budget),
        }
    }

    /// Grows layers by a budget; evaluates them once they are whole.
    fn layered<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        budget: u64,
    ) -> Result<Growth, Halt> {
        if let Layering::Unknown = self.layers {
            self.layers = find_layers(arena);
        }
        let layers = match &mut self.layers {
            Layering::Some(layers) => layers,
            Layering::TooLarge => return Ok(Growth::Open),
            Layering::Unknown | Layering::None => return Ok(Growth::Unsuited),
        };
        let growth = layers.grow(&mut arena.meter, budget)?;
        let census = match growth {
            Growth::Whole => layers.evaluate(&mut arena.meter)?,
            Growth::Open => return Ok(Growth::Open),
            Growth::Unsuited => None,
        };
        let Some(census) = census else {
            self.layers = Layering::None;
            return Ok(Growth::Unsuited);
        };
        for (bounds, &worth) in self.bounds.iter_mut().zip(layers.value()) {
            (bounds.at_least, bounds.at_most) = (worth, worth);
        }
        let kind = Kind::turn_taking(&layers.payoffs());
        self.solution = Some(Solution {
            tally: Some(Tally::of_census(&census)),
            kind,
            induced: kind
                .needs_induction(self.bounds.len())
                .then(|| layers.induced().to_vec()),
            mixed: None,
            line: layers.line(arena.vocabulary),
            line_ends: true,
            at_least: Vec::new(),
            at_most: Vec::new(),
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
        for role in 0..self.bounds.len() {
            let values = evaluate(&self.all, role, First::Role, &stop)?;
            let forced = values.worth[Graph::START];
            self.bounds[role] = Bounds {
                at_least: forced,
                at_most: forced,
            };
            at_least.push(values);
            // The two orders of choice differ only where several choose at once.
            if !kind.is_turn_taking {
                let values = evaluate(&self.all, role, First::Others, &stop)?;
                self.bounds[role].at_most = values.worth[Graph::START];
                at_most.push(values);
            }
        }
        let (line, line_ends) = main_line(&self.all, &at_least, arena)?;
        let roles = self.bounds.len();
        let induced = match self.all.is_ascending() && kind.needs_induction(roles) {
            true => payoffs(&self.all),
            false => None,
        };
        let is_exact = self.bounds.iter().all(|bounds| bounds.is_exact());
        let mixed = match kind.sum {
            Some(sum) if roles == 2 && !is_exact && self.all.is_ascending() => {
                mixed(&self.all, sum, arena)?
            }
            Some(_) | None => None,
        };
        self.solution = Some(Solution {
            tally: Some(tally(&at_least)),
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

    /// Asks about the start by proof-number search.
    fn weak<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>, budget: u64) -> Result<Turn, Halt> {
        if self.is_simultaneous {
            return Ok(Turn::Stuck(Gap::Simultaneous));
        }
        let values: Vec<Worth> = arena
            .setting
            .values
            .iter()
            .map(|&value| Worth::of(value))
            .collect();
        let mut turn = Turn::Decided;
        for role in 0..self.bounds.len() {
            // Bisection over the payoffs that are still possible: 101 values take seven questions.
            while let Some(at_least) = next_question(&values, self.bounds[role]) {
                let question = Question { role, at_least };
                let verdict = self.proofs.ask(arena, question, budget);
                let bounds = self.proofs.at_start(role);
                let own = &mut self.bounds[role];
                own.at_least = own.at_least.max(bounds.at_least);
                own.at_most = own.at_most.min(snapped(&values, bounds.at_most));
                turn = match (verdict?, turn) {
                    (Verdict::Proved | Verdict::Disproved, _) => continue,
                    (Verdict::Simultaneous, _) => {
                        self.is_simultaneous = true;
                        return Ok(Turn::Stuck(Gap::Simultaneous));
                    }
                    // Another turn may decide what only lacks budget.
                    (Verdict::Open, _) | (Verdict::Cyclic, Turn::Open) => Turn::Open,
                    (Verdict::Cyclic, _) => Turn::Stuck(Gap::Cycles),
                };
                break;
            }
        }
        Ok(turn)
    }

    /// Strategies for all bounds that say more than the rules do. Where two roles have a constant sum, those of the
    /// first say all.
    fn strategies<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>) -> Result<Vec<Strategy>, Halt> {
        let values: Vec<Worth> = arena
            .setting
            .values
            .iter()
            .copied()
            .map(Worth::of)
            .collect();
        let lowest = values.first().copied().unwrap_or(Worth::NONE);
        let highest = values.last().copied().unwrap_or(Worth::MOST);
        let kind = self.kind();
        let is_told_by_first = self.bounds.len() == 2 && kind.is_turn_taking && kind.sum.is_some();
        let roles = match is_told_by_first {
            true => 1,
            false => self.bounds.len(),
        };
        let mut strategies = Vec::new();
        for (role, bounds) in self.bounds[..roles].iter().enumerate() {
            let (least, most) = (bounds.at_least, bounds.at_most);
            let claims = [
                (least > lowest).then_some(Claim::AtLeast(least)),
                (most < highest).then_some(Claim::AtMost(most)),
            ];
            for claim in claims.into_iter().flatten() {
                let source = match (&self.solution, &mut self.layers, &mut self.sum) {
                    (Some(known), _, _) if !known.at_least.is_empty() => {
                        Source::Graph(&self.all, &known.at_least, &known.at_most)
                    }
                    (Some(_), _, Parting::Some(sum)) => Source::Sum(sum),
                    (Some(_), Layering::Some(layers), _) => Source::Layers(layers.as_mut()),
                    (Some(_) | None, _, _) => Source::Proofs(&self.proofs),
                };
                let mut oracle = Known {
                    source,
                    values: &values,
                };
                strategies.extend(strategy(arena, &mut oracle, (role, claim))?);
            }
        }
        Ok(strategies)
    }

    fn kind(&self) -> Kind {
        match &self.solution {
            Some(solution) => solution.kind,
            None if self.algorithm == Algorithm::Retrograde => Kind::of(&self.all, false),
            None => Kind::of(&self.proofs.graph, false),
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
            bounds: self.bounds,
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
            gap: done.as_ref().ok().copied().flatten(),
            halt: done.err(),
        }
    }
}

/// The layers of a game, if its circuit is known and states are narrow enough.
fn find_layers<R: Reasoner>(arena: &mut Arena<'_, R>) -> Layering {
    let circuit = arena.setting.circuit.clone();
    let Some(circuit) = circuit.filter(|circuit| circuit.gates.len() <= MOST_GATES) else {
        return Layering::None;
    };
    // What keeps states from being packed does not keep the game from being solved.
    let Ok(game) = PackedGame::new(&circuit, arena.vocabulary, &arena.setting.limits.stop) else {
        return Layering::None;
    };
    let symmetries = symmetries(&circuit);
    layers(game, &arena.setting.start, &symmetries).map_or(Layering::None, Layering::Some)
}

/// What to ask next of a role: the payoff in the middle of those that are not decided, upwards.
fn next_question(values: &[Worth], bounds: Bounds) -> Option<Worth> {
    let open = values
        .iter()
        .filter(|&&value| bounds.at_least < value && value <= bounds.at_most);
    let open: Vec<Worth> = open.copied().collect();
    open.get(open.len() / 2).copied()
}

/// Counts states by what the first two roles can force in them.
fn tally(values: &[Values]) -> Tally {
    let mut tally = Tally {
        positions: values.first().map_or(0, |values| values.worth.len() as u64),
        ..Tally::default()
    };
    if let [first, second] = values {
        let pairs = first.worth.iter().zip(&second.worth);
        pairs.for_each(|(own, other)| tally.count(own.cmp(other), 1));
    }
    tally
}

impl Tally {
    fn of_census(census: &Census) -> Self {
        let mut tally = Self {
            longest: Some(census.longest),
            ..Self::default()
        };
        for by_worth in &census.states {
            for (&states, worths) in by_worth.iter().zip(&census.worths) {
                tally.positions += states;
                if let [first, second] = worths[..] {
                    tally.count(first.cmp(&second), states);
                }
            }
        }
        tally
    }

    /// Counts states by how what the first role can force compares to what the second can.
    fn count(&mut self, order: Ordering, states: u64) {
        let counter = match order {
            Ordering::Greater => &mut self.won,
            Ordering::Equal => &mut self.drawn,
            Ordering::Less => &mut self.lost,
        };
        *counter += states;
    }
}
