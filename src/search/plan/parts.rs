//! A game taken apart for search: which fluents, moves and concepts belong to which subgame.
//!
//! A local state is the part of a state that belongs to one subgame. Its moves and what they do are
//! found in a state in which everything else is as it was at the start; by independence it makes no
//! difference, \[G07, Definition 3.3\].

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::analysis::{AtomQuestion, Conditions, Distance, Structure, Truths};
use crate::gdl::{GoalValue, MoveId, Reasoner, State, Vocabulary};
use crate::search::halt::Halt;
use crate::search::plan::division::Division;
use crate::search::plan::estimate::Estimator;
use crate::search::plan::problem::Problem;
use crate::term::TermId;

/// What a fluent, move or concept belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A subgame in which something can be done, by number.
    Part(usize),
    /// What changes in the same way whatever is done, and what never changes; moves that change
    /// nothing.
    Nobody,
}

impl Owner {
    /// The number of its part, nobody's behind the others.
    fn part(self, nobody: usize) -> usize {
        match self {
            Owner::Part(part) => part,
            Owner::Nobody => nobody,
        }
    }
}

/// What says what belongs to which part.
enum Ownership<'a> {
    /// The subgames of an analysis of the rules as they are written.
    Symbols {
        structure: &'a Structure,
        /// For each subgame of the analysis.
        owners: Vec<Owner>,
        /// Who has what belongs to no subgame.
        outside: Owner,
        /// The number of parts.
        count: usize,
    },
    /// The parts of the function that the rules compute.
    Function(&'a Division),
}

impl Ownership<'_> {
    /// The number of parts.
    fn count(&self) -> usize {
        match self {
            Ownership::Symbols { count, .. } => *count,
            Ownership::Function(division) => division.parts.len(),
        }
    }

    /// Who has a concept of a subgame, or of none.
    fn of_concept(&self, subgame: Option<usize>) -> Owner {
        match self {
            Ownership::Symbols {
                owners, outside, ..
            } => subgame.map_or(*outside, |subgame| owners[subgame]),
            Ownership::Function(_) => subgame.map_or(Owner::Nobody, Owner::Part),
        }
    }

    fn of_fluent(&self, vocabulary: &Vocabulary, fluent: TermId) -> Owner {
        match self {
            Ownership::Symbols {
                structure,
                owners,
                outside,
                ..
            } => {
                let node = structure.fluent(vocabulary.store(), fluent);
                let subgame = node.map(|node| structure.subgame_of(node));
                subgame.map_or(*outside, |subgame| owners[subgame])
            }
            Ownership::Function(division) => {
                let part = division.part_of(fluent);
                part.map_or(Owner::Nobody, Owner::Part)
            }
        }
    }

    fn of_move(&self, vocabulary: &Vocabulary, mv: TermId) -> Owner {
        match self {
            Ownership::Symbols {
                structure,
                owners,
                outside,
                ..
            } => {
                let action = structure.action(vocabulary.store(), mv);
                let subgame = action.and_then(|action| structure.subgame_of_action(action));
                subgame.map_or(*outside, |subgame| owners[subgame])
            }
            // A move may be one in several parts.
            Ownership::Function(_) => Owner::Part(0),
        }
    }
}

/// Which of the concepts hold, by place.
pub(super) type Evaluation = FixedBitSet;

/// A game taken apart. Behind the subgames in which something can be done comes one part for all that
/// nobody changes.
pub(super) struct Parts<'a> {
    ownership: Ownership<'a>,
    pub(super) conditions: &'a Conditions,
    estimator: Estimator,
    count: usize,
    /// By part, its fluents.
    fluents: Vec<State>,
    fluents_known: usize,
    /// By move.
    moves: Vec<Option<Owner>>,
    /// By part, its concepts.
    concepts: Vec<FixedBitSet>,
    initial: State,
}

impl<'a> Parts<'a> {
    /// Takes a game apart as an analysis says.
    pub(super) fn new<R: Reasoner>(
        problem: &Problem<'_, R>,
        structure: &'a Structure,
        conditions: &'a Conditions,
        estimator: Estimator,
    ) -> Self {
        let leaves = conditions.count();
        let is_shared = (0..leaves).any(|leaf| conditions.subgame(leaf).is_none());
        // A concept of several subgames joins them: what it asks for, they have to bring about together.
        let (owners, outside, count) = if is_shared {
            let subgames = structure.subgames.len();
            (vec![Owner::Part(0); subgames], Owner::Part(0), 1)
        } else {
            let owners = owners(structure);
            let parts = owners.iter().filter(|&&owner| owner != Owner::Nobody);
            let count = parts.count();
            (owners, Owner::Nobody, count)
        };
        let ownership = Ownership::Symbols {
            structure,
            owners,
            outside,
            count,
        };
        Self::with(ownership, conditions, estimator, problem.start().clone())
    }

    /// A game taken apart by what its rules compute; what is elsewhere is as in a state.
    pub(super) fn of_division(division: &'a Division, start: State) -> Self {
        let ownership = Ownership::Function(division);
        let estimator = division.estimator.clone();
        Self::with(ownership, &division.conditions, estimator, start)
    }

