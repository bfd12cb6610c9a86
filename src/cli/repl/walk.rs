//! A walk through a game: the states on the way, back and forth.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::analysis::{Analysis, analyze};
use crate::circuit::{Circuit, ground};
use crate::cli::analyze::AnalyzedGame;
use crate::cli::failure::Failure;
use crate::cli::typed_move::Players;
use crate::cli::versus::{ValuedMove, valued_moves};
use crate::decomposition::{self, DecompositionEffort};
use crate::fluent::{EffectRules, Forecast, GameAxioms, translate};
use crate::gdl::{Game, Goal, MoveId, Reasoner, ReasonerError, RoleId, State, Tabled, Vocabulary};
use crate::limits::Limits;
use crate::prove::{self, Grounded};
use crate::search::plan::{
    self, Decomposition, PlanAlgorithm, PlanOutcome, PlanSetting, Problem, UNDIVIDED, highest_value,
};
use crate::search::versus::{self, Arena};
use crate::syntax::Notation;
use crate::term::{Case, Store, TermId};
use crate::workbench::{self, Engine, Player, WorkbenchError};

/// A game with the place where the walk is.
pub(super) struct Walk {
    game: Game,
    vocabulary: Vocabulary,
    /// The number of symbols that the rules have; later ones come from reasoning about them.
    symbols: usize,
    reasoner: Tabled,
    notation: Notation,
    case: Case,
    initial: State,
    /// The joint moves made, oldest first, each with the state it leads to.
    past: Vec<VisitedState>,
    /// The steps that lie ahead, taken back or planned, the next one last.
    future: Vec<VisitedState>,
    random: Xoshiro256PlusPlus,
    /// What the game was translated to; none before the first question about it.
    axioms: Option<GameAxioms>,
    effects: Option<EffectRules>,
    analysis: Option<Analysis>,
    circuit: Option<Arc<Circuit>>,
    grounded: Option<Grounded>,
    parts: Option<decomposition::Decomposition>,
}

/// What the game is made of.
pub(super) struct Decomposed<'w> {
    pub(super) game: &'w Game,
    pub(super) circuit: Arc<Circuit>,
    pub(super) found: &'w decomposition::Decomposition,
    pub(super) store: &'w Store,
}

/// A joint move and where it leads.
#[derive(Clone, Debug)]
struct VisitedState {
    joint_move: Vec<MoveId>,
    state: State,
}

impl Walk {
    /// Starts in the initial state of a game that is written so.
    pub(super) fn new(
        game: Game,
        mut vocabulary: Vocabulary,
        (notation, case): (Notation, Case),
        limits: Limits,
    ) -> Result<Self, Failure> {
        let symbols = vocabulary.store().symbols().names().count();
        let mut reasoner = game.tabled(&mut vocabulary, limits)?;
        let initial = reasoner.initial_state(&mut vocabulary)?;
        Ok(Self {
            game,
            vocabulary,
            symbols,
            reasoner,
            notation,
            case,
            initial,
            past: Vec::new(),
            future: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            axioms: None,
            effects: None,
            analysis: None,
            circuit: None,
            grounded: None,
            parts: None,
        })
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn store(&self) -> &Store {
        self.vocabulary.store()
    }

    /// The names of the symbols that the rules have.
    pub(super) fn symbol_names(&self) -> impl Iterator<Item = &str> {
        let names = self.store().symbols().names();
        names.map(|(_, name)| name).take(self.symbols)
    }

    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    pub(super) fn vocabulary_mut(&mut self) -> &mut Vocabulary {
        &mut self.vocabulary
    }

    /// Who plays, for reading what a person types; messages are in `notation`.
    pub(super) fn players(&mut self, notation: Notation) -> Players<'_> {
        Players {
            game: &self.game,
            vocabulary: &mut self.vocabulary,
            case: self.case,
            notation,
        }
    }

    /// A name as a symbol of the game is spelled.
    pub(super) fn folded(&self, name: &str) -> String {
        match self.case {
            Case::Fold => name.to_lowercase(),
            Case::Keep => name.to_owned(),
        }
    }

    /// How the rules are written.
    pub(super) fn notation(&self) -> Notation {
        self.notation
    }

    /// Number of joint moves made.
    pub(super) fn step(&self) -> usize {
        self.past.len()
    }

    pub(super) fn state(&self) -> &State {
        self.past.last().map_or(&self.initial, |step| &step.state)
    }

    /// The fluents that hold.
    pub(super) fn fluents(&self) -> Vec<TermId> {
        let fluents = self.state().fluents();
        fluents
            .map(|fluent| self.vocabulary.fluent_term(fluent))
            .collect()
    }

    pub(super) fn move_term(&self, mv: MoveId) -> TermId {
        self.vocabulary.move_term(mv)
    }

    pub(super) fn is_terminal(&mut self) -> Result<bool, ReasonerError> {
        let state = self.state().clone();
        self.reasoner.is_terminal(&mut self.vocabulary, &state)
    }

