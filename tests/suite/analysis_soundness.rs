//! The analysis misses nothing: whatever an action is seen to change or to depend on along random
//! play is among its potential effects and preconditions, and moves of different subgames can be
//! made in either order.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::catch_unwind;
use std::path::Path;

use flux::analysis::{Analysis, DependencyKind, Level, analyze, related_by_definition};
use flux::fluent::{GameAxioms, translate};
use flux::gdl::{Game, Reasoner, RoleId, RuleSheet, State, Tabled, Vocabulary};
use flux::limits::Limits;
use flux::syntax::{Source, detect};
use flux::term::{Case, Store, TermId};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::collection::{games_below, material};

/// States looked at in each game.
const STATES: usize = 60;

/// Fluents or actions of a level that is looked at.
const MAX_NODES: usize = 200;

/// Every n-th game of the collection is looked at; `FLUX_ANALYSIS_STRIDE` sets another number.
const STRIDE: usize = 29;

#[test]
fn what_happens_in_sample_games_was_foreseen() {
    let games = games_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("kb/games"));
    assert!(games.len() >= 19, "only {} sample games found", games.len());
    let checked: usize = games.iter().map(|game| check(game)).sum();
    assert!(checked > 10_000, "only {checked} changes were seen");
}

#[test]
#[ignore = "needs material: FLUX_MATERIAL=folder cargo test -- --ignored"]
fn what_happens_in_games_of_others_was_foreseen() {
    let collection = material("games");
    let stride = std::env::var("FLUX_ANALYSIS_STRIDE").ok();
    let stride = stride.and_then(|text| text.parse().ok()).unwrap_or(STRIDE);
    let games = games_below(&collection);
    let failed = games.iter().step_by(stride).filter(|game| {
        eprintln!("{}", game.display());
        catch_unwind(|| check(game)).is_err()
    });
    let failed: Vec<_> = failed.collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A game in play.
struct Table {
    reasoner: Tabled,
    vocabulary: Vocabulary,
    roles: u32,
}

/// One state with what could be done in it.
struct Visit {
    fluents: BTreeSet<TermId>,
    /// By role, the legal moves.
    legal: Vec<BTreeSet<TermId>>,
}

impl Table {
    fn visit(&mut self, state: &State) -> Visit {
        let vocabulary = &mut self.vocabulary;
        let fluents = state.fluents().map(|fluent| vocabulary.fluent_term(fluent));
        let fluents = fluents.collect();
        let mut moves = Vec::new();
        let legal = (0..self.roles).map(RoleId).map(|role| {
            self.reasoner
                .legal_moves(vocabulary, state, role, &mut moves)
                .unwrap();
            moves.iter().map(|&mv| vocabulary.move_term(mv)).collect()
        });
        Visit {
            legal: legal.collect(),
            fluents,
        }
    }

    fn successor(&mut self, state: &State, moves: &[TermId]) -> State {
        let moves: Vec<_> = moves.iter().map(|&mv| self.vocabulary.mv(mv)).collect();
        self.reasoner
            .successor(&mut self.vocabulary, state, &moves)
            .unwrap()
    }

    fn is_terminal(&mut self, state: &State) -> bool {
        self.reasoner
            .is_terminal(&mut self.vocabulary, state)
            .unwrap()
    }
}

/// Plays a game at random and checks all that is seen; gives the number of changes.
fn check(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    let source = Source::new(path.to_string_lossy(), text);
    let mut store = Store::new();
    let sheet = RuleSheet::read(&mut store, &source, detect(&source), Case::Fold);
    let limits = Limits::default();
    let game = Game::new(&mut store, source, sheet.clauses, &limits).unwrap();
    let mut vocabulary = Vocabulary::new(store);
    let axioms = translate(&game, &mut vocabulary, &limits).unwrap();
    let analyses: Vec<Analysis> = Level::ALL
        .into_iter()
        .filter_map(|level| analyze(&axioms, vocabulary.store_mut(), Some(level), &limits).ok())
        .filter(|analysis| {
            let structure = &analysis.structure;
            let nodes = structure.fluents.len().max(structure.actions.len());
            analysis.level == Level::Symbol || nodes <= MAX_NODES
        })
        .collect();
    assert!(!analyses.is_empty(), "{path:?} has no analysis");
    compare(path, &axioms, &mut vocabulary, &analyses[0]);
    let reasoner = game.tabled(&mut vocabulary, limits).unwrap();
    let mut table = Table {
        reasoner,
        vocabulary,
        roles: game.roles().len() as u32,
    };
    let mut judges: Vec<Judge<'_>> = analyses.iter().map(Judge::new).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let initial = table.reasoner.initial_state(&mut table.vocabulary).unwrap();
    let mut state = initial.clone();
    for _ in 0..STATES {
        if table.is_terminal(&state) {
            state = initial.clone();
            continue;
        }
        let visit = table.visit(&state);
        if visit.legal.iter().any(BTreeSet::is_empty) {
            state = initial.clone();
            continue;
        }
        let draw =
            |moves: &BTreeSet<TermId>, draw: usize| *moves.iter().nth(draw % moves.len()).unwrap();
        let moves: Vec<TermId> = visit
            .legal
            .iter()
            .map(|legal| draw(legal, random.random_range(0..1 << 20)))
            .collect();
        let next = table.successor(&state, &moves);
        let after = table.visit(&next);
        for judge in &mut judges {
            judge.effects(path, table.vocabulary.store(), &visit, &moves, &after);
            judge.preconditions(path, table.vocabulary.store(), &visit);
        }
        if let [legal] = &visit.legal[..] {
            let other = draw(legal, random.random_range(0..1 << 20));
            let order = [moves[0], other];
            for judge in &judges {
                judge.order(path, &mut table, &state, order);
            }
        }
        state = next;
    }
    judges.iter().map(|judge| judge.changes).sum()
}

/// What the axioms relate, the definitions relate too.
fn compare(path: &Path, axioms: &GameAxioms, vocabulary: &mut Vocabulary, analysis: &Analysis) {
    if analysis.level != Level::Symbol {
        return;
    }
    let structure = &analysis.structure;
    let limits = Limits::default();
    let related = related_by_definition(axioms, vocabulary.store_mut(), structure, &limits);
    for edge in structure.edges.iter().filter(|edge| !edge.by_every_move) {
        let store = vocabulary.store();
        assert!(
            related.contains_key(&(edge.relation, edge.fluent, edge.action)),
            "{path:?}: by the axioms {} and {} are related as {:?}, by the definitions not",
            flux::term::Prefix::new(store, structure.fluents[edge.fluent].pattern),
            flux::term::Prefix::new(store, structure.actions[edge.action].pattern),
            edge.relation,
        );
    }
}

/// Holds what is seen against an analysis.
struct Judge<'a> {
    analysis: &'a Analysis,
    edges: FxHashSet<(usize, usize, DependencyKind)>,
    /// By action, its potential preconditions.
    looked_at: Vec<FxHashSet<usize>>,
    changes: usize,
    fluents: BTreeMap<TermId, usize>,
    actions: BTreeMap<TermId, usize>,
    /// By role, action and the potential preconditions that hold: the instances that are legal.
    seen: BTreeMap<(usize, usize, Vec<TermId>), BTreeSet<TermId>>,
}

