//! Rules whose instances no join finds twice.
//!
//! ```text
//! p(X,Y) ← true(a(X,Z)), not b(Y,Z)      every binding of X, Y, Z is an instance of its own
//! p(X)   ← true(a(X,Y)), true(a(X,Z))    those of Y and Z may change places
//! p(X)   ← true(a(X)), next(X,Y)         next/2 depends on no state: Y is in no instance
//! ```
//!
//! A join finds each binding once, so such instances need not be compared with those that are known. That spares a
//! table with an entry for each instance.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::ground::catalogue::{Catalogue, RelationNumber};
use crate::circuit::ground::rule::{ConditionField, Rule, Template};

/// A condition that is part of all instances: a relation, one of its faces, and whether it is negated.
type FixedCondition = (RelationNumber, u32, bool);

/// Notes for each rule whether it alone has its instances, and each of them for one binding.
pub(super) fn note_unique(rules: &mut [Rule], catalogue: &Catalogue) {
    let shapes: Vec<Vec<FixedCondition>> =
        rules.iter().map(|rule| shapes(rule, catalogue)).collect();
    let head = |rule: &Rule| (rule.head, rule.face as u32);
    let irregular = rules.iter().filter(|rule| !rule.is_regular()).map(head);
    let irregular: FxHashSet<(RelationNumber, u32)> = irregular.collect();
    // Two rules with the same head and the same conditions might find the same instance.
    let mut alike: FxHashMap<_, usize> = FxHashMap::default();
    for (rule, shape) in rules.iter().zip(&shapes) {
        *alike.entry((head(rule), shape)).or_default() += 1;
    }
    for (rule, shape) in rules.iter_mut().zip(&shapes) {
        let alone = alike[&(head(rule), shape)] == 1 && !irregular.contains(&head(rule));
        // Two conditions of one shape can swap their rows, which gives the same set of literals.
        let repeats = shape.windows(2).any(|pair| pair[0] == pair[1]);
        rule.unique = alone && !repeats && rule.shows_all_slots(catalogue);
    }
}

/// The conditions that all instances of a rule have, in order.
fn shapes(rule: &Rule, catalogue: &Catalogue) -> Vec<FixedCondition> {
    let positive = rule.positive.iter();
    let positive = positive.map(|condition| (condition.relation, condition.face, false));
    let negative = rule.negative.iter();
    let negative = negative.map(|condition| (condition.relation, condition.face, true));
    let shapes = positive.chain(negative);
    let open = shapes.filter(|&(relation, ..)| !catalogue.is_static(relation));
    let mut shapes: Vec<FixedCondition> = open
        .map(|(relation, face, negated)| (relation, face as u32, negated))
        .collect();
    shapes.sort_unstable();
    shapes
}

impl Rule {
    /// Whether all its instances have the same conditions, and each binding is found once.
    fn is_regular(&self) -> bool {
        let mut negative = self.negative.iter();
        self.questions.is_empty() && negative.all(|condition| condition.guards.is_empty())
    }

    /// Whether an instance tells what all slots are bound to.
    fn shows_all_slots(&self, catalogue: &Catalogue) -> bool {
        // A slot that stands in static conditions only is lost: two of its values give one instance.
        let mut shown = vec![false; self.slots];
        let positive = self.positive.iter();
        let positive = positive.filter(|condition| !catalogue.is_static(condition.relation));
        for field in positive.flat_map(|condition| &condition.fields) {
            if let ConditionField::Slot(slot) = *field {
                shown[slot] = true;
            }
        }
        let templates = self.negated().flat_map(|condition| &condition.columns);
        for slot in templates.chain(&self.columns).flat_map(Template::slots) {
            shown[slot] = true;
        }
        !shown.contains(&false)
    }
}
