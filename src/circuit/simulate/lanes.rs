//! Many truth values at once: one bit a playout.

use aligned_vec::{AVec, ConstAlign, avec};

use crate::term::ones_of_all;

/// The values of a signal in 64·W playouts, the *lanes*.
pub(crate) type Lanes<const W: usize> = [u64; W];

/// Values of many signals. They begin where a line of the cache does, so that no access to 512 lanes or fewer takes
/// two lines where one has room: evaluation takes a quarter longer where a line begins elsewhere.
pub(crate) type Signals<const W: usize> = AVec<Lanes<W>, ConstAlign<64>>;

/// So many signals, false in all lanes.
pub(crate) fn signals<const W: usize>(number: usize) -> Signals<W> {
    avec![[64]| none(); number]
}

/// False in all lanes.
#[inline(always)]
pub(crate) fn none<const W: usize>() -> Lanes<W> {
    [0; W]
}

#[inline(always)]
pub(crate) fn and<const W: usize>(mut a: Lanes<W>, b: Lanes<W>) -> Lanes<W> {
    for at in 0..W {
        a[at] &= b[at];
    }
    a
}

#[inline(always)]
pub(crate) fn or<const W: usize>(mut a: Lanes<W>, b: Lanes<W>) -> Lanes<W> {
    for at in 0..W {
        a[at] |= b[at];
    }
    a
}

#[inline(always)]
pub(crate) fn xor<const W: usize>(mut a: Lanes<W>, b: Lanes<W>) -> Lanes<W> {
    for at in 0..W {
        a[at] ^= b[at];
    }
    a
}

/// True where `a` is and `b` is not.
#[inline(always)]
pub(crate) fn without<const W: usize>(mut a: Lanes<W>, b: Lanes<W>) -> Lanes<W> {
    for at in 0..W {
        a[at] &= !b[at];
    }
    a
}

/// The inverse, or the same.
#[inline(always)]
pub(crate) fn inverted_if<const W: usize>(mut a: Lanes<W>, inverted: bool) -> Lanes<W> {
    // All ones or none, without a branch.
    let mask = 0u64.wrapping_sub(u64::from(inverted));
    for word in &mut a {
        *word ^= mask;
    }
    a
}

/// Whether it is true in some lane.
#[inline(always)]
pub(crate) fn any<const W: usize>(a: Lanes<W>) -> bool {
    a.iter().fold(0, |all, word| all | word) != 0
}

/// Whether it is true in one lane.
#[inline(always)]
pub(crate) fn bit<const W: usize>(a: &Lanes<W>, lane: usize) -> bool {
    a[lane / 64] >> (lane % 64) & 1 == 1
}

/// Makes it true or false in one lane.
#[inline(always)]
pub(crate) fn set_bit<const W: usize>(a: &mut Lanes<W>, lane: usize, holds: bool) {
    let word = &mut a[lane / 64];
    *word = *word & !(1 << (lane % 64)) | u64::from(holds) << (lane % 64);
}

/// The number of lanes in which it is true.
#[inline(always)]
pub(crate) fn count<const W: usize>(a: Lanes<W>) -> u64 {
    a.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The lanes in which it is true, ascending.
pub(crate) fn lanes<const W: usize>(a: Lanes<W>) -> impl Iterator<Item = usize> {
    ones_of_all(a.into_iter())
}

/// The lane in front of which so many others are true.
pub(crate) fn nth<const W: usize>(a: Lanes<W>, before: usize) -> Option<usize> {
    let mut left = before;
    for (at, mut word) in a.into_iter().enumerate() {
        let ones = word.count_ones() as usize;
        if left < ones {
            for _ in 0..left {
                // Clears the lowest one.
                word &= word - 1;
            }
            return Some(at * 64 + word.trailing_zeros() as usize);
        }
        left -= ones;
    }
    None
}

/// The first so many lanes.
pub(crate) fn first<const W: usize>(number: u64) -> Lanes<W> {
    std::array::from_fn(|at| {
        let left = number.saturating_sub(at as u64 * 64);
        if left >= 64 {
            u64::MAX
        } else {
            (1 << left) - 1
        }
    })
}

/// One lane alone.
pub(crate) fn only<const W: usize>(lane: usize) -> Lanes<W> {
    std::array::from_fn(|at| u64::from(at == lane / 64) << (lane % 64))
}

/// A generator of random bits for all lanes: xoshiro256++ by D. Blackman and S. Vigna (2019), once a
/// word.
#[derive(Clone, Debug)]
pub(crate) struct Random<const W: usize> {
    state: [Lanes<W>; 4],
}

impl<const W: usize> Random<W> {
    /// Starts all words at states that a generator draws.
    pub(crate) fn new(generator: &mut impl rand::Rng) -> Self {
        let state = std::array::from_fn(|_| std::array::from_fn(|_| generator.next_u64()));
        Self { state }
    }

    #[inline(always)]
    pub(crate) fn draw(&mut self) -> Lanes<W> {
        // xoshiro256++, with the state word by word: the update in the order of the reference code.
        let [a, b, c, mut d] = self.state;
        let (mut result, mut shifted) = (a, b);
        for at in 0..W {
            let sum = a[at].wrapping_add(d[at]);
            result[at] = sum.rotate_left(23).wrapping_add(a[at]);
            shifted[at] <<= 17;
        }
        let c = xor(c, a);
        d = xor(d, b);
        let (b, a) = (xor(b, c), xor(a, d));
        let c = xor(c, shifted);
        for word in &mut d {
            *word = word.rotate_left(45);
        }
        self.state = [a, b, c, d];
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_found_by_number() {
        let row: Lanes<4> = [0b1010, 0, 1 << 63, 7];
        let all: Vec<usize> = lanes(row).collect();
        let found: Vec<usize> = (0..).map_while(|number| nth(row, number)).collect();
        assert_eq!(found, all);
        assert_eq!(found, [1, 3, 191, 192, 193, 194]);
        assert_eq!(only::<4>(70), [0, 1 << 6, 0, 0]);
        let mut one = none::<4>();
        set_bit(&mut one, 70, true);
        assert!(bit(&one, 70) && one == only(70));
        set_bit(&mut one, 70, false);
        assert!(!bit(&one, 70) && !any(one));
    }
}
