//! `:solve`, `:plan` and `:next`: the best plan from where the walk is, and the way along it; `:value`, `:best` and
//! `:line`: what several roles can force.

use crate::cli::failure::{Exit, Failure};
use crate::cli::output;
use crate::cli::progress::Display;
use crate::cli::repl::play::{self, View};
use crate::cli::repl::session::{Session, no_game};
use crate::cli::repl::show::{FAINT, styled, term};
use crate::cli::repl::walk::Walk;
use crate::cli::solve::{ending, judgement};
use crate::cli::versus::{judgements, move_line, undecided};

/// `:solve`
pub(super) fn solve(session: &mut Session) -> Result<(), Failure> {
    let limits = session.limits();
    let view = session.view();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    if walk.game().roles().len() != 1 {
        return Err(Failure::bad_input(
            "a plan is for one player; :value says what several can force, :best which moves do it",
        ));
    }
    let outcome = {
        let _display = Display::of(&limits.progress);
        walk.solve(&limits)?
    };
    output::line(&judgement(&outcome))?;
    if outcome.plan.as_ref().is_some_and(|plan| !plan.is_empty()) {
        plan(walk, view)?;
    }
    session.last.exit = ending(&outcome)?;
    Ok(())
}

/// `:value` and `:line`
pub(super) fn value(session: &mut Session, is_line_shown: bool) -> Result<(), Failure> {
    let limits = session.limits();
    let view = session.view();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let command = if is_line_shown { ":line" } else { ":value" };
    let outcome = {
        let _display = Display::of(&limits.progress);
        walk.values(command, &limits)?
    };
    output::text(&judgements(walk.game(), walk.vocabulary(), &outcome))?;
    if let Some(failure) = undecided(&outcome) {
        return Err(failure);
    }
    match &outcome.line {
        Some(line) if is_line_shown && !line.is_empty() => {
            plan(walk, view)?;
            let end = if outcome.line_ends {
                "the game is over"
            } else {
                "and so on without end"
            };
            output::line(&styled(FAINT, end))
        }
        None if is_line_shown => Err(Failure::new(Exit::Limit, "no line of best play was found")),
        Some(_) | None => Ok(()),
    }
}

/// `:best`
pub(super) fn best(session: &mut Session) -> Result<(), Failure> {
    let limits = session.limits();
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let choices = {
        let _display = Display::of(&limits.progress);
        walk.choices(&limits)?
    };
    for choice in &choices {
        output::text(&move_line(walk.game(), walk.vocabulary(), choice))?;
    }
    match choices.iter().find_map(|choice| choice.halt) {
        Some(halt) => Err(Failure::from(halt)),
        None if choices.is_empty() => Err(Failure::bad_input("the game is over here")),
        None => Ok(()),
    }
}

/// `:plan`
pub(super) fn plan(walk: &Walk, view: View) -> Result<(), Failure> {
    let ahead = walk.ahead();
    if ahead.is_empty() {
        return Err(Failure::bad_input(
            "no moves lie ahead; :solve looks for a plan",
        ));
    }
    for (place, joint_move) in ahead.iter().enumerate() {
        let moves = joint_move.iter().map(|&mv| walk.move_term(mv));
        let moves: Vec<String> = moves
            .map(|mv| term(walk.store(), mv, view.notation))
            .collect();
        let step = styled(FAINT, &format!("{:4}", walk.step() + place + 1));
        output::line(&format!("{step}  {}", moves.join(" ")))?;
    }
    Ok(())
}

/// `:next`
pub(super) fn next(walk: &mut Walk, number: &str, view: View) -> Result<(), Failure> {
    if walk.ahead().is_empty() {
        // This tells that none lie ahead.
        return plan(walk, view);
    }
    play::redo(walk, number, view)
}
