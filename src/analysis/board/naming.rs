//! Which arguments of moves name cells of a board.

use super::Board;
use crate::gdl::{Bearer, Domains, Flow, Place, TermForm};
use crate::term::{Functor, TermId};

/// What an argument, or two of them, name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A cell: the arguments that are its column and its row.
    Cell(usize, usize),
    /// A whole column.
    Column(usize),
    /// A whole row.
    Row(usize),
}

/// What a move names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// The move.
    pub mv: Functor,
    /// What its arguments name, from left to right.
    pub named: Vec<Named>,
}

/// What the moves of a game name on a board.
pub(super) fn namings(domains: &Domains, flow: &Flow, board: &Board) -> Vec<Naming> {
    let forms = domains.moves().forms();
    let namings = forms.map(|form| Naming {
        mv: form.functor(),
        named: named(form, flow, board),
    });
    namings.filter(|naming| !naming.named.is_empty()).collect()
}

/// Two arguments in a row whose values are columns and rows name a cell; if there are none, one argument names a whole
/// column or row.
fn named(form: TermForm<'_>, flow: &Flow, board: &Board) -> Vec<Named> {
    let arity = form.functor().arity as usize;
    let within = |argument: usize, values: &[TermId]| {
        let domain = form.argument(argument);
        let mut constants = domain.constants().peekable();
        constants.peek().is_some()
            && domain.forms().next().is_none()
            && constants.all(|value| values.contains(&value))
    };
    let mut cells = Vec::new();
    let mut argument = 0;
    while argument + 1 < arity {
        let (one, other) = (argument, argument + 1);
        if within(one, &board.columns) && within(other, &board.rows) {
            let is_turned = linked(flow, form, one, board, Axis::Row)
                && linked(flow, form, other, board, Axis::Column)
                && !linked(flow, form, one, board, Axis::Column);
            cells.push(match is_turned {
                true => Named::Cell(other, one),
                false => Named::Cell(one, other),
            });
            argument += 2;
        } else if within(one, &board.rows) && within(other, &board.columns) {
            cells.push(Named::Cell(other, one));
            argument += 2;
        } else {
            argument += 1;
        }
    }
    if !cells.is_empty() {
        return cells;
    }
    let lines = (0..arity).filter_map(|argument| {
        let column = within(argument, &board.columns);
        let row = within(argument, &board.rows);
        match (column, row) {
            (false, false) => None,
            (true, false) => Some(Named::Column(argument)),
            (false, true) => Some(Named::Row(argument)),
            // The values do not tell; the variables of the rules may.
            (true, true) => {
                let to_column = linked(flow, form, argument, board, Axis::Column);
                let to_row = linked(flow, form, argument, board, Axis::Row);
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Column,
    Row,
}

/// Whether some rule has the same variable at an argument of a move and at a coordinate.
fn linked(flow: &Flow, form: TermForm<'_>, argument: usize, board: &Board, axis: Axis) -> bool {
    let own = Place {
        bearer: Bearer::Move,
        functor: form.functor(),
        index: argument as u32,
    };
    let is_axis = |place: &Place| {
        place.bearer == Bearer::Fluent
            && board.layers.iter().any(|layer| {
                let coordinate = match axis {
                    Axis::Column => layer.column,
                    Axis::Row => layer.row,
                };
                place.functor == layer.fluent && place.index as usize == coordinate
            })
    };
    flow.joints.iter().any(|&(one, other, ..)| {
        let (one, other) = (&flow.places[one], &flow.places[other]);
        (*one == own && is_axis(other)) || (*other == own && is_axis(one))
    })
}
