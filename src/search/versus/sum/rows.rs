//! States of a probe, one a lane.

use crate::circuit::Probe;
use crate::circuit::lanes::{inverted_if, none};

/// States that are entered at once.
pub(super) const LANES: usize = 256;

/// The values of a signal in so many states.
pub(super) type Row = [u64; LANES / 64];

/// Enters one state in all lanes.
pub(super) fn enter(probe: &mut Probe, state: &[bool]) {
    let rows = state.iter().map(|&holds| inverted_if(none(), holds));
    probe.enter(&rows.collect::<Vec<Row>>());
}
