//! Proofs, confirmed by code that shares nothing with the code that finds them but the circuit and the solver.
//!
//! An invariant is confirmed in three steps: the start satisfies it, no legal move leads out of it, and it excludes
//! the target. All gates become clauses, one after the other; moves are told apart by the digits of their numbers.

mod exchange;
mod sums;
mod support;

use fixedbitset::FixedBitSet;

use crate::circuit::sat::{Answer, Literal, Requirement, Solver};
use crate::circuit::{Circuit, Gate, Signal};
use crate::limits::StopFlag;
use crate::prove::invariant::{Cube, contains, literals, satisfies};
use crate::prove::ranking::{Measure, Ranking};
use crate::prove::target::Target;

pub(super) use exchange::is_exchange;
pub(super) use sums::are_conserved;
pub(super) use support::support_sizes;

/// What is said to hold of all states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Invariant<'i> {
    pub(super) requirements: &'i [Requirement],
    pub(super) cubes: &'i [Cube],
    /// Signals that are never true.
    pub(super) never: &'i [Signal],
}

/// What a confirmation may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckContext<'m> {
    pub(super) circuit: &'m Circuit,
    /// Assignments that the solver may infer for each question.
    pub(super) steps: u64,
    pub(super) stop: &'m StopFlag,
}

/// A circuit as clauses, with a state.
struct ClauseCopy<'c> {
    circuit: &'c Circuit,
    solver: Solver,
    /// By gate.
    literals: Vec<Literal>,
}

impl<'c> ClauseCopy<'c> {
    fn new(context: CheckContext<'c>) -> Self {
        let mut solver = Solver::for_large_conflicts(context.stop.clone(), 0);
        let literals = encode(context.circuit, &mut solver, &[]);
        Self {
            circuit: context.circuit,
            solver,
            literals,
        }
    }

    /// A copy in which an invariant holds.
    fn under(context: CheckContext<'c>, invariant: Invariant<'_>) -> Self {
        let mut copy = Self::new(context);
        copy.assume(invariant);
        copy
    }

    fn of(&self, signal: Signal) -> Literal {
        of(&self.literals, signal)
    }

    fn now(&self) -> Vec<Literal> {
        let fluents = self.circuit.fluents.iter();
        fluents.map(|fluent| self.of(fluent.holds)).collect()
    }

    fn next(&self) -> Vec<Literal> {
        let fluents = self.circuit.fluents.iter();
        fluents.map(|fluent| self.of(fluent.next)).collect()
    }

    /// Requires an invariant of the state.
    fn assume(&mut self, invariant: Invariant<'_>) {
        let now = self.now();
        for &signal in invariant.never {
            let signal = self.of(signal);
            self.solver.require([!signal]);
        }
        for cube in invariant.cubes {
            let clause = literals(cube, &now).into_iter().map(|literal| !literal);
            self.solver.require(clause);
        }
        for requirement in invariant.requirements {
            let at = |places: &[usize]| places.iter().map(|&place| now[place]).collect::<Vec<_>>();
            match requirement {
                Requirement::Never(place) => self.solver.require([!now[*place]]),
                Requirement::AtMostOne(places) => at_most_one(&mut self.solver, &at(places)),
                Requirement::NotBoth(some, others) => {
                    for &one in &at(some) {
                        for &other in &at(others) {
                            self.solver.require([!one, !other]);
                        }
                    }
                }
                Requirement::Some(places) => self.solver.require(at(places)),
                Requirement::Linear(equation) => sums::require(&mut self.solver, equation, &now),
            }
        }
    }

    /// Requires that each role makes one move, legal or not.
    fn make_any_moves(&mut self) {
        for own in &self.circuit.moves {
            let made: Vec<Literal> = own.iter().map(|mv| self.of(mv.made)).collect();
            at_most_one(&mut self.solver, &made);
            self.solver.require(made);
        }
    }

    /// Requires that the game is not over, and that each role makes one legal move.
    fn make_moves(&mut self) {
        self.make_any_moves();
        for mv in self.circuit.moves.iter().flatten() {
            let (made, legal) = (self.of(mv.made), self.of(mv.legal));
            self.solver.require([!made, legal]);
        }
        let terminal = self.of(self.circuit.terminal);
        self.solver.require([!terminal]);
    }

    /// By signal, whether it cannot be true.
    fn never(&mut self, signals: &[Signal], steps: u64) -> Vec<bool> {
        let never = signals.iter().map(|&signal| {
            let bad = self.of(signal);
            self.is_impossible(&[bad], steps)
        });
        never.collect()
    }

