//! The search itself, with a stack of its own.

use rustc_hash::FxHashSet;

use crate::circuit::steps::Choices;
use crate::gdl::State;
use crate::search::halt::Halt;
use crate::search::versus::arena::{ForcingSetting, Meter};
use crate::search::versus::assured::Assured;
use crate::search::versus::codes::Code;
use crate::search::versus::df_pn::entry::TableEntry;
use crate::search::versus::df_pn::level::{Child, Level, Step};
use crate::search::versus::history::History;
use crate::search::versus::lane_game::{LaneGame, PackedSearch, chooser, of_width};
use crate::search::versus::numbers::{INFINITE, Numbers};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::question::{PayoffQuestion, Reply};
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::transposition::TranspositionTable;
use crate::search::versus::worth::{Bounds, Worth};

/// The part of memory that a table may take.
const SHARE: usize = 4;

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

/// What came of entering a node.
enum Entered<const W: usize> {
    /// Its successors have to be searched.
    Open(Level<W>),
    /// It is decided, in favour of whoever chooses there by a move.
    Decided(bool, Option<u32>),
}

struct DfPn<const W: usize> {
    game: LaneGame<W>,
    /// By role that is asked about.
    tables: Vec<TranspositionTable<W, TableEntry>>,
    history: History,
    question: Option<PayoffQuestion>,
    /// The low bits of the number of the question; never zero.
    number: u8,
    path: Vec<Level<W>>,
    /// The states of the path.
    on_path: FxHashSet<Code<W>>,
    choices: Choices,
    /// Facts so far.
    clock: u32,
}

