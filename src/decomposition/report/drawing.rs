//! A decomposition as a graph: variables in frames, with an edge where something joins two of them.

use crate::decomposition::partition::Cause;
use crate::decomposition::report::subject::DecomposedGame;
use crate::drawing::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};

/// Fluents of a variable that its label names.
const MAX_NAMED: usize = 3;

/// Draws the parts of a game, each in a frame.
pub fn view(subject: &DecomposedGame<'_>) -> Drawing {
    let found = subject.found;
    let mut drawing = Drawing {
        title: subject.title.to_owned(),
        legend: legend(),
        ..Drawing::default()
    };
    let mut node_of = vec![None; found.variables.len()];
    let parts = found.parts.iter().enumerate();
    let parts = parts.map(|(number, part)| {
        let label = format!("game {}", number + 1);
        (label, &part.variables, Outline::Box, part.useful)
    });
    let autonomous = found.autonomous.iter().map(|group| {
        let label = "by itself".to_owned();
        (label, &group.variables, Outline::Ellipse, group.useful)
    });
    for (label, variables, outline, useful) in parts.chain(autonomous) {
        let label = if useful.is_useless() {
            format!("{label}, useless")
        } else {
            label
        };
        drawing.groups.push(label);
        for &variable in variables {
            node_of[variable] = Some(drawing.nodes.len());
            drawing.nodes.push(DrawnNode {
                label: self::label(subject, variable),
                outline,
                group: Some(drawing.groups.len() - 1),
                marked: false,
            });
        }
    }
    let edges = found.links.iter().filter_map(|&(one, other, cause)| {
        Some(DrawnEdge {
            from: node_of[one]?,
            to: node_of[other]?,
            line: line(cause),
            note: note(cause).to_owned(),
        })
    });
    drawing.edges = edges.collect();
    drawing
}

fn label(subject: &DecomposedGame<'_>, variable: usize) -> String {
    let fluents = &subject.found.variables[variable].fluents;
    let names = fluents.iter().take(MAX_NAMED);
    let mut names: Vec<String> = names.map(|&place| subject.fluent(place)).collect();
    if fluents.len() > MAX_NAMED {
        names.push(format!("… ({})", fluents.len()));
    }
    names.join(" | ")
}

fn line(cause: Cause) -> Line {
    match cause {
        Cause::Successor | Cause::Refuted => Line::Solid,
        Cause::Moves(_) | Cause::Legality(_) => Line::Dashed,
        Cause::Concept => Line::Dotted,
    }
}

fn note(cause: Cause) -> &'static str {
    match cause {
        Cause::Successor => "what it is next depends on the other",
        Cause::Refuted => "a proof that they are apart failed",
        Cause::Moves(_) => "moves act in both",
        Cause::Legality(_) => "which moves are legal depends on the other",
        Cause::Concept => "end or goal values need both",
    }
}

fn legend() -> Vec<LegendEntry> {
    let edge = |line, text: &str| LegendEntry::Edge(line, text.to_owned());
    let node = |outline, text: &str| LegendEntry::Node(outline, false, text.to_owned());
    vec![
        node(Outline::Box, "fluents of which at most one holds"),
        node(Outline::Ellipse, "the same, and no move changes it"),
        edge(Line::Solid, "what it is next depends on the other"),
        edge(Line::Dashed, "moves act in both, or their legality"),
        edge(Line::Dotted, "end or goal values need both"),
    ]
}
