//! The x coordinate of each vertex.
//!
//! The target of a vertex is the mean place of the vertices linked to it, weighted so that bends come nearer to it than
//! nodes and long edges are straight but near their ends. Row after row gets the positions whose squared distances to
//! the targets are least among those that keep order and distance; that is a regression under order constraints, solved
//! by merging neighbours whose positions would be out of order \[B72\]. Squares would bend every edge a little; later
//! rounds therefore weigh links by the inverse of their length, so that most become straight and few are bent for it.
//!
//! ```text
//! targets   a:0  b:10  c:8   distance 20
//! alone     a 0  ·  b 10 ⟶ b and c overlap: as one block their mean is (10 + 8−20)/2 = −1
//! merged    a overlaps the block as well: all together at (0 + 10−20 + 8−40)/3 = −14, +20, +40
//! ```
//!
//! Source: \[B72\] R. E. Barlow et al.: Statistical Inference under Order Restrictions, 1972 (pool
//! adjacent violators).

use super::crossings::Rows;

/// The room a vertex takes on both sides of its x coordinate.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) left: f64,
    pub(super) right: f64,
}

/// A position to be near to and how much it counts.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) position: f64,
    pub(super) weight: f64,
}

/// Between two nodes, and between others.
const NODE_DISTANCE: f64 = 26.0;
const BEND_DISTANCE: f64 = 11.0;

/// Rounds over all rows. The first look one way only, so that what the top needs gets to the
/// bottom; from [`LEAST_SQUARES`] on links count by their length rather than its square.
const ROUNDS: usize = 200;
const ONE_WAY: usize = 6;
const LEAST_SQUARES: usize = 40;

/// Links shorter than this count by the square of their length, in the first of the later rounds;
/// after each round a part of that, in the end the least. So what is nearly straight becomes so.
const SHORT: f64 = 100.0;
const SHORTENING: f64 = 0.96;
const LEAST_SHORT: f64 = 2.0;

/// What is left of the square to the end, to decide between places that are as good otherwise.
const SQUARE_SHARE: f64 = 0.3;

/// How much a child in a tree counts for its parent: more than what draws the parent elsewhere.
const CHILD: f64 = 100.0;

/// The x coordinates, by vertex.
pub(super) fn columns(rows: &Rows, room: &[Room]) -> Vec<f64> {
    let mut x = vec![0.0; room.len()];
    let mut round = Round::first();
    for _ in 0..ROUNDS {
        for step in 0..rows.rows.len() {
            // Down and up in turns, as in a sweep over the crossings.
            let row = if round.is_down() {
                &rows.rows[step]
            } else {
                &rows.rows[rows.rows.len() - 1 - step]
            };
            let targets: Vec<Target> = row.iter().map(|&v| target(rows, &x, v, &round)).collect();
            let positions = in_order(&targets, &distances(rows, room, row));
            for (&vertex, position) in row.iter().zip(positions) {
                x[vertex] = position;
            }
        }
        round = round.next();
    }
    x
}

struct Round {
    number: usize,
    /// The length below which links count by its square.
    short: f64,
}

impl Round {
    fn first() -> Round {
        Round {
            number: 0,
            short: SHORT,
        }
    }

    fn next(&self) -> Round {
        let short = if self.number < LEAST_SQUARES {
            self.short
        } else {
            (self.short * SHORTENING).max(LEAST_SHORT)
        };
        Round {
            number: self.number + 1,
            short,
        }
    }

    fn is_down(&self) -> bool {
        self.number.is_multiple_of(2)
    }

    fn looks_up(&self) -> bool {
        self.number >= ONE_WAY || self.is_down()
    }

    fn looks_down(&self) -> bool {
        self.number >= ONE_WAY || !self.is_down()
    }

    /// How much each pixel of a link counts when the sum of squares is made small.
    fn tension(&self, length: f64) -> f64 {
        if self.number < LEAST_SQUARES {
            1.0
        } else {
            SHORT / length.max(self.short) + SQUARE_SHARE
        }
    }
}

