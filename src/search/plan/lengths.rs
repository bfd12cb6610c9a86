//! The best plan where every subgame ends the game by itself: subgames have nothing but time in common
//! then.
//!
//! A plan passes no end, so that before its last move no subgame is at an end, and after it the one
//! that moved last is, or the time is over. So what is asked of each subgame is a number of moves: for
//! each evaluation of its concepts, how many moves it can take to get there. A goal value is a
//! disjunction of ways, each of which asks something of each subgame; numbers of moves that do so are
//! added up, subgame by subgame, once without an end and once with one:
//!
//! ```text
//! gold(left) after 2, 4, 6, … moves     gold(right) after 3 or 5     end at time 10
//! both after 5, 7, 9, 11, …             4 and 5: 9 moves, and one to wait for the end
//! ```
//!
//! The cost is the sum over the subgames, where that of all combinations is the product.

use fixedbitset::FixedBitSet;

use crate::analysis::Cube;
use crate::gdl::{GoalValue, MoveId, Reasoner};
use crate::search::halt::Halt;
use crate::search::plan::clock::Clock;
use crate::search::plan::local::LocalGraph;
use crate::search::plan::outcome::Proof;
use crate::search::plan::parts::{Evaluation, Parts};
use crate::search::plan::problem::Problem;
use crate::search::plan::product::Product;
use crate::search::plan::reach::{Lengths, Reach};

/// Ways to the end, or to a goal value, that are told apart.
pub(super) const MAX_WAYS: usize = 4096;

/// Searches for the best plan; nothing if the end is not one of single subgames or of the time, or if
/// it is not known when the time is over.
///
/// # Errors
/// [`Halt`] if a limit was reached before; the problem keeps the best plan.
pub(super) fn search<R: Reasoner>(
    problem: &mut Problem<'_, R>,
    parts: &mut Parts<'_>,
    (clock, graphs): (&mut Clock, &mut [LocalGraph]),
    product: &Product,
) -> Result<Option<Proof>, Halt> {
    let longest = clock.deadline(problem, parts)?;
    if !is_end_of_parts(parts) || !(longest.is_some() || clock.is_idle()) {
        return Ok(None);
    }
    let mut reaches = Vec::new();
    for quotient in &product.quotients {
        match Reach::of(problem, quotient, longest)? {
            Some(reach) => reaches.push(reach),
            None => return Ok(None),
        }
    }
    let Some(values) = values(parts) else {
        return Ok(None);
    };
    let mut times = Vec::new();
    for time in 0..=longest.unwrap_or(0) {
        times.push(clock.at(problem, parts, time)?.clone());
    }
    let search = ByLength {
        product,
        reaches,
        longest,
        times,
    };
    for (value, ways) in values {
        if problem.best_value().is_some_and(|best| value <= best) {
            break;
        }
        let Some(found) = search.best(problem, parts, &ways)? else {
            continue;
        };
        let plan = search.plan(problem, parts, graphs, &found)?;
        problem.play(&plan)?;
        // Rules that give two values at once, or a plan that could not be had: others must look.
        if problem.best_value() != Some(value) {
            return Ok(None);
        }
    }
    Ok(Some(problem.proof_or(Proof::AllSubgames)))
}

/// Whether the end has come exactly if the concepts of one part alone say so.
pub(super) fn is_end_of_parts(parts: &Parts<'_>) -> bool {
    let conditions = parts.conditions;
    let ways = conditions.all_ways(conditions.end(), MAX_WAYS);
    let is_of_one = |way: &Cube| {
        (0..=parts.nobody()).any(|part| {
            let own = parts.concepts(part);
            !way.is_empty() && way.iter().all(|&(leaf, _)| own.contains(leaf))
        })
    };
    ways.is_some_and(|ways| ways.iter().all(is_of_one))
}

/// The goal values with the ways to each, the highest first; nothing if there are too many ways.
fn values(parts: &Parts<'_>) -> Option<Vec<(GoalValue, Vec<Cube>)>> {
    let conditions = parts.conditions;
    let values = parts.payoffs().into_iter();
    let values = values.map(|(value, question)| {
        let ways = conditions.all_ways(question, MAX_WAYS)?;
        Some((value, ways))
    });
    values.collect()
}

