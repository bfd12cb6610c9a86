//! Each claim as a question of its own to a fresh solver.

use crate::circuit::Circuit;
use crate::circuit::invariants::Account;
use crate::circuit::sat::Literal;
use crate::decomposition::certificate::IndependenceProver;
use crate::decomposition::certify::claim::{
    Certificate, CertificateVerdict, DecompositionClaim, claims,
};
use crate::decomposition::certify::variables;
use crate::decomposition::certify::worlds::Worlds;
use crate::decomposition::composition::{Composition, Legality, OutcomeForm};
use crate::decomposition::effort::DecompositionEffort;
use crate::decomposition::part::{Part, Proof, Use};
use crate::decomposition::whole::Decomposition;
use crate::limits::{Limits, StopFlag};

/// Checks all that a decomposition of a game claims.
pub fn certify(
    circuit: &Circuit,
    found: &Decomposition,
    effort: &DecompositionEffort,
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
    fn check(&mut self, claim: DecompositionClaim) -> CertificateVerdict {
        let verdict = self.ask(claim);
        if verdict == CertificateVerdict::Fails && self.is_open(claim) {
            // A counterexample to what was never said to be proved: as open as it was.
            return CertificateVerdict::Open;
        }
        verdict
    }

    /// Whether the decomposition itself says that it is not proved.
    fn is_open(&self, claim: DecompositionClaim) -> bool {
        let found = self.found;
        let composition = &found.composition;
        match claim {
            DecompositionClaim::Constant => found.constant_proof == Proof::Open,
            DecompositionClaim::Autonomous(group) => found.autonomous[group].proof == Proof::Open,
            DecompositionClaim::Independent(part) => found.parts[part].proof == Proof::Open,
            DecompositionClaim::Moves => composition.legality.contains(&Legality::Open),
            DecompositionClaim::Outcome => {
                let mut forms = composition.goals.iter().chain([&composition.termination]);
                forms.any(|form| *form == OutcomeForm::Open)
            }
            DecompositionClaim::Variables
            | DecompositionClaim::Phases
            | DecompositionClaim::UselessPart(_)
            | DecompositionClaim::UselessAutonomous(_) => false,
        }
    }

    fn ask(&mut self, claim: DecompositionClaim) -> CertificateVerdict {
        let found = self.found;
        match claim {
            DecompositionClaim::Variables => variables::are_inductive(
                self.circuit,
                found.premises.invariants.all(),
                self.stop,
                &mut self.account,
            ),
            DecompositionClaim::Phases => self.phases(),
            DecompositionClaim::Constant => self.next_of(&found.constant, &self.is_context.clone()),
            DecompositionClaim::Autonomous(group) => {
                let variables = &found.autonomous[group].variables;
                let common = [&variables[..], &found.constant].concat();
                self.next_of(variables, &self.set(&common))
            }
            DecompositionClaim::Independent(part) => self.independent(&found.parts[part]),
            DecompositionClaim::UselessPart(part) => {
                let Part {
                    variables, useful, ..
                } = &found.parts[part];
                self.useless(variables, *useful)
            }
            DecompositionClaim::UselessAutonomous(group) => {
                let group = &found.autonomous[group];
                self.useless(&group.variables, group.useful)
            }
            DecompositionClaim::Moves => {
                let again = self.composition();
                let is_open = again.legality.contains(&Legality::Open);
                verdict(again.legality == found.composition.legality, is_open)
            }
            DecompositionClaim::Outcome => {
                let Composition {
                    termination, goals, ..
                } = self.composition();
                let is_open = goals
                    .iter()
                    .chain([&termination])
                    .any(|form| *form == OutcomeForm::Open);
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
            self.found.premises.invariants.all(),
            agree,
            self.stop,
        )
    }

    /// Whether a phase, or one before, can go on after a move from a state in which it does not.
    fn phases(&mut self) -> CertificateVerdict {
        let found = self.found;
        let Some(phases) = &found.premises.phases else {
            return CertificateVerdict::Holds;
        };
        let mut steps = Worlds::step(self.circuit, found.premises.invariants.all(), self.stop);
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
    fn next_of(&mut self, variables: &[usize], agree: &[bool]) -> CertificateVerdict {
        let mut worlds = self.worlds(agree);
        worlds.require_moves();
        self.require_same_phase(&mut worlds);
        let fluents = self.fluents(variables).into_iter();
        let differences = fluents
            .map(|fluent| worlds.differs(self.circuit.fluents[fluent].next))
            .collect();
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
    fn independent(&mut self, part: &Part) -> CertificateVerdict {
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
            // What is moved elsewhere is no offer of this part: whether it is legal is for other parts to say.
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
        let own = self.fluents(&part.variables).into_iter();
        let different: Vec<Literal> = own
            .map(|fluent| worlds.differs(circuit.fluents[fluent].next))
            .collect();
        // Different next after moves of the same classes, or another offer whatever is moved: one question for both.
        let alike = worlds.none_of(unlike);
        let mut counterexamples: Vec<Literal> = different
            .into_iter()
            .map(|differs| worlds.both(differs, alike))
            .collect();
        counterexamples.extend(offered);
        worlds.require_one(counterexamples);
        worlds.verdict(&mut self.account)
    }

    /// Whether nothing depends on some variables of which it is not said.
    fn useless(&mut self, variables: &[usize], useful: Use) -> CertificateVerdict {
        let agree: Vec<bool> = self.set(variables).into_iter().map(|own| !own).collect();
        let circuit = self.circuit;
        let invariants = self.found.premises.invariants.of_variables();
        let mut worlds = Worlds::two(circuit, invariants, &agree, self.stop);
        // End, goal values and phase are functions of the state: nothing is required of moves.
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
        let mut prover = IndependenceProver {
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

fn verdict(is_same: bool, is_open: bool) -> CertificateVerdict {
    match (is_open, is_same) {
        (true, _) => CertificateVerdict::Open,
        (false, true) => CertificateVerdict::Holds,
        (false, false) => CertificateVerdict::Fails,
    }
}
