//! `flux trace`: replays joint moves and prints every state on the way.

use clap::Args;
use serde_json::{Map, Value, json};

use crate::cli::failure::Failure;
use crate::cli::{Engine, GameArguments, LimitArguments, input, load, output, watch};
use crate::gdl::{Game, Goal, MoveId, Reasoner, RoleId, State, Vocabulary};
use crate::syntax::{Notation, Source, parse};
use crate::term::{Case, Lowering, Prefix, TermId};

/// Replay joint moves and print every state, one JSON line each
#[derive(Debug, Args)]
pub(super) struct Trace {
    #[command(flatten)]
    game: GameArguments,
    /// File with one joint move a line: {"role": "move", ...} in prefix terms; - is standard input
    #[arg(long, value_name = "FILE")]
    moves: Option<String>,
    /// Implementation of the reasoner
    #[arg(long, default_value = "tabled")]
    engine: Engine,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Trace) -> Result<crate::cli::failure::Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let moves = match &arguments.moves {
        None => Vec::new(),
        Some(file) => joint_moves(&input::read(file)?, &game, &mut vocabulary)?,
    };
    match arguments.engine {
        Engine::Tabled => {
            let mut reasoner = game.tabled(&mut vocabulary, limits)?;
            replay(&mut reasoner, &game, &mut vocabulary, &moves)?;
        }
    }
    Ok(crate::cli::failure::Exit::Done)
}

fn replay<R: Reasoner>(
    reasoner: &mut R,
    game: &Game,
    vocabulary: &mut Vocabulary,
    moves: &[JointMove],
) -> Result<(), Failure> {
    let mut state = reasoner.initial_state(vocabulary)?;
    for step in 0.. {
        let terminal = reasoner.is_terminal(vocabulary, &state)?;
        let shown = describe(reasoner, game, vocabulary, &state, step, terminal)?;
        output::json(&shown)?;
        let Some(joint_move) = moves.get(step) else {
            return Ok(());
        };
        if terminal {
            return Err(Failure::bad_input(format!(
                "line {}: the game is over before this move",
                joint_move.line
            )));
        }
        check_legal(reasoner, game, vocabulary, &state, joint_move)?;
        state = reasoner.successor(vocabulary, &state, &joint_move.moves)?;
    }
    Ok(())
}

fn describe<R: Reasoner>(
    reasoner: &mut R,
    game: &Game,
    vocabulary: &mut Vocabulary,
    state: &State,
    step: usize,
    terminal: bool,
) -> Result<Value, Failure> {
    let fluents = state
        .fluents()
        .map(|fluent| vocabulary.fluent_term(fluent))
        .collect::<Vec<_>>();
    let mut legal = Map::new();
    let mut goals = Map::new();
    let mut moves = Vec::new();
    for (number, &role) in game.roles().iter().enumerate() {
        let role_id = RoleId(number as u32);
        let name = text(vocabulary, role);
        reasoner.legal_moves(vocabulary, state, role_id, &mut moves)?;
        let terms = moves
            .iter()
            .map(|&mv| vocabulary.move_term(mv))
            .collect::<Vec<_>>();
        legal.insert(name.clone(), sorted(vocabulary, &terms));
        if terminal {
            let goal = reasoner.goal(vocabulary, state, role_id)?;
            goals.insert(name, goal_json(&goal));
        }
    }
    let goals = if terminal {
        Value::Object(goals)
    } else {
        Value::Null
    };
    Ok(json!({
        "step": step,
        "state": sorted(vocabulary, &fluents),
        "legal": legal,
        "terminal": terminal,
        "goals": goals,
    }))
}

fn goal_json(goal: &Goal) -> Value {
    goal.value().map_or(Value::Null, |value| value.0.into())
}

fn text(vocabulary: &Vocabulary, term: TermId) -> String {
    Prefix::new(vocabulary.store(), term).to_string()
}

fn sorted(vocabulary: &Vocabulary, terms: &[TermId]) -> Value {
    let mut texts: Vec<String> = terms.iter().map(|&term| text(vocabulary, term)).collect();
    texts.sort_unstable();
    texts.into()
}

/// One line of a file of moves.
#[derive(Clone, Debug)]
struct JointMove {
    line: usize,
    moves: Vec<MoveId>,
}

fn joint_moves(
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
        let term = ground_term(written, vocabulary)
            .ok_or_else(|| at(format!("{written:?} is not a ground term")))?;
        moves.push(vocabulary.mv(term));
    }
    Ok(JointMove { line, moves })
}

/// The term that a text in prefix notation stands for.
fn ground_term(text: &str, vocabulary: &mut Vocabulary) -> Option<TermId> {
    let source = Source::new("move", format!("(move {text})"));
    let parsed = parse(&source, Notation::Prefix);
    let [sentence] = parsed.document.sentences() else {
        return None;
    };
    let &[node] = parsed.document.arguments(sentence.head) else {
        return None;
    };
    let mut lowering = Lowering::new(&parsed.document, &source, Case::Fold);
    let term = lowering.term(vocabulary.store_mut(), node);
    vocabulary.store().is_ground(term).then_some(term)
}

fn check_legal<R: Reasoner>(
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
