//! From clauses to instructions.
//!
//! ```text
//! record  head and body as one record                  (recorded_clause.rs)
//! goals   the body as a tree of goals and constructs   (goal.rs)
//! analyse which variables must survive a call          (analyse.rs)
//! emit    instructions with their registers            (emit.rs, body.rs, arithmetic.rs)
//! fuse    pairs of instructions that are common        (fuse.rs)
//! ```
//!
//! A *chunk* is the part of a clause between two calls. Variables of one chunk live in registers
//! (temporary), the others in the environment (permanent) [AK91, section 4]. Arguments of the head
//! stay where they are until a call needs their register; then they move away. If-then-else over
//! tests alone does not end a chunk, since nothing in it clobbers a register.

mod analyse;
mod arithmetic;
mod body;
mod compiler;
mod emit;
mod fuse;
mod goal;
mod recorded_clause;

use compiler::{Compiler, Placement};
use recorded_clause::RecordedClause;

use crate::prolog::program::database::Database;
use crate::prolog::terms::record::Record;
use crate::term::Store;

pub(crate) use compiler::{CompileError, CompiledClause};

/// Compiles a record of head and body. `interns` says that ground compounds may be kept in the
/// store for good.
pub(crate) fn compile(
    record: &Record,
    database: &mut Database,
    store: &mut Store,
    interns: bool,
) -> Result<CompiledClause, CompileError> {
    let mut attempt = |placement| {
        let clause = RecordedClause::new(record, interns);
        let mut compiler = Compiler::new(clause, database, store, placement);
        let (head, body) = (compiler.clause.at(0), compiler.clause.at(1));
        let arguments = compiler.head_arguments(head)?;
        let goals = compiler.goals(body, 0)?;
        compiler.analyse(&arguments, &goals)?;
        compiler.clause_code(&arguments, &goals)?;
        Ok(compiler.finish())
    };
    match attempt(Placement::Registers) {
        Err(CompileError::TooComplex) => attempt(Placement::Slots),
        result => result,
    }
}
