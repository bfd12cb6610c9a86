//! In which order the conditions of a rule are joined, and by which indexes.
//!
//! A rule is joined whenever a condition has rows that it has not seen: those first, then always the
//! condition that is expected to have the fewest rows for what is bound by then.

use crate::circuit::ground::relation::{Fields, Relation, ViewRow};
use crate::circuit::ground::rule::{ConditionField, Negative, Rule, Template};

/// A step of a join.
#[derive(Debug)]
pub(super) enum JoinStep {
    /// Goes through rows of a condition.
    Scan(Scan),
    /// Goes through the answers of a question, by its place in the rule.
    Ask {
        question: usize,
        /// The columns that are open, with the slots that they bind.
        open: Vec<(usize, usize)>,
        filters: Filters,
    },
}

/// What is tested once a step has bound its slots: `distinct` and negated conditions of the rule that
/// do not depend on the state, by place.
#[derive(Debug, Default)]
pub(super) struct Filters {
    pub(super) distinct: Vec<usize>,
    pub(super) negative: Vec<usize>,
    pub(super) questions: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Scan {
    /// The place of the condition in the rule.
    pub(super) condition: usize,
    pub(super) index: usize,
    /// The values of the key, in the order of the fields.
    pub(super) key: Vec<ConditionField>,
    /// Rows from the first number to the one before the second.
    pub(super) range: (ViewRow, ViewRow),
    /// Fields and the slots that they bind.
    pub(super) binds: Vec<(usize, usize)>,
    /// Fields that must equal what a slot was bound to by the same row.
    pub(super) checks: Vec<(usize, usize)>,
    pub(super) filters: Filters,
}

/// The steps of a join.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Tested before all steps.
    pub(super) filters: Filters,
    pub(super) steps: Vec<JoinStep>,
}

/// Which rows of each condition are joined: those of `new` that were not seen, with all of the ones
/// before it and those seen of the ones behind it.
pub(super) struct Ranges {
    pub(super) new: Option<usize>,
    /// Rows of each condition when the join begins.
    pub(super) lengths: Vec<usize>,
}

impl Ranges {
    fn of(&self, rule: &Rule, condition: usize) -> (ViewRow, ViewRow) {
        let (seen, all) = (rule.positive[condition].done, self.lengths[condition]);
        let (from, to) = match self.new {
            Some(new) if new == condition => (seen, all),
            Some(new) if new < condition => (0, seen),
            Some(_) | None => (0, all),
        };
        (ViewRow::from_index(from), ViewRow::from_index(to))
    }
}

/// Plans a join. Nothing if some slot of the head or of a test stays unbound.
pub(super) fn plan(rule: &Rule, relations: &mut [Relation], ranges: &Ranges) -> Option<Plan> {
    let mut planning = Planning {
        rule,
        bound: vec![false; rule.slots],
        conditions: (0..rule.positive.len()).collect(),
        distinct: (0..rule.distinct.len()).collect(),
        negative: (0..rule.negative.len())
            .filter(|&at| rule.negative[at].is_static)
            .collect(),
        questions: (0..rule.questions.len()).collect(),
    };
    let mut plan = Plan {
        filters: planning.filters(),
        steps: Vec::new(),
    };
    // New rows come first: they are few, and every join has to have one.
    loop {
        let next = match ranges.new {
            // Then the cheapest, with what is bound so far; questions as soon as they can be asked, or when nothing
            // else is left.
            Some(new) if plan.steps.is_empty() => Some(new),
            _ => planning.cheapest(relations, ranges),
        };
        if let Some(open) = planning.question(next.is_none()) {
            plan.steps.push(open);
        } else if let Some(condition) = next {
            let scan = planning.scan(condition, relations, ranges);
            plan.steps.push(JoinStep::Scan(scan));
        } else {
            break;
        }
    }
    let is_bound = |template: &Template| template.slots().all(|slot| planning.bound[slot]);
    // A slot of the head that nothing binds would leave a variable in the instance.
    let left = planning.distinct.len() + planning.negative.len() + planning.questions.len();
    let negative = rule.negative.iter().flat_map(Negative::templates);
    let complete = left == 0 && rule.columns.iter().chain(negative).all(is_bound);
    complete.then_some(plan)
}

/// What is left to plan.
struct Planning<'r> {
    rule: &'r Rule,
    bound: Vec<bool>,
    conditions: Vec<usize>,
    distinct: Vec<usize>,
    negative: Vec<usize>,
    questions: Vec<usize>,
}

