//! The first reasoner: asks the rules themselves, by tabled resolution.
//!
//! A state is loaded into the evaluator as its difference from the state before; what was derived
//! from the old state is forgotten. Questions about one state share their tables.

use crate::gdl::changes::{Change, KnownChanges};
use crate::gdl::error::ReasonerError;
use crate::gdl::goal::{Goal, GoalValue, RoleId};
use crate::gdl::reasoner::Reasoner;
use crate::gdl::state::State;
use crate::gdl::vocabulary::{FluentId, MoveId, Vocabulary};
use crate::limits::Limits;
use crate::rules::{Dynamic, EvaluationError, FluentNumber, Rules, RulesError, Unmaintained};
use crate::term::{Clause, Functor, Store, TermId};

/// The predicates that a reasoner asks for.
#[derive(Clone, Copy, Debug)]
struct Questions {
    init: Functor,
    next: Functor,
    legal: Functor,
    goal: Functor,
    terminal: Functor,
}

/// Evaluates the rules of a game by tabled resolution.
#[derive(Clone, Debug)]
pub struct Tabled {
    pub(super) rules: Rules,
    questions: Questions,
    roles: Vec<TermId>,
    pub(super) limits: Limits,
    /// The state that the rules see now.
    loaded: State,
    /// The evaluator's number of each fluent; [`FluentNumber::NONE`] before it is first loaded.
    numbers: Vec<FluentNumber>,
    /// For each move, the last question in which it was an answer.
    answered: Vec<u32>,
    question: u32,
    /// What moves change, if that is asked of rules of its own instead of `next`.
    changes: Option<KnownChanges>,
    pub(super) ends: Vec<FluentId>,
    pub(super) begins: Vec<FluentId>,
    /// Fluents that change something by themselves.
    pub(super) causes: Vec<FluentId>,
}

impl Tabled {
    /// Prepares the rules; what depends on no state is evaluated now.
    ///
    /// # Errors
    /// [`RulesError`] if the rules are not safe or not stratified.
    pub fn new(
        store: &mut Store,
        clauses: Vec<Clause>,
        roles: Vec<TermId>,
        limits: Limits,
    ) -> Result<Self, RulesError> {
        let mut predicate = |name: &str, arity: u32| Functor {
            symbol: store.symbol(name),
            arity,
        };
        let dynamic = Dynamic {
            state: predicate("true", 1),
            moves: predicate("does", 2),
        };
        let questions = Questions {
            init: predicate("init", 1),
            next: predicate("next", 1),
            legal: predicate("legal", 2),
            goal: predicate("goal", 2),
            terminal: predicate("terminal", 0),
        };
        let rules = Rules::new(store, clauses, dynamic)?;
        Ok(Self {
            rules,
            questions,
            roles,
            limits,
            loaded: State::default(),
            numbers: Vec::new(),
            answered: Vec::new(),
            question: 0,
            changes: None,
            ends: Vec::new(),
            begins: Vec::new(),
            causes: Vec::new(),
        })
    }

    /// From now on finds successors by rules of change, which are among the rules already.
    pub(super) fn progress_by(&mut self, predicates: &[Change]) {
        self.changes = Some(KnownChanges::new(predicates, self.roles.len()));
    }

    /// The predicates that are asked of each state.
    pub(super) fn asked(&self) -> Vec<Functor> {
        let mut asked = vec![self.questions.legal, self.questions.terminal];
        match &self.changes {
            None => asked.push(self.questions.next),
            Some(changes) => asked.extend(changes.predicates()),
        }
        asked
    }

    /// Evaluates what depends on no state, once and for all.
    ///
    /// # Errors
    /// The reason for which the evaluation was stopped.
    pub fn materialize(&mut self, store: &mut Store) -> Result<(), EvaluationError> {
        self.rules.materialize(store, &self.limits)
    }

    /// The answers in a state, some of them perhaps several times, of a predicate with one argument.
    pub(super) fn ask_in(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        predicate: Functor,
    ) -> Result<Vec<TermId>, ReasonerError> {
        self.load(vocabulary, state);
        let mut answers = Vec::new();
        self.collect(vocabulary, predicate, None, &mut |term| answers.push(term))?;
        Ok(answers)
    }

