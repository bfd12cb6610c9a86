//! The strong solution of games in which no state can come at two times: layer by layer, forwards and backwards.
//!
//! A layer has the states that are so many moves from the start. A [`measure`](super::measure) shows that no state is
//! in two layers, so that one layer at a time is worked on: forwards, a layer is expanded in batches and what
//! follows is sorted; backwards, it is expanded again, and what follows is looked up in a table of the next layer
//! alone. No edge is ever stored, and a layer that is not worked on takes two to four bytes a state.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::successors::{After, PackedExpander, Successors};
use crate::gdl::{Goal, MoveId, State, Vocabulary};
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingFault, ForcingSetting, Meter};
use crate::search::versus::codes::{Code, Codes, Collector};
use crate::search::versus::folding::{Folding, TooManyVectors};
use crate::search::versus::lookup::{Lookup, Mark};
use crate::search::versus::measure::{Conjecture, Measure, Solvability};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::symmetry::Symmetries;
use crate::search::versus::value_table::Visit;
use crate::search::versus::worth::{Bounds, Worth};

/// States that are expanded at once.
const BATCH: usize = 1024;

/// Random plays from which a measure is conjectured.
const PLAYS: usize = 256;

/// Moves of a random play.
const MOVES: usize = 1000;

/// How far the layers have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// All reachable states are there.
    Whole,
    /// A budget is used up.
    Open,
    /// The game has no layers, or several roles choose at once, or there are too many different payoffs.
    Unsuited,
}

/// Numbers of states: by who chooses (none if nobody does), and by what they are worth.
pub(super) struct Census {
    /// By role, with one more row for states in which nobody chooses, and by number of a vector of worths.
    pub(super) states: Vec<Vec<u64>>,
    /// What the numbers stand for.
    pub(super) worths: Vec<Vec<Worth>>,
    /// Moves of the longest win, of one role over all others, that is not given away.
    pub(super) longest: u8,
}

/// Layers of states, whatever the width of their codes.
pub(super) trait Layered {
    /// Expands layers until there are so many states.
    fn grow(&mut self, meter: &mut Meter, most: u64) -> Result<Growth, Halt>;

    /// Evaluates all states, once all are there.
    fn evaluate(&mut self, meter: &mut Meter) -> Result<Option<Census>, Halt>;

    /// What the start is worth, once all states are evaluated.
    fn value(&self) -> &[Worth];

    /// What the start is worth under backward induction, once all states are evaluated.
    fn induced(&self) -> &[Worth];

    /// Joint moves from the start to the end in which everybody gets what can be forced.
    fn line(&mut self, vocabulary: &mut Vocabulary) -> Vec<Vec<MoveId>>;

    /// The payoffs that ends have.
    fn payoffs(&self) -> Vec<Vec<Worth>>;

    /// Shows all states with what they are worth, once they are evaluated.
    fn visit(&self, visit: &mut Visit<'_>);

    /// What is known of each of some states about a role, once all states are evaluated.
    fn know(&self, role: usize, states: &[State]) -> Vec<Knowledge>;
}

/// The layers of a game whose codes have so many words.
pub(super) struct Layers<const W: usize> {
    game: PackedGame,
    expander: PackedExpander<W>,
    symmetries: Symmetries<W>,
    start: Code<W>,
    measure: Option<(Measure, u64)>,
    /// Layers that are expanded.
    closed: Vec<Codes>,
    /// States of the layer that is not.
    open: Vec<Code<W>>,
    states: u64,
    folding: Folding,
    /// By layer and place in it.
    marks: Vec<Vec<Mark>>,
}

/// The layers of a game with its states packed; none if they are too wide.
pub(super) fn layers(
    game: PackedGame,
    setting: &ForcingSetting,
    symmetries: &[Vec<usize>],
) -> Option<Box<dyn Layered>> {
    let start = &setting.start;
    match game.packing.words {
        0..=1 => Some(Box::new(Layers::<1>::new(game, start, symmetries))),
        2 => Some(Box::new(Layers::<2>::new(game, start, symmetries))),
        3..=4 => Some(Box::new(Layers::<4>::new(game, start, symmetries))),
        _ => None,
    }
}

impl<const W: usize> Layers<W> {
    fn new(game: PackedGame, start: &State, symmetries: &[Vec<usize>]) -> Self {
        let start = game.pack(start);
        let symmetries = Symmetries::new(&game.packing, symmetries, &start);
        let start = symmetries.canonical(&start);
        let roles = game.circuit.moves.len();
        let mut expander = PackedExpander::new(game.circuit.clone(), game.packing.clone());
        let measure = measure(&game, &mut expander, &start);
        Self {
            expander,
            symmetries,
            start,
            measure,
            closed: Vec::new(),
            open: vec![start],
            states: 1,
            folding: Folding::new(roles),
            marks: Vec::new(),
            game,
        }
    }

