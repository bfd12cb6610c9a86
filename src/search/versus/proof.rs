//! Proof-number search: whether a role can force a payoff, from the first state alone.
//!
//! A question "can the role force at least *v*?" is a tree of choices: one successor that is proved is enough where
//! the role chooses (an OR node), all are needed where others choose (AND). The proof number of a node says how
//! many states would have to be proved at least for it to be, the disproof number the same of its negation; the
//! search descends where they are least until a threshold is passed:
//!
//! ```text
//! OR:  proof = min of successors, disproof = max + (undecided successors − 1)
//! AND: the other way round
//! ```
//!
//! Where several roles choose at the same moment, the node is one of two levels: whoever chooses first has a child for each
//! of its choices, and that child one for each answer of the others.
//!
//! Zeros are facts: they come from ends alone, upwards, and never from a cycle, so that they do not depend on the
//! way to a node. A successor that is on the current path counts as out of reach while it is, which may leave a
//! question of a game with cycles open; it never decides one wrongly. Facts are kept as bounds for other
//! questions about the same role.
//!
//! This search keeps the graph of the states that it meets. It is for games whose states are not packed;
//! [`super::df_pn`] is faster for all others.
//!
//! Source: df-pn of [N02]; numbers are those of weak proof-number search ([`super::numbers`]).

use crate::gdl::{Reasoner, State};
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::graph::{NodeId, Options, Shape, StateGraph};
use crate::search::versus::numbers::{INFINITE, Numbers, Selection};
use crate::search::versus::question::{First, PayoffQuestion, Reply};
use crate::search::versus::strategy::Knowledge;
use crate::search::versus::worth::{Bounds, Worth};

/// Edges that may be followed for each state that may be expanded, since descents through known states cost time as well.
const EDGES_PER_STATE: u64 = 128;

/// To find what is at the end of an edge takes so many times as long as to read what is known of it.
const EDGES_OF_AN_EXPANSION: u64 = 8;

/// Edges between two polls of the limits.
const INTERVAL: u64 = 1 << 16;

/// A node on the current path.
struct PathFrame {
    node: NodeId,
    /// Numbers at which the search goes back.
    threshold: Numbers,
}

/// What is known of the states of a game from questions about it.
pub(super) struct Proofs {
    pub(super) graph: StateGraph,
    /// Several roles choose at the same moment in some state of the graph.
    is_joint: bool,
    roles: usize,
    /// By role and node where the role chooses first; then, if it matters, the same where the others do.
    known: Vec<Vec<Knowledge>>,
    /// Facts so far.
    clock: u32,
    /// By node, for the question at hand.
    numbers: Vec<Numbers>,
    /// By node, whether it is on the current path.
    on_path: Vec<bool>,
}

impl Proofs {
    pub(super) fn new(graph: StateGraph, roles: usize) -> Self {
        Self {
            graph,
            is_joint: false,
            roles,
            known: vec![Vec::new(); 2 * roles],
            clock: 0,
            numbers: Vec::new(),
            on_path: Vec::new(),
        }
    }

