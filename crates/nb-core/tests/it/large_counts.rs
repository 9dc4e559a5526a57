//! Poisson and negative binomial models of counts of 10^15, against 80 digits by another program
//! (`xtask/data/large_counts.py` in the repository, whose other cases `cargo xtask verify` compares).

use nb_core::{CsrView, Density, FeatureModel, NaiveBayes, NegativeBinomial, Poisson, Smoothing};
use ndarray::{Array2, array};

/// The counts of a row; its joint log-likelihoods and log-posteriors.
type Row = ([f64; 2], [f64; 3], [f64; 3]);

const POISSON: [Row; 6] = [
    (
        [999_999_976_282_918.0, 2.0],
        [-20.960_872_778_458_95, -32.299_277_096_776_56, -4_718_724_128_936.556],
        [-1.190_668_832_439_401_3e-5, -11.338_416_225_005_93, -4_718_724_128_915.595],
    ),
    (
        [1_000_000_071_151_246.0, 0.0],
        [-24.225_306_934_419_34, -25.741_673_426_086_365, -4_718_715_059_650.32],
        [-0.198_447_518_336_677_5, -1.714_814_010_003_704_1, -4_718_715_059_626.293],
    ),
    (
        [1_000_000_094_868_328.0, 3.0],
        [-25.205_694_056_000_457, -21.840_535_959_045_03, -4_718_712_792_323.937],
        [-3.399_130_980_074_006_4, -0.033_972_883_118_579_45, -4_718_712_792_302.13],
    ),
    (
        [0.0, 0.0],
        [-1_000_000_001_317_619.6, -1_000_000_119_463_826.8, -1_100_317_460_317_471.6],
        [0.0, -118_146_207.121_015_4, -100_317_458_999_852.08],
    ),
    (
        [2_000_000_000_000_001.0, 4.0],
        [-386_294_359_802_296.94, -386_294_241_656_106.94, -295_414_344_525_629.8],
        [-90_880_015_276_667.16, -90_879_897_130_477.11, 0.0],
    ),
    (
        [5_000_000_000_000_000.0, 0.0],
        [-4_047_189_556_900_060.5, -4_047_189_084_315_281.5, -3_669_513_330_208_629.0],
        [-377_676_226_691_431.5, -377_675_754_106_652.6, 0.0],
    ),
];

/// The third class is overdispersed in both columns.
const NEGATIVE_BINOMIAL: [Row; 6] = [
    (
        [999_999_976_282_918.0, 2.0],
        [-21.178_900_554_100_665, -32.299_277_096_776_56, -37.373_109_096_985_68],
        [-1.490_006_320_386_005_8e-5, -11.120_391_442_739_093, -16.194_223_442_948_218],
    ),
    (
        [1_000_000_071_151_246.0, 0.0],
        [-23.600_464_901_189_582, -25.741_673_426_086_365, -36.000_291_676_115_24],
        [-0.111_109_134_104_739_13, -2.252_317_659_001_52, -12.510_935_909_030_396],
    ),
    (
        [1_000_000_094_868_328.0, 3.0],
        [-25.512_132_788_986_23, -21.840_535_959_045_03, -37.636_582_097_160_95],
        [-3.696_714_677_779_895, -0.025_117_847_838_697_853, -15.821_163_985_954_61],
    ),
    (
        [0.0, 0.0],
        [-1_000_000_001_317_619.0, -1_000_000_119_463_826.8, -1_127.903_774_476_23],
        [-1_000_000_001_316_491.1, -1_000_000_119_462_698.9, 0.0],
    ),
    (
        [2_000_000_000_000_001.0, 4.0],
        [-386_294_359_802_297.2, -386_294_241_656_106.94, -46.352_821_278_306_074],
        [-386_294_359_802_250.8, -386_294_241_656_060.56, 0.0],
    ),
    (
        [5_000_000_000_000_000.0, 0.0],
        [-4_047_189_556_900_060.0, -4_047_189_084_315_281.5, -111.073_782_172_384_72],
        [-4_047_189_556_899_949.0, -4_047_189_084_315_170.5, 0.0],
    ),
];

