//! AODE with subsumption resolution: laws, reference numbers, values that imply others.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{FeatureModel, NaiveBayes, Prior, error::LayoutError};
use nb_variants::{Aode, Aodesr, PairCounts, PseudoCounts};
use ndarray::array;

use super::{
    aode::{counts_of, set},
    counting::{Checked, Reference, assert_scores, check_laws, law_counts},
};

#[test]
fn it_keeps_the_laws() {
    for counts in law_counts() {
        let family = Aodesr { counts, minimum_count: 2.0, critical_count: 1.5 };
        check_laws(&family);
    }
}

/// With the least numbers of rows of parents and of values that imply others.
struct Counted {
    minimum_count: f64,
    critical_count: f64,
    reference: Reference,
}

/// Python 3: probabilities (as fractions) and implications counted from the rows for each row that is scored.
const COUNTED: &[Counted] = &[
    Counted {
        minimum_count: 1.0,
        critical_count: 10.0,
        reference: Reference {
            set: "zoo",
            rows: [
                &[
                    -12.54676082871882,
                    -12.380090900505873,
                    -12.373169988968609,
                    -12.435849930758163,
                    -4.771283458634666,
                    -12.743281254570423,
                    -12.610976227412959,
                ],
                &[
                    -12.503995346165524,
                    -12.507223195175467,
                    -12.441031465702746,
                    -12.308379950302868,
                    -4.434101520712015,
                    -12.824339490261075,
                    -12.488436034681303,
                ],
                &[
                    -10.927725896514294,
                    -11.479501297132535,
                    -3.7962428439310236,
                    -11.590901763865025,
                    -11.230250618050695,
                    -9.486758567404854,
                    -9.05771420137676,
                ],
            ],
            own: (-14.527932766983671, 98),
        },
    },
    Counted {
        minimum_count: 50.0,
        critical_count: 20.0,
        reference: Reference {
            set: "zoo",
            rows: [
                &[
                    -12.936745924437716,
                    -13.466861747926092,
                    -13.465004239136729,
                    -13.027677300613266,
                    -4.707175070107564,
                    -13.390486177096715,
                    -13.687219384721878,
                ],
                &[
                    -12.936202722244001,
                    -13.179563147060827,
                    -13.179863272504308,
                    -12.486939256731143,
                    -4.351926509197379,
                    -12.939072017649032,
                    -14.634972291479523,
                ],
                &[
                    -11.444119865025831,
                    -14.356694298899916,
                    -3.975602748199938,
                    -13.716261231448376,
                    -14.186245342226973,
                    -12.31660691950644,
                    -10.337108520550208,
                ],
            ],
            own: (-11.861408197505675, 98),
        },
    },
    // Missing cells.
    Counted {
        minimum_count: 1.0,
        critical_count: 3.0,
        reference: Reference {
            set: "breast_cancer_ljubljana",
            rows: [
                &[-10.655367064433198, -10.169090120397291],
                &[-8.28756351184632, -10.168687267851814],
                &[-8.704889550810412, -11.449183730128416],
            ],
            own: (-114.31921107875186, 237),
        },
    },
];

#[test]
fn scores_are_those_of_counting() {
    for Counted { minimum_count, critical_count, reference } in COUNTED {
        let (minimum_count, critical_count) = (*minimum_count, *critical_count);
        let family = |counts| Aodesr { counts, minimum_count, critical_count };
        assert_scores(reference, Checked::Joint, 1.0, |_| Prior::Empirical, family);
    }
}

