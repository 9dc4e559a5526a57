//! What Ng and Jordan (2002) say of comparing a generative and a discriminative learner: naive Bayes has the
//! higher error in the limit of many rows, and reaches it with a number of rows of order `log n`, where
//! logistic regression needs one of order `n`, the number of inputs.
//!
//! The problem has both classes alike. With `y` of -1 and 1 and independent standard normal `c`, `e_0`, ...,
//! `e_n`, input 0 is `c + e_0 / 2`, and each other input `y + c + 2 e_j`. The common `c` is what naive Bayes
//! does not see; logistic regression takes it off by input 0, which alone says nothing of the class.

use nb_core::{Bernoulli, NaiveBayes};
use nb_linear::{LogisticRegression, SharedGaussian};
use ndarray::Array2;

use crate::{
    splitmix::SplitMix64,
    verify::check::{Check, Group, Outcome, Problem},
};

/// The numbers of inputs besides input 0, and the errors of both learners in the limit.
///
/// ```text
/// import numpy as np; from scipy.stats import norm  # numpy 2, scipy 1.17
/// for n in 8, 32, 128:
///     S = np.ones((n + 1, n + 1)) + np.diag([.25] + [4.] * n); mu = np.array([0.] + [1.] * n)
///     for w in mu / np.diag(S), np.linalg.solve(S, mu): print(n, norm.cdf(-w @ mu / np.sqrt(w @ S @ w)))
/// ```
const LIMITS: [(usize, [f64; 2]); 3] =
    [(8, [0.2071, 0.1160]), (32, [0.1729, 0.0397]), (128, [0.1624, 0.0188])];

/// The number of training sets that errors are the means of.
const N_SAMPLES: u64 = 8;

/// The number of tested rows: the standard error of an error of 0.2 over all samples is 0.0032.
const N_TESTED: usize = 2000;

const SOURCE: &str = "Ng and Jordan 2002";

pub(super) fn checks() -> Vec<Check> {
    let of_inputs = LIMITS.map(|(n, limits)| {
        let name = format!("naive Bayes and logistic regression: {n} inputs");
        Check::new(
            Group::Published,
            name,
            format!("{SOURCE}, propositions 1 and 2, corollary 6"),
            move || by_rows(n, limits),
        )
    });
    let parameters = Check::new(
        Group::Published,
        "naive Bayes: rows for parameters grow with log n",
        format!("{SOURCE}, lemma 3"),
        worst_parameters,
    );
    of_inputs.into_iter().chain([parameters]).collect()
}

/// The mean errors of naive Bayes and logistic regression, trained on this number of rows.
fn errors(n: usize, rows: usize) -> Result<[f64; 2], Problem> {
    let mut wrong = [0.0; 2];
    for sample in 0..N_SAMPLES {
        let mut random = SplitMix64(1_000_000 * sample + rows as u64);
        let (x, labels) = draw(&mut random, n, rows);
        let (tested, truth) = draw(&mut random, n, N_TESTED);
        let predicted = [
            NaiveBayes::new(SharedGaussian::default()).fit(&x, &labels)?.predict(&tested)?,
            LogisticRegression::default()
                .with_l2(1e-3)
                .with_tolerance(1e-5)
                .fit(&x, &labels)?
                .predict(&tested)?,
        ];
        for (wrong, predicted) in wrong.iter_mut().zip(predicted) {
            *wrong += (N_TESTED - super::n_correct(&predicted, &truth)) as f64;
        }
    }
    Ok(wrong.map(|wrong| wrong / (N_SAMPLES as f64 * N_TESTED as f64)))
}

/// Rows of the problem, every second one of each class.
fn draw(random: &mut SplitMix64, n: usize, rows: usize) -> (Array2<f64>, Vec<usize>) {
    let labels: Vec<usize> = (0..rows).map(|row| row % 2).collect();
    let mut x = Array2::zeros((rows, n + 1));
    for (mut row, &label) in x.rows_mut().into_iter().zip(&labels) {
        let common = random.normal();
        row[0] = common + random.normal() / 2.0;
        for cell in row.iter_mut().skip(1) {
            *cell = 2.0 * label as f64 - 1.0 + common + 2.0 * random.normal();
        }
    }
    (x, labels)
}

