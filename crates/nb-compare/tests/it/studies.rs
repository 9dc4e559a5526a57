//! Experiments on the variants and data sets of a design: the same runs, journals and reports as those of
//! comparisons.

use std::{num::NonZeroUsize, ops::ControlFlow};

use nb_compare::{
    Comparison, Condition, Dealing, Design, Folds, Journal, Measure, Plan, Recorded, Study, Table, Unit,
    experiment::{
        learning_curve::{self, LearningCurve, LearningCurves},
        robustness::{self, Disturbance, Outcome, Robustness, Series},
    },
    predictions, run,
};
use nb_io::text::TextOptions;

use crate::texts::{Messages, design};

fn units(design: &Design, tables: &[Table], known: Vec<Unit>) -> Vec<Unit> {
    run(design, tables, known, NonZeroUsize::MIN, |_| ControlFlow::Continue(())).expect("units")
}

fn levels(disturbance: Disturbance, levels: &[f64]) -> Series {
    Series { disturbance, levels: levels.to_vec() }
}

/// A small one of both, on two data sets.
fn studies() -> [Design; 2] {
    let head = "seed = 4\nsets = [\"iris\", \"zoo\"]\nvariants = [\"gaussian\", \"mdl\", \"multinomial\"]\n";
    let curve = "plan = { kind = \"held-out\", test = 0.3, repeats = 2 }\nexperiment = { kind = \"learning-curve\", sizes = [10, 40] }";
    let robust = "plan = { kind = \"cross-validation\", folds = 3, repeats = 2 }\n\
                  experiment = { kind = \"robustness\", series = [{ disturbance = \"noise\", levels = [0.1, 0.3] }] }";
    [curve, robust].map(|rest| Design::from_toml(&format!("{head}{rest}")).expect("a design"))
}

fn tables() -> [Table; 2] {
    ["iris", "zoo"].map(|name| Table::embedded(name).expect("a data set"))
}

/// The page of a design.
fn page(design: &Design, tables: &[Table], units: Vec<Unit>) -> String {
    let comparison = Comparison::new(design.clone(), tables, units);
    let document = match &design.experiment {
        Some(Study::Robustness(options)) => {
            robustness::report(&Outcome::new(options, &comparison), &comparison)
        }
        _ => learning_curve::report(&LearningCurves::new(&comparison, tables), &comparison),
    };
    document.to_html().expect("a page")
}

#[test]
fn a_report_is_repeated_from_itself_byte_for_byte() {
    let tables = tables();
    for design in studies() {
        assert_eq!(Design::from_toml(&design.to_toml()).as_ref(), Ok(&design));
        let first = page(&design, &tables, units(&design, &tables, Vec::new()));
        let recorded = Recorded::from_html(&first).expect("a report");
        assert_eq!(recorded.design, design);
        assert!(recorded.changed(&tables).is_empty());
        let again = page(&recorded.design, &tables, units(&recorded.design, &tables, Vec::new()));
        assert!(first == again);
        let mut changed = tables.clone();
        changed[1].labels.swap(0, 1);
        changed[1].labels[0] = (changed[1].labels[0] + 1) % 7;
        assert_eq!(recorded.changed(&changed), ["zoo"]);
    }
}

#[test]
fn a_run_that_was_interrupted_goes_on() {
    let tables = tables();
    for design in studies() {
        let all = units(&design, &tables, Vec::new());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results.jsonl");
        let (mut journal, _) = Journal::open(&path, &design, &tables).expect("a journal");
        // In the middle of the sizes or levels of a variant.
        for unit in &all[..3] {
            journal.add(unit).expect("added");
        }
        let (mut journal, found) = Journal::open(&path, &design, &tables).expect("a journal");
        assert_eq!(found, all[..3]);
        let mut n_new = 0;
        let resumed = run(&design, &tables, found, NonZeroUsize::MIN, |progress| {
            n_new += 1;
            journal.add(progress.unit).expect("added");
            ControlFlow::Continue(())
        });
        assert_eq!((n_new, resumed.expect("units")), (all.len() - 3, all.clone()));
        assert_eq!(Journal::open(&path, &design, &tables).expect("a journal").1.len(), all.len());

        let mut other = design.clone();
        other.experiment = None;
        assert!(Journal::open(&path, &other, &tables).is_err());
    }
}

