//! One value for a game and all that can be asked of it: the façade of the library.
//!
//! The layers below are made for being combined: they take stores, vocabularies and reasoners by reference, so that
//! threads and searches can share or copy them. A [`Workbench`] keeps the usual combination together and speaks in
//! texts where people do:
//!
//! ```
//! use flux::workbench::Workbench;
//!
//! let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
//! let start = game.initial_state()?;
//! assert_eq!(game.legal_moves(&start, "xplayer")?.len(), 9);
//! let next = game.play(&start, &["(mark 2 2)", "noop"])?;
//! assert!(game.fluents(&next).contains(&"(cell 2 2 x)".to_owned()));
//! assert!(!game.is_terminal(&next)?);
//! # Ok::<(), flux::workbench::WorkbenchError>(())
//! ```
//!
//! What is not offered here is one step away: [`Workbench::parts`] lends the game, its vocabulary and its reasoner to
//! the functions of the layers.

mod boards;
mod engine;
mod error;
mod exception;
mod explanation;
mod forcing;
mod forms;
mod game_machine;
mod lockstep;
mod series;

use std::collections::BTreeMap;

use crate::analysis::{Analysis, Board, analyze};
use crate::circuit::{PlanningTask, PlayoutBatch, SeriesControl, Simulator, ground};
use crate::decomposition::{self, Effort};
use crate::fluent::{BookStyle, GameAxioms, book, translate};
use crate::gdl::{
    Game, GoalValue, MoveId, Playout, Playouts, Reasoner, RoleId, RuleSheet, State, Statistics,
    Vocabulary, answer_set_program,
};
use crate::limits::Limits;
use crate::prove::{self, Finding, Prover, Question, Subject};
use crate::search::plan::{
    self, Algorithm, Decomposition, Outcome, Problem, Setting, highest_value,
};
use crate::search::versus::{self, Arena};
use crate::syntax::{Diagnostic, Notation, OperatorTable, Source, detect, parse_term};
use crate::term::{Case, Lowering, Prefix, Store, TermId};

pub use engine::{Engine, Player, circuit, small_circuit};
pub use error::WorkbenchError;
pub use exception::exception_in_words;
pub use explanation::{Because, Explanation, Failed, Step, explain};
pub use forcing::decide;
pub use forms::Form;
pub use game_machine::{GameMachine, Query, is_prefix};

/// Joint moves after which a random playout is given up.
const MAX_LENGTH: u64 = 10_000;

/// Playouts that are on their way at once.
const LANES: usize = 512;

/// A game, its terms, and a reasoner that plays it.
#[derive(Clone, Debug)]
pub struct Workbench {
    game: Game,
    vocabulary: Vocabulary,
    player: Player,
    notation: Notation,
    limits: Limits,
    diagnostics: Vec<Diagnostic>,
    /// The kinds of boards, once somebody looked at one.
    boards: Option<Vec<Board>>,
}

/// What the layers take: a game, its vocabulary, a reasoner.
#[derive(Debug)]
pub struct Parts<'w> {
    /// The rules.
    pub game: &'w Game,
    /// The terms, fluents and moves of the game.
    pub vocabulary: &'w mut Vocabulary,
    /// What answers questions about states.
    pub player: &'w mut Player,
}

impl Workbench {
    /// Reads the rules of a game, in prefix or infix notation, and prepares the circuit or, where that is too large,
    /// the evaluator of the rules.
    ///
    /// # Errors
    /// [`WorkbenchError::Unplayable`] if the rules have errors ([`diagnose`] lists them all), or what keeps them from
    /// being evaluated.
    pub fn read(text: &str) -> Result<Self, WorkbenchError> {
        Self::with(Source::new("game", text), Engine::Auto, Limits::default())
    }