    fn with(
        ownership: Ownership<'a>,
        conditions: &'a Conditions,
        estimator: Estimator,
        initial: State,
    ) -> Self {
        let (leaves, count) = (conditions.count(), ownership.count());
        let mut concepts = vec![FixedBitSet::with_capacity(leaves); count + 1];
        for leaf in 0..leaves {
            let owner = ownership.of_concept(conditions.subgame(leaf));
            concepts[owner.part(count)].insert(leaf);
        }
        Self {
            ownership,
            conditions,
            estimator,
            count,
            fluents: vec![State::default(); count + 1],
            fluents_known: 0,
            moves: Vec::new(),
            concepts,
            initial,
        }
    }

    /// The number of subgames in which something can be done.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The part that nobody changes.
    pub(super) fn nobody(&self) -> usize {
        self.count
    }

    pub(super) fn initial(&self) -> &State {
        &self.initial
    }

    /// The concepts of a part.
    pub(super) fn concepts(&self, part: usize) -> &FixedBitSet {
        &self.concepts[part]
    }

    /// What follows from what holds of the concepts of one part.
    pub(super) fn truths_of_part(&self, part: usize, held: &Evaluation) -> Truths {
        let own = &self.concepts[part];
        let leaf = |leaf| own.contains(leaf).then(|| held.contains(leaf));
        self.conditions.truths(&leaf)
    }

    /// The payoffs that the rules name, each with the question whether it is had, the highest first.
    pub(super) fn payoffs(&self) -> Vec<(GoalValue, AtomQuestion)> {
        let values = self.conditions.values(0);
        let mut payoffs: Vec<(GoalValue, AtomQuestion)> = values
            .filter_map(|(value, question)| Some((GoalValue::new(value)?, question)))
            .collect();
        payoffs.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        payoffs
    }

    /// What follows from what holds of all concepts.
    pub(super) fn truths(&self, held: &Evaluation) -> Truths {
        self.conditions.truths(&|leaf| Some(held.contains(leaf)))
    }

    /// What belongs to a part of a state.
    pub(super) fn local(&mut self, vocabulary: &Vocabulary, state: &State, part: usize) -> State {
        self.learn(vocabulary);
        state.intersection(&self.fluents[part])
    }

    /// The state in which a part is so, and all else as it was initially.
    pub(super) fn whole(&mut self, vocabulary: &Vocabulary, local: &State, part: usize) -> State {
        self.learn(vocabulary);
        self.initial.difference(&self.fluents[part]).union(local)
    }

    fn learn(&mut self, vocabulary: &Vocabulary) {
        // Fluents get their numbers as states are computed, so that new ones turn up at any time.
        for fluent in vocabulary.fluents_from(self.fluents_known) {
            self.fluents_known = fluent.index() + 1;
            let term = vocabulary.fluent_term(fluent);
            let owner = self.ownership.of_fluent(vocabulary, term);
            self.fluents[owner.part(self.count)].insert(fluent);
        }
    }

    /// What a move belongs to.
    pub(super) fn owner(&mut self, vocabulary: &Vocabulary, mv: MoveId) -> Owner {
        if self.moves.len() <= mv.index() {
            self.moves.resize(mv.index() + 1, None);
        }
        let ownership = &self.ownership;
        *self.moves[mv.index()]
            .get_or_insert_with(|| ownership.of_move(vocabulary, vocabulary.move_term(mv)))
    }

    /// Whether the concepts are single fluents.
    pub(super) fn is_plain(&self) -> bool {
        self.estimator.is_plain()
    }

    /// The concepts of a part that hold in a state, and how far it is from each concept.
    pub(super) fn look_at(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
        part: usize,
    ) -> Result<(Evaluation, Vec<Distance>), Halt> {
        let distances = self.estimator.measure(vocabulary, state)?;
        // A concept holds exactly if nothing is missing for it.
        let mut held = self.concepts[part].clone();
        for (place, distance) in distances.iter().enumerate() {
            held.set(place, held.contains(place) && distance.to_true == 0);
        }
        Ok((held, distances))
    }

    /// Replaces `moves` by the legal moves of an owner in a state.
    pub(super) fn moves_of<R: Reasoner>(
        &mut self,
        problem: &mut Problem<'_, R>,
        state: &State,
        owner: Owner,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Halt> {
        problem.legal_moves(state, moves)?;
        match (&self.ownership, owner) {
            // Of moves that are alike for the part, the first.
            (Ownership::Function(division), Owner::Part(part)) => {
                let vocabulary = problem.vocabulary();
                let mut seen = FxHashSet::default();
                moves.retain(|&mv| seen.insert(division.class(vocabulary.move_term(mv), part)));
            }
            _ => moves.retain(|&mv| self.owner(problem.vocabulary(), mv) == owner),
        }
        Ok(())
    }
}

/// For each subgame, the part it is: by number, if something can be done in it.
fn owners(structure: &Structure) -> Vec<Owner> {
    let mut parts = 0..;
    let owners = structure.subgames.iter().map(|subgame| {
        if subgame.actions.is_empty() {
            Owner::Nobody
        } else {
            parts.next().map_or(Owner::Nobody, Owner::Part)
        }
    });
    owners.collect()
}
