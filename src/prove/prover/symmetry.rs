//! Whether roles can be exchanged: a permutation of fluents and moves under which the rules say of one role what they
//! said of another.
//!
//! ```text
//! xplayer ↔ oplayer:  control(xplayer) ↔ control(oplayer), cell(X,Y,x) ↔ cell(X,Y,o), mark(X,Y) stays
//! ```
//!
//! It is a property of the rules as they stand, multiplied out: the start may favour a role, and rules that say the same
//! in ways that differ by more than that count as different. What is found is tried on made-up states.

use std::sync::Arc;

use rand::RngExt;

use crate::circuit::Probe;
use crate::circuit::invariants::Row;
use crate::circuit::symmetry::{Exchanges, TooMuchWork};
use crate::prove::finding::{Finding, Method, Verdict};
use crate::prove::prover::Prover;

/// Permutations of more roles than these are too many to be tried.
const MAX_ROLES: usize = 6;

/// Rounds of 256 made-up states that a permutation is tried on.
const ROUNDS: usize = 8;

impl Prover {
    /// Whether each role can take the place of the first one.
    pub(super) fn decide_symmetry(&mut self) -> Finding {
        let number = self.original.moves.len();
        let told = |verdict| Finding {
            verdict,
            method: Some(Method::Permutation),
            ..Finding::open(None)
        };
        if number > MAX_ROLES {
            return Finding::open(None);
        }
        let (circuit, stop) = (Arc::clone(&self.original), self.limits.stop.clone());
        let Ok(mut exchanges) = Exchanges::of(&circuit, &stop) else {
            return Finding::open(None);
        };
        for role in 1..number {
            let mut is_exchanged = false;
            let roles = permutations(number).into_iter();
            for roles in roles.filter(|roles| roles[0] == role) {
                match exchanges.find(&roles) {
                    Ok(Some(images)) if self.confirms_exchange(&roles, &images) => {
                        is_exchanged = true;
                        break;
                    }
                    Ok(Some(_)) | Err(TooMuchWork) => return Finding::open(None),
                    Ok(None) => {}
                }
            }
            if !is_exchanged {
                return told(Verdict::Refuted);
            }
        }
        told(Verdict::Proved)
    }

    /// Whether next states, legal moves, ends and payoffs of made-up states are those of their images.
    fn confirms_exchange(&mut self, roles: &[usize], images: &[usize]) -> bool {
        let circuit = &*self.original;
        let mut pair = [(); 2].map(|()| Probe::new(circuit, &mut self.random));
        let fluents = circuit.fluents.len();
        let mut start = fluents;
        let starts = circuit.moves.iter().map(|own| {
            start += own.len();
            start - own.len()
        });
        let starts: Vec<usize> = starts.collect();
        for _ in 0..ROUNDS {
            let state: Vec<Row> = (0..fluents).map(|_| self.random.random()).collect();
            let mut image = state.clone();
            for (place, row) in state.iter().enumerate() {
                image[images[place]] = *row;
            }
            let [one, other] = &mut pair;
            one.enter(&state);
            other.enter(&image);
            if one.terminal() != other.terminal() {
                return false;
            }
            for (role, own) in circuit.moves.iter().enumerate() {
                let to = roles[role];
                let image = |mv: usize| images[starts[role] + mv] - starts[to];
                let is_legal = |mv: usize| one.legal(role, mv) == other.legal(to, image(mv));
                if !(0..own.len()).all(is_legal) {
                    return false;
                }
                one.clear(role);
                other.clear(to);
                if own.is_empty() {
                    continue;
                }
                // One move in each quarter of the lanes.
                for quarter in 0..4 {
                    let mv = self.random.random_range(0..own.len());
                    let mut rows = one.made(role, mv);
                    rows[quarter] = u64::MAX;
                    one.make(role, mv, rows);
                    other.make(to, image(mv), rows);
                }
            }
            one.score();
            other.score();
            for (role, own) in circuit.goals.iter().enumerate() {
                let others = &circuit.goals[roles[role]];
                for (place, payoff) in own.iter().enumerate() {
                    let same = others.iter().position(|other| other.term == payoff.term);
                    let is_same = same.is_some_and(|same| {
                        one.payoff(role, place) == other.payoff(roles[role], same)
                    });
                    if !is_same {
                        return false;
                    }
                }
            }
            one.step();
            other.step();
            if (0..fluents).any(|place| one.next(place) != other.next(images[place])) {
                return false;
            }
        }
        true
    }
}

/// All permutations of so many roles, in lexicographic order.
fn permutations(number: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..number {
        let longer = all.into_iter().flat_map(|start| {
            let rest = (0..number).filter(|one| !start.contains(one));
            let rest: Vec<usize> = rest.collect();
            rest.into_iter()
                .map(move |one| [&start[..], &[one]].concat())
        });
        all = longer.collect();
    }
    all
}
