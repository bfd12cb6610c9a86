//! The form of sentences: heads and conditions are atoms or connectives of atoms, and the reserved
//! words stand where they may.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::gdl::codes;
use crate::gdl::keyword::{Keyword, KeywordClass};
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, Sheet};
use crate::rules::MAX_NESTING;
use crate::syntax::{Diagnostic, SentenceKind, Span};
use crate::term::{Clause, Literal, SymbolId, Term};

/// Reports all faults of form; says of each clause whether it makes sense as one.
pub(super) fn check(sheet: &Sheet<'_>, found: &mut Findings) -> Vec<bool> {
    let mut inside = InsideTerms::default();
    let mut sound = Vec::with_capacity(sheet.clauses.len());
    for clause in sheet.clauses {
        let before = found.len();
        head(sheet, clause, found);
        empty_body(sheet, clause, found);
        inside.terms_of(sheet, sheet.head(clause));
        let mut negated = FxHashSet::default();
        for condition in sheet.conditions(clause) {
            if let Literal::Not(_) = sheet.literal(condition) {
                negated.extend(sheet.arguments(condition).map(|inner| inner.node));
            }
            // Of negations in each other the outermost is told.
            let is_inner = negated.contains(&condition.node);
            if !(is_inner && matches!(sheet.literal(condition), Literal::Not(_))) {
                condition_form(sheet, condition, found);
            }
            inside.terms_of(sheet, condition);
        }
        nesting(sheet, clause, found);
        sound.push(!found.has_error_since(before));
    }
    inside.report(sheet, found);
    sound
}

fn head(sheet: &Sheet<'_>, clause: &Clause, found: &mut Findings) {
    let place = sheet.head(clause);
    let Some(functor) = sheet.store.functor(clause.head) else {
        found.push(no_atom(sheet, place, "head of a sentence"));
        return;
    };
    let Some(keyword) = sheet.keywords.keyword(functor.symbol) else {
        return;
    };
    let instead = match (keyword.class(), keyword) {
        (KeywordClass::Defined, _) => return arity(sheet, place, keyword, found),
        (_, Keyword::True) => "use `init` for the first state and `next` for the ones after it",
        (_, Keyword::Does) => "use `legal` for what may be done; what is done is up to the players",
        _ => "write it as a condition of a rule",
    };
    let name = keyword.name();
    let message = if clause.body.is_empty() {
        format!("`{name}` cannot be stated as a fact")
    } else {
        format!("`{name}` cannot be defined by a rule")
    };
    let diagnostic = codes::MISPLACED_KEYWORD.at(sheet.span(place), message);
    found.push(diagnostic.with_label("reserved word").with_help(instead));
}

/// Reports the first condition of a clause that is nested too deep for the evaluator.
fn nesting(sheet: &Sheet<'_>, clause: &Clause, found: &mut Findings) {
    let mut stack: Vec<(Place, usize)> = sheet.body(clause).rev().map(|at| (at, 0)).collect();
    while let Some((place, depth)) = stack.pop() {
        if depth > MAX_NESTING {
            found.push(
                codes::NESTED_TOO_DEEP
                    .at(
                        sheet.name_span(place),
                        format!("conditions nested deeper than {MAX_NESTING}"),
                    )
                    .with_label("too deep to be evaluated")
                    .with_help("define a relation for a part of the condition"),
            );
            return;
        }
        match sheet.literal(place) {
            Literal::Not(_) | Literal::Or(_) | Literal::And(_) => {
                let parts = sheet.arguments(place).rev();
                stack.extend(parts.map(|part| (part, depth + 1)));
            }
            Literal::Distinct(..) | Literal::Call(_) => {}
        }
    }
}

fn empty_body(sheet: &Sheet<'_>, clause: &Clause, found: &mut Findings) {
    let sentence = &sheet.document.sentences()[clause.origin.sentence as usize];
    if sentence.kind == SentenceKind::Rule && clause.body.is_empty() {
        let head = sheet.quote(sheet.head(clause));
        found.push(
            codes::EMPTY_BODY
                .at(clause.origin.span, "rule without conditions")
                .with_label("read as a fact")
                .with_help(format!("write the fact: `{head}`"))
                .with_fix(clause.origin.span, fact(sheet, clause)),
        );
    }
}

