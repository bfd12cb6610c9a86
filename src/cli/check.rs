//! `flux check`: what is wrong with the rules of games, and where.

use std::collections::BTreeMap;
use std::time::Duration;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::arguments::{Format, LimitArguments, ReadingArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::prove::prepare;
use crate::cli::render::{Style, render};
use crate::cli::watch::{self, SharedTime};
use crate::cli::{input, output};
use crate::gdl::{Game, MOST_WARNINGS, ReasonerError, RuleSheet, Vocabulary, fault};
use crate::limits::{Limits, StopFlag, StopReason};
use crate::prove::{self, GroundedGame, ProofEffort, Property, PropertyQuestion, Prover};
use crate::syntax::{Code, Diagnostic, DiagnosticJson, SYNTAX_CODES, Severity, Source};
use crate::term::Store;
use crate::workbench;

/// Report what is wrong with the rules of games, and where
///
/// As text, all errors and a hundred warnings of each code are shown; the rest is counted. With
/// --format json each game is one line, {"file", "ok", "diagnostics", "more"}: `diagnostics` has up to
/// 10000 warnings of each code, and `more` says of which codes there are how many others. For a file
/// that cannot be read, `diagnostics` has the reason, with `code` and `span` null.
///
/// Exit codes: 0 all games can be played, 3 some cannot, or cannot be read, or have warnings that are denied.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Files with rules; - is standard input
    #[arg(value_name = "GAME", required_unless_present = "explain")]
    games: Vec<String>,
    #[command(flatten)]
    reading: ReadingArguments,
    #[arg(long, default_value = "text")]
    format: Format,
    /// Also look at plays, within limits: does each end, can every role move, has every end one goal value for each
    /// role, can each role win? Takes some seconds
    #[arg(long)]
    play: bool,
    #[command(flatten)]
    limits: LimitArguments,
    /// Fail if there are warnings, too
    #[arg(long, value_name = "WHAT")]
    deny: Option<Denied>,
    /// Leave out warnings of a code, everywhere; `; flux: allow CODE` in a text does so there
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Say what a code such as G0302 means, with an example
    #[arg(long, value_name = "CODE", conflicts_with = "games")]
    explain: Option<String>,
}

/// What is as bad as an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// All warnings
    Warnings,
}

/// The verdict on one game, as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Verdict<'a> {
    file: &'a str,
    ok: bool,
    diagnostics: Vec<DiagnosticJson>,
    /// By code, how many warnings there are beyond those in `diagnostics`.
    more: BTreeMap<&'static str, usize>,
}

/// Warnings of one code that are shown to people.
const MOST_SHOWN: usize = 100;

pub(super) fn run(arguments: &Check) -> Result<Exit, Failure> {
    if let Some(code) = &arguments.explain {
        return explain(code);
    }
    // Without --play nothing is watched, and Ctrl-C ends the program as usual.
    let watched = if arguments.play {
        Some(watch::limits(&arguments.limits)?)
    } else {
        None
    };
    let limits = watched.as_ref().map(|(limits, _watch)| limits);
    let mut exit = Exit::Done;
    for name in &arguments.games {
        // One unreadable file does not keep the others from being checked.
        match input::read(name) {
            Ok(source) => {
                if !check(arguments, &source, limits)? {
                    exit = Exit::BadInput;
                }
            }
            Err(failure) => {
                match arguments.format {
                    Format::Json => output::json(&unread(name, &failure))?,
                    Format::Text => {
                        failure.report();
                    }
                }
                exit = Exit::BadInput;
            }
        }
    }
    Ok(exit)
}

/// Checks one text, and its plays if there are limits for that; says whether it can be played.
fn check(arguments: &Check, source: &Source, limits: Option<&Limits>) -> Result<bool, Failure> {
    let (notation, case) = (arguments.reading.notation(source), arguments.reading.case());
    let mut store = Store::new();
    let mut sheet = RuleSheet::read(&mut store, source, notation, case);
    sheet.lint(&mut store, source);
    if let Some(limits) = limits
        && !sheet.has_errors()
    {
        let mut found = Vec::new();
        match look_at_plays((store, source, &sheet), limits, &mut found) {
            Ok(()) => {}
            // What was found until then stands.
            Err(failure) if failure.exit() == Exit::Limit => output::message(&format!(
                "plays were not looked at any further: {}",
                failure.message()
            ))?,
            Err(failure) => return Err(failure),
        }
        sheet.diagnostics.extend(found);
    }
    // Behind the plays, whose warnings have codes that can be allowed as well.
    sheet.allow(&arguments.allow);
    sheet.allow_commented(source);
    match arguments.format {
        Format::Json => output::json(&verdict(source, &sheet))?,
        Format::Text => {
            show(source, &sheet)?;
            output::line(&summary(source, &sheet))?;
        }
    }
    let is_denied = arguments.deny.is_some() && !sheet.diagnostics.is_empty();
    Ok(!sheet.has_errors() && !is_denied)
}

/// Seconds for each property of plays, beside those that the properties before it have left.
const SECONDS_EACH: u64 = 2;

