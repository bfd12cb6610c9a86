//! `flux trace`: replays joint moves and prints every state on the way.

use clap::Args;
use serde_json::{Map, Value, json};

use crate::cli::failure::{Exit, Failure};
use crate::cli::moves::{JointMove, check_legal, joint_moves};
use crate::cli::{GameArguments, LimitArguments, input, load, output, shown, watch};
use crate::gdl::{Game, Goal, Reasoner, RoleId, State, Vocabulary};
use crate::term::TermId;
use crate::workbench::{Engine, Player};

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

pub(super) fn run(arguments: &Trace) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let moves = match &arguments.moves {
        None => Vec::new(),
        Some(file) => joint_moves(
            &input::read_any(file)?,
            arguments.game.case(),
            &game,
            &mut vocabulary,
        )?,
    };
    let mut player = Player::new(arguments.engine, &game, &mut vocabulary, None, &limits)?;
    replay(&mut player, &game, &mut vocabulary, &moves)?;
    Ok(Exit::Done)
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
                "{}: the game is over before this move",
                joint_move.place
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
        let name = shown::whole(vocabulary, role)?;
        reasoner.legal_moves(vocabulary, state, role_id, &mut moves)?;
        let terms = moves
            .iter()
            .map(|&mv| vocabulary.move_term(mv))
            .collect::<Vec<_>>();
        legal.insert(name.clone(), sorted(vocabulary, &terms)?);
        if terminal {
            let goal = reasoner.goal(vocabulary, state, role_id)?;
            if let Some(fault) = shown::goal_fault(vocabulary, role, &goal) {
                output::warning_line(&format!("{fault} after {step} moves"));
            }
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
        "state": sorted(vocabulary, &fluents)?,
        "legal": legal,
        "terminal": terminal,
        "goals": goals,
    }))
}

fn goal_json(goal: &Goal) -> Value {
    goal.value().map_or(Value::Null, |value| value.0.into())
}

fn sorted(vocabulary: &Vocabulary, terms: &[TermId]) -> Result<Value, Failure> {
    let texts = terms.iter().map(|&term| shown::whole(vocabulary, term));
    let mut texts = texts.collect::<Result<Vec<String>, Failure>>()?;
    texts.sort_unstable();
    Ok(texts.into())
}
