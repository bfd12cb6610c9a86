//! From bits of lanes to bytes of games.
//!
//! Of the bytes of the words of eight columns, for 64 games, squares of 8 × 8 are transposed, so that a word has the bits
//! of eight games in all eight columns. Shifted by the number of a game, it has those of the game in the lowest bits of
//! its bytes, and so is what is written but for the other bits. Up to four such words are shifted and written at once:
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
        let Self {
            columns,
            width,
            place,
            out,
        } = self;
        let number = columns.len();
        for (group, games) in out.chunks_mut(64 * width).enumerate() {
            let rows = Rows {
                columns,
                group,
                width,
                place,
                games,
            };
            // As few stores as possible: 29 columns are the first 16 and the last 16.
            match number {
                0 => {}
                1 => rows.write_few::<1>(),
                2 => rows.write_few::<2>(),
                3 => rows.write_few::<3>(),
                4 => rows.write_few::<4>(),
                5 => rows.write_few::<5>(),
                6 => rows.write_few::<6>(),
                7 => rows.write_few::<7>(),
                8 => rows.write::<1, 1>([0]),
                9..16 => rows.write::<1, 2>([0, number - 8]),
                16 => rows.write::<2, 1>([0]),
                17..32 => rows.write::<2, 2>([0, number - 16]),
                32 => rows.write::<4, 1>([0]),
                33.. => rows.write::<4, 2>([0, number - 32]),
            }
        }
    }
}

/// The rows of up to 64 games.
struct Rows<'r> {
    columns: &'r [Row],
    /// The word of each column that has these games.
    group: usize,
    width: usize,
    place: usize,
    games: &'r mut [u8],
}

impl Rows<'_> {
    /// Writes PARTS times 8 · EIGHTS columns, which begin at these.
    #[inline(always)]
    fn write<const EIGHTS: usize, const PARTS: usize>(self, starts: [usize; PARTS]) {
        // By eight games and part, a word for each eight columns. Loops, since closures of arrays are not inlined here.
        let mut words = [[[0; EIGHTS]; PARTS]; 8];
        for part in 0..PARTS {
            for at in 0..EIGHTS {
                let columns = &self.columns[starts[part] + 8 * at..];
                for (words, word) in words.iter_mut().zip(eight(columns, self.group)) {
                    words[part][at] = word;
                }
            }
        }
        let mut rows = self.games.chunks_exact_mut(self.width);
        for words in words {
            for game in 0..8 {
                let Some(row) = rows.next() else {
                    return;
                };
                for part in 0..PARTS {
                    let mut bytes = [[0; 8]; EIGHTS];
                    for at in 0..EIGHTS {
                        bytes[at] = (words[part][at] >> game & LOWEST).to_le_bytes();
                    }
                    let start = self.place + starts[part];
                    row[start..start + 8 * EIGHTS].copy_from_slice(bytes.as_flattened());
                }
            }
        }
    }

    /// Writes all columns, of which there are N < 8.
    #[inline(always)]
    fn write_few<const N: usize>(self) {
        let mut rows = self.games.chunks_exact_mut(self.width);
        for word in eight(self.columns, self.group) {
            for game in 0..8 {
                let Some(row) = rows.next() else {
                    return;
                };
                let bytes = (word >> game & LOWEST).to_le_bytes();
                row[self.place..self.place + N].copy_from_slice(&bytes[..N]);
            }
        }
    }
}

/// The words of eight columns for 64 games, so that a word has eight games in all columns.
#[inline(always)]
fn eight(columns: &[Row], group: usize) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, column) in words.iter_mut().zip(columns) {
        *word = column[group];
    }
    transpose_bytes(&mut words);
    words
}

/// Writes where something is true, a byte a game.
pub(super) fn write_flags(row: Row, out: &mut [u8]) {
    if !any(row) {
        out.fill(0);
        return;
    }
    for (games, word) in out.chunks_mut(64).zip(row) {
        for (games, byte) in games.chunks_mut(8).zip(word.to_le_bytes()) {
            // Seven copies of the lower seven bits, each shifted so that another one is the lowest of its byte.
            let lower = u64::from(byte & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & LOWEST;
            let all = (lower | u64::from(byte >> 7) << 56).to_le_bytes();
            games.copy_from_slice(&all[..games.len()]);
        }
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
            // Halves of words, since bits and numbers of the same size are shifted and added together.
            let halves = row
                .iter()
                .flat_map(|&word| [word as u32, (word >> 32) as u32]);
            for (games, half) in self.out.chunks_mut(32).zip(halves) {
                for (game, out) in (0u32..).zip(games) {
                    *out += number as i32 * (half >> game & 1) as i32;
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
        for (number, games) in [
            (1, 512),
            (7, 70),
            (8, 64),
            (10, 65),
            (16, 9),
            (29, 512),
            (34, 100),
            (61, 130),
            (64, 1),
        ] {
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
