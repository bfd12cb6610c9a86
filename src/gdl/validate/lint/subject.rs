//! What an atom is about: the fluent or move among its arguments.

use crate::gdl::keyword::Keyword;
use crate::gdl::validate::sheet::{Place, Sheet};
use crate::term::Functor;

/// The keyword of an atom, and the argument that is a fluent or a move.
pub(super) fn subject(sheet: &Sheet<'_>, atom: Place) -> Option<(Keyword, Place)> {
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
pub(super) fn functor(sheet: &Sheet<'_>, place: Place) -> Option<Functor> {
    sheet.store.functor(place.term)
}
