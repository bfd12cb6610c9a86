//! A single-player game to be won: what search asks of it, and what that costs.
//!
//! All algorithms ask their questions here, so that computed states are counted, limits are kept
//! and the best plan survives whatever ends the search.

use std::sync::Arc;

use crate::circuit::Circuit;
use crate::gdl::{
    Expansion, Expansions, Goal, GoalValue, MoveId, Reasoner, RoleId, State, Successors, Vocabulary,
};
use crate::limits::{Limits, Stage, StopFlag};
use crate::search::halt::Halt;
use crate::search::plan::outcome::{Counts, Plan, PlanFault, Proof};
use crate::search::plan::replay::{Replay, replay};

/// The player.
const PLAYER: RoleId = RoleId(0);

/// Computed states between two polls of the limits.
const INTERVAL: u64 = 256;

/// Where a state is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// In one subgame.
    Local,
    /// In the whole game.
    Global,
}

/// Where a search starts, what it aims at, and what it may use.
#[derive(Clone, Debug)]
pub struct PlanSetting {
    /// The state in which plans begin.
    pub start: State,
    /// No value is higher, see [`highest_value`](crate::search::plan::highest_value).
    pub highest: GoalValue,
    /// Computed states; none means no bound.
    pub states: Option<u64>,
    /// Computed states before it is asked what `decompose` finds; [`UNDIVIDED`](crate::search::plan::UNDIVIDED)
    /// suits most games.
    pub undivided: u64,
    /// What stops the search from outside, and where it says how far it is.
    pub limits: Limits,
    /// The game as a circuit, if there is one, for planning as satisfiability.
    pub circuit: Option<Arc<Circuit>>,
}

/// A single-player game in search.
pub struct Problem<'p, R> {
    reasoner: &'p mut R,
    vocabulary: &'p mut Vocabulary,
    setting: PlanSetting,
    counts: Counts,
    best: Option<(GoalValue, Plan)>,
    faults: Vec<PlanFault>,
}

impl<'p, R: Reasoner> Problem<'p, R> {
    /// A game that is to be won.
    pub fn new(reasoner: &'p mut R, vocabulary: &'p mut Vocabulary, setting: PlanSetting) -> Self {
        setting.limits.progress.begin(Stage::Searching, None);
        Self {
            reasoner,
            vocabulary,
            setting,
            counts: Counts::default(),
            best: None,
            faults: Vec::new(),
        }
    }

