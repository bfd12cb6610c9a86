//! Games in lockstep: one joint move in each of many games at once, and what is seen of all of them.
//!
//! A lane is a game. Moves come as numbers, one a game, and become bits; states, legal moves and payoffs are bits that
//! become numbers again, by transposing squares of 64 games and 64 fluents or moves:
//!
//! ```text
//! numbers of moves ── bit of the move made ── next state ── legal moves, end, payoffs
//!                                                 └──────────┴── squares ── a row of bytes a game
//! ```
//!
//! Blocks of 512 games are stepped and shown one after the other, so that the values of one block stay in the cache.

use std::sync::Arc;

use indexmap::IndexSet;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::code::{Choice, Code, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::block::Block;
use crate::circuit::simulate::choose::Chooser;
use crate::circuit::simulate::lanes::{Random, and, any, first};
use crate::circuit::simulate::machine::{evaluate, holds};
use crate::circuit::simulate::setup::{
    GAMES, LockstepView, Restart, Setup, StepError, Turns, WORDS, never,
};
use crate::gdl::{State, Vocabulary};
use crate::term::TermId;

/// Joint moves of the plays that show who has a choice when.
const SURVEY: usize = 200;

/// Many games of one sort, each in a state of its own.
#[derive(Clone, Debug)]
pub struct Lockstep {
    circuit: Arc<Circuit>,
    setup: Setup,
    moves: Vec<TermId>,
    /// By column of a state, the place of the fluent in the circuit.
    columns: Vec<usize>,
    blocks: Vec<Block>,
    games: usize,
    choosers: Vec<Chooser<WORDS>>,
    random: Random<WORDS>,
}

impl Lockstep {
    /// So many games in their initial states. Who gives moves is found out by playing at random unless it is said.
    pub fn new(
        circuit: Arc<Circuit>,
        games: usize,
        turns: Option<Turns>,
        (restart, max_length): (Restart, Option<u32>),
    ) -> Self {
        let code = Code::of(&circuit, true);
        let (moves, choices) = numbers(&circuit, &code);
        let columns = code.registers.iter();
        let columns = columns.map(|register| register.fluent as usize).collect();
        let mut setup = Setup {
            payoffs: circuit.goals.clone(),
            initial: initial(&code),
            choices,
            waits: code
                .moves
                .iter()
                .map(|own| vec![false; own.len()])
                .collect(),
            turns: turns.unwrap_or(Turns::One),
            restart,
            max_length,
            code,
        };
        let choosers = setup.code.moves.iter().map(|own| Chooser::new(own));
        let mut random = generator(0);
        let mut choosers: Vec<Chooser<WORDS>> = choosers.collect();
        let found = survey(&mut setup, &mut choosers, &mut random);
        setup.turns = turns.unwrap_or(found);
        let mut lockstep = Self {
            circuit,
            moves,
            columns,
            blocks: Vec::new(),
            games,
            choosers,
            random,
            setup,
        };
        lockstep.reset();
        lockstep
    }

    /// Bytes that a game takes at most, rounded up.
    pub fn bytes_a_game(circuit: &Circuit) -> usize {
        // A bit for each gate, of which wide ones become several.
        let inputs: usize = (0..circuit.gates.len())
            .map(|gate| circuit.gates.inputs(gate).len().max(1))
            .sum();
        inputs.div_ceil(8) + 64
    }

    /// Puts all games into the initial state.
    pub fn reset(&mut self) {
        let starts = (0..self.games).step_by(GAMES);
        let sizes = starts.map(|start| GAMES.min(self.games - start));
        self.blocks = sizes
            .map(|size| Block::new(&self.setup, first(size as u64)))
            .collect();
    }

    /// Starts the random choices of [`Lockstep::draw`] anew.
    pub fn seed(&mut self, seed: u64) {
        self.random = generator(seed);
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.setup.roles()
    }

    /// Who gives moves.
    pub fn turns(&self) -> Turns {
        self.setup.turns
    }

    /// The fluents, by column: those that hold in some states and not in others.
    pub fn fluents(&self) -> impl ExactSizeIterator<Item = TermId> {
        self.columns
            .iter()
            .map(|&place| self.circuit.fluents[place].term)
    }

    /// The moves of all roles, by number.
    pub fn moves(&self) -> &[TermId] {
        &self.moves
    }

    /// Makes a move in each game, and shows what comes of it. Moves are numbers, game by game and, where all give
    /// moves, role by role. Those of games that are over do not matter.
    ///
    /// # Errors
    /// [`StepError`]; then all games are as before.
    pub fn step(&mut self, moves: &[i32], seen: &mut LockstepView<'_>) -> Result<(), StepError> {
        let each = self.setup.given();
        let expected = self.games * each;
        if moves.len() != expected {
            return Err(StepError::Count {
                given: moves.len(),
                expected,
            });
        }
        let chunks = self
            .blocks
            .iter_mut()
            .zip(moves.chunks(GAMES * each.max(1)));
        for (number, (block, moves)) in chunks.enumerate() {
            block
                .choose(&self.setup, moves)
                .map_err(|error| error.later(number * GAMES))?;
        }
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.advance(
                &self.setup,
                &mut seen.part(number * GAMES, &self.setup, self.games),
            );
        }
        Ok(())
    }

    /// Shows the games as they are.
    pub fn show(&mut self, seen: &mut LockstepView<'_>) {
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.show(
                &self.setup,
                &mut seen.part(number * GAMES, &self.setup, self.games),
            );
        }
    }

    /// Draws legal moves for all games uniformly at random, as [`Lockstep::step`] takes them; 0 where there is none.
    pub fn draw(&mut self, moves: &mut [i32]) {
        let each = self.setup.given().max(1);
        let chunks = self.blocks.iter_mut().zip(moves.chunks_mut(GAMES * each));
        for (block, moves) in chunks {
            block.draw(&self.setup, &mut self.choosers, &mut self.random, moves);
        }
    }

    /// The state of a game; none if there is no such game.
    pub fn state(&self, game: usize, vocabulary: &mut Vocabulary) -> Option<State> {
        if game >= self.games {
            return None;
        }
        let values = &self.blocks[game / GAMES].values;
        let held = self.columns.iter().zip(&self.setup.code.registers);
        let held = held.filter(|(_, register)| {
            let wire = Wire {
                slot: register.slot,
                inverted: false,
            };
            holds(values, wire, game % GAMES)
        });
        let places = held.map(|(&place, _)| place).chain(self.circuit.always());
        let fluents = places.map(|place| vocabulary.fluent(self.circuit.fluents[place].term));
        Some(fluents.collect())
    }
}

