//! Linear equations over numbers of fluents, guessed from plays.
//!
//! ```text
//! views        what may be counted: fluents, and groups of them
//! candidates   which sums are the same in all states of plays
//! elimination  … by the null space of these states
//! exclusions   what else these states have in common
//! ```
//!
//! There are as many stones on one board as on the other, or as many of one colour as of the other and one more if that one
//! was the last to move. Groups of fluents of which one holds, and clauses over a few fluents, say nothing of the kind. That no
//! move changes a sum may depend on other things that are known of all states, so that it is proved where these are.

mod candidates;
mod elimination;
mod exclusions;
mod views;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::circuit::assemble::Circuit;
use crate::circuit::invariants::plays::Plays;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::sat::LinearEquation;
use crate::circuit::simulate::Probe;
use crate::limits::{StopFlag, StopReason};

use exclusions::Exclusion;

/// What is conjectured of numbers of fluents.
#[derive(Default)]
pub(crate) struct ConjecturedEquations {
    pub(crate) equations: Vec<LinearEquation>,
    /// What these may depend on.
    pub(crate) exclusions: Vec<Exclusion>,
}

/// What equations are looked for in.
#[derive(Clone, Copy)]
pub(crate) struct EquationContext<'e> {
    pub(crate) circuit: &'e Circuit,
    /// Groups of fluents of which at most one holds.
    pub(crate) variables: &'e [Variable],
    /// Plays from the start.
    pub(crate) plays: &'e Plays,
    pub(crate) stop: &'e StopFlag,
}

/// Linear equations that the start satisfies, and all states of some plays.
///
/// # Errors
/// [`StopReason`] from outside.
pub(crate) fn conjectured_equations(
    context: EquationContext<'_>,
    probe: &mut Probe,
    random: &mut Xoshiro256PlusPlus,
) -> Result<ConjecturedEquations, StopReason> {
    let views = views::views(context);
    if views.is_empty() {
        return Ok(ConjecturedEquations::default());
    }
    // Where plays go on beyond their ends, boards are filled, so that fewer sums are the same by chance. What holds only up to
    // the ends is looked for afterwards.
    let prolonged = Plays::record_until_stuck(context.circuit, probe);
    for plays in [&prolonged, context.plays] {
        let mut found: Vec<LinearEquation> = Vec::new();
        for items in &views {
            found.extend(candidates::candidates(items, plays, random, context.stop)?);
        }
        if !found.is_empty() {
            return Ok(ConjecturedEquations {
                equations: found,
                exclusions: exclusions::exclusions(&views, plays),
            });
        }
    }
    Ok(ConjecturedEquations::default())
}
