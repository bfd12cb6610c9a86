//! `flux prove`: what is true of every state of a game, each property proved, refuted with a play, or open.

use std::time::{Duration, Instant};

use clap::Args;

use crate::circuit::{Circuit, ground};
use crate::cli::arguments::{Format, GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::watch::{self, SharedTime};
use crate::cli::{load, output};
use crate::gdl::{Game, ReasonerError, Vocabulary};
use crate::limits::{Limits, StopFlag, StopReason};
use crate::prove::{
    self, Finding, FindingJson, Grounded, GroundedGame, ProofEffort, PropertyKind,
    PropertyQuestion, Prover, Verdict,
};
use crate::term::Store;
use crate::workbench;

/// How many times as much may be done for a property that is asked again.
const LATE_EFFORT: u64 = 16;

/// Prove properties of a game, or refute them with a play
///
/// Properties: terminates (every play ends), playable (every role always has a legal move), goals-defined,
/// goals-unique, goals-bounded (at each end every role has a goal value, only one, from 0 to 100), weakly-winnable
/// (each role wins in some play), strongly-winnable (some role can force to win), turn-taking (no two roles have a
/// choice at once), zero-sum, constant-sum (goal values at ends add up to 100, or to the same number), monotonic (no
/// move makes a goal value smaller), acyclic (no play comes to a state twice), rules-apply (each rule in some play),
/// moves-legal (each move in some play; both name those that are not). With :ROLE, those that can be are
/// asked of one role. Without a property, all of them are.
///
/// A property in parentheses is a formula: (true F), (legal R M), (goal R V) and terminal are about a state; not,
/// and, or, implies combine formulas; (next p), (always p), (eventually p), (until p q) speak of all plays, and of
/// some play in (some …): '(always (not (and (true (cell 1 1 x)) (true (cell 1 1 o)))))'.
///
/// Refuting plays are replayed by the rules, invariants are confirmed by other code than that which finds them.
///
/// Exit codes: 0 all proved, 1 some refuted, 2 some open, 3 something is wrong with the rules or the options,
/// 4 internal error.
#[derive(Debug, Args)]
pub(super) struct Prove {
    #[command(flatten)]
    game: GameArguments,
    /// Properties [default: all]
    #[arg(value_name = "PROPERTY")]
    properties: Vec<String>,
    #[arg(long, default_value = "text")]
    format: Format,
    /// Leave properties open after so many seconds each on average: what one leaves is for those after it, what all leave
    /// for those that are open, and what is proved for all of them may take half of their time
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    each: Option<f64>,
    /// Give up when there are more instances of rules
    #[arg(long, value_name = "N", default_value_t = ground::MAX_RULES)]
    max_rules: usize,
    /// States that are looked at one by one
    #[arg(long, value_name = "N", default_value_t = ProofEffort::default().states)]
    max_states: usize,
    /// Seed of the random plays
    #[arg(long, value_name = "N", default_value_t = ProofEffort::default().seed)]
    seed: u64,
    #[command(flatten)]
    limits: LimitArguments,
}

impl Prove {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

pub(super) fn run(arguments: &Prove) -> Result<Exit, Failure> {
    let (whole, _watch) = watch::limits(&arguments.limits)?;
    let each = arguments.each;
    let each = each.map(|seconds| watch::seconds_of(seconds, "--each"));
    let each = each.transpose()?;
    let (game, mut vocabulary) = load::game(&arguments.game, &whole)?;
    let roles = game.role_names(vocabulary.store());
    let grounded = grounded(arguments, &game, &mut vocabulary, &whole)?;
    let circuit = &grounded.circuit;
    let questions = questions(
        &arguments.properties,
        circuit,
        (&game, &roles),
        &mut vocabulary,
    )?;
    // A flag of their own: the time of one property must not end the properties behind it.
    let limits = Limits {
        stop: StopFlag::default(),
        ..whole.clone()
    };
    let subject = GroundedGame {
        game: &game,
        circuit,
        rules: &grounded.rules,
    };
    let mut prover = {
        let _watch = watch::over(&limits.stop, &whole, None);
        let effort = effort(arguments);
        Prover::new(subject, &questions, &mut vocabulary, effort, &limits)?
    };
    let mut findings = PropertyFindings {
        format: arguments.format,
        all: Vec::new(),
        exit: Exit::Done,
    };
    let mut times = each.map(|each| SharedTime::new(each, questions.len()));
    let subject = (&game, &mut vocabulary);
    let mut asked = Asked {
        prover: &mut prover,
        subject,
        limits: &limits,
        whole: &whole,
    };
    let mut late = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let common = times.as_ref().map(SharedTime::common);
        let answer = asked.ask((number, question), common, || {
            times.as_mut().map(SharedTime::grant)
        })?;
        if each.is_some() && answer.is_late {
            late.push((number, answer.seconds));
            continue;
        }
        findings.add(number, question, &answer, (&roles, asked.subject.1.store()))?;
    }
    // What is open is asked again in what all others have left, with what was found meanwhile and more effort.
    if !late.is_empty() {
        asked.prover.raise_effort(LATE_EFFORT);
    }
    for (place, &(number, before)) in late.iter().enumerate() {
        let question = &questions[number];
        let rest = || times.as_ref().map(|times| times.rest(late.len() - place));
        let common = rest().map(|time| time / 2);
        let mut answer = asked.ask((number, question), common, rest)?;
        answer.seconds += before;
        findings.add(number, question, &answer, (&roles, asked.subject.1.store()))?;
    }
    findings.end()
}

/// A game of which properties are asked, each within a time of its own.
struct Asked<'a> {
    prover: &'a mut Prover,
    subject: (&'a Game, &'a mut Vocabulary),
    limits: &'a Limits,
    whole: &'a Limits,
}

