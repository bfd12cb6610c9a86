//! The body of a rule where a conjunction is known to hold: what of it is left to be decided, and
//! the ways in which it can fail.
//!
//! Variables of the body alone are existential. A witness that is already known takes their place
//! where a constraint says that there is no other:
//!
//! ```text
//! known:    does(robot, grab), true(cell(C))            at most one cell(_) holds
//! body:     does(robot, grab), true(cell(X)), distinct(X, Y)
//! left:     distinct(C, Y)
//! fails if: C = Y
//! ```

use rustc_hash::FxHashSet;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::constraint::Constraint;
use crate::fluent::dependency::is_fact;
use crate::fluent::equality::differ;
use crate::fluent::known::{Known, opened};
use crate::fluent::theory::{Dependence, Theory};
use crate::term::{Functor, Store, Substitution, Term, TermId};

/// What is left of a body.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    /// Conditions that are neither known to hold nor to fail.
    pub(super) conditions: Conjunction,
    /// What the variables of the body stand for.
    pub(super) witnesses: Substitution,
}

/// How a conjunction can fail.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// It always does.
    Always,
    /// It does where one of these holds; none means never.
    Where(Vec<Conjunction>),
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
        let mut left: Conjunction = Vec::new();
        let mut changed = false;
        // Where the equations of a body fail, so does the body; the rest is looked at where they
        // hold.
        // `equated` is what holds if the body does. Equations themselves are judged by `known` alone, as each would
        // follow from itself.
        let mut equated = known.clone();
        let equations = equations(theory, local, &pending);
        equated.assume_all(theory, &equations).ok()?;
        let words = if equations.is_empty() {
            Words::default()
        } else {
            Words::of(theory, known, &equated, body)
        };
        for condition in std::mem::take(&mut pending) {
            theory.work += condition.size();
            let is_equation = matches!(condition, Condition::Equal(..));
            let seen = if is_equation { &*known } else { &equated };
            // Three substitutions in turn: what is known, words for variables that only the equations introduced,
            // witnesses found so far.
            let condition = condition.applied(theory.store, seen.bindings());
            let condition = condition.applied(theory.store, &words.own);
            let condition = condition.applied(theory.store, &witnesses);
            let decision = decide(theory, seen, local, &condition);
            if let Decision::Witness(atom, _) = decision {
                // A constraint says that the instance exists, so that it may be assumed in every case.
                known.assume(theory, &Condition::Holds(atom)).ok()?;
                let witness = known.bindings().apply(theory.store, atom);
                // The atom says what the witness is; without room for it there is no witness.
                if !known.holds(witness) {
                    push(&mut left, condition);
                    continue;
                }
                equated.assume(theory, &Condition::Holds(atom)).ok()?;
            }
            match decision {
                Decision::Fails => return None,
                Decision::Holds => changed = true,
                Decision::Open => push(&mut left, condition),
                // An atom that could only be this one is replaced by the equations that make it so.
                Decision::If(equations) | Decision::Witness(_, equations) => {
                    let Some(equations) = words.translate(theory, equations) else {
                        push(&mut left, condition);
                        continue;
                    };
                    // Tried on a copy: where one pair cannot be equal, the body fails as a whole.
                    let (mut found, mut over) = (witnesses.clone(), Vec::new());
                    let mut possible = equations.into_iter();
                    if !possible
                        .all(|pair| equate(theory.store, &mut found, local, pair, &mut over))
                    {
                        return None;
                    }
                    // Such an equation says nothing of its local variables that can be evaluated;
                    // the atom does.
                    let is_atom = matches!(condition, Condition::Holds(_));
                    if is_atom && over.iter().any(|over| is_open(theory, local, over)) {
                        push(&mut left, condition);
                        continue;
                    }
                    // Progress is an atom less, or a condition other than this one in its place.
                    changed |= is_atom || over != [condition];
                    witnesses = found;
                    over.into_iter().for_each(|over| push(&mut left, over));
                }
            }
        }
        pending = left;
        if !changed {
            break;
        }
    }
    Some(Rest {
        conditions: pending,
        witnesses,
    })
}

/// What the equations of a body make known has variables of its own; what is left of the body must
/// not speak of them, for nothing would say what they are.
#[derive(Default)]
struct Words {
    /// Variables of the body, or known without the equations, in place of those equal to them.
    own: Substitution,
    /// Variables for which there are none.
    foreign: FxHashSet<u32>,
}

