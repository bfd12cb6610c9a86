//! `:rules`: the rules of a predicate, as they are written.

use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::repl::session::Session;
use crate::cli::repl::show::{FAINT, styled};
use crate::syntax::{Notation, Source, Span, parse};

/// Shows the rules of `name` or `name/arity`.
pub(super) fn show(session: &Session, wanted: &str) -> Result<(), Failure> {
    let (name, arity) = indicator(wanted)?;
    let is_wanted =
        |found: &str, found_arity: usize| found == name && arity.is_none_or(|n| n == found_arity);
    let mut found = false;
    if let Some(walk) = &session.walk {
        let store = walk.store();
        let of_predicate = walk.game().clauses().iter().filter(|clause| {
            store.functor(clause.head).is_some_and(|functor| {
                is_wanted(store.name(functor.symbol), functor.arity as usize)
            })
        });
        for clause in of_predicate {
            found = true;
            print(walk.game().source(), clause.origin.span)?;
        }
    }
    for program in session.programs() {
        let document = parse(program, Notation::Prolog).document;
        for sentence in document.sentences() {
            let head = document.functor(program, sentence.head);
            if is_wanted(&head, document.arguments(sentence.head).len()) {
                found = true;
                print(program, sentence.span)?;
            }
        }
    }
    if found {
        Ok(())
    } else {
        Err(Failure::bad_input(format!(
            "nothing that is loaded has rules for {wanted}"
        )))
    }
}

/// `legal/2` or `legal`.
pub(super) fn indicator(text: &str) -> Result<(&str, Option<usize>), Failure> {
    let wrong = || Failure::bad_input(format!("{text:?} is no predicate; try legal or legal/2"));
    match text.rsplit_once('/') {
        Some((name, arity)) if !name.is_empty() => {
            Ok((name, Some(arity.parse().map_err(|_| wrong())?)))
        }
        None if !text.is_empty() => Ok((text, None)),
        _ => Err(wrong()),
    }
}

fn print(source: &Source, span: Span) -> Result<(), Failure> {
    let place = format!("{}:{}", source.name(), source.line(span));
    output::line(&styled(FAINT, &place))?;
    output::line(source.slice(span).trim_end())
}
