//! Rules without connectives: every rule with `or`, `and` or a `not` over more than an atom becomes
//! several rules whose conditions are atoms, negated atoms and `distinct`.
//!
//! ```text
//! (<= (p ?x) (q ?x) (or (r ?x) (not (and (s ?x) (distinct ?x a)))))
//!     p(X) ← q(X), r(X)      p(X) ← q(X), not s(X)      p(a) ← q(a)
//! ```
//!
//! Where every choice of an `or` binds what the rule shares with it, the choice can be a predicate of its own; then
//! the rest of the rule is instantiated once.

use rustc_hash::FxHashSet;

use crate::circuit::ground::error::GroundError;
use crate::circuit::ground::parts::Parts;
use crate::term::{Clause, Literal, PredicateSet, Store, Substitution, TermId};

/// Rules without connectives, and what is asked of them.
pub(super) struct PlainRules<'p> {
    pub(super) rules: &'p [Clause],
    pub(super) roles: &'p [TermId],
    pub(super) wanted: &'p PredicateSet,
}

/// A rule may become so many.
const MAX_BRANCHES: usize = 4096;

/// A rule of which some conditions are still to be taken into account.
struct Branch {
    done: Vec<TermId>,
    /// Conditions, and whether they stand under a `not`; the next one last.
    open: Vec<(TermId, bool)>,
    bound: Substitution,
}

/// Choices that are predicates of their own.
pub(super) struct Choices<'p> {
    pub(super) parts: Parts,
    /// Predicates a choice among which may have a name. Circuits share less then, and what is asked of
    /// predicates that depend on no state may have no end of answers.
    pub(super) named: &'p PredicateSet,
}

/// The rules without connectives that together say what a rule says.
///
/// # Errors
/// [`GroundError::TooManyAlternatives`] if there are thousands of them.
pub(super) fn plain(
    store: &mut Store,
    choices: &mut Choices<'_>,
    clause: &Clause,
    number: usize,
) -> Result<Vec<Clause>, GroundError> {
    let open = clause.body.iter().rev().map(|&literal| (literal, false));
    let mut branches = vec![Branch {
        done: Vec::new(),
        open: open.collect(),
        bound: Substitution::default(),
    }];
    let mut rules = Vec::new();
    while let Some(mut branch) = branches.pop() {
        if rules.len() + branches.len() > MAX_BRANCHES {
            return Err(GroundError::TooManyAlternatives { clause: number });
        }
        let Some((literal, negated)) = branch.open.pop() else {
            rules.push(branch.rule(store, clause));
            continue;
        };
        // What earlier conditions have bound is put in first: `distinct` under a `not` unifies, and may leave
        // nothing open.
        let literal = branch.bound.apply(store, literal);
        // A choice that can be a predicate of its own does not multiply the rules.
        if !negated && let Some(call) = choices.call(store, clause, &branch, literal) {
            branch.done.push(call);
            branches.push(branch);
            continue;
        }
        branch.take(store, (literal, negated), &mut branches);
    }
    Ok(rules)
}

impl Choices<'_> {
    /// The call that stands for an `or`, if it can and the rest of the rule is instantiated less often then.
    fn call(
        &mut self,
        store: &mut Store,
        clause: &Clause,
        branch: &Branch,
        literal: TermId,
    ) -> Option<TermId> {
        let Literal::Or(choices) = Literal::of(store, literal) else {
            return None;
        };
        let mut each = choices.iter();
        if !each.all(|&choice| self.may_be_named(store, choice)) {
            return None;
        }
        let bodies: Vec<Vec<TermId>> = choices.iter().map(|&choice| vec![choice]).collect();
        let mut rest = vec![clause.head];
        rest.extend(&branch.done);
        rest.extend(branch.open.iter().map(|&(literal, _)| literal));
        let mut around: FxHashSet<u32> = FxHashSet::default();
        for term in rest {
            let term = branch.bound.apply(store, term);
            around.extend(store.variables(term));
        }
        let mut interface = store.variables(literal);
        interface.retain(|variable| around.contains(variable));
        let binds = |body: &Vec<TermId>| {
            let bound = store.variables(body[0]);
            interface.iter().all(|variable| bound.contains(variable))
        };
        // It pays if the rest has variables that the choice does not see; and every choice must bind the interface,
        // or the named predicate would not be safe.
        let pays = around.len() > interface.len() && bodies.iter().all(binds);
        pays.then(|| self.parts.call(store, &interface, bodies, &clause.origin))
    }

    fn may_be_named(&self, store: &Store, choice: TermId) -> bool {
        match Literal::of(store, choice) {
            Literal::Call(atom) => {
                let functor = store.functor(atom);
                functor.is_some_and(|functor| self.named.contains(&functor))
            }
            Literal::Not(_) | Literal::And(_) | Literal::Or(_) | Literal::Distinct(..) => false,
        }
    }
}

impl Branch {
    /// Takes a condition into account, and puts what becomes of the branch on the stack: itself, a branch for each
    /// part of a disjunction, or nothing if the condition never holds.
    ///
    /// De Morgan on the way down: `and` under an even number of `not` and `or` under an odd one extend the branch, the
    /// others split it.
    fn take(
        mut self,
        store: &mut Store,
        (literal, negated): (TermId, bool),
        branches: &mut Vec<Branch>,
    ) {
        match (Literal::of(store, literal), negated) {
            (Literal::Not(inner), _) => self.open.push((inner, !negated)),
            (Literal::And(parts), false) | (Literal::Or(parts), true) => {
                let parts = parts.iter().rev().map(|&part| (part, negated));
                self.open.extend(parts);
            }
            (Literal::Or(parts), false) | (Literal::And(parts), true) => {
                let each = parts.iter().rev().map(|&part| self.with(part, negated));
                branches.extend(each);
                return;
            }
            // not distinct: the two are the same term. If they cannot be, the branch is void.
            (Literal::Distinct(left, right), true) => {
                if !self.bound.unify(store, left, right) {
                    return;
                }
            }
            // Distinct terms are decided at once where both are ground.
            (Literal::Distinct(left, right), false) => {
                if left == right {
                    return;
                }
                if !(store.is_ground(left) && store.is_ground(right)) {
                    self.done.push(literal);
                }
            }
            (Literal::Call(_), false) => self.done.push(literal),
            (Literal::Call(_), true) => {
                let not = store.symbol("not");
                self.done.push(store.compound(not, &[literal]));
            }
        }
        branches.push(self);
    }

    /// The same with one more condition to take first.
    fn with(&self, condition: TermId, negated: bool) -> Branch {
        let mut open = self.open.clone();
        open.push((condition, negated));
        Branch {
            done: self.done.clone(),
            open,
            bound: self.bound.clone(),
        }
    }

    fn rule(self, store: &mut Store, clause: &Clause) -> Clause {
        let head = self.bound.apply(store, clause.head);
        let body = self.done.iter();
        let body = body
            .map(|&literal| self.bound.apply(store, literal))
            .collect();
        Clause {
            origin: clause.origin.clone(),
            ..Clause::of(store, head, body)
        }
    }
}
