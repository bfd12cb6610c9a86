//! Uniform choice among the legal moves of a role, in all lanes at once and without a loop over lanes.
//!
//! Numbers that differ from lane to lane are kept as *planes*, one for each binary digit. The legal
//! moves are the leaves of a binary tree; a node holds the number of legal moves below it. A rank is
//! drawn below the number at the root, and followed down: to the left if it is less than the number
//! there, else to the right, less that number.

use crate::circuit::code::Choice;
use crate::circuit::simulate::lanes::{
    Lanes, Random, Signals, and, any, inverted_if, none, or, signals, without, xor,
};

/// A node of the tree: where its planes are.
#[derive(Clone, Copy, Debug)]
struct ChoiceNode {
    planes: u32,
    digits: u32,
}

/// The choice of one role.
#[derive(Clone, Debug)]
pub(super) struct Chooser<const W: usize> {
    moves: Vec<Choice>,
    /// Level by level, the leaves first; a node without a partner is the same on the next level.
    levels: Vec<Vec<ChoiceNode>>,
    planes: Signals<W>,
    /// Nodes to visit: level, place, lanes whose rank is below.
    open: Vec<(u32, u32, Lanes<W>)>,
    /// The rank of the move that is looked for, below the node that has been reached.
    rank: Signals<W>,
    /// The greatest rank, and digits of differences.
    greatest: Signals<W>,
    /// Digits that the greatest rank needs.
    needed: Signals<W>,
}

impl<const W: usize> Chooser<W> {
    pub(super) fn new(moves: &[Choice]) -> Self {
        let mut planes = 0;
        let mut take = |digits: u32| {
            planes += digits;
            ChoiceNode {
                planes: planes - digits,
                digits,
            }
        };
        let mut levels: Vec<Vec<ChoiceNode>> = vec![moves.iter().map(|_| take(1)).collect()];
        let mut below = 1usize;
        while let Some(last) = levels.last()
            && last.len() > 1
        {
            below *= 2;
            let mut level = Vec::with_capacity(last.len().div_ceil(2));
            for (at, pair) in last.chunks(2).enumerate() {
                // Leaves below this node: the last one of a level may have fewer than the others. 5 leaves need 3
                // digits.
                let leaves = below.min(moves.len() - at * below);
                level.push(match pair {
                    [_, _] => take(usize::BITS - leaves.leading_zeros()),
                    // A node without a partner shares the planes of its child: nothing is added on the way up.
                    _ => pair[0],
                });
            }
            levels.push(level);
        }
        let root = levels.last().and_then(|level| level.first());
        let digits = root.map_or(0, |root| root.digits as usize);
        Self {
            moves: moves.to_vec(),
            planes: signals(planes as usize),
            open: Vec::new(),
            rank: signals(digits),
            greatest: signals(digits),
            needed: signals(digits),
            levels,
        }
    }

    /// Counts the moves that are legal in some lanes, and says in which of them none is.
    #[inline(always)]
    fn count(&mut self, values: &[Lanes<W>], alive: Lanes<W>) -> Lanes<W> {
        // The leaves have one plane each, and theirs come first: plane `i` is the legality of move `i`.
        for (plane, mv) in self.planes.iter_mut().zip(&self.moves) {
            let legal = inverted_if(values[mv.legal.slot.index()], mv.legal.inverted);
            *plane = and(legal, alive);
        }
        for level in 1..self.levels.len() {
            // `chunks_exact` leaves a last node without a partner out, whose planes are those of the level below.
            let (below, here) = (&self.levels[level - 1], &self.levels[level]);
            for (pair, sum) in below.chunks_exact(2).zip(here) {
                add(&mut self.planes, pair[0], pair[1], *sum);
            }
        }
        let root = self.root();
        let digits = &self.planes[root.planes as usize..(root.planes + root.digits) as usize];
        // No digit of the number at the root is set: no legal move.
        let some = digits.iter().fold(none(), |some, &digit| or(some, digit));
        without(alive, some)
    }

    fn root(&self) -> ChoiceNode {
        let root = self.levels.last().and_then(|level| level.first());
        root.copied().unwrap_or(ChoiceNode {
            planes: 0,
            digits: 0,
        })
    }

    /// Makes a legal move in each of some lanes, and says in which there is none.
    pub(super) fn choose(
        &mut self,
        values: &mut [Lanes<W>],
        alive: Lanes<W>,
        random: &mut Random<W>,
    ) -> Lanes<W> {
        pulp::Arch::new().dispatch(Choosing {
            chooser: self,
            values,
            alive,
            random,
        })
    }

