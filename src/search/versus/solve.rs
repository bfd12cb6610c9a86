//! Which algorithm is tried when: turns with growing budgets of states, never of time.

use crate::gdl::{MoveId, Reasoner};
use crate::search::plan::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::graph::{Graph, Node};
use crate::search::versus::kind::Kind;
use crate::search::versus::line::main_line;
use crate::search::versus::outcome::{Algorithm, Gap, Outcome, Tally};
use crate::search::versus::proof::{Proofs, Question, Verdict};
use crate::search::versus::retrograde::{First, Values, evaluate};
use crate::search::versus::worth::{Bounds, Worth};

/// States of the first turn; most small games have fewer.
const FIRST_TURN: u64 = 200_000;

/// Proof-number search may expand so many times as many states for each question.
const PROOF_SHARE: u64 = 2;

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
        bounds: vec![Bounds::OPEN; roles],
        solution: None,
        algorithm: Algorithm::Proof,
    };
    let done = search.run(&mut arena, algorithm);
    search.outcome(arena, done)
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
    /// What all states are worth to each role, if that is known.
    solution: Option<Solution>,
    algorithm: Algorithm,
}

/// A strong solution.
struct Solution {
    /// What each role can force.
    at_least: Vec<Values>,
    line: Vec<Vec<MoveId>>,
    line_ends: bool,
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
            let strong = match algorithm {
                Algorithm::Auto => Some(budget),
                Algorithm::Strong => Some(u64::MAX),
                Algorithm::Proof => None,
            };
            // The strong solution first: where the states are few it answers everything at once.
            if let Some(budget) = strong
                && self.strong(arena, budget)?
            {
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

    /// Grows the graph of all states by a budget; evaluates it once it is whole.
    fn strong<R: Reasoner>(&mut self, arena: &mut Arena<'_, R>, budget: u64) -> Result<bool, Halt> {
        let most = usize::try_from(budget).map_or(MOST_NODES, |most| most.min(MOST_NODES));
        if !self.all.grow(arena, (&mut self.from, most))? {
            return Ok(false);
        }
        let stop = arena.setting.stop.clone();
        let is_simultaneous = !Kind::of(&self.all, true).is_turn_taking;
        let mut at_least = Vec::new();
        for role in 0..self.bounds.len() {
            let values = evaluate(&self.all, role, First::Role, &stop)?;
            let forced = values.worth[Graph::START];
            // The two orders of choice differ only where several choose at once.
            let at_most = match is_simultaneous {
                false => forced,
                true => evaluate(&self.all, role, First::Others, &stop)?.worth[Graph::START],
            };
            self.bounds[role] = Bounds {
                at_least: forced,
                at_most,
            };
            at_least.push(values);
        }
        let (line, line_ends) = main_line(&self.all, &at_least, arena)?;
        self.solution = Some(Solution {
            at_least,
            line,
            line_ends,
        });
        self.algorithm = Algorithm::Strong;
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

    fn outcome<R>(self, arena: Arena<'_, R>, done: Result<Option<Gap>, Halt>) -> Outcome {
        let is_whole = self.solution.is_some();
        let graph = match is_whole || self.algorithm == Algorithm::Strong {
            true => &self.all,
            false => &self.proofs.graph,
        };
        let kind = Kind::of(graph, is_whole);
        let tally = self
            .solution
            .as_ref()
            .map(|solution| tally(&solution.at_least));
        Outcome {
            bounds: self.bounds,
            kind,
            line_ends: self.solution.as_ref().is_some_and(|known| known.line_ends),
            line: self.solution.map(|solution| solution.line),
            tally,
            states: arena.expanded,
            algorithm: self.algorithm,
            faults: arena.faults,
            gap: done.as_ref().ok().copied().flatten(),
            halt: done.err(),
        }
    }
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
        for (own, other) in first.worth.iter().zip(&second.worth) {
            match own.cmp(other) {
                std::cmp::Ordering::Greater => tally.won += 1,
                std::cmp::Ordering::Equal => tally.drawn += 1,
                std::cmp::Ordering::Less => tally.lost += 1,
            }
        }
    }
    tally
}
