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

/// The search for the strongest part of a conjecture that is an invariant. When it is stopped from outside, it keeps what
/// it has found out, and may go on.
pub(crate) struct Induction {
    conjecture: Conjecture,
    account: Account,
    /// Assignments that are to be left in the account.
    kept: u64,
    stop: StopFlag,
    round: Option<InductionRound>,
}

impl Induction {
    /// Begins with a conjecture. Half of the account is kept for what comes after, such as certificates.
    pub(crate) fn new(conjecture: Conjecture, account: Account, stop: &StopFlag) -> Self {
        Self {
            conjecture,
            kept: account.steps / 2,
            account,
            stop: stop.clone(),
            round: None,
        }
    }

    /// Weakens the conjecture until it is an invariant.
    ///
    /// # Errors
    /// [`StopReason`] from outside; the next call goes on from there.
    pub(crate) fn prove(&mut self, circuit: &Circuit, sources: &Sources) -> Result<(), StopReason> {
        loop {
            let mut round = match self.round.take() {
                Some(round) => round,
                None => InductionRound::new(circuit, &self.conjecture, &self.stop),
            };
            let changes = round.weaken(sources, &mut self.conjecture, &mut self.account, self.kept);
            let stopped = self.stop.poll();
            if !changes {
                // What it has answered holds as long as the conjecture does.
                let is_last = !round.is_first;
                round.is_first &= stopped.is_err();
                self.round = Some(round);
                if is_last && stopped.is_ok() {
                    return Ok(());
                }
            }
            stopped?;
        }
    }

    /// What is proved, and what is left of the account.
    pub(crate) fn end(self) -> (Invariants, Account) {
        let requirements = requirements(&self.conjecture);
        let invariants = Invariants {
            variables: self.conjecture.variables,
            requirements,
            links: self.conjecture.links,
            gained: self.conjecture.gained,
        };
        (invariants, self.account)
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

/// The questions about a conjecture, and those that are not answered yet.
struct InductionRound {
    solver: Solver,
    transition: Transition,
    questions: Questions,
    /// Whether questions are asked for the first time: what is not decided then is asked again.
    is_first: bool,
}

impl InductionRound {
    fn new(circuit: &Circuit, conjecture: &Conjecture, stop: &StopFlag) -> Self {
        let mut solver = Solver::for_large_conflicts(stop.clone(), 0);
        let assumed = [requirements(conjecture), exclusions(&conjecture.links)].concat();
        Self {
            transition: Transition::new(circuit, &assumed, &mut solver),
            solver,
            questions: Questions::all(conjecture),
            is_first: true,
        }
    }

    /// Asks what is not answered, and gives up what moves break; whether there was anything.
    fn weaken(
        &mut self,
        sources: &Sources,
        conjecture: &mut Conjecture,
        account: &mut Account,
        kept: u64,
    ) -> bool {
        let mut step = InductionStep {
            solver: &mut self.solver,
            transition: &self.transition,
            account,
            kept,
            is_first: self.is_first,
        };
        let lost = self.questions.lost_links(&mut step);
        let weakening = self.questions.weakening(sources, conjecture, &mut step);
        conjecture.links.retain(|link| !lost.contains(link));
        weakening.apply(sources, conjecture) || !lost.is_empty()
    }
}

/// A move from a state as conjectured, about which questions are asked.
struct InductionStep<'q> {
    solver: &'q mut Solver,
    transition: &'q Transition,
    account: &'q mut Account,
    /// Assignments that are to be left in the account.
    kept: u64,
    /// Whether questions are asked for the first time.
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
        self.account.ask(self.solver, assumed, most)
    }

    /// Whether a question that was stopped is asked again: at its first time, and when the stop came from outside.
    fn is_asked_again(&self, reason: StopReason) -> bool {
        self.is_first || !matches!(reason, StopReason::StepLimit(_))
    }

    /// Whether a fluent holds next in the states found last.
    fn holds_next(&self, place: usize) -> bool {
        self.solver.value(self.transition.next[place])
    }
}

/// What is not known yet to be preserved by all moves.
struct Questions {
    links: Vec<Link>,
    /// Fluents that are thought never to hold.
    never: Vec<usize>,
    /// Variables, by number.
    variables: Vec<usize>,
}

impl Questions {
    fn all(conjecture: &Conjecture) -> Self {
        Self {
            links: conjecture.links.clone(),
            never: conjecture.never.clone(),
            variables: (0..conjecture.variables.len()).collect(),
        }
    }

    /// Linked fluents that hold together next, or of which the solver does not decide it; links are no worth of a second
    /// question.
    fn lost_links(&mut self, step: &mut InductionStep<'_>) -> Vec<Link> {
        let mut lost = Vec::new();
        self.links.retain(|&link| {
            let both = link.map(|place| step.transition.next[place]);
            match step.ask(&both) {
                Answer::Unsatisfiable => false,
                Answer::Satisfiable | Answer::Stopped(StopReason::StepLimit(_)) => {
                    lost.push(link);
                    false
                }
                Answer::Stopped(_) => true,
            }
        });
        lost
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
                Answer::Stopped(reason) if step.is_asked_again(reason) => {
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
                Err(Undecided { reason, .. }) if step.is_asked_again(reason) => {
                    self.variables.push(number);
                }
                Err(Undecided { fate, .. }) => fates[number] = fate,
            }
        }
        fates
    }
}

/// The solver gave up on a variable, of which this is left.
struct Undecided {
    fate: Fate,
    reason: StopReason,
}

/// What moves make of a variable; if they break it, the states found last show it.
fn asked_fate(variable: &Variable, step: &mut InductionStep<'_>) -> Result<Fate, Undecided> {
    let fluents = variable.fluents.iter();
    let literals: Vec<Literal> = fluents.map(|&place| step.transition.next[place]).collect();
    match two_hold(step, &literals) {
        Answer::Satisfiable => return Ok(Fate::Broken),
        Answer::Unsatisfiable => {}
        Answer::Stopped(reason) => {
            let fate = Fate::Broken;
            return Err(Undecided { fate, reason });
        }
    }
    if !variable.is_exact {
        return Ok(Fate::Kept);
    }
    let all_fail: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
    match step.ask(&all_fail) {
        Answer::Satisfiable => Ok(Fate::Inexact),
        Answer::Unsatisfiable => Ok(Fate::Kept),
        Answer::Stopped(reason) => Err(Undecided {
            fate: Fate::Inexact,
            reason,
        }),
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
