//! Ways to states, as plays.

use crate::circuit::Evaluator;
use crate::gdl::{Expansion, Expansions, Reasoner, ReasonerError, Vocabulary};
use crate::prove::finding::Play;
use crate::prove::graph::states::Graph;
use crate::term::TermId;

impl Graph {
    /// The states on the way to a state, the start first.
    pub(in crate::prove) fn path(&self, state: usize) -> Vec<usize> {
        let mut path = vec![state];
        let mut at = state;
        while at != 0 {
            at = self.parents[at] as usize;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The play to a state, and a joint move more if there is one.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub(in crate::prove) fn play_to(
        &self,
        state: usize,
        joint: Option<usize>,
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
    ) -> Result<Play, ReasonerError> {
        let mut play = self.play(&self.path(state), evaluator, vocabulary)?;
        if let Some(joint) = joint {
            let moves = self.moves(state, joint, evaluator, vocabulary)?;
            play.moves.push(moves);
        }
        Ok(play)
    }

    /// The joint move of a state, by place.
    fn moves(
        &self,
        state: usize,
        joint: usize,
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
    ) -> Result<Vec<TermId>, ReasonerError> {
        let mut expansions = Expansions::new(self.roles);
        let state = self.states.get(state).unwrap_or_default();
        // Joint moves are not kept, only where they lead: expanded again, the state gives them in the same order.
        evaluator.expand(vocabulary, &[state], &mut expansions)?;
        let moves = match expansions.iter().next() {
            Some(Expansion::Successors(successors)) => successors.iter().nth(joint),
            Some(Expansion::End(_)) | None => None,
        };
        let moves = moves.map_or(&[][..], |(moves, _)| moves).iter();
        Ok(moves.map(|&mv| vocabulary.move_term(mv)).collect())
    }

    /// The play along some states.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub(in crate::prove) fn play(
        &self,
        path: &[usize],
        evaluator: &mut Evaluator,
        vocabulary: &mut Vocabulary,
    ) -> Result<Play, ReasonerError> {
        let mut play = Play::default();
        for pair in path.windows(2) {
            let mut successors = self.successors(pair[0]).iter();
            let joint = successors.position(|&to| to as usize == pair[1]);
            let moves = self.moves(pair[0], joint.unwrap_or_default(), evaluator, vocabulary)?;
            play.moves.push(moves);
        }
        Ok(play)
    }
}
