//! Variables: groups of fluents of which at most one holds, found in plays.
//!
//! ```text
//! cell(1,1,b) | cell(1,1,x) | cell(1,1,o)      control(white) | control(black)      step(1) | … | step(7)
//! ```
//!
//! These are the multi-valued variables of Helmert, Concise finite-domain representations for PDDL planning
//! tasks, 2009, found by behaviour instead of by argument positions: a group grows by the fluent that is
//! gained when a member is lost, never held together with one, and in the end never gained otherwise. What plays show
//! is a conjecture; [`crate::circuit::invariants::induction`] proves it.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::circuit::Circuit;
use crate::circuit::invariants::history::{Histories, History, TimeSet};
use crate::circuit::invariants::links::{self, Link};
use crate::circuit::invariants::plays::Plays;
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::lanes::{any, or, without};
use crate::limits::{StopFlag, StopReason};

/// What is conjectured of the fluents of a game.
pub(crate) struct Conjecture {
    pub(crate) variables: Vec<Variable>,
    pub(crate) links: Vec<Link>,
    /// Fluents that hold in no state that was seen.
    pub(crate) never: Vec<usize>,
    /// Fluents that hold in no state that was seen, but after moves from others that are as conjectured.
    pub(crate) gained: FxHashSet<usize>,
    /// Those of them that are members of variables.
    pub(crate) extensions: FxHashSet<usize>,
}

/// Which of several fluents joins a group, if all follow from a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    /// The one that explains most gains and losses.
    Explaining,
    /// The one that follows from most members: the position that is entered, and not the mark on the one that was left.
    Related,
}

/// Groups the fluents by what they do in plays.
///
/// # Errors
/// [`StopReason`] from outside.
pub(super) fn conjecture(
    (circuit, sources, plays): (&Circuit, &Sources, &Plays),
    preference: Preference,
    stop: &StopFlag,
) -> Result<Conjecture, StopReason> {
    let places = 0..circuit.fluents.len();
    let changes = |&place: &usize| circuit.fluents[place].holds.constant().is_none();
    let histories = Histories::of(plays, circuit.fluents.len(), stop)?;
    let (mut seen, never): (Vec<usize>, Vec<usize>) = places
        .filter(changes)
        .partition(|&place| !histories.of[place].held.is_empty());
    let mut is_free = vec![false; circuit.fluents.len()];
    seen.iter().for_each(|&place| is_free[place] = true);
    // Groups start with what holds at the start: its losses show what takes its place, unless nothing follows from it.
    // Those come first of which another fluent is computed from least: a step counter has taken its last steps, which few
    // plays reach, before a cell that happens to change at the same time is looked at.
    let simplest = sources.simplest_followers(&seen);
    seen.sort_by_key(|&place| {
        let follower = simplest[place].unwrap_or(usize::MAX);
        (!circuit.fluents[place].initial, follower, place)
    });
    let mut variables = Vec::new();
    for first in seen {
        if !is_free[first] {
            continue;
        }
        stop.poll()?;
        let known = (sources, &histories, preference);
        let fluents = group(known, first, &is_free);
        fluents.iter().for_each(|&place| is_free[place] = false);
        variables.push(Variable {
            is_exact: is_exact(plays, &fluents),
            fluents,
        });
    }
    variables.sort_by(|one, other| one.fluents.cmp(&other.fluents));
    Ok(Conjecture {
        links: links::conjecture(plays, &variables),
        variables,
        never,
        gained: FxHashSet::default(),
        extensions: FxHashSet::default(),
    })
}

/// The group of a fluent among those that have none.
fn group(
    (sources, histories, preference): (&Sources, &Histories, Preference),
    first: usize,
    is_free: &[bool],
) -> Vec<usize> {
    let grow = |is_strict: bool| {
        let mut group = GrowingGroup::new(histories, first);
        group.grow((sources, preference), is_free, is_strict);
        group
    };
    // A value may be gained when one is lost that is not a member yet. Only what pays off in the end counts.
    let lenient = grow(false);
    let mut members = if lenient.is_balanced() {
        lenient.members
    } else {
        grow(true).members
    };
    members.sort_unstable();
    members
}

/// Gains and losses that are not explained before a group is as large as it gets.
const MAX_UNEXPLAINED: usize = 16;

/// Times at which a fluent is gained, at least, that joins a group of which none holds at the start. Of thousands of
/// fluents that are seldom gained, some pairs take each other's place once or twice by chance.
const MIN_GAINED: usize = 4;

/// How well a fluent fits, compared from the first to the last.
type Rank = (bool, usize, isize, isize, Reverse<usize>);

