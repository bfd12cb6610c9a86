//! A series of playouts in lanes: steps, ends, payoffs, and what goes wrong.
//!
//! Next states and payoffs are computed in code for several kinds of processors, as gates are: counts of lanes are
//! single instructions there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Payoff;
use crate::circuit::code::{Code, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::choose::Chooser;
use crate::circuit::simulate::lanes::{
    Lanes, Random, Signals, and, any, count, first, lanes, none, or, set_bit, signals, without,
};
use crate::circuit::simulate::machine::{evaluate, holds, payoff, value};
use crate::gdl::{Ending, Goal, Outcomes, Playout, RoleId, Statistics};
use crate::limits::StopFlag;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutBatch {
    /// Playouts to start at most.
    pub playouts: u64,
    /// Seed of the random choices.
    pub seed: u64,
    /// Joint moves after which a playout is given up.
    pub max_length: u64,
}

/// How a series is ended from outside, and watched.
#[derive(Clone, Debug, Default)]
pub struct SeriesControl {
    /// Starts no more playouts; those on their way are finished, so that short ones are not favoured.
    pub stop: StopFlag,
    /// Cuts the playouts on their way.
    pub end: StopFlag,
    /// Counts the playouts that are over, also while others are on their way.
    pub done: Arc<AtomicU64>,
}

/// What came of some playouts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayoutTally {
    /// States visited.
    pub states: u64,
    /// How the playouts ended and what they were worth.
    pub statistics: Statistics,
    /// A playout that went as the rules should not allow, with its number: one in which a role is stuck
    /// before one that was cut, and that before one whose payoff is missing or is none; of one kind the
    /// first.
    pub fault: Option<(u64, Playout)>,
}

/// A playout that went as it should not.
pub(super) struct PlayoutFault {
    pub(super) number: u64,
    /// The step of the series in which it did.
    pub(super) step: u64,
    pub(super) length: u64,
    /// The fluents of the state, by register.
    pub(super) held: Vec<bool>,
    pub(super) ending: Ending,
}

/// Steps between two polls of the stop flag in a game whose steps take a microsecond.
const MOST_STEPS: u64 = 64;

/// Slots of a game whose steps take a millisecond or more, so that the flag is polled before each.
const MANY_SLOTS: u64 = 1 << 13;

/// Playouts on their way.
pub(super) struct Series<'s, const W: usize> {
    code: &'s Code,
    goals: &'s [Vec<Payoff>],
    pub(super) batch: PlayoutBatch,
    control: &'s SeriesControl,
    /// Playouts of the tally that `control` was told of.
    reported: u64,
    values: Signals<W>,
    /// The next state, by register.
    following: Signals<W>,
    choosers: Vec<Chooser<W>>,
    random: Random<W>,
    /// Lanes with a playout.
    alive: Lanes<W>,
    /// For each lane, the number of its playout and the step in which it started.
    started: Vec<(u64, u64)>,
    /// No playout on its way started in an earlier step.
    oldest: u64,
    /// Playouts started.
    next: u64,
    step: u64,
    pub(super) tally: PlayoutTally,
    /// What came of each playout, if that is asked for.
    pub(super) outcomes: Option<Outcomes>,
    pub(super) fault: Option<PlayoutFault>,
    /// The payoffs that are values, highest first: value, role, place among the payoffs of the role.
    ranking: Vec<(u8, usize, usize)>,
    /// By role, the lanes in which another has more.
    lost: Vec<Lanes<W>>,
}

impl<'s, const W: usize> Series<'s, W> {
    /// Plays on, to a step at most.
    pub(super) fn run(&mut self, last: u64) {
        let interval = (MANY_SLOTS / self.code.slots.max(1) as u64).clamp(1, MOST_STEPS);
        while any(self.alive) && self.step <= last {
            if self.step.is_multiple_of(interval) && !self.goes_on() {
                break;
            }
            self.advance();
        }
        self.publish();
    }

    /// Says how far it is and asks whether to go on. Playouts that may not are cut.
    fn goes_on(&mut self) -> bool {
        self.publish();
        if self.control.end.raised().is_some() {
            // They count as cut, not as never started: a series that is ended has as many outcomes as starts.
            self.tally.statistics.cut += count(self.alive);
            return false;
        }
        if self.control.stop.raised().is_some() {
            self.batch.playouts = self.next;
        }
        true
    }

