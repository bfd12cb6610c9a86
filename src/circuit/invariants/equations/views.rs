//! What may be counted: fluents one by one, and groups of fluents that say with what something is filled.

use crate::circuit::invariants::equations::EquationContext;
use crate::circuit::invariants::plays::Plays;
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::lanes::{and, any};

/// Terms of an equation, at least: what is said of fewer fluents is a matter of clauses.
pub(super) const MIN_TERMS: usize = 6;

/// Fluents that count as one if one of them holds, by place.
pub(super) type Item = Vec<usize>;

/// Groups first, where there are some, then fluents one by one.
pub(super) fn views(context: EquationContext<'_>) -> Vec<Vec<Item>> {
    let gained = context.variables.iter().map(|one| gained(context, one));
    let groups: Vec<Item> = gained.filter(|group| !group.is_empty()).collect();
    let groups = related(context, groups);
    // What excludes each other is counted one after the other: that a full board has as many of both is a matter of each square.
    let singles: Vec<Item> = groups.iter().flatten().map(|&place| vec![place]).collect();
    let mut views = Vec::new();
    if groups.len() < singles.len() {
        views.push(groups);
    }
    views.push(singles);
    views.retain(|items| items.len() >= MIN_TERMS);
    views
}

/// The values of a variable other than its first one: where one of them always holds, the others say whether it does.
fn gained(context: EquationContext<'_>, variable: &Variable) -> Item {
    let fluents = &variable.fluents;
    if !variable.is_exact {
        return fluents.clone();
    }
    let first = fluents
        .iter()
        .position(|&place| context.circuit.fluents[place].initial)
        .unwrap_or(0);
    let others = fluents.iter().enumerate().filter(|&(at, _)| at != first);
    others.map(|(_, &place)| place).collect()
}

/// Groups, with single fluents put together that are computed from the same others and exclude each other in plays: a square
/// is filled by one colour or by another one, though no fluent says that it is empty.
fn related(context: EquationContext<'_>, groups: Vec<Item>) -> Vec<Item> {
    let sources = Sources::new(context.circuit);
    let mut related: Vec<Item> = Vec::new();
    for group in groups {
        let joined = match group[..] {
            [place] => related.iter_mut().find(|other| {
                let is_alike = |&other: &usize| {
                    sources.of(other) == sources.of(place) && exclude(context.plays, place, other)
                };
                other.iter().all(is_alike)
            }),
            _ => None,
        };
        match joined {
            Some(other) => other.extend(group),
            None => related.push(group),
        }
    }
    related
}

/// Whether two fluents hold in no state of plays together.
fn exclude(plays: &Plays, one: usize, other: usize) -> bool {
    let mut states = plays.states.iter().zip(&plays.reached);
    !states.any(|(state, &reached)| any(and(reached, and(state[one], state[other]))))
}
