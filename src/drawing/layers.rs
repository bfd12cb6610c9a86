//! Which row each vertex stands in.
//!
//! 1. An order of the vertices that few arrows run against [ELS93]: sinks go to the end, sources to
//!    the front, and if there are neither, the vertex with the most arrows out and fewest in.
//! 2. Links run down in that order, and each vertex is as high as its links from above allow.
//! 3. A vertex that has more links below than above moves down to them as far as it can.
//! 4. Where cycles make a tower of long links of that, rows follow the distance from the first
//!    vertex instead.
//! 5. Rows too wide for a screen become several. Nothing links the vertices of one row, so any
//!    split will do.
//!
//! Fluents and actions often read and write each other, so that links between them carry arrows
//! both ways. Those with as many up as down follow the majority between the two kinds of vertices;
//! otherwise a graph of two kinds would become a tower instead of two rows.
//!
//! Source: \[ELS93\] P. Eades, X. Lin, W. F. Smyth: A Fast and Effective Heuristic for the Feedback
//! Arc Set Problem, Information Processing Letters 47(6), 1993.

use std::collections::{BTreeMap, VecDeque};

use super::elements::Outline;

/// The row width, in pixels, above which a row is split.
const WIDEST_ROW: f64 = 1300.0;

/// Rounds of moving vertices down to their links. More would only matter to longer chains of moves.
const MOVING_ROUNDS: usize = 20;

/// What this pass reads of a vertex.
pub(super) struct Vertex {
    pub(super) kind: Outline,
    pub(super) width: f64,
}

/// Two different vertices that arrows join.
pub(super) struct Link {
    pub(super) ends: [usize; 2],
    /// How many arrows more run from the first end to the second than back.
    pub(super) surplus: isize,
}

/// The mean number of rows that links may run over before rows by distance are tried.
const LONG_LINKS: f64 = 3.0;

/// The row of each vertex, counted from above. The ends of a link are in different rows, and no
/// row is empty.
pub(super) fn rows(vertices: &[Vertex], links: &[Link]) -> Vec<usize> {
    let mut arrows = arrows(vertices, links);
    let order = order(vertices.len(), &arrows);
    let mut row = rows_by_order(&order, &mut arrows);
    let length = length(&row, &arrows);
    if length as f64 > LONG_LINKS * arrows.len() as f64 {
        let order = order_by_distance(&order, &arrows);
        let other = rows_by_order(&order, &mut arrows);
        if self::length(&other, &arrows) < length {
            row = other;
        }
    }
    split_wide(vertices, links, &mut row);
    row
}

/// Turns all arrows down the order; each vertex stands as near to its links as they allow.
fn rows_by_order(order: &[usize], arrows: &mut [Arrow]) -> Vec<usize> {
    let place = places(order);
    for arrow in arrows.iter_mut() {
        if place[arrow.from] > place[arrow.to] {
            std::mem::swap(&mut arrow.from, &mut arrow.to);
        }
    }
    let neighbours = Neighbours::new(order.len(), arrows);
    let mut row = highest(order, &neighbours);
    move_towards_links(&mut row, &neighbours);
    row
}

/// How many rows all arrows run over.
fn length(row: &[usize], arrows: &[Arrow]) -> usize {
    arrows
        .iter()
        .map(|arrow| row[arrow.from].abs_diff(row[arrow.to]))
        .sum()
}

/// A link with a direction.
struct Arrow {
    from: usize,
    to: usize,
    weight: isize,
}

fn arrows(vertices: &[Vertex], links: &[Link]) -> Vec<Arrow> {
    let kinds = |link: &Link| link.ends.map(|end| vertices[end].kind);
    let mut majority: BTreeMap<[Outline; 2], isize> = BTreeMap::new();
    for link in links {
        let [first, second] = kinds(link);
        *majority.entry([first, second]).or_default() += link.surplus;
        *majority.entry([second, first]).or_default() -= link.surplus;
    }
    let direction = |link: &Link| match link.surplus {
        // As many arrows up as down between vertices of one kind: any direction will do.
        0 if kinds(link)[0] == kinds(link)[1] => 1,
        0 => match majority.get(&kinds(link)) {
            // The majority between the two kinds.
            Some(&surplus) if surplus != 0 => surplus.signum(),
            _ if kinds(link)[0] < kinds(link)[1] => 1,
            _ => -1,
        },
        surplus => surplus,
    };
    let arrow = |link: &Link| {
        let [first, second] = link.ends;
        let direction = direction(link);
        let (from, to) = if direction > 0 {
            (first, second)
        } else {
            (second, first)
        };
        Arrow {
            from,
            to,
            weight: direction.abs(),
        }
    };
    links.iter().map(arrow).collect()
}

