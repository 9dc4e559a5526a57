//! Means and variances by a few doubles each, where that surely gives the same bits as exact arithmetic.
//!
//! # Idea
//! [`Moments`](super::Moments) computes with numbers of any length, a microsecond a column. Here a number is
//! two or three doubles, all columns go through the same operations, and each result comes with the question
//! whether it could round differently if it were exact (Ziv 1991, *Fast evaluation of elementary mathematical
//! functions with correctly rounded last bit*, ACM Trans. Math. Softw. 17). Where it could, which is rare,
//! the column is left to exact arithmetic.
//!
//! For the mean, the steps are those of [`Exact::divided_by`](exact_sums::Exact::divided_by), with every
//! remainder exact. For the variance, `n Σ x² - (Σ x)²` is formed of products with their errors, down to
//! `2^-150` of `n Σ x²`; where more than 60 bits of that cancel, the column is left, too. What sums of
//! squares have below their three doubles, as columns of values of very different sizes do, is neglected
//! where it cannot matter.

#![expect(clippy::needless_bitwise_bool, reason = "without branches all columns go the same way")]

use nb_simd::{Isa, Kernel, LANES, error_free::two_sum};

use exact_sums::{ExactSums, rounds_surely};

use crate::model::ClassSums;

/// What is known of one class and column.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quick {
    /// The mean and what rounding took from it.
    pub(crate) mean: (f64, f64),
    /// The variance as two doubles, to about 90 bits; positive.
    pub(crate) variance: (f64, f64),
    /// Whether `mean` and `variance.0` are what exact arithmetic gives.
    pub(crate) certain: bool,
}

impl Quick {
    /// Takes note that the variance may be wrong by so much more.
    pub(crate) fn neglect(&mut self, error: f64) {
        /// What the variance is accurate to without that.
        const ACCURACY: f64 = 1.0 / (1_u128 << 90) as f64;
        self.certain &= error <= self.variance.0 * ACCURACY;
    }
}

/// What is known of a column over all rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuickTotal {
    /// Between which numbers the variance lies; anything where a class is not certain.
    pub(crate) least: f64,
    pub(crate) most: f64,
    /// The least variance of a class.
    pub(crate) least_of_class: f64,
}

/// What the moments of the classes say of each of this many columns over all rows.
pub(crate) fn total_variances(
    classes: &[ClassSums<'_>],
    quick: &[Quick],
    n_columns: usize,
) -> Vec<QuickTotal> {
    /// Means over the classes, and extremes.
    #[derive(Clone, Copy)]
    struct Column {
        certain: bool,
        mean: f64,
        largest: f64,
        within: f64,
        between: f64,
        least_of_class: f64,
    }
    let start = Column {
        certain: true,
        mean: 0.0,
        largest: 0.0,
        within: 0.0,
        between: 0.0,
        least_of_class: f64::INFINITY,
    };
    let weights = || classes.iter().map(|class| class.weight().to_f64());
    let total: f64 = weights().sum();
    let mut columns = vec![start; n_columns];
    let classes = || weights().map(|weight| weight / total).zip(quick.chunks(n_columns.max(1)));
    // Class by class, in the order of memory.
    for (share, class) in classes() {
        for (column, quick) in columns.iter_mut().zip(class) {
            column.certain &= quick.certain;
            column.mean += share * quick.mean.0;
            column.largest = column.largest.max(quick.mean.0.abs());
            column.within += share * quick.variance.0;
            column.least_of_class = column.least_of_class.min(quick.variance.0);
        }
    }
    for (share, class) in classes() {
        for (column, quick) in columns.iter_mut().zip(class) {
            // What rounding takes from the means and their differences is small, except far from the origin.
            let slack = 16.0 * f64::EPSILON * column.largest;
            column.between += share * ((quick.mean.0 - column.mean).abs() + slack).powi(2);
        }
    }
    let bounds = |column: Column| {
        let Column { certain, within, between, least_of_class, .. } = column;
        let (least, most) = if certain {
            (within * (1.0 - 1e-9), (within + between) * (1.0 + 1e-9))
        } else {
            (0.0, f64::INFINITY)
        };
        QuickTotal { least, most, least_of_class }
    };
    columns.into_iter().map(bounds).collect()
}

/// Computes all columns of a class, for rows of weight one.
pub(crate) struct QuickMoments<'a> {
    /// The number of rows, and what sums of squared deviations are divided by.
    pub(crate) weight: f64,
    pub(crate) divisor: f64,
    pub(crate) sums: &'a ExactSums,
    pub(crate) squares: &'a ExactSums,
    /// The column that the first of `out` is for.
    pub(crate) first: usize,
    pub(crate) out: &'a mut [Quick],
}

