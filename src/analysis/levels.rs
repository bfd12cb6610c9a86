//! The levels of detail at which a game is analysed, and which of them says most.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::analysis::facts::Facts;
use crate::analysis::level::{Grain, MAX_NODES, Name, Nodes, TooMany};
use crate::analysis::link::Links;
use crate::analysis::reading::Reading;
use crate::analysis::split::{Argument, Arguments, classes};
use crate::analysis::structure::{ActionNode, FluentNode, Structure};
use crate::fluent::GameAxioms;
use crate::gdl::Domains;
use crate::limits::Limits;
use crate::term::{Store, TermId};

/// Which fluents and actions are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Functions, with all their instances.
    Symbol,
    /// Instances, as far as some arguments never interact.
    Partial,
    /// Ground terms.
    Ground,
}

impl Level {
    /// All levels, the coarsest first.
    pub const ALL: [Level; 3] = [Level::Symbol, Level::Partial, Level::Ground];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Level::Symbol => "symbol",
            Level::Partial => "partial",
            Level::Ground => "ground",
        }
    }
}

/// What a level says, in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelDetail {
    /// The level.
    pub level: Level,
    /// How much it has of everything; none if that is too much.
    pub counts: Option<NodeCounts>,
}

/// How much a level has of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeCounts {
    /// Fluents.
    pub fluents: usize,
    /// Actions.
    pub actions: usize,
    /// Subgames with actions.
    pub acting: usize,
    /// Action-independent subgames.
    pub independent: usize,
}

/// The level that was asked for has more than so many fluents or actions, or far too many edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at this level the game has more than {limit} fluents or actions, or far too many edges")]
pub struct TooFine {
    /// The limit.
    pub limit: usize,
}

/// Functions of fluents, and of actions, at most.
const MAX_SYMBOLS: usize = 20_000;

/// Edges that a level may have for each fluent or action that it may have.
const EDGES_PER_NODE: usize = 150;

/// Fluents and actions of a level that is built unasked.
const MAX_UNASKED: usize = 1000;

/// The levels of one game, each built when it is asked for.
pub(super) struct Levels<'d> {
    links: Links,
    domains: &'d Domains,
    fluents: IndexSet<Name, FxBuildHasher>,
    actions: IndexSet<Name, FxBuildHasher>,
    roles: FxHashMap<Name, Vec<usize>>,
    /// The fluents that goal and end depend on.
    ends: [Vec<TermId>; 2],
    built: FxHashMap<Level, (Grain, Structure)>,
}

impl<'d> Levels<'d> {
    pub(super) fn of<'a>(
        reading: &mut Reading<'a>,
        facts: &mut Facts<'a>,
        (axioms, domains): (&GameAxioms, &'d Domains),
        ends: [Vec<TermId>; 2],
    ) -> Self {
        let links = Links::of(reading, facts, axioms);
        let forms = domains
            .fluents()
            .forms()
            .map(|form| Name::Function(form.functor()));
        let constants = domains.fluents().constants().map(Name::Constant);
        let mut actions: IndexSet<Name, FxBuildHasher> = IndexSet::default();
        let mut roles: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
        for axiom in &axioms.preconditions {
            if let Some(name) = Name::of(reading.store, axiom.action) {
                actions.insert(name);
                let roles = roles.entry(name).or_default();
                if !roles.contains(&axiom.role) {
                    roles.push(axiom.role);
                }
            }
        }
        Self {
            links,
            fluents: forms.chain(constants).collect(),
            domains,
            actions,
            roles,
            ends,
            built: FxHashMap::default(),
        }
    }

    /// Builds the level that was asked for, or the finest one that says more than those before it;
    /// and what the levels say that were built.
    pub(super) fn choose(
        &mut self,
        store: &mut Store,
        level: Option<Level>,
        limits: &Limits,
    ) -> Result<(Level, Vec<LevelDetail>), TooFine> {
        let asked = match level {
            Some(level) => vec![level],
            None => Level::ALL.to_vec(),
        };
        let mut best = None;
        let mut details = Vec::new();
        for candidate in asked {
            // What was found so far is better than nothing.
            if best.is_some() && limits.stop.raised().is_some() {
                break;
            }
            // Less is spent on a level that nobody asked for.
            let most = match (candidate, level) {
                (Level::Symbol, _) => MAX_SYMBOLS,
                (Level::Partial | Level::Ground, Some(_)) => MAX_NODES,
                (Level::Partial | Level::Ground, None) => MAX_UNASKED,
            };
            let counts = self.build(store, candidate, most);
            details.push(LevelDetail {
                level: candidate,
                counts,
            });
            if let Some(NodeCounts { acting, .. }) = counts
                // At a tie the coarser level stays: nodes that tell nothing more apart only make the report longer.
                && best.is_none_or(|(_, most)| acting > most)
            {
                best = Some((candidate, acting));
            }
        }
        match best {
            Some((level, _)) => Ok((level, details)),
            None => Err(TooFine { limit: MAX_NODES }),
        }
    }

