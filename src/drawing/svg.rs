//! A drawing as a document of SVG 1.1.
//!
//! Everything is written out with one decimal at most and in the order of the drawing, so that the
//! same drawing gives the same text. Lines differ in colour and in style, so that they can be told
//! apart on paper as well.

use std::fmt::Write;

use super::elements::{Drawing, DrawnNode, LegendEntry, Line, Outline};
use super::geometry::{Path, Point, Rect, length};
use super::layout::{self, Layout};
use super::shape::{DOUBLE, FONT_SIZE, text_width};

const MARGIN: f64 = 24.0;
const TITLE_SIZE: f64 = 18.0;
const TITLE_HEIGHT: f64 = 42.0;

/// The legend: its lines, its samples, and what it may grow to if the graph is narrower.
const LEGEND_LINE: f64 = 30.0;
const SAMPLE_WIDTH: f64 = 40.0;
const SAMPLE_GAP: f64 = 8.0;
const ENTRY_GAP: f64 = 28.0;
const LEGEND_WIDTH: f64 = 640.0;

const LINES: [Line; 5] = [
    Line::Solid,
    Line::Dashed,
    Line::Dotted,
    Line::Plus,
    Line::Minus,
];

/// How far from the head and from the line the sign of a line stands.
const SIGN_BEFORE: f64 = 17.0;
const SIGN_ASIDE: f64 = 7.0;

const STYLE: &str = "text{fill:#1a1a1a;text-anchor:middle}\
    .start{text-anchor:start}.strong{font-weight:bold}\
    .frame{fill:#fafafa;stroke:#a8a8a8}\
    .node{stroke:#2f4a66;stroke-width:1.2;fill:#dbe9f6}\
    .ellipse{stroke:#8a5a1c;fill:#fdebd3}\
    .diamond{stroke:#4d6b3c;fill:#e6f2dd}\
    .inner{fill:none}.sign{font-weight:bold;font-size:15px;stroke:#fff;stroke-width:3px;paint-order:stroke}\
    .edge{fill:none;stroke-width:1.3}";

impl Drawing {
    /// The picture as a document of SVG 1.1 that needs nothing else.
    ///
    /// Nodes of a group stand in a frame of their own; the legend is at the bottom. The same
    /// drawing gives the same text.
    pub fn svg(&self) -> String {
        document(self)
    }
}

fn document(drawing: &Drawing) -> String {
    let layout = layout::lay_out(drawing);
    let legend = Legend::new(drawing, layout.width);
    let content = layout
        .width
        .max(legend.width)
        .max(text_width(&drawing.title, TITLE_SIZE) * 1.1);
    let width = content + 2.0 * MARGIN;
    let top = if drawing.title.is_empty() {
        MARGIN
    } else {
        MARGIN + TITLE_HEIGHT
    };
    let below = top + layout.height + MARGIN;
    let height = if drawing.legend.is_empty() {
        below
    } else {
        below + legend.height + MARGIN
    };
    let mut svg = Svg::default();
    svg.open(width, height, &drawing.title);
    if !drawing.title.is_empty() {
        let middle = Point::new(width / 2.0, MARGIN + TITLE_SIZE / 2.0);
        let attributes = format!(" class=\"strong\" font-size=\"{}\"", number(TITLE_SIZE));
        svg.text(middle, &drawing.title, &attributes);
    }
    svg.open_group((width - layout.width) / 2.0, top);
    svg.graph(drawing, &layout);
    svg.line("</g>");
    if !drawing.legend.is_empty() {
        svg.open_group((width - legend.width) / 2.0, below);
        svg.legend(drawing, &legend);
        svg.line("</g>");
    }
    svg.line("</svg>");
    svg.text
}

/// Where the entries of the legend start.
struct Legend {
    width: f64,
    height: f64,
    entries: Vec<Point>,
}

