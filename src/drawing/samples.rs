//! Drawings that the tests are made on.

use super::elements::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};

/// One of each kind, with its name.
pub(super) fn all() -> Vec<(&'static str, Drawing)> {
    vec![
        ("nothing", Drawing::default()),
        ("chain", chain(12)),
        ("cycle", cycle(7)),
        ("tree", call_tree()),
        ("star", star(80)),
        ("dependencies", dependencies(false)),
        ("bipartite", bipartite(6, 5)),
        ("grouped dependencies", dependencies(true)),
        ("isolated", isolated(30)),
        ("outlines", outlines()),
        ("random", random(100, 250, 1, None)),
        ("grouped random", random(100, 200, 2, Some(4))),
    ]
}

pub(super) fn node(label: &str, outline: Outline) -> DrawnNode {
    DrawnNode {
        label: label.to_owned(),
        outline,
        group: None,
        marked: false,
    }
}

pub(super) fn edge(from: usize, to: usize, line: Line) -> DrawnEdge {
    DrawnEdge {
        from,
        to,
        line,
        note: String::new(),
    }
}

pub(super) fn chain(length: usize) -> Drawing {
    Drawing {
        title: "Chain".to_owned(),
        nodes: (0..length)
            .map(|i| node(&format!("step {i}"), Outline::Box))
            .collect(),
        edges: (1..length).map(|i| edge(i - 1, i, Line::Solid)).collect(),
        ..Drawing::default()
    }
}

/// Also with loops at two of the nodes.
fn cycle(length: usize) -> Drawing {
    let mut drawing = chain(length);
    drawing.edges.push(edge(length - 1, 0, Line::Dashed));
    drawing.edges.push(edge(0, 0, Line::Solid));
    drawing
        .edges
        .extend([edge(2, 2, Line::Solid), edge(2, 2, Line::Dotted)]);
    drawing
}

fn star(leaves: usize) -> Drawing {
    Drawing {
        nodes: (0..=leaves)
            .map(|i| node(&format!("leaf_{i}"), Outline::Ellipse))
            .collect(),
        edges: (1..=leaves)
            .map(|leaf| edge(0, leaf, Line::Solid))
            .collect(),
        ..Drawing::default()
    }
}

fn isolated(count: usize) -> Drawing {
    Drawing {
        nodes: (0..count)
            .map(|i| node(&format!("alone {i}"), Outline::Rounded))
            .collect(),
        ..Drawing::default()
    }
}

fn outlines() -> Drawing {
    let outlines = [
        Outline::Box,
        Outline::Ellipse,
        Outline::Plain,
        Outline::Rounded,
        Outline::Diamond,
    ];
    let mut nodes = Vec::new();
    for (index, outline) in outlines.into_iter().enumerate() {
        for marked in [false, true] {
            nodes.push(DrawnNode {
                marked,
                ..node(&format!("predicate_{index}(a,b)"), outline)
            });
        }
    }
    let mut edges: Vec<DrawnEdge> = (1..10).map(|i| edge(i / 2, i, Line::Solid)).collect();
    edges.extend((0..9).map(|i| edge(i + 1, (i * 3) % 10, Line::Dotted)));
    edges.extend((0..10).map(|i| edge(i, i, Line::Dashed)));
    Drawing {
        nodes,
        edges,
        ..Drawing::default()
    }
}

/// Between most pairs of a fluent and an action there are all three kinds of edges.
fn bipartite(fluents: usize, actions: usize) -> Drawing {
    let mut nodes: Vec<DrawnNode> = (0..fluents)
        .map(|i| node(&format!("fluent_{i}"), Outline::Box))
        .collect();
    nodes.extend((0..actions).map(|i| node(&format!("action_{i}"), Outline::Ellipse)));
    let mut edges = Vec::new();
    for fluent in 0..fluents {
        for action in (0..actions).filter(|action| (fluent * action) % 3 != 1) {
            let action = fluents + action;
            edges.push(edge(fluent, action, Line::Solid));
            edges.push(edge(action, fluent, Line::Dashed));
            edges.push(edge(action, fluent, Line::Dotted));
        }
    }
    Drawing {
        nodes,
        edges,
        ..Drawing::default()
    }
}

