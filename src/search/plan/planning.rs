//! Planning as satisfiability: plays of at most so many moves as clauses, and a solver that looks for one
//! which ends well.
//!
//! It finds what no estimate points at: where moves can be made in any order, and it shows only in the
//! end which of them were wrong. Before anything is searched for, values that no state can have are
//! struck out, and pairs of fluents that exclude each other are found: without them the solver would
//! learn them anew for every step.
//!
//! First the solver looks for the end alone: any state, reachable or not, that is worth enough, has what is
//! never lost, and nothing that excludes each other. Where something is to be filled in, that is the solution,
//! and the moves towards it are found best first.
//!
//! How many moves are needed is not known. Two numbers are tried in turns: the fewest that are not ruled
//! out, and one that grows whenever the work was not enough.
//!
//! Source: Kautz and Selman, Planning as Satisfiability, ECAI 1992.

use std::sync::Arc;

use crate::circuit::sat::{Answer, Unrolling};
use crate::fluent::GameAxioms;
use crate::gdl::{GoalValue, MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::best_first::{BestFirstSearch, HeuristicTarget};
use crate::search::plan::open_list::Order;
use crate::search::plan::outcome::{Plan, Proof};
use crate::search::plan::problem::Problem;
use crate::search::plan::state_constraints::StateConstraints;

/// Moves that the first question allows for, at least and at most.
const FIRST_LENGTH: (usize, usize) = (8, 200);

/// Moves of the longest plays that are looked for.
const MAX_LENGTH: usize = 1_000;

/// Variables of the longest plays that are looked for.
const MAX_VARIABLES: usize = 4_000_000;

/// Assignments that a first look may infer, where nothing else is done; twice as many in each next.
const FIRST_STEPS: u64 = 1_000_000;

/// The part of the work that is spent on finding out whether plays can be longer.
const PART_OF_LENGTH: u64 = 32;

/// The part of the work that is spent on values that are better and not the highest.
const PART_OF_BETTER: u64 = 4;

/// Assignments for which, in the search for the end that was found, a state is computed.
const STEPS_OF_STATE: u64 = 200;

/// States that are computed at most on the way to the end that was found.
const MAX_APPROACH: u64 = 200_000;

/// The way to the end that was found.
enum Approach {
    /// No end has been looked for.
    Later,
    /// There is no end to be looked for any more.
    Over,
    /// A search for it, and the states that it may compute.
    Begun(Box<BestFirstSearch>, u64),
}

/// A game that is planned; it can be gone on with any time.
pub(super) struct Planner {
    constraints: StateConstraints,
    /// The moves by place.
    moves: Vec<MoveId>,
    /// Values that may be reached, the highest last.
    values: Vec<GoalValue>,
    /// Why higher ones may not.
    proof: Proof,
    approach: Approach,
    /// Plays as clauses, once all invariants are known.
    plays: Option<Unrolling>,
    /// The fewest moves of which it is not known that they are too few for the highest value.
    least: usize,
    /// The moves of the longest plays that were asked for.
    most: usize,
    is_turn_of_least: bool,
    /// Nothing more can be asked.
    is_done: bool,
}

/// Plans, and does nothing else; says why there is nothing better if that turns out.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    planner: &mut Planner,
) -> Result<Option<Proof>, Halt> {
    let mut steps = FIRST_STEPS;
    while !planner.is_done {
        if let Some(proof) = planner.run(problem, steps)? {
            return Ok(Some(proof));
        }
        steps = steps.saturating_mul(2);
    }
    Ok(None)
}

impl Planner {
    /// Prepares plays from where plans begin, whose ends are estimated to be so far away; nothing if
    /// there is no circuit, or not one of gates alone.
    ///
    /// # Errors
    /// [`Halt`] if a limit was reached.
    pub(super) fn new<R: Reasoner>(
        problem: &mut Problem<'_, R>,
        axioms: Option<&GameAxioms>,
        distance: u32,
    ) -> Result<Option<Self>, Halt> {
        let Some(circuit) = problem
            .circuit()
            .filter(|circuit| Unrolling::is_for(circuit))
        else {
            return Ok(None);
        };
        let circuit = Arc::clone(circuit);
        let moves = circuit.moves.iter().flatten();
        let moves = moves
            .map(|mv| problem.vocabulary_mut().mv(mv.term))
            .collect();
        let constraints = StateConstraints::new(problem, circuit, axioms)?;
        let (least, most) = FIRST_LENGTH;
        Ok(Some(Self {
            values: constraints.values(problem)?,
            proof: Proof::NoState,
            constraints,
            moves,
            approach: Approach::Later,
            plays: None,
            least: (distance as usize).clamp(least, most),
            most: 0,
            is_turn_of_least: true,
            is_done: false,
        }))
    }

