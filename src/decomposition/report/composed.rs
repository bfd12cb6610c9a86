//! How the moves, the end and the goal values of a game are made of its parts, in words.

use crate::decomposition::composition::{Legality, OutcomeForm};
use crate::decomposition::report::subject::DecomposedGame;

/// A disjunctive and a conjunctive end.
const END: [&str; 2] = ["one of the games is enough", "all games are needed"];

/// A disjunctive and a conjunctive goal value.
const GOAL: [&str; 2] = [
    "the largest of those of the games",
    "the smallest of those of the games",
];

/// A line for the moves, the end and the goal values; nothing if there are not several parts.
pub(super) fn lines(subject: &DecomposedGame<'_>) -> Vec<String> {
    let found = subject.found;
    if found.parts.len() < 2 {
        return Vec::new();
    }
    let composition = &found.composition;
    let moves: Vec<(&str, String)> = by_role(subject, &composition.legality)
        .filter_map(|(role, form)| Some((role, legality(form)?)))
        .collect();
    let goals: Vec<(&str, String)> = by_role(subject, &composition.goals)
        .map(|(role, form)| (role, sentence(form, GOAL)))
        .collect();
    let mut lines: Vec<String> = together(moves)
        .into_iter()
        .map(|(roles, sentence)| format!("Moves of {roles}: {sentence}"))
        .collect();
    lines.push(format!("End: {}", sentence(&composition.termination, END)));
    let goals = together(goals).into_iter();
    lines.extend(goals.map(|(roles, sentence)| format!("Goal value of {roles}: {sentence}")));
    lines
}

fn by_role<'a, T>(
    subject: &DecomposedGame<'a>,
    values: &'a [T],
) -> impl Iterator<Item = (&'a str, &'a T)> {
    subject.roles.iter().map(String::as_str).zip(values)
}

/// The roles of which the same is said in one.
fn together(sentences: Vec<(&str, String)>) -> Vec<(String, String)> {
    let mut known: Vec<(String, String)> = Vec::new();
    for (role, sentence) in sentences {
        match known.iter_mut().find(|(_, other)| *other == sentence) {
            Some((roles, _)) => *roles = format!("{roles} and {role}"),
            None => known.push((role.to_owned(), sentence)),
        }
    }
    known
}

fn legality(form: &Legality) -> Option<String> {
    let sentence = match form {
        Legality::Idle | Legality::Single(_) => return None,
        Legality::Sum => "each is one in one game (a sum)".to_owned(),
        Legality::Product => {
            "each is one in every game, and all that is legal there can be combined (a product)"
                .to_owned()
        }
        Legality::SumOfProducts => {
            "each is one in some games, and all that is legal in these can be combined (a sum of products)"
                .to_owned()
        }
        Legality::Nested => {
            "sums and products of those in the games, and all that is legal there can be combined"
                .to_owned()
        }
        Legality::Open => {
            "whether all that is legal in the games can be combined is open".to_owned()
        }
    };
    Some(sentence)
}

/// A form, with what it says of a disjunction and of a conjunction.
fn sentence(form: &OutcomeForm, [any, all]: [&str; 2]) -> String {
    match form {
        OutcomeForm::Constant => "none of the games matters".to_owned(),
        OutcomeForm::Single(part) => format!("game {} alone decides", part + 1),
        OutcomeForm::Disjunctive => any.to_owned(),
        OutcomeForm::Conjunctive => all.to_owned(),
        OutcomeForm::Additive => "the sum of those of the games".to_owned(),
        OutcomeForm::Ordered(order) => {
            let order = order.iter().map(|part| (part + 1).to_string());
            let order: Vec<String> = order.collect();
            format!(
                "the first of games {} that makes a difference decides",
                order.join(", ")
            )
        }
        OutcomeForm::Mixed => "it takes several games together".to_owned(),
        OutcomeForm::Open => "how the games are combined is open".to_owned(),
    }
}