    /// The same for a named text, with a reasoner of choice and limits.
    ///
    /// # Errors
    /// As [`Workbench::read`], and if a limit was reached.
    pub fn with(source: Source, engine: Engine, limits: Limits) -> Result<Self, WorkbenchError> {
        let notation = detect(&source);
        let mut store = Store::new();
        let sheet = RuleSheet::read(&mut store, &source, notation, Case::Fold);
        if let Some(error) = sheet.diagnostics.iter().find(|one| one.is_error()) {
            return Err(WorkbenchError::Unplayable {
                first: error.message.clone(),
            });
        }
        let game = Game::new(&mut store, source, sheet.clauses, &limits)?;
        let mut vocabulary = Vocabulary::new(store);
        let player = Player::new(engine, &game, &mut vocabulary, None, &limits)?;
        Ok(Self {
            game,
            vocabulary,
            player,
            notation,
            limits,
            diagnostics: sheet.diagnostics,
            boards: None,
        })
    }

    /// The warnings about the rules, in the order of the text.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The names of the roles, in the order of the rules.
    pub fn roles(&self) -> Vec<String> {
        let roles = self.game.roles().iter();
        roles.map(|&role| self.text(role)).collect()
    }

    /// The state in which the game starts.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`], as with all questions about states.
    pub fn initial_state(&mut self) -> Result<State, WorkbenchError> {
        Ok(self.player.initial_state(&mut self.vocabulary)?)
    }

    /// The fluents that hold in a state, as prefix GDL, in order of their text.
    pub fn fluents(&self, state: &State) -> Vec<String> {
        let fluents = state.fluents();
        let terms = fluents.map(|fluent| self.vocabulary.fluent_term(fluent));
        let mut texts: Vec<String> = terms.map(|term| self.text(term)).collect();
        texts.sort_unstable();
        texts
    }