    /// Whether none of some literals can be true.
    fn are_impossible(&mut self, literals: Vec<Literal>, steps: u64) -> bool {
        let mut literals = literals.into_iter();
        literals.all(|literal| self.is_impossible(&[literal], steps))
    }

    fn is_impossible(&mut self, assumed: &[Literal], steps: u64) -> bool {
        self.solver.grant(steps);
        self.solver.ask(assumed) == Answer::Unsatisfiable
    }
}

fn of(literals: &[Literal], signal: Signal) -> Literal {
    literals[signal.gate()].negated_if(signal.is_inverted())
}

/// Clauses for all gates. The fluents of a state are those given; if none are, they may be anything.
fn encode(circuit: &Circuit, solver: &mut Solver, fluents: &[Literal]) -> Vec<Literal> {
    let fluents = circuit.fluents.iter().zip(fluents);
    let given = fluents.map(|(fluent, &literal)| (fluent.holds, literal));
    encode_given(circuit, solver, given)
}

/// Clauses for all gates, given what some signals are.
fn encode_given(
    circuit: &Circuit,
    solver: &mut Solver,
    signals: impl Iterator<Item = (Signal, Literal)>,
) -> Vec<Literal> {
    let gates = &circuit.gates;
    let mut given = vec![None; gates.len()];
    for (signal, literal) in signals {
        given[signal.gate()] = Some(literal.negated_if(signal.is_inverted()));
    }
    // Inputs come before what they are inputs of, but for atoms of loops, which are equal to their definitions.
    let mut all: Vec<Literal> = Vec::with_capacity(gates.len());
    for (gate, given) in given.into_iter().enumerate() {
        let output = match (gates.gate(gate), given) {
            (Gate::False, _) => !solver.truth(),
            (_, Some(given)) => given,
            (Gate::Fluent(_) | Gate::Move(..) | Gate::Variable(..) | Gate::And, None) => {
                solver.variable()
            }
        };
        all.push(output);
        if gates.gate(gate) == Gate::And {
            let inputs: Vec<Literal> = gates.inputs(gate).iter().map(|&at| of(&all, at)).collect();
            for &input in &inputs {
                solver.require([!output, input]);
            }
            let otherwise = inputs.into_iter().map(|input| !input);
            solver.require(otherwise.chain([output]));
        }
    }
    for atoms in gates.loops() {
        for (&variable, &definition) in atoms.variables.iter().zip(&atoms.definitions) {
            let (variable, definition) = (all[variable], of(&all, definition));
            solver.require([!variable, definition]);
            solver.require([variable, !definition]);
        }
    }
    all
}

/// Requires that at most one literal is true: each that is true says what the digits of its number are.
fn at_most_one(solver: &mut Solver, literals: &[Literal]) {
    // Of 5 literals, number 3 says 011 and number 4 says 100: both cannot be true.
    let digits = usize::BITS - literals.len().saturating_sub(1).leading_zeros();
    let digits: Vec<Literal> = (0..digits).map(|_| solver.variable()).collect();
    for (number, &literal) in literals.iter().enumerate() {
        for (at, digit) in digits.iter().enumerate() {
            solver.require([!literal, digit.negated_if(number >> at & 1 == 0)]);
        }
    }
}

/// Whether the start satisfies requirements and no legal move leads out of them.
pub(super) fn is_inductive(context: CheckContext<'_>, requirements: &[Requirement]) -> bool {
    let invariant = Invariant {
        requirements,
        cubes: &[],
        never: &[],
    };
    let start = start(context.circuit);
    if !requirements.iter().all(|one| satisfies(one, &start)) {
        return false;
    }
    let mut copy = ClauseCopy::under(context, invariant);
    copy.make_moves();
    let next = copy.next();
    let broken = broken_requirements(&mut copy.solver, requirements, &next);
    copy.are_impossible(broken, context.steps)
}

/// Whether an invariant whose requirements are known to be inductive is so with its cubes and signals.
pub(super) fn stays_inductive(context: CheckContext<'_>, invariant: Invariant<'_>) -> bool {
    let start = start(context.circuit);
    if invariant.cubes.iter().any(|cube| contains(cube, &start)) {
        return false;
    }
    if invariant.cubes.is_empty() && invariant.never.is_empty() {
        return true;
    }
    if !starts_well(context, invariant.never) {
        return false;
    }
    // One step: the invariant holds, a legal move is made, and what breaks it next is asked for literal by literal.
    let mut copy = ClauseCopy::under(context, invariant);
    copy.make_moves();
    let next = copy.next();
    // Signals of the next state take all gates once more, over the next fluents.
    let after = match invariant.never {
        [] => Vec::new(),
        _ => encode(context.circuit, &mut copy.solver, &next),
    };
    let cubes = invariant.cubes.iter();
    let mut broken: Vec<Literal> = cubes
        .map(|cube| all_of(&mut copy.solver, &literals(cube, &next)))
        .collect();
    broken.extend(invariant.never.iter().map(|&signal| of(&after, signal)));
    copy.are_impossible(broken, context.steps)
}

