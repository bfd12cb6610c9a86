//! Whether all plays end, or none comes to a state twice.

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::Account;
use crate::gdl::{ReasonerError, Vocabulary};
use crate::prove::check;
use crate::prove::clock;
use crate::prove::finding::{Finding, Method, Play, Verdict};
use crate::prove::graph::Graph;
use crate::prove::property::PropertyKind;
use crate::prove::prover::prepare::Prover;
use crate::prove::ranking;

fn all_end(bound: Option<u64>, method: Method) -> Finding {
    Finding {
        verdict: Verdict::Proved,
        method: Some(method),
        bound,
        ..Finding::open(None)
    }
}

impl Prover {
    /// Whether all plays end, or none comes to a state twice: where states are finitely many, that is the same.
    pub(super) fn decide_end(
        &mut self,
        kind: PropertyKind,
        vocabulary: &mut Vocabulary,
    ) -> Result<Finding, ReasonerError> {
        let finding = match &self.termination {
            Some(finding) => finding.clone(),
            None => {
                let finding = self.termination(vocabulary)?;
                // What ran out of time may be tried again.
                let is_kept = self.limits.stop.raised().is_none();
                self.termination = is_kept.then(|| finding.clone());
                finding
            }
        };
        Ok(match (kind, finding.verdict) {
            (PropertyKind::Acyclic, Verdict::Proved) => Finding {
                bound: None,
                ..finding
            },
            _ => finding,
        })
    }

    fn termination(&mut self, vocabulary: &mut Vocabulary) -> Result<Finding, ReasonerError> {
        if let Some(finding) = self.end_at_once(vocabulary)? {
            return Ok(finding);
        }
        self.know();
        Ok(match self.ranking() {
            Some(ranking) => all_end(ranking.bound, Method::Ranking),
            None => Finding::open(self.graph.as_ref().map(Graph::depth)),
        })
    }

    /// What states, plays and counters tell of the end of plays.
    pub(super) fn end_at_once(
        &mut self,
        vocabulary: &mut Vocabulary,
    ) -> Result<Option<Finding>, ReasonerError> {
        let refuted = |play: Play, method| Finding {
            verdict: Verdict::Refuted,
            method: Some(method),
            bound: Some(play.moves.len() as u64),
            witness: Some(play),
            ..Finding::open(None)
        };
        if let Some(graph) = &self.graph {
            // A cycle refutes even where not all states were looked at; the longest play is known only if all were.
            if let Some((path, first)) = graph.cycle() {
                let play = graph.play(&path, &mut self.evaluator, vocabulary)?;
                let repeats = Some(first);
                let play = Play { repeats, ..play };
                return Ok(Some(refuted(play, Method::Exhaustion)));
            }
            if let Some(longest) = graph.longest().filter(|_| graph.is_complete) {
                return Ok(Some(all_end(Some(longest), Method::Exhaustion)));
            }
        }
        if let Some(play) = self.seen.as_ref().and_then(|seen| seen.cycle.clone()) {
            return Ok(Some(refuted(play, Method::Plays)));
        }
        let moves = self.clock();
        Ok(moves.map(|moves| all_end(Some(moves), Method::Ranking)))
    }

    /// Moves after which a counter has run out in every play, confirmed; once.
    fn clock(&mut self) -> Option<u64> {
        if let Some(known) = self.clock {
            return known;
        }
        let moves = self.counted_down();
        let is_kept = self.limits.stop.raised().is_none();
        self.clock = is_kept.then_some(moves);
        moves
    }

    fn counted_down(&self) -> Option<u64> {
        let known = clock::runs_out(&self.circuit, &self.limits.stop)?;
        let context = self.effort.check(&self.circuit, &self.limits.stop);
        check::runs_out(context, &known).then(|| known.len() as u64 - 1)
    }

    /// Measures that grow, confirmed.
    pub(super) fn ranking(&mut self) -> Option<ranking::Ranking> {
        let known = self.known.as_mut()?;
        let excluded = known.reachability.excluded.clone();
        let ground = ranking::RankingContext {
            circuit: &self.circuit,
            variables: &known.variables,
            requirements: &known.requirements,
            excluded: &excluded,
            plays: &known.plays,
            stop: &self.limits.stop,
        };
        // Beside that, questions about changes of values that plays have not shown.
        let mut account = Account {
            steps: 2 * self.effort.assignments,
            questions: 0,
        };
        // All questions about states share what one property may cost: each is granted what those before have left.
        let (reachability, mut left) = (&mut known.reachability, self.effort.assignments);
        let avoid = |state: &FixedBitSet| {
            let found = reachability.avoid(state, left);
            left = reachability.left();
            found
        };
        let ranking = ranking::find(&ground, &mut account, avoid)?;
        let grows =
            self.with_invariant(|context, invariant| check::grows(context, invariant, &ranking));
        (grows == Some(true)).then_some(ranking)
    }
}
