//! What follows on one packed state in which several roles choose at once.
//!
//! Joint moves have numbers: the choice of the role that comes first in questions about the state is the highest digit,
//! and the answers of all other roles are the rest, the last role's move changing first. Answers to a choice are next to each
//! other, so that a search can leave out those to a choice that is refuted:
//!
//! ```text
//! two moves of the first role, three answers:   0 1 2   answers to the first choice
//!                                               3 4 5   to the second
//! ```

use std::ops::Range;

use crate::circuit::code::Choice;
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::lanes::{any, first, none, or, without};
use crate::circuit::simulate::machine::evaluate;
use crate::circuit::simulate::successors::{After, LANES, PackedExpander, Successors};

/// What there is to choose in a state in which several roles do.
#[derive(Clone, Debug)]
pub(crate) struct JointMoves {
    /// The role whose choice is the highest digit.
    first: usize,
    /// By role, its legal moves.
    legal: Vec<Vec<Choice>>,
    /// By role, how far apart the numbers are of joint moves that differ in its move alone, by one.
    strides: Vec<usize>,
    /// The role that answers, if it is one alone that has several moves.
    answering: Option<usize>,
    /// Answers to each choice.
    pub(crate) answers: usize,
}

impl JointMoves {
    /// All joint moves of these legal moves by role; none if there are more than a `u32` can number.
    fn new(legal: Vec<Vec<Choice>>, first: usize) -> Option<Self> {
        let mut strides = vec![1; legal.len()];
        let mut answers: usize = 1;
        for role in (0..legal.len()).rev().filter(|&role| role != first) {
            strides[role] = answers;
            answers = answers.checked_mul(legal[role].len())?;
        }
        strides[first] = answers;
        let all = answers.checked_mul(legal[first].len())?;
        let mut several = (0..legal.len()).filter(|&role| role != first && legal[role].len() > 1);
        let answering = several.next().filter(|_| several.next().is_none());
        (u32::try_from(all).is_ok()).then_some(Self {
            first,
            legal,
            strides,
            answering,
            answers,
        })
    }

    /// The choices of the role that comes first, by place in the circuit.
    pub(crate) fn choices(&self) -> impl ExactSizeIterator<Item = u32> {
        self.legal[self.first].iter().map(|choice| choice.mv)
    }

    /// The move of a role in the joint move with a number.
    fn of_role(&self, number: usize, role: usize) -> Choice {
        let legal = &self.legal[role];
        legal[number / self.strides[role] % legal.len()]
    }

    /// The answer in the joint move with a number: the move of the role that answers by place in the circuit, or the number of the
    /// answer if several roles do.
    fn answer(&self, number: usize) -> u32 {
        match self.answering {
            Some(role) => self.of_role(number, role).mv,
            None => (number % self.answers) as u32,
        }
    }

    /// The moves of a role in joint moves with these numbers, with the lanes in which they are made, a joint move a lane.
    fn made(
        &self,
        role: usize,
        numbers: Range<usize>,
    ) -> impl Iterator<Item = (Choice, Range<usize>)> {
        let (start, stride) = (numbers.start, self.strides[role]);
        let mut next = start;
        std::iter::from_fn(move || {
            let number = next;
            // The move is the same up to the next multiple of the stride.
            next = (number / stride * stride + stride).min(numbers.end);
            (number < numbers.end)
                .then(|| (self.of_role(number, role), number - start..next - start))
        })
    }
}

impl<const W: usize> PackedExpander<W> {
    /// The joint moves of a state, if several roles choose there and there are no more than a `u32` can number.
    pub(crate) fn joint_moves(&mut self, state: &[u64; W], first: usize) -> Option<JointMoves> {
        self.fill(state);
        let mut after = Vec::new();
        self.judge(1, &mut after);
        if after != [After::Joint] {
            return None;
        }
        let legal = self.roles.iter().map(|role| {
            let legal = role.choices.iter().zip(&role.legal);
            let legal = legal.filter(|(_, row)| any(**row));
            legal.map(|(&choice, _)| choice).collect()
        });
        JointMoves::new(legal.collect(), first)
    }

