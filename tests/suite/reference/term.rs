//! Terms, bindings, unification and order, as the standard defines them and no faster.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::rc::Rc;

use num_bigint::BigInt;

/// A term. Variables of clauses are numbered from zero, variables of a run are indices of its bindings.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Variable(usize),
    Integer(BigInt),
    Float(f64),
    Atom(Rc<str>),
    Compound(Rc<str>, Rc<[Term]>),
}

/// Why a goal neither holds nor fails.
#[derive(Debug)]
pub(super) enum Stop {
    /// The ball, its variables numbered from zero.
    Throw(Term),
    /// The standard leaves the outcome open, or the steps are used up: nothing can be compared.
    Skip(&'static str),
}

pub(super) type Outcome<T> = Result<T, Stop>;

pub(super) fn atom(name: &str) -> Term {
    Term::Atom(name.into())
}

pub(super) fn integer(value: impl Into<BigInt>) -> Term {
    Term::Integer(value.into())
}

pub(super) fn compound(name: &str, arguments: &[Term]) -> Term {
    if arguments.is_empty() {
        return atom(name);
    }
    Term::Compound(name.into(), arguments.into())
}

/// A compound of one argument.
pub(super) fn unary(name: &str, argument: &Term) -> Term {
    Term::Compound(name.into(), [argument.clone()].into())
}

pub(super) fn list(elements: &[Term]) -> Term {
    elements.iter().rev().fold(atom("[]"), |tail, head| {
        compound("[|]", &[head.clone(), tail])
    })
}

impl Term {
    /// Name and arguments of an atom or compound.
    pub(super) fn callable(&self) -> Option<(&str, &[Term])> {
        match self {
            Term::Atom(name) => Some((name, &[])),
            Term::Compound(name, arguments) => Some((name, arguments)),
            Term::Variable(_) | Term::Integer(_) | Term::Float(_) => None,
        }
    }

    pub(super) fn is_variable(&self) -> bool {
        matches!(self, Term::Variable(_))
    }

    pub(super) fn is_atom(&self, name: &str) -> bool {
        matches!(self, Term::Atom(other) if &**other == name)
    }

    /// The same term with each variable replaced.
    pub(super) fn map_variables(&self, replace: &mut impl FnMut(usize) -> Term) -> Term {
        match self {
            Term::Variable(number) => replace(*number),
            Term::Compound(name, arguments) => {
                let arguments = arguments.iter().map(|x| x.map_variables(replace)).collect();
                Term::Compound(name.clone(), arguments)
            }
            Term::Integer(_) | Term::Float(_) | Term::Atom(_) => self.clone(),
        }
    }

    /// Adds the variables in order of occurrence, each once.
    pub(super) fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Term::Variable(number) if !found.contains(number) => found.push(*number),
            Term::Compound(_, arguments) => arguments.iter().for_each(|x| x.variables(found)),
            Term::Variable(_) | Term::Integer(_) | Term::Float(_) | Term::Atom(_) => {}
        }
    }

    /// The same term with variables numbered from zero in order of occurrence.
    pub(super) fn numbered(&self) -> Term {
        let mut found = Vec::new();
        self.variables(&mut found);
        self.map_variables(&mut |number| {
            Term::Variable(found.iter().position(|&other| other == number).unwrap())
        })
    }
}

/// The bindings of a run; all of them are on the trail.
#[derive(Default)]
pub(super) struct Bindings {
    values: Vec<Option<Term>>,
    trail: Vec<usize>,
    /// Parts of terms looked at.
    work: Cell<usize>,
}

/// The most parts of terms that a program may look at: terms that double are not compared.
const WORK: usize = 400_000;

impl Bindings {
    pub(super) fn fresh(&mut self) -> Term {
        self.values.push(None);
        Term::Variable(self.values.len() - 1)
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    pub(super) fn undo(&mut self, mark: usize) {
        for variable in self.trail.drain(mark..) {
            self.values[variable] = None;
        }
    }

    /// Whether a program has looked at too much: what comes next is wrong, and not compared.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work.get() > WORK
    }

