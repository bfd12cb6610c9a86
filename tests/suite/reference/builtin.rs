//! Built-in predicates: tests, and those that have several solutions.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::arithmetic::{self, error, evaluate, type_error};
use super::database::{add, retract_all};
use super::solve::Interpreter;
use super::term::{
    Bindings, Outcome, Stop, Term, atom, compare, compound, identical, integer, list, text,
};

pub(super) fn instantiation(bindings: &mut Bindings) -> Stop {
    error(bindings, atom("instantiation_error"))
}

/// The elements of a proper list.
fn elements(machine: &mut Interpreter, term: &Term) -> Outcome<Vec<Term>> {
    let (found, tail) = partial(machine, term);
    if tail.is_atom("[]") {
        Ok(found)
    } else if tail.is_variable() {
        Err(instantiation(&mut machine.bindings))
    } else {
        Err(type_error(&mut machine.bindings, "list", term))
    }
}

/// The elements of a list and what is behind them.
fn partial(machine: &Interpreter, term: &Term) -> (Vec<Term>, Term) {
    let mut found = Vec::new();
    let mut rest = machine.bindings.value(term);
    while let Some(("[|]", [head, tail])) = rest.callable() {
        found.push(head.clone());
        let tail = machine.bindings.value(tail);
        rest = tail;
    }
    (found, rest)
}

fn check_partial(machine: &mut Interpreter, term: &Term) -> Outcome<()> {
    let (_, rest) = partial(machine, term);
    if rest.is_variable() || rest.is_atom("[]") {
        Ok(())
    } else {
        Err(type_error(&mut machine.bindings, "list", term))
    }
}

fn sorted(
    machine: &Interpreter,
    terms: &[Term],
    key: impl Fn(&Term) -> Term,
) -> Outcome<Vec<Term>> {
    let mut result: Vec<Term> = Vec::new();
    for term in terms {
        let term = machine.bindings.resolve(term);
        // Insertion behind all that are not greater is stable.
        let mut place = result.len();
        while place > 0 && compare(&key(&result[place - 1]), &key(&term))? == Ordering::Greater {
            place -= 1;
        }
        result.insert(place, term);
    }
    Ok(result)
}

fn without_duplicates(terms: Vec<Term>) -> Vec<Term> {
    let mut result: Vec<Term> = Vec::new();
    for term in terms {
        if !result.last().is_some_and(|last| identical(last, &term)) {
            result.push(term);
        }
    }
    result
}

/// The solutions of a predicate that may have several: a term, and what it is unified with.
pub(super) fn solutions(
    machine: &mut Interpreter,
    goal: &Term,
) -> Outcome<Option<(Term, Vec<Term>)>> {
    let Some((name, arguments)) = goal.callable() else {
        return Ok(None);
    };
    Ok(Some(match (name, arguments) {
        ("findall", [template, goal, result]) => {
            check_partial(machine, result)?;
            let found = machine.all(template, goal)?;
            (result.clone(), vec![list(&found)])
        }
        ("bagof" | "setof", [template, goal, result]) => {
            check_partial(machine, result)?;
            bags(machine, name == "setof", template, goal, result)?
        }
        ("between", [low, high, value]) => between(machine, low, high, value)?,
        ("member", [element, terms]) => {
            let (found, tail) = partial(machine, terms);
            if tail.is_variable() {
                return Err(Stop::Skip("open list"));
            }
            (element.clone(), found)
        }
        ("append", [front, back, all]) => append(machine, front, back, all)?,
        ("select", [element, terms, rest]) => {
            let (found, tail) = partial(machine, terms);
            if tail.is_variable() {
                return Err(Stop::Skip("open list"));
            }
            let pick = |position: usize| {
                let mut others = found.clone();
                let picked = others.remove(position);
                let others = others
                    .iter()
                    .rev()
                    .fold(tail.clone(), |tail, x| compound("[|]", &[x.clone(), tail]));
                compound("-", &[picked, others])
            };
            let values = (0..found.len()).map(pick).collect();
            (compound("-", &[element.clone(), rest.clone()]), values)
        }
        ("atom_concat", [front, back, all]) => atom_concat(machine, front, back, all)?,
        ("sub_atom", [whole, before, length, after, part]) => {
            sub_atom(machine, whole, [before, length, after, part])?
        }
        _ => return Ok(None),
    }))
}

