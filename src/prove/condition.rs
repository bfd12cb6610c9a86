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

/// What plays may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A state in which a signal is true.
    State(Signal),
    /// A move from a state in which one signal is true to one in which the other is, for one of some pairs.
    Step(Vec<[Signal; 2]>),
    /// A legal joint move with which a signal is true.
    Move(Signal),
}

/// A target, and whether the property asks that some play reaches it, or that none does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReachClaim {
    pub(super) target: Target,
    pub(super) is_reached: bool,
}

/// The claims that make up a property, all of which must be true; none for a property that is no matter of targets.
/// A property that is true of any game has claims with targets that are false.
pub(super) fn claims(circuit: &mut Circuit, property: Property) -> Option<Vec<ReachClaim>> {
    let roles: Vec<usize> = (0..circuit.moves.len())
        .filter(|&role| property.is_of(role))
        .collect();
    match property.kind {
        PropertyKind::Terminates | PropertyKind::Acyclic | PropertyKind::StronglyWinnable => None,
        // Each rule and each move is a target of its own.
        PropertyKind::RulesApply | PropertyKind::MovesLegal => None,
        // It is one of the rules, not of states.
        PropertyKind::Symmetric => None,
        PropertyKind::Playable => {
            let stuck = roles.iter().map(|&role| stuck(circuit, role)).collect();
            never_any(circuit, stuck)
        }
        PropertyKind::GoalsDefined => {
            let ends = roles.iter().map(|&role| without_goal(circuit, role));
            let ends = ends.collect();
            never_any(circuit, ends)
        }
        PropertyKind::GoalsUnique => {
            let ends = roles.iter().map(|&role| with_two_goals(circuit, role));
            let ends = ends.collect();
            never_any(circuit, ends)
        }
        PropertyKind::GoalsBounded => {
            let ends = roles.iter().map(|&role| out_of_bounds(circuit, role));
            let ends = ends.collect();
            never_any(circuit, ends)
        }
        PropertyKind::WeaklyWinnable => {
            Some(roles.iter().map(|&role| wins(circuit, role)).collect())
        }
        PropertyKind::TurnTaking => {
            let choices = choices_of_two(circuit, property.role);
            never_any(circuit, choices)
        }
        PropertyKind::ZeroSum => {
            let unequal = unequal_sum(circuit, i64::from(GoalValue::MOST));
            never_any(circuit, vec![unequal])
        }
        // Which number it is, plays tell.
        PropertyKind::ConstantSum => None,
        PropertyKind::Monotonic => {
            let target = Target::Step(
                roles
                    .iter()
                    .flat_map(|&role| falls(circuit, role))
                    .collect(),
            );
            let is_reached = false;
            Some(vec![ReachClaim { target, is_reached }])
        }
    }
}

fn never_any(circuit: &mut Circuit, mut signals: Vec<Signal>) -> Option<Vec<ReachClaim>> {
    let target = Target::State(circuit.gates.or(&mut signals));
    let is_reached = false;
    Some(vec![ReachClaim { target, is_reached }])
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

fn with_two_goals(circuit: &mut Circuit, role: usize) -> Signal {
    let payoffs = circuit.goals[role].iter();
    let payoffs: Vec<Signal> = payoffs.map(|payoff| payoff.signal).collect();
    let two = two(&mut circuit.gates, &payoffs);
    circuit.gates.and(&mut vec![circuit.terminal, two])
}

/// Two of the signals are true.
pub(super) fn two(gates: &mut Gates, signals: &[Signal]) -> Signal {
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
    let most = GoalValue(GoalValue::MOST);
    let payoffs = circuit.goals[role].iter();
    let most = payoffs.filter(|payoff| payoff.value == Some(most));
    let mut most: Vec<Signal> = most.map(|payoff| payoff.signal).collect();
    let most = circuit.gates.or(&mut most);
    let target = Target::State(circuit.gates.and(&mut vec![circuit.terminal, most]));
    ReachClaim {
        target,
        is_reached: true,
    }
}

/// Two roles, one of them a given one if there is one, have two legal moves each before the end.
fn choices_of_two(circuit: &mut Circuit, role: Option<usize>) -> Vec<Signal> {
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
            let others = has_choice.iter().enumerate();
            let others = others.filter(|(other, _)| *other != role);
            let mut others: Vec<Signal> = others.map(|(_, &signal)| signal).collect();
            let others = gates.or(&mut others);
            gates.and(&mut vec![has_choice[role], others])
        }
    };
    vec![circuit.gates.and(&mut vec![both, !circuit.terminal])]
}

/// At an end, goal values of all roles add up to something else. Where a role has none, or two, other properties
/// are violated; sums are those of all choices.
pub(super) fn unequal_sum(circuit: &mut Circuit, sum: i64) -> Signal {
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
    let payoffs = || circuit.goals[role].iter().filter_map(with_value);
    let pairs = payoffs().flat_map(|high| payoffs().map(move |low| (high, low)));
    let falling = pairs.filter(|((high, _), (low, _))| high > low);
    falling
        .map(|((_, high), (_, low))| [high, low])
        .filter(|pair| !pair.contains(&Signal::FALSE))
        .collect()
}
