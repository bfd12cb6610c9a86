//! All successors of many packed states, 256 at once, with nothing allocated or evaluated for a state alone.
//!
//! [`super::expand`] does the same for states that others understand; this is for searches that see a hundred million
//! states and keep no more of them than their codes. Each move is made in all states in which it is legal, so that
//! states go into lanes once, and only what follows on them comes out:
//!
//! ```text
//! who chooses:   several of a role's moves are legal, and one of each other role's
//! for each move: the lanes where its role chooses and it is legal; all other roles make their one move
//! ```
//!
//! Payoffs come as small numbers, each of which stands for the same in all batches.
//!
//! What a search asks that goes on from one state at a time is in [`super::steps`].

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::circuit::assemble::Circuit;
use crate::circuit::code::{Choice, Code, Slot, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::{
    Lanes, Signals, and, any, bit, first, inverted_if, lanes, none, or, signals, without,
};
use crate::circuit::simulate::machine::{evaluate, payoff, value};
use crate::circuit::simulate::packing::Packing;
use crate::circuit::simulate::ternary::TernarySimulator;
use crate::circuit::simulate::transpose::{Square, transpose};
use crate::gdl::Goal;
use crate::term::ones;

/// Words of a value: 256 lanes.
const WORDS: usize = 4;

/// States that are evaluated, or moves that are made, at once.
pub(crate) const LANES: usize = WORDS * 64;

/// What there is to choose in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The game is over, with payoffs by number.
    End(u32),
    /// The role alone may have several moves.
    Choice(u32),
    /// Several roles have several moves.
    Joint,
    /// The game is not over, and some role has no move.
    Stuck,
}

/// What comes after each of some states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Successors<const W: usize> {
    /// By state.
    pub(crate) after: Vec<After>,
    /// By successor, the place of the state on which it follows; not in order.
    pub(crate) from: Vec<u32>,
    /// By successor, the place in the circuit of the move of whoever chooses.
    pub(crate) moves: Vec<u32>,
    /// The successors.
    pub(crate) codes: Vec<[u64; W]>,
}

impl<const W: usize> Successors<W> {
    pub(super) fn clear(&mut self) {
        self.after.clear();
        self.from.clear();
        self.moves.clear();
        self.codes.clear();
    }
}

/// Truth values in all lanes.
pub(super) type Row = Lanes<WORDS>;

/// What a role may do in some states.
#[derive(Clone, Debug)]
pub(super) struct LaneOptions {
    pub(super) choices: Vec<Choice>,
    /// By move, where it is legal.
    pub(super) legal: Vec<Row>,
    /// Where some move is legal.
    some: Row,
    /// Where several are.
    several: Row,
}

/// Finds successors of batches of packed states.
#[derive(Clone, Debug)]
pub(crate) struct PackedExpander<const W: usize> {
    pub(super) circuit: Arc<Circuit>,
    packing: Packing,
    pub(super) code: Code,
    pub(super) values: Signals<WORDS>,
    planes: Signals<WORDS>,
    /// By place of a fluent, where it is kept and what it is next.
    fluents: Vec<Option<(Slot, Wire)>>,
    pub(super) roles: Vec<LaneOptions>,
    /// All payoffs of all roles, 64 at a time.
    payoffs: Vec<[Wire; 64]>,
    /// Which of them are had at an end; by number.
    ends: IndexSet<Vec<u64>, FxBuildHasher>,
    /// What each role gets; by number.
    goals: Vec<Vec<Goal>>,
    /// What may follow on states, made when it is first asked for; none if that takes too long.
    pub(super) ternary: Option<Option<TernarySimulator>>,
}

impl<const W: usize> PackedExpander<W> {
    /// Prepares a circuit whose states are packed so.
    pub(crate) fn new(circuit: Arc<Circuit>, packing: Packing) -> Self {
        let code = Code::of(&circuit, true);
        let mut fluents = vec![None; circuit.fluents.len()];
        for register in &code.registers {
            fluents[register.fluent as usize] = Some((register.slot, register.next));
        }
        let roles = code.moves.iter().map(|own| LaneOptions {
            choices: own.clone(),
            legal: vec![none(); own.len()],
            some: none(),
            several: none(),
        });
        let roles = roles.collect();
        Self {
            values: signals(code.slots),
            planes: signals(W * 64),
            fluents,
            roles,
            payoffs: blocks(code.goals.iter().flatten().copied()),
            ends: IndexSet::default(),
            goals: Vec::new(),
            ternary: None,
            circuit,
            packing,
            code,
        }
    }

