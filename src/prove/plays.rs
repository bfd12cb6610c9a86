//! Random plays, 256 at once: which targets they reach, and whether they come to a state twice.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

use crate::circuit::invariants::{LANES, Row, start};
use crate::circuit::lanes::{and, any, bit, lanes, none, or, without};
use crate::circuit::{Circuit, Probe};
use crate::limits::StopFlag;
use crate::prove::cover::{self, Cover};
use crate::prove::finding::Play;
use crate::prove::target::Target;

/// What plays are looked at for.
pub(super) struct PlayTargets<'w> {
    /// The circuit with the signals of the targets as payoffs of the first role, in order.
    pub(super) circuit: &'w Circuit,
    pub(super) targets: &'w [Target],
    /// For each target, the places of its signals.
    pub(super) places: &'w [Vec<[usize; 2]>],
    /// How many signals the targets have.
    pub(super) signals: usize,
    /// Targets of which one play each is enough.
    pub(super) covers: &'w [Cover],
}

/// What plays showed.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// By target, the shortest play that reached it.
    pub(super) reached: Vec<Option<Play>>,
    /// By target of which one play is enough, a play that reached it.
    pub(super) covered: Vec<Option<Play>>,
    /// The shortest play that came to a state twice.
    pub(super) cycle: Option<Play>,
    /// Moves of the longest play.
    pub(super) longest: usize,
}

/// Moves that were made in lanes, by role: the move and where it was made.
type MadeMoves = Vec<Vec<(u32, Row)>>;

/// 256 plays on their way.
struct RandomPlays<'w> {
    watched: &'w PlayTargets<'w>,
    probe: &'w mut Probe,
    /// By fluent, a random number; a state is told by the sum of those of its fluents.
    keys: &'w [u64],
    state: Vec<Row>,
    alive: Row,
    made: Vec<MadeMoves>,
    /// By lane, when a state was reached first.
    times: Vec<FxHashMap<u64, u32>>,
    /// The signals in the state before.
    before: Vec<Row>,
}

/// How many plays are made.
pub(super) struct Rounds<'r> {
    /// Rounds of 256 plays.
    pub(super) number: usize,
    /// Moves of a play, at most.
    pub(super) most: usize,
    pub(super) stop: &'r StopFlag,
}

/// Plays at random in rounds of 256 plays.
pub(super) fn play(
    watched: &PlayTargets<'_>,
    rounds: &Rounds<'_>,
    probe: &mut Probe,
    random: &mut Xoshiro256PlusPlus,
) -> Seen {
    let mut seen = Seen {
        reached: vec![None; watched.targets.len()],
        covered: vec![None; watched.covers.len()],
        ..Seen::default()
    };
    let keys: Vec<u64> = watched
        .circuit
        .fluents
        .iter()
        .map(|_| random.random())
        .collect();
    for _ in 0..rounds.number {
        let mut plays = RandomPlays::new(watched, probe, &keys);
        // One look more than there are moves: the state after the last one counts, too.
        while any(plays.alive) && plays.made.len() <= rounds.most && rounds.stop.raised().is_none()
        {
            plays.look(&mut seen);
            if !plays.step(&mut seen) {
                break;
            }
        }
        seen.longest = seen.longest.max(plays.made.len());
    }
    seen
}

impl<'w> RandomPlays<'w> {
    fn new(watched: &'w PlayTargets<'w>, probe: &'w mut Probe, keys: &'w [u64]) -> Self {
        Self {
            state: start(watched.circuit),
            watched,
            probe,
            keys,
            alive: [u64::MAX; 4],
            made: Vec::new(),
            times: vec![FxHashMap::default(); LANES],
            before: Vec::new(),
        }
    }

