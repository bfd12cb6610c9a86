//! A change that is found in one context: the fluent, the conditions, and the atoms that say what their variables are.
//!
//! ```text
//! known:      does(robot, s(x,y)), true(on(x,V))             at most one on(x,_) holds
//! condition:  true(clear(y))
//! finding:    - on(x,V)  if  true(on(x,V)), true(clear(y))
//!                            └ the atom that says what V is
//! ```

use crate::fluent::action::Context;
use crate::fluent::condition::{Condition, Conjunction};
use crate::fluent::define::definers;
use crate::fluent::dependency::is_fact;
use crate::fluent::evaluable::are_bound;
use crate::fluent::known::Known;
use crate::fluent::theory::Theory;
use crate::term::TermId;

/// What one context tells.
pub(super) struct ContextFinding {
    /// Index of the context.
    pub(super) context: usize,
    pub(super) fluent: TermId,
    pub(super) conditions: Conjunction,
    /// The actions with what the conditions say of their arguments.
    pub(super) moves: Vec<(usize, Option<TermId>)>,
}

/// Writes a change with what is known of its variables in their place, and with the atoms that
/// say what they are.
pub(super) fn finding(
    theory: &mut Theory<'_>,
    (number, context): (usize, &Context),
    (fluent, conditions): (TermId, Conjunction),
    known: &Known,
) -> ContextFinding {
    let given: Vec<u32> = context
        .moves
        .iter()
        .filter_map(|&(_, mv)| mv)
        .flat_map(|mv| theory.store.variables(mv))
        .collect();
    // Four steps: the terms that must be explained, atoms that explain them, what is left of the conditions, and
    // atoms for what only the case derives.
    let spoken = spoken(theory, fluent, &conditions, known);
    let general: Vec<TermId> = known.general_atoms().collect();
    let mut written: Conjunction = Vec::new();
    for atom in definers(theory, &general, &given, spoken) {
        let atom = known.bindings().apply(theory.store, atom);
        // What the legality of the moves implies of their own arguments goes without saying.
        if !(context.known.holds(atom) && are_bound(theory, atom, &given)) {
            push(&mut written, Condition::Holds(atom));
        }
    }
    let moves = context.moves.iter();
    let moves =
        moves.map(|&(role, mv)| (role, mv.map(|mv| known.bindings().apply(theory.store, mv))));
    let mut found = ContextFinding {
        context: number,
        moves: moves.collect(),
        fluent: known.bindings().apply(theory.store, fluent),
        conditions: written,
    };
    for condition in conditions {
        let condition = condition.apply(theory.store, known.bindings());
        if !is_trivial(theory, context, &condition) && !is_done(theory, &found.moves, &condition) {
            push(&mut found.conditions, condition);
        }
    }
    explain_derived(theory, &given, known, &mut found);
    found
}

/// The variables of which a change speaks.
///
/// A condition may bind a variable that the context speaks of, and vanish in doing so; the atoms
/// of that variable then say what the condition did. So the variables are those before it is bound,
/// and those after.
fn spoken(
    theory: &mut Theory<'_>,
    fluent: TermId,
    conditions: &[Condition],
    known: &Known,
) -> Vec<u32> {
    let both = [known.general_bindings(), known.bindings()];
    let mut spoken: Vec<u32> = Vec::new();
    for bindings in both {
        let fluent = bindings.apply(theory.store, fluent);
        spoken.extend(theory.store.variables(fluent));
    }
    for condition in conditions {
        theory.work += 4 * condition.size();
        let own = condition.variables(theory.store);
        for bindings in both {
            for &variable in &own {
                let variable = theory.store.variable(variable);
                let term = bindings.apply(theory.store, variable);
                spoken.extend(theory.store.variables(term));
            }
        }
    }
    spoken
}

/// Adds atoms that say what those variables are that only consequences of the case explain: what follows from the
/// conditions of a case may be all that speaks of a variable.
fn explain_derived(
    theory: &mut Theory<'_>,
    given: &[u32],
    known: &Known,
    found: &mut ContextFinding,
) {
    let derived = known.derived_in_case(theory.store);
    if derived.is_empty() {
        return;
    }
    let mut wanted = theory.store.variables(found.fluent);
    for condition in &found.conditions {
        wanted.extend(condition.variables(theory.store));
    }
    for mv in found.moves.iter().filter_map(|&(_, mv)| mv) {
        wanted.extend(theory.store.variables(mv));
    }
    wanted.retain(|variable| derived.contains(variable));
    let atoms: Vec<TermId> = known.atoms().collect();
    for atom in definers(theory, &atoms, given, wanted) {
        push(&mut found.conditions, Condition::Holds(atom));
    }
}

fn push(conditions: &mut Conjunction, condition: Condition) {
    if !conditions.contains(&condition) {
        conditions.push(condition);
    }
}

/// Whether a condition holds wherever the moves of a context are legal.
fn is_trivial(theory: &mut Theory<'_>, context: &Context, condition: &Condition) -> bool {
    match condition {
        Condition::Equal(left, right) => left == right,
        Condition::Holds(atom) => context.known.holds(*atom) || is_fact(theory, *atom),
        Condition::Fails(_) | Condition::Differ(_) | Condition::None(..) => {
            context.known.entails(theory, condition)
        }
    }
}

/// Whether a condition says that a move is made that is among some moves.
fn is_done(theory: &Theory<'_>, moves: &[(usize, Option<TermId>)], condition: &Condition) -> bool {
    let Condition::Holds(atom) = condition else {
        return false;
    };
    theory.move_of(*atom).is_some_and(|(name, mv)| {
        moves
            .iter()
            .any(|&(role, own)| theory.roles[role] == name && own == Some(mv))
    })
}
