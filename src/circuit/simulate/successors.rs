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
//! A search that goes on from one state at a time asks for less: what there is to choose in many states
//! ([`PackedExpander::look_at`]), what follows on one ([`PackedExpander::expand_one`], a move a lane), or what one move
//! makes of many ([`PackedExpander::make`]).

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::circuit::assemble::Circuit;
use crate::circuit::code::{Choice, Code, Slot, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::{
    Lanes, and, any, first, inverted_if, lanes, none, only, or, without, xor,
};
use crate::circuit::simulate::machine::{evaluate, payoff, value};
use crate::circuit::simulate::packing::Packing;
use crate::circuit::simulate::ternary::TernarySimulator;
use crate::circuit::simulate::transpose::{Square, transpose};
use crate::gdl::{Goal, GoalValue};
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

/// What there is to choose in some states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// By state.
    pub(crate) after: Vec<After>,
    /// By state, the number of legal moves of the role that chooses; zero if none does alone.
    pub(crate) moves: Vec<u32>,
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
    fn clear(&mut self) {
        self.after.clear();
        self.from.clear();
        self.moves.clear();
        self.codes.clear();
    }
}

/// The lowest and the highest payoff that a role may still get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prospect {
    pub(crate) lowest: GoalValue,
    pub(crate) highest: GoalValue,
}

/// Truth values in all lanes.
type Row = Lanes<WORDS>;

/// What a role may do in some states.
#[derive(Clone, Debug)]
struct LaneOptions {
    choices: Vec<Choice>,
    /// By move, where it is legal.
    legal: Vec<Row>,
    /// Where some move is legal.
    some: Row,
    /// Where several are.
    several: Row,
}

/// Finds successors of batches of packed states.
#[derive(Clone, Debug)]
pub(crate) struct PackedExpander<const W: usize> {
    circuit: Arc<Circuit>,
    packing: Packing,
    code: Code,
    values: Vec<Row>,
    planes: Vec<Row>,
    /// By place of a fluent, where it is kept and what it is next.
    fluents: Vec<Option<(Slot, Wire)>>,
    roles: Vec<LaneOptions>,
    /// All payoffs of all roles, 64 at a time.
    payoffs: Vec<[Wire; 64]>,
    /// Which of them are had at an end; by number.
    ends: IndexSet<Vec<u64>, FxBuildHasher>,
    /// What each role gets; by number.
    goals: Vec<Vec<Goal>>,
    /// What may follow on states, made when it is first asked for; none if that takes too long.
    ternary: Option<Option<TernarySimulator>>,
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
            values: vec![none(); code.slots],
            planes: vec![none(); W * 64],
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
        let legal = |row: &&Row| row[state % LANES / 64] >> (state % 64) & 1 == 1;
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

    /// Replaces `choices` by what there is to choose in some states.
    pub(crate) fn look_at(&mut self, states: &[[u64; W]], choices: &mut Choices) {
        choices.after.clear();
        choices.moves.clear();
        for states in states.chunks(LANES) {
            self.load(states);
            let choosers = self.judge(states.len(), &mut choices.after);
            self.count(states.len(), &choosers, &mut choices.moves);
        }
    }

    /// Replaces `found` by what comes after one state, in the order of moves.
    pub(crate) fn expand_one(&mut self, state: &[u64; W], found: &mut Successors<W>) {
        found.clear();
        // The state is in all lanes, so that each move can be made in a lane of its own.
        self.fill(state);
        let choosers = self.judge(1, &mut found.after);
        let Some(role) = choosers.into_iter().position(any) else {
            return;
        };
        self.make_forced_moves(role);
        let own = &self.roles[role];
        let legal = own.choices.iter().zip(&own.legal);
        let legal: Vec<Choice> = legal
            .filter(|(_, row)| any(**row))
            .map(|(&choice, _)| choice)
            .collect();
        for choices in legal.chunks(LANES) {
            for (lane, choice) in choices.iter().enumerate() {
                self.values[choice.made.index()] = only(lane);
            }
            evaluate(&self.code, Phase::Next, &mut self.values);
            let lanes = first(choices.len() as u64);
            self.unload(lanes, |lane| (0, choices[lane].mv), found);
            for choice in choices {
                self.values[choice.made.index()] = none();
            }
        }
    }

    /// Replaces `found` by what one move of a role makes of some states, where the role chooses and the move is legal.
    pub(crate) fn make(
        &mut self,
        states: &[[u64; W]],
        (role, mv): (usize, u32),
        found: &mut Successors<W>,
    ) {
        found.clear();
        for (batch, states) in states.chunks(LANES).enumerate() {
            self.load(states);
            let chooser = self.judge(states.len(), &mut found.after)[role];
            let from = |lane| batch * LANES + lane;
            self.move_on((role, Some(mv)), chooser, from, found);
        }
    }

