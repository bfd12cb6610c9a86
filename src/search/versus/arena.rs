//! A game of several roles in search: what search asks of it, and what that costs.

use std::sync::Arc;

use crate::circuit::Circuit;
use crate::gdl::{Expansions, Game, Goal, GoalValue, Reasoner, RoleId, State, Vocabulary};
use crate::limits::{Limits, Stage};
use crate::search::halt::Halt;
use crate::search::versus::packed::{PackedStates, packed_states};
use crate::search::versus::worth::{named_values, payable_values};

/// Something that the rules of a game should not allow, with the first state that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForcingFault {
    /// A role cannot do anything, and the game is not over.
    NoLegalMove(State),
    /// The game is over and the payoff of a role is not one number.
    NoValue(State, RoleId, Goal),
}

/// Where a search starts and what it may use.
#[derive(Clone, Debug)]
pub struct ForcingSetting {
    /// The rules.
    pub game: Game,
    /// The state whose value is asked for.
    pub start: State,
    /// The number of roles.
    pub roles: usize,
    /// The payoffs that are possible, ascending.
    pub values: Vec<GoalValue>,
    /// States that may be expanded; none means no bound.
    pub states: Option<u64>,
    /// What stops the search from outside, and where it says how far it is.
    pub limits: Limits,
    /// The circuit of the game, if there is one.
    pub circuit: Option<Arc<Circuit>>,
    /// Whether strategies are wanted that prove what is found.
    pub is_certified: bool,
    /// Whether a table of the values of all states is wanted.
    pub is_tabled: bool,
}

impl ForcingSetting {
    /// A search from a state, without limits and certificates.
    pub fn new(
        game: &Game,
        vocabulary: &mut Vocabulary,
        start: State,
        circuit: Option<Arc<Circuit>>,
    ) -> Self {
        Self {
            game: game.clone(),
            start,
            roles: game.roles().len(),
            values: match &circuit {
                Some(circuit) => payable_values(circuit),
                None => named_values(game, vocabulary.store_mut()),
            },
            states: None,
            limits: Limits::default(),
            circuit,
            is_certified: false,
            is_tabled: false,
        }
    }
}

impl ForcingSetting {
    /// The states in few bits, if the game has a circuit and they can be packed.
    pub(super) fn packed(&self, vocabulary: &mut Vocabulary) -> Option<PackedStates> {
        packed_states(self.circuit.as_ref()?, vocabulary, &self.limits.stop)
    }
}

/// What a search has cost and found wrong so far, and what it may cost.
pub(super) struct Meter {
    states: Option<u64>,
    pub(super) limits: Limits,
    /// States that were expanded.
    pub(super) expanded: u64,
    pub(super) faults: Vec<ForcingFault>,
}

impl Meter {
    /// Notes that so many states are expanded.
    ///
    /// # Errors
    /// [`Halt`] if a limit is reached.
    pub(super) fn expand(&mut self, states: usize) -> Result<(), Halt> {
        if let Some(most) = self.states
            && self.expanded >= most
        {
            return Err(Halt::States(most));
        }
        self.poll()?;
        self.expanded += states as u64;
        self.limits.progress.reach(self.expanded);
        Ok(())
    }

    /// Stops if somebody asked for it.
    ///
    /// # Errors
    /// [`Halt`] with the reason.
    pub(super) fn poll(&self) -> Result<(), Halt> {
        Ok(self.limits.stop.poll()?)
    }

    /// Notes that roles have no value at an end, if so.
    pub(super) fn note_goals(&mut self, goals: &[Goal], state: impl Fn() -> State) {
        for (role, goal) in (0u32..).zip(goals) {
            if goal.value().is_none() {
                self.note(ForcingFault::NoValue(state(), RoleId(role), goal.clone()));
            }
        }
    }

    /// Notes a fault, the first of each sort.
    pub(super) fn note(&mut self, fault: ForcingFault) {
        let sort = std::mem::discriminant(&fault);
        let mut known = self.faults.iter();
        if !known.any(|known| std::mem::discriminant(known) == sort) {
            self.faults.push(fault);
        }
    }
}

/// A game of several roles in search.
pub struct Arena<'p, R> {
    reasoner: &'p mut R,
    pub(super) vocabulary: &'p mut Vocabulary,
    pub(super) setting: ForcingSetting,
    pub(super) meter: Meter,
    /// The states in few bits, if somebody asked for them and they can be.
    packed: Option<Option<PackedStates>>,
}

impl<'p, R: Reasoner> Arena<'p, R> {
    /// A game whose value is asked for.
    pub fn new(
        reasoner: &'p mut R,
        vocabulary: &'p mut Vocabulary,
        setting: ForcingSetting,
    ) -> Self {
        setting.limits.progress.begin(Stage::Searching, None);
        let meter = Meter {
            states: setting.states,
            limits: setting.limits.clone(),
            expanded: 0,
            faults: Vec::new(),
        };
        Self {
            reasoner,
            vocabulary,
            setting,
            meter,
            packed: None,
        }
    }

    /// The states in few bits, if they can be packed.
    pub(super) fn packed(&mut self) -> Option<PackedStates> {
        let (setting, vocabulary) = (&self.setting, &mut *self.vocabulary);
        let packed = self
            .packed
            .get_or_insert_with(|| setting.packed(vocabulary));
        packed.clone()
    }

    /// Whether the game starts in the state whose value is asked for.
    pub(super) fn is_initial(&mut self) -> bool {
        let start = self.reasoner.initial_state(self.vocabulary);
        start.as_ref() == Ok(&self.setting.start)
    }

    /// Whether two roles may be equal: the game starts in the state whose value is asked for, and they have as many moves
    /// there. Where one of them is to move, they have not.
    pub(super) fn is_even(&mut self) -> bool {
        if self.setting.roles != 2 || !self.is_initial() {
            return false;
        }
        let numbers = [0, 1].map(|role| {
            let (start, mut legal) = (&self.setting.start, Vec::new());
            let moves = self
                .reasoner
                .legal_moves(self.vocabulary, start, RoleId(role), &mut legal);
            moves.is_ok().then_some(legal.len())
        });
        numbers[0] == numbers[1]
    }

    /// How many states should be expanded at once.
    pub(super) fn batch(&self) -> usize {
        self.reasoner.batch()
    }

    /// Replaces `expansions` by what comes after each of some states, or of the first of them.
    ///
    /// # Errors
    /// [`Halt`] if a limit is reached.
    pub(super) fn expand(
        &mut self,
        states: &[State],
        expansions: &mut Expansions,
    ) -> Result<(), Halt> {
        self.reasoner.expand(self.vocabulary, states, expansions)?;
        self.meter.expand(expansions.len())
    }
}
