//! What some play should do: each rule applies somewhere, each move is legal somewhere.

use std::cmp::Reverse;
use std::ops::Range;

use crate::gdl::{ReasonerError, Vocabulary};
use crate::prove::check;
use crate::prove::cover::{is_never, is_of_moves};
use crate::prove::finding::{Finding, Method, Play, Verdict};
use crate::prove::prover::prepare::Prover;
use crate::prove::prover::shown::Shown;
use crate::prove::reachability::Reach;
use crate::prove::target::Target;
use crate::term::Store;

/// Targets that plays are led to.
const MAX_LED: usize = 24;

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
        // Each method is for what those before it have left open, or what the rules did not confirm.
        self.confirm_plays(numbers.clone(), &mut all, vocabulary)?;
        self.cover_by_given(numbers.clone(), &mut all, vocabulary)?;
        self.cover_by_guided(numbers.clone(), &mut all, vocabulary)?;
        self.cover_by_invariants(numbers.clone(), &mut all, vocabulary)?;
        Ok(self.verdict(numbers, &all, vocabulary.store()))
    }

    /// Whether plays and states leave some of these targets open.
    pub(super) fn leaves_open(&self, mut numbers: Range<usize>) -> bool {
        let is_seen = |cover: usize| {
            let seen = self.seen.as_ref();
            seen.is_some_and(|seen| seen.covered[cover].is_some())
        };
        let graph = self.graph.as_ref();
        let is_found = |cover: usize| {
            graph.is_some_and(|graph| graph.is_complete || graph.labels.covered[cover].is_some())
        };
        numbers.any(|cover| {
            !is_never(&self.covers[cover].target) && !is_seen(cover) && !is_found(cover)
        })
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
        if let Some((state, joint)) = graph.labels.covered[cover] {
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
            // One play confirms all that it shows, those that other plays were kept for among them.
            if let Some(shown) = self.replayed(&play.clone(), vocabulary)? {
                let method = |status: &CoverStatus| match status {
                    CoverStatus::Reached(_, method) => Some(*method),
                    CoverStatus::Confirmed(_) | CoverStatus::Never(_) | CoverStatus::Open => None,
                };
                for (cover, status) in numbers.clone().zip(all.iter_mut()) {
                    self.mark((cover, status), method, &shown, vocabulary);
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
            if let Some(shown) = self.replayed(&play, vocabulary)? {
                let method = |status: &CoverStatus| {
                    matches!(status, CoverStatus::Open).then_some(Method::Search)
                };
                for (cover, status) in numbers.clone().zip(all.iter_mut()) {
                    self.mark((cover, status), method, &shown, vocabulary);
                }
            }
        }
        Ok(())
    }

    /// Marks a target as confirmed if the rules say of a play that it reaches it, by the method that its status names;
    /// what has none stays as it is.
    fn mark(
        &self,
        (cover, status): (usize, &mut CoverStatus),
        method: impl Fn(&CoverStatus) -> Option<Method>,
        shown: &Shown,
        vocabulary: &mut Vocabulary,
    ) {
        if let Some(method) = method(status)
            && self.shows(cover, shown, vocabulary)
        {
            *status = CoverStatus::Confirmed(method);
        }
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
        let Some(never) = self.asked_of_invariants(numbers.start, &open, all) else {
            return Ok(());
        };
        self.confirm_plays(numbers.clone(), all, vocabulary)?;
        self.confirm_never(numbers.start, &never, all);
        Ok(())
    }

    /// Asks for open targets one after the other; gives those that no play reaches, of states and of moves. None if
    /// nothing is proved of all states.
    fn asked_of_invariants(
        &mut self,
        first: usize,
        open: &[usize],
        all: &mut [CoverStatus],
    ) -> Option<[Vec<usize>; 2]> {
        self.know();
        let mut steps = 2 * self.effort.assignments;
        let mut never: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        for (done, &at) in open.iter().enumerate() {
            let known = self.known.as_mut()?;
            let target = self.covers[first + at].target.clone();
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
        Some(never)
    }

    /// Has the invariant checked that excludes targets of states and of moves; what it excludes is unreachable.
    fn confirm_never(&mut self, first: usize, never: &[Vec<usize>; 2], all: &mut [CoverStatus]) {
        let signals = never.each_ref().map(|never| {
            let targets = never.iter().map(|at| &self.covers[first + at].target);
            let signals = targets.filter_map(|target| match target {
                Target::State(signal) | Target::Move(signal) => Some(*signal),
                Target::Step(_) => None,
            });
            signals.collect::<Vec<_>>()
        });
        // All targets at once: the invariant is encoded twice, and not once for each.
        let excluded = self.with_invariant(|context, invariant| {
            [
                check::excludes_states(context, invariant, &signals[0]),
                check::excludes_moves(context, invariant, &signals[1]),
            ]
        });
        for (never, excluded) in never.iter().zip(excluded.into_iter().flatten()) {
            for (&at, _) in never.iter().zip(excluded).filter(|&(_, is)| is) {
                all[at] = CoverStatus::Never(Method::Reachability);
            }
        }
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
                // Of several methods the last one that does more than play at random is named.
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
}

/// The targets, by number, of which nothing is known.
fn open(all: &[CoverStatus]) -> Vec<usize> {
    let open = (0..all.len()).filter(|&at| matches!(all[at], CoverStatus::Open));
    open.collect()
}
