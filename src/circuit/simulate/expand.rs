//! All successors of many states: states that are evaluated, or moves that are made, side by side in lanes.
//!
//! A state is a row of fluents and a lane is a column of states, so that a batch goes in and out by transposing
//! squares of 64 states and 64 fluents. What depends on the state alone is evaluated for each state, to see what
//! is legal, and again for each move, since the move is made in a lane of its own.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::circuit::assemble::Circuit;
use crate::circuit::code::{Code, Slot, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::{Lanes, Signals, and, any, first, none, signals};
use crate::circuit::simulate::machine::{evaluate, payoff, value};
use crate::circuit::simulate::transpose::{Square, transpose};
use crate::gdl::{Expansions, FluentId, Goal, MoveId, State};
use crate::limits::{StopFlag, StopReason};
use crate::term::ones_of_all;

/// Words of a value: 256 lanes.
const WORDS: usize = 4;

/// States that are evaluated, or moves that are made, at once.
pub(in crate::circuit) const LANES: usize = WORDS * 64;

/// Finds successors of batches of states.
#[derive(Clone, Debug)]
pub(in crate::circuit) struct Expander {
    circuit: Arc<Circuit>,
    code: Code,
    values: Signals<WORDS>,
    /// By word and bit of a state, where the fluent is kept, if it is.
    held: Vec<[Option<Slot>; 64]>,
    /// By word and bit of a state, whether the fluent holds next.
    next: Vec<[Wire; 64]>,
    /// The fluents that always hold.
    always: State,
    roles: Vec<Options>,
}

/// What a role may do.
#[derive(Clone, Debug)]
struct Options {
    moves: Vec<MoveId>,
    /// Whether the moves are legal, 64 at a time.
    legal: Vec<[Wire; 64]>,
    /// By move, where it is said that it is made.
    made: Vec<Slot>,
}

impl Options {
    /// The options of a role, given all moves of the role in the circuit.
    fn of(code: &Code, role: usize, moves: &[MoveId]) -> Self {
        let choices = &code.moves[role];
        let own: Vec<MoveId> = choices
            .iter()
            .map(|choice| moves[choice.mv as usize])
            .collect();
        let most = own.iter().map(|mv| mv.index() + 1).max();
        // By id of the move, as joint moves come in ids; a role has few thousand.
        let mut made = vec![Slot::FALSE; most.unwrap_or(0)];
        for (mv, choice) in own.iter().zip(choices) {
            made[mv.index()] = choice.made;
        }
        let legal = choices.chunks(64).map(|choices| {
            let mut wires = [Wire::default(); 64];
            for (wire, choice) in wires.iter_mut().zip(choices) {
                *wire = choice.legal;
            }
            wires
        });
        Self {
            legal: legal.collect(),
            moves: own,
            made,
        }
    }
}

impl Expander {
    /// Prepares a circuit with these fluents and, by role, these moves.
    pub(in crate::circuit) fn new(
        circuit: Arc<Circuit>,
        fluents: &[FluentId],
        moves: &[Vec<MoveId>],
    ) -> Self {
        let code = Code::of(&circuit, true);
        let ids = fluents.iter().map(|fluent| fluent.index() + 1);
        let width = ids.max().unwrap_or(0).div_ceil(64);
        let mut held = vec![[None; 64]; width];
        let mut next = vec![[Wire::default(); 64]; width];
        for register in &code.registers {
            let id = fluents[register.fluent as usize].index();
            held[id / 64][id % 64] = Some(register.slot);
            next[id / 64][id % 64] = register.next;
        }
        let roles = moves.iter().enumerate();
        Self {
            values: signals(code.slots),
            held,
            next,
            always: circuit.always().map(|place| fluents[place]).collect(),
            roles: roles
                .map(|(role, moves)| Options::of(&code, role, moves))
                .collect(),
            circuit,
            code,
        }
    }

    /// Replaces `expansions` by what comes after some states, or after the first of them.
    ///
    /// # Errors
    /// Why it was stopped; then `expansions` is empty.
    pub(in crate::circuit) fn expand(
        &mut self,
        states: &[State],
        expansions: &mut Expansions,
        stop: &StopFlag,
    ) -> Result<(), StopReason> {
        expansions.clear();
        // Two passes: first the states, to see their legal moves; then every joint move of every state, in a lane
        // of its own. A state with 30 joint moves takes 30 lanes in the second.
        let mut rest = states.chunks(LANES);
        let examined = rest.try_for_each(|states| match self.examine(states, expansions) {
            Ok(true) => ControlFlow::Continue(()),
            Ok(false) => ControlFlow::Break(Ok(())),
            Err(reason) => ControlFlow::Break(Err(reason)),
        });
        let examined = examined.break_value().unwrap_or(Ok(()));
        let done = examined.and_then(|()| self.move_on(states, expansions, stop));
        if done.is_err() {
            expansions.clear();
        }
        done
    }

    /// Finds out what is legal in states, at most one a lane, or what they are worth if they are ends; false if not
    /// all found room.
    ///
    /// # Errors
    /// [`StopReason::JointMoveLimit`].
    fn examine(
        &mut self,
        states: &[State],
        expansions: &mut Expansions,
    ) -> Result<bool, StopReason> {
        for (group, states) in states.chunks(64).enumerate() {
            self.load(group, states.iter());
        }
        evaluate(&self.code, Phase::State, &mut self.values);
        let over = value(&self.values, self.code.terminal);
        // Lanes behind the last state hold what was there before.
        let over = and(over, first(states.len() as u64));
        if any(over) {
            evaluate(&self.code, Phase::Goals, &mut self.values);
        }
        let mut legal = vec![Vec::new(); self.roles.len()];
        for (group, states) in states.chunks(64).enumerate() {
            // 64 legal moves in 64 states: transposed, row `lane` has the moves of one state as bits.
            let squares: Vec<Vec<Square>> = self
                .roles
                .iter()
                .map(|role| role.legal.iter().map(|own| self.read(own, group)).collect())
                .collect();
            for lane in 0..states.len() {
                if over[group] >> lane & 1 == 1 {
                    expansions.end(self.payoffs(group * 64 + lane));
                    continue;
                }
                for ((role, squares), legal) in self.roles.iter().zip(&squares).zip(&mut legal) {
                    let words = squares.iter().map(|square| square[lane]);
                    legal.clear();
                    legal.extend(ones_of_all(words).map(|place| role.moves[place]));
                }
                if !expansions.go_on(&legal)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn payoffs(&self, lane: usize) -> impl Iterator<Item = Goal> {
        let roles = self.circuit.goals.iter().zip(&self.code.goals);
        roles.map(move |(own, wires)| payoff(own, wires, &self.values, lane))
    }

    /// Makes all moves, one a lane.
    fn move_on(
        &mut self,
        states: &[State],
        expansions: &mut Expansions,
        stop: &StopFlag,
    ) -> Result<(), StopReason> {
        let mut steps: Vec<(usize, &[MoveId], &mut State)> = expansions.steps_mut(0).collect();
        for steps in steps.chunks_mut(LANES) {
            stop.poll()?;
            for slot in self.code.moves.iter().flatten().map(|choice| choice.made) {
                // The next 256 moves share nothing with the last ones.
                self.values[slot.index()] = none();
            }
            for (group, steps) in steps.chunks(64).enumerate() {
                self.load(group, steps.iter().map(|&(from, ..)| &states[from]));
                for (lane, (_, joint_move, _)) in steps.iter().enumerate() {
                    for (role, mv) in self.roles.iter().zip(*joint_move) {
                        let slot = role.made[mv.index()].index();
                        self.values[slot][group] |= 1 << lane;
                    }
                }
            }
            evaluate(&self.code, Phase::State, &mut self.values);
            evaluate(&self.code, Phase::Next, &mut self.values);
            for (group, steps) in steps.chunks_mut(64).enumerate() {
                self.unload(group, steps.iter_mut().map(|(_, _, next)| &mut **next));
            }
        }
        Ok(())
    }

    /// Puts states into lanes of a word, one each.
    fn load<'s>(&mut self, group: usize, states: impl Iterator<Item = &'s State> + Clone) {
        for (at, held) in self.held.iter().enumerate() {
            let mut square = [0; 64];
            for (row, state) in square.iter_mut().zip(states.clone()) {
                // States are as long as their highest fluent, so words at the end may be missing.
                *row = state.words().get(at).copied().unwrap_or(0);
            }
            transpose(&mut square);
            for (slot, lanes) in held.iter().zip(square) {
                if let Some(slot) = *slot {
                    self.values[slot.index()][group] = lanes;
                }
            }
        }
    }

    /// Takes the next states of lanes of a word.
    fn unload<'s>(&self, group: usize, states: impl Iterator<Item = &'s mut State>) {
        let squares: Vec<Square> = self
            .next
            .iter()
            .map(|next| self.read(next, group))
            .collect();
        let mut words = vec![0; squares.len()];
        // Fluents without a register that always hold have to be put back.
        for (lane, state) in states.enumerate() {
            for (word, square) in words.iter_mut().zip(&squares) {
                *word = square[lane];
            }
            for (word, always) in words.iter_mut().zip(self.always.words()) {
                *word |= always;
            }
            state.set_words(&words);
        }
    }

    /// The values of 64 wires in the lanes of a word, a row a lane.
    fn read(&self, wires: &[Wire; 64], group: usize) -> Square {
        let mut square = wires.map(|wire| word(&self.values, wire, group));
        transpose(&mut square);
        square
    }
}

/// The value of a wire in the lanes of a word.
fn word(values: &[Lanes<WORDS>], wire: Wire, group: usize) -> u64 {
    let value = values[wire.slot.index()][group];
    if wire.inverted { !value } else { value }
}
