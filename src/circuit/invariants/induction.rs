//! Proof by induction over moves that variables are what they seem in plays.
//!
//! All conjectures are assumed of a state and asked of the next one. What a move can break is weakened (one
//! of the group → at most one → single fluents), until the rest is preserved by all moves together. States
//! that break it are first made of those of plays, which is cheap; the solver finds the others. Each refutation changes
//! all questions, so that what takes long to prove is asked only when nothing more is refuted at once. What the solver
//! does not decide within its limits is given up, too.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::circuit::Circuit;
use crate::circuit::invariants::account::Account;
use crate::circuit::invariants::counters::gained_ahead;
use crate::circuit::invariants::links::Link;
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::invariants::variables::Conjecture;
use crate::circuit::invariants::weakening::{
    Fate, Gained, Weakening, are_extended, gained_together, lost_groups,
};
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::limits::{StopFlag, StopReason};

/// Assignments that the solver may infer for a question.
const MAX_ASSIGNMENTS: u64 = 10_000_000;

/// Those for a question that is asked for the first time; granted even where nothing is left for the others, so that one
/// hard question leaves no simple one open.
const FIRST_ASSIGNMENTS: u64 = 20_000;

/// What is proved of all states.
pub(crate) struct Invariants {
    pub(crate) variables: Vec<Variable>,
    /// All of it but the links, as requirements on fluents by place.
    pub(crate) requirements: Vec<Requirement>,
    /// Fluents of different variables that exclude each other.
    pub(crate) links: Vec<Link>,
    /// Fluents that hold in no play, but after moves from states that satisfy the requirements.
    pub(crate) gained: FxHashSet<usize>,
}

/// The strongest part of a conjecture that is an invariant.
///
/// # Errors
/// [`StopReason`] from outside.
pub(crate) fn prove(
    (circuit, sources): (&Circuit, &Sources),
    mut conjecture: Conjecture,
    stop: &StopFlag,
    account: &mut Account,
) -> Result<Invariants, StopReason> {
    // The other half is for the certificates.
    let kept = account.steps / 2;
    loop {
        let requirements = requirements(&conjecture);
        let mut solver = Solver::for_large_conflicts(stop.clone(), 0);
        let assumed = [&requirements[..], &exclusions(&conjecture.links)].concat();
        let transition = Transition::new(circuit, &assumed, &mut solver);
        let mut step = InductionStep {
            solver,
            transition,
            account,
            kept,
            is_first: true,
        };
        let links = conjecture.links.len();
        conjecture.links.retain(|link| step.is_preserved(*link));
        let mut questions = Questions::all(&conjecture);
        let at_once = questions.weakening(sources, &conjecture, &mut step);
        stop.poll()?;
        if at_once.apply(&mut conjecture) || conjecture.links.len() < links {
            continue;
        }
        step.is_first = false;
        let in_the_end = questions.weakening(sources, &conjecture, &mut step);
        stop.poll()?;
        if !in_the_end.apply(&mut conjecture) {
            return Ok(Invariants {
                variables: conjecture.variables,
                requirements,
                links: conjecture.links,
                gained: conjecture.gained,
            });
        }
    }
}

fn requirements(conjecture: &Conjecture) -> Vec<Requirement> {
    let never = conjecture.never.iter().copied().map(Requirement::Never);
    let mut all: Vec<Requirement> = never.collect();
    for Variable { fluents, is_exact } in &conjecture.variables {
        if fluents.len() > 1 {
            all.push(Requirement::AtMostOne(fluents.clone()));
        }
        if *is_exact {
            all.push(Requirement::Some(fluents.clone()));
        }
    }
    all
}

/// Links as requirements.
pub(crate) fn exclusions(links: &[Link]) -> Vec<Requirement> {
    let links = links.iter();
    let exclusions = links.map(|&[one, other]| Requirement::NotBoth(vec![one], vec![other]));
    exclusions.collect()
}

/// A move from a state as conjectured, about which questions are asked.
struct InductionStep<'q> {
    solver: Solver,
    transition: Transition,
    account: &'q mut Account,
    /// Assignments that are to be left in the account.
    kept: u64,
    /// Whether questions are asked for the first time: what is not decided then is asked again.
    is_first: bool,
}

impl InductionStep<'_> {
    fn ask(&mut self, assumed: &[Literal]) -> Answer {
        let most = if self.is_first {
            FIRST_ASSIGNMENTS
        } else {
            let left = self.account.steps.saturating_sub(self.kept);
            left.clamp(FIRST_ASSIGNMENTS, MAX_ASSIGNMENTS)
        };
        self.account.ask(&mut self.solver, assumed, most)
    }

    /// Whether linked fluents exclude each other next.
    fn is_preserved(&mut self, link: Link) -> bool {
        let both = link.map(|place| self.transition.next[place]);
        self.ask(&both) == Answer::Unsatisfiable
    }

    /// Whether a fluent holds next in the states found last.
    fn holds_next(&self, place: usize) -> bool {
        self.solver.value(self.transition.next[place])
    }
}

