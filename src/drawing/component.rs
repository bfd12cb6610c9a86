//! The layout of one connected part of a graph.

use super::columns::{Room, columns};
use super::crossings::{self, Rows};
use super::elements::Outline;
use super::geometry::{Point, Rect};
use super::graph::{Graph, Pair};
use super::layers::{self, Link, Vertex};
use super::packing::Piece;
use super::routes::{self, Band, LANE, PORT_SHARE, Placed, Strand};
use super::shape;

/// Nodes are widened so that this many edges on one side keep their distance.
const MOST_PORTS: usize = 18;

/// The height between two rows: at least, at most, and for each pixel that an edge runs sideways.
const LEAST_GAP: f64 = 48.0;
const GREATEST_GAP: f64 = 150.0;
const GAP_BY_RUN: f64 = 0.22;

/// Lays out nodes that pairs connect; the ends of all pairs are among the members, which ascend.
pub(super) fn lay_out(graph: &Graph, members: &[usize], pairs: &[&Pair]) -> Piece {
    let nodes = members.iter().map(|&node| &graph.drawing.nodes[node]);
    let outlines: Vec<Outline> = nodes.clone().map(|node| node.outline).collect();
    let mut sizes: Vec<(f64, f64)> = nodes.map(shape::size).collect();
    let links = links(graph, members, pairs);
    let row = layers::rows(&vertices(&outlines, &sizes), &links);
    let strands = strands(graph, pairs, &links, &row);

    // AFTER THIS POINT: links lead to the next row only, with bends in the rows between.
    let ends = strands.iter().map(|strand| strand.ends);
    let mut rows = Rows::new(&row, &ends.collect::<Vec<_>>());
    crossings::reduce(&mut rows);

    // AFTER THIS POINT: the order within rows is final.
    widen_for_ports(&mut sizes, &strands);
    let room = room(graph, members, &rows, &sizes, &strands);
    let x = columns(&rows, &room);
    let bands = bands(&rows, &x, &sizes);

    // AFTER THIS POINT: all coordinates are final.
    let rects = rects(&rows, &x, &bands, &sizes);
    let placed = Placed {
        outlines: &outlines,
        rects: &rects,
        rows: &rows,
        bands: &bands,
        x: &x,
    };
    let mut drawn = Piece {
        height: bands.last().map_or(0.0, |band| band.bottom),
        paths: routes::strands(&placed, &strands),
        ..Piece::default()
    };
    for (local, &node) in members.iter().enumerate() {
        drawn.nodes.push((node, rects[local]));
        drawn.paths.extend(routes::loops(
            outlines[local],
            &rects[local],
            graph.loops(node),
        ));
    }
    from_left(drawn, &x, &room)
}

/// The piece with its leftmost vertex at the left border, and as wide as its vertices need.
fn from_left(drawn: Piece, x: &[f64], room: &[Room]) -> Piece {
    let lefts = x.iter().zip(room).map(|(x, room)| x - room.left);
    let rights = x.iter().zip(room).map(|(x, room)| x + room.right);
    let left = lefts.fold(f64::INFINITY, f64::min);
    let mut piece = Piece {
        width: rights.fold(f64::NEG_INFINITY, f64::max) - left,
        height: drawn.height,
        ..Piece::default()
    };
    piece.absorb(drawn, -left, 0.0);
    piece
}

fn vertices(outlines: &[Outline], sizes: &[(f64, f64)]) -> Vec<Vertex> {
    let vertices = outlines.iter().zip(sizes);
    let vertex = |(&kind, &(width, _)): (&Outline, &(f64, f64))| Vertex { kind, width };
    vertices.map(vertex).collect()
}

