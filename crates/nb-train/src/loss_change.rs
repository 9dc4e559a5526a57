//! Whether other probabilities of the same rows are worse.

/// A loss is clear beyond this number of standard errors of the paired difference,
const STANDARD_ERRORS: f64 = 2.0;
/// and if the log-loss grows by more than this share.
const LEAST_SHARE: f64 = 0.01;

/// The mean log-loss of the same rows by two models, or before and after a map of the probabilities.
///
/// ```
/// use nb_train::LossChange;
///
/// let pairs = (0..100).map(|row| [0.1 + f64::from(row % 3) / 100.0, 0.2]);
/// let change = LossChange::of(pairs.map(|pair| (pair, 1.0)));
/// assert!(change.is_clear_loss() && change.after > change.before);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LossChange {
    /// The mean log-loss before.
    pub before: f64,
    /// The mean log-loss after.
    pub after: f64,
    /// The standard error of the mean difference of the rows.
    pub standard_error: f64,
    /// The standard error of the mean log-loss after.
    pub standard_error_after: f64,
    /// The number of rows.
    pub n_rows: usize,
}

impl LossChange {
    /// That of rows with their losses before and after, and their weights. Rows of weight 0 are left out.
    ///
    /// ```
    /// let change = nb_train::LossChange::of([([1.0, 2.0], 1.0), ([2.0, 3.0], 3.0), ([0.0, 9.0], 0.0)]);
    /// assert_eq!((change.before, change.after, change.standard_error), (1.75, 2.75, 0.0));
    /// ```
    pub fn of(rows: impl IntoIterator<Item = ([f64; 2], f64)>) -> Self {
        let rows: Vec<([f64; 2], f64)> = rows.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
        let n_rows = rows.len();
        let total: f64 = rows.iter().map(|(_, weight)| weight).sum();
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| {
            rows.iter().map(|(losses, weight)| weight / total * of(losses)).sum::<f64>()
        };
        let (before, after) = (mean(&|losses| losses[0]), mean(&|losses| losses[1]));
        let error = |of: &dyn Fn(&[f64; 2]) -> f64, mean: f64| {
            let squares = rows.iter().map(|(losses, weight)| (weight / total * (of(losses) - mean)).powi(2));
            (squares.sum::<f64>() * n_rows as f64 / (n_rows as f64 - 1.0).max(1.0)).sqrt()
        };
        let standard_error = error(&|losses| losses[1] - losses[0], after - before);
        let standard_error_after = error(&|losses| losses[1], after);
        Self { before, after, standard_error, standard_error_after, n_rows }
    }

    /// The same against the mean log-loss of `n_rows` other rows, whose losses are assumed to have the same
    /// variance.
    pub(crate) fn against_others(self, before: f64, n_rows: u64) -> Self {
        let ratio = self.n_rows as f64 / n_rows.max(1) as f64;
        Self { before, standard_error: self.standard_error_after * (1.0 + ratio).sqrt(), ..self }
    }

    /// Whether the log-loss has grown by more than noise explains: by two standard errors and by one percent.
    ///
    /// ```
    /// use nb_train::LossChange;
    ///
    /// let noise = (0..100).map(|row| ([1.0, [0.0, 2.1][row % 2]], 1.0));
    /// assert!(!LossChange::of(noise).is_clear_loss());
    /// assert!(LossChange::of([([1.0, f64::INFINITY], 1.0)]).is_clear_loss());
    /// ```
    pub fn is_clear_loss(&self) -> bool {
        if self.before.is_finite() && self.after == f64::INFINITY {
            return true;
        }
        let growth = self.after - self.before;
        growth > STANDARD_ERRORS * self.standard_error && growth > LEAST_SHARE * self.before
    }
}
