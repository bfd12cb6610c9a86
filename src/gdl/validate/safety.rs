//! Safety: every variable stands for something that a positive condition gives.
//!
//! A conjunction binds what any of its parts binds, a disjunction what every branch binds, a
//! negation and `distinct` nothing. What a test (a negation or `distinct`) may use is what the
//! conjunctions around it bind, wherever in them the test stands:
//!
//! ```text
//! (<= (p ?x) (distinct ?x ?y) (q ?x) (or (r ?x ?y) (and (s ?y) (not (t ?y)))))
//!                      │             └ both branches bind ?y: fine for `distinct`
//!                      └ may stand before
//! ```
//!
//! Source: \[LHHSG08\], the definition of safe rules. DIVERGENCE: that definition has no `or`;
//! here a rule with `or` is safe if all rules are into which the `or` can be split.

use fixedbitset::FixedBitSet;

use crate::gdl::codes;
use crate::gdl::keyword::Keyword;
use crate::gdl::validate::findings::Findings;
use crate::gdl::validate::sheet::{Place, Sheet, enumeration};
use crate::syntax::{Diagnostic, Label};
use crate::term::{Clause, Literal, TermId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Conjunction,
    Disjunction,
    Negation,
    Distinct,
    Call,
}

/// A condition or part of one; parts of negations are not among them.
struct Part {
    form: Form,
    /// None for the body as a whole.
    place: Option<Place>,
    parent: usize,
    /// The variables that it binds.
    bound: FixedBitSet,
    /// What it and the conjunctions around it bind.
    context: FixedBitSet,
}

/// Reports all unsafe variables of sound clauses, each once a clause; says of each clause whether
/// it is sound and safe.
pub(super) fn check(sheet: &Sheet<'_>, sound: &[bool], found: &mut Findings) -> Vec<bool> {
    let checked = sheet.clauses.iter().zip(sound);
    let checked = checked.map(|(clause, &sound)| {
        let before = found.len();
        if sound && !clause.variables.is_empty() {
            clause_safety(sheet, clause, found);
        }
        sound && found.len() == before
    });
    checked.collect()
}

fn clause_safety(sheet: &Sheet<'_>, clause: &Clause, found: &mut Findings) {
    let head = sheet.head(clause);
    let parts = analyse(sheet, clause);
    let mut reported = FixedBitSet::with_capacity(clause.variables.len());
    let mut free = Vec::new();
    for variable in sheet.store.variables(clause.head) {
        if !parts[0].bound.contains(variable as usize) {
            reported.insert(variable as usize);
            free.extend(sheet.occurrence(head, variable).map(|at| (variable, at)));
        }
    }
    found.extend(unsafe_head(sheet, clause, &parts, &free));
    for part in &parts {
        let (Some(whole), Form::Negation | Form::Distinct) = (part.place, part.form) else {
            continue;
        };
        for variable in sheet.store.variables(whole.term) {
            if part.context.contains(variable as usize) || reported.put(variable as usize) {
                continue;
            }
            if let Some(place) = sheet.occurrence(whole, variable) {
                found.push(unsafe_test(sheet, part.form, whole, place));
            }
        }
    }
}

/// The parts of a body, the body as a whole first, each before its parts.
fn analyse(sheet: &Sheet<'_>, clause: &Clause) -> Vec<Part> {
    let width = clause.variables.len();
    let mut parts = vec![part(None, Form::Conjunction, 0, width)];
    let mut stack: Vec<(Place, usize)> = sheet.body(clause).rev().map(|at| (at, 0)).collect();
    while let Some((place, parent)) = stack.pop() {
        let form = match sheet.literal(place) {
            Literal::Not(_) => Form::Negation,
            Literal::Or(_) => Form::Disjunction,
            Literal::And(_) => Form::Conjunction,
            Literal::Distinct(..) => Form::Distinct,
            Literal::Call(_) => Form::Call,
        };
        if matches!(form, Form::Conjunction | Form::Disjunction) {
            let index = parts.len();
            stack.extend(sheet.arguments(place).rev().map(|at| (at, index)));
        }
        let mut part = part(Some(place), form, parent, width);
        match form {
            Form::Call => insert_variables(sheet, place.term, &mut part.bound),
            // The branches are yet to be intersected; `(or)` never holds, and so binds everything.
            Form::Disjunction => part.bound.insert_range(..),
            Form::Conjunction | Form::Negation | Form::Distinct => {}
        }
        parts.push(part);
    }
    bind(&mut parts);
    parts
}

fn part(place: Option<Place>, form: Form, parent: usize, width: usize) -> Part {
    Part {
        form,
        place,
        parent,
        bound: FixedBitSet::with_capacity(width),
        context: FixedBitSet::with_capacity(width),
    }
}

