//! How near each role is to what it needs, for the order in which moves are tried.
//!
//! A line is a set of fluents of which one has to hold as a whole for the best payoff of a role ([`lines`]): four cells in
//! a row with its marks. It is open as long as each of its cells is as at the start or as the line needs it, and weighs
//! 2⁻ⁿ if n cells are missing.
//!
//! ```text
//! x x x .    weighs 1/2        x . . x    1/4        x o . x    nothing
//! ```
//!
//! The potential of a state is the weight of all open lines of a role less that of the others. These weights
//! decide some of these games at once (Erdős, Selfridge, On a combinatorial game, J. Combinatorial Theory A 14, 1973); here
//! they are a heuristic, so that nothing about them is proved. Only cells that are filled once are counted, as far as random
//! plays show: where pieces move, an empty cell says little.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::invariants::{Plays, Row};
use crate::circuit::lanes::{and, any, inverted_if, none, or, xor};
use crate::circuit::packing::{BITS, Field, Group, Packing};
use crate::circuit::{Circuit, Probe, Signal, lines};
use crate::search::versus::codes::Code;

/// Binary digits of the weight of a whole line.
const WHOLE: u32 = 40;

/// Digits that each missing cell takes.
const A_CELL: u32 = 1;

/// Cells of all lines together. More take longer than to find what follows on a state.
const MOST_CELLS: usize = 2_000;

/// The lines of a game.
#[derive(Debug)]
pub(super) struct Potential {
    lines: Vec<Line>,
}

/// What one role needs.
#[derive(Debug)]
struct Line {
    role: usize,
    cells: Vec<Cell>,
}

/// A field of codes, and what it is where a line is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    word: usize,
    shift: usize,
    mask: u64,
    needed: u64,
    initial: u64,
}

impl Potential {
    /// The lines of all roles whose cells are filled once; none where they are too many, or pieces move.
    pub(super) fn new(circuit: &Circuit, packing: &Packing) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut probe = Probe::new(circuit, &mut random);
        let plays = Plays::record(circuit, &mut probe);
        let mut cells = vec![None; circuit.fluents.len()];
        for field in &packing.fields {
            if field.width == 0 || !is_filled_once(&field.group, circuit, &plays) {
                continue;
            }
            for (member, &place) in field.group.fluents.iter().enumerate() {
                cells[place] = Some(Cell::of(field, member, circuit));
            }
        }
        let roles = 0..circuit.goals.len();
        let lines = roles.flat_map(|role| lines_of(circuit, role, &cells));
        let mut lines: Vec<Line> = lines.collect();
        if lines.iter().map(|line| line.cells.len()).sum::<usize>() > MOST_CELLS {
            lines.clear();
        }
        Self { lines }
    }

    /// How much nearer a role is to its lines than the others to theirs.
    pub(super) fn of<const W: usize>(&self, code: &Code<W>, role: usize) -> i64 {
        let weights = self.lines.iter().map(|line| match line.weight(code) {
            weight if line.role == role => weight,
            weight => -weight,
        });
        weights.sum()
    }
}

impl Cell {
    /// The cell that has to have the value of a member.
    fn of(field: &Field, member: usize, circuit: &Circuit) -> Self {
        let group = &field.group;
        let initial = group.value_where(|place| circuit.fluents[place].initial);
        Self {
            word: field.shift / BITS,
            shift: field.shift % BITS,
            mask: (1 << field.width) - 1,
            needed: group.value(member) as u64,
            initial: initial as u64,
        }
    }
}

impl Line {
    fn weight<const W: usize>(&self, code: &Code<W>) -> i64 {
        let mut missing = 0;
        for cell in &self.cells {
            match code[cell.word] >> cell.shift & cell.mask {
                value if value == cell.needed => {}
                value if value == cell.initial => missing += 1,
                _ => return 0,
            }
        }
        1 << WHOLE >> (A_CELL * missing).min(WHOLE)
    }
}

/// The lines of the best payoff of a role all of whose fluents are cells.
fn lines_of(circuit: &Circuit, role: usize, cells: &[Option<Cell>]) -> Vec<Line> {
    let payoffs = circuit.goals[role].iter();
    let payable = payoffs.filter(|payoff| payoff.signal != Signal::FALSE);
    let Some(best) = payable.max_by_key(|payoff| payoff.value) else {
        return Vec::new();
    };
    let found = lines(circuit, best.signal).unwrap_or_default();
    let lines = found.iter().filter_map(|line| {
        let cells: Option<Vec<Cell>> = line.ones().map(|place| cells[place]).collect();
        let cells = cells.filter(|cells| !cells.is_empty())?;
        Some(Line { role, cells })
    });
    lines.collect()
}

/// Whether the value of a group never changes, in some plays, once it is not that of the start.
fn is_filled_once(group: &Group, circuit: &Circuit, plays: &Plays) -> bool {
    let differing = |state: &[Row], other: &dyn Fn(usize) -> Row| {
        let rows = group.fluents.iter();
        rows.fold(none(), |all, &place| {
            or(all, xor(state[place], other(place)))
        })
    };
    let initial = |place: usize| inverted_if(none(), circuit.fluents[place].initial);
    let mut steps = plays.states.windows(2).zip(&plays.goes_on);
    steps.all(|(states, &moved)| {
        let filled = and(differing(&states[0], &initial), moved);
        !any(and(
            filled,
            differing(&states[0], &|place| states[1][place]),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two bits a cell: empty is 0, a mark of the role 1 or 2.
    fn line(role: usize) -> Line {
        let cells = (0..4).map(|at| Cell {
            word: 0,
            shift: 2 * at,
            mask: 3,
            needed: role as u64 + 1,
            initial: 0,
        });
        Line {
            role,
            cells: cells.collect(),
        }
    }

    #[test]
    fn what_is_missing_weighs_less_and_what_is_blocked_nothing() {
        let lines = vec![line(0), line(1)];
        let potential = Potential { lines };
        let whole = 1 << WHOLE;
        assert_eq!(potential.of(&[0b01_01_01_01], 0), whole);
        assert_eq!(potential.of(&[0b00_01_01_01], 0), whole >> A_CELL);
        assert_eq!(potential.of(&[0b00_01_00_01], 1), -(whole >> (2 * A_CELL)));
        assert_eq!(potential.of(&[0b10_01_00_01], 0), 0);
        assert_eq!(potential.of(&[0], 0), 0);
    }
}
