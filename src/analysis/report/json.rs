//! The analysis as JSON: fluents and actions by their names, rules by their lines.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::analysis::analyze::{Analysis, Concepts};
use crate::analysis::definition::Related;
use crate::analysis::goal_structure::{Order, PayoffTable};
use crate::analysis::link::DependencyKind;
use crate::analysis::report::names;
use crate::analysis::structure::{Edge, Subgame};
use crate::term::{Infix, Prefix, Store};

/// What a game is made of; the fields of the JSON form.
#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "cli",
    derive(schemars::JsonSchema),
    schemars(rename = "Report")
)]
pub struct AnalysisReport {
    level: &'static str,
    levels: Vec<LevelRow>,
    roles: Vec<String>,
    fluents: Vec<Fluent>,
    actions: Vec<String>,
    noops: Vec<String>,
    effects: Vec<Effect>,
    preconditions: Vec<Precondition>,
    tautologies: Vec<Precondition>,
    definitions_only: Vec<Formal>,
    subgames: Vec<SubgameRow>,
    goal_concepts: Option<Vec<ConceptRow>>,
    terminal_concepts: Option<Vec<ConceptRow>>,
    goal_concepts_refused: Option<String>,
    terminal_concepts_refused: Option<String>,
    goal_values: Vec<GoalValuesRow>,
    end_is_local: Option<bool>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "cli",
    derive(schemars::JsonSchema),
    schemars(rename = "Detail")
)]
struct LevelRow {
    level: &'static str,
    fluents: Option<usize>,
    actions: Option<usize>,
    subgames_with_actions: Option<usize>,
    action_independent_subgames: Option<usize>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Fluent {
    symbol: String,
    action_independent: bool,
    rigid: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Effect {
    action: String,
    fluent: String,
    sign: &'static str,
    rules: Vec<usize>,
    every_move: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Precondition {
    fluent: String,
    action: String,
    rules: Vec<usize>,
}

/// What the definitions relate by their words on the rules, and the axioms do not.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Formal {
    relation: &'static str,
    action: String,
    fluent: String,
    rules: Vec<usize>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "cli",
    derive(schemars::JsonSchema),
    schemars(rename = "Part")
)]
struct SubgameRow {
    fluents: Vec<String>,
    actions: Vec<String>,
    action_independent: bool,
    roles: Vec<String>,
    goal: bool,
    terminal: bool,
    useless: bool,
    held_together_by: Vec<Joint>,
    parts: Vec<Piece>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Joint {
    fluent: String,
    subgames_without: usize,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Piece {
    fluents: Vec<String>,
    actions: Vec<String>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "cli",
    derive(schemars::JsonSchema),
    schemars(rename = "Concept")
)]
struct ConceptRow {
    concept: String,
    subgame: usize,
}

#[derive(Debug, Serialize)]
#[cfg_attr(
    feature = "cli",
    derive(schemars::JsonSchema),
    schemars(rename = "Values")
)]
struct GoalValuesRow {
    role: String,
    concepts: Vec<String>,
    table: Vec<Row>,
    additive: bool,
    strictly_ordered: bool,
    ordered: bool,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Row {
    evaluation: Vec<bool>,
    values: Vec<i64>,
}

/// The JSON form of an analysis; `related` is what the definitions relate at the level of symbols, or
/// nothing at others, and `line_of` says on which line a rule stands.
pub fn json(
    analysis: &Analysis,
    store: &Store,
    related: &FxHashMap<Related, Vec<usize>>,
    line_of: &dyn Fn(usize) -> usize,
) -> AnalysisReport {
    let structure = &analysis.structure;
    let action = |place: usize| names::indicator(store, structure.actions[place].pattern);
    let roles = analysis.roles.iter();
    let noops = (0..structure.actions.len()).filter(|&place| structure.actions[place].is_noop);
    let subgames = structure.subgames.iter();
    let payoffs = analysis.payoffs.iter();
    let (effects, preconditions) = edges(analysis, store, line_of);
    AnalysisReport {
        level: analysis.level.name(),
        levels: levels(analysis),
        roles: roles
            .map(|&role| Prefix::new(store, role).to_string())
            .collect(),
        fluents: fluents(analysis, store),
        actions: (0..structure.actions.len()).map(action).collect(),
        noops: noops.map(action).collect(),
        effects,
        preconditions,
        tautologies: structure
            .tautologies
            .iter()
            .map(|edge| precondition(analysis, store, edge, line_of))
            .collect(),
        definitions_only: formal(analysis, store, related, line_of),
        subgames: subgames
            .map(|subgame| part(analysis, store, subgame))
            .collect(),
        goal_concepts: concepts(&analysis.goal_concepts, store),
        terminal_concepts: concepts(&analysis.terminal_concepts, store),
        goal_concepts_refused: refused(&analysis.goal_concepts, store),
        terminal_concepts_refused: refused(&analysis.terminal_concepts, store),
        goal_values: payoffs
            .map(|payoffs| values(analysis, store, payoffs))
            .collect(),
        end_is_local: analysis.is_end_local,
    }
}

fn levels(analysis: &Analysis) -> Vec<LevelRow> {
    let levels = analysis.levels.iter().map(|detail| LevelRow {
        level: detail.level.name(),
        fluents: detail.counts.map(|counts| counts.fluents),
        actions: detail.counts.map(|counts| counts.actions),
        subgames_with_actions: detail.counts.map(|counts| counts.acting),
        action_independent_subgames: detail.counts.map(|counts| counts.independent),
    });
    levels.collect()
}

fn fluents(analysis: &Analysis, store: &Store) -> Vec<Fluent> {
    let fluents = analysis.structure.fluents.iter().map(|fluent| Fluent {
        symbol: names::indicator(store, fluent.pattern),
        action_independent: fluent.is_action_independent,
        rigid: fluent.is_rigid,
    });
    fluents.collect()
}

/// The effects, and the preconditions.
fn edges(
    analysis: &Analysis,
    store: &Store,
    line_of: &dyn Fn(usize) -> usize,
) -> (Vec<Effect>, Vec<Precondition>) {
    let structure = &analysis.structure;
    let (mut effects, mut preconditions) = (Vec::new(), Vec::new());
    for edge in &structure.edges {
        let sign = match edge.relation {
            DependencyKind::Precondition => {
                preconditions.push(precondition(analysis, store, edge, line_of));
                continue;
            }
            DependencyKind::PositiveEffect => "+",
            DependencyKind::NegativeEffect => "-",
        };
        effects.push(Effect {
            action: names::indicator(store, structure.actions[edge.action].pattern),
            fluent: names::indicator(store, structure.fluents[edge.fluent].pattern),
            sign,
            rules: edge.rules.iter().map(|&rule| line_of(rule)).collect(),
            every_move: edge.by_every_move,
        });
    }
    (effects, preconditions)
}

fn precondition(
    analysis: &Analysis,
    store: &Store,
    edge: &Edge,
    line_of: &dyn Fn(usize) -> usize,
) -> Precondition {
    let structure = &analysis.structure;
    Precondition {
        fluent: names::indicator(store, structure.fluents[edge.fluent].pattern),
        action: names::indicator(store, structure.actions[edge.action].pattern),
        rules: edge.rules.iter().map(|&rule| line_of(rule)).collect(),
    }
}

fn formal(
    analysis: &Analysis,
    store: &Store,
    related: &FxHashMap<Related, Vec<usize>>,
    line_of: &dyn Fn(usize) -> usize,
) -> Vec<Formal> {
    let structure = &analysis.structure;
    let edges = structure.edges.iter();
    let proved: FxHashSet<Related> = edges
        .map(|edge| (edge.relation, edge.fluent, edge.action))
        .collect();
    let others = related.iter().filter(|(key, _)| !proved.contains(*key));
    let mut others: Vec<(&Related, &Vec<usize>)> = others.collect();
    others.sort_unstable_by_key(|&(&(relation, fluent, action), _)| (action, fluent, relation));
    let formal = others
        .into_iter()
        .map(|(&(relation, fluent, action), rules)| Formal {
            relation: match relation {
                DependencyKind::Precondition => "precondition",
                DependencyKind::PositiveEffect => "+",
                DependencyKind::NegativeEffect => "-",
            },
            action: names::indicator(store, structure.actions[action].pattern),
            fluent: names::indicator(store, structure.fluents[fluent].pattern),
            rules: rules.iter().map(|&rule| line_of(rule)).collect(),
        });
    formal.collect()
}

fn part(analysis: &Analysis, store: &Store, subgame: &Subgame) -> SubgameRow {
    let structure = &analysis.structure;
    let pieces = subgame.parts.iter().map(|part| Piece {
        fluents: names::indicators(store, structure.fluent_patterns(&part.fluents)),
        actions: names::indicators(store, structure.action_patterns(&part.actions)),
    });
    SubgameRow {
        fluents: names::indicators(store, structure.fluent_patterns(&subgame.fluents)),
        actions: names::indicators(store, structure.action_patterns(&subgame.actions)),
        action_independent: subgame.is_action_independent,
        roles: analysis
            .roles_of(subgame)
            .into_iter()
            .map(|role| Prefix::new(store, analysis.roles[role]).to_string())
            .collect(),
        goal: subgame.in_goal,
        terminal: subgame.in_terminal,
        useless: subgame.is_useless(),
        held_together_by: subgame
            .joints
            .iter()
            .map(|&(fluent, subgames_without)| Joint {
                fluent: names::indicator(store, structure.fluents[fluent].pattern),
                subgames_without,
            })
            .collect(),
        parts: pieces.collect(),
    }
}

fn concepts(concepts: &Concepts, store: &Store) -> Option<Vec<ConceptRow>> {
    let concepts = concepts.as_ref().ok()?.iter().map(|concept| ConceptRow {
        concept: Prefix::new(store, concept.atom).to_string(),
        subgame: concept.subgame,
    });
    Some(concepts.collect())
}

fn refused(concepts: &Concepts, store: &Store) -> Option<String> {
    let reason = concepts.as_ref().err()?;
    Some(names::refusal(*reason, store))
}

fn values(analysis: &Analysis, store: &Store, payoffs: &PayoffTable) -> GoalValuesRow {
    let all = analysis.goal_concepts.as_deref().unwrap_or(&[]);
    let count = payoffs.concepts.len();
    let rows = payoffs
        .values
        .iter()
        .enumerate()
        .map(|(evaluation, values)| Row {
            evaluation: (0..count).map(|bit| evaluation >> bit & 1 == 1).collect(),
            values: values.iter().copied().collect(),
        });
    GoalValuesRow {
        role: Infix::new(store, analysis.roles[payoffs.role]).to_string(),
        concepts: payoffs
            .concepts
            .iter()
            .map(|&concept| Prefix::new(store, all[concept].atom).to_string())
            .collect(),
        table: rows.collect(),
        additive: payoffs.additive.is_some(),
        strictly_ordered: payoffs.order == Order::Strict,
        ordered: payoffs.order <= Order::Weak,
    }
}
