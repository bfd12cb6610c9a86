//! Symmetries of the rules: permutations of fluents and moves under which next state, legal moves, end and payoffs of
//! every role are the same functions.
//!
//! Colours of fluents, moves and sums are refined by what stands around them until nothing more can be told apart. One
//! fluent is then singled out, and another one in a copy; if the colours of both are refined alike down to single
//! fluents and moves, they are a permutation, and whether that is a symmetry is checked sum by sum, which is its own
//! proof: a wrong colour costs a symmetry and never admits one.
//!
//! Source: individualisation and refinement, as of McKay, Practical Graph Isomorphism, 1981, without its pruning.

use rustc_hash::FxHashMap;

use crate::circuit::Circuit;
use crate::search::versus::forms::{Forms, Literal, Sum};

/// Symmetries at most; a group that has more is given up for a part of its generators.
const MOST_SYMMETRIES: usize = 64;

/// Refinements that a search for all symmetries may take.
const MOST_REFINEMENTS: usize = 2_000;

/// Literals that all refinements together may look at.
const MOST_WORK: usize = 400_000_000;

/// Singled out, the next sorts of atoms have the same colour in both copies.
type Pairs = Vec<(usize, usize)>;

/// The symmetries of a game that leave its start and its roles as they are, but for the identity: by place, the fluent
/// that becomes of each.
pub(super) fn symmetries(circuit: &Circuit) -> Vec<Vec<usize>> {
    let Ok(forms) = Forms::of(circuit) else {
        return Vec::new();
    };
    let mut search = Search::new(circuit, &forms);
    let generators = search.generators();
    close(circuit.fluents.len(), &generators)
}

struct Search<'f> {
    forms: &'f Forms,
    /// The colours to start with.
    first: Vec<u64>,
    refinements: usize,
    most: usize,
}

impl<'f> Search<'f> {
    fn new(circuit: &Circuit, forms: &'f Forms) -> Self {
        let mut first = vec![0; forms.len()];
        for (fluent, colour) in circuit.fluents.iter().zip(&mut first) {
            *colour = 1 + u64::from(fluent.initial);
        }
        for (role, (&start, own)) in forms.moves.iter().zip(&circuit.moves).enumerate() {
            first[start..start + own.len()].fill(10 + role as u64);
        }
        // Payoffs and end stay what they are.
        for (place, &atom) in forms.ends.iter().enumerate() {
            first[atom] = mix(first[atom] + 1_000 + place as u64);
        }
        let literals = forms
            .sums()
            .map(|(_, sum)| sum.iter().map(Vec::len).sum::<usize>());
        let work = literals.sum::<usize>().max(1) * 16;
        Self {
            forms,
            first,
            refinements: 0,
            most: (MOST_WORK / work).min(MOST_REFINEMENTS),
        }
    }

    /// Generators of the group: one fluent after the other is kept where it is, and each that it could become instead is
    /// tried.
    fn generators(&mut self) -> Vec<Vec<usize>> {
        let mut generators: Vec<Vec<usize>> = Vec::new();
        let mut kept = Pairs::new();
        loop {
            let Some(colours) = self.refine(&kept, |pair| pair.0) else {
                return generators;
            };
            let Some(cell) = cell(&colours[..self.forms.fluents]) else {
                return generators;
            };
            let mut own: Vec<Vec<usize>> = Vec::new();
            for &other in &cell[1..] {
                if reaches(&own, cell[0], other) {
                    continue;
                }
                let mut pairs = kept.clone();
                pairs.push((cell[0], other));
                own.extend(self.extend(pairs));
            }
            generators.extend(own);
            kept.push((cell[0], cell[0]));
        }
    }

    /// A symmetry that makes of each of some atoms another.
    fn extend(&mut self, pairs: Pairs) -> Option<Vec<usize>> {
        let mut open = vec![pairs];
        while let Some(pairs) = open.pop() {
            let one = self.refine(&pairs, |pair| pair.0)?;
            let other = self.refine(&pairs, |pair| pair.1)?;
            let leaves = self.forms.leaves;
            let Some(images) = images(&one[..leaves], &other[..leaves]) else {
                continue;
            };
            let Some(cell) = cell(&one[..leaves]) else {
                match self.is_symmetry(&images) {
                    true => return Some(images[..self.forms.fluents].to_vec()),
                    false => continue,
                }
            };
            let colour = one[cell[0]];
            let candidates = (0..leaves).rev().filter(|&atom| other[atom] == colour);
            open.extend(candidates.map(|atom| {
                let mut more = pairs.clone();
                more.push((cell[0], atom));
                more
            }));
        }
        None
    }

