//! Finished parts of a picture, and how to put them side by side.

use super::geometry::{Path, Rect};

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

/// The pieces from left to right in rows, wrapped so that the whole is about four to three.
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

/// The width of rows that makes the smallest picture of four to three.
fn best_limit(pieces: &[Piece], gap: f64) -> f64 {
    let widths = pieces.iter().scan(0.0, |sum, piece| {
        *sum += piece.width + gap;
        Some(*sum)
    });
    let scale = |limit: f64| {
        let (width, height) = extent(pieces, &places(pieces, gap, limit));
        (width / 4.0).max(height / 3.0)
    };
    let best = widths.min_by(|&a, &b| scale(a).total_cmp(&scale(b)));
    best.unwrap_or_default()
}

fn places(pieces: &[Piece], gap: f64, limit: f64) -> Vec<(f64, f64)> {
    let (mut x, mut y, mut row_height) = (0.0, 0.0, 0.0_f64);
    let place = |piece: &Piece| {
        if x > 0.0 && x + piece.width > limit {
            y += row_height + gap;
            (x, row_height) = (0.0, 0.0);
        }
        let place = (x, y);
        x += piece.width + gap;
        row_height = row_height.max(piece.height);
        place
    };
    pieces.iter().map(place).collect()
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
    fn nothing_is_packed_into_nothing() {
        assert_eq!(pack(Vec::new(), 10.0), Piece::default());
    }
}
