//! The explicit graph of states: which states follow on which, over all joint moves.
//!
//! A node is the place of its state in the table. Joint moves are not stored: their order is that of
//! [`Expansions`], where the last role's move changes first, so the numbers of legal moves by role, the *shape*,
//! tell which role's choice leads where. Shapes and payoffs are few and are stored once:
//!
//! ```text
//! shape [2, 3]: edges 0 1 2 are the first role's first move, edges 0 3 the second role's first
//! ```

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::gdl::{Expansion, Expansions, MoveId, Reasoner, State, States};
use crate::search::halt::Halt;
use crate::search::versus::arena::{Arena, ForcingFault};
use crate::search::versus::worth::Worth;

/// A node of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The node of the state at this place in the table.
    #[inline]
    pub(super) fn from_index(index: usize) -> Self {
        Self(index as u32)
    }

    /// The id as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Edges for each node that there may be: where joint moves are many, states are few.
const EDGES_A_NODE: usize = 16;

/// The start of the edges of a node that was not expanded.
const UNEXPANDED: u64 = u64::MAX;

/// What there is to choose in a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// The game is over, worth this to each role.
    End(Vec<Worth>),
    /// The number of legal moves of each role.
    Choices(Vec<usize>),
}

/// Legal moves of one role against the joint moves of all others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// Moves of the role.
    pub(super) own: usize,
    /// Joint moves of the others.
    pub(super) others: usize,
    /// Joint moves of the roles that come later in the order of roles.
    stride: usize,
}

impl Options {
    pub(super) fn of(choices: &[usize], role: usize) -> Self {
        let own = choices[role];
        let all: usize = choices.iter().product();
        Self {
            own,
            others: all.checked_div(own).unwrap_or(0),
            stride: choices[role + 1..].iter().product(),
        }
    }

    /// The role's move in a joint move, and the joint move of the others.
    pub(super) fn split(self, joint: usize) -> (usize, usize) {
        let (before, after) = (joint / self.stride, joint % self.stride);
        // Joint move = before · own · stride + own move · stride + after; the others' number leaves the middle
        // digit out.
        (before % self.own, before / self.own * self.stride + after)
    }

    /// The joint move of a role's move and a joint move of the others.
    pub(super) fn join(self, own: usize, others: usize) -> usize {
        let (before, after) = (others / self.stride, others % self.stride);
        (before * self.own + own) * self.stride + after
    }
}

/// States with what follows on them, as far as they were expanded.
pub(super) struct StateGraph {
    states: States,
    /// By node, where its edges begin; [`UNEXPANDED`] if it has none yet.
    first: Vec<u64>,
    /// By node, its shape, by place in `shapes`.
    shape: Vec<u32>,
    shapes: IndexSet<Shape, FxBuildHasher>,
    edges: Vec<NodeId>,
    /// Every edge leads to a later node, so that no state can come again.
    is_ascending: bool,
    expansions: Expansions,
    batch: Vec<State>,
    places: Vec<usize>,
}

impl StateGraph {
    /// The node of the state where the graph starts.
    pub(super) const START: NodeId = NodeId(0);

    pub(super) fn new(start: &State, roles: usize) -> Self {
        Self {
            states: States::of(start),
            first: vec![UNEXPANDED],
            shape: vec![0],
            shapes: IndexSet::default(),
            edges: Vec::new(),
            is_ascending: true,
            expansions: Expansions::new(roles),
            batch: Vec::new(),
            places: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// Memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        let nodes = size_of_val(&self.first[..]) + size_of_val(&self.shape[..]);
        self.states.bytes() + nodes + size_of_val(&self.edges[..])
    }

    /// All nodes, in order of discovery.
    pub(super) fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (0..self.len() as u32).map(NodeId)
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn is_ascending(&self) -> bool {
        self.is_ascending
    }

    pub(super) fn is_expanded(&self, node: NodeId) -> bool {
        self.first[node.index()] != UNEXPANDED
    }

    /// The node of a state, if it has one.
    pub(super) fn find(&self, state: &State) -> Option<NodeId> {
        self.states.find(state).map(NodeId::from_index)
    }

    pub(super) fn state(&self, node: NodeId) -> Option<State> {
        self.states.get(node.index())
    }

    pub(super) fn shape(&self, node: NodeId) -> &Shape {
        &self.shapes[self.shape[node.index()] as usize]
    }

    /// All shapes that were met.
    pub(super) fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.shapes.iter()
    }

