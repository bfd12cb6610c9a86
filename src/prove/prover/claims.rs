//! Whether plays reach targets: states that were looked at, random plays, invariants.

use crate::gdl::{ReasonerError, Vocabulary};
use crate::prove::check::{self, CheckContext, Invariant};
use crate::prove::cover;
use crate::prove::finding::{Finding, Method, Play, Verdict};
use crate::prove::graph::Graph;
use crate::prove::guided::Guide;
use crate::prove::invariant::Cube;
use crate::prove::property::{Property, PropertyKind, PropertyQuestion};
use crate::prove::prover::prepare::Prover;
use crate::prove::reachability::Reach;
use crate::prove::reduction::WatchedTarget;
use crate::prove::target::Target;
use crate::term::{Prefix, Store};

/// The part of what a property may cost that a question takes which is expected to be simple.
const AT_ONCE: u64 = 100;

/// What is found out about a target.
pub(super) enum TargetOutcome {
    Reached(Play, Method),
    Unreachable(Method),
    Open(u64),
}

/// The role that a claim is about, by its number among those of a property that has one for each role.
fn role_of(question: &PropertyQuestion, number: usize) -> Option<usize> {
    match question {
        PropertyQuestion::Named(property) if property.kind == PropertyKind::WeaklyWinnable => {
            Some(property.role.unwrap_or(number))
        }
        PropertyQuestion::Named(_) | PropertyQuestion::Formula(_) => None,
    }
}

/// The states of a graph on the way to a target, if one of them has it.
fn path_to(graph: &Graph, target: &Target, places: &[[usize; 2]]) -> Option<Vec<usize>> {
    match target {
        Target::State(_) | Target::Move(_) => {
            graph.find(places[0][0]).map(|state| graph.path(state))
        }
        Target::Step(_) => graph.find_step(places).map(|[from, to]| {
            let mut path = graph.path(from);
            path.push(to);
            path
        }),
    }
}

impl Prover {
    /// Whether all claims of a property are true; the first that is refuted decides.
    pub(super) fn decide_claims(
        &mut self,
        question: &PropertyQuestion,
        claims: &[(usize, bool)],
        vocabulary: &mut Vocabulary,
    ) -> Result<Finding, ReasonerError> {
        let mut finding = Finding {
            verdict: Verdict::Proved,
            method: Some(Method::Induction),
            ..Finding::open(None)
        };
        for (number, &(target, is_reached)) in claims.iter().enumerate() {
            let outcome = match claims.len() {
                1 => self.outcome_or_given(question, target, vocabulary)?,
                _ => self.outcome_of_role(question, (number, target), vocabulary)?,
            };
            let shown = self.shown(outcome, is_reached, vocabulary.store());
            finding = match (finding.verdict, shown.verdict) {
                (_, Verdict::Refuted) => {
                    return Ok(Finding {
                        role: role_of(question, number).filter(|_| shown.witness.is_none()),
                        ..shown
                    });
                }
                // A claim that is open may still be refuted by a later one, and stays open otherwise.
                (Verdict::Open | Verdict::Refuted, _) => finding,
                (Verdict::Proved, _) if claims.len() == 1 => shown,
                // A play for one of several roles says nothing of the others.
                (Verdict::Proved, _) => Finding {
                    bound: shown.bound.filter(|_| shown.verdict == Verdict::Open),
                    witness: None,
                    ..shown
                },
            };
        }
        Ok(finding)
    }