    /// What each role gets at ends with these payoffs.
    pub(crate) fn goals(&self, number: u32) -> &[Goal] {
        &self.goals[number as usize]
    }

    /// Numbers of payoffs so far.
    pub(crate) fn ends(&self) -> usize {
        self.goals.len()
    }

    /// The first legal move of a role in a state of the last batch that was expanded, by place in the circuit.
    pub(crate) fn first_legal(&self, role: usize, state: usize) -> Option<u32> {
        let options = &self.roles[role];
        let legal = |row: &&Row| bit(row, state % LANES);
        let place = options.legal.iter().position(|row| legal(&row))?;
        Some(options.choices[place].mv)
    }

    /// Replaces `found` by what comes after some states.
    pub(crate) fn expand(&mut self, states: &[[u64; W]], found: &mut Successors<W>) {
        found.clear();
        for (batch, states) in states.chunks(LANES).enumerate() {
            self.load(states);
            let open = self.judge(states.len(), &mut found.after);
            for (role, chooser) in open.into_iter().enumerate() {
                let from = |lane| batch * LANES + lane;
                self.move_on((role, None), chooser, from, found);
            }
        }
    }

    /// Finds out who chooses in so many states that are in lanes; by role, where it does.
    pub(super) fn judge(&mut self, states: usize, after: &mut Vec<After>) -> Vec<Row> {
        evaluate(&self.code, Phase::State, &mut self.values);
        let all = first(states as u64);
        let over = and(value(&self.values, self.code.terminal), all);
        if any(over) {
            evaluate(&self.code, Phase::Goals, &mut self.values);
        }
        let mut open = without(all, over);
        for role in &mut self.roles {
            (role.some, role.several) = (none(), none());
            for (legal, choice) in role.legal.iter_mut().zip(&role.choices) {
                *legal = value(&self.values, choice.legal);
                role.several = or(role.several, and(role.some, *legal));
                role.some = or(role.some, *legal);
            }
            open = and(open, role.some);
        }
        let mut chosen = none();
        let mut joint = none();
        for role in &self.roles {
            joint = or(joint, and(chosen, role.several));
            chosen = or(chosen, role.several);
        }
        let mut choosers: Vec<Row> = Vec::with_capacity(self.roles.len());
        for (place, role) in self.roles.iter().enumerate() {
            // Where nobody has several moves, the first role chooses the only one.
            let chooses = match place {
                0 => or(role.several, without(open, chosen)),
                _ => role.several,
            };
            choosers.push(and(without(chooses, joint), open));
        }
        self.describe(states, (over, and(joint, open)), &choosers, after);
        choosers
    }

    /// Says of each state what there is to choose.
    fn describe(
        &mut self,
        states: usize,
        (over, joint): (Row, Row),
        choosers: &[Row],
        after: &mut Vec<After>,
    ) {
        let start = after.len();
        after.resize(start + states, After::Stuck);
        for (role, &chooser) in (0u32..).zip(choosers) {
            lanes(chooser).for_each(|lane| after[start + lane] = After::Choice(role));
        }
        lanes(joint).for_each(|lane| after[start + lane] = After::Joint);
        for (group, &over) in over.iter().enumerate() {
            if over == 0 {
                continue;
            }
            let payoffs = self.squares(&self.payoffs, group);
            for lane in ones(over) {
                let had = payoffs.iter().map(|square| square[lane]);
                let place = group * 64 + lane;
                after[start + place] = After::End(self.end(had.collect(), place));
            }
        }
    }

    /// The number of the payoffs that are had at an end.
    fn end(&mut self, had: Vec<u64>, lane: usize) -> u32 {
        if let Some(known) = self.ends.get_index_of(&had) {
            return known as u32;
        }
        let roles = self.circuit.goals.iter().zip(&self.code.goals);
        let goals = roles.map(|(own, wires)| payoff(own, wires, &self.values, lane));
        self.goals.push(goals.collect());
        self.ends.insert_full(had).0 as u32
    }

