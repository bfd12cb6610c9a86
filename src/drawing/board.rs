//! Boards as pictures: grids with what is on their cells, and lines of text for what is on none.
//!
//! The first row is at the bottom, as on boards whose rows have numbers.

use std::fmt::Write;

use super::shape::{FONT_SIZE, text_width};
use super::svg::{escaped, number};

const CELL: f64 = 34.0;
const LABEL: f64 = 26.0;
const MARGIN: f64 = 10.0;
const LINE: f64 = 20.0;

/// Characters of a cell's text, and of a line.
const MOST_IN_CELL: usize = 12;
const MOST_IN_LINE: usize = 80;

/// Lines of text at most.
const MOST_LINES: usize = 40;

/// Fill colours of pieces, in the order in which a board names them; their texts tell them apart as well.
const COLOURS: [&str; 6] = [
    "#dbe9f6", "#fdebd3", "#e6f2dd", "#f6dbe4", "#e7e0f5", "#f3f0cf",
];

/// How texts look. Attributes and no style sheet, which would be one of the whole page where the picture is part of one.
const PIECE: &str = "fill=\"#1a1a1a\" text-anchor=\"middle\"";
const EMPTY: &str = "fill=\"#8a8a8a\" text-anchor=\"middle\"";
const LABEL_TEXT: &str = "fill=\"#5a5a5a\" text-anchor=\"middle\"";
const LINE_TEXT: &str = "fill=\"#1a1a1a\" text-anchor=\"start\"";

/// What a cell is filled with where no piece is.
const BLANK: &str = "#fafafa";

/// A board to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnBoard {
    /// Printed above it.
    pub title: String,
    /// The labels of the columns, from left to right.
    pub columns: Vec<String>,
    /// The labels of the rows, from below.
    pub rows: Vec<String>,
    /// What is on its cells; those outside of it are left out.
    pub cells: Vec<DrawnCell>,
}

/// A cell of a [`DrawnBoard`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawnCell {
    /// Which column, by index.
    pub column: usize,
    /// Which row, by index.
    pub row: usize,
    /// What is there.
    pub text: String,
    /// Which of the pieces it is, for its colour; none for what most cells are.
    pub piece: Option<usize>,
}

/// Boards one below the other, and below them lines of text, as a document of SVG 1.1 that needs nothing else.
pub fn boards_svg(title: &str, boards: &[DrawnBoard], lines: &[String]) -> String {
    let mut picture = Picture {
        body: String::new(),
        width: 2.0 * MARGIN,
        below: MARGIN,
    };
    boards.iter().for_each(|board| picture.board(board));
    for line in lines.iter().take(MOST_LINES) {
        picture.line(&short(line, MOST_IN_LINE), LINE_TEXT);
    }
    if lines.len() > MOST_LINES {
        picture.line(&format!("and {} more", lines.len() - MOST_LINES), LINE_TEXT);
    }
    let (width, height) = (
        number(picture.width + MARGIN),
        number(picture.below + MARGIN),
    );
    let size = number(FONT_SIZE);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" \
         font-size=\"{size}\">\n<title>{}</title>\n\
         <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{}</svg>\n",
        escaped(title),
        picture.body
    )
}

/// Where the cells of a board are.
struct Grid {
    left: f64,
    top: f64,
    /// The width of a cell: as wide as the widest text.
    side: f64,
    rows: usize,
}

impl Grid {
    /// Below a height; on the left is room for the labels of the rows.
    fn of(board: &DrawnBoard, top: f64) -> Self {
        let width = |text: &str| text_width(&short(text, MOST_IN_CELL), FONT_SIZE);
        let texts = board.cells.iter().map(|cell| width(&cell.text));
        let labels = board.rows.iter().map(|row| width(row));
        Self {
            left: MARGIN + labels.fold(LABEL, |left, width| left.max(width + 8.0)),
            top,
            side: texts.fold(CELL, |side, width| side.max(width + 10.0)),
            rows: board.rows.len(),
        }
    }

