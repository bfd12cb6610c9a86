//! Where else a thing is named.

use crate::serve::lsp::sheet::{RulePart, Sheet, definitions};
use crate::syntax::Span;

/// Whether the places that define a thing are among those that name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declarations {
    /// They are.
    Included,
    /// They are not.
    Left,
}

/// What a sentence does with a name in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It says something of the thing: the name is in the head.
    Write,
    /// It asks for it.
    Read,
}

/// All places of the thing at an offset, in the order of the text.
pub fn references(sheet: &Sheet, offset: u32, declarations: Declarations) -> Vec<Span> {
    let Some(one) = sheet.at(offset) else {
        return Vec::new();
    };
    let left: Vec<Span> = match declarations {
        Declarations::Included => Vec::new(),
        Declarations::Left => {
            let found = definitions(sheet, offset).into_iter();
            found.map(|definition| definition.name).collect()
        }
    };
    let all = sheet.occurrences().of_entity(one.entity);
    let spans = all.map(|other| other.span);
    // Both are in the order of the text.
    let kept = spans.filter(|span| left.binary_search(span).is_err());
    kept.collect()
}

/// The same with what the sentences do with it.
pub fn highlights(sheet: &Sheet, offset: u32) -> Vec<(Span, Access)> {
    let Some(one) = sheet.at(offset) else {
        return Vec::new();
    };
    let all = sheet.occurrences().of_entity(one.entity);
    let places = all.map(|other| match other.part {
        RulePart::Head => (other.span, Access::Write),
        RulePart::Positive | RulePart::Negative => (other.span, Access::Read),
    });
    places.collect()
}
