//! A block of games in lockstep: 512 lanes, from numbers of moves to bits and from bits to bytes.

use crate::circuit::assemble::Payoff;
use crate::circuit::code::{Choice, Slot};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::bytes::{WIDTH, spread, write_flags, write_numbers};
use crate::circuit::simulate::choose::Chooser;
use crate::circuit::simulate::given::Given;
use crate::circuit::simulate::lanes::{
    Random, Signals, and, any, bit, lanes, none, or, set_bit, signals, without, xor,
};
use crate::circuit::simulate::machine::{evaluate, value};
use crate::circuit::simulate::setup::{
    GAMES, LockstepView, Restart, Row, Setup, StepError, Turns, WORDS,
};

/// Games side by side.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) values: Signals<WORDS>,
    /// The next state, by register.
    following: Signals<WORDS>,
    /// Lanes with a game.
    live: Row,
    /// Lanes whose game is over or was given up.
    over: Row,
    /// By role, where it has several moves.
    several: Vec<Row>,
    /// By role, where it is in control. Each game that goes on has one such role.
    control: Vec<Row>,
    /// Where several roles have several moves.
    pub(super) together: Row,
    /// By role, where it has no move.
    stuck: Vec<Row>,
    /// By lane, joint moves made in the game; only kept where games may be given up.
    length: Vec<u32>,
    /// The moves that are given.
    given: Given,
}

impl Block {
    /// Games in the initial state in some lanes.
    pub(super) fn new(setup: &Setup, live: Row) -> Self {
        let mut values = signals(setup.code.slots);
        for (value, &word) in values.iter_mut().zip(&setup.initial) {
            *value = [word; WORDS];
        }
        let roles = setup.roles();
        let mut block = Self {
            values,
            following: signals(setup.code.registers.len()),
            live,
            over: none(),
            several: vec![none(); roles],
            control: vec![none(); roles],
            together: none(),
            stuck: vec![none(); roles],
            length: vec![0; GAMES],
            given: Given::new(setup.moves()),
        };
        let terminal = block.terminal(setup);
        block.look(setup, terminal);
        block
    }

    /// Where a move is legal.
    pub(super) fn legal(&self, choice: &Choice) -> Row {
        value(&self.values, choice.legal)
    }

    /// Where another role has several moves and this one has not.
    pub(super) fn elsewhere(&self, role: usize) -> Row {
        let several = self.several.iter().fold(none(), |all, &own| or(all, own));
        without(several, self.several[role])
    }

    fn terminal(&self, setup: &Setup) -> Row {
        and(value(&self.values, setup.code.terminal), self.live)
    }

    fn open(&self) -> Row {
        without(self.live, self.over)
    }

    /// Finds out who has a choice, given where games are over.
    fn look(&mut self, setup: &Setup, over: Row) {
        self.over = over;
        let open = self.open();
        let (mut chosen, mut together) = (none(), none());
        for role in 0..setup.roles() {
            let (mut some, mut several) = (none(), none());
            for choice in &setup.code.moves[role] {
                let legal = value(&self.values, choice.legal);
                several = or(several, and(some, legal));
                some = or(some, legal);
            }
            let several = and(several, open);
            self.stuck[role] = without(open, some);
            self.several[role] = several;
            self.control[role] = without(several, chosen);
            together = or(together, and(chosen, several));
            chosen = or(chosen, several);
        }
        self.together = together;
        let left = without(open, chosen);
        if any(left) {
            self.give(setup, left);
        }
    }

    /// Gives games without a choice to the first role that does something else than waiting, or to the first.
    fn give(&mut self, setup: &Setup, mut left: Row) {
        for role in 0..setup.roles() {
            let own = setup.code.moves[role].iter().zip(&setup.waits[role]);
            let acts = own
                .filter(|&(_, &waits)| !waits)
                .fold(none(), |all, (choice, _)| or(all, self.legal(choice)));
            let taken = and(acts, left);
            self.control[role] = or(self.control[role], taken);
            left = without(left, taken);
        }
        if let Some(control) = self.control.first_mut() {
            *control = or(*control, left);
        }
    }

    /// Notes a move for each game, or for each game and role.
    ///
    /// # Errors
    /// [`StepError`], with the number of the game in this block.
    pub(super) fn choose(&mut self, setup: &Setup, moves: &[i32]) -> Result<(), StepError> {
        for role in 0..setup.roles() {
            if let Some(game) = lanes(self.stuck[role]).next() {
                return Err(StepError::Stuck { game, role });
            }
        }
        let is_one = setup.turns == Turns::One;
        if is_one {
            if let Some(game) = lanes(self.together).next() {
                return Err(StepError::Together { game });
            }
            self.given.read(moves.iter());
        }
        let (roles, open) = (setup.roles(), self.open());
        let mut first = None;
        for role in 0..roles {
            let asked = if is_one { self.control[role] } else { open };
            if !is_one {
                self.given.read(moves.iter().skip(role).step_by(roles));
            }
            let illegal = self.make(setup, role, asked, without(open, asked));
            let found = lanes(illegal).next().map(|game| (game, role));
            first = first.into_iter().chain(found).min();
        }
        first.map_or(Ok(()), |(game, role)| {
            let at = if is_one { game } else { game * roles + role };
            let mv = moves[at];
            Err(StepError::Illegal { game, role, mv })
        })
    }

