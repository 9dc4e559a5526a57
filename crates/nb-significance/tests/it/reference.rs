//! Numbers of other programs: SciPy 1.17.1 and statsmodels 0.15.0.

use nb_significance::{
    Method, StudentizedRange, Zeros, corrected_cross_validation_t, corrected_resampled_t, holm, mcnemar,
    paired_effect, wilcoxon,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[track_caller]
fn close(value: f64, reference: f64, tolerance: f64) {
    let is_close = value == reference || (value - reference).abs() <= tolerance * reference.abs();
    assert!(is_close, "{value:e} instead of {reference:e}");
}

#[test]
fn corrected_t_by_its_formula_and_student_of_scipy() -> Outcome {
    // `t.sf` and `t.ppf` of SciPy with the standard error by NumPy.
    let (first, second) = ([0.81, 0.79, 0.84, 0.80, 0.82], [0.78, 0.77, 0.80, 0.79, 0.78]);
    let test = corrected_resampled_t(&first, &second, 1.0 / 9.0, 0.95)?;
    close(test.mean_difference, 0.028, 1e-13);
    close(test.standard_error, 0.007_272_474_743_090_455, 1e-12);
    close(test.t, 3.850_133_687_518_496, 1e-12);
    close(test.p, 0.018_300_510_991_907_326, 1e-11);
    close(test.interval.lower, 0.007_808_373_096_871_907, 1e-11);
    close(test.interval.upper, 0.048_191_626_903_128_05, 1e-11);

    // Ten repetitions of ten folds.
    let score = |start: f64, step: usize, modulus: usize| -> Vec<f64> {
        (0..100).map(|j| start + ((j * step) % modulus) as f64 / 1000.0).collect()
    };
    let test = corrected_cross_validation_t(&score(0.8, 37, 101), &score(0.79, 53, 103), 10, 0.99)?;
    close(test.standard_error, 0.014_501_438_064_839_374, 1e-12);
    close(test.t, 0.641_315_706_650_437, 1e-12);
    close(test.p, 0.522_799_543_091_692_3, 1e-11);
    close(test.interval.lower, -0.028_786_656_071_914_038, 1e-11);
    close(test.interval.upper, 0.047_386_656_071_914_06, 1e-11);
    assert_eq!(test.degrees_of_freedom, 99.0);
    Ok(())
}

/// One line of [`mcnemar_of_scipy_statsmodels_and_fractions`].
struct McNemarCase {
    counts: (u64, u64),
    exact: f64,
    mid: f64,
    plain: (f64, f64),
    corrected: (f64, f64),
    interval: (f64, f64),
}

#[test]
fn mcnemar_of_scipy_statsmodels_and_fractions() -> Outcome {
    // The exact and the mid-p-value as Python fractions; χ² by `statsmodels` `mcnemar(exact=False,
    // correction=...)`, except for 5 and 5, where its corrected statistic is 0.1 and R's is 0; the
    // interval by SciPy's `binomtest(b, b + c).proportion_ci(0.95, "exact")` as odds.
    let cases = [
        McNemarCase {
            counts: (25, 10),
            exact: 0.016_673_847_800_120_71,
            mid: 0.011_330_984_183_587_134,
            plain: (6.428_571_428_571_429, 0.011_229_886_652_916_672),
            corrected: (5.6, 0.017_960_477_526_078_79),
            interval: (1.159_618_973_592_226_9, 5.832_713_200_335_373),
        },
        McNemarCase {
            counts: (9, 43),
            exact: 2.037_769_861_296_112_6e-6,
            mid: 1.220_851_017_613_711e-6,
            plain: (22.230_769_230_769_23, 2.417_681_313_302_836_8e-6),
            corrected: (20.942_307_692_307_693, 4.733_246_030_883_421e-6),
            interval: (0.089_711_223_400_375_52, 0.435_297_037_962_901_3),
        },
        McNemarCase {
            counts: (121, 59),
            exact: 4.434_449_263_755_176e-6,
            mid: 3.266_646_795_774_592_4e-6,
            plain: (21.355_555_555_555_554, 3.815_135_865_112_594e-6),
            corrected: (20.672_222_222_222_22, 5.450_094_825_427_117e-6),
            interval: (1.490_351_997_778_979_9, 2.849_297_395_477_152),
        },
        McNemarCase {
            counts: (0, 7),
            exact: 0.015_625,
            mid: 0.007_812_5,
            plain: (7.0, 0.008_150_971_593_502_705),
            corrected: (5.142_857_142_857_143, 0.023_342_202_012_890_86),
            interval: (0.0, 0.693_813_980_096_582_5),
        },
        McNemarCase {
            counts: (1, 2),
            exact: 1.0,
            mid: 0.625,
            plain: (0.333_333_333_333_333_3, 0.563_702_861_650_773_1),
            corrected: (0.0, 1.0),
            interval: (0.008_474_980_349_111_54, 9.604_529_884_670_312),
        },
        McNemarCase {
            counts: (5, 5),
            exact: 1.0,
            mid: 0.876_953_125, // 1 - 252/1024/2
            plain: (0.0, 1.0),
            corrected: (0.0, 1.0),
            interval: (0.230_142_468_938_116_93, 4.345_134_579_523_825),
        },
    ];
    for case in cases {
        let test = mcnemar(case.counts.0, case.counts.1, 0.95)?;
        close(test.p_exact, case.exact, 1e-12);
        close(test.p_mid, case.mid, 1e-12);
        close(test.chi_squared, case.plain.0, 1e-14);
        close(test.p_chi_squared, case.plain.1, 1e-11);
        close(test.chi_squared_corrected, case.corrected.0, 1e-14);
        close(test.p_chi_squared_corrected, case.corrected.1, 1e-11);
        close(test.odds_ratio_interval.lower, case.interval.0, 1e-10);
        close(test.odds_ratio_interval.upper, case.interval.1, 1e-10);
    }
    Ok(())
}

#[test]
fn mcnemar_of_a_million_rows() -> Outcome {
    // SciPy: `binomtest(501000, 1000000)` and its `proportion_ci(0.99, "exact")`.
    let test = mcnemar(501_000, 499_000, 0.99)?;
    close(test.p_exact, 0.045_608_299_865_389_6, 1e-10);
    close(test.odds_ratio_interval.lower, 0.998_847_007_581_304_4, 1e-10);
    close(test.odds_ratio_interval.upper, 1.009_195_706_423_037_7, 1e-10);
    Ok(())
}

#[test]
fn signed_ranks_of_scipy() -> Outcome {
    // `wilcoxon(first, second, method="exact")`.
    let first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
    let second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.15, 1.29];
    let test = wilcoxon(&first, &second, Zeros::Split)?;
    assert_eq!((test.p, test.rank_sum_second), (0.039_062_5, 5.0));
    assert_eq!(test.rank_biserial, (40.0 - 5.0) / 45.0);

    // 50 differences, the most for which the p-value is exact.
    let signed: Vec<f64> =
        (0..50_u32).map(|i| f64::from(i + 1) * if (i * 7) % 5 < 2 { -1.0 } else { 1.0 }).collect();
    let test = wilcoxon(&signed, &[0.0; 50], Zeros::Split)?;
    assert_eq!(test.method, Method::Exact);
    close(test.p, 0.187_683_904_173_415_07, 1e-14);

    // 60 differences with ties, `method="approx"`, without correction.
    let signed: Vec<f64> =
        (0..60_u32).map(|i| f64::from((i * 7) % 13 + 1) * if (i * 5) % 7 < 2 { -1.0 } else { 1.0 }).collect();
    let test = wilcoxon(&signed, &[0.0; 60], Zeros::Drop)?;
    assert_eq!(test.rank_sum_second, 537.0);
    close(test.p, 0.005_358_266_541_406_797, 1e-12);
    let Method::Normal { z } = test.method else {
        return Err("the p-value is exact".into());
    };
    close(z, 2.784_667_333_683_438_4, 1e-13);
    Ok(())
}

