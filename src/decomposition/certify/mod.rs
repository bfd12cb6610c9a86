//! All claims of a decomposition, checked anew.
//!
//! A certificate is a claim with what it stands on. Here each is a question of its own to a fresh solver, written
//! down straight from the claim ([`worlds`]): no samples, no search for what belongs together, nothing that was
//! learned when the claim was found. Only the forms of moves, end and goal values are asked by the code that found
//! them, about the parts as they are reported.
//!
//! | claim | stands on | there are no states such that |
//! |---|---|---|
//! | variables | | the start, or the state after a legal move, has another number of values of one |
//! | phases | variables | a phase that is over goes on after a move |
//! | constant, by itself | variables, phases | two states agree in it, and not after some moves |
//! | part | variables, phases, what runs by itself | two states agree in it, and differ after like moves, or in what is offered |
//! | useless | variables | two states agree in all else, and differ in the end, a goal value or the phase |
//! | moves, end, goal values | variables, parts | (see [`crate::decomposition::composition`]) |

mod worlds;

use crate::circuit::Circuit;
use crate::circuit::invariants::Account;
use crate::circuit::sat::{Answer, Literal, Requirement, Solver, Transition};
use crate::decomposition::assemble::{Decomposition, Effort, Part, Proof};
use crate::decomposition::certificate::{Prover, Use};
use crate::decomposition::composition::{Composition, Form, Legality};
use crate::decomposition::phases::Phases;
use crate::limits::{Limits, StopFlag};
use worlds::Worlds;

/// What claims stand on beside each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Premises {
    /// What is required of fluents by the variables.
    pub(super) invariants: Vec<Requirement>,
    pub(super) phases: Option<Phases>,
}

/// Something that a decomposition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The fluents of each variable exclude each other; where it is said, one of them holds.
    Variables,
    /// No phase that is over comes back.
    Phases,
    /// What is constant changes in the same way whatever else there is.
    Constant,
    /// The group with this number runs by itself.
    Autonomous(usize),
    /// The part with this number is independent of the others.
    Independent(usize),
    /// End, goal values and phase do not depend on the part with this number, as far as it is said.
    UselessPart(usize),
    /// The same of a group that runs by itself.
    UselessAutonomous(usize),
    /// How the legal moves are made of those of the parts.
    Moves,
    /// How the end and the goal values are made of those of the parts.
    Outcome,
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is no counterexample.
    Holds,
    /// There is one.
    Fails,
    /// The solver gave up, now or when the claim was found, or what was found is not said to be proved.
    Open,
}

/// A claim that was checked anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What is claimed.
    pub claim: Claim,
    /// The claims that it stands on.
    pub premises: Vec<Claim>,
    /// Questions that the solver was asked.
    pub questions: usize,
    /// Whether it holds.
    pub verdict: Verdict,
}

/// Checks all that a decomposition of a game claims.
pub fn certify(
    circuit: &Circuit,
    found: &Decomposition,
    effort: &Effort,
    limits: &Limits,
) -> Vec<Certificate> {
    let mut checks = Checks {
        circuit,
        found,
        is_context: context(circuit, found),
        stop: &limits.stop,
        account: Account {
            steps: effort.max_assignments,
            questions: 0,
        },
    };
    let claims = claims(found).into_iter();
    let certificates = claims.map(|(claim, premises)| {
        let before = checks.account.questions;
        let verdict = checks.check(claim);
        Certificate {
            claim,
            premises,
            questions: checks.account.questions - before,
            verdict,
        }
    });
    certificates.collect()
}

