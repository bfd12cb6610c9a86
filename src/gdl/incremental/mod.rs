//! The reasoner that keeps what follows from the state up to date while the state changes.
//!
//! It asks the rules as [`Tabled`] does, but some predicates are maintained: their answers are
//! rows that change with the state. Which ones is found out by trying, see [`choice`]; before,
//! rules are split into what changes with every move and what lasts, see [`split`].

mod choice;
mod split;

use rustc_hash::FxHashSet;

use crate::gdl::changes::Change;
use crate::gdl::error::{GameError, ReasonerError};
use crate::gdl::goal::{Goal, RoleId};
use crate::gdl::incremental::choice::{Practice, Trial};
use crate::gdl::incremental::split::{Nature, Split};
use crate::gdl::reasoner::Reasoner;
use crate::gdl::state::State;
use crate::gdl::tabled::Tabled;
use crate::gdl::vocabulary::{MoveId, Vocabulary};
use crate::limits::Limits;
use crate::rules::Unmaintained;
use crate::term::{Clause, DependencyGraph, Functor, TermId};

/// Evaluates the rules of a game and maintains some of its predicates.
#[derive(Clone, Debug)]
pub struct Incremental {
    tabled: Tabled,
    refusals: Vec<Unmaintained>,
}

/// The rules of a game, and how they are evaluated.
pub(super) struct GameRules<'g> {
    pub(super) clauses: &'g [Clause],
    /// Predicates that give the changes of a move, if successors are found by these.
    pub(super) changes: Option<&'g [Change]>,
    pub(super) roles: &'g [TermId],
    pub(super) limits: &'g Limits,
}

impl GameRules<'_> {
    /// The evaluation of a version of the rules, without maintenance.
    fn evaluation(
        &self,
        vocabulary: &mut Vocabulary,
        clauses: Vec<Clause>,
    ) -> Result<Tabled, GameError> {
        let store = vocabulary.store_mut();
        let mut tabled = Tabled::new(store, clauses, self.roles.to_vec(), self.limits.clone())?;
        tabled.materialize(store)?;
        if let Some(changes) = self.changes {
            tabled.progress_by(changes);
        }
        Ok(tabled)
    }

    /// The trials on a version of the rules.
    fn trial<'t>(
        &self,
        tabled: &'t mut Tabled,
        vocabulary: &'t mut Vocabulary,
        graph: &'t DependencyGraph,
        practice: Practice,
    ) -> Trial<'t> {
        Trial {
            tabled,
            vocabulary,
            graph,
            roles: self.roles.len() as u32,
            practice,
            refusals: Vec::new(),
        }
    }

    /// All splits of the rules, when fluents of these functors last for one state only.
    fn splits(
        &self,
        vocabulary: &mut Vocabulary,
        graph: &DependencyGraph,
        volatile: &FxHashSet<Functor>,
    ) -> Vec<Split> {
        let store = vocabulary.store_mut();
        let state = Functor {
            symbol: store.symbol("true"),
            arity: 1,
        };
        let moves = Functor {
            symbol: store.symbol("does"),
            arity: 2,
        };
        let nature = Nature {
            graph,
            state,
            moves,
            volatile,
        };
        split::splits(store, self.clauses, &nature)
    }
}

impl Incremental {
    /// Finds out which predicates to maintain. Who is interrupted meanwhile, by the stop flag of
    /// the limits, plays without maintenance.
    pub(super) fn new(
        vocabulary: &mut Vocabulary,
        rules: &GameRules<'_>,
    ) -> Result<Self, GameError> {
        // Three versions of the rules: as they are (what is played if maintenance does not pay), with all splits,
        // and with those splits whose part turns out to be maintained.
        let mut plain = rules.evaluation(vocabulary, rules.clauses.to_vec())?;
        let graph = DependencyGraph::of(vocabulary.store(), rules.clauses);
        let mut trial = rules.trial(&mut plain, vocabulary, &graph, Practice::default());
        // Interrupted: no more time is spent on trials.
        let Some(volatile) = trial.volatile() else {
            return Ok(Self::unmaintained(plain));
        };
        let practice = trial.practice;
        let splits = rules.splits(vocabulary, &graph, &volatile);
        let all_split = split::apply(rules.clauses, &splits);
        let graph = DependencyGraph::of(vocabulary.store(), &all_split);
        let mut tabled = if splits.is_empty() {
            plain.clone()
        } else {
            rules.evaluation(vocabulary, all_split)?
        };
        let mut trial = rules.trial(&mut tabled, vocabulary, &graph, practice);
        let Some(chosen) = trial.choose() else {
            return Ok(Self::unmaintained(plain));
        };
        let refusals = trial.refusals;
        // A split costs a look-up for each answer; it pays only where its part is kept as rows.
        // A part that is not maintained is better off in its rule.
        let kept = |split: &&Split| chosen.contains(&split.part);
        if !splits.iter().all(|split| kept(&split)) {
            let some_split = split::apply(rules.clauses, splits.iter().filter(kept));
            tabled = rules.evaluation(vocabulary, some_split)?;
        }
        match tabled.maintain(vocabulary.store_mut(), &chosen) {
            Ok(()) => Ok(Self { tabled, refusals }),
            Err(_) => Ok(Self::unmaintained(plain)),
        }
    }

    fn unmaintained(tabled: Tabled) -> Self {
        Self {
            tabled,
            refusals: Vec::new(),
        }
    }

    /// The predicates that are maintained, callees first.
    pub fn maintained(&self) -> Vec<Functor> {
        self.tabled.rules().maintained()
    }

    /// The predicates that cannot be maintained or need too much room or work, and why.
    pub fn refusals(&self) -> &[Unmaintained] {
        &self.refusals
    }
}

impl Reasoner for Incremental {
    fn initial_state(&mut self, vocabulary: &mut Vocabulary) -> Result<State, ReasonerError> {
        self.tabled.initial_state(vocabulary)
    }

    fn is_terminal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<bool, ReasonerError> {
        self.tabled.is_terminal(vocabulary, state)
    }

    fn goal(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError> {
        self.tabled.goal(vocabulary, state, role)
    }

    fn legal_moves(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.tabled.legal_moves(vocabulary, state, role, moves)
    }

    fn successor(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        self.tabled.successor(vocabulary, state, joint_move)
    }
}
