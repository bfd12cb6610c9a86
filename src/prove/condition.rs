//! What properties ask of states, as signals of the circuit.
//!
//! ```text
//! playable        ¬terminal ∧ no move of the role is legal        is never true
//! zero-sum        terminal ∧ the goal values do not add up to 100  is never true
//! weakly winnable terminal ∧ goal(role, 100)                       is true in some state
//! monotonic       goal(role, 50), and goal(role, 30) a move later  is never true
//! ```

use std::collections::BTreeMap;

use crate::circuit::{Circuit, Gates, Payoff, Signal};
use crate::gdl::GoalValue;
use crate::prove::property::{Property, PropertyKind};
use crate::prove::target::{ReachClaim, Target};

/// Goal values of a role of which each two are a case of their own.
const FEW_PAYOFFS: usize = 6;

/// The claims that make up a property, all of which must be true; none for a property that is no matter of targets.
/// A property that is true of any game has claims with targets that are false.
pub(super) fn claims(circuit: &mut Circuit, property: Property) -> Option<Vec<ReachClaim>> {
    let roles: Vec<usize> = (0..circuit.moves.len())
        .filter(|&role| property.is_of(role))
        .collect();
    let mut excluded = match property.kind {
        PropertyKind::Terminates | PropertyKind::Acyclic | PropertyKind::StronglyWinnable => {
            return None;
        }
        // Each rule and each move is a target of its own.
        PropertyKind::RulesApply | PropertyKind::MovesLegal => return None,
        // It is one of the rules, not of states.
        PropertyKind::Symmetric => return None,
        // Which number it is, plays tell.
        PropertyKind::ConstantSum => return None,
        PropertyKind::WeaklyWinnable => {
            return Some(roles.iter().map(|&role| wins(circuit, role)).collect());
        }
        PropertyKind::Monotonic => {
            let pairs = roles.iter().flat_map(|&role| falls(circuit, role));
            return Some(vec![never(Target::Step(pairs.collect()))]);
        }
        PropertyKind::Playable => of_roles(circuit, &roles, stuck),
        PropertyKind::GoalsDefined => of_roles(circuit, &roles, without_goal),
        PropertyKind::GoalsUnique => {
            let pairs = roles.iter().flat_map(|&role| with_two_goals(circuit, role));
            pairs.collect()
        }
        PropertyKind::GoalsBounded => of_roles(circuit, &roles, out_of_bounds),
        PropertyKind::TurnTaking => vec![choices_of_two(circuit, property.role)],
        PropertyKind::ZeroSum => vec![unequal_sum(circuit, i64::from(GoalValue::MOST))],
    };
    // One target for all roles: the state that some play reaches says which of them it is.
    let target = Target::State(circuit.gates.or(&mut excluded));
    Some(vec![never(target)])
}

/// The claim that no play reaches a target.
fn never(target: Target) -> ReachClaim {
    ReachClaim {
        target,
        is_reached: false,
    }
}

fn of_roles(
    circuit: &mut Circuit,
    roles: &[usize],
    signal: fn(&mut Circuit, usize) -> Signal,
) -> Vec<Signal> {
    roles.iter().map(|&role| signal(circuit, role)).collect()
}

/// The game goes on, and the role has no legal move.
fn stuck(circuit: &mut Circuit, role: usize) -> Signal {
    let moves = circuit.moves[role].iter();
    let mut none: Vec<Signal> = moves.map(|mv| !mv.legal).collect();
    none.push(!circuit.terminal);
    circuit.gates.and(&mut none)
}

fn without_goal(circuit: &mut Circuit, role: usize) -> Signal {
    let payoffs = circuit.goals[role].iter();
    let mut none: Vec<Signal> = payoffs.map(|payoff| !payoff.signal).collect();
    none.push(circuit.terminal);
    circuit.gates.and(&mut none)
}

/// The role has two goal values at an end: which two, where there are few.
fn with_two_goals(circuit: &mut Circuit, role: usize) -> Vec<Signal> {
    let payoffs = circuit.goals[role].iter();
    let payoffs: Vec<Signal> = payoffs.map(|payoff| payoff.signal).collect();
    let (gates, terminal) = (&mut circuit.gates, circuit.terminal);
    if payoffs.len() > FEW_PAYOFFS {
        let two = two(gates, &payoffs);
        return vec![gates.and(&mut vec![terminal, two])];
    }
    let pairs = payoffs.iter().enumerate();
    let pairs =
        pairs.flat_map(|(at, &one)| payoffs[at + 1..].iter().map(move |&other| [one, other]));
    pairs
        .map(|[one, other]| gates.and(&mut vec![terminal, one, other]))
        .collect()
}

