//! The boards of a state: what is on their cells, and what is on none; as values and as a picture.

use crate::analysis::{Board, boards};
use crate::drawing::{DrawnBoard, DrawnCell, boards_svg};
use crate::gdl::{MoveId, Reasoner, RoleId, State};
use crate::term::{Store, TermId, bounded_text};
use crate::workbench::{Workbench, WorkbenchError};

/// States from which it is seen what a cell decides.
const MOST_SAMPLES: usize = 30;

/// Cells of a board that is drawn; larger ones are told in lines.
const MOST_CELLS: usize = 2_500;

/// Bytes of a text in a picture, which shows no more of longer ones than their beginning.
const LONGEST: usize = 1_000;

impl Workbench {
    /// The kinds of boards of the game, found at the first call.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    pub fn boards(&mut self) -> Result<Vec<Board>, WorkbenchError> {
        if let Some(kinds) = &self.boards {
            return Ok(kinds.clone());
        }
        let samples = self.samples()?;
        let kinds = boards(&self.game, self.vocabulary.store_mut(), &samples);
        Ok(self.boards.insert(kinds).clone())
    }

    /// The fluents of the states of one random play, the initial one first.
    fn samples(&mut self) -> Result<Vec<Vec<TermId>>, WorkbenchError> {
        let mut state = self.initial_state()?;
        let mut samples = Vec::new();
        let roles = self.game.roles().len();
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        for step in 0..MOST_SAMPLES as u64 {
            let fluents = state.fluents();
            samples.push(fluents.map(|f| vocabulary.fluent_term(f)).collect());
            if player.is_terminal(vocabulary, &state)? {
                break;
            }
            let mut chosen: Vec<MoveId> = Vec::new();
            for role in 0..roles as u32 {
                let mut legal = Vec::new();
                player.legal_moves(vocabulary, &state, RoleId(role), &mut legal)?;
                // The number of the step is the draw: every call finds the same play, and the same boards.
                chosen.extend(vocabulary.choose(&legal, step));
            }
            // A role without a legal move ends the play as a terminal state does.
            if chosen.len() < roles {
                break;
            }
            state = player.successor(vocabulary, &state, &chosen)?;
        }
        Ok(samples)
    }

    /// A picture of a state as SVG: its boards, and all other fluents in lines below them.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let start = game.initial_state()?;
    /// let next = game.play(&start, &["(mark 2 2)", "noop"])?;
    /// let svg = game.state_svg(&next, "tic tac toe")?;
    /// assert!(svg.starts_with("<svg") && svg.contains(">x</text>") && svg.contains("(control oplayer)"));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn state_svg(&mut self, state: &State, title: &str) -> Result<String, WorkbenchError> {
        let mut kinds = self.boards()?;
        kinds.retain(|kind| kind.columns.len() * kind.rows.len() <= MOST_CELLS);
        let store = self.vocabulary.store();
        let fluents = state
            .fluents()
            .map(|fluent| self.vocabulary.fluent_term(fluent));
        let fluents: Vec<TermId> = fluents.collect();
        let kinds_and_planes = kinds.iter().flat_map(|kind| {
            let planes = kind.planes().into_iter();
            planes.map(move |plane| (kind, plane))
        });
        let drawn: Vec<DrawnBoard> = kinds_and_planes
            .map(|(kind, plane)| drawn(store, kind, plane, &fluents))
            .collect();
        let is_on_board = |fluent: TermId| {
            let functor = store.functor(fluent);
            functor.is_some_and(|functor| kinds.iter().any(|kind| kind.has(functor)))
        };
        let others = fluents.iter().filter(|&&fluent| !is_on_board(fluent));
        let mut lines: Vec<String> = others.map(|&fluent| text(store, fluent)).collect();
        lines.sort_unstable();
        Ok(boards_svg(title, &drawn, &lines))
    }
}

fn drawn(store: &Store, kind: &Board, plane: Option<TermId>, fluents: &[TermId]) -> DrawnBoard {
    let name = kind
        .layers
        .first()
        .map_or("", |layer| store.name(layer.fluent.symbol));
    let title = match plane {
        Some(plane) => format!("{name} {}", text(store, plane)),
        None => name.to_owned(),
    };
    let cells = kind
        .occupied(store, plane, fluents)
        .into_iter()
        .map(|cell| {
            let named = |(fluent, contents): &(TermId, Vec<TermId>)| match contents[..] {
                [] => store
                    .functor(*fluent)
                    .map_or(String::new(), |own| store.name(own.symbol).to_owned()),
                _ => texts(store, contents).join(" "),
            };
            let contents: Vec<String> = cell.fluents.iter().map(named).collect();
            // The piece that is not the background; what has none of the kind's pieces has the colour of the first.
            let values = cell.fluents.iter().flat_map(|(_, contents)| contents);
            let shown = values
                .copied()
                .find(|value| Some(*value) != kind.background);
            let is_background = shown.is_none() && kind.background.is_some();
            let piece =
                shown.and_then(|value| kind.pieces.iter().position(|piece| *piece == value));
            DrawnCell {
                column: cell.column,
                row: cell.row,
                text: contents.join(" "),
                piece: (!is_background).then(|| piece.unwrap_or_default()),
            }
        });
    DrawnBoard {
        title,
        columns: texts(store, &kind.columns),
        rows: texts(store, &kind.rows),
        cells: cells.collect(),
    }
}

fn texts(store: &Store, terms: &[TermId]) -> Vec<String> {
    terms.iter().map(|&term| text(store, term)).collect()
}

fn text(store: &Store, term: TermId) -> String {
    bounded_text(store, term, LONGEST).unwrap_or_else(|beginning| beginning)
}