    /// Goes on until about so many assignments were inferred; says why there is nothing better if that
    /// turns out.
    ///
    /// # Errors
    /// [`Halt`] if a limit was reached.
    pub(super) fn run<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        steps: u64,
    ) -> Result<Option<Proof>, Halt> {
        if self.is_done {
            return Ok(None);
        }
        let Some(aim) = self.aim(problem) else {
            return Ok(Some(self.proof(problem)));
        };
        let plays = match self.plays.take() {
            Some(plays) => Some(plays),
            None => self.constraints.plays(problem, steps)?,
        };
        let Some(mut plays) = plays else {
            return Ok(None);
        };
        // In this order: the end that was found, best first; the highest value by SAT; any better value.
        let mut found = self.approach(problem, aim, steps / STEPS_OF_STATE)?;
        if found.is_none() {
            found = self.reach_highest(problem, &mut plays, steps - steps / PART_OF_BETTER)?;
        }
        if found.is_none() {
            self.improve(problem, &mut plays, steps / PART_OF_BETTER)?;
        }
        self.plays = Some(plays);
        Ok(found)
    }

    /// Looks for a way to an end of this value, the highest that may be reached, for so many states.
    fn approach<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        aim: GoalValue,
        states: u64,
    ) -> Result<Option<Proof>, Halt> {
        // Only once: no other end is looked for if this one cannot be reached.
        if let Approach::Later = self.approach {
            let end = self.constraints.end(problem, aim)?;
            self.approach = match end {
                Some(end) => {
                    let (target, order) = (HeuristicTarget::State(end), Order::NewestFirst);
                    let search = BestFirstSearch::new(problem.start(), aim, target, order);
                    Approach::Begun(Box::new(search), MAX_APPROACH)
                }
                None => Approach::Over,
            };
        }
        let Approach::Begun(search, left) = &mut self.approach else {
            return Ok(None);
        };
        // The approach has a budget for good: an end that cannot be reached must not take all the work.
        let states = states.min(*left);
        *left -= states;
        let proof = search.run(problem, states)?;
        if *left == 0 {
            self.approach = Approach::Over;
        }
        match self.aim(problem) {
            Some(_) => Ok(proof),
            None => Ok(Some(self.proof(problem))),
        }
    }

    /// Looks for plays to the highest value.
    fn reach_highest<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        plays: &mut Unrolling,
        steps: u64,
    ) -> Result<Option<Proof>, Halt> {
        let end = plays.spent().saturating_add(steps);
        while let Some(aim) = self.aim(problem) {
            let Some(length) = self.next_length(problem, plays)? else {
                return Ok(None);
            };
            let left = end.saturating_sub(plays.spent());
            match plays.ask(aim, length, left) {
                Answer::Satisfiable => {
                    if !self.follow(problem, plays)? {
                        return Ok(None);
                    }
                }
                Answer::Unsatisfiable => {
                    let steps = left / PART_OF_LENGTH;
                    // No play of this length has the value, and no play can be longer: the value is out of reach,
                    // and so is the proof given for the next one.
                    if plays.goes_on(length, steps) == Answer::Unsatisfiable {
                        self.values.pop();
                        self.proof = Proof::AllPlays;
                    } else {
                        // Lengths grow by an eighth: a proof for one length says nothing that could be kept but
                        // learned clauses.
                        self.least = length + length.div_ceil(8);
                    }
                }
                Answer::Stopped(_) => {
                    problem.poll()?;
                    // The longest question was not answered: the next one allows for more moves, which is easier
                    // where plans are loose.
                    if length == self.most {
                        self.most += self.most.div_ceil(2);
                    }
                    return Ok(None);
                }
            }
        }
        Ok(Some(self.proof(problem)))
    }

    /// Why nothing is better than the best.
    fn proof<R: Reasoner>(&self, problem: &Problem<'_, R>) -> Proof {
        problem.proof_or(self.proof)
    }

    /// Looks for plays to any better value.
    fn improve<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        plays: &mut Unrolling,
        steps: u64,
    ) -> Result<(), Halt> {
        let end = plays.spent().saturating_add(steps);
        // With the plays written so far, without extending them.
        while let Some(length) = plays.steps().checked_sub(1) {
            let best = problem.best_value();
            let mut better = self.values.iter().copied();
            let Some(aim) = better.find(|&value| best.is_none_or(|best| value > best)) else {
                break;
            };
            let left = end.saturating_sub(plays.spent());
            if plays.ask(aim, length, left) != Answer::Satisfiable
                || !self.follow(problem, plays)?
            {
                break;
            }
        }
        problem.poll()
    }

    /// The moves that the next question allows for, for which plays are written; nothing if that would be
    /// too much.
    fn next_length<R: Reasoner>(
        &mut self,
        problem: &Problem<'_, R>,
        plays: &mut Unrolling,
    ) -> Result<Option<usize>, Halt> {
        self.most = self.most.max(self.least).max(problem.best_length());
        let is_turn_of_least = self.is_turn_of_least;
        self.is_turn_of_least = !is_turn_of_least;
        let length = if is_turn_of_least {
            self.least
        } else {
            self.most
        };
        // Steps are added one by one, so that what the solver has learned of the first ones stays.
        while plays.steps() <= length {
            problem.poll()?;
            if plays.variables() > MAX_VARIABLES || plays.steps() > MAX_LENGTH {
                self.most = plays.steps() - 1;
                self.is_done = self.least > self.most;
                return Ok(None);
            }
            plays.extend();
        }
        Ok(Some(length))
    }

    /// The highest value that is better than the best and may be reached.
    fn aim<R: Reasoner>(&self, problem: &Problem<'_, R>) -> Option<GoalValue> {
        let highest = self.values.last().copied()?;
        let is_better = problem.best_value().is_none_or(|best| highest > best);
        is_better.then_some(highest)
    }

    /// Plays what was found and keeps it for what it is worth; says whether that is more than before.
    fn follow<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        plays: &Unrolling,
    ) -> Result<bool, Halt> {
        let places = plays.play();
        let plan: Plan = places.iter().map(|&place| self.moves[place]).collect();
        let before = problem.best_value();
        problem.play(&plan)?;
        let is_better = problem.best_value() > before;
        // What is found again and again would keep everything else from being found.
        self.is_done |= !is_better;
        Ok(is_better)
    }
}
