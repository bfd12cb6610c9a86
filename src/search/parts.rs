//! A game taken apart for search: which fluents, moves and concepts belong to which subgame.
//!
//! A local state is the part of a state that belongs to one subgame. Its moves and what they do are
//! found in a state in which everything else is as it was at the start; by independence it makes no
//! difference, \[G07, Definition 3.3\].

use fixedbitset::FixedBitSet;

use crate::analysis::{Conditions, Distance, Structure};
use crate::gdl::{MoveId, Reasoner, State, Vocabulary};
use crate::search::estimate::Estimator;
use crate::search::problem::{Halt, Problem};

/// What a fluent, move or concept belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A subgame in which something can be done, by number.
    Part(usize),
    /// What changes in the same way whatever is done, and what never changes; moves that change
    /// nothing.
    Nobody,
}

/// Which of the concepts hold, by place.
pub(super) type Evaluation = FixedBitSet;

/// A game taken apart.
pub(super) struct Parts<'a> {
    structure: &'a Structure,
    pub(super) conditions: &'a Conditions,
    estimator: Estimator,
    /// For each subgame of the analysis.
    owners: Vec<Owner>,
    /// All is one part.
    is_whole: bool,
    count: usize,
    /// By part, its fluents.
    fluents: Vec<State>,
    fluents_known: usize,
    /// By move.
    moves: Vec<Option<Owner>>,
    /// By part, its concepts; behind them those of nobody.
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
        let leaves = conditions.leaves().len();
        let owners = owners(structure);
        let is_shared = (0..leaves).any(|leaf| conditions.subgame(leaf).is_none());
        // Who decides what is asked for together is one.
        let (owners, count) = match is_shared {
            true => (vec![Owner::Part(0); owners.len()], 1),
            false => {
                let parts = owners.iter().filter(|&&owner| owner != Owner::Nobody);
                let count = parts.count();
                (owners, count)
            }
        };
        let mut concepts = vec![FixedBitSet::with_capacity(leaves); count + 1];
        for leaf in 0..leaves {
            match conditions.subgame(leaf).map(|subgame| owners[subgame]) {
                Some(Owner::Part(part)) => concepts[part].insert(leaf),
                Some(Owner::Nobody) => concepts[count].insert(leaf),
                None => concepts[0].insert(leaf),
            }
        }
        Self {
            structure,
            conditions,
            estimator,
            owners,
            is_whole: is_shared,
            count,
            fluents: vec![State::default(); count],
            fluents_known: 0,
            moves: Vec::new(),
            concepts,
            initial: problem.start().clone(),
        }
    }

    /// The number of subgames in which something can be done.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn initial(&self) -> &State {
        &self.initial
    }

    /// The concepts of a part.
    pub(super) fn concepts(&self, part: usize) -> &FixedBitSet {
        &self.concepts[part]
    }

    /// The concepts of what changes by itself.
    pub(super) fn concepts_of_nobody(&self) -> &FixedBitSet {
        &self.concepts[self.count]
    }

    /// The part of a state that belongs to a subgame.
    pub(super) fn local(&mut self, vocabulary: &Vocabulary, state: &State, part: usize) -> State {
        self.learn(vocabulary);
        state.intersection(&self.fluents[part])
    }

    /// The part of a state that belongs to no subgame in which something can be done.
    pub(super) fn rest(&mut self, vocabulary: &Vocabulary, state: &State) -> State {
        self.learn(vocabulary);
        self.fluents
            .iter()
            .fold(state.clone(), |rest, fluents| rest.difference(fluents))
    }

    /// The state in which a subgame is so, and all else as it was initially.
    pub(super) fn whole(&mut self, vocabulary: &Vocabulary, local: &State, part: usize) -> State {
        self.learn(vocabulary);
        self.initial.difference(&self.fluents[part]).union(local)
    }

    fn learn(&mut self, vocabulary: &Vocabulary) {
        for fluent in vocabulary.fluents_from(self.fluents_known) {
            self.fluents_known = fluent.index() + 1;
            let term = vocabulary.fluent_term(fluent);
            let node = self.structure.fluent(vocabulary.store(), term);
            let owner = match node {
                _ if self.is_whole => Owner::Part(0),
                Some(node) => self.owners[self.structure.subgame_of(node)],
                None => Owner::Nobody,
            };
            if let Owner::Part(part) = owner {
                self.fluents[part].insert(fluent);
            }
        }
    }

    /// What a move belongs to.
    pub(super) fn owner(&mut self, vocabulary: &Vocabulary, mv: MoveId) -> Owner {
        if self.moves.len() <= mv.index() {
            self.moves.resize(mv.index() + 1, None);
        }
        *self.moves[mv.index()].get_or_insert_with(|| {
            let term = vocabulary.move_term(mv);
            let action = self.structure.action(vocabulary.store(), term);
            let subgame = action.and_then(|action| self.structure.subgame_of_action(action));
            match (subgame, self.is_whole) {
                (_, true) => Owner::Part(0),
                (Some(subgame), false) => self.owners[subgame],
                (None, false) => Owner::Nobody,
            }
        })
    }

    /// How far a state is from each concept and from its opposite.
    pub(super) fn measure(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<Vec<Distance>, Halt> {
        self.estimator.measure(vocabulary, state)
    }

    /// Whether the concepts are single fluents.
    pub(super) fn is_plain(&self) -> bool {
        self.estimator.is_plain()
    }

    /// Which concepts hold in a state.
    pub(super) fn evaluate(
        &mut self,
        vocabulary: &mut Vocabulary,
        state: &State,
    ) -> Result<Evaluation, Halt> {
        Ok(evaluation(&self.measure(vocabulary, state)?))
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
        moves.retain(|&mv| self.owner(problem.vocabulary(), mv) == owner);
        Ok(())
    }
}

/// The concepts that are not far away at all.
pub(super) fn evaluation(distances: &[Distance]) -> Evaluation {
    let mut held = Evaluation::with_capacity(distances.len());
    let places = distances.iter().enumerate();
    held.extend(
        places
            .filter(|(_, distance)| distance.to_true == 0)
            .map(|(place, _)| place),
    );
    held
}

/// For each subgame, the part it is: by number, if something can be done in it.
fn owners(structure: &Structure) -> Vec<Owner> {
    let mut count = 0;
    let owners = structure
        .subgames
        .iter()
        .map(|subgame| match subgame.actions.is_empty() {
            true => Owner::Nobody,
            false => {
                count += 1;
                Owner::Part(count - 1)
            }
        });
    owners.collect()
}