    /// Whether the game is over in a state.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    pub fn is_terminal(&mut self, state: &State) -> Result<bool, WorkbenchError> {
        Ok(self.player.is_terminal(&mut self.vocabulary, state)?)
    }

    /// The goal value of a role in a state, 0 to 100; none if the rules give none or several.
    ///
    /// # Errors
    /// [`WorkbenchError::NoRole`], [`WorkbenchError::Reasoner`].
    pub fn goal_value(
        &mut self,
        state: &State,
        role: &str,
    ) -> Result<Option<GoalValue>, WorkbenchError> {
        let role = self.role(role)?;
        let goal = self.player.goal(&mut self.vocabulary, state, role)?;
        Ok(goal.value())
    }

    /// The legal moves of a role in a state, as prefix GDL, in a fixed order.
    ///
    /// # Errors
    /// [`WorkbenchError::NoRole`], [`WorkbenchError::Reasoner`].
    pub fn legal_moves(
        &mut self,
        state: &State,
        role: &str,
    ) -> Result<Vec<String>, WorkbenchError> {
        let role = self.role(role)?;
        let mut moves = Vec::new();
        self.player
            .legal_moves(&mut self.vocabulary, state, role, &mut moves)?;
        let terms = moves.into_iter().map(|mv| self.vocabulary.move_term(mv));
        Ok(terms.map(|term| self.text(term)).collect())
    }

    /// The state after a joint move: one legal move for each role, in the order of the roles, in the notation of the
    /// rules or as prefix GDL.
    ///
    /// # Errors
    /// [`WorkbenchError::MoveCount`], [`WorkbenchError::NotAMove`], [`WorkbenchError::Illegal`],
    /// [`WorkbenchError::Reasoner`].
    pub fn play(&mut self, state: &State, joint_move: &[&str]) -> Result<State, WorkbenchError> {
        let roles = self.game.roles().len();
        if joint_move.len() != roles {
            return Err(WorkbenchError::MoveCount {
                given: joint_move.len(),
                roles,
            });
        }
        let mut moves = Vec::new();
        let mut legal = Vec::new();
        for (number, text) in joint_move.iter().enumerate() {
            let mv = self.parse_move(text)?;
            let role = RoleId(number as u32);
            self.player
                .legal_moves(&mut self.vocabulary, state, role, &mut legal)?;
            if !legal.contains(&mv) {
                return Err(WorkbenchError::Illegal {
                    mv: self.text(self.vocabulary.move_term(mv)),
                    role: self.text(self.game.roles()[number]),
                });
            }
            moves.push(mv);
        }
        Ok(self.player.successor(&mut self.vocabulary, state, &moves)?)
    }

    /// A random playout; the same number gives the same one.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    ///
    /// # Examples
    /// ```
    /// use flux::gdl::Ending;
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let playout = game.playout(7)?;
    /// assert!((5..=9).contains(&playout.length) && matches!(playout.ending, Ending::Terminal(_)));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn playout(&mut self, number: u64) -> Result<Playout, WorkbenchError> {
        let roles = self.game.roles().len() as u32;
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        let mut playouts = Playouts::new(player, vocabulary, roles, 0, MAX_LENGTH)?;
        Ok(playouts.run(player, vocabulary, number)?)
    }

    /// The instances of a condition that hold in a state: for each, its variables with their values, as prefix GDL; each
    /// once, in order of discovery. A condition without variables has one answer, without values, if it holds.
    ///
    /// The condition is one that a rule may have, in the notation of the rules or as prefix GDL; several stand in `and`.
    ///
    /// # Errors
    /// [`WorkbenchError::NotACondition`]; [`WorkbenchError::Game`] if nothing binds a variable of a `distinct`.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let start = game.initial_state()?;
    /// let free = game.query(&start, "(and (true (cell 2 ?y b)) (not (true (cell 1 ?y x))))")?;
    /// assert_eq!(free.len(), 3);
    /// assert_eq!(free[0]["y"], "1");
    /// assert!(game.query(&start, "terminal")?.is_empty());
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn query(
        &mut self,
        state: &State,
        condition: &str,
    ) -> Result<Vec<BTreeMap<String, String>>, WorkbenchError> {
        let (condition, names) = self.parse(condition).ok_or(WorkbenchError::NotACondition {
            text: condition.to_owned(),
        })?;
        let vocabulary = &mut self.vocabulary;
        let mut query = self.game.query(vocabulary, condition, &self.limits)?;
        let answers = query.answers(vocabulary, state)?;
        let named = |answer: Box<[TermId]>| {
            let values = answer.iter().map(|&value| self.text(value));
            let variables = query.variables().iter();
            let names = variables.map(|&variable| names[variable as usize].clone());
            names.zip(values).collect()
        };
        Ok(answers.into_iter().map(named).collect())
    }

    /// How so many random playouts go: how many end, what each role gets, how long they are. Many at once where the
    /// circuit plays; the same seed gives the same.
    ///
    /// # Errors
    /// [`WorkbenchError::Reasoner`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let statistics = game.playouts(10_000, 1)?;
    /// assert_eq!(statistics.finished, 10_000);
    /// assert!(statistics.payoffs[0].mean() > statistics.payoffs[1].mean());
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn playouts(&mut self, number: u64, seed: u64) -> Result<Statistics, WorkbenchError> {
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        if let Some(circuit) = player.circuit() {
            let batch = PlayoutBatch {
                playouts: number,
                seed,
                max_length: MAX_LENGTH,
            };
            let control = SeriesControl {
                stop: self.limits.stop.clone(),
                ..SeriesControl::default()
            };
            let tally = Simulator::new(circuit, vocabulary).run(batch, LANES, &control);
            return Ok(tally.statistics);
        }
        let roles = self.game.roles().len();
        let mut playouts = Playouts::new(player, vocabulary, roles as u32, seed, MAX_LENGTH)?;
        let mut statistics = Statistics::new(roles);
        for number in 0..number {
            statistics.take(&playouts.run(player, vocabulary, number)?);
        }
        Ok(statistics)
    }

    /// The axioms of the fluent calculus that the rules mean.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`].
    pub fn translate(&mut self) -> Result<GameAxioms, WorkbenchError> {
        Ok(translate(&self.game, &mut self.vocabulary, &self.limits)?)
    }

    /// The same as text.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// assert!(game.axioms("blocks world")?.contains("Poss"));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn axioms(&mut self, title: &str) -> Result<String, WorkbenchError> {
        let axioms = self.translate()?;
        Ok(book(
            &axioms,
            self.vocabulary.store(),
            BookStyle::Unicode,
            title,
        ))
    }

    /// The plays of at most so many joint moves as an answer set program for clingo.
    ///
    /// # Errors
    /// [`WorkbenchError::Cases`] if a rule has too many alternatives.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// let program = game.answer_set_program("blocks world", 3)?;
    /// assert!(program.contains("1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), goes_on(T)."));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn answer_set_program(
        &mut self,
        title: &str,
        horizon: u32,
    ) -> Result<String, WorkbenchError> {
        let store = self.vocabulary.store_mut();
        Ok(answer_set_program(&self.game, store, title, horizon)?)
    }

    /// The game as a planning task in PDDL: a domain, a problem for each goal value, and the moves of plans.
    ///
    /// # Errors
    /// [`WorkbenchError::SeveralRoles`], [`WorkbenchError::Uncertain`]; [`WorkbenchError::Ground`] and
    /// [`WorkbenchError::Planning`] if the game is too large, or has no end with a goal value.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/blocks_world.gdl"))?;
    /// let task = game.planning_task("blocks world")?;
    /// assert!(task.domain().contains("(:action s-a-b"));
    /// assert!(task.problem(task.values()[0]).is_some_and(|problem| problem.contains("(:goal")));
    /// assert_eq!(task.moves("(u-c-a)\n(s-b-c)\n(s-a-b)"), Ok(vec!["(u c a)", "(s b c)", "(s a b)"]));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn planning_task(&mut self, title: &str) -> Result<PlanningTask, WorkbenchError> {
        planning_task(&self.game, &mut self.vocabulary, title, &self.limits)
    }

    /// What the game is made of, at the level of detail that says most.
    ///
    /// # Errors
    /// [`WorkbenchError::Translation`], [`WorkbenchError::TooFine`].
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/incredible.gdl"))?;
    /// assert_eq!(game.analyze()?.structure.subgames.len(), 3);
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn analyze(&mut self) -> Result<Analysis, WorkbenchError> {
        let axioms = self.translate()?;
        Ok(analyze(
            &axioms,
            self.vocabulary.store_mut(),
            None,
            &self.limits,
        )?)
    }

    /// The games that the game is made of, in the function that its rules compute, with proofs.
    ///
    /// # Errors
    /// [`WorkbenchError::Ground`] if the rules have too many instances, [`WorkbenchError::Undecomposed`] if the game
    /// is too large otherwise or a limit is reached.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/incredible.gdl"))?;
    /// let found = game.decompose()?;
    /// assert!(found.is_certified());
    /// assert_eq!((found.parts.len(), found.autonomous.len()), (2, 1));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn decompose(&mut self) -> Result<decomposition::Decomposition, WorkbenchError> {
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let circuit = circuit(game, vocabulary, &self.limits, ground::MAX_RULES)?;
        let found = decomposition::decompose(&circuit, &Effort::default(), &self.limits)?;
        Ok(found)
    }

    /// Whether a property holds of the game: one with a name, such as `terminates` or `playable:white`, or a formula.
    ///
    /// # Errors
    /// [`WorkbenchError::Property`] if it is none, [`WorkbenchError::Ground`] if the rules have too many instances.
    /// What limits keep from being found out is [`prove::Verdict::Open`].
    ///
    /// # Examples
    /// ```
    /// use flux::prove::Verdict;
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let finding = game.prove("terminates")?;
    /// assert_eq!((finding.verdict, finding.bound), (Verdict::Proved, Some(9)));
    /// let finding = game.prove("(always (not (and (true (cell 1 1 x)) (true (cell 1 1 o)))))")?;
    /// assert_eq!(finding.verdict, Verdict::Proved);
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn prove(&mut self, property: &str) -> Result<Finding, WorkbenchError> {
        let roles = self.roles();
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let (circuit, rules) = if property == prove::Kind::RulesApply.name() {
            let grounded = prove::ground(game, vocabulary, &self.limits, ground::MAX_RULES)?;
            (grounded.circuit, grounded.rules)
        } else {
            let circuit = circuit(game, vocabulary, &self.limits, ground::MAX_RULES)?;
            (circuit, Vec::new())
        };
        let question = Question::parse(property, &circuit, game.roles(), &roles, vocabulary)?;
        let subject = Subject {
            game,
            circuit: &circuit,
            rules: &rules,
        };
        let effort = prove::Effort::default();
        let questions = [question];
        let mut prover = Prover::new(subject, &questions, vocabulary, effort, &self.limits)?;
        let question = (0, &questions[0]);
        decide(&mut prover, question, (game, vocabulary), &self.limits)
    }

    /// The best plan of a game of one role, and whether nothing is better.
    ///
    /// # Errors
    /// [`WorkbenchError::SeveralRoles`], or what keeps the rules from being translated and analysed. A limit that ends
    /// the search is in the outcome, with the best plan so far.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/hanoi.gdl"))?;
    /// let outcome = game.solve()?;
    /// let plan = outcome.plan.unwrap_or_default();
    /// assert_eq!(outcome.value.map(|value| value.0), Some(100));
    /// assert!(game.plan_text(&plan).iter().all(|mv| mv.starts_with('(')));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn solve(&mut self) -> Result<Outcome, WorkbenchError> {
        let start = self.initial_state()?;
        self.solve_from(start)
    }

    /// The same from another state.
    ///
    /// # Errors
    /// As [`Workbench::solve`].
    pub fn solve_from(&mut self, start: State) -> Result<Outcome, WorkbenchError> {
        for_one_role(&self.game, &self.vocabulary)?;
        let axioms = self.translate()?;
        let (game, vocabulary) = (&self.game, &mut self.vocabulary);
        let analysis = analyze(&axioms, vocabulary.store_mut(), None, &self.limits)?;
        let decomposition = Decomposition::of(game, &axioms, &analysis, vocabulary, &self.limits)?;
        let setting = Setting {
            start,
            highest: highest_value(game, vocabulary.store_mut()),
            states: None,
            undivided: plan::UNDIVIDED,
            limits: self.limits.clone(),
            circuit: self.player.circuit(),
        };
        let problem = Problem::new(&mut self.player, vocabulary, setting);
        Ok(plan::solve(problem, Algorithm::Auto, decomposition))
    }

    /// What each of several roles can force from a state, whatever the others do, and best play of all.
    ///
    /// # Errors
    /// [`WorkbenchError::Uncertain`]. A limit that ends the search is in the outcome, with the bounds so far.
    ///
    /// # Examples
    /// ```
    /// use flux::workbench::Workbench;
    ///
    /// let mut game = Workbench::read(include_str!("../../kb/games/tic_tac_toe.gdl"))?;
    /// let start = game.initial_state()?;
    /// let outcome = game.values(start)?;
    /// assert!(outcome.is_exact());
    /// assert_eq!(outcome.bounds[0].at_least.value().map(|value| value.0), Some(50));
    /// # Ok::<(), flux::workbench::WorkbenchError>(())
    /// ```
    pub fn values(&mut self, start: State) -> Result<versus::Outcome, WorkbenchError> {
        self.versus(start, versus::Algorithm::Auto, false)
    }

    /// What all states that can be reached from one are worth, in a table that can be kept: see
    /// [`ValueTable`](versus::ValueTable). None if they were too many for the limits.
    ///
    /// # Errors
    /// [`WorkbenchError::Uncertain`].
    pub fn value_table(
        &mut self,
        start: State,
    ) -> Result<Option<versus::ValueTable>, WorkbenchError> {
        let outcome = self.versus(start, versus::Algorithm::Strong, true)?;
        Ok(outcome.table)
    }

    fn versus(
        &mut self,
        start: State,
        algorithm: versus::Algorithm,
        is_tabled: bool,
    ) -> Result<versus::Outcome, WorkbenchError> {
        if let Some(uncertainty) = self.game.uncertainty(self.vocabulary.store()) {
            return Err(WorkbenchError::Uncertain(uncertainty));
        }
        let circuit = self.player.circuit();
        let setting = versus::Setting {
            limits: self.limits.clone(),
            is_tabled,
            ..versus::Setting::new(&self.game, &mut self.vocabulary, start, circuit)
        };
        let (player, vocabulary) = (&mut self.player, &mut self.vocabulary);
        let arena = Arena::new(player, vocabulary, setting);
        Ok(versus::solve(arena, algorithm))
    }

    /// The moves of a plan as prefix GDL.
    pub fn plan_text(&self, plan: &[MoveId]) -> Vec<String> {
        let terms = plan.iter().map(|&mv| self.vocabulary.move_term(mv));
        terms.map(|term| self.text(term)).collect()
    }

    /// What the functions of the layers take.
    pub fn parts(&mut self) -> Parts<'_> {
        Parts {
            game: &self.game,
            vocabulary: &mut self.vocabulary,
            player: &mut self.player,
        }
    }

    /// The role of a name.
    ///
    /// # Errors
    /// [`WorkbenchError::NoRole`].
    pub fn role(&self, name: &str) -> Result<RoleId, WorkbenchError> {
        let roles = self.game.roles();
        let found = roles.iter().position(|&role| self.text(role) == name);
        match found {
            Some(number) => Ok(RoleId(number as u32)),
            None => Err(WorkbenchError::NoRole {
                name: name.to_owned(),
            }),
        }
    }

    /// The move that a text means, in the notation of the rules or as prefix GDL; it need not be one of the game.
    ///
    /// # Errors
    /// [`WorkbenchError::NotAMove`] if it is no ground term.
    pub fn parse_move(&mut self, text: &str) -> Result<MoveId, WorkbenchError> {
        match self.parse(text) {
            Some((term, names)) if names.is_empty() => Ok(self.vocabulary.mv(term)),
            _ => Err(WorkbenchError::NotAMove {
                text: text.to_owned(),
            }),
        }
    }

    /// A term in the notation of the rules or in the prefix one, with the names of its variables by number.
    fn parse(&mut self, text: &str) -> Option<(TermId, Vec<String>)> {
        let source = Source::new("term", text);
        let store = self.vocabulary.store_mut();
        [self.notation, Notation::Prefix]
            .into_iter()
            .find_map(|notation| {
                let parsed = parse_term(&source, notation, &OperatorTable::prolog());
                let (document, node) = parsed.ok()?;
                let mut lowering = Lowering::new(&document, &source, Case::Fold);
                let term = lowering.term(store, node);
                let names = lowering.variables().into_iter();
                Some((
                    term,
                    names.map(|name| store.name(name).to_owned()).collect(),
                ))
            })
    }

    fn text(&self, term: TermId) -> String {
        Prefix::new(self.vocabulary.store(), term).to_string()
    }
}

