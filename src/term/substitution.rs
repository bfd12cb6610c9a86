//! Substitutions: what variables stand for, applied to terms and found by unification.
//!
//! Variables are numbered; two clauses that are looked at together are first renamed apart with
//! [`rename`]. All walks keep a stack, so that depth is bounded by memory.

use im::GenericHashMap;
use im::shared_ptr::DefaultSharedPtr;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use crate::term::store::{Store, Term, TermId};

/// Pairs of terms that are to be made equal.
type Equations = SmallVec<[(TermId, TermId); 8]>;

/// What is bound, as a persistent map: the cases of a proof extend copies of one substitution, each by a few variables,
/// and share the rest.
type Bindings = GenericHashMap<u32, TermId, FxBuildHasher, DefaultSharedPtr>;

/// Terms for some variables. No variable leads back to itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Substitution {
    terms: Bindings,
}

impl Substitution {
    /// Whether no variable is bound.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The number of variables that are bound.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// What a variable is bound to, one step.
    pub fn of(&self, variable: u32) -> Option<TermId> {
        self.terms.get(&variable).copied()
    }

    /// Binds a variable that is not bound to a term that does not contain it.
    pub fn bind(&mut self, variable: u32, term: TermId) {
        self.terms.insert(variable, term);
    }

    /// The term at the end of a chain of variables.
    pub fn walk(&self, store: &Store, mut term: TermId) -> TermId {
        while let Term::Variable(number) = store.view(term) {
            match self.terms.get(&number) {
                Some(&next) => term = next,
                None => break,
            }
        }
        term
    }

    /// Whether a variable of a term is bound.
    pub fn binds_in(&self, store: &Store, term: TermId) -> bool {
        !self.is_empty() && store.any_variable(term, |number| self.terms.contains_key(&number))
    }

    /// The term with all bound variables replaced. Linear in the size of the result.
    pub fn apply(&self, store: &mut Store, term: TermId) -> TermId {
        if self.binds_in(store, term) {
            rebuild(store, term, |store, term| {
                // A variable is replaced by the end of its chain, and bound variables in that again.
                let end = self.walk(store, term);
                (end != term).then_some(end)
            })
        } else {
            term
        }
    }

