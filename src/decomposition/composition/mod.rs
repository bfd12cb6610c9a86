//! How moves, end and goal values of a game are made of those of its parts.
//!
//! The moves of a role are a *sum* if each is a move in one part, and a *product* if each is one in all parts
//! and whatever is legal in the parts can be chosen together: they are the lossless join of the local ones. In
//! general they are a sum of products ([`legality`]).
//! End and goal values are functions of several parts; what form they have is asked of a solver, one part
//! against the others ([`square`]).
//!
//! Source: Genesereth, Thielscher, General Game Playing, 2014, ch. 14 (joint moves, disjunctive and
//! conjunctive termination and goals, "best" games).

mod legality;
mod square;

pub use legality::Legality;
pub(super) use legality::unjoined;

use crate::decomposition::assemble::Part;
use crate::decomposition::certificate::Prover;
use crate::decomposition::local::LocalMoves;
use square::Function;

/// What a function of several parts is like, whatever the state of what runs by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// No part has an influence.
    Constant,
    /// One part alone decides.
    Single(usize),
    /// An end: one part is enough. A goal value: the largest of those of the parts.
    Disjunctive,
    /// An end: all parts are needed. A goal value: the smallest of those of the parts.
    Conjunctive,
    /// A goal value: the sum of those of the parts.
    Additive,
    /// A goal value: the first of these parts that makes a difference decides.
    Ordered(Vec<usize>),
    /// None of these.
    Mixed,
    /// The solver gave up.
    Open,
}

impl Form {
    /// Its name in reports.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Form::Constant => "constant",
            Form::Single(_) => "single",
            Form::Disjunctive => "disjunctive",
            Form::Conjunctive => "conjunctive",
            Form::Additive => "additive",
            Form::Ordered(_) => "ordered",
            Form::Mixed => "mixed",
            Form::Open => "open",
        }
    }
}

/// How a game is made of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    /// By role, its legal moves.
    pub legality: Vec<Legality>,
    /// Whether the game is over.
    pub termination: Form,
    /// By role, the goal value of a state in which the game is over.
    pub goals: Vec<Form>,
}

impl Composition {
    /// The composition of some parts.
    pub(super) fn of(prover: &mut Prover<'_>, parts: &[Part]) -> Self {
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
fn form(prover: &mut Prover<'_>, parts: &[Part], function: Function) -> Form {
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
        [] => return Form::Constant,
        [part] => return Form::Single(part),
        _ => {}
    }
    let mut is_open = false;
    let forms: &[Form] = match function {
        Function::End => &[Form::Disjunctive, Form::Conjunctive],
        Function::Goal(_) => &[Form::Disjunctive, Form::Conjunctive, Form::Additive],
    };
    for form in forms {
        let mut parts_of_form = relevant.iter();
        let holds = parts_of_form.try_fold(true, |holds, &part| {
            if holds {
                square::splits_off(prover, parts, part, function, form)
            } else {
                Some(false)
            }
        });
        match holds {
            Some(true) => return form.clone(),
            Some(false) => {}
            None => is_open = true,
        }
    }
    if let Function::Goal(role) = function
        && let Some(order) = square::order(prover, parts, &relevant, role)
    {
        return Form::Ordered(order);
    }
    if is_open { Form::Open } else { Form::Mixed }
}
