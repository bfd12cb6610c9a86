//! A decomposition as text, a plain sentence for each finding.

use std::fmt::Write;

use crate::decomposition::part::{Autonomous, Part, Proof, Use};
use crate::decomposition::report::{composed, subject::DecomposedGame};

/// Fluents of a part that are named one by one.
const MAX_NAMED: usize = 6;

/// The report on a game.
pub fn text(subject: &DecomposedGame<'_>) -> String {
    let mut text = headline(subject);
    for (number, one) in subject.found.parts.iter().enumerate() {
        text.push('\n');
        text.push_str(&part(subject, number, one));
    }
    for group in &subject.found.autonomous {
        text.push('\n');
        text.push_str(&autonomous(subject, group));
    }
    let lines = composed::lines(subject);
    if !lines.is_empty() {
        let _ = writeln!(text, "\n  {}", lines.join("\n  "));
    }
    text.push('\n');
    text.push_str(&proof(subject));
    text
}

/// `1 move`, `2 moves`.
fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

fn headline(subject: &DecomposedGame<'_>) -> String {
    let (title, found) = (subject.title, subject.found);
    let parts = match found.parts.len() {
        0 => format!("In {title} no move has an effect"),
        1 => format!("{title} is one game"),
        number => format!("{title} consists of {number} games"),
    };
    let autonomous = match found.autonomous.len() {
        0 => String::new(),
        1 => ", with something that runs by itself".to_owned(),
        number => format!(", with {number} things that run by themselves"),
    };
    format!("{parts}{autonomous}.\n")
}

fn part(subject: &DecomposedGame<'_>, number: usize, part: &Part) -> String {
    let fluents = subject.fluents(&part.variables);
    let mut text = format!("  {}. {}\n", number + 1, names(subject, &fluents));
    let mut size = vec![count(fluents.len(), "fluent")];
    let movers = subject.movers(part);
    size.extend(movers.map(|(role, moves)| format!("{} of {role}", count(moves, "move"))));
    let _ = writeln!(text, "     {}", size.join(", "));
    if let Some(phase) = part.phase {
        let _ = writeln!(text, "     played in phase {}", phase + 1);
    }
    let _ = writeln!(text, "     {}", useful_for(part.useful));
    if part.proof == Proof::Open {
        text.push_str("     not proved to be independent\n");
    }
    text
}

fn autonomous(subject: &DecomposedGame<'_>, group: &Autonomous) -> String {
    let fluents = subject.fluents(&group.variables);
    let mut text = format!("  By itself: {}\n", names(subject, &fluents));
    let size = count(fluents.len(), "fluent");
    let _ = writeln!(text, "     {size}; {}", useful_for(group.useful));
    if group.proof == Proof::Open {
        text.push_str("     not proved to be independent\n");
    }
    text
}

/// All fluents if they are few, else what they have in common.
fn names(subject: &DecomposedGame<'_>, fluents: &[usize]) -> String {
    match fluents.len() {
        ..=MAX_NAMED => {
            let names = fluents.iter().map(|&place| subject.fluent(place));
            names.collect::<Vec<String>>().join(", ")
        }
        _ => subject.patterns(fluents).join(", "),
    }
}

fn useful_for(useful: Use) -> String {
    let uses = [
        (useful.end, "the end"),
        (useful.payoffs, "the goal values"),
        (useful.phase, "the phase"),
    ];
    let uses: Vec<&str> = uses
        .into_iter()
        .filter(|&(is_used, _)| is_used)
        .map(|(_, name)| name)
        .collect();
    match uses[..] {
        [] => "useless: nothing depends on it".to_owned(),
        _ => format!("matters for {}", uses.join(" and ")),
    }
}

fn proof(subject: &DecomposedGame<'_>) -> String {
    let found = subject.found;
    let questions = count(found.questions, "question");
    let mut text = if found.is_certified() {
        format!("Proved with {questions} to the solver.\n")
    } else {
        format!("Not all of it is proved, after {questions} to the solver.\n")
    };
    if found.undecided > 0 {
        let claims = count(found.undecided, "claim");
        let _ = writeln!(
            text,
            "It gave up on {claims} of independence; what they are about is taken together."
        );
    }
    text
}