/// What every subgame can be after how many moves.
struct ByLength<'p> {
    product: &'p Product,
    /// By part.
    reaches: Vec<Reach>,
    /// When the time is over; none if it never is and does not matter.
    longest: Option<usize>,
    /// By time, the concepts of what nobody changes.
    times: Vec<Evaluation>,
}

/// Numbers of moves that do what a way asks for.
#[derive(Clone, Default)]
struct Sums {
    /// Without an end.
    before: Lengths,
    /// The last move, of one subgame, is the end.
    ending: Lengths,
}

/// How a way can be gone.
struct MoveCounts {
    way: Cube,
    /// By part, its moves and whether it comes last and is the end.
    shares: Vec<(usize, bool)>,
    /// Moves that only let time pass.
    waits: usize,
}

impl ByLength<'_> {
    /// The shortest way to go one of some ways.
    fn best<R: Reasoner>(
        &self,
        problem: &Problem<'_, R>,
        parts: &Parts<'_>,
        ways: &[Cube],
    ) -> Result<Option<MoveCounts>, Halt> {
        let mut best: Option<(usize, MoveCounts)> = None;
        for way in ways {
            problem.poll()?;
            let shares: Vec<Sums> = (0..self.reaches.len())
                .map(|part| self.share(parts, part, way))
                .collect();
            // No moves in no part; then part after part is added, all sums being kept for `shared`.
            let mut sums = vec![Sums {
                before: singleton(0),
                ending: Lengths::new(),
            }];
            for share in &shares {
                sums.push(self.added(&sums[sums.len() - 1], share));
            }
            let total = &sums[shares.len()];
            let bound = best.as_ref().map_or(usize::MAX, |&(length, _)| length);
            if let Some((length, is_ending, made)) = self.first(parts, way, total)
                && length < bound
                && let Some(shares) = shared(&sums, &shares, made, is_ending)
            {
                let found = MoveCounts {
                    way: way.clone(),
                    shares,
                    waits: length - made,
                };
                best = Some((length, found));
            }
        }
        Ok(best.map(|(_, found)| found))
    }

    /// After how many moves a part is as a way asks.
    fn share(&self, parts: &Parts<'_>, part: usize, way: &Cube) -> Sums {
        let own = parts.concepts(part);
        let mut share = Sums::default();
        for (&place, lengths) in &self.reaches[part].lengths {
            let held = &self.product.evaluations[place];
            if !fits(held, own, way) {
                continue;
            }
            if is_over(parts, part, held) {
                share.ending.union_with(lengths);
            } else {
                share.before.union_with(lengths);
            }
        }
        // Where time does not matter, the fewest moves do.
        if self.longest.is_none() {
            for lengths in [&mut share.before, &mut share.ending] {
                *lengths = lengths.minimum().map_or_else(Lengths::new, singleton);
            }
        }
        share
    }

    /// Numbers of moves of some parts and one more.
    fn added(&self, sums: &Sums, share: &Sums) -> Sums {
        let mut ending = self.sum(&sums.ending, &share.before);
        // At most one part ends the game: either one of those before, or this one.
        ending.union_with(&self.sum(&sums.before, &share.ending));
        Sums {
            before: self.sum(&sums.before, &share.before),
            ending,
        }
    }

    /// All sums of a number of one and a number of the other, as long as there is time.
    fn sum(&self, some: &Lengths, others: &Lengths) -> Lengths {
        let mut sums = Lengths::new();
        for one in some.ones() {
            for other in others.ones() {
                match self.longest {
                    Some(longest) if one + other > longest => break,
                    _ => sums.grow_and_insert(one + other),
                }
            }
        }
        sums
    }

    /// The first time at which a way is gone and the game over: whether a subgame is its end, and how
    /// many of the moves do more than wait.
    fn first(&self, parts: &Parts<'_>, way: &Cube, sums: &Sums) -> Option<(usize, bool, usize)> {
        let own = parts.concepts(parts.nobody());
        let Some(longest) = self.longest else {
            // Without a deadline some part must end the game, and the clock never changes.
            let made = sums.ending.minimum()?;
            return fits(&self.times[0], own, way).then_some((made, true, made));
        };
        // With waiting, any number of moves up to the time will do, and the fewest are taken; without, it must be the
        // time.
        let made = |lengths: &Lengths, time: usize| match self.product.waiting {
            Some(_) => lengths.minimum().filter(|&made| made <= time),
            None => lengths.contains(time).then_some(time),
        };
        (0..=longest)
            .filter(|&time| fits(&self.times[time], own, way))
            .find_map(|time| {
                // An end by a part comes at any time; without one, the game goes on until the time is over.
                let ending = made(&sums.ending, time).map(|made| (time, true, made));
                let waited = || made(&sums.before, time).map(|made| (time, false, made));
                ending.or_else(|| waited().filter(|_| time == longest))
            })
    }

    /// The moves.
    fn plan<R: Reasoner>(
        &self,
        problem: &mut Problem<'_, R>,
        parts: &mut Parts<'_>,
        graphs: &mut [LocalGraph],
        found: &MoveCounts,
    ) -> Result<Vec<MoveId>, Halt> {
        let (mut plan, mut last) = (Vec::new(), Vec::new());
        for (part, &(length, is_ending)) in found.shares.iter().enumerate() {
            let quotient = &self.product.quotients[part];
            let is_wanted = |place: usize| {
                let held = &self.product.evaluations[place];
                fits(held, parts.concepts(part), &found.way)
                    && is_over(parts, part, held) == is_ending
            };
            let way = self.reaches[part].way(quotient, length, &is_wanted);
            let mut node = 0;
            for class in way.unwrap_or_default() {
                let successors = graphs[part].successors(problem, parts, node)?;
                let mut steps = successors.iter();
                if let Some(&(mv, next)) = steps.find(|&&(_, next)| quotient.classes[next] == class)
                {
                    node = next;
                    let moves = if is_ending { &mut last } else { &mut plan };
                    moves.push(mv);
                }
            }
        }
        let waits = self.product.waiting.into_iter();
        plan.extend(waits.flat_map(|mv| std::iter::repeat_n(mv, found.waits)));
        plan.extend(last);
        Ok(plan)
    }
}

