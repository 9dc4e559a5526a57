//! Means and variances in and around the middle between two doubles, by both ways, against rational numbers.

use std::cmp::Ordering;

use exact_sums::{Exact, ExactSums};
use num_rational::BigRational;
use num_traits::Signed;
use proptest::prelude::*;

use crate::{
    families::gaussian::{Gaussian, Moments, VarianceEstimator, VarianceSmoothing, WideMoments},
    model::ClassSums,
};

fn rational(value: f64) -> BigRational {
    BigRational::from_float(value).expect("finite")
}

/// Whether a double is the nearest to a number, and the even one of two.
fn is_rounded(double: f64, number: &BigRational) -> bool {
    let error = |candidate: f64| (number - rational(candidate)).abs();
    [double.next_up(), double.next_down()].into_iter().all(|other| match error(double).cmp(&error(other)) {
        Ordering::Less => true,
        Ordering::Equal => double.to_bits() & 1 == 0,
        Ordering::Greater => false,
    })
}

/// Values whose mean or variance is the middle between two doubles, or beside it by a small power of two.
fn near_ties() -> impl Strategy<Value = Vec<f64>> {
    let beside = || {
        prop_oneof![
            1 => Just(0.0),
            4 => (any::<bool>(), 20..330_i32)
                .prop_map(|(negative, power)| if negative { -1.0 } else { 1.0 } * 2.0_f64.powi(-power)),
        ]
    };
    // The variance of two numbers that differ by u is u²/4, and u² has 54 bits.
    let of_variance =
        (94_906_266..134_217_728_u32, beside(), any::<bool>()).prop_map(|(u, beside, is_one)| {
            if is_one { vec![1.0, -2.0_f64.powi(-54) + beside] } else { vec![f64::from(u | 1), beside] }
        });
    let of_mean = ((1_u64 << 52)..(1 << 53), beside()).prop_map(|(unit, beside)| {
        // A number of 53 bits, half a unit, and next to nothing.
        vec![unit as f64 * f64::EPSILON, f64::EPSILON / 2.0, beside, 0.0]
    });
    prop_oneof![of_variance, of_mean]
}

/// One column among others of a class, whose rows all have this weight.
fn sums(values: &[f64], weight: f64) -> (Exact, [ExactSums; 3]) {
    let mut parts = [(); 3].map(|()| ExactSums::new(3));
    for (row, &value) in values.iter().enumerate() {
        for (column, value) in [row as f64 * 0.3, value, 1e9 + (row * row) as f64].into_iter().enumerate() {
            parts[0].add_weighted(column, weight, value);
            parts[1].add_weighted_square(column, weight, value);
        }
    }
    (Exact::from(values.len() as f64).times(weight), parts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn means_and_variances_in_and_around_the_middle_of_doubles_are_rounded_correctly(
        values in near_ties(),
        times in prop::sample::select(vec![1_usize, 2, 3, 8]),
        scale in prop::sample::select(vec![0_i32, 1, 200, -20, 390]),
        weight in prop::sample::select(vec![1.0, 1.0, 0.5, 3.0]),
        unbiased in any::<bool>(),
    ) {
        let values: Vec<f64> = values.repeat(times).into_iter().map(|value| value * 2.0_f64.powi(scale)).collect();
        let estimator = if unbiased { VarianceEstimator::Unbiased } else { VarianceEstimator::MaximumLikelihood };
        let (weight_of_all, parts) = sums(&values, weight);
        let class = ClassSums::new(&weight_of_all, &parts);
        let n = rational(values.len() as f64) * rational(weight);
        let divisor = if unbiased { &n - rational(1.0) } else { n.clone() };
        prop_assume!(divisor.is_positive());
        let mean = values.iter().copied().map(rational).sum::<BigRational>() * rational(weight) / &n;
        let squares = values.iter().map(|&value| (rational(value) - &mean).pow(2)).sum::<BigRational>();
        let variance = squares * rational(weight) / &divisor;

        // The quick way, where it is certain.
        let gaussian = Gaussian { estimator, smoothing: VarianceSmoothing::None, ..Gaussian::default() };
        let quick = gaussian.quick_moments(&[class], 0..3)[1];
        if quick.certain {
            prop_assert!(is_rounded(quick.mean.0, &mean), "{quick:?}");
            prop_assert!(is_rounded(quick.variance.0, &variance), "{quick:?}");
        }
        // The exact way, and that for numbers of any size.
        let moments = Moments::of_class(&class, 1);
        let floor = super::VarianceFloor::AtLeast(0.0);
        let exact = gaussian.variance(&moments, floor).expect("usable").expect("a variance");
        prop_assert!(is_rounded(moments.mean().0, &mean), "{:?}", moments.mean());
        prop_assert!(is_rounded(exact, &variance), "{exact:e}");
        let wide = WideMoments::of_class(&class, 1);
        prop_assert!(is_rounded(wide.mean().to_f64(), &mean));
        prop_assert!(is_rounded(wide.variance(estimator).expect("rows").to_f64(), &variance));
        // What users get.
        let fitted = crate::model::FeatureModel::fit(&gaussian, &[class]).expect("fits");
        prop_assert_eq!((fitted.means()[[0, 1]], fitted.variances()[[0, 1]]), (moments.mean().0, exact));
    }
}

#[test]
fn a_variance_a_little_above_the_middle_is_rounded_up() {
    let (weight, parts) = sums(&[1.0, -(2.0_f64.powi(-54))], 1.0);
    let moments = Moments::of_class(&ClassSums::new(&weight, &parts), 1);
    assert_eq!(moments.variance().0, 0.250_000_000_000_000_06);
}
