//! What sums depend on: fluents that exclude each other in plays, and fluents that hold only where one of others does.
//!
//! ```text
//! mark(1,1,x) excludes mark(1,1,o)        cell(1,2,red) only where cell(1,1,red) or cell(1,1,black)
//! ```
//!
//! A move is known to fill one square only where stones do not float, and a full board has one stone a square only where
//! colours exclude each other.

use crate::circuit::invariants::equations::views::Item;
use crate::circuit::invariants::plays::{Plays, Row};
use crate::circuit::lanes::{and, any, none, or, without};

/// Fluents, or groups of them, that are compared at most.
const MAX_ITEMS: usize = 300;

/// Exclusions of a kind at most: more are not about squares.
const MAX_EXCLUSIONS: usize = 1_000;

/// Fluents, by place, that hold and fail together in no state: places ascending, and whether they hold.
pub(crate) type Exclusion = Vec<(usize, bool)>;

/// What no state of plays has, of groups and of fluents one by one.
pub(super) fn exclusions(views: &[Vec<Item>], plays: &Plays) -> Vec<Exclusion> {
    let pairs = views.last().map(|singles| {
        let excluded = related(singles, plays, |one, other| !any(and(one, other)));
        let ascending = excluded.into_iter().filter(|(one, other)| one < other);
        let pairs =
            ascending.map(|(one, other)| one.iter().chain(other).map(|&at| (at, true)).collect());
        pairs.collect::<Vec<Exclusion>>()
    });
    let implied = views.first().map(|groups| {
        let implied = related(groups, plays, |one, other| !any(without(one, other)));
        let cubes = implied.into_iter().flat_map(|(one, other)| {
            one.iter().map(move |&place| {
                let others = other.iter().map(|&at| (at, false));
                let mut cube: Exclusion = others.chain([(place, true)]).collect();
                cube.sort_unstable();
                cube
            })
        });
        cubes.collect::<Vec<Exclusion>>()
    });
    let mut all: Vec<Exclusion> = pairs.into_iter().chain(implied).flatten().collect();
    all.iter_mut().for_each(|cube| cube.sort_unstable());
    all
}

/// Pairs of items that are related in all states of plays; none if they are many.
fn related<'i>(
    items: &'i [Item],
    plays: &Plays,
    are_related: impl Fn(Row, Row) -> bool,
) -> Vec<(&'i Item, &'i Item)> {
    let held_at = |item: &Item, time: usize| {
        let fluents = item.iter().map(|&place| plays.states[time][place]);
        and(fluents.fold(none(), or), plays.reached[time])
    };
    let courses = items.iter().map(|item| {
        let held = (0..plays.len()).map(|time| held_at(item, time));
        (item, held.collect::<Vec<Row>>())
    });
    // What never holds excludes everything.
    let courses = courses.filter(|(_, held)| held.iter().any(|&row| any(row)));
    let courses: Vec<(&Item, Vec<Row>)> = courses.collect();
    if courses.len() > MAX_ITEMS {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for (at, (one, held)) in courses.iter().enumerate() {
        for (_, (other, others)) in courses.iter().enumerate().filter(|&(place, _)| place != at) {
            let mut rows = held.iter().zip(others);
            if rows.all(|(&row, &other)| are_related(row, other)) {
                pairs.push((*one, *other));
            }
            if pairs.len() > MAX_EXCLUSIONS {
                return Vec::new();
            }
        }
    }
    pairs
}
