//! The cases of a state update axiom, which differ in what holds in the state.
//!
//! Cases exclude each other, and one of them holds wherever the action is possible: a case is only ever replaced by
//! itself with a conjunction, and itself with the negation of it.

use crate::fluent::assemble::instances::is_plain;
use crate::fluent::axioms::Case;
use crate::fluent::certainty::are_certain;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::dependency::is_fact;
use crate::fluent::effect::{Effect, Sign};
use crate::fluent::equality::differ;
use crate::fluent::failure::{BodyFailure, failure};
use crate::fluent::known::Known;
use crate::fluent::theory::Theory;
use crate::term::{Substitution, TermId};

/// Where cases are made: what is known if the action is, its variables, and its effects.
pub(super) struct Cases<'c> {
    pub(super) context: &'c Known,
    /// The variables of the action.
    pub(super) given: &'c [u32],
    pub(super) effects: &'c [Effect],
}

/// A case in the making.
#[derive(Clone)]
pub(super) struct CaseDraft {
    known: Known,
    conditions: Conjunction,
    /// Effects by index.
    effects: Vec<usize>,
}

/// Effects that come about together.
pub(super) struct EffectGroup {
    conditions: Conjunction,
    /// Effects by index.
    pub(super) members: Vec<usize>,
}

impl Cases<'_> {
    /// The first case, with all effects whose conditions are certain once the action is legal, and the others by their
    /// conditions. What can be of no case is added to `rest`.
    pub(super) fn first(
        &self,
        theory: &mut Theory<'_>,
        end: u64,
        rest: &mut Vec<Effect>,
    ) -> (CaseDraft, Vec<EffectGroup>) {
        let mut first = CaseDraft {
            known: self.context.clone(),
            conditions: Vec::new(),
            effects: Vec::new(),
        };
        let mut groups = Vec::new();
        for (index, effect) in self.effects.iter().enumerate() {
            if theory.is_past(end) || !is_plain(theory, effect, self.given) {
                rest.push(effect.clone());
            // Certain in the context, and possible together with the others.
            } else if are_certain(theory, self.context, effect)
                && first.known.assume_all(theory, &effect.conditions).is_ok()
            {
                first.conditions.extend(effect.conditions.iter().cloned());
                first.effects.push(index);
            } else {
                self.group(theory, &mut groups, index);
            }
        }
        (first, groups)
    }

    /// Adds an effect to the group of those with the same conditions.
    fn group(&self, theory: &Theory<'_>, groups: &mut Vec<EffectGroup>, index: usize) {
        let conditions = &self.effects[index].conditions;
        // Conditions with variables of their own are not shared: equal words might mean different things.
        let is_closed = conditions
            .iter()
            .all(|condition| self.is_closed(theory, condition));
        let mut same = groups.iter_mut();
        match same.find(|group| is_closed && group.conditions == *conditions) {
            Some(group) => group.members.push(index),
            None => groups.push(EffectGroup {
                conditions: conditions.clone(),
                members: vec![index],
            }),
        }
    }

    /// Whether a condition has no variables but those of the action.
    fn is_closed(&self, theory: &Theory<'_>, condition: &Condition) -> bool {
        let variables = condition.variables(theory.store);
        variables
            .iter()
            .all(|variable| self.given.contains(variable))
    }

    /// Splits every case by whether the conditions of a group hold.
    pub(super) fn split(
        &self,
        theory: &mut Theory<'_>,
        drafts: &[CaseDraft],
        group: &EffectGroup,
    ) -> Vec<CaseDraft> {
        let conditions = &group.conditions;
        let (local, quantified) = self.own_variables(theory, group);
        let mut finer = Vec::new();
        // Cases in which the conditions are contradictory stay whole, and so do those in which their negation is.
        for draft in drafts {
            let mut with = draft.clone();
            if with.known.assume_all(theory, conditions).is_err() {
                finer.push(draft.clone());
                continue;
            }
            with.conditions.extend(conditions.iter().cloned());
            with.effects.extend(&group.members);
            let mut without = draft.clone();
            // Ways to fail: always (this case has none of the effects), never (no case without), or where one of the
            // ways holds.
            let ways = match failure(theory, &mut without.known, &local, conditions) {
                BodyFailure::Always => {
                    finer.push(draft.clone());
                    continue;
                }
                BodyFailure::Where(ways) => ways,
            };
            if !ways.is_empty() {
                // The negation of a conjunction of one condition is one, too, and says more.
                let negation = match &ways[..] {
                    [way] => way.clone(),
                    _ => vec![Condition::None(
                        quantified.clone().into(),
                        conditions.clone().into(),
                    )],
                };
                if without.known.assume_all(theory, &negation).is_ok() {
                    without.conditions.extend(negation);
                    finer.push(without);
                }
            }
            finer.push(with);
        }
        finer
    }

    /// The variables that are not those of the action: of the conditions and the effects of a group, and of the
    /// conditions alone, each once. The latter are quantified in the negation; the former are needed to tell which are
    /// local.
    fn own_variables(&self, theory: &Theory<'_>, group: &EffectGroup) -> (Vec<u32>, Vec<u32>) {
        let own = |condition: &Condition| {
            let mut variables = condition.variables(theory.store);
            variables.retain(|variable| !self.given.contains(variable));
            variables
        };
        let members = group.members.iter();
        let of_members = members.flat_map(|&member| &self.effects[member].conditions);
        let local = group.conditions.iter().chain(of_members).flat_map(own);
        let mut quantified: Vec<u32> = group.conditions.iter().flat_map(own).collect();
        quantified.sort_unstable();
        quantified.dedup();
        (local.collect(), quantified)
    }

    /// Writes a case with what is known of its variables in their place.
    pub(super) fn finish(&self, theory: &mut Theory<'_>, draft: CaseDraft) -> Case {
        let bindings = draft.known.bindings().clone();
        let mut case = Case {
            conditions: self.conditions(theory, &draft, &bindings),
            negative: Vec::new(),
            positive: Vec::new(),
            rules: Vec::new(),
        };
        for &index in &draft.effects {
            let fluent = bindings.apply(theory.store, self.effects[index].fluent);
            let side = match self.effects[index].sign {
                Sign::Negative => &mut case.negative,
                Sign::Positive => &mut case.positive,
            };
            if !side.contains(&fluent) {
                side.push(fluent);
            }
            case.rules.extend(&self.effects[index].clauses);
        }
        case.rules.sort_unstable();
        case.rules.dedup();
        settle(theory, &draft.known, &mut case);
        case
    }

    /// The conditions of a case: arguments that it determines, and what is not trivial under its bindings.
    fn conditions(
        &self,
        theory: &mut Theory<'_>,
        draft: &CaseDraft,
        bindings: &Substitution,
    ) -> Conjunction {
        let mut conditions = Conjunction::new();
        // An argument that must be some term in this case only; elsewhere it is written as that term.
        for &argument in self.given {
            let argument = theory.store.variable(argument);
            let value = bindings.apply(theory.store, argument);
            if value != self.context.bindings().apply(theory.store, argument) {
                conditions.push(Condition::Equal(argument, value));
            }
        }
        for condition in &draft.conditions {
            let written = condition.apply(theory.store, bindings);
            if !self.is_trivial(theory, condition, &written) && !conditions.contains(&written) {
                conditions.push(written);
            }
        }
        conditions
    }

    /// Whether a condition, as it was found and as it is written, holds by itself, is a fact, or follows from the
    /// action's being legal.
    fn is_trivial(
        &self,
        theory: &mut Theory<'_>,
        condition: &Condition,
        written: &Condition,
    ) -> bool {
        let is_closed = self.is_closed(theory, written);
        match written {
            Condition::Equal(left, right) => left == right,
            Condition::Differ(pairs) if pairs.iter().any(|&(l, r)| differ(theory.store, l, r)) => {
                true
            }
            Condition::Holds(atom) => {
                is_fact(theory, *atom) || is_closed && self.context.entails(theory, condition)
            }
            Condition::Fails(_) | Condition::Differ(_) | Condition::None(..) => {
                is_closed && self.context.entails(theory, condition)
            }
        }
    }
}

/// What is added and removed at once holds afterwards. If it is known to hold before, nothing changes at all.
fn settle(theory: &mut Theory<'_>, known: &Known, case: &mut Case) {
    for fluent in case.positive.clone() {
        if !case.negative.contains(&fluent) {
            continue;
        }
        let drop_from = |list: &mut Vec<TermId>| list.retain(|&other| other != fluent);
        drop_from(&mut case.negative);
        let now = theory.unary(theory.words.state, fluent);
        if known.holds(now) {
            drop_from(&mut case.positive);
        }
    }
}
