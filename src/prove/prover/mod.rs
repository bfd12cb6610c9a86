//! The methods, one after the other, on what they share: plays, states, proved variables, frames.

mod claims;
mod confirming;
mod covering;
mod ending;
mod forcing;
mod known;
mod symmetry;

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::{Circuit, Evaluator, Probe};
use crate::gdl::{Ending, Game, GameError, GoalValue, Playouts, ReasonerError, Tabled, Vocabulary};
use crate::limits::Limits;
use crate::prove::application::{self, Application};
use crate::prove::asked::{AskedProperty, Reduction, WatchedTarget, WatchedTargets};
use crate::prove::census::Census;
use crate::prove::condition::{Target, wins};
use crate::prove::cover::{Cover, CoverItem};
use crate::prove::finding::{Finding, Method, Play};
use crate::prove::graph::{Graph, GraphSize, Labeller};
use crate::prove::plays::{self, PlayTargets, Seen};
use crate::prove::property::PropertyQuestion;
use crate::prove::prover::known::KnownInvariants;

/// What goal values add up to in zero-sum games: 50 for each of two roles is neither won nor lost.
pub(super) const ZERO_SUM: i64 = GoalValue::MOST as i64;

/// How much may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEffort {
    /// Operations, of 256 lanes each, that random plays may take.
    pub operations: usize,
    /// Moves of a random play.
    pub length: usize,
    /// States that are looked at one by one.
    pub states: usize,
    /// Moves from them.
    pub moves: usize,
    /// Assignments that the solver may infer for a property.
    pub assignments: u64,
    /// Seed of the plays.
    pub seed: u64,
}

impl Default for ProofEffort {
    fn default() -> Self {
        Self {
            operations: 100_000_000,
            length: 600,
            states: 100_000,
            moves: 1_000_000,
            assignments: 20_000_000,
            seed: 1,
        }
    }
}

/// A game and its circuit.
#[derive(Clone, Copy, Debug)]
pub struct GroundedGame<'s> {
    /// The rules.
    pub game: &'s Game,
    /// What they mean.
    pub circuit: &'s Arc<Circuit>,
    /// When rules apply, by signals of the circuit; nothing if nobody asks for it.
    pub rules: &'s [Application],
}

/// What is asked of a game, and what is known about it.
pub struct Prover {
    /// The circuit of the game.
    original: Arc<Circuit>,
    /// The circuit with the gates of all targets.
    circuit: Arc<Circuit>,
    /// The same, with the signals that are watched as payoffs of the first role.
    watched: Circuit,
    watches: Vec<WatchedTarget>,
    asked: Vec<AskedProperty>,
    /// Targets of which one play each is enough.
    covers: Vec<Cover>,
    /// How many signals the other targets have.
    signals: usize,
    game: Game,
    /// By role, the number of the target that it wins.
    wins: Vec<usize>,
    /// What goal values add up to.
    sum: i64,
    effort: ProofEffort,
    limits: Limits,
    probe: Probe,
    random: Xoshiro256PlusPlus,
    evaluator: Evaluator,
    tabled: Tabled,
    seen: Option<Seen>,
    graph: Option<Graph>,
    known: Option<KnownInvariants>,
    termination: Option<Finding>,
    /// All states by the rules, if they were asked for and are few.
    census: Option<Option<Census>>,
    /// Plays that others have found, once they were asked.
    given: Option<Vec<Play>>,
}

