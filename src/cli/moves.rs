//! Joint moves as people and files write them.

use serde_json::{Map, Value};

use crate::cli::failure::Failure;
use crate::gdl::{Game, MoveId, Reasoner, RoleId, State, Vocabulary};
use crate::syntax::{Notation, OperatorTable, Source, parse_term};
use crate::term::{Case, Lowering, Prefix, TermId};

/// One line of a file of moves.
#[derive(Clone, Debug)]
pub(super) struct JointMove {
    pub(super) line: usize,
    pub(super) moves: Vec<MoveId>,
}

/// The joint moves of a file, one a line: `{"role": "move", ...}`.
pub(super) fn joint_moves(
    source: &Source,
    game: &Game,
    vocabulary: &mut Vocabulary,
) -> Result<Vec<JointMove>, Failure> {
    let lines = source
        .text()
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| joint_move(source, number + 1, line, game, vocabulary))
        .collect()
}

fn joint_move(
    source: &Source,
    line: usize,
    text: &str,
    game: &Game,
    vocabulary: &mut Vocabulary,
) -> Result<JointMove, Failure> {
    let at = |message: String| Failure::bad_input(format!("{}:{line}: {message}", source.name()));
    let by_role: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| at(error.to_string()))?;
    let mut moves = Vec::new();
    for &role in game.roles() {
        let name = self::text(vocabulary, role);
        let written = by_role
            .iter()
            .find(|(key, _)| key.to_lowercase() == name.to_lowercase());
        let Some(Value::String(written)) = written.map(|(_, value)| value) else {
            return Err(at(format!("no move of {name}")));
        };
        let term = ground_term(written, Notation::Prefix, vocabulary)
            .ok_or_else(|| at(format!("{written:?} is not a ground term")))?;
        moves.push(vocabulary.mv(term));
    }
    Ok(JointMove { line, moves })
}

/// The term that a text stands for.
pub(super) fn ground_term(
    text: &str,
    notation: Notation,
    vocabulary: &mut Vocabulary,
) -> Option<TermId> {
    let source = Source::new("move", text);
    let (document, node) = parse_term(&source, notation, &OperatorTable::prolog()).ok()?;
    let mut lowering = Lowering::new(&document, &source, Case::Fold);
    let term = lowering.term(vocabulary.store_mut(), node);
    vocabulary.store().is_ground(term).then_some(term)
}

/// Complains of a move that its role cannot make.
pub(super) fn check_legal<R: Reasoner>(
    reasoner: &mut R,
    game: &Game,
    vocabulary: &mut Vocabulary,
    state: &State,
    joint_move: &JointMove,
) -> Result<(), Failure> {
    let mut legal = Vec::new();
    for (number, (&role, &mv)) in game.roles().iter().zip(&joint_move.moves).enumerate() {
        reasoner.legal_moves(vocabulary, state, RoleId(number as u32), &mut legal)?;
        if !legal.contains(&mv) {
            let (role, mv) = (
                text(vocabulary, role),
                text(vocabulary, vocabulary.move_term(mv)),
            );
            return Err(Failure::bad_input(format!(
                "line {}: {mv} is not legal for {role}",
                joint_move.line
            )));
        }
    }
    Ok(())
}

fn text(vocabulary: &Vocabulary, term: TermId) -> String {
    Prefix::new(vocabulary.store(), term).to_string()
}
