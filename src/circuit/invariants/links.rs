//! Links: fluents of different variables that exclude each other.
//!
//! Whose turn it is on one board may say whose turn it is on another one, though each is a variable of its own:
//!
//! ```text
//! control(board1,white) | control(board1,black)        not both control(board1,white) and control(board2,white)
//! control(board2,white) | control(board2,black)        not both control(board1,black) and control(board2,black)
//! ```
//!
//! They are mutexes as any others (Helmert, Concise finite-domain representations for PDDL planning tasks, 2009), but
//! conjectured only of variables with few values that take the same course in every play: all pairs would be too many.

use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::invariants::plays::Plays;
use crate::circuit::invariants::variable::Variable;
use crate::circuit::lanes::{and, any};

/// Values of a variable that is linked, at most. Step counters have more, and say whose turn it is without being a
/// variable of the same kind.
const MAX_VALUES: usize = 8;

/// Links at most.
const MAX_LINKS: usize = 256;

/// Two fluents, by place, that exclude each other.
pub(crate) type Link = [usize; 2];

/// Which fluents of variables with the same course in all plays never hold together in these.
pub(super) fn conjecture(plays: &Plays, variables: &[Variable]) -> Vec<Link> {
    let courses = variables.iter().filter_map(|variable| {
        let is_small = (2..=MAX_VALUES).contains(&variable.fluents.len());
        is_small.then(|| course(plays, variable)).flatten()
    });
    let courses: Vec<Course> = courses.collect();
    let mut links = Vec::new();
    for (at, one) in courses.iter().enumerate() {
        for other in &courses[at + 1..] {
            let together: FxHashSet<[usize; 2]> = (one.held.iter().zip(&other.held))
                .filter_map(|(one, other)| Some([(*one)?, (*other)?]))
                .collect();
            let pairs = (one.fluents.iter())
                .flat_map(|&one| other.fluents.iter().map(move |&other| [one, other]));
            links.extend(pairs.filter(|pair| !together.contains(pair)));
            if links.len() > MAX_LINKS {
                return Vec::new();
            }
        }
    }
    links
}

/// What holds of a variable at each time, in all plays alike.
struct Course<'v> {
    fluents: &'v [usize],
    /// By time, the fluent that holds.
    held: Vec<Option<usize>>,
}

/// The course of a variable, if it is the same in all plays and changes.
fn course<'v>(plays: &Plays, variable: &'v Variable) -> Option<Course<'v>> {
    let mut held = Vec::with_capacity(plays.len());
    for (state, &reached) in plays.states.iter().zip(&plays.reached) {
        let mut now = None;
        for &fluent in &variable.fluents {
            let holds = and(state[fluent], reached);
            if holds == reached {
                now = Some(fluent);
            } else if any(holds) {
                return None;
            }
        }
        held.push(now);
    }
    let changes = held.windows(2).any(|pair| pair[0] != pair[1]);
    changes.then_some(Course {
        fluents: &variable.fluents,
        held,
    })
}

/// The fluents of variables, those of linked ones together: what can be chosen for each apart from the others.
pub(crate) fn linked(variables: &[Variable], links: &[Link]) -> Vec<Vec<usize>> {
    let all = || variables.iter().enumerate();
    let variable_of: FxHashMap<usize, usize> = all()
        .flat_map(|(number, variable)| variable.fluents.iter().map(move |&place| (place, number)))
        .collect();
    let mut sets = UnionFind::new(variables.len());
    for [one, other] in links {
        if let (Some(&one), Some(&other)) = (variable_of.get(one), variable_of.get(other)) {
            sets.union(one, other);
        }
    }
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for (number, variable) in all() {
        let place = *places.entry(sets.find(number)).or_insert(blocks.len());
        match blocks.get_mut(place) {
            Some(block) => block.extend(&variable.fluents),
            None => blocks.push(variable.fluents.clone()),
        }
    }
    blocks
}