    pub(super) fn goal(&mut self, role: RoleId) -> Result<Goal, ReasonerError> {
        let state = self.state().clone();
        self.reasoner.goal(&mut self.vocabulary, &state, role)
    }

    pub(super) fn legal_moves(&mut self, role: RoleId) -> Result<Vec<MoveId>, ReasonerError> {
        let state = self.state().clone();
        let mut moves = Vec::new();
        self.reasoner
            .legal_moves(&mut self.vocabulary, &state, role, &mut moves)?;
        Ok(moves)
    }

    /// All roles, in the order of the rules.
    pub(super) fn roles(&self) -> impl Iterator<Item = (RoleId, TermId)> + use<> {
        let roles: Vec<TermId> = self.game.roles().to_vec();
        let numbered = roles.into_iter().enumerate();
        numbered.map(|(number, role)| (RoleId(number as u32), role))
    }

    /// Makes a joint move, one legal move a role in the order of roles.
    pub(super) fn make(&mut self, joint_move: Vec<MoveId>) -> Result<(), ReasonerError> {
        let before = self.state().clone();
        let state = self
            .reasoner
            .successor(&mut self.vocabulary, &before, &joint_move)?;
        self.past.push(VisitedState { joint_move, state });
        self.future.clear();
        Ok(())
    }

    /// Chooses a joint move at random; `None` if a role has no legal move.
    pub(super) fn random_move(&mut self) -> Result<Option<Vec<MoveId>>, ReasonerError> {
        let mut joint_move = Vec::new();
        for (role, _) in self.roles() {
            let legal = self.legal_moves(role)?;
            if legal.is_empty() {
                return Ok(None);
            }
            joint_move.push(legal[self.random.random_range(0..legal.len())]);
        }
        Ok(Some(joint_move))
    }

    /// Seeds the random choices.
    pub(super) fn seed(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// Takes the last joint move back and gives it; `None` in the initial state.
    pub(super) fn undo(&mut self) -> Option<Vec<MoveId>> {
        let step = self.past.pop()?;
        let joint_move = step.joint_move.clone();
        self.future.push(step);
        Some(joint_move)
    }

    /// Makes the joint move again that was taken back last.
    pub(super) fn redo(&mut self) -> Option<Vec<MoveId>> {
        let step = self.future.pop()?;
        let joint_move = step.joint_move.clone();
        self.past.push(step);
        Some(joint_move)
    }

    /// The axioms of the game, translated at the first call. A translation that is stopped is
    /// begun anew by the next call.
    pub(super) fn axioms(&mut self, limits: &Limits) -> Result<&GameAxioms, Failure> {
        translated(&mut self.axioms, &self.game, &mut self.vocabulary, limits)
    }

    /// The axioms, if they are known.
    pub(super) fn known_axioms(&self) -> Option<&GameAxioms> {
        self.axioms.as_ref()
    }

    /// What the game is made of, found out at the first call, with the axioms that say so.
    pub(super) fn analysis(&mut self, limits: &Limits) -> Result<AnalyzedGame<'_>, Failure> {
        let axioms = translated(&mut self.axioms, &self.game, &mut self.vocabulary, limits)?;
        let analysis = match self.analysis.take() {
            Some(analysis) => analysis,
            None => analyze(axioms, self.vocabulary.store_mut(), None, limits)?,
        };
        Ok(AnalyzedGame {
            game: &self.game,
            axioms,
            analysis: self.analysis.insert(analysis),
            store: self.vocabulary.store_mut(),
        })
    }

    /// The circuit of the game, made at the first call.
    pub(super) fn circuit(&mut self, limits: &Limits) -> Result<Arc<Circuit>, Failure> {
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let circuit = match self.circuit.take() {
            Some(circuit) => circuit,
            None => workbench::circuit(game, vocabulary, limits, ground::MAX_RULES)?,
        };
        Ok(Arc::clone(self.circuit.insert(circuit)))
    }

    /// The game, its terms with numbers, and the circuit with signals for its rules, made at the first call.
    pub(super) fn grounded(
        &mut self,
        limits: &Limits,
    ) -> Result<(&Game, &mut Vocabulary, &Grounded), Failure> {
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let grounded = match self.grounded.take() {
            Some(grounded) => grounded,
            None => prove::ground(game, vocabulary, limits, ground::MAX_RULES)
                .map_err(WorkbenchError::from)?,
        };
        Ok((game, vocabulary, self.grounded.insert(grounded)))
    }

