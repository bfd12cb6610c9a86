//! The values of all states, asked of a directory in which a strong solution has left its layers.

use std::path::Path;

use crate::gdl::{State, Vocabulary};
use crate::search::versus::arena::ForcingSetting;
use crate::search::versus::distributed::checkpoint::Checkpoint;
use crate::search::versus::distributed::cluster::ClusterError;
use crate::search::versus::distributed::run::solution;
use crate::search::versus::distributed::shard::shard_of;
use crate::search::versus::distributed::store::Store;
use crate::search::versus::folding::Folding;
use crate::search::versus::kind::Kind;
use crate::search::versus::layers::LayerGame;
use crate::search::versus::lookup::find_sorted;
use crate::search::versus::packed::PackedStates;
use crate::search::versus::worth::Bounds;

/// What every state is worth that a strong solution in a directory has reached. Nothing of it is in memory: to find a state,
/// the file of its shard is read.
pub struct LayerTable {
    layers: Box<dyn Layers>,
    kind: Kind,
}

/// The layers in a directory, whatever the width of their codes.
trait Layers {
    fn find(&self, state: &State) -> Result<Option<Vec<Bounds>>, ClusterError>;
}

struct LayersOf<const W: usize> {
    game: LayerGame<W>,
    store: Store,
    /// Number of layers.
    layers: usize,
    folding: Folding,
}

impl LayerTable {
    /// The solution in a directory, of a setting whose start is that of the solution.
    ///
    /// # Errors
    /// [`ClusterError`]: there is none of this game and start, or it is not finished.
    pub fn open(
        directory: &Path,
        setting: &ForcingSetting,
        vocabulary: &mut Vocabulary,
    ) -> Result<Self, ClusterError> {
        let wrong = |reason: &str| ClusterError::File {
            path: directory.to_owned(),
            reason: reason.to_owned(),
        };
        let packed = setting.packed(vocabulary);
        let packed = packed.ok_or_else(|| wrong("the game has no layers"))?;
        let words = packed.0.packing.words;
        let found = match words {
            0..=1 => LayersOf::<1>::open(directory, &packed, setting, vocabulary)?,
            2 => LayersOf::<2>::open(directory, &packed, setting, vocabulary)?,
            3..=4 => LayersOf::<4>::open(directory, &packed, setting, vocabulary)?,
            _ => None,
        };
        found.ok_or_else(|| wrong("it has no finished solution"))
    }

    /// What sort of game it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What a state is worth to each role, in their order; none if it is not among those that were reached.
    ///
    /// # Errors
    /// [`ClusterError`]: a file cannot be read, or is damaged.
    pub fn find(&self, state: &State) -> Result<Option<Vec<Bounds>>, ClusterError> {
        self.layers.find(state)
    }
}

impl<const W: usize> LayersOf<W> {
    /// The layers in a directory, if they are finished.
    fn open(
        directory: &Path,
        packed: &PackedStates,
        setting: &ForcingSetting,
        vocabulary: &Vocabulary,
    ) -> Result<Option<LayerTable>, ClusterError> {
        let (game, symmetries) = &**packed;
        let Some(game) = LayerGame::<W>::new(game.clone(), &setting.start, symmetries) else {
            return Ok(None);
        };
        let solution = solution(&game, setting, vocabulary);
        let checkpoint = Checkpoint::read(directory, &solution)?;
        if !checkpoint.is_finished() {
            return Ok(None);
        }
        let ends = checkpoint.end_worths();
        let folding = ends.and_then(|ends| {
            let folding = Folding::closed(game.roles(), &ends).ok()?;
            Some((folding, Kind::turn_taking(&ends)))
        });
        let Some((folding, kind)) = folding else {
            return Ok(None);
        };
        let layers = Self {
            store: Store::new(Some(directory)),
            layers: checkpoint.layers.len(),
            folding,
            game,
        };
        Ok(Some(LayerTable {
            layers: Box::new(layers),
            kind,
        }))
    }
}

impl<const W: usize> Layers for LayersOf<W> {
    fn find(&self, state: &State) -> Result<Option<Vec<Bounds>>, ClusterError> {
        let code = self.game.game.pack(state);
        // A state that cannot be reached may have no code of its own.
        if self.game.game.unpack(&code) != *state {
            return Ok(None);
        }
        let code = self.game.symmetries.canonical(&code);
        // The measure tells in which layer a state must be, if it was reached.
        let Some(layer) = (0..self.layers).find(|&layer| self.game.belongs(&code, layer)) else {
            return Ok(None);
        };
        let shard = (layer, shard_of(&code));
        let (codes, marks) = (self.store.codes(shard)?, self.store.marks(shard)?);
        let mut found = [None];
        find_sorted(codes.iter().zip(marks), vec![(code, 0)], &mut found);
        let [mark] = found;
        Ok(mark.map(|mark| {
            let worths = self.folding.worths(mark.value).iter();
            worths.map(|&worth| Bounds::exactly(worth)).collect()
        }))
    }
}
