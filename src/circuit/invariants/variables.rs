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
use crate::circuit::invariants::links::{self, Link};
use crate::circuit::invariants::plays::{LANES, Plays, Row};
use crate::circuit::invariants::sources::Sources;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::lanes::{and, any, lanes, or, without};
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

/// When a fluent is held, gained and lost; a bit a state of a play.
struct History {
    held: FixedBitSet,
    gained: FixedBitSet,
    lost: FixedBitSet,
}

/// The histories of all fluents, by place and by time: a state of a play.
struct Histories {
    of: Vec<History>,
    gained_at: Vec<Vec<u32>>,
    lost_at: Vec<Vec<u32>>,
}

impl Histories {
    fn of(plays: &Plays, fluents: usize, stop: &StopFlag) -> Result<Self, StopReason> {
        let mut of: Vec<History> = Vec::with_capacity(fluents);
        for place in 0..fluents {
            stop.poll()?;
            of.push(history(plays, place));
        }
        let times = plays.len() * LANES;
        let (mut gained_at, mut lost_at) = (vec![Vec::new(); times], vec![Vec::new(); times]);
        for (place, history) in (0_u32..).zip(&of) {
            history
                .gained
                .ones()
                .for_each(|time| gained_at[time].push(place));
            history
                .lost
                .ones()
                .for_each(|time| lost_at[time].push(place));
        }
        Ok(Self {
            of,
            gained_at,
            lost_at,
        })
    }
}

/// Groups the fluents by what they do in plays.
///
/// # Errors
/// [`StopReason`] from outside.
pub(super) fn conjecture(
    (circuit, sources, plays): (&Circuit, &Sources, &Plays),
    stop: &StopFlag,
) -> Result<Conjecture, StopReason> {
    let places = 0..circuit.fluents.len();
    let changes = |&place: &usize| circuit.fluents[place].holds.constant().is_none();
    let histories = Histories::of(plays, circuit.fluents.len(), stop)?;
    let (mut seen, never): (Vec<usize>, Vec<usize>) = places
        .filter(changes)
        .partition(|&place| !histories.of[place].held.is_clear());
    let mut is_free = vec![false; circuit.fluents.len()];
    seen.iter().for_each(|&place| is_free[place] = true);
    // Groups start with what holds at the start: its losses show what takes its place, unless nothing follows from it.
    let followed = sources.followed(&seen);
    seen.sort_by_key(|&place| {
        let fluent = &circuit.fluents[place];
        (!fluent.initial, !followed.contains(place), place)
    });
    let mut variables = Vec::new();
    for first in seen {
        if !is_free[first] {
            continue;
        }
        stop.poll()?;
        let fluents = group(sources, &histories, first, &is_free);
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

fn history(plays: &Plays, place: usize) -> History {
    let bits = plays.len() * LANES;
    let mut history = History {
        held: FixedBitSet::with_capacity(bits),
        gained: FixedBitSet::with_capacity(bits),
        lost: FixedBitSet::with_capacity(bits),
    };
    let put = |set: &mut FixedBitSet, time: usize, row: Row| {
        set.extend(lanes(row).map(|lane| time * LANES + lane));
    };
    for (time, state) in plays.states.iter().enumerate() {
        put(
            &mut history.held,
            time,
            and(state[place], plays.reached[time]),
        );
        if let Some(next) = plays.states.get(time + 1) {
            let moved = plays.goes_on[time];
            let (now, then) = (and(state[place], moved), and(next[place], moved));
            put(&mut history.gained, time, without(then, now));
            put(&mut history.lost, time, without(now, then));
        }
    }
    history
}

/// The group of a fluent among those that have none.
fn group(sources: &Sources, histories: &Histories, first: usize, is_free: &[bool]) -> Vec<usize> {
    let grow = |is_strict: bool| {
        let mut group = GrowingGroup::new(histories, first);
        group.grow(sources, is_free, is_strict);
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

/// Fluents of which at most one held, growing.
struct GrowingGroup<'h> {
    histories: &'h Histories,
    members: Vec<usize>,
    held: FixedBitSet,
    gained: FixedBitSet,
    lost: FixedBitSet,
    /// Fluents that held together with a member; they never fit again.
    excluded: FixedBitSet,
    /// Fluents that do not fit before there is another member.
    rejected: FixedBitSet,
}

impl<'h> GrowingGroup<'h> {
    fn new(histories: &'h Histories, first: usize) -> Self {
        let History { held, gained, lost } = &histories.of[first];
        Self {
            histories,
            members: vec![first],
            held: held.clone(),
            gained: gained.clone(),
            lost: lost.clone(),
            excluded: FixedBitSet::with_capacity(histories.of.len()),
            rejected: FixedBitSet::with_capacity(histories.of.len()),
        }
    }

    /// Whether a member is gained only when another is lost.
    fn is_balanced(&self) -> bool {
        self.gained.is_subset(&self.lost)
    }

    /// Adds members as long as one explains when others are lost, or gained.
    fn grow(&mut self, sources: &Sources, is_free: &[bool], is_strict: bool) {
        let mut unexplained: Vec<usize> = Vec::new();
        while unexplained.len() < MAX_UNEXPLAINED {
            let one_sided = self.lost.symmetric_difference(&self.gained);
            let Some(time) = one_sided
                .into_iter()
                .find(|time| !unexplained.contains(time))
            else {
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
            match fitting.max_by_key(|&place| self.rank(sources, place)) {
                Some(chosen) => self.add(chosen),
                None => unexplained.push(time),
            }
        }
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
        let fits = !is_strict || gained.is_subset(&self.lost);
        self.rejected.set(place, !fits);
        fits
    }

    /// How well a fluent fits. First of all it follows from a member: `x(10)`, `step(1)` → `x(12)` rather
    /// than `step(2)`. Then it explains more gains and losses than it adds gains. Then it follows from least:
    /// `step(3)` → `step(4)` rather than `step(3)`, `control(red)` → `owner(3,red)`.
    fn rank(&self, sources: &Sources, place: usize) -> (bool, isize, Reverse<(usize, usize)>) {
        let History { gained, lost, .. } = &self.histories.of[place];
        let of = sources.of(place);
        let follows = self.members.iter().any(|&member| of.contains(member));
        let explained =
            both_but(gained, &self.lost, &self.gained) + both_but(lost, &self.gained, &self.lost);
        let added = gained.difference_count(&self.lost);
        let balance = explained.cast_signed() - added.cast_signed();
        let least = Reverse((sources.number(place), place));
        (follows, balance, least)
    }

    fn add(&mut self, place: usize) {
        let History { held, gained, lost } = &self.histories.of[place];
        self.members.push(place);
        self.rejected.clear();
        self.held.union_with(held);
        self.gained.union_with(gained);
        self.lost.union_with(lost);
    }
}

/// How many elements two sets have in common that a third one has not.
fn both_but(one: &FixedBitSet, other: &FixedBitSet, not: &FixedBitSet) -> usize {
    let blocks = one
        .as_slice()
        .iter()
        .zip(other.as_slice())
        .zip(not.as_slice());
    blocks
        .map(|((one, other), not)| (one & other & !not).count_ones() as usize)
        .sum()
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