    /// All answers in a state of a predicate, each once, in order of discovery.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    pub fn answers_in(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        predicate: Functor,
    ) -> Result<Vec<Box<[TermId]>>, ReasonerError> {
        self.load(vocabulary, state);
        let (store, limits) = (&mut vocabulary.store, &self.limits);
        let answers = self.rules.answers(store, predicate, limits)?;
        Ok(answers.into_iter().collect())
    }

    /// The same after a joint move is chosen in the state.
    ///
    /// # Errors
    /// [`ReasonerError::Stopped`].
    pub fn answers_with(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
        predicate: Functor,
    ) -> Result<Vec<Box<[TermId]>>, ReasonerError> {
        self.load(vocabulary, state);
        self.set_moves(vocabulary, joint_move);
        self.answers_in(vocabulary, state, predicate)
    }

    /// Steps of evaluation made so far.
    pub fn work(&self) -> u64 {
        self.rules.work().0
    }

    /// The evaluator, in some state.
    pub fn into_rules(self) -> Rules {
        self.rules
    }

    /// The evaluator.
    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Keeps some predicates up to date, see [`Rules::maintain`].
    pub(super) fn maintain(
        &mut self,
        store: &mut Store,
        predicates: &[Functor],
    ) -> Result<(), Option<Unmaintained>> {
        self.rules.maintain(store, predicates, &self.limits)
    }

    fn load(&mut self, vocabulary: &mut Vocabulary, state: &State) {
        // The difference to the state that is loaded: most questions are about the state of the last one, or its
        // successor.
        if self.loaded == *state {
            return;
        }
        let Self {
            rules,
            numbers,
            loaded,
            limits,
            ..
        } = self;
        let changes: Vec<(FluentNumber, bool)> = loaded
            .changes(state)
            .map(|(fluent, holds)| (number(rules, numbers, vocabulary, fluent), holds))
            .collect();
        rules.change_state(&mut vocabulary.store, changes, limits);
        loaded.clone_from(state);
    }

    /// Collects the answers of a call with one open argument, the last.
    fn collect(
        &mut self,
        vocabulary: &mut Vocabulary,
        predicate: Functor,
        given: Option<TermId>,
        answer: &mut dyn FnMut(TermId),
    ) -> Result<(), EvaluationError> {
        let arguments = [given, None];
        // `next` has one argument, `legal` has the role in front of it.
        let arguments = if given.is_some() {
            &arguments[..]
        } else {
            &arguments[1..]
        };
        self.rules.solve(
            &mut vocabulary.store,
            predicate,
            arguments,
            &self.limits,
            &mut |_, answers| {
                answers.iter().for_each(|&term| answer(term));
                true
            },
        )
    }

    pub(super) fn set_moves(&mut self, vocabulary: &mut Vocabulary, joint_move: &[MoveId]) {
        let moves: Vec<[TermId; 2]> = self
            .roles
            .iter()
            .zip(joint_move)
            .map(|(&role, &mv)| [role, vocabulary.move_term(mv)])
            .collect();
        self.rules.set_moves(
            &mut vocabulary.store,
            moves.iter().map(|arguments| &arguments[..]),
        );
    }

    fn states(
        &mut self,
        vocabulary: &mut Vocabulary,
        predicate: Functor,
    ) -> Result<State, ReasonerError> {
        let mut state = State::default();
        // Taken out of the vocabulary, whose store is in use while answers come.
        let mut fluents = std::mem::take(&mut vocabulary.fluents);
        let result = self.collect(vocabulary, predicate, None, &mut |term| {
            state.insert(fluents.fluent(term))
        });
        vocabulary.fluents = fluents;
        result?;
        Ok(state)
    }
}

fn number(
    rules: &mut Rules,
    numbers: &mut Vec<FluentNumber>,
    vocabulary: &Vocabulary,
    fluent: FluentId,
) -> FluentNumber {
    // Numbered lazily: fluents may enter the vocabulary at any time.
    if fluent.index() >= numbers.len() {
        numbers.resize(fluent.index() + 1, FluentNumber::NONE);
    }
    let number = &mut numbers[fluent.index()];
    if *number == FluentNumber::NONE {
        *number = rules.fluent(&vocabulary.store, vocabulary.fluent_term(fluent));
    }
    *number
}

impl Reasoner for Tabled {
    fn initial_state(&mut self, vocabulary: &mut Vocabulary) -> Result<State, ReasonerError> {
        self.states(vocabulary, self.questions.init)
    }

    fn is_terminal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<bool, ReasonerError> {
        self.load(vocabulary, state);
        self.rules.holds(
            &mut vocabulary.store,
            self.questions.terminal,
            &[],
            &self.limits,
        )
    }

    fn goal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError> {
        self.load(vocabulary, state);
        let mut values: Vec<TermId> = Vec::new();
        let role = self.roles[role.0 as usize];
        // An answer may repeat; two different ones are a contradiction in the rules.
        self.collect(vocabulary, self.questions.goal, Some(role), &mut |term| {
            if !values.contains(&term) {
                values.push(term);
            }
        })?;
        Ok(match values[..] {
            [] => Goal::Absent,
            [term] => match GoalValue::of(&vocabulary.store, term) {
                Some(value) => Goal::Value(value),
                None => Goal::NotAValue(term),
            },
            [..] => Goal::Contradictory(values),
        })
    }

    fn legal_moves(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.load(vocabulary, state);
        moves.clear();
        // A number for each question, so that marks of earlier ones need not be cleared.
        self.question += 1;
        let role = self.roles[role.0 as usize];
        let (mut numbering, mut answered) = (
            std::mem::take(&mut vocabulary.moves),
            std::mem::take(&mut self.answered),
        );
        let question = self.question;
        let result = self.collect(vocabulary, self.questions.legal, Some(role), &mut |term| {
            let mv = numbering.mv(term);
            if mv.index() >= answered.len() {
                answered.resize(mv.index() + 1, 0);
            }
            if std::mem::replace(&mut answered[mv.index()], question) != question {
                moves.push(mv);
            }
        });
        (vocabulary.moves, self.answered) = (numbering, answered);
        result
    }

    fn successor(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        self.load(vocabulary, state);
        if let Some(mut known) = self.changes.take() {
            let result = self.progress(vocabulary, &mut known, state, joint_move);
            self.changes = Some(known);
            return result;
        }
        self.set_moves(vocabulary, joint_move);
        self.states(vocabulary, self.questions.next)
    }
}
