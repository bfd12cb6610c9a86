//! Pictures that can be read: alike nodes as one, a part of the graph, and what is left out counted.
//!
//! Ground graphs have thousands of nodes that differ in a coordinate. Labels are terms; those of one shape are made
//! one node by giving up their arguments from the left, until there are few enough:
//!
//! ```text
//! cell(1,1,b)  cell(1,2,b)  cell(1,1,x)      2 × cell(1,·,·) ...      2 × cell(·,·,b)  cell(1,1,x)
//! ```
//!
//! What is still too much is cut below some depth, the distance from the nodes at which nothing arrives; the nodes
//! above the cut say how many are hidden behind them.

use std::collections::VecDeque;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::elements::{Drawing, DrawnEdge, DrawnNode, Line, Outline};

/// How much of a graph is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Only nodes with this text in their labels, and those beside them.
    pub only: Option<String>,
    /// Only nodes that are at most so many edges away from where the graph begins.
    pub depth: Option<usize>,
    /// Alike nodes are drawn as one, and depth is cut, if there are more nodes than this.
    pub most: Option<usize>,
}

/// What was left out of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Condensed {
    /// Nodes of the graph, and of the part that was asked for.
    pub all: usize,
    /// Nodes that are drawn.
    pub drawn: usize,
    /// Nodes that are drawn as one with others.
    pub grouped: usize,
    /// Nodes below the cut.
    pub hidden: usize,
}

impl Condensed {
    /// What is said of it; nothing if the graph is drawn as it is.
    pub fn note(&self) -> Option<String> {
        if self.drawn == self.all {
            return None;
        }
        let mut parts = Vec::new();
        if self.grouped > 0 {
            parts.push(format!("{} alike ones are grouped", self.grouped));
        }
        if self.hidden > 0 {
            parts.push(format!("{} are hidden", self.hidden));
        }
        let others = self.all - self.drawn;
        if parts.is_empty() {
            parts.push(format!("{others} others are left out"));
        }
        Some(format!(
            "{} of {} nodes; {}",
            self.drawn,
            self.all,
            parts.join(", ")
        ))
    }
}

impl Drawing {
    /// The drawing with as much detail as asked for, and what was left out; its title says so, too.
    pub fn condensed(self, detail: &Detail) -> (Drawing, Condensed) {
        let mut counts = Condensed {
            all: self.nodes.len(),
            ..Condensed::default()
        };
        let mut drawing = self;
        if let Some(text) = &detail.only {
            drawing = around(drawing, text);
        }
        // What was asked for first, then alike nodes as one, then the cut: each leaves less to the next.
        if let Some(most) = detail.most.filter(|&most| drawing.nodes.len() > most) {
            (drawing, counts.grouped) = grouped(drawing, most);
        }
        let before = drawing.nodes.len();
        let distances = distances(&drawing);
        let fits = |most: usize| {
            let deepest = distances.iter().copied().max().unwrap_or(0);
            let number = |depth: usize| distances.iter().filter(|&&d| d <= depth).count();
            // The first row is shown whatever it takes.
            (0..=deepest)
                .rev()
                .find(|&depth| number(depth) <= most)
                .unwrap_or(0)
        };
        let depth = match (detail.depth, detail.most) {
            (Some(depth), _) => Some(depth),
            (None, Some(most)) if before > most => Some(fits(most)),
            (None, _) => None,
        };
        if let Some(depth) = depth {
            drawing = cut(drawing, &distances, depth);
        }
        counts.drawn = drawing.nodes.len();
        counts.hidden = before - counts.drawn;
        if let Some(note) = counts.note() {
            drawing.title = format!("{} ({note})", drawing.title);
        }
        (drawing, counts)
    }
}

/// The nodes whose label has a text, and those beside them.
fn around(drawing: Drawing, text: &str) -> Drawing {
    let is_meant = |node: &DrawnNode| node.label.contains(text);
    let meant: Vec<bool> = drawing.nodes.iter().map(is_meant).collect();
    let mut kept = meant.clone();
    for edge in &drawing.edges {
        if let (Some(&from), Some(&to)) = (meant.get(edge.from), meant.get(edge.to)) {
            kept[edge.from] |= to;
            kept[edge.to] |= from;
        }
    }
    restricted(drawing, &kept)
}

