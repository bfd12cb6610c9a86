//! The dependency graph of a game and the subgames that are its connected parts.
//!
//! Nodes are fluents and actions; edges are potential preconditions and effects. A fluent that
//! changes in the same way whatever is done, and that no action depends on, would connect all
//! actions with each other; it is a subgame of its own.
//!
//! ```text
//! cell ── move        on ── stack ── clear        step
//! ```
//!
//! Source: \[G07, Algorithm 3.1\] with the action-independent fluents of \[GST09, Definition 4\].
//! DIVERGENCE: that definition allows the next value of such a fluent to depend on that fluent
//! alone. Here it may depend on others of the same kind, so that a counter of two digits is one
//! action-independent subgame; a single fluent is the same in both.

use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::analysis::level::{Grain, TooMany};
use crate::analysis::link::{DependencyKind, Link, Links};
use crate::term::{Store, TermId, may_match};

/// A fluent of the dependency graph: a function, or some of its instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentNode {
    /// The fluent; variables, numbered from 0, stand for any value.
    pub pattern: TermId,
    /// It changes in the same way whatever is done, and no action depends on it.
    pub is_action_independent: bool,
    /// Nothing ever changes it.
    pub is_rigid: bool,
    /// The goal values depend on it.
    pub in_goal: bool,
    /// The end depends on it.
    pub in_terminal: bool,
}

impl FluentNode {
    /// A fluent of which nothing is known yet.
    pub(super) fn new(pattern: TermId) -> Self {
        Self {
            pattern,
            is_action_independent: false,
            is_rigid: false,
            in_goal: false,
            in_terminal: false,
        }
    }
}

/// An action of the dependency graph: a function, or some of its instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionNode {
    /// The move; variables, numbered from 0, stand for any value.
    pub pattern: TermId,
    /// The roles that may have it, by number, ascending.
    pub roles: Vec<usize>,
    /// It changes nothing but what every joint move changes.
    pub is_noop: bool,
}

/// An edge of the dependency graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What the two have to do with each other.
    pub relation: DependencyKind,
    /// The fluent, by its place among the fluents.
    pub fluent: usize,
    /// The action, by its place among the actions.
    pub action: usize,
    /// Every joint move has this effect or depends on this fluent, whatever its actions.
    pub by_every_move: bool,
    /// The rules that say so, by index: the first way that was found.
    pub rules: Vec<usize>,
}

impl Edge {
    /// What it is told apart by.
    fn key(&self) -> (DependencyKind, usize, usize) {
        (self.relation, self.fluent, self.action)
    }
}

/// A part of the game that no other part with actions has to do with, \[G07, Definition 3.5\].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subgame {
    /// By place among the fluents, ascending.
    pub fluents: Vec<usize>,
    /// By place among the actions, ascending.
    pub actions: Vec<usize>,
    /// Its fluents change in the same way whatever is done.
    pub is_action_independent: bool,
    /// The goal values depend on one of its fluents.
    pub in_goal: bool,
    /// The end depends on one of its fluents.
    pub in_terminal: bool,
    /// The parts whose members depend on each other, each before those that depend on it. With more
    /// than one, independence is one-sided: an earlier part never depends on a later one.
    pub parts: Vec<Component>,
    /// Fluents without which it would fall apart, each with the number of subgames with fluents and
    /// actions there would be then. Not looked for in very large subgames.
    pub joints: Vec<(usize, usize)>,
}

/// A strongly connected part of a subgame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// By place among the fluents, ascending.
    pub fluents: Vec<usize>,
    /// By place among the actions, ascending.
    pub actions: Vec<usize>,
}

impl Subgame {
    /// Neither goal values nor the end depend on it.
    pub fn is_useless(&self) -> bool {
        !self.in_goal && !self.in_terminal
    }
}

/// The dependency graph of a game at one level of detail.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// In order of first occurrence in the rules.
    pub fluents: Vec<FluentNode>,
    /// In order of first occurrence in the rules.
    pub actions: Vec<ActionNode>,
    /// By action, then fluent, then relation.
    pub edges: Vec<Edge>,
    /// Those with actions first, in the order of their first fluents.
    pub subgames: Vec<Subgame>,
    /// Actions that belong to no subgame: they neither change nor depend on anything but
    /// action-independent fluents.
    pub idle: Vec<usize>,
    /// Preconditions that an axiom states but that make no difference, \[G07, Section 3.4.2\].
    pub tautologies: Vec<Edge>,
}

