//! When columns depend on each other.

use std::fmt::Write;

use naive_bayes::{
    Bernoulli, Gaussian, NaiveBayes,
    datasets::load,
    ndarray::{Array2, Axis as Side, array, concatenate},
    report::{Axis, Lines, Panels, Point, Series},
};

use crate::{
    Outcome, Output,
    rows::{Table, measures},
};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("copies");
    // ANCHOR: copies
    let pima = load("pima")?;
    let table = Table { x: pima.x(), y: pima.labels.clone() };
    let glucose = pima.matrix(&["glucose"])?;
    let mut found = Vec::new();
    for n_copies in [0, 1, 2, 4, 8, 16] {
        let copies = vec![glucose.view(); n_copies];
        let x = concatenate(Side(1), &[&[table.x.view()], &copies[..]].concat())?;
        let (train, test) = Table { x, y: table.y.clone() }.split(3);
        let classifier =
            NaiveBayes::new(Gaussian::default()).fit(&train.x, &train.y)?;
        let answers = measures(&classifier.predict_log_proba(&test.x)?, &test.y)?;
        found.push((
            n_copies,
            answers.accuracy.unwrap_or(f64::NAN),
            answers.log_loss.unwrap_or(f64::NAN),
        ));
    }
    // ANCHOR_END: copies
    for (n_copies, accuracy, log_loss) in &found {
        writeln!(
            out,
            "{n_copies:>3} copies: accuracy {accuracy:.3}, log-loss {log_loss:.3}"
        )?;
    }
    let mut panels = Panels { columns: 2, ..Panels::default() };
    for (title, accuracy) in [("accuracy", true), ("log-loss", false)] {
        let y = Axis::linear(title);
        let y = if accuracy { y.between(0.5, 1.0) } else { y };
        let mut lines = Lines::new(Axis::linear("copies of glucose"), y);
        let points = found
            .iter()
            .map(|&(n, a, l)| Point::new(n as f64, if accuracy { a } else { l }));
        lines.series.push(Series::new("naive Bayes on pima", points));
        panels.push(title, lines);
    }
    out.picture(
        "dependence-copies",
        "Evidence that is counted again and again",
        "",
        panels,
    );

    out.part("two-copies");
    // ANCHOR: two-copies
    // A column that is right in three of four rows, once and three times.
    let (x, y) = (
        array![[1.0], [1.0], [1.0], [0.0], [0.0], [0.0], [0.0], [1.0]],
        [1, 1, 1, 1, 0, 0, 0, 0],
    );
    let none = naive_bayes::Smoothing::MAXIMUM_LIKELIHOOD;
    for n in [1, 3] {
        let x = concatenate(Side(1), &vec![x.view(); n])?;
        let bernoulli =
            Bernoulli { smoothing: none.clone(), ..Bernoulli::default() };
        let classifier = NaiveBayes::new(bernoulli).fit(&x, &y)?;
        writeln!(
            out,
            "{n} times: posterior {:.4}",
            classifier.predict_proba(&Array2::<f64>::ones((1, n)))?[[0, 1]]
        )?;
    }
    // ANCHOR_END: two-copies

    out.part("xor");
    // ANCHOR: xor
    let (x, y) = (
        array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]],
        ["same", "different", "different", "same"],
    );
    let classifier = NaiveBayes::new(Bernoulli::default()).fit(&x, &y)?;
    for (row, p) in x.rows().into_iter().zip(classifier.predict_proba(&x)?.rows()) {
        writeln!(out, "{row}: P(same) = {:.2}", p[1])?;
    }
    // ANCHOR_END: xor
    Ok(())
}