    /// The states that follow on the open layer; none if several roles choose in one of it.
    fn expand(&mut self, meter: &mut Meter) -> Result<Option<Vec<Code<W>>>, Halt> {
        let mut next = Collector::new();
        let mut found = Successors::default();
        for batch in self.open.chunks(BATCH) {
            meter.expand(batch.len())?;
            self.expander.expand(batch, &mut found);
            if found.after.contains(&After::Joint) {
                return Ok(None);
            }
            self.symmetries.canonicalise(&mut found.codes);
            next.add(&found.codes);
        }
        Ok(Some(next.finish()))
    }

    /// Marks the states of a layer, given those of the next one.
    fn mark(
        &mut self,
        layer: usize,
        next: &Lookup<W>,
        (meter, census): (&mut Meter, &mut Census),
    ) -> Result<Result<Lookup<W>, TooManyVectors>, Halt> {
        let codes = std::mem::take(&mut self.closed[layer]);
        let mut table = Lookup::new(codes.len());
        let mut own = Vec::with_capacity(codes.len());
        let mut batch = Vec::with_capacity(BATCH);
        let (mut marks, mut here) = (Vec::new(), Vec::new());
        let mut found = Successors::default();
        let mut left = codes.iter();
        loop {
            batch.clear();
            batch.extend(left.by_ref().take(BATCH));
            if batch.is_empty() {
                break;
            }
            meter.expand(batch.len())?;
            self.expander.expand(&batch, &mut found);
            self.symmetries.canonicalise(&mut found.codes);
            next.find(&found.codes, &mut marks);
            if let Err(many) = self.judge((&batch, &found), &marks, &mut here, meter) {
                return Ok(Err(many));
            }
            for ((code, &mark), &after) in batch.iter().zip(&here).zip(&found.after) {
                let row = match after {
                    After::Choice(role) => role as usize,
                    After::End(_) | After::Joint | After::Stuck => census.states.len() - 1,
                };
                census.states[row][usize::from(mark.value)] += self.symmetries.orbit(code);
                table.insert(*code, mark);
            }
            own.extend_from_slice(&here);
        }
        drop(left);
        self.closed[layer] = codes;
        self.marks[layer] = own;
        Ok(Ok(table))
    }

    /// Replaces `here` by what states are worth, given their successors' marks.
    fn judge(
        &mut self,
        (batch, found): (&[Code<W>], &Successors<W>),
        marks: &[Mark],
        here: &mut Vec<Mark>,
        meter: &mut Meter,
    ) -> Result<(), TooManyVectors> {
        here.clear();
        here.resize(batch.len(), Mark::NONE);
        for (place, (code, &after)) in batch.iter().zip(&found.after).enumerate() {
            let value = match after {
                After::Choice(_) => continue,
                After::End(number) => self.end((code, number), meter)?,
                After::Stuck | After::Joint => {
                    meter.note(ForcingFault::NoLegalMove(self.game.unpack(code)));
                    let roles = self.game.circuit.moves.len();
                    self.folding.number(vec![Worth::NONE; roles])?
                }
            };
            here[place] = Mark {
                value,
                moves: 0,
                induced: value,
            };
        }
        // The first successor's mark is taken as it is, each later one is folded in.
        for (&from, mark) in found.from.iter().zip(marks) {
            let own = &mut here[from as usize];
            match found.after[from as usize] {
                After::Choice(role) if own.value != Mark::NONE.value => {
                    let role = role as usize;
                    own.value = self.folding.choose(role, own.value, mark.value)?;
                    own.induced = self.folding.prefer(role, own.induced, mark.induced);
                }
                After::Choice(_) | After::End(_) | After::Joint | After::Stuck => {
                    (own.value, own.induced) = (mark.value, mark.induced);
                }
            }
        }
        self.hurry(found, marks, here);
        Ok(())
    }

