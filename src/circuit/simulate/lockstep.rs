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
use thiserror::Error;

use crate::circuit::assemble::{Circuit, Payoff};
use crate::circuit::code::{Choice, Code, Wire};
use crate::circuit::schedule::Phase;
use crate::circuit::simulate::block::{Block, never};
use crate::circuit::simulate::choose::Chooser;
use crate::circuit::simulate::lanes::{Lanes, Random, and, any, first};
use crate::circuit::simulate::machine::{evaluate, holds};
use crate::gdl::{State, Vocabulary};
use crate::term::TermId;

/// Words of a value.
pub(super) const WORDS: usize = 8;

/// Games of a block.
pub(super) const GAMES: usize = 64 * WORDS;

/// A truth value in all games of a block.
pub(super) type Row = Lanes<WORDS>;

/// Joint moves of the plays that show who has a choice when.
const SURVEY: usize = 200;

/// What becomes of a game that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// The next one starts in the step that ends it, and its first state is shown.
    SameStep,
    /// The last state is shown, and the next step starts the next game, whatever move is given.
    NextStep,
    /// It stays as it is, whatever moves are given.
    Never,
}

/// Who gives moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// One move a game, of the role that has a choice; the others make the only move that they have.
    One,
    /// One move a game and role.
    All,
}

/// Why a step cannot be made. Nothing was changed then.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A number of moves that is not that of the games, or of games and roles.
    #[error("{given} moves are given, and {expected} are needed")]
    Count {
        /// Moves given.
        given: usize,
        /// Moves needed.
        expected: usize,
    },
    /// A move is not legal.
    #[error("in game {game} the move {mv} is not legal for role {role}")]
    Illegal {
        /// The number of the game.
        game: usize,
        /// The place of the role.
        role: usize,
        /// The number of the move.
        mv: i32,
    },
    /// A role has no move, and the game is not over.
    #[error("in game {game} role {role} has no legal move, and the game is not over")]
    Stuck {
        /// The number of the game.
        game: usize,
        /// The place of the role.
        role: usize,
    },
    /// Several roles have a choice where one move is given.
    #[error("in game {game} several roles have a choice")]
    Together {
        /// The number of the game.
        game: usize,
    },
}

/// What is seen of all games, game by game. Slices of no length are not written.
#[derive(Debug, Default)]
pub struct Seen<'s> {
    /// By game and fluent, one where it holds.
    pub fluents: &'s mut [u8],
    /// The same of the state before a restart.
    pub last: &'s mut [u8],
    /// By game and move, one where it is legal for the role in control; where all give moves, by game, role and move.
    /// No move is legal in games that are over.
    pub legal: &'s mut [u8],
    /// By game, the role that has a choice; where none has one, the one that does something else than waiting.
    pub control: &'s mut [i32],
    /// By game and role, the goal value if the game ended in this step, else 0; not a number where the rules give no
    /// value or several.
    pub goals: &'s mut [f32],
    /// By game, whether it ended in this step, or, if games do not restart, is over.
    pub over: &'s mut [u8],
    /// By game, whether it was given up in this step because of its length.
    pub cut: &'s mut [u8],
}

/// What is the same for all games.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) code: Code,
    pub(super) payoffs: Vec<Vec<Payoff>>,
    /// By slot that is written before payoffs and next state, its value in the initial state: all ones or none.
    pub(super) initial: Vec<u64>,
    /// By role and number of a move, where it is legal and made; [`never`] for moves of others.
    pub(super) choices: Vec<Vec<Choice>>,
    /// By role and place of a move, whether the role has only it in some state in which another has a choice.
    pub(super) waits: Vec<Vec<bool>>,
    pub(super) turns: Turns,
    pub(super) restart: Restart,
    pub(super) max_length: Option<u32>,
}

impl Setup {
    /// The number of moves.
    pub(super) fn moves(&self) -> usize {
        self.choices.first().map_or(0, Vec::len)
    }

    /// The number of roles.
    pub(super) fn roles(&self) -> usize {
        self.choices.len()
    }

    /// Numbers of moves that are given for each game.
    fn given(&self) -> usize {
        match self.turns {
            Turns::One => 1,
            Turns::All => self.roles(),
        }
    }
}

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
    pub fn step(&mut self, moves: &[i32], seen: &mut Seen<'_>) -> Result<(), StepError> {
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
    pub fn show(&mut self, seen: &mut Seen<'_>) {
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

impl StepError {
    /// The same in a block that starts with this game.
    fn later(self, start: usize) -> Self {
        match self {
            StepError::Illegal { game, role, mv } => StepError::Illegal {
                game: game + start,
                role,
                mv,
            },
            StepError::Stuck { game, role } => StepError::Stuck {
                game: game + start,
                role,
            },
            StepError::Together { game } => StepError::Together { game: game + start },
            StepError::Count { .. } => self,
        }
    }
}

impl Seen<'_> {
    /// What is seen of a block that starts with this game.
    fn part(&mut self, start: usize, setup: &Setup, games: usize) -> Seen<'_> {
        let end = games.min(start + GAMES);
        let of = |width: usize| start * width..end * width;
        let fluents = setup.code.registers.len();
        let legal = setup.moves() * setup.given();
        Seen {
            fluents: self.fluents.get_mut(of(fluents)).unwrap_or_default(),
            last: self.last.get_mut(of(fluents)).unwrap_or_default(),
            legal: self.legal.get_mut(of(legal)).unwrap_or_default(),
            control: self.control.get_mut(of(1)).unwrap_or_default(),
            goals: self.goals.get_mut(of(setup.roles())).unwrap_or_default(),
            over: self.over.get_mut(of(1)).unwrap_or_default(),
            cut: self.cut.get_mut(of(1)).unwrap_or_default(),
        }
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
        values[register.slot as usize] = [u64::MAX];
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
        block.advance(setup, &mut Seen::default());
    }
    (setup.restart, setup.max_length) = asked;
    turns
}
