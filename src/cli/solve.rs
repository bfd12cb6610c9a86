//! `flux solve`: finds the best plan of a single-player game; `versus` answers for several players.

use std::time::Instant;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::{Analysis, analyze};
use crate::cli::arguments::{Format, GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::progress::Display;
use crate::cli::{certificate, load, output, shown, versus, watch};
use crate::fluent::{GameAxioms, translate};
use crate::gdl::{Game, GoalValue, Reasoner, Vocabulary};
use crate::limits::Limits;
use crate::search::plan::{
    self, Decomposition, PlanAlgorithm, PlanFault, PlanOutcome, PlanSetting, Problem, Proof,
    Remark, Replay, highest_value, replay,
};
use crate::search::versus as several;
use crate::workbench::{Engine, Player};

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AlgorithmName {
    /// Subgame by subgame, guided by what the goal asks of each; the whole game where that fails
    Auto,
    /// Concept decomposition search as published
    Concept,
    /// Greedy decomposition search as published: subgame by subgame, may miss the best plan
    Greedy,
    /// The whole game, breadth first
    Direct,
    /// The whole game, depth first with growing depth
    Deepening,
    /// Plays of growing length as clauses, for a SAT solver
    Plan,
    /// Several players: the value of the first state by proof-number search alone
    Proof,
    /// Several players: the value of the first state by alpha-beta search alone
    AlphaBeta,
    /// Several players: all reachable states as a graph, backwards
    Retrograde,
    /// Several players: all reachable states, layer by layer
    Layers,
    /// Two players: the parts of a sum in which whoever cannot move loses, each by itself
    Parts,
    /// Two players: strategies that answer each move by a fixed one, proved without a search
    Replies,
}

impl From<AlgorithmName> for PlanAlgorithm {
    fn from(name: AlgorithmName) -> Self {
        match name {
            AlgorithmName::Auto
            | AlgorithmName::Proof
            | AlgorithmName::AlphaBeta
            | AlgorithmName::Retrograde
            | AlgorithmName::Layers
            | AlgorithmName::Parts
            | AlgorithmName::Replies => PlanAlgorithm::Auto,
            AlgorithmName::Concept => PlanAlgorithm::Concept,
            AlgorithmName::Greedy => PlanAlgorithm::Greedy,
            AlgorithmName::Direct => PlanAlgorithm::Direct,
            AlgorithmName::Deepening => PlanAlgorithm::Deepening,
            AlgorithmName::Plan => PlanAlgorithm::Plan,
        }
    }
}

/// Find the best plan of a single-player game and prove that it is the best, or who wins a game of several
///
/// With several roles, what each can force whatever the others do, as bounds that meet when the value is proved.
///
/// Exit codes: 0 a plan or all values were found, 1 there is no plan, 2 a limit was reached or somebody pressed
/// Ctrl-C (the best plan or the bounds so far are printed), 3 something is wrong with the rules or the options,
/// 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Solve {
    #[command(flatten)]
    game: GameArguments,
    /// How to search
    #[arg(long, default_value = "auto")]
    algorithm: AlgorithmName,
    /// Implementation of the reasoner
    #[arg(long, default_value = "auto")]
    engine: Engine,
    /// Find a shortest plan among the best, and prove that none is shorter
    #[arg(long)]
    shortest: bool,
    /// Stop after so many computed states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Several players: what every reachable state is worth, with counts
    #[arg(long)]
    strong: bool,
    /// Several players: start after these joint moves, one a line: {"role": "move", ...} in prefix terms
    #[arg(long, value_name = "FILE")]
    moves: Option<String>,
    /// Several players: also what each legal move leads to
    #[arg(long)]
    all: bool,
    /// Several players: write strategies that prove the values
    #[arg(long, value_name = "FILE")]
    certificate: Option<String>,
    /// Several players: check the strategies of such a file by the rules instead of searching
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "strong", "moves", "all"])]
    check: Option<String>,
    /// Several players: write what every reachable state is worth; as --strong
    #[arg(long, value_name = "FILE")]
    save: Option<String>,
    /// Several players: ask such a file, or a directory of --disk, instead of searching
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "strong", "check", "save"])]
    with: Option<String>,
    #[command(flatten)]
    cluster: versus::ClusterArguments,
    #[arg(long, default_value = "text")]
    format: Format,
    #[command(flatten)]
    limits: LimitArguments,
}

