//! Which predicate depends on which: the dependency graph of a list of clauses.
//!
//! Nearly everything static about a game is read off this graph: which keyword reaches which,
//! whether negation is stratified, what is recursive and must be tabled, what can be evaluated
//! once per game, and in which order. The nodes are the predicates (name *and* arity); an edge
//! leads from the head of a clause to every predicate that its body calls, however deep in `or`,
//! `and` and `not`, and is negative if a `not` stands over the call:
//!
//! ```text
//! (<= (p ?x) (q ?x) (or (r ?x) (not (s ?x))))      p/1 → q/1, p/1 → r/1, p/1 ¬→ s/1
//! ```
//!
//! `distinct` is no predicate: it has no clauses to depend on. All orders are those of first
//! occurrence in the text, so that whatever is derived from them is deterministic.
//!
//! Source: \[LHHSG08\], the definitions of dependency graph and stratification. The components
//! come from Kosaraju's algorithm as petgraph has it, which does not recurse.

use std::collections::VecDeque;

use indexmap::IndexSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::{Direction, Graph};
use rustc_hash::FxBuildHasher;

use crate::term::clause::{Clause, Literal};
use crate::term::store::{Functor, Store, TermId};

/// A set of predicates in a fixed order.
pub type PredicateSet = IndexSet<Functor, FxBuildHasher>;

/// Whether a call stands under a negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// Under no `not`.
    Positive,
    /// Under at least one `not`.
    Negative,
}

/// An atom that a condition calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The called atom.
    pub atom: TermId,
    /// Whether a `not` stands over it.
    pub sign: Sign,
}

/// One reason why a predicate depends on another: a call in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The predicate of the head.
    pub from: Functor,
    /// The called predicate.
    pub to: Functor,
    /// Whether a `not` stands over the call.
    pub sign: Sign,
    /// Index of the clause.
    pub clause: usize,
    /// Index of the condition in the body of the clause that contains the call.
    pub position: usize,
    /// The called atom.
    pub atom: TermId,
}

/// Index of a strongly connected component; callees have smaller indices than their callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(u32);

impl ComponentId {
    /// The id as an index into [`DependencyGraph::components`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The dependency graph of a list of clauses.
#[derive(Clone, Debug)]
pub struct DependencyGraph {
    /// All predicates of heads and calls in order of first occurrence; the index of a predicate
    /// is the index of its node.
    predicates: PredicateSet,
    /// Edges carry the index of their dependency, and are added in its order.
    graph: DiGraph<(), u32>,
    /// In order of clauses, then of calls in the text.
    dependencies: Vec<Dependency>,
    /// Callees first; the members in order of first occurrence.
    components: Vec<Vec<Functor>>,
    /// By index of the predicate.
    component_of: Vec<ComponentId>,
}

impl DependencyGraph {
    /// Builds the graph; linear in the size of the clauses.
    pub fn of(store: &Store, clauses: &[Clause]) -> Self {
        let mut predicates = PredicateSet::default();
        let mut dependencies = Vec::new();
        for (index, clause) in clauses.iter().enumerate() {
            let Some(from) = store.functor(clause.head) else {
                continue;
            };
            predicates.insert(from);
            for (position, &condition) in clause.body.iter().enumerate() {
                for Call { atom, sign } in calls(store, condition) {
                    let Some(to) = store.functor(atom) else {
                        continue;
                    };
                    predicates.insert(to);
                    dependencies.push(Dependency {
                        from,
                        to,
                        sign,
                        clause: index,
                        position,
                        atom,
                    });
                }
            }
        }
        Self::assemble(predicates, dependencies)
    }

    fn assemble(predicates: PredicateSet, dependencies: Vec<Dependency>) -> Self {
        let mut graph: DiGraph<(), u32> =
            Graph::with_capacity(predicates.len(), dependencies.len());
        for _ in &predicates {
            graph.add_node(());
        }
        let node = |predicate| predicates.get_index_of(predicate).map(NodeIndex::new);
        for (index, dependency) in dependencies.iter().enumerate() {
            if let (Some(from), Some(to)) = (node(&dependency.from), node(&dependency.to)) {
                graph.add_edge(from, to, index as u32);
            }
        }
        let mut component_of = vec![ComponentId(0); predicates.len()];
        let mut components = Vec::new();
        // Components come in reverse topological order of the edges from caller to callee: callees first.
        for (number, mut members) in kosaraju_scc(&graph).into_iter().enumerate() {
            members.sort_unstable();
            for &member in &members {
                component_of[member.index()] = ComponentId(number as u32);
            }
            let functors = members.iter().map(|member| predicates[member.index()]);
            components.push(functors.collect());
        }
        Self {
            predicates,
            graph,
            dependencies,
            components,
            component_of,
        }
    }

