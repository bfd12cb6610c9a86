//! What those who embed a machine ask it: its predicates, tables and statistics, how a load ended.

use crate::prolog::state::backtrace::CallSite;
use crate::prolog::state::machine::Machine;
use crate::term::{Functor, Store};

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableView {
    /// The call, as text.
    pub call: String,
    /// Number of answers.
    pub answers: usize,
    /// How many of them are undefined.
    pub undefined: usize,
    /// No answer can be added.
    pub is_complete: bool,
}

/// Counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Resolution steps of the last query.
    pub steps: u64,
    /// Tables kept.
    pub tables: usize,
    /// Answers in them.
    pub answers: usize,
    /// Living clauses of programs.
    pub clauses: usize,
    /// Distinct terms stored.
    pub terms: usize,
    /// Bytes in use, about.
    pub bytes: usize,
}

impl Machine {
    /// Whether a predicate belongs to the machine or its library.
    pub fn is_system(&self, predicate: Functor) -> bool {
        let found = self
            .database
            .find(predicate.symbol, predicate.arity as usize);
        found.is_some_and(|id| self.database.get(id).is_system)
    }

    /// Whether a program may define this predicate: it is not the system's, or part of a library.
    pub fn may_define(&self, predicate: Functor) -> bool {
        let found = self
            .database
            .find(predicate.symbol, predicate.arity as usize);
        found.is_none_or(|id| !self.database.get(id).is_system || self.is_replaceable(id))
    }

    /// The predicates that a query can call, in order of definition; names that begin with `$` are
    /// the machine's own affair.
    pub fn known_predicates(&self) -> impl Iterator<Item = Functor> {
        let store: &Store = &self.heap.store;
        let known = self.database.predicates.iter().filter(|p| p.is_known());
        known
            .map(|predicate| Functor {
                symbol: predicate.name,
                arity: predicate.arity as u32,
            })
            .filter(|functor| !store.name(functor.symbol).starts_with('$'))
    }

    /// All tables, in order of creation.
    pub fn tables(&mut self) -> Vec<TableView> {
        let ids: Vec<_> = self.tables.variants.values().copied().collect();
        ids.into_iter()
            .map(|id| {
                let call = self.tables.get(id).call;
                let call = self.id_text(call);
                let table = self.tables.get(id);
                TableView {
                    call,
                    answers: table.answer_count(),
                    undefined: table.undefined_answers(),
                    is_complete: table.is_complete,
                }
            })
            .collect()
    }

    /// Counters of the machine.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            steps: self.steps,
            tables: self.tables.variants.len(),
            answers: self
                .tables
                .variants
                .values()
                .map(|&id| self.tables.get(id).answer_count())
                .sum(),
            clauses: self
                .database
                .predicates
                .iter()
                .filter(|predicate| !predicate.is_system)
                .map(|predicate| predicate.live as usize)
                .sum(),
            terms: self.heap.store.len(),
            bytes: self.bytes(),
        }
    }

    /// The clauses that were running when the last query threw an exception that nobody caught, innermost first. Clauses
    /// whose last goal was running are not there: nothing returns to them.
    ///
    /// ```
    /// # use flux::limits::Limits;
    /// # use flux::prolog::{Machine, Solution};
    /// # use flux::syntax::Source;
    /// let mut machine = Machine::new();
    /// machine.consult(&Source::new("program", "main :- p(a), nl. p(X) :- Y is X + 1, print(Y)."));
    /// let mut solutions = machine.query("main", Limits::default()).unwrap();
    /// assert!(matches!(solutions.next_solution(), Solution::Exception(_)));
    /// let machine = solutions.machine();
    /// let names = machine.backtrace().iter().map(|site| machine.store().name(site.predicate.symbol));
    /// assert_eq!(names.collect::<Vec<_>>(), ["p", "main"]);
    /// ```
    pub fn backtrace(&self) -> &[CallSite] {
        &self.backtrace
    }

    /// Drops all tables.
    pub fn abolish_tables(&mut self) {
        self.reset();
        self.drop_all_tables();
        self.tables.release();
    }

    /// Gives the text that `read/1` reads from.
    pub fn set_input(&mut self, text: &str) {
        if let Some(stream) = self
            .streams
            .open
            .get_mut(&crate::prolog::streams::stream::INPUT)
        {
            stream.source = crate::syntax::Source::new("user_input", text);
            stream.offset = 0;
            stream.end = crate::prolog::streams::stream::End::Not;
        }
    }

    /// The operators in force.
    pub fn operators(&self) -> &crate::syntax::OperatorTable {
        &self.consulted.operators
    }

    /// The code with which a directive called `halt/1`, which also ended the loading; only once.
    pub fn take_halt(&mut self) -> Option<i64> {
        self.consulted.halt.take()
    }

    /// Whether some loaded program said what to run, with `initialization/1`.
    pub fn has_initialization(&self) -> bool {
        self.consulted.has_initialization
    }
}
