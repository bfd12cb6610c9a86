//! Certificates: each claim of a decomposition as a question to a solver that has no answer.
//!
//! | claim | two states agree in | what cannot differ |
//! |---|---|---|
//! | a part is a game of its own | part, context, phase, local moves | its successor |
//! | its moves are its own | part, context, phase | which local moves are offered |
//! | autonomous | itself, constants, phase | its successor, whatever the moves |
//! | useless | all but the part | end, payoffs at ends, phase |
//! | phases do not come back | one state and the next | no move of a phase that is over |

use fixedbitset::FixedBitSet;

use crate::circuit::Circuit;
use crate::circuit::invariants::{Account, Variable};
use crate::circuit::sat::{Answer, Literal, Solver, Transition};
use crate::decomposition::copies::CircuitCopy;
use crate::decomposition::invariants::StateInvariants;
use crate::decomposition::local::LocalMoves;
use crate::decomposition::part::Use;
use crate::decomposition::phases::Phases;
use crate::decomposition::twin::{Differences, Twin};
use crate::limits::{StopFlag, StopReason};

/// What a solver says of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProofOutcome {
    /// There is no counterexample.
    Proved,
    /// In counterexamples these variables depend on something.
    Refuted(Vec<usize>),
    /// The solver gave up.
    Open,
}

/// What a solver says of the independence of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum IndependenceOutcome {
    /// There is no counterexample.
    Proved,
    /// There is one.
    Refuted(Counterexample),
    /// The solver gave up.
    Open,
}

/// Two states that agree in a part, but not in what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Counterexample {
    /// The other parts that have to differ in two such states; none if both may be the same, and moves that were taken for
    /// alike are not.
    pub(super) parts: Vec<usize>,
    /// Two such states; they may differ elsewhere as well.
    pub(super) states: [Vec<bool>; 2],
}

/// What a solver says of variables that are thought to run by themselves.
pub(super) enum AutonomyOutcome {
    /// There is no counterexample.
    Proved,
    /// There are some.
    Refuted(Vec<Dependence>),
    /// The solver gave up.
    Open,
}

/// Variables that do not run by themselves.
pub(super) struct Dependence {
    pub(super) dependent: Vec<usize>,
    /// In a counterexample they depend on these parts; if there are none, on moves or on other context.
    pub(super) parts: Vec<usize>,
}

/// Asks questions about a decomposition, and counts them.
pub(super) struct IndependenceProver<'m> {
    pub(super) circuit: &'m Circuit,
    pub(super) variables: &'m [Variable],
    pub(super) invariants: &'m StateInvariants,
    pub(super) phases: Option<&'m Phases>,
    /// By fluent, whether it is context: autonomous or constant.
    pub(super) is_context: &'m [bool],
    pub(super) stop: &'m StopFlag,
    pub(super) account: Account,
}

impl<'m> IndependenceProver<'m> {
    /// Whether a part is a game of its own among all parts, with these local moves by role.
    pub(super) fn independence(
        &mut self,
        parts: &[Vec<usize>],
        part: usize,
        moves: &[LocalMoves],
    ) -> IndependenceOutcome {
        let found = self.refute(parts, part, |twin, fluents| {
            twin.require_like_moves(moves);
            twin.require_different_next(fluents.iter().copied());
        });
        if found != IndependenceOutcome::Proved || moves.iter().all(|own| own.classes.is_empty()) {
            return found;
        }
        // What a part does is its own; that leaves what it offers.
        self.refute(parts, part, |twin, _| twin.require_different_offer(moves))
    }

    /// Asks for two states in which moves can be made, in the same phase.
    fn ask_of_states(&mut self, twin: &mut Twin) -> Result<bool, StopReason> {
        // Often it does not matter what is legal, and which moves are made is enough.
        twin.require_one_move();
        if self.ask(twin, &[]) == Ok(false) {
            return Ok(false);
        }
        twin.require_legal_moves();
        if let Some(phases) = self.phases {
            twin.require_same_phase(phases);
        }
        self.ask(twin, &[])
    }

    /// Asks a question.
    fn ask(&mut self, twin: &mut Twin, assumed: &[Literal]) -> Result<bool, StopReason> {
        twin.exists(assumed, &mut self.account)
    }

