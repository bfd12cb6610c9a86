//! Negation of tabled goals, and delays.
//!
//! A complete table decides its negation at once. Otherwise the negation waits: it fails as soon as
//! the table has an unconditional answer, and when nothing else is left to do in the SCC it goes on
//! under the assumption that the table will have none, a *delay*. An answer derived under delays
//! is conditional; which conditional answers hold is found out at completion (see [`super::wfs`]).
//!
//! A negated goal that is no tabled predicate but may call one while an SCC is incomplete gets a
//! table for itself, so that loops through it are delayed just the same.
//!
//! Source: [CW96], NEGATION SUCCESS, NEGATION FAILURE, DELAYING.

use crate::prolog::program::instruction::{BACKTRACK, Pc};
use crate::prolog::program::predicate::TableMode;
use crate::prolog::state::machine::Machine;
use crate::prolog::state::tables::{CallSign, Delay, Owner, TableId};
use crate::prolog::terms::atoms;
use crate::prolog::terms::cell::{Cell, INT};
use crate::prolog::terms::error::{self, Interruption};

// Kinds of delays in the low bits of their cells. What is undefined in a complete table keeps its
// place there, for `call_delays/2` to name it.
const SETTLED_NEGATIVE: i64 = 0;
const POSITIVE: i64 = 1;
const NEGATIVE: i64 = 2;
const SETTLED_POSITIVE: i64 = 3;

impl Delay {
    fn encode(self) -> Cell {
        match self {
            Delay::Undefined => Cell::atom(atoms::UNDEFINED),
            Delay::Positive(table, answer) => place(table, answer, POSITIVE),
            Delay::Negative(table) => place(table, 0, NEGATIVE),
        }
    }

    fn decode(cell: Cell) -> Self {
        if cell.tag() != INT {
            return Delay::Undefined;
        }
        match placed(cell) {
            (table, answer, POSITIVE) => Delay::Positive(table, answer),
            (table, _, NEGATIVE) => Delay::Negative(table),
            _ => Delay::Undefined,
        }
    }
}

fn place(table: TableId, answer: usize, kind: i64) -> Cell {
    // 30 bits of table and kind, the rest for the answer.
    Cell::small((answer as i64) << 30 | i64::from(table.0) << 2 | kind)
}

fn placed(cell: Cell) -> (TableId, usize, i64) {
    let value = cell.small_value();
    let table = TableId((value >> 2 & 0xFFF_FFFF) as u32);
    (table, (value >> 30) as usize, value & 3)
}

impl Machine {
    pub(in crate::prolog) fn delay_undefined(&mut self) {
        self.push_delay(Delay::Undefined.encode());
    }

    /// An answer of a complete table is undefined. If it has variables, the delay keeps those that the caller's template
    /// was bound to, so that a condition speaks of the variables of the goal.
    pub(super) fn delay_settled_answer(&mut self, table: TableId, answer: usize, template: Cell) {
        let delay = place(table, answer, SETTLED_POSITIVE);
        let answers = &self.tables.get(table).answers;
        let is_ground = answers
            .get_index(answer)
            .is_none_or(|(&key, _)| self.heap.store.is_ground(key));
        let delay = if is_ground {
            delay
        } else {
            self.heap.compound(atoms::ANSWER, &[delay, template])
        };
        self.push_delay(delay);
    }

    pub(super) fn delay_positive(&mut self, table: TableId, answer: usize) {
        self.push_delay(Delay::Positive(table, answer).encode());
    }

    fn push_delay(&mut self, delay: Cell) {
        self.delays = self.heap.cons(delay, self.delays);
    }

