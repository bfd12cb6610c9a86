//! Points, rectangles and curves; lengths are pixels, y grows downwards.

/// A place on the canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A rectangle with sides parallel to the axes; `x` and `y` are its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A chain of cubic Bézier curves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path {
    pub(super) start: Point,
    /// Two control points and the end of each curve, which is the start of the next.
    pub(super) curves: Vec<[Point; 3]>,
}

impl Point {
    pub(super) fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    pub(super) fn shifted(self, dx: f64, dy: f64) -> Point {
        Point::new(self.x + dx, self.y + dy)
    }

    /// The point that far on the way to the other one: itself at 0, the other at 1.
    pub(super) fn towards(self, other: Point, part: f64) -> Point {
        Point::new(
            self.x + (other.x - self.x) * part,
            self.y + (other.y - self.y) * part,
        )
    }

    pub(super) fn distance(self, other: Point) -> f64 {
        length(other.x - self.x, other.y - self.y)
    }
}

/// The length of a diagonal. Unlike `hypot` the same to the last bit on every machine.
pub(super) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

impl Rect {
    pub(super) fn around(center: Point, width: f64, height: f64) -> Rect {
        Rect {
            x: center.x - width / 2.0,
            y: center.y - height / 2.0,
            width,
            height,
        }
    }

    pub(super) fn center(&self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub(super) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub(super) fn shifted(self, dx: f64, dy: f64) -> Rect {
        Rect {
            x: self.x + dx,
            y: self.y + dy,
            ..self
        }
    }

    /// The rectangle with this much more room on each side, less if negative.
    pub(super) fn widened(self, by: f64) -> Rect {
        Rect {
            x: self.x - by,
            y: self.y - by,
            width: self.width + 2.0 * by,
            height: self.height + 2.0 * by,
        }
    }

    pub(super) fn has(&self, point: Point) -> bool {
        (self.x..=self.right()).contains(&point.x) && (self.y..=self.bottom()).contains(&point.y)
    }
}

impl Path {
    pub(super) fn from(start: Point) -> Path {
        Path {
            start,
            curves: Vec::new(),
        }
    }

    pub(super) fn end(&self) -> Point {
        self.curves.last().map_or(self.start, |curve| curve[2])
    }

    pub(super) fn line_to(&mut self, end: Point) {
        let start = self.end();
        self.curves.push([
            start.towards(end, 1.0 / 3.0),
            start.towards(end, 2.0 / 3.0),
            end,
        ]);
    }

    pub(super) fn reversed(&self) -> Path {
        let mut reversed = Path::from(self.end());
        for (index, curve) in self.curves.iter().enumerate().rev() {
            let start = match index {
                0 => self.start,
                _ => self.curves[index - 1][2],
            };
            // The control points change places, and the start of each curve is the end of the one before.
            reversed.curves.push([curve[1], curve[0], start]);
        }
        reversed
    }

    pub(super) fn shifted(mut self, dx: f64, dy: f64) -> Path {
        self.start = self.start.shifted(dx, dy);
        for point in self.curves.iter_mut().flatten() {
            *point = point.shifted(dx, dy);
        }
        self
    }

    /// Points on the path in order, so many for each curve, its end among them.
    pub(super) fn samples(&self, each: usize) -> impl Iterator<Item = Point> + '_ {
        let starts = std::iter::once(self.start).chain(self.curves.iter().map(|curve| curve[2]));
        let parts = move |(start, curve): (Point, &[Point; 3])| {
            let [first, second, end] = *curve;
            (1..=each).map(move |step| {
                let part = step as f64 / each as f64;
                let (a, b, c) = (
                    start.towards(first, part),
                    first.towards(second, part),
                    second.towards(end, part),
                );
                // De Casteljau: a point between each two control points, between each two of these, and between those.
                a.towards(b, part).towards(b.towards(c, part), part)
            })
        };
        std::iter::once(self.start).chain(starts.zip(&self.curves).flat_map(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversing_twice_is_the_same_path() {
        let mut path = Path::from(Point::new(1.0, 2.0));
        path.line_to(Point::new(4.0, 2.0));
        path.curves.push([
            Point::new(5.0, 6.0),
            Point::new(7.0, 8.0),
            Point::new(9.0, 9.0),
        ]);
        let reversed = path.reversed();
        assert_eq!(reversed.start, Point::new(9.0, 9.0));
        assert_eq!(reversed.end(), path.start);
        assert_eq!(reversed.reversed(), path);
    }

    #[test]
    fn samples_run_from_end_to_end() {
        let mut path = Path::from(Point::new(0.0, 0.0));
        path.line_to(Point::new(4.0, 0.0));
        path.line_to(Point::new(4.0, 4.0));
        let points: Vec<Point> = path.samples(2).collect();
        assert_eq!(points.len(), 5);
        assert_eq!(points[0], path.start);
        assert!(points[2].distance(Point::new(4.0, 0.0)) < 1e-9);
        assert!(points[4].distance(path.end()) < 1e-9);
    }
}
