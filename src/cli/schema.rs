//! `flux schema`: what the JSON that commands print looks like, as JSON Schemas.
//!
//! The schemas are made from the types that are printed, so that they cannot differ from them; `docs/schemas` is
//! what this command writes.

use std::path::PathBuf;

use clap::Args;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::cli::failure::{Exit, Failure};
use crate::cli::{
    check, ending, ground, output, playout, query, repair, solve, trace, verify, versus,
};
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

/// All schemas by name.
fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("analyze", of::<analysis::AnalysisReport>()),
        ("check", of::<check::Verdict<'_>>()),
        ("decompose", of::<decomposition::DecompositionReport>()),
        ("error", of::<ending::FailureReport<'_>>()),
        ("ground", of::<ground::GroundingReport>()),
        ("playout", of::<playout::PlayoutReport>()),
        ("prove", of::<Vec<prove::FindingJson>>()),
        ("query", of::<query::AnswersReport>()),
        ("repair", of::<repair::RepairReport>()),
        ("serve-message", of::<protocol::Message>()),
        ("serve-request", of_read::<protocol::Request>()),
        ("solve", of::<solve::PlanReport>()),
        ("solve-several", of::<versus::VersusReport>()),
        ("trace", of::<trace::Visited>()),
        ("translate", of::<fluent::Axioms>()),
        ("verify", of::<verify::VerifyAnswer>()),
    ]
}

/// The schema of what is read.
fn of_read<T: JsonSchema>() -> Schema {
    // What may be left out when it is read, since it has a default, is always there when it is written.
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
