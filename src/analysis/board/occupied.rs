//! What is on the cells of a board in a state.

use indexmap::IndexMap;

use crate::analysis::board::shape::Board;
use crate::term::{Functor, Store, TermId};

/// A cell on which something is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occupied {
    /// Which column, by index.
    pub column: usize,
    /// Which row, by index.
    pub row: usize,
    /// The fluents that say what is there, each with the values that are; none if the fluent alone says it.
    pub fluents: Vec<(TermId, Vec<TermId>)>,
}

impl Board {
    /// The values that tell boards of this kind apart; one nothing if there is one board.
    pub fn planes(&self) -> Vec<Option<TermId>> {
        match &self.plane {
            None => vec![None],
            Some((_, values)) => values.iter().copied().map(Some).collect(),
        }
    }

    /// Whether instances of a fluent are on it.
    pub fn has(&self, fluent: Functor) -> bool {
        self.layers.iter().any(|layer| layer.fluent == fluent)
    }

    /// What is on the cells of a board of this kind, by column and row.
    pub fn occupied(
        &self,
        store: &Store,
        plane: Option<TermId>,
        fluents: &[TermId],
    ) -> Vec<Occupied> {
        let mut cells: IndexMap<(usize, usize), Occupied> = IndexMap::new();
        for layer in &self.layers {
            let own = fluents
                .iter()
                .filter(|&&fluent| store.functor(fluent) == Some(layer.fluent));
            for &fluent in own {
                let values = store.arguments(fluent);
                // Only a fluent with one argument more than coordinates and contents says which board it is on.
                let is_elsewhere = self.plane.as_ref().is_some_and(|(argument, _)| {
                    layer.contents.len() + 2 < values.len() && Some(values[*argument]) != plane
                });
                let column = self.columns.iter().position(|v| *v == values[layer.column]);
                let row = self.rows.iter().position(|v| *v == values[layer.row]);
                let (Some(column), Some(row), false) = (column, row, is_elsewhere) else {
                    continue;
                };
                let contents = layer.contents.iter().map(|&argument| values[argument]);
                let cell = cells.entry((column, row)).or_insert_with(|| Occupied {
                    column,
                    row,
                    fluents: Vec::new(),
                });
                cell.fluents.push((fluent, contents.collect()));
            }
        }
        let mut cells: Vec<Occupied> = cells.into_values().collect();
        cells.sort_by_key(|cell| (cell.column, cell.row));
        cells
    }
}