/// What is not known yet to be preserved by all moves.
struct Questions {
    /// Fluents that are thought never to hold.
    never: Vec<usize>,
    /// Variables, by number.
    variables: Vec<usize>,
}

impl Questions {
    fn all(conjecture: &Conjecture) -> Self {
        Self {
            never: conjecture.never.clone(),
            variables: (0..conjecture.variables.len()).collect(),
        }
    }

    /// What moves break; what the solver does not decide is left for another time, or broken if this is the last.
    fn weakening(
        &mut self,
        sources: &Sources,
        conjecture: &Conjecture,
        step: &mut InductionStep<'_>,
    ) -> Weakening {
        let mut gained = self.gained(sources, conjecture, step);
        gained.extend(gained_ahead(&gained, sources, conjecture));
        Weakening {
            fates: self.fates(&conjecture.variables, &gained, step),
            gained,
        }
    }

    /// Fluents that were thought never to hold and do.
    fn gained(
        &mut self,
        sources: &Sources,
        conjecture: &Conjecture,
        step: &mut InductionStep<'_>,
    ) -> Vec<Gained> {
        let mut gained = Vec::new();
        let mut open: VecDeque<usize> = self.never.drain(..).collect();
        while let Some(place) = open.pop_front() {
            let holds = step.transition.next[place];
            match step.ask(&[holds]) {
                Answer::Satisfiable => {}
                Answer::Unsatisfiable => continue,
                Answer::Stopped(_) if step.is_first => {
                    self.never.push(place);
                    continue;
                }
                Answer::Stopped(_) => {
                    let group = None;
                    gained.push(Gained { place, group });
                    continue;
                }
            }
            let held = |place: usize| step.solver.value(step.transition.now[place]);
            let lost = lost_groups(&conjecture.variables, held, |place| step.holds_next(place));
            // The same states may show others.
            let mut together = vec![place];
            open.retain(|&other| {
                let is_gained = step.holds_next(other);
                if is_gained {
                    together.push(other);
                }
                !is_gained
            });
            let variables = &conjecture.variables;
            gained.extend(gained_together(sources, variables, &lost, &together));
        }
        gained
    }

    /// What becomes of variables, but for those that gain a value.
    fn fates(
        &mut self,
        variables: &[Variable],
        gained: &[Gained],
        step: &mut InductionStep<'_>,
    ) -> Vec<Fate> {
        let mut fates = vec![Fate::Kept; variables.len()];
        let is_kept = are_extended(variables.len(), gained);
        let is_asked =
            |fates: &[Fate], number: usize| fates[number] == Fate::Kept && !is_kept[number];
        let open = std::mem::take(&mut self.variables);
        for (at, &number) in open.iter().enumerate() {
            if !is_asked(&fates, number) {
                continue;
            }
            match asked_fate(&variables[number], step) {
                Ok(Fate::Kept) => {}
                // The same states may refute others; what is left of these is for the next round.
                Ok(Fate::Broken | Fate::Inexact) => {
                    for &other in &open[at..] {
                        if is_asked(&fates, other) {
                            fates[other] = seen_fate(&variables[other], step);
                        }
                    }
                }
                Err(_) if step.is_first => self.variables.push(number),
                Err(Undecided(fate)) => fates[number] = fate,
            }
        }
        fates
    }
}

/// The solver gave up on a variable, of which this is left.
struct Undecided(Fate);

/// What moves make of a variable; if they break it, the states found last show it.
fn asked_fate(variable: &Variable, step: &mut InductionStep<'_>) -> Result<Fate, Undecided> {
    let fluents = variable.fluents.iter();
    let literals: Vec<Literal> = fluents.map(|&place| step.transition.next[place]).collect();
    match two_hold(step, &literals) {
        Answer::Satisfiable => return Ok(Fate::Broken),
        Answer::Unsatisfiable => {}
        Answer::Stopped(_) => return Err(Undecided(Fate::Broken)),
    }
    if !variable.is_exact {
        return Ok(Fate::Kept);
    }
    let all_fail: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
    match step.ask(&all_fail) {
        Answer::Satisfiable => Ok(Fate::Inexact),
        Answer::Unsatisfiable => Ok(Fate::Kept),
        Answer::Stopped(_) => Err(Undecided(Fate::Inexact)),
    }
}

/// What the states found last say of a variable.
fn seen_fate(variable: &Variable, step: &InductionStep<'_>) -> Fate {
    let fluents = variable.fluents.iter();
    let holding = fluents.filter(|&&place| step.holds_next(place)).count();
    match holding {
        0 if variable.is_exact => Fate::Inexact,
        0 | 1 => Fate::Kept,
        _ => Fate::Broken,
    }
}

/// Whether two of the literals can be true.
fn two_hold(step: &mut InductionStep<'_>, literals: &[Literal]) -> Answer {
    for (at, &one) in literals.iter().enumerate() {
        let others = &literals[at + 1..];
        if others.is_empty() {
            continue;
        }
        let some = step.solver.variable();
        step.solver.require(others.iter().copied().chain([!some]));
        let answer = step.ask(&[one, some]);
        if answer != Answer::Unsatisfiable {
            return answer;
        }
    }
    Answer::Unsatisfiable
}