    /// All predicates of heads and calls, in order of first occurrence.
    pub fn predicates(&self) -> &PredicateSet {
        &self.predicates
    }

    /// All dependencies, in order of clauses, then of calls in the text.
    pub fn dependencies(&self) -> &[Dependency] {
        &self.dependencies
    }

    /// The dependencies that the clauses of one predicate give rise to, in the same order.
    pub fn dependencies_of(&self, predicate: Functor) -> impl Iterator<Item = &Dependency> {
        self.incident(predicate, Direction::Outgoing)
    }

    /// The dependencies of others on one predicate: all calls of it.
    pub fn calls_of(&self, predicate: Functor) -> impl Iterator<Item = &Dependency> {
        self.incident(predicate, Direction::Incoming)
    }

    /// The strongly connected components, callees before their callers.
    pub fn components(&self) -> &[Vec<Functor>] {
        &self.components
    }

    /// The component of a predicate; none if the clauses do not mention it.
    pub fn component(&self, predicate: Functor) -> Option<ComponentId> {
        let index = self.predicates.get_index_of(&predicate)?;
        Some(self.component_of[index])
    }

    /// Whether a call depends on the predicate whose clause it stands in.
    pub fn is_in_cycle(&self, dependency: &Dependency) -> bool {
        let component = self.component(dependency.from);
        component.is_some() && component == self.component(dependency.to)
    }

    /// Whether a predicate depends on itself, directly or through others.
    pub fn is_recursive(&self, predicate: Functor) -> bool {
        self.dependencies_of(predicate)
            .any(|dependency| self.is_in_cycle(dependency))
    }

    /// Whether a predicate is one of `targets` or depends on one, directly or through others.
    pub fn depends_on(&self, predicate: Functor, targets: &PredicateSet) -> bool {
        let reachable = self.reachable([predicate]);
        targets.iter().any(|target| reachable.contains(target))
    }

    /// The given predicates and all that they depend on, directly or through others, nearest
    /// first.
    pub fn reachable(&self, sources: impl IntoIterator<Item = Functor>) -> PredicateSet {
        self.closure(sources, Direction::Outgoing)
    }

    /// The given predicates and all that depend on them, directly or through others, nearest
    /// first.
    pub fn dependents(&self, targets: impl IntoIterator<Item = Functor>) -> PredicateSet {
        self.closure(targets, Direction::Incoming)
    }

    /// A shortest chain of dependencies from one predicate to another that `admits` each of its
    /// members; never empty, so from a predicate to itself it is a cycle.
    pub fn chain(
        &self,
        from: Functor,
        to: Functor,
        admits: impl Fn(&Dependency) -> bool,
    ) -> Option<Vec<&Dependency>> {
        let start = self.predicates.get_index_of(&from)?;
        // By index of the predicate: the dependency by which the search first arrived there.
        let mut arrived: Vec<Option<&Dependency>> = vec![None; self.predicates.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(index) = queue.pop_front() {
            for dependency in self.dependencies_of(self.predicates[index]) {
                let Some(next) = self.predicates.get_index_of(&dependency.to) else {
                    continue;
                };
                if arrived[next].is_some() || !admits(dependency) {
                    continue;
                }
                arrived[next] = Some(dependency);
                // The start was not marked as reached: from a predicate to itself the way back is found.
                if dependency.to == to {
                    return Some(self.trail(&arrived, start, next));
                }
                queue.push_back(next);
            }
        }
        None
    }

    /// Walks back from `end` to `start` and gives the dependencies passed, first to last.
    fn trail<'g>(
        &self,
        arrived: &[Option<&'g Dependency>],
        start: usize,
        end: usize,
    ) -> Vec<&'g Dependency> {
        let mut trail = Vec::new();
        let mut at = end;
        while let Some(dependency) = arrived[at] {
            trail.push(dependency);
            match self.predicates.get_index_of(&dependency.from) {
                Some(previous) if previous != start => at = previous,
                _ => break,
            }
        }
        trail.reverse();
        trail
    }

    fn incident(
        &self,
        predicate: Functor,
        direction: Direction,
    ) -> impl Iterator<Item = &Dependency> {
        let node = self.predicates.get_index_of(&predicate).map(NodeIndex::new);
        let edges = node.map(|node| self.graph.edges_directed(node, direction));
        // petgraph lists the newest edge first.
        let mut found: Vec<u32> = edges
            .into_iter()
            .flatten()
            .map(|edge| *edge.weight())
            .collect();
        found.reverse();
        found
            .into_iter()
            .map(|index| &self.dependencies[index as usize])
    }

