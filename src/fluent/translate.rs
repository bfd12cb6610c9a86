//! From the rules of a game to its axioms.

use indexmap::IndexSet;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxBuildHasher;

use crate::fluent::action::actions;
use crate::fluent::assemble;
use crate::fluent::axioms::GameAxioms;
use crate::fluent::certainty::drop_unproved;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::effect::Effect;
use crate::fluent::effects::{ActionSetting, effects};
use crate::fluent::induction::prove;
use crate::fluent::invariant::candidates;
use crate::fluent::restate;
use crate::fluent::support::{Supports, supports};
use crate::fluent::theory::{Dependence, Theory, TheoryError};
use crate::fluent::unfold;
use crate::gdl::{Game, GameError, Reasoner, ReasonerError, RoleId, Vocabulary};
use crate::limits::{Limits, Stage};
use crate::rules::Rules;
use crate::term::{Functor, TermId};

/// Why a game cannot be translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranslationError {
    /// The game cannot be prepared for play.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Its rules cannot be evaluated.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A state could not be looked at.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}

/// States of random play that guesses about all states must agree with.
const SAMPLED_STATES: usize = 400;

/// Steps of evaluation after which no more states are sampled. Of fewer states there are more guesses
/// that a proof has to refute, and none about fluents that were not seen yet.
const SAMPLING_STEPS: u64 = 6_500_000;

/// Random playouts that are sampled.
const SAMPLED_PLAYOUTS: u64 = 24;