impl Prover {
    /// Prepares to prove some properties.
    ///
    /// # Errors
    /// [`GameError`] if the rules cannot be evaluated.
    pub fn new(
        subject: GroundedGame<'_>,
        questions: &[PropertyQuestion],
        vocabulary: &mut Vocabulary,
        effort: ProofEffort,
        limits: &Limits,
    ) -> Result<Self, GameError> {
        let mut circuit = Circuit::clone(subject.circuit);
        let original = Arc::clone(subject.circuit);
        let mut evaluator = Evaluator::new(original, vocabulary, limits.stop.clone());
        let sum = sum_of_a_play(&mut evaluator, vocabulary, circuit.moves.len(), effort);
        let mut watches = WatchedTargets::default();
        let roles = 0..circuit.moves.len();
        let wins = roles.map(|role| watches.add(wins(&mut circuit, role)).0);
        let wins = wins.collect();
        let asked = questions.iter().map(|question| AskedProperty {
            question: question.clone(),
            means: watches.meant(question, (subject, vocabulary.store()), &mut circuit, sum),
        });
        let asked = asked.collect();
        let watched = watches.circuit(&circuit);
        let probed = watches.covers.probed(&watched);
        let is_of_rule = |cover: &Cover| matches!(cover.item, CoverItem::Rule(_));
        let tabled = if watches.covers.all.iter().any(is_of_rule) {
            with_rules(subject.game, vocabulary, limits)?
        } else {
            subject.game.tabled(vocabulary, limits.clone())?
        };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(effort.seed);
        Ok(Self {
            probe: Probe::new(&probed, &mut random),
            covers: watches.covers.all,
            signals: watches.signals.len(),
            game: subject.game.clone(),
            original: Arc::clone(subject.circuit),
            watches: watches.all,
            circuit: Arc::new(circuit),
            watched,
            asked,
            wins,
            sum,
            effort,
            random,
            evaluator,
            tabled,
            limits: limits.clone(),
            seen: None,
            graph: None,
            known: None,
            termination: None,
            census: None,
            given: None,
        })
    }

    /// Takes plays that others have found; what they show is confirmed by the rules.
    pub fn learn(&mut self, plays: Vec<Play>) {
        self.given = Some(plays);
    }

    /// Whether others were asked for plays.
    pub fn has_learnt(&self) -> bool {
        self.given.is_some()
    }

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
        let AskedProperty { question, means } = self.asked[number].clone();
        self.play();
        self.explore(vocabulary)?;
        let mut finding = match means {
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
                self.confirms_states(&question, &means, &finding, vocabulary)?
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
        let step = self.probe.operations() + 4 * moves + 16 * self.circuit.fluents.len();
        let most = (self.effort.operations / step.max(1)).clamp(20, self.effort.length);
        let rounds = (self.effort.operations / (step * most).max(1)).clamp(1, 16);
        let stop = &self.limits.stop;
        let seen = plays::play(
            &watched,
            &mut self.probe,
            &mut self.random,
            rounds,
            most,
            stop,
        );
        self.seen = Some(seen);
    }

    /// States one by one, once.
    fn explore(&mut self, vocabulary: &mut Vocabulary) -> Result<(), ReasonerError> {
        if self.graph.is_some() {
            return Ok(());
        }
        let operations = self.probe.operations() + 16 * self.circuit.fluents.len();
        // A state is evaluated three times: for what is legal, for a move, for the signals.
        let moves = 256 * self.effort.operations / (3 * operations).max(1);
        let size = GraphSize {
            states: self.effort.states,
            moves: moves.min(self.effort.moves),
        };
        let seen = self.seen.as_ref();
        let open = (0..self.covers.len())
            .filter(|&cover| seen.is_none_or(|seen| seen.covered[cover].is_none()));
        let covers = (self.signals, &self.covers[..]);
        let mut eye = Labeller::new(
            &self.watched,
            &mut self.probe,
            vocabulary,
            covers,
            open.collect(),
        );
        let graph = Graph::explore(&mut self.evaluator, vocabulary, &mut eye, size)?;
        self.graph = Some(graph);
        Ok(())
    }
}

/// The reasoner that knows which rules apply as well.
fn with_rules(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Tabled, GameError> {
    let store = vocabulary.store_mut();
    let clauses = [game.clauses(), &application::rules(store, game.clauses())].concat();
    let mut tabled = Tabled::new(store, clauses, game.roles().to_vec(), limits.clone())?;
    tabled.materialize(store)?;
    Ok(tabled)
}

/// What goal values add up to at the end of a random play; 100 if it has none.
fn sum_of_a_play(
    evaluator: &mut Evaluator,
    vocabulary: &mut Vocabulary,
    roles: usize,
    effort: ProofEffort,
) -> i64 {
    let most = effort.length as u64;
    let playouts = Playouts::new(evaluator, vocabulary, roles as u32, effort.seed, most);
    let playout = playouts.and_then(|mut playouts| playouts.run(evaluator, vocabulary, 0));
    match playout.map(|playout| playout.ending) {
        Ok(Ending::Terminal(goals)) => {
            let values = goals.iter().map(|goal| goal.value());
            let values: Option<Vec<i64>> = values.map(|v| v.map(|v| i64::from(v.0))).collect();
            values.map_or(ZERO_SUM, |values| values.iter().sum())
        }
        Ok(_) | Err(_) => ZERO_SUM,
    }
}
