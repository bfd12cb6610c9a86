//! Supports: the ways in which a fluent can hold next, apart for each fluent function, and the
//! frame axioms among them.
//!
//! A support is a frame axiom if its conditions imply that the same instance holds now. That is
//! seen in what follows from the conditions, so a frame axiom behind an auxiliary predicate counts.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::known::known;
use crate::fluent::theory::{Dependence, Theory};
use crate::fluent::unfold::{self, TooManyAlternatives};
use crate::term::{Functor, Substitution, TermId};

/// One way in which an instance of a fluent function holds next.
#[derive(Clone, Debug)]
pub struct Support {
    /// The instance.
    pub fluent: TermId,
    /// The conditions, in which every `does` can be seen.
    pub conditions: Conjunction,
    /// Index of the rule.
    pub clause: usize,
    /// Whether the conditions imply that the instance holds now.
    pub is_frame: bool,
}

/// All ways in which the instances of one fluent function hold next.
#[derive(Clone, Debug)]
pub struct Supports {
    /// The function applied to variables of its own, or a constant.
    pub pattern: TermId,
    /// One for each rule and each way in which it can apply.
    pub supports: Vec<Support>,
    /// Rules whose alternatives are too many to be listed.
    pub folded: Vec<usize>,
}

/// The supports of every fluent function of the game, in the order of the domains.
pub(super) fn supports(theory: &mut Theory<'_>) -> Vec<Supports> {
    let patterns = patterns(theory);
    let mut all: Vec<Supports> = patterns
        .into_iter()
        .map(|pattern| Supports {
            pattern,
            supports: Vec::new(),
            folded: Vec::new(),
        })
        .collect();
    let mut by_functor: IndexMap<_, usize, FxBuildHasher> = IndexMap::default();
    for (index, supports) in all.iter().enumerate() {
        by_functor.insert(function(theory, supports.pattern), index);
    }
    let next = theory.words.next;
    for clause in theory.definition(next).to_vec() {
        let head = theory.clauses[clause].head;
        let fluent = theory.store.arguments(head)[0];
        // A rule for `next(?f)` is about every function.
        let targets: Vec<usize> = if theory.is_variable(fluent) {
            (0..all.len()).collect()
        } else {
            let function = function(theory, fluent);
            by_functor.get(&function).copied().into_iter().collect()
        };
        for target in targets {
            match unfold::alternatives(theory, clause) {
                Err(TooManyAlternatives) => all[target].folded.push(clause),
                Ok(alternatives) => {
                    let pattern = all[target].pattern;
                    for alternative in alternatives {
                        let found = opened(theory, clause, pattern, alternative);
                        all[target].supports.extend(found);
                    }
                }
            }
        }
    }
    all
}

/// What a fluent is an instance of: its functor, or itself if it is a number or text.
fn function(theory: &Theory<'_>, fluent: TermId) -> Result<Functor, TermId> {
    theory.store.functor(fluent).ok_or(fluent)
}

/// The function symbols of fluents, applied to variables that occur nowhere else.
fn patterns(theory: &mut Theory<'_>) -> Vec<TermId> {
    let domain = theory.domains.fluents();
    let mut patterns: Vec<TermId> = domain.constants().collect();
    let mut functors = Vec::new();
    for form in domain.forms() {
        if !functors.contains(&form.functor()) {
            functors.push(form.functor());
        }
    }
    patterns.extend(functors.into_iter().map(|functor| theory.pattern(functor)));
    patterns
}

/// Calls within calls that are opened to show what a frame axiom keeps.
const MAX_OPENED: usize = 8;

