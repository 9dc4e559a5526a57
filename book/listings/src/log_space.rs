//! Log space and underflow.

use std::fmt::Write;

use naive_bayes::{
    Gaussian, NaiveBayes,
    datasets::load,
    nb_core::{VarianceEstimator, VarianceSmoothing},
    ndarray::Array2,
    report::{Axis, Lines, Point, Series, Stroke},
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};

use crate::{Outcome, Output};

pub(crate) fn listing(out: &mut Output) -> Outcome {
    doubles(out)?;
    trick(out)?;
    products(out)?;
    spam(out)
}

fn doubles(out: &mut Output) -> Outcome {
    out.part("doubles");
    // ANCHOR: doubles
    let tiny = 1e-320_f64;
    writeln!(out, "1e-320 * 10 / 10    = {:e}", tiny * 10.0 / 10.0)?;
    writeln!(out, "1e-320 / 10 * 10    = {:e}", tiny / 10.0 * 10.0)?;
    writeln!(out, "1e-320 / 1000 * 1000 = {:e}", tiny / 1000.0 * 1000.0)?;
    writeln!(out, "1e-320 / 1e5        = {:e}", tiny / 1e5)?;
    writeln!(out, "ln(1e-320)          = {:.3}", tiny.ln())?;
    // ANCHOR_END: doubles
    Ok(())
}

// ANCHOR: log-sum-exp
/// `ln Σ exp(a)`, without leaving log space.
fn log_sum_exp(a: &[f64]) -> f64 {
    let largest = a.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + a.iter().map(|a| (a - largest).exp()).sum::<f64>().ln()
}
// ANCHOR_END: log-sum-exp

fn trick(out: &mut Output) -> Outcome {
    out.part("trick");
    // ANCHOR: trick
    let joint = [-1000.0_f64, -1002.0];
    let direct = joint[0].exp() / (joint[0].exp() + joint[1].exp());
    let in_logs = (joint[0] - log_sum_exp(&joint)).exp();
    writeln!(out, "exp first, then divide: {direct}")?;
    writeln!(out, "subtract, then exp:     {in_logs:.4}")?;
    // ANCHOR_END: trick
    Ok(())
}

/// Accuracy by the number of columns: two classes of independent normal columns, a
/// little apart.
fn products(out: &mut Output) -> Outcome {
    let apart = 0.1;
    let log_density = |x: f64, mean: f64| {
        -0.5 * (x - mean).powi(2) - 0.5 * std::f64::consts::TAU.ln()
    };
    let (mut by_products, mut by_sums) = (Vec::new(), Vec::new());
    out.part("products");
    writeln!(
        out,
        "columns   by products   by sums   rows with both products 0, of 1000"
    )?;
    for d in [10, 50, 100, 200, 300, 400, 500, 600, 800, 1000] {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut right_product, mut right_sum, mut lost) = (0, 0, 0);
        let n_rows = 1000_usize;
        for row in 0..n_rows {
            let class = row % 2;
            let normal = Normal::new(apart * class as f64, 1.0)?;
            let (mut products, mut sums) = ([0.5, 0.5], [0.5_f64.ln(); 2]);
            for _ in 0..d {
                let x = normal.sample(&mut rng);
                for k in 0..2 {
                    let log = log_density(x, apart * k as f64);
                    products[k] *= log.exp();
                    sums[k] += log;
                }
            }
            right_product +=
                usize::from(usize::from(products[1] > products[0]) == class);
            right_sum += usize::from(usize::from(sums[1] > sums[0]) == class);
            lost += usize::from(products == [0.0, 0.0]);
        }
        let share = |n: usize| n as f64 / n_rows as f64;
        by_products.push(Point::new(f64::from(d), share(right_product)));
        by_sums.push(Point::new(f64::from(d), share(right_sum)));
        if [10, 400, 500, 600, 1000].contains(&d) {
            let [by_products, by_sums] = [right_product, right_sum].map(share);
            writeln!(out, "{d:>7}{by_products:>15.3}{by_sums:>12.3}{lost:>25}")?;
        }
    }
    let mut lines = Lines::new(
        Axis::linear("number of columns"),
        Axis::linear("accuracy").between(0.4, 1.0),
    );
    lines.series.push(Series::new("sums of logarithms", by_sums));
    lines
        .series
        .push(Series::new("products", by_products).with_stroke(Stroke::Dashed));
    out.picture(
        "log-space-products",
        "The same model, with and without logarithms",
        "",
        lines,
    );
    Ok(())
}

