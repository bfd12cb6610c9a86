//! From a circuit to a planning task, move by move.

use fixedbitset::FixedBitSet;
use thiserror::Error;

use crate::circuit::assemble::Circuit;
use crate::circuit::gates::{Gate, Signal};
use crate::circuit::invariants::{Invariants, proved_variables};
use crate::circuit::planning::action::{Action, Fact};
use crate::circuit::planning::cofactor::Cofactors;
use crate::circuit::planning::conditions::{Alternatives, Conditions, TaskLiteral};
use crate::circuit::planning::effects::{Effect, Maker, relevant, where_known};
use crate::circuit::planning::groups::Groups;
use crate::circuit::planning::names::Names;
use crate::circuit::planning::restrict::Assumed;
use crate::circuit::sat::Requirement;
use crate::gdl::GoalValue;
use crate::limits::{Limits, Stage, StopReason};
use crate::term::{Prefix, Store};

/// Literals of all effects at most: a domain of half a gigabyte.
const MAX_LITERALS: usize = 20_000_000;

/// Gates of all cofactors at most.
const MAX_GATES: usize = 20_000_000;

/// Assignments that the proof of groups of fluents may take.
const ASSIGNMENTS: u64 = 20_000_000;

/// Why a game is no planning task.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanningError {
    /// What moves do would fill a file that no planner reads.
    #[error(
        "what the moves do takes more than {most} {what}, which is too large for a planning task"
    )]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// No state has a goal value, so that there is nothing to plan for.
    #[error("no end of the game has a goal value")]
    NoGoal,
    /// A limit was reached.
    #[error("{0}")]
    Stopped(StopReason),
}

/// A game of one role as a planning task.
#[derive(Clone, Debug)]
pub struct PlanningTask {
    pub(super) title: String,
    pub(super) facts: Vec<Fact>,
    /// The rules of the derived predicates.
    pub(super) derived: Vec<Alternatives>,
    pub(super) actions: Vec<Action>,
    /// The goals by value, the highest first.
    pub(super) goals: Vec<(GoalValue, Vec<TaskLiteral>)>,
    /// How many fluents have no influence.
    pub(super) left_out: usize,
    pub(super) names: Names,
}

impl PlanningTask {
    /// The planning task of the circuit of a game with one role.
    ///
    /// # Errors
    /// [`PlanningError`].
    pub fn new(
        circuit: &Circuit,
        store: &Store,
        title: &str,
        limits: &Limits,
    ) -> Result<Self, PlanningError> {
        let known = proved_variables(circuit, &limits.stop, ASSIGNMENTS);
        let mut compiler = TaskCompiler::new(circuit, known.map_err(PlanningError::Stopped)?);
        let goals = compiler.goals();
        if goals.is_empty() {
            return Err(PlanningError::NoGoal);
        }
        let actions = compiler.actions(store, limits)?;
        let derived = compiler.conditions.rules(&compiler.cofactors.gates);
        let fluents = circuit.fluents.iter().enumerate();
        let facts: Vec<Fact> = fluents
            .map(|(place, fluent)| Fact {
                text: Prefix::new(store, fluent.term).to_string(),
                initial: fluent.initial,
                is_used: compiler.is_used.contains(place),
            })
            .collect();
        let names = Names::of(&actions, &facts, derived.len());
        Ok(Self {
            title: title.to_owned(),
            left_out: facts.iter().filter(|fact| !fact.is_used).count(),
            facts,
            derived,
            actions,
            goals,
            names,
        })
    }

    /// The goal values that an end may have, the highest first: there is a problem for each.
    pub fn values(&self) -> Vec<GoalValue> {
        self.goals.iter().map(|&(value, _)| value).collect()
    }
}

/// A planning task in the making.
struct TaskCompiler<'c> {
    circuit: &'c Circuit,
    cofactors: Cofactors<'c>,
    groups: Groups,
    conditions: Conditions,
    /// By place, whether a fluent is part of the task.
    is_used: FixedBitSet,
    /// Literals of effects so far.
    literals: usize,
}

impl<'c> TaskCompiler<'c> {
    /// Nothing is compiled yet; fluents that never hold, or have no influence, are no part of the task.
    fn new(circuit: &'c Circuit, known: Invariants) -> Self {
        let never = known.requirements.iter().filter_map(|known| match known {
            Requirement::Never(place) => Some(*place),
            Requirement::AtMostOne(_)
            | Requirement::NotBoth(..)
            | Requirement::Some(_)
            | Requirement::Linear(_) => None,
        });
        let mut is_never = FixedBitSet::with_capacity(circuit.fluents.len());
        is_never.extend(never);
        let mut is_used = relevant(circuit);
        is_used.difference_with(&is_never);
        let cofactors = Cofactors::new(circuit, is_never);
        let fluents = circuit.fluents.iter();
        let holds = fluents.map(|fluent| cofactors.without_move(fluent.holds));
        let members = known.variables.into_iter();
        let members = members.map(|variable| variable.fluents);
        Self {
            circuit,
            groups: Groups::new(members.collect(), holds.collect()),
            cofactors,
            conditions: Conditions::default(),
            is_used,
            literals: 0,
        }
    }

