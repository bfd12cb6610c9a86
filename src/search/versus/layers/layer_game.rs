//! A game whose states are in layers: what follows on states, and in which layer a state must be.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::successors::{PackedExpander, Successors};
use crate::gdl::{MoveId, State, Vocabulary};
use crate::search::versus::codes::Code;
use crate::search::versus::folding::Folding;
use crate::search::versus::lookup::Mark;
use crate::search::versus::measure::{Conjecture, Measure, Solvability};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::symmetry::Symmetries;
use crate::search::versus::worth::Worth;

/// Random plays from which a measure is conjectured.
const PLAYS: usize = 256;

/// Moves of a random play.
const MOVES: usize = 1000;

/// A game in which a measure seems to grow by one with every move.
#[derive(Clone)]
pub(in crate::search::versus) struct LayerGame<const W: usize> {
    pub(in crate::search::versus) game: PackedGame,
    pub(in crate::search::versus) expander: PackedExpander<W>,
    pub(in crate::search::versus) symmetries: Symmetries<W>,
    pub(in crate::search::versus) start: Code<W>,
    measure: Measure,
    /// The measure of the start.
    first: u64,
}

impl<const W: usize> LayerGame<W> {
    /// The layers from a state; none if random plays show no measure. Of states that symmetries make of each other, one
    /// stands for all.
    pub(in crate::search::versus) fn new(
        game: PackedGame,
        start: &State,
        symmetries: &[Vec<usize>],
    ) -> Option<Self> {
        // Roles are numbered in a byte where all states have one.
        if game.circuit.moves.len() >= usize::from(u8::MAX) {
            return None;
        }
        let start = game.pack(start);
        let symmetries = Symmetries::new(&game.packing, symmetries, &start);
        let start = symmetries.canonical(&start);
        let mut expander = PackedExpander::new(game.circuit.clone(), game.packing.clone());
        let measure = measure(&game, &mut expander, &start)?;
        Some(Self {
            first: measure.of(&start),
            measure,
            start,
            symmetries,
            expander,
            game,
        })
    }

    pub(in crate::search::versus) fn roles(&self) -> usize {
        self.game.circuit.moves.len()
    }

    /// Replaces `found` by what follows on states.
    pub(in crate::search::versus) fn expand(
        &mut self,
        states: &[Code<W>],
        found: &mut Successors<W>,
    ) {
        self.expander.expand(states, found);
        self.symmetries.canonicalise(&mut found.codes);
    }

    /// What an end of that number is worth to all roles.
    pub(in crate::search::versus) fn worths(&self, end: u32) -> Vec<Worth> {
        let goals = self.expander.goals(end).iter();
        goals.map(Worth::of_goal).collect()
    }

    /// Whether the measure of a state is that of a layer. One state of which it is not refutes the conjecture, and layers
    /// would not be disjoint.
    pub(in crate::search::versus) fn belongs(&self, code: &Code<W>, layer: usize) -> bool {
        self.measure.of(code) == Measure::after(self.first, layer)
    }

    /// The place of the successor that whoever chooses takes in best play: one that is as good, and one move nearer to the
    /// end. `marks` are those of the successors, as far as they are known.
    pub(in crate::search::versus) fn best(
        (role, own): (u32, Mark),
        (found, marks): (&Successors<W>, &[Option<Mark>]),
        folding: &Folding,
    ) -> Option<usize> {
        let fitting = marks.iter().enumerate().filter(|(_, mark)| {
            mark.is_some_and(|mark| {
                mark.moves.saturating_add(1) == own.moves
                    && folding.is_as_good(role as usize, mark.value, own.value)
            })
        });
        let best = fitting.min_by_key(|&(place, _)| found.moves[place]);
        best.map(|(place, _)| place)
    }

    /// The joint move of the first state that was expanded last, by role, if a role chooses a move; as places in the
    /// circuit.
    pub(in crate::search::versus) fn joint(&self, role: u32, mv: u32) -> Option<Vec<u32>> {
        let places = (0..self.roles()).map(|other| {
            if other == role as usize {
                Some(mv)
            } else {
                self.expander.first_legal(other, 0)
            }
        });
        places.collect()
    }

    /// A joint move, given as places in the circuit.
    pub(in crate::search::versus) fn moves(
        &self,
        joint: &[u32],
        vocabulary: &mut Vocabulary,
    ) -> Vec<MoveId> {
        let moves = joint.iter().zip(&self.game.circuit.moves);
        let moves = moves.map(|(&place, own)| vocabulary.mv(own[place as usize].term));
        moves.collect()
    }
}

/// The measure that random plays show.
fn measure<const W: usize>(
    game: &PackedGame,
    expander: &mut PackedExpander<W>,
    start: &Code<W>,
) -> Option<Measure> {
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
    conjecture.solve(&game.packing)
}
