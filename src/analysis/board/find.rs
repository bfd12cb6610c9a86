//! Finding boards: pairs of coordinates that decide the rest of a fluent.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::analysis::board::order::{Chain, Grounds, ordered};
use crate::analysis::board::shape::{Board, Layer};
use crate::gdl::{Domains, TermForm};
use crate::term::{Functor, Store, TermId};

/// Values of a coordinate: more make no board that can be shown.
const MOST_VALUES: usize = 64;

/// Boards that an argument tells apart.
const MOST_PLANES: usize = 16;

/// An argument whose values are ordered.
#[derive(Clone, Debug)]
struct Coordinate {
    argument: usize,
    values: Vec<TermId>,
    grounds: Grounds,
    /// Whether these are the values that it is seen to have, rather than all that it can have.
    is_seen: bool,
}

/// The boards of single fluents.
pub(super) fn layers(
    store: &Store,
    domains: &Domains,
    chains: &[Chain],
    samples: &[Vec<TermId>],
) -> Vec<Board> {
    let forms = domains.fluents().forms();
    let boards = forms.filter_map(|form| {
        let instances = instances(store, form.functor(), samples);
        board(store, chains, form, &instances)
    });
    boards.collect()
}

/// The arguments of the instances of a fluent, by state.
fn instances<'s>(
    store: &'s Store,
    fluent: Functor,
    samples: &[Vec<TermId>],
) -> Vec<Vec<&'s [TermId]>> {
    let of_state = |state: &Vec<TermId>| {
        let own = state.iter().filter(|&&f| store.functor(f) == Some(fluent));
        own.map(|&f| store.arguments(f)).collect()
    };
    samples.iter().map(of_state).collect()
}

/// The board of a fluent, if it has one.
fn board(
    store: &Store,
    chains: &[Chain],
    form: TermForm<'_>,
    instances: &[Vec<&[TermId]>],
) -> Option<Board> {
    let arity = form.functor().arity as usize;
    let coordinates: Vec<Coordinate> = (0..arity)
        .filter_map(|argument| coordinate(store, chains, form, instances, argument))
        .collect();
    let mut best = None;
    for (number, column) in coordinates.iter().enumerate() {
        for row in &coordinates[number + 1..] {
            // Letters on both axes name two kinds of things more often than cells.
            if column.grounds == Grounds::Letters && row.grounds == Grounds::Letters {
                continue;
            }
            let Some(found) = with(store, form, instances, (column, row)) else {
                continue;
            };
            // One board is better than several; then the first arguments are the coordinates.
            if found.plane.is_none() {
                return Some(found);
            }
            best = best.or(Some(found));
        }
    }
    best
}

/// An argument as a coordinate, if its values are ordered: all that it can have or, where these have no order, all that
/// it is seen to have. In chess both coordinates of a cell can be letters and numbers, as far as the domains tell.
fn coordinate(
    store: &Store,
    chains: &[Chain],
    form: TermForm<'_>,
    instances: &[Vec<&[TermId]>],
    argument: usize,
) -> Option<Coordinate> {
    let order = |values: &[TermId], is_seen| {
        let is_axis = (2..=MOST_VALUES).contains(&values.len());
        let (values, grounds) = is_axis.then(|| ordered(store, chains, values))??;
        Some(Coordinate {
            argument,
            values,
            grounds,
            is_seen,
        })
    };
    let possible = constants(form, argument, MOST_VALUES);
    possible
        .and_then(|values| order(&values, false))
        .or_else(|| order(&seen(instances, argument), true))
}

/// The values that an argument has in some state.
fn seen(instances: &[Vec<&[TermId]>], argument: usize) -> Vec<TermId> {
    let values = instances.iter().flatten().map(|values| values[argument]);
    let seen: IndexSet<TermId, FxBuildHasher> = values.collect();
    seen.into_iter().collect()
}

/// The values of an argument, if there are no others than constants and not too many.
fn constants(form: TermForm<'_>, argument: usize, most: usize) -> Option<Vec<TermId>> {
    let domain = form.argument(argument);
    let is_plain = domain.forms().next().is_none();
    let values: Vec<TermId> = domain.constants().take(most + 1).collect();
    (is_plain && values.len() <= most).then_some(values)
}