    /// Notes the moves of a role: what is given where it is asked, and the only one it has where it is left no choice.
    /// Says where what is given is not legal.
    fn make(&mut self, setup: &Setup, role: usize, asked: Row, forced: Row) -> Row {
        let mut illegal = self.given.unknown(asked);
        for (choice, given) in setup.choices[role].iter().zip(self.given.moves(asked)) {
            let legal = value(&self.values, choice.legal);
            illegal = or(illegal, without(given, legal));
            // A role that does not have the move has the slot that is never written.
            if choice.made != Slot::FALSE {
                self.values[choice.made.index()] = and(legal, or(given, forced));
            }
        }
        illegal
    }

    /// Notes a random legal move of each role in each game; says where some role has none.
    pub(super) fn play(
        &mut self,
        choosers: &mut [Chooser<WORDS>],
        random: &mut Random<WORDS>,
    ) -> Row {
        let open = self.open();
        let choosers = choosers.iter_mut();
        choosers.fold(none(), |stuck, chooser| {
            or(stuck, chooser.choose(&mut self.values, open, random))
        })
    }

    /// Gives the games of some lanes up.
    pub(super) fn give_up(&mut self, at: Row) {
        self.over = or(self.over, at);
    }

    /// Draws a legal move for each game, or for each game and role.
    pub(super) fn draw(
        &mut self,
        setup: &Setup,
        choosers: &mut [Chooser<WORDS>],
        random: &mut Random<WORDS>,
        moves: &mut [i32],
    ) {
        self.play(choosers, random);
        moves.fill(0);
        let roles = setup.roles();
        for role in 0..roles {
            let (wanted, stride, offset) = match setup.turns {
                Turns::One => (self.control[role], 1, 0),
                Turns::All => (self.open(), roles, role),
            };
            for (number, choice) in setup.choices[role].iter().enumerate() {
                let made = and(self.values[choice.made.index()], wanted);
                // A role that does not have the move has the slot that is never written.
                if choice.made != Slot::FALSE {
                    lanes(made).for_each(|lane| moves[lane * stride + offset] = number as i32);
                }
            }
        }
    }

    /// Makes the moves that are noted, and shows what comes of them.
    pub(super) fn advance(&mut self, setup: &Setup, seen: &mut LockstepView<'_>) {
        let idle = self.over;
        self.pass(setup, idle);
        evaluate(&setup.code, Phase::State, &mut self.values);
        let terminal = self.terminal(setup);
        let ended = without(terminal, idle);
        let cut = self.lengthen(setup, idle, terminal);
        if !seen.goals.is_empty() {
            self.score(setup, ended, seen.goals);
        }
        let over = match setup.restart {
            Restart::Never => or(terminal, idle),
            Restart::SameStep | Restart::NextStep => ended,
        };
        write_flags(over, seen.over);
        write_flags(cut, seen.cut);
        self.write_state(setup, seen.last);
        let gone = or(over, cut);
        match setup.restart {
            Restart::SameStep => {
                self.restart(setup, gone);
                let terminal = self.terminal(setup);
                self.look(setup, terminal);
            }
            Restart::NextStep | Restart::Never => self.look(setup, or(gone, terminal)),
        }
        self.show(setup, seen);
    }

    /// Puts the next states in the place of the states.
    fn pass(&mut self, setup: &Setup, idle: Row) {
        evaluate(&setup.code, Phase::Next, &mut self.values);
        pulp::Arch::new().dispatch(Follow {
            block: self,
            setup,
            idle,
        });
    }

    #[inline(always)]
    fn follow(&mut self, setup: &Setup, idle: Row) {
        for (following, register) in self.following.iter_mut().zip(&setup.code.registers) {
            let next = value(&self.values, register.next);
            *following = match (setup.restart, register.initial) {
                (Restart::Never, _) => {
                    let now = self.values[register.slot.index()];
                    xor(next, and(xor(next, now), idle))
                }
                (_, true) => or(next, idle),
                (_, false) => without(next, idle),
            };
        }
        for (&following, register) in self.following.iter().zip(&setup.code.registers) {
            self.values[register.slot.index()] = following;
        }
    }

