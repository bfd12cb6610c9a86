//! Carries a plan out: finds the bindings of a rule one after the other.
//!
//! A join keeps its place as numbers of rows, not as borrowed slices, so that what it finds can be
//! added to the relations at once. Rows that come meanwhile are outside its ranges.

use crate::circuit::ground::catalogue::Catalogue;
use crate::circuit::ground::error::GroundError;
use crate::circuit::ground::plan::{Filters, JoinStep, Plan, Scan};
use crate::circuit::ground::relation::ViewRow;
use crate::circuit::ground::rule::{ConditionField, Rule};
use crate::term::{Store, TermId};

/// The place of a join in one step.
#[derive(Debug, Default)]
struct Cursor {
    bucket: usize,
    /// The next row of the bucket, by position, and the position behind the last one.
    next: usize,
    end: usize,
    /// The answers of a question, row after row.
    answers: Vec<TermId>,
    /// The row that is bound.
    row: ViewRow,
}

/// A join on its way.
pub(super) struct Join<'p> {
    rule: &'p Rule,
    plan: &'p Plan,
    cursors: Vec<Cursor>,
    /// What the slots are bound to.
    pub(super) slots: Vec<TermId>,
    /// Steps that are entered; none before the start and after the end.
    depth: usize,
    started: bool,
    stack: Vec<TermId>,
    columns: Vec<TermId>,
}

impl<'p> Join<'p> {
    pub(super) fn new(rule: &'p Rule, plan: &'p Plan) -> Self {
        Self {
            rule,
            plan,
            cursors: plan.steps.iter().map(|_| Cursor::default()).collect(),
            slots: vec![TermId::from_index(0); rule.slots],
            depth: 0,
            started: false,
            stack: Vec::new(),
            columns: Vec::new(),
        }
    }

