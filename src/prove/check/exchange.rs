//! Whether a permutation exchanges roles, function by function.

use crate::circuit::sat::{Answer, Literal};
use crate::circuit::{Circuit, Signal};
use crate::prove::check::{CheckContext, ClauseCopy, encode_given, of};

/// Whether a permutation of roles, and of fluents and moves, numbered one behind the other, makes of each function of the
/// rules that of its image: in any set of fluents, where each role makes one move. All questions share what one may cost.
pub(in crate::prove) fn is_exchange(
    context: CheckContext<'_>,
    roles: &[usize],
    images: &[usize],
) -> bool {
    let circuit = context.circuit;
    // Atoms of loops may have several values that satisfy their definitions.
    if !circuit.gates.loops().is_empty() {
        return false;
    }
    let Some(functions) = functions(circuit, roles, images) else {
        return false;
    };
    let mut copy = ClauseCopy::new(context);
    copy.make_any_moves();
    // In the image, the fluent or move that one becomes is what this one is.
    let fluents = circuit.fluents.iter().map(|fluent| fluent.holds);
    let moves = circuit.moves.iter().flatten().map(|mv| mv.made);
    let leaves: Vec<Signal> = fluents.chain(moves).collect();
    let given = leaves.iter().zip(images);
    let given: Vec<(Signal, Literal)> = given
        .map(|(&leaf, &image)| (leaves[image], copy.of(leaf)))
        .collect();
    let image = encode_given(circuit, &mut copy.solver, given.into_iter());
    copy.solver.grant(context.steps);
    functions.into_iter().all(|[function, other]| {
        let (function, other) = (copy.of(function), of(&image, other));
        let mut differ = [[function, !other], [!function, other]].into_iter();
        differ.all(|assumed| copy.solver.ask(&assumed) == Answer::Unsatisfiable)
    })
}

/// All functions of the rules, each with that which it should become, those first that others are made of. None if roles
/// have other payoffs than those that become of them.
fn functions(circuit: &Circuit, roles: &[usize], images: &[usize]) -> Option<Vec<[Signal; 2]>> {
    let next = circuit.fluents.iter().map(|fluent| fluent.next);
    let legal = circuit.moves.iter().flatten().map(|mv| mv.legal);
    let own: Vec<Signal> = next.chain(legal).collect();
    let pairs = own.iter().zip(images);
    let mut functions: Vec<[Signal; 2]> = pairs
        .map(|(&function, &image)| [function, own[image]])
        .collect();
    functions.push([circuit.terminal; 2]);
    for (payoffs, &other) in circuit.goals.iter().zip(roles) {
        for payoff in payoffs {
            let mut others = circuit.goals[other].iter();
            let same = others.find(|other| other.term == payoff.term)?;
            functions.push([payoff.signal, same.signal]);
        }
    }
    // What is known of some helps with those that they are inputs of.
    functions.sort_by_key(|[function, _]| function.gate());
    Some(functions)
}