    /// A level that was built.
    pub(super) fn take(&mut self, level: Level) -> (Grain, Structure) {
        self.built.remove(&level).unwrap_or_default()
    }

    /// Builds a level and says how much it has; nothing if there are more than so many nodes.
    fn build(&mut self, store: &mut Store, level: Level, most: usize) -> Option<NodeCounts> {
        let built = match level {
            Level::Symbol => self.at(store, &|_| false, most),
            Level::Ground => self.at(store, &|_| true, most),
            Level::Partial => self.partial(store, most),
        };
        let built = built.ok()?;
        let counts = counts(&built.1);
        self.built.insert(level, built);
        Some(counts)
    }

    /// Splits classes of arguments as long as that makes more subgames.
    fn partial(&self, store: &mut Store, most: usize) -> Result<(Grain, Structure), TooMany> {
        let mut best = match self.built.get(&Level::Symbol) {
            Some(symbols) => symbols.clone(),
            None => self.at(store, &|_| false, most)?,
        };
        let mut split = Arguments::default();
        // Greedily, class by class: a class that is split stays so if it alone, with those split before, makes more
        // subgames with actions.
        for class in classes(store, &self.links) {
            let wider: Arguments = split.union(&class).copied().collect();
            if let Ok(next) = self.at(store, &|argument| wider.contains(&argument), most)
                && counts(&next.1).acting > counts(&best.1).acting
            {
                (best, split) = (next, wider);
            }
        }
        Ok(best)
    }

    fn at(
        &self,
        store: &mut Store,
        is_split: &dyn Fn(Argument) -> bool,
        most: usize,
    ) -> Result<(Grain, Structure), TooMany> {
        let split = |is_action| {
            move |name, index| {
                is_split(Argument {
                    is_action,
                    name,
                    index,
                })
            }
        };
        let (fluents, moves) = (self.domains.fluents(), self.domains.moves());
        let grain = Grain {
            fluents: Nodes::of(store, &self.fluents, fluents, &split(false), most)?,
            actions: Nodes::of(store, &self.actions, moves, &split(true), most)?,
        };
        let mut fluents: Vec<FluentNode> = grain.fluents.patterns().map(FluentNode::new).collect();
        let ends: [Vec<usize>; 2] = [0, 1].map(|end: usize| {
            let fluents = self.ends[end].iter();
            fluents
                .flat_map(|&fluent| grain.fluents.of_term(store, fluent))
                .collect()
        });
        ends[0]
            .iter()
            .for_each(|&fluent| fluents[fluent].in_goal = true);
        ends[1]
            .iter()
            .for_each(|&fluent| fluents[fluent].in_terminal = true);
        let actions = grain.actions.patterns().map(|pattern| ActionNode {
            pattern,
            roles: Name::of(store, pattern)
                .and_then(|name| self.roles.get(&name).cloned())
                .unwrap_or_default(),
            is_noop: false,
        });
        let nodes = (fluents, actions.collect());
        let edges = most * EDGES_PER_NODE;
        let structure = Structure::of(store, nodes, (&self.links, &grain), edges)?;
        Ok((grain, structure))
    }
}

fn counts(structure: &Structure) -> NodeCounts {
    let subgames = structure.subgames.iter();
    let acting = subgames.filter(|subgame| !subgame.actions.is_empty());
    let subgames = structure.subgames.iter();
    let independent = subgames.filter(|subgame| subgame.is_action_independent);
    NodeCounts {
        fluents: structure.fluents.len(),
        actions: structure.actions.len(),
        acting: acting.count(),
        independent: independent.count(),
    }
}
