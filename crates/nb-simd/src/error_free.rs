//! Error-free transformations: a rounded operation together with its exact rounding error.

/// `a + b` as its rounded value and the exact error: `a + b == sum + error`.
///
/// Knuth, *The Art of Computer Programming* vol. 2, 4.2.2, theorem B; holds for all finite `a`, `b` of which
/// `b` is not `±f64::MAX` and whose sum does not overflow, in either order of magnitude, and for subnormals
/// (lemma 1 of `PROOFS.md` of exact-sums). Otherwise the error may be NaN: with `b = f64::MAX` the second
/// operation can overflow, though the sum does not (Boldo, Graillat and Muller 2017, ACM Trans. Math. Softw.
/// 44).
#[inline(always)]
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_rounded = sum - a;
    let error = (a - (sum - b_rounded)) + (b - b_rounded);
    (sum, error)
}

/// The two halves of `a`, of 26 bits each, whose products are exact (Veltkamp; Dekker 1971).
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2^27 + 1
    let scaled = FACTOR * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// `a * b` as its rounded value and the exact error (Dekker 1971, *Numerische Mathematik* 18, 224-242).
///
/// Exact while `|a|, |b| < 2^996`, the product does not overflow and its lowest bit is not below `2^-1074`;
/// the callers keep values in a range where all of this holds. A fused multiply-add gives the same two
/// numbers, but without the instruction at compile time it would be a library call.
#[inline(always)]
pub fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sum_keeps_what_addition_loses() {
        assert_eq!(two_sum(1e16, 1.0), (1e16, 1.0));
        assert_eq!(two_sum(1.0, 1e16), (1e16, 1.0));
        assert_eq!(two_sum(0.1, 0.2), (0.1 + 0.2, -2.775_557_561_562_891_4e-17));
    }

    /// Lemma 1 at its border: whether the error term is a number, and the right one.
    #[test]
    fn two_sum_is_exact_up_to_the_largest_double_but_one() {
        let unit = f64::MAX - f64::MAX.next_down(); // 2^971
        let small = -2.993_760_464_302_079_7e292; // -1.5 units
        assert!(two_sum(small, f64::MAX).1.is_nan());
        let (sum, error) = two_sum(f64::MAX, small);
        assert_eq!((sum, error), (f64::MAX - unit, -0.5 * unit));
        let large =
            [f64::MAX, f64::MAX.next_down(), f64::MAX - 2.0 * unit, f64::MAX / 2.0, f64::MAX / 2.0 + unit];
        let others = [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 3.5].map(|units| units * unit);
        let others = others.into_iter().flat_map(|other| [other, other.next_up(), other.next_down()]);
        for (a, b) in others.chain(large).flat_map(|other| large.map(|large| (other, large))) {
            for (a, b) in [(a, b), (b, a), (-a, b), (b, -a), (a, -b), (-b, a)] {
                let (sum, error) = two_sum(a, b);
                if !sum.is_finite() || b.abs() == f64::MAX {
                    continue;
                }
                // In units of a quarter of the last place all are whole numbers, or the error is `b`'s or
                // `a`'s own.
                let quarters = |value: f64| (value / unit * 2.0_f64.powi(60)) as i128;
                assert_eq!(quarters(sum) + quarters(error), quarters(a) + quarters(b), "{a:e} + {b:e}");
            }
        }
    }

    #[test]
    fn two_prod_is_exact_to_its_limits() {
        let full = 2.0 - f64::EPSILON;
        let two_to = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
        // Factors of almost 2^996, a product of almost 2^1023, and products whose lowest bit is 2^-1074.
        for (a, b) in [
            (full * two_to(995), full),
            (full * two_to(995), full * two_to(26)),
            (full * two_to(511), full * two_to(510)),
            (full * two_to(-500), full * two_to(-470)),
            ((1.0 + f64::EPSILON) * two_to(-485), (1.0 + f64::EPSILON) * two_to(-485)),
        ] {
            for (a, b) in [(a, b), (b, a), (-a, b)] {
                let (product, error) = two_prod(a, b);
                assert_eq!((product, error), (a * b, a.mul_add(b, -(a * b))), "{a:e} * {b:e}");
                assert!(product.is_finite() && error != 0.0, "{a:e} * {b:e}");
            }
        }
    }

    #[test]
    fn two_prod_is_the_fused_multiply_add() {
        let values = [0.1, -3.0e9, 1.0 + f64::EPSILON, 123_456_789.012_345_67, 2.0_f64.powi(-360), 7e119];
        for a in values {
            for b in values {
                let (product, error) = two_prod(a, b);
                assert_eq!((product, error), (a * b, a.mul_add(b, -(a * b))), "{a} * {b}");
            }
        }
    }
}
