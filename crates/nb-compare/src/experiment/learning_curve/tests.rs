use std::{num::NonZeroUsize, ops::ControlFlow};

use nb_core::{Gaussian, NaiveBayes, VarianceSmoothing};
use ndarray::Axis;

use super::*;
use crate::{Dealing, Features, Fitted, Study, Variant, run, run::Wanted};

fn design(sets: &str, variants: &str, splits: usize, sizes: &[usize]) -> Design {
    let plan = format!("plan = {{ kind = \"held-out\", test = {}, repeats = {splits} }}", 1.0 / 3.0);
    let experiment = format!("experiment = {{ kind = \"learning-curve\", sizes = {sizes:?} }}");
    let text = format!("seed = 3\nsets = [{sets}]\nvariants = [{variants}]\n{plan}\n{experiment}");
    Design::from_toml(&text).unwrap()
}

fn comparison(design: &Design, tables: &[Table], n: usize) -> Comparison {
    let threads = NonZeroUsize::new(n).unwrap();
    let units = run(design, tables, Vec::new(), threads, |_| ControlFlow::Continue(())).unwrap();
    Comparison::new(design.clone(), tables, units)
}

fn split(table: &Table, design: &Design, number: usize) -> Split {
    let folds = design.plan.folds(table, design.seed, number).unwrap();
    Split::new(table, &table.split_key(), &folds, (design.seed, number))
}

