//! All combinations of all states of the subgames: what remains where aiming does not do.
//!
//! States of a subgame that no combination can tell apart, because they have the same concepts and
//! lead to the same classes of states, are taken together first (strong bisimulation). The classes
//! and the phases of the clock make up a game of its own, in which nothing needs to be asked of the
//! rules, and which is searched breadth first.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::gdl::{GoalValue, MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::clock::Clock;
use crate::search::plan::local::{LocalGraph, Successors};
use crate::search::plan::outcome::{Proof, Remark};
use crate::search::plan::parts::{Evaluation, Parts};
use crate::search::plan::problem::Problem;

/// Combinations at most.
const MAX_COMBINATIONS: usize = 6_000_000;

/// Combinations between two polls of the limits.
const INTERVAL: usize = 4096;

/// A class of states of one subgame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct StateClass(u32);

impl StateClass {
    #[inline]
    fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The class as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A class of each subgame, and the phase of the clock, as indices in one box: there are millions of combinations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Combination(Box<[u32]>);

impl Combination {
    fn new(classes: impl Iterator<Item = StateClass>, phase: u32) -> Self {
        let classes = classes.map(|class| class.0);
        Self(classes.chain(std::iter::once(phase)).collect())
    }

    /// The class of a subgame.
    fn class(&self, part: usize) -> StateClass {
        debug_assert!(part + 1 < self.0.len());
        StateClass(self.0[part])
    }

    /// The classes of all subgames.
    fn classes(&self) -> impl Iterator<Item = StateClass> {
        let parts = self.0.len() - 1;
        self.0[..parts].iter().map(|&class| StateClass(class))
    }

    fn phase(&self) -> usize {
        self.0[self.0.len() - 1] as usize
    }

    /// The same with another class of a subgame.
    fn with(&self, part: usize, class: StateClass) -> Self {
        let mut next = self.clone();
        next.0[part] = class.0;
        next
    }

    /// The same at another phase.
    fn at(&self, phase: usize) -> Self {
        let mut next = self.clone();
        let last = next.0.len() - 1;
        next.0[last] = phase as u32;
        next
    }
}

/// A subgame with its states taken together.
pub(super) struct Quotient {
    /// By state.
    pub(super) classes: Vec<StateClass>,
    /// By class, the classes that its moves lead to, ascending.
    pub(super) successors: Vec<Vec<StateClass>>,
    /// By class, its concepts, by place among [`Product::evaluations`].
    pub(super) evaluations: Vec<usize>,
}

/// The game of classes.
pub(super) struct Product {
    pub(super) quotients: Vec<Quotient>,
    pub(super) evaluations: IndexSet<Evaluation, FxBuildHasher>,
    /// By phase of the clock, its concepts.
    phases: Vec<usize>,
    /// The phase after the last.
    repeats_from: usize,
    pub(super) waiting: Option<MoveId>,
}

/// What the concepts of a combination say.
#[derive(Clone, Copy)]
enum CombinationValue {
    GoesOn,
    IsOver(Option<GoalValue>),
}

impl Product {
    /// Takes the states of finished graphs together; nothing if the clock has too many phases.
    pub(super) fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        clock: &mut Clock,
        graphs: &mut [LocalGraph],
    ) -> Result<Option<Self>, Halt> {
        let Some((count, repeats_from)) = clock.period(problem, parts)? else {
            return Ok(None);
        };
        let mut product = Self {
            quotients: Vec::new(),
            evaluations: IndexSet::default(),
            phases: Vec::new(),
            repeats_from,
            waiting: clock.waiting(),
        };
        for time in 0..count {
            let held = clock.at(problem, parts, time)?.clone();
            product.phases.push(product.evaluations.insert_full(held).0);
        }
        for graph in graphs {
            let quotient = product.quotient(problem, parts, graph)?;
            product.quotients.push(quotient);
        }
        Ok(Some(product))
    }

