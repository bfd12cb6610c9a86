//! What running plans needs room for, kept from change to change.

use crate::rules::maintenance::plans::PlanAddress;
use crate::term::TermId;

/// What running plans needs room for.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    pub(super) registers: Vec<TermId>,
    /// The scans that are under way, outermost first.
    pub(super) cursors: Vec<Cursor>,
    pub(super) buffer: Vec<TermId>,
    /// Steps of plans made so far.
    pub(super) work: u64,
    /// Where `work` must not go.
    pub(super) allowed: u64,
    /// When to look at the stop flag.
    pub(super) pause: u64,
}

/// A scan under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    pub(super) scan: u32,
    /// The step behind the scan.
    pub(super) resume: PlanAddress,
    pub(super) bucket: u32,
    pub(super) next: u32,
}
