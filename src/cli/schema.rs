//! `flux schema`: what the JSON that commands print looks like, as JSON Schemas.
//!
//! The schemas are made from the types that are printed, so that they cannot differ from them; `docs/schemas` is
//! what this command writes.

use std::path::PathBuf;

use clap::Args;
use indexmap::IndexMap;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::cli::failure::{Exit, Failure};
use crate::cli::{check, failure, ground, output, playout, query, repair, solve, trace, verify};
use crate::serve::protocol;
use crate::{analysis, decomposition, fluent, prove};

/// Print the JSON Schema of what a command prints with --format json
///
/// Without a name, the names are listed. Where no result can be given, commands print what `error` describes.
#[derive(Debug, Args)]
pub(super) struct SchemaOf {
    /// What is described, such as `playout` or `error`
    name: Option<String>,
    /// Write all schemas into this folder, each as NAME.json
    #[arg(long, value_name = "DIR", conflicts_with = "name")]
    out: Option<PathBuf>,
}

/// What `flux solve` prints for games of several roles.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Versus {
    /// By role, what it can force whatever the others do.
    values: IndexMap<String, Bounds>,
    /// Whether it is known exactly what all roles can force; by chance, where two with a constant sum choose at once.
    proved: bool,
    kind: String,
    kind_proved: bool,
    /// Where two roles choose at once: what they can force on average, and how; fractions are text.
    mixed: Option<Mixed>,
    /// By role, the payoff under backward induction; `null` where there is none.
    backward_induction: Option<IndexMap<String, Option<u8>>>,
    /// Best play of all roles: joint moves, by role.
    line: Option<Vec<IndexMap<String, String>>>,
    states: u64,
    seconds: f64,
    algorithm: String,
    /// What is wrong with the rules or kept the search from its end.
    fault: Option<String>,
    /// With --all: every joint move of those who choose, with what it leaves to each role.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Choice>>,
    /// With --strong: the number of reachable states.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    /// With --strong, and layer by layer: moves of the longest win that is not given away.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest: Option<u64>,
    /// With --strong and two roles: of these, how many the first role wins, draws and loses.
    #[serde(skip_serializing_if = "Option::is_none")]
    won: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<u64>,
}

/// The values of mixed strategies, and how often each move of a role is drawn.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Mixed {
    values: IndexMap<String, String>,
    strategies: IndexMap<String, IndexMap<String, String>>,
}

/// A joint move and what it leaves to each role.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Choice {
    #[serde(rename = "move")]
    joint: IndexMap<String, String>,
    values: IndexMap<String, Bounds>,
}

/// Goal values; `null` where no payoff can be forced.
#[derive(Debug, Serialize, JsonSchema)]
struct Bounds {
    at_least: Option<u8>,
    at_most: Option<u8>,
}

/// All schemas by name.
fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("analyze", of::<analysis::AnalysisReport>()),
        ("check", of::<check::Verdict<'_>>()),
        ("decompose", of::<decomposition::Report>()),
        ("error", of::<failure::Report<'_>>()),
        ("ground", of::<ground::Report>()),
        ("playout", of::<playout::Report>()),
        ("prove", of::<Vec<prove::FindingJson>>()),
        ("query", of::<query::Report>()),
        ("repair", of::<repair::Report>()),
        ("serve-message", of::<protocol::Message>()),
        ("serve-request", of_read::<protocol::Request>()),
        ("solve", of::<solve::Report>()),
        ("solve-several", of::<Versus>()),
        ("trace", of::<trace::Visited>()),
        ("translate", of::<fluent::Axioms>()),
        ("verify", of::<verify::Answer>()),
    ]
}

/// The schema of what is read.
fn of_read<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.into_generator().into_root_schema_for::<T>()
}

fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

fn written(schema: &Schema) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(schema)? + "\n")
}

pub(super) fn run(arguments: &SchemaOf) -> Result<Exit, Failure> {
    let schemas = schemas();
    if let Some(folder) = &arguments.out {
        for (name, schema) in &schemas {
            output::file(&folder.join(format!("{name}.json")), &written(schema)?)?;
        }
        return Ok(Exit::Done);
    }
    let Some(wanted) = &arguments.name else {
        for (name, _) in &schemas {
            output::line(name)?;
        }
        return Ok(Exit::Done);
    };
    let Some((_, schema)) = schemas.iter().find(|(name, _)| name == wanted) else {
        let names: Vec<&str> = schemas.iter().map(|&(name, _)| name).collect();
        return Err(Failure::bad_input(format!(
            "there is no schema {wanted}; there are: {}",
            names.join(" ")
        )));
    };
    output::text(&written(schema)?)?;
    Ok(Exit::Done)
}
