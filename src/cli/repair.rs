//! `flux repair`: the smallest changes of the rules after which properties hold that do not.

use clap::Args;
use serde::Serialize;

use crate::cli::arguments::{Format, GameArguments, LimitArguments};
use crate::cli::failure::{Exit, Failure};
use crate::cli::{input, output, watch};
use crate::prove::{self, Repair, RepairEffort, RepairError, Repairs, SheetText};
use crate::syntax::{Source, Span};

/// Lines around a change that are shown.
const CONTEXT: usize = 3;

/// Find the smallest changes of the rules after which properties hold that do not
///
/// Without a property, those that the definition of GDL asks of every game: playable, terminates, goals-defined,
/// goals-unique, goals-bounded, weakly-winnable; see flux prove for all of them. Changes are what warnings propose to
/// write, rules that are missing (a frame rule, a move for a role that is stuck, a goal value), conditions dropped or
/// added, and constants changed. Each is tried: the changed rules are proved anew, and nothing that was proved before
/// is refuted after it. That there is no smaller change is not proved.
///
/// Exit codes: 0 repaired, or nothing to repair, 1 no repair found, 2 a limit was reached, 3 something is wrong with
/// the rules or the options, 4 internal error.
#[derive(Debug, Args)]
pub(super) struct RepairOf {
    #[command(flatten)]
    game: GameArguments,
    /// Properties [default: what every game should have]
    #[arg(value_name = "PROPERTY")]
    properties: Vec<String>,
    #[arg(long, default_value = "text")]
    format: Format,
    /// So many repairs are enough
    #[arg(short = 'n', long, value_name = "N", default_value_t = RepairEffort::default().repairs)]
    repairs: usize,
    /// Changed sheets that are proved anew
    #[arg(long, value_name = "N", default_value_t = RepairEffort::default().trials)]
    max_trials: usize,
    #[command(flatten)]
    limits: LimitArguments,
}

impl RepairOf {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// What is printed as JSON.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields, rename = "Report")]
pub(super) struct RepairReport {
    /// The properties that do not hold.
    refuted: Vec<String>,
    /// Changes that repair most of them first, then small ones first.
    repairs: Vec<RepairJson>,
    /// Changed sheets that were proved anew.
    tried: usize,
    /// Whether every candidate was tried, or enough repairs were found.
    complete: bool,
}

/// A change of the rules.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
struct RepairJson {
    /// What it does, in a few words.
    what: String,
    /// The refuted properties that hold after it.
    repaired: Vec<String>,
    edits: Vec<EditJson>,
    /// The same as a unified diff.
    diff: String,
}

/// A piece of the text and what is to stand there instead.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
struct EditJson {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: String,
}

pub(super) fn run(arguments: &RepairOf) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let source = input::read(&arguments.game.game)?;
    let reading = arguments.game.reading;
    let sheet = SheetText {
        notation: reading.notation(&source),
        case: reading.case(),
        source,
    };
    let effort = RepairEffort {
        repairs: arguments.repairs,
        trials: arguments.max_trials,
        ..RepairEffort::default()
    };
    let repairs = prove::repair(&sheet, &arguments.properties, effort, &limits);
    let repairs = repairs.map_err(failure)?;
    match arguments.format {
        Format::Text => output::text(&text(&sheet.source, &repairs))?,
        Format::Json => output::json(&report(&sheet.source, &repairs))?,
    }
    Ok(
        match (repairs.refuted.is_empty(), repairs.found.is_empty()) {
            (true, _) | (false, false) => Exit::Done,
            (false, true) if repairs.is_complete => Exit::Negative,
            (false, true) => Exit::Limit,
        },
    )
}

fn failure(error: RepairError) -> Failure {
    match error {
        RepairError::Game(error) => error.into(),
        RepairError::Reasoner(error) => error.into(),
        RepairError::Ground(error) => crate::workbench::WorkbenchError::from(error).into(),
        error @ (RepairError::Unplayable | RepairError::Property(_)) => {
            Failure::bad_input(error.to_string())
        }
    }
}

fn text(source: &Source, repairs: &Repairs) -> String {
    if repairs.refuted.is_empty() {
        return "nothing to repair: no property is refuted\n".to_owned();
    }
    let mut text = format!("refuted: {}\n", repairs.refuted.join(", "));
    for repair in &repairs.found {
        let repaired = repair.repaired.join(", ");
        text += &format!("\n{}: proved {repaired}\n", repair.what);
        text += &diff(source, repair);
    }
    if repairs.found.is_empty() {
        let tried = repairs.tried;
        text += &format!("no repair found; {tried} changed sheets were proved anew\n");
    }
    text
}

fn report(source: &Source, repairs: &Repairs) -> RepairReport {
    let repair = |repair: &Repair| RepairJson {
        what: repair.what.clone(),
        repaired: repair.repaired.clone(),
        edits: repair
            .edits
            .iter()
            .map(|edit| edit_json(source, edit.span, &edit.text))
            .collect(),
        diff: diff(source, repair),
    };
    RepairReport {
        refuted: repairs.refuted.clone(),
        repairs: repairs.found.iter().map(repair).collect(),
        tried: repairs.tried,
        complete: repairs.is_complete,
    }
}

fn edit_json(source: &Source, span: Span, text: &str) -> EditJson {
    let (start, end) = (source.position(span.start), source.position(span.end));
    EditJson {
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text: text.to_owned(),
    }
}

/// A change as a unified diff.
fn diff(source: &Source, repair: &Repair) -> String {
    let diff = similar::TextDiff::from_lines(source.text(), &repair.text);
    let name = source.name();
    let mut unified = diff.unified_diff();
    let unified = unified.context_radius(CONTEXT).header(name, name);
    unified.to_string()
}