/// What is printed; the fields of the JSON form.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(super) struct PlanReport {
    value: Option<u8>,
    optimal: bool,
    /// Whether no plan of this value is proved to be shorter.
    shortest: bool,
    plan: Option<Vec<String>>,
    states: States,
    seconds: f64,
    algorithm: &'static str,
    engine: &'static str,
    /// Whether the plan was played by the rules and came to this value.
    verified: bool,
    /// Why no value is higher.
    proof: Option<&'static str>,
    /// What there is to know about how it went.
    remarks: Vec<&'static str>,
    /// What is wrong with the rules or kept the search from its end.
    fault: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct States {
    local: u64,
    global: u64,
    total: u64,
}

impl Solve {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

pub(super) fn run(arguments: &Solve) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let start = Instant::now();
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    if let Some(doubt) = game.uncertainty(vocabulary.store()) {
        return Err(Failure::bad_input(doubt.refusal("flux solve")));
    }
    if game.roles().len() != 1 {
        return solve_several(arguments, &game, &mut vocabulary, &limits);
    }
    refuse_options_for_several(arguments)?;
    let display = Display::of(&limits.progress);
    let (outcome, engine) = search_game(arguments, &game, &mut vocabulary, &limits)?;
    drop(display);
    let found = FoundPlan {
        verified: is_verified(&game, &mut vocabulary, &outcome)?,
        seconds: start.elapsed().as_secs_f64(),
        outcome: &outcome,
        engine,
    };
    let report = report(&game, &vocabulary, &found)?;
    match arguments.format {
        Format::Json => output::json(&report)?,
        Format::Text => output::text(&page(&report, &outcome))?,
    }
    ending(&outcome).map_err(Failure::reported)
}

/// Solves a game of several players, or checks or asks a file of such solutions.
fn solve_several(
    arguments: &Solve,
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Exit, Failure> {
    if arguments.shortest {
        return Err(Failure::bad_input("--shortest is for games of one player"));
    }
    if let Some(file) = &arguments.check {
        let form = (arguments.game.reading.case(), arguments.is_json());
        return certificate::run(file, (game, vocabulary), form, limits);
    }
    let question = versus_question(arguments)?;
    if let Some(file) = &arguments.with {
        return versus::look_up(game, vocabulary, (file, &question), limits);
    }
    let display = Display::of(&limits.progress);
    versus::run(game, vocabulary, &question, (limits, display))
}

/// Refuses what only a game of several players can be asked.
fn refuse_options_for_several(arguments: &Solve) -> Result<(), Failure> {
    let is_for_several = matches!(
        arguments.algorithm,
        AlgorithmName::Proof
            | AlgorithmName::AlphaBeta
            | AlgorithmName::Retrograde
            | AlgorithmName::Layers
            | AlgorithmName::Parts
    );
    let files = [
        &arguments.moves,
        &arguments.certificate,
        &arguments.check,
        &arguments.save,
        &arguments.with,
    ];
    let is_asked = arguments.strong || arguments.all;
    if is_asked || files.into_iter().any(Option::is_some) || is_for_several {
        return Err(Failure::bad_input(
            "--strong (with --threads, --processes, --hosts and --disk), --all, --moves, --certificate, --check, --save, --with and --algorithm proof, alpha-beta, retrograde, layers, parts and replies are for games of several players",
        ));
    }
    Ok(())
}

/// What is asked about a game of several players.
fn versus_question(arguments: &Solve) -> Result<versus::VersusQuestion<'_>, Failure> {
    let is_strong = arguments.strong || arguments.save.is_some();
    let algorithm = match (is_strong, arguments.algorithm) {
        (true, AlgorithmName::Auto) => several::ForcingAlgorithm::Strong,
        (false, AlgorithmName::Auto) => several::ForcingAlgorithm::Auto,
        (false, AlgorithmName::Proof) => several::ForcingAlgorithm::Proof,
        (false, AlgorithmName::AlphaBeta) => several::ForcingAlgorithm::AlphaBeta,
        (_, AlgorithmName::Retrograde) => several::ForcingAlgorithm::Retrograde,
        (_, AlgorithmName::Layers) => several::ForcingAlgorithm::Layers,
        (false, AlgorithmName::Parts) => several::ForcingAlgorithm::Parts,
        (false, AlgorithmName::Replies) => several::ForcingAlgorithm::Replies,
        (true, _)
        | (_, AlgorithmName::Concept | AlgorithmName::Greedy | AlgorithmName::Direct)
        | (_, AlgorithmName::Deepening | AlgorithmName::Plan) => {
            return Err(Failure::bad_input(
                "a game of several players is solved with --strong, or with --algorithm auto, proof, alpha-beta, retrograde, layers, parts or replies",
            ));
        }
    };
    let cluster = arguments.cluster.is_asked().then_some(&arguments.cluster);
    let others = arguments.all || arguments.certificate.is_some() || arguments.save.is_some();
    let is_by_layers = matches!(
        arguments.algorithm,
        AlgorithmName::Auto | AlgorithmName::Layers
    );
    if cluster.is_some() && (others || !is_by_layers) {
        return Err(Failure::bad_input(
            "--threads, --processes, --hosts and --disk are for --strong by layers alone, without --all, --certificate and --save",
        ));
    }
    Ok(versus::VersusQuestion {
        algorithm,
        cluster,
        engine: arguments.engine,
        max_states: arguments.max_states,
        moves: arguments.moves.as_deref(),
        certificate: arguments.certificate.as_deref(),
        save: arguments.save.as_deref(),
        is_all: arguments.all,
        case: arguments.game.reading.case(),
        format: arguments.format,
    })
}

