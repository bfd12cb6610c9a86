//! Names that planners read: those of the game, in one word, each once.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::circuit::planning::action::{Action, Fact};

/// Characters of a name; longer ones are cut and told apart by numbers.
const MAX_LENGTH: usize = 80;

/// Words that have a meaning of their own in PDDL, or get one in planners.
const RESERVED: [&str; 14] = [
    "and",
    "or",
    "not",
    "imply",
    "when",
    "forall",
    "exists",
    "either",
    "define",
    "object",
    "number",
    "goal",
    "init",
    "total-cost",
];

/// The names of a planning task; those of moves and fluents differ, too, since some planners require it.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// By name, the number of the action.
    actions: IndexMap<String, usize, FxBuildHasher>,
    /// By place.
    facts: Vec<String>,
    /// By number.
    derived: Vec<String>,
}

impl Names {
    pub(super) fn of(actions: &[Action], facts: &[Fact], derived: usize) -> Self {
        let mut taken = Taken::default();
        let numbered = actions.iter().enumerate();
        let actions = numbered.map(|(number, action)| (taken.fresh(&word(&action.text)), number));
        let actions = actions.collect();
        let facts = facts.iter().map(|fact| taken.fresh(&word(&fact.text)));
        let facts = facts.collect();
        let derived = (1..=derived).map(|number| taken.fresh(&format!("p-{number}")));
        Self {
            actions,
            facts,
            derived: derived.collect(),
        }
    }

    /// The name of an action.
    pub(super) fn action(&self, number: usize) -> &str {
        let named = self.actions.get_index(number);
        named.map_or("", |(name, _)| name)
    }

    /// The number of the action of a name.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.actions.get(name).copied()
    }

    /// The name of a fluent.
    pub(super) fn fact(&self, place: usize) -> &str {
        &self.facts[place]
    }

    /// The name of a derived predicate.
    pub(super) fn derived(&self, number: usize) -> &str {
        &self.derived[number]
    }
}

/// Names that are given away, and the numbers that tell alike ones apart.
#[derive(Default)]
struct Taken {
    names: IndexSet<String, FxBuildHasher>,
    /// By word, the number that was given to it last.
    last: IndexMap<String, usize, FxBuildHasher>,
}

impl Taken {
    fn fresh(&mut self, word: &str) -> String {
        if !RESERVED.contains(&word) && self.names.insert(word.to_owned()) {
            return word.to_owned();
        }
        let last = self.last.entry(word.to_owned()).or_insert(1);
        loop {
            *last += 1;
            let name = format!("{word}-{last}");
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A term as one word: `(mark 1 2)` is `mark-1-2`.
fn word(text: &str) -> String {
    let mut word = String::new();
    for character in text.chars() {
        match character {
            'a'..='z' | '0'..='9' | '_' => word.push(character),
            // PDDL does not tell case.
            'A'..='Z' => word.push(character.to_ascii_lowercase()),
            _ if word.ends_with('-') || word.is_empty() => {}
            _ => word.push('-'),
        }
        if word.len() == MAX_LENGTH {
            break;
        }
    }
    word.truncate(word.trim_end_matches('-').len());
    if word.starts_with(|first: char| first.is_ascii_lowercase()) {
        word
    } else {
        format!("x-{word}").trim_end_matches('-').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_words() {
        let cases = [
            ("(mark 1 2)", "mark-1-2"),
            ("(move (pos a 1) (pos b 2))", "move-pos-a-1-pos-b-2"),
            ("noop", "noop"),
            ("1", "x-1"),
            ("+", "x"),
            ("_", "x-_"),
            ("(Cell A)", "cell-a"),
        ];
        for (text, expected) in cases {
            assert_eq!(word(text), expected);
        }
    }

    #[test]
    fn alike_words_are_told_apart() {
        let mut taken = Taken::default();
        let names = ["a-2", "a", "a", "a", "and", "and"].map(|word| taken.fresh(word));
        assert_eq!(names, ["a-2", "a", "a-3", "a-4", "and-2", "and-3"]);
    }
}
