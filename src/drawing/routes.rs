//! The curves of edges: from row to row, from frame to frame, and from a node to itself.
//!
//! All edges between two nodes form a strand: they run side by side, each in a lane of its own, so
//! that an effect and a precondition on the same fluent can be told apart. Between two rows a strand
//! is free to curve; where it passes a row it runs straight down through the place of its bend.

use super::columns::{Target, in_order};
use super::crossings::Rows;
use super::elements::Outline;
use super::geometry::{Path, Point, Rect};
use super::shape;

/// The distance between edges that run side by side.
pub(super) const LANE: f64 = 7.0;

/// The share of a node's width that edges arrive at.
pub(super) const PORT_SHARE: f64 = 0.76;

/// How far a loop reaches out of its node, and each further loop of the same node.
const LOOP: f64 = 26.0;
const NEXT_LOOP: f64 = 9.0;

/// How much of the way to the next row is vertical at either end of a curve.
const STEEPNESS: f64 = 0.42;

/// How much an edge leans towards its other end where it leaves a node.
const LEANING: f64 = 0.12;

/// How far edges leave a node aside, as part of how far the other end is aside. With a half from
/// either side the edge is vertical, if the nodes are wide enough.
const MEETING: f64 = 0.5;

/// What is between the top and the bottom of a row.
#[derive(Clone, Copy)]
pub(super) struct Band {
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// The edges between two nodes of different rows.
pub(super) struct Strand {
    /// The upper and the lower node.
    pub(super) ends: (usize, usize),
    /// The edges from left to right, and whether they run down.
    pub(super) edges: Vec<(usize, bool)>,
}

/// Nodes and bends in their places.
pub(super) struct Placed<'a> {
    pub(super) outlines: &'a [Outline],
    pub(super) rects: &'a [Rect],
    pub(super) rows: &'a Rows,
    pub(super) bands: &'a [Band],
    pub(super) x: &'a [f64],
}

/// The curves of all edges of strands, whose chains are those of the rows in the same order.
pub(super) fn strands(placed: &Placed, strands: &[Strand]) -> Vec<(usize, Path)> {
    let ports = ports(placed, strands);
    let mut paths = Vec::new();
    for (index, strand) in strands.iter().enumerate() {
        for (lane, &(edge, down)) in strand.edges.iter().enumerate() {
            let path = strand_path(
                placed,
                &placed.rows.chains[index],
                &ports[index][lane],
                lane_offset(lane, strand.edges.len()),
            );
            paths.push((edge, if down { path } else { path.reversed() }));
        }
    }
    paths
}

fn lane_offset(lane: usize, lanes: usize) -> f64 {
    (lane as f64 - (lanes - 1) as f64 / 2.0) * LANE
}

/// Where the edges of each strand leave the upper node and arrive at the lower one: x coordinates
/// by strand and lane.
fn ports(placed: &Placed, strands: &[Strand]) -> Vec<Vec<[f64; 2]>> {
    let lanes = strands.iter().map(|strand| strand.edges.len());
    let mut ports: Vec<_> = lanes.map(|lanes| vec![[0.0; 2]; lanes]).collect();
    for (rect, sides) in placed.rects.iter().zip(strands_at_nodes(placed, strands)) {
        let center = rect.center().x;
        for (side, arrivals) in sides.iter().enumerate() {
            let mut owners = Vec::new();
            let mut targets = Vec::new();
            for arrival in arrivals {
                // The lanes of a strand side by side, as far aside as the strand leads.
                let run = (placed.x[arrival.next] - center) * MEETING;
                let lanes = strands[arrival.strand].edges.len();
                owners.extend((0..lanes).map(|lane| (arrival.strand, lane)));
                targets.extend((0..lanes).map(|lane| run + lane_offset(lane, lanes)));
            }
            let offsets = spread(&targets, rect.width * PORT_SHARE);
            for ((strand, lane), offset) in owners.into_iter().zip(offsets) {
                ports[strand][lane][side] = center + offset;
            }
        }
    }
    ports
}

/// A strand as seen from one of its ends, and the vertex in the next row that it leads to.
struct Arrival {
    strand: usize,
    next: usize,
}

/// The strands that start below each node, and those that end above it, from left to right.
fn strands_at_nodes(placed: &Placed, strands: &[Strand]) -> Vec<[Vec<Arrival>; 2]> {
    let mut at_nodes: Vec<[Vec<Arrival>; 2]> = Vec::new();
    at_nodes.resize_with(placed.rects.len(), Default::default);
    for (index, (strand, chain)) in strands.iter().zip(&placed.rows.chains).enumerate() {
        let arrival = |next: usize| Arrival {
            strand: index,
            next: chain[next],
        };
        at_nodes[strand.ends.0][0].push(arrival(1));
        at_nodes[strand.ends.1][1].push(arrival(chain.len() - 2));
    }
    for arrivals in at_nodes.iter_mut().flatten() {
        arrivals.sort_by_key(|arrival| (placed.rows.place[arrival.next], arrival.strand));
    }
    at_nodes
}

