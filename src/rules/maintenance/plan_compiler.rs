//! Compiling conjunctions to plans: the join order, and where values lie.

use crate::rules::code::{Operand, Output, Register, RelationId, Run};
use crate::rules::maintenance::conditions::{Condition, Conjunction};
use crate::rules::maintenance::plans::{
    Occurrence, PlanAddress, PlanScan, PlanStep, Plans, Target,
};
use crate::rules::plan::{Planner, ROWS_PER_UNKNOWN_COLUMN, is_bound};
use crate::rules::relation::{Columns, IndexId, Relation};
use crate::term::{Store, Term, TermId};

/// The plan for one place of a conjunction, given by the index of its condition.
pub(super) fn place(
    planner: &mut Planner<'_>,
    plans: &mut Plans,
    conjunction: &Conjunction,
    target: Target,
    at: usize,
) -> Option<Occurrence> {
    let Condition::Row {
        columns, positive, ..
    } = &conjunction.conditions[at]
    else {
        return None;
    };
    let mut compiler = PlanCompiler::new(planner, plans, conjunction);
    let start = compiler.plans.next_address();
    // The constants are compared once for each row, and the plan is not even started where they differ. What is
    // neither constant nor a variable, `succ(X)` say, is matched by the first steps.
    let is_ground = |term: TermId| compiler.planner.store.is_ground(term);
    let constants = columns.iter().copied().enumerate();
    let constants: Vec<(usize, TermId)> = constants.filter(|&(_, term)| is_ground(term)).collect();
    let free: Vec<Option<TermId>> = columns
        .iter()
        .map(|&term| (!is_ground(term)).then_some(term))
        .collect();
    let (out, matches) = compiler.outputs(&free);
    compiler.matches(matches);
    compiler.join(conjunction, Some(at), target);
    Some(Occurrence {
        start,
        constants,
        out,
        positive: *positive,
    })
}

/// The plan that finds all derivations at once.
pub(super) fn whole(
    planner: &mut Planner<'_>,
    plans: &mut Plans,
    conjunction: &Conjunction,
    target: Target,
) -> PlanAddress {
    let mut compiler = PlanCompiler::new(planner, plans, conjunction);
    let start = compiler.plans.next_address();
    compiler.join(conjunction, None, target);
    start
}

struct PlanCompiler<'c, 'p> {
    planner: &'c mut Planner<'p>,
    plans: &'c mut Plans,
    /// By variable.
    homes: Vec<Option<Register>>,
    bound: Vec<bool>,
    registers: u32,
}

impl<'c, 'p> PlanCompiler<'c, 'p> {
    fn new(planner: &'c mut Planner<'p>, plans: &'c mut Plans, conjunction: &Conjunction) -> Self {
        Self {
            planner,
            plans,
            homes: vec![None; conjunction.variables],
            bound: vec![false; conjunction.variables],
            registers: 0,
        }
    }

    /// Joins all conditions but that of the delta, and emits the head.
    fn join(&mut self, conjunction: &Conjunction, delta: Option<usize>, target: Target) {
        let conditions = &conjunction.conditions;
        let mut rest: Vec<usize> = (0..conditions.len())
            .filter(|&at| Some(at) != delta)
            .collect();
        let delta_relation = delta.and_then(|at| relation(&conditions[at]));
        // Greedy order, quadratic in the conditions of one rule. A condition that cannot be asked yet costs
        // infinity; rules are safe, so that one of the rest is always finite.
        while !rest.is_empty() {
            let costs = rest.iter().map(|&at| self.cost(&conditions[at]));
            let costs: Vec<f64> = costs.collect();
            let cheapest =
                (0..rest.len()).reduce(|best, at| if costs[at] < costs[best] { at } else { best });
            let at = rest.remove(cheapest.unwrap_or(0));
            // Only places before the delta's own and of its relation: at later ones the row counts as present.
            let past_delta = delta.is_some_and(|delta| at < delta)
                && relation(&conditions[at]) == delta_relation;
            self.condition(&conditions[at], past_delta);
        }
        let row: Vec<Operand> = conjunction
            .head
            .iter()
            .map(|&term| self.operand(term))
            .collect();
        let row = self.plans.add_operands(&row);
        let Target { view, recursive } = target;
        self.plans.steps.push(PlanStep::Emit {
            view,
            row,
            recursive,
        });
        self.plans.registers = self.plans.registers.max(self.registers);
    }

