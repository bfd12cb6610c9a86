//! All sheets of a game, and what puts them together.

use crate::circuit::Signal;
use crate::decomposition::composition::Legality;
use crate::decomposition::emit::composition::CompositionReport;
use crate::decomposition::emit::sheet::{self, PartSheet};
use crate::decomposition::emit::surroundings;
use crate::decomposition::local_concepts::LocalConcepts;
use crate::decomposition::report::DecomposedGame;

/// Parts as rule sheets, with what puts them together.
#[derive(Debug)]
pub struct Emission {
    /// A sheet for each part, and one for what runs by itself if there is such.
    pub sheets: Vec<PartSheet>,
    /// How the whole game comes from them.
    pub composition: CompositionReport,
}

/// Writes the parts of a game as rule sheets; none if end, goal or legality are no formulas over the parts, or several
/// roles move in one part of several at a time: which move stands for those made elsewhere depends on whose turn it is
/// then, which a sheet does not say.
pub fn emit(subject: &DecomposedGame<'_>) -> Option<Emission> {
    let legality = subject.found.composition.legality.iter();
    let sums =
        legality.filter(|of_role| matches!(of_role, Legality::Sum | Legality::SumOfProducts));
    if subject.found.parts.len() > 1 && sums.count() > 1 {
        return None;
    }
    let owners = owners(subject);
    let concepts = LocalConcepts::of(subject.circuit, &owners, &roots(subject, &owners))?;
    let places = surroundings::of_parts(subject, &owners);
    let mut sheets = Vec::new();
    for (number, around) in places.iter().enumerate() {
        sheets.push(sheet::of_part(
            subject,
            &owners,
            &concepts,
            Some(number),
            around,
        ));
    }
    if owners.iter().any(Option::is_none) {
        let around = surroundings::of_context(subject);
        sheets.push(sheet::of_part(subject, &owners, &concepts, None, &around));
    }
    let composition = CompositionReport::of(subject, &owners, &concepts, &places, &sheets)?;
    Some(Emission {
        sheets,
        composition,
    })
}

/// By fluent, by place, the part that it belongs to; none if it runs by itself.
fn owners(subject: &DecomposedGame<'_>) -> Vec<Option<usize>> {
    let mut owners = vec![None; subject.circuit.fluents.len()];
    for (number, part) in subject.found.parts.iter().enumerate() {
        for fluent in subject.fluents(&part.variables) {
            owners[fluent] = Some(number);
        }
    }
    owners
}

/// What the whole game asks of its parts: end, goal values, legality, and what runs by itself.
fn roots(subject: &DecomposedGame<'_>, owners: &[Option<usize>]) -> Vec<Signal> {
    let circuit = subject.circuit;
    let mut roots = vec![circuit.terminal];
    roots.extend(circuit.goals.iter().flatten().map(|payoff| payoff.signal));
    roots.extend(circuit.moves.iter().flatten().map(|mv| mv.legal));
    // Without phases the sheet of what runs by itself says what it is next.
    if subject.found.phases > 1 {
        let by_itself = circuit.fluents.iter().zip(owners);
        let by_itself = by_itself.filter(|(_, owner)| owner.is_none());
        roots.extend(by_itself.map(|(fluent, _)| fluent.next));
    }
    roots
}