/// Weka 3.6.14, `weka.classifiers.bayes.AODEsr -F 1 -C 9` with `-L` and without, trained on all rows: the
/// logarithms of `distributionForInstance`.
const OF_WEKA: [(PseudoCounts, Reference); 2] = [
    (
        PseudoCounts::Each,
        Reference {
            set: "zoo",
            rows: [
                &[
                    -7.778097352389232,
                    -7.611427424176277,
                    -7.604506512639021,
                    -7.667186454428571,
                    -0.0026199823050754773,
                    -7.9746177782408365,
                    -7.842312751083374,
                ],
                &[
                    -8.071775024050755,
                    -8.07500287306069,
                    -8.008811143587977,
                    -7.876159628188096,
                    -0.001881198597251647,
                    -8.392119168146305,
                    -8.05621571256653,
                ],
                &[
                    -7.142253112342411,
                    -7.694028512960656,
                    -0.01077005975914694,
                    -7.805428979693144,
                    -7.444777833878815,
                    -5.701285783232974,
                    -5.272241417204879,
                ],
            ],
            own: (-14.527932766983698, 98),
        },
    ),
    (
        PseudoCounts::Divided,
        Reference {
            set: "zoo",
            rows: [
                &[
                    -10.356860356335066,
                    -10.581557239344209,
                    -10.578253049496428,
                    -10.613186355182098,
                    -1.8023627582544515e-4,
                    -10.439672134298496,
                    -10.036699480594597,
                ],
                &[
                    -10.78733597182116,
                    -11.146380204991093,
                    -11.009556374866689,
                    -10.850810015943381,
                    -1.347859259524769e-4,
                    -11.230797819142449,
                    -9.893562754366252,
                ],
                &[
                    -9.453650736753547,
                    -10.904958980280623,
                    -0.00414567945304001,
                    -10.636548108314328,
                    -9.033480434463266,
                    -6.7856198116318724,
                    -5.889972467356006,
                ],
            ],
            own: (-4.775830919274097, 101),
        },
    ),
];

#[test]
fn posteriors_are_those_of_weka() {
    for (pseudo_counts, reference) in &OF_WEKA {
        // More than 9 rows.
        let family = |counts| Aodesr {
            counts: PairCounts { pseudo_counts: *pseudo_counts, ..counts },
            minimum_count: 1.0,
            critical_count: 10.0,
        };
        assert_scores(reference, Checked::Posterior, 1.0, |_| Prior::Empirical, family);
    }
}

#[test]
fn without_implications_it_is_aode() {
    let (x, y) = set("zoo");
    let counts = counts_of(&x, 1.0);
    let aodesr = Aodesr { critical_count: 102.0, ..Aodesr::new(counts.clone()) };
    let found = NaiveBayes::new(aodesr).fit(&x, &y).expect("fits").predict_log_proba(&x);
    assert_eq!(found, NaiveBayes::new(Aode::new(counts)).fit(&x, &y).expect("fits").predict_log_proba(&x));
}

#[test]
fn of_values_that_imply_each_other_one_stays() {
    // The second column repeats the first.
    let (x, once) = (array![[0, 0], [1, 1], [1, 1], [0, 0], [1, 1]], array![[0], [1], [1], [0], [1]]);
    let y = ["a", "a", "b", "b", "b"];
    let fit = |n_columns, x: &ndarray::Array2<i32>| {
        let counts = PairCounts::new(vec![2; n_columns]);
        let family = Aodesr { counts, minimum_count: 1.0, critical_count: 2.0 };
        NaiveBayes::new(family).fit(x, &y).expect("fits").joint_log_likelihood(x)
    };
    assert_eq!(fit(2, &x), fit(1, &once));
}

#[test]
fn what_is_wrong_is_named() {
    let counts = PairCounts::new(vec![2, 2]);
    for wrong in [f64::NAN, -1.0] {
        let family = Aodesr { critical_count: wrong, ..Aodesr::new(counts.clone()) };
        assert!(matches!(family.layout(2), Err(LayoutError::Parameter { name: "the critical count", .. })));
        let family = Aodesr { minimum_count: wrong, ..Aodesr::new(counts.clone()) };
        assert!(matches!(family.layout(2), Err(LayoutError::Parameter { name: "the minimum count", .. })));
    }
}
