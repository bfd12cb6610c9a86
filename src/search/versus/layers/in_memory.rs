//! Layers in memory, on one thread.

use crate::circuit::successors::{After, Successors};
use crate::gdl::{MoveId, State, Vocabulary};
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingFault, Meter};
use crate::search::versus::codes::{Code, Codes, Collector};
use crate::search::versus::folding::{Folding, TooManyVectors};
use crate::search::versus::layers::{Accumulated, BATCH, Census, Growth, LayerGame, Layered};
use crate::search::versus::lookup::{Lookup, Mark, find_sorted};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::value_table::Visit;
use crate::search::versus::worth::{Bounds, Worth};

/// The layers of a game whose codes have so many words.
pub(super) struct Layers<const W: usize> {
    layers: LayerGame<W>,
    /// Whether the measure is that of the layer in all states so far.
    is_measured: bool,
    /// Layers that are expanded.
    closed: Vec<Codes>,
    /// States of the layer that is not.
    open: Vec<Code<W>>,
    states: u64,
    folding: Folding,
    /// By layer and place in it.
    marks: Vec<Vec<Mark>>,
}

impl<const W: usize> Layers<W> {
    pub(super) fn new(
        (game, start, symmetries): (PackedGame, &State, &[Vec<usize>]),
    ) -> Option<Self> {
        let layers = LayerGame::new(game, start, symmetries)?;
        Some(Self {
            is_measured: true,
            closed: Vec::new(),
            open: vec![layers.start],
            states: 1,
            folding: Folding::new(layers.roles()),
            marks: Vec::new(),
            layers,
        })
    }

    /// Bytes that layers take while the next one is sorted, if it grows as the open one did.
    fn needed(&self) -> u64 {
        let closed = self.closed.iter().map(|codes| codes.bytes().len() as u64);
        let before = self.closed.last().map_or(1, Codes::len).max(1) as f64;
        let open = self.open.len() as f64;
        // Sorted runs are there twice while they are merged.
        let states = open + 2.0 * open * open / before;
        closed.sum::<u64>() + (states * size_of::<Code<W>>() as f64) as u64
    }

    /// The states that follow on the open layer; none if several roles choose in one of it.
    fn expand(&mut self, meter: &mut Meter) -> Result<Option<Vec<Code<W>>>, Halt> {
        let mut next = Collector::new();
        let mut found = Successors::default();
        for batch in self.open.chunks(BATCH) {
            meter.expand(batch.len())?;
            self.layers.expand(batch, &mut found);
            if found.after.contains(&After::Joint) {
                return Ok(None);
            }
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
        let (mut marks, mut here) = (Vec::new(), Vec::new());
        let mut found = Successors::default();
        for batch in codes.batches(BATCH) {
            meter.expand(batch.len())?;
            self.layers.expand(&batch, &mut found);
            next.find(&found.codes, &mut marks);
            if let Err(many) = self.evaluate_batch((&batch, &found), &marks, &mut here, meter) {
                return Ok(Err(many));
            }
            for (code, one) in batch.iter().zip(&here) {
                let mark = one.mark(&self.folding);
                let orbit = self.layers.symmetries.orbit(code);
                census.count((one.chooser(), mark), orbit, &self.folding);
                table.insert(*code, mark);
                own.push(mark);
            }
        }
        self.closed[layer] = codes;
        self.marks[layer] = own;
        Ok(Ok(table))
    }

    /// Replaces `here` by what states are worth, given their successors' marks.
    fn evaluate_batch(
        &mut self,
        (batch, found): (&[Code<W>], &Successors<W>),
        marks: &[Mark],
        here: &mut Vec<Accumulated>,
        meter: &mut Meter,
    ) -> Result<(), TooManyVectors> {
        here.clear();
        for (code, &after) in batch.iter().zip(&found.after) {
            here.push(match after {
                After::Choice(role) => Accumulated::choice(role as u8),
                After::End(number) => Accumulated::end(self.end((code, number), meter)?),
                After::Stuck | After::Joint => {
                    let state = self.layers.game.unpack(code);
                    meter.note(ForcingFault::NoLegalMove(state));
                    let nothing = vec![Worth::NONE; self.layers.roles()];
                    Accumulated::end(self.folding.number(nothing)?)
                }
            });
        }
        for (&from, &mark) in found.from.iter().zip(marks) {
            here[from as usize].add(mark, &mut self.folding)?;
        }
        Ok(())
    }

    fn end(
        &mut self,
        (code, number): (&Code<W>, u32),
        meter: &mut Meter,
    ) -> Result<u8, TooManyVectors> {
        if let Some(known) = self.folding.end(number) {
            return Ok(known);
        }
        let goals = self.layers.expander.goals(number);
        meter.note_goals(goals, || self.layers.game.unpack(code));
        let worths = self.layers.worths(number);
        self.folding.note_end(number, worths)
    }

    /// The marks of states in a layer; none for those that are not in it.
    fn marks_of(&self, layer: usize, states: &[Code<W>]) -> Vec<Option<Mark>> {
        let mut found = vec![None; states.len()];
        if let Some(codes) = self.closed.get(layer) {
            let asked = states
                .iter()
                .map(|code| self.layers.symmetries.canonical(code));
            let known = codes.iter().zip(self.marks[layer].iter().copied());
            find_sorted(known, asked.zip(0..).collect(), &mut found);
        }
        found
    }
}

impl<const W: usize> Layered for Layers<W> {
    fn grow(&mut self, meter: &mut Meter, (most, room): (u64, u64)) -> Result<Growth, Halt> {
        while self.is_measured && !self.open.is_empty() {
            if self.states > most {
                return Ok(Growth::Open);
            }
            if self.needed() > room {
                return Ok(Growth::TooLarge);
            }
            let depth = self.closed.len() + 1;
            let next = self.expand(meter)?;
            let next = next.filter(|next| next.iter().all(|code| self.layers.belongs(code, depth)));
            let Some(next) = next else {
                self.is_measured = false;
                break;
            };
            self.states += next.len() as u64;
            let open = std::mem::replace(&mut self.open, next);
            self.closed.push(Codes::of(&open));
        }
        Ok(if self.is_measured {
            Growth::Whole
        } else {
            Growth::Unsuited
        })
    }