/// The claims, each with those that it stands on.
fn claims(found: &Decomposition) -> Vec<(Claim, Vec<Claim>)> {
    let mut base = vec![Claim::Variables];
    let mut all = vec![(Claim::Variables, Vec::new())];
    if found.premises.phases.is_some() {
        all.push((Claim::Phases, base.clone()));
        base.push(Claim::Phases);
    }
    let mut context = base.clone();
    if !found.constant.is_empty() {
        all.push((Claim::Constant, base.clone()));
        context.push(Claim::Constant);
    }
    for group in 0..found.autonomous.len() {
        all.push((Claim::Autonomous(group), base.clone()));
        context.push(Claim::Autonomous(group));
        all.push((Claim::UselessAutonomous(group), base.clone()));
    }
    let several = found.parts.len() > 1;
    for part in (0..found.parts.len()).filter(|_| several) {
        all.push((Claim::Independent(part), context.clone()));
        all.push((Claim::UselessPart(part), base.clone()));
    }
    if several {
        let parts = (0..found.parts.len()).map(Claim::Independent);
        let premises: Vec<Claim> = context.into_iter().chain(parts).collect();
        all.push((Claim::Moves, premises.clone()));
        all.push((Claim::Outcome, premises));
    }
    all
}

/// By fluent, whether it is constant or runs by itself.
fn context(circuit: &Circuit, found: &Decomposition) -> Vec<bool> {
    let mut is_context = vec![false; circuit.fluents.len()];
    let groups = found.autonomous.iter().map(|group| &group.variables);
    for &variable in groups.chain([&found.constant]).flatten() {
        for &fluent in &found.variables[variable].fluents {
            is_context[fluent] = true;
        }
    }
    is_context
}

struct Checks<'c> {
    circuit: &'c Circuit,
    found: &'c Decomposition,
    is_context: Vec<bool>,
    stop: &'c StopFlag,
    account: Account,
}

impl<'c> Checks<'c> {
    fn check(&mut self, claim: Claim) -> Verdict {
        let verdict = self.ask(claim);
        if verdict == Verdict::Fails && self.is_open(claim) {
            // A counterexample to what was never said to be proved: as open as it was.
            return Verdict::Open;
        }
        verdict
    }

    /// Whether the decomposition itself says that it is not proved.
    fn is_open(&self, claim: Claim) -> bool {
        let found = self.found;
        let proof = match claim {
            Claim::Constant => found.constant_proof,
            Claim::Autonomous(group) => found.autonomous[group].proof,
            Claim::Independent(part) => found.parts[part].proof,
            Claim::Variables
            | Claim::Phases
            | Claim::UselessPart(_)
            | Claim::UselessAutonomous(_)
            | Claim::Moves
            | Claim::Outcome => return false,
        };
        proof == Proof::Open
    }

    fn ask(&mut self, claim: Claim) -> Verdict {
        let found = self.found;
        match claim {
            Claim::Variables => self.variables(),
            Claim::Phases => self.phases(),
            Claim::Constant => self.next_of(&found.constant, &self.is_context.clone()),
            Claim::Autonomous(group) => {
                let variables = &found.autonomous[group].variables;
                let own = self.set(variables);
                self.next_of(variables, &own)
            }
            Claim::Independent(part) => self.independent(&found.parts[part]),
            Claim::UselessPart(part) => {
                let Part {
                    variables, useful, ..
                } = &found.parts[part];
                self.useless(variables, *useful)
            }
            Claim::UselessAutonomous(group) => {
                let group = &found.autonomous[group];
                self.useless(&group.variables, group.useful)
            }
            Claim::Moves => {
                let again = self.composition();
                let is_open = again.legality.contains(&Legality::Open);
                verdict(again.legality == found.composition.legality, is_open)
            }
            Claim::Outcome => {
                let Composition {
                    termination, goals, ..
                } = self.composition();
                let is_open = goals
                    .iter()
                    .chain([&termination])
                    .any(|form| *form == Form::Open);
                let known = &found.composition;
                verdict(
                    termination == known.termination && goals == known.goals,
                    is_open,
                )
            }
        }
    }

    fn fluents(&self, variables: &[usize]) -> Vec<usize> {
        let variables = variables.iter();
        let fluents = variables.flat_map(|&variable| &self.found.variables[variable].fluents);
        fluents.copied().collect()
    }

