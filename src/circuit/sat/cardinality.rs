//! Requirements on how many of some literals are true, in a number of clauses that is linear but for equations.

use crate::circuit::sat::linear::LinearEquation;
use crate::circuit::sat::solver::{Literal, Solver};

/// What is required of literals that are told apart by place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Requirement {
    /// This one is not true.
    Never(usize),
    /// At most one of these is true.
    AtMostOne(Vec<usize>),
    /// None of the first ones is true together with one of the others.
    NotBoth(Vec<usize>, Vec<usize>),
    /// One of these is true.
    Some(Vec<usize>),
    /// As many of some are true as of others, but for a constant.
    Linear(LinearEquation),
}

impl Requirement {
    /// Requires it of some literals, if the condition is true.
    pub(crate) fn require(&self, solver: &mut Solver, condition: Literal, literals: &[Literal]) {
        let never = !solver.truth();
        let at = |places: &[usize]| -> Vec<Literal> {
            let literals = places.iter().map(|&place| literals[place]);
            literals.filter(|&literal| literal != never).collect()
        };
        match self {
            Requirement::Never(place) => solver.require([!condition, !literals[*place]]),
            Requirement::AtMostOne(places) => at_most_one(solver, condition, &at(places)),
            Requirement::NotBoth(some, others) => {
                not_both(solver, condition, &at(some), &at(others));
            }
            Requirement::Some(places) => {
                let some = at(places).into_iter();
                solver.require(some.chain([!condition]));
            }
            Requirement::Linear(equation) => equation.require(solver, condition, literals),
        }
    }
}

/// Literals of which every pair gets a clause.
const MAX_PAIRED: usize = 5;

/// Requires that at most one of the literals is true, if the condition is.
///
/// Of many literals, the first ones are counted by a chain of variables: the sequential counter of Sinz,
/// Towards an Optimal CNF Encoding of Boolean Cardinality Constraints, CP 2005.
pub(crate) fn at_most_one(solver: &mut Solver, condition: Literal, literals: &[Literal]) {
    // Up to five, pairs are fewer clauses: 10 against 12 and five variables.
    if literals.len() <= MAX_PAIRED {
        for (place, &one) in literals.iter().enumerate() {
            for &other in &literals[place + 1..] {
                solver.require([!condition, !one, !other]);
            }
        }
        return;
    }
    let mut before: Option<Literal> = None;
    for &literal in literals {
        // `so_far` is true if this literal or one before it is; only this direction is needed.
        let so_far = solver.variable();
        solver.require([!literal, so_far]);
        if let Some(before) = before {
            solver.require([!before, so_far]);
            solver.require([!condition, !before, !literal]);
        }
        before = Some(so_far);
    }
}

/// Requires that no literal of one list is true together with one of the other, if the condition is.
fn not_both(solver: &mut Solver, condition: Literal, some: &[Literal], others: &[Literal]) {
    if some.is_empty() || others.is_empty() {
        return;
    }
    // some → either → not any of the others: n + m clauses instead of n · m.
    let either = solver.variable();
    for &literal in some {
        solver.require([!literal, either]);
    }
    for &literal in others {
        solver.require([!condition, !either, !literal]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::sat::solver::Answer;
    use crate::limits::StopFlag;

    /// All choices of values for a few literals, and whether they are admitted.
    fn admitted(solver: &mut Solver, literals: &[Literal]) -> Vec<u32> {
        let choices = 0..1u32 << literals.len();
        let values = |choice: u32| {
            let each = literals.iter().enumerate();
            each.map(move |(at, literal)| literal.negated_if(choice >> at & 1 == 0))
        };
        choices
            .filter(|&choice| {
                let assumed: Vec<Literal> = values(choice).collect();
                solver.ask(&assumed) == Answer::Satisfiable
            })
            .collect()
    }

    #[test]
    fn at_most_one_is_just_that() {
        for number in 0..9 {
            let mut solver = Solver::new(StopFlag::default(), 1_000_000);
            let literals: Vec<Literal> = (0..number).map(|_| solver.variable()).collect();
            let condition = solver.variable();
            at_most_one(&mut solver, condition, &literals);
            let all = admitted(&mut solver, &literals);
            assert_eq!(all.len(), 1 << number, "without the condition");
            solver.require([condition]);
            let some: Vec<u32> = admitted(&mut solver, &literals);
            let right = (0..1u32 << number).filter(|choice| choice.count_ones() <= 1);
            assert_eq!(some, right.collect::<Vec<_>>());
        }
    }

    #[test]
    fn not_both_keeps_two_lists_apart() {
        let mut solver = Solver::new(StopFlag::default(), 1_000_000);
        let literals: Vec<Literal> = (0..5).map(|_| solver.variable()).collect();
        let condition = solver.variable();
        not_both(&mut solver, condition, &literals[..2], &literals[2..]);
        assert_eq!(admitted(&mut solver, &literals).len(), 32);
        solver.require([condition]);
        let right = (0..32u32).filter(|choice| choice & 3 == 0 || choice >> 2 == 0);
        assert_eq!(admitted(&mut solver, &literals), right.collect::<Vec<_>>());
    }
}
