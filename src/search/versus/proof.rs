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
//! Zeros are facts: they come from ends alone, upwards, and never from a cycle, so that they do not depend on the
//! way to a node. A successor that is on the current path counts as out of reach while it is, which may leave a
//! question of a game with cycles open; it never decides one wrongly. Facts are kept as bounds for other
//! questions about the same role.
//!
//! Source: df-pn of [N02]; the maximum instead of the sum where nodes have several predecessors is weak proof-number
//! search, [UHHI08].

use crate::gdl::{Reasoner, State};
use crate::search::plan::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::graph::{Graph, Node, Shape};
use crate::search::versus::worth::{Bounds, Worth};

/// A number that is never reached.
const INFINITE: u32 = u32::MAX / 4;

/// Steps of descent for each state that may be expanded, since descents through known states cost time as well.
const STEPS_PER_STATE: u64 = 16;

/// Steps between two polls of the limits.
const INTERVAL: u64 = 1 << 12;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) role: usize,
    /// Whether the role can force so much; more than [`Worth::NONE`].
    pub(super) at_least: Worth,
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Proved,
    Disproved,
    /// The budget is used up.
    Open,
    /// Cycles keep it open: no number of states would decide it.
    Cyclic,
    /// Several roles choose at the same moment.
    Simultaneous,
}

/// Proof and disproof number. None are below one but of decided nodes, one of whose numbers is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const UNKNOWN: Self = Self {
        proof: 1,
        disproof: 1,
    };

    fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// The numbers as those of the negated question.
    fn negated(self) -> Self {
        Self {
            proof: self.disproof,
            disproof: self.proof,
        }
    }

    /// Of a node of one kind as if it were an OR node.
    fn seen_from(self, is_or: bool) -> Self {
        match is_or {
            true => self,
            false => self.negated(),
        }
    }
}

/// A node on the current path.
struct Frame {
    node: Node,
    /// Numbers at which the search goes back.
    threshold: Numbers,
}

/// What is known of the states of a game from questions about it.
pub(super) struct Proofs {
    pub(super) graph: Graph,
    /// By role and node.
    bounds: Vec<Vec<Bounds>>,
    /// By node, for the question at hand.
    numbers: Vec<Numbers>,
    /// By node, whether it is on the current path.
    on_path: Vec<bool>,
}

