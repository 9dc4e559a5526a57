//! Error-free transformations: a rounded operation together with its exact rounding error.

/// `a + b` as its rounded value and the exact error: `a + b == sum + error`.
///
/// Knuth, *The Art of Computer Programming* vol. 2, 4.2.2, theorem B; holds for all finite `a`, `b` whose sum
/// does not overflow, in either order of magnitude, and for subnormals.
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
/// Exact while `|a|, |b| < 2^996`, the product does not overflow and its lowest bit is not below `2^-1074`; the
/// callers keep values in a range where all of this holds. A fused multiply-add gives the same two numbers, but
/// without the instruction at compile time it would be a library call.
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