/// How many moves of each part make up a number of moves.
fn shared(
    sums: &[Sums],
    shares: &[Sums],
    mut made: usize,
    mut is_ending: bool,
) -> Option<Vec<(usize, bool)>> {
    let mut found = Vec::new();
    for (share, before) in shares.iter().zip(sums).rev() {
        let of = |lengths: &Lengths, rest: &Lengths| {
            let mut lengths = lengths.ones().take_while(|&length| length <= made);
            lengths.find(|&length| rest.contains(made - length))
        };
        // From the last part to the first: if the end is still to be given to a part, it is to this one if it can be.
        let ending = is_ending.then(|| of(&share.ending, &before.before));
        let (length, ends) = match ending {
            Some(Some(length)) => (length, true),
            Some(None) => (of(&share.before, &before.ending)?, false),
            None => (of(&share.before, &before.before)?, false),
        };
        made -= length;
        is_ending &= !ends;
        found.push((length, ends));
    }
    found.reverse();
    Some(found)
}

/// Whether concepts are as a way asks of their part.
pub(super) fn fits(held: &Evaluation, own: &FixedBitSet, way: &Cube) -> bool {
    let mut asked = way.iter().filter(|&&(leaf, _)| own.contains(leaf));
    asked.all(|&(leaf, value)| held.contains(leaf) == value)
}

/// Whether the game is over because of one part.
fn is_over(parts: &Parts<'_>, part: usize, held: &Evaluation) -> bool {
    let truths = parts.truths_of_part(part, held);
    truths.of(parts.conditions.end()) == Some(true)
}

fn singleton(length: usize) -> Lengths {
    let mut lengths = Lengths::new();
    lengths.grow_and_insert(length);
    lengths
}