    pub(super) fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    pub(super) fn vocabulary_mut(&mut self) -> &mut Vocabulary {
        self.vocabulary
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    pub(super) fn undivided(&self) -> u64 {
        self.setting.undivided
    }

    pub(super) fn highest(&self) -> GoalValue {
        self.setting.highest
    }

    /// Whether nothing better can be found.
    pub(super) fn is_won(&self) -> bool {
        self.best_value() == Some(self.setting.highest)
    }

    /// Why nothing is better than the best plan: its value is the highest, or the search has shown it otherwise.
    pub(super) fn proof_or(&self, otherwise: Proof) -> Proof {
        if self.is_won() {
            Proof::Highest
        } else {
            otherwise
        }
    }

    pub(super) fn best_value(&self) -> Option<GoalValue> {
        self.best.as_ref().map(|&(value, _)| value)
    }

    pub(super) fn take(self) -> (Option<(GoalValue, Plan)>, Counts, Vec<PlanFault>) {
        (self.best, self.counts, self.faults)
    }

    /// Keeps a plan if it is worth more than the best so far.
    pub(super) fn offer(&mut self, value: GoalValue, plan: impl FnOnce() -> Plan) {
        if self.best_value().is_none_or(|best| value > best) {
            self.best = Some((value, plan()));
            self.setting.limits.progress.found(value.0);
        }
    }

    /// The best plan so far, with its value.
    pub(super) fn best(&self) -> Option<&(GoalValue, Plan)> {
        self.best.as_ref()
    }

    /// Puts a plan of this value in the place of the best.
    pub(super) fn put_best(&mut self, value: GoalValue, plan: Plan) {
        self.best = Some((value, plan));
    }

    /// Forgets the best plan, and looks for one of this value, which is known to be the best.
    pub(super) fn start_over(&mut self, value: GoalValue) {
        self.setting.highest = value;
        self.best = None;
    }

    /// The value of the end to which some moves lead, if all are legal and the game is over after the last;
    /// counts nothing.
    pub(super) fn ends_with(
        &mut self,
        start: &State,
        moves: &[MoveId],
    ) -> Result<Option<GoalValue>, Halt> {
        Ok(
            match replay(self.reasoner, self.vocabulary, start, moves)? {
                Replay::Ends(value) => Some(value),
                Replay::Breaks(_) | Replay::Open => None,
            },
        )
    }

    /// The state behind a legal move; counts nothing.
    pub(super) fn try_move(&mut self, state: &State, mv: MoveId) -> Result<State, Halt> {
        Ok(self.reasoner.successor(self.vocabulary, state, &[mv])?)
    }

    /// Number of moves of the best plan.
    pub(super) fn best_length(&self) -> usize {
        self.best.as_ref().map_or(0, |(_, plan)| plan.len())
    }

    pub(super) fn circuit(&self) -> Option<&Arc<Circuit>> {
        self.setting.circuit.as_ref()
    }

    pub(super) fn stop(&self) -> StopFlag {
        self.setting.limits.stop.clone()
    }

    pub(super) fn start(&self) -> &State {
        &self.setting.start
    }

    pub(super) fn is_terminal(&mut self, state: &State) -> Result<bool, Halt> {
        Ok(self.reasoner.is_terminal(self.vocabulary, state)?)
    }

    /// The value of a terminal state; nothing if the rules do not give it one.
    pub(super) fn value(&mut self, state: &State) -> Result<Option<GoalValue>, Halt> {
        let goal = self.reasoner.goal(self.vocabulary, state, PLAYER)?;
        Ok(self.value_of(state, goal))
    }

    fn value_of(&mut self, state: &State, goal: Goal) -> Option<GoalValue> {
        let value = goal.value();
        let is_known = |fault: &PlanFault| matches!(fault, PlanFault::NoValue(..));
        if value.is_none() && !self.faults.iter().any(is_known) {
            self.faults.push(PlanFault::NoValue(state.clone(), goal));
        }
        value
    }

    /// Replaces `moves` by the legal moves.
    pub(super) fn legal_moves(
        &mut self,
        state: &State,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Halt> {
        Ok(self
            .reasoner
            .legal_moves(self.vocabulary, state, PLAYER, moves)?)
    }

    /// Visits a state: keeps the plan to it if the game is over there, and otherwise replaces
    /// `moves` by the legal moves, of which there are none at the end.
    pub(super) fn visit(
        &mut self,
        state: &State,
        moves: &mut Vec<MoveId>,
        plan: impl FnOnce() -> Plan,
    ) -> Result<(), Halt> {
        moves.clear();
        if self.offer_end(state, plan)? {
            return Ok(());
        }
        self.legal_moves(state, moves)?;
        if moves.is_empty() {
            self.note_stuck(state);
        }
        Ok(())
    }

    /// Notes that nothing can be done though the game is not over.
    fn note_stuck(&mut self, state: &State) {
        let is_known = |fault: &PlanFault| matches!(fault, PlanFault::NoLegalMove(_));
        if !self.faults.iter().any(is_known) {
            self.faults.push(PlanFault::NoLegalMove(state.clone()));
        }
    }

    /// How many states should be expanded at once.
    pub(super) fn batch(&self) -> usize {
        self.reasoner.batch()
    }

    /// Replaces `expansions` by what comes after each of some states, or after the first of them where something
    /// is wrong with the next. Successors count when they are visited.
    pub(super) fn expand(
        &mut self,
        states: &[State],
        expansions: &mut Expansions,
    ) -> Result<(), Halt> {
        Ok(self.reasoner.expand(self.vocabulary, states, expansions)?)
    }

    /// Visits a state that was expanded: keeps the plan to it if the game is over there, and gives its
    /// successors otherwise.
    pub(super) fn visit_expanded<'e>(
        &mut self,
        state: &State,
        expansion: Expansion<'e>,
        plan: impl FnOnce() -> Plan,
    ) -> Option<Successors<'e>> {
        match expansion {
            Expansion::End(goals) => {
                let goal = goals.first().cloned().unwrap_or(Goal::Absent);
                if let Some(value) = self.value_of(state, goal) {
                    self.offer(value, plan);
                }
                None
            }
            Expansion::Successors(successors) => {
                if successors.is_empty() {
                    self.note_stuck(state);
                }
                Some(successors)
            }
        }
    }

    /// Computes a state.
    pub(super) fn successor(
        &mut self,
        state: &State,
        mv: MoveId,
        scope: Scope,
    ) -> Result<State, Halt> {
        self.count(scope)?;
        Ok(self.reasoner.successor(self.vocabulary, state, &[mv])?)
    }

    /// Counts a state and polls the limits.
    pub(super) fn count(&mut self, scope: Scope) -> Result<(), Halt> {
        if let Some(most) = self.setting.states
            && self.counts.total() >= most
        {
            return Err(Halt::States(most));
        }
        match scope {
            Scope::Local => self.counts.local += 1,
            Scope::Global => self.counts.global += 1,
        }
        if self.counts.total().is_multiple_of(INTERVAL) {
            let progress = &self.setting.limits.progress;
            progress.reach(self.counts.total());
            self.poll()?;
        }
        Ok(())
    }

    /// Plays a plan and keeps it for what it is worth; says whether it leads to an end.
    pub(super) fn play(&mut self, plan: &Plan) -> Result<bool, Halt> {
        let mut state = self.setting.start.clone();
        for &mv in plan {
            state = self.successor(&state, mv, Scope::Global)?;
        }
        self.offer_end(&state, || plan.clone())
    }

    /// Keeps the plan to a state for what it is worth; says whether the game is over there.
    pub(super) fn offer_end(
        &mut self,
        state: &State,
        plan: impl FnOnce() -> Plan,
    ) -> Result<bool, Halt> {
        if !self.is_terminal(state)? {
            return Ok(false);
        }
        if let Some(value) = self.value(state)? {
            self.offer(value, plan);
        }
        Ok(true)
    }

    /// Polls the limits, where much is done without computing states.
    pub(super) fn poll(&self) -> Result<(), Halt> {
        match self.setting.limits.stop.raised() {
            Some(reason) => Err(reason.into()),
            None => Ok(()),
        }
    }
}
