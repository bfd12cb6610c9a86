//! Sets as bits of words.

/// The places of the bits of a word that are set, ascending.
#[inline]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            // Clears the lowest bit that is set.
            word &= word - 1;
            bit
        })
    })
}

/// The places of the bits of many words that are set, ascending.
#[inline]
pub(crate) fn ones_of_all(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    let words = words.enumerate();
    words.flat_map(|(at, word)| ones(word).map(move |bit| at * 64 + bit))
}
