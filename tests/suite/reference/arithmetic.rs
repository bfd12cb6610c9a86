//! Evaluation [ISO 9] over unbounded integers, as SWI-Prolog has it where the standard leaves a choice.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::term::{Bindings, Outcome, Stop, Term, atom, by_value, compound, integer};

#[derive(Clone, Debug)]
pub(super) enum Number {
    Integer(BigInt),
    Float(f64),
}

use Number::{Float, Integer};

impl From<Number> for Term {
    fn from(number: Number) -> Term {
        match number {
            Integer(value) => Term::Integer(value),
            Float(value) => Term::Float(value),
        }
    }
}

/// `error(Formal, _)`.
pub(super) fn error(bindings: &mut Bindings, formal: Term) -> Stop {
    let context = bindings.fresh();
    let formal = bindings.resolve(&formal);
    Stop::Throw(compound("error", &[formal, context]).numbered())
}

pub(super) fn type_error(bindings: &mut Bindings, expected: &str, culprit: &Term) -> Stop {
    let culprit = bindings.resolve(culprit);
    if culprit.is_variable() {
        return error(bindings, atom("instantiation_error"));
    }
    error(bindings, compound("type_error", &[atom(expected), culprit]))
}

fn evaluation_error(bindings: &mut Bindings, what: &str) -> Stop {
    error(bindings, compound("evaluation_error", &[atom(what)]))
}

/// The integer that a float without fraction is.
pub(super) fn from_float(value: f64) -> BigInt {
    // Digits of a float without fraction are exact.
    format!("{value:.0}").parse().unwrap()
}

fn to_float(bindings: &mut Bindings, number: &Number) -> Outcome<f64> {
    match number {
        Float(value) => Ok(*value),
        // Reading digits rounds to the nearest.
        Integer(value) => match value.to_string().parse::<f64>().unwrap() {
            value if value.is_finite() => Ok(value),
            _ => Err(evaluation_error(bindings, "float_overflow")),
        },
    }
}

fn check(bindings: &mut Bindings, value: f64) -> Outcome<Number> {
    if value.is_nan() {
        Err(evaluation_error(bindings, "undefined"))
    } else if value.is_infinite() {
        Err(evaluation_error(bindings, "float_overflow"))
    } else {
        Ok(Float(value))
    }
}

pub(super) fn order(left: &Number, right: &Number) -> Ordering {
    match (left, right) {
        (Integer(a), Integer(b)) => a.cmp(b),
        (Float(a), Float(b)) => a.partial_cmp(b).unwrap(),
        (Integer(a), Float(b)) => by_value(a, *b),
        (Float(a), Integer(b)) => by_value(b, *a).reverse(),
    }
}

pub(super) fn evaluate(bindings: &mut Bindings, term: &Term) -> Outcome<Number> {
    match bindings.value(term) {
        Term::Variable(_) => Err(error(bindings, atom("instantiation_error"))),
        Term::Integer(value) => Ok(Integer(value)),
        Term::Float(value) => Ok(Float(value)),
        Term::Compound(name, arguments) if &*name == "[|]" && arguments.len() == 2 => {
            Err(Stop::Skip("value of a list"))
        }
        Term::Atom(name) if &*name == "[]" => Err(Stop::Skip("value of a list")),
        Term::Atom(name) => match &*name {
            "pi" => Ok(Float(std::f64::consts::PI)),
            _ => Err(not_evaluable(bindings, &name, 0)),
        },
        Term::Compound(name, arguments) => {
            let values = evaluate_all(bindings, &arguments)?;
            let known = match arguments.len() {
                1 => {
                    "- + abs sign float float_integer_part float_fractional_part truncate integer floor round ceiling \\ msb"
                }
                2 => "+ - * / // mod rem div min max ** ^ >> << /\\ \\/ xor gcd",
                _ => "",
            };
            if !known.split(' ').any(|other| other == &*name) {
                return Err(not_evaluable(bindings, &name, arguments.len()));
            }
            match &values[..] {
                [x] => unary(bindings, &name, x),
                [x, y] => binary(bindings, &name, x, y),
                _ => unreachable!("known functions have one or two arguments"),
            }
        }
    }
}