    /// Counts joint moves, and says which games have made too many.
    fn lengthen(&mut self, setup: &Setup, idle: Row, terminal: Row) -> Row {
        let mut cut = none();
        let Some(most) = setup.max_length else {
            return cut;
        };
        let going = without(without(self.live, idle), terminal);
        for (lane, length) in self.length.iter_mut().enumerate() {
            let goes_on = bit(&going, lane);
            *length = if goes_on { *length + 1 } else { 0 };
            if goes_on && *length >= most {
                *length = 0;
                set_bit(&mut cut, lane, true);
            }
        }
        cut
    }

    /// Puts some games into the initial state, with all that follows from it.
    fn restart(&mut self, setup: &Setup, at: Row) {
        if !any(at) {
            return;
        }
        pulp::Arch::new().dispatch(Restore {
            values: &mut self.values,
            initial: &setup.initial,
            at,
        });
    }

    /// Writes what roles get in games that ended.
    fn score(&mut self, setup: &Setup, ended: Row, goals: &mut [f32]) {
        goals.fill(0.0);
        if !any(ended) {
            return;
        }
        evaluate(&setup.code, Phase::Goals, &mut self.values);
        let roles = setup.roles();
        for (role, (payoffs, wires)) in setup.payoffs.iter().zip(&setup.code.goals).enumerate() {
            let (mut one, mut several) = (none(), none());
            for (payoff, &wire) in payoffs.iter().zip(wires) {
                let has = and(value(&self.values, wire), ended);
                several = or(several, and(one, has));
                one = or(one, has);
                let points = points(payoff);
                // Zero is written already.
                if points != 0.0 {
                    lanes(has).for_each(|lane| goals[lane * roles + role] = points);
                }
            }
            let unclear = or(several, without(ended, one));
            lanes(unclear).for_each(|lane| goals[lane * roles + role] = f32::NAN);
        }
    }

    /// Shows states, legal moves, and who is in control.
    pub(super) fn show(&self, setup: &Setup, seen: &mut LockstepView<'_>) {
        self.write_state(setup, seen.fluents);
        write_numbers(&self.control, seen.control);
        if seen.legal.is_empty() {
            return;
        }
        let open = self.open();
        let moves = setup.moves();
        match setup.turns {
            Turns::One => self.write_moves(setup, &self.control, (moves, 0), seen.legal),
            Turns::All => {
                let mut asked = vec![none(); setup.roles()];
                for role in 0..setup.roles() {
                    asked.fill(none());
                    asked[role] = open;
                    let place = (moves * setup.roles(), moves * role);
                    self.write_moves(setup, &asked, place, seen.legal);
                }
            }
        }
    }

    /// Writes which moves are legal where a role is asked for, at a place of the rows of so many bytes.
    fn write_moves(
        &self,
        setup: &Setup,
        asked: &[Row],
        (width, place): (usize, usize),
        out: &mut [u8],
    ) {
        let moves = setup.moves();
        let mut rows = [none(); WIDTH];
        for start in (0..moves).step_by(WIDTH) {
            let number = WIDTH.min(moves - start);
            for (at, row) in rows[..number].iter_mut().enumerate() {
                let by_role = setup.choices.iter().zip(asked);
                *row = by_role.fold(none(), |all, (own, &asked)| {
                    or(all, and(self.legal(&own[start + at]), asked))
                });
            }
            spread(&rows[..number], (width, place + start), out);
        }
    }

    /// Writes which fluents hold.
    fn write_state(&self, setup: &Setup, out: &mut [u8]) {
        if out.is_empty() {
            return;
        }
        let registers = &setup.code.registers;
        let mut rows = [none(); WIDTH];
        for (number, own) in registers.chunks(WIDTH).enumerate() {
            for (row, register) in rows.iter_mut().zip(own) {
                *row = self.values[register.slot.index()];
            }
            spread(&rows[..own.len()], (registers.len(), number * WIDTH), out);
        }
    }
}

/// [`Block::follow`], whose loops are inlined where they are compiled for the kind of processor that was found; those
/// of a closure are not.
struct Follow<'b> {
    block: &'b mut Block,
    setup: &'b Setup,
    idle: Row,
}

impl pulp::NullaryFnOnce for Follow<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.block.follow(self.setup, self.idle);
    }
}

/// Puts the initial values into some lanes.
struct Restore<'b> {
    values: &'b mut [Row],
    initial: &'b [u64],
    at: Row,
}

impl pulp::NullaryFnOnce for Restore<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (value, &initial) in self.values.iter_mut().zip(self.initial) {
            let initial = [initial; WORDS];
            *value = xor(*value, and(xor(*value, initial), self.at));
        }
    }
}

/// What a payoff is worth; not a number if it is none.
fn points(payoff: &Payoff) -> f32 {
    payoff.value.map_or(f32::NAN, |value| f32::from(value.0))
}
