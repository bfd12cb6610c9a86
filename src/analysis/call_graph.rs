//! Call graphs: what the truth of a formula is made of.
//!
//! The nodes are atoms up to the names of their variables. An atom calls the atoms in the bodies
//! of all rules whose heads unify with it:
//!
//! ```text
//! (<= (goal robot 100) (true (gold w)) (completed bdf))     goal(robot,100) → true(gold(w))
//! (<= (completed bdf) (true (on d f)))                      goal(robot,100) → completed(bdf)
//!                                                           completed(bdf) → true(on(d,f))
//! ```
//!
//! Source: \[GST09, Definition 1\]. DIVERGENCE: the atoms of a body are taken under the unifier, so
//! that `line(x)` does not call what `line(o)` calls; where a predicate is recursive they are
//! taken as written, as in the definition, so that the graph stays finite. Atoms whose truth never
//! changes are left out on request only: concepts have no use for them, readers may.

use indexmap::IndexSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxBuildHasher;

use crate::analysis::reading::{Atom, Reading};
use crate::term::{Sign, TermId, calls};

/// Atoms of one graph. What has more is told as it is: too large to be looked through.
const MAX_NODES: usize = 20_000;

/// Index of an atom in a call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallNode(pub(super) u32);

impl CallNode {
    /// Its place in [`CallGraph::atoms`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One atom calls another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallEdge {
    /// The caller.
    pub from: CallNode,
    /// The called atom.
    pub to: CallNode,
    /// The rule, by index.
    pub rule: usize,
    /// Whether the call stands under a `not`.
    pub sign: Sign,
}

/// The call graph of an atom.
#[derive(Clone, Debug, Default)]
pub struct CallGraph {
    /// The atoms, the roots first, each once; variables are numbered from 0.
    pub atoms: Vec<TermId>,
    /// The calls, by caller, in the order of the rules.
    pub calls: Vec<CallEdge>,
    /// Atoms that call themselves, perhaps through others; ascending.
    pub recursive: Vec<CallNode>,
    /// Whether the graph was cut off because it is too large.
    pub is_cut: bool,
    /// By node, where its calls begin.
    starts: Vec<usize>,
}

impl CallGraph {
    /// The call graph of some atoms. Linear in its size, which is that of the rules unless many
    /// instances of one atom are called.
    pub(super) fn of(reading: &mut Reading<'_>, roots: &[TermId]) -> Self {
        let mut atoms: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        for &root in roots {
            let root = reading.canonical(root);
            atoms.insert(root);
        }
        let mut graph = CallGraph::default();
        let mut at = 0;
        while let Some(&atom) = atoms.get_index(at) {
            graph.starts.push(graph.calls.len());
            if atoms.len() < MAX_NODES {
                graph.expand(reading, &mut atoms, CallNode(at as u32), atom);
            } else {
                graph.is_cut = true;
            }
            at += 1;
        }
        graph.starts.push(graph.calls.len());
        graph.atoms = atoms.into_iter().collect();
        graph.find_recursion();
        graph
    }

    fn expand(
        &mut self,
        reading: &mut Reading<'_>,
        atoms: &mut IndexSet<TermId, FxBuildHasher>,
        from: CallNode,
        atom: TermId,
    ) {
        let Some(functor) = reading.store.functor(atom) else {
            return;
        };
        if matches!(reading.atom(atom), Atom::Fact) {
            return;
        }
        let recursive = reading.is_recursive(functor);
        for rule in reading.definition(functor).to_vec() {
            let Some(body) = reading.body(rule, atom) else {
                continue;
            };
            let body = match recursive {
                false => body,
                true => {
                    let conditions = reading.rules[rule].body.iter();
                    conditions
                        .flat_map(|&condition| calls(reading.store, condition))
                        .collect()
                }
            };
            for call in body {
                let called = reading.canonical(call.atom);
                let (to, _) = atoms.insert_full(called);
                let edge = CallEdge {
                    from,
                    to: CallNode(to as u32),
                    rule,
                    sign: call.sign,
                };
                if !self.calls[self.starts[from.index()]..].contains(&edge) {
                    self.calls.push(edge);
                }
            }
        }
    }

    fn find_recursion(&mut self) {
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<_> = self.atoms.iter().map(|_| graph.add_node(())).collect();
        for call in &self.calls {
            graph.update_edge(nodes[call.from.index()], nodes[call.to.index()], ());
        }
        for component in kosaraju_scc(&graph) {
            if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
                let members = component.iter().map(|node| CallNode(node.index() as u32));
                self.recursive.extend(members);
            }
        }
        self.recursive.sort_unstable();
    }

    /// The calls that an atom makes.
    pub fn calls_of(&self, node: CallNode) -> &[CallEdge] {
        &self.calls[self.starts[node.index()]..self.starts[node.index() + 1]]
    }

    /// The atoms that an atom depends on, itself among them, in order of distance.
    pub fn below(&self, node: CallNode) -> Vec<CallNode> {
        let mut seen = fixedbitset::FixedBitSet::with_capacity(self.atoms.len());
        let mut found = vec![node];
        seen.insert(node.index());
        let mut at = 0;
        while at < found.len() {
            for call in self.calls_of(found[at]) {
                if !seen.put(call.to.index()) {
                    found.push(call.to);
                }
            }
            at += 1;
        }
        found
    }

    /// The shortest ways from an atom to all below it.
    pub fn ways(&self, from: CallNode) -> Ways {
        let mut arrived: Vec<Option<CallEdge>> = vec![None; self.atoms.len()];
        for node in self.below(from) {
            for &call in self.calls_of(node) {
                let slot = &mut arrived[call.to.index()];
                if slot.is_none() && call.to != from {
                    *slot = Some(call);
                }
            }
        }
        Ways { arrived }
    }
}

/// Shortest ways from one atom of a call graph.
#[derive(Clone, Debug)]
pub struct Ways {
    /// By node, the last call on the way to it.
    arrived: Vec<Option<CallEdge>>,
}

impl Ways {
    /// The calls on the way to an atom, in order; none to the atom where the ways begin.
    pub fn to(&self, node: CallNode) -> Vec<CallEdge> {
        let mut way = Vec::new();
        let mut at = node;
        while let Some(call) = self.arrived[at.index()] {
            way.push(call);
            at = call.from;
        }
        way.reverse();
        way
    }
}
