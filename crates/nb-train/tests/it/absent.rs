//! Cells that are missing only when rows are predicted.

use nb_train::{Effort, Trainer};
use ndarray::Array2;

use crate::sets::load;

/// The largest difference between the mean probability of a class and its share of the rows.
fn bias(posteriors: &Array2<f64>, shares: &[f64]) -> f64 {
    let n_rows = posteriors.nrows() as f64;
    let of_class = |(class, share): (usize, &f64)| (posteriors.column(class).sum() / n_rows - share).abs();
    shares.iter().enumerate().map(of_class).fold(0.0, f64::max)
}

#[test]
fn they_cost_information_and_no_bias() {
    let sets = [
        "iris",
        "wine",
        "breast_cancer",
        "pima",
        "ionosphere",
        "titanic",
        "liver",
        "zoo",
        "lymphography",
        "spam",
    ];
    for (name, effort) in sets.into_iter().map(|name| (name, Effort::Usual)).chain([("pima", Effort::Fast)]) {
        let set = load(name);
        let trained = Trainer::default().with_effort(effort).fit(&set.schema, &set.rows, &set.labels);
        let model = trained.expect("a table").model;
        let classifier = model.classifier().expect("classes");
        let n_columns = model.schema().n_features();
        let (shares, used) = (set.shares(), model.schema());
        let place = |name: &String| set.schema.columns.iter().position(|column| column.name == *name);
        let places: Vec<usize> =
            used.columns.iter().map(|column| place(&column.name).expect("a column")).collect();
        let without = |is_absent: &dyn Fn(usize, usize) -> bool| {
            let mut rows = set.rows.select(ndarray::Axis(1), &places);
            for ((row, column), cell) in rows.indexed_iter_mut() {
                if is_absent(row, column) {
                    *cell = f64::NAN;
                }
            }
            bias(&classifier.predict_proba(&rows).expect("rows"), &shares)
        };
        let empty = without(&|_, _| true);
        assert!(empty < 0.05, "{name}, empty rows: {empty}");
        for absent in 0..n_columns {
            let found = without(&|_, column| column == absent);
            assert!(found < 0.06, "{name} without column {absent}: {found}");
        }
        let half = without(&|row, column| (row * 31 + column * 17) % 5 < 3);
        assert!(half < 0.08, "{name} with two of five cells: {half}");
    }
}
