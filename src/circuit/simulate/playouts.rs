//! Random playouts in lanes: a lane whose game is over starts the next one at once.
//!
//! All playouts that are started are played to their end and counted, long ones like short ones. What
//! comes of it depends on the seed and the number of lanes only.

use std::sync::Arc;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::{Circuit, Payoff};
use crate::circuit::code::{Code, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::choose::Chooser;
use crate::circuit::simulate::lanes::{
    Lanes, Random, and, any, count, first, lanes, none, or, without,
};
use crate::circuit::simulate::machine::{evaluate, holds, payoff, value};
use crate::gdl::{Ending, FluentId, Goal, Playout, RoleId, State, Vocabulary};
use crate::limits::StopFlag;

/// Makes playouts of a game.
#[derive(Clone, Debug)]
pub struct Simulator {
    circuit: Arc<Circuit>,
    code: Code,
    /// The fluents of the circuit.
    fluents: Vec<FluentId>,
}

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    /// Playouts to start at most.
    pub playouts: u64,
    /// Seed of the random choices.
    pub seed: u64,
    /// Joint moves after which a playout is given up.
    pub max_length: u64,
}

/// What came of some playouts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Playouts that came to an end, or to one that they should not have.
    pub playouts: u64,
    /// States visited.
    pub states: u64,
    /// Joint moves made in these playouts.
    pub length: u64,
    /// For each role, the sum of its payoffs and the number of playouts that define one.
    pub goals: Vec<(u64, u64)>,
    /// A playout that went as the rules should not allow, with its number. What ends the series comes
    /// before a payoff that is missing or is none.
    pub fault: Option<(u64, Playout)>,
}

/// A playout that went as it should not.
struct Fault {
    number: u64,
    /// The step of the series in which it did.
    step: u64,
    length: u64,
    /// The fluents of the state, by register.
    held: Vec<bool>,
    ending: Ending,
}

impl Simulator {
    /// Prepares a circuit.
    pub fn new(circuit: Arc<Circuit>, vocabulary: &mut Vocabulary) -> Self {
        let fluents = circuit.fluents.iter();
        Self {
            code: Code::of(&circuit, false),
            fluents: fluents
                .map(|fluent| vocabulary.fluent(fluent.term))
                .collect(),
            circuit,
        }
    }

    /// Operations that one step of all lanes takes at most.
    pub fn operations(&self) -> usize {
        self.code.operations
    }

    /// Makes playouts in so many lanes, a multiple of 64, up to 512, until `stop` is raised; those that
    /// are on their way then are finished.
    pub fn run(&self, batch: Batch, lanes: usize, stop: &StopFlag) -> Tally {
        match lanes {
            0..=64 => self.play::<1>(batch, stop),
            65..=256 => self.play::<4>(batch, stop),
            _ => self.play::<8>(batch, stop),
        }
    }

    fn play<const W: usize>(&self, batch: Batch, stop: &StopFlag) -> Tally {
        let goals = &self.circuit.goals;
        let mut series = Series::<W>::new(&self.code, goals, batch, stop);
        series.run(u64::MAX);
        let mut tally = series.tally;
        if let Some(fault) = series.fault {
            // Fluents on which nothing depends are not simulated. The same choices lead to the same fault
            // with all of them.
            let code = Code::of(&self.circuit, true);
            let never = StopFlag::default();
            let batch = Batch {
                playouts: series.batch.playouts,
                ..batch
            };
            let mut again = Series::<W>::new(&code, goals, batch, &never);
            again.run(fault.step);
            tally.fault = again.fault.map(|fault| self.shown(&code, fault));
        }
        tally
    }

    fn shown(&self, code: &Code, fault: Fault) -> (u64, Playout) {
        let always = self.circuit.always();
        let mut state: State = always.map(|place| self.fluents[place]).collect();
        for (register, _) in code
            .registers
            .iter()
            .zip(&fault.held)
            .filter(|(_, held)| **held)
        {
            state.insert(self.fluents[register.fluent as usize]);
        }
        let playout = Playout {
            length: fault.length,
            last: state,
            ending: fault.ending,
        };
        (fault.number, playout)
    }
}

/// Steps between two looks at the stop flag.
const POLL: u64 = 64;

/// Playouts on their way.
struct Series<'s, const W: usize> {
    code: &'s Code,
    goals: &'s [Vec<Payoff>],
    batch: Batch,
    stop: &'s StopFlag,
    values: Vec<Lanes<W>>,
    /// The next state, by register.
    following: Vec<Lanes<W>>,
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
    tally: Tally,
    fault: Option<Fault>,
    ended: bool,
}

impl<'s, const W: usize> Series<'s, W> {
    /// Plays on, to a step at most.
    fn run(&mut self, last: u64) {
        while any(self.alive) && !self.ended && self.step <= last {
            if self.step.is_multiple_of(POLL) && self.stop.raised().is_some() {
                self.batch.playouts = self.next;
            }
            self.advance();
        }
    }

    fn new(code: &'s Code, goals: &'s [Vec<Payoff>], batch: Batch, stop: &'s StopFlag) -> Self {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(batch.seed);
        let lanes = 64 * W as u64;
        let mut values = vec![none(); code.slots];
        for register in code.registers.iter().filter(|register| register.initial) {
            values[register.slot as usize] = [u64::MAX; W];
        }
        Self {
            code,
            goals,
            batch,
            stop,
            values,
            following: vec![none(); code.registers.len()],
            choosers: code.moves.iter().map(|moves| Chooser::new(moves)).collect(),
            random: Random::new(&mut generator),
            alive: first(batch.playouts.min(lanes)),
            started: (0..lanes).map(|lane| (lane, 0)).collect(),
            oldest: 0,
            next: batch.playouts.min(lanes),
            step: 0,
            tally: Tally {
                goals: vec![(0, 0); goals.len()],
                ..Tally::default()
            },
            fault: None,
            ended: false,
        }
    }

