//! Relations that nothing asks for, fluents that no rule reads, moves that no rule reads.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::gdl::codes;
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::lint::subject::{functor, subject};
use crate::gdl::validate::sheet::{Place, Sheet, similar};
use crate::term::{Functor, PredicateSet};

/// First places of some names, in the order of the text.
type Names = IndexMap<Functor, Place, FxBuildHasher>;

/// What roles see in GDL-II; players ask for it, not rules.
const SEES: &str = "sees";

/// Reports what nothing asks for.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    relations(sheet, found);
    subjects(sheet, found);
}

fn relations(sheet: &Sheet<'_>, found: &mut Findings) {
    let mut heads = Names::default();
    let mut asked = PredicateSet::default();
    for clause in sheet.clauses {
        let head = sheet.head(clause);
        if let Some(defined) = functor(sheet, head) {
            heads.entry(defined).or_insert(head);
        }
        let calls = sheet.calls(clause).into_iter();
        asked.extend(calls.filter_map(|call| functor(sheet, call)));
    }
    let words = Keyword::ALL.map(Keyword::name);
    for (defined, place) in heads {
        let is_reserved = sheet.keywords.keyword(defined.symbol).is_some();
        if is_reserved || asked.contains(&defined) {
            continue;
        }
        let name = sheet.name(defined);
        if name == SEES {
            continue;
        }
        let others = asked.iter().map(|other| sheet.name(*other));
        let nearest = similar(name, words.into_iter().chain(others));
        let help = match nearest {
            Some(nearest) => format!("is `{nearest}` meant?"),
            None => "remove it, or ask for it in a rule".to_owned(),
        };
        found.push(
            codes::UNUSED_RELATION
                .at(sheet.name_span(place), format!("nothing asks for `{name}`"))
                .with_label("changes nothing in the game")
                .with_help(help)
                .with_name(sheet.name_span(place), nearest),
        );
    }
}

/// Fluents and moves: those that rules give, and those that rules ask for.
#[derive(Default)]
struct Subjects {
    fluents: Names,
    moves: Names,
    read: PredicateSet,
    made: PredicateSet,
    /// Some rule asks for any fluent, or for any move.
    reads_all: bool,
    makes_all: bool,
}

impl Subjects {
    fn of(sheet: &Sheet<'_>) -> Self {
        let mut subjects = Self::default();
        for clause in sheet.clauses {
            let atoms = sheet.calls(clause).into_iter().chain([sheet.head(clause)]);
            for (keyword, place) in atoms.filter_map(|atom| subject(sheet, atom)) {
                match (keyword, functor(sheet, place)) {
                    (Keyword::Init | Keyword::Next, Some(name)) => {
                        subjects.fluents.entry(name).or_insert(place);
                    }
                    (Keyword::True, Some(name)) => {
                        subjects.read.insert(name);
                    }
                    (Keyword::True, None) => subjects.reads_all = true,
                    (Keyword::Does, Some(name)) => {
                        subjects.made.insert(name);
                    }
                    (Keyword::Does, None) => subjects.makes_all = true,
                    (Keyword::Legal, Some(name)) => {
                        subjects.moves.entry(name).or_insert(place);
                    }
                    _ => {}
                }
            }
        }
        subjects
    }
}

/// Fluents that no rule reads, and moves that no rule asks for.
fn subjects(sheet: &Sheet<'_>, found: &mut Findings) {
    let subjects = Subjects::of(sheet);
    if !subjects.reads_all {
        let names = subjects.fluents.into_iter();
        for (name, place) in names.filter(|(name, _)| !subjects.read.contains(name)) {
            let text = sheet.name(name);
            let message = format!("no rule reads the fluent `{text}`");
            found.push(
                codes::UNREAD_FLUENT
                    .at(sheet.span(place), message)
                    .with_label("makes no difference")
                    .with_help("ask for it with `true`, or remove it"),
            );
        }
    }
    if !subjects.makes_all {
        // That a move without arguments has no effect is what `noop` is for.
        let silent = subjects.moves.into_iter();
        let silent = silent.filter(|(name, _)| name.arity > 0 && !subjects.made.contains(name));
        for (name, place) in silent {
            let text = sheet.name(name);
            let message = format!("the move `{text}` has no effect");
            found.push(
                codes::IDLE_MOVE
                    .at(sheet.span(place), message)
                    .with_label("no rule asks whether it is made")
                    .with_help("ask for it with `does` in a rule for `next`, or remove it"),
            );
        }
    }
}
