//! Naive Bayes against logistic regression.

use std::fmt::Write;

use naive_bayes::{
    NaiveBayes,
    datasets::load,
    linear::{LogisticRegression, SharedGaussian},
    report::{Axis, Lines, Point, Series, Stroke},
};

use crate::{
    Outcome, Output,
    rows::{Table, shuffled},
};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("curves");
    let pima = load("pima")?;
    let table = Table { x: pima.x(), y: pima.labels.clone() };
    let mut curves = [Vec::new(), Vec::new()];
    writeln!(out, "   n   naive Bayes   logistic regression")?;
    for n in [20, 30, 50, 75, 100, 150, 200, 300, 500] {
        let (errors, standard_errors) = learning_curve(&table, n, 40)?;
        for (curve, (error, standard)) in
            curves.iter_mut().zip(errors.iter().zip(standard_errors))
        {
            curve.push(
                Point::new(f64::from(n), *error)
                    .between(error - standard, error + standard),
            );
        }
        writeln!(
            out,
            "{n:>4}        {:.4}                {:.4}",
            errors[0], errors[1]
        )?;
    }
    let mut lines = Lines::new(
        Axis::log("rows learnt from, n"),
        Axis::linear("error of held-out rows"),
    );
    let [generative, discriminative] = curves;
    lines.series.push(Series::new("naive Bayes", generative));
    lines.series.push(
        Series::new("logistic regression", discriminative)
            .with_stroke(Stroke::Dashed),
    );
    out.picture(
        "ng-jordan-pima",
        "Learning curves on pima",
        "Means of 40 splits, with bands of one standard error.",
        lines,
    );
    Ok(())
}

// ANCHOR: curve
/// Mean errors of naive Bayes with one variance a column and of its discriminative
/// twin, and their standard errors.
fn learning_curve(
    table: &Table,
    n: u32,
    n_splits: u32,
) -> Result<([f64; 2], [f64; 2]), Box<dyn std::error::Error>> {
    let (mut sums, mut squares) = ([0.0; 2], [0.0; 2]);
    for split in 0..n_splits {
        let rows = shuffled(table.y.len(), u64::from(split));
        let (test, rest) = rows.split_at(250);
        let (test, train) = (table.rows(test), table.rows(&rest[..n as usize]));
        let generative =
            NaiveBayes::new(SharedGaussian::default()).fit(&train.x, &train.y)?;
        let discriminative =
            LogisticRegression::default().with_l2(0.01).fit(&train.x, &train.y)?;
        let answers =
            [generative.predict(&test.x)?, discriminative.predict(&test.x)?];
        for (i, answers) in answers.iter().enumerate() {
            let wrong = answers.iter().zip(&test.y).filter(|(a, b)| a != b).count();
            let error = wrong as f64 / test.y.len() as f64;
            sums[i] += error;
            squares[i] += error * error;
        }
    }
    let m = f64::from(n_splits);
    let means = sums.map(|sum| sum / m);
    let standard_errors =
        [0, 1].map(|i| ((squares[i] / m - means[i].powi(2)) / (m - 1.0)).sqrt());
    Ok((means, standard_errors))
}
// ANCHOR_END: curve
