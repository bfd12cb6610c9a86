//! Parts in all of which every move is one: what each can be after so many moves.
//!
//! Where all that is legal in the parts can be chosen together, parts have nothing but time in common. So it is enough
//! to know, part by part, the local states that some so many moves lead to; a goal value asks for one of each part
//! after the same number of moves:
//!
//! ```text
//! after   part 1        part 2        50 + 50 asks for a in part 1 and b in part 2
//!   9     s, t, a       u             no
//!  10     s, t          u, b          no
//!  11     s, t, a       u, b          yes
//! ```
//!
//! The states computed are those of the parts, added up, each once; in the whole game they are multiplied.

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::analysis::Cube;
use crate::gdl::{GoalValue, MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::clock::Clock;
use crate::search::plan::division::Division;
use crate::search::plan::lengths::{MAX_WAYS, fits, is_end_of_parts};
use crate::search::plan::local::LocalGraph;
use crate::search::plan::outcome::{Plan, Proof};
use crate::search::plan::parts::{Evaluation, Parts};
use crate::search::plan::problem::{Problem, Scope};

/// The local states of all parts, by number of moves.
pub(super) struct Lockstep<'d> {
    division: &'d Division,
    parts: Parts<'d>,
    clock: Clock,
    /// The number of moves after which the game is over.
    deadline: Option<usize>,
    graphs: Vec<LocalGraph>,
    /// By part, the evaluations that its states have.
    evaluations: Vec<IndexSet<Evaluation, FxBuildHasher>>,
    /// By part, by state, the number of its evaluation.
    evaluation_of: Vec<Vec<usize>>,
    /// By number of moves, by part, the states.
    layers: Vec<Vec<FixedBitSet>>,
    /// The goal values, the highest first, with the ways to end with each.
    wins: Vec<(GoalValue, Vec<Cube>)>,
    /// What is not found does not exist.
    is_exact: bool,
    is_done: bool,
}

