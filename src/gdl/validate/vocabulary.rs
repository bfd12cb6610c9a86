//! The use of symbols: numbers of arguments, parentheses, upper and lower case, and sentences that
//! are there twice.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::gdl::codes::{self, Fault};
use crate::gdl::uncertainty::uncertainties;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, Sheet};
use crate::syntax::Span;
use crate::term::{Literal, SpellingClash, SymbolId, TermId};

/// Reports arities, parentheses and duplicates.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) {
    let mut uses = SymbolUses::default();
    for clause in sheet.clauses {
        uses.atom(sheet, sheet.head(clause));
        for condition in sheet.conditions(clause) {
            match sheet.literal(condition) {
                Literal::Call(_) => uses.atom(sheet, condition),
                Literal::Distinct(..) => uses.terms(sheet, condition),
                Literal::Not(_) | Literal::Or(_) | Literal::And(_) => {}
            }
        }
    }
    arities(
        sheet,
        &uses.relations,
        &codes::RELATION_ARITY,
        "relation",
        found,
    );
    arities(
        sheet,
        &uses.functions,
        &codes::FUNCTION_ARITY,
        "function",
        found,
    );
    parentheses(sheet, &uses.bare, &uses.enclosed, found);
    duplicates(sheet, found);
    for (clause, uncertainty) in uncertainties(sheet.store, sheet.clauses) {
        let fault = uncertainty.fault();
        let place = sheet.name_span(sheet.head(&sheet.clauses[clause]));
        found.push(
            fault
                .at(place, format!("a game of GDL-II: {}", fault.title))
                .with_label("read as if it were GDL")
                .with_help(format!(
                    "flux check --explain {} says what that means",
                    fault.code
                )),
        );
    }
}

/// Reports the symbols of which there are two spellings.
pub(super) fn spellings<'c>(
    sheet: &Sheet<'_>,
    clashes: impl IntoIterator<Item = (SymbolId, &'c SpellingClash)>,
    found: &mut Findings,
) {
    for (symbol, clash) in clashes {
        let first = sheet.quote_span(clash.first);
        let second = sheet.quote_span(clash.second);
        let message = format!("two spellings of one symbol, `{second}` and `{first}`");
        found.push(
            codes::SPELLING
                .at(clash.second, message)
                .with_label(format!("read as `{}`", sheet.store.name(symbol)))
                .with_related(clash.first, "first spelled like this")
                .with_help("keep to one spelling; `--case-sensitive` reads them as two symbols")
                .with_fix(clash.second, sheet.source.slice(clash.first)),
        );
    }
}

/// First uses of a symbol, by number of arguments.
type Arities = IndexMap<SymbolId, Vec<(u32, Span)>, FxBuildHasher>;

/// How the symbols of a text are used.
#[derive(Default)]
struct SymbolUses {
    relations: Arities,
    functions: Arities,
    /// First occurrences of symbols without arguments and parentheses.
    bare: IndexMap<SymbolId, Span, FxBuildHasher>,
    /// The same, in parentheses.
    enclosed: IndexMap<SymbolId, Span, FxBuildHasher>,
}

impl SymbolUses {
    fn atom(&mut self, sheet: &Sheet<'_>, place: Place) {
        let Some(functor) = sheet.store.functor(place.term) else {
            return;
        };
        // Reserved words have their own check.
        if sheet.keywords.keyword(functor.symbol).is_none() {
            note(
                &mut self.relations,
                functor.symbol,
                functor.arity,
                sheet.name_span(place),
            );
        }
        self.constant(sheet, place);
        self.terms(sheet, place);
    }

    fn terms(&mut self, sheet: &Sheet<'_>, place: Place) {
        for argument in sheet.arguments(place) {
            for part in sheet.subterms(argument) {
                let Some(functor) = sheet.store.functor(part.term) else {
                    continue;
                };
                self.constant(sheet, part);
                // A constant of the name of a function is another thing, and common.
                if functor.arity > 0 {
                    note(
                        &mut self.functions,
                        functor.symbol,
                        functor.arity,
                        sheet.name_span(part),
                    );
                }
            }
        }
    }

    fn constant(&mut self, sheet: &Sheet<'_>, place: Place) {
        let Some(functor) = sheet
            .store
            .functor(place.term)
            .filter(|functor| functor.arity == 0)
        else {
            return;
        };
        let span = sheet.span(place);
        // The place of `(over)` has the parentheses, that of its name has not.
        let in_parentheses = span != sheet.name_span(place);
        let uses = if in_parentheses {
            &mut self.enclosed
        } else {
            &mut self.bare
        };
        uses.entry(functor.symbol).or_insert(span);
    }
}

fn note(arities: &mut Arities, symbol: SymbolId, arity: u32, span: Span) {
    let uses = arities.entry(symbol).or_default();
    if !uses.iter().any(|&(other, _)| other == arity) {
        uses.push((arity, span));
    }
}

fn arities(
    sheet: &Sheet<'_>,
    arities: &Arities,
    fault: &'static Fault,
    kind: &str,
    found: &mut Findings,
) {
    for (&symbol, uses) in arities {
        let Some((&(first_arity, first), others)) = uses.split_first() else {
            continue;
        };
        let name = sheet.store.name(symbol);
        for &(arity, span) in others {
            let message = format!("{kind} `{name}` with {arity} and with {first_arity} arguments");
            found.push(
                fault
                    .at(span, message)
                    .with_label(format!("{arity} here"))
                    .with_related(first, format!("{first_arity} here"))
                    .with_help(format!(
                        "these are two {kind}s; give one of them another name"
                    )),
            );
        }
    }
}

fn parentheses(
    sheet: &Sheet<'_>,
    bare: &IndexMap<SymbolId, Span, FxBuildHasher>,
    enclosed: &IndexMap<SymbolId, Span, FxBuildHasher>,
    found: &mut Findings,
) {
    for (&symbol, &with) in enclosed {
        let Some(&without) = bare.get(&symbol) else {
            continue;
        };
        let name = sheet.store.name(symbol);
        let (first, second) = (with.min(without), with.max(without));
        let message = format!("`{name}` with and without parentheses");
        found.push(
            codes::PARENTHESES
                .at(second, message)
                .with_label("read as the same thing")
                .with_related(first, "first written like this")
                .with_help(format!("write `{name}` everywhere"))
                .with_fix(with, name),
        );
    }
}

fn duplicates(sheet: &Sheet<'_>, found: &mut Findings) {
    let mut seen: FxHashMap<(TermId, &[TermId]), Span> = FxHashMap::default();
    for clause in sheet.clauses {
        // Variables are numbered by occurrence, so renamed copies are equal too.
        let first = *seen
            .entry((clause.head, clause.body.as_slice()))
            .or_insert(clause.origin.span);
        if first != clause.origin.span {
            let kind = if clause.body.is_empty() {
                "fact"
            } else {
                "rule"
            };
            found.push(
                codes::DUPLICATE
                    .at(clause.origin.span, format!("the same {kind} twice"))
                    .with_label("adds nothing")
                    .with_related(first, "stated before")
                    .with_help("remove it; or should something in it differ?")
                    .with_fix(clause.origin.span, ""),
            );
        }
    }
}
