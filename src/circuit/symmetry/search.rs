//! Individualisation and refinement, the group that symmetries generate, and exchanges of roles.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::circuit::Circuit;
use crate::circuit::symmetry::forms::{Forms, Sum, SumLiteral};
use crate::limits::StopFlag;

/// Symmetries at most; a group that has more is given up for a part of its generators.
const MOST_SYMMETRIES: usize = 64;

/// Refinements that a search for all symmetries may take.
const MOST_REFINEMENTS: usize = 2_000;

/// Literals that all refinements together may read.
const MOST_WORK: usize = 400_000_000;

/// Singled out, the next sorts of atoms have the same colour in both copies.
type Pairs = Vec<(usize, usize)>;

/// The symmetries of a game that leave its start and its roles as they are, but for the identity: by place, the fluent
/// that becomes of each. Where the search is stopped, those that it found.
pub(crate) fn symmetries(circuit: &Circuit, stop: &StopFlag) -> Vec<Vec<usize>> {
    let fluents = circuit.fluents.len();
    let mut generators = generators(circuit, stop);
    for images in &mut generators {
        images.truncate(fluents);
    }
    close(fluents, &generators)
}

/// The same, with the moves: by place, what becomes of each fluent, then of the moves of each role.
pub(crate) fn symmetries_of_moves(circuit: &Circuit, stop: &StopFlag) -> Vec<Vec<usize>> {
    let moves = circuit.moves.iter().map(Vec::len);
    let leaves = circuit.fluents.len() + moves.sum::<usize>();
    close(leaves, &generators(circuit, stop))
}

/// Generators of the symmetries that leave start and roles as they are.
fn generators(circuit: &Circuit, stop: &StopFlag) -> Vec<Vec<usize>> {
    let Ok(forms) = Forms::of(circuit, stop) else {
        return Vec::new();
    };
    let roles: Vec<usize> = (0..circuit.moves.len()).collect();
    let mut budget = SearchBudget::new(stop);
    let subject = (circuit, &forms);
    let exact = FixedBitSet::new();
    let Some(mut search) = Search::new(subject, &roles, (Start::Kept, &exact), &mut budget) else {
        return Vec::new();
    };
    search.generators()
}

/// The work that a search may take is done, somebody stopped it, or the rules could not be multiplied out, so that what
/// was not found may be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMuchWork;

/// What searches may yet cost.
struct SearchBudget<'s> {
    /// Literals that they may yet read.
    literals: usize,
    stop: &'s StopFlag,
}

impl<'s> SearchBudget<'s> {
    fn new(stop: &'s StopFlag) -> Self {
        Self {
            literals: MOST_WORK,
            stop,
        }
    }

    /// Takes so many literals off.
    fn spend(&mut self, literals: usize) -> Result<(), TooMuchWork> {
        self.literals = self.literals.saturating_sub(literals);
        if self.literals == 0 || self.stop.raised().is_some() {
            return Err(TooMuchWork);
        }
        Ok(())
    }
}

/// Whether a symmetry must leave the start as it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Kept,
    Free,
}

/// A permutation that exchanges roles.
pub(crate) struct Exchange {
    /// The fluents, then the moves of all roles, that become of each.
    pub(crate) images: Vec<usize>,
    /// Whether all functions were compared; else some can be written in several ways, and nothing is known of them.
    pub(crate) is_proved: bool,
}

/// Looks for permutations that exchange roles.
pub(crate) struct Exchanges<'c> {
    circuit: &'c Circuit,
    forms: Forms,
    /// Of all searches together.
    budget: SearchBudget<'c>,
}

impl<'c> Exchanges<'c> {
    /// Multiplies the rules out.
    ///
    /// # Errors
    /// [`TooMuchWork`] if they have loops, or somebody stopped it.
    pub(crate) fn of(circuit: &'c Circuit, stop: &'c StopFlag) -> Result<Self, TooMuchWork> {
        Ok(Self {
            circuit,
            forms: Forms::of(circuit, stop).map_err(|_| TooMuchWork)?,
            budget: SearchBudget::new(stop),
        })
    }

    /// A permutation of fluents, then of the moves of all roles, under which the rules say of one role what they said
    /// of another: by role, which becomes of it. None if there is no such permutation. Where functions can be written in
    /// several ways, one that the others allow.
    ///
    /// # Errors
    /// [`TooMuchWork`].
    pub(crate) fn find(
        &mut self,
        roles: &[usize],
        start: Start,
    ) -> Result<Option<Exchange>, TooMuchWork> {
        let number = |role: usize| self.circuit.moves[role].len();
        let mut pairs = roles.iter().enumerate();
        if !pairs.all(|(role, &other)| number(role) == number(other)) {
            return Ok(None);
        }
        if let Ok(Some(images)) = self.images(roles, (start, &FixedBitSet::new())) {
            let is_proved = true;
            return Ok(Some(Exchange { images, is_proved }));
        }
        // Functions may be the same and written in different ways.
        let unproved = |images| {
            let is_proved = false;
            Some(Exchange { images, is_proved })
        };
        for ignored in self.forms.conjectures() {
            self.budget = SearchBudget::new(self.budget.stop);
            if let Ok(Some(images)) = self.images(roles, (start, &ignored)) {
                return Ok(unproved(images));
            }
        }
        self.budget = SearchBudget::new(self.budget.stop);
        let ignored = self.forms.ambiguous_kinds();
        Ok(self.images(roles, (start, &ignored))?.and_then(unproved))
    }

