//! The messages: one JSON object each.
//!
//! A request has an id, which its answer has, too:
//!
//! ```text
//! {"id": 1, "request": "do", "moves": {"white": "(mark 2 2)"}}
//! {"id": 1, "progress": {"stage": "searching", "done": 120000, "total": null, "best": 60}}      while work goes on
//! {"id": 1, "result": {"at": 5, "step": 1, "state": ["(cell 2 2 x)", …], …}}                  or {"id": 1, "error": …}
//! ```
//!
//! Terms are texts: requests may write them in either notation, answers are lower-case prefix GDL with single spaces,
//! and lists of them are in the order of their bytes, as `flux trace` prints them. The schemas of both sides are made
//! from these types (`flux schema serve-request`, `flux schema serve-message`).

mod answer;
mod request;

pub use answer::{
    Analyzed, Answer, Answers, BoardCell, BoardMove, BoardOf, Boards, Branch, Cancelled, CellName,
    Change, Changes, Checked, Code, Effects, Explained, FailedRule, Failure, ForcedValue, Legal,
    Loaded, Message, Outcomes, Picture, Played, Position, ProofStep, Reason, Rule, Seen, Sheet,
    Solved, Table, TableRow,
};
pub use request::{Id, JointMove, Request, Task, ViewName, read};
