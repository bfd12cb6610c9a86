//! Which algorithm is tried when: turns with growing budgets of states, never of time.

use std::cmp::Ordering;

use crate::gdl::{MoveId, Reasoner, State};
use crate::search::plan::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::automorphism::symmetries;
use crate::search::versus::certificate::{Claim, Strategy};
use crate::search::versus::graph::{Graph, Node};
use crate::search::versus::induction::payoffs;
use crate::search::versus::kind::Kind;
use crate::search::versus::layers::{Census, Growth, Layered, layers};
use crate::search::versus::line::main_line;
use crate::search::versus::outcome::{Algorithm, Gap, Outcome, Tally};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::proof::{Proofs, Question, Verdict};
use crate::search::versus::retrograde::{First, Values, evaluate};
use crate::search::versus::stages::{Mixed, mixed};
use crate::search::versus::strategy::{Knowledge, Oracle, strategy};
use crate::search::versus::worth::{Bounds, Worth};

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

/// A strong solution.
struct Solution {
    tally: Tally,
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
                Algorithm::Auto => self.strong(arena, budget)?,
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
            tally: Tally::of_census(&census),
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
            tally: tally(&at_least),
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
                let mut oracle = Known {
                    all: &self.all,
                    layers: &self.layers,
                    proofs: &self.proofs,
                    solution: self.solution.as_ref(),
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
            tally: self.solution.as_ref().map(|known| known.tally),
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

/// What is known of states in the end.
struct Known<'s> {
    all: &'s Graph,
    layers: &'s Layering,
    proofs: &'s Proofs,
    solution: Option<&'s Solution>,
    values: &'s [Worth],
}

impl Known<'_> {
    /// What a graph of which all nodes are evaluated says of a state.
    fn in_graph(&self, solution: &Solution, role: usize, state: &State) -> Knowledge {
        let Some(node) = self.all.find(state) else {
            return Knowledge::NONE;
        };
        let values = &solution.at_least[role];
        let at_least = values.worth[node];
        let at_most = solution
            .at_most
            .get(role)
            .map_or(at_least, |values| values.worth[node]);
        // Without cycles, edges lead to later nodes; with them, moves lead to what was attracted before.
        let rank = match values.order.get(node) {
            Some(&order) => order.saturating_add(1),
            None => u32::MAX - node as u32,
        };
        Knowledge {
            bounds: Bounds { at_least, at_most },
            rank,
        }
    }
}

impl Oracle for Known<'_> {
    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge> {
        match (self.solution, self.layers) {
            (Some(solution), _) if !solution.at_least.is_empty() => {
                let states = states.iter();
                states
                    .map(|state| self.in_graph(solution, role, state))
                    .collect()
            }
            (Some(_), Layering::Some(layers)) => layers.know(role, states),
            (Some(_) | None, _) => {
                let bounds = states.iter().map(|state| self.proofs.of_state(role, state));
                let known = bounds.map(|bounds| Knowledge {
                    bounds: Bounds {
                        at_least: bounds.at_least,
                        at_most: snapped(self.values, bounds.at_most),
                    },
                    rank: 0,
                });
                known.collect()
            }
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

/// The greatest possible payoff that a bound allows.
fn snapped(values: &[Worth], at_most: Worth) -> Worth {
    let possible = values.iter().rev().find(|&&value| value <= at_most);
    possible.copied().unwrap_or(Worth::NONE)
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
