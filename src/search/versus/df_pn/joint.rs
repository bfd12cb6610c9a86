//! Nodes in which several roles choose at once.
//!
//! Whoever is first in the question chooses, then the others answer. All joint moves are made in lanes, some thousands at a
//! time. A choice with an answer that refutes it is left out at once, with all answers that were not looked at yet; and
//! joint moves that lead to the same state under one choice are one child.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::circuit::joint::JointMoves;
use crate::search::halt::Halt;
use crate::search::versus::arena::Meter;
use crate::search::versus::codes::Code;
use crate::search::versus::df_pn::enter::Entered;
use crate::search::versus::df_pn::level::{Child, Group, Level};
use crate::search::versus::df_pn::search::DfPn;
use crate::search::versus::numbers::Numbers;
use crate::search::versus::question::{First, PayoffQuestion};

/// Joint moves that are made before their states are looked at.
const CHUNK: usize = 1 << 12;

/// Joint moves that count as one state that is expanded: as many as there are lanes.
const MOVES_A_STATE: usize = 256;

/// What is known of a state that follows: the answer to the question, or a child that has to be searched.
type Known<const W: usize> = Result<Child<W>, bool>;

/// The choices of whoever is first that are not refuted, with the answers that have to be searched.
struct Grid<const W: usize> {
    /// Whether it is the role in question that is first.
    is_or: bool,
    /// All choices, by place in the circuit.
    choices: Vec<u32>,
    children: Vec<Child<W>>,
    groups: Vec<Group>,
    /// The choice whose answers are looked at, by number.
    choice: usize,
    /// Where its children begin.
    start: usize,
    /// It is refuted.
    is_refuted: bool,
}

impl<const W: usize> DfPn<W> {
    /// Finds the successors of a node in which several roles choose, and what is known of them.
    pub(super) fn enter_joint(
        &mut self,
        (code, before): (Code<W>, u32),
        (question, threshold): (PayoffQuestion, Numbers),
        meter: &mut Meter,
    ) -> Result<Entered<W>, Halt> {
        let began = meter.expanded;
        self.game.is_joint = true;
        let is_or = question.first == First::Role;
        // Only of two roles is it asked what happens if the others are first.
        let chooser = if is_or {
            question.role
        } else {
            1 - question.role
        };
        let Some(joint) = self.game.expander.joint_moves(&code, chooser) else {
            self.is_unsuited = true;
            return Ok(Entered::Decided(false, None));
        };
        let mut grid = Grid {
            is_or,
            choices: joint.choices().collect(),
            children: Vec::new(),
            groups: Vec::new(),
            choice: 0,
            start: 0,
            is_refuted: false,
        };
        let decisive = self.fill(&mut grid, (&code, &joint), question, meter)?;
        if decisive.is_some() || grid.groups.is_empty() {
            let answer = is_or == decisive.is_some();
            self.note(&code, question, Numbers::decided(answer), 1);
            return Ok(Entered::Decided(answer, decisive));
        }
        let mut level = Level {
            code,
            chooser,
            is_or,
            before,
            threshold,
            children: grid.children,
            groups: grid.groups,
            at: 0,
            killers: Vec::new(),
            began,
        };
        self.arrange_groups(&mut level);
        Ok(Entered::Open(level))
    }

    /// Makes all joint moves of a state; gives the choice that decides the node, if one does.
    fn fill(
        &mut self,
        grid: &mut Grid<W>,
        (code, joint): (&Code<W>, &JointMoves),
        question: PayoffQuestion,
        meter: &mut Meter,
    ) -> Result<Option<u32>, Halt> {
        let all = grid.choices.len() * joint.answers;
        let mut next = 0;
        while next < all {
            let numbers = next..all.min(next + CHUNK);
            meter.expand(numbers.len() / MOVES_A_STATE)?;
            next = numbers.end;
            for (choice, answer, known) in
                self.look_at_joint((code, joint), numbers, question, meter)
            {
                if let Some(decisive) = grid.turn_to(choice as usize) {
                    return Ok(Some(decisive));
                }
                grid.add(answer, known);
            }
            if grid.is_refuted {
                // Answers to a refuted choice need not be looked at.
                next = next.max((grid.choice + 1) * joint.answers);
            }
        }
        Ok(grid.turn_to(grid.choices.len()))
    }