/// The values of operands. Which of several errors is reported depends on the implementation (ISO, 7.12).
pub(super) fn evaluate_all(bindings: &mut Bindings, terms: &[Term]) -> Outcome<Vec<Number>> {
    let mut values = Vec::new();
    let mut stopped = None;
    for term in terms {
        match (evaluate(bindings, term), &stopped) {
            (Ok(value), _) => values.push(value),
            (Err(Stop::Throw(ball)), None) => stopped = Some(Stop::Throw(ball)),
            (Err(Stop::Throw(_)), Some(_)) => stopped = Some(Stop::Skip("several errors")),
            (Err(skip), _) => stopped = Some(skip),
        }
    }
    stopped.map_or(Ok(values), Err)
}

fn not_evaluable(bindings: &mut Bindings, name: &str, arity: usize) -> Stop {
    let indicator = compound("/", &[atom(name), integer(arity)]);
    type_error(bindings, "evaluable", &indicator)
}

fn whole(bindings: &mut Bindings, number: &Number) -> Outcome<BigInt> {
    match number {
        Integer(value) => Ok(value.clone()),
        Float(value) => Err(type_error(bindings, "integer", &Term::Float(*value))),
    }
}

fn unary(bindings: &mut Bindings, name: &str, x: &Number) -> Outcome<Number> {
    Ok(match (name, x) {
        ("+", x) => x.clone(),
        ("-", Integer(x)) => Integer(-x),
        ("-", Float(x)) => Float(-x),
        ("abs", Integer(x)) => Integer(BigInt::from(x.magnitude().clone())),
        ("abs", Float(x)) => Float(x.abs()),
        ("sign", Integer(x)) => Integer(BigInt::from(x.cmp(&BigInt::ZERO) as i8)),
        ("sign", Float(x)) => Float(if *x == 0.0 { 0.0 } else { x.signum() }),
        ("float", x) => Float(to_float(bindings, x)?),
        ("float_integer_part", Float(x)) => Float(x.trunc()),
        ("float_fractional_part", Float(x)) => Float(x.fract()),
        ("truncate", Float(x)) => Integer(from_float(x.trunc())),
        ("floor", Float(x)) => Integer(from_float(x.floor())),
        ("ceiling", Float(x)) => Integer(from_float(x.ceil())),
        ("round" | "integer", Float(x)) => Integer(from_float(x.round())),
        ("truncate" | "floor" | "ceiling" | "round" | "integer", Integer(x)) => Integer(x.clone()),
        ("\\", x) => Integer(-whole(bindings, x)? - 1),
        ("msb", x) => {
            let x = whole(bindings, x)?;
            if x <= BigInt::ZERO {
                return Err(Stop::Skip("highest bit of what is not positive"));
            }
            Integer(BigInt::from(x.bits() - 1))
        }
        _ => return Err(Stop::Skip("part of an integer")),
    })
}

fn binary(bindings: &mut Bindings, name: &str, x: &Number, y: &Number) -> Outcome<Number> {
    match (name, x, y) {
        ("+", Integer(x), Integer(y)) => Ok(Integer(x + y)),
        ("-", Integer(x), Integer(y)) => Ok(Integer(x - y)),
        ("*", Integer(x), Integer(y)) => Ok(Integer(x * y)),
        ("/", Integer(x), Integer(y)) if *y != BigInt::ZERO && x % y == BigInt::ZERO => {
            Ok(Integer(x / y))
        }
        ("/", Integer(_), Integer(y)) if *y == BigInt::ZERO => {
            Err(evaluation_error(bindings, "zero_divisor"))
        }
        ("min", x, y) => extreme(x, y, Ordering::Less),
        ("max", x, y) => extreme(x, y, Ordering::Greater),
        ("**" | "^", Integer(x), Integer(y)) => power(bindings, name, x, y),
        ("+" | "-" | "*" | "/" | "**" | "^", x, y) => {
            let (x, y) = (to_float(bindings, x)?, to_float(bindings, y)?);
            floats(bindings, name, x, y)
        }
        (_, x, y) => {
            let (x, y) = (whole(bindings, x)?, whole(bindings, y)?);
            integers(bindings, name, &x, &y)
        }
    }
}

