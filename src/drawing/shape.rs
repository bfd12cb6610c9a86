//! How much room a node takes, and where its border is.
//!
//! Text is measured by estimation, since it is not known which font will be at hand: the widths are
//! those of wide fonts, rounded up, so that a label is never longer than its outline.

use super::elements::{DrawnNode, Outline};
use super::geometry::{Point, Rect, length};

/// The size of the letters of nodes and legend.
pub(super) const FONT_SIZE: f64 = 13.0;

/// The distance between the two outlines of a marked node.
pub(super) const DOUBLE: f64 = 3.0;

const TEXT_HEIGHT: f64 = 18.0;
const MARGIN: f64 = 10.0;
const LEAST_WIDTH: f64 = 44.0;

/// The size of a node's outline: width and height.
pub(super) fn size(node: &DrawnNode) -> (f64, f64) {
    let text = text_width(&node.label, FONT_SIZE);
    let (width, height) = match node.outline {
        Outline::Box | Outline::Rounded => (text + 2.0 * MARGIN, TEXT_HEIGHT + 12.0),
        Outline::Ellipse => (text * 1.15 + 2.4 * MARGIN, TEXT_HEIGHT + 14.0),
        Outline::Plain => (text * 1.08 + MARGIN, TEXT_HEIGHT + 4.0),
        // Half of the text and half of its height must add up to less than one, each measured in
        // the half diagonal of its direction.
        Outline::Diamond => (text * 1.5 + 2.0 * MARGIN, TEXT_HEIGHT * 3.0),
    };
    let doubled = if node.marked { 2.0 * DOUBLE } else { 0.0 };
    (width.max(LEAST_WIDTH) + doubled, height + doubled)
}

/// The estimated width of a line of text in letters of this size.
pub(super) fn text_width(text: &str, font_size: f64) -> f64 {
    text.chars().map(letter_width).sum::<f64>() * font_size
}

/// In parts of the size of the font.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | ' ' => 0.36,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' | '\\' | '"' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 1.0,
        'A'..='Z' | '+' | '=' | '<' | '>' | '~' | '&' | '#' => 0.8,
        '\u{1100}'.. => 1.1,
        _ => 0.65,
    }
}

/// The point where the border is crossed on the way from the center to a point outside.
pub(super) fn border_towards(outline: Outline, rect: &Rect, goal: Point) -> Point {
    let center = rect.center();
    let (across, down) = (
        (goal.x - center.x).abs() / (rect.width / 2.0),
        (goal.y - center.y).abs() / (rect.height / 2.0),
    );
    // How many times as far as the border the goal is.
    let reach = match outline {
        Outline::Box | Outline::Rounded | Outline::Plain => across.max(down),
        Outline::Ellipse => length(across, down),
        Outline::Diamond => across + down,
    };
    if reach <= f64::EPSILON {
        return center;
    }
    center.towards(goal, 1.0 / reach)
}

/// How far above and below the center the border is, so far right or left of it.
pub(super) fn border_beside(outline: Outline, rect: &Rect, aside: f64) -> f64 {
    let part = (aside.abs() / (rect.width / 2.0)).min(1.0);
    let height = match outline {
        Outline::Box | Outline::Rounded | Outline::Plain => 1.0,
        Outline::Ellipse => (1.0 - part * part).sqrt(),
        Outline::Diamond => 1.0 - part,
    };
    height * rect.height / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTLINES: [Outline; 5] = [
        Outline::Box,
        Outline::Ellipse,
        Outline::Plain,
        Outline::Rounded,
        Outline::Diamond,
    ];

    fn rect() -> Rect {
        Rect::around(Point::new(0.0, 0.0), 80.0, 30.0)
    }

    #[test]
    fn borders_agree() {
        for outline in OUTLINES {
            for goal in [
                Point::new(3.0, 100.0),
                Point::new(30.0, 70.0),
                Point::new(-20.0, 90.0),
            ] {
                let border = border_towards(outline, &rect(), goal);
                let beside = border_beside(outline, &rect(), border.x);
                assert!((border.y - beside).abs() < 1e-6, "{outline:?} {border:?}");
            }
        }
    }

    #[test]
    fn labels_fit_into_their_outline() {
        for outline in OUTLINES {
            for label in ["x", "cell", "wholly_new_predicate(a,b)"] {
                let (width, height) = size(&DrawnNode {
                    label: label.into(),
                    outline,
                    group: None,
                    marked: false,
                });
                let rect = Rect::around(Point::new(0.0, 0.0), width, height);
                let text = text_width(label, FONT_SIZE);
                // Lower-case letters reach about half the font size above and below the middle.
                assert!(border_beside(outline, &rect, text / 2.0) >= 0.3 * FONT_SIZE);
                assert!(text < width);
            }
        }
    }
}
