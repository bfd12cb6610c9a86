//! What the signals of a circuit say, as sums of products, however they were factored.
//!
//! Gates are factored where a factor saves most, and of factors that save the same the first is taken, so that a
//! symmetry of the rules need not be one of the gates. Multiplied out, they are what they were before:
//!
//! ```text
//! a (b ∨ c) ∨ d b    and    b (a ∨ d) ∨ a c    are both    a b ∨ a c ∨ b d
//! ```
//!
//! Where the product of a signal would have too many terms, its negation may have few; then it is the negation of
//! that sum, which has a number of its own. Where both have too many, the gate stays what it is, a product of sums.

use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::circuit::{Circuit, Gate, Signal};
use crate::limits::StopFlag;

/// Terms of a sum.
const MOST_TERMS: usize = 256;

/// Pairs of terms that may be compared for all sums together: a second's work.
const MOST_WORK: usize = 100_000_000;

/// A fluent, a move or a sum, by number, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SumLiteral {
    pub(super) atom: u32,
    pub(super) is_negated: bool,
}

impl std::ops::Not for SumLiteral {
    type Output = Self;

    fn not(self) -> Self {
        Self {
            atom: self.atom,
            is_negated: !self.is_negated,
        }
    }
}

/// A product of literals, ascending, each once.
pub(super) type Term = Vec<SumLiteral>;

/// A sum of terms, ascending, of which none is part of another.
pub(super) type Sum = Vec<Term>;

/// A gate stands in a loop, or somebody stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoForms;

/// The sums of a circuit. Atoms are numbered: fluents by place, then the moves of all roles, then sums, each after
/// those in it.
pub(super) struct Forms {
    pub(super) fluents: usize,
    /// By role, the atom of its first move.
    pub(super) moves: Vec<usize>,
    /// Atoms that are no sums.
    pub(super) leaves: usize,
    sums: IndexSet<Sum, FxBuildHasher>,
    /// Pairs of terms that were compared.
    work: usize,
    /// By fluent, the atom that says what it is next.
    pub(super) next: Vec<usize>,
    /// By move of all roles, the atom that says whether it is legal.
    pub(super) legal: Vec<usize>,
    /// What is asked of the end: whether it is one, and all payoffs.
    pub(super) ends: Vec<usize>,
}

/// A gate as a sum, and its negation as one, as far as they are small enough.
#[derive(Clone, Debug, Default)]
struct Pair {
    sum: Option<Sum>,
    negated: Option<Sum>,
}

impl Forms {
    /// The sums of a circuit.
    ///
    /// # Errors
    /// [`NoForms`].
    pub(super) fn of(circuit: &Circuit, stop: &StopFlag) -> Result<Self, NoForms> {
        let mut leaves = circuit.fluents.len();
        let moves = circuit.moves.iter().map(|own| {
            leaves += own.len();
            leaves - own.len()
        });
        let moves = moves.collect();
        let mut forms = Self {
            fluents: circuit.fluents.len(),
            moves,
            leaves,
            sums: IndexSet::default(),
            work: 0,
            next: Vec::new(),
            legal: Vec::new(),
            ends: Vec::new(),
        };
        let pairs = forms.pairs(circuit, stop)?;
        let next = circuit.fluents.iter().map(|fluent| fluent.next);
        let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
        let goals = circuit.goals.iter().flatten().map(|payoff| payoff.signal);
        forms.next = forms.numbers(&pairs, next)?;
        forms.legal = forms.numbers(&pairs, legal)?;
        forms.ends = forms.numbers(&pairs, goals.chain([circuit.terminal]))?;
        Ok(forms)
    }

    /// Sums that hide gates which were not multiplied out: what they say may be factored in another way elsewhere. A sum
    /// that is negated as a whole hides nothing.
    fn opaque(&self) -> FixedBitSet {
        let mut opaque = FixedBitSet::with_capacity(self.len());
        for (atom, sum) in self.sums() {
            let hides = |literal: &SumLiteral| {
                let inner = literal.atom as usize;
                (inner >= self.leaves && !literal.is_negated) || opaque.contains(inner)
            };
            let is_opaque = sum.iter().flatten().any(hides);
            opaque.set(atom, is_opaque);
        }
        opaque
    }

