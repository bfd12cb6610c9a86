//! Views of a machine for people: its predicates, tables and statistics.

use crate::engine::machine::Machine;

/// A predicate that programs can call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredicateView {
    /// Its name.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Number of clauses; 0 for built-in predicates.
    pub clauses: usize,
    /// Part of the machine or its library.
    pub is_builtin: bool,
    /// Its calls are tabled.
    pub is_tabled: bool,
    /// Programs may change it while they run.
    pub is_dynamic: bool,
}

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
    /// All predicates that are defined, those of programs first, in order of definition. Names
    /// that begin with `$` are the machine's own and left out.
    pub fn predicates(&self) -> Vec<PredicateView> {
        let mut views: Vec<PredicateView> = self
            .database
            .predicates
            .iter()
            .filter(|predicate| predicate.is_known())
            .map(|predicate| PredicateView {
                name: self.heap.name(predicate.name).to_owned(),
                arity: predicate.arity,
                clauses: predicate.live as usize,
                is_builtin: predicate.is_system,
                is_tabled: predicate.table.is_some(),
                is_dynamic: predicate.is_dynamic,
            })
            .filter(|view| !view.name.starts_with('$'))
            .collect();
        views.sort_by_key(|view| view.is_builtin);
        views
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

    /// Drops all tables.
    pub fn abolish_tables(&mut self) {
        self.reset();
        self.drop_all_tables();
        self.tables.release();
    }

    /// Gives the text that `read/1` reads from.
    pub fn set_input(&mut self, source: crate::syntax::Source) {
        self.input = crate::engine::builtin::read::Input { source, offset: 0 };
    }

    /// The operators in force.
    pub fn operators(&self) -> &crate::syntax::OperatorTable {
        &self.consulted.operators
    }
}