/// Hands the bindings of parts up and the context down.
fn bind(parts: &mut [Part]) {
    for index in (1..parts.len()).rev() {
        let (above, below) = parts.split_at_mut(index);
        let (child, parent) = (&below[0], &mut above[below[0].parent]);
        if parent.form == Form::Disjunction {
            parent.bound.intersect_with(&child.bound);
        } else {
            parent.bound.union_with(&child.bound);
        }
    }
    for index in 0..parts.len() {
        let (above, below) = parts.split_at_mut(index);
        let child = &mut below[0];
        child.context.union_with(&child.bound);
        if let Some(parent) = above.get(child.parent) {
            child.context.union_with(&parent.context);
        }
    }
}

fn insert_variables(sheet: &Sheet<'_>, term: TermId, set: &mut FixedBitSet) {
    for variable in sheet.store.variables(term) {
        set.insert(variable as usize);
    }
}

/// One message for all variables of a head that nothing binds.
fn unsafe_head(
    sheet: &Sheet<'_>,
    clause: &Clause,
    parts: &[Part],
    variables: &[(u32, Place)],
) -> Option<Diagnostic> {
    let (&(_, first), others) = variables.split_first()?;
    let quotes: Vec<String> = variables.iter().map(|&(_, at)| sheet.quote(at)).collect();
    let quotes: Vec<&str> = quotes.iter().map(String::as_str).collect();
    let names = enumeration(&quotes, "and");
    let plural = if others.is_empty() { "" } else { "s" };
    let infinite = "stands for infinitely many terms";
    let is_fact = clause.body.is_empty();
    let mut diagnostic = if is_fact {
        codes::VARIABLE_IN_FACT
            .at(
                sheet.span(first),
                format!("variable{plural} {names} in a fact"),
            )
            .with_help("name the terms, or write a rule whose conditions bind the variable")
    } else {
        codes::UNSAFE_HEAD
            .at(
                sheet.span(first),
                format!("no condition binds the variable{plural} {names} of the head"),
            )
            .with_help(if others.is_empty() {
                head_advice(sheet, clause, first)
            } else {
                "add conditions that say which terms they stand for".to_owned()
            })
    };
    diagnostic = diagnostic.with_label(infinite);
    for &(_, place) in others {
        diagnostic = diagnostic.with_related(sheet.span(place), "");
    }
    for &(variable, _) in variables {
        add_occurrences(sheet, parts, variable, &mut diagnostic);
    }
    Some(diagnostic)
}

/// Points to the occurrences of a variable in a body that do not bind it, and says why not, each
/// reason once.
fn add_occurrences(sheet: &Sheet<'_>, parts: &[Part], variable: u32, diagnostic: &mut Diagnostic) {
    for part in parts {
        let Some(occurrence) = part.place.and_then(|at| sheet.occurrence(at, variable)) else {
            continue;
        };
        let reason = match part.form {
            Form::Negation => "a negated condition does not bind",
            Form::Distinct => "`distinct` compares, it does not bind",
            // Outside of any `or` it would have bound the variable, and nothing would be told of it.
            Form::Call => "bound in this branch of `or`, but not in every one",
            Form::Conjunction | Form::Disjunction => continue,
        };
        let is_known = diagnostic.related.iter().any(|label| label.text == reason);
        diagnostic.related.push(Label {
            span: sheet.span(occurrence),
            text: if is_known { "" } else { reason }.to_owned(),
        });
    }
}

fn head_advice(sheet: &Sheet<'_>, clause: &Clause, place: Place) -> String {
    let name = sheet.quote(place);
    let keyword = sheet.defined_keyword(clause);
    let first = sheet.arguments(sheet.head(clause)).next();
    let is_role = matches!(
        keyword,
        Some(Keyword::Legal | Keyword::Goal | Keyword::Input)
    );
    if is_role && first.is_some_and(|first| first.term == place.term) {
        format!("add the condition `(role {name})`")
    } else {
        format!("add a condition that says which terms `{name}` stands for")
    }
}

fn unsafe_test(sheet: &Sheet<'_>, form: Form, whole: Place, place: Place) -> Diagnostic {
    let (name, test) = (sheet.quote(place), sheet.quote(whole));
    let advice = format!("add a condition that says which terms `{name}` stands for");
    let (fault, kind, help) = if form == Form::Distinct {
        (&codes::UNSAFE_DISTINCT, "`distinct`", advice)
    } else {
        let help = format!(
            "{advice}; or, to say that there is none, negate a relation that says there is one"
        );
        (&codes::UNSAFE_NEGATION, "a negation", help)
    };
    let message = format!("no condition binds the variable `{name}` of {kind}");
    fault
        .at(sheet.span(place), message)
        .with_label(format!("`{test}` cannot be tested without it"))
        .with_help(help)
}
