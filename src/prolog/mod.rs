//! Prolog with tabling.
//!
//! A machine in the tradition of the WAM, with SLG resolution under the well-founded semantics for
//! tabled predicates. The folders in their order; each uses only those above it in this list, and
//! so do the files in a folder (its own `mod.rs` lists them, lowest first):
//!
//! ```text
//! terms        cells, the heap and its trail, walks over terms, terms as text, error terms
//! program      instructions, clauses and their indexes, the compiler
//! streams      files and output, as the caller provides them
//! state        environments, choice points, tables: the machine as data
//! engine       calls, cuts, exceptions, cleanup, garbage, the main loop
//! table        SLG resolution: generators, consumers, negation, completion
//! consult      texts to clauses and directives
//! builtin      deterministic predicates
//! library      a new machine               clause_set   programs given as values
//! query        goals in, answers out       proof        why, and why not
//! inspect      reflection: what is loaded, and how it is used
//! ```
//!
//! This is the order of types. The methods of [`Machine`] are one recursion, as resolution is: the
//! loop (`engine/run.rs`) executes an instruction, a call may start a generator (`table`), failing
//! takes the alternative of the newest choice point (`engine/control.rs`), and all of them give back
//! the address at which the loop goes on. Only a cleanup runs the loop inside the loop.
//!
//! Sources: \[AK91\] H. Aït-Kaci: Warren's Abstract Machine, MIT Press 1991, for the instructions;
//! \[CW96\] for tabling; \[ISO\] for the language.

mod builtin;
mod clause_set;
mod consult;
mod engine;
mod inspect;
mod library;
mod program;
mod proof;
mod query;
mod state;
mod streams;
mod table;
mod terms;

pub use clause_set::{ClauseSet, LoadError};
pub use consult::{
    DIRECTIVE_FAILED, DIRECTIVE_RAISED, DIRECTIVE_STOPPED, DISCONTIGUOUS, NOT_LOADED,
};
pub use inspect::{Statistics, TableView};
pub use program::predicate::{Place, SourceId};
pub use proof::{FailedClause, Proof, ProofNode, Reason, Refutation};
pub use query::{Answer, Binding, Exception, Solution, Solutions};
pub use state::backtrace::CallSite;
pub use state::machine::Machine;
pub use state::tables::Truth;
pub use streams::environment::{Environment, Existing, FileFault, MemoryFiles};
pub use streams::output::Output;
