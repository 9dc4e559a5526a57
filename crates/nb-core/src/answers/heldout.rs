//! The log-likelihood of rows that are no longer there: from their statistics alone.

use exact_sums::Compensated;

use crate::{
    answers::Classifier,
    kernels::linear::times_log,
    model::{Likelihood, LikelihoodError, MismatchError, SumForm},
    stats::SufficientStats,
};

impl<L: Ord + Clone, F: Likelihood> Classifier<L, F> {
    /// The joint log-likelihood of all rows behind statistics, with their weights and under their own labels:
    /// `Σ w (log p(class) + log p(row | class))`, in natural logarithms.
    ///
    /// The rows are not needed: in an exponential family the log-likelihood is linear in the sums that a
    /// class keeps ([`SumForm`]). It is what the entries of
    /// [`joint_log_likelihood`](Self::joint_log_likelihood) for the true classes add up to, except for a term
    /// that depends on nothing but the rows (`Σ w log x!` of a [`Poisson`](crate::Poisson) family), so
    /// that it compares hyper-parameters of one family, or families with the same density of the rows.
    ///
    /// Negative infinity if there are rows that are impossible in their class, or of a class that the
    /// classifier does not know: it gives them no probability.
    ///
    /// ```
    /// use nb_core::{Categorical, NaiveBayes, Smoothing, SufficientStats};
    /// use ndarray::array;
    ///
    /// let model = Categorical { smoothing: Smoothing::MAXIMUM_LIKELIHOOD, ..Categorical::default() };
    /// let mut train = SufficientStats::new(&model, 1)?;
    /// train.update(&model, &array![[0.0], [1.0], [1.0], [1.0]], &["a", "a", "a", "a"])?;
    /// let classifier = NaiveBayes::new(model.clone()).fit_stats(&train)?;
    ///
    /// let mut held_out = train.empty();
    /// held_out.update(&model, &array![[0.0], [1.0], [0.0]], &["a", "a", "a"])?;
    /// let expected = 2.0 * 0.25_f64.ln() + 0.75_f64.ln();
    /// assert!((classifier.log_likelihood_of_stats(&held_out)? - expected).abs() < 1e-14);
    ///
    /// held_out.update(&model, &array![[0.0]], &["b"])?;
    /// assert_eq!(classifier.log_likelihood_of_stats(&held_out)?, f64::NEG_INFINITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LikelihoodError`] if the statistics are of another family or other columns, or the family has no
    /// such form.
    pub fn log_likelihood_of_stats(&self, stats: &SufficientStats<L>) -> Result<f64, LikelihoodError> {
        self.check_stats(stats)?;
        stats.with_class_sums(|weights, sums| {
            let mut total = Compensated::default();
            for (number, (label, sums)) in stats.classes().zip(sums).enumerate() {
                let Ok(class) = self.classes().binary_search(label) else {
                    total.add(f64::NEG_INFINITY);
                    continue;
                };
                let rows =
                    self.likelihood().of_sums().and_then(|form| form.log_likelihood_of_sums(class, sums));
                let rows = rows.ok_or(LikelihoodError::NoForm)?;
                let prior = times_log(weights[number].to_f64(), self.log_prior()[class]);
                if (rows + prior).is_nan() {
                    return Err(LikelihoodError::Range { class: number });
                }
                total.add(prior);
                total.add(rows);
            }
            Ok(total.value())
        })
    }

    /// Refuses statistics whose sums have another meaning than those that the classifier was fitted from, as
    /// far as the family can say.
    fn check_stats(&self, stats: &SufficientStats<L>) -> Result<(), MismatchError> {
        if stats.n_columns() != self.n_columns() {
            return Err(MismatchError::Columns { left: stats.n_columns(), right: self.n_columns() });
        }
        match self.likelihood().of_sums().and_then(SumForm::sum_layout) {
            Some(layout) if layout != *stats.layout() => Err(MismatchError::Family {
                left: stats.layout().family.to_string(),
                right: layout.family.into_owned(),
            }),
            _ => Ok(()),
        }
    }
}