/// Offsets from the center of a side, near to the targets, at most half the width away and a lane
/// apart if there is room for it.
fn spread(targets: &[f64], width: f64) -> Vec<f64> {
    let count = targets.len();
    let distance = LANE.min(width / count.max(2).saturating_sub(1) as f64);
    let half = width / 2.0;
    let target = |&position: &f64| Target {
        position: position.clamp(-half, half),
        weight: 1.0,
    };
    let targets: Vec<Target> = targets.iter().map(target).collect();
    let offsets = in_order(&targets, &vec![distance; count]);
    let bounded = |(index, offset): (usize, f64)| {
        // Room is left for the lanes before it and for those behind it.
        let least = -half + index as f64 * distance;
        let most = half - (count - 1 - index) as f64 * distance;
        offset.max(least).min(most)
    };
    offsets.into_iter().enumerate().map(bounded).collect()
}

/// The curve of one lane from the upper to the lower end of its chain.
fn strand_path(placed: &Placed, chain: &[usize], ports: &[f64; 2], lane: f64) -> Path {
    let (upper, lower) = (chain[0], chain[chain.len() - 1]);
    let row = placed
        .bands
        .partition_point(|band| band.bottom < placed.rects[upper].center().y);
    let mut path = Path::from(port(placed, upper, ports[0], 1.0));
    step_to(&mut path, Point::new(ports[0], placed.bands[row].bottom));
    let mut leaning = LEANING;
    for (band, &bend) in placed.bands[row + 1..]
        .iter()
        .zip(&chain[1..chain.len() - 1])
    {
        let x = placed.x[bend] + lane;
        // Between rows it curves, within a row it runs straight down.
        curve_to(&mut path, Point::new(x, band.top), leaning, 0.0);
        path.line_to(Point::new(x, band.bottom));
        leaning = 0.0;
    }
    let end = port(placed, lower, ports[1], -1.0);
    let top = placed.bands[row + chain.len() - 1].top;
    // A node that is lower than its row is reached by a straight piece.
    if end.y - top > STEP {
        curve_to(&mut path, Point::new(end.x, top), leaning, 0.0);
        path.line_to(end);
    } else {
        curve_to(&mut path, end, leaning, LEANING)
    }
    path
}

/// The least way from the border of a node to that of its row that an edge goes straight.
const STEP: f64 = 8.0;

fn step_to(path: &mut Path, end: Point) {
    if end.y - path.start.y > STEP {
        path.line_to(end);
    }
}

fn port(placed: &Placed, node: usize, x: f64, side: f64) -> Point {
    let rect = &placed.rects[node];
    let center = rect.center();
    let aside = shape::border_beside(placed.outlines[node], rect, x - center.x);
    Point::new(x, center.y + side * aside)
}

/// A curve down to a point, vertical at both ends but for what it leans.
fn curve_to(path: &mut Path, end: Point, start_leaning: f64, end_leaning: f64) {
    let start = path.end();
    let (run, fall) = (end.x - start.x, end.y - start.y);
    path.curves.push([
        start.shifted(run * start_leaning, fall * STEEPNESS),
        end.shifted(-run * end_leaning, -fall * STEEPNESS),
        end,
    ]);
}

/// The room on the right of a node that its loops take.
pub(super) fn loop_room(loops: usize) -> f64 {
    match loops {
        0 => 0.0,
        _ => LOOP + NEXT_LOOP * (loops - 1) as f64,
    }
}

/// The loops of a node, one around the other.
pub(super) fn loops(outline: Outline, rect: &Rect, edges: &[usize]) -> Vec<(usize, Path)> {
    let center = rect.center();
    let path = |(index, &edge): (usize, &usize)| {
        let spread = rect.height * (0.16 + 0.3 * index as f64 / edges.len() as f64);
        let reach = rect.right() + loop_room(index + 1);
        let side = Point::new(rect.right(), center.y);
        let start = shape::border_towards(outline, rect, side.shifted(0.0, -spread));
        let end = shape::border_towards(outline, rect, side.shifted(0.0, spread));
        // A curve reaches three quarters of the way to its control points.
        let control = |from: Point| Point::new(from.x + (reach - from.x) * 1.3, from.y);
        let mut path = Path::from(start);
        path.curves.push([
            control(start).shifted(0.0, -spread),
            control(end).shifted(0.0, spread),
            end,
        ]);
        (edge, path)
    };
    edges.iter().enumerate().map(path).collect()
}

