//! From bits of lanes to bytes of games: squares of 64 games and 64 columns are transposed, and each bit of a row
//! becomes a byte.

use crate::circuit::simulate::setup::Row;
use crate::circuit::simulate::transpose::transpose;

/// Columns that are written at once.
pub(super) const WIDTH: usize = 64;

/// By byte, its bits as bytes, the lowest first.
const BYTES: [[u8; 8]; 256] = bytes();

const fn bytes() -> [[u8; 8]; 256] {
    let mut all = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            all[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    all
}

/// Writes up to 64 columns, of which each row of lanes is one, at a place of the rows of `out`, which have so many bytes
/// and of which each is a game.
pub(super) fn spread(columns: &[Row], (width, place): (usize, usize), out: &mut [u8]) {
    pulp::Arch::new().dispatch(Spread {
        columns,
        width,
        place,
        out,
    });
}

struct Spread<'s> {
    columns: &'s [Row],
    width: usize,
    place: usize,
    out: &'s mut [u8],
}

impl pulp::NullaryFnOnce for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let number = self.columns.len();
        for (group, games) in self.out.chunks_mut(64 * self.width).enumerate() {
            let mut square = [0u64; 64];
            for (row, column) in square.iter_mut().zip(self.columns) {
                *row = column[group];
            }
            transpose(&mut square);
            for (game, &bits) in games.chunks_exact_mut(self.width).zip(&square) {
                let bytes = bits.to_le_bytes();
                let (eights, rest) = game[self.place..self.place + number].as_chunks_mut::<8>();
                for (eight, &byte) in eights.iter_mut().zip(&bytes) {
                    *eight = BYTES[byte as usize];
                }
                if !rest.is_empty() {
                    let last = &BYTES[bytes[number / 8] as usize];
                    rest.copy_from_slice(&last[..rest.len()]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::circuit::simulate::lanes::{bit, none};

    #[test]
    fn every_bit_becomes_the_byte_of_its_game_and_column() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(3);
        for (number, games) in [(1, 512), (7, 70), (8, 64), (61, 130), (64, 1)] {
            let mut columns = vec![none(); number];
            for word in columns.iter_mut().flatten() {
                *word = generator.random();
            }
            let (width, place) = (number + 5, 3);
            let mut out = vec![9; games * width];
            spread(&columns, (width, place), &mut out);
            for (game, row) in out.chunks(width).enumerate() {
                for (at, &byte) in row.iter().enumerate() {
                    let column = at.checked_sub(place).and_then(|at| columns.get(at));
                    let bit = column.map(|column| u8::from(bit(column, game)));
                    assert_eq!(byte, bit.unwrap_or(9), "game {game}, byte {at}");
                }
            }
        }
    }
}
