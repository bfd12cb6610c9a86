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
//! that `line(x)` does not call what `line(o)` calls. Where a predicate is recursive, or where there
//! are too many, they are taken as written, as in the definition, so that the graph stays small.

use std::ops::ControlFlow;
use std::rc::Rc;

use indexmap::IndexSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::analysis::reading::{AtomKind, Reading};
use crate::term::{Call, Sign, TermId, calls};

/// Atoms of one graph under unifiers. If there are more, they are taken as written.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// The atoms in order of distance from the root, which is the first, each once; variables are
    /// numbered from 0.
    pub atoms: Vec<TermId>,
    /// The calls, by caller, in the order of the rules.
    pub calls: Vec<CallEdge>,
    /// Atoms that call themselves, perhaps through others; ascending.
    pub recursive: Vec<CallNode>,
}

impl CallGraph {
    /// The call graph of an atom. Linear in its size, which is that of the rules unless many
    /// instances of one atom are called.
    pub(super) fn of(reading: &mut Reading<'_>, root: TermId) -> Self {
        let root = reading.canonical(root);
        let instantiated = Self::build(reading, root, false);
        let graph = instantiated.or_else(|| Self::build(reading, root, true));
        let mut graph =
            graph.unwrap_or_else(|| unreachable!("atoms as written are never too many"));
        graph.find_recursion();
        graph
    }

    /// The graph with atoms as they are written, or else under unifiers; nothing if the latter are
    /// too many.
    fn build(reading: &mut Reading<'_>, root: TermId, as_written: bool) -> Option<Self> {
        let mut atoms: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        atoms.insert(root);
        let mut graph = CallGraph::default();
        let mut at = 0;
        while at < atoms.len() {
            if atoms.len() > MAX_NODES && !as_written {
                return None;
            }
            graph.expand(reading, &mut atoms, CallNode(at as u32), as_written);
            at += 1;
        }
        graph.atoms = atoms.into_iter().collect();
        Some(graph)
    }

    fn expand(
        &mut self,
        reading: &mut Reading<'_>,
        atoms: &mut IndexSet<TermId, FxBuildHasher>,
        from: CallNode,
        as_written: bool,
    ) {
        let mut seen: FxHashSet<CallEdge> = FxHashSet::default();
        for (rule, call) in called(reading, atoms[from.index()], as_written) {
            // The atoms are their own queue: breadth first, so that they come in order of distance.
            let (to, _) = atoms.insert_full(call.atom);
            let edge = CallEdge {
                from,
                to: CallNode(to as u32),
                rule,
                sign: call.sign,
            };
            if seen.insert(edge) {
                self.calls.push(edge);
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
            // An atom alone in its component calls itself only by an edge of its own.
            if component.len() > 1 || graph.contains_edge(component[0], component[0]) {
                let members = component.iter().map(|node| CallNode(node.index() as u32));
                self.recursive.extend(members);
            }
        }
        self.recursive.sort_unstable();
    }

    /// The fluents in it.
    pub(super) fn fluents(&self, reading: &Reading<'_>) -> Vec<TermId> {
        let atoms = self.atoms.iter();
        let fluents = atoms.filter_map(|&atom| match reading.atom(atom) {
            AtomKind::Fluent(fluent) => Some(fluent),
            AtomKind::Move(..) | AtomKind::Fact | AtomKind::Defined(_) => None,
        });
        fluents.collect()
    }

    /// The shortest ways from the root to all atoms.
    pub(super) fn ways(&self) -> Ways {
        let mut arrived: Vec<Option<CallEdge>> = vec![None; self.atoms.len()];
        // Callers come in order of distance.
        for &call in &self.calls {
            let slot = &mut arrived[call.to.index()];
            // The first call is on a shortest way; nothing leads to the root.
            if slot.is_none() && call.to != CallNode(0) {
                *slot = Some(call);
            }
        }
        Ways { arrived }
    }
}

/// What the bodies of the rules for an atom call, in their order, each with its rule.
fn called(reading: &mut Reading<'_>, atom: TermId, as_written: bool) -> Vec<(usize, Call)> {
    let AtomKind::Defined(functor) = reading.atom(atom) else {
        return Vec::new();
    };
    // Under unifiers a recursive predicate may call ever new instances of itself: p(X) ← p(f(X)).
    let as_written = as_written || reading.is_recursive(functor);
    let mut found = Vec::new();
    for rule in reading.definition(functor).to_vec() {
        let Some(mut body) = reading.body(rule, atom) else {
            continue;
        };
        // The head has to unify all the same [GST09, Definition 1]; only the body is taken as written.
        if as_written {
            let conditions = reading.rules[rule].body.iter();
            let written = conditions.flat_map(|&condition| calls(reading.store, condition));
            body = written.collect();
        }
        found.extend(body.into_iter().map(|call| {
            let atom = reading.canonical(call.atom);
            (rule, Call { atom, ..call })
        }));
    }
    found
}

/// What atoms call, for walks from many roots that meet the same atoms again and again.
#[derive(Debug, Default)]
pub(super) struct Callees {
    /// By atom, and whether what it calls is taken as written.
    known: FxHashMap<(TermId, bool), Rc<[TermId]>>,
}

impl Callees {
    /// Shows the atoms of the call graph of an atom, in order of distance, until told to stop. Of a
    /// graph with too many atoms under unifiers some of these come first.
    pub(super) fn walk(
        &mut self,
        reading: &mut Reading<'_>,
        root: TermId,
        visit: &mut dyn FnMut(&Reading<'_>, TermId) -> ControlFlow<()>,
    ) {
        let root = reading.canonical(root);
        for as_written in [false, true] {
            let mut atoms: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
            atoms.insert(root);
            let mut at = 0;
            while let Some(&atom) = atoms.get_index(at)
                && (as_written || atoms.len() <= MAX_NODES)
            {
                if visit(reading, atom).is_break() {
                    return;
                }
                atoms.extend(self.of(reading, atom, as_written).iter());
                at += 1;
            }
            if at == atoms.len() {
                return;
            }
        }
    }

    fn of(&mut self, reading: &mut Reading<'_>, atom: TermId, as_written: bool) -> Rc<[TermId]> {
        let known = self.known.entry((atom, as_written));
        let callees = known.or_insert_with(|| {
            let called = called(reading, atom, as_written).into_iter();
            let atoms: IndexSet<TermId, FxBuildHasher> =
                called.map(|(_, call)| call.atom).collect();
            atoms.into_iter().collect()
        });
        Rc::clone(callees)
    }
}

/// Shortest ways from the root of a call graph.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    /// By node, the last call on the way to it.
    arrived: Vec<Option<CallEdge>>,
}

impl Ways {
    /// The calls on the way to an atom, in order; none to the root.
    pub(super) fn to(&self, node: CallNode) -> Vec<CallEdge> {
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
