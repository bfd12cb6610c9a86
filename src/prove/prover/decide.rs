//! Which methods decide what: plays and states once, then what a property comes down to, then the rules.

use crate::gdl::{ReasonerError, Vocabulary};
use crate::prove::finding::{Finding, Method};
use crate::prove::graph::{Graph, GraphSize, LabelledSignals, Labeller};
use crate::prove::plays::{self, PlayTargets, Rounds};
use crate::prove::prover::prepare::Prover;
use crate::prove::reduction::{AskedProperty, Reduction};
use crate::prove::target::Target;

impl Prover {
    /// What there is to say about a property, by its number among those that were named at first.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped.
    pub fn decide(
        &mut self,
        number: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<Finding, ReasonerError> {
        self.limits.stop.poll().map_err(ReasonerError::Stopped)?;
        let AskedProperty {
            question,
            reduction,
        } = self.asked[number].clone();
        self.watch(vocabulary)?;
        let mut finding = match reduction {
            Reduction::Claims(ref claims) => self.decide_claims(&question, claims, vocabulary)?,
            Reduction::Strong(property) => self.decide_strong(property, vocabulary)?,
            Reduction::End(kind) => self.decide_end(kind, vocabulary)?,
            Reduction::Branching(ref formula) => self.decide_branching(formula),
            Reduction::Symmetry => self.decide_symmetry(),
            Reduction::Covers(ref numbers) => self.decide_covers(numbers.clone(), vocabulary)?,
        };
        let is_confirmed = match (&finding.witness, finding.method) {
            (Some(play), _) => Some(self.confirms_play(&question, play, vocabulary)?),
            (None, Some(Method::Exhaustion)) => {
                self.confirms_states((&question, &reduction), &finding, vocabulary)?
            }
            // What proves something is confirmed where it is found.
            (None, Some(_)) => Some(true),
            (None, None) => None,
        };
        if is_confirmed == Some(false) {
            finding = Finding::open(None);
        }
        finding.confirmed = is_confirmed == Some(true);
        Ok(finding)
    }

    /// What properties share, as far as this one asks for it: plays, states, invariants. [`Prover::decide`] does the same
    /// where it was not done; on its own it may take the time of all properties together.
    ///
    /// # Errors
    /// [`ReasonerError`] if it is stopped before there are invariants.
    pub fn prepare(
        &mut self,
        number: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<(), ReasonerError> {
        self.limits.stop.poll().map_err(ReasonerError::Stopped)?;
        self.watch(vocabulary)?;
        if self.known.is_none() && self.asks_for_invariants(number, vocabulary)? {
            self.know();
            self.confirms_requirements();
        }
        Ok(())
    }

    /// Whether plays and states leave a property open that invariants may decide.
    fn asks_for_invariants(
        &mut self,
        number: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<bool, ReasonerError> {
        let targets: Vec<usize> = match &self.asked[number].reduction {
            Reduction::Claims(claims) => claims.iter().map(|&(target, _)| target).collect(),
            Reduction::Strong(property) => {
                let roles = 0..self.wins.len();
                let own = roles.filter(|&role| property.is_of(role));
                own.map(|role| self.wins[role]).collect()
            }
            Reduction::End(_) => return Ok(self.end_at_once(vocabulary)?.is_none()),
            Reduction::Covers(numbers) => {
                let numbers = numbers.clone().unwrap_or_default();
                return Ok(self.leaves_open(numbers));
            }
            Reduction::Branching(_) | Reduction::Symmetry => return Ok(false),
        };
        for target in targets {
            if self.outcome_at_once(target, vocabulary)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Plays and states, once for all properties: they are watched for the targets of all of them together.
    fn watch(&mut self, vocabulary: &mut Vocabulary) -> Result<(), ReasonerError> {
        self.play();
        self.explore(vocabulary)
    }

    /// Random plays, once.
    fn play(&mut self) {
        if self.seen.is_some() {
            return;
        }
        let watches = self.watches.iter();
        let (targets, places): (Vec<Target>, Vec<Vec<[usize; 2]>>) = watches
            .map(|watch| (watch.target.clone(), watch.places.clone()))
            .unzip();
        let watched = PlayTargets {
            circuit: &self.watched,
            targets: &targets,
            places: &places,
            signals: self.signals,
            covers: &self.covers,
        };
        let moves: usize = self.circuit.moves.iter().map(Vec::len).sum();
        // Beside the gates: moves are drawn and kept, states are hashed lane by lane.
        let step = self.probe.operations() + 4 * moves + 16 * self.circuit.fluents.len();
        // No `clamp`: a length below the least number of moves is one that somebody asked for.
        let affordable = self.effort.operations / step.max(1);
        let most = affordable.max(20).min(self.effort.length);
        let rounds = (self.effort.operations / (step * most).max(1)).clamp(1, 16);
        let rounds = Rounds {
            number: rounds,
            most,
            stop: &self.limits.stop,
        };
        let seen = plays::play(&watched, &rounds, &mut self.probe, &mut self.random);
        self.seen = Some(seen);
    }

    /// States one by one, once.
    fn explore(&mut self, vocabulary: &mut Vocabulary) -> Result<(), ReasonerError> {
        if self.graph.is_some() {
            return Ok(());
        }
        let operations = self.probe.operations() + 16 * self.circuit.fluents.len();
        // Lanes are states here: 256 of them for the operations of one evaluation.
        // A state is evaluated three times: for what is legal, for a move, for the signals.
        let moves = 256 * self.effort.operations / (3 * operations).max(1);
        let size = GraphSize {
            states: self.effort.states,
            moves: moves.min(self.effort.moves),
        };
        let seen = self.seen.as_ref();
        let open = (0..self.covers.len())
            .filter(|&cover| seen.is_none_or(|seen| seen.covered[cover].is_none()));
        let wanted = LabelledSignals {
            circuit: &self.watched,
            signals: self.signals,
            covers: &self.covers,
            open: open.collect(),
        };
        let mut labeller = Labeller::new(wanted, &mut self.probe, vocabulary);
        let graph = Graph::explore(&mut self.evaluator, vocabulary, &mut labeller, size)?;
        self.graph = Some(graph);
        Ok(())
    }
}
