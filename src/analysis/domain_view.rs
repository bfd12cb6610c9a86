//! The domain graph as a picture: which arguments get values from which, and where constants come in.
//!
//! Arguments that are joined stand in one frame: they share a domain, as in \[ST07, Figure 1\]. They
//! are written as there, `succ,2` for the second argument of `succ`. Constants that are written at the
//! same arguments share a node.

use indexmap::IndexMap;
use petgraph::unionfind::UnionFind;
use rustc_hash::FxBuildHasher;

use crate::drawing::{Drawing, DrawnEdge, DrawnNode, LegendEntry, Line, Outline};
use crate::gdl::{Bearer, Flow, Joint, Place, Source};
use crate::term::{Infix, Store};

/// Constants that are named in one node.
const MAX_NAMED: usize = 12;

/// Draws the domain graph of a game of this name; `line_of` says on which line a rule stands.
pub fn domain_view(
    flow: &Flow,
    store: &Store,
    title: &str,
    line_of: &dyn Fn(usize) -> usize,
) -> Drawing {
    let domains = domains(flow);
    let label = |place: &Place| {
        let name = store.name(place.functor.symbol);
        format!("{name},{}", place.index + 1)
    };
    let nodes = flow.places.iter().enumerate();
    let nodes = nodes.map(|(number, place)| DrawnNode {
        label: label(place),
        outline: outline(place.bearer),
        group: domains.get(&number).copied(),
        marked: false,
    });
    let joints = flow.joints.iter();
    let edges = joints.map(|&(from, to, joint, rule)| DrawnEdge {
        from,
        to,
        line: match joint {
            Joint::Flow => Line::Solid,
            Joint::Meeting => Line::Tie,
        },
        note: format!("line {}", line_of(rule)),
    });
    let groups = domains.values().max().map_or(0, |last| last + 1);
    let mut drawing = Drawing {
        title: format!("{title}: domain graph"),
        groups: (1..=groups)
            .map(|domain| format!("domain {domain}"))
            .collect(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        legend: legend(flow),
    };
    draw_sources(flow, store, &mut drawing);
    drawing
}

/// Which domain each argument has, numbered in the order of the arguments.
fn domains(flow: &Flow) -> IndexMap<usize, usize, FxBuildHasher> {
    let mut union = UnionFind::new(flow.places.len());
    for &(one, other, _, _) in &flow.joints {
        union.union(one, other);
    }
    let mut numbers: IndexMap<usize, usize, FxBuildHasher> = IndexMap::default();
    let places = 0..flow.places.len();
    let domains = places.map(|place| {
        let next = numbers.len();
        (place, *numbers.entry(union.find(place)).or_insert(next))
    });
    domains.collect()
}

fn outline(bearer: Bearer) -> Outline {
    match bearer {
        Bearer::Fluent => Outline::Box,
        Bearer::Move => Outline::Ellipse,
        Bearer::Relation => Outline::Rounded,
        Bearer::Function => Outline::Diamond,
    }
}

/// Adds what is written in heads: one node for all that is written at the same arguments of a domain.
fn draw_sources(flow: &Flow, store: &Store, drawing: &mut Drawing) {
    let mut places: IndexMap<(Source, Option<usize>), Vec<usize>, FxBuildHasher> =
        IndexMap::default();
    for &(source, place) in &flow.sources {
        let domain = drawing.nodes[place].group;
        places.entry((source, domain)).or_default().push(place);
    }
    // First the places of each constant, then the constants of each set of places.
    let mut written: IndexMap<Vec<usize>, Vec<Source>, FxBuildHasher> = IndexMap::default();
    for ((source, _), mut places) in places {
        places.sort_unstable();
        written.entry(places).or_default().push(source);
    }
    for (places, sources) in written {
        let from = drawing.nodes.len();
        drawing.nodes.push(DrawnNode {
            label: names(store, &sources),
            outline: Outline::Plain,
            group: places.first().and_then(|&place| drawing.nodes[place].group),
            marked: false,
        });
        drawing.edges.extend(places.into_iter().map(|to| DrawnEdge {
            from,
            to,
            line: Line::Dotted,
            note: String::new(),
        }));
    }
}

/// The first few by name.
fn names(store: &Store, sources: &[Source]) -> String {
    let name = |source: &Source| match *source {
        Source::Constant(term) => Infix::new(store, term).to_string(),
        Source::Function(functor) => format!("{}/{}", store.name(functor.symbol), functor.arity),
    };
    let named: Vec<String> = sources.iter().take(MAX_NAMED).map(name).collect();
    match sources.len().saturating_sub(MAX_NAMED) {
        0 => named.join(" "),
        more => format!("{} and {more} more", named.join(" ")),
    }
}

/// What is in the picture.
fn legend(flow: &Flow) -> Vec<LegendEntry> {
    let bearers = [
        (Bearer::Fluent, "argument of a fluent"),
        (Bearer::Move, "of a move"),
        (Bearer::Relation, "of a relation"),
        (Bearer::Function, "of a function inside"),
    ];
    let bearers = bearers
        .into_iter()
        .filter(|(bearer, _)| flow.places.iter().any(|place| place.bearer == *bearer));
    let nodes =
        bearers.map(|(bearer, text)| LegendEntry::Node(outline(bearer), false, text.to_owned()));
    let lines = [
        (Line::Solid, "values come to"),
        (Line::Tie, "values meet"),
        (Line::Dotted, "constants come in"),
    ];
    let lines = lines
        .into_iter()
        .map(|(line, text)| LegendEntry::Edge(line, text.to_owned()));
    nodes.chain(lines).collect()
}
