//! The third reasoner: evaluates the circuit of a game, one state at a time.

use std::sync::Arc;

use crate::circuit::assemble::Circuit;
use crate::circuit::code::{Code, Phase, Slot};
use crate::circuit::simulate::lanes::Lanes;
use crate::circuit::simulate::machine::{evaluate, value};
use crate::engine::StopFlag;
use crate::gdl::{FluentId, Goal, MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary};

/// One state, in the first bit.
type Bit = Lanes<1>;

/// Answers questions about states that some play of the game reaches.
#[derive(Clone, Debug)]
pub struct Evaluator {
    circuit: Arc<Circuit>,
    code: Arc<Code>,
    values: Vec<Bit>,
    /// The fluents of the registers.
    fluents: Vec<FluentId>,
    /// The fluents that hold in all states.
    always: State,
    /// The moves of each role, by place in the code.
    moves: Vec<Vec<MoveId>>,
    /// The state whose consequences are in `values`.
    loaded: Option<State>,
    /// Whether the payoffs were evaluated too.
    scored: bool,
    /// For each move, its place among the moves of a role.
    places: Vec<Vec<Option<u32>>>,
    stop: StopFlag,
}

impl Evaluator {
    /// Prepares a circuit. Nothing more is answered once `stop` is raised.
    pub fn new(circuit: Arc<Circuit>, vocabulary: &mut Vocabulary, stop: StopFlag) -> Self {
        let code = Code::of(&circuit, true);
        let fluent = |place: u32| circuit.fluents[place as usize].term;
        let fluents = code.registers.iter();
        let fluents = fluents
            .map(|register| vocabulary.fluent(fluent(register.fluent)))
            .collect();
        let always = circuit.fluents.iter();
        let always = always.filter(|fluent| fluent.holds.constant() == Some(true));
        let always = always
            .map(|fluent| vocabulary.fluent(fluent.term))
            .collect();
        let mut moves: Vec<Vec<MoveId>> = Vec::new();
        let mut places: Vec<Vec<Option<u32>>> = Vec::new();
        for (role, choices) in code.moves.iter().enumerate() {
            let mut place_of: Vec<Option<u32>> = Vec::new();
            let mut ids = Vec::new();
            for (place, choice) in choices.iter().enumerate() {
                let mv = vocabulary.mv(circuit.moves[role][choice.mv as usize].term);
                if place_of.len() <= mv.index() {
                    place_of.resize(mv.index() + 1, None);
                }
                place_of[mv.index()] = Some(place as u32);
                ids.push(mv);
            }
            moves.push(ids);
            places.push(place_of);
        }
        Self {
            values: vec![[0]; code.slots],
            code: Arc::new(code),
            circuit,
            fluents,
            always,
            moves,
            loaded: None,
            scored: false,
            places,
            stop,
        }
    }

    /// Evaluates what follows from a state.
    fn load(&mut self, state: &State) -> Result<(), ReasonerError> {
        if self.loaded.as_ref() == Some(state) {
            return Ok(());
        }
        if let Some(reason) = self.stop.raised() {
            return Err(ReasonerError::Stopped(reason));
        }
        for (register, &fluent) in self.code.registers.iter().zip(&self.fluents) {
            self.values[register.slot as usize] = bit(state.contains(fluent));
        }
        evaluate(&self.code, Phase::State, &mut self.values);
        self.loaded = Some(state.clone());
        self.scored = false;
        Ok(())
    }

    fn holds(&self, wire: crate::circuit::code::Wire) -> bool {
        value(&self.values, wire)[0] & 1 == 1
    }

    fn make(&mut self, slot: Slot, made: bool) {
        self.values[slot as usize] = bit(made);
    }
}

fn bit(holds: bool) -> Bit {
    [u64::from(holds)]
}

impl Reasoner for Evaluator {
    fn initial_state(&mut self, vocabulary: &mut Vocabulary) -> Result<State, ReasonerError> {
        let initial = self.circuit.fluents.iter().filter(|fluent| fluent.initial);
        Ok(initial
            .map(|fluent| vocabulary.fluent(fluent.term))
            .collect())
    }

    fn is_terminal(&mut self, _: &mut Vocabulary, state: &State) -> Result<bool, ReasonerError> {
        self.load(state)?;
        Ok(self.holds(self.code.terminal))
    }

    fn goal(
        &mut self,
        _: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError> {
        self.load(state)?;
        if !std::mem::replace(&mut self.scored, true) {
            evaluate(&self.code, Phase::Goals, &mut self.values);
        }
        let role = role.0 as usize;
        let payoffs = self.circuit.goals[role].iter().zip(&self.code.goals[role]);
        let had = payoffs.filter(|&(_, &wire)| self.holds(wire));
        let had: Vec<_> = had.map(|(payoff, _)| payoff).collect();
        Ok(match had[..] {
            [] => Goal::Absent,
            [payoff] => payoff
                .value
                .map_or(Goal::NotAValue(payoff.term), Goal::Value),
            _ => Goal::Contradictory(had.iter().map(|payoff| payoff.term).collect()),
        })
    }

    fn legal_moves(
        &mut self,
        _: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.load(state)?;
        moves.clear();
        let role = role.0 as usize;
        let choices = self.code.moves[role].iter().zip(&self.moves[role]);
        let legal = choices.filter(|(choice, _)| self.holds(choice.legal));
        moves.extend(legal.map(|(_, &mv)| mv));
        Ok(())
    }

    fn successor(
        &mut self,
        _: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        self.load(state)?;
        let mut made: Vec<Slot> = Vec::new();
        for (role, mv) in joint_move.iter().enumerate() {
            let place = self.places[role].get(mv.index()).copied().flatten();
            made.extend(place.map(|place| self.code.moves[role][place as usize].made));
        }
        made.iter().for_each(|&slot| self.make(slot, true));
        evaluate(&self.code, Phase::Next, &mut self.values);
        let mut next = self.always.clone();
        for (register, &fluent) in self.code.registers.iter().zip(&self.fluents) {
            if self.holds(register.next) {
                next.insert(fluent);
            }
        }
        made.iter().for_each(|&slot| self.make(slot, false));
        Ok(next)
    }
}
