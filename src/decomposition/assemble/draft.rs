//! The parts as samples show them, before anything of them is proved.

use rustc_hash::FxHashSet;

use crate::decomposition::assemble::assembly::Assembly;
use crate::decomposition::certificate::ProofOutcome;
use crate::decomposition::concepts::{self, Unseen, Witness};
use crate::decomposition::dependencies::{self, Dependencies, autonomous};
use crate::decomposition::effort::Prospect;
use crate::decomposition::model::Model;
use crate::decomposition::partition::{Cause, Partition, join_by_legality, join_by_moves};
use crate::decomposition::phases::{self, Phases};
use crate::limits::StopReason;

/// Parts of which the solver is asked where they matter.
const MAX_UNSEEN: usize = 50;

/// The parts under some phases.
pub(super) struct Draft {
    pub(super) phases: Option<Phases>,
    pub(super) found: Dependencies,
    /// By variable, whether it is thought to run by itself. Those are no members of the partition.
    pub(super) autonomous: Vec<bool>,
    pub(super) partition: Partition,
}

impl Draft {
    /// Has variables that were thought to run by themselves belong to the parts of others: those named, or if
    /// there are none, those from which their next values are computed.
    ///
    /// Samples that never show a change say nothing of what it depends on; the gates bound that.
    pub(super) fn evict(&mut self, model: &Model, variables: &[usize], others: &[usize]) {
        // All are admitted first: variables that are evicted together may read each other, and only members are joined.
        for &variable in variables {
            self.autonomous[variable] = false;
            self.partition.admit(variable);
        }
        for &variable in variables {
            let others: Vec<usize> = match others {
                [] => model.sources_of(variable).collect(),
                _ => others.to_vec(),
            };
            for other in others {
                self.partition.join(variable, other, Cause::Refuted);
            }
        }
    }
}

impl Assembly<'_> {
    /// The finest parts that samples of states of the same phase allow.
    pub(super) fn draft(&mut self, phases: Option<Phases>) -> Result<Draft, StopReason> {
        let found = dependencies::sample(&mut self.model, phases.as_ref())?;
        let autonomous = autonomous(&self.model, &found);
        let partition = Partition::new(autonomous.iter().map(|is| !is).collect());
        let mut draft = Draft {
            phases,
            found,
            autonomous,
            partition,
        };
        let changes: Vec<usize> = (0..self.model.variables.len())
            .filter(|&variable| draft.autonomous[variable] && self.changes_unseen(variable))
            .collect();
        draft.evict(&self.model, &changes, &[]);
        let partition = &mut draft.partition;
        // The dependency graph of Hufschmitt et al. 2016, section 3.2, by what is seen to change instead of literals in
        // clauses; moves that are alike are its meta-actions (Definition 9).
        partition.join_dependent(&draft.found.by_like_move);
        join_by_moves(&self.model, partition)?;
        join_by_legality(&mut self.model, partition, draft.phases.as_ref())?;
        Ok(draft)
    }

    /// Whether a variable is known to change, but not from samples.
    fn changes_unseen(&self, variable: usize) -> bool {
        let mut fluents = self.model.variables[variable].fluents.iter();
        fluents.any(|&place| self.gained.contains(&place) || self.model.plays.changes(place))
            && self.model.never_changes(variable)
    }

    /// The phases that plays show, if they never come back.
    pub(super) fn phases(&mut self, draft: &Draft) -> Result<Option<Phases>, StopReason> {
        // Parts as they are without the influence of one phase on the next.
        let mut partition = Partition::new(vec![true; self.model.variables.len()]);
        partition.join_dependent(&draft.found.by_same_move);
        join_by_moves(&self.model, &mut partition)?;
        let parts = partition.parts();
        let Some(phases) = phases::conjecture(&mut self.model, &parts) else {
            return Ok(None);
        };
        let mut prover = self.prover(None, &[]);
        let outcome = prover.phases_are_latches(&phases);
        self.account = prover.account;
        Ok((outcome == ProofOutcome::Proved).then_some(phases))
    }

    /// What the draft promises to whoever has a use for parts of some kind only.
    pub(super) fn prospect(&self, draft: &Draft) -> Prospect {
        let parts = draft.partition.parts();
        let moves = self.local_moves(&parts);
        let is_compound = (0..self.model.roles()).any(|role| {
            let mut seen = FxHashSet::default();
            let own = moves.iter().flat_map(|by_role| &by_role[role].classes);
            own.flatten().any(|mv| !seen.insert(mv))
        });
        Prospect {
            parts: parts.len(),
            phases: draft.phases.as_ref().map_or(1, Phases::len),
            is_compound,
        }
    }

    /// Joins parts that end and payoffs need together.
    pub(super) fn join_by_concepts(&mut self, draft: &mut Draft) {
        let parts = draft.partition.parts();
        if parts.len() < 2 {
            return;
        }
        let mut grouping = concepts::group(&mut self.model, &parts, draft.phases.as_ref(), &[]);
        let witnesses = self.witnesses(draft, &parts, &grouping.unseen);
        if !witnesses.is_empty() {
            let phases = draft.phases.as_ref();
            grouping = concepts::group(&mut self.model, &parts, phases, &witnesses);
        }
        for group in grouping.groups {
            for pair in group.windows(2) {
                let (one, other) = (parts[pair[0]][0], parts[pair[1]][0]);
                draft.partition.join(one, other, Cause::Concept);
            }
        }
    }

    /// States in which parts matter that never did in a sample, as far as the solver finds some.
    fn witnesses(&mut self, draft: &Draft, parts: &[Vec<usize>], unseen: &Unseen) -> Vec<Witness> {
        let is_context = self.context(draft);
        let mut prover = self.prover(draft.phases.as_ref(), &is_context);
        let witnesses = unseen.iter().take(MAX_UNSEEN).filter_map(|(part, pair)| {
            let states = prover.difference_made_by(&parts[*part], pair.as_ref())?;
            Some(Witness {
                part: *part,
                states,
            })
        });
        let witnesses = witnesses.collect();
        self.account = prover.account;
        witnesses
    }
}