/// The drawing without the nodes that are not kept.
fn restricted(drawing: Drawing, kept: &[bool]) -> Drawing {
    let mut places = Vec::with_capacity(kept.len());
    let mut next = 0;
    for &keep in kept {
        // By old index, the new one.
        places.push(keep.then_some(next));
        next += usize::from(keep);
    }
    let place = |node: usize| places.get(node).copied().flatten();
    let edges = drawing.edges.into_iter().filter_map(|edge| {
        Some(DrawnEdge {
            from: place(edge.from)?,
            to: place(edge.to)?,
            ..edge
        })
    });
    let nodes = drawing.nodes.into_iter().zip(kept);
    Drawing {
        edges: edges.collect(),
        nodes: nodes
            .filter(|&(_, &keep)| keep)
            .map(|(node, _)| node)
            .collect(),
        ..drawing
    }
}

/// By node, how many edges lead to it from where the graph begins. What only a cycle leads to begins with its
/// first node.
fn distances(drawing: &Drawing) -> Vec<usize> {
    let number = drawing.nodes.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); number];
    let mut is_start = vec![true; number];
    for edge in &drawing.edges {
        if edge.from < number && edge.to < number && edge.from != edge.to {
            next[edge.from].push(edge.to);
            is_start[edge.to] = false;
        }
    }
    let mut found: Vec<Option<usize>> = vec![None; number];
    let begins: Vec<usize> = (0..number).filter(|&node| is_start[node]).collect();
    // First from all nodes at which nothing arrives; then, for cycles that none of these leads to, from the first node
    // left.
    for starts in std::iter::once(begins).chain((0..number).map(|node| vec![node])) {
        let mut queue = VecDeque::new();
        for start in starts {
            if found[start].is_none() {
                found[start] = Some(0);
                queue.push_back((start, 0));
            }
        }
        while let Some((node, distance)) = queue.pop_front() {
            for &to in &next[node] {
                if found[to].is_none() {
                    found[to] = Some(distance + 1);
                    queue.push_back((to, distance + 1));
                }
            }
        }
    }
    found
        .into_iter()
        .map(|distance| distance.unwrap_or(0))
        .collect()
}

/// The nodes down to a depth; those with something hidden directly below say so.
fn cut(mut drawing: Drawing, distances: &[usize], depth: usize) -> Drawing {
    let kept: Vec<bool> = distances
        .iter()
        .map(|&distance| distance <= depth)
        .collect();
    let mut hidden: IndexMap<usize, IndexSet<usize>> = IndexMap::new();
    for edge in &drawing.edges {
        // Each hidden node counts once for every node that leads to it.
        if let (Some(true), Some(false)) = (kept.get(edge.from), kept.get(edge.to)) {
            hidden.entry(edge.from).or_default().insert(edge.to);
        }
    }
    for (node, below) in hidden {
        let label = &mut drawing.nodes[node].label;
        *label = format!("{label} … {} more", below.len());
    }
    restricted(drawing, &kept)
}

/// A label in pieces: what stands around its arguments, and the arguments that are constants.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    /// `true(cell(`, `,`, `,`, `))`
    around: Vec<String>,
    /// `1`, `1`, `b`
    arguments: Vec<String>,
}

fn shape(label: &str) -> Shape {
    let mut around = vec![String::new()];
    let mut arguments: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut is_inside = false;
    let is_sign = |letter: char| matches!(letter, '(' | ')' | ',' | ' ');
    let push = |around: &mut Vec<String>, text: &str| {
        if let Some(last) = around.last_mut() {
            last.push_str(text);
        }
    };
    for letter in label.chars() {
        if !is_sign(letter) {
            word.push(letter);
            continue;
        }
        // A word before a parenthesis is the name of a function.
        if is_inside && letter != '(' && !word.is_empty() {
            arguments.push(std::mem::take(&mut word));
            around.push(String::new());
        }
        push(&mut around, &word);
        word.clear();
        around
            .last_mut()
            .into_iter()
            .for_each(|last| last.push(letter));
        is_inside |= letter == '(';
    }
    push(&mut around, &word);
    Shape { around, arguments }
}

