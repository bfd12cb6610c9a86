//! The search itself, with a stack of its own.

use crate::circuit::successors::After;
use crate::gdl::State;
use crate::search::halt::Halt;
use crate::search::versus::alpha_beta::batch::ExpandedStates;
use crate::search::versus::alpha_beta::entry::TableEntry;
use crate::search::versus::alpha_beta::level::{Child, Level, Score};
use crate::search::versus::arena::{ForcingSetting, Meter};
use crate::search::versus::assured::Assured;
use crate::search::versus::codes::Code;
use crate::search::versus::history::History;
use crate::search::versus::lane_game::{LaneGame, PackedSearch, chooser, of_width};
use crate::search::versus::packed::PackedGame;
use crate::search::versus::question::{First, PayoffQuestion, Reply};
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::transposition::TranspositionTable;
use crate::search::versus::worth::{Bounds, Worth};

/// Moves that are looked ahead at first, which finds short wins.
const NEAR: u8 = 4;

/// Moves that are looked ahead then. Few games with an end are longer, and depths between the two cost most of what
/// this one does.
const FAR: u8 = u8::MAX - 1;

/// Of so many states the answer should be settled after one at least, for it to be worth a look: they are two moves ahead,
/// and most are never searched.
const STATES_A_HIT: u64 = 8;

/// Stands for the move before the start.
const START: u32 = u32::MAX;

/// The part of memory that a table may take. A table that grows is there twice for a moment.
const SHARE: usize = 2;

/// Bytes of a table if nobody says how many there may be.
const BYTES: usize = 2 << 30;

/// Depth-first search of a game with its states packed; none if they are too wide.
pub(in crate::search::versus) fn depth_first(
    game: PackedGame,
    setting: &ForcingSetting,
    symmetries: &[Vec<usize>],
) -> Option<Box<dyn PackedSearch>> {
    of_width!(AlphaBeta, game, setting, symmetries)
}

/// What came of a child.
#[expect(
    clippy::large_enum_variant,
    reason = "a level is moved once; in a box it would be allocated for each node"
)]
enum ChildResult<const W: usize> {
    /// It is decided, or open within the depth.
    Answered(Option<bool>),
    /// Its own children have to be searched.
    Entered(Level<W>),
}

/// What came of a search to some depth.
enum Reached {
    /// The answer, or none within the depth.
    Answer(Option<bool>),
    /// The budget is used up.
    Budget,
    /// Several roles choose in some state.
    Joint,
}

struct AlphaBeta<const W: usize> {
    game: LaneGame<W>,
    /// By role that is asked about.
    tables: Vec<TranspositionTable<W, TableEntry>>,
    history: History,
    question: Option<PayoffQuestion>,
    /// The low bits of the number of the question.
    number: u8,
    /// Moves that are looked ahead.
    depth: u8,
    path: Vec<Level<W>>,
    /// Levels that are not in use, with the room that they have.
    spare: Vec<Level<W>>,
    /// Facts so far.
    clock: u32,
}

impl<const W: usize> AlphaBeta<W> {
    fn new(game: PackedGame, setting: &ForcingSetting, symmetries: &[Vec<usize>]) -> Self {
        let game = LaneGame::new(game, setting, symmetries, STATES_A_HIT);
        Self {
            tables: game.tables(setting, (SHARE, BYTES)),
            history: History::new(game.moves()),
            question: None,
            number: 0,
            depth: NEAR,
            path: Vec::new(),
            spare: Vec::new(),
            clock: 0,
            game,
        }
    }

    /// Searches as deep as it is time for, expanding states until there were so many.
    fn search(
        &mut self,
        meter: &mut Meter,
        question: PayoffQuestion,
        most: u64,
    ) -> Result<Reached, Halt> {
        self.begin(meter, question)?;
        while let Some(mut level) = self.path.pop() {
            if self.game.is_joint {
                return Ok(Reached::Joint);
            }
            if meter.expanded >= most {
                return Ok(Reached::Budget);
            }
            if level.is_decided || level.at == level.children.len() {
                if self.path.is_empty() {
                    return Ok(Reached::Answer(level.answer()));
                }
                self.close(level, question, meter);
                continue;
            }
            let step = self.step(&mut level, question, meter)?;
            match step {
                ChildResult::Answered(answer) => {
                    level.take_current(answer);
                    self.path.push(level);
                }
                ChildResult::Entered(next) => self.path.extend([level, next]),
            }
        }
        Ok(Reached::Answer(None))
    }

