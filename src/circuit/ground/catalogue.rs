//! The relations of a game: which predicate is kept where, and what depends on no state.
//!
//! A fluent stands in `true`, `next` and `init`, a move in `does` and `legal`: each has one row in
//! one relation, and two *faces*, the atom that a state or a joint move gives and the one that rules
//! derive.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::circuit::ground::error::GroundError;
use crate::circuit::ground::relation::{AtomId, Relation};
use crate::gdl::{Keyword, Keywords};
use crate::limits::{Limits, StopReason};
use crate::rules::{Dynamic, EvaluationError, Rules};
use crate::term::{Clause, DependencyGraph, Functor, PredicateSet, Store, TermId, calls};

/// A relation of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RelationNumber(u32);

impl RelationNumber {
    /// The number as an index.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Fluents.
pub(super) const FLUENTS: RelationNumber = RelationNumber(0);
/// Moves, with their roles.
pub(super) const MOVES: RelationNumber = RelationNumber(1);

/// What an atom of a relation says; the number of the atom plus this is the number of the face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Face {
    /// `true`, `does`, and the atoms of all other predicates.
    Given = 0,
    /// `next`, `legal`.
    Derived = 1,
}

impl Face {
    /// This face of an atom.
    #[inline]
    pub(super) fn of(self, atom: AtomId) -> AtomId {
        AtomId::from_index(atom.index() + self as usize)
    }
}

/// Steps that listing the answers of one predicate may take; of others, questions are asked.
const MAX_STEPS: u64 = 5_000_000;

/// Rows between two polls of the stop flag.
const POLL: usize = 1 << 12;

/// Steps that answering all questions may take.
const MAX_ASKED: u64 = 50_000_000;

/// Answers of a predicate that are listed.
const MAX_ANSWERS: usize = 500_000;

/// Relations by predicate.
pub(super) struct Catalogue {
    pub(super) keywords: Keywords,
    pub(super) relations: Vec<Relation>,
    by_functor: IndexMap<Functor, RelationNumber, FxBuildHasher>,
    is_static: Vec<bool>,
    /// Predicates that depend on state or moves, and those that are asked of states.
    dynamic: PredicateSet,
    /// Predicates that depend on no state and have too many answers to list.
    questions: FxHashSet<Functor>,
    /// What depends on no state.
    statics: Rules,
    limits: Limits,
    /// Atoms numbered so far, all faces counted.
    pub(super) atoms: usize,
    /// Rows read so far, and how many may be.
    rows: usize,
    most_rows: usize,
    /// The step of evaluation after which no more questions are answered.
    asked_until: u64,
}

impl Catalogue {
    /// Takes in rules without connectives. What depends on no state is evaluated now, as far as other rules, or
    /// somebody else, ask for it; so many rows may be read later.
    pub(super) fn new(
        store: &mut Store,
        rules: &[Clause],
        asked: &PredicateSet,
        (limits, most_rows): (&Limits, usize),
    ) -> Result<Self, GroundError> {
        let keywords = Keywords::of(store);
        let dynamic = dependents_of_state(store, &keywords, rules);
        let statics = rules.iter().filter(|rule| !is_among(&dynamic, store, rule));
        let given = Dynamic {
            state: keywords.functor(Keyword::True),
            moves: keywords.functor(Keyword::Does),
        };
        let statics = Rules::new(store, statics.cloned().collect(), given)?;
        let mut catalogue = Self {
            keywords,
            relations: vec![Relation::new(1), Relation::new(2)],
            by_functor: IndexMap::default(),
            is_static: vec![false, false],
            dynamic,
            questions: FxHashSet::default(),
            statics,
            limits: limits.clone(),
            atoms: 0,
            rows: 0,
            most_rows,
            asked_until: 0,
        };
        catalogue.list(store, rules, asked)?;
        catalogue.asked_until = catalogue.statics.work().0 + MAX_ASKED;
        Ok(catalogue)
    }