/// What nodes that can be one have in common.
type Kind = (Option<usize>, Outline, bool, Vec<String>);

/// The drawing with alike nodes as one, so that there are at most so many, if that is possible; and how many
/// nodes are drawn as one with others.
fn grouped(drawing: Drawing, most: usize) -> (Drawing, usize) {
    let shapes: Vec<Shape> = drawing
        .nodes
        .iter()
        .map(|node| shape(&node.label))
        .collect();
    let mut kinds: IndexMap<Kind, Vec<usize>, FxBuildHasher> = IndexMap::default();
    for (place, (node, shape)) in drawing.nodes.iter().zip(&shapes).enumerate() {
        let kind = (node.group, node.outline, node.marked, shape.around.clone());
        kinds.entry(kind).or_default().push(place);
    }
    let kinds: Vec<Vec<usize>> = kinds.into_values().collect();
    let given_up = given_up(&kinds, &shapes, most);
    let mut classes: IndexMap<(usize, &[String]), Vec<usize>, FxBuildHasher> = IndexMap::default();
    for ((number, members), given_up) in kinds.iter().enumerate().zip(given_up) {
        for &place in members {
            let kept = &shapes[place].arguments[given_up..];
            classes.entry((number, kept)).or_default().push(place);
        }
    }
    let classes: Vec<Vec<usize>> = classes.into_values().collect();
    let together = classes.iter().map(Vec::len).filter(|&members| members > 1);
    let together = together.sum();
    (merged(drawing, &shapes, classes), together)
}

/// By kind, how many arguments, from the left, are given up, so that at most so many classes are left if that is
/// possible.
fn given_up(kinds: &[Vec<usize>], shapes: &[Shape], most: usize) -> Vec<usize> {
    let size = |number: usize, given_up: usize| {
        let members = kinds[number].iter();
        let kept: IndexSet<&[String]> = members
            .map(|&place| &shapes[place].arguments[given_up..])
            .collect();
        kept.len()
    };
    let mut given_up = vec![0; kinds.len()];
    let mut sizes: Vec<usize> = (0..kinds.len()).map(|number| size(number, 0)).collect();
    while sizes.iter().sum::<usize>() > most {
        // All members of a kind have as many arguments.
        let can_give = |&number: &usize| {
            let first = kinds[number][0];
            given_up[number] < shapes[first].arguments.len()
        };
        // The most numerous kind gives first.
        let Some(number) = (0..kinds.len())
            .filter(can_give)
            .max_by_key(|&n| (sizes[n], n))
        else {
            break;
        };
        given_up[number] += 1;
        sizes[number] = size(number, given_up[number]);
    }
    given_up
}

/// The drawing with one node for each class, in the order of their first members.
fn merged(drawing: Drawing, shapes: &[Shape], mut classes: Vec<Vec<usize>>) -> Drawing {
    classes.sort_by_key(|members| members[0]);
    let mut class_of = vec![0; drawing.nodes.len()];
    let mut nodes = Vec::with_capacity(classes.len());
    for (class, members) in classes.iter().enumerate() {
        members.iter().for_each(|&member| class_of[member] = class);
        let first = &drawing.nodes[members[0]];
        nodes.push(DrawnNode {
            label: match members.len() {
                1 => first.label.clone(),
                number => format!("{number} × {}", pattern(shapes, members)),
            },
            ..first.clone()
        });
    }
    let mut edges: IndexMap<(usize, usize, Line), (String, usize), FxBuildHasher> =
        IndexMap::default();
    for edge in drawing.edges {
        if let (Some(&from), Some(&to)) = (class_of.get(edge.from), class_of.get(edge.to)) {
            // Edges between the same classes in the same style become one, whose note counts them.
            let known = edges.entry((from, to, edge.line)).or_insert((edge.note, 0));
            known.1 += 1;
        }
    }
    let edges = edges
        .into_iter()
        .map(|((from, to, line), (note, number))| DrawnEdge {
            from,
            to,
            line,
            note: match number {
                1 => note,
                _ => format!("{number} edges"),
            },
        });
    Drawing {
        nodes,
        edges: edges.collect(),
        ..drawing
    }
}

