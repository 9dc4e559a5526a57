//! Gaussian naive Bayes is quadratic discriminant analysis with diagonal covariance matrices.
//!
//! The latter is computed here from its textbook form with matrices, in ordinary doubles and without any code
//! of the library: `-½ log det Σ - ½ (x - μ)ᵀ Σ⁻¹ (x - μ) - ½ d log 2π + log π_c`, by way of the Cholesky
//! factor of `Σ`.

use nb_core::{Gaussian, NaiveBayes, VarianceSmoothing};
use nb_datasets::Dataset;
use ndarray::{Array1, Array2, ArrayView1, Axis};

use crate::verify::check::{Check, Group, Outcome, Problem};
use crate::verify::ulp::worse;

/// The relative difference of two scores, one of them computed with roundings everywhere.
const BOUND: f64 = 1e-10;

pub(super) fn checks() -> Vec<Check> {
    ["iris", "wine"].map(check).into()
}

fn check(name: &'static str) -> Check {
    let title = format!("{name}: equal to diagonal QDA");
    Check::new(Group::Published, title, "matrix form (ESL 4.3, 6.6.3)", || verify(name))
}

fn verify(name: &str) -> Result<Outcome, Problem> {
    let set = nb_datasets::load(name)?;
    let x = set.x();
    let model = Gaussian { smoothing: VarianceSmoothing::None, ..Gaussian::default() };
    let naive_bayes = NaiveBayes::new(model).fit(&x, &set.labels)?;
    let scores = naive_bayes.joint_log_likelihood(&x)?;
    let labels = naive_bayes.predict(&x)?;

    let classes: Vec<Discriminant> =
        (0..set.classes.len()).map(|class| Discriminant::fit(&set, &x, class)).collect::<Result<_, _>>()?;
    let (mut n_other_labels, mut worst) = (0, 0.0);
    for (row, values) in x.rows().into_iter().enumerate() {
        let expected: Vec<f64> = classes.iter().map(|class| class.score(&values)).collect();
        for (expected, got) in expected.iter().zip(scores.row(row)) {
            worst = worse(worst, (got - expected).abs() / expected.abs().max(1.0));
        }
        let best = (0..expected.len()).max_by(|&a, &b| expected[a].total_cmp(&expected[b]));
        n_other_labels += usize::from(best != Some(labels[row]));
    }
    Ok(Outcome::equal("0 labels differ", format!("{n_other_labels} labels differ"))
        .with_error(format!("scores {worst:.1e} of {BOUND:.0e}"))
        .and(worst <= BOUND, "the scores differ"))
}

/// The discriminant function of one class.
struct Discriminant {
    log_prior: f64,
    mean: Array1<f64>,
    /// The lower Cholesky factor of the covariance matrix.
    factor: Array2<f64>,
}

impl Discriminant {
    fn fit(set: &Dataset, x: &Array2<f64>, class: usize) -> Result<Self, Problem> {
        let rows: Vec<usize> = (0..set.n_rows()).filter(|&row| set.labels[row] == class).collect();
        let own = x.select(Axis(0), &rows);
        let mean = own.mean_axis(Axis(0)).ok_or("a class without rows")?;
        let deviations = &own - &mean;
        let covariance = deviations.t().dot(&deviations) / rows.len() as f64;
        // What makes it naive: covariances between features are taken to be zero.
        let diagonal = Array2::from_diag(&covariance.diag());
        Ok(Self {
            log_prior: (rows.len() as f64 / set.n_rows() as f64).ln(),
            mean,
            factor: cholesky(&diagonal),
        })
    }

    fn score(&self, row: &ArrayView1<'_, f64>) -> f64 {
        let whitened = solve_lower(&self.factor, &(row - &self.mean));
        let log_determinant = 2.0 * self.factor.diag().mapv(f64::ln).sum();
        let log_tau = std::f64::consts::TAU.ln() * row.len() as f64;
        self.log_prior - 0.5 * (log_determinant + whitened.dot(&whitened) + log_tau)
    }
}

/// The lower triangular `L` with `L Lᵀ = matrix`.
fn cholesky(matrix: &Array2<f64>) -> Array2<f64> {
    let n = matrix.nrows();
    let mut factor = Array2::zeros((n, n));
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[[i, k]] * factor[[j, k]]).sum();
            let rest: f64 = matrix[[i, j]] - known;
            factor[[i, j]] = if i == j { rest.sqrt() } else { rest / factor[[j, j]] };
        }
    }
    factor
}

/// The solution `z` of `L z = b`.
fn solve_lower(factor: &Array2<f64>, b: &Array1<f64>) -> Array1<f64> {
    let mut z = Array1::zeros(b.len());
    for i in 0..b.len() {
        let known: f64 = (0..i).map(|k| factor[[i, k]] * z[k]).sum();
        z[i] = (b[i] - known) / factor[[i, i]];
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn cholesky_also_does_full_matrices() {
        let factor = cholesky(&array![[4.0, 2.0], [2.0, 10.0]]);
        assert_eq!(factor, array![[2.0, 0.0], [1.0, 3.0]]);
        assert_eq!(solve_lower(&factor, &array![2.0, 7.0]), array![1.0, 2.0]);
    }
}
