//! The logistic form of naive Bayes.

use std::fmt::Write;

use naive_bayes::{
    Bernoulli, NaiveBayes,
    datasets::load,
    linear::{BinaryForm, LabelCode, LinearForm, SharedGaussian},
    ndarray::{Axis, array},
    report::{Axis as PlotAxis, Lines, Point, Series},
};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("form");
    // ANCHOR: form
    let pima = load("pima")?;
    let x = pima.matrix(&["glucose", "mass", "age"])?;
    let classifier =
        NaiveBayes::new(SharedGaussian::default()).fit(&x, &pima.y())?;
    let form = BinaryForm::new(LinearForm::new(&classifier))?; // neg is 0 or -1, pos is 1 or +1
    let (w, b) = (form.coef()?, form.intercept()?);
    writeln!(out, "w = {:.5} glucose + {:.5} mass + {:.5} age", w[0], w[1], w[2])?;
    writeln!(out, "b = {b:.5}")?;
    // ANCHOR_END: form
    out.part("by-hand");
    // ANCHOR: by-hand
    let (means, variances) =
        (classifier.likelihood().means(), classifier.likelihood().variances());
    let log_prior = classifier.log_prior();
    let mut b_by_hand = log_prior[1] - log_prior[0];
    for j in 0..3 {
        let w = (means[[1, j]] - means[[0, j]]) / variances[j];
        b_by_hand -=
            (means[[1, j]].powi(2) - means[[0, j]].powi(2)) / (2.0 * variances[j]);
        writeln!(
            out,
            "w[{j}] = ({:.3} - {:.3}) / {:.3} = {w:.5}",
            means[[1, j]],
            means[[0, j]],
            variances[j]
        )?;
    }
    writeln!(out, "b = {b_by_hand:.5}")?;
    // ANCHOR_END: by-hand

    out.part("codes");
    // ANCHOR: codes
    let patient = array![[148.0, 33.6, 50.0]];
    let f = form.decision(&patient)?[0];
    writeln!(out, "f(x) = {f:.4}")?;
    writeln!(
        out,
        "P(y = 1 | x) = 1 / (1 + exp(-f)) = {:.4}",
        form.predict_proba(&patient)?[0]
    )?;
    for code in [LabelCode::ZeroOne, LabelCode::MinusPlus] {
        let label = form.predict(&patient, code)?[0];
        let loss = form.log_loss(&patient, &[label], code)?;
        let other = code.numbers()[0];
        let loss_of_other = form.log_loss(&patient, &[other], code)?;
        writeln!(
            out,
            "{code:?}: label {label:+}, log-loss {loss:.4}; of the label {other:+} it would be {loss_of_other:.4}"
        )?;
    }
    // ANCHOR_END: codes

    let mut lines = Lines::new(
        PlotAxis::linear("margin y f(x), labels -1 and +1"),
        PlotAxis::linear("loss").between(0.0, 4.0),
    );
    let curve = (-40..=40).map(|i| f64::from(i) / 10.0);
    let log_loss = |m: f64| (1.0 + (-m).exp()).ln();
    lines.series.push(
        Series::new("log-loss", curve.clone().map(|m| Point::new(m, log_loss(m))))
            .without_markers(),
    );
    let step = [(-4.0, 1.0), (0.0, 1.0), (0.0, 0.0), (4.0, 0.0)]
        .map(|(x, y)| Point::new(x, y));
    lines.series.push(Series::new("error", step).without_markers());
    out.picture("logistic-losses", "The losses of a margin", "", lines);

    out.part("bernoulli");
    // ANCHOR: bernoulli
    let votes = load("housevotes84")?;
    let x = votes.matrix(&["V4"])?; // the freeze of physicians' fees: no 0, yes 1
    let rows: Vec<usize> =
        (0..votes.n_rows()).filter(|&row| !x[[row, 0]].is_nan()).collect();
    let x = x.select(Axis(0), &rows);
    let y: Vec<&str> = rows.iter().map(|&row| votes.y()[row]).collect();
    let classifier = NaiveBayes::new(Bernoulli::default()).fit(&x, &y)?;
    let form = BinaryForm::new(LinearForm::new(&classifier))?;
    let proba = classifier.predict_proba(&array![[0.0], [1.0]])?;
    writeln!(
        out,
        "f(0) = b = {:.4}, f(1) = b + w = {:.4}",
        form.intercept()?,
        form.intercept()? + form.coef()?[0]
    )?;
    writeln!(
        out,
        "P({} | no) = {:.4}, P({} | yes) = {:.4}",
        classifier.classes()[1],
        proba[[0, 1]],
        classifier.classes()[1],
        proba[[1, 1]]
    )?;
    // ANCHOR_END: bernoulli
    Ok(())
}
