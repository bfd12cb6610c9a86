//! Where everything on the canvas is: each group by itself in a frame, the frames side by side.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use super::component;
use super::elements::Drawing;
use super::geometry::{Path, Rect};
use super::graph::{Graph, Pair};
use super::packing::{Piece, pack};
use super::routes::{self, FarNode, Surroundings};
use super::shape;

/// Between parts of a group that no edge connects, and between frames.
const PART_GAP: f64 = 34.0;
const FRAME_GAP: f64 = 44.0;

/// Between a frame and what is in it; the height of the line with its label.
const FRAME_MARGIN: f64 = 20.0;
pub(super) const FRAME_LABEL: f64 = 24.0;

/// All places, with the upper left corner of the canvas as origin.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) width: f64,
    pub(super) height: f64,
    /// The outlines of all nodes.
    pub(super) nodes: Vec<Rect>,
    /// The frames by group, in the order of groups.
    pub(super) frames: Vec<Rect>,
    /// The curves by edge. Edges without one of their ends have none.
    pub(super) paths: BTreeMap<usize, Path>,
}

/// Finds a place for everything in the drawing.
pub(super) fn lay_out(drawing: &Drawing) -> Layout {
    let graph = Graph::new(drawing);
    let mut blocks: Vec<Piece> = (0..drawing.groups.len())
        .map(|group| framed(&graph, group))
        .collect();
    let free = block(&graph, None);
    if !free.nodes.is_empty() {
        blocks.push(free);
    }
    let mut canvas = pack(blocks, FRAME_GAP);
    canvas.nodes.sort_by_key(|(node, _)| *node);
    canvas.frames.sort_by_key(|(group, _)| *group);
    let mut layout = Layout {
        width: canvas.width,
        height: canvas.height,
        nodes: canvas.nodes.into_iter().map(|(_, rect)| rect).collect(),
        frames: canvas.frames.into_iter().map(|(_, frame)| frame).collect(),
        paths: canvas.paths.into_iter().collect(),
    };
    connect_frames(&graph, &mut layout);
    layout
}

fn framed(graph: &Graph, group: usize) -> Piece {
    let label = shape::text_width(&graph.drawing.groups[group], shape::FONT_SIZE) * 1.1;
    let inside = block(graph, Some(group));
    let content = inside.width.max(label);
    let frame = Rect {
        width: content + 2.0 * FRAME_MARGIN,
        height: inside.height + 2.0 * FRAME_MARGIN + FRAME_LABEL,
        ..Rect::default()
    };
    let mut piece = Piece {
        width: frame.width,
        height: frame.height,
        frames: vec![(group, frame)],
        ..Piece::default()
    };
    let left = FRAME_MARGIN + (content - inside.width) / 2.0;
    piece.absorb(inside, left, FRAME_MARGIN + FRAME_LABEL);
    piece
}

/// The nodes of a group, or of none: each connected part by itself, the tallest first.
fn block(graph: &Graph, group: Option<usize>) -> Piece {
    let parts = parts(graph, group);
    let mut pieces: Vec<Piece> = parts
        .iter()
        .map(|(members, pairs)| component::lay_out(graph, members, pairs))
        .collect();
    align_single(&mut pieces);
    pieces.sort_by(|a, b| b.height.total_cmp(&a.height));
    pack(pieces, PART_GAP)
}

/// Gives all single nodes the same room, so that they are packed into a grid.
fn align_single(pieces: &mut [Piece]) {
    let is_single = |piece: &&mut Piece| piece.nodes.len() == 1;
    let mut single: Vec<&mut Piece> = pieces.iter_mut().filter(is_single).collect();
    let greatest = |length: fn(&Piece) -> f64| {
        let lengths = single.iter().map(|piece| length(piece));
        lengths.fold(0.0, f64::max)
    };
    let (width, height) = (
        greatest(|piece| piece.width),
        greatest(|piece| piece.height),
    );
    for piece in &mut single {
        let narrow = std::mem::take(*piece);
        let (dx, dy) = ((width - narrow.width) / 2.0, (height - narrow.height) / 2.0);
        (piece.width, piece.height) = (width, height);
        piece.absorb(narrow, dx, dy);
    }
}

/// The connected parts of a group, with the pairs in each.
fn parts<'a>(graph: &'a Graph, group: Option<usize>) -> Vec<(Vec<usize>, Vec<&'a Pair>)> {
    let count = graph.drawing.nodes.len();
    // Edges to other groups do not connect, they are drawn from frame to frame.
    let inner = |pair: &&Pair| pair.ends.iter().all(|&end| graph.group(end) == group);
    let mut connected = UnionFind::new(count);
    for pair in graph.pairs.iter().filter(inner) {
        connected.union(pair.ends[0], pair.ends[1]);
    }
    let mut parts: BTreeMap<usize, (Vec<usize>, Vec<&Pair>)> = BTreeMap::new();
    for node in (0..count).filter(|&node| graph.group(node) == group) {
        parts.entry(connected.find(node)).or_default().0.push(node);
    }
    for pair in graph.pairs.iter().filter(inner) {
        parts
            .entry(connected.find(pair.ends[0]))
            .or_default()
            .1
            .push(pair);
    }
    let mut parts: Vec<_> = parts.into_values().collect();
    parts.sort_by_key(|(members, _)| members.first().copied());
    parts
}

