//! Averaged two-dependence estimators: laws, reference numbers of counting and of Weka, sums.
#![expect(clippy::unreadable_literal, reason = "reference numbers are copied, not read")]

use nb_core::{FeatureModel, Missing, NaiveBayes, Prior, Smoothing, SufficientStats, Unseen};
use nb_variants::{A2de, Aode, PairCounts, PseudoCounts};
use ndarray::{Array2, array, s};
use proptest::prelude::*;

use super::{
    aode::{counts_of, set},
    counting::{Checked, Reference, assert_scores, check_laws, law_counts},
};

#[test]
fn it_keeps_the_laws() {
    for counts in law_counts() {
        check_laws(&A2de::new(counts));
    }
}

/// With the pseudo-count and the least weight of parents.
struct Counted {
    l: f64,
    minimum_count: f64,
    reference: Reference,
}

/// Python 3: every probability counted from the rows as a fraction, for each row that is scored.
const COUNTED: &[Counted] = &[
    Counted {
        l: 1.0,
        minimum_count: 1.0,
        reference: Reference {
            set: "lenses",
            rows: [
                &[-5.262800424257475, -3.5369989228212173, -4.9370234767530095],
                &[-4.915746078305725, -3.5522663949520057, -5.262800424257475],
                &[-5.241747015059643, -3.5413264549136714, -4.958763463389416],
            ],
            own: (-10.141001889906049, 24),
        },
    },
    Counted {
        l: 0.5,
        minimum_count: 6.0,
        reference: Reference {
            set: "lenses",
            rows: [
                &[-5.886104031450156, -3.3926481719349213, -5.563330639187105],
                &[-5.437153811402252, -3.432670408024611, -5.886104031450156],
                &[-5.886104031450156, -3.3405727598457204, -5.662960480135946],
            ],
            own: (-5.686514624164973, 24),
        },
    },
    // No two values are so frequent, but some one is: AODE.
    Counted {
        l: 1.0,
        minimum_count: 9.0,
        reference: Reference {
            set: "lenses",
            rows: [
                &[-6.013937402960041, -3.350058420170968, -5.307047731356064],
                &[-5.356409923379783, -3.3539476048195476, -6.013937402960041],
                &[-6.003887067106539, -3.4597709377578805, -5.2330704795807454],
            ],
            own: (-8.381843255201586, 23),
        },
    },
    // No value is: naive Bayes.
    Counted {
        l: 1.0,
        minimum_count: 30.0,
        reference: Reference {
            set: "lenses",
            rows: [
                &[-6.628041376179533, -3.5267450660552395, -5.496803860195347],
                &[-5.711750644305378, -3.2911789947424728, -7.000881256971621],
                &[-7.7266536648476425, -3.2266404736049012, -5.209121787743566],
            ],
            own: (-8.269953686901813, 23),
        },
    },
    Counted {
        l: 0.25,
        minimum_count: 1.0,
        reference: Reference {
            set: "playtennis",
            rows: [
                &[-2.891900757310234, -5.361592556418331],
                &[-5.18025938382424, -3.3879667317957685],
                &[-6.044996770865432, -3.157227006965788],
            ],
            own: (-1.5823119100988536, 14),
        },
    },
    // Missing cells.
    Counted {
        l: 1.0,
        minimum_count: 30.0,
        reference: Reference {
            set: "housevotes84",
            rows: [
                &[-9.575883601681607, -3.8383607680398764],
                &[-10.871013610506765, -9.050643159900286],
                &[-7.017506747086557, -14.911674988164595],
            ],
            own: (-32.09366750351176, 425),
        },
    },
];

#[test]
fn scores_are_those_of_counting() {
    for Counted { l, minimum_count, reference } in COUNTED {
        let family = |counts| A2de { counts, minimum_count: *minimum_count };
        assert_scores(reference, Checked::Joint, *l, |_| Prior::Empirical, family);
    }
}