    /// What a term is bound to, one level deep.
    pub(super) fn value(&self, term: &Term) -> Term {
        let mut term = term;
        while let Term::Variable(number) = term
            && let Some(value) = &self.values[*number]
        {
            term = value;
        }
        term.clone()
    }

    /// What a term is bound to, all the way down.
    pub(super) fn resolve(&self, term: &Term) -> Term {
        self.work.set(self.work.get() + 1);
        if self.is_exhausted() {
            return atom("exhausted");
        }
        match self.value(term) {
            Term::Compound(name, arguments) => {
                Term::Compound(name, arguments.iter().map(|x| self.resolve(x)).collect())
            }
            other @ (Term::Variable(_) | Term::Integer(_) | Term::Float(_) | Term::Atom(_)) => {
                other
            }
        }
    }

    /// A copy with fresh variables.
    pub(super) fn copy(&mut self, term: &Term) -> Term {
        let numbered = self.resolve(term).numbered();
        self.rename(&numbered)
    }

    /// A term whose variables are numbered from zero, with fresh ones.
    pub(super) fn rename(&mut self, term: &Term) -> Term {
        let mut fresh: Vec<Option<Term>> = Vec::new();
        term.map_variables(&mut |number| {
            if fresh.len() <= number {
                fresh.resize(number + 1, None);
            }
            fresh[number].get_or_insert_with(|| self.fresh()).clone()
        })
    }

