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
mod boards;
mod explanation;
mod findings;
mod id;
mod message;
mod position;
mod request;

pub use answer::{Answer, Cancelled, Checked, Loaded, Sheet};
pub use boards::{BoardCell, BoardMove, BoardOf, Boards, CellName, Table, TableRow};
pub use explanation::{Answers, Change, Effects, Explained, FailedRule, ProofStep, Reason, Rule};
pub use findings::{Analyzed, ForcedValue, Outcomes, Picture, Played, Solved};
pub use id::{Id, JointMove};
pub use message::{Code, Failure, Message, Seen};
pub use position::{Branch, Changes, Legal, Position};
pub use request::{Request, Task, ViewName, read};