/// Weka's `A2DE` of its package `AnDE`, compiled with Weka 3.6, with its defaults: `m = 1` and a least count
/// of 1.
const WEKA: &[Reference] = &[
    Reference {
        set: "lenses",
        rows: [
            &[-3.826761766604555, -0.11955555169518253, -2.3979374686192534],
            &[-2.3400982926750054, -0.12598445693485505, -3.8142939480809535],
            &[-4.2991261147031175, -0.1070017815311031, -2.431606599593527],
        ],
        own: (-4.838446156183501, 24),
    },
    Reference {
        set: "playtennis",
        rows: [
            &[-0.08495113027848793, -2.507854013347225],
            &[-2.021816165421876, -0.14204151199776874],
            &[-3.5247073466300978, -0.029903102141107925],
        ],
        own: (-1.7502241167564432, 14),
    },
    // Missing cells. The row without any has the shares of the classes here, and (n_y + 1/2) / (n + 1) in
    // Weka, whose sum is -27.63760073058269.
    Reference {
        set: "housevotes84",
        rows: [
            &[-5.7299278792246735, -0.0032525953817301805],
            &[-1.8304421414624432, -0.17476139651566314],
            &[-1.159172496518554e-4, -9.062691944558123],
        ],
        own: (-27.6382762887115, 425),
    },
];

#[test]
fn with_divided_pseudo_counts_posteriors_are_those_of_weka() {
    for reference in WEKA {
        let family = |counts| A2de::new(PairCounts { pseudo_counts: PseudoCounts::Divided, ..counts });
        assert_scores(reference, Checked::Posterior, 1.0, |_| Prior::Empirical, family);
    }
}

/// The mean over pairs of parents, by going through the weighted rows for every probability; `None` without a
/// pair.
fn by_counting(
    (rows, labels, weights): (&Array2<f64>, &[u8], &[f64]),
    (class, n_classes): (u8, f64),
    row: &[f64],
    (l, minimum_count): (f64, f64),
) -> Option<f64> {
    const K: f64 = 3.0;
    let weight = |is: &dyn Fn(usize) -> bool| -> f64 {
        (0..labels.len()).filter(|&row| is(row)).map(|row| weights[row]).sum()
    };
    let mut terms = Vec::new();
    for j in 0..row.len() {
        for i in 0..j {
            let has_both = |at: usize| rows[[at, i]] == row[i] && rows[[at, j]] == row[j];
            let count = weight(&has_both);
            if count == 0.0 || count < minimum_count {
                continue;
            }
            let observed = weight(&|at| !rows[[at, i]].is_nan() && !rows[[at, j]].is_nan());
            let own = |at: usize| labels[at] == class && has_both(at);
            let mut term = (weight(&own) + l) / (observed + l * n_classes * K * K);
            for (k, &child) in
                row.iter().enumerate().filter(|(k, child)| *k != i && *k != j && !child.is_nan())
            {
                let total = weight(&|at| own(at) && !rows[[at, k]].is_nan()) + l * K;
                let all = weight(&|at| own(at) && rows[[at, k]] == child);
                term *= if total > 0.0 { (all + l) / total } else { 1.0 };
            }
            terms.push(term);
        }
    }
    (!terms.is_empty()).then(|| terms.iter().sum::<f64>() / terms.len() as f64)
}

proptest! {
    #[test]
    fn any_rows_are_scored_by_counting(
        case in nb_laws::cases(4, prop_oneof![4 => (0..3_u8).prop_map(f64::from), 1 => Just(f64::NAN)]),
        l in prop_oneof![Just(0.0), Just(1.0), 0.01..3.0_f64],
        minimum_count in prop_oneof![Just(0.0), Just(1.0), Just(3.0)],
    ) {
        let counts = PairCounts {
            smoothing: Smoothing::new(l).expect("valid"),
            missing: Missing::Skip,
            ..PairCounts::new(vec![3; 4])
        };
        let family = A2de { counts: counts.clone(), minimum_count };
        let aode = Aode { counts, minimum_count };
        let mut stats = SufficientStats::new(&family, 4).expect("valid");
        stats.update_weighted(&family, &case.rows, &case.labels, &case.weights).expect("adds");
        // Without smoothing, naive Bayes needs a value of every column in every class.
        let Ok(classifier) = NaiveBayes::new(&family).fit_stats(&stats) else { return Ok(()) };
        let joint = classifier.joint_log_likelihood(&case.rows).expect("scores");
        let mut pairs = SufficientStats::new(&aode, 4).expect("valid");
        pairs.update_weighted(&aode, &case.rows, &case.labels, &case.weights).expect("adds");
        let fallback = NaiveBayes::new(&aode).fit_stats(&pairs).expect("fits where A2DE does");
        let fallback = fallback.joint_log_likelihood(&case.rows).expect("scores");
        for row in 0..case.rows.nrows() {
            for (class, &own) in classifier.classes().iter().enumerate() {
                let training = (&case.rows, &case.labels[..], &case.weights[..]);
                let of = (own, classifier.classes().len() as f64);
                let cells = case.rows.row(row).to_vec();
                let expected = by_counting(training, of, &cells, (l, minimum_count));
                let expected = expected.map_or(fallback[[row, class]], f64::ln);
                let found = joint[[row, class]];
                prop_assert!(found == expected || (found - expected).abs() < 1e-13 * expected.abs().max(1.0), "{found}, {expected}");
            }
        }
    }
}

