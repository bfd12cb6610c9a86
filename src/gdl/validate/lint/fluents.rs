//! Fluents that are forgotten: after the first move, because no rule for `next` has them, or after each, because no
//! rule keeps them while other fluents are kept.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::gdl::codes;
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::lint::subject::{functor, subject};
use crate::gdl::validate::sheet::{Place, Sheet};
use crate::term::{Clause, Functor, TermId};

/// What the rules do with the fluents of a name.
#[derive(Default)]
struct FluentUses {
    initial: Vec<Place>,
    next: Vec<Place>,
    /// Whether a rule for `next` reads the fluent itself, or others of its name.
    is_kept: bool,
    reads_own: bool,
    /// Whether all rules for `next` ask for moves.
    only_by_moves: bool,
}

/// Reports what is forgotten.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    let mut all: IndexMap<Functor, FluentUses, FxBuildHasher> = IndexMap::default();
    let mut sets_any = false;
    for clause in sheet.clauses {
        let Some((keyword, fluent)) = subject(sheet, sheet.head(clause)) else {
            continue;
        };
        match (keyword, functor(sheet, fluent)) {
            (Keyword::Init, Some(name)) => all.entry(name).or_default().initial.push(fluent),
            (Keyword::Next, Some(name)) => {
                let uses = all.entry(name).or_default();
                note(sheet, clause, fluent, uses);
            }
            // (<= (next ?f) …) may keep any fluent there is.
            (Keyword::Next, None) => sets_any = true,
            _ => {}
        }
    }
    if sets_any {
        return;
    }
    let some_kept = all.values().any(|uses| uses.is_kept);
    for (name, uses) in &all {
        if some_kept || uses.next.is_empty() {
            report(sheet, *name, uses, found);
        }
    }
}

/// Reports a fluent that is forgotten, where others are kept or no rule for `next` has it.
fn report(sheet: &Sheet<'_>, name: Functor, uses: &FluentUses, found: &mut Findings) {
    let Some(&place) = uses.initial.first() else {
        return;
    };
    let text = sheet.name(name);
    // A flag of the first state is meant to be lost, and one value is set anew by all moves.
    let is_flag = name.arity == 0;
    let are_many = uses.initial.len() > 1 || !sheet.store.is_ground(place.term);
    if uses.next.is_empty() && !is_flag {
        let message = format!("the fluent `{text}` is lost with the first move");
        found.push(
            codes::LOST_FLUENT
                .at(sheet.span(place), message)
                .with_label("no rule for `next` has it")
                .with_help(format!(
                    "keep it: `(<= (next ({text} …)) (true ({text} …)))`"
                )),
        );
    } else if !uses.next.is_empty() && are_many && uses.only_by_moves && !uses.reads_own {
        let message = format!("the fluent `{text}` is lost whenever no move sets it");
        found.push(
            codes::MISSING_FRAME
                .at(sheet.span(uses.next[0]), message)
                .with_label("no rule for `next` keeps it, as others are kept")
                .with_help(format!(
                    "keep it: `(<= (next ({text} …)) (true ({text} …)) …)`"
                )),
        );
    }
}

fn note(sheet: &Sheet<'_>, clause: &Clause, fluent: Place, uses: &mut FluentUses) {
    let calls = sheet.calls(clause);
    let name = functor(sheet, fluent);
    let mut read: Vec<TermId> = Vec::new();
    let mut asks_for_moves = false;
    for call in calls {
        match subject(sheet, call) {
            Some((Keyword::True, other)) if functor(sheet, other) == name => {
                read.push(other.term);
            }
            Some((Keyword::Does, _)) => asks_for_moves = true,
            _ => {}
        }
    }
    uses.only_by_moves = asks_for_moves && (uses.next.is_empty() || uses.only_by_moves);
    uses.is_kept |= read.contains(&fluent.term);
    uses.reads_own |= !read.is_empty();
    uses.next.push(fluent);
}
