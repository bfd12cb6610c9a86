//! The search itself, with a stack of its own.

use rustc_hash::FxHashSet;

use crate::circuit::steps::Choices;
use crate::gdl::State;
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingSetting, Meter};
use crate::search::versus::assured::Assured;
use crate::search::versus::codes::Code;
use crate::search::versus::df_pn::enter::Entered;
use crate::search::versus::df_pn::entry::TableEntry;
use crate::search::versus::df_pn::level::{Child, Level, Step};
use crate::search::versus::history::History;
use crate::search::versus::lane_game::{LaneGame, PackedSearch, chooser, of_width};
use crate::search::versus::numbers::{INFINITE, Numbers};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::question::{First, PayoffQuestion, Reply};
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::transposition::TranspositionTable;
use crate::search::versus::worth::{Bounds, Worth};

/// The part of memory that a table may take.
const SHARE: usize = 4;

/// The same for questions in which the others choose first.
const SHARE_OF_OTHERS: usize = 16;

/// Bytes of a table if nobody says how many there may be.
const BYTES: usize = 1 << 30;

/// Of so many successors the answer should be settled after one at least, for it to be worth a look: a successor that is
/// left out is one that need not be entered.
const STATES_A_HIT: u64 = 64;

/// Stands for the move before the start.
const START: u32 = u32::MAX;

/// Depth-first proof-number search of a game with its states packed; none if they are too wide.
pub(in crate::search::versus) fn df_pn(
    game: PackedGame,
    setting: &ForcingSetting,
    symmetries: &[Vec<usize>],
) -> Option<Box<dyn PackedSearch>> {
    of_width!(DfPn, game, setting, symmetries)
}

pub(super) struct DfPn<const W: usize> {
    pub(super) game: LaneGame<W>,
    /// By role that is asked about; then the same where the others choose first, if that makes a difference.
    tables: Vec<TranspositionTable<W, TableEntry>>,
    pub(super) history: History,
    question: Option<PayoffQuestion>,
    /// The low bits of the number of the question; never zero.
    pub(super) number: u8,
    path: Vec<Level<W>>,
    /// The states of the path.
    pub(super) on_path: FxHashSet<Code<W>>,
    pub(super) choices: Choices,
    /// Facts so far.
    clock: u32,
    /// Some state has more joint moves than can be looked at.
    pub(super) is_unsuited: bool,
}

impl<const W: usize> DfPn<W> {
    fn new(game: PackedGame, setting: &ForcingSetting, symmetries: &[Vec<usize>]) -> Self {
        let game = LaneGame::new(game, setting, symmetries, STATES_A_HIT);
        let mut tables = game.tables(setting, (SHARE, BYTES));
        tables.extend(game.tables(setting, (SHARE_OF_OTHERS, BYTES)));
        Self {
            tables,
            history: History::new(game.moves()),
            question: None,
            number: 0,
            path: Vec::new(),
            on_path: FxHashSet::default(),
            choices: Choices::default(),
            clock: 0,
            is_unsuited: false,
            game,
        }
    }

    /// Searches until the start is decided, expanding states until there were so many.
    fn search(
        &mut self,
        meter: &mut Meter,
        question: PayoffQuestion,
        most: u64,
    ) -> Result<Reply, Halt> {
        let infinite = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        self.path.clear();
        self.on_path.clear();
        let answer = self.open(meter, question, infinite)?;
        if let Some(answer) = answer.filter(|_| !self.is_unsuited) {
            return Ok(Reply::of(answer));
        }
        while let Some(level) = self.path.pop() {
            if self.is_unsuited {
                break;
            }
            if meter.expanded >= most {
                self.path.push(level);
                return Ok(self.break_off(question, meter));
            }
            match level.step() {
                Step::Descend(place, threshold) => {
                    self.descend((level, place), (question, threshold), meter)?;
                }
                Step::Leave(numbers) => {
                    if let Some(reply) = self.leave(&level, numbers, question, meter)? {
                        return Ok(reply);
                    }
                }
            }
        }
        Ok(if self.is_unsuited {
            Reply::Unsuited
        } else {
            Reply::Cyclic
        })
    }

    /// Enters a child of the last node of the path, unless other numbers were found for it on another way.
    fn descend(
        &mut self,
        (mut level, place): (Level<W>, usize),
        (question, threshold): (PayoffQuestion, Numbers),
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        level.at = place;
        if self.refresh(&mut level.children[place], question) {
            level.update_group(place);
            self.path.push(level);
            return Ok(());
        }
        let child = &level.children[place];
        let (state, before) = ((child.code, child.chooser), child.mv);
        // Before it is entered, since a state may follow on itself.
        self.on_path.insert(child.code);
        match self.enter(state, before, (question, threshold), meter)? {
            Entered::Open(next) => self.path.extend([level, next]),
            Entered::Decided(answer, best) => {
                self.on_path.remove(&state.0);
                level.children[place].numbers = Numbers::decided(answer);
                level.update_group(place);
                self.kill(&mut level, best, question, meter)?;
                self.path.push(level);
            }
        }
        Ok(())
    }

