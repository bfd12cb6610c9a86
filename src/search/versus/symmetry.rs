//! Symmetries in tables of packed states: of all states that a symmetry makes of one, the least stands for them.

use crate::circuit::packing::Packing;
use crate::search::versus::chunks::{Chunk, tables};
use crate::search::versus::codes::Code;

/// A permutation of states: by word of the result, what each piece of a code adds to it. Pieces that never add anything
/// are left out, and tables of single words stay in the caches.
type Image = Vec<Vec<(Chunk, Vec<u64>)>>;

/// A group of permutations of states, all of which leave the start as it is.
#[derive(Clone, Debug)]
pub(super) struct Symmetries<const W: usize> {
    /// All but the identity.
    images: Vec<Image>,
}

impl<const W: usize> Symmetries<W> {
    /// The symmetries of a group that leave a state as it is; each is given as the fluent, by place, that becomes of
    /// each fluent.
    pub(super) fn new(packing: &Packing, group: &[Vec<usize>], start: &Code<W>) -> Self {
        let mut symmetries = Self { images: Vec::new() };
        for permutation in group {
            match image::<W>(packing, permutation) {
                // A symmetry that moves the start would take a reachable state for one that is not reached.
                Some(image) if apply(&image, start) == *start => symmetries.images.push(image),
                Some(_) | None => {}
            }
        }
        symmetries
    }

    /// The number of symmetries.
    pub(super) fn len(&self) -> usize {
        self.images.len() + 1
    }

    /// The least state that symmetries make of one.
    pub(super) fn canonical(&self, code: &Code<W>) -> Code<W> {
        let mut least = *code;
        for image in &self.images {
            // The first word in which an image differs from the least one so far tells which of the two is less; hardly
            // any image needs more than one word to be computed.
            let differs = (0..W).find_map(|at| {
                let word = word(image, at, code);
                (word != least[at]).then_some((at, word))
            });
            if let Some((at, first)) = differs
                && first < least[at]
            {
                least[at] = first;
                for (place, rest) in least.iter_mut().enumerate().skip(at + 1) {
                    *rest = word(image, place, code);
                }
            }
        }
        least
    }

    /// Replaces states by those that stand for them.
    pub(super) fn canonicalise(&self, codes: &mut [Code<W>]) {
        if !self.images.is_empty() {
            codes
                .iter_mut()
                .for_each(|code| *code = self.canonical(code));
        }
    }

    /// The states that symmetries make of one, ascending.
    pub(super) fn members(&self, code: &Code<W>) -> Vec<Code<W>> {
        let images = self.images.iter().map(|image| apply(image, code));
        let mut members: Vec<Code<W>> = std::iter::once(*code).chain(images).collect();
        members.sort_unstable();
        members.dedup();
        members
    }

    /// Number of states that symmetries make of one.
    pub(super) fn orbit(&self, code: &Code<W>) -> u64 {
        // Orbits and stabilisers: as many symmetries make each of them as leave it as it is.
        let kept = self
            .images
            .iter()
            .filter(|image| apply(image, code) == *code);
        (self.len() / (kept.count() + 1)) as u64
    }
}

fn apply<const W: usize>(image: &Image, code: &Code<W>) -> Code<W> {
    std::array::from_fn(|at| word(image, at, code))
}

/// A word of what becomes of a code.
#[inline]
fn word<const W: usize>(image: &Image, at: usize, code: &Code<W>) -> u64 {
    let parts = image[at].iter().map(|(chunk, table)| table[chunk.of(code)]);
    parts.fold(0, |word, part| word | part)
}

/// What a permutation of fluents makes of codes; none if it takes groups apart.
fn image<const W: usize>(packing: &Packing, permutation: &[usize]) -> Option<Image> {
    let mut home = vec![None; permutation.len()];
    for (number, field) in packing.fields.iter().enumerate() {
        for (member, &fluent) in field.group.fluents.iter().enumerate() {
            home[fluent] = Some((number, member));
        }
    }
    // By field and value, the bits that become of it.
    let mut parts: Vec<Vec<Code<W>>> = Vec::new();
    for field in &packing.fields {
        let mut part = vec![[0; W]; 1 << field.width];
        let mut target = None;
        for (member, &fluent) in field.group.fluents.iter().enumerate() {
            let (number, to) = home[permutation[fluent]]?;
            // All fluents of a group must become fluents of one group, or a value of the one is none of the other.
            if *target.get_or_insert(number) != number {
                return None;
            }
            let other = &packing.fields[number];
            if (other.group.fluents.len(), other.group.is_exact)
                != (field.group.fluents.len(), field.group.is_exact)
            {
                return None;
            }
            // In a group of which none may hold, value 0 is that none does, and member n has value n + 1.
            let value = (to + usize::from(!other.group.is_exact)) as u64;
            part[member + usize::from(!field.group.is_exact)][other.shift / 64] |=
                value << (other.shift % 64);
        }
        parts.push(part);
    }
    let of = |code: &mut Code<W>, field: usize, value: usize| {
        for (word, part) in code.iter_mut().zip(parts[field][value]) {
            *word |= part;
        }
    };
    let tables = tables(packing, &[0; W], of)?;
    let words = (0..W).map(|at| {
        let tables = tables.iter().map(|(chunk, table)| {
            let table: Vec<u64> = table.iter().map(|code| code[at]).collect();
            (chunk.clone(), table)
        });
        let adds = |(_, table): &(Chunk, Vec<u64>)| table.iter().any(|&word| word != 0);
        tables.filter(adds).collect()
    });
    Some(words.collect())
}
