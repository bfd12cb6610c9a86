//! Changes that may repair a sheet, small ones first.
//!
//! ```text
//! 1  names: what warnings and lints propose to write          3  conditions dropped where the fault shows, constants
//! 2  rules that are missing: a frame rule, a move for a role     changed, a condition more where two goal values meet
//!    that is stuck, a goal value where there is none          4  conditions dropped elsewhere, rules dropped
//! ```

use std::collections::BTreeSet;

use crate::prove::finding::Finding;
use crate::prove::property::{Property, PropertyKind};
use crate::prove::repair::candidate::RepairCandidate;
use crate::prove::repair::sheet::RepairError;
use crate::prove::repair::trial::SheetTrial;
use crate::prove::repair::writer::CandidateWriter;

/// All candidates for some refuted properties.
pub(super) fn all(
    trial: &SheetTrial<'_>,
    faults: &[(Property, &Finding)],
) -> Result<Vec<RepairCandidate>, RepairError> {
    let mut writer = CandidateWriter {
        trial,
        found: Vec::new(),
    };
    writer.names();
    writer.frames();
    for &(property, finding) in faults {
        match property.kind {
            PropertyKind::Playable => writer.moves_for_stuck(finding)?,
            PropertyKind::GoalsDefined => writer.goals(),
            PropertyKind::GoalsUnique => writer.apart(),
            PropertyKind::Terminates
            | PropertyKind::GoalsBounded
            | PropertyKind::WeaklyWinnable
            | PropertyKind::StronglyWinnable
            | PropertyKind::TurnTaking
            | PropertyKind::ZeroSum
            | PropertyKind::ConstantSum
            | PropertyKind::Monotonic
            | PropertyKind::Acyclic
            | PropertyKind::RulesApply
            | PropertyKind::MovesLegal
            | PropertyKind::Symmetric => {}
        }
    }
    let words: BTreeSet<&str> = faults
        .iter()
        .flat_map(|(property, _)| at_fault(*property))
        .collect();
    writer.conditions(&words);
    writer.constants(&words);
    let mut found = writer.found;
    found.sort_by_key(|candidate| candidate.cost);
    Ok(found)
}

/// The words whose rules a fault shows in.
fn at_fault(property: Property) -> Vec<&'static str> {
    match property.kind {
        PropertyKind::Playable | PropertyKind::TurnTaking | PropertyKind::MovesLegal => {
            vec!["legal"]
        }
        PropertyKind::Terminates | PropertyKind::Acyclic => vec!["terminal", "next"],
        PropertyKind::RulesApply | PropertyKind::Symmetric => {
            vec!["legal", "terminal", "goal", "next"]
        }
        PropertyKind::GoalsDefined
        | PropertyKind::GoalsUnique
        | PropertyKind::GoalsBounded
        | PropertyKind::WeaklyWinnable
        | PropertyKind::StronglyWinnable
        | PropertyKind::ZeroSum
        | PropertyKind::ConstantSum
        | PropertyKind::Monotonic => vec!["goal", "terminal"],
    }
}