impl Structure {
    /// Builds the graph from its nodes and the links between them, unless it has more than so many
    /// edges.
    pub(super) fn of(
        store: &Store,
        (fluents, actions): (Vec<FluentNode>, Vec<ActionNode>),
        (links, grain): (&Links, &Grain),
        most: usize,
    ) -> Result<Self, TooMany> {
        let level = LevelOfEdges {
            store,
            grain,
            actions: actions.len(),
            most,
        };
        let mut structure = Structure {
            edges: level.edges(&links.links)?,
            tautologies: level.edges(&links.tautologies)?,
            fluents,
            actions,
            ..Structure::default()
        };
        let known: FxHashSet<_> = structure.edges.iter().map(Edge::key).collect();
        structure
            .tautologies
            .retain(|edge| !known.contains(&edge.key()));
        structure.mark_actions();
        let sources = sources(store, links, grain);
        structure.mark_fluents(&sources);
        // What a counter reads to count on is no condition of the moves that are made meanwhile.
        let fluents = &structure.fluents;
        structure.edges.retain(|edge| {
            edge.relation != DependencyKind::Precondition
                || !edge.by_every_move
                || !fluents[edge.fluent].is_action_independent
        });
        structure.find_subgames(&sources);
        Ok(structure)
    }

    fn mark_actions(&mut self) {
        self.actions
            .iter_mut()
            .for_each(|action| action.is_noop = true);
        for edge in &self.edges {
            // What every joint move changes is no effect of the action's own.
            if edge.relation != DependencyKind::Precondition && !edge.by_every_move {
                self.actions[edge.action].is_noop = false;
            }
        }
    }

    /// Finds the largest set of fluents that change whatever is done, as others of the set say, and
    /// that nothing outside of the set reads.
    fn mark_fluents(&mut self, sources: &[(usize, usize)]) {
        let mut changes = FixedBitSet::with_capacity(self.fluents.len());
        let mut is_outside = FixedBitSet::with_capacity(self.fluents.len());
        for edge in &self.edges {
            if edge.relation != DependencyKind::Precondition {
                changes.insert(edge.fluent);
            }
            // [GST09, Definition 4]: no action changes it by itself (first part) or reads it by itself (second part).
            // `control` of tic-tac-toe changes whatever is done, but `legal` reads it.
            if !edge.by_every_move {
                is_outside.insert(edge.fluent);
            }
        }
        // A greatest fixed point: all are inside at first, and a fluent that one outside reads, or that reads one
        // outside, is put outside until nothing changes.
        loop {
            let before = is_outside.count_ones(..);
            for &(fluent, looked_at) in sources {
                if is_outside.contains(fluent) || is_outside.contains(looked_at) {
                    is_outside.insert(fluent);
                    is_outside.insert(looked_at);
                }
            }
            if is_outside.count_ones(..) == before {
                break;
            }
        }
        for (place, fluent) in self.fluents.iter_mut().enumerate() {
            fluent.is_rigid = !changes.contains(place);
            fluent.is_action_independent = !is_outside.contains(place);
        }
    }

