//! Numbers and the operations on them [ISO 9]: 64-bit integers that never wrap, and floats.
//!
//! `/` of integers gives an integer when it divides evenly, else a float; `**` of integers is an
//! integer, as in SWI-Prolog. An integer result that does not fit is an overflow.

use std::cmp::Ordering;

use crate::prolog::compare::compare_mixed;
use crate::prolog::heap::Heap;
use crate::prolog::instruction::Operation;
use crate::term::SymbolId;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i64),
    Float(f64),
}

use Number::{Float, Integer};

/// Why an operation has no value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Overflow,
    FloatOverflow,
    ZeroDivisor,
    Undefined,
    NeedsInteger(Number),
    NeedsFloat(Number),
}

/// What an operation gives.
pub(super) type Value = Result<Number, Fault>;

/// Compares by value; none if one is not a number.
pub(super) fn compare(left: Number, right: Number) -> Option<Ordering> {
    match (left, right) {
        (Integer(a), Integer(b)) => Some(a.cmp(&b)),
        (Float(a), Float(b)) => a.partial_cmp(&b),
        (Integer(a), Float(b)) => (!b.is_nan()).then(|| compare_mixed(a, b)),
        (Float(a), Integer(b)) => (!a.is_nan()).then(|| compare_mixed(b, a).reverse()),
    }
}

pub(super) fn modulo(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) {
        rest + b
    } else {
        rest
    }
}

fn floor_divide(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    })
}

fn as_float(value: Number) -> f64 {
    match value {
        Integer(value) => value as f64,
        Float(value) => value,
    }
}

fn integer(value: Number) -> Result<i64, Fault> {
    match value {
        Integer(value) => Ok(value),
        Float(_) => Err(Fault::NeedsInteger(value)),
    }
}

fn check(value: f64) -> Value {
    if value.is_nan() {
        Err(Fault::Undefined)
    } else if value.is_infinite() {
        Err(Fault::FloatOverflow)
    } else {
        Ok(Float(value))
    }
}

pub(super) fn binary(operation: Operation, left: Number, right: Number) -> Value {
    match operation {
        Operation::Add => mixed(left, right, i64::checked_add, |a, b| a + b),
        Operation::Subtract => mixed(left, right, i64::checked_sub, |a, b| a - b),
        Operation::Multiply => mixed(left, right, i64::checked_mul, |a, b| a * b),
        Operation::Divide => divide(left, right),
        Operation::Power => power(left, right, true),
        Operation::PowerInteger => power(left, right, false),
        Operation::Minimum => Ok(if compare(left, right) == Some(Ordering::Greater) {
            right
        } else {
            left
        }),
        Operation::Maximum => Ok(if compare(left, right) == Some(Ordering::Less) {
            right
        } else {
            left
        }),
        Operation::IntDivide
        | Operation::Modulo
        | Operation::Remainder
        | Operation::And
        | Operation::Or
        | Operation::Xor
        | Operation::Divided
        | Operation::ShiftLeft
        | Operation::ShiftRight => integers(operation, integer(left)?, integer(right)?),
    }
}

fn mixed(
    left: Number,
    right: Number,
    exact: fn(i64, i64) -> Option<i64>,
    inexact: fn(f64, f64) -> f64,
) -> Value {
    if let (Integer(a), Integer(b)) = (left, right) {
        return exact(a, b).map(Integer).ok_or(Fault::Overflow);
    }
    check(inexact(as_float(left), as_float(right)))
}

fn divide(left: Number, right: Number) -> Value {
    if let (Integer(a), Integer(b)) = (left, right) {
        if b == 0 {
            return Err(Fault::ZeroDivisor);
        }
        if a.checked_rem(b) == Some(0) {
            return Ok(Integer(a / b));
        }
        if b == -1 {
            return Err(Fault::Overflow);
        }
    }
    if as_float(right) == 0.0 {
        return Err(if as_float(left) == 0.0 {
            Fault::Undefined
        } else {
            Fault::ZeroDivisor
        });
    }
    check(as_float(left) / as_float(right))
}

fn power(left: Number, right: Number, fractions: bool) -> Value {
    let (Integer(base), Integer(exponent)) = (left, right) else {
        let (base, exponent) = (as_float(left), as_float(right));
        if base == 0.0 && exponent < 0.0 {
            return Err(Fault::ZeroDivisor);
        }
        return check(base.powf(exponent));
    };
    if exponent < 0 {
        return match base {
            1 => Ok(Integer(1)),
            -1 => Ok(Integer(if exponent % 2 == 0 { 1 } else { -1 })),
            0 => Err(Fault::ZeroDivisor),
            _ if fractions => check((base as f64).powf(exponent as f64)),
            _ => Err(Fault::NeedsFloat(left)),
        };
    }
    if matches!(base, 0 | 1) {
        return Ok(Integer(if exponent == 0 { 1 } else { base }));
    }
    if base == -1 {
        return Ok(Integer(if exponent % 2 == 0 { 1 } else { -1 }));
    }
    let exponent = u32::try_from(exponent).map_err(|_| Fault::Overflow)?;
    base.checked_pow(exponent)
        .map(Integer)
        .ok_or(Fault::Overflow)
}

fn integers(operation: Operation, a: i64, b: i64) -> Value {
    let divides = matches!(
        operation,
        Operation::IntDivide | Operation::Modulo | Operation::Remainder | Operation::Divided
    );
    if divides && b == 0 {
        return Err(Fault::ZeroDivisor);
    }
    let value = match operation {
        Operation::IntDivide => a.checked_div(b),
        Operation::Modulo => Some(modulo(a, b)),
        Operation::Remainder => Some(a.wrapping_rem(b)),
        Operation::Divided => floor_divide(a, b),
        Operation::And => Some(a & b),
        Operation::Or => Some(a | b),
        Operation::Xor => Some(a ^ b),
        Operation::ShiftLeft => shift(a, b),
        Operation::ShiftRight => shift(a, b.checked_neg().unwrap_or(i64::MAX)),
        Operation::Add
        | Operation::Subtract
        | Operation::Multiply
        | Operation::Divide
        | Operation::Minimum
        | Operation::Maximum
        | Operation::Power
        | Operation::PowerInteger => None,
    };
    value.map(Integer).ok_or(Fault::Overflow)
}

