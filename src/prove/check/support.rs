//! On how many fluents and moves a function depends, whatever it is written like: two cofactors differ for each of them
//! (Boole). A permutation keeps that number.

use crate::circuit::Signal;
use crate::circuit::sat::{Answer, Literal};
use crate::prove::check::{CheckContext, ClauseCopy, encode_given, of};

/// Questions to the solver, at most, each about a function and something that it may depend on.
const MOST_QUESTIONS: usize = 20_000;

/// The number of fluents and moves that each of some functions depends on. None if that takes too many questions, or the solver
/// gives one of them up.
pub(in crate::prove) fn support_sizes(
    context: CheckContext<'_>,
    functions: &[Signal],
) -> Option<Vec<usize>> {
    let circuit = context.circuit;
    // Atoms of loops may have several values that satisfy their definitions.
    if !circuit.gates.loops().is_empty() {
        return None;
    }
    let fluents = circuit.fluents.iter().map(|fluent| fluent.holds);
    let moves = circuit.moves.iter().flatten().map(|mv| mv.made);
    let leaves: Vec<Signal> = fluents.chain(moves).collect();
    let mut copy = ClauseCopy::new(context);
    // A second copy, in which each leaf may be another, and a literal for each that it is the same.
    let given = leaves.iter().map(|&leaf| (leaf, copy.solver.variable()));
    let given: Vec<(Signal, Literal)> = given.collect();
    let other = encode_given(circuit, &mut copy.solver, given.iter().copied());
    let equal = given.iter().map(|&(leaf, other)| {
        let (own, equal) = (copy.of(leaf), copy.solver.variable());
        copy.solver.require([!equal, !own, other]);
        copy.solver.require([!equal, own, !other]);
        equal
    });
    let equal: Vec<Literal> = equal.collect();
    let mut asked = 0;
    let sizes = functions.iter().map(|&function| {
        let cone = circuit.gates.cone([function].into_iter());
        let inputs = (0..leaves.len()).filter(|&leaf| cone.contains(leaves[leaf].gate()));
        let inputs: Vec<usize> = inputs.collect();
        asked += inputs.len();
        if asked > MOST_QUESTIONS {
            return None;
        }
        let mut size = 0;
        for &input in &inputs {
            let others = inputs.iter().filter(|&&leaf| leaf != input);
            let mut assumed: Vec<Literal> = others.map(|&leaf| equal[leaf]).collect();
            assumed.extend([copy.of(function), !of(&other, function)]);
            copy.solver.grant(context.steps);
            match copy.solver.ask(&assumed) {
                Answer::Satisfiable => size += 1,
                Answer::Unsatisfiable => {}
                Answer::Stopped(_) => return None,
            }
        }
        Some(size)
    });
    sizes.collect()
}
