//! Domain constraints proved of all reachable states.
//!
//! Candidates are proved together by induction: the initial state satisfies them, and if a state
//! satisfies all of them, so does every successor. A candidate whose step cannot be proved is
//! dropped, and what was proved by it is proved anew, until what is left proves itself. For "at
//! most one", the step is refuted pair by pair: no two ways in which instances hold next can apply
//! together.
//!
//! ```text
//! step:  next(step(V)) if step(U), succ(U,V)        twice: step(U), step(U'), so U = U'
//!                                                   the facts of succ: V = V'
//! ```
//!
//! Source: the guess-and-check of Houdini (Flanagan, Leino 2001) with the chase as its prover.

use std::rc::Rc;

use fixedbitset::FixedBitSet;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::constraint::Constraint;
use crate::fluent::invariant::implies;
use crate::fluent::known::known_together;
use crate::fluent::stated::Stated;
use crate::fluent::support::{Support, Supports};
use crate::fluent::theory::Theory;
use crate::term::{Functor, Substitution, TermId};

/// Pairs of supports that are compared for one candidate.
const MAX_PAIRS: usize = 40_000;

/// Constraints with those that their proofs use.
type Proofs = IndexMap<Constraint, Vec<Constraint>, FxBuildHasher>;

/// Keeps the candidates that prove themselves by induction, the strongest only. Constraints of
/// the form [`Constraint::Some`] pass; they are proved from the effects.
pub(super) fn prove(theory: &mut Theory<'_>, supports: &[Supports], candidates: Vec<Constraint>) {
    let mut kept: IndexSet<Constraint, FxBuildHasher> = candidates.into_iter().collect();
    let mut proofs = Proofs::default();
    let mut ways: IndexMap<Functor, Ways, FxBuildHasher> = IndexMap::default();
    // Houdini: assume all that are left, refute each step, drop what fails, until nothing does. What is left holds
    // together.
    loop {
        let strongest = strongest(&kept);
        // Weaker constraints take no part while a stronger one is assumed; they come back when it falls.
        theory.constraints.clone_from(&strongest);
        // A proof stands as long as all that it used stands.
        let is_open = |constraint: &&Constraint| !proofs.contains_key(*constraint);
        let open: Vec<&Constraint> = strongest.iter().filter(is_open).collect();
        let mut failed: Vec<Constraint> = Vec::new();
        for (functions, mut claims) in claims(&open) {
            for function in [functions.0, functions.1] {
                if !ways.contains_key(&function) {
                    ways.extend(Ways::of(theory, supports, function).map(|own| (function, own)));
                }
            }
            check(theory, &ways, functions, &mut claims);
            for claim in claims {
                if claim.is_proved {
                    // What the chase used in refuting pairs, so that dropping another constraint does not
                    // invalidate the proof.
                    let used = claim.used.ones().map(|law| strongest[law].clone());
                    proofs.insert(claim.constraint.clone(), used.collect());
                } else {
                    failed.push(claim.constraint.clone())
                }
            }
        }
        if failed.is_empty() {
            return;
        }
        kept.retain(|constraint| !failed.contains(constraint));
        // Proofs that used a failed one are open again.
        proofs.retain(|_, used| !used.iter().any(|law| failed.contains(law)));
    }
}

/// The constraints that no other one implies.
fn strongest(kept: &IndexSet<Constraint, FxBuildHasher>) -> Vec<Constraint> {
    let is_implied = |weak: &Constraint| {
        let mut others = kept.iter().filter(|strong| *strong != weak);
        others.any(|strong| implies(strong, weak))
    };
    kept.iter()
        .filter(|law| !is_implied(law))
        .cloned()
        .collect()
}

/// What is claimed of all pairs of instances of two functions: that never both hold.
struct ExclusionClaim<'c> {
    constraint: &'c Constraint,
    /// They agree at these positions.
    key: Vec<(usize, usize)>,
    /// The first has this constant at this position, and so has the second if they differ.
    only: Option<(usize, TermId)>,
    /// They are not the same.
    differ: bool,
    /// Whether no pair of supports was found that may violate it.
    is_proved: bool,
    /// The constraints, by place, that were used to refute pairs.
    used: FixedBitSet,
}

/// The claims that constraints make, by the functions of which they make them.
fn claims<'c>(
    constraints: &[&'c Constraint],
) -> IndexMap<(Functor, Functor), Vec<ExclusionClaim<'c>>, FxBuildHasher> {
    let mut claims: IndexMap<_, Vec<ExclusionClaim<'c>>, FxBuildHasher> = IndexMap::default();
    for &constraint in constraints {
        let (functions, key, only) = match constraint {
            Constraint::Some { .. } => continue,
            Constraint::Functional { fluent, key, only } => {
                let key = key.iter().map(|&at| (at, at)).collect();
                ((*fluent, *fluent), key, *only)
            }
            Constraint::Exclusive { one, other, key } => ((*one, *other), key.clone(), None),
        };
        claims.entry(functions).or_default().push(ExclusionClaim {
            constraint,
            key,
            only,
            differ: functions.0 == functions.1,
            is_proved: true,
            used: FixedBitSet::new(),
        });
    }
    claims
}

