//! Moves that are given as numbers, one a game, as rows of lanes, one a move.

use crate::circuit::simulate::lanes::{and, none};
use crate::circuit::simulate::setup::{Row, WORDS};

/// In which games each move is given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// By number of a move.
    rows: Vec<Row>,
    /// For what is no number of a move.
    unknown: Row,
}

impl Given {
    /// So many moves, given in no game.
    pub(super) fn new(moves: usize) -> Self {
        Self {
            rows: vec![none(); moves],
            unknown: none(),
        }
    }

    /// Reads a number for each game; those before are forgotten.
    pub(super) fn read<'m>(&mut self, mut numbers: impl Iterator<Item = &'m i32>) {
        self.rows.fill(none());
        self.unknown = none();
        for word in 0..WORDS {
            let mut game = 1;
            for &number in numbers.by_ref().take(64) {
                // A negative number is a large one without its sign.
                match self.rows.get_mut(number as u32 as usize) {
                    Some(row) => row[word] |= game,
                    None => self.unknown[word] |= game,
                }
                game <<= 1;
            }
        }
    }

    /// The games among these in which a move is given, by number of the move.
    pub(super) fn moves(&self, games: Row) -> impl Iterator<Item = Row> {
        self.rows.iter().map(move |&row| and(row, games))
    }

    /// The games among these in which the number is that of no move.
    pub(super) fn unknown(&self, games: Row) -> Row {
        and(self.unknown, games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::simulate::lanes::{lanes, only, or};

    #[test]
    fn each_game_is_in_the_row_of_its_move() {
        let mut given = Given::new(3);
        given.read([2; 512].iter());
        let mut numbers = [0; 100];
        (numbers[70], numbers[71], numbers[72], numbers[99]) = (2, -1, 3, i32::MAX);
        given.read(numbers.iter());
        let asked = or(only(5), or(only(70), or(only(71), or(only(72), only(99)))));
        let rows: Vec<Vec<usize>> = given.moves(asked).map(|row| lanes(row).collect()).collect();
        assert_eq!(rows, [vec![5], vec![], vec![70]]);
        assert_eq!(
            lanes(given.unknown(asked)).collect::<Vec<_>>(),
            [71, 72, 99]
        );
    }
}
