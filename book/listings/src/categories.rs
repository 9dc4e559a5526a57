//! Categories: maximum likelihood, Laplace, and the maximum a posteriori.

use std::fmt::Write;

use naive_bayes::{
    Categorical, Missing, NaiveBayes, Smoothing,
    datasets::load,
    nb_core::{
        Categories,
        selection::{FoldAssignment, FoldedStats},
    },
    ndarray::array,
    report::{Axis, Lines, Point, Series},
};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    out.part("tables");
    // ANCHOR: tables
    let days = load("playtennis")?;
    let (x, y) = (days.x(), days.y());
    let outlooks = ["overcast", "rain", "sunny"];
    for l in [0.0, 1.0, 5.0] {
        let categorical =
            Categorical { smoothing: Smoothing::new(l)?, ..Categorical::default() };
        let classifier = NaiveBayes::new(categorical).fit(&x, &y)?;
        let logs =
            classifier.likelihood().log_probabilities(0).ok_or("no column")?;
        for (code, outlook) in outlooks.iter().enumerate() {
            let [no, yes] = [0, 1].map(|class| logs[[code, class]].exp());
            writeln!(
                out,
                "l = {l}: P({outlook:<8} | no) = {no:.4}   P({outlook:<8} | yes) = {yes:.4}"
            )?;
        }
    }
    // ANCHOR_END: tables

    out.part("impossible");
    // ANCHOR: impossible
    let zero = Categorical {
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        ..Categorical::default()
    };
    let classifier = NaiveBayes::new(zero).fit(&x, &y)?;
    let overcast = array![[0.0, 0.0, 0.0, 0.0]]; // overcast, cool, high, strong
    writeln!(
        out,
        "joint log-likelihood of no, yes: {:?}",
        classifier.joint_log_likelihood(&overcast)?.row(0).to_vec()
    )?;
    writeln!(
        out,
        "posterior of no, yes: {:?}",
        classifier.predict_proba(&overcast)?.row(0).to_vec()
    )?;
    // ANCHOR_END: impossible

    out.part("contradiction");
    // ANCHOR: contradiction
    // Two columns that each rule out another class: no class can have produced the
    // last row.
    let (x, y) = (array![[0.0, 0.0], [1.0, 1.0]], ["a", "b"]);
    let zero = Categorical {
        smoothing: Smoothing::MAXIMUM_LIKELIHOOD,
        ..Categorical::default()
    };
    let classifier = NaiveBayes::new(zero).fit(&x, &y)?;
    let contradiction = array![[0.0, 1.0]];
    writeln!(out, "{:?}", classifier.try_predict_each(&contradiction)?)?;
    if let Err(error) = classifier.predict(&contradiction) {
        writeln!(out, "{error}")?;
    }
    // ANCHOR_END: contradiction

    out.part("choosing");
    // ANCHOR: choosing
    let set = load("lymphography")?;
    let (x, y) = (set.x(), set.y());
    let declared: Vec<usize> = x
        .columns()
        .into_iter()
        .map(|column| column.fold(0.0_f64, |a, b| a.max(*b)) as usize + 1)
        .collect();
    let categorical = |l: f64| -> Result<_, Box<dyn std::error::Error>> {
        let categories = Categories::Declared(declared.clone());
        let smoothing = Smoothing::new(l)?;
        Ok(NaiveBayes::new(Categorical {
            categories,
            smoothing,
            missing: Missing::Skip,
            ..Categorical::default()
        }))
    };
    let values = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];
    let candidates =
        values.iter().map(|&l| categorical(l)).collect::<Result<Vec<_>, _>>()?;
    let mut folds = FoldedStats::new(
        &candidates[0].model,
        x.ncols(),
        10,
        FoldAssignment::Stratified,
    )?;
    folds.update(&candidates[0].model, &x, &y)?;
    let results = folds.cross_validate_each(&candidates);
    // ANCHOR_END: choosing
    let mut points = Vec::new();
    for (l, result) in values.iter().zip(results) {
        let mean = result?.mean();
        points.push(Point::new(*l, -mean));
        writeln!(
            out,
            "l = {l:<6} minus mean held-out log-likelihood {:.3}",
            -mean
        )?;
    }
    let axis = Axis::linear("- log-likelihood of a held-out row");
    let mut lines = Lines::new(Axis::log("l, the pseudo-count"), axis);
    lines.series.push(Series::new("lymphography, ten folds", points));
    out.picture(
        "categories-smoothing",
        "Too little smoothing, and too much",
        "",
        lines,
    );
    Ok(())
}