/// Naive Bayes is near its limit with 16 rows whatever the number of inputs; logistic regression is far from
/// its own with `2n` rows and near it with `8n`, has the larger error at first and the smaller one then.
fn by_rows(n: usize, [generative, discriminative]: [f64; 2]) -> Result<Outcome, Problem> {
    let few = errors(n, 16)?[0];
    let [first_bayes, first_logistic] = errors(n, n.max(16))?;
    let early = errors(n, 2 * n)?[1];
    let [late_bayes, late_logistic] = errors(n, 8 * n)?;
    let claims = [
        (generative > discriminative + 0.05, "the limit of naive Bayes is above that of logistic regression"),
        (few - generative < 0.03, "naive Bayes is within 0.03 of its limit with 16 rows"),
        (first_bayes < first_logistic, "naive Bayes is ahead at first"),
        (early - discriminative > 0.08, "logistic regression is far from its limit with 2n rows"),
        (late_logistic - discriminative < 0.07, "logistic regression is near its limit with 8n rows"),
        (late_logistic < late_bayes, "logistic regression overtakes"),
        ((late_bayes - generative).abs() < 0.02, "naive Bayes stays at its limit"),
    ];
    let problems =
        claims.into_iter().filter(|(holds, _)| !holds).map(|(_, claim)| format!("not so: {claim}"));
    let expected =
        format!("limits {generative} and {discriminative}; within 0.03 at 16 rows, 0.07 at {}", 8 * n);
    let got = format!(
        "16 rows {few:.3}; {} rows {early:.3}; {} rows {late_bayes:.3}, {late_logistic:.3}",
        2 * n,
        8 * n
    );
    Ok(Outcome::of_problems(expected, got, problems.collect()))
}

/// With `m` rows of each class, all `2n` estimated probabilities are within `sqrt(ln(4n / δ) / 2m)` of the
/// true ones but with probability δ (Hoeffding 1963), and the square of the worst error, to which the rows
/// for a given error are proportional, grows with `log n`: from 16 to 4096 inputs by less than 4, and not
/// by 256.
fn worst_parameters() -> Result<Outcome, Problem> {
    const ROWS: usize = 400;
    let per_class = ROWS as f64 / 2.0;
    let mut problems = Vec::new();
    let mut squares = Vec::new();
    for n in [16, 4096] {
        let mut sum = 0.0;
        for sample in 0..N_SAMPLES {
            let mut random = SplitMix64(sample);
            let x = Array2::from_shape_simple_fn((ROWS, n), || f64::from(random.uniform() < 0.5));
            let labels: Vec<usize> = (0..ROWS).map(|row| row % 2).collect();
            let classifier = NaiveBayes::new(Bernoulli::default()).fit(&x, &labels)?;
            let found = classifier.likelihood().log_probabilities();
            let worst = found.iter().map(|log_p| (log_p.exp() - 0.5).abs()).fold(0.0, f64::max);
            let bound = ((4.0 * n as f64 / 0.001).ln() / (2.0 * per_class)).sqrt();
            if worst > bound {
                problems.push(format!("{n} inputs, sample {sample}: {worst} is above {bound}"));
            }
            sum += worst;
        }
        squares.push((sum / N_SAMPLES as f64).powi(2));
    }
    let ratio = squares[1] / squares[0];
    if !(1.5..4.0).contains(&ratio) {
        problems.push(format!("the rows for a given error grow by {ratio}"));
    }
    Ok(Outcome::of_problems(
        "from 16 to 4096 inputs 1.5 to 4 times the rows",
        format!("{ratio:.2} times"),
        problems,
    ))
}