    /// Colours after all that can be told apart is, with some atoms singled out; none if there was enough of that.
    fn refine(&mut self, pairs: &Pairs, of: impl Fn(&(usize, usize)) -> usize) -> Option<Vec<u64>> {
        self.refinements += 1;
        if self.refinements > self.most {
            return None;
        }
        let mut colours = self.first.clone();
        for (place, pair) in pairs.iter().enumerate() {
            colours[of(pair)] = mix(colours[of(pair)] ^ (place as u64 + 1) << 32);
        }
        let mut number = 0;
        loop {
            let found = distinct(&colours[..self.forms.leaves]);
            if found <= number {
                return Some(colours);
            }
            number = found;
            // Two rounds, so that what is told of sums comes back to what is in them.
            colours = self.round(&self.round(&colours));
        }
    }

    fn round(&self, colours: &[u64]) -> Vec<u64> {
        let mut next: Vec<u64> = colours.iter().map(|&colour| mix(colour)).collect();
        for (atom, sum) in self.forms.sums() {
            for term in sum {
                let all = term.iter().map(|literal| seen(colours, literal));
                let all = mix(all.fold(0, u64::wrapping_add));
                next[atom] = next[atom].wrapping_add(all);
                for literal in term {
                    let around = mix(all ^ mix(colours[atom]) ^ u64::from(literal.is_negated));
                    let place = literal.atom as usize;
                    next[place] = next[place].wrapping_add(around);
                }
            }
        }
        let own = self.forms.next.iter().chain(&self.forms.legal);
        for (leaf, &atom) in own.enumerate() {
            next[leaf] = next[leaf].wrapping_add(mix(colours[atom] ^ 0x55));
            next[atom] = next[atom].wrapping_add(mix(colours[leaf] ^ 0xaa));
        }
        next
    }

    /// Whether a permutation of fluents and moves makes of each function the function that it should.
    fn is_symmetry(&self, images: &[usize]) -> bool {
        let mut image = images.to_vec();
        for (_, sum) in self.forms.sums() {
            let mut mapped: Sum = sum.clone();
            for term in &mut mapped {
                for literal in term.iter_mut() {
                    let Some(&atom) = image.get(literal.atom as usize) else {
                        return false;
                    };
                    literal.atom = atom as u32;
                }
                term.sort_unstable();
            }
            mapped.sort_unstable();
            match self.forms.atom(&mapped) {
                Some(atom) => image.push(atom),
                None => return false,
            }
        }
        let own = self.forms.next.iter().chain(&self.forms.legal);
        let own: Vec<usize> = own.copied().collect();
        // Fluents stay fluents of the same value at the start, and moves those of their role.
        let is_kept = |leaf: usize| self.first[leaf] == self.first[image[leaf]];
        let mut leaves = own.iter().enumerate();
        leaves.all(|(leaf, &atom)| is_kept(leaf) && image[atom] == own[image[leaf]])
            && self.forms.ends.iter().all(|&end| image[end] == end)
    }
}

fn seen(colours: &[u64], literal: &Literal) -> u64 {
    mix(colours[literal.atom as usize] ^ u64::from(literal.is_negated) << 63)
}

/// Scatters bits (S. Vigna, splitmix64).
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

fn distinct(colours: &[u64]) -> usize {
    let mut colours = colours.to_vec();
    colours.sort_unstable();
    colours.dedup();
    colours.len()
}

/// The first atoms that have the same colour.
fn cell(colours: &[u64]) -> Option<Vec<usize>> {
    let mut count: FxHashMap<u64, usize> = FxHashMap::default();
    colours
        .iter()
        .for_each(|&colour| *count.entry(colour).or_default() += 1);
    let first = colours.iter().find(|colour| count[colour] > 1)?;
    let members = (0..colours.len()).filter(|&atom| colours[atom] == *first);
    Some(members.collect())
}

/// By atom, one of the same colour in a copy; none if there are others in it.
fn images(one: &[u64], other: &[u64]) -> Option<Vec<usize>> {
    let mut places: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    for (place, &colour) in other.iter().enumerate().rev() {
        places.entry(colour).or_default().push(place);
    }
    one.iter()
        .map(|colour| places.get_mut(colour)?.pop())
        .collect()
}

/// Whether generators lead from one fluent to another.
fn reaches(generators: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(&fluent) = reached.get(next) {
        next += 1;
        for generator in generators {
            if !reached.contains(&generator[fluent]) {
                reached.push(generator[fluent]);
            }
        }
    }
    reached.contains(&to)
}

/// The group of as many of the generators as make few enough, but for the identity.
fn close(fluents: usize, generators: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..fluents).collect();
    let mut group = vec![identity];
    for taken in 1..=generators.len() {
        match generated(&group[0], &generators[..taken]) {
            Some(larger) => group = larger,
            None => break,
        }
    }
    group.split_off(1)
}

fn generated(identity: &[usize], generators: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
    let mut group = vec![identity.to_vec()];
    let mut next = 0;
    while next < group.len() {
        for generator in generators {
            let product: Vec<usize> = group[next]
                .iter()
                .map(|&fluent| generator[fluent])
                .collect();
            if !group.contains(&product) {
                group.push(product);
            }
        }
        next += 1;
        if group.len() > MOST_SYMMETRIES {
            return None;
        }
    }
    Some(group)
}