    /// Replaces `prospects` by what a role may still get after each of some states that are no ends, as far as ternary
    /// simulation tells; none where it does not.
    pub(crate) fn look_ahead(
        &mut self,
        states: &[[u64; W]],
        role: usize,
        prospects: &mut Vec<Option<Prospect>>,
    ) {
        prospects.clear();
        for states in states.chunks(LANES) {
            self.load(states);
            let code = &self.code;
            let ternary = self
                .ternary
                .get_or_insert_with(|| TernarySimulator::new(code));
            let start = prospects.len();
            prospects.resize(start + states.len(), None);
            let Some(ternary) = ternary else {
                continue;
            };
            let values = &self.values;
            let all = first(states.len() as u64);
            if !ternary.reach(code, all, |slot| values[slot.index()]) {
                continue;
            }
            let terminal = and(ternary.may(code.terminal), all);
            let prospects = &mut prospects[start..];
            // Where some payoff is no number, nothing is known.
            let mut odd = none();
            for (payoff, &wire) in self.circuit.goals[role].iter().zip(&code.goals[role]) {
                let had = and(terminal, ternary.may(wire));
                match payoff.value {
                    Some(value) => lanes(had).for_each(|lane| widen(&mut prospects[lane], value)),
                    None => odd = or(odd, had),
                }
            }
            lanes(odd).for_each(|lane| prospects[lane] = None);
        }
    }