/// What was found of a property.
struct Answer {
    finding: Finding,
    seconds: Duration,
    /// Whether it is open, and more time may decide it.
    is_late: bool,
}

impl Asked<'_> {
    /// Asks about a property, after what it has in common with others was done in a time of its own.
    fn ask(
        &mut self,
        (number, question): (usize, &PropertyQuestion),
        common: Option<Duration>,
        own: impl FnOnce() -> Option<Duration>,
    ) -> Result<Answer, Failure> {
        let start = Instant::now();
        let (game, vocabulary) = (self.subject.0, &mut *self.subject.1);
        let (limits, whole) = (self.limits, self.whole);
        prepare(self.prover, number, vocabulary, (limits, whole, common))?;
        let finding = {
            let _watch = watch::over(&limits.stop, whole, own());
            let question = (number, question);
            workbench::decide(self.prover, question, (game, vocabulary), limits)?
        };
        let is_limit = !matches!(limits.stop.raised(), None | Some(StopReason::TimeLimit));
        let is_late =
            finding.verdict == Verdict::Open && !is_limit && whole.stop.raised().is_none();
        // If the whole was stopped, the next watch raises it again, and what is left stays open at once.
        limits.stop.clear();
        Ok(Answer {
            finding,
            seconds: start.elapsed(),
            is_late,
        })
    }
}

/// Does what all properties have in common, as far as one of them asks for it, within a time of its own.
pub(super) fn prepare(
    prover: &mut Prover,
    number: usize,
    vocabulary: &mut Vocabulary,
    (limits, whole, time): (&Limits, &Limits, Option<Duration>),
) -> Result<(), ReasonerError> {
    let prepared = {
        let _watch = watch::over(&limits.stop, whole, time);
        prover.prepare(number, vocabulary)
    };
    limits.stop.clear();
    match prepared {
        // Where it is stopped, it goes on in the time of the property.
        Ok(()) | Err(ReasonerError::Stopped(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// What was found of the properties so far. Text is printed as it comes, JSON at the end.
struct PropertyFindings {
    format: Format,
    /// By number of the question.
    all: Vec<(usize, FindingJson)>,
    exit: Exit,
}

impl PropertyFindings {
    fn add(
        &mut self,
        number: usize,
        question: &PropertyQuestion,
        answer: &Answer,
        (roles, store): (&[String], &Store),
    ) -> Result<(), Failure> {
        let finding = &answer.finding;
        self.exit = worse(self.exit, finding.verdict);
        let name = question.text(roles);
        match self.format {
            Format::Text => output::text(&prove::text(&name, finding, roles, store))?,
            Format::Json => {
                let seconds = seconds(answer.seconds);
                let finding = prove::json(&name, finding, roles, store, seconds);
                self.all.push((number, finding));
            }
        }
        Ok(())
    }

    fn end(mut self) -> Result<Exit, Failure> {
        if self.format == Format::Json {
            self.all.sort_by_key(|&(number, _)| number);
            let all: Vec<FindingJson> = self.all.into_iter().map(|(_, one)| one).collect();
            output::json(&all)?;
        }
        Ok(self.exit)
    }
}

/// The circuit, with signals for the rules if they are asked for and are not too many.
fn grounded(
    arguments: &Prove,
    game: &Game,
    vocabulary: &mut Vocabulary,
    limits: &Limits,
) -> Result<Grounded, Failure> {
    let name = PropertyKind::RulesApply.name();
    let properties = &arguments.properties;
    let asks_rules = properties.is_empty() || properties.iter().any(|one| one == name);
    // Signals for all rules make the circuit larger; where it gets too large, it is made without them.
    if asks_rules && let Ok(grounded) = prove::ground(game, vocabulary, limits, arguments.max_rules)
    {
        return Ok(grounded);
    }
    let circuit = workbench::circuit(game, vocabulary, limits, arguments.max_rules)?;
    let rules = Vec::new();
    Ok(Grounded { circuit, rules })
}

fn effort(arguments: &Prove) -> ProofEffort {
    ProofEffort {
        states: arguments.max_states,
        seed: arguments.seed,
        ..ProofEffort::default()
    }
}

/// The properties that are asked for; all that have names if none is.
pub(super) fn questions(
    properties: &[impl AsRef<str>],
    circuit: &Circuit,
    (game, roles): (&Game, &[String]),
    vocabulary: &mut Vocabulary,
) -> Result<Vec<PropertyQuestion>, Failure> {
    if properties.is_empty() {
        return Ok(PropertyQuestion::all_named());
    }
    let questions = properties.iter().map(|text| {
        let question =
            PropertyQuestion::parse(text.as_ref(), circuit, game.roles(), roles, vocabulary);
        question.map_err(|error| Failure::bad_input(error.to_string()))
    });
    questions.collect()
}

/// Refuted comes before open, and that before proved.
pub(super) fn worse(exit: Exit, verdict: Verdict) -> Exit {
    match (exit, verdict) {
        (Exit::Negative, _) | (_, Verdict::Refuted) => Exit::Negative,
        (_, Verdict::Open) => Exit::Limit,
        (exit, Verdict::Proved) => exit,
    }
}

/// Seconds, to the millisecond.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000.0).round() / 1_000.0
}