impl<'a> Judge<'a> {
    fn new(analysis: &'a Analysis) -> Self {
        let structure = &analysis.structure;
        let mut looked_at = vec![FxHashSet::default(); structure.actions.len()];
        for edge in &structure.edges {
            if edge.relation == DependencyKind::Precondition {
                looked_at[edge.action].insert(edge.fluent);
            }
        }
        let edges = structure.edges.iter();
        let edges = edges.map(|edge| (edge.action, edge.fluent, edge.relation));
        Self {
            analysis,
            edges: edges.collect(),
            looked_at,
            changes: 0,
            fluents: BTreeMap::new(),
            actions: BTreeMap::new(),
            seen: BTreeMap::new(),
        }
    }

    fn fluent(&mut self, store: &Store, term: TermId) -> usize {
        let structure = &self.analysis.structure;
        *self
            .fluents
            .entry(term)
            .or_insert_with(|| structure.fluent(store, term).unwrap())
    }

    fn action(&mut self, store: &Store, term: TermId) -> usize {
        let structure = &self.analysis.structure;
        *self
            .actions
            .entry(term)
            .or_insert_with(|| structure.action(store, term).unwrap())
    }

    /// Every change is a potential effect of one of the moves.
    fn effects(
        &mut self,
        path: &Path,
        store: &Store,
        before: &Visit,
        moves: &[TermId],
        after: &Visit,
    ) {
        let gone = before
            .fluents
            .difference(&after.fluents)
            .map(|&f| (f, DependencyKind::NegativeEffect));
        let come = after
            .fluents
            .difference(&before.fluents)
            .map(|&f| (f, DependencyKind::PositiveEffect));
        for (term, relation) in gone.chain(come).collect::<Vec<_>>() {
            self.changes += 1;
            let fluent = self.fluent(store, term);
            let actions: Vec<usize> = moves.iter().map(|&mv| self.action(store, mv)).collect();
            let mut actions = actions.into_iter();
            let is_foreseen =
                actions.any(|action| self.edges.contains(&(action, fluent, relation)));
            assert!(
                is_foreseen,
                "{path:?} at level {}: {relation:?} of {} by {:?} was not foreseen",
                self.analysis.level.name(),
                flux::term::Prefix::new(store, term),
                moves
                    .iter()
                    .map(|&mv| flux::term::Prefix::new(store, mv).to_string())
                    .collect::<Vec<_>>(),
            );
        }
    }