    /// How many rows a condition is expected to find; look-ups before negations before scans.
    fn cost(&mut self, condition: &Condition) -> f64 {
        match condition {
            Condition::Compare { left, right, .. } => {
                if self.is_bound(*left) && self.is_bound(*right) {
                    // A comparison of bound terms costs nothing and comes first, everything else that is unbound
                    // waits.
                    0.0
                } else {
                    f64::INFINITY
                }
            }
            Condition::Row {
                relation,
                columns,
                positive,
                ..
            } => {
                let free = columns.iter().filter(|&&term| !self.is_bound(term)).count();
                // Below any scan, which finds one row at least; presence before absence.
                if free == 0 {
                    return if *positive { 0.4 } else { 0.5 };
                }
                if !positive {
                    return f64::INFINITY;
                }
                let key = self.planner.bound_columns(columns, &self.bound);
                let relation = &mut self.planner.relations[relation.index()];
                // Plans are made again when the views are filled
                // (`Rules::maintain`); before that only the number of open columns
                // is known.
                match relation.len() {
                    0 => ROWS_PER_UNKNOWN_COLUMN.powi(free.min(20) as i32),
                    _ => relation.fan_out(key),
                }
            }
        }
    }

    fn condition(&mut self, condition: &Condition, past_delta: bool) {
        match condition {
            Condition::Compare {
                left,
                right,
                positive,
            } => {
                let (left, right) = (self.operand(*left), self.operand(*right));
                self.plans.steps.push(PlanStep::Compare {
                    left,
                    right,
                    positive: *positive,
                });
            }
            Condition::Row {
                relation,
                columns,
                positive,
                ..
            } => {
                if columns.iter().all(|&term| self.is_bound(term)) {
                    let row: Vec<Operand> =
                        columns.iter().map(|&term| self.operand(term)).collect();
                    let row = self.plans.add_operands(&row);
                    self.plans.steps.push(PlanStep::Test {
                        relation: *relation,
                        row,
                        positive: *positive,
                        past_delta,
                    });
                } else {
                    self.scan(*relation, columns, past_delta);
                }
            }
        }
    }

    fn scan(&mut self, relation: RelationId, columns: &[TermId], past_delta: bool) {
        let key_columns = self.planner.bound_columns(columns, &self.bound);
        // Columns beyond the 64 that an index can have are matched after the row is found.
        let keys = columns.iter().enumerate();
        let keys = keys.filter(|&(column, _)| key_columns.contains(column));
        let key: Vec<Operand> = keys.map(|(_, &term)| self.operand(term)).collect();
        let free = columns.iter().enumerate();
        let free: Vec<Option<TermId>> = free
            .map(|(column, &term)| (!key_columns.contains(column)).then_some(term))
            .collect();
        let index = self.index(relation, key_columns);
        let key_run = self.plans.add_operands(&key);
        let (out, matches) = self.outputs(&free);
        self.plans
            .steps
            .push(PlanStep::Scan(self.plans.scans.len() as u32));
        self.plans.scans.push(PlanScan {
            relation,
            index,
            key: key_run,
            single_key: (key_columns.len() == 1).then(|| key[0]),
            out,
            past_delta,
        });
        self.matches(matches);
    }

    fn index(&mut self, relation: RelationId, columns: Columns) -> IndexId {
        let relation: &mut Relation = &mut self.planner.relations[relation.index()];
        relation.index(columns)
    }

    /// Registers for the columns that are not part of the key. A variable seen for the first time
    /// is bound; anything else is put aside and matched when the row is found.
    fn outputs(&mut self, columns: &[Option<TermId>]) -> (Run, Vec<(Register, TermId)>) {
        let (mut out, mut matches) = (Vec::new(), Vec::new());
        for (column, &term) in columns.iter().enumerate() {
            let Some(term) = term else {
                continue;
            };
            let variable = match self.planner.store.view(term) {
                // A second occurrence, `edge(X,X)`, is no output: it gets a register and is compared.
                Term::Variable(number) if !self.bound[number as usize] => Some(number),
                Term::Variable(_)
                | Term::Atom(_)
                | Term::Integer(_)
                | Term::Float(_)
                | Term::Big(_)
                | Term::Text(_)
                | Term::Compound(..) => None,
            };
            let register = match variable {
                Some(number) => {
                    self.bound[number as usize] = true;
                    self.home(number)
                }
                None => {
                    let register = self.fresh();
                    matches.push((register, term));
                    register
                }
            };
            out.push(Output {
                column: column as u32,
                register,
            });
        }
        (self.plans.add_outputs(&out), matches)
    }