    /// Adds the playouts that are over to what others see.
    fn publish(&mut self) {
        let done = self.tally.statistics.playouts();
        let more = done - self.reported;
        self.control.done.fetch_add(more, Ordering::Relaxed);
        self.reported = done;
    }

    pub(super) fn new(
        code: &'s Code,
        goals: &'s [Vec<Payoff>],
        batch: PlayoutBatch,
        control: &'s SeriesControl,
    ) -> Self {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(batch.seed);
        let lanes = 64 * W as u64;
        let mut values = signals(code.slots);
        for register in code.registers.iter().filter(|register| register.initial) {
            values[register.slot.index()] = [u64::MAX; W];
        }
        // The first lanes take the first playouts, in order; numbers are given out in order of starts.
        Self {
            code,
            goals,
            batch,
            control,
            reported: 0,
            values,
            following: signals(code.registers.len()),
            choosers: code.moves.iter().map(|moves| Chooser::new(moves)).collect(),
            random: Random::new(&mut generator),
            alive: first(batch.playouts.min(lanes)),
            started: (0..lanes).map(|lane| (lane, 0)).collect(),
            oldest: 0,
            next: batch.playouts.min(lanes),
            step: 0,
            tally: PlayoutTally {
                statistics: Statistics::new(goals.len()),
                ..PlayoutTally::default()
            },
            outcomes: None,
            fault: None,
            ranking: ranking(goals),
            lost: vec![none(); goals.len()],
        }
    }

    /// Evaluates the states of all lanes and makes a move in each whose game goes on.
    fn advance(&mut self) {
        evaluate(self.code, Phase::State, &mut self.values);
        let over = and(value(&self.values, self.code.terminal), self.alive);
        // Three ways to leave a lane: terminal, cut, stuck, each removed from `on` before the next test.
        let mut on = without(self.alive, over);
        if any(over) {
            self.count(over);
            evaluate(self.code, Phase::Goals, &mut self.values);
            pulp::Arch::new().dispatch(Score { series: self, over });
            self.note(over);
        }
        // The oldest playout says whether any can be due, so that lanes are gone through one by one seldom.
        if self.step - self.oldest >= self.batch.max_length {
            on = without(on, self.cut(on));
        }
        for role in 0..self.choosers.len() {
            let chooser = &mut self.choosers[role];
            let stuck = chooser.choose(&mut self.values, on, &mut self.random);
            if any(stuck) {
                self.tally.statistics.stuck += count(stuck);
                self.note_given_up(stuck);
                self.blame(stuck, Ending::NoLegalMove(RoleId(role as u32)));
                on = without(on, stuck);
            }
        }
        // A state visited counts once, ends included; a state that was cut or in which a role was stuck does not.
        self.tally.states += count(or(over, on));
        evaluate(self.code, Phase::Next, &mut self.values);
        // Idle lanes are written as well: they hold the initial state and cost nothing extra.
        let gone = without(self.alive, on);
        pulp::Arch::new().dispatch(Renew {
            series: self,
            over: gone,
        });
        if any(gone) {
            self.restart(gone);
        }
        self.step += 1;
    }

    /// Gives each lane its next state: the initial one where a playout was over.
    #[inline(always)]
    fn renew(&mut self, over: Lanes<W>) {
        // A next state may be read off this one, so nothing is written before everything is read.
        for (following, register) in self.following.iter_mut().zip(&self.code.registers) {
            let next = value(&self.values, register.next);
            *following = if register.initial {
                or(next, over)
            } else {
                without(next, over)
            };
        }
        for (&following, register) in self.following.iter().zip(&self.code.registers) {
            self.values[register.slot.index()] = following;
        }
    }

    /// Starts playouts in lanes whose playout is over, or leaves them idle if no more are wanted.
    fn restart(&mut self, over: Lanes<W>) {
        // A loop inside the iterator, which is one over words and one over their bits, takes no test of which is next.
        lanes(over).for_each(|lane| {
            if self.next < self.batch.playouts {
                // It starts with the next step, since this one's next state is already the initial state.
                self.started[lane] = (self.next, self.step + 1);
                self.next += 1;
            } else {
                set_bit(&mut self.alive, lane, false);
            }
        });
    }

