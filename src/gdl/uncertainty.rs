//! Chance and hidden information: what GDL-II has and GDL has not.
//!
//! Both leave states, moves and ends as they are, so such games can be asked about, replayed, translated and
//! played at random. What depends on who knows what, or on who wants what, would be wrong; whoever finds that
//! out asks here first.
//!
//! Source: \[Thi10\].

use crate::gdl::codes::{CHANCE, Fault, HIDDEN};
use crate::gdl::game::Game;
use crate::term::{Clause, Functor, Store, calls};

/// The role that stands for chance.
const RANDOM: &str = "random";

/// The relation that says what a role gets to know.
const SEES: &str = "sees";

/// What makes a game one of GDL-II.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncertainty {
    /// A role `random`.
    Chance,
    /// Rules of `sees`.
    Hidden,
}

impl Uncertainty {
    /// The fault of which rules are told.
    pub(crate) fn fault(self) -> &'static Fault {
        match self {
            Uncertainty::Chance => &CHANCE,
            Uncertainty::Hidden => &HIDDEN,
        }
    }

    /// Why somebody refuses such a game.
    pub fn refusal(self, who: &str) -> String {
        let reason = match self {
            Uncertainty::Chance => {
                "the role `random` moves by chance, and would be taken for a player"
            }
            Uncertainty::Hidden => {
                "roles know only what `sees` tells them, and would be taken to know everything"
            }
        };
        let code = self.fault().code;
        format!("{who} is not for games of GDL-II: {reason} (flux check --explain {code})")
    }
}

impl Game {
    /// What makes it a game of GDL-II, if it is one.
    pub fn uncertainty(&self, store: &Store) -> Option<Uncertainty> {
        let mut found = uncertainties(store, self.clauses());
        found.next().map(|(_, uncertainty)| uncertainty)
    }
}

/// The first clause of each kind that makes a game one of GDL-II.
///
/// A relation `sees` on which conditions depend is one of the game's own.
pub(super) fn uncertainties(
    store: &Store,
    clauses: &[Clause],
) -> impl Iterator<Item = (usize, Uncertainty)> {
    let is = |functor: Option<Functor>, name: &str, arity: u32| {
        functor.is_some_and(|f| f.arity == arity && store.name(f.symbol) == name)
    };
    let chance = clauses.iter().position(|clause| {
        let role = store.arguments(clause.head).first();
        is(store.functor(clause.head), "role", 1)
            && role.is_some_and(|&role| is(store.functor(role), RANDOM, 0))
    });
    let sees = |clause: &Clause| is(store.functor(clause.head), SEES, 2);
    let asked = |clause: &Clause| {
        let called = clause
            .body
            .iter()
            .flat_map(|&literal| calls(store, literal));
        called
            .into_iter()
            .any(|call| is(store.functor(call.atom), SEES, 2))
    };
    let hidden = clauses.iter().position(sees);
    let hidden = hidden.filter(|_| !clauses.iter().any(asked));
    let chance = chance.map(|clause| (clause, Uncertainty::Chance));
    let hidden = hidden.map(|clause| (clause, Uncertainty::Hidden));
    chance.into_iter().chain(hidden)
}
