//! `flux query`: everything that follows from the rules of a game in one of its states.

use clap::Args;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::answers::{Answers, Bindings, Reply};
use crate::cli::arguments::{Format, GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::knowledge::Knowledge;
use crate::cli::messages::warning_line;
use crate::cli::moves::{joint_moves, state_after};
use crate::cli::typed_move::Players;
use crate::cli::{input, load, output, watch};
use crate::gdl::{Reasoner, RoleId};
use crate::limits::{Limits, StopReason};
use crate::syntax::{Notation, Source};
use crate::term::TermId;

/// Ask for everything that follows from the rules of a game in one of its states
///
/// GOAL is a condition in either notation: `(legal ?r ?m)` or `legal(R, M), not terminal`; the
/// answers are in the notation of the goal. The state is the initial one unless --moves leads
/// elsewhere. What `next` and `does` give depends on a joint move, which --do says.
///
/// Exit codes: 0 there are answers, 1 there are none, 2 a limit was reached (the answers so far are
/// printed), 3 something is wrong with the rules, the moves or the goal, 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Query {
    #[command(flatten)]
    game: GameArguments,
    /// What to ask
    goal: String,
    /// File with one joint move a line: {"role": "move", ...} in prefix terms; - is standard input
    #[arg(long, value_name = "FILE")]
    moves: Option<String>,
    /// The joint move that `next` and `does` are about, such as 'mark(1,1)' or 'x: (mark 1 1)';
    /// roles that have one legal move only can be left out
    #[arg(long = "do", value_name = "JOINT MOVE", allow_hyphen_values = true)]
    joint_move: Option<String>,
    /// Give so many answers at most
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[arg(long, default_value = "text")]
    format: Format,
    #[command(flatten)]
    limits: LimitArguments,
}

/// All answers, as JSON.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(super) struct AnswersReport {
    answers: Vec<IndexMap<String, String>>,
    complete: bool,
    /// For every answer `true` or `undefined`; left out if all are true.
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<Vec<&'static str>>,
}

/// Which answers are looked for.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    /// One that is true: it says all there is to say of a condition without variables.
    Truth,
    /// So many, or all.
    Most(Option<u64>),
}

/// What asking gave.
struct FoundAnswers {
    answers: Vec<Bindings>,
    /// Why there may be more.
    stopped: Option<StopReason>,
}

impl Query {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

pub(super) fn run(arguments: &Query) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let mut knowledge = Knowledge::new();
    let case = arguments.game.reading.case();
    knowledge.add_game(vocabulary.store(), &game, case)?;
    let source = Source::new("goal", arguments.goal.as_str());
    let query = match knowledge.read(&source) {
        Ok(query) => query,
        Err(faults) => {
            return Err(load::refuse(&source, faults.iter())?);
        }
    };
    if query.is_about_moves() && arguments.joint_move.is_none() {
        let note = "no joint move is given, so next and does are about none; --do gives one";
        warning_line(note);
    }
    let players = Players {
        game: &game,
        vocabulary: &mut vocabulary,
        case,
        notation: query.notation(),
    };
    let situation = situation(arguments, players, &limits)?;
    let Situation { fluents, moves } = situation;
    knowledge.set_state(vocabulary.store(), &fluents, &moves);
    let wanted = if query.is_ground() {
        Wanted::Truth
    } else {
        Wanted::Most(arguments.limit)
    };
    let found = collect(&mut knowledge.answers(&query, limits), wanted)?;
    match arguments.format {
        Format::Json => output::json(&report(&found))?,
        Format::Text => print(&found, query.notation())?,
    }
    Ok(match (&found.stopped, found.answers.is_empty()) {
        (Some(_), _) => Exit::Limit,
        (None, true) => Exit::Negative,
        (None, false) => Exit::Done,
    })
}

/// What is asked about.
struct Situation {
    fluents: Vec<TermId>,
    /// Each role with its move.
    moves: Vec<(TermId, TermId)>,
}

/// The state that the moves lead to, and the joint move under discussion there.
fn situation(
    arguments: &Query,
    mut players: Players<'_>,
    limits: &Limits,
) -> Result<Situation, Failure> {
    let (game, case) = (players.game, players.case);
    let vocabulary = &mut *players.vocabulary;
    let moves = match &arguments.moves {
        None => Vec::new(),
        Some(file) => joint_moves(&input::read_any(file)?, case, game, vocabulary)?,
    };
    let mut reasoner = game.tabled(vocabulary, limits.clone())?;
    let state = state_after(&mut reasoner, (game, vocabulary), &moves)?;
    let fluents = state.fluents().map(|id| vocabulary.fluent_term(id));
    let fluents = fluents.collect();
    let mut moves = Vec::new();
    if let Some(text) = &arguments.joint_move {
        let mut legal = vec![Vec::new(); game.roles().len()];
        for (role, legal) in legal.iter_mut().enumerate() {
            reasoner.legal_moves(vocabulary, &state, RoleId(role as u32), legal)?;
        }
        let joint_move = players.joint_move(text, &legal);
        let joint_move =
            joint_move.map_err(|fault| Failure::bad_input(format!("--do: {fault}")))?;
        let terms = joint_move
            .iter()
            .map(|&mv| players.vocabulary.move_term(mv));
        moves = game.roles().iter().copied().zip(terms).collect();
    }
    Ok(Situation { fluents, moves })
}

fn collect(answers: &mut Answers<'_>, wanted: Wanted) -> Result<FoundAnswers, Failure> {
    let mut found: Vec<Bindings> = Vec::new();
    let stopped = loop {
        match (answers.next_reply(), wanted) {
            // Only one more answer shows that there are more than are to be given.
            (Reply::Answer(_), Wanted::Most(Some(most))) if found.len() as u64 >= most => {
                break Some(StopReason::AnswerLimit(found.len() as u64));
            }
            (Reply::Answer(answer), Wanted::Most(_)) => found.push(answer),
            (Reply::Answer(answer), Wanted::Truth) => {
                // Behind an undefined answer there may be a true one.
                let is_true = !answer.is_undefined;
                found.push(answer);
                if is_true {
                    break None;
                }
            }
            (Reply::Exhausted | Reply::Halt(_), _) => break None,
            (Reply::Stopped(reason), _) => break Some(reason),
            (Reply::Exception(message), _) => return Err(Failure::bad_input(message)),
        }
    };
    Ok(FoundAnswers {
        answers: found,
        stopped,
    })
}

fn report(found: &FoundAnswers) -> AnswersReport {
    let object = |answer: &Bindings| {
        let values = answer.values.iter();
        values.cloned().collect()
    };
    let any_undefined = found.answers.iter().any(|answer| answer.is_undefined);
    let truths = found.answers.iter().map(|answer| {
        if answer.is_undefined {
            "undefined"
        } else {
            "true"
        }
    });
    AnswersReport {
        answers: found.answers.iter().map(object).collect(),
        complete: found.stopped.is_none(),
        truth: any_undefined.then(|| truths.collect()),
    }
}

fn print(found: &FoundAnswers, notation: Notation) -> Result<(), Failure> {
    for answer in &found.answers {
        output::line(&answer.text(notation))?;
    }
    if found.answers.is_empty() && found.stopped.is_none() {
        output::line("false")?;
    }
    if let Some(reason) = found.stopped {
        output::message(&format!("stopped: {reason}"))?;
    }
    Ok(())
}