/// Fluents of which at most one held, growing.
struct GrowingGroup<'h> {
    histories: &'h Histories,
    members: Vec<usize>,
    /// Whether the first member holds at the start.
    is_initial: bool,
    held: TimeSet,
    gained: TimeSet,
    lost: TimeSet,
    /// Fluents that held together with a member; they never fit again.
    excluded: FixedBitSet,
    /// Fluents that do not fit before there is another member.
    rejected: FixedBitSet,
}

impl<'h> GrowingGroup<'h> {
    fn new(histories: &'h Histories, first: usize) -> Self {
        let History { held, gained, lost } = &histories.of[first];
        let is_initial = held.are_from_the_start();
        let [held, gained, lost] =
            [held, gained, lost].map(|times| TimeSet::of(times, histories.times()));
        Self {
            histories,
            members: vec![first],
            is_initial,
            held,
            gained,
            lost,
            excluded: FixedBitSet::with_capacity(histories.of.len()),
            rejected: FixedBitSet::with_capacity(histories.of.len()),
        }
    }

    /// Whether a member is gained only when another is lost.
    fn is_balanced(&self) -> bool {
        self.gained.is_subset(&self.lost)
    }

    /// Adds members as long as one explains when others are lost, or gained.
    fn grow(
        &mut self,
        (sources, preference): (&Sources, Preference),
        is_free: &[bool],
        is_strict: bool,
    ) {
        let mut unexplained: Vec<usize> = Vec::new();
        while unexplained.len() < MAX_UNEXPLAINED {
            let Some(time) = self.one_sided(&unexplained) else {
                return;
            };
            let changed = if self.lost.contains(time) {
                &self.histories.gained_at[time]
            } else {
                &self.histories.lost_at[time]
            };
            let mut fitting: Vec<usize> = changed.iter().map(|&place| place as usize).collect();
            fitting.retain(|&place| is_free[place] && self.fits(place, is_strict));
            let fitting = fitting.into_iter();
            match fitting.max_by_key(|&place| self.rank(sources, preference, place)) {
                Some(chosen) => self.add(chosen),
                None => unexplained.push(time),
            }
        }
    }

    /// The first time at which a member is lost and none gained, or if there is no such, the reverse, but for some.
    fn one_sided(&self, but: &[usize]) -> Option<usize> {
        let lost = self.lost.difference(&self.gained);
        let mut one_sided = lost.chain(self.gained.difference(&self.lost));
        one_sided.find(|time| !but.contains(time))
    }

    fn fits(&mut self, place: usize, is_strict: bool) -> bool {
        if self.excluded.contains(place) || self.rejected.contains(place) {
            return false;
        }
        let History { held, gained, .. } = &self.histories.of[place];
        if !held.is_disjoint(&self.held) {
            self.excluded.insert(place);
            return false;
        }
        let is_chance = !self.is_initial && (1..MIN_GAINED).contains(&gained.count());
        let fits = !is_strict || !is_chance && gained.is_subset(&self.lost);
        self.rejected.set(place, !fits);
        fits
    }

    /// How well a fluent fits. First of all it follows from a member: `x(10)`, `step(1)` → `x(12)` rather
    /// than `step(2)`. Then it explains more gains and losses than it adds gains. Then it follows from least:
    /// `step(3)` → `step(4)` rather than `step(3)`, `control(red)` → `owner(3,red)`. Where related ones are preferred, it
    /// follows from more members before anything is explained, and from most fluents in the end.
    fn rank(&self, sources: &Sources, preference: Preference, place: usize) -> Rank {
        let History { gained, lost, .. } = &self.histories.of[place];
        let of = sources.of(place);
        let members = self.members.iter();
        let related = members.filter(|&&member| of.contains(member)).count();
        let explained = gained.count_in_but(&self.lost, &self.gained)
            + lost.count_in_but(&self.gained, &self.lost);
        let added = gained.count_outside(&self.lost);
        let balance = explained.cast_signed() - added.cast_signed();
        let number = sources.number(place).cast_signed();
        let (closeness, number) = match preference {
            Preference::Explaining => (0, -number),
            Preference::Related => (related, number),
        };
        (related > 0, closeness, balance, number, Reverse(place))
    }

    fn add(&mut self, place: usize) {
        let History { held, gained, lost } = &self.histories.of[place];
        self.members.push(place);
        self.rejected.clear();
        self.held.extend(held);
        self.gained.extend(gained);
        self.lost.extend(lost);
    }
}

/// Whether one of the fluents holds in every state of the plays.
fn is_exact(plays: &Plays, fluents: &[usize]) -> bool {
    plays
        .states
        .iter()
        .zip(&plays.reached)
        .all(|(state, &reached)| {
            let some = fluents
                .iter()
                .fold([0; 4], |some, &fluent| or(some, state[fluent]));
            !any(without(reached, some))
        })
}
