//! Numbers for tests, and rational arithmetic as the oracle.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

pub(crate) fn rational(value: f64) -> BigRational {
    BigRational::from_float(value).expect("finite")
}

pub(crate) fn rational_sum(values: impl IntoIterator<Item = f64>) -> BigRational {
    values.into_iter().map(rational).fold(BigRational::zero(), |sum, value| sum + value)
}

/// Whether a double is the nearest to a number, and the even one of two.
pub(crate) fn is_rounded(double: f64, number: &BigRational) -> bool {
    let error = |candidate: f64| (number - rational(candidate)).abs();
    [double.next_up(), double.next_down()].into_iter().filter(|other| other.is_finite()).all(|other| {
        match error(double).cmp(&error(other)) {
            Ordering::Less => true,
            Ordering::Equal => double.to_bits() & 1 == 0,
            Ordering::Greater => false,
        }
    })
}

/// Numbers in and around the middle between two doubles, as doubles that add up to them.
pub(crate) fn ties() -> impl Strategy<Value = Vec<f64>> {
    let near_one = prop_oneof![
        Just(0.0),
        Just(1.0 - f64::EPSILON),
        (0..1_u64 << 52).prop_map(|bits| bits as f64 * f64::EPSILON)
    ];
    let beside = (-1..2_i32, 54..500_i32).prop_map(|(sign, power)| f64::from(sign) * 2.0_f64.powi(-power));
    (near_one, beside, -1..1_i32, -100..300_i32, any::<bool>()).prop_map(
        |(fraction, beside, side, exponent, negative)| {
            let unit = if negative { -1.0 } else { 1.0 } * 2.0_f64.powi(exponent);
            let half = f64::EPSILON / 2.0 * f64::from(1 + 2 * side);
            [1.0 + fraction, half, beside].map(|part| part * unit).to_vec()
        },
    )
}

/// Doubles of all sizes, with the patterns that break sums: powers of two, their neighbours, equal values.
pub(crate) fn doubles() -> impl Strategy<Value = f64> {
    let magnitude = prop_oneof![
        (any::<u64>(), -300..300_i32).prop_map(|(bits, exponent)| {
            (1.0 + (bits >> 12) as f64 * f64::EPSILON) * 2.0_f64.powi(exponent)
        }),
        (-200..200_i32).prop_map(|exponent| 2.0_f64.powi(exponent)),
        (-200..200_i32).prop_map(|exponent| 2.0_f64.powi(exponent) * (1.0 - f64::EPSILON / 2.0)),
        (0..100_u32).prop_map(f64::from),
        Just(0.1),
    ];
    (magnitude, any::<bool>()).prop_map(|(m, negative)| if negative { -m } else { m })
}

/// Finite doubles of all sizes, also the largest and the smallest ones.
pub(crate) fn any_doubles() -> impl Strategy<Value = f64> {
    let finite = |bits: u64| {
        let value = f64::from_bits(bits);
        if value.is_finite() { value } else { f64::MAX }
    };
    prop_oneof![
        4 => doubles(),
        3 => any::<u64>().prop_map(finite),
        1 => prop::sample::select(vec![
            0.0, f64::MAX, f64::MIN, 5e-324, -1e-310, f64::MIN_POSITIVE, 1e-160, 1e160, 1e308, -1e308,
        ]),
    ]
}