    /// Tries to answer a question, expanding at most so many states.
    ///
    /// # Errors
    /// [`Halt`] if a limit is reached.
    pub(super) fn ask<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        question: PayoffQuestion,
        budget: u64,
    ) -> Result<Reply, Halt> {
        let mut path = vec![self.begin()];
        let most = arena.meter.expanded + budget;
        let (mut edges, mut polled) = (0, 0);
        let most_edges = budget.saturating_mul(EDGES_PER_STATE);
        while let Some(frame) = path.last() {
            let (node, threshold) = (frame.node, frame.threshold);
            if arena.meter.expanded >= most || edges >= most_edges {
                return Ok(self.verdict(question).unwrap_or(Reply::Open));
            }
            if edges >= polled + INTERVAL {
                polled = edges;
                arena.meter.poll()?;
            }
            if !self.graph.is_expanded(node) {
                self.graph.expand(arena, node)?;
                self.look_at(node);
                self.widen();
                edges += EDGES_OF_AN_EXPANSION * self.graph.edges(node).len() as u64;
            }
            self.value_end(question, node);
            edges += 1 + self.graph.edges(node).len() as u64;
            match self.descend(question, node, threshold) {
                Some(next) => {
                    self.on_path[next.node.index()] = true;
                    path.push(next);
                }
                None => {
                    self.on_path[node.index()] = false;
                    path.pop();
                }
            }
        }
        Ok(self.verdict(question).unwrap_or(Reply::Cyclic))
    }

    /// Forgets the numbers, which belong to one question, and keeps bounds, which are facts; gives the frame of the
    /// start, which is left only once it is decided.
    fn begin(&mut self) -> PathFrame {
        self.numbers.fill(Numbers::UNKNOWN);
        self.on_path.fill(false);
        self.widen();
        self.on_path[StateGraph::START.index()] = true;
        PathFrame {
            node: StateGraph::START,
            threshold: Numbers {
                proof: INFINITE,
                disproof: INFINITE,
            },
        }
    }

    /// What is known of the start about a role.
    pub(super) fn at_start(&self, role: usize, first: First) -> Bounds {
        let known = self.known[self.place(role, first)].first();
        known.map_or(Bounds::OPEN, |known| known.bounds)
    }

    /// What is known of a state about a role.
    pub(super) fn of_state(&self, role: usize, first: First, state: &State) -> Knowledge {
        let known = &self.known[self.place(role, first)];
        let node = self.graph.find(state);
        let known = node.and_then(|node| known.get(node.index()));
        known.copied().unwrap_or(Knowledge::NONE)
    }

    /// Where it is kept what is known about a role. As long as one role at a time chooses, it is the same whoever is first.
    fn place(&self, role: usize, first: First) -> usize {
        match first {
            First::Others if self.is_joint => self.roles + role,
            First::Others | First::Role => role,
        }
    }

    /// Notes whether several roles choose at the same moment in a state that was expanded.
    fn look_at(&mut self, node: NodeId) {
        let Shape::Choices(choices) = self.graph.shape(node) else {
            return;
        };
        if !self.is_joint && choices.iter().filter(|&&own| own > 1).count() > 1 {
            self.is_joint = true;
            // What was found without such a state holds whoever is first.
            let (first, then) = self.known.split_at_mut(self.roles);
            then.clone_from_slice(first);
        }
    }

    /// Makes room for new nodes.
    fn widen(&mut self) {
        self.numbers.resize(self.graph.len(), Numbers::UNKNOWN);
        self.on_path.resize(self.graph.len(), false);
        let used = if self.is_joint {
            2 * self.roles
        } else {
            self.roles
        };
        for known in &mut self.known[..used] {
            known.resize(self.graph.len(), Knowledge::NONE);
        }
    }

    fn verdict(&self, question: PayoffQuestion) -> Option<Reply> {
        let numbers = self.numbers_of(question, StateGraph::START);
        match (numbers.proof, numbers.disproof) {
            (0, _) => Some(Reply::Proved),
            (_, 0) => Some(Reply::Disproved),
            _ => None,
        }
    }

    fn numbers_of(&self, question: PayoffQuestion, node: NodeId) -> Numbers {
        let known = &self.known[self.place(question.role, question.first)][node.index()];
        match question.answer(known.bounds) {
            Some(true) => Numbers::PROVED,
            Some(false) => Numbers::PROVED.negated(),
            None => self.numbers[node.index()],
        }
    }

    /// Notes what a node is worth if nobody can choose there.
    fn value_end(&mut self, question: PayoffQuestion, node: NodeId) {
        let worth = match self.graph.shape(node) {
            Shape::End(payoffs) => payoffs[question.role],
            Shape::Choices(choices) if choices.contains(&0) => Worth::NONE,
            Shape::Choices(_) => return,
        };
        let place = self.place(question.role, question.first);
        self.known[place][node.index()].bounds = Bounds::exactly(worth);
    }

    /// Computes the numbers of a node and chooses the successor to descend to; none if a threshold is passed.
    fn descend(
        &mut self,
        question: PayoffQuestion,
        node: NodeId,
        threshold: Numbers,
    ) -> Option<PathFrame> {
        // A bound from another question may decide this one.
        if self.numbers_of(question, node).is_decided() {
            return None;
        }
        let Shape::Choices(choices) = self.graph.shape(node) else {
            return None;
        };
        let tree = Levels::of(choices, question);
        let edges = self.graph.edges(node);
        let mut upper = Selection::default();
        let mut lower = Selection::default();
        for place in 0..tree.upper {
            let below = self.answers(question, &tree, (edges, place));
            // The numbers of the choice, seen from the role in question; then seen from whoever makes the choice.
            let numbers = below.numbers().seen_from(tree.is_or_below);
            let is_best = upper.would_be_best(numbers.seen_from(!tree.is_or_below));
            if upper.add(place, numbers.seen_from(!tree.is_or_below)) {
                break;
            }
            if is_best {
                lower = below;
            }
        }
        let own = upper.numbers();
        let threshold = threshold.seen_from(!tree.is_or_below);
        self.note(question, node, own.seen_from(!tree.is_or_below));
        if own.is_decided() || own.proof >= threshold.proof || own.disproof >= threshold.disproof {
            return None;
        }
        // Down two levels: the upper one's threshold for its best choice, negated, is that of the lower one.
        let below = lower.below(upper.below(threshold).negated());
        lower.best.map(|node| PathFrame {
            node,
            threshold: below.seen_from(tree.is_or_below),
        })
    }

    /// The numbers of the answers to a choice, up to one that decides it.
    #[inline]
    fn answers(
        &self,
        question: PayoffQuestion,
        tree: &Levels,
        (edges, choice): (&[NodeId], usize),
    ) -> Selection<NodeId> {
        let mut below = Selection::default();
        for answer in 0..tree.lower {
            let next = edges[tree.edge(choice, answer)];
            let mut numbers = self.numbers_of(question, next);
            // A repetition proves nothing, and disproves nothing either.
            if self.on_path[next.index()] && !numbers.is_decided() {
                if tree.is_or_at_edges {
                    numbers.proof = INFINITE;
                } else {
                    numbers.disproof = INFINITE;
                }
            }
            if below.add(next, numbers.seen_from(tree.is_or_below)) {
                break;
            }
        }
        below
    }

    /// Keeps the numbers of a node, facts as bounds.
    fn note(&mut self, question: PayoffQuestion, node: NodeId, numbers: Numbers) {
        self.numbers[node.index()] = numbers;
        if numbers.is_decided() {
            let place = self.place(question.role, question.first);
            let known = &mut self.known[place][node.index()];
            self.clock = self.clock.saturating_add(1);
            let (bounds, rank) = (&mut known.bounds, &mut known.rank);
            question.note_at(numbers.proof == 0, self.clock, (bounds, rank));
        }
    }
}

