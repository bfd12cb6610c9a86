//! Values of impartial games: numbers that are added without carry, and zero if whoever moves loses.
//!
//! ```text
//! nim heap of 3: options 0, 1, 2     value mex{0, 1, 2} = 3
//! heaps of 1, 2 and 3                1 ⊕ 2 ⊕ 3 = 0: whoever moves loses
//! ```
//!
//! Source: Sprague, Über mathematische Kampfspiele, 1935; Grundy, Mathematics and games, 1939.

use crate::search::versus::sum::local::LocalGame;

/// By state of a part, its value; none if the roles do not have the same options everywhere.
pub(super) fn values(game: &LocalGame, order: &[usize]) -> Option<Vec<u32>> {
    let [options, others] = &game.options;
    if options != others {
        return None;
    }
    let mut values = vec![0; options.len()];
    let mut seen = Vec::new();
    for &state in order {
        seen.clear();
        seen.extend(options[state].iter().map(|&after| values[after as usize]));
        values[state] = least_excluded(&mut seen);
    }
    Some(values)
}

/// The least number that is not among some.
fn least_excluded(numbers: &mut [u32]) -> u32 {
    numbers.sort_unstable();
    // Ascending, so that all numbers below `least` have come: 0, 1, 1, 3 gives 1, 2, 2, 2.
    let seen = numbers.iter();
    seen.fold(0, |least, &number| least + u32::from(number == least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_number_is_left_out() {
        assert_eq!(least_excluded(&mut []), 0);
        assert_eq!(least_excluded(&mut [1, 2]), 0);
        assert_eq!(least_excluded(&mut [3, 0, 1, 1, 0]), 2);
    }
}
