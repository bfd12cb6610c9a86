//! Calls of tabled predicates: generator, consumer, or reader of a complete table.

use crate::prolog::program::instruction::{BACKTRACK, Pc, PredicateId};
use crate::prolog::state::choice::Alternative;
use crate::prolog::state::frame::{FrameKind, stub};
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::{CallSign, Incomplete, Owner, Table, TableId};
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::Interruption;
use crate::term::TermId;

impl Machine {
    /// Calls a tabled predicate with its arguments in the first registers.
    #[inline(never)]
    pub(in crate::prolog) fn call_tabled(&mut self, id: PredicateId) -> Result<Pc, Interruption> {
        if self
            .database
            .get(id)
            .table
            .as_ref()
            .is_some_and(|mode| !mode.is_plain())
        {
            // Calls that differ in aggregated arguments alone share a table.
            self.generalize_moded(id);
        }
        self.call_variant(id, CallSign::Positive)
    }

    pub(super) fn call_variant(
        &mut self,
        id: PredicateId,
        sign: CallSign,
    ) -> Result<Pc, Interruption> {
        let (name, arity) = (self.database.get(id).name, self.database.get(id).arity);
        let mut variables = Vec::new();
        // Interning numbers the variables in order of occurrence, so that variants are the same term and one look-
        // up finds the table.
        let mut arguments: smallvec::SmallVec<[TermId; 8]> = smallvec::SmallVec::new();
        for position in 0..arity {
            let argument = self.x[position];
            let argument = self.heap.intern(argument, &mut variables);
            arguments.push(argument);
        }
        self.heap.stopped()?;
        let call = self.heap.store.compound(name, &arguments);
        if let Some(&table) = self.tables.variants.get(&call) {
            let template = self.template(&variables);
            return self.call_known(table, template, sign);
        }
        // A new variant: its clauses run in front of an environment that catches their answers.
        let template = self.template(&variables);
        let table = self.start_generator(call, Owner::Predicate(id), template, sign);
        self.set_modes(table, id, &variables);
        self.call_clauses(id)
    }

    /// Calls the table of a goal that is no tabled predicate, to negate it.
    pub(super) fn call_goal_table(&mut self, goal: Cell) -> Result<Pc, Interruption> {
        let mut variables = Vec::new();
        let inner = self.heap.intern(goal, &mut variables);
        self.heap.stopped()?;
        // Under the name of the negation, which no call of a predicate can have.
        let call = self.heap.store.compound(atoms::NOT_PROVABLE, &[inner]);
        let template = self.template(&variables);
        if let Some(&table) = self.tables.variants.get(&call) {
            return self.call_known(table, template, CallSign::Negative);
        }
        self.start_generator(call, Owner::Goal, template, CallSign::Negative);
        Ok(self.goal_later(goal, self.choices.len()))
    }

    fn call_known(
        &mut self,
        table: TableId,
        template: Cell,
        sign: CallSign,
    ) -> Result<Pc, Interruption> {
        if self.tables.get(table).is_complete {
            return Ok(match sign {
                CallSign::Positive => self.return_answers(table, template),
                CallSign::Negative => self.decide_negation(table),
            });
        }
        // The call is in the SCC of whatever the youngest generator is in.
        self.depend_on(table);
        self.wait(table, template, sign)?;
        Ok(BACKTRACK)
    }

    /// Suspends the caller until the table has answers, or is known to have none.
    pub(super) fn wait(
        &mut self,
        table: TableId,
        template: Cell,
        sign: CallSign,
    ) -> Result<(), Interruption> {
        match sign {
            CallSign::Positive => self.suspend_consumer(table, template),
            // One unconditional answer refutes the negation for good: there is nothing to wait for.
            CallSign::Negative if self.tables.get(table).has_true_answer() => Ok(()),
            CallSign::Negative => self.suspend_negation(table),
        }
    }

    /// The table whose generator runs depends on an older one.
    fn depend_on(&mut self, table: TableId) {
        let position = self.tables.get(table).position;
        self.tables.lower(position);
    }

    /// Makes a table and the environment in front of which its answers are derived.
    fn start_generator(
        &mut self,
        call: TermId,
        owner: Owner,
        template: Cell,
        sign: CallSign,
    ) -> TableId {
        let table = TableId(self.tables.tables.len() as u32);
        let position = self.tables.incomplete.len();
        self.tables.tables.push(Table::new(call, owner, position));
        self.tables.variants.insert(call, table);
        // The choice point below the clauses is reached when they are exhausted: then the SCC is completed or waits.
        let choice = self.choices.len();
        // Position on this stack is the index of Tarjan's algorithm, `low` its low-link.
        self.tables.incomplete.push(Incomplete {
            table,
            low: position,
            choice,
        });
        self.tables.open.push(position);
        self.push_choice_saving(
            match sign {
                CallSign::Positive => Alternative::Generator(table),
                CallSign::Negative => Alternative::NegatedGenerator(table),
            },
            &[template],
        );
        self.allocate(3, FrameKind::Generator);
        self.set_slot(0, Cell::small(i64::from(table.0)));
        // The stub at `cp` reads table and template from here; the mark tells an early end where to cut to.
        self.set_slot(1, template);
        self.set_slot(2, Cell::mark(choice as u64));
        self.cp = stub::ANSWER;
        // Answers of this table are derived under delays of their own; those of the caller are in the choice point.
        self.delays = Cell::atom(atoms::NIL);
        table
    }
}