    /// The goal that a delay stands for, `undefined` if it has no name.
    pub(in crate::prolog) fn delayed_literal(&mut self, delay: Cell) -> Cell {
        let nameless = Cell::atom(atoms::UNDEFINED);
        let (delay, template) = match self.heap.binary(delay, atoms::ANSWER) {
            Some((delay, template)) => (delay, Some(template)),
            None => (delay, None),
        };
        if delay.tag() != INT {
            return nameless;
        }
        let (id, answer, kind) = placed(delay);
        // Tables may have been dropped since.
        let Some(table) = self.tables.tables.get(id.0 as usize) else {
            return nameless;
        };
        let (call, owner) = (table.call, table.owner);
        if matches!(kind, POSITIVE | SETTLED_POSITIVE) {
            let Some((&key, _)) = table.answers.get_index(answer) else {
                return nameless;
            };
            return match template {
                Some(template) => {
                    let mut variables = self.heap.arguments(template);
                    self.heap.build(call, &mut variables)
                }
                None => self.instance_of(call, key),
            };
        }
        let call = self.heap.build(call, &mut Vec::new());
        match owner {
            // The table of `p(X)` under negation: `tnot(p(X))`.
            Owner::Predicate(_) => {
                let tnot = self.heap.store.symbol("tnot");
                self.heap.compound(tnot, &[call])
            }
            // The table of a negated goal is called as the negation.
            Owner::Goal => call,
        }
    }

    /// The current delays, each once.
    pub(super) fn read_delays(&mut self) -> Vec<Delay> {
        // Sorted, so that equal sets of delays are equal conditions.
        if self.delays == Cell::atom(atoms::NIL) {
            return Vec::new();
        }
        let (cells, _) = self.heap.read_list(self.delays);
        let mut delays: Vec<Delay> = cells.into_iter().map(Delay::decode).collect();
        delays.sort_unstable();
        delays.dedup();
        delays
    }

    /// Calls the negation of a goal.
    pub(in crate::prolog) fn call_negation(&mut self, goal: Cell) -> Result<Pc, Interruption> {
        let goal = self.strip_module(goal);
        let Some((name, arity)) = self.heap.functor(goal) else {
            return Err(error::type_error(&mut self.heap, "callable", goal));
        };
        let Some(goal) = self.body_of(goal) else {
            self.heap.stopped()?;
            return Err(error::type_error(&mut self.heap, "callable", goal));
        };
        // A tabled predicate has its own table; anything else gets one only if it may come back to an incomplete
        // one.
        if let Some(id) = self.database.find(name, arity)
            && self
                .database
                .get(id)
                .table
                .as_ref()
                .is_some_and(TableMode::is_plain)
        {
            let arguments = self.heap.arguments(goal);
            self.x[..arity].copy_from_slice(&arguments);
            return self.call_variant(id, CallSign::Negative);
        }
        if !self.tables.incomplete.is_empty() && self.may_reach_table(goal) {
            return self.call_goal_table(goal);
        }
        self.start_negation(goal)
    }

    /// The negation of the call of a complete table.
    pub(super) fn decide_negation(&mut self, id: TableId) -> Pc {
        let table = self.tables.get(id);
        // Three cases: a true answer refutes, none at all proves, undefined ones leave the negation undefined.
        if table.has_true_answer() {
            return BACKTRACK;
        }
        if table.undefined_answers() > 0 {
            self.push_delay(place(id, 0, SETTLED_NEGATIVE));
        }
        self.cp
    }

    /// Goes on with a negation of the SCC for which nothing else is left to wait.
    pub(super) fn resume_negation(&mut self, position: usize) -> Option<Pc> {
        // Oldest table first. One negation at a time: what follows from it may answer others without a delay.
        for index in position..self.tables.incomplete.len() {
            let id = self.tables.incomplete[index].table;
            let table = self.tables.get_mut(id);
            if table.negations.is_empty() {
                continue;
            }
            if table.has_true_answer() {
                table.negations.clear();
                continue;
            }
            // First in, first out: the order of calls decides nothing but which assumption comes first.
            let suspension = table.negations.remove(0);
            self.reinstate(&suspension);
            // [CW96] DELAYING: the negation goes on as if it held, and what follows is conditional on that.
            self.push_delay(Delay::Negative(id).encode());
            return Some(self.cp);
        }
        None
    }
}
