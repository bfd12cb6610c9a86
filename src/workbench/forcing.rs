//! Who can force to win, by search: where states are too many to be looked at, `prove` leaves it open, and searches
//! that leave most states out decide it.
//!
//! A role that can force to win has a strategy, and so have the others if it cannot; strategies are checked by playing
//! them against all answers, by the rules. A game of one role is won by a plan, which the rules replay.

use crate::gdl::{Game, GoalValue, MoveId, Reasoner, RoleId, State, Tabled, Vocabulary};
use crate::limits::Limits;
use crate::prove::{
    self, Finding, Method, Play, Property, PropertyKind, PropertyQuestion, Prover, Verdict,
};
use crate::search::plan::{self, Decomposition, PlanAlgorithm, PlanSetting, Problem};
use crate::search::versus::{self, Arena, Claim, Strategy, Worth};
use crate::workbench::{Engine, Player, WorkbenchError};

/// What there is to say about a question, by its number among those of a prover; what the prover leaves open and is a
/// matter of search is searched for.
///
/// # Errors
/// [`WorkbenchError`] if something else went wrong than a limit.
pub fn decide(
    prover: &mut Prover,
    (number, question): (usize, &PropertyQuestion),
    (game, vocabulary): (&Game, &mut Vocabulary),
    limits: &Limits,
) -> Result<Finding, WorkbenchError> {
    let finding = prove::within_limits(prover.decide(number, vocabulary))?;
    let PropertyQuestion::Named(property) = question else {
        return Ok(finding);
    };
    if finding.verdict != Verdict::Open || limits.stop.raised().is_some() {
        return Ok(finding);
    }
    let found = match (game.roles().len(), property.kind) {
        (1, PropertyKind::WeaklyWinnable | PropertyKind::StronglyWinnable) => {
            planned_once(prover, game, vocabulary, limits)
        }
        // Random plays of a puzzle hardly show how ends differ, and rules that apply to what is solved.
        (1, PropertyKind::ZeroSum | PropertyKind::ConstantSum | PropertyKind::RulesApply)
            if !prover.has_learnt() =>
        {
            match planned_once(prover, game, vocabulary, limits) {
                // The prover is asked once more, now with the winning play.
                Ok(Some(_)) => prove::within_limits(prover.decide(number, vocabulary))
                    .map(Some)
                    .map_err(WorkbenchError::from),
                other => other,
            }
        }
        (2.., PropertyKind::StronglyWinnable) => forced(game, vocabulary, *property, limits),
        _ => return Ok(finding),
    };
    match found {
        Ok(found) => Ok(found.unwrap_or(finding)),
        // What cannot be searched stays open.
        Err(_) if limits.stop.raised().is_some() => Ok(finding),
        Err(WorkbenchError::Translation(_) | WorkbenchError::Ground(_)) => Ok(finding),
        Err(error) => Err(error),
    }
}

fn told(verdict: Verdict, confirmed: bool) -> Finding {
    Finding {
        verdict,
        method: Some(Method::Search),
        confirmed,
        ..Finding::open(None)
    }
}

