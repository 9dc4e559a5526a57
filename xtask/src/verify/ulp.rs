//! Distances between doubles, counted in units in the last place, and the largest of errors.

/// How many doubles `b` is away from `a`: 0 if equal, `u64::MAX` if either is NaN or exactly one is infinite.
pub(crate) fn ulps_between(a: f64, b: f64) -> u64 {
    if a == b {
        0
    } else if a.is_finite() && b.is_finite() {
        (position(a) - position(b)).unsigned_abs() as u64 // at most 2^64 doubles lie between any two
    } else {
        u64::MAX
    }
}

/// The position of a finite double in the order of all doubles; both zeros have position 0.
fn position(value: f64) -> i128 {
    let magnitude = i128::from(value.abs().to_bits());
    if value < 0.0 { -magnitude } else { magnitude }
}

/// The size of one unit in the last place of a finite double.
pub(crate) fn ulp(value: f64) -> f64 {
    value.abs().next_up() - value.abs()
}

/// The larger of two errors, or NaN if either is: unlike with `f64::max`, an error that is not a number
/// stays.
pub(crate) fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_doubles() {
        assert_eq!(ulps_between(1.0, 1.0 + 2.0 * f64::EPSILON), 2);
        assert_eq!(ulps_between(-0.0, 0.0), 0);
        assert_eq!(ulps_between(0.0_f64.next_down(), 0.0_f64.next_up()), 2);
        assert_eq!(ulps_between(f64::MAX, f64::INFINITY), u64::MAX);
        assert_eq!(ulps_between(f64::NAN, f64::NAN), u64::MAX);
        assert_eq!(ulps_between(f64::NEG_INFINITY, f64::NEG_INFINITY), 0);
        assert_eq!(ulp(-1.0), f64::EPSILON);
        assert_eq!(worse(worse(1.0, 3.0), 2.0), 3.0);
        assert!(worse(worse(1.0, f64::NAN), 2.0).is_nan());
    }
}
