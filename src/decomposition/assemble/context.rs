//! What runs by itself, as the solver leaves it: proved to, or part of what a counterexample shows it to depend on.

use crate::decomposition::assemble::assembly::Assembly;
use crate::decomposition::assemble::draft::Draft;
use crate::decomposition::assemble::unmoved::AutonomousGroups;
use crate::decomposition::certificate::{
    AutonomyOutcome, Dependence, IndependenceProver, ProofOutcome,
};
use crate::decomposition::partition::join_by_moves;
use crate::limits::StopReason;

/// What holds in a smaller share of the states of plays is seldom seen.
const SELDOM: f64 = 1.0 / 64.0;

/// Variables that do not run by themselves as they were thought to.
#[derive(Default)]
struct RefutedContext {
    /// Those that depend on parts or moves.
    evicted: Vec<Dependence>,
    /// Those that depend on other groups at most.
    merged: Vec<usize>,
    /// Claims that the solver gave up on.
    undecided: usize,
}

impl RefutedContext {
    fn is_empty(&self) -> bool {
        self.evicted.is_empty() && self.merged.is_empty()
    }

    /// What the solver gives up on belongs to what it is computed from.
    fn give_up(&mut self, variables: &[usize]) {
        self.undecided += 1;
        self.evict(variables.to_vec());
    }

    fn evict(&mut self, dependent: Vec<usize>) {
        let parts = Vec::new();
        self.evicted.push(Dependence { dependent, parts });
    }
}

impl Assembly<'_> {
    /// Proves that what runs by itself does; what a counterexample shows to depend on a part is of that part,
    /// until there is none. Where the solver gives up it is of those that it is computed from.
    pub(super) fn certify_context(
        &mut self,
        draft: &mut Draft,
    ) -> Result<AutonomousGroups, StopReason> {
        if draft.partition.parts().len() == 1 {
            // With a single part nothing is put together that is apart, and each of them would take a question.
            let seldom = self.seldom_seen(draft);
            draft.evict(&self.model, &seldom, &[]);
        }
        loop {
            let groups = self.autonomous_groups(draft);
            let mut refuted = self.refuted_context(draft, &groups);
            self.undecided += refuted.undecided;
            self.model.stop.poll()?;
            if refuted.is_empty() {
                return Ok(groups);
            }
            let merged = std::mem::take(&mut refuted.merged);
            // What is legal may depend on other groups than gates tell: a step that every move counts, if one role has to wait.
            if !self.merge(draft, &merged) && refuted.is_empty() {
                refuted.evict(merged);
            }
            let parts = draft.partition.parts();
            for Dependence {
                dependent,
                parts: needed,
            } in refuted.evicted
            {
                // A part is named by its first variable: numbers of parts change as soon as two are joined.
                let needed: Vec<usize> = needed.iter().map(|&part| parts[part][0]).collect();
                draft.evict(&self.model, &dependent, &needed);
            }
            draft.partition.join_dependent(&draft.found.by_like_move);
            join_by_moves(&self.model, &mut draft.partition)?;
        }
    }

    /// Has variables belong to the groups of those that they are computed from; whether that changes anything.
    fn merge(&self, draft: &mut Draft, variables: &[usize]) -> bool {
        let mut changes = false;
        for &variable in variables {
            for source in self.model.sources_of(variable) {
                if draft.autonomous[source] {
                    changes |= !draft.found.by_like_move[source].put(variable);
                }
            }
        }
        changes
    }

    /// Variables that are thought to run by themselves, though they are computed from others that do not: few samples can
    /// show that, as they hold in few states of plays.
    fn seldom_seen(&self, draft: &Draft) -> Vec<usize> {
        let model = &self.model;
        let mut reads = vec![false; model.variables.len()];
        let readers = model.readers.iter().zip(&draft.autonomous);
        for (readers, _) in readers.filter(|(_, is_autonomous)| !**is_autonomous) {
            readers.ones().for_each(|reader| reads[reader] = true);
        }
        let variables = 0..model.variables.len();
        let open = variables.filter(|&variable| draft.autonomous[variable] && reads[variable]);
        let seldom = open.filter(|&variable| {
            let fluents = model.variables[variable].fluents.iter();
            fluents.map(|&place| model.plays.share(place)).sum::<f64>() < SELDOM
        });
        seldom.collect()
    }

    /// What is wrong with variables that are thought to run by themselves.
    fn refuted_context(&mut self, draft: &Draft, groups: &AutonomousGroups) -> RefutedContext {
        let constant = &groups.constant;
        let is_context = self.context(draft);
        let parts = draft.partition.parts();
        let mut prover = self.prover(draft.phases.as_ref(), &is_context);
        let mut refuted = refuted_groups(&mut prover, &parts, groups);
        // Constants may read what runs by itself; whether that does has to be settled first.
        if refuted.is_empty() && !constant.is_empty() {
            match prover.constancy(constant) {
                ProofOutcome::Proved => {}
                ProofOutcome::Refuted(variables) => refuted.evict(variables),
                ProofOutcome::Open => refuted.give_up(constant),
            }
        }
        self.account = prover.account;
        refuted
    }
}

/// What is wrong with groups of variables.
///
/// First all of them are asked about together. What depends on parts or moves is refuted by that at once; if nothing
/// does, groups may depend on each other, but no more.
fn refuted_groups(
    prover: &mut IndependenceProver<'_>,
    parts: &[Vec<usize>],
    AutonomousGroups { constant, moving }: &AutonomousGroups,
) -> RefutedContext {
    let mut refuted = RefutedContext::default();
    let all = moving.concat();
    if all.is_empty() {
        return refuted;
    }
    match prover.autonomy(parts, &all, constant) {
        AutonomyOutcome::Refuted(dependences) => refuted.evicted = dependences,
        AutonomyOutcome::Proved if moving.len() == 1 => {}
        AutonomyOutcome::Proved => {
            for variables in moving {
                match prover.autonomy(parts, variables, constant) {
                    AutonomyOutcome::Proved => {}
                    AutonomyOutcome::Refuted(dependences) => {
                        let dependent = dependences.into_iter().flat_map(|one| one.dependent);
                        refuted.merged.extend(dependent);
                    }
                    AutonomyOutcome::Open => {
                        refuted.undecided += 1;
                        refuted.merged.extend(variables);
                    }
                }
            }
        }
        AutonomyOutcome::Open => {
            for variables in moving {
                match prover.autonomy(parts, variables, constant) {
                    AutonomyOutcome::Proved => {}
                    AutonomyOutcome::Refuted(dependences) => {
                        refuted.evicted.extend(dependences);
                    }
                    AutonomyOutcome::Open => refuted.give_up(variables),
                }
            }
        }
    }
    refuted
}
