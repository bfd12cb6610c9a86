//! What some play should do: each rule applies somewhere, each move is legal somewhere.

use std::cmp::Reverse;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::gdl::{MoveId, Reasoner, ReasonerError, RoleId, State, Vocabulary, Watched};
use crate::prove::application::{relation, word};
use crate::prove::check;
use crate::prove::condition::Target;
use crate::prove::cover::{CoverItem, is_never, is_of_moves};
use crate::prove::finding::{Finding, Method, Missing, Play, Verdict};
use crate::prove::prover::Prover;
use crate::prove::reachability::Reach;
use crate::term::{Prefix, Store, Substitution, TermId};

/// Targets that plays are led to.
const MAX_LED: usize = 24;

/// Characters of a rule that are shown.
const MAX_TEXT: usize = 100;

/// What is known of a target.
#[derive(Clone, Debug)]
enum CoverStatus {
    /// A play reaches it.
    Reached(Play, Method),
    /// The rules say so too.
    Confirmed(Method),
    Never(Method),
    Open,
}

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
    /// Whether some play reaches each of some targets.
    pub(super) fn decide_covers(
        &mut self,
        numbers: Option<Range<usize>>,
        vocabulary: &mut Vocabulary,
    ) -> Result<Finding, ReasonerError> {
        let Some(numbers) = numbers else {
            return Ok(Finding::open(None));
        };
        let mut all = Vec::new();
        for cover in numbers.clone() {
            all.push(self.covered(cover, vocabulary)?);
        }
        self.confirm_plays(numbers.clone(), &mut all, vocabulary)?;
        self.cover_by_given(numbers.clone(), &mut all, vocabulary)?;
        self.cover_by_guided(numbers.clone(), &mut all, vocabulary)?;
        self.cover_by_invariants(numbers.clone(), &mut all, vocabulary)?;
        Ok(self.verdict(numbers, &all, vocabulary.store()))
    }

    /// What plays and states that were looked at say of a target.
    fn covered(
        &mut self,
        cover: usize,
        vocabulary: &mut Vocabulary,
    ) -> Result<CoverStatus, ReasonerError> {
        if is_never(&self.covers[cover].target) {
            return Ok(CoverStatus::Never(Method::Induction));
        }
        if let Some(play) = self
            .seen
            .as_ref()
            .and_then(|seen| seen.covered[cover].clone())
        {
            return Ok(CoverStatus::Reached(play, Method::Plays));
        }
        let Some(graph) = &self.graph else {
            return Ok(CoverStatus::Open);
        };
        if let Some((state, joint)) = graph.covered[cover] {
            let play = graph.play_to(state, joint, &mut self.evaluator, vocabulary)?;
            return Ok(CoverStatus::Reached(play, Method::Exhaustion));
        }
        Ok(if graph.is_complete {
            CoverStatus::Never(Method::Exhaustion)
        } else {
            CoverStatus::Open
        })
    }

    /// Replays plays, long ones first, as they show what many targets need; what the rules do not confirm is open.
    fn confirm_plays(
        &mut self,
        numbers: Range<usize>,
        all: &mut [CoverStatus],
        vocabulary: &mut Vocabulary,
    ) -> Result<(), ReasonerError> {
        let length = |known: &CoverStatus| match known {
            CoverStatus::Reached(play, _) => Some(play.moves.len()),
            CoverStatus::Confirmed(_) | CoverStatus::Never(_) | CoverStatus::Open => None,
        };
        let mut order: Vec<usize> = (0..all.len())
            .filter(|&at| length(&all[at]).is_some())
            .collect();
        order.sort_by_key(|&at| Reverse(length(&all[at])));
        for at in order {
            let CoverStatus::Reached(play, _) = &all[at] else {
                continue;
            };
            let shown = self.replayed(&play.clone(), vocabulary)?;
            for (cover, known) in numbers.clone().zip(all.iter_mut()) {
                if let CoverStatus::Reached(_, method) = *known
                    && shown
                        .as_ref()
                        .is_some_and(|shown| self.shows(cover, shown, vocabulary))
                {
                    *known = CoverStatus::Confirmed(method);
                }
            }
            if matches!(all[at], CoverStatus::Reached(..)) {
                all[at] = CoverStatus::Open;
            }
        }
        Ok(())
    }

    /// Replays plays that others have found.
    fn cover_by_given(
        &mut self,
        numbers: Range<usize>,
        all: &mut [CoverStatus],
        vocabulary: &mut Vocabulary,
    ) -> Result<(), ReasonerError> {
        for play in self.given.clone().unwrap_or_default() {
            let Some(shown) = self.replayed(&play, vocabulary)? else {
                continue;
            };
            for (cover, known) in numbers.clone().zip(all.iter_mut()) {
                if matches!(known, CoverStatus::Open) && self.shows(cover, &shown, vocabulary) {
                    *known = CoverStatus::Confirmed(Method::Search);
                }
            }
        }
        Ok(())
    }

    /// Leads plays to what is open.
    fn cover_by_guided(
        &mut self,
        numbers: Range<usize>,
        all: &mut [CoverStatus],
        vocabulary: &mut Vocabulary,
    ) -> Result<(), ReasonerError> {
        for at in open(all).into_iter().take(MAX_LED) {
            let target = self.covers[numbers.start + at].target.clone();
            if let Some(play) = self.led(&target) {
                all[at] = CoverStatus::Reached(play, Method::Plays);
            }
        }
        self.confirm_plays(numbers, all, vocabulary)
    }

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
                let is_before = shown.is_end && matches!(word, "next" | "legal");
                let counts_last = !is_before && !is_of_moves(&cover.target);
                shown.before.contains(&clause) || counts_last && shown.last.contains(&clause)
            }
        }
    }

    /// What the rules say of the states of a play; none if they do not allow it.
    fn replayed(
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

    /// Asks for what no play has shown by invariants, all targets together within the steps of two properties.
    fn cover_by_invariants(
        &mut self,
        numbers: Range<usize>,
        all: &mut [CoverStatus],
        vocabulary: &mut Vocabulary,
    ) -> Result<(), ReasonerError> {
        let open = open(all);
        if open.is_empty() {
            return Ok(());
        }
        self.know();
        let mut steps = 2 * self.effort.assignments;
        let mut never: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        for (done, &at) in open.iter().enumerate() {
            let Some(known) = &mut self.known else {
                return Ok(());
            };
            let target = self.covers[numbers.start + at].target.clone();
            // What is left is for all that are left, and no more than a few shares for one.
            let share = (steps / (open.len() - done) as u64)
                .saturating_mul(4)
                .min(steps);
            let found = known.reachability.reach(&target, share);
            steps -= share - known.reachability.left().min(share);
            match found {
                Reach::Never => never[usize::from(is_of_moves(&target))].push(at),
                Reach::Play(moves) => {
                    let play = self.play_of(&moves);
                    all[at] = CoverStatus::Reached(play, Method::Reachability);
                }
                Reach::Open(_) => {}
            }
            if steps == 0 || self.limits.stop.raised().is_some() {
                break;
            }
        }
        self.confirm_plays(numbers.clone(), all, vocabulary)?;
        let signals = never.each_ref().map(|never| {
            let targets = never
                .iter()
                .map(|at| &self.covers[numbers.start + at].target);
            let signals = targets.filter_map(|target| match target {
                Target::State(signal) | Target::Move(signal) => Some(*signal),
                Target::Step(_) => None,
            });
            signals.collect::<Vec<_>>()
        });
        let excluded = self.with_invariant(|means, invariant| {
            [
                check::excludes_states(means, invariant, &signals[0]),
                check::excludes_moves(means, invariant, &signals[1]),
            ]
        });
        for (never, excluded) in never.iter().zip(excluded.into_iter().flatten()) {
            for (&at, _) in never.iter().zip(excluded).filter(|&(_, is)| is) {
                all[at] = CoverStatus::Never(Method::Reachability);
            }
        }
        Ok(())
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

    fn verdict(&self, numbers: Range<usize>, all: &[CoverStatus], store: &Store) -> Finding {
        let mut finding = Finding {
            verdict: Verdict::Proved,
            method: Some(Method::Plays),
            ..Finding::open(None)
        };
        for (cover, known) in numbers.zip(all) {
            let (verdict, method) = match known {
                CoverStatus::Confirmed(method) | CoverStatus::Reached(_, method) => {
                    (Verdict::Proved, Some(*method))
                }
                CoverStatus::Never(method) => {
                    finding.missing.push(self.missing(cover, store));
                    (Verdict::Refuted, Some(*method))
                }
                CoverStatus::Open => {
                    finding.undecided.push(self.missing(cover, store));
                    (Verdict::Open, None)
                }
            };
            finding = match (finding.verdict, verdict) {
                // Of several methods that which does most is named.
                (before, verdict) if before == verdict => {
                    let later = method.filter(|&method| method != Method::Plays);
                    let method = later.or(finding.method);
                    Finding { method, ..finding }
                }
                (Verdict::Refuted, _) | (Verdict::Open, Verdict::Proved) => finding,
                (_, verdict) => Finding {
                    verdict,
                    method,
                    ..finding
                },
            };
        }
        finding
    }

    /// A target that no play reaches, in the words of the rules.
    pub(super) fn missing(&self, cover: usize, store: &Store) -> Missing {
        let source = self.game.source();
        let line = |clause: usize| {
            let span = self.game.clauses()[clause].origin.span;
            source.position(span.start).line
        };
        match self.covers[cover].item {
            CoverItem::Rule(clause) => {
                let text = source.slice(self.game.clauses()[clause].origin.span);
                let words: Vec<&str> = text.split_whitespace().collect();
                let text = words.join(" ");
                let shown: String = text.chars().take(MAX_TEXT).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                Missing {
                    line: Some(line(clause)),
                    text: shown + more,
                }
            }
            CoverItem::Move(role, place) => {
                let mv = self.circuit.moves[role][place].term;
                let role = self.game.roles()[role];
                let mut clauses = self.game.clauses().iter();
                let first = clauses.position(|clause| {
                    let gives = |given: [TermId; 2]| {
                        let mut unifier = Substitution::default();
                        let mut pairs = store.arguments(clause.head).iter().zip(given);
                        pairs.all(|(&own, given)| unifier.unify(store, own, given))
                    };
                    word(store, clause) == "legal" && gives([role, mv])
                });
                let (role, mv) = (Prefix::new(store, role), Prefix::new(store, mv));
                Missing {
                    line: first.map(line),
                    text: format!("{role}: {mv}"),
                }
            }
        }
    }
}

/// The targets, by number, of which nothing is known.
fn open(all: &[CoverStatus]) -> Vec<usize> {
    let open = (0..all.len()).filter(|&at| matches!(all[at], CoverStatus::Open));
    open.collect()
}
