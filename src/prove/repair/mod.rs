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

mod candidates;
mod trial;

use indexmap::IndexMap;
use thiserror::Error;

use crate::circuit::ground::GroundError;
use crate::gdl::{GameError, ReasonerError};
use crate::limits::Limits;
use crate::prove::finding::Verdict;
use crate::prove::property::{Property, PropertyError, PropertyKind};
use crate::prove::prover::ProofEffort;
use crate::prove::repair::trial::SheetTrial;
use crate::syntax::{Notation, Replacement, Source};
use crate::term::Case;

/// The text of a rule sheet, and how it is read.
#[derive(Clone, Debug)]
pub struct SheetText {
    /// The text.
    pub source: Source,
    /// Its notation.
    pub notation: Notation,
    /// Whether case tells names apart.
    pub case: Case,
}

/// A change of the rules after which some refuted properties hold.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What it does, in a few words.
    pub what: String,
    /// The change, in the order of the text.
    pub edits: Vec<Replacement>,
    /// The changed text.
    pub text: String,
    /// The refuted properties that hold after it, by name.
    pub repaired: Vec<String>,
}

/// What was found out about the repair of a game.
#[derive(Clone, Debug, Default)]
pub struct Repairs {
    /// The properties that do not hold, by name.
    pub refuted: Vec<String>,
    /// Changes that repair most of them first, then small ones first.
    pub found: Vec<Repair>,
    /// Changed sheets that were proved anew.
    pub tried: usize,
    /// Whether every candidate was tried, or enough repairs were found.
    pub is_complete: bool,
}

/// How much may be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepairEffort {
    /// Repairs that are enough.
    pub repairs: usize,
    /// Changed sheets that are proved anew.
    pub trials: usize,
    /// What a proof may cost.
    pub effort: ProofEffort,
}

impl Default for RepairEffort {
    fn default() -> Self {
        Self {
            repairs: 3,
            trials: 1_000,
            effort: ProofEffort {
                operations: 5_000_000,
                states: 20_000,
                moves: 200_000,
                assignments: 500_000,
                ..ProofEffort::default()
            },
        }
    }
}

/// Why rules cannot be repaired.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RepairError {
    /// They have errors, which come first.
    #[error("the rules have errors; flux check tells them")]
    Unplayable,
    /// They cannot be prepared.
    #[error(transparent)]
    Game(#[from] GameError),
    /// They have too many instances.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// There is no such property.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// They cannot be evaluated.
    #[error(transparent)]
    Reasoner(#[from] ReasonerError),
}

/// What GDL's definition asks of every game, if nothing else is asked for.
const DEMANDED: [PropertyKind; 6] = [
    PropertyKind::Playable,
    PropertyKind::Terminates,
    PropertyKind::GoalsDefined,
    PropertyKind::GoalsUnique,
    PropertyKind::GoalsBounded,
    PropertyKind::WeaklyWinnable,
];

/// Looks for the smallest changes of rules after which properties hold that do not.
///
/// # Errors
/// [`RepairError`] if the rules cannot be proved anything of. Limits that end the search are in the result.
pub fn repair(
    sheet: &SheetText,
    properties: &[String],
    effort: RepairEffort,
    limits: &Limits,
) -> Result<Repairs, RepairError> {
    let Some(mut before) = SheetTrial::of(sheet, effort.effort, limits)? else {
        return Err(RepairError::Unplayable);
    };
    let names = before.roles();
    let properties = match properties {
        [] => DEMANDED.map(Property::of_game).to_vec(),
        texts => {
            let parsed = texts.iter().map(|text| Property::parse(text, &names));
            parsed.collect::<Result<_, _>>()?
        }
    };
    let findings = before.findings(&properties)?;
    let of_verdict = |wanted: Verdict| -> Vec<usize> {
        let places = 0..properties.len();
        places
            .filter(|&place| findings[place].verdict == wanted)
            .collect()
    };
    let (refuted, proved) = (of_verdict(Verdict::Refuted), of_verdict(Verdict::Proved));
    let mut repairs = Repairs {
        refuted: refuted
            .iter()
            .map(|&place| properties[place].text(&names))
            .collect(),
        is_complete: true,
        ..Repairs::default()
    };
    if refuted.is_empty() {
        return Ok(repairs);
    }
    let faults: Vec<_> = refuted
        .iter()
        .map(|&place| (properties[place], &findings[place]))
        .collect();
    let was_over = before.is_over()?;
    // By changed text, so that what two kinds of change come to is tried once.
    let mut candidates = IndexMap::new();
    for candidate in candidates::all(&before, &faults)? {
        let text = candidate.applied(sheet.source.text());
        candidates.entry(text).or_insert(candidate);
    }
    let order: Vec<Property> = refuted
        .iter()
        .chain(&proved)
        .map(|&p| properties[p])
        .collect();
    for (text, candidate) in candidates {
        let is_enough = |repair: &Repair| repair.repaired.len() == refuted.len();
        let enough = repairs
            .found
            .iter()
            .filter(|repair| is_enough(repair))
            .count();
        if enough >= effort.repairs {
            break;
        }
        if repairs.tried >= effort.trials || limits.stop.raised().is_some() {
            repairs.is_complete = false;
            break;
        }
        repairs.tried += 1;
        let changed = SheetText {
            source: Source::new(sheet.source.name(), text.clone()),
            ..sheet.clone()
        };
        let Ok(Some(mut after)) = SheetTrial::of(&changed, effort.effort, limits) else {
            continue;
        };
        // An end at the start would make of most properties what holds of nothing.
        if after.roles() != names || !was_over && after.is_over().unwrap_or(true) {
            continue;
        }
        let repaired = after.repaired(&order, refuted.len())?;
        if repaired.is_empty() {
            continue;
        }
        repairs.found.push(Repair {
            what: candidate.what,
            edits: candidate.edits,
            text,
            repaired: repaired.iter().map(|one| one.text(&names)).collect(),
        });
    }
    // Stable: among those that repair as much, small changes stay first.
    let found = &mut repairs.found;
    found.sort_by_key(|repair| std::cmp::Reverse(repair.repaired.len()));
    found.truncate(effort.repairs);
    Ok(repairs)
}
