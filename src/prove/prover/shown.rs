//! What the rules say of a play: the moves that are legal on its way, and the rules that apply.

use rustc_hash::FxHashSet;

use crate::gdl::{MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary, Watched};
use crate::prove::application::{relation, word};
use crate::prove::cover::{CoverItem, is_of_moves};
use crate::prove::finding::Play;
use crate::prove::prover::prepare::Prover;
use crate::term::{Store, TermId};

/// What the rules say of the states of a play.
#[derive(Default)]
pub(super) struct Shown {
    moves: FxHashSet<(usize, MoveId)>,
    /// Rules that apply before a joint move, and those that apply in the last state.
    before: FxHashSet<usize>,
    last: FxHashSet<usize>,
    is_end: bool,
}

impl Shown {
    /// A state of which nothing is said yet.
    pub(super) fn at(is_end: bool) -> Self {
        Self {
            is_end,
            ..Self::default()
        }
    }

    /// A joint move is legal.
    pub(super) fn make(&mut self, joint: &[MoveId]) {
        self.moves.extend(joint.iter().copied().enumerate());
    }

    /// Rules apply, by the rows of the relation that says so.
    pub(super) fn apply(&mut self, rows: Vec<Box<[TermId]>>, store: &Store, is_before_move: bool) {
        let rules = rows
            .iter()
            .filter_map(|row| Watched::place(store, *row.first()?));
        if is_before_move {
            self.before.extend(rules);
        } else {
            self.last.extend(rules);
        }
    }
}

impl Prover {
    /// Whether the rules say of a play that it reaches a target.
    pub(super) fn shows(&self, cover: usize, shown: &Shown, vocabulary: &mut Vocabulary) -> bool {
        let cover = &self.covers[cover];
        match cover.item {
            CoverItem::Move(role, place) => {
                let mv = vocabulary.mv(self.circuit.moves[role][place].term);
                shown.moves.contains(&(role, mv))
            }
            CoverItem::Rule(clause) => {
                let word = word(vocabulary.store(), &self.game.clauses()[clause]);
                // At an end, what is next and what is legal means nothing any more.
                let is_before = shown.is_end && matches!(word, "next" | "legal");
                let counts_last = !is_before && !is_of_moves(&cover.target);
                shown.before.contains(&clause) || counts_last && shown.last.contains(&clause)
            }
        }
    }

    /// What the rules say of the states of a play; none if they do not allow it.
    pub(super) fn replayed(
        &mut self,
        play: &Play,
        vocabulary: &mut Vocabulary,
    ) -> Result<Option<Shown>, ReasonerError> {
        let asks_rules = self
            .covers
            .iter()
            .any(|cover| matches!(cover.item, CoverItem::Rule(_)));
        let relation = relation(vocabulary.store_mut());
        let roles = self.circuit.moves.len();
        let mut shown = Shown::default();
        let mut state = self.tabled.initial_state(vocabulary)?;
        let mut legal = Vec::new();
        // One more state than there are moves: what applies in the last one counts, too.
        for step in 0..=play.moves.len() {
            let joint: Option<Vec<MoveId>> = play
                .moves
                .get(step)
                .map(|joint| joint.iter().map(|&term| vocabulary.mv(term)).collect());
            shown.is_end = self.tabled.is_terminal(vocabulary, &state)?;
            for role in 0..if shown.is_end { 0 } else { roles } {
                let number = RoleId(role as u32);
                self.tabled
                    .legal_moves(vocabulary, &state, number, &mut legal)?;
                shown.moves.extend(legal.iter().map(|&mv| (role, mv)));
                let made = joint.as_ref().map(|joint| joint.get(role));
                if made.is_some_and(|made| made.is_none_or(|made| !legal.contains(made))) {
                    return Ok(None);
                }
            }
            if shown.is_end && joint.is_some() {
                return Ok(None);
            }
            if asks_rules {
                let joint = joint.as_deref().unwrap_or_default();
                let rows = self
                    .tabled
                    .answers_with(vocabulary, &state, joint, relation)?;
                shown.apply(rows, vocabulary.store(), !joint.is_empty());
            }
            if let Some(joint) = joint {
                state = self.tabled.successor(vocabulary, &state, &joint)?;
            }
        }
        Ok(Some(shown))
    }

    /// Adds the legal moves of a state.
    pub(super) fn legal_in(
        &mut self,
        shown: &mut Shown,
        state: &State,
        vocabulary: &mut Vocabulary,
    ) -> Result<(), ReasonerError> {
        let mut legal = Vec::new();
        for role in 0..self.circuit.moves.len() {
            let number = RoleId(role as u32);
            self.tabled
                .legal_moves(vocabulary, state, number, &mut legal)?;
            shown.moves.extend(legal.iter().map(|&mv| (role, mv)));
        }
        Ok(())
    }
}