    /// Lists the answers of what rules that depend on the state, or somebody else, ask of the others.
    fn list(
        &mut self,
        store: &mut Store,
        rules: &[Clause],
        asked: &PredicateSet,
    ) -> Result<(), GroundError> {
        let graph = DependencyGraph::of(store, rules);
        let is_static = |functor: &Functor| !self.dynamic.contains(functor);
        let mut asked: PredicateSet = asked.iter().copied().filter(is_static).collect();
        // Only what the dynamic rules ask of the static ones is listed; other static predicates were only needed to
        // derive it.
        for &caller in &self.dynamic {
            let called = graph
                .dependencies_of(caller)
                .map(|dependency| dependency.to);
            asked.extend(called.filter(is_static));
        }
        for functor in asked {
            match self.answers(store, functor) {
                Ok(Some(rows)) => {
                    let number = self.add(functor, true);
                    // A predicate without arguments has rows of one filler, so that rows can be counted.
                    for answer in rows.chunks_exact(functor.arity.max(1) as usize) {
                        let answer = &answer[..functor.arity as usize];
                        let row = self.row(number, (answer, None));
                        self.relations[number.index()].admit(store, row);
                    }
                }
                Ok(None) => {
                    self.questions.insert(functor);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The answers of a predicate, row after row (of one cell at least); nothing if they are too many.
    fn answers(
        &mut self,
        store: &mut Store,
        functor: Functor,
    ) -> Result<Option<Vec<TermId>>, GroundError> {
        let bounded = Limits {
            steps: Some(MAX_STEPS.min(self.limits.steps.unwrap_or(u64::MAX))),
            ..self.limits.clone()
        };
        let unbound = vec![None; functor.arity as usize];
        let (mut rows, mut count) = (Vec::new(), 0);
        let filler = store.constant("true");
        let outcome = self
            .statics
            .solve(store, functor, &unbound, &bounded, &mut |_, answer| {
                rows.extend_from_slice(answer);
                if answer.is_empty() {
                    rows.push(filler);
                }
                count += 1;
                count <= MAX_ANSWERS
            });
        match outcome {
            Ok(()) => Ok((count <= MAX_ANSWERS).then_some(rows)),
            Err(EvaluationError::Stopped(StopReason::StepLimit(_))) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Tells whoever waits how many instances there are.
    pub(super) fn tell(&self, instances: u64) {
        self.limits.progress.reach(instances);
    }

    /// Counts a row that is read; ends the join if they are too many or somebody asks for a stop.
    pub(super) fn count_row(&mut self) -> Result<(), GroundError> {
        self.rows += 1;
        if !self.rows.is_multiple_of(POLL) {
            return Ok(());
        }
        if let Some(reason) = self.limits.stop.raised() {
            return Err(EvaluationError::Stopped(reason).into());
        }
        if self.rows > self.most_rows {
            Err(GroundError::TooMuchWork)
        } else {
            Ok(())
        }
    }

    /// The answers of a question, of its open arguments only, row after row.
    pub(super) fn ask(
        &mut self,
        store: &mut Store,
        functor: Functor,
        arguments: &[Option<TermId>],
        sink: &mut dyn FnMut(&[TermId]),
    ) -> Result<(), GroundError> {
        // One budget for all questions together.
        let left = self.asked_until.saturating_sub(self.statics.work().0);
        let allowed = self.limits.steps.unwrap_or(u64::MAX);
        let limits = Limits {
            steps: Some(left.min(allowed)),
            ..self.limits.clone()
        };
        let outcome = self
            .statics
            .solve(store, functor, arguments, &limits, &mut |_, answer| {
                sink(answer);
                true
            });
        match outcome {
            Err(EvaluationError::Stopped(StopReason::StepLimit(_))) if left < allowed => {
                Err(GroundError::TooMuchWork)
            }
            outcome => Ok(outcome?),
        }
    }

    /// Whether all answers to a condition are listed, or it depends on the state.
    pub(super) fn is_listed(&self, store: &Store, condition: TermId) -> bool {
        let calls = calls(store, condition);
        calls
            .iter()
            .all(|call| self.question(store, call.atom).is_none())
    }

    /// Whether what a rule says depends on state or moves, or is asked of states.
    pub(super) fn is_open(&self, store: &Store, rule: &Clause) -> bool {
        is_among(&self.dynamic, store, rule)
    }

    /// Whether the atoms of a predicate are the same in all states, and all listed.
    pub(super) fn is_listed_always(&self, functor: Functor) -> bool {
        let relation = self.by_functor.get(&functor);
        relation.is_some_and(|&relation| self.is_static[relation.index()])
    }

    /// The predicate of an atom whose answers are asked for one by one.
    pub(super) fn question(&self, store: &Store, atom: TermId) -> Option<Functor> {
        let functor = store.functor(atom)?;
        self.questions.contains(&functor).then_some(functor)
    }

    /// Where the atoms of an atom's predicate are kept, and as which face.
    pub(super) fn relation_of(&mut self, store: &Store, atom: TermId) -> (RelationNumber, Face) {
        let Some(functor) = store.functor(atom) else {
            unreachable!("conditions and heads are atoms or compounds");
        };
        match self.keywords.predicate(functor) {
            Some(Keyword::True) => (FLUENTS, Face::Given),
            Some(Keyword::Next) => (FLUENTS, Face::Derived),
            Some(Keyword::Does) => (MOVES, Face::Given),
            Some(Keyword::Legal) => (MOVES, Face::Derived),
            _ => match self.by_functor.get(&functor) {
                Some(&relation) => (relation, Face::Given),
                None => (self.add(functor, false), Face::Given),
            },
        }
    }

    /// The row of an atom with these columns, which is numbered if it is new; nothing needs to be looked up if its row
    /// is known.
    pub(super) fn row(
        &mut self,
        relation: RelationNumber,
        (columns, known): (&[TermId], Option<usize>),
    ) -> usize {
        // Static atoms need no number, fluents and moves have two faces with numbers side by side, all else has one.
        let faces = match (relation, self.is_static[relation.index()]) {
            (_, true) => None,
            (FLUENTS | MOVES, false) => Some(Face::Derived as usize + 1),
            (_, false) => Some(1),
        };
        let atoms = &mut self.atoms;
        let fresh = || match faces {
            None => AtomId::NONE,
            Some(faces) => {
                let first = AtomId::from_index(*atoms);
                *atoms += faces;
                first
            }
        };
        known.unwrap_or_else(|| self.relations[relation.index()].row(columns, fresh))
    }

    pub(super) fn relation_mut(&mut self, relation: RelationNumber) -> &mut Relation {
        &mut self.relations[relation.index()]
    }

    /// Whether the atoms of a relation are the same in all states.
    pub(super) fn is_static(&self, relation: RelationNumber) -> bool {
        self.is_static[relation.index()]
    }

    /// The predicate whose atoms a relation keeps, unless they are fluents, moves or of every state.
    pub(super) fn predicate(&self, relation: RelationNumber) -> Option<Functor> {
        let mut all = self
            .by_functor
            .iter()
            .filter(|&(_, &other)| other == relation);
        let (&functor, _) = all.next().filter(|_| !self.is_static[relation.index()])?;
        Some(functor)
    }

    /// The predicates that depend on the state, but those of fluents and moves, with their relations.
    pub(super) fn into_open(self) -> impl Iterator<Item = (Functor, Relation)> {
        let mut relations: Vec<Option<Relation>> = self.relations.into_iter().map(Some).collect();
        let is_static = self.is_static;
        let predicates = self.by_functor.into_iter();
        predicates.filter_map(move |(functor, number)| {
            let relation = relations[number.index()].take()?;
            (!is_static[number.index()]).then_some((functor, relation))
        })
    }

    /// Makes the relation of a predicate.
    pub(super) fn add(&mut self, functor: Functor, is_static: bool) -> RelationNumber {
        let number = RelationNumber(self.relations.len() as u32);
        self.relations.push(Relation::new(functor.arity as usize));
        self.is_static.push(is_static);
        self.by_functor.insert(functor, number);
        number
    }

    /// The fluents that hold at the start.
    pub(super) fn initial(&mut self, store: &mut Store) -> Result<Vec<TermId>, GroundError> {
        let functor = self.keywords.functor(Keyword::Init);
        let mut initial = Vec::new();
        let limits = self.limits.clone();
        self.statics
            .solve(store, functor, &[None], &limits, &mut |_, answer| {
                initial.extend_from_slice(answer);
                true
            })?;
        Ok(initial)
    }
}

fn is_among(predicates: &PredicateSet, store: &Store, rule: &Clause) -> bool {
    let head = store.functor(rule.head);
    head.is_some_and(|head| predicates.contains(&head))
}

/// The predicates that depend on state or moves, and those that are asked of states.
pub(super) fn dependents_of_state(
    store: &Store,
    keywords: &Keywords,
    rules: &[Clause],
) -> PredicateSet {
    let graph = DependencyGraph::of(store, rules);
    let words = [
        Keyword::True,
        Keyword::Does,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
    ];
    graph.dependents(words.map(|keyword| keywords.functor(keyword)))
}
