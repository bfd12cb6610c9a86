//! What can be folded away: sentences, entries of the outline, comments that belong together.

use crate::serve::lsp::sheet::Sheet;
use crate::serve::lsp::sheet::outline::entries;
use crate::syntax::{CommentPlace, Span};

/// What a fold hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldKind {
    /// Sentences that define the same thing.
    Entry,
    /// One sentence.
    Sentence,
    /// Comments on lines of their own, one below the other.
    Comment,
}

/// A range of lines that can be folded, from 0, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    /// The line that stays.
    pub first: u32,
    /// The last one that is hidden, at least one more.
    pub last: u32,
    /// What is hidden.
    pub kind: FoldKind,
}

/// All folds, by their first lines.
pub fn folds(sheet: &Sheet) -> Vec<Fold> {
    let mut folds = Vec::new();
    for entry in entries(sheet).iter().filter(|entry| entry.is_long()) {
        add(&mut folds, sheet, entry.span(sheet), FoldKind::Entry);
    }
    for sentence in sheet.document().sentences() {
        add(&mut folds, sheet, sentence.span, FoldKind::Sentence);
    }
    for span in blocks_of_comments(sheet) {
        add(&mut folds, sheet, span, FoldKind::Comment);
    }
    folds.sort_unstable();
    // An entry on the lines of its first sentence folds as that.
    folds.dedup_by_key(|fold| (fold.first, fold.last));
    folds
}

fn add(folds: &mut Vec<Fold>, sheet: &Sheet, span: Span, kind: FoldKind) {
    let line = |offset| sheet.lines().place(sheet.text(), offset).line;
    let (first, last) = (line(span.start), line(span.end));
    if first < last {
        folds.push(Fold { first, last, kind });
    }
}

/// Comments on lines of their own with nothing between them but one end of line.
fn blocks_of_comments(sheet: &Sheet) -> Vec<Span> {
    let mut blocks: Vec<Span> = Vec::new();
    for comment in sheet.document().comments() {
        if comment.place != CommentPlace::OwnLine {
            continue;
        }
        let joins = |last: &Span| {
            let between = Span::new(last.end, comment.span.start.max(last.end));
            let gap = sheet.source().slice(between);
            // An empty line parts comments; blanks before the second one do not.
            gap.trim_matches([' ', '\t', '\r']) == "\n"
        };
        match blocks.last_mut() {
            Some(last) if joins(last) => *last = last.to(comment.span),
            _ => blocks.push(comment.span),
        }
    }
    blocks
}
