use std::{num::NonZeroUsize, ops::ControlFlow};

use super::*;
use crate::{Design, Features, Measure, Study, run};

/// The units of a design, on this number of threads, and what came of its experiment.
fn units(design: &Design, tables: &[Table], n: usize) -> Comparison {
    let threads = NonZeroUsize::new(n).unwrap();
    let units = run(design, tables, Vec::new(), threads, |_| ControlFlow::Continue(())).unwrap();
    Comparison::new(design.clone(), tables, units)
}

fn outcome(options: &Robustness, design: &Design, tables: &[Table], n: usize) -> (Outcome, Comparison) {
    let design = Design { experiment: Some(Study::Robustness(options.clone())), ..design.clone() };
    let comparison = units(&design, tables, n);
    (Outcome::new(options, &comparison), comparison)
}

fn design(sets: &str, variants: &str) -> Design {
    let plan = "plan = { kind = \"cross-validation\", folds = 4, repeats = 2 }";
    Design::from_toml(&format!("seed = 2\nsets = [{sets}]\nvariants = [{variants}]\n{plan}")).unwrap()
}

fn small() -> Robustness {
    let all = [Disturbance::Missing, Disturbance::LabelNoise, Disturbance::Unbalanced, Disturbance::Copies];
    let levels = [vec![0.3], vec![0.2], vec![0.5], vec![2.0]];
    let series = all.into_iter().zip(levels).map(|(disturbance, levels)| Series { disturbance, levels });
    Robustness { series: series.collect() }
}

#[test]
fn level_zero_is_the_comparison_and_threads_decide_nothing() {
    let tables = [Table::embedded("iris").unwrap()];
    let design = design("\"iris\"", "\"gaussian\", \"logistic\", \"mdl\"");
    let (found, comparison) = outcome(&small(), &design, &tables, 1);
    assert_eq!(found, outcome(&small(), &design, &tables, 3).0);
    let units = units(&design, &tables, 1).units;
    for (variant, name) in found.variants.iter().enumerate() {
        let of_variant = units.iter().filter(|unit| unit.variant == *name);
        let expected: Vec<_> =
            of_variant.filter_map(|unit| unit.done()).flat_map(|done| &done.folds).collect();
        let level_0: Vec<_> = found.sets[0].undisturbed[variant].iter().filter_map(Trial::values).collect();
        assert_eq!((level_0.len(), &level_0), (8, &expected), "{name}");
    }
    let csv = results_csv(&found);
    assert_eq!(csv.lines().count(), 1 + 3 * 8 * (1 + 4));
    let document = report(&found, &comparison);
    assert!(document.to_html().unwrap().contains("<svg"));
    assert!(document.to_markdown().unwrap().contains("Label noise (levels 0.2)"));
}

#[test]
fn a_change_is_that_of_its_folds() {
    let tables = [Table::embedded("pima").unwrap()];
    let design = design("\"pima\"", "\"gaussian\", \"mdl\"");
    let (outcome, _) = outcome(&small(), &design, &tables, 1);
    let set = &outcome.sets[0];
    let accuracy = |folds: &[Trial]| -> Vec<f64> {
        folds.iter().filter_map(|fold| fold.values()?.get(Measure::Accuracy)).collect()
    };
    for level in 0..4 {
        let after = accuracy(&set.disturbed[level].variants[0]);
        let before = accuracy(&set.undisturbed[0]);
        let differences: Vec<f64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
        let mean = differences.iter().sum::<f64>() / 8.0;
        let squares: f64 = differences.iter().map(|value| (value - mean).powi(2)).sum();
        // Nadeau and Bengio: 1/8 + 1/3 of the variance; t with 7 degrees of freedom, 0.975:
        // 2.364624251592785.
        let reach = 2.364_624_251_592_785 * ((1.0 / 8.0 + 1.0 / 3.0) * squares / 7.0).sqrt();
        let change = set.change(0, level, Measure::Accuracy).unwrap().change.unwrap();
        assert!((change.mean - mean).abs() < 1e-12);
        assert!((change.interval[1] - mean - reach).abs() < 1e-9, "{change:?} {reach}");
    }
}

