//! States as numbers of few bits: a group of n fluents of which one holds takes ⌈log₂ n⌉ of them.
//!
//! ```text
//! cell(1,1,b) | cell(1,1,x) | cell(1,1,o)     00 | 01 | 10
//! control(white) | control(black)             0 | 1
//! ```
//!
//! Bits of codes and fluents are both rows of lanes in a batch, so that packing and unpacking are a few operations
//! for 256 states. That a group is one has to be proved before; see `decomposition`.

use crate::circuit::assemble::Circuit;
use crate::circuit::simulate::lanes::{Lanes, and, inverted_if, none, or};

/// Words of a value: 256 lanes.
const WORDS: usize = 4;

/// A row of truth values of 256 states.
type Row = Lanes<WORDS>;

/// Bits of a word.
pub(crate) const BITS: usize = u64::BITS as usize;

/// Fluents of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// The fluents, by place in the circuit.
    pub(crate) fluents: Vec<usize>,
    /// Whether one of them always holds.
    pub(crate) is_exact: bool,
}

impl Group {
    /// Numbers of values: which fluent holds, or none.
    fn values(&self) -> usize {
        self.fluents.len() + usize::from(!self.is_exact)
    }

    /// The value that says that a member holds.
    pub(crate) fn value(&self, member: usize) -> usize {
        member + usize::from(!self.is_exact)
    }

    /// The value of a state, given the places of the fluents that hold.
    pub(crate) fn value_where(&self, holds: impl Fn(usize) -> bool) -> usize {
        let held = self.fluents.iter().position(|&place| holds(place));
        held.map_or(0, |member| self.value(member))
    }

    fn width(&self) -> usize {
        self.values().next_power_of_two().trailing_zeros() as usize
    }
}

/// The bits of a group in a code, one behind the other in one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) group: Group,
    pub(crate) shift: usize,
    pub(crate) width: usize,
}

/// Where everything about a state is in its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packing {
    pub(crate) fields: Vec<Field>,
    /// Words of a code.
    pub(crate) words: usize,
}

impl Packing {
    /// The packing of disjoint groups that have all fluents which may change.
    pub(crate) fn new(groups: impl IntoIterator<Item = Group>) -> Self {
        let mut fields = Vec::new();
        let mut shift = 0;
        for group in groups {
            let width = group.width();
            if shift % BITS + width > BITS {
                shift = (shift / BITS + 1) * BITS;
            }
            fields.push(Field {
                group,
                shift,
                width,
            });
            shift += width;
        }
        let words = shift.div_ceil(BITS).max(1);
        Self { fields, words }
    }

    /// The code of a state, given the places of the fluents that hold.
    pub(crate) fn pack<const W: usize>(&self, holds: impl Fn(usize) -> bool) -> [u64; W] {
        let mut code = [0; W];
        for field in &self.fields {
            let value = field.group.value_where(&holds) as u64;
            // A field without bits may be beyond the last word.
            if let Some(word) = code.get_mut(field.shift / BITS) {
                *word |= value << (field.shift % BITS);
            }
        }
        code
    }

    /// The places of the fluents that hold in a state.
    pub(crate) fn unpack<const W: usize>(&self, code: &[u64; W]) -> Vec<usize> {
        let held = self.fields.iter().filter_map(|field| {
            let mask = (1u64 << field.width) - 1;
            // A field without bits may be beyond the last word.
            let word = code.get(field.shift / BITS).copied().unwrap_or(0);
            let value = (word >> (field.shift % BITS) & mask) as usize;
            let first = field.group.value(0);
            field.group.fluents.get(value.checked_sub(first)?).copied()
        });
        held.collect()
    }

    /// Turns rows of bits into rows of fluents, by place.
    pub(super) fn spread(&self, bits: &[Row], mut fluent: impl FnMut(usize, Row)) {
        for field in &self.fields {
            let own = &bits[field.shift..field.shift + field.width];
            let first = field.group.value(0);
            for (value, &place) in (first..).zip(&field.group.fluents) {
                let mut row = [u64::MAX; WORDS];
                for (bit, lanes) in own.iter().enumerate() {
                    row = and(row, inverted_if(*lanes, value >> bit & 1 == 0));
                }
                fluent(place, row);
            }
        }
    }

    /// Turns rows of fluents, by place, into rows of bits.
    pub(super) fn gather(&self, fluent: impl Fn(usize) -> Row, bits: &mut [Row]) {
        for field in &self.fields {
            let own = &mut bits[field.shift..field.shift + field.width];
            own.fill(none());
            let first = field.group.value(0);
            for (value, &place) in (first..).zip(&field.group.fluents) {
                if value == 0 {
                    continue;
                }
                let row = fluent(place);
                for (bit, lanes) in own.iter_mut().enumerate() {
                    if value >> bit & 1 == 1 {
                        *lanes = or(*lanes, row);
                    }
                }
            }
        }
    }
}

/// The fluents, by place, that may hold in one state and not in another.
pub(crate) fn changing(circuit: &Circuit) -> impl Iterator<Item = usize> {
    let fluents = circuit.fluents.iter().enumerate();
    let changing = fluents.filter(|(_, fluent)| fluent.holds.constant().is_none());
    changing.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_take_few_bits_and_stay_in_a_word() {
        let group = |range: std::ops::Range<usize>, is_exact| Group {
            fluents: range.collect(),
            is_exact,
        };
        let packing = Packing::new([
            group(0..3, true),
            group(3..4, false),
            group(4..5, true),
            group(5..40, false),
            group(40..95, true),
            group(95..150, true),
        ]);
        let widths: Vec<usize> = packing.fields.iter().map(|field| field.width).collect();
        assert_eq!(widths, [2, 1, 0, 6, 6, 6]);
        let held = [2, 4, 39, 40, 149];
        let code: [u64; 1] = packing.pack(|place| held.contains(&place));
        assert_eq!(code, [2 | 35 << 3 | 54 << 15]);
        assert_eq!(packing.unpack(&code), held);
    }
}