fn bags(
    machine: &mut Interpreter,
    is_set: bool,
    template: &Term,
    goal: &Term,
    result: &Term,
) -> Outcome<(Term, Vec<Term>)> {
    let mut bound = Vec::new();
    machine.bindings.resolve(template).variables(&mut bound);
    let mut inner = machine.bindings.value(goal);
    while let Some(("^", [variables, rest])) = inner.callable() {
        machine.bindings.resolve(variables).variables(&mut bound);
        let rest = machine.bindings.value(rest);
        inner = rest;
    }
    let mut free = Vec::new();
    machine.bindings.resolve(&inner).variables(&mut free);
    free.retain(|variable| !bound.contains(variable));
    let free: Vec<Term> = free.into_iter().map(Term::Variable).collect();
    let witness = list(&free);
    let pairs = machine.all(&compound("-", &[witness.clone(), template.clone()]), &inner)?;
    if machine.bindings.is_exhausted() {
        return Err(Stop::Skip("work"));
    }
    let key = |pair: &Term| pair.callable().unwrap().1[0].clone();
    let pairs = if free.is_empty() {
        pairs
    } else {
        sorted(machine, &pairs, key)?
    };
    let mut bags: Vec<(Term, Vec<Term>)> = Vec::new();
    for pair in pairs {
        let (_, parts) = pair.callable().unwrap();
        match bags.last_mut() {
            Some((last, bag)) if identical(last, &parts[0]) => bag.push(parts[1].clone()),
            _ => bags.push((parts[0].clone(), vec![parts[1].clone()])),
        }
    }
    let mut values = Vec::new();
    for (key, bag) in bags {
        let bag = if is_set {
            without_duplicates(sorted(machine, &bag, Term::clone)?)
        } else {
            bag
        };
        values.push(compound("-", &[key, list(&bag)]));
    }
    Ok((compound("-", &[witness, result.clone()]), values))
}

fn whole(machine: &mut Interpreter, term: &Term) -> Outcome<BigInt> {
    match machine.bindings.value(term) {
        Term::Integer(value) => Ok(value),
        other => Err(type_error(&mut machine.bindings, "integer", &other)),
    }
}

fn between(
    machine: &mut Interpreter,
    low: &Term,
    high: &Term,
    value: &Term,
) -> Outcome<(Term, Vec<Term>)> {
    let (low, high) = (whole(machine, low)?, whole(machine, high)?);
    let value = machine.bindings.value(value);
    if !value.is_variable() {
        whole(machine, &value)?;
    }
    let mut values = Vec::new();
    let mut next = low;
    while next <= high && values.len() < 100 {
        values.push(Term::Integer(next.clone()));
        next += 1;
    }
    if next <= high {
        return Err(Stop::Skip("many integers"));
    }
    Ok((value, values))
}

fn append(
    machine: &mut Interpreter,
    front: &Term,
    back: &Term,
    all: &Term,
) -> Outcome<(Term, Vec<Term>)> {
    let onto = |front: &[Term], tail: Term| {
        front
            .iter()
            .rev()
            .fold(tail, |tail, head| compound("[|]", &[head.clone(), tail]))
    };
    let (elements, tail) = partial(machine, front);
    if !tail.is_variable() {
        let values = if tail.is_atom("[]") {
            vec![onto(&elements, back.clone())]
        } else {
            Vec::new()
        };
        return Ok((all.clone(), values));
    }
    let (whole, end) = partial(machine, all);
    if end.is_variable() {
        return Err(Stop::Skip("open list"));
    }
    let split = |length: usize| {
        let rest = onto(&whole[length..], end.clone());
        compound("-", &[list(&whole[..length]), rest])
    };
    let values = (0..=whole.len()).map(split).collect();
    Ok((compound("-", &[front.clone(), back.clone()]), values))
}

fn name_of(machine: &mut Interpreter, term: &Term) -> Outcome<Option<String>> {
    match machine.bindings.value(term) {
        Term::Variable(_) => Ok(None),
        Term::Atom(name) => Ok(Some(name.to_string())),
        _ => Err(Stop::Skip("text of what is no atom")),
    }
}

/// A program that makes longer atoms doubles one again and again.
const LONGEST_ATOM: usize = 1 << 20;