    /// The games that the game is made of, found at the first call.
    pub(super) fn parts(&mut self, limits: &Limits) -> Result<Decomposed<'_>, Failure> {
        let circuit = self.circuit(limits)?;
        let found = match self.parts.take() {
            Some(found) => found,
            None => decomposition::decompose(&circuit, &DecompositionEffort::default(), limits)?,
        };
        Ok(Decomposed {
            game: &self.game,
            circuit,
            found: self.parts.insert(found),
            store: self.vocabulary.store(),
        })
    }

    /// Looks for the best plan from here; its moves then lie ahead.
    pub(super) fn solve(&mut self, limits: &Limits) -> Result<PlanOutcome, Failure> {
        let start = self.state().clone();
        if let Some(doubt) = self.game.uncertainty(self.vocabulary.store()) {
            return Err(Failure::bad_input(doubt.refusal(":solve")));
        }
        self.analysis(limits)?;
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let (Some(axioms), Some(analysis)) = (&self.axioms, &self.analysis) else {
            unreachable!("the game was analysed");
        };
        let decomposition = Decomposition::of(game, axioms, analysis, vocabulary, limits)?;
        let mut reasoner = Player::new(Engine::Auto, game, vocabulary, Some(axioms), limits)?;
        let setting = PlanSetting {
            start: start.clone(),
            highest: highest_value(game, vocabulary.store_mut()),
            states: None,
            undivided: UNDIVIDED,
            limits: limits.clone(),
            circuit: reasoner.circuit(),
        };
        let problem = Problem::new(&mut reasoner, vocabulary, setting);
        let outcome = plan::solve(problem, PlanAlgorithm::Auto, decomposition);
        if let Some(plan) = &outcome.plan {
            self.lay_ahead(start, plan.iter().map(|&mv| vec![mv]))?;
        }
        Ok(outcome)
    }

    /// What each of several roles can force from here; best play of all then lies ahead, if it was found.
    pub(super) fn values(
        &mut self,
        command: &str,
        limits: &Limits,
    ) -> Result<versus::ForcingOutcome, Failure> {
        let (mut player, setting) = self.contest(command, limits)?;
        let start = setting.start.clone();
        let arena = Arena::new(&mut player, &mut self.vocabulary, setting);
        let outcome = versus::solve(arena, versus::ForcingAlgorithm::Auto);
        if let Some(line) = &outcome.line {
            self.lay_ahead(start, line.iter().cloned())?;
        }
        Ok(outcome)
    }

    /// What each role can force after each joint move that is legal here.
    pub(super) fn choices(&mut self, limits: &Limits) -> Result<Vec<ValuedMove>, Failure> {
        let (mut player, setting) = self.contest(":best", limits)?;
        let question = (versus::ForcingAlgorithm::Auto, setting);
        valued_moves(&mut player, &self.game, &mut self.vocabulary, question)
    }

    /// The search for values from here, which this command asks for.
    fn contest(
        &mut self,
        command: &str,
        limits: &Limits,
    ) -> Result<(Player, versus::ForcingSetting), Failure> {
        if let Some(doubt) = self.game.uncertainty(self.vocabulary.store()) {
            return Err(Failure::bad_input(doubt.refusal(command)));
        }
        let start = self.state().clone();
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let player = Player::new(Engine::Auto, game, vocabulary, None, limits)?;
        let setting = versus::ForcingSetting {
            limits: limits.clone(),
            ..versus::ForcingSetting::new(game, vocabulary, start, player.circuit())
        };
        Ok((player, setting))
    }

    /// Has joint moves lie ahead. What stopped the search for them shall not drop them.
    fn lay_ahead(
        &mut self,
        start: State,
        joint_moves: impl Iterator<Item = Vec<MoveId>>,
    ) -> Result<(), Failure> {
        let mut reasoner = self.game.tabled(&mut self.vocabulary, Limits::default())?;
        let mut ahead = Vec::new();
        let mut state = start;
        for joint_move in joint_moves {
            state = reasoner.successor(&mut self.vocabulary, &state, &joint_move)?;
            let state = state.clone();
            ahead.push(VisitedState { joint_move, state });
        }
        ahead.reverse();
        self.future = ahead;
        Ok(())
    }

    /// The joint moves that lie ahead, the next one first.
    pub(super) fn ahead(&self) -> Vec<&[MoveId]> {
        let steps = self.future.iter().rev();
        steps.map(|step| &step.joint_move[..]).collect()
    }

    /// What would change here if every role makes one of its `choices`.
    pub(super) fn forecast(
        &mut self,
        choices: &[Vec<MoveId>],
        limits: &Limits,
    ) -> Result<Forecast, Failure> {
        let state = self.state().clone();
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let axioms = translated(&mut self.axioms, game, vocabulary, limits)?;
        let mut effects = match self.effects.take() {
            Some(effects) => effects,
            None => EffectRules::new(game, axioms, vocabulary, limits)?,
        };
        let forecast = effects.forecast(axioms, vocabulary, &state, choices, limits);
        // Kept before the result is looked at: a forecast that is stopped does not cost the rules.
        self.effects = Some(effects);
        Ok(forecast?)
    }
}

/// The axioms that are kept, or those of the game, which are kept from now on.
fn translated<'a>(
    kept: &'a mut Option<GameAxioms>,
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<&'a GameAxioms, Failure> {
    let axioms = match kept.take() {
        Some(axioms) => axioms,
        None => translate(game, vocabulary, limits)?,
    };
    Ok(kept.insert(axioms))
}
