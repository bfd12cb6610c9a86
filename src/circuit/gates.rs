//! Gates: conjunctions of signals, each of which exists once.
//!
//! A signal is a gate or its inverse, so that conjunctions are enough: `a ∨ b = ¬(¬a ∧ ¬b)`. Gates
//! have any number of inputs, and inputs have smaller numbers than the gate; only the variables of a
//! loop are given their definitions later.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::Not;

use fixedbitset::FixedBitSet;
use rustc_hash::FxBuildHasher;

use crate::circuit::grouped::range;
use crate::term::{Places, Tag};

/// A gate or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Signal(u32);

impl Signal {
    /// What is never true.
    pub const FALSE: Signal = Signal(0);
    /// What is always true.
    pub const TRUE: Signal = Signal(1);

    /// Stands for a signal that is not known.
    pub(super) const NONE: Signal = Signal(u32::MAX);

    /// The output of a gate.
    pub(super) fn of(gate: usize) -> Self {
        Self((gate as u32) << 1)
    }

    /// The gate.
    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the inverse of the gate's output.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// The constant that it is, if it is one.
    pub fn constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self.is_inverted())
    }

    /// The same signal, inverted if a condition holds.
    #[must_use]
    pub fn inverted_if(self, condition: bool) -> Self {
        Self(self.0 ^ u32::from(condition))
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// What a gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Is false; the first gate, and only it.
    False,
    /// Gives a fluent of the state, by place.
    Fluent(u32),
    /// Gives a move of the joint move: the number of the role, and that of the move among those of all roles.
    Move(u32, u32),
    /// Gives a variable of a loop: the number of the loop, and of the variable in it.
    Variable(u32, u32),
    /// Is true if all its inputs are.
    And,
}

/// Atoms that depend on each other: their values are the least ones that satisfy the definitions.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// The gates that give the values.
    pub variables: Vec<usize>,
    /// What each of them must equal.
    pub definitions: Vec<Signal>,
}

/// Gates, inputs first.
#[derive(Clone, Debug)]
pub struct Gates {
    gates: Vec<Gate>,
    /// Where the inputs of each gate end.
    ends: Vec<u32>,
    inputs: Vec<Signal>,
    /// The conjunctions by inputs.
    known: Places,
    /// For each role, the gates of its moves: in every joint move, exactly one is true.
    moves: Vec<Vec<usize>>,
    pub(super) loops: Vec<Loop>,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            gates: vec![Gate::False],
            ends: vec![0],
            inputs: Vec::new(),
            known: Places::default(),
            moves: Vec::new(),
            loops: Vec::new(),
        }
    }
}

impl Gates {
    /// Number of gates; the numbers of gates run from 0 to this.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there is no gate, which is never so.
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// What a gate does.
    pub fn gate(&self, gate: usize) -> Gate {
        self.gates[gate]
    }

    /// The inputs of a gate, ascending, each once.
    pub fn inputs(&self, gate: usize) -> &[Signal] {
        &self.inputs[range(&self.ends, gate)]
    }

    /// The gates from which some signals are computed, their own among them.
    pub(crate) fn cone(&self, signals: impl Iterator<Item = Signal>) -> FixedBitSet {
        let mut cone = FixedBitSet::with_capacity(self.len());
        cone.extend(signals.map(Signal::gate));
        // Inputs of a gate come before it.
        for gate in (0..self.len()).rev() {
            if cone.contains(gate) {
                cone.extend(self.inputs(gate).iter().map(|input| input.gate()));
            }
        }
        cone
    }

    /// The loops.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// Number of inputs of all gates.
    pub fn edges(&self) -> usize {
        self.inputs.len()
    }

    /// Adds a gate that is no conjunction.
    pub(super) fn source(&mut self, gate: Gate) -> Signal {
        self.gates.push(gate);
        self.ends.push(self.inputs.len() as u32);
        Signal::of(self.gates.len() - 1)
    }

    /// Adds the gate of a fluent more.
    pub(crate) fn fluent(&mut self, number: u32) -> Signal {
        self.source(Gate::Fluent(number))
    }

    /// Adds the gate of a move of a role.
    pub(super) fn source_move(&mut self, role: u32, mv: u32) -> Signal {
        let signal = self.source(Gate::Move(role, mv));
        if self.moves.len() <= role as usize {
            self.moves.resize(role as usize + 1, Vec::new());
        }
        self.moves[role as usize].push(signal.gate());
        signal
    }

    /// The role of a move's gate.
    fn role(&self, gate: usize) -> Option<u32> {
        match self.gates[gate] {
            Gate::Move(role, _) => Some(role),
            Gate::False | Gate::Fluent(_) | Gate::Variable(..) | Gate::And => None,
        }
    }