    /// Sums to which others may be equal that are written otherwise. A sum of products of fluents in which none occurs
    /// both with and without negation is the sum of its prime implicants, of which there is one. So are moves that are made, as
    /// long as some move of the role is not named: what holds without any is what holds after that one. But as each role makes one
    /// move, of three moves *not the first* is *the second or the third*.
    fn ambiguous(&self) -> FixedBitSet {
        let mut ambiguous = FixedBitSet::with_capacity(self.len());
        for (atom, sum) in self.sums() {
            let mut literals: Vec<SumLiteral> = sum.iter().flatten().copied().collect();
            literals.sort_unstable();
            literals.dedup();
            let is_plain = |literal: &SumLiteral| {
                let inner = literal.atom as usize;
                inner < self.fluents || inner < self.leaves && !literal.is_negated
            };
            let mut pairs = literals.windows(2);
            let is_unate = pairs.all(|pair| pair[0].atom != pair[1].atom);
            let is_clear =
                is_unate && literals.iter().all(is_plain) && !self.names_all_moves(&literals);
            ambiguous.set(atom, !is_clear);
        }
        ambiguous
    }

    /// Whether all moves of some role are among some literals, each once.
    fn names_all_moves(&self, literals: &[SumLiteral]) -> bool {
        let ends = self.moves.iter().skip(1).copied().chain([self.leaves]);
        self.moves.iter().zip(ends).any(|(&start, end)| {
            let own = start..end;
            let named = literals
                .iter()
                .filter(|literal| own.contains(&(literal.atom as usize)));
            !own.is_empty() && named.count() == own.len()
        })
    }

    /// Sums in which it is said that a move is not made.
    fn negates_moves(&self) -> FixedBitSet {
        let mut negating = FixedBitSet::with_capacity(self.len());
        for (atom, sum) in self.sums() {
            let negates = |literal: &SumLiteral| {
                let inner = literal.atom as usize;
                let is_move = self.fluents <= inner && inner < self.leaves;
                is_move && literal.is_negated || negating.contains(inner)
            };
            let is_negating = sum.iter().flatten().any(negates);
            negating.set(atom, is_negating);
        }
        negating
    }

    /// What may be ignored to find a permutation that has still to be proved: all sums but those of functions that hide
    /// nothing, and what these are made of; then, those that do not negate moves either.
    pub(super) fn conjectures(&self) -> [FixedBitSet; 2] {
        let opaque = self.opaque();
        let mut negating = self.negates_moves();
        negating.union_with(&opaque);
        let kinds = [&self.next, &self.legal, &self.ends];
        [opaque, negating].map(|hidden| {
            let functions = kinds.into_iter().flatten().copied();
            self.but(functions.filter(|&atom| !hidden.contains(atom)).collect())
        })
    }

    /// All sums but those of each kind of function that can be written in one way only: whatever permutation these do not
    /// allow is none, however gates were factored.
    pub(super) fn ambiguous_kinds(&self) -> FixedBitSet {
        let ambiguous = self.ambiguous();
        let kinds = [&self.next, &self.legal, &self.ends];
        // A function that is ambiguous may have an image that is not: only whole kinds of functions refute.
        let whole = kinds
            .into_iter()
            .filter(|kind| kind.iter().all(|&atom| !ambiguous.contains(atom)));
        self.but(whole.flatten().copied().collect())
    }

    /// All sums but some, and what these are made of.
    fn but(&self, mut some: FixedBitSet) -> FixedBitSet {
        some.grow(self.len());
        for (place, sum) in self.sums.iter().enumerate().rev() {
            if some.contains(self.leaves + place) {
                let atoms = sum.iter().flatten().map(|literal| literal.atom as usize);
                some.extend(atoms);
            }
        }
        let others = (self.leaves..self.len()).filter(|&atom| !some.contains(atom));
        others.collect()
    }

    /// All atoms.
    pub(super) fn len(&self) -> usize {
        self.leaves + self.sums.len()
    }

    /// The sums with their atoms, each after those in it.
    pub(super) fn sums(&self) -> impl Iterator<Item = (usize, &Sum)> {
        (self.leaves..).zip(&self.sums)
    }

    /// The atom of a sum.
    pub(super) fn atom(&self, sum: &Sum) -> Option<usize> {
        Some(self.leaves + self.sums.get_index_of(sum)?)
    }

