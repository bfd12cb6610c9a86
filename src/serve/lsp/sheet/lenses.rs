//! What an editor writes above a definition: how many instances there can be, how many hold at the start, and what can
//! be done about it.

use std::collections::HashSet;

use crate::serve::lsp::sheet::{
    Definable, Knowledge, Owner, Sheet, Subject, SymbolKind, Truth, subject,
};
use crate::syntax::Span;

/// A line above a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name that it is about.
    pub span: Span,
    /// The line.
    pub text: String,
    /// What a click does, if it does anything.
    pub action: Option<Action>,
}

/// What can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// The game is shown in the browser.
    Explore,
    /// It is played at a prompt.
    Play,
    /// Best play is looked for.
    Solve,
    /// It is said why a goal holds in the initial state, or why it does not.
    Why(String),
}

/// The lenses of a text, in its order. Each thing has them where it is defined first.
pub fn lenses(sheet: &Sheet, knowledge: &Knowledge) -> Vec<Lens> {
    let mut lenses = Vec::new();
    let (mut counted, mut explained) = (HashSet::new(), HashSet::new());
    for number in 0..sheet.document().sentences().len() as u32 {
        let Some(subject) = subject(sheet, number) else {
            continue;
        };
        let span = subject.selection();
        // What concerns the whole game stands above its first sentence.
        if lenses.is_empty() {
            lenses.extend(of_game(span));
        }
        let Some(thing) = subject.defines() else {
            continue;
        };
        if subject.kind() != SymbolKind::Role && counted.insert(thing) {
            let text = instances(sheet, knowledge, thing);
            lenses.extend(text.map(|text| Lens {
                span,
                text,
                action: None,
            }));
        }
        if is_explained(sheet, &subject, number) && explained.insert(thing) {
            lenses.extend(
                why(sheet, knowledge, thing, number).map(|(text, goal)| Lens {
                    span,
                    text,
                    action: Some(Action::Why(goal)),
                }),
            );
        }
    }
    lenses
}

/// What can be done with the game as a whole.
fn of_game(span: Span) -> impl Iterator<Item = Lens> {
    let all = [
        ("explore", Action::Explore),
        ("play", Action::Play),
        ("solve", Action::Solve),
    ];
    all.into_iter().map(move |(text, action)| Lens {
        span,
        text: text.to_owned(),
        action: Some(action),
    })
}

/// Whether there is more to say of a sentence than that it is a fact, and without a joint move.
fn is_explained(sheet: &Sheet, subject: &Subject<'_>, number: u32) -> bool {
    !sheet.sentence(number).body.is_empty()
        && matches!(
            subject.kind(),
            SymbolKind::Relation | SymbolKind::Move | SymbolKind::End
        )
}

/// `27 instances`, by the domains of the arguments; nothing for what has none.
fn instances(sheet: &Sheet, knowledge: &Knowledge, thing: Definable) -> Option<String> {
    let arity = sheet.occurrences().entity(thing.entity).arity;
    let name = sheet.occurrences().name(thing.entity);
    let domains = knowledge.domains.as_deref().filter(|_| arity > 0)?;
    let kind = match thing.owner {
        Owner::Fluent => "fluent",
        Owner::Move => "move",
        Owner::Atom | Owner::Term => "instance",
    };
    Some(match domains.instances(thing.owner, name, arity)? {
        1 => format!("1 {kind}"),
        number => format!("{number} {kind}s"),
    })
}

/// `9 legal at the start: why` and the goal that is explained; the head as it is written.
fn why(
    sheet: &Sheet,
    knowledge: &Knowledge,
    thing: Definable,
    number: u32,
) -> Option<(String, String)> {
    let head = sheet.document().span(sheet.sentence(number).head);
    let words: Vec<&str> = sheet.source().slice(head).split_whitespace().collect();
    let goal = words.join(" ");
    // A comment in a head would make the rest of it one.
    if goal.contains([';', '%']) {
        return None;
    }
    let arity = sheet.occurrences().entity(thing.entity).arity;
    let name = sheet.occurrences().name(thing.entity);
    let start = knowledge.start.as_deref();
    let text = match start.and_then(|start| start.of(thing.owner, name, arity)) {
        // Moves are counted as they are found legal, so that one without an entry is legal nowhere.
        None if start.is_some() && thing.owner == Owner::Move => at_start(thing, arity, 0),
        None => "why".to_owned(),
        Some(Truth { count, .. }) => at_start(thing, arity, *count),
    };
    Some((text, goal))
}

fn at_start(thing: Definable, arity: u32, count: usize) -> String {
    match (thing.owner, arity, count) {
        (Owner::Move, _, 0) => "not legal at the start: why not".to_owned(),
        (Owner::Move, ..) => format!("{count} legal at the start: why"),
        (_, _, 0) => "false at the start: why not".to_owned(),
        (_, 0, _) => "true at the start: why".to_owned(),
        _ => format!("{count} true at the start: why"),
    }
}