    /// Begins with a node above the start, whose only child that is.
    fn begin(&mut self, meter: &mut Meter, question: PayoffQuestion) -> Result<(), Halt> {
        self.path.clear();
        meter.expand(1)?;
        self.game.expand(&[self.game.start]);
        let mut start = ExpandedStates::default();
        start.extend(&self.game.found);
        let mut above = Level::default();
        above.begin(
            self.game.start,
            (question.role, true),
            (self.depth + 1, meter.expanded),
        );
        match self
            .game
            .end(start.after[0], (self.game.start, question.role), meter)
        {
            Some(bounds) => {
                let table = &mut self.tables[question.role];
                table.update(&self.game.start, 1, |entry| entry.bounds = bounds);
                above.take(None, question.answer(bounds));
            }
            None => {
                above.children.push(Child {
                    code: self.game.start,
                    mv: START,
                    chooser: chooser(start.after[0]),
                    score: Score::default(),
                    successors: start.successors(0),
                    answer: None,
                });
                above.arrange(&start);
            }
        }
        self.path.push(above);
        Ok(())
    }

    /// Leaves a node, all of whose children were searched or one of which decides it.
    fn close(&mut self, level: Level<W>, question: PayoffQuestion, meter: &Meter) {
        let answer = level.answer();
        if let Some(code) = level.code {
            let expanded = meter.expanded - level.began;
            self.note(&code, question, (answer, level.best, level.depth), expanded);
        }
        if let (Some(best), Some(parent)) = (level.best, self.path.last()) {
            // `at` is past the child that decided, so that it is among the moves tried.
            let before = parent.children[parent.at].mv;
            let tried = level.children.iter().map(|child| child.mv);
            self.history
                .note((level.chooser, before), tried.take(level.at), best);
        }
        self.spare.push(level);
        if let Some(parent) = self.path.last_mut() {
            parent.take_current(answer);
        }
    }

    /// Looks at the current child of a node.
    fn step(
        &mut self,
        level: &mut Level<W>,
        question: PayoffQuestion,
        meter: &mut Meter,
    ) -> Result<ChildResult<W>, Halt> {
        let child = &level.children[level.at];
        let entry = self.tables[question.role].get(&child.code);
        if let Some(answer) = question.answer(entry.bounds) {
            return Ok(ChildResult::Answered(Some(answer)));
        }
        // Searched as deep for this very question: it would be open again.
        if self.was_open(&entry, level.depth - 1) {
            return Ok(ChildResult::Answered(None));
        }
        if child.successors.end > level.batch.len() {
            self.fill(level, question, meter)?;
        }
        match level.children[level.at].answer {
            Some(answer) => Ok(ChildResult::Answered(Some(answer))),
            None => Ok(self.enter(level, (question, entry.best()), meter)),
        }
    }

    /// Expands what follows on the current child and on its next siblings, and decides those that an end decides.
    /// If one of them decides the node, it becomes the current one.
    fn fill(
        &mut self,
        level: &mut Level<W>,
        question: PayoffQuestion,
        meter: &mut Meter,
    ) -> Result<(), Halt> {
        let lanes = level.lanes();
        meter.expand(lanes.len())?;
        self.game.expand(&level.codes[lanes.clone()]);
        level.batch.extend(&self.game.found);
        self.settle(level, lanes, question);
        for place in level.at..level.children.len() {
            let child = &level.children[place];
            if child.successors.end > level.batch.len() {
                break;
            }
            let is_or = child.chooser == question.role;
            let (code, mut successors) = (child.code, child.successors.clone());
            // The child's own chooser takes an end that answers the question in its own favour: at an OR node one that is
            // true, at an AND node one that is false.
            let decisive = successors.find(|&place| {
                let (after, code) = (level.batch.after[place], level.codes[place]);
                let bounds = self.game.end(after, (code, question.role), meter);
                let answer = match bounds {
                    Some(bounds) => question.answer(bounds),
                    None => level.settled[place],
                };
                answer == Some(is_or)
            });
            let Some(decisive) = decisive else {
                continue;
            };
            let best = level.moves[decisive];
            self.note(
                &code,
                question,
                (Some(is_or), Some(best), level.depth - 1),
                1,
            );
            level.children[place].answer = Some(is_or);
            // The child is decided in favour of the node's chooser, and decides the node: nothing else need be searched.
            if is_or == level.is_or {
                level.at = place;
                break;
            }
        }
        Ok(())
    }

