//! Tests as data say what reports say, and read back equal.

use nb_compare::{
    Analysis, Comparison, Measure, Plan, TestRecord, report, results_json, test_records, tests_csv,
};
use nb_report::{Block, Section, Table};
use serde_json::Value;

use crate::runs::{design, run};

fn compared(sets: &[&str], plan: Plan) -> Comparison {
    let (design, tables) = design(sets, &["gaussian", "mdl", "kernel"], plan);
    let units = run(&design, &tables, 2);
    Comparison::new(design, &tables, units)
}

fn table<'a>(sections: &'a [Section], id: &str) -> Option<&'a Table> {
    let found = sections.iter().flat_map(|section| &section.blocks).find_map(|block| match block {
        Block::Table(table) if table.id.as_deref() == Some(id) => Some(table),
        _ => None,
    });
    found.or_else(|| sections.iter().find_map(|section| table(&section.sections, id)))
}

/// The values of a column of a table.
fn column(table: &Table, title: &str) -> Vec<f64> {
    let place = table.columns.iter().position(|column| column.title == title).unwrap();
    table.rows.iter().map(|row| row[place].value.unwrap()).collect()
}

fn of<'a>(records: &'a [TestRecord], test: &'a str) -> impl Iterator<Item = &'a TestRecord> {
    records.iter().filter(move |record| record.test == test)
}

#[test]
fn json_and_csv_say_the_same_and_read_back_equal() {
    let sets = ["iris", "wine", "zoo", "sonar", "ionosphere", "pima"];
    let comparison = compared(&sets, Plan::CrossValidation { folds: 4, repeats: 2 });
    let analysis = Analysis::new(&comparison);
    let records = test_records(&analysis);
    let json: Value = serde_json::from_str(&results_json(&analysis)).unwrap();
    let in_json = json["tests"].as_array().unwrap();
    let csv = tests_csv(&analysis);
    let mut lines = csv.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!((in_json.len(), lines.clone().count()), (records.len(), records.len()));
    for ((record, object), line) in records.iter().zip(in_json).zip(lines) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), heads.len());
        for (head, cell) in heads.iter().zip(cells) {
            match &object[*head] {
                Value::Null => assert_eq!(cell, ""),
                Value::String(text) => assert_eq!(cell, text),
                number => assert_eq!(cell, number.to_string()),
            }
        }
        assert_eq!(object["p_value"].as_f64(), record.p_value);
        assert_eq!(object["estimate"].as_f64(), record.estimate.filter(|value| value.is_finite()));
    }
    // One of each kind, and each as often as there are data sets, pairs and measures of them.
    let is_there = |measure: &Measure| !measure.needs_positive() && !measure.needs_coverage();
    let (pairs, n_sets, n_measures) = (3, 6, Measure::ALL.into_iter().filter(is_there).count());
    for (test, n) in [
        ("corrected-t", pairs * n_sets),
        ("mcnemar-mid-p", pairs * n_sets),
        ("5x2cv-f", 0),
        ("friedman", n_measures),
        ("average-rank", 3 * n_measures),
        ("nemenyi", pairs * n_measures),
        ("bonferroni-dunn", 2 * n_measures),
        ("bayesian-correlated-t", 2 * n_sets),
        ("bayesian-signed-rank", 2),
    ] {
        assert_eq!(of(&records, test).count(), n, "{test}");
    }
}

#[test]
fn records_are_what_the_report_shows() {
    let comparison = compared(&["iris"], Plan::CrossValidation { folds: 2, repeats: 5 });
    let analysis = Analysis::new(&comparison);
    let records = test_records(&analysis);
    let document = report(&analysis);
    let differences = table(&document.sections, "table-baseline").unwrap();
    let with_baseline = |test| {
        let found = of(&records, test).filter(|record| record.baseline.as_deref() == Some("gaussian"));
        found.collect::<Vec<_>>()
    };
    for (title, test, value) in [
        (
            "difference of accuracy",
            "corrected-t",
            (|record| record.estimate) as fn(&TestRecord) -> Option<f64>,
        ),
        ("from", "corrected-t", |record| record.lower),
        ("to", "corrected-t", |record| record.upper),
        ("p", "corrected-t", |record| record.p_value),
        ("p, Holm", "corrected-t", |record| record.p_adjusted),
        ("p, McNemar", "mcnemar-mid-p", |record| record.p_value),
        ("p, 5×2 cv F", "5x2cv-f", |record| record.p_value),
    ] {
        let found: Vec<f64> = with_baseline(test).into_iter().filter_map(value).collect();
        assert_eq!(found, column(differences, title), "{title}");
    }
    let practical = table(&document.sections, "table-practical").unwrap();
    let worse: Vec<f64> =
        of(&records, "bayesian-correlated-t").filter_map(|record| record.probability_worse).collect();
    assert_eq!(worse, column(practical, "worse"));
    assert_eq!(of(&records, "detectable-difference").count(), 2);
}

#[test]
fn the_error_is_bias_and_variance() {
    let comparison = compared(&["sonar"], Plan::CrossValidation { folds: 3, repeats: 4 });
    let analysis = Analysis::new(&comparison);
    for cell in &analysis.cells[0] {
        let summary = cell.summary().unwrap();
        let found = summary.decomposition.unwrap();
        let accuracies = comparison.units.iter().filter_map(|unit| unit.done());
        assert!(accuracies.count() == 12 && found.repeats == 4);
        assert!((found.bias + found.variance - found.error).abs() < 1e-12, "{found:?}");
        assert!((found.webb_bias + found.webb_variance - found.error).abs() < 1e-12, "{found:?}");
        assert!(found.variance > 0.0 && found.bias > 0.0, "{found:?}");
    }
    // The error is one less the mean accuracy of all rows of each repeat.
    let first = analysis.cells[0][0].summary().and_then(|summary| summary.decomposition).unwrap();
    let pooled = comparison.units.iter().filter(|unit| unit.variant == "gaussian");
    let pooled: Vec<f64> = pooled.filter_map(|unit| unit.done()?.pooled.get(Measure::Accuracy)).collect();
    assert!((first.error - (1.0 - pooled.iter().sum::<f64>() / 4.0)).abs() < 1e-12);
    let document = report(&analysis);
    let shown = table(&document.sections, "table-bias-variance").unwrap();
    assert_eq!(column(shown, "bias")[0], first.bias);
    let once = compared(&["iris"], Plan::CrossValidation { folds: 3, repeats: 1 });
    assert!(table(&report(&Analysis::new(&once)).sections, "table-bias-variance").is_none());
}
