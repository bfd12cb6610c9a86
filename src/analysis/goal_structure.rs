//! Goal structure: what each evaluation of the concepts is worth, and whether subgames can be
//! played to their ends one after the other.
//!
//! Truth tables decide it: a column of bits for each atom, one for each evaluation of all concepts
//! \[GST09, Definition 6\]. The payoffs are *additive* if each concept is worth a fixed number of
//! points, and *strictly ordered* if of two evaluations of one subgame the better one does not
//! depend on the others; then greedy search is optimal, as long as the end does not come between.
//! The end is a *disjunction of local concepts* if some subgame alone can always say that it has
//! come; then no plan needs to remember on what way it went.
//!
//! Source: \[G07, Table 4.1, Sections 4.1.2, 6.2 and 6.3\].

use std::cmp::Ordering;
use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::analysis::concept::Upper;
use crate::analysis::formula::Formula;

/// Concepts of which all evaluations are listed.
pub(super) const MAX_CONCEPTS: usize = 16;

/// One bit for each evaluation of the concepts.
type Column = Vec<u64>;

/// The truth of atoms under all evaluations of the concepts.
pub(super) struct Tables {
    concepts: usize,
    atoms: Vec<Column>,
}

impl Tables {
    /// Fills the tables; nothing if there are more than [`MAX_CONCEPTS`] concepts.
    pub(super) fn of(upper: &Upper) -> Option<Self> {
        let concepts = upper.concepts.len();
        if concepts > MAX_CONCEPTS {
            return None;
        }
        // 3 concepts: 8 evaluations in one word; 8 concepts: 256 in four.
        let words = (1usize << concepts).div_ceil(64);
        let mut tables = Self {
            concepts,
            atoms: vec![vec![0; words]; upper.atoms.len()],
        };
        for place in upper.callees_first() {
            tables.atoms[place] = tables.column(&upper.atoms[place], words);
        }
        Some(tables)
    }

    /// The column of a formula. Its depth is that of the connectives of one rule.
    fn column(&self, formula: &Formula, words: usize) -> Column {
        match formula {
            // With fewer than six concepts the upper bits of the word are no evaluations, and nobody reads them.
            Formula::Constant(value) => vec![if *value { u64::MAX } else { 0 }; words],
            Formula::Concept(place) => (0..words).map(|word| bits(*place, word)).collect(),
            Formula::Atom(place) => self.atoms[*place].clone(),
            Formula::Not(inner) => self.column(inner, words).iter().map(|word| !word).collect(),
            Formula::All(parts) => {
                let parts = parts.iter().map(|part| self.column(part, words));
                parts.fold(vec![u64::MAX; words], |all, part| {
                    all.iter().zip(part).map(|(a, b)| a & b).collect()
                })
            }
            Formula::Any(parts) => {
                let parts = parts.iter().map(|part| self.column(part, words));
                parts.fold(vec![0; words], |all, part| {
                    all.iter().zip(part).map(|(a, b)| a | b).collect()
                })
            }
        }
    }

    /// Whether an atom holds under an evaluation, whose bit `i` says whether concept `i` holds.
    pub(super) fn holds(&self, atom: usize, evaluation: usize) -> bool {
        self.atoms[atom][evaluation / 64] >> (evaluation % 64) & 1 == 1
    }

    /// The number of evaluations.
    pub(super) fn evaluations(&self) -> usize {
        1 << self.concepts
    }
}

/// The word of a concept's own column.
fn bits(concept: usize, word: usize) -> u64 {
    // Bit e of a column is evaluation e: concept 0 alternates 01, concept 1 0011, …; from concept 6 on whole words do.
    const PATTERNS: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    match PATTERNS.get(concept) {
        Some(&pattern) => pattern,
        None if word >> (concept - PATTERNS.len()) & 1 == 1 => u64::MAX,
        None => 0,
    }
}

/// What all evaluations of the concepts are worth to one role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoffTable {
    /// The role, by number.
    pub role: usize,
    /// The concepts that the values depend on, by place, ascending.
    pub concepts: Vec<usize>,
    /// For each evaluation of these, of which bit `i` is that of the `i`-th: the values that there
    /// can be, over all evaluations of the other concepts; mostly one.
    pub values: Vec<BTreeSet<i64>>,
    /// What each of the concepts is worth, and what there is without them, if the sum is the value.
    pub additive: Option<(i64, Vec<i64>)>,
    /// How evaluations of single subgames compare.
    pub order: Order,
}

/// Whether the better of two evaluations of one subgame's concepts depends on the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// It is the same one whatever the others are.
    Strict,
    /// It is the same one wherever it makes a difference.
    Weak,
    /// It is one or the other.
    None,
}

impl PayoffTable {
    /// Judges values: `all` has the value of each evaluation of all concepts, if there is one; `subgames` the subgame
    /// of each concept; `idle` says of subgames whether nobody acts there.
    pub(super) fn of(
        role: usize,
        all: &[Option<i64>],
        subgames: &[usize],
        idle: &dyn Fn(usize) -> bool,
    ) -> Self {
        // In "incredible" step(c20) decides whether 0 is a value or none is, and matters for no other row: it is left
        // out, and the table is that of [G07, Table 4.1].
        let concepts: Vec<usize> = (0..subgames.len())
            .filter(|&concept| !idle(subgames[concept]) || matters(all, concept))
            .filter(|&concept| decides(all, concept))
            .collect();
        let mut values = vec![BTreeSet::new(); 1 << concepts.len()];
        for (evaluation, value) in all.iter().enumerate() {
            let own = concepts.iter().enumerate();
            // The bits of the concepts that matter, moved together.
            let own: usize = own
                .map(|(bit, &concept)| (evaluation >> concept & 1) << bit)
                .sum();
            values[own].extend(value);
        }
        let own: Vec<usize> = concepts.iter().map(|&concept| subgames[concept]).collect();
        Self {
            role,
            additive: additive(&values, concepts.len()),
            order: order(&values, &own),
            concepts,
            values,
        }
    }
}

