use super::*;
use crate::plan::generator;

const SIZES: [f64; 7] = [10.0, 18.0, 32.0, 57.0, 101.0, 180.0, 320.0];
const ERRORS: [f64; 7] = [0.02, 0.012, 0.009, 0.006, 0.004, 0.003, 0.002];

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 2e-5 * expected.abs().max(1e-2)
}

/// SciPy 1.17.1: `curve_fit(lambda n, a, b, c: a + b * n**-c, n, y, p0=[.1, 1, .5], sigma=s, xtol=1e-15,
/// ftol=1e-15, gtol=1e-15)`, and `(((y - f(n, *p)) / s)**2).sum()`.
#[test]
fn laws_are_those_of_scipy() {
    let means = [0.412, 0.331, 0.274, 0.229, 0.205, 0.188, 0.1795];
    let (law, squares) = Points::new(&SIZES, &ERRORS).unwrap().law(&means);
    assert!(is_near(law.a, 0.159_519_152_629_463_45), "{law:?}");
    assert!(is_near(law.b, 1.470_616_696_922_592_7), "{law:?}");
    assert!(is_near(law.c, 0.750_562_116_240_312_5), "{law:?}");
    assert!((squares - 0.990_915_169_610_538_2).abs() < 1e-9, "{squares}");

    let rising = [0.30, 0.36, 0.395, 0.42, 0.437, 0.444, 0.449];
    let law = power_law(&SIZES, &rising, &ERRORS).unwrap();
    assert!(is_near(law.a, 0.457_733_921_735_363_87), "{law:?}");
    assert!(is_near(law.b, -1.134_476_960_210_663), "{law:?}");
    assert!(is_near(law.c, 0.848_872_209_236_442_5), "{law:?}");
}

/// The same with `bounds=([0, -inf, 0.01], [inf, inf, 5])`: the limit is at its bound.
#[test]
fn a_limit_below_zero_is_zero_as_in_scipy_with_bounds() {
    let means = [0.9, 0.62, 0.44, 0.30, 0.21, 0.147, 0.1];
    let (law, squares) = Points::new(&SIZES, &ERRORS).unwrap().law(&means);
    assert_eq!(law.a, 0.0);
    assert!(is_near(law.b, 3.879_226_346_164_521_6), "{law:?}");
    assert!(is_near(law.c, 0.632_270_573_455_967_8), "{law:?}");
    assert!((squares - 1.265_581_804_006_104).abs() < 1e-9, "{squares}");
}

/// Splits around a curve, each with its own shift.
fn fit(curve: impl Fn(f64) -> f64, sizes: &[f64], noise: f64) -> Fit {
    let mut random = generator(1, "noise", 0);
    let splits: Vec<Vec<f64>> = (0..30)
        .map(|_| sizes.iter().map(|&n| curve(n) + noise * (random.random::<f64>() - 0.5)).collect())
        .collect();
    // The standard deviation of a uniform distribution, over the root of 30.
    let error = noise / 12_f64.sqrt() / 30_f64.sqrt();
    Fit::new(sizes, &vec![error; sizes.len()], &splits, &mut generator(1, "samples", 0))
}

#[test]
fn what_is_not_determined_is_said() {
    let determined = fit(|n| 0.2 + 2.0 * n.powf(-0.8), &SIZES, 0.01);
    assert_eq!(determined.verdict, Verdict::Determined, "{determined:?}");
    let (law, limit) = (determined.law.unwrap(), determined.limit.unwrap());
    assert!(limit.low <= 0.2 && 0.2 <= limit.high && (law.a - 0.2).abs() < 0.01, "{determined:?}");
    assert!(is_near(determined.tenfold.unwrap().value, law.at(3200.0)));

    let verdict = |curve: fn(f64) -> f64| fit(curve, &SIZES, 0.01).verdict;
    assert_eq!(verdict(|_| 0.3), Verdict::Flat);
    assert_eq!(verdict(|n| 0.1 + 0.05 * n.ln()), Verdict::SmallestExponent);
    assert_eq!(verdict(|n| 2.0 * n.powf(-0.5) - 0.002), Verdict::LimitAtZero);
    assert_eq!(verdict(|n| if n < 15.0 { 0.6 } else { 0.3 }), Verdict::LargestExponent);
    assert_eq!(verdict(|n| if n < 90.0 { 0.5 - 0.1 * (n / 90.0) } else { 0.2 }), Verdict::Misfit);
    let later = SIZES.map(|n| 10.0 * n);
    assert_eq!(fit(|n| 0.2 + 2.0 * n.powf(-0.8), &later, 0.45).verdict, Verdict::Loose);
    let few = fit(|n| 0.2 + 1.0 / n, &SIZES[..3], 0.01);
    assert_eq!((few.verdict, few.law), (Verdict::TooFewSizes, None));
}

#[test]
fn what_cannot_be_fitted_has_no_law() {
    let means = [0.4, 0.3, 0.25, 0.22];
    let sizes = [10.0, 20.0, 40.0, 80.0];
    assert!(power_law(&sizes, &means, &[0.0; 4]).is_some(), "no split differs from another");
    assert!(power_law(&sizes, &means[..3], &[0.1; 4]).is_none());
    assert!(power_law(&sizes, &[0.4, f64::INFINITY, 0.2, 0.1], &[0.1; 4]).is_none());
    assert!(power_law(&sizes, &means, &[0.1, f64::NAN, 0.1, 0.1]).is_none());
    assert!(power_law(&[10.0, 10.0, 40.0, 80.0], &means, &[0.1; 4]).is_none());
    assert!(power_law(&[0.0, 10.0, 40.0, 80.0], &means, &[0.1; 4]).is_none());
}
