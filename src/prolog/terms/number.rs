//! Numbers: integers without bounds, and floats.
//!
//! Integers of 64 bits are words; a large result that fits 64 bits becomes such an integer again, so
//! that a value has one form.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i64),
    /// An integer beyond 64 bits.
    Big(Box<BigInt>),
    Float(f64),
}

use Number::{Big, Float, Integer};

/// Why an operation has no value.
#[derive(Clone, Debug)]
pub(in crate::prolog) enum ArithmeticFault {
    /// The result has more than [`super::operations::MOST_BITS`].
    TooLarge,
    FloatOverflow,
    ZeroDivisor,
    Undefined,
    NeedsInteger(Number),
    NeedsFloat(Number),
    /// The argument is not in the domain of this name.
    OutOf(&'static str, Number),
}

/// What an operation gives.
pub(in crate::prolog) type ArithmeticResult = Result<Number, ArithmeticFault>;

impl From<BigInt> for Number {
    fn from(value: BigInt) -> Self {
        match i64::try_from(&value) {
            Ok(value) => Integer(value),
            Err(_) => Big(Box::new(value)),
        }
    }
}

impl Number {
    /// The exact value of an integer.
    pub(super) fn exact(&self) -> Result<BigInt, ArithmeticFault> {
        match self {
            Integer(value) => Ok(BigInt::from(*value)),
            Big(value) => Ok(BigInt::clone(value)),
            Float(_) => Err(ArithmeticFault::NeedsInteger(self.clone())),
        }
    }

    pub(super) fn is_integer(&self) -> bool {
        matches!(self, Integer(_) | Big(_))
    }

    /// The nearest float, to compute with; integers beyond all floats have none [ISO 9.1.6].
    pub(super) fn to_float(&self) -> Result<f64, ArithmeticFault> {
        match self {
            Big(value) => Some(big_float(value))
                .filter(|value| value.is_finite())
                .ok_or(ArithmeticFault::FloatOverflow),
            Integer(_) | Float(_) => Ok(self.as_float()),
        }
    }

    /// The nearest float, to be shown; infinite for integers beyond all floats.
    pub(in crate::prolog) fn as_float(&self) -> f64 {
        match self {
            Integer(value) => *value as f64,
            Big(value) => big_float(value),
            Float(value) => *value,
        }
    }
}

fn big_float(value: &BigInt) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// Compares by value; none if one is not a number.
pub(in crate::prolog) fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (left, right) {
        (Integer(a), Integer(b)) => Some(a.cmp(b)),
        (Float(a), Float(b)) => a.partial_cmp(b),
        (Integer(_) | Big(_), Float(b)) if b.is_nan() => None,
        (Float(a), Integer(_) | Big(_)) if a.is_nan() => None,
        (_, Float(b)) => Some(compare_mixed(left, *b)),
        (Float(a), _) => Some(compare_mixed(right, *a).reverse()),
        // All beyond 64 bits are above or below all others.
        (Big(a), Integer(_)) => Some(sign_order(a)),
        (Integer(_), Big(b)) => Some(sign_order(b).reverse()),
        (Big(a), Big(b)) => Some(a.cmp(b)),
    }
}

fn sign_order(value: &BigInt) -> Ordering {
    value.cmp(&BigInt::ZERO)
}

/// Compares an integer with a float by value, without losing digits; a float that is no number is below all integers.
pub(in crate::prolog) fn compare_mixed(integer: &Number, float: f64) -> Ordering {
    if float.is_nan() || float == f64::NEG_INFINITY {
        return Ordering::Greater;
    }
    // Of a finite float the whole part is an exact integer.
    let Some(whole) = BigInt::from_f64(float.trunc()) else {
        return Ordering::Less;
    };
    let order = compare(integer, &Number::from(whole)).unwrap_or(Ordering::Equal);
    let fraction = float.fract();
    order.then_with(|| 0.0_f64.partial_cmp(&fraction).unwrap_or(Ordering::Equal))
}
