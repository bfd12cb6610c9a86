//! The highest value that the rules of a game name: who reaches it needs to look no further.

use crate::gdl::{Game, GoalValue, Keyword, Keywords};
use crate::term::Store;

/// No value of the only role is higher. If some rule leaves the value open, that is 100.
pub fn highest_value(game: &Game, store: &mut Store) -> GoalValue {
    let keywords = Keywords::of(store);
    let heads = game.clauses().iter().map(|clause| clause.head);
    let goals = heads.filter(|&head| {
        let functor = store.functor(head);
        functor.is_some_and(|functor| keywords.is(functor, Keyword::Goal))
    });
    let values = goals.map(|goal| match store.arguments(goal) {
        &[_, value] => GoalValue::of(store, value),
        _ => None,
    });
    let most = GoalValue(GoalValue::MOST);
    // A value that is computed may be any.
    let values = values.map(|value| value.unwrap_or(most));
    values.max().unwrap_or(most)
}
