//! Linear equations over groups of literals: the groups of one kind of which some literal is true are as many as those of
//! another kind, but for a constant.
//!
//! ```text
//! x1 + x2 + x3 - o1 - o2 - o3 - control(o) = 0        as many x as o, and one more if o is to move
//! ```
//!
//! With each subtracted group negated, the equation says that exactly so many literals are true: 1 - o for -o adds one to both
//! sides for each. Literals are counted one after the other by a sequential counter, after Sinz, Towards an Optimal CNF
//! Encoding of Boolean Cardinality Constraints, CP 2005, in both directions. Unit propagation finds all that follows of the
//! equation alone.

use crate::circuit::sat::solver::{Literal, Solver};

/// Changes that raise a sum, or lower it, at most.
const MAX_CHANGES: usize = 3;

/// A group of literals that counts as one where one of them is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinearTerm {
    /// The literals, by place.
    pub(crate) places: Vec<usize>,
    pub(crate) is_subtracted: bool,
}

/// The sum of some groups, less that of others, is a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinearEquation {
    /// In the order in which they are counted.
    pub(crate) terms: Vec<LinearTerm>,
    pub(crate) constant: i64,
}

impl LinearEquation {
    /// Whether it holds, given which literals are true by place.
    pub(crate) fn holds(&self, is_true: impl Fn(usize) -> bool) -> bool {
        let counted = self.terms.iter();
        let counted = counted.filter(|term| term.places.iter().any(|&place| is_true(place)));
        let sum: i64 = counted
            .map(|term| if term.is_subtracted { -1 } else { 1 })
            .sum();
        sum == self.constant
    }

    /// How many are to be true of the groups that are added and the negations of those that are subtracted.
    pub(crate) fn number(&self) -> i64 {
        let subtracted = self.terms.iter().filter(|term| term.is_subtracted);
        self.constant + subtracted.count() as i64
    }

    /// Requires it of some literals, by place, if the condition is true.
    pub(super) fn require(&self, solver: &mut Solver, condition: Literal, literals: &[Literal]) {
        let all = self.signed(solver, literals);
        match usize::try_from(self.number()) {
            Ok(number) if number <= all.len() => exactly(solver, condition, &all, number),
            Ok(_) | Err(_) => solver.require([!condition]),
        }
    }

    /// Literals one of which is true if it does not hold.
    pub(crate) fn broken(&self, solver: &mut Solver, literals: &[Literal]) -> Vec<Literal> {
        let all = self.signed(solver, literals);
        let Ok(number) = usize::try_from(self.number()) else {
            return vec![solver.truth()];
        };
        let counted = counted(solver, &all, number + 1);
        let fewer = number.checked_sub(1).map(|at| !counted[at]);
        fewer.into_iter().chain([counted[number]]).collect()
    }

    /// A literal that is true where the sum differs between two states, or where more changes than a few raise it, or lower it.
    ///
    /// That two sums are the same is a question about large numbers, which a solver answers badly. What a move changes are few
    /// literals of hundreds: `x5` is gained and `control(o)` too, which is subtracted.
    pub(crate) fn change(&self, solver: &mut Solver, [now, next]: [&[Literal]; 2]) -> Literal {
        let (mut raised, mut lowered) = (Vec::new(), Vec::new());
        for term in &self.terms {
            let [before, after] = [now, next].map(|state| some_of(solver, &term.places, state));
            let [gained, lost] = [[!before, after], [before, !after]].map(|one| both(solver, one));
            let (up, down) = if term.is_subtracted {
                (lost, gained)
            } else {
                (gained, lost)
            };
            raised.push(up);
            lowered.push(down);
        }
        let [up, down] = [raised, lowered].map(|all| counted(solver, &all, MAX_CHANGES + 1));
        let mut different = vec![up[MAX_CHANGES], down[MAX_CHANGES]];
        for (&up, &down) in up.iter().zip(&down) {
            different.extend([[up, !down], [!up, down]].map(|one| both(solver, one)));
        }
        let places: Vec<usize> = (0..different.len()).collect();
        some_of(solver, &places, &different)
    }

    /// The literals of the groups, negated where they are subtracted.
    fn signed(&self, solver: &mut Solver, literals: &[Literal]) -> Vec<Literal> {
        let terms = self.terms.iter();
        let signed = terms
            .map(|term| some_of(solver, &term.places, literals).negated_if(term.is_subtracted));
        signed.collect()
    }
}

/// A literal that is true where two are.
fn both(solver: &mut Solver, [one, other]: [Literal; 2]) -> Literal {
    let both = solver.variable();
    solver.require([!both, one]);
    solver.require([!both, other]);
    solver.require([both, !one, !other]);
    both
}

/// A literal that is true where one of some others, by place, is.
fn some_of(solver: &mut Solver, places: &[usize], literals: &[Literal]) -> Literal {
    if let [place] = *places {
        return literals[place];
    }
    let some = solver.variable();
    for &place in places {
        solver.require([!literals[place], some]);
    }
    let all = places.iter().map(|&place| literals[place]);
    solver.require(all.chain([!some]));
    some
}