fn spam(out: &mut Output) -> Outcome {
    let spam = load("spam")?;
    out.part("row-177");
    // ANCHOR: row-177
    let gaussian = Gaussian {
        estimator: VarianceEstimator::Unbiased, // n - 1, as the R packages
        smoothing: VarianceSmoothing::None,
        ..Gaussian::default()
    };
    let (x, labels) = (spam.x(), &spam.labels);
    let classifier = NaiveBayes::new(gaussian).fit(&x, labels)?;
    let explanation = classifier.explain(&x, 176)?; // the 177th row
    let names: Vec<&str> =
        spam.features().map(|column| column.name.as_str()).collect();
    for ((class, column), log_density) in explanation.contributions.indexed_iter() {
        if log_density.exp() == 0.0 {
            let class = &spam.classes[class];
            writeln!(
                out,
                "{} in {class}: log-density {log_density:.1}, exp of it 0",
                names[column]
            )?;
        }
    }
    // ANCHOR_END: row-177

    let credit =
        names.iter().position(|name| *name == "credit").ok_or("no such column")?;
    out.part("row-177-table");
    let scores = &explanation.joint_log_likelihood;
    let truncated: Vec<f64> = (0..2)
        .map(|class| truncated_score(&explanation.contributions, class))
        .collect();
    let truncated = [
        truncated[0] + explanation.log_prior[0],
        truncated[1] + explanation.log_prior[1],
    ];
    writeln!(
        out,
        "value of credit {}, mean {:.4} and standard deviation {:.4} in nonspam",
        x[[176, credit]],
        classifier.likelihood().means()[[0, credit]],
        classifier.likelihood().variances()[[0, credit]].sqrt()
    )?;
    writeln!(out, "{:<10}{:>14}{:>20}", "", "log-score", "with 0.001 for 0")?;
    for class in 0..2 {
        writeln!(
            out,
            "{:<10}{:>14.1}{:>20.1}",
            spam.classes[class], scores[class], truncated[class]
        )?;
    }

    out.part("wrong");
    // ANCHOR: wrong
    let exact = classifier.predict(&x)?;
    let (mut right, mut truncated_wrong, mut touched) = (0, 0, 0);
    for row in 0..x.nrows() {
        let explanation = classifier.explain(&x, row)?;
        let score = |class: usize| {
            explanation.log_prior[class]
                + truncated_score(&explanation.contributions, class)
        };
        let label = usize::from(score(1) > score(0));
        right += usize::from(exact[row] == labels[row]);
        truncated_wrong += usize::from(label != exact[row]);
        touched += usize::from(
            explanation.contributions.iter().any(|log| log.exp() == 0.0),
        );
    }
    // ANCHOR_END: wrong
    writeln!(out, "{right} of {} labels are right in exact arithmetic", x.nrows())?;
    writeln!(out, "{touched} rows have a density that a double rounds to 0")?;
    writeln!(out, "{truncated_wrong} labels change when it becomes 0.001")?;
    Ok(())
}

// ANCHOR: truncated
/// What three R packages add up: a density of 0 becomes 0.001.
fn truncated_score(contributions: &Array2<f64>, class: usize) -> f64 {
    let logs = contributions.row(class);
    logs.iter()
        .map(|log| if log.exp() == 0.0 { 0.001_f64.ln() } else { *log })
        .sum()
}
// ANCHOR_END: truncated
