//! Atoms that are watched, by the circuit: which of them hold in a state.
//!
//! What [`crate::gdl::Watcher`] asks the rules, for games that can be grounded: most of a state is like
//! the one before, and only what changes is passed on.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::circuit::assemble::{Circuit, Fluent, Payoff};
use crate::circuit::gates::Signal;
use crate::circuit::ground::{Extension, GroundError, ground_with};
use crate::circuit::incremental::{Network, Values};
use crate::circuit::schedule::Phase;
use crate::gdl::{FluentId, Game, State, Vocabulary, Watched};
use crate::limits::Limits;
use crate::term::TermId;

/// Tells which of some atoms hold in a state.
#[derive(Clone, Debug)]
pub struct Watch {
    network: Arc<Network>,
    values: Values,
    /// The atoms, by place in the network.
    atoms: Vec<usize>,
    count: usize,
}

impl Watch {
    /// Watches atoms of a game whose rules have at most so many instances.
    ///
    /// # Errors
    /// [`GroundError`]; the rules can be asked instead.
    pub fn new(
        game: &Game,
        vocabulary: &mut Vocabulary,
        atoms: &[TermId],
        limits: &Limits,
        max_rules: usize,
    ) -> Result<Self, GroundError> {
        let store = vocabulary.store_mut();
        let Watched { predicate, rules } = Watched::of(store, atoms);
        let extension = Extension {
            rules,
            wanted: [predicate].into_iter().collect(),
        };
        let program = ground_with(game, &extension, store, limits, max_rules)?;
        let roles = game.roles().len();
        let (circuit, watched) = Circuit::with_relation(store, &program, roles, predicate)?;
        let atoms_of = |&(number, _): &(TermId, Signal)| Watched::place(store, number);
        let numbers = watched.iter().filter_map(atoms_of).collect();
        // Only atoms that are derived are left; the others never hold.
        let circuit = only(circuit, &watched);
        let fluents = circuit.fluents.iter();
        let fluents: Vec<FluentId> = fluents.map(|f| vocabulary.fluent(f.term)).collect();
        let network = Network::new(&circuit, &fluents);
        Ok(Self {
            values: Values::new(&network),
            network: Arc::new(network),
            atoms: numbers,
            count: atoms.len(),
        })
    }

    /// The places of the atoms that hold in a state.
    pub fn holding(&mut self, state: &State) -> FixedBitSet {
        self.values.enter(&self.network, state);
        self.values.propagate(&self.network, Phase::Goals);
        let mut held = FixedBitSet::with_capacity(self.count);
        let places = self.values.goals(&self.network, 0);
        held.extend(places.map(|place| self.atoms[place]));
        held
    }
}

/// A circuit of which nothing is asked but some signals, which stand in for the payoffs of a role.
fn only(circuit: Circuit, signals: &[(TermId, Signal)]) -> Circuit {
    let payoff = |&(term, signal): &(TermId, Signal)| Payoff {
        term,
        value: None,
        signal,
    };
    // The watched atoms depend on the state alone, so that no next state is needed.
    let fluents = circuit.fluents.into_iter();
    let fluents = fluents.map(|fluent| Fluent {
        next: Signal::FALSE,
        ..fluent
    });
    Circuit {
        gates: circuit.gates,
        fluents: fluents.collect(),
        moves: Vec::new(),
        terminal: Signal::FALSE,
        goals: vec![signals.iter().map(payoff).collect()],
    }
}