/// The planning task of a game of one role.
///
/// # Errors
/// As [`Workbench::planning_task`].
pub fn planning_task(
    game: &Game,
    vocabulary: &mut Vocabulary,
    title: &str,
    limits: &Limits,
) -> Result<PlanningTask, WorkbenchError> {
    for_one_role(game, vocabulary)?;
    let circuit = circuit(game, vocabulary, limits, ground::MAX_RULES)?;
    Ok(PlanningTask::new(
        &circuit,
        vocabulary.store(),
        title,
        limits,
    )?)
}

/// Refuses games that are not of one role that knows everything.
fn for_one_role(game: &Game, vocabulary: &Vocabulary) -> Result<(), WorkbenchError> {
    if let Some(uncertainty) = game.uncertainty(vocabulary.store()) {
        return Err(WorkbenchError::Uncertain(uncertainty));
    }
    match game.roles().len() {
        1 => Ok(()),
        roles => Err(WorkbenchError::SeveralRoles { roles }),
    }
}

/// Everything that is wrong with a text as the rules of a game, in the order of the text; empty if nothing is.
///
/// # Examples
/// ```
/// let faults = flux::workbench::diagnose("(role robot) (<= terminal (true (step ?n)");
/// assert!(faults.iter().any(|fault| fault.message.contains("never closed") || fault.is_error()));
/// ```
pub fn diagnose(text: &str) -> Vec<Diagnostic> {
    diagnose_source(&Source::new("game", text))
}

/// The same for a named text.
pub fn diagnose_source(source: &Source) -> Vec<Diagnostic> {
    RuleSheet::read(&mut Store::new(), source, detect(source), Case::Fold).diagnostics
}
