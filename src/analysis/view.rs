//! Views: an analysis as graphs to be drawn.
//!
//! Fluents are boxes and actions ellipses; dotted lines are positive effects, dashed lines negative
//! effects and continuous lines preconditions, as in \[G07, Figure 3.1\]; a sign at the head says the same.

use crate::analysis::analyze::Analysis;
use crate::analysis::call_graph::{CallGraph, CallNode};
use crate::analysis::link::DependencyKind;
use crate::analysis::report::names;
use crate::analysis::structure::{Edge, Structure};
use crate::drawing::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};
use crate::gdl::Keyword;
use crate::term::{Sign, Store, TermId};

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// The dependency graph that subgames are read off, \[G07, Figure 3.1b\].
    Dependency,
    /// The same with what every joint move changes, \[G07, Figure 3.1a\].
    Effects,
    /// The call graphs of goal and end, \[G07, Figure 5.1\].
    Calls,
    /// The local concepts of goal and end, by subgame.
    Concepts,
    /// The subgames in their parts, and which part depends on which.
    Subgames,
}

/// Draws a view of the analysis of a game of this name; `line_of` says on which line a rule stands.
pub fn view(
    analysis: &Analysis,
    store: &Store,
    view: View,
    title: &str,
    line_of: &dyn Fn(usize) -> usize,
) -> Drawing {
    let painter = Painter {
        analysis,
        store,
        line_of,
    };
    let (what, drawing) = match view {
        View::Dependency => ("dependency graph", painter.dependency(false)),
        View::Effects => (
            "dependency graph with what every move does",
            painter.dependency(true),
        ),
        View::Calls => ("call graphs of goal and end", painter.calls()),
        View::Concepts => ("local concepts", painter.concepts()),
        View::Subgames => ("subgames", painter.subgames()),
    };
    Drawing {
        title: format!("{title}: {what}"),
        ..drawing
    }
}

struct Painter<'a> {
    analysis: &'a Analysis,
    store: &'a Store,
    line_of: &'a dyn Fn(usize) -> usize,
}