/// A node at the end of an edge that leads to another frame.
#[derive(Clone, Copy)]
pub(super) struct FarNode {
    pub(super) outline: Outline,
    pub(super) rect: Rect,
}

/// What edges from frame to frame must keep to, and keep off.
pub(super) struct Surroundings<'a> {
    pub(super) canvas: &'a Rect,
    pub(super) obstacles: &'a [Rect],
}

/// The ways around that are tried, as parts of the distance, or of the least scale if the distance
/// is less; the margin around obstacles.
const DETOURS: [f64; 9] = [0.05, -0.05, 0.14, -0.14, 0.24, -0.24, 0.36, -0.36, 0.0];
const LEAST_SCALE: f64 = 320.0;
const MARGIN: f64 = 4.0;

/// The curves of so many edges from one node to another, anywhere on the canvas: of a few detours
/// the one that touches the fewest obstacles and stays on the canvas.
pub(super) fn across(
    (from, to): (FarNode, FarNode),
    lanes: usize,
    around: &Surroundings,
) -> Vec<Path> {
    let bundle = |detour: f64| -> Vec<Path> {
        let offsets = (0..lanes).map(|lane| lane_offset(lane, lanes));
        offsets
            .map(|offset| detoured(from, to, detour, offset))
            .collect()
    };
    let mut best = (usize::MAX, Vec::new());
    for detour in DETOURS {
        let paths = bundle(detour);
        let faults = paths.iter().map(|path| faults(path, around)).sum();
        // The first of the best: small detours are tried first.
        if faults < best.0 {
            best = (faults, paths);
        }
    }
    best.1
}

fn detoured(from: FarNode, to: FarNode, detour: f64, offset: f64) -> Path {
    let (start, end) = (from.rect.center(), to.rect.center());
    let distance = start.distance(end).max(1.0);
    // A unit vector at right angles to the line from center to center: where the detour goes, and where lanes lie side
    // by side.
    let (across_x, across_y) = ((start.y - end.y) / distance, (end.x - start.x) / distance);
    let aside = detour * distance.max(LEAST_SCALE);
    let bulge = |part: f64, aside: f64| {
        let on_line = start.towards(end, part);
        on_line.shifted(across_x * aside, across_y * aside)
    };
    let (first, second) = (bulge(0.3, aside + offset), bulge(0.7, aside + offset));
    let near = |place: FarNode, towards: Point| {
        let rect = place
            .rect
            .shifted(across_x * offset * 0.8, across_y * offset * 0.8);
        let point = shape::border_towards(place.outline, &rect, towards);
        // The lanes start side by side, and each again at the outline.
        shape::border_towards(place.outline, &place.rect, point)
    };
    let mut path = Path::from(near(from, first));
    path.curves.push([first, second, near(to, second)]);
    path
}

/// Points of a path outside of the canvas, and obstacles that it touches.
fn faults(path: &Path, around: &Surroundings) -> usize {
    let Surroundings { canvas, obstacles } = around;
    let points: Vec<Point> = path.samples(40).collect();
    let outside = points.iter().filter(|&&point| !canvas.has(point)).count();
    let touches = |obstacle: &&Rect| {
        let around = obstacle.widened(MARGIN);
        points.iter().any(|&point| around.has(point))
    };
    outside + obstacles.iter().filter(touches).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_keep_apart_and_within_the_side() {
        let offsets = spread(&[90.0, 90.0, 95.0, 100.0], 60.0);
        assert_eq!(offsets, [9.0, 16.0, 23.0, 30.0]);
        let many = spread(&[0.0; 21], 60.0);
        assert!(
            many.windows(2)
                .all(|pair| (pair[1] - pair[0] - 3.0).abs() < 1e-9)
        );
        assert!(many.iter().all(|offset| offset.abs() < 30.0 + 1e-9));
    }

    #[test]
    fn ways_across_go_around_what_stands_between() {
        let place = |x: f64, y: f64| FarNode {
            outline: Outline::Box,
            rect: Rect::around(Point::new(x, y), 60.0, 30.0),
        };
        let canvas = Rect {
            width: 800.0,
            height: 800.0,
            ..Rect::default()
        };
        let obstacle = place(400.0, 400.0).rect;
        let around = Surroundings {
            canvas: &canvas,
            obstacles: &[obstacle],
        };
        let ends = (place(100.0, 400.0), place(700.0, 400.0));
        let paths = across(ends, 2, &around);
        assert_eq!(paths.len(), 2);
        for path in &paths {
            assert!(path.samples(50).all(|point| !obstacle.has(point)));
        }
        assert!(paths[0].start.distance(paths[1].start) > 3.0);
    }
}
