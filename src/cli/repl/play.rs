//! The commands that walk through a game: where it stands, what can be done, forth and back.

use std::collections::BTreeSet;

use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::repl::show::{
    BAD, FAINT, GOOD, OPEN, STRONG, columns, count, sorted, styled, term,
};
use crate::cli::repl::walk::Walk;
use crate::cli::typed_move::MoveFault;
use crate::gdl::{Goal, MoveId, RoleId, State};
use crate::syntax::Notation;

/// How results are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) notation: Notation,
    pub(super) width: usize,
}

/// `:state`
pub(super) fn state(walk: &Walk, view: View) -> Result<(), Failure> {
    let fluents = sorted(walk.store(), walk.fluents(), view.notation);
    let heading = format!("step {}, {}", walk.step(), count(fluents.len(), "fluent"));
    output::line(&styled(FAINT, &heading))?;
    list(&fluents, view)
}

/// `:legal`, of one role or of all.
pub(super) fn legal(walk: &mut Walk, role: &str, view: View) -> Result<(), Failure> {
    let mut roles = names(walk, view.notation);
    if !role.is_empty() {
        let wanted = find_role(walk, role, view.notation)?;
        roles.retain(|&(role, _)| role == wanted);
    }
    for (role, name) in roles {
        let moves = walk.legal_moves(role)?;
        let terms = moves.iter().map(|&mv| walk.move_term(mv));
        let moves = sorted(walk.store(), terms, view.notation);
        let number = styled(FAINT, &count(moves.len(), "move"));
        output::line(&format!("{} {number}", styled(STRONG, &name)))?;
        list(&moves, view)?;
    }
    if walk.is_terminal()? {
        output::line(&styled(OPEN, "the game is over"))?;
    }
    Ok(())
}

/// `:goals`
pub(super) fn goals(walk: &mut Walk, view: View) -> Result<(), Failure> {
    for (role, name) in names(walk, view.notation) {
        let goal = walk.goal(role)?;
        let value = goal_text(walk, &goal, view.notation);
        output::line(&format!("{} {value}", styled(STRONG, &name)))?;
    }
    let over = if walk.is_terminal()? {
        "the game is over"
    } else {
        "the game is not over"
    };
    output::line(&styled(FAINT, over))
}

fn goal_text(walk: &Walk, goal: &Goal, notation: Notation) -> String {
    match goal {
        Goal::Value(value) => styled(GOOD, &value.0.to_string()),
        Goal::Absent => styled(OPEN, "no payoff is defined here"),
        Goal::NotAValue(id) => {
            let text = term(walk.store(), *id, notation);
            styled(BAD, &format!("{text} (not a number from 0 to 100)"))
        }
        Goal::Contradictory(ids) => {
            let values = sorted(walk.store(), ids.iter().copied(), notation);
            styled(BAD, &format!("{} (contradictory)", values.join(" and ")))
        }
    }
}

/// `:do`
pub(super) fn make(walk: &mut Walk, moves: &str, view: View) -> Result<(), Failure> {
    if walk.is_terminal()? {
        return Err(Failure::bad_input(
            "the game is over; :undo takes a move back",
        ));
    }
    let joint_move = joint_move(walk, moves, view.notation)?;
    let before = walk.state().clone();
    walk.make(joint_move.clone())?;
    output::line(&step_line(walk, &joint_move, view.notation))?;
    changes(walk, &before, view)?;
    ending(walk, view)
}

/// `:random`
pub(super) fn random(walk: &mut Walk, number: &str, view: View) -> Result<(), Failure> {
    let number = count_of(number, ":random")?;
    for _ in 0..number {
        if walk.is_terminal()? {
            return ending(walk, view);
        }
        let Some(joint_move) = walk.random_move()? else {
            return Err(Failure::bad_input(
                "a role has no legal move; :legal shows which",
            ));
        };
        let before = walk.state().clone();
        walk.make(joint_move.clone())?;
        output::line(&step_line(walk, &joint_move, view.notation))?;
        // Of several steps the moves are enough; their changes would fill the screen.
        if number == 1 {
            changes(walk, &before, view)?;
        }
    }
    ending(walk, view)
}

/// `:undo`
pub(super) fn undo(walk: &mut Walk, number: &str, view: View) -> Result<(), Failure> {
    for done in 0..count_of(number, ":undo")? {
        match walk.undo() {
            Some(joint_move) => {
                let moves = moves_text(walk, &joint_move, view.notation);
                output::line(&format!("back at step {} before {moves}", walk.step()))?;
            }
            None if done == 0 => {
                return Err(Failure::bad_input(
                    "this is the initial state; there is nothing to take back",
                ));
            }
            None => break,
        }
    }
    Ok(())
}

/// `:redo`
pub(super) fn redo(walk: &mut Walk, number: &str, view: View) -> Result<(), Failure> {
    for done in 0..count_of(number, ":redo")? {
        match walk.redo() {
            Some(joint_move) => output::line(&step_line(walk, &joint_move, view.notation))?,
            None if done == 0 => {
                return Err(Failure::bad_input(
                    "nothing was taken back; :do MOVE makes a new move",
                ));
            }
            None => break,
        }
    }
    ending(walk, view)
}