    /// The nodes that follow on an expanded node, by joint move.
    pub(super) fn edges(&self, node: NodeId) -> &[NodeId] {
        let number = match self.shape(node) {
            Shape::End(_) => 0,
            Shape::Choices(choices) => choices.iter().product(),
        };
        &self.edges[self.first[node.index()] as usize..][..number]
    }

    /// Where the edges of a node begin among all edges.
    pub(super) fn first_edge(&self, node: NodeId) -> usize {
        self.first[node.index()] as usize
    }

    /// Expands nodes in order of discovery, `from` being the index of the first that was not, until the graph has so many nodes,
    /// or [`EDGES_A_NODE`] times as many edges. Returns whether all nodes are expanded.
    ///
    /// # Errors
    /// [`Halt`] if a limit is reached.
    pub(super) fn grow<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        (from, most): (&mut usize, usize),
    ) -> Result<bool, Halt> {
        let most_edges = most.saturating_mul(EDGES_A_NODE);
        while *from < self.len() && self.len() < most && self.edges.len() < most_edges {
            let mut batch = std::mem::take(&mut self.batch);
            self.states.get_many(*from, arena.batch(), &mut batch);
            self.batch = batch;
            *from += self.expand_batch(arena, *from)?;
        }
        Ok(*from == self.len())
    }

    /// Expands one node.
    ///
    /// # Errors
    /// [`Halt`] if a limit is reached.
    pub(super) fn expand<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        node: NodeId,
    ) -> Result<(), Halt> {
        self.batch.clear();
        self.batch.extend(self.states.get(node.index()));
        self.expand_batch(arena, node.index())?;
        Ok(())
    }

    /// Expands the states of `batch`, whose nodes follow on each other, or the first of them; says how many.
    fn expand_batch<R: Reasoner>(
        &mut self,
        arena: &mut Arena<'_, R>,
        from: usize,
    ) -> Result<usize, Halt> {
        arena.expand(&self.batch, &mut self.expansions)?;
        let successors = self.expansions.successors();
        self.states.insert_many(successors, &mut self.places);
        // All states of the batch and their successors have nodes now; only those expanded have edges.
        self.first.resize(self.states.len(), UNEXPANDED);
        self.shape.resize(self.states.len(), 0);
        let mut places = self.places.iter();
        for (at, expansion) in self.expansions.iter().enumerate() {
            let (node, state) = (NodeId::from_index(from + at), &self.batch[at]);
            let shape = match expansion {
                Expansion::End(goals) => {
                    arena.meter.note_goals(goals, || state.clone());
                    Shape::End(goals.iter().map(Worth::of_goal).collect())
                }
                Expansion::Successors(successors) => {
                    let choices = choices(self.expansions.roles(), successors.iter());
                    if successors.is_empty() {
                        arena.meter.note(ForcingFault::NoLegalMove(state.clone()));
                    }
                    Shape::Choices(choices)
                }
            };
            self.first[node.index()] = self.edges.len() as u64;
            let number = match &shape {
                Shape::End(_) => 0,
                Shape::Choices(choices) => choices.iter().product(),
            };
            for &place in places.by_ref().take(number) {
                // Edges that all ascend make the order of nodes topological: no repetition, no draws by it.
                let next = NodeId::from_index(place);
                self.is_ascending &= next > node;
                self.edges.push(next);
            }
            self.shape[node.index()] = match self.shapes.get_index_of(&shape) {
                Some(known) => known as u32,
                None => self.shapes.insert_full(shape).0 as u32,
            };
        }
        Ok(self.expansions.len())
    }
}

/// The number of moves of each role in joint moves of which the last role's changes first; zeros if there are none.
fn choices<'e, S>(
    roles: usize,
    joint_moves: impl Iterator<Item = (&'e [MoveId], S)>,
) -> Vec<usize> {
    let joint_moves: Vec<_> = joint_moves.map(|(joint, _)| joint).collect();
    let mut choices = vec![0; roles];
    let Some(first) = joint_moves.first() else {
        return choices;
    };
    let mut stride = 1;
    for role in (0..roles).rev() {
        // The role's move comes back to its first when all of its moves were combined with those of later roles.
        let steps = joint_moves.iter().step_by(stride).skip(1);
        choices[role] = 1 + steps.take_while(|joint| joint[role] != first[role]).count();
        stride *= choices[role];
    }
    choices
}
