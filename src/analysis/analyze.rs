//! From axioms to structure: the passes of the analysis, each stating what holds afterwards.

use rustc_hash::FxHashMap;

use crate::analysis::call_graph::{CallGraph, Callees};
use crate::analysis::concept::{Bottom, Concept, Refusal, Search, Upper};
use crate::analysis::conditions::{Conditions, Worth};
use crate::analysis::definition::{Definitions, Related};
use crate::analysis::facts::Facts;
use crate::analysis::gauge::Gauge;
use crate::analysis::goal_structure::{Payoffs, Tables, is_local_disjunction};
use crate::analysis::instances::instances;
use crate::analysis::level::Grain;
use crate::analysis::levels::{Detail, Level, Levels, TooFine};
use crate::analysis::reading::Reading;
use crate::analysis::structure::{Structure, Subgame};
use crate::engine::Limits;
use crate::fluent::GameAxioms;
use crate::gdl::{Domains, Keyword};
use crate::term::{Store, Term, TermId};

/// What a game is made of.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The level of detail of all that follows.
    pub level: Level,
    /// What other levels say.
    pub levels: Vec<Detail>,
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
    /// concepts, or too many to look at all evaluations.
    pub payoffs: Vec<Payoffs>,
    /// Whether the end has come exactly if one subgame's concepts alone say so; none if that could
    /// not be decided.
    pub is_end_local: Option<bool>,
    /// What the nodes of the structure are made of.
    grain: Grain,
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
    let mut reading = Reading::new(store, &axioms.rules);
    let roots = Roots::of(&mut reading);
    let goal = CallGraph::of(&mut reading, roots.goal);
    let terminal = CallGraph::of(&mut reading, roots.terminal);
    let domains = Domains::of(reading.store, &reading.keywords, reading.rules);

    let mut facts = Facts::new(&axioms.rules, limits);

    // AFTER THIS POINT: it is known which fluents and actions have to do with each other, and every
    // fluent is in exactly one subgame.
    let ends = [&goal, &terminal].map(|graph| graph.fluents(&reading));
    let mut levels = Levels::of(&mut reading, &mut facts, axioms, &domains, ends);
    let (level, details) = levels.choose(reading.store, level, limits)?;
    let (grain, structure) = levels.take(level);

    // AFTER THIS POINT: goal values and end are formulas over concepts of single subgames.
    let mut search = Search {
        reading: &mut reading,
        facts: &mut facts,
        domains: &domains,
        bottom: Bottom::Concepts(&structure, &grain),
        callees: Callees::default(),
    };
    let ends = end(&mut search, roots.terminal);
    let values = goal_values(&mut search, &axioms.roles);
    let payoffs = match &values {
        Ok((upper, values)) => payoffs(upper, values, &structure.subgames, axioms.roles.len()),
        Err(_) => Vec::new(),
    };
    let is_end_local = ends.as_ref().ok().and_then(|(upper, root)| {
        let tables = Tables::of(upper)?;
        Some(is_local_disjunction(&tables, *root, &upper.owners()))
    });
    Ok(Analysis {
        level,
        levels: details,
        roles: axioms.roles.clone(),
        structure,
        grain,
        goal,
        terminal,
        goal_concepts: values.map(|(upper, _)| upper.list()),
        terminal_concepts: ends.map(|(upper, _)| upper.list()),
        payoffs,
        is_end_local,
    })
}

/// Goal values and end as formulas over the local concepts of both, or over single fluents if there
/// are no concepts.
///
/// # Errors
/// [`Refusal`] if the goal values cannot be listed.
pub fn conditions(
    axioms: &GameAxioms,
    store: &mut Store,
    analysis: &Analysis,
    limits: &Limits,
) -> Result<Conditions, Refusal> {
    let mut reading = Reading::new(store, &axioms.rules);
    let roots = Roots::of(&mut reading);
    let domains = Domains::of(reading.store, &reading.keywords, reading.rules);
    let (structure, grain) = (&analysis.structure, &analysis.grain);
    let mut search = Search {
        reading: &mut reading,
        facts: &mut Facts::new(&axioms.rules, limits),
        domains: &domains,
        bottom: Bottom::Concepts(structure, grain),
        callees: Callees::default(),
    };
    conditions_of(&mut search, &roots, &axioms.roles).or_else(|_| {
        search.bottom = Bottom::Fluents(Some((structure, grain)));
        conditions_of(&mut search, &roots, &axioms.roles)
    })
}

