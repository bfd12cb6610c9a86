//! A game with its states packed, as searches of the start see it: what follows on states, and what ends are worth.

use crate::circuit::successors::{After, PackedExpander, Successors};
use crate::gdl::State;
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingFault, ForcingSetting, Meter};
use crate::search::versus::codes::Code;
use crate::search::versus::packed::PackedGame;
use crate::search::versus::question::{PayoffQuestion, Reply};
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::symmetry::Symmetries;
use crate::search::versus::worth::{Bounds, Worth};

/// A search of the start of a game with packed states, whatever the width of codes.
pub(super) trait PackedSearch {
    /// Tries to answer a question about the start, expanding about so many states.
    fn ask(
        &mut self,
        meter: &mut Meter,
        question: PayoffQuestion,
        budget: u64,
    ) -> Result<Reply, Halt>;

    /// What is known of the start about a role.
    fn at_start(&self, role: usize) -> Bounds;

    /// What is known of each of some states about a role.
    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge>;

    /// The payoffs of all ends that were met; nothing if some state has neither an end nor a move.
    fn payoffs(&self) -> Option<&[Vec<Worth>]>;
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
    /// In some state several roles choose.
    pub(super) is_joint: bool,
    /// In some state a role can do nothing.
    is_stuck: bool,
}

impl<const W: usize> LaneGame<W> {
    pub(super) fn new(
        game: PackedGame,
        setting: &ForcingSetting,
        symmetries: &[Vec<usize>],
    ) -> Self {
        let start = game.pack(&setting.start);
        let symmetries = Symmetries::new(&game.packing, symmetries, &start);
        Self {
            expander: PackedExpander::new(game.circuit.clone(), game.packing.clone()),
            start: symmetries.canonical(&start),
            symmetries,
            ends: Vec::new(),
            found: Successors::default(),
            is_joint: false,
            is_stuck: false,
            game,
        }
    }

    /// By role, the number of moves that it may ever have.
    pub(super) fn moves(&self) -> impl Iterator<Item = usize> {
        self.game.circuit.moves.iter().map(Vec::len)
    }

    /// Whether several states may be symmetric.
    pub(super) fn has_symmetries(&self) -> bool {
        self.symmetries.len() > 1
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

    /// Finds what one move of a role makes of states.
    pub(super) fn make(&mut self, states: &[Code<W>], (role, mv): (usize, u32)) {
        self.expander.make(states, (role, mv), &mut self.found);
        self.symmetries.canonicalise(&mut self.found.codes);
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
        self.expander.expand(&codes, &mut self.found);
        let known = codes
            .iter()
            .zip(&self.found.after)
            .map(|(code, &after)| match after {
                After::End(number) => {
                    let worth = Worth::of_goal(&self.expander.goals(number)[role]);
                    Knowledge::exactly(worth)
                }
                After::Stuck => Knowledge::exactly(Worth::NONE),
                After::Choice(_) | After::Joint => noted(code),
            });
        known.collect()
    }

    /// The payoffs of all ends that were met; nothing if some state has neither an end nor a move.
    pub(super) fn payoffs(&self) -> Option<&[Vec<Worth>]> {
        (!self.is_stuck).then_some(&self.ends)
    }
}

/// The role that chooses in a state where one does.
pub(super) fn chooser(after: After) -> usize {
    match after {
        After::Choice(role) => role as usize,
        After::End(_) | After::Joint | After::Stuck => 0,
    }
}
