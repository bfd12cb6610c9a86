//! From axioms to structure: the passes of the analysis, each stating what holds afterwards.

use rustc_hash::FxHashMap;

use crate::analysis::call_graph::{CallGraph, Callees};
use crate::analysis::concept::{Bottom, Concept, ConceptSearch, Upper};
use crate::analysis::conditions::Worth;
use crate::analysis::definition::{Definitions, Related};
use crate::analysis::facts::Facts;
use crate::analysis::goal_structure::{PayoffTable, Tables, is_local_disjunction};
use crate::analysis::level::Grain;
use crate::analysis::levels::{Level, LevelDetail, Levels, TooFine};
use crate::analysis::reading::Reading;
use crate::analysis::refusal::Refusal;
use crate::analysis::roots::{Roots, worths};
use crate::analysis::structure::{Structure, Subgame};
use crate::fluent::GameAxioms;
use crate::gdl::Domains;
use crate::limits::{Limits, Stage};
use crate::term::{Store, TermId};

/// What a game is made of.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The level of detail of all that follows.
    pub level: Level,
    /// What other levels say.
    pub levels: Vec<LevelDetail>,
    /// The roles, by number.
    pub roles: Vec<TermId>,
    /// The dependency graph and its subgames.
    pub structure: Structure,
    /// What the goal values depend on.
    pub goal: CallGraph,
    /// What the end depends on.
    pub terminal: CallGraph,
    /// The local goal concepts, \[G07, Definition 5.1\].
    pub goal_concepts: Concepts,
    /// The local terminal concepts.
    pub terminal_concepts: Concepts,
    /// What the evaluations of the goal concepts are worth, by role; empty where there are no
    /// concepts, or too many to list all evaluations.
    pub payoffs: Vec<PayoffTable>,
    /// Whether the end has come exactly if one subgame's concepts alone say so; none if that could
    /// not be decided.
    pub is_end_local: Option<bool>,
    /// What the nodes of the structure are made of.
    pub(super) grain: Grain,
}

impl Analysis {
    /// The roles that act in a subgame, by number, ascending.
    pub fn roles_of(&self, subgame: &Subgame) -> Vec<usize> {
        let actions = subgame.actions.iter();
        let mut roles: Vec<usize> = actions
            .flat_map(|&action| self.structure.actions[action].roles.iter().copied())
            .collect();
        roles.sort_unstable();
        roles.dedup();
        roles
    }
}

/// Local concepts, or why there are none.
pub type Concepts = Result<Vec<Concept>, Refusal>;

/// Analyses a game at a level of detail, or the one that says most if none is given. Linear in the
/// size of the axioms at the level of symbols, but for the table of goal values, which has a row for
/// each evaluation of the concepts.
///
/// # Errors
/// [`TooFine`] if the level was asked for and has too many fluents or actions.
pub fn analyze(
    axioms: &GameAxioms,
    store: &mut Store,
    level: Option<Level>,
    limits: &Limits,
) -> Result<Analysis, TooFine> {
    limits.progress.begin(Stage::Analysing, None);
    let mut reading = Reading::new(store, &axioms.rules);
    let roots = Roots::of(&mut reading);
    let goal = CallGraph::of(&mut reading, roots.goal);
    let terminal = CallGraph::of(&mut reading, roots.terminal);
    let domains = Domains::of(reading.store, &reading.keywords, reading.rules);

    let mut facts = Facts::new(&axioms.rules, limits);

    // AFTER THIS POINT: it is known which fluents and actions have to do with each other, and every
    // fluent is in exactly one subgame.
    let ends = [&goal, &terminal].map(|graph| graph.fluents(&reading));
    let mut levels = Levels::of(&mut reading, &mut facts, (axioms, &domains), ends);
    let (level, details) = levels.choose(reading.store, level, limits)?;
    let (grain, structure) = levels.take(level);

    // AFTER THIS POINT: goal values and end are formulas over concepts of single subgames.
    let mut search = ConceptSearch {
        reading: &mut reading,
        facts: &mut facts,
        domains: &domains,
        bottom: Bottom::Concepts(&structure, &grain),
        callees: Callees::default(),
    };
    let (terminal_concepts, is_end_local) = end(&mut search, roots.terminal);
    let (goal_concepts, payoffs) = goal_values(&mut search, &axioms.roles, &structure.subgames);
    Ok(Analysis {
        level,
        levels: details,
        roles: axioms.roles.clone(),
        structure,
        grain,
        goal,
        terminal,
        goal_concepts,
        terminal_concepts,
        payoffs,
        is_end_local,
    })
}

/// What the definitions relate, taken by their words on the rules, among the nodes of a structure at
/// the level of symbols, with the rules by which it was found first: the second derivation of potential
/// effects and preconditions, to compare the first one with.
pub fn related_by_definition(
    axioms: &GameAxioms,
    store: &mut Store,
    structure: &Structure,
    limits: &Limits,
) -> FxHashMap<Related, Vec<usize>> {
    let mut reading = Reading::new(store, &axioms.rules);
    let mut facts = Facts::new(&axioms.rules, limits);
    let mut definitions = Definitions {
        reading: &mut reading,
        facts: &mut facts,
        structure,
        roles: &axioms.roles,
    };
    definitions.related(axioms)
}

/// The concepts of the end, and whether one subgame's concepts alone say that it has come, if there are few enough to
/// list all evaluations.
fn end(search: &mut ConceptSearch<'_, '_>, terminal: TermId) -> (Concepts, Option<bool>) {
    let mut upper = Upper::default();
    let root = match upper.expand(search, terminal) {
        Ok(root) => root,
        Err(refusal) => return (Err(refusal), None),
    };
    let is_local =
        Tables::of(&upper).map(|tables| is_local_disjunction(&tables, root, &upper.owners()));
    (Ok(upper.list()), is_local)
}

/// The concepts of the goal values, and what their evaluations are worth.
fn goal_values(
    search: &mut ConceptSearch<'_, '_>,
    roles: &[TermId],
    subgames: &[Subgame],
) -> (Concepts, Vec<PayoffTable>) {
    let mut upper = Upper::default();
    match worths(search, &mut upper, roles) {
        Ok(values) => (
            Ok(upper.list()),
            payoffs(&upper, &values, subgames, roles.len()),
        ),
        Err(refusal) => (Err(refusal), Vec::new()),
    }
}

/// What the evaluations of the goal concepts are worth, by role.
fn payoffs(
    upper: &Upper,
    values: &[Worth],
    subgames: &[Subgame],
    roles: usize,
) -> Vec<PayoffTable> {
    let Some(tables) = Tables::of(upper) else {
        return Vec::new();
    };
    let payoffs = (0..roles).map(|role| {
        let idle = |subgame: usize| subgames[subgame].is_action_independent;
        let value = |evaluation: usize| {
            let mut held = values
                .iter()
                .filter(|worth| worth.role == role && tables.holds(worth.atom, evaluation));
            // Rules that give two values under one evaluation give none.
            match (held.next(), held.next()) {
                (Some(worth), None) => Some(worth.value),
                _ => None,
            }
        };
        let all: Vec<Option<i64>> = (0..tables.evaluations()).map(value).collect();
        PayoffTable::of(role, &all, &upper.owners(), &idle)
    });
    payoffs.collect()
}