    fn evaluate(&mut self, meter: &mut Meter) -> Result<Option<Census>, Halt> {
        let mut census = Census::new(self.layers.roles());
        self.marks = vec![Vec::new(); self.closed.len()];
        let mut next = Lookup::new(0);
        for layer in (0..self.closed.len()).rev() {
            next = match self.mark(layer, &next, (meter, &mut census))? {
                Ok(table) => table,
                Err(TooManyVectors) => return Ok(None),
            };
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
        let mut state = self.layers.start;
        let mut found = Successors::default();
        for layer in 0..self.closed.len() {
            // Successors as they are, not those that stand for them: moves belong to states.
            self.layers.expander.expand(&[state], &mut found);
            let After::Choice(role) = found.after[0] else {
                break;
            };
            let Some(&Some(own)) = self.marks_of(layer, &[state]).first() else {
                break;
            };
            let marks = self.marks_of(layer + 1, &found.codes);
            let best = LayerGame::best((role, own), (&found, &marks), &self.folding);
            let Some(best) = best else {
                break;
            };
            let Some(joint) = self.layers.joint(role, found.moves[best]) else {
                break;
            };
            line.push(self.layers.moves(&joint, vocabulary));
            state = found.codes[best];
        }
        line
    }

    fn payoffs(&self) -> Vec<Vec<Worth>> {
        let ends = 0..self.layers.expander.ends() as u32;
        ends.map(|end| self.layers.worths(end)).collect()
    }

    fn visit(&self, visit: &mut Visit<'_>) {
        let exactly = |worths: Vec<Worth>| worths.into_iter().map(Bounds::exactly).collect();
        let vectors = self.folding.vectors().into_iter();
        let bounds: Vec<Vec<Bounds>> = vectors.map(exactly).collect();
        for (codes, marks) in self.closed.iter().zip(&self.marks) {
            for (code, mark) in codes.iter::<W>().zip(marks) {
                for code in self.layers.symmetries.members(&code) {
                    visit(
                        &self.layers.game.unpack(&code),
                        &bounds[usize::from(mark.value)],
                    );
                }
            }
        }
    }

    fn know(&self, role: usize, states: &[State]) -> Vec<Knowledge> {
        let mut known = vec![Knowledge::NONE; states.len()];
        let codes = states.iter().map(|state| {
            let code = self.layers.game.pack(state);
            self.layers.symmetries.canonical(&code)
        });
        let codes: Vec<Code<W>> = codes.collect();
        for layer in 0..self.closed.len() {
            // The measure tells in which layer a state must be, if it was reached.
            let places = 0..codes.len();
            let places: Vec<usize> = places
                .filter(|&place| self.layers.belongs(&codes[place], layer))
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
