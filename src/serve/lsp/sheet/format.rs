//! The canonical layout, as `flux fmt` prints it.
//!
//! Sentences with faults are not in the tree, so that the whole text is laid out only where there are none; sentences
//! of a range can be laid out whatever is wrong elsewhere.

use crate::serve::lsp::sheet::Sheet;
use crate::syntax::lexer::is_layout;
use crate::syntax::{
    Case, Diagnostic, PrintOptions, Replacement, Span, print_sentences, print_with,
};

/// What changes if the whole text is laid out; none if it has faults.
pub fn formatted(sheet: &Sheet) -> Option<Vec<Replacement>> {
    if sheet.faults().iter().any(Diagnostic::is_error) {
        return None;
    }
    let text = print_with(sheet.document(), sheet.source(), options(sheet));
    let whole = Span::new(0, sheet.text().len() as u32);
    Some(difference(sheet, whole, &text).into_iter().collect())
}

/// What changes if the sentences that a range touches are laid out.
pub fn formatted_range(sheet: &Sheet, range: Span) -> Vec<Replacement> {
    let sentences = sheet.document().sentences();
    let from = sentences.partition_point(|sentence| sentence.span.end < range.start);
    let to = sentences.partition_point(|sentence| sentence.span.start <= range.end);
    let mut changes = Vec::new();
    let mut next = from;
    while next < to {
        // A fault between two sentences must stay where it is.
        let mut end = next + 1;
        while end < to && !has_fault_between(sheet, end) {
            end += 1;
        }
        let span = sentences[next].span.to(sentences[end - 1].span);
        let numbers = next..end;
        let text = print_sentences(sheet.document(), sheet.source(), options(sheet), numbers);
        changes.extend(difference(sheet, span, &text));
        next = end;
    }
    changes
}

/// Whether something other than layout and comments stands before a sentence.
fn has_fault_between(sheet: &Sheet, number: usize) -> bool {
    let sentences = sheet.document().sentences();
    let (mut at, end) = (sentences[number - 1].span.end, sentences[number].span.start);
    let comments = sheet.document().comments();
    let first = comments.partition_point(|comment| comment.span.start < at);
    let between = comments[first..].iter();
    let between = between.take_while(|comment| comment.span.end <= end);
    let is_blank = |from: u32, to: u32| {
        let gap = sheet.source().slice(Span::new(from, to.max(from)));
        gap.chars().all(is_layout)
    };
    for comment in between {
        if !is_blank(at, comment.span.start) {
            return true;
        }
        at = comment.span.end;
    }
    !is_blank(at, end)
}

fn options(sheet: &Sheet) -> PrintOptions {
    PrintOptions {
        notation: sheet.notation(),
        case: Case::Fold,
    }
}

/// The piece of a range that is not the same in its new text; none if all is the same.
fn difference(sheet: &Sheet, span: Span, new: &str) -> Option<Replacement> {
    let old = sheet.source().slice(span);
    if old == new {
        return None;
    }
    // An editor keeps its cursor and its folds outside of what is replaced, so that little is.
    let pairs = old.char_indices().zip(new.chars());
    let same = pairs.take_while(|((_, one), other)| one == other);
    let start = same.map(|((at, one), _)| at + one.len_utf8()).last();
    let start = start.unwrap_or(0);
    // The ends are compared in what is left, so that they cannot overlap with the beginnings.
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let pairs = old_rest.chars().rev().zip(new_rest.chars().rev());
    let same = pairs.take_while(|(one, other)| one == other);
    let behind: usize = same.map(|(one, _)| one.len_utf8()).sum();
    let end = span.end - behind as u32;
    Some(Replacement {
        span: Span::new(span.start + start as u32, end),
        text: new_rest[..new_rest.len() - behind].to_owned(),
    })
}