    /// For each value, that the game is over and has that value and no other.
    fn goals(&mut self) -> Vec<(GoalValue, Vec<TaskLiteral>)> {
        let payoffs = self.circuit.goals.iter().flatten();
        let payoffs: Vec<_> = payoffs
            .map(|payoff| (payoff.value, self.cofactors.without_move(payoff.signal)))
            .collect();
        let terminal = self.cofactors.without_move(self.circuit.terminal);
        let mut values: Vec<GoalValue> = payoffs.iter().filter_map(|&(value, _)| value).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.0));
        values.dedup();
        let mut goals = Vec::new();
        for value in values {
            let gates = &mut self.cofactors.gates;
            let own = (0..payoffs.len()).filter(|&place| payoffs[place].0 == Some(value));
            // Two payoffs at once are none, as when a play is scored.
            let alone = |place: usize| {
                let parts = payoffs.iter().enumerate();
                parts.map(move |(other, &(_, had))| had.inverted_if(other != place))
            };
            let mut cases: Vec<Signal> = own
                .map(|place| gates.and(&mut alone(place).collect()))
                .collect();
            let had = gates.or(&mut cases);
            let ends = gates.and(&mut vec![terminal, had]);
            goals.extend(
                self.conditions
                    .conjunction(gates, ends)
                    .map(|goal| (value, goal)),
            );
        }
        goals
    }

    fn actions(&mut self, store: &Store, limits: &Limits) -> Result<Vec<Action>, PlanningError> {
        let circuit = self.circuit;
        let places: Vec<usize> = self.is_used.ones().collect();
        let idle = self.idle(&places);
        let moves: Vec<_> = circuit.moves.iter().flatten().collect();
        limits
            .progress
            .begin(Stage::Translating, Some(moves.len() as u64));
        let mut actions = Vec::new();
        for (done, mv) in moves.iter().enumerate() {
            if let Some(reason) = limits.stop.raised() {
                return Err(PlanningError::Stopped(reason));
            }
            limits.progress.reach(done as u64);
            let legal = self.cofactors.without_move(mv.legal);
            let over = self.cofactors.without_move(circuit.terminal);
            let possible = self.cofactors.gates.and(&mut vec![legal, !over]);
            let Some(parts) = self.conditions.parts(&self.cofactors.gates, possible) else {
                continue;
            };
            let gates = &self.cofactors.gates;
            let precondition = parts
                .iter()
                .map(|&part| self.conditions.literal(gates, part));
            let precondition = precondition.collect();
            let known = self.known(&parts);
            self.cofactors.make(mv.made);
            let effects = self.effects(&places, &idle, &known)?;
            actions.push(Action {
                text: Prefix::new(store, mv.term).to_string(),
                precondition,
                effects,
            });
        }
        Ok(actions)
    }

    /// What is known where a conjunction holds.
    fn known(&self, parts: &[Signal]) -> Assumed {
        let mut known = Assumed::default();
        for &part in parts {
            known.insert(part);
            if let (Gate::Fluent(place), false) =
                (self.cofactors.gates.gate(part.gate()), part.is_inverted())
            {
                self.groups.assume(&mut known, place as usize);
            }
        }
        known
    }

    /// The effects on fluents of moves that have no influence on them, by place among those that are used.
    fn idle(&mut self, places: &[usize]) -> Vec<(Signal, Vec<Effect>)> {
        let mut idle = Vec::new();
        for &place in places {
            let next = self
                .cofactors
                .without_move(self.circuit.fluents[place].next);
            let mut maker = Maker {
                groups: &self.groups,
                conditions: &mut self.conditions,
            };
            let known = Assumed::default();
            let effects = maker.effects(&mut self.cofactors.gates, place, next, &known);
            idle.push((next, effects));
        }
        idle
    }

    /// The effects of the move that is made, where its precondition holds.
    fn effects(
        &mut self,
        places: &[usize],
        idle: &[(Signal, Vec<Effect>)],
        known: &Assumed,
    ) -> Result<Vec<Effect>, PlanningError> {
        let mut effects = Vec::new();
        for (&place, (unmoved, own)) in places.iter().zip(idle) {
            let next = self.cofactors.under_move(self.circuit.fluents[place].next);
            if next == *unmoved {
                let (groups, conditions) = (&self.groups, &self.conditions);
                let holds = |literal: TaskLiteral| {
                    let signal = conditions.signal(groups, literal);
                    known.value(signal)
                };
                effects.extend(own.iter().filter_map(|effect| where_known(effect, &holds)));
                continue;
            }
            let mut maker = Maker {
                groups: &self.groups,
                conditions: &mut self.conditions,
            };
            effects.extend(maker.effects(&mut self.cofactors.gates, place, next, known));
        }
        self.literals += effects
            .iter()
            .map(|effect| effect.condition.len() + 1)
            .sum::<usize>();
        let too_large = |what, most| Err(PlanningError::TooLarge { what, most });
        if self.literals > MAX_LITERALS {
            too_large("literals", MAX_LITERALS)
        } else if self.cofactors.gates.len() > MAX_GATES {
            too_large("gates", MAX_GATES)
        } else {
            Ok(effects)
        }
    }
}