    fn closure(
        &self,
        seeds: impl IntoIterator<Item = Functor>,
        direction: Direction,
    ) -> PredicateSet {
        let mut found: PredicateSet = seeds.into_iter().collect();
        // The set is its own queue: members in front of `next` have been expanded.
        let mut next = 0;
        while let Some(&predicate) = found.get_index(next) {
            next += 1;
            for dependency in self.incident(predicate, direction) {
                found.insert(match direction {
                    Direction::Outgoing => dependency.to,
                    Direction::Incoming => dependency.from,
                });
            }
        }
        found
    }
}

/// The atoms that a condition calls, in the order of the text, however deep they stand in `or`,
/// `and` and `not`. Among them may be terms that are no atoms (variables, numbers) where a rule
/// is malformed.
pub fn calls(store: &Store, condition: TermId) -> Vec<Call> {
    let mut found = Vec::new();
    let mut stack = vec![(condition, Sign::Positive)];
    while let Some((term, sign)) = stack.pop() {
        match Literal::of(store, term) {
            // Inside a negation all calls count as negative, also those under a second one: stratification asks whether a
            // negation lies on the way.
            Literal::Not(inner) => stack.push((inner, Sign::Negative)),
            Literal::Or(parts) | Literal::And(parts) => {
                stack.extend(parts.iter().rev().map(|&part| (part, sign)));
            }
            Literal::Distinct(..) => {}
            Literal::Call(atom) => found.push(Call { atom, sign }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Document, Node, Span};
    use crate::term::clause::Origin;

    /// A store in which clauses over propositions can be written as `(head, [calls])`, a call
    /// with a `!` in front being negative.
    fn graph(rules: &[(&str, &[&str])]) -> (Store, DependencyGraph) {
        let mut store = Store::new();
        let not = store.symbol("not");
        let mut document = Document::default();
        let node = document.add(Node::Integer(0), Span::default());
        let mut clauses = Vec::new();
        for (head, calls) in rules {
            let mut body = Vec::new();
            for call in *calls {
                let name = call.trim_start_matches('!');
                let atom = store.constant(name);
                body.push(if name == *call {
                    atom
                } else {
                    store.compound(not, &[atom])
                });
            }
            clauses.push(Clause {
                head: store.constant(head),
                body,
                variables: Vec::new(),
                origin: Origin {
                    sentence: 0,
                    span: Span::default(),
                    head: node,
                    body: Vec::new(),
                },
            });
        }
        let graph = DependencyGraph::of(&store, &clauses);
        (store, graph)
    }

    fn proposition(store: &mut Store, name: &str) -> Functor {
        let symbol = store.symbol(name);
        Functor { symbol, arity: 0 }
    }

    fn names(store: &Store, predicates: impl IntoIterator<Item = Functor>) -> Vec<String> {
        let named = predicates
            .into_iter()
            .map(|p| store.name(p.symbol).to_owned());
        named.collect()
    }

    #[test]
    fn components_put_callees_first() {
        let (mut store, graph) = graph(&[
            ("a", &["b"]),
            ("b", &["c", "!d"]),
            ("c", &["b"]),
            ("d", &[]),
        ]);
        let groups: Vec<_> = graph
            .components()
            .iter()
            .map(|c| names(&store, c.iter().copied()))
            .collect();
        assert_eq!(groups, [vec!["d"], vec!["b", "c"], vec!["a"]]);
        let (a, b, d) = (
            proposition(&mut store, "a"),
            proposition(&mut store, "b"),
            proposition(&mut store, "d"),
        );
        assert!(graph.is_recursive(b) && !graph.is_recursive(a) && !graph.is_recursive(d));
        assert!(graph.depends_on(a, &[d].into_iter().collect()));
        assert_eq!(names(&store, graph.dependents([d])), ["d", "b", "a", "c"]);
        assert_eq!(
            graph.calls_of(d).map(|call| call.sign).collect::<Vec<_>>(),
            [Sign::Negative]
        );
    }

    #[test]
    fn chains_are_shortest_and_close_cycles() {
        let (mut store, graph) = graph(&[
            ("a", &["b", "c"]),
            ("b", &["c"]),
            ("c", &["a", "c"]),
            ("d", &["d"]),
        ]);
        let (a, c, d) = (
            proposition(&mut store, "a"),
            proposition(&mut store, "c"),
            proposition(&mut store, "d"),
        );
        let ends = |from, to| graph.chain(from, to, |_| true).map(|chain| chain.len());
        assert_eq!(ends(a, a), Some(2));
        assert_eq!(ends(c, c), Some(1));
        assert_eq!(ends(d, a), None);
        assert_eq!(ends(d, d), Some(1));
    }
}
