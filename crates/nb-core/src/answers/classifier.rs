//! The fitted classifier. Its answers are in `answers.rs`.

use crate::model::{Likelihood, ParameterError};

/// A fitted naive Bayes classifier over labels `L` with a fitted family `F`.
///
/// Classes are numbered in label order everywhere, and a tie goes to the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier<L, F> {
    pub(crate) classes: Vec<L>,
    pub(crate) log_prior: Vec<f64>,
    pub(crate) likelihood: F,
    pub(crate) n_columns: usize,
}

impl<L, F> Classifier<L, F> {
    pub(crate) fn new(classes: Vec<L>, log_prior: Vec<f64>, likelihood: F, n_columns: usize) -> Self {
        Self { classes, log_prior, likelihood, n_columns }
    }

    /// A classifier from parameters that come from elsewhere: labels in increasing order, the logarithms of
    /// their prior probabilities, and a fitted family over `n_columns` columns and as many classes.
    ///
    /// ```
    /// use nb_core::{Classifier, Missing, fitted::FittedGaussian};
    /// use ndarray::array;
    ///
    /// let (means, variances) = (array![[0.0], [4.0]], array![[1.0], [1.0]]);
    /// let fitted = FittedGaussian::new(&means.view(), &variances.view(), Missing::Error)?;
    /// let classifier = Classifier::from_parts(vec!["near", "up"], vec![0.5_f64.ln(); 2], fitted, 1)?;
    /// assert_eq!(classifier.predict(&array![[1.0], [3.0]])?, ["near", "up"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] if there is no class, there is not one prior per class, labels do not increase, a
    /// prior is not the logarithm of a probability, or the family [says](Likelihood::shape) that it has
    /// other classes or columns.
    pub fn from_parts(
        classes: Vec<L>,
        log_prior: Vec<f64>,
        likelihood: F,
        n_columns: usize,
    ) -> Result<Self, ParameterError>
    where
        L: Ord,
        F: Likelihood,
    {
        if classes.is_empty() {
            return Err(ParameterError::Shape {
                name: "the list of labels",
                expected: (1, 1),
                found: (1, 0),
            });
        }
        let (expected, found) = ((1, classes.len()), (1, log_prior.len()));
        if found != expected {
            return Err(ParameterError::Shape { name: "the table of log-priors", expected, found });
        }
        let expected = (classes.len(), n_columns);
        match likelihood.shape() {
            Some(found) if found != expected => {
                return Err(ParameterError::Shape { name: "the fitted family", expected, found });
            }
            _ => {}
        }
        if let Some(position) = classes.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(ParameterError::Labels { position: position + 1 });
        }
        if let Some(column) = log_prior.iter().position(|log| log.is_nan() || *log > 1e-9) {
            let (name, value, must_be) =
                ("the log-prior", log_prior[column], "the logarithm of a probability");
            return Err(ParameterError::Value { name, row: 0, column, value, must_be });
        }
        Ok(Self::new(classes, log_prior, likelihood, n_columns))
    }

    /// The labels, in order.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.classes(), ["high", "low"]); // in their order, not that of the rows
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn classes(&self) -> &[L] {
        &self.classes
    }

    /// The natural logarithm of the prior probability of each class.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.log_prior(), [0.5_f64.ln(), 0.5_f64.ln()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn log_prior(&self) -> &[f64] {
        &self.log_prior
    }

    /// The fitted family, with its parameters.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.likelihood().means(), array![[8.0], [2.0]]); // of "high" and "low"
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn likelihood(&self) -> &F {
        &self.likelihood
    }

    /// The number of columns that rows must have.
    ///
    /// ```
    /// # use nb_core::{Gaussian, NaiveBayes};
    /// # use ndarray::array;
    /// # let x = array![[1.0], [3.0], [7.0], [9.0]];
    /// # let classifier = NaiveBayes::new(Gaussian::default()).fit(&x, &["low", "low", "high", "high"])?;
    /// assert_eq!(classifier.n_columns(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A family that cannot say how many classes it has.
    struct Silent;

    impl Likelihood for Silent {
        fn check(&self, _: &crate::data::Block<'_>) -> Result<(), crate::model::ValueError> {
            Ok(())
        }

        fn log_likelihood(&self, _: usize, _: usize, _: f64) -> f64 {
            0.0
        }
    }

    #[test]
    fn parts_without_classes_are_none() {
        for log_prior in [vec![], vec![0.0]] {
            let refused = Classifier::from_parts(Vec::<u8>::new(), log_prior, Silent, 1);
            assert!(matches!(refused, Err(ParameterError::Shape { name: "the list of labels", .. })));
        }
        assert!(Classifier::from_parts(vec!['a'], vec![0.0], Silent, 1).is_ok());
    }
}