    /// Makes one of the moves counted in each of some lanes, in all of which some is legal.
    #[inline(always)]
    fn make(&mut self, values: &mut [Lanes<W>], alive: Lanes<W>, random: &mut Random<W>) {
        // What was made in the step before must not stand in any lane, not even in one that is idle now.
        for mv in &self.moves {
            values[mv.made.index()] = none();
        }
        // A role that can never move has no tree to go down.
        if !any(alive) {
            return;
        }
        self.draw(alive, random);
        self.open.clear();
        self.open.push((self.levels.len() as u32 - 1, 0, alive));
        // Depth first, with the lanes that take a node; a subtree that no lane takes is not visited. Moves are up
        // to thousands, ways down as many as lanes at most.
        while let Some((level, place, here)) = self.open.pop() {
            if level == 0 {
                values[self.moves[place as usize].made.index()] = here;
                continue;
            }
            let below = &self.levels[level as usize - 1];
            let (left, right) = (2 * place, 2 * place + 1);
            if right as usize >= below.len() {
                self.open.push((level - 1, left, here));
                continue;
            }
            let digits = self.levels[level as usize][place as usize].digits as usize;
            // 3 legal moves below the left child, in one lane: planes 1, 1. Rank 2 goes left and stays 2; rank 4
            // goes right and becomes 1.
            let node = below[left as usize];
            let number = &self.planes[node.planes as usize..(node.planes + node.digits) as usize];
            let rank = &mut self.rank[..digits];
            let goes_left = descend(number, here, rank, &mut self.greatest);
            let goes_right = without(here, goes_left);
            // Both children are visited with their own lanes. The rank planes hold the rank of every lane for the
            // node where that lane is, so the order of visits does not matter.
            if any(goes_right) {
                self.open.push((level - 1, right, goes_right));
            }
            if any(goes_left) {
                self.open.push((level - 1, left, goes_left));
            }
        }
    }

    /// Draws a rank below the number at the root, by rejection of larger ones.
    #[inline(always)]
    fn draw(&mut self, alive: Lanes<W>, random: &mut Random<W>) {
        let root = self.root();
        let number = &self.planes[root.planes as usize..(root.planes + root.digits) as usize];
        // The greatest rank is the number minus one: the borrow runs through zeros up to the lowest one. Binary 100
        // gives 011.
        let mut borrow = [u64::MAX; W];
        for (greatest, &digit) in self.greatest.iter_mut().zip(number) {
            *greatest = xor(digit, borrow);
            borrow = without(borrow, digit);
        }
        let mut above = none();
        // Digits from the highest one of the greatest rank down: 011 needs 011, so at least half of all draws are
        // accepted.
        for (needed, &digit) in self.needed.iter_mut().zip(&*self.greatest).rev() {
            above = or(above, digit);
            *needed = above;
        }
        let mut pending = alive;
        while any(pending) {
            // Lanes whose rank was accepted keep it; the others draw again. A lane exceeds if the highest digit in
            // which rank and greatest differ is set in the rank, so digits are compared from the lowest up and the
            // last difference decides.
            let mut exceeds = none();
            for digit in 0..self.rank.len() {
                let (greatest, rank) = (self.greatest[digit], self.rank[digit]);
                let drawn = and(random.draw(), self.needed[digit]);
                self.rank[digit] = xor(rank, and(xor(rank, drawn), pending));
                let unequal = xor(drawn, greatest);
                exceeds = or(without(drawn, greatest), without(exceeds, unequal));
            }
            pending = and(pending, exceeds);
        }
    }
}

/// A choice in all lanes.
struct Choosing<'c, const W: usize> {
    chooser: &'c mut Chooser<W>,
    values: &'c mut [Lanes<W>],
    alive: Lanes<W>,
    random: &'c mut Random<W>,
}

impl<const W: usize> pulp::NullaryFnOnce for Choosing<'_, W> {
    type Output = Lanes<W>;

    #[inline(always)]
    fn call(self) -> Lanes<W> {
        let stuck = self.chooser.count(self.values, self.alive);
        let alive = without(self.alive, stuck);
        self.chooser.make(self.values, alive, self.random);
        stuck
    }
}