    /// Finds out who chooses in so many states that are in lanes; by role, where it does.
    fn judge(&mut self, states: usize, after: &mut Vec<After>) -> Vec<Row> {
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

    /// Counts the legal moves of whoever chooses, in so many states.
    fn count(&self, states: usize, choosers: &[Row], moves: &mut Vec<u32>) {
        // Binary counters, one a lane: a plane has the same digit of all of them.
        let mut planes: Vec<Row> = Vec::new();
        for (role, &chooser) in self.roles.iter().zip(choosers) {
            for &legal in &role.legal {
                let mut carry = and(legal, chooser);
                for plane in &mut planes {
                    if !any(carry) {
                        break;
                    }
                    (*plane, carry) = (xor(*plane, carry), and(*plane, carry));
                }
                if any(carry) {
                    planes.push(carry);
                }
            }
        }
        let digit = |plane: &Row, lane: usize| (plane[lane / 64] >> (lane % 64) & 1) as u32;
        moves.extend((0..states).map(|lane| {
            let digits = planes.iter().enumerate();
            digits
                .map(|(at, plane)| digit(plane, lane) << at)
                .sum::<u32>()
        }));
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
    fn move_on(
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
    fn make_forced_moves(&mut self, role: usize) {
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
    fn load(&mut self, states: &[[u64; W]]) {
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
    fn fill(&mut self, state: &[u64; W]) {
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
    fn unload(
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

/// Takes another payoff into account.
fn widen(prospect: &mut Option<Prospect>, value: GoalValue) {
    let known = prospect.get_or_insert(Prospect {
        lowest: value,
        highest: value,
    });
    known.lowest = known.lowest.min(value);
    known.highest = known.highest.max(value);
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::circuit::ground;
    use crate::circuit::sat::equivalence::read;
    use crate::circuit::simulate::packing::{Group, changing};
    use crate::limits::Limits;
    use crate::term::Store;

    /// Two neighbouring marks of four win.
    const RULES: &str = "
        (role x) (role o) (after 1 2) (after 2 3) (after 3 4)
        (init (control x)) (init (cell 1 blank)) (init (cell 2 blank)) (init (cell 3 blank)) (init (cell 4 blank))
        (<= (legal ?r (mark ?n)) (true (control ?r)) (true (cell ?n blank)))
        (<= (legal x noop) (true (control o)))
        (<= (legal o noop) (true (control x)))
        (<= (next (control x)) (true (control o)))
        (<= (next (control o)) (true (control x)))
        (<= (next (cell ?n ?r)) (does ?r (mark ?n)))
        (<= (next (last ?n)) (does x (mark ?n)))
        (<= (next (cell ?n ?v)) (true (cell ?n ?v)) (distinct ?v blank))
        (<= (next (cell ?n blank)) (true (cell ?n blank)) (not (marked ?n)))
        (<= (marked ?n) (does ?r (mark ?n)))
        (<= (line ?r) (role ?r) (after ?a ?b) (true (cell ?a ?r)) (true (cell ?b ?r)))
        (<= open (true (cell ?n blank)))
        (<= terminal (line ?r)) (<= terminal (not open))
        (<= (goal x 100) (line x)) (<= (goal x 0) (line o))
        (<= (goal o 100) (line o)) (<= (goal o 0) (line x))
        (<= (goal ?r 50) (role ?r) (not (line x)) (not (line o)))";

    /// The start of the game, and what finds its states.
    fn expander() -> Result<(PackedExpander<1>, [u64; 1]), Box<dyn std::error::Error>> {
        let mut store = Store::new();
        let game = read(&mut store, "line", RULES.as_bytes().to_vec())?;
        let program = ground::ground(&game, &mut store, &Limits::default(), 1_000)?;
        let circuit = Arc::new(Circuit::new(&mut store, &program, 2)?);
        let groups = changing(&circuit).map(|place| Group {
            fluents: vec![place],
            is_exact: false,
        });
        let packing = Packing::new(groups);
        let start = packing.pack(|place| circuit.fluents[place].initial);
        Ok((PackedExpander::new(circuit, packing), start))
    }

    /// All states that can be reached, with the states that follow on each by move, sorted, and what there is to choose.
    type All = BTreeMap<[u64; 1], (After, Vec<(u32, [u64; 1])>)>;

    fn all(expander: &mut PackedExpander<1>, start: [u64; 1]) -> All {
        let (mut known, mut open) = (All::new(), vec![start]);
        let mut found = Successors::default();
        while let Some(state) = open.pop() {
            if known.contains_key(&state) {
                continue;
            }
            expander.expand(&[state], &mut found);
            let moves = found.moves.iter().copied();
            let mut next: Vec<_> = moves.zip(found.codes.iter().copied()).collect();
            next.sort_unstable();
            open.extend(&found.codes);
            known.insert(state, (found.after[0], next));
        }
        known
    }

    #[test]
    fn one_state_or_one_move_is_what_all_together_are() -> Result<(), Box<dyn std::error::Error>> {
        let (mut expander, start) = expander()?;
        let known = all(&mut expander, start);
        let states: Vec<[u64; 1]> = known.keys().copied().collect();
        let (mut found, mut choices) = (Successors::default(), Choices::default());
        expander.look_at(&states, &mut choices);
        for (place, (state, (after, next))) in known.iter().enumerate() {
            assert_eq!(choices.after[place], *after);
            assert_eq!(choices.moves[place] as usize, next.len());
            expander.expand_one(state, &mut found);
            let one: Vec<_> = found
                .moves
                .iter()
                .copied()
                .zip(found.codes.clone())
                .collect();
            assert_eq!(one, *next);
        }
        for role in 0..2 {
            for mv in 0..5 {
                expander.make(&states, (role, mv), &mut found);
                let made: BTreeSet<_> = found
                    .from
                    .iter()
                    .copied()
                    .zip(found.codes.clone())
                    .collect();
                let expected = states.iter().enumerate().flat_map(|(place, state)| {
                    let (after, next) = &known[state];
                    let is_own = *after == After::Choice(role as u32);
                    let next = next.iter().filter(move |(own, _)| is_own && *own == mv);
                    next.map(move |&(_, code)| (place as u32, code))
                });
                assert_eq!(made, expected.collect());
            }
        }
        Ok(())
    }

    #[test]
    fn what_is_had_at_ends_was_in_prospect() -> Result<(), Box<dyn std::error::Error>> {
        let (mut expander, start) = expander()?;
        let known = all(&mut expander, start);
        let states: Vec<[u64; 1]> = known.keys().copied().collect();
        let mut prospects = Vec::new();
        let mut settled = 0;
        for role in 0..2 {
            expander.look_ahead(&states, role, &mut prospects);
            for (state, prospect) in states.iter().zip(&prospects) {
                let (mut open, mut had) = (vec![*state], BTreeSet::new());
                while let Some(state) = open.pop() {
                    match known[&state] {
                        (After::End(number), _) => {
                            had.extend(expander.goals(number)[role].value());
                        }
                        (_, ref next) => open.extend(next.iter().map(|&(_, code)| code)),
                    }
                }
                let prospect = prospect.ok_or("a game of four moves is looked through")?;
                assert!(
                    had.iter()
                        .all(|value| (prospect.lowest..=prospect.highest).contains(value))
                );
                let is_open = matches!(known[state].0, After::Choice(_));
                settled += u32::from(is_open && prospect.highest == GoalValue(50));
            }
        }
        // x o x and one blank cell: nobody has a line any more.
        assert!(settled > 0);
        Ok(())
    }
}
