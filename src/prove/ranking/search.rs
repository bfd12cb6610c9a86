//! Questions to the solver about measures.

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::{Account, Plays, Variable};
use crate::circuit::sat::{Answer, Literal, Solver, Transition};
use crate::prove::invariant::{Cube, literals};
use crate::prove::ranking::candidates::{MeasureCandidate, changes, leave_quiet};
use crate::prove::ranking::ranks::{ValueChanges, circle, ranks};
use crate::prove::ranking::{FoundMeasures, Measure, RankingContext};

/// Literals for the values of a variable; the last one of each list is that none of its fluents holds.
struct ValueLiterals {
    now: Vec<Literal>,
    next: Vec<Literal>,
}

/// Looks for measures.
pub(super) struct MeasureSearch<'s> {
    context: &'s RankingContext<'s>,
    solver: Solver,
    transition: Transition,
    /// Moves that follow the first one.
    later: Vec<Transition>,
    account: &'s mut Account,
    /// Whether all measures were found, and it is only asked whether they are enough.
    pub(super) is_last: bool,
}

/// Assignments for one question.
const MAX_ASSIGNMENTS: u64 = 2_000_000;

/// The part of the account that a question about one candidate may take: there is always something left for others.
const SHARE: u64 = 16;

/// Assignments for whether all measures together are enough: everything depends on it.
const MAX_LAST_ASSIGNMENTS: u64 = 10_000_000;

/// The solver gave up.
pub(super) struct Undecided;

impl<'s> MeasureSearch<'s> {
    /// Knows what is required of states, and what they are not in.
    pub(super) fn new(context: &'s RankingContext<'s>, account: &'s mut Account) -> Self {
        let mut solver = Solver::for_large_conflicts(context.stop.clone(), 0);
        let transition = Transition::new(context.circuit, context.requirements, &mut solver);
        let mut search = Self {
            context,
            solver,
            transition,
            later: Vec::new(),
            account,
            is_last: false,
        };
        search.exclude(context.excluded);
        search
    }

