//! A part by itself: its states, and where the moves of each role lead.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::circuit::Probe;
use crate::circuit::lanes::{and, any, bit, first, inverted_if, lanes, none, set_bit};
use crate::search::halt::Halt;
use crate::search::versus::arena::Meter;
use crate::search::versus::sum::rows::{LANES, Row};
use crate::search::versus::sum::split::Split;
use crate::search::versus::sum::turns::Turn;

/// Local states of all parts at most.
const MOST: usize = 1 << 20;

/// The state of a part: by its fluents, whether each holds.
pub(super) type LocalState = Vec<bool>;

/// The states that a part can have, whoever moves in it how often.
pub(super) struct LocalGame {
    pub(super) states: IndexSet<LocalState, FxBuildHasher>,
    /// By role, by state, where its moves lead, ascending.
    pub(super) options: [Vec<Vec<u32>>; 2],
}

impl LocalGame {
    /// Explores a part. None if there are too many states, or what can be done depends on more than whose turn it is.
    ///
    /// # Errors
    /// [`Halt`] if a limit is reached.
    pub(super) fn explore(
        split: &Split<'_>,
        part: usize,
        turns: &[Turn],
        (probe, start): (&mut Probe, &[bool]),
        meter: &mut Meter,
    ) -> Result<Option<Self>, Halt> {
        let own = &split.parts[part];
        let mut game = Self {
            states: IndexSet::default(),
            options: [Vec::new(), Vec::new()],
        };
        game.states
            .insert(own.iter().map(|&place| start[place]).collect());
        let mut from = 0;
        while from < game.states.len() {
            let to = game.states.len().min(from + LANES);
            meter.expand(to - from)?;
            if game.states.len() > MOST {
                return Ok(None);
            }
            let mut known: [Option<Vec<Vec<u32>>>; 2] = [None, None];
            for turn in turns {
                let found = game.options_of(split, part, (from, to), (turn, probe, start));
                match &known[turn.mover] {
                    // A role's options must be the same at each of its turns, or they are none of the part alone.
                    Some(known) if *known != found => return Ok(None),
                    Some(_) => {}
                    None => known[turn.mover] = Some(found),
                }
            }
            for (options, known) in game.options.iter_mut().zip(known) {
                let Some(known) = known else {
                    return Ok(None);
                };
                options.extend(known);
            }
            from = to;
        }
        Ok(Some(game))
    }

    /// Where the moves lead that can be made in some states at a turn; adds the states that are new.
    fn options_of(
        &mut self,
        split: &Split<'_>,
        part: usize,
        (from, to): (usize, usize),
        (turn, probe, start): (&Turn, &mut Probe, &[bool]),
    ) -> Vec<Vec<u32>> {
        let own = &split.parts[part];
        // The other parts stay as they are at the start, which makes no difference.
        let mut rows: Vec<Row> = start
            .iter()
            .map(|&holds| inverted_if(none(), holds))
            .collect();
        for (&place, &holds) in split.outside.iter().zip(&turn.holds) {
            rows[place] = inverted_if(none(), holds);
        }
        for (number, &place) in own.iter().enumerate() {
            // Lane n has the n-th of the states.
            rows[place] = none();
            for (lane, state) in (from..to).enumerate() {
                set_bit(&mut rows[place], lane, self.states[state][number]);
            }
        }
        probe.enter(&rows);
        let used: Row = first((to - from) as u64);
        let mut options = vec![Vec::new(); to - from];
        let legal = split.moves(turn.mover, part).map(|mv| {
            let legal = and(probe.legal(turn.mover, mv), used);
            (mv, legal)
        });
        let legal: Vec<(usize, Row)> = legal.filter(|&(_, legal)| any(legal)).collect();
        for (mv, legal) in legal {
            probe.clear(0);
            probe.clear(1);
            probe.make(turn.mover, mv, used);
            probe.make(1 - turn.mover, turn.pass, used);
            probe.step();
            let next: Vec<Row> = own.iter().map(|&place| probe.next(place)).collect();
            for lane in lanes(legal) {
                let next = next.iter().map(|row| bit(row, lane));
                let (after, _) = self.states.insert_full(next.collect());
                options[lane].push(after as u32);
            }
        }
        for options in &mut options {
            options.sort_unstable();
            options.dedup();
        }
        options
    }

    /// The states, each after all that can follow on it; none if a state can come again.
    pub(super) fn order(&self) -> Option<Vec<usize>> {
        /// How far a state is.
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Visited {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Visited::New; self.states.len()];
        let mut order = Vec::with_capacity(marks.len());
        let after = |state: usize, place: usize| {
            let mut options = self.options.iter().flat_map(|options| &options[state]);
            options.nth(place).map(|&after| after as usize)
        };
        // Depth first; a frame is a state with the place of the option to follow next.
        let mut path = vec![(0, 0)];
        marks[0] = Visited::Open;
        while let Some((state, place)) = path.last_mut() {
            let next = after(*state, *place);
            *place += 1;
            match next {
                // All options are done: what follows on the state is before it in the order.
                None => {
                    marks[*state] = Visited::Done;
                    order.push(*state);
                    path.pop();
                }
                Some(next) => match marks[next] {
                    Visited::Open => return None,
                    Visited::Done => {}
                    Visited::New => {
                        marks[next] = Visited::Open;
                        path.push((next, 0));
                    }
                },
            }
        }
        Some(order)
    }
}
