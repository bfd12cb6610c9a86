//! The third reasoner: passes on what changes from state to state through the circuit of a game.

use std::sync::Arc;

use crate::circuit::assemble::{Circuit, Payoff};
use crate::circuit::incremental::{Network, Values};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::expand::{Expander, LANES};
use crate::gdl::{
    Expansions, FluentId, Goal, MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary,
    one_by_one,
};
use crate::limits::StopFlag;

/// Answers questions about states that some play of the game reaches.
#[derive(Clone, Debug)]
pub struct Evaluator {
    circuit: Arc<Circuit>,
    network: Arc<Network>,
    values: Values,
    initial: State,
    /// The moves of each role, by place in the circuit.
    moves: Vec<Vec<MoveId>>,
    /// For each role and move, the place of the move among those of the role.
    places: Vec<Vec<Option<u32>>>,
    /// For each role, the place of the move that is made in the network.
    made: Vec<Option<u32>>,
    /// The fluents, by place in the circuit.
    fluents: Vec<FluentId>,
    /// What expands batches of states, once there was one.
    expander: Option<Box<Expander>>,
    stop: StopFlag,
}

/// Fewer states are expanded one by one.
const FEW: usize = 16;

impl Evaluator {
    /// Prepares a circuit. Nothing more is answered once `stop` is raised.
    pub fn new(circuit: Arc<Circuit>, vocabulary: &mut Vocabulary, stop: StopFlag) -> Self {
        let ids = circuit.fluents.iter();
        let ids: Vec<FluentId> = ids.map(|fluent| vocabulary.fluent(fluent.term)).collect();
        let initial = circuit.fluents.iter().zip(&ids);
        let initial = initial.filter(|(fluent, _)| fluent.initial);
        let mut moves: Vec<Vec<MoveId>> = Vec::new();
        let mut places: Vec<Vec<Option<u32>>> = Vec::new();
        for own in &circuit.moves {
            let own = own.iter().map(|mv| vocabulary.mv(mv.term));
            let own: Vec<MoveId> = own.collect();
            let most = own.iter().map(|mv| mv.index() + 1).max();
            let mut place_of = vec![None; most.unwrap_or(0)];
            for (place, mv) in own.iter().enumerate() {
                place_of[mv.index()] = Some(place as u32);
            }
            moves.push(own);
            places.push(place_of);
        }
        let network = Network::new(&circuit, &ids);
        let mut values = Values::new(&network);
        values.propagate(&network, Phase::State);
        Self {
            initial: initial.map(|(_, &id)| id).collect(),
            values,
            network: Arc::new(network),
            made: vec![None; moves.len()],
            moves,
            places,
            circuit,
            fluents: ids,
            expander: None,
            stop,
        }
    }

    /// The circuit.
    pub fn circuit(&self) -> Arc<Circuit> {
        Arc::clone(&self.circuit)
    }

    /// Brings what is asked of a state up to date.
    fn load(&mut self, state: &State) -> Result<(), ReasonerError> {
        if self.values.is_in(state) {
            return Ok(());
        }
        self.stop.poll()?;
        self.values.enter(&self.network, state);
        self.values.propagate(&self.network, Phase::State);
        Ok(())
    }
}

impl Reasoner for Evaluator {
    fn initial_state(&mut self, _: &mut Vocabulary) -> Result<State, ReasonerError> {
        Ok(self.initial.clone())
    }

    fn is_terminal(&mut self, _: &mut Vocabulary, state: &State) -> Result<bool, ReasonerError> {
        self.load(state)?;
        Ok(self.values.is_terminal(&self.network))
    }

    fn goal(
        &mut self,
        _: &mut Vocabulary,
        state: &State,
        role: RoleId,
    ) -> Result<Goal, ReasonerError> {
        self.load(state)?;
        self.values.propagate(&self.network, Phase::Goals);
        let role = role.0 as usize;
        let payoffs = &self.circuit.goals[role];
        let had = self.values.goals(&self.network, role);
        Ok(Payoff::goal(had.map(|place| &payoffs[place])))
    }

    fn legal_moves(
        &mut self,
        _: &mut Vocabulary,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), ReasonerError> {
        self.load(state)?;
        let role = role.0 as usize;
        let own = &self.moves[role];
        let legal = self.values.legal(&self.network, role);
        moves.clear();
        moves.extend(legal.map(|place| own[place]));
        Ok(())
    }

    fn successor(
        &mut self,
        _: &mut Vocabulary,
        state: &State,
        joint_move: &[MoveId],
    ) -> Result<State, ReasonerError> {
        self.load(state)?;
        // Only roles whose move differs from the last joint move change anything.
        for (role, mv) in joint_move.iter().enumerate() {
            let place = self.places[role].get(mv.index()).copied().flatten();
            let before = std::mem::replace(&mut self.made[role], place);
            if before != place {
                // The old one goes first: two moves of one role at once would be a third joint move.
                for (place, made) in [(before, false), (place, true)] {
                    if let Some(place) = place {
                        self.values.set_move(&self.network, role, place, made);
                    }
                }
            }
        }
        self.values.propagate(&self.network, Phase::Next);
        Ok(State::of_words(self.values.next(&self.network).to_vec()))
    }

    fn batch(&self) -> usize {
        LANES
    }

    fn expand(
        &mut self,
        vocabulary: &mut Vocabulary,
        states: &[State],
        expansions: &mut Expansions,
    ) -> Result<(), ReasonerError> {
        if states.len() < FEW {
            return one_by_one(self, vocabulary, states, expansions);
        }
        let expander = self.expander.get_or_insert_with(|| {
            let circuit = Arc::clone(&self.circuit);
            Box::new(Expander::new(circuit, &self.fluents, &self.moves))
        });
        let done = expander.expand(states, expansions, &self.stop);
        done.map_err(ReasonerError::Stopped)
    }
}
