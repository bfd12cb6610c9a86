//! `flux trace`: replays joint moves and prints every state on the way.

use std::io::BufRead;
use std::iter::Enumerate;
use std::path::PathBuf;

use clap::Args;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::arguments::{GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::messages::warning_line;
use crate::cli::moves::{JointMove, check_possible, joint_move_at};
use crate::cli::{input, load, output, shown, watch};
use crate::gdl::{Game, Reasoner, RoleId, State, Vocabulary};
use crate::limits::Limits;
use crate::term::{Case, TermId};
use crate::workbench::{Engine, Parts, Workbench, planning_task};

/// Replay joint moves and print every state, one JSON line each
#[derive(Debug, Args)]
pub(super) struct Trace {
    #[command(flatten)]
    game: GameArguments,
    /// File with one joint move a line: {"role": "move", ...} in either notation; - is standard input,
    /// each line of which is answered as soon as it is there
    #[arg(long, value_name = "FILE")]
    moves: Option<String>,
    /// File with a plan that a planner has found for the problem of `flux translate --to pddl`, instead of moves
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    plan: Option<String>,
    /// Draw the last state in a file: its boards, and a line for every other fluent
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Implementation of the reasoner
    #[arg(long, default_value = "tabled")]
    engine: Engine,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Trace) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let title = load::title(&game);
    let lines: Lines<'_> = match arguments.moves.as_deref() {
        None => {
            let plan = arguments.plan.as_deref();
            let lines = plan.map(|file| of_plan(file, &game, &mut vocabulary, &limits));
            Box::new(lines.transpose()?.unwrap_or_default().into_iter().map(Ok))
        }
        Some("-") => Box::new(std::io::stdin().lock().lines().map(|line| {
            line.map_err(|error| Failure::bad_input(format!("cannot read -: {error}")))
        })),
        Some(file) => {
            let source = input::read_any(file)?;
            let lines: Vec<String> = source.text().lines().map(str::to_owned).collect();
            Box::new(lines.into_iter().map(Ok))
        }
    };
    let moves = Moves {
        name: arguments
            .moves
            .as_deref()
            .or(arguments.plan.as_deref())
            .unwrap_or_default(),
        case: arguments.game.reading.case(),
        lines: lines.enumerate(),
    };
    let mut workbench = Workbench::of(game, vocabulary, arguments.engine, limits)?;
    let last = replay(workbench.parts(), moves)?;
    if let Some(file) = &arguments.svg {
        output::file(file, &workbench.state_svg(&last, &title)?)?;
    }
    Ok(Exit::Done)
}

/// The joint moves of a planner's plan, one a line.
fn of_plan(
    file: &str,
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Vec<String>, Failure> {
    let source = input::read_any(file)?;
    let task = planning_task(game, vocabulary, &load::title(game), limits)?;
    let moves = task.moves(source.text());
    let moves = moves.map_err(|fault| Failure::bad_input(format!("{file}: {fault}")))?;
    let mut lines = Vec::new();
    for mv in moves {
        let mut joint_move = serde_json::Map::new();
        for &role in game.roles() {
            joint_move.insert(shown::whole(vocabulary, role)?, mv.into());
        }
        lines.push(serde_json::Value::Object(joint_move).to_string());
    }
    Ok(lines)
}

/// A state on the way; the fields of a line.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Visited {
    step: usize,
    /// The fluents that hold, as prefix terms, in the order of their text.
    state: Vec<String>,
    /// By role, the legal moves, as prefix terms, in the order of their text.
    legal: IndexMap<String, Vec<String>>,
    terminal: bool,
    /// By role, the goal value of an end; `null` if the rules give it none or several.
    goals: Option<IndexMap<String, Option<u8>>>,
}

/// Lines of a file, or of a program that reads the answer to each before it writes the next.
type Lines<'l> = Box<dyn Iterator<Item = Result<String, Failure>> + 'l>;

/// Joint moves that are read when they are made.
struct Moves<'l> {
    /// Of the file, for messages.
    name: &'l str,
    case: Case,
    lines: Enumerate<Lines<'l>>,
}

impl Moves<'_> {
    /// The next joint move; none at the end of the file.
    fn next(
        &mut self,
        game: &Game,
        vocabulary: &mut Vocabulary,
    ) -> Result<Option<JointMove>, Failure> {
        for (number, line) in self.lines.by_ref() {
            let line = line?;
            if !line.trim().is_empty() {
                let place = format!("{}:{}", self.name, number + 1);
                return joint_move_at(place, &line, self.case, (game, vocabulary)).map(Some);
            }
        }
        Ok(None)
    }
}

/// Prints all states; the last one.
fn replay(parts: Parts<'_>, mut moves: Moves<'_>) -> Result<State, Failure> {
    let Parts {
        game,
        vocabulary,
        player: reasoner,
    } = parts;
    let mut state = reasoner.initial_state(vocabulary)?;
    for step in 0.. {
        let terminal = reasoner.is_terminal(vocabulary, &state)?;
        let shown = describe(reasoner, (game, vocabulary), &state, (step, terminal))?;
        output::json(&shown)?;
        output::flush()?;
        let Some(joint_move) = moves.next(game, vocabulary)? else {
            break;
        };
        check_possible(
            reasoner,
            (game, vocabulary),
            (&state, terminal),
            &joint_move,
        )?;
        state = reasoner.successor(vocabulary, &state, &joint_move.moves)?;
    }
    Ok(state)
}

/// What is printed of a state that so many joint moves lead to.
fn describe<R: Reasoner>(
    reasoner: &mut R,
    (game, vocabulary): (&Game, &mut Vocabulary),
    state: &State,
    (step, terminal): (usize, bool),
) -> Result<Visited, Failure> {
    let fluents = state
        .fluents()
        .map(|fluent| vocabulary.fluent_term(fluent))
        .collect::<Vec<_>>();
    let mut legal = IndexMap::new();
    let mut goals = IndexMap::new();
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
                warning_line(&format!("{fault} after {step} moves"));
            }
            goals.insert(name, goal.value().map(|value| value.0));
        }
    }
    Ok(Visited {
        step,
        state: sorted(vocabulary, &fluents)?,
        legal,
        terminal,
        goals: terminal.then_some(goals),
    })
}

fn sorted(vocabulary: &Vocabulary, terms: &[TermId]) -> Result<Vec<String>, Failure> {
    let texts = terms.iter().map(|&term| shown::whole(vocabulary, term));
    let mut texts = texts.collect::<Result<Vec<String>, Failure>>()?;
    texts.sort_unstable();
    Ok(texts)
}
