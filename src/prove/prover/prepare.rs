//! A game with all that is asked of it: circuits with the targets, reasoners, and what is found out on the way.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::{Circuit, Evaluator, Probe};
use crate::gdl::{Ending, Game, GameError, GoalValue, Playouts, Tabled, Vocabulary};
use crate::limits::Limits;
use crate::prove::application::{self, GroundedGame};
use crate::prove::census::Census;
use crate::prove::condition::wins;
use crate::prove::cover::{Cover, CoverItem, Covers};
use crate::prove::finding::{Finding, Play};
use crate::prove::graph::Graph;
use crate::prove::plays::Seen;
use crate::prove::property::PropertyQuestion;
use crate::prove::prover::effort::ProofEffort;
use crate::prove::prover::invariants::{ConjecturedInvariants, KnownInvariants};
use crate::prove::reduction::{AskedProperty, WatchedTarget, WatchedTargets};

/// What goal values add up to in zero-sum games: 50 for each of two roles is neither won nor lost.
pub(super) const ZERO_SUM: i64 = GoalValue::MOST as i64;

/// What is asked of a game, and what is known about it.
pub struct Prover {
    /// The circuit of the game.
    pub(super) original: Arc<Circuit>,
    /// The circuit with the gates of all targets.
    pub(super) circuit: Arc<Circuit>,
    /// The same, with the signals that are watched as payoffs of the first role.
    pub(super) watched: Circuit,
    pub(super) watches: Vec<WatchedTarget>,
    pub(super) asked: Vec<AskedProperty>,
    /// Targets of which one play each is enough.
    pub(super) covers: Vec<Cover>,
    /// How many signals the other targets have.
    pub(super) signals: usize,
    pub(super) game: Game,
    /// By role, the number of the target that it wins.
    pub(super) wins: Vec<usize>,
    /// What goal values add up to.
    pub(super) sum: i64,
    pub(super) effort: ProofEffort,
    pub(super) limits: Limits,
    pub(super) probe: Probe,
    pub(super) random: Xoshiro256PlusPlus,
    pub(super) evaluator: Evaluator,
    pub(super) tabled: Tabled,
    pub(super) seen: Option<Seen>,
    pub(super) graph: Option<Graph>,
    /// Invariants whose proof was begun.
    pub(super) conjectured: Option<ConjecturedInvariants>,
    pub(super) known: Option<KnownInvariants>,
    /// After how many moves a counter ends every play, if it does, once it was looked for.
    pub(super) clock: Option<Option<u64>>,
    pub(super) termination: Option<Finding>,
    /// All states by the rules, if they were asked for and are few.
    pub(super) census: Option<Option<Census>>,
    /// Plays that others have found, once they were asked.
    pub(super) given: Option<Vec<Play>>,
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
        let mut evaluator = Evaluator::new(Arc::clone(&original), vocabulary, limits.stop.clone());
        let sum = sum_of_a_play(&mut evaluator, vocabulary, circuit.moves.len(), effort);
        let mut watches = WatchedTargets::default();
        let roles = 0..circuit.moves.len();
        let wins = roles.map(|role| watches.add(wins(&mut circuit, role)).0);
        let wins = wins.collect();
        let asked = questions.iter().map(|question| AskedProperty {
            question: question.clone(),
            reduction: watches.reduced(question, (subject, vocabulary.store()), &mut circuit, sum),
        });
        let asked = asked.collect();
        // Signals of all targets are in both circuits, so that one evaluation shows all of them.
        let watched = watches.circuit(&circuit);
        let probed = watches.covers.probed(&watched);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(effort.seed);
        Ok(Self {
            tabled: reasoner(subject.game, &watches.covers, vocabulary, limits)?,
            probe: Probe::new(&probed, &mut random),
            covers: watches.covers.all,
            signals: watches.signals.len(),
            game: subject.game.clone(),
            original,
            watches: watches.all,
            circuit: Arc::new(circuit),
            watched,
            asked,
            wins,
            sum,
            effort,
            random,
            evaluator,
            limits: limits.clone(),
            seen: None,
            graph: None,
            conjectured: None,
            known: None,
            clock: None,
            termination: None,
            census: None,
            given: None,
        })
    }

    /// Allows so many times as much from now on, where time alone shall tell when to stop.
    pub fn raise_effort(&mut self, times: u64) {
        let ProofEffort {
            operations,
            assignments,
            ..
        } = &mut self.effort;
        *assignments = assignments.saturating_mul(times);
        *operations = operations.saturating_mul(usize::try_from(times).unwrap_or(usize::MAX));
    }

    /// Takes plays that others have found; what they show is confirmed by the rules.
    pub fn learn(&mut self, plays: Vec<Play>) {
        self.given = Some(plays);
    }

    /// Whether others were asked for plays.
    pub fn has_learnt(&self) -> bool {
        self.given.is_some()
    }
}

/// The reasoner that confirms plays; where rules are asked for, it also tells which of them apply.
fn reasoner(
    game: &Game,
    covers: &Covers,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Tabled, GameError> {
    let is_of_rule = |cover: &Cover| matches!(cover.item, CoverItem::Rule(_));
    if covers.all.iter().any(is_of_rule) {
        with_rules(game, vocabulary, limits)
    } else {
        game.tabled(vocabulary, limits.clone())
    }
}

/// The reasoner that tells which rules apply.
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
    // One play is enough: an end with another sum refutes the property, whichever of the two was first.
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
