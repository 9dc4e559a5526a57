//! Maximum likelihood.

use std::fmt::Write;

use naive_bayes::{
    Gaussian, NaiveBayes,
    datasets::load,
    nb_core::{VarianceEstimator, VarianceSmoothing},
    report::{Axis, Lines, Point, Series},
};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("bernoulli");
    // ANCHOR: bernoulli
    let (yes, n) = (9.0, 14.0);
    let log_likelihood = |p: f64| yes * p.ln() + (n - yes) * (1.0 - p).ln();
    for p in [0.5, 0.6, yes / n, 0.7] {
        writeln!(out, "p = {p:.4}: log-likelihood {:.4}", log_likelihood(p))?;
    }
    // ANCHOR_END: bernoulli
    let mut lines = Lines::new(
        Axis::linear("p, the probability of \"yes\""),
        Axis::linear("log-likelihood"),
    );
    for (name, n) in [("9 of 14", 14.0), ("90 of 140", 140.0)] {
        let yes = n * 9.0 / 14.0;
        let of = |p: f64| yes * p.ln() + (n - yes) * (1.0 - p).ln();
        let best = of(9.0 / 14.0);
        let curve = (35..=90)
            .map(|i| f64::from(i) / 100.0)
            .map(|p| Point::new(p, of(p) - best));
        lines.series.push(
            Series::new(name, curve.filter(|point| point.y > -10.0))
                .without_markers(),
        );
    }
    lines.vertical(9.0 / 14.0, "9/14");
    out.picture(
        "likelihood-bernoulli",
        "Log-likelihood, less its maximum",
        "Ten times the data: the same maximum, ten times the curvature.",
        lines,
    );

    out.part("gaussian");
    // ANCHOR: gaussian
    let iris = load("iris")?;
    let x = iris.matrix(&["petal_length_cm"])?;
    for estimator in
        [VarianceEstimator::MaximumLikelihood, VarianceEstimator::Unbiased]
    {
        let gaussian = Gaussian {
            estimator,
            smoothing: VarianceSmoothing::None,
            ..Gaussian::default()
        };
        let classifier = NaiveBayes::new(gaussian).fit(&x, &iris.y())?;
        let (means, variances) =
            (classifier.likelihood().means(), classifier.likelihood().variances());
        writeln!(out, "{estimator:?}")?;
        for (class, name) in classifier.classes().iter().enumerate() {
            writeln!(
                out,
                "  {name:<12}mean {:.4}   variance {:.6}",
                means[[class, 0]],
                variances[[class, 0]]
            )?;
        }
    }
    // ANCHOR_END: gaussian
    Ok(())
}