/// The two levels of choices at a node, one of which may have but one choice.
struct Levels {
    /// Choices of whoever is first.
    upper: usize,
    /// Answers to each.
    lower: usize,
    /// Whether the role in question has the answers.
    is_or_below: bool,
    /// Whether it is the role in question that chooses last, if it has a choice.
    is_or_at_edges: bool,
    /// None where one of the levels has one choice, so that edges are in its order.
    options: Option<Options>,
}

impl Levels {
    fn of(choices: &[usize], question: PayoffQuestion) -> Self {
        let options = Options::of(choices, question.role);
        let is_or_below = question.first == First::Others;
        let (upper, lower) = if is_or_below {
            (options.others, options.own)
        } else {
            (options.own, options.others)
        };
        Self {
            upper,
            lower,
            is_or_below,
            is_or_at_edges: match (upper, lower) {
                (_, 1) => !is_or_below,
                (_, _) => is_or_below,
            },
            options: (upper > 1 && lower > 1).then_some(options),
        }
    }

    /// The edge of a choice and an answer.
    fn edge(&self, choice: usize, answer: usize) -> usize {
        match (self.options, self.is_or_below) {
            (None, _) => choice + answer,
            (Some(options), true) => options.join(answer, choice),
            (Some(options), false) => options.join(choice, answer),
        }
    }
}