    /// Finds how many moves it takes to the end: who gets more than all others hurries, and who does not takes time.
    fn hurry(&self, found: &Successors<W>, marks: &[Mark], here: &mut [Mark]) {
        for (&from, mark) in found.from.iter().zip(marks) {
            let own = &mut here[from as usize];
            let After::Choice(role) = found.after[from as usize] else {
                continue;
            };
            let role = role as usize;
            if !self.folding.is_as_good(role, mark.value, own.value) {
                continue;
            }
            let moves = mark.moves.saturating_add(1);
            let is_winner = self.folding.winner(own.value) == Some(role);
            // Zero is no number of moves yet: every move takes one.
            own.moves = if is_winner && own.moves != 0 {
                own.moves.min(moves)
            } else {
                own.moves.max(moves)
            };
        }
    }

    fn end(
        &mut self,
        (code, number): (&Code<W>, u32),
        meter: &mut Meter,
    ) -> Result<u8, TooManyVectors> {
        if let Some(known) = self.folding.end(number) {
            return Ok(known);
        }
        let goals = self.expander.goals(number);
        meter.note_goals(goals, || self.game.unpack(code));
        let worths = worths(goals);
        self.folding.note_end(number, worths)
    }

    /// The marks of states in a layer; none for those that are not in it.
    fn marks_of(&self, layer: usize, states: &[Code<W>]) -> Vec<Option<Mark>> {
        let mut found = vec![None; states.len()];
        let Some(codes) = self.closed.get(layer) else {
            return found;
        };
        let asked = states.iter().map(|code| self.symmetries.canonical(code));
        let mut asked: Vec<(Code<W>, usize)> = asked.zip(0..).collect();
        asked.sort_unstable();
        // Both are ascending.
        let mut left = asked.iter().peekable();
        for (code, &mark) in codes.iter::<W>().zip(&self.marks[layer]) {
            while left.next_if(|(asked, _)| *asked < code).is_some() {}
            while let Some(&(_, place)) = left.next_if(|(asked, _)| *asked == code) {
                found[place] = Some(mark);
            }
            if left.peek().is_none() {
                break;
            }
        }
        found
    }
}

fn worths(goals: &[Goal]) -> Vec<Worth> {
    goals.iter().map(Worth::of_goal).collect()
}

impl<const W: usize> Layered for Layers<W> {
    fn grow(&mut self, meter: &mut Meter, most: u64) -> Result<Growth, Halt> {
        let Some((measure, first)) = self.measure.clone() else {
            return Ok(Growth::Unsuited);
        };
        while !self.open.is_empty() {
            if self.states > most {
                return Ok(Growth::Open);
            }
            let Some(next) = self.expand(meter)? else {
                self.measure = None;
                return Ok(Growth::Unsuited);
            };
            // One state whose measure is not that of its depth refutes the conjecture, and layers would not be
            // disjoint.
            let expected = Measure::after(first, self.closed.len() + 1);
            if next.iter().any(|code| measure.of(code) != expected) {
                self.measure = None;
                return Ok(Growth::Unsuited);
            }
            self.states += next.len() as u64;
            let open = std::mem::replace(&mut self.open, next);
            self.closed.push(Codes::of(&open));
        }
        Ok(Growth::Whole)
    }

    fn evaluate(&mut self, meter: &mut Meter) -> Result<Option<Census>, Halt> {
        let roles = self.game.circuit.moves.len();
        let mut census = Census {
            states: vec![vec![0; usize::from(u8::MAX)]; roles + 1],
            worths: Vec::new(),
            longest: 0,
        };
        self.marks = vec![Vec::new(); self.closed.len()];
        let mut next = Lookup::new(0);
        for layer in (0..self.closed.len()).rev() {
            next = match self.mark(layer, &next, (meter, &mut census))? {
                Ok(table) => table,
                Err(TooManyVectors) => return Ok(None),
            };
            // Only wins have a length that means something: a draw is as long as the others make it.
            let longest = self.marks[layer]
                .iter()
                .filter(|mark| self.folding.winner(mark.value).is_some());
            let longest = longest.map(|mark| mark.moves).max().unwrap_or(0);
            census.longest = census.longest.max(longest);
        }
        census.worths = self.folding.vectors();
        Ok(Some(census))
    }

    fn value(&self) -> &[Worth] {
        let mark = self.marks.first().and_then(|marks| marks.first());
        mark.map_or(&[], |mark| self.folding.worths(mark.value))
    }

    fn induced(&self) -> &[Worth] {
        let mark = self.marks.first().and_then(|marks| marks.first());
        mark.map_or(&[], |mark| self.folding.worths(mark.induced))
    }

