//! Where a thing is defined: the heads of a relation, the rules that make a fluent true or a move legal, the fact that
//! names a role, the condition that binds a variable.

use crate::gdl::Keyword;
use crate::serve::lsp::sheet::{EntityKind, Occurrence, RulePart, Sheet, Usage};
use crate::syntax::Span;

/// A sentence that defines something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The sentence.
    pub sentence: Span,
    /// The name in it.
    pub name: Span,
}

/// The definitions of the thing at an offset, in the order of the text.
pub fn definitions(sheet: &Sheet, offset: u32) -> Vec<Definition> {
    let Some(one) = sheet.at(offset) else {
        return Vec::new();
    };
    let all: Vec<&Occurrence> = sheet.occurrences().of_entity(one.entity).collect();
    let found: Vec<&Occurrence> = match sheet.occurrences().entity(one.entity).kind {
        EntityKind::Keyword(_) => Vec::new(),
        EntityKind::Variable(_) => {
            // Positive conditions bind a variable; the head and negations only use it.
            let binding = all.iter().find(|other| other.part == RulePart::Positive);
            binding.or(all.first()).copied().into_iter().collect()
        }
        EntityKind::Relation => all
            .into_iter()
            .filter(|one| one.part == RulePart::Head)
            .collect(),
        EntityKind::Function => of_function(one.usage, &all),
    };
    let definitions = found.into_iter().map(|one| Definition {
        sentence: sheet.sentence(one.sentence).span,
        name: one.span,
    });
    definitions.collect()
}

/// What introduces a function or constant as what it is used for; or as anything; or where it occurs first.
fn of_function<'s>(usage: Usage, all: &[&'s Occurrence]) -> Vec<&'s Occurrence> {
    let introduced = |usage: Usage| -> Vec<&'s Occurrence> {
        let heads = all.iter().filter(|one| one.part == RulePart::Head);
        let same = heads.filter(|one| introduces(one.usage, usage));
        same.copied().collect()
    };
    // The use at the place comes first: a constant may be a role in one rule and a value in another.
    let usages = [
        usage,
        Usage::Role(Keyword::Role),
        Usage::Fluent(Keyword::True),
        Usage::Move(Keyword::Does),
    ];
    let found = usages.into_iter().map(introduced);
    let first = all.first().copied().into_iter().collect();
    found
        .into_iter()
        .find(|found| !found.is_empty())
        .unwrap_or(first)
}

/// Whether an occurrence in a head makes a term what it is used for elsewhere.
fn introduces(head: Usage, usage: Usage) -> bool {
    match usage {
        Usage::Fluent(_) => matches!(head, Usage::Fluent(Keyword::Init | Keyword::Next)),
        Usage::Move(_) => head == Usage::Move(Keyword::Legal),
        Usage::Role(_) => head == Usage::Role(Keyword::Role),
        Usage::Atom | Usage::Argument => false,
    }
}