/// Whether the only role has a plan that wins; a prover learns it.
fn planned_once(
    prover: &mut Prover,
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Option<Finding>, WorkbenchError> {
    let found = planned(game, vocabulary, limits)?;
    let play = found.as_ref().and_then(|found| found.witness.clone());
    prover.learn(play.into_iter().collect());
    Ok(found)
}

/// Whether the only role has a plan that wins.
fn planned(
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Option<Finding>, WorkbenchError> {
    let axioms = crate::fluent::translate(game, vocabulary, limits)?;
    let analysis = crate::analysis::analyze(&axioms, vocabulary.store_mut(), None, limits)?;
    let parts = Decomposition::of(game, &axioms, &analysis, vocabulary, limits)?;
    let mut player = Player::new(Engine::Auto, game, vocabulary, None, limits)?;
    let setting = PlanSetting {
        start: player.initial_state(vocabulary)?,
        highest: plan::highest_value(game, vocabulary.store_mut()),
        states: None,
        undivided: plan::UNDIVIDED,
        limits: limits.clone(),
        circuit: player.circuit(),
    };
    let problem = Problem::new(&mut player, vocabulary, setting);
    let outcome = plan::solve(problem, PlanAlgorithm::Auto, parts);
    let is_won = outcome.value == Some(GoalValue(GoalValue::MOST));
    match (&outcome.plan, &outcome.proof) {
        (Some(moves), _) if is_won => {
            // What stopped the search must not stop the confirmation of what it has found.
            let mut tabled = game.tabled(vocabulary, Limits::default())?;
            if !wins(&mut tabled, vocabulary, moves)? {
                return Ok(None);
            }
            let terms = moves.iter().map(|&mv| vec![vocabulary.move_term(mv)]);
            Ok(Some(Finding {
                bound: Some(moves.len() as u64),
                witness: Some(Play {
                    moves: terms.collect(),
                    repeats: None,
                }),
                ..told(Verdict::Proved, true)
            }))
        }
        // That no plan wins is proved only if the search met no fault of the rules on its way.
        (_, Some(_)) if outcome.faults.is_empty() && outcome.halt.is_none() => {
            Ok(Some(told(Verdict::Refuted, false)))
        }
        _ => Ok(None),
    }
}

/// Whether the rules allow a plan, and it wins.
fn wins(
    tabled: &mut Tabled,
    vocabulary: &mut Vocabulary,
    plan: &[MoveId],
) -> Result<bool, WorkbenchError> {
    let mut state = tabled.initial_state(vocabulary)?;
    let mut legal = Vec::new();
    for mv in plan {
        tabled.legal_moves(vocabulary, &state, RoleId(0), &mut legal)?;
        if tabled.is_terminal(vocabulary, &state)? || !legal.contains(mv) {
            return Ok(false);
        }
        state = tabled.successor(vocabulary, &state, &[*mv])?;
    }
    let goal = tabled.goal(vocabulary, &state, RoleId(0))?;
    let is_won = goal.value() == Some(GoalValue(GoalValue::MOST));
    Ok(is_won && tabled.is_terminal(vocabulary, &state)?)
}

/// Whether some role, or a given one, can force to win whatever the others do.
fn forced(
    game: &Game,
    vocabulary: &mut Vocabulary,
    property: Property,
    limits: &Limits,
) -> Result<Option<Finding>, WorkbenchError> {
    let roles = game.roles().len();
    let mut player = Player::new(Engine::Auto, game, vocabulary, None, limits)?;
    let start = player.initial_state(vocabulary)?;
    let setting = versus::ForcingSetting {
        limits: limits.clone(),
        is_certified: true,
        ..versus::ForcingSetting::new(game, vocabulary, start.clone(), player.circuit())
    };
    let arena = Arena::new(&mut player, vocabulary, setting);
    let outcome = versus::solve(arena, versus::ForcingAlgorithm::Auto);
    // Where a role is stuck or an end has no payoff, bounds may say nothing, and the property stays open.
    if !outcome.faults.is_empty() {
        return Ok(None);
    }
    let most = Worth::of(GoalValue(GoalValue::MOST));
    let asked = (0..roles).filter(|&role| property.role.is_none_or(|own| own == role));
    let asked: Vec<usize> = asked.collect();
    let winner = asked
        .iter()
        .find(|&&role| outcome.bounds[role].at_least >= most);
    let is_lost = |&role: &usize| outcome.bounds[role].at_most < most;
    // Strategies of whom it takes to say so.
    let (verdict, sides) = match winner {
        Some(&winner) => (Verdict::Proved, vec![winner]),
        None if asked.iter().all(is_lost) => (Verdict::Refuted, asked),
        None => return Ok(None),
    };
    let is_meant = |claim: &Claim| match (claim, verdict) {
        (Claim::AtLeast(worth), Verdict::Proved) => *worth >= most,
        (Claim::AtMost(worth), Verdict::Refuted) => *worth < most,
        _ => false,
    };
    let strategies = sides.into_iter().map(|role| {
        let mut strategies = outcome.strategies.iter();
        strategies.find(|one| one.role == RoleId(role as u32) && is_meant(&one.claim))
    });
    let mut tabled = game.tabled(vocabulary, limits.clone())?;
    let confirmed = are_confirmed((&mut tabled, vocabulary), &start, strategies, roles);
    Ok(confirmed.map(|confirmed| told(verdict, confirmed)))
}

/// Whether all strategies are there and hold against all answers, by the rules; none if one of them does not.
fn are_confirmed<'s>(
    (tabled, vocabulary): (&mut Tabled, &mut Vocabulary),
    start: &State,
    strategies: impl Iterator<Item = Option<&'s Strategy>>,
    roles: usize,
) -> Option<bool> {
    let mut confirmed = true;
    for strategy in strategies {
        confirmed &= match strategy {
            None => false,
            Some(strategy) => match versus::check(tabled, vocabulary, start, (strategy, roles)) {
                Ok(_) => true,
                // Where a limit ends the check, the verdict stands and is unconfirmed.
                Err(versus::Unchecked::Reasoner(_)) => false,
                Err(versus::Unchecked::Refuted(_)) => return None,
            },
        };
    }
    Some(confirmed)
}
