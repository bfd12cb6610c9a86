//! Signals as conditions of a planning task: conjunctions of literals, and derived predicates for all else.
//!
//! Conditions are in negation normal form: a disjunction is a derived predicate with a rule for each case, and its
//! negation a conjunction, so that no derived predicate is negated. Only atoms that depend on each other (the loops of
//! the circuit) have no such form, since what they are not is no least fixpoint; planners support negation of those.
//!
//! ```text
//! ¬(¬(a ∧ b) ∧ ¬c)      (:derived (p-1) (and (a) (b)))      (:derived (p-1) (c))
//!   ¬(a ∧ b) ∧ ¬c       (:derived (p-2) (not (a)))  (:derived (p-2) (not (b)))      (and (p-2) (not (c)))
//! ```

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::circuit::gates::{Gate, Gates, Signal};
use crate::circuit::planning::groups::Groups;

/// A conjunction of more parts is a derived predicate where it is a part of another one.
const MAX_PARTS: usize = 4;

/// What is true or false in a state of a planning task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum TaskAtom {
    /// A fluent, by place in the circuit.
    Fact(usize),
    /// A derived predicate, by number.
    Derived(usize),
}

/// An atom or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TaskLiteral {
    pub(super) atom: TaskAtom,
    pub(super) holds: bool,
}

/// The conjunctions of which one holds.
pub(super) type Alternatives = Vec<Vec<TaskLiteral>>;

/// Derived predicates, in the order in which they were needed.
#[derive(Default)]
pub(super) struct Conditions {
    derived: IndexSet<Signal, FxBuildHasher>,
}

impl Conditions {
    /// What must hold for a signal, each a signal that is no conjunction or a large one; nothing if it never does.
    pub(super) fn parts(&self, gates: &Gates, signal: Signal) -> Option<Vec<Signal>> {
        if let Some(value) = signal.constant() {
            return value.then(Vec::new);
        }
        let mut parts: IndexSet<Signal, FxBuildHasher> = IndexSet::default();
        let mut open = vec![(signal, true)];
        while let Some((signal, is_whole)) = open.pop() {
            let is_conjunction = gates.gate(signal.gate()) == Gate::And && !signal.is_inverted();
            let inputs = gates.inputs(signal.gate());
            if is_conjunction && (is_whole || inputs.len() <= MAX_PARTS) {
                open.extend(inputs.iter().rev().map(|&input| (input, false)));
            } else {
                parts.insert(signal);
            }
        }
        // Two parts that are each other's negation may have come from different depths.
        let contradicts = |part: &Signal| parts.contains(&!*part);
        (!parts.iter().any(contradicts)).then(|| parts.iter().copied().collect())
    }

    /// The literal of a part.
    pub(super) fn literal(&mut self, gates: &Gates, part: Signal) -> TaskLiteral {
        let (atom, holds) = match gates.gate(part.gate()) {
            Gate::Fluent(place) => (TaskAtom::Fact(place as usize), !part.is_inverted()),
            Gate::Variable(..) => {
                let variable = part.inverted_if(part.is_inverted());
                (self.derive(variable), !part.is_inverted())
            }
            Gate::And | Gate::False | Gate::Move(..) => (self.derive(part), true),
        };
        TaskLiteral { atom, holds }
    }

    /// The signal of a literal.
    pub(super) fn signal(&self, groups: &Groups, literal: TaskLiteral) -> Signal {
        let signal = match literal.atom {
            TaskAtom::Fact(place) => groups.holds(place),
            TaskAtom::Derived(number) => self.derived[number],
        };
        signal.inverted_if(!literal.holds)
    }

    /// The conjunction of literals that a signal is; nothing if it is never true.
    pub(super) fn conjunction(
        &mut self,
        gates: &Gates,
        signal: Signal,
    ) -> Option<Vec<TaskLiteral>> {
        let parts = self.parts(gates, signal)?;
        Some(
            parts
                .iter()
                .map(|&part| self.literal(gates, part))
                .collect(),
        )
    }

    /// The cases of a signal: those of a disjunction of few, or else one.
    pub(super) fn cases(&mut self, gates: &Gates, signal: Signal) -> Alternatives {
        let cases = disjuncts(gates, signal);
        let cases = cases.filter(|cases| cases.len() <= MAX_PARTS);
        self.conjunctions(gates, cases.unwrap_or_else(|| vec![signal]))
    }

    /// The conjunctions of literals that cases are, without those that are never true.
    fn conjunctions(&mut self, gates: &Gates, cases: Vec<Signal>) -> Alternatives {
        let cases = cases.into_iter();
        cases
            .filter_map(|case| self.conjunction(gates, case))
            .collect()
    }

    /// The rules of all derived predicates, by number; those that they need come behind them.
    pub(super) fn rules(&mut self, gates: &Gates) -> Vec<Alternatives> {
        let mut rules = Vec::new();
        while let Some(&signal) = self.derived.get_index(rules.len()) {
            let meaning = match gates.gate(signal.gate()) {
                Gate::Variable(number, at) => {
                    gates.loops()[number as usize].definitions[at as usize]
                }
                Gate::And | Gate::False | Gate::Fluent(_) | Gate::Move(..) => signal,
            };
            let cases = disjuncts(gates, meaning).unwrap_or_else(|| vec![meaning]);
            rules.push(self.conjunctions(gates, cases));
        }
        rules
    }

    fn derive(&mut self, signal: Signal) -> TaskAtom {
        TaskAtom::Derived(self.derived.insert_full(signal).0)
    }
}

/// The cases of a signal that is an inverted conjunction: ¬(a ∧ b) is ¬a ∨ ¬b.
fn disjuncts(gates: &Gates, signal: Signal) -> Option<Vec<Signal>> {
    let is_disjunction = gates.gate(signal.gate()) == Gate::And && signal.is_inverted();
    let inputs = gates.inputs(signal.gate()).iter();
    is_disjunction.then(|| inputs.map(|&input| !input).collect())
}
