//! What was typed is carried out: a query is asked, a command goes to the function that it names.

use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::repl::command::{self, Name};
use crate::cli::repl::complete_input::is_command;
use crate::cli::repl::play::{self, View};
use crate::cli::repl::session::{Flow, Session, no_game};
use crate::cli::repl::walk::Walk;
use crate::cli::repl::{ask, effects, explain, proving, rules, solving, structure};

/// Carries out what was typed. A failure is told, and the session goes on.
pub(super) fn execute(session: &mut Session, text: &str) -> Result<Flow, Failure> {
    let _watch = session.watched();
    let text = text.trim();
    if text.is_empty() {
        return Ok(Flow::Continue);
    }
    let result = if is_command(text) {
        match command::parse(text) {
            Ok((name, rest)) => obey(session, name, rest),
            Err(message) => Err(Failure::bad_input(message)),
        }
    } else {
        ask::ask(session, text)
    };
    // A program may have left its last line open; a failure is told in a line of its own.
    session.knowledge.fresh_line()?;
    result.or_else(|failure| session.note(failure))
}

fn obey(session: &mut Session, name: Name, rest: &str) -> Result<Flow, Failure> {
    match name {
        Name::Quit => return Ok(Flow::Quit),
        Name::Help => match command::help(rest) {
            Ok(text) => output::text(&text)?,
            Err(message) => return Err(Failure::bad_input(message)),
        },
        Name::Load => session.load_command(rest)?,
        Name::Set => session.set(rest)?,
        Name::Stats => session.stats()?,
        Name::Why => explain::why(session, rest)?,
        Name::WhyNot => explain::why_not(session, rest)?,
        Name::Table => explain::tables(session, rest)?,
        Name::Rules => rules::show(session, rest)?,
        Name::Analyze => structure::analyze(session)?,
        Name::WhyEdge => structure::why_edge(session, rest)?,
        Name::Parts => structure::parts(session)?,
        Name::WhyTogether => structure::why_together(session, rest)?,
        Name::Solve => solving::solve(session)?,
        Name::Value => solving::value(session, false)?,
        Name::Best => solving::best(session)?,
        Name::Line => solving::value(session, true)?,
        Name::Prove => proving::prove(session, rest)?,
        Name::Axioms => effects::axioms(session, rest)?,
        Name::Effects => effects::effects(session, rest)?,
        Name::State => look(session, |walk, view| play::state(walk, view))?,
        Name::Legal => look(session, |walk, view| play::legal(walk, rest, view))?,
        Name::Goals => look(session, play::goals)?,
        Name::Plan => look(session, |walk, view| solving::plan(walk, view))?,
        Name::Next => session.step(|walk, view| solving::next(walk, rest, view))?,
        Name::Do => session.step(|walk, view| play::make(walk, rest, view))?,
        Name::Undo => session.step(|walk, view| play::undo(walk, rest, view))?,
        Name::Redo => session.step(|walk, view| play::redo(walk, rest, view))?,
        Name::Random => session.step(|walk, view| play::random(walk, rest, view))?,
        Name::Try => try_moves(session, rest)?,
    }
    Ok(Flow::Continue)
}

/// Shows something of where the game stands.
fn look(
    session: &mut Session,
    show: impl FnOnce(&mut Walk, View) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let view = session.view();
    show(session.walk.as_mut().ok_or_else(no_game)?, view)
}

/// `:try`: queries see a joint move; none if none is given.
fn try_moves(session: &mut Session, moves: &str) -> Result<(), Failure> {
    let notation = session.view().notation;
    let walk = session.walk.as_mut().ok_or_else(no_game)?;
    let moves = match moves {
        "" => Vec::new(),
        moves => play::joint_move(walk, moves, notation)?,
    };
    session.try_moves(moves);
    Ok(())
}