/// The pairs as links between places in the list of members.
fn links(graph: &Graph, members: &[usize], pairs: &[&Pair]) -> Vec<Link> {
    let local = |node: usize| members.partition_point(|&member| member < node);
    let link = |pair: &&Pair| {
        let down = |&&edge: &&usize| graph.drawing.edges[edge].from == pair.ends[0];
        let down = pair.edges.iter().filter(down).count() as isize;
        Link {
            ends: pair.ends.map(local),
            // Those that run from the first end to the second, less those that run back.
            surplus: 2 * down - pair.edges.len() as isize,
        }
    };
    pairs.iter().map(link).collect()
}

fn strands(graph: &Graph, pairs: &[&Pair], links: &[Link], row: &[usize]) -> Vec<Strand> {
    let strand = |(pair, link): (&&Pair, &Link)| {
        let [first, second] = link.ends;
        let down = row[first] < row[second];
        let edge = |&edge: &usize| {
            (
                edge,
                (graph.drawing.edges[edge].from == pair.ends[0]) == down,
            )
        };
        Strand {
            ends: if down {
                (first, second)
            } else {
                (second, first)
            },
            edges: pair.edges.iter().map(edge).collect(),
        }
    };
    pairs.iter().zip(links).map(strand).collect()
}

fn widen_for_ports(sizes: &mut [(f64, f64)], strands: &[Strand]) {
    let mut ports = vec![[0; 2]; sizes.len()];
    for strand in strands {
        ports[strand.ends.0][0] += strand.edges.len();
        ports[strand.ends.1][1] += strand.edges.len();
    }
    for (size, [below, above]) in sizes.iter_mut().zip(ports) {
        let most = below.max(above).min(MOST_PORTS);
        // The busier of the two sides decides.
        size.0 = size.0.max(most as f64 * LANE / PORT_SHARE);
    }
}

fn room(
    graph: &Graph,
    members: &[usize],
    rows: &Rows,
    sizes: &[(f64, f64)],
    strands: &[Strand],
) -> Vec<Room> {
    let nodes = members.iter().zip(sizes).map(|(&node, (width, _))| Room {
        left: width / 2.0,
        right: width / 2.0 + routes::loop_room(graph.loops(node).len()),
    });
    let mut room: Vec<Room> = nodes.collect();
    room.resize(
        rows.place.len(),
        Room {
            left: 0.0,
            right: 0.0,
        },
    );
    for (chain, strand) in rows.chains.iter().zip(strands) {
        // Half of the lanes of a strand lie on either side of its bends.
        let half = (strand.edges.len() - 1) as f64 * LANE / 2.0;
        for &bend in &chain[1..chain.len() - 1] {
            room[bend] = Room {
                left: half,
                right: half,
            };
        }
    }
    room
}

/// The heights of the rows, further apart where edges run far sideways between them.
fn bands(rows: &Rows, x: &[f64], sizes: &[(f64, f64)]) -> Vec<Band> {
    let mut top = 0.0;
    let band = |row: &Vec<usize>| {
        let heights = row.iter().filter_map(|&vertex| sizes.get(vertex));
        let height = heights.fold(0.0, |most: f64, (_, height)| most.max(*height));
        let runs = row
            .iter()
            .flat_map(|&upper| rows.below[upper].iter().map(move |&v| (v, upper)));
        let run = runs.fold(0.0, |most: f64, (a, b)| most.max((x[a] - x[b]).abs()));
        let band = Band {
            top,
            bottom: top + height,
        };
        top = band.bottom + (run * GAP_BY_RUN).clamp(LEAST_GAP, GREATEST_GAP);
        band
    };
    rows.rows.iter().map(band).collect()
}

fn rects(rows: &Rows, x: &[f64], bands: &[Band], sizes: &[(f64, f64)]) -> Vec<Rect> {
    let mut rects = vec![Rect::default(); sizes.len()];
    for (row, band) in rows.rows.iter().zip(bands) {
        for &node in row.iter().filter(|&&vertex| vertex < sizes.len()) {
            let center = Point::new(x[node], (band.top + band.bottom) / 2.0);
            rects[node] = Rect::around(center, sizes[node].0, sizes[node].1);
        }
    }
    rects
}