/// Some atoms as formulas over single fluents, as far as the rules can be told apart.
///
/// # Errors
/// [`Refusal`], with the atom that has too many instances.
pub fn gauge(
    axioms: &GameAxioms,
    store: &mut Store,
    atoms: &[TermId],
    limits: &Limits,
) -> Result<Gauge, Refusal> {
    let mut reading = Reading::new(store, &axioms.rules);
    let domains = Domains::of(reading.store, &reading.keywords, reading.rules);
    let mut search = Search {
        reading: &mut reading,
        facts: &mut Facts::new(&axioms.rules, limits),
        domains: &domains,
        bottom: Bottom::Fluents(None),
        callees: Callees::default(),
    };
    let mut upper = Upper::default();
    let formulas = atoms
        .iter()
        .map(|&atom| Ok((atom, upper.read(&mut search, atom)?)));
    let formulas = formulas.collect::<Result<Vec<_>, _>>()?;
    Ok(Gauge::of(&upper, &formulas))
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

/// The atoms that everything is about.
struct Roots {
    goal: TermId,
    terminal: TermId,
}

impl Roots {
    fn of(reading: &mut Reading<'_>) -> Self {
        let arguments = [reading.store.variable(0), reading.store.variable(1)];
        let goal = reading.keywords.symbol(Keyword::Goal);
        let terminal = reading.keywords.symbol(Keyword::Terminal);
        Self {
            goal: reading.store.compound(goal, &arguments),
            terminal: reading.store.atom(terminal),
        }
    }
}

/// The end as a formula over concepts, by its place among the atoms.
fn end(search: &mut Search<'_, '_>, terminal: TermId) -> Result<(Upper, usize), Refusal> {
    let mut upper = Upper::default();
    let root = upper.expand(search, terminal)?;
    Ok((upper, root))
}

/// The goal values as formulas over concepts.
fn goal_values(
    search: &mut Search<'_, '_>,
    roles: &[TermId],
) -> Result<(Upper, Vec<Worth>), Refusal> {
    let mut upper = Upper::default();
    let values = worths(search, &mut upper, roles)?;
    Ok((upper, values))
}

/// Goal values and end as formulas over the same concepts.
fn conditions_of(
    search: &mut Search<'_, '_>,
    roots: &Roots,
    roles: &[TermId],
) -> Result<Conditions, Refusal> {
    let mut upper = Upper::default();
    let values = worths(search, &mut upper, roles)?;
    let end = upper.expand(search, roots.terminal)?;
    Ok(Conditions::new(upper, end, values))
}

/// Every goal value with its atom.
fn worths(
    search: &mut Search<'_, '_>,
    upper: &mut Upper,
    roles: &[TermId],
) -> Result<Vec<Worth>, Refusal> {
    let symbol = search.reading.keywords.symbol(Keyword::Goal);
    let functor = search.reading.keywords.functor(Keyword::Goal);
    let mut values: Vec<Worth> = Vec::new();
    let mut work = 0;
    for (role, &name) in roles.iter().enumerate() {
        let value = search.reading.store.variable(0);
        let open = search.reading.store.compound(symbol, &[name, value]);
        for rule in search.reading.definition(functor).to_vec() {
            let (facts, domains) = (&mut *search.facts, search.domains);
            for instance in instances(search.reading, facts, domains, rule, open, true, &mut work)?
            {
                let arguments = search.reading.store.arguments(instance.head).to_vec();
                let Term::Integer(value) = search.reading.store.view(arguments[1]) else {
                    continue;
                };
                let atom = upper.expand(search, instance.head)?;
                if values.iter().all(|known| known.atom != atom) {
                    values.push(Worth { role, value, atom });
                }
            }
        }
    }
    Ok(values)
}

/// What the evaluations of the goal concepts are worth, by role.
fn payoffs(upper: &Upper, values: &[Worth], subgames: &[Subgame], roles: usize) -> Vec<Payoffs> {
    let Some(tables) = Tables::of(upper) else {
        return Vec::new();
    };
    let payoffs = (0..roles).map(|role| {
        let idle = |subgame: usize| subgames[subgame].is_action_independent;
        let value = |evaluation: usize| {
            let mut held = values
                .iter()
                .filter(|worth| worth.role == role && tables.holds(worth.atom, evaluation));
            match (held.next(), held.next()) {
                (Some(worth), None) => Some(worth.value),
                _ => None,
            }
        };
        Payoffs::of(role, &tables, &upper.owners(), &idle, &value)
    });
    payoffs.collect()
}