/// All vertices in an order that few arrows run against.
fn order(count: usize, arrows: &[Arrow]) -> Vec<usize> {
    let mut out = vec![0; count];
    let mut into = vec![0; count];
    let mut touching = vec![Vec::new(); count];
    for (index, arrow) in arrows.iter().enumerate() {
        out[arrow.from] += arrow.weight;
        into[arrow.to] += arrow.weight;
        touching[arrow.from].push(index);
        touching[arrow.to].push(index);
    }
    let mut rest: Vec<usize> = (0..count).collect();
    let (mut front, mut back) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        // [ELS93]: a sink has no arrow out of it among what is left, a source none into it.
        let sink = rest.iter().rposition(|&v| out[v] == 0 && into[v] > 0);
        let source = rest.iter().position(|&v| into[v] == 0);
        let best = || {
            // Of equal ones the first.
            let surplus = |&at: &usize| (out[rest[at]] - into[rest[at]], std::cmp::Reverse(at));
            (0..rest.len()).max_by_key(surplus)
        };
        let at = sink.or(source).or_else(best).unwrap_or(0);
        let vertex = rest.remove(at);
        for &index in &touching[vertex] {
            let arrow = &arrows[index];
            out[arrow.from] -= arrow.weight;
            into[arrow.to] -= arrow.weight;
        }
        // What is left of this vertex counts for nobody: it is gone from `rest`.
        if sink.is_some() {
            back.push(vertex);
        } else {
            front.push(vertex);
        }
    }
    front.extend(back.into_iter().rev());
    front
}

/// The vertices by their distance from the first, whichever way arrows point, so that links join
/// the same or neighbouring distances; those of one distance by colours that differ across links.
fn order_by_distance(order: &[usize], arrows: &[Arrow]) -> Vec<usize> {
    let neighbours = Neighbours::new(order.len(), arrows);
    let linked = |vertex: usize| {
        neighbours.above[vertex]
            .iter()
            .chain(&neighbours.below[vertex])
    };
    let mut distance = vec![usize::MAX; order.len()];
    let mut queue = VecDeque::new();
    if let Some(&first) = order.first() {
        distance[first] = 0;
        queue.push_back(first);
    }
    while let Some(vertex) = queue.pop_front() {
        for &next in linked(vertex) {
            if distance[next] == usize::MAX {
                distance[next] = distance[vertex] + 1;
                queue.push_back(next);
            }
        }
    }
    let mut colour = vec![None; order.len()];
    for &vertex in order {
        // Neighbours at the same distance need different rows: the least colour that none of them has.
        let level = linked(vertex).filter(|&&other| distance[other] == distance[vertex]);
        let taken: Vec<usize> = level.filter_map(|&other| colour[other]).collect();
        colour[vertex] = (0..).find(|colour| !taken.contains(colour));
    }
    let mut sorted = order.to_vec();
    sorted.sort_by_key(|&vertex| (distance[vertex], colour[vertex]));
    sorted
}

fn places(order: &[usize]) -> Vec<usize> {
    let mut place = vec![0; order.len()];
    for (at, &vertex) in order.iter().enumerate() {
        place[vertex] = at;
    }
    place
}