impl Words {
    fn of(theory: &mut Theory<'_>, known: &Known, equated: &Known, body: &[Condition]) -> Words {
        let mut words = Words::default();
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

/// Whether a condition speaks of local variables.
fn is_open(theory: &Theory<'_>, local: &[u32], condition: &Condition) -> bool {
    condition.any_variable(theory.store, |variable| local.contains(&variable))
}

/// What is known of a condition.
enum Decision {
    Holds,
    Fails,
    /// It holds if these terms are equal.
    If(Vec<(TermId, TermId)>),
    /// The same, by an atom that must hold in every state.
    Witness(TermId, Vec<(TermId, TermId)>),
    Open,
}

fn decide(theory: &mut Theory<'_>, seen: &Known, local: &[u32], condition: &Condition) -> Decision {
    // Without local variables a condition is true, false or open. With some, it asks for a witness.
    if !is_open(theory, local, condition) {
        return match () {
            () if seen.entails(theory, condition) => Decision::Holds,
            () if seen.refutes(theory, std::slice::from_ref(condition)) => Decision::Fails,
            () => match condition {
                Condition::Holds(atom) => witness(theory, seen, local, *atom),
                Condition::Fails(_)
                | Condition::Equal(..)
                | Condition::Differ(_)
                | Condition::None(..) => Decision::Open,
            },
        };
    }
    match condition {
        Condition::Holds(atom) => witness(theory, seen, local, *atom),
        Condition::Equal(left, right) => {
            let bare = |term| matches!(theory.store.view(term), Term::Variable(number) if local.contains(&number));
            let outer = |term| theory.is_variable(term) && !bare(term);
            if (outer(*left) && !bare(*right)) || (outer(*right) && !bare(*left)) {
                // `X = s(Y)` with Y local: binding Y would lose that X has this form.
                // An outer variable and a term with local ones inside stay an equation.
                Decision::Open
            } else {
                Decision::If(vec![(*left, *right)])
            }
        }
        Condition::Differ(pairs) if pairs.iter().any(|&(l, r)| differ(theory.store, l, r)) => {
            Decision::Holds
        }
        Condition::Differ(pairs) if pairs.iter().all(|(l, r)| l == r) => Decision::Fails,
        Condition::Differ(_) | Condition::Fails(_) | Condition::None(..) => Decision::Open,
    }
}

/// The equations under which an atom is one that is known, if a constraint leaves no other.
fn witness(theory: &mut Theory<'_>, seen: &Known, local: &[u32], atom: TermId) -> Decision {
    if seen.holds(atom) {
        return Decision::Holds;
    }
    let Some(functor) = theory.store.functor(atom) else {
        return Decision::Open;
    };
    if let Some((role, mv)) = theory.move_of(atom) {
        // A role makes one move: the atom can only be the one that is known.
        let done = seen.atoms().find_map(|known| match theory.move_of(known) {
            Some((other, done)) if other == role => Some(done),
            _ => None,
        });
        return done.map_or(Decision::Open, |done| Decision::If(vec![(mv, done)]));
    }
    if let Some(fluent) = theory.fluent_of(atom) {
        return fluent_witness(theory, seen, fluent);
    }
    if theory.dependence(functor) == Dependence::Nothing {
        return fact_witness(theory, seen, local, functor, atom);
    }
    Decision::Open
}

fn fluent_witness(theory: &mut Theory<'_>, seen: &Known, fluent: TermId) -> Decision {
    let Some(functor) = theory.store.functor(fluent) else {
        return Decision::Open;
    };
    // A known fluent of the same key is the only one with it.
    for other in seen.atoms() {
        let Some(other) = theory.fluent_of(other) else {
            continue;
        };
        for constraint in &theory.constraints {
            if let Some(equal) = constraint.between(theory.store, fluent, other) {
                return Decision::If(equal);
            }
        }
    }
    // None is known, and yet one must hold: the key's instance, with new variables in the other places.
    let Some(key) = always(theory, seen, functor, fluent) else {
        return Decision::Open;
    };
    theory.relied.insert(functor);
    let arguments = theory.store.arguments(fluent).to_vec();
    let fresh: Vec<TermId> = (0..arguments.len())
        .map(|at| {
            if key.contains(&at) {
                arguments[at]
            } else {
                theory.fresh_variable()
            }
        })
        .collect();
    let witness = theory.store.compound(functor.symbol, &fresh);
    let atom = theory.unary(theory.words.state, witness);
    Decision::Witness(atom, arguments.into_iter().zip(fresh).collect())
}

/// Keys that are tried one by one.
const MAX_KEYS: usize = 4096;

/// The key for which exactly one instance of a fluent holds in every state, with the arguments that
/// a fluent has there.
fn always(
    theory: &Theory<'_>,
    seen: &Known,
    functor: Functor,
    fluent: TermId,
) -> Option<Vec<usize>> {
    theory
        .constraints
        .iter()
        .find_map(|constraint| match constraint {
            Constraint::Some { fluent: of, key } if *of == functor => {
                // "Some" alone is not enough: two instances with the key would leave the choice open.
                let only = Constraint::Functional {
                    fluent: functor,
                    key: key.clone(),
                    only: None,
                };
                let exactly = theory.constraints.contains(&only)
                    && (key.is_empty() || are_there(theory, seen, functor, key, fluent));
                exactly.then(|| key.clone())
            }
            Constraint::Some { .. }
            | Constraint::Functional { .. }
            | Constraint::Exclusive { .. } => None,
        })
}

/// Whether all that the arguments of a fluent at the positions of a key can be stands there at the
/// start.
fn are_there(
    theory: &Theory<'_>,
    seen: &Known,
    functor: Functor,
    key: &[usize],
    fluent: TermId,
) -> bool {
    // A guaranteed key is one that the initial state has; each value that the argument can have must be among them.
    let mut keys: Vec<Vec<TermId>> = vec![Vec::new()];
    for &at in key {
        let term = theory.store.arguments(fluent)[at];
        let values = if theory.store.is_ground(term) {
            Some(vec![term])
        } else {
            seen.values(theory, term)
        };
        let Some(values) = values.filter(|values| keys.len() * values.len() <= MAX_KEYS) else {
            return false;
        };
        // The product of what the key's arguments can be.
        keys = keys
            .iter()
            .flat_map(|start| {
                values
                    .iter()
                    .map(move |&value| [&start[..], &[value]].concat())
            })
            .collect();
    }
    keys.iter()
        .all(|terms| theory.starts_with(functor, key, terms))
}

/// The equations under which a fact is one that is known, or the only one there is.
fn fact_witness(
    theory: &Theory<'_>,
    known: &Known,
    local: &[u32],
    functor: Functor,
    atom: TermId,
) -> Decision {
    if is_fact(theory, atom) {
        return Decision::Holds;
    }
    let store = &*theory.store;
    let Some(facts) = theory.facts(functor) else {
        return Decision::Open;
    };
    let arguments = store.arguments(atom);
    if let Some(rows) = facts.matching(store, arguments) {
        match &rows[..] {
            // No fact fits: the atom is false. One fits: it is that one.
            [] => return Decision::Fails,
            [row] if arguments.iter().all(|&term| is_simple(store, local, term)) => {
                return Decision::If(arguments.iter().copied().zip(row.iter().copied()).collect());
            }
            _ => {}
        }
    }
    for other in known
        .atoms()
        .filter(|&other| store.functor(other) == Some(functor))
    {
        let others = store.arguments(other);
        let pairs: Vec<(TermId, TermId)> = arguments
            .iter()
            .copied()
            .zip(others.iter().copied())
            .collect();
        // Equal in the key of a functional dependency, thus equal in what it determines.
        let agrees = |at: usize| pairs[at].0 == pairs[at].1;
        let is_determined = |at: usize| {
            agrees(at)
                || facts.dependencies().iter().any(|dependency| {
                    dependency.column == at && dependency.key.iter().all(|&key| agrees(key))
                })
        };
        if (0..pairs.len()).all(is_determined) {
            return Decision::If(pairs);
        }
    }
    Decision::Open
}

/// Whether a term is ground or a variable of the body alone.
fn is_simple(store: &Store, local: &[u32], term: TermId) -> bool {
    match store.view(term) {
        Term::Variable(number) => local.contains(&number),
        Term::Atom(_)
        | Term::Integer(_)
        | Term::Float(_)
        | Term::Big(_)
        | Term::Text(_)
        | Term::Compound(..) => store.is_ground(term),
    }
}

/// Makes two terms equal by binding local variables; what is left of the equation is a condition.
/// False if the terms differ whatever the variables stand for.
fn equate(
    store: &mut Store,
    witnesses: &mut Substitution,
    local: &[u32],
    (left, right): (TermId, TermId),
    left_over: &mut Conjunction,
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

/// The ways in which a body fails, given what is known.
pub(super) fn failure(
    theory: &mut Theory<'_>,
    known: &mut Known,
    local: &[u32],
    body: &[Condition],
) -> Failure {
    let Some(rest) = refine(theory, known, local, body) else {
        return Failure::Always;
    };
    // ¬(a ∧ b ∧ ∃x. c(x)) is ¬a ∨ ¬b ∨ ¬∃x. c(x): each closed condition fails on its own, those that share a local
    // variable only together.
    let mut ways: Vec<Conjunction> = Vec::new();
    let mut equations: Vec<(TermId, TermId)> = Vec::new();
    let mut groups: Vec<(Vec<u32>, Conjunction)> = Vec::new();
    for condition in rest.conditions {
        let inner: Vec<u32> = condition
            .variables(theory.store)
            .into_iter()
            .filter(|variable| local.contains(variable))
            .collect();
        match (&inner[..], condition) {
            // All equations fail together as one "differ": (1,2) ≠ (x,y), and not x ≠ 1 or y ≠ 2.
            ([], Condition::Equal(left, right)) => {
                equations.extend(equations_of_parts(theory.store, left, right));
            }
            ([], condition) => ways.push(negation(theory, &condition)),
            (_, condition) => group(&mut groups, inner, condition),
        }
    }
    if !equations.is_empty() {
        ways.push(vec![Condition::Differ(equations)]);
    }
    ways.extend(
        groups
            .into_iter()
            .map(|(inner, conditions)| vec![Condition::None(inner.into(), conditions.into())]),
    );
    Failure::Where(ways)
}

/// What must be equal for two terms to be equal, as near to variables as it can be said: `x = 1` for
/// `q(x) = q(1)`.
fn equations_of_parts(store: &Store, left: TermId, right: TermId) -> Vec<(TermId, TermId)> {
    let mut equations = Vec::new();
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        // From the outside in, and from left to right.
        match (store.view(left), store.view(right)) {
            _ if left == right => {}
            (Term::Compound(one, some), Term::Compound(other, others))
                if one == other && some.len() == others.len() =>
            {
                let parts = some.iter().copied().zip(others.iter().copied());
                pending.extend(parts.rev());
            }
            _ => equations.push((left, right)),
        }
    }
    equations
}

/// Adds a condition to the group with which it shares variables; groups that it connects become
/// one.
fn group(groups: &mut Vec<(Vec<u32>, Conjunction)>, inner: Vec<u32>, condition: Condition) {
    let (shared, apart): (Vec<_>, Vec<_>) = std::mem::take(groups)
        .into_iter()
        .partition(|(variables, _)| variables.iter().any(|variable| inner.contains(variable)));
    let mut merged = (Vec::new(), Vec::new());
    for (variables, conditions) in shared {
        merged.0.extend(variables);
        merged.1.extend(conditions);
    }
    for variable in inner {
        if !merged.0.contains(&variable) {
            merged.0.push(variable);
        }
    }
    merged.1.push(condition);
    *groups = apart;
    groups.push(merged);
}

/// The conditions under which a condition without variables of its own fails.
pub(super) fn negation(theory: &mut Theory<'_>, condition: &Condition) -> Conjunction {
    match condition {
        Condition::Holds(atom) => vec![Condition::Fails(*atom)],
        Condition::Fails(atom) => vec![Condition::Holds(*atom)],
        Condition::Equal(left, right) => {
            let equations = equations_of_parts(theory.store, *left, *right);
            vec![Condition::Differ(equations)]
        }
        Condition::Differ(pairs) => pairs
            .iter()
            .map(|&(left, right)| Condition::Equal(left, right))
            .collect(),
        Condition::None(local, inner) => opened(theory, local, inner),
    }
}