    /// A permutation under which all sums agree but some that are ignored.
    fn images(
        &mut self,
        roles: &[usize],
        start: (Start, &FixedBitSet),
    ) -> Result<Option<Vec<usize>>, TooMuchWork> {
        let subject = (self.circuit, &self.forms);
        match Search::new(subject, roles, start, &mut self.budget) {
            Some(mut search) => search.extend(Pairs::new()),
            None => Ok(None),
        }
    }
}

/// A search for permutations under which the rules say the same.
struct Search<'f, 's> {
    forms: &'f Forms,
    /// Sums of which nothing is known.
    ignored: &'f FixedBitSet,
    /// The colours to start with, and those of the copy.
    first: [Vec<u64>; 2],
    /// By place of an end, the one that it becomes.
    ends: Vec<usize>,
    refinements: usize,
    /// Literals that a round reads.
    literals: usize,
    budget: &'f mut SearchBudget<'s>,
}

impl<'f, 's> Search<'f, 's> {
    /// None if roles have other payoffs than those that become of them.
    fn new(
        (circuit, forms): (&Circuit, &'f Forms),
        roles: &[usize],
        (start, ignored): (Start, &'f FixedBitSet),
        budget: &'f mut SearchBudget<'s>,
    ) -> Option<Self> {
        let ends = ends(circuit, roles)?;
        let mut first = vec![0; forms.len()];
        for (fluent, colour) in circuit.fluents.iter().zip(&mut first) {
            *colour = 1 + u64::from(start == Start::Kept && fluent.initial);
        }
        let mut second = first.clone();
        for (role, &other) in roles.iter().enumerate() {
            for (colours, role_of) in [(&mut first, role), (&mut second, other)] {
                let start = forms.moves[role_of];
                let number = circuit.moves[role_of].len();
                colours[start..start + number].fill(10 + role as u64);
            }
        }
        // Payoffs and end stay what they are, but for the roles.
        for (place, &image) in ends.iter().enumerate() {
            for (colours, atom) in [
                (&mut first, forms.ends[place]),
                (&mut second, forms.ends[image]),
            ] {
                if ignored.contains(atom) {
                    continue;
                }
                colours[atom] = mix(colours[atom] + 1_000 + place as u64);
            }
        }
        let literals = forms
            .sums()
            .map(|(_, sum)| sum.iter().map(Vec::len).sum::<usize>());
        Some(Self {
            forms,
            ignored,
            first: [first, second],
            ends,
            refinements: 0,
            literals: literals.sum::<usize>().max(1),
            budget,
        })
    }

    /// Generators of the group: one fluent after the other is kept where it is, and each that it could become instead is
    /// tried.
    fn generators(&mut self) -> Vec<Vec<usize>> {
        let mut generators: Vec<Vec<usize>> = Vec::new();
        let mut kept = Pairs::new();
        loop {
            let Ok(colours) = self.refine(&kept, 0) else {
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
                own.extend(self.extend(pairs).ok().flatten());
            }
            generators.extend(own);
            kept.push((cell[0], cell[0]));
        }
    }

    /// A symmetry that makes of each of some atoms another, if there is one: by fluent and move, its image.
    fn extend(&mut self, pairs: Pairs) -> Result<Option<Vec<usize>>, TooMuchWork> {
        let mut open = vec![pairs];
        while let Some(pairs) = open.pop() {
            let one = self.refine(&pairs, 0)?;
            let other = self.refine(&pairs, 1)?;
            let leaves = self.forms.leaves;
            let Some(images) = images(&one[..leaves], &other[..leaves]) else {
                continue;
            };
            let Some(cell) = cell(&one[..leaves]) else {
                if self.is_symmetry(&images) {
                    return Ok(Some(images));
                }
                continue;
            };
            let colour = one[cell[0]];
            let candidates = (0..leaves).rev().filter(|&atom| other[atom] == colour);
            open.extend(candidates.map(|atom| {
                let mut more = pairs.clone();
                more.push((cell[0], atom));
                more
            }));
        }
        Ok(None)
    }

    /// Colours of the first or the second copy after all that can be told apart is, with some atoms singled out.
    fn refine(&mut self, pairs: &Pairs, copy: usize) -> Result<Vec<u64>, TooMuchWork> {
        self.refinements += 1;
        if self.refinements > MOST_REFINEMENTS {
            return Err(TooMuchWork);
        }
        let of = |&(one, other): &(usize, usize)| [one, other][copy];
        let mut colours = self.first[copy].clone();
        for (place, pair) in pairs.iter().enumerate() {
            colours[of(pair)] = mix(colours[of(pair)] ^ (place as u64 + 1) << 32);
        }
        let mut number = 0;
        loop {
            let found = distinct(&colours[..self.forms.leaves]);
            if found <= number {
                return Ok(colours);
            }
            number = found;
            self.budget.spend(2 * self.literals)?;
            // Two rounds, so that what is told of sums comes back to what is in them.
            colours = self.round(&self.round(&colours));
        }
    }

    fn round(&self, colours: &[u64]) -> Vec<u64> {
        let mut next: Vec<u64> = colours.iter().map(|&colour| mix(colour)).collect();
        for (atom, sum) in self.forms.sums() {
            if self.ignored.contains(atom) {
                continue;
            }
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
            if self.ignored.contains(atom) {
                continue;
            }
            next[leaf] = next[leaf].wrapping_add(mix(colours[atom] ^ 0x55));
            next[atom] = next[atom].wrapping_add(mix(colours[leaf] ^ 0xaa));
        }
        next
    }

    /// Whether a permutation of fluents and moves makes of each function the function that it should.
    fn is_symmetry(&self, images: &[usize]) -> bool {
        let mut image = images.to_vec();
        for (atom, sum) in self.forms.sums() {
            if self.ignored.contains(atom) {
                image.push(atom);
                continue;
            }
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
        let is_kept = |leaf: usize| self.first[0][leaf] == self.first[1][image[leaf]];
        let becomes = |atom: usize, other: usize| {
            let mut both = [atom, other].into_iter();
            image[atom] == other || both.any(|atom| self.ignored.contains(atom))
        };
        let ends = &self.forms.ends;
        let mut leaves = own.iter().enumerate();
        leaves.all(|(leaf, &atom)| is_kept(leaf) && becomes(atom, own[image[leaf]]))
            && (self.ends.iter().zip(ends)).all(|(&to, &end)| becomes(end, ends[to]))
    }
}

/// By place of an end, that of the end that becomes of it; payoffs are those of all roles, then comes whether it is one.
fn ends(circuit: &Circuit, roles: &[usize]) -> Option<Vec<usize>> {
    let mut start = 0;
    let starts = circuit.goals.iter().map(|own| {
        start += own.len();
        start - own.len()
    });
    let starts: Vec<usize> = starts.collect();
    let mut images = Vec::with_capacity(start + 1);
    for (own, &other) in circuit.goals.iter().zip(roles) {
        let others = &circuit.goals[other];
        if own.len() != others.len() {
            return None;
        }
        for payoff in own {
            let place = others.iter().position(|other| other.term == payoff.term)?;
            images.push(starts[other] + place);
        }
    }
    images.push(start);
    Some(images)
}

fn seen(colours: &[u64], literal: &SumLiteral) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::ground;
    use crate::circuit::sat::equivalence::read;
    use crate::limits::{Limits, StopReason};
    use crate::term::Store;

    /// Marks on a square of four cells: the eight symmetries of a square, and for each the two marks exchanged or not.
    const RULES: &str = "
        (role player) (number 1) (number 2) (mark red) (mark green)
        (<= (init (cell ?x ?y blank)) (number ?x) (number ?y))
        (<= (legal player (put ?x ?y ?m)) (true (cell ?x ?y blank)) (mark ?m))
        (<= (next (cell ?x ?y ?m)) (does player (put ?x ?y ?m)))
        (<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (not (marked ?x ?y)))
        (<= (marked ?x ?y) (does player (put ?x ?y ?m)))
        (<= open (true (cell ?x ?y blank)))
        (<= terminal (not open))
        (goal player 0)";

    #[test]
    fn a_square_has_its_symmetries_unless_the_search_is_stopped()
    -> Result<(), Box<dyn std::error::Error>> {
        let mut store = Store::new();
        let game = read(&mut store, "square", RULES.as_bytes().to_vec())?;
        let program = ground::ground(&game, &mut store, &Limits::default(), 1_000)?;
        let circuit = Circuit::new(&mut store, &program, 1)?;
        let stop = StopFlag::default();
        // Each cell may have marks of its own exchanged, too: nothing tells which.
        assert!(symmetries(&circuit, &stop).len() >= 15);
        stop.raise(StopReason::TimeLimit);
        assert!(symmetries(&circuit, &stop).is_empty());
        Ok(())
    }
}
