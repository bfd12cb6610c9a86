//! Choosing what to maintain, by trying it out.
//!
//! Whether maintenance pays depends on how much of what follows from a state changes with a move,
//! and on how much of it is asked for. So a few random playouts are made again and again, with more
//! and more predicates maintained, callees before callers, and with fewer and fewer, callers before
//! callees; what took the least work, counted in steps of known cost, is kept.

use rustc_hash::{FxHashMap, FxHashSet};

use rand::RngExt;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::gdl::goal::RoleId;
use crate::gdl::reasoner::Reasoner;
use crate::gdl::state::State;
use crate::gdl::tabled::Tabled;
use crate::gdl::vocabulary::Vocabulary;
use crate::rules::Unmaintained;
use crate::term::{DependencyGraph, Functor};

/// Playouts that a choice of predicates is tried on, at most.
const PLAYOUTS: u64 = 8;

/// Joint moves of such a playout, at most.
const MOVES: u64 = 120;

/// What a step of evaluation costs. It is about ten nanoseconds a unit, a fit to the times that the
/// games of `benches/panel.rs` took with and without maintenance.
const EVALUATION_COST: u64 = 2;

/// What a step of maintenance costs, in the same unit.
const MAINTENANCE_COST: u64 = 1;

/// Once the playouts took so much work without maintenance, there are enough of them.
const ENOUGH_WORK: u64 = 200_000;

/// Nor does a playout go on when so many steps were taken.
const MOST_STEPS: u64 = 1_000_000;

/// Rounds in which each predicate that is left is tried to do without.
const ROUNDS: usize = 3;

/// Maintenance must save so much of the work.
const WORTHWHILE_PERCENT: u64 = 10;

/// Of so many moves, all but one must end every fluent of a volatile functor.
const VOLATILE_SHARE: u64 = 8;

/// The trials on one version of the rules.
pub(super) struct Trial<'t> {
    pub(super) tabled: &'t mut Tabled,
    pub(super) vocabulary: &'t mut Vocabulary,
    pub(super) graph: &'t DependencyGraph,
    pub(super) roles: u32,
    pub(super) practice: Practice,
    pub(super) refusals: Vec<Unmaintained>,
}

/// How many moves to make to find out what something costs.
#[derive(Clone, Debug, Default)]
pub(super) struct Practice {
    /// For each playout, its number of moves.
    lengths: Vec<u64>,
    /// The work that they take without maintenance.
    work: u64,
}