/// The label that members of a class have in common.
fn pattern(shapes: &[Shape], members: &[usize]) -> String {
    let first = &shapes[members[0]];
    let mut text = first.around[0].clone();
    for (place, argument) in first.arguments.iter().enumerate() {
        // What differs among the members is a dot.
        let is_common = members
            .iter()
            .all(|&member| shapes[member].arguments[place] == *argument);
        text += if is_common { argument } else { "·" };
        text += &first.around[place + 1];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(label: &str) -> DrawnNode {
        DrawnNode {
            label: label.to_owned(),
            outline: Outline::Box,
            group: None,
            marked: false,
        }
    }

    fn edge(from: usize, to: usize) -> DrawnEdge {
        DrawnEdge {
            from,
            to,
            line: Line::Solid,
            note: String::new(),
        }
    }

    /// A root that calls all cells of a board with three marks, each of which calls itself.
    fn board() -> Drawing {
        let mut drawing = Drawing {
            nodes: vec![node("goal")],
            ..Drawing::default()
        };
        for x in 1..=8 {
            for y in 1..=8 {
                for mark in ["b", "o", "x"] {
                    drawing
                        .nodes
                        .push(node(&format!("true(cell({x},{y},{mark}))")));
                    let last = drawing.nodes.len() - 1;
                    drawing.edges.extend([edge(0, last), edge(last, last)]);
                }
            }
        }
        drawing
    }

    fn labels(drawing: &Drawing) -> Vec<&str> {
        drawing.nodes.iter().map(|node| &node.label[..]).collect()
    }

    #[test]
    fn alike_nodes_are_one() {
        let detail = Detail {
            most: Some(10),
            ..Detail::default()
        };
        let (drawing, counts) = board().condensed(&detail);
        assert_eq!(
            labels(&drawing),
            [
                "goal",
                "64 × true(cell(·,·,b))",
                "64 × true(cell(·,·,o))",
                "64 × true(cell(·,·,x))"
            ]
        );
        assert_eq!(drawing.edges.len(), 6);
        assert_eq!(
            (counts.all, counts.drawn, counts.grouped, counts.hidden),
            (193, 4, 192, 0)
        );
        assert!(drawing.title.contains("192 alike ones are grouped"));
    }

    #[test]
    fn what_can_be_read_stays_as_it_is() {
        let detail = Detail {
            most: Some(193),
            ..Detail::default()
        };
        let (drawing, counts) = board().condensed(&detail);
        assert_eq!(drawing, board());
        assert_eq!(counts.note(), None);
    }

    #[test]
    fn depth_is_cut_with_a_count() {
        let labels_of = ["a", "b", "c", "d", "e"];
        let drawing = Drawing {
            nodes: labels_of.map(node).to_vec(),
            edges: vec![edge(0, 1), edge(1, 2), edge(1, 3), edge(3, 4), edge(4, 3)],
            ..Drawing::default()
        };
        let depth = |depth| Detail {
            depth: Some(depth),
            ..Detail::default()
        };
        let (cut, counts) = drawing.clone().condensed(&depth(1));
        assert_eq!(labels(&cut), ["a", "b … 2 more"]);
        assert_eq!(counts.hidden, 3);
        assert_eq!(drawing.clone().condensed(&depth(3)).0, drawing);
        let only = Detail {
            only: Some("b".to_owned()),
            ..Detail::default()
        };
        assert_eq!(labels(&drawing.condensed(&only).0), ["a", "b", "c", "d"]);
    }
}