/// The board with two coordinates, if they decide what else there is.
fn with(
    store: &Store,
    form: TermForm<'_>,
    instances: &[Vec<&[TermId]>],
    (column, row): (&Coordinate, &Coordinate),
) -> Option<Board> {
    let pair = [column.argument, row.argument];
    let rest: Vec<usize> = (0..form.functor().arity as usize)
        .filter(|argument| !pair.contains(argument))
        .collect();
    // Values that are only seen may be few of many: then it takes a state that has contents for every cell.
    let cells = column.values.len() * row.values.len();
    if (column.is_seen || row.is_seen) && (rest.is_empty() || instances.first()?.len() != cells) {
        return None;
    }
    let plane = if rest.is_empty() {
        // Asked of the initial state alone: at the end of n queens each column has one, as if rows were a function.
        if is_function(instances.first()?, column) || is_function(instances.first()?, row) {
            return None;
        }
        None
    } else if decides(instances, &pair) {
        None
    } else {
        // [ST07, Identifying Structures]: `(cell ?b ?y ?x ?c)` is several boards, told apart by ?b.
        Some(plane(form, instances, pair, &rest)?)
    };
    let telling = plane.as_ref().map(|(argument, _)| *argument);
    let contents = rest.into_iter().filter(|&other| Some(other) != telling);
    // Boards need no order to be told apart; where their names have one, they are shown in it.
    let plane = plane.map(|(argument, values)| match ordered(store, &[], &values) {
        Some((values, _)) => (argument, values),
        None => (argument, values),
    });
    Some(Board {
        layers: vec![Layer {
            fluent: form.functor(),
            column: column.argument,
            row: row.argument,
            contents: contents.collect(),
        }],
        columns: column.values.clone(),
        rows: row.values.clone(),
        plane,
        pieces: Vec::new(),
        background: None,
        namings: Vec::new(),
    })
}

/// Whether the instances of a mark have one of each value of a coordinate: what has one second value for each first
/// value is a function rather than a board.
fn is_function(instances: &[&[TermId]], coordinate: &Coordinate) -> bool {
    let values = instances.iter().map(|values| values[coordinate.argument]);
    let seen: IndexSet<TermId, FxBuildHasher> = values.collect();
    instances.len() == seen.len() && seen.len() == coordinate.values.len()
}

/// The argument that tells several boards apart, with its values: together with the coordinates it decides the rest.
fn plane(
    form: TermForm<'_>,
    instances: &[Vec<&[TermId]>],
    [column, row]: [usize; 2],
    rest: &[usize],
) -> Option<(usize, Vec<TermId>)> {
    rest.iter().find_map(|&argument| {
        let values = constants(form, argument, MOST_PLANES)?;
        decides(instances, &[column, row, argument]).then_some((argument, values))
    })
}

/// Whether no two instances of a state agree in these arguments.
fn decides(instances: &[Vec<&[TermId]>], arguments: &[usize]) -> bool {
    instances.iter().all(|state| {
        let mut seen: IndexSet<Vec<TermId>, FxBuildHasher> = IndexSet::default();
        let mut keys = state
            .iter()
            .map(|values| arguments.iter().map(|&argument| values[argument]).collect());
        keys.all(|key| seen.insert(key))
    })
}

/// Puts marks on the boards that they are about: those whose coordinates have all their values.
pub(super) fn join(single: Vec<Board>) -> Vec<Board> {
    let is_mark = |board: &Board| board.layers.iter().all(|layer| layer.contents.is_empty());
    let (marks, mut boards): (Vec<Board>, Vec<Board>) = single.into_iter().partition(is_mark);
    for mark in marks {
        let fits = |board: &&mut Board| {
            let has = |own: &[TermId], all: &[TermId]| own.iter().all(|value| all.contains(value));
            // A mark says nothing of which board it is on. It may have fewer values: some cells are never marked.
            board.plane.is_none()
                && mark.plane.is_none()
                && has(&mark.columns, &board.columns)
                && has(&mark.rows, &board.rows)
        };
        match boards.iter_mut().find(fits) {
            Some(board) => board.layers.extend(mark.layers),
            None => boards.push(mark),
        }
    }
    boards
}

/// Says what can be on a board, and what is on most of its cells at the start.
pub(super) fn describe(
    store: &Store,
    domains: &Domains,
    start: Option<&Vec<TermId>>,
    board: &mut Board,
) {
    let mut pieces: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
    let mut counts: IndexMap<TermId, usize, FxBuildHasher> = IndexMap::default();
    let Some(layer) = board.layers.first() else {
        return;
    };
    for form in domains.fluents().forms() {
        if form.functor() == layer.fluent {
            for &argument in &layer.contents {
                pieces.extend(form.argument(argument).constants());
            }
        }
    }
    let own = start.into_iter().flatten();
    for &fluent in own.filter(|&&f| store.functor(f) == Some(layer.fluent)) {
        if let &[argument] = layer.contents.as_slice() {
            *counts.entry(store.arguments(fluent)[argument]).or_default() += 1;
        }
    }
    let cells: usize = counts.values().sum();
    let most = counts.iter().max_by_key(|(_, count)| **count);
    board.background = most.and_then(|(&piece, &count)| {
        // At the start more than half of the cells have contents, and more than a third of these are this piece.
        let is_full = cells * 2 > board.columns.len() * board.rows.len();
        (is_full && count * 3 > cells).then_some(piece)
    });
    board.pieces = pieces.into_iter().collect();
}
