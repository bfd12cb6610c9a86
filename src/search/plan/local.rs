//! The states of one subgame, found as they are needed.
//!
//! The graph only grows and is shared by heuristic and exhaustive search, so that no local state is computed twice.

use std::rc::Rc;

use crate::analysis::{Cube, Distance};
use crate::gdl::{MoveId, Reasoner, State, States};
use crate::search::halt::Halt;
use crate::search::plan::parts::{Evaluation, Owner, Parts};
use crate::search::plan::problem::{Problem, Scope};

/// Where the moves of a state lead.
pub(super) type Successors = Rc<[(MoveId, usize)]>;

/// The graph of one subgame.
pub(super) struct LocalGraph {
    part: usize,
    states: States,
    /// By state, where its moves lead, once that is known.
    successors: Vec<Option<Successors>>,
    /// By state, the concepts of this part that hold in it.
    evaluations: Vec<Evaluation>,
    /// By state, how far it is from the concepts; nothing if they are single fluents.
    distances: Vec<Box<[Distance]>>,
    /// Whether the end has come in a state whatever the other subgames do.
    is_over: Vec<bool>,
    /// The first states are known with their successors.
    finished: usize,
}

impl LocalGraph {
    /// The graph of a part, of which the initial state is known.
    pub(super) fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        part: usize,
    ) -> Result<Self, Halt> {
        let initial = parts.initial().clone();
        let local = parts.local(problem.vocabulary(), &initial, part);
        let mut graph = Self {
            part,
            states: States::of(&local),
            successors: Vec::new(),
            evaluations: Vec::new(),
            distances: Vec::new(),
            is_over: Vec::new(),
            finished: 0,
        };
        graph.look_at(problem, parts, &initial)?;
        Ok(graph)
    }

    /// The number of states that are known.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The concepts of this part that hold in a state.
    pub(super) fn evaluation(&self, node: usize) -> &Evaluation {
        &self.evaluations[node]
    }

    /// How far a state is from concepts of this part being so.
    pub(super) fn distance(&self, node: usize, wanted: &Cube) -> u32 {
        let distances = &self.distances[node];
        let evaluation = &self.evaluations[node];
        // Sum of what is missing for each wanted concept; one that can never be so makes it infinite.
        let missing =
            wanted
                .iter()
                .map(|&(concept, value)| match (distances.get(concept), value) {
                    (None, _) => u16::from(evaluation.contains(concept) != value),
                    (Some(distance), true) => distance.to_true,
                    (Some(distance), false) => distance.to_false,
                });
        missing.fold(0, |sum, distance| match distance {
            u16::MAX => u32::MAX,
            distance => sum.saturating_add(u32::from(distance)),
        })
    }

    /// Whether the end has come in a state whatever the other subgames do.
    pub(super) fn is_over(&self, node: usize) -> bool {
        self.is_over[node]
    }

    /// Where the moves of a state lead. A state in which the game is over has none.
    pub(super) fn successors<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        node: usize,
    ) -> Result<Successors, Halt> {
        if let Some(known) = &self.successors[node] {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        // Moves are found in the whole state that has this local state and is as initially elsewhere [G07, Definition
        // 3.3].
        if let Some(local) = self.states.get(node).filter(|_| !self.is_over[node]) {
            let whole = parts.whole(problem.vocabulary(), &local, self.part);
            let mut moves = Vec::new();
            parts.moves_of(problem, &whole, Owner::Part(self.part), &mut moves)?;
            for mv in moves {
                let next = problem.successor(&whole, mv, Scope::Local)?;
                let local = parts.local(problem.vocabulary(), &next, self.part);
                let (place, is_new) = self.states.insert(&local);
                if is_new {
                    self.look_at(problem, parts, &next)?;
                }
                found.push((mv, place));
            }
        }
        let found: Successors = found.into();
        self.successors[node] = Some(found.clone());
        Ok(found)
    }

    /// Finds all states there are, breadth first, unless they are more than so many.
    pub(super) fn finish<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        most: usize,
    ) -> Result<bool, Halt> {
        // Breadth first: the states are their own queue.
        while self.finished < self.len() {
            if self.len() > most {
                return Ok(false);
            }
            self.successors(problem, parts, self.finished)?;
            self.finished += 1;
        }
        Ok(true)
    }

    /// Evaluates the concepts in a state that was added.
    fn look_at<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        whole: &State,
    ) -> Result<(), Halt> {
        let (evaluation, distances) = parts.look_at(problem.vocabulary_mut(), whole, self.part)?;
        let truths = parts.truths_of_part(self.part, &evaluation);
        // Known from this part alone, whatever the concepts of the others are.
        let is_over = truths.of(parts.conditions.end()) == Some(true);
        self.is_over.push(is_over);
        self.evaluations.push(evaluation);
        self.distances.push(if parts.is_plain() {
            Box::default()
        } else {
            distances.into()
        });
        self.successors.push(None);
        Ok(())
    }
}
