//! A circuit that is evaluated for states and joint moves of the caller's choice, 256 at once.
//!
//! Playouts and expansions decide by themselves which states they visit. A probe is for questions such as
//! "does the next state change if only this fluent does": the caller sets fluents, reads what is legal, sets
//! moves, and reads the next state, lane by lane.

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::code::{Choice, Code, Slot, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::choose::Chooser;
use crate::circuit::simulate::events::Events;
use crate::circuit::simulate::lanes::{Lanes, Random, Signals, none, signals, without};
use crate::circuit::simulate::machine::{evaluate, value};

/// Words of a value: 256 lanes.
const WORDS: usize = 4;

/// The values of 256 states or moves.
type Values = Lanes<WORDS>;

/// Evaluates a circuit in lanes.
pub(crate) struct Probe {
    code: Code,
    values: Signals<WORDS>,
    /// By place of a fluent, where it is kept and what it is next; none if it always holds.
    fluents: Vec<Option<(Slot, Wire)>>,
    /// By role and place of a move, where to read that it is legal and to write that it is made; none if
    /// it is never legal.
    moves: Vec<Vec<Option<Choice>>>,
    /// By role, the slots of moves that may be made in some lane; none if they may be any.
    written: Vec<Option<Vec<Slot>>>,
    choosers: Vec<Chooser<WORDS>>,
    random: Random<WORDS>,
    /// Made when they are asked for first.
    events: Option<Events>,
}

impl Probe {
    /// Prepares a circuit; choices are drawn from the generator.
    pub(crate) fn new(circuit: &Circuit, generator: &mut Xoshiro256PlusPlus) -> Self {
        let code = Code::of(circuit, true);
        let mut fluents = vec![None; circuit.fluents.len()];
        for register in &code.registers {
            fluents[register.fluent as usize] = Some((register.slot, register.next));
        }
        let mut moves: Vec<Vec<Option<Choice>>> = Vec::new();
        for (own, choices) in circuit.moves.iter().zip(&code.moves) {
            let mut places = vec![None; own.len()];
            for choice in choices {
                places[choice.mv as usize] = Some(*choice);
            }
            moves.push(places);
        }
        Self {
            values: signals(code.slots),
            choosers: code.moves.iter().map(|own| Chooser::new(own)).collect(),
            random: Random::new(generator),
            fluents,
            written: vec![None; moves.len()],
            moves,
            code,
            events: None,
        }
    }

    /// Operations that a state and its successor take.
    pub(crate) fn operations(&self) -> usize {
        self.code.operations
    }

    /// Sets all fluents, by place, and evaluates what depends on the state alone.
    pub(crate) fn enter(&mut self, state: &[Values]) {
        for (fluent, &lanes) in self.fluents.iter().zip(state) {
            // Fluents without a register always hold, or nothing depends on them.
            if let Some((slot, _)) = *fluent {
                self.values[slot.index()] = lanes;
            }
        }
        evaluate(&self.code, Phase::State, &mut self.values);
    }

    /// Where the game is over.
    pub(crate) fn terminal(&self) -> Values {
        value(&self.values, self.code.terminal)
    }

    /// Where a move is legal.
    pub(crate) fn legal(&self, role: usize, mv: usize) -> Values {
        self.moves[role][mv].map_or(none(), |choice| value(&self.values, choice.legal))
    }

    /// Evaluates the payoffs.
    pub(crate) fn score(&mut self) {
        evaluate(&self.code, Phase::Goals, &mut self.values);
    }

    /// Where a role has a payoff, by place in the circuit; [`Probe::score`] comes first.
    pub(crate) fn payoff(&self, role: usize, place: usize) -> Values {
        value(&self.values, self.code.goals[role][place])
    }

    /// Takes all moves of a role back.
    pub(crate) fn clear(&mut self, role: usize) {
        match &mut self.written[role] {
            Some(slots) => {
                for slot in slots.drain(..) {
                    self.values[slot.index()] = none();
                }
            }
            None => {
                for choice in &self.code.moves[role] {
                    self.values[choice.made.index()] = none();
                }
                self.written[role] = Some(Vec::new());
            }
        }
    }

    /// Has a role make a move in some lanes, and no other lanes.
    pub(crate) fn make(&mut self, role: usize, mv: usize, lanes: Values) {
        if let Some(choice) = self.moves[role][mv] {
            self.values[choice.made.index()] = lanes;
            if let Some(slots) = &mut self.written[role] {
                slots.push(choice.made);
            }
        }
    }

    /// Has a role make a legal move in each of some lanes, by chance; the lanes in which it can.
    pub(crate) fn choose(&mut self, role: usize, lanes: Values) -> Values {
        self.written[role] = None;
        let stuck = self.choosers[role].choose(&mut self.values, lanes, &mut self.random);
        without(lanes, stuck)
    }

    /// Where a role makes a move.
    pub(crate) fn made(&self, role: usize, mv: usize) -> Values {
        self.moves[role][mv].map_or(none(), |choice| self.values[choice.made.index()])
    }

    /// Evaluates the next state.
    pub(crate) fn step(&mut self) {
        evaluate(&self.code, Phase::Next, &mut self.values);
    }

    /// Has a role make one move instead of another, or of none, in all lanes, and brings the next state up to date, which
    /// [`Probe::step`] has evaluated before. Fluents whose next values that changes are added to a list; it may name
    /// some twice, and some that are as they were.
    pub(crate) fn exchange(
        &mut self,
        role: usize,
        old: Option<usize>,
        new: usize,
        changed: &mut Vec<u32>,
    ) {
        let events = self.events.get_or_insert_with(|| Events::new(&self.code));
        let moves = [(old, none()), (Some(new), [u64::MAX; WORDS])];
        for (mv, lanes) in moves {
            if let Some(choice) = mv.and_then(|mv| self.moves[role][mv]) {
                events.set(&mut self.values, choice.made, lanes, changed);
                if let Some(slots) = &mut self.written[role] {
                    slots.push(choice.made);
                }
            }
        }
        events.settle(&self.code, &mut self.values, changed);
    }

    /// Where a fluent holds next, by place; [`Probe::step`] comes first.
    pub(crate) fn next(&self, fluent: usize) -> Values {
        match self.fluents[fluent] {
            Some((_, next)) => value(&self.values, next),
            None => [u64::MAX; WORDS],
        }
    }
}