fn generator(seed: u64) -> Random<WORDS> {
    Random::new(&mut Xoshiro256PlusPlus::seed_from_u64(seed))
}

/// The moves of all roles, each once, and by role where they are legal and made.
fn numbers(circuit: &Circuit, code: &Code) -> (Vec<TermId>, Vec<Vec<Choice>>) {
    let term = |role: usize, choice: &Choice| circuit.moves[role][choice.mv as usize].term;
    let roles = code.moves.iter().enumerate();
    let all = roles.flat_map(|(role, own)| own.iter().map(move |choice| term(role, choice)));
    let all: IndexSet<TermId> = all.collect();
    let mut choices = vec![vec![never(); all.len()]; code.moves.len()];
    for (role, own) in code.moves.iter().enumerate() {
        for &choice in own {
            if let Some(number) = all.get_index_of(&term(role, &choice)) {
                choices[role][number] = choice;
            }
        }
    }
    (all.into_iter().collect(), choices)
}

/// By slot that is written before payoffs and next state, its value in the initial state.
fn initial(code: &Code) -> Vec<u64> {
    let mut values = vec![[0u64; 1]; code.slots];
    for register in code.registers.iter().filter(|register| register.initial) {
        values[register.slot.index()] = [u64::MAX];
    }
    evaluate(code, Phase::State, &mut values);
    values.truncate(code.end_of_state());
    values.into_iter().map(|[value]| value).collect()
}

/// Plays at random, to see whether several roles have a choice at once, and which moves a role has while another has a
/// choice.
fn survey(setup: &mut Setup, choosers: &mut [Chooser<WORDS>], random: &mut Random<WORDS>) -> Turns {
    let asked = (setup.restart, setup.max_length);
    (setup.restart, setup.max_length) = (Restart::NextStep, None);
    let mut block = Block::new(setup, [u64::MAX; WORDS]);
    let mut turns = Turns::One;
    for _ in 0..SURVEY {
        if any(block.together) {
            turns = Turns::All;
        }
        for role in 0..setup.roles() {
            let elsewhere = block.elsewhere(role);
            for (place, choice) in setup.code.moves[role].iter().enumerate() {
                setup.waits[role][place] |= any(and(block.legal(choice), elsewhere));
            }
        }
        // A game in which a role cannot move starts again, as one that is over.
        let stuck = block.play(choosers, random);
        block.give_up(stuck);
        block.advance(setup, &mut LockstepView::default());
    }
    (setup.restart, setup.max_length) = asked;
    turns
}
