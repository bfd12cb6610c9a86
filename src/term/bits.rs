//! Sets as bits of words.

/// The places of the bits that are set, ascending.
pub(crate) fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros() as usize;
            // Clears the lowest bit that is set.
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(at * 64 + bit)
        })
    })
}
