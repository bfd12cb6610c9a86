//! Names that nothing defines: relations without clauses, fluents that no rule makes true, moves
//! that are never legal, roles that do not take part.
//!
//! Such a condition never holds, which is hardly ever meant; most are typing errors, so the
//! message proposes the nearest name that there is. Each name is reported once, at its first
//! occurrence.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::gdl::codes::{self, Fault};
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, Sheet, similar};
use crate::term::{Functor, PredicateSet, Store, SymbolId, Term, TermId};

/// The functors of the terms that can stand at some place.
enum Forms {
    /// Exactly these.
    Known(PredicateSet),
    /// A rule has a variable there, so anything may.
    Anything,
}

/// Reports all names that nothing defines.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    let heads: Vec<Place> = sheet
        .clauses
        .iter()
        .map(|clause| sheet.head(clause))
        .collect();
    let calls = sheet.clauses.iter().flat_map(|clause| sheet.calls(clause));
    let calls: Vec<Place> = calls.collect();
    relations(sheet, &heads, &calls, found);
    fluents(sheet, &heads, &calls, found);
    moves(sheet, &heads, &calls, found);
    roles(sheet, &heads, &calls, found);
}

fn relations(sheet: &Sheet<'_>, heads: &[Place], calls: &[Place], found: &mut Findings) {
    let defined: PredicateSet = heads
        .iter()
        .filter_map(|head| sheet.store.functor(head.term))
        .collect();
    let symbols: FxHashSet<SymbolId> = defined.iter().map(|functor| functor.symbol).collect();
    let mut missing: IndexMap<Functor, (Place, usize), FxBuildHasher> = IndexMap::default();
    for call in calls {
        let Some(functor) = sheet.store.functor(call.term) else {
            continue;
        };
        // With another number of arguments it is reported by the check of arities.
        let is_known = symbols.contains(&functor.symbol);
        if !is_known && sheet.keywords.keyword(functor.symbol).is_none() {
            missing.entry(functor).or_insert((*call, 0)).1 += 1;
        }
    }
    for (functor, (place, count)) in missing {
        let name = sheet.name(functor);
        let message = format!("nothing defines the relation `{name}`");
        let candidates = defined
            .iter()
            .filter(|other| sheet.keywords.keyword(other.symbol).is_none());
        let nearest = similar(name, candidates.map(|other| sheet.name(*other)));
        let label = match count {
            1 => "never holds".to_owned(),
            count => format!("never holds; {} more below", count - 1),
        };
        found.push(
            codes::UNDEFINED_RELATION
                .at(sheet.name_span(place), message)
                .with_label(label)
                .with_help(proposal(
                    nearest,
                    "write facts or rules for it, or remove the condition",
                ))
                .with_name(sheet.name_span(place), nearest),
        );
    }
}

fn fluents(sheet: &Sheet<'_>, heads: &[Place], calls: &[Place], found: &mut Findings) {
    let given = arguments_of(sheet, heads, &[Keyword::Init, Keyword::Next], 0);
    if let Forms::Known(known) = forms(sheet.store, &given) {
        let asked = arguments_of(sheet, calls, &[Keyword::True], 0);
        unknown(sheet, &codes::UNKNOWN_FLUENT, &known, &asked, found);
    }
}

fn moves(sheet: &Sheet<'_>, heads: &[Place], calls: &[Place], found: &mut Findings) {
    let given = arguments_of(sheet, heads, &[Keyword::Legal], 1);
    if let Forms::Known(known) = forms(sheet.store, &given) {
        let asked = arguments_of(sheet, calls, &[Keyword::Does, Keyword::Legal], 1);
        unknown(sheet, &codes::UNKNOWN_MOVE, &known, &asked, found);
    }
}

/// The n-th arguments of the atoms of some keywords.
fn arguments_of(
    sheet: &Sheet<'_>,
    atoms: &[Place],
    keywords: &[Keyword],
    index: usize,
) -> Vec<Place> {
    let of_keyword = atoms.iter().filter(|atom| {
        let functor = sheet.store.functor(atom.term);
        let word = functor.and_then(|functor| sheet.keywords.predicate(functor));
        word.is_some_and(|word| keywords.contains(&word))
    });
    let arguments = of_keyword.filter_map(|&atom| sheet.arguments(atom).nth(index));
    arguments.collect()
}

