//! Which arguments of moves name cells of a board.

use crate::analysis::board::shape::{Board, Named, Naming};
use crate::gdl::{Bearer, Domains, Flow, Place, TermForm};
use crate::term::TermId;

/// What the moves of a game name on a board.
pub(super) fn namings(domains: &Domains, flow: &Flow, board: &Board) -> Vec<Naming> {
    let forms = domains.moves().forms();
    let namings = forms.map(|form| {
        let arguments = MoveArguments { form, flow, board };
        let cells = arguments.cells();
        Naming {
            mv: form.functor(),
            named: if cells.is_empty() {
                arguments.lines()
            } else {
                cells
            },
        }
    });
    namings.filter(|naming| !naming.named.is_empty()).collect()
}

/// The arguments of a move, and the board that they may be about.
struct MoveArguments<'n> {
    form: TermForm<'n>,
    flow: &'n Flow,
    board: &'n Board,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Column,
    Row,
}

impl MoveArguments<'_> {
    /// The cells that two arguments in a row name, whose values are columns and rows.
    fn cells(&self) -> Vec<Named> {
        let (columns, rows) = (&self.board.columns, &self.board.rows);
        let mut cells = Vec::new();
        let mut argument = 0;
        while argument + 1 < self.arity() {
            let (one, other) = (argument, argument + 1);
            if self.is_within(one, columns) && self.is_within(other, rows) {
                // On a square board the values fit either way; the variables of the rules may say that the row is
                // first.
                let is_turned = self.is_linked(one, Axis::Row)
                    && self.is_linked(other, Axis::Column)
                    && !self.is_linked(one, Axis::Column);
                cells.push(if is_turned {
                    Named::Cell(other, one)
                } else {
                    Named::Cell(one, other)
                });
                // Two by two: `(move 1 2 1 3)` names the cells (1, 2) and (1, 3), but not (2, 1).
                argument += 2;
            } else if self.is_within(one, rows) && self.is_within(other, columns) {
                cells.push(Named::Cell(other, one));
                argument += 2;
            } else {
                argument += 1;
            }
        }
        cells
    }

    /// The whole columns and rows that single arguments name.
    fn lines(&self) -> Vec<Named> {
        let lines = (0..self.arity()).filter_map(|argument| {
            let column = self.is_within(argument, &self.board.columns);
            let row = self.is_within(argument, &self.board.rows);
            match (column, row) {
                (false, false) => None,
                (true, false) => Some(Named::Column(argument)),
                (false, true) => Some(Named::Row(argument)),
                // The values do not tell; the variables of the rules may.
                (true, true) => {
                    let to_column = self.is_linked(argument, Axis::Column);
                    let to_row = self.is_linked(argument, Axis::Row);
                    match (to_column, to_row) {
                        (true, false) => Some(Named::Column(argument)),
                        (false, true) => Some(Named::Row(argument)),
                        (true, true) | (false, false) => None,
                    }
                }
            }
        });
        lines.collect()
    }

    fn arity(&self) -> usize {
        self.form.functor().arity as usize
    }

    /// Whether all values of an argument are among some.
    fn is_within(&self, argument: usize, values: &[TermId]) -> bool {
        let domain = self.form.argument(argument);
        let mut constants = domain.constants().peekable();
        constants.peek().is_some()
            && domain.forms().next().is_none()
            && constants.all(|value| values.contains(&value))
    }

    /// Whether some rule has the same variable at an argument and at a coordinate of the board.
    fn is_linked(&self, argument: usize, axis: Axis) -> bool {
        let own = Place {
            bearer: Bearer::Move,
            functor: self.form.functor(),
            index: argument as u32,
        };
        let is_axis = |place: &Place| {
            place.bearer == Bearer::Fluent
                && self.board.layers.iter().any(|layer| {
                    let coordinate = match axis {
                        Axis::Column => layer.column,
                        Axis::Row => layer.row,
                    };
                    place.functor == layer.fluent && place.index as usize == coordinate
                })
        };
        self.flow.joints.iter().any(|&(one, other, ..)| {
            let (one, other) = (&self.flow.places[one], &self.flow.places[other]);
            (*one == own && is_axis(other)) || (*other == own && is_axis(one))
        })
    }
}