fn extreme(x: &Number, y: &Number, wanted: Ordering) -> Outcome<Number> {
    match order(x, y) {
        Ordering::Equal if matches!((x, y), (Integer(_), Integer(_))) => Ok(x.clone()),
        Ordering::Equal => Err(Stop::Skip("extreme of equal numbers of two kinds")),
        found if found == wanted => Ok(x.clone()),
        Ordering::Less | Ordering::Greater => Ok(y.clone()),
    }
}

fn floats(bindings: &mut Bindings, name: &str, x: f64, y: f64) -> Outcome<Number> {
    let value = match name {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" if y == 0.0 => {
            let what = if x == 0.0 {
                "undefined"
            } else {
                "zero_divisor"
            };
            return Err(evaluation_error(bindings, what));
        }
        "/" => x / y,
        _ if x == 0.0 && y < 0.0 => return Err(evaluation_error(bindings, "zero_divisor")),
        _ => x.powf(y),
    };
    check(bindings, value)
}

/// The largest exponent that is tried.
const EXPONENTS: u32 = 200;

fn power(bindings: &mut Bindings, name: &str, x: &BigInt, y: &BigInt) -> Outcome<Number> {
    let one = BigInt::from(1);
    if *y < BigInt::ZERO {
        if *x == one {
            return Ok(Integer(one));
        }
        if *x == -&one {
            let is_even = y % 2 == BigInt::ZERO;
            return Ok(Integer(if is_even { one } else { -one }));
        }
        if *x == BigInt::ZERO {
            return Err(evaluation_error(bindings, "zero_divisor"));
        }
        if name == "^" {
            return Err(type_error(bindings, "float", &Term::Integer(x.clone())));
        }
        return Err(Stop::Skip("negative exponent"));
    }
    match u32::try_from(y) {
        Ok(y) if y <= EXPONENTS => Ok(Integer(x.pow(y))),
        _ => Err(Stop::Skip("large exponent")),
    }
}

fn integers(bindings: &mut Bindings, name: &str, x: &BigInt, y: &BigInt) -> Outcome<Number> {
    if matches!(name, "//" | "mod" | "rem" | "div") && *y == BigInt::ZERO {
        return Err(evaluation_error(bindings, "zero_divisor"));
    }
    let floor = |x: &BigInt, y: &BigInt| {
        let (quotient, rest) = (x / y, x % y);
        let is_down = rest != BigInt::ZERO && (rest < BigInt::ZERO) != (*y < BigInt::ZERO);
        if is_down { quotient - 1 } else { quotient }
    };
    Ok(Integer(match name {
        "//" => x / y,
        "rem" => x % y,
        "div" => floor(x, y),
        "mod" => x - floor(x, y) * y,
        "/\\" => x & y,
        "\\/" => x | y,
        "xor" => x ^ y,
        "gcd" => greatest_common_divisor(x, y),
        _ => {
            let distance = i32::try_from(y).map_err(|_| Stop::Skip("large shift"))?;
            if distance.unsigned_abs() > EXPONENTS {
                return Err(Stop::Skip("large shift"));
            }
            let distance = if name == "<<" { distance } else { -distance };
            if distance >= 0 {
                x << distance
            } else {
                x >> -distance
            }
        }
    }))
}

fn greatest_common_divisor(x: &BigInt, y: &BigInt) -> BigInt {
    let (mut x, mut y) = (x.clone(), y.clone());
    while y != BigInt::ZERO {
        (x, y) = (y.clone(), x % y);
    }
    BigInt::from(x.magnitude().clone())
}