/// Two of the signals are true.
pub(super) fn two(gates: &mut Gates, signals: &[Signal]) -> Signal {
    // After each signal: one or more of those so far, two or more of them.
    let (mut one, mut two) = (Signal::FALSE, Signal::FALSE);
    for &signal in signals {
        let both = gates.and(&mut vec![one, signal]);
        two = gates.or(&mut vec![two, both]);
        one = gates.or(&mut vec![one, signal]);
    }
    two
}

fn out_of_bounds(circuit: &mut Circuit, role: usize) -> Signal {
    let payoffs = circuit.goals[role].iter();
    let others = payoffs.filter(|payoff| payoff.value.is_none());
    let mut others: Vec<Signal> = others.map(|payoff| payoff.signal).collect();
    let other = circuit.gates.or(&mut others);
    circuit.gates.and(&mut vec![circuit.terminal, other])
}

/// The role has the highest value at an end.
pub(super) fn wins(circuit: &mut Circuit, role: usize) -> ReachClaim {
    let most = Some(GoalValue(GoalValue::MOST));
    let payoffs = circuit.goals[role].iter();
    let winning = payoffs.filter(|payoff| payoff.value == most);
    let mut signals: Vec<Signal> = winning.map(|payoff| payoff.signal).collect();
    let wins = circuit.gates.or(&mut signals);
    let target = Target::State(circuit.gates.and(&mut vec![circuit.terminal, wins]));
    ReachClaim {
        target,
        is_reached: true,
    }
}

/// Two roles, one of them a given one if there is one, have two legal moves each before the end.
fn choices_of_two(circuit: &mut Circuit, role: Option<usize>) -> Signal {
    let has_choice: Vec<Signal> = (0..circuit.moves.len())
        .map(|role| {
            let legal: Vec<Signal> = circuit.moves[role].iter().map(|mv| mv.legal).collect();
            two(&mut circuit.gates, &legal)
        })
        .collect();
    let gates = &mut circuit.gates;
    let both = match role {
        None => two(gates, &has_choice),
        Some(role) => {
            let mut others = has_choice.clone();
            let own = others.remove(role);
            let some_other = gates.or(&mut others);
            gates.and(&mut vec![own, some_other])
        }
    };
    circuit.gates.and(&mut vec![both, !circuit.terminal])
}

/// At an end, goal values of all roles add up to something else. Where a role has none, or two, other properties
/// are violated; sums are those of all choices.
pub(super) fn unequal_sum(circuit: &mut Circuit, sum: i64) -> Signal {
    // Role by role, when the values so far have a sum: {0: end}, {0: …, 100: …}, {0: …, 50: …, 100: …, 200: …}.
    let mut sums: BTreeMap<i64, Signal> = BTreeMap::from([(0, circuit.terminal)]);
    for payoffs in &circuit.goals {
        let mut longer: BTreeMap<i64, Vec<Signal>> = BTreeMap::new();
        for (&sum, &before) in &sums {
            for (value, payoff) in payoffs.iter().filter_map(with_value) {
                let both = circuit.gates.and(&mut vec![before, payoff]);
                longer.entry(sum + value).or_default().push(both);
            }
        }
        let longer = longer.into_iter();
        sums = longer
            .map(|(sum, mut ways)| (sum, circuit.gates.or(&mut ways)))
            .collect();
    }
    let others = sums.into_iter().filter(|(other, _)| *other != sum);
    let mut others: Vec<Signal> = others.map(|(_, signal)| signal).collect();
    circuit.gates.or(&mut others)
}

fn with_value(payoff: &Payoff) -> Option<(i64, Signal)> {
    let value = payoff.value?;
    Some((i64::from(value.0), payoff.signal))
}

/// Pairs of a higher goal value now and a lower one next.
fn falls(circuit: &Circuit, role: usize) -> Vec<[Signal; 2]> {
    // Goal values of all states, and not of ends alone, which no move comes after.
    let payoffs = || circuit.goals[role].iter().filter_map(with_value);
    let pairs = payoffs().flat_map(|high| payoffs().map(move |low| (high, low)));
    let falling = pairs.filter(|((high, _), (low, _))| high > low);
    falling
        .map(|((_, high), (_, low))| [high, low])
        .filter(|pair| !pair.contains(&Signal::FALSE))
        .collect()
}
