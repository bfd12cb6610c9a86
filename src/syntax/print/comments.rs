//! Comments on their way from one notation to another.
//!
//! A comment is printed where it was: on lines of its own before a sentence, or behind one. Its
//! sign is that of the target: as many `;` as there were `%`, and one for each line of a block.

use crate::syntax::lexer::is_layout;
use crate::syntax::span::Source;
use crate::syntax::tree::{Comment, CommentPlace, Document, Notation, Sentence};

pub(super) struct Comments<'d> {
    source: &'d Source,
    /// Those that were not printed yet, in textual order.
    rest: &'d [Comment],
    /// The sign of the target, if it is another one.
    sign: Option<char>,
}

impl<'d> Comments<'d> {
    pub(super) fn new(document: &'d Document, source: &'d Source, target: Notation) -> Self {
        let is_prefix = |notation| notation == Notation::Prefix;
        let origin = document.notation().unwrap_or(target);
        Self {
            source,
            rest: document.comments(),
            sign: match (is_prefix(origin), is_prefix(target)) {
                (true, false) => Some('%'),
                (false, true) => Some(';'),
                (true, true) | (false, false) => None,
            },
        }
    }

    /// Leaves out the comments that stand before a sentence.
    pub(super) fn skip(&mut self, sentence: &Sentence) {
        let before = |comment: &Comment| comment.span.start < sentence.span.start;
        self.rest = &self.rest[self.rest.partition_point(before)..];
    }

    /// Prints the comments that stand before the sentence of this index.
    pub(super) fn before(&mut self, index: usize, sentence: &Sentence, text: &mut String) {
        while let Some((comment, rest)) = self.rest.split_first() {
            if comment.before_sentence as usize > index || comment.span.start > sentence.span.start
            {
                return;
            }
            self.rest = rest;
            self.lines(*comment, text);
        }
    }

    /// Prints the comments that stand inside of the sentence of this index.
    pub(super) fn inside(&mut self, index: usize, text: &mut String) {
        while let Some((comment, rest)) = self.rest.split_first() {
            if comment.before_sentence as usize > index {
                return;
            }
            self.rest = rest;
            self.print(*comment, text);
        }
    }

    /// Prints the comments that stand on the same line behind the sentence of this index.
    pub(super) fn behind(&mut self, index: usize, sentence: &Sentence, text: &mut String) {
        while let Some((comment, rest)) = self.rest.split_first() {
            let between = sentence.span.end..comment.span.start;
            let gap = self
                .source
                .text()
                .get(between.start as usize..between.end as usize);
            // On the line on which the sentence ends, and on no other.
            let here = comment.place == CommentPlace::EndOfLine
                && comment.before_sentence as usize == index + 1
                && gap.is_some_and(|gap| !gap.contains(['\n', '\r']))
                && !self.source.slice(comment.span).contains(['\n', '\r']);
            if !here {
                return;
            }
            self.rest = rest;
            text.push(' ');
            self.convert(*comment, text);
        }
    }

    /// Prints the comments behind the last sentence.
    pub(super) fn rest(&mut self, text: &mut String) {
        for comment in std::mem::take(&mut self.rest) {
            self.lines(*comment, text);
        }
    }

    /// A comment on lines of its own, with the blank line that the author left before it.
    fn lines(&self, comment: Comment, text: &mut String) {
        if !text.is_empty() && follows_blank_line(self.source.text(), comment.span.start) {
            text.push('\n');
        }
        self.print(comment, text);
    }

    fn print(&self, comment: Comment, text: &mut String) {
        self.convert(comment, text);
        text.push('\n');
    }

    /// The comment with the sign of the target, without the last end of line.
    fn convert(&self, comment: Comment, text: &mut String) {
        let written = self.source.slice(comment.span).trim_end();
        let Some(sign) = self.sign else {
            text.push_str(written);
            return;
        };
        if let Some(inner) = written.strip_prefix("/*") {
            block_lines(inner.strip_suffix("*/").unwrap_or(inner), sign, text);
            return;
        }
        let content = written.trim_start_matches([';', '%']);
        // `;;; heading` becomes `%%% heading`.
        let signs = written.len() - content.len();
        text.extend(std::iter::repeat_n(sign, signs));
        text.push_str(content);
    }
}

/// One comment for each line of a block, without the empty ones around it.
fn block_lines(inner: &str, sign: char, text: &mut String) {
    let lines: Vec<&str> = inner
        .split(['\n', '\r'])
        // Many authors begin each line of a block with ` * `.
        .map(|line| line.trim().trim_start_matches('*').trim())
        .collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let last = lines.iter().rposition(|line| !line.is_empty()).unwrap_or(0);
    for (index, line) in lines[first..=last].iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push(sign);
        if !line.is_empty() {
            text.push(' ');
            text.push_str(line);
        }
    }
}

/// Whether the author left a line blank before what starts at `start`.
pub(super) fn follows_blank_line(text: &str, start: u32) -> bool {
    let before = &text[..start as usize];
    let blank = &before[before.trim_end_matches(is_layout).len()..];
    let line_ends = blank.matches('\n').count();
    let lone_returns = blank.matches('\r').count() - blank.matches("\r\n").count();
    line_ends + lone_returns >= 2
}