#[test]
fn predictions_say_under_which_condition() {
    let tables = tables();
    for mut design in studies() {
        design.predictions = true;
        let comparison = Comparison::new(design.clone(), &tables, units(&design, &tables, Vec::new()));
        let mut n_right = std::collections::BTreeMap::new();
        predictions(&comparison, &tables, |found| -> Result<(), nb_compare::PlanError> {
            if (found.set, found.variant, found.repeat) == ("iris", "gaussian", 1) {
                let counts: &mut [f64; 2] = n_right.entry(found.condition.to_string()).or_default();
                counts[0] += f64::from(found.predicted == Some(found.label));
                counts[1] += 1.0;
                assert_eq!(found.log_posteriors.len(), 3);
            }
            Ok(())
        })
        .expect("predictions");
        let conditions: Vec<&str> = n_right.keys().map(String::as_str).collect();
        match &design.experiment {
            Some(Study::LearningCurve(_)) => assert_eq!(conditions, ["10 rows", "40 rows"]),
            _ => assert_eq!(conditions, ["", "noise 0.1", "noise 0.3"]),
        }
        for unit in comparison
            .units
            .iter()
            .filter(|unit| (unit.set.as_str(), unit.variant.as_str(), unit.repeat) == ("iris", "gaussian", 1))
        {
            let [right, all] = n_right[&unit.condition.to_string()];
            let accuracy = unit.done().and_then(|done| done.pooled.get(Measure::Accuracy)).expect("done");
            assert!((accuracy - right / all).abs() < 1e-12, "{:?}", unit.condition);
        }
    }
}

#[test]
fn given_splits_are_disturbed_and_have_no_learning_curve() {
    let [iris, _] = tables();
    let of_row = (0..150).map(|row| Some(row % 3).filter(|_| row < 120)).collect();
    let given = Dealing::Given(vec![Folds { of_row, n_folds: 3 }]);
    let tables = [iris.with_dealing(given).expect("splits")];
    let [mut curve, mut robust] = studies();
    for design in [&mut curve, &mut robust] {
        design.sets.truncate(1);
    }
    let found = units(&robust, &tables, Vec::new());
    assert_eq!(found.len(), 3 * 3);
    assert!(found.iter().filter_map(Unit::done).all(|done| done.folds.len() == 3));
    let refused = run(&curve, &tables, Vec::new(), NonZeroUsize::MIN, |_| ControlFlow::Continue(()));
    assert!(refused.expect_err("given splits").to_string().contains("a learning curve deals rows by itself"));
}

#[test]
fn experiments_take_texts() {
    let messages = Messages::new(120, 2);
    let tables = [messages.table(&TextOptions::default(), true)];
    let base = design(&["multinomial", "aode"], Plan::CrossValidation { folds: 3, repeats: 1 });
    let mut curve = base.clone();
    curve.plan = Plan::HeldOut { test: 1.0 / 3.0, repeats: 2 };
    curve.experiment = Some(Study::LearningCurve(LearningCurve { sizes: vec![20, 60] }));
    let found = Comparison::new(curve.clone(), &tables, units(&curve, &tables, Vec::new()));
    let curves = LearningCurves::new(&found, &tables);
    assert!(curves.sets[0].variants[0].curves[0].points[1].mean < 0.5);

    let series = vec![levels(Disturbance::Missing, &[0.5]), levels(Disturbance::Copies, &[2.0])];
    let options = Robustness { series };
    let mut robust = base;
    robust.experiment = Some(Study::Robustness(options.clone()));
    let outcome = |tables: &[Table]| {
        Outcome::new(&options, &Comparison::new(robust.clone(), tables, units(&robust, tables, Vec::new())))
    };
    let found = outcome(&tables);
    let change = |level| found.sets[0].change(0, level, Measure::Accuracy).and_then(|change| change.change);
    let lost = change(0).expect("a change").mean;
    assert!(lost < 0.0, "half of the cells and texts are missing: {lost}");
    assert!(change(1).is_some());

    let alone = outcome(&[messages.table(&TextOptions::default(), false)]);
    let reason = alone.sets[0].reason(0, Some(1)).expect("a reason");
    assert!(reason.contains("the table has texts alone, of which no column is copied"), "{reason}");
}

#[test]
fn a_study_without_options_has_those_of_the_default() {
    let design = |text: &str| {
        Design::from_toml(&format!("sets = [\"iris\"]\nvariants = [\"gaussian\"]\nexperiment = {text}"))
    };
    let curve = design("{ kind = \"learning-curve\" }").expect("a design");
    assert_eq!(curve.plan, LearningCurve::PLAN);
    let robust = design("{ kind = \"robustness\" }").expect("a design");
    assert_eq!(robust.experiment, Some(Study::Robustness(Robustness::default())));
    let error = design("{ kind = \"robustness\", series = [{ disturbance = \"fog\", levels = [0.1] }] }")
        .unwrap_err();
    assert!(error.to_string().contains("there is no disturbance `fog`"), "{error}");
    assert_eq!(Condition::default().to_string(), "");
}
