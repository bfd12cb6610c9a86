//! A game as a sum: its parts, their values, and what follows from these in a state.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::{Circuit, Probe};
use crate::gdl::{FluentId, Reasoner, State};
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::sum::claims;
use crate::search::versus::sum::form::{FormId, Forms, TooLarge};
use crate::search::versus::sum::local::LocalGame;
use crate::search::versus::sum::nimber;
use crate::search::versus::sum::split::Split;
use crate::search::versus::sum::turns::{Turn, turns};
use crate::search::versus::worth::{Bounds, Worth};

/// A game as a sum of parts, whose values are known.
pub(in crate::search::versus) struct Sum {
    /// By part, its fluents.
    fluents: Vec<Vec<FluentId>>,
    games: Vec<LocalGame>,
    /// The fluents of no part.
    outside: Vec<FluentId>,
    turns: Vec<Turn>,
    values: PartValues,
    /// What an end is worth to both roles, by the role that cannot move.
    payoffs: [[Worth; 2]; 2],
}

/// By part, by local state, its value.
enum PartValues {
    Nimbers(Vec<Vec<u32>>),
    Forms(Forms, Vec<Vec<FormId>>),
}

impl PartValues {
    fn of(games: &[LocalGame]) -> Option<Self> {
        let orders: Option<Vec<Vec<usize>>> = games.iter().map(LocalGame::order).collect();
        let orders = orders?;
        let parts = games.iter().zip(&orders);
        let nimbers = parts
            .clone()
            .map(|(game, order)| nimber::values(game, order));
        if let Some(nimbers) = nimbers.collect() {
            return Some(PartValues::Nimbers(nimbers));
        }
        // Roles with options of their own: values are games, not numbers.
        let mut forms = Forms::new();
        let values = parts.map(|(game, order)| forms.values(game, order).ok());
        let values: Option<Vec<Vec<FormId>>> = values.collect();
        Some(PartValues::Forms(forms, values?))
    }

    /// Whether a role that moves first wins the sum of local states, one a part.
    fn is_won(&mut self, states: &[usize], mover: usize) -> Result<bool, TooLarge> {
        match self {
            PartValues::Nimbers(values) => {
                let values = values.iter().zip(states);
                Ok(values.fold(0, |sum, (values, &state)| sum ^ values[state]) != 0)
            }
            PartValues::Forms(forms, values) => {
                let mut sum = Forms::ZERO;
                for (values, &state) in values.iter().zip(states) {
                    sum = forms.sum(sum, values[state])?;
                }
                forms.is_won(sum, mover)
            }
        }
    }
}

impl Sum {
    /// Takes a game apart and finds the values of its parts; none if it is no such sum.
    ///
    /// # Errors
    /// [`Halt`] if a limit is reached.
    pub(in crate::search::versus) fn of<R: Reasoner>(
        arena: &mut Arena<'_, R>,
    ) -> Result<Option<Self>, Halt> {
        let Some(circuit) = arena.setting.circuit.clone() else {
            return Ok(None);
        };
        let sum = Self::of_circuit(arena, &circuit)?;
        arena.meter.poll()?;
        Ok(sum)
    }

    fn of_circuit<R: Reasoner>(
        arena: &mut Arena<'_, R>,
        circuit: &Arc<Circuit>,
    ) -> Result<Option<Self>, Halt> {
        let Some(split) = Split::of(circuit, &arena.setting.limits)? else {
            return Ok(None);
        };
        let fluents = circuit.fluents.iter();
        let ids: Vec<FluentId> = fluents
            .map(|fluent| arena.vocabulary.fluent(fluent.term))
            .collect();
        let start = ids.iter().map(|&id| arena.setting.start.contains(id));
        let start: Vec<bool> = start.collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut probe = Probe::new(circuit, &mut random);
        let Some(turns) = turns(&split, &mut probe, &start) else {
            return Ok(None);
        };
        let mut games = Vec::new();
        for part in 0..split.parts.len() {
            let with = (&mut probe, &start[..]);
            match LocalGame::explore(&split, part, &turns, with, &mut arena.meter)? {
                Some(game) => games.push(game),
                None => return Ok(None),
            }
        }
        let Some(values) = PartValues::of(&games) else {
            return Ok(None);
        };
        let stop = &arena.setting.limits.stop;
        let Some(payoffs) = claims::payoffs(&split, &turns, &games, stop) else {
            return Ok(None);
        };
        // Whoever cannot move loses: both roles get more where the other one cannot.
        if payoffs[1][0] <= payoffs[0][0] || payoffs[0][1] <= payoffs[1][1] {
            return Ok(None);
        }
        let of = |places: &[usize]| places.iter().map(|&place| ids[place]).collect();
        Ok(Some(Self {
            fluents: split.parts.iter().map(|part| of(part)).collect(),
            outside: of(&split.outside),
            games,
            turns,
            values,
            payoffs,
        }))
    }

    /// What both roles can force in a state; none if it is not a state of the sum, or values grow too large.
    pub(in crate::search::versus) fn bounds(&mut self, state: &State) -> Option<[Bounds; 2]> {
        let holds = |fluents: &[FluentId]| -> Vec<bool> {
            fluents.iter().map(|&id| state.contains(id)).collect()
        };
        let outside = holds(&self.outside);
        let turn = self.turns.iter().find(|turn| turn.holds == outside)?;
        let parts = self.fluents.iter().zip(&self.games);
        let locals = parts.map(|(fluents, game)| game.states.get_index_of(&holds(fluents)));
        let locals: Option<Vec<usize>> = locals.collect();
        let is_won = self.values.is_won(&locals?, turn.mover).ok()?;
        // The payoffs are those of an end at which the loser is to move.
        let loser = if is_won { 1 - turn.mover } else { turn.mover };
        Some(self.payoffs[loser].map(Bounds::exactly))
    }

    /// What both roles get at ends, by the role that cannot move.
    pub(in crate::search::versus) fn payoffs(&self) -> [[Worth; 2]; 2] {
        self.payoffs
    }
}