impl Legend {
    /// As wide as the graph if it is wide enough.
    fn new(drawing: &Drawing, graph_width: f64) -> Legend {
        let limit = graph_width.max(LEGEND_WIDTH);
        let mut at = Point::new(ENTRY_GAP / 2.0, LEGEND_LINE / 2.0 + 4.0);
        let mut width: f64 = 0.0;
        let mut entries = Vec::new();
        for entry in &drawing.legend {
            let (LegendEntry::Node(_, _, text) | LegendEntry::Edge(_, text)) = entry;
            let entry_width = SAMPLE_WIDTH + SAMPLE_GAP + text_width(text, FONT_SIZE);
            // An entry that does not fit begins a new line, unless it is the first of one.
            if at.x + entry_width > limit && !entries.is_empty() && at.x > ENTRY_GAP {
                at = Point::new(ENTRY_GAP / 2.0, at.y + LEGEND_LINE);
            }
            entries.push(at);
            width = width.max(at.x + entry_width + ENTRY_GAP / 2.0);
            at.x += entry_width + ENTRY_GAP;
        }
        Legend {
            width,
            height: at.y + LEGEND_LINE / 2.0 + 4.0,
            entries,
        }
    }
}

/// The text written so far.
#[derive(Default)]
struct Svg {
    text: String,
}