/// How a command ends with what a search found.
pub(super) fn ending(outcome: &PlanOutcome) -> Result<Exit, Failure> {
    match (outcome.halt, &outcome.plan) {
        (Some(halt), _) => Err(halt.into()),
        (None, Some(_)) => Ok(Exit::Done),
        (None, None) => Ok(Exit::Negative),
    }
}

/// Searches with the reasoner that was asked for. What is not needed is not found out: the whole game
/// can be searched by its rules alone.
fn search_game(
    arguments: &Solve,
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<(PlanOutcome, Engine), Failure> {
    let is_direct = matches!(
        arguments.algorithm,
        AlgorithmName::Direct | AlgorithmName::Deepening
    );
    if is_direct && arguments.engine != Engine::Fluent {
        let player = Player::new(arguments.engine, game, vocabulary, None, limits)?;
        return solve(arguments, (game, vocabulary), None, (player, limits));
    }
    let axioms = translate(game, vocabulary, limits)?;
    let analysis = if is_direct {
        None
    } else {
        Some(analyze(&axioms, vocabulary.store_mut(), None, limits)?)
    };
    let known = analysis.as_ref().map(|analysis| (&axioms, analysis));
    let player = Player::new(arguments.engine, game, vocabulary, Some(&axioms), limits)?;
    solve(arguments, (game, vocabulary), known, (player, limits))
}

fn solve(
    arguments: &Solve,
    (game, vocabulary): (&Game, &mut Vocabulary),
    known: Option<(&GameAxioms, &Analysis)>,
    (mut player, limits): (Player, &Limits),
) -> Result<(PlanOutcome, Engine), Failure> {
    let decomposition = match known {
        Some((axioms, analysis)) => Decomposition::of(game, axioms, analysis, vocabulary, limits)?,
        None => None,
    };
    let setting = PlanSetting {
        start: player.initial_state(vocabulary)?,
        highest: highest_value(game, vocabulary.store_mut()),
        states: arguments.max_states,
        undivided: plan::UNDIVIDED,
        limits: limits.clone(),
        circuit: player.circuit(),
    };
    let problem = Problem::new(&mut player, vocabulary, setting);
    let algorithm = arguments.algorithm.into();
    let outcome = if arguments.shortest {
        plan::solve_shortest(problem, algorithm, decomposition)
    } else {
        plan::solve(problem, algorithm, decomposition)
    };
    Ok((outcome, player.engine()))
}

/// Whether the best plan, played by the rules, is worth what was said.
fn is_verified(
    game: &Game,
    vocabulary: &mut Vocabulary,
    outcome: &PlanOutcome,
) -> Result<bool, Failure> {
    let Some(plan) = &outcome.plan else {
        return Ok(false);
    };
    // What stopped the search shall not stop the proof of what it found.
    let mut reasoner = game.tabled(vocabulary, Limits::default())?;
    let start = reasoner.initial_state(vocabulary)?;
    let end = replay(&mut reasoner, vocabulary, &start, plan)?;
    Ok(outcome
        .value
        .is_some_and(|value| end == Replay::Ends(value)))
}

/// What a search has found, and how.
struct FoundPlan<'o> {
    outcome: &'o PlanOutcome,
    engine: Engine,
    /// Whether the plan, played by the rules, comes to its value.
    verified: bool,
    seconds: f64,
}

