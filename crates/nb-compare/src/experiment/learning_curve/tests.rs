use std::ops::ControlFlow;

use nb_core::{Gaussian, NaiveBayes, VarianceSmoothing};
use ndarray::Axis;

use super::*;
use crate::{Features, Fitted, MethodError, Variant};

fn go_on(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn design(variants: &str) -> Design {
    Design::from_toml(&format!("seed = 3\nsets = [\"iris\"]\nvariants = [{variants}]")).unwrap()
}

/// nb-core, trained on the first rows of each split, and both losses by their definitions.
#[test]
fn curves_are_those_of_training_on_the_first_rows_by_hand() {
    let table = Table::embedded("iris").unwrap();
    let Features::Columns { x, .. } = &table.features else { panic!("iris has columns") };
    let options = LearningCurve { splits: 3, sizes: vec![8, 20, 60], ..LearningCurve::default() };
    let design = design("\"gaussian:numeric.floor=1e-9\"");
    let curves = options.run(&design, std::slice::from_ref(&table), NonZeroUsize::MIN, &mut go_on).unwrap();
    let model = Gaussian { smoothing: VarianceSmoothing::RelativeFloor(1e-9), ..Gaussian::default() };
    for number in 0..3 {
        let split = Split::new(&table, &table.split_key(), &options, 3, number).unwrap();
        assert_eq!(split.test.len(), 50);
        for (at, &size) in options.sizes.iter().enumerate() {
            let train = &split.order[..size];
            let labels: Vec<usize> = train.iter().map(|&row| table.labels[row]).collect();
            let fitted = NaiveBayes::new(model).fit(&x.select(Axis(0), train), &labels).unwrap();
            let posteriors = fitted.predict_log_proba(&x.select(Axis(0), &split.test)).unwrap();
            let (mut n_wrong, mut log_loss) = (0.0, 0.0);
            for (row, posterior) in split.test.iter().zip(posteriors.rows()) {
                let truth = posterior[table.labels[*row]];
                log_loss -= truth / 50.0;
                n_wrong += f64::from(posterior.iter().any(|other| *other > truth));
            }
            let trial = &curves.sets[0].variants[0].trials[number][at];
            assert!((Loss::Error.of(trial).unwrap() - n_wrong / 50.0).abs() < 1e-12, "{size}");
            let found = Loss::LogLoss.of(trial).unwrap();
            assert!((found - log_loss).abs() <= 1e-9 * log_loss, "{size}: {found} {log_loss}");
        }
    }
    let point = curves.sets[0].variants[0].curves[0].points[1];
    let errors: Vec<f64> =
        (0..3).filter_map(|split| Loss::Error.of(&curves.sets[0].variants[0].trials[split][1])).collect();
    let mean = errors.iter().sum::<f64>() / 3.0;
    let squares: f64 = errors.iter().map(|error| (error - mean).powi(2)).sum();
    assert!((point.mean - mean).abs() < 1e-15);
    assert!((point.standard_error.unwrap() - (squares / 2.0 / 3.0).sqrt()).abs() < 1e-15);
}

#[test]
fn results_are_the_same_on_any_number_of_threads_and_have_a_report() {
    let tables = [Table::embedded("iris").unwrap(), Table::embedded("zoo").unwrap()];
    let options = LearningCurve { splits: 4, sizes: vec![5, 20, 40, 60, 90], ..LearningCurve::default() };
    let design = Design::from_toml(
        "sets = [\"iris\", \"zoo\"]\nvariants = [\"gaussian\", \"logistic:l2=1\", \"multinomial\"]",
    )
    .unwrap();
    let run = |n| options.run(&design, &tables, NonZeroUsize::new(n).unwrap(), &mut go_on).unwrap();
    let curves = run(1);
    assert_eq!(curves, run(3));
    // Iris has no counts.
    let reason = curves.sets[0].variants[2].reason.as_deref().unwrap();
    assert!(reason.starts_with("not applicable") && curves.sets[0].variants[2].curves.is_empty());
    assert_eq!((curves.sets[0].pairs.len(), curves.sets[1].sizes.as_slice()), (2, &[5, 20, 40, 60][..]));
    // Zoo has classes of which small training sets have no row.
    let zoo = &curves.sets[1].variants[0].curves[1].points[0];
    assert!(zoo.mean.is_infinite() && zoo.standard_error.is_none() && zoo.n_infinite > 0, "{zoo:?}");

    let document = report(&curves, &design, &tables);
    let page = document.to_html().unwrap();
    assert!(page.contains("<svg") && page.contains("a + b n^-c"));
    assert!(document.to_markdown().unwrap().contains("not applicable"));
    // Two variants on five sizes of iris and on the four of zoo that it has rows for; four splits of each.
    assert_eq!(results_csv(&curves).lines().count(), 1 + 4 * 2 * (5 + 4));
    let json = serde_json::to_value(&curves).unwrap();
    assert_eq!(json["sets"][1]["variants"][0]["curves"][1]["points"][0]["mean"], "inf");
}

#[test]
fn options_out_of_range_are_refused() {
    let table = Table::embedded("iris").unwrap();
    let error = |options: LearningCurve| {
        let tables = std::slice::from_ref(&table);
        options.run(&design("\"gaussian\""), tables, NonZeroUsize::MIN, &mut go_on).unwrap_err().to_string()
    };
    let default = LearningCurve { splits: 2, ..LearningCurve::default() };
    let sizes = |sizes: &[usize]| error(LearningCurve { sizes: sizes.to_vec(), ..default.clone() });
    assert!(error(LearningCurve { splits: 1, ..default.clone() }).contains("from 2 to 1000000"));
    assert!(error(LearningCurve { test: 1.0, ..default.clone() }).contains("below 1"));
    assert!(error(LearningCurve { test: 0.001, ..default.clone() }).contains("`iris`"));
    assert!(sizes(&[1, 10]).contains("at least 2"));
    assert!(sizes(&[10, 10]).contains("larger than the one before it"));
    assert!(sizes(&[500]).contains("`iris` has 100 rows to train on"));
}

/// A method without sums: every size is its own training.
struct Refit(Box<dyn Method>);

impl Method for Refit {
    fn fit(&self, table: &Table, train: &[usize]) -> Result<Box<dyn Fitted>, MethodError> {
        self.0.fit(table, train)
    }
}

#[test]
fn sums_that_grow_have_the_measures_of_training_on_every_size() {
    let options = LearningCurve { splits: 2, sizes: vec![2, 3, 6, 20, 60, 200], ..LearningCurve::default() };
    let check = |name: &str, variant: &str| {
        let table = Table::embedded(name).unwrap();
        let method = || Variant::parse(variant).unwrap().method();
        assert!(method().grow(&table).unwrap().is_some(), "{variant} on {name}");
        let split = Split::new(&table, &table.split_key(), &options, 3, 1).unwrap();
        let sizes = split.sizes(&table, &options);
        let grown = of_split(&*method(), &table, &split, &sizes);
        assert_eq!(grown, of_split(&Refit(method()), &table, &split, &sizes), "{variant} on {name}");
        grown
    };
    for variant in ["gaussian", "shared-gaussian", "log-normal"] {
        check("wine", variant);
    }
    check("digits", "poisson");
    for variant in ["gaussian", "aode", "tan", "hnb", "waode", "aodesr"] {
        check("soybean", variant);
    }
    check("lenses", "a2de");
    // A class of one row has no variance of its own: what the sums cannot make is said as training says it, and rows are added
    // nevertheless.
    let trials = check("iris", "gaussian:numeric.floor=0");
    assert!(trials[0].reason().is_some() && trials[4].values().is_some(), "{trials:?}");
}

#[test]
fn what_is_learnt_from_rows_first_does_not_grow() {
    let table = Table::embedded("wine").unwrap();
    for variant in ["mdl", "tan", "kernel", "power", "logistic:l2=1", "refined"] {
        assert!(Variant::parse(variant).unwrap().method().grow(&table).unwrap().is_none(), "{variant}");
    }
}
