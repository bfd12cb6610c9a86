//! The search for repairs: each candidate is proved anew, until enough are found.

use std::cmp::Reverse;

use indexmap::IndexMap;

use crate::limits::Limits;
use crate::prove::finding::{Finding, Verdict};
use crate::prove::property::{Property, PropertyKind};
use crate::prove::prover::ProofEffort;
use crate::prove::repair::candidate::RepairCandidate;
use crate::prove::repair::candidates;
use crate::prove::repair::sheet::{RepairError, SheetText};
use crate::prove::repair::trial::SheetTrial;
use crate::syntax::{Replacement, Source};

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
    let properties = parsed(properties, &names)?;
    let findings = before.findings(&properties)?;
    let of_verdict = |wanted: Verdict| -> Vec<(Property, &Finding)> {
        let findings = properties.iter().copied().zip(&findings);
        findings.filter(|(_, one)| one.verdict == wanted).collect()
    };
    let (faults, proved) = (of_verdict(Verdict::Refuted), of_verdict(Verdict::Proved));
    let mut repairs = Repairs {
        refuted: faults.iter().map(|(one, _)| one.text(&names)).collect(),
        is_complete: true,
        ..Repairs::default()
    };
    if faults.is_empty() {
        return Ok(repairs);
    }
    let order: Vec<Property> = faults.iter().chain(&proved).map(|&(one, _)| one).collect();
    let search = RepairSearch {
        sheet,
        names: &names,
        order: &order,
        refuted: faults.len(),
        was_over: before.is_over()?,
        effort: effort.effort,
        limits,
    };
    let candidates = distinct(candidates::all(&before, &faults)?, sheet);
    search.run(candidates, &effort, &mut repairs)?;
    Ok(repairs)
}

/// The properties of some texts; if there are none, what every game should have.
fn parsed(texts: &[String], roles: &[String]) -> Result<Vec<Property>, RepairError> {
    if texts.is_empty() {
        return Ok(DEMANDED.map(Property::of_game).to_vec());
    }
    let parsed = texts.iter().map(|text| Property::parse(text, roles));
    Ok(parsed.collect::<Result<_, _>>()?)
}

/// Candidates by changed text, so that what two kinds of change come to is tried once.
fn distinct(
    candidates: Vec<RepairCandidate>,
    sheet: &SheetText,
) -> IndexMap<String, RepairCandidate> {
    let mut distinct = IndexMap::new();
    for candidate in candidates {
        let text = candidate.applied(sheet.source.text());
        // Small ones come first, so that of two with the same text the smaller one stays.
        distinct.entry(text).or_insert(candidate);
    }
    distinct
}

/// What candidates are tried against.
struct RepairSearch<'s> {
    sheet: &'s SheetText,
    /// Of the roles.
    names: &'s [String],
    /// The refuted properties, and behind them those that are proved and must not be refuted.
    order: &'s [Property],
    /// How many are refuted.
    refuted: usize,
    /// Whether the game is over before it begins.
    was_over: bool,
    effort: ProofEffort,
    limits: &'s Limits,
}

impl RepairSearch<'_> {
    /// Tries candidates until enough of them repair all that is refuted, or enough were tried.
    fn run(
        &self,
        candidates: IndexMap<String, RepairCandidate>,
        effort: &RepairEffort,
        repairs: &mut Repairs,
    ) -> Result<(), RepairError> {
        for (text, candidate) in candidates {
            let found = repairs.found.iter();
            let complete = found.filter(|repair| repair.repaired.len() == self.refuted);
            if complete.count() >= effort.repairs {
                break;
            }
            if repairs.tried >= effort.trials || self.limits.stop.raised().is_some() {
                repairs.is_complete = false;
                break;
            }
            repairs.tried += 1;
            repairs.found.extend(self.tried(text, candidate)?);
        }
        // Stable: among those that repair as much, small changes stay first.
        let found = &mut repairs.found;
        found.sort_by_key(|repair| Reverse(repair.repaired.len()));
        found.truncate(effort.repairs);
        Ok(())
    }

    /// The repair that a candidate is; none if it is no rule sheet, or repairs nothing, or breaks something.
    fn tried(
        &self,
        text: String,
        candidate: RepairCandidate,
    ) -> Result<Option<Repair>, RepairError> {
        let changed = SheetText {
            source: Source::new(self.sheet.source.name(), text.clone()),
            ..self.sheet.clone()
        };
        let Ok(Some(mut after)) = SheetTrial::of(&changed, self.effort, self.limits) else {
            return Ok(None);
        };
        // An end at the start would make of most properties what holds of nothing.
        let is_other_game = after.roles() != self.names;
        if is_other_game || !self.was_over && after.is_over().unwrap_or(true) {
            return Ok(None);
        }
        let repaired = after.repaired(self.order, self.refuted)?;
        if repaired.is_empty() {
            return Ok(None);
        }
        Ok(Some(Repair {
            what: candidate.what,
            edits: candidate.edits,
            text,
            repaired: repaired.iter().map(|one| one.text(self.names)).collect(),
        }))
    }
}