fn atom_concat(
    machine: &mut Interpreter,
    front: &Term,
    back: &Term,
    all: &Term,
) -> Outcome<(Term, Vec<Term>)> {
    let given = (
        name_of(machine, front)?,
        name_of(machine, back)?,
        name_of(machine, all)?,
    );
    let parts = compound("-", &[front.clone(), back.clone()]);
    match given {
        (Some(front), Some(back), _) if front.len() + back.len() > LONGEST_ATOM => {
            Err(Stop::Skip("an atom that grows and grows"))
        }
        (Some(front), Some(back), _) => Ok((all.clone(), vec![atom(&format!("{front}{back}"))])),
        (_, _, None) => Err(instantiation(&mut machine.bindings)),
        (_, _, Some(whole)) => {
            let places = whole
                .char_indices()
                .map(|(place, _)| place)
                .chain([whole.len()]);
            let values = places
                .map(|place| compound("-", &[atom(&whole[..place]), atom(&whole[place..])]))
                .collect();
            Ok((parts, values))
        }
    }
}

fn sub_atom(
    machine: &mut Interpreter,
    whole: &Term,
    others: [&Term; 4],
) -> Outcome<(Term, Vec<Term>)> {
    let Some(text) = name_of(machine, whole)? else {
        return Err(instantiation(&mut machine.bindings));
    };
    for position in &others[..3] {
        let value = machine.bindings.value(position);
        match &value {
            Term::Variable(_) => {}
            Term::Integer(number) if *number >= BigInt::ZERO => {}
            _ => return Err(Stop::Skip("position of a part")),
        }
    }
    name_of(machine, others[3])?;
    let characters: Vec<char> = text.chars().collect();
    let mut values = Vec::new();
    for before in 0..=characters.len() {
        for length in 0..=characters.len() - before {
            let part: String = characters[before..before + length].iter().collect();
            let after = characters.len() - before - length;
            values.push(list(&[
                integer(before),
                integer(length),
                integer(after),
                atom(&part),
            ]));
        }
    }
    Ok((list(&others.map(Term::clone)), values))
}

/// Whether a predicate that has at most one solution holds; none if there is no such predicate.
pub(super) fn test(machine: &mut Interpreter, goal: &Term) -> Outcome<Option<bool>> {
    let Some((name, arguments)) = goal.callable() else {
        return Ok(None);
    };
    if let Some(holds) = type_test(machine, name, arguments) {
        return Ok(Some(holds));
    }
    if let Some(holds) = comparison(machine, name, arguments)? {
        return Ok(Some(holds));
    }
    if let Some(holds) = effect(machine, name, arguments)? {
        return Ok(Some(holds));
    }
    let unified = match value(machine, name, arguments)? {
        Some(unified) => Some(unified),
        None => list_value(machine, name, arguments)?,
    };
    match unified {
        Some((left, right)) => machine.bindings.unify(&left, &right, false).map(Some),
        None => constructed(machine, name, arguments),
    }
}

/// Output, exceptions, changes of the database and of global variables.
fn effect(machine: &mut Interpreter, name: &str, arguments: &[Term]) -> Outcome<Option<bool>> {
    match (name, arguments) {
        ("fail" | "false", []) => return Ok(Some(false)),
        ("nl", []) => machine.output.push('\n'),
        ("out", [term]) => {
            let term = machine.bindings.resolve(term).numbered();
            machine.output.push_str(&text(&term));
            machine.output.push('\n');
        }
        ("throw", [ball]) => {
            let ball = machine.bindings.resolve(ball);
            if ball.is_variable() {
                return Err(instantiation(&mut machine.bindings));
            }
            return Err(Stop::Throw(ball.numbered()));
        }
        ("assertz" | "asserta", [clause]) => {
            return add(machine, name == "asserta", clause).map(Some);
        }
        ("retractall", [head]) => return retract_all(machine, head).map(Some),
        ("nb_setval", [key, value]) => {
            let value = machine.bindings.resolve(value).numbered();
            let Some(key) = name_of(machine, key)? else {
                return Err(instantiation(&mut machine.bindings));
            };
            machine.globals.insert(key, value);
        }
        _ => return Ok(None),
    }
    Ok(Some(true))
}