impl Kernel for QuickMoments<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Isa>(self) {
        const BLOCK: usize = 64;
        let mut planes = [[0.0; BLOCK]; 6];
        let mut found = [[0.0; BLOCK]; 5];
        for (block, out) in self.out.chunks_mut(BLOCK).enumerate() {
            let first = self.first + block * BLOCK;
            let [s0, s1, s2, q0, q1, q2] = &mut planes;
            self.sums.copy_planes(first, [s0, s1, s2]);
            self.squares.copy_planes(first, [q0, q1, q2]);
            // Whole vectors, but no more of them than there are columns.
            for column in 0..out.len().next_multiple_of(LANES).min(BLOCK) {
                let (s, s_certain) = normalize([planes[0][column], planes[1][column], planes[2][column]]);
                let q = [planes[3][column], planes[4][column], planes[5][column]];
                let (mean, mean_certain) = quotient::<C>(s, self.weight);
                let (variance, variance_certain) = spread::<C>(s, q, self.weight, self.divisor);
                found[0][column] = mean.0;
                found[1][column] = mean.1;
                found[2][column] = variance.0;
                found[3][column] = variance.1;
                found[4][column] = if s_certain & mean_certain & variance_certain { 1.0 } else { 0.0 };
            }
            for (column, out) in out.iter_mut().enumerate() {
                let [mean, mean_rest, variance, variance_rest, certain] =
                    found.each_ref().map(|numbers| numbers[column]);
                *out = Quick {
                    mean: (mean, mean_rest),
                    variance: (variance, variance_rest),
                    certain: certain == 1.0,
                };
            }
        }
    }
}

/// `a * b` and its exact error; the fused form gives the same two numbers.
#[inline(always)]
fn two_prod<C: Isa>(a: f64, b: f64) -> (f64, f64) {
    if C::HAS_FMA {
        let product = a * b;
        (product, a.mul_add(b, -product))
    } else {
        nb_simd::error_free::two_prod(a, b)
    }
}

/// Three doubles without overlap and of decreasing size, with the same sum; whether the first is that sum
/// rounded.
#[inline(always)]
fn normalize([a, b, c]: [f64; 3]) -> ([f64; 3], bool) {
    let (b, c) = two_sum(b, c);
    let (a, b) = two_sum(a, b);
    let (b, c) = two_sum(b, c);
    let (a, b) = two_sum(a, b);
    let (b, c) = two_sum(b, c);
    // `a` is `a + b` rounded, except perhaps where `b` is exactly half a unit, so that twice `b` is a unit.
    // Then what is below decides, or the last bit of `a` if there is nothing.
    let twice = 2.0 * b;
    let tie = ((a + twice) - a == twice) & (b != 0.0) & ((c != 0.0) | (a + b != a));
    ([a, b, c], !tie & (b.abs() <= a.abs() * f64::EPSILON))
}

/// [`Exact::divided_by`](exact_sums::Exact::divided_by) for a divisor of one double: the same steps with the
/// same intermediate results, as long as all of these are certain.
#[inline(always)]
fn quotient<C: Isa>(sum: [f64; 3], divisor: f64) -> ((f64, f64), bool) {
    let [s0, s1, s2] = sum;
    let first = s0 / divisor;
    // The remainder of a rounded quotient is a double.
    let (product, error) = two_prod::<C>(first, divisor);
    let (rest, rest_certain) = normalize([(s0 - product) - error, s1, s2]);
    let second = rest[0] / divisor;
    let (product, error) = two_prod::<C>(second, divisor);
    let (rest, last_certain) = normalize([(rest[0] - product) - error, rest[1], rest[2]]);
    let third = rest[0] / divisor;
    let (high, low) = two_sum(first, second);
    let in_range = (s0 == 0.0) | (first.abs() > 1e-200) & (first.abs() < 1e200);
    let mean = two_sum(high, low + third);
    // Two doubles that are all of the quotient are rounded as they should, in the middle as well.
    let is_sure = rounds_surely(mean) | (rest[0] == 0.0);
    (mean, rest_certain & last_certain & in_range & is_sure)
}