fn forms(store: &Store, given: &[Place]) -> Forms {
    let mut known = PredicateSet::default();
    for place in given {
        match store.functor(place.term) {
            Some(functor) => known.insert(functor),
            None if matches!(store.view(place.term), Term::Variable(_)) => return Forms::Anything,
            // A number as a move is no functor, and is compared by nobody.
            None => continue,
        };
    }
    Forms::Known(known)
}

/// Reports the terms whose form is not among the known ones, each form once. Where nothing is
/// known at all, the whole relation is missing, which is reported elsewhere.
fn unknown(
    sheet: &Sheet<'_>,
    fault: &'static Fault,
    known: &PredicateSet,
    asked: &[Place],
    found: &mut Findings,
) {
    let mut reported = PredicateSet::default();
    for place in asked {
        let Some(functor) = sheet.store.functor(place.term) else {
            continue;
        };
        if known.is_empty() || known.contains(&functor) || !reported.insert(functor) {
            continue;
        }
        let name = sheet.name(functor);
        let (message, label, default) = if fault.code == codes::UNKNOWN_FLUENT.code {
            (
                format!("no rule ever makes the fluent `{name}` true"),
                "never holds",
                "give it by `init` or `next`, or remove the condition",
            )
        } else {
            (
                format!("the move `{name}` is never legal"),
                "never made",
                "allow it by `legal`, or remove the condition",
            )
        };
        let nearest = similar(name, known.iter().map(|other| sheet.name(*other)));
        let same_name = known.iter().find(|other| other.symbol == functor.symbol);
        let help = match same_name {
            Some(other) => format!(
                "there is `{name}` with {} arguments, not {}",
                other.arity, functor.arity
            ),
            None => proposal(nearest, default),
        };
        found.push(
            fault
                .at(sheet.span(*place), message)
                .with_label(label)
                .with_help(help)
                .with_name(
                    sheet.name_span(*place),
                    nearest.filter(|_| same_name.is_none()),
                ),
        );
    }
}

fn roles(sheet: &Sheet<'_>, heads: &[Place], calls: &[Place], found: &mut Findings) {
    let given = arguments_of(sheet, heads, &[Keyword::Role], 0);
    let known: Vec<TermId> = given.iter().map(|place| place.term).collect();
    // A rule for `role` may name anyone.
    if known.is_empty() || known.iter().any(|&role| !sheet.store.is_ground(role)) {
        return;
    }
    const OF_ROLES: [Keyword; 5] = [
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Does,
        Keyword::Input,
        Keyword::Role,
    ];
    let mut asked = arguments_of(sheet, heads, &OF_ROLES, 0);
    asked.extend(arguments_of(sheet, calls, &OF_ROLES, 0));
    asked.sort_by_key(|place| sheet.span(*place));
    let mut reported = Vec::new();
    for place in asked {
        let is_known = !sheet.store.is_ground(place.term) || known.contains(&place.term);
        if is_known || reported.contains(&place.term) {
            continue;
        }
        reported.push(place.term);
        let quote = sheet.quote(place);
        let names = given
            .iter()
            .map(|&role| sheet.source.slice(sheet.span(role)));
        let nearest = similar(&quote, names);
        found.push(
            codes::UNKNOWN_ROLE
                .at(
                    sheet.span(place),
                    format!("`{quote}` is no role of this game"),
                )
                .with_label("nobody of this name takes part")
                .with_help(proposal(
                    nearest,
                    "name every player in a fact: `(role white)`",
                ))
                .with_name(sheet.span(place), nearest),
        );
    }
}

fn proposal(nearest: Option<&str>, otherwise: &str) -> String {
    match nearest {
        Some(name) => format!("is `{name}` meant?"),
        None => otherwise.to_owned(),
    }
}
