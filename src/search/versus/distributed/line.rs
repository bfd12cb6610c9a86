//! Best play from the start, along marks that different workers have.

use crate::circuit::successors::{After, Successors};
use crate::search::versus::codes::Code;
use crate::search::versus::distributed::messages::WorkerHalt;
use crate::search::versus::distributed::shard::shard_of;
use crate::search::versus::distributed::worker::{LayerWorker, Stopped};
use crate::search::versus::folding::Folding;
use crate::search::versus::layers::LayerGame;
use crate::search::versus::lookup::{Mark, find_sorted};

impl<const W: usize> LayerWorker<'_, W> {
    /// Joint moves from the start to the end, by role as places in the circuit. All workers walk it.
    pub(super) fn line(
        &mut self,
        layers: usize,
        folding: &Folding,
    ) -> Result<Vec<Vec<u32>>, Stopped> {
        let mut line = Vec::new();
        let mut state = self.layers.start;
        let mut found = Successors::default();
        for layer in 0..layers {
            // Successors as they are, not those that stand for them: moves belong to states.
            self.layers.expander.expand(&[state], &mut found);
            let After::Choice(role) = found.after[0] else {
                break;
            };
            let next = found.codes.iter().map(|&code| (layer + 1, code));
            let asked: Vec<(usize, Code<W>)> =
                std::iter::once((layer, state)).chain(next).collect();
            let marks = self.known_marks(&asked)?;
            let Some((&Some(own), marks)) = marks.split_first() else {
                break;
            };
            let Some(best) = LayerGame::best((role, own), (&found, marks), folding) else {
                break;
            };
            let Some(joint) = self.layers.joint(role, found.moves[best]) else {
                break;
            };
            line.push(joint);
            state = found.codes[best];
        }
        Ok(line)
    }

    /// The marks of states, each in a layer, that some worker has. All workers ask for the same.
    pub(super) fn known_marks(
        &mut self,
        asked: &[(usize, Code<W>)],
    ) -> Result<Vec<Option<Mark>>, Stopped> {
        let own = self.own_marks(asked);
        let mut marks = vec![None; asked.len()];
        for known in self.agree(own)? {
            for (mark, known) in marks.iter_mut().zip(known) {
                *mark = mark.or(known);
            }
        }
        Ok(marks)
    }

    /// The marks of those of the states that this worker has.
    fn own_marks(&self, asked: &[(usize, Code<W>)]) -> Result<Vec<Option<Mark>>, WorkerHalt> {
        let mut found = vec![None; asked.len()];
        for (place, (layer, code)) in asked.iter().enumerate() {
            let code = self.layers.symmetries.canonical(code);
            let shard = shard_of(&code);
            if self.share.owner(shard) != self.share.worker {
                continue;
            }
            let (codes, marks) = (self.codes((*layer, shard))?, self.marks((*layer, shard))?);
            find_sorted(codes.iter().zip(marks), vec![(code, place)], &mut found);
        }
        Ok(found)
    }
}