    /// Makes two terms equal by binding variables, as few as possible: the most general unifier on
    /// top of what is bound already. False if there is none; some variables may be bound then.
    pub fn unify(&mut self, store: &Store, left: TermId, right: TermId) -> bool {
        // The equations that are left (Martelli and Montanari), as a stack.
        let mut pending: Equations = SmallVec::from_slice(&[(left, right)]);
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.walk(store, left), self.walk(store, right));
            if left == right {
                continue;
            }
            match (store.view(left), store.view(right)) {
                (Term::Variable(one), Term::Variable(other)) => {
                    // The younger variable gives way, so that those of the caller stay.
                    let (young, old) = if one > other {
                        (one, right)
                    } else {
                        (other, left)
                    };
                    self.bind(young, old);
                }
                // With the occurs check: terms of the store are finite.
                (Term::Variable(variable), _) if !self.occurs(store, variable, right) => {
                    self.bind(variable, right);
                }
                (_, Term::Variable(variable)) if !self.occurs(store, variable, left) => {
                    self.bind(variable, left);
                }
                (Term::Compound(f, some), Term::Compound(g, others))
                    if f == g && some.len() == others.len() =>
                {
                    pending.extend(some.iter().copied().zip(others.iter().copied()));
                }
                _ => return false,
            }
        }
        true
    }

    /// Solves an equation by binding no variables but those that are `free`; equations between others
    /// and terms are left over. False if the terms differ whatever the variables stand for.
    pub fn solve(
        &mut self,
        store: &Store,
        equation: (TermId, TermId),
        free: &[u32],
        left_over: &mut Vec<(TermId, TermId)>,
    ) -> bool {
        let mut pending: Equations = SmallVec::from_slice(&[equation]);
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.walk(store, left), self.walk(store, right));
            if left == right {
                continue;
            }
            match (store.view(left), store.view(right)) {
                (Term::Variable(variable), _) if free.contains(&variable) => {
                    if self.occurs(store, variable, right) {
                        return false;
                    }
                    self.bind(variable, right);
                }
                (_, Term::Variable(variable)) if free.contains(&variable) => {
                    if self.occurs(store, variable, left) {
                        return false;
                    }
                    self.bind(variable, left);
                }
                // An equation of a variable that must stay open: a condition for the caller.
                (Term::Variable(_), _) | (_, Term::Variable(_)) => left_over.push((left, right)),
                (Term::Compound(f, some), Term::Compound(g, others))
                    if f == g && some.len() == others.len() =>
                {
                    pending.extend(some.iter().copied().zip(others.iter().copied()));
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether a variable occurs in a term.
    fn occurs(&self, store: &Store, variable: u32, term: TermId) -> bool {
        let mut pending: SmallVec<[TermId; 16]> = SmallVec::from_slice(&[term]);
        while let Some(term) = pending.pop() {
            let term = self.walk(store, term);
            if store.is_ground(term) {
                continue;
            }
            if store.view(term) == Term::Variable(variable) {
                return true;
            }
            pending.extend(store.arguments(term).iter().copied());
        }
        false
    }
}

/// A term with its variables numbered from `offset` on.
pub fn rename(store: &mut Store, term: TermId, offset: u32) -> TermId {
    if store.is_ground(term) || offset == 0 {
        term
    } else {
        map_variables(store, term, |store, number| store.variable(number + offset))
    }
}

/// A term with a term for each of its variables.
pub fn map_variables(
    store: &mut Store,
    term: TermId,
    mut replace: impl FnMut(&mut Store, u32) -> TermId,
) -> TermId {
    let mut known: FxHashMap<u32, TermId> = FxHashMap::default();
    for number in store.variables(term) {
        let replacement = replace(store, number);
        known.insert(number, replacement);
    }
    build(store, term, &known)
}

/// A term in which variables are replaced at once, not again in what they are replaced by.
fn build(store: &mut Store, term: TermId, known: &FxHashMap<u32, TermId>) -> TermId {
    let mut steps: SubstitutionSteps = smallvec![SubstitutionStep::Visit(term)];
    let mut built = Built::new();
    while let Some(step) = steps.pop() {
        match step {
            SubstitutionStep::Visit(term) if store.is_ground(term) => built.push(term),
            SubstitutionStep::Visit(term) => match store.view(term) {
                Term::Variable(number) => built.push(known.get(&number).copied().unwrap_or(term)),
                Term::Atom(_)
                | Term::Integer(_)
                | Term::Float(_)
                | Term::Big(_)
                | Term::Text(_)
                | Term::Compound(..) => open(store, term, &mut steps),
            },
            SubstitutionStep::Build(term) => close(store, term, &mut built),
        }
    }
    result(built)
}

/// A step of a walk: look at a term, or build it from its arguments.
enum SubstitutionStep {
    Visit(TermId),
    Build(TermId),
}

/// Steps that are left of a walk, the next one last.
type SubstitutionSteps = SmallVec<[SubstitutionStep; 16]>;

/// Terms that are arguments of what is built next.
type Built = SmallVec<[TermId; 16]>;

fn open(store: &Store, term: TermId, steps: &mut SubstitutionSteps) {
    steps.push(SubstitutionStep::Build(term));
    steps.extend(
        store
            .arguments(term)
            .iter()
            .rev()
            .map(|&a| SubstitutionStep::Visit(a)),
    );
}

fn close(store: &mut Store, term: TermId, built: &mut Built) {
    if let Term::Compound(symbol, arguments) = store.view(term) {
        // The last terms built are its arguments, in their order.
        let start = built.len() - arguments.len();
        let whole = store.compound(symbol, &built[start..]);
        built.truncate(start);
        built.push(whole);
    }
}

fn result(mut built: Built) -> TermId {
    built
        .pop()
        .unwrap_or_else(|| unreachable!("the walk leaves the term of its root"))
}

/// A term in which subterms are replaced as `replace` says, again in what they are replaced by.
fn rebuild(
    store: &mut Store,
    term: TermId,
    replace: impl Fn(&Store, TermId) -> Option<TermId>,
) -> TermId {
    let mut steps: SubstitutionSteps = smallvec![SubstitutionStep::Visit(term)];
    let mut built = Built::new();
    while let Some(step) = steps.pop() {
        match step {
            SubstitutionStep::Visit(term) if store.is_ground(term) => built.push(term),
            SubstitutionStep::Visit(term) => match replace(store, term) {
                // Visited again, since what replaces a subterm may have replaceable parts itself.
                Some(other) => steps.push(SubstitutionStep::Visit(other)),
                None if store.arguments(term).is_empty() => built.push(term),
                None => open(store, term, &mut steps),
            },
            SubstitutionStep::Build(term) => close(store, term, &mut built),
        }
    }
    result(built)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unifier_makes_terms_equal_and_is_idempotent() {
        let mut store = Store::new();
        let (f, a) = (store.symbol("f"), store.constant("a"));
        let (x, y, z) = (store.variable(0), store.variable(1), store.variable(2));
        let inner = store.compound(f, &[y, a]);
        let left = store.compound(f, &[x, inner]);
        let right = store.compound(f, &[z, z]);
        let mut unifier = Substitution::default();
        assert!(unifier.unify(&store, left, right));
        let (one, other) = (
            unifier.apply(&mut store, left),
            unifier.apply(&mut store, right),
        );
        assert_eq!(one, other);
        assert_eq!(unifier.apply(&mut store, one), one);
        let loops = store.compound(f, &[x, x]);
        assert!(!Substitution::default().unify(&store, x, loops));
    }
}
