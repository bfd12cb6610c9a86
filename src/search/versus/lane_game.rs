//! A game with its states packed, as searches of the start see it: what follows on states, and what ends are worth.

use std::cell::OnceCell;
use std::ops::Range;

use crate::circuit::joint::JointMoves;
use crate::circuit::steps::{Choices, Prospect};
use crate::circuit::successors::{After, PackedExpander, Successors};
use crate::gdl::State;
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingFault, ForcingSetting, Meter};
use crate::search::versus::assured::Assured;
use crate::search::versus::codes::Code;
use crate::search::versus::packed::PackedGame;
use crate::search::versus::potential::Potential;
use crate::search::versus::question::{First, PayoffQuestion, Reply};
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::symmetry::Symmetries;
use crate::search::versus::transposition::TranspositionTable;
use crate::search::versus::worth::{Bounds, Worth};

/// States of which it is always tried whether their payoffs are decided.
const FIRST_TRIALS: u64 = 4_096;

/// One in so many batches of states is tried where most are not decided.
const SELDOM: u64 = 64;

/// A search of the start of a game with packed states, whatever the width of codes.
pub(super) trait PackedSearch {
    /// Takes into account what is proved of all plays.
    fn assure(&mut self, assured: Assured);

    /// Tries to answer a question about the start, expanding about so many states.
    fn ask(
        &mut self,
        meter: &mut Meter,
        question: PayoffQuestion,
        budget: u64,
    ) -> Result<Reply, Halt>;

    /// What is known of the start about a role, if it chooses first or the others do.
    fn at_start(&self, role: usize, first: First) -> Bounds;

    /// What is known of each of some states about a role.
    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge>;

    /// The payoffs of all ends that were met, if those of all others have the same sum as these; nothing, too, if some
    /// state has neither an end nor a move.
    fn payoffs(&self) -> Option<&[Vec<Worth>]>;

    /// Whether several roles choose at once in some state that was met.
    fn is_joint(&self) -> bool;
}

/// Calls a constructor of a search for the width of a game's codes; none if they are too wide.
macro_rules! of_width {
    ($search:ident, $game:expr, $setting:expr, $symmetries:expr) => {
        match $game.packing.words {
            0..=1 => Some(Box::new($search::<1>::new($game, $setting, $symmetries))),
            2 => Some(Box::new($search::<2>::new($game, $setting, $symmetries))),
            3..=4 => Some(Box::new($search::<4>::new($game, $setting, $symmetries))),
            5..=8 => Some(Box::new($search::<8>::new($game, $setting, $symmetries))),
            _ => None,
        }
    };
}
pub(super) use of_width;

/// How often states were tried whether their payoffs are decided, and how often they were.
#[derive(Clone, Copy, Debug, Default)]
struct Trials {
    batches: u64,
    states: u64,
    hits: u64,
    /// Of so many states one at least should be decided; else few more are tried.
    states_a_hit: u64,
}

impl Trials {
    /// Whether the next batch should be tried.
    fn is_due(&mut self) -> bool {
        self.batches += 1;
        self.states < FIRST_TRIALS
            || self.hits * self.states_a_hit >= self.states
            || self.batches.is_multiple_of(SELDOM)
    }
}

/// A game in lanes. Of all states that symmetries make of one, one stands for them.
pub(super) struct LaneGame<const W: usize> {
    game: PackedGame,
    pub(super) expander: PackedExpander<W>,
    symmetries: Symmetries<W>,
    pub(super) start: Code<W>,
    /// By number of an end, what it is worth to each role.
    ends: Vec<Vec<Worth>>,
    /// What was found last.
    pub(super) found: Successors<W>,
    /// What is proved of all plays.
    pub(super) assured: Assured,
    prospects: Vec<Option<Prospect>>,
    /// What roles need, found when it is first asked for.
    lines: OnceCell<Potential>,
    trials: Trials,
    /// In some state several roles choose.
    pub(super) is_joint: bool,
    /// In some state a role can do nothing.
    is_stuck: bool,
}