    /// Finds out after which of some states, which were expanded last, the answer is settled.
    fn settle(
        &mut self,
        level: &mut Level<W>,
        lanes: std::ops::Range<usize>,
        question: PayoffQuestion,
    ) {
        level.settled.resize(lanes.end, None);
        let after = lanes.zip(&self.game.found.after);
        let open = after.filter(|(_, after)| matches!(after, After::Choice(_)));
        let open: Vec<usize> = open.map(|(place, _)| place).collect();
        let codes: Vec<Code<W>> = open.iter().map(|&place| level.codes[place]).collect();
        if let Some(answers) = self.game.settled(&codes, question) {
            for (place, answer) in open.into_iter().zip(answers) {
                level.settled[place] = answer;
            }
        }
    }

    /// Enters the current child, whose successors are expanded. A successor that an end, the table or the horizon
    /// settles does not become a child of it.
    fn enter(
        &mut self,
        level: &Level<W>,
        (question, best): (PayoffQuestion, Option<u32>),
        meter: &mut Meter,
    ) -> ChildResult<W> {
        let child = &level.children[level.at];
        let depth = level.depth - 1;
        let mut next = self.spare.pop().unwrap_or_default();
        let is_or = child.chooser == question.role;
        next.begin(child.code, (child.chooser, is_or), (depth, meter.expanded));
        for place in child.successors.clone() {
            let (code, mv) = (level.codes[place], level.moves[place]);
            let after = level.batch.after[place];
            let end = self.game.end(after, (code, question.role), meter);
            let entry = match end {
                Some(bounds) => TableEntry::end(bounds),
                None => self.tables[question.role].get(&code),
            };
            let settled = level.settled[place].filter(|_| end.is_none());
            let answer = question.answer(entry.bounds).or(settled);
            if answer.is_some() || depth <= 1 || self.was_open(&entry, depth - 1) {
                next.take(Some(mv), answer);
                if next.is_decided {
                    break;
                }
                continue;
            }
            let score = Score {
                // The move that decided the state last comes first, whatever else is said of it.
                is_best: best == Some(mv),
                potential: self.game.potential(&code, (question.role, is_or)),
                history: self.history.score(child.chooser, child.mv, mv),
            };
            next.children.push(Child {
                code,
                mv,
                chooser: chooser(after),
                score,
                successors: level.batch.successors(place),
                answer: None,
            });
        }
        if !next.is_decided && !next.children.is_empty() {
            next.arrange(&level.batch);
            return ChildResult::Entered(next);
        }
        let answer = next.answer();
        // What is open one move ahead is found out anew as fast as it is looked up.
        if answer.is_some() || depth > 1 {
            self.note(&child.code, question, (answer, next.best, depth), 1);
        }
        self.spare.push(next);
        ChildResult::Answered(answer)
    }

    /// Whether a state was searched so deep for the question at hand, and is open.
    fn was_open(&self, entry: &TableEntry, depth: u8) -> bool {
        entry.question == self.number && entry.open_to >= depth
    }

    /// Notes what came of a state that was searched to some depth, and by which move.
    fn note(
        &mut self,
        code: &Code<W>,
        question: PayoffQuestion,
        (answer, best, depth): (Option<bool>, Option<u32>, u8),
        expanded: u64,
    ) {
        self.clock = self.clock.saturating_add(1);
        let (number, time) = (self.number, self.clock);
        self.tables[question.role].update(code, expanded, |entry| {
            entry.set_best(best);
            match answer {
                Some(answer) => {
                    question.note_at(answer, time, (&mut entry.bounds, &mut entry.rank));
                }
                None => (entry.question, entry.open_to) = (number, depth),
            }
        });
    }
}

impl<const W: usize> PackedSearch for AlphaBeta<W> {
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
            self.number = self.number.wrapping_add(1);
            self.depth = NEAR;
        }
        let most = meter.expanded.saturating_add(budget);
        while !self.game.is_joint {
            match self.search(meter, question, most)? {
                Reached::Answer(Some(answer)) => return Ok(Reply::of(answer)),
                Reached::Answer(None) if self.depth == FAR => return Ok(Reply::Cyclic),
                Reached::Answer(None) => self.depth = FAR,
                Reached::Budget => return Ok(Reply::Open),
                Reached::Joint => break,
            }
        }
        Ok(Reply::Unsuited)
    }

    fn at_start(&self, role: usize, _: First) -> Bounds {
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

    fn is_joint(&self) -> bool {
        self.game.is_joint
    }
}