    /// Goes back from a node with its numbers; the reply, if it is the start.
    fn leave(
        &mut self,
        level: &Level<W>,
        numbers: Numbers,
        question: PayoffQuestion,
        meter: &mut Meter,
    ) -> Result<Option<Reply>, Halt> {
        self.on_path.remove(&level.code);
        let best = self.close(level, numbers, question, meter);
        let Some(mut parent) = self.path.pop() else {
            return Ok(Some(match (numbers.proof, numbers.disproof) {
                (0, _) => Reply::Proved,
                (_, 0) => Reply::Disproved,
                (_, _) => Reply::Cyclic,
            }));
        };
        parent.children[parent.at].numbers = numbers;
        parent.update_group(parent.at);
        if numbers.is_decided() {
            self.kill(&mut parent, best, question, meter)?;
        }
        self.path.push(parent);
        Ok(None)
    }

    /// Enters the start; the answer, if that is all it takes.
    fn open(
        &mut self,
        meter: &mut Meter,
        question: PayoffQuestion,
        threshold: Numbers,
    ) -> Result<Option<bool>, Halt> {
        let start = self.game.start;
        let known = self.table(question).get(&start).bounds;
        if let Some(answer) = question.answer(known) {
            return Ok(Some(answer));
        }
        self.game.expander.look_at(&[start], &mut self.choices);
        let after = self.choices.after[0];
        if let Some(bounds) = self.game.end(after, (start, question.role), meter) {
            let table = self.place(question.role, question.first);
            self.tables[table].update(&start, 1, |entry| entry.bounds = bounds);
            return Ok(question.answer(bounds));
        }
        let state = (start, chooser(after));
        self.on_path.insert(start);
        match self.enter(state, START, (question, threshold), meter)? {
            Entered::Open(level) => {
                self.path.push(level);
                Ok(None)
            }
            Entered::Decided(answer, _) => Ok(Some(answer)),
        }
    }

    /// Takes into account what was found out about a child on another way; says whether that changes its numbers.
    fn refresh(&self, child: &mut Child<W>, question: PayoffQuestion) -> bool {
        let entry = self.table(question).get(&child.code);
        let numbers = match question.answer(entry.bounds) {
            Some(answer) => Numbers::decided(answer),
            None if entry.question == self.number => entry.numbers,
            None => child.numbers,
        };
        std::mem::replace(&mut child.numbers, numbers) != numbers
    }

    /// Leaves a node with its numbers; gives the move that decides it in favour of whoever chooses there, if one does.
    fn close(
        &mut self,
        level: &Level<W>,
        numbers: Numbers,
        question: PayoffQuestion,
        meter: &Meter,
    ) -> Option<u32> {
        let expanded = meter.expanded - level.began;
        // What a repetition makes infinite is so on this path alone.
        if numbers.is_decided() || numbers.proof < INFINITE {
            self.note(&level.code, question, numbers, expanded);
        }
        let best = level.decisive();
        self.remember(level, best);
        // An answer to one choice is none to another, so that the move of a joint move refutes no siblings.
        best.filter(|_| level.groups.is_empty())
    }

    /// Notes which moves were tried at a node, and which decided it.
    fn remember(&mut self, level: &Level<W>, best: Option<u32>) {
        let Some(best) = best else {
            return;
        };
        let tried = if level.groups.is_empty() {
            decided(
                level.children.iter().map(|child| (child.mv, child.numbers)),
                best,
            )
        } else {
            decided(
                level.groups.iter().map(|group| (group.mv, group.numbers)),
                best,
            )
        };
        self.history
            .note((level.chooser, level.before), tried, best);
    }

