//! Sets of packed states: sorted, and close to each other, so that what is kept of each is how far it is from the one
//! before, seven bits a byte.
//!
//! ```text
//! 1000, 1003, 1500    →    1000, 3, 497    →    e8 07 | 03 | f1 03
//! ```

/// A packed state.
pub(super) type Code<const W: usize> = [u64; W];

/// A hash whose upper bits depend on all bits of a code.
pub(super) fn hash<const W: usize>(code: &Code<W>) -> u64 {
    let hash = code.iter().fold(0u64, |hash, &word| {
        (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    });
    (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Codes that are collected before they are sorted.
const RUN: usize = 1 << 22;

/// Sorted runs that are kept side by side.
const RUNS: usize = 8;

/// Collects codes, each of which may come many times.
pub(super) struct Collector<const W: usize> {
    open: Vec<Code<W>>,
    runs: Vec<Vec<Code<W>>>,
}

impl<const W: usize> Collector<W> {
    pub(super) fn new() -> Self {
        Self {
            open: Vec::new(),
            runs: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, codes: &[Code<W>]) {
        self.open.extend_from_slice(codes);
        if self.open.len() >= RUN {
            self.close();
        }
    }

    /// All codes that were added, ascending, each once.
    pub(super) fn finish(mut self) -> Vec<Code<W>> {
        self.close();
        merge(self.runs)
    }

    fn close(&mut self) {
        let mut run = std::mem::take(&mut self.open);
        sort(&mut run);
        run.dedup();
        run.shrink_to_fit();
        self.runs.push(run);
        if self.runs.len() == RUNS {
            self.runs = vec![merge(std::mem::take(&mut self.runs))];
        }
    }
}

/// Sorts; codes of one word as the numbers that they are.
fn sort<const W: usize>(codes: &mut [Code<W>]) {
    match W {
        1 => codes.as_flattened_mut().sort_unstable(),
        _ => codes.sort_unstable(),
    }
}

/// The union of sorted runs.
fn merge<const W: usize>(mut runs: Vec<Vec<Code<W>>>) -> Vec<Code<W>> {
    if runs.len() == 1 {
        return runs.pop().unwrap_or_default();
    }
    let mut all = runs.concat();
    drop(runs);
    unite(&mut all);
    all.shrink_to_fit();
    all
}

/// Sorts codes that are sorted runs one behind the other, and keeps each once.
fn unite<const W: usize>(all: &mut Vec<Code<W>>) {
    // A stable sort finds the runs and merges them.
    match W {
        1 => all.as_flattened_mut().sort(),
        _ => all.sort(),
    }
    all.dedup();
}

/// Ascending codes in few bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Codes {
    bytes: Vec<u8>,
    len: usize,
}

impl Codes {
    /// Packs ascending codes, each of which comes once.
    pub(super) fn of<const W: usize>(codes: &[Code<W>]) -> Self {
        let mut bytes = Vec::new();
        let mut before = [0; W];
        for code in codes {
            push(&mut bytes, difference(code, &before));
            before = *code;
        }
        bytes.shrink_to_fit();
        Self {
            bytes,
            len: codes.len(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The codes, ascending, so many at a time.
    pub(super) fn batches<const W: usize>(
        &self,
        size: usize,
    ) -> impl Iterator<Item = Vec<Code<W>>> {
        let mut left = self.iter();
        std::iter::from_fn(move || {
            let batch: Vec<Code<W>> = left.by_ref().take(size).collect();
            (!batch.is_empty()).then_some(batch)
        })
    }

    /// The codes, ascending.
    pub(super) fn iter<const W: usize>(&self) -> impl Iterator<Item = Code<W>> {
        let mut bytes = self.bytes.iter();
        let mut before = [0; W];
        (0..self.len).map(move |_| {
            before = sum(&before, &pull(&mut bytes));
            before
        })
    }
}

#[cfg(feature = "distributed")]
impl Codes {
    /// The codes that were packed so.
    pub(super) fn of_bytes(bytes: Vec<u8>, len: usize) -> Self {
        Self { bytes, len }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Codes of any order, of which some may come many times; they are sorted on the way.
    pub(super) fn of_unsorted<const W: usize>(codes: &mut Vec<Code<W>>) -> Self {
        sort(codes);
        codes.dedup();
        Self::of(codes)
    }

    /// The union of several.
    pub(super) fn union<const W: usize>(runs: &[Self]) -> Vec<Code<W>> {
        let mut all = Vec::with_capacity(runs.iter().map(Self::len).sum());
        runs.iter().for_each(|run| all.extend(run.iter::<W>()));
        if runs.len() > 1 {
            unite(&mut all);
        }
        all
    }
}

/// The difference of two codes as numbers whose first word counts most.
fn difference<const W: usize>(one: &Code<W>, other: &Code<W>) -> Code<W> {
    let mut result = [0; W];
    let mut borrow = false;
    for at in (0..W).rev() {
        let (part, first) = one[at].overflowing_sub(other[at]);
        let (part, second) = part.overflowing_sub(u64::from(borrow));
        result[at] = part;
        borrow = first || second;
    }
    result
}

fn sum<const W: usize>(one: &Code<W>, other: &Code<W>) -> Code<W> {
    let mut result = [0; W];
    let mut carry = false;
    for at in (0..W).rev() {
        // Adding a carry overflows only if the sum did not, so that at most one of the two does.
        let (part, first) = one[at].overflowing_add(other[at]);
        let (part, second) = part.overflowing_add(u64::from(carry));
        result[at] = part;
        carry = first || second;
    }
    result
}

/// Writes a number, the lowest seven bits first.
fn push<const W: usize>(bytes: &mut Vec<u8>, mut number: Code<W>) {
    loop {
        let low = number[W - 1] as u8 & 0x7f;
        shift(&mut number);
        if number == [0; W] {
            bytes.push(low);
            return;
        }
        bytes.push(low | 0x80);
    }
}

/// Divides by 128.
fn shift<const W: usize>(number: &mut Code<W>) {
    for at in (0..W).rev() {
        // The lowest seven bits of the word above come in at the top.
        let above = at.checked_sub(1).map_or(0, |above| number[above]);
        number[at] = number[at] >> 7 | above << 57;
    }
}

/// Reads a number.
fn pull<'b, const W: usize>(bytes: &mut impl Iterator<Item = &'b u8>) -> Code<W> {
    let mut number = [0; W];
    let mut place = 0;
    for &byte in bytes {
        let bits = u64::from(byte & 0x7f);
        let (word, bit) = (place / 64, place % 64);
        // Seven bits may lie in two words: bits 63 to 69 are one of word 0 and six of word 1.
        if word < W {
            number[W - 1 - word] |= bits << bit;
        }
        if bit > 57 && word + 1 < W {
            number[W - 2 - word] |= bits >> (64 - bit);
        }
        place += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn are_kept<const W: usize>() {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(W as u64);
        let mut collector = Collector::<W>::new();
        let mut expected = std::collections::BTreeSet::new();
        for _ in 0..3000 {
            let mut code = [0; W];
            code.iter_mut().for_each(|word| *word = random.random());
            code[0] >>= random.random_range(0..64u32);
            collector.add(&[code, code]);
            expected.insert(code);
        }
        let codes = collector.finish();
        assert!(codes.iter().eq(&expected));
        let packed = Codes::of(&codes);
        assert_eq!(packed.len(), codes.len());
        assert!(packed.iter().eq(codes));
    }

    #[test]
    fn codes_are_kept() {
        are_kept::<1>();
        are_kept::<2>();
        are_kept::<4>();
    }
}
