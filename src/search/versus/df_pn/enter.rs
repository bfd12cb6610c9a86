//! Nodes in which one role chooses: their successors, and what is known of these before they are entered.

use rustc_hash::FxHashSet;

use crate::circuit::successors::After;
use crate::search::halt::Halt;
use crate::search::versus::arena::Meter;
use crate::search::versus::codes::Code;
use crate::search::versus::df_pn::entry::TableEntry;
use crate::search::versus::df_pn::level::{Child, Level};
use crate::search::versus::df_pn::search::DfPn;
use crate::search::versus::lane_game::{LaneGame, chooser};
use crate::search::versus::numbers::Numbers;
use crate::search::versus::question::PayoffQuestion;

/// What came of entering a node.
pub(super) enum Entered<const W: usize> {
    /// Its successors have to be searched.
    Open(Level<W>),
    /// It is decided, in favour of whoever chooses there by a move.
    Decided(bool, Option<u32>),
}

impl<const W: usize> DfPn<W> {
    /// Finds the successors of a node, and what is known of them.
    pub(super) fn enter(
        &mut self,
        (code, chooser): (Code<W>, usize),
        before: u32,
        (question, threshold): (PayoffQuestion, Numbers),
        meter: &mut Meter,
    ) -> Result<Entered<W>, Halt> {
        let began = meter.expanded;
        meter.expand(1)?;
        self.game.expand_one(&code);
        if let [After::Joint] = self.game.found.after[..] {
            return self.enter_joint((code, before), (question, threshold), meter);
        }
        self.look_at_found();
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
        if children.is_empty() {
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
            groups: Vec::new(),
            at: 0,
            killers: Vec::new(),
            began,
        }))
    }

    /// Finds out what there is to choose in the states that were found last.
    pub(super) fn look_at_found(&mut self) {
        let LaneGame {
            expander, found, ..
        } = &mut self.game;
        expander.look_at(&found.codes, &mut self.choices);
    }

    /// Finds out what there is to choose in some states.
    pub(super) fn look_at(&mut self, states: &[Code<W>]) {
        self.game.expander.look_at(states, &mut self.choices);
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
    pub(super) fn child(
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
            None => self.table(question).get(&code),
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
}
