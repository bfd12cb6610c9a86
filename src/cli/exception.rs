//! Exceptions of Prolog programs, in words.

use crate::engine::{Exception, Machine};
use crate::gdl::shown_name;
use crate::term::{Infix, Store, Term, TermId};

/// What an exception says; error terms of the standard in words, anything else as it is.
pub(super) fn in_words(machine: &Machine, exception: &Exception) -> String {
    let store = machine.store();
    let error = match parts(store, exception.term) {
        Some(("error", &[formal, _])) => formal,
        _ => return format!("uncaught exception: {}", exception.text),
    };
    let text = |term: TermId| match parts(store, term) {
        // An indicator of a predicate or function.
        Some(("/", &[name, arity])) => {
            format!("{}/{}", Infix::new(store, name), Infix::new(store, arity))
        }
        _ => Infix::new(store, term).to_string(),
    };
    match parts(store, error) {
        Some(("instantiation_error", [])) => {
            "a variable has no value yet where one is needed".to_owned()
        }
        Some(("type_error", &[expected, culprit])) => {
            format!(
                "expected {}, found {}",
                kind(&text(expected)),
                text(culprit)
            )
        }
        Some(("domain_error", &[domain, culprit])) => {
            format!("{} is out of the domain {}", text(culprit), text(domain))
        }
        Some(("existence_error", &[kind, culprit])) => match parts(store, kind) {
            Some(("procedure", _)) => unknown(machine, culprit),
            _ => format!("there is no {} {}", text(kind), text(culprit)),
        },
        Some(("permission_error", &[action, kind, culprit]))
            if parts(store, kind).is_some_and(|(kind, _)| kind == "static_procedure") =>
        {
            let (action, culprit) = (text(action), text(culprit));
            format!("no permission to {action} {culprit}; `:- dynamic {culprit}.` would give it")
        }
        Some(("permission_error", &[action, kind, culprit])) => format!(
            "no permission to {} {} {}",
            text(action),
            text(kind),
            text(culprit)
        ),
        Some(("evaluation_error", &[what])) => match parts(store, what) {
            Some(("zero_divisor", _)) => "division by zero".to_owned(),
            _ => format!("arithmetic: {}", text(what)),
        },
        Some(("representation_error", &[what])) => format!("limit exceeded: {}", text(what)),
        Some(("resource_error", &[what])) => format!("not enough {}", text(what)),
        Some(("syntax_error", &[what])) => format!("syntax error: {}", text(what)),
        _ => format!("uncaught exception: {}", exception.text),
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
