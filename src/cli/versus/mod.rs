//! `flux solve` for games of several roles: what each can force.

mod cluster;
mod page;
mod processes;
mod question;
mod report;
mod valued_move;

pub(super) use cluster::ClusterArguments;
pub(super) use page::{judgements, move_line};
pub(super) use question::{VersusQuestion, look_up, run, undecided};
pub(super) use report::VersusReport;
pub(super) use valued_move::{ValuedMove, valued_moves};