impl Svg {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn open(&mut self, width: f64, height: f64, title: &str) {
        let (width, height) = (number(width), number(height));
        self.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        self.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"{}\">",
            number(FONT_SIZE)
        ));
        self.line(&format!("<title>{}</title>", escaped(title)));
        self.line("<defs>");
        self.line(&format!("<style type=\"text/css\">{STYLE}</style>"));
        for line in LINES {
            self.line(&format!(
                "<marker id=\"arrow-{}\" viewBox=\"0 0 10 8\" refX=\"9.4\" refY=\"4\" markerWidth=\"9\" \
                 markerHeight=\"7.2\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
                 <path d=\"M0,0 L10,4 L0,8 L2,4 z\" fill=\"{}\"/></marker>",
                name(line),
                colour(line)
            ));
        }
        self.line("</defs>");
        self.line("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    }

    fn open_group(&mut self, x: f64, y: f64) {
        self.line(&format!(
            "<g transform=\"translate({},{})\">",
            number(x),
            number(y)
        ));
    }

    fn graph(&mut self, drawing: &Drawing, layout: &Layout) {
        for (frame, label) in layout.frames.iter().zip(&drawing.groups) {
            self.rect(frame, "frame", 10.0);
            let place = layout::label_rect(frame, label);
            let start = Point::new(place.x, place.center().y);
            self.text(start, label, " class=\"start strong\"");
        }
        // Edges first, so that nodes lie over their ends.
        for (&edge, path) in &layout.paths {
            let edge = &drawing.edges[edge];
            self.edge(edge.line, path, &edge.note);
        }
        for (node, rect) in drawing.nodes.iter().zip(&layout.nodes) {
            self.node(node, rect);
        }
    }

    fn legend(&mut self, drawing: &Drawing, legend: &Legend) {
        let outside = Rect {
            width: legend.width,
            height: legend.height,
            ..Rect::default()
        };
        self.rect(&outside, "frame", 4.0);
        for (entry, &start) in drawing.legend.iter().zip(&legend.entries) {
            let text = match entry {
                LegendEntry::Node(outline, marked, text) => {
                    self.sample_node(*outline, *marked, start);
                    text
                }
                LegendEntry::Edge(line, text) => {
                    let mut path = Path::from(start);
                    path.line_to(start.shifted(SAMPLE_WIDTH, 0.0));
                    self.edge(*line, &path, "");
                    text
                }
            };
            let start = start.shifted(SAMPLE_WIDTH + SAMPLE_GAP, 0.0);
            self.text(start, text, " class=\"start\"");
        }
    }

    fn sample_node(&mut self, outline: Outline, marked: bool, start: Point) {
        let node = DrawnNode {
            label: match outline {
                Outline::Plain => "text".to_owned(),
                Outline::Box | Outline::Ellipse | Outline::Rounded | Outline::Diamond => {
                    String::new()
                }
            },
            outline,
            group: None,
            marked,
        };
        let middle = start.shifted(SAMPLE_WIDTH / 2.0, 0.0);
        self.node(&node, &Rect::around(middle, SAMPLE_WIDTH - 6.0, 20.0));
    }

    fn edge(&mut self, line: Line, path: &Path, note: &str) {
        let mut data = format!("M{}", coordinates(path.start));
        for [first, second, end] in &path.curves {
            let points = [first, second, end].map(|point| coordinates(*point));
            let _ = write!(data, " C{}", points.join(" "));
        }
        let dashes = match line {
            Line::Solid => "",
            Line::Dashed | Line::Minus => " stroke-dasharray=\"6,4\"",
            Line::Dotted | Line::Plus => " stroke-dasharray=\"1.4,3.4\"",
            Line::Tie => " stroke-opacity=\"0.7\"",
        };
        let head = match line {
            Line::Solid | Line::Dashed | Line::Dotted | Line::Plus | Line::Minus => {
                format!(" marker-end=\"url(#arrow-{})\"", name(line))
            }
            Line::Tie => String::new(),
        };
        let tooltip = if note.is_empty() {
            String::new()
        } else {
            format!("<title>{}</title>", escaped(note))
        };
        self.line(&format!(
            "<path class=\"edge\" d=\"{data}\" stroke=\"{}\"{dashes}{head}>{tooltip}</path>",
            colour(line)
        ));
        if let Some(sign) = sign(line) {
            let attributes = format!(" class=\"sign\" style=\"fill:{}\"", colour(line));
            self.text(before_head(path), sign, &attributes);
        }
    }

    fn node(&mut self, node: &DrawnNode, rect: &Rect) {
        self.outline(node.outline, rect, "");
        if node.marked {
            self.outline(node.outline, &rect.widened(-DOUBLE), " inner");
        }
        let is_bold = node.marked && node.outline == Outline::Plain;
        let strong = if is_bold { " class=\"strong\"" } else { "" };
        if !node.label.is_empty() {
            self.text(rect.center(), &node.label, strong);
        }
    }

    fn outline(&mut self, outline: Outline, rect: &Rect, class: &str) {
        let center = rect.center();
        match outline {
            Outline::Box => self.rect(rect, &format!("node{class}"), 0.0),
            Outline::Rounded => self.rect(rect, &format!("node{class}"), 8.0),
            Outline::Plain => {}
            Outline::Ellipse => self.line(&format!(
                "<ellipse class=\"node ellipse{class}\" cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"/>",
                number(center.x),
                number(center.y),
                number(rect.width / 2.0),
                number(rect.height / 2.0)
            )),
            Outline::Diamond => {
                let corners = [
                    Point::new(center.x, rect.y),
                    Point::new(rect.right(), center.y),
                    Point::new(center.x, rect.bottom()),
                    Point::new(rect.x, center.y),
                ];
                let corners = corners.map(coordinates).join(" ");
                self.line(&format!(
                    "<polygon class=\"node diamond{class}\" points=\"{corners}\"/>"
                ));
            }
        }
    }

    fn rect(&mut self, rect: &Rect, class: &str, radius: f64) {
        self.line(&format!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
            number(rect.x),
            number(rect.y),
            number(rect.width),
            number(rect.height),
            number(radius)
        ));
    }

    /// Text whose middle line is at the height of the point.
    fn text(&mut self, place: Point, text: &str, attributes: &str) {
        // Viewers disagree about `dominant-baseline`; a third of the font size is the same to all.
        self.line(&format!(
            "<text x=\"{}\" y=\"{}\"{attributes} dy=\"0.34em\">{}</text>",
            number(place.x),
            number(place.y),
            escaped(text)
        ));
    }
}