    fn line(&mut self, vocabulary: &mut Vocabulary) -> Vec<Vec<MoveId>> {
        let mut line = Vec::new();
        let mut state = self.start;
        let mut found = Successors::default();
        for layer in 0..self.closed.len() {
            self.expander.expand(&[state], &mut found);
            let After::Choice(role) = found.after[0] else {
                break;
            };
            let own = self.marks_of(layer, &[state]);
            let Some(&Some(own)) = own.first() else {
                break;
            };
            let marks = self.marks_of(layer + 1, &found.codes).into_iter();
            // A successor that is as good, and one move nearer to the end.
            let fitting = marks.enumerate().filter(|(_, mark)| {
                mark.is_some_and(|mark| {
                    mark.moves.saturating_add(1) == own.moves
                        && self
                            .folding
                            .is_as_good(role as usize, mark.value, own.value)
                })
            });
            let Some((best, _)) = fitting.min_by_key(|&(place, _)| found.moves[place]) else {
                break;
            };
            let moves = self.game.circuit.moves.iter().enumerate();
            let joint = moves.filter_map(|(other, moves)| {
                let place = if other == role as usize {
                    found.moves[best]
                } else {
                    self.expander.first_legal(other, 0)?
                };
                Some(vocabulary.mv(moves[place as usize].term))
            });
            line.push(joint.collect());
            state = found.codes[best];
        }
        line
    }

    fn payoffs(&self) -> Vec<Vec<Worth>> {
        let ends = 0..self.expander.ends() as u32;
        ends.map(|end| worths(self.expander.goals(end))).collect()
    }

    fn visit(&self, visit: &mut Visit<'_>) {
        let exactly = |worths: Vec<Worth>| worths.into_iter().map(Bounds::exactly).collect();
        let vectors = self.folding.vectors().into_iter();
        let bounds: Vec<Vec<Bounds>> = vectors.map(exactly).collect();
        for (codes, marks) in self.closed.iter().zip(&self.marks) {
            for (code, mark) in codes.iter::<W>().zip(marks) {
                for code in self.symmetries.members(&code) {
                    visit(&self.game.unpack(&code), &bounds[usize::from(mark.value)]);
                }
            }
        }
    }

    fn know(&self, role: usize, states: &[State]) -> Vec<Knowledge> {
        let mut known = vec![Knowledge::NONE; states.len()];
        let Some((measure, first)) = &self.measure else {
            return known;
        };
        let codes = states
            .iter()
            .map(|state| self.symmetries.canonical(&self.game.pack(state)));
        let codes: Vec<Code<W>> = codes.collect();
        let measures: Vec<u64> = codes.iter().map(|code| measure.of(code)).collect();
        for layer in 0..self.closed.len() {
            // The measure tells in which layer a state must be, if it was reached.
            let expected = Measure::after(*first, layer);
            let places: Vec<usize> = (0..codes.len())
                .filter(|&place| measures[place] == expected)
                .collect();
            if places.is_empty() {
                continue;
            }
            let own: Vec<Code<W>> = places.iter().map(|&place| codes[place]).collect();
            for (&place, mark) in places.iter().zip(self.marks_of(layer, &own)) {
                known[place] = mark.map_or(Knowledge::NONE, |mark| {
                    let worth = self.folding.worths(mark.value)[role];
                    Knowledge {
                        bounds: Bounds::exactly(worth),
                        rank: u32::MAX - layer as u32,
                    }
                });
            }
        }
        known
    }
}

/// The measure that random plays show, and that of the start.
fn measure<const W: usize>(
    game: &PackedGame,
    expander: &mut PackedExpander<W>,
    start: &Code<W>,
) -> Option<(Measure, u64)> {
    let mut conjecture = Conjecture::new(&game.packing)?;
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(1);
    let mut found = Successors::default();
    let mut plays = vec![*start; PLAYS];
    for _ in 0..MOVES {
        expander.expand(&plays, &mut found);
        // Of the successors of a state, each is as likely to be the last one that is drawn.
        let mut drawn: Vec<(u32, Option<Code<W>>)> = vec![(0, None); plays.len()];
        for (&from, code) in found.from.iter().zip(&found.codes) {
            let (seen, choice) = &mut drawn[from as usize];
            *seen += 1;
            if random.random_range(0..*seen) == 0 {
                *choice = Some(*code);
            }
        }
        let mut next = Vec::new();
        for (state, (_, after)) in plays.iter().zip(drawn) {
            let Some(after) = after else {
                continue;
            };
            if conjecture.learn(&game.packing, (state, &after)) == Solvability::Impossible {
                return None;
            }
            next.push(after);
        }
        if next.is_empty() {
            break;
        }
        plays = next;
    }
    let measure = conjecture.solve(&game.packing)?;
    let first = measure.of(start);
    Some((measure, first))
}
