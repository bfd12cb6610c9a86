//! Rules as lists of conjunctions in which the moves are visible.
//!
//! `or` is multiplied out. A call of an auxiliary predicate that depends on the moves is replaced
//! by the bodies of its clauses, so that every `does` can be seen; a call that depends on the
//! state alone stays, since no move changes what it means now. A negated call becomes the
//! conditions under which none of the bodies holds. Every `does` gets a role by name: one with a
//! variable for its role stands for one alternative a role.
//!
//! ```text
//! (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (marked ?x ?y)))
//! (<= (marked ?x ?y) (does ?r (mark ?x ?y)))
//!
//! next(cell(X,Y,b)) if true(cell(X,Y,b)), none{does(white, mark(X,Y))}, none{does(black, mark(X,Y))}
//! ```

use rustc_hash::FxHashSet;

use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::equality::differ;
use crate::fluent::theory::{Dependence, Theory};
use crate::term::{Functor, Literal, Substitution, TermId, rename};

/// Alternatives that one rule may have.
pub(super) const MAX_ALTERNATIVES: usize = 256;

/// Calls within calls that are unfolded; what is nested deeper stays a call.
const MAX_DEPTH: usize = 24;

/// One way in which a rule can apply.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) head: TermId,
    pub(super) conditions: Conjunction,
}

/// A rule has more alternatives than [`MAX_ALTERNATIVES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooManyAlternatives;

/// The alternatives of a clause; its variables are renamed to ones that occur nowhere else.
pub(super) fn alternatives(
    theory: &mut Theory<'_>,
    clause: usize,
) -> Result<Vec<Alternative>, TooManyAlternatives> {
    unfold_clause(theory, clause, 0)
}

fn unfold_clause(
    theory: &mut Theory<'_>,
    clause: usize,
    depth: usize,
) -> Result<Vec<Alternative>, TooManyAlternatives> {
    let offset = theory.fresh(theory.clauses[clause].variables.len() as u32);
    let (head, body) = (
        theory.clauses[clause].head,
        theory.clauses[clause].body.clone(),
    );
    let head = rename(theory.store, head, offset);
    let body: Vec<TermId> = body
        .into_iter()
        .map(|term| rename(theory.store, term, offset))
        .collect();
    // Head variables and those that stand under no `not` are the clause's own; others are local to a negation.
    let mut outer: FxHashSet<u32> = theory.store.variables(head).into_iter().collect();
    body.iter()
        .for_each(|&term| positive_variables(theory, term, &mut outer));
    let conjunctions = conjunction(theory, &body, &outer, depth)?;
    let solved = conjunctions
        .into_iter()
        .filter_map(|conditions| solve(theory, head, &conditions));
    Ok(solved.collect())
}

/// Collects the variables that stand under no `not`. Nesting is bounded by the engine's check.
fn positive_variables(theory: &Theory<'_>, term: TermId, found: &mut FxHashSet<u32>) {
    match Literal::of(theory.store, term) {
        Literal::Call(atom) => found.extend(theory.store.variables(atom)),
        Literal::Or(parts) | Literal::And(parts) => {
            parts
                .iter()
                .for_each(|&part| positive_variables(theory, part, found));
        }
        Literal::Not(_) | Literal::Distinct(..) => {}
    }
}

/// Solves the equations of a conjunction; none if they have no solution.
fn solve(theory: &mut Theory<'_>, head: TermId, conditions: &Conjunction) -> Option<Alternative> {
    let mut unifier = Substitution::default();
    // All equations first, then the rest under their solution.
    for condition in conditions {
        if let Condition::Equal(left, right) = condition
            && !unifier.unify(theory.store, *left, *right)
        {
            return None;
        }
    }
    let mut solved: Conjunction = Vec::new();
    for condition in conditions {
        if !matches!(condition, Condition::Equal(..)) {
            let condition = condition.apply(theory.store, &unifier);
            if !solved.contains(&condition) {
                solved.push(condition);
            }
        }
    }
    Some(Alternative {
        head: unifier.apply(theory.store, head),
        conditions: solved,
    })
}

/// The alternatives of a list of conditions.
fn conjunction(
    theory: &mut Theory<'_>,
    parts: &[TermId],
    outer: &FxHashSet<u32>,
    depth: usize,
) -> Result<Vec<Conjunction>, TooManyAlternatives> {
    // Distribution over `or`, bounded at each step.
    let mut product: Vec<Conjunction> = vec![Vec::new()];
    for &part in parts {
        let choices = literal(theory, part, outer, depth)?;
        if product.len() * choices.len() > MAX_ALTERNATIVES {
            return Err(TooManyAlternatives);
        }
        product = product
            .iter()
            .flat_map(|left| choices.iter().map(move |right| [&left[..], right].concat()))
            .collect();
    }
    Ok(product)
}

