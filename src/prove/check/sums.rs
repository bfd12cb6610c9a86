//! Linear equations, confirmed: the start satisfies them, and no legal move changes the sums.
//!
//! Literals are counted by a totalizer: a tree whose nodes say of 1, 2, … whether at least so many of their leaves are true,
//! after Bailleux and Boufkhad, Efficient CNF Encoding of Boolean Cardinality Constraints, CP 2003. What finds the equations
//! counts by a chain.

use crate::circuit::sat::{LinearEquation, Literal, Solver};
use crate::prove::check::{CheckContext, ClauseCopy, Invariant, start};

/// Changes of a sum upwards, or downwards, at most that a move makes.
const MAX_CHANGES: usize = 3;

/// Whether equations hold of all states, where it is known that an invariant does.
pub(in crate::prove) fn are_conserved(
    context: CheckContext<'_>,
    invariant: Invariant<'_>,
    equations: &[LinearEquation],
) -> bool {
    let start = start(context.circuit);
    if !equations
        .iter()
        .all(|equation| equation.holds(|place| start.contains(place)))
    {
        return false;
    }
    let mut copy = ClauseCopy::under(context, invariant);
    copy.make_moves();
    equations.iter().all(|equation| {
        let changed = changed(&mut copy, equation);
        copy.are_impossible(changed, context.steps)
    })
}

/// Literals one of which can be true if a move changes a sum.
fn changed(copy: &mut ClauseCopy<'_>, equation: &LinearEquation) -> Vec<Literal> {
    let states = [copy.now(), copy.next()];
    let solver = &mut copy.solver;
    let (mut raised, mut lowered) = (Vec::new(), Vec::new());
    for term in &equation.terms {
        let [now, next] = states.each_ref().map(|state| {
            let literals: Vec<Literal> = term.places.iter().map(|&at| state[at]).collect();
            !equal_to_all(
                solver,
                &literals.iter().map(|&one| !one).collect::<Vec<_>>(),
            )
        });
        let gained = equal_to_all(solver, &[!now, next]);
        let lost = equal_to_all(solver, &[now, !next]);
        let (up, down) = if term.is_subtracted {
            (lost, gained)
        } else {
            (gained, lost)
        };
        raised.push(up);
        lowered.push(down);
    }
    let [up, down] = [raised, lowered].map(|changes| totals(solver, changes, MAX_CHANGES + 1));
    // More changes than are counted in both directions might be equally many, and are not allowed.
    let mut changed: Vec<Literal> = [&up, &down]
        .into_iter()
        .filter_map(|totals| totals.get(MAX_CHANGES).copied())
        .collect();
    let never = !solver.truth();
    for at in 0..MAX_CHANGES {
        let at_least = |totals: &[Literal]| totals.get(at).copied().unwrap_or(never);
        let (up, down) = (at_least(&up), at_least(&down));
        changed.push(equal_to_all(solver, &[up, !down]));
        changed.push(equal_to_all(solver, &[down, !up]));
    }
    changed
}

/// Requires an equation of a state.
pub(super) fn require(solver: &mut Solver, equation: &LinearEquation, state: &[Literal]) {
    for broken in broken(solver, equation, state) {
        solver.require([!broken]);
    }
}

/// Literals one of which is true if a state does not satisfy an equation.
pub(super) fn broken(
    solver: &mut Solver,
    equation: &LinearEquation,
    state: &[Literal],
) -> Vec<Literal> {
    let terms = equation.terms.iter().map(|term| {
        let none: Vec<Literal> = term.places.iter().map(|&place| !state[place]).collect();
        let none = equal_to_all(solver, &none);
        none.negated_if(!term.is_subtracted)
    });
    let literals: Vec<Literal> = terms.collect();
    let Ok(number) = usize::try_from(equation.number()) else {
        return vec![solver.truth()];
    };
    let never = !solver.truth();
    let totals = totals(solver, literals, number + 1);
    let at_least = |count: usize| totals.get(count - 1).copied().unwrap_or(never);
    let fewer = (number > 0).then(|| !at_least(number));
    fewer.into_iter().chain([at_least(number + 1)]).collect()
}