    /// Whether a signal is a move's, not inverted.
    pub(super) fn is_move(&self, signal: Signal) -> bool {
        !signal.is_inverted() && self.role(signal.gate()).is_some()
    }

    /// The disjunction of signals, which are used up.
    pub(crate) fn or(&mut self, signals: &mut Vec<Signal>) -> Signal {
        signals.iter_mut().for_each(|signal| *signal = !*signal);
        !self.and(signals)
    }

    /// The conjunction of signals, which are used up.
    pub(crate) fn and(&mut self, signals: &mut Vec<Signal>) -> Signal {
        // Ascending order brings a signal and its inverse side by side, and the constants to the front.
        signals.sort_unstable();
        signals.dedup();
        let contradicts = |pair: &[Signal]| pair[0].gate() == pair[1].gate();
        if signals.first() == Some(&Signal::FALSE) || signals.windows(2).any(contradicts) {
            return Signal::FALSE;
        }
        signals.retain(|&signal| signal != Signal::TRUE);
        if signals
            .iter()
            .any(|signal| self.role(signal.gate()).is_some())
            && self.choose(signals)
        {
            return Signal::FALSE;
        }
        match signals[..] {
            [] => Signal::TRUE,
            [signal] => signal,
            _ => self.conjunction(signals),
        }
    }

    /// Makes use of it that every role makes exactly one move. True if the conjunction is false.
    fn choose(&mut self, signals: &mut Vec<Signal>) -> bool {
        for role in 0..self.moves.len() {
            // Sorted again after each role, since what replaces its moves is appended.
            let own = |signal: &Signal| self.role(signal.gate()) == Some(role as u32);
            signals.sort_unstable();
            let mut made = signals
                .iter()
                .filter(|signal| own(signal) && !signal.is_inverted());
            match (made.next().copied(), made.next()) {
                // Two moves of one role in one joint move: never.
                (Some(_), Some(_)) => return true,
                (Some(made), None) => {
                    // That no other move is made goes without saying.
                    signals.retain(|signal| {
                        *signal == made || self.role(signal.gate()) != Some(role as u32)
                    });
                }
                (None, _) => {
                    // not a, not b, not c of four moves is "d": shorter from half of them on.
                    let negated = signals.iter().filter(|signal| own(signal)).count();
                    if 2 * negated > self.moves[role].len() {
                        self.admit(role, signals);
                        // No other move is left: the role would make none.
                        if signals.contains(&Signal::FALSE) {
                            return true;
                        }
                    }
                }
            }
        }
        signals.sort_unstable();
        false
    }

    /// Replaces moves of a role that are not made by the few others, one of which is made.
    fn admit(&mut self, role: usize, signals: &mut Vec<Signal>) {
        // Both are in ascending order.
        let negated: Vec<usize> = signals.iter().map(|signal| signal.gate()).collect();
        let others = self.moves[role].iter();
        let others = others.filter(|gate| negated.binary_search(gate).is_err());
        let mut none: Vec<Signal> = others.map(|&gate| !Signal::of(gate)).collect();
        none.sort_unstable();
        signals.retain(|signal| self.role(signal.gate()) != Some(role as u32));
        let admitted = match none[..] {
            [] => Signal::FALSE,
            [one] => !one,
            _ => !self.conjunction(&none),
        };
        signals.push(admitted);
    }

    /// The conjunction of signals, ascending, as gates of at most so many inputs.
    pub(super) fn narrow_and(&mut self, signals: &mut Vec<Signal>, most: usize) -> Signal {
        signals.sort_unstable();
        signals.dedup();
        // A balanced tree: chunks of inputs become gates, and those the inputs of the next level.
        while signals.len() > most {
            let parts = signals.chunks(most);
            let parts: Vec<Vec<Signal>> = parts.map(<[Signal]>::to_vec).collect();
            signals.clear();
            for part in parts {
                signals.push(match part[..] {
                    [signal] => signal,
                    _ => self.conjunction(&part),
                });
            }
        }
        match signals[..] {
            [] => Signal::TRUE,
            [signal] => signal,
            _ => self.conjunction(signals),
        }
    }

    fn conjunction(&mut self, signals: &[Signal]) -> Signal {
        let tag = tag(signals);
        // Structural hashing: equal conjunctions are one gate.
        if let Some(gate) = self.known.find(tag, |gate| self.inputs(gate) == signals) {
            return Signal::of(gate);
        }
        let gate = self.gates.len();
        self.gates.push(Gate::And);
        self.inputs.extend_from_slice(signals);
        self.ends.push(self.inputs.len() as u32);
        self.known.insert(tag, gate);
        Signal::of(gate)
    }
}

fn tag(signals: &[Signal]) -> Tag {
    let mut hasher = FxBuildHasher.build_hasher();
    signals.iter().for_each(|signal| signal.hash(&mut hasher));
    Tag::of(hasher.finish())
}