    /// Whether one of so many moves in a row makes a measure grow, but from states that plays do not reach; no if that
    /// is not known of some state.
    pub(super) fn all_grow(
        &mut self,
        found: &FoundMeasures,
        moves: usize,
        avoid: &mut impl FnMut(&FixedBitSet) -> Option<Vec<Cube>>,
    ) -> Result<bool, Undecided> {
        let mut unchanged = found.unchanged.clone();
        while self.later.len() + 1 < moves {
            let last = self.later.last().unwrap_or(&self.transition);
            let (circuit, requirements) = (self.context.circuit, self.context.requirements);
            let later = Transition::after(last, circuit, requirements, &mut self.solver);
            self.later.push(later);
        }
        for number in 1..moves {
            let measures = found.measures.iter();
            unchanged.extend(measures.map(|measure| self.unchanged(measure, number)));
        }
        while self.is_possible(&unchanged)? {
            match avoid(&self.state()) {
                Some(cubes) => self.exclude(&cubes),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Adds the candidates that are measures as long as the ranks of those before the round stay as they are; whether
    /// no move is left then that leaves all ranks so.
    pub(super) fn add_measures(
        &mut self,
        candidates: &[MeasureCandidate],
        plays: &Plays,
        found: &mut FoundMeasures,
    ) -> bool {
        // All of a round are found under the same assumptions: in any order they are a lexicographic ranking.
        let assumed = found.unchanged.clone();
        let moves = found.quiet.clone();
        for candidate in candidates {
            let seen = changes(plays, &candidate.variable, &moves).0;
            // What the solver does not decide is no measure, and no reason to give up the others.
            let Ok(Some(measure)) = self.measure(&candidate.variable, seen, &assumed) else {
                continue;
            };
            // Ranks of the first round never sink; those of later ones may, when one before them grows.
            found.is_sum &= assumed.is_empty();
            found.unchanged.push(self.unchanged(&measure, 0));
            leave_quiet(plays, &measure, &mut found.quiet);
            found.measures.push(measure);
            if let Ok(false) = self.is_possible(&found.unchanged) {
                return true;
            }
        }
        false
    }

    /// The variable as a measure, if some of its values do not come back while the ranks of others stay as they are.
    fn measure(
        &mut self,
        variable: &Variable,
        mut changes: ValueChanges,
        assumed: &[Literal],
    ) -> Result<Option<Measure>, Undecided> {
        let fluents = &variable.fluents;
        let number = fluents.len() + 1;
        // If all values are in one circle, all have the same rank, and the variable is no measure.
        let is_circle = |changes: &ValueChanges| circle(number, changes) == variable.values();
        if is_circle(&changes) {
            return Ok(None);
        }
        let values = self.values(fluents, 0);
        // What plays have shown is not asked; each answer is a change more, until the solver finds none.
        for from in 0..number {
            while let Some(to) = self.new_change(from, &changes, &values, assumed)? {
                changes.insert((from, to));
                if is_circle(&changes) {
                    return Ok(None);
                }
            }
        }
        let mut ranks = ranks(number, &changes);
        let grows = ranks.iter().any(|&rank| rank > 0);
        let none = ranks.pop().unwrap_or(0);
        Ok(grows.then(|| Measure {
            fluents: fluents.clone(),
            ranks,
            none,
        }))
    }

    /// Literals for the values of a variable, before and after one of the moves in a row.
    fn values(&mut self, fluents: &[usize], number: usize) -> ValueLiterals {
        let transition = match number {
            0 => &self.transition,
            _ => &self.later[number - 1],
        };
        let now = fluents.iter().map(|&place| transition.now[place]).collect();
        let next = fluents
            .iter()
            .map(|&place| transition.next[place])
            .collect();
        ValueLiterals {
            now: self.with_none(now),
            next: self.with_none(next),
        }
    }

    /// Literals, and one more that is true if and only if none of them is.
    fn with_none(&mut self, mut literals: Vec<Literal>) -> Vec<Literal> {
        let nothing = self.solver.variable();
        for &literal in &literals {
            self.solver.require([!nothing, !literal]);
        }
        let some = literals.iter().copied();
        self.solver.require(some.chain([nothing]));
        literals.push(nothing);
        literals
    }

    /// A value that follows another one and is not known to do so.
    fn new_change(
        &mut self,
        from: usize,
        changes: &ValueChanges,
        ValueLiterals { now, next }: &ValueLiterals,
        assumed: &[Literal],
    ) -> Result<Option<usize>, Undecided> {
        let others: Vec<usize> = (0..now.len())
            .filter(|&to| to != from && !changes.contains(&(from, to)))
            .collect();
        let some = self.solver.variable();
        let clause = others.iter().map(|&to| next[to]);
        self.solver.require(clause.chain([!some]));
        let mut assumed = assumed.to_vec();
        assumed.extend([now[from], some]);
        let is_possible = self.is_possible(&assumed)?;
        // The move that was found shows one value that follows; others are asked for again.
        let mut others = others.into_iter();
        Ok(is_possible
            .then(|| others.find(|&to| self.solver.value(next[to])))
            .flatten())
    }

    /// A literal that implies that one of the moves in a row leaves the rank of a measure as it is.
    fn unchanged(&mut self, measure: &Measure, number: usize) -> Literal {
        let ValueLiterals { now, next } = self.values(&measure.fluents, number);
        let ranks = measure.ranks.iter().chain([&measure.none]);
        let ranks: Vec<u32> = ranks.copied().collect();
        let unchanged = self.solver.variable();
        for (&value, rank) in now.iter().zip(&ranks) {
            let later = next.iter().zip(&ranks);
            let same = later.filter_map(|(&later, other)| (other == rank).then_some(later));
            self.solver.require(same.chain([!unchanged, !value]));
        }
        unchanged
    }

    /// Requires that states are in none of some sets.
    fn exclude(&mut self, cubes: &[Cube]) {
        for cube in cubes {
            let outside = literals(cube, &self.transition.now).into_iter();
            self.solver.require(outside.map(|literal| !literal));
        }
    }

    /// The state found last.
    fn state(&self) -> FixedBitSet {
        self.solver.held(&self.transition.now)
    }

    /// Whether a move is possible under some assumptions.
    fn is_possible(&mut self, assumed: &[Literal]) -> Result<bool, Undecided> {
        let most = if self.is_last {
            MAX_LAST_ASSIGNMENTS
        } else {
            MAX_ASSIGNMENTS.min(self.account.steps / SHARE)
        };
        match self.account.ask(&mut self.solver, assumed, most) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::Stopped(_) => Err(Undecided),
        }
    }
}