    /// Replaces `found` by what follows on a state by joint moves with these numbers. `from` has the place of the choice among
    /// those of the role that comes first, and `moves` the answer.
    pub(crate) fn expand_joint(
        &mut self,
        state: &[u64; W],
        (joint, numbers): (&JointMoves, Range<usize>),
        found: &mut Successors<W>,
    ) {
        found.clear();
        self.fill(state);
        evaluate(&self.code, Phase::State, &mut self.values);
        for choice in self.roles.iter().flat_map(|role| &role.choices) {
            self.values[choice.made.index()] = none();
        }
        for start in numbers.clone().step_by(LANES) {
            let numbers = start..numbers.end.min(start + LANES);
            for role in 0..joint.legal.len() {
                for (choice, lanes) in joint.made(role, numbers.clone()) {
                    let made = &mut self.values[choice.made.index()];
                    *made = or(
                        *made,
                        without(first(lanes.end as u64), first(lanes.start as u64)),
                    );
                }
            }
            evaluate(&self.code, Phase::Next, &mut self.values);
            let origin = |lane: usize| {
                let number = start + lane;
                ((number / joint.answers) as u32, joint.answer(number))
            };
            self.unload(first(numbers.len() as u64), origin, found);
            for choice in joint.legal.iter().flatten() {
                self.values[choice.made.index()] = none();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::circuit::assemble::Circuit;
    use crate::circuit::ground;
    use crate::circuit::sat::equivalence::read;
    use crate::circuit::simulate::packing::{Group, Packing, changing};
    use crate::limits::Limits;
    use crate::term::Store;

    /// Three roles choose at once, 20 × 20 × 2 joint moves, and what they chose is what holds next.
    const RULES: &str = "
        (role a) (role b) (role c) (digit 0) (digit 1) (digit 2) (digit 3) (letter p) (letter q) (letter r) (letter s) (letter t)
        (<= (legal a (take ?d ?l)) (digit ?d) (letter ?l))
        (<= (legal b (take ?d ?l)) (digit ?d) (letter ?l))
        (legal c left) (legal c right)
        (<= (next (took ?r ?m)) (does ?r ?m))
        (<= terminal (true (took c left))) (<= (goal ?r 100) (role ?r))";

    #[test]
    fn numbers_of_joint_moves_are_choices_and_answers() -> Result<(), Box<dyn std::error::Error>> {
        let mut store = Store::new();
        let game = read(&mut store, "choose", RULES.as_bytes().to_vec())?;
        let program = ground::ground(&game, &mut store, &Limits::default(), 10_000)?;
        let circuit = Arc::new(Circuit::new(&mut store, &program, 3)?);
        let groups = changing(&circuit).map(|place| Group {
            fluents: vec![place],
            is_exact: false,
        });
        let packing = Packing::new(groups);
        let start = packing.pack(|place| circuit.fluents[place].initial);
        let roles = ["a", "b", "c"].map(|name| store.constant(name));
        let took = |code: &[u64; 1], role: usize, mv: u32| {
            let mv = circuit.moves[role][mv as usize].term;
            packing
                .unpack(code)
                .iter()
                .any(|&place| store.arguments(circuit.fluents[place].term) == [roles[role], mv])
        };
        let mut expander = PackedExpander::<1>::new(circuit.clone(), packing.clone());
        let mut found = Successors::default();
        for first in 0..3 {
            let joint = expander
                .joint_moves(&start, first)
                .ok_or("three roles choose")?;
            assert_eq!(joint.choices().len() * joint.answers, 800);
            let choices: Vec<u32> = joint.choices().collect();
            expander.expand_joint(&start, (&joint, 37..700), &mut found);
            let met: std::collections::BTreeSet<_> = found.codes.iter().collect();
            assert_eq!((found.codes.len(), met.len()), (663, 663));
            for (number, code) in (37..700).zip(&found.codes) {
                let choice = found.from[number - 37];
                assert_eq!(choice as usize, number / joint.answers);
                assert_eq!(found.moves[number - 37] as usize, number % joint.answers);
                assert!(took(code, first, choices[choice as usize]));
            }
        }
        Ok(())
    }
}