    /// By fluent, whether it belongs to some variables.
    fn set(&self, variables: &[usize]) -> Vec<bool> {
        let mut set = vec![false; self.circuit.fluents.len()];
        self.fluents(variables)
            .into_iter()
            .for_each(|fluent| set[fluent] = true);
        set
    }

    /// Two states that satisfy the invariants and agree in some fluents.
    fn worlds(&self, agree: &[bool]) -> Worlds<'c> {
        Worlds::two(
            self.circuit,
            &self.found.premises.invariants,
            agree,
            self.stop,
        )
    }

    /// Whether the start satisfies the invariants, and every state after a legal move from one that does.
    fn variables(&mut self) -> Verdict {
        let circuit = self.circuit;
        let invariants = &self.found.premises.invariants;
        let initial: Vec<bool> = circuit
            .fluents
            .iter()
            .map(|fluent| fluent.initial)
            .collect();
        if invariants
            .iter()
            .any(|invariant| !holds(invariant, &initial))
        {
            return Verdict::Fails;
        }
        let mut solver = Solver::new(self.stop.clone(), 0);
        let next = Transition::new(circuit, invariants, &mut solver).next;
        for invariant in invariants {
            let broken = broken(invariant, &next, &mut solver);
            for assumed in broken {
                match self.account.ask(&mut solver, &assumed, u64::MAX) {
                    Answer::Unsatisfiable => {}
                    Answer::Satisfiable => return Verdict::Fails,
                    Answer::Stopped(_) => return Verdict::Open,
                }
            }
        }
        Verdict::Holds
    }

    /// Whether a phase, or one before, can go on after a move from a state in which it does not.
    fn phases(&mut self) -> Verdict {
        let found = self.found;
        let Some(phases) = &found.premises.phases else {
            return Verdict::Holds;
        };
        let mut steps = Worlds::step(self.circuit, &found.premises.invariants, self.stop);
        let mut some = Vec::new();
        for phase in 0..phases.len() - 1 {
            let [now, next] = steps.any(&phases.signals(self.circuit, phase));
            some.push(steps.both(!now, next));
        }
        steps.require_one(some);
        steps.verdict(&mut self.account)
    }

    /// Whether two states that agree in some fluents, in the same phase, cannot have different next values of some
    /// variables, whatever the moves.
    fn next_of(&mut self, variables: &[usize], agree: &[bool]) -> Verdict {
        let mut worlds = self.worlds(agree);
        worlds.require_moves();
        self.require_same_phase(&mut worlds);
        let differences = self.fluents(variables).into_iter();
        let differences =
            differences.map(|fluent| worlds.differs(self.circuit.fluents[fluent].next));
        let differences = differences.collect();
        worlds.require_one(differences);
        worlds.verdict(&mut self.account)
    }

    fn require_same_phase(&self, worlds: &mut Worlds<'_>) {
        if let Some(phases) = &self.found.premises.phases {
            for phase in 0..phases.len() - 1 {
                let goes_on = worlds.any(&phases.signals(self.circuit, phase));
                worlds.require_equal(goes_on);
            }
        }
    }

    /// Whether two states that agree in a part and its context offer the same local moves in it, and agree in it
    /// after the same of them.
    fn independent(&mut self, part: &Part) -> Verdict {
        let agree: Vec<bool> = (self.set(&part.variables).into_iter().zip(&self.is_context))
            .map(|(own, &context)| own || context)
            .collect();
        let mut worlds = self.worlds(&agree);
        worlds.require_moves();
        self.require_same_phase(&mut worlds);
        let circuit = self.circuit;
        let mut offered = Vec::new();
        let mut unlike = Vec::new();
        for (role, moves) in part.moves.iter().enumerate() {
            for class in &moves.classes {
                let legal: Vec<_> = class
                    .iter()
                    .map(|&mv| circuit.moves[role][mv].legal)
                    .collect();
                let legal = worlds.any(&legal);
                offered.push(worlds.different(legal));
            }
            for class in moves.all() {
                let made: Vec<_> = class
                    .iter()
                    .map(|&mv| circuit.moves[role][mv].made)
                    .collect();
                let made = worlds.any(&made);
                unlike.push(worlds.unequal(made));
            }
        }
        let next = self.fluents(&part.variables).into_iter();
        let mut next: Vec<Literal> = next
            .map(|fluent| worlds.differs(circuit.fluents[fluent].next))
            .collect();
        // After moves of the same classes, or because of other offers.
        let likely = worlds.none_of(unlike);
        next = next
            .into_iter()
            .map(|differs| worlds.both(differs, likely))
            .collect();
        worlds.require_one(next.into_iter().chain(offered).collect());
        worlds.verdict(&mut self.account)
    }

    /// Whether nothing depends on some variables of which it is not said.
    fn useless(&mut self, variables: &[usize], useful: Use) -> Verdict {
        let agree: Vec<bool> = self.set(variables).into_iter().map(|own| !own).collect();
        let mut worlds = self.worlds(&agree);
        let circuit = self.circuit;
        let mut some = Vec::new();
        if !useful.end {
            some.push(worlds.differs(circuit.terminal));
        }
        if !useful.payoffs {
            let ends = worlds.any(&[circuit.terminal]);
            let over = worlds.both(ends[0], ends[1]);
            for payoff in circuit.goals.iter().flatten() {
                let differs = worlds.differs(payoff.signal);
                some.push(worlds.both(differs, over));
            }
        }
        if let Some(phases) = self
            .found
            .premises
            .phases
            .as_ref()
            .filter(|_| !useful.phase)
        {
            for phase in 0..phases.len() - 1 {
                let goes_on = worlds.any(&phases.signals(circuit, phase));
                some.push(worlds.different(goes_on));
            }
        }
        worlds.require_one(some);
        worlds.verdict(&mut self.account)
    }

    fn composition(&mut self) -> Composition {
        let mut prover = Prover {
            circuit: self.circuit,
            variables: &self.found.variables,
            invariants: &self.found.premises.invariants,
            phases: self.found.premises.phases.as_ref(),
            is_context: &self.is_context,
            stop: self.stop,
            account: self.account,
        };
        let composition = Composition::of(&mut prover, &self.found.parts);
        self.account = prover.account;
        composition
    }
}