/// The lanes whose rank is below a number; from the rank in the others the number is taken.
#[inline(always)]
fn descend<const W: usize>(
    number: &[Lanes<W>],
    here: Lanes<W>,
    rank: &mut [Lanes<W>],
    difference: &mut [Lanes<W>],
) -> Lanes<W> {
    // rank − number, digit by digit from the lowest: digit r ⊕ n ⊕ b, borrow where n > r, or n = r and there was
    // one. What is left of the borrow says that the rank is less.
    let mut borrow = none();
    for (digit, (&rank, difference)) in rank.iter().zip(&mut *difference).enumerate() {
        let taken = number.get(digit).copied().unwrap_or(none());
        let unequal = xor(rank, taken);
        *difference = xor(unequal, borrow);
        borrow = or(without(taken, rank), without(borrow, unequal));
    }
    let goes_right = without(here, borrow);
    // Only lanes that go right take the difference for their rank.
    for (rank, &difference) in rank.iter_mut().zip(&*difference) {
        *rank = xor(*rank, and(xor(*rank, difference), goes_right));
    }
    and(here, borrow)
}

/// Adds two numbers.
#[inline(always)]
fn add<const W: usize>(
    planes: &mut [Lanes<W>],
    left: ChoiceNode,
    right: ChoiceNode,
    sum: ChoiceNode,
) {
    let mut carry = none();
    let digit_of = |planes: &[Lanes<W>], node: ChoiceNode, digit: u32| {
        if digit < node.digits {
            planes[(node.planes + digit) as usize]
        } else {
            none()
        }
    };
    // A ripple-carry adder: sum a ⊕ b ⊕ c, carry where two of the three are set.
    for digit in 0..sum.digits {
        let (a, b) = (
            digit_of(planes, left, digit),
            digit_of(planes, right, digit),
        );
        let unequal = xor(a, b);
        planes[(sum.planes + digit) as usize] = xor(unequal, carry);
        carry = or(and(a, b), and(carry, unequal));
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::circuit::code::{Slot, Wire};
    use crate::circuit::simulate::lanes::lanes;

    /// Moves of which those with the places in `legal` are legal in a lane: as many as the lane's number says.
    fn choices(moves: usize) -> Vec<Choice> {
        let choice = |mv: usize| Choice {
            mv: mv as u32,
            legal: Wire {
                slot: Slot::from_index(1 + mv),
                inverted: mv % 2 == 1,
            },
            made: Slot::from_index(1 + moves + mv),
        };
        (0..moves).map(choice).collect()
    }

    #[test]
    fn choices_are_legal_single_and_uniform() {
        const DRAWS: u64 = 4_000;
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(2);
        for moves in [1, 2, 3, 7, 8, 13] {
            let mut chooser = Chooser::<2>::new(&choices(moves));
            let mut values = vec![none::<2>(); 1 + 2 * moves];
            let mut legal = vec![vec![false; moves]; 128];
            for (lane, legal) in legal.iter_mut().enumerate() {
                for (mv, legal) in legal.iter_mut().enumerate() {
                    *legal = mv == lane % moves || generator.random();
                    let shown = *legal != (mv % 2 == 1);
                    values[1 + mv][lane / 64] |= u64::from(shown) << (lane % 64);
                }
            }
            let mut counts = vec![vec![0u64; moves]; 128];
            let mut random = Random::new(&mut generator);
            for _ in 0..DRAWS {
                let stuck = chooser.choose(&mut values, [u64::MAX; 2], &mut random);
                assert!(!any(stuck));
                for mv in 0..moves {
                    for lane in lanes(values[1 + moves + mv]) {
                        counts[lane][mv] += 1;
                    }
                }
            }
            for (counts, legal) in counts.iter().zip(&legal) {
                assert_eq!(counts.iter().sum::<u64>(), DRAWS);
                let number = legal.iter().filter(|legal| **legal).count() as f64;
                let expected = DRAWS as f64 / number;
                for (&count, &legal) in counts.iter().zip(legal) {
                    assert!(legal || count == 0);
                    let off = (count as f64 - expected).abs();
                    let deviation = (expected * (1.0 - 1.0 / number)).sqrt();
                    assert!(!legal || off <= 5.5 * deviation, "{count} of {expected}");
                }
            }
        }
    }

    #[test]
    fn a_role_without_moves_is_stuck_in_all_lanes() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut chooser = Chooser::<1>::new(&[]);
        let mut random = Random::new(&mut generator);
        assert_eq!(chooser.choose(&mut [], [0b101], &mut random), [0b101]);
    }

    #[test]
    fn lanes_without_a_legal_move_are_told() {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut chooser = Chooser::<1>::new(&choices(3));
        // The second move is legal where its wire is false.
        let mut values = vec![[0], [0b001], [0b110], [0b010], [0], [0], [0]];
        let mut random = Random::new(&mut generator);
        assert_eq!(chooser.choose(&mut values, [0b111], &mut random), [0b100]);
        assert_eq!(values[4][0] & 0b100, 0);
    }
}