    /// Looks for targets and repeated states.
    fn look(&mut self, seen: &mut Seen) {
        self.probe.enter(&self.state);
        self.probe.score();
        let places = 0..self.watched.signals;
        let now: Vec<Row> = places.map(|place| self.probe.payoff(0, place)).collect();
        self.cover(seen, false, self.alive);
        let time = self.made.len();
        for (target, places) in self.watched.places.iter().enumerate() {
            // A later round may reach in fewer moves what an earlier one has reached.
            if seen.reached[target]
                .as_ref()
                .is_some_and(|play| play.moves.len() <= time)
            {
                continue;
            }
            let hit = self.hit(&self.watched.targets[target], places, &now);
            if let Some(lane) = lanes(and(hit, self.alive)).next() {
                seen.reached[target] = Some(self.play_of(lane, time));
            }
        }
        self.before = now;
        self.look_back(seen);
    }

    /// Looks for targets that no play has reached yet, of states or of moves.
    fn cover(&self, seen: &mut Seen, is_of_moves: bool, lanes_of: Row) {
        let first = [self.watched.signals, self.watched.circuit.fluents.len()];
        for (cover, covered) in self.watched.covers.iter().zip(&mut seen.covered) {
            if covered.is_some() || cover::is_of_moves(&cover.target) != is_of_moves {
                continue;
            }
            let hit = cover.row(self.probe, first);
            *covered = lanes(and(hit, lanes_of))
                .next()
                .map(|lane| self.play_of(lane, self.made.len()));
        }
    }

    /// The lanes in which a target is reached.
    fn hit(&self, target: &Target, places: &[[usize; 2]], now: &[Row]) -> Row {
        let each = places.iter().map(|&[first, second]| match target {
            Target::State(_) | Target::Move(_) => now[first],
            Target::Step(_) => match self.before.get(first) {
                Some(&before) => and(before, now[second]),
                None => none(),
            },
        });
        each.fold(none(), or)
    }

    /// Looks for a state that a play has been in before; keeps the play with the fewest moves.
    fn look_back(&mut self, seen: &mut Seen) {
        // A state is told by the sum of the keys of its fluents (Zobrist). Two states with the same sum are taken for
        // one; the play that is kept for it is replayed by the rules, which compare states.
        let mut sums = [0u64; LANES];
        for (&row, &key) in self.state.iter().zip(self.keys) {
            for lane in lanes(and(row, self.alive)) {
                sums[lane] = sums[lane].wrapping_add(key);
            }
        }
        let time = self.made.len();
        for lane in lanes(self.alive) {
            let first = *self.times[lane].entry(sums[lane]).or_insert(time as u32) as usize;
            let is_shorter = seen
                .cycle
                .as_ref()
                .is_none_or(|play| time < play.moves.len());
            if first < time && is_shorter {
                let play = self.play_of(lane, time);
                seen.cycle = Some(Play {
                    repeats: Some(first),
                    ..play
                });
            }
        }
    }

    /// Makes a move in each lane; false if all plays are over.
    fn step(&mut self, seen: &mut Seen) -> bool {
        let circuit = self.watched.circuit;
        // A lane in which some role has no move is over, as one is whose game is.
        let mut going = without(self.alive, self.probe.terminal());
        for role in 0..circuit.moves.len() {
            going = self.probe.choose(role, going);
        }
        if !any(going) {
            return false;
        }
        let made = circuit.moves.iter().enumerate().map(|(role, moves)| {
            let places = 0..moves.len();
            let rows = places.map(|mv| (mv as u32, self.probe.made(role, mv)));
            rows.filter(|&(_, row)| any(row)).collect()
        });
        self.made.push(made.collect());
        self.probe.step();
        // Targets of moves are next values of fluents that were added for them: they are known with the move.
        self.cover(seen, true, going);
        for (place, row) in self.state.iter_mut().enumerate() {
            *row = and(self.probe.next(place), going);
        }
        self.alive = going;
        true
    }

    fn play_of(&self, lane: usize, length: usize) -> Play {
        let moves = self.made[..length].iter().map(|made| {
            let roles = made.iter().zip(&self.watched.circuit.moves);
            let moves = roles.filter_map(|(rows, moves)| {
                let made = rows.iter().find(|(_, row)| bit(row, lane));
                made.map(|&(mv, _)| moves[mv as usize].term)
            });
            moves.collect()
        });
        Play {
            moves: moves.collect(),
            repeats: None,
        }
    }
}