    /// Tries the move by which a child was decided in its siblings, all at once: it often decides them as well.
    fn kill(
        &mut self,
        level: &mut Level<W>,
        best: Option<u32>,
        question: PayoffQuestion,
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        let Some(mv) = best else {
            return Ok(());
        };
        // Answers belong to one choice.
        if !level.groups.is_empty() {
            return Ok(());
        }
        let role = level.children[level.at].chooser;
        let is_or = role == question.role;
        // Where the same role chooses again, the move has decided the node as well.
        if is_or == level.is_or || level.killers.contains(&mv) {
            return Ok(());
        }
        level.killers.push(mv);
        let is_alive = |child: &Child<W>| child.chooser == role && !child.numbers.is_decided();
        let alive = level.children.iter().enumerate();
        let alive: Vec<usize> = alive
            .filter(|(_, child)| is_alive(child))
            .map(|(place, _)| place)
            .collect();
        if alive.is_empty() {
            return Ok(());
        }
        let codes: Vec<Code<W>> = alive
            .iter()
            .map(|&place| level.children[place].code)
            .collect();
        meter.expand(1)?;
        self.game.make(&codes, (role, mv));
        self.look_at_found();
        for place in 0..self.choices.after.len() {
            let (next, from) = (self.game.found.codes[place], self.game.found.from[place]);
            let after = self.choices.after[place];
            let end = self.game.end(after, (next, question.role), meter);
            let bounds = end.unwrap_or_else(|| self.table(question).get(&next).bounds);
            if question.answer(bounds) == Some(is_or) {
                let child = &mut level.children[alive[from as usize]];
                child.numbers = Numbers::decided(is_or);
                let code = child.code;
                self.note(&code, question, Numbers::decided(is_or), 1);
            }
        }
        Ok(())
    }

    /// Ends a turn: what is known of the nodes of the path is kept for the next one.
    fn break_off(&mut self, question: PayoffQuestion, meter: &Meter) -> Reply {
        while let Some(level) = self.path.pop() {
            let nothing = Numbers {
                proof: 0,
                disproof: 0,
            };
            let open = Level {
                threshold: nothing,
                ..level
            };
            if let Step::Leave(numbers) = open.step() {
                self.close(&open, numbers, question, meter);
                if let Some(parent) = self.path.last_mut() {
                    parent.children[parent.at].numbers = numbers;
                    parent.update_group(parent.at);
                } else if numbers.is_decided() {
                    return Reply::of(numbers.proof == 0);
                }
            }
        }
        Reply::Open
    }

    /// The place of the table with what is known of states about a role, if it chooses first or the others do.
    fn place(&self, role: usize, first: First) -> usize {
        match first {
            First::Others if self.game.is_joint => self.tables.len() / 2 + role,
            First::Role | First::Others => role,
        }
    }

    /// What is known of states for a question.
    pub(super) fn table(&self, question: PayoffQuestion) -> &TranspositionTable<W, TableEntry> {
        &self.tables[self.place(question.role, question.first)]
    }

    /// Keeps the numbers of a state, facts as bounds.
    pub(super) fn note(
        &mut self,
        code: &Code<W>,
        question: PayoffQuestion,
        numbers: Numbers,
        expanded: u64,
    ) {
        self.clock = self.clock.saturating_add(1);
        let (number, time) = (self.number, self.clock);
        let table = self.place(question.role, question.first);
        self.tables[table].update(code, expanded, |entry| {
            if numbers.is_decided() {
                let known = (&mut entry.bounds, &mut entry.rank);
                question.note_at(numbers.proof == 0, time, known);
            } else {
                (entry.numbers, entry.question) = (numbers, number);
            }
        });
    }
}

impl<const W: usize> PackedSearch for DfPn<W> {
    fn assure(&mut self, assured: Assured) {
        self.game.assured = assured;
    }

    fn ask(
        &mut self,
        meter: &mut Meter,
        question: PayoffQuestion,
        budget: u64,
    ) -> Result<Reply, Halt> {
        if self.question != Some(question) {
            self.question = Some(question);
            self.number = self.number.checked_add(1).unwrap_or(1);
        }
        let most = meter.expanded.saturating_add(budget);
        self.search(meter, question, most)
    }

    fn at_start(&self, role: usize, first: First) -> Bounds {
        let table = &self.tables[self.place(role, first)];
        table.get(&self.game.start).bounds
    }

    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge> {
        let [forced, answering] = [First::Role, First::Others].map(|first| self.place(role, first));
        let (forced, answering) = (&self.tables[forced], &self.tables[answering]);
        self.game.know(role, states, |code| {
            let forced = forced.get(code);
            Knowledge {
                bounds: Bounds {
                    at_most: answering.get(code).bounds.at_most,
                    ..forced.bounds
                },
                rank: forced.rank,
            }
        })
    }

    fn payoffs(&self) -> Option<&[Vec<Worth>]> {
        self.game.payoffs()
    }

    fn is_joint(&self) -> bool {
        self.game.is_joint
    }
}

/// The moves whose numbers are decided, and the best one.
fn decided(moves: impl Iterator<Item = (u32, Numbers)>, best: u32) -> Vec<u32> {
    let tried = moves.filter(|&(mv, numbers)| mv == best || numbers.is_decided());
    tried.map(|(mv, _)| mv).collect()
}
