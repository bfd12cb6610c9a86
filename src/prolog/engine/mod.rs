//! Resolution: calls, choice points, cuts, exceptions, and the loop that executes instructions.
//!
//! ```text
//! arguments    of built-ins, checked         arithmetic   values of expressions
//! control      environments, choice points, findall, catch, negation
//! call         predicates, and terms as goals
//! clause_scan  clause/2 and retract/1        cleanup      setup_call_cleanup/3
//! nested       goals inside of built-ins     positions    of arg/3, one after the other
//! backtrace    what ran when an exception was thrown
//! collect      garbage                       matching     structures, read or built
//! run          the main loop
//! ```

pub(super) mod arguments;
pub(super) mod arithmetic;
pub(super) mod backtrace;
pub(super) mod call;
pub(super) mod clause_scan;
pub(super) mod cleanup;
pub(super) mod collect;
pub(super) mod control;
pub(super) mod matching;
pub(super) mod nested;
pub(super) mod positions;
pub(super) mod run;
