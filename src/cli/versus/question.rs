//! What is asked about a game of several roles, and how it is answered: by a search, or from a table of values.

use std::path::Path;
use std::time::Instant;

use crate::cli::arguments::Format;
use crate::cli::failure::{Exit, Failure};
use crate::cli::moves::{joint_moves, state_after};
use crate::cli::progress::Display;
use crate::cli::versus::cluster::ClusterArguments;
use crate::cli::versus::page::{move_line, page};
use crate::cli::versus::report::VersusReport;
use crate::cli::versus::valued_move::{ValuedMove, successors, valued_moves};
use crate::cli::{certificate, input, output};
use crate::gdl::{Game, Reasoner, State, Vocabulary};
use crate::limits::Limits;
use crate::search::versus::distributed::LayerTable;
use crate::search::versus::{
    Arena, Bounds, ForcingAlgorithm, ForcingOutcome, ForcingSetting, Gap, Kind, TableError,
    ValueTable, solve,
};
use crate::term::Case;
use crate::workbench::{Engine, Player};

/// What is asked about a game.
pub(in crate::cli) struct VersusQuestion<'q> {
    pub(in crate::cli) algorithm: ForcingAlgorithm,
    pub(in crate::cli) engine: Engine,
    pub(in crate::cli) max_states: Option<u64>,
    /// On what all states are solved, if that is not this thread alone.
    pub(in crate::cli) cluster: Option<&'q ClusterArguments>,
    /// Whether each legal move is to be valued.
    pub(in crate::cli) is_all: bool,
    /// Where strategies are to be written.
    pub(in crate::cli) certificate: Option<&'q str>,
    /// Where the values of all states are to be written.
    pub(in crate::cli) save: Option<&'q str>,
    /// A file of joint moves that lead to the state in question.
    pub(in crate::cli) moves: Option<&'q str>,
    pub(in crate::cli) case: Case,
    pub(in crate::cli) format: Format,
}

/// Solves a game of several roles and prints what was found.
pub(in crate::cli) fn run(
    game: &Game,
    vocabulary: &mut Vocabulary,
    question: &VersusQuestion<'_>,
    (limits, display): (&Limits, Display),
) -> Result<Exit, Failure> {
    if game.roles().is_empty() {
        let message = "the game has no role, so that nobody can win it";
        return Err(Failure::new(Exit::Negative, message));
    }
    let began = Instant::now();
    let mut player = Player::new(question.engine, game, vocabulary, None, limits)?;
    let start = start(&mut player, game, vocabulary, question)?;
    let setting = ForcingSetting {
        states: question.max_states,
        limits: limits.clone(),
        is_certified: question.certificate.is_some(),
        is_tabled: question.save.is_some(),
        ..ForcingSetting::new(game, vocabulary, start, player.circuit())
    };
    let from = setting.start.clone();
    let mut outcome = match question.cluster {
        Some(cluster) => cluster.solve(&setting, vocabulary, limits)?,
        None => {
            let arena = Arena::new(&mut player, vocabulary, setting.clone());
            solve(arena, question.algorithm)
        }
    };
    let options = if question.is_all {
        valued_moves(&mut player, game, vocabulary, (question.algorithm, setting))?
    } else {
        Vec::new()
    };
    // The search after one of the moves may have been stopped where that of the state itself was not.
    outcome.halt = outcome
        .halt
        .or(options.iter().find_map(|option| option.halt));
    drop(display);
    let seconds = began.elapsed().as_secs_f64();
    if let Some(file) = question.certificate {
        certificate::write(file, (game, vocabulary), &from, &outcome.strategies)?;
    }
    if let Some(file) = question.save {
        save(file, (game, vocabulary), &outcome)?;
    }
    tell(game, vocabulary, question, (&outcome, &options, seconds))?;
    let more = question.cluster.and_then(ClusterArguments::next_start);
    let failure = undecided(&outcome).map(|failure| match (outcome.halt, more) {
        (Some(_), Some(more)) => failure.and(&more),
        (Some(_) | None, _) => failure,
    });
    failure.map_or(Ok(Exit::Done), |failure| Err(failure.reported()))
}

/// Writes what all states are worth.
fn save(
    file: &str,
    (game, vocabulary): (&Game, &Vocabulary),
    outcome: &ForcingOutcome,
) -> Result<(), Failure> {
    match &outcome.table {
        Some(table) => output::bytes(Path::new(file), &table.to_bytes(game, vocabulary)),
        None => output::message(&format!(
            "{file} was not written: the values of all states are not known"
        )),
    }
}

/// Values of all states, as a strong solution has left them.
enum Known {
    Table(ValueTable),
    Layers(LayerTable),
}

