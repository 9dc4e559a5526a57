//! Small versions of the experiments.

use std::{num::NonZeroUsize, ops::ControlFlow, sync::LazyLock};

use nb_compare::{
    Column, Fitted, Kind, Method, MethodError, Table, WrongGaussian, WrongRule,
    experiment::{
        Experiment, ExperimentError, Options, Results,
        assumptions::{self, Assumptions},
        ng_jordan::{self, Curve, NgJordan, Pattern},
        truncation::{self, Truncation},
    },
    labels,
};
use ndarray::array;

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).expect("not zero")
}

fn go_on(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn small() -> Options {
    Options {
        seed: 5,
        ng_jordan: NgJordan { splits: 6, largest: 50, other_l2: vec![0.1], ..NgJordan::default() },
        assumptions: Assumptions { samples: 4, smallest: 128, doublings: 1 },
        truncation: Truncation { rows: 50, columns: vec![3, 700], units: vec![-2, 12] },
    }
}

#[test]
fn results_depend_on_the_seed_and_not_on_the_threads() {
    for experiment in Experiment::ALL {
        let run = |options: &Options, n| experiment.run(options, threads(n), &mut go_on).expect("results");
        let options = small();
        let one = run(&options, 1);
        assert_eq!(one, run(&options, 3), "{}", experiment.name());
        assert_ne!(one, run(&Options { seed: 6, ..options }, 1), "{}", experiment.name());

        let json = serde_json::to_string(&one).expect("JSON");
        assert_eq!(serde_json::from_str::<Results>(&json).expect("results"), one);
        let html = one.report().to_html().expect("a page");
        assert!(html.contains("<svg"));
        one.report().to_markdown().expect("Markdown");
    }
}

#[test]
fn names_and_options_are_checked() {
    for experiment in Experiment::ALL {
        assert_eq!(experiment.name().parse::<Experiment>().expect("an experiment"), experiment);
    }
    let error = "ng_jordan".parse::<Experiment>().expect_err("no experiment");
    assert_eq!(
        error.to_string(),
        "there is no experiment `ng_jordan`; choose one of ng-jordan, assumptions, truncation"
    );

    let ng_jordan = |ng_jordan| (Experiment::NgJordan, Options { ng_jordan, ..small() });
    let assumptions = |assumptions| (Experiment::Assumptions, Options { assumptions, ..small() });
    let truncation = |truncation| (Experiment::Truncation, Options { truncation, ..small() });
    let refused = [
        ng_jordan(NgJordan { splits: 1, ..NgJordan::default() }),
        ng_jordan(NgJordan { largest: 1, ..NgJordan::default() }),
        ng_jordan(NgJordan { most_tested: 0, ..NgJordan::default() }),
        ng_jordan(NgJordan { l: f64::NAN, ..NgJordan::default() }),
        ng_jordan(NgJordan { l2: 0.0, ..NgJordan::default() }),
        ng_jordan(NgJordan { other_l2: vec![0.1, -1.0], ..NgJordan::default() }),
        ng_jordan(NgJordan { variance_floor: -1.0, ..NgJordan::default() }),
        ng_jordan(NgJordan { problems: vec!["iris".to_owned()], ..NgJordan::default() }),
        assumptions(Assumptions { samples: 0, ..Assumptions::default() }),
        assumptions(Assumptions { smallest: 15, ..Assumptions::default() }),
        assumptions(Assumptions { doublings: 17, ..Assumptions::default() }),
        truncation(Truncation { rows: 1, ..Truncation::default() }),
        truncation(Truncation { columns: vec![0], ..Truncation::default() }),
        truncation(Truncation { units: vec![101], ..Truncation::default() }),
    ];
    for (experiment, options) in refused {
        experiment.run(&options, threads(1), &mut go_on).expect_err("out of range");
    }
}

#[test]
fn an_interrupted_experiment_has_no_results() {
    for experiment in Experiment::ALL {
        let mut stop = |done, _| if done < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let interrupted = experiment.run(&small(), threads(2), &mut stop);
        assert!(matches!(interrupted, Err(ExperimentError::Interrupted)), "{}", experiment.name());
    }
}

fn curve(problem: &str, splits: usize) -> Curve {
    let problems = vec![problem.to_owned()];
    let options = NgJordan { splits, largest: 100, problems, other_l2: Vec::new(), ..NgJordan::default() };
    options.run(0, threads(2), &mut go_on).expect("a curve").remove(0)
}

/// scikit-learn 1.9.1 with numpy 2, 1000 other random splits of 145 test rows:
/// `CategoricalNB(alpha=1, class_prior=(n + 1) / (m + 2))` and `LogisticRegression(C=1000)` on one indicator
/// per level, with missing votes as a level.
#[test]
fn errors_on_voting_records_are_those_of_scikit_learn() {
    let curve = curve("voting records", 100);
    assert_eq!((curve.n_rows, curve.n_columns, curve.n_test), (435, 16, 145));
    for (size, naive_bayes, logistic) in [(16, 0.1080, 0.0909), (64, 0.1032, 0.0600)] {
        let point = curve.points.iter().find(|point| point.size == size).expect("the size");
        for (found, expected) in [(point.naive_bayes, naive_bayes), (point.logistic, logistic)] {
            assert!((found.mean - expected).abs() < 4.0 * found.standard_error, "{size}: {found:?}");
        }
    }
    assert_eq!(curve.pattern, Pattern::Overtaken);
}

/// As above, for normal distributions with common variances of at least 0.001 in numpy, 256 test rows.
#[test]
fn errors_on_pima_are_those_of_numpy_and_scikit_learn() {
    let curve = curve("pima", 100);
    for (size, naive_bayes, logistic) in [(16, 0.3012, 0.3267), (64, 0.2604, 0.2641)] {
        let point = curve.points.iter().find(|point| point.size == size).expect("the size");
        for (found, expected) in [(point.naive_bayes, naive_bayes), (point.logistic, logistic)] {
            assert!((found.mean - expected).abs() < 4.0 * found.standard_error, "{size}: {found:?}");
        }
    }
}

#[test]
fn crossings_are_counted_with_other_penalties_and_fewer_splits() {
    let problems = vec!["sonar".to_owned(), "voting records".to_owned()];
    let options = NgJordan {
        splits: 30,
        other_splits: 20,
        other_l2: vec![10.0],
        largest: 30,
        problems,
        ..NgJordan::default()
    };
    let curves = options.run(3, threads(2), &mut go_on).expect("curves");
    for curve in &curves {
        let settings: Vec<(f64, usize)> =
            curve.sensitivity.iter().map(|setting| (setting.l2, setting.splits)).collect();
        assert_eq!(settings, [(1e-3, 3), (1e-3, 9), (1e-3, 30), (10.0, 20)]);
        assert_eq!(curve.sensitivity[2].pattern, curve.pattern);
        assert_eq!(curve.sensitivity[2].place, curve.crossing.place);
        // The same options with the other penalty and number of splits as the main ones.
        let problems = vec![curve.problem.clone()];
        let other = NgJordan { splits: 20, l2: 10.0, other_l2: Vec::new(), problems, ..options.clone() };
        let other = other.run(3, threads(2), &mut go_on).expect("curves").remove(0);
        let setting = curve.sensitivity[3];
        assert_eq!((setting.place, setting.pattern), (other.crossing.place, other.pattern));
    }
    let results = Results::NgJordan { seed: 3, options, curves };
    let markdown = results.report().to_markdown().expect("Markdown");
    assert!(markdown.contains("Penalties and numbers of splits"), "{markdown}");
}

#[test]
fn curves_say_how_many_splits_they_are_of() {
    let curve = curve("lenses", 40);
    let sizes: Vec<usize> = curve.points.iter().map(|point| point.size).collect();
    assert_eq!(sizes, [2, 3, 4, 6]);
    // Four lenses of nine are hard; of 40 pairs about 22 have both classes, and six rows always have.
    assert!((10..35).contains(&curve.points[0].splits));
    assert_eq!(curve.points[3].splits, 40);
    assert_eq!(ng_jordan::problems().len(), 15);
}

static OUTCOMES: LazyLock<Vec<assumptions::Outcome>> = LazyLock::new(|| {
    let options = Assumptions { samples: 40, smallest: 512, doublings: 4 };
    options.run(2, threads(2), &mut go_on).expect("outcomes")
});

#[test]
fn coefficients_converge_to_their_limits_at_the_rate_of_the_root() {
    for outcome in OUTCOMES.iter() {
        let [_, naive_bayes, logistic] = outcome.slopes;
        for slope in [naive_bayes, logistic] {
            assert!((-0.6..-0.4).contains(&slope), "{}: {slope}", outcome.scenario);
        }
    }
}

#[test]
fn both_learners_agree_where_the_assumptions_hold_and_nowhere_else() {
    let outcomes = &*OUTCOMES;
    assert!(outcomes[0].limit_distance < 1e-8);
    assert!((-0.65..-0.4).contains(&outcomes[0].slopes[0]));
    // Efron (1975) has 0.96 at this distance of 1.56 for discriminants with a full covariance matrix.
    let efficiency = outcomes[0].relative_efficiency.expect("both limits are the best rule");
    assert!((0.6..1.05).contains(&efficiency), "{efficiency}");
    for outcome in &outcomes[1..] {
        assert!(outcome.limit_distance > 0.02, "{}", outcome.scenario);
        assert!(outcome.slopes[0] > -0.4, "{}", outcome.scenario);
        assert_eq!(outcome.relative_efficiency, None);
    }
}

#[test]
fn no_rule_is_better_than_the_best() {
    for outcome in OUTCOMES.iter() {
        let errors = outcome.points.iter().flat_map(|point| [point.naive_bayes_error, point.logistic_error]);
        for error in errors.chain(outcome.limit_errors) {
            assert!(error > outcome.bayes_error - 1e-5, "{}: {error}", outcome.scenario);
        }
    }
}

static TRUNCATION: LazyLock<truncation::Outcome> = LazyLock::new(|| {
    let options = Truncation { rows: 400, columns: vec![10, 400, 1000], units: vec![-40, 0, 12, 24, 40] };
    options.run(0, threads(2), &mut go_on).expect("an outcome")
});

/// klaR's counts are those that were published (klaR 1.7-3 on R 4.2.2); the counts of the product and of the
/// epsilon are those of numpy with `scipy.stats.norm.pdf` (scipy 1.17.1).
#[test]
fn spam_is_answered_as_published() {
    let outcome = &*TRUNCATION;
    let [right, product, klar, epsilon] = outcome.spam[..] else { panic!("four rules") };
    assert_eq!(outcome.rules[0], "log space");
    assert!(outcome.rules[1..].iter().all(|name| name.starts_with("wrong: ")));
    assert_eq!((right.right(), right.unanswered), (3772, [0, 0]));
    assert_eq!((product.counts, product.unanswered), ([[2033, 753], [75, 1737]], [2, 1]));
    assert_eq!((klar.counts, klar.unanswered), ([[1564, 1224], [94, 1718]], [0, 1]));
    assert_eq!((epsilon.counts, epsilon.unanswered), ([[1239, 1549], [22, 1791]], [0, 0]));
}

#[test]
fn only_log_space_stands_many_columns_and_other_units() {
    let outcome = &*TRUNCATION;
    let [log_space, product, klar, epsilon] = [0, 1, 2, 3];
    for point in outcome.columns.iter().chain(&outcome.units) {
        // Four standard deviations of an error of 0.1587 over 400 rows.
        assert!((point.errors[log_space] - outcome.bayes_error).abs() < 0.075, "{point:?}");
        assert_eq!(point.unanswered[log_space], 0.0);
    }
    for rule in [product, klar] {
        assert_eq!(outcome.columns[0].errors[rule], outcome.columns[0].errors[log_space]);
        assert_eq!(outcome.columns[2].unanswered[rule], 1.0);
        assert_eq!(outcome.units[0].unanswered[rule], 1.0);
        assert_eq!(outcome.units[4].unanswered[rule], 1.0);
    }
    assert_eq!(outcome.units[1].errors[epsilon], outcome.units[1].errors[log_space]);
    assert!(outcome.units[2].errors[epsilon] > outcome.units[2].errors[log_space] + 0.02);
    assert_eq!(outcome.units[3].errors[epsilon], 0.5);
    // The same rows in other units have the same right answers.
    assert!(outcome.units.windows(2).all(|pair| pair[0].errors[log_space] == pair[1].errors[log_space]));
}

#[test]
fn thresholds_turn_labels_round_far_out() {
    for point in &TRUNCATION.line {
        let [log_space, product, klar, epsilon] = point.posteriors[..] else { panic!("four rules") };
        let is_second = |posterior: Option<f64>| posterior.is_some_and(|posterior| posterior > 0.5);
        assert_eq!(is_second(log_space), point.x > 7.5);
        assert_eq!(is_second(klar), point.x > 7.5 && point.x < 38.6, "{}", point.x);
        assert_eq!(product.is_none(), point.x > 53.6, "{}", point.x);
        if point.x > 30.0 {
            assert_eq!(epsilon, Some(0.5));
        }
    }
}

fn numbers() -> Result<Table, Box<dyn std::error::Error>> {
    let column = |name: &str| Column { name: name.to_owned(), kind: Kind::Numeric };
    let x = array![[0.0, 1.0], [1.0, f64::NAN], [2.0, 3.0], [7.0, 2.0], [8.0, 5.0], [9.5, 3.0]];
    let classes = vec!["a".to_owned(), "b".to_owned()];
    Ok(Table::new("numbers", vec![column("x"), column("y")], x, classes, vec![0, 0, 0, 1, 1, 1])?)
}

#[test]
fn wrong_rules_are_right_where_nothing_underflows() -> Result<(), Box<dyn std::error::Error>> {
    let table = numbers()?;
    let rows: Vec<usize> = (0..6).collect();
    let log_posteriors = |rule| -> Result<_, MethodError> {
        let fitted: Box<dyn Fitted> = WrongGaussian { rule }.fit(&table, &rows)?;
        fitted.log_posteriors(&table, &rows)
    };
    let product = log_posteriors(WrongRule::Product)?;
    for rule in WrongRule::ALL {
        let found = log_posteriors(rule)?;
        assert_eq!(labels(&found), [0, 0, 0, 1, 1, 1].map(Some));
        if !matches!(rule, WrongRule::Epsilon { .. }) {
            assert!(found.iter().zip(&product).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
    Ok(())
}

#[test]
fn wrong_rules_refuse_categories_and_have_no_answer_without_parameters() {
    let method = WrongGaussian { rule: WrongRule::KLAR };
    let zoo = Table::embedded("zoo").expect("a table");
    assert!(matches!(method.fit(&zoo, &[0, 1]), Err(MethodError::NotApplicable { .. })));
    let table = numbers().expect("a table");
    // One row has no standard deviation.
    let fitted = method.fit(&table, &[0, 3]).expect("a fit");
    assert_eq!(labels(&fitted.log_posteriors(&table, &[0, 5]).expect("log-posteriors")), [None, None]);
}
