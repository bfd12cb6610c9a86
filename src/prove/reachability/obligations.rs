//! Obligations: states that lead to bad ones, blocked frame by frame, or traced back to the start.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;

use crate::circuit::sat::Literal;
use crate::prove::invariant::{Cube, contains, literals};
use crate::prove::reachability::frames::{Reachability, WithinSteps, asked};

/// A cube that leads to a target.
pub(super) struct Obligation {
    pub(super) cube: Cube,
    /// The joint move that is made in all of its states, by place.
    pub(super) moves: Vec<usize>,
    /// Where the move leads; the target if there is none.
    pub(super) after: Option<usize>,
}

impl Reachability {
    /// Blocks an obligation in a frame and what leads to it in those before; gives the play if it cannot be.
    pub(super) fn block(
        &mut self,
        first: Obligation,
        last: usize,
    ) -> WithinSteps<Option<Vec<Vec<usize>>>> {
        let mut obligations = vec![first];
        // Early frames first, as what is blocked there helps later ones. An obligation that has a predecessor stays
        // open behind it; one that is blocked goes on to the next frame, so that the frames of one round agree.
        let mut open = BinaryHeap::from([Reverse((last, 0))]);
        while let Some(Reverse((frame, number))) = open.pop() {
            let cube = obligations[number].cube.clone();
            if contains(&cube, &self.start) {
                return Ok(Some(play(&obligations, number)));
            }
            if frame == 0 {
                continue;
            }
            match self.predecessor(&cube, frame - 1)? {
                Some((cube, moves)) => {
                    let after = Some(number);
                    obligations.push(Obligation { cube, moves, after });
                    open.push(Reverse((frame - 1, obligations.len() - 1)));
                    open.push(Reverse((frame, number)));
                }
                None => {
                    let to = self.exclude(&cube, frame)?;
                    if to < last {
                        open.push(Reverse((to + 1, number)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// States of a frame, outside a cube, from which a joint move leads into it.
    fn predecessor(
        &mut self,
        cube: &Cube,
        frame: usize,
    ) -> WithinSteps<Option<(Cube, Vec<usize>)>> {
        let Some((state, moves)) = self.entry(cube, frame)? else {
            return Ok(None);
        };
        let into = literals(cube, &self.lift.next);
        let none: Vec<Literal> = into.into_iter().map(|literal| !literal).collect();
        let cube = self.lifted(&state, &moves, &none)?;
        let cube = self.with_clocks(cube, &state)?;
        Ok(Some((cube, moves)))
    }

    /// Fluents of a state that are enough for the joint move to be legal and lead to where none of some literals is
    /// true; without a joint move, for them not to be true.
    pub(super) fn lifted(
        &mut self,
        state: &FixedBitSet,
        moves: &[usize],
        none: &[Literal],
    ) -> WithinSteps<Cube> {
        let lift = &mut self.lift.side;
        let gates = &self.circuit.gates;
        // The clause says that the target is missed: a move is not legal, the game is over, or one of the literals is
        // true. With all of the state and the move assumed it has no model, and the fluents of the core are enough.
        let condition = lift.solver.variable();
        let mut clause = vec![!condition];
        clause.extend_from_slice(none);
        let mut assumed = vec![condition];
        for (role, &mv) in moves.iter().enumerate() {
            let legal = self.circuit.moves[role][mv].legal;
            clause.push(!lift.encoding.literal(&mut lift.solver, gates, legal));
            assumed.push(self.lift.made[role][mv]);
        }
        if !moves.is_empty() {
            clause.push(
                lift.encoding
                    .literal(&mut lift.solver, gates, self.circuit.terminal),
            );
        }
        lift.solver.require(clause);
        let all: Cube = (0..lift.now.len())
            .map(|place| (place, state.contains(place)))
            .collect();
        let held = literals(&all, &lift.now);
        assumed.extend_from_slice(&held);
        let is_possible = asked(&mut self.account, &mut lift.solver, &assumed)?;
        let cube = if is_possible {
            // Where atoms depend on each other, more than one set of values may be right.
            all
        } else {
            let kept = all.into_iter().zip(held);
            let kept = kept.filter(|&(_, literal)| lift.solver.is_blamed(literal));
            kept.map(|(literal, _)| literal).collect()
        };
        // The clause is of no further use.
        lift.solver.require([!condition]);
        Ok(cube)
    }
}

/// The joint moves from an obligation to the target.
fn play(obligations: &[Obligation], from: usize) -> Vec<Vec<usize>> {
    let mut moves = Vec::new();
    let mut at = Some(from);
    while let Some(number) = at {
        let Obligation {
            moves: made, after, ..
        } = &obligations[number];
        if !made.is_empty() {
            moves.push(made.clone());
        }
        at = *after;
    }
    moves
}
