//! A drawing in DOT, the language of Graphviz.

use std::fmt::Write;

use super::elements::{Drawing, DrawnNode, Line, Outline};
use super::svg::{colour, sign};

impl Drawing {
    /// The graph in the language of Graphviz, groups as clusters, without the legend.
    pub fn dot(&self) -> String {
        document(self)
    }
}

/// Nodes are `n0`, `n1`, …, groups are clusters.
fn document(drawing: &Drawing) -> String {
    let mut dot = String::from("digraph drawing {\n");
    let _ = writeln!(
        dot,
        "  graph [label={}, labelloc=t, fontname=Helvetica];",
        quoted(&drawing.title)
    );
    dot.push_str("  node [fontname=Helvetica, fontsize=11];\n");
    for (group, label) in drawing.groups.iter().enumerate() {
        let _ = writeln!(
            dot,
            "  subgraph cluster_{group} {{\n    label={};",
            quoted(label)
        );
        nodes(&mut dot, drawing, "    ", |node| node.group == Some(group));
        dot.push_str("  }\n");
    }
    let groups = drawing.groups.len();
    nodes(&mut dot, drawing, "  ", |node| {
        // A node of a group that does not exist is in no cluster.
        node.group.is_none_or(|group| group >= groups)
    });
    edges(&mut dot, drawing);
    dot.push_str("}\n");
    dot
}

fn nodes(dot: &mut String, drawing: &Drawing, indent: &str, is_here: impl Fn(&DrawnNode) -> bool) {
    let here = drawing
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| is_here(node));
    for (index, node) in here {
        let _ = writeln!(
            dot,
            "{indent}n{index} [label={}, {}{}];",
            quoted(&node.label),
            shape(node.outline),
            mark(node)
        );
    }
}

fn edges(dot: &mut String, drawing: &Drawing) {
    let known = |end: usize| end < drawing.nodes.len();
    for edge in drawing
        .edges
        .iter()
        .filter(|edge| known(edge.from) && known(edge.to))
    {
        let _ = write!(
            dot,
            "  n{} -> n{} [style={}, color=\"{}\"",
            edge.from,
            edge.to,
            style(edge.line),
            colour(edge.line)
        );
        if let Some(sign) = sign(edge.line) {
            let _ = write!(dot, ", headlabel=\"{sign}\"");
        }
        if !edge.note.is_empty() {
            let _ = write!(dot, ", tooltip={}", quoted(&edge.note));
        }
        dot.push_str("];\n");
    }
}

fn shape(outline: Outline) -> &'static str {
    match outline {
        Outline::Box => "shape=box",
        Outline::Ellipse => "shape=ellipse",
        Outline::Plain => "shape=plaintext",
        Outline::Rounded => "shape=box, style=rounded",
        Outline::Diamond => "shape=diamond",
    }
}

fn mark(node: &DrawnNode) -> &'static str {
    match (node.marked, node.outline) {
        (false, _) => "",
        (true, Outline::Plain) => ", fontname=\"Helvetica-Bold\"",
        (true, _) => ", peripheries=2",
    }
}

fn style(line: Line) -> &'static str {
    match line {
        Line::Solid => "solid",
        Line::Dashed | Line::Minus => "dashed",
        Line::Dotted | Line::Plus => "dotted",
        Line::Tie => "solid, dir=none",
    }
}

/// Text in quotation marks. A backslash would start an escape of DOT, such as `\N`.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\0' => quoted.push('\u{fffd}'),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::samples;

    #[test]
    fn every_node_and_edge_is_written_once() {
        for (name, drawing) in samples::all() {
            let dot = drawing.dot();
            assert_eq!(dot, drawing.clone().dot(), "{name}");
            assert_eq!(dot.matches(" -> ").count(), drawing.edges.len(), "{name}");
            assert_eq!(
                dot.matches("subgraph cluster_").count(),
                drawing.groups.len(),
                "{name}"
            );
            for (index, node) in drawing.nodes.iter().enumerate() {
                let line = format!(" n{index} [label={}", quoted(&node.label));
                assert_eq!(dot.matches(&line).count(), 1, "{name}: {line}");
            }
            for edge in &drawing.edges {
                let line = format!("n{} -> n{} [style={}", edge.from, edge.to, style(edge.line));
                assert!(dot.contains(&line), "{name}: {line}");
            }
        }
    }

    #[test]
    fn a_small_graph_as_a_whole() {
        let mut drawing = samples::chain(3);
        drawing.title = "a \"b\" \\N".to_owned();
        drawing.groups = vec!["g".to_owned()];
        drawing.nodes[1].group = Some(0);
        drawing.nodes[2].group = Some(5);
        drawing.nodes[2].marked = true;
        drawing.nodes[2].outline = Outline::Diamond;
        drawing.edges[1].note = "why".to_owned();
        drawing.edges[1].line = Line::Dotted;
        let expected = r##"digraph drawing {
  graph [label="a \"b\" \\N", labelloc=t, fontname=Helvetica];
  node [fontname=Helvetica, fontsize=11];
  subgraph cluster_0 {
    label="g";
    n1 [label="step 1", shape=box];
  }
  n0 [label="step 0", shape=box];
  n2 [label="step 2", shape=diamond, peripheries=2];
  n0 -> n1 [style=solid, color="#3a3a3a"];
  n1 -> n2 [style=dotted, color="#2a6f97", tooltip="why"];
}
"##;
        assert_eq!(drawing.dot(), expected);
    }
}
