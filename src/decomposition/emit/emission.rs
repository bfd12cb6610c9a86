//! All sheets of a game, and what puts them together.

use crate::decomposition::emit::composition::CompositionReport;
use crate::decomposition::emit::divided::DividedGame;
use crate::decomposition::emit::sheet::{self, PartSheet};
use crate::decomposition::emit::surroundings;
use crate::decomposition::report::DecomposedGame;

/// Parts as rule sheets, with what puts them together.
#[derive(Debug)]
pub struct Emission {
    /// A sheet for each part, and one for what runs by itself if there is such.
    pub sheets: Vec<PartSheet>,
    /// How the whole game comes from them.
    pub composition: CompositionReport,
}

/// Writes the parts of a game as rule sheets; none if end, goal or legality are no formulas over the parts.
pub fn emit(subject: &DecomposedGame<'_>) -> Option<Emission> {
    let game = DividedGame::of(subject)?;
    let places = surroundings::of_parts(&game);
    let parts = places.iter().enumerate();
    let parts = parts.map(|(number, around)| sheet::of_part(&game, Some(number), around));
    let mut sheets: Vec<PartSheet> = parts.collect();
    if game.owners.iter().any(Option::is_none) {
        let around = surroundings::of_context(game.circuit);
        sheets.push(sheet::of_part(&game, None, &around));
    }
    Some(Emission {
        composition: CompositionReport::of(&game, &places, &sheets)?,
        sheets,
    })
}