    /// Counts playouts that come to a terminal state in this step.
    fn count(&mut self, ended: Lanes<W>) {
        let (step, started) = (self.step, &self.started);
        let lengths = lanes(ended).map(|lane| step - started[lane].1);
        self.tally.statistics.finish_all(lengths);
    }

    /// Counts the payoffs of games that are over.
    #[inline(always)]
    fn score(&mut self, over: Lanes<W>) {
        let (mut undefined, mut ambiguous) = (none(), none());
        for role in 0..self.goals.len() {
            let (mut one, mut several, mut invalid) = (none(), none(), none());
            for (payoff, &wire) in self.goals[role].iter().zip(&self.code.goals[role]) {
                // Bit-parallel "exactly one": `one` is at least one, `several` at least two.
                let has = value(&self.values, wire);
                several = or(several, and(one, has));
                one = or(one, has);
                if payoff.value.is_none() {
                    invalid = or(invalid, has);
                }
            }
            // Clear: exactly one payoff holds, and it is a number from 0 to 100.
            let clear = and(over, without(one, or(several, invalid)));
            let several = and(over, several);
            ambiguous = or(ambiguous, several);
            // Ambiguous before undefined: two payoffs, one of which is no number, are ambiguous.
            undefined = or(undefined, without(over, or(clear, several)));
            self.add_payoffs(role, clear);
        }
        self.tally.statistics.undefined += count(undefined);
        self.tally.statistics.ambiguous += count(ambiguous);
        let faulty = or(undefined, ambiguous);
        self.compare(without(over, faulty));
        if any(faulty) && self.fault.is_none() {
            let lane = lanes(faulty).next().unwrap_or(0);
            let ending = Ending::Terminal(self.payoffs(lane));
            self.fault = Some(self.fault(lane, ending));
        }
    }

    /// Notes what came of playouts that end in this step, if that is asked for.
    fn note(&mut self, over: Lanes<W>) {
        let Some(mut outcomes) = self.outcomes.take() else {
            return;
        };
        for lane in lanes(over) {
            let (number, start) = self.started[lane];
            outcomes.finish(number as usize, self.step - start, &self.payoffs(lane));
        }
        self.outcomes = Some(outcomes);
    }

    /// Notes which playouts are given up in this step, if that is asked for.
    fn note_given_up(&mut self, at: Lanes<W>) {
        let Some(outcomes) = &mut self.outcomes else {
            return;
        };
        for lane in lanes(at) {
            let (number, start) = self.started[lane];
            outcomes.give_up(number as usize, self.step - start);
        }
    }

    /// Adds the payoffs of a role up where it has exactly one.
    #[inline(always)]
    fn add_payoffs(&mut self, role: usize, clear: Lanes<W>) {
        let sums = &mut self.tally.statistics.payoffs[role];
        sums.count += count(clear);
        for (payoff, &wire) in self.goals[role].iter().zip(&self.code.goals[role]) {
            if let Some(payoff) = payoff.value {
                let (has, payoff) = (and(clear, value(&self.values, wire)), u64::from(payoff.0));
                sums.sum += payoff * count(has);
                sums.squares += payoff * payoff * count(has);
            }
        }
    }

