//! States, breadth first, with all joint moves.

use crate::circuit::Evaluator;
use crate::circuit::invariants::LANES;
use crate::gdl::{Expansion, Expansions, MoveId, Reasoner, ReasonerError, States, Vocabulary};
use crate::limits::StopReason;
use crate::prove::graph::labels::{Labeller, Labels};
use crate::prove::graph::states::Graph;

/// States and moves that may be looked at.
#[derive(Clone, Copy, Debug)]
pub(in crate::prove) struct GraphSize {
    pub(in crate::prove) states: usize,
    pub(in crate::prove) moves: usize,
}

impl Graph {
    /// Looks at states until there are no more, or there are too many, or one has too many joint moves.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub(in crate::prove) fn explore(
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
        labeller: &mut Labeller<'_>,
        size: GraphSize,
    ) -> Result<Self, ReasonerError> {
        let start = evaluator.initial_state(vocabulary)?;
        let roles = labeller.circuit.moves.len();
        let mut graph = Self {
            states: States::of(&start),
            ends: Vec::new(),
            successors: Vec::new(),
            options: Vec::new(),
            roles,
            parents: vec![0],
            depths: vec![0],
            labels: Labels::new(labeller.covers.len()),
            is_complete: false,
        };
        labeller.label(&[start], &mut graph.labels);
        let mut expansions = Expansions::new(roles);
        let mut batch = Vec::new();
        // The joint moves of a state, at most so far.
        let mut widest = 1;
        while graph.ends.len() < graph.states.len() {
            if graph.states.len() > size.states || graph.successors.len() > size.moves {
                return Ok(graph);
            }
            // Together they have no more moves than are left, about: in some games that is one state.
            let left = size.moves - graph.successors.len();
            let number = (left / widest + 1).min(LANES);
            graph.states.get_many(graph.ends.len(), number, &mut batch);
            match evaluator.expand(vocabulary, &batch, &mut expansions) {
                // One state with too many joint moves ends it; what was found is still all that plays of some length reach.
                Err(ReasonerError::Stopped(StopReason::JointMoveLimit(_))) => return Ok(graph),
                expanded => expanded?,
            }
            // Joint moves of the batch are numbered from 0; a target that one of them reaches is kept as its state
            // and the place among the joint moves of that state.
            let first = graph.ends.len();
            let covered = labeller.cover_moves(&batch, &expansions);
            let before = graph.successors.len();
            graph.add(&expansions, labeller);
            widest = widest.max(graph.widest_from(first));
            for (target, number) in covered {
                let number = before + number;
                let state = first + graph.ends[first..].partition_point(|&end| end <= number);
                let start = state.checked_sub(1).map_or(0, |last| graph.ends[last]);
                graph.labels.covered[target] = Some((state, Some(number - start)));
            }
        }
        graph.is_complete = true;
        Ok(graph)
    }

    /// The joint moves that some of the states from one on have, at most.
    fn widest_from(&self, first: usize) -> usize {
        let starts = first.checked_sub(1).map_or(0, |last| self.ends[last]);
        let ends = &self.ends[first..];
        let starts = [starts].into_iter().chain(ends.iter().copied());
        let widths = starts.zip(ends).map(|(start, end)| end - start);
        widths.max().unwrap_or(0)
    }

    /// Adds what comes after the next states.
    fn add(&mut self, expansions: &Expansions, labeller: &mut Labeller<'_>) {
        let mut added = Vec::new();
        for expansion in expansions.iter() {
            let from = self.ends.len();
            if let Expansion::Successors(successors) = expansion {
                let moves: Vec<&[MoveId]> = successors.iter().map(|(moves, _)| moves).collect();
                self.options.extend(options(&moves, self.roles));
                for (_, state) in successors.iter() {
                    let (place, is_new) = self.states.insert(state);
                    if is_new {
                        added.push(state.clone());
                        self.parents.push(from as u32);
                        self.depths.push(self.depths[from] + 1);
                    }
                    self.successors.push(place as u32);
                }
            } else {
                self.options.extend(std::iter::repeat_n(0, self.roles));
            }
            self.ends.push(self.successors.len());
        }
        labeller.label(&added, &mut self.labels);
    }
}

/// By role, the number of its moves, given all joint moves.
fn options(joint: &[&[MoveId]], roles: usize) -> Vec<u32> {
    let mut options = vec![0; roles];
    if joint.is_empty() {
        return options;
    }
    // From the last role on: its move changes with every stride of joint moves, and is the first one again after all
    // of its moves. Of ax ay az bx by bz the second role has x again after 3 (stride 1); of ax, bx (stride 3) the first
    // one never has a again, and so as many moves as are left.
    let mut stride = 1;
    for role in (0..roles).rev() {
        let first = joint[0][role];
        let own = joint.iter().step_by(stride).map(|moves| moves[role]);
        let again = own.skip(1).position(|mv| mv == first);
        let number = again.map_or(joint.len() / stride, |before| before + 1);
        options[role] = number as u32;
        stride *= number;
    }
    options
}
