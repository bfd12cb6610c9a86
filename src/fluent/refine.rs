//! The body of a rule where a conjunction is known to hold: what of it is left to be decided.
//!
//! Variables of the body alone are existential. A witness that is already known takes their place
//! where a constraint says that there is no other:
//!
//! ```text
//! known:    does(robot, grab), true(cell(C))            at most one cell(_) holds
//! body:     does(robot, grab), true(cell(X)), distinct(X, Y)
//! left:     distinct(C, Y)
//! ```

use rustc_hash::FxHashSet;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::equality::differ;
use crate::fluent::known::Known;
use crate::fluent::theory::Theory;
use crate::fluent::witness::{Decision, decide, is_open};
use crate::term::{Store, Substitution, Term, TermId};

/// What is left of a body.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// Conditions that are neither known to hold nor to fail.
    pub(super) conditions: Conjunction,
    /// What the variables of the body stand for.
    pub(super) witnesses: Substitution,
}

/// What of a body is left under what is known; none if it cannot hold. A witness may become known
/// that a constraint guarantees.
pub(super) fn refine(
    theory: &mut Theory<'_>,
    known: &mut Known,
    local: &[u32],
    body: &[Condition],
) -> Option<Rest> {
    let mut witnesses = Substitution::default();
    let mut pending: Conjunction = body.to_vec();
    // Until nothing changes: a witness found for one condition may decide another.
    loop {
        // Where the equations of a body fail, so does the body; the rest is decided where they
        // hold.
        let mut equated = known.clone();
        let equations = equations(theory, local, &pending);
        equated.assume_all(theory, &equations).ok()?;
        let words = if equations.is_empty() {
            OwnWords::default()
        } else {
            OwnWords::of(theory, known, &equated, body)
        };
        let mut pass = Pass {
            local,
            equated,
            words,
            witnesses,
            left: Vec::new(),
            has_changed: false,
        };
        for condition in pending {
            pass.take(theory, known, condition)?;
        }
        (pending, witnesses) = (pass.left, pass.witnesses);
        if !pass.has_changed {
            break;
        }
    }
    Some(Rest {
        conditions: pending,
        witnesses,
    })
}

/// One pass over the conditions of a body.
struct Pass<'b> {
    /// The variables of the body alone.
    local: &'b [u32],
    /// What holds if the body does: what is known, and the equations of the body. Equations themselves are judged by
    /// what is known alone, as each would follow from itself.
    equated: Known,
    words: OwnWords,
    /// What the variables of the body stand for, as far as it was found.
    witnesses: Substitution,
    /// The conditions that are left.
    left: Conjunction,
    /// Whether another pass may find more.
    has_changed: bool,
}

impl Pass<'_> {
    /// Decides a condition, or leaves it; none if it makes the body fail.
    fn take(
        &mut self,
        theory: &mut Theory<'_>,
        known: &mut Known,
        condition: Condition,
    ) -> Option<()> {
        theory.work += condition.size();
        let is_equation = matches!(condition, Condition::Equal(..));
        let seen = if is_equation { &*known } else { &self.equated };
        // Three substitutions in turn: what is known, words for variables that only the equations introduced,
        // witnesses found so far.
        let condition = condition
            .applied(theory.store, seen.bindings())
            .applied(theory.store, &self.words.own)
            .applied(theory.store, &self.witnesses);
        match decide(theory, seen, self.local, &condition) {
            Decision::Fails => return None,
            Decision::Holds => self.has_changed = true,
            Decision::Open => push(&mut self.left, condition),
            Decision::If(equations) => self.replace(theory, condition, equations)?,
            Decision::Witness(atom, equations) => {
                // A constraint says that the instance exists, so that it may be assumed in every case.
                known.assume(theory, &Condition::Holds(atom)).ok()?;
                let witness = known.bindings().apply(theory.store, atom);
                // The atom says what the witness is; without room for it there is no witness.
                if known.holds(witness) {
                    self.equated.assume(theory, &Condition::Holds(atom)).ok()?;
                    self.replace(theory, condition, equations)?;
                } else {
                    push(&mut self.left, condition);
                }
            }
        }
        Some(())
    }

    /// Puts the equations under which a condition holds in its place, as far as they bind no local variable; none if
    /// they cannot hold.
    fn replace(
        &mut self,
        theory: &mut Theory<'_>,
        condition: Condition,
        equations: Vec<(TermId, TermId)>,
    ) -> Option<()> {
        let Some(equations) = self.words.translate(theory, equations) else {
            push(&mut self.left, condition);
            return Some(());
        };
        // Tried on a copy: where one pair cannot be equal, the body fails as a whole.
        let (mut found, mut over) = (self.witnesses.clone(), Vec::new());
        for pair in equations {
            if !equate(theory.store, (&mut found, &mut over), self.local, pair) {
                return None;
            }
        }
        // Such an equation says nothing of its local variables that can be evaluated;
        // the atom does.
        let is_atom = matches!(condition, Condition::Holds(_));
        if is_atom && over.iter().any(|over| is_open(theory, self.local, over)) {
            push(&mut self.left, condition);
            return Some(());
        }
        // Progress is an atom less, or a condition other than this one in its place.
        self.has_changed |= is_atom || over != [condition];
        self.witnesses = found;
        over.into_iter().for_each(|over| push(&mut self.left, over));
        Some(())
    }
}

