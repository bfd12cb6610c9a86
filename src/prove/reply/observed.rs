//! What random plays show of moves: which fluents they set, and which moves of the other role they take away.

use fixedbitset::FixedBitSet;

use crate::circuit::invariants::{LANES, Row, start};
use crate::circuit::lanes::{and, any, none, or, without};
use crate::circuit::{Circuit, Probe};

/// Pairs of moves of two roles that are looked at.
const MOST_PAIRS: usize = 200_000;

/// Moves of a play that are looked at.
const MOST_MOVES: usize = 200;

/// What plays show of two roles that move by turns: of one that needs fluents, and of one that keeps it from them.
pub(super) struct Observed {
    /// By fluent, the moves of the other role, where it had a choice, with which it came to hold.
    gained: Vec<FixedBitSet>,
    /// The moves that the other role made where it had a choice.
    pub(super) chosen: FixedBitSet,
    /// By move of the role, the moves of the other one that were legal before and not after in all cases.
    denied: Vec<FixedBitSet>,
}

/// The plays so far.
struct ObservedPlays<'c> {
    circuit: &'c Circuit,
    role: usize,
    other: usize,
    /// By move of the role, the moves of the other one that stayed legal after it in some case, and that did not.
    kept: Vec<FixedBitSet>,
    lost: Vec<FixedBitSet>,
    gained: Vec<FixedBitSet>,
    chosen: FixedBitSet,
}

impl Observed {
    /// Plays 256 games; none where there are too many moves.
    pub(super) fn of(
        circuit: &Circuit,
        (role, other): (usize, usize),
        probe: &mut Probe,
    ) -> Option<Self> {
        let (own, others) = (circuit.moves[role].len(), circuit.moves[other].len());
        if own * others > MOST_PAIRS {
            return None;
        }
        let none = FixedBitSet::with_capacity(others);
        let mut plays = ObservedPlays {
            circuit,
            role,
            other,
            kept: vec![none.clone(); own],
            lost: vec![none.clone(); own],
            gained: vec![none.clone(); circuit.fluents.len()],
            chosen: none,
        };
        plays.play(probe);
        let denied = plays.lost.iter().zip(&plays.kept).map(|(lost, kept)| {
            let mut denied = lost.clone();
            denied.difference_with(kept);
            denied
        });
        Some(Self {
            denied: denied.collect(),
            gained: plays.gained,
            chosen: plays.chosen,
        })
    }

    /// The only move of the other role with which a fluent came to hold.
    pub(super) fn setter(&self, fluent: usize) -> Option<usize> {
        only(&self.gained[fluent])
    }

    /// By move of the other role, the only move of the role that takes it away.
    pub(super) fn denials(&self) -> Vec<Option<usize>> {
        let moves = self.denied.first().map_or(0, FixedBitSet::len);
        let denial = |mv: usize| {
            let own = self.denied.iter().enumerate();
            let mut own = own.filter(|(_, denied)| denied.contains(mv));
            let (place, _) = own.next()?;
            own.next().is_none().then_some(place)
        };
        (0..moves).map(denial).collect()
    }
}

/// The only member of a set.
fn only(set: &FixedBitSet) -> Option<usize> {
    let mut members = set.ones();
    let first = members.next()?;
    members.next().is_none().then_some(first)
}

/// The plays in which two of some rows are true.
fn two_of(rows: &[Row]) -> Row {
    let (mut one, mut two) = (none(), none());
    for &row in rows {
        two = or(two, and(one, row));
        one = or(one, row);
    }
    two
}

impl ObservedPlays<'_> {
    fn play(&mut self, probe: &mut Probe) {
        let mut state = start(self.circuit);
        let mut alive: Row = [u64::MAX; LANES / 64];
        // Moves of the other role that were legal two states ago and one state ago, and what the role did then.
        let [mut before, mut last] = [const { Vec::new() }; 2];
        let mut own: Vec<(usize, Row)> = Vec::new();
        for _ in 0..MOST_MOVES {
            probe.enter(&state);
            let mut going = without(alive, probe.terminal());
            let others = self.circuit.moves[self.other].len();
            let legal: Vec<Row> = (0..others).map(|mv| probe.legal(self.other, mv)).collect();
            for role in 0..self.circuit.moves.len() {
                going = probe.choose(role, going);
            }
            if !any(going) {
                return;
            }
            self.compare(&own, (&before, &legal), going);
            let made = |role: usize| {
                let moves = 0..self.circuit.moves[role].len();
                let rows = moves.map(|mv| (mv, and(probe.made(role, mv), going)));
                rows.filter(|(_, row)| any(*row)).collect::<Vec<_>>()
            };
            let choice = two_of(&legal);
            let answers = made(self.other).into_iter();
            let answers = answers.map(|(mv, row)| (mv, and(row, choice)));
            let answers: Vec<(usize, Row)> = answers.filter(|(_, row)| any(*row)).collect();
            self.chosen.extend(answers.iter().map(|&(mv, _)| mv));
            own = made(self.role);
            // What is made is not taken away by the answer.
            before = std::mem::replace(&mut last, legal);
            for &(mv, row) in &answers {
                last[mv] = without(last[mv], row);
            }
            probe.step();
            for (place, held) in state.iter_mut().enumerate() {
                let next = and(probe.next(place), going);
                let gained = without(next, *held);
                if any(gained) {
                    let setters = answers.iter().filter(|(_, row)| any(and(*row, gained)));
                    self.gained[place].extend(setters.map(|&(mv, _)| mv));
                }
                *held = next;
            }
            alive = going;
        }
    }

    /// Which moves of the other role are legal after moves of the role, and which were before.
    fn compare(&mut self, own: &[(usize, Row)], (before, legal): (&[Row], &[Row]), going: Row) {
        for &(mv, row) in own {
            let row = and(row, going);
            if !any(row) {
                continue;
            }
            for (other, (&before, &now)) in before.iter().zip(legal).enumerate() {
                let was = and(row, before);
                if any(and(was, now)) {
                    self.kept[mv].insert(other);
                }
                if any(without(was, now)) {
                    self.lost[mv].insert(other);
                }
            }
        }
    }
}