/// The alternatives of one condition.
fn literal(
    theory: &mut Theory<'_>,
    term: TermId,
    outer: &FxHashSet<u32>,
    depth: usize,
) -> Result<Vec<Conjunction>, TooManyAlternatives> {
    match Literal::of(theory.store, term) {
        Literal::Call(atom) => call(theory, atom, depth),
        Literal::Distinct(left, right) => Ok(vec![vec![Condition::Differ(vec![(left, right)])]]),
        Literal::And(parts) => {
            let parts = parts.to_vec();
            conjunction(theory, &parts, outer, depth)
        }
        Literal::Or(branches) => {
            let mut all = Vec::new();
            let branches = branches.to_vec();
            for branch in branches {
                all.extend(literal(theory, branch, outer, depth)?);
                if all.len() > MAX_ALTERNATIVES {
                    return Err(TooManyAlternatives);
                }
            }
            Ok(all)
        }
        Literal::Not(inner) => {
            // Variables bound inside the negation are outer to negations within it.
            let mut scope = outer.clone();
            positive_variables(theory, inner, &mut scope);
            let refuted = literal(theory, inner, &scope, depth)?;
            let conditions = refuted
                // ¬(c1 ∨ c2) is none{c1}, none{c2}: all must fail, so that the negation of a list of alternatives
                // is one alternative.
                .into_iter()
                .filter_map(|conjunction| none(theory, conjunction, outer));
            Ok(vec![conditions.collect()])
        }
    }
}

/// The condition that a conjunction does not hold; nothing if it never does.
fn none(
    theory: &mut Theory<'_>,
    conjunction: Conjunction,
    outer: &FxHashSet<u32>,
) -> Option<Condition> {
    let mut local: Vec<u32> = Vec::new();
    for condition in &conjunction {
        for variable in condition.variables(theory.store) {
            if !outer.contains(&variable) && !local.contains(&variable) {
                local.push(variable);
            }
        }
    }
    // Simple negations are said simply.
    match (&local[..], &conjunction[..]) {
        ([], [Condition::Holds(atom)]) => Some(Condition::Fails(*atom)),
        ([], [Condition::Fails(atom)]) => Some(Condition::Holds(*atom)),
        ([], [Condition::Differ(pairs)]) if pairs.len() == 1 => {
            Some(Condition::Equal(pairs[0].0, pairs[0].1))
        }
        _ => Some(Condition::None(local.into(), conjunction.into())),
    }
}

/// The alternatives of a call: the bodies of its clauses if it depends on the moves.
fn call(
    theory: &mut Theory<'_>,
    atom: TermId,
    depth: usize,
) -> Result<Vec<Conjunction>, TooManyAlternatives> {
    if let Some((role, mv)) = theory.move_of(atom) {
        return Ok(by_role(theory, role, mv));
    }
    let Some(predicate) = theory.store.functor(atom) else {
        return Ok(vec![vec![Condition::Holds(atom)]]);
    };
    // State-dependent calls stay: no move changes what they mean now. Recursion cannot be unfolded.
    let opaque = theory.dependence(predicate) != Dependence::Moves
        || theory.is_recursive(predicate)
        || depth == MAX_DEPTH;
    if opaque {
        return Ok(vec![vec![Condition::Holds(atom)]]);
    }
    bodies(theory, atom, predicate, depth)
}

/// The alternatives of a rule with one of its conditions, a call, replaced by what defines it.
pub(super) fn opened(
    theory: &mut Theory<'_>,
    alternative: &Alternative,
    place: usize,
) -> Result<Vec<Alternative>, TooManyAlternatives> {
    let Condition::Holds(atom) = alternative.conditions[place] else {
        return Err(TooManyAlternatives);
    };
    let Some(predicate) = theory.store.functor(atom) else {
        return Err(TooManyAlternatives);
    };
    let (before, behind) = alternative.conditions.split_at(place);
    let mut all = Vec::new();
    for body in bodies(theory, atom, predicate, 0)? {
        let conditions = [before, &body, &behind[1..]].concat();
        all.extend(solve(theory, alternative.head, &conditions));
    }
    Ok(all)
}

/// The bodies of the clauses of a predicate, with the equations that make their heads the atom.
fn bodies(
    theory: &mut Theory<'_>,
    atom: TermId,
    predicate: Functor,
    depth: usize,
) -> Result<Vec<Conjunction>, TooManyAlternatives> {
    let mut all = Vec::new();
    for clause in theory.definition(predicate).to_vec() {
        // With equations for the arguments, which `solve` uses up.
        for alternative in unfold_clause(theory, clause, depth + 1)? {
            let arguments = theory.store.arguments(atom).iter().copied();
            let parameters = theory.store.arguments(alternative.head).iter().copied();
            let equations = arguments
                .zip(parameters)
                .map(|(a, p)| Condition::Equal(a, p));
            all.push(equations.chain(alternative.conditions).collect());
            if all.len() > MAX_ALTERNATIVES {
                return Err(TooManyAlternatives);
            }
        }
    }
    Ok(all)
}

/// One alternative a role for a move by a role that is not named, or named in part.
fn by_role(theory: &mut Theory<'_>, role: TermId, mv: TermId) -> Vec<Conjunction> {
    let mut all = Vec::new();
    for known in theory.roles.clone() {
        let atom = theory.binary(theory.words.moves, known, mv);
        // A role given by name: no choice.
        if known == role {
            return vec![vec![Condition::Holds(atom)]];
        }
        if !differ(theory.store, known, role) {
            all.push(vec![Condition::Equal(role, known), Condition::Holds(atom)]);
        }
    }
    all
}
