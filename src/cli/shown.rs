//! Terms and states as text of bounded length.
//!
//! Terms share their parts, so that rules such as `(<= (next (f ?x ?x)) (true ?x))` build in a few
//! moves what no disk could hold as text. Messages show the beginning; results are whole or are
//! refused.

use crate::cli::failure::{Exit, Failure};
use crate::gdl::{Goal, State, Vocabulary};
use crate::term::{TermId, bounded_text};

/// Bytes of one term in a result.
const LARGEST_RESULT: usize = 64 << 20;

/// Bytes of one term in a message.
const LARGEST_MENTION: usize = 200;

/// Fluents of a state in a message.
const MOST_FLUENTS: usize = 40;

/// A term for a message, cut short if it is large.
pub(super) fn mention(vocabulary: &Vocabulary, term: TermId) -> String {
    bounded_text(vocabulary.store(), term, LARGEST_MENTION)
        .unwrap_or_else(|beginning| beginning + " ...")
}

/// A term for a result.
///
/// # Errors
/// [`Exit::Limit`] if its text would be larger than 64 MiB.
pub(super) fn whole(vocabulary: &Vocabulary, term: TermId) -> Result<String, Failure> {
    bounded_text(vocabulary.store(), term, LARGEST_RESULT).map_err(|_| {
        let beginning = mention(vocabulary, term);
        let message = format!("a term of more than 64 MiB cannot be printed: {beginning}");
        Failure::new(Exit::Limit, message)
    })
}

/// A state for a message: its fluents in order of their text, cut short if there are many.
pub(super) fn state(vocabulary: &Vocabulary, state: &State) -> String {
    let mut fluents: Vec<String> = state
        .fluents()
        .take(MOST_FLUENTS)
        .map(|fluent| mention(vocabulary, vocabulary.fluent_term(fluent)))
        .collect();
    fluents.sort_unstable();
    if state.len() > MOST_FLUENTS {
        fluents.push(format!("... ({} fluents)", state.len()));
    }
    if fluents.is_empty() {
        "without fluents".to_owned()
    } else {
        fluents.join(" ")
    }
}

/// What is wrong with the payoff of a role, in words.
pub(super) fn goal_fault(vocabulary: &Vocabulary, role: TermId, goal: &Goal) -> Option<String> {
    let role = mention(vocabulary, role);
    match goal {
        Goal::Value(_) => None,
        Goal::Absent => Some(format!("the rules give {role} no payoff")),
        Goal::NotAValue(term) => {
            let value = mention(vocabulary, *term);
            Some(format!(
                "the payoff of {role} is {value}, not a number from 0 to 100,"
            ))
        }
        Goal::Contradictory(values) => {
            let mut values: Vec<String> = values
                .iter()
                .take(MOST_FLUENTS)
                .map(|&value| mention(vocabulary, value))
                .collect();
            values.sort_unstable();
            let values = values.join(" and ");
            Some(format!("the payoffs of {role} contradict: {values}"))
        }
    }
}