fn name(line: Line) -> &'static str {
    match line {
        Line::Solid => "solid",
        Line::Dashed => "dashed",
        Line::Dotted => "dotted",
        Line::Plus => "plus",
        Line::Minus => "minus",
        Line::Tie => "tie",
    }
}

/// What tells lines apart for those who do not see colours.
pub(super) fn sign(line: Line) -> Option<&'static str> {
    match line {
        Line::Plus => Some("+"),
        Line::Minus => Some("−"),
        Line::Solid | Line::Dashed | Line::Dotted | Line::Tie => None,
    }
}

/// A place beside the line, a little before its head.
fn before_head(path: &Path) -> Point {
    let (from, end) = match path.curves.last() {
        Some(&[_, second, end]) => (second, end),
        None => (path.start, path.start),
    };
    let (across, down) = (end.x - from.x, end.y - from.y);
    let long = length(across, down).max(1.0);
    let (across, down) = (across / long, down / long);
    end.shifted(
        -across * SIGN_BEFORE - down * SIGN_ASIDE,
        -down * SIGN_BEFORE + across * SIGN_ASIDE,
    )
}

/// The colour of lines of a style.
pub(super) fn colour(line: Line) -> &'static str {
    match line {
        Line::Solid => "#3a3a3a",
        Line::Dashed => "#6a4c93",
        Line::Dotted => "#2a6f97",
        Line::Plus => "#1d6b3a",
        Line::Minus => "#b02a1e",
        Line::Tie => "#5a7fb0",
    }
}

fn coordinates(point: Point) -> String {
    format!("{},{}", number(point.x), number(point.y))
}

/// With one decimal, or none if that is zero.
pub(super) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    // Adding zero turns negative zero into zero.
    format!("{}", tenths + 0.0)
}

/// Text as content of an element or an attribute. Characters that XML does not allow are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            // Other control characters are no characters of XML 1.0.
            '\0'..=' ' if letter != ' ' => escaped.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::samples;

    #[test]
    fn the_same_drawing_gives_the_same_text() {
        for (name, drawing) in samples::all() {
            assert_eq!(drawing.svg(), drawing.clone().svg(), "{name}");
        }
    }

    #[test]
    fn every_element_is_written() {
        for (name, drawing) in samples::all() {
            let svg = drawing.svg();
            let count = |part: &str| svg.matches(part).count();
            let edges = drawing
                .legend
                .iter()
                .filter(|entry| matches!(entry, LegendEntry::Edge(..)));
            assert_eq!(
                count("<path class=\"edge\""),
                drawing.edges.len() + edges.count(),
                "{name}"
            );
            assert_eq!(count("<g "), count("</g>"), "{name}");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            for node in &drawing.nodes {
                assert!(
                    svg.contains(&format!(">{}</text>", escaped(&node.label))),
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn all_text_is_escaped() {
        let evil = "<b a=\"1\">'&\u{1}\n</b>";
        let mut drawing = samples::chain(2);
        drawing.title = evil.to_owned();
        drawing.groups = vec![evil.to_owned()];
        drawing.nodes[0].label = evil.to_owned();
        drawing.nodes[0].group = Some(0);
        drawing.edges[0].note = evil.to_owned();
        drawing.legend = vec![
            LegendEntry::Node(Outline::Plain, true, evil.to_owned()),
            LegendEntry::Edge(Line::Dotted, evil.to_owned()),
        ];
        let svg = drawing.svg();
        assert!(!svg.contains("<b") && !svg.contains("</b") && !svg.contains('\u{1}'));
        let written = "&lt;b a=&quot;1&quot;&gt;&#39;&amp;\u{fffd} &lt;/b&gt;";
        assert_eq!(svg.matches(written).count(), 7);
    }

    #[test]
    fn numbers_have_one_decimal_at_most() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.01), "0");
        assert_eq!(number(12.349), "12.3");
        assert_eq!(number(-3.25), "-3.3");
    }
}
