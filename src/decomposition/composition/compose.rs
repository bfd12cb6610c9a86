//! The composition of a game: the legality of each role's moves, the forms of end and goal values.

use crate::decomposition::certificate::IndependenceProver;
use crate::decomposition::composition::form::OutcomeForm;
use crate::decomposition::composition::legality::Legality;
use crate::decomposition::composition::square::{self, Function};
use crate::decomposition::local::LocalMoves;
use crate::decomposition::part::Part;

/// How a game is made of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    /// By role, its legal moves.
    pub legality: Vec<Legality>,
    /// Whether the game is over.
    pub termination: OutcomeForm,
    /// By role, the goal value of a state in which the game is over.
    pub goals: Vec<OutcomeForm>,
}

impl Composition {
    /// The composition of some parts.
    pub(in crate::decomposition) fn of(
        prover: &mut IndependenceProver<'_>,
        parts: &[Part],
    ) -> Self {
        let roles = 0..prover.circuit.moves.len();
        let legality = roles.clone().map(|role| {
            let moves: Vec<&LocalMoves> = parts.iter().map(|part| &part.moves[role]).collect();
            Legality::of(prover, &moves, role)
        });
        let legality = legality.collect();
        let termination = form(prover, parts, Function::End);
        let goals = roles.map(|role| form(prover, parts, Function::Goal(role)));
        Self {
            legality,
            termination,
            goals: goals.collect(),
        }
    }
}

/// The form of the end, or of the goal value of a role.
fn form(prover: &mut IndependenceProver<'_>, parts: &[Part], function: Function) -> OutcomeForm {
    let relevant: Vec<usize> = (0..parts.len())
        .filter(|&part| {
            let may_matter = match function {
                Function::End => parts[part].useful.end,
                Function::Goal(_) => parts[part].useful.payoffs,
            };
            may_matter && square::depends(prover, parts, part, function)
        })
        .collect();
    match relevant[..] {
        [] => return OutcomeForm::Constant,
        [part] => return OutcomeForm::Single(part),
        _ => {}
    }
    // Disjunctive and conjunctive termination of [GT14, section 14.3]; of a goal value, for each threshold.
    let forms: &[OutcomeForm] = match function {
        Function::End => &[OutcomeForm::Disjunctive, OutcomeForm::Conjunctive],
        Function::Goal(_) => &[
            OutcomeForm::Disjunctive,
            OutcomeForm::Conjunctive,
            OutcomeForm::Additive,
        ],
    };
    let mut is_open = false;
    for form in forms {
        match has_form(prover, parts, &relevant, (function, form)) {
            Some(true) => return form.clone(),
            Some(false) => {}
            None => is_open = true,
        }
    }
    // Orders come last: they take a question for each pair of parts.
    if let Function::Goal(role) = function
        && let Some(order) = square::order(prover, parts, &relevant, role)
    {
        return OutcomeForm::Ordered(order);
    }
    if is_open {
        OutcomeForm::Open
    } else {
        OutcomeForm::Mixed
    }
}

/// Whether a function of some parts has a form; none if the solver gives up. Each part has to split off: the function
/// that is left, of the others, has the form again.
fn has_form(
    prover: &mut IndependenceProver<'_>,
    parts: &[Part],
    relevant: &[usize],
    form: (Function, &OutcomeForm),
) -> Option<bool> {
    for &part in relevant {
        if !square::splits_off(prover, parts, part, form)? {
            return Some(false);
        }
    }
    Some(true)
}