    fn quotient<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graph: &mut LocalGraph,
    ) -> Result<Quotient, Halt> {
        let mut successors: Vec<Successors> = Vec::new();
        let mut evaluations: Vec<usize> = Vec::new();
        for node in 0..graph.len() {
            successors.push(graph.successors(problem, parts, node)?);
            let held = graph.evaluation(node).clone();
            evaluations.push(self.evaluations.insert_full(held).0);
        }
        // Partition refinement from the evaluations on, until the number of classes stays.
        let classes = evaluations.iter().copied().map(StateClass::from_index);
        let mut classes: Vec<StateClass> = classes.collect();
        let mut count = 0;
        loop {
            problem.poll()?;
            let (finer, found) = refined(&classes, &successors);
            let is_stable = found == count;
            (classes, count) = (finer, found);
            if is_stable {
                break;
            }
        }
        let mut quotient = Quotient {
            successors: vec![Vec::new(); count],
            evaluations: vec![0; count],
            classes,
        };
        for (node, &class) in quotient.classes.iter().enumerate() {
            // Any member stands for its class: all have the same concepts and lead to the same classes.
            let reached = successors[node]
                .iter()
                .map(|&(_, next)| quotient.classes[next]);
            quotient.successors[class.index()] = sorted(reached);
            quotient.evaluations[class.index()] = evaluations[node];
        }
        Ok(quotient)
    }

    /// What follows a combination, each once.
    fn successors(&self, combination: &Combination) -> Vec<Combination> {
        let next = combination.phase() + 1;
        let phase = if next < self.phases.len() {
            next
        } else {
            self.repeats_from
        };
        let base = combination.at(phase);
        let mut found = Vec::new();
        if self.waiting.is_some() {
            // A combination changes by time alone, or by a move in one subgame; time passes in both.
            found.push(base.clone());
        }
        for (part, quotient) in self.quotients.iter().enumerate() {
            let classes = &quotient.successors[combination.class(part).index()];
            found.extend(classes.iter().map(|&class| base.with(part, class)));
        }
        found
    }

    /// The concepts of a combination, by place.
    fn evaluation(&self, combination: &Combination) -> Box<[usize]> {
        let parts = self.quotients.iter().zip(combination.classes());
        let mut places: Vec<usize> = parts
            .map(|(quotient, class)| quotient.evaluations[class.index()])
            .collect();
        places.push(self.phases[combination.phase()]);
        places.into()
    }

    /// What concepts say.
    fn value(&self, parts: &Parts<'_>, places: &[usize]) -> CombinationValue {
        let mut held = Evaluation::new();
        for &place in places {
            held.union_with(&self.evaluations[place]);
        }
        let truths = parts.truths(&held);
        if truths.of(parts.conditions.end()) != Some(true) {
            return CombinationValue::GoesOn;
        }
        let mut values: Vec<i64> = parts.conditions.values_under(&truths, 0).collect();
        values.dedup();
        // Rules that give two values at once give none.
        CombinationValue::IsOver(match values[..] {
            [value] => GoalValue::new(value),
            _ => None,
        })
    }

    /// The moves that lead through combinations.
    fn plan<R: Reasoner>(
        &self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graphs: &mut [LocalGraph],
        way: &[Combination],
    ) -> Result<Vec<MoveId>, Halt> {
        let mut nodes = vec![0; graphs.len()];
        let mut plan = Vec::new();
        for (from, to) in way.iter().zip(&way[1..]) {
            // Two combinations in a row differ in one part at most.
            let changed = (0..graphs.len()).find(|&part| from.class(part) != to.class(part));
            if let (None, Some(mv)) = (changed, self.waiting) {
                plan.push(mv);
                continue;
            }
            // Without waiting, a move that leads to the same class.
            for part in changed.map_or(0..graphs.len(), |part| part..part + 1) {
                let successors = graphs[part].successors(problem, parts, nodes[part])?;
                let classes = &self.quotients[part].classes;
                let step = successors
                    .iter()
                    .find(|&&(_, next)| classes[next] == to.class(part));
                if let Some(&(mv, next)) = step {
                    nodes[part] = next;
                    plan.push(mv);
                    break;
                }
            }
        }
        Ok(plan)
    }
}

