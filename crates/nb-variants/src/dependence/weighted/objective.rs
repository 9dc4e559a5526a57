//! What weights of columns minimise: minus the conditional log-likelihood, or squared errors of posteriors.

use super::rows::WeighedRows;

/// A loss that is a sum over rows.
pub(super) trait Objective {
    /// The loss of all rows with the weights `x`; adds its derivatives to `gradient`.
    fn add_loss(&self, x: &[f64], gradient: &mut [f64]) -> f64;
}

/// A weight for each column and class, `x[column n_classes + class]`.
pub(super) struct Classes<'a> {
    pub(super) rows: &'a WeighedRows,
    /// Whether the loss is the squared error, and not minus the logarithm of the posterior.
    pub(super) is_squared: bool,
}

/// The same, then a weight for each column in a second posterior, then the log-odds of the share of the
/// first.
pub(super) struct Mixture<'a> {
    pub(super) rows: &'a WeighedRows,
}

impl Objective for Classes<'_> {
    fn add_loss(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let WeighedRows { n_classes, classes, .. } = self.rows;
        let (mut loss, mut posterior) = (0.0, vec![0.0; *n_classes]);
        for (row, &own) in classes.iter().enumerate() {
            self.rows.score(row, |class, column| x[column * n_classes + class], &mut posterior);
            let log_own = to_posterior(&mut posterior, own);
            if self.is_squared {
                let errors = errors(&posterior, own);
                loss += half_square(&errors);
                to_slopes(&mut posterior, &errors);
            } else {
                loss -= log_own;
                posterior[own] -= 1.0;
            }
            self.rows.for_each_log(row, |class, column, log| {
                gradient[column * n_classes + class] += posterior[class] * log;
            });
        }
        loss
    }
}

impl Mixture<'_> {
    /// The share of the second posterior, from the log-odds of that of the first.
    pub(super) fn share_of_common(log_odds: f64) -> f64 {
        1.0 / (1.0 + libm::exp(log_odds))
    }
}

impl Objective for Mixture<'_> {
    fn add_loss(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let WeighedRows { n_columns, n_classes, classes, .. } = self.rows;
        let (of_common, of_share) = (n_columns * n_classes, n_columns * (n_classes + 1));
        let common_share = Self::share_of_common(x[of_share]);
        let own_share = 1.0 - common_share;
        let (mut specific, mut common) = (vec![0.0; *n_classes], vec![0.0; *n_classes]);
        let mut loss = 0.0;
        for (row, &own) in classes.iter().enumerate() {
            self.rows.score(row, |class, column| x[column * n_classes + class], &mut specific);
            self.rows.score(row, |_, column| x[of_common + column], &mut common);
            to_posterior(&mut specific, own);
            to_posterior(&mut common, own);
            let mixed: Vec<f64> =
                specific.iter().zip(&common).map(|(a, b)| own_share * a + common_share * b).collect();
            let errors = errors(&mixed, own);
            loss += half_square(&errors);
            let by_share: f64 =
                errors.iter().zip(&specific).zip(&common).map(|((error, a), b)| error * (a - b)).sum();
            gradient[of_share] += by_share * own_share * common_share;
            to_slopes(&mut specific, &errors);
            to_slopes(&mut common, &errors);
            self.rows.for_each_log(row, |class, column, log| {
                gradient[column * n_classes + class] += own_share * specific[class] * log;
                gradient[of_common + column] += common_share * common[class] * log;
            });
        }
        loss
    }
}

/// Makes posteriors of log-scores, and returns the logarithm of that of a class.
fn to_posterior(scores: &mut [f64], own: usize) -> f64 {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let of_own = scores[own] - largest;
    for score in &mut *scores {
        *score = libm::exp(*score - largest);
    }
    let total: f64 = scores.iter().sum();
    for score in scores {
        *score /= total;
    }
    of_own - libm::log(total)
}

/// `P(y | x)` less 1 for the class of the row and 0 for others.
fn errors(posterior: &[f64], own: usize) -> Vec<f64> {
    let mut errors = posterior.to_vec();
    // That of the others, so that confident predictions keep their digits.
    errors[own] =
        -posterior.iter().enumerate().filter(|(class, _)| *class != own).map(|(_, p)| p).sum::<f64>();
    errors
}

fn half_square(errors: &[f64]) -> f64 {
    errors.iter().map(|error| error * error).sum::<f64>() / 2.0
}

/// Makes derivatives by the scores of posteriors, `P_c (e_c - Σ_k e_k P_k)`, given those by posteriors.
fn to_slopes(posterior: &mut [f64], errors: &[f64]) {
    let mean: f64 = posterior.iter().zip(errors).map(|(p, error)| p * error).sum();
    posterior.iter_mut().zip(errors).for_each(|(p, error)| *p *= error - mean);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows of two columns with three classes.
    fn rows() -> WeighedRows {
        WeighedRows {
            n_columns: 2,
            n_classes: 3,
            classes: vec![0, 1, 2],
            log_shares: vec![-1.0, -1.2, -1.1],
            logs: vec![-0.5, -1.5, -2.0, -1.0, -0.25, -0.7, -0.9, -1.1, -0.3, 0.0, 0.0, 0.0],
            cells: vec![0, 1, 1, 3, 0, 2],
        }
    }

    /// Derivatives are those of differences.
    fn check(objective: &impl Objective, x: &[f64]) {
        let mut gradient = vec![0.0; x.len()];
        objective.add_loss(x, &mut gradient);
        for place in 0..x.len() {
            let at = |step: f64| {
                let mut x = x.to_vec();
                x[place] += step;
                objective.add_loss(&x, &mut vec![0.0; x.len()])
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((slope - gradient[place]).abs() < 1e-9, "{place}: {slope}, not {}", gradient[place]);
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let rows = rows();
        let x = [0.9, 1.3, 0.4, 1.1, -0.2, 0.8];
        check(&Classes { rows: &rows, is_squared: false }, &x);
        check(&Classes { rows: &rows, is_squared: true }, &x);
        check(&Mixture { rows: &rows }, &[&x[..], &[0.7, 1.2, -0.6]].concat());
    }
}
