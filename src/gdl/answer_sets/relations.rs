//! Which relations an answer set program needs, and which of them have a time.

use crate::gdl::keyword::{Keyword, Keywords};
use crate::term::{Clause, DependencyGraph, Functor, PredicateSet, Store};

/// What becomes of the relations of a game.
pub(super) struct Relations {
    /// Those that the keywords need.
    pub(super) needed: PredicateSet,
    /// Those that depend on state or moves.
    pub(super) timed: PredicateSet,
}

impl Relations {
    pub(super) fn of(store: &Store, keywords: &Keywords, clauses: &[Clause]) -> Self {
        let graph = DependencyGraph::of(store, clauses);
        let functors = |words: &[Keyword]| -> Vec<Functor> {
            words.iter().map(|&word| keywords.functor(word)).collect()
        };
        let asked = [Keyword::Init, Keyword::Next, Keyword::Role];
        let of_states = [Keyword::Legal, Keyword::Goal, Keyword::Terminal];
        let given = [Keyword::True, Keyword::Does];
        let needed = graph.reachable(functors(&[&asked[..], &of_states].concat()));
        let mut timed = graph.dependents(functors(&[&of_states[..], &given].concat()));
        // Relations of states have a time even where no rule, or a rule without conditions, gives them.
        timed.extend(functors(&[&of_states[..], &given].concat()));
        Self { needed, timed }
    }
}
