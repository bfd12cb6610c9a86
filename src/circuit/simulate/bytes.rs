//! From bits of lanes to bytes of games.
//!
//! Eight columns are written at once, for 64 games: of the bytes of their eight words, squares of 8 × 8 are transposed,
//! so that a word has the bits of eight games in all eight columns. Shifted by the number of a game, it has those of the
//! game in the lowest bits of its bytes, and so is what is written but for the other bits:
//!
//! ```text
//! word     column 7 | … | column 1 | column 0        a byte each, bit g for game g
//! word >> g & 0x01…0101                              the eight bytes of game g
//! ```

use crate::circuit::simulate::lanes::any;
use crate::circuit::simulate::setup::Row;
use crate::circuit::simulate::transpose::transpose_bytes;

/// Columns that are written at once.
pub(super) const WIDTH: usize = 64;

/// The lowest bits of all bytes.
const LOWEST: u64 = 0x0101_0101_0101_0101;

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
        let (eights, rest) = self.columns.as_chunks::<8>();
        // The last eight are written again where there are so many: all eight bytes at once cost less than a few alone.
        let last = self.columns.last_chunk::<8>();
        let place_of_last = self.place + self.columns.len().saturating_sub(8);
        for (group, games) in self.out.chunks_mut(64 * self.width).enumerate() {
            for (eight, place) in eights.iter().zip((self.place..).step_by(8)) {
                write::<8>(words(eight, group), (self.width, place), games);
            }
            match (last, rest.len()) {
                (_, 0) => {}
                (Some(eight), _) => {
                    write::<8>(words(eight, group), (self.width, place_of_last), games);
                }
                (None, number) => {
                    let (words, at) = (words(rest, group), (self.width, self.place));
                    match number {
                        1 => write::<1>(words, at, games),
                        2 => write::<2>(words, at, games),
                        3 => write::<3>(words, at, games),
                        4 => write::<4>(words, at, games),
                        5 => write::<5>(words, at, games),
                        6 => write::<6>(words, at, games),
                        _ => write::<7>(words, at, games),
                    }
                }
            }
        }
    }
}

/// The words of up to eight columns for 64 games.
#[inline(always)]
fn words(columns: &[Row], group: usize) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, column) in words.iter_mut().zip(columns) {
        *word = column[group];
    }
    words
}

/// Writes N columns of 64 games.
#[inline(always)]
fn write<const N: usize>(mut columns: [u64; 8], (width, place): (usize, usize), games: &mut [u8]) {
    transpose_bytes(&mut columns);
    for (games, word) in games.chunks_mut(8 * width).zip(columns) {
        for (game, row) in games.chunks_exact_mut(width).enumerate() {
            let bytes = (word >> game & LOWEST).to_le_bytes();
            row[place..place + N].copy_from_slice(&bytes[..N]);
        }
    }
}

/// Writes where something is true, a byte a game.
pub(super) fn write_flags(row: Row, out: &mut [u8]) {
    if !any(row) {
        out.fill(0);
        return;
    }
    let bytes = row.into_iter().flat_map(u64::to_le_bytes);
    for (games, byte) in out.chunks_mut(8).zip(bytes) {
        // Seven copies of the lower seven bits, each shifted so that another one is the lowest of its byte.
        let lower = u64::from(byte & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & LOWEST;
        let all = (lower | u64::from(byte >> 7) << 56).to_le_bytes();
        games.copy_from_slice(&all[..games.len()]);
    }
}

/// Writes by game the number of the row in which it is, of which it is in one at most; 0 where it is in none.
pub(super) fn write_numbers(rows: &[Row], out: &mut [i32]) {
    out.fill(0);
    pulp::Arch::new().dispatch(WriteNumbers { rows, out });
}

struct WriteNumbers<'n> {
    rows: &'n [Row],
    out: &'n mut [i32],
}

impl pulp::NullaryFnOnce for WriteNumbers<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (number, row) in self.rows.iter().enumerate().skip(1) {
            for (games, &word) in self.out.chunks_mut(64).zip(row) {
                for (game, out) in games.iter_mut().enumerate() {
                    *out += number as i32 * (word >> game & 1) as i32;
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

    #[test]
    fn flags_and_numbers_are_written_game_by_game() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(4);
        let first: Row = std::array::from_fn(|_| generator.random());
        let second: Row = std::array::from_fn(|at| !first[at] & generator.random::<u64>());
        for games in [512, 70, 1] {
            let (mut flags, mut numbers) = (vec![9; games], vec![9; games]);
            write_flags(second, &mut flags);
            write_numbers(&[none(), first, second], &mut numbers);
            for game in 0..games {
                assert_eq!(flags[game], u8::from(bit(&second, game)));
                let number = i32::from(bit(&first, game)) + 2 * i32::from(bit(&second, game));
                assert_eq!(numbers[game], number);
            }
        }
    }
}