#[test]
fn its_sums_are_added_merged_and_removed() {
    let (x, y) = set("housevotes84");
    let family = A2de::new(counts_of(&x, 1.0));
    let stats = |rows: std::ops::Range<usize>| {
        let mut stats = SufficientStats::new(&family, 16).expect("valid");
        stats.update(&family, &x.slice(s![rows.clone(), ..]), &y[rows]).expect("valid rows");
        stats
    };
    let (first, mut both) = (stats(0..200), stats(200..435));
    both.merge(&first).expect("the same codes");
    assert_eq!(both, stats(0..435));
    both.retract(&family, &x.slice(s![200.., ..]), &y[200..]).expect("added before");
    assert_eq!(both, first);
    assert!(NaiveBayes::new(Aode::new(family.counts.clone())).fit_stats(&first).is_err());
}

#[test]
fn unseen_categories_have_policies() {
    let (x, y) = set("playtennis");
    let mut counts = counts_of(&x, 1.0);
    let row = array![[7.0, 0.0, 1.0, 0.0]];
    let fit = |counts: &PairCounts| NaiveBayes::new(A2de::new(counts.clone())).fit(&x, &y).expect("fits");
    let refused = fit(&counts).predict(&row).unwrap_err().to_string();
    assert!(refused.starts_with("row 0, column 0: 7 is a category not seen in training"), "{refused}");
    counts.unseen = Unseen::Ignore;
    let missing = array![[f64::NAN, 0.0, 1.0, 0.0]];
    let ignoring = fit(&counts);
    assert_eq!(ignoring.joint_log_likelihood(&row), ignoring.joint_log_likelihood(&missing));
    // The other category is a child that no row has: 1 / (n(y, x_i, x_j) + K + 1). Two columns are the
    // parents here.
    counts.unseen = Unseen::Other;
    let joint = fit(&counts).joint_log_likelihood(&array![[7.0, f64::NAN, 1.0, 0.0]]).expect("scores");
    for (class, label) in ["no", "yes"].into_iter().enumerate() {
        let is = |row: usize| x[[row, 2]] == 1.0 && x[[row, 3]] == 0.0 && y[row] == label;
        let n = (0..14).filter(|&row| is(row)).count() as f64;
        let expected = ((n + 1.0) / (14.0 + 2.0 * 3.0 * 3.0)).ln() + (1.0 / (n + 4.0)).ln();
        assert!((joint[[0, class]] - expected).abs() < 1e-14, "{joint}, {expected}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let family = A2de::new(PairCounts::new(vec![100, 200]));
    assert_eq!(family.n_triples(), 300 * 299 * 298 / 6);
    assert!(family.memory(2) > 2 * 16 * family.n_triples());
    let refused = family.layout(2).unwrap_err().to_string();
    assert!(refused.starts_with("the number of counts of three values that a class keeps is "), "{refused}");
    assert!(refused.contains("294 categories and bins") && refused.contains("take AODE"), "{refused}");
    A2de::new(PairCounts::new(vec![93, 200])).layout(2).expect("few enough");
    let negative = A2de { minimum_count: -1.0, ..A2de::new(PairCounts::new(vec![2])) };
    let refused = negative.layout(1).unwrap_err().to_string();
    assert_eq!(refused, "the minimum count is -1; it must be at least 0");
}