    /// The left border of a column.
    fn column(&self, column: usize) -> f64 {
        self.left + column as f64 * self.side
    }

    /// The upper border of a row, the first of which is at the bottom.
    fn row(&self, row: usize) -> f64 {
        self.top + (self.rows - 1 - row) as f64 * CELL
    }
}

/// What is drawn so far.
struct Picture {
    body: String,
    width: f64,
    /// Where the next thing begins.
    below: f64,
}

impl Picture {
    fn board(&mut self, board: &DrawnBoard) {
        self.line(&short(&board.title, MOST_IN_LINE), LINE_TEXT);
        let grid = Grid::of(board, self.below);
        self.empty_cells(board, &grid);
        let (columns, rows) = (board.columns.len(), board.rows.len());
        let cells = board.cells.iter();
        for cell in cells.filter(|cell| cell.column < columns && cell.row < rows) {
            let (x, y) = (grid.column(cell.column), grid.row(cell.row));
            self.cell(x, y, grid.side, cell.piece);
            let look = if cell.piece.is_some() { PIECE } else { EMPTY };
            self.text(
                x + grid.side / 2.0,
                y + CELL / 2.0,
                &short(&cell.text, MOST_IN_CELL),
                look,
            );
        }
        let bottom = grid.top + rows as f64 * CELL;
        for (column, label) in board.columns.iter().enumerate() {
            self.text(
                grid.left + (column as f64 + 0.5) * grid.side,
                bottom + LABEL / 2.0,
                &short(label, MOST_IN_CELL),
                LABEL_TEXT,
            );
        }
        self.width = self.width.max(grid.column(columns));
        self.below = bottom + LABEL + MARGIN;
    }

    /// All cells with nothing on them, and the labels of the rows.
    fn empty_cells(&mut self, board: &DrawnBoard, grid: &Grid) {
        for (row, label) in board.rows.iter().enumerate() {
            self.text(
                (grid.left + MARGIN) / 2.0,
                grid.row(row) + CELL / 2.0,
                &short(label, MOST_IN_CELL),
                LABEL_TEXT,
            );
            for column in 0..board.columns.len() {
                self.cell(grid.column(column), grid.row(row), grid.side, None);
            }
        }
    }

    fn cell(&mut self, x: f64, y: f64, side: f64, piece: Option<usize>) {
        let fill = piece.map_or(BLANK, |piece| COLOURS[piece % COLOURS.len()]);
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"#a8a8a8\"/>",
            number(x),
            number(y),
            number(side),
            number(CELL)
        );
    }

    fn line(&mut self, text: &str, look: &str) {
        self.text(MARGIN, self.below + LINE / 2.0, text, look);
        self.width = self.width.max(MARGIN + text_width(text, FONT_SIZE));
        self.below += LINE;
    }

    fn text(&mut self, x: f64, y: f64, text: &str, look: &str) {
        let _ = writeln!(
            self.body,
            "<text {look} x=\"{}\" y=\"{}\" dy=\"0.34em\">{}</text>",
            number(x),
            number(y),
            escaped(text)
        );
    }
}

/// The beginning of a text that is too long.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_texts_and_what_is_outside_is_left_out() {
        let cell = |column, row, text: &str| DrawnCell {
            column,
            row,
            text: text.to_owned(),
            piece: Some(9),
        };
        let board = DrawnBoard {
            title: "<b>".to_owned(),
            columns: vec!["1".to_owned(), "2".to_owned()],
            rows: vec!["a".to_owned()],
            cells: vec![cell(1, 0, "x&y"), cell(7, 0, "gone"), cell(0, 3, "gone")],
        };
        let svg = boards_svg(
            "a \"title\"",
            &[board, DrawnBoard::default()],
            &["<script>".to_owned()],
        );
        assert!(
            svg.contains("&lt;b&gt;") && svg.contains("x&amp;y") && svg.contains("&lt;script&gt;")
        );
        assert!(!svg.contains("gone") && !svg.contains("<script>"));
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(short("äöüß", 4), "äöüß");
        assert_eq!(short("äöüßx", 4), "äöü…");
    }
}