/// The fluents, by place, that hold at the start.
fn start(circuit: &Circuit) -> FixedBitSet {
    let fluents = circuit.fluents.iter().enumerate();
    let start = fluents.filter(|(_, fluent)| fluent.initial);
    start.map(|(place, _)| place).collect()
}

/// Literals one of which can be true if a state does not satisfy requirements.
fn broken_requirements(
    solver: &mut Solver,
    requirements: &[Requirement],
    state: &[Literal],
) -> Vec<Literal> {
    let mut broken = Vec::new();
    for requirement in requirements {
        let at = |places: &[usize]| places.iter().map(|&place| state[place]).collect::<Vec<_>>();
        match requirement {
            Requirement::Never(place) => broken.push(state[*place]),
            Requirement::AtMostOne(places) => broken.extend(two_of(solver, &at(places))),
            Requirement::NotBoth(some, others) => {
                for &one in &at(some) {
                    let others = at(others).into_iter();
                    broken.extend(others.map(|other| all_of(solver, &[one, other])));
                }
            }
            Requirement::Some(places) => {
                let none: Vec<Literal> = at(places).into_iter().map(|literal| !literal).collect();
                broken.push(all_of(solver, &none));
            }
            Requirement::Linear(equation) => broken.extend(sums::broken(solver, equation, state)),
        }
    }
    broken
}

/// Whether signals are false at the start.
fn starts_well(context: CheckContext<'_>, never: &[Signal]) -> bool {
    let mut copy = ClauseCopy::new(context);
    let now = copy.now().into_iter().zip(&context.circuit.fluents);
    let start: Vec<Literal> = now
        .map(|(literal, fluent)| literal.negated_if(!fluent.initial))
        .collect();
    start
        .into_iter()
        .for_each(|literal| copy.solver.require([literal]));
    // Atoms of loops may have several values that satisfy their definitions; the signal has to be false under all.
    never.iter().all(|&signal| {
        let signal = copy.of(signal);
        copy.is_impossible(&[signal], context.steps)
    })
}

/// A literal that implies all of some.
fn all_of(solver: &mut Solver, literals: &[Literal]) -> Literal {
    let all = solver.variable();
    for &literal in literals {
        solver.require([!all, literal]);
    }
    all
}

/// Literals one of which can be true whenever two of some literals are.
fn two_of(solver: &mut Solver, literals: &[Literal]) -> Vec<Literal> {
    // a, b, c: a and one of b, c; b and c. One literal for each but the last, and not for each pair.
    let number = literals.len();
    let pairs = (0..number.saturating_sub(1)).map(|place| {
        let both = solver.variable();
        solver.require([!both, literals[place]]);
        solver.require(literals[place + 1..].iter().copied().chain([!both]));
        both
    });
    pairs.collect()
}

/// By target about states, whether an invariant excludes it.
pub(super) fn excludes_states(
    context: CheckContext<'_>,
    invariant: Invariant<'_>,
    signals: &[Signal],
) -> Vec<bool> {
    ClauseCopy::under(context, invariant).never(signals, context.steps)
}

/// By target about moves, whether an invariant excludes it.
pub(super) fn excludes_moves(
    context: CheckContext<'_>,
    invariant: Invariant<'_>,
    signals: &[Signal],
) -> Vec<bool> {
    let mut copy = ClauseCopy::under(context, invariant);
    copy.make_moves();
    copy.never(signals, context.steps)
}

/// Whether an invariant excludes a target.
pub(super) fn excludes(
    context: CheckContext<'_>,
    invariant: Invariant<'_>,
    target: &Target,
) -> bool {
    match target {
        Target::State(signal) => excludes_states(context, invariant, &[*signal]) == [true],
        Target::Move(signal) => excludes_moves(context, invariant, &[*signal]) == [true],
        Target::Step(pairs) => {
            let mut copy = ClauseCopy::under(context, invariant);
            copy.make_moves();
            let next = copy.next();
            let after = encode(context.circuit, &mut copy.solver, &next);
            pairs.iter().all(|&[before, later]| {
                let assumed = [copy.of(before), of(&after, later)];
                copy.is_impossible(&assumed, context.steps)
            })
        }
    }
}

