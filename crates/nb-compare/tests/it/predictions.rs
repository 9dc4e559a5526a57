//! Predictions are those of what was learnt from the other rows, and reports can be repeated.

use std::collections::BTreeMap;

use nb_compare::{
    Analysis, Comparison, Dealing, Folds, Journal, JournalError, Plan, PlanError, Recorded, predictions,
    report, results_json,
};

use crate::runs::{design, run};

/// A set, a variant, a repeat and a fold.
type Key = (String, String, usize, usize);

const PLAN: Plan = Plan::CrossValidation { folds: 4, repeats: 2 };

#[test]
fn predictions_are_those_of_each_fold() {
    let (mut design, tables) = design(&["iris", "zoo"], &["gaussian", "mdl", "logistic"], PLAN);
    design.predictions = true;
    let units = run(&design, &tables, 2);
    let comparison = Comparison::new(design.clone(), &tables, units);
    let mut found: BTreeMap<Key, Vec<(usize, Vec<f64>)>> = BTreeMap::new();
    predictions(&comparison, &tables, |answer| -> Result<(), PlanError> {
        let key = (answer.set.to_owned(), answer.variant.to_owned(), answer.repeat, answer.fold);
        found.entry(key).or_default().push((answer.row, answer.log_posteriors.to_vec()));
        let table = tables.iter().find(|table| table.name == answer.set).unwrap();
        assert_eq!(answer.label, table.classes[table.labels[answer.row]]);
        let best = (0..table.classes.len()).fold(0, |best, class| {
            if answer.log_posteriors[class] > answer.log_posteriors[best] { class } else { best }
        });
        assert_eq!(answer.predicted, Some(table.classes[best].as_str()));
        Ok(())
    })
    .unwrap();
    // Each set, variant, repeat and fold.
    assert_eq!(found.len(), 2 * 3 * 2 * 4);
    for table in &tables {
        for variant in &design.variants {
            for fold in 0..4 {
                let Some(rows) = found.get(&(table.name.clone(), variant.name.clone(), 1, fold)) else {
                    continue;
                };
                let folds = PLAN.folds(table, design.seed, 1).unwrap();
                let fitted = variant.method().fit(table, &folds.train(fold)).unwrap();
                let expected = fitted.log_posteriors(table, &folds.test(fold)).unwrap();
                let (numbers, values): (Vec<usize>, Vec<Vec<f64>>) = rows.iter().cloned().unzip();
                assert_eq!(numbers, folds.test(fold));
                assert_eq!(
                    values.concat(),
                    expected.iter().copied().collect::<Vec<f64>>(),
                    "{}",
                    variant.name
                );
            }
        }
    }
}

#[test]
fn predictions_are_kept_in_files_of_results() {
    let (design, tables) = design(&["iris"], &["wrong-klar", "gaussian"], PLAN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    Journal::open(&path, &design, &tables).unwrap();
    let mut kept = design.clone();
    kept.predictions = true;
    let error = Journal::open(&path, &kept, &tables).unwrap_err();
    assert!(matches!(error, JournalError::NoPredictions { .. }), "{error}");
    std::fs::remove_file(&path).unwrap();
    let (mut journal, _) = Journal::open(&path, &kept, &tables).unwrap();
    let units = run(&kept, &tables, 1);
    for unit in &units {
        journal.add(unit).unwrap();
    }
    // Bits come back, infinite ones too; and results with more than is wanted are as good as any.
    assert_eq!(Journal::open(&path, &kept, &tables).unwrap().1, units);
    let (mut journal, found) = Journal::open(&path, &design, &tables).unwrap();
    assert_eq!(found, units);
    // A unit that a run without predictions added is not one with them.
    let without = run(&design, &tables, 1);
    std::fs::write(&path, std::fs::read_to_string(&path).unwrap().lines().next().unwrap().to_owned() + "\n")
        .unwrap();
    journal.add(&without[1]).unwrap();
    assert!(matches!(Journal::open(&path, &kept, &tables), Err(JournalError::NoPredictions { .. })));
}

#[test]
fn a_report_can_be_repeated() {
    let (design, tables) = design(&["iris"], &["gaussian", "mdl"], PLAN);
    let units = run(&design, &tables, 1);
    let comparison = Comparison::new(design.clone(), &tables, units);
    let page = report(&Analysis::new(&comparison)).to_html().unwrap();
    let recorded = Recorded::from_html(&page).unwrap();
    assert_eq!(recorded.design, design);
    assert_eq!(recorded.changed(&tables), [""; 0]);
    assert_eq!(Recorded::from_json(&results_json(&Analysis::new(&comparison))).unwrap(), recorded);
    let mut others = tables.clone();
    others[0].labels.swap(0, 149);
    assert_eq!(recorded.changed(&others), ["iris"]);
    assert!(Recorded::from_html("<html></html>").is_err() && Recorded::from_json("{}").is_err());
}

#[test]
fn given_splits_are_tested() {
    let (mut design, tables) = design(&["iris"], &["gaussian", "logistic"], PLAN);
    design.predictions = true;
    // The last row of each class is trained on and never tested.
    let of_row: Vec<Option<usize>> = (0..150).map(|row| (row % 50 != 49).then_some(row % 3)).collect();
    let given = Dealing::Given(vec![Folds { of_row, n_folds: 3 }]);
    let tables =
        tables.into_iter().map(|table| table.with_dealing(given.clone()).unwrap()).collect::<Vec<_>>();
    let comparison = Comparison::new(design.clone(), &tables, run(&design, &tables, 1));
    let mut rows = Vec::new();
    predictions(&comparison, &tables, |answer| -> Result<(), PlanError> {
        assert_eq!(answer.fold, answer.row % 3);
        rows.push(answer.row);
        Ok(())
    })
    .unwrap();
    assert_eq!(rows.len(), 2 * 147);
    let text = report(&Analysis::new(&comparison)).to_markdown().unwrap();
    assert!(
        text.contains("by splits that came with the data")
            && text.contains("they are given (3 folds, 1 repeat)"),
        "{text}"
    );
    let said =
        "iris: the given splits test 147 of 150 rows, and never the other 3; measures are of those tested";
    assert_eq!(comparison.data[0].untested().as_deref(), Some(said));
    assert!(text.contains(said), "{text}");
}