    /// The outcome of the only target of a property. Where the methods leave it open, plays of others may show it.
    fn outcome_or_given(
        &mut self,
        question: &PropertyQuestion,
        target: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<TargetOutcome, ReasonerError> {
        let outcome = self.outcome(target, vocabulary)?;
        if matches!(outcome, TargetOutcome::Open(_))
            && let Some(play) = self.given_play(question, vocabulary)?
        {
            return Ok(TargetOutcome::Reached(play, Method::Search));
        }
        Ok(outcome)
    }

    /// The outcome of one of several targets, each of which is about a role. A play is confirmed here: the finding
    /// keeps no witness for several roles.
    fn outcome_of_role(
        &mut self,
        question: &PropertyQuestion,
        (number, target): (usize, usize),
        vocabulary: &mut Vocabulary,
    ) -> Result<TargetOutcome, ReasonerError> {
        let outcome = self.outcome(target, vocabulary)?;
        if let (PropertyQuestion::Named(property), TargetOutcome::Reached(play, _)) =
            (question, &outcome)
        {
            let of_role = PropertyQuestion::Named(Property {
                role: Some(number),
                ..*property
            });
            if !self.confirms_play(&of_role, play, vocabulary)? {
                return Ok(TargetOutcome::Open(0));
            }
        }
        Ok(outcome)
    }

    /// A play that others have found and that shows what is asked, by the rules.
    fn given_play(
        &mut self,
        question: &PropertyQuestion,
        vocabulary: &mut Vocabulary,
    ) -> Result<Option<Play>, ReasonerError> {
        for play in self.given.clone().unwrap_or_default() {
            if self.confirms_play(question, &play, vocabulary)? {
                return Ok(Some(play));
            }
        }
        Ok(None)
    }

    /// What an outcome says of the claim that a target is reached, or that it is not.
    pub(super) fn shown(&self, outcome: TargetOutcome, is_reached: bool, store: &Store) -> Finding {
        let verdict = |is_so: bool| {
            if is_so {
                Verdict::Proved
            } else {
                Verdict::Refuted
            }
        };
        match outcome {
            TargetOutcome::Open(depth) => Finding::open(Some(depth)),
            TargetOutcome::Reached(play, method) => Finding {
                verdict: verdict(is_reached),
                method: Some(method),
                bound: Some(play.moves.len() as u64),
                witness: Some(play),
                confirmed: false,
                ..Finding::open(None)
            },
            TargetOutcome::Unreachable(method) => Finding {
                verdict: verdict(!is_reached),
                method: Some(method),
                reasons: self.reasons(method, store),
                ..Finding::open(None)
            },
        }
    }

    /// What plays and states tell of a target.
    pub(super) fn outcome_at_once(
        &mut self,
        number: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<Option<TargetOutcome>, ReasonerError> {
        let WatchedTarget { target, places } = &self.watches[number];
        if cover::is_never(target) {
            return Ok(Some(TargetOutcome::Unreachable(Method::Induction)));
        }
        if let Some(graph) = &self.graph {
            if let Some(path) = path_to(graph, target, places) {
                let play = graph.play(&path, &mut self.evaluator, vocabulary)?;
                return Ok(Some(TargetOutcome::Reached(play, Method::Exhaustion)));
            }
            if graph.is_complete {
                return Ok(Some(TargetOutcome::Unreachable(Method::Exhaustion)));
            }
        }
        let played = self.seen.as_ref();
        let played = played.and_then(|seen| seen.reached[number].clone());
        Ok(played.map(|play| TargetOutcome::Reached(play, Method::Plays)))
    }

    /// Whether a play reaches a target.
    pub(super) fn outcome(
        &mut self,
        number: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<TargetOutcome, ReasonerError> {
        if let Some(outcome) = self.outcome_at_once(number, vocabulary)? {
            return Ok(outcome);
        }
        let depth = self.graph.as_ref().map_or(0, Graph::depth);
        let target = self.watches[number].target.clone();
        // What is known of all states often excludes it at once.
        let is_open = |outcome: &TargetOutcome| matches!(outcome, TargetOutcome::Open(_));
        if self.known.is_some()
            && let Some(outcome) = self.reach(&target, depth, self.effort.assignments / AT_ONCE)
            && !is_open(&outcome)
        {
            return Ok(outcome);
        }
        // What costs most comes last: plays that are led, then the solver.
        if let Some(play) = self.led(&target) {
            return Ok(TargetOutcome::Reached(play, Method::Plays));
        }
        // Equations make questions longer and cubes narrower, so that what is found without them comes first.
        if !self.is_counted() {
            if let Some(outcome) = self.reach(&target, depth, self.effort.assignments / 2)
                && !is_open(&outcome)
            {
                return Ok(outcome);
            }
            self.count();
        }
        Ok(match self.reach(&target, depth, self.effort.assignments) {
            Some(outcome) => outcome,
            None => TargetOutcome::Open(depth),
        })
    }

    /// A play that was led to a target.
    pub(super) fn led(&mut self, target: &Target) -> Option<Play> {
        let mut guide = Guide {
            circuit: &self.circuit,
            probe: &mut self.probe,
            operations: self.effort.operations,
            length: self.effort.length,
            stop: &self.limits.stop,
        };
        guide.to(target)
    }

    /// Asks for what plays reach by invariants.
    pub(super) fn reach(
        &mut self,
        target: &Target,
        depth: u64,
        steps: u64,
    ) -> Option<TargetOutcome> {
        self.know();
        let known = self.known.as_mut()?;
        let before = known.reachability.excluded.len();
        match known.reachability.reach(target, steps) {
            Reach::Never => {
                // No new clauses: the proved variables, or the target itself as an invariant, were enough.
                let method = if known.reachability.excluded.len() == before {
                    Method::Induction
                } else {
                    Method::Reachability
                };
                // What the checker does not confirm is open, whatever the frames say.
                let is_confirmed = self.confirms(target);
                is_confirmed.then_some(TargetOutcome::Unreachable(method))
            }
            Reach::Play(moves) => {
                let play = self.play_of(&moves);
                Some(TargetOutcome::Reached(play, Method::Reachability))
            }
            Reach::Open(frame) => Some(TargetOutcome::Open(depth.max(frame))),
        }
    }

    /// The play of joint moves that are given by places.
    pub(super) fn play_of(&self, moves: &[Vec<usize>]) -> Play {
        let moves = moves.iter().map(|joint| {
            let roles = joint.iter().zip(&self.circuit.moves);
            roles.map(|(&mv, own)| own[mv].term).collect()
        });
        Play {
            moves: moves.collect(),
            repeats: None,
        }
    }

    /// Has the invariant that excludes a target confirmed.
    fn confirms(&mut self, target: &Target) -> bool {
        self.with_invariant(|context, invariant| check::excludes(context, invariant, target))
            .unwrap_or(false)
    }

    /// What is asked of the invariant that holds of all states, once it is confirmed to be one.
    pub(super) fn with_invariant<T>(
        &mut self,
        ask: impl FnOnce(CheckContext<'_>, Invariant<'_>) -> T,
    ) -> Option<T> {
        if !self.confirms_requirements() {
            return None;
        }
        let known = self.known.as_mut()?;
        let context = self.effort.check(&self.circuit, &self.limits.stop);
        let invariant = Invariant {
            requirements: &known.requirements,
            cubes: &known.reachability.excluded,
            never: &known.reachability.never,
        };
        // Both lists only grow, so that their length tells whether the invariant is the one that was checked last.
        let cubes = known.reachability.excluded.len() + known.reachability.never.len();
        let is_inductive = match known.confirmed {
            Some((number, is_inductive)) if number == cubes => is_inductive,
            Some(_) | None => check::stays_inductive(context, invariant),
        };
        // What was not confirmed because somebody stopped it may be tried again.
        if is_inductive || self.limits.stop.raised().is_none() {
            known.confirmed = Some((cubes, is_inductive));
        }
        is_inductive.then(|| ask(context, invariant))
    }

    /// Has what is required of all states confirmed, once.
    pub(super) fn confirms_requirements(&mut self) -> bool {
        let Some(known) = &mut self.known else {
            return false;
        };
        if let Some(confirmed) = known.is_confirmed {
            return confirmed;
        }
        let context = self.effort.check(&self.circuit, &self.limits.stop);
        let is_confirmed = check::is_inductive(context, &known.requirements);
        let is_kept = is_confirmed || self.limits.stop.raised().is_none();
        known.is_confirmed = is_kept.then_some(is_confirmed);
        is_confirmed
    }

    /// The clauses of an invariant in the words of the rules.
    pub(super) fn reasons(&self, method: Method, store: &Store) -> Vec<String> {
        let mut reasons = self.equation_texts(store);
        if let (Some(known), Method::Reachability) = (&self.known, method) {
            let cubes = known.reachability.excluded.iter();
            reasons.extend(cubes.map(|cube| self.cube_text(cube, store)));
        }
        reasons
    }

    pub(super) fn cube_text(&self, cube: &Cube, store: &Store) -> String {
        let literals = cube.iter().map(|&(place, holds)| {
            let fluent = Prefix::new(store, self.circuit.fluents[place].term);
            if holds {
                format!("(true {fluent})")
            } else {
                format!("(not (true {fluent}))")
            }
        });
        let literals: Vec<String> = literals.collect();
        match literals.len() {
            1 => format!("(not {})", literals[0]),
            _ => format!("(not (and {}))", literals.join(" ")),
        }
    }
}
