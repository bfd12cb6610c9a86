//! `flux analyze`: says what a game is made of.

use std::collections::BTreeSet;

use clap::{Args, ValueEnum};
use rustc_hash::FxHashMap;

use crate::analysis::{
    self, Analysis, Level, Related, View, analyze, json, related_by_definition, text,
};
use crate::cli::arguments::{GameArguments, LimitArguments, ReportForm};
use crate::cli::failure::{Exit, Failure};
use crate::cli::messages::warning_line;
use crate::cli::progress::Display;
use crate::cli::{load, output, watch};
use crate::decomposition::{self, DecompositionEffort, Proof};
use crate::drawing::{Detail, Drawing};
use crate::fluent::{GameAxioms, translate};
use crate::gdl::{Flow, Game, Keywords, Vocabulary};
use crate::limits::Limits;
use crate::term::Store;
use crate::workbench;

/// Instances of rules at most of a game that is decomposed by the way.
const MAX_RULES: usize = 50_000;

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
    /// Which arguments get values from which; needs no analysis
    Domains,
}

/// What a picture is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureSubject {
    /// What the analysis found.
    Analysis(View),
    /// The rules as they stand.
    Domains,
}

impl From<ViewName> for PictureSubject {
    fn from(name: ViewName) -> Self {
        PictureSubject::Analysis(match name {
            ViewName::Dependency => View::Dependency,
            ViewName::Effects => View::Effects,
            ViewName::Calls => View::Calls,
            ViewName::Concepts => View::Concepts,
            ViewName::Subgames => View::Subgames,
            ViewName::Domains => return PictureSubject::Domains,
        })
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
    format: ReportForm,
    /// What is drawn, with --format dot or svg [default: dependency]
    #[arg(long)]
    view: Option<ViewName>,
    /// Say by which rules an edge of the dependency graph is there: "cell -> grab", "move -> cell(+)"
    #[arg(long, value_name = "EDGE")]
    why: Option<String>,
    /// Which fluents and actions are told apart
    #[arg(long, default_value = "auto")]
    level: LevelName,
    #[command(flatten)]
    picture: PictureArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

impl Analyze {
    /// Whether the result is JSON, and with it what is said if there is none.
    pub(super) fn is_json(&self) -> bool {
        self.format == ReportForm::Json
    }

    /// What is drawn if the report is a picture. A view that was asked for is not dropped in silence.
    fn subject(&self) -> Result<PictureSubject, Failure> {
        let asked = match (self.view, self.format) {
            (None, _) => return Ok(PictureSubject::Analysis(View::Dependency)),
            (Some(_), ReportForm::Text | ReportForm::Json) => {
                "--view is drawn with --format dot or svg"
            }
            (Some(_), ReportForm::Dot | ReportForm::Svg) if self.why.is_some() => {
                "--view draws a picture, --why explains an edge; give one of them"
            }
            (Some(view), ReportForm::Dot | ReportForm::Svg) => return Ok(view.into()),
        };
        Err(Failure::bad_input(asked))
    }
}

pub(super) fn run(arguments: &Analyze) -> Result<Exit, Failure> {
    let subject = arguments.subject()?;
    let (limits, _watch) = watch::limits(&arguments.limits)?;
    let (game, mut vocabulary) = load::game(&arguments.game, &limits)?;
    let view = match subject {
        PictureSubject::Analysis(view) => view,
        PictureSubject::Domains => return draw_domains(arguments, &game, vocabulary.store_mut()),
    };
    let display = Display::of(&limits.progress);
    let axioms = translate(&game, &mut vocabulary, &limits)?;
    let analysis = analyze(
        &axioms,
        vocabulary.store_mut(),
        arguments.level.level(),
        &limits,
    )?;
    drop(display);
    let known = AnalyzedGame {
        game: &game,
        axioms: &axioms,
        analysis: &analysis,
        store: vocabulary.store_mut(),
    };
    if let Some(edge) = &arguments.why {
        return explain(known, edge, &limits);
    }
    let exit = report(arguments, view, known, &limits)?;
    if arguments.format == ReportForm::Text {
        let subgames = analysis.structure.subgames.iter();
        let played = subgames
            .filter(|subgame| !subgame.actions.is_empty())
            .count();
        if let Some(hint) = finer(&game, &mut vocabulary, played, &limits) {
            output::text(&hint)?;
        }
    }
    Ok(exit)
}

/// Says that the function which the rules compute falls into more games than the rules do, if that is proved within
/// moments.
fn finer(
    game: &Game,
    vocabulary: &mut Vocabulary,
    subgames: usize,
    limits: &Limits,
) -> Option<String> {
    // The report is complete without it, so that what stops the search is no failure.
    let circuit = workbench::circuit(game, vocabulary, limits, MAX_RULES).ok()?;
    let effort = DecompositionEffort::moments();
    let parts = decomposition::decompose(&circuit, &effort, limits)
        .ok()?
        .parts;
    let is_proved = parts.iter().all(|part| part.proof == Proof::Proved);
    (is_proved && parts.len() > subgames).then(|| {
        format!(
            "\nHowever its rules are written, this game consists of {} games: flux decompose shows them, with proofs.\n",
            parts.len()
        )
    })
}

/// Draws which argument places take values from which.
fn draw_domains(arguments: &Analyze, game: &Game, store: &mut Store) -> Result<Exit, Failure> {
    let keywords = Keywords::of(store);
    let flow = Flow::of(store, &keywords, game.clauses());
    let drawing = analysis::domain_view(&flow, store, &load::title(game), &load::line_of(game));
    draw(arguments.format, drawing, &arguments.picture)
}

/// Prints an analysis in the form that was asked for.
fn report(
    arguments: &Analyze,
    view: View,
    known: AnalyzedGame<'_>,
    limits: &Limits,
) -> Result<Exit, Failure> {
    let (title, line_of) = (load::title(known.game), load::line_of(known.game));
    let (analysis, store) = (known.analysis, known.store);
    match arguments.format {
        ReportForm::Text => output::text(&text(analysis, store, &title))?,
        ReportForm::Dot | ReportForm::Svg => {
            let drawing = analysis::view(analysis, store, view, &title, &line_of);
            return draw(arguments.format, drawing, &arguments.picture);
        }
        ReportForm::Json => {
            let related = match analysis.level {
                Level::Symbol => {
                    related_by_definition(known.axioms, store, &analysis.structure, limits)
                }
                Level::Partial | Level::Ground => FxHashMap::default(),
            };
            output::json(&json(analysis, store, &related, &line_of))?;
        }
    }
    Ok(Exit::Done)
}

/// How much of a graph is drawn.
#[derive(Debug, Args)]
pub(super) struct PictureArguments {
    /// Draw alike nodes as one, and cut what is far from where the graph begins, if there are more nodes;
    /// 0 draws them all
    #[arg(long, value_name = "N", default_value_t = MOST_NODES)]
    max_nodes: usize,
    /// Draw only what is so many edges away from where the graph begins
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Draw only nodes with this text in their labels, and those beside them
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

/// Nodes of a picture that can still be read.
const MOST_NODES: usize = 80;

/// Prints a graph in as much detail as asked for, and says what is left out.
pub(super) fn draw(
    form: ReportForm,
    drawing: Drawing,
    picture: &PictureArguments,
) -> Result<Exit, Failure> {
    let (drawing, left_out) = drawing.condensed(&Detail {
        only: picture.only.clone(),
        depth: picture.depth,
        most: Some(picture.max_nodes).filter(|&most| most > 0),
    });
    if let Some(note) = left_out.note() {
        warning_line(&format!(
            "the picture shows {note}; --max-nodes, --depth and --only show more or other parts"
        ));
    }
    output::text(&match form {
        ReportForm::Svg => drawing.svg(),
        ReportForm::Dot | ReportForm::Text | ReportForm::Json => drawing.dot(),
    })?;
    Ok(Exit::Done)
}

/// What is known of the whole game.
pub(super) struct AnalyzedGame<'w> {
    pub(super) game: &'w Game,
    pub(super) axioms: &'w GameAxioms,
    pub(super) analysis: &'w Analysis,
    pub(super) store: &'w mut Store,
}

/// Prints the rules behind the edges that a text means, or why there are none.
pub(super) fn explain(
    known: AnalyzedGame<'_>,
    edge: &str,
    limits: &Limits,
) -> Result<Exit, Failure> {
    let AnalyzedGame {
        game,
        axioms,
        analysis,
        store,
    } = known;
    let structure = &analysis.structure;
    let meant = structure.meant(store, edge)?;
    let edges = structure.edges_of(&meant);
    if edges.is_empty() {
        output::line(&format!("There is no edge {edge}."))?;
        if analysis.level == Level::Symbol {
            let related = related_by_definition(axioms, store, structure, limits);
            let related: BTreeSet<Related> = related.into_keys().collect();
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
