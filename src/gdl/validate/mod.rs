//! Whether rules are a well-formed game: all faults of a rule sheet, each with its place.
//!
//! What cannot be played is an error; what can be played but is not what the language asks for is
//! a warning. Every check is a pass over the clauses of its own and independent of the others,
//! but for one thing: a clause that makes no sense as a clause (its head is a variable, a `not`
//! has no argument) is reported for that alone, and the later passes leave it out. So one mistake
//! is one message.
//!
//! ```text
//! shape         is every sentence made of atoms and connectives, the reserved words at their places?
//! relations     are role, legal, goal, terminal there?
//! safety        is every variable bound?
//! dependencies  is nothing asked before it is known?
//! recursion     does it end, and is negation not part of it?
//! vocabulary    arities, spellings, names that nothing defines, duplicates
//! values        goals from 0 to 100
//! ```
//!
//! Source: \[LHHSG08\], the definitions of the syntax, of safety, stratification and the recursion
//! restriction, and the constraints on each game relation. DIVERGENCE: that paper refuses many
//! texts that have one obvious meaning; they are played here, with a warning (see
//! `docs/diagnostics.md` for the line between the two).

mod dependencies;
mod findings;
mod lint;
mod names;
mod recursion;
mod relations;
mod safety;
mod shape;
mod sheet;
mod values;
mod vocabulary;

use crate::gdl::keyword::Keywords;
use crate::syntax::{Document, Source};
use crate::term::{Clause, DependencyGraph, SpellingClash, Store, SymbolId};
pub use findings::{Findings, MOST_WARNINGS};
pub use lint::lint;
use sheet::Sheet;
pub(crate) use sheet::similar;

/// Whether the sentences under validation are all that the text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of them.
    Whole,
    /// Some were left out because of faults of syntax, so nothing can be said of what is missing.
    Part,
}

/// The rules of a game as they come from the lower layers.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The text.
    pub source: &'a Source,
    /// Its tree.
    pub document: &'a Document,
    /// Its clauses, whose origins lie in `document`.
    pub clauses: &'a [Clause],
    /// Whether the tree is that of the whole text.
    pub extent: Extent,
}

/// All faults of the rules of a game. The game can be played if none of them is an error.
pub fn validate<'c>(
    store: &mut Store,
    rules: Rules<'_>,
    clashes: impl IntoIterator<Item = (SymbolId, &'c SpellingClash)>,
) -> Findings {
    let keywords = Keywords::of(store);
    let sheet = Sheet {
        store,
        source: rules.source,
        document: rules.document,
        clauses: rules.clauses,
        keywords: &keywords,
        graph: DependencyGraph::of(store, rules.clauses),
    };
    let mut found = Findings::default();
    // AFTER THIS POINT: `sound[i]` says that clause i is made of atoms and connectives.
    let sound = shape::check(&sheet, &mut found);
    if rules.extent == Extent::Whole {
        let all_sound = sound.iter().all(|&sound| sound);
        relations::check(&sheet, all_sound, &mut found);
        names::check(&sheet, &mut found);
    }
    // AFTER THIS POINT: `safe[i]` says that all variables of clause i are bound.
    let safe = safety::check(&sheet, &sound, &mut found);
    dependencies::check(&sheet, &mut found);
    recursion::check(&sheet, &safe, &mut found);
    vocabulary::check(&sheet, &mut found);
    vocabulary::spellings(&sheet, clashes, &mut found);
    values::check(&sheet, &mut found);
    found
}
