//! `flux check`: what is wrong with the rules of games, and where.

use clap::Args;
use serde::Serialize;

use crate::cli::failure::{Exit, Failure};
use crate::cli::render::{DiagnosticJson, Style, render, to_json};
use crate::cli::{Format, NotationName, input, output};
use crate::gdl::{RuleSheet, fault};
use crate::syntax::{Diagnostic, SYNTAX_CODES, Severity, Source, detect};
use crate::term::{Case, Store};

/// Report what is wrong with the rules of games, and where
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Files with rules; - is standard input
    #[arg(value_name = "GAME", required_unless_present = "explain")]
    games: Vec<String>,
    /// Notation of the rules [default: found out from the text]
    #[arg(long)]
    notation: Option<NotationName>,
    /// Keep CELL and cell apart
    #[arg(long)]
    case_sensitive: bool,
    #[arg(long, default_value = "text")]
    format: Format,
    /// Say what a code such as G0302 means, with an example
    #[arg(long, value_name = "CODE", conflicts_with = "games")]
    explain: Option<String>,
}

/// The verdict on one game, as JSON.
#[derive(Debug, Serialize)]
struct Verdict<'a> {
    file: &'a str,
    ok: bool,
    diagnostics: Vec<DiagnosticJson>,
}

pub(super) fn run(arguments: &Check) -> Result<Exit, Failure> {
    if let Some(code) = &arguments.explain {
        return explain(code);
    }
    let mut exit = Exit::Done;
    for name in &arguments.games {
        // One unreadable file does not keep the others from being checked.
        match input::read(name) {
            Ok(source) => {
                if !check(arguments, &source)? {
                    exit = Exit::BadInput;
                }
            }
            Err(failure) => {
                failure.report();
                exit = Exit::BadInput;
            }
        }
    }
    Ok(exit)
}

/// Checks one text; says whether it can be played.
fn check(arguments: &Check, source: &Source) -> Result<bool, Failure> {
    let notation = arguments
        .notation
        .map_or_else(|| detect(source), Into::into);
    let case = match arguments.case_sensitive {
        true => Case::Keep,
        false => Case::Fold,
    };
    let sheet = RuleSheet::read(&mut Store::new(), source, notation, case);
    match arguments.format {
        Format::Json => output::json(&verdict(source, &sheet))?,
        Format::Text => {
            for diagnostic in &sheet.diagnostics {
                // Colours are dropped on the way out if nobody would see them.
                let message = render(source, diagnostic, Style::Terminal);
                output::line(&format!("{message}\n"))?;
            }
            output::line(&summary(source, &sheet))?;
        }
    }
    Ok(!sheet.has_errors())
}

/// `NAME: ok (12 rules, 2 warnings)`
fn summary(source: &Source, sheet: &RuleSheet) -> String {
    let of = |severity| {
        let same = |diagnostic: &&Diagnostic| diagnostic.severity == severity;
        sheet.diagnostics.iter().filter(same).count()
    };
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
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
            .map(|diagnostic| to_json(source, diagnostic))
            .collect(),
    }
}

fn explain(code: &str) -> Result<Exit, Failure> {
    if let Some(fault) = fault(code) {
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