/// The head of a clause as a sentence.
fn fact(sheet: &Sheet<'_>, clause: &Clause) -> String {
    let head = sheet.source.slice(sheet.span(sheet.head(clause)));
    if sheet.source.slice(clause.origin.span).ends_with('.') {
        format!("{head}.")
    } else {
        head.to_owned()
    }
}

fn condition_form(sheet: &Sheet<'_>, place: Place, found: &mut Findings) {
    let Some(functor) = sheet.store.functor(place.term) else {
        found.push(no_atom(sheet, place, "condition"));
        return;
    };
    let Some(keyword) = sheet.keywords.keyword(functor.symbol) else {
        return;
    };
    match keyword {
        Keyword::Not if functor.arity == 1 => negation(sheet, place, found),
        Keyword::Or | Keyword::And if functor.arity == 0 => {
            empty_connective(sheet, place, keyword, found);
        }
        Keyword::Or | Keyword::And => {}
        Keyword::If => {
            let message = "`<=` cannot be a condition";
            let diagnostic = codes::MISPLACED_KEYWORD.at(sheet.span(place), message);
            found.push(diagnostic.with_help("write it as a rule of its own"));
        }
        Keyword::Init | Keyword::Next if functor.arity == 1 => {
            head_keyword(sheet, place, keyword, found);
        }
        Keyword::Role
        | Keyword::Init
        | Keyword::True
        | Keyword::Does
        | Keyword::Next
        | Keyword::Legal
        | Keyword::Goal
        | Keyword::Terminal
        | Keyword::Base
        | Keyword::Input
        | Keyword::Distinct
        | Keyword::Not => arity(sheet, place, keyword, found),
    }
}

fn empty_connective(sheet: &Sheet<'_>, place: Place, keyword: Keyword, found: &mut Findings) {
    let meaning = if keyword == Keyword::Or {
        "never holds"
    } else {
        "always holds"
    };
    let message = format!("`{}` without conditions", keyword.name());
    found.push(
        codes::EMPTY_CONNECTIVE
            .at(sheet.span(place), message)
            .with_label(meaning)
            .with_help("write conditions into it, or remove it"),
    );
}

fn head_keyword(sheet: &Sheet<'_>, place: Place, keyword: Keyword, found: &mut Findings) {
    let message = format!("`{}` as a condition", keyword.name());
    found.push(
        codes::HEAD_KEYWORD_IN_BODY
            .at(sheet.span(place), message)
            .with_label("belongs in the head of a rule")
            .with_help("to ask whether a fluent holds now, write `true`")
            .with_fix(sheet.name_span(place), "true"),
    );
}

fn negation(sheet: &Sheet<'_>, place: Place, found: &mut Findings) {
    let Some(inner) = sheet.arguments(place).next() else {
        return;
    };
    let (what, meaning, help) = match sheet.literal(inner) {
        Literal::Distinct(..) => (
            "`distinct`",
            "read as: the two are the same term",
            "write the same term in both places instead",
        ),
        Literal::Not(_) => (
            "a negation",
            "read as a test whether it holds",
            "remove both negations, if the variables are bound elsewhere too",
        ),
        Literal::Or(_) => (
            "a disjunction",
            "read as: none of them holds",
            "negate every alternative instead",
        ),
        Literal::And(_) => (
            "a conjunction",
            "read as: not all of them hold",
            "use `or` of the negated conditions instead",
        ),
        Literal::Call(_) => return,
    };
    let message = format!("negation of {what}, not of an atom");
    found.push(
        codes::NEGATED_FORMULA
            .at(sheet.span(place), message)
            .with_label(meaning)
            .with_help(help),
    );
}