/// The support that an alternative of a rule is. Of a frame axiom that asks for its fluent through
/// a relation, the supports that the definition of the relation makes of it: so it is seen that the
/// relation holds where the fluent does, and not only that the fluent holds where it does.
fn opened(
    theory: &mut Theory<'_>,
    clause: usize,
    pattern: TermId,
    alternative: unfold::Alternative,
) -> Vec<Support> {
    let mut open = vec![(alternative, 0)];
    let mut found = Vec::new();
    while let Some((alternative, depth)) = open.pop() {
        let Some(support) = support(theory, clause, pattern, &alternative) else {
            continue;
        };
        let hidden = if depth < MAX_OPENED {
            hides(theory, &support)
        } else {
            None
        };
        match hidden.map(|place| unfold::opened(theory, &alternative, place)) {
            // The first is the next one.
            Some(Ok(ways)) => open.extend(ways.into_iter().rev().map(|way| (way, depth + 1))),
            Some(Err(TooManyAlternatives)) | None => found.push(support),
        }
    }
    found
}

/// The condition through which a frame axiom asks for its fluent, if it does not do so itself.
fn hides(theory: &mut Theory<'_>, support: &Support) -> Option<usize> {
    let now = theory.unary(theory.words.state, support.fluent);
    if !support.is_frame || support.conditions.contains(&Condition::Holds(now)) {
        return None;
    }
    let implies = |theory: &mut Theory<'_>, condition: &Condition| {
        let Condition::Holds(atom) = *condition else {
            return false;
        };
        let is_relation = theory.store.functor(atom).is_some_and(|predicate| {
            predicate != theory.words.state
                && theory.dependence(predicate) == Dependence::State
                && !theory.is_recursive(predicate)
        });
        is_relation
            && known(theory, &Conjunction::from([condition.clone()])).is_some_and(|known| {
                let now = known.bindings().apply(theory.store, now);
                known.holds(now)
            })
    };
    let mut conditions = support.conditions.iter();
    conditions.position(|condition| implies(theory, condition))
}

fn support(
    theory: &mut Theory<'_>,
    clause: usize,
    pattern: TermId,
    alternative: &unfold::Alternative,
) -> Option<Support> {
    let fluent = theory.store.arguments(alternative.head)[0];
    // What a variable of the head stands for may be said by a call that was unfolded.
    // An unfolded call may have made the head an instance of another function.
    if !theory.is_variable(fluent) && function(theory, fluent) != function(theory, pattern) {
        return None;
    }
    let mut unifier = Substitution::default();
    let (fluent, conditions) = if theory.is_variable(fluent) {
        // A rule for all fluents is one rule a function, with variables of its own.
        let functor = theory.store.functor(pattern);
        let instance = functor.map_or(pattern, |functor| theory.pattern(functor));
        if !unifier.unify(theory.store, fluent, instance) {
            return None;
        }
        let conditions = alternative.conditions.iter();
        let conditions: Conjunction = conditions
            .map(|condition| condition.apply(theory.store, &unifier))
            .collect();
        (instance, conditions)
    } else {
        (fluent, alternative.conditions.clone())
    };
    // The conditions may be contradictory, and then there is no such support.
    let known = known(theory, &conditions)?;
    let now = theory.unary(theory.words.state, fluent);
    let now = known.bindings().apply(theory.store, now);
    Some(Support {
        fluent,
        conditions,
        clause,
        // After equalities are drawn: `true(cell(X,Y,P))` is found although the rule says `at(X,Y,P)`.
        is_frame: known.holds(now),
    })
}

impl Support {
    /// The variables of the support.
    pub(super) fn variables(&self, theory: &Theory<'_>) -> Vec<u32> {
        let mut found = theory.store.variables(self.fluent);
        for condition in &self.conditions {
            for variable in condition.variables(theory.store) {
                if !found.contains(&variable) {
                    found.push(variable);
                }
            }
        }
        found
    }

    /// The same support with variables that occur nowhere else.
    pub(super) fn rename(&self, theory: &mut Theory<'_>) -> Support {
        let apart = theory.apart(self.variables(theory));
        let conditions = self.conditions.iter();
        Support {
            fluent: apart.apply(theory.store, self.fluent),
            conditions: conditions
                .map(|condition| condition.apply(theory.store, &apart))
                .collect(),
            ..*self
        }
    }
}