    fn numbers(
        &mut self,
        pairs: &[Pair],
        signals: impl Iterator<Item = Signal>,
    ) -> Result<Vec<usize>, NoForms> {
        let numbers = signals.map(|signal| {
            let sum = self.sum_of(pairs, signal)?;
            Ok(self.leaves + self.sums.insert_full(sum).0)
        });
        numbers.collect()
    }

    fn pairs(&mut self, circuit: &Circuit, stop: &StopFlag) -> Result<Vec<Pair>, NoForms> {
        let gates = &circuit.gates;
        let fluents = circuit.fluents.iter().map(|fluent| fluent.holds.gate());
        let moves = circuit.moves.iter().flatten().map(|mv| mv.made.gate());
        let leaves: FxHashMap<usize, usize> = fluents.chain(moves).zip(0..).collect();
        let needed = needed(circuit);
        let mut pairs: Vec<Pair> = Vec::with_capacity(gates.len());
        for gate in 0..gates.len() {
            stop.poll().map_err(|_| NoForms)?;
            // Signals that were added for other questions may be hard to multiply out, and tell nothing here.
            if !needed.contains(gate) {
                pairs.push(Pair::default());
                continue;
            }
            let atom = match gates.gate(gate) {
                Gate::False => {
                    pairs.push(Pair {
                        sum: Some(Vec::new()),
                        negated: Some(vec![Vec::new()]),
                    });
                    continue;
                }
                Gate::Fluent(_) | Gate::Move(..) => *leaves.get(&gate).ok_or(NoForms)?,
                Gate::Variable(..) => return Err(NoForms),
                Gate::And => {
                    let inputs = gates.inputs(gate);
                    let pair = self.conjunction(&pairs, inputs)?;
                    pairs.push(pair);
                    continue;
                }
            };
            let literal = SumLiteral {
                atom: atom as u32,
                is_negated: false,
            };
            pairs.push(Pair {
                sum: Some(vec![vec![literal]]),
                negated: Some(vec![vec![!literal]]),
            });
        }
        Ok(pairs)
    }

    fn conjunction(&mut self, pairs: &[Pair], inputs: &[Signal]) -> Result<Pair, NoForms> {
        let mut product = Some(vec![Vec::new()]).filter(|_| self.work <= MOST_WORK);
        let mut negated = Some(Vec::new()).filter(|_| self.work <= MOST_WORK);
        for &input in inputs {
            if (&product, &negated) == (&None, &None) {
                return self.kept(pairs, inputs);
            }
            let (own, other) = (self.sum_of(pairs, input)?, self.sum_of(pairs, !input)?);
            product = product.and_then(|product| self.multiply(&product, &own));
            negated = negated.and_then(|sum: Sum| {
                let all = sum.into_iter().chain(other).collect();
                Some(self.minimal(all)).filter(|sum| sum.len() <= MOST_TERMS)
            });
        }
        match (&product, &negated) {
            (None, None) => self.kept(pairs, inputs),
            _ => Ok(Pair {
                sum: product,
                negated,
            }),
        }
    }

    /// A gate that is not multiplied out.
    fn kept(&mut self, pairs: &[Pair], inputs: &[Signal]) -> Result<Pair, NoForms> {
        let literals = inputs.iter().map(|&input| {
            let sum = self.sum_of(pairs, input)?;
            Ok(match &sum[..] {
                [term] if term.len() == 1 => term[0],
                _ => self.literal(sum),
            })
        });
        let mut literals = literals.collect::<Result<Term, NoForms>>()?;
        literals.sort_unstable();
        literals.dedup();
        let negated = literals.iter().map(|&literal| vec![!literal]);
        let mut negated: Sum = negated.collect();
        negated.sort_unstable();
        Ok(Pair {
            sum: Some(vec![literals]),
            negated: Some(negated),
        })
    }

    /// A sum as an atom.
    fn literal(&mut self, sum: Sum) -> SumLiteral {
        let atom = self.leaves + self.sums.insert_full(sum).0;
        SumLiteral {
            atom: atom as u32,
            is_negated: false,
        }
    }

    /// A signal as a sum, of a negated sum if need be.
    fn sum_of(&mut self, pairs: &[Pair], signal: Signal) -> Result<Sum, NoForms> {
        let pair = &pairs[signal.gate()];
        let (own, other) = if signal.is_inverted() {
            (&pair.negated, &pair.sum)
        } else {
            (&pair.sum, &pair.negated)
        };
        // What can be multiplied out is, so that sums of gates that were factored in different ways are alike.
        match (own, other) {
            (Some(own), _) => Ok(own.clone()),
            (None, Some(other)) => Ok(vec![vec![!self.literal(other.clone())]]),
            (None, None) => Err(NoForms),
        }
    }