impl Trial<'_> {
    /// Decides on the practice and gives the functors of fluents that last for one state only.
    /// None if the evaluation was stopped or the game cannot be played.
    pub(super) fn volatile(&mut self) -> Option<FxHashSet<Functor>> {
        let mut moves_made = 0;
        let mut seen: FxHashMap<Functor, (u64, u64)> = FxHashMap::default();
        while (self.practice.lengths.len() as u64) < PLAYOUTS && self.practice.work < ENOUGH_WORK {
            let before = self.work_so_far();
            let number = self.practice.lengths.len() as u64;
            // Playouts by chance, with their number as seed: each version of the rules plays the same ones.
            let length = self.play(number, MOVES, &mut |vocabulary, old, new| {
                moves_made += 1;
                let mut functors: FxHashMap<Functor, bool> = FxHashMap::default();
                for fluent in old.fluents() {
                    let store = vocabulary.store();
                    if let Some(functor) = store.functor(vocabulary.fluent_term(fluent)) {
                        // By functor: whether one instance at least outlasts the move. A functor is volatile if
                        // none does, as with `control(P)`.
                        *functors.entry(functor).or_default() |= new.contains(fluent);
                    }
                }
                for (functor, lasted) in functors {
                    let counts = seen.entry(functor).or_default();
                    counts.0 += 1;
                    counts.1 += u64::from(lasted);
                }
            })?;
            self.practice.lengths.push(length);
            self.practice.work += self.work_so_far() - before;
        }
        // Seven of eight moves end all of its instances.
        let volatile = seen.into_iter().filter(|(_, (times, lasted))| {
            // Fluents that are seldom there do no harm in a body.
            times * 2 >= moves_made && lasted * VOLATILE_SHARE <= *times
        });
        Some(volatile.map(|(functor, _)| functor).collect())
    }

    /// The predicates with which the playouts took the least work; none if that is hardly less than
    /// without any.
    pub(super) fn choose(&mut self) -> Option<Vec<Functor>> {
        let all = self.candidates();
        let nothing = self.work()?;
        // Two starting points, from above and from below, as the cost is not monotone: a view that pays alone may
        // not pay beside others.
        let (all, work) = self.feasible(all)?;
        let (few, work_of_few) = self.grown(&all, nothing)?;
        let (mut chosen, mut least) = if work_of_few < work {
            (few, work_of_few)
        } else {
            (all, work)
        };
        // Hill climbing: leave out one predicate at a time, callers before callees, as long as that saves work.
        for _ in 0..ROUNDS {
            let before = least;
            for predicate in chosen.clone().into_iter().rev() {
                for set in self.reduced(&chosen, predicate) {
                    let (set, work) = self.feasible(set)?;
                    if work < least {
                        (chosen, least) = (set, work);
                    }
                }
            }
            if least == before {
                break;
            }
        }
        // The estimate is rough: a small saving is not worth the memory of the views.
        if least * 100 > nothing * (100 - WORTHWHILE_PERCENT) {
            chosen.clear();
        }
        Some(chosen)
    }

    /// What comes of maintaining one predicate after the other, each with all that it calls, as long
    /// as it saves work.
    fn grown(&mut self, all: &[Functor], nothing: u64) -> Option<(Vec<Functor>, u64)> {
        let (mut grown, mut least) = (Vec::new(), nothing);
        for &predicate in all {
            // A predicate with all that it calls, added to what was grown so far.
            let called = self.graph.reachable([predicate]);
            let more = without(all, |other| {
                !called.contains(other) && !grown.contains(other)
            });
            // It may be grown already, as a callee of another one.
            if more.len() > grown.len() {
                let (set, work) = self.feasible(more)?;
                if work < least {
                    (grown, least) = (set, work);
                }
            }
        }
        Some((grown, least))
    }

    /// The sets to try in place of one that has a predicate: without it there is none of those that
    /// depend on it, but there may be those that it depends on, or only those of them that others
    /// depend on as well.
    fn reduced(&self, chosen: &[Functor], predicate: Functor) -> Vec<Vec<Functor>> {
        // It went with another one.
        if !chosen.contains(&predicate) {
            return Vec::new();
        }
        let callers = self.graph.dependents([predicate]);
        let fewer = without(chosen, |other| callers.contains(other));
        let below = self.graph.reachable([predicate]);
        // What the predicate alone needed can go too, if nothing that stays depends on it.
        let needed = self
            .graph
            .reachable(without(&fewer, |other| below.contains(other)));
        let fewest = without(&fewer, |other| {
            below.contains(other) && !needed.contains(other)
        });
        if fewer == fewest {
            vec![fewer]
        } else {
            vec![fewer, fewest]
        }
    }

    /// What the questions about a state depend on, callees first.
    fn candidates(&mut self) -> Vec<Functor> {
        let asked = self.graph.reachable(self.tabled.asked());
        let candidates = self.tabled.rules().maintainable();
        without(&candidates, |predicate| !asked.contains(predicate))
    }

    /// Maintains as many of some predicates as is possible; gives these, and the work it took.
    fn feasible(&mut self, mut set: Vec<Functor>) -> Option<(Vec<Functor>, u64)> {
        // A refused predicate takes its callers with it: they need it to be maintained.
        loop {
            let store = self.vocabulary.store_mut();
            let refusal = match self.tabled.maintain(store, &set) {
                // Stopped, if there is no predicate to blame.
                Err(refusal) => refusal?,
                Ok(()) => {
                    let work = self.work()?;
                    match self.tabled.rules().refusal() {
                        None => return Some((set, work)),
                        // Refused while it was used: too many rows, or too much work.
                        Some(refusal) => refusal,
                    }
                }
            };
            self.refusals.push(refusal);
            let callers = self.graph.dependents([refusal.predicate]);
            set = without(&set, |predicate| callers.contains(predicate));
        }
    }

    /// The work of the practice with what is maintained now.
    fn work(&mut self) -> Option<u64> {
        let before = self.work_so_far();
        for number in 0..self.practice.lengths.len() {
            // The same playouts, by their numbers, with the same lengths: the work is comparable.
            let length = self.practice.lengths[number];
            self.play(number as u64, length, &mut |_, _, _| ())?;
        }
        Some(self.work_so_far().saturating_sub(before))
    }

    fn work_so_far(&self) -> u64 {
        let (evaluation, maintenance) = self.tabled.rules().work();
        evaluation * EVALUATION_COST + maintenance * MAINTENANCE_COST
    }

    /// Makes a playout and gives its length.
    fn play(
        &mut self,
        number: u64,
        most: u64,
        observe: &mut dyn FnMut(&Vocabulary, &State, &State),
    ) -> Option<u64> {
        let Self {
            tabled, vocabulary, ..
        } = self;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let mut state = tabled.initial_state(vocabulary).ok()?;
        let (mut moves, mut joint_move) = (Vec::new(), Vec::new());
        let start = tabled.rules().work().0;
        for length in 0..most {
            if tabled.is_terminal(vocabulary, &state).ok()?
                // A game whose moves are dear is tried on fewer of them.
                || tabled.rules().work().0 > start + MOST_STEPS
            {
                return Some(length);
            }
            joint_move.clear();
            for role in (0..self.roles).map(RoleId) {
                tabled
                    .legal_moves(vocabulary, &state, role, &mut moves)
                    .ok()?;
                let Some(mv) = vocabulary.choose(&moves, random.random()) else {
                    return Some(length);
                };
                joint_move.push(mv);
            }
            let next = tabled.successor(vocabulary, &state, &joint_move).ok()?;
            observe(vocabulary, &state, &next);
            state = next;
        }
        Some(most)
    }
}

/// The members of a set but for those to drop.
fn without(set: &[Functor], drop: impl Fn(&Functor) -> bool) -> Vec<Functor> {
    let kept = set.iter().copied().filter(|predicate| !drop(predicate));
    kept.collect()
}
