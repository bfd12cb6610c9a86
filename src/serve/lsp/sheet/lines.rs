//! Places as editors count them: lines from 0, and columns in units of UTF-16.

use crate::syntax::Span;

/// A place as the protocol has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
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
}

impl Lines {
    /// Finds the lines of a text of at most 4 GiB.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends = byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
            if ends {
                starts.push(at as u32 + 1);
            }
        }
        Self { starts }
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
    pub fn place(&self, text: &str, offset: u32) -> Place {
        let mut offset = (offset as usize).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self
            .starts
            .partition_point(|&start| start as usize <= offset)
            - 1;
        let before = &text[self.starts[line] as usize..offset];
        let column = before.chars().map(char::len_utf16).sum::<usize>();
        Place {
            line: line as u32,
            column: column as u32,
        }
    }

    /// The byte offset of a place. One behind the end of its line, or of the text, is the end of it; one in the middle
    /// of a character is its beginning.
    pub fn offset(&self, text: &str, place: Place) -> u32 {
        let Some(&start) = self.starts.get(place.line as usize) else {
            return text.len() as u32;
        };
        let end = self.starts.get(place.line as usize + 1);
        let end = end.map_or(text.len(), |&end| end as usize);
        let line = text[start as usize..end].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, character) in line.char_indices() {
            column += character.len_utf16() as u32;
            if column > place.column {
                return start + at as u32;
            }
        }
        start + line.len() as u32
    }

    /// The range of bytes between two places; empty if they are in the wrong order.
    pub fn span(&self, text: &str, start: Place, end: Place) -> Span {
        let start = self.offset(text, start);
        Span::new(start, self.offset(text, end).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\u{1F600}b\r\nü\rx\n";

    fn at(line: u32, column: u32) -> Place {
        Place { line, column }
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