/// Classes told apart by where they lead, and their number.
fn refined(classes: &[StateClass], successors: &[Successors]) -> (Vec<StateClass>, usize) {
    let mut keys: IndexSet<(StateClass, Vec<StateClass>), FxBuildHasher> = IndexSet::default();
    let finer = classes.iter().zip(successors).map(|(&class, successors)| {
        let reached = sorted(successors.iter().map(|&(_, next)| classes[next]));
        StateClass::from_index(keys.insert_full((class, reached)).0)
    });
    (finer.collect(), keys.len())
}

fn sorted(classes: impl Iterator<Item = StateClass>) -> Vec<StateClass> {
    let mut classes: Vec<StateClass> = classes.collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Looks at all combinations that can be reached.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    graphs: &mut [LocalGraph],
    product: &Product,
) -> Result<Result<Proof, Remark>, Halt> {
    let mut frontier = Frontier::new(product);
    let is_exhausted = frontier.exhaust(problem, parts, product)?;
    if let Some((_, place)) = frontier.best {
        let way = frontier.way(place);
        let plan = product.plan(problem, parts, graphs, &way)?;
        problem.play(&plan)?;
    }
    Ok(match (problem.is_won(), is_exhausted) {
        (true, _) => Ok(Proof::Highest),
        (false, true) => Ok(Proof::AllSubgames),
        (false, false) => Err(Remark::TooLarge),
    })
}

/// Combinations in order of discovery.
struct Frontier {
    /// Each combination with the place of the one before.
    seen: IndexMap<Combination, usize, FxBuildHasher>,
    /// By the concepts of a combination, by place, what they say.
    values: FxHashMap<Box<[usize]>, CombinationValue>,
    /// The best end so far, and its place.
    best: Option<(GoalValue, usize)>,
}

impl Frontier {
    /// The start, whose classes are those of the first states, at the first phase of the clock.
    fn new(product: &Product) -> Self {
        let classes = product.quotients.iter().map(|quotient| quotient.classes[0]);
        let initial = Combination::new(classes, 0);
        Self {
            seen: IndexMap::from_iter([(initial, 0)]),
            values: FxHashMap::default(),
            best: None,
        }
    }

    /// Expands combinations breadth first; says whether none is left, which it is not if the highest value was found
    /// or there are too many.
    fn exhaust<R: Reasoner>(
        &mut self,
        problem: &Problem<'_, R>,
        parts: &Parts<'_>,
        product: &Product,
    ) -> Result<bool, Halt> {
        let mut at = 0;
        while let Some((combination, _)) = self.seen.get_index(at) {
            if at.is_multiple_of(INTERVAL) {
                problem.poll()?;
            }
            // Few evaluations for many combinations: the formula is evaluated once for each.
            let value = self
                .values
                .entry(product.evaluation(combination))
                .or_insert_with_key(|places| product.value(parts, places));
            match *value {
                CombinationValue::IsOver(Some(value))
                    if self.best.is_none_or(|(best, _)| value > best) =>
                {
                    self.best = Some((value, at));
                    if value == problem.highest() {
                        break;
                    }
                }
                CombinationValue::IsOver(_) => {}
                CombinationValue::GoesOn => {
                    for next in product.successors(combination) {
                        self.seen.entry(next).or_insert(at);
                    }
                }
            }
            at += 1;
            if self.seen.len() > MAX_COMBINATIONS {
                break;
            }
        }
        Ok(at == self.seen.len())
    }

    /// The combinations from the start to one.
    fn way(&self, mut place: usize) -> Vec<Combination> {
        let mut way = Vec::new();
        while let Some((combination, &from)) = self.seen.get_index(place) {
            way.push(combination.clone());
            if place == 0 {
                break;
            }
            place = from;
        }
        way.reverse();
        way
    }
}