fn verdict(is_same: bool, is_open: bool) -> Verdict {
    match (is_open, is_same) {
        (true, _) => Verdict::Open,
        (false, true) => Verdict::Holds,
        (false, false) => Verdict::Fails,
    }
}

/// Whether an invariant holds in a state.
fn holds(invariant: &Requirement, state: &[bool]) -> bool {
    let count = |places: &[usize]| places.iter().filter(|&&place| state[place]).count();
    match invariant {
        Requirement::Never(place) => !state[*place],
        Requirement::AtMostOne(places) => count(places) < 2,
        Requirement::NotBoth(some, others) => count(some) == 0 || count(others) == 0,
        Requirement::Some(places) => count(places) > 0,
    }
}

/// Assumptions of which one can be true if an invariant does not hold.
fn broken(invariant: &Requirement, next: &[Literal], solver: &mut Solver) -> Vec<Vec<Literal>> {
    let mut one_of = |places: &[usize]| {
        let some = solver.variable();
        let literals = places.iter().map(|&place| next[place]);
        solver.require(literals.chain([!some]));
        some
    };
    match invariant {
        Requirement::Never(place) => vec![vec![next[*place]]],
        Requirement::Some(places) => vec![places.iter().map(|&place| !next[place]).collect()],
        Requirement::NotBoth(some, others) => vec![vec![one_of(some), one_of(others)]],
        Requirement::AtMostOne(places) => (1..places.len())
            .map(|place| vec![next[places[place]], one_of(&places[..place])])
            .collect(),
    }
}