impl Painter<'_> {
    fn dependency(&self, with_every_move: bool) -> Drawing {
        let structure = &self.analysis.structure;
        let mut drawing = Drawing {
            nodes: self.nodes(),
            groups: self.groups(),
            legend: relations(),
            ..Drawing::default()
        };
        if with_every_move {
            // One frame would hold everything.
            drawing.groups.clear();
            drawing.nodes.iter_mut().for_each(|node| node.group = None);
        }
        let edges = structure.edges.iter().filter(|edge| {
            with_every_move || !structure.fluents[edge.fluent].is_action_independent
        });
        drawing.edges = edges.map(|edge| self.edge(edge)).collect();
        drawing
    }

    /// The fluents, then the actions.
    fn nodes(&self) -> Vec<DrawnNode> {
        let structure = &self.analysis.structure;
        let fluents = structure
            .fluents
            .iter()
            .enumerate()
            .map(|(place, fluent)| DrawnNode {
                label: names::node(self.store, fluent.pattern),
                outline: Outline::Box,
                group: Some(structure.subgame_of(place)),
                marked: false,
            });
        let actions = structure
            .actions
            .iter()
            .enumerate()
            .map(|(place, action)| DrawnNode {
                label: names::node(self.store, action.pattern),
                outline: Outline::Ellipse,
                group: structure.subgame_of_action(place),
                marked: false,
            });
        fluents.chain(actions).collect()
    }

    fn groups(&self) -> Vec<String> {
        let structure = &self.analysis.structure;
        let labels = structure
            .subgames
            .iter()
            .enumerate()
            .map(|(place, subgame)| {
                let kind = match (subgame.is_action_independent, subgame.is_useless()) {
                    (true, true) => ", action-independent, useless",
                    (true, false) => ", action-independent",
                    (false, true) => ", useless",
                    (false, false) => "",
                };
                format!("subgame {}{kind}", place + 1)
            });
        labels.collect()
    }

    fn edge(&self, edge: &Edge) -> DrawnEdge {
        let structure = &self.analysis.structure;
        let (fluent, action) = (edge.fluent, structure.fluents.len() + edge.action);
        let (from, to, line) = match edge.relation {
            DependencyKind::Precondition => (fluent, action, Line::Solid),
            DependencyKind::PositiveEffect => (action, fluent, Line::Plus),
            DependencyKind::NegativeEffect => (action, fluent, Line::Minus),
        };
        DrawnEdge {
            from,
            to,
            line,
            note: self.lines(&edge.rules),
        }
    }

    /// `lines 3, 7`
    fn lines(&self, rules: &[usize]) -> String {
        let lines: Vec<String> = rules
            .iter()
            .map(|&rule| (self.line_of)(rule).to_string())
            .collect();
        match lines.len() {
            0 => String::new(),
            1 => format!("line {}", lines[0]),
            _ => format!("lines {}", lines.join(", ")),
        }
    }

    fn calls(&self) -> Drawing {
        let mut drawing = Drawing {
            groups: vec!["goal".to_owned(), "end".to_owned()],
            legend: vec![
                LegendEntry::Node(Outline::Box, false, "fluent".to_owned()),
                LegendEntry::Node(Outline::Rounded, false, "defined by rules".to_owned()),
                LegendEntry::Node(Outline::Rounded, true, "calls itself".to_owned()),
                LegendEntry::Edge(Line::Solid, "calls".to_owned()),
                LegendEntry::Edge(Line::Dashed, "calls the negation of".to_owned()),
            ],
            ..Drawing::default()
        };
        self.call_graph(&self.analysis.goal, 0, &mut drawing);
        self.call_graph(&self.analysis.terminal, 1, &mut drawing);
        drawing
    }

    fn call_graph(&self, graph: &CallGraph, group: usize, drawing: &mut Drawing) {
        let start = drawing.nodes.len();
        for (place, &atom) in graph.atoms.iter().enumerate() {
            let label = match place {
                0 => self.root(atom),
                _ => names::atom(self.store, atom),
            };
            drawing.nodes.push(DrawnNode {
                label,
                outline: if self.is_fluent(atom) {
                    Outline::Box
                } else {
                    Outline::Rounded
                },
                group: Some(group),
                marked: graph.recursive.contains(&CallNode(place as u32)),
            });
        }
        let mut drawn = Vec::new();
        for call in &graph.calls {
            let line = match call.sign {
                Sign::Positive => Line::Solid,
                Sign::Negative => Line::Dashed,
            };
            // Several rules may make the same call: one line in the picture.
            let edge = (start + call.from.index(), start + call.to.index(), line);
            if !drawn.contains(&edge) {
                drawn.push(edge);
                drawing.edges.push(DrawnEdge {
                    from: edge.0,
                    to: edge.1,
                    line,
                    note: self.lines(&[call.rule]),
                });
            }
        }
    }

    /// The name of a predicate.
    fn root(&self, atom: TermId) -> String {
        let functor = self.store.functor(atom);
        functor.map_or_else(String::new, |functor| {
            self.store.name(functor.symbol).to_owned()
        })
    }

    fn is_fluent(&self, atom: TermId) -> bool {
        let is_true = |name: &str| name == Keyword::True.name();
        let functor = self.store.functor(atom);
        functor.is_some_and(|functor| is_true(self.store.name(functor.symbol)))
    }

    /// Each subgame with the concepts of its own by which it tells goal and end. Goal and end stand in
    /// every frame, so that no line leaves one.
    fn concepts(&self) -> Drawing {
        let mut drawing = Drawing {
            groups: self.groups(),
            legend: vec![
                LegendEntry::Node(Outline::Rounded, false, "local concept".to_owned()),
                LegendEntry::Edge(Line::Solid, "is told by".to_owned()),
            ],
            ..Drawing::default()
        };
        for (name, concepts) in [
            ("goal", &self.analysis.goal_concepts),
            ("end", &self.analysis.terminal_concepts),
        ] {
            for concept in concepts.as_deref().unwrap_or(&[]) {
                let group = concept.subgame;
                let label = names::atom(self.store, concept.atom);
                let from = node_of(&mut drawing, name.to_owned(), Outline::Diamond, group);
                let to = node_of(&mut drawing, label, Outline::Rounded, group);
                drawing.edges.push(DrawnEdge {
                    from,
                    to,
                    line: Line::Solid,
                    note: String::new(),
                });
            }
        }
        drawing
    }

    fn subgames(&self) -> Drawing {
        let structure = &self.analysis.structure;
        let mut drawing = Drawing {
            groups: self.groups(),
            legend: vec![
                LegendEntry::Node(
                    Outline::Rounded,
                    false,
                    "fluents and actions that depend on each other".to_owned(),
                ),
                LegendEntry::Edge(Line::Solid, "depends on".to_owned()),
            ],
            ..Drawing::default()
        };
        for (place, subgame) in structure.subgames.iter().enumerate() {
            let start = drawing.nodes.len();
            for part in &subgame.parts {
                let mut members =
                    names::nodes(self.store, structure.fluent_patterns(&part.fluents));
                members.extend(names::nodes(
                    self.store,
                    structure.action_patterns(&part.actions),
                ));
                drawing.nodes.push(DrawnNode {
                    label: shortened(&members),
                    outline: Outline::Rounded,
                    group: Some(place),
                    marked: false,
                });
            }
            for (from, to) in part_edges(structure, place) {
                drawing.edges.push(DrawnEdge {
                    from: start + from,
                    to: start + to,
                    line: Line::Solid,
                    note: String::new(),
                });
            }
        }
        drawing
    }
}