    /// Counts who won in lanes in which every role has one value.
    #[inline(always)]
    fn compare(&mut self, clear: Lanes<W>) {
        let is_single = self.goals.len() == 1;
        self.lost.fill(clear);
        let lost = &mut self.lost;
        let mut open = clear;
        let mut at = 0;
        // From the highest value down, a lane is decided by the first value that some role has there.
        while at < self.ranking.len() && any(open) {
            let highest = self.ranking[at].0;
            let rest = self.ranking[at..].iter();
            let end = at + rest.take_while(|(value, ..)| *value == highest).count();
            // Alone, a role wins with 100 and loses otherwise.
            if is_single && highest < 100 {
                break;
            }
            let (mut some, mut shared) = (none(), none());
            for &(_, role, place) in &self.ranking[at..end] {
                let has = and(open, value(&self.values, self.code.goals[role][place]));
                // Shared: a second role has the value, too. Who has it alone wins, all who share it draw.
                shared = or(shared, and(some, has));
                some = or(some, has);
            }
            for &(_, role, place) in &self.ranking[at..end] {
                let has = and(open, value(&self.values, self.code.goals[role][place]));
                let payoffs = &mut self.tally.statistics.payoffs[role];
                payoffs.wins += count(without(has, shared));
                payoffs.draws += count(and(has, shared));
                lost[role] = without(lost[role], has);
            }
            // Whoever has less in a decided lane keeps its bit in `lost`.
            open = without(open, some);
            at = end;
        }
        for (payoffs, &lost) in self.tally.statistics.payoffs.iter_mut().zip(&self.lost) {
            payoffs.losses += count(lost);
        }
    }

    /// The payoffs of all roles in a lane.
    fn payoffs(&self, lane: usize) -> Vec<Goal> {
        let roles = self.goals.iter().zip(&self.code.goals);
        let goals = roles.map(|(payoffs, wires)| payoff(payoffs, wires, &self.values, lane));
        goals.collect()
    }

    /// Gives up the playouts that have made all the moves that they may make, and says which.
    fn cut(&mut self, on: Lanes<W>) -> Lanes<W> {
        let mut late = none();
        // The oldest of those that go on; exact, as all lanes are seen.
        let mut oldest = self.step;
        for lane in lanes(on) {
            let start = self.started[lane].1;
            if self.step - start >= self.batch.max_length {
                set_bit(&mut late, lane, true);
            } else {
                oldest = oldest.min(start)
            }
        }
        self.oldest = oldest;
        if any(late) {
            self.tally.statistics.cut += count(late);
            self.note_given_up(late);
            self.blame(late, Ending::TooLong);
        }
        late
    }

    /// Keeps the playout with the least number in some lanes, unless a worse one is known.
    fn blame(&mut self, at: Lanes<W>, ending: Ending) {
        let known = self
            .fault
            .as_ref()
            .map_or(u8::MAX, |fault| gravity(&fault.ending));
        let lane = lanes(at).min_by_key(|&lane| self.started[lane].0);
        if let (Some(lane), true) = (lane, gravity(&ending) < known) {
            self.fault = Some(self.fault(lane, ending));
        }
    }

    fn fault(&self, lane: usize, ending: Ending) -> PlayoutFault {
        let (number, start) = self.started[lane];
        let registers = self.code.registers.iter();
        let wire = |slot| Wire {
            slot,
            inverted: false,
        };
        PlayoutFault {
            number,
            step: self.step,
            length: self.step - start,
            held: registers
                .map(|register| holds(&self.values, wire(register.slot), lane))
                .collect(),
            ending,
        }
    }
}

/// [`Series::score`], whose loops are inlined where they are compiled for the kind of processor that was found; those
/// of a closure are not.
struct Score<'a, 's, const W: usize> {
    series: &'a mut Series<'s, W>,
    over: Lanes<W>,
}

impl<const W: usize> pulp::NullaryFnOnce for Score<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.series.score(self.over);
    }
}

/// [`Series::renew`], likewise.
struct Renew<'a, 's, const W: usize> {
    series: &'a mut Series<'s, W>,
    over: Lanes<W>,
}

impl<const W: usize> pulp::NullaryFnOnce for Renew<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.series.renew(self.over);
    }
}

/// How bad a fault is; the worst first.
fn gravity(ending: &Ending) -> u8 {
    match ending {
        Ending::NoLegalMove(_) => 0,
        Ending::TooLong => 1,
        Ending::Terminal(_) => 2,
    }
}

/// The payoffs of all roles that are values, highest first: value, role, place among the payoffs of the role.
fn ranking(goals: &[Vec<Payoff>]) -> Vec<(u8, usize, usize)> {
    let mut ranking = Vec::new();
    for (role, payoffs) in goals.iter().enumerate() {
        for (place, payoff) in payoffs.iter().enumerate() {
            ranking.extend(payoff.value.map(|value| (value.0, role, place)));
        }
    }
    ranking.sort_unstable_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    ranking
}