    /// Looks for two states that agree in a part and its context and differ in what is required, in as few
    /// other parts as may be.
    fn refute(
        &mut self,
        parts: &[Vec<usize>],
        part: usize,
        require: impl Fn(&mut Twin<'m>, &[usize]),
    ) -> IndependenceOutcome {
        let fluents = self.fluents(&parts[part]);
        let own = self.set(&fluents);
        let mut twin = self.twin(&|place| self.is_context[place] || own.contains(place));
        require(&mut twin, &fluents);
        let others: Vec<usize> = (0..parts.len()).filter(|&other| other != part).collect();
        self.narrow(&mut twin, parts, &others)
    }

    /// Asks for two states, and if there are some, which of some parts have to differ in them: one after the
    /// other is made to agree, if it can be.
    fn narrow(
        &mut self,
        twin: &mut Twin<'m>,
        parts: &[Vec<usize>],
        others: &[usize],
    ) -> IndependenceOutcome {
        match self.ask_of_states(twin) {
            Ok(false) => return IndependenceOutcome::Proved,
            Ok(true) => {}
            Err(_) => return IndependenceOutcome::Open,
        }
        let states = twin.states();
        match self.needed(twin, parts, others) {
            // All questions had an answer then, so that there is a last one, in which both states are the same.
            Ok(parts) if parts.is_empty() => IndependenceOutcome::Refuted(Counterexample {
                parts,
                states: twin.states(),
            }),
            Ok(parts) => IndependenceOutcome::Refuted(Counterexample { parts, states }),
            Err(_) => IndependenceOutcome::Open,
        }
    }

    /// Which of some parts have to differ in two states, of which there are some; if none has to, those found last agree
    /// in all of them.
    fn needed(
        &mut self,
        twin: &mut Twin<'m>,
        parts: &[Vec<usize>],
        others: &[usize],
    ) -> Result<Vec<usize>, StopReason> {
        // The counterexample may differ in all other parts by chance. Agreement in one more part is assumed while it
        // leaves a counterexample; parts that have to differ, given those before, are needed.
        let mut assumed: Vec<Literal> = Vec::new();
        let mut needed = Vec::new();
        for &other in others {
            let agree = twin.agreement(self.fluents(&parts[other]).into_iter());
            assumed.push(agree);
            if !self.ask(twin, &assumed)? {
                assumed.pop();
                needed.push(other);
            }
        }
        Ok(needed)
    }

    /// Whether variables depend on nothing but themselves and what is constant, and on no move; else those that do.
    pub(super) fn autonomy(
        &mut self,
        parts: &[Vec<usize>],
        variables: &[usize],
        constant: &[usize],
    ) -> AutonomyOutcome {
        let fluents = self.fluents(variables);
        let mut common = self.set(&fluents);
        common.union_with(&self.set(&self.fluents(constant)));
        // Nothing else is common, other context neither.
        let mut twin = self.twin(&|place| common.contains(place));
        twin.require_different_next(fluents.iter().copied());
        match self.ask_of_states(&mut twin) {
            Ok(false) => return AutonomyOutcome::Proved,
            Ok(true) => {}
            Err(_) => return AutonomyOutcome::Open,
        }
        // Each counterexample refutes some variables; the same solver is asked for one of the others.
        let others: Vec<usize> = (0..parts.len()).collect();
        let mut refuted = Vec::new();
        let mut open = variables.to_vec();
        loop {
            let (dependent, rest) = self.different_next(&mut twin, &open);
            // By what is required one of them differs; none would put the same question again.
            if dependent.is_empty() {
                return AutonomyOutcome::Open;
            }
            // Of a single part there is no other to tell it from.
            let needed = match parts {
                [] | [_] => Ok(Vec::new()),
                _ => self.needed(&mut twin, parts, &others),
            };
            let Ok(parts) = needed else {
                return AutonomyOutcome::Open;
            };
            refuted.push(Dependence { dependent, parts });
            open = rest;
            if open.is_empty() {
                return AutonomyOutcome::Refuted(refuted);
            }
            twin.require_different_next(self.fluents(&open).into_iter());
            if self.ask(&mut twin, &[]) != Ok(true) {
                return AutonomyOutcome::Refuted(refuted);
            }
        }
    }

    /// Those of some variables that are different next in the states found last, and the others.
    fn different_next(&self, twin: &mut Twin<'m>, variables: &[usize]) -> (Vec<usize>, Vec<usize>) {
        variables.iter().partition(|&&variable| {
            let mut fluents = self.variables[variable].fluents.iter();
            fluents.any(|&place| twin.differs_next(place))
        })
    }

    /// Whether variables of the context depend on nothing outside of it, and on no move; else those of them
    /// that do.
    pub(super) fn constancy(&mut self, variables: &[usize]) -> ProofOutcome {
        // Each counterexample names variables that are different next; the question is put again of the others.
        let mut depend = Vec::new();
        let mut open = variables.to_vec();
        while !open.is_empty() {
            let mut twin = self.twin(&|place| self.is_context[place]);
            twin.require_different_next(self.fluents(&open).into_iter());
            match self.ask_of_states(&mut twin) {
                Ok(false) => break,
                Ok(true) => {}
                Err(_) => return ProofOutcome::Open,
            }
            let (found, rest) = self.different_next(&mut twin, &open);
            // By what is required one of them differs; none would put the same question again.
            if found.is_empty() {
                return ProofOutcome::Refuted(rest);
            }
            depend.extend(found);
            open = rest;
        }
        if depend.is_empty() {
            ProofOutcome::Proved
        } else {
            ProofOutcome::Refuted(depend)
        }
    }

    /// What depends on variables; what the solver gives up on is said to.
    pub(super) fn uses(&mut self, variables: &[usize]) -> Use {
        let fluents = self.fluents(variables);
        let own = self.set(&fluents);
        // One solver for all three: each difference is a literal that is assumed when it is asked for.
        let invariants = self.invariants.of_variables();
        let mut twin = Twin::new(
            self.circuit,
            invariants,
            |place| !own.contains(place),
            self.stop,
        );
        let Differences {
            end,
            payoffs,
            phase,
        } = twin.differences(self.phases);
        // Useful as in Hufschmitt et al. 2016, Definition 10: for the end, a goal value, or the subgame that comes next.
        let mut depends = |difference| self.ask(&mut twin, &[difference]) != Ok(false);
        Use {
            end: depends(end),
            payoffs: depends(payoffs),
            phase: phase.is_some_and(depends),
        }
    }

    /// Two states that differ in variables only, of which end, payoffs or phase are different; none if there are none, or
    /// if the solver gives up. In each of the two the variables are as said, if it is said.
    pub(super) fn difference_made_by(
        &mut self,
        variables: &[usize],
        own_states: Option<&[Vec<bool>; 2]>,
    ) -> Option<[Vec<bool>; 2]> {
        let fluents = self.fluents(variables);
        let own = self.set(&fluents);
        let mut twin = self.twin(&|place| !own.contains(place));
        if let Some(states) = own_states {
            twin.require_states(&fluents, states);
        }
        let Differences {
            end,
            payoffs,
            phase,
        } = twin.differences(self.phases);
        let mut differences = [payoffs, end].into_iter().chain(phase);
        let is_found = differences.any(|one| self.ask(&mut twin, &[one]) == Ok(true));
        is_found.then(|| twin.states())
    }

    /// Whether no phase that is over comes back.
    pub(super) fn phases_are_latches(&mut self, phases: &Phases) -> ProofOutcome {
        let circuit = self.circuit;
        let mut solver = Solver::for_large_conflicts(self.stop.clone(), 0);
        let Transition { now, next } = Transition::new(circuit, self.invariants.all(), &mut solver);
        let mut copies =
            [now, next].map(|state| CircuitCopy::new(circuit, &[], &mut solver, state));
        // Over now, and going on after a legal move: no state may have that. The last phase is never over.
        for phase in 0..phases.len() - 1 {
            let signals = phases.signals(circuit, phase);
            let [now, next] = copies
                .each_mut()
                .map(|copy| copy.any(circuit, &mut solver, signals.iter().copied()));
            match self
                .account
                .ask(&mut solver, &[!now, next], self.account.share())
            {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable => return ProofOutcome::Refuted(Vec::new()),
                Answer::Stopped(_) => return ProofOutcome::Open,
            }
        }
        ProofOutcome::Proved
    }

    fn twin(&self, is_common: &dyn Fn(usize) -> bool) -> Twin<'m> {
        Twin::new(self.circuit, self.invariants.all(), is_common, self.stop)
    }

    fn set(&self, fluents: &[usize]) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.circuit.fluents.len());
        set.extend(fluents.iter().copied());
        set
    }

    /// The fluents, by place, of some variables.
    pub(super) fn fluents(&self, variables: &[usize]) -> Vec<usize> {
        let variables = variables.iter();
        let fluents = variables.flat_map(|&variable| &self.variables[variable].fluents);
        fluents.copied().collect()
    }
}