#[test]
fn holm_of_statsmodels() -> Outcome {
    // `multipletests(p, method="holm")`.
    let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.5, 0.03])?;
    for (adjusted, reference) in adjusted.iter().zip([0.05, 0.12, 0.12, 0.03, 0.5, 0.12]) {
        close(*adjusted, reference, 1e-14);
    }
    Ok(())
}

#[test]
fn ranges_of_scipy() -> Outcome {
    // `studentized_range.sf(q, k, inf)` and `ppf(0.95, k, inf) / sqrt(2)`, which are good to about ten
    // digits.
    for (k, q, reference) in [
        (3, 2.0, 0.333_499_325_040_15),
        (7, 4.0, 0.069_958_765_629_816_18),
        (20, 5.5, 0.014_828_316_690_533_75),
        (50, 4.0, 0.770_971_102_079_968_1),
    ] {
        close(StudentizedRange::new(k)?.tail(q), reference, 1e-9);
    }
    let quantiles = [
        1.959_963_984_540_053_4,
        2.343_700_586_378_409,
        2.569_031_772_546_482,
        2.727_774_370_870_376_3,
        2.849_705_419_610_001_6,
        2.948_320_017_529_674_4,
        3.030_878_449_614_413,
        3.101_730_341_303_380_5,
        3.163_683_577_053_373,
    ];
    for (k, reference) in (2..).zip(quantiles) {
        close(StudentizedRange::new(k)?.quantile(0.05)? / 2.0_f64.sqrt(), reference, 1e-9);
    }
    Ok(())
}

#[test]
fn effects_by_the_gamma_function_of_scipy() -> Outcome {
    // `d.mean() / d.std(ddof=1)` and `exp(gammaln(v/2) - gammaln((v-1)/2)) / sqrt(v/2)`.
    let effect = paired_effect(&[0.80, 0.75, 0.90, 0.70, 0.66], &[0.78, 0.76, 0.85, 0.70, 0.61])?;
    close(effect.d_z, 0.792_824_967_172_092, 1e-12);
    close(effect.g_z, 0.632_582_800_725_650_5, 1e-12);
    Ok(())
}