/// The vertices linked to each vertex, by direction.
struct Neighbours {
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

impl Neighbours {
    fn new(count: usize, arrows: &[Arrow]) -> Neighbours {
        let (mut above, mut below) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for arrow in arrows {
            above[arrow.to].push(arrow.from);
            below[arrow.from].push(arrow.to);
        }
        Neighbours { above, below }
    }
}

fn highest(order: &[usize], neighbours: &Neighbours) -> Vec<usize> {
    let mut row = vec![0; order.len()];
    for &vertex in order {
        let above = neighbours.above[vertex].iter();
        row[vertex] = above.map(|&upper| row[upper] + 1).max().unwrap_or(0);
    }
    row
}

fn move_towards_links(row: &mut [usize], neighbours: &Neighbours) {
    for _ in 0..MOVING_ROUNDS {
        let mut moved = false;
        for vertex in 0..row.len() {
            let (above, below) = (&neighbours.above[vertex], &neighbours.below[vertex]);
            let highest = above.iter().map(|&upper| row[upper] + 1).max();
            let lowest = below.iter().map(|&lower| row[lower] - 1).min();
            let goal = match (highest, lowest) {
                // Between the lowest row that links from above allow and the highest that links to below do: to the
                // side with more links.
                (None, Some(lowest)) => lowest,
                (Some(_), Some(lowest)) if below.len() > above.len() => lowest,
                (Some(highest), Some(_)) if above.len() > below.len() => highest,
                (Some(highest), None) => highest,
                _ => row[vertex],
            };
            moved |= goal != row[vertex];
            row[vertex] = goal;
        }
        if !moved {
            break;
        }
    }
    let top = row.iter().copied().min().unwrap_or(0);
    row.iter_mut().for_each(|row| *row -= top);
}

/// Splits rows that are too wide, vertices with more links above into the upper ones.
fn split_wide(vertices: &[Vertex], links: &[Link], row: &mut [usize]) {
    // How many more links lead down from each vertex than up.
    let mut downward = vec![0_isize; row.len()];
    for [first, second] in links.iter().map(|link| link.ends) {
        let direction = if row[first] < row[second] { 1 } else { -1 };
        downward[first] += direction;
        downward[second] -= direction;
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (vertex, &row) in row.iter().enumerate() {
        members.entry(row).or_default().push(vertex);
    }
    let mut next = 0;
    for members in members.values_mut() {
        members.sort_by_key(|&vertex| downward[vertex]);
        let mut parts = parts(vertices, members);
        let count = parts.last().map_or(0, |last| last + 1);
        let mut rest = parts.as_mut_slice();
        for alike in members.chunk_by(|&a, &b| downward[a] == downward[b]) {
            let (here, after) = rest.split_at_mut(alike.len());
            deal(here);
            rest = after;
        }
        for (&vertex, part) in members.iter().zip(parts) {
            row[vertex] = next + part;
        }
        next += count;
    }
}

/// Cuts a row into parts of about the same width; the part of each member, ascending from 0.
fn parts(vertices: &[Vertex], members: &[usize]) -> Vec<usize> {
    let total: f64 = members.iter().map(|&vertex| vertices[vertex].width).sum();
    let width = total / (total / WIDEST_ROW).ceil().max(1.0);
    let (mut filled, mut part) = (0.0, 0);
    let part_of = |&vertex: &usize| {
        // Parts of equal width, not of equal number.
        if filled >= width * (part + 1) as f64 {
            part += 1;
        }
        filled += vertices[vertex].width;
        part
    };
    members.iter().map(part_of).collect()
}

/// Rearranges ascending numbers like cards that are dealt: one of each, again one of each, and so
/// on. So vertices with the same links, such as leaves, get rows that lie below each other.
fn deal(parts: &mut [usize]) {
    // 0 0 0 1 1 2 2 is dealt in rounds: 0 1 2, 0 1 2, 0.
    let rounds = parts.chunk_by(|a, b| a == b).flat_map(|same| 0..same.len());
    let mut cards: Vec<(usize, usize)> = rounds.zip(parts.iter().copied()).collect();
    cards.sort_unstable();
    for (part, (_, card)) in parts.iter_mut().zip(cards) {
        *part = card;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertices(kinds: &[Outline], width: f64) -> Vec<Vertex> {
        let vertex = |&kind: &Outline| Vertex { kind, width };
        kinds.iter().map(vertex).collect()
    }

    fn link(first: usize, second: usize, surplus: isize) -> Link {
        Link {
            ends: [first, second],
            surplus,
        }
    }

    #[test]
    fn arrows_run_down() {
        let links = [link(2, 1, 1), link(1, 0, 1), link(2, 0, 1)];
        assert_eq!(rows(&vertices(&[Outline::Box; 3], 50.0), &links), [2, 1, 0]);
    }

    #[test]
    fn of_a_cycle_one_arrow_runs_up() {
        let links = [link(0, 1, 1), link(1, 2, 1), link(2, 0, 1)];
        let rows = rows(&vertices(&[Outline::Box; 3], 50.0), &links);
        let up = links
            .iter()
            .filter(|link| rows[link.ends[0]] > rows[link.ends[1]]);
        assert_eq!(up.count(), 1);
    }

    #[test]
    fn two_kinds_in_balance_stand_in_two_rows() {
        let kinds = [
            Outline::Box,
            Outline::Ellipse,
            Outline::Box,
            Outline::Ellipse,
        ];
        let links = [link(1, 0, 0), link(2, 1, 0), link(3, 2, 0), link(3, 0, 0)];
        assert_eq!(rows(&vertices(&kinds, 50.0), &links), [0, 1, 0, 1]);
    }

    #[test]
    fn a_tangle_of_cycles_is_no_tower() {
        let links: Vec<Link> = (0..240)
            .map(|i| (i % 60, (i % 60 + i * i % 53 + 1) % 60))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| link(a, b, 1))
            .collect();
        let rows = rows(&vertices(&[Outline::Box; 60], 80.0), &links);
        assert!(
            links
                .iter()
                .all(|link| rows[link.ends[0]] != rows[link.ends[1]])
        );
        assert!(rows.iter().max() < Some(&20), "{rows:?}");
    }

    #[test]
    fn cards_are_dealt_in_turn() {
        let mut parts = [0, 0, 0, 1, 1, 2, 2];
        deal(&mut parts);
        assert_eq!(parts, [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn wide_rows_are_split() {
        let links: Vec<Link> = (1..50).map(|leaf| link(0, leaf, 1)).collect();
        let rows = rows(&vertices(&[Outline::Box; 50], 100.0), &links);
        let widest = (0..=4).map(|row| rows.iter().filter(|&&at| at == row).count());
        assert_eq!(rows.iter().max(), Some(&4));
        assert!(widest.into_iter().all(|count| (1..=13).contains(&count)));
    }
}