/// A predicate that computes a term: its result, and what that is unified with.
fn value(
    machine: &mut Interpreter,
    name: &str,
    arguments: &[Term],
) -> Outcome<Option<(Term, Term)>> {
    Ok(Some(match (name, arguments) {
        ("=", [a, b]) => (a.clone(), b.clone()),
        ("is", [value, expression]) => {
            let number = evaluate(&mut machine.bindings, expression)?;
            (value.clone(), number.into())
        }
        ("copy_term", [term, copy]) => {
            let copied = machine.bindings.copy(term);
            (copy.clone(), copied)
        }
        ("term_variables", [term, result]) => {
            check_partial(machine, result)?;
            let mut found = Vec::new();
            machine.bindings.resolve(term).variables(&mut found);
            let found: Vec<Term> = found.into_iter().map(Term::Variable).collect();
            (result.clone(), list(&found))
        }
        ("nb_getval", [key, value]) => {
            let Some(key) = name_of(machine, key)? else {
                return Err(instantiation(&mut machine.bindings));
            };
            let stored = machine.globals.get(&key).cloned();
            let stored = stored.ok_or(Stop::Skip("unknown global variable"))?;
            (value.clone(), machine.bindings.rename(&stored))
        }
        ("atom_length", [term, length]) => {
            let name = name_of(machine, term)?;
            let Some(name) = name else {
                return Err(instantiation(&mut machine.bindings));
            };
            let given = machine.bindings.value(length);
            let is_length = matches!(&given, Term::Integer(number) if *number >= BigInt::ZERO);
            if !given.is_variable() && !is_length {
                return Err(Stop::Skip("length that is none"));
            }
            (given, integer(name.chars().count()))
        }
        _ => return Ok(None),
    }))
}

/// The same, for lists.
fn list_value(
    machine: &mut Interpreter,
    name: &str,
    arguments: &[Term],
) -> Outcome<Option<(Term, Term)>> {
    let [terms, result] = arguments else {
        return Ok(None);
    };
    let found = match name {
        "msort" => {
            let terms = elements(machine, terms)?;
            check_partial(machine, result)?;
            list(&sorted(machine, &terms, Term::clone)?)
        }
        "sort" => {
            let terms = elements(machine, terms)?;
            check_partial(machine, result)?;
            list(&without_duplicates(sorted(machine, &terms, Term::clone)?))
        }
        "keysort" => keysort(machine, terms, result)?,
        "reverse" => {
            let (mut found, tail) = partial(machine, terms);
            if !tail.is_atom("[]") {
                return Err(Stop::Skip("open list"));
            }
            found.reverse();
            list(&found)
        }
        _ => return Ok(None),
    };
    Ok(Some((result.clone(), found)))
}

/// Predicates that take terms apart or build them.
fn constructed(machine: &mut Interpreter, name: &str, arguments: &[Term]) -> Outcome<Option<bool>> {
    match (name, arguments) {
        ("unify_with_occurs_check", [a, b]) => machine.bindings.unify(a, b, true),
        ("functor", [term, name, arity]) => functor(machine, term, name, arity),
        ("arg", [position, term, value]) => match argument(machine, position, term)? {
            Some(found) => machine.bindings.unify(value, &found, false),
            None => Ok(false),
        },
        ("=..", [term, parts]) => univ(machine, term, parts),
        ("length", [terms, length]) => list_length(machine, terms, length),
        ("atom_chars" | "atom_codes", [term, parts]) => {
            spell(machine, name == "atom_codes", term, parts)
        }
        _ => return Ok(None),
    }
    .map(Some)
}

fn type_test(machine: &Interpreter, name: &str, arguments: &[Term]) -> Option<bool> {
    let [argument] = arguments else {
        return None;
    };
    let value = machine.bindings.value(argument);
    Some(match name {
        "var" => value.is_variable(),
        "nonvar" => !value.is_variable(),
        "atom" => matches!(value, Term::Atom(_)),
        "integer" => matches!(value, Term::Integer(_)),
        "float" => matches!(value, Term::Float(_)),
        "number" => matches!(value, Term::Integer(_) | Term::Float(_)),
        "atomic" => !matches!(value, Term::Variable(_) | Term::Compound(..)),
        "compound" => matches!(value, Term::Compound(..)),
        "callable" => value.callable().is_some(),
        "is_list" => partial(machine, &value).1.is_atom("[]"),
        "ground" => {
            let mut found = Vec::new();
            machine.bindings.resolve(&value).variables(&mut found);
            found.is_empty()
        }
        _ => return None,
    })
}

