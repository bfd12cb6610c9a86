//! Which rules ask for what others define: the call hierarchy.
//!
//! What is called is a relation, or the fluent of a condition `true`, which `init` and `next` define, or the move of
//! `does`, which `legal` defines, so that one can follow a game from its goal to what its moves change:
//!
//! ```text
//! goal/2 ──▶ line/1 ──▶ cell/3 ──▶ mark/2 ──▶ control/1
//! ```

use indexmap::IndexMap;

use crate::serve::lsp::sheet::{Definable, Definition, RulePart, Sheet, definable, subject};
use crate::syntax::Span;

/// One thing that calls another, or is called by it, with all the places where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The other thing.
    pub other: Definable,
    /// The names in conditions, in the order of the text.
    pub places: Vec<Span>,
}

/// What the name at an offset stands for in the hierarchy; where nothing is named, what the sentence there defines.
pub fn callable(sheet: &Sheet, offset: u32) -> Option<Definable> {
    if let Some(found) = sheet.at(offset).and_then(|one| definable(sheet, one)) {
        return Some(found);
    }
    let sentences = sheet.document().sentences();
    let number = sentences.partition_point(|sentence| sentence.span.end < offset);
    let here = sentences.get(number)?;
    let defined = subject(sheet, number as u32)?.defines()?;
    // The first sentence that ends behind the offset may also begin behind it.
    (here.span.start <= offset).then_some(defined)
}

/// The first sentence that defines a thing; its first occurrence if there is none.
pub fn definition_of(sheet: &Sheet, thing: Definable) -> Option<Definition> {
    let mut all = sheet.occurrences().of_entity(thing.entity);
    let first = all.clone().next()?;
    let defining =
        all.find(|one| one.part == RulePart::Head && defined(sheet, one.sentence) == Some(thing));
    let one = defining.unwrap_or(first);
    Some(Definition {
        sentence: sheet.sentence(one.sentence).span,
        name: one.span,
    })
}

/// What asks for a thing in its conditions, in the order of the text.
pub fn incoming(sheet: &Sheet, thing: Definable) -> Vec<Call> {
    let same = sheet.occurrences().of_entity(thing.entity);
    let asking =
        same.filter(|one| one.part != RulePart::Head && definable(sheet, one) == Some(thing));
    grouped(asking.filter_map(|one| Some((defined(sheet, one.sentence)?, one.span))))
}

/// What the rules of a thing ask for, in the order of the text.
pub fn outgoing(sheet: &Sheet, thing: Definable) -> Vec<Call> {
    let heads = sheet.occurrences().of_entity(thing.entity);
    let heads = heads.filter(|one| one.part == RulePart::Head);
    let mut sentences: Vec<u32> = heads.map(|one| one.sentence).collect();
    // A name may stand in one head twice; occurrences are in the order of the text, so that these are neighbours.
    sentences.dedup();
    sentences.retain(|&number| defined(sheet, number) == Some(thing));
    let conditions = sentences.into_iter().flat_map(|number| {
        let names = sheet.occurrences().within(sheet.sentence(number).span);
        names.iter().filter(|one| one.part != RulePart::Head)
    });
    grouped(conditions.filter_map(|one| Some((definable(sheet, one)?, one.span))))
}

fn defined(sheet: &Sheet, sentence: u32) -> Option<Definable> {
    subject(sheet, sentence)?.defines()
}

fn grouped(calls: impl Iterator<Item = (Definable, Span)>) -> Vec<Call> {
    let mut places: IndexMap<Definable, Vec<Span>> = IndexMap::new();
    for (other, span) in calls {
        places.entry(other).or_default().push(span);
    }
    let calls = places.into_iter();
    calls
        .map(|(other, places)| Call { other, places })
        .collect()
}
