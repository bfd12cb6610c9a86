//! What an editor writes between the characters: what a variable can be, and which rules only keep a fluent.

use std::collections::HashSet;

use crate::gdl::Size;
use crate::serve::lsp::sheet::hover::variable_values;
use crate::serve::lsp::sheet::{EntityId, EntityKind, Knowledge, Sheet, Values};
use crate::syntax::Span;

/// Values that are listed; of more, the number is told.
const MAX_LISTED: u128 = 3;

/// A few words behind a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The place.
    pub offset: u32,
    /// The words.
    pub text: String,
}

/// The hints of the sentences that a range touches, in the order of the text.
pub fn hints(sheet: &Sheet, knowledge: &Knowledge, range: Span) -> Vec<Hint> {
    let mut hints = Vec::new();
    let sentences = sheet.document().sentences();
    let from = sentences.partition_point(|sentence| sentence.span.end < range.start);
    for sentence in &sentences[from..] {
        if sentence.span.start > range.end {
            break;
        }
        variables(sheet, knowledge, sentence.span, &mut hints);
        let effects = knowledge.effects.as_deref();
        // Frame axioms are found by the text of a rule, since the spans of an earlier version do not fit.
        let rule = sheet.source().slice(sentence.span);
        if let Some(fluent) = effects.and_then(|effects| effects.frame(rule)) {
            hints.push(Hint {
                offset: sentence.span.end,
                text: format!("frame axiom of {fluent}"),
            });
        }
    }
    hints
}

/// What the variables of a sentence can be, each where it stands first.
fn variables(sheet: &Sheet, knowledge: &Knowledge, sentence: Span, hints: &mut Vec<Hint>) {
    let Some(domains) = &knowledge.domains else {
        return;
    };
    let mut seen: HashSet<EntityId> = HashSet::new();
    for one in sheet.occurrences().within(sentence) {
        let kind = sheet.occurrences().entity(one.entity).kind;
        if !matches!(kind, EntityKind::Variable(_)) || !seen.insert(one.entity) {
            continue;
        }
        if let Some(values) = variable_values(sheet, domains, one) {
            hints.push(Hint {
                offset: one.span.end,
                text: format!(": {}", shown(values)),
            });
        }
    }
}

/// `1, 2, 3` or `64 values`
fn shown(values: &Values) -> String {
    match values.size {
        Size::Finite(0) => "nothing".to_owned(),
        Size::Finite(size) if size <= MAX_LISTED => {
            values.texts().collect::<Vec<String>>().join(", ")
        }
        Size::Finite(size) => format!("{size} values"),
        Size::Unbounded => "any number of values".to_owned(),
    }
}