    fn find_subgames(&mut self, sources: &[(usize, usize)]) {
        let count = self.fluents.len();
        let mut union = UnionFind::new(count + self.actions.len());
        // Fluents are numbered from 0, actions behind them. The edges of a step counter, which every action changes,
        // would connect all of them.
        for edge in &self.edges {
            // [G07, Algorithm 3.1, step 3d]. DIVERGENCE: steps 2c and 3c give up where an action reads such a fluent; here
            // a fluent that an action reads is none of them, and the rest is decomposed.
            if !self.fluents[edge.fluent].is_action_independent {
                union.union(edge.fluent, count + edge.action);
            }
        }
        for &(fluent, looked_at) in sources {
            if self.fluents[fluent].is_action_independent {
                union.union(fluent, looked_at);
            }
        }
        // In the order of their first fluents.
        let mut parts: IndexMap<usize, Subgame, FxBuildHasher> = IndexMap::default();
        for (place, fluent) in self.fluents.iter().enumerate() {
            let part = parts.entry(union.find(place)).or_default();
            part.fluents.push(place);
            // All fluents of a part are action-independent or none is: such fluents are joined through what they read,
            // and the fixed point has them read each other only.
            part.is_action_independent = fluent.is_action_independent;
            part.in_goal |= fluent.in_goal;
            part.in_terminal |= fluent.in_terminal;
        }
        for place in 0..self.actions.len() {
            // An action that is connected with no fluent is in no part.
            match parts.get_mut(&union.find(count + place)) {
                Some(part) => part.actions.push(place),
                None => self.idle.push(place),
            }
        }
        let mut within = self.edges_within(&union);
        for (part, subgame) in &mut parts {
            let edges = within.remove(part).unwrap_or_default();
            subgame.parts = self.parts(subgame, &edges);
            subgame.joints = self.joints(subgame, &edges);
        }
        let mut subgames: Vec<Subgame> = parts.into_values().collect();
        subgames.sort_by_key(|subgame| subgame.actions.is_empty());
        self.subgames = subgames;
    }

    /// By representative of a part, the edges between its fluents and its actions.
    fn edges_within(&self, union: &UnionFind<usize>) -> FxHashMap<usize, Vec<&Edge>> {
        let mut within: FxHashMap<usize, Vec<&Edge>> = FxHashMap::default();
        for edge in &self.edges {
            let part = union.find(edge.fluent);
            if part == union.find(self.fluents.len() + edge.action) {
                within.entry(part).or_default().push(edge);
            }
        }
        within
    }

    /// The strongly connected parts that its edges make of a subgame, callees first: \[G07, Section
    /// 6.1\].
    fn parts(&self, subgame: &Subgame, edges: &[&Edge]) -> Vec<Component> {
        let count = self.fluents.len();
        let mut graph: DiGraph<usize, ()> = DiGraph::new();
        let members = subgame.fluents.iter().copied();
        let members = members.chain(subgame.actions.iter().map(|&action| count + action));
        let nodes: IndexMap<usize, _, FxBuildHasher> = members
            .map(|member| (member, graph.add_node(member)))
            .collect();
        for edge in edges {
            let (fluent, action) = (nodes[&edge.fluent], nodes[&(count + edge.action)]);
            // An arc leads to what is depended on.
            match edge.relation {
                DependencyKind::Precondition => graph.update_edge(action, fluent, ()),
                DependencyKind::PositiveEffect | DependencyKind::NegativeEffect => {
                    graph.update_edge(fluent, action, ())
                }
            };
        }
        // Components come in postorder of the arcs, so that what is depended on is first.
        let components = kosaraju_scc(&graph);
        let parts = components.into_iter().map(|component| {
            let mut part = Component::default();
            for node in component {
                match graph[node] {
                    fluent if fluent < count => part.fluents.push(fluent),
                    action => part.actions.push(action - count),
                }
            }
            part.fluents.sort_unstable();
            part.actions.sort_unstable();
            part
        });
        parts.collect()
    }

    /// The first fluent of which a ground term is an instance. Linear in the number of fluents.
    pub fn fluent(&self, store: &Store, term: TermId) -> Option<usize> {
        let is_it = |fluent: &FluentNode| may_match(store, fluent.pattern, term);
        self.fluents.iter().position(is_it)
    }

    /// The fluents that may have an instance in common with a term.
    pub fn fluents_of(&self, store: &Store, term: TermId) -> Vec<usize> {
        let fluents = self.fluents.iter().enumerate();
        let fluents = fluents.filter(|(_, fluent)| may_match(store, fluent.pattern, term));
        fluents.map(|(place, _)| place).collect()
    }

    /// The first action of which a ground term is an instance. Linear in the number of actions.
    pub fn action(&self, store: &Store, term: TermId) -> Option<usize> {
        let is_it = |action: &ActionNode| may_match(store, action.pattern, term);
        self.actions.iter().position(is_it)
    }

