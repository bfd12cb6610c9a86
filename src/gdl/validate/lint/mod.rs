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
mod subject;
mod subsumed;
mod unused;
mod values;
mod variables;

use crate::gdl::domains::Domains;
use crate::gdl::keyword::Keywords;
use crate::gdl::validate::Rules;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::Sheet;
use crate::term::{DependencyGraph, Store};

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