fn count_of(number: &str, command: &str) -> Result<u64, Failure> {
    match number {
        "" => Ok(1),
        _ => number.parse().map_err(|_| {
            Failure::bad_input(format!(
                "{number} is not a number of moves; try {command} 3"
            ))
        }),
    }
}

fn list(entries: &[String], view: View) -> Result<(), Failure> {
    columns(entries, view.width)
        .iter()
        .try_for_each(|line| output::line(line))
}

pub(super) fn names(walk: &Walk, notation: Notation) -> Vec<(RoleId, String)> {
    walk.roles()
        .map(|(role, name)| (role, term(walk.store(), name, notation)))
        .collect()
}

fn find_role(walk: &mut Walk, name: &str, notation: Notation) -> Result<RoleId, Failure> {
    walk.players(notation).role(name).map_err(|f| advised(&f))
}

/// A fault of what was typed, with what can be done about it.
pub(super) fn advised(fault: &MoveFault) -> Failure {
    let advice = match fault {
        MoveFault::NoRole { .. }
        | MoveFault::NotAMove(_)
        | MoveFault::Twice { .. }
        | MoveFault::NoneLegal { .. } => String::new(),
        MoveFault::TooMany { .. } => "; :legal shows who can do what".to_owned(),
        MoveFault::Illegal { role, .. } => format!("; :legal {role} shows what is"),
        MoveFault::Missing { role, .. } => format!("; :legal {role} shows them"),
    };
    Failure::bad_input(format!("{fault}{advice}"))
}

/// `step 3: white mark(1, 1), black noop`
fn step_line(walk: &Walk, joint_move: &[MoveId], notation: Notation) -> String {
    let heading = styled(STRONG, &format!("step {}:", walk.step()));
    format!("{heading} {}", moves_text(walk, joint_move, notation))
}

fn moves_text(walk: &Walk, joint_move: &[MoveId], notation: Notation) -> String {
    let moves = names(walk, notation).into_iter().zip(joint_move);
    let texts = moves.map(|((_, role), &mv)| {
        let mv = term(walk.store(), walk.move_term(mv), notation);
        format!("{role} {mv}")
    });
    texts.collect::<Vec<String>>().join(", ")
}

/// What the last step changed.
fn changes(walk: &mut Walk, before: &State, view: View) -> Result<(), Failure> {
    let changes: Vec<_> = before.changes(walk.state()).collect();
    let of = |walk: &mut Walk, added: bool| {
        let fluents = changes.iter().filter(|(_, holds)| *holds == added);
        let terms: Vec<_> = fluents
            .map(|&(fluent, _)| walk.vocabulary_mut().fluent_term(fluent))
            .collect();
        sorted(walk.store(), terms, view.notation)
    };
    let removed = of(walk, false).into_iter().map(|text| format!("- {text}"));
    let added = of(walk, true).into_iter().map(|text| format!("+ {text}"));
    list(&removed.collect::<Vec<_>>(), view)?;
    list(&added.collect::<Vec<_>>(), view)
}

/// Says who got what, if the game is over.
fn ending(walk: &mut Walk, view: View) -> Result<(), Failure> {
    if !walk.is_terminal()? {
        return Ok(());
    }
    let mut payoffs = Vec::new();
    for (role, name) in names(walk, view.notation) {
        let goal = walk.goal(role)?;
        payoffs.push(format!("{name} {}", goal_text(walk, &goal, view.notation)));
    }
    output::line(&format!(
        "{} {}",
        styled(OPEN, "the game is over:"),
        payoffs.join(", ")
    ))
}

/// The joint move that a person wrote.
pub(super) fn joint_move(
    walk: &mut Walk,
    text: &str,
    notation: Notation,
) -> Result<Vec<MoveId>, Failure> {
    let legal = legal_of_all(walk)?;
    let joint_move = walk.players(notation).joint_move(text, &legal);
    joint_move.map_err(|fault| advised(&fault))
}

/// The legal moves of every role.
pub(super) fn legal_of_all(walk: &mut Walk) -> Result<Vec<Vec<MoveId>>, Failure> {
    let roles = walk.roles();
    let mut legal = Vec::new();
    for (role, _) in roles {
        legal.push(walk.legal_moves(role)?);
    }
    Ok(legal)
}

/// All legal moves, for completion; none if they cannot be found.
pub(super) fn move_texts(walk: &mut Walk, notation: Notation) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for (role, _) in walk.roles() {
        let moves = walk.legal_moves(role).unwrap_or_default();
        let terms = moves.iter().map(|&mv| walk.move_term(mv));
        texts.extend(sorted(walk.store(), terms, notation));
    }
    texts
}

/// The names of the roles, for completion.
pub(super) fn role_texts(walk: &Walk, notation: Notation) -> BTreeSet<String> {
    names(walk, notation)
        .into_iter()
        .map(|(_, name)| name)
        .collect()
}