/// nb-core, trained on the first rows of each split, and both losses by their definitions.
#[test]
fn curves_are_those_of_training_on_the_first_rows_by_hand() {
    let table = Table::embedded("iris").unwrap();
    let Features::Columns { x, .. } = &table.features else { panic!("iris has columns") };
    let sizes = [8, 20, 60];
    let design = design("\"iris\"", "\"gaussian:numeric.floor=1e-9\"", 3, &sizes);
    let tables = std::slice::from_ref(&table);
    let curves = LearningCurves::new(&comparison(&design, tables, 1), tables);
    let model = Gaussian { smoothing: VarianceSmoothing::RelativeFloor(1e-9), ..Gaussian::default() };
    for number in 0..3 {
        let split = split(&table, &design, number);
        assert_eq!(split.test.len(), 50);
        for (at, &size) in sizes.iter().enumerate() {
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
    let variants = "\"gaussian\", \"logistic:l2=1\", \"multinomial\"";
    let design = design("\"iris\", \"zoo\"", variants, 4, &[5, 20, 40, 60, 90]);
    let found = comparison(&design, &tables, 1);
    assert_eq!(found.units, comparison(&design, &tables, 3).units);
    let curves = LearningCurves::new(&found, &tables);
    // Iris has no counts.
    let reason = curves.sets[0].variants[2].reason.as_deref().unwrap();
    assert!(reason.starts_with("not applicable") && curves.sets[0].variants[2].curves.is_empty());
    assert_eq!((curves.sets[0].pairs.len(), curves.sets[1].sizes.as_slice()), (2, &[5, 20, 40, 60][..]));
    // Zoo has classes of which small training sets have no row.
    let zoo = &curves.sets[1].variants[0].curves[1].points[0];
    assert!(zoo.mean.is_infinite() && zoo.standard_error.is_none() && zoo.n_infinite > 0, "{zoo:?}");

    let document = report(&curves, &found);
    let page = document.to_html().unwrap();
    assert!(page.contains("<svg") && page.contains("a + b n^-c"));
    assert!(document.to_markdown().unwrap().contains("not applicable"));
    // Two variants on five sizes of iris and on the four of zoo that it has rows for; four splits of each.
    assert_eq!(results_csv(&curves).lines().count(), 1 + 4 * 2 * (5 + 4));
    let json: serde_json::Value = serde_json::from_str(&results_json(&curves, &found)).unwrap();
    assert_eq!(json["data"][1]["name"], "zoo");
    assert_eq!(json["sets"][1]["variants"][0]["curves"][1]["points"][0]["mean"], "inf");
}

#[test]
fn options_out_of_range_are_refused() {
    let tables = [Table::embedded("iris").unwrap()];
    let error = |splits, test, sizes: &[usize]| {
        let mut design = design("\"iris\"", "\"gaussian\"", 2, &[]);
        design.plan = Plan::HeldOut { test, repeats: splits };
        design.experiment = Some(Study::LearningCurve(LearningCurve { sizes: sizes.to_vec() }));
        if let Err(error) = design.check() {
            return error.to_string();
        }
        let go_on = |_: crate::Progress<'_>| ControlFlow::Continue(());
        run(&design, &tables, Vec::new(), NonZeroUsize::MIN, go_on).unwrap_err().to_string()
    };
    assert!(error(1, 0.3, &[]).contains("the number of splits is 1, but must be at least 2"));
    assert!(error(2, 1.0, &[]).contains("below 1"));
    assert!(error(2, 0.001, &[]).contains("`iris`"));
    assert!(error(2, 0.3, &[1, 10]).contains("at least 2"));
    assert!(error(2, 0.3, &[10, 10]).contains("larger than the one before it"));
    assert!(error(2, 1.0 / 3.0, &[500]).contains("`iris` has 100 rows to train on"));
    let crossed = Design::from_toml(
        "sets = [\"iris\"]\nvariants = [\"gaussian\"]\nplan = { kind = \"cross-validation\", folds = 3, repeats = 2 }\nexperiment = { kind = \"learning-curve\" }",
    );
    assert_eq!(crossed.unwrap_err(), DesignError::LearningCurve);
}

/// Rows of a group are never on both sides, and the curve ends where the split with the fewest rows does.
#[test]
fn groups_are_tested_or_trained_on() {
    let table = Table::embedded("pima").unwrap();
    let of_row: Vec<usize> = (0..table.n_rows()).map(|row| row / 7).collect();
    let tables =
        [table.with_dealing(Dealing::Groups { column: "patient".into(), of_row: of_row.clone() }).unwrap()];
    let mut design = design("\"pima\"", "\"gaussian\"", 3, &[]);
    design.predictions = true;
    let found = comparison(&design, &tables, 2);
    let mut n_trained = Vec::new();
    for number in 0..3 {
        let Split { test, order } = split(&tables[0], &design, number);
        assert!(test.iter().all(|row| order.iter().all(|other| of_row[*row] != of_row[*other])));
        assert_eq!(test.len() + order.len(), 768);
        n_trained.push(order.len());
    }
    let curves = LearningCurves::new(&found, &tables);
    assert_eq!(curves.sets[0].sizes.last(), n_trained.iter().min());
    assert_eq!(curves.sets[0].sizes.len(), 10);
    let points = &curves.sets[0].variants[0].curves[0].points;
    assert!(points[9].mean < points[0].mean, "{points:?}");
    let text = report(&curves, &found).to_markdown().unwrap();
    assert!(
        text.contains("the 110 groups of column patient stay whole") && text.contains("whole groups"),
        "{text}"
    );
    let mut n_rows = 0;
    crate::predictions(&found, &tables, |prediction| -> Result<(), crate::PlanError> {
        assert!(matches!(prediction.condition, Condition::Size(_)) && prediction.log_posteriors.len() == 2);
        n_rows += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(n_rows, 10 * n_trained.iter().map(|n| 768 - n).sum::<usize>());
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
    let check = |name: &str, variant: &str| {
        let table = Table::embedded(name).unwrap();
        let design = design(&format!("{name:?}"), "\"gaussian\"", 2, &[2, 3, 6, 20, 60, 200]);
        let (key, method) = (table.split_key(), || Variant::parse(variant).unwrap().method());
        assert!(method().grow(&table).unwrap().is_some(), "{variant} on {name}");
        let folds = design.plan.folds(&table, 3, 1).unwrap();
        let Some(Study::LearningCurve(curve)) = &design.experiment else { panic!("{design:?}") };
        let sizes = curve.sizes_of((design.plan, 3), &table, &key).unwrap();
        let of = |method: &dyn Method| {
            let tested = || Tested::new(&table, &folds, Wanted::default(), true);
            let found = of_split(method, (&table, &key), &folds, (3, 1), &sizes, tested);
            found.into_iter().map(|done| done.map_err(|error| error.to_string())).collect::<Vec<_>>()
        };
        let grown = of(&*method());
        assert_eq!(grown, of(&Refit(method())), "{variant} on {name}");
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
    // A class of one row has no variance of its own: what the sums cannot make is said as training says it,
    // and rows are added nevertheless.
    let trials = check("iris", "gaussian:numeric.floor=0");
    assert!(trials[0].is_err() && trials[4].is_ok());
}

#[test]
fn what_is_learnt_from_rows_first_does_not_grow() {
    let table = Table::embedded("wine").unwrap();
    for variant in ["mdl", "tan", "kernel", "power", "logistic:l2=1", "refined"] {
        assert!(Variant::parse(variant).unwrap().method().grow(&table).unwrap().is_none(), "{variant}");
    }
}
