//! Functions of packed states as sums over pieces: the bits of a code in pieces of whole fields, each of which indexes
//! a table.

use crate::circuit::packing::{Field, Packing};
use crate::search::versus::codes::Code;

/// Bits of a piece, unless a single field has more.
const MOST: usize = 10;

/// Bits of a single field at most.
const MOST_OF_FIELD: usize = 16;

/// Neighbouring fields of one word.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    word: usize,
    shift: usize,
    mask: u64,
}

impl Chunk {
    /// The value of the piece in a code.
    #[inline(always)]
    pub(super) fn of<const W: usize>(&self, code: &Code<W>) -> usize {
        (code[self.word] >> self.shift & self.mask) as usize
    }
}

/// The value of a field in a code.
pub(super) fn value<const W: usize>(field: &Field, code: &Code<W>) -> usize {
    (code[field.shift / 64] >> (field.shift % 64) & ((1 << field.width) - 1)) as usize
}

/// Tables over all pieces, whose entries are folded from what is given for each field and value; none if a field has too
/// many values.
pub(super) fn tables<T: Clone>(
    packing: &Packing,
    none: &T,
    entry: impl Fn(&mut T, usize, usize),
) -> Option<Vec<(Chunk, Vec<T>)>> {
    let mut tables = Vec::new();
    let mut next = 0;
    while let Some(first) = packing.fields.get(next) {
        let mut end = next + 1;
        let width = |end: usize| {
            let last = &packing.fields[end - 1];
            last.shift + last.width - first.shift
        };
        // As many neighbouring fields of the same word as a table of 2^MOST entries has room for.
        while packing
            .fields
            .get(end)
            .is_some_and(|field| field.shift / 64 == first.shift / 64 && width(end + 1) <= MOST)
        {
            end += 1;
        }
        let bits = width(end);
        if bits > MOST_OF_FIELD {
            return None;
        }
        let mut table = vec![none.clone(); 1 << bits];
        // The index of an entry is the bits of its fields side by side: fields of 2 and 3 bits, index 10110: 10 in the
        // one, 101 in the other.
        for (index, result) in table.iter_mut().enumerate() {
            for (place, field) in packing.fields[next..end].iter().enumerate() {
                let value = index >> (field.shift - first.shift) & ((1 << field.width) - 1);
                entry(result, next + place, value);
            }
        }
        let chunk = Chunk {
            word: first.shift / 64,
            shift: first.shift % 64,
            mask: (1 << bits) - 1,
        };
        tables.push((chunk, table));
        next = end;
    }
    Some(tables)
}