/// A literal that is true where all of some are.
fn equal_to_all(solver: &mut Solver, literals: &[Literal]) -> Literal {
    if let [literal] = *literals {
        return literal;
    }
    let all = solver.variable();
    for &literal in literals {
        solver.require([!all, literal]);
    }
    let some_fails = literals.iter().map(|&literal| !literal);
    solver.require(some_fails.chain([all]));
    all
}

/// Literals that say of 1, 2, … up to some number whether at least so many literals are true; none where there are fewer.
fn totals(solver: &mut Solver, literals: Vec<Literal>, most: usize) -> Vec<Literal> {
    let mut nodes: Vec<Vec<Literal>> = literals.into_iter().map(|literal| vec![literal]).collect();
    // Neighbours are added up level by level, until one node is left.
    while nodes.len() > 1 {
        let pairs = nodes.chunks(2).map(|pair| match pair {
            [one, other] => sum(solver, one, other, most),
            rest => rest.concat(),
        });
        nodes = pairs.collect();
    }
    nodes.pop().unwrap_or_default()
}

/// The total of two nodes.
fn sum(solver: &mut Solver, one: &[Literal], other: &[Literal], most: usize) -> Vec<Literal> {
    let number = (one.len() + other.len()).min(most);
    let total: Vec<Literal> = (0..number).map(|_| solver.variable()).collect();
    for left in 0..=one.len() {
        for right in 0..=other.len() {
            // At least `left` and at least `right` make at least their sum; fewer than one more of each make at most it.
            let both = (left + right).min(most);
            if let Some(at) = both.checked_sub(1) {
                let given = [
                    left.checked_sub(1).map(|at| one[at]),
                    right.checked_sub(1).map(|at| other[at]),
                ];
                let given = given.into_iter().flatten().map(|literal| !literal);
                solver.require(given.chain([total[at]]));
            }
            if let Some(&more) = total.get(left + right) {
                let given = [one.get(left), other.get(right)];
                let given = given.into_iter().flatten().copied();
                solver.require(given.chain([!more]));
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::sat::{Answer, LinearTerm};
    use crate::limits::StopFlag;

    #[test]
    fn totals_are_exact_up_to_the_most() {
        for most in 1..7 {
            let mut solver = Solver::new(StopFlag::default(), 1_000_000);
            let literals: Vec<Literal> = (0..5).map(|_| solver.variable()).collect();
            let totals = totals(&mut solver, literals.clone(), most);
            assert_eq!(totals.len(), most.min(5));
            for state in 0..1u32 << 5 {
                let values = literals.iter().enumerate();
                let state_of =
                    |(at, literal): (usize, &Literal)| literal.negated_if(state >> at & 1 == 0);
                let assumed: Vec<Literal> = values.map(state_of).collect();
                assert_eq!(solver.ask(&assumed), Answer::Satisfiable);
                for (at, &total) in totals.iter().enumerate() {
                    assert_eq!(solver.value(total), state.count_ones() as usize > at);
                }
            }
        }
    }

    #[test]
    fn an_equation_is_broken_where_it_does_not_hold() {
        let term = |places: &[usize], is_subtracted| LinearTerm {
            places: places.to_vec(),
            is_subtracted,
        };
        for constant in -3..=4 {
            let terms = vec![term(&[0, 1], false), term(&[2], true), term(&[3], false)];
            let equation = LinearEquation { terms, constant };
            let mut solver = Solver::new(StopFlag::default(), 1_000_000);
            let literals: Vec<Literal> = (0..4).map(|_| solver.variable()).collect();
            let broken = broken(&mut solver, &equation, &literals);
            for state in 0..1u32 << 4 {
                let holds = |place: usize| state >> place & 1 == 1;
                let values = literals.iter().enumerate();
                let assumed = values.map(|(at, literal)| literal.negated_if(!holds(at)));
                let assumed: Vec<Literal> = assumed.collect();
                assert_eq!(solver.ask(&assumed), Answer::Satisfiable);
                let is_broken = broken.iter().any(|&broken| solver.value(broken));
                assert_eq!(is_broken, !equation.holds(holds));
            }
        }
    }
}