    /// In states that agree on the potential preconditions of an action the same of its instances
    /// are legal.
    fn preconditions(&mut self, path: &Path, store: &Store, visit: &Visit) {
        let nodes: Vec<(TermId, usize)> = visit
            .fluents
            .iter()
            .map(|&term| (term, self.fluent(store, term)))
            .collect();
        for (role, legal) in visit.legal.iter().enumerate() {
            let mut instances: BTreeMap<usize, BTreeSet<TermId>> = BTreeMap::new();
            for &mv in legal {
                instances
                    .entry(self.action(store, mv))
                    .or_default()
                    .insert(mv);
            }
            for action in 0..self.analysis.structure.actions.len() {
                let looked_at = &self.looked_at[action];
                let holding = nodes.iter().filter(|(_, node)| looked_at.contains(node));
                let holding = holding.map(|&(term, _)| term).collect();
                let legal = instances.remove(&action).unwrap_or_default();
                let known = self
                    .seen
                    .entry((role, action, holding))
                    .or_insert_with(|| legal.clone());
                assert_eq!(
                    *known,
                    legal,
                    "{path:?} at level {}: {} depends on more than was foreseen",
                    self.analysis.level.name(),
                    flux::term::Prefix::new(store, self.analysis.structure.actions[action].pattern),
                );
            }
        }
    }

    /// Moves of different subgames lead to the same state in either order.
    fn order(&self, path: &Path, table: &mut Table, state: &State, order: [TermId; 2]) {
        let structure = &self.analysis.structure;
        let subgame = |table: &Table, mv: TermId| {
            let action = structure.action(table.vocabulary.store(), mv).unwrap();
            structure
                .subgames
                .iter()
                .position(|subgame| subgame.actions.contains(&action))
        };
        let [one, other] = order;
        let (Some(first), Some(second)) = (subgame(table, one), subgame(table, other)) else {
            return;
        };
        if first == second {
            return;
        }
        let mut ends = Vec::new();
        for [one, other] in [[one, other], [other, one]] {
            let between = table.successor(state, &[one]);
            if table.is_terminal(&between) {
                return;
            }
            let visit = table.visit(&between);
            assert!(
                visit.legal[0].contains(&other),
                "{path:?}: a move of another subgame takes one away"
            );
            let end = table.successor(&between, &[other]);
            ends.push(table.visit(&end).fluents);
        }
        assert_eq!(ends[0], ends[1], "{path:?}: the order of moves matters");
    }
}