impl<const W: usize> LaneGame<W> {
    /// A game from a start, with symmetries as the fluent by place that becomes of each. Whether answers are settled is
    /// looked up as long as they are in one of so many states.
    pub(super) fn new(
        game: PackedGame,
        setting: &ForcingSetting,
        symmetries: &[Vec<usize>],
        states_a_hit: u64,
    ) -> Self {
        let start = game.pack(&setting.start);
        let symmetries = Symmetries::new(&game.packing, symmetries, &start);
        Self {
            expander: PackedExpander::new(game.circuit.clone(), game.packing.clone()),
            start: symmetries.canonical(&start),
            symmetries,
            ends: Vec::new(),
            found: Successors::default(),
            assured: Assured::default(),
            prospects: Vec::new(),
            lines: OnceCell::new(),
            trials: Trials {
                states_a_hit,
                ..Trials::default()
            },
            is_joint: false,
            is_stuck: false,
            game,
        }
    }

    /// By role, an empty table, which may take this share of the memory that there is, or so many bytes if nobody says how much
    /// that is.
    pub(super) fn tables<E: Copy + Default>(
        &self,
        setting: &ForcingSetting,
        (share, otherwise): (usize, usize),
    ) -> Vec<TranspositionTable<W, E>> {
        let bytes = match setting.limits.bytes {
            // Strategies need everything that was found.
            _ if setting.is_certified => usize::MAX,
            Some(bytes) => bytes / share,
            None => otherwise,
        };
        let tables = self.moves().map(|_| TranspositionTable::new(bytes));
        tables.collect()
    }

    /// By role, the number of moves that it may ever have.
    pub(super) fn moves(&self) -> impl Iterator<Item = usize> {
        self.game.circuit.moves.iter().map(Vec::len)
    }

    /// Whether several states may be symmetric.
    pub(super) fn has_symmetries(&self) -> bool {
        self.symmetries.len() > 1
    }

    /// How much nearer a state is to what whoever chooses needs, a role or all others; zero in games without lines.
    pub(super) fn potential(&self, code: &Code<W>, (role, is_or): (usize, bool)) -> i64 {
        let PackedGame {
            circuit, packing, ..
        } = &self.game;
        let lines = self.lines.get_or_init(|| Potential::new(circuit, packing));
        let potential = lines.of(code, role);
        if is_or { potential } else { -potential }
    }

    /// Finds what follows on states.
    pub(super) fn expand(&mut self, states: &[Code<W>]) {
        self.expander.expand(states, &mut self.found);
        self.symmetries.canonicalise(&mut self.found.codes);
    }

    /// Finds what follows on one state, in the order of moves.
    pub(super) fn expand_one(&mut self, state: &Code<W>) {
        self.expander.expand_one(state, &mut self.found);
        self.symmetries.canonicalise(&mut self.found.codes);
    }

    /// Finds what follows on a state by joint moves with some numbers.
    pub(super) fn expand_joint(&mut self, state: &Code<W>, joint: (&JointMoves, Range<usize>)) {
        self.expander.expand_joint(state, joint, &mut self.found);
        self.symmetries.canonicalise(&mut self.found.codes);
    }

    /// Finds what one move of a role makes of states.
    pub(super) fn make(&mut self, states: &[Code<W>], (role, mv): (usize, u32)) {
        self.expander.make(states, (role, mv), &mut self.found);
        self.symmetries.canonicalise(&mut self.found.codes);
    }

    /// The answers to a question that hold after states whatever anybody does, as far as that is easily seen; nothing where
    /// it is so seldom that it is not worth a look.
    pub(super) fn settled(
        &mut self,
        states: &[Code<W>],
        question: PayoffQuestion,
    ) -> Option<Vec<Option<bool>>> {
        if states.is_empty() || !self.trials.is_due() {
            return None;
        }
        let bounds = self.look_ahead(states, question.role);
        let answers = bounds.into_iter().map(|bounds| question.answer(bounds));
        let answers: Vec<Option<bool>> = answers.collect();
        self.trials.states += states.len() as u64;
        self.trials.hits += answers.iter().flatten().count() as u64;
        Some(answers)
    }