/// Translates a game. Same game, same axioms.
///
/// The function stays whole: it is the list of passes, each of which uses what those above it have found.
///
/// # Errors
/// [`TranslationError`].
pub fn translate(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<GameAxioms, TranslationError> {
    let Sample { states, rules } = sample(game, vocabulary, limits)?;
    let initial = states.first().cloned().unwrap_or_default();
    limits.progress.begin(Stage::Translating, None);
    let mut theory = Theory::of(vocabulary.store_mut(), game, initial, rules, limits)?;
    // From here each line is a pass; each uses only what stands above it.
    // The variables of actions are older than all others, so that these give way to them.
    let actions = actions(&mut theory);
    let supports = supports(&mut theory);
    let guesses = candidates(theory.store, &supports, &states);
    prove(&mut theory, &supports, guesses);
    let setting = ActionSetting {
        actions,
        nonterminal: nonterminal(&mut theory),
    };
    let nonterminal = &setting.nonterminal;
    let effects = all_effects(&mut theory, &setting, &supports);
    let actions: Vec<Vec<TermId>> = setting
        .actions
        .iter()
        .map(|own| own.iter().map(|action| action.pattern).collect())
        .collect();
    let preconditions = restate::preconditions(&mut theory, &actions);
    let updates = assemble::updates(&mut theory, &actions, &effects, nonterminal);
    if let Some(reason) = limits.stop.raised() {
        return Err(ReasonerError::Stopped(reason).into());
    }
    let termination = restate::termination(&mut theory);
    let goals = restate::goals(&mut theory);
    let alternatives = preconditions
        .iter()
        .flat_map(|axiom| &axiom.alternatives)
        .chain(&termination)
        .chain(goals.iter().map(|axiom| &axiom.when));
    let conditions = alternatives.flat_map(|alternative| &alternative.conditions);
    let conditions = conditions.chain(effects.iter().flat_map(|effect| &effect.conditions));
    let auxiliary = restate::auxiliary(&theory, conditions);
    Ok(GameAxioms {
        roles: game.roles().to_vec(),
        initial: std::mem::take(&mut theory.initial),
        preconditions,
        updates,
        joint: effects
            .iter()
            .filter(|effect| effect.moves.len() > 1)
            .cloned()
            .collect(),
        termination,
        goals,
        auxiliary,
        effects,
        of_state: theory.predicates(Dependence::State),
        of_moves: theory.predicates(Dependence::Moves),
        constraints: theory.constraints,
        supports,
        rules: theory.clauses,
    })
}

/// The effects on all fluents. Where they do not prove that some instance of a function always holds,
/// those that were found because of it are found again without.
fn all_effects(
    theory: &mut Theory<'_>,
    setting: &ActionSetting,
    supports: &[Supports],
) -> Vec<Effect> {
    let mut found: Vec<Option<FunctionEffects>> = supports.iter().map(|_| None).collect();
    loop {
        for (supports, found) in supports.iter().zip(&mut found) {
            if found.is_none() {
                theory.relied.clear();
                let effects = effects(theory, setting, supports);
                let relied = theory.relied.clone();
                *found = Some(FunctionEffects { effects, relied });
            }
        }
        let all = found.iter().flatten().flat_map(|found| &found.effects);
        let all: Vec<Effect> = all.cloned().collect();
        let dropped = drop_unproved(theory, &all, &setting.nonterminal);
        if dropped.is_empty() {
            return all;
        }
        for found in &mut found {
            found.take_if(|found| dropped.iter().any(|fluent| found.relied.contains(fluent)));
        }
    }
}

/// The effects on one fluent function.
struct FunctionEffects {
    effects: Vec<Effect>,
    /// See [`Theory::relied`].
    relied: IndexSet<Functor, FxBuildHasher>,
}

/// Rules of `terminal` whose negations are assumed where moves are made.
const MAX_TERMINAL: usize = 16;

/// Conditions of such a rule.
const MAX_TERMINAL_CONDITIONS: usize = 4;

/// That the state in which a move is made is not terminal, as far as it is simple to say.
fn nonterminal(theory: &mut Theory<'_>) -> Conjunction {
    let mut conditions = Vec::new();
    let terminal = theory.words.terminal;
    for clause in theory.definition(terminal).to_vec() {
        let Ok(alternatives) = unfold::alternatives(theory, clause) else {
            continue;
        };
        for alternative in alternatives {
            if alternative.conditions.len() <= MAX_TERMINAL_CONDITIONS {
                let mut variables = Vec::new();
                for condition in &alternative.conditions {
                    variables.extend(condition.variables(theory.store));
                }
                conditions.push(Condition::None(
                    variables.into(),
                    alternative.conditions.into(),
                ));
            }
        }
    }
    conditions.truncate(MAX_TERMINAL);
    conditions
}

/// What random play shows.
struct Sample {
    /// States as sets of fluents, the initial state first.
    states: Vec<Vec<TermId>>,
    /// What evaluated the rules.
    rules: Rules,
}

/// Plays at random until enough was seen or done.
fn sample(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Sample, TranslationError> {
    let mut reasoner = game.tabled(vocabulary, limits.clone())?;
    let roles = game.roles().len() as u32;
    let mut states = Vec::new();
    let initial = reasoner.initial_state(vocabulary)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut legal = Vec::new();
    let end = reasoner.work() + SAMPLING_STEPS;
    for playout in 0..SAMPLED_PLAYOUTS {
        let mut state = initial.clone();
        let mut length = 0u64;
        loop {
            if playout == 0 || length > 0 {
                let fluents = state.fluents().map(|fluent| vocabulary.fluent_term(fluent));
                states.push(fluents.collect());
            }
            let full = states.len() >= SAMPLED_STATES || length > SAMPLED_STATES as u64 / 4;
            let full = full || reasoner.work() > end;
            if full || reasoner.is_terminal(vocabulary, &state)? {
                break;
            }
            let mut joint_move = Vec::new();
            for role in (0..roles).map(RoleId) {
                reasoner.legal_moves(vocabulary, &state, role, &mut legal)?;
                joint_move.extend(vocabulary.choose(&legal, random.random()));
            }
            if joint_move.len() < roles as usize {
                break;
            }
            state = reasoner.successor(vocabulary, &state, &joint_move)?;
            length += 1;
        }
        if states.len() >= SAMPLED_STATES || reasoner.work() > end {
            break;
        }
    }
    Ok(Sample {
        states,
        rules: reasoner.into_rules(),
    })
}