/// Whether two evaluations that differ in one concept only have different values.
fn matters(all: &[Option<i64>], concept: usize) -> bool {
    (0..all.len()).any(|evaluation| {
        let other = evaluation ^ 1 << concept;
        matches!((all[evaluation], all[other]), (Some(one), Some(two)) if one != two)
    })
}

/// The same, or one of the two has no value.
fn decides(all: &[Option<i64>], concept: usize) -> bool {
    (0..all.len()).any(|evaluation| all[evaluation] != all[evaluation ^ 1 << concept])
}

/// What there is without concepts, and what each adds, if that says it all.
fn additive(values: &[BTreeSet<i64>], concepts: usize) -> Option<(i64, Vec<i64>)> {
    let only = |evaluation: usize| match values[evaluation].len() {
        1 => values[evaluation].first().copied(),
        _ => None,
    };
    // What no concept gives, then what each gives alone; additive if that adds up everywhere.
    let base = only(0)?;
    let worth: Vec<i64> = (0..concepts)
        .map(|concept| Some(only(1 << concept)? - base))
        .collect::<Option<_>>()?;
    let fits = |evaluation: usize| {
        let held = (0..concepts).filter(|concept| evaluation >> concept & 1 == 1);
        only(evaluation) == Some(base + held.map(|concept| worth[concept]).sum::<i64>())
    };
    (0..values.len()).all(fits).then_some((base, worth))
}

/// How evaluations of each subgame compare; those without a value are no ends that can be reached.
fn order(values: &[BTreeSet<i64>], subgames: &[usize]) -> Order {
    // Two counters that were left out, each of which matters for nothing, may still matter together.
    if values.iter().any(|values| values.len() > 1) {
        return Order::None;
    }
    let value = |evaluation: usize| values[evaluation].first().copied();
    let own: BTreeSet<usize> = subgames.iter().copied().collect();
    let mut order = Order::Strict;
    for subgame in own {
        let mask = mask(subgames, subgame);
        let others: Vec<usize> = (0..values.len()).filter(|e| e & mask == 0).collect();
        // Evaluations of the same worth wherever the others stand compare alike with all, and there
        // are far fewer worths than evaluations.
        let within = (0..values.len()).filter(|e| e & !mask == 0);
        let worths: IndexSet<Vec<Option<i64>>, FxBuildHasher> = within
            .map(|one| others.iter().map(|&other| value(one | other)).collect())
            .collect();
        for (place, one) in worths.iter().enumerate() {
            for two in worths.iter().take(place) {
                order = order.max(comparison(one, two));
                if order == Order::None {
                    return order;
                }
            }
        }
    }
    order
}

/// How two evaluations of one subgame compare, given what each is worth for each evaluation of the
/// others.
fn comparison(one: &[Option<i64>], two: &[Option<i64>]) -> Order {
    let [mut is_less, mut is_equal, mut is_greater] = [false; 3];
    for pair in one.iter().zip(two) {
        if let (Some(one), Some(two)) = pair {
            match one.cmp(two) {
                Ordering::Less => is_less = true,
                Ordering::Equal => is_equal = true,
                Ordering::Greater => is_greater = true,
            }
        }
    }
    match (is_less, is_equal, is_greater) {
        // Better here and worse there; better here and equal there; or the same relation everywhere.
        (true, _, true) => Order::None,
        (true, true, false) | (false, true, true) => Order::Weak,
        (_, false, false) | (false, _, false) | (false, false, true) => Order::Strict,
    }
}

/// The bits of a subgame's concepts.
fn mask(subgames: &[usize], subgame: usize) -> usize {
    let own = (0..subgames.len()).filter(|&concept| subgames[concept] == subgame);
    own.map(|concept| 1 << concept).sum()
}

/// Whether the end has come exactly if one subgame's concepts alone say so.
pub(super) fn is_local_disjunction(tables: &Tables, terminal: usize, subgames: &[usize]) -> bool {
    let own: BTreeSet<usize> = subgames.iter().copied().collect();
    let decided: Vec<bool> = {
        let mut decided = vec![false; tables.evaluations()];
        for subgame in own {
            let mask = mask(subgames, subgame);
            // By evaluation of the subgame's concepts alone (the others 0): whether the end has come for all
            // evaluations of the others.
            let mut always = vec![true; tables.evaluations()];
            for evaluation in 0..tables.evaluations() {
                always[evaluation & mask] &= tables.holds(terminal, evaluation);
            }
            for (evaluation, decided) in decided.iter_mut().enumerate() {
                *decided |= always[evaluation & mask];
            }
        }
        decided
    };
    (0..tables.evaluations())
        .all(|evaluation| tables.holds(terminal, evaluation) == decided[evaluation])
}