/// Holds claims of two functions against all pairs of their supports.
fn check(
    theory: &mut Theory<'_>,
    ways: &IndexMap<Functor, Ways, FxBuildHasher>,
    (one, other): (Functor, Functor),
    claims: &mut [ExclusionClaim<'_>],
) {
    let few = ways.get(&one).zip(ways.get(&other));
    // For a claim about one function, each unordered pair once, a support with itself included: two instances of it
    // may differ.
    let few = few.filter(|(some, others)| {
        let pairs = some.ways.len() * others.ways.len();
        let pairs = if one == other { pairs / 2 } else { pairs };
        !some.is_folded && !others.is_folded && pairs <= MAX_PAIRS
    });
    let Some((some, others)) = few else {
        claims.iter_mut().for_each(|claim| claim.is_proved = false);
        return;
    };
    // The second instance has variables of its own, or the two would be the same.
    let rights = if one == other {
        &others.copies
    } else {
        &others.ways
    };
    for (place, left) in some.ways.iter().enumerate() {
        for right in &rights[if one == other { place } else { 0 }..] {
            refute(theory, left, right, claims);
        }
    }
}

/// The supports of one function.
struct Ways {
    ways: Vec<Way>,
    /// The same with other variables, for a second instance.
    copies: Vec<Way>,
    /// Whether there are more than are listed.
    is_folded: bool,
}

impl Ways {
    fn of(theory: &mut Theory<'_>, supports: &[Supports], function: Functor) -> Option<Self> {
        let mut all = supports.iter();
        let supports =
            all.find(|supports| theory.store.functor(supports.pattern) == Some(function))?;
        let own = supports.supports.iter();
        let ways = own
            .clone()
            .map(|support| Way::of(theory, support))
            .collect();
        let copies = own.map(|support| {
            let copy = support.rename(theory);
            Way::of(theory, &copy)
        });
        Some(Self {
            ways,
            copies: copies.collect(),
            is_folded: !supports.folded.is_empty(),
        })
    }
}

/// A support whose conditions are stated in many conjunctions.
struct Way {
    fluent: TermId,
    conditions: Rc<[Stated]>,
}

impl Way {
    fn of(theory: &Theory<'_>, support: &Support) -> Self {
        Self {
            fluent: support.fluent,
            conditions: Stated::all(theory.store, &support.conditions),
        }
    }
}

/// Holds claims against one pair of supports: each must follow from what both say.
fn refute(theory: &mut Theory<'_>, left: &Way, right: &Way, claims: &mut [ExclusionClaim<'_>]) {
    let mut open: Vec<&mut ExclusionClaim<'_>> = claims
        .iter_mut()
        // A pair that cannot be of the claim's form at all needs no chase.
        .filter(|claim| claim.is_proved && may_violate(theory, left, right, claim))
        .collect();
    let both = [&left.conditions[..], &right.conditions[..]];
    // One claim is held against the pair with its conditions at once, which is cheaper than saturating twice.
    if let [claim] = &mut open[..] {
        let violation = violation(theory, left, right, claim);
        theory.used.clear();
        claim.is_proved = known_together(theory, &violation, &both).is_none();
        claim.used.union_with(&theory.used);
        return;
    }
    if open.is_empty() {
        return;
    }
    // What follows from both alone is the same for all claims.
    theory.used.clear();
    let known = known_together(theory, &[], &both);
    let shared = std::mem::take(&mut theory.used);
    for claim in open {
        claim.used.union_with(&shared);
        // The two supports exclude each other: every claim of this pair is proved.
        if let Some(known) = &known {
            let conditions = violation(theory, left, right, claim);
            theory.used.clear();
            claim.is_proved = known.refutes(theory, &conditions);
            claim.used.union_with(&theory.used);
        }
    }
}

/// Whether the fluents of two supports have instances of which a claim speaks.
fn may_violate(theory: &Theory<'_>, left: &Way, right: &Way, claim: &ExclusionClaim<'_>) -> bool {
    let store = &*theory.store;
    let (some, others) = (store.arguments(left.fluent), store.arguments(right.fluent));
    let mut unifier = Substitution::default();
    let mut key = claim.key.iter();
    key.all(|&(i, j)| unifier.unify(store, some[i], others[j]))
        && claim.only.is_none_or(|(at, term)| {
            unifier.unify(store, some[at], term) && unifier.unify(store, others[at], term)
        })
}

/// That the instances of two supports are a pair of which a claim speaks.
fn violation(
    theory: &Theory<'_>,
    left: &Way,
    right: &Way,
    claim: &ExclusionClaim<'_>,
) -> Conjunction {
    let some = theory.store.arguments(left.fluent);
    let others = theory.store.arguments(right.fluent);
    let key = claim.key.iter();
    let mut conditions: Conjunction = key
        .map(|&(i, j)| Condition::Equal(some[i], others[j]))
        .collect();
    // Both have the constant; and "at most one" is about two that differ.
    if let Some((at, term)) = claim.only {
        conditions.push(Condition::Equal(some[at], term));
        conditions.push(Condition::Equal(others[at], term));
    }
    if claim.differ {
        let pairs = some.iter().copied().zip(others.iter().copied()).collect();
        conditions.push(Condition::Differ(pairs));
    }
    conditions
}
