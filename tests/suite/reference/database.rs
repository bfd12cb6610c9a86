//! The clause database: what may be changed, and how.

use std::rc::Rc;

use super::arithmetic::{error, type_error};
use super::solve::{Clause, Interpreter, Predicate, clause};
use super::term::{Outcome, Stop, Term, atom, compound, integer};

/// Predicates of the language, which no program may change.
const CONTROL: &[(&str, usize)] = &[
    (",", 2),
    (";", 2),
    ("->", 2),
    ("*->", 2),
    ("!", 0),
    ("true", 0),
    ("catch", 3),
];

/// Head and body of a clause.
pub(super) fn split(clause: &Term) -> (Term, Term) {
    match clause.callable() {
        Some((":-", [head, body])) => (head.clone(), body.clone()),
        _ => (clause.clone(), atom("true")),
    }
}

/// Name and number of arguments of a head.
fn key_of(machine: &mut Interpreter, head: &Term) -> Outcome<(String, usize)> {
    let head = machine.bindings.value(head);
    match head.callable() {
        Some((name, arguments)) => Ok((name.to_owned(), arguments.len())),
        None => Err(type_error(&mut machine.bindings, "callable", &head)),
    }
}

/// The predicate that a clause is added to or taken from.
fn modified(
    machine: &mut Interpreter,
    (name, arity): (String, usize),
    make: bool,
) -> Outcome<Option<&mut Predicate>> {
    let key = (name.clone(), arity);
    let is_static = match machine.database.get(&key) {
        Some(predicate) => !predicate.is_dynamic,
        None => CONTROL.contains(&(name.as_str(), arity)),
    };
    if is_static {
        let indicator = compound("/", &[atom(&name), integer(arity)]);
        let parts = [atom("modify"), atom("static_procedure"), indicator];
        let formal = compound("permission_error", &parts);
        return Err(error(&mut machine.bindings, formal));
    }
    if make {
        machine
            .database
            .entry(key.clone())
            .or_insert_with(|| Predicate {
                is_dynamic: true,
                ..Predicate::default()
            });
    }
    Ok(machine.database.get_mut(&key))
}

pub(super) fn add(machine: &mut Interpreter, at_front: bool, term: &Term) -> Outcome<bool> {
    let (head, body) = split(&machine.bindings.resolve(term));
    let key = key_of(machine, &head)?;
    let added = clause(&head, &body);
    if let Some(predicate) = modified(machine, key, true)? {
        let place = if at_front { 0 } else { predicate.clauses.len() };
        predicate.clauses.insert(place, added);
    }
    Ok(true)
}

pub(super) fn retract_all(machine: &mut Interpreter, head: &Term) -> Outcome<bool> {
    let key = key_of(machine, head)?;
    let clauses = modified(machine, key.clone(), true)?.map(|predicate| predicate.clauses.clone());
    for clause in clauses.unwrap_or_default() {
        let mark = machine.bindings.mark();
        let renamed = machine.bindings.rename(&clause.head);
        if machine.bindings.unify(head, &renamed, false)? {
            clause.is_erased.set(true);
        }
        machine.bindings.undo(mark);
    }
    let predicate = machine.database.get_mut(&key).unwrap();
    predicate.clauses.retain(|clause| !clause.is_erased.get());
    Ok(true)
}

/// The clauses that `retract/1` may remove.
pub(super) fn retractable(machine: &mut Interpreter, term: &Term) -> Outcome<Vec<Rc<Clause>>> {
    let (head, _) = split(&machine.bindings.value(term));
    let key = key_of(machine, &head)?;
    if machine
        .database
        .get(&key)
        .is_some_and(|predicate| !predicate.is_dynamic)
    {
        // Systems differ in which permission is missing.
        return Err(Stop::Skip("removal from a static procedure"));
    }
    let predicate = modified(machine, key, false)?;
    Ok(predicate
        .map(|predicate| predicate.clauses.clone())
        .unwrap_or_default())
}

/// Heads and bodies of the clauses of a dynamic predicate.
pub(super) fn clauses(machine: &mut Interpreter, head: &Term, body: &Term) -> Outcome<Vec<Term>> {
    let key = key_of(machine, head)?;
    let body = machine.bindings.value(body);
    if matches!(body, Term::Integer(_) | Term::Float(_)) {
        return Err(type_error(&mut machine.bindings, "callable", &body));
    }
    let clauses = match machine.database.get(&key) {
        Some(predicate) if !predicate.is_dynamic => {
            return Err(Stop::Skip("access to a static procedure"));
        }
        Some(predicate) => predicate.clauses.clone(),
        None => return Ok(Vec::new()),
    };
    let renamed = clauses.iter().map(|clause| {
        let pair = compound("-", &[clause.head.clone(), clause.body.clone()]);
        machine.bindings.rename(&pair)
    });
    Ok(renamed.collect())
}