    /// Unifies. A variable that occurs in its value has no defined outcome, but for `with_check`.
    pub(super) fn unify(&mut self, left: &Term, right: &Term, with_check: bool) -> Outcome<bool> {
        let (left, right) = (self.value(left), self.value(right));
        self.work.set(self.work.get() + 1);
        if self.is_exhausted() {
            return Err(Stop::Skip("work"));
        }
        match (&left, &right) {
            (Term::Variable(a), Term::Variable(b)) if a == b => Ok(true),
            (Term::Variable(variable), other) | (other, Term::Variable(variable)) => {
                let mut inside = Vec::new();
                self.resolve(other).variables(&mut inside);
                if inside.contains(variable) && !other.is_variable() {
                    return if with_check {
                        Ok(false)
                    } else {
                        Err(Stop::Skip("cyclic term"))
                    };
                }
                self.values[*variable] = Some(other.clone());
                self.trail.push(*variable);
                Ok(true)
            }
            (Term::Compound(f, xs), Term::Compound(g, ys)) if f == g && xs.len() == ys.len() => {
                for (x, y) in xs.iter().zip(ys.iter()) {
                    if !self.unify(x, y, with_check)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Term::Compound(..), _) | (_, Term::Compound(..)) => Ok(false),
            _ => Ok(identical(&left, &right)),
        }
    }
}

/// Whether two resolved terms are the same.
pub(super) fn identical(left: &Term, right: &Term) -> bool {
    match (left, right) {
        (Term::Variable(a), Term::Variable(b)) => a == b,
        (Term::Integer(a), Term::Integer(b)) => a == b,
        (Term::Float(a), Term::Float(b)) => a.to_bits() == b.to_bits(),
        (Term::Atom(a), Term::Atom(b)) => a == b,
        (Term::Compound(f, xs), Term::Compound(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(|(x, y)| identical(x, y))
        }
        _ => false,
    }
}

/// The standard order of resolved terms. That of two variables is open.
///
/// DIVERGENCE: numbers of both kinds are ordered by value, the float first if they are equal, as in
/// SWI-Prolog; \[ISO 7.2\] has all floats before all integers.
pub(super) fn compare(left: &Term, right: &Term) -> Outcome<Ordering> {
    let rank = |term: &Term| match term {
        Term::Variable(_) => 0,
        Term::Integer(_) | Term::Float(_) => 1,
        Term::Atom(_) => 2,
        Term::Compound(..) => 3,
    };
    Ok(match (left, right) {
        (Term::Variable(a), Term::Variable(b)) if a == b => Ordering::Equal,
        (Term::Variable(_), Term::Variable(_)) => return Err(Stop::Skip("order of variables")),
        (Term::Integer(a), Term::Integer(b)) => a.cmp(b),
        (Term::Float(a), Term::Float(b)) => a.total_cmp(b),
        (Term::Integer(a), Term::Float(b)) => by_value(a, *b).then(Ordering::Greater),
        (Term::Float(a), Term::Integer(b)) => by_value(b, *a).reverse().then(Ordering::Less),
        (Term::Atom(a), Term::Atom(b)) => a.cmp(b),
        (Term::Compound(f, xs), Term::Compound(g, ys)) => {
            let order = xs.len().cmp(&ys.len()).then_with(|| f.cmp(g));
            if order != Ordering::Equal {
                return Ok(order);
            }
            for (x, y) in xs.iter().zip(ys.iter()) {
                let order = compare(x, y)?;
                if order != Ordering::Equal {
                    return Ok(order);
                }
            }
            Ordering::Equal
        }
        _ => rank(left).cmp(&rank(right)),
    })
}

/// Compares an integer with a float by value.
pub(super) fn by_value(left: &BigInt, right: f64) -> Ordering {
    let floor = right.floor();
    let whole = super::arithmetic::from_float(floor);
    left.cmp(&whole).then(if floor < right {
        Ordering::Less
    } else {
        Ordering::Equal
    })
}

/// Canonical text: functional notation but for lists, names quoted where need be.
pub(super) fn text(term: &Term) -> String {
    let mut text = String::new();
    write_term(term, &mut text);
    text
}

fn write_term(term: &Term, text: &mut String) {
    match term {
        Term::Variable(number) => {
            // As `numbervars/3` has it.
            text.push(char::from(b'A' + (number % 26) as u8));
            if *number >= 26 {
                let _ = write!(text, "{}", number / 26);
            }
        }
        Term::Integer(value) => {
            let _ = write!(text, "{value}");
        }
        Term::Float(value) => {
            // `4e-10` is no float in Prolog; `4.0e-10` is.
            let digits = format!("{value:?}");
            text.push_str(&match digits.split_once('e') {
                Some((mantissa, exponent)) if !mantissa.contains('.') => {
                    format!("{mantissa}.0e{exponent}")
                }
                _ => digits,
            });
        }
        Term::Atom(name) => write_name(name, text),
        Term::Compound(name, arguments) if &**name == "[|]" && arguments.len() == 2 => {
            write_list(arguments, text);
        }
        Term::Compound(name, arguments) => {
            write_name(name, text);
            for (position, argument) in arguments.iter().enumerate() {
                text.push(if position == 0 { '(' } else { ',' });
                write_term(argument, text);
            }
            text.push(')');
        }
    }
}

fn write_list(cell: &[Term], text: &mut String) {
    text.push('[');
    write_term(&cell[0], text);
    let mut tail = &cell[1];
    while let Term::Compound(name, arguments) = tail
        && &**name == "[|]"
        && arguments.len() == 2
    {
        text.push(',');
        write_term(&arguments[0], text);
        tail = &arguments[1];
    }
    if !tail.is_atom("[]") {
        text.push('|');
        write_term(tail, text);
    }
    text.push(']');
}

fn write_name(name: &str, text: &mut String) {
    let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_symbolic = !name.is_empty() && name.chars().all(|c| "+-*/\\^<>=~:.?@#&$".contains(c));
    if is_plain || is_symbolic || matches!(name, "[]" | "!" | ";" | "{}") {
        text.push_str(name);
    } else {
        text.push('\'');
        for character in name.chars() {
            let _ = match character {
                '\\' | '\'' => write!(text, "\\{character}"),
                _ if character.is_control() => write!(text, "\\x{:x}\\", u32::from(character)),
                _ => write!(text, "{character}"),
            };
        }
        text.push('\'');
    }
}