impl<const W: usize> DfPn<W> {
    fn new(game: PackedGame, setting: &ForcingSetting, symmetries: &[Vec<usize>]) -> Self {
        let game = LaneGame::new(game, setting, symmetries, STATES_A_HIT);
        Self {
            tables: game.tables(setting, (SHARE, BYTES)),
            history: History::new(game.moves()),
            question: None,
            number: 0,
            path: Vec::new(),
            on_path: FxHashSet::default(),
            choices: Choices::default(),
            clock: 0,
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
        if let Some(answer) = self.open(meter, question, infinite)? {
            return Ok(Reply::of(answer));
        }
        while let Some(level) = self.path.pop() {
            if self.game.is_joint {
                return Ok(Reply::Unsuited);
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
        Ok(Reply::Cyclic)
    }

    /// Enters a child of the last node of the path, unless other numbers were found for it on another way.
    fn descend(
        &mut self,
        (mut level, place): (Level<W>, usize),
        (question, threshold): (PayoffQuestion, Numbers),
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        if self.refresh(&mut level.children[place], question) {
            self.path.push(level);
            return Ok(());
        }
        level.at = place;
        let child = &level.children[place];
        let (state, before) = ((child.code, child.chooser), child.mv);
        // Before it is entered, since a state may follow on itself.
        self.on_path.insert(child.code);
        match self.enter(state, before, (question, threshold), meter)? {
            Entered::Open(next) => self.path.extend([level, next]),
            Entered::Decided(answer, best) => {
                self.on_path.remove(&state.0);
                level.children[place].numbers = Numbers::decided(answer);
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
        let known = self.tables[question.role].get(&start).bounds;
        if let Some(answer) = question.answer(known) {
            return Ok(Some(answer));
        }
        self.game.expander.look_at(&[start], &mut self.choices);
        let after = self.choices.after[0];
        if let Some(bounds) = self.game.end(after, (start, question.role), meter) {
            let table = &mut self.tables[question.role];
            table.update(&start, 1, |entry| entry.bounds = bounds);
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

    /// Finds the successors of a node, and what is known of them.
    fn enter(
        &mut self,
        (code, chooser): (Code<W>, usize),
        before: u32,
        (question, threshold): (PayoffQuestion, Numbers),
        meter: &mut Meter,
    ) -> Result<Entered<W>, Halt> {
        let began = meter.expanded;
        meter.expand(1)?;
        self.game.expand_one(&code);
        let LaneGame {
            expander, found, ..
        } = &mut self.game;
        expander.look_at(&found.codes, &mut self.choices);
        let is_or = chooser == question.role;
        let mut children = Vec::with_capacity(self.choices.after.len());
        for place in 0..self.choices.after.len() {
            let (next, mv) = (self.game.found.codes[place], self.game.found.moves[place]);
            let child = match self.child((place, next), mv, question, meter) {
                Ok(child) => child,
                Err(answer) if answer == is_or => {
                    self.note(&code, question, Numbers::decided(answer), 1);
                    return Ok(Entered::Decided(answer, Some(mv)));
                }
                Err(_) => continue,
            };
            children.push(child);
        }
        self.merge(&mut children);
        if let Some(settling) = self.prune(&mut children, is_or, question) {
            self.note(&code, question, Numbers::decided(is_or), 1);
            return Ok(Entered::Decided(is_or, Some(settling)));
        }
        if children.is_empty() && !self.game.is_joint {
            self.note(&code, question, Numbers::decided(!is_or), 1);
            return Ok(Entered::Decided(!is_or, None));
        }
        self.arrange(&mut children, (chooser, before));
        Ok(Entered::Open(Level {
            code,
            chooser,
            is_or,
            before,
            threshold,
            children,
            at: 0,
            killers: Vec::new(),
            began,
        }))
    }

    /// Leaves each state once among successors: moves that symmetries make of each other lead to the same one.
    fn merge(&self, children: &mut Vec<Child<W>>) {
        if self.game.has_symmetries() {
            let mut met = FxHashSet::default();
            children.retain(|child| met.insert(child.code));
        }
    }

    /// Orders successors by what decided most nodes before.
    fn arrange(&self, children: &mut [Child<W>], (chooser, before): (usize, u32)) {
        let score = |child: &Child<W>| self.history.score(chooser, before, child.mv);
        children.sort_by_cached_key(|child| std::cmp::Reverse(score(child)));
    }

    /// A successor with what is known of it, by place among those that were found last.
    ///
    /// # Errors
    /// The answer, if that is known.
    fn child(
        &mut self,
        (place, code): (usize, Code<W>),
        mv: u32,
        question: PayoffQuestion,
        meter: &mut Meter,
    ) -> Result<Child<W>, bool> {
        let after = self.choices.after[place];
        let end = self.game.end(after, (code, question.role), meter);
        let entry = match end {
            Some(bounds) => TableEntry {
                bounds,
                ..TableEntry::default()
            },
            None => self.tables[question.role].get(&code),
        };
        if let Some(answer) = question.answer(entry.bounds) {
            return Err(answer);
        }
        let chooser = chooser(after);
        let numbers = if entry.question == self.number {
            entry.numbers
        } else {
            // As if each of its successors were entered and unknown: one of them decides it in favour of whoever
            // chooses there, all of them the other way.
            let moves = self.choices.moves[place].max(1);
            let unknown = Numbers {
                proof: 1,
                disproof: moves,
            };
            unknown.seen_from(chooser == question.role)
        };
        Ok(Child {
            code,
            mv,
            chooser,
            numbers,
            is_repeated: self.on_path.contains(&code),
        })
    }

    /// Leaves out successors after which the answer is settled; gives the move to one that decides the node, if one does.
    fn prune(
        &mut self,
        children: &mut Vec<Child<W>>,
        is_or: bool,
        question: PayoffQuestion,
    ) -> Option<u32> {
        let codes: Vec<Code<W>> = children.iter().map(|child| child.code).collect();
        let answers = self.game.settled(&codes, question)?;
        let mut decisive = answers.iter().zip(children.iter());
        if let Some((_, child)) = decisive.find(|&(&answer, _)| answer == Some(is_or)) {
            return Some(child.mv);
        }
        let mut answers = answers.into_iter();
        children.retain(|_| answers.next().flatten().is_none());
        None
    }

    /// Takes into account what was found out about a child on another way; says whether that changes its numbers.
    fn refresh(&self, child: &mut Child<W>, question: PayoffQuestion) -> bool {
        let entry = self.tables[question.role].get(&child.code);
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
        let best = level.decisive().map(|child| child.mv);
        if let Some(best) = best {
            let tried = level
                .children
                .iter()
                .filter(|child| child.mv == best || child.numbers.is_decided());
            let tried: Vec<u32> = tried.map(|child| child.mv).collect();
            self.history
                .note((level.chooser, level.before), tried, best);
        }
        best
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
        let LaneGame {
            expander, found, ..
        } = &mut self.game;
        expander.look_at(&found.codes, &mut self.choices);
        for place in 0..self.choices.after.len() {
            let (next, from) = (self.game.found.codes[place], self.game.found.from[place]);
            let after = self.choices.after[place];
            let end = self.game.end(after, (next, question.role), meter);
            let bounds = end.unwrap_or_else(|| self.tables[question.role].get(&next).bounds);
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
                } else if numbers.is_decided() {
                    return Reply::of(numbers.proof == 0);
                }
            }
        }
        Reply::Open
    }

    /// Keeps the numbers of a state, facts as bounds.
    fn note(&mut self, code: &Code<W>, question: PayoffQuestion, numbers: Numbers, expanded: u64) {
        self.clock = self.clock.saturating_add(1);
        let (number, rank) = (self.number, self.clock);
        self.tables[question.role].update(code, expanded, |entry| {
            if numbers.is_decided() {
                let before = entry.bounds;
                question.note(numbers.proof == 0, &mut entry.bounds);
                // A fact that is found once more keeps its rank: what was found by it meanwhile has a higher one.
                if entry.bounds != before {
                    entry.rank = rank;
                }
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

    fn at_start(&self, role: usize) -> Bounds {
        self.tables[role].get(&self.game.start).bounds
    }

    fn know(&mut self, role: usize, states: &[State]) -> Vec<Knowledge> {
        let table = &self.tables[role];
        self.game.know(role, states, |code| {
            let entry = table.get(code);
            Knowledge {
                bounds: entry.bounds,
                rank: entry.rank,
            }
        })
    }

    fn payoffs(&self) -> Option<&[Vec<Worth>]> {
        self.game.payoffs()
    }
}
