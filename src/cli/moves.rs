//! Joint moves as people and files write them.

use serde_json::{Map, Value};

use crate::cli::failure::Failure;
use crate::cli::shown::mention;
use crate::gdl::{Game, MoveId, Reasoner, RoleId, State, Vocabulary};
use crate::syntax::{Notation, Source};
use crate::term::Case;

/// One line of a file of moves.
#[derive(Clone, Debug)]
pub(super) struct JointMove {
    /// Where it is written, for messages: `moves.jsonl:3`.
    pub(super) place: String,
    pub(super) moves: Vec<MoveId>,
}

/// The joint moves of a file, one a line: `{"role": "move", ...}`.
pub(super) fn joint_moves(
    source: &Source,
    case: Case,
    game: &Game,
    vocabulary: &mut Vocabulary,
) -> Result<Vec<JointMove>, Failure> {
    let lines = source.text().lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let place = |number: usize| format!("{}:{}", source.name(), number + 1);
    lines
        .map(|(number, line)| joint_move_at(place(number), line, case, (game, vocabulary)))
        .collect()
}

/// The joint move of one line, which stands at a place.
pub(super) fn joint_move_at(
    place: String,
    line: &str,
    case: Case,
    (game, vocabulary): (&Game, &mut Vocabulary),
) -> Result<JointMove, Failure> {
    let moves = joint_move(line, case, game, vocabulary)
        .map_err(|fault| Failure::bad_input(format!("{place}: {fault}")))?;
    Ok(JointMove { place, moves })
}

/// One move a role, in the order of roles, or what is wrong with the line.
fn joint_move(
    line: &str,
    case: Case,
    game: &Game,
    vocabulary: &mut Vocabulary,
) -> Result<Vec<MoveId>, String> {
    let by_role: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
        // The parser was given one line only; its number of the line would mislead.
        let column = error.column();
        let error = error.to_string();
        let fault = error.split(" at line ").next().unwrap_or(&error);
        format!("not a JSON object of moves: {fault} (column {column})")
    })?;
    let fold = |name: &str| match case {
        Case::Fold => name.to_lowercase(),
        Case::Keep => name.to_owned(),
    };
    let mut moves = Vec::new();
    let mut names = Vec::new();
    for &role in game.roles() {
        let name = mention(vocabulary, role);
        let written = by_role.iter().find(|(key, _)| fold(key) == fold(&name));
        let Some((_, written)) = written else {
            return Err(format!("no move of {name}"));
        };
        let Value::String(written) = written else {
            return Err(format!("the move of {name} is not in quotes"));
        };
        let term = vocabulary
            .ground_term(written, notation_of(written), case)
            .ok_or_else(|| {
                let beginning: String = written.chars().take(80).collect();
                format!("the move {beginning:?} of {name} is not a ground term")
            })?;
        moves.push(vocabulary.mv(term));
        names.push(fold(&name));
    }
    match by_role.keys().find(|key| !names.contains(&fold(key))) {
        Some(stranger) => Err(format!(
            "{stranger:?} is not a role of this game; there are: {}",
            names.join(" ")
        )),
        None => Ok(moves),
    }
}

/// The notation of a move: `(mark 1 1)` is prefix, `mark(1,1)` is infix; a bare name is the same in both.
fn notation_of(text: &str) -> Notation {
    match text.trim_start().find('(') {
        Some(0) | None => Notation::Prefix,
        Some(_) => Notation::Infix,
    }
}

/// The state that joint moves lead to from the initial one, each of which is to be possible.
pub(super) fn state_after<R: Reasoner>(
    reasoner: &mut R,
    (game, vocabulary): (&Game, &mut Vocabulary),
    moves: &[JointMove],
) -> Result<State, Failure> {
    let mut state = reasoner.initial_state(vocabulary)?;
    for joint_move in moves {
        let is_over = reasoner.is_terminal(vocabulary, &state)?;
        check_possible(reasoner, (game, vocabulary), (&state, is_over), joint_move)?;
        state = reasoner.successor(vocabulary, &state, &joint_move.moves)?;
    }
    Ok(state)
}

/// Complains of a joint move in a state that is the end of the game, or of a move that its role cannot make.
pub(super) fn check_possible<R: Reasoner>(
    reasoner: &mut R,
    (game, vocabulary): (&Game, &mut Vocabulary),
    (state, is_over): (&State, bool),
    joint_move: &JointMove,
) -> Result<(), Failure> {
    if is_over {
        return Err(Failure::bad_input(format!(
            "{}: the game is over before this move",
            joint_move.place
        )));
    }
    check_legal(reasoner, (game, vocabulary), state, joint_move)
}

/// Complains of a move that its role cannot make.
fn check_legal<R: Reasoner>(
    reasoner: &mut R,
    (game, vocabulary): (&Game, &mut Vocabulary),
    state: &State,
    joint_move: &JointMove,
) -> Result<(), Failure> {
    let mut legal = Vec::new();
    for (number, (&role, &mv)) in game.roles().iter().zip(&joint_move.moves).enumerate() {
        reasoner.legal_moves(vocabulary, state, RoleId(number as u32), &mut legal)?;
        if !legal.contains(&mv) {
            let (role, mv) = (
                mention(vocabulary, role),
                mention(vocabulary, vocabulary.move_term(mv)),
            );
            return Err(Failure::bad_input(format!(
                "{}: {mv} is not legal for {role}",
                joint_move.place
            )));
        }
    }
    Ok(())
}
