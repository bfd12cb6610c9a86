//! A change of the text of a rule sheet.

use crate::syntax::Replacement;

/// A change that may repair a sheet.
#[derive(Clone, Debug)]
pub(super) struct RepairCandidate {
    pub(super) what: String,
    pub(super) edits: Vec<Replacement>,
    /// Small ones are tried first.
    pub(super) cost: u32,
}

impl RepairCandidate {
    /// The text after the change.
    pub(super) fn applied(&self, text: &str) -> String {
        let mut edits: Vec<&Replacement> = self.edits.iter().collect();
        edits.sort_by_key(|edit| edit.span.start);
        let mut changed = String::with_capacity(text.len());
        let mut at = 0;
        for edit in edits {
            changed.push_str(&text[at..edit.span.start as usize]);
            changed.push_str(&edit.text);
            at = edit.span.end as usize;
        }
        changed + &text[at..]
    }
}