impl Proofs {
    pub(super) fn new(graph: Graph, roles: usize) -> Self {
        Self {
            graph,
            bounds: vec![Vec::new(); roles],
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
        question: Question,
        budget: u64,
    ) -> Result<Verdict, Halt> {
        // Numbers belong to one question; bounds, which are facts, are kept.
        self.numbers.fill(Numbers::UNKNOWN);
        self.on_path.fill(false);
        self.widen(question.role);
        let most = arena.meter.expanded + budget;
        let mut steps = budget.saturating_mul(STEPS_PER_STATE);
        let threshold = Numbers {
            proof: INFINITE,
            disproof: INFINITE,
        };
        let mut path = vec![Frame {
            node: Graph::START,
            threshold,
        }];
        self.on_path[Graph::START] = true;
        while let Some(frame) = path.last() {
            let (node, threshold) = (frame.node, frame.threshold);
            if arena.meter.expanded >= most || steps == 0 {
                return Ok(self.verdict(question).unwrap_or(Verdict::Open));
            }
            steps -= 1;
            if steps.is_multiple_of(INTERVAL) {
                arena.meter.poll()?;
            }
            if !self.graph.is_expanded(node) {
                self.graph.expand(arena, node)?;
                self.widen(question.role);
            }
            // Two roles with a choice at once: no node of an AND/OR tree.
            let Some(is_or) = self.settle_or_kind(question, node) else {
                return Ok(Verdict::Simultaneous);
            };
            match self.descend(question, (node, is_or), threshold) {
                Some(next) => {
                    self.on_path[next.node] = true;
                    path.push(next);
                }
                None => {
                    self.on_path[node] = false;
                    path.pop();
                }
            }
        }
        Ok(self.verdict(question).unwrap_or(Verdict::Cyclic))
    }

    /// What is known of the start about a role.
    pub(super) fn at_start(&self, role: usize) -> Bounds {
        let bounds = self.bounds[role].first().copied();
        bounds.unwrap_or(Bounds::OPEN)
    }

    /// What is known of a state about a role.
    pub(super) fn of_state(&self, role: usize, state: &State) -> Bounds {
        let node = self.graph.find(state);
        let bounds = node.and_then(|node| self.bounds[role].get(node));
        bounds.copied().unwrap_or(Bounds::OPEN)
    }

    /// Makes room for new nodes.
    fn widen(&mut self, role: usize) {
        self.numbers.resize(self.graph.len(), Numbers::UNKNOWN);
        self.on_path.resize(self.graph.len(), false);
        self.bounds[role].resize(self.graph.len(), Bounds::OPEN);
    }

    fn verdict(&self, question: Question) -> Option<Verdict> {
        let numbers = self.numbers_of(question, Graph::START);
        match (numbers.proof, numbers.disproof) {
            (0, _) => Some(Verdict::Proved),
            (_, 0) => Some(Verdict::Disproved),
            _ => None,
        }
    }

    fn numbers_of(&self, question: Question, node: Node) -> Numbers {
        let bounds = self.bounds[question.role][node];
        if bounds.at_least >= question.at_least {
            return Numbers {
                proof: 0,
                disproof: INFINITE,
            };
        }
        if bounds.at_most < question.at_least {
            return Numbers {
                proof: INFINITE,
                disproof: 0,
            };
        }
        self.numbers[node]
    }

    /// Whether a node is an OR node; notes what an end is worth. Nothing if several roles choose.
    fn settle_or_kind(&mut self, question: Question, node: Node) -> Option<bool> {
        let worth = match self.graph.shape(node) {
            Shape::End(payoffs) => payoffs[question.role],
            Shape::Choices(choices) if choices.contains(&0) => Worth::NONE,
            Shape::Choices(choices) => {
                let is_or = choices[question.role] > 1;
                let others = choices.iter().filter(|&&own| own > 1).count();
                return (!is_or || others == 1).then_some(is_or);
            }
        };
        self.bounds[question.role][node] = Bounds {
            at_least: worth,
            at_most: worth,
        };
        Some(true)
    }

    /// Computes the numbers of a node and chooses the successor to descend to; none if a threshold is passed.
    fn descend(
        &mut self,
        question: Question,
        (node, is_or): (Node, bool),
        threshold: Numbers,
    ) -> Option<Frame> {
        // A bound from another question may decide this one.
        if self.numbers_of(question, node).is_decided() {
            return None;
        }
        // All is said as of an OR node; an AND node is one of the negated question.
        let (mut least, mut second) = (INFINITE, INFINITE);
        let (mut most, mut open) = (0, 0);
        let mut best = None;
        for &next in self.graph.edges(node) {
            let next = next as Node;
            let mut numbers = self.numbers_of(question, next).seen_from(is_or);
            // One proved successor proves the node: 0 and infinite.
            if numbers.proof == 0 {
                (least, most) = (0, INFINITE);
                break;
            }
            if numbers.disproof == 0 {
                continue;
            }
            // A repetition proves nothing, and disproves nothing either.
            if self.on_path[next] {
                numbers.proof = INFINITE;
            }
            open += 1;
            most = most.max(numbers.disproof);
            if numbers.proof < least {
                (second, least) = (least, numbers.proof);
                best = Some(next);
            } else {
                second = second.min(numbers.proof);
            }
        }
        // Weak proof-number search: the largest disproof number, and one for each further successor, instead of the
        // sum, which would count shared successors more than once.
        let more = u32::saturating_sub(open, 1);
        let own = Numbers {
            proof: least,
            disproof: (most + more).min(INFINITE),
        };
        self.note(question, node, own.seen_from(is_or));
        let threshold = threshold.seen_from(is_or);
        if own.is_decided() || own.proof >= threshold.proof || own.disproof >= threshold.disproof {
            return None;
        }
        // Staying a quarter longer than the second best asks for saves going to and fro.
        let stay = (second + second / 4 + 1).min(INFINITE);
        let below = Numbers {
            proof: threshold.proof.min(stay),
            disproof: threshold.disproof - more,
        };
        best.map(|node| Frame {
            node,
            threshold: below.seen_from(is_or),
        })
    }

    /// Keeps the numbers of a node, facts as bounds.
    fn note(&mut self, question: Question, node: Node, numbers: Numbers) {
        self.numbers[node] = numbers;
        let bounds = &mut self.bounds[question.role][node];
        if numbers.proof == 0 {
            bounds.at_least = question.at_least;
        } else if numbers.disproof == 0
            && let Some(below) = question.at_least.below()
        {
            bounds.at_most = below;
        }
    }
}
