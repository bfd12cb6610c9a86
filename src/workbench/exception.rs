//! Exceptions of Prolog programs, in words.

use crate::gdl::shown_name;
use crate::prolog::{Exception, Machine};
use crate::term::{Infix, Store, Term, TermId};

/// What an exception says; error terms of the standard in words, anything else as it is.
pub fn exception_in_words(machine: &Machine, exception: &Exception) -> String {
    let store = machine.store();
    // error(Formal, Context): the context is left to the implementation (ISO 7.12.2).
    let error = match parts(store, exception.term) {
        Some(("error", &[formal, _])) => formal,
        _ => return format!("uncaught exception: {}", exception.text),
    };
    let words = match parts(store, error) {
        Some(("existence_error", &[kind, culprit]))
            if parts(store, kind).is_some_and(|(kind, _)| kind == "procedure") =>
        {
            Some(unknown(machine, culprit))
        }
        Some((name, arguments)) => standard(store, name, arguments),
        None => None,
    };
    words.unwrap_or_else(|| format!("uncaught exception: {}", exception.text))
}

/// The calls that led to the exception of the last query, innermost first, one a line: `in go/1, program.pl:3:12`.
pub fn backtrace_in_words(machine: &Machine) -> Vec<String> {
    let store = machine.store();
    let sites = machine.backtrace().iter().enumerate();
    let lines = sites.map(|(number, site)| {
        let start = if number == 0 { "in" } else { "called from" };
        let name = shown_name(store.name(site.predicate.symbol));
        let source = site.place.and_then(|place| {
            let source = machine.source(place.source)?;
            Some((source, source.position(place.span.start)))
        });
        let place = match source {
            Some((source, position)) => {
                format!("{}:{}:{}", source.name(), position.line, position.column)
            }
            None if machine.is_system(site.predicate) => "the library".to_owned(),
            None => "asserted".to_owned(),
        };
        let (arity, times) = (site.predicate.arity, site.repetition());
        format!("{start} {name}/{arity}, {place}{times}")
    });
    lines.collect()
}

/// An error term of \[ISO 7.12.2\].
fn standard(store: &Store, name: &str, arguments: &[TermId]) -> Option<String> {
    let texts: Vec<String> = arguments.iter().map(|&term| text(store, term)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Some(match (name, texts.as_slice()) {
        ("instantiation_error", []) => "a variable has no value yet where one is needed".to_owned(),
        ("type_error", [expected, culprit]) => {
            format!("expected {}, found {culprit}", kind(expected))
        }
        ("domain_error", [domain, culprit]) => format!("{culprit} is out of the domain {domain}"),
        ("existence_error", [kind, culprit]) => format!("there is no {kind} {culprit}"),
        ("permission_error", [action, "static_procedure", culprit]) => {
            format!("no permission to {action} {culprit}; `:- dynamic {culprit}.` would give it")
        }
        ("permission_error", [action, kind, culprit]) => {
            format!("no permission to {action} {kind} {culprit}")
        }
        ("evaluation_error", ["zero_divisor"]) => "division by zero".to_owned(),
        ("evaluation_error", [what]) => format!("arithmetic: {what}"),
        ("representation_error", [what]) => format!("limit exceeded: {what}"),
        ("resource_error", [what]) => format!("not enough {what}"),
        ("syntax_error", [what]) => format!("syntax error: {what}"),
        _ => return None,
    })
}

fn text(store: &Store, term: TermId) -> String {
    match parts(store, term) {
        // An indicator of a predicate or function.
        Some(("/", &[name, arity])) => {
            format!("{}/{}", Infix::new(store, name), Infix::new(store, arity))
        }
        _ => Infix::new(store, term).to_string(),
    }
}

/// `an integer` of `integer`.
fn kind(word: &str) -> String {
    let vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']);
    let article = if vowel { "an" } else { "a" };
    match word {
        "callable" => "a goal".to_owned(),
        "evaluable" => "an arithmetic function".to_owned(),
        _ => format!("{article} {}", word.replace('_', " ")),
    }
}

/// An unknown predicate, with what may have been meant.
fn unknown(machine: &Machine, indicator: TermId) -> String {
    let store = machine.store();
    let Some(("/", &[name, arity])) = parts(store, indicator) else {
        return format!("there is no predicate {}", Infix::new(store, indicator));
    };
    let (Some((name, _)), Term::Integer(arity)) = (parts(store, name), store.view(arity)) else {
        return format!("there is no predicate {}", Infix::new(store, indicator));
    };
    let name = shown_name(name);
    let message = format!("there is no predicate {name}/{arity}");
    let same_name = machine
        .known_predicates()
        .find(|predicate| shown_name(store.name(predicate.symbol)) == name);
    if let Some(predicate) = same_name {
        return format!("{message}; there is {name}/{}", predicate.arity);
    }
    let names: Vec<&str> = machine
        .known_predicates()
        .filter(|predicate| i64::from(predicate.arity) == arity)
        .map(|predicate| shown_name(store.name(predicate.symbol)))
        .collect();
    match crate::gdl::similar(name, names.into_iter()) {
        Some(other) => format!("{message}; did you mean {other}/{arity}?"),
        None => message,
    }
}

fn parts(store: &Store, term: TermId) -> Option<(&str, &[TermId])> {
    let functor = store.functor(term)?;
    Some((store.name(functor.symbol), store.arguments(term)))
}
