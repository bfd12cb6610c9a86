//! Constants that can never stand where they do: no rule puts them there.
//!
//! Domains are upper bounds, so that such a condition never holds. The nearest value that there is is proposed.

use rustc_hash::FxHashSet;

use crate::gdl::codes;
use crate::gdl::domains::{Domain, Domains, Position};
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::lint::subject::{functor, subject};
use crate::gdl::validate::sheet::{Place, Sheet, similar};
use crate::syntax::Span;
use crate::term::{Term, TermId};

/// A constant at a place where only some values can stand.
struct UsedValue<'d> {
    place: Place,
    domain: Domain<'d>,
}

/// Reports conditions that no value can satisfy.
pub(super) fn check(sheet: &Sheet<'_>, domains: &Domains, found: &mut Findings) {
    let mut reported: FxHashSet<(TermId, Span)> = FxHashSet::default();
    for clause in sheet.clauses {
        for call in sheet.calls(clause) {
            for value in values(sheet, domains, call) {
                let span = sheet.span(value.place);
                if is_possible(&value) || !reported.insert((value.place.term, span)) {
                    continue;
                }
                report(sheet, &value, found);
            }
        }
    }
}

/// The constants of a call, with the domains of their positions.
fn values<'d>(sheet: &Sheet<'_>, domains: &'d Domains, call: Place) -> Vec<UsedValue<'d>> {
    let Some(predicate) = functor(sheet, call) else {
        return Vec::new();
    };
    let mut values = Vec::new();
    if let Some((keyword, subject)) = subject(sheet, call) {
        let all = if matches!(keyword, Keyword::True | Keyword::Init | Keyword::Next) {
            domains.fluents()
        } else if matches!(keyword, Keyword::Legal | Keyword::Does) {
            domains.moves()
        } else {
            // What `base` and `input` list need be neither reached nor legal.
            return values;
        };
        let Some(function) = functor(sheet, subject) else {
            return values;
        };
        for (index, place) in sheet.arguments(subject).enumerate() {
            // A function that is nested has several forms; what none of them allows is impossible.
            let mut forms = all.forms().filter(|form| form.functor() == function);
            if let (Some(form), None) = (forms.next(), forms.next()) {
                let domain = form.argument(index);
                values.push(UsedValue { place, domain });
            }
        }
        return values;
    }
    if sheet.keywords.keyword(predicate.symbol).is_some() {
        return values;
    }
    for (index, place) in sheet.arguments(call).enumerate() {
        let position = Position::of(sheet.keywords, predicate, index as u32);
        let domain = domains.at(position);
        values.push(UsedValue { place, domain });
    }
    values.retain(|value| sheet.store.arguments(value.place.term).is_empty());
    values
}

/// Whether the value is a variable, no constant, or one that can stand there; where nothing can, something else is
/// wrong.
fn is_possible(value: &UsedValue<'_>) -> bool {
    value.domain.is_empty() || value.domain.constants().any(|one| one == value.place.term)
}

fn report(sheet: &Sheet<'_>, value: &UsedValue<'_>, found: &mut Findings) {
    let is_constant = match sheet.store.view(value.place.term) {
        Term::Atom(_) | Term::Integer(_) => true,
        Term::Variable(_) | Term::Float(_) | Term::Big(_) | Term::Text(_) | Term::Compound(..) => {
            false
        }
    };
    if !is_constant {
        return;
    }
    let quote = sheet.quote(value.place);
    let mut names: Vec<String> = value
        .domain
        .constants()
        .map(|one| shown(sheet, one))
        .collect();
    let nearest = similar(&quote, names.iter().map(String::as_str)).map(str::to_owned);
    let most = 8;
    let rest = if names.len() > most { ", …" } else { "" };
    names.truncate(most);
    let meant = nearest.clone();
    let help = match nearest {
        Some(nearest) => format!("is `{nearest}` meant?"),
        None => format!("what can stand there: {}{rest}", names.join(", ")),
    };
    found.push(
        codes::IMPOSSIBLE_VALUE
            .at(
                sheet.span(value.place),
                format!("`{quote}` can never stand here"),
            )
            .with_label("so the condition never holds")
            .with_help(help)
            .with_name(sheet.span(value.place), meant.as_deref()),
    );
}

fn shown(sheet: &Sheet<'_>, term: TermId) -> String {
    crate::term::Prefix::new(sheet.store, term).to_string()
}