/// Reports a reserved word with a wrong number of arguments.
fn arity(sheet: &Sheet<'_>, place: Place, keyword: Keyword, found: &mut Findings) {
    let given = sheet.store.arguments(place.term).len();
    let Some(wanted) = keyword.arity().filter(|&arity| arity as usize != given) else {
        return;
    };
    let (name, usage) = (keyword.name(), keyword.usage());
    let message = format!(
        "`{name}` with {}, it takes {}",
        arguments(given),
        match wanted {
            0 => "none".to_owned(),
            wanted => wanted.to_string(),
        }
    );
    if matches!(keyword, Keyword::Base | Keyword::Input) {
        // A game with a relation `base` of its own has it everywhere; once is enough.
        found.push_once(
            codes::HINT_ARITY
                .at(sheet.span(place), message)
                .with_label("taken for a relation of the game's own")
                .with_help(format!("the reserved form is `{usage}`")),
        );
    } else {
        found.push(
            codes::KEYWORD_ARITY
                .at(sheet.span(place), message)
                .with_label(format!("{} here", arguments(given)))
                .with_help(format!("write `{usage}`")),
        );
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}

fn no_atom(sheet: &Sheet<'_>, place: Place, role: &str) -> Diagnostic {
    let what = match sheet.store.view(place.term) {
        Term::Variable(_) => "variable",
        Term::Integer(_) | Term::Float(_) | Term::Big(_) => "number",
        Term::Text(_) | Term::Atom(_) | Term::Compound(..) => "text",
    };
    let message = format!("{what} `{}` as {role}", sheet.quote(place));
    codes::NOT_AN_ATOM
        .at(sheet.span(place), message)
        .with_label("an atom must stand here")
        .with_help("variables and numbers stand for terms, not for relations")
}

/// Reserved words inside of terms: one message each, however often they occur, since a game that
/// uses `not` as a symbol does so in a hundred facts.
#[derive(Default)]
struct InsideTerms {
    first: IndexMap<SymbolId, (Keyword, Span, usize), FxBuildHasher>,
}

impl InsideTerms {
    /// Looks through the arguments of an atom or `distinct`.
    fn terms_of(&mut self, sheet: &Sheet<'_>, condition: Place) {
        if matches!(
            sheet.literal(condition),
            Literal::Not(_) | Literal::Or(_) | Literal::And(_)
        ) {
            return;
        }
        for argument in sheet.arguments(condition) {
            for place in sheet.subterms(argument) {
                self.look_at(sheet, place);
            }
        }
    }

    fn look_at(&mut self, sheet: &Sheet<'_>, place: Place) {
        let Some(functor) = sheet.store.functor(place.term) else {
            return;
        };
        let Some(keyword) = sheet.keywords.keyword(functor.symbol) else {
            return;
        };
        // `base` is a fine name for a square; `(true (cell 1))` inside of a term is no fluent.
        let suspicious = match keyword.class() {
            KeywordClass::Logic => true,
            KeywordClass::Given | KeywordClass::Defined => {
                functor.arity > 0 && keyword.arity() == Some(functor.arity)
            }
        };
        if suspicious {
            let first = (keyword, sheet.span(place), 0);
            self.first.entry(functor.symbol).or_insert(first).2 += 1;
        }
    }

    fn report(self, sheet: &Sheet<'_>, found: &mut Findings) {
        for (keyword, span, count) in self.first.into_values() {
            let name = keyword.name();
            let message = format!("reserved word `{name}` inside of a term");
            let meaning = if keyword == Keyword::Not {
                "taken for a symbol: this denies nothing".to_owned()
            } else {
                "taken for a symbol without meaning".to_owned()
            };
            let label = match count - 1 {
                0 => meaning,
                1 => format!("{meaning}; once more below"),
                others => format!("{meaning}; {others} more below"),
            };
            let diagnostic = codes::KEYWORD_AS_TERM.at(span, message).with_label(label);
            found.push(
                diagnostic.with_help(if sheet.source.slice(span).starts_with('(') {
                    format!(
                        "to mean the word, write `{}` as a condition",
                        keyword.usage()
                    )
                } else {
                    "use another name for the symbol".to_owned()
                }),
            );
        }
    }
}