/// Copies of a column multiply what it adds to the log-odds of naive Bayes; a logistic regression without a
/// penalty shares its weight among them, and answers as before.
#[test]
fn copies_count_in_naive_bayes_and_not_in_logistic_regression() {
    let table = Table::embedded("pima").unwrap();
    let train: Vec<usize> = (0..table.n_rows()).filter(|row| !row.is_multiple_of(4)).collect();
    let test: Vec<usize> = (0..table.n_rows()).filter(|row| row.is_multiple_of(4)).collect();
    let best = disturb::most_informative(&table, &train).unwrap();
    let Features::Columns { columns, .. } = &table.features else { panic!("columns") };
    let name = columns[best].name.clone();
    let alone = table.with_columns(|column| column.name == name).unwrap();
    let copied = |n_copies: f64| {
        let series = (Disturbance::Copies, n_copies);
        Disturbed::new(&table, [&train, &test], series, generator(0, "copies", 0)).unwrap().table
    };
    let odds = |variant: &str, table: &Table| -> Vec<f64> {
        let method = crate::Variant::parse(variant).unwrap().method();
        let found = method.fit(table, &train).unwrap().log_posteriors(table, &test).unwrap();
        assert_eq!(labels(&found).len(), test.len());
        found.rows().into_iter().map(|row| row[1] - row[0]).collect()
    };
    let prior = {
        let n = train.iter().filter(|&&row| table.labels[row] == 1).count() as f64;
        (n / (train.len() as f64 - n)).ln()
    };
    let (plain, of_column, three) =
        (odds("gaussian", &table), odds("gaussian", &alone), odds("gaussian", &copied(3.0)));
    for ((plain, of_column), three) in plain.iter().zip(&of_column).zip(&three) {
        let expected = plain + 3.0 * (of_column - prior);
        assert!((three - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{three} {expected}");
    }
    assert!(plain.iter().zip(&three).any(|(plain, three)| (plain > &0.0) != (three > &0.0)));

    let weak = "logistic:l2=1e-6";
    for (plain, three) in odds(weak, &table).iter().zip(odds(weak, &copied(3.0))) {
        assert!((plain - three).abs() < 1e-4 * (1.0 + plain.abs()), "{plain} {three}");
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let tables = [Table::embedded("iris").unwrap()];
    let one = design("\"iris\"", "\"gaussian\"");
    let error = |disturbance, levels: &[f64]| {
        let options = Robustness { series: vec![Series { disturbance, levels: levels.to_vec() }] };
        let design = Design { experiment: Some(Study::Robustness(options)), ..one.clone() };
        design.check().unwrap_err().to_string()
    };
    assert!(error(Disturbance::Missing, &[]).contains("the number of levels is 0"));
    assert_eq!(
        error(Disturbance::LabelNoise, &[0.1, 1.0]),
        "level 1 of label-noise must be above 0 and below 1"
    );
    assert!(error(Disturbance::Copies, &[1.5]).contains("level 1.5 of copies"));
    assert!(error(Disturbance::Missing, &[0.2, 0.1]).contains("larger than the one before it"));
    let unknown = "mising".parse::<Disturbance>().unwrap_err().to_string();
    assert!(unknown.contains("`mising`") && unknown.contains("label-noise"), "{unknown}");
    let study = Some(Study::Robustness(Robustness::default()));
    let every_row = Design { plan: Plan::LeaveOneOut {}, experiment: study, ..one };
    let refused =
        run(&every_row, &tables, Vec::new(), NonZeroUsize::MIN, |_| ControlFlow::Continue(())).unwrap_err();
    assert_eq!(refused, PlanError::LeaveOneOut);

    let texts = [Table::embedded("sms").unwrap()];
    let options =
        Robustness { series: vec![Series { disturbance: Disturbance::Missing, levels: vec![0.2] }] };
    let held_out = Design::from_toml(
        "sets = [\"sms\"]\nvariants = [\"multinomial\"]\nplan = { kind = \"held-out\", test = 0.2, repeats = 1 }",
    )
    .unwrap();
    let (outcome, _) = outcome(&options, &held_out, &texts, 1);
    let set = &outcome.sets[0];
    assert!(set.undisturbed_mean(0, Measure::Accuracy).unwrap() > 0.9);
    assert!(set.reason(0, Some(0)).unwrap().contains("documents"), "{:?}", set.reason(0, Some(0)));
    assert_eq!(set.change(0, 0, Measure::Accuracy), None);
}
