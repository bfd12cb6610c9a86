//! The highest value that the rules of a game name: who reaches it needs to look no further.

use crate::gdl::{Game, GoalValue, Keyword, Keywords};
use crate::term::{Store, Term};

/// No value of the only role is higher. If some rule leaves the value open, that is 100.
pub fn highest_value(game: &Game, store: &mut Store) -> GoalValue {
    let keywords = Keywords::of(store);
    let heads = game.clauses().iter().map(|clause| clause.head);
    let goals = heads.filter(|&head| {
        let functor = store.functor(head);
        functor.is_some_and(|functor| keywords.is(functor, Keyword::Goal))
    });
    let values = goals.map(|goal| match store.arguments(goal) {
        &[_, value] => match store.view(value) {
            Term::Integer(value) => u8::try_from(value).unwrap_or(GoalValue::MOST),
            Term::Variable(_)
            | Term::Float(_)
            | Term::Text(_)
            | Term::Atom(_)
            | Term::Compound(..) => GoalValue::MOST,
        },
        _ => GoalValue::MOST,
    });
    GoalValue(values.max().unwrap_or(GoalValue::MOST).min(GoalValue::MOST))
}