    /// What a role gets after states that are no ends, whatever anybody does.
    fn look_ahead(&mut self, states: &[Code<W>], role: usize) -> Vec<Bounds> {
        self.expander.look_ahead(states, role, &mut self.prospects);
        let is_paid = self.assured.is_paid;
        let bounds = self.prospects.iter().map(|prospect| match prospect {
            Some(prospect) => Bounds {
                // A play without end is worth less than any payoff.
                at_least: Worth::of(prospect.lowest).min(if is_paid {
                    Worth::MOST
                } else {
                    Worth::NONE
                }),
                at_most: Worth::of(prospect.highest),
            },
            None => Bounds::OPEN,
        });
        bounds.collect()
    }

    /// What a state is worth to a role if nobody can choose there.
    pub(super) fn end(
        &mut self,
        after: After,
        (code, role): (Code<W>, usize),
        meter: &mut Meter,
    ) -> Option<Bounds> {
        let worth = match after {
            After::Choice(_) => return None,
            After::Joint => {
                self.is_joint = true;
                return None;
            }
            After::Stuck => {
                self.is_stuck = true;
                meter.note(ForcingFault::NoLegalMove(self.game.unpack(&code)));
                Worth::NONE
            }
            After::End(number) => {
                let worths = self.worths(number);
                let worth = worths[role];
                if worths.contains(&Worth::NONE) {
                    let goals = self.expander.goals(number);
                    meter.note_goals(goals, || self.game.unpack(&code));
                }
                worth
            }
        };
        Some(Bounds::exactly(worth))
    }

    /// What ends with payoffs of some number are worth. Numbers are given in the order in which lanes come to ends, which
    /// may be others than those that are asked for.
    fn worths(&mut self, number: u32) -> &[Worth] {
        for number in self.ends.len() as u32..=number {
            let goals = self.expander.goals(number);
            self.ends.push(goals.iter().map(Worth::of_goal).collect());
        }
        &self.ends[number as usize]
    }

    /// What is known of each of some states about a role: what an end is worth, or what a search has noted.
    pub(super) fn know(
        &mut self,
        role: usize,
        states: &[State],
        noted: impl Fn(&Code<W>) -> Knowledge,
    ) -> Vec<Knowledge> {
        let codes = states.iter().map(|state| self.game.pack(state));
        let codes: Vec<Code<W>> = codes.map(|code| self.symmetries.canonical(&code)).collect();
        let settled = self.look_ahead(&codes, role);
        let mut choices = Choices::default();
        self.expander.look_at(&codes, &mut choices);
        let states = codes.iter().zip(&choices.after).zip(settled);
        let known = states.map(|((code, &after), settled)| match after {
            After::End(number) => {
                let worth = Worth::of_goal(&self.expander.goals(number)[role]);
                Knowledge::exactly(worth)
            }
            After::Stuck => Knowledge::exactly(Worth::NONE),
            After::Choice(_) | After::Joint => {
                let noted = noted(code);
                Knowledge {
                    bounds: noted.bounds.and(settled),
                    ..noted
                }
            }
        });
        known.collect()
    }

    /// The payoffs of all ends that were met, if those that a proof depends on have the same sum as these.
    pub(super) fn payoffs(&self) -> Option<&[Vec<Worth>]> {
        // What is settled depends on ends that were never met, if the plays come to any: that a role gets no more than 50 tells
        // of the other one only if it gets the rest.
        // Where several roles choose at once, nothing is concluded from one role about the other.
        let is_whole = self.is_joint || self.trials.hits == 0 || self.assured.sum.is_some();
        (!self.is_stuck && is_whole).then_some(&self.ends)
    }
}

/// The role that chooses in a state where one does.
pub(super) fn chooser(after: After) -> usize {
    match after {
        After::Choice(role) => role as usize,
        After::End(_) | After::Joint | After::Stuck => 0,
    }
}