    fn joints(&self, subgame: &Subgame, edges: &[&Edge]) -> Vec<(usize, usize)> {
        if subgame.fluents.len() * edges.len() > MAX_JOINT_WORK {
            return Vec::new();
        }
        let fluents = subgame.fluents.iter().copied();
        let parts = fluents.map(|fluent| (fluent, self.parts_without(fluent, edges)));
        parts.filter(|&(_, parts)| parts > 1).collect()
    }

    /// The number of connected parts with fluents that some edges make without one fluent.
    fn parts_without(&self, fluent: usize, edges: &[&Edge]) -> usize {
        let count = self.fluents.len();
        let mut union = UnionFind::new(count + self.actions.len());
        // A fluent is an articulation point if the rest falls apart; its own actions keep their other edges.
        let left = || edges.iter().filter(|edge| edge.fluent != fluent);
        for edge in left() {
            union.union(edge.fluent, count + edge.action);
        }
        let parts: FxHashSet<usize> = left().map(|edge| union.find(edge.fluent)).collect();
        parts.len()
    }

    /// The terms of some fluents.
    pub fn fluent_patterns(&self, places: &[usize]) -> impl Iterator<Item = TermId> {
        places.iter().map(|&place| self.fluents[place].pattern)
    }

    /// The terms of some actions.
    pub fn action_patterns(&self, places: &[usize]) -> impl Iterator<Item = TermId> {
        places.iter().map(|&place| self.actions[place].pattern)
    }

    /// The subgame of an action, if it has anything to do with one.
    pub fn subgame_of_action(&self, action: usize) -> Option<usize> {
        let of = |subgame: &Subgame| subgame.actions.contains(&action);
        self.subgames.iter().position(of)
    }

    /// The subgame of a fluent.
    pub fn subgame_of(&self, fluent: usize) -> usize {
        let of = |subgame: &Subgame| subgame.fluents.contains(&fluent);
        let place = self.subgames.iter().position(of);
        place.unwrap_or_else(|| unreachable!("every fluent is in a subgame"))
    }
}

/// Fluents times edges that are gone through to find what holds a subgame together.
const MAX_JOINT_WORK: usize = 200_000;

/// Links that may stand for one edge, on average.
const MAX_LINKS: usize = 100;

/// The nodes between which links are edges.
struct LevelOfEdges<'e> {
    store: &'e Store,
    grain: &'e Grain,
    /// The number of actions.
    actions: usize,
    /// The number of edges that there may be.
    most: usize,
}

impl LevelOfEdges<'_> {
    /// The edges that links stand for, each once.
    fn edges(&self, links: &[Link]) -> Result<Vec<Edge>, TooMany> {
        let mut found: IndexMap<(usize, usize, DependencyKind), Edge, FxBuildHasher> =
            IndexMap::default();
        let mut work = 0;
        // What an action does itself is told, not what it does because every joint move does.
        for by_every_move in [false, true] {
            let own = links.iter();
            for link in own.filter(|link| link.action.is_none() == by_every_move) {
                let pairs = self.pairs(link);
                work += pairs.len();
                // Links of many rules may stand for the same few edges, and still have to be gone through.
                if work / MAX_LINKS > self.most || found.len() > self.most {
                    return Err(TooMany);
                }
                for (fluent, action) in pairs {
                    found
                        .entry((action, fluent, link.relation))
                        .or_insert_with(|| Edge {
                            relation: link.relation,
                            fluent,
                            action,
                            by_every_move,
                            rules: link.rules.clone(),
                        });
                }
            }
        }
        found.sort_unstable_keys();
        Ok(found.into_values().collect())
    }

    /// The nodes, fluent and action, that a link is between.
    fn pairs(&self, link: &Link) -> Vec<(usize, usize)> {
        if let Some(action) = link.action {
            return self.grain.pairs(self.store, link.fluent, action);
        }
        let fluents = self.grain.fluents.of_term(self.store, link.fluent);
        let pairs = fluents.into_iter().flat_map(|fluent| {
            let actions = 0..self.actions;
            actions.map(move |action| (fluent, action))
        });
        pairs.collect()
    }
}

/// For fluents that change whatever is done: which fluents their changes read.
fn sources(store: &Store, links: &Links, grain: &Grain) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for &(fluent, read) in &links.sources {
        found.extend(grain.fluent_pairs(store, fluent, read));
    }
    found.sort_unstable();
    found.dedup();
    found
}