impl Planning<'_> {
    fn cheapest(&self, relations: &mut [Relation], ranges: &Ranges) -> Option<usize> {
        if let [condition] = self.conditions[..] {
            return Some(condition);
        }
        let mut best: Option<(f64, usize)> = None;
        for &condition in &self.conditions {
            let cost = self.cost(condition, relations, ranges);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, condition));
            }
        }
        best.map(|(_, condition)| condition)
    }

    /// The number of rows that a condition is expected to have for what is bound.
    fn cost(&self, condition: usize, relations: &mut [Relation], ranges: &Ranges) -> f64 {
        let positive = &self.rule.positive[condition];
        let (from, to) = ranges.of(self.rule, condition);
        let view = &mut relations[positive.relation.index()].views[positive.view];
        // Rows, divided by the number of different values of every field that is known: fields taken for
        // independent.
        let mut cost = (to.index() - from.index()) as f64;
        for (at, &field) in positive.fields.iter().enumerate() {
            if self.is_known(field) && cost > 0.0 {
                cost /= view.distinct(at).max(1) as f64;
            }
        }
        cost
    }

    fn is_known(&self, field: ConditionField) -> bool {
        match field {
            ConditionField::Constant(_) => true,
            ConditionField::Slot(slot) => self.bound[slot],
            ConditionField::Opened => false,
        }
    }

    fn scan(&mut self, condition: usize, relations: &mut [Relation], ranges: &Ranges) -> Scan {
        self.conditions.retain(|&other| other != condition);
        let positive = &self.rule.positive[condition];
        let (mut columns, mut key) = (Fields::default(), Vec::new());
        let (mut binds, mut checks) = (Vec::new(), Vec::new());
        for (at, &field) in positive.fields.iter().enumerate() {
            if self.is_known(field) && columns.insert(at) {
                key.push(field);
            } else if let ConditionField::Slot(slot) = field {
                // Bound by this very row, or a field too far back for a key.
                if binds.iter().any(|&(_, other)| other == slot) || self.bound[slot] {
                    checks.push((at, slot))
                } else {
                    binds.push((at, slot))
                }
            }
        }
        binds.iter().for_each(|&(_, slot)| self.bound[slot] = true);
        Scan {
            condition,
            index: relations[positive.relation.index()].views[positive.view].index(columns),
            key,
            range: ranges.of(self.rule, condition),
            binds,
            checks,
            filters: self.filters(),
        }
    }

    /// The next question that can be asked: one whose arguments are bound, or any if there is nothing
    /// else to do.
    fn question(&mut self, any: bool) -> Option<JoinStep> {
        let rule = self.rule;
        let is_open = |template: &&Template| template.slots().any(|slot| !self.bound[slot]);
        let position = self.questions.iter().position(|&at| {
            let question = &rule.questions[at];
            !question.negated && (any || !question.columns.iter().any(|column| is_open(&column)))
        })?;
        // A question binds what it leaves open, so that its answers are enumerated like rows.
        let at = self.questions.remove(position);
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (column, template) in rule.questions[at].columns.iter().enumerate() {
            match template {
                Template::Slot(slot) if !self.bound[*slot] => open.push((column, *slot)),
                Template::Slot(_) | Template::Constant(_) => {}
                // What is inside an open compound cannot be asked for.
                Template::Compound(_) => {
                    if template.slots().any(|slot| !self.bound[slot]) {
                        return None;
                    }
                }
            }
        }
        open.iter().for_each(|&(_, slot)| self.bound[slot] = true);
        Some(JoinStep::Ask {
            question: at,
            open,
            filters: self.filters(),
        })
    }

    /// The tests whose slots are bound now.
    fn filters(&mut self) -> Filters {
        let (rule, bound) = (self.rule, &self.bound);
        let is_bound = |template: &Template| template.slots().all(|slot| bound[slot]);
        let take = |left: &mut Vec<usize>, ready: &dyn Fn(usize) -> bool| {
            let (now, later) = left.iter().partition(|&&at| ready(at));
            *left = later;
            now
        };
        Filters {
            distinct: take(&mut self.distinct, &|at| {
                let (left, right) = &rule.distinct[at];
                is_bound(left) && is_bound(right)
            }),
            negative: take(&mut self.negative, &|at| {
                rule.negative[at].columns.iter().all(is_bound)
            }),
            questions: take(&mut self.questions, &|at| {
                let question = &rule.questions[at];
                question.negated && question.columns.iter().all(is_bound)
            }),
        }
    }
}