/// Whether every play is over after as many moves as there are steps between some cubes: the start is in the first, every
/// joint move, legal or not, leads from each to the one after it, and all states of the last one are ends.
pub(super) fn runs_out(context: CheckContext<'_>, known: &[Cube]) -> bool {
    let fluents = &context.circuit.fluents;
    let is_start = |cube: &Cube| {
        cube.iter()
            .all(|&(place, holds)| fluents[place].initial == holds)
    };
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return false;
    };
    let mut copy = ClauseCopy::new(context);
    let (now, next) = (copy.now(), copy.next());
    let ends = |copy: &mut ClauseCopy<'_>| {
        let mut assumed = literals(last, &now);
        assumed.push(!copy.of(context.circuit.terminal));
        copy.is_impossible(&assumed, context.steps)
    };
    let leads = |copy: &mut ClauseCopy<'_>, from: &Cube, to: &Cube| {
        let outside = copy.solver.variable();
        let left = literals(to, &next).into_iter().map(|literal| !literal);
        copy.solver.require(left.chain([!outside]));
        let mut assumed = literals(from, &now);
        assumed.push(outside);
        copy.is_impossible(&assumed, context.steps)
    };
    is_start(first)
        && ends(&mut copy)
        && known
            .windows(2)
            .all(|pair| leads(&mut copy, &pair[0], &pair[1]))
}

/// Whether legal moves from states that satisfy an invariant make the first measure grow whose rank they change, and change
/// one in as many moves in a row as is said.
pub(super) fn grows(
    context: CheckContext<'_>,
    invariant: Invariant<'_>,
    ranking: &Ranking,
) -> bool {
    let mut copy = ClauseCopy::under(context, invariant);
    copy.make_moves();
    if !never_sinks(&mut copy, context.steps, ranking) {
        return false;
    }
    // That no rank sinks is known of any move now: moves that follow are only required to leave all as they are.
    for _ in 1..ranking.moves {
        let before = copy.next();
        copy.literals = encode(context.circuit, &mut copy.solver, &before);
        copy.assume(invariant);
        copy.make_moves();
        let (now, next) = (copy.now(), copy.next());
        for measure in &ranking.measures {
            require_no_growth(&mut copy.solver, measure, &now, &next);
        }
    }
    copy.is_impossible(&[], context.steps)
}

/// Whether a move of a copy makes no rank sink as long as those before it stay as they are; all are required to do so.
fn never_sinks(copy: &mut ClauseCopy<'_>, steps: u64, ranking: &Ranking) -> bool {
    let (now, next) = (copy.now(), copy.next());
    for measure in &ranking.measures {
        for level in measure.levels() {
            // From this level or above it to one below it.
            let above = at_level(&mut copy.solver, measure, &now, |rank| rank >= level);
            let below = at_level(&mut copy.solver, measure, &next, |rank| rank < level);
            if !copy.is_impossible(&[above, below], steps) {
                return false;
            }
        }
        // Later measures matter only where the rank of this one stays as it is, and so does not grow.
        require_no_growth(&mut copy.solver, measure, &now, &next);
    }
    true
}

/// Requires of a measure that its rank does not grow: no level is reached next that is not reached now.
fn require_no_growth(solver: &mut Solver, measure: &Measure, now: &[Literal], next: &[Literal]) {
    for level in measure.levels() {
        let is_reached = at_level(solver, measure, now, |rank| rank >= level);
        let ranked = measure.fluents.iter().zip(&measure.ranks);
        let (above, below): (Vec<_>, Vec<_>) = ranked.partition(|&(_, &rank)| rank >= level);
        if measure.none >= level {
            let below = below.into_iter().map(|(&fluent, _)| next[fluent]);
            solver.require(below.chain([is_reached]));
        } else {
            for (&fluent, _) in above {
                solver.require([!next[fluent], is_reached]);
            }
        }
    }
}

/// A literal that implies that the rank of a variable's value is one of some: of those at a level or above it, or of those
/// below. Of fluents that take each other's place several may hold; then a level that none of them is below is reached
/// where one of them is at it, and one that no fluents at all would reach where none is below it.
fn at_level(
    solver: &mut Solver,
    measure: &Measure,
    fluents: &[Literal],
    is_meant: impl Fn(u32) -> bool,
) -> Literal {
    let literal = solver.variable();
    let ranked = measure.fluents.iter().zip(&measure.ranks);
    let (meant, others): (Vec<_>, Vec<_>) = ranked.partition(|&(_, &rank)| is_meant(rank));
    if is_meant(measure.none) {
        // None of the others: one of these, or none at all.
        for (&fluent, _) in others {
            solver.require([!literal, !fluents[fluent]]);
        }
    } else {
        let meant = meant.into_iter().map(|(&fluent, _)| fluents[fluent]);
        solver.require(meant.chain([!literal]));
    }
    literal
}
