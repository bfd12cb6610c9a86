//! Answers: found, kept without duplicates, returned.

use crate::prolog::program::instruction::{BACKTRACK, Pc};
use crate::prolog::state::choice::Alternative;
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::{TableAnswer, TableId, Truth};
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, GROUND};
use crate::prolog::terms::error::Interruption;
use crate::prolog::terms::heap::TermView;
use crate::term::TermId;

impl Machine {
    /// A derivation of the current generator has come to its end.
    #[inline(never)]
    pub(in crate::prolog) fn answer_found(&mut self) -> Result<Pc, Interruption> {
        self.count_step()?;
        let table = TableId(self.slot_number(0) as u32);
        let template = self.slot(1);
        if !self.tables.get(table).modes.is_empty() {
            return self.moded_answer_found(table, template);
        }
        let mut variables = Vec::new();
        // Only the values of the variables of the call are kept: with the call they give the answer.
        let key = self.heap.intern(template, &mut variables);
        self.heap.stopped()?;
        self.add_answer(table, key);
        Ok(BACKTRACK)
    }

    /// Adds an answer under the current delays, or a derivation to an answer that is known.
    pub(super) fn add_answer(&mut self, table: TableId, key: TermId) -> usize {
        let delays = self.read_delays();
        let stamp = self.tables.stamp;
        let is_ground_call = self.heap.store.is_ground(self.tables.get(table).call);
        let unconditional = delays.is_empty();
        let conditions = if unconditional {
            Vec::new()
        } else {
            vec![delays]
        };
        let entry = self.tables.get_mut(table);
        // Three cases: a new answer, a derivation of a known one that assumes nothing, or one that assumes
        // something else.
        let (position, grown) = match entry.answers.get_index_of(&key) {
            None => {
                let answer = TableAnswer {
                    conditions,
                    stamp,
                    superseded: false,
                };
                (entry.answers.insert_full(key, answer).0, true)
            }
            Some(position) => {
                let answer = &mut entry.answers[position];
                // Unconditional: all conditions are forgotten.
                if unconditional {
                    answer.conditions = conditions;
                } else if !answer.is_unconditional() && !answer.conditions.contains(&conditions[0])
                {
                    answer.conditions.extend(conditions);
                    self.tables.kept += 1;
                }
                (position, false)
            }
        };
        if grown {
            self.tables.stamp += 1;
            self.tables.kept += 1;
            self.tables.enqueue(table);
        }
        // No other answer is possible for a ground call.
        if unconditional && is_ground_call {
            self.end_generator_early(table);
        }
        position
    }

    /// A call without variables has its answer: its other clauses need not be tried.
    fn end_generator_early(&mut self, table: TableId) {
        let height = self.slot(2).mark_value() as usize;
        let is_generator = self.choices.get(height).is_some_and(|choice| {
            matches!(choice.alternative,
                Alternative::Generator(id) | Alternative::NegatedGenerator(id) if id == table)
        });
        if is_generator {
            // The choice point of the generator stays, to complete the table.
            self.cut_to(height + 1);
        }
    }

    /// Gives the answers of a complete table to the caller, whose template is `template`.
    pub(super) fn return_answers(&mut self, table: TableId, template: Cell) -> Pc {
        if self.tables.get(table).answers.is_empty() {
            return BACKTRACK;
        }
        // All answers through one choice point, the first one too, since superseded ones are passed over there.
        if self.tables.get(table).answers.len() > 1 {
            self.push_choice_saving(Alternative::Answers(table, 0), &[template]);
            return BACKTRACK;
        }
        self.take_answer(table, 0, template)
    }

    /// The next answer of a complete table, for the caller whose template is `template`.
    #[inline(never)]
    pub(in crate::prolog) fn next_answer(
        &mut self,
        table: TableId,
        position: u32,
        template: Cell,
    ) -> Pc {
        let mut position = position as usize;
        let answers = &self.tables.get(table).answers;
        while answers
            .get_index(position)
            .is_some_and(|(_, answer)| answer.superseded)
        {
            position += 1;
        }
        let count = answers.len();
        // The last answer is taken without the choice point, so that the caller runs deterministically.
        if position + 1 >= count {
            self.pop_choice();
        } else if let Some(top) = self.choices.last_mut() {
            top.alternative = Alternative::Answers(table, position as u32 + 1);
        }
        if position >= count {
            return BACKTRACK;
        }
        self.take_answer(table, position, template)
    }

    fn take_answer(&mut self, table: TableId, position: usize, template: Cell) -> Pc {
        let Some((&key, answer)) = self.tables.get(table).answers.get_index(position) else {
            return BACKTRACK;
        };
        if answer.superseded {
            return BACKTRACK;
        }
        let is_undefined = answer.truth() == Truth::Undefined;
        self.bind_template(template, key);
        if is_undefined {
            self.delay_settled_answer(table, position, template);
        }
        self.cp
    }

    /// Binds the variables of a call to the values of an answer.
    pub(super) fn bind_template(&mut self, template: Cell, key: TermId) {
        let count = self.heap.store.arguments(key).len();
        if count == 0 {
            return;
        }
        let TermView::Compound(_, _, first) = self.heap.view(template) else {
            return;
        };
        let mut variables = Vec::new();
        for position in 0..count {
            let value = self.heap.store.arguments(key)[position];
            // Variables of the answer are shared between its values, so one numbering serves all of them.
            let value = self.heap.build(value, &mut variables);
            debug_assert!(value.tag() != GROUND || value.index() < self.heap.store.len());
            let variable = self.heap.argument(first, position);
            self.heap.unify(variable, value);
        }
    }

    /// A call with its variables bound to the values of an answer.
    pub(in crate::prolog) fn instance_of(&mut self, call: TermId, key: TermId) -> Cell {
        let mut inner = Vec::new();
        let mut variables = Vec::new();
        for position in 0..self.heap.store.arguments(key).len() {
            let value = self.heap.store.arguments(key)[position];
            let value = self.heap.build(value, &mut inner);
            variables.push(value);
        }
        self.heap.build(call, &mut variables)
    }

    /// The term that holds the variables of a call.
    pub(super) fn template(&mut self, variables: &[Cell]) -> Cell {
        self.heap.compound(atoms::ANSWER, variables)
    }
}