/// The node of a group with this label and outline, which is added if there is none.
fn node_of(drawing: &mut Drawing, label: String, outline: Outline, group: usize) -> usize {
    let is_it = |node: &DrawnNode| {
        (node.group, node.outline) == (Some(group), outline) && node.label == label
    };
    let known = drawing.nodes.iter().position(is_it);
    known.unwrap_or_else(|| {
        drawing.nodes.push(DrawnNode {
            label,
            outline,
            group: Some(group),
            marked: false,
        });
        drawing.nodes.len() - 1
    })
}

/// Members of a part that are named in a picture.
const MAX_NAMED: usize = 8;

fn shortened(members: &[String]) -> String {
    match members.len() {
        0..=MAX_NAMED => members.join("  "),
        number => format!(
            "{}  and {} more",
            members[..MAX_NAMED].join("  "),
            number - MAX_NAMED
        ),
    }
}

/// Which part of a subgame depends directly on which.
fn part_edges(structure: &Structure, subgame: usize) -> Vec<(usize, usize)> {
    let parts = &structure.subgames[subgame].parts;
    let of_fluent = |fluent| parts.iter().position(|part| part.fluents.contains(&fluent));
    let of_action = |action| parts.iter().position(|part| part.actions.contains(&action));
    let mut edges = Vec::new();
    for edge in &structure.edges {
        if let (Some(fluent), Some(action)) = (of_fluent(edge.fluent), of_action(edge.action)) {
            let arc = match edge.relation {
                DependencyKind::Precondition => (action, fluent),
                DependencyKind::PositiveEffect | DependencyKind::NegativeEffect => (fluent, action),
            };
            if fluent != action && !edges.contains(&arc) {
                edges.push(arc);
            }
        }
    }
    edges
}

/// The legend of a dependency graph.
fn relations() -> Vec<LegendEntry> {
    vec![
        LegendEntry::Node(Outline::Box, false, "fluent".to_owned()),
        LegendEntry::Node(Outline::Ellipse, false, "action".to_owned()),
        LegendEntry::Edge(Line::Solid, "precondition".to_owned()),
        LegendEntry::Edge(Line::Plus, "positive effect".to_owned()),
        LegendEntry::Edge(Line::Minus, "negative effect".to_owned()),
    ]
}