fn comparison(machine: &mut Interpreter, name: &str, arguments: &[Term]) -> Outcome<Option<bool>> {
    let [left, right] = arguments else {
        let ("compare", [result, left, right]) = (name, arguments) else {
            return Ok(None);
        };
        match machine.bindings.value(result) {
            Term::Variable(_) => {}
            ref other if ["<", "=", ">"].iter().any(|order| other.is_atom(order)) => {}
            _ => return Err(Stop::Skip("order that is none")),
        }
        let order = compare(
            &machine.bindings.resolve(left),
            &machine.bindings.resolve(right),
        )?;
        let order = match order {
            Ordering::Less => "<",
            Ordering::Equal => "=",
            Ordering::Greater => ">",
        };
        return machine
            .bindings
            .unify(result, &atom(order), false)
            .map(Some);
    };
    let wanted: fn(Ordering) -> bool = match name {
        "==" => {
            return Ok(Some(identical(
                &machine.bindings.resolve(left),
                &machine.bindings.resolve(right),
            )));
        }
        "\\==" => {
            return Ok(Some(!identical(
                &machine.bindings.resolve(left),
                &machine.bindings.resolve(right),
            )));
        }
        "\\=" => {
            let mark = machine.bindings.mark();
            let unifies = machine.bindings.unify(left, right, false)?;
            machine.bindings.undo(mark);
            return Ok(Some(!unifies));
        }
        "@<" | "<" => Ordering::is_lt,
        "@>" | ">" => Ordering::is_gt,
        "@=<" | "=<" => Ordering::is_le,
        "@>=" | ">=" => Ordering::is_ge,
        "=:=" => Ordering::is_eq,
        "=\\=" => Ordering::is_ne,
        _ => return Ok(None),
    };
    let order = if name.starts_with('@') {
        compare(
            &machine.bindings.resolve(left),
            &machine.bindings.resolve(right),
        )?
    } else {
        let operands = [left.clone(), right.clone()];
        match &arithmetic::evaluate_all(&mut machine.bindings, &operands)?[..] {
            [left, right] => arithmetic::order(left, right),
            _ => unreachable!("two operands have two values"),
        }
    };
    Ok(Some(wanted(order)))
}

fn functor(machine: &mut Interpreter, term: &Term, name: &Term, arity: &Term) -> Outcome<bool> {
    let value = machine.bindings.value(term);
    if !value.is_variable() {
        let (found, count) = match &value {
            Term::Compound(functor, arguments) => (Term::Atom(functor.clone()), arguments.len()),
            _ => (value.clone(), 0),
        };
        return Ok(machine.bindings.unify(name, &found, false)?
            && machine.bindings.unify(arity, &integer(count), false)?);
    }
    let (name, arity) = (machine.bindings.value(name), machine.bindings.value(arity));
    if name.is_variable() || arity.is_variable() {
        return Err(instantiation(&mut machine.bindings));
    }
    let count = whole(machine, &arity)?;
    let Ok(count @ 0..=8) = usize::try_from(&count) else {
        return Err(Stop::Skip("number of arguments"));
    };
    let made = match &name {
        _ if count == 0 && !matches!(name, Term::Compound(..)) => name,
        Term::Atom(name) => {
            let arguments: Vec<Term> = (0..count).map(|_| machine.bindings.fresh()).collect();
            compound(name, &arguments)
        }
        Term::Compound(..) => return Err(type_error(&mut machine.bindings, "atomic", &name)),
        _ => return Err(Stop::Skip("number as a functor")),
    };
    machine.bindings.unify(term, &made, false)
}

fn argument(machine: &mut Interpreter, position: &Term, term: &Term) -> Outcome<Option<Term>> {
    let term = machine.bindings.value(term);
    if machine.bindings.value(position).is_variable() {
        return Err(Stop::Skip("any argument"));
    }
    let position = whole(machine, position)?;
    let Term::Compound(_, arguments) = &term else {
        return Err(type_error(&mut machine.bindings, "compound", &term));
    };
    if position < BigInt::ZERO {
        return Err(Stop::Skip("negative position"));
    }
    let position = usize::try_from(&position).unwrap_or(usize::MAX);
    Ok(position
        .checked_sub(1)
        .and_then(|index| arguments.get(index))
        .cloned())
}