/// Fluents and actions: what is read, made true and made false.
pub(super) fn dependencies(grouped: bool) -> Drawing {
    let fluents = ["cell", "gold", "on", "clear", "table", "step"];
    let actions = ["move", "grab", "drop", "stack", "unstack"];
    let mut nodes: Vec<DrawnNode> = fluents.map(|fluent| node(fluent, Outline::Box)).into();
    nodes.extend(actions.map(|action| node(action, Outline::Ellipse)));
    nodes[5].marked = true;
    let mut edges = Vec::new();
    // Fluent, action, and which of precondition, positive and negative effect there is.
    let touches = [
        (0, 6, "pne"),
        (0, 7, "p"),
        (0, 8, "p"),
        (1, 7, "pn"),
        (1, 8, "pe"),
        (1, 6, "p"),
        (2, 9, "e"),
        (2, 10, "pn"),
        (3, 9, "pne"),
        (3, 10, "pne"),
        (4, 9, "pn"),
        (4, 10, "e"),
        (5, 7, "p"),
    ];
    for (fluent, action, kinds) in touches {
        for kind in kinds.chars() {
            edges.push(match kind {
                'p' => edge(fluent, action, Line::Solid),
                'e' => edge(action, fluent, Line::Dashed),
                _ => edge(action, fluent, Line::Dotted),
            });
        }
    }
    edges.push(edge(5, 5, Line::Solid));
    let mut groups = Vec::new();
    if grouped {
        groups = ["subgame 1: gold", "subgame 2: blocks", "action-independent"]
            .map(str::to_owned)
            .into();
        for (node, group) in nodes.iter_mut().zip([0, 0, 1, 1, 1, 2, 0, 0, 0, 1, 1]) {
            node.group = Some(group);
        }
    }
    Drawing {
        title: "Dependencies of gold and blocks".to_owned(),
        groups,
        nodes,
        edges,
        legend: legend(),
    }
}

fn legend() -> Vec<LegendEntry> {
    vec![
        LegendEntry::Node(Outline::Box, false, "fluent".to_owned()),
        LegendEntry::Node(Outline::Ellipse, false, "action".to_owned()),
        LegendEntry::Node(Outline::Box, true, "changes without actions".to_owned()),
        LegendEntry::Edge(Line::Solid, "potential precondition".to_owned()),
        LegendEntry::Edge(Line::Dashed, "potential positive effect".to_owned()),
        LegendEntry::Edge(Line::Dotted, "potential negative effect".to_owned()),
    ]
}

pub(super) fn call_tree() -> Drawing {
    let labels = [
        "goal",
        "line(X)",
        "open",
        "true(control(R))",
        "row(M,X)",
        "column(N,X)",
        "diagonal(X)",
        "true(cell(M,1,X))",
        "true(cell(M,2,X))",
        "true(cell(M,3,X))",
        "true(cell(1,N,X))",
        "true(cell(2,N,X))",
        "true(cell(3,N,X))",
        "true(cell(M,M,X))",
        "true(cell(M,N,b))",
    ];
    let parents = [0, 0, 0, 0, 1, 1, 1, 4, 4, 4, 5, 5, 5, 6, 2];
    let outline = |label: &str| {
        if label.starts_with("true") {
            Outline::Plain
        } else {
            Outline::Rounded
        }
    };
    Drawing {
        title: "What goal(white,100) calls".to_owned(),
        nodes: labels
            .iter()
            .map(|label| node(label, outline(label)))
            .collect(),
        edges: (1..15)
            .map(|child| edge(parents[child], child, Line::Solid))
            .collect(),
        ..Drawing::default()
    }
}

/// Numbers that look random and are the same each time (the constants are those of C's `rand` in
/// POSIX).
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
        (state >> 8) as usize % below
    }
}

pub(super) fn random(nodes: usize, edges: usize, seed: u64, groups: Option<usize>) -> Drawing {
    let mut below = numbers(seed);
    let lines = [Line::Solid, Line::Dashed, Line::Dotted];
    let outlines = [Outline::Box, Outline::Ellipse];
    let mut drawn: Vec<DrawnNode> = (0..nodes)
        .map(|i| node(&format!("node_{i}"), outlines[i % 2]))
        .collect();
    for node in &mut drawn {
        node.group = groups
            .map(|groups| below(groups + 1))
            .filter(|&group| Some(group) < groups);
    }
    Drawing {
        title: "Random".to_owned(),
        groups: (0..groups.unwrap_or(0))
            .map(|group| format!("group {group}"))
            .collect(),
        nodes: drawn,
        edges: (0..edges)
            .map(|_| edge(below(nodes), below(nodes), lines[below(3)]))
            .collect(),
        legend: Vec::new(),
    }
}