    /// Makes the moves of a role where it chooses, or only one of them; `from` is the state in a lane.
    pub(super) fn move_on(
        &mut self,
        (role, only): (usize, Option<u32>),
        chooser: Row,
        from: impl Fn(usize) -> usize,
        found: &mut Successors<W>,
    ) {
        if !any(chooser) {
            return;
        }
        self.make_forced_moves(role);
        for place in 0..self.roles[role].choices.len() {
            let choice = self.roles[role].choices[place];
            let lanes = and(chooser, self.roles[role].legal[place]);
            if !any(lanes) || only.is_some_and(|mv| mv != choice.mv) {
                continue;
            }
            self.values[choice.made.index()] = lanes;
            evaluate(&self.code, Phase::Next, &mut self.values);
            // A fluent may be next what the move is now, so that the move is taken back only then.
            self.unload(lanes, |lane| (from(lane) as u32, choice.mv), found);
            self.values[choice.made.index()] = none();
        }
    }

    /// All roles but one make the one move that they have; that one makes none as yet.
    pub(super) fn make_forced_moves(&mut self, role: usize) {
        for options in &self.roles {
            for (choice, &legal) in options.choices.iter().zip(&options.legal) {
                self.values[choice.made.index()] = legal;
            }
        }
        for choice in &self.roles[role].choices {
            self.values[choice.made.index()] = none();
        }
    }

    /// Puts states into lanes, one each.
    pub(super) fn load(&mut self, states: &[[u64; W]]) {
        for (group, states) in states.chunks(64).enumerate() {
            for word in 0..W {
                let mut square = [0u64; 64];
                for (row, state) in square.iter_mut().zip(states) {
                    *row = state[word];
                }
                transpose(&mut square);
                for (plane, &lanes) in self.planes[word * 64..][..64].iter_mut().zip(&square) {
                    plane[group] = lanes;
                }
            }
        }
        self.spread();
    }

    /// Puts one state into all lanes.
    pub(super) fn fill(&mut self, state: &[u64; W]) {
        for (word, planes) in state.iter().zip(self.planes.chunks_mut(64)) {
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane = inverted_if(none(), word >> bit & 1 == 1);
            }
        }
        self.spread();
    }

    /// Turns the bits of the states in lanes into fluents.
    fn spread(&mut self) {
        let (values, fluents) = (&mut self.values, &self.fluents);
        self.packing.spread(&self.planes, |place, row| {
            if let Some((slot, _)) = fluents[place] {
                values[slot.index()] = row;
            }
        });
    }

    /// Takes the codes of the next states from some lanes; `origin` is the state and the move in a lane.
    pub(super) fn unload(
        &mut self,
        lanes: Row,
        origin: impl Fn(usize) -> (u32, u32),
        found: &mut Successors<W>,
    ) {
        let (values, fluents) = (&self.values, &self.fluents);
        let row = |place: usize| fluents[place].map_or(none(), |(_, wire)| value(values, wire));
        self.packing.gather(row, &mut self.planes);
        for (group, &lanes) in lanes.iter().enumerate() {
            if lanes == 0 {
                continue;
            }
            let mut squares = [[0u64; 64]; W];
            for (word, square) in squares.iter_mut().enumerate() {
                for (row, plane) in square.iter_mut().zip(&self.planes[word * 64..][..64]) {
                    *row = plane[group];
                }
                transpose(square);
            }
            let mut left = lanes;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let mut code = [0; W];
                for (word, square) in code.iter_mut().zip(&squares) {
                    *word = square[lane];
                }
                let (from, mv) = origin(group * 64 + lane);
                found.codes.push(code);
                found.from.push(from);
                found.moves.push(mv);
            }
        }
    }

    /// The values of wires in the lanes of a word, a row a lane, 64 wires at a time.
    fn squares(&self, blocks: &[[Wire; 64]], group: usize) -> Vec<Square> {
        let squares = blocks.iter().map(|wires| {
            let mut square = wires
                .map(|wire| inverted_if([self.values[wire.slot.index()][group]], wire.inverted)[0]);
            transpose(&mut square);
            square
        });
        squares.collect()
    }
}

/// Wires in blocks of 64; those of the last that are missing are never true.
fn blocks(wires: impl Iterator<Item = Wire>) -> Vec<[Wire; 64]> {
    let wires: Vec<Wire> = wires.collect();
    let blocks = wires.chunks(64).map(|wires| {
        let mut block = [Wire::default(); 64];
        block[..wires.len()].copy_from_slice(wires);
        block
    });
    blocks.collect()
}
