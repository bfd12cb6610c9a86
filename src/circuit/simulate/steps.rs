//! What a search asks that goes on from one packed state at a time: what there is to choose in many states, what follows
//! on one, what one move makes of many, and what a role may still get after them.

use crate::circuit::code::Choice;
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::{and, any, bit, first, lanes, none, only, or, xor};
use crate::circuit::simulate::machine::evaluate;
use crate::circuit::simulate::successors::{After, LANES, PackedExpander, Row, Successors};
use crate::circuit::simulate::ternary::TernarySimulator;
use crate::gdl::GoalValue;

/// What there is to choose in some states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// By state.
    pub(crate) after: Vec<After>,
    /// By state, the number of legal moves of the role that chooses; zero if none does alone.
    pub(crate) moves: Vec<u32>,
}

/// The lowest and the highest payoff that a role may still get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prospect {
    pub(crate) lowest: GoalValue,
    pub(crate) highest: GoalValue,
}

impl<const W: usize> PackedExpander<W> {
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
        let digit = |plane: &Row, lane: usize| u32::from(bit(plane, lane));
        moves.extend((0..states).map(|lane| {
            let digits = planes.iter().enumerate();
            digits
                .map(|(at, plane)| digit(plane, lane) << at)
                .sum::<u32>()
        }));
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    use super::*;
    use crate::circuit::assemble::Circuit;
    use crate::circuit::ground;
    use crate::circuit::sat::equivalence::read;
    use crate::circuit::simulate::packing::{Group, Packing, changing};
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
