//! Names of variables on their way from one notation to another.
//!
//! `?x` is `X` and back. Where two names of a sentence would become one, the later one gets a
//! number; within a notation nothing changes.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::syntax::span::Source;
use crate::syntax::tree::{Document, Name, Node, NodeId, Notation, Sentence};

/// The names that the variables of one sentence are printed with.
pub(super) struct VariableNames<'d> {
    /// By their written name; `None` if they are printed as they are written.
    renamed: Option<HashMap<&'d str, String, FxBuildHasher>>,
}

impl<'d> VariableNames<'d> {
    /// Chooses the names for the variables of a sentence, in order of first occurrence.
    pub(super) fn of(
        document: &'d Document,
        source: &'d Source,
        sentence: &Sentence,
        target: Notation,
    ) -> Self {
        let is_prefix = |notation| notation == Notation::Prefix;
        let origin = document.notation().unwrap_or(target);
        // The same notation: names stay as the author wrote them.
        if is_prefix(origin) == is_prefix(target) {
            return Self { renamed: None };
        }
        let translate = if is_prefix(target) {
            to_prefix
        } else {
            to_infix
        };
        let mut renamed: HashMap<&str, String, FxBuildHasher> = HashMap::default();
        let mut taken = Taken::default();
        let mut rest: Vec<NodeId> = document.children(sentence.body).to_vec();
        rest.reverse();
        // A stack: the head is named first, then the conditions in their order.
        rest.push(sentence.head);
        while let Some(id) = rest.pop() {
            if let Node::Variable(name) = document.node(id) {
                let written = document.name(source, name);
                if !renamed.contains_key(written) {
                    renamed.insert(written, free_name(translate(written), &mut taken));
                }
            }
            rest.extend(document.arguments(id).iter().rev());
        }
        Self {
            renamed: Some(renamed),
        }
    }

    /// The name that a variable is printed with, without question mark.
    pub(super) fn name<'a>(
        &'a self,
        document: &'a Document,
        source: &'a Source,
        name: Name,
    ) -> &'a str {
        let written = document.name(source, name);
        self.renamed
            .as_ref()
            .and_then(|renamed| renamed.get(written))
            .map_or(written, |renamed| renamed)
    }
}

/// Names of infix notation for the variables of one clause: no two alike, and none of `reserved`.
pub(crate) fn infix_names<'n>(
    written: impl IntoIterator<Item = &'n str>,
    reserved: &[&str],
) -> Vec<String> {
    let mut taken = Taken::default();
    taken.extend(reserved.iter().map(|&name| (name.to_owned(), 2)));
    let names = written.into_iter();
    names
        .map(|name| free_name(to_infix(name), &mut taken))
        .collect()
}

/// The names that are in use, and the number that the next namesake of each may get.
type Taken = HashMap<String, usize, FxBuildHasher>;

/// `wanted`, or with a number behind it that makes it a name of its own.
fn free_name(wanted: String, taken: &mut Taken) -> String {
    let Some(number) = taken.get(&wanted) else {
        taken.insert(wanted.clone(), 2);
        return wanted;
    };
    let mut number = *number;
    let name = loop {
        let name = format!("{wanted}_{number}");
        number += 1;
        if !taken.contains_key(&name) {
            break name;
        }
    };
    // The next namesake starts where this one has ended, so that many of them take linear time.
    taken.insert(wanted, number);
    taken.insert(name.clone(), 2);
    name
}

/// A variable of infix notation: letters, digits and `_`, beginning with a capital or `_`.
fn to_infix(name: &str) -> String {
    let mut result = String::with_capacity(name.len() + 1);
    for character in name.chars() {
        let fits = character.is_ascii_alphanumeric();
        result.push(if fits { character } else { '_' });
    }
    match result.as_bytes() {
        [b'a'..=b'z', ..] => result[..1].make_ascii_uppercase(),
        // `_` alone would be a new variable at every place.
        [b'A'..=b'Z', ..] | [b'_', _, ..] => {}
        _ => result.insert(0, 'V'),
    }
    result
}

/// `CurrentPlayer` becomes `currentPlayer`, `X1` and `MOVE` become `x1` and `move`.
fn to_prefix(name: &str) -> String {
    // Camel case keeps its humps; a name in capitals has none.
    if name.chars().any(char::is_lowercase) {
        let mut characters = name.chars();
        let first = characters.next().into_iter().flat_map(char::to_lowercase);
        return first.chain(characters).collect();
    }
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_with_the_notation() {
        for (prefix, infix) in [
            ("x", "X"),
            ("currentPlayer", "CurrentPlayer"),
            ("x1", "X1"),
            ("_a", "_a"),
        ] {
            assert_eq!(to_infix(prefix), infix);
            assert_eq!(to_prefix(infix), prefix);
        }
        for (prefix, infix) in [("1", "V1"), ("_", "V_"), ("a-b", "A_b"), ("é", "_")] {
            assert_eq!(to_infix(prefix), if infix == "_" { "V_" } else { infix });
        }
    }

    #[test]
    fn names_stay_apart() {
        let mut taken = Taken::default();
        assert_eq!(free_name("X".into(), &mut taken), "X");
        assert_eq!(free_name("X".into(), &mut taken), "X_2");
        assert_eq!(free_name("X_2".into(), &mut taken), "X_2_2");
    }
}