impl Known {
    /// What a file or a directory has.
    fn read(
        path: &str,
        game: &Game,
        vocabulary: &mut Vocabulary,
        player: &mut Player,
    ) -> Result<Self, Failure> {
        if Path::new(path).is_dir() {
            let start = player.initial_state(vocabulary)?;
            let setting = ForcingSetting::new(game, vocabulary, start, player.circuit());
            let layers = LayerTable::open(Path::new(path), &setting, vocabulary)?;
            return Ok(Known::Layers(layers));
        }
        let bytes = input::bytes(path)?;
        let refused = |fault: TableError| Failure::bad_input(format!("{path}: {fault}"));
        let table = ValueTable::from_bytes(&bytes, game, vocabulary).map_err(refused)?;
        Ok(Known::Table(table))
    }

    fn kind(&self) -> Kind {
        match self {
            Known::Table(table) => table.kind(),
            Known::Layers(layers) => layers.kind(),
        }
    }

    fn find(&self, state: &State) -> Result<Option<Vec<Bounds>>, Failure> {
        Ok(match self {
            Known::Table(table) => table.find(state).map(<[Bounds]>::to_vec),
            Known::Layers(layers) => layers.find(state)?,
        })
    }
}

/// Says what a table of values has about a state, without a search.
pub(in crate::cli) fn look_up(
    game: &Game,
    vocabulary: &mut Vocabulary,
    (path, question): (&str, &VersusQuestion<'_>),
    limits: &Limits,
) -> Result<Exit, Failure> {
    let began = Instant::now();
    let mut player = Player::new(question.engine, game, vocabulary, None, limits)?;
    let known = Known::read(path, game, vocabulary, &mut player)?;
    let start = start(&mut player, game, vocabulary, question)?;
    let find = |state: &State| {
        let found = known.find(state)?;
        found.ok_or_else(|| Failure::bad_input(format!("{path}: it knows nothing of this state")))
    };
    let bounds = find(&start)?;
    let mut options = Vec::new();
    if question.is_all {
        for (joint, state) in successors(&mut player, game, vocabulary, &start)? {
            options.push(ValuedMove {
                joint,
                bounds: find(&state)?,
                halt: None,
            });
        }
    }
    let outcome = ForcingOutcome::of_known(known.kind(), &bounds);
    let seconds = began.elapsed().as_secs_f64();
    tell(game, vocabulary, question, (&outcome, &options, seconds))?;
    Ok(Exit::Done)
}

/// Why not everything was decided, if so.
pub(in crate::cli) fn undecided(outcome: &ForcingOutcome) -> Option<Failure> {
    match (outcome.halt, outcome.gap) {
        (Some(halt), _) => Some(Failure::from(halt)),
        (None, Some(gap)) => Some(Failure::new(Exit::Limit, reason(gap))),
        (None, None) => None,
    }
}

/// Prints what was found, with the legal moves if they were asked for.
fn tell(
    game: &Game,
    vocabulary: &Vocabulary,
    question: &VersusQuestion<'_>,
    (outcome, options, seconds): (&ForcingOutcome, &[ValuedMove], f64),
) -> Result<(), Failure> {
    match question.format {
        Format::Json => {
            let mut report = VersusReport::of(game, vocabulary, outcome, seconds)?;
            if question.is_all {
                report.add_moves(game, vocabulary, options)?;
            }
            output::json(&report)
        }
        Format::Text => {
            let mut page = page(game, vocabulary, outcome, seconds)?;
            for option in options {
                page += &move_line(game, vocabulary, option);
            }
            output::text(&page)
        }
    }
}

/// Why not everything was decided.
fn reason(gap: Gap) -> &'static str {
    match gap {
        Gap::Cycles => {
            "a search of the start alone does not decide plays that may go on for ever; --strong may"
        }
        Gap::Unsuited => {
            "alpha-beta search is for games with a circuit in which one role at a time has a choice; other algorithms are for all"
        }
        Gap::TooLarge => "the game has more states than can be numbered",
        Gap::NoParts => {
            "the game is not proved to be a sum of parts in which whoever cannot move loses"
        }
        Gap::NoReplies => {
            "no strategies that answer each move by a fixed one are proved to decide it"
        }
        Gap::NoLayers => {
            "no measure grows by one with every move of one role at a time, which layers are made by; --strong by itself needs none"
        }
    }
}

/// The state in question.
fn start(
    player: &mut Player,
    game: &Game,
    vocabulary: &mut Vocabulary,
    question: &VersusQuestion<'_>,
) -> Result<State, Failure> {
    let moves = match question.moves {
        None => Vec::new(),
        Some(file) => joint_moves(&input::read_any(file)?, question.case, game, vocabulary)?,
    };
    state_after(player, (game, vocabulary), &moves)
}