    /// Steps that match terms in registers against patterns, inner patterns after outer ones.
    fn matches(&mut self, mut matches: Vec<(Register, TermId)>) {
        let mut next = 0;
        // A queue: `f(g(X),X)` gives first the registers of `g(X)` and `X`, then those inside of `g(X)`.
        while let Some(&(register, pattern)) = matches.get(next) {
            next += 1;
            let term = Operand::Register(register);
            if self.is_bound(pattern) {
                let right = self.operand(pattern);
                self.plans.steps.push(PlanStep::Compare {
                    left: term,
                    right,
                    positive: true,
                });
                continue;
            }
            let Some(functor) = self.planner.store.functor(pattern) else {
                unreachable!("variables are bound when they are met, so this is a compound");
            };
            let arguments = self.planner.store.arguments(pattern);
            let arguments: Vec<Option<TermId>> = arguments.iter().copied().map(Some).collect();
            let (out, more) = self.outputs(&arguments);
            self.plans
                .steps
                .push(PlanStep::Match { term, functor, out });
            matches.extend(more);
        }
    }

    /// The operand for a bound term; compounds are built.
    fn operand(&mut self, term: TermId) -> Operand {
        let store: &Store = self.planner.store;
        let mut built: Vec<(TermId, Register)> = Vec::new();
        for part in compounds_inside_out(store, term) {
            // A part that stands twice in the term is built once.
            if built.iter().any(|(whole, _)| *whole == part) {
                continue;
            }
            let arguments: Vec<Operand> = store
                .arguments(part)
                .iter()
                .map(|&argument| self.part_operand(&built, argument))
                .collect();
            let Some(functor) = store.functor(part) else {
                unreachable!("only compounds are built");
            };
            let into = self.fresh();
            let arguments = self.plans.add_operands(&arguments);
            self.plans.steps.push(PlanStep::Build {
                symbol: functor.symbol,
                arguments,
                into,
            });
            built.push((part, into));
        }
        self.part_operand(&built, term)
    }

    /// The operand for a part of a term, of which all compounds inside it are built.
    fn part_operand(&self, built: &[(TermId, Register)], part: TermId) -> Operand {
        let store: &Store = self.planner.store;
        if store.is_ground(part) {
            return Operand::Constant(part);
        }
        if let Some(&(_, register)) = built.iter().find(|(whole, _)| *whole == part) {
            return Operand::Register(register);
        }
        let Term::Variable(number) = store.view(part) else {
            unreachable!("parts are built before wholes");
        };
        let Some(register) = self.homes[number as usize] else {
            unreachable!("rules are safe: the variable is bound here");
        };
        Operand::Register(register)
    }

    fn home(&mut self, variable: u32) -> Register {
        if let Some(register) = self.homes[variable as usize] {
            return register;
        }
        let register = self.fresh();
        self.homes[variable as usize] = Some(register);
        register
    }

    fn fresh(&mut self) -> Register {
        self.registers += 1;
        Register(self.registers - 1)
    }

    fn is_bound(&self, term: TermId) -> bool {
        is_bound(self.planner.store, term, &self.bound)
    }
}

/// The compounds with variables in a term, each behind those that it contains.
fn compounds_inside_out(store: &Store, term: TermId) -> Vec<TermId> {
    // Found from the outside in: `f(g(X), h(Y))` gives f, h, g.
    let mut order = Vec::new();
    let mut stack = vec![term];
    while let Some(part) = stack.pop() {
        if store.is_ground(part) || matches!(store.view(part), Term::Variable(_)) {
            continue;
        }
        order.push(part);
        stack.extend(store.arguments(part));
    }
    order.reverse();
    order
}

fn relation(condition: &Condition) -> Option<RelationId> {
    match condition {
        Condition::Row { relation, .. } => Some(*relation),
        Condition::Compare { .. } => None,
    }
}
