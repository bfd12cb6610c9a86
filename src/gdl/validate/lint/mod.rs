//! What can be played and is hardly ever meant: names that nothing asks for, values that cannot be, rules that add
//! nothing.
//!
//! These are no faults by the definition of the language, so that they are told by `flux check` alone. Each is a
//! pass of its own, and looks for what its author would call a mistake: what is common in good rules is left alone.
//!
//! ```text
//! unused       relations, fluents and moves that nothing asks for
//! values       constants that can never stand where they do
//! variables    names of variables that were mistyped, or lost their question mark
//! fluents      fluents that are forgotten after the first move, or whenever nothing sets them
//! subsumed     rules that another one makes needless
//! notation     signs of other languages
//! ```

mod fluents;
mod notation;
mod subsumed;
mod unused;
mod values;
mod variables;

use crate::gdl::domains::Domains;
use crate::gdl::keyword::{Keyword, Keywords};
use crate::gdl::validate::Rules;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, Sheet};
use crate::term::{DependencyGraph, Functor, Store};

/// What is odd about the rules of a game that has no errors.
pub fn lint(store: &mut Store, rules: Rules<'_>) -> Findings {
    let keywords = Keywords::of(store);
    let domains = Domains::of(store, &keywords, rules.clauses);
    let sheet = Sheet {
        store,
        source: rules.source,
        document: rules.document,
        clauses: rules.clauses,
        keywords: &keywords,
        graph: DependencyGraph::of(store, rules.clauses),
    };
    let mut found = Findings::default();
    notation::check(&sheet, &mut found);
    unused::check(&sheet, &mut found);
    values::check(&sheet, &domains, &mut found);
    variables::check(&sheet, &mut found);
    fluents::check(&sheet, &mut found);
    subsumed::check(&sheet, &mut found);
    found
}

/// The keyword of an atom, and the argument that is a fluent or a move.
fn subject(sheet: &Sheet<'_>, atom: Place) -> Option<(Keyword, Place)> {
    let keyword = sheet.keywords.predicate(sheet.store.functor(atom.term)?)?;
    let index = match keyword {
        Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => 0,
        Keyword::Legal | Keyword::Does | Keyword::Input => 1,
        Keyword::Role
        | Keyword::Goal
        | Keyword::Terminal
        | Keyword::Distinct
        | Keyword::Not
        | Keyword::Or
        | Keyword::And
        | Keyword::If => return None,
    };
    Some((keyword, sheet.arguments(atom).nth(index)?))
}

/// The function of a place, if it is no variable.
fn functor(sheet: &Sheet<'_>, place: Place) -> Option<Functor> {
    sheet.store.functor(place.term)
}
