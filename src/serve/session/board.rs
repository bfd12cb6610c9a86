//! The boards of a state, and the moves that name their cells.

use indexmap::IndexMap;

use crate::analysis::{Board, Named, Occupied};
use crate::gdl::RoleId;
use crate::serve::protocol::{
    BoardCell, BoardMove, BoardOf, Boards, CellName, Failure, Table, TableRow,
};
use crate::serve::session::game::Opened;
use crate::term::{Functor, TermId};

impl Opened {
    /// The boards of a state, and everything else that holds as tables.
    pub(super) fn boards(&mut self, at: Option<usize>) -> Result<Boards, Failure> {
        let at = self.place(at)?;
        let kinds = self.workbench.boards()?;
        let state = self.state(at);
        let vocabulary = self.workbench.parts().vocabulary;
        let fluents: Vec<TermId> = state
            .fluents()
            .map(|fluent| vocabulary.fluent_term(fluent))
            .collect();
        let mut shown = Vec::new();
        // Numbered in the same order as in `cells_of`, where moves name boards by these numbers.
        for (number, (kind, plane)) in planes(&kinds).into_iter().enumerate() {
            shown.push(self.board(number, kind, plane, &fluents)?);
        }
        let is_on_board = |functor: Functor| kinds.iter().any(|kind| kind.has(functor));
        Ok(Boards {
            at,
            tables: self.tables(&fluents, is_on_board)?,
            moves: self.moves_on(at, &kinds)?,
            boards: shown,
        })
    }

    /// A board with what is on its cells.
    fn board(
        &mut self,
        number: usize,
        kind: &Board,
        plane: Option<TermId>,
        fluents: &[TermId],
    ) -> Result<BoardOf, Failure> {
        // Several fluents may speak of one board; it is called by the first of them.
        let mut name = match kind.layers.first() {
            Some(layer) => self.name(layer.fluent),
            None => String::new(),
        };
        if let Some(plane) = plane {
            name = format!("{name} {}", self.text(plane)?);
        }
        let store = self.workbench.parts().vocabulary.store();
        let mut cells = Vec::new();
        for occupied in kind.occupied(store, plane, fluents) {
            cells.push(self.cell(occupied)?);
        }
        Ok(BoardOf {
            number,
            name,
            columns: self.listed(&kind.columns)?,
            rows: self.listed(&kind.rows)?,
            pieces: self.listed(&kind.pieces)?,
            background: kind.background.map(|term| self.text(term)).transpose()?,
            cells,
        })
    }

    fn cell(&mut self, occupied: Occupied) -> Result<BoardCell, Failure> {
        let mut cell = BoardCell {
            column: occupied.column,
            row: occupied.row,
            ..BoardCell::default()
        };
        for (fluent, contents) in occupied.fluents {
            let store = self.workbench.parts().vocabulary.store();
            let own = store.functor(fluent);
            let content = match (own, contents.as_slice()) {
                // A fluent of coordinates alone, such as `(queen 2 5)`, shows its own name.
                (Some(own), []) => self.name(own),
                (_, contents) => self.listed(contents)?.join(" "),
            };
            cell.contents.push(content);
            cell.fluents.push(self.text(fluent)?);
        }
        Ok(cell)
    }

    fn name(&mut self, functor: Functor) -> String {
        let store = self.workbench.parts().vocabulary.store();
        store.name(functor.symbol).to_owned()
    }

    /// Terms as texts, in their order.
    fn listed(&mut self, terms: &[TermId]) -> Result<Vec<String>, Failure> {
        terms.iter().map(|&term| self.text(term)).collect()
    }

    /// What is on no board, by fluent.
    fn tables(
        &mut self,
        fluents: &[TermId],
        is_on_board: impl Fn(Functor) -> bool,
    ) -> Result<Vec<Table>, Failure> {
        let mut tables: IndexMap<(String, u32), Table> = IndexMap::new();
        for &fluent in fluents {
            let store = self.workbench.parts().vocabulary.store();
            let functor = store.functor(fluent);
            if functor.is_some_and(&is_on_board) {
                continue;
            }
            let values = store.arguments(fluent).to_vec();
            let arity = values.len() as u32;
            let text = self.text(fluent)?;
            let name = match functor {
                Some(functor) => self.name(functor),
                // A fluent that is a number has no functor, and is a table of its own.
                None => text.clone(),
            };
            let key = (name.clone(), arity);
            let table = tables.entry(key).or_insert_with(|| Table {
                name,
                arity,
                rows: Vec::new(),
            });
            table.rows.push(TableRow {
                fluent: text,
                values: values
                    .iter()
                    .map(|&value| self.text(value))
                    .collect::<Result<_, Failure>>()?,
            });
        }
        tables.sort_unstable_keys();
        let mut tables: Vec<Table> = tables.into_values().collect();
        for table in &mut tables {
            table
                .rows
                .sort_by(|one, other| one.fluent.cmp(&other.fluent));
        }
        Ok(tables)
    }

    /// The legal moves that name cells.
    fn moves_on(&mut self, at: usize, kinds: &[Board]) -> Result<Vec<BoardMove>, Failure> {
        let mut found = Vec::new();
        for (number, role) in self.workbench.roles().into_iter().enumerate() {
            let legal = self.legal_of(at, RoleId(number as u32))?;
            let mut own = Vec::new();
            for mv in legal {
                let term = self.move_term(mv);
                let cells = self.cells_of(term, kinds);
                if !cells.is_empty() {
                    let mv = self.text(term)?;
                    let role = role.clone();
                    own.push(BoardMove { role, mv, cells });
                }
            }
            own.sort_by(|one, other| one.mv.cmp(&other.mv));
            found.extend(own);
        }
        Ok(found)
    }

    /// The cells that a move names, on every board.
    fn cells_of(&mut self, mv: TermId, kinds: &[Board]) -> Vec<CellName> {
        let store = self.workbench.parts().vocabulary.store();
        let Some(functor) = store.functor(mv) else {
            return Vec::new();
        };
        let values = store.arguments(mv);
        let mut cells = Vec::new();
        for (board, (kind, plane)) in planes(kinds).into_iter().enumerate() {
            // Where a value tells boards apart, a move that has one of them is about that board alone.
            let all_planes = kind.plane.iter().flat_map(|(_, values)| values);
            let named: Vec<&TermId> = all_planes.filter(|value| values.contains(value)).collect();
            if plane.is_some_and(|plane| !named.is_empty() && !named.contains(&&plane)) {
                continue;
            }
            let place = |all: &[TermId], argument: usize| {
                all.iter().position(|value| *value == values[argument])
            };
            let own = kind.namings.iter().filter(|naming| naming.mv == functor);
            for named in own.flat_map(|naming| &naming.named) {
                let (column, row) = match *named {
                    Named::Cell(column, row) => {
                        (place(&kind.columns, column), place(&kind.rows, row))
                    }
                    Named::Column(column) => (place(&kind.columns, column), None),
                    Named::Row(row) => (None, place(&kind.rows, row)),
                };
                if column.is_some() || row.is_some() {
                    cells.push(CellName { board, column, row });
                }
            }
        }
        cells
    }
}

/// The boards that are shown: one for each value that tells boards apart.
fn planes(kinds: &[Board]) -> Vec<(&Board, Option<TermId>)> {
    let own = |kind| {
        let planes = Board::planes(kind).into_iter();
        planes.map(move |plane| (kind, plane))
    };
    kinds.iter().flat_map(own).collect()
}
