//! Places as editors count them: lines from 0, and columns in units of UTF-16.

use crate::syntax::Span;

/// A place as the protocol has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0, in units of UTF-16.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Offsets of first bytes, ascending; the first is 0. `\n`, `\r\n` and a lone `\r` end a line.
    starts: Vec<u32>,
    /// By [`STEP`] bytes, how many units of UTF-16 the characters that begin before take: a text may be one line, which
    /// is not counted from its beginning for each of its names. Empty if every character is one byte, which is a unit.
    units: Vec<u32>,
}

/// Bytes between two counts of units.
const STEP: usize = 256;

impl Lines {
    /// Finds the lines of a text of at most 4 GiB.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| {
            byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1));
        let mut lines = Self {
            starts: starts.collect(),
            units: Vec::new(),
        };
        if !text.is_ascii() {
            let mut count = 0;
            for step in bytes.chunks(STEP) {
                lines.units.push(count);
                count += units_of(step);
            }
        }
        lines
    }

    /// How many lines there are, at least one.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: a text without characters is one line.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The place of a byte offset of the text; offsets behind the end, and inside of characters, are rounded down.
    pub fn place(&self, text: &str, offset: u32) -> LineColumn {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self
            .starts
            .partition_point(|&start| start as usize <= offset)
            - 1;
        let column = self.before(text, offset) - self.before(text, self.starts[line] as usize);
        LineColumn {
            line: line as u32,
            column,
        }
    }

    /// How many units the characters before an offset of the text take.
    fn before(&self, text: &str, offset: usize) -> u32 {
        if self.units.is_empty() {
            return offset as u32;
        }
        // The end of a text whose length is a multiple has no count of its own.
        let step = (offset / STEP).min(self.units.len() - 1);
        self.units[step] + units_of(&text.as_bytes()[step * STEP..offset])
    }

    /// The byte offset of a place. One behind the end of its line, or of the text, is the end of it; one in the middle
    /// of a character is its beginning.
    pub fn offset(&self, text: &str, place: LineColumn) -> u32 {
        let Some(&start) = self.starts.get(place.line as usize) else {
            return text.len() as u32;
        };
        let next = self.starts.get(place.line as usize + 1);
        let next = next.map_or(text.len(), |&next| next as usize);
        let line = text[start as usize..next].trim_end_matches(['\n', '\r']);
        // Without counts of units all characters are ASCII, and columns are bytes.
        if self.units.is_empty() {
            return start
                .saturating_add(place.column)
                .min(start + line.len() as u32);
        }
        // The last count in the line that is not behind the place; the one at its beginning may be of the line before.
        let first = self.before(text, start as usize);
        let wanted = first.saturating_add(place.column);
        let end = start as usize + line.len();
        let steps = start as usize / STEP + 1..(end / STEP + 1).min(self.units.len());
        // Empty where the line ends before the next count.
        let steps = steps.start.min(steps.end)..steps.end;
        let fitting = self.units[steps.clone()].partition_point(|&count| count <= wanted);
        let (mut from, mut count) = match fitting.checked_sub(1) {
            Some(last) => ((steps.start + last) * STEP, self.units[steps.start + last]),
            None => (start as usize, first),
        };
        while !text.is_char_boundary(from) {
            // The rest of a character that was counted when it began.
            from += 1;
        }
        for (at, character) in text[from..end.max(from)].char_indices() {
            count += character.len_utf16() as u32;
            if count > wanted {
                return (from + at) as u32;
            }
        }
        end as u32
    }

    /// The range of bytes between two places; empty if they are in the wrong order.
    pub fn span(&self, text: &str, start: LineColumn, end: LineColumn) -> Span {
        let start = self.offset(text, start);
        Span::new(start, self.offset(text, end).max(start))
    }
}

/// How many units of UTF-16 the characters take that begin with one of some bytes.
fn units_of(bytes: &[u8]) -> u32 {
    // Without branches, so that many bytes are looked at at once: 0x80 to 0xBF go on with a character, and those that
    // begin with 0xF0 or more are beyond the first plane.
    let units = bytes
        .iter()
        .map(|&byte| u32::from(byte as i8 >= -0x40) + u32::from(byte >= 0xF0));
    units.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_counted_as_short_ones() {
        let text = "aü😀b\n".repeat(3) + &"😀xü".repeat(400) + "\n" + &"é".repeat(256);
        let lines = Lines::of(&text);
        let mut place = LineColumn { line: 0, column: 0 };
        for (offset, character) in text.char_indices() {
            assert_eq!(lines.place(&text, offset as u32), place);
            assert_eq!(lines.offset(&text, place), offset as u32, "{place:?}");
            if character.len_utf16() == 2 {
                let middle = LineColumn {
                    column: place.column + 1,
                    ..place
                };
                assert_eq!(lines.offset(&text, middle), offset as u32);
            }
            place.column += character.len_utf16() as u32;
            if character == '\n' {
                place = LineColumn {
                    line: place.line + 1,
                    column: 0,
                };
            }
        }
        assert_eq!(lines.place(&text, text.len() as u32), place);
        assert_eq!(lines.offset(&text, place), text.len() as u32);
    }

    #[test]
    fn places_of_plain_text_are_offsets_in_its_lines() {
        let text = "(p a)\r\n\n(q)";
        let lines = Lines::of(text);
        for (offset, place) in [(0, at(0, 0)), (5, at(0, 5)), (7, at(1, 0)), (11, at(2, 3))] {
            assert_eq!(lines.place(text, offset), place);
            assert_eq!(lines.offset(text, place), offset);
        }
        assert_eq!(lines.offset(text, at(0, u32::MAX)), 5);
        assert_eq!(lines.offset(text, at(2, u32::MAX)), 11);
    }

    const TEXT: &str = "a\u{1F600}b\r\nü\rx\n";

    fn at(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }

    #[test]
    fn places_count_units_of_utf_16() {
        let lines = Lines::of(TEXT);
        assert_eq!(lines.len(), 4);
        for (offset, place) in [
            (0, at(0, 0)),
            (1, at(0, 1)),
            (5, at(0, 3)),
            (8, at(1, 0)),
            (10, at(1, 1)),
            (11, at(2, 0)),
            (13, at(3, 0)),
        ] {
            assert_eq!(lines.place(TEXT, offset), place);
            assert_eq!(lines.offset(TEXT, place), offset);
        }
    }

    #[test]
    fn places_outside_are_the_nearest_inside() {
        let lines = Lines::of(TEXT);
        // The middle of a pair of surrogates, behind a line, behind the text.
        assert_eq!(lines.offset(TEXT, at(0, 2)), 1);
        assert_eq!(lines.offset(TEXT, at(0, u32::MAX)), 6);
        assert_eq!(lines.offset(TEXT, at(u32::MAX, 7)), TEXT.len() as u32);
        assert_eq!(lines.place(TEXT, 3), at(0, 1));
        assert_eq!(lines.place(TEXT, u32::MAX), at(3, 0));
        assert_eq!(lines.span(TEXT, at(2, 0), at(0, 0)), Span::new(11, 11));
    }
}
