//! `flux analyze`: says what a game is made of.

use std::collections::BTreeSet;

use clap::{Args, ValueEnum};

use crate::analysis::{
    self, Analysis, Level, Related, View, analyze, json, related_by_definition, text,
};
use crate::cli::failure::{Exit, Failure};
use crate::cli::{GameArguments, LimitArguments, load, output, watch};
use crate::engine::Limits;
use crate::fluent::{GameAxioms, translate};
use crate::gdl::Game;
use crate::term::Store;

/// The form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs
    Json,
    /// A graph in the language of Graphviz
    Dot,
    /// A picture
    Svg,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ViewName {
    /// The dependency graph that subgames are read off
    Dependency,
    /// The dependency graph with what every joint move changes
    Effects,
    /// The call graphs of goal and end
    Calls,
    /// The local concepts of goal and end
    Concepts,
    /// The subgames in their parts, and which part depends on which
    Subgames,
}

impl From<ViewName> for View {
    fn from(name: ViewName) -> Self {
        match name {
            ViewName::Dependency => View::Dependency,
            ViewName::Effects => View::Effects,
            ViewName::Calls => View::Calls,
            ViewName::Concepts => View::Concepts,
            ViewName::Subgames => View::Subgames,
        }
    }
}

/// Which fluents and actions are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LevelName {
    /// Functions, as in the papers
    Symbol,
    /// Instances, as far as some arguments never interact
    Partial,
    /// Ground terms
    Ground,
    /// The coarsest level with the most subgames
    Auto,
}

impl LevelName {
    fn level(self) -> Option<Level> {
        match self {
            LevelName::Symbol => Some(Level::Symbol),
            LevelName::Partial => Some(Level::Partial),
            LevelName::Ground => Some(Level::Ground),
            LevelName::Auto => None,
        }
    }
}

/// Say what a game is made of: subgames, what actions look at and change, goal and end
#[derive(Debug, Args)]
pub(super) struct Analyze {
    #[command(flatten)]
    game: GameArguments,
    /// Form of the report
    #[arg(long, default_value = "text")]
    format: Form,
    /// What is drawn, with --format dot or svg
    #[arg(long, default_value = "dependency")]
    view: ViewName,
    /// Say by which rules an edge of the dependency graph is there: "cell -> grab", "move -> cell(+)"
    #[arg(long, value_name = "EDGE")]
    why: Option<String>,
    /// Which fluents and actions are told apart
    #[arg(long, default_value = "auto")]
    level: LevelName,
    #[command(flatten)]
    limits: LimitArguments,
}

pub(super) fn run(arguments: &Analyze) -> Result<Exit, Failure> {
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let axioms = translate(&game, &mut vocabulary, &limits)?;
    let analysis = analyze(
        &axioms,
        vocabulary.store_mut(),
        arguments.level.level(),
        &limits,
    )?;
    if let Some(edge) = &arguments.why {
        let store = vocabulary.store_mut();
        return explain(&analysis, &axioms, &game, store, edge, &limits);
    }
    let (title, line_of) = (load::title(&game), load::line_of(&game));
    match arguments.format {
        Form::Text => output::text(&text(&analysis, vocabulary.store(), &title))?,
        Form::Dot | Form::Svg => {
            let view = arguments.view.into();
            let drawing = analysis::view(&analysis, vocabulary.store(), view, &title, &line_of);
            output::text(&match arguments.format {
                Form::Svg => drawing.svg(),
                Form::Dot | Form::Text | Form::Json => drawing.dot(),
            })?;
        }
        Form::Json => output::json(&json(&analysis, vocabulary.store(), &line_of))?,
    }
    Ok(Exit::Done)
}

/// Prints the rules behind the edges that a text means, or why there are none.
pub(super) fn explain(
    analysis: &Analysis,
    axioms: &GameAxioms,
    game: &Game,
    store: &mut Store,
    edge: &str,
    limits: &Limits,
) -> Result<Exit, Failure> {
    let structure = &analysis.structure;
    let meant = structure.meant(store, edge)?;
    let edges = structure.edges_of(&meant);
    if edges.is_empty() {
        output::line(&format!("There is no edge {edge}."))?;
        if analysis.level == Level::Symbol {
            let related = related_by_definition(axioms, store, structure, limits);
            let related: BTreeSet<Related> = related.into_iter().collect();
            for related in related
                .into_iter()
                .filter(|&(relation, fluent, action)| meant.contains(relation, fluent, action))
            {
                output::text(&analysis::why_not(analysis, store, related))?;
            }
        }
        return Ok(Exit::Negative);
    }
    let line_of = load::line_of(game);
    let rule_text = |rule: usize| {
        let span = game.clauses()[rule].origin.span;
        (line_of(rule), game.source().slice(span).to_owned())
    };
    for edge in edges {
        output::text(&analysis::why(analysis, store, edge, &rule_text))?;
    }
    Ok(Exit::Done)
}