    /// The row that a condition has in the binding that was found last.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, ViewRow)> {
        let steps = self.plan.steps.iter().zip(&self.cursors);
        steps.filter_map(|(step, cursor)| match step {
            JoinStep::Scan(scan) => Some((scan.condition, cursor.row)),
            JoinStep::Ask { .. } => None,
        })
    }

    /// Finds the next binding; false if there is none left.
    pub(super) fn next(
        &mut self,
        store: &mut Store,
        catalogue: &mut Catalogue,
    ) -> Result<bool, GroundError> {
        let plan = self.plan;
        if !std::mem::replace(&mut self.started, true) {
            if !self.passes(store, catalogue, &plan.filters)? {
                return Ok(false);
            }
            if plan.steps.is_empty() {
                return Ok(true);
            }
            self.enter(store, catalogue)?;
        }
        // Backtracking over the steps; after each binding the search goes on at the last step.
        while self.depth > 0 {
            if !self.advance(store, catalogue)? {
                self.depth -= 1;
            } else if self.depth == plan.steps.len() {
                return Ok(true);
            } else {
                self.enter(store, catalogue)?;
            }
        }
        Ok(false)
    }

    /// Looks up the rows of the next step.
    fn enter(&mut self, store: &mut Store, catalogue: &mut Catalogue) -> Result<(), GroundError> {
        let plan = self.plan;
        let cursor = &mut self.cursors[self.depth];
        self.depth += 1;
        match &plan.steps[self.depth - 1] {
            JoinStep::Scan(scan) => {
                self.columns.clear();
                // In the order of the fields of the index.
                for field in &scan.key {
                    match *field {
                        ConditionField::Constant(term) => self.columns.push(term),
                        ConditionField::Slot(slot) => self.columns.push(self.slots[slot]),
                        ConditionField::Opened => {}
                    }
                }
                let positive = &self.rule.positive[scan.condition];
                let view = &catalogue.relations[positive.relation.index()].views[positive.view];
                (cursor.next, cursor.end) = (0, 0);
                if let Some(bucket) = view.bucket(scan.index, &self.columns) {
                    let rows = view.rows(scan.index, bucket);
                    cursor.bucket = bucket;
                    // Rows of a bucket ascend, and the range is what the semi-naive rule allows of them.
                    cursor.next = rows.partition_point(|&row| row < scan.range.0);
                    cursor.end = rows.partition_point(|&row| row < scan.range.1);
                }
            }
            JoinStep::Ask { question, open, .. } => {
                let question = &self.rule.questions[*question];
                let mut arguments: Vec<Option<TermId>> = Vec::new();
                for (column, template) in question.columns.iter().enumerate() {
                    let is_open = open.iter().any(|&(other, _)| other == column);
                    let term = template.build(store, &self.slots, &mut self.stack);
                    arguments.push((!is_open).then_some(term));
                }
                cursor.answers.clear();
                cursor.next = 0;
                let (answers, end) = (&mut cursor.answers, &mut cursor.end);
                *end = 0;
                catalogue.ask(store, question.functor, &arguments, &mut |answer| {
                    answers.extend_from_slice(answer);
                    *end += 1;
                })?;
                // All arguments bound: one answer or none.
                if open.is_empty() {
                    *end = (*end).min(1);
                }
            }
        }
        Ok(())
    }

    /// Binds the next row of the current step that passes all tests.
    fn advance(
        &mut self,
        store: &mut Store,
        catalogue: &mut Catalogue,
    ) -> Result<bool, GroundError> {
        let plan = self.plan;
        loop {
            let cursor = &mut self.cursors[self.depth - 1];
            if cursor.next == cursor.end {
                return Ok(false);
            }
            catalogue.count_row()?;
            let (bound, filters) = match &plan.steps[self.depth - 1] {
                JoinStep::Scan(scan) => (self.bind(catalogue, scan), &scan.filters),
                JoinStep::Ask { open, filters, .. } => {
                    let start = cursor.next * open.len();
                    let answer = &cursor.answers[start..start + open.len()];
                    for (&(_, slot), &term) in open.iter().zip(answer) {
                        self.slots[slot] = term;
                    }
                    cursor.next += 1;
                    (true, filters)
                }
            };
            if bound && self.passes(store, catalogue, filters)? {
                return Ok(true);
            }
        }
    }

    fn bind(&mut self, catalogue: &Catalogue, scan: &Scan) -> bool {
        let cursor = &mut self.cursors[self.depth - 1];
        let positive = &self.rule.positive[scan.condition];
        let view = &catalogue.relations[positive.relation.index()].views[positive.view];
        cursor.row = view.rows(scan.index, cursor.bucket)[cursor.next];
        cursor.next += 1;
        let fields = view.fields(cursor.row);
        for &(field, slot) in &scan.binds {
            self.slots[slot] = fields[field];
        }
        // `p(X,X)`: the second X is no key, since it is bound by the same row.
        let mut checks = scan.checks.iter();
        checks.all(|&(field, slot)| fields[field] == self.slots[slot])
    }

    fn passes(
        &mut self,
        store: &mut Store,
        catalogue: &mut Catalogue,
        filters: &Filters,
    ) -> Result<bool, GroundError> {
        for &at in &filters.distinct {
            let (left, right) = &self.rule.distinct[at];
            let left = left.build(store, &self.slots, &mut self.stack);
            if left == right.build(store, &self.slots, &mut self.stack) {
                return Ok(false);
            }
        }
        for &at in &filters.negative {
            let negative = &self.rule.negative[at];
            self.columns.clear();
            for column in &negative.columns {
                let term = column.build(store, &self.slots, &mut self.stack);
                self.columns.push(term);
            }
            // Static: the relation is complete when rules are joined.
            if catalogue.relations[negative.relation.index()].contains(&self.columns) {
                return Ok(false);
            }
        }
        for &at in &filters.questions {
            let question = &self.rule.questions[at];
            let mut arguments: Vec<Option<TermId>> = Vec::new();
            for column in &question.columns {
                arguments.push(Some(column.build(store, &self.slots, &mut self.stack)));
            }
            let mut found = false;
            catalogue.ask(store, question.functor, &arguments, &mut |_| found = true)?;
            if found {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