    fn multiply(&mut self, one: &Sum, other: &Sum) -> Option<Sum> {
        if one.len() * other.len() > MOST_TERMS * 4 {
            return None;
        }
        let mut terms = Vec::with_capacity(one.len() * other.len());
        for left in one {
            for right in other {
                let mut term = [left.as_slice(), right.as_slice()].concat();
                term.sort_unstable();
                term.dedup();
                if term.windows(2).all(|pair| pair[0].atom != pair[1].atom)
                    && self.choose(&mut term)
                {
                    terms.push(term);
                }
            }
        }
        Some(self.minimal(terms)).filter(|sum| sum.len() <= MOST_TERMS)
    }

    /// Leaves out what goes without saying, since every role makes exactly one move; false if a term is.
    fn choose(&self, term: &mut Term) -> bool {
        let role = |literal: &SumLiteral| {
            let atom = literal.atom as usize;
            let is_move = self.fluents <= atom && atom < self.leaves;
            is_move.then(|| self.moves.partition_point(|&first| first <= atom))
        };
        let made = term.iter().filter(|literal| !literal.is_negated);
        let made: Vec<usize> = made.filter_map(role).collect();
        term.retain(|literal| {
            !literal.is_negated || role(literal).is_none_or(|role| !made.contains(&role))
        });
        (1..made.len()).all(|at| !made[..at].contains(&made[at]))
    }

    /// Leaves out terms of which others are part.
    fn minimal(&mut self, mut terms: Vec<Term>) -> Sum {
        self.work += terms.len() * terms.len() / 2 + terms.len();
        terms.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
        terms.dedup();
        let mut sum: Sum = Vec::with_capacity(terms.len());
        for term in terms {
            let holds = |literal| term.binary_search(literal).is_ok();
            if !sum.iter().any(|known: &Term| known.iter().all(holds)) {
                sum.push(term);
            }
        }
        sum.sort_unstable();
        sum
    }
}

/// The gates on which next states, legal moves, payoffs or the end depend.
fn needed(circuit: &Circuit) -> FixedBitSet {
    let next = circuit.fluents.iter().map(|fluent| fluent.next);
    let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
    let goals = circuit.goals.iter().flatten().map(|payoff| payoff.signal);
    let needed = next.chain(legal).chain(goals).chain([circuit.terminal]);
    circuit.gates.cone(needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::ground::{Extension, ground_with};
    use crate::circuit::sat::equivalence::read;
    use crate::limits::Limits;
    use crate::term::{Functor, Store};

    /// Twelve switches; whether the number of those that are on is odd has two thousand terms, and so has its negation.
    const RULES: &str = "
        (role player) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
        (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)
        (<= (legal player (press ?n)) (succ ?m ?n))
        (<= (next (on ?n)) (does player (press ?n)) (not (true (on ?n))))
        (<= (next (on ?n)) (true (on ?n)) (not (does player (press ?n))))
        (<= (odd ?n) (succ ?m ?n) (true (on ?n)) (not (odd ?m)))
        (<= (odd ?n) (succ ?m ?n) (odd ?m) (not (true (on ?n))))
        (<= terminal (true (on 1)) (true (on 12)))
        (goal player 0)";

    #[test]
    fn signals_that_the_game_does_not_need_are_not_multiplied_out()
    -> Result<(), Box<dyn std::error::Error>> {
        let mut store = Store::new();
        let game = read(&mut store, "switches", RULES.as_bytes().to_vec())?;
        let odd = Functor {
            symbol: store.symbol("odd"),
            arity: 1,
        };
        let asked = Extension {
            rules: Vec::new(),
            wanted: [odd].into_iter().collect(),
        };
        let program = ground_with(&game, &asked, &mut store, &Limits::default(), 1_000)?;
        let (circuit, signals) = Circuit::with_relation(&mut store, &program, 1, odd)?;
        assert!(!signals.is_empty());
        let forms = Forms::of(&circuit, &StopFlag::default()).map_err(|_| "a loop")?;
        assert!(forms.opaque().is_clear());
        Ok(())
    }
}
