//! Operations on numbers [ISO 9].
//!
//! Integers of 64 bits are computed as such; a result that does not fit is computed again with
//! [`num_bigint`]. `/` of integers gives an integer when it divides evenly, else a float; `**` of
//! integers is an integer, as in SWI-Prolog.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{FromPrimitive, Signed, Zero};

use crate::prolog::terms::number::{ArithmeticFault, ArithmeticResult, Number, compare};

use Number::{Big, Float, Integer};

/// Results of more bits are an error of the resource memory: to divide or to print them takes seconds, in which no
/// limit is looked at.
const MOST_BITS: u64 = 1 << 22;

/// Arithmetic with two operands that has an instruction of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    IntDivide,
    Modulo,
    Remainder,
    Divide,
    And,
    Or,
    ShiftLeft,
    ShiftRight,
    Minimum,
    Maximum,
    Xor,
    Divided,
    Power,
    PowerInteger,
}

pub(in crate::prolog) fn modulo(a: i64, b: i64) -> i64 {
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

fn check(value: f64) -> ArithmeticResult {
    if value.is_nan() {
        Err(ArithmeticFault::Undefined)
    } else if value.is_infinite() {
        Err(ArithmeticFault::FloatOverflow)
    } else {
        Ok(Float(value))
    }
}

fn bounded(value: BigInt) -> ArithmeticResult {
    if value.bits() > MOST_BITS {
        return Err(ArithmeticFault::TooLarge);
    }
    Ok(Number::from(value))
}

pub(in crate::prolog) fn binary(
    operation: Operation,
    left: &Number,
    right: &Number,
) -> ArithmeticResult {
    match operation {
        Operation::Add => mixed(left, right, i64::checked_add, |a, b| a + b, |a, b| a + b),
        Operation::Subtract => mixed(left, right, i64::checked_sub, |a, b| a - b, |a, b| a - b),
        Operation::Multiply => mixed(left, right, i64::checked_mul, |a, b| a * b, |a, b| a * b),
        Operation::Divide => divide(left, right),
        Operation::Power => power(left, right, true),
        Operation::PowerInteger => power(left, right, false),
        Operation::Minimum => Ok(if compare(left, right) == Some(Ordering::Greater) {
            right.clone()
        } else {
            left.clone()
        }),
        Operation::Maximum => Ok(if compare(left, right) == Some(Ordering::Less) {
            right.clone()
        } else {
            left.clone()
        }),
        Operation::IntDivide
        | Operation::Modulo
        | Operation::Remainder
        | Operation::And
        | Operation::Or
        | Operation::Xor
        | Operation::Divided
        | Operation::ShiftLeft
        | Operation::ShiftRight => integers(operation, left, right),
    }
}

fn mixed(
    left: &Number,
    right: &Number,
    word: fn(i64, i64) -> Option<i64>,
    big: fn(BigInt, BigInt) -> BigInt,
    inexact: fn(f64, f64) -> f64,
) -> ArithmeticResult {
    if let (Integer(a), Integer(b)) = (left, right)
        && let Some(value) = word(*a, *b)
    {
        return Ok(Integer(value));
    }
    if left.is_integer() && right.is_integer() {
        return bounded(big(left.exact()?, right.exact()?));
    }
    check(inexact(left.to_float()?, right.to_float()?))
}

fn divide(left: &Number, right: &Number) -> ArithmeticResult {
    if left.is_integer() && right.is_integer() {
        return divide_integers(left, right);
    }
    let (a, b) = (left.to_float()?, right.to_float()?);
    if b == 0.0 {
        return Err(if a == 0.0 {
            ArithmeticFault::Undefined
        } else {
            ArithmeticFault::ZeroDivisor
        });
    }
    check(a / b)
}

fn divide_integers(left: &Number, right: &Number) -> ArithmeticResult {
    if let (Integer(a), Integer(b)) = (left, right) {
        match a.checked_rem(*b) {
            None if *b == 0 => return Err(ArithmeticFault::ZeroDivisor),
            Some(0) => return Ok(Integer(a / b)),
            Some(_) => return check(*a as f64 / *b as f64),
            // The least integer divided by -1.
            None => {}
        }
    }
    let (a, b) = (left.exact()?, right.exact()?);
    if b.is_zero() {
        return Err(ArithmeticFault::ZeroDivisor);
    }
    let (quotient, rest) = a.div_rem(&b);
    if rest.is_zero() {
        return Ok(Number::from(quotient));
    }
    check(left.to_float()? / right.to_float()?)
}

fn power(left: &Number, right: &Number, fractions: bool) -> ArithmeticResult {
    if !left.is_integer() || !right.is_integer() {
        let (base, exponent) = (left.to_float()?, right.to_float()?);
        if base == 0.0 && exponent < 0.0 {
            return Err(ArithmeticFault::ZeroDivisor);
        }
        return check(base.powf(exponent));
    }
    let (base, exponent) = (left.exact()?, right.exact()?);
    if base.magnitude() == BigInt::from(1).magnitude() {
        let is_negative = base.is_negative() && exponent.is_odd();
        return Ok(Integer(if is_negative { -1 } else { 1 }));
    }
    if exponent.is_negative() {
        return match left {
            Integer(0) => Err(ArithmeticFault::ZeroDivisor),
            _ if fractions => check(left.to_float()?.powf(right.to_float()?)),
            Integer(_) | Big(_) | Float(_) => Err(ArithmeticFault::NeedsFloat(left.clone())),
        };
    }
    if exponent.is_zero() || base.is_zero() {
        return Ok(Integer(i64::from(exponent.is_zero())));
    }
    let exponent = u32::try_from(exponent).map_err(|_| ArithmeticFault::TooLarge)?;
    // A base of n bits is at least 2^(n-1).
    if (base.bits() - 1).saturating_mul(u64::from(exponent)) > MOST_BITS {
        return Err(ArithmeticFault::TooLarge);
    }
    bounded(base.pow(exponent))
}

fn integers(operation: Operation, left: &Number, right: &Number) -> ArithmeticResult {
    if !left.is_integer() {
        return Err(ArithmeticFault::NeedsInteger(left.clone()));
    }
    if !right.is_integer() {
        return Err(ArithmeticFault::NeedsInteger(right.clone()));
    }
    let divides = matches!(
        operation,
        Operation::IntDivide | Operation::Modulo | Operation::Remainder | Operation::Divided
    );
    if divides && *right == Integer(0) {
        return Err(ArithmeticFault::ZeroDivisor);
    }
    if let (Integer(a), Integer(b)) = (left, right)
        && let Some(value) = words(operation, *a, *b)
    {
        return Ok(Integer(value));
    }
    big_integers(operation, left.exact()?, right.exact()?)
}

/// The result of an operation on 64-bit integers if it fits.
fn words(operation: Operation, a: i64, b: i64) -> Option<i64> {
    match operation {
        Operation::IntDivide => a.checked_div(b),
        Operation::Modulo => Some(modulo(a, b)),
        Operation::Remainder => Some(a.wrapping_rem(b)),
        Operation::Divided => floor_divide(a, b),
        Operation::And => Some(a & b),
        Operation::Or => Some(a | b),
        Operation::Xor => Some(a ^ b),
        Operation::ShiftLeft => shift(a, b),
        Operation::ShiftRight => shift(a, b.checked_neg()?),
        Operation::Add
        | Operation::Subtract
        | Operation::Multiply
        | Operation::Divide
        | Operation::Minimum
        | Operation::Maximum
        | Operation::Power
        | Operation::PowerInteger => None,
    }
}

fn big_integers(operation: Operation, a: BigInt, b: BigInt) -> ArithmeticResult {
    let value = match operation {
        Operation::IntDivide => a / b,
        Operation::Modulo => a.mod_floor(&b),
        Operation::Remainder => a % b,
        Operation::Divided => a.div_floor(&b),
        Operation::And => a & b,
        Operation::Or => a | b,
        Operation::Xor => a ^ b,
        Operation::ShiftLeft => return big_shift(a, b),
        Operation::ShiftRight => return big_shift(a, -b),
        Operation::Add
        | Operation::Subtract
        | Operation::Multiply
        | Operation::Divide
        | Operation::Minimum
        | Operation::Maximum
        | Operation::Power
        | Operation::PowerInteger => return Err(ArithmeticFault::Undefined),
    };
    bounded(value)
}

/// Shifts left, or right for a negative distance, if the result fits 64 bits.
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

fn big_shift(value: BigInt, distance: BigInt) -> ArithmeticResult {
    if distance.is_negative() {
        // What is shifted further is shifted out.
        let most = value.bits() + 1;
        let right = u64::try_from(-distance).map_or(most, |distance| distance.min(most));
        return Ok(Number::from(value >> right));
    }
    match u64::try_from(distance) {
        _ if value.is_zero() => Ok(Integer(0)),
        Ok(left) if value.bits().saturating_add(left) <= MOST_BITS => {
            Ok(Number::from(value << left))
        }
        _ => Err(ArithmeticFault::TooLarge),
    }
}

/// A function by name; none if there is no such function.
pub(in crate::prolog) fn apply(name: &str, arguments: &[Number]) -> Option<ArithmeticResult> {
    match arguments {
        [] => constant(name).map(Ok),
        [value] => unary(name, value),
        [left, right] => {
            if let Some(operation) = operation(name) {
                return Some(binary(operation, left, right));
            }
            other_binary(name, left, right)
        }
        [base, exponent, modulus] if name == "powm" => Some(power_modulo(base, exponent, modulus)),
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

fn unary(name: &str, value: &Number) -> Option<ArithmeticResult> {
    Some(match name {
        "-" => match value {
            Float(value) => Ok(Float(-value)),
            Integer(_) | Big(_) => value.exact().map(|value| Number::from(-value)),
        },
        "+" => Ok(value.clone()),
        "abs" => match value {
            Float(value) => Ok(Float(value.abs())),
            Integer(_) | Big(_) => value.exact().map(|value| Number::from(value.abs())),
        },
        "sign" => Ok(match value {
            Integer(value) => Integer(value.signum()),
            Big(value) => Integer(if value.is_negative() { -1 } else { 1 }),
            Float(0.0) => Float(0.0),
            Float(value) => Float(value.signum()),
        }),
        "succ" => value.exact().and_then(|value| bounded(value + 1)),
        "\\" => value.exact().map(|value| Number::from(!value)),
        "msb" => positive(value).map(|value| Integer(value.bits() as i64 - 1)),
        "lsb" => positive(value).map(|value| Integer(trailing_zeros(&value))),
        "popcount" => natural(value).map(|value| Integer(ones(&value))),
        "float_fractional_part" if value.is_integer() => Ok(Integer(0)),
        "integer" | "round" => to_integer(value, f64::round),
        "truncate" => to_integer(value, f64::trunc),
        "floor" => to_integer(value, f64::floor),
        "ceiling" | "ceil" => to_integer(value, f64::ceil),
        _ => {
            let function = real_function(name)?;
            value.to_float().and_then(function)
        }
    })
}

/// The functions of floats by name.
fn real_function(name: &str) -> Option<fn(f64) -> ArithmeticResult> {
    Some(match name {
        "sqrt" => |x| from(0.0 <= x, f64::sqrt, x),
        "log" => |x| from(0.0 < x, f64::ln, x),
        "log2" => |x| from(0.0 < x, f64::log2, x),
        "asin" => |x| from(x.abs() <= 1.0, f64::asin, x),
        "acos" => |x| from(x.abs() <= 1.0, f64::acos, x),
        "sin" => |x| check(x.sin()),
        "cos" => |x| check(x.cos()),
        "tan" => |x| check(x.tan()),
        "atan" => |x| check(x.atan()),
        "sinh" => |x| check(x.sinh()),
        "cosh" => |x| check(x.cosh()),
        "tanh" => |x| check(x.tanh()),
        "asinh" => |x| check(x.asinh()),
        "acosh" => |x| from(1.0 <= x, f64::acosh, x),
        "atanh" => |x| from(x.abs() < 1.0, f64::atanh, x),
        "erf" => |x| check(libm::erf(x)),
        "erfc" => |x| check(libm::erfc(x)),
        "lgamma" => |x| check(libm::lgamma(x)),
        "exp" => |x| check(x.exp()),
        "float" => check,
        "float_integer_part" => |x| check(x.trunc()),
        "float_fractional_part" => |x| check(x.fract()),
        _ => return None,
    })
}

/// The value of a function in its domain.
fn from(is_in_domain: bool, function: fn(f64) -> f64, x: f64) -> ArithmeticResult {
    if is_in_domain {
        check(function(x))
    } else {
        Err(ArithmeticFault::Undefined)
    }
}

fn to_integer(value: &Number, rounding: fn(f64) -> f64) -> ArithmeticResult {
    match value {
        Float(float) => BigInt::from_f64(rounding(*float))
            .map(Number::from)
            .ok_or(ArithmeticFault::Undefined),
        Integer(_) | Big(_) => Ok(value.clone()),
    }
}

fn other_binary(name: &str, left: &Number, right: &Number) -> Option<ArithmeticResult> {
    let function: fn(f64, f64) -> ArithmeticResult = match name {
        "atan2" | "atan" => |a, b| match (a, b) {
            (0.0, 0.0) => Err(ArithmeticFault::Undefined),
            _ => check(a.atan2(b)),
        },
        "copysign" if left.is_integer() => return Some(sign_of(left, right)),
        "copysign" => |a, b| check(a.copysign(b)),
        "log" => |a, b| check(b.ln() / a.ln()),
        "nexttoward" => |a, b| check(libm::nextafter(a, b)),
        "gcd" => return Some(of_integers(left, right, |a, b| Ok(Number::from(a.gcd(b))))),
        "lcm" => return Some(of_integers(left, right, |a, b| bounded(a.lcm(b)))),
        "getbit" => return Some(bit(left, right)),
        _ => return None,
    };
    let floats = left.to_float().and_then(|a| Ok((a, right.to_float()?)));
    Some(floats.and_then(|(a, b)| function(a, b)))
}

fn of_integers(
    left: &Number,
    right: &Number,
    function: fn(&BigInt, &BigInt) -> ArithmeticResult,
) -> ArithmeticResult {
    function(&left.exact()?, &right.exact()?)
}

/// An integer with the sign of a number; zero that is a float may be negative.
fn sign_of(value: &Number, sign: &Number) -> ArithmeticResult {
    let (magnitude, sign) = (value.exact()?.abs(), sign.to_float()?);
    Ok(Number::from(if sign.is_sign_negative() {
        -magnitude
    } else {
        magnitude
    }))
}

/// An integer of 0 and more.
fn natural(value: &Number) -> Result<BigInt, ArithmeticFault> {
    let exact = value.exact()?;
    if exact.is_negative() {
        return Err(ArithmeticFault::OutOf("not_less_than_zero", value.clone()));
    }
    Ok(exact)
}

/// An integer of 1 and more.
fn positive(value: &Number) -> Result<BigInt, ArithmeticFault> {
    let exact = value.exact()?;
    if exact.is_positive() {
        return Ok(exact);
    }
    Err(ArithmeticFault::OutOf("not_less_than_one", value.clone()))
}

fn trailing_zeros(value: &BigInt) -> i64 {
    value.trailing_zeros().unwrap_or(0) as i64
}

fn ones(value: &BigInt) -> i64 {
    value.magnitude().count_ones() as i64
}

/// The bit of a number at a place, the lowest one being 0.
fn bit(value: &Number, place: &Number) -> ArithmeticResult {
    let (value, place) = (natural(value)?, natural(place)?);
    // Bits beyond those that there are have the value 0.
    let is_set = u64::try_from(place).is_ok_and(|place| value.bit(place));
    Ok(Integer(i64::from(is_set)))
}

fn power_modulo(base: &Number, exponent: &Number, modulus: &Number) -> ArithmeticResult {
    let (base, exponent, modulus) = (base.exact()?, natural(exponent)?, positive(modulus)?);
    Ok(Number::from(base.modpow(&exponent, &modulus)))
}