fn check<M: FeatureModel>(model: &M, rows: &[Row])
where
    M::Fitted: Density,
{
    let train = array![
        [1_000_000_000_000_000.0, 3.0],
        [1_000_000_015_811_388.0, 0.0],
        [999_999_989_459_075.0, 5.0],
        [1_000_000_000_000_001.0, 2.0],
        [1_000_000_126_491_104.0, 4.0],
        [1_000_000_137_032_029.0, 6.0],
        [1_000_000_094_868_328.0, 5.0],
        [1_200_000_000_000_000.0, 1.0],
        [1_333_333_333_333_333.0, 40.0],
        [1_111_111_111_111_111.0, 0.0],
        [1_000_000_000_000_000.0, 9.0],
        [857_142_857_142_858.0, 2.0],
    ];
    let labels = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2];
    let classifier = NaiveBayes::new(model).fit(&train, &labels).expect("fits");
    let x = Array2::from(rows.iter().map(|row| row.0).collect::<Vec<_>>());
    let (indptr, indices) =
        ((0..=rows.len()).map(|row| 2 * row).collect::<Vec<_>>(), [0, 1].repeat(rows.len()));
    let cells: Vec<f64> = x.iter().copied().collect();
    let sparse = CsrView::new(2, &indptr, &indices, &cells).expect("rows");
    let near = |found: f64, expected: f64| (found - expected).abs() <= 2e-15 * expected.abs().max(1.0);
    for joint in [classifier.joint_log_likelihood(&x), classifier.joint_log_likelihood(&sparse)] {
        let joint = joint.expect("scored");
        for (found, (counts, expected, _)) in joint.rows().into_iter().zip(rows) {
            assert!(
                found.iter().zip(expected).all(|(&found, &expected)| near(found, expected)),
                "{counts:?}: {found}"
            );
        }
    }
    let log_proba = classifier.predict_log_proba(&x).expect("scored");
    for (row, (found, (counts, _, expected))) in log_proba.rows().into_iter().zip(rows).enumerate() {
        assert!(
            found.iter().zip(expected).all(|(&found, &expected)| near(found, expected)),
            "{counts:?}: {found}"
        );
        let explanation = classifier.explain(&x, row).expect("scored");
        for class in 0..3 {
            let sum = explanation.log_prior[class] + explanation.contributions.row(class).sum();
            assert!(near(sum, rows[row].1[class]), "{counts:?}: {sum}");
        }
    }
}

#[test]
fn poisson_scores_of_large_counts_keep_their_digits() {
    check(&Poisson { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Poisson::default() }, &POISSON);
}

#[test]
fn negative_binomial_scores_of_large_counts_keep_their_digits() {
    let smoothing = Smoothing::MAXIMUM_LIKELIHOOD;
    check(&NegativeBinomial { smoothing, ..NegativeBinomial::default() }, &NEGATIVE_BINOMIAL);
}

/// Two classes whose rates differ by one: the log-odds of a count far from both are `x log(λ / λ') - (λ -
/// λ')`.
#[test]
fn close_classes_are_told_apart_far_from_both() {
    let model = Poisson { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Poisson::default() };
    let (rate, count) = (1_000_000_000_000_000.0, 3_000_000_000_000_000.0);
    let classifier = NaiveBayes::new(model).fit(&array![[rate], [rate + 1.0]], &[0, 1]).expect("fits");
    let logs = classifier.predict_log_proba(&array![[count], [0.0]]).expect("scored");
    // 3e15 log(1 + 1e-15) - 1 = 2 to 15 digits.
    assert!(((logs[[0, 1]] - logs[[0, 0]]) - 2.0).abs() < 1e-14, "{logs}");
    assert!(((logs[[1, 1]] - logs[[1, 0]]) + 1.0).abs() < 1e-14, "{logs}");
}