/// Shifts left, or right for a negative distance.
fn shift(value: i64, distance: i64) -> Option<i64> {
    if distance <= 0 {
        return Some(value >> distance.unsigned_abs().min(63));
    }
    if value == 0 {
        return Some(0);
    }
    let distance = u32::try_from(distance).ok().filter(|&bits| bits < 63)?;
    let shifted = value.checked_shl(distance)?;
    (shifted >> distance == value).then_some(shifted)
}

/// A function by name; none if there is no such function.
pub(super) fn apply(heap: &Heap, name: SymbolId, arguments: &[Number]) -> Option<Value> {
    let name = heap.name(name);
    match *arguments {
        [] => constant(name).map(Ok),
        [value] => unary(name, value),
        [left, right] => {
            if let Some(operation) = operation(name) {
                return Some(binary(operation, left, right));
            }
            other_binary(name, left, right)
        }
        _ => None,
    }
}

fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "+" => Operation::Add,
        "-" => Operation::Subtract,
        "*" => Operation::Multiply,
        "/" => Operation::Divide,
        "//" => Operation::IntDivide,
        "mod" => Operation::Modulo,
        "rem" => Operation::Remainder,
        "div" => Operation::Divided,
        "min" => Operation::Minimum,
        "max" => Operation::Maximum,
        "**" => Operation::Power,
        "^" => Operation::PowerInteger,
        ">>" => Operation::ShiftRight,
        "<<" => Operation::ShiftLeft,
        "/\\" => Operation::And,
        "\\/" => Operation::Or,
        "xor" => Operation::Xor,
        _ => return None,
    })
}

fn constant(name: &str) -> Option<Number> {
    Some(match name {
        "pi" => Float(std::f64::consts::PI),
        "e" => Float(std::f64::consts::E),
        "inf" | "infinite" => Float(f64::INFINITY),
        "nan" => Float(f64::NAN),
        "epsilon" => Float(f64::EPSILON),
        "max_integer" => Integer(i64::MAX),
        "min_integer" => Integer(i64::MIN),
        "max_tagged_integer" => Integer((1 << 60) - 1),
        "min_tagged_integer" => Integer(-(1 << 60)),
        _ => return None,
    })
}

fn unary(name: &str, value: Number) -> Option<Value> {
    let float = as_float(value);
    Some(match name {
        "-" => match value {
            Integer(value) => value.checked_neg().map(Integer).ok_or(Fault::Overflow),
            Float(value) => Ok(Float(-value)),
        },
        "+" => Ok(value),
        "abs" => match value {
            Integer(value) => value.checked_abs().map(Integer).ok_or(Fault::Overflow),
            Float(value) => Ok(Float(value.abs())),
        },
        "sign" => Ok(match value {
            Integer(value) => Integer(value.signum()),
            Float(0.0) => Float(0.0),
            Float(value) => Float(value.signum()),
        }),
        "succ" => integer(value).and_then(|n| n.checked_add(1).map(Integer).ok_or(Fault::Overflow)),
        "\\" => integer(value).map(|value| Integer(!value)),
        "msb" => integer(value).and_then(|value| {
            if value > 0 {
                Ok(Integer(63 - i64::from(value.leading_zeros())))
            } else {
                Err(Fault::Undefined)
            }
        }),
        "sqrt" if float < 0.0 => Err(Fault::Undefined),
        "log" | "log2" if float <= 0.0 => Err(Fault::Undefined),
        "acos" | "asin" if float.abs() > 1.0 => Err(Fault::Undefined),
        "float" => check(float),
        "float_integer_part" => check(float.trunc()),
        "float_fractional_part" => match value {
            Integer(_) => Ok(Integer(0)),
            Float(value) => check(value.fract()),
        },
        "integer" | "round" => to_integer(value, f64::round),
        "truncate" => to_integer(value, f64::trunc),
        "floor" => to_integer(value, f64::floor),
        "ceiling" => to_integer(value, f64::ceil),
        _ => return real_function(name).map(|function| check(function(float))),
    })
}

fn real_function(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "sqrt" => f64::sqrt,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "exp" => f64::exp,
        "log" => f64::ln,
        "log2" => f64::log2,
        _ => return None,
    })
}

fn to_integer(value: Number, rounding: fn(f64) -> f64) -> Value {
    match value {
        Integer(_) => Ok(value),
        Float(value) => {
            let whole = rounding(value);
            // -2^63 is exact; 2^63 is the first float that does not fit.
            if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&whole) {
                Ok(Integer(whole as i64))
            } else {
                Err(Fault::Overflow)
            }
        }
    }
}

fn other_binary(name: &str, left: Number, right: Number) -> Option<Value> {
    Some(match name {
        "atan2" | "atan" if as_float(left) == 0.0 && as_float(right) == 0.0 => {
            Err(Fault::Undefined)
        }
        "atan2" | "atan" => check(as_float(left).atan2(as_float(right))),
        "copysign" => check(as_float(left).copysign(as_float(right))),
        "log" => check(as_float(right).ln() / as_float(left).ln()),
        "gcd" => integer(left).and_then(|a| {
            let b = integer(right)?;
            let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            i64::try_from(a).map(Integer).map_err(|_| Fault::Overflow)
        }),
        _ => return None,
    })
}
