//! Certificates: each claim of a decomposition as a question to a solver that has no answer.
//!
//! | claim | two states agree in | what cannot differ |
//! |---|---|---|
//! | a part is a game of its own | part, context, phase, local moves | its successor |
//! | its moves are its own | part, context, phase | which local moves are offered |
//! | autonomous | itself, phase | its successor, whatever the moves |
//! | useless | all but the part | end, payoffs at ends, phase |
//! | phases do not come back | one state and the next | no move of a phase that is over |

use crate::circuit::sat::{Answer, Encoding, Literal, Requirement, Solver, Transition};
use crate::decomposition::classes::Classes;
use crate::decomposition::model::Model;
use crate::decomposition::phases::{Phases, of_roles};
use crate::decomposition::twin::Twin;
use crate::limits::StopReason;

/// Assignments that a question may infer.
pub(super) const STEPS: u64 = 300_000_000;

/// What a solver says of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// There is no counterexample.
    Proved,
    /// A counterexample differs in these other parts.
    Refuted(Vec<usize>),
    /// The solver gave up.
    Open(StopReason),
}

/// What depends on a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// Whether the game is over.
    pub end: bool,
    /// The payoffs at the end.
    pub payoffs: bool,
    /// Which phase it is.
    pub phase: bool,
}

impl Use {
    /// Whether nothing depends on it.
    pub fn is_useless(self) -> bool {
        !(self.end || self.payoffs || self.phase)
    }
}

/// Asks questions about a decomposition, and counts them.
pub(super) struct Prover<'m, 'c> {
    pub(super) model: &'m Model<'c>,
    pub(super) invariants: &'m [Requirement],
    pub(super) phases: Option<&'m Phases>,
    /// By fluent, whether it is context: autonomous or constant.
    pub(super) is_context: &'m [bool],
    pub(super) questions: usize,
}

impl<'c> Prover<'_, 'c> {
    /// Whether a part is a game of its own among all parts.
    pub(super) fn independence(&mut self, parts: &[Vec<usize>], part: usize) -> Finding {
        let classes = of_roles(self.model, &parts[part]);
        let found = self.refute(parts, part, |twin, fluents| {
            twin.require_like_moves(&classes);
            twin.require_different_next(fluents.iter().copied());
        });
        if found != Finding::Proved {
            return found;
        }
        let has_moves = classes.iter().any(|classes: &Classes| classes.count > 1);
        if !has_moves {
            return found;
        }
        self.refute(parts, part, |twin, _| {
            twin.require_different_offer(&classes)
        })
    }

    /// Looks for two states that agree in a part and its context and differ in what is required, in as few
    /// other parts as may be.
    fn refute(
        &mut self,
        parts: &[Vec<usize>],
        part: usize,
        require: impl Fn(&mut Twin<'c>, &[usize]),
    ) -> Finding {
        let fluents = self.fluents(&parts[part]);
        let is_common = |place: usize| self.is_context[place] || fluents.contains(&place);
        let mut twin = self.twin(&is_common);
        twin.require_moves();
        if let Some(phases) = self.phases {
            twin.require_same_phase(phases);
        }
        require(&mut twin, &fluents);
        self.questions += 1;
        match twin.exists(&[]) {
            Ok(false) => return Finding::Proved,
            Ok(true) => {}
            Err(reason) => return Finding::Open(reason),
        }
        // The parts that the counterexample needs: one after the other is made to agree, if it can be.
        let mut assumed: Vec<Literal> = Vec::new();
        let mut needed = Vec::new();
        for other in (0..parts.len()).filter(|&other| other != part) {
            let agree = twin.agreement(self.fluents(&parts[other]).into_iter());
            assumed.push(agree);
            self.questions += 1;
            match twin.exists(&assumed) {
                Ok(true) => {}
                Ok(false) => {
                    assumed.pop();
                    needed.push(other);
                }
                Err(reason) => return Finding::Open(reason),
            }
        }
        Finding::Refuted(needed)
    }

    /// Whether variables depend on nothing but themselves, and on no move.
    pub(super) fn autonomy(&mut self, variables: &[usize]) -> Finding {
        let fluents = self.fluents(variables);
        let mut twin = self.twin(&|place| fluents.contains(&place));
        twin.require_moves();
        if let Some(phases) = self.phases {
            twin.require_same_phase(phases);
        }
        twin.require_different_next(fluents.iter().copied());
        self.questions += 1;
        match twin.exists(&[]) {
            Ok(false) => Finding::Proved,
            Ok(true) => Finding::Refuted(Vec::new()),
            Err(reason) => Finding::Open(reason),
        }
    }

    /// What depends on variables; what the solver gives up on is said to.
    pub(super) fn uses(&mut self, variables: &[usize]) -> Use {
        let fluents = self.fluents(variables);
        let mut twin = self.twin(&|place| !fluents.contains(&place));
        let end = twin.different_end();
        let payoffs = twin.different_payoffs();
        let phase = self.phases.map(|phases| twin.different_phase(phases));
        let mut depends = |difference| {
            self.questions += 1;
            twin.exists(&[difference]) != Ok(false)
        };
        Use {
            end: depends(end),
            payoffs: depends(payoffs),
            phase: phase.is_some_and(depends),
        }
    }

    /// Whether no phase that is over comes back.
    pub(super) fn phases_are_latches(&mut self, phases: &Phases) -> Finding {
        let circuit = self.model.circuit;
        let mut solver = Solver::new(self.model.stop.clone(), STEPS);
        let transition = Transition::new(circuit, self.invariants, &mut solver);
        let mut copies = [&transition.now, &transition.next].map(|fluents| {
            let mut encoding = Encoding::new(&circuit.gates);
            for (fluent, &literal) in circuit.fluents.iter().zip(fluents) {
                if fluent.holds.constant().is_none() {
                    encoding.bind(fluent.holds, literal);
                }
            }
            encoding
        });
        for phase in 0..phases.len() - 1 {
            let signals = phases.signals(circuit, phase);
            let goes_on = copies.each_mut().map(|encoding| {
                let legal = signals.iter();
                let legal =
                    legal.map(|&signal| encoding.literal(&mut solver, &circuit.gates, signal));
                legal.collect::<Vec<Literal>>()
            });
            let [now, next] = goes_on;
            let some = solver.variable();
            solver.require(next.into_iter().chain([!some]));
            let assumed: Vec<Literal> = now.into_iter().map(|legal| !legal).chain([some]).collect();
            self.questions += 1;
            match solver.ask(&assumed) {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable => return Finding::Refuted(Vec::new()),
                Answer::Stopped(reason) => return Finding::Open(reason),
            }
        }
        Finding::Proved
    }

    fn twin(&self, is_common: &dyn Fn(usize) -> bool) -> Twin<'c> {
        Twin::new(
            self.model.circuit,
            self.invariants,
            is_common,
            &self.model.stop,
            STEPS,
        )
    }

    fn fluents(&self, variables: &[usize]) -> Vec<usize> {
        let variables = variables.iter();
        let fluents = variables.flat_map(|&variable| &self.model.variables[variable].fluents);
        fluents.copied().collect()
    }
}
