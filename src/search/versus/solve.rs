//! Which algorithm is tried when: turns with growing budgets of states, never of time.

use crate::gdl::Reasoner;
use crate::search::halt::Halt;
use crate::search::versus::arena::Arena;
use crate::search::versus::certificate::Strategy;
use crate::search::versus::evidence::{strategies, table};
use crate::search::versus::game_search::{FIRST_TURN, GameSearch, MOST_NODES};
use crate::search::versus::layers::Growth;
use crate::search::versus::outcome::{ForcingAlgorithm, ForcingOutcome, Gap};
use crate::search::versus::weak::{LATE, TurnResult, WeakAlgorithm};

/// States of a game of which all are expanded before anything else is tried.
const SMALL: u64 = 25_000;

/// How much larger each turn is than the one before.
const GROWTH: u64 = 4;

/// Finds what each role can force from the start.
///
/// Every role has bounds, that is what was proved before a limit was reached, if one was.
pub fn solve<R: Reasoner>(mut arena: Arena<'_, R>, algorithm: ForcingAlgorithm) -> ForcingOutcome {
    let mut search = GameSearch::new(&arena.setting, algorithm);
    let done = run(&mut search, &mut arena, algorithm);
    let done = done.and_then(|gap| {
        search.weak_line(&mut arena)?;
        Ok(gap)
    });
    let strategies = match (&done, arena.setting.is_certified) {
        (Ok(_), true) => strategies(&mut search, &mut arena),
        (Ok(_), false) | (Err(_), _) => Ok(Vec::new()),
    };
    let table = match (&done, arena.setting.is_tabled) {
        (Ok(_), true) => table(&mut search, &arena.setting.limits.stop),
        (Ok(_), false) | (Err(_), _) => Ok(None),
    };
    // A stop while strategies are taken leaves the bounds, and is told as the end of the search.
    let mut outcome = match strategies {
        Ok(strategies) => outcome(search, arena, done, strategies),
        Err(halt) => outcome(search, arena, Err(halt), Vec::new()),
    };
    match table {
        Ok(table) => outcome.table = table,
        Err(reason) => outcome.halt = outcome.halt.or(Some(reason.into())),
    }
    outcome
}

/// Searches until everything is decided, or cannot be.
fn run<R: Reasoner>(
    search: &mut GameSearch,
    arena: &mut Arena<'_, R>,
    algorithm: ForcingAlgorithm,
) -> Result<Option<Gap>, Halt> {
    let (is_done, gap) = match algorithm {
        ForcingAlgorithm::Auto => return turns(search, arena),
        ForcingAlgorithm::Proof => return alone(search, arena, WeakAlgorithm::Proof),
        ForcingAlgorithm::AlphaBeta => return alone(search, arena, WeakAlgorithm::AlphaBeta),
        ForcingAlgorithm::Parts => (search.parts(arena)?, Gap::NoParts),
        ForcingAlgorithm::Strong => (search.strong(arena, u64::MAX)?, Gap::TooLarge),
        ForcingAlgorithm::Retrograde => (search.retrograde(arena, u64::MAX)?, Gap::TooLarge),
        ForcingAlgorithm::Layers => {
            let growth = search.layered(arena, u64::MAX)?;
            (growth == Growth::Whole, Gap::NoLayers)
        }
        ForcingAlgorithm::Replies => {
            search.weak.assure(arena, u64::MAX);
            let is_decided = search.constants(arena) || search.replies(arena);
            (is_decided, Gap::NoReplies)
        }
    };
    Ok((!is_done).then_some(gap))
}