/// The mean place of the linked vertices, by weight.
fn target(rows: &Rows, x: &[f64], vertex: usize, round: &Round) -> Target {
    let above = rows.above[vertex].iter().filter(|_| round.looks_up());
    let below = rows.below[vertex].iter().filter(|_| round.looks_down());
    let (mut sum, mut total) = (0.0, 0.0);
    for &other in above.chain(below) {
        let tension = round.tension((x[other] - x[vertex]).abs());
        let weight = weight(rows, vertex, other, tension);
        sum += x[other] * weight;
        total += weight;
    }
    if total > 0.0 {
        Target {
            position: sum / total,
            weight: total,
        }
    } else {
        stay(x[vertex])
    }
}

/// The target of a vertex without links: its place, with little weight.
fn stay(position: f64) -> Target {
    Target {
        position,
        weight: 0.1,
    }
}

/// The weight of one vertex in the target of another, if the link between them has this tension.
fn weight(rows: &Rows, vertex: usize, other: usize, tension: f64) -> f64 {
    let is_bend = |vertex: usize| vertex >= rows.nodes;
    let is_child = rows.is_tree() && rows.above[other] == [vertex];
    match (is_bend(vertex), is_bend(other)) {
        // The middle of a long edge is straight rather than its ends.
        (true, true) => 8.0 * tension,
        (true, false) | (false, true) => tension,
        // In trees it is parents that stand over the middle of their children, which squares find.
        (false, false) if is_child => CHILD,
        (false, false) => 2.0 * tension,
    }
}

/// The least distance of each vertex of a row from the one before.
fn distances(rows: &Rows, room: &[Room], row: &[usize]) -> Vec<f64> {
    let between = |pair: &[usize]| {
        let gap = if pair.iter().all(|&vertex| vertex < rows.nodes) {
            NODE_DISTANCE
        } else {
            BEND_DISTANCE
        };
        room[pair[0]].right + gap + room[pair[1]].left
    };
    std::iter::once(0.0)
        .chain(row.windows(2).map(between))
        .collect()
}

/// The positions nearest to the targets such that each is at least its distance after the one
/// before. The first distance does not count.
pub(super) fn in_order(targets: &[Target], distances: &[f64]) -> Vec<f64> {
    // Blocks of targets, each with its weighted mean position as if no distances were required.
    let mut blocks: Vec<(Target, usize)> = Vec::new();
    let mut offsets = Vec::new();
    let mut offset = 0.0;
    for (index, (target, distance)) in targets.iter().zip(distances).enumerate() {
        offset += if index == 0 { 0.0 } else { *distance };
        offsets.push(offset);
        let mut block = Target {
            position: target.position - offset,
            weight: target.weight,
        };
        let mut size = 1;
        // Pool adjacent violators: a block that would lie left of the one before becomes one with it, at the mean of
        // both.
        while let Some((last, last_size)) =
            blocks.pop_if(|(last, _)| last.position > block.position)
        {
            let weight = last.weight + block.weight;
            block.position = (last.position * last.weight + block.position * block.weight) / weight;
            block.weight = weight;
            size += last_size;
        }
        blocks.push((block, size));
    }
    let positions = blocks
        .iter()
        .flat_map(|(block, size)| std::iter::repeat_n(block.position, *size));
    positions
        .zip(offsets)
        .map(|(position, offset)| position + offset)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(targets: &[f64], distance: f64) -> Vec<f64> {
        let target = |&position: &f64| Target {
            position,
            weight: 1.0,
        };
        let targets: Vec<Target> = targets.iter().map(target).collect();
        in_order(&targets, &vec![distance; targets.len()])
    }

    #[test]
    fn wishes_that_agree_are_granted() {
        assert_eq!(placed(&[0.0, 30.0, 70.0], 20.0), [0.0, 30.0, 70.0]);
    }

    #[test]
    fn who_wants_past_another_meets_in_the_middle() {
        assert_eq!(placed(&[0.0, 10.0, 8.0], 20.0), [-14.0, 6.0, 26.0]);
        assert_eq!(placed(&[10.0, 0.0], 4.0), [3.0, 7.0]);
    }

    #[test]
    fn a_straight_chain_is_vertical() {
        let rows = Rows::new(&[0, 1, 2, 3], &[(0, 1), (1, 2), (2, 3)]);
        let room = [Room {
            left: 5.0,
            right: 9.0,
        }; 4];
        assert_eq!(columns(&rows, &room), [0.0; 4]);
    }
}
