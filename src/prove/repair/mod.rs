//! Repairs of rules: the smallest changes after which a refuted property holds.
//!
//! What a change could be is told by the fault: a role that is stuck lacks a move, an end without a goal value a rule,
//! a fluent that is lost a frame rule; and everything can be a slip: a name, a constant, a condition too many. Each
//! candidate is tried: the changed rules are read, grounded and proved anew, and what was proved before must not be
//! refuted after it.
//!
//! ```text
//! sheet ── lint, prove ──▶ refuted ── candidates, small ones first ──▶ changed sheet ── prove ──▶ repairs
//! ```
//!
//! He, Thielscher (KR 2025) repair ill-formed games, too. Candidates are few kinds of edits of single rules here, so that
//! what is found is small; that nothing smaller exists is not proved.
//!
//! ```text
//! sheet      rule sheets to be repaired             trial      one of them, ready to be proved things of
//! candidate  a change of the text                   writer     rules and changes in the sheet's notation
//! missing    rules that are missing                 slips      names, constants and conditions to change
//! candidates all of them, small ones first          search     which of them are repairs
//! ```

mod candidate;
mod candidates;
mod missing;
mod search;
mod sheet;
mod slips;
mod trial;
mod writer;

pub use search::{Repair, RepairEffort, Repairs, repair};
pub use sheet::{RepairError, SheetText};
