//! What holds in a state, as boards, tables and moves that name cells.

use schemars::JsonSchema;
use serde::Serialize;

/// What holds in a state, as boards and tables.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Boards {
    /// The number of the state.
    pub at: usize,
    /// Fluents two of whose arguments are the coordinates of cells.
    pub boards: Vec<BoardOf>,
    /// The other fluents.
    pub tables: Vec<Table>,
    /// The legal moves that name cells.
    pub moves: Vec<BoardMove>,
}

/// A board.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardOf {
    /// Its index among the boards.
    pub number: usize,
    /// The fluent that says what is on it, and which of several boards it is.
    pub name: String,
    /// The values of the first coordinate, in order.
    pub columns: Vec<String>,
    /// The values of the second coordinate, in order.
    pub rows: Vec<String>,
    /// What can be on a cell.
    pub pieces: Vec<String>,
    /// What is on most cells at the start; null if nothing is.
    pub background: Option<String>,
    /// The cells on which something is, by column and row.
    pub cells: Vec<BoardCell>,
}

/// A cell of a board.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct BoardCell {
    /// Which column, by index.
    pub column: usize,
    /// Which row, by index.
    pub row: usize,
    /// What is there, as the game names it.
    pub contents: Vec<String>,
    /// The fluents that say so.
    pub fluents: Vec<String>,
}

/// The instances of a fluent that hold.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Table {
    /// The fluent.
    pub name: String,
    /// The number of its arguments.
    pub arity: u32,
    /// The instances, in the order of their bytes.
    pub rows: Vec<TableRow>,
}

/// An instance of a fluent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TableRow {
    /// The whole.
    pub fluent: String,
    /// Its arguments.
    pub values: Vec<String>,
}

/// A legal move that names cells.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BoardMove {
    /// Whose move it is.
    pub role: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The cells, in the order in which the move names them.
    pub cells: Vec<CellName>,
}

/// A cell, or a whole column or row.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CellName {
    /// The index of the board.
    pub board: usize,
    /// The index of the column; null for all.
    pub column: Option<usize>,
    /// The index of the row; null for all.
    pub row: Option<usize>,
}
