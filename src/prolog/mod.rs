//! Prolog with tabling.
//!
//! A machine in the tradition of the WAM, with SLG resolution under the well-founded
//! semantics for tabled predicates:
//!
//! ```text
//! consult    texts to clauses          compile    clauses to instructions
//! database   predicates, indexes       run        the main loop
//! call       calls and meta-calls      control    choice points, environments, exceptions
//! table      SLG resolution            builtin    deterministic predicates
//! query      goals in, answers out     write      terms as text
//! unify      and compare, record: walks over terms that may be cyclic, see rational
//! ```
//!
//! Sources: \[AK91\] H. Aït-Kaci: Warren's Abstract Machine, MIT Press 1991, for the instructions;
//! \[CW96\] for tabling; \[ISO\] for the language.

mod arguments;
mod arithmetic;
mod atoms;
mod builtin;
mod call;
mod cell;
mod chain;
mod choice;
mod clause_set;
mod clauses;
mod cleanup;
mod collect;
mod compare;
mod compile;
mod consult;
mod consulted;
mod control;
mod database;
mod environment;
mod error;
mod flags;
mod frame;
mod heap;
mod index;
mod inspect;
mod install;
mod instruction;
mod intern;
mod key;
mod library;
mod machine;
mod meter;
mod number;
mod output;
mod predicate;
mod proof;
mod query;
mod rational;
mod record;
mod run;
mod stream;
mod table;
mod unify;
mod workspace;
mod write;

pub use clause_set::{ClauseSet, LoadError};
pub use consult::{
    DIRECTIVE_FAILED, DIRECTIVE_RAISED, DIRECTIVE_STOPPED, DISCONTIGUOUS, NOT_LOADED,
};
pub use environment::{Environment, Existing, FileFault, MemoryFiles};
pub use inspect::{Statistics, TableView};
pub use machine::Machine;
pub use output::Output;
pub use predicate::SourceId;
pub use proof::{FailedClause, Place, Proof, ProofNode, Reason, Refutation};
pub use query::{Answer, Binding, Exception, Solution, Solutions};
pub use table::Truth;