fn report(
    game: &Game,
    vocabulary: &Vocabulary,
    found: &FoundPlan<'_>,
) -> Result<PlanReport, Failure> {
    let outcome = found.outcome;
    let plan = outcome.plan.as_ref().map(|plan| {
        let moves = plan.iter().map(|&mv| vocabulary.move_term(mv));
        moves.map(|mv| shown::whole(vocabulary, mv)).collect()
    });
    let fault = outcome.faults.first().map(|fault| match fault {
        PlanFault::NoLegalMove(state) => format!(
            "there is no legal move, and the game is not over, in the state {}",
            shown::state(vocabulary, state)
        ),
        PlanFault::NoValue(state, goal) => format!(
            "{} in the terminal state {}",
            shown::goal_fault(vocabulary, game.roles()[0], goal).unwrap_or_default(),
            shown::state(vocabulary, state)
        ),
    });
    Ok(PlanReport {
        value: outcome.value.map(|value| value.0),
        optimal: outcome.proof.is_some() && outcome.value.is_some(),
        shortest: outcome.is_shortest,
        plan: plan.transpose()?,
        states: States {
            local: outcome.counts.local,
            global: outcome.counts.global,
            total: outcome.counts.total(),
        },
        seconds: found.seconds,
        algorithm: outcome.algorithm.name(),
        engine: found.engine.name(),
        verified: found.verified,
        proof: outcome.proof.map(reason),
        remarks: outcome.remarks.iter().map(|&remark| note(remark)).collect(),
        fault,
    })
}

fn reason(proof: Proof) -> &'static str {
    match proof {
        Proof::Highest => "the rules name no higher value",
        Proof::AllStates => "all states were seen",
        Proof::NoState => "no state can have a higher value",
        Proof::AllPlays => "no play is longer than those that were ruled out, and none ends better",
        Proof::AllSubgames => "all states of all subgames were seen, and all their combinations",
    }
}

fn note(remark: Remark) -> &'static str {
    match remark {
        Remark::NoConcepts => {
            "goal and end cannot be told apart into concepts of single subgames: the whole game was searched"
        }
        Remark::NotOrdered => {
            "subgames cannot always be won one after the other here: a better plan may have been missed"
        }
        Remark::Clock => "what changes by itself has too many states: the whole game was searched",
        Remark::Together => {
            "each move is one in several games, which were searched in step, part by part (flux decompose shows them)"
        }
        Remark::InTurn => {
            "games are played one after the other, and were searched so (flux decompose shows them)"
        }
        Remark::NoPlays => {
            "plays are written as clauses where the circuit plays (--engine circuit), and no atoms depend on each other"
        }
        Remark::TooLong => "plays that are longer than those that were ruled out may end better",
        Remark::TooLarge => {
            "the subgames have too many states to see all their combinations: the whole game was searched"
        }
    }
}

/// How good the best plan is.
pub(super) fn judgement(outcome: &PlanOutcome) -> String {
    match (outcome.value, outcome.proof) {
        (Some(GoalValue(value)), Some(proof)) => {
            format!("best value {value}: {}", reason(proof))
        }
        (Some(GoalValue(value)), None) => format!("value {value}, the best so far"),
        (None, Some(_)) => "there is no plan: the game never ends with a value".to_owned(),
        (None, None) => "no plan was found so far".to_owned(),
    }
}

/// The report for people.
fn page(report: &PlanReport, outcome: &PlanOutcome) -> String {
    let mut page = judgement(outcome) + "\n";
    for (place, mv) in report.plan.iter().flatten().enumerate() {
        page += &format!("{:5}. {mv}\n", place + 1);
    }
    if report.shortest {
        page += "no plan of this value is shorter: states were looked at in the order of their distance\n";
    }
    if report.plan.is_some() {
        page += if report.verified {
            "played by the rules: it leads to this value\n"
        } else {
            "PLAYED BY THE RULES, IT DOES NOT LEAD TO THIS VALUE\n"
        };
    }
    let States {
        local,
        global,
        total,
    } = &report.states;
    page += &format!(
        "{total} computed states ({local} in subgames, {global} in the whole game), {:.3} s\n",
        report.seconds
    );
    for remark in &report.remarks {
        page += &format!("note: {remark}\n");
    }
    if let Some(fault) = &report.fault {
        page += &format!("warning: {fault}\n");
    }
    page
}
