//! Squares of bits: states have a word for each 64 fluents, lanes a word for each 64 states.

/// 64 rows of 64 bits.
pub(super) type Square = [u64; 64];

/// Exchanges rows and columns: ever smaller blocks beside the diagonal change places (H. S. Warren, Hacker's Delight,
/// 7-3).
#[inline(always)]
pub(super) fn transpose(square: &mut Square) {
    exchange::<32, 32>(square, 0x0000_0000_FFFF_FFFF);
    exchange::<16, 16>(square, 0x0000_FFFF_0000_FFFF);
    exchange::<8, 8>(square, 0x00FF_00FF_00FF_00FF);
    exchange::<4, 4>(square, 0x0F0F_0F0F_0F0F_0F0F);
    exchange::<2, 2>(square, 0x3333_3333_3333_3333);
    exchange::<1, 1>(square, 0x5555_5555_5555_5555);
}

/// The same of eight rows of eight bytes.
#[inline(always)]
pub(super) fn transpose_bytes(rows: &mut [u64; 8]) {
    exchange::<4, 32>(rows, 0x0000_0000_FFFF_FFFF);
    exchange::<2, 16>(rows, 0x0000_FFFF_0000_FFFF);
    exchange::<1, 8>(rows, 0x00FF_00FF_00FF_00FF);
}

/// Exchanges blocks of so many rows, and as many columns, which have so many bits; the mask has the left ones.
#[inline(always)]
fn exchange<const ROWS: usize, const BITS: usize>(rows: &mut [u64], mask: u64) {
    for rows in rows.chunks_exact_mut(2 * ROWS) {
        let (upper, lower) = rows.split_at_mut(ROWS);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            // The three-step exchange: `moved` has a one where the two halves differ.
            let moved = (*upper >> BITS ^ *lower) & mask;
            *upper ^= moved << BITS;
            *lower ^= moved;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn rows_become_columns() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
        let before: Square = std::array::from_fn(|_| generator.random());
        let mut after = before;
        transpose(&mut after);
        for (at, row) in before.iter().enumerate() {
            for (bit, column) in after.iter().enumerate() {
                assert_eq!(row >> bit & 1, column >> at & 1);
            }
        }
    }
}
