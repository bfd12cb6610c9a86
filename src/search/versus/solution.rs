//! What is said of a solved game besides what each role can force.

use crate::gdl::MoveId;
use crate::search::versus::kind::Kind;
use crate::search::versus::retrograde::NodeValues;
use crate::search::versus::stages::Mixed;
use crate::search::versus::tally::Tally;
use crate::search::versus::worth::Worth;

/// A solution, of all states or of the start.
pub(super) struct Solution {
    /// Numbers of states, if all were evaluated.
    pub(super) tally: Option<Tally>,
    pub(super) kind: Kind,
    /// The payoffs under backward induction, where they may be others.
    pub(super) induced: Option<Vec<Worth>>,
    /// What two roles get by chance, where that is more than what they can force for certain.
    pub(super) mixed: Option<Mixed>,
    pub(super) line: Vec<Vec<MoveId>>,
    pub(super) line_ends: bool,
    /// By role, what all states of the graph are worth; empty if they were solved layer by layer.
    pub(super) at_least: Vec<NodeValues>,
    /// The same where others choose first; empty if that is the same.
    pub(super) at_most: Vec<NodeValues>,
}

impl Solution {
    /// A solution of which there is no more to say than the main line, and whether that ends.
    pub(super) fn of_line(kind: Kind, (line, line_ends): (Vec<Vec<MoveId>>, bool)) -> Self {
        Self {
            tally: None,
            kind,
            induced: None,
            mixed: None,
            line,
            line_ends,
            at_least: Vec::new(),
            at_most: Vec::new(),
        }
    }
}