fn univ(machine: &mut Interpreter, term: &Term, parts: &Term) -> Outcome<bool> {
    let value = machine.bindings.value(term);
    if !value.is_variable() {
        check_partial(machine, parts)?;
        let found = match &value {
            Term::Compound(name, arguments) => {
                let mut found = vec![Term::Atom(name.clone())];
                found.extend(arguments.iter().cloned());
                found
            }
            _ => vec![value],
        };
        return machine.bindings.unify(parts, &list(&found), false);
    }
    let parts = elements(machine, parts)?;
    let Some((first, arguments)) = parts.split_first() else {
        let formal = compound("domain_error", &[atom("non_empty_list"), atom("[]")]);
        return Err(error(&mut machine.bindings, formal));
    };
    let first = machine.bindings.value(first);
    let made = match &first {
        Term::Variable(_) => return Err(instantiation(&mut machine.bindings)),
        Term::Compound(..) if arguments.is_empty() => {
            return Err(type_error(&mut machine.bindings, "atomic", &first));
        }
        _ if arguments.is_empty() => first,
        Term::Atom(name) => compound(name, arguments),
        _ => return Err(Stop::Skip("functor that is no atom")),
    };
    machine.bindings.unify(term, &made, false)
}

fn list_length(machine: &mut Interpreter, terms: &Term, length: &Term) -> Outcome<bool> {
    let (found, tail) = partial(machine, terms);
    let length = machine.bindings.value(length);
    if !length.is_variable() {
        let length = whole(machine, &length)?;
        if length < BigInt::ZERO {
            return Err(Stop::Skip("negative length"));
        }
    }
    if tail.is_atom("[]") {
        return machine
            .bindings
            .unify(&length, &integer(found.len()), false);
    }
    let Term::Integer(wanted) = &length else {
        return Err(Stop::Skip("open list"));
    };
    if !tail.is_variable() {
        return Err(Stop::Skip("length of no list"));
    }
    let wanted = usize::try_from(wanted).map_err(|_| Stop::Skip("long list"))?;
    if wanted > 50 {
        return Err(Stop::Skip("long list"));
    }
    let Some(missing) = wanted.checked_sub(found.len()) else {
        return Ok(false);
    };
    let fresh: Vec<Term> = (0..missing).map(|_| machine.bindings.fresh()).collect();
    machine.bindings.unify(&tail, &list(&fresh), false)
}

fn keysort(machine: &mut Interpreter, pairs: &Term, result: &Term) -> Outcome<Term> {
    let pairs = elements(machine, pairs)?;
    check_partial(machine, result)?;
    for pair in &pairs {
        if machine.bindings.value(pair).is_variable() {
            return Err(instantiation(&mut machine.bindings));
        }
        check_pair(machine, pair)?;
    }
    // What is known of the result must be pairs, too.
    let (known, _) = partial(machine, result);
    for pair in &known {
        if !machine.bindings.value(pair).is_variable() {
            check_pair(machine, pair)?;
        }
    }
    let key = |pair: &Term| pair.callable().unwrap().1[0].clone();
    Ok(list(&sorted(machine, &pairs, key)?))
}

fn check_pair(machine: &mut Interpreter, pair: &Term) -> Outcome<()> {
    let pair = machine.bindings.value(pair);
    if matches!(pair.callable(), Some(("-", [_, _]))) {
        return Ok(());
    }
    let culprit = machine.bindings.resolve(&pair);
    let formal = compound("type_error", &[atom("pair"), culprit]);
    Err(error(&mut machine.bindings, formal))
}

fn spell(machine: &mut Interpreter, as_codes: bool, term: &Term, parts: &Term) -> Outcome<bool> {
    let Some(name) = name_of(machine, term)? else {
        let found = elements(machine, parts)?;
        let mut name = String::new();
        for part in found {
            match machine.bindings.value(&part) {
                Term::Variable(_) => return Err(instantiation(&mut machine.bindings)),
                Term::Atom(part) if !as_codes && part.chars().count() == 1 => name.push_str(&part),
                Term::Integer(code) if as_codes => {
                    let code = u32::try_from(&code)
                        .ok()
                        .filter(|&code| code > 0)
                        .and_then(char::from_u32);
                    name.push(code.ok_or(Stop::Skip("character code"))?);
                }
                _ => return Err(Stop::Skip("character")),
            }
        }
        return machine.bindings.unify(term, &atom(&name), false);
    };
    let (elements, tail) = partial(machine, parts);
    if !tail.is_variable() && !tail.is_atom("[]")
        || elements
            .iter()
            .any(|x| !machine.bindings.value(x).is_variable())
    {
        return Err(Stop::Skip("list of characters that is none"));
    }
    let part = |character: char| {
        if as_codes {
            integer(character as u32)
        } else {
            atom(&character.to_string())
        }
    };
    let spelled: Vec<Term> = name.chars().map(part).collect();
    machine.bindings.unify(parts, &list(&spelled), false)
}
