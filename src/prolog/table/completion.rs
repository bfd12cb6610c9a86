//! The end of generators: feeding consumers, and completion of SCCs.

use crate::prolog::program::instruction::{BACKTRACK, Pc};
use crate::prolog::state::choice::Alternative;
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::{CallSign, Owner, Suspension, TableId};
use crate::prolog::terms::cell::Cell;
use crate::prolog::terms::error::Interruption;

impl Machine {
    /// The clauses of a generator are exhausted, or what its SCC had to do last is done.
    pub(in crate::prolog) fn generator_exhausted(
        &mut self,
        table: TableId,
        negated: bool,
    ) -> Result<Pc, Interruption> {
        let Some(&choice) = self.choices.last() else {
            return Err(Interruption::Exhausted);
        };
        let template = self.saved_cell(&choice, 0);
        let sign = if negated {
            CallSign::Negative
        } else {
            CallSign::Positive
        };
        let position = self.tables.get(table).position;
        // The low-link of the stack from this table on: what any of the younger ones depends on keeps this one open.
        if self.tables.incomplete[position].low < position {
            // Not the leader: its SCC goes on below; the caller waits like any other consumer.
            self.tables.close(position);
            self.pop_choice();
            self.wait(table, template, sign)?;
            return Ok(BACKTRACK);
        }
        self.count_step()?;
        // The leader is reached again after each resumption, until nothing is left to do: a fixpoint by backtracking.
        if let Some(pc) = self.resume_consumer(position) {
            return Ok(pc);
        }
        // Only now: a negation that is not delayed is worth more than one that is, so all answers come first.
        if let Some(pc) = self.resume_negation(position) {
            return Ok(pc);
        }
        // No consumer has an answer left and no negation waits: [CW96] COMPLETION of the whole SCC.
        self.complete(position);
        self.pop_choice();
        Ok(match sign {
            CallSign::Positive => self.return_answers(table, template),
            CallSign::Negative => self.decide_negation(table),
        })
    }

    /// Goes on with a consumer of the SCC that has not seen all answers of its table.
    fn resume_consumer(&mut self, position: usize) -> Option<Pc> {
        loop {
            let found = self
                .tables
                .pending
                .iter()
                // The youngest first, whose consumers are likely to need the fewest answers of others. Tables below the leader
                // are fed by their own.
                .rposition(|&id| self.tables.get(id).position >= position)?;
            let id = self.tables.pending[found];
            let Some(consumer) = self.tables.get_mut(id).waiting_consumer() else {
                self.tables.get_mut(id).queued = false;
                self.tables.pending.remove(found);
                continue;
            };
            // Taken out for the time of the copy: reinstating changes the stacks, not the table.
            let suspension = std::mem::replace(
                &mut self.tables.get_mut(id).consumers[consumer].suspension,
                Suspension::empty(),
            );
            let template = self.reinstate(&suspension);
            self.tables.get_mut(id).consumers[consumer].suspension = suspension;
            // The consumer sees the answers one by one as alternatives of this choice point.
            self.push_choice_saving(Alternative::Consumer(id, consumer as u32), &[template]);
            return Some(BACKTRACK);
        }
    }

    /// The next answer for a resumed consumer; new ones may have come while it ran.
    #[inline(never)]
    pub(in crate::prolog) fn next_for_consumer(
        &mut self,
        table: TableId,
        consumer: u32,
        template: Cell,
    ) -> Pc {
        let entry = self.tables.get_mut(table);
        // The count of seen answers lies in the table, not in the choice point: it outlives the resumption.
        let waiting = &mut entry.consumers[consumer as usize];
        while let Some((_, answer)) = entry.answers.get_index(waiting.seen)
            && answer.superseded
        {
            waiting.seen += 1;
        }
        let position = waiting.seen;
        let Some((&key, answer)) = entry.answers.get_index(position) else {
            self.pop_choice();
            return BACKTRACK;
        };
        waiting.seen += 1;
        // What the answer assumes is assumed by whoever uses it: a positive delay.
        if !answer.is_unconditional() {
            self.delay_positive(table, position);
        }
        self.bind_template(template, key);
        self.cp
    }

    /// Nothing can add an answer to the tables of the SCC: they are complete.
    fn complete(&mut self, position: usize) {
        self.tables.close_from(position);
        let scc: Vec<TableId> = self
            .tables
            .incomplete
            .drain(position..)
            .map(|entry| entry.table)
            .collect();
        // Delays within the SCC are decided while all of its answers are at hand.
        self.tables.evaluate_conditions(&scc);
        for &id in &scc {
            let table = self.tables.get_mut(id);
            table.is_complete = true;
            table.consumers = Vec::new();
            table.negations = Vec::new();
            table.queued = false;
            // Negated goals are called again as new tables, since goals may be many and their tables serve one call.
            if table.owner == Owner::Goal {
                let call = table.call;
                self.tables.variants.shift_remove(&call);
            }
        }
        if self.tables.incomplete.is_empty() {
            self.tables.suspended = 0;
            self.tables.pending.clear();
        } else {
            let tables = &self.tables.tables;
            self.tables
                .pending
                .retain(|id| !tables[id.0 as usize].is_complete);
        }
    }

    /// Forgets the incomplete tables whose generators were started above a height of the stack of
    /// choice points: their evaluation is given up.
    pub(in crate::prolog) fn abandon_tables(&mut self, height: usize) {
        // Exhausted tables have no choice point of their own any more: they stay with the leader of their SCC.
        let is_above = |&&open: &&usize| self.tables.incomplete[open].choice >= height;
        let Some(&first) = self.tables.open.iter().find(is_above) else {
            return;
        };
        self.tables.close_from(first);
        let gone: Vec<TableId> = self
            .tables
            .incomplete
            .drain(first..)
            .map(|entry| entry.table)
            .collect();
        for &id in &gone {
            let call = self.tables.get(id).call;
            self.tables.variants.shift_remove(&call);
            let table = self.tables.get_mut(id);
            table.answers = indexmap::IndexMap::default();
            table.consumers = Vec::new();
            table.negations = Vec::new();
        }
        let keep = |owner: TableId| !gone.contains(&owner);
        for entry in &self.tables.incomplete {
            let table = &mut self.tables.tables[entry.table.0 as usize];
            table
                .consumers
                // Consumers that derive answers of a table that is gone have nobody left to derive for.
                .retain(|consumer| keep(consumer.suspension.owner));
            table.fed = (0, 0);
            table.negations.retain(|waiting| keep(waiting.owner));
        }
        self.tables.pending.retain(|&id| keep(id));
    }
}
