//! The parts as the solver leaves them: proved independent, joined by counterexamples or where it gives up.

use rustc_hash::FxHashSet;

use crate::decomposition::assemble::assembly::Assembly;
use crate::decomposition::assemble::draft::Draft;
use crate::decomposition::certificate::{IndependenceOutcome, IndependenceProver};
use crate::decomposition::composition::{Composition, unjoined};
use crate::decomposition::local::LocalMoves;
use crate::decomposition::part::{Autonomous, Part, Proof};
use crate::decomposition::partition::{Cause, join_by_moves};
use crate::decomposition::phases::Phases;
use crate::decomposition::whole::{Decomposition, Premises};
use crate::limits::StopReason;

/// Parts, by their variables, with the proofs that they are independent.
struct ProvedParts {
    parts: Vec<Vec<usize>>,
    proofs: Vec<Proof>,
}

impl Assembly<'_> {
    /// Proves a draft, joining what is refuted, and says what depends on each part.
    pub(super) fn certify(&mut self, mut draft: Draft) -> Result<Decomposition, StopReason> {
        // The context first: it is common to both states of the questions about parts.
        let context = self.certify_context(&mut draft)?;
        let proved = self.certify_parts(&mut draft)?;
        let is_context = self.context(&draft);
        let mut prover = self.prover(draft.phases.as_ref(), &is_context);
        let autonomous = with_uses(&mut prover, context.moving);
        let mut parts = self.parts(&mut prover, proved);
        let composition = Composition::of(&mut prover, &parts);
        self.account = prover.account;
        if let Some(phases) = &draft.phases {
            for part in &mut parts {
                part.phase = phase_of(phases, part);
            }
        }
        Ok(Decomposition {
            variables: self.model.variables.clone(),
            parts,
            autonomous,
            constant: context.constant,
            constant_proof: Proof::Proved,
            phases: draft.phases.as_ref().map_or(1, Phases::len),
            composition,
            links: draft.partition.links.clone(),
            questions: self.account.questions,
            undecided: self.undecided,
            premises: Premises {
                invariants: self.invariants.clone(),
                phases: draft.phases,
            },
        })
    }

    /// The parts with their moves and what depends on them; the phase is not known yet.
    fn parts(&self, prover: &mut IndependenceProver<'_>, proved: ProvedParts) -> Vec<Part> {
        let moves = self.local_moves(&proved.parts).into_iter();
        let variables = proved.parts.into_iter().zip(proved.proofs);
        let parts = variables
            .zip(moves)
            .map(|((variables, proof), moves)| Part {
                useful: prover.uses(&variables),
                moves,
                phase: None,
                proof,
                variables,
            });
        parts.collect()
    }

    /// Proves the parts independent; those of a counterexample are joined, until there is none.
    fn certify_parts(&mut self, draft: &mut Draft) -> Result<ProvedParts, StopReason> {
        loop {
            self.join_unjoined(draft);
            let parts = draft.partition.parts();
            if parts.len() < 2 {
                let proofs = parts.iter().map(|_| Proof::Nothing).collect();
                return Ok(ProvedParts { parts, proofs });
            }
            let is_context = self.context(draft);
            let mut prover = self.prover(draft.phases.as_ref(), &is_context);
            let moves = self.local_moves(&parts);
            // All are asked before any two are joined, since a counterexample names parts by their numbers of this turn.
            let outcomes: Vec<IndependenceOutcome> = (moves.iter().enumerate())
                .map(|(part, own)| prover.independence(&parts, part, own))
                .collect();
            self.account = prover.account;
            self.model.stop.poll()?;
            let mut is_stable = true;
            let mut undecided: Option<usize> = None;
            for (part, outcome) in outcomes.iter().enumerate() {
                let others = match outcome {
                    IndependenceOutcome::Proved => continue,
                    IndependenceOutcome::Refuted(counterexample) => {
                        // Moves may have been taken for alike that are not in these states, which no sample has.
                        let mut states = counterexample.states.iter();
                        if states.any(|state| self.model.tell_apart(&parts[part], state)) {
                            is_stable = false;
                            continue;
                        }
                        counterexample.parts.clone()
                    }
                    IndependenceOutcome::Open => {
                        self.undecided += 1;
                        // All of them at once: each turn puts the questions anew, of which little is left to pay.
                        let mut others = self.read_by(&parts, part);
                        others.extend(undecided.replace(part));
                        others
                    }
                };
                for other in others {
                    let (one, other) = (parts[part][0], parts[other][0]);
                    is_stable &= !draft.partition.join(one, other, Cause::Refuted);
                }
            }
            // A counterexample that joins nothing new and tells no moves apart leaves its part open.
            if is_stable {
                let proofs = outcomes.iter().map(|outcome| match outcome {
                    IndependenceOutcome::Proved => Proof::Proved,
                    IndependenceOutcome::Refuted(_) | IndependenceOutcome::Open => Proof::Open,
                });
                let proofs = proofs.collect();
                return Ok(ProvedParts { parts, proofs });
            }
            join_by_moves(&self.model, &mut draft.partition)?;
        }
    }

    /// The parts, by number, from which the next values of one are computed; all others if those are none, and only what
    /// is legal may depend on others.
    fn read_by(&self, parts: &[Vec<usize>], part: usize) -> Vec<usize> {
        let own = parts[part].iter();
        let read: FxHashSet<usize> = own
            .flat_map(|&variable| self.model.sources_of(variable))
            .collect();
        let others = (0..parts.len()).filter(|&other| other != part);
        let reads = |&other: &usize| parts[other].iter().any(|variable| read.contains(variable));
        let sources: Vec<usize> = others.clone().filter(reads).collect();
        if sources.is_empty() {
            others.collect()
        } else {
            sources
        }
    }

    /// Puts parts together of which not all that is legal can be chosen together, until there are none.
    fn join_unjoined(&mut self, draft: &mut Draft) {
        let is_context = self.context(draft);
        loop {
            let parts = draft.partition.parts();
            let moves = self.local_moves(&parts);
            let mut prover = self.prover(draft.phases.as_ref(), &is_context);
            let mut roles = 0..self.model.roles();
            let found = roles.find_map(|role| {
                let moves: Vec<&LocalMoves> = moves.iter().map(|by_role| &by_role[role]).collect();
                Some((role, unjoined(&mut prover, &moves, role)?))
            });
            self.account = prover.account;
            let Some((role, found)) = found else {
                return;
            };
            // Moves may be taken for alike that are not in states which no sample has.
            let all: Vec<usize> = parts.iter().flatten().copied().collect();
            if self.model.tell_apart(&all, &found.state) {
                continue;
            }
            for pair in found.parts.windows(2) {
                let (one, other) = (parts[pair[0]][0], parts[pair[1]][0]);
                draft.partition.join(one, other, Cause::Moves(role));
            }
        }
    }
}

/// What is proved to run by itself, with what depends on it.
fn with_uses(prover: &mut IndependenceProver<'_>, groups: Vec<Vec<usize>>) -> Vec<Autonomous> {
    let groups = groups.into_iter();
    let autonomous = groups.map(|variables| Autonomous {
        useful: prover.uses(&variables),
        variables,
        proof: Proof::Proved,
    });
    autonomous.collect()
}

/// The phase whose moves are those of a part.
fn phase_of(phases: &Phases, part: &Part) -> Option<usize> {
    (0..phases.len()).find(|&phase| {
        part.moves.iter().enumerate().any(|(role, own)| {
            let mut moves = own.classes.iter().flatten();
            moves.any(|mv| phases.moves[phase][role].contains(mv))
        })
    })
}