    /// Looks at the states of all lanes and makes a move in each whose game goes on.
    fn advance(&mut self) {
        evaluate(self.code, Phase::State, &mut self.values);
        let over = and(value(&self.values, self.code.terminal), self.alive);
        let on = without(self.alive, over);
        self.tally.states += count(self.alive);
        if any(over) {
            self.count(over);
            evaluate(self.code, Phase::Goals, &mut self.values);
            self.score(over);
        }
        if self.step - self.oldest >= self.batch.max_length {
            self.give_up(on);
        }
        for role in 0..self.choosers.len() {
            let chooser = &mut self.choosers[role];
            let stuck = chooser.choose(&mut self.values, on, &mut self.random);
            if any(stuck) {
                self.end(stuck, Ending::NoLegalMove(RoleId(role as u32)));
            }
            if self.ended {
                return;
            }
        }
        evaluate(self.code, Phase::Next, &mut self.values);
        self.renew(over);
        self.step += 1;
    }

    /// Gives each lane its next state: the initial one where a game was over.
    fn renew(&mut self, over: Lanes<W>) {
        // A next state may be read off this one, so nothing is written before everything is read.
        for (following, register) in self.following.iter_mut().zip(&self.code.registers) {
            let next = value(&self.values, register.next);
            *following = match register.initial {
                true => or(next, over),
                false => without(next, over),
            };
        }
        for (&following, register) in self.following.iter().zip(&self.code.registers) {
            self.values[register.slot as usize] = following;
        }
        if any(over) {
            self.restart(over);
        }
    }

    /// Starts playouts in lanes whose game is over, or leaves them idle if no more are wanted.
    fn restart(&mut self, over: Lanes<W>) {
        for lane in lanes(over) {
            if self.next < self.batch.playouts {
                self.started[lane] = (self.next, self.step + 1);
                self.next += 1;
            } else {
                self.alive[lane / 64] &= !(1 << (lane % 64));
            }
        }
    }

    /// Counts playouts that come to an end in this step.
    fn count(&mut self, ended: Lanes<W>) {
        for lane in lanes(ended) {
            self.tally.playouts += 1;
            self.tally.length += self.step - self.started[lane].1;
        }
    }

    /// Counts the payoffs of games that are over.
    fn score(&mut self, over: Lanes<W>) {
        let mut missing = none();
        for role in 0..self.goals.len() {
            let (mut one, mut several, mut invalid) = (none(), none(), none());
            for (payoff, &wire) in self.goals[role].iter().zip(&self.code.goals[role]) {
                let has = value(&self.values, wire);
                several = or(several, and(one, has));
                one = or(one, has);
                if payoff.value.is_none() {
                    invalid = or(invalid, has);
                }
            }
            let clear = and(over, without(one, or(several, invalid)));
            missing = or(missing, without(over, clear));
            let (sum, number) = &mut self.tally.goals[role];
            *number += count(clear);
            for (payoff, &wire) in self.goals[role].iter().zip(&self.code.goals[role]) {
                if let Some(payoff) = payoff.value {
                    let has = count(and(clear, value(&self.values, wire)));
                    *sum += u64::from(payoff.0) * has;
                }
            }
        }
        if any(missing) && self.fault.is_none() {
            let lane = lanes(missing).next().unwrap_or(0);
            let ending = Ending::Terminal(self.payoffs(lane));
            self.fault = Some(self.fault(lane, ending));
        }
    }

    /// The payoffs of all roles in a lane.
    fn payoffs(&self, lane: usize) -> Vec<Goal> {
        let roles = self.goals.iter().zip(&self.code.goals);
        let goals = roles.map(|(payoffs, wires)| payoff(payoffs, wires, &self.values, lane));
        goals.collect()
    }

    /// Ends the series if a playout on its way has made all the moves that it may make.
    fn give_up(&mut self, on: Lanes<W>) {
        let steps = lanes(on).map(|lane| self.started[lane].1);
        self.oldest = steps.min().unwrap_or(self.step);
        let mut late = none();
        for lane in lanes(on) {
            if self.step - self.started[lane].1 >= self.batch.max_length {
                late[lane / 64] |= 1 << (lane % 64);
            }
        }
        if any(late) {
            self.end(late, Ending::TooLong);
        }
    }

    /// Ends the series because of the playout with the least number in some lanes.
    fn end(&mut self, at: Lanes<W>, ending: Ending) {
        let lane = lanes(at).min_by_key(|&lane| self.started[lane].0);
        if let (Some(lane), false) = (lane, self.ended) {
            let mut ended = none();
            ended[lane / 64] |= 1 << (lane % 64);
            self.count(ended);
            self.fault = Some(self.fault(lane, ending));
            self.ended = true;
        }
    }

    fn fault(&self, lane: usize, ending: Ending) -> Fault {
        let (number, start) = self.started[lane];
        let registers = self.code.registers.iter();
        let wire = |slot| Wire {
            slot,
            inverted: false,
        };
        Fault {
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