    /// What is known of the states that some joint moves lead to, by choice and answer; of each choice, each state once.
    fn look_at_joint(
        &mut self,
        (code, joint): (&Code<W>, &JointMoves),
        numbers: Range<usize>,
        question: PayoffQuestion,
        meter: &mut Meter,
    ) -> Vec<(u32, u32, Known<W>)> {
        self.game.expand_joint(code, (joint, numbers));
        let found = &self.game.found;
        // Many joint moves lead to the same state, which is looked at once.
        let mut states: Vec<Code<W>> = Vec::new();
        let mut places: FxHashMap<Code<W>, u32> = FxHashMap::default();
        // By state, the last choice under which it was met; those of a choice follow on each other.
        let mut met: Vec<u32> = Vec::new();
        let mut edges = Vec::new();
        for ((next, &choice), &answer) in found.codes.iter().zip(&found.from).zip(&found.moves) {
            let place = *places.entry(*next).or_insert_with(|| {
                states.push(*next);
                met.push(u32::MAX);
                states.len() as u32 - 1
            });
            if std::mem::replace(&mut met[place as usize], choice) != choice {
                edges.push((choice, answer, place));
            }
        }
        self.look_at(&states);
        let known = states.iter().enumerate();
        let mut known: Vec<Known<W>> = known
            .map(|(place, &next)| self.child((place, next), 0, question, meter))
            .collect();
        self.settle(&mut known, question);
        let edges = edges.into_iter();
        edges
            .map(|(choice, answer, place)| (choice, answer, known[place as usize].clone()))
            .collect()
    }

    /// Answers the question of states after which it is settled.
    fn settle(&mut self, known: &mut [Known<W>], question: PayoffQuestion) {
        let open = known.iter().filter_map(|known| known.as_ref().ok());
        let open: Vec<Code<W>> = open.map(|child| child.code).collect();
        let Some(answers) = self.game.settled(&open, question) else {
            return;
        };
        let open = known.iter_mut().filter(|known| known.is_ok());
        for (known, answer) in open.zip(answers) {
            if let Some(answer) = answer {
                *known = Err(answer);
            }
        }
    }

    /// Orders choices by what decided most nodes before, and computes their numbers.
    fn arrange_groups(&self, level: &mut Level<W>) {
        let score = |group: &Group| self.history.score(level.chooser, level.before, group.mv);
        level
            .groups
            .sort_by_cached_key(|group| std::cmp::Reverse(score(group)));
        for place in 0..level.groups.len() {
            level.update_group(level.groups[place].children.start);
        }
    }
}

impl<const W: usize> Grid<W> {
    /// Goes on to another choice; gives the move of the last one if all of its answers lose.
    fn turn_to(&mut self, choice: usize) -> Option<u32> {
        if choice == self.choice {
            return None;
        }
        let mv = self.choices[self.choice];
        if self.is_refuted {
            self.children.truncate(self.start);
        } else if self.start == self.children.len() {
            return Some(mv);
        } else {
            self.children[self.start..].sort_by_key(|child| child.code);
            self.groups.push(Group {
                mv,
                children: self.start..self.children.len(),
                numbers: Numbers::UNKNOWN,
                best: None,
            });
        }
        (self.choice, self.start) = (choice, self.children.len());
        self.is_refuted = false;
        None
    }

    /// Takes an answer to the choice into account.
    fn add(&mut self, answer: u32, known: Known<W>) {
        match known {
            Err(result) => self.is_refuted |= result != self.is_or,
            Ok(child) => self.children.push(Child {
                mv: answer,
                ..child
            }),
        }
    }
}
