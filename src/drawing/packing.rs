//! Finished parts of a picture, and how to put them side by side.

use super::geometry::{Path, Rect};

/// Coordinates that differ by less are the same.
const NEARLY: f64 = 1e-6;

/// How many widths are tried.
const TRIALS: usize = 48;

/// A part of the picture with its own origin in the upper left corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Piece {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Nodes by index and their outlines.
    pub(super) nodes: Vec<(usize, Rect)>,
    /// Groups by index and their frames.
    pub(super) frames: Vec<(usize, Rect)>,
    /// Edges by index and their lines.
    pub(super) paths: Vec<(usize, Path)>,
}

impl Piece {
    /// Takes over what is in another piece, whose origin comes to stand at these coordinates.
    /// The size stays.
    pub(super) fn absorb(&mut self, other: Piece, dx: f64, dy: f64) {
        let shifted = |(index, rect): (usize, Rect)| (index, rect.shifted(dx, dy));
        self.nodes.extend(other.nodes.into_iter().map(shifted));
        self.frames.extend(other.frames.into_iter().map(shifted));
        let paths = other.paths.into_iter();
        self.paths
            .extend(paths.map(|(index, path)| (index, path.shifted(dx, dy))));
    }
}

/// The pieces side by side and below each other, so that the whole is about four to three.
pub(super) fn pack(pieces: Vec<Piece>, gap: f64) -> Piece {
    let limit = best_limit(&pieces, gap);
    let places = places(&pieces, gap, limit);
    let (width, height) = extent(&pieces, &places);
    let mut packed = Piece {
        width,
        height,
        ..Piece::default()
    };
    for (piece, (x, y)) in pieces.into_iter().zip(places) {
        packed.absorb(piece, x, y);
    }
    packed
}

/// The width that makes the smallest picture of four to three.
fn best_limit(pieces: &[Piece], gap: f64) -> f64 {
    // The widths that are tried are those of the first row, with one piece, two, three, ….
    let widths = pieces.iter().scan(0.0, |sum, piece| {
        *sum += piece.width + gap;
        Some(*sum)
    });
    let scale = |limit: f64| {
        let (width, height) = extent(pieces, &places(pieces, gap, limit));
        // The scale of the smallest rectangle of four to three that has room for it.
        (width / 4.0).max(height / 3.0)
    };
    let best = widths
        .take(TRIALS)
        .min_by(|&a, &b| scale(a).total_cmp(&scale(b)));
    best.unwrap_or_default()
}

/// The upper left corners: each piece as high as it can be below those before it, then as far left.
fn places(pieces: &[Piece], gap: f64, limit: f64) -> Vec<(f64, f64)> {
    // The lower border of what is placed: from each x on to the next, the first y that is free.
    let mut border = vec![(0.0, 0.0)];
    let place = |piece: &Piece| {
        let end_of = |x: f64| x + piece.width + gap;
        let fits = |x: f64| x == 0.0 || end_of(x) <= limit + NEARLY;
        let starts = border.iter().map(|&(x, _)| x).filter(|&x| fits(x));
        let lowest = |x: f64| (lowest(&border, x, end_of(x)), x);
        let candidates = starts.map(lowest);
        let (y, x) = candidates
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))
            .unwrap_or_default();
        cover(&mut border, x, end_of(x), y + piece.height + gap);
        (x, y)
    };
    pieces.iter().map(place).collect()
}

/// The first y that is free between two x coordinates.
fn lowest(border: &[(f64, f64)], from: f64, to: f64) -> f64 {
    let ends = border
        .iter()
        .skip(1)
        .map(|&(x, _)| x)
        .chain([f64::INFINITY]);
    let steps = border.iter().zip(ends);
    // The step that reaches furthest down decides.
    let touched = steps.filter(|((start, _), end)| *start < to - NEARLY && *end > from + NEARLY);
    touched.fold(0.0, |y, ((_, free), _)| y.max(*free))
}

/// Lowers the border between two x coordinates, of which the first is the start of a step.
fn cover(border: &mut Vec<(f64, f64)>, from: f64, to: f64, y: f64) {
    // Behind the piece the border is as it was there.
    let behind = border.iter().rfind(|(x, _)| *x <= to + NEARLY);
    let behind = behind.map_or(0.0, |&(_, y)| y);
    border.retain(|&(x, _)| x < from || x > to + NEARLY);
    let at = border.partition_point(|&(x, _)| x < from);
    border.splice(at..at, [(from, y), (to, behind)]);
}

fn extent(pieces: &[Piece], places: &[(f64, f64)]) -> (f64, f64) {
    let corners = pieces.iter().zip(places);
    corners.fold(
        (0.0, 0.0),
        |(width, height): (f64, f64), (piece, (x, y))| {
            (width.max(x + piece.width), height.max(y + piece.height))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(index: usize, width: f64, height: f64) -> Piece {
        let rect = Rect {
            width,
            height,
            ..Rect::default()
        };
        Piece {
            width,
            height,
            nodes: vec![(index, rect)],
            ..Piece::default()
        }
    }

    #[test]
    fn twelve_squares_are_four_by_three() {
        let packed = pack(
            (0..12).map(|index| piece(index, 100.0, 100.0)).collect(),
            0.0,
        );
        assert_eq!((packed.width, packed.height), (400.0, 300.0));
        assert_eq!(packed.nodes[5].1.x, 100.0);
        assert_eq!(packed.nodes[5].1.y, 100.0);
    }

    #[test]
    fn what_is_low_goes_below_what_is_low() {
        let pieces = vec![
            piece(0, 150.0, 300.0),
            piece(1, 250.0, 140.0),
            piece(2, 200.0, 140.0),
        ];
        let packed = pack(pieces, 20.0);
        let corners: Vec<(f64, f64)> = packed
            .nodes
            .iter()
            .map(|(_, rect)| (rect.x, rect.y))
            .collect();
        assert_eq!(corners, [(0.0, 0.0), (170.0, 0.0), (170.0, 160.0)]);
        assert_eq!((packed.width, packed.height), (420.0, 300.0));
    }

    #[test]
    fn nothing_is_packed_into_nothing() {
        assert_eq!(pack(Vec::new(), 10.0), Piece::default());
    }
}