/// Adds the edges between nodes of different groups.
fn connect_frames(graph: &Graph, layout: &mut Layout) {
    let canvas = Rect {
        width: layout.width,
        height: layout.height,
        ..Rect::default()
    };
    let labels = layout.frames.iter().zip(&graph.drawing.groups);
    let labels: Vec<Rect> = labels
        .map(|(frame, label)| label_rect(frame, label))
        .collect();
    let outer = |pair: &&Pair| graph.group(pair.ends[0]) != graph.group(pair.ends[1]);
    for pair in graph.pairs.iter().filter(outer) {
        // Such an edge may run anywhere but through other nodes and through labels of frames.
        let others = layout.nodes.iter().enumerate();
        let others = others.filter(|(node, _)| !pair.ends.contains(node));
        let obstacles: Vec<Rect> = others
            .map(|(_, rect)| *rect)
            .chain(labels.iter().copied())
            .collect();
        let around = Surroundings {
            canvas: &canvas,
            obstacles: &obstacles,
        };
        let [first, second] = pair.ends.map(|node| FarNode {
            outline: graph.drawing.nodes[node].outline,
            rect: layout.nodes[node],
        });
        let paths = routes::across((first, second), pair.edges.len(), &around);
        for (&edge, path) in pair.edges.iter().zip(paths) {
            let forward = graph.drawing.edges[edge].from == pair.ends[0];
            layout
                .paths
                .insert(edge, if forward { path } else { path.reversed() });
        }
    }
}

/// Where the label of a frame is.
pub(super) fn label_rect(frame: &Rect, label: &str) -> Rect {
    Rect {
        x: frame.x + FRAME_MARGIN / 2.0,
        y: frame.y + 4.0,
        width: shape::text_width(label, shape::FONT_SIZE) * 1.1,
        height: FRAME_LABEL - 4.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::samples;

    const NEARLY: f64 = 1e-6;

    fn overlap(a: &Rect, b: &Rect) -> bool {
        a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
    }

    fn within(inner: &Rect, outer: &Rect) -> bool {
        inner.x >= outer.x - NEARLY
            && inner.y >= outer.y - NEARLY
            && inner.right() <= outer.right() + NEARLY
            && inner.bottom() <= outer.bottom() + NEARLY
    }

    #[test]
    fn no_two_nodes_overlap() {
        for (name, drawing) in samples::all() {
            let layout = lay_out(&drawing);
            for (index, node) in layout.nodes.iter().enumerate() {
                for other in &layout.nodes[..index] {
                    assert!(!overlap(node, other), "{name}: {node:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn no_two_frames_overlap() {
        for (name, drawing) in samples::all() {
            let frames = lay_out(&drawing).frames;
            for (index, frame) in frames.iter().enumerate() {
                assert!(
                    !frames[..index].iter().any(|other| overlap(frame, other)),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn nodes_are_on_the_canvas_and_in_their_frame_alone() {
        for (name, drawing) in samples::all() {
            let layout = lay_out(&drawing);
            let canvas = Rect {
                width: layout.width,
                height: layout.height,
                ..Rect::default()
            };
            assert_eq!(layout.nodes.len(), drawing.nodes.len());
            for (node, rect) in drawing.nodes.iter().zip(&layout.nodes) {
                assert!(within(rect, &canvas), "{name}: {rect:?}");
                for (group, frame) in layout.frames.iter().enumerate() {
                    let inside = node.group == Some(group);
                    assert_eq!(within(rect, frame), inside, "{name}: {rect:?} {frame:?}");
                    assert!(
                        inside || !overlap(rect, frame),
                        "{name}: {rect:?} {frame:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn edges_run_from_border_to_border() {
        for (name, drawing) in samples::all() {
            let layout = lay_out(&drawing);
            assert_eq!(layout.paths.len(), drawing.edges.len(), "{name}");
            for (&edge, path) in &layout.paths {
                let edge = &drawing.edges[edge];
                for (node, point) in [(edge.from, path.start), (edge.to, path.end())] {
                    let rect = layout.nodes[node];
                    assert!(rect.widened(NEARLY).has(point), "{name}: {edge:?}");
                    let outline = drawing.nodes[node].outline;
                    let border = shape::border_towards(outline, &rect, point);
                    assert!(border.distance(point) < 1e-3, "{name}: {edge:?} {point:?}");
                }
            }
        }
    }

    #[test]
    fn within_a_block_no_edge_runs_through_another_node() {
        for (name, drawing) in samples::all() {
            let layout = lay_out(&drawing);
            for (&edge, path) in &layout.paths {
                let edge = &drawing.edges[edge];
                if drawing.nodes[edge.from].group != drawing.nodes[edge.to].group {
                    continue;
                }
                for (node, rect) in layout.nodes.iter().enumerate() {
                    let own = node == edge.from || node == edge.to;
                    let hit = !own && path.samples(12).any(|point| rect.has(point));
                    assert!(!hit, "{name}: {edge:?} through {node}");
                }
            }
        }
    }

    #[test]
    fn edges_between_the_same_nodes_are_apart() {
        for (name, drawing) in samples::all() {
            let layout = lay_out(&drawing);
            let graph = Graph::new(&drawing);
            for pair in &graph.pairs {
                for two in pair.edges.windows(2) {
                    let middle = |edge: usize| {
                        let path = &layout.paths[&edge];
                        let points: Vec<_> = path.samples(2).collect();
                        points[points.len() / 2]
                    };
                    let (first, second) = (middle(two[0]), middle(two[1]));
                    assert!(first.distance(second) > 2.0, "{name}: {:?}", pair.ends);
                }
            }
        }
    }

    #[test]
    fn indices_that_point_nowhere_are_left_out() {
        let mut drawing = samples::chain(3);
        drawing.nodes[0].group = Some(7);
        drawing.edges[0].to = 9;
        let layout = lay_out(&drawing);
        assert_eq!(layout.nodes.len(), 3);
        assert_eq!(layout.paths.len(), drawing.edges.len() - 1);
    }
}