/// Adds what plays show against a game whose rules are not too many to be grounded.
fn look_at_plays(
    (mut store, source, sheet): (Store, &Source, &RuleSheet),
    whole: &Limits,
    found: &mut Vec<Diagnostic>,
) -> Result<(), Failure> {
    let game = Game::new(&mut store, source.clone(), sheet.clauses.clone(), whole)?;
    let mut vocabulary = Vocabulary::new(store);
    let Some(circuit) = workbench::small_circuit(&game, &mut vocabulary, whole)? else {
        output::message("plays were not looked at: the rules have too many instances")?;
        return Ok(());
    };
    let kinds = prove::demanded();
    let questions = kinds
        .iter()
        .map(|&kind| PropertyQuestion::Named(Property::of_game(kind)));
    let questions: Vec<PropertyQuestion> = questions.collect();
    let subject = GroundedGame {
        game: &game,
        circuit: &circuit,
        rules: &[],
    };
    // A flag of their own: the seconds of one property must not end the properties behind it.
    let limits = Limits {
        stop: StopFlag::default(),
        ..whole.clone()
    };
    let effort = ProofEffort::default();
    let mut prover = {
        let _watch = watch::over(&limits.stop, whole, None);
        Prover::new(subject, &questions, &mut vocabulary, effort, &limits)?
    };
    let mut times = SharedTime::new(Duration::from_secs(SECONDS_EACH), kinds.len());
    for (number, &kind) in kinds.iter().enumerate() {
        whole.stop.poll()?;
        let limited = (&limits, whole, Some(times.common()));
        prepare(&mut prover, number, &mut vocabulary, limited)?;
        let time = times.grant();
        let finding = {
            let _watch = watch::over(&limits.stop, whole, Some(time));
            match prover.decide(number, &mut vocabulary) {
                // --max-steps was asked for, and what it stops is told. The two seconds were not: what they stop is open.
                Err(ReasonerError::Stopped(reason @ StopReason::StepLimit(_))) => {
                    return Err(reason.into());
                }
                found => prove::within_limits(found)?,
            }
        };
        limits.stop.clear();
        found.extend(prove::diagnose(&game, vocabulary.store(), kind, &finding));
    }
    Ok(whole.stop.poll()?)
}

/// Shows all errors, and of each kind of warning the first ones.
fn show(source: &Source, sheet: &RuleSheet) -> Result<(), Failure> {
    let mut warnings: BTreeMap<Code, usize> = BTreeMap::new();
    for diagnostic in &sheet.diagnostics {
        if !diagnostic.is_error() {
            let number = warnings.entry(diagnostic.code).or_default();
            *number += 1;
            if *number > MOST_SHOWN {
                continue;
            }
        }
        // The stream drops colours if it is no terminal.
        let message = render(source, diagnostic, Style::Terminal);
        output::line(&format!("{message}\n"))?;
    }
    for (code, number) in warnings {
        let left_out = sheet.left_out.iter().find(|(other, _)| *other == code);
        let number = number + left_out.map_or(0, |&(_, more)| more);
        if number > MOST_SHOWN {
            let title = fault(code.0).map_or("", |fault| fault.title);
            let more = count(number - MOST_SHOWN, "more warning");
            output::line(&format!(
                "{more} {code} ({title}); --format json lists {}\n",
                match left_out {
                    None => "all".to_owned(),
                    Some(_) => format!("the first {MOST_WARNINGS}"),
                }
            ))?;
        }
    }
    Ok(())
}

/// `NAME: ok (12 rules, 2 warnings)`
fn summary(source: &Source, sheet: &RuleSheet) -> String {
    let of = |severity| {
        let same = |diagnostic: &&Diagnostic| diagnostic.severity == severity;
        sheet.diagnostics.iter().filter(same).count()
    };
    let left_out: usize = sheet.left_out.iter().map(|(_, more)| more).sum();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning) + left_out);
    let mut parts = vec![count(sheet.clauses.len(), "rule")];
    if errors > 0 {
        parts.push(count(errors, "error"));
    }
    if warnings > 0 {
        parts.push(count(warnings, "warning"));
    }
    let verdict = if errors == 0 { "ok" } else { "not playable" };
    format!("{}: {verdict} ({})", source.name(), parts.join(", "))
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

fn verdict<'a>(source: &'a Source, sheet: &RuleSheet) -> Verdict<'a> {
    let diagnostics = sheet.diagnostics.iter();
    Verdict {
        file: source.name(),
        ok: !sheet.has_errors(),
        diagnostics: diagnostics
            .map(|diagnostic| DiagnosticJson::of(source, diagnostic))
            .collect(),
        more: sheet
            .left_out
            .iter()
            .map(|(code, n)| (code.0, *n))
            .collect(),
    }
}

/// The verdict on a text that cannot be read.
fn unread<'a>(name: &'a str, failure: &Failure) -> Verdict<'a> {
    Verdict {
        file: name,
        ok: false,
        diagnostics: vec![DiagnosticJson::unreadable(failure.message())],
        more: BTreeMap::new(),
    }
}

fn explain(code: &str) -> Result<Exit, Failure> {
    let mut of_plays = prove::faults();
    let of_plays = of_plays.find(|fault| fault.code.0.eq_ignore_ascii_case(code));
    if let Some(fault) = fault(code).or(of_plays) {
        let heading = format!("{} ({}): {}", fault.code, fault.severity, fault.title);
        output::line(&heading)?;
        output::line(&format!("\n{}\n", fault.explanation))?;
        output::line(&format!("Example:\n{}\n", indented(fault.example)))?;
        output::line(&format!("Corrected:\n{}", indented(fault.corrected)))?;
        return Ok(Exit::Done);
    }
    let syntax = SYNTAX_CODES
        .iter()
        .find(|entry| entry.code.0.eq_ignore_ascii_case(code));
    let Some(entry) = syntax else {
        let message = format!("there is no code {code}; codes look like G0302 or S0001");
        return Err(Failure::bad_input(message));
    };
    output::line(&format!("{} (error): {}", entry.code, entry.title))?;
    output::line(&format!("\nExample:\n{}", indented(entry.example)))?;
    Ok(Exit::Done)
}

fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    lines.join("\n")
}