impl<'d> Lockstep<'d> {
    /// Nothing has moved yet.
    ///
    /// # Errors
    /// [`Halt`] if a limit was reached.
    pub(super) fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        division: &'d Division,
    ) -> Result<Self, Halt> {
        let mut parts = Parts::of_division(division, problem.start().clone());
        let mut clock = Clock::new(problem, &mut parts)?;
        let deadline = clock.deadline(problem, &mut parts)?;
        let graphs = (0..parts.count()).map(|part| LocalGraph::new(problem, &mut parts, part));
        let graphs: Vec<LocalGraph> = graphs.collect::<Result<_, _>>()?;
        let wins = division.wins.iter().map(|&(value, question)| {
            let all = division.conditions.all_ways(question, MAX_WAYS);
            (value, all)
        });
        let wins: Vec<(GoalValue, Option<Vec<Cube>>)> = wins.collect();
        let is_exact = division.is_timeless
            && is_end_of_parts(&parts)
            && wins.iter().all(|(_, ways)| ways.is_some());
        let first = FixedBitSet::from_iter([0]);
        Ok(Self {
            division,
            clock,
            deadline,
            evaluations: vec![IndexSet::default(); graphs.len()],
            evaluation_of: vec![Vec::new(); graphs.len()],
            layers: vec![vec![first; graphs.len()]],
            graphs,
            wins: wins
                .into_iter()
                .map(|(value, ways)| (value, ways.unwrap_or_default()))
                .collect(),
            is_exact,
            is_done: false,
            parts,
        })
    }

    /// Looks for better plans, with so many computed states at most, but for those of one move more.
    ///
    /// # Errors
    /// [`Halt`] if a limit was reached before; the problem keeps the best plan.
    pub(super) fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        states: u64,
    ) -> Result<Option<Proof>, Halt> {
        let before = problem.counts().total();
        while !self.is_done && problem.counts().total() - before <= states {
            self.look(problem)?;
            if problem.is_won() {
                return Ok(Some(Proof::Highest));
            }
            let made = self.layers.len() - 1;
            self.is_done =
                self.deadline.is_some_and(|deadline| made >= deadline) || !self.go_on(problem)?;
        }
        Ok((self.is_done && self.is_exact).then_some(Proof::AllSubgames))
    }

    /// Makes one move more; says whether that can lead to anything new.
    fn go_on<R: Reasoner>(&mut self, problem: &mut Problem<'_, R>) -> Result<bool, Halt> {
        problem.poll()?;
        let mut layer = Vec::new();
        for (part, graph) in self.graphs.iter_mut().enumerate() {
            let last = &self.layers[self.layers.len() - 1][part];
            let mut next = FixedBitSet::with_capacity(graph.len());
            for node in last.ones() {
                for &(_, node) in graph.successors(problem, &mut self.parts, node)?.iter() {
                    next.grow_and_insert(node);
                }
            }
            if next.is_clear() {
                return Ok(false);
            }
            layer.push(next);
        }
        // Where time does not matter, states that were met before lead to what was met before.
        if self.clock.is_idle() && self.layers.contains(&layer) {
            return Ok(false);
        }
        self.layers.push(layer);
        Ok(true)
    }

    /// Looks for a goal value among the states of the last number of moves.
    fn look<R: Reasoner>(&mut self, problem: &mut Problem<'_, R>) -> Result<(), Halt> {
        let time = self.layers.len() - 1;
        let held: Vec<FixedBitSet> = (0..self.graphs.len())
            .map(|part| self.evaluations_at(time, part))
            .collect();
        let of_nobody = self.clock.at(problem, &mut self.parts, time)?.clone();
        for number in 0..self.wins.len() {
            let (value, ways) = &self.wins[number];
            if problem.best_value().is_some_and(|best| *value <= best) {
                break;
            }
            let value = *value;
            let own = self.parts.concepts(self.parts.nobody());
            // A way is gone if after this number of moves each part, and what runs by itself, is as it asks.
            let is_gone = |way: &&Cube| {
                let mut parts = held.iter().enumerate();
                fits(&of_nobody, own, way) && parts.all(|(part, held)| self.has(part, held, way))
            };
            let Some(way) = ways.iter().find(is_gone).cloned() else {
                continue;
            };
            let played = self.play(problem, &way)?;
            // Rules that give two values at once, or an end that comes of several parts together.
            self.is_exact &= played && problem.best_value() == Some(value);
        }
        Ok(())
    }

    /// The evaluations that states of a part have after so many moves.
    fn evaluations_at(&mut self, time: usize, part: usize) -> FixedBitSet {
        let graph = &self.graphs[part];
        let (known, of) = (&mut self.evaluations[part], &mut self.evaluation_of[part]);
        for node in of.len()..graph.len() {
            of.push(known.insert_full(graph.evaluation(node).clone()).0);
        }
        let mut held = FixedBitSet::with_capacity(known.len());
        held.extend(self.layers[time][part].ones().map(|node| of[node]));
        held
    }

    /// Whether one of some evaluations of a part is as a way asks.
    fn has(&self, part: usize, held: &FixedBitSet, way: &Cube) -> bool {
        let own = self.parts.concepts(part);
        let evaluations = &self.evaluations[part];
        held.ones()
            .any(|number| fits(&evaluations[number], own, way))
    }

    /// Plays a way that is gone with the last move; says whether it leads to an end, and passes none before.
    fn play<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        way: &Cube,
    ) -> Result<bool, Halt> {
        let mut local = Vec::new();
        for part in 0..self.graphs.len() {
            local.push(self.way_of_part(problem, part, way)?);
        }
        let mut state = problem.start().clone();
        let mut plan = Plan::new();
        for time in 0..self.layers.len() - 1 {
            if problem.is_terminal(&state)? {
                return Ok(false);
            }
            let wanted: Vec<MoveId> = local
                .iter()
                .filter_map(|way| way.get(time).copied())
                .collect();
            let mut moves = Vec::new();
            problem.legal_moves(&state, &mut moves)?;
            let vocabulary = problem.vocabulary();
            let class = |mv, part| self.division.class(vocabulary.move_term(mv), part);
            // A move of the game is one in every part: the one that is wanted in each, if their product has it.
            let is_joint = |mv: &MoveId| {
                let mut parts = wanted.iter().enumerate();
                parts.all(|(part, &wanted)| class(*mv, part) == class(wanted, part))
            };
            let Some(mv) = moves.into_iter().find(is_joint) else {
                return Ok(false);
            };
            state = problem.successor(&state, mv, Scope::Global)?;
            plan.push(mv);
        }
        problem.offer_end(&state, || plan)
    }

    /// The moves of a part to a state that is as a way asks, as many as were made.
    fn way_of_part<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        part: usize,
        way: &Cube,
    ) -> Result<Vec<MoveId>, Halt> {
        let own = self.parts.concepts(part);
        let graph = &mut self.graphs[part];
        let mut layers = self.layers.iter().rev().map(|layer| &layer[part]);
        let mut last = layers.next().into_iter().flat_map(FixedBitSet::ones);
        let Some(mut node) = last.find(|&node| fits(graph.evaluation(node), own, way)) else {
            return Ok(Vec::new());
        };
        let mut moves = Vec::new();
        // Backwards: some state of the layer before leads here, or this one would not be in its layer.
        for layer in layers {
            for before in layer.ones() {
                let successors = graph.successors(problem, &mut self.parts, before)?;
                if let Some(&(mv, _)) = successors.iter().find(|&&(_, next)| next == node) {
                    moves.push(mv);
                    node = before;
                    break;
                }
            }
        }
        moves.reverse();
        Ok(moves)
    }
}
