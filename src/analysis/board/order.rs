//! Orders of the values of an argument: what makes it a coordinate.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::term::{Clause, Functor, Prefix, Store, TermId};

/// What the order of some values rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grounds {
    /// They are numbers, or end in numbers.
    Numbers,
    /// A relation of the rules leads from each to the next.
    Chain,
    /// They are letters. Letters name things of all kinds, so that this alone makes no board.
    Letters,
}

/// The pairs of a relation that is given by facts.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain(Vec<(TermId, TermId)>);

/// The relations of two arguments that are given by facts.
pub(super) fn chains(store: &Store, clauses: &[Clause]) -> Vec<Chain> {
    let mut chains: IndexMap<Functor, Chain, FxBuildHasher> = IndexMap::default();
    for clause in clauses {
        let functor = store.functor(clause.head).filter(|f| f.arity == 2);
        let (Some(functor), true) = (functor, clause.body.is_empty()) else {
            continue;
        };
        if let &[from, to] = store.arguments(clause.head) {
            chains.entry(functor).or_default().0.push((from, to));
        }
    }
    chains.into_values().collect()
}

/// Some values in their order, if they have one, and what it rests on.
pub(super) fn ordered(
    store: &Store,
    chains: &[Chain],
    values: &[TermId],
) -> Option<(Vec<TermId>, Grounds)> {
    let texts: Vec<String> = values.iter().map(|&value| text(store, value)).collect();
    if let Some(keys) = all(&texts, |text| numbered(text)) {
        let stem = keys.first().map(|(stem, _)| stem.to_owned());
        // `row1`, `row2` have an order; `a1`, `b1` name two kinds of things, whose numbers would mix them.
        if keys.iter().all(|(own, _)| Some(*own) == stem) {
            return Some((sorted(values, &keys), Grounds::Numbers));
        }
    }
    if let Some(path) = chains.iter().find_map(|chain| chain.path(values)) {
        return Some((path, Grounds::Chain));
    }
    let letters = all(&texts, letter)?;
    Some((sorted(values, &letters), Grounds::Letters))
}

fn text(store: &Store, value: TermId) -> String {
    Prefix::new(store, value).to_string()
}

/// The keys of all texts, if each has one.
fn all<'t, K>(texts: &'t [String], key: impl Fn(&'t str) -> Option<K>) -> Option<Vec<K>> {
    texts.iter().map(|text| key(text)).collect()
}

fn sorted<K: Ord>(values: &[TermId], keys: &[K]) -> Vec<TermId> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by_key(|&place| &keys[place]);
    places.into_iter().map(|place| values[place]).collect()
}

/// A text that ends in a number, such as `12`, `-3` or `row12`: what comes before, and the number.
fn numbered(text: &str) -> Option<(&str, i64)> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let stem = &text[..text.len() - digits.len()];
    let number = digits.parse::<i64>().ok()?;
    Some(match stem {
        // One order with the numbers that have no sign: -1, 0, 1.
        "-" => ("", -number),
        stem => (stem, number),
    })
}

fn letter(text: &str) -> Option<char> {
    let mut characters = text.chars();
    let first = characters.next()?;
    (characters.next().is_none() && first.is_alphabetic()).then_some(first)
}

impl Chain {
    /// The values in the order in which the relation leads from each to the next, if it does so for all of them. It may
    /// lead back, as well as forth.
    ///
    /// ```text
    /// (next a b) (next b c)                    of {c a b}: a b c
    /// (near a b) (near b a) (near b c) …       the same
    /// (edge a b) (edge a c)                    no order
    /// ```
    fn path(&self, values: &[TermId]) -> Option<Vec<TermId>> {
        let members: IndexSet<TermId, FxBuildHasher> = values.iter().copied().collect();
        let mut neighbours: IndexMap<TermId, Vec<TermId>, FxBuildHasher> = IndexMap::default();
        let mut targets: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        for &(from, to) in &self.0 {
            if from == to || !members.contains(&from) || !members.contains(&to) {
                continue;
            }
            targets.insert(to);
            for (one, other) in [(from, to), (to, from)] {
                // [ST07, Identifying Structures] asks for an antisymmetric, functional and injective relation.
                // DIVERGENCE: one that leads back as well has the same order.
                let near = neighbours.entry(one).or_default();
                if !near.contains(&other) {
                    near.push(other);
                }
                // More than two neighbours: it branches, and is no path.
                if near.len() > 2 {
                    return None;
                }
            }
        }
        let is_end = |value: &TermId| neighbours.get(value).is_some_and(|near| near.len() == 1);
        let ends: Vec<TermId> = members.iter().copied().filter(is_end).collect();
        // Where the relation leads one way, the start is what it does not lead to.
        let is_start = |value: &&TermId| !targets.contains(*value);
        // No end at all: the values go round.
        let start = *ends.iter().find(is_start).or(ends.first())?;
        let mut path = vec![start];
        let mut before = start;
        let mut at = start;
        while let Some(&next) = neighbours[&at].iter().find(|&&next| next != before) {
            path.push(next);
            (before, at) = (at, next);
        }
        // Values that the path does not come to are not related to the others.
        (path.len() == members.len()).then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(values: &str, pairs: &[(&str, &str)]) -> String {
        let mut store = Store::new();
        let mut term = |name: &str| store.constant(name);
        let values: Vec<TermId> = values.split(' ').map(&mut term).collect();
        let pairs = pairs.iter().map(|(from, to)| (term(from), term(to)));
        let chain = Chain(pairs.collect());
        match ordered(&store, &[chain], &values) {
            None => "none".to_owned(),
            Some((values, grounds)) => {
                let names: Vec<String> = values.iter().map(|&value| text(&store, value)).collect();
                format!("{} by {grounds:?}", names.join(" "))
            }
        }
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        assert_eq!(order("10 9 -1", &[]), "-1 9 10 by Numbers");
        assert_eq!(order("c10 c9 c1", &[]), "c1 c9 c10 by Numbers");
        assert_eq!(order("c1 d2", &[]), "none");
        assert_eq!(order("1 2 b", &[]), "none");
    }

    #[test]
    fn a_relation_orders_what_it_leads_through() {
        let forth = [("a", "x"), ("x", "m"), ("m", "end")];
        assert_eq!(order("m end a x", &forth), "a x m end by Chain");
        assert_eq!(order("x m", &forth), "x m by Chain");
        let both = [("up", "mid"), ("mid", "up"), ("mid", "low"), ("low", "mid")];
        assert_eq!(order("mid up low", &both), "up mid low by Chain");
        assert_eq!(order("up low", &both), "none");
        let tree = [("aa", "bb"), ("aa", "cc"), ("aa", "dd")];
        assert_eq!(order("aa bb cc dd", &tree), "none");
        let round = [("aa", "bb"), ("bb", "cc"), ("cc", "aa")];
        assert_eq!(order("aa bb cc", &round), "none");
    }

    #[test]
    fn letters_are_ordered_last() {
        assert_eq!(order("c a b", &[]), "a b c by Letters");
        assert_eq!(order("c a bb", &[]), "none");
    }
}