/// Literals that say of 1, 2, … up to some number whether at least so many of some literals are true.
fn counted(solver: &mut Solver, literals: &[Literal], most: usize) -> Vec<Literal> {
    let (always, never) = (solver.truth(), !solver.truth());
    let mut before = vec![never; most];
    for (at, &literal) in literals.iter().enumerate() {
        let mut after = before.clone();
        for number in 0..most.min(at + 1) {
            let so_far = solver.variable();
            let fewer = number.checked_sub(1).map_or(always, |fewer| before[fewer]);
            count_one(solver, !always, [fewer, before[number], so_far], literal);
            after[number] = so_far;
        }
        before = after;
    }
    before
}

/// Requires that so many of some literals are true, at most all of them, if the condition is true.
fn exactly(solver: &mut Solver, condition: Literal, literals: &[Literal], number: usize) {
    let always = solver.truth();
    let all = literals.len();
    // Of the first `known` literals, at least `count` are true: what the others cannot make up for is certain, and more than
    // are asked for are excluded.
    let row = |solver: &mut Solver, known: usize| -> Vec<Literal> {
        let certain = number.saturating_sub(all - known);
        let counts = 0..=number + 1;
        let literals = counts.map(|count| {
            if count <= certain {
                always
            } else if count > known.min(number) {
                !always
            } else {
                solver.variable()
            }
        });
        literals.collect()
    };
    let mut before = row(solver, 0);
    for (at, &literal) in literals.iter().enumerate() {
        let known = at + 1;
        let after = row(solver, known);
        let least = number.saturating_sub(all - known).max(1);
        for count in least..=(known.min(number) + 1) {
            let counts = [before[count - 1], before[count], after[count]];
            count_one(solver, !condition, counts, literal);
        }
        before = after;
    }
}

/// Requires that there are so many after a literal if there were so many before it, or one fewer and the literal is true;
/// unless some literal is true.
fn count_one(
    solver: &mut Solver,
    unless: Literal,
    [fewer, before, after]: [Literal; 3],
    literal: Literal,
) {
    solver.require([unless, !before, after]);
    solver.require([unless, !fewer, !literal, after]);
    solver.require([unless, !after, before, literal]);
    solver.require([unless, !after, fewer]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::sat::solver::Answer;
    use crate::limits::StopFlag;

    fn equation(groups: &[(&[usize], bool)], constant: i64) -> LinearEquation {
        let terms = groups.iter().map(|&(places, is_subtracted)| LinearTerm {
            places: places.to_vec(),
            is_subtracted,
        });
        LinearEquation {
            terms: terms.collect(),
            constant,
        }
    }

    #[test]
    fn exactly_the_states_that_satisfy_an_equation_are_admitted() {
        let groups: [(&[usize], bool); 5] = [
            (&[0], false),
            (&[1], true),
            (&[2, 3], false),
            (&[4], true),
            (&[5], false),
        ];
        for constant in -4..=5 {
            let equation = equation(&groups, constant);
            let mut solver = Solver::new(StopFlag::default(), 1_000_000);
            let literals: Vec<Literal> = (0..6).map(|_| solver.variable()).collect();
            let condition = solver.variable();
            equation.require(&mut solver, condition, &literals);
            let broken = equation.broken(&mut solver, &literals);
            for state in 0..1u32 << 6 {
                let holds = equation.holds(|place| state >> place & 1 == 1);
                let values = literals.iter().enumerate();
                let values = values.map(|(at, value)| value.negated_if(state >> at & 1 == 0));
                let state: Vec<Literal> = values.collect();
                let mut is_possible = |more: &[Literal]| {
                    let assumed = [&state, more].concat();
                    solver.ask(&assumed) == Answer::Satisfiable
                };
                assert!(is_possible(&[!condition]));
                assert_eq!(is_possible(&[condition]), holds, "{constant}");
                let is_broken = broken.iter().any(|&broken| is_possible(&[broken]));
                assert_eq!(is_broken, !holds, "{constant}");
            }
        }
    }

    #[test]
    fn units_show_that_boards_are_full_together() {
        let mut solver = Solver::new(StopFlag::default(), 1_000_000);
        let literals: Vec<Literal> = (0..40).map(|_| solver.variable()).collect();
        let terms = (0..40).map(|place| LinearTerm {
            places: vec![place],
            is_subtracted: place >= 20,
        });
        let equation = LinearEquation {
            terms: terms.collect(),
            constant: 0,
        };
        let always = solver.truth();
        equation.require(&mut solver, always, &literals);
        let mut full = literals[..20].to_vec();
        full.push(!literals[30]);
        solver.grant(1_000);
        assert_eq!(solver.ask(&full), Answer::Unsatisfiable);
    }
}