/// All algorithms in turns. The graph of all states, layers and tables are kept, so that a larger turn goes on
/// where the last one ended.
fn turns<R: Reasoner>(
    search: &mut GameSearch,
    arena: &mut Arena<'_, R>,
) -> Result<Option<Gap>, Halt> {
    let mut budget = FIRST_TURN;
    let mut weak = vec![WeakAlgorithm::Proof, WeakAlgorithm::AlphaBeta];
    // Where states are few, all of them answer everything at once.
    if search.retrograde(arena, SMALL)? || search.parts(arena)? {
        return Ok(None);
    }
    // What others can keep a role from by never moving is found before the first joint move of six roles.
    if search.constants(arena) {
        return Ok(None);
    }
    // Where some measure grows, a search of the start comes to ends before it comes to so many states. Without one
    // it goes astray; and with more roles than two, all states tell more: what roles get under backward induction.
    // Where each state has hundreds of joint moves, a graph of all of them grows slowest.
    let is_measured = search.all.len() < SMALL as usize
        || arena.setting.roles == 2 && search.has_layers(arena)?;
    loop {
        // By then it is doubtful that there is room for all states.
        let is_start_first = is_measured || arena.setting.roles == 2 && budget > LATE;
        // What is proved of the rules takes seconds, and no states, of which there are many by now.
        if budget >= LATE {
            search.weak.assure(arena, budget);
            if search.equals().is_some() || search.constants(arena) || search.replies(arena) {
                return Ok(None);
            }
        }
        if !is_start_first && search.strong(arena, budget)? {
            return Ok(None);
        }
        for by in weak.clone() {
            match search.weak(arena, by, budget)? {
                TurnResult::Decided if search.is_open_by_chance() => {
                    weak.clear();
                    break;
                }
                TurnResult::Decided => {
                    // Backward induction takes all states. What stops it leaves what is known.
                    if search.kind().needs_induction(arena.setting.roles) {
                        let _ = search.strong(arena, budget.saturating_mul(GROWTH));
                    }
                    return Ok(None);
                }
                TurnResult::Open => {}
                TurnResult::Stuck(_) => weak.retain(|&other| other != by),
            }
        }
        if is_start_first && search.strong(arena, budget)? {
            return Ok(None);
        }
        // Where there is no room for a graph, the start alone may still be decided.
        if search.all.len() >= MOST_NODES || search.is_given_up && weak.is_empty() {
            return Ok(Some(Gap::TooLarge));
        }
        budget = budget.saturating_mul(GROWTH);
    }
}

/// One algorithm for the start alone.
fn alone<R: Reasoner>(
    search: &mut GameSearch,
    arena: &mut Arena<'_, R>,
    by: WeakAlgorithm,
) -> Result<Option<Gap>, Halt> {
    let mut budget = FIRST_TURN;
    loop {
        match search.weak(arena, by, budget)? {
            TurnResult::Decided => return Ok(None),
            TurnResult::Open => budget = budget.saturating_mul(GROWTH),
            TurnResult::Stuck(gap) => return Ok(Some(gap)),
        }
    }
}

/// What is told of a search: what is known when it ends, and why it did.
fn outcome<R>(
    search: GameSearch,
    arena: Arena<'_, R>,
    done: Result<Option<Gap>, Halt>,
    strategies: Vec<Strategy>,
) -> ForcingOutcome {
    let kind = search.kind();
    let known = search.solution.as_ref();
    let mixed = known.and_then(|known| known.mixed.clone());
    ForcingOutcome {
        is_forced: search.start.is_forced(),
        bounds: search.start.bounds(),
        kind,
        line_ends: known.is_some_and(|known| known.line_ends),
        tally: known.and_then(|known| known.tally),
        induced: known.and_then(|known| known.induced.clone()),
        mixed: mixed.or_else(|| search.equals()),
        replies: search.weak.replies().to_vec(),
        constants: search.weak.constants().to_vec(),
        line: search.solution.map(|solution| solution.line),
        states: arena.meter.expanded,
        algorithm: search.algorithm,
        faults: arena.meter.faults,
        strategies,
        table: None,
        gap: done.as_ref().ok().copied().flatten(),
        halt: done.err(),
    }
}