/// What the equations of a body make known has variables of its own; what is left of the body must
/// not speak of them, for nothing would say what they are.
#[derive(Default)]
struct OwnWords {
    /// Variables of the body, or known without the equations, in place of those equal to them.
    own: Substitution,
    /// Variables for which there are none.
    foreign: FxHashSet<u32>,
}

impl OwnWords {
    fn of(theory: &mut Theory<'_>, known: &Known, equated: &Known, body: &[Condition]) -> OwnWords {
        let mut words = OwnWords::default();
        let variables = |known: &Known, store: &Store| -> FxHashSet<u32> {
            known
                .atoms()
                .flat_map(|atom| store.variables(atom))
                .collect()
        };
        // Foreign: variables that occur only because equations were assumed.
        let before = variables(known, theory.store);
        words.foreign = variables(equated, theory.store);
        words.foreign.retain(|variable| !before.contains(variable));
        for condition in body {
            for variable in condition.variables(theory.store) {
                words.foreign.remove(&variable);
            }
        }
        let mut own: Vec<u32> = before.into_iter().collect();
        own.sort_unstable();
        for variable in own {
            let variable = theory.store.variable(variable);
            let equal = equated.bindings().walk(theory.store, variable);
            // A foreign variable that equals one of ours is called by our name.
            if let Term::Variable(number) = theory.store.view(equal)
                && words.foreign.remove(&number)
            {
                words.own.bind(number, variable);
            }
        }
        words
    }

    /// Equations in words that something explains; none if there are no such words.
    fn translate(
        &self,
        theory: &mut Theory<'_>,
        equations: Vec<(TermId, TermId)>,
    ) -> Option<Vec<(TermId, TermId)>> {
        let explained = |term: TermId, store: &mut Store| {
            let term = self.own.apply(store, term);
            let variables = store.variables(term);
            let is_explained = variables.iter().all(|v| !self.foreign.contains(v));
            is_explained.then_some(term)
        };
        equations
            .into_iter()
            .map(|(left, right)| {
                Some((
                    explained(left, theory.store)?,
                    explained(right, theory.store)?,
                ))
            })
            .collect()
    }
}

/// The equations between terms that the body does not quantify.
fn equations(theory: &Theory<'_>, local: &[u32], conditions: &[Condition]) -> Conjunction {
    let is_outer = |condition: &&Condition| {
        matches!(condition, Condition::Equal(..)) && !is_open(theory, local, condition)
    };
    conditions.iter().filter(is_outer).cloned().collect()
}

fn push(conditions: &mut Conjunction, condition: Condition) {
    if !conditions.contains(&condition) {
        conditions.push(condition);
    }
}

/// Makes two terms equal by binding local variables; what is left of the equation is a condition.
/// False if the terms differ whatever the variables stand for.
fn equate(
    store: &mut Store,
    (witnesses, left_over): (&mut Substitution, &mut Conjunction),
    local: &[u32],
    (left, right): (TermId, TermId),
) -> bool {
    let (left, right) = (witnesses.apply(store, left), witnesses.apply(store, right));
    let mut open = Vec::new();
    // Unequal terms first: `solve` would bind variables before it finds out.
    if differ(store, left, right) || !witnesses.solve(store, (left, right), local, &mut open) {
        return false;
    }
    for (left, right) in open {
        let (left, right) = (witnesses.apply(store, left), witnesses.apply(store, right));
        left_over.push(Condition::Equal(left, right));
    }
    true
}