/// `(n Q - S²) / (n d)` as two doubles, for `S` as [`normalize`] gives it and any `Q`; whether the first is
/// certain.
#[inline(always)]
fn spread<C: Isa>([s0, s1, s2]: [f64; 3], q: [f64; 3], n: f64, d: f64) -> ((f64, f64), bool) {
    let ([q0, q1, q2], _) = normalize(q);
    // Products by size: about 1, 2^-53 and 2^-106 of n Q.
    let (p0, e0) = two_prod::<C>(n, q0);
    let (p1, e1) = two_prod::<C>(n, q1);
    let (a0, b0) = two_prod::<C>(s0, s0);
    let (a1, b1) = two_prod::<C>(2.0 * s0, s1);
    let (d0, f0) = two_sum(p0, -a0);
    let (middle, r1) = two_sum(e0, -b0);
    let (middle, r2) = two_sum(middle, p1);
    let (middle, r3) = two_sum(middle, -a1);
    let (middle, r4) = two_sum(middle, f0);
    let low = (((e1 - b1) + n * q2) - (s1 * s1 + 2.0 * s0 * s2)) + ((r1 + r2) + (r3 + r4));
    let (d0, d1) = two_sum(d0, middle);
    let (d1, d2) = two_sum(d1, low);
    let (d0, d1) = two_sum(d0, d1);
    let d1 = d1 + d2;
    // Long division by n d, which is two doubles, too.
    let (nd, nd_rest) = two_prod::<C>(n, d);
    let first = d0 / nd;
    let (product, error) = two_prod::<C>(first, nd);
    let second = (((d0 - product) - error) + (d1 - first * nd_rest)) / nd;
    let (high, rest) = two_sum(first, second);
    let enough_left = d0 > p0 * (1.0 / (1_u64 << 60) as f64);
    // Without underflow in the errors of any product, and without overflow.
    let in_range = (p0 > 1e-200) & (p0 < 1e250) & (high > 1e-200) & (high < 1e250);
    ((high, rest), enough_left & in_range & rounds_surely((high, rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nb_simd::InstructionSet;

    use exact_sums::Exact;

    use crate::families::gaussian::{Gaussian, Moments, VarianceEstimator};
    use proptest::prelude::*;

    fn columns() -> impl Strategy<Value = Vec<f64>> {
        let value = prop_oneof![
            -1.0..1.0_f64,
            (-1.0..1.0_f64).prop_map(|x| 1e9 + x),
            (-1.0..1.0_f64).prop_map(|x| -3e12 + 1e-3 * x),
            (-50..50_i32).prop_map(f64::from),
            (0..40_u32).prop_map(|tenths| f64::from(tenths) / 10.0),
            Just(0.0),
        ];
        (value, prop::collection::vec(0..1000_u32, 1..60), prop_oneof![Just(0.0), Just(1.0), Just(1e-3)])
            .prop_map(|(start, steps, unit)| {
                steps.iter().map(|&step| start + unit * f64::from(step) / 7.0).collect()
            })
    }

    proptest! {
        #[test]
        fn what_is_certain_is_exact(values in columns(), unbiased in any::<bool>()) {
            let mut parts = [ExactSums::new(1), ExactSums::new(1), ExactSums::new(1)];
            for &value in &values {
                parts[0].add(0, value);
                parts[1].add_product(0, value, value);
            }
            let n = values.len() as f64;
            let weight = Exact::from(n);
            let moments = Moments::of_class(&ClassSums::new(&weight, &parts), 0);
            let divisor = if unbiased { n - 1.0 } else { n };
            for set in InstructionSet::ALL {
                let mut out = [Quick::default()];
                let [sums, squares, _] = &parts;
                set.run(QuickMoments { weight: n, divisor, sums, squares, first: 0, out: &mut out });
                let [quick] = out;
                if quick.certain {
                    prop_assert_eq!(quick.mean, moments.mean());
                    let exact = moments.deviation.divided_by(&weight.times(divisor));
                    prop_assert_eq!(quick.variance.0, exact.0);
                    prop_assert!((quick.variance.1 - exact.1).abs() <= exact.0 * 2.0_f64.powi(-85));
                }
            }
        }
    }

    /// A column of ordinary values, one of very different sizes whose squares leave three doubles, one with
    /// missing cells, and one whose sums leave three doubles.
    fn uneven_sums(values: &[(f64, i32)]) -> [ExactSums; 3] {
        let mut parts = [(); 3].map(|()| ExactSums::new(4));
        for (row, &(value, exponent)) in values.iter().enumerate() {
            let small = value * 2.0_f64.powi(-exponent);
            for (column, value) in [value, small, value, value * small.powi(3)].into_iter().enumerate() {
                if column == 2 && row % 5 == 0 {
                    parts[2].add(column, 1.0);
                } else {
                    parts[0].add(column, value);
                    parts[1].add_product(column, value, value);
                }
            }
        }
        parts
    }

    proptest! {
        #[test]
        fn columns_of_very_different_values_are_exact_and_leave_others_certain(
            values in prop::collection::vec((0.5..1.0_f64, 0..60_i32), 20..60),
            unbiased in any::<bool>(),
        ) {
            let estimator =
                if unbiased { VarianceEstimator::Unbiased } else { VarianceEstimator::MaximumLikelihood };
            let parts = uneven_sums(&values);
            let weight = Exact::from(values.len() as f64);
            let class = ClassSums::new(&weight, &parts);
            let found = Gaussian { estimator, ..Gaussian::default() }.quick_moments(&[class], 0..4);
            prop_assert!(found[0].certain && !found[2].certain);
            for (column, quick) in found.iter().enumerate().filter(|(_, quick)| quick.certain) {
                let moments = Moments::of_class(&ClassSums::new(&weight, &parts), column);
                let divisor = weight.times(values.len() as f64 - f64::from(u8::from(unbiased)));
                let exact = moments.deviation.divided_by(&divisor);
                prop_assert_eq!((quick.mean, quick.variance.0), (moments.mean(), exact.0), "column {}", column);
                prop_assert!((quick.variance.1 - exact.1).abs() <= exact.0 * 2.0_f64.powi(-85));
            }
        }
    }

    #[test]
    fn what_three_doubles_leave_of_squares_matters_seldom() {
        let values: Vec<_> = (0..50).map(|row| (0.5 + f64::from(row * 37 % 50) / 103.0, row)).collect();
        let parts = uneven_sums(&values);
        let has_tail = |part: &ExactSums, column| part.overflows(0..4).any(|(index, _)| index == column);
        assert!(has_tail(&parts[1], 1) && !has_tail(&parts[0], 1) && has_tail(&parts[0], 3));
        let weight = Exact::from(50.0);
        let found = Gaussian::default().quick_moments(&[ClassSums::new(&weight, &parts)], 0..4);
        assert_eq!([0, 1, 2, 3].map(|column| found[column].certain), [true, true, false, false]);
    }

    #[test]
    fn what_is_neglected_must_not_matter() {
        let known = Quick { variance: (4.0, 1e-17), certain: true, ..Quick::default() };
        for (error, certain) in
            [(0.0, true), (4.0 * 2.0_f64.powi(-90), true), (4.0 * 2.0_f64.powi(-89), false)]
        {
            let mut quick = known;
            quick.neglect(error);
            assert_eq!(quick.certain, certain);
        }
    }

    #[test]
    fn ordinary_columns_are_certain() {
        let mut parts = [ExactSums::new(100), ExactSums::new(100)];
        for row in 0..1000 {
            for column in 0..100 {
                let value = ((row * 7919 + column * 104_729) % 10_007) as f64 / 997.0 + column as f64 * 1e4;
                parts[0].add(column, value);
                parts[1].add_product(column, value, value);
            }
        }
        let mut out = [Quick::default(); 100];
        let [sums, squares] = &parts;
        let quick = QuickMoments { weight: 1000.0, divisor: 1000.0, sums, squares, first: 0, out: &mut out };
        InstructionSet::current().run(quick);
        assert_eq!(out.iter().filter(|quick| quick.certain).count(), 100);
    }
}
